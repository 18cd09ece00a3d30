/* render/soft/soft_light.c -- dynamic lights on the level: what is seen near them is drawn brighter.
 *
 * What a light reaches gets its picture times the light added to what is there: the same sum as light added to the
 * lightmap before. Flat surfaces whose lit texels are kept are drawn from tiles that have the light in them
 * (soft_glow_tile.c); the spans of others are looked at once more as soon as they are drawn, and what is drawn by depth is
 * drawn again over its own pixels, which their depth tells. Blocks of pixels are measured first, and only where there is
 * light are texels read: what lies beyond a light costs next to nothing. */
#include <math.h>
#include <stdlib.h>

#include "render/soft/soft_glow_internal.h"

enum { LIGHTS_DRAWN = 64 };          /* those nearest to the eye, as gl has it */
enum { CHUNK = 128, CHUNK_CELLS = CHUNK / CELL, CHUNK_PLACES = CHUNK / GLOW_STEP };    /* pixels of 8 rows that are worked on at once: they stay near the processor */

typedef struct LightAt { float at[3], radius; int x0, y0, x1, y1; } LightAt;    /* from the pose's eye; the pixels that it may reach */

/* Something that lights reach. */
typedef struct Lit {
    int paint;                       /* of its picture alone */
    int pose;                        /* -1: the world's */
    int first_light, light_count;    /* of `reach` */
    float scale;                     /* how much of the light counts */
    int x0, y0, x1, y1;              /* pixels */
    bool by_tiles;                   /* its lit texels can have the light in them */
} Lit;

typedef struct LitItem { SoftItem item; Lit lit; } LitItem;

struct SoftLights {
    ARRAY(LightAt) lights;           /* LIGHTS_DRAWN at most for the world, then as many for each pose */
    ARRAY(GlowLight) glow;           /* the same as rows take them */
    ARRAY(LitItem) items;
    ARRAY(Lit) shapes;               /* by shape of the frame; without lights: none reaches it */
    ARRAY(int) reach;
    int count;                       /* lights of one pose */
    uint16_t *done; size_t room;     /* by cell, a bit a pixel: light was added; of faces in one plane the first is seen */
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
    mem_free(lights->done);
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

/* The lights that reach a face. */
static Lit lit_by(const Soft *soft, SoftLights *lights, int pose, int face) {
    const SoftPose *stands = pose < 0 ? &soft->world : &soft->scratch.poses.at[pose];
    Lit lit = { .pose = pose, .first_light = (int)lights->reach.count, .scale = 1, .x0 = soft->view.width, .y0 = soft->view.height };
    int first = (pose + 1) * lights->count;
    for (int i = first; i < first + lights->count; i++) {
        const LightAt *light = &lights->lights.at[i];
        if (!reaches(light, stands, soft->frame->level->geometry->face_bounds[face]))
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

/* Whether dynamic light falls on a paint as on a lightmap: of a material's stages only one that is multiplied with the light
 * has it. `scale`: less where what comes of all layers counts twice. */
static bool takes_light(const Soft *soft, const SoftSurface *surface, const SoftPaint *paint, float *scale) {
    *scale = 1;
    if (!soft->stages || surface->look < 0)
        return true;
    *scale = (float)(paint->tint & 255) / 255 * (soft->mode.bright && !paint->bright ? 0.5f : 1);
    return paint->style == STYLE_LIGHTMAP || paint->style == STYLE_STAGE_LIGHT;
}

static int push_paint(Soft *soft, SoftPaint paint) {    /* its picture alone */
    paint.style = paint.clamped ? STYLE_STAGE : STYLE_TEXTURE;
    paint.tint = 0xffffffffu;
    paint.bright = false;
    paint.cached = false;
    paint.bakes = 0;
    paint.alpha_test = 0;
    paint.blend = BLEND_NONE;
    paint.keeps_depth = false;
    *array_push(&soft->scratch.paints) = paint;
    return (int)soft->scratch.paints.count - 1;
}

static void add_item(Soft *soft, SoftLights *lights, LitItem item, const double corners[3][3]) {
    if (!soft_clip_polygon(&soft->view, corners, 3, &soft->scratch, &item.item))
        return;
    item.item.x0 = MAX(item.item.x0, item.lit.x0);
    item.item.y0 = MAX(item.item.y0, item.lit.y0);
    item.item.x1 = MIN(item.item.x1, item.lit.x1);
    item.item.y1 = MIN(item.item.y1, item.lit.y1);
    if (item.item.x0 < item.item.x1 && item.item.y0 < item.item.y1)
        *array_push(&lights->items) = item;
}

/* What layers make of it the light that comes after them cannot know: all of it counts. */
static bool surface_takes_light(Soft *soft, const SoftSurface *surface) {
    SoftPaint paint = { 0 };
    float scale;
    int first;
    if (soft_layers_of(soft, surface, &first))
        soft_layer_paint(soft, surface, first, &paint);
    return takes_light(soft, surface, &paint, &scale);
}

static void light_surface(Soft *soft, SoftLights *lights, const SoftPose *pose, const SoftSurface *surface, LitItem item) {
    const SoftLevel *level = soft->level;
    if (!surface_takes_light(soft, surface))
        return;
    SoftPaint paint = { 0 };
    soft_surface_style(soft, surface, surface->plane >= 0 ? level->planes[surface->plane].normal : NULL, &paint);
    bool flat = surface->plane >= 0;
    if (flat && (!soft_surface_shown(soft, pose, surface) || !soft_paint_surface(pose, surface, &level->planes[surface->plane], paint.texture, &paint)))
        return;
    if (flat)
        item.lit.paint = push_paint(soft, paint);
    for (int i = 0; i < surface->index_count; i += 3) {
        double corners[3][3], lanes[3][LANES] = { 0 };
        for (int k = 0; k < 3; k++) {
            const BspVertex *v = &level->level->geometry->vertices[level->indexes[surface->first_index + i + k]];
            soft_pose_point(pose, v->position, corners[k]);
            lanes[k][LANE_U] = v->uv.x;
            lanes[k][LANE_V] = v->uv.y;
        }
        if (!flat) {
            if (!soft_paint_triangle(&soft->view, (const double (*)[3])corners, (const double (*)[LANES])lanes, paint.texture, &paint))
                continue;
            item.lit.paint = push_paint(soft, paint);
        }
        add_item(soft, lights, item, (const double (*)[3])corners);
    }
}

/* What of a face is not drawn by spans. */
static void light_face(Soft *soft, SoftLights *lights, const SoftPose *pose, int place, int face) {
    const SoftLevel *level = soft->level;
    LitItem item = { .lit = lit_by(soft, lights, place, face) };
    for (int i = level->face_first[face]; item.lit.light_count && i < level->face_first[face + 1]; i++) {
        const SoftSurface *surface = &level->surfaces[i];
        bool by_spans = soft->spans && soft_surface_solid(surface);
        if (!by_spans && (surface->kind == SOFT_OPAQUE || surface->kind == SOFT_TESTED))
            light_surface(soft, lights, pose, surface, item);
    }
}

/* Whether a block of the shape may reach to the horizon, or be twice as deep at one end: those are not drawn from tiles. */
static bool has_strange_blocks(const Soft *soft, const SoftShape *shape) {
    const SoftPaint *paint = &soft->scratch.paints.at[shape->paint];
    double least = INFINITY, step = fabs(paint->iz_x) * CELL + fabs(paint->iz_y) * BLOCK_ROWS;
    for (int i = 0; i < 4; i++)
        least = fmin(least, paint->iz_x * (i & 1 ? shape->x1 : shape->x0) + paint->iz_y * (i & 2 ? shape->y1 : shape->y0) + paint->iz_c);
    return !(least > 2.5 * step);
}

static void light_shapes(Soft *soft, SoftLights *lights) {
    for (size_t i = 0; i < soft->order.shapes.count; i++) {
        const SoftShape *shape = &soft->order.shapes.at[i];
        const SoftSurface *surface = &soft->level->surfaces[shape->surface];
        Lit lit = { .pose = shape->pose };
        if (shape->x0 < shape->x1 && shape->y0 < shape->y1 && surface->kind == SOFT_OPAQUE)
            lit = lit_by(soft, lights, shape->pose, surface->face);
        if (lit.light_count && !takes_light(soft, surface, &soft->scratch.paints.at[shape->paint], &lit.scale))
            lit.light_count = 0;
        if (lit.light_count) {
            lit.paint = push_paint(soft, soft->scratch.paints.at[shape->paint]);
            lit.by_tiles = soft->scratch.paints.at[shape->paint].cached && !has_strange_blocks(soft, shape);
        }
        *array_push(&lights->shapes) = lit;
    }
}

static void fit_done(const Soft *soft, SoftLights *lights) {
    size_t cells = (size_t)(soft->target.pitch / CELL) * (size_t)soft->target.height;
    if (cells <= lights->room)
        return;
    lights->done = mem_realloc_array(lights->done, cells, sizeof *lights->done);
    lights->room = cells;
}

void soft_lights_gather(Soft *soft, SoftLights *lights) {
    const Frame *frame = soft->frame;
    array_clear(&lights->lights);
    array_clear(&lights->glow);
    array_clear(&lights->items);
    array_clear(&lights->shapes);
    array_clear(&lights->reach);
    if (!frame->lights.count || !frame->level || (frame->shade != SHADE_LIT && frame->shade != SHADE_LIGHTMAP))
        return;
    choose_lights(soft, lights);
    fit_done(soft, lights);
    if (soft->spans)
        light_shapes(soft, lights);
    for (size_t i = 0; i < soft->scratch.faces.count; i++)    /* by number, as soft_world.c left them */
        light_face(soft, lights, &soft->world, -1, soft->scratch.faces.at[i]);
    for (size_t i = 0; i < frame->models.count; i++) {
        const BspModel *model = &frame->level->map->models[frame->models.at[i].model];
        for (int k = model->first_face; k < model->first_face + model->face_count; k++)
            light_face(soft, lights, &soft->scratch.poses.at[i], (int)i, k);
    }
}


/* What is worked on at once: light and texels of up to CHUNK pixels from x on, in rows y & ~7 .. y | 7. */
typedef struct Chunk {
    uint32_t texels[BLOCK_ROWS][CHUNK] __attribute__((aligned(64)));
    float depth[BLOCK_ROWS][CHUNK] __attribute__((aligned(64)));    /* of the texels; nobody's */
    uint16_t light[BLOCK_ROWS][(CHUNK_PLACES + 8) * GLOW_NUMBERS] __attribute__((aligned(64)));
    unsigned mask[BLOCK_ROWS][CHUNK_CELLS];    /* pixels that are asked for, then those that are lit */
    int x, y;
    bool tested;                     /* by depth */
} Chunk;

static bool ask_for(Chunk *chunk, const Lit *lit, const SoftSpan *span) {
    int x0 = MAX(MAX(span->x0, lit->x0), chunk->x), x1 = MIN(MIN(span->x1, lit->x1), chunk->x + CHUNK);
    if (x0 >= x1 || span->y < lit->y0 || span->y >= lit->y1)
        return false;
    unsigned *mask = chunk->mask[span->y - chunk->y];
    for (int x = x0 & ~(CELL - 1); x < x1; x += CELL) {
        unsigned from = x < x0 ? 0xffffu << (x0 - x) : 0xffffu, to = x + CELL > x1 ? 0xffffu >> (x + CELL - x1) : 0xffffu;
        mask[(x - chunk->x) / CELL] |= from & to & 0xffffu;
    }
    return true;
}

static GlowRow row_of(const Soft *soft, const SoftLights *lights, const Lit *lit, int y) {
    const SoftPose *pose = lit->pose < 0 ? &soft->world : &soft->scratch.poses.at[lit->pose];
    const SoftPaint *paint = &soft->scratch.paints.at[lit->paint];
    GlowRow row = { .iz = paint->iz_y * y + paint->iz_c, .iz_x = paint->iz_x, .lights = lights->glow.at,
                    .numbers = lights->reach.at + lit->first_light, .count = lit->light_count, .scale = lit->scale };
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

static unsigned own_pixels(SoftCode code, const GlowRow *row, int x, const float *depth, unsigned mask) {
    return code == CODE_AVX2 ? soft_glow_depths_avx2(row, x, depth, mask) : code == CODE_SSE2 ? soft_glow_depths_sse2(row, x, depth, mask)
                                                                                              : soft_glow_depths_plain(row, x, depth, mask);
}

static void add_cell(SoftCode code, uint32_t *color, const uint32_t *texels, const uint16_t *light, unsigned mask) {
    if (code == CODE_AVX2)
        soft_glow_add_avx2(color, texels, light, mask);
    else if (code == CODE_SSE2)
        soft_glow_add_sse2(color, texels, light, mask);
    else
        soft_glow_add_plain(color, texels, light, mask);
}

/* Of the pixels that are asked for, those that the depths show and nothing in the same plane had before. */
static void find_own(const Soft *soft, const SoftLights *lights, const SoftTarget *target, Chunk *chunk, const GlowRow *row, int number) {
    int y = chunk->y + number;
    const float *depth = target->depth + soft_place(target, chunk->x, y);
    uint16_t *done = lights->done + ((size_t)y * (size_t)soft->target.pitch + (size_t)chunk->x) / CELL;
    for (int i = 0; i < CHUNK_CELLS; i++) {
        unsigned *mask = &chunk->mask[number][i];
        if (!*mask)
            continue;
        *mask = own_pixels(soft->mode.code, row, chunk->x + i * CELL, depth + i * CELL, *mask & ~(unsigned)done[i]);
        done[i] |= (uint16_t)*mask;
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
static bool measure_row(const Soft *soft, const SoftLights *lights, const SoftTarget *target, const Lit *lit, Chunk *chunk, int number, SoftSpan *out) {
    unsigned *mask = chunk->mask[number];
    GlowRow row = row_of(soft, lights, lit, chunk->y + number);
    if (chunk->tested)
        find_own(soft, lights, target, chunk, &row, number);
    int first = 0, end = CHUNK_CELLS;
    while (first < end && !mask[first])
        first++;
    while (end > first && !mask[end - 1])
        end--;
    if (first == end)
        return false;
    int places = (end - first) * GLOW_POINTS + 1;
    measure_points(soft->mode.code, &row, chunk->x + first * CELL, (places + 7) & ~7, &chunk->light[number][first * GLOW_POINTS * GLOW_NUMBERS]);
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

static void light_chunk(const Soft *soft, const SoftLights *lights, const SoftTarget *target, const Lit *lit, Chunk *chunk) {
    SoftSpan spans[BLOCK_ROWS];
    int count = 0;
    for (int i = 0; i < BLOCK_ROWS && chunk->y + i < target->height; i++)
        count += measure_row(soft, lights, target, lit, chunk, i, &spans[count]);
    if (!count)
        return;
    size_t first = (size_t)chunk->x * sizeof(uint32_t);
    SoftTarget desk = { less(chunk->texels, first), less(chunk->depth, first), target->width, target->height, CHUNK, chunk->y, NULL };
    soft_rows(&desk, &soft->mode, &soft->scratch.paints.at[lit->paint], spans, count, TEST_NONE);
    for (int i = 0; i < count; i++) {
        int row = spans[i].y - chunk->y;
        uint32_t *color = target->color + soft_place(target, chunk->x, spans[i].y);
        for (int k = 0; k < CHUNK_CELLS; k++)
            if (chunk->mask[row][k])
                add_cell(soft->mode.code, color + k * CELL, &chunk->texels[row][k * CELL],
                         &chunk->light[row][k * GLOW_POINTS * GLOW_NUMBERS], chunk->mask[row][k]);
    }
}

/* Spans in rising rows. */
static void light_spans(const Soft *soft, const SoftLights *lights, const SoftTarget *target, const Lit *lit, const SoftSpan *spans, int count, bool tested) {
    Chunk chunk;    /* not cleared: what is read of it was written */
    chunk.tested = tested;
    for (int first = 0, next; first < count; first = next) {
        chunk.y = spans[first].y & ~(BLOCK_ROWS - 1);
        int x0 = lit->x1, x1 = lit->x0;
        for (next = first; next < count && spans[next].y < chunk.y + BLOCK_ROWS; next++) {
            x0 = MIN(x0, spans[next].x0);
            x1 = MAX(x1, spans[next].x1);
        }
        for (chunk.x = MAX(x0, lit->x0) & ~(CHUNK - 1); chunk.x < MIN(x1, lit->x1); chunk.x += CHUNK) {
            bool any = false;
            memset(chunk.mask, 0, sizeof chunk.mask);
            for (int i = first; i < next; i++)
                any |= ask_for(&chunk, lit, &spans[i]);
            if (any)
                light_chunk(soft, lights, target, lit, &chunk);
        }
    }
}

/* A paint of this call's own: whether tiles were missing is asked of its pixels alone. */
static bool draw_by_tiles(const Soft *soft, const SoftLights *lights, const SoftTarget *target, const SoftPaint *paint, const Lit *lit, const SoftSpan *spans, int count) {
    const SoftPose *pose = lit->pose < 0 ? &soft->world : &soft->scratch.poses.at[lit->pose];
    SoftGlow glow = { lights->glow.at, lights->reach.at + lit->first_light, lit->light_count, { pose->eye[0], pose->eye[1], pose->eye[2] }, lit->scale, false };
    SoftPaint glowing = *paint;
    glowing.glow = &glow;
    soft_rows(target, &soft->mode, &glowing, spans, count, TEST_NONE);
    return !glow.missed;
}

/* Layers come after the light: those that lie in lit texels are drawn as the others. */
bool soft_lights_spans(const Soft *soft, const SoftLights *lights, const SoftTarget *target, int number, const SoftSpan *spans, int count) {
    const Lit *lit = lights->shapes.count ? &lights->shapes.at[number] : NULL;
    if (!lit || !lit->light_count)
        return false;
    const SoftShape *shape = &soft->order.shapes.at[number];
    SoftPaint paint = soft->scratch.paints.at[shape->paint];
    paint.bakes = 0;
    if (!lit->by_tiles || !draw_by_tiles(soft, lights, target, &paint, lit, spans, count)) {
        soft_rows(target, &soft->mode, &paint, spans, count, soft_span_test(&paint));
        light_spans(soft, lights, target, lit, spans, count, false);
    }
    for (int i = 1; i <= shape->layers; i++) {
        SoftPaint layer = soft->scratch.paints.at[shape->paint + i];
        layer.skips = false;
        soft_rows(target, &soft->mode, &layer, spans, count, TEST_PASSED);
    }
    return true;
}

void soft_lights_draw(const Soft *soft, const SoftLights *lights, const SoftTarget *target, int y0, int y1) {
    int left[BAND], right[BAND];
    SoftSpan spans[BAND];
    size_t cells = (size_t)(soft->target.pitch / CELL);
    if (lights->items.count)
        memset(lights->done + (size_t)y0 * cells, 0, (size_t)(y1 - y0) * cells * sizeof *lights->done);
    for (size_t i = 0; i < lights->items.count; i++) {
        const LitItem *item = &lights->items.at[i];
        for (int from = MAX(item->item.y0, y0), end = MIN(item->item.y1, y1), to; from < end; from = to) {
            to = MIN(from + BAND, end);
            soft_polygon_rows(soft->scratch.points.at + item->item.first_point, item->item.point_count, soft->target.width, from, to, left, right);
            int count = 0;
            for (int y = from; y < to; y++) {
                int a = MAX(left[y - from], item->item.x0), b = MIN(right[y - from], item->item.x1);
                if (a < b)
                    spans[count++] = (SoftSpan){ .y = y, .x0 = a, .x1 = b };
            }
            light_spans(soft, lights, target, &item->lit, spans, count, true);
        }
    }
}
