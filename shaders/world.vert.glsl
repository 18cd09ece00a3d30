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

out vec4 uv;          // of the picture, of the lightmap
out vec3 place;
out vec4 color;
flat out float layer;
#ifdef VIEWS          // what the lit view does without costs it nothing
out vec3 normal;
flat out uint face;
#endif

void main() {
    vec4 at = model * vec4(vertex_position, 1.0);
    gl_Position = clip * at;
    uv = vec4(vertex_uv, vertex_light_uv);
    place = at.xyz;
    color = vertex_color;
    layer = vertex_layer;
#ifdef VIEWS
    normal = mat3(model) * vertex_normal;
    face = vertex_face;
#endif
}
