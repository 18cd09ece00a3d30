/* render/soft/soft_watch.c -- watching the spans being made: their colours, the first of them alone, one row of them. */
#include <math.h>
#include <stdlib.h>

#include "render/soft/soft_internal.h"

/* By place, not by count: threads fill bands in any order. */
static Rgba span_color(Shade shade, int face, const SoftSpan *span) {
    if (shade == SHADE_SPANS)
        return color_of_number((int)(((uint32_t)span->y * 8209u + (uint32_t)span->x0) & 0x7fffffff));
    Rgba color = color_of_number(face);
    return (Rgba){ color.r / 3, color.g / 3, color.b / 3, 255 };
}

static SoftPaint flat_paint(const SoftPaint *paint, uint32_t color) {
    SoftPaint flat = *paint;
    flat.style = STYLE_FLAT;
    flat.flat = color;
    return flat;
}

/* A span in a colour of its own, or dark with its first pixel bright: where it begins is an edge. */
void soft_show_span(const Soft *soft, const SoftTarget *target, const SoftPaint *paint, const SoftSpan *span) {
    SoftPaint plain = flat_paint(paint, soft_packed(span_color(soft->frame->shade, soft->level->surfaces[paint->surface].face, span)));
    soft_row(target, &soft->mode, &plain, span->y, span->x0, span->x1, TEST_NONE);
    if (soft->frame->shade != SHADE_EDGES)
        return;
    plain.flat = 0xffffffffu;
    soft_row(target, &soft->mode, &plain, span->y, span->x0, span->x0 + 1, TEST_NONE);
}

static double edge_place(const SoftEdge *edge, int y) { return edge->x + (y + 0.5 - edge->y) * edge->slope; }

/* Where the first edges of a surface cross rows of pixels that nothing nearer covers. */
static void draw_border(const Soft *soft, SoftBand *band, const SoftShape *shape, int64_t count) {
    SoftPaint white = flat_paint(&soft->scratch.paints.at[shape->paint], 0xffffffffu);
    for (int64_t k = 0; k < count; k++) {
        const SoftEdge *edge = &soft->order.edges.at[shape->first_edge + k];
        for (int y = MAX(edge->from, band->y0); y < MIN(edge->to, band->y1); y++) {
            int x = soft_pixel_after(edge_place(edge, y), soft->target.width);
            if (x < soft->target.width && !(band->covered[soft_word_place(band, y, x >> 6)] >> (x & 63) & 1))
                soft_row(&band->target, &soft->mode, &white, y, x, x + 1, TEST_NONE);
        }
    }
}

/* Surfaces whose edges are all among the first ones are filled; of the next one there is its border so far. */
void soft_watch_edges(const Soft *soft, SoftBand *band) {
    bool *known = mem_zeroed(soft->order.shapes.count + 1, sizeof *known);
    int64_t left = soft->stop_after;
    for (size_t i = 0; i < soft->order.parts.count && band->open_pixels > 0; i++) {
        int number = soft->order.parts.at[i].shape;
        const SoftShape *shape = &soft->order.shapes.at[number];
        if (!known[number] && shape->edge_count > left) {
            draw_border(soft, band, shape, left);
            break;
        }
        left -= known[number] ? 0 : shape->edge_count;
        known[number] = true;
        soft_part_spans(soft, band, (int)i);
        for (size_t k = 0; k < band->spans.count; k++) {
            soft_show_span(soft, &band->target, &soft->scratch.paints.at[shape->paint], &band->spans.at[k]);
            band->span_pixels += band->spans.at[k].x1 - band->spans.at[k].x0;
        }
        band->span_count += (int64_t)band->spans.count;
    }
    mem_free(known);
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
            *array_push(&edges) = (SoftRowEdge){ (float)edge_place(edge, y), soft->level->surfaces[shape->surface].face, leading };
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
