/* bsp/bsp_light.c -- the light grid: what light falls on a thing that has no lightmap. */
#include "bsp/bsp.h"
#include "bsp/bsp_format.h"

#include <math.h>

#include "base/trig.h"

/* A point of the grid as the file has it; the direction's bytes are angles of 360/256 degrees. */
static Vec3 direction_of(const uint8_t *point) {
    double polar = trig_radians(point[6] * (360.0 / 256)), azimuth = trig_radians(point[7] * (360.0 / 256));
    double flat = trig_sin(polar);
    return vec3_at((float)(trig_cos(azimuth) * flat), (float)(trig_sin(azimuth) * flat), (float)trig_cos(polar));
}

BspLightSample bsp_light_at(const Map *map, Vec3 point) {
    const BspLightGrid *grid = &map->grid;
    BspLightSample sample = { .direction = vec3_at(0, 0, 1) };
    if (!grid->points || !vec3_finite(point))
        return sample;
    int cell[3];
    float inside[3];
    for (int i = 0; i < 3; i++) {
        double at = ((double)point.raw[i] - grid->origin[i]) / grid->size[i];
        at = CLAMP(at, 0, grid->count[i] - 1);    /* outside the grid the nearest point counts */
        cell[i] = (int)at;
        inside[i] = (float)(at - cell[i]);
    }
    float total = 0;
    Vec3 direction = vec3_at(0, 0, 0);
    for (int corner = 0; corner < 8; corner++) {
        float weight = 1;
        int at[3];
        bool there = true;
        for (int i = 0; i < 3; i++) {
            int step = corner >> i & 1;
            weight *= step ? inside[i] : 1 - inside[i];
            at[i] = cell[i] + step;
            there = there && at[i] < grid->count[i];
        }
        if (!there || weight <= 0)
            continue;
        size_t index = (size_t)at[0] + (size_t)grid->count[0] * ((size_t)at[1] + (size_t)grid->count[1] * (size_t)at[2]);
        const uint8_t *p = grid->points + index * DISK_LIGHTVOL;
        if (p[0] + p[1] + p[2] == 0)
            continue;    /* a point in a wall: black light is none */
        total += weight;
        sample.ambient = vec3_add_scaled(sample.ambient, vec3_at(p[0], p[1], p[2]), weight);
        sample.directed = vec3_add_scaled(sample.directed, vec3_at(p[3], p[4], p[5]), weight);
        direction = vec3_add_scaled(direction, direction_of(p), weight);
    }
    if (total <= 0)
        return sample;
    sample.valid = true;
    if (total < 0.99f) {
        sample.ambient = vec3_scale(sample.ambient, 1 / total);
        sample.directed = vec3_scale(sample.directed, 1 / total);
    }
    direction = vec3_normalized(direction);
    if (vec3_dot(direction, direction) > 0)
        sample.direction = direction;
    return sample;
}

void bsp_shift_color(uint8_t rgb[3], int shift) {
    int color[3], most = 0;
    for (int i = 0; i < 3; i++) {
        color[i] = rgb[i] << CLAMP(shift, 0, 8);
        most = MAX(most, color[i]);
    }
    for (int i = 0; i < 3; i++)
        rgb[i] = (uint8_t)(most > 255 ? color[i] * 255 / most : color[i]);
}
