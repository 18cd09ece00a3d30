/* sim/trajectory.c -- the five ways to move without asking anybody. */
#include "sim/trajectory.h"

#include "base/trig.h"

#define TURN (2 * 3.14159265358979323846)

static double elapsed(const Trajectory *t, double time) {
    double passed = time - t->start;
    if (!trajectory_stops(t))
        return passed;
    passed = CLAMP(passed, 0, t->duration);
    if (t->kind == TRAJECTORY_LINEAR_STOP)
        return passed;
    double part = passed / t->duration;
    return t->duration * part * part * (3 - 2 * part);    /* as if time itself went slowly at both ends */
}

static Vec3 along(Vec3 base, Vec3 delta, double factor) {
    return vec3_at((float)(base.x + delta.x * factor), (float)(base.y + delta.y * factor), (float)(base.z + delta.z * factor));
}

Vec3 trajectory_at(const Trajectory *t, double time) {
    if (trajectory_stops(t) && time - t->start >= t->duration)
        return t->end;
    double s = elapsed(t, time);
    switch (t->kind) {
        case TRAJECTORY_LINEAR:
        case TRAJECTORY_LINEAR_STOP:
        case TRAJECTORY_EASE_STOP:
            return along(t->base, t->delta, s);
        case TRAJECTORY_SINE:
            return along(t->base, t->delta, t->duration > 0 ? trig_sin(s / t->duration * TURN) : 0);
        case TRAJECTORY_GRAVITY: {
            Vec3 at = along(t->base, t->delta, s);
            at.z -= (float)(0.5 * (double)TRAJECTORY_GRAVITY_DEFAULT * s * s);
            return at;
        }
        case TRAJECTORY_STILL:
            break;
    }
    return t->base;
}

Vec3 trajectory_velocity(const Trajectory *t, double time) {
    double s = time - t->start;
    switch (t->kind) {
        case TRAJECTORY_LINEAR:
            return t->delta;
        case TRAJECTORY_LINEAR_STOP:
            return s >= 0 && s < t->duration ? t->delta : vec3_at(0, 0, 0);
        case TRAJECTORY_EASE_STOP:
            return s >= 0 && s < t->duration ? vec3_scale(t->delta, (float)(6 * s / t->duration * (1 - s / t->duration))) : vec3_at(0, 0, 0);
        case TRAJECTORY_SINE:
            return t->duration > 0 ? vec3_scale(t->delta, (float)(trig_cos(s / t->duration * TURN) * TURN / t->duration)) : vec3_at(0, 0, 0);
        case TRAJECTORY_GRAVITY:
            return vec3_at(t->delta.x, t->delta.y, (float)(t->delta.z - (double)TRAJECTORY_GRAVITY_DEFAULT * s));
        case TRAJECTORY_STILL:
            break;
    }
    return vec3_at(0, 0, 0);
}

Trajectory trajectory_still(Vec3 where) { return (Trajectory){ .kind = TRAJECTORY_STILL, .base = where }; }

bool trajectory_stops(const Trajectory *t) { return t->kind == TRAJECTORY_LINEAR_STOP || t->kind == TRAJECTORY_EASE_STOP; }

Trajectory trajectory_move(Vec3 from, Vec3 to, double start, double seconds, bool ease) {
    if (!(seconds > 0))
        return trajectory_still(to);
    return (Trajectory){ ease ? TRAJECTORY_EASE_STOP : TRAJECTORY_LINEAR_STOP, start, seconds, from, vec3_scale(vec3_sub(to, from), (float)(1 / seconds)), to };
}
