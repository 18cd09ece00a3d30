/* render/null/null.h -- the renderer for tests: no pixels, but every frame is checked and written as text. */
#ifndef LEAFWALK_RENDER_NULL_H
#define LEAFWALK_RENDER_NULL_H

#include "render/renderer.h"

extern const RendererKind null_renderer;

#endif
