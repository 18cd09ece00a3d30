/* scene/camera_path.c -- from keys to a pose: prepared once after a change, then asked for any time. */
#include "scene/camera_path.h"

#include <math.h>

#include "base/trig.h"
#include "scene/path_track.h"

enum { TABLE = 32 };                 /* lengths kept a segment, between which the way is integrated */

typedef struct PathPoint { double at[3]; } PathPoint;

/* A piece of the way between two keys that have an origin. */
typedef struct PathSegment {
    PathCurve curve;
    double p[4][3];                  /* the point before, both ends, the point after */
    double knot[4];                  /* of the Catmull-Rom curves */
    double tangent[2][3];            /* of the Hermite curve */
    double length[TABLE + 1];        /* from its start to i / TABLE */
} PathSegment;

struct CameraPath {
    ARRAY(PathKey) keys;
    PathSettings settings;
    bool ready;

    /* Prepared: */
    ARRAY(PathKey) run;              /* the keys that are run through: a loop has its first once more at the end */
    ARRAY(double) times;             /* of `run`, when each is reached, holds counted */
    ARRAY(double) motion;            /* the same without holds */
    ARRAY(int) placed;               /* those with an origin */
    ARRAY(PathSegment) segments;     /* placed.count - 1 */
    Track way;                       /* motion -> distance */
    Track fov, roll, look[3];
    ARRAY(int) turned;               /* those with angles or a look */
    ARRAY(Quat) turns;               /* by turned */
    ARRAY(Quat) before, after;       /* squad's inner points, left and right of each */
    ARRAY(double) raw[3];            /* the angles as written, by turned */
    bool upright;                    /* no key is tilted: then nothing between them is */
    double length;
};

const char *path_curve_name(int curve) {
    static const char *const names[PATH_CURVE_COUNT] = { "centripetal", "uniform", "linear", "hermite", "hold" };
    return curve >= 0 && curve < PATH_CURVE_COUNT ? names[curve] : NULL;
}

CameraPath *camera_path_open(void) { return mem_zeroed(1, sizeof(CameraPath)); }

static void forget(CameraPath *path) {
    array_free(&path->run);
    array_free(&path->times);
    array_free(&path->motion);
    array_free(&path->placed);
    array_free(&path->segments);
    track_free(&path->way);
    track_free(&path->fov);
    track_free(&path->roll);
    array_free(&path->turned);
    array_free(&path->turns);
    array_free(&path->before);
    array_free(&path->after);
    for (int i = 0; i < 3; i++) {
        track_free(&path->look[i]);
        array_free(&path->raw[i]);
    }
    path->length = 0;
    path->ready = false;
}

void camera_path_close(CameraPath *path) {
    if (!path)
        return;
    forget(path);
    array_free(&path->keys);
    mem_free(path);
}

/* Keys */

static bool finite3(const double v[3]) {
    for (int i = 0; i < 3; i++)
        if (!isfinite(v[i]) || fabs(v[i]) > 1e9)
            return false;
    return true;
}

static bool key_sane(const PathKey *key) {
    return isfinite(key->t) && fabs(key->t) <= 1e7 && finite3(key->origin) && finite3(key->angles) && finite3(key->look) &&
           finite3(key->tangent) && isfinite(key->fov) && isfinite(key->roll) && isfinite(key->speed) && isfinite(key->hold) &&
           isfinite(key->ease) && key->hold >= 0 && key->hold <= 1e7 && key->ease >= 0 && key->ease <= 1 &&
           (!(key->says & KEY_SPEED) || (key->speed > 0 && key->speed <= 1e6)) &&
           (!(key->says & KEY_FOV) || (key->fov >= 1 && key->fov <= 170)) && fabs(key->roll) <= 1e9;
}

int camera_path_count(const CameraPath *path) { return (int)path->keys.count; }

const PathKey *camera_path_key(const CameraPath *path, int index) {
    return index >= 0 && (size_t)index < path->keys.count ? &path->keys.at[index] : NULL;
}

/* After those of the same time, so that keys given in order stay in it. */
int camera_path_add(CameraPath *path, const PathKey *key) {
    if (path->keys.count >= PATH_KEYS_MOST || !key_sane(key))
        return -1;
    size_t at = path->keys.count;
    while (at > 0 && path->keys.at[at - 1].t > key->t)
        at--;
    PathKey copy = *key;
    (void)array_push(&path->keys);
    memmove(path->keys.at + at + 1, path->keys.at + at, (path->keys.count - 1 - at) * sizeof copy);
    path->keys.at[at] = copy;
    path->ready = false;
    return (int)at;
}

void camera_path_remove(CameraPath *path, int index) {
    memmove(path->keys.at + index, path->keys.at + index + 1, (path->keys.count - 1 - (size_t)index) * sizeof *path->keys.at);
    path->keys.count--;
    path->ready = false;
}

int camera_path_set(CameraPath *path, int index, const PathKey *key) {
    if (!key_sane(key))
        return -1;
    PathKey copy = *key;
    camera_path_remove(path, index);
    return camera_path_add(path, &copy);
}

void camera_path_look(CameraPath *path, int index, const double look[3]) {
    if (!finite3(look) || memcmp(path->keys.at[index].look, look, 3 * sizeof *look) == 0)
        return;
    memcpy(path->keys.at[index].look, look, 3 * sizeof *look);
    path->ready = false;
}

PathSettings camera_path_settings(const CameraPath *path) { return path->settings; }

bool camera_path_set_settings(CameraPath *path, const PathSettings *settings) {
    if (!isfinite(settings->speed) || settings->speed < 0 || settings->speed > 1e6 || !isfinite(settings->loop) ||
        settings->loop < 0 || settings->loop > 1e7)
        return false;
    path->settings = *settings;
    path->ready = false;
    return true;
}

/* The curve of one segment */

static double distance3(const double a[3], const double b[3]) {
    double sum = 0;
    for (int i = 0; i < 3; i++)
        sum += (b[i] - a[i]) * (b[i] - a[i]);
    return sqrt(sum);
}

static double mix(double a, double b, double u) { return a + (b - a) * u; }

/* The parabola through three points at three knots, and its slope. */
static void parabola(const double *p0, const double *p1, const double *p2, const double *k, double at, double out[3], double slope[3]) {
    for (int i = 0; i < 3; i++) {
        double d01 = (p1[i] - p0[i]) / (k[1] - k[0]), d12 = (p2[i] - p1[i]) / (k[2] - k[1]);
        double bend = (d12 - d01) / (k[2] - k[0]);
        out[i] = p1[i] + (at - k[1]) * (d01 + bend * (at - k[0]));
        slope[i] = d01 + bend * (at - k[0] + at - k[1]);
    }
}

/* Catmull-Rom is a blend of the parabola through the first three points into that through the last three. Blended
 * evenly it has a jump of acceleration at every key; blended by 3u²-2u³ it leaves a key as that key's parabola on both
 * sides, so the acceleration is continuous. The middle of a segment stays the same. q3mme's keep the even blend. */
static void catmull_rom(const PathSegment *s, double u, double out[3], double slope[3]) {
    double at = mix(s->knot[1], s->knot[2], u), span = s->knot[2] - s->knot[1];
    double a[3], b[3], da[3], db[3];
    parabola(s->p[0], s->p[1], s->p[2], s->knot, at, a, da);
    parabola(s->p[1], s->p[2], s->p[3], s->knot + 1, at, b, db);
    bool even = s->curve == PATH_UNIFORM;
    double w = even ? u : u * u * (3 - 2 * u), dw = even ? 1 : 6 * u * (1 - u);
    for (int i = 0; i < 3; i++) {
        out[i] = mix(a[i], b[i], w);
        slope[i] = mix(da[i], db[i], w) * span + dw * (b[i] - a[i]);
    }
}

static void hermite(const PathSegment *s, double u, double out[3], double slope[3]) {
    double u2 = u * u, u3 = u2 * u;
    for (int i = 0; i < 3; i++) {
        out[i] = s->p[1][i] * (2 * u3 - 3 * u2 + 1) + s->p[2][i] * (3 * u2 - 2 * u3) + s->tangent[0][i] * (u3 - 2 * u2 + u) +
                 s->tangent[1][i] * (u3 - u2);
        slope[i] = (s->p[1][i] - s->p[2][i]) * (6 * u2 - 6 * u) + s->tangent[0][i] * (3 * u2 - 4 * u + 1) +
                   s->tangent[1][i] * (3 * u2 - 2 * u);
    }
}

static void segment_at(const PathSegment *s, double u, double out[3], double slope[3]) {
    switch (s->curve) {
        case PATH_CENTRIPETAL:
        case PATH_UNIFORM:
            catmull_rom(s, u, out, slope);
            break;
        case PATH_HERMITE:
            hermite(s, u, out, slope);
            break;
        default:
            for (int i = 0; i < 3; i++) {
                slope[i] = s->curve == PATH_HOLD ? 0 : s->p[2][i] - s->p[1][i];
                out[i] = s->p[1][i] + slope[i] * u;
            }
    }
}

static double pace(const PathSegment *s, double u) {
    static const double nowhere[3];
    double at[3], slope[3];
    segment_at(s, u, at, slope);
    return distance3(nowhere, slope);
}

/* The length from u to v by Gauss and Legendre's five points: exact to rounding over a part of TABLE. */
static double stretch(const PathSegment *s, double u, double v) {
    static const double place[3] = { 0, 0.53846931010568309, 0.90617984593866399 };
    static const double weight[3] = { 0.56888888888888889, 0.47862867049936647, 0.23692688505618909 };
    double middle = (u + v) / 2, half = (v - u) / 2, sum = weight[0] * pace(s, middle);
    for (int i = 1; i < 3; i++)
        sum += weight[i] * (pace(s, middle - half * place[i]) + pace(s, middle + half * place[i]));
    return sum * half;
}

static void measure(PathSegment *s) {
    s->length[0] = 0;
    for (int i = 0; i < TABLE; i++)
        s->length[i + 1] = s->length[i] + stretch(s, (double)i / TABLE, (double)(i + 1) / TABLE);
}

/* Where on a segment a length lies. */
static double segment_find(const PathSegment *s, double length) {
    if (length <= 0)
        return 0;
    if (length >= s->length[TABLE])
        return 1;
    int low = 0, high = TABLE;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (s->length[middle] <= length)
            low = middle;
        else
            high = middle;
    }
    double from = (double)low / TABLE, to = (double)high / TABLE, span = s->length[high] - s->length[low];
    double u = mix(from, to, span > 0 ? (length - s->length[low]) / span : 0);
    for (int i = 0; i < 6; i++) {    /* Newton: the slope is the pace */
        double off = s->length[low] + stretch(s, from, u) - length, slope = pace(s, u);
        if (slope <= 1e-12 || fabs(off) < 1e-13 * (1 + length))
            break;
        u = CLAMP(u - off / slope, from, to);
    }
    return u;
}

/* Preparing */

static void copy3(double out[3], const double in[3]) { memcpy(out, in, 3 * sizeof *out); }

static const double *place_of(const CameraPath *path, size_t placed) { return path->run.at[path->placed.at[placed]].origin; }

static bool same_place(const double a[3], const double b[3]) { return distance3(a, b) < 1e-9; }

/* The place before (step -1) or after (1) a key that is not the key's own; false: there is none. A loop goes round. */
static bool neighbour(const CameraPath *path, size_t placed, int step, double out[3]) {
    int count = (int)path->placed.count, at = (int)placed;
    const double *here = place_of(path, placed);
    bool round = path->settings.loop > 0;
    for (int i = 1; i < count; i++) {
        int next = at + step * i;
        if (next < 0 || next >= count) {
            if (!round)
                return false;
            next = next < 0 ? next + count - 1 : next - count + 1;    /* the last is the first again */
            if (next < 0 || next >= count)
                return false;
        }
        if (!same_place(here, place_of(path, (size_t)next))) {
            copy3(out, place_of(path, (size_t)next));
            return true;
        }
    }
    return false;
}

static void hermite_tangent(const CameraPath *path, size_t placed, const PathSegment *s, int side, double out[3]) {
    const PathKey *key = &path->run.at[path->placed.at[placed]];
    if (key->says & KEY_TANGENT) {
        copy3(out, key->tangent);
        return;
    }
    for (int i = 0; i < 3; i++)
        out[i] = (s->p[2 + side][i] - s->p[side][i]) / 2;
}

static void make_segment(CameraPath *path, size_t index) {
    PathSegment *s = array_push(&path->segments);
    *s = (PathSegment){ 0 };
    const PathKey *key = &path->run.at[path->placed.at[index]];
    s->curve = key->says & KEY_CURVE ? key->curve : path->settings.curve;
    copy3(s->p[1], place_of(path, index));
    copy3(s->p[2], place_of(path, index + 1));
    if (same_place(s->p[1], s->p[2]) && s->curve != PATH_HOLD)
        s->curve = PATH_LINEAR;
    /* At an end the way goes on as it came: the missing point is the mirrored one. */
    if (!neighbour(path, index, -1, s->p[0]))
        for (int i = 0; i < 3; i++)
            s->p[0][i] = 2 * s->p[1][i] - s->p[2][i];
    if (!neighbour(path, index + 1, 1, s->p[3]))
        for (int i = 0; i < 3; i++)
            s->p[3][i] = 2 * s->p[2][i] - s->p[1][i];
    for (int i = 1; i < 4; i++) {
        double chord = distance3(s->p[i - 1], s->p[i]);
        s->knot[i] = s->knot[i - 1] + (s->curve == PATH_UNIFORM ? 1 : chord > 0 ? sqrt(chord) : 1);
    }
    hermite_tangent(path, index, s, 0, s->tangent[0]);
    hermite_tangent(path, index + 1, s, 1, s->tangent[1]);
    measure(s);
    path->length += s->length[TABLE];
}

/* The keys that are run through, at their own times. */
static void make_run(CameraPath *path) {
    for (size_t i = 0; i < path->keys.count; i++)
        *array_push(&path->run) = path->keys.at[i];
    if (path->settings.loop > 0 && path->keys.count > 1) {
        PathKey again = path->keys.at[0];
        const PathKey *last = &path->keys.at[path->keys.count - 1];
        again.t = last->t + last->hold + path->settings.loop;
        again.hold = 0;
        *array_push(&path->run) = again;
    }
    double held = 0;
    for (size_t i = 0; i < path->run.count; i++) {
        const PathKey *key = &path->run.at[i];
        /* A key whose time lies within the hold before it is reached when that is over. */
        double t = i && key->t < path->times.at[i - 1] + path->run.at[i - 1].hold ? path->times.at[i - 1] + path->run.at[i - 1].hold : key->t;
        *array_push(&path->times) = t;
        *array_push(&path->motion) = t - held;
        held += key->hold;
        if (key->says & KEY_ORIGIN)
            *array_push(&path->placed) = (int)i;
    }
}

/* The speed at each placed key: its own, else that of the last key that has one, else of the path, else of the first
 * key that has one, else how fast a player runs. */
static void fill_speeds(const CameraPath *path, double *out) {
    double speed = path->settings.speed;
    for (size_t i = 0; i < path->run.count && speed <= 0; i++)
        if (path->run.at[i].says & KEY_SPEED)
            speed = path->run.at[i].speed;
    if (speed <= 0)
        speed = 320;
    size_t placed = 0;
    for (size_t i = 0; i < path->run.count; i++) {
        if (path->run.at[i].says & KEY_SPEED)
            speed = path->run.at[i].speed;
        if (path->run.at[i].says & KEY_ORIGIN)
            out[placed++] = speed;
    }
}

/* Gives the placed keys other times of motion, `to`; those between them go along in proportion, and so do the holds. */
static void retime(CameraPath *path, const double *to) {
    size_t count = path->placed.count;
    double *old = mem_alloc(path->run.count * sizeof *old);
    memcpy(old, path->motion.at, path->run.count * sizeof *old);
    for (size_t i = 0, p = 0; i < path->run.count; i++) {
        while (p + 1 < count && path->placed.at[p + 1] <= (int)i)
            p++;
        double base = old[path->placed.at[p]];
        if ((int)i < path->placed.at[0])
            path->motion.at[i] = to[0] + old[i] - base;
        else if (p + 1 == count)
            path->motion.at[i] = to[p] + old[i] - base;
        else {
            double span = old[path->placed.at[p + 1]] - base;
            path->motion.at[i] = mix(to[p], to[p + 1], span > 0 ? (old[i] - base) / span : 0);
        }
    }
    mem_free(old);
    double held = 0;
    for (size_t i = 0; i < path->run.count; i++) {
        path->times.at[i] = path->motion.at[i] + held;
        held += path->run.at[i].hold;
    }
}

/* How long each piece takes: at one speed, or at the keys' speeds. Where there is nowhere to go, its own time, to turn in. */
static void fill_times(const CameraPath *path, const double *speeds, double *to) {
    const PathSettings *settings = &path->settings;
    size_t count = path->placed.count;
    double moving = 0, speed = settings->speed;
    for (size_t i = 0; i + 1 < count; i++)
        if (path->segments.at[i].length[TABLE] > 0)
            moving += path->motion.at[path->placed.at[i + 1]] - path->motion.at[path->placed.at[i]];
    if (speed <= 0)
        speed = moving > 0 ? path->length / moving : 0;
    to[0] = path->motion.at[path->placed.at[0]];
    for (size_t i = 0; i + 1 < count; i++) {
        double length = path->segments.at[i].length[TABLE];
        double takes = path->motion.at[path->placed.at[i + 1]] - path->motion.at[path->placed.at[i]];
        if (length > 0 && settings->by == PATH_BY_SPEEDS)
            takes = 2 * length / (speeds[i] + speeds[i + 1]);
        else if (length > 0 && settings->by == PATH_CONSTANT && speed > 0)
            takes = length / speed;
        to[i + 1] = to[i] + takes;
    }
}

static bool jumps(const CameraPath *path, size_t placed) {
    return (placed < path->segments.count && path->segments.at[placed].curve == PATH_HOLD) ||
           (placed > 0 && path->segments.at[placed - 1].curve == PATH_HOLD);
}

static void make_way(CameraPath *path) {
    size_t count = path->placed.count;
    if (count < 2)
        return;
    double *to = mem_alloc(2 * count * sizeof *to), *speeds = to + count, distance = 0;
    fill_speeds(path, speeds);
    fill_times(path, speeds, to);
    if (path->settings.by != PATH_BY_TIMES)
        retime(path, to);
    for (size_t i = 0; i < count; i++) {
        track_add(&path->way, path->motion.at[path->placed.at[i]], distance);
        distance += i + 1 < count ? path->segments.at[i].length[TABLE] : 0;
    }
    track_slopes(&path->way, path->settings.loop > 0);
    for (size_t i = 0; i < count; i++) {
        const PathKey *key = &path->run.at[path->placed.at[i]];
        if (path->settings.by == PATH_BY_SPEEDS && track_moves(&path->way, (int)i))
            path->way.slope.at[i] = speeds[i];
        path->way.slope.at[i] *= key->hold > 0 || jumps(path, i) ? 0 : 1 - key->ease;
    }
    mem_free(to);
}

static void look_angles(const double from[3], const double at[3], double angles[3]) {
    double x = at[0] - from[0], y = at[1] - from[1], z = at[2] - from[2];
    angles[0] = trig_degrees(trig_atan2(-z, sqrt(x * x + y * y)));
    angles[1] = x == 0 && y == 0 ? 0 : trig_degrees(trig_atan2(y, x));
    angles[2] = 0;
}

static void place_at(const CameraPath *path, double motion, double out[3]);

static double wrapped(double degrees) { return degrees - 360 * floor((degrees + 180) / 360); }

static void make_turns(CameraPath *path) {
    path->upright = true;
    for (size_t i = 0; i < path->run.count; i++) {
        const PathKey *key = &path->run.at[i];
        if (!(key->says & (KEY_ANGLES | KEY_LOOK)))
            continue;
        double angles[3], at[3] = { 0 };
        copy3(angles, key->angles);
        if (key->says & KEY_LOOK) {
            place_at(path, path->motion.at[i], at);
            look_angles(at, key->look, angles);
        }
        if (key->says & KEY_ROLL)
            angles[2] = 0;               /* it has a track of its own */
        path->upright = path->upright && fabs(wrapped(angles[2])) < 1e-9 && fabs(wrapped(angles[0])) <= 90;
        Quat turn = quat_from_angles(angles);
        if (path->turns.count)
            turn = quat_near(turn, path->turns.at[path->turns.count - 1]);
        *array_push(&path->turned) = (int)i;
        *array_push(&path->turns) = turn;
        for (int axis = 0; axis < 3; axis++)
            *array_push(&path->raw[axis]) = angles[axis];
    }
    /* Inner points such that the turning goes on through a key as fast as it came, however long the segments are. */
    size_t count = path->turned.count;
    bool round = path->settings.loop > 0 && count > 2;
    for (size_t i = 0; i < count; i++) {
        size_t previous = i ? i - 1 : round ? count - 2 : 0, next = i + 1 < count ? i + 1 : round ? 1 : count - 1;
        double left = i ? path->motion.at[path->turned.at[i]] - path->motion.at[path->turned.at[i - 1]]
                        : path->motion.at[path->turned.at[count - 1]] - path->motion.at[path->turned.at[count > 1 ? count - 2 : 0]];
        double right = i + 1 < count ? path->motion.at[path->turned.at[i + 1]] - path->motion.at[path->turned.at[i]]
                                     : path->motion.at[path->turned.at[count > 1 ? 1 : 0]] - path->motion.at[path->turned.at[0]];
        Quat here = path->turns.at[i];
        Turn in = quat_log(quat_multiply(quat_inverse(quat_near(path->turns.at[previous], here)), here));
        Turn out = quat_log(quat_multiply(quat_inverse(here), quat_near(path->turns.at[next], here)));
        bool end = (i == 0 || i + 1 == count) && !round;
        const PathKey *key = &path->run.at[path->turned.at[i]];
        double rest = key->hold > 0 ? 0 : 1 - key->ease;
        Quat inner[2];
        for (int side = 0; side < 2; side++) {
            Turn to = { 0 };
            for (int axis = 0; axis < 3; axis++) {
                /* Per second through the key, as the parabola of the neighbours has it. */
                double through = left > 0 && right > 0 ? (in.v[axis] / left * right + out.v[axis] / right * left) / (left + right) : 0;
                double own = side ? out.v[axis] : in.v[axis], span = side ? right : left;
                double wanted = (end ? own : through * span) * rest;
                to.v[axis] = (side ? wanted - own : own - wanted) / 2;
            }
            inner[side] = quat_multiply(here, quat_exp(to));
        }
        *array_push(&path->before) = inner[0];
        *array_push(&path->after) = inner[1];
    }
}

static void make_tracks(CameraPath *path) {
    bool round = path->settings.loop > 0;
    for (size_t i = 0; i < path->run.count; i++) {
        const PathKey *key = &path->run.at[i];
        double at = path->motion.at[i];
        if (key->says & KEY_FOV)
            track_add(&path->fov, at, key->fov);
        if (key->says & KEY_ROLL)
            track_add(&path->roll, at, key->roll);
        if (key->says & KEY_LOOK)
            for (int axis = 0; axis < 3; axis++)
                track_add(&path->look[axis], at, key->look[axis]);
    }
    track_slopes(&path->fov, round);
    track_slopes(&path->roll, round);
    for (int axis = 0; axis < 3; axis++)
        track_slopes(&path->look[axis], round);
}

static void prepare(CameraPath *path) {
    if (path->ready)
        return;
    forget(path);
    make_run(path);
    for (size_t i = 0; i + 1 < path->placed.count; i++)
        make_segment(path, i);
    make_way(path);
    make_tracks(path);
    make_turns(path);
    path->ready = true;
}

/* Asking */

/* The last of `keys` (numbers of the run, ascending) whose time is not after `at`; 0 before the first. */
static size_t last_before(const double *times, const int *keys, size_t count, double at) {
    size_t low = 0, high = count;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (times[keys ? keys[middle] : (int)middle] <= at)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The path's seconds to seconds of motion, which stand still in a hold. */
static double motion_at(const CameraPath *path, double t) {
    size_t i = last_before(path->times.at, NULL, path->run.count, t);
    double gone = t - path->times.at[i] - path->run.at[i].hold;
    return path->motion.at[i] + (gone > 0 && i + 1 < path->run.count ? gone : 0);
}

static void place_at(const CameraPath *path, double motion, double out[3]) {
    size_t count = path->placed.count;
    if (!count) {
        out[0] = out[1] = out[2] = 0;
        return;
    }
    size_t i = last_before(path->motion.at, path->placed.at, count, motion);
    if (i + 1 == count || motion <= path->motion.at[path->placed.at[0]]) {
        copy3(out, place_of(path, i + 1 == count ? count - 1 : 0));
        return;
    }
    double slope[3];
    const PathSegment *s = &path->segments.at[i];
    segment_at(s, segment_find(s, track_at(&path->way, motion, TRACK_SMOOTH) - path->way.value.at[i]), out, slope);
}

/* The angles of a segment whose turns are meant as they are written. */
static void literal_turn(const CameraPath *path, size_t i, double u, double angles[3]) {
    for (int axis = 0; axis < 3; axis++)
        angles[axis] = mix(path->raw[axis].at[i], path->raw[axis].at[i + 1], u);
}

static void turn_at(const CameraPath *path, double motion, const double from[3], double angles[3]) {
    size_t count = path->turned.count;
    if (!count) {
        angles[0] = angles[1] = angles[2] = 0;
        return;
    }
    size_t i = last_before(path->motion.at, path->turned.at, count, motion);
    const PathKey *key = &path->run.at[path->turned.at[i]];
    bool last = i + 1 == count, first = motion <= path->motion.at[path->turned.at[0]];
    const PathKey *next = last || first ? key : &path->run.at[path->turned.at[i + 1]];
    if (key->says & KEY_LOOK && next->says & KEY_LOOK) {
        double at[3];
        for (int axis = 0; axis < 3; axis++)
            at[axis] = track_at(&path->look[axis], motion, TRACK_SMOOTH);
        look_angles(from, at, angles);
        return;
    }
    if (last || first) {
        quat_to_angles(path->turns.at[first ? 0 : i], angles);
        return;
    }
    double start = path->motion.at[path->turned.at[i]], span = path->motion.at[path->turned.at[i + 1]] - start;
    double u = span > 0 ? (motion - start) / span : 1;
    if (key->says & KEY_LITERAL)
        literal_turn(path, i, u, angles);
    else if (count == 2 && key->ease + next->ease + key->hold + next->hold == 0)
        quat_to_angles(quat_slerp(path->turns.at[i], path->turns.at[i + 1], u), angles);
    else
        quat_to_angles(quat_squad(path->turns.at[i], path->after.at[i], path->before.at[i + 1], path->turns.at[i + 1], u), angles);
}

/* A loop's time within its round. */
static double round_time(const CameraPath *path, double t) {
    size_t count = path->run.count;
    if (path->settings.loop <= 0 || count < 2)
        return t;
    double start = path->times.at[0], span = path->times.at[count - 1] - start;
    return t <= start || span <= 0 ? t : start + (t - start) - span * floor((t - start) / span);
}

PathPose camera_path_sample(CameraPath *path, double t) {
    prepare(path);
    PathPose pose = { .fov = 90 };
    if (!path->run.count || !isfinite(t))
        return pose;
    double motion = motion_at(path, round_time(path, t));
    place_at(path, motion, pose.origin);
    turn_at(path, motion, pose.origin, pose.angles);
    pose.has = (path->placed.count ? KEY_ORIGIN : 0) | (path->turned.count ? KEY_ANGLES : 0);
    /* Turning two ways at once tilts a quaternion a little on its way: the horizon of those who did not ask stays level. */
    if (path->upright && path->turned.count)
        pose.angles[2] = 0;
    if (path->roll.at.count) {
        pose.angles[2] = track_at(&path->roll, motion, TRACK_CUBIC);
        pose.has |= KEY_ROLL;
    }
    if (path->fov.at.count) {
        pose.fov = track_at(&path->fov, motion, TRACK_CUBIC);
        pose.has |= KEY_FOV;
    }
    pose.roll = pose.angles[2];
    return pose;
}

double camera_path_distance(CameraPath *path, double t) {
    prepare(path);
    return path->placed.count < 2 ? 0 : track_at(&path->way, motion_at(path, round_time(path, t)), TRACK_SMOOTH);
}

double camera_path_start(CameraPath *path) {
    prepare(path);
    return path->run.count ? path->times.at[0] : 0;
}

double camera_path_duration(CameraPath *path) {
    prepare(path);
    size_t count = path->run.count;
    return count ? MAX(0, path->times.at[count - 1] + path->run.at[count - 1].hold) : 0;
}

double camera_path_length(CameraPath *path) {
    prepare(path);
    return path->length;
}

double camera_path_key_time(CameraPath *path, int index) {
    prepare(path);
    return path->times.at[index];
}

/* Simplifying a recorded flight: Ramer, Douglas and Peucker over places and directions, in time */

static double turn_between(const double a[3], const double b[3]) {
    Quat qa = quat_from_angles(a), qb = quat_near(quat_from_angles(b), qa);
    Turn turn = quat_log(quat_multiply(quat_inverse(qa), qb));
    return trig_degrees(2 * sqrt(turn.v[0] * turn.v[0] + turn.v[1] * turn.v[1] + turn.v[2] * turn.v[2]));
}

/* How far key i is from the straight way of `first` to `last` at its time; 1 is just allowed. */
static double offset_of(const PathKey *keys, int first, int last, int i, double tolerance, double degrees) {
    double span = keys[last].t - keys[first].t, u = span > 0 ? (keys[i].t - keys[first].t) / span : 0, at[3], angles[3];
    for (int axis = 0; axis < 3; axis++)
        at[axis] = mix(keys[first].origin[axis], keys[last].origin[axis], u);
    Quat from = quat_from_angles(keys[first].angles);
    quat_to_angles(quat_slerp(from, quat_near(quat_from_angles(keys[last].angles), from), u), angles);
    return MAX(distance3(at, keys[i].origin) / tolerance, turn_between(angles, keys[i].angles) / degrees);
}

typedef struct Span { int first, last; } Span;

int path_simplify(PathKey *keys, int count, double tolerance, double degrees) {
    if (count < 3 || !(tolerance > 0) || !(degrees > 0))
        return count;
    bool *stays = mem_zeroed((size_t)count, sizeof *stays);
    ARRAY(Span) open = { 0 };
    stays[0] = stays[count - 1] = true;
    *array_push(&open) = (Span){ 0, count - 1 };
    while (open.count) {
        Span span = open.at[--open.count];
        int worst = -1;
        double most = 1;
        for (int i = span.first + 1; i < span.last; i++) {
            double off = offset_of(keys, span.first, span.last, i, tolerance, degrees);
            if (off > most) {
                most = off;
                worst = i;
            }
        }
        if (worst < 0)
            continue;
        stays[worst] = true;
        *array_push(&open) = (Span){ span.first, worst };
        *array_push(&open) = (Span){ worst, span.last };
    }
    int left = 0;
    for (int i = 0; i < count; i++)
        if (stays[i])
            keys[left++] = keys[i];
    array_free(&open);
    mem_free(stays);
    return left;
}
