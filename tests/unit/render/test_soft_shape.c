/* Borders of surfaces, whatever triangles a level has: they close, and their edges lie where each corner by itself is seen. */
#include "support/test.h"

#include <math.h>

#include "render/soft/soft_internal.h"
#include "support/drawn.h"
#include "support/random.h"
#include "support/soft_place.h"

enum { SPOKES = 150 };

/* Triangles of any corners of the face, so that they overlap, lie upside down or have two corners in one. */
static void shuffle(const BspGeometry *geometry, const BspFaceRange *face, uint64_t *random) {
    uint32_t *indexes = geometry->indexes + face->first_index;
    for (int i = 0; i < face->index_count; i++)
        if (random_below(random, 3) == 0)
            indexes[i] = indexes[random_below(random, face->index_count)];
}

/* A star of so many spokes, with a hole in its middle, instead of the face; some of it is far beyond the level. */
static void make_star(BspGeometry *geometry, BspFaceRange *face, Arena *arena, uint64_t *random) {
    BspGeometry was = *geometry;
    int first = was.vertex_count, count = SPOKES * 2;
    geometry->vertices = arena_array(arena, BspVertex, was.vertex_count + count);
    geometry->indexes = arena_array(arena, uint32_t, was.index_count + count * 3);
    memcpy(geometry->vertices, was.vertices, (size_t)was.vertex_count * sizeof *was.vertices);
    memcpy(geometry->indexes, was.indexes, (size_t)was.index_count * sizeof *was.indexes);
    const BspVertex *a = &was.vertices[was.indexes[face->first_index]], *b = &was.vertices[was.indexes[face->first_index + 1]], *c = &was.vertices[was.indexes[face->first_index + 2]];
    for (int i = 0; i < count; i++) {
        double angle = i * 3.141592653589793 / SPOKES, far = i % 2 ? 0.1 : random_below(random, 10) ? 0.4 : random_below(random, 2) ? 50 : 1e6, u = 0.5 + cos(angle) * far, v = 0.5 + sin(angle) * far;
        BspVertex *at = &geometry->vertices[first + i];
        *at = *a;
        at->position = vec3_add(a->position, vec3_add(vec3_scale(vec3_sub(b->position, a->position), (float)u), vec3_scale(vec3_sub(c->position, a->position), (float)v)));
        at->uv = (Vec2){ a->uv.x + (b->uv.x - a->uv.x) * (float)u + (c->uv.x - a->uv.x) * (float)v, a->uv.y + (b->uv.y - a->uv.y) * (float)u + (c->uv.y - a->uv.y) * (float)v };
        at->lightmap_uv = (Vec2){ a->lightmap_uv.x + (b->lightmap_uv.x - a->lightmap_uv.x) * (float)u + (c->lightmap_uv.x - a->lightmap_uv.x) * (float)v,
                                  a->lightmap_uv.y + (b->lightmap_uv.y - a->lightmap_uv.y) * (float)u + (c->lightmap_uv.y - a->lightmap_uv.y) * (float)v };
    }
    *face = (BspFaceRange){ first, count, was.index_count, count * 3 };
    uint32_t *out = geometry->indexes + was.index_count;
    for (int i = 0; i < SPOKES; i++)    /* each spoke; and what lies between the inner corners, but for every eighth */
        for (int k = 0; k < 6; k++) {
            int corner = (int[]){ i * 2, i * 2 + 1, i * 2 + SPOKES * 2 - 1, i * 2 + 1, (i * 2 + SPOKES) | 1, i * 2 + SPOKES * 2 - 1 }[k] % count;
            *out++ = (uint32_t)(first + (i % 8 == 0 && k >= 3 ? 0 : corner));
        }
    geometry->vertex_count += count;
    geometry->index_count += count * 3;
}

static void spoil(SoftPlace *place, uint64_t *random) {
    BspGeometry *geometry = arena_new(place->arena, BspGeometry);
    *geometry = *place->level.geometry;
    for (int i = 0; i < place->level.map->face_count; i++) {
        BspFaceRange *face = &geometry->faces[i];
        if (face->index_count < 3)
            continue;
        if (random_below(random, 4) == 0)
            make_star(geometry, face, place->arena, random);
        else if (random_below(random, 3) == 0)
            shuffle(geometry, face, random);
        if (random_below(random, 20) == 0)
            geometry->vertices[geometry->indexes[face->first_index]].position.x = random_below(random, 2) ? 3e38f : -1e20f;
    }
    place->level.geometry = geometry;
}

/* As many edges end in a corner as begin in it. */
static void assert_borders_close(const SoftLevel *level, Arena *arena) {
    int *balance = arena_array(arena, int, level->level->geometry->vertex_count);
    for (int i = 0; i < level->surface_count; i++) {
        const SoftSurface *surface = &level->surfaces[i];
        const int *edges = level->edges + surface->first_edge * 2;
        for (int k = 0; k < surface->edge_count; k++) {
            balance[edges[k * 2]]++;
            balance[edges[k * 2 + 1]]--;
        }
        for (int k = 0; k < surface->edge_count * 2; k++)
            assert_int_equal(balance[edges[k]], 0);
    }
}

/* The edges of a shape whose corners are all before the near plane; false: they are not. */
static bool edges_of(const Soft *soft, const SoftShape *shape, SoftEdge *out, int *count) {
    const SoftSurface *surface = &soft->level->surfaces[shape->surface];
    const SoftPose *pose = shape->pose < 0 ? &soft->world : &soft->scratch.poses.at[shape->pose];
    double near = soft_near_of(&soft->view, &soft->scratch.paints.at[shape->paint]);
    *count = 0;
    for (int i = surface->first_edge; i < surface->first_edge + surface->edge_count; i++) {
        SoftPoint at[2];
        for (int k = 0; k < 2; k++) {
            double p[3];
            soft_pose_point(pose, soft->use->geometry->vertices[soft->level->edges[i * 2 + k]].position, p);
            if (!(p[2] >= near))
                return false;
            at[k] = (SoftPoint){ soft->view.middle_x + p[0] / p[2], soft->view.middle_y + p[1] / p[2] };
        }
        bool down = at[0].y < at[1].y;
        SoftPoint top = at[!down], bottom = at[down];
        int from = soft_pixel_after(top.y, soft->view.height), to = soft_pixel_after(bottom.y, soft->view.height);
        if (from < to)
            out[(*count)++] = (SoftEdge){ top.x, top.y, (bottom.x - top.x) / (bottom.y - top.y), from, to, down ? 1 : -1 };
    }
    return true;
}

static int assert_edges(const Soft *soft, Arena *arena) {
    int known = 0;
    for (size_t i = 0; i < soft->order.shapes.count; i++) {
        const SoftShape *shape = &soft->order.shapes.at[i];
        SoftEdge *want = arena_array(arena, SoftEdge, shape->edge_room);
        int count;
        if (!shape->edge_count || !edges_of(soft, shape, want, &count))
            continue;
        assert_int_equal(shape->edge_count, count);
        int x0 = soft->view.width, y0 = soft->view.height, x1 = 0, y1 = 0;
        for (int k = 0; k < count; k++) {
            const SoftEdge *edge = &soft->order.edges.at[shape->first_edge + k];
            assert_true(edge->x == want[k].x && edge->y == want[k].y && edge->slope == want[k].slope);
            assert_true(edge->from == want[k].from && edge->to == want[k].to && edge->turn == want[k].turn);
            double end = edge->x + (edge->to + 0.5 - edge->y) * edge->slope;
            x0 = MIN(x0, soft_pixel_after(MIN(edge->x, end), soft->view.width));
            x1 = MAX(x1, soft_pixel_after(edge->x, soft->view.width));
            y0 = MIN(y0, edge->from);
            y1 = MAX(y1, edge->to);
        }
        assert_true(shape->y0 == y0 && shape->y1 == y1 && shape->x1 >= x1);
        known++;
    }
    return known;
}

static Image picture(SoftPlace *place, const char *code, double sums[2]) {
    Error error = { 0 };
    if (!var_set(place->vars, "soft.code", code, &error))
        fail_msg("%s", error.text);
    Image image = renderer_drawn(&soft_renderer, place->soft, &place->frame);
    sums[0] = renderer_stat(&soft_renderer, place->soft, "spans");
    sums[1] = renderer_stat(&soft_renderer, place->soft, "pixels");
    return image;
}

static void assert_codes_agree(SoftPlace *place) {
    double sums[2], more[2];
    Image plain = picture(place, "plain", sums);
    for (int i = 0; i < 2; i++) {
        Image wide = picture(place, i ? "avx2" : "sse2", more);
        assert_memory_equal(wide.rgba, plain.rgba, (size_t)plain.width * (size_t)plain.height * 4);
        assert_true(sums[0] == more[0] && sums[1] == more[1]);
        image_free(&wide);
    }
    image_free(&plain);
}

/* Rows that are looked at one by one have the spans of the picture. */
static void assert_rows_have_spans(SoftPlace *place, Arena *arena) {
    double sum = 0;
    Error error = { 0 };
    for (int y = 0; y < place->frame.view.height; y++) {
        SoftScanline line;
        if (!soft_scanline(place->soft, y, arena, &line, &error))
            fail_msg("%s", error.text);
        sum += line.span_count;
    }
    assert_true(sum == renderer_stat(&soft_renderer, place->soft, "spans"));
}

static void any_triangles_have_borders_that_are_drawn(void **state) {
    (void)state;
    uint64_t random = 5;
    int known = 0;
    for (int i = 0; i < 12; i++) {
        SoftPlace *place = soft_place_make("everything", 2);
        Arena *arena = arena_open();
        spoil(place, &random);
        for (int k = 0; k < 10; k++) {
            Vec3 eye = vec3_at((float)random_below(&random, 400) - 50, (float)random_below(&random, 300) - 20, (float)random_below(&random, 130));
            soft_place_look(place, eye, vec3_at((float)random_below(&random, 180) - 90, (float)random_below(&random, 360), (float)random_below(&random, 3) * 20),
                            1 + random_below(&random, 300), 1 + random_below(&random, 100));
            assert_codes_agree(place);
            assert_rows_have_spans(place, arena);
            const Soft *soft = place->soft;
            if (k == 0)
                assert_borders_close(soft->level, arena);
            known += assert_edges(soft, arena);
        }
        arena_close(arena);
        soft_place_free(place);
    }
    assert_true(known > 200);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_triangles_have_borders_that_are_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
