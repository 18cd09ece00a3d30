/* render/soft/soft_row_sse2.c -- rows, 4 pixels at a time, on any x86-64. */
#include <emmintrin.h>

#include "render/soft/soft_four_internal.h"

enum { WIDE = 4 };
#define WIDE_ROWS      soft_rows_sse2
#define WIDE_LIGHT_ROW soft_light_row_sse2
#define WIDE_COVER     soft_cover_rows_sse2
#define WIDE_COLUMNS   soft_cover_columns_sse2

typedef __m128i V;
typedef __m128 F;
typedef struct D4 { __m128d low, high; } D4;

#define OP static inline __attribute__((always_inline))

OP V v_set(int x) { return _mm_set1_epi32(x); }
OP V v_add(V a, V b) { return _mm_add_epi32(a, b); }
OP V v_add_bytes(V a, V b) { return _mm_adds_epu8(a, b); }    /* no more than 255 */
OP V v_sub(V a, V b) { return _mm_sub_epi32(a, b); }
OP V v_and(V a, V b) { return _mm_and_si128(a, b); }
OP V v_or(V a, V b) { return _mm_or_si128(a, b); }
OP V v_not(V a) { return _mm_xor_si128(a, _mm_set1_epi32(-1)); }
OP V v_left(V a, int by) { return _mm_slli_epi32(a, by); }
OP V v_right(V a, int by) { return _mm_srli_epi32(a, by); }
OP V v_right_signed(V a, int by) { return _mm_srai_epi32(a, by); }
OP V v_left_by(V a, int by) { return _mm_sll_epi32(a, _mm_cvtsi32_si128(by)); }
OP V v_right_by(V a, int by) { return _mm_sra_epi32(a, _mm_cvtsi32_si128(by)); }
OP V v_less(V a, V b) { return _mm_cmpgt_epi32(b, a); }
OP V v_choose(V mask, V a, V b) { return _mm_or_si128(_mm_and_si128(mask, a), _mm_andnot_si128(mask, b)); }
OP V v_clamp(V a, V last) {
    a = _mm_andnot_si128(_mm_srai_epi32(a, 31), a);
    return v_choose(v_less(last, a), last, a);
}
OP V v_load(const uint32_t *at) { return _mm_load_si128((const __m128i *)(const void *)at); }
OP void v_store(uint32_t *at, V a) { _mm_store_si128((__m128i *)(void *)at, a); }
OP void v_store_anywhere(uint32_t *at, V a) { _mm_storeu_si128((__m128i *)(void *)at, a); }
OP bool v_any(V mask) { return _mm_movemask_epi8(mask) != 0; }
OP V v_mul_index(int step) {
    V by = _mm_set1_epi32(step), odd = _mm_and_si128(by, _mm_setr_epi32(0, -1, 0, -1)), upper = _mm_and_si128(_mm_slli_epi32(by, 1), _mm_setr_epi32(0, 0, -1, -1));
    return _mm_add_epi32(odd, upper);
}
OP V v_between(int x, int low, int high) {
    V at = v_add(v_set(x), _mm_setr_epi32(0, 1, 2, 3));
    return _mm_andnot_si128(v_less(at, v_set(low)), v_less(at, v_set(high)));
}
OP V v_bits(V bits, int first) {    /* those of bits first .. first + 3 that are set */
    V bit = _mm_sll_epi32(_mm_setr_epi32(1, 2, 4, 8), _mm_cvtsi32_si128(first));
    return _mm_cmpeq_epi32(_mm_and_si128(bits, bit), bit);
}
typedef struct Places { uint32_t at[4]; } Places;
OP Places places(V at) {
    Places out;
    _mm_storeu_si128((__m128i *)(void *)out.at, at);
    return out;
}
OP V v_gather(const uint32_t *from, V at) {
    Places p = places(at);
    return _mm_setr_epi32((int)from[p.at[0]], (int)from[p.at[1]], (int)from[p.at[2]], (int)from[p.at[3]]);
}
OP V pair_at(const uint32_t *from, uint32_t at) { return _mm_loadl_epi64((const __m128i *)(const void *)(from + at)); }
OP void v_gather_pairs(const uint32_t *from, V at, V *left, V *right) {
    Places p = places(at);
    V low = _mm_unpacklo_epi32(pair_at(from, p.at[0]), pair_at(from, p.at[1]));
    V high = _mm_unpacklo_epi32(pair_at(from, p.at[2]), pair_at(from, p.at[3]));
    *left = _mm_unpacklo_epi64(low, high);
    *right = _mm_unpackhi_epi64(low, high);
}

OP V h_set(int x) { return _mm_set1_epi16((short)x); }
OP V h_mul(V a, V b) { return _mm_mullo_epi16(a, b); }
OP V h_mul_high(V a, V b) { return _mm_mulhi_epu16(a, b); }
OP V h_add_full(V a, V b) { return _mm_adds_epu16(a, b); }
OP V h_add(V a, V b) { return _mm_add_epi16(a, b); }
OP V h_sub(V a, V b) { return _mm_sub_epi16(a, b); }
OP V h_right(V a, int by) { return _mm_srli_epi16(a, by); }
OP V h_min(V a, V b) { return _mm_min_epi16(a, b); }
OP V h_max(V a, V b) { return _mm_max_epi16(a, b); }
OP V h_tops(V low, V high) { return _mm_or_si128(_mm_srli_epi32(low, 16), _mm_and_si128(high, _mm_set1_epi32((int)0xffff0000u))); }    /* the upper halves of both */
OP V h_mul_pairs(V a, V b) { return _mm_madd_epi16(a, b); }
OP V h_part(V part) { return part; }
OP V h_mix(V a, V b, V part) {    /* bytes; part: 1/256 */
    V sum = _mm_add_epi16(_mm_slli_epi16(a, 8), _mm_mullo_epi16(_mm_sub_epi16(b, a), part));
    return _mm_srli_epi16(_mm_add_epi16(sum, h_set(128)), 8);
}

OP F f_set(float x) { return _mm_set1_ps(x); }
OP F f_add(F a, F b) { return _mm_add_ps(a, b); }
OP F f_mul(F a, F b) { return _mm_mul_ps(a, b); }
OP F f_load(const float *at) { return _mm_load_ps(at); }
OP void f_store(float *at, F a) { _mm_store_ps(at, a); }
OP F f_choose(V mask, F a, F b) { return _mm_castsi128_ps(v_choose(mask, _mm_castps_si128(a), _mm_castps_si128(b))); }
OP V f_greater(F a, F b) { return _mm_castps_si128(_mm_cmpgt_ps(a, b)); }
OP V f_not_less(F a, F b) { return _mm_castps_si128(_mm_cmpge_ps(a, b)); }
OP V f_equal(F a, F b) { return _mm_castps_si128(_mm_cmpeq_ps(a, b)); }
OP F f_from(V a) { return _mm_cvtepi32_ps(a); }
OP V v_whole(F a) { return _mm_cvttps_epi32(a); }
OP F f_root(F a) { return _mm_sqrt_ps(a); }
OP F f_under(F a, F b) { return _mm_min_ps(a, b); }    /* a < b ? a : b */
OP F f_over(F a, F b) { return _mm_max_ps(a, b); }     /* a > b ? a : b */
OP F f_index(int first) { return _mm_add_ps(f_set((float)first), _mm_setr_ps(0, 1, 2, 3)); }

OP D4 d_set(double x) { return (D4){ _mm_set1_pd(x), _mm_set1_pd(x) }; }
OP D4 d_four(double a, double b, double c, double d) { return (D4){ _mm_setr_pd(a, b), _mm_setr_pd(c, d) }; }
OP D4 d_two(double a, double b) { return (D4){ _mm_set1_pd(a), _mm_set1_pd(b) }; }
OP D4 d_abs(D4 a) { return (D4){ _mm_andnot_pd(_mm_set1_pd(-0.0), a.low), _mm_andnot_pd(_mm_set1_pd(-0.0), a.high) }; }
OP D4 d_max(D4 a, D4 b) { return (D4){ _mm_max_pd(a.low, b.low), _mm_max_pd(a.high, b.high) }; }    /* a > b ? a : b */
OP D4 d_min(D4 a, D4 b) { return (D4){ _mm_min_pd(a.low, b.low), _mm_min_pd(a.high, b.high) }; }    /* a < b ? a : b */
OP D4 d_less(D4 a, D4 b) { return (D4){ _mm_cmplt_pd(a.low, b.low), _mm_cmplt_pd(a.high, b.high) }; }
OP D4 d_not_more(D4 a, D4 b) { return (D4){ _mm_cmple_pd(a.low, b.low), _mm_cmple_pd(a.high, b.high) }; }
OP int d_both(D4 a, D4 b) { return _mm_movemask_pd(_mm_and_pd(a.low, b.low)) | _mm_movemask_pd(_mm_and_pd(a.high, b.high)) << 2; }    /* a bit each */
OP void d_floats(float *out, D4 a) { _mm_storeu_ps(out, _mm_movelh_ps(_mm_cvtpd_ps(a.low), _mm_cvtpd_ps(a.high))); }
OP D4 d_add(D4 a, D4 b) { return (D4){ _mm_add_pd(a.low, b.low), _mm_add_pd(a.high, b.high) }; }
OP D4 d_sub(D4 a, D4 b) { return (D4){ _mm_sub_pd(a.low, b.low), _mm_sub_pd(a.high, b.high) }; }
OP D4 d_mul(D4 a, D4 b) { return (D4){ _mm_mul_pd(a.low, b.low), _mm_mul_pd(a.high, b.high) }; }
OP D4 d_divide(D4 a, D4 b) { return (D4){ _mm_div_pd(a.low, b.low), _mm_div_pd(a.high, b.high) }; }
OP D4 d_index(int x) { return (D4){ _mm_setr_pd(x, x + 1), _mm_setr_pd(x + 2, x + 3) }; }
OP D4 d_load(const double *at) { return (D4){ _mm_loadu_pd(at), _mm_loadu_pd(at + 2) }; }
OP void d_store(double *at, D4 a) {
    _mm_storeu_pd(at, a.low);
    _mm_storeu_pd(at + 2, a.high);
}
/* As `whole` of soft_cell.c: the low halves once 1.5 * 2^52 was added. */
OP __m128i four_wholes(D4 a) {
    __m128d unit = _mm_set1_pd(6755399441055744.0);
    return _mm_castps_si128(_mm_shuffle_ps(_mm_castpd_ps(_mm_add_pd(a.low, unit)), _mm_castpd_ps(_mm_add_pd(a.high, unit)), 0x88));
}
OP void d_whole(int *out, D4 a) {
    _mm_storeu_si128((__m128i *)(void *)out, four_wholes(a));
}
/* Eight rows' whole first numbers, and steps to the last ones in 16. */
OP void d_steps(const D4 first[2], const D4 last[2], uint32_t *start, uint32_t *step) {
    for (int i = 0; i < 2; i++) {
        __m128i begin = four_wholes(first[i]);
        v_store(start + i * 4, begin);
        v_store(step + i * 4, _mm_srai_epi32(_mm_sub_epi32(four_wholes(last[i]), begin), 4));
    }
}
/* Two lanes that go from one end to the other in 1 << shift even steps: numbers 0 and 4 of both. */
typedef struct Ramps { int32_t start[8], step[8]; } __attribute__((aligned(32))) Ramps;
OP void ramps_make(Ramps *out, D4 ends, int shift) {
    for (int i = 0; i < 2; i++) {
        __m128i whole = _mm_castpd_si128(_mm_add_pd(i ? ends.high : ends.low, _mm_set1_pd(6755399441055744.0)));    /* numbers 0 and 2 */
        _mm_store_si128((__m128i *)(void *)(out->start + i * 4), whole);
        _mm_store_si128((__m128i *)(void *)(out->step + i * 4), _mm_srai_epi32(_mm_sub_epi32(_mm_shuffle_epi32(whole, 2), whole), shift));
    }
}

/* Numbers of eight rows. */
typedef struct E { __m128i half[2]; } E;
#define EIGHT(a, b, four) ((E){ { four((a).half[0], (b).half[0]), four((a).half[1], (b).half[1]) } })
OP __m128i four_min(__m128i a, __m128i b) { return v_choose(v_less(b, a), b, a); }
OP __m128i four_max(__m128i a, __m128i b) { return v_choose(v_less(a, b), b, a); }
OP E e_set(int x) { return (E){ { v_set(x), v_set(x) } }; }
OP E e_index(int first) { return (E){ { v_add(v_set(first), v_mul_index(1)), v_add(v_set(first + 4), v_mul_index(1)) } }; }
OP E e_min(E a, E b) { return EIGHT(a, b, four_min); }
OP E e_max(E a, E b) { return EIGHT(a, b, four_max); }
OP E e_less(E a, E b) { return EIGHT(a, b, v_less); }
OP E e_and(E a, E b) { return EIGHT(a, b, v_and); }
OP E e_choose(E mask, E a, E b) { return (E){ { v_choose(mask.half[0], a.half[0], b.half[0]), v_choose(mask.half[1], a.half[1], b.half[1]) } }; }
OP void e_store(int *at, E a) {
    _mm_storeu_si128((__m128i *)(void *)at, a.half[0]);
    _mm_storeu_si128((__m128i *)(void *)(at + 4), a.half[1]);
}
OP E e_pixels_after(const D4 place[2], int limit) {
    return (E){ { pixels_after(place[0].low, place[0].high, limit), pixels_after(place[1].low, place[1].high, limit) } };
}

/* Bits of 64 pixels from x on, of eight rows: those between left and right. */
OP uint64_t bits_from(int first) { return first <= 0 ? ~(uint64_t)0 : first >= 64 ? 0 : ~(uint64_t)0 << first; }
OP void eight_between(const int *left, const int *right, int x, uint64_t out[8]) {
    for (int i = 0; i < 8; i++)
        out[i] = bits_from(left[i] - x) & ~bits_from(right[i] - x);
}
OP int bits_of(const uint64_t eight[8]) {    /* sums of ever more bits, side by side */
    __m128i sum = _mm_setzero_si128(), ones = _mm_set1_epi8(0x55), twos = _mm_set1_epi8(0x33), fours = _mm_set1_epi8(0x0f);
    for (int i = 0; i < 8; i += 2) {
        __m128i at = _mm_loadu_si128((const __m128i *)(const void *)(eight + i));
        at = _mm_sub_epi8(at, _mm_and_si128(_mm_srli_epi16(at, 1), ones));
        at = _mm_add_epi8(_mm_and_si128(at, twos), _mm_and_si128(_mm_srli_epi16(at, 2), twos));
        at = _mm_and_si128(_mm_add_epi8(at, _mm_srli_epi16(at, 4)), fours);
        sum = _mm_add_epi64(sum, _mm_sad_epu8(at, _mm_setzero_si128()));
    }
    return _mm_cvtsi128_si32(sum) + _mm_cvtsi128_si32(_mm_srli_si128(sum, 8));
}

#include "render/soft/soft_row_internal.h"

void soft_store_pixels(uint32_t *to, const uint32_t *from, size_t count) {
    for (size_t i = 0; i < count; i += WIDE)
        _mm_stream_si128((__m128i *)(void *)(to + i), v_load(from + i));
    _mm_sfence();    /* other threads see them with what comes after */
}
