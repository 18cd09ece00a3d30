/* app/bench_traces.c -- what traces through the level cost: from random places that are free, in random directions. */
#include <math.h>

#include "app/bench.h"
#include "bsp/bsp_trace.h"

enum { TRACES = 4096, TRIES = 400000, ROUNDS = 7 };
static const Box player_box = { { { -15, -15, -24 } }, { { 15, 15, 32 } } };
static const float ray_length = 256, step_length = 16;    /* of a shot across a room; of a step or two of who runs */

typedef struct Traces { const Map *map; const Collision *collision; TraceQuery *queries; int count; } Traces;

/* The same places on every machine: our own numbers, not the library's. */
static float between(uint64_t *seed, float low, float high) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (float)(*seed >> 40) / (float)(1 << 24);
}

static Vec3 direction(uint64_t *seed) {
    for (;;) {
        Vec3 v = vec3_at(between(seed, -1, 1), between(seed, -1, 1), between(seed, -1, 1));
        float length = vec3_length(v);
        if (length > 0.1f && length <= 1)
            return vec3_scale(v, 1 / length);
    }
}

/* A level without free room has none. */
static void make_queries(Traces *traces, Box box, float length) {
    uint64_t seed = 12345;
    Box room = traces->map->bounds;
    traces->count = 0;
    for (int i = 0; i < TRIES && traces->count < TRACES; i++) {
        Vec3 from = vec3_at(between(&seed, room.mins.x, room.maxs.x), between(&seed, room.mins.y, room.maxs.y), between(&seed, room.mins.z, room.maxs.z));
        if (bsp_cluster_at(traces->map, from) < 0)
            continue;
        TraceQuery query = { .from = from, .to = from, .box = box, .mask = MASK_PLAYERSOLID };
        if (bsp_trace(traces->map, traces->collision, &query).start_solid)
            continue;
        query.to = vec3_add_scaled(from, direction(&seed), length);
        traces->queries[traces->count++] = query;
    }
}

/* Nanoseconds of one trace, by `part` of all traces (0.5: the median); each the least of several rounds, in which all
 * others come between, so that none finds what it needs at hand because it was there a moment ago. */
static double time_traces(const Traces *traces, double part) {
    Series least = { 0 };
    volatile float sum = 0;    /* so that the traces are made */
    double overhead = 1;
    for (int i = 0; i < 1000; i++) {
        double start = clock_seconds();
        overhead = fmin(overhead, clock_seconds() - start);
    }
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < traces->count; i++) {
            double start = clock_seconds();
            sum = sum + bsp_trace(traces->map, traces->collision, &traces->queries[i]).fraction;
            double took = clock_seconds() - start - overhead;
            if (round == 0)
                *array_push(&least) = took;
            least.at[i] = fmin(least.at[i], took);
        }
    (void)sum;
    double median = series_at(&least, part);
    array_free(&least);
    return fmax(median, 0) * 1e9;
}

/* Traces a second, all of them one after another. */
static double rate_of(const Traces *traces) {
    volatile float sum = 0;
    double least = 1e30;
    for (int round = 0; round < ROUNDS; round++) {
        double start = clock_seconds();
        for (int i = 0; i < traces->count; i++)
            sum = sum + bsp_trace(traces->map, traces->collision, &traces->queries[i]).fraction;
        least = fmin(least, clock_seconds() - start);
    }
    (void)sum;
    return traces->count / fmax(least, 1e-9);
}

void bench_traces(App *app, BenchFigures *out) {
    Engine *engine = app->engine;
    Arena *arena = arena_open();
    Traces traces = { engine->current->map, engine_collision(engine->current), arena_array(arena, TraceQuery, TRACES), 0 };
    make_queries(&traces, player_box, step_length);
    *array_push(out) = (BenchFigure){ "box_traces_millions", "millions of traces a second of a player's box, 16 units long, on one core", rate_of(&traces) / 1e6 };
    make_queries(&traces, (Box){ 0 }, ray_length);
    *array_push(out) = (BenchFigure){ "ray_256_ns", "ns for a ray of 256 units, the median", time_traces(&traces, 0.5) };
    *array_push(out) = (BenchFigure){ "ray_256_ns_p99", "ns for one of the longest hundredth of them", time_traces(&traces, 0.99) };
    arena_close(arena);
}
