/* render/soft/soft_sky.c -- a sky's picture on a wide dome over the eye, as the engine lays its clouds. */
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
