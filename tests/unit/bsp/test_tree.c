/* The tree: points to leafs, boxes to leafs, front to back. */
#include "support/test.h"

#include "support/level.h"

static Arena *arena;
static Map *bend;

static int open_bend(void **state) {
    (void)state;
    arena = arena_open();
    bend = level_map(arena, "bend");
    return 0;
}

static int close_bend(void **state) {
    (void)state;
    arena_close(arena);
    return 0;
}

static void a_point_lies_in_its_rooms_cluster(void **state) {
    (void)state;
    assert_int_equal(bsp_cluster_at(bend, vec3_at(128, 128, 64)), 0);
    assert_int_equal(bsp_cluster_at(bend, vec3_at(264, 128, 64)), 1);
    assert_int_equal(bsp_cluster_at(bend, vec3_at(400, 128, 64)), 2);
    assert_int_equal(bsp_cluster_at(bend, vec3_at(400, 264, 64)), 3);
    assert_int_equal(bsp_cluster_at(bend, vec3_at(400, 400, 64)), 4);
}

static void walls_and_the_outside_are_in_no_cluster(void **state) {    /* B6 */
    (void)state;
    assert_int_equal(bsp_cluster_at(bend, vec3_at(264, 64, 64)), -1);     /* in the wall beside the doorway */
    assert_int_equal(bsp_cluster_at(bend, vec3_at(264, 128, 100)), -1);   /* over it */
    assert_int_equal(bsp_cluster_at(bend, vec3_at(-5000, 0, 0)), -1);
    assert_int_equal(bsp_cluster_at(bend, vec3_at(1e8f, -1e8f, 1e8f)), -1);
}

static void a_point_on_a_plane_is_in_front_of_it(void **state) {
    (void)state;
    assert_int_equal(bsp_cluster_at(bend, vec3_at(256, 128, 64)), 1);    /* the doorway's side looks to +x */
    assert_int_equal(bsp_cluster_at(bend, vec3_at(255.99f, 128, 64)), 0);
}

static void a_point_far_out_is_placed_to_the_last_bit(void **state) {    /* B2: the walk is in doubles */
    (void)state;
    Level *level = level_make("room");
    int plane = level_get_int(level, LUMP_NODES, 0, NODE_PLANE);
    level_set_float(level, LUMP_PLANES, plane, PLANE_NORMAL, 0.6f);
    level_set_float(level, LUMP_PLANES, plane, PLANE_NORMAL + 4, 0.8f);
    level_set_float(level, LUMP_PLANES, plane, PLANE_NORMAL + 8, 0);
    level_set_float(level, LUMP_PLANES, plane, PLANE_DIST, 100000);
    Error error;
    Map *map = level_load(level, arena, &error);
    const Plane *p = &map->planes[plane];
    for (int i = 0; i < 1000; i++) {
        Vec3 at = vec3_at(60000 + (float)i * 0.03125f, 80000 - (float)i * 0.0234375f, 0);
        double distance = (double)p->normal.x * at.x + (double)p->normal.y * at.y - p->dist;
        int leaf = bsp_leaf_at(map, at), node = map->leaf_parent[leaf], below = -1 - leaf;
        while (node > 0) {
            below = node;
            node = map->node_parent[node];
        }
        assert_int_equal(map->nodes[0].child[distance >= 0 ? 0 : 1], below);
    }
}

static void every_leaf_that_a_walk_shows_leads_back_to_the_root(void **state) {
    (void)state;
    for (int i = 0; i < bend->leaf_count; i++) {
        int node = bend->leaf_parent[i];
        if (node < 0) {
            assert_int_equal(i, 0);    /* leaf 0 is used by nobody */
            continue;
        }
        assert_true(bend->nodes[node].child[0] == -1 - i || bend->nodes[node].child[1] == -1 - i);
        while (bend->node_parent[node] >= 0)
            node = bend->node_parent[node];
        assert_int_equal(node, 0);
    }
}

static bool holds(const int *list, int count, int value) {
    for (int i = 0; i < count; i++)
        if (list[i] == value)
            return true;
    return false;
}

static void a_box_lies_in_every_leaf_that_one_of_its_points_does(void **state) {    /* B5 */
    (void)state;
    Box box = { vec3_at(200, 100, 10), vec3_at(300, 150, 50) };    /* through the first doorway */
    int leafs[256], count = bsp_leaves_in(bend, box, leafs, 256);
    bool cluster[5] = { false };
    for (int i = 0; i < count; i++)
        if (bend->leafs[leafs[i]].cluster >= 0)
            cluster[bend->leafs[leafs[i]].cluster] = true;
    assert_true(cluster[0] && cluster[1] && cluster[2] && !cluster[3] && !cluster[4]);
    for (float x = 200; x <= 300; x += 5)
        for (float y = 100; y <= 150; y += 5)
            assert_true(holds(leafs, count, bsp_leaf_at(bend, vec3_at(x, y, 30))));
}

static void too_little_room_still_gives_the_number(void **state) {
    (void)state;
    Box all = { vec3_at(-999, -999, -999), vec3_at(999, 999, 999) };
    int leafs[256], few[3] = { -7, -7, -7 };
    int count = bsp_leaves_in(bend, all, leafs, 256);
    assert_int_equal(count, bend->leaf_count - 1);    /* all but leaf 0 */
    assert_int_equal(bsp_leaves_in(bend, all, few, 2), count);
    assert_int_equal(few[0], leafs[0]);
    assert_int_equal(few[2], -7);
    assert_int_equal(bsp_leaves_in(bend, all, NULL, 0), count);
}

/* The marks of one leaf, and of the nodes above it. */
static void a_box_meets_a_marked_leaf_that_it_lies_in(void **state) {
    (void)state;
    int met = 0, asked = 0;
    for (int leaf = 1; leaf < bend->leaf_count; leaf++) {
        bool leafs[256] = { false }, nodes[256] = { false };
        leafs[leaf] = true;
        for (int node = bend->leaf_parent[leaf]; node >= 0; node = bend->node_parent[node])
            nodes[node] = true;
        for (float x = -100; x <= 500; x += 40)
            for (float y = -100; y <= 500; y += 40) {
                Box box = { vec3_at(x, y, 10), vec3_at(x + 30, y + 30, 60) };
                int within[256], count = bsp_leaves_in(bend, box, within, 256);
                bool is_in = holds(within, count, leaf);
                assert_int_equal(bsp_box_meets(bend, box, nodes, leafs), is_in);
                met += is_in;
                asked++;
            }
    }
    assert_true(met > bend->leaf_count && met < asked / 2);
}

typedef struct Walk { int leafs[256], count; } Walk;

static void note(void *user, int leaf) {
    Walk *walk = user;
    walk->leafs[walk->count++] = leaf;
}

static int place_of(const Walk *walk, int leaf) {
    for (int i = 0; i < walk->count; i++)
        if (walk->leafs[i] == leaf)
            return i;
    return -1;
}

static void a_walk_meets_the_near_room_first(void **state) {
    (void)state;
    static const struct { float x, y; } eyes[] = { { 128, 128 }, { 264, 128 }, { 400, 128 }, { 400, 400 }, { -900, 50 } };
    for (int e = 0; e < COUNT_OF(eyes); e++) {
        Vec3 eye = vec3_at(eyes[e].x, eyes[e].y, 40);
        Walk walk = { .count = 0 };
        bsp_walk_front_to_back(bend, eye, note, &walk);
        assert_int_equal(walk.count, bend->leaf_count - 1);
        assert_int_equal(walk.leafs[0], bsp_leaf_at(bend, eye));
        /* Along a ray, leafs come in the order of the walk. */
        for (int r = 0; r < 64; r++) {
            int last = -1;
            for (int step = 0; step < 200; step++) {
                float t = (float)step * 4;
                Vec3 p = vec3_at(eye.x + t * (float)(r % 8 - 4) / 4, eye.y + t * (float)(r / 8 - 4) / 4, eye.z);
                int place = place_of(&walk, bsp_leaf_at(bend, p));
                assert_true(place >= last);
                last = place;
            }
        }
    }
}

static int only_low(void *user, int node, int state) {
    (void)user;
    if (node >= 0)
        return state + 1;
    return bend->leafs[-1 - node].mins[0] < 200 ? state : -1;
}

static void a_walk_leaves_out_what_enter_refuses(void **state) {
    (void)state;
    Walk walk = { .count = 0 }, all = { .count = 0 };
    bsp_walk_front_to_back(bend, vec3_at(128, 128, 64), note, &all);
    bsp_walk_culled(bend, vec3_at(128, 128, 64), only_low, note, &walk);
    assert_true(walk.count > 0 && walk.count < all.count);
    int next = 0;
    for (int i = 0; i < all.count; i++)
        if (bend->leafs[all.leafs[i]].mins[0] < 200)
            assert_int_equal(walk.leafs[next++], all.leafs[i]);
    assert_int_equal(next, walk.count);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_point_lies_in_its_rooms_cluster),
        cmocka_unit_test(walls_and_the_outside_are_in_no_cluster),
        cmocka_unit_test(a_point_on_a_plane_is_in_front_of_it),
        cmocka_unit_test(a_point_far_out_is_placed_to_the_last_bit),
        cmocka_unit_test(every_leaf_that_a_walk_shows_leads_back_to_the_root),
        cmocka_unit_test(a_box_lies_in_every_leaf_that_one_of_its_points_does),
        cmocka_unit_test(a_box_meets_a_marked_leaf_that_it_lies_in),
        cmocka_unit_test(too_little_room_still_gives_the_number),
        cmocka_unit_test(a_walk_meets_the_near_room_first),
        cmocka_unit_test(a_walk_leaves_out_what_enter_refuses),
    };
    return cmocka_run_group_tests(tests, open_bend, close_bend);
}
