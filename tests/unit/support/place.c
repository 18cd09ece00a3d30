/* support/place.c -- a running program for a test: opened in its order, closed in the other. */
#include "support/place.h"

#include "support/test.h"

Place *place_open(void) {
    Place *place = mem_zeroed(1, sizeof *place);
    place->folder = temp_folder_open();
    kept_log_init(&place->log);
    place->vars = vars_open();
    return place;
}

void place_start(Place *place, const char *data_folder, bool watch) {
    EngineSetup setup = {
        .threads = 1, .data_folder = data_folder ? data_folder : LEAFWALK_SOURCE_DIR, .build_folder = LEAFWALK_BUILD_DIR,
        .vars = place->vars, .log = &place->log.log, .watch = watch, .writable = place->folder->path,
    };
    Error error;
    place->engine = engine_open(&setup, &error);
    if (!place->engine)
        fail_msg("%s", error.text);
}

void place_start_scripts(Place *place) {
    ScriptsSetup host = { .engine = place->engine, .budget = 2 };
    Error error;
    place->scripts = scripts_open(&host, &error);
    if (!place->scripts)
        fail_msg("%s", error.text);
}

int place_setup(void **state) {
    Place *place = place_open();
    place_start(place, NULL, false);
    *state = place;
    return 0;
}

int place_teardown(void **state) {
    Place *place = *state;
    scripts_close(place->scripts);
    engine_close(place->engine);
    vars_close(place->vars);
    kept_log_end(&place->log);
    temp_folder_close(place->folder);
    mem_free(place);
    return 0;
}
