/* render/soft/soft.h -- the software renderer: Quake's, at today's sizes.
 *
 * Opaque flat faces are drawn as spans that cover each pixel once; everything else meets the depths that they leave
 * behind. Pictures have the same bits for any number of threads, in every build and on every x86-64. */
#ifndef LEAFWALK_RENDER_SOFT_H
#define LEAFWALK_RENDER_SOFT_H

#include "render/renderer.h"

extern const RendererKind soft_renderer;

/* For watching it work. The first draws no more than `count` spans of the next frames, front to back over the whole
 * picture, or, in the view of edges, the surfaces of so many edges; negative: all of them. */
void soft_stop_after(void *soft, int64_t count);

/* What happened on one row of the last picture: the edges that cross it, of every surface in view (hidden ones too), and
 * the spans that were made of it, both from left to right. */
typedef struct SoftRowEdge { float x; int face; bool leading; } SoftRowEdge;          /* leading: its surface begins here */
typedef struct SoftRowSpan { int x0, x1, face; float depth0, depth1; } SoftRowSpan;   /* pixels x0 .. x1-1; distances along the view at its ends */
typedef struct SoftScanline { const SoftRowEdge *edges; int edge_count; const SoftRowSpan *spans; int span_count; } SoftScanline;
bool soft_scanline(void *soft, int y, Arena *arena, SoftScanline *out, Error *error);    /* in the arena; false: no such row, or no picture by spans yet */

#endif
