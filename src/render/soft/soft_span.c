/* render/soft/soft_span.c -- parts, front to back, become spans that cover each pixel once.
 *
 * A band keeps a bit for each of its pixels. A part's rows are the places between its leftmost and rightmost edge; what
 * of them is still open becomes spans, or goes straight into the masks of blocks (soft_cover_internal.h), and is open no
 * more. Words of 64 pixels that are closed in all the band's rows are known, so a part that is hidden as a whole costs a
 * look at its box. */
#include "render/soft/soft_four_internal.h"

void soft_band_begin(SoftBand *band, int width, int y0, int y1) {
    int rows = y1 - y0;
    band->y0 = y0;
    band->y1 = y1;
    band->target.width = width;
    band->words = (width + 63) / 64;
    size_t all_rows = (size_t)(rows + BLOCK_ROWS - 1) / BLOCK_ROWS * BLOCK_ROWS, words = (size_t)band->words * all_rows;
    if (words > band->covered_room) {
        band->covered = mem_realloc_array(band->covered, words, sizeof *band->covered);
        band->wanted = mem_realloc_array(band->wanted, words, sizeof *band->wanted);
        band->covered_room = words;
    }
    if (band->words > band->word_room) {
        band->open = mem_realloc_array(band->open, (size_t)band->words, sizeof *band->open);
        band->word_room = band->words;
    }
    if (rows > band->row_room) {    /* rows are worked out by eights */
        band->left = mem_realloc_array(band->left, all_rows, sizeof *band->left);
        band->right = mem_realloc_array(band->right, all_rows, sizeof *band->right);
        band->row_room = rows;
    }
    memset(band->covered, 0, words * sizeof *band->covered);
    int last = width - (band->words - 1) * 64;
    for (int i = 0; i < band->words; i++)
        band->open[i] = (i + 1 < band->words ? 64 : last) * rows;
    band->open_pixels = (int64_t)width * rows;
    band->span_count = band->span_pixels = 0;
}

void soft_band_free(SoftBand *band) {
    mem_free(band->covered);
    mem_free(band->wanted);
    mem_free(band->open);
    mem_free(band->left);
    mem_free(band->right);
    array_free(&band->crossings);
    array_free(&band->near);
    array_free(&band->places);
    array_free(&band->spans);
}


/* Bits of 64 pixels, from 64 * word on, that lie in columns x0 .. x1-1; some do. */
static uint64_t word_bits(int word, int x0, int x1) {
    uint64_t bits = ~(uint64_t)0;
    if (word == x0 >> 6)
        bits <<= x0 & 63;
    if (word == (x1 - 1) >> 6)
        bits &= ~(uint64_t)0 >> (63 - ((x1 - 1) & 63));
    return bits;
}

/* Makes spans of what is open in columns x0 .. x1-1 of a row. */
static void cover_row(SoftBand *band, int part, int y, int x0, int x1) {
    int first = x0 >> 6, last = (x1 - 1) >> 6;
    uint64_t *at = band->covered + soft_word_place(band, y, first);
    SoftSpan *open = NULL;    /* the span that ends where the next word begins */
    for (int word = first; word <= last; word++, at += BLOCK_ROWS) {
        uint64_t fresh = word_bits(word, x0, x1) & ~*at;
        if (!fresh) {
            open = NULL;
            continue;
        }
        *at |= fresh;
        int pixels = 0;
        while (fresh) {
            int from = __builtin_ctzll(fresh), x = word * 64 + from;
            uint64_t rest = ~(fresh >> from);
            int length = rest ? __builtin_ctzll(rest) : 64;
            length = MIN(length, 64 - from);
            if (open && open->x1 == x) {
                open->x1 += length;
            } else {
                open = array_push(&band->spans);
                *open = (SoftSpan){ part, y, x, x + length };
            }
            pixels += length;
            fresh = from + length < 64 ? fresh & ~(uint64_t)0 << (from + length) : 0;
        }
        band->open[word] -= pixels;
        band->open_pixels -= pixels;
    }
}

static void want(SoftBand *band, int y, int x0, int x1) {
    uint64_t *at = band->wanted + soft_word_place(band, y, x0 >> 6);
    for (int word = x0 >> 6; word <= (x1 - 1) >> 6; word++, at += BLOCK_ROWS)
        *at |= word_bits(word, x0, x1);
}

/* What is outside counts as covered. */
void soft_band_window(SoftBand *band, const int window[4]) {
    int width = band->target.width;
    for (int y = band->y0; y < band->y1; y++) {
        int x0 = y >= window[1] && y < window[3] ? window[0] : width, x1 = MAX(window[2], x0);
        if (x0 > 0)
            cover_row(band, -1, y, 0, MIN(x0, width));
        if (x1 < width)
            cover_row(band, -1, y, x1, width);
    }
    array_clear(&band->spans);
}

static bool is_hidden(const SoftBand *band, const SoftPart *part) {
    for (int word = part->x0 >> 6; word <= (part->x1 - 1) >> 6; word++)
        if (band->open[word])
            return false;
    return true;
}

static void store_four(int *at, __m128i four) { _mm_storeu_si128((__m128i *)(void *)at, four); }

/* Where an edge crosses four rows. */
static __m128i edge_places(const SoftEdge *edge, __m128d first_rows, __m128d second_rows, int width) {
    __m128d x = _mm_set1_pd(edge->x), y = _mm_set1_pd(edge->y), slope = _mm_set1_pd(edge->slope), half = _mm_set1_pd(0.5);
    __m128d first = _mm_add_pd(x, _mm_mul_pd(_mm_sub_pd(_mm_add_pd(first_rows, half), y), slope));
    __m128d second = _mm_add_pd(x, _mm_mul_pd(_mm_sub_pd(_mm_add_pd(second_rows, half), y), slope));
    return pixels_after(first, second, width);
}

void soft_cut_rows(const SoftHalf *half, int y, int count, int *left, int *right) {
    for (int i = 0; i < count; i++)
        if ((half->y * (y + i) + half->c >= 0) == half->back)
            right[i] = MIN(left[i], right[i]);
}

/* Edges that cross the rows to be covered, by the row they begin in, and where they cross each: band->near and
 * band->places, `room` places for each of them. */
static void near_edges(SoftBand *band, const SoftCover *cover, int room) {
    const SoftEdge *edges = cover->edges;
    array_clear(&band->near);
    for (int i = 0; i < cover->edge_count; i++) {
        if (edges[i].from >= cover->y1 || edges[i].to <= cover->y0 || edges[i].from >= edges[i].to)
            continue;
        size_t at = band->near.count;
        *array_push(&band->near) = i;
        for (; at > 0 && edges[band->near.at[at - 1]].from > edges[i].from; at--)
            band->near.at[at] = band->near.at[at - 1];
        band->near.at[at] = i;
    }
    array_clear(&band->places);
    if (!band->near.count)
        return;
    int *places = array_push_n(&band->places, band->near.count * (size_t)room);
    for (size_t i = 0; i < band->near.count; i++, places += room) {
        const SoftEdge *edge = &edges[band->near.at[i]];
        int from = MAX(edge->from, cover->y0), to = MIN(edge->to, cover->y1);
        for (int y = from; y < to; y += 4)
            store_four(places + (y - cover->y0), edge_places(edge, _mm_setr_pd(y, y + 1), _mm_setr_pd(y + 2, y + 3), band->target.width));
    }
}

/* Those that still cross row y, and those that begin in it, from left to right; the next one to begin. */
static size_t active_edges(SoftBand *band, const SoftEdge *edges, int y, const int *places, int room, size_t next) {
    size_t kept = 0;
    for (size_t i = 0; i < band->crossings.count; i++)
        if (band->crossings.at[i].to > y)
            band->crossings.at[kept++] = band->crossings.at[i];
    band->crossings.count = kept;
    for (; next < band->near.count && edges[band->near.at[next]].from <= y; next++) {
        const SoftEdge *edge = &edges[band->near.at[next]];
        *array_push(&band->crossings) = (SoftCrossing){ .turn = edge->turn, .to = edge->to, .place = (int)next * room };
    }
    for (size_t i = 0; i < band->crossings.count; i++) {    /* they hardly ever change their order */
        SoftCrossing at = band->crossings.at[i];
        at.x = places[at.place];
        size_t k = i;
        for (; k > 0 && band->crossings.at[k - 1].x > at.x; k--)
            band->crossings.at[k] = band->crossings.at[k - 1];
        band->crossings.at[k] = at;
    }
    return next;
}

static void take(SoftBand *band, int number, int y, int x0, int x1, bool wants) {
    if (x0 < x1 && wants)
        want(band, y, x0, x1);
    else if (x0 < x1)
        cover_row(band, number, y, x0, x1);
}

/* Rows of a surface with notches or holes: wherever more of its edges run one way than the other. What cuts leave of them
 * is in left and right. They are made spans of, or wanted. */
static void cover_crossings(SoftBand *band, const SoftCover *cover, const int *left, const int *right, int number, bool wants) {
    int room = cover->y1 - cover->y0 + 3;
    near_edges(band, cover, room);
    array_clear(&band->crossings);
    size_t next = 0;
    for (int y = cover->y0; y < cover->y1 && band->near.count; y++, left++, right++) {
        next = active_edges(band, cover->edges, y, band->places.at + (y - cover->y0), room, next);
        int turns = 0, start = 0, from = 0, to = 0;
        for (size_t i = 0; i < band->crossings.count; i++) {
            const SoftCrossing *at = &band->crossings.at[i];
            start = turns == 0 ? at->x : start;
            turns += at->turn;
            int x0 = MAX(start, *left), x1 = MIN(at->x, *right);
            if (turns != 0 || x0 >= x1)
                continue;
            if (x0 != to) {    /* what begins where the last one ended is one with it */
                take(band, number, y, from, to, wants);
                from = x0;
            }
            to = x1;
        }
        take(band, number, y, from, to, wants);
    }
}

/* Some rows at a time: where edges cross them takes little room then, even if the band is all of a high picture. */
static void list_crossings(SoftBand *band, const SoftCover *cover, const int *left, const int *right, int number) {
    SoftCover some = *cover;
    for (; some.y0 < cover->y1; some.y0 = some.y1) {
        some.y1 = MIN(some.y0 + BAND, cover->y1);
        cover_crossings(band, &some, left + (some.y0 - cover->y0), right + (some.y0 - cover->y0), number, false);
    }
}

/* What of a part is in the band, if any of it may be seen there. */
static bool part_cover(const Soft *soft, const SoftBand *band, const SoftPart *part, SoftCover *out) {
    const SoftShape *shape = &soft->order.shapes.at[part->shape];
    *out = (SoftCover){
        .x0 = MAX(part->x0 - 1, 0), .x1 = MIN(part->x1 + 1, soft->target.width),    /* a corner, and where an edge is near it, may have been rounded to either side */
        .y0 = MAX(part->y0, band->y0), .y1 = MIN(part->y1, band->y1), .notched = !shape->convex,
        .edges = &soft->order.edges.at[shape->first_edge], .edge_count = shape->edge_count,
        .halves = &soft->order.halves.at[part->first_half], .half_count = part->half_count,
    };
    return out->y0 < out->y1 && part->x0 < part->x1 && !is_hidden(band, part);
}

/* The spans of a part in the band, into band->spans. */
void soft_part_spans(const Soft *soft, SoftBand *band, int number) {
    SoftCover cover;
    array_clear(&band->spans);
    if (!part_cover(soft, band, &soft->order.parts.at[number], &cover))
        return;
    int *left = band->left, *right = band->right;
    soft_cover_columns(&soft->mode, &cover, soft->target.width, left, right);
    if (cover.notched)
        list_crossings(band, &cover, left, right, number);
    for (int y = cover.y0; y < cover.y1 && !cover.notched; y++, left++, right++)
        if (*left < *right)
            cover_row(band, number, y, *left, *right);
}

SoftTest soft_span_test(const SoftPaint *paint) {
    return paint->style == STYLE_STAGE || paint->style == STYLE_STAGE_LIGHT || paint->style == STYLE_COLOR ? TEST_PASSED : TEST_NONE;
}

static void draw_spans(const Soft *soft, SoftBand *band, int number) {
    const SoftShape *shape = &soft->order.shapes.at[number];
    const SoftPaint *paint = &soft->scratch.paints.at[shape->paint];
    int64_t room = soft->stop_after >= 0 ? soft->stop_after - band->span_count : INT64_MAX;
    int count = (int)MIN((int64_t)band->spans.count, MAX(room, 0));
    if (!count)
        return;
    bool shows = soft->frame->shade == SHADE_SPANS || soft->frame->shade == SHADE_EDGES;
    for (int k = 0; k < count; k++) {
        if (shows)
            soft_show_span(soft, &band->target, paint, &band->spans.at[k]);
        band->span_pixels += band->spans.at[k].x1 - band->spans.at[k].x0;
    }
    bool lit = !shows && soft_lights_spans(soft, soft->lights, &band->target, number, band->spans.at, count);
    for (int i = 0; i <= shape->layers && !shows && !lit; i++)
        soft_rows(&band->target, &soft->mode, paint + i, band->spans.at, count, i ? TEST_PASSED : soft_span_test(paint));
    band->span_count += count;
}

/* Empties what a part wants of whole rows of blocks. */
static void want_nothing(SoftBand *band, const SoftCover *cover) {
    int first = cover->x0 >> 6, words = ((cover->x1 - 1) >> 6) + 1 - first;
    for (int y = cover->y0 & ~(BLOCK_ROWS - 1); y < cover->y1; y += BLOCK_ROWS)
        memset(band->wanted + soft_word_place(band, y, first), 0, (size_t)words * BLOCK_ROWS * sizeof *band->wanted);
}

/* Most parts need no list of their spans: what of them is open is drawn as it is found, by whole rows of blocks. */
static bool cover_part(const Soft *soft, SoftBand *band, int number) {
    const SoftPart *part = &soft->order.parts.at[number];
    const SoftShape *shape = &soft->order.shapes.at[part->shape];
    SoftCover cover;
    if (!shape->covers || soft->stop_after >= 0 || soft_lights_shape(soft->lights, part->shape))
        return false;
    if (!part_cover(soft, band, part, &cover))
        return true;
    if (cover.notched) {
        soft_cover_columns(&soft->mode, &cover, soft->target.width, band->left, band->right);
        want_nothing(band, &cover);
        cover_crossings(band, &cover, band->left, band->right, number, true);
    }
    soft_cover_rows(band, &soft->mode, &soft->scratch.paints.at[shape->paint], &cover);
    return true;
}

void soft_band_spans(const Soft *soft, SoftBand *band) {
    for (size_t i = 0; i < soft->order.parts.count && band->open_pixels > 0; i++) {
        const SoftPart *part = &soft->order.parts.at[i];
        if (part->y0 >= band->y1 || part->y1 <= band->y0)
            continue;
        if (cover_part(soft, band, (int)i))
            continue;
        soft_part_spans(soft, band, (int)i);
        draw_spans(soft, band, part->shape);
        if (soft->stop_after >= 0 && band->span_count >= soft->stop_after)
            break;
    }
}

int64_t soft_band_covered(const SoftBand *band) { return (int64_t)band->target.width * (band->y1 - band->y0) - band->open_pixels; }


static void clear_pixels(const SoftTarget *target, int y, int x0, int x1, uint32_t color) {
    size_t row = soft_place(target, 0, y);
    for (int x = x0; x < x1; x++)
        target->color[row + (size_t)x] = color;
    memset(target->depth + row + (size_t)x0, 0, (size_t)(x1 - x0) * sizeof *target->depth);
}

/* What no span covers is background, and so are the cells' last pixels beyond the picture. */
void soft_band_clear(const SoftBand *band, uint32_t color) {
    const SoftTarget *target = &band->target;
    for (int y = band->y0; y < band->y1; y++) {
        const uint64_t *at = band->covered + soft_word_place(band, y, 0);
        for (int word = 0; word < band->words && band->open_pixels; word++, at += BLOCK_ROWS) {
            uint64_t open = ~*at;
            int end = MIN(target->width - word * 64, 64);
            for (int from = 0; from < end && open >> from;) {
                from += __builtin_ctzll(open >> from);
                uint64_t rest = ~(open >> from);
                int length = rest ? __builtin_ctzll(rest) : 64;
                if (from < end)
                    clear_pixels(target, y, word * 64 + from, word * 64 + MIN(from + length, end), color);
                from += MIN(length, 64 - from);
            }
        }
        clear_pixels(target, y, target->width, target->pitch, color);
    }
}
