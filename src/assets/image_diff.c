/* assets/image_diff.c -- how alike two pictures are: the measure that parity is judged by.
 *
 * SSIM of luma over every 8x8 window, summed in whole numbers, so that no rounding depends on order or size. */
#include "assets/image.h"

#include <math.h>

#include "base/trig.h"

enum { WINDOW = 8 };

/* Sums over a window (or a column of it) of a, b, a*a, b*b, a*b: at most 64 * 255 * 255. */
typedef struct Sums { int32_t a, b, aa, bb, ab; } Sums;

static void sums_add(Sums *sums, int a, int b, int sign) {
    sums->a += sign * a;
    sums->b += sign * b;
    sums->aa += sign * a * a;
    sums->bb += sign * b * b;
    sums->ab += sign * a * b;
}

static void sums_join(Sums *sums, const Sums *more, int sign) {
    sums->a += sign * more->a;
    sums->b += sign * more->b;
    sums->aa += sign * more->aa;
    sums->bb += sign * more->bb;
    sums->ab += sign * more->ab;
}

static double ssim_of(const Sums *s, double count) {
    const double c1 = (0.01 * 255) * (0.01 * 255), c2 = (0.03 * 255) * (0.03 * 255);
    double a = s->a / count, b = s->b / count;
    double aa = s->aa / count - a * a, bb = s->bb / count - b * b, ab = s->ab / count - a * b;
    return (2 * a * b + c1) * (2 * ab + c2) / ((a * a + b * b + c1) * (aa + bb + c2));
}

/* ITU-R 601 luma in 16-bit steps, as Python's imaging library rounds it. */
static uint8_t *luma_of(const Image *image) {
    size_t count = (size_t)image->width * (size_t)image->height;
    uint8_t *luma = mem_alloc(count);
    for (size_t i = 0; i < count; i++) {
        const uint8_t *p = image->rgba + i * 4;
        luma[i] = (uint8_t)((p[0] * 19595u + p[1] * 38470u + p[2] * 7471u + 0x8000u) >> 16);
    }
    return luma;
}

static double ssim(const Image *x, const Image *y) {
    int width = x->width, height = x->height;
    int across = MIN(WINDOW, width), down = MIN(WINDOW, height);
    uint8_t *a = luma_of(x), *b = luma_of(y);
    Sums *columns = mem_zeroed((size_t)width, sizeof *columns);    /* the window's rows, one sum a column */
    double total = 0;
    for (int row = 0; row < height; row++) {
        for (int i = 0; i < width; i++) {
            size_t at = (size_t)row * (size_t)width + (size_t)i;
            sums_add(&columns[i], a[at], b[at], 1);
            if (row >= down) {
                size_t old = at - (size_t)down * (size_t)width;
                sums_add(&columns[i], a[old], b[old], -1);
            }
        }
        if (row + 1 < down)
            continue;
        Sums window = { 0 };
        double line = 0;
        for (int i = 0; i < width; i++) {
            sums_join(&window, &columns[i], 1);
            if (i >= across)
                sums_join(&window, &columns[i - across], -1);
            if (i + 1 >= across)
                line += ssim_of(&window, across * down);
        }
        total += line;
    }
    mem_free(columns);
    mem_free(a);
    mem_free(b);
    return total / ((double)(width - across + 1) * (height - down + 1));
}

ImageDiff image_diff(const Image *a, const Image *b, Image *difference) {
    if (difference)
        *difference = (Image){ 0 };
    if (a->width != b->width || a->height != b->height || a->width < 1 || a->height < 1)
        return (ImageDiff){ .ssim = 0, .error = 255, .psnr = 0, .max = 255 };
    size_t count = (size_t)a->width * (size_t)a->height;
    if (difference) {
        *difference = image_make(a->width, a->height);
        difference->has_alpha = false;
    }
    uint64_t sum = 0, squares = 0;
    int max = 0;
    for (size_t i = 0; i < count; i++) {
        for (size_t at = i * 4; at < i * 4 + 3; at++) {
            int apart = a->rgba[at] > b->rgba[at] ? a->rgba[at] - b->rgba[at] : b->rgba[at] - a->rgba[at];
            sum += (uint64_t)apart;
            squares += (uint64_t)(apart * apart);
            max = MAX(max, apart);
            if (difference)
                difference->rgba[at] = (uint8_t)MIN(apart * 4, 255);
        }
        if (difference)
            difference->rgba[i * 4 + 3] = 255;
    }
    double parts = (double)count * 3;
    double psnr = squares ? 10 / trig_log(10) * trig_log(255.0 * 255.0 * parts / (double)squares) : (double)INFINITY;
    return (ImageDiff){ .ssim = ssim(a, b), .error = (double)sum / parts, .psnr = psnr, .max = max };
}
