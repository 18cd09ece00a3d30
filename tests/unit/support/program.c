/* support/program.c -- as the app does it, less the window. */
#include "support/test.h"

#include "support/program.h"

void program_open(Program *program, const char *game, const char *map, bool trust) {
    Error error;
    program->vars = vars_open();
    EngineSetup setup = {
        .threads = 1, .data_folder = LEAFWALK_SOURCE_DIR, .build_folder = LEAFWALK_BUILD_DIR, .vars = program->vars, .game = game,
    };
    program->engine = engine_open(&setup, &error);
    if (!program->engine || !engine_open_map(program->engine, map, &error))
        fail_msg("%s", error.text);
    static const char *const folders[] = { LEAFWALK_SOURCE_DIR "/scripts/lib" };
    ScriptsSetup host = { .engine = program->engine, .trust = trust, .budget = 20, .flies = true, .print_to_stdout = true,
                          .module_folders = folders, .module_folder_count = COUNT_OF(folders) };
    program->scripts = scripts_open(&host, &error);
    if (!program->scripts)
        fail_msg("%s", error.text);
}

void program_close(Program *program) {
    scripts_close(program->scripts);
    engine_close(program->engine);
    vars_close(program->vars);
}

int program_setup(void **state) {
    Program *program = mem_zeroed(1, sizeof *program);
    program_open(program, NULL, "rooms", false);
    *state = program;
    return 0;
}

int program_teardown(void **state) {
    program_close(*state);
    mem_free(*state);
    return 0;
}

void program_run(Program *program, const char *lua) {
    Error error;
    if (!scripts_run_chunk(program->scripts, lua, "test", 0, NULL, &error))
        fail_msg("%s", error.text);
}

void program_frame(Program *program, double seconds) {
    Error error;
    engine_tick(program->engine, seconds);
    scripts_update(program->scripts, program->engine->clock.delta);
    engine_frame_begin(program->engine, 640, 360);
    scripts_draw(program->scripts);
    scripts_overlay(program->scripts);
    if (!engine_frame_draw(program->engine, &error))
        fail_msg("%s", error.text);
}
