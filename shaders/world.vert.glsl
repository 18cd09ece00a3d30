// world.vert.glsl -- faces of the level, of the world or of a brush model at its pose.
#version 330 core

layout(location = 0) in vec4 vertex_position;    // w: the layer of the lightmaps
layout(location = 1) in vec4 vertex_uv;          // of the picture, of the lightmap
layout(location = 3) in vec3 vertex_normal;
layout(location = 4) in vec4 vertex_color;
layout(location = 6) in uint vertex_face;

uniform mat4 model;

invariant gl_Position;
out float gl_ClipDistance[1];

out vec4 uv;
out vec4 place;         // w: the layer
out vec4 color;
#ifdef VIEWS          // what the lit view does without costs it nothing
out vec3 normal;
flat out uint face;
#endif

void main() {
    vec4 at = model * vec4(vertex_position.xyz, 1.0);
    gl_Position = clip * at;
    gl_ClipDistance[0] = dot(clip_plane, at);
    uv = vertex_uv;
    place = vec4(at.xyz, vertex_position.w);
    color = vertex_color;
#ifdef VIEWS
    normal = mat3(model) * vertex_normal;
    face = vertex_face;
#endif
}
