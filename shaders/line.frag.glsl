// line.frag.glsl -- plain colour.
#version 330 core

in vec4 color;

out vec4 pixel;

void main() {
    pixel = color;
}
