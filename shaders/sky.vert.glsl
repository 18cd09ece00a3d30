// sky.vert.glsl -- faces through which the sky is seen: it is infinitely far, behind whatever stands behind them.
#version 330 core

layout(location = 0) in vec3 vertex_position;

uniform mat4 model;

out vec3 direction;

void main() {
    vec4 at = model * vec4(vertex_position, 1.0);
    gl_Position = clip * at;
    gl_Position.z = gl_Position.w;
    direction = at.xyz - eye.xyz;
}
