/* render/soft/soft_row_avx2.c -- rows, 8 pixels at a time. Entered only where the processor has AVX2. */
#include <immintrin.h>

#include "render/soft/soft_internal.h"

enum { WIDE = 8 };
#define WIDE_ROWS      soft_rows_avx2
#define WIDE_LIGHT_ROW soft_light_row_avx2
#define WIDE_COVER     soft_cover_rows_avx2
#define WIDE_COLUMNS   soft_cover_columns_avx2

typedef __m256i V;
typedef __m256 F;
typedef __m256d D4;

#define OP static inline __attribute__((always_inline))

OP V v_set(int x) { return _mm256_set1_epi32(x); }
OP V v_add(V a, V b) { return _mm256_add_epi32(a, b); }
OP V v_add_bytes(V a, V b) { return _mm256_adds_epu8(a, b); }    /* no more than 255 */
OP V v_sub(V a, V b) { return _mm256_sub_epi32(a, b); }
OP V v_and(V a, V b) { return _mm256_and_si256(a, b); }
OP V v_or(V a, V b) { return _mm256_or_si256(a, b); }
OP V v_not(V a) { return _mm256_xor_si256(a, _mm256_set1_epi32(-1)); }
OP V v_left(V a, int by) { return _mm256_slli_epi32(a, by); }
OP V v_right(V a, int by) { return _mm256_srli_epi32(a, by); }
OP V v_right_signed(V a, int by) { return _mm256_srai_epi32(a, by); }
OP V v_left_by(V a, int by) { return _mm256_sll_epi32(a, _mm_cvtsi32_si128(by)); }
OP V v_right_by(V a, int by) { return _mm256_sra_epi32(a, _mm_cvtsi32_si128(by)); }
OP V v_less(V a, V b) { return _mm256_cmpgt_epi32(b, a); }
OP V v_clamp(V a, V last) { return _mm256_min_epi32(_mm256_max_epi32(a, _mm256_setzero_si256()), last); }
OP V v_load(const uint32_t *at) { return _mm256_load_si256((const __m256i *)at); }
OP void v_store(uint32_t *at, V a) { _mm256_store_si256((__m256i *)at, a); }
OP void v_store_anywhere(uint32_t *at, V a) { _mm256_storeu_si256((__m256i *)at, a); }
OP V v_choose(V mask, V a, V b) { return _mm256_blendv_epi8(b, a, mask); }
OP bool v_any(V mask) { return !_mm256_testz_si256(mask, mask); }
OP V v_index(void) { return _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7); }
OP V v_mul_index(int step) { return _mm256_mullo_epi32(v_set(step), v_index()); }
OP V v_between(int x, int low, int high) {    /* of pixels x .. x + 7 those not before low and before high */
    V at = v_add(v_set(x), v_index());
    return _mm256_andnot_si256(v_less(at, v_set(low)), v_less(at, v_set(high)));
}
OP V v_bits(V bits, int first) {    /* those of bits first .. first + 7 that are set */
    V bit = _mm256_sll_epi32(_mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128), _mm_cvtsi32_si128(first));
    return _mm256_cmpeq_epi32(_mm256_and_si256(bits, bit), bit);
}
typedef struct Places { uint64_t at[4]; } Places;    /* two places each */
OP Places places(V at) {
    __m128i low = _mm256_castsi256_si128(at), high = _mm256_extracti128_si256(at, 1);
    return (Places){ { (uint64_t)_mm_cvtsi128_si64(low), (uint64_t)_mm_extract_epi64(low, 1), (uint64_t)_mm_cvtsi128_si64(high), (uint64_t)_mm_extract_epi64(high, 1) } };
}
OP __m128i four_at(const uint32_t *from, uint64_t a, uint64_t b) {
    __m128i out = _mm_cvtsi32_si128((int)from[(uint32_t)a]);
    out = _mm_insert_epi32(out, (int)from[a >> 32], 1);
    out = _mm_insert_epi32(out, (int)from[(uint32_t)b], 2);
    return _mm_insert_epi32(out, (int)from[b >> 32], 3);
}
OP V v_gather(const uint32_t *from, V at) {
    Places p = places(at);
    return _mm256_inserti128_si256(_mm256_castsi128_si256(four_at(from, p.at[0], p.at[1])), four_at(from, p.at[2], p.at[3]), 1);
}
OP __m128i pairs_at(const uint32_t *from, uint64_t places) {
    const __m128i low = _mm_loadl_epi64((const __m128i *)(const void *)(from + (uint32_t)places));
    return _mm_castpd_si128(_mm_loadh_pd(_mm_castsi128_pd(low), (const double *)(const void *)(from + (places >> 32))));
}
/* Texels side by side are one load of 8 bytes: pixels 0 1 4 5 and 2 3 6 7, which the shuffles put in order. */
OP void v_gather_pairs(const uint32_t *from, V at, V *left, V *right) {
    Places p = places(at);
    __m256i low = _mm256_inserti128_si256(_mm256_castsi128_si256(pairs_at(from, p.at[0])), pairs_at(from, p.at[2]), 1);
    __m256i high = _mm256_inserti128_si256(_mm256_castsi128_si256(pairs_at(from, p.at[1])), pairs_at(from, p.at[3]), 1);
    *left = _mm256_castps_si256(_mm256_shuffle_ps(_mm256_castsi256_ps(low), _mm256_castsi256_ps(high), 0x88));
    *right = _mm256_castps_si256(_mm256_shuffle_ps(_mm256_castsi256_ps(low), _mm256_castsi256_ps(high), 0xdd));
}

OP V h_set(int x) { return _mm256_set1_epi16((short)x); }
OP V h_mul(V a, V b) { return _mm256_mullo_epi16(a, b); }
OP V h_mul_high(V a, V b) { return _mm256_mulhi_epu16(a, b); }
OP V h_add_full(V a, V b) { return _mm256_adds_epu16(a, b); }
OP V h_add(V a, V b) { return _mm256_add_epi16(a, b); }
OP V h_sub(V a, V b) { return _mm256_sub_epi16(a, b); }
OP V h_right(V a, int by) { return _mm256_srli_epi16(a, by); }
OP V h_min(V a, V b) { return _mm256_min_epi16(a, b); }
OP V h_max(V a, V b) { return _mm256_max_epi16(a, b); }
OP V h_tops(V low, V high) { return _mm256_blend_epi16(_mm256_srli_epi32(low, 16), high, 0xaa); }    /* the upper halves of both */
OP V h_mul_pairs(V a, V b) { return _mm256_madd_epi16(a, b); }
OP V h_part(V part) { return _mm256_slli_epi16(part, 7); }
OP V h_mix(V a, V b, V part) { return _mm256_add_epi16(a, _mm256_mulhrs_epi16(_mm256_sub_epi16(b, a), part)); }    /* bytes; part: 1/32768 */

OP F f_set(float x) { return _mm256_set1_ps(x); }
OP F f_add(F a, F b) { return _mm256_add_ps(a, b); }
OP F f_mul(F a, F b) { return _mm256_mul_ps(a, b); }
OP F f_load(const float *at) { return _mm256_load_ps(at); }
OP void f_store(float *at, F a) { _mm256_store_ps(at, a); }
OP F f_choose(V mask, F a, F b) { return _mm256_blendv_ps(b, a, _mm256_castsi256_ps(mask)); }
OP V f_greater(F a, F b) { return _mm256_castps_si256(_mm256_cmp_ps(a, b, _CMP_GT_OQ)); }
OP V f_not_less(F a, F b) { return _mm256_castps_si256(_mm256_cmp_ps(a, b, _CMP_GE_OQ)); }
OP V f_equal(F a, F b) { return _mm256_castps_si256(_mm256_cmp_ps(a, b, _CMP_EQ_OQ)); }
OP F f_from(V a) { return _mm256_cvtepi32_ps(a); }
OP V v_whole(F a) { return _mm256_cvttps_epi32(a); }
OP F f_root(F a) { return _mm256_sqrt_ps(a); }
OP F f_under(F a, F b) { return _mm256_min_ps(a, b); }    /* a < b ? a : b */
OP F f_over(F a, F b) { return _mm256_max_ps(a, b); }     /* a > b ? a : b */
OP F f_index(int first) { return _mm256_add_ps(f_set((float)first), _mm256_setr_ps(0, 1, 2, 3, 4, 5, 6, 7)); }

OP D4 d_set(double x) { return _mm256_set1_pd(x); }
OP D4 d_four(double a, double b, double c, double d) { return _mm256_setr_pd(a, b, c, d); }
OP D4 d_two(double a, double b) { return _mm256_setr_pd(a, a, b, b); }
OP D4 d_abs(D4 a) { return _mm256_andnot_pd(_mm256_set1_pd(-0.0), a); }
OP D4 d_max(D4 a, D4 b) { return _mm256_max_pd(a, b); }    /* a > b ? a : b */
OP D4 d_min(D4 a, D4 b) { return _mm256_min_pd(a, b); }    /* a < b ? a : b */
OP D4 d_less(D4 a, D4 b) { return _mm256_cmp_pd(a, b, _CMP_LT_OQ); }
OP D4 d_not_more(D4 a, D4 b) { return _mm256_cmp_pd(a, b, _CMP_LE_OQ); }
OP int d_both(D4 a, D4 b) { return _mm256_movemask_pd(_mm256_and_pd(a, b)); }    /* a bit each */
OP void d_floats(float *out, D4 a) { _mm_storeu_ps(out, _mm256_cvtpd_ps(a)); }
OP D4 d_add(D4 a, D4 b) { return _mm256_add_pd(a, b); }
OP D4 d_sub(D4 a, D4 b) { return _mm256_sub_pd(a, b); }
OP D4 d_mul(D4 a, D4 b) { return _mm256_mul_pd(a, b); }
OP D4 d_divide(D4 a, D4 b) { return _mm256_div_pd(a, b); }
OP D4 d_index(int x) { return _mm256_add_pd(_mm256_set1_pd(x), _mm256_setr_pd(0, 1, 2, 3)); }
OP D4 d_load(const double *at) { return _mm256_loadu_pd(at); }
OP void d_store(double *at, D4 a) { _mm256_storeu_pd(at, a); }
OP void d_whole(int *out, D4 a) {    /* as `whole` of soft_cell.c: the low halves once 1.5 * 2^52 was added */
    __m256i bits = _mm256_castpd_si256(_mm256_add_pd(a, _mm256_set1_pd(6755399441055744.0)));
    __m256i low = _mm256_permutevar8x32_epi32(bits, _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6));
    _mm_storeu_si128((__m128i *)(void *)out, _mm256_castsi256_si128(low));
}
/* Eight rows' whole first numbers, and steps to the last ones in 16. */
OP __m256i eight_wholes(const D4 *two) {
    __m256 low = _mm256_castpd_ps(_mm256_add_pd(two[0], _mm256_set1_pd(6755399441055744.0))), high = _mm256_castpd_ps(_mm256_add_pd(two[1], _mm256_set1_pd(6755399441055744.0)));
    return _mm256_permute4x64_epi64(_mm256_castps_si256(_mm256_shuffle_ps(low, high, 0x88)), 0xd8);
}
OP void d_steps(const D4 first[2], const D4 last[2], uint32_t *start, uint32_t *step) {
    __m256i begin = eight_wholes(first);
    _mm256_store_si256((__m256i *)(void *)start, begin);
    _mm256_store_si256((__m256i *)(void *)step, _mm256_srai_epi32(_mm256_sub_epi32(eight_wholes(last), begin), 4));
}
/* Two lanes that go from one end to the other in 1 << shift even steps: numbers 0 and 4 of both. */
typedef struct Ramps { int32_t start[8], step[8]; } __attribute__((aligned(32))) Ramps;
OP void ramps_make(Ramps *out, D4 ends, int shift) {
    __m256i whole = _mm256_castpd_si256(_mm256_add_pd(ends, _mm256_set1_pd(6755399441055744.0)));    /* numbers 0 2 4 6 */
    _mm256_store_si256((__m256i *)(void *)out->start, whole);
    _mm256_store_si256((__m256i *)(void *)out->step, _mm256_srai_epi32(_mm256_sub_epi32(_mm256_shuffle_epi32(whole, 2), whole), shift));
}

/* Numbers of eight rows. */
typedef __m256i E;
OP E e_set(int x) { return _mm256_set1_epi32(x); }
OP E e_index(int first) { return v_add(v_set(first), v_index()); }
OP E e_min(E a, E b) { return _mm256_min_epi32(a, b); }
OP E e_max(E a, E b) { return _mm256_max_epi32(a, b); }
OP E e_less(E a, E b) { return v_less(a, b); }
OP E e_and(E a, E b) { return v_and(a, b); }
OP E e_choose(E mask, E a, E b) { return v_choose(mask, a, b); }
OP void e_store(int *at, E a) { _mm256_storeu_si256((__m256i *)(void *)at, a); }
OP __m128i four_after(D4 place, int limit) {
    __m256d at = _mm256_min_pd(_mm256_max_pd(_mm256_sub_pd(place, _mm256_set1_pd(0.5)), _mm256_setzero_pd()), _mm256_set1_pd(limit));
    return _mm256_cvttpd_epi32(_mm256_ceil_pd(at));
}
OP E e_pixels_after(const D4 place[2], int limit) { return _mm256_set_m128i(four_after(place[1], limit), four_after(place[0], limit)); }    /* soft_pixel_after */

/* Bits of 64 pixels from x on, of eight rows: those between left and right. */
OP void eight_between(const int *left, const int *right, int x, uint64_t out[8]) {
    __m256i none = _mm256_setzero_si256(), all = _mm256_set1_epi64x(-1), at = _mm256_set1_epi32(x);
    __m256i from = _mm256_max_epi32(_mm256_sub_epi32(_mm256_loadu_si256((const __m256i *)(const void *)left), at), none);
    __m256i to = _mm256_max_epi32(_mm256_sub_epi32(_mm256_loadu_si256((const __m256i *)(const void *)right), at), none);
    for (int i = 0; i < 2; i++) {    /* bits shifted by 64 and more are none */
        __m256i first = _mm256_cvtepi32_epi64(i ? _mm256_extracti128_si256(from, 1) : _mm256_castsi256_si128(from));
        __m256i last = _mm256_cvtepi32_epi64(i ? _mm256_extracti128_si256(to, 1) : _mm256_castsi256_si128(to));
        _mm256_storeu_si256((__m256i *)(void *)out + i, _mm256_andnot_si256(_mm256_sllv_epi64(all, last), _mm256_sllv_epi64(all, first)));
    }
}
OP int bits_of(const uint64_t eight[8]) {
    int count = 0;
    for (int i = 0; i < 8; i++)
        count += (int)_mm_popcnt_u64(eight[i]);
    return count;
}

#include "render/soft/soft_row_internal.h"
