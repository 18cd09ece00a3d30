/* render/soft/soft_model_internal.h -- what the drawers of model triangles share.
 *
 * A mesh becomes vertices on the screen (soft_model.c); its triangles go to one of the drawers, each a file: all test
 * against the depths that the world left, and draw rows y0 .. y1-1 of a band alone. */
#ifndef LEAFWALK_SOFT_MODEL_INTERNAL_H
#define LEAFWALK_SOFT_MODEL_INTERNAL_H

#include <emmintrin.h>

#include "render/soft/soft_blend.h"
#include "render/soft/soft_internal.h"

typedef enum SoftDrawer { DRAWER_AFFINE, DRAWER_SUBDIVISION, DRAWER_MASK, DRAWER_COUNT } SoftDrawer;

enum { SUBPIXEL_BITS = 4, SUBPIXEL = 1 << SUBPIXEL_BITS, GUARD = 12000 };    /* GUARD: pixels from the middle; what is beyond is cut */
enum { OUT_NEAR = 1, OUT_GUARD = 2, OUT_LEFT = 4, OUT_RIGHT = 8, OUT_TOP = 16, OUT_BOTTOM = 32 };

typedef struct SoftVertex {
    float at[4];                     /* u, v (1 is the whole picture), 1/z, 0 */
    float light[4];                  /* red, green, blue, alpha, 0..255 */
    float eye[3];                    /* as soft_pose_point gives it */
    int32_t x, y;                    /* 1/16 pixel */
    int32_t out;                     /* OUT_ bits; with NEAR or GUARD x and y say nothing */
} __attribute__((aligned(64))) SoftVertex;

/* LIT: times the light; STAGE: times the colour of the vertices, alpha too. */
typedef enum SoftModelStyle { MODEL_LIT, MODEL_STAGE, MODEL_TEXTURE, MODEL_FLAT, MODEL_MIP, MODEL_DEPTH } SoftModelStyle;

/* Which pixels a triangle may have, by what is there: those behind it; those it lies on, too; only those; all. */
typedef enum SoftMeet { MEET_NEARER, MEET_NOT_FARTHER, MEET_EQUAL, MEET_ALL } SoftMeet;

/* What is drawn of a mesh at once: it, or one of its stages. */
typedef struct SoftSkin { const ModelSurface *surface; const Vec3 *positions; const Vec2 *uv; const Rgba *colors; } SoftSkin;

/* One mesh, one band: what a drawer needs, and what it counts. */
typedef struct SoftRaster {
    uint32_t *color;                 /* they begin with row y0 */
    float *depth;
    int pitch, width, y0, y1;
    SoftView view;
    const SoftTexture *texture;
    SoftModelStyle style;
    uint32_t flat;
    float alpha_test;
    bool blends;                     /* by these factors */
    Blend source, destination;
    SoftMeet meet;
    bool keeps_depth, bilinear, bright, clamped;
    bool plain;                      /* opaque, nearer, without a test of alpha, repeating */
    MaterialCull cull;
    SoftDrawer drawer;
    float error_most;                /* pixels that affine may be wrong, see split in soft_model.c; 0: not looked at */
    const uint32_t *masks;
    int64_t *triangles;              /* by drawer */
} SoftRaster;

/* soft_triangle.c: any triangle within the guard; soft_subdivide.c: within the picture; soft_mask.c: the same, at most 5 by
 * 5 pixels, else false. Corners clockwise on the screen. */
void soft_triangle_affine(const SoftRaster *raster, const SoftVertex *a, const SoftVertex *b, const SoftVertex *c);
void soft_triangle_subdivide(const SoftRaster *raster, const SoftVertex *a, const SoftVertex *b, const SoftVertex *c);
bool soft_triangle_mask(const SoftRaster *raster, const SoftVertex *a, const SoftVertex *b, const SoftVertex *c);
void soft_masks_make(uint32_t masks[15625]);

/* soft_model.c: an eye-space point onto the screen; one triangle by whatever drawer and cuts it needs. */
void soft_vertex_place(const SoftView *view, SoftVertex *vertex, bool snapped);    /* snapped: to the middle of its pixel */
void soft_model_triangle(const SoftRaster *raster, const SoftVertex *a, const SoftVertex *b, const SoftVertex *c);

/* soft_stack.c: the mesh by its commands, its vertices projected as they are pushed. */
void soft_stack_draw(const SoftRaster *raster, const SoftPose *world, const SoftSkin *skin);
void soft_vertex_make(const SoftView *view, const SoftPose *world, const SoftSkin *skin, int number, bool snapped, SoftVertex *out);

/* How many texels of the whole picture's area a pixel of the triangle covers. */
int soft_model_level(const SoftRaster *raster, const SoftVertex *a, const SoftVertex *b, const SoftVertex *c);

static inline int64_t soft_area(const SoftVertex *a, const SoftVertex *b, const SoftVertex *c) {    /* twice, in 1/256 pixel; above 0: clockwise */
    return (int64_t)(b->x - a->x) * (c->y - a->y) - (int64_t)(c->x - a->x) * (b->y - a->y);
}

static inline int soft_level_of(const SoftTexture *texture, float square) {    /* as the world's rows choose it */
    uint32_t bits;
    memcpy(&bits, &square, sizeof bits);
    int level = ((int)(bits >> 23 & 255) - 126) >> 1;
    return level < 0 ? 0 : level > texture->levels - 1 ? texture->levels - 1 : level;
}


/* ---- a pixel ---- */

#define SOFT_INLINE static inline __attribute__((always_inline))

SOFT_INLINE __m128i soft_light16(__m128i light) {    /* four lights in 1/65536 to 16-bit numbers, 255 as 65280 */
    __m128i half = _mm_sub_epi32(_mm_srai_epi32(light, 8), _mm_set1_epi32(32768));
    return _mm_xor_si128(_mm_packs_epi32(half, half), _mm_set1_epi16((short)0x8000));
}

/* A texel as four 16-bit numbers; u and v in 1/65536 of the level's texels, for bilinear less half a texel. */
SOFT_INLINE __m128i soft_texel16(const SoftMip *mip, int32_t u, int32_t v, bool bilinear) {
    const __m128i zero = _mm_setzero_si128();
    uint32_t column = (uint32_t)(u >> 16) & mip->column_mask, row = (uint32_t)(v >> 16) & mip->row_mask;
    const uint32_t *at = mip->texels + ((size_t)row << mip->width_log) + row + column;
    if (!bilinear)
        return _mm_unpacklo_epi8(_mm_cvtsi32_si128((int)*at), zero);
    uint32_t below_row = (row + 1) & mip->row_mask;
    const uint32_t *below = mip->texels + ((size_t)below_row << mip->width_log) + below_row + column;
    __m128i top = _mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *)(const void *)at), zero);
    __m128i bottom = _mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *)(const void *)below), zero);
    short part_u = (short)((uint32_t)u >> 8 & 255), part_v = (short)((uint32_t)v >> 8 & 255);
    __m128i mixed = _mm_add_epi16(_mm_mullo_epi16(top, _mm_set1_epi16((short)(256 - part_v))), _mm_mullo_epi16(bottom, _mm_set1_epi16(part_v)));
    mixed = _mm_srli_epi16(_mm_add_epi16(mixed, _mm_set1_epi16(128)), 8);
    __m128i across = _mm_mullo_epi16(mixed, _mm_unpacklo_epi64(_mm_set1_epi16((short)(256 - part_u)), _mm_set1_epi16(part_u)));
    across = _mm_add_epi16(across, _mm_unpackhi_epi64(across, across));
    return _mm_srli_epi16(_mm_add_epi16(across, _mm_set1_epi16(128)), 8);
}

SOFT_INLINE uint32_t soft_lit16(__m128i texel, __m128i light16, bool bright) {
    __m128i product = _mm_mulhi_epu16(_mm_mullo_epi16(texel, _mm_set1_epi16(257)), light16);
    product = bright ? _mm_srli_epi16(_mm_adds_epu16(product, _mm_set1_epi16(64)), 7) : _mm_srli_epi16(_mm_adds_epu16(product, _mm_set1_epi16(128)), 8);
    uint32_t rgb = (uint32_t)_mm_cvtsi128_si32(_mm_packus_epi16(product, product)) & 0xffffffu;
    return rgb | (uint32_t)_mm_extract_epi16(texel, 3) << 24;
}

SOFT_INLINE uint32_t soft_stage16(__m128i texel, __m128i light16, bool bright) {    /* alpha is never doubled */
    __m128i product = _mm_mulhi_epu16(_mm_mullo_epi16(texel, _mm_set1_epi16(257)), light16);
    __m128i once = _mm_srli_epi16(_mm_adds_epu16(product, _mm_set1_epi16(128)), 8);
    __m128i twice = _mm_srli_epi16(_mm_adds_epu16(product, _mm_set1_epi16(64)), 7);
    uint32_t whole = (uint32_t)_mm_cvtsi128_si32(_mm_packus_epi16(once, once));
    return bright ? ((uint32_t)_mm_cvtsi128_si32(_mm_packus_epi16(twice, twice)) & 0xffffffu) | (whole & 0xff000000u) : whole;
}

SOFT_INLINE uint32_t soft_pixel16(__m128i texel, __m128i light16, SoftModelStyle style, bool bright) {
    return style == MODEL_LIT ? soft_lit16(texel, light16, bright)
         : style == MODEL_STAGE ? soft_stage16(texel, light16, bright) : (uint32_t)_mm_cvtsi128_si32(_mm_packus_epi16(texel, texel));
}

SOFT_INLINE bool soft_meets(const SoftRaster *raster, float z, float depth, bool plain) {
    if (plain || raster->meet == MEET_NEARER)
        return z > depth;
    return raster->meet == MEET_ALL || (raster->meet == MEET_EQUAL ? z == depth : z >= depth);
}

/* A coordinate of a picture that does not repeat: from the first texel to the last one. */
SOFT_INLINE uint32_t soft_clamped(uint32_t at, uint32_t mask) {
    int32_t most = (int32_t)(mask << 16), value = (int32_t)at;
    return (uint32_t)CLAMP(value, 0, most);
}

/* Where the pixel may be; `plain` is known when this is compiled. */
SOFT_INLINE void soft_put(const SoftRaster *raster, size_t at, uint32_t pixel, float z, bool plain) {
    if (plain) {
        raster->color[at] = pixel | 0xff000000u;
        raster->depth[at] = z;
        return;
    }
    if (raster->alpha_test != 0) {
        int alpha = (int)(pixel >> 24), limit = (int)((raster->alpha_test < 0 ? -raster->alpha_test : raster->alpha_test) * 255 + 0.5f);
        if (raster->alpha_test < 0 ? alpha >= limit : alpha < limit)
            return;
    }
    raster->color[at] = raster->blends ? soft_mix(pixel, raster->color[at], raster->source, raster->destination) : pixel | 0xff000000u;
    if (!raster->keeps_depth)
        raster->depth[at] = z;
}

uint32_t soft_flat_pixel(const SoftRaster *raster, float z, int level);    /* of the views that read no picture */

#endif
