/* assets/image_internal.h -- what is checked before stb_image sees a file, because it does not check it. */
#ifndef LEAFWALK_IMAGE_INTERNAL_H
#define LEAFWALK_IMAGE_INTERNAL_H

#include "assets/image.h"

enum { IMAGE_CLAIM_MOST = 2 * IMAGE_LARGEST };    /* pixels a side; what is larger is not even decoded */

bool jpeg_sane(const uint8_t *bytes, size_t size);
bool png_sane(const uint8_t *bytes, size_t size);

#endif
