/* The console's line: typing, moving by characters, older lines, completion; and what it draws. */
#include "support/test.h"

#include "app/window.h"

typedef struct Place { Vars *vars; Engine *engine; ConsoleView view; } Place;

static int setup(void **state) {
    Place *place = mem_zeroed(1, sizeof *place);
    place->vars = vars_open();
    EngineSetup setup = { .threads = 1, .data_folder = LEAFWALK_SOURCE_DIR, .build_folder = LEAFWALK_BUILD_DIR, .vars = place->vars };
    Error error;
    place->engine = engine_open(&setup, &error);
    assert_non_null(place->engine);
    console_view_init(&place->view);
    *state = place;
    return 0;
}

static int teardown(void **state) {
    Place *place = *state;
    console_view_free(&place->view);
    engine_close(place->engine);
    vars_close(place->vars);
    mem_free(place);
    return 0;
}

static void press(Place *place, const char *key) { console_view_key(&place->view, place->engine, key, false); }

static void letters_go_where_the_cursor_is(void **state) {
    Place *place = *state;
    console_view_text(&place->view, "ac");
    press(place, "left");
    console_view_text(&place->view, "\xc3\xa9");
    assert_string_equal(text_of(&place->view.line), "a\xc3\xa9" "c");
    press(place, "left");
    press(place, "delete");
    assert_string_equal(text_of(&place->view.line), "ac");
    press(place, "home");
    press(place, "backspace");
    press(place, "left");
    console_view_text(&place->view, "x");
    press(place, "end");
    press(place, "right");
    press(place, "backspace");
    press(place, "delete");
    assert_string_equal(text_of(&place->view.line), "xa");
    console_view_text(&place->view, "`");
    assert_string_equal(text_of(&place->view.line), "xa");
    console_view_key(&place->view, place->engine, "u", true);
    press(place, "backspace");
    assert_string_equal(text_of(&place->view.line), "");
}

static void return_runs_the_line_and_keeps_it(void **state) {
    Place *place = *state;
    console_view_text(&place->view, "r.gamma 2");
    press(place, "return");
    assert_true(place->engine->var.gamma->number == 2);
    assert_string_equal(text_of(&place->view.line), "");
    console_view_text(&place->view, "nosuch");
    press(place, "return");
    LogLevel level;
    console_line_count(place->engine->console);
    assert_non_null(strstr(console_line(place->engine->console, 0, &level, NULL), "nosuch"));
    assert_true(level == LOG_ERROR);
    console_view_text(&place->view, "new");
    press(place, "up");
    assert_string_equal(text_of(&place->view.line), "nosuch");
    press(place, "up");
    press(place, "up");
    assert_string_equal(text_of(&place->view.line), "r.gamma 2");
    press(place, "down");
    press(place, "down");
    press(place, "down");
    assert_string_equal(text_of(&place->view.line), "new");
}

static void tab_completes_the_line(void **state) {
    Place *place = *state;
    console_view_text(&place->view, "view lightm");
    press(place, "tab");
    assert_string_equal(text_of(&place->view.line), "view lightmap ");
    assert_true(place->view.cursor == place->view.line.count);
    press(place, "return");
    assert_true(place->engine->shade == SHADE_LIGHTMAP);
    console_view_text(&place->view, "map roo");
    press(place, "tab");
    assert_string_equal(text_of(&place->view.line), "map rooms ");
}

static void note(void *user, const char *lua) { text_add(user, lua); }

static void what_follows_an_equals_sign_is_lua(void **state) {
    Place *place = *state;
    Text ran = { 0 };
    place->view.evaluate = note;
    place->view.user = &ran;
    console_view_text(&place->view, "= \"a;b\"; c");
    press(place, "return");
    assert_string_equal(text_of(&ran), " \"a;b\"; c");
    text_free(&ran);
}

static void scrolling_stays_within_the_lines(void **state) {
    Place *place = *state;
    for (int i = 0; i < 30; i++)
        console_printf(place->engine->console, "line %d", i);
    press(place, "pagedown");
    assert_int_equal(place->view.scroll, 0);
    press(place, "pageup");
    assert_int_equal(place->view.scroll, 10);
    console_view_key(&place->view, place->engine, "home", true);
    assert_int_equal(place->view.scroll, 29);
    console_view_key(&place->view, place->engine, "end", true);
    assert_int_equal(place->view.scroll, 0);
}

static size_t drawn(Place *place) {
    engine_frame_begin(place->engine, 320, 240);
    console_view_draw(&place->view, place->engine);
    return place->engine->frame.ui_vertices.count;
}

static void the_open_console_and_fresh_lines_are_drawn(void **state) {
    Place *place = *state;
    assert_int_equal(drawn(place), 0);
    console_printf(place->engine->console, "abc");
    size_t notice = drawn(place);
    assert_true(notice > 0);
    place->view.open = true;
    assert_true(drawn(place) > notice);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(letters_go_where_the_cursor_is, setup, teardown),
        cmocka_unit_test_setup_teardown(return_runs_the_line_and_keeps_it, setup, teardown),
        cmocka_unit_test_setup_teardown(tab_completes_the_line, setup, teardown),
        cmocka_unit_test_setup_teardown(what_follows_an_equals_sign_is_lua, setup, teardown),
        cmocka_unit_test_setup_teardown(scrolling_stays_within_the_lines, setup, teardown),
        cmocka_unit_test_setup_teardown(the_open_console_and_fresh_lines_are_drawn, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
