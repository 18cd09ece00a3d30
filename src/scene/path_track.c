/* scene/path_track.c -- monotone curves through numbers; quaternions. Only additions, products, roots and base/trig. */
#include "scene/path_track.h"

#include <math.h>

#include "base/trig.h"

void track_add(Track *track, double at, double value) {
    *array_push(&track->at) = at;
    *array_push(&track->value) = value;
    *array_push(&track->slope) = 0;
}

void track_free(Track *track) {
    array_free(&track->at);
    array_free(&track->value);
    array_free(&track->slope);
}

static double step_of(const Track *track, size_t i) {
    double span = track->at.at[i + 1] - track->at.at[i];
    return span > 0 ? (track->value.at[i + 1] - track->value.at[i]) / span : 0;
}

/* The parabola's slope through three numbers, 0 at a turning point, and no steeper than twice the flatter side: the
 * quintic of track_at stays monotone up to a sum of slopes of more than four times the mean, a cubic up to three each. */
static double middle_slope(double left, double right, double left_span, double right_span) {
    if (left * right <= 0)
        return 0;
    double slope = (left * right_span + right * left_span) / (left_span + right_span);
    double most = 2 * MIN(fabs(left), fabs(right));
    return CLAMP(slope, -most, most);
}

void track_slopes(Track *track, bool round) {
    size_t count = track->at.count;
    if (count < 2)
        return;
    size_t last = count - 1;
    for (size_t i = 1; i < last; i++) {
        double left = track->at.at[i] - track->at.at[i - 1], right = track->at.at[i + 1] - track->at.at[i];
        track->slope.at[i] = left > 0 && right > 0 ? middle_slope(step_of(track, i - 1), step_of(track, i), left, right) : 0;
    }
    track->slope.at[0] = step_of(track, 0);
    track->slope.at[last] = step_of(track, last - 1);
    if (round) {
        double left = track->at.at[last] - track->at.at[last - 1], right = track->at.at[1] - track->at.at[0];
        track->slope.at[0] = track->slope.at[last] = middle_slope(step_of(track, last - 1), step_of(track, 0), left, right);
    }
}

bool track_moves(const Track *track, int index) {
    size_t i = (size_t)index;
    return (i == 0 || step_of(track, i - 1) != 0) && (i + 1 == track->at.count || step_of(track, i) != 0);
}

double track_at(const Track *track, double at, TrackKind kind) {
    size_t count = track->at.count;
    if (!count)
        return 0;
    if (at <= track->at.at[0])
        return track->value.at[0];
    if (at >= track->at.at[count - 1])
        return track->value.at[count - 1];
    size_t low = 0, high = count - 1;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (track->at.at[middle] <= at)
            low = middle;
        else
            high = middle;
    }
    double span = track->at.at[high] - track->at.at[low], u = (at - track->at.at[low]) / span;
    double from = track->value.at[low], rise = track->value.at[high] - from;
    double m0 = track->slope.at[low] * span, m1 = track->slope.at[high] * span, u2 = u * u, u3 = u2 * u;
    if (kind == TRACK_CUBIC)
        return from + rise * (3 * u2 - 2 * u3) + m0 * (u3 - 2 * u2 + u) + m1 * (u3 - u2);
    return from + rise * u3 * (10 - 15 * u + 6 * u2) + m0 * (u - u3 * (6 - 8 * u + 3 * u2)) - m1 * u3 * (4 - 7 * u + 3 * u2);
}

/* Turns */

Quat quat_multiply(Quat a, Quat b) {
    return (Quat){ a.w * b.w - a.v[0] * b.v[0] - a.v[1] * b.v[1] - a.v[2] * b.v[2],
                   { a.w * b.v[0] + a.v[0] * b.w + a.v[1] * b.v[2] - a.v[2] * b.v[1],
                     a.w * b.v[1] - a.v[0] * b.v[2] + a.v[1] * b.w + a.v[2] * b.v[0],
                     a.w * b.v[2] + a.v[0] * b.v[1] - a.v[1] * b.v[0] + a.v[2] * b.w } };
}

Quat quat_inverse(Quat q) { return (Quat){ q.w, { -q.v[0], -q.v[1], -q.v[2] } }; }

/* Whole turns are taken out first, so that an angle far beyond one loses nothing. */
static double half_radians(double degrees) {
    double turns = degrees - 360 * floor(degrees / 360);
    return trig_radians(turns / 2);
}

Quat quat_from_angles(const double angles[3]) {
    double pitch = half_radians(angles[0]), yaw = half_radians(angles[1]), roll = half_radians(angles[2]);
    Quat z = { trig_cos(yaw), { 0, 0, trig_sin(yaw) } };
    Quat y = { trig_cos(pitch), { 0, trig_sin(pitch), 0 } };
    Quat x = { trig_cos(roll), { trig_sin(roll), 0, 0 } };
    return quat_multiply(quat_multiply(z, y), x);
}

void quat_to_angles(Quat q, double angles[3]) {
    double w = q.w, x = q.v[0], y = q.v[1], z = q.v[2];
    double forward[3] = { 1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y) };
    double flat = sqrt(forward[0] * forward[0] + forward[1] * forward[1]);
    angles[0] = trig_degrees(trig_atan2(-forward[2], flat));
    if (flat > 1e-7) {
        angles[1] = trig_degrees(trig_atan2(forward[1], forward[0]));
        angles[2] = trig_degrees(trig_atan2(2 * (y * z + w * x), 1 - 2 * (x * x + y * y)));
    } else {    /* straight up or down: yaw and roll are one turn, given to yaw */
        angles[1] = trig_degrees(trig_atan2(-2 * (x * y - w * z), 1 - 2 * (x * x + z * z)));
        angles[2] = 0;
    }
}

static double dot(Quat a, Quat b) { return a.w * b.w + a.v[0] * b.v[0] + a.v[1] * b.v[1] + a.v[2] * b.v[2]; }

Quat quat_near(Quat q, Quat to) {
    return dot(q, to) < 0 ? (Quat){ -q.w, { -q.v[0], -q.v[1], -q.v[2] } } : q;
}

Turn quat_log(Quat q) {
    double length = sqrt(q.v[0] * q.v[0] + q.v[1] * q.v[1] + q.v[2] * q.v[2]);
    double scale = length > 1e-12 ? trig_atan2(length, q.w) / length : 1;
    return (Turn){ { q.v[0] * scale, q.v[1] * scale, q.v[2] * scale } };
}

Quat quat_exp(Turn turn) {
    double angle = sqrt(turn.v[0] * turn.v[0] + turn.v[1] * turn.v[1] + turn.v[2] * turn.v[2]);
    double scale = angle > 1e-12 ? trig_sin(angle) / angle : 1;
    return (Quat){ trig_cos(angle), { turn.v[0] * scale, turn.v[1] * scale, turn.v[2] * scale } };
}

Quat quat_slerp(Quat a, Quat b, double u) {
    Turn turn = quat_log(quat_multiply(quat_inverse(a), b));
    for (int i = 0; i < 3; i++)
        turn.v[i] *= u;
    return quat_multiply(a, quat_exp(turn));
}

Quat quat_squad(Quat a, Quat a_inner, Quat b_inner, Quat b, double u) {
    return quat_slerp(quat_slerp(a, b, u), quat_slerp(a_inner, b_inner, u), 2 * u * (1 - u));
}
