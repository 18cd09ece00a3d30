/* render/soft/soft_cell.c -- the pixels of a row, a cell of 16 at a time, in plain C: what the wide code must equal.
 *
 * At the ends of each 8 or 16 pixels the lanes are divided by 1/z; between, they step evenly, as Quake's did. Ends stand
 * at multiples of 8 or 16 of the row, never at the span's own, so a pixel is the same whichever span it is drawn in.
 * Where even steps would be wrong by a quarter of a texel (close and slanting), each pixel has its own division. That, the
 * size of texels, and where they are kept once lit, is settled for BLOCK_ROWS rows at once. */
#include <math.h>

#include "base/trig.h"
#include "render/soft/soft_blend.h"
#include "render/soft/soft_internal.h"

/* The lanes at one place of the row. */
typedef struct End {
    double iz;
    double value[LANES];             /* 1/65536 */
    double offset[2];                /* u and v less what they are at the eye */
    double down[2];                  /* how u and v change from this row to the next */
} End;

/* Lanes of up to CELL pixels. */
typedef struct Steps {
    int32_t lane[LANES][CELL];
    SoftBlock block[CELL];           /* the one that each is in; where it has tiles u and v count in the first */
} Steps;

typedef struct Row {
    const SoftPaint *paint;
    double iz, lane[LANES];          /* at x 0 */
    int lanes;                       /* how many are used */
    int y;
} Row;


static const int lanes_of[] = {
    [STYLE_FLAT] = 0, [STYLE_TEXTURE] = 2, [STYLE_LIGHTMAP] = 4, [STYLE_VERTEX] = LANES, [STYLE_BRIGHT] = 2, [STYLE_COLOR] = LANES,
    [STYLE_SKY] = LANES, [STYLE_MIP] = 2, [STYLE_DEPTH] = 0, [STYLE_STAGE] = 2, [STYLE_STAGE_LIGHT] = 4, [STYLE_FOG] = 2, [STYLE_BEYOND] = 0,
};

static Row row_at(const SoftPaint *paint, int y) {
    Row row = { .paint = paint, .y = y, .iz = paint->iz_y * y + paint->iz_c };
    row.lanes = lanes_of[paint->style];
    for (int i = 0; i < row.lanes; i++)
        row.lane[i] = paint->y[i] * y + paint->c[i];
    return row;
}

/* A sky's lanes are the ray: where its picture is along it. */
static End sky_end(const Row *row, int x) {
    const SoftPaint *paint = row->paint;
    End end = { .iz = 1 };
    if (paint->sky) {
        soft_sky_place(paint->sky, x, row->y, end.value);
        end.offset[0] = end.value[LANE_U] *= 65536.0 * (1 << paint->texture->width_log);
        end.offset[1] = end.value[LANE_V] *= 65536.0 * (1 << paint->texture->height_log);
        for (int i = LANE_RED; i < LANES; i++)
            end.value[i] = 255.5 * 65536;
        return end;
    }
    double ray[3];
    for (int i = 0; i < 3; i++)
        ray[i] = row->lane[i] + paint->x[i] * x;
    soft_sky_at(ray, paint->texture, paint->flat, end.value);
    memcpy(end.offset, end.value, sizeof end.offset);
    return end;
}

static End end_at(const Row *row, int x) {
    const SoftPaint *paint = row->paint;
    if (paint->style == STYLE_SKY)
        return sky_end(row, x);
    End end = { .iz = row->iz + paint->iz_x * x };
    double inverse = 1 / end.iz;
    for (int i = 0; i < row->lanes; i++) {
        double offset = (row->lane[i] + paint->x[i] * x) * inverse;
        end.value[i] = offset + paint->eye[i];
        if (i < 2) {
            end.offset[i] = offset;
            end.down[i] = (paint->y[i] - offset * paint->iz_y) * inverse;
        }
    }
    return end;
}

/* The level whose texels are nearest in size to the pixels. */
static float square_of(const double across[2], const double down[2]) {
    double a = across[0] * across[0] + across[1] * across[1], b = down[0] * down[0] + down[1] * down[1];
    return (float)((a > b ? a : b) * (1.0 / 65536 / 65536));
}

static int level_of(const SoftTexture *texture, float square) {
    uint32_t bits;
    memcpy(&bits, &square, sizeof bits);
    int level = ((int)(bits >> 23 & 255) - 126) >> 1;    /* half the exponent, rounded */
    return CLAMP(level, 0, texture->levels - 1);
}

/* What the pixels of one block have in common; its tiles are missing. */
static void block_measure(const Row *top, const Row *bottom, int x, int divide, double low[2], double high[2], SoftBlock *out) {
    const SoftPaint *paint = top->paint;
    End a = end_at(top, x), b = end_at(top, x + divide), c = end_at(bottom, x), d = end_at(bottom, x + divide);
    double nearest = MAX(MAX(a.iz, b.iz), MAX(c.iz, d.iz)), farthest = MIN(MIN(a.iz, b.iz), MIN(c.iz, d.iz));
    double across[2], down[2], most = 0;
    for (int i = 0; i < 2; i++) {
        double run = b.offset[i] - a.offset[i], lower_run = d.offset[i] - c.offset[i];
        across[i] = (run + lower_run) * (0.5 / divide);
        down[i] = ((c.offset[i] - a.offset[i]) + (d.offset[i] - b.offset[i])) * (0.5 / BLOCK_ROWS);
        most = MAX(most, MAX(fabs(run), fabs(lower_run)));
        low[i] = MIN(MIN(a.offset[i], b.offset[i]), MIN(c.offset[i], d.offset[i]));
        high[i] = MAX(MAX(a.offset[i], b.offset[i]), MAX(c.offset[i], d.offset[i]));
    }
    out->square = square_of(across, down);
    out->level = (uint8_t)level_of(paint->texture, out->square);
    bool even = paint->style == STYLE_SKY || fabs(paint->iz_x) * divide * most <= farthest * 65536.0 * (1 << out->level);
    bool strange = !(farthest > 0 && (nearest - farthest) * 3 <= nearest + farthest);    /* a corner is twice as far as another, or beyond the horizon */
    out->kind = strange ? BLOCK_STRANGE : even ? BLOCK_EVEN : BLOCK_DIVIDED;
}

static SoftBlock block_at(const SoftMode *mode, const SoftPaint *paint, int x, int y) {
    Row top = row_at(paint, y & ~(BLOCK_ROWS - 1)), bottom = row_at(paint, (y & ~(BLOCK_ROWS - 1)) + BLOCK_ROWS);
    SoftBlock block = { 0 };
    double low[2], high[2];
    block_measure(&top, &bottom, x, mode->divide, low, high, &block);
    block.baked = soft_bakes(paint, block.level, block.square);
    if (paint->cached && block.kind != BLOCK_STRANGE)
        soft_cache_block(mode, paint, low, high, &block);
    return block;
}

/* Beyond the horizon of its surface a part has no ends to speak of: all of each pixel is its own. */
static void steps_strange(const Row *row, int x, int count, Steps *steps, int first) {
    for (int k = first; k < first + count; k++) {
        End here = end_at(row, x + k);
        double across[2] = { 0 };
        for (int i = 0; i < row->lanes; i++) {
            steps->lane[i][k] = soft_whole(here.value[i]);
            if (i < 2)
                across[i] = (row->paint->x[i] - here.offset[i] * row->paint->iz_x) / here.iz;
        }
        SoftBlock *block = &steps->block[k];
        *block = (SoftBlock){ .square = square_of(across, here.down) };
        block->level = (uint8_t)level_of(row->paint->texture, block->square);
    }
}

/* A lane of a block as its pixels need it, in a tile or in the whole picture. */
static int32_t whole_lane(const SoftBlock *block, const End *at, int lane) {
    bool kept = block->tile[0] && lane < 2;
    return soft_whole(kept ? at->offset[lane] * block->scale + block->less[lane * 2] : at->value[lane]);
}

static void steps_divided(const Row *row, const SoftBlock *block, int x, int count, Steps *steps, int first) {
    for (int k = first; k < first + count; k++) {
        End here = end_at(row, x + k);
        for (int i = 0; i < row->lanes; i++)
            steps->lane[i][k] = whole_lane(block, &here, i);
    }
}

static void steps_even(const Row *row, const SoftBlock *block, const End *a, const End *b, int count, Steps *steps, int first) {
    for (int i = 0; i < row->lanes; i++) {
        uint32_t start = (uint32_t)whole_lane(block, a, i), run = (uint32_t)whole_lane(block, b, i) - start;
        int32_t step = (int32_t)run >> (count == 8 ? 3 : 4);
        for (int k = 0; k < count; k++)
            steps->lane[i][first + k] = (int32_t)(start + (uint32_t)step * (uint32_t)k);
    }
}

static void steps_make(const Row *row, const SoftMode *mode, int x, Steps *steps) {
    int divide = mode->divide;
    for (int first = 0; first < CELL; first += divide) {
        SoftBlock block = block_at(mode, row->paint, x + first, row->y);
        for (int k = first; k < first + divide; k++)
            steps->block[k] = block;
        End a = end_at(row, x + first), b = end_at(row, x + first + divide);
        if (block.kind == BLOCK_STRANGE)
            steps_strange(row, x, divide, steps, first);
        else if (block.kind == BLOCK_DIVIDED)
            steps_divided(row, &block, x, divide, steps, first);
        else
            steps_even(row, &block, &a, &b, divide, steps, first);
    }
}


static unsigned mixed(unsigned a, unsigned b, unsigned part) {    /* bytes; part of 256 */
    return ((a << 8) + (b - a) * part + 128) >> 8 & 255;
}

static uint32_t mixed_pixel(uint32_t a, uint32_t b, unsigned part) {
    uint32_t out = 0;
    for (int i = 0; i < 32; i += 8)
        out |= (uint32_t)mixed(a >> i & 255, b >> i & 255, part) << i;
    return out;
}

static uint32_t texel(const SoftTexture *texture, int level, int32_t u, int32_t v, bool bilinear) {
    const SoftMip *mip = &texture->mip[level];
    const uint32_t *at = mip->texels;
    int width_log = mip->width_log;
    uint32_t column_mask = mip->column_mask, row_mask = mip->row_mask;
    if (!bilinear) {
        uint32_t column = (uint32_t)(u >> (16 + level)) & column_mask, row = (uint32_t)(v >> (16 + level)) & row_mask;
        return at[(row << width_log) + row + column];
    }
    u = (int32_t)((uint32_t)u - (0x8000u << level));
    v = (int32_t)((uint32_t)v - (0x8000u << level));
    uint32_t column = (uint32_t)(u >> (16 + level)) & column_mask, row = (uint32_t)(v >> (16 + level)) & row_mask;
    uint32_t below = (row + 1) & row_mask;
    unsigned part_u = (uint32_t)(u >> (8 + level)) & 255, part_v = (uint32_t)(v >> (8 + level)) & 255;
    const uint32_t *a = &at[(row << width_log) + row + column], *b = &at[(below << width_log) + below + column];
    return mixed_pixel(mixed_pixel(a[0], a[1], part_u), mixed_pixel(b[0], b[1], part_u), part_v);
}

/* The same where the texture does not repeat: beyond its border is its border. */
static uint32_t clamped_texel(const SoftTexture *texture, int level, int32_t u, int32_t v, bool bilinear) {
    const SoftMip *mip = &texture->mip[level];
    int32_t half = bilinear ? (int32_t)(0x8000u << level) : 0, more = bilinear ? 0 : (1 << (16 + level)) - 1;
    int32_t last_u = (int32_t)(mip->column_mask << (16 + level)) + more, last_v = (int32_t)(mip->row_mask << (16 + level)) + more;
    u = (int32_t)((uint32_t)u - (uint32_t)half);
    v = (int32_t)((uint32_t)v - (uint32_t)half);
    return texel(texture, level, CLAMP(u, 0, last_u) + half, CLAMP(v, 0, last_v) + half, bilinear);
}

static uint32_t light_texel(const uint32_t *page, int32_t u, int32_t v) {
    enum { LAST = (LIGHTMAP_SIZE << 16) - 1 };
    u = (int32_t)((uint32_t)u - 0x8000u);
    v = (int32_t)((uint32_t)v - 0x8000u);
    u = CLAMP(u, 0, LAST);
    v = CLAMP(v, 0, LAST);
    const uint32_t *a = &page[(v >> 16) * PAGE_PITCH + (u >> 16)], *b = a + PAGE_PITCH;
    unsigned part_u = (uint32_t)u >> 8 & 255, part_v = (uint32_t)v >> 8 & 255;
    return mixed_pixel(mixed_pixel(a[0], a[1], part_u), mixed_pixel(b[0], b[1], part_u), part_v);
}

/* Which tile of the block it is in, and where there. */
static uint32_t tile_texel(const SoftBlock *block, int32_t u, int32_t v, bool bilinear) {
    const SoftTile *const *tile = block->tile;
    if (tile[2] && v >= block->edge[1]) {
        v -= block->edge[1];
        tile += 2;
    }
    if (block->tile[1] && u >= block->edge[0]) {
        u -= block->edge[0];
        tile++;
    }
    int length = (int)((*tile)->pitch >> 16), x = u >> 16, y = v >> 16;
    x = CLAMP(x, 0, (int)((*tile)->most & 0xffff));
    y = CLAMP(y, 0, (int)((*tile)->most >> 16));
    const uint32_t *a = &(*tile)->texels[y * length + x], *b = a + length;
    unsigned part_u = (uint32_t)u >> 8 & 255, part_v = (uint32_t)v >> 8 & 255;
    return bilinear ? mixed_pixel(mixed_pixel(a[0], a[1], part_u), mixed_pixel(b[0], b[1], part_u), part_v) : a[0];
}

static uint32_t byte_of(int32_t value) { return (uint32_t)CLAMP(value, 0, (255 << 16) + 0xffff) >> 16; }

/* Texture times light, rounded; alpha is the texture's. */
static uint32_t lit(uint32_t color, uint32_t light, bool bright) {
    uint32_t out = color & 0xff000000u;
    for (int i = 0; i < 24; i += 8) {
        uint32_t product = (color >> i & 255) * (light >> i & 255);
        product = MIN(product << bright, 65535);
        product = MIN(product + 128, 65535) * 257 >> 16;
        out |= MIN(product, 255) << i;
    }
    return out;
}

/* Texture times colour of the vertices, alpha too. */
static uint32_t colored(uint32_t color, uint32_t by) {
    uint32_t out = 0;
    for (int i = 0; i < 32; i += 8)
        out |= ((color >> i & 255) * (by >> i & 255) + 127) / 255 << i;
    return out;
}

/* The level that a pixel asks for as a colour: green 0, yellow 1, red 2 and so on towards white; blue: enlarged. */
static uint32_t level_color(float square) {
    static const float steps[6][3] = { { 0.1f, 0.7f, 0.1f }, { 0.8f, 0.8f, 0.1f }, { 0.9f, 0.4f, 0.1f }, { 0.8f, 0.1f, 0.1f }, { 0.7f, 0.2f, 0.7f }, { 0.9f, 0.9f, 0.9f } };
    static const float enlarged[3] = { 0.1f, 0.2f, 0.9f };
    float level = (float)(trig_log(square > 1e-12f ? square : 1e-12f) * (0.5 / 0.69314718055994531));
    int whole = level < 0 ? 0 : level < 4 ? (int)level : 4;
    float part = level < 0 ? -level * 0.5f : level - (float)whole;
    part = part > 1 ? 1 : part;
    const float *from = steps[whole], *to = level < 0 ? enlarged : steps[whole + 1];
    uint32_t out = 0xff000000u;
    for (int i = 0; i < 3; i++)
        out |= (uint32_t)((from[i] + (to[i] - from[i]) * part) * 255 + 0.5f) << 8 * i;
    return out;
}

static uint32_t depth_color(float iz) {
    uint32_t grey = (uint32_t)(255 * (DEPTH_HALF * iz / (DEPTH_HALF * iz + 1)) + 0.5f);
    return MIN(grey, 255) * 0x010101u | 0xff000000u;
}

static uint32_t bytes_of(const Steps *steps, int k) {
    return byte_of(steps->lane[LANE_RED][k]) | byte_of(steps->lane[LANE_GREEN][k]) << 8 | byte_of(steps->lane[LANE_BLUE][k]) << 16
           | byte_of(steps->lane[LANE_ALPHA][k]) << 24;
}

/* Both lanes count HAZE_TEXELS for 1: how much of fog is between, and which part of it counts. */
static uint32_t fog_color(uint32_t color, int32_t amount, int32_t part) {
    float square = (float)amount * (float)part * (8.0f / (65536.0f * HAZE_TEXELS) / (65536.0f * HAZE_TEXELS));
    square = square < 1 ? square : 1;
    square = square > 0 ? square : 0;
    return (color & 0x00ffffffu) | (uint32_t)(sqrtf(square) * 255 + 0.5f) << 24;
}

static uint32_t doubled(uint32_t color) {
    uint32_t out = color & 0xff000000u;
    for (int i = 0; i < 24; i += 8)
        out |= MIN((color >> i & 255) * 2, 255) << i;
    return out;
}

/* A stage's picture with its colour, and the light on it. */
static uint32_t staged(const SoftPaint *paint, const Steps *steps, int k, bool bilinear) {
    int32_t u = steps->lane[LANE_U][k], v = steps->lane[LANE_V][k];
    uint32_t color = paint->clamped ? clamped_texel(paint->texture, steps->block[k].level, u, v, bilinear) : texel(paint->texture, steps->block[k].level, u, v, bilinear);
    color = colored(color, paint->style == STYLE_COLOR ? bytes_of(steps, k) : paint->tint);
    if (paint->style == STYLE_STAGE_LIGHT)
        return lit(color, light_texel(paint->page, steps->lane[LANE_LIGHT_U][k], steps->lane[LANE_LIGHT_V][k]), paint->bright);
    return paint->bright ? doubled(color) : color;
}

static uint32_t shaded(const SoftMode *mode, const SoftPaint *paint, const Steps *steps, int k) {
    const SoftBlock *block = &steps->block[k];
    if (paint->style == STYLE_MIP)
        return level_color(block->square);
    if (paint->style == STYLE_FOG)
        return fog_color(paint->flat, steps->lane[LANE_U][k], steps->lane[LANE_V][k]);
    if (paint->style == STYLE_STAGE || paint->style == STYLE_STAGE_LIGHT || paint->style == STYLE_COLOR)
        return staged(paint, steps, k, mode->bilinear);
    if (block->tile[0])
        return tile_texel(block, steps->lane[LANE_U][k], steps->lane[LANE_V][k], mode->bilinear);
    uint32_t color = texel(paint->texture, block->level, steps->lane[LANE_U][k], steps->lane[LANE_V][k], mode->bilinear);
    switch (paint->style) {
    case STYLE_LIGHTMAP: return lit(color, light_texel(paint->page, steps->lane[LANE_LIGHT_U][k], steps->lane[LANE_LIGHT_V][k]), paint->bright);
    case STYLE_VERTEX: return lit(color, bytes_of(steps, k), paint->bright);
    case STYLE_SKY: return colored(color, bytes_of(steps, k));
    default: return color;
    }
}

/* Pixels that were not wanted are not there; they are left out of the cell anyway. */
static void beyond_pixels(const SoftBeyond *beyond, int x, int y, uint32_t *out) {
    const uint32_t *row = beyond->color + (size_t)(y - beyond->y0) * (size_t)(beyond->x1 - beyond->x0);
    bool inside = y >= beyond->y0 && y < beyond->y1;
    for (int k = 0; k < CELL; k++)
        out[k] = inside && x + k >= beyond->x0 && x + k < beyond->x1 ? row[x + k - beyond->x0] : 0;
}

static void shade(const SoftMode *mode, const Row *row, int x, const float *z, uint32_t *out) {
    const SoftPaint *paint = row->paint;
    if (paint->style == STYLE_BEYOND) {
        beyond_pixels(paint->beyond, x, row->y, out);
        return;
    }
    if (paint->style == STYLE_FLAT || paint->style == STYLE_DEPTH) {
        for (int k = 0; k < CELL; k++)
            out[k] = paint->style == STYLE_FLAT ? paint->flat : depth_color(z[k]);
        return;
    }
    Steps steps;
    steps_make(row, mode, x, &steps);
    for (int k = 0; k < CELL; k++)
        out[k] = shaded(mode, paint, &steps, k);
}


void soft_light_row_plain(const uint32_t *page, const SoftLightRow *row, int count, uint32_t *out) {
    for (int k = 0; k < count; k++) {
        int32_t u = (int32_t)((uint32_t)row->first[0] + (uint32_t)row->step[0] * (uint32_t)k);
        int32_t v = (int32_t)((uint32_t)row->first[1] + (uint32_t)row->step[1] * (uint32_t)k);
        out[k] = lit(row->texels[(row->column + (uint32_t)k) & row->column_mask], light_texel(page, u, v), row->bright);
    }
}

void soft_strange_pixels(const SoftMode *mode, const SoftPaint *paint, int y, int x, int count, uint32_t *out) {
    Row row = row_at(paint, y);
    Steps steps;
    steps_strange(&row, x, count, &steps, 0);
    for (int k = 0; k < count; k++)
        out[k] = shaded(mode, paint, &steps, k);
}


static unsigned tested_mask(const float *depth, const float *z, SoftTest test) {
    unsigned mask = 0;
    for (int k = 0; k < CELL; k++)
        mask |= (unsigned)(test == TEST_NEARER ? z[k] > depth[k] : test == TEST_EQUAL ? z[k] == depth[k] : z[k] >= depth[k]) << k;
    return mask;
}

static unsigned alpha_mask(const uint32_t *colors, float threshold) {
    unsigned mask = 0;
    int limit = (int)(fabsf(threshold) * 255 + 0.5f);
    for (int k = 0; k < CELL; k++) {
        int alpha = (int)(colors[k] >> 24);
        mask |= (unsigned)(threshold < 0 ? alpha < limit : alpha >= limit) << k;
    }
    return mask;
}

uint32_t soft_blended(uint32_t color, uint32_t below, SoftBlend blend) {
    unsigned alpha = blend == BLEND_SUM ? 255 : color >> 24, rest = blend == BLEND_ALPHA ? 255 - alpha : 255;
    uint32_t out = 0xff000000u;
    for (int i = 0; i < 24; i += 8) {
        uint32_t sum = ((color >> i & 255) * alpha + (below >> i & 255) * rest + 127) / 255;
        out |= MIN(sum, 255) << i;
    }
    return out;
}

static uint32_t laid(const SoftPaint *paint, uint32_t color, uint32_t below) {
    if (paint->blend == BLEND_FACTORS)
        return soft_mix(color, below, paint->source, paint->destination);
    return paint->blend ? soft_blended(color, below, paint->blend) : color | 0xff000000u;
}

static void add_pixels(uint32_t to[CELL], const uint32_t more[CELL]) {    /* all channels, no more than 255 */
    for (int k = 0; k < CELL; k++) {
        uint32_t out = 0;
        for (int i = 0; i < 32; i += 8) {
            uint32_t sum = (to[k] >> i & 255) + (more[k] >> i & 255);
            out |= MIN(sum, 255) << i;
        }
        to[k] = out;
    }
}

static void note_baked(const SoftTarget *target, const SoftMode *mode, const SoftPaint *paint, int x, int y) {
    for (int half = 0; half < CELL; half += 8) {
        SoftBlock block = block_at(mode, paint, (x + half) & ~(mode->divide - 1), y);
        *soft_baked_at(target, x + half, y) = block.baked && block.tile[0];
    }
}

static void cell_draw(const SoftTarget *target, const SoftMode *mode, const Row *row, int y, int x, unsigned mask, SoftTest test) {
    const SoftPaint *paint = row->paint;
    size_t at = soft_place(target, x, y);
    uint32_t *to = target->color + at, colors[CELL];
    float *depth = target->depth + at, z[CELL];
    bool far = paint->at_depth != 0;
    float first = far ? paint->at_depth : (float)(row->iz + paint->iz_x * x), step = far ? 0 : (float)paint->iz_x;
    for (int k = 0; k < CELL; k++)
        z[k] = first + (float)k * step;
    if (test != TEST_NONE && test != TEST_PASSED)
        mask &= tested_mask(depth, z, test);
    for (int half = 0; half < CELL && paint->skips; half += 8)
        if (*soft_baked_at(target, x + half, y))
            mask &= ~(0xffu << half);
    if (!mask)
        return;
    shade(mode, row, x, z, colors);
    if (paint->added)
        add_pixels(colors, paint->added->color + soft_place(paint->added, x, y));
    if (paint->bakes && target->baked)
        note_baked(target, mode, paint, x, y);
    unsigned passed = paint->alpha_test != 0 ? alpha_mask(colors, paint->alpha_test) : 0xffff;
    if (!paint->joined)
        mask &= passed;
    for (int k = 0; k < CELL; k++) {
        if (!(mask >> k & 1))
            continue;
        if (passed >> k & 1)
            to[k] = laid(paint, colors[k], to[k]);
        if (paint->twice)
            to[k] = doubled(to[k]);
        if (!paint->keeps_depth)
            depth[k] = z[k];
    }
}

static void row_draw(const SoftTarget *target, const SoftMode *mode, const SoftPaint *paint, int y, int x0, int x1, SoftTest test) {
    Row row = row_at(paint, y);
    for (int x = x0 & ~(CELL - 1); x < x1; x += CELL) {
        unsigned mask = 0xffff;
        if (x < x0)
            mask &= 0xffffu << (x0 - x);
        if (x + CELL > x1)
            mask &= 0xffffu >> (x + CELL - x1);
        cell_draw(target, mode, &row, y, x, mask, test);
    }
}

void soft_rows_plain(const SoftTarget *target, const SoftMode *mode, const SoftPaint *paint, const SoftSpan *spans, int count, SoftTest test) {
    for (int i = 0; i < count; i++)
        row_draw(target, mode, paint, spans[i].y, spans[i].x0, spans[i].x1, test);
}
