/* bsp/bsp_trace.h -- what a point, a box or a capsule meets on its way through a level.
 *
 * The rules are the engine's (format.md 7.2, 7.3): a trace stops 1/8 unit off what it hits; brushes count with the
 * contents of their own texture and report the flags of the side that was hit; curves collide as facets of a coarser
 * tessellation than the drawn one, from their front only. Nothing is marked in the map, so several threads may trace at
 * once. */
#ifndef LEAFWALK_BSP_TRACE_H
#define LEAFWALK_BSP_TRACE_H

#include "bsp/bsp.h"
#include "bsp/flags.h"

#define TRACE_GAP 0.125f    /* how far off a surface a trace stops: it keeps the next one from starting inside */

/* The facets of the curves, made once per map. */
typedef struct Collision Collision;
Collision *bsp_collision(const Map *map, Arena *arena);

typedef struct TraceQuery {
    Vec3 from, to;
    Box box;             /* around the moving point; all 0: a ray */
    bool capsule;        /* a capsule in the box instead of the box itself; upright */
    uint32_t mask;       /* contents that stop it: MASK_SOLID and its kin of flags.h, or any */
} TraceQuery;

typedef struct Trace {
    float fraction;      /* 1: the whole way */
    Vec3 endpos;
    Plane plane;         /* of what was hit; normal 0 when nothing was */
    bool start_solid;    /* began inside something */
    bool all_solid;      /* and never came out */
    uint32_t contents;   /* of the brush or curve hit (or begun in) */
    uint32_t surface_flags;
    int brush, face;     /* which was hit, -1: not one; face only for curves */
    int texture;         /* of the side or curve, -1: none */
    int model;           /* brush model hit: 0 the world, -1 nothing */
} Trace;

/* Through the world (model 0) and its tree. */
Trace bsp_trace(const Map *map, const Collision *collision, const TraceQuery *query);
/* Through one brush model standing at `origin`, turned by `angles` (its box stays upright, as in the engine). */
Trace bsp_trace_model(const Map *map, const Collision *collision, int model, Vec3 origin, Vec3 angles, const TraceQuery *query);
/* The same by asking every brush and curve, without the tree: what the tree is checked against. */
Trace bsp_trace_slow(const Map *map, const Collision *collision, const TraceQuery *query);

uint32_t bsp_point_contents(const Map *map, Vec3 point);                                   /* of the world; 0: air */
uint32_t bsp_point_contents_model(const Map *map, int model, Vec3 origin, Vec3 angles, Vec3 point);

#endif
