/* test_shown.c -- the scripts that come with the program run: each for some frames on a level, in null and in gl.
 *
 * The level is a real one where OpenArena's are installed, else our own. */
#include "support/test.h"

#include <stdlib.h>

#include "support/program.h"

static const char *const scripts[] = {
    "scripts/main.lua", "scripts/tools/pvs.lua", "scripts/tools/leafs.lua", "scripts/tools/entities.lua",
    "scripts/tools/speeds.lua", "scripts/examples/01_hello.lua", "scripts/examples/02_where_am_i.lua",
    "scripts/examples/03_visible_boxes.lua", "scripts/examples/04_spawn_points.lua",
    "scripts/examples/05_turning_camera.lua", "scripts/examples/06_markers.lua",
};

static const char real_levels[] = "/usr/share/games/openarena/baseoa/pak1-maps.pk3";

static int open_program(void **state) {
    bool real = file_exists_disk(real_levels);
    const char *all = getenv("LEAFWALK_ALL");
    if (!real && all && *all == '1')
        fail_msg("%s is not there", real_levels);
    Program *program = mem_zeroed(1, sizeof *program);
    program_open(program, real ? "openarena" : NULL, real ? "oa_dm1" : "rooms", false);
    *state = program;
    return 0;
}

static void must_be_fine(const Program *program, const char *what) {
    if (scripts_error(program->scripts))
        fail_msg("%s: %s", what, scripts_error(program->scripts));
}

static size_t things_drawn(const Frame *frame) {
    return frame->lines.count + frame->boxes.count + frame->tints.count + frame->triangles.count + frame->ui.count;
}

/* Presses and lets go of every key that the tools use, a frame apart. */
static void press_keys(Program *program, const char *what) {
    static const char *const keys[] = { "v", "b", "b", "b", "l", "r", "r", "l", "n", ",", ",", ".", "e", "o", "k", "t", "h", "k" };
    for (int i = 0; i < COUNT_OF(keys); i++) {
        scripts_key(program->scripts, keys[i], true);
        program_frame(program, 1.0 / 60);
        must_be_fine(program, what);
        scripts_key(program->scripts, keys[i], false);
    }
}

static void run_one(Program *program, const char *script) {
    Error error;
    Text path = { 0 };
    text_format(&path, LEAFWALK_SOURCE_DIR "/%s", script);
    if (!scripts_add(program->scripts, text_of(&path), &error))
        fail_msg("%s", error.text);
    size_t most = 0;
    for (int frame = 0; frame < 3; frame++) {
        program_frame(program, 1.0 / 60);
        must_be_fine(program, script);
        most = MAX(most, things_drawn(&program->engine->frame));
    }
    if (!most && !strstr(script, "06_markers"))    /* draws what was marked: nothing yet */
        fail_msg("%s draws nothing", script);
    press_keys(program, script);
    Vec3 origin = program->engine->scene.origin;
    program->engine->scene.origin = vec3_at(1e5f, 0, 0);    /* far outside, in no cluster */
    program_frame(program, 1.0 / 60);
    must_be_fine(program, script);
    program->engine->scene.origin = origin;
    if (!engine_reload_map(program->engine, &error))
        fail_msg("%s", error.text);
    scripts_map(program->scripts);
    program_frame(program, 1.0 / 60);
    must_be_fine(program, script);
    if (!scripts_drop(program->scripts, text_of(&path)))
        fail_msg("%s was not there", script);
    text_free(&path);
}

static void run_all(Program *program, const char *renderer) {
    Error error;
    if (!engine_use_renderer(program->engine, renderer, &error))
        fail_msg("%s", error.text);
    for (int i = 0; i < COUNT_OF(scripts); i++)
        run_one(program, scripts[i]);
}

static void each_runs_in_null(void **state) { run_all(*state, "null"); }
static void each_runs_in_gl(void **state) { run_all(*state, "gl"); }

static void markers_are_left_where_the_eye_is(void **state) {
    Program *program = *state;
    Error error;
    if (!engine_use_renderer(program->engine, "null", &error) ||
        !scripts_add(program->scripts, LEAFWALK_SOURCE_DIR "/scripts/examples/06_markers.lua", &error) ||
        !console_run(program->engine->console, "mark a good place", &error))
        fail_msg("%s", error.text);
    Vec3 ahead = axes_from_angles(program->engine->scene.angles).forward;
    program->engine->scene.origin = vec3_add_scaled(program->engine->scene.origin, ahead, -32);
    program_frame(program, 1.0 / 60);
    must_be_fine(program, "06_markers.lua");
    assert_true(program->engine->frame.triangles.count > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(each_runs_in_null, open_program, program_teardown),
        cmocka_unit_test_setup_teardown(each_runs_in_gl, open_program, program_teardown),
        cmocka_unit_test_setup_teardown(markers_are_left_where_the_eye_is, open_program, program_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
