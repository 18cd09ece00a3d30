// sky.vert.glsl -- faces behind which the sky is: they stand where they are, their picture is infinitely far.
#version 330 core

layout(location = 0) in vec3 vertex_position;

uniform mat4 model;

out vec3 direction;

void main() {
    vec4 at = model * vec4(vertex_position, 1.0);
    gl_Position = clip * at;
    direction = at.xyz - eye.xyz;
}
