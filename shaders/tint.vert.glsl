// tint.vert.glsl -- faces of the level once more, in a colour of their own.
#version 330 core

layout(location = 0) in vec3 vertex_position;
layout(location = 6) in uint vertex_face;

uniform mat4 model;

flat out uint face;

void main() {
    gl_Position = place_overlay((model * vec4(vertex_position, 1.0)).xyz);
    face = vertex_face;
}
