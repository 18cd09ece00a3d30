/* bsp/bsp_collision.c -- from control points to facets. */
#include "bsp/bsp_collision.h"

#include <math.h>

#include "bsp/bsp_trace.h"

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

static void *keep(Arena *arena, const void *from, size_t count, size_t size) {
    void *copy = arena_alloc_array(arena, count, size);
    return count ? memcpy(copy, from, count * size) : copy;
}

/* A file may let every leaf name everything: from here on a leaf is taken to be as large as the world, and to have no boxes. */
enum { NAMED_MOST = 1 << 24 };

typedef struct Bounds {
    const Map *map;
    Collision *collision;
    Box *node_space, *leaf_space;    /* what the axial planes above them leave of the world */
    Box *node_bounds, *leaf_bounds;  /* of what can be met there */
    ARRAY(int) met;                  /* nodes, each before what is below it */
    ARRAY(int) curves;               /* faces of all leafs */
    ARRAY(FourBoxes) boxes;
} Bounds;

static bool is_box(const Map *map, const BspBrush *brush) {
    for (int i = 0; i < brush->side_count; i++) {
        Vec3 n = map->planes[map->brushsides[brush->first_side + i].plane].normal;
        if (fabsf(n.x) != 1 && fabsf(n.y) != 1 && fabsf(n.z) != 1)
            return false;
    }
    return true;
}

static Box box_common(Box a, Box b) {
    for (int i = 0; i < 3; i++) {
        a.mins.raw[i] = fmaxf(a.mins.raw[i], b.mins.raw[i]);
        a.maxs.raw[i] = fminf(a.maxs.raw[i], b.maxs.raw[i]);
    }
    return a;
}

/* A large box, as of a floor or a sky, is met in the leafs that a way goes through: each needs its own part of it. Of other
 * brushes a way may meet planes that overhang far from the brush itself, so all of their box counts in each leaf. */
static Box bounds_of_brush(const Map *map, Box space, int number) {
    const BspBrush *brush = &map->brushes[number];
    if (!brush->usable)
        return box_nothing();
    Box part = is_box(map, brush) ? box_common(brush->bounds, space) : brush->bounds;
    bool empty = part.mins.x > part.maxs.x || part.mins.y > part.maxs.y || part.mins.z > part.maxs.z;
    return empty ? brush->bounds : part;
}

/* The `index`th of a list that begins a new four now and then; returns the box. */
static Box add_box(Bounds *b, int index, Box box) {
    if (index % 4 == 0) {
        FourBoxes *four = array_push(&b->boxes);
        for (int i = 0; i < 12; i++) {
            four->mins[i / 4][i % 4] = INFINITY;
            four->maxs[i / 4][i % 4] = -INFINITY;
        }
    }
    FourBoxes *four = &b->boxes.at[b->boxes.count - 1];
    for (int axis = 0; axis < 3; axis++) {
        four->mins[axis][index % 4] = box.mins.raw[axis];
        four->maxs[axis][index % 4] = box.maxs.raw[axis];
    }
    return box;
}

/* In the order of the lists, so that of brushes that are met at once the first counts, as everywhere. */
static Box make_leaf(Bounds *b, int number) {
    const BspLeaf *leaf = &b->map->leafs[number];
    SweepLeaf *out = &b->collision->leafs[number];
    Box bounds = box_nothing();
    out->first_boxes = (int)b->boxes.count;
    for (int i = 0; i < leaf->brush_count; i++)
        bounds = box_join(bounds, add_box(b, i, bounds_of_brush(b->map, b->leaf_space[number], out->brushes[i])));
    out->face_count = 0;
    for (int i = 0; i < leaf->face_count; i++) {
        int face = b->map->leaffaces[leaf->first_face + i], curve = b->collision->face_curve[face];
        if (curve < 0)
            continue;
        *array_push(&b->curves) = face;
        bounds = box_join(bounds, add_box(b, out->face_count++, b->collision->curves[curve].bounds));
    }
    return bounds;
}

/* The part of a node's space on one side of its plane. */
static Box space_of_side(Box space, const Plane *plane, int side) {
    for (int i = 0; i < 3; i++) {
        if (plane->normal.raw[i] != 1)
            continue;
        if (side == 0)
            space.mins.raw[i] = fmaxf(space.mins.raw[i], plane->dist);
        else
            space.maxs.raw[i] = fminf(space.maxs.raw[i], plane->dist);
    }
    return space;
}

static void find_spaces(Bounds *b, Box everywhere) {
    const Map *map = b->map;
    for (int i = 0; i < map->leaf_count; i++)
        b->leaf_space[i] = everywhere;
    if (!map->node_count)
        return;
    *array_push(&b->met) = 0;
    b->node_space[0] = everywhere;
    for (size_t i = 0; i < b->met.count; i++) {
        const BspNode *node = &map->nodes[b->met.at[i]];
        Box space = b->node_space[b->met.at[i]];
        for (int side = 0; side < 2; side++) {
            Box part = space_of_side(space, &map->planes[node->plane], side);
            int child = node->child[side];
            if (child >= 0) {
                b->node_space[child] = part;
                *array_push(&b->met) = child;
            } else if (!map->shared_leafs) {
                b->leaf_space[-1 - child] = part;
            }
        }
    }
}

static void make_leafs(Bounds *b, Box everywhere) {
    const Map *map = b->map;
    SweepLeaf *leafs = b->collision->leafs;
    int64_t named = 0;
    for (int i = 0; i < map->leaf_count; i++) {
        const BspLeaf *leaf = &map->leafs[i];
        leafs[i] = (SweepLeaf){ .brush_count = leaf->brush_count, .face_count = leaf->face_count, .first_boxes = -1 };
        leafs[i].brushes = leaf->brush_count ? map->leafbrushes + leaf->first_brush : NULL;
        leafs[i].faces = leaf->face_count ? map->leaffaces + leaf->first_face : NULL;
        named += leaf->brush_count + (int64_t)leaf->face_count;
        b->leaf_bounds[i] = named < NAMED_MOST ? make_leaf(b, i) : everywhere;
    }
}

static void make_nodes(Bounds *b) {
    for (size_t i = b->met.count; i-- > 0;) {
        int number = b->met.at[i];
        const BspNode *node = &b->map->nodes[number];
        SweepNode *out = &b->collision->nodes[number];
        *out = (SweepNode){ .plane = b->map->planes[node->plane], .child = { node->child[0], node->child[1] }, .axis = 3 };
        for (int axis = 0; axis < 3; axis++)
            if (out->plane.normal.raw[axis] == 1)
                out->axis = axis;
        for (int side = 0; side < 2; side++)
            out->bounds[side] = node->child[side] >= 0 ? b->node_bounds[node->child[side]] : b->leaf_bounds[-1 - node->child[side]];
        b->node_bounds[number] = box_join(out->bounds[0], out->bounds[1]);
    }
}

/* Lists of curves lie in one piece that is known when all leafs are. */
static void keep_lists(Bounds *b, Arena *arena) {
    Collision *collision = b->collision;
    const int *curves = keep(arena, b->curves.at, b->curves.count, sizeof(int));
    collision->boxes = keep(arena, b->boxes.at, b->boxes.count, sizeof(FourBoxes));
    for (int i = 0; i < b->map->leaf_count; i++) {
        if (collision->leafs[i].first_boxes < 0)
            continue;
        collision->leafs[i].faces = curves;
        curves += collision->leafs[i].face_count;
    }
}

static void make_tree(const Map *map, Collision *collision, Arena *arena) {
    const Box everywhere = { vec3_at(-INFINITY, -INFINITY, -INFINITY), vec3_at(INFINITY, INFINITY, INFINITY) };
    Bounds b = { .map = map, .collision = collision };
    b.node_space = mem_zeroed((size_t)map->node_count, sizeof(Box));
    b.leaf_space = mem_zeroed((size_t)map->leaf_count, sizeof(Box));
    b.node_bounds = mem_zeroed((size_t)map->node_count, sizeof(Box));
    b.leaf_bounds = mem_zeroed((size_t)map->leaf_count, sizeof(Box));
    collision->nodes = arena_array(arena, SweepNode, map->node_count);
    collision->leafs = arena_array(arena, SweepLeaf, map->leaf_count);
    find_spaces(&b, everywhere);
    make_leafs(&b, everywhere);
    make_nodes(&b);
    keep_lists(&b, arena);
    array_free(&b.met);
    array_free(&b.curves);
    array_free(&b.boxes);
    mem_free(b.node_space);
    mem_free(b.leaf_space);
    mem_free(b.node_bounds);
    mem_free(b.leaf_bounds);
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
    collision->facets = keep(arena, maker.facets.at, maker.facets.count, sizeof(Facet));
    collision->planes = keep(arena, maker.planes.at, maker.planes.count, sizeof(Plane));
    collision->curves = keep(arena, curves.at, curves.count, sizeof(CurveFacets));
    array_free(&maker.facets);
    array_free(&maker.planes);
    array_free(&curves);
    mem_free(grid.at);
    make_tree(map, collision, arena);
    return collision;
}
