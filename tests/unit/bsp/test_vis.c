/* Who sees whom: rows, no rows, cluster -1, clusters beyond the rows. */
#include "support/test.h"

#include "support/level.h"
#include "support/test_arena.h"


static void the_first_room_does_not_see_round_the_bend(void **state) {
    (void)state;
    Map *map = level_map(arena, "bend");
    assert_false(bsp_cluster_sees(map, 0, 4));
    assert_false(bsp_cluster_sees(map, 4, 1));
    assert_true(bsp_cluster_sees(map, 0, 2));
    assert_true(bsp_cluster_sees(map, 2, 4));
    int list[5];
    assert_int_equal(bsp_visible_clusters(map, 0, list, 5), 4);
    assert_int_equal(list[3], 3);
    assert_int_equal(bsp_visible_clusters(map, 4, list, 5), 3);
    assert_int_equal(list[0], 2);
}

static void from_solid_all_is_seen_and_into_solid_nothing(void **state) {    /* B6 */
    (void)state;
    Map *map = level_map(arena, "bend");
    int list[5];
    for (int c = 0; c < 5; c++) {
        assert_true(bsp_cluster_sees(map, -1, c));
        assert_false(bsp_cluster_sees(map, c, -1));
        assert_false(bsp_cluster_sees(map, c, 5));
        assert_true(bsp_cluster_sees(map, 5, c));
    }
    assert_int_equal(bsp_visible_clusters(map, -1, list, 5), 5);
    assert_int_equal(bsp_visible_clusters(map, INT32_MAX, list, 5), 5);
    assert_int_equal(bsp_visible_clusters(map, INT32_MIN, list, 5), 5);
}

static void without_rows_all_see_all(void **state) {    /* A9 */
    (void)state;
    Map *map = level_map(arena, "no vis");
    assert_int_equal(map->cluster_count, 5);
    assert_int_equal(map->row_bytes, 0);
    uint64_t row[1];
    bsp_row(map, 0, row);
    assert_true(row[0] == 0x1f);
    assert_true(bsp_cluster_sees(map, 0, 4));
    BspVisStats stats = bsp_vis_stats(map);
    assert_int_equal(stats.min, 5);
    assert_int_equal(stats.max, 5);
    assert_true(stats.mean == 5);
    assert_int_equal(stats.see_all, 5);
    assert_int_equal(stats.one_way_pairs, 0);
}

static void rows_as_words_say_what_sees_says(void **state) {
    (void)state;
    Map *map = level_map(arena, "bend");
    for (int from = -1; from < 6; from++) {
        uint64_t row[1];
        assert_int_equal(bsp_row_words(map), 1);
        bsp_row(map, from, row);
        for (int to = 0; to < 5; to++)
            assert_int_equal(row[0] >> to & 1, bsp_cluster_sees(map, from, to));
        assert_true(row[0] >> 5 == 0);
    }
}

static void bits_past_the_last_cluster_count_for_nothing(void **state) {
    (void)state;
    Level *level = level_make("bend");
    memset(level->lumps[LUMP_VISDATA].at + VIS_ROWS, 0xff, 5 * 8);
    Error error;
    Map *map = level_load(level, arena, &error);
    uint64_t row[1];
    bsp_row(map, 3, row);
    assert_true(row[0] == 0x1f);
    assert_int_equal(bsp_vis_stats(map).max, 5);
}

static void statistics_count_rows_and_one_way_pairs(void **state) {    /* B3 */
    (void)state;
    Level *level = level_make("bend");
    level_see(level, 4, 0, true);      /* 4 sees 0, not the other way */
    level_see(level, 2, 3, false);
    level_see(level, 1, 1, false);
    for (int to = 0; to < 5; to++)
        level_see(level, 3, to, false);
    Error error;
    BspVisStats stats = bsp_vis_stats(level_load(level, arena, &error));
    assert_int_equal(stats.min, 0);
    assert_int_equal(stats.max, 4);
    assert_true(stats.mean == (4 + 3 + 4 + 0 + 4) / 5.0);
    assert_int_equal(stats.one_way_pairs, 1 + 3);    /* 4-0, and 0, 1, 4 see 3 */
    assert_int_equal(stats.see_nothing, 1);
    assert_int_equal(stats.see_all, 0);
    assert_int_equal(stats.self_unseen, 2);
}

/* A level of many clusters whose rows are noise: the counts by words equal the counts by bits. */
static void one_way_pairs_are_right_in_large_rows(void **state) {
    (void)state;
    enum { CLUSTERS = 203, ROW = 27 };    /* an odd number, in rows padded in a way of its own */
    Level *level = level_make("room");
    level_resize(level, LUMP_VISDATA, 0);
    level_resize(level, LUMP_VISDATA, 8 + CLUSTERS * ROW);
    level_set_int(level, LUMP_VISDATA, 0, 0, CLUSTERS);
    level_set_int(level, LUMP_VISDATA, 4, 0, ROW);
    uint32_t noise = 12345;
    for (int i = 0; i < CLUSTERS * ROW; i++) {
        noise = noise * 1664525 + 1013904223;
        level->lumps[LUMP_VISDATA].at[8 + i] = (char)(noise >> 24);
    }
    Error error;
    Map *map = level_load(level, arena, &error);
    assert_int_equal(map->cluster_count, CLUSTERS);
    int64_t pairs = 0, sum = 0;
    for (int a = 0; a < CLUSTERS; a++)
        for (int b = 0; b < CLUSTERS; b++) {
            pairs += bsp_cluster_sees(map, a, b) && !bsp_cluster_sees(map, b, a);
            sum += bsp_cluster_sees(map, a, b);
        }
    BspVisStats stats = bsp_vis_stats(map);
    assert_int_equal(stats.one_way_pairs, pairs);
    assert_true(stats.mean == (double)sum / CLUSTERS);
}

static void a_cluster_has_its_leafs_faces_and_bounds(void **state) {
    (void)state;
    Map *map = level_map(arena, "bend");
    const int *leafs;
    int total = 0;
    for (int c = 0; c < 5; c++) {
        int count = bsp_cluster_leafs(map, c, &leafs);
        assert_true(count >= 1);
        for (int i = 0; i < count; i++)
            assert_int_equal(map->leafs[leafs[i]].cluster, c);
        total += count;
    }
    int solid = bsp_cluster_leafs(map, -1, &leafs);
    for (int i = 0; i < solid; i++)
        assert_int_equal(map->leafs[leafs[i]].cluster, -1);
    assert_int_equal(total + solid, map->leaf_count - 1);    /* leaf 0 belongs to none, though its cluster is 0 */
    Box bounds;
    assert_true(bsp_cluster_bounds(map, 1, &bounds));
    assert_true(bounds.mins.x == 256 && bounds.maxs.x == 272 && bounds.mins.y == 96 && bounds.maxs.z == 96);
    assert_false(bsp_cluster_bounds(map, -1, &bounds));
    assert_false(bsp_cluster_bounds(map, 5, &bounds));
}

static void the_faces_of_a_cluster_come_once_and_in_order(void **state) {
    (void)state;
    Map *map = level_map(arena, "bend");
    int faces[200], few[1];
    int count = bsp_cluster_faces(map, 0, faces, 200);
    assert_true(count >= 6);
    for (int i = 1; i < count; i++)
        assert_true(faces[i] > faces[i - 1]);
    assert_int_equal(bsp_cluster_faces(map, 0, few, 1), count);
    assert_int_equal(few[0], faces[0]);
    assert_int_equal(bsp_cluster_faces(map, -1, faces, 200), 0);    /* walls have no faces inside */
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_arena, close_arena)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(the_first_room_does_not_see_round_the_bend), TEST(from_solid_all_is_seen_and_into_solid_nothing),
        TEST(without_rows_all_see_all), TEST(rows_as_words_say_what_sees_says),
        TEST(bits_past_the_last_cluster_count_for_nothing), TEST(statistics_count_rows_and_one_way_pairs),
        TEST(one_way_pairs_are_right_in_large_rows), TEST(a_cluster_has_its_leafs_faces_and_bounds),
        TEST(the_faces_of_a_cluster_come_once_and_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
