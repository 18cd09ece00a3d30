/* support/drawn.h -- what a renderer made of a frame. Both fail the test where there is nothing. */
#ifndef LEAFWALK_TESTS_DRAWN_H
#define LEAFWALK_TESTS_DRAWN_H

#include "render/renderer.h"

Image  renderer_drawn(const RendererKind *kind, void *self, const Frame *frame);      /* the caller frees it */
double renderer_stat(const RendererKind *kind, void *self, const char *name);

#endif
