/* support/make_image.c -- a generator of numbers that is the same everywhere, and TGA's 18-byte header. */
#include "support/make_image.h"

Image make_noise(int width, int height, unsigned seed) {
    Image image = image_make(width, height);
    uint64_t x = seed * 2654435761u + 1;
    for (size_t i = 0; i < (size_t)width * (size_t)height; i++) {
        x = x * 6364136223846793005u + 1442695040888963407u;
        image.rgba[i * 4] = (uint8_t)(x >> 56);
        image.rgba[i * 4 + 1] = (uint8_t)(x >> 48);
        image.rgba[i * 4 + 2] = (uint8_t)(x >> 40);
        image.rgba[i * 4 + 3] = 255;
    }
    image.has_alpha = false;
    return image;
}

static void put_pixel(Text *out, const uint8_t *p, int bits) {
    if (bits == 8) {
        text_add_char(out, (char)p[0]);
        return;
    }
    for (int c = 2; c >= 0; c--)
        text_add_char(out, (char)p[c]);
    if (bits == 32)
        text_add_char(out, (char)p[3]);
}

Text make_tga(const Image *image, TgaForm form) {
    Text out = { 0 };
    uint8_t header[18] = { [2] = (uint8_t)form.kind, [12] = (uint8_t)image->width, [13] = (uint8_t)(image->width >> 8),
                           [14] = (uint8_t)image->height, [15] = (uint8_t)(image->height >> 8), [16] = (uint8_t)form.bits,
                           [17] = (uint8_t)form.flags };
    text_add_n(&out, (const char *)header, sizeof header);
    for (int row = 0; row < image->height; row++)
        for (int column = 0; column < image->width; column++) {
            int y = form.flags & 0x20 ? row : image->height - 1 - row;
            int x = form.flags & 0x10 ? image->width - 1 - column : column;
            if (form.kind == 10)
                text_add_char(&out, 0);    /* a raw packet of one pixel */
            put_pixel(&out, image->rgba + ((size_t)y * (size_t)image->width + (size_t)x) * 4, form.bits);
        }
    return out;
}
