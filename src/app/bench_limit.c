/* app/bench_limit.c -- the limit loop in plain C, and its measure over all threads. */
#include "app/bench_limit.h"

#include <stdlib.h>

#include "platform/platform.h"

enum { RUNS = 50, BAND = 16 };    /* BAND: rows that a thread takes at once */

/* 8-bit products doubled, as an overbright lightmap does: 255 * 255 >> 7 is beyond 255 and is clamped. */
static uint32_t product(uint32_t texel, uint32_t light) {
    uint32_t pixel = 0;
    for (int shift = 0; shift < 32; shift += 8) {
        uint32_t channel = ((texel >> shift & 255) * (light >> shift & 255)) >> 7;
        pixel |= (channel > 255 ? 255 : channel) << shift;
    }
    return pixel;
}

void limit_row_plain(uint32_t *out, int width, const uint32_t *texture, const uint32_t *light, uint32_t u, uint32_t v) {
    for (int x = 0; x < width; x++) {
        uint32_t texel = (v >> 16 & 255) << 8 | (u >> 16 & 255);
        uint32_t luxel = (v >> 20 & 127) << 7 | (u >> 20 & 127);    /* a sixteenth of the step is four bits more */
        out[x] = product(texture[texel], light[luxel]);
        u += 1 << 16;
        v += 1 << 14;
    }
}

bool limit_has_avx2(void) {
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2");
#else
    return false;
#endif
}

typedef struct Run {
    LimitRow *row;
    uint32_t *out;
    const uint32_t *texture, *light;
    int width, height;
} Run;

static void run_band(void *user, int band) {
    const Run *run = user;
    int end = MIN((band + 1) * BAND, run->height);
    for (int y = band * BAND; y < end; y++)
        run->row(run->out + (size_t)y * (size_t)run->width, run->width, run->texture, run->light, 0, (uint32_t)y << 16);
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double limit_measure(Jobs *jobs, int width, int height) {
    enum { TEXELS = LIMIT_TEXTURE * LIMIT_TEXTURE, LUXELS = LIMIT_LIGHT * LIMIT_LIGHT };
    uint32_t *images = mem_aligned(64, (TEXELS + LUXELS) * sizeof *images);
    for (uint32_t i = 0, state = 1; i < TEXELS + LUXELS; i++)
        images[i] = state = state * 1664525u + 1013904223u;    /* any picture that is not one colour */
    Run run = {
        .row = limit_has_avx2() ? limit_row_avx2 : limit_row_plain,
        .out = mem_aligned(64, (size_t)width * (size_t)height * sizeof *run.out), .texture = images, .light = images + TEXELS,
        .width = width, .height = height,
    };
    double times[RUNS];
    for (int i = 0; i < RUNS; i++) {
        double start = clock_seconds();
        jobs_each(jobs, (height + BAND - 1) / BAND, run_band, &run);
        times[i] = (clock_seconds() - start) * 1000;
    }
    mem_free(run.out);
    mem_free(images);
    qsort(times, RUNS, sizeof *times, by_size);
    return times[RUNS / 2];
}
