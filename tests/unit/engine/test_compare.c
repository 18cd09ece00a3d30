/* test_compare.c -- two rasterizers side by side: each has its side of the divider, and the mouse moves that. */
#include "support/test.h"

#include "support/program.h"

static Image picture(Program *program, const char *renderer) {
    Error error;
    Image image;
    if (!engine_use_renderer(program->engine, renderer, &error))
        fail_msg("%s", error.text);
    assets_wait(program->engine->assets);
    program_frame(program, 0);
    if (!engine_frame_pixels(program->engine, &image, &error))
        fail_msg("%s", error.text);
    return image;
}

static void must_be_same(const Image *a, const Image *b, int from, int to) {
    for (int y = 0; y < a->height; y++) {
        size_t at = ((size_t)y * (size_t)a->width + (size_t)from) * 4;
        assert_memory_equal(a->rgba + at, b->rgba + at, (size_t)(to - from) * 4);
    }
}

static void each_has_its_side_of_the_divider(void **state) {
    Program *program = *state;
    Error error;
    Image gl = picture(program, "gl"), soft = picture(program, "soft");
    gl = (image_free(&gl), picture(program, "gl"));    /* once more: by now every texture is there */
    if (!engine_compare(program->engine, true, &error))
        fail_msg("%s", error.text);
    Image both = picture(program, "gl");
    must_be_same(&both, &gl, 0, both.width / 2 - 1);
    must_be_same(&both, &soft, both.width / 2 + 2, both.width);
    assert_int_equal(both.rgba[both.width / 2 * 4], 255);
    assert_true(engine_compare(program->engine, false, &error));
    Image after = picture(program, "gl");
    must_be_same(&after, &gl, 0, after.width);
    image_free(&gl);
    image_free(&soft);
    image_free(&both);
    image_free(&after);
}

static void the_mouse_takes_the_divider_where_it_is(void **state) {
    Program *program = *state;
    Engine *engine = program->engine;
    assert_false(engine_compare_click(engine, 320, true));    /* nothing is compared */
    assert_true(engine_compare(engine, true, NULL));
    program_frame(program, 0);
    assert_false(engine_compare_click(engine, 100, true));
    assert_true(engine_compare_click(engine, 324, true));
    assert_true(engine->compare.held);
    assert_true(engine_compare_click(engine, 500, false));    /* letting go is its own, wherever that happens */
    assert_false(engine->compare.held);
    assert_true(engine_compare(engine, false, NULL));
}

static void the_console_switches_it(void **state) {
    Program *program = *state;
    Console *console = program->engine->console;
    Arena *arena = arena_open();
    Error error;
    assert_true(console_run(console, "compare", &error) && program->engine->compare.on);
    assert_true(console_run(console, "compare on", &error) && program->engine->compare.on);
    assert_true(console_run(console, "compare sideways", &error) && program->engine->compare.on);
    assert_true(console_run(console, "compare", &error) && !program->engine->compare.on);
    assert_string_equal(console_complete(console, "renderer so", arena), "renderer soft ");
    arena_close(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_has_its_side_of_the_divider),
        cmocka_unit_test(the_mouse_takes_the_divider_where_it_is),
        cmocka_unit_test(the_console_switches_it),
    };
    return cmocka_run_group_tests(tests, program_setup, program_teardown);
}
