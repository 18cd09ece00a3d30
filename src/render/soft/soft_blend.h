/* render/soft/soft_blend.h -- a colour laid over the picture by a material's factors (blendFunc, format.md 9.6).
 *
 * The picture is opaque: its alpha counts as 1 wherever a factor asks for it, and stays 255. A channel is
 * (colour * source + below * destination + 127) / 255 in whole numbers, no more than 255, as a GL picture of 8 bits
 * rounds it; what fills many pixels may use other instructions for it, and has to give the same bits. */
#ifndef LEAFWALK_RENDER_SOFT_BLEND_H
#define LEAFWALK_RENDER_SOFT_BLEND_H

#include <emmintrin.h>

#include "assets/material.h"

/* One channel's factor, 0..255. `alpha`: the colour's. */
static inline unsigned soft_factor(Blend factor, unsigned color, unsigned below, unsigned alpha) {
    switch (factor) {
    case BLEND_ONE:                  return 255;
    case BLEND_DST_COLOR:            return below;
    case BLEND_ONE_MINUS_DST_COLOR:  return 255 - below;
    case BLEND_SRC_COLOR:            return color;
    case BLEND_ONE_MINUS_SRC_COLOR:  return 255 - color;
    case BLEND_SRC_ALPHA:            return alpha;
    case BLEND_ONE_MINUS_SRC_ALPHA:  return 255 - alpha;
    case BLEND_DST_ALPHA:            return 255;
    case BLEND_ZERO:
    case BLEND_ONE_MINUS_DST_ALPHA:
    case BLEND_SRC_ALPHA_SATURATE:   break;    /* the smaller one of alpha and what the picture's lacks: nothing */
    }
    return 0;
}

static inline uint32_t soft_mix(uint32_t color, uint32_t below, Blend source, Blend destination) {
    uint32_t out = 0xff000000u, alpha = color >> 24;
    for (int i = 0; i < 24; i += 8) {
        uint32_t from = color >> i & 255, under = below >> i & 255;
        uint32_t sum = (from * soft_factor(source, from, under, alpha) + under * soft_factor(destination, from, under, alpha) + 127) / 255;
        out |= MIN(sum, 255) << i;
    }
    return out;
}

/* The same for two pixels, a channel in each 16 bits. */
static inline __m128i soft_factor16(Blend factor, __m128i color, __m128i below) {
    const __m128i all = _mm_set1_epi16(255);
    switch (factor) {
    case BLEND_ONE: case BLEND_DST_ALPHA:  return all;
    case BLEND_DST_COLOR:                  return below;
    case BLEND_ONE_MINUS_DST_COLOR:        return _mm_sub_epi16(all, below);
    case BLEND_SRC_COLOR:                  return color;
    case BLEND_ONE_MINUS_SRC_COLOR:        return _mm_sub_epi16(all, color);
    case BLEND_SRC_ALPHA:                  return _mm_shufflehi_epi16(_mm_shufflelo_epi16(color, 0xff), 0xff);
    case BLEND_ONE_MINUS_SRC_ALPHA:        return _mm_sub_epi16(all, _mm_shufflehi_epi16(_mm_shufflelo_epi16(color, 0xff), 0xff));
    case BLEND_ZERO: case BLEND_ONE_MINUS_DST_ALPHA: case BLEND_SRC_ALPHA_SATURATE: break;
    }
    return _mm_setzero_si128();
}

/* The products fit in 16 bits; what their sum loses at 65535 is brighter than 255 anyway. 0x8081 / 2^23 divides every
 * number of 16 bits by 255. The alphas of what comes out are nobody's. */
static inline __m128i soft_mix16(__m128i color, __m128i below, Blend source, Blend destination) {
    __m128i over = _mm_mullo_epi16(color, soft_factor16(source, color, below)), under = _mm_mullo_epi16(below, soft_factor16(destination, color, below));
    __m128i sum = _mm_adds_epu16(_mm_adds_epu16(over, under), _mm_set1_epi16(127));
    __m128i whole = _mm_srli_epi16(_mm_mulhi_epu16(sum, _mm_set1_epi16((short)0x8081)), 7);
    return _mm_min_epi16(whole, _mm_set1_epi16(255));
}

/* And for four. */
static inline __m128i soft_mix_4(__m128i color, __m128i below, Blend source, Blend destination) {
    const __m128i zero = _mm_setzero_si128();
    __m128i low = soft_mix16(_mm_unpacklo_epi8(color, zero), _mm_unpacklo_epi8(below, zero), source, destination);
    __m128i high = soft_mix16(_mm_unpackhi_epi8(color, zero), _mm_unpackhi_epi8(below, zero), source, destination);
    return _mm_or_si128(_mm_packus_epi16(low, high), _mm_set1_epi32((int)0xff000000u));
}

#endif
