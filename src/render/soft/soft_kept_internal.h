/* render/soft/soft_kept_internal.h -- the wide code of faces whose lit texels are kept: 16 x 8 pixels at a time.
 *
 * Most pixels of a level are drawn here. A block's rows are worked out together: their divisions four at a time, each
 * serving the blocks on both sides, and pixels without a branch: which of them count is a mask for each row, so that the
 * ragged ends of spans cost no more than what lies between. Included by soft_row_internal.h, with its bits. */

/* Where each row of a block begins in the tile, in 1/65536 texel, its step from pixel to pixel, and its 1/z. */
typedef struct KeptSteps { uint32_t start[2][BLOCK_ROWS], step[2][BLOCK_ROWS]; float iz[BLOCK_ROWS]; } __attribute__((aligned(32))) KeptSteps;

typedef struct KeptRun {
    int x, y, cells;
    int first, last;                 /* rows that have pixels */
    SoftBlock near;                  /* the first one of the run before; without a tile: none */
    SoftBlock blocks[RUN_BLOCKS];
    KeptSteps steps[RUN_CELLS];
    const uint16_t (*masks)[BLOCK_ROWS];    /* pixels that count, by cell and row: in `room` */
    uint16_t room[RUN_CELLS][BLOCK_ROWS] __attribute__((aligned(16)));
    uint64_t before[BLOCK_ROWS];     /* where spans are not listed: the pixels to the left of what is covered next */
} KeptRun;

INLINE void kept_begin(KeptRun *run) {    /* no run before */
    run->near.tile[0] = NULL;
    run->near.baked = false;
}

enum { FOURS = BLOCK_ROWS / 4 };

typedef struct KeptRows { D4 iz[FOURS], u[FOURS], v[FOURS]; } KeptRows;    /* of all rows: at x 0; or at an end of a block, u and v divided, less what they are at the eye */

INLINE void kept_rows_begin(const SoftPaint *paint, int y, KeptRows *out) {
    for (int i = 0; i < FOURS; i++) {
        D4 at = d_index(y + i * 4);
        out->iz[i] = d_add(d_mul(d_set(paint->iz_y), at), d_set(paint->iz_c));
        out->u[i] = d_add(d_mul(d_set(paint->y[0]), at), d_set(paint->c[0]));
        out->v[i] = d_add(d_mul(d_set(paint->y[1]), at), d_set(paint->c[1]));
    }
}

INLINE void kept_ends(const SoftPaint *paint, const KeptRows *rows, int x, KeptRows *out) {
    D4 at = d_set(x), iz_x = d_mul(d_set(paint->iz_x), at), u_x = d_mul(d_set(paint->x[0]), at), v_x = d_mul(d_set(paint->x[1]), at);
    for (int i = 0; i < FOURS; i++) {
        out->iz[i] = d_add(rows->iz[i], iz_x);
        D4 inverse = d_divide(d_set(1), out->iz[i]);
        out->u[i] = d_mul(d_add(rows->u[i], u_x), inverse);
        out->v[i] = d_mul(d_add(rows->v[i], v_x), inverse);
    }
}

INLINE void kept_steps(const SoftBlock *block, const KeptRows *left, const KeptRows *right, KeptSteps *out) {
    D4 scale = d_set(block->scale), begin[FOURS], end[FOURS];
    for (int k = 0; k < 2; k++) {
        D4 less = d_set(block->less[k * 2]);
        for (int i = 0; i < FOURS; i++) {
            begin[i] = d_add(d_mul(k ? left->v[i] : left->u[i], scale), less);
            end[i] = d_add(d_mul(k ? right->v[i] : right->u[i], scale), less);
        }
        d_steps(begin, end, out->start[k], out->step[k]);
    }
    for (int i = 0; i < FOURS; i++)
        d_floats(out->iz + i * 4, left->iz[i]);
}

/* Lanes of one row where each pixel has its own division: as wide_divided, with the row's beginning taken from what all rows
 * have. Measured: with one code for both a frame takes 2.5 % longer. */
INLINE void kept_divided(const SoftPaint *paint, const SoftBlock *block, const KeptRows *rows, int x, int y, uint32_t lanes[2][CELL]) {
    double iz[BLOCK_ROWS], from[2][BLOCK_ROWS];
    for (int i = 0; i < FOURS; i++) {
        d_store(iz + i * 4, rows->iz[i]);
        d_store(from[0] + i * 4, rows->u[i]);
        d_store(from[1] + i * 4, rows->v[i]);
    }
    for (int i = 0; i < CELL; i += 4) {
        D4 at = d_index(x + i), inverse = d_divide(d_set(1), d_add(d_set(iz[y]), d_mul(d_set(paint->iz_x), at)));
        for (int k = 0; k < 2; k++) {
            D4 offset = d_mul(d_add(d_set(from[k][y]), d_mul(d_set(paint->x[k]), at)), inverse);
            d_whole((int *)lanes[k] + i, d_add(d_mul(offset, d_set(block->scale)), d_set(block->less[k * 2])));
        }
    }
}

/* What of a block counts: all pixels; some, by the masks; some of its left or right half, none of the other; or some, each
 * with its own division. */
typedef enum KeptForm { KEPT_WHOLE, KEPT_PART, KEPT_LEFT, KEPT_RIGHT, KEPT_DIVIDED } KeptForm;

INLINE void kept_block(const SoftTarget *target, const SoftPaint *paint, const KeptRun *run, int cell, int first, int last, const KeptRows *rows, KeptForm form, bool bilinear) {
    enum { VECTORS = CELL / WIDE };
    const SoftBlock *block = &run->blocks[cell];
    const SoftTile *tile = block->tile[0];
    const KeptSteps *steps = &run->steps[cell];
    int x = run->x + cell * CELL;
    V solid = v_set((int)0xff000000u);
    F step = f_set((float)paint->iz_x), more[VECTORS];
    for (int i = 0; i < VECTORS; i++)
        more[i] = f_mul(f_index(i * WIDE), step);
    size_t at = soft_place(target, x, run->y + first);
    for (int y = first; y <= last; y++, at += (size_t)target->pitch) {
        uint32_t *color = target->color + at, lanes[2][CELL] __attribute__((aligned(32)));
        float *depth = target->depth + at;
        V u = v_add(v_set((int)steps->start[0][y]), v_mul_index((int)steps->step[0][y])), more_u = v_left(v_set((int)steps->step[0][y]), WIDE == 8 ? 3 : 2);
        V v = v_add(v_set((int)steps->start[1][y]), v_mul_index((int)steps->step[1][y])), more_v = v_left(v_set((int)steps->step[1][y]), WIDE == 8 ? 3 : 2);
        F iz = f_set(steps->iz[y]);
        V mask = v_set(run->masks[cell][y]);
        if (form == KEPT_DIVIDED)
            kept_divided(paint, block, rows, x, y, lanes);
        #pragma GCC unroll 4
        for (int i = 0; i < VECTORS; i++, u = v_add(u, more_u), v = v_add(v, more_v)) {
            if ((form == KEPT_LEFT && i >= VECTORS / 2) || (form == KEPT_RIGHT && i < VECTORS / 2))
                continue;
            V pixels = v_or(form == KEPT_DIVIDED ? tile_pixels(tile, v_load(lanes[0] + i * WIDE), v_load(lanes[1] + i * WIDE), bilinear) : tile_pixels(tile, u, v, bilinear), solid);
            F z = f_add(iz, more[i]);
            if (form != KEPT_WHOLE) {
                V counts = v_bits(mask, i * WIDE);
                pixels = v_choose(counts, pixels, v_load(color + i * WIDE));
                z = f_choose(counts, z, f_load(depth + i * WIDE));
            }
            v_store(color + i * WIDE, pixels);
            f_store(depth + i * WIDE, z);
        }
    }
}

/* Of rows with pixels only, and only halves with pixels. */
INLINE void kept_ragged(const SoftTarget *target, const SoftPaint *paint, const KeptRun *run, int cell, const uint64_t rows[2], bool bilinear) {
    int first = rows[0] ? __builtin_ctzll(rows[0]) / 16 : 4 + __builtin_ctzll(rows[1]) / 16;
    int last = rows[1] ? 7 - __builtin_clzll(rows[1]) / 16 : 3 - __builtin_clzll(rows[0]) / 16;
    uint64_t any = rows[0] | rows[1];
    any |= any >> 32;
    any |= any >> 16;
    if (!(any & 0xff00))
        kept_block(target, paint, run, cell, first, last, NULL, KEPT_LEFT, bilinear);
    else if (!(any & 0xff))
        kept_block(target, paint, run, cell, first, last, NULL, KEPT_RIGHT, bilinear);
    else
        kept_block(target, paint, run, cell, first, last, NULL, KEPT_PART, bilinear);
}

/* Any other block, row by row. */
static void kept_slowly(const SoftTarget *target, const SoftMode *mode, const SoftPaint *paint, const KeptRun *run, int cell, bool bilinear) {
    enum { VECTORS = CELL / WIDE };
    const SoftBlock *block = &run->blocks[cell];
    int x = run->x + cell * CELL;
    F step = f_set((float)paint->iz_x);
    for (int y = run->first; y <= run->last; y++) {
        if (!run->masks[cell][y])
            continue;
        WideRow row;
        row_begin(&row, mode, paint, run->y + y, STYLE_LIGHTMAP);
        Ramps ramps;
        kept_ramps(&row, block, x, 1, CELL, &ramps);
        size_t at = soft_place(target, x, run->y + y);
        F first = f_set((float)(row.row_iz + paint->iz_x * x));
        V pixels[VECTORS], masks[VECTORS];
        for (int i = 0; i < VECTORS; i++) {
            masks[i] = v_bits(v_set(run->masks[cell][y]), i * WIDE);
            pixels[i] = v_set(0);
        }
        wide_cell(&row, block, &ramps, x, masks, pixels, STYLE_LIGHTMAP, bilinear, CELL);
        for (int i = 0; i < VECTORS; i++) {
            uint32_t *color = target->color + at + i * WIDE;
            float *depth = target->depth + at + i * WIDE;
            v_store(color, v_choose(masks[i], v_or(pixels[i], v_set((int)0xff000000u)), v_load(color)));
            f_store(depth, f_choose(masks[i], f_add(first, f_mul(f_index(i * WIDE), step)), f_load(depth)));
        }
    }
}

static bool kept_masks(KeptRun *run, const SoftSpan *spans, int count) {
    memset(run->room, 0, (size_t)run->cells * sizeof run->room[0]);
    run->masks = (const uint16_t (*)[BLOCK_ROWS])run->room;
    run->first = BLOCK_ROWS;
    run->last = -1;
    for (int i = 0; i < count; i++) {
        int x0 = MAX(spans[i].x0 - run->x, 0), x1 = MIN(spans[i].x1 - run->x, run->cells * CELL), y = spans[i].y - run->y;
        if (x0 >= x1)
            continue;
        run->first = MIN(run->first, y);
        run->last = MAX(run->last, y);
        int first = x0 / CELL, last = (x1 - 1) / CELL;
        uint16_t left = (uint16_t)(0xffff << x0 % CELL), right = (uint16_t)(0xffff >> (CELL - 1 - (x1 - 1) % CELL));
        if (first == last) {
            run->room[first][y] |= left & right;
            continue;
        }
        run->room[first][y] |= left;
        for (int k = first + 1; k < last; k++)
            run->room[k][y] = 0xffff;
        run->room[last][y] |= right;
    }
    return run->last >= 0;
}

/* Where one tile has all of a block. */
INLINE bool kept_simply(const SoftBlock *block) { return block->kind != BLOCK_STRANGE && block->tile[0] && !block->tile[1] && !block->tile[2]; }

/* All blocks first: then no pixel waits for a division. */
INLINE void kept_measure(const SoftPaint *paint, const KeptRows *rows, KeptRun *run) {
    KeptRows ends[2];
    kept_ends(paint, rows, run->x, &ends[0]);
    for (int i = 0; i < run->cells; i++) {
        kept_ends(paint, rows, run->x + (i + 1) * CELL, &ends[(i + 1) & 1]);
        kept_steps(&run->blocks[i], &ends[i & 1], &ends[(i + 1) & 1], &run->steps[i]);
    }
}

INLINE void kept_run(const SoftTarget *target, const SoftMode *mode, const SoftPaint *paint, KeptRun *run, bool bilinear) {
    make_blocks(mode, paint, run->x, run->y, run->cells, STYLE_LIGHTMAP, CELL, &run->near, run->blocks);
    run->near = run->blocks[0];
    if (paint->bakes && target->baked)
        note_baked(target, run->blocks, run->x, run->y, run->cells, CELL);
    KeptRows rows;
    kept_rows_begin(paint, run->y, &rows);
    kept_measure(paint, &rows, run);
    for (int i = 0; i < run->cells; i++) {
        uint64_t halves[2];
        memcpy(halves, run->masks[i], sizeof halves);
        if (!(halves[0] | halves[1]))
            continue;
        if (!kept_simply(&run->blocks[i]))
            kept_slowly(target, mode, paint, run, i, bilinear);
        else if (run->blocks[i].kind == BLOCK_DIVIDED)
            kept_block(target, paint, run, i, run->first, run->last, &rows, KEPT_DIVIDED, bilinear);
        else if ((halves[0] & halves[1]) == UINT64_MAX)
            kept_block(target, paint, run, i, 0, BLOCK_ROWS - 1, NULL, KEPT_WHOLE, bilinear);
        else
            kept_ragged(target, paint, run, i, halves, bilinear);
    }
}

/* Spans that lie in the same rows of blocks are drawn together, from left to right in as many runs as they need. */
INLINE void kept_spans(const SoftTarget *target, const SoftMode *mode, const SoftPaint *paint, const SoftSpan *spans, int count, bool bilinear) {
    KeptRun run;
    kept_begin(&run);
    for (int i = 0, end; i < count; i = end) {
        int left, right;
        end = spans_together(spans, i, count, &left, &right);
        run.y = spans[i].y & ~(BLOCK_ROWS - 1);
        for (run.x = left & ~(CELL - 1); run.x < right; run.x += RUN_CELLS * CELL) {
            run.cells = MIN((right - run.x + CELL - 1) / CELL, RUN_CELLS);
            if (kept_masks(&run, spans + i, end - i))
                kept_run(target, mode, paint, &run, bilinear);
        }
    }
}
