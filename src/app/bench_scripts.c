/* app/bench_scripts.c -- what calls from Lua cost, measured by Lua itself. */
#include <time.h>

#include "app/bench.h"

/* Each measure is the least of several rounds, less what the loop alone takes: the call, not the machine's other work. */
static const char calls_chunk[] =
    "local count = lw.vis.clusters()\n"
    "local a, b = 0, math.max(count - 1, 0)\n"
    "local x, y, z = lw.camera.origin:unpack()\n"
    "local N, ROUNDS = tonumber(arg[1]), 7\n"
    "local function best(run)\n"
    "  local least = math.huge\n"
    "  for _ = 1, ROUNDS do\n"
    "    local start = os.clock()\n"
    "    run()\n"
    "    least = math.min(least, os.clock() - start)\n"
    "  end\n"
    "  return least / N * 1e9\n"
    "end\n"
    "local loop = best(function() for _ = 1, N do end end)\n"
    "local sees, leaf_at, cluster_at, row = lw.vis.sees, lw.bsp.leaf_at, lw.vis.cluster_at, lw.vis.row\n"
    "local figures = {\n"
    "  sees = best(function() for _ = 1, N do sees(a, b) end end) - loop,\n"
    "  leaf_at = best(function() for _ = 1, N do leaf_at(x, y, z) end end) - loop,\n"
    "  cluster_at = best(function() for _ = 1, N do cluster_at(x, y, z) end end) - loop,\n"
    "  row = best(function() for _ = 1, N // 10 do row(a) end end) * 10 - loop,\n"
    "}\n"
    "for name, value in pairs(figures) do lw.console.run(('bench.%s %.3f'):format(name, math.max(value, 0))) end\n";

static const char boxes_chunk[] =
    "local style = { color = { 0.2, 0.8, 0.4, 0.3 } }\n"
    "local start = os.clock()\n"
    "local draw = lw.draw.cluster\n"
    "for c = 0, lw.vis.clusters() - 1 do draw(c, style) end\n"
    "lw.console.run(('bench.boxes %.6f'):format((os.clock() - start) * 1000))\n";

static const struct { const char *var, *name, *what; } rows[] = {
    { "bench.sees", "vis_sees_ns", "ns for lw.vis.sees(a, b)" },
    { "bench.leaf_at", "bsp_leaf_at_ns", "ns for lw.bsp.leaf_at(x, y, z)" },
    { "bench.cluster_at", "vis_cluster_at_ns", "ns for lw.vis.cluster_at(x, y, z)" },
    { "bench.row", "vis_row_ns", "ns for lw.vis.row(c)" },
    { "bench.walk", "leaf_walk_ns", "ns of that for walking down the tree" },
    { "bench.three", "three_numbers_ns", "ns of that for the call with three numbers" },
    { "bench.boxes", "cluster_boxes_ms", "ms in a script that draws the boxes of all clusters" },
};

/* What bsp_leaf_at itself takes at the eye, in nanoseconds. */
static double time_walk(const Engine *engine, int calls) {
    enum { ROUNDS = 7 };
    Series times = { 0 };
    volatile int leaf = 0;    /* so that the calls are made */
    for (int round = 0; round < ROUNDS; round++) {
        clock_t start = clock();    /* the processor's time, as os.clock tells the script */
        for (int i = 0; i < calls; i++)
            leaf = bsp_leaf_at(engine->current->map, engine->scene.origin);
        *array_push(&times) = (double)(clock() - start) / CLOCKS_PER_SEC / calls * 1e9;
    }
    (void)leaf;
    double least = series_at(&times, 0);
    array_free(&times);
    return least;
}

static void keep(Vars *vars, const char *name, double value) {
    Text text = { 0 };
    text_add_number(&text, value);
    var_set(vars, name, text_of(&text), NULL);
    text_free(&text);
}

bool bench_scripts(App *app, BenchFigures *out, Error *error) {
    enum { ROUNDS = 9 };
    int calls = (int)CLAMP((app->options.seconds > 0 ? app->options.seconds : 2) * 100000, 5000.0, 200000.0);    /* a quick look is quick in all its parts */
    Text count = { 0 };
    text_format(&count, "%d", calls);
    const char *const words[] = { text_of(&count) };
    if (!app->scripts) {
        app->options.budget = 0;    /* the measure takes longer than a callback may */
        if (!app_open_scripts(app, false, false, NULL)) {
            text_free(&count);
            return fail(error, "the script host does not open");
        }
    }
    for (int i = 0; i < COUNT_OF(rows); i++)
        var_number(app->vars, rows[i].var, 0, 0, 1e12, "a figure of the benchmark");
    bool ran = scripts_run_chunk(app->scripts, calls_chunk, "(bench)", 1, words, error);
    text_free(&count);
    if (!ran)
        return false;
    double walk = time_walk(app->engine, calls);
    keep(app->vars, "bench.walk", walk);
    keep(app->vars, "bench.three", MAX(var_find(app->vars, "bench.leaf_at")->number - walk, 0));
    Series times = { 0 };
    for (int i = 0; i < ROUNDS; i++) {
        engine_frame_begin(app->engine, 640, 480);
        if (!scripts_run_chunk(app->scripts, boxes_chunk, "(bench)", 0, NULL, error)) {
            array_free(&times);
            return false;
        }
        *array_push(&times) = var_find(app->vars, "bench.boxes")->number;
    }
    for (int i = 0; i < COUNT_OF(rows); i++) {
        double value = var_find(app->vars, rows[i].var)->number;
        if (!strcmp(rows[i].var, "bench.boxes"))
            value = series_at(&times, 0.5);
        *array_push(out) = (BenchFigure){ rows[i].name, rows[i].what, value };
    }
    array_free(&times);
    return true;
}
