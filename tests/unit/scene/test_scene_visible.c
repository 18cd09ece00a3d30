/* The visible set against brute force: every leaf asked one by one, from many places in small levels. */
#include "support/test.h"

#include "support/scene_place.h"

static Box box_of(const int mins[3], const int maxs[3]) {
    return (Box){ vec3_at((float)mins[0], (float)mins[1], (float)mins[2]), vec3_at((float)maxs[0], (float)maxs[1], (float)maxs[2]) };
}

/* Seen: a leaf of the tree that the row shows, whose box and all boxes above it touch the frustum. */
static bool should_see(const ScenePlace *place, const Plane frustum[5], int number) {
    const Map *map = place->level.map;
    const BspLeaf *leaf = &map->leafs[number];
    const View *view = &place->frame.view;
    if (map->leaf_parent[number] < 0)
        return false;
    bool sees_all = place->scene.vis_mode != VIS_PVS || view->cluster < 0;
    if (!sees_all && !bsp_cluster_sees(map, view->cluster, leaf->cluster))
        return false;
    if (place->scene.vis_mode == VIS_NONE)
        return true;
    bool touched = frustum_touches_box(frustum, box_of(leaf->mins, leaf->maxs));
    for (int node = map->leaf_parent[number]; node >= 0; node = map->node_parent[node])
        touched = touched && frustum_touches_box(frustum, box_of(map->nodes[node].mins, map->nodes[node].maxs));
    return touched;
}

typedef struct Order { int *place; int next; } Order;

static void note_order(void *user, int leaf) {
    Order *order = user;
    order->place[leaf] = order->next++;
}

static void check_against_brute_force(ScenePlace *place) {
    const Map *map = place->level.map;
    const Frame *frame = &place->frame;
    Plane frustum[5];
    view_frustum(&frame->view, frustum);
    int *times = mem_zeroed((size_t)map->leaf_count, sizeof *times), *faces = mem_zeroed((size_t)map->face_count + 1, sizeof *faces);
    int *clusters = mem_zeroed((size_t)map->cluster_count + 1, sizeof *clusters);
    Order order = { mem_zeroed((size_t)map->leaf_count, sizeof(int)), 0 };
    bsp_walk_front_to_back(map, frame->view.origin, note_order, &order);
    for (int i = 0; i < frame->leaf_count; i++) {
        times[frame->leafs[i]]++;
        if (i)
            assert_true(order.place[frame->leafs[i - 1]] < order.place[frame->leafs[i]]);
    }
    int next_face = 0;
    for (int i = 0; i < map->leaf_count; i++)
        assert_int_equal(times[i], should_see(place, frustum, i));
    for (int i = 0; i < frame->leaf_count; i++) {
        const BspLeaf *leaf = &map->leafs[frame->leafs[i]];
        for (int k = 0; k < leaf->face_count; k++) {
            int face = map->leaffaces[leaf->first_face + k];
            if (faces[face]++ == 0)
                assert_int_equal(frame->faces[next_face++], face);    /* in the order of the leafs that show them first */
        }
        if (leaf->cluster >= 0)
            clusters[leaf->cluster] = 1;
    }
    assert_int_equal(next_face, frame->face_count);
    int next_cluster = 0;
    for (int i = 0; i < map->cluster_count; i++)
        if (clusters[i])
            assert_int_equal(frame->clusters[next_cluster++], i);
    assert_int_equal(next_cluster, frame->cluster_count);
    mem_free(times);
    mem_free(faces);
    mem_free(clusters);
    mem_free(order.place);
}

static unsigned next_random(unsigned *seed) { return (*seed = *seed * 1664525u + 1013904223u) >> 8; }

static float random_between(unsigned *seed, float low, float high) {
    return low + (high - low) * (float)(next_random(seed) % 10001) / 10000;
}

static void the_visible_set_is_what_brute_force_says(void **state) {
    (void)state;
    static const char *const names[] = { "room", "two rooms", "bend", "no vis", "unlit", "patch", "door", "everything" };
    unsigned seed = 7;
    for (int n = 0; n < COUNT_OF(names); n++) {
        ScenePlace *place = scene_place_open(names[n]);
        for (int i = 0; i < 300; i++) {
            place->scene.vis_mode = (VisMode)(i % 5 < 3 ? VIS_PVS : i % 5 == 3 ? VIS_FRUSTUM : VIS_NONE);
            place->scene.fov = random_between(&seed, 5, 170);
            place->scene.locked = i % 7 == 0;
            place->scene.locked_cluster = (int)(next_random(&seed) % 6) - 1;
            if (place->scene.locked_cluster >= place->level.map->cluster_count)
                place->scene.locked_cluster = -1;
            scene_place_look(place, vec3_at(random_between(&seed, -50, 600), random_between(&seed, -50, 600), random_between(&seed, -20, 150)),
                 vec3_at(random_between(&seed, -90, 90), random_between(&seed, -180, 180), random_between(&seed, -180, 180)));
            check_against_brute_force(place);
        }
        scene_place_close(place);
    }
}

static const Vec3 in_room_0 = { .x = 60, .y = 128, .z = 60 }, in_room_4 = { .x = 400, .y = 400, .z = 60 }, outside = { .x = -500, .y = -500, .z = -500 };

static bool sees_cluster(const Frame *frame, int cluster) {
    for (int i = 0; i < frame->cluster_count; i++)
        if (frame->clusters[i] == cluster)
            return true;
    return false;
}

static void a_room_behind_the_bend_is_not_drawn(void **state) {
    (void)state;
    ScenePlace *place = scene_place_open("bend");
    scene_place_look(place, in_room_0, vec3_at(0, 45, 0));    /* straight at the hidden room */
    assert_true(sees_cluster(&place->frame, 2));
    assert_false(sees_cluster(&place->frame, 4));
    place->scene.vis_mode = VIS_FRUSTUM;
    scene_place_look(place, in_room_0, vec3_at(0, 45, 0));
    assert_true(sees_cluster(&place->frame, 4));
    scene_place_close(place);
}

static void an_eye_in_solid_sees_everything(void **state) {
    (void)state;
    ScenePlace *place = scene_place_open("bend");
    scene_place_look(place, outside, vec3_at(-20, 45, 0));
    assert_int_equal(place->frame.view.cluster, -1);
    assert_int_equal(place->frame.cluster_count, 5);
    scene_place_close(place);
}

static void a_locked_cluster_is_the_viewers_wherever_the_eye_goes(void **state) {
    (void)state;
    ScenePlace *place = scene_place_open("bend");
    place->scene.locked = true;
    place->scene.locked_cluster = 0;
    scene_place_look(place, in_room_4, vec3_at(0, 180, 0));
    assert_int_equal(place->frame.view.cluster, 0);
    assert_false(sees_cluster(&place->frame, 4));    /* it stands in it, but the locked one does not see it */
    place->scene.locked = false;
    scene_place_look(place, in_room_4, vec3_at(0, 180, 0));
    assert_int_equal(place->frame.view.cluster, 4);
    assert_true(sees_cluster(&place->frame, 4));
    scene_place_close(place);
}

static void without_culling_even_what_is_behind_is_drawn(void **state) {
    (void)state;
    ScenePlace *place = scene_place_open("two rooms");
    scene_place_look(place, in_room_0, vec3_at(0, 180, 0));
    assert_false(sees_cluster(&place->frame, 2));
    place->scene.vis_mode = VIS_NONE;
    scene_place_look(place, in_room_0, vec3_at(0, 180, 0));
    assert_true(sees_cluster(&place->frame, 2));
    scene_place_close(place);
}

static void a_door_is_drawn_where_a_leaf_it_touches_is_seen(void **state) {
    (void)state;
    ScenePlace *place = scene_place_open("door");
    scene_place_look(place, in_room_0, vec3_at(0, 0, 0));
    assert_int_equal(place->frame.models.count, 1);
    assert_int_equal(place->frame.models.at[0].model, 1);
    scene_place_look(place, in_room_0, vec3_at(0, 180, 0));    /* it is behind the eye */
    assert_int_equal(place->frame.models.count, 0);
    place->scene.poses[1].origin = vec3_at(-250, 0, 0);    /* and now in front: it was moved into the room */
    scene_place_look(place, in_room_0, vec3_at(0, 180, 0));
    assert_int_equal(place->frame.models.count, 1);
    place->scene.poses[1].shown = false;
    scene_place_look(place, in_room_0, vec3_at(0, 180, 0));
    assert_int_equal(place->frame.models.count, 0);
    scene_place_close(place);
}

/* The rooms of "door", an area each, and the doorway of the first one's: its portal is a brush of the world's. */
static void what_a_shut_door_hides_is_not_drawn(void **state) {
    (void)state;
    ScenePlace *place = scene_place_open("door");
    Map *map = (Map *)place->level.map;
    for (int i = 0; i < map->leaf_count; i++)
        map->leafs[i].area = map->leafs[i].cluster < 0 ? -1 : map->leafs[i].cluster == 2;
    map->area_count = 2;
    scene_use_level(&place->scene, &place->level);
    BspAreas areas;
    bsp_areas_open(&areas, map);
    int sets[2][2];
    areas.open_set = sets[0];
    areas.whole_set = sets[1];
    *array_push(&areas.portals) = (BspAreaPortal){ .from = 0, .to = 1, .bounds = { vec3_at(260, 96, 0), vec3_at(268, 160, 96) } };
    BspAreaPortal *portal = &areas.portals.at[0];
    place->scene.areas = &areas;
    Vec3 ahead = vec3_at(0, 0, 0), doorway = vec3_at(250, 128, 60), second = vec3_at(400, 128, 60);
    for (int round = 0; round < 2; round++) {    /* the marks follow the door, both ways */
        portal->shut = false;
        scene_place_look(place, in_room_0, ahead);
        assert_true(sees_cluster(&place->frame, 2));
        assert_true(scene_sees_box(&place->scene, (Box){ second, second }));
        portal->shut = true;
        scene_place_look(place, in_room_0, ahead);
        assert_true(sees_cluster(&place->frame, 0));
        assert_false(sees_cluster(&place->frame, 2));
        assert_int_equal(place->frame.models.count, 1);    /* the door itself */
        assert_false(scene_sees_box(&place->scene, (Box){ second, second }));
    }
    scene_place_look(place, doorway, ahead);    /* so near, both sides are seen */
    assert_true(sees_cluster(&place->frame, 2));
    place->scene.locked = true;
    place->scene.locked_cluster = 2;
    scene_place_look(place, second, vec3_at(0, 180, 0));
    assert_false(sees_cluster(&place->frame, 0));
    place->scene.locked = false;
    scene_place_look(place, outside, vec3_at(-20, 45, 0));
    assert_true(sees_cluster(&place->frame, 0) && sees_cluster(&place->frame, 2));
    place->scene.vis_mode = VIS_FRUSTUM;
    scene_place_look(place, in_room_0, ahead);
    assert_true(sees_cluster(&place->frame, 2));
    array_free(&areas.portals);
    scene_place_close(place);
}

static void boxes_at_the_ends_of_the_numbers_are_culled_soundly(void **state) {
    (void)state;
    View view = view_make(vec3_at(0, 0, 0), vec3_at(0, 0, 0), 90, 100, 100);
    Plane frustum[5];
    view_frustum(&view, frustum);
    const float end = 2147483648.0f;
    assert_true(frustum_touches_box(frustum, (Box){ vec3_at(-end, -end, -end), vec3_at(end, end, end) }));
    assert_false(frustum_touches_box(frustum, (Box){ vec3_at(-end, -end, -end), vec3_at(-1, end, end) }));
    assert_true(frustum_touches_box(frustum, (Box){ vec3_at(1000, -end, -1), vec3_at(1001, 0, 1) }));
}

static void a_box_at_a_pose_holds_its_turned_corners(void **state) {
    (void)state;
    Axes axes = axes_from_angles(vec3_at(0, 90, 0));
    Box box = box_at_pose((Box){ vec3_at(0, 0, 0), vec3_at(10, 20, 30) }, vec3_at(100, 0, 0), &axes);
    assert_float_equal(box.mins.x, 80, 0.001f);    /* y turned to -x */
    assert_float_equal(box.maxs.x, 100, 0.001f);
    assert_float_equal(box.maxs.y, 10, 0.001f);
    assert_float_equal(box.maxs.z, 30, 0.001f);
}

static void no_level_is_an_empty_picture(void **state) {
    (void)state;
    Scene scene;
    Frame frame;
    scene_open(&scene);
    frame_open(&frame);
    scene_fill(&scene, &frame, 64, 64);
    assert_null(frame.level);
    assert_int_equal(frame.face_count, 0);
    assert_int_equal(frame.view.width, 64);
    frame_close(&frame);
    scene_close(&scene);
}

static void stamps_begin_anew_when_their_numbers_run_out(void **state) {
    (void)state;
    ScenePlace *place = scene_place_open("bend");
    scene_place_look(place, in_room_0, vec3_at(0, 0, 0));
    int leafs = place->frame.leaf_count;
    place->scene.stamp = ~0u;
    scene_place_look(place, in_room_0, vec3_at(0, 0, 0));
    assert_int_equal(place->frame.leaf_count, leafs);
    assert_int_equal(place->scene.stamp, 1);
    scene_place_close(place);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_visible_set_is_what_brute_force_says),
        cmocka_unit_test(a_room_behind_the_bend_is_not_drawn),
        cmocka_unit_test(an_eye_in_solid_sees_everything),
        cmocka_unit_test(a_locked_cluster_is_the_viewers_wherever_the_eye_goes),
        cmocka_unit_test(without_culling_even_what_is_behind_is_drawn),
        cmocka_unit_test(a_door_is_drawn_where_a_leaf_it_touches_is_seen),
        cmocka_unit_test(what_a_shut_door_hides_is_not_drawn),
        cmocka_unit_test(boxes_at_the_ends_of_the_numbers_are_culled_soundly),
        cmocka_unit_test(a_box_at_a_pose_holds_its_turned_corners),
        cmocka_unit_test(no_level_is_an_empty_picture),
        cmocka_unit_test(stamps_begin_anew_when_their_numbers_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
