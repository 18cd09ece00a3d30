/* render/soft/soft_sky.c -- what is behind all else.
 *
 * A sky with stages is the six sides of a far box around the eye, and clouds on five of them in 8 x 8 squares, as the
 * engine has it: polygons that are drawn where the picture's depth says that this sky is seen. Where materials are not
 * drawn a sky's picture lies on a wide dome over the eye. */
#include <math.h>

#include "base/trig.h"
#include "render/soft/soft_internal.h"

static const double dome_radius = 4096, dome_height = 512;    /* of the sphere, and of the clouds over the eye */

void soft_sky_at(const double ray[3], const SoftTexture *texture, uint32_t color, double out[LANES]) {
    double length = sqrt(ray[0] * ray[0] + ray[1] * ray[1] + ray[2] * ray[2]);
    double x = ray[0] / length, y = ray[1] / length, z = ray[2] / length;
    double up = dome_radius * z;
    double far = sqrt(up * up + 2 * dome_radius * dome_height + dome_height * dome_height) - up;
    double hit[3] = { x * far, y * far, z * far + dome_radius };
    double away = sqrt(hit[0] * hit[0] + hit[1] * hit[1] + hit[2] * hit[2]);
    out[LANE_U] = trig_acos(CLAMP(hit[0] / away, -1, 1)) * 65536 * (1 << texture->width_log);
    out[LANE_V] = trig_acos(CLAMP(hit[1] / away, -1, 1)) * 65536 * (1 << texture->height_log);
    double bright = color == SKY_COLOR ? 0.8 + 0.2 * z : 1;
    for (int i = 0; i < 4; i++)
        out[LANE_RED + i] = ((color >> 8 * i & 255) * bright + 0.5) * 65536;
}


/* The picture's part that sky surfaces touch, in steps; false: none. */
static bool sky_box(const Soft *soft, SoftSky *sky) {
    int x0 = soft->view.width, y0 = soft->view.height, x1 = 0, y1 = 0;
    for (size_t i = 0; i < soft->order.shapes.count && soft->spans; i++) {
        const SoftShape *shape = &soft->order.shapes.at[i];
        if (soft->scratch.paints.at[shape->paint].sky && shape->y0 < shape->y1) {
            x0 = MIN(x0, shape->x0);
            y0 = MIN(y0, shape->y0);
            x1 = MAX(x1, shape->x1);
            y1 = MAX(y1, shape->y1);
        }
    }
    for (size_t i = 0; i < soft->scratch.items.count; i++) {
        const SoftItem *item = &soft->scratch.items.at[i];
        if (soft->scratch.paints.at[item->paint].sky) {
            x0 = MIN(x0, item->x0);
            y0 = MIN(y0, item->y0);
            x1 = MAX(x1, item->x1);
            y1 = MAX(y1, item->y1);
        }
    }
    if (x0 >= x1 || y0 >= y1)
        return false;
    sky->x0 = (x0 & ~(CELL - 1)) >> SKY_STEP_LOG;
    sky->y0 = y0 >> SKY_STEP_LOG;
    sky->columns = ((x1 + CELL) >> SKY_STEP_LOG) + 2 - sky->x0;    /* cells reach beyond the last pixel */
    sky->rows = (y1 >> SKY_STEP_LOG) + 2 - sky->y0;
    return true;
}

static void make_row(void *user, int row) {
    Soft *soft = user;
    SoftSky *sky = &soft->sky;
    double *out = sky->at + (size_t)row * (size_t)sky->columns * 2;
    for (int i = 0; i < sky->columns; i++, out += 2) {
        double x = (sky->x0 + i) * SKY_STEP, y = (sky->y0 + row) * SKY_STEP, ray[3], lanes[LANES];
        for (int k = 0; k < 3; k++)
            ray[k] = soft->world.first[k] + soft->world.column[k] * x + soft->world.row[k] * y;
        soft_sky_at(ray, &soft->white, 0xffffffffu, lanes);
        out[0] = lanes[LANE_U] / 65536;
        out[1] = lanes[LANE_V] / 65536;
    }
}

float soft_sky_depth(int look) { return 1e-30f * (float)(look + 2); }

typedef struct SkyPoint { Vec3 at; double u, v; } SkyPoint;    /* its direction, and texture coordinates */
typedef struct SkyPart { const Soft *soft; const SoftPaint *paints; int paint_count; int box[4]; } SkyPart;

/* A convex polygon of the sky whose first three points say how its picture lies; clouds have more than one paint. */
static void add_polygon(Soft *soft, const SkyPart *part, const SkyPoint *points, int count, const StageNumbers *const *numbers) {
    SoftScratch *scratch = &soft->scratch;
    double corners[4][3], lanes[3][LANES] = { { 0 } };
    for (int i = 0; i < count; i++) {
        const double *axes[3] = { soft->world.across, soft->world.down, soft->world.forward };
        for (int k = 0; k < 3; k++)
            corners[i][k] = (points[i].at.x * axes[k][0] + points[i].at.y * axes[k][1] + points[i].at.z * axes[k][2]) * 65536;
    }
    SoftItem item = { .paint = (int)scratch->paints.count, .layers = part->paint_count - 1, .test = TEST_EQUAL };
    SoftView whole = soft->view;
    whole.clipped = false;    /* it is farther away than any portal */
    if (!soft_clip_polygon(&whole, (const double (*)[3])corners, count, scratch, &item))
        return;
    item.x0 = MAX(item.x0, part->box[0]);
    item.y0 = MAX(item.y0, part->box[1]);
    item.x1 = MIN(item.x1, part->box[2]);
    item.y1 = MIN(item.y1, part->box[3]);
    if (item.x0 >= item.x1 || item.y0 >= item.y1)
        return;
    for (int i = 0; i < part->paint_count; i++) {
        const float still[6] = { 1, 0, 0, 0, 1, 0 }, *m = numbers ? numbers[i]->matrix : still;
        SoftPaint paint = part->paints[i];
        for (int k = 0; k < 3; k++) {
            lanes[k][LANE_U] = m[0] * points[k].u + m[1] * points[k].v + m[2];
            lanes[k][LANE_V] = m[3] * points[k].u + m[4] * points[k].v + m[5];
        }
        if (!soft_paint_triangle(&soft->view, (const double (*)[3])corners, (const double (*)[LANES])lanes, paint.texture, &paint))
            return;
        *array_push(&scratch->paints) = paint;
    }
    *array_push(&scratch->items) = item;
}

/* Under the feet no clouds come over the box. */
static void add_box(Soft *soft, const Look *look, SkyPart part, bool halved) {
    SoftPaint paint = { .style = STYLE_STAGE, .clamped = true, .keeps_depth = true, .surface = -1, .at_depth = part.paints->at_depth };
    part.paints = &paint;
    part.paint_count = 1;
    for (int side = 0; side < 6; side++) {
        static const float s[4] = { -1, 1, 1, -1 }, t[4] = { -1, -1, 1, 1 };
        SkyPoint points[4];
        for (int i = 0; i < 4; i++)
            points[i] = (SkyPoint){ sky_direction(side, s[i], t[i]), s[i] * 0.5 + 0.5, 0.5 - t[i] * 0.5 };
        paint.texture = soft_texture_at(soft, look->box[side]);
        paint.tint = halved && side < SKY_SIDES ? 0xff808080u : 0xffffffffu;
        add_polygon(soft, &part, points, 4, NULL);
    }
}

static SkyPoint cloud_point(int side, int s, int t, float height) {
    Vec2 at = sky_cloud_coord(side, s, t, height);
    return (SkyPoint){ sky_direction(side, (float)s * 2 / SKY_GRID - 1, (float)t * 2 / SKY_GRID - 1), at.x, at.y };
}

static void add_clouds(Soft *soft, const Look *look, const SkyPart *part, const StageNumbers *const *numbers) {
    for (int square = 0; square < SKY_SIDES * SKY_GRID * SKY_GRID; square++) {
        int side = square / (SKY_GRID * SKY_GRID), s = square % SKY_GRID, t = square / SKY_GRID % SKY_GRID;
        SkyPoint right = cloud_point(side, s + 1, t, look->cloud_height), top = cloud_point(side, s, t + 1, look->cloud_height);
        SkyPoint low[3] = { cloud_point(side, s, t, look->cloud_height), right, top };
        SkyPoint high[3] = { right, cloud_point(side, s + 1, t + 1, look->cloud_height), top };
        add_polygon(soft, part, low, 3, numbers);
        add_polygon(soft, part, high, 3, numbers);
    }
}

static void grow_box(int box[4], int x0, int y0, int x1, int y1) {
    box[0] = MIN(box[0], x0);
    box[1] = MIN(box[1], y0);
    box[2] = MAX(box[2], x1);
    box[3] = MAX(box[3], y1);
}

/* The pixels that faces of this sky may touch. */
static void find_box(const Soft *soft, float depth, int box[4]) {
    for (size_t i = 0; i < soft->order.far.count && soft->spans; i++) {
        const SoftShape *shape = &soft->order.shapes.at[soft->order.far.at[i]];
        if (soft->scratch.paints.at[shape->paint].at_depth == depth && shape->y0 < shape->y1)
            grow_box(box, shape->x0, shape->y0, shape->x1, shape->y1);
    }
    for (size_t i = 0; i < soft->scratch.items.count; i++) {
        const SoftItem *item = &soft->scratch.items.at[i];
        if (soft->scratch.paints.at[item->paint].at_depth == depth && item->test != TEST_EQUAL)
            grow_box(box, item->x0, item->y0, item->x1, item->y1);
    }
}

static void gather_sky(Soft *soft, int number) {
    const Look *look = soft->level->looks[number];
    SoftLayer layers[STAGES_MOST];
    SoftPaint paints[STAGES_MOST] = { { .at_depth = soft_sky_depth(number) } };
    const StageNumbers *numbers[STAGES_MOST];
    SkyPart part = { soft, paints, soft_sky_layers(soft, look, layers), { soft->view.width, soft->view.height, 0, 0 } };
    find_box(soft, soft_sky_depth(number), part.box);
    if (part.box[0] >= part.box[2] || part.box[1] >= part.box[3])
        return;
    bool halved = false;
    for (int i = 0; i < part.paint_count; i++) {
        paints[i] = layers[i].paint;
        paints[i].at_depth = soft_sky_depth(number);
        numbers[i] = &layers[i].numbers;
        halved = halved || paints[i].twice;
    }
    if (look->has_box)
        add_box(soft, look, part, halved);
    if (part.paint_count)
        add_clouds(soft, look, &part, numbers);
}

void soft_sky_gather(Soft *soft) {
    for (size_t i = 0; i < soft->scratch.skies.count; i++)
        gather_sky(soft, soft->scratch.skies.at[i]);
}


void soft_sky_make(Soft *soft) {
    SoftSky *sky = &soft->sky;
    if (!sky_box(soft, sky))
        return;
    array_grow((void **)&sky->at, &sky->room, (size_t)sky->columns * (size_t)sky->rows * 2, sizeof *sky->at);
    jobs_each(soft->jobs, sky->rows, make_row, soft);
}

void soft_sky_free(SoftSky *sky) {
    mem_free(sky->at);
    *sky = (SoftSky){ 0 };
}

void soft_sky_place(const SoftSky *sky, int x, int y, double out[2]) {
    int column = CLAMP((x >> SKY_STEP_LOG) - sky->x0, 0, sky->columns - 2), row = CLAMP((y >> SKY_STEP_LOG) - sky->y0, 0, sky->rows - 2);
    double part_x = (x - (sky->x0 + column) * SKY_STEP) * (1.0 / SKY_STEP), part_y = (y - (sky->y0 + row) * SKY_STEP) * (1.0 / SKY_STEP);
    const double *a = sky->at + ((size_t)row * (size_t)sky->columns + (size_t)column) * 2, *b = a + (size_t)sky->columns * 2;
    for (int i = 0; i < 2; i++) {
        double top = a[i] + (a[i + 2] - a[i]) * part_x, bottom = b[i] + (b[i + 2] - b[i]) * part_x;
        out[i] = top + (bottom - top) * part_y;
    }
}
