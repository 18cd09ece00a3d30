/* scene/camera_tour.c -- free space as a grid, the shortest way through it, keys along that way; lint. */
#include "scene/camera_tour.h"

#include <math.h>

#include "base/trig.h"

enum { CELLS_MOST = 6000000, CLEAR_MOST = 4 };
static const double step_usual = 32, usual_speed = 320;

typedef struct Grid {
    const Map *map;
    const Collision *collision;
    Vec3 origin;
    float step;
    int count[3];
    uint8_t *state;                  /* by cell: UNKNOWN, SOLID, or FREE + how many steps to something solid */
    int *came, *cost, *stamp;        /* of the search that runs */
    int search;
} Grid;
enum { UNKNOWN, SOLID, FREE };

static int cell_count(const Grid *g) { return g->count[0] * g->count[1] * g->count[2]; }

static Vec3 cell_middle(const Grid *g, int cell) {
    int x = cell % g->count[0], y = cell / g->count[0] % g->count[1], z = cell / g->count[0] / g->count[1];
    return vec3_at(g->origin.x + (float)x * g->step, g->origin.y + (float)y * g->step, g->origin.z + (float)z * g->step);
}

static int cell_at(const Grid *g, Vec3 p) {
    int at[3];
    for (int i = 0; i < 3; i++) {
        at[i] = (int)floorf((p.raw[i] - g->origin.raw[i]) / g->step + 0.5f);
        if (at[i] < 0 || at[i] >= g->count[i])
            return -1;
    }
    return (at[2] * g->count[1] + at[1]) * g->count[0] + at[0];
}

/* The six neighbours: 0..5; -1: beyond the grid. */
static int neighbour(const Grid *g, int cell, int side) {
    const int along[3] = { 1, g->count[0], g->count[0] * g->count[1] };
    int axis = side / 2, place = cell / along[axis] % g->count[axis], to = place + (side % 2 ? 1 : -1);
    return to < 0 || to >= g->count[axis] ? -1 : cell + (side % 2 ? along[axis] : -along[axis]);
}

static Trace sweep(const Map *map, const Collision *collision, Vec3 from, Vec3 to, float half) {
    TraceQuery query = { .from = from, .to = to, .mask = MASK_SOLID,
                         .box = { vec3_at(-half, -half, -half), vec3_at(half, half, half) } };
    return bsp_trace(map, collision, &query);
}

/* Boxes of half a step touch those of their neighbours: where both are free, so is the way between them. */
static bool cell_free(Grid *g, int cell) {
    if (g->state[cell] == UNKNOWN) {
        Vec3 p = cell_middle(g, cell);
        bool in = bsp_cluster_at(g->map, p) >= 0 && !sweep(g->map, g->collision, p, p, g->step / 2).start_solid;
        g->state[cell] = in ? FREE : SOLID;
    }
    return g->state[cell] >= FREE;
}

static void grid_open(Grid *g, const Map *map, const Collision *collision) {
    *g = (Grid){ .map = map, .collision = collision, .origin = map->bounds.mins };
    double side[3], step = step_usual;
    for (int i = 0; i < 3; i++)
        side[i] = fmax(1, (double)map->bounds.maxs.raw[i] - map->bounds.mins.raw[i]);
    while ((side[0] / step + 1) * (side[1] / step + 1) * (side[2] / step + 1) > CELLS_MOST)
        step *= 1.25;
    g->step = (float)step;
    for (int i = 0; i < 3; i++)
        g->count[i] = (int)(side[i] / step) + 1;
    size_t cells = (size_t)cell_count(g);
    g->state = mem_zeroed(cells, sizeof *g->state);
    g->came = mem_zeroed(cells, sizeof *g->came);
    g->cost = mem_zeroed(cells, sizeof *g->cost);
    g->stamp = mem_zeroed(cells, sizeof *g->stamp);
}

static void grid_close(Grid *g) {
    mem_free(g->state);
    mem_free(g->came);
    mem_free(g->cost);
    mem_free(g->stamp);
}

/* The free cell nearest to a point, within a few steps; -1: none. */
static int free_cell_near(Grid *g, Vec3 p) {
    enum { REACH = 4 };
    int best = -1, middle = cell_at(g, p);
    float least = 1e30f;
    if (middle < 0)
        return -1;
    for (int dz = -REACH; dz <= REACH; dz++)
        for (int dy = -REACH; dy <= REACH; dy++)
            for (int dx = -REACH; dx <= REACH; dx++) {
                int cell = cell_at(g, vec3_add(cell_middle(g, middle), vec3_at((float)dx * g->step, (float)dy * g->step, (float)dz * g->step)));
                if (cell < 0 || !cell_free(g, cell))
                    continue;
                Vec3 at = cell_middle(g, cell);
                float far = vec3_length(vec3_sub(at, p));
                if (far < least && (far < g->step || sweep(g->map, g->collision, at, p, 0).fraction > 0.9f)) {
                    least = far;
                    best = cell;
                }
            }
    return best;
}

/* What is reached from a cell, each once; how far each is from something solid. */
static void explore(Grid *g, int from) {
    ARRAY(int) open = { 0 };
    ARRAY(int) edge = { 0 };
    g->search++;
    g->stamp[from] = g->search;
    *array_push(&open) = from;
    for (size_t i = 0; i < open.count; i++) {
        bool beside_wall = false;
        for (int side = 0; side < 6; side++) {
            int to = neighbour(g, open.at[i], side);
            if (to < 0 || !cell_free(g, to))
                beside_wall = true;
            else if (g->stamp[to] != g->search) {
                g->stamp[to] = g->search;
                *array_push(&open) = to;
            }
        }
        if (beside_wall) {
            g->state[open.at[i]] = FREE + 1;
            *array_push(&edge) = open.at[i];
        }
    }
    for (size_t i = 0; i < edge.count; i++) {
        int clear = g->state[edge.at[i]] - FREE;
        for (int side = 0; side < 6 && clear < CLEAR_MOST; side++) {
            int to = neighbour(g, edge.at[i], side);
            if (to >= 0 && g->state[to] == FREE && g->stamp[to] == g->search) {
                g->state[to] = (uint8_t)(FREE + clear + 1);
                *array_push(&edge) = to;
            }
        }
    }
    for (size_t i = 0; i < open.count; i++)
        if (g->state[open.at[i]] == FREE)
            g->state[open.at[i]] = FREE + CLEAR_MOST;
    array_free(&open);
    array_free(&edge);
}

/* A step costs more beside a wall. Costs are small whole numbers, so the open cells stand in a ring of lists. */
static int step_cost(const Grid *g, int cell) {
    static const int by_clear[CLEAR_MOST + 1] = { 10, 10, 6, 5, 4 };
    return by_clear[CLAMP(g->state[cell] - FREE, 0, CLEAR_MOST)];
}

typedef ARRAY(int) Cells;

/* From a cell to the nearest that `wanted` says; the way there, from the start, is added to `way`. False: there is none. */
static bool nearest(Grid *g, int from, bool (*wanted)(void *user, int cell), void *user, Cells *way) {
    enum { RING = 16 };
    Cells ring[RING] = { 0 };
    int waiting = 1, found = -1;
    g->search++;
    g->stamp[from] = g->search;
    g->cost[from] = 0;
    g->came[from] = -1;
    *array_push(&ring[0]) = from;
    for (int cost = 0; waiting && found < 0; cost++) {
        Cells *now = &ring[cost % RING];
        for (size_t i = 0; i < now->count && found < 0; i++) {
            int cell = now->at[i];
            waiting--;
            if (g->cost[cell] != cost)
                continue;    /* it was reached more cheaply */
            if (wanted(user, cell)) {
                found = cell;
                break;
            }
            for (int side = 0; side < 6; side++) {
                int to = neighbour(g, cell, side);
                if (to < 0 || g->state[to] < FREE)
                    continue;
                int then = cost + step_cost(g, to);
                if (g->stamp[to] == g->search && g->cost[to] <= then)
                    continue;
                g->stamp[to] = g->search;
                g->cost[to] = then;
                g->came[to] = cell;
                *array_push(&ring[then % RING]) = to;
                waiting++;
            }
        }
        array_clear(now);
    }
    for (int i = 0; i < RING; i++)
        array_free(&ring[i]);
    size_t first = way->count;
    for (int cell = found; cell >= 0 && cell != from; cell = g->came[cell])
        *array_push(way) = cell;
    for (size_t i = first, j = way->count; i + 1 < j; i++) {    /* it was followed backwards */
        int other = way->at[--j];
        way->at[j] = way->at[i];
        way->at[i] = other;
    }
    return found >= 0;
}

/* What is still to be visited: by cluster, or by cell. */
typedef struct Wanted { Grid *grid; bool by_cluster; uint8_t *open; } Wanted;    /* open[cluster or cell] */

static int wanted_of(const Wanted *w, int cell) { return w->by_cluster ? bsp_cluster_at(w->grid->map, cell_middle(w->grid, cell)) : cell; }

static bool is_wanted(void *user, int cell) {
    const Wanted *w = user;
    int which = wanted_of(w, cell);
    return which >= 0 && w->open[which];
}

/* Keys: as few of the cells as can see one another through a box, then more where the curve comes near a wall. */

static bool clear_way(const Grid *g, int from, int to) {
    return sweep(g->map, g->collision, cell_middle(g, from), cell_middle(g, to), g->step / 2 - 1).fraction >= 1;
}

static void thin_out(const Grid *g, const Cells *way, Cells *out) {
    enum { AHEAD = 24 };    /* steps: a key every room at least, so that the eye turns where the way does */
    size_t at = 0;
    *array_push(out) = 0;
    while (at + 1 < way->count) {
        size_t next = at + 1;
        for (size_t ahead = at + 2; ahead < way->count && ahead <= at + AHEAD && clear_way(g, way->at[at], way->at[ahead]); ahead++)
            next = ahead;
        *array_push(out) = (int)next;
        at = next;
    }
}

static void look_along(PathKey *key, const double from[3], const double to[3]) {
    double x = to[0] - from[0], y = to[1] - from[1], z = to[2] - from[2], flat = sqrt(x * x + y * y);
    key->says |= KEY_ANGLES;
    key->angles[1] = flat > 1e-6 ? trig_degrees(trig_atan2(y, x)) : 0;
    key->angles[0] = CLAMP(trig_degrees(trig_atan2(-z, flat)) * 0.5, -30, 30);    /* an eye that looks where it climbs sees little */
}

static CameraPath *make_path(const Grid *g, const Cells *way, const Cells *chosen, double speed) {
    enum { LOOK_BEHIND = 3, LOOK_AHEAD = 8 };
    CameraPath *path = camera_path_open();
    PathKey *keys = mem_zeroed(chosen->count, sizeof *keys);
    for (size_t i = 0; i < chosen->count; i++) {
        Vec3 p = cell_middle(g, way->at[chosen->at[i]]);
        keys[i] = (PathKey){ .t = (double)i, .says = KEY_ORIGIN, .origin = { p.x, p.y, p.z } };
    }
    for (size_t i = 0; i < chosen->count; i++) {
        /* Where the way goes over some steps, not over one, so that the eye does not jerk at every corner. */
        int at = chosen->at[i], last = (int)way->count - 1;
        int behind = way->at[MAX(at - LOOK_BEHIND, 0)], ahead = way->at[MIN(at + LOOK_AHEAD, last)];
        Vec3 from = cell_middle(g, behind == ahead ? way->at[at] : behind), to = cell_middle(g, ahead);
        look_along(&keys[i], (double[3]){ from.x, from.y, from.z }, (double[3]){ to.x, to.y, to.z });
        camera_path_add(path, &keys[i]);
    }
    mem_free(keys);
    camera_path_set_settings(path, &(PathSettings){ .by = PATH_CONSTANT, .speed = speed });
    return path;
}

/* The first piece from `from` on whose curve leaves the free space; -1: none. */
static int bad_piece(const Grid *g, CameraPath *path, int from) {
    enum { POINTS = 12 };
    for (int i = from; i + 1 < camera_path_count(path); i++) {
        double start = camera_path_key_time(path, i), end = camera_path_key_time(path, i + 1);
        for (int n = 1; n < POINTS; n++) {
            PathPose pose = camera_path_sample(path, start + (end - start) * n / POINTS);
            Vec3 at = vec3_at((float)pose.origin[0], (float)pose.origin[1], (float)pose.origin[2]);
            if (sweep(g->map, g->collision, at, at, 8).start_solid)
                return i;
        }
    }
    return -1;
}

static CameraPath *keys_along(const Grid *g, const Cells *way, double speed) {
    enum { ROUNDS = 12 };
    Cells chosen = { 0 };
    thin_out(g, way, &chosen);
    CameraPath *path = make_path(g, way, &chosen, speed);
    for (int round = 0; round < ROUNDS; round++) {
        Cells more = { 0 };
        size_t before = chosen.count;
        int bad = bad_piece(g, path, 0);
        for (size_t i = 0; i < chosen.count; i++) {
            *array_push(&more) = chosen.at[i];
            if ((int)i != bad)
                continue;
            if (i + 1 < chosen.count && chosen.at[i + 1] - chosen.at[i] > 1)
                *array_push(&more) = (chosen.at[i] + chosen.at[i + 1]) / 2;
            bad = bad_piece(g, path, bad + 1);
        }
        array_free(&chosen);
        chosen = more;
        if (chosen.count == before)
            break;
        camera_path_close(path);
        path = make_path(g, way, &chosen, speed);
    }
    array_free(&chosen);
    return path;
}

static int want_clusters(Wanted *w) {
    const Map *map = w->grid->map;
    int count = 0;
    w->open = mem_zeroed((size_t)MAX(map->cluster_count, 1), 1);
    for (int i = 0; i < map->leaf_count; i++) {
        int cluster = map->leafs[i].cluster;
        if (map->leaf_parent[i] >= 0 && cluster >= 0 && !w->open[cluster]) {
            w->open[cluster] = 1;
            count++;
        }
    }
    return count;
}

static void want_places(Wanted *w, const TourSetup *setup) {
    w->open = mem_zeroed((size_t)cell_count(w->grid), 1);
    for (int i = 0; i < setup->place_count; i++) {
        int cell = free_cell_near(w->grid, setup->places[i]);
        if (cell >= 0)
            w->open[cell] = w->open[cell] < 255 ? w->open[cell] + 1 : 255;
    }
}

/* Marks what a cell of the way visits; how many places that are. */
static int visit(Wanted *w, int cell) {
    int which = wanted_of(w, cell);
    int places = which >= 0 ? w->open[which] : 0;
    if (places)
        w->open[which] = 0;
    return places;
}

CameraPath *camera_tour(const Map *map, const Collision *collision, const TourSetup *setup, TourResult *result, Error *error) {
    Grid grid;
    grid_open(&grid, map, collision);
    Wanted wanted = { .grid = &grid, .by_cluster = setup->place_count == 0 };
    *result = (TourResult){ .wanted = setup->place_count };
    int at = free_cell_near(&grid, setup->from);
    CameraPath *path = NULL;
    Cells way = { 0 };
    if (at >= 0) {
        explore(&grid, at);
        if (wanted.by_cluster)
            result->wanted = want_clusters(&wanted);
        else
            want_places(&wanted, setup);
        result->visited = visit(&wanted, at);
        *array_push(&way) = at;
        for (size_t seen = 1; !setup->most || result->visited < setup->most; seen = way.count) {
            if (!nearest(&grid, way.at[way.count - 1], is_wanted, &wanted, &way))
                break;
            for (; seen < way.count; seen++)
                result->visited += visit(&wanted, way.at[seen]);
        }
    }
    if (at < 0)
        fail(error, "%s: no free place to begin a tour near %g %g %g", map->path, (double)setup->from.x, (double)setup->from.y, (double)setup->from.z);
    else if (way.count < 2 && result->visited == 0)
        fail(error, "%s: nothing to visit can be reached from %g %g %g", map->path, (double)setup->from.x, (double)setup->from.y, (double)setup->from.z);
    else
        path = keys_along(&grid, &way, setup->speed > 0 ? setup->speed : usual_speed);
    array_free(&way);
    mem_free(wanted.open);
    grid_close(&grid);
    return path;
}

/* Lint */

const char *lint_name(int kind) {
    static const char *const names[LINT_KINDS] = { "solid", "outside", "wall", "speed", "turn" };
    return kind >= 0 && kind < LINT_KINDS ? names[kind] : NULL;
}

typedef struct Lint { LintFinding *out; int room, count; LintFinding open[LINT_KINDS]; bool is_open[LINT_KINDS]; } Lint;

static void close_finding(Lint *lint, int kind) {
    if (!lint->is_open[kind])
        return;
    if (lint->count < lint->room)
        lint->out[lint->count] = lint->open[kind];
    lint->count++;
    lint->is_open[kind] = false;
}

static void note(Lint *lint, LintKind kind, bool wrong, double t, const PathPose *pose, double how_much) {
    if (!wrong) {
        close_finding(lint, kind);
        return;
    }
    LintFinding *f = &lint->open[kind];
    if (!lint->is_open[kind]) {
        *f = (LintFinding){ .kind = kind, .from = t };
        memcpy(f->origin, pose->origin, sizeof f->origin);
        lint->is_open[kind] = true;
    }
    f->to = t;
    if (how_much > f->worst) {
        f->worst = how_much;
        memcpy(f->origin, pose->origin, sizeof f->origin);
    }
}

static double apart(const double a[3], const double b[3]) {
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

static double turned(const PathPose *a, const PathPose *b) {
    Axes from = axes_from_angles(vec3_at((float)a->angles[0], (float)a->angles[1], (float)a->angles[2]));
    Axes to = axes_from_angles(vec3_at((float)b->angles[0], (float)b->angles[1], (float)b->angles[2]));
    double across = vec3_length(vec3_cross(from.forward, to.forward)), along = vec3_dot(from.forward, to.forward);
    return trig_degrees(trig_atan2(across, along));
}

int camera_lint(CameraPath *path, const Map *map, const Collision *collision, const LintSetup *setup, LintFinding *out, int room) {
    enum { POINTS_MOST = 2000000 };
    Lint lint = { .out = out, .room = room };
    float clearance = setup->clearance > 0 ? (float)setup->clearance : 8;
    double most = setup->speed > 0 ? setup->speed : 4000, turn = setup->turn > 0 ? setup->turn : 360, frame = 1.0 / 60;
    double start = camera_path_start(path), end = camera_path_duration(path), speed = 0;
    PathPose last = camera_path_sample(path, start);
    int64_t frames = (int64_t)ceil((end - start) / frame);
    for (int64_t i = 0; i <= frames && i < POINTS_MOST; i++) {
        double t = fmin(start + (double)i * frame, end);
        PathPose pose = camera_path_sample(path, t);
        double moved = apart(last.origin, pose.origin), before = fmax(start, t - frame);
        int pieces = (int)CLAMP(ceil(moved / 4), 1, 4096);
        for (int n = 1; n <= pieces && pose.has & KEY_ORIGIN; n++) {
            double when = before + (t - before) * n / pieces;
            PathPose here = n == pieces ? pose : camera_path_sample(path, when);
            Vec3 p = vec3_at((float)here.origin[0], (float)here.origin[1], (float)here.origin[2]);
            bool solid = (bsp_point_contents(map, p) & MASK_SOLID) != 0, outside = !solid && bsp_cluster_at(map, p) < 0;
            note(&lint, LINT_SOLID, solid, when, &here, 0);
            note(&lint, LINT_OUTSIDE, outside, when, &here, 0);
            note(&lint, LINT_WALL, !solid && !outside && sweep(map, collision, p, p, clearance).start_solid, when, &here, 0);
        }
        double now = moved / frame, change = i > 1 && t < end ? fabs(now - speed) / frame : 0;
        note(&lint, LINT_SPEED, change > most, t, &pose, change);
        double turning = i ? turned(&last, &pose) / frame : 0;
        note(&lint, LINT_TURN, turning > turn, t, &pose, turning);
        speed = now;
        last = pose;
    }
    for (int kind = 0; kind < LINT_KINDS; kind++)
        close_finding(&lint, kind);
    return lint.count;
}
