/* render/soft/soft_triangle.c -- model triangles as rows: texture, light and 1/z step evenly over the screen.
 *
 * The fill rule is the world's: a pixel is inside when its centre is, a centre on an edge belongs to the triangle at its
 * right, or below. Corners are whole sixteenths of a pixel, so where an edge crosses a row is a fraction whose distance
 * from the next whole pixel is 1 / (16 * height) at least; doubles, less a tenth of the smallest such distance, decide
 * it exactly. */
#include "render/soft/soft_model_internal.h"

/* Values at the first corner and their steps; texture in texels of the level. */
typedef struct Slopes {
    __m128 at, at_x, at_y;           /* u v 1/z */
    __m128 light, light_x, light_y;
    float x, y;                      /* of the first corner, pixels */
    const SoftMip *mip;
    int level;
} Slopes;

static __m128 slope_x(__m128 first, __m128 second, float y1, float y2, float inverse) {
    return _mm_mul_ps(_mm_sub_ps(_mm_mul_ps(first, _mm_set1_ps(y2)), _mm_mul_ps(second, _mm_set1_ps(y1))), _mm_set1_ps(inverse));
}

static __m128 slope_y(__m128 first, __m128 second, float x1, float x2, float inverse) {
    return _mm_mul_ps(_mm_sub_ps(_mm_mul_ps(second, _mm_set1_ps(x1)), _mm_mul_ps(first, _mm_set1_ps(x2))), _mm_set1_ps(inverse));
}

static void make_slopes(const SoftRaster *raster, const SoftVertex *a, const SoftVertex *b, const SoftVertex *c, int64_t area, Slopes *out) {
    const float unit = 1.0f / SUBPIXEL;
    float x1 = (float)(b->x - a->x) * unit, y1 = (float)(b->y - a->y) * unit, x2 = (float)(c->x - a->x) * unit, y2 = (float)(c->y - a->y) * unit;
    float inverse = (SUBPIXEL * SUBPIXEL) / (float)area;
    __m128 at = _mm_load_ps(a->at), first = _mm_sub_ps(_mm_load_ps(b->at), at), second = _mm_sub_ps(_mm_load_ps(c->at), at);
    __m128 at_x = slope_x(first, second, y1, y2, inverse), at_y = slope_y(first, second, x1, x2, inverse);
    float width = (float)(1 << raster->texture->width_log), height = (float)(1 << raster->texture->height_log), ux[4], uy[4];
    _mm_storeu_ps(ux, at_x);
    _mm_storeu_ps(uy, at_y);
    float across = ux[0] * ux[0] * width * width + ux[1] * ux[1] * height * height, down = uy[0] * uy[0] * width * width + uy[1] * uy[1] * height * height;
    out->level = soft_level_of(raster->texture, across > down ? across : down);
    out->mip = &raster->texture->mip[out->level];
    float less_u = 0, less_v = 0;
    if (!raster->clamped && !(a->at[0] > -8 && a->at[0] < 8 && a->at[1] > -8 && a->at[1] < 8)) {    /* textures repeat: keep the numbers small */
        less_u = (float)(int)CLAMP(a->at[0], -1e6f, 1e6f);
        less_v = (float)(int)CLAMP(a->at[1], -1e6f, 1e6f);
    }
    __m128 scale = _mm_setr_ps((float)(out->mip->column_mask + 1) * 65536.0f, (float)(out->mip->row_mask + 1) * 65536.0f, 1, 1);
    out->at = _mm_mul_ps(_mm_sub_ps(at, _mm_setr_ps(less_u, less_v, 0, 0)), scale);
    out->at_x = _mm_mul_ps(at_x, scale);
    out->at_y = _mm_mul_ps(at_y, scale);
    __m128 light = _mm_load_ps(a->light), to_b = _mm_sub_ps(_mm_load_ps(b->light), light), to_c = _mm_sub_ps(_mm_load_ps(c->light), light);
    __m128 fixed = _mm_set1_ps(65536.0f);
    out->light = _mm_mul_ps(light, fixed);
    out->light_x = _mm_mul_ps(slope_x(to_b, to_c, y1, y2, inverse), fixed);
    out->light_y = _mm_mul_ps(slope_y(to_b, to_c, x1, x2, inverse), fixed);
    out->x = (float)a->x * unit;
    out->y = (float)a->y * unit;
}

SOFT_INLINE void fill(const SoftRaster *raster, const Slopes *slopes, int y, int x0, int x1, SoftModelStyle style, bool bilinear, bool plain) {
    __m128 over = _mm_set1_ps((float)x0 + 0.5f - slopes->x), down = _mm_set1_ps((float)y + 0.5f - slopes->y);
    __m128 at = _mm_add_ps(slopes->at, _mm_add_ps(_mm_mul_ps(slopes->at_x, over), _mm_mul_ps(slopes->at_y, down)));
    __m128i whole = _mm_cvtps_epi32(at), steps = _mm_cvtps_epi32(slopes->at_x);
    uint32_t u = (uint32_t)_mm_cvtsi128_si32(whole), v = (uint32_t)_mm_cvtsi128_si32(_mm_shuffle_epi32(whole, 1));
    uint32_t u_step = (uint32_t)_mm_cvtsi128_si32(steps), v_step = (uint32_t)_mm_cvtsi128_si32(_mm_shuffle_epi32(steps, 1));
    float z = _mm_cvtss_f32(_mm_shuffle_ps(at, at, 2)), z_step = _mm_cvtss_f32(_mm_shuffle_ps(slopes->at_x, slopes->at_x, 2));
    __m128i light = _mm_setzero_si128(), light_step = light;
    if (style <= MODEL_STAGE) {
        light = _mm_cvtps_epi32(_mm_add_ps(slopes->light, _mm_add_ps(_mm_mul_ps(slopes->light_x, over), _mm_mul_ps(slopes->light_y, down))));
        light_step = _mm_cvtps_epi32(slopes->light_x);
    }
    if (bilinear) {
        u -= 0x8000;
        v -= 0x8000;
    }
    size_t row = (size_t)(y - raster->y0) * (size_t)raster->pitch;
    for (int x = x0; x < x1; x++) {
        if (soft_meets(raster, z, raster->depth[row + (size_t)x], plain)) {
            bool edged = !plain && raster->clamped;
            uint32_t at_u = edged ? soft_clamped(u, slopes->mip->column_mask) : u, at_v = edged ? soft_clamped(v, slopes->mip->row_mask) : v;
            __m128i texel = soft_texel16(slopes->mip, (int32_t)at_u, (int32_t)at_v, bilinear);
            soft_put(raster, row + (size_t)x, soft_pixel16(texel, soft_light16(light), style, raster->bright), z, plain);
        }
        u += u_step;
        v += v_step;
        z += z_step;
        light = _mm_add_epi32(light, light_step);
    }
}

static void fill_flat(const SoftRaster *raster, const Slopes *slopes, int y, int x0, int x1) {
    __m128 over = _mm_set1_ps((float)x0 + 0.5f - slopes->x), down = _mm_set1_ps((float)y + 0.5f - slopes->y);
    __m128 at = _mm_add_ps(slopes->at, _mm_add_ps(_mm_mul_ps(slopes->at_x, over), _mm_mul_ps(slopes->at_y, down)));
    float z = _mm_cvtss_f32(_mm_shuffle_ps(at, at, 2)), z_step = _mm_cvtss_f32(_mm_shuffle_ps(slopes->at_x, slopes->at_x, 2));
    size_t row = (size_t)(y - raster->y0) * (size_t)raster->pitch;
    for (int x = x0; x < x1; x++, z += z_step)
        if (soft_meets(raster, z, raster->depth[row + (size_t)x], false))
            soft_put(raster, row + (size_t)x, soft_flat_pixel(raster, z, slopes->level), z, false);
}

static void fill_row(const SoftRaster *raster, const Slopes *slopes, int y, int x0, int x1) {
    bool lit = raster->style == MODEL_LIT, stage = raster->style == MODEL_STAGE;
    if (raster->style > MODEL_TEXTURE)
        fill_flat(raster, slopes, y, x0, x1);
    else if (raster->plain && lit && raster->bilinear)
        fill(raster, slopes, y, x0, x1, MODEL_LIT, true, true);
    else if (raster->plain && lit)
        fill(raster, slopes, y, x0, x1, MODEL_LIT, false, true);
    else if (lit && raster->bilinear)
        fill(raster, slopes, y, x0, x1, MODEL_LIT, true, false);
    else if (lit)
        fill(raster, slopes, y, x0, x1, MODEL_LIT, false, false);
    else if (stage && raster->bilinear)
        fill(raster, slopes, y, x0, x1, MODEL_STAGE, true, false);
    else if (stage)
        fill(raster, slopes, y, x0, x1, MODEL_STAGE, false, false);
    else if (raster->bilinear)
        fill(raster, slopes, y, x0, x1, MODEL_TEXTURE, true, false);
    else
        fill(raster, slopes, y, x0, x1, MODEL_TEXTURE, false, false);
}

/* An edge from its upper end: where it crosses the middle of a row. */
typedef struct Edge { double x, slope; int y, end; } Edge;

static Edge edge_of(const SoftVertex *from, const SoftVertex *to) {
    int dy = to->y - from->y;
    return (Edge){ from->x, dy ? (double)(to->x - from->x) / dy : 0, from->y, to->y };
}

static int first_row(int y) { return (y + SUBPIXEL / 2 - 1) >> SUBPIXEL_BITS; }    /* the first whose middle is not above */

SOFT_INLINE int first_pixel(const Edge *edge, int row, int width) {
    double at = (edge->x + (row * SUBPIXEL + SUBPIXEL / 2 - edge->y) * edge->slope - SUBPIXEL / 2) * (1.0 / SUBPIXEL) - 2e-8;
    int whole = (int)at;
    whole += at > whole;
    return CLAMP(whole, 0, width);
}

static void fill_rows(const SoftRaster *raster, const Slopes *slopes, const Edge *left, const Edge *right, int from, int to) {
    for (int y = MAX(from, raster->y0); y < MIN(to, raster->y1); y++) {
        int x0 = first_pixel(left, y, raster->width), x1 = first_pixel(right, y, raster->width);
        if (x0 < x1)
            fill_row(raster, slopes, y, x0, x1);
    }
}

void soft_triangle_affine(const SoftRaster *raster, const SoftVertex *a, const SoftVertex *b, const SoftVertex *c) {
    const SoftVertex *top = a, *middle = b, *bottom = c, *other;
    if (middle->y < top->y)
        other = top, top = middle, middle = other;
    if (bottom->y < top->y)
        other = top, top = bottom, bottom = other;
    if (bottom->y < middle->y)
        other = middle, middle = bottom, bottom = other;
    int from = first_row(top->y), to = first_row(bottom->y), turn = first_row(middle->y);
    int first_seen = MAX(from, 0);
    if (first_seen >= raster->y0 && first_seen < raster->y1)
        raster->triangles[DRAWER_AFFINE]++;
    int64_t area = soft_area(a, b, c);
    if (area <= 0 || from >= to || to <= raster->y0 || from >= raster->y1)
        return;
    Slopes slopes;
    make_slopes(raster, a, b, c, area, &slopes);
    Edge whole = edge_of(top, bottom), upper = edge_of(top, middle), lower = edge_of(middle, bottom);
    /* The middle corner is right of the long edge where top, middle, bottom go around clockwise. */
    bool right = soft_area(top, middle, bottom) > 0;
    fill_rows(raster, &slopes, right ? &whole : &upper, right ? &upper : &whole, from, turn);
    fill_rows(raster, &slopes, right ? &whole : &lower, right ? &lower : &whole, turn, to);
}
