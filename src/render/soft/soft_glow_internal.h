/* render/soft/soft_glow_internal.h -- rows of dynamic light: how bright lights make places, and light times texels added to
 * what is there.
 *
 * Light is measured at every fourth pixel and is even between them: near a light pixels lie close together, and far from one
 * it hardly changes. It comes out as 16-bit numbers, red, green, blue and nothing for each place, 1/1024 each. The same is
 * written three times, for any processor and for 4 and 8 places at once: all give the same bits. */
#ifndef LEAFWALK_SOFT_GLOW_INTERNAL_H
#define LEAFWALK_SOFT_GLOW_INTERNAL_H

#include "render/soft/soft_internal.h"

enum { GLOW_UNIT = 1024, GLOW_STEP = 4, GLOW_NUMBERS = 4, GLOW_POINTS = CELL / GLOW_STEP };    /* pixels from one place to the next; numbers of one; places in a cell */

typedef struct GlowLight { float at[3], inverse, color[3]; } GlowLight;    /* place from the eye; 1 / radius */

typedef struct GlowRow {
    float ray[3], step[3];           /* a pixel lies at (ray + step * x) / (1/z), from the eye */
    double iz, iz_x;                 /* 1/z: iz + iz_x * x */
    const GlowLight *lights;
    const int *numbers; int count;   /* of lights */
    float scale;                     /* how much of the light counts */
} GlowRow;

/* Light at pixels x, x + 4, x + 8 and so on; count is a multiple of 8. */
void soft_glow_points_plain(const GlowRow *row, int x, int count, uint16_t *out);
void soft_glow_points_sse2(const GlowRow *row, int x, int count, uint16_t *out);
void soft_glow_points_avx2(const GlowRow *row, int x, int count, uint16_t *out);

/* Of 16 pixels from x on, those of `mask` that the row would be drawn in; x and the depths' place: multiples of 16. */
unsigned soft_glow_depths_plain(const GlowRow *row, int x, const float depth[16], unsigned mask, SoftTest test);
unsigned soft_glow_depths_sse2(const GlowRow *row, int x, const float depth[16], unsigned mask, SoftTest test);
unsigned soft_glow_depths_avx2(const GlowRow *row, int x, const float depth[16], unsigned mask, SoftTest test);

/* 16 pixels, of which those of `mask`: texel times light is added, no more than 255. `light`: at the first of them and the
 * four places after it. */
void soft_glow_add_plain(uint32_t color[16], const uint32_t texels[16], const uint16_t light[20], unsigned mask);
void soft_glow_add_sse2(uint32_t color[16], const uint32_t texels[16], const uint16_t light[20], unsigned mask);
void soft_glow_add_avx2(uint32_t color[16], const uint32_t texels[16], const uint16_t light[20], unsigned mask);

#endif
