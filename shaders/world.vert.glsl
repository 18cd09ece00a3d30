// world.vert.glsl -- faces of the level, of the world or of a brush model at its pose.
#version 330 core

layout(location = 0) in vec3 vertex_position;
layout(location = 1) in vec2 vertex_uv;
layout(location = 2) in vec2 vertex_light_uv;
layout(location = 3) in vec3 vertex_normal;
layout(location = 4) in vec4 vertex_color;
layout(location = 5) in float vertex_layer;
layout(location = 6) in uint vertex_face;

uniform mat4 model;

out vec2 uv, light_uv;
out vec3 normal, place;
out vec4 color;
out float distance_ahead;
flat out float layer;
flat out uint face;

void main() {
    vec4 at = model * vec4(vertex_position, 1.0);
    gl_Position = clip * at;
    place = at.xyz;
    uv = vertex_uv;
    light_uv = vertex_light_uv;
    normal = mat3(model) * vertex_normal;
    color = vertex_color;
    distance_ahead = dot(at.xyz - eye.xyz, forward.xyz);
    layer = vertex_layer;
    face = vertex_face;
}
