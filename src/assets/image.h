/* assets/image.h -- pictures: decoding, halving, comparing.
 *
 * An Image is rows from top to bottom of 4 bytes a pixel: red, green, blue, alpha. No gamma is applied anywhere. */
#ifndef LEAFWALK_IMAGE_H
#define LEAFWALK_IMAGE_H

#include "base/base.h"
#include "files/files.h"

enum { IMAGE_LARGEST = 8192 };    /* larger ones are scaled down when decoded */

typedef struct Image {
    int width, height;
    uint8_t *rgba;                /* width * height * 4 bytes on the heap: image_free */
    bool has_alpha;               /* some pixel is not opaque */
} Image;

Image image_make(int width, int height);                      /* black, transparent */
Image image_copy(const Image *image);
void  image_free(Image *image);

/* TGA, JPEG or PNG, told apart by their bytes; `name` is for messages. */
bool image_decode(const uint8_t *bytes, size_t size, const char *name, Image *out, Error *error);

/* The file that a level or material means by `name`: as written if it has an ending that we read, else (and if there is no
 * such file) .tga, .jpg, .jpeg, .png in this order (format.md 9.10). `out` gets the name of one that exists; `skip` of
 * those that exist are passed over, for the case that they turned out to be damaged. */
bool image_find(const Files *files, const char *name, int skip, char out[FILE_NAME_ROOM]);

/* Finds, reads and decodes; `found` (may be NULL) gets the file's name. */
bool image_load(Files *files, const char *name, Image *out, char found[FILE_NAME_ROOM], Error *error);

Image image_halved(const Image *image);                       /* box filter; each side at least 1; rounds to nearest */
int   image_mip_count(int width, int height);                 /* down to 1x1, the full size counted */

/* The measure of parity: SSIM of luma over 8x8 windows (constants 0.01 and 0.03 of 255), mean absolute error per
 * channel and PSNR over red, green and blue. Images of different sizes: ssim 0, error 255. */
typedef struct ImageDiff { double ssim, error, psnr; int max; } ImageDiff;
ImageDiff image_diff(const Image *a, const Image *b, Image *difference);    /* difference: |a - b| * 4; may be NULL */

#endif
