/* render/soft/soft_glow_tile.c -- tiles of lit texels with dynamic light in them, as Quake refreshed those of its cache.
 *
 * Each stands beside the tile without the light, from which it is made when the first pixel of a frame asks for it; the next
 * frame makes it anew in the same memory. Bands that lie side by side ask for the same tiles at once: whoever asks for one
 * that is not finished does some of its rows. Along a row of texels a surface goes straight on, so light is measured as
 * along a row of pixels, with no depth to divide by. Tiles that no light reaches are those of the cache itself. */
#include <emmintrin.h>
#include <math.h>

#include "render/soft/soft_glow_internal.h"

/* Where texture coordinates lie: corner + by_u * (u - at[0]) + by_v * (v - at[1]). */
typedef struct Places { double corner[3], by_u[3], by_v[3], at[2]; } Places;

static double dot3(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* The surface has an area in its texture: it has tiles. */
static Places places_of(const SoftLevel *level, const SoftSurface *surface) {
    Places out;
    const double *n = level->planes[surface->plane].normal;
    const SoftLinear *u = &surface->lanes[LANE_U], *v = &surface->lanes[LANE_V];
    const double a[3] = { u->x, u->y, u->z }, b[3] = { v->x, v->y, v->z };
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        out.by_u[i] = b[j] * n[k] - b[k] * n[j];
        out.by_v[i] = n[j] * a[k] - n[k] * a[j];
        out.corner[i] = n[i] * level->planes[surface->plane].dist;
    }
    double area = dot3(a, out.by_u);
    for (int i = 0; i < 3; i++) {
        out.by_u[i] /= area;
        out.by_v[i] /= area;
    }
    out.at[0] = dot3(a, out.corner) + u->c;
    out.at[1] = dot3(b, out.corner) + v->c;
    return out;
}

/* Rows of a tile's texels: the place of its first texel and the steps to the next one and the next row. */
typedef struct Texels { double first[3], across[3], down[3]; int length, rows, column, row; } Texels;

static Texels texels_of(const SoftPaint *paint, const SoftGrid *grid, const SoftGlow *glow, const SoftLevel *level, const SoftTile *tile, int column, int row) {
    Places places = places_of(level, &level->surfaces[grid->surface]);
    double side_u = (double)(1 << grid->level) / (1 << paint->texture->width_log), side_v = (double)(1 << grid->level) / (1 << paint->texture->height_log);
    Texels out = { .length = (int)(tile->pitch >> 16), .rows = (int)(tile->most >> 16) + 2 };
    out.column = column * SOFT_TILE + (int)(tile->low & 0xffff);
    out.row = row * SOFT_TILE + (int)(tile->low >> 16);
    double u = grid->origin[0] + (out.column + 0.5) * side_u - places.at[0], v = grid->origin[1] + (out.row + 0.5) * side_v - places.at[1];
    for (int i = 0; i < 3; i++) {
        out.across[i] = places.by_u[i] * side_u;
        out.down[i] = places.by_v[i] * side_v;
        out.first[i] = places.corner[i] + places.by_u[i] * u + places.by_v[i] * v - glow->eye[i];
    }
    return out;
}

/* Whether a light comes into the ball around the tile. */
static bool is_reached(const SoftGlow *glow, const Texels *texels) {
    double middle[3], half = 0;
    for (int i = 0; i < 3; i++) {
        double a = texels->across[i] * texels->length / 2, b = texels->down[i] * texels->rows / 2;
        middle[i] = texels->first[i] + a + b;
        half += (fabs(a) + fabs(b)) * (fabs(a) + fabs(b));
    }
    for (int i = 0; i < glow->count; i++) {
        const GlowLight *light = &glow->lights[glow->numbers[i]];
        double square = 0, most = 1 / light->inverse + sqrt(half);
        for (int k = 0; k < 3; k++)
            square += (middle[k] - light->at[k]) * (middle[k] - light->at[k]);
        if (square < most * most * 1.01)
            return true;
    }
    return false;
}

static void measure(SoftCode code, const GlowRow *row, int count, uint16_t *out) {
    if (code == CODE_AVX2)
        soft_glow_points_avx2(row, 0, count, out);
    else if (code == CODE_SSE2)
        soft_glow_points_sse2(row, 0, count, out);
    else
        soft_glow_points_plain(row, 0, count, out);
}

static void add(SoftCode code, uint32_t *color, const uint32_t *texels, const uint16_t *light) {
    if (code == CODE_AVX2)
        soft_glow_add_avx2(color, texels, light, 0xffff);
    else if (code == CODE_SSE2)
        soft_glow_add_sse2(color, texels, light, 0xffff);
    else
        soft_glow_add_plain(color, texels, light, 0xffff);
}

/* 16 texels of the picture, which repeats. */
static const uint32_t *sixteen(const SoftMip *mip, const uint32_t *row, int column, uint32_t room[CELL]) {
    uint32_t first = (uint32_t)column & mip->column_mask;
    if (first + CELL <= mip->column_mask + 1)
        return row + first;
    for (int k = 0; k < CELL; k++)
        room[k] = row[(uint32_t)(column + k) & mip->column_mask];
    return room;
}

static void light_row(const SoftMode *mode, const SoftPaint *paint, const SoftGrid *grid, const Texels *texels, int y, uint32_t *out) {
    enum { PLACES = (SOFT_TILE_MOST + CELL) / GLOW_STEP + 8 };
    const SoftMip *mip = &paint->texture->mip[grid->level];
    const SoftGlow *glow = paint->glow;
    uint32_t at_row = (uint32_t)(texels->row + y) & mip->row_mask, room[CELL];
    const uint32_t *from = mip->texels + ((size_t)at_row << mip->width_log) + at_row;
    uint16_t light[PLACES * GLOW_NUMBERS];
    GlowRow row = { .iz = 1, .lights = glow->lights, .numbers = glow->numbers, .count = glow->count, .scale = glow->scale };
    for (int i = 0; i < 3; i++) {
        row.ray[i] = (float)(texels->first[i] + texels->down[i] * y);
        row.step[i] = (float)texels->across[i];
    }
    int cells = (texels->length + CELL - 1) / CELL;
    measure(mode->code, &row, (cells * GLOW_POINTS + 1 + 7) & ~7, light);
    for (int i = 0; i < cells; i++)
        add(mode->code, out + i * CELL, sixteen(mip, from, texels->column + i * CELL, room), light + i * GLOW_POINTS * GLOW_NUMBERS);
}

/* Does rows of the tile that nobody has begun with, and waits for those of others. */
static void finish(const SoftMode *mode, const SoftPaint *paint, const SoftGrid *grid, const SoftTile *unlit, const Texels *texels, SoftTile *tile) {
    enum { ROWS = 8 };
    uint32_t room[SOFT_TILE_MOST + CELL] = { 0 };    /* rows are lit by whole cells: what is over the end is nobody's */
    size_t length = (size_t)texels->length;
    for (int first; (first = atomic_fetch_add(&tile->next, ROWS)) < texels->rows;) {
        int end = MIN(first + ROWS, texels->rows);
        for (int y = first; y < end; y++) {
            memcpy(room, unlit->texels + (size_t)y * length, length * sizeof *room);
            light_row(mode, paint, grid, texels, y, room);
            memcpy(tile->texels + (size_t)y * length, room, length * sizeof *room);
        }
        atomic_fetch_add_explicit(&tile->done, end - first, memory_order_acq_rel);
    }
    while (atomic_load_explicit(&tile->done, memory_order_acquire) < texels->rows)
        _mm_pause();
}

static SoftTile *new_tile(const SoftTile *unlit, _Atomic(SoftTile *) *place) {
    SoftTile *tile = mem_zeroed(1, unlit->bytes);
    tile->low = unlit->low;
    tile->most = unlit->most;
    tile->pitch = unlit->pitch;
    tile->bytes = unlit->bytes;
    tile->place = place;
    return tile;
}

/* The tile at its place, which may have been made for a frame before. */
static SoftTile *placed_tile(SoftCache *cache, const SoftTile *unlit, _Atomic(SoftTile *) *place) {
    SoftTile *tile = atomic_load_explicit(place, memory_order_acquire), *none = NULL;
    if (tile)
        return tile;
    tile = new_tile(unlit, place);
    if (!atomic_compare_exchange_strong(place, &none, tile)) {
        mem_free(tile);
        return none;
    }
    lock_write(&cache->lock);
    *array_push(&cache->glowing) = tile;
    lock_give(&cache->lock);
    return tile;
}

const SoftTile *soft_glow_tile(const SoftMode *mode, const SoftPaint *paint, const SoftGrid *constant, int column, int row) {
    SoftCache *cache = mode->cache;
    const SoftTile *unlit = soft_cache_tile(mode, paint, constant, column, row);
    SoftGrid *grid = (SoftGrid *)constant;    /* its tiles are atomic: all threads may fill them */
    if (!unlit)
        return NULL;
    _Atomic(SoftTile *) *place = &grid->tile[grid->count + row * grid->tiles[0] + column];
    SoftTile *tile = atomic_load_explicit(place, memory_order_acquire);
    int rows = (int)(unlit->most >> 16) + 2;
    if (tile && atomic_load_explicit(&tile->done, memory_order_acquire) == rows)
        return tile;
    Texels texels = texels_of(paint, grid, paint->glow, cache->level, unlit, column, row);
    if (!is_reached(paint->glow, &texels))
        return unlit;
    tile = placed_tile(cache, unlit, place);
    finish(mode, paint, grid, unlit, &texels, tile);
    return tile;
}

/* Lights move: what was made is to be made again, and what was not is no longer needed. */
void soft_glow_end_frame(SoftCache *cache) {
    size_t kept = 0;
    for (size_t i = 0; i < cache->glowing.count; i++) {
        SoftTile *tile = cache->glowing.at[i];
        if (atomic_load(&tile->done)) {
            atomic_store(&tile->next, 0);
            atomic_store(&tile->done, 0);
            cache->glowing.at[kept++] = tile;
        } else {
            atomic_store(tile->place, NULL);
            mem_free(tile);
        }
    }
    cache->glowing.count = kept;
}

void soft_glow_forget(SoftCache *cache) {
    for (size_t i = 0; i < cache->glowing.count; i++) {
        atomic_store(cache->glowing.at[i]->place, NULL);
        mem_free(cache->glowing.at[i]);
    }
    array_clear(&cache->glowing);
}
