// overlay.vert.glsl -- triangles, boxes and thin lines that scripts draw into the level.
#version 330 core

layout(location = 0) in vec3 vertex_position;
layout(location = 1) in vec2 vertex_uv;
layout(location = 2) in vec4 vertex_color;

out vec2 uv;
out vec4 color;

void main() {
    gl_Position = place_overlay(vertex_position);
    uv = vertex_uv;
    color = vertex_color;
}
