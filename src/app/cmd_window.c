/* app/cmd_window.c -- the window and its loop: input, changed files, clock, scripts, picture. */
#include <stdio.h>

#include "app/window.h"
#include "script/filming.h"

static const char default_script[] = LEAFWALK_SOURCE_DIR "/scripts/main.lua";

static bool is_script(const char *word) { return text_ends_fold(word, ".lua"); }

/* The words are a MAP, unless the first is a script already, and scripts. */
static bool open_words(App *app) {
    int next = 0;
    const char *map = app_word(app, 0);
    if (*map && !is_script(map))
        next = 1;
    else
        map = app_default_map(app);
    if (!app_open_map(app, map))
        return false;
    Error error;
    if (next == (int)app->options.words.count && !scripts_add(app->scripts, default_script, &error))
        app_failed(&error);
    for (; next < (int)app->options.words.count; next++) {
        if (!file_exists_disk(app_word(app, next))) {
            fail(&error, "%s: no such script", app_word(app, next));
            app_failed(&error);
            return false;
        }
        if (!scripts_add(app->scripts, app_word(app, next), &error))
            app_failed(&error);    /* the window opens all the same: its panel shows the error until the file is better */
    }
    return true;
}

static void look_at_files(Window *window) {
    const char *const *paths;
    int count = window->engine->watch ? watch_changes(window->engine->watch, &paths) : 0;
    for (int i = 0; i < count; i++) {
        engine_file_changed(window->engine, paths[i]);
        scripts_changed(window->app->scripts, paths[i]);
    }
}

/* Scripts that are added while a level is open hear of it from the host. */
static void name_window(Engine *engine) {
    Text title = { 0 };
    text_format(&title, "Leafwalk - %s", engine->current->map->name);
    platform_title(engine->platform, text_of(&title));
    text_free(&title);
}

static void tell_of_map(Window *window) {
    if (window->generation == window->engine->map_generation)
        return;
    window->generation = window->engine->map_generation;
    name_window(window->engine);
    scripts_map(window->app->scripts);
}

/* gl's picture goes to the window as it is; another renderer's is brought there by gl. */
static bool show(Engine *engine, int width, int height, Error *error) {
    const RendererKind *kind = renderer_by_name("gl");
    void *gl = engine_renderer_self(engine, kind);
    if (engine->renderer == kind && !engine->compare.on) {
        gl_present(gl, width, height);
    } else {
        Image image;
        if (!engine_frame_pixels(engine, &image, error))
            return false;
        gl_show_image(gl, &image, width, height);
        image_free(&image);
    }
    platform_present(engine->platform);
    return true;
}

/* While a film is made the clock goes by its frames, however long they take. False: none is. */
static bool film(App *app) {
    Filming *filming = scripts_filming(app->scripts);
    Error error;
    if (!filming)
        return false;
    bool fine = filming_frame(filming, &error);
    if (!fine)
        log_error(&app->log, "%s", error.text);
    if (!fine || filming_stopped(filming)) {
        bool closed = filming_close(filming, &error);
        if (fine && !closed)
            log_error(&app->log, "%s", error.text);
    }
    return true;
}

static bool frame(Window *window, double seconds, Error *error) {
    Engine *engine = window->engine;
    App *app = window->app;
    InputEvent event;
    while (platform_poll(engine->platform, &event))
        window_input(window, &event);
    look_at_files(window);
    tell_of_map(window);
    if (window->vsync_version != engine->var.vsync->version) {
        window->vsync_version = engine->var.vsync->version;
        platform_vsync(engine->platform, engine->var.vsync->number != 0);
    }
    int width, height;
    platform_size(engine->platform, &width, &height);
    if (!film(app)) {
        engine_tick(engine, seconds);
        scripts_update(app->scripts, engine->clock.delta);
    }
    engine_frame_begin(engine, width, height);
    scripts_draw(app->scripts);
    scripts_overlay(app->scripts);
    window->console.quiet = scripts_error(app->scripts) != NULL;
    console_view_draw(&window->console, engine);
    return engine_frame_draw(engine, error) && show(engine, width, height, error);
}

static void evaluate(void *user, const char *lua) {
    App *app = user;
    Error error;
    bool more = false;
    bool ran = scripts_line(app->scripts, lua, &more, &error);
    if (more)
        console_print(app->engine->console, LOG_ERROR, "that is not all of a statement");
    else if (!ran)
        console_print(app->engine->console, LOG_ERROR, error.text);
}

static int loop(App *app) {
    enum { FASTEST = 1000 };           /* frames a second: more are no use and cost a core */
    static const double longest = 0.25;    /* a debugger's stop or a sleep is no step of the clock */
    Window window = { .app = app, .engine = app->engine, .focused = true, .generation = app->engine->map_generation };
    name_window(app->engine);
    window.vsync_version = app->engine->var.vsync->version - 1;
    console_view_init(&window.console);
    window.console.evaluate = evaluate;
    window.console.user = app;
    platform_text_input(app->engine->platform, true);
    Error error;
    bool fine = true;
    for (double last = clock_seconds(); fine && !app->engine->quit;) {
        double now = clock_seconds();
        if (now - last < 1.0 / FASTEST) {
            clock_sleep(1.0 / FASTEST - (now - last));
            now = clock_seconds();
        }
        fine = frame(&window, MIN(now - last, longest), &error);
        last = now;
    }
    console_view_free(&window.console);
    return fine ? STATUS_FINE : app_failed(&error);
}

int cmd_window(App *app) {
    int status;
    Shade shade;
    Error error;
    if (!app_shade(app, &shade, &status))
        return status;
    if (!platform_has_display()) {
        fail(&error, "no display here to open a window on (DISPLAY and WAYLAND_DISPLAY say where one is); "
                     "leafwalk render MAP -o FILE.png makes a picture without one");
        return app_failed(&error);
    }
    if (!engine_window(app->engine, app->options.width, app->options.height, &error))
        return app_failed(&error);
    app->to_console = true;
    app->engine->shade = shade;
    app->engine->eye_smooth.on = true;
    app->engine->sounds.hears = true;
    window_default_keys(app->engine->console);
    if (!engine_use_renderer(app->engine, "gl", &error))    /* shows the pictures of the others, too */
        return app_failed(&error);
    if (!app_use_renderer(app, &status))
        return status;
    app_set_fov(app);
    return app_open_scripts(app, false, false, NULL) && open_words(app) ? loop(app) : STATUS_FAILED;
}
