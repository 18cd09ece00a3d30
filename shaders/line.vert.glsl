// line.vert.glsl -- a line as a quad of its width in pixels: one instance a line, four corners each.
#version 330 core

layout(location = 0) in vec3 line_from;
layout(location = 1) in vec3 line_to;
layout(location = 2) in vec4 from_color;
layout(location = 3) in vec4 to_color;
layout(location = 4) in float width;

out vec4 color;

void main() {
    vec4 a = place_overlay(line_from), b = place_overlay(line_to);
    vec4 color_a = from_color, color_b = to_color;
    float before_a = a.z + a.w, before_b = b.z + b.w;    // distance in front of the near plane
    if (before_a < 0.0 && before_b < 0.0) {
        gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
        color = vec4(0.0);
        return;
    }
    if (before_a < 0.0) {
        float cut = before_a / (before_a - before_b);
        a = mix(a, b, cut);
        color_a = mix(color_a, color_b, cut);
    } else if (before_b < 0.0) {
        float cut = before_b / (before_b - before_a);
        b = mix(b, a, cut);
        color_b = mix(color_b, color_a, cut);
    }
    vec2 pixel_a = a.xy / a.w * picture.xy * 0.5, pixel_b = b.xy / b.w * picture.xy * 0.5;
    vec2 along = pixel_b - pixel_a;
    along = dot(along, along) > 1e-6 ? normalize(along) : vec2(1.0, 0.0);
    vec2 aside = vec2(-along.y, along.x) * width * 0.5;
    bool far_end = gl_VertexID >= 2;
    vec2 corner = (far_end ? pixel_b + along * 0.5 : pixel_a - along * 0.5) + ((gl_VertexID & 1) == 0 ? aside : -aside);
    vec4 end = far_end ? b : a;
    gl_Position = vec4(corner / (picture.xy * 0.5) * end.w, end.zw);
    color = far_end ? color_b : color_a;
}
