/* render/soft/soft_tree.c -- the order of flat surfaces: a tree over their planes, made when the level comes.
 *
 * The level's own tree splits no face and ignores detail, so leaf order proves nothing. Here every plane of the tree is
 * one of a drawn surface, and surfaces that reach through it are divided: from any eye, what is on its side of a plane is
 * drawn before what lies in the plane, and that before what is behind. Nothing is measured at run time, so nothing can
 * flicker. A divided surface keeps its border; its fragments differ in the planes that cut them alone (SoftCut). */
#include <math.h>
#include <stdlib.h>

#include "render/soft/soft_internal.h"

/* Vertices are snapped by compilers: what reaches less than this through a plane does not count as cut by it. */
static const double on_plane = 0.05;

/* Planes tried at each node; more divide less, and cost time when the level comes. */
enum { CANDIDATES = 16 };

typedef struct Maker { Arena *arena; SoftTree *tree; } Maker;

static double distance_of(const SoftPlane *plane, const double p[3]) {
    return plane->normal[0] * p[0] + plane->normal[1] * p[1] + plane->normal[2] * p[2] - plane->dist;
}

static void measure_piece(SoftPiece *piece) {
    double low[3] = { INFINITY, INFINITY, INFINITY }, high[3] = { -INFINITY, -INFINITY, -INFINITY };
    for (const SoftConvex *t = piece->parts; t; t = t->next)
        for (int k = 0; k < t->count; k++)
            for (int i = 0; i < 3; i++) {
                low[i] = MIN(low[i], t->corner[k][i]);
                high[i] = MAX(high[i], t->corner[k][i]);
            }
    for (int i = 0; i < 3; i++) {
        piece->middle[i] = (low[i] + high[i]) * 0.5;
        piece->half[i] = (high[i] - low[i]) * 0.5;
    }
}

SoftPiece *soft_piece_make(Arena *arena, int surface, int plane_number, const SoftPlane *plane, const double (*corners)[3], int triangles) {
    SoftPiece *piece = arena_new(arena, SoftPiece);
    *piece = (SoftPiece){ .surface = surface, .plane_number = plane_number, .plane = *plane };
    for (int i = 0; i < triangles; i++) {
        SoftConvex *triangle = arena_new(arena, SoftConvex);
        triangle->next = piece->parts;
        triangle->count = 3;
        memcpy(triangle->corner, corners[i * 3], 9 * sizeof(double));
        piece->parts = triangle;
    }
    measure_piece(piece);
    return piece;
}


static void reach_of(const SoftPiece *piece, const SoftPlane *plane, double *low, double *high) {
    *low = INFINITY;
    *high = -INFINITY;
    for (const SoftConvex *t = piece->parts; t; t = t->next)
        for (int k = 0; k < t->count; k++) {
            double d = distance_of(plane, t->corner[k]);
            *low = MIN(*low, d);
            *high = MAX(*high, d);
        }
}

SoftSide soft_piece_side(const SoftPiece *piece, const SoftPlane *plane) {
    double d = distance_of(plane, piece->middle), reach = 0;
    for (int i = 0; i < 3; i++)
        reach += fabs(plane->normal[i]) * piece->half[i];
    if (d - reach > -on_plane)
        return SIDE_FRONT;
    if (d + reach < on_plane)
        return SIDE_BACK;
    double low, high;
    reach_of(piece, plane, &low, &high);
    if (low < -on_plane && high > on_plane)
        return SIDE_BOTH;
    return high > -low ? SIDE_FRONT : SIDE_BACK;
}

/* The plane that divides few and leaves sides alike. */
static const SoftPiece *choose(const SoftPiece *list, int count) {
    const SoftPiece *best = list;
    int64_t best_score = INT64_MAX;
    int stride = MAX(count / CANDIDATES, 1), at = 0;
    for (const SoftPiece *candidate = list; candidate; candidate = candidate->next, at++) {
        if (at % stride)
            continue;
        int sides[3] = { 0 }, in_plane = 0;
        for (const SoftPiece *p = list; p; p = p->next) {
            if (p->plane_number == candidate->plane_number)
                in_plane++;
            else
                sides[soft_piece_side(p, &candidate->plane)]++;
        }
        int64_t score = (int64_t)sides[SIDE_BOTH] * 4 + abs(sides[SIDE_FRONT] - sides[SIDE_BACK]) - in_plane;
        if (score < best_score) {
            best_score = score;
            best = candidate;
        }
    }
    return best;
}

static SoftConvex *part_of(Arena *arena, const SoftConvex *triangle, const SoftPlane *plane, double sign) {
    SoftConvex *out = arena_new(arena, SoftConvex);
    for (int k = 0; k < triangle->count; k++) {
        const double *a = triangle->corner[k], *b = triangle->corner[k + 1 < triangle->count ? k + 1 : 0];
        double da = distance_of(plane, a) * sign, db = distance_of(plane, b) * sign;
        if (da >= 0 && out->count < COUNT_OF(out->corner))
            memcpy(out->corner[out->count++], a, sizeof out->corner[0]);
        if ((da >= 0) != (db >= 0) && out->count < COUNT_OF(out->corner)) {
            double *at = out->corner[out->count++], part = da / (da - db);
            for (int i = 0; i < 3; i++)
                at[i] = a[i] + (b[i] - a[i]) * part;
        }
    }
    return out->count >= 3 ? out : NULL;
}

/* A part with many corners becomes two, so that corners stay few however often it is divided. */
static void keep_part(Arena *arena, SoftPiece *piece, SoftConvex *part) {
    if (!part)
        return;
    if (part->count > 6) {
        SoftConvex *rest = arena_new(arena, SoftConvex);
        memcpy(rest->corner[0], part->corner[0], sizeof rest->corner[0]);
        int half = part->count / 2;
        memcpy(rest->corner[1], part->corner[half], (size_t)(part->count - half) * sizeof rest->corner[0]);
        rest->count = part->count - half + 1;
        part->count = half + 1;
        rest->next = piece->parts;
        piece->parts = rest;
    }
    part->next = piece->parts;
    piece->parts = part;
}

SoftPiece *soft_piece_part(Arena *arena, const SoftPiece *piece, const SoftPlane *plane, bool back) {
    SoftPiece *out = arena_new(arena, SoftPiece);
    *out = *piece;
    out->next = NULL;
    out->parts = NULL;
    SoftCutting *cut = arena_new(arena, SoftCutting);
    *cut = (SoftCutting){ piece->cuts, *plane, back };
    out->cuts = cut;
    for (const SoftConvex *t = piece->parts; t; t = t->next)
        keep_part(arena, out, part_of(arena, t, plane, back ? -1 : 1));
    if (!out->parts)
        return NULL;
    measure_piece(out);
    return out;
}


static void add_fragment(Maker *make, const SoftPiece *piece, int node) {
    SoftTree *tree = make->tree;
    SoftFragment fragment = { .surface = piece->surface, .node = node, .first_cut = (int)tree->cuts.count, .first_corner = (int)tree->corners.count };
    for (const SoftCutting *cut = piece->cuts; cut; cut = cut->before) {
        *array_push(&tree->cuts) = (SoftCut){ cut->plane, cut->back };
        fragment.cut_count++;
    }
    for (const SoftConvex *t = piece->cuts ? piece->parts : NULL; t; t = t->next)
        for (int k = 0; k < t->count; k++) {
            SoftCorner *corner = array_push(&tree->corners);
            memcpy(corner->at, t->corner[k], sizeof corner->at);
            fragment.corner_count++;
        }
    *array_push(&tree->fragments) = fragment;
    tree->nodes.at[node].fragment_count++;
}

typedef struct Task { SoftPiece *list; int count, parent, side; } Task;

/* Pieces of the node's plane go into it, lower surfaces first; the rest to its sides. */
static void divide_task(Maker *make, Task task, Task sides[2]) {
    SoftTree *tree = make->tree;
    const SoftPiece *splitter = choose(task.list, task.count);
    SoftPlane plane = splitter->plane;
    int number = splitter->plane_number, node = (int)tree->nodes.count;
    *array_push(&tree->nodes) = (SoftNode){ .plane = plane, .child = { -1, -1 }, .parent = task.parent, .first_fragment = (int)tree->fragments.count };
    if (task.parent >= 0)
        tree->nodes.at[task.parent].child[task.side] = node;
    for (int side = 0; side < 2; side++)
        sides[side] = (Task){ .parent = node, .side = side };
    for (SoftPiece *p = task.list, *next; p; p = next) {
        next = p->next;
        SoftSide side = p->plane_number == number ? SIDE_BOTH : soft_piece_side(p, &plane);
        if (p->plane_number == number) {
            add_fragment(make, p, node);
            continue;
        }
        for (int k = 0; k < 2; k++) {
            SoftPiece *part = side == SIDE_BOTH ? soft_piece_part(make->arena, p, &plane, k) : (int)side == k ? p : NULL;
            if (!part)
                continue;
            part->next = sides[k].list;
            sides[k].list = part;
            sides[k].count++;
        }
    }
    SoftNode *made = &tree->nodes.at[node];
    for (int i = 1; i < made->fragment_count; i++) {    /* few: sorted where they stand */
        SoftFragment *at = &tree->fragments.at[made->first_fragment], moved = at[i];
        int k = i;
        for (; k > 0 && at[k - 1].surface > moved.surface; k--)
            at[k] = at[k - 1];
        at[k] = moved;
    }
}

int soft_tree_build(SoftTree *tree, Arena *arena, SoftPiece *list, int count) {
    Maker make = { arena, tree };
    int root = (int)tree->nodes.count;
    ARRAY(Task) tasks = { 0 };
    if (count)
        *array_push(&tasks) = (Task){ list, count, -1, 0 };
    while (tasks.count) {
        Task task = tasks.at[--tasks.count], sides[2];
        divide_task(&make, task, sides);
        for (int k = 0; k < 2; k++)
            if (sides[k].list)
                *array_push(&tasks) = sides[k];
    }
    array_free(&tasks);
    return count ? root : -1;
}

void soft_tree_clear(SoftTree *tree) {
    array_clear(&tree->nodes);
    array_clear(&tree->fragments);
    array_clear(&tree->cuts);
    array_clear(&tree->corners);
}

void soft_tree_free(SoftTree *tree) {
    array_free(&tree->nodes);
    array_free(&tree->fragments);
    array_free(&tree->cuts);
    array_free(&tree->corners);
}
