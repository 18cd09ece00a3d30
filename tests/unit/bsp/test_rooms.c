/* test_rooms.c -- the level that we ship, maps/rooms.bsp: everything about it is known, so it is asked for. */
#include "support/test.h"

#include <string.h>

#include "bsp/bsp.h"
#include "files/files.h"

typedef struct Rooms { Arena *arena; const Map *map; } Rooms;

static int open_rooms(void **state) {
    Rooms *rooms = mem_zeroed(1, sizeof *rooms);
    rooms->arena = arena_open();
    FileBytes file;
    Error error = { 0 };
    if (!file_read_disk(LEAFWALK_SOURCE_DIR "/maps/rooms.bsp", &file, &error))
        fail_msg("%s", error.text);
    rooms->map = bsp_load(rooms->arena, "maps/rooms.bsp", file.bytes, file.size, NULL, &error);
    file_free(&file);
    if (!rooms->map)
        fail_msg("%s", error.text);
    *state = rooms;
    return 0;
}

static int close_rooms(void **state) {
    Rooms *rooms = *state;
    arena_close(rooms->arena);
    mem_free(rooms);
    return 0;
}

/* Places that the script of the level knows. */
static const Vec3 FIRST_ROOM = { .x = 56, .y = 64, .z = 50 }, BEND = { .x = 816, .y = 256, .z = 60 },
                  SECOND_ROOM = { .x = 624, .y = 1104, .z = 50 }, IN_A_WALL = { .x = 300, .y = 700, .z = 60 },
                  OUTSIDE = { .x = -500, .y = 0, .z = 0 };

static void the_level_has_nothing_odd(void **state) {
    const Map *map = ((Rooms *)*state)->map;
    for (int i = 0; i < map->warnings.count; i++)
        print_message("%s\n", map->warnings.at[i]);
    assert_int_equal(map->warnings.count, 0);
    assert_int_equal(map->model_count, 3);
    assert_int_equal(map->area_count, 2);
    assert_int_equal(map->row_count, map->cluster_count);
    assert_non_null(map->grid.points);
}

static void the_rooms_do_not_see_each_other_but_the_bend_sees_both(void **state) {
    const Map *map = ((Rooms *)*state)->map;
    int first = bsp_cluster_at(map, FIRST_ROOM), second = bsp_cluster_at(map, SECOND_ROOM), bend = bsp_cluster_at(map, BEND);
    assert_true(first >= 0 && second >= 0 && bend >= 0);
    assert_false(bsp_cluster_sees(map, first, second));
    assert_false(bsp_cluster_sees(map, second, first));
    assert_true(bsp_cluster_sees(map, bend, first));
    assert_true(bsp_cluster_sees(map, bend, second));
    assert_int_equal(bsp_vis_stats(map).one_way_pairs, 0);
    assert_int_equal(bsp_vis_stats(map).self_unseen, 0);
}

static void walls_and_the_outside_are_in_no_cluster(void **state) {
    const Map *map = ((Rooms *)*state)->map;
    assert_int_equal(bsp_cluster_at(map, IN_A_WALL), -1);
    assert_int_equal(bsp_cluster_at(map, OUTSIDE), -1);
    assert_int_equal(map->leafs[bsp_leaf_at(map, FIRST_ROOM)].area, 0);
    assert_int_equal(map->leafs[bsp_leaf_at(map, SECOND_ROOM)].area, 1);
}

static void every_drawn_face_of_the_world_lies_in_a_leaf(void **state) {
    const Map *map = ((Rooms *)*state)->map;
    bool *met = arena_alloc_array(((Rooms *)*state)->arena, (size_t)map->face_count, sizeof *met);
    for (int i = 0; i < map->leafface_count; i++)
        met[map->leaffaces[i]] = true;
    for (int i = 0; i < map->models[0].face_count; i++)
        assert_true(met[i]);
}

/* What a triangle shows is where its normals point: clockwise seen from the front. */
static void triangles_face_where_their_normals_point(void **state) {
    Rooms *rooms = *state;
    const BspGeometry *made = bsp_geometry(rooms->map, 4, rooms->arena);
    int checked = 0;
    for (int f = 0; f < rooms->map->face_count; f++) {
        BspFaceRange range = made->faces[f];
        for (int i = 0; i < range.index_count; i += 3) {
            const BspVertex *corner[3];
            for (int k = 0; k < 3; k++)
                corner[k] = &made->vertices[made->indexes[range.first_index + i + k]];
            Vec3 front = vec3_cross(vec3_sub(corner[2]->position, corner[0]->position),
                                    vec3_sub(corner[1]->position, corner[0]->position));
            if (vec3_length(front) < 1e-3f)
                continue;    /* the tip of a corner between arch and wall */
            Vec3 normal = vec3_add(vec3_add(corner[0]->normal, corner[1]->normal), corner[2]->normal);
            assert_true(vec3_dot(front, normal) > 0);
            checked++;
        }
    }
    assert_true(checked > rooms->map->face_count);
}

static void the_first_room_is_lit_by_warm_lamps_from_above(void **state) {
    const Map *map = ((Rooms *)*state)->map;
    BspLightSample light = bsp_light_at(map, vec3_at(128, 104, 64));
    assert_true(light.valid);
    assert_true(light.directed.x > light.directed.z);
    assert_true(light.direction.z > 0.7f);
}

static void the_door_is_a_model_that_hangs_on_its_origin(void **state) {
    const Map *map = ((Rooms *)*state)->map;
    for (int i = 0; i < map->entity_count; i++) {
        const BspEntity *entity = &map->entities[i];
        if (strcmp(bsp_entity_class(entity), "func_door") != 0)
            continue;
        int model = bsp_entity_model(map, entity);
        assert_int_equal(model, 1);
        Vec3 origin;
        assert_true(bsp_entity_vector(entity, "origin", &origin));
        Vec3 middle = vec3_add(box_middle(map->models[model].bounds), origin);
        assert_int_equal(map->leafs[bsp_leaf_at(map, middle)].area, 1);
        assert_true(map->models[model].face_count > 0 && map->models[model].brush_count > 0);
        return;
    }
    fail_msg("no door");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_level_has_nothing_odd),
        cmocka_unit_test(the_rooms_do_not_see_each_other_but_the_bend_sees_both),
        cmocka_unit_test(walls_and_the_outside_are_in_no_cluster),
        cmocka_unit_test(every_drawn_face_of_the_world_lies_in_a_leaf),
        cmocka_unit_test(triangles_face_where_their_normals_point),
        cmocka_unit_test(the_first_room_is_lit_by_warm_lamps_from_above),
        cmocka_unit_test(the_door_is_a_model_that_hangs_on_its_origin),
    };
    return cmocka_run_group_tests(tests, open_rooms, close_rooms);
}
