/* render/soft/soft_glow_avx2.c -- dynamic light, 8 places at a time. Entered only where the processor has AVX2. */
#include <immintrin.h>

#include "render/soft/soft_glow_internal.h"

enum { WIDE = 8 };
#define WIDE_POINTS soft_glow_points_avx2
#define WIDE_DEPTHS soft_glow_depths_avx2
#define WIDE_ADD    soft_glow_add_avx2

typedef __m256 F;

#define OP static inline __attribute__((always_inline))

OP F f_set(float x) { return _mm256_set1_ps(x); }
OP F f_from(int first) { return _mm256_add_ps(f_set((float)first), _mm256_setr_ps(0, 1, 2, 3, 4, 5, 6, 7)); }
OP F f_add(F a, F b) { return _mm256_add_ps(a, b); }
OP F f_sub(F a, F b) { return _mm256_sub_ps(a, b); }
OP F f_mul(F a, F b) { return _mm256_mul_ps(a, b); }
OP F f_div(F a, F b) { return _mm256_div_ps(a, b); }
OP F f_sqrt(F a) { return _mm256_sqrt_ps(a); }
OP F f_max(F a, F b) { return _mm256_max_ps(a, b); }    /* a > b ? a : b */
OP F f_min(F a, F b) { return _mm256_min_ps(a, b); }    /* a < b ? a : b */
OP F f_and(F mask, F a) { return _mm256_and_ps(mask, a); }
OP F f_less(F a, F b) { return _mm256_cmp_ps(a, b, _CMP_LT_OQ); }
OP F f_not_more(F a, F b) { return _mm256_cmp_ps(a, b, _CMP_LE_OQ); }
OP F f_load(const float *at) { return _mm256_loadu_ps(at); }
OP unsigned f_bits(F mask) { return (unsigned)_mm256_movemask_ps(mask); }
/* What is unpacked comes as pixels 0 1 4 5 and 2 3 6 7. */
OP void store_light(uint16_t *out, const F sum[3]) {
    __m256i red_green = _mm256_or_si256(_mm256_cvttps_epi32(sum[0]), _mm256_slli_epi32(_mm256_cvttps_epi32(sum[1]), 16)), blue = _mm256_cvttps_epi32(sum[2]);
    __m256i low = _mm256_unpacklo_epi32(red_green, blue), high = _mm256_unpackhi_epi32(red_green, blue);
    _mm256_storeu_si256((__m256i *)(void *)out, _mm256_permute2x128_si256(low, high, 0x20));
    _mm256_storeu_si256((__m256i *)(void *)(out + 16), _mm256_permute2x128_si256(low, high, 0x31));
}
OP __m256i product(__m256i texels, __m256i light) {
    __m256i twice = _mm256_mulhi_epu16(_mm256_slli_epi16(texels, 7), light);
    return _mm256_srli_epi16(_mm256_add_epi16(twice, _mm256_set1_epi16(1)), 1);
}
OP __m256i lanes(unsigned bits) {    /* a bit a pixel */
    const __m256i which = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    return _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32((int)bits), which), which);
}
/* Each half of a register has four pixels: their light is that of one place, and three steps to the next one. */
OP void add_eight(uint32_t *color, const uint32_t *texels, const uint16_t *light, unsigned mask) {
    const __m256i zero = _mm256_setzero_si256();
    __m256i eight = _mm256_and_si256(_mm256_loadu_si256((const __m256i *)(const void *)texels), lanes(mask));
    __m256i places = _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)light));
    __m256i after = _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)(light + GLOW_NUMBERS)));
    __m256i here = _mm256_permute4x64_epi64(places, 0x50), next = _mm256_permute4x64_epi64(after, 0x50);    /* 0 0 1 1 */
    __m256i half = _mm256_avg_epu16(here, next), quarter = _mm256_avg_epu16(here, half), rest = _mm256_avg_epu16(half, next);
    __m256i low = product(_mm256_unpacklo_epi8(eight, zero), _mm256_unpacklo_epi64(here, quarter));
    __m256i high = product(_mm256_unpackhi_epi8(eight, zero), _mm256_unpacklo_epi64(half, rest));
    __m256i *to = (__m256i *)(void *)color;
    _mm256_storeu_si256(to, _mm256_adds_epu8(_mm256_loadu_si256(to), _mm256_packus_epi16(low, high)));
}

#include "render/soft/soft_glow_wide_internal.h"
