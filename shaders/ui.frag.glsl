// ui.frag.glsl -- colour times picture.
#version 330 core

in vec2 uv;
in vec4 color;

uniform sampler2D image;

out vec4 pixel;

void main() {
    pixel = texture(image, uv) * color;
}
