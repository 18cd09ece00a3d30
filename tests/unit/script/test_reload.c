/* Ten thousand reloads leave nothing behind: not in Lua's memory, not (under the address sanitizer) in C's. */
#include "support/test.h"

#include <stdio.h>

#include "support/place.h"

static int setup(void **state) {
    Place *place = place_open();
    place_start(place, NULL, true);
    place_start_scripts(place);
    *state = place;
    return 0;
}

/* The script, whose text says which version it is; every seventh is broken in one of several ways. */
static void write_version(Place *place, int version) {
    static const char *const broken[] = {
        "local x = = 1", "error({})", "return { load = function() error('no') end }", "require 'missing'",
        "lw.console.command('late', function() end); lw.console.variable('late', 1); error('late')",
    };
    Text text = { 0 };
    text_format(&text, "local version = %d\n", version);
    if (version % 7 == 6)
        text_add(&text, broken[version / 7 % COUNT_OF(broken)]);
    else
        text_add(&text,
                 "local shapes = require 'shapes'\n"
                 "local tool = { keys = { v = 'toggle' } }\n"
                 "lw.console.command('hello' .. version % 3, function() end, 'greets')\n"
                 "lw.console.variable('speed', version, 'how fast')\n"
                 "lw.input.bind('f9', 'hello0')\n"
                 "function tool.load(state) state.count = (state.count or 0) + 1 end\n"
                 "function tool.update() coroutine.wrap(function() coroutine.yield(shapes) end)() end\n"
                 "function tool.unload() if version % 11 == 0 then error('in unload') end end\n"
                 "return tool\n");
    remove(temp_path(place->folder, "tool.lua"));    /* a new file: some file systems wait for the disk when an old one is cut */
    temp_text(place->folder, "tool.lua", text_of(&text));
    text_free(&text);
}

static void ten_thousand_reloads_leave_nothing_behind(void **state) {
    Place *place = *state;
    enum { RELOADS = 10000, SETTLED = 2000 };
    temp_text(place->folder, "shapes.lua", "return { box = {} }");
    write_version(place, 0);
    char path[512];
    text_copy(path, sizeof path, temp_path(place->folder, "tool.lua"));
    Error error;
    if (!scripts_add(place->scripts, path, &error))
        fail_msg("%s", error.text);
    size_t highest_early = 0, highest_late = 0;
    for (int i = 1; i <= RELOADS; i++) {
        write_version(place, i);
        scripts_changed(place->scripts, path);
        bool broken = i % 7 == 6;
        if (broken != (scripts_error(place->scripts) != NULL))
            fail_msg("version %d: %s", i, broken ? "no error" : scripts_error(place->scripts));
        scripts_update(place->scripts, 0.01);
        size_t memory = scripts_memory(place->scripts);
        if (i <= SETTLED)
            highest_early = MAX(highest_early, memory);
        else
            highest_late = MAX(highest_late, memory);
    }
    print_message("Lua's memory: at most %zu bytes in the first %d reloads, %zu after them\n", highest_early, SETTLED, highest_late);
    assert_true(highest_late < highest_early + highest_early / 10 + 65536);
    assert_int_equal(scripts_count(place->scripts), 1);
}

static void what_is_watched_reloads_within_a_moment(void **state) {
    Place *place = *state;
    temp_text(place->folder, "shapes.lua", "return { box = {} }");
    temp_text(place->folder, "tool.lua", "require 'shapes'; lw.console.variable('which', 'first'); return {}");
    char path[512];
    text_copy(path, sizeof path, temp_path(place->folder, "tool.lua"));
    Error error;
    if (!scripts_add(place->scripts, path, &error))
        fail_msg("%s", error.text);
    temp_text(place->folder, "shapes.lua", "lw.console.variable('from_shapes', 'second'); return {}");
    double start = clock_seconds();
    bool seen = false;
    while (!seen && clock_seconds() - start < 5) {
        const char *const *paths;
        int count = watch_changes(place->engine->watch, &paths);
        for (int i = 0; i < count; i++)
            scripts_changed(place->scripts, paths[i]);
        const Var *var = var_find(place->vars, "from_shapes");
        seen = var && var->defined;
        clock_sleep(0.002);
    }
    double took = clock_seconds() - start;
    print_message("saved to reloaded: %.0f ms\n", took * 1000);
    assert_true(seen);
}

static void callbacks_that_raise_end_nothing(void **state) {
    Place *place = *state;
    temp_text(place->folder, "tool.lua",
              "local t = {}\n"
              "for _, name in ipairs { 'map', 'update', 'draw', 'overlay', 'key', 'text', 'mouse', 'wheel', 'click', 'unload' } do\n"
              "  t[name] = function() error('kaboom in ' .. name) end\n"
              "end\n"
              "return t\n");
    Error error;
    if (!scripts_add(place->scripts, temp_path(place->folder, "tool.lua"), &error))
        fail_msg("%s", error.text);
    engine_frame_begin(place->engine, 320, 200);
    for (int i = 0; i < 10; i++) {
        scripts_map(place->scripts);
        scripts_update(place->scripts, 0.1);
        scripts_draw(place->scripts);
        scripts_overlay(place->scripts);
        assert_false(scripts_key(place->scripts, "v", true));
        assert_false(scripts_text(place->scripts, "x"));
        assert_false(scripts_mouse(place->scripts, 1, 2));
        assert_false(scripts_wheel(place->scripts, 1));
        assert_false(scripts_click(place->scripts, 1, 2, 3, true));
    }
    const char *text = scripts_error(place->scripts);
    assert_non_null(strstr(text, "kaboom in update"));
    assert_non_null(strstr(text, "kaboom in click"));
    assert_non_null(strstr(text, "(5 times)"));    /* and then it was stopped */
    assert_null(strstr(text, "(6 times)"));
    assert_true(place->engine->frame.ui.count > 0);    /* the panel is in the picture */
    scripts_dismiss(place->scripts);
    assert_null(scripts_error(place->scripts));
}

static void programs_get_their_arguments_and_their_main(void **state) {
    Place *place = *state;
    Error error;
    temp_text(place->folder, "program.lua",
              "#!/usr/bin/env leafwalk\nassert(arg[0]:find('program.lua') and arg[1] == 'a b' and arg[2] == '--x' and select('#', ...) == 2)\n"
              "return { main = function(arg) assert(arg[1] == 'a b'); lw.console.variable('main_ran', 1) end }");
    const char *const words[] = { "a b", "--x" };
    if (!scripts_run_file(place->scripts, temp_path(place->folder, "program.lua"), 2, words, &error))
        fail_msg("%s", error.text);
    assert_non_null(var_find(place->vars, "main_ran"));
    temp_text(place->folder, "broken.lua", "local function f()\n  error('deep')\nend\nf()\n");
    assert_false(scripts_run_file(place->scripts, temp_path(place->folder, "broken.lua"), 0, NULL, &error));
    assert_non_null(strstr(error.text, "broken.lua:2: deep"));
    assert_non_null(strstr(error.text, "stack traceback:"));
    assert_false(scripts_run_file(place->scripts, temp_path(place->folder, "nowhere.lua"), 0, NULL, &error));
    assert_non_null(strstr(error.text, "nowhere.lua"));
}

static void files_are_written_in_one_folder_alone(void **state) {
    Place *place = *state;
    Error error;
    static const char chunk[] =
        "assert(lw.fs.write('notes/a.txt', 'line\\0\\255'))\n"
        "assert(lw.fs.exists('NOTES/A.TXT') and lw.fs.read('notes/a.txt') == 'line\\0\\255')\n"
        "local names = lw.fs.list('notes', '.txt')\n"
        "assert(#names == 1 and names[1] == 'notes/a.txt')\n"
        "for _, name in ipairs { '../out.txt', 'a/../../out.txt', '..\\\\out.txt', 'c:/out.txt', '' } do\n"
        "  local written, why = lw.fs.write(name, 'x')\n"
        "  assert(written == nil and #why > 0, name)\n"
        "end\n";
    if (!scripts_run_chunk(place->scripts, chunk, "chunk", 0, NULL, &error))
        fail_msg("%s", error.text);
    assert_true(file_exists_disk(temp_path(place->folder, "notes/a.txt")));
    assert_false(file_exists_disk(temp_path(place->folder, "../out.txt")));
}

static void lines_of_a_conversation(void **state) {
    Place *place = *state;
    Error error;
    bool more;
    assert_true(scripts_line(place->scripts, "x = 3", &more, &error));
    assert_false(more);
    assert_true(scripts_line(place->scripts, "x + 1", &more, &error));
    assert_true(scripts_line(place->scripts, "for i = 1, 3 do", &more, &error));
    assert_true(more);
    assert_true(scripts_line(place->scripts, "for i = 1, 3 do\nx = x + i end assert(x == 9)", &more, &error));
    assert_false(more);
    assert_false(scripts_line(place->scripts, "x = = 1", &more, &error));
    assert_false(scripts_line(place->scripts, "error('no')", &more, &error));
    assert_true(scripts_line(place->scripts, "", &more, &error));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(ten_thousand_reloads_leave_nothing_behind, setup, place_teardown),
        cmocka_unit_test_setup_teardown(what_is_watched_reloads_within_a_moment, setup, place_teardown),
        cmocka_unit_test_setup_teardown(callbacks_that_raise_end_nothing, setup, place_teardown),
        cmocka_unit_test_setup_teardown(programs_get_their_arguments_and_their_main, setup, place_teardown),
        cmocka_unit_test_setup_teardown(files_are_written_in_one_folder_alone, setup, place_teardown),
        cmocka_unit_test_setup_teardown(lines_of_a_conversation, setup, place_teardown),
    };
    return cmocka_run_group_tests_name("script.reload", tests, NULL, NULL);
}
