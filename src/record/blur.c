/* record/blur.c -- sums of light in 16 bits a channel and more; bytes of pictures are sRGB. */
#include "record/blur.h"

#include "base/trig.h"

enum { LIGHT_MOST = 65535 };

struct Blur {
    int width, height, count;
    uint32_t *sum;                   /* three a pixel: up to 65536 pictures fit */
    uint16_t light[256];             /* of a byte */
    uint8_t byte[LIGHT_MOST + 1];    /* of light */
};

static double light_of(double byte) {
    double x = byte / 255;
    return x <= 0.04045 ? x / 12.92 : trig_pow((x + 0.055) / 1.055, 2.4);
}

Blur *blur_open(int width, int height) {
    Blur *blur = mem_zeroed(1, sizeof *blur);
    blur->width = width;
    blur->height = height;
    blur->sum = mem_zeroed((size_t)width * (size_t)height * 3, sizeof *blur->sum);
    int from = 0;
    for (int i = 0; i < 256; i++) {
        blur->light[i] = (uint16_t)(light_of(i) * LIGHT_MOST + 0.5);
        int to = i < 255 ? (int)(light_of(i + 0.5) * LIGHT_MOST) : LIGHT_MOST;    /* nearer to i than to i + 1 */
        for (; from <= to; from++)
            blur->byte[from] = (uint8_t)i;
    }
    return blur;
}

void blur_close(Blur *blur) {
    if (!blur)
        return;
    mem_free(blur->sum);
    mem_free(blur);
}

void blur_add(Blur *blur, const Image *image) {
    size_t count = (size_t)blur->width * (size_t)blur->height;
    for (size_t i = 0; i < count; i++)
        for (int c = 0; c < 3; c++)
            blur->sum[i * 3 + c] += blur->light[image->rgba[i * 4 + c]];
    blur->count++;
}

Image blur_take(Blur *blur) {
    Image out = image_make(blur->width, blur->height);
    size_t count = (size_t)blur->width * (size_t)blur->height;
    uint32_t by = (uint32_t)MAX(blur->count, 1);
    for (size_t i = 0; i < count; i++) {
        for (int c = 0; c < 3; c++)
            out.rgba[i * 4 + c] = blur->byte[(blur->sum[i * 3 + c] + by / 2) / by];
        out.rgba[i * 4 + 3] = 255;
    }
    memset(blur->sum, 0, count * 3 * sizeof *blur->sum);
    blur->count = 0;
    return out;
}
