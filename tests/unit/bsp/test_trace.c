/* Tracing: walls stop things 1/8 unit off, curves from their front only, and the tree never changes the answer. */
#include "support/test.h"

#include <math.h>

#include "base/jobs.h"
#include "bsp/bsp_collision.h"
#include "bsp/bsp_trace.h"
#include "support/level.h"

typedef struct Place { Arena *arena; Map *map; Collision *collision; } Place;

static Place open_place(const char *name) {
    Place place = { .arena = arena_open() };
    place.map = level_map(place.arena, name);
    place.collision = bsp_collision(place.map, place.arena);
    return place;
}

static const Box player = { { { -15, -15, -24 } }, { { 15, 15, 32 } } };

static Trace trace(const Place *place, Vec3 from, Vec3 to, Box box) {
    TraceQuery query = { .from = from, .to = to, .box = box, .mask = MASK_PLAYERSOLID };
    return bsp_trace(place->map, place->collision, &query);
}

static const Box ray = { { { 0, 0, 0 } }, { { 0, 0, 0 } } };

static void near(float a, float b) { assert_true(fabsf(a - b) < 0.001f); }

static void a_wall_stops_a_ray_an_eighth_off(void **state) {
    (void)state;
    Place place = open_place("room");
    Trace hit = trace(&place, vec3_at(128, 128, 64), vec3_at(900, 128, 64), ray);
    near(hit.endpos.x, 256 - 0.125f);
    near(hit.plane.normal.x, -1);
    assert_true(hit.brush >= 0 && hit.face == -1 && hit.model == 0 && !hit.start_solid);
    assert_true(strstr(place.map->textures[hit.texture].name, "wall") != NULL);
    Trace free_way = trace(&place, vec3_at(128, 128, 64), vec3_at(130, 128, 64), ray);
    assert_true(free_way.fraction == 1 && free_way.endpos.x == 130 && free_way.texture == -1);
    arena_close(place.arena);
}

static void a_box_stops_where_its_side_meets_the_wall(void **state) {
    (void)state;
    Place place = open_place("room");
    near(trace(&place, vec3_at(128, 128, 64), vec3_at(900, 128, 64), player).endpos.x, 256 - 15 - 0.125f);
    near(trace(&place, vec3_at(128, 128, 64), vec3_at(128, 128, -900), player).endpos.z, 24 + 0.125f);
    near(trace(&place, vec3_at(128, 128, 64), vec3_at(128, 128, 900), player).endpos.z, 128 - 32 - 0.125f);
    TraceQuery capsule = { .from = vec3_at(128, 128, 64), .to = vec3_at(900, 128, 64), .box = player, .capsule = true, .mask = MASK_SOLID };
    near(bsp_trace(place.map, place.collision, &capsule).endpos.x, 256 - 15 - 0.125f);
    arena_close(place.arena);
}

static void what_begins_in_a_wall_says_so(void **state) {
    (void)state;
    Place place = open_place("room");
    Trace stuck = trace(&place, vec3_at(-8, 128, 64), vec3_at(-7, 128, 64), ray);
    assert_true(stuck.start_solid && stuck.all_solid && stuck.fraction == 0);
    Trace comes_out = trace(&place, vec3_at(-4, 128, 64), vec3_at(100, 128, 64), ray);
    assert_true(comes_out.start_solid && !comes_out.all_solid && comes_out.fraction == 1);
    arena_close(place.arena);
}

static void where_one_trace_stopped_the_next_one_begins_free(void **state) {    /* traps F6 */
    (void)state;
    Place place = open_place("room");
    Trace hit = trace(&place, vec3_at(128, 128, 64), vec3_at(-900, 128, 64), ray);
    Trace along = trace(&place, hit.endpos, vec3_at(hit.endpos.x, 200, 64), ray);
    assert_true(along.fraction == 1 && !along.start_solid);
    Trace on_the_plane = trace(&place, vec3_at(0, 128, 64), vec3_at(-8, 128, 64), ray);
    assert_true(on_the_plane.all_solid && on_the_plane.fraction == 0);
    arena_close(place.arena);
}

static void a_way_of_no_length_asks_where_it_stands(void **state) {
    (void)state;
    Place place = open_place("room");
    assert_false(trace(&place, vec3_at(128, 128, 64), vec3_at(128, 128, 64), player).start_solid);
    assert_true(trace(&place, vec3_at(5, 128, 64), vec3_at(5, 128, 64), player).start_solid);
    arena_close(place.arena);
}

static void contents_that_are_not_asked_for_do_not_stop(void **state) {
    (void)state;
    Place place = open_place("room");
    TraceQuery query = { .from = vec3_at(128, 128, 64), .to = vec3_at(900, 128, 64), .mask = 0x20 };
    assert_true(bsp_trace(place.map, place.collision, &query).fraction == 1);
    assert_true(bsp_point_contents(place.map, vec3_at(-8, 128, 64)) & CONTENTS_SOLID);
    assert_int_equal(bsp_point_contents(place.map, vec3_at(128, 128, 64)), 0);
    arena_close(place.arena);
}

static void a_door_is_met_where_it_stands(void **state) {
    (void)state;
    Place place = open_place("door");
    const BspModel *door = &place.map->models[1];
    Vec3 middle = box_middle(door->bounds);
    TraceQuery query = { .from = vec3_at(middle.x - 100, middle.y, middle.z), .to = vec3_at(middle.x + 100, middle.y, middle.z), .mask = MASK_SOLID };
    Vec3 none = vec3_at(0, 0, 0);
    Trace hit = bsp_trace_model(place.map, place.collision, 1, none, none, &query);
    assert_int_equal(hit.model, 1);
    near(hit.endpos.x, door->bounds.mins.x - 0.125f);
    assert_true(bsp_trace_model(place.map, place.collision, 1, vec3_at(0, 0, 500), none, &query).fraction == 1);
    Trace moved = bsp_trace_model(place.map, place.collision, 1, vec3_at(10, 0, 0), none, &query);
    near(moved.endpos.x, door->bounds.mins.x + 10 - 0.125f);
    near(vec3_dot(moved.plane.normal, vec3_at(door->bounds.mins.x + 10, 0, 0)), moved.plane.dist);
    assert_true(bsp_point_contents_model(place.map, 1, none, none, middle) & CONTENTS_SOLID);
    Trace turned = bsp_trace_model(place.map, place.collision, 1, middle, vec3_at(0, 90, 0),
                                   &(TraceQuery){ .from = vec3_at(-2000, -2000, 0), .to = vec3_at(-2000, 2000, 0), .mask = MASK_SOLID });
    assert_true(turned.fraction == 1);
    arena_close(place.arena);
}

static float random_between(uint64_t *seed, float low, float high) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (float)(*seed >> 40) / (float)(1 << 24);
}

static Vec3 random_point(uint64_t *seed, Box box) {
    return vec3_at(random_between(seed, box.mins.x, box.maxs.x), random_between(seed, box.mins.y, box.maxs.y),
                   random_between(seed, box.mins.z, box.maxs.z));
}

static void the_tree_finds_what_asking_every_brush_finds(void **state) {
    (void)state;
    uint64_t seed = 7;
    for (int n = 0; level_names[n]; n++) {
        Place place = open_place(level_names[n]);
        int hits = 0;
        for (int i = 0; i < 2000; i++) {
            Box room = { vec3_sub(place.map->bounds.mins, vec3_at(20, 20, 20)), vec3_add(place.map->bounds.maxs, vec3_at(20, 20, 20)) };
            TraceQuery query = { .from = random_point(&seed, room), .to = random_point(&seed, room), .mask = MASK_SOLID };
            if (i % 3)
                query.box = player;
            query.capsule = i % 3 == 2;
            Trace fast = bsp_trace(place.map, place.collision, &query), slow = bsp_trace_slow(place.map, place.collision, &query);
            assert_true(fast.fraction == slow.fraction);
            assert_int_equal(fast.start_solid, slow.start_solid);
            assert_int_equal(fast.all_solid, slow.all_solid);
            hits += fast.fraction < 1;
        }
        assert_true(hits > 100);
        arena_close(place.arena);
    }
}

typedef struct Parallel { Place place; TraceQuery *queries; Trace *found; } Parallel;

static void trace_one(void *user, int i) {
    Parallel *all = user;
    all->found[i] = bsp_trace(all->place.map, all->place.collision, &all->queries[i]);
}

static void many_threads_find_what_one_finds(void **state) {
    (void)state;
    enum { MANY = 20000 };
    Parallel all = { open_place("everything"), mem_alloc(MANY * sizeof(TraceQuery)), mem_zeroed(MANY, sizeof(Trace)) };
    uint64_t seed = 3;
    for (int i = 0; i < MANY; i++)
        all.queries[i] = (TraceQuery){ .from = random_point(&seed, all.place.map->bounds), .to = random_point(&seed, all.place.map->bounds),
                                       .box = i % 2 ? player : ray, .mask = MASK_SOLID };
    Jobs *jobs = jobs_open(4);
    jobs_each(jobs, MANY, trace_one, &all);
    jobs_close(jobs);
    for (int i = 0; i < MANY; i++) {
        Trace alone = bsp_trace(all.place.map, all.place.collision, &all.queries[i]);
        assert_true(alone.fraction == all.found[i].fraction && alone.brush == all.found[i].brush && alone.face == all.found[i].face);
    }
    mem_free(all.queries);
    mem_free(all.found);
    arena_close(all.place.arena);
}

static void a_curve_stops_from_its_front_only(void **state) {
    (void)state;
    Place place = open_place("patch");
    assert_true(place.collision->curve_count > 0);
    int fronts = 0;
    for (int i = 0; i < place.collision->facet_count; i++) {
        const Facet *facet = &place.collision->facets[i];
        Plane surface = place.collision->planes[facet->first_plane];
        Vec3 middle = box_middle(facet->bounds);
        middle = vec3_add_scaled(middle, surface.normal, -plane_distance(surface, middle));
        TraceQuery front = { .from = vec3_add_scaled(middle, surface.normal, 2), .to = vec3_add_scaled(middle, surface.normal, -1), .mask = MASK_SOLID };
        TraceQuery back = { .from = front.to, .to = front.from, .mask = MASK_SOLID };
        Trace hit = bsp_trace(place.map, place.collision, &front);
        bool by_curve = hit.face >= 0;
        fronts += by_curve;
        if (by_curve)
            assert_int_equal(bsp_trace(place.map, place.collision, &back).face, -1);
    }
    assert_true(fronts > 0);
    arena_close(place.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wall_stops_a_ray_an_eighth_off),
        cmocka_unit_test(a_box_stops_where_its_side_meets_the_wall),
        cmocka_unit_test(what_begins_in_a_wall_says_so),
        cmocka_unit_test(where_one_trace_stopped_the_next_one_begins_free),
        cmocka_unit_test(a_way_of_no_length_asks_where_it_stands),
        cmocka_unit_test(contents_that_are_not_asked_for_do_not_stop),
        cmocka_unit_test(a_door_is_met_where_it_stands),
        cmocka_unit_test(the_tree_finds_what_asking_every_brush_finds),
        cmocka_unit_test(many_threads_find_what_one_finds),
        cmocka_unit_test(a_curve_stops_from_its_front_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
