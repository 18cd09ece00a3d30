/* app/bench_limit_avx2.c -- the limit loop, eight pixels at a time, with gathers. */
#include "app/bench_limit.h"

#if defined(__AVX2__)
#include <immintrin.h>

/* 16-bit products of bytes, halved as in the plain loop; packing clamps them to 255. */
static __m256i product(__m256i texels, __m256i lights) {
    const __m256i zero = _mm256_setzero_si256();
    __m256i low = _mm256_mullo_epi16(_mm256_unpacklo_epi8(texels, zero), _mm256_unpacklo_epi8(lights, zero));
    __m256i high = _mm256_mullo_epi16(_mm256_unpackhi_epi8(texels, zero), _mm256_unpackhi_epi8(lights, zero));
    return _mm256_packus_epi16(_mm256_srli_epi16(low, 7), _mm256_srli_epi16(high, 7));
}

void limit_row_avx2(uint32_t *out, int width, const uint32_t *texture, const uint32_t *light, uint32_t u, uint32_t v) {
    const __m256i pixel = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    const __m256i texture_mask = _mm256_set1_epi32(LIMIT_TEXTURE - 1), light_mask = _mm256_set1_epi32(LIMIT_LIGHT - 1);
    __m256i us = _mm256_add_epi32(_mm256_set1_epi32((int)u), _mm256_slli_epi32(pixel, 16));
    __m256i vs = _mm256_add_epi32(_mm256_set1_epi32((int)v), _mm256_slli_epi32(pixel, 14));
    int x = 0;
    for (; x + 8 <= width; x += 8) {
        __m256i texel = _mm256_or_si256(_mm256_slli_epi32(_mm256_and_si256(_mm256_srli_epi32(vs, 16), texture_mask), 8),
                                        _mm256_and_si256(_mm256_srli_epi32(us, 16), texture_mask));
        __m256i luxel = _mm256_or_si256(_mm256_slli_epi32(_mm256_and_si256(_mm256_srli_epi32(vs, 20), light_mask), 7),
                                        _mm256_and_si256(_mm256_srli_epi32(us, 20), light_mask));
        __m256i texels = _mm256_i32gather_epi32((const int *)texture, texel, 4);
        __m256i lights = _mm256_i32gather_epi32((const int *)light, luxel, 4);
        _mm256_storeu_si256((__m256i *)(out + x), product(texels, lights));
        us = _mm256_add_epi32(us, _mm256_set1_epi32(8 << 16));
        vs = _mm256_add_epi32(vs, _mm256_set1_epi32(8 << 14));
    }
    limit_row_plain(out + x, width - x, texture, light, u + ((uint32_t)x << 16), v + ((uint32_t)x << 14));
}

#else    /* another processor: never chosen, see limit_has_avx2 */

void limit_row_avx2(uint32_t *out, int width, const uint32_t *texture, const uint32_t *light, uint32_t u, uint32_t v) {
    limit_row_plain(out, width, texture, light, u, v);
}

#endif
