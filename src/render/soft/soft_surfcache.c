/* render/soft/soft_surfcache.c -- lit texels of surfaces, kept from frame to frame, as Quake kept them.
 *
 * A surface at a mip level is a grid of tiles of 128 x 128 texels and their aprons; a tile is lit when the first pixel
 * asks for it. Any thread may ask: two that light the same tile at once do the same work, and one of the results is kept.
 * Between frames the tiles that were not used for longest are given up until the rest fits the budget. */
#include <math.h>
#include <stdlib.h>

#include "render/soft/soft_internal.h"

enum { GRIDS = 2 * MIP_MOST };    /* of a surface: one for each level, then those with layers: the same surface has both, lit by dynamic lights or not */
enum { LARGEST = 16384 };    /* texels of a surface at a level that coordinates can count */

void soft_cache_open(SoftCache *cache) { lock_init(&cache->lock); }

static void free_grids(SoftCache *cache) {
    for (int i = 0; i < cache->grid_count; i++)
        mem_free(atomic_load(&cache->grids[i]));
    mem_free(cache->grids);
    cache->grids = NULL;
    cache->grid_count = 0;
}

void soft_cache_forget(SoftCache *cache) {
    soft_glow_forget(cache);
    for (size_t i = 0; i < cache->tiles.count; i++)
        mem_free(cache->tiles.at[i]);
    array_clear(&cache->tiles);
    free_grids(cache);
    cache->bytes = 0;
}

void soft_cache_close(SoftCache *cache) {
    soft_cache_forget(cache);
    array_free(&cache->tiles);
    array_free(&cache->glowing);
    lock_end(&cache->lock);
}

static int compare_age(const void *a, const void *b) {
    unsigned x = atomic_load(&(*(SoftTile *const *)a)->used), y = atomic_load(&(*(SoftTile *const *)b)->used);
    return x < y ? -1 : x > y;
}

/* Counts what the last frame used, and gives up what is too much. */
void soft_cache_end_frame(SoftCache *cache, size_t budget) {
    soft_glow_end_frame(cache);
    cache->hits = cache->misses = 0;
    for (size_t i = 0; i < cache->tiles.count; i++) {
        const SoftTile *tile = cache->tiles.at[i];
        bool used = atomic_load(&tile->used) == cache->stamp;
        cache->misses += tile->born == cache->stamp;
        cache->hits += used && tile->born != cache->stamp;
    }
    if (cache->bytes <= budget)
        return;
    qsort(cache->tiles.at, cache->tiles.count, sizeof *cache->tiles.at, compare_age);
    size_t given = 0;
    for (; given < cache->tiles.count && cache->bytes > budget; given++) {
        SoftTile *tile = cache->tiles.at[given];
        atomic_store(tile->place, NULL);
        cache->bytes -= tile->bytes;
        mem_free(tile);
    }
    cache->tiles.count -= given;
    memmove(cache->tiles.at, cache->tiles.at + given, cache->tiles.count * sizeof *cache->tiles.at);
}

void soft_cache_begin_frame(SoftCache *cache, const SoftLevel *level) {
    cache->stamp++;
    if (cache->level == level && cache->grid_count && !cache->stale)
        return;
    cache->stale = false;
    soft_cache_forget(cache);
    cache->level = level;
    cache->grid_count = level->surface_count * GRIDS;
    cache->grids = mem_zeroed((size_t)MAX(cache->grid_count, 1), sizeof *cache->grids);
}


/* How light depends on texture coordinates over the surface's plane; false: it cannot be told (a texture without area). */
static bool light_by_texture(const SoftLevel *level, const SoftSurface *surface, SoftLitMap *out) {
    const double *n = level->planes[surface->plane].normal;
    const SoftLinear *u = &surface->lanes[LANE_U], *v = &surface->lanes[LANE_V];
    double a[3] = { u->x, u->y, u->z }, b[3] = { v->x, v->y, v->z }, cross[2][3];
    for (int i = 0; i < 3; i++) {    /* steps in the plane that change one of u and v alone */
        int j = (i + 1) % 3, k = (i + 2) % 3;
        cross[0][i] = b[j] * n[k] - b[k] * n[j];
        cross[1][i] = n[j] * a[k] - n[k] * a[j];
    }
    double area = a[0] * cross[0][0] + a[1] * cross[0][1] + a[2] * cross[0][2];
    if (!(fabs(area) > 1e-12))
        return false;
    double corner[3], d = level->planes[surface->plane].dist;    /* any point of the plane: where u and v are these */
    for (int i = 0; i < 3; i++)
        corner[i] = n[i] * d;
    double at_u = a[0] * corner[0] + a[1] * corner[1] + a[2] * corner[2] + u->c, at_v = b[0] * corner[0] + b[1] * corner[1] + b[2] * corner[2] + v->c;
    for (int i = 0; i < 2; i++) {
        const SoftLinear *light = &surface->lanes[LANE_LIGHT_U + i];
        out->by_u[i] = (light->x * cross[0][0] + light->y * cross[0][1] + light->z * cross[0][2]) / area;
        out->by_v[i] = (light->x * cross[1][0] + light->y * cross[1][1] + light->z * cross[1][2]) / area;
        out->first[i] = light->x * corner[0] + light->y * corner[1] + light->z * corner[2] + light->c - out->by_u[i] * at_u - out->by_v[i] * at_v;
    }
    return isfinite(out->first[0]) && isfinite(out->first[1]);
}

/* A grid whose tiles are to come; one without tiles says that this surface is not for the cache. */
static SoftGrid *make_grid(const SoftLevel *level, const SoftPaint *paint, int mip, bool baked) {
    const SoftSurface *surface = &level->surfaces[paint->surface];
    const SoftTexture *texture = paint->texture;
    SoftGrid grid = { .surface = paint->surface, .level = mip, .baked = baked };
    double sides[2] = { 1 << texture->width_log, 1 << texture->height_log };
    bool fits = light_by_texture(level, surface, &grid.light);
    for (int k = 0; k < 2 && fits; k++) {
        grid.origin[k] = surface->repeat[k];
        grid.low[k] = (surface->texture_low[k] - grid.origin[k]) * sides[k] / (1 << mip);
        grid.high[k] = (surface->texture_high[k] - grid.origin[k]) * sides[k] / (1 << mip);
        fits = grid.high[k] < LARGEST && fabs(grid.origin[k]) < 1e6;
        grid.first[k] = fits ? (int)MAX(grid.low[k] - 2, 0) / SOFT_TILE : 0;
        grid.tiles[k] = fits ? (int)(grid.high[k] + 2) / SOFT_TILE + 1 : 0;
    }
    int count = fits ? grid.tiles[0] * grid.tiles[1] : 0;
    grid.tiles[0] = fits ? grid.tiles[0] : 0;
    grid.count = count;
    SoftGrid *out = mem_zeroed(1, sizeof *out + 2 * (size_t)count * sizeof out->tile[0]);
    memcpy(out, &grid, sizeof grid);
    return out;
}

const SoftGrid *soft_cache_grid(SoftCache *cache, const SoftPaint *paint, int mip, bool baked) {
    _Atomic(SoftGrid *) *place = &cache->grids[paint->surface * GRIDS + (baked ? MIP_MOST : 0) + mip];
    SoftGrid *grid = atomic_load_explicit(place, memory_order_acquire), *none = NULL;
    if (grid)
        return grid;
    grid = make_grid(cache->level, paint, mip, baked);
    if (atomic_compare_exchange_strong(place, &none, grid))
        return grid;
    mem_free(grid);
    return none;
}

/* Lights the texels that the surface needs of a tile. */
static SoftTile *lit_tile(const SoftMode *mode, const SoftPaint *paint, const SoftGrid *grid, int column, int row) {
    int x0 = MAX((int)grid->low[0] - 2 - column * SOFT_TILE, 0), x1 = MIN((int)grid->high[0] + 3 - column * SOFT_TILE, SOFT_TILE_MOST);
    int y0 = MAX((int)grid->low[1] - 2 - row * SOFT_TILE, 0), y1 = MIN((int)grid->high[1] + 3 - row * SOFT_TILE, SOFT_TILE_MOST);
    x0 = MIN(x0, SOFT_TILE - 1);
    y0 = MIN(y0, SOFT_TILE - 1);
    x1 = MAX(x1, x0 + 2);
    y1 = MAX(y1, y0 + 2);
    int length = x1 - x0;
    size_t bytes = sizeof(SoftTile) + ((size_t)length * (size_t)(y1 - y0) + 16) * sizeof(uint32_t);    /* the wide code writes over the end of a row */
    SoftTile *tile = mem_zeroed(1, bytes);
    tile->bytes = bytes;
    tile->low = (uint32_t)x0 | (uint32_t)y0 << 16;
    tile->most = (uint32_t)(length - 2) | (uint32_t)(y1 - y0 - 2) << 16;
    tile->pitch = 1 | (uint32_t)length << 16;
    const SoftMip *mip = &paint->texture->mip[grid->level];
    double texel[2] = { (double)(1 << grid->level) / (1 << paint->texture->width_log), (double)(1 << grid->level) / (1 << paint->texture->height_log) };
    for (int y = y0; y < y1; y++) {
        double v = grid->origin[1] + (row * SOFT_TILE + y + 0.5) * texel[1], u = grid->origin[0] + (column * SOFT_TILE + x0 + 0.5) * texel[0];
        uint32_t at_row = (uint32_t)(row * SOFT_TILE + y) & mip->row_mask;
        SoftLightRow light = { .bright = paint->bright };
        for (int i = 0; i < 2; i++) {
            light.first[i] = (int32_t)CLAMP((grid->light.first[i] + grid->light.by_u[i] * u + grid->light.by_v[i] * v) * 65536, -1e9, 1e9);
            light.step[i] = (int32_t)CLAMP(grid->light.by_u[i] * texel[0] * 65536, -1e9, 1e9);
        }
        light.texels = mip->texels + ((size_t)at_row << mip->width_log) + at_row;
        light.column = (uint32_t)(column * SOFT_TILE + x0);
        light.column_mask = mip->column_mask;
        soft_light_row(mode, paint->page, &light, length, tile->texels + (y - y0) * length);
    }
    return tile;
}

const SoftTile *soft_cache_tile(const SoftMode *mode, const SoftPaint *paint, const SoftGrid *constant, int column, int row) {
    SoftCache *cache = mode->cache;
    SoftGrid *grid = (SoftGrid *)constant;    /* its tiles are atomic: all threads may fill them */
    if (column < 0 || row < 0 || column >= grid->tiles[0] || row >= grid->tiles[1])
        return NULL;
    _Atomic(SoftTile *) *place = &grid->tile[row * grid->tiles[0] + column];
    SoftTile *tile = atomic_load_explicit(place, memory_order_acquire), *none = NULL;
    if (!tile) {
        tile = lit_tile(mode, paint, grid, column, row);
        if (grid->baked)
            soft_bake_tile(mode, paint, grid, tile, column, row);
        tile->place = place;
        tile->born = cache->stamp;
        if (!atomic_compare_exchange_strong(place, &none, tile)) {
            mem_free(tile);
            tile = none;
        } else {
            lock_write(&cache->lock);
            *array_push(&cache->tiles) = tile;
            cache->bytes += tile->bytes;
            lock_give(&cache->lock);
        }
    }
    if (atomic_load_explicit(&tile->used, memory_order_relaxed) != cache->stamp)
        atomic_store_explicit(&tile->used, cache->stamp, memory_order_relaxed);
    return tile;
}

static const SoftTile *tile_at(const SoftMode *mode, const SoftPaint *paint, const SoftGrid *grid, int column, int row) {
    return paint->glow ? soft_glow_tile(mode, paint, grid, column, row) : soft_cache_tile(mode, paint, grid, column, row);
}

/* Texels beyond those of the surface are asked for where a block reaches over its border: its outermost ones stand for them. */
static void find_tiles(const SoftMode *mode, const SoftPaint *paint, const double low[2], const double high[2], SoftBlock *block) {
    static const double tile_size = SOFT_TILE * 65536.0, farthest = 1e9;    /* of 2^31 */
    const SoftGrid *grid = soft_cache_grid(mode->cache, paint, block->level, block->baked);
    block->tile[0] = block->tile[1] = block->tile[2] = block->tile[3] = NULL;
    if (!grid->tiles[0])
        return;
    int first[2], last[2];
    double scale = 1.0 / (1 << block->level), reach[2][2];
    for (int k = 0; k < 2; k++) {
        block->less[k * 2] = (paint->eye[k] + paint->lit[k]) * scale - (mode->bilinear ? 32768 : 0);
        reach[k][0] = low[k] * scale + block->less[k * 2];
        reach[k][1] = high[k] * scale + block->less[k * 2];
        if (!(fabs(reach[k][0]) < 1e15 && fabs(reach[k][1]) < 1e15))
            return;
        first[k] = (int)CLAMP(reach[k][0] * (1 / tile_size), grid->first[k], grid->tiles[k] - 1);
        bool inside = reach[k][1] < first[k] * tile_size + (SOFT_TILE + SOFT_APRON - 1) * 65536.0;
        last[k] = inside ? first[k] : (int)CLAMP(reach[k][1] * (1 / tile_size), grid->first[k], grid->tiles[k] - 1);
        if (last[k] - first[k] > 1)
            return;
    }
    const SoftTile *tile = tile_at(mode, paint, grid, first[0], first[1]);
    for (int k = 0; k < 2; k++) {
        int texel = (int)(tile->low >> 16 * k & 0xffff);
        double base = first[k] * tile_size + texel * 65536.0;
        if (!(reach[k][0] - base > -farthest && reach[k][1] - base < farthest))
            return;
        block->less[k * 2] = block->less[k * 2 + 1] = block->less[k * 2] - base;
        block->edge[k] = (SOFT_TILE - texel) << 16;
    }
    block->scale = scale;
    block->tile[0] = tile;
    bool right = last[0] > first[0], below = last[1] > first[1];
    block->tile[1] = right ? tile_at(mode, paint, grid, last[0], first[1]) : NULL;
    block->tile[2] = below ? tile_at(mode, paint, grid, first[0], last[1]) : NULL;
    block->tile[3] = right && below ? tile_at(mode, paint, grid, last[0], last[1]) : NULL;
}

void soft_cache_block(const SoftMode *mode, const SoftPaint *paint, const double low[2], const double high[2], SoftBlock *block) {
    find_tiles(mode, paint, low, high, block);
    if (paint->glow && !block->tile[0])
        paint->glow->missed = true;
}
