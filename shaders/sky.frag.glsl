// sky.frag.glsl -- a sky's picture on a wide dome over the eye, as the engine lays its clouds; a plain colour without one.
#version 330 core

in vec3 direction;

uniform sampler2D image;
uniform int has_image;

out vec4 pixel;

const float RADIUS = 4096.0, HEIGHT = 512.0;    // of the dome's sphere, and of the clouds over the eye

void main() {
    vec3 ray = normalize(direction);
    float up = RADIUS * ray.z;
    float far = sqrt(up * up + 2.0 * RADIUS * HEIGHT + HEIGHT * HEIGHT) - up;
    vec3 hit = normalize(ray * far + vec3(0.0, 0.0, RADIUS));
    vec4 texel = texture(image, acos(clamp(hit.xy, -1.0, 1.0)));
    pixel = vec4(has_image != 0 ? texel.rgb : sky.rgb * (0.8 + 0.2 * ray.z), 1.0);
}
