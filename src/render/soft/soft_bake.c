/* render/soft/soft_bake.c -- layers that are at rest, drawn over lit texels once instead of over the picture each time.
 *
 * A tile is a picture too: one that is looked at from straight above. A layer's paint for it has no depth, and its texture
 * is read at the level that fits the tile's texels. */
#include <math.h>

#include "render/soft/soft_internal.h"

enum { ROOM = (SOFT_TILE_MOST + CELL - 1) / CELL * CELL };

/* The layer over a tile whose first texel's middle is at u and v, and whose texels are so far apart. */
static SoftPaint tile_paint(const SoftLayer *layer, const double first[2], const double texel[2]) {
    SoftPaint paint = layer->paint;
    const float *m = layer->numbers.matrix;
    paint.iz_c = 1;
    paint.surface = -1;
    for (int i = 0; i < 2; i++, m += 3) {
        double scale = 65536.0 * (1 << (i ? paint.texture->height_log : paint.texture->width_log));
        double c = m[0] * first[0] + m[1] * first[1] + m[2];
        paint.x[i] = m[0] * texel[0] * scale;
        paint.y[i] = m[1] * texel[1] * scale;
        paint.c[i] = (c - floor(c)) * scale;
    }
    return paint;
}

static void bake_rows(const SoftMode *mode, const SoftPaint *paints, int count, uint32_t *texels, int length, int y, int rows) {
    _Alignas(64) uint32_t color[BLOCK_ROWS * ROOM];
    _Alignas(64) float depth[BLOCK_ROWS * ROOM];
    SoftSpan spans[BLOCK_ROWS];
    memset(color, 0, sizeof color);
    memset(depth, 0, sizeof depth);
    for (int i = 0; i < rows; i++) {
        memcpy(color + i * ROOM, texels + i * length, (size_t)length * sizeof *texels);
        spans[i] = (SoftSpan){ .y = y + i, .x0 = 0, .x1 = length };
    }
    SoftTarget target = { .color = color, .depth = depth, .width = length, .height = SOFT_TILE_MOST, .pitch = ROOM, .top = y };
    for (int i = 0; i < count; i++)
        soft_rows(&target, mode, &paints[i], spans, rows, TEST_PASSED);
    for (int i = 0; i < rows; i++)
        memcpy(texels + i * length, color + i * ROOM, (size_t)length * sizeof *texels);
}

void soft_bake_tile(const SoftMode *mode, const SoftPaint *paint, const SoftGrid *grid, SoftTile *tile, int column, int row) {
    double texel[2] = { (double)(1 << grid->level) / (1 << paint->texture->width_log), (double)(1 << grid->level) / (1 << paint->texture->height_log) };
    double first[2] = { grid->origin[0] + (column * SOFT_TILE + (int)(tile->low & 0xffff) + 0.5) * texel[0],
                        grid->origin[1] + (row * SOFT_TILE + (int)(tile->low >> 16) + 0.5) * texel[1] };
    SoftPaint paints[STAGES_MOST];
    int count = MIN(paint->bakes, STAGES_MOST), length = (int)(tile->pitch >> 16), rows = (int)(tile->most >> 16) + 2;
    for (int i = 0; i < count; i++)
        paints[i] = tile_paint(&mode->layers[paint->first_baked + i], first, texel);
    for (int y = 0; y < rows; y += BLOCK_ROWS)
        bake_rows(mode, paints, count, tile->texels + y * length, length, y, MIN(BLOCK_ROWS, rows - y));
}
