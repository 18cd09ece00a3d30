/* sim/trajectory.h -- where a thing is at a time, from how it was set going (format.md 6.3). */
#ifndef LEAFWALK_TRAJECTORY_H
#define LEAFWALK_TRAJECTORY_H

#include "base/base.h"

typedef enum TrajectoryKind { TRAJECTORY_STILL, TRAJECTORY_LINEAR, TRAJECTORY_LINEAR_STOP, TRAJECTORY_EASE_STOP, TRAJECTORY_SINE, TRAJECTORY_GRAVITY } TrajectoryKind;

typedef struct Trajectory {
    TrajectoryKind kind;
    double start, duration;    /* seconds; duration of the STOPs, and one cycle of SINE */
    Vec3 base, delta;          /* delta: units a second; SINE: the amplitude; GRAVITY: the first velocity */
    Vec3 end;                  /* of the STOPs: where it is afterwards, to the bit */
} Trajectory;

#define TRAJECTORY_GRAVITY_DEFAULT 800.0f    /* the engine's constant, not the game's variable */

Vec3 trajectory_at(const Trajectory *trajectory, double time);
Vec3 trajectory_velocity(const Trajectory *trajectory, double time);
Trajectory trajectory_still(Vec3 where);
bool trajectory_stops(const Trajectory *trajectory);                    /* it comes to an end by itself */
/* To `to` in `seconds`, then it stays; `ease`: slow at both ends, in place of one speed. */
Trajectory trajectory_move(Vec3 from, Vec3 to, double start, double seconds, bool ease);

#endif
