// tint.frag.glsl -- the colour that a table has for the face.
#version 330 core

flat in uint face;

uniform sampler2D numbers;    // colours by face, 1024 a row

out vec4 pixel;

void main() {
    pixel = texelFetch(numbers, ivec2(int(face) & 1023, int(face) >> 10), 0);
}
