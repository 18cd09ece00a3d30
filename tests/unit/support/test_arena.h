/* support/test_arena.h -- an arena for each test of a file: cmocka_unit_test_setup_teardown(test, open_arena, close_arena). */
#ifndef LEAFWALK_TEST_ARENA_H
#define LEAFWALK_TEST_ARENA_H

#include "base/base.h"

static Arena *arena;

static int open_arena(void **state) {
    (void)state;
    arena = arena_open();
    return 0;
}

static int close_arena(void **state) {
    (void)state;
    arena_close(arena);
    return 0;
}

#endif
