/* record/blur.h -- motion blur: the mean of several pictures, in linear light. */
#ifndef LEAFWALK_BLUR_H
#define LEAFWALK_BLUR_H

#include "assets/image.h"

typedef struct Blur Blur;

Blur *blur_open(int width, int height);
void blur_close(Blur *blur);                     /* NULL is fine */
void blur_add(Blur *blur, const Image *image);
Image blur_take(Blur *blur);                     /* the mean of what was added; opaque; begins anew */

#endif
