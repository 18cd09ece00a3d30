/* render/soft/soft_line.c -- lines a pixel wide: one pixel in each column or row, whichever they run along. */
#include <math.h>

#include "render/soft/soft_internal.h"

static uint32_t mixed_color(const SoftLine *line, double part) {
    uint32_t out = 0;
    for (int i = 0; i < 32; i += 8) {
        double a = line->color[0] >> i & 255, b = line->color[1] >> i & 255;
        out |= (uint32_t)(a + (b - a) * part + 0.5) << i;
    }
    return out;
}

static void put(const SoftTarget *target, const SoftLine *line, int x, int y, double part) {
    if (x < 0 || x >= target->width)
        return;
    size_t at = soft_place(target, x, y);
    float iz = (float)(line->iz[0] + (line->iz[1] - line->iz[0]) * part);
    if (line->test != TEST_NONE && iz < target->depth[at])
        return;
    double weight = line->iz[1] * part, sum = line->iz[0] * (1 - part) + weight;    /* colours are straight in the level */
    target->color[at] = soft_blended(mixed_color(line, sum > 0 ? weight / sum : part), target->color[at], line->blend);
}

/* The pixels whose centres lie between the ends, along the longer way. Rounding is by place alone, so bands meet. */
void soft_line_draw(const SoftTarget *target, const SoftLine *line, int y0, int y1) {
    double dx = line->x[1] - line->x[0], dy = line->y[1] - line->y[0];
    bool flat = fabs(dx) >= fabs(dy);
    double from = flat ? line->x[0] : line->y[0], length = flat ? dx : dy;
    if (!(fabs(length) > 1e-9))
        return;
    double low = MIN(from, from + length), high = MAX(from, from + length), limit = flat ? target->width : y1;
    int first = (int)ceil(MAX(low, flat ? 0 : y0) - 0.5), last = (int)ceil(MIN(high, limit) - 0.5);
    if (flat && fabs(dy) > 1e-9) {    /* only the columns in which it may be in these rows */
        double a = line->x[0] + (y0 - 1 - line->y[0]) / dy * dx, b = line->x[0] + (y1 + 1 - line->y[0]) / dy * dx;
        double left = MIN(a, b), right = MAX(a, b);
        if (left > first)
            first = left < last ? (int)left : last;
        if (right < last)
            last = right > first ? (int)right + 1 : first;
    }
    for (int i = first; i < last; i++) {
        double part = (i + 0.5 - from) / length;
        int x = flat ? i : (int)floor(line->x[0] + dx * part), y = flat ? (int)floor(line->y[0] + dy * part) : i;
        if (y >= y0 && y < y1)
            put(target, line, x, y, part);
    }
}
