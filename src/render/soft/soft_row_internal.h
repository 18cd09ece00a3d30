/* render/soft/soft_row_internal.h -- the wide code of rows, written once over a few operations on WIDE pixels.
 *
 * soft_row_sse2.c and soft_row_avx2.c say what those operations are and include this. Everything in it gives the bits of
 * soft_cell.c: the same IEEE operations in the same order, then whole numbers. Colours are two vectors of 16-bit numbers,
 * red and blue in one, green and alpha in the other. */

/* Sanitized builds are for faults, not for speed: there the code is compiled once, not once for each combination. */
#if defined(__SANITIZE_ADDRESS__) || defined(__clang__)
#define INLINE static inline
#else
#define INLINE static inline __attribute__((always_inline))
#endif

/* A chunk of a row is a few cells whose ends are worked out together, four at a time: divisions take long, but many may
 * be on their way at once. */
enum { CHUNK_CELLS = 8, CHUNK_PARTS = CHUNK_CELLS * 2, CHUNK_ENDS = CHUNK_PARTS + 4 };

typedef enum WideKind { PART_STRANGE, PART_DIVIDED, PART_EVEN } WideKind;

typedef struct WideRow {
    const SoftMode *mode;
    const SoftPaint *paint;
    int y;
    double row_iz, row_lane[LANES];  /* at x 0 */
    double iz[CHUNK_ENDS], value[LANES][CHUNK_ENDS], down[2][CHUNK_ENDS];    /* by end: as End of soft_cell.c */
    uint8_t kind[CHUNK_PARTS + 4], level[CHUNK_PARTS + 4];                   /* by part */
    double most[CHUNK_PARTS + 4];
    const SoftTile *tiles[CHUNK_PARTS];    /* of the cache; u and v at both ends of the part in it */
    int ends[CHUNK_PARTS][4];
    const SoftTile *tile;            /* of the cache, where the part before was; its level and place */
    int tile_at[3];
} WideRow;

INLINE int lanes_for(int style) { return style == STYLE_LIGHTMAP ? 4 : style == STYLE_VERTEX ? LANES : 2; }

INLINE void row_begin(WideRow *row, const SoftMode *mode, const SoftPaint *paint, int y, int style) {
    row->mode = mode;
    row->paint = paint;
    row->y = y;
    row->row_iz = paint->iz_y * y + paint->iz_c;
    row->tile = NULL;
    for (int i = 0; i < lanes_for(style); i++)
        row->row_lane[i] = paint->y[i] * y + paint->c[i];
}

INLINE void sky_ends(WideRow *row, int x, int divide, int count) {
    const SoftTexture *texture = row->paint->texture;
    for (int k = 0; k < count; k++) {
        double at[2];
        soft_sky_place(row->paint->sky, x + k * divide, row->y, at);
        row->iz[k] = 1;
        row->value[LANE_U][k] = at[0] * (65536.0 * (1 << texture->width_log));
        row->value[LANE_V][k] = at[1] * (65536.0 * (1 << texture->height_log));
        row->down[0][k] = row->down[1][k] = 0;
    }
}

/* The first `lanes` lanes at `count` ends, those from x on. */
INLINE void chunk_ends(WideRow *row, int x, int divide, int count, int lanes) {
    const SoftPaint *paint = row->paint;
    D4 at = d_add(d_set(x), d_mul(d_index(0), d_set(divide))), more = d_set(4 * divide), iz_x = d_set(paint->iz_x), iz = d_set(row->row_iz);
    D4 iz_y = d_set(paint->iz_y);
    for (int k = 0; k < count; k += 4) {
        D4 here = d_add(iz, d_mul(iz_x, at)), inverse = d_divide(d_set(1), here);
        d_store(row->iz + k, here);
        for (int i = 0; i < lanes; i++) {
            D4 offset = d_mul(d_add(d_set(row->row_lane[i]), d_mul(d_set(paint->x[i]), at)), inverse);
            d_store(row->value[i] + k, d_add(offset, d_set(paint->eye[i])));
            if (i < 2)
                d_store(row->down[i] + k, d_mul(d_sub(d_set(paint->y[i]), d_mul(offset, iz_y)), inverse));
        }
        at = d_add(at, more);
    }
}

/* As steps_between of soft_cell.c, for `count` parts. */
INLINE void chunk_kinds(WideRow *row, int divide, int count, int style) {
    D4 part = d_set(divide == 8 ? 1.0 / 8 : 1.0 / 16), half = d_set(0.5), zero = d_set(0);
    int last = row->paint->texture->levels - 1;
    for (int k = 0; k < count; k += 4) {
        D4 a = d_load(row->iz + k), b = d_load(row->iz + k + 1), sum = d_add(a, b), change = d_abs(d_sub(a, b));
        int valid = d_all_of(d_less(zero, a), d_less(zero, b), d_not_more(d_mul(change, d_set(3)), sum));
        D4 run_u = d_sub(d_load(row->value[0] + k + 1), d_load(row->value[0] + k)), run_v = d_sub(d_load(row->value[1] + k + 1), d_load(row->value[1] + k));
        D4 across_u = d_mul(run_u, part), across_v = d_mul(run_v, part);
        D4 down_u = d_mul(d_add(d_load(row->down[0] + k), d_load(row->down[0] + k + 1)), half);
        D4 down_v = d_mul(d_add(d_load(row->down[1] + k), d_load(row->down[1] + k + 1)), half);
        D4 across = d_add(d_mul(across_u, across_u), d_mul(across_v, across_v)), down = d_add(d_mul(down_u, down_u), d_mul(down_v, down_v));
        float square[4];
        d_floats(square, d_mul(d_max(across, down), d_set(1.0 / 65536 / 65536)));
        D4 most = d_max(d_max(zero, d_abs(run_u)), d_abs(run_v));
        double wrong[4], allowed[4];
        d_store(row->most + k, most);
        d_store(wrong, d_mul(change, most));
        d_store(allowed, d_mul(d_mul(sum, half), d_set(65536)));
        for (int i = 0; i < 4; i++) {
            uint32_t bits;
            memcpy(&bits, &square[i], sizeof bits);
            int level = ((int)(bits >> 23 & 255) - 126) >> 1;
            level = level < 0 ? 0 : level > last ? last : level;
            row->level[k + i] = (uint8_t)level;
            bool even = style == STYLE_SKY || wrong[i] <= allowed[i] * (1 << level);
            row->kind[k + i] = (uint8_t)(!(valid >> i & 1) ? PART_STRANGE : even ? PART_EVEN : PART_DIVIDED);
        }
    }
}


typedef struct Color { V rb, ga; } Color;

INLINE Color color_of(V pixels) {
    V mask = v_set(0x00ff00ff);
    return (Color){ v_and(pixels, mask), v_and(v_right(pixels, 8), mask) };
}

INLINE Color color_mix(Color a, Color b, V part) {
    return (Color){ h_mix(a.rb, b.rb, part), h_mix(a.ga, b.ga, part) };
}

INLINE V both_halves(V part) { return v_or(part, v_left(part, 16)); }    /* for the two numbers of a pixel */

INLINE Color wide_texel(const SoftMip *mip, int level, V u, V v, bool bilinear) {
    V columns = v_set((int)mip->column_mask), rows = v_set((int)mip->row_mask);
    if (!bilinear) {
        V column = v_and(v_right_by(u, 16 + level), columns), row = v_and(v_right_by(v, 16 + level), rows);
        return color_of(v_gather(mip->texels, v_add(v_add(v_left_by(row, mip->width_log), row), column)));
    }
    V half = v_set((int)(0x8000u << level));
    u = v_sub(u, half);
    v = v_sub(v, half);
    V column = v_and(v_right_by(u, 16 + level), columns), row = v_and(v_right_by(v, 16 + level), rows);
    V below = v_and(v_add(row, v_set(1)), rows), byte = v_set(255);
    V part_u = both_halves(v_and(v_right_by(u, 8 + level), byte)), part_v = both_halves(v_and(v_right_by(v, 8 + level), byte));
    V left, right, left_below, right_below;
    v_gather_pairs(mip->texels, v_add(v_add(v_left_by(row, mip->width_log), row), column), &left, &right);
    v_gather_pairs(mip->texels, v_add(v_add(v_left_by(below, mip->width_log), below), column), &left_below, &right_below);
    part_u = h_part(part_u);
    Color top = color_mix(color_of(left), color_of(right), part_u), bottom = color_mix(color_of(left_below), color_of(right_below), part_u);
    return color_mix(top, bottom, h_part(part_v));
}

INLINE Color wide_light(const uint32_t *page, V u, V v) {
    V half = v_set(0x8000), last = v_set((LIGHTMAP_SIZE << 16) - 1), byte = v_set(255);
    u = v_clamp(v_sub(u, half), last);
    v = v_clamp(v_sub(v, half), last);
    V column = v_right(u, 16), row = v_right(v, 16), at = v_add(v_add(v_left(row, 7), row), column);
    V part_u = h_part(both_halves(v_and(v_right(u, 8), byte))), part_v = h_part(both_halves(v_and(v_right(v, 8), byte)));
    V left, right, left_below, right_below;
    v_gather_pairs(page, at, &left, &right);
    v_gather_pairs(page + PAGE_PITCH, at, &left_below, &right_below);
    Color top = color_mix(color_of(left), color_of(right), part_u), bottom = color_mix(color_of(left_below), color_of(right_below), part_u);
    return color_mix(top, bottom, part_v);
}

INLINE V lit_half(V color, V light, bool bright) {
    V product = h_mul(color, light);
    if (bright)
        product = h_add_full(product, product);
    return h_min(h_mul_high(h_add_full(product, h_set(128)), h_set(257)), h_set(255));
}

/* 1 / (1 << level), without a division. */
INLINE double scale_of(int level) {
    uint64_t bits = (uint64_t)(1023 - level) << 52;
    double scale;
    memcpy(&scale, &bits, sizeof scale);
    return scale;
}

INLINE V packed(Color color) { return v_or(color.rb, v_left(color.ga, 8)); }


typedef struct Part { V lane[LANES], step[LANES]; int level; } Part;    /* of WIDE pixels, and the step to the next WIDE */

INLINE V wide_pixels(const SoftMode *mode, const SoftPaint *paint, const Part *part, int style, bool bilinear) {
    Color color = wide_texel(&paint->texture->mip[part->level], part->level, part->lane[LANE_U], part->lane[LANE_V], bilinear), out = color;
    Color light = { h_set(255), h_set(255) };
    if (style == STYLE_LIGHTMAP) {
        light = wide_light(paint->page, part->lane[LANE_LIGHT_U], part->lane[LANE_LIGHT_V]);
    } else if (style == STYLE_VERTEX) {
        V low = v_set(0xffff);
        V rb = v_or(v_and(v_right_signed(part->lane[LANE_RED], 16), low), v_left(v_right_signed(part->lane[LANE_BLUE], 16), 16));
        V ga = v_and(v_right_signed(part->lane[LANE_GREEN], 16), low);
        light = (Color){ h_min(h_max(rb, h_set(0)), h_set(255)), h_min(h_max(ga, h_set(0)), h_set(255)) };
    }
    if (style != STYLE_TEXTURE && style != STYLE_SKY) {
        out.rb = lit_half(color.rb, light.rb, mode->bright);
        out.ga = lit_half(color.ga, light.ga, mode->bright);
    }
    return v_or(v_and(packed(out), v_set(0x00ffffff)), v_left(v_right(color.ga, 16), 24));    /* alpha is the texture's */
}

/* Whole lanes between the ends of part `p`; as steps_even. */
INLINE void wide_steps(const WideRow *row, int p, int divide, int lanes, Part *part) {
    for (int i = 0; i < lanes; i += 2) {
        int ends[4];
        d_whole(ends, d_pairs(row->value[i] + p, row->value[i + 1] + p));
        for (int k = 0; k < 2; k++) {
            int step = (int)((uint32_t)ends[k * 2 + 1] - (uint32_t)ends[k * 2]) >> (divide == 8 ? 3 : 4);
            part->lane[i + k] = v_add(v_set(ends[k * 2]), v_mul_index(step));
            part->step[i + k] = v_set((int)((uint32_t)step * WIDE));
        }
    }
}

/* Lanes of WIDE pixels from x on, with a division each. */
INLINE void wide_divided(const WideRow *row, int x, int lanes, Part *part) {
    const SoftPaint *paint = row->paint;
    int whole[LANES][WIDE] __attribute__((aligned(32)));
    for (int group = 0; group < WIDE; group += 4) {
        D4 at = d_index(x + group), inverse = d_divide(d_set(1), d_add(d_set(row->row_iz), d_mul(d_set(paint->iz_x), at)));
        for (int i = 0; i < lanes; i++) {
            D4 offset = d_mul(d_add(d_set(row->row_lane[i]), d_mul(d_set(paint->x[i]), at)), inverse);
            d_whole(whole[i] + group, d_add(offset, d_set(paint->eye[i])));
        }
    }
    for (int i = 0; i < lanes; i++)
        part->lane[i] = v_load((const uint32_t *)whole[i]);
}

INLINE V alpha_passes(V pixels, float threshold) {
    int limit = (int)((threshold < 0 ? -threshold : threshold) * 255 + 0.5f);
    V alpha = v_right(pixels, 24), below = v_less(alpha, v_set(limit));
    return threshold < 0 ? below : v_not(below);
}

INLINE V over_half(V color, V below, V alpha, V rest) {
    V sum = h_add(h_add(h_mul(color, alpha), h_mul(below, rest)), h_set(127));
    return h_right(h_add(h_add(sum, h_set(1)), h_right(sum, 8)), 8);    /* a division by 255 */
}

/* Pixels by their alpha over those that are there. */
INLINE V wide_over(V pixels, V below) {
    V alpha = both_halves(v_right(pixels, 24)), rest = h_sub(h_set(255), alpha);
    Color from = color_of(pixels), to = color_of(below);
    return packed((Color){ over_half(from.rb, to.rb, alpha, rest), over_half(from.ga, to.ga, alpha, rest) });
}

INLINE const SoftTile *wide_tile(WideRow *row, int level, int column, int line) {
    if (row->tile && row->tile_at[0] == level && row->tile_at[1] == column && row->tile_at[2] == line)
        return row->tile;
    const SoftGrid *grid = soft_cache_grid(row->mode->cache, row->paint->surface, row->paint->texture, level);
    row->tile = soft_cache_tile(row->mode, row->paint, grid, column, line);
    row->tile_at[0] = level;
    row->tile_at[1] = column;
    row->tile_at[2] = line;
    return row->tile;
}

INLINE V tile_pixels(const SoftTile *tile, V u, V v, bool bilinear) {
    V at = v_or(v_and(v_right(u, 16), v_set(SOFT_TILE - 1)), v_and(v, v_set((SOFT_TILE - 1) << 16)));
    at = h_min(h_sub_full(at, v_set((int)tile->low)), v_set((int)tile->most));
    at = h_mul_pairs(at, v_set((int)tile->pitch));
    if (!bilinear)
        return v_gather(tile->texels, at);
    V byte = v_set(255), part_u = h_part(both_halves(v_and(v_right(u, 8), byte))), part_v = h_part(both_halves(v_and(v_right(v, 8), byte)));
    V left, right, left_below, right_below;
    v_gather_pairs(tile->texels, at, &left, &right);
    v_gather_pairs(tile->texels + (tile->pitch >> 16), at, &left_below, &right_below);
    Color top = color_mix(color_of(left), color_of(right), part_u), bottom = color_mix(color_of(left_below), color_of(right_below), part_u);
    return packed(color_mix(top, bottom, part_v));
}

/* As steps_cached of soft_cell.c: the tile that holds the whole part; NULL: there is none. */
INLINE const SoftTile *part_tile(WideRow *row, int p, bool bilinear, int ends[4]) {
    const SoftPaint *paint = row->paint;
    int level = row->level[p];
    double scale = scale_of(level);
    if (row->kind[p] != PART_EVEN || !(row->most[p] * scale < 268435456.0))
        return NULL;
    D4 lit = d_four(paint->lit[0], paint->lit[0], paint->lit[1], paint->lit[1]);
    d_whole(ends, d_sub(d_mul(d_add(d_pairs(row->value[0] + p, row->value[1] + p), lit), d_set(scale)), d_set(bilinear ? 32768 : 0)));
    if ((ends[0] ^ ends[1]) >> (16 + SOFT_TILE_LOG) || (ends[2] ^ ends[3]) >> (16 + SOFT_TILE_LOG))
        return NULL;
    return wide_tile(row, level, ends[0] >> (16 + SOFT_TILE_LOG), ends[2] >> (16 + SOFT_TILE_LOG));
}

/* Asks for the memory of a texel, which is seldom near the processor. */
INLINE void fetch_texel(const SoftTile *tile, int u, int v, bool bilinear) {
    int x = (u >> 16 & (SOFT_TILE - 1)) - (int)(tile->low & 0xffff), y = (v >> 16 & (SOFT_TILE - 1)) - (int)(tile->low >> 16);
    const uint32_t *at = tile->texels + y * (int)(tile->pitch >> 16) + x;
    __builtin_prefetch(at);
    if (bilinear)
        __builtin_prefetch(at + (tile->pitch >> 16));
}

/* The tiles of a chunk's parts. */
INLINE void chunk_tiles(WideRow *row, int parts, bool bilinear) {
    for (int p = 0; p < parts; p++) {
        int *ends = row->ends[p];
        const SoftTile *tile = row->tiles[p] = part_tile(row, p, bilinear, ends);
        if (!tile)
            continue;
        fetch_texel(tile, ends[0], ends[2], bilinear);
        fetch_texel(tile, ends[1], ends[3], bilinear);
    }
}

INLINE void wide_cached(const WideRow *row, int p, const V *masks, V *pixels, bool bilinear, int divide) {
    const int *ends = row->ends[p];
    int shift = divide == 8 ? 3 : 4;
    int step_u = (int)((uint32_t)ends[1] - (uint32_t)ends[0]) >> shift, step_v = (int)((uint32_t)ends[3] - (uint32_t)ends[2]) >> shift;
    V u = v_add(v_set(ends[0]), v_mul_index(step_u)), v = v_add(v_set(ends[2]), v_mul_index(step_v));
    V more_u = v_set((int)((uint32_t)step_u * WIDE)), more_v = v_set((int)((uint32_t)step_v * WIDE));
    for (int i = 0; i < divide / WIDE; i++) {
        if (!masks || v_any(masks[i]))
            pixels[i] = tile_pixels(row->tiles[p], u, v, bilinear);
        u = v_add(u, more_u);
        v = v_add(v, more_v);
    }
}

/* The light lanes of one part, where most parts had no need of them. */
INLINE void light_ends(WideRow *row, int x, int p, int divide) {
    const SoftPaint *paint = row->paint;
    for (int k = p; k < p + 2; k++) {
        double at = x + (k - p) * divide, inverse = 1 / (row->row_iz + paint->iz_x * at);
        for (int i = 2; i < 4; i++)
            row->value[i][k] = (row->row_lane[i] + paint->x[i] * at) * inverse + paint->eye[i];
    }
}

/* The pixels of part `p`, `divide` of them from x on; those that `masks` leaves out may be anything (NULL: all count). */
INLINE void wide_part(WideRow *row, int p, int x, const V *masks, V *pixels, int style, bool bilinear, int divide) {
    int lanes = lanes_for(style);
    if (style == STYLE_LIGHTMAP && row->paint->cached && row->kind[p] == PART_EVEN) {
        if (row->tiles[p]) {
            wide_cached(row, p, masks, pixels, bilinear, divide);
            return;
        }
        light_ends(row, x, p, divide);
    }
    Part part = { .level = row->level[p] };
    if (__builtin_expect(row->kind[p] == PART_EVEN, 1)) {
        wide_steps(row, p, divide, lanes, &part);
        for (int i = 0; i < divide / WIDE; i++) {
            if (!masks || v_any(masks[i]))
                pixels[i] = wide_pixels(row->mode, row->paint, &part, style, bilinear);
            for (int k = 0; k < lanes; k++)
                part.lane[k] = v_add(part.lane[k], part.step[k]);
        }
    } else if (row->kind[p] == PART_DIVIDED) {
        for (int i = 0; i < divide / WIDE; i++) {
            if (masks && !v_any(masks[i]))
                continue;
            wide_divided(row, x + i * WIDE, lanes, &part);
            pixels[i] = wide_pixels(row->mode, row->paint, &part, style, bilinear);
        }
    } else {
        uint32_t strange[CELL] __attribute__((aligned(32)));
        soft_strange_pixels(row->mode, row->paint, row->y, x, divide, strange);
        for (int i = 0; i < divide / WIDE; i++)
            pixels[i] = v_load(strange + i * WIDE);
    }
}

/* Cell `c` of the chunk: 16 pixels of the row from x on. */
INLINE void wide_cell(WideRow *row, int c, int x, const V *masks, V *pixels, int style, bool bilinear, int divide) {
    if (style == STYLE_FLAT) {
        for (int i = 0; i < CELL / WIDE; i++)
            pixels[i] = v_set((int)row->paint->flat);
        return;
    }
    for (int first = 0; first < CELL; first += divide) {
        bool any = !masks;
        for (int i = first / WIDE; i < (first + divide) / WIDE && !any; i++)
            any = v_any(masks[i]);
        if (any)
            wide_part(row, (c * CELL + first) / divide, x + first, masks ? masks + first / WIDE : NULL, pixels + first / WIDE, style, bilinear, divide);
    }
}

INLINE void chunk_begin(WideRow *row, int x, int cells, int style, bool bilinear, int divide) {
    int parts = cells * CELL / divide;
    if (style == STYLE_FLAT)
        return;
    if (style == STYLE_SKY)
        sky_ends(row, x, divide, parts + 1);
    else if (style == STYLE_LIGHTMAP && row->paint->cached)
        chunk_ends(row, x, divide, parts + 1, 2);
    else
        chunk_ends(row, x, divide, parts + 1, lanes_for(style));
    chunk_kinds(row, divide, parts, style);
    if (style == STYLE_LIGHTMAP && row->paint->cached)
        chunk_tiles(row, parts, bilinear);
}

INLINE V tested_mask(V mask, F z, const float *depth, SoftTest test) {
    if (test == TEST_NEARER)
        return v_and(mask, f_greater(z, f_load(depth)));
    return test == TEST_NOT_FARTHER ? v_and(mask, f_not_less(z, f_load(depth))) : mask;
}

INLINE void wide_styled(const SoftTarget *target, const SoftMode *mode, const SoftPaint *paint, int y, int x0, int x1, SoftTest test, int style, bool bilinear,
                        int divide) {
    enum { VECTORS = CELL / WIDE };
    WideRow row;
    row_begin(&row, mode, paint, y, style);
    F step = f_set((float)paint->iz_x);
    V solid = v_set((int)0xff000000u);
    for (int from = x0 & ~(CELL - 1); from < x1; from += CHUNK_CELLS * CELL) {
        int cells = MIN((x1 - from + CELL - 1) / CELL, CHUNK_CELLS);
        bool begun = test == TEST_NONE;
        if (begun)
            chunk_begin(&row, from, cells, style, bilinear, divide);
        for (int c = 0; c < cells; c++) {
            int x = from + c * CELL;
            size_t at = (size_t)y * (size_t)target->pitch + (size_t)x;
            uint32_t *color = target->color + at;
            float *depth = target->depth + at;
            F first = f_set((float)(row.row_iz + paint->iz_x * x)), z[VECTORS];
            V masks[VECTORS], pixels[VECTORS];
            for (int i = 0; i < VECTORS; i++)
                z[i] = f_add(first, f_mul(f_index(i * WIDE), step));
            if (test == TEST_NONE && x >= x0 && x + CELL <= x1) {
                wide_cell(&row, c, x, NULL, pixels, style, bilinear, divide);
                for (int i = 0; i < VECTORS; i++) {
                    v_store(color + i * WIDE, v_or(pixels[i], solid));
                    f_store(depth + i * WIDE, z[i]);
                }
                continue;
            }
            bool any = false;
            for (int i = 0; i < VECTORS; i++) {
                masks[i] = tested_mask(v_between(x + i * WIDE, x0, x1), z[i], depth + i * WIDE, test);
                any = any || v_any(masks[i]);
                pixels[i] = solid;
            }
            if (!any)
                continue;
            if (!begun)    /* most of what is tested is hidden: nothing is worked out before something is seen */
                chunk_begin(&row, from, cells, style, bilinear, divide);
            begun = true;
            wide_cell(&row, c, x, masks, pixels, style, bilinear, divide);
            for (int i = 0; i < VECTORS; i++) {
                if (test != TEST_NONE && paint->alpha_test != 0)
                    masks[i] = v_and(masks[i], alpha_passes(pixels[i], paint->alpha_test));
                V below = v_load(color + i * WIDE);
                if (test != TEST_NONE && paint->blend == BLEND_ALPHA)
                    pixels[i] = wide_over(pixels[i], below);
                v_store(color + i * WIDE, v_choose(masks[i], v_or(pixels[i], solid), below));
                if (test == TEST_NONE || !paint->keeps_depth)
                    f_store(depth + i * WIDE, f_choose(masks[i], z[i], f_load(depth + i * WIDE)));
            }
        }
    }
}

/* The combinations that are worth code of their own. */
#define WIDE_CASE(style)                                                                                             \
    static void JOIN(WIDE_ROW, style)(const SoftTarget *target, const SoftMode *mode, const SoftPaint *paint, int y, \
                                      int x0, int x1, SoftTest test) {                                               \
        if (mode->bilinear && mode->divide == 16 && test == TEST_NONE)                                               \
            wide_styled(target, mode, paint, y, x0, x1, TEST_NONE, style, true, 16);                                 \
        else if (mode->divide == 16 && test == TEST_NONE)                                                            \
            wide_styled(target, mode, paint, y, x0, x1, TEST_NONE, style, false, 16);                                \
        else if (mode->bilinear && mode->divide == 16)                                                               \
            wide_styled(target, mode, paint, y, x0, x1, test, style, true, 16);                                      \
        else if (mode->divide == 16)                                                                                 \
            wide_styled(target, mode, paint, y, x0, x1, test, style, false, 16);                                     \
        else if (mode->bilinear)                                                                                     \
            wide_styled(target, mode, paint, y, x0, x1, test, style, true, 8);                                       \
        else                                                                                                         \
            wide_styled(target, mode, paint, y, x0, x1, test, style, false, 8);                                      \
    }
#define JOIN_(a, b) a##_##b
#define JOIN(a, b)  JOIN_(a, b)
WIDE_CASE(STYLE_LIGHTMAP)
WIDE_CASE(STYLE_VERTEX)
WIDE_CASE(STYLE_BRIGHT)
WIDE_CASE(STYLE_TEXTURE)
WIDE_CASE(STYLE_SKY)

void WIDE_ROW(const SoftTarget *target, const SoftMode *mode, const SoftPaint *paint, int y, int x0, int x1, SoftTest test) {
    switch (paint->style) {
    case STYLE_LIGHTMAP: JOIN(WIDE_ROW, STYLE_LIGHTMAP)(target, mode, paint, y, x0, x1, test); break;
    case STYLE_VERTEX: JOIN(WIDE_ROW, STYLE_VERTEX)(target, mode, paint, y, x0, x1, test); break;
    case STYLE_BRIGHT: JOIN(WIDE_ROW, STYLE_BRIGHT)(target, mode, paint, y, x0, x1, test); break;
    case STYLE_SKY: JOIN(WIDE_ROW, STYLE_SKY)(target, mode, paint, y, x0, x1, test); break;
    case STYLE_FLAT: wide_styled(target, mode, paint, y, x0, x1, test, STYLE_FLAT, false, 16); break;
    default: JOIN(WIDE_ROW, STYLE_TEXTURE)(target, mode, paint, y, x0, x1, test); break;
    }
}

void WIDE_LIGHT_ROW(const SoftMode *mode, const uint32_t *page, const SoftLightRow *row, int count, uint32_t *out) {
    V u = v_add(v_set(row->first[0]), v_mul_index(row->step[0])), v = v_add(v_set(row->first[1]), v_mul_index(row->step[1]));
    V more_u = v_set((int)((uint32_t)row->step[0] * WIDE)), more_v = v_set((int)((uint32_t)row->step[1] * WIDE));
    V column = v_add(v_set((int)row->column), v_mul_index(1)), mask = v_set((int)row->column_mask);
    for (int k = 0; k < count; k += WIDE) {
        V texels = v_gather(row->texels, v_and(column, mask));
        Color color = color_of(texels), light = wide_light(page, u, v), out_color = { lit_half(color.rb, light.rb, mode->bright), lit_half(color.ga, light.ga, mode->bright) };
        v_store_anywhere(out + k, v_or(v_and(packed(out_color), v_set(0x00ffffff)), v_and(texels, v_set((int)0xff000000u))));
        u = v_add(u, more_u);
        v = v_add(v, more_v);
        column = v_add(column, v_set(WIDE));
    }
}
