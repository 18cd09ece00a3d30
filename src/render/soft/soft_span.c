/* render/soft/soft_span.c -- parts, front to back, become spans that cover each pixel once.
 *
 * A band keeps a bit for each of its pixels. A part's rows are the places between its leftmost and rightmost edge; what
 * of them is still open becomes spans and is open no more. Words of 64 pixels that are closed in all the band's rows are
 * known, so a part that is hidden as a whole costs a look at its box. */
#include "render/soft/soft_four_internal.h"

void soft_band_begin(SoftBand *band, int width, int y0, int y1) {
    int rows = y1 - y0;
    band->y0 = y0;
    band->y1 = y1;
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
    if (rows > band->row_room) {    /* and three more: rows are worked out by fours */
        band->left = mem_realloc_array(band->left, all_rows + 3, sizeof *band->left);
        band->right = mem_realloc_array(band->right, all_rows + 3, sizeof *band->right);
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
static void cover(SoftBand *band, int part, int y, int x0, int x1) {
    int first = x0 >> 6, last = (x1 - 1) >> 6;
    uint64_t *at = soft_covered_at(band, y, first);
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
    uint64_t *at = band->wanted + (soft_covered_at(band, y, x0 >> 6) - band->covered);
    for (int word = x0 >> 6; word <= (x1 - 1) >> 6; word++, at += BLOCK_ROWS)
        *at |= word_bits(word, x0, x1);
}

/* What is outside counts as covered. */
void soft_band_window(SoftBand *band, const int window[4]) {
    int width = band->target.width;
    for (int y = band->y0; y < band->y1; y++) {
        int x0 = y >= window[1] && y < window[3] ? window[0] : width, x1 = MAX(window[2], x0);
        if (x0 > 0)
            cover(band, -1, y, 0, MIN(x0, width));
        if (x1 < width)
            cover(band, -1, y, x1, width);
    }
    array_clear(&band->spans);
}

static bool is_hidden(const SoftBand *band, const SoftPart *part) {
    for (int word = part->x0 >> 6; word <= (part->x1 - 1) >> 6; word++)
        if (band->open[word])
            return false;
    return true;
}

/* Four rows at a time: numbers beyond `count` are left as they are, and there is room for them. */
typedef struct Rows { int *left, *right; } Rows;

static __m128i choose(__m128i mask, __m128i a, __m128i b) { return _mm_or_si128(_mm_and_si128(mask, a), _mm_andnot_si128(mask, b)); }

static __m128i load_four(const int *at) { return _mm_loadu_si128((const __m128i *)(const void *)at); }
static void store_four(int *at, __m128i four) { _mm_storeu_si128((__m128i *)(void *)at, four); }

static __m128i before(int first, int count) { return _mm_cmplt_epi32(_mm_add_epi32(_mm_set1_epi32(first), _mm_setr_epi32(0, 1, 2, 3)), _mm_set1_epi32(count)); }

static void clear_rows(Rows rows, int count, int first, int last) {
    for (int i = 0; i < count; i += 4) {
        store_four(rows.left + i, _mm_set1_epi32(first));
        store_four(rows.right + i, _mm_set1_epi32(last));
    }
}

/* Where an edge crosses four rows. */
static __m128i edge_places(const SoftEdge *edge, __m128d first_rows, __m128d second_rows, int width) {
    __m128d x = _mm_set1_pd(edge->x), y = _mm_set1_pd(edge->y), slope = _mm_set1_pd(edge->slope), half = _mm_set1_pd(0.5);
    __m128d first = _mm_add_pd(x, _mm_mul_pd(_mm_sub_pd(_mm_add_pd(first_rows, half), y), slope));
    __m128d second = _mm_add_pd(x, _mm_mul_pd(_mm_sub_pd(_mm_add_pd(second_rows, half), y), slope));
    return pixels_after(first, second, width);
}

/* Widens the rows from y0 on to where the edge crosses them. */
static void edge_rows(const SoftEdge *edge, int y0, int count, int width, Rows rows) {
    __m128d at = _mm_setr_pd(y0, y0 + 1), two = _mm_set1_pd(2);
    for (int i = 0; i < count; i += 4) {
        __m128d next = _mm_add_pd(at, two);
        __m128i pixel = edge_places(edge, at, next, width), left = load_four(rows.left + i), right = load_four(rows.right + i), valid = before(i, count);
        store_four(rows.left + i, choose(_mm_and_si128(valid, _mm_cmplt_epi32(pixel, left)), pixel, left));
        store_four(rows.right + i, choose(_mm_and_si128(valid, _mm_cmpgt_epi32(pixel, right)), pixel, right));
        at = _mm_add_pd(next, two);
    }
}

static void convex_rows(const SoftEdge *edges, int count, int y0, int y1, int width, Rows rows) {
    clear_rows(rows, y1 - y0, width, 0);
    for (int i = 0; i < count; i++) {
        int from = MAX(edges[i].from, y0), to = MIN(edges[i].to, y1);
        if (from < to)
            edge_rows(&edges[i], from, to - from, width, (Rows){ rows.left + (from - y0), rows.right + (from - y0) });
    }
}

void soft_cut_rows(const SoftHalf *half, int y, int count, int *left, int *right) {
    for (int i = 0; i < count; i++)
        if ((half->y * (y + i) + half->c >= 0) == half->back)
            right[i] = left[i];
}

/* Narrows rows from y0 on to one side of a cut. */
static void cut_rows(const SoftHalf *half, int y0, int count, int width, Rows rows) {
    if (half->x == 0) {
        soft_cut_rows(half, y0, count, rows.left, rows.right);
        return;
    }
    bool from_left = (half->x > 0) != half->back;
    __m128d x = _mm_set1_pd(-half->x), y = _mm_set1_pd(half->y), c = _mm_set1_pd(half->c), middle = _mm_set1_pd(0.5), two = _mm_set1_pd(2);
    __m128d at = _mm_setr_pd(y0, y0 + 1);
    for (int i = 0; i < count; i += 4) {    /* rows beyond the last are read by nobody */
        __m128d next = _mm_add_pd(at, two);
        __m128d first = _mm_add_pd(_mm_div_pd(_mm_add_pd(_mm_mul_pd(y, at), c), x), middle), second = _mm_add_pd(_mm_div_pd(_mm_add_pd(_mm_mul_pd(y, next), c), x), middle);
        __m128i pixel = pixels_after(first, second, width), left = load_four(rows.left + i), right = load_four(rows.right + i);
        if (from_left)
            store_four(rows.left + i, choose(_mm_cmpgt_epi32(pixel, left), pixel, left));
        else
            store_four(rows.right + i, choose(_mm_cmplt_epi32(pixel, right), pixel, right));
        at = _mm_add_pd(next, two);
    }
}

/* Edges that cross rows y0 .. y1-1, by the row they begin in, and where they cross each: band->near and band->places,
 * `room` places for each of them. */
static void near_edges(SoftBand *band, const SoftEdge *edges, int count, int y0, int y1, int room, int width) {
    array_clear(&band->near);
    for (int i = 0; i < count; i++) {
        if (edges[i].from >= y1 || edges[i].to <= y0 || edges[i].from >= edges[i].to)
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
        int from = MAX(edge->from, y0), to = MIN(edge->to, y1);
        for (int y = from; y < to; y += 4)
            store_four(places + (y - y0), edge_places(edge, _mm_setr_pd(y, y + 1), _mm_setr_pd(y + 2, y + 3), width));
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
        cover(band, number, y, x0, x1);
}

/* Rows of a surface with notches or holes: wherever more of its edges run one way than the other. What cuts leave is in
 * left and right. They are made spans of, or wanted. */
static void cover_crossings(const Soft *soft, SoftBand *band, int number, int y0, int y1, bool wants) {
    const SoftShape *shape = &soft->order.shapes.at[soft->order.parts.at[number].shape];
    const SoftEdge *edges = &soft->order.edges.at[shape->first_edge];
    int room = y1 - y0 + 3;
    near_edges(band, edges, shape->edge_count, y0, y1, room, soft->target.width);
    array_clear(&band->crossings);
    size_t next = 0;
    for (int y = y0; y < y1 && band->near.count; y++) {
        next = active_edges(band, edges, y, band->places.at + (y - y0), room, next);
        int turns = 0, start = 0, from = 0, to = 0, left = band->left[y - band->y0], right = band->right[y - band->y0];
        for (size_t i = 0; i < band->crossings.count; i++) {
            const SoftCrossing *at = &band->crossings.at[i];
            start = turns == 0 ? at->x : start;
            turns += at->turn;
            int x0 = MAX(start, left), x1 = MIN(at->x, right);
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

/* Rows of the band that a part has, if any of it may be seen there. */
static bool part_rows(const SoftBand *band, const SoftPart *part, int *y0, int *y1) {
    *y0 = MAX(part->y0, band->y0);
    *y1 = MIN(part->y1, band->y1);
    return *y0 < *y1 && part->x0 < part->x1 && !is_hidden(band, part);
}

/* The columns of a part; a corner and where an edge is near it may have been rounded to either side. */
static void part_columns(const Soft *soft, const SoftPart *part, int *x0, int *x1) {
    *x0 = MAX(part->x0 - 1, 0);
    *x1 = MIN(part->x1 + 1, soft->target.width);
}

/* What there is of a part in each of these rows, into the band's left and right; where it has notches: what cuts leave. */
static void place_rows(const Soft *soft, SoftBand *band, const SoftPart *part, int y0, int y1) {
    const SoftShape *shape = &soft->order.shapes.at[part->shape];
    int width = soft->target.width, first, last;
    Rows rows = { band->left + (y0 - band->y0), band->right + (y0 - band->y0) };
    part_columns(soft, part, &first, &last);
    if (shape->convex)
        convex_rows(&soft->order.edges.at[shape->first_edge], shape->edge_count, y0, y1, width, rows);
    else
        clear_rows(rows, y1 - y0, first, last);
    for (int i = 0; i < part->half_count; i++)
        cut_rows(&soft->order.halves.at[part->first_half + i], y0, y1 - y0, width, rows);
}

/* The spans of a part in the band, into band->spans. */
void soft_part_spans(const Soft *soft, SoftBand *band, int number) {
    const SoftPart *part = &soft->order.parts.at[number];
    const SoftShape *shape = &soft->order.shapes.at[part->shape];
    int y0, y1;
    array_clear(&band->spans);
    if (!part_rows(band, part, &y0, &y1))
        return;
    Rows rows = { band->left + (y0 - band->y0), band->right + (y0 - band->y0) };
    place_rows(soft, band, part, y0, y1);
    if (!shape->convex) {
        cover_crossings(soft, band, number, y0, y1, false);
        return;
    }
    for (int y = y0; y < y1; y++)
        if (rows.left[y - y0] < rows.right[y - y0])
            cover(band, number, y, rows.left[y - y0], rows.right[y - y0]);
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
        memset(band->wanted + (soft_covered_at(band, y, first) - band->covered), 0, (size_t)words * BLOCK_ROWS * sizeof *band->wanted);
}

/* Most parts need no list of their spans: what of them is open is drawn as it is found, by whole rows of blocks. */
static bool cover_part(const Soft *soft, SoftBand *band, int number) {
    const SoftPart *part = &soft->order.parts.at[number];
    const SoftShape *shape = &soft->order.shapes.at[part->shape];
    if (!shape->covers || soft->stop_after >= 0 || soft_lights_shape(soft->lights, part->shape))
        return false;
    SoftCover cover = {
        .notched = !shape->convex,
        .edges = &soft->order.edges.at[shape->first_edge], .edge_count = shape->edge_count,
        .halves = &soft->order.halves.at[part->first_half], .half_count = part->half_count,
    };
    if (!part_rows(band, part, &cover.y0, &cover.y1))
        return true;
    if (cover.notched) {
        part_columns(soft, part, &cover.x0, &cover.x1);
        place_rows(soft, band, part, cover.y0, cover.y1);
        want_nothing(band, &cover);
        cover_crossings(soft, band, number, cover.y0, cover.y1, true);
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
        const uint64_t *at = soft_covered_at(band, y, 0);
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
