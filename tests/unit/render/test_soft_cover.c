/* What parts cover of a band: by lists of spans and by rows of blocks, in all code, it is the same, and what a few lines
 * that look at each pixel say. */
#include "support/test.h"

#include <math.h>

#include "render/soft/soft_internal.h"
#include "support/random.h"
#include "support/soft_place.h"

enum { POINTS = 70, WIDEST = 2048, HIGHEST = 100, LISTS = 0, BLOCKS = 1 };

static double between(uint64_t *random, double low, double high) { return low + (high - low) * random_next(random) / 4294967296.0; }

/* Edges as soft_shape.c makes them. */
static void add_loop(Soft *soft, SoftShape *shape, const SoftPoint *points, int count) {
    int width = soft->target.width, height = soft->target.height;
    for (int i = 0; i < count; i++) {
        SoftPoint a = points[i], b = points[(i + 1) % count];
        bool down = a.y < b.y;
        SoftPoint top = down ? a : b, bottom = down ? b : a;
        int from = soft_pixel_after(top.y, height), to = soft_pixel_after(bottom.y, height);
        shape->x0 = MIN(shape->x0, soft_pixel_after(a.x, width));
        shape->x1 = MAX(shape->x1, soft_pixel_after(a.x, width));
        shape->y0 = MIN(shape->y0, from);
        shape->y1 = MAX(shape->y1, to);
        if (from == to)
            continue;
        *array_push(&soft->order.edges) = (SoftEdge){ top.x, top.y, (bottom.x - top.x) / (bottom.y - top.y), from, to, down ? 1 : -1 };
        shape->edge_count++;
    }
}

/* Points on an ellipse, which is thin, huge or beside the picture at times; at `inner` of its size every second one. */
static int ellipse(const Soft *soft, uint64_t *random, double inner, SoftPoint points[POINTS]) {
    int count = 3 + random_below(random, random_below(random, 8) ? 6 : POINTS - 2), kind = random_below(random, 12);
    double width = soft->target.width, height = soft->target.height, size = kind == 0 ? 1e12 : kind == 1 ? 1 : kind < 5 ? 0.3 : 1;
    SoftPoint middle = { between(random, -0.3, 1.3) * width, between(random, -0.3, 1.3) * height };
    double across = kind == 1 ? 0.6 : between(random, 0, width * size), down = kind == 2 ? 0.6 : between(random, 0, height * size), turn = between(random, 0, 7);
    for (int i = 0; i < count; i++) {
        double angle = turn + i * 6.283185307179586 / count, far = i % 2 ? inner : 1;
        points[i] = (SoftPoint){ middle.x + cos(angle) * across * far, middle.y + sin(angle) * down * far };
        if (kind == 3)    /* edges and corners where pixels have their middles */
            points[i] = (SoftPoint){ floor(points[i].x) + 0.5, floor(points[i].y) + 0.5 };
        if (kind == 4)    /* or where words of pixels and rows of blocks end */
            points[i] = (SoftPoint){ floor(points[i].x / 64) * 64, floor(points[i].y / 8) * 8 };
    }
    return count;
}

static void add_shape(Soft *soft, uint64_t *random, int paint) {
    SoftShape shape = { .paint = paint, .first_layer = -1, .first_edge = (int)soft->order.edges.count, .convex = random_below(random, 2),
                        .x0 = soft->target.width, .y0 = soft->target.height };
    SoftPoint points[POINTS];
    double inner = shape.convex ? 1 : between(random, 0, 1);
    int loops = shape.convex ? 1 : 1 + random_below(random, 3);
    for (int i = 0; i < loops; i++)    /* they may run through each other, and leave holes */
        add_loop(soft, &shape, points, ellipse(soft, random, inner, points));
    *array_push(&soft->order.shapes) = shape;
}

static void add_cut(Soft *soft, uint64_t *random) {
    double x = between(random, 0, soft->target.width), y = between(random, 0, soft->target.height), angle = between(random, 0, 7), scale = pow(10, between(random, -9, 9));
    SoftHalf half = { cos(angle) * scale, sin(angle) * scale, 0, random_below(random, 2) };
    if (random_below(random, 3) == 0)
        half.x = 0;
    else if (random_below(random, 3) == 0)
        half.y = 0;
    half.c = -(half.x * x + half.y * y);
    *array_push(&soft->order.halves) = half;
}

static void add_part(Soft *soft, uint64_t *random) {
    int number = random_below(random, (int)soft->order.shapes.count);
    const SoftShape *shape = &soft->order.shapes.at[number];
    SoftPart part = { .shape = number, .first_half = (int)soft->order.halves.count, .half_count = random_below(random, 2) * random_below(random, 4),
                      .x0 = shape->x0, .y0 = shape->y0, .x1 = shape->x1, .y1 = shape->y1 };
    for (int i = 0; i < part.half_count; i++)
        add_cut(soft, random);
    *array_push(&soft->order.parts) = part;
}

/* What is covered of a band, pixel by pixel. */
typedef struct Want { bool covered[HIGHEST][WIDEST]; int64_t spans, pixels; } Want;

static bool part_is_hidden(const Soft *soft, const Want *want, const SoftPart *part, int rows) {
    int end = MIN(((part->x1 - 1) | 63) + 1, soft->target.width);
    for (int y = 0; y < rows; y++)
        for (int x = part->x0 & ~63; x < end; x++)
            if (!want->covered[y][x])
                return false;
    return true;
}

static double edge_at(const SoftEdge *edge, int y) { return edge->x + (y + 0.5 - edge->y) * edge->slope; }

/* First and last columns of a row, by cuts and, if it is convex, by edges. */
static void want_columns(const Soft *soft, const SoftPart *part, int y, int *left, int *right) {
    const SoftShape *shape = &soft->order.shapes.at[part->shape];
    int width = soft->target.width;
    *left = shape->convex ? width : MAX(part->x0 - 1, 0);
    *right = shape->convex ? 0 : MIN(part->x1 + 1, width);
    for (int i = 0; i < shape->edge_count && shape->convex; i++) {
        const SoftEdge *edge = &soft->order.edges.at[shape->first_edge + i];
        if (y < edge->from || y >= edge->to)
            continue;
        *left = MIN(*left, soft_pixel_after(edge_at(edge, y), width));
        *right = MAX(*right, soft_pixel_after(edge_at(edge, y), width));
    }
    for (int i = 0; i < part->half_count; i++) {
        const SoftHalf *half = &soft->order.halves.at[part->first_half + i];
        int place = soft_pixel_after((half->y * y + half->c) / -half->x + 0.5, width);
        if (half->x == 0)
            *right = (half->y * y + half->c >= 0) == half->back ? *left : *right;
        else if ((half->x > 0) != half->back)
            *left = MAX(*left, place);
        else
            *right = MIN(*right, place);
    }
}

/* Sums of edges' turns to the left of each pixel. */
static void want_turns(const Soft *soft, const SoftShape *shape, int y, int turns[WIDEST]) {
    memset(turns, 0, WIDEST * sizeof *turns);
    for (int i = 0; i < shape->edge_count; i++) {
        const SoftEdge *edge = &soft->order.edges.at[shape->first_edge + i];
        for (int x = soft_pixel_after(edge_at(edge, y), soft->target.width); y >= edge->from && y < edge->to && x < soft->target.width; x++)
            turns[x] += edge->turn;
    }
}

static void want_part(const Soft *soft, const SoftPart *part, int y0, int y1, Want *want) {
    const SoftShape *shape = &soft->order.shapes.at[part->shape];
    if (part->x0 >= part->x1 || MAX(part->y0, y0) >= MIN(part->y1, y1) || part_is_hidden(soft, want, part, y1 - y0))
        return;
    for (int y = MAX(part->y0, y0); y < MIN(part->y1, y1); y++) {
        int left, right, turns[WIDEST];
        want_columns(soft, part, y, &left, &right);
        if (!shape->convex)
            want_turns(soft, shape, y, turns);
        bool before = false;
        for (int x = left; x < right; x++) {
            bool *covered = &want->covered[y - y0][x], fresh = (shape->convex || turns[x] != 0) && !*covered;
            *covered = *covered || fresh;
            want->pixels += fresh;
            want->spans += fresh && !before;
            before = fresh;
        }
    }
}

static void want_all(const Soft *soft, const int window[4], int y0, int y1, Want *want) {
    memset(want, 0, sizeof *want);
    for (int y = y0; y < y1; y++)
        for (int x = 0; x < soft->target.width; x++)
            want->covered[y - y0][x] = x < window[0] || x >= window[2] || y < window[1] || y >= window[3];
    for (size_t i = 0; i < soft->order.parts.count; i++)
        want_part(soft, &soft->order.parts.at[i], y0, y1, want);
}

typedef struct Got { SoftBand band; size_t pixels; } Got;

/* What was in the memory that the next function has on its stack. */
static void __attribute__((noinline)) dirty_stack(void) {
    volatile uint8_t room[65536];
    for (size_t i = 0; i < sizeof room; i++)
        room[i] = 0xff;
}

static Got get(Soft *soft, SoftCode code, int way, const int window[4], int y0, int y1) {
    Got got = { .pixels = (size_t)soft->target.pitch * (size_t)(y1 - y0) };
    SoftTarget *target = &got.band.target;
    soft->mode.code = code;
    for (size_t i = 0; i < soft->order.shapes.count; i++) {
        SoftShape *shape = &soft->order.shapes.at[i];
        shape->covers = way == BLOCKS && soft_covers(&soft->mode, &soft->scratch.paints.at[shape->paint]);
    }
    *target = soft->target;
    target->color = mem_aligned(64, got.pixels * sizeof *target->color);
    target->depth = mem_aligned(64, got.pixels * sizeof *target->depth);
    target->baked = mem_zeroed(got.pixels / 8, 1);
    target->top = y0;
    memset(target->color, 0x55, got.pixels * sizeof *target->color);
    memset(target->depth, 0x55, got.pixels * sizeof *target->depth);
    soft_band_begin(&got.band, soft->target.width, y0, y1);
    soft_band_window(&got.band, window);
    dirty_stack();
    soft_band_spans(soft, &got.band);
    return got;
}

static void got_free(Got *got) {
    mem_free(got->band.target.color);
    mem_free(got->band.target.depth);
    mem_free(got->band.target.baked);
    soft_band_free(&got->band);
}

static void assert_wanted(const Soft *soft, const Got *got, const Want *want) {
    const SoftBand *band = &got->band;
    int64_t open = 0;
    assert_int_equal(band->span_count, want->spans);
    assert_int_equal(band->span_pixels, want->pixels);
    for (int word = 0; word < band->words; word++) {
        int of_word = 0;
        for (int y = band->y0; y < band->y1; y++)
            for (int x = word * 64; x < MIN(word * 64 + 64, soft->target.width); x++) {
                bool covered = band->covered[soft_word_place(band, y, word)] >> (x & 63) & 1;
                assert_int_equal(covered, want->covered[y - band->y0][x]);
                of_word += !covered;
            }
        assert_int_equal(band->open[word], of_word);
        open += of_word;
    }
    assert_int_equal(band->open_pixels, open);
}

static void assert_same(const Got *a, const Got *b) {
    size_t rows = (size_t)(a->band.y1 - a->band.y0 + BLOCK_ROWS - 1) / BLOCK_ROWS * BLOCK_ROWS;
    assert_memory_equal(a->band.covered, b->band.covered, rows * (size_t)a->band.words * sizeof *a->band.covered);
    assert_memory_equal(a->band.target.color, b->band.target.color, a->pixels * sizeof *a->band.target.color);
    assert_memory_equal(a->band.target.depth, b->band.target.depth, a->pixels * sizeof *a->band.target.depth);
}

/* A picture whose paints with kept lit texels are those that parts have; their numbers. */
static int kept_paints(SoftPlace *place, uint64_t *random, int out[64]) {
    const Soft *soft = place->soft;
    Error error = { 0 };
    int count = 0;
    soft_place_look(place, vec3_at((float)between(random, 10, 246), (float)between(random, 10, 246), (float)between(random, 5, 120)),
                    vec3_at((float)between(random, -90, 90), (float)between(random, 0, 360), (float)between(random, -40, 40)), 1 + random_below(random, 1500), 1 + random_below(random, 100));
    if (!soft_renderer.draw(place->soft, &place->frame, &error))
        fail_msg("%s", error.text);
    for (size_t i = 0; i < soft->order.shapes.count; i++)
        if (soft->scratch.paints.at[soft->order.shapes.at[i].paint].cached && count < 64)
            out[count++] = soft->order.shapes.at[i].paint;
    return count;
}

static void make_parts(Soft *soft, uint64_t *random, const int *paints, int count) {
    static const int widths[] = { 1, 15, 16, 17, 63, 64, 65, 127, 129, 1023, 1024, 1025, 1100, WIDEST };
    soft->target.width = random_below(random, 2) ? widths[random_below(random, COUNT_OF(widths))] : 1 + random_below(random, 300);
    soft->target.pitch = (soft->target.width + CELL - 1) & ~(CELL - 1);
    soft->target.height = 1 + random_below(random, HIGHEST);
    soft->mode.bilinear = random_below(random, 2);
    soft->mode.divide = random_below(random, 8) ? 16 : 8;
    array_clear(&soft->order.shapes);
    array_clear(&soft->order.edges);
    array_clear(&soft->order.halves);
    array_clear(&soft->order.parts);
    for (int i = 1 + random_below(random, 8); i > 0; i--)
        add_shape(soft, random, paints[random_below(random, count)]);
    for (int i = 1 + random_below(random, 16); i > 0; i--)
        add_part(soft, random);
}

static void check_band(Soft *soft, uint64_t *random) {
    int width = soft->target.width, height = soft->target.height, y0 = random_below(random, height) / BAND * BAND, y1 = MIN(y0 + BAND, height);
    int window[4] = { 0, 0, width, height };
    if (random_below(random, 4) == 0)
        memcpy(window, (int[4]){ random_below(random, width), random_below(random, height), width - random_below(random, width), height - random_below(random, height) }, sizeof window);
    static Want want;
    want_all(soft, window, y0, y1, &want);
    Got first = get(soft, CODE_PLAIN, LISTS, window, y0, y1);
    assert_wanted(soft, &first, &want);
    for (SoftCode code = CODE_SSE2; code <= soft_best_code(); code++)
        for (int way = LISTS; way <= BLOCKS; way++) {
            Got got = get(soft, code, way, window, y0, y1);
            assert_wanted(soft, &got, &want);
            assert_same(&first, &got);
            got_free(&got);
        }
    got_free(&first);
}

/* A band may be all of the picture, and then has lists alone: what they need is not so much more. */
static void check_whole(Soft *soft) {
    int all[4] = { 0, 0, soft->target.width, soft->target.height };
    static Want want;
    want_all(soft, all, 0, all[3], &want);
    Got got = get(soft, CODE_PLAIN, LISTS, all, 0, all[3]);
    assert_wanted(soft, &got, &want);
    assert_true(got.band.places.count <= got.band.near.count * (BAND + 3));
    got_free(&got);
}

static void parts_cover_the_same_by_lists_and_by_blocks(void **state) {
    (void)state;
    uint64_t random = 1;
    SoftPlace *place = soft_place_make("everything", 1);
    Soft *soft = place->soft;
    int bands = 0;
    for (int picture = 0; picture < 40; picture++) {
        int paints[64], count = kept_paints(place, &random, paints);
        SoftTarget target = soft->target;
        soft->frame = &place->frame;
        for (int i = 0; i < 12 && count; i++, bands++) {
            make_parts(soft, &random, paints, count);
            check_band(soft, &random);
            check_whole(soft);
        }
        soft->frame = NULL;
        soft->target = target;
    }
    assert_true(bands > 300);
    soft_place_free(place);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_cover_the_same_by_lists_and_by_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
