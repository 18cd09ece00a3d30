/* test_portals.c -- .prt files: what q3map2 writes is read, and whatever else is refused in words. */
#include "support/test.h"

#include "bsp/bsp_portals.h"

/* Two clusters with one opening between them that a hint brush made, and two walls. */
static const char TWO_ROOMS[] =
    "PRT1\n2\n1\n2\n"
    "4 0 1 1 (128 0 0 ) (128 64 0 ) (128 64 96 ) (128 0 96 ) \n"
    "4 0 (0 0 0 ) (128 0 0 ) (128 64 0 ) (0 64 0 ) \n"
    "3 1 (128 0 0 ) (256 0 0 ) (256 64.5 -0.25 ) \n";

static int open_arena(void **state) {
    *state = arena_open();
    return 0;
}

static int close_arena(void **state) {
    arena_close(*state);
    return 0;
}

static BspPortals *parse(void **state, const char *text, Error *error) {
    return bsp_portals_parse(*state, "a.prt", (const uint8_t *)text, strlen(text), error);
}

static void a_portal_joins_two_clusters(void **state) {
    Error error;
    const BspPortals *portals = parse(state, TWO_ROOMS, &error);
    assert_non_null(portals);
    assert_int_equal(portals->cluster_count, 2);
    assert_int_equal(portals->portal_count, 1);
    const BspPortal *portal = &portals->portals[0];
    assert_int_equal(portal->from, 0);
    assert_int_equal(portal->to, 1);
    assert_true(portal->hint);
    assert_int_equal(portal->point_count, 4);
    assert_true(portal->points[2].x == 128 && portal->points[2].y == 64 && portal->points[2].z == 96);
}

static void walls_belong_to_one_cluster(void **state) {
    const BspPortals *portals = parse(state, TWO_ROOMS, NULL);
    assert_non_null(portals);
    assert_int_equal(portals->face_count, 2);
    assert_int_equal(portals->faces[1].from, 1);
    assert_int_equal(portals->faces[1].to, -1);
    assert_true(portals->faces[1].points[2].y == 64.5f && portals->faces[1].points[2].z == -0.25f);
}

static void old_files_have_no_hint_flag(void **state) {
    const BspPortals *portals = parse(state, "PRT1\n2\n1\n0\n3 0 1 (0 0 0 ) (1 0 0 ) (0 1 0 )\n", NULL);
    assert_non_null(portals);
    assert_false(portals->portals[0].hint);
}

static void line_ends_of_other_systems_are_fine(void **state) {
    assert_non_null(parse(state, "PRT1\r\n2\r\n1\r\n0\r\n3 0 1 0 (0 0 0 ) (1 0 0 ) (0 1 0 )\r\n\r\n", NULL));
}

static void what_is_wrong_is_named_by_its_line(void **state) {
    static const struct { const char *text, *words; } cases[] = {
        { "", "begins with no line" },
        { "IBSP", "begins with no line" },
        { "PRT12\n1\n0\n0\n", "begins with no line" },
        { "PRT1\n2\n", "ends at line 2" },
        { "PRT1\n-1\n0\n0\n", ":2: the number of clusters" },
        { "PRT1\n99999999999\n0\n0\n", ":2: the number of clusters" },
        { "PRT1\n2\n1 1\n0\n", ":3: the number of portals" },
        { "PRT1\n2\n2000000000\n0\n3 0 1 0 (0 0 0 ) (1 0 0 ) (0 1 0 )\n", "ends at line 5 with 1 of 2000000000 portals" },
        { "PRT1\n2\n1\n0\n3 0 2 0 (0 0 0 ) (1 0 0 ) (0 1 0 )\n", ":5: a cluster of 0..1" },
        { "PRT1\n0\n1\n0\n3 0 0 0 (0 0 0 ) (1 0 0 ) (0 1 0 )\n", ":5: a cluster of 0..-1" },
        { "PRT1\n2\n1\n0\n2 0 1 0 (0 0 0 ) (1 0 0 )\n", ":5: a number of points" },
        { "PRT1\n2\n1\n0\n1000000 0 1 0 (0 0 0 ) (1 0 0 )\n", ":5: a number of points" },
        { "PRT1\n2\n1\n0\n4 0 1 0 (0 0 0 ) (1 0 0 ) (0 1 0 )\n", "before point 4 of 4" },
        { "PRT1\n2\n1\n0\n3 0 1 0 (0 0 0 ) (1 0 ) (0 1 0 ) (0 1 0 )\n", "point 2 has 2 numbers" },
        { "PRT1\n2\n1\n0\n3 0 1 0 (0 0 0 ) (1 0 1e999 ) (0 1 0 )\n", ":5: point 2" },
        { "PRT1\n2\n1\n0\n3 0 1 0 (0 0 0 ) (1 0 0 ) (0 1 0 ) (0 1 1 )\n", ":5: something follows" },
        { "PRT1\n2\n1\n0\n3 0 1 7 (0 0 0 ) (1 0 0 ) (0 1 0 )\n", ":5: a hint flag" },
        { "PRT1\n2\n0\n0\n3 0 1 0 (0 0 0 ) (1 0 0 ) (0 1 0 )\n", ":5: more lines" },
    };
    for (int i = 0; i < COUNT_OF(cases); i++) {
        Error error = { 0 };
        if (parse(state, cases[i].text, &error) || !strstr(error.text, cases[i].words))
            fail_msg("case %d: \"%s\" does not say \"%s\"", i, error.text, cases[i].words);
    }
}

static void every_cut_of_a_file_is_refused_or_read(void **state) {
    for (size_t size = 0; size < sizeof TWO_ROOMS - 3; size++) {
        uint8_t *bytes = mem_alloc(size + 1);    /* of just this size: a read past it is seen */
        bytes = mem_realloc(bytes, size ? size : 1);
        memcpy(bytes, TWO_ROOMS, size);
        Error error = { 0 };
        if (bsp_portals_parse(*state, "a.prt", bytes, size, &error))
            fail_msg("the first %zu bytes were taken for the whole", size);
        assert_true(error.text[0]);
        mem_free(bytes);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_portal_joins_two_clusters, open_arena, close_arena),
        cmocka_unit_test_setup_teardown(walls_belong_to_one_cluster, open_arena, close_arena),
        cmocka_unit_test_setup_teardown(old_files_have_no_hint_flag, open_arena, close_arena),
        cmocka_unit_test_setup_teardown(line_ends_of_other_systems_are_fine, open_arena, close_arena),
        cmocka_unit_test_setup_teardown(what_is_wrong_is_named_by_its_line, open_arena, close_arena),
        cmocka_unit_test_setup_teardown(every_cut_of_a_file_is_refused_or_read, open_arena, close_arena),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
