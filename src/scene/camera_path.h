/* scene/camera_path.h -- a way for the eye through a level: keys, and where the eye is between them.
 *
 * A key says something at a time: any of where the eye is, where it looks, how wide, how tilted. What a key leaves open
 * is decided by its neighbours that do not. Between keys:
 *
 *   time      holds and eases first: they turn the path's seconds into seconds of motion
 *   way       seconds of motion to distance, by a monotone curve through the keys, so that nothing runs backwards
 *   place     distance to a point on the curve: centripetal Catmull-Rom, its two parabolas blended so smoothly that the
 *             acceleration has no jump at a key
 *   turn      quaternions by squad (slerp between two keys), the short way round; or towards a point. Where no key is
 *             tilted the horizon stays level; where keys have a roll of their own, that is all the roll there is
 *   fov, roll monotone cubics
 *
 * Before the first key and after the last the eye stays. Only base/trig is used: the same path on every machine. */
#ifndef LEAFWALK_CAMERA_PATH_H
#define LEAFWALK_CAMERA_PATH_H

#include "base/base.h"

enum { PATH_KEYS_MOST = 65536, PATH_NAME_ROOM = 64 };

/* How the eye goes from a key to the next. */
typedef enum PathCurve {
    PATH_CENTRIPETAL,            /* Catmull-Rom without loops or overshoot at uneven keys */
    PATH_UNIFORM,                /* Catmull-Rom as q3mme has it */
    PATH_LINEAR,
    PATH_HERMITE,                /* by the keys' tangents */
    PATH_HOLD,                   /* stays, then jumps */
    PATH_CURVE_COUNT
} PathCurve;
const char *path_curve_name(int curve);              /* "centripetal", ... NULL past the last */

/* What a key says. */
enum {
    KEY_ORIGIN = 1, KEY_ANGLES = 2, KEY_LOOK = 4, KEY_FOV = 8, KEY_ROLL = 16, KEY_SPEED = 32, KEY_TANGENT = 64,
    KEY_CURVE = 128, KEY_LITERAL = 256    /* LITERAL: to the next key the angles go as written, whole turns too */
};

typedef struct PathKey {
    double t;                    /* seconds */
    unsigned says;               /* KEY_ bits */
    double origin[3], angles[3], look[3], tangent[3];    /* tangent: how far the hermite curve would go by the next key */
    double fov, roll, speed;     /* speed: units a second at this key */
    double hold;                 /* seconds that everything stays here */
    double ease;                 /* 0: passes; 1: comes to rest at this key */
    PathCurve curve;             /* to the next key, where KEY_CURVE is set */
    char look_at[PATH_NAME_ROOM];    /* targetname of what `look` follows; "": a point */
    char name[PATH_NAME_ROOM];   /* the user's, shown and saved */
} PathKey;

typedef enum PathSpeed {
    PATH_BY_TIMES,               /* every key is reached at its time */
    PATH_CONSTANT,               /* one speed all the way, in the time from the first key to the last (or at `speed`) */
    PATH_BY_SPEEDS               /* the keys' speeds; their times follow from them */
} PathSpeed;

typedef struct PathPose { double origin[3], angles[3], fov, roll; unsigned has; } PathPose;    /* has: KEY_ORIGIN, _ANGLES, _FOV, _ROLL */

typedef struct CameraPath CameraPath;

typedef struct PathSettings {
    PathCurve curve;             /* of segments whose key does not choose */
    PathSpeed by;
    double speed;                /* of PATH_CONSTANT, 0: from the times; of PATH_BY_SPEEDS until a key has one */
    double loop;                 /* seconds from the last key back to the first; 0: it ends */
} PathSettings;

CameraPath *camera_path_open(void);
void camera_path_close(CameraPath *path);            /* NULL is fine */

/* Keys are kept in order of time. */
int  camera_path_count(const CameraPath *path);
const PathKey *camera_path_key(const CameraPath *path, int index);
int  camera_path_add(CameraPath *path, const PathKey *key);                   /* where it stands now; -1: too many, or not finite */
int  camera_path_set(CameraPath *path, int index, const PathKey *key);        /* the same; -1 leaves it as it was */
void camera_path_remove(CameraPath *path, int index);
void camera_path_look(CameraPath *path, int index, const double look[3]);     /* what it looks at has moved */
PathSettings camera_path_settings(const CameraPath *path);
bool camera_path_set_settings(CameraPath *path, const PathSettings *settings);    /* false: not finite, below 0 */

double camera_path_duration(CameraPath *path);       /* from time 0 to the last key's end (a loop's: its round's) */
double camera_path_start(CameraPath *path);          /* the first key's time */
double camera_path_length(CameraPath *path);         /* in units */
double camera_path_key_time(CameraPath *path, int index);    /* when it is reached: other than its t where speeds decide */
PathPose camera_path_sample(CameraPath *path, double t);
double camera_path_distance(CameraPath *path, double t);     /* units from the start */

/* Keys that a flight recorded at a fixed rate can do without: leaves those that keep every recorded place within
 * `tolerance` units and every direction within `degrees` of the straight way between its neighbours. Returns how many
 * stay, moved to the front. */
int path_simplify(PathKey *keys, int count, double tolerance, double degrees);

#endif
