/* app/cmd_bench.c -- `leafwalk bench`: frame times per view and stage, load times, calls from Lua, traces, the machine's limit. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "app/bench.h"
#include "app/bench_limit.h"
#include "app/json.h"

typedef struct Stage { const char *name; Series times; } Stage;

typedef struct ViewResult {
    const BenchView *view;
    Series frames;
    ARRAY(Stage) stages;
    Series submit;
    int faces, draw_calls;
} ViewResult;

typedef struct LoadResult { const char *map; double ms; size_t file_bytes, memory; BenchFigures calls; } LoadResult;

typedef struct Bench {
    App *app;
    Arena *arena;
    void (*finish)(void);            /* waits until the picture is done; NULL: drawing already does */
    ARRAY(ViewResult) views;
    ARRAY(LoadResult) loads;
    double limit_ms;
    char machine[256];
} Bench;

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double series_at(Series *series, double part) {
    if (!series->count)
        return 0;
    qsort(series->at, series->count, sizeof *series->at, by_size);
    return series->at[(size_t)(part * (double)(series->count - 1) + 0.5)];
}

/* What the machine is: the processor's name, its threads, and who draws GL on it. */
static void name_machine(Bench *bench) {
    typedef const unsigned char *GetString(unsigned name);
    enum { GL_RENDERER_NAME = 0x1f01 };
    char model[128] = "unknown processor";
    FILE *file = fopen("/proc/cpuinfo", "r");
    char line[256];
    while (file && fgets(line, sizeof line, file)) {
        const char *value = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !value)
            continue;
        text_copy(model, sizeof model, value + 2);
        model[strcspn(model, "\n")] = 0;
        break;
    }
    if (file)
        fclose(file);
    const char *gl = NULL;
    GetString *get = NULL;
    void *address = bench->finish ? platform_gl_loader("glGetString") : NULL;
    memcpy(&get, &address, sizeof get);    /* ISO C has no cast from an object's to a function's pointer */
    if (get)
        gl = (const char *)get(GL_RENDERER_NAME);
    snprintf(bench->machine, sizeof bench->machine, "%s, %d threads%s%s%s", model, jobs_machine_threads(),
             limit_has_avx2() ? ", AVX2" : "", gl ? "; " : "", gl ? gl : "");
}

static Series *stage_of(ViewResult *result, const char *name) {
    for (size_t i = 0; i < result->stages.count; i++)
        if (strcmp(result->stages.at[i].name, name) == 0)
            return &result->stages.at[i].times;
    Stage *stage = array_push(&result->stages);
    *stage = (Stage){ .name = name };
    return &stage->times;
}

static void add_stages(Bench *bench, ViewResult *result) {
    Engine *engine = bench->app->engine;
    const RenderStat *stats;
    int count = engine->renderer->stats(engine_renderer_self(engine, engine->renderer), &stats);
    for (int i = 0; i < count; i++) {
        if (text_ends_fold(stats[i].name, "_ms"))
            *array_push(stage_of(result, arena_text(bench->arena, stats[i].name))) = stats[i].value;
        else if (strcmp(stats[i].name, "draw_calls") == 0)
            result->draw_calls = (int)stats[i].value;
    }
}

/* One frame as the window makes it, without scripts; the time of its parts in milliseconds. */
static bool one_frame(Bench *bench, ViewResult *result, Error *error) {
    Engine *engine = bench->app->engine;
    double start = clock_seconds();
    engine_frame_begin(engine, bench->app->options.width, bench->app->options.height);
    double filled = clock_seconds();
    if (!engine_frame_draw(engine, error))
        return false;
    double drawn = clock_seconds();
    if (bench->finish)
        bench->finish();
    double done = clock_seconds();
    if (!result)
        return true;
    *array_push(&result->frames) = (done - start) * 1000;
    *array_push(&result->submit) = (drawn - filled) * 1000;
    *array_push(stage_of(result, "scene_ms")) = (filled - start) * 1000;
    *array_push(stage_of(result, "submit_ms")) = (drawn - filled) * 1000;
    *array_push(stage_of(result, "finish_ms")) = (done - drawn) * 1000;
    add_stages(bench, result);
    result->faces = engine->frame.face_count;
    return true;
}

static bool run_view(Bench *bench, const BenchView *view, Error *error) {
    enum { WARM_UP = 3, LEAST = 5 };
    Engine *engine = bench->app->engine;
    bool open = engine->current && bench_same_map(engine->current->map->path, view->map);
    if (!open && !engine_open_map(engine, view->map, error))
        return false;
    engine->scene.origin = view->origin;
    engine->scene.angles = view->angles;
    engine->scene.fov = view->fov;
    for (int i = 0; i < WARM_UP; i++) {
        if (!one_frame(bench, NULL, error))
            return false;
        assets_wait(engine->assets);    /* the first frame asked for the pictures */
    }
    ViewResult result = { .view = view };
    double end = clock_seconds() + (bench->app->options.seconds > 0 ? bench->app->options.seconds : 2);
    bool fine = true;
    while (fine && (clock_seconds() < end || result.frames.count < LEAST))
        fine = one_frame(bench, &result, error);
    *array_push(&bench->views) = result;    /* freed with the others */
    return fine;
}

static bool read_level(Engine *engine, const char *path, FileBytes *out, Error *error) {
    return file_exists_disk(path) ? file_read_disk(path, out, error) : files_read(engine->files, path, out, error);
}

/* Loading and validating, without pictures and without reading the file: the median of several. */
static bool measure_load(Bench *bench, const char *map, Error *error) {
    enum { RUNS = 9 };
    Engine *engine = bench->app->engine;
    FileBytes bytes;
    const char *path = arena_text(bench->arena, engine->current->map->path);
    if (!read_level(engine, path, &bytes, error))
        return false;
    LoadResult result = { .map = map, .file_bytes = bytes.size };
    Series times = { 0 };
    bool fine = true;
    for (int i = 0; i < RUNS && fine; i++) {
        Arena *arena = arena_open();
        double start = clock_seconds();
        fine = bsp_load(arena, path, bytes.bytes, bytes.size, NULL, error) != NULL;
        *array_push(&times) = (clock_seconds() - start) * 1000;
        result.memory = arena_used(arena);
        arena_close(arena);
    }
    file_free(&bytes);
    result.ms = series_at(&times, 0.5);
    array_free(&times);
    fine = fine && bench_scripts(bench->app, &result.calls, error);
    if (fine)
        bench_traces(bench->app, &result.calls);
    *array_push(&bench->loads) = result;
    return fine;
}

static bool run_views(Bench *bench, const BenchViews *views, Error *error) {
    for (int i = 0; i < views->count; i++) {
        const BenchView *view = &views->at[i];
        bool known = false;
        if (!run_view(bench, view, error))
            return false;
        for (size_t k = 0; k < bench->loads.count; k++)
            known |= bench_same_map(bench->loads.at[k].map, view->map);
        if (!known && !measure_load(bench, view->map, error))
            return false;
    }
    return true;
}

static double median_of_all(Bench *bench) {
    Series all = { 0 };
    for (size_t i = 0; i < bench->views.count; i++)
        for (size_t k = 0; k < bench->views.at[i].frames.count; k++)
            *array_push(&all) = bench->views.at[i].frames.at[k];
    double median = series_at(&all, 0.5);
    array_free(&all);
    return median;
}

static void print_json(Bench *bench) {
    const Options *options = &bench->app->options;
    Json json = { 0 };
    json_open(&json, NULL, '{');
    json_add_text(&json, "machine", bench->machine);
    json_add_text(&json, "rasterizer", bench->app->engine->renderer->name);
    json_add_number(&json, "width", options->width);
    json_add_number(&json, "height", options->height);
    json_add_number(&json, "threads", jobs_threads(bench->app->engine->jobs));
    json_add_number(&json, "limit_ms", bench->limit_ms);
    json_add_number(&json, "ms_median", median_of_all(bench));
    json_open(&json, "views", '[');
    for (size_t i = 0; i < bench->views.count; i++) {
        ViewResult *result = &bench->views.at[i];
        json_open(&json, NULL, '{');
        json_add_text(&json, "name", result->view->name);
        json_add_text(&json, "map", result->view->map);
        json_add_number(&json, "frames", (double)result->frames.count);
        json_add_number(&json, "ms_min", series_at(&result->frames, 0));
        json_add_number(&json, "ms_median", series_at(&result->frames, 0.5));
        json_add_number(&json, "ms_p99", series_at(&result->frames, 0.99));
        json_add_number(&json, "faces", result->faces);
        json_add_number(&json, "draw_calls", result->draw_calls);
        json_open(&json, "stages", '{');
        for (size_t k = 0; k < result->stages.count; k++)
            json_add_number(&json, result->stages.at[k].name, series_at(&result->stages.at[k].times, 0.5));
        json_close(&json, '}');
        json_close(&json, '}');
    }
    json_close(&json, ']');
    json_open(&json, "levels", '[');
    for (size_t i = 0; i < bench->loads.count; i++) {
        const LoadResult *load = &bench->loads.at[i];
        json_open(&json, NULL, '{');
        json_add_text(&json, "map", load->map);
        json_add_number(&json, "load_ms", load->ms);
        json_add_number(&json, "file_bytes", (double)load->file_bytes);
        json_add_number(&json, "memory_bytes", (double)load->memory);
        for (size_t k = 0; k < load->calls.count; k++)
            json_add_number(&json, load->calls.at[k].name, load->calls.at[k].value);
        json_close(&json, '}');
    }
    json_close(&json, ']');
    json_close(&json, '}');
    app_say(text_of(&json.text));
    text_free(&json.text);
}

static void print_text(Bench *bench) {
    const Options *options = &bench->app->options;
    printf("%s\n%s %dx%d, %d threads\n\n", bench->machine, bench->app->engine->renderer->name, options->width, options->height,
           jobs_threads(bench->app->engine->jobs));
    printf("%-20s %-14s %8s %8s %8s %8s %6s %6s\n", "view", "map", "min ms", "median", "p99", "submit", "faces", "calls");
    for (size_t i = 0; i < bench->views.count; i++) {
        ViewResult *result = &bench->views.at[i];
        printf("%-20s %-14s %8.3f %8.3f %8.3f %8.3f %6d %6d\n", result->view->name, result->view->map, series_at(&result->frames, 0),
               series_at(&result->frames, 0.5), series_at(&result->frames, 0.99), series_at(&result->submit, 0.5), result->faces,
               result->draw_calls);
        printf("   ");
        for (size_t k = 0; k < result->stages.count; k++)
            printf(" %s %.3f", result->stages.at[k].name, series_at(&result->stages.at[k].times, 0.5));
        printf("\n");
    }
    printf("\nmedian of all frames %.3f ms; the machine's limit for one layer of this size %.3f ms\n", median_of_all(bench), bench->limit_ms);
    for (size_t i = 0; i < bench->loads.count; i++) {
        const LoadResult *load = &bench->loads.at[i];
        printf("\n%s: loads in %.2f ms; memory %.2f times its file's %zu bytes\n", load->map, load->ms,
               (double)load->memory / (double)MAX(load->file_bytes, 1), load->file_bytes);
        for (size_t k = 0; k < load->calls.count; k++)
            printf("  %8.3f %s\n", load->calls.at[k].value, load->calls.at[k].what);
    }
}

static void bench_free(Bench *bench) {
    for (size_t i = 0; i < bench->views.count; i++) {
        ViewResult *result = &bench->views.at[i];
        for (size_t k = 0; k < result->stages.count; k++)
            array_free(&result->stages.at[k].times);
        array_free(&result->stages);
        array_free(&result->frames);
        array_free(&result->submit);
    }
    for (size_t i = 0; i < bench->loads.count; i++)
        array_free(&bench->loads.at[i].calls);
    array_free(&bench->views);
    array_free(&bench->loads);
    arena_close(bench->arena);
}

int cmd_bench(App *app) {
    int status;
    Error error;
    const char *map = app_word(app, 0);
    app->quiet_below = LOG_ERROR;    /* what is odd about the levels is check's to say */
    if (!*map && !app->options.views)
        map = app_default_map(app);
    if (!app_use_renderer(app, &status))
        return status;
    Bench bench = { .app = app, .arena = arena_open() };
    if (strcmp(app->engine->renderer->name, "gl") == 0) {
        void *address = platform_gl_loader("glFinish");
        memcpy(&bench.finish, &address, sizeof bench.finish);
    }
    name_machine(&bench);
    BenchViews views;
    if (bench_views(app, map, bench.arena, &views, &error) && run_views(&bench, &views, &error)) {
        bench.limit_ms = limit_measure(app->engine->jobs, app->options.width, app->options.height);
        if (app->options.json)
            print_json(&bench);
        else
            print_text(&bench);
        status = STATUS_FINE;
    } else {
        status = app_failed(&error);
    }
    bench_free(&bench);
    return status;
}
