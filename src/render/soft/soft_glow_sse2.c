/* render/soft/soft_glow_sse2.c -- dynamic light, 4 places at a time, on any x86-64. */
#include <emmintrin.h>

#include "render/soft/soft_glow_internal.h"

enum { WIDE = 4 };
#define WIDE_POINTS soft_glow_points_sse2
#define WIDE_DEPTHS soft_glow_depths_sse2
#define WIDE_ADD    soft_glow_add_sse2

typedef __m128 F;

#define OP static inline __attribute__((always_inline))

OP F f_set(float x) { return _mm_set1_ps(x); }
OP F f_from(int first) { return _mm_add_ps(f_set((float)first), _mm_setr_ps(0, 1, 2, 3)); }
OP F f_add(F a, F b) { return _mm_add_ps(a, b); }
OP F f_sub(F a, F b) { return _mm_sub_ps(a, b); }
OP F f_mul(F a, F b) { return _mm_mul_ps(a, b); }
OP F f_div(F a, F b) { return _mm_div_ps(a, b); }
OP F f_sqrt(F a) { return _mm_sqrt_ps(a); }
OP F f_max(F a, F b) { return _mm_max_ps(a, b); }    /* a > b ? a : b */
OP F f_min(F a, F b) { return _mm_min_ps(a, b); }    /* a < b ? a : b */
OP F f_and(F mask, F a) { return _mm_and_ps(mask, a); }
OP F f_less(F a, F b) { return _mm_cmplt_ps(a, b); }
OP F f_not_more(F a, F b) { return _mm_cmple_ps(a, b); }
OP F f_load(const float *at) { return _mm_loadu_ps(at); }
OP unsigned f_bits(F mask) { return (unsigned)_mm_movemask_ps(mask); }
OP void store_light(uint16_t *out, const F sum[3]) {
    __m128i red_green = _mm_or_si128(_mm_cvttps_epi32(sum[0]), _mm_slli_epi32(_mm_cvttps_epi32(sum[1]), 16)), blue = _mm_cvttps_epi32(sum[2]);
    _mm_storeu_si128((__m128i *)(void *)out, _mm_unpacklo_epi32(red_green, blue));
    _mm_storeu_si128((__m128i *)(void *)(out + 8), _mm_unpackhi_epi32(red_green, blue));
}
OP __m128i product(__m128i texels, __m128i light) {
    __m128i twice = _mm_mulhi_epu16(_mm_slli_epi16(texels, 7), light);
    return _mm_srli_epi16(_mm_add_epi16(twice, _mm_set1_epi16(1)), 1);
}
OP __m128i lanes(unsigned bits) {    /* a bit a pixel */
    const __m128i which = _mm_setr_epi32(1, 2, 4, 8);
    return _mm_cmpeq_epi32(_mm_and_si128(_mm_set1_epi32((int)bits), which), which);
}
OP void add_four(uint32_t *color, const uint32_t *texels, __m128i first, __m128i second, unsigned mask) {    /* light of two pixels each */
    const __m128i zero = _mm_setzero_si128(), four = _mm_and_si128(_mm_loadu_si128((const __m128i *)(const void *)texels), lanes(mask));
    __m128i low = product(_mm_unpacklo_epi8(four, zero), first), high = product(_mm_unpackhi_epi8(four, zero), second);
    __m128i *to = (__m128i *)(void *)color;
    _mm_storeu_si128(to, _mm_adds_epu8(_mm_loadu_si128(to), _mm_packus_epi16(low, high)));
}
OP void add_eight(uint32_t *color, const uint32_t *texels, const uint16_t *light, unsigned mask) {
    __m128i here = _mm_loadu_si128((const __m128i *)(const void *)light), next = _mm_loadu_si128((const __m128i *)(const void *)(light + GLOW_NUMBERS));
    __m128i half = _mm_avg_epu16(here, next), quarter = _mm_avg_epu16(here, half), rest = _mm_avg_epu16(half, next);
    add_four(color, texels, _mm_unpacklo_epi64(here, quarter), _mm_unpacklo_epi64(half, rest), mask);
    add_four(color + 4, texels + 4, _mm_unpackhi_epi64(here, quarter), _mm_unpackhi_epi64(half, rest), mask >> 4);
}

#include "render/soft/soft_glow_wide_internal.h"
