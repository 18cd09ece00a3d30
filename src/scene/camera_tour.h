/* scene/camera_tour.h -- a way through a level that a program finds by itself, and what is wrong with a way.
 *
 * A level's file has no portals, so the free space is sampled: a grid of boxes that touch nothing solid, joined where
 * they touch one another. The tour goes from one place to the nearest that was not visited yet, by the shortest way that
 * keeps away from walls. */
#ifndef LEAFWALK_CAMERA_TOUR_H
#define LEAFWALK_CAMERA_TOUR_H

#include "bsp/bsp_trace.h"
#include "scene/camera_path.h"

typedef struct TourSetup {
    const Vec3 *places; int place_count;     /* to be visited; none: every cluster */
    Vec3 from;                               /* where it begins: the nearest free place */
    double speed;                            /* units a second; 0: 320 */
    int most;                                /* places visited at most; 0: all */
} TourSetup;

typedef struct TourResult { int wanted, visited; } TourResult;    /* places, or clusters that a leaf of the tree has */

/* NULL: the level has no free place to begin in, or one that holds nothing to visit. */
CameraPath *camera_tour(const Map *map, const Collision *collision, const TourSetup *setup, TourResult *result, Error *error);

typedef enum LintKind { LINT_SOLID, LINT_OUTSIDE, LINT_WALL, LINT_SPEED, LINT_TURN, LINT_KINDS } LintKind;
const char *lint_name(int kind);             /* "solid", "outside", "wall", "speed", "turn" */
typedef struct LintSetup { double clearance, speed, turn; } LintSetup;    /* units, units a second a second, degrees a second; 0: 8, 4000, 360 */
typedef struct LintFinding { LintKind kind; double from, to; double origin[3]; double worst; } LintFinding;    /* worst: the speed's change, the turning; else 0 */

/* Asks the path every 4 units and every 1/60 s; neighbours of one kind are one finding. Returns how many there are. */
int camera_lint(CameraPath *path, const Map *map, const Collision *collision, const LintSetup *setup, LintFinding *out, int room);

#endif
