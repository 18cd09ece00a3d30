// world.frag.glsl -- one view of a face: lit, or one of what goes into it. The numbers of views are those of frame.h.
#version 330 core

in vec4 uv;                   // of the picture, of the lightmap
in vec4 place;                // w: the layer of the lightmaps, or which light there is instead
in vec4 color;
#ifdef VIEWS
in vec3 normal;
flat in uint face;
#endif

uniform sampler2D image;
uniform sampler2DArray lightmaps;
uniform float alpha_test;     // at least this alpha; negative: less than its opposite

out vec4 pixel;

// Lightmap, white, or vertex colour (one of a model has its dynamic light already). What the engine's overbright halves
// is given back by the last multiplication.
vec3 light_here() {
    float layer = floor(place.w + 0.5);
    if (layer >= 0.0)
        return texture(lightmaps, vec3(uv.zw, layer)).rgb + dynamic_lights(place.xyz);
    if (layer < -2.5)
        return color.rgb;
    return (layer < -1.5 ? vec3(1.0 / light.x) : color.rgb) + dynamic_lights(place.xyz);
}

vec4 lit(vec4 texel) { return vec4(min(texel.rgb * light_here() * light.x, 1.0), texel.a); }

#ifdef VIEWS

uniform sampler2D numbers;    // colours by face, 1024 a row
uniform int shade;

const int TEXTURE = 1, LIGHTMAP = 2, CLUSTER = 3, FACE = 4, DEPTH = 5, NORMAL = 6, WIRE = 7, OVERDRAW = 8;

// Which mip level the picture is seen at: green 0, yellow 1, red 2 and so on towards white; blue: enlarged.
vec3 mip_color() {
    vec2 size = vec2(textureSize(image, 0));
    vec2 along = dFdx(uv.xy) * size, across = dFdy(uv.xy) * size;
    float level = 0.5 * log2(max(max(dot(along, along), dot(across, across)), 1e-12));
    vec3 steps[6] = vec3[](vec3(0.1, 0.7, 0.1), vec3(0.8, 0.8, 0.1), vec3(0.9, 0.4, 0.1), vec3(0.8, 0.1, 0.1), vec3(0.7, 0.2, 0.7), vec3(0.9));
    if (level < 0.0)
        return mix(vec3(0.1, 0.7, 0.1), vec3(0.1, 0.2, 0.9), clamp(-level * 0.5, 0.0, 1.0));
    float whole = min(floor(level), 4.0);
    return mix(steps[int(whole)], steps[int(whole) + 1], clamp(level - whole, 0.0, 1.0));
}

vec4 view(vec4 texel, vec3 mip) {
    if (shade == TEXTURE)
        return texel;
    if (shade == LIGHTMAP)
        return vec4(min(light_here() * light.x, 1.0), 1.0);
    if (shade == CLUSTER || shade == FACE) {
        vec3 own = texelFetch(numbers, ivec2(int(face) & 1023, int(face) >> 10), 0).rgb;
        return vec4(own * (0.75 + 0.25 * normalize(normal + 1e-6).z), 1.0);
    }
    if (shade == DEPTH)
        return vec4(vec3(light.y / (light.y + dot(place.xyz - eye.xyz, forward.xyz))), 1.0);
    if (shade == NORMAL)
        return vec4(normalize(normal + 1e-6) * 0.5 + 0.5, 1.0);
    if (shade == WIRE)
        return wire;
    if (shade == OVERDRAW)
        return vec4(0.125, 0.0625, 0.03125, 1.0);
    return vec4(mip, 1.0);
}

#endif

void main() {
    vec4 texel = texture(image, uv.xy);
#ifdef VIEWS
    vec3 mip = mip_color();    // here, where every pixel of a block runs: it asks for differences
#endif
#ifdef MASKED
    if (alpha_test > 0.0 ? texel.a < alpha_test : texel.a >= -alpha_test)
        discard;
#endif
#ifdef VIEWS
    pixel = view(texel, mip);
#else
    pixel = lit(texel);
#endif
}
