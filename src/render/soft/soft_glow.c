/* render/soft/soft_glow.c -- dynamic light on any processor: what the wide code has to give, pixel by pixel. */
#include <math.h>

#include "render/soft/soft_glow_internal.h"

static float larger(float a, float b) { return a > b ? a : b; }
static float smaller(float a, float b) { return a < b ? a : b; }

static void light_at(const GlowRow *row, float x, float z, float sum[3]) {
    float place[3];
    for (int i = 0; i < 3; i++) {
        place[i] = (row->ray[i] + row->step[i] * x) * z;
        sum[i] = 0;
    }
    for (int i = 0; i < row->count; i++) {
        const GlowLight *light = &row->lights[row->numbers[i]];
        float dx = place[0] - light->at[0], dy = place[1] - light->at[1], dz = place[2] - light->at[2];
        float part = larger(1 - sqrtf(dx * dx + dy * dy + dz * dz) * light->inverse, 0);
        for (int k = 0; k < 3; k++)
            sum[k] += light->color[k] * part;
    }
}

void soft_glow_points_plain(const GlowRow *row, int x, int count, uint16_t *out) {
    float first = (float)(row->iz + row->iz_x * x), step = (float)row->iz_x, unit = row->scale * GLOW_UNIT, sum[3];
    for (int k = 0; k < count; k++) {
        float number = (float)k * GLOW_STEP, iz = first + number * step;
        light_at(row, (float)x + number, 1 / iz, sum);
        for (int i = 0; i < 3; i++)
            out[GLOW_NUMBERS * k + i] = iz > 0 ? (uint16_t)smaller(larger(sum[i] * unit + 0.5f, 0), 65535) : 0;
        out[GLOW_NUMBERS * k + 3] = 0;
    }
}

unsigned soft_glow_depths_plain(const GlowRow *row, int x, const float depth[16], unsigned mask, SoftTest test) {
    float first = (float)(row->iz + row->iz_x * x), step = (float)row->iz_x;
    unsigned seen = 0;
    for (int k = 0; k < CELL; k++) {
        float iz = first + (float)k * step;
        seen |= (unsigned)(test == TEST_NEARER ? iz > depth[k] : test == TEST_EQUAL ? iz == depth[k] : iz >= depth[k]) << k;
    }
    return seen & mask;
}

static uint32_t middle(uint32_t a, uint32_t b) { return (a + b + 1) / 2; }

void soft_glow_add_plain(uint32_t color[16], const uint32_t texels[16], const uint16_t light[20], unsigned mask) {
    for (int k = 0; k < CELL; k++) {
        if (!(mask >> k & 1))
            continue;
        uint32_t out = color[k] & 0xff000000u;
        for (int i = 0; i < 3; i++) {
            uint32_t here = light[k / GLOW_STEP * GLOW_NUMBERS + i], next = light[(k / GLOW_STEP + 1) * GLOW_NUMBERS + i], half = middle(here, next);
            const uint32_t steps[GLOW_STEP] = { here, middle(here, half), half, middle(half, next) };
            uint32_t more = (((texels[k] >> 8 * i & 255) << 7) * steps[k % GLOW_STEP] / 65536 + 1) / 2, sum = (color[k] >> 8 * i & 255) + MIN(more, 255);
            out |= MIN(sum, 255) << 8 * i;
        }
        color[k] = out;
    }
}
