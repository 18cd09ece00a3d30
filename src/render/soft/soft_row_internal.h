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

/* So many blocks are made at once; longer rows are drawn in as many runs. */
enum { RUN_CELLS = 64, RUN_BLOCKS = RUN_CELLS * 2, RUN_ENDS = RUN_BLOCKS + 8 };

typedef struct WideRow {
    const SoftMode *mode;
    const SoftPaint *paint;
    int y;
    double row_iz, row_lane[LANES];  /* at x 0 */
} WideRow;

/* Lanes less what they are at the eye, at ends of one row. */
typedef struct WideEnds { double iz[RUN_ENDS], offset[2][RUN_ENDS]; } WideEnds;

INLINE int lanes_for(int style) {
    return style == STYLE_LIGHTMAP || style == STYLE_STAGE_LIGHT ? 4 : style == STYLE_VERTEX || style == STYLE_COLOR ? LANES : 2;
}

INLINE void row_begin(WideRow *row, const SoftMode *mode, const SoftPaint *paint, int y, int style) {
    row->mode = mode;
    row->paint = paint;
    row->y = y;
    row->row_iz = paint->iz_y * y + paint->iz_c;
    for (int i = 0; i < lanes_for(style); i++)
        row->row_lane[i] = paint->y[i] * y + paint->c[i];
}

INLINE void sky_place(const SoftPaint *paint, int x, int y, double out[2]) {
    soft_sky_place(paint->sky, x, y, out);
    out[0] *= 65536.0 * (1 << paint->texture->width_log);
    out[1] *= 65536.0 * (1 << paint->texture->height_log);
}

INLINE void make_ends(const SoftMode *mode, const SoftPaint *paint, int x, int y, int count, int style, int divide, WideEnds *out) {
    if (style == STYLE_SKY) {
        for (int k = 0; k < count; k++) {
            double at[2];
            sky_place(paint, x + k * divide, y, at);
            out->iz[k] = 1;
            out->offset[0][k] = at[0];
            out->offset[1][k] = at[1];
        }
        return;
    }
    WideRow row;
    row_begin(&row, mode, paint, y, STYLE_TEXTURE);
    D4 at = d_add(d_set(x), d_mul(d_index(0), d_set(divide))), more = d_set(4 * divide), iz_x = d_set(paint->iz_x), iz = d_set(row.row_iz);
    for (int k = 0; k < count; k += 4) {
        D4 here = d_add(iz, d_mul(iz_x, at)), inverse = d_divide(d_set(1), here);
        d_store(out->iz + k, here);
        for (int i = 0; i < 2; i++)
            d_store(out->offset[i] + k, d_mul(d_add(d_set(row.row_lane[i]), d_mul(d_set(paint->x[i]), at)), inverse));
        at = d_add(at, more);
    }
}

/* What four blocks are measured by, as in block_measure of soft_cell.c. */
typedef struct Measure { double low[2][4], high[2][4], wrong[4], allowed[4]; float square[4]; int fine; } Measure;

INLINE void measure_four(const WideEnds *top, const WideEnds *bottom, int k, double turn, int divide, Measure *out) {
    D4 a = d_load(top->iz + k), b = d_load(top->iz + k + 1), c = d_load(bottom->iz + k), d = d_load(bottom->iz + k + 1);
    D4 nearest = d_max(d_max(a, b), d_max(c, d)), farthest = d_min(d_min(a, b), d_min(c, d));
    D4 most = d_set(0), across[2], down[2];
    for (int i = 0; i < 2; i++) {
        D4 e = d_load(top->offset[i] + k), f = d_load(top->offset[i] + k + 1), g = d_load(bottom->offset[i] + k), h = d_load(bottom->offset[i] + k + 1);
        D4 run = d_sub(f, e), lower_run = d_sub(h, g);
        across[i] = d_mul(d_add(run, lower_run), d_set(divide == 8 ? 0.5 / 8 : 0.5 / 16));
        down[i] = d_mul(d_add(d_sub(g, e), d_sub(h, f)), d_set(0.5 / BLOCK_ROWS));
        most = d_max(most, d_max(d_abs(run), d_abs(lower_run)));
        d_store(out->low[i], d_min(d_min(e, f), d_min(g, h)));
        d_store(out->high[i], d_max(d_max(e, f), d_max(g, h)));
    }
    D4 wide = d_add(d_mul(across[0], across[0]), d_mul(across[1], across[1])), high = d_add(d_mul(down[0], down[0]), d_mul(down[1], down[1]));
    d_floats(out->square, d_mul(d_max(wide, high), d_set(1.0 / 65536 / 65536)));
    d_store(out->wrong, d_mul(d_set(turn), most));
    d_store(out->allowed, d_mul(farthest, d_set(65536)));
    out->fine = d_both(d_less(d_set(0), farthest), d_not_more(d_mul(d_sub(nearest, farthest), d_set(3)), d_add(nearest, farthest)));
}

/* Whether all of a block is well inside the only tile of the one before it: soft_cache_block would find the same. */
INLINE bool same_tile(const SoftBlock *before, int level, const Measure *four, int i) {
    if (!before->tile[0] || before->tile[1] || before->tile[2] || before->level != level)
        return false;
    for (int k = 0; k < 2; k++) {
        double first = four->low[k][i] * before->scale + before->less[k * 2], last = four->high[k][i] * before->scale + before->less[k * 2];
        if (!(first > 1 && first < before->edge[k] - 1 && last < before->edge[k] + (SOFT_APRON - 1) * 65536.0 - 1))
            return false;
    }
    return true;
}

/* The blocks that lie under rows y & ~7 .. y | 7, `count` of them from x on; `near`: one of the paint that may lie in the
 * same tile as the first, NULL: none is known. */
INLINE void make_blocks(const SoftMode *mode, const SoftPaint *paint, int x, int y, int count, int style, int divide, const SoftBlock *near, SoftBlock *out) {
    WideEnds ends[2];
    int top = y & ~(BLOCK_ROWS - 1), last = paint->texture->levels - 1;
    for (int i = 0; i < 2; i++)
        make_ends(mode, paint, x, top + i * BLOCK_ROWS, count + 1, style, divide, &ends[i]);
    double turn = paint->iz_x < 0 ? -paint->iz_x * divide : paint->iz_x * divide;
    for (int k = 0; k < count; k += 4) {
        Measure four;
        measure_four(&ends[0], &ends[1], k, turn, divide, &four);
        for (int i = 0; i < 4 && k + i < count; i++) {
            SoftBlock *block = &out[k + i];
            uint32_t bits;
            memcpy(&bits, &four.square[i], sizeof bits);
            int level = ((int)(bits >> 23 & 255) - 126) >> 1;
            level = level < 0 ? 0 : level > last ? last : level;
            block->level = (uint8_t)level;
            bool even = style == STYLE_SKY || four.wrong[i] <= four.allowed[i] * (1 << level);
            block->kind = (uint8_t)(!(four.fine >> i & 1) ? BLOCK_STRANGE : even ? BLOCK_EVEN : BLOCK_DIVIDED);
            block->tile[0] = NULL;
            if (style != STYLE_LIGHTMAP || !paint->cached)
                continue;
            block->baked = soft_bakes(paint, level, four.square[i]);
            const SoftBlock *before = k + i > 0 ? block - 1 : near;
            if (before && block->kind != BLOCK_STRANGE && block->baked == before->baked && same_tile(before, level, &four, i)) {
                uint8_t kind = block->kind;
                *block = *before;
                block->kind = kind;
                continue;
            }
            block->scale = 0;    /* ramps are made whether they are asked for or not */
            memset(block->less, 0, sizeof block->less);
            if (block->kind != BLOCK_STRANGE)
                soft_cache_block(mode, paint, (double[2]){ four.low[0][i], four.low[1][i] }, (double[2]){ four.high[0][i], four.high[1][i] }, block);
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

/* As clamped_texel of soft_cell.c: beyond its border is its border. */
INLINE Color wide_clamped(const SoftMip *mip, int level, V u, V v, bool bilinear) {
    int half = bilinear ? (int)(0x8000u << level) : 0, more = bilinear ? 0 : (1 << (16 + level)) - 1;
    V last_u = v_set((int)(mip->column_mask << (16 + level)) + more), last_v = v_set((int)(mip->row_mask << (16 + level)) + more);
    u = v_add(v_clamp(v_sub(u, v_set(half)), last_u), v_set(half));
    v = v_add(v_clamp(v_sub(v, v_set(half)), last_v), v_set(half));
    return wide_texel(mip, level, u, v, bilinear);
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

INLINE V packed(Color color) { return v_or(color.rb, v_left(color.ga, 8)); }


INLINE V h_of_255(V sum) { return h_right(h_add(h_add(sum, h_set(1)), h_right(sum, 8)), 8); }    /* a division by 255 */

INLINE V colored_half(V color, V by) { return h_of_255(h_add(h_mul(color, by), h_set(127))); }

/* The vertices' colours, of whole numbers in lanes. */
INLINE Color wide_bytes(V red, V green, V blue, V alpha) {
    V low = v_set(0xffff), zero = h_set(0), most = h_set(255);
    V rb = v_or(v_and(v_right_signed(red, 16), low), v_left(v_right_signed(blue, 16), 16));
    V ga = v_or(v_and(v_right_signed(green, 16), low), v_left(v_right_signed(alpha, 16), 16));
    return (Color){ h_min(h_max(rb, zero), most), h_min(h_max(ga, zero), most) };
}

INLINE Color doubled_color(Color color) {    /* its alpha stays */
    V most = h_set(255), alpha = v_and(color.ga, v_set((int)0xffff0000u)), green = v_and(color.ga, v_set(0xffff));
    return (Color){ h_min(h_add(color.rb, color.rb), most), v_or(v_and(h_min(h_add(green, green), most), v_set(0xffff)), alpha) };
}

/* As fog_color of soft_cell.c. */
INLINE V wide_fog(uint32_t color, V amount, V part) {
    F square = f_mul(f_mul(f_from(amount), f_from(part)), f_set(8.0f / (65536.0f * HAZE_TEXELS) / (65536.0f * HAZE_TEXELS)));
    square = f_over(f_under(square, f_set(1)), f_set(0));
    V alpha = v_whole(f_add(f_mul(f_root(square), f_set(255)), f_set(0.5f)));
    return v_or(v_set((int)(color & 0x00ffffffu)), v_left(alpha, 24));
}

typedef struct Part { V lane[LANES], step[LANES]; int level; } Part;    /* of WIDE pixels, and the step to the next WIDE */

/* As staged of soft_cell.c. */
INLINE V wide_staged(const SoftPaint *paint, const Part *part, int style, bool bilinear) {
    const SoftMip *mip = &paint->texture->mip[part->level];
    V u = part->lane[LANE_U], v = part->lane[LANE_V];
    bool one = !(mip->column_mask | mip->row_mask);    /* white, most often */
    Color color = one              ? color_of(v_set((int)mip->texels[0]))
                  : paint->clamped ? wide_clamped(mip, part->level, u, v, bilinear)
                                   : wide_texel(mip, part->level, u, v, bilinear);
    if (style == STYLE_COLOR || paint->tint != 0xffffffffu) {
        Color by = style == STYLE_COLOR ? wide_bytes(part->lane[LANE_RED], part->lane[LANE_GREEN], part->lane[LANE_BLUE], part->lane[LANE_ALPHA])
                                        : color_of(v_set((int)paint->tint));
        color = (Color){ colored_half(color.rb, by.rb), colored_half(color.ga, by.ga) };
    }
    if (style == STYLE_STAGE_LIGHT) {
        Color light = wide_light(paint->page, part->lane[LANE_LIGHT_U], part->lane[LANE_LIGHT_V]);
        Color out = { lit_half(color.rb, light.rb, paint->bright), lit_half(color.ga, light.ga, paint->bright) };
        return v_or(v_and(packed(out), v_set(0x00ffffff)), v_left(v_right(color.ga, 16), 24));
    }
    return packed(paint->bright ? doubled_color(color) : color);
}

INLINE V wide_pixels(const SoftPaint *paint, const Part *part, int style, bool bilinear) {
    if (style == STYLE_FOG)
        return wide_fog(paint->flat, part->lane[LANE_U], part->lane[LANE_V]);
    if (style == STYLE_STAGE || style == STYLE_STAGE_LIGHT || style == STYLE_COLOR)
        return wide_staged(paint, part, style, bilinear);
    Color color = wide_texel(&paint->texture->mip[part->level], part->level, part->lane[LANE_U], part->lane[LANE_V], bilinear), out = color;
    Color light = { h_set(255), h_set(255) };
    if (style == STYLE_LIGHTMAP) {
        light = wide_light(paint->page, part->lane[LANE_LIGHT_U], part->lane[LANE_LIGHT_V]);
    } else if (style == STYLE_VERTEX) {
        light = wide_bytes(part->lane[LANE_RED], part->lane[LANE_GREEN], part->lane[LANE_BLUE], v_set(0));
    }
    if (style == STYLE_LIGHTMAP || style == STYLE_VERTEX) {
        out.rb = lit_half(color.rb, light.rb, paint->bright);
        out.ga = lit_half(color.ga, light.ga, paint->bright);
    }
    return v_or(v_and(packed(out), v_set(0x00ffffff)), v_left(v_right(color.ga, 16), 24));    /* alpha is the texture's */
}

/* x and x + divide, for each of two lanes. */
INLINE D4 both_ends(int x, int divide) { return d_add(d_set(x), d_four(0, divide, 0, divide)); }

INLINE D4 inverse_at(const WideRow *row, D4 at) { return d_divide(d_set(1), d_add(d_set(row->row_iz), d_mul(d_set(row->paint->iz_x), at))); }

/* Lanes i and i + 1, less what they are at the eye. */
INLINE D4 offsets_at(const WideRow *row, int i, D4 at, D4 inverse) {
    const SoftPaint *paint = row->paint;
    return d_mul(d_add(d_two(row->row_lane[i], row->row_lane[i + 1]), d_mul(d_two(paint->x[i], paint->x[i + 1]), at)), inverse);
}

INLINE void ramps_begin(const Ramps *ramps, V *at, V *step) {
    for (int i = 0; i < 2; i++) {
        at[i] = v_add(v_set(ramps->start[i * 4]), v_mul_index(ramps->step[i * 4]));
        step[i] = v_set((int)((uint32_t)ramps->step[i * 4] * WIDE));
    }
}

/* Whole lanes between the ends of a block; as steps_even of soft_cell.c. */
INLINE void wide_steps(const WideRow *row, int x, int divide, int style, Part *part) {
    const SoftPaint *paint = row->paint;
    int shift = divide == 8 ? 3 : 4;
    Ramps ramps;
    if (style == STYLE_SKY) {
        double a[2], b[2];
        sky_place(paint, x, row->y, a);
        sky_place(paint, x + divide, row->y, b);
        ramps_make(&ramps, d_four(a[0], b[0], a[1], b[1]), shift);
        ramps_begin(&ramps, part->lane, part->step);
        return;
    }
    D4 at = both_ends(x, divide), inverse = inverse_at(row, at);
    for (int i = 0; i < lanes_for(style); i += 2) {
        ramps_make(&ramps, d_add(offsets_at(row, i, at, inverse), d_two(paint->eye[i], paint->eye[i + 1])), shift);
        ramps_begin(&ramps, part->lane + i, part->step + i);
    }
}

/* Lanes of WIDE pixels from x on, with a division each. */
INLINE void wide_divided(const WideRow *row, const SoftBlock *block, int x, int lanes, Part *part) {
    const SoftPaint *paint = row->paint;
    int whole[LANES][WIDE] __attribute__((aligned(32)));
    for (int group = 0; group < WIDE; group += 4) {
        D4 at = d_index(x + group), inverse = inverse_at(row, at);
        for (int i = 0; i < lanes; i++) {
            D4 offset = d_mul(d_add(d_set(row->row_lane[i]), d_mul(d_set(paint->x[i]), at)), inverse);
            bool kept = block->tile[0] && i < 2;
            d_whole(whole[i] + group, kept ? d_add(d_mul(offset, d_set(block->scale)), d_set(block->less[i * 2])) : d_add(offset, d_set(paint->eye[i])));
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
    return h_of_255(h_add(h_add(h_mul(color, alpha), h_mul(below, rest)), h_set(127)));
}

/* Pixels by their alpha over those that are there. */
INLINE V wide_over(V pixels, V below) {
    V alpha = both_halves(v_right(pixels, 24)), rest = h_sub(h_set(255), alpha);
    Color from = color_of(pixels), to = color_of(below);
    return packed((Color){ over_half(from.rb, to.rb, alpha, rest), over_half(from.ga, to.ga, alpha, rest) });
}

/* One factor of blendFunc, as soft_factor of soft_blend.h, for half of the channels. */
INLINE V factor_half(Blend factor, V color, V below, V alpha) {
    switch (factor) {
    case BLEND_ONE: case BLEND_DST_ALPHA: return h_set(255);
    case BLEND_DST_COLOR: return below;
    case BLEND_ONE_MINUS_DST_COLOR: return h_sub(h_set(255), below);
    case BLEND_SRC_COLOR: return color;
    case BLEND_ONE_MINUS_SRC_COLOR: return h_sub(h_set(255), color);
    case BLEND_SRC_ALPHA: return alpha;
    case BLEND_ONE_MINUS_SRC_ALPHA: return h_sub(h_set(255), alpha);
    default: return h_set(0);
    }
}

/* What the sum loses at 65535 is brighter than 255 anyway; 0x8081 / 2^23 divides every number of 16 bits by 255. */
INLINE V mixed_half(const SoftPaint *paint, V color, V below, V alpha) {
    if (blend_filters(paint->source, paint->destination))
        return colored_half(color, below);
    V over = h_mul(color, factor_half(paint->source, color, below, alpha)), under = h_mul(below, factor_half(paint->destination, color, below, alpha));
    V sum = h_add_full(h_add_full(over, under), h_set(127));
    return h_min(h_right(h_mul_high(sum, h_set((short)0x8081)), 7), h_set(255));
}

/* As laid of soft_cell.c, and what comes after it. */
INLINE V wide_laid(const SoftPaint *paint, V pixels, V below, V passed) {
    V out = pixels;
    if (paint->blend == BLEND_ALPHA) {
        out = wide_over(pixels, below);
    } else if (paint->blend == BLEND_FACTORS) {
        V alpha = both_halves(v_right(pixels, 24));
        Color from = color_of(pixels), to = color_of(below);
        out = packed((Color){ mixed_half(paint, from.rb, to.rb, alpha), mixed_half(paint, from.ga, to.ga, alpha) });
    }
    if (paint->joined)
        out = v_choose(passed, out, below);
    return paint->twice ? packed(doubled_color(color_of(out))) : out;
}

INLINE V tile_pixels(const SoftTile *tile, V u, V v, bool bilinear) {
    V at = h_mul_pairs(h_min(h_max(h_tops(u, v), h_set(0)), v_set((int)tile->most)), v_set((int)tile->pitch));
    if (!bilinear)
        return v_gather(tile->texels, at);
    V byte = v_set(255), part_u = h_part(both_halves(v_and(v_right(u, 8), byte))), part_v = h_part(both_halves(v_and(v_right(v, 8), byte)));
    V left, right, left_below, right_below;
    v_gather_pairs(tile->texels, at, &left, &right);
    v_gather_pairs(tile->texels + (tile->pitch >> 16), at, &left_below, &right_below);
    Color top = color_mix(color_of(left), color_of(right), part_u), bottom = color_mix(color_of(left_below), color_of(right_below), part_u);
    return packed(color_mix(top, bottom, part_v));
}

/* Two tiles side by side. */
INLINE V pair_pixels(const SoftTile *const tile[2], int edge, V u, V v, bool bilinear) {
    V pixels = tile_pixels(tile[0], u, v, bilinear);
    if (!tile[1])
        return pixels;
    return v_choose(v_less(u, v_set(edge)), pixels, tile_pixels(tile[1], v_sub(u, v_set(edge)), v, bilinear));
}

INLINE V block_pixels(const SoftBlock *block, V u, V v, bool bilinear) {
    V pixels = pair_pixels(block->tile, block->edge[0], u, v, bilinear);
    if (__builtin_expect(block->tile[2] != NULL, 0)) {
        V edge = v_set(block->edge[1]);
        pixels = v_choose(v_less(v, edge), pixels, pair_pixels(block->tile + 2, block->edge[0], u, v_sub(v, edge), bilinear));
    }
    return pixels;
}

/* Places of lit texels at the ends of blocks, `count` of them from x on: many divisions may be on their way at once. */
INLINE void kept_ramps(const WideRow *row, const SoftBlock *blocks, int x, int count, int divide, Ramps *out) {
    const SoftPaint *paint = row->paint;
    D4 iz = d_set(row->row_iz), iz_x = d_set(paint->iz_x), one = d_set(1), step = d_set(divide);
    D4 lanes = d_two(row->row_lane[0], row->row_lane[1]), lanes_x = d_two(paint->x[0], paint->x[1]), at = both_ends(x, divide);
    for (int i = 0; i < count; i++, at = d_add(at, step)) {
        D4 inverse = d_divide(one, d_add(iz, d_mul(iz_x, at))), offsets = d_mul(d_add(lanes, d_mul(lanes_x, at)), inverse);
        ramps_make(&out[i], d_add(d_mul(offsets, d_set(blocks[i].scale)), d_load(blocks[i].less)), divide == 8 ? 3 : 4);
    }
}

/* Lit texels of a block, `divide` pixels from x on. */
INLINE void wide_kept(const WideRow *row, const SoftBlock *block, const Ramps *ramps, int x, const V *masks, V *pixels, bool bilinear, int divide) {
    Part part;
    if (__builtin_expect(block->kind != BLOCK_EVEN, 0)) {
        for (int i = 0; i < divide / WIDE; i++) {
            wide_divided(row, block, x + i * WIDE, 2, &part);
            pixels[i] = block_pixels(block, part.lane[0], part.lane[1], bilinear);
        }
        return;
    }
    ramps_begin(ramps, part.lane, part.step);
    #pragma GCC unroll 4
    for (int i = 0; i < divide / WIDE; i++) {
        if (!masks || v_any(masks[i]))
            pixels[i] = block_pixels(block, part.lane[0], part.lane[1], bilinear);
        for (int k = 0; k < 2; k++)
            part.lane[k] = v_add(part.lane[k], part.step[k]);
    }
}

/* `divide` pixels from x on, in one block; those that `masks` leaves out may be anything (NULL: all count). */
INLINE void wide_part(const WideRow *row, const SoftBlock *block, const Ramps *ramps, int x, const V *masks, V *pixels, int style, bool bilinear, int divide) {
    if (style == STYLE_LIGHTMAP && block->tile[0]) {
        wide_kept(row, block, ramps, x, masks, pixels, bilinear, divide);
        return;
    }
    int lanes = lanes_for(style);
    Part part;
    part.level = block->level;
    if (__builtin_expect(block->kind == BLOCK_EVEN, 1)) {
        wide_steps(row, x, divide, style, &part);
        for (int i = 0; i < divide / WIDE; i++) {
            if (!masks || v_any(masks[i]))
                pixels[i] = wide_pixels(row->paint, &part, style, bilinear);
            for (int k = 0; k < lanes; k++)
                part.lane[k] = v_add(part.lane[k], part.step[k]);
        }
    } else if (block->kind == BLOCK_DIVIDED) {
        for (int i = 0; i < divide / WIDE; i++) {
            if (masks && !v_any(masks[i]))
                continue;
            wide_divided(row, block, x + i * WIDE, lanes, &part);
            pixels[i] = wide_pixels(row->paint, &part, style, bilinear);
        }
    } else {
        uint32_t strange[CELL] __attribute__((aligned(32)));
        soft_strange_pixels(row->mode, row->paint, row->y, x, divide, strange);
        for (int i = 0; i < divide / WIDE; i++)
            pixels[i] = v_load(strange + i * WIDE);
    }
}

/* 16 pixels of the row from x on; `blocks` and `ramps` begin with theirs. */
INLINE void wide_cell(const WideRow *row, const SoftBlock *blocks, const Ramps *ramps, int x, const V *masks, V *pixels, int style, bool bilinear, int divide) {
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
            wide_part(row, &blocks[first / divide], &ramps[first / divide], x + first, masks ? masks + first / WIDE : NULL, pixels + first / WIDE, style, bilinear, divide);
    }
}

/* As add_pixels of soft_cell.c, where there is anything to add. */
INLINE void wide_added(const WideRow *row, int x, V *pixels) {
    const SoftTarget *added = row->paint->added;
    for (int i = 0; added && i < CELL / WIDE; i++)
        pixels[i] = v_add_bytes(pixels[i], v_load(added->color + soft_place(added, x + i * WIDE, row->y)));
}

INLINE V tested_mask(V mask, F z, const float *depth, SoftTest test) {
    if (test == TEST_NEARER)
        return v_and(mask, f_greater(z, f_load(depth)));
    if (test == TEST_EQUAL)
        return v_and(mask, f_equal(z, f_load(depth)));
    return test == TEST_NOT_FARTHER ? v_and(mask, f_not_less(z, f_load(depth))) : mask;
}

/* Blocks of one paint, made when the first pixel needs them. */
typedef struct WideRun { int x, y, cells; bool made; SoftBlock blocks[RUN_BLOCKS]; Ramps ramps[RUN_BLOCKS]; } WideRun;

INLINE void note_baked(const SoftTarget *target, const SoftBlock *blocks, int x, int y, int cells, int divide) {
    uint8_t *out = soft_baked_at(target, x, MAX(y, target->top));
    for (int i = 0; i < cells * CELL / 8; i++)
        out[i] = blocks[i * 8 / divide].baked && blocks[i * 8 / divide].tile[0];
}

/* All that pixels from x to x1 of the row need, but what is there already. */
INLINE void span_begin(WideRun *run, const SoftTarget *target, const WideRow *row, int x, int x1, int style, int divide) {
    if (!run->made && style != STYLE_FLAT)
        make_blocks(row->mode, row->paint, run->x, run->y, run->cells * CELL / divide, style, divide, NULL, run->blocks);
    if (!run->made && style == STYLE_LIGHTMAP && row->paint->bakes && target->baked)
        note_baked(target, run->blocks, run->x, run->y, run->cells, divide);
    run->made = true;
    int first = (x - run->x) / divide, last = (x1 - 1 - run->x) / divide;
    if (style == STYLE_LIGHTMAP && row->paint->cached)
        kept_ramps(row, run->blocks + first, x, last - first + 1, divide, run->ramps + first);
}

INLINE void wide_span(const SoftTarget *target, const SoftMode *mode, const SoftPaint *paint, WideRun *run, int y, int x0, int x1, SoftTest test, int style,
                      bool bilinear, int divide) {
    enum { VECTORS = CELL / WIDE };
    WideRow row;
    row_begin(&row, mode, paint, y, style);
    bool far = paint->at_depth != 0;
    double depth_x = far ? 0 : paint->iz_x, depth_c = far ? paint->at_depth : row.row_iz;
    F step = f_set((float)depth_x);
    V solid = v_set((int)0xff000000u);
    bool begun = false;
    for (int x = x0 & ~(CELL - 1); x < x1; x += CELL) {
        size_t at = soft_place(target, x, y);
        uint32_t *color = target->color + at;
        float *depth = target->depth + at;
        int block = (x - run->x) / divide;
        F first = f_set((float)(depth_c + depth_x * x)), z[VECTORS];
        V masks[VECTORS], pixels[VECTORS];
        for (int i = 0; i < VECTORS; i++)
            z[i] = f_add(first, f_mul(f_index(i * WIDE), step));
        if (test == TEST_NONE && x >= x0 && x + CELL <= x1) {
            if (!begun)
                span_begin(run, target, &row, x, x1, style, divide);
            begun = true;
            wide_cell(&row, run->blocks + block, run->ramps + block, x, NULL, pixels, style, bilinear, divide);
            for (int i = 0; i < VECTORS; i++) {
                v_store(color + i * WIDE, v_or(pixels[i], solid));
                f_store(depth + i * WIDE, z[i]);
            }
            continue;
        }
        bool left_out[2] = { false, false };    /* halves of the cell whose texels have this layer */
        if (test != TEST_NONE && paint->skips) {
            const uint8_t *baked = soft_baked_at(target, x, y);
            left_out[0] = baked[0];
            left_out[1] = baked[1];
            if (left_out[0] && left_out[1])
                continue;
        }
        bool whole = x >= x0 && x + CELL <= x1 && !left_out[0] && !left_out[1];
        if (test == TEST_PASSED && !paint->joined && paint->keeps_depth && paint->alpha_test == 0 && whole) {
            if (!begun)
                span_begin(run, target, &row, x, x1, style, divide);
            begun = true;
            wide_cell(&row, run->blocks + block, run->ramps + block, x, NULL, pixels, style, bilinear, divide);
            wide_added(&row, x, pixels);
            for (int i = 0; i < VECTORS; i++)
                v_store(color + i * WIDE, v_or(wide_laid(paint, pixels[i], v_load(color + i * WIDE), solid), solid));
            continue;
        }
        bool any = false;
        for (int i = 0; i < VECTORS; i++) {
            masks[i] = tested_mask(v_between(x + i * WIDE, x0, x1), z[i], depth + i * WIDE, test);
            if (left_out[i * WIDE / 8])
                masks[i] = v_set(0);
            any = any || v_any(masks[i]);
            pixels[i] = solid;
        }
        if (!any)
            continue;
        if (!begun)    /* most of what is tested is hidden */
            span_begin(run, target, &row, x, x1, style, divide);
        begun = true;
        wide_cell(&row, run->blocks + block, run->ramps + block, x, masks, pixels, style, bilinear, divide);
        if (test != TEST_NONE)
            wide_added(&row, x, pixels);
        for (int i = 0; i < VECTORS; i++) {
            V below = v_load(color + i * WIDE), passed = masks[i];
            if (test != TEST_NONE && paint->alpha_test != 0)
                passed = v_and(passed, alpha_passes(pixels[i], paint->alpha_test));
            if (test != TEST_NONE && !paint->joined)
                masks[i] = passed;
            if (test != TEST_NONE)
                pixels[i] = wide_laid(paint, pixels[i], below, passed);
            v_store(color + i * WIDE, v_choose(masks[i], v_or(pixels[i], solid), below));
            if (test == TEST_NONE || !paint->keeps_depth)
                f_store(depth + i * WIDE, f_choose(masks[i], z[i], f_load(depth + i * WIDE)));
        }
    }
}

/* Those from number i on that lie in the same rows of blocks, and how far they reach; where the next ones begin. */
static int spans_together(const SoftSpan *spans, int i, int count, int *left, int *right) {
    int block_row = spans[i].y / BLOCK_ROWS, end = i + 1;
    *left = spans[i].x0;
    *right = spans[i].x1;
    for (; end < count && spans[end].y / BLOCK_ROWS == block_row; end++) {
        *left = MIN(*left, spans[end].x0);
        *right = MAX(*right, spans[end].x1);
    }
    return end;
}

/* Spans that lie in the same rows of blocks are drawn together, from left to right in as many runs as they need. */
INLINE void wide_styled(const SoftTarget *target, const SoftMode *mode, const SoftPaint *paint, const SoftSpan *spans, int count, SoftTest test, int style,
                        bool bilinear, int divide) {
    WideRun run;
    for (int i = 0, end; i < count; i = end) {
        int left, right;
        end = spans_together(spans, i, count, &left, &right);
        for (run.x = left & ~(CELL - 1); run.x < right; run.x += RUN_CELLS * CELL) {
            run.y = spans[i].y & ~(BLOCK_ROWS - 1);
            run.cells = MIN((right - run.x + CELL - 1) / CELL, RUN_CELLS);
            run.made = false;
            for (int k = i; k < end; k++) {
                int x0 = MAX(spans[k].x0, run.x), x1 = MIN(spans[k].x1, run.x + RUN_CELLS * CELL);
                if (x0 < x1)
                    wide_span(target, mode, paint, &run, spans[k].y, x0, x1, test, style, bilinear, divide);
            }
        }
    }
}

#include "render/soft/soft_kept_internal.h"
#include "render/soft/soft_cover_internal.h"

/* The combinations that are worth code of their own. */
#define WIDE_CASE(style)                                                                                             \
    static void JOIN(WIDE_ROWS, style)(const SoftTarget *target, const SoftMode *mode, const SoftPaint *paint,       \
                                       const SoftSpan *spans, int count, SoftTest test) {                            \
        if (style == STYLE_LIGHTMAP && mode->divide == CELL && test == TEST_NONE && paint->cached && mode->bilinear)   \
            kept_spans(target, mode, paint, spans, count, true);                                                     \
        else if (style == STYLE_LIGHTMAP && mode->divide == CELL && test == TEST_NONE && paint->cached)              \
            kept_spans(target, mode, paint, spans, count, false);                                                    \
        else if (mode->bilinear && mode->divide == 16 && test == TEST_NONE)                                          \
            wide_styled(target, mode, paint, spans, count, TEST_NONE, style, true, 16);                                 \
        else if (mode->divide == 16 && test == TEST_NONE)                                                            \
            wide_styled(target, mode, paint, spans, count, TEST_NONE, style, false, 16);                                \
        else if (mode->bilinear && mode->divide == 16)                                                               \
            wide_styled(target, mode, paint, spans, count, test, style, true, 16);                                      \
        else if (mode->divide == 16)                                                                                 \
            wide_styled(target, mode, paint, spans, count, test, style, false, 16);                                     \
        else if (mode->bilinear)                                                                                     \
            wide_styled(target, mode, paint, spans, count, test, style, true, 8);                                       \
        else                                                                                                         \
            wide_styled(target, mode, paint, spans, count, test, style, false, 8);                                      \
    }
#define JOIN_(a, b) a##_##b
#define JOIN(a, b)  JOIN_(a, b)
WIDE_CASE(STYLE_LIGHTMAP)
WIDE_CASE(STYLE_VERTEX)
WIDE_CASE(STYLE_BRIGHT)
WIDE_CASE(STYLE_TEXTURE)
WIDE_CASE(STYLE_SKY)

/* Those of layers, which are blended and tested. */
#define LAYER_CASE(style)                                                                                            \
    static void JOIN(WIDE_ROWS, style)(const SoftTarget *target, const SoftMode *mode, const SoftPaint *paint,       \
                                       const SoftSpan *spans, int count, SoftTest test) {                            \
        if (mode->bilinear && mode->divide == 16)                                                                    \
            wide_styled(target, mode, paint, spans, count, test, style, true, 16);                                   \
        else                                                                                                         \
            wide_styled(target, mode, paint, spans, count, test, style, mode->bilinear, mode->divide);               \
    }
LAYER_CASE(STYLE_STAGE)
LAYER_CASE(STYLE_STAGE_LIGHT)
LAYER_CASE(STYLE_COLOR)
LAYER_CASE(STYLE_FOG)

void WIDE_ROWS(const SoftTarget *target, const SoftMode *mode, const SoftPaint *paint, const SoftSpan *spans, int count, SoftTest test) {
    switch (paint->style) {
    case STYLE_LIGHTMAP: JOIN(WIDE_ROWS, STYLE_LIGHTMAP)(target, mode, paint, spans, count, test); break;
    case STYLE_VERTEX: JOIN(WIDE_ROWS, STYLE_VERTEX)(target, mode, paint, spans, count, test); break;
    case STYLE_BRIGHT: JOIN(WIDE_ROWS, STYLE_BRIGHT)(target, mode, paint, spans, count, test); break;
    case STYLE_SKY: JOIN(WIDE_ROWS, STYLE_SKY)(target, mode, paint, spans, count, test); break;
    case STYLE_STAGE: JOIN(WIDE_ROWS, STYLE_STAGE)(target, mode, paint, spans, count, test); break;
    case STYLE_STAGE_LIGHT: JOIN(WIDE_ROWS, STYLE_STAGE_LIGHT)(target, mode, paint, spans, count, test); break;
    case STYLE_COLOR: JOIN(WIDE_ROWS, STYLE_COLOR)(target, mode, paint, spans, count, test); break;
    case STYLE_FOG: JOIN(WIDE_ROWS, STYLE_FOG)(target, mode, paint, spans, count, test); break;
    case STYLE_FLAT: wide_styled(target, mode, paint, spans, count, test, STYLE_FLAT, false, 16); break;
    default: JOIN(WIDE_ROWS, STYLE_TEXTURE)(target, mode, paint, spans, count, test); break;
    }
}

void WIDE_LIGHT_ROW(const uint32_t *page, const SoftLightRow *row, int count, uint32_t *out) {
    V u = v_add(v_set(row->first[0]), v_mul_index(row->step[0])), v = v_add(v_set(row->first[1]), v_mul_index(row->step[1]));
    V more_u = v_set((int)((uint32_t)row->step[0] * WIDE)), more_v = v_set((int)((uint32_t)row->step[1] * WIDE));
    V column = v_add(v_set((int)row->column), v_mul_index(1)), mask = v_set((int)row->column_mask);
    for (int k = 0; k < count; k += WIDE) {
        V texels = v_gather(row->texels, v_and(column, mask));
        Color color = color_of(texels), light = wide_light(page, u, v), out_color = { lit_half(color.rb, light.rb, row->bright), lit_half(color.ga, light.ga, row->bright) };
        v_store_anywhere(out + k, v_or(v_and(packed(out_color), v_set(0x00ffffff)), v_and(texels, v_set((int)0xff000000u))));
        u = v_add(u, more_u);
        v = v_add(v, more_v);
        column = v_add(column, v_set(WIDE));
    }
}
