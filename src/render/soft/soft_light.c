/* render/soft/soft_light.c -- dynamic lights on the level: a second look at the surfaces near them.
 *
 * The surfaces that a light reaches are drawn once more over their own pixels, which their depth tells, and add their
 * picture times the light to what is there: the same sum as light added to the lightmap before. Only what a light reaches
 * costs anything, and no pixel of it costs more for lights that are far. */
#include <math.h>
#include <stdlib.h>

#include "render/soft/soft_model_internal.h"

enum { LIGHTS_DRAWN = 64 };          /* those nearest to the eye, as gl has it */

typedef struct LightAt { float at[3], radius, color[3]; int x0, y0, x1, y1; } LightAt;    /* from the pose's eye; the pixels that it may reach */

typedef struct LitItem { SoftItem item; int pose, first_light, light_count; } LitItem;    /* pose -1: the world's; lights: of `reach` */

struct SoftLights {
    ARRAY(LightAt) lights;           /* LIGHTS_DRAWN at most for the world, then as many for each pose */
    ARRAY(LitItem) items;
    ARRAY(int) reach;
    int count;                       /* lights of one pose */
    uint8_t *done; size_t room;      /* by pixel: light was added; of faces in one plane the first is seen */
};

SoftLights *soft_lights_open(void) { return mem_zeroed(1, sizeof(SoftLights)); }

void soft_lights_close(SoftLights *lights) {
    if (!lights)
        return;
    array_free(&lights->lights);
    array_free(&lights->items);
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

static LightAt light_from(const Soft *soft, const SoftPose *pose, const FrameModel *model, const FrameLight *light) {
    Vec3 p = light->origin;
    if (model) {
        Vec3 d = vec3_sub(p, model->origin);
        p = vec3_at(vec3_dot(d, model->axes.forward), -vec3_dot(d, model->axes.right), vec3_dot(d, model->axes.up));
    }
    LightAt out = { { (float)(p.x - pose->eye[0]), (float)(p.y - pose->eye[1]), (float)(p.z - pose->eye[2]) }, light->radius,
                    { light->color.x, light->color.y, light->color.z }, 0, 0, 0, 0 };
    note_pixels(soft, light, &out);
    return out;
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
            *array_push(&lights->lights) = place == 0 ? light_from(soft, &soft->world, NULL, light)
                                                      : light_from(soft, &soft->scratch.poses.at[place - 1], &frame->models.at[place - 1], light);
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

static void add_item(Soft *soft, SoftLights *lights, LitItem item, const double corners[3][3]) {
    if (!soft_clip_polygon(&soft->view, corners, 3, &soft->scratch, &item.item))
        return;
    int x0 = soft->view.width, y0 = soft->view.height, x1 = 0, y1 = 0;
    for (int i = 0; i < item.light_count; i++) {
        const LightAt *light = &lights->lights.at[lights->reach.at[item.first_light + i]];
        x0 = MIN(x0, light->x0);
        y0 = MIN(y0, light->y0);
        x1 = MAX(x1, light->x1);
        y1 = MAX(y1, light->y1);
    }
    item.item.x0 = MAX(item.item.x0, x0);
    item.item.y0 = MAX(item.item.y0, y0);
    item.item.x1 = MIN(item.item.x1, x1);
    item.item.y1 = MIN(item.item.y1, y1);
    if (item.item.x0 < item.item.x1 && item.item.y0 < item.item.y1)
        *array_push(&lights->items) = item;
}

static void light_surface(Soft *soft, SoftLights *lights, const SoftPose *pose, const SoftSurface *surface, LitItem item) {
    const SoftLevel *level = soft->level;
    SoftPaint paint = { 0 };
    soft_surface_style(soft, surface, surface->plane >= 0 ? level->planes[surface->plane].normal : NULL, &paint);
    bool flat = surface->plane >= 0;
    if (flat && (!soft_surface_shown(soft, pose, surface) || !soft_paint_surface(pose, surface, &level->planes[surface->plane], paint.texture, &paint)))
        return;
    if (flat)
        *array_push(&soft->scratch.paints) = paint;
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
            *array_push(&soft->scratch.paints) = paint;
        }
        item.item.paint = (int)soft->scratch.paints.count - 1;
        add_item(soft, lights, item, (const double (*)[3])corners);
    }
}

static void light_face(Soft *soft, SoftLights *lights, const SoftPose *pose, int place, int face) {
    const SoftLevel *level = soft->level;
    LitItem item = { .pose = place, .first_light = (int)lights->reach.count };
    int first = (place + 1) * lights->count;
    for (int i = first; i < first + lights->count; i++)
        if (reaches(&lights->lights.at[i], pose, soft->frame->level->geometry->face_bounds[face])) {
            *array_push(&lights->reach) = i;
            item.light_count++;
        }
    for (int i = level->face_first[face]; item.light_count && i < level->face_first[face + 1]; i++)
        if (level->surfaces[i].kind == SOFT_OPAQUE || level->surfaces[i].kind == SOFT_TESTED)
            light_surface(soft, lights, pose, &level->surfaces[i], item);
}

void soft_lights_gather(Soft *soft, SoftLights *lights) {
    const Frame *frame = soft->frame;
    array_clear(&lights->lights);
    array_clear(&lights->items);
    array_clear(&lights->reach);
    if (!frame->lights.count || !frame->level || (frame->shade != SHADE_LIT && frame->shade != SHADE_LIGHTMAP))
        return;
    choose_lights(soft, lights);
    size_t pixels = (size_t)soft->target.pitch * (size_t)soft->target.height;
    if (pixels > lights->room) {
        lights->done = mem_realloc(lights->done, pixels);
        lights->room = pixels;
    }
    for (size_t i = 0; i < soft->scratch.faces.count; i++)    /* by number, as soft_world.c left them */
        light_face(soft, lights, &soft->world, -1, soft->scratch.faces.at[i]);
    for (size_t i = 0; i < frame->models.count; i++) {
        const BspModel *model = &frame->level->map->models[frame->models.at[i].model];
        for (int k = model->first_face; k < model->first_face + model->face_count; k++)
            light_face(soft, lights, &soft->scratch.poses.at[i], (int)i, k);
    }
}


/* A row's place in the pose's space, and its texture, as functions of x. */
typedef struct LitRow { float ray[3], step[3]; double iz, lane[2]; } LitRow;

static LitRow row_of(const SoftPose *pose, const SoftPaint *paint, int y) {
    LitRow row = { .iz = paint->iz_y * y + paint->iz_c };
    for (int i = 0; i < 3; i++) {
        row.ray[i] = (float)(pose->row[i] * y + pose->first[i]);
        row.step[i] = (float)pose->column[i];
    }
    for (int i = 0; i < 2; i++)
        row.lane[i] = paint->y[i] * y + paint->c[i];
    return row;
}

static int32_t whole_of(double value) {    /* textures repeat: the low bits are all that counts */
    double shifted = value + 6755399441055744.0;
    uint64_t bits;
    memcpy(&bits, &shifted, sizeof bits);
    return (int32_t)(uint32_t)bits;
}

static bool light_sum(const SoftLights *lights, const LitItem *item, const float p[3], float sum[3]) {
    sum[0] = sum[1] = sum[2] = 0;
    bool any = false;
    for (int i = 0; i < item->light_count; i++) {
        const LightAt *light = &lights->lights.at[lights->reach.at[item->first_light + i]];
        float x = p[0] - light->at[0], y = p[1] - light->at[1], z = p[2] - light->at[2], square = x * x + y * y + z * z;
        if (!(square < light->radius * light->radius))
            continue;
        float part = 1 - sqrtf(square) / light->radius;
        for (int k = 0; k < 3; k++)
            sum[k] += light->color[k] * part;
        any = true;
    }
    return any;
}

static uint32_t added(uint32_t below, uint32_t texel, const float sum[3]) {
    uint32_t out = below & 0xff000000u;
    for (int k = 0; k < 3; k++) {
        float more = (float)(texel >> 8 * k & 255) * sum[k] + 0.5f;
        int value = (int)(below >> 8 * k & 255) + (int)CLAMP(more, 0, 255);
        out |= (uint32_t)MIN(value, 255) << 8 * k;
    }
    return out;
}

/* The level of the texture at a pixel, as the world's rows choose it. */
static int level_at(const SoftPaint *paint, const double value[2], double inverse) {
    double across[2], down[2];
    for (int i = 0; i < 2; i++) {
        across[i] = (paint->x[i] - value[i] * paint->iz_x) * inverse * (1.0 / 65536);
        down[i] = (paint->y[i] - value[i] * paint->iz_y) * inverse * (1.0 / 65536);
    }
    double wide = across[0] * across[0] + across[1] * across[1], high = down[0] * down[0] + down[1] * down[1];
    return soft_level_of(paint->texture, (float)MAX(wide, high));
}

static void light_row(const Soft *soft, const SoftLights *lights, const SoftTarget *target, const LitItem *item, int y, int x0, int x1) {
    const SoftPose *pose = item->pose < 0 ? &soft->world : &soft->scratch.poses.at[item->pose];
    const SoftPaint *paint = &soft->scratch.paints.at[item->item.paint];
    LitRow row = row_of(pose, paint, y);
    size_t at = (size_t)y * (size_t)target->pitch, place = soft_place(target, 0, y);
    int level = -1;
    double half = soft->mode.bilinear ? 0x8000 : 0, scale = 1;
    for (int x = x0; x < x1; x++) {
        double exact = row.iz + paint->iz_x * x;
        float iz = (float)exact, depth = target->depth[place + (size_t)x];
        if (lights->done[at + (size_t)x] || !(fabsf(iz - depth) <= depth * 1e-4f) || !(iz > 0))
            continue;    /* something else is seen here */
        double inverse = 1 / exact, value[2];
        float z = (float)inverse, p[3], sum[3];
        for (int i = 0; i < 3; i++)
            p[i] = (row.ray[i] + row.step[i] * (float)x) * z;
        if (!light_sum(lights, item, p, sum))
            continue;
        for (int i = 0; i < 2; i++)
            value[i] = (row.lane[i] + paint->x[i] * x) * inverse;
        if (level < 0 || (x & (CELL - 1)) == 0) {    /* for the rest of a cell, as everywhere */
            level = level_at(paint, value, inverse);
            scale = 1.0 / (1 << level);
        }
        __m128i texel = soft_texel16(&paint->texture->mip[level], whole_of((value[0] + paint->eye[0]) * scale - half), whole_of((value[1] + paint->eye[1]) * scale - half), soft->mode.bilinear);
        lights->done[at + (size_t)x] = 1;
        uint32_t *color = &target->color[place + (size_t)x];
        *color = added(*color, (uint32_t)_mm_cvtsi128_si32(_mm_packus_epi16(texel, texel)), sum);
    }
}

void soft_lights_draw(const Soft *soft, const SoftLights *lights, const SoftTarget *target, int y0, int y1) {
    int left[BAND], right[BAND];
    if (lights->items.count)
        memset(lights->done + (size_t)y0 * (size_t)soft->target.pitch, 0, (size_t)(y1 - y0) * (size_t)soft->target.pitch);
    for (size_t i = 0; i < lights->items.count; i++) {
        const LitItem *item = &lights->items.at[i];
        for (int from = MAX(item->item.y0, y0), end = MIN(item->item.y1, y1), to; from < end; from = to) {
            to = MIN(from + BAND, end);
            soft_polygon_rows(soft->scratch.points.at + item->item.first_point, item->item.point_count, soft->target.width, from, to, left, right);
            for (int y = from; y < to; y++) {
                int a = MAX(left[y - from], item->item.x0), b = MIN(right[y - from], item->item.x1);
                if (a < b)
                    light_row(soft, lights, target, item, y, a, b);
            }
        }
    }
}
