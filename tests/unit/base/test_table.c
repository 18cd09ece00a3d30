/* test_table.c -- things by name: found without case, in order, many of them. */
#include "base/base.h"
#include "base/table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

static void a_name_is_found_without_case(void **state) {
    (void)state;
    Table table = { 0 };
    int one = 1, two = 2;
    assert_null(table_find(&table, "a"));
    *table_place(&table, "Wall") = &one;
    assert_ptr_equal(table_find(&table, "wALL"), &one);
    assert_null(table_find(&table, "walls"));
    *table_place(&table, "wall") = &two;
    assert_ptr_equal(table_find(&table, "Wall"), &two);
    assert_int_equal(table.count, 1);
    table_clear(&table);
    assert_null(table_find(&table, "wall"));
    assert_int_equal(table.count, 0);
    table_free(&table);
}

static void many_names_keep_their_order(void **state) {
    (void)state;
    Table table = { 0 };
    Arena *arena = arena_open();
    for (intptr_t i = 0; i < 5000; i++)
        *table_place(&table, arena_format(arena, "name%d", (int)i)) = (void *)(i + 1);
    for (intptr_t i = 0; i < 5000; i++) {
        char name[32];
        snprintf(name, sizeof name, "NAME%d", (int)i);
        assert_int_equal((intptr_t)table_find(&table, name), i + 1);
        assert_int_equal((intptr_t)table.entries[i].value, i + 1);
    }
    assert_int_equal(table.count, 5000);
    table_free(&table);
    arena_close(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_name_is_found_without_case),
        cmocka_unit_test(many_names_keep_their_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
