// overlay.vert.glsl -- triangles, boxes and thin lines that scripts draw into the level.
#version 330 core

layout(location = 0) in vec3 vertex_position;
layout(location = 1) in vec2 vertex_uv;
layout(location = 2) in vec4 vertex_color;

out float gl_ClipDistance[1];

out vec2 uv;
out vec4 color;

void main() {
    gl_Position = place_overlay(vertex_position);
    gl_ClipDistance[0] = dot(clip_plane, vec4(vertex_position, 1.0));
    uv = vertex_uv;
    color = vertex_color;
}
