/* render/gl/gl.h -- the first rasterizer: OpenGL 3.3 core. */
#ifndef LEAFWALK_RENDER_GL_H
#define LEAFWALK_RENDER_GL_H

#include "render/renderer.h"

extern const RendererKind gl_renderer;

#endif
