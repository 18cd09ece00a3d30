/* The builder's own levels: what it promises in level.h is what the loader finds. */
#include "support/test.h"

#include "support/level.h"

static void every_level_loads_without_a_warning(void **state) {
    (void)state;
    for (int i = 0; level_names[i]; i++) {
        Arena *arena = arena_open();
        Map *map = level_map(arena, level_names[i]);
        /* the mesh of "everything" has the usual rubbish in its lightmap coordinates */
        assert_int_equal(map->warnings.count, strcmp(level_names[i], "everything") == 0 ? 1 : 0);
        assert_int_equal(map->leafs[0].cluster, 0);
        assert_int_equal(map->leaf_parent[0], -1);
        arena_close(arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(every_level_loads_without_a_warning) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
