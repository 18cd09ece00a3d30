/* test_controls.c -- lw.ui's controls answer to clicks and keys, and keep them from others. */
#include "support/test.h"

#include "support/program.h"

static int open_program(void **state) {
    Program *program = mem_zeroed(1, sizeof *program);
    program_open(program, NULL, "rooms", false);
    program_run(program, "on, size, mode, name, hits, returns = false, 5, 'a', 'x', 0, 0\n"
                         "function all()\n"
                         "  lw.ui.panel('Options', 100, 50, 200)\n"             /* rows from y 82, 24 each */
                         "  lw.ui.label('some words')\n"
                         "  if lw.ui.button('Count') then hits = hits + 1 end\n"
                         "  on = lw.ui.checkbox('boxes', on)\n"
                         "  size = lw.ui.slider('size', size, 0, 10, 1)\n"
                         "  mode = lw.ui.choice('mode', mode, { 'a', 'b', 'c' })\n"
                         "  local ended\n"
                         "  name, ended = lw.ui.input('name', name)\n"
                         "  if ended then returns = returns + 1 end\n"
                         "end\n");
    *state = program;
    return 0;
}

enum { LABEL, BUTTON, CHECKBOX, SLIDER, CHOICE, INPUT };
static float row_y(int row) { return 50 + 8 + 24 + 24 * (float)row + 10; }

static void frame(Program *program) {
    engine_frame_begin(program->engine, 640, 360);
    program_run(program, "all()");
}

static void click(Program *program, float x, int row) {
    assert_true(scripts_click(program->scripts, 1, x, row_y(row), true));
    frame(program);
    assert_true(scripts_click(program->scripts, 1, x, row_y(row), false));
    frame(program);
}

static void a_button_is_clicked_once(void **state) {
    Program *program = *state;
    frame(program);
    click(program, 200, BUTTON);
    frame(program);
    program_run(program, "assert(hits == 1, hits)");
}

static void letting_go_elsewhere_is_no_click(void **state) {
    Program *program = *state;
    frame(program);
    scripts_click(program->scripts, 1, 200, row_y(BUTTON), true);
    frame(program);
    scripts_click(program->scripts, 1, 200, row_y(LABEL), false);
    frame(program);
    program_run(program, "assert(hits == 0, hits)");
}

static void a_click_between_two_frames_counts(void **state) {
    Program *program = *state;
    frame(program);
    scripts_click(program->scripts, 1, 200, row_y(BUTTON), true);
    scripts_click(program->scripts, 1, 200, row_y(BUTTON), false);
    frame(program);
    program_run(program, "assert(hits == 1, hits)");
}

static void boxes_are_ticked_and_choices_go_round(void **state) {
    Program *program = *state;
    frame(program);
    click(program, 110, CHECKBOX);
    program_run(program, "assert(on == true)");
    click(program, 110, CHECKBOX);
    program_run(program, "assert(on == false)");
    click(program, 250, CHOICE);
    program_run(program, "assert(mode == 'b', mode)");
    click(program, 250, CHOICE);
    click(program, 250, CHOICE);
    program_run(program, "assert(mode == 'a', mode)");
}

static void a_slider_follows_the_mouse_as_long_as_it_is_held(void **state) {
    Program *program = *state;
    frame(program);
    scripts_click(program->scripts, 1, 291, row_y(SLIDER), true);
    frame(program);
    program_run(program, "assert(size == 10, size)");
    scripts_pointer(program->scripts, 20, 20);    /* far outside */
    frame(program);
    program_run(program, "assert(size == 0, size)");
    assert_true(scripts_click(program->scripts, 1, 20, 20, false));
    frame(program);
    scripts_pointer(program->scripts, 291, row_y(SLIDER));
    frame(program);
    program_run(program, "assert(size == 0, size)");
}

static void letters_go_to_the_text_that_was_clicked(void **state) {
    Program *program = *state;
    frame(program);
    assert_false(scripts_text(program->scripts, "lost"));
    click(program, 250, INPUT);
    assert_true(scripts_text(program->scripts, "y\xc3\xa4"));
    assert_true(scripts_key(program->scripts, "w", true));    /* nobody flies */
    frame(program);
    program_run(program, "assert(name == 'xy\xc3\xa4', name)");
    scripts_key(program->scripts, "backspace", true);
    frame(program);
    program_run(program, "assert(name == 'xy', name)");
    for (int i = 0; i < 5; i++)
        scripts_key(program->scripts, "backspace", true);
    scripts_key(program->scripts, "return", true);
    frame(program);
    program_run(program, "assert(name == '' and returns == 1, name)");
    assert_false(scripts_text(program->scripts, "lost"));
}

static void clicks_beside_a_panel_are_not_kept(void **state) {
    Program *program = *state;
    frame(program);
    assert_false(scripts_click(program->scripts, 1, 20, 20, true));
    assert_false(scripts_click(program->scripts, 1, 20, 20, false));
    assert_false(scripts_click(program->scripts, 3, 200, row_y(BUTTON), true));
    engine_frame_begin(program->engine, 640, 360);    /* a frame without a panel */
    program_run(program, "lw.ui.panel('other', 400, 300)");
    assert_false(scripts_click(program->scripts, 1, 200, row_y(BUTTON), true));
}

static void controls_need_a_panel(void **state) {
    Program *program = *state;
    engine_frame_begin(program->engine, 640, 360);
    program_run(program, "local fine, why = pcall(lw.ui.button, 'x') assert(not fine and why:find('panel'), why)"
                         "lw.ui.panel('p', 0, 0)"
                         "assert(not pcall(lw.ui.slider, 'x', 1, 5, 5)) assert(not pcall(lw.ui.choice, 'x', 1, {}))"
                         "assert(not pcall(lw.ui.panel, 'x', 0, 0, 3)) assert(not pcall(lw.ui.slider, 'x', 0/0, 0, 1))");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_button_is_clicked_once, open_program, program_teardown),
        cmocka_unit_test_setup_teardown(letting_go_elsewhere_is_no_click, open_program, program_teardown),
        cmocka_unit_test_setup_teardown(a_click_between_two_frames_counts, open_program, program_teardown),
        cmocka_unit_test_setup_teardown(boxes_are_ticked_and_choices_go_round, open_program, program_teardown),
        cmocka_unit_test_setup_teardown(a_slider_follows_the_mouse_as_long_as_it_is_held, open_program, program_teardown),
        cmocka_unit_test_setup_teardown(letters_go_to_the_text_that_was_clicked, open_program, program_teardown),
        cmocka_unit_test_setup_teardown(clicks_beside_a_panel_are_not_kept, open_program, program_teardown),
        cmocka_unit_test_setup_teardown(controls_need_a_panel, open_program, program_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
