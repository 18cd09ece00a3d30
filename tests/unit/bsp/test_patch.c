/* Triangles of faces: polygons as they are, curves without cracks. */
#include "support/test.h"

#include <math.h>
#include <stdlib.h>

#include "bsp/bsp_collision.h"
#include "bsp/bsp_trace.h"
#include "support/level.h"
#include "support/test_arena.h"

/* ---- levels of curves ---- */

static void put_vec(Level *level, int vertex, int field, Vec3 v) {
    for (int i = 0; i < 3; i++)
        level_set_float(level, LUMP_VERTICES, vertex, field + 4 * i, v.raw[i]);
}

/* Adds a patch to a level; texture coordinates are spread evenly. Returns the face. */
static int add_patch(Level *level, int width, int height, const Vec3 *points) {
    int face = level_count(level, LUMP_FACES), first = level_count(level, LUMP_VERTICES);
    level_resize(level, LUMP_FACES, (size_t)(face + 1) * DISK_FACE);
    level_resize(level, LUMP_VERTICES, (size_t)(first + width * height) * DISK_VERTEX);
    const int fields[][2] = {
        { FACE_TEXTURE, 4 }, { FACE_EFFECT, -1 }, { FACE_TYPE, FACE_PATCH }, { FACE_FIRST_VERTEX, first },
        { FACE_VERTEX_COUNT, width * height }, { FACE_LIGHTMAP, LIGHTMAP_VERTEX }, { FACE_PATCH_SIZE, width },
        { FACE_PATCH_SIZE + 4, height },
    };
    for (int i = 0; i < COUNT_OF(fields); i++)
        level_set_int(level, LUMP_FACES, face, fields[i][0], fields[i][1]);
    for (int i = 0; i < width * height; i++) {
        put_vec(level, first + i, VERTEX_POSITION, points[i]);
        put_vec(level, first + i, VERTEX_NORMAL, vec3_at(0, 0, 1));
        level_set_float(level, LUMP_VERTICES, first + i, VERTEX_UV, (float)(i % width) / (float)(width - 1));
        level_set_float(level, LUMP_VERTICES, first + i, VERTEX_UV + 4, (float)(i / width) / (float)(height - 1));
    }
    return face;
}

static Map *load(Level *level) {
    Error error;
    Map *map = level_load(level, arena, &error);
    if (!map)
        fail_msg("%s", error.text);
    return map;
}

static uint32_t noise_state;
static float noise(float most) {
    noise_state = noise_state * 1664525 + 1013904223;
    return (float)(noise_state >> 8) / 16777216 * most;
}

/* ---- edges of triangles ---- */

typedef struct Segment { Vec3 a, b; } Segment;

static int compare_vec(Vec3 a, Vec3 b) { return memcmp(&a, &b, sizeof a); }

static int compare_segments(const void *x, const void *y) { return memcmp(x, y, sizeof(Segment)); }

typedef struct Segments { Segment at[40000]; int count; } Segments;

static void add_segments(Segments *out, const BspGeometry *geometry, int face) {
    const BspFaceRange *range = &geometry->faces[face];
    for (int t = 0; t < range->index_count; t += 3)
        for (int k = 0; k < 3; k++) {
            const uint32_t *index = geometry->indexes + range->first_index + t;
            Vec3 a = geometry->vertices[index[k]].position, b = geometry->vertices[index[(k + 1) % 3]].position;
            bool swap = compare_vec(a, b) > 0;
            assert_true(out->count < COUNT_OF(out->at));
            out->at[out->count++] = (Segment){ swap ? b : a, swap ? a : b };
        }
    qsort(out->at, (size_t)out->count, sizeof(Segment), compare_segments);
}

static int times(const Segments *segments, int index) {
    int first = index, last = index;
    while (first > 0 && compare_segments(&segments->at[first - 1], &segments->at[index]) == 0)
        first--;
    while (last + 1 < segments->count && compare_segments(&segments->at[last + 1], &segments->at[index]) == 0)
        last++;
    return last - first + 1;
}

/* ---- polygons ---- */

static void a_polygon_keeps_its_vertices_and_triangles(void **state) {
    (void)state;
    Map *map = level_map(arena, "everything");
    BspGeometry *geometry = bsp_geometry(map, 4, arena);
    for (int i = 0; i < map->face_count; i++) {
        const BspFace *face = &map->faces[i];
        const BspFaceRange *range = &geometry->faces[i];
        if (face->type == FACE_PATCH || face->type == FACE_FLARE)
            continue;
        assert_int_equal(range->index_count, face->index_count);
        for (int k = 0; k < face->index_count; k++) {
            const BspVertex *drawn = &geometry->vertices[geometry->indexes[range->first_index + k]];
            const BspVertex *stored = &map->vertices[face->first_vertex + map->meshverts[face->first_index + k]];
            assert_memory_equal(drawn, stored, sizeof *stored);
        }
    }
}

static void triangles_go_clockwise_seen_from_the_front(void **state) {
    (void)state;
    Map *map = level_map(arena, "everything");
    BspGeometry *geometry = bsp_geometry(map, 4, arena);
    for (int i = 0; i < map->face_count; i++) {
        if (map->faces[i].type != FACE_PLANAR)
            continue;
        const uint32_t *index = geometry->indexes + geometry->faces[i].first_index;
        Vec3 a = geometry->vertices[index[0]].position, b = geometry->vertices[index[1]].position,
             c = geometry->vertices[index[2]].position;
        assert_true(vec3_dot(vec3_cross(vec3_sub(c, a), vec3_sub(b, a)), map->faces[i].normal) > 0);
    }
}

static void what_is_not_drawn_has_no_triangles_but_bounds(void **state) {
    (void)state;
    Level *level = level_make("everything");
    level_set_int(level, LUMP_FACES, 0, FACE_TEXTURE, 5);    /* nodraw */
    Map *map = load(level);
    BspGeometry *geometry = bsp_geometry(map, 4, arena);
    assert_int_equal(geometry->faces[0].index_count, 0);
    assert_int_equal(geometry->faces[0].vertex_count, 0);
    assert_true(geometry->face_bounds[0].maxs.y > geometry->face_bounds[0].mins.y);
    for (int i = 0; i < map->face_count; i++)
        if (map->faces[i].type == FACE_FLARE) {
            assert_int_equal(geometry->faces[i].index_count, 0);
            assert_true(geometry->face_bounds[i].mins.z == 120 && geometry->face_bounds[i].maxs.z == 120);
        }
}

/* ---- curves ---- */

static void two_curves_have_the_same_vertices_on_their_edge(void **state) {    /* F8 */
    (void)state;
    Map *map = level_map(arena, "patch");
    int first = 0;
    while (map->faces[first].type != FACE_PATCH)
        first++;
    static const float details[] = { 0.1f, 0.5f, 1, 4, 20, 1000 };
    for (int d = 0; d < COUNT_OF(details); d++) {
        BspGeometry *geometry = bsp_geometry(map, details[d], arena);
        static Segments both;
        both.count = 0;
        add_segments(&both, geometry, first);
        add_segments(&both, geometry, first + 1);
        int shared = 0;
        for (int i = 0; i < both.count; i++)
            if (both.at[i].a.x == 96 && both.at[i].b.x == 96) {
                assert_int_equal(times(&both, i), 2);    /* once in each */
                shared++;
            }
        assert_true(shared >= 4);
    }
}

/* Whether a vertex is one of those that the edge along five control points can have. */
static bool on_column(const Vec3 control[5], Vec3 vertex) {
    for (int piece = 0; piece < 2; piece++)
        for (int k = 0; k <= 64; k++) {
            const Vec3 *p = control + 2 * piece;
            float t = (float)k / 64, s = 1 - t;
            Vec3 on;
            for (int i = 0; i < 3; i++)
                on.raw[i] = (s * s * p[0].raw[i] + t * t * p[2].raw[i]) + 2 * s * t * p[1].raw[i];
            if (compare_vec(on, vertex) == 0)
                return true;
        }
    return false;
}

/* Patches of noise in a row, every second one with its control points in the opposite order: each edge of a triangle is
 * another triangle's too, or lies on the outer border of the row. */
static void a_row_of_noise_has_no_cracks(void **state) {
    (void)state;
    for (int round = 0; round < 20; round++) {
        enum { PATCHES = 4 };
        Level *level = level_make("room");
        noise_state = (uint32_t)round * 77 + 5;
        Vec3 points[2 * PATCHES + 1][5];
        float rough = round % 3 == 0 ? 2 : 60;
        for (int c = 0; c <= 2 * PATCHES; c++)
            for (int r = 0; r < 5; r++)
                points[c][r] = vec3_at((float)c * 40 + noise(rough), (float)r * 40 + noise(rough), noise(rough));
        int faces[PATCHES];
        for (int p = 0; p < PATCHES; p++) {
            Vec3 grid[15];
            for (int r = 0; r < 5; r++)
                for (int c = 0; c < 3; c++)
                    grid[p % 2 ? 14 - (r * 3 + c) : r * 3 + c] = points[2 * p + c][r];
            faces[p] = add_patch(level, 3, 5, grid);
        }
        Map *map = load(level);
        BspGeometry *geometry = bsp_geometry(map, 4, arena);
        static Segments all;
        all.count = 0;
        for (int p = 0; p < PATCHES; p++) {
            assert_true(geometry->faces[faces[p]].index_count >= 12);
            add_segments(&all, geometry, faces[p]);
        }
        for (int i = 0; i < all.count; i++) {
            int count = times(&all, i);
            assert_in_range(count, 1, 2);
            for (int p = 1; p < PATCHES && count == 1; p++)    /* it is on the outer border, not on an edge of two */
                assert_false(on_column(points[2 * p], all.at[i].a) && on_column(points[2 * p], all.at[i].b));
        }
    }
}

static double distance_to_segment(Vec3 p, Vec3 a, Vec3 b) {
    Vec3 along = vec3_sub(b, a);
    float length = vec3_dot(along, along);
    float t = length > 0 ? CLAMP(vec3_dot(vec3_sub(p, a), along) / length, 0, 1) : 0;
    return vec3_length(vec3_sub(p, vec3_add_scaled(a, along, t)));
}

static void no_step_lies_further_from_the_curve_than_allowed(void **state) {
    (void)state;
    static const float details[] = { 0.5f, 2, 4, 16 };
    for (int d = 0; d < COUNT_OF(details); d++) {
        Level *level = level_make("room");
        Vec3 points[9];
        for (int i = 0; i < 9; i++) {
            static const float y[3] = { 0, 0, 200 }, z[3] = { 0, 200, 200 };
            points[i] = vec3_at((float)(i % 3) * 20, y[i / 3], z[i / 3]);
        }
        int face = add_patch(level, 3, 3, points);
        BspGeometry *geometry = bsp_geometry(load(level), details[d], arena);
        static Segments all;
        all.count = 0;
        add_segments(&all, geometry, face);
        for (int k = 0; k <= 100; k++) {
            float t = (float)k / 100, s = 1 - t;
            Vec3 on = vec3_add(vec3_add(vec3_scale(points[0], s * s), vec3_scale(points[3], 2 * s * t)),
                               vec3_scale(points[6], t * t));
            double nearest = 1e9;
            for (int i = 0; i < all.count; i++)
                nearest = fmin(nearest, distance_to_segment(on, all.at[i].a, all.at[i].b));
            assert_true(nearest <= details[d]);
        }
        if (details[d] == 16)    /* straight across: one step there */
            assert_true(geometry->faces[face].index_count <= 8 * 2 * 3);
    }
}

static Level *board(int *face) {
    Level *level = level_make("room");
    Vec3 points[25];
    for (int i = 0; i < 25; i++)
        points[i] = vec3_at((float)(i % 5) * 16, (float)(i / 5) * 16, 50);
    *face = add_patch(level, 5, 5, points);
    return level;
}

static void a_flat_patch_is_two_triangles_a_piece(void **state) {
    (void)state;
    int face;
    Level *level = board(&face);
    BspGeometry *geometry = bsp_geometry(load(level), 4, arena);
    assert_int_equal(geometry->faces[face].index_count, 4 * 2 * 3);
    assert_int_equal(geometry->faces[face].vertex_count, 9);
}

static void a_flat_patch_with_bent_paint_keeps_its_middle(void **state) {    /* A23 */
    (void)state;
    static const int fields[] = { VERTEX_UV, VERTEX_LIGHTMAP_UV };
    for (int f = 0; f < COUNT_OF(fields); f++) {
        int face;
        Level *level = board(&face);
        int first = level_get_int(level, LUMP_FACES, face, FACE_FIRST_VERTEX);
        level_set_float(level, LUMP_VERTICES, first + 12, fields[f], 0.9f);      /* the middle of the board */
        level_set_float(level, LUMP_VERTICES, first + 11, fields[f], 0.9f);
        BspGeometry *geometry = bsp_geometry(load(level), 4, arena);
        assert_true(geometry->faces[face].index_count > 4 * 2 * 3);
    }
}

static void paint_is_mixed_like_places(void **state) {    /* A24 */
    (void)state;
    Level *level = level_make("room");
    Vec3 points[9];
    for (int i = 0; i < 9; i++)
        points[i] = vec3_at((float)(i % 3) * 100, (float)(i / 3) * 100, i == 4 ? 400 : 0);
    int face = add_patch(level, 3, 3, points), first = level_get_int(level, LUMP_FACES, face, FACE_FIRST_VERTEX);
    for (int i = 0; i < 9; i++) {    /* lightmap coordinates that run like x and y, whatever the order of rows */
        level_set_float(level, LUMP_VERTICES, first + i, VERTEX_LIGHTMAP_UV, points[i].x / 400);
        level_set_float(level, LUMP_VERTICES, first + i, VERTEX_LIGHTMAP_UV + 4, 1 - points[i].y / 400);
    }
    BspGeometry *geometry = bsp_geometry(load(level), 4, arena);
    const BspFaceRange *range = &geometry->faces[face];
    assert_true(range->vertex_count > 9);
    for (int i = 0; i < range->vertex_count; i++) {
        const BspVertex *v = &geometry->vertices[range->first_vertex + i];
        assert_true(fabsf(v->lightmap_uv.x - v->position.x / 400) < 1e-5f);
        assert_true(fabsf(v->lightmap_uv.y - (1 - v->position.y / 400)) < 1e-5f);
        assert_true(fabsf(v->uv.x - v->position.x / 200) < 1e-5f);
        assert_true(fabsf(vec3_length(v->normal) - 1) < 1e-5f);
    }
}

static void a_patch_in_a_point_or_a_line_has_no_triangles(void **state) {    /* A12 */
    (void)state;
    Level *level = level_make("room");
    Vec3 point[9], line[9], zero[9] = { 0 };
    for (int i = 0; i < 9; i++) {
        point[i] = vec3_at(50, 60, 70);
        line[i] = vec3_at((float)(i % 3) * 50, (float)(i % 3 == 1) * 90, 0);
    }
    int faces[3] = { add_patch(level, 3, 3, point), add_patch(level, 3, 3, line), add_patch(level, 3, 3, zero) };
    BspGeometry *geometry = bsp_geometry(load(level), 4, arena);
    for (int i = 0; i < 3; i++)
        assert_int_equal(geometry->faces[faces[i]].index_count, 0);
}

static void absurd_details_are_lived_with(void **state) {
    (void)state;
    Map *map = level_map(arena, "patch");
    static const float details[] = { 0, -1, NAN, INFINITY, 1e30f, 1e-30f };
    int usual = bsp_geometry(map, 4, arena)->index_count;
    for (int i = 0; i < COUNT_OF(details); i++)
        assert_int_equal(bsp_geometry(map, details[i], arena)->index_count, usual);
}

static void thousands_of_wild_curves_stay_within_bounds(void **state) {    /* A13 */
    (void)state;
    Level *level = level_make("room");
    Vec3 points[81];
    for (int i = 0; i < 81; i++)
        points[i] = vec3_at(noise(1e6f), noise(1e6f), noise(1e6f));
    int face = add_patch(level, 9, 9, points), count = 3000;
    level_resize(level, LUMP_FACES, (size_t)(face + count) * DISK_FACE);
    for (int i = 1; i < count; i++)
        memcpy(level->lumps[LUMP_FACES].at + (face + i) * DISK_FACE, level->lumps[LUMP_FACES].at + face * DISK_FACE, DISK_FACE);
    Map *map = load(level);
    BspGeometry *geometry = bsp_geometry(map, 0.1f, arena);
    assert_in_range(geometry->vertex_count, count * 25, 1300000);
    for (int i = 0; i < count; i++)
        assert_true(geometry->faces[face + i].index_count >= 4 * 4 * 2 * 3);    /* each is drawn, coarse or fine */
    const Collision *collision = bsp_collision(map, arena);
    assert_in_range(collision->facet_count, 1 << 16, 5 << 16);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_arena, close_arena)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_polygon_keeps_its_vertices_and_triangles), TEST(triangles_go_clockwise_seen_from_the_front),
        TEST(what_is_not_drawn_has_no_triangles_but_bounds), TEST(two_curves_have_the_same_vertices_on_their_edge),
        TEST(a_row_of_noise_has_no_cracks), TEST(no_step_lies_further_from_the_curve_than_allowed),
        TEST(a_flat_patch_is_two_triangles_a_piece), TEST(a_flat_patch_with_bent_paint_keeps_its_middle),
        TEST(paint_is_mixed_like_places), TEST(a_patch_in_a_point_or_a_line_has_no_triangles),
        TEST(absurd_details_are_lived_with), TEST(thousands_of_wild_curves_stay_within_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
