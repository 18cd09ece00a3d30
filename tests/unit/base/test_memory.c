/* Arenas, arrays and errors. */
#include "support/test.h"

#include "base/base.h"

static void an_arena_gives_zeroed_aligned_memory_of_any_size(void **state) {
    (void)state;
    Arena *arena = arena_open();
    for (int round = 0; round < 3; round++) {
        size_t total = 0;
        for (size_t size = 0; size < 300000; size = size * 2 + 1) {
            unsigned char *memory = arena_alloc(arena, size);
            assert_int_equal((uintptr_t)memory % 32, 0);
            for (size_t i = 0; i < size; i++)
                assert_int_equal(memory[i], 0);
            memset(memory, 0xaa, size);
            total += size;
        }
        assert_int_equal(arena_used(arena), total);
        arena_reset(arena);
        assert_int_equal(arena_used(arena), 0);
    }
    assert_string_equal(arena_format(arena, "%d %s", 7, "x"), "7 x");
    assert_string_equal(arena_text_n(arena, "abcdef", 3), "abc");
    arena_close(arena);
    arena_close(NULL);
}

static void an_array_keeps_what_was_pushed(void **state) {
    (void)state;
    ARRAY(int) numbers = { 0 };
    for (int i = 0; i < 10000; i++)
        *array_push(&numbers) = i;
    int *more = array_push_n(&numbers, 5);
    for (int i = 0; i < 5; i++)
        more[i] = 10000 + i;
    for (int i = 0; i < 10005; i++)
        assert_int_equal(numbers.at[i], i);
    array_clear(&numbers);
    assert_int_equal(numbers.count, 0);
    array_free(&numbers);
    assert_null(numbers.at);
}

static void an_error_says_where_and_what(void **state) {
    (void)state;
    Error error;
    assert_false(fail(&error, "lump %s ends at %d", "nodes", 70144));
    assert_false(fail_within(&error, "%s: ", "maps/foo.bsp"));
    assert_string_equal(error.text, "maps/foo.bsp: lump nodes ends at 70144");
    assert_false(fail(NULL, "nobody listens"));
    char long_name[3000];
    memset(long_name, 'x', sizeof long_name - 1);
    long_name[sizeof long_name - 1] = 0;
    assert_false(fail_within(&error, "%s", long_name));
    assert_int_equal(strlen(error.text), sizeof error.text - 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_arena_gives_zeroed_aligned_memory_of_any_size),
        cmocka_unit_test(an_array_keeps_what_was_pushed),
        cmocka_unit_test(an_error_says_where_and_what),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
