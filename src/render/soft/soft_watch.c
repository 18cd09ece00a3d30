/* render/soft/soft_watch.c -- watching the spans being made: their colours, the first of them alone, one row of them. */
#include <math.h>
#include <stdlib.h>

#include "render/soft/soft_internal.h"

/* By place, not by count: threads fill bands in any order. */
Rgba soft_span_color(Shade shade, int face, const SoftSpan *span) {
    if (shade == SHADE_SPANS)
        return color_of_number((int)(((uint32_t)span->y * 8209u + (uint32_t)span->x0) & 0x7fffffff));
    Rgba color = color_of_number(face);
    return (Rgba){ color.r / 3, color.g / 3, color.b / 3, 255 };
}

void soft_stop_after(void *self, int64_t count) { ((Soft *)self)->stop_after = count; }


static int compare_edges(const void *a, const void *b) {
    const SoftRowEdge *x = a, *y = b;
    return x->x < y->x ? -1 : x->x > y->x ? 1 : x->face - y->face;
}

static int compare_spans(const void *a, const void *b) { return ((const SoftRowSpan *)a)->x0 - ((const SoftRowSpan *)b)->x0; }

static void row_edges(const Soft *soft, int y, Arena *arena, SoftScanline *out) {
    ARRAY(SoftRowEdge) edges = { 0 };
    for (size_t i = 0; i < soft->order.shapes.count; i++) {
        const SoftShape *shape = &soft->order.shapes.at[i];
        for (int k = 0; y >= shape->y0 && y < shape->y1 && k < shape->edge_count; k++) {
            const SoftEdge *edge = &soft->order.edges.at[shape->first_edge + k];
            if (y < edge->from || y >= edge->to)
                continue;
            bool leading = edge->turn < 0;    /* borders run clockwise: up at the left */
            *array_push(&edges) = (SoftRowEdge){ (float)(edge->x + (y + 0.5 - edge->y) * edge->slope), soft->level->surfaces[shape->surface].face, leading };
        }
    }
    if (edges.count)
        qsort(edges.at, edges.count, sizeof *edges.at, compare_edges);
    SoftRowEdge *kept = arena_array(arena, SoftRowEdge, edges.count + 1);
    if (edges.count)
        memcpy(kept, edges.at, edges.count * sizeof *kept);
    out->edges = kept;
    out->edge_count = (int)edges.count;
    array_free(&edges);
}

static float distance_at(const SoftPaint *paint, int x, int y) { return (float)(1 / (paint->iz_x * x + paint->iz_y * y + paint->iz_c)); }

static void row_spans(const Soft *soft, int y, Arena *arena, SoftScanline *out) {
    SoftBand band = { 0 };
    ARRAY(SoftRowSpan) spans = { 0 };
    soft_band_begin(&band, soft->target.width, y, y + 1);
    for (size_t i = 0; i < soft->order.parts.count && band.open_pixels > 0; i++) {
        soft_part_spans(soft, &band, (int)i);
        const SoftShape *shape = &soft->order.shapes.at[soft->order.parts.at[i].shape];
        const SoftPaint *paint = &soft->scratch.paints.at[shape->paint];
        for (size_t k = 0; k < band.spans.count; k++) {
            const SoftSpan *span = &band.spans.at[k];
            *array_push(&spans) = (SoftRowSpan){ span->x0, span->x1, soft->level->surfaces[shape->surface].face,
                                                 distance_at(paint, span->x0, y), distance_at(paint, span->x1 - 1, y) };
        }
    }
    soft_band_free(&band);
    if (spans.count)
        qsort(spans.at, spans.count, sizeof *spans.at, compare_spans);
    SoftRowSpan *kept = arena_array(arena, SoftRowSpan, spans.count + 1);
    if (spans.count)
        memcpy(kept, spans.at, spans.count * sizeof *kept);
    out->spans = kept;
    out->span_count = (int)spans.count;
    array_free(&spans);
}

/* The lists of the last frame are still there: the row is made once more. */
bool soft_scanline(void *self, int y, Arena *arena, SoftScanline *out, Error *error) {
    Soft *soft = self;
    if (!soft->drawn)
        return fail(error, "soft: no picture was drawn by spans yet");
    if (y < 0 || y >= soft->target.height)
        return fail(error, "soft: row %d of a picture of %d", y, soft->target.height);
    row_edges(soft, y, arena, out);
    row_spans(soft, y, arena, out);
    return true;
}
