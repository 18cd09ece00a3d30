/* scene/path_track.h -- what a camera path is made of: numbers over time that never overshoot, and turns. */
#ifndef LEAFWALK_PATH_TRACK_H
#define LEAFWALK_PATH_TRACK_H

#include "base/base.h"

/* Numbers at times. Between two that rise it rises, between equal ones it stays: monotone. */
typedef struct Track { ARRAY(double) at, value, slope; } Track;
typedef enum TrackKind {
    TRACK_CUBIC,                 /* its slope has no jumps */
    TRACK_SMOOTH                 /* nor has the slope's slope (which is 0 at the keys) */
} TrackKind;

void track_add(Track *track, double at, double value);       /* in order of `at` */
void track_slopes(Track *track, bool round);                 /* after the last was added; round: the last is the first again */
bool track_moves(const Track *track, int index);             /* its value changes on both sides (on the one, at an end) */
double track_at(const Track *track, double at, TrackKind kind);    /* the ends' values outside; 0 of an empty one */
void track_free(Track *track);

typedef struct Quat { double w, v[3]; } Quat;
typedef struct Turn { double v[3]; } Turn;                   /* an axis times half an angle: a unit quaternion's logarithm */

Quat quat_from_angles(const double angles[3]);               /* Quake's: pitch down positive, yaw left positive, roll; degrees */
void quat_to_angles(Quat q, double angles[3]);
Quat quat_multiply(Quat a, Quat b);
Quat quat_inverse(Quat q);
Quat quat_near(Quat q, Quat to);                             /* of the two that turn alike, that in the same half as `to` */
Turn quat_log(Quat q);
Quat quat_exp(Turn turn);
Quat quat_slerp(Quat a, Quat b, double u);
Quat quat_squad(Quat a, Quat a_inner, Quat b_inner, Quat b, double u);

#endif
