/* render/soft/soft_four_internal.h -- places on the screen, four at a time. */
#ifndef LEAFWALK_RENDER_SOFT_FOUR_INTERNAL_H
#define LEAFWALK_RENDER_SOFT_FOUR_INTERNAL_H

#include <emmintrin.h>

#include "render/soft/soft_internal.h"

/* As soft_pixel_after, of four places. */
static inline __m128i pixels_after(__m128d first, __m128d second, int limit) {
    __m128d half = _mm_set1_pd(0.5), zero = _mm_setzero_pd(), most = _mm_set1_pd(limit);
    __m128d a = _mm_min_pd(_mm_max_pd(_mm_sub_pd(first, half), zero), most), b = _mm_min_pd(_mm_max_pd(_mm_sub_pd(second, half), zero), most);
    __m128i whole_a = _mm_cvttpd_epi32(a), whole_b = _mm_cvttpd_epi32(b);
    __m128 more_a = _mm_castpd_ps(_mm_cmpgt_pd(a, _mm_cvtepi32_pd(whole_a))), more_b = _mm_castpd_ps(_mm_cmpgt_pd(b, _mm_cvtepi32_pd(whole_b)));
    return _mm_sub_epi32(_mm_unpacklo_epi64(whole_a, whole_b), _mm_castps_si128(_mm_shuffle_ps(more_a, more_b, 0x88)));    /* a true one is -1 */
}

#endif
