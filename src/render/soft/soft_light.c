/* render/soft/soft_light.c -- dynamic lights on the level: what is seen near them is drawn brighter.
 *
 * What a light reaches gets its picture times the light added to what is there: the same sum as light added to the
 * lightmap before. Flat surfaces whose lit texels are kept are drawn from tiles that have the light in them
 * (soft_glow_tile.c). Over others the light is worked out in pieces that stay near the processor: onto an opaque paint it
 * is added when that is drawn, and so it is to what light alone is multiplied with; any other that is blended, or drawn by
 * depth, gets it added to its own pixels before (SoftPaint.added). Blocks of pixels are measured first, and only where
 * there is light are texels read: what lies beyond a light costs next to nothing. */
#include <math.h>
#include <stdlib.h>

#include "render/soft/soft_glow_internal.h"

enum { LIGHTS_DRAWN = 64 };          /* those nearest to the eye, as gl has it */
enum { CHUNK = 128, CHUNK_CELLS = CHUNK / CELL, CHUNK_PLACES = CHUNK / GLOW_STEP };    /* pixels of 8 rows that are worked on at once: they stay near the processor */

typedef struct LightAt { float at[3], radius; int x0, y0, x1, y1; } LightAt;    /* from the pose's eye; the pixels that it may reach */

/* Something that lights reach. */
typedef struct Lit {
    int pose;                        /* -1: the world's */
    int first_light, light_count;    /* of `reach` */
    int x0, y0, x1, y1;              /* pixels */
    bool by_tiles;                   /* its lit texels can have the light in them */
} Lit;

struct SoftLights {
    ARRAY(LightAt) lights;           /* LIGHTS_DRAWN at most for the world, then as many for each pose */
    ARRAY(GlowLight) glow;           /* the same as rows take them */
    ARRAY(Lit) items;                /* by SoftItem.lit - 1 */
    ARRAY(Lit) shapes;               /* by shape of the frame; without lights: none reaches it */
    ARRAY(int) reach;
    int count;                       /* lights of one pose */
};

SoftLights *soft_lights_open(void) { return mem_zeroed(1, sizeof(SoftLights)); }

void soft_lights_close(SoftLights *lights) {
    if (!lights)
        return;
    array_free(&lights->lights);
    array_free(&lights->glow);
    array_free(&lights->items);
    array_free(&lights->shapes);
    array_free(&lights->reach);
    mem_free(lights);
}

typedef struct NearLight { float distance; int number; } NearLight;

static int compare_near(const void *a, const void *b) {
    const NearLight *x = a, *y = b;
    return x->distance != y->distance ? (x->distance < y->distance ? -1 : 1) : x->number - y->number;
}

/* Where a ball may be in the picture. */
static void note_pixels(const Soft *soft, const FrameLight *light, LightAt *out) {
    double eye[3], width = soft->view.width, height = soft->view.height;
    soft_pose_point(&soft->world, light->origin, eye);
    double nearest = eye[2] - light->radius;
    double x = soft->view.middle_x, y = soft->view.middle_y, wide = 1e9, high = 1e9;
    if (nearest > soft->view.near) {
        x += eye[0] / eye[2];
        y += eye[1] / eye[2];
        wide = light->radius * (soft->view.scale_x + fabs(eye[0] / eye[2])) / nearest;
        high = light->radius * (soft->view.scale_y + fabs(eye[1] / eye[2])) / nearest;
    }
    out->x0 = (int)CLAMP(x - wide - 1, 0, width);
    out->x1 = (int)CLAMP(x + wide + 2, 0, width);
    out->y0 = (int)CLAMP(y - high - 1, 0, height);
    out->y1 = (int)CLAMP(y + high + 2, 0, height);
    if (nearest < -2 * (double)light->radius)    /* all of it is behind the eye */
        out->x1 = out->y1 = 0;
}

static void add_light(const Soft *soft, SoftLights *lights, const SoftPose *pose, const FrameModel *model, const FrameLight *light) {
    Vec3 p = light->origin;
    if (model) {
        Vec3 d = vec3_sub(p, model->origin);
        p = vec3_at(vec3_dot(d, model->axes.forward), -vec3_dot(d, model->axes.right), vec3_dot(d, model->axes.up));
    }
    LightAt at = { { (float)(p.x - pose->eye[0]), (float)(p.y - pose->eye[1]), (float)(p.z - pose->eye[2]) }, light->radius, 0, 0, 0, 0 };
    note_pixels(soft, light, &at);
    *array_push(&lights->lights) = at;
    *array_push(&lights->glow) = (GlowLight){ { at.at[0], at.at[1], at.at[2] }, 1 / light->radius, { light->color.x, light->color.y, light->color.z } };
}

static void choose_lights(Soft *soft, SoftLights *lights) {
    const Frame *frame = soft->frame;
    NearLight *order = arena_array(frame->arena, NearLight, frame->lights.count);
    for (size_t i = 0; i < frame->lights.count; i++)
        order[i] = (NearLight){ vec3_length(vec3_sub(frame->lights.at[i].origin, frame->view.origin)), (int)i };
    qsort(order, frame->lights.count, sizeof *order, compare_near);
    lights->count = (int)MIN(frame->lights.count, LIGHTS_DRAWN);
    for (size_t place = 0; place < frame->models.count + 1; place++)
        for (int i = 0; i < lights->count; i++) {
            const FrameLight *light = &frame->lights.at[order[i].number];
            if (place == 0)
                add_light(soft, lights, &soft->world, NULL, light);
            else
                add_light(soft, lights, &soft->scratch.poses.at[place - 1], &frame->models.at[place - 1], light);
        }
}

static bool reaches(const LightAt *light, const SoftPose *pose, Box box) {
    double far = 0;
    for (int i = 0; i < 3; i++) {
        double at = light->at[i] + pose->eye[i], less = box.mins.raw[i] - at, more = at - box.maxs.raw[i], beside = MAX(MAX(less, more), 0);
        far += beside * beside;
    }
    return far < (double)light->radius * light->radius && light->x0 < light->x1 && light->y0 < light->y1;
}

/* The lights that come into a box. */
static Lit lit_by(const Soft *soft, SoftLights *lights, int pose, Box box) {
    const SoftPose *stands = pose < 0 ? &soft->world : &soft->scratch.poses.at[pose];
    Lit lit = { .pose = pose, .first_light = (int)lights->reach.count, .x0 = soft->view.width, .y0 = soft->view.height };
    int first = (pose + 1) * lights->count;
    for (int i = first; i < first + lights->count; i++) {
        const LightAt *light = &lights->lights.at[i];
        if (!reaches(light, stands, box))
            continue;
        *array_push(&lights->reach) = i;
        lit.light_count++;
        lit.x0 = MIN(lit.x0, light->x0);
        lit.y0 = MIN(lit.y0, light->y0);
        lit.x1 = MAX(lit.x1, light->x1);
        lit.y1 = MAX(lit.y1, light->y1);
    }
    return lit;
}

int soft_lights_reach(const Soft *soft, SoftLights *lights, int pose, Box box) {
    if (!lights->count)
        return 0;
    Lit lit = lit_by(soft, lights, pose, box);
    if (!lit.light_count)
        return 0;
    *array_push(&lights->items) = lit;
    return (int)lights->items.count;
}

void soft_lights_begin(Soft *soft, SoftLights *lights) {
    const Frame *frame = soft->frame;
    array_clear(&lights->lights);
    array_clear(&lights->glow);
    array_clear(&lights->items);
    array_clear(&lights->shapes);
    array_clear(&lights->reach);
    lights->count = 0;
    if (frame->lights.count && frame->level && (frame->shade == SHADE_LIT || frame->shade == SHADE_LIGHTMAP))
        choose_lights(soft, lights);
}

/* Whether a block of the shape may reach to the horizon, or be twice as deep at one end: those are not drawn from tiles. */
static bool has_strange_blocks(const Soft *soft, const SoftShape *shape) {
    const SoftPaint *paint = &soft->scratch.paints.at[shape->paint];
    double least = INFINITY, step = fabs(paint->iz_x) * CELL + fabs(paint->iz_y) * BLOCK_ROWS;
    for (int i = 0; i < 4; i++)
        least = fmin(least, paint->iz_x * (i & 1 ? shape->x1 : shape->x0) + paint->iz_y * (i & 2 ? shape->y1 : shape->y0) + paint->iz_c);
    return !(least > 2.5 * step);
}

static bool takes_light(const Soft *soft, const SoftShape *shape) {
    for (int i = 0; i <= shape->layers; i++)
        if (soft->scratch.paints.at[shape->paint + i].light > 0)
            return shape->x0 < shape->x1 && shape->y0 < shape->y1;
    return false;
}

void soft_lights_shapes(const Soft *soft, SoftLights *lights) {
    for (size_t i = 0; i < soft->order.shapes.count && lights->count; i++) {
        const SoftShape *shape = &soft->order.shapes.at[i];
        const SoftPaint *paint = &soft->scratch.paints.at[shape->paint];
        Lit lit = { .pose = shape->pose };
        if (takes_light(soft, shape))
            lit = lit_by(soft, lights, shape->pose, soft->frame->level->geometry->face_bounds[soft->level->surfaces[shape->surface].face]);
        lit.by_tiles = lit.light_count && paint->cached && paint->light > 0 && !has_strange_blocks(soft, shape);
        *array_push(&lights->shapes) = lit;
    }
}


/* What is worked on at once: light and texels of up to CHUNK pixels from x on, in rows y & ~7 .. y | 7. */
typedef struct Chunk {
    uint32_t texels[BLOCK_ROWS][CHUNK] __attribute__((aligned(64)));
    uint32_t added[BLOCK_ROWS][CHUNK] __attribute__((aligned(64)));
    float depth[BLOCK_ROWS][CHUNK] __attribute__((aligned(64)));    /* of the texels; nobody's */
    uint16_t light[BLOCK_ROWS][(CHUNK_PLACES + 8) * GLOW_NUMBERS] __attribute__((aligned(64)));
    unsigned mask[BLOCK_ROWS][CHUNK_CELLS];    /* pixels that are asked for, then those that are lit */
    int x, y;
} Chunk;

/* A paint that is drawn with light. */
typedef enum DrawWay { DRAW_OVER, DRAW_PRODUCT, DRAW_WITHIN } DrawWay;    /* the light is added to all that it drew; to what it multiplied, times that; to its own pixels */
typedef struct Draw {
    const Soft *soft;
    const SoftLights *lights;
    const SoftTarget *target;
    const Lit *lit;
    const SoftPaint *paint;
    SoftPaint picture;               /* what of it light is multiplied with */
    SoftTest test;
    DrawWay way;
    float scale;                     /* how much of the light counts */
} Draw;

static SoftPaint picture_of(const Soft *soft, const SoftPaint *from) {
    SoftPaint picture = *from;
    bool stage = from->style == STYLE_STAGE || from->style == STYLE_STAGE_LIGHT;
    picture.style = from->style == STYLE_COLOR ? STYLE_COLOR : stage ? STYLE_STAGE : STYLE_TEXTURE;
    if (from->paged) {
        picture.texture = &soft->white;
        picture.clamped = false;
    }
    picture.bright = picture.cached = picture.skips = picture.joined = picture.twice = picture.keeps_depth = false;
    picture.bakes = 0;
    picture.alpha_test = 0;
    picture.blend = BLEND_NONE;
    return picture;
}

static void ask_for(Chunk *chunk, const Lit *lit, const SoftSpan *span) {
    int x0 = MAX(MAX(span->x0, lit->x0), chunk->x), x1 = MIN(MIN(span->x1, lit->x1), chunk->x + CHUNK);
    if (x0 >= x1 || span->y < lit->y0 || span->y >= lit->y1)
        return;
    unsigned *mask = chunk->mask[span->y - chunk->y];
    for (int x = x0 & ~(CELL - 1); x < x1; x += CELL) {
        unsigned from = x < x0 ? 0xffffu << (x0 - x) : 0xffffu, to = x + CELL > x1 ? 0xffffu >> (x + CELL - x1) : 0xffffu;
        mask[(x - chunk->x) / CELL] |= from & to & 0xffffu;
    }
}

static GlowRow row_of(const Draw *draw, int y) {
    const Soft *soft = draw->soft;
    const Lit *lit = draw->lit;
    const SoftPose *pose = lit->pose < 0 ? &soft->world : &soft->scratch.poses.at[lit->pose];
    const SoftPaint *paint = draw->paint;
    GlowRow row = { .iz = paint->iz_y * y + paint->iz_c, .iz_x = paint->iz_x, .lights = draw->lights->glow.at,
                    .numbers = draw->lights->reach.at + lit->first_light, .count = lit->light_count, .scale = draw->scale };
    for (int i = 0; i < 3; i++) {
        row.ray[i] = (float)(pose->row[i] * y + pose->first[i]);
        row.step[i] = (float)pose->column[i];
    }
    return row;
}

static void measure_points(SoftCode code, const GlowRow *row, int x, int count, uint16_t *out) {
    if (code == CODE_AVX2)
        soft_glow_points_avx2(row, x, count, out);
    else if (code == CODE_SSE2)
        soft_glow_points_sse2(row, x, count, out);
    else
        soft_glow_points_plain(row, x, count, out);
}

static unsigned seen_pixels(SoftCode code, const GlowRow *row, int x, const float *depth, unsigned mask, SoftTest test) {
    return code == CODE_AVX2 ? soft_glow_depths_avx2(row, x, depth, mask, test) : code == CODE_SSE2 ? soft_glow_depths_sse2(row, x, depth, mask, test)
                                                                                                    : soft_glow_depths_plain(row, x, depth, mask, test);
}

static void add_cell(SoftCode code, uint32_t *color, const uint32_t *texels, const uint16_t *light, unsigned mask) {
    if (code == CODE_AVX2)
        soft_glow_add_avx2(color, texels, light, mask);
    else if (code == CODE_SSE2)
        soft_glow_add_sse2(color, texels, light, mask);
    else
        soft_glow_add_plain(color, texels, light, mask);
}

static void leave_out_hidden(const Draw *draw, Chunk *chunk, const GlowRow *row, int number) {
    const float *depth = draw->target->depth + soft_place(draw->target, chunk->x, chunk->y + number);
    for (int i = 0; i < CHUNK_CELLS; i++) {
        unsigned *mask = &chunk->mask[number][i];
        if (*mask)
            *mask = seen_pixels(draw->soft->mode.code, row, chunk->x + i * CELL, depth + i * CELL, *mask, draw->test);
    }
}

static bool is_lit(const uint16_t *light) {    /* anything in a cell */
    uint64_t all = 0, one;
    for (int i = 0; i <= GLOW_POINTS; i++) {
        memcpy(&one, light + i * GLOW_NUMBERS, sizeof one);
        all |= one;
    }
    return all != 0;
}

/* Measures a row of the chunk; from its first lit pixel to its last one it becomes a span of texels. */
static bool measure_row(const Draw *draw, Chunk *chunk, int number, SoftSpan *out) {
    unsigned *mask = chunk->mask[number];
    GlowRow row = row_of(draw, chunk->y + number);
    if (draw->test != TEST_NONE && draw->test != TEST_PASSED)
        leave_out_hidden(draw, chunk, &row, number);
    int first = 0, end = CHUNK_CELLS;
    while (first < end && !mask[first])
        first++;
    while (end > first && !mask[end - 1])
        end--;
    if (first == end)
        return false;
    int places = (end - first) * GLOW_POINTS + 1;
    measure_points(draw->soft->mode.code, &row, chunk->x + first * CELL, (places + 7) & ~7, &chunk->light[number][first * GLOW_POINTS * GLOW_NUMBERS]);
    *out = (SoftSpan){ .y = chunk->y + number };
    for (int i = first; i < end; i++) {
        if (mask[i] && !is_lit(&chunk->light[number][i * GLOW_POINTS * GLOW_NUMBERS]))
            mask[i] = 0;
        if (!mask[i])
            continue;
        int x = chunk->x + i * CELL;
        out->x0 = out->x0 == out->x1 ? x + __builtin_ctz(mask[i]) : out->x0;
        out->x1 = x + 32 - __builtin_clz(mask[i]);
    }
    return out->x0 < out->x1;
}

/* A pointer by which rows find the chunk's pixels at the picture's own places. */
static void *less(void *at, size_t bytes) { return (void *)((uintptr_t)at - bytes); }

static SoftTarget desk_of(const Draw *draw, Chunk *chunk, uint32_t *pixels) {
    size_t first = (size_t)chunk->x * sizeof(uint32_t);
    return (SoftTarget){ less(pixels, first), less(chunk->depth, first), draw->target->width, draw->target->height, CHUNK, chunk->y, NULL };
}

/* Measures all that is asked for; how many rows are lit. */
static int measure_chunk(const Draw *draw, Chunk *chunk, SoftSpan spans[BLOCK_ROWS]) {
    int count = 0;
    for (int i = 0; i < BLOCK_ROWS && chunk->y + i < draw->target->height; i++)
        count += measure_row(draw, chunk, i, &spans[count]);
    return count;
}

/* What the light is multiplied with. */
static void fill_texels(const Draw *draw, Chunk *chunk, const SoftSpan *spans, int count) {
    SoftTarget desk = desk_of(draw, chunk, chunk->texels[0]);
    if (draw->way != DRAW_PRODUCT) {
        soft_rows(&desk, &draw->soft->mode, &draw->picture, spans, count, soft_span_test(&draw->picture));
        return;
    }
    for (int i = 0; i < count; i++) {
        int first = spans[i].x0 & ~(CELL - 1), end = (spans[i].x1 + CELL - 1) & ~(CELL - 1);
        memcpy(desk.color + soft_place(&desk, first, spans[i].y), draw->target->color + soft_place(draw->target, first, spans[i].y), (size_t)(end - first) * sizeof(uint32_t));
    }
}

static void add_lit(const Draw *draw, const Chunk *chunk, const SoftTarget *to, const SoftSpan *spans, int count) {
    for (int i = 0; i < count; i++) {
        int row = spans[i].y - chunk->y;
        uint32_t *color = to->color + soft_place(to, chunk->x, spans[i].y);
        for (int k = 0; k < CHUNK_CELLS; k++)
            if (chunk->mask[row][k])
                add_cell(draw->soft->mode.code, color + k * CELL, &chunk->texels[row][k * CELL], &chunk->light[row][k * GLOW_POINTS * GLOW_NUMBERS], chunk->mask[row][k]);
    }
}

/* The part of spans from x0 to x1. */
static void draw_between(const Draw *draw, const SoftPaint *paint, const SoftSpan *spans, int count, int x0, int x1) {
    SoftSpan part[64];
    int parts = 0;
    for (int i = 0; i < count; i++) {
        part[parts] = (SoftSpan){ spans[i].part, spans[i].y, MAX(spans[i].x0, x0), MIN(spans[i].x1, x1) };
        parts += part[parts].x0 < part[parts].x1;
        if (parts && (parts == COUNT_OF(part) || i == count - 1)) {
            soft_rows(draw->target, &draw->soft->mode, paint, part, parts, draw->test);
            parts = 0;
        }
    }
}

static void draw_chunk(const Draw *draw, Chunk *chunk, const SoftSpan *spans, int count) {
    SoftSpan lit[BLOCK_ROWS];
    memset(chunk->mask, 0, sizeof chunk->mask);
    for (int i = 0; i < count; i++)
        ask_for(chunk, draw->lit, &spans[i]);
    int rows = measure_chunk(draw, chunk, lit);
    fill_texels(draw, chunk, lit, rows);
    SoftTarget added = desk_of(draw, chunk, chunk->added[0]);
    SoftPaint paint = *draw->paint;
    if (draw->way == DRAW_WITHIN && rows) {
        memset(chunk->added, 0, sizeof chunk->added);
        add_lit(draw, chunk, &added, lit, rows);
        paint.added = &added;
    }
    if (draw->way != DRAW_OVER)
        draw_between(draw, &paint, spans, count, chunk->x, chunk->x + CHUNK);
    if (draw->way != DRAW_WITHIN)
        add_lit(draw, chunk, draw->target, lit, rows);
}

/* Spans that lie in the same rows of blocks. */
static void draw_group(const Draw *draw, Chunk *chunk, const SoftSpan *spans, int count) {
    const Lit *lit = draw->lit;
    int x0 = spans[0].x0, x1 = spans[0].x1;
    for (int i = 1; i < count; i++) {
        x0 = MIN(x0, spans[i].x0);
        x1 = MAX(x1, spans[i].x1);
    }
    bool beside = chunk->y >= lit->y1 || chunk->y + BLOCK_ROWS <= lit->y0;
    int from = MAX(x0, lit->x0) & ~(CHUNK - 1), to = beside ? from : (MIN(x1, lit->x1) + CHUNK - 1) & ~(CHUNK - 1);
    if (from >= to)
        from = to = x1;
    if (draw->way != DRAW_OVER && x0 < from)
        draw_between(draw, draw->paint, spans, count, x0, from);
    for (chunk->x = from; chunk->x < to; chunk->x += CHUNK)
        draw_chunk(draw, chunk, spans, count);
    if (draw->way != DRAW_OVER && to < x1)
        draw_between(draw, draw->paint, spans, count, to, x1);
}

/* Spans in rising rows. */
static void draw_lit(Draw draw, const SoftSpan *spans, int count) {
    const SoftPaint *paint = draw.paint;
    bool all = draw.test == TEST_NONE || draw.test == TEST_PASSED, over = all && paint->blend == BLEND_NONE && paint->alpha_test == 0 && !paint->twice;
    draw.way = over ? DRAW_OVER : paint->product ? DRAW_PRODUCT : DRAW_WITHIN;
    draw.scale = draw.way == DRAW_PRODUCT && paint->twice ? paint->light * 2 : paint->light;
    draw.picture = picture_of(draw.soft, paint);
    if (over)
        soft_rows(draw.target, &draw.soft->mode, paint, spans, count, draw.test);
    Chunk chunk;    /* not cleared: what is read of it was written */
    for (int first = 0, next; first < count; first = next) {
        chunk.y = spans[first].y & ~(BLOCK_ROWS - 1);
        for (next = first; next < count && spans[next].y < chunk.y + BLOCK_ROWS;)
            next++;
        draw_group(&draw, &chunk, spans + first, next - first);
    }
}

/* A paint of this call's own: whether tiles were missing is asked of its pixels alone. */
static bool draw_by_tiles(const Soft *soft, const SoftLights *lights, const SoftTarget *target, const SoftPaint *paint, const Lit *lit, const SoftSpan *spans, int count) {
    const SoftPose *pose = lit->pose < 0 ? &soft->world : &soft->scratch.poses.at[lit->pose];
    SoftGlow glow = { lights->glow.at, lights->reach.at + lit->first_light, lit->light_count, { pose->eye[0], pose->eye[1], pose->eye[2] }, paint->light, false };
    SoftPaint glowing = *paint;
    glowing.glow = &glow;
    soft_rows(target, &soft->mode, &glowing, spans, count, TEST_NONE);
    return !glow.missed;
}

bool soft_lights_shape(const SoftLights *lights, int number) { return lights->shapes.count && lights->shapes.at[number].light_count; }

/* Layers come after the light: those that lie in lit texels are drawn as the others. */
bool soft_lights_spans(const Soft *soft, const SoftLights *lights, const SoftTarget *target, int number, const SoftSpan *spans, int count) {
    if (!soft_lights_shape(lights, number))
        return false;
    const Lit *lit = &lights->shapes.at[number];
    const SoftShape *shape = &soft->order.shapes.at[number];
    for (int i = 0; i <= shape->layers; i++) {
        SoftPaint paint = soft->scratch.paints.at[shape->paint + i];
        paint.bakes = 0;
        paint.skips = false;
        SoftTest test = i ? TEST_PASSED : soft_span_test(&paint);
        if (!i && lit->by_tiles && draw_by_tiles(soft, lights, target, &paint, lit, spans, count))
            continue;
        if (paint.light > 0)
            draw_lit((Draw){ .soft = soft, .lights = lights, .target = target, .lit = lit, .paint = &paint, .test = test }, spans, count);
        else
            soft_rows(target, &soft->mode, &paint, spans, count, test);
    }
    return true;
}

void soft_lights_rows(const Soft *soft, const SoftLights *lights, const SoftTarget *target, int lit, const SoftPaint *paint, const SoftSpan *spans, int count, SoftTest test) {
    draw_lit((Draw){ .soft = soft, .lights = lights, .target = target, .lit = &lights->items.at[lit - 1], .paint = paint, .test = test }, spans, count);
}
