// stages.vert.glsl -- faces whose material has stages of its own: each stage's texture coordinates and colour at a vertex,
// from numbers that assets/material_eval.c has worked out (gl_stages.c lays them out in rows).
#version 330 core

layout(location = 0) in vec4 vertex;      // w: the layer of the lightmaps
layout(location = 1) in vec4 vertex_uv;   // of the picture, of the lightmap
layout(location = 3) in vec3 vertex_normal;
layout(location = 4) in vec4 vertex_color;

uniform mat4 model;
uniform vec3 model_eye;           // the eye where the vertices are
uniform vec3 light_on[3];         // ambient, directed, direction towards the light
uniform vec4 stage[STAGES * 16];
uniform sampler2D table;          // sines of a cycle in 1024 steps; of a sky: see stages.frag.glsl
uniform vec4 fog_distance, fog_depth;
uniform float fog_eye_depth;

invariant gl_Position;
out float gl_ClipDistance[1];

out vec4 st[(STAGES + 1) / 2];    // two stages in each
out vec4 tint[STAGES];
out vec3 place;
out vec2 fog;                     // distance in the fog / 8 depths, which part of it counts
flat out float layer;
#ifdef SKY
out vec3 direction;
#endif

#ifndef SKY
float sine(float cycles) { return texelFetch(table, ivec2(int(fract(cycles) * 1024.0) & 1023, 0), 0).r; }
#endif

vec2 generated(int row) {
    int kind = int(stage[row + 1].z);
    if (kind == 1)
        return vertex_uv.zw;
    if (kind == 2) {
        vec3 away = normalize(model_eye - vertex.xyz), n = normalize(vertex_normal + 1e-9);
        vec3 back = n * (2.0 * dot(n, away)) - away;
        return vec2(0.5 + back.y * 0.5, 0.5 - back.z * 0.5);
    }
    if (kind == 3)
        return vec2(dot(vertex.xyz, stage[row + 5].xyz), dot(vertex.xyz, stage[row + 6].xyz));
    return vertex_uv.xy;
}

vec2 moved(int row) {
    vec3 from = vec3(generated(row), 1.0);
    vec2 at = vec2(dot(stage[row + 3].xyz, from), dot(stage[row + 4].xyz, from));
#ifndef SKY
    for (int i = 0; i < int(stage[row + 2].w); i++) {
        vec4 turb = stage[row + 7 + 2 * i], after = stage[row + 8 + 2 * i];
        vec2 by = turb.x * vec2(sine((vertex.xyz.x + vertex.xyz.z) / 1024.0 + turb.y), sine(vertex.xyz.y / 1024.0 + turb.y));
        at += vec2(dot(after.xy, by), dot(after.zw, by));
    }
#endif
    return at;
}

float specular() {
    vec3 n = normalize(vertex_normal + 1e-9), lamp = normalize(vec3(-960.0, 1980.0, 96.0) - vertex.xyz);
    float l = max(dot(n * (2.0 * dot(n, lamp)) - lamp, normalize(model_eye - vertex.xyz)), 0.0);
    return min(l * l * l * l, 1.0);
}

vec4 colored(int row) {
    vec4 color = stage[row];
    int from = int(stage[row + 1].x), alpha_from = int(stage[row + 1].y);
    if (from == 1)
        color.rgb *= vertex_color.rgb;
    else if (from == 2)
        color.rgb *= 1.0 - vertex_color.rgb;
    else if (from == 3)
        color.rgb = min(light_on[0] + light_on[1] * max(dot(normalize(vertex_normal + 1e-9), light_on[2]), 0.0), 1.0);
    if (alpha_from == 1)
        color.a = vertex_color.a;
    else if (alpha_from == 2)
        color.a = 1.0 - vertex_color.a;
    else if (alpha_from == 4)
        color.a = specular();
    else if (alpha_from == 5)
        color.a = min(distance(vertex.xyz, model_eye) / stage[row + 3].w, 1.0);
    return color;
}

// The engine works fog out at vertices too: where the eye is above it, only the part of the ray under its surface counts.
vec2 fogged(vec4 at) {
    float deep = dot(fog_depth, at), part = deep < 0.0 ? 0.0 : 1.0;
    if (fog_eye_depth < 0.0)
        part = deep < 1.0 ? 0.0 : deep / (deep - fog_eye_depth);
    return vec2(dot(fog_distance, at), part);
}

void main() {
    vec4 at = model * vec4(vertex.xyz, 1.0);
    gl_Position = clip * at;
    gl_ClipDistance[0] = dot(clip_plane, at);
    place = at.xyz;
    layer = vertex.w;
    fog = fogged(at);
    for (int i = 0; i < (STAGES + 1) / 2; i++)
        st[i] = vec4(moved(32 * i), 2 * i + 1 < STAGES ? moved(min(32 * i + 16, (STAGES - 1) * 16)) : vec2(0.0));
    for (int i = 0; i < STAGES; i++)
        tint[i] = colored(16 * i);
#ifdef SKY
    direction = at.xyz - eye.xyz;
    gl_ClipDistance[0] = 1.0;
    gl_Position.z = gl_Position.w;    // infinitely far: what lies behind the face is seen
#endif
}
