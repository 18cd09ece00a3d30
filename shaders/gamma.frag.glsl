// gamma.frag.glsl -- each channel through the table of 256 brightnesses.
#version 330 core

uniform sampler2D image;
uniform sampler2D numbers;    // the table

out vec4 pixel;

void main() {
    ivec3 value = ivec3(texelFetch(image, ivec2(gl_FragCoord.xy), 0).rgb * 255.0 + 0.5);
    pixel = vec4(texelFetch(numbers, ivec2(value.r, 0), 0).r, texelFetch(numbers, ivec2(value.g, 0), 0).r,
                 texelFetch(numbers, ivec2(value.b, 0), 0).r, 1.0);
}
