/* render/soft/soft_row_internal.h -- the wide code of rows, written once over a few operations on WIDE pixels.
 *
 * soft_row_sse2.c and soft_row_avx2.c say what those operations are and include this. Everything in it gives the bits of
 * soft_cell.c: the same IEEE operations in the same order, then whole numbers. Colours are two vectors of 16-bit numbers,
 * red and blue in one, green and alpha in the other. */

/* The ends of a part: lanes in 1/65536, doubles. */
typedef struct WideEnd {
    double iz;
    D4 value, low_down;              /* u v and two of light; how u and v change to the next row, in the low two */
    D4 more;                         /* blue and alpha of vertices */
} WideEnd;

typedef struct WideRow { double iz; D4 lane, more; } WideRow;

static inline __attribute__((always_inline)) WideRow wide_row(const SoftPaint *paint, int y, bool many) {
    D4 at = d_set(y);
    WideRow row = { paint->iz_y * y + paint->iz_c, d_add(d_mul(d_load(paint->y), at), d_load(paint->c)), d_set(0) };
    if (many)
        row.more = d_add(d_mul(d_load(paint->y + 4), at), d_load(paint->c + 4));
    return row;
}

static inline __attribute__((always_inline)) WideEnd sky_end(const SoftPaint *paint, const WideRow *row, int x) {
    double ray[4], lanes[LANES] = { 0 };
    d_store(ray, d_add(row->lane, d_mul(d_load(paint->x), d_set(x))));
    soft_sky_at(ray, paint->texture, paint->flat, lanes);
    return (WideEnd){ .iz = 1, .value = d_load(lanes), .low_down = d_set(0), .more = d_set(0) };
}

static inline __attribute__((always_inline)) WideEnd wide_end(const SoftPaint *paint, const WideRow *row, int x, int style) {
    if (style == STYLE_SKY)
        return sky_end(paint, row, x);
    bool many = style == STYLE_VERTEX;
    WideEnd end = { .iz = row->iz + paint->iz_x * x };
    double inverse = 1 / end.iz;
    D4 wide = d_set(inverse), at = d_set(x);
    D4 offset = d_mul(d_add(row->lane, d_mul(d_load(paint->x), at)), wide);
    end.value = d_add(offset, d_load(paint->eye));
    end.low_down = d_mul(d_sub(d_load(paint->y), d_mul(offset, d_set(paint->iz_y))), wide);
    if (many)
        end.more = d_add(d_mul(d_add(row->more, d_mul(d_load(paint->x + 4), at)), wide), d_load(paint->eye + 4));
    return end;
}

typedef enum WideKind { PART_EVEN, PART_DIVIDED, PART_STRANGE } WideKind;

/* As steps_between of soft_cell.c. */
static inline __attribute__((always_inline)) WideKind wide_kind(const SoftTexture *texture, const WideEnd *a, const WideEnd *b, double part, int style, int *level_out) {
    double sum = a->iz + b->iz, change = a->iz > b->iz ? a->iz - b->iz : b->iz - a->iz;
    if (!(a->iz > 0 && b->iz > 0 && change * 3 <= sum))
        return PART_STRANGE;
    double run[4], down[4];
    d_store(run, d_sub(b->value, a->value));
    d_store(down, d_mul(d_add(a->low_down, b->low_down), d_set(0.5)));
    double across_u = run[0] * part, across_v = run[1] * part;
    double x = across_u * across_u + across_v * across_v, y = down[0] * down[0] + down[1] * down[1];
    float square = (float)((x > y ? x : y) * (1.0 / 65536 / 65536));
    uint32_t bits;
    memcpy(&bits, &square, sizeof bits);
    int level = ((int)(bits >> 23 & 255) - 126) >> 1;
    level = level < 0 ? 0 : level > texture->levels - 1 ? texture->levels - 1 : level;
    *level_out = level;
    double most_u = run[0] < 0 ? -run[0] : run[0], most_v = run[1] < 0 ? -run[1] : run[1], most = most_u > most_v ? most_u : most_v;
    return style == STYLE_SKY || change * most <= sum * 0.5 * 65536.0 * (1 << level) ? PART_EVEN : PART_DIVIDED;
}


typedef struct Color { V rb, ga; } Color;

static inline __attribute__((always_inline)) Color color_of(V pixels) {
    V mask = v_set(0x00ff00ff);
    return (Color){ v_and(pixels, mask), v_and(v_right(pixels, 8), mask) };
}

static inline __attribute__((always_inline)) Color color_mix(Color a, Color b, V part) {
    return (Color){ h_mix(a.rb, b.rb, part), h_mix(a.ga, b.ga, part) };
}

static inline __attribute__((always_inline)) V both_halves(V part) { return v_or(part, v_left(part, 16)); }    /* for the two numbers of a pixel */

static inline __attribute__((always_inline)) Color wide_texel(const SoftMip *mip, int level, V u, V v, bool bilinear) {
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

static inline __attribute__((always_inline)) Color wide_light(const uint32_t *page, V u, V v) {
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

static inline __attribute__((always_inline)) V lit_half(V color, V light, bool bright) {
    V product = h_mul(color, light);
    if (bright)
        product = h_add_full(product, product);
    return h_min(h_mul_high(h_add_full(product, h_set(128)), h_set(257)), h_set(255));
}

static inline __attribute__((always_inline)) V packed(Color color) { return v_or(color.rb, v_left(color.ga, 8)); }


typedef struct Part { V lane[LANES], step[LANES]; int level; } Part;    /* of WIDE pixels, and the step to the next WIDE */

static inline __attribute__((always_inline)) V wide_pixels(const SoftMode *mode, const SoftPaint *paint, const Part *part, int style, bool bilinear) {
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

static inline __attribute__((always_inline)) V ramp(int step) { return v_mul_index(step); }

/* Whole lanes from one end to the other; as steps_even. */
static inline __attribute__((always_inline)) void wide_steps(const WideEnd *a, const WideEnd *b, int divide, int lanes, Part *part) {
    int from[8], to[8];
    d_whole(from, a->value);
    d_whole(to, b->value);
    if (lanes > 4) {
        d_whole(from + 4, a->more);
        d_whole(to + 4, b->more);
    }
    for (int i = 0; i < lanes; i++) {
        int step = (int)((uint32_t)to[i] - (uint32_t)from[i]) >> (divide == 8 ? 3 : 4);
        part->lane[i] = v_add(v_set(from[i]), ramp(step));
        part->step[i] = v_set((int)((uint32_t)step * WIDE));
    }
}

/* Lanes of WIDE pixels from x on, with a division each. */
static inline __attribute__((always_inline)) void wide_divided(const SoftPaint *paint, const WideRow *row, int x, int lanes, Part *part) {
    double lane[8];
    int whole[LANES][WIDE] __attribute__((aligned(32)));
    d_store(lane, row->lane);
    d_store(lane + 4, row->more);
    for (int group = 0; group < WIDE; group += 4) {
        D4 at = d_index(x + group), inverse = d_divide(d_set(1), d_add(d_set(row->iz), d_mul(d_set(paint->iz_x), at)));
        for (int i = 0; i < lanes; i++) {
            D4 offset = d_mul(d_add(d_set(lane[i]), d_mul(d_set(paint->x[i]), at)), inverse);
            d_whole(whole[i] + group, d_add(offset, d_set(paint->eye[i])));
        }
    }
    for (int i = 0; i < lanes; i++)
        part->lane[i] = v_load((const uint32_t *)whole[i]);
}

static inline __attribute__((always_inline)) V alpha_passes(V pixels, float threshold) {
    int limit = (int)((threshold < 0 ? -threshold : threshold) * 255 + 0.5f);
    V alpha = v_right(pixels, 24), below = v_less(alpha, v_set(limit));
    return threshold < 0 ? below : v_not(below);
}

static inline __attribute__((always_inline)) V over_half(V color, V below, V alpha, V rest) {
    V sum = h_add(h_add(h_mul(color, alpha), h_mul(below, rest)), h_set(127));
    return h_right(h_add(h_add(sum, h_set(1)), h_right(sum, 8)), 8);    /* a division by 255 */
}

/* Pixels by their alpha over those that are there. */
static inline __attribute__((always_inline)) V wide_over(V pixels, V below) {
    V alpha = both_halves(v_right(pixels, 24)), rest = h_sub(h_set(255), alpha);
    Color from = color_of(pixels), to = color_of(below);
    return packed((Color){ over_half(from.rb, to.rb, alpha, rest), over_half(from.ga, to.ga, alpha, rest) });
}

/* What of a row does not change from cell to cell; style, filter, division and tests are known when this is compiled. */
typedef struct WideCells {
    const SoftMode *mode;
    const SoftPaint *paint;
    WideRow row;
    WideEnd end;                     /* of the part drawn last */
    int end_x, y;
} WideCells;

/* The pixels of a part, `divide` of them from x on; those that `masks` leaves out may be anything (NULL: all count). */
static inline __attribute__((always_inline)) void wide_part(WideCells *cells, int x, const V *masks, V *pixels, int style, bool bilinear, int divide) {
    enum { lanes_most = LANES };
    const SoftPaint *paint = cells->paint;
    int lanes = style == STYLE_LIGHTMAP ? 4 : style == STYLE_VERTEX ? lanes_most : 2;
    WideEnd a = cells->end_x == x ? cells->end : wide_end(paint, &cells->row, x, style);
    cells->end = wide_end(paint, &cells->row, x + divide, style);
    cells->end_x = x + divide;
    Part part = { 0 };
    WideKind kind = wide_kind(paint->texture, &a, &cells->end, divide == 8 ? 1.0 / 8 : 1.0 / 16, style, &part.level);
    if (__builtin_expect(kind == PART_EVEN, 1)) {
        wide_steps(&a, &cells->end, divide, lanes, &part);
        for (int i = 0; i < divide / WIDE; i++) {
            if (!masks || v_any(masks[i]))
                pixels[i] = wide_pixels(cells->mode, paint, &part, style, bilinear);
            for (int k = 0; k < lanes; k++)
                part.lane[k] = v_add(part.lane[k], part.step[k]);
        }
    } else if (kind == PART_DIVIDED) {
        for (int i = 0; i < divide / WIDE; i++) {
            if (masks && !v_any(masks[i]))
                continue;
            wide_divided(paint, &cells->row, x + i * WIDE, lanes, &part);
            pixels[i] = wide_pixels(cells->mode, paint, &part, style, bilinear);
        }
    } else {
        uint32_t strange[CELL] __attribute__((aligned(32)));
        soft_strange_pixels(cells->mode, paint, cells->y, x, divide, strange);
        for (int i = 0; i < divide / WIDE; i++)
            pixels[i] = v_load(strange + i * WIDE);
    }
}

/* A cell: 16 pixels of the row from x on. */
static inline __attribute__((always_inline)) void wide_pixels_of(WideCells *cells, int x, const V *masks, V *pixels, int style, bool bilinear, int divide) {
    if (style == STYLE_FLAT) {
        for (int i = 0; i < CELL / WIDE; i++)
            pixels[i] = v_set((int)cells->paint->flat);
        return;
    }
    for (int first = 0; first < CELL; first += divide) {
        bool any = !masks;
        for (int i = first / WIDE; i < (first + divide) / WIDE && !any; i++)
            any = v_any(masks[i]);
        if (any)
            wide_part(cells, x + first, masks ? masks + first / WIDE : NULL, pixels + first / WIDE, style, bilinear, divide);
    }
}

static inline __attribute__((always_inline)) void wide_styled(const SoftTarget *target, const SoftMode *mode, const SoftPaint *paint, int y, int x0, int x1,
                                                              SoftTest test, int style, bool bilinear, int divide) {
    enum { VECTORS = CELL / WIDE };
    WideCells cells = { .mode = mode, .paint = paint, .row = wide_row(paint, y, style == STYLE_VERTEX), .end_x = -1, .y = y };
    F step = f_set((float)paint->iz_x);
    V solid = v_set((int)0xff000000u);
    for (int x = x0 & ~(CELL - 1); x < x1; x += CELL) {
        size_t at = (size_t)y * (size_t)target->pitch + (size_t)x;
        uint32_t *color = target->color + at;
        float *depth = target->depth + at;
        F first = f_set((float)(cells.row.iz + paint->iz_x * x)), z[VECTORS];
        V masks[VECTORS], pixels[VECTORS];
        for (int i = 0; i < VECTORS; i++)
            z[i] = f_add(first, f_mul(f_index(i * WIDE), step));
        if (test == TEST_NONE && x >= x0 && x + CELL <= x1) {
            wide_pixels_of(&cells, x, NULL, pixels, style, bilinear, divide);
            for (int i = 0; i < VECTORS; i++) {
                v_store(color + i * WIDE, v_or(pixels[i], solid));
                f_store(depth + i * WIDE, z[i]);
            }
            continue;
        }
        bool any = false;
        for (int i = 0; i < VECTORS; i++) {
            masks[i] = v_between(x + i * WIDE, x0, x1);
            if (test == TEST_NEARER)
                masks[i] = v_and(masks[i], f_greater(z[i], f_load(depth + i * WIDE)));
            else if (test == TEST_NOT_FARTHER)
                masks[i] = v_and(masks[i], f_not_less(z[i], f_load(depth + i * WIDE)));
            any = any || v_any(masks[i]);
            pixels[i] = solid;
        }
        if (!any)
            continue;
        wide_pixels_of(&cells, x, masks, pixels, style, bilinear, divide);
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
