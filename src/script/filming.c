/* script/filming.c -- frames of a film: the clock set, the game and the scripts run, the pictures drawn and handed on. */
#include "script/filming.h"

#include <math.h>
#include <stdio.h>

#include "record/blur.h"
#include "record/passes.h"
#include "script/host_internal.h"

struct Filming {
    Scripts *scripts;
    Film *film;                      /* NULL: color is not among the passes */
    Passes *passes;                  /* NULL: color alone */
    Blur *blur;                      /* NULL: one picture a frame */
    char *path;
    FilmSetup setup;
    const RendererKind *renderer;
    int pictures;                    /* a frame */
    double open;                     /* part of a frame that the shutter is open */
    int64_t next, first_frame;       /* first_frame: the clock's number of frame 0 */
    double start, last;              /* the clock at frame 0; the film's time that the clock is at, before `start` is added */
    unsigned generation;
    bool stopped, busy;              /* busy: within a frame */
};

bool fps_read(const char *text, int64_t *num, int64_t *den) {
    const char *end;
    double number = text_number(text, &end);
    if (end == text || !(number > 0) || number > 1e9)
        return false;
    if (*end == '/') {
        double below;
        if (!text_whole_number(end + 1, &below) || !(below >= 1) || below > 1e9 || below != floor(below) || number != floor(number) || number < 1)
            return false;
        *num = (int64_t)number;
        *den = (int64_t)below;
    } else if (*end) {
        return false;
    } else {
        *den = number == floor(number) ? 1 : 1000;
        *num = (int64_t)(number * (double)*den + 0.5);
    }
    return *num >= *den && *num <= FPS_MOST * *den;
}

static double frame_time(const Filming *filming, int64_t frame) {
    return (double)frame * (double)filming->setup.fps_den / (double)filming->setup.fps_num;
}

/* Where a film without color has its color: nowhere; the passes stand beside it. */
static bool has_color(const char *passes) {
    for (const char *at = passes; (at = strstr(at, "color")); at += 5)
        if ((at == passes || at[-1] == ',') && (!at[5] || at[5] == ','))
            return true;
    return false;
}

static void add_scripts(Scripts *scripts, PassesSetup *setup) {
    for (size_t i = 0; i < scripts->list.count && setup->script_count < PASSES_SCRIPTS; i++)
        if (scripts->list.at[i]->version && !scripts->list.at[i]->behaviour) {
            Version *version = scripts->list.at[i]->version;
            setup->scripts[setup->script_count++] = (PassesScript){ scripts->list.at[i]->shown, version->files.count ? version->files.at[0].hash : 0 };
        }
}

static Passes *open_passes(const Filming *filming, const FilmingSetup *setup, Error *error) {
    Engine *engine = filming->scripts->engine;
    PassesSetup passes = {
        .film = setup->film, .names = setup->passes ? setup->passes : "color", .rasterizer = filming->renderer->name,
        .map = engine->current ? engine->current->map : NULL, .jobs = engine->jobs, .blur = filming->pictures, .shutter = filming->open * 360,
        .seed = filming->scripts->setup.seed, .vars = engine->vars,
        .version = engine->setup.version,
    };
    add_scripts(filming->scripts, &passes);
    return passes_open(&passes, error);
}

Filming *filming_open(Scripts *scripts, const FilmingSetup *setup, Error *error) {
    Engine *engine = scripts->engine;
    const RendererKind *renderer = engine->renderer;
    if (scripts->filming) {
        fail(error, "%s: a film is being made already (%s)", setup->film.path, filming_path(scripts->filming));
        return NULL;
    }
    if (setup->rasterizer || !renderer) {
        const RendererKind *before = engine->renderer;
        if (!engine_use_renderer(engine, setup->rasterizer ? setup->rasterizer : "gl", error) &&
            (setup->rasterizer || !engine_use_renderer(engine, "soft", error)))
            return NULL;
        renderer = engine->renderer;
        if (before)
            engine->renderer = before;
    }
    Filming *filming = mem_zeroed(1, sizeof *filming);
    filming->scripts = scripts;
    filming->setup = setup->film;
    filming->renderer = renderer;
    filming->pictures = CLAMP(setup->blur, 1, BLUR_MOST);
    filming->open = (setup->shutter > 0 ? setup->shutter : 180) / 360;
    filming->path = host_text(setup->film.path);
    filming->setup.path = filming->path;
    filming->setup.encoder = NULL;
    filming->start = engine->clock.now;
    filming->first_frame = engine->clock.frame + engine->clock.ticked;
    filming->last = -frame_time(filming, 1);
    filming->generation = engine->map_generation;
    bool color = !setup->passes || has_color(setup->passes);
    filming->passes = open_passes(filming, setup, error);
    filming->film = filming->passes && color ? film_open(&setup->film, error) : NULL;
    if (!filming->passes || (color && !filming->film)) {
        if (filming->passes)
            passes_close(filming->passes);
        mem_free(filming->path);
        mem_free(filming);
        return NULL;
    }
    if (filming->pictures > 1)
        filming->blur = blur_open(setup->film.width, setup->film.height);
    /* What the first frame's description settles is settled before the first update: so a part that begins later sees
     * the same. */
    engine_frame_begin(engine, setup->film.width, setup->film.height);
    scripts->filming = filming;
    scripts->by_frames = true;
    return filming;
}

int64_t filming_next(const Filming *filming) { return filming->next; }
double filming_time(const Filming *filming) { return filming->start + frame_time(filming, filming->next); }
bool filming_stopped(const Filming *filming) { return filming->stopped; }
void filming_stop(Filming *filming) { filming->stopped = true; }
bool filming_busy(const Filming *filming) { return filming->busy; }
Filming *scripts_filming(const Scripts *scripts) { return scripts->filming; }
const char *filming_path(const Filming *filming) { return filming->path; }

/* The clock stands at frames' own times, never at a sum, unless a script slows or stops it. */
static void run_to(Filming *filming, double to, double step) {
    Scripts *scripts = filming->scripts;
    Engine *engine = scripts->engine;
    EngineClock *clock = &engine->clock;
    bool plain = clock->scale == 1 && !clock->paused;
    if (plain)
        clock->now = filming->start + filming->last;
    engine_tick(engine, step);
    if (plain)
        clock->now = filming->start + to;
    else
        filming->start = clock->now - to;
    filming->last = to;
    clock->frame = filming->first_frame + filming->next;
    if (engine->map_generation != filming->generation) {    /* `map` of a console line, or of an entity */
        filming->generation = engine->map_generation;
        scripts_map(scripts);
    }
    scripts_update(scripts, clock->delta);
    if (engine->map_generation != filming->generation) {
        filming->generation = engine->map_generation;
        scripts_map(scripts);
    }
}

/* The first picture of a frame: 1/fps after that of the frame before it, whatever lay between. */
static void begin_frame(Filming *filming) {
    double at = frame_time(filming, filming->next), step = frame_time(filming, 1);
    run_to(filming, at, filming->pictures > 1 && filming->next ? at - filming->last : step);
}

static double picture_step(const Filming *filming) { return frame_time(filming, 1) * filming->open / filming->pictures; }

void filming_skip(Filming *filming) {
    Engine *engine = filming->scripts->engine;
    filming->busy = true;
    begin_frame(filming);
    for (int i = 0; i < filming->pictures; i++) {
        if (i)
            run_to(filming, frame_time(filming, filming->next) + i * picture_step(filming), picture_step(filming));
        engine_frame_begin(engine, filming->setup.width, filming->setup.height);    /* lw.vis.drawn(), and flares that fade */
    }
    filming->busy = false;
    filming->next++;
}

static bool draw(Filming *filming, Error *error) {
    Scripts *scripts = filming->scripts;
    Engine *engine = scripts->engine;
    engine_frame_begin(engine, filming->setup.width, filming->setup.height);
    scripts_draw(scripts);
    scripts_overlay(scripts);
    if (engine->current)
        assets_wait(engine->assets);
    return engine_frame_draw(engine, error);
}

static bool fine(const Filming *filming, Error *error) {
    const char *wrong = scripts_error(filming->scripts);
    return !wrong || fail(error, "frame %lld: %s", (long long)filming->next, wrong);
}

static bool shoot(Filming *filming, Error *error) {
    Engine *engine = filming->scripts->engine;
    Image image = { 0 };
    for (int i = 0; i < filming->pictures; i++) {
        if (i)
            run_to(filming, frame_time(filming, filming->next) + i * picture_step(filming), picture_step(filming));
        if (!fine(filming, error) || !draw(filming, error) || !fine(filming, error) || !engine_frame_pixels(engine, &image, error))
            return false;
        if (i == 0 && !passes_take(filming->passes, filming->next, &engine->frame, error)) {
            image_free(&image);
            return false;
        }
        if (filming->blur) {
            blur_add(filming->blur, &image);
            image_free(&image);
        }
    }
    if (filming->blur)
        image = blur_take(filming->blur);
    if (filming->film)
        return film_frame(filming->film, filming->next, &image, error);
    image_free(&image);
    return true;
}

/* The lightmaps' pass is another picture of the same frame. */
static bool shoot_lightmap(Filming *filming, Error *error) {
    Engine *engine = filming->scripts->engine;
    if (!passes_want(filming->passes, "lightmap"))
        return true;
    Shade before = engine->shade;
    engine->shade = SHADE_LIGHTMAP;
    engine_frame_begin(engine, filming->setup.width, filming->setup.height);
    engine->shade = before;
    Image image;
    return engine_frame_draw(engine, error) && engine_frame_pixels(engine, &image, error) &&
           passes_picture(filming->passes, "lightmap", filming->next, &image, error);
}

bool filming_frame(Filming *filming, Error *error) {
    Engine *engine = filming->scripts->engine;
    const RendererKind *before = engine->renderer;
    filming->busy = true;
    begin_frame(filming);
    engine->renderer = filming->renderer;
    bool done = shoot_lightmap(filming, error) && shoot(filming, error);
    engine->renderer = before ? before : filming->renderer;
    filming->busy = false;
    filming->next += done;
    return done;
}

bool filming_close(Filming *filming, Error *error) {
    if (!filming)
        return true;
    bool done = film_close(filming->film, error);
    passes_close(filming->passes);
    blur_close(filming->blur);
    filming->scripts->filming = NULL;
    filming->scripts->by_frames = false;
    mem_free(filming->path);
    mem_free(filming);
    return done;
}
