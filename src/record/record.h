/* record/record.h -- pictures to files. */
#ifndef LEAFWALK_RECORD_H
#define LEAFWALK_RECORD_H

#include "assets/image.h"

/* PNG of 8 bits: RGB where every pixel is opaque, else RGBA. `level`: zlib's 0..9. The file is whole or not there. */
bool record_png(const char *path, const Image *image, int level, Error *error);
bool record_png_bytes(const Image *image, int level, uint8_t **bytes, size_t *size, Error *error);    /* mem_free */
/* Gray of 16 bits. */
bool record_png_gray(const char *path, const uint16_t *gray, int width, int height, int level, Error *error);

#endif
