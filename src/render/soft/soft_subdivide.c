/* render/soft/soft_subdivide.c -- small model triangles without rows: halved until no edge is longer than a pixel.
 *
 * Corners are snapped to pixels and drawn; then the longest edge, while it is longer than a pixel, is split in its middle,
 * rounded to a pixel, the middle is drawn, and both halves go on. (Quake took the first edge that is too long, which makes
 * many more slivers.) Every edge is halved alike, whichever triangle it is of and whichever edge came before: a middle on
 * an edge that neighbours share is the same for both, and drawn by the one for which the edge leads (it is a left or upper
 * edge). Light is that of the first corner. */
#include "render/soft/soft_model_internal.h"

typedef struct Dot { int x, y; int32_t u, v; float z; } Dot;

typedef struct Dots {
    const SoftRaster *raster;
    const SoftMip *mip;
    __m128i light;
    int level;
} Dots;

static void put(const Dots *dots, const Dot *dot) {
    const SoftRaster *raster = dots->raster;
    if (dot->y < raster->y0 || dot->y >= raster->y1)
        return;
    size_t at = (size_t)(dot->y - raster->y0) * (size_t)raster->pitch + (size_t)dot->x;
    if (!soft_meets(raster, dot->z, raster->depth[at], raster->plain))
        return;
    if (raster->style > MODEL_TEXTURE) {
        soft_put(raster, at, soft_flat_pixel(raster, dot->z, dots->level), dot->z, false);
        return;
    }
    uint32_t u = (uint32_t)dot->u, v = (uint32_t)dot->v;
    if (raster->clamped) {
        u = soft_clamped(u, dots->mip->column_mask);
        v = soft_clamped(v, dots->mip->row_mask);
    }
    uint32_t pixel = soft_pixel16(soft_texel16(dots->mip, (int32_t)u, (int32_t)v, raster->bilinear), dots->light, raster->style, raster->bright);
    if (raster->plain)
        soft_put(raster, at, pixel, dot->z, true);
    else
        soft_put(raster, at, pixel, dot->z, false);
}

static int length(const Dot *a, const Dot *b) {    /* how many pixels are stepped over from one to the other */
    int dx = a->x - b->x, dy = a->y - b->y;
    dx = dx < 0 ? -dx : dx;
    dy = dy < 0 ? -dy : dy;
    return dx > dy ? dx : dy;
}

static int32_t between(int32_t a, int32_t b) { return (int32_t)(((int64_t)a + b) >> 1); }

static bool leads(const Dot *from, const Dot *to) { return to->y < from->y || (to->y == from->y && to->x > from->x); }

static void halve(const Dots *dots, const Dot *a, const Dot *b, const Dot *c) {
    int high = MIN(a->y, MIN(b->y, c->y)), low = MAX(a->y, MAX(b->y, c->y));
    if (low < dots->raster->y0 || high >= dots->raster->y1)
        return;
    const Dot *from = a, *to = b, *across = c;    /* in the order that goes around */
    int longest = length(a, b), second = length(b, c), third = length(c, a);
    if (second > longest) {
        longest = second;
        from = b, to = c, across = a;
    }
    if (third > longest) {
        longest = third;
        from = c, to = a, across = b;
    }
    if (longest <= 1)
        return;
    Dot middle = { (from->x + to->x) >> 1, (from->y + to->y) >> 1, between(from->u, to->u), between(from->v, to->v), (from->z + to->z) * 0.5f };
    if (leads(from, to))
        put(dots, &middle);
    halve(dots, across, from, &middle);
    halve(dots, across, &middle, to);
}

static Dot dot_of(const SoftVertex *vertex, const SoftVertex *first, const SoftMip *mip, bool bilinear, bool clamped) {
    /* Textures repeat: what is counted is the distance from the first corner. */
    float base_u = clamped ? first->at[0] : first->at[0] - (float)(int)CLAMP(first->at[0], -1e6f, 1e6f);
    float base_v = clamped ? first->at[1] : first->at[1] - (float)(int)CLAMP(first->at[1], -1e6f, 1e6f);
    __m128 at = _mm_setr_ps((vertex->at[0] - first->at[0] + base_u) * (float)(mip->column_mask + 1) * 65536.0f,
                            (vertex->at[1] - first->at[1] + base_v) * (float)(mip->row_mask + 1) * 65536.0f, 0, 0);
    __m128i whole = _mm_cvtps_epi32(at);
    int32_t half = bilinear ? 0x8000 : 0;
    uint32_t u = (uint32_t)_mm_cvtsi128_si32(whole) - (uint32_t)half, v = (uint32_t)_mm_cvtsi128_si32(_mm_shuffle_epi32(whole, 1)) - (uint32_t)half;
    return (Dot){ vertex->x >> SUBPIXEL_BITS, vertex->y >> SUBPIXEL_BITS, (int32_t)u, (int32_t)v, vertex->at[2] };
}

void soft_triangle_subdivide(const SoftRaster *raster, const SoftVertex *a, const SoftVertex *b, const SoftVertex *c) {
    int high = MIN(a->y, MIN(b->y, c->y)) >> SUBPIXEL_BITS, low = MAX(a->y, MAX(b->y, c->y)) >> SUBPIXEL_BITS;
    if (high >= raster->y0 && high < raster->y1)
        raster->triangles[DRAWER_SUBDIVISION]++;
    if (low < raster->y0 || high >= raster->y1)
        return;
    Dots dots = { .raster = raster, .level = soft_model_level(raster, a, b, c) };
    dots.mip = &raster->texture->mip[dots.level];
    dots.light = soft_light16(_mm_cvtps_epi32(_mm_mul_ps(_mm_load_ps(a->light), _mm_set1_ps(65536.0f))));
    const SoftVertex *vertices[3] = { a, b, c };
    Dot corners[3];
    for (int i = 0; i < 3; i++)
        corners[i] = dot_of(vertices[i], a, dots.mip, raster->bilinear, raster->clamped);
    for (int i = 0; i < 3; i++)
        put(&dots, &corners[i]);
    halve(&dots, &corners[0], &corners[1], &corners[2]);
}
