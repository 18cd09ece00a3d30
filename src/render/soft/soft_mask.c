/* render/soft/soft_mask.c -- the smallest model triangles by tables: which of 5 by 5 pixels each covers.
 *
 * Corners are snapped to pixels. For every triangle whose corners lie within 5 by 5 of them a table has the pixels that
 * it covers, a bit each, so nothing walks along edges. A pixel on an edge belongs to the triangle for which the edge is a
 * left or upper one; neighbours never draw a pixel twice, nor leave one out. */
#include "render/soft/soft_model_internal.h"

enum { SIDE = 5, PLACES = SIDE * SIDE };

static int side_of(int ax, int ay, int bx, int by, int x, int y) { return (bx - ax) * (y - ay) - (by - ay) * (x - ax); }

static bool covers(const int x[3], const int y[3], int px, int py) {
    for (int i = 0; i < 3; i++) {
        int k = (i + 1) % 3, side = side_of(x[i], y[i], x[k], y[k], px, py);
        bool leads = y[k] < y[i] || (y[k] == y[i] && x[k] > x[i]);
        if (side < 0 || (side == 0 && !leads))
            return false;
    }
    return true;
}

void soft_masks_make(uint32_t masks[15625]) {
    for (int i = 0; i < PLACES * PLACES * PLACES; i++) {
        int corner[3] = { i / (PLACES * PLACES), i / PLACES % PLACES, i % PLACES };
        int x[3] = { corner[0] % SIDE, corner[1] % SIDE, corner[2] % SIDE }, y[3] = { corner[0] / SIDE, corner[1] / SIDE, corner[2] / SIDE };
        masks[i] = 0;
        if (side_of(x[0], y[0], x[1], y[1], x[2], y[2]) <= 0)
            continue;
        for (int p = 0; p < PLACES; p++)
            if (covers(x, y, p % SIDE, p / SIDE))
                masks[i] |= 1u << p;
    }
}

static const float one_over[17] = { 0, 1, 1 / 2.0f, 1 / 3.0f, 1 / 4.0f, 1 / 5.0f, 1 / 6.0f, 1 / 7.0f, 1 / 8.0f, 1 / 9.0f, 1 / 10.0f,
                                    1 / 11.0f, 1 / 12.0f, 1 / 13.0f, 1 / 14.0f, 1 / 15.0f, 1 / 16.0f };

/* A value at the first corner and its steps to the next pixel and row. */
typedef struct Steps { __m128 at, x, y; } Steps;

static Steps steps_of(__m128 a, __m128 b, __m128 c, const int x[3], const int y[3], float inverse) {
    __m128 first = _mm_sub_ps(b, a), second = _mm_sub_ps(c, a);
    __m128 x1 = _mm_set1_ps((float)(x[1] - x[0]) * inverse), x2 = _mm_set1_ps((float)(x[2] - x[0]) * inverse);
    __m128 y1 = _mm_set1_ps((float)(y[1] - y[0]) * inverse), y2 = _mm_set1_ps((float)(y[2] - y[0]) * inverse);
    return (Steps){ a, _mm_sub_ps(_mm_mul_ps(first, y2), _mm_mul_ps(second, y1)), _mm_sub_ps(_mm_mul_ps(second, x1), _mm_mul_ps(first, x2)) };
}

SOFT_INLINE __m128 value_at(const Steps *steps, int x, int y) {
    return _mm_add_ps(steps->at, _mm_add_ps(_mm_mul_ps(steps->x, _mm_set1_ps((float)x)), _mm_mul_ps(steps->y, _mm_set1_ps((float)y))));
}

static void put_pixels(const SoftRaster *raster, uint32_t mask, int left, int top, const Steps *at, const Steps *light, const int origin[2], const SoftMip *mip, int level) {
    uint32_t half = raster->bilinear ? 0x8000 : 0;
    for (; mask; mask &= mask - 1) {
        int place = __builtin_ctz(mask), x = left + place % SIDE, y = top + place / SIDE;
        if (y < raster->y0 || y >= raster->y1)
            continue;
        size_t pixel = (size_t)(y - raster->y0) * (size_t)raster->pitch + (size_t)x;
        __m128 value = value_at(at, x - origin[0], y - origin[1]);
        float z = _mm_cvtss_f32(_mm_shuffle_ps(value, value, 2));
        if (!soft_meets(raster, z, raster->depth[pixel], raster->plain))
            continue;
        if (raster->style > MODEL_TEXTURE) {
            soft_put(raster, pixel, soft_flat_pixel(raster, z, level), z, false);
            continue;
        }
        __m128i whole = _mm_cvtps_epi32(value);
        uint32_t u = (uint32_t)_mm_cvtsi128_si32(whole) - half, v = (uint32_t)_mm_cvtsi128_si32(_mm_shuffle_epi32(whole, 1)) - half;
        if (raster->clamped) {
            u = soft_clamped(u, mip->column_mask);
            v = soft_clamped(v, mip->row_mask);
        }
        __m128i lit = soft_light16(_mm_cvtps_epi32(value_at(light, x - origin[0], y - origin[1])));
        soft_put(raster, pixel, soft_pixel16(soft_texel16(mip, (int32_t)u, (int32_t)v, raster->bilinear), lit, raster->style, raster->bright), z, raster->plain);
    }
}

bool soft_triangle_mask(const SoftRaster *raster, const SoftVertex *a, const SoftVertex *b, const SoftVertex *c) {
    int x[3] = { a->x >> SUBPIXEL_BITS, b->x >> SUBPIXEL_BITS, c->x >> SUBPIXEL_BITS };
    int y[3] = { a->y >> SUBPIXEL_BITS, b->y >> SUBPIXEL_BITS, c->y >> SUBPIXEL_BITS };
    int left = MIN(x[0], MIN(x[1], x[2])), top = MIN(y[0], MIN(y[1], y[2]));
    int wide = MAX(x[0], MAX(x[1], x[2])) - left, high = MAX(y[0], MAX(y[1], y[2])) - top;
    if (wide >= SIDE || high >= SIDE)
        return false;
    if (top >= raster->y0 && top < raster->y1)
        raster->triangles[DRAWER_MASK]++;
    if (top + high < raster->y0 || top >= raster->y1)
        return true;
    int corner[3];
    for (int i = 0; i < 3; i++)
        corner[i] = (y[i] - top) * SIDE + x[i] - left;
    uint32_t mask = raster->masks[(corner[0] * PLACES + corner[1]) * PLACES + corner[2]];
    if (!mask)
        return true;
    float inverse = one_over[side_of(x[0], y[0], x[1], y[1], x[2], y[2])];
    int level = soft_model_level(raster, a, b, c);
    const SoftMip *mip = &raster->texture->mip[level];
    float less_u = raster->clamped ? 0 : (float)(int)CLAMP(a->at[0], -1e6f, 1e6f), less_v = raster->clamped ? 0 : (float)(int)CLAMP(a->at[1], -1e6f, 1e6f);
    __m128 less = _mm_setr_ps(less_u, less_v, 0, 0), fixed = _mm_set1_ps(65536.0f);
    __m128 scale = _mm_setr_ps((float)(mip->column_mask + 1) * 65536.0f, (float)(mip->row_mask + 1) * 65536.0f, 1, 1);
    Steps at = steps_of(_mm_mul_ps(_mm_sub_ps(_mm_load_ps(a->at), less), scale), _mm_mul_ps(_mm_sub_ps(_mm_load_ps(b->at), less), scale),
                        _mm_mul_ps(_mm_sub_ps(_mm_load_ps(c->at), less), scale), x, y, inverse);
    Steps light = steps_of(_mm_mul_ps(_mm_load_ps(a->light), fixed), _mm_mul_ps(_mm_load_ps(b->light), fixed), _mm_mul_ps(_mm_load_ps(c->light), fixed), x, y, inverse);
    put_pixels(raster, mask, left, top, &at, &light, (int[]){ x[0], y[0] }, mip, level);
    return true;
}
