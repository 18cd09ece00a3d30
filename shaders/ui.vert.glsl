// ui.vert.glsl -- the 2D layer: pixels from the top left.
#version 330 core

layout(location = 0) in vec2 vertex_position;
layout(location = 1) in vec2 vertex_uv;
layout(location = 2) in vec4 vertex_color;

out vec2 uv;
out vec4 color;

void main() {
    gl_Position = vec4(vertex_position / picture.xy * vec2(2.0, -2.0) + vec2(-1.0, 1.0), 0.0, 1.0);
    uv = vertex_uv;
    color = vertex_color;
}
