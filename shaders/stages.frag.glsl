// stages.frag.glsl -- the stages of a pass, one blended over the other as the picture would have it.
#version 330 core

in vec4 st[(STAGES + 1) / 2];
in vec4 tint[STAGES];
in vec3 place;
in vec2 fog;
flat in float layer;

uniform vec4 stage[STAGES * 16];
uniform sampler2D images[STAGES];
uniform vec4 ending;              // x: what overbright halves is given back by this; y: what fog acts on
uniform vec4 fog_color;

out vec4 pixel;

vec4 factor(float which, vec4 src, vec4 dst) {    // the numbers are those of Blend in material.h
    int f = int(which);
    vec4 of = f < 2 ? vec4(1.0) : f < 4 ? dst : f < 6 ? src : f < 8 ? src.aaaa : f < 10 ? dst.aaaa : vec4(min(src.a, 1.0 - dst.a));
    if (f == 1)
        return vec4(0.0);
    return f < 10 && f > 1 && (f & 1) == 1 ? 1.0 - of : of;
}

bool fails(float limit, float alpha) { return limit > 0.0 ? alpha < limit : limit < 0.0 && alpha >= -limit; }

#ifdef SKY

in vec3 direction;
uniform sampler2D box[6];         // the far box: +x -x +y -y +z -z
uniform sampler2D table;          // where rays meet the clouds: 9 x 9 points of five sides, one under the other
uniform int has_box;

// Side of the box around the eye that the ray meets, and where on it, -1 to 1.
vec3 box_place() {
    vec3 d = direction, a = abs(d);
    if (a.x >= a.y && a.x >= a.z)
        return d.x > 0.0 ? vec3(-d.y / a.x, d.z / a.x, 0.0) : vec3(d.y / a.x, d.z / a.x, 1.0);
    if (a.y >= a.z)
        return d.y > 0.0 ? vec3(d.x / a.y, d.z / a.y, 2.0) : vec3(-d.x / a.y, d.z / a.y, 3.0);
    return d.z > 0.0 ? vec3(-d.y / a.z, -d.x / a.z, 4.0) : vec3(-d.y / a.z, d.x / a.z, 5.0);
}

vec3 box_color(vec3 at) {
    vec2 uv = vec2(at.x * 0.5 + 0.5, 0.5 - at.y * 0.5);
    int side = int(at.z);
    vec3 sides[6] = vec3[](textureLod(box[0], uv, 0.0).rgb, textureLod(box[1], uv, 0.0).rgb, textureLod(box[2], uv, 0.0).rgb,
                           textureLod(box[3], uv, 0.0).rgb, textureLod(box[4], uv, 0.0).rgb, textureLod(box[5], uv, 0.0).rgb);
    return sides[side];
}

vec2 table_at(ivec2 cell, int side) { return texelFetch(table, ivec2(cell.x, cell.y + side * 9), 0).rg; }

// Between the points of the grid as its triangles have it.
vec2 cloud_coord(vec3 at) {
    vec2 g = (at.xy + 1.0) * 4.0;
    ivec2 cell = ivec2(clamp(floor(g), 0.0, 7.0));
    vec2 f = g - vec2(cell);
    int side = min(int(at.z), 4);
    vec2 s = table_at(cell + ivec2(1, 0), side), t = table_at(cell + ivec2(0, 1), side);
    if (f.x + f.y <= 1.0) {
        vec2 o = table_at(cell, side);
        return o + f.x * (s - o) + f.y * (t - o);
    }
    vec2 o = table_at(cell + ivec2(1, 1), side);
    return o + (1.0 - f.x) * (t - o) + (1.0 - f.y) * (s - o);
}

vec2 coord(int i, vec2 cloud) {
    vec3 from = vec3(cloud, 1.0);
    return vec2(dot(stage[16 * i + 3].xyz, from), dot(stage[16 * i + 4].xyz, from));
}

#define TEXEL(i) texture(images[i], coord(i, cloud))

#else

uniform sampler2DArray lightmaps;

#define COORD(i) ((i) % 2 == 0 ? st[(i) / 2].xy : st[(i) / 2].zw)

// Dynamic lights may be brighter than a page can: what they fall on takes all of it, as in the world's own shader.
vec4 light_texel(vec2 at) { return vec4(texture(lightmaps, vec3(at, max(layer, 0.0))).rgb + dynamic_lights(place), 1.0); }

// A page from outside of the level: its light is shifted here, all channels scaled down together where one would be too bright.
vec4 page_texel(vec3 texel) {
    vec3 bright = texel * (4.0 / light.x);
    bright /= max(max(bright.r, max(bright.g, bright.b)), 1.0);
    return vec4(bright + dynamic_lights(place), 1.0);
}

#define KIND(i) stage[16 * (i) + 1].w
#define TEXEL(i) (KIND(i) == 0.0 ? texture(images[i], COORD(i)) : KIND(i) == 1.0 ? light_texel(COORD(i)) : \
    KIND(i) == 3.0 ? page_texel(texture(images[i], COORD(i)).rgb) : vec4(1.0))

#endif

vec4 over(int row, vec4 src, vec4 dst) {
    if (fails(stage[row + 2].z, src.a))
        return dst;
    return vec4(clamp(src * factor(stage[row + 2].x, src, dst) + dst * factor(stage[row + 2].y, src, dst), 0.0, 1.0).rgb, dst.a);
}

#define STEP(i) dst = over(16 * (i), TEXEL(i) * tint[i], dst)

// What is left of light after the fog, or the fog's own colour, as the engine adjusts each kind of blend.
vec4 fogged(vec4 color) {
    float opacity = sqrt(clamp(8.0 * fog.x * fog.y, 0.0, 1.0));
    int mode = int(ending.y);
    if (mode == 1)
        return vec4(mix(color.rgb, fog_color.rgb, opacity), color.a);
    if (mode == 2)
        return vec4(color.rgb * (1.0 - opacity), color.a);
    if (mode == 3)
        return vec4(color.rgb, color.a * (1.0 - opacity));
    if (mode == 4)
        return color * (1.0 - opacity);
    return mode == 5 ? vec4(fog_color.rgb, opacity) : color;
}

void main() {
#ifdef SKY
    vec3 at = box_place();
    vec2 cloud = cloud_coord(at);
    vec4 dst = vec4(has_box != 0 ? box_color(at) * fog_color.a : vec3(0.0), 1.0), behind = dst;
    STEP(0);
#else
    vec4 dst = TEXEL(0) * tint[0];
    bool left_out = fails(stage[2].z, dst.a);
#endif
#if STAGES > 1
    STEP(1);
#endif
#if STAGES > 2
    STEP(2);
#endif
#if STAGES > 3
    STEP(3);
#endif
#if STAGES > 4
    STEP(4);
#endif
#if STAGES > 5
    STEP(5);
#endif
#if STAGES > 6
    STEP(6);
#endif
#if STAGES > 7
    STEP(7);
#endif
#ifdef SKY
    if (at.z > 4.5)
        dst = behind;    // no clouds under the feet
    pixel = vec4(min(dst.rgb * ending.x, 1.0), 1.0);
#else
    if (left_out)
        discard;
    dst = fogged(dst);
    pixel = vec4(min(dst.rgb * ending.x, 1.0), dst.a);
#endif
}
