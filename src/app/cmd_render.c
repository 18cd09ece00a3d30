/* app/cmd_render.c -- `leafwalk render`: one picture. */
#include <math.h>
#include <stdio.h>

#include "app/app.h"
#include "record/record.h"

static const int fps = 60;    /* of the frames that run before the picture, where scripts are given */

/* Frame i is at time i/fps, never a sum, which would drift; the one that is drawn is the last, at --time. Frame 0 is told
 * that 1/fps went by, as while recording. */
static void run_until(App *app, double time) {
    Engine *engine = app->engine;
    int64_t last = (int64_t)ceil(time * fps - 1e-9);
    unsigned generation = engine->map_generation;
    double before = -1.0 / fps;
    for (int64_t i = 0; i <= last && !scripts_error(app->scripts); i++) {
        double now = i == last ? time : (double)i / fps;
        engine->clock.now = before;
        engine_tick(engine, now - before);
        engine->clock.now = before = now;
        scripts_update(app->scripts, engine->clock.delta);
        if (engine->map_generation != generation) {
            generation = engine->map_generation;
            scripts_map(app->scripts);
        }
    }
}

static bool scripts_fine(App *app) {
    const char *text = scripts_error(app->scripts);
    if (text)
        fprintf(stderr, "leafwalk: %s\n", text);
    return text == NULL;
}

static bool run_scripts(App *app) {
    if (!app_open_scripts(app, true, false, NULL))
        return false;
    for (size_t i = 0; i < app->options.scripts.count; i++) {
        Error error;
        if (!scripts_add(app->scripts, app->options.scripts.at[i], &error)) {
            app_failed(&error);
            return false;
        }
    }
    run_until(app, app->options.time);
    return scripts_fine(app);
}

static void place_eye(App *app) {
    const Options *options = &app->options;
    Scene *scene = &app->engine->scene;
    if (options->origin.given) {
        scene->origin = options->origin.at;
        scene->angles = vec3_at(0, 0, 0);
    }
    if (options->angles.given)
        scene->angles = options->angles.at;
    if (options->origin.given || options->angles.given)
        app->engine->eye_owned = true;    /* the picture asked for is not the player's */
    if (options->fov != 0)
        scene->fov = (float)options->fov;
}

static bool draw(App *app, Image *out, Error *error) {
    Engine *engine = app->engine;
    engine_frame_begin(engine, app->options.width, app->options.height);
    if (app->scripts) {
        scripts_draw(app->scripts);
        scripts_overlay(app->scripts);
    }
    assets_wait(engine->assets);    /* a picture with half of its textures would be another one each time */
    return engine_frame_draw(engine, error) && engine_frame_pixels(engine, out, error);
}

int cmd_render(App *app) {
    const Options *options = &app->options;
    int status;
    Shade shade;
    if (!options->out)
        return app_refused("render needs -o FILE.png");
    if (!text_ends_fold(options->out, ".png"))
        return app_refused("-o %s: pictures are written as .png", options->out);
    if (!app_shade(app, &shade, &status) || !app_use_renderer(app, &status))
        return status;
    app->engine->shade = shade;
    if (!app_open_map(app, app_word(app, 0)))
        return STATUS_FAILED;
    place_eye(app);
    if (!options->scripts.count)
        app->engine->clock.now = options->time;
    else if (!run_scripts(app))
        return STATUS_FAILED;
    Image image;
    Error error;
    if (!draw(app, &image, &error))
        return app_failed(&error);
    bool fine = !app->scripts || scripts_fine(app);
    fine = fine && (record_png(options->out, &image, 6, &error) || app_failed(&error) == STATUS_FINE);
    image_free(&image);
    return fine ? STATUS_FINE : STATUS_FAILED;
}
