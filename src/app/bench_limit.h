/* app/bench_limit.h -- the loop that no frame can beat: one texel, one luxel, a product, a store, for each pixel.
 *
 * Texture RGBA8 of 256x256, u and v in 16.16 stepped by (1, 1/4) texel a pixel, every address computed; light RGBA8 of
 * 128x128 at 1/16 of that step; product per channel, clamped; one 32-bit store. */
#ifndef LEAFWALK_BENCH_LIMIT_H
#define LEAFWALK_BENCH_LIMIT_H

#include "base/base.h"
#include "base/jobs.h"

enum { LIMIT_TEXTURE = 256, LIMIT_LIGHT = 128 };

/* One row of pixels; u, v: where it begins, 16.16 texels. */
typedef void LimitRow(uint32_t *out, int width, const uint32_t *texture, const uint32_t *light, uint32_t u, uint32_t v);

void limit_row_plain(uint32_t *out, int width, const uint32_t *texture, const uint32_t *light, uint32_t u, uint32_t v);
void limit_row_avx2(uint32_t *out, int width, const uint32_t *texture, const uint32_t *light, uint32_t u, uint32_t v);

bool limit_has_avx2(void);
/* Milliseconds for a picture of this size: the median of 50 runs of the machine's best code. */
double limit_measure(Jobs *jobs, int width, int height);

#endif
