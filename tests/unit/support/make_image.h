/* support/make_image.h -- small pictures with known pixels, and TGA files of them in every form. */
#ifndef LEAFWALK_MAKE_IMAGE_H
#define LEAFWALK_MAKE_IMAGE_H

#include "assets/image.h"

typedef struct TgaForm { int kind, bits, flags; } TgaForm;    /* kind: 2, 3, 10; flags: bits 4 (from the right) and 5 (from the top) */

Image make_noise(int width, int height, unsigned seed);       /* opaque, every pixel another */
Text  make_tga(const Image *image, TgaForm form);             /* free with text_free; grey takes red */

#endif
