/* render/soft/soft.h -- the software renderer: Quake's, at today's sizes.
 *
 * Opaque flat faces are drawn as spans that cover each pixel once; everything else meets the depths that they leave
 * behind. Pictures have the same bits for any number of threads, in every build and on every x86-64. */
#ifndef LEAFWALK_RENDER_SOFT_H
#define LEAFWALK_RENDER_SOFT_H

#include "render/renderer.h"

extern const RendererKind soft_renderer;

#endif
