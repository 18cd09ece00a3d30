/* fuzz_image.c -- any bytes as a picture: decoded or refused, and what is decoded can be halved down to one pixel. */
#include "assets/image.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Image image;
    Error why;
    if (!image_decode(data, size, "fuzz", &image, &why))
        return 0;
    if ((int64_t)image.width * image.height <= 256 * 256)
        while (image.width > 1 || image.height > 1) {
            Image half = image_halved(&image);
            image_free(&image);
            image = half;
        }
    image_free(&image);
    return 0;
}
