/* bsp/bsp_collision.c -- from control points to facets. */
#include "bsp/bsp_collision.h"

#include <math.h>

static const float split_distance = 16;     /* a piece is split while its curve is this far from its chord */
static const float point_epsilon = 0.1f;    /* columns nearer than this are one */
static const float plane_epsilon = 0.1f;    /* how far off a plane a facet's fourth corner may lie */
static const float thickness = 0.25f;       /* twice the gap: a ray must enter a facet before it leaves it */
enum { GRID_MOST = 129 };                   /* points per side, as in the engine: finer adds nothing that is felt */

/* The most of any real level is 3088. Where a file asks for more, curves collide as coarsely as they are given; and past
 * four times as many, not at all: a small file must not ask for memory without end. */
enum { FACETS_MOST = 1 << 16 };

typedef struct Grid { int width, height, most; Vec3 *at; } Grid;    /* rows of GRID_MOST points; split up to `most` */

static Vec3 *grid_at(const Grid *grid, int x, int y) { return &grid->at[y * GRID_MOST + x]; }

static void grid_transpose(Grid *grid) {
    int side = MAX(grid->width, grid->height);
    for (int y = 0; y < side; y++)
        for (int x = 0; x < y; x++) {
            Vec3 swap = *grid_at(grid, x, y);
            *grid_at(grid, x, y) = *grid_at(grid, y, x);
            *grid_at(grid, y, x) = swap;
        }
    int width = grid->width;
    grid->width = grid->height;
    grid->height = width;
}

static void shift_columns(Grid *grid, int from, int by) {
    for (int y = 0; y < grid->height; y++)
        memmove(grid_at(grid, from + by, y), grid_at(grid, from, y), (size_t)(grid->width - from) * sizeof(Vec3));
    grid->width += by;
}

/* How far the curve through columns x, x+1, x+2 bulges from its chord, at the row where it does so most. */
static float bulge(const Grid *grid, int x) {
    float most = 0;
    for (int y = 0; y < grid->height; y++) {
        Vec3 a = *grid_at(grid, x, y), b = *grid_at(grid, x + 1, y), c = *grid_at(grid, x + 2, y);
        Vec3 chord = vec3_mix(a, c, 0.5f);
        Vec3 curve = vec3_mix(vec3_mix(a, b, 0.5f), vec3_mix(b, c, 0.5f), 0.5f);
        most = fmaxf(most, vec3_length(vec3_sub(curve, chord)));
    }
    return most;
}

static void split_piece(Grid *grid, int x) {    /* de Casteljau at the middle: columns a b c become a ab m bc c */
    shift_columns(grid, x + 2, 2);
    for (int y = 0; y < grid->height; y++) {
        Vec3 a = *grid_at(grid, x, y), b = *grid_at(grid, x + 1, y), c = *grid_at(grid, x + 4, y);
        *grid_at(grid, x + 1, y) = vec3_mix(a, b, 0.5f);
        *grid_at(grid, x + 3, y) = vec3_mix(b, c, 0.5f);
        *grid_at(grid, x + 2, y) = vec3_mix(*grid_at(grid, x + 1, y), *grid_at(grid, x + 3, y), 0.5f);
    }
}

static void flatten_columns(Grid *grid) {
    for (int x = 0; x + 2 < grid->width;) {
        if (bulge(grid, x) >= split_distance && grid->width + 2 <= grid->most) {
            split_piece(grid, x);
            continue;
        }
        shift_columns(grid, x + 2, -1);    /* straight enough: its middle column goes */
        x++;
    }
}

static void drop_coincident_columns(Grid *grid) {
    for (int x = 0; x + 1 < grid->width;) {
        bool same = true;
        for (int y = 0; y < grid->height && same; y++)
            same = vec3_length(vec3_sub(*grid_at(grid, x, y), *grid_at(grid, x + 1, y))) < point_epsilon;
        if (same)
            shift_columns(grid, x + 1, -1);
        else
            x++;
    }
}

typedef struct Maker { Arena *arena; ARRAY(Facet) facets; ARRAY(Plane) planes; } Maker;

static bool plane_through(const Vec3 *p, int count, Plane *out) {
    Vec3 normal = vec3_at(0, 0, 0);
    for (int i = 2; i < count; i++)    /* the sum over a fan is steady where single corners are nearly straight */
        normal = vec3_add(normal, vec3_cross(vec3_sub(p[i], p[0]), vec3_sub(p[i - 1], p[0])));
    float length = vec3_length(normal);
    if (!(length > 1e-3f))
        return false;
    *out = (Plane){ vec3_scale(normal, 1 / length), 0 };
    out->dist = vec3_dot(out->normal, p[0]);
    return true;
}

static bool plane_known(const Maker *maker, size_t first, Plane plane) {
    for (size_t i = first; i < maker->planes.count; i++)
        if (vec3_dot(maker->planes.at[i].normal, plane.normal) > 0.9999f && fabsf(maker->planes.at[i].dist - plane.dist) < 0.02f)
            return true;
    return false;
}

/* A plane of this direction that all corners lie behind and one touches: it takes nothing of the facet itself, only of
 * what a box sweeps around it. */
static void add_bevel(Maker *maker, size_t first, Vec3 direction, const Vec3 *p, int count) {    /* `count`: all corners */
    float length = vec3_length(direction);
    if (!(length > 0.01f))
        return;
    Plane plane = { vec3_scale(direction, 1 / length), -1e30f };
    for (int i = 0; i < count; i++)
        plane.dist = fmaxf(plane.dist, vec3_dot(plane.normal, p[i]));
    if (!plane_known(maker, first, plane))
        *array_push(&maker->planes) = plane;
}

/* `p`: the corners of the front, then those of the back. */
static void add_bevels(Maker *maker, size_t first, const Vec3 *p, int edges) {
    int count = edges * 2;
    for (int axis = 0; axis < 3; axis++)
        for (int sign = -1; sign <= 1; sign += 2) {
            Vec3 direction = vec3_at(0, 0, 0);
            direction.raw[axis] = (float)sign;
            add_bevel(maker, first, direction, p, count);
        }
    for (int i = 0; i < edges; i++) {
        Vec3 edge = vec3_normalized(vec3_sub(p[(i + 1) % edges], p[i]));
        for (int axis = 0; axis < 3; axis++)
            for (int sign = -1; sign <= 1; sign += 2) {
                Vec3 unit = vec3_at(0, 0, 0);
                unit.raw[axis] = (float)sign;
                Vec3 direction = vec3_cross(edge, unit);
                float at_edge = vec3_dot(direction, p[i]);
                bool supports = true;    /* only where the edge is on the hull's outline in that direction */
                for (int j = 0; j < count && supports; j++)
                    supports = vec3_dot(direction, p[j]) <= at_edge + 0.01f;
                if (supports)
                    add_bevel(maker, first, direction, p, count);
            }
    }
}

static void add_facet(Maker *maker, const Vec3 *p, int count) {
    Plane surface;
    if (!plane_through(p, count, &surface))
        return;    /* its corners coincide: nothing to hit (traps A12) */
    size_t first = maker->planes.count;
    *array_push(&maker->planes) = surface;
    Box bounds = box_nothing();
    Vec3 corners[8];
    for (int i = 0; i < count; i++) {
        corners[i] = p[i];
        corners[count + i] = vec3_add_scaled(p[i], surface.normal, -thickness);
        bounds = box_around(bounds, p[i]);
        Vec3 out = vec3_cross(surface.normal, vec3_sub(p[(i + 1) % count], p[i]));    /* corners run clockwise from the front */
        Vec3 normal = vec3_normalized(out);
        if (vec3_length(out) > point_epsilon * 0.01f)
            *array_push(&maker->planes) = (Plane){ normal, vec3_dot(normal, p[i]) };
    }
    add_bevels(maker, first, corners, count);
    *array_push(&maker->planes) = (Plane){ vec3_scale(surface.normal, -1), thickness - surface.dist };
    *array_push(&maker->facets) = (Facet){ (int)first, (int)(maker->planes.count - first), bounds };
}

static bool convex(const Vec3 *p, Vec3 normal) {
    for (int i = 0; i < 4; i++) {
        Vec3 turn = vec3_cross(vec3_sub(p[(i + 2) % 4], p[(i + 1) % 4]), vec3_sub(p[(i + 1) % 4], p[i]));
        if (vec3_dot(turn, normal) <= 0)
            return false;
    }
    return true;
}

static void add_cell(Maker *maker, const Grid *grid, int x, int y) {
    /* Down the rows first: that is clockwise seen from a curve's front. */
    Vec3 p[4] = { *grid_at(grid, x, y), *grid_at(grid, x, y + 1), *grid_at(grid, x + 1, y + 1), *grid_at(grid, x + 1, y) };
    Plane plane;
    if (plane_through(p, 3, &plane) && fabsf(plane_distance(plane, p[3])) < plane_epsilon && convex(p, plane.normal)) {
        add_facet(maker, p, 4);
        return;
    }
    add_facet(maker, p, 3);
    add_facet(maker, (Vec3[]){ p[2], p[3], p[0] }, 3);
}

static void add_curve(Maker *maker, const Map *map, int face, Grid *grid, CurveFacets *out) {
    const BspFace *patch = &map->faces[face];
    grid->width = patch->patch_size[0];
    grid->height = patch->patch_size[1];
    for (int y = 0; y < grid->height; y++)
        for (int x = 0; x < grid->width; x++)
            *grid_at(grid, x, y) = map->vertices[patch->first_vertex + y * grid->width + x].position;
    for (int side = 0; side < 2; side++) {
        flatten_columns(grid);
        drop_coincident_columns(grid);
        grid_transpose(grid);
    }
    *out = (CurveFacets){ face, (int)maker->facets.count, 0, box_nothing() };
    for (int y = 0; y + 1 < grid->height; y++)
        for (int x = 0; x + 1 < grid->width; x++)
            add_cell(maker, grid, x, y);
    out->facet_count = (int)maker->facets.count - out->first_facet;
    for (int i = 0; i < out->facet_count; i++)
        out->bounds = box_join(out->bounds, maker->facets.at[out->first_facet + i].bounds);
}

static bool collides(const Map *map, const BspFace *face) {
    return face->type == FACE_PATCH && !face->dropped && map->textures[face->texture].contents != 0 &&
           !(map->textures[face->texture].flags & SURF_NONSOLID) && face->patch_size[0] <= GRID_MOST &&
           face->patch_size[1] <= GRID_MOST;
}

Collision *bsp_collision(const Map *map, Arena *arena) {
    Maker maker = { .arena = arena };
    ARRAY(CurveFacets) curves = { 0 };
    Collision *collision = arena_new(arena, Collision);
    collision->face_curve = arena_array(arena, int, map->face_count);
    Grid grid = { .at = mem_zeroed((size_t)GRID_MOST * GRID_MOST, sizeof(Vec3)) };
    for (int i = 0; i < map->face_count; i++) {
        collision->face_curve[i] = -1;
        if (!collides(map, &map->faces[i]) || maker.facets.count > 4 * FACETS_MOST)
            continue;
        grid.most = maker.facets.count < FACETS_MOST ? GRID_MOST : 0;
        CurveFacets curve;
        add_curve(&maker, map, i, &grid, &curve);
        if (!curve.facet_count)
            continue;
        collision->face_curve[i] = (int)curves.count;
        *array_push(&curves) = curve;
    }
    collision->facet_count = (int)maker.facets.count;
    collision->plane_count = (int)maker.planes.count;
    collision->curve_count = (int)curves.count;
    collision->facets = array_keep(&maker.facets, arena);
    collision->planes = array_keep(&maker.planes, arena);
    collision->curves = array_keep(&curves, arena);
    array_free(&maker.facets);
    array_free(&maker.planes);
    array_free(&curves);
    mem_free(grid.at);
    bsp_sweep_tree(map, collision, arena);
    return collision;
}
