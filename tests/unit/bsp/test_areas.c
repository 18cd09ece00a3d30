/* Areas and the doors between them: our level has two, a small one made here has five in a row and a way around. */
#include "support/test.h"

#include "bsp/bsp_areas.h"
#include "bsp/flags.h"
#include "files/files.h"
#include "support/level.h"

static const Vec3 nowhere = { .x = -9999, .y = 0, .z = 0 };

static void the_portal_of_our_level_joins_its_two_areas(void **state) {
    (void)state;
    Arena *arena = arena_open();
    FileBytes file;
    Error error = { 0 };
    assert_true(file_read_disk(LEAFWALK_SOURCE_DIR "/maps/rooms.bsp", &file, &error));
    const Map *map = bsp_load(arena, "maps/rooms.bsp", file.bytes, file.size, NULL, &error);
    file_free(&file);
    BspAreas areas;
    bsp_areas_open(&areas, map);
    assert_int_equal(areas.portals.count, 1);
    BspAreaPortal *portal = &areas.portals.at[0];
    assert_true(map->textures[map->brushes[portal->brush].texture].contents & CONTENTS_AREAPORTAL);
    int first = bsp_area_at(map, vec3_at(56, 64, 50)), second = bsp_area_at(map, vec3_at(624, 1104, 50));
    assert_true(first != second && portal->from + portal->to == first + second);
    assert_int_equal(bsp_area_at(map, nowhere), -1);
    bool hidden[2];
    assert_true(bsp_areas_joined(&areas, first, second));
    assert_false(bsp_areas_hidden(&areas, first, nowhere, hidden));
    portal->shut = true;
    assert_false(bsp_areas_joined(&areas, first, second));
    assert_true(bsp_areas_joined(&areas, -1, second) && bsp_areas_joined(&areas, second, second));
    assert_true(bsp_areas_hidden(&areas, first, nowhere, hidden));
    assert_true(hidden[second] && !hidden[first]);
    assert_true(bsp_areas_hidden(&areas, first, box_middle(portal->bounds), hidden));
    assert_false(hidden[second]);    /* an eye in the doorway sees both rooms */
    assert_false(bsp_areas_hidden(&areas, -1, nowhere, hidden));
    bsp_areas_close(&areas);
    arena_close(arena);
}

/* The bend with an area for each of its five clusters. */
static Map *row_of_areas(Arena *arena) {
    Level *level = level_make("everything");
    for (int i = 0; i < level_count(level, LUMP_LEAFS); i++) {
        int cluster = level_get_int(level, LUMP_LEAFS, i, LEAF_CLUSTER);
        level_set_int(level, LUMP_LEAFS, i, LEAF_AREA, cluster);
    }
    Error error;
    Map *map = level_load(level, arena, &error);
    assert_non_null(map);
    return map;
}

static void add_portal(BspAreas *areas, int from, int to) {
    *array_push(&areas->portals) = (BspAreaPortal){ .from = from, .to = to, .bounds = { vec3_at(0, 0, 0), vec3_at(1, 1, 1) } };
}

static void what_lies_behind_a_shut_door_is_hidden_unless_there_is_a_way_around(void **state) {
    (void)state;
    Arena *arena = arena_open();
    Map *map = row_of_areas(arena);
    assert_int_equal(map->area_count, 5);
    BspAreas areas;
    bsp_areas_open(&areas, map);
    assert_int_equal(areas.portals.count, 0);
    int open[5], whole[5];
    areas.open_set = open;
    areas.whole_set = whole;
    for (int i = 0; i < 3; i++)
        add_portal(&areas, i, i + 1);    /* 0 - 1 - 2 - 3, and 4 behind walls only */
    bool hidden[5];
    areas.portals.at[1].shut = true;
    assert_true(bsp_areas_hidden(&areas, 0, nowhere, hidden));
    const bool behind[5] = { false, false, true, true, false };
    assert_memory_equal(hidden, behind, sizeof hidden);
    assert_true(bsp_areas_joined(&areas, 0, 4));    /* no door parts them: that is the rows' matter */
    assert_true(bsp_areas_joined(&areas, 2, 3));
    assert_false(bsp_areas_joined(&areas, 3, 1));
    add_portal(&areas, 3, 0);    /* the way around, with a door that stands open */
    assert_true(bsp_areas_joined(&areas, 3, 1));
    areas.portals.at[3].shut = true;
    assert_false(bsp_areas_joined(&areas, 3, 1));
    areas.portals.at[1].shut = false;
    assert_true(bsp_areas_joined(&areas, 3, 1));
    array_free(&areas.portals);
    arena_close(arena);
}

static void a_brush_that_touches_three_areas_joins_all_of_them(void **state) {
    (void)state;
    Arena *arena = arena_open();
    Map *map = row_of_areas(arena);
    int doorway = -1;
    for (int i = 0; i < map->brush_count && doorway < 0; i++)    /* the door's own brush fills the first doorway */
        if (i >= map->models[1].first_brush && map->models[1].brush_count)
            doorway = i;
    assert_true(doorway >= 0 && map->brushes[doorway].usable);
    map->textures[map->brushes[doorway].texture].contents = CONTENTS_AREAPORTAL;
    map->brushes[doorway].bounds = (Box){ vec3_at(256, 96, 0), vec3_at(272, 160, 96) };
    BspAreas areas;
    bsp_areas_open(&areas, map);
    assert_int_equal(areas.portals.count, 0);    /* portals are brushes of the world, not of a door */
    map->models[0].brush_count = map->brush_count;
    bsp_areas_open(&areas, map);
    assert_int_equal(areas.portals.count, 2);
    for (size_t i = 0; i < 2; i++)
        areas.portals.at[i].shut = true;
    assert_false(bsp_areas_joined(&areas, 0, 2));
    for (size_t i = 0; i < 2; i++)
        areas.portals.at[i].shut = false;
    assert_true(bsp_areas_joined(&areas, 0, 2));
    bsp_areas_close(&areas);
    arena_close(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_portal_of_our_level_joins_its_two_areas),
        cmocka_unit_test(what_lies_behind_a_shut_door_is_hidden_unless_there_is_a_way_around),
        cmocka_unit_test(a_brush_that_touches_three_areas_joins_all_of_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
