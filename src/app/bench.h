/* app/bench.h -- what `leafwalk bench` measures. */
#ifndef LEAFWALK_BENCH_H
#define LEAFWALK_BENCH_H

#include "app/app.h"

/* Where the eye stands for one row of the result. */
typedef struct BenchView { const char *name, *map; Vec3 origin, angles; float fov; } BenchView;
typedef struct BenchViews { BenchView *at; int count; } BenchViews;

/* Those of --views (all, or those of `map` where it is not ""), else places where players start in `map`. In `arena`. */
bool bench_views(App *app, const char *map, Arena *arena, BenchViews *out, Error *error);
/* "maps/oa_dm1.bsp", "oa_dm1" and "OA_DM1" are one level. */
bool bench_same_map(const char *a, const char *b);

/* A list of numbers and what is asked of it. */
typedef ARRAY(double) Series;
double series_at(Series *series, double part);       /* 0: the least, 0.5: the median; sorts it */

/* A figure with its name, as "vis_sees_ns". */
typedef struct BenchFigure { const char *name, *what; double value; } BenchFigure;
typedef ARRAY(BenchFigure) BenchFigures;

/* Calls from Lua, on the level that is open: nanoseconds per call, milliseconds to draw the boxes of all clusters. */
bool bench_scripts(App *app, BenchFigures *out, Error *error);
/* Traces through the level that is open. */
void bench_traces(App *app, BenchFigures *out);

#endif
