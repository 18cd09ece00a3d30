/* bsp/bsp_patch.c -- the triangles of every face; curves become triangles here, once, for every renderer.
 *
 * A patch is a grid of 3 by 3 control points each, neighbours sharing an edge: a curve of the second degree both ways. A
 * stretch of such a curve is cut into 1, 2, 4 ... steps, so that no step lies further from the curve than allowed. A
 * column of pieces is as fine as its finest row, but the outer border of a patch is cut by its edge's three control
 * points alone: two patches that share the edge have the same vertices on it, and no crack. Where the two ask for
 * different steps (their texture coordinates bend differently) the finer one counts for both. */
#include "bsp/bsp.h"
#include "bsp/bsp_internal.h"

#include <math.h>

enum { STEPS_MOST = 64 };                   /* per piece; the engine's whole grid has 65 at most */
static const double flat = 0.1;             /* units: what the engine takes for straight */
static const double uv_allowed = 1.0 / 32, lightmap_allowed = 1.0 / 128, color_allowed = 4;
enum { ATTRIBUTE_STEPS_MOST = 4 };

/* An edge by its ends and its middle, the lower end first, and into how many steps it is cut. */
typedef struct Edge { float key[9]; int steps; } Edge;
typedef struct EdgeTable { Edge *at; size_t room; } EdgeTable;

typedef struct Build {
    const Map *map;
    double allowed;
    EdgeTable edges;
    ARRAY(BspVertex) vertices;
    ARRAY(uint32_t) indexes;
    int64_t room;                           /* vertices that curves may still make */
} Build;

/* A patch on its way to triangles: per column and row of pieces the steps, then where each starts. */
typedef struct Patch {
    const BspVertex *control;
    int width, height;                      /* control points */
    int columns, rows;                      /* pieces */
    int *column_steps, *row_steps;
    int across, down;                       /* vertices of the fine grid */
    int *vertex;                            /* of the fine grid; border vertices that are left out share their neighbour's */
} Patch;

/* ---- how many steps ---- */

/* How far the middle of the curve a b c lies from the middle of its chord. */
static double bend(double a, double b, double c) { return fabs((a + c) - 2 * b) / 4; }

static int steps_within(double deviation, double allowed, int most) {
    int steps = 2;
    while (steps < most && deviation > allowed * (steps / 2) * (steps / 2))
        steps *= 2;
    return steps;
}

static int curve_steps(const Build *build, const BspVertex *a, const BspVertex *b, const BspVertex *c) {
    double square = 0, color = 0;
    for (int i = 0; i < 3; i++) {
        double axis = bend(a->position.raw[i], b->position.raw[i], c->position.raw[i]);
        square += axis * axis;
    }
    for (int i = 0; i < 4; i++)
        color = fmax(color, bend(a->color[i], b->color[i], c->color[i]));
    double deviation = sqrt(square);
    double uv = fmax(bend(a->uv.x, b->uv.x, c->uv.x), bend(a->uv.y, b->uv.y, c->uv.y));
    double light = fmax(bend(a->lightmap_uv.x, b->lightmap_uv.x, c->lightmap_uv.x),
                        bend(a->lightmap_uv.y, b->lightmap_uv.y, c->lightmap_uv.y));
    int steps = deviation < fmin(flat, build->allowed) ? 1 : steps_within(deviation, build->allowed, STEPS_MOST);
    /* A straight stretch may still bend what is painted on it. */
    double painted = fmax(fmax(uv / uv_allowed, light / lightmap_allowed), color / color_allowed);
    if (painted > 1)
        steps = MAX(steps, steps_within(painted / 4, 1, ATTRIBUTE_STEPS_MOST));
    return steps;
}

/* ---- edges that patches share ---- */

static void edge_key(const BspVertex *a, const BspVertex *b, const BspVertex *c, float key[9]) {
    bool swap = false;
    for (int i = 0; i < 3; i++)
        if (a->position.raw[i] != c->position.raw[i]) {
            swap = a->position.raw[i] > c->position.raw[i];
            break;
        }
    const BspVertex *order[3] = { swap ? c : a, b, swap ? a : c };
    for (int i = 0; i < 9; i++)
        key[i] = order[i / 3]->position.raw[i % 3] + 0.0f;    /* -0 becomes 0 */
}

static Edge *edge_slot(const EdgeTable *table, const float key[9]) {
    size_t slot = bytes_hash(key, 9 * sizeof *key) & (table->room - 1);
    while (table->at[slot].steps && memcmp(table->at[slot].key, key, 9 * sizeof *key) != 0)
        slot = (slot + 1) & (table->room - 1);
    return &table->at[slot];
}

static int edge_steps(const Build *build, const BspVertex *a, const BspVertex *b, const BspVertex *c) {
    float key[9];
    edge_key(a, b, c, key);
    return edge_slot(&build->edges, key)->steps;
}

static void add_edge(Build *build, const BspVertex *a, const BspVertex *b, const BspVertex *c) {
    float key[9];
    edge_key(a, b, c, key);
    Edge *edge = edge_slot(&build->edges, key);
    memcpy(edge->key, key, sizeof key);
    edge->steps = MAX(edge->steps, curve_steps(build, a, b, c));
}

/* The three control points of border stretch `piece`: sides are top, bottom, left, right. */
static void border_points(const Patch *patch, int side, int piece, const BspVertex *out[3]) {
    for (int i = 0; i < 3; i++) {
        int along = piece * 2 + i;
        int row = side == 0 ? 0 : side == 1 ? patch->height - 1 : along;
        int column = side == 2 ? 0 : side == 3 ? patch->width - 1 : along;
        out[i] = &patch->control[row * patch->width + column];
    }
}

static int border_pieces(const Patch *patch, int side) { return side < 2 ? patch->columns : patch->rows; }

static Patch patch_of(const Map *map, const BspFace *face) {
    return (Patch){
        .control = map->vertices + face->first_vertex,
        .width = face->patch_size[0], .height = face->patch_size[1],
        .columns = face->patch_size[0] / 2, .rows = face->patch_size[1] / 2,
    };
}

static bool is_drawn(const Map *map, const BspFace *face) {
    return !face->dropped && face->type != FACE_FLARE && !(map->textures[face->texture].flags & SURF_NODRAW);
}

static void collect_edges(Build *build) {
    const Map *map = build->map;
    size_t count = 0;
    for (int i = 0; i < map->face_count; i++) {
        const BspFace *face = &map->faces[i];
        if (face->type == FACE_PATCH && is_drawn(map, face))
            count += (size_t)(face->patch_size[0] + face->patch_size[1]);
    }
    for (build->edges.room = 16; build->edges.room < 2 * count; build->edges.room *= 2)
        ;
    build->edges.at = mem_zeroed(build->edges.room, sizeof(Edge));
    for (int i = 0; i < map->face_count; i++) {
        const BspFace *face = &map->faces[i];
        if (face->type != FACE_PATCH || !is_drawn(map, face))
            continue;
        Patch patch = patch_of(map, face);
        for (int side = 0; side < 4; side++)
            for (int piece = 0; piece < border_pieces(&patch, side); piece++) {
                const BspVertex *p[3];
                border_points(&patch, side, piece, p);
                add_edge(build, p[0], p[1], p[2]);
            }
    }
}

/* ---- points on the curve ---- */

/* a at t 0, c at t 1. The ends are added first: from either end the sum has the same bits. */
static float on_curve(float a, float b, float c, float t) {
    float s = 1 - t;
    return (s * s * a + t * t * c) + 2 * s * t * b;
}

static float slope(float a, float b, float c, float t) { return 2 * (1 - t) * (b - a) + 2 * t * (c - b); }

/* Whatever of the 3 by 3 vertices `value` gives, at (u, v). */
#define ON_PIECE(value) on_curve(on_curve(value(0, 0), value(0, 1), value(0, 2), u),    \
                                 on_curve(value(1, 0), value(1, 1), value(1, 2), u),    \
                                 on_curve(value(2, 0), value(2, 1), value(2, 2), u), v)

static Vec3 surface_normal(const BspVertex *const p[3][3], float u, float v) {
    Vec3 along_u, along_v;
    for (int i = 0; i < 3; i++) {
        float rows[3], slopes[3];
        for (int r = 0; r < 3; r++) {
            float a = p[r][0]->position.raw[i], b = p[r][1]->position.raw[i], c = p[r][2]->position.raw[i];
            rows[r] = on_curve(a, b, c, u);
            slopes[r] = slope(a, b, c, u);
        }
        along_u.raw[i] = on_curve(slopes[0], slopes[1], slopes[2], v);
        along_v.raw[i] = slope(rows[0], rows[1], rows[2], v);
    }
    return vec3_normalized(vec3_cross(along_u, along_v));
}

static BspVertex point_on_piece(const BspVertex *const p[3][3], float u, float v) {
    BspVertex out;
#define POSITION(r, c) p[r][c]->position.raw[i]
#define NORMAL(r, c) p[r][c]->normal.raw[i]
#define COLOR(r, c) (float)p[r][c]->color[i]
#define UV_X(r, c) p[r][c]->uv.x
#define UV_Y(r, c) p[r][c]->uv.y
#define LIGHT_X(r, c) p[r][c]->lightmap_uv.x
#define LIGHT_Y(r, c) p[r][c]->lightmap_uv.y
    for (int i = 0; i < 3; i++) {
        out.position.raw[i] = ON_PIECE(POSITION);
        out.normal.raw[i] = ON_PIECE(NORMAL);
    }
    out.uv = (Vec2){ ON_PIECE(UV_X), ON_PIECE(UV_Y) };
    out.lightmap_uv = (Vec2){ ON_PIECE(LIGHT_X), ON_PIECE(LIGHT_Y) };
    for (int i = 0; i < 4; i++)
        out.color[i] = (uint8_t)CLAMP(ON_PIECE(COLOR) + 0.5f, 0, 255);
    out.normal = vec3_dot(out.normal, out.normal) > 0.01f ? vec3_normalized(out.normal) : surface_normal(p, u, v);
    return out;
}

/* ---- one patch ---- */

static void choose_steps(const Build *build, Patch *patch) {
    for (int c = 0; c < patch->columns; c++)
        for (int r = 0; r < patch->height; r++) {
            const BspVertex *at = &patch->control[r * patch->width + 2 * c];
            patch->column_steps[c] = MAX(patch->column_steps[c], curve_steps(build, at, at + 1, at + 2));
        }
    for (int r = 0; r < patch->rows; r++)
        for (int c = 0; c < patch->width; c++) {
            const BspVertex *at = &patch->control[2 * r * patch->width + c];
            patch->row_steps[r] =
                MAX(patch->row_steps[r], curve_steps(build, at, at + patch->width, at + 2 * patch->width));
        }
    for (int side = 0; side < 4; side++)
        for (int piece = 0; piece < border_pieces(patch, side); piece++) {
            const BspVertex *p[3];
            border_points(patch, side, piece, p);
            int *steps = side < 2 ? &patch->column_steps[piece] : &patch->row_steps[piece];
            *steps = MAX(*steps, edge_steps(build, p[0], p[1], p[2]));
        }
}

static int sum_of(const int *steps, int count, int most) {
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += MIN(steps[i], most);
    return sum;
}

/* Makes the steps coarser until the patch fits into what this file may still make. */
static void fit_steps(const Build *build, Patch *patch) {
    int most = STEPS_MOST;
    while (most > 1 && (sum_of(patch->column_steps, patch->columns, most) + (int64_t)1) *
                               (sum_of(patch->row_steps, patch->rows, most) + (int64_t)1) > build->room)
        most /= 2;
    for (int c = 0; c < patch->columns; c++)
        patch->column_steps[c] = MIN(patch->column_steps[c], most);
    for (int r = 0; r < patch->rows; r++)
        patch->row_steps[r] = MIN(patch->row_steps[r], most);
    patch->across = sum_of(patch->column_steps, patch->columns, most) + 1;
    patch->down = sum_of(patch->row_steps, patch->rows, most) + 1;
}

/* Vertices of the outer border that the edge does not have are moved to the nearest that it has. */
static void thin_border(const Build *build, Patch *patch, int side) {
    int start = 0;
    for (int piece = 0; piece < border_pieces(patch, side); piece++) {
        const BspVertex *p[3];
        border_points(patch, side, piece, p);
        int fine = side < 2 ? patch->column_steps[piece] : patch->row_steps[piece];
        int stride = MAX(fine / edge_steps(build, p[0], p[1], p[2]), 1);
        for (int k = 0; k < fine; k++) {
            int kept = (k + stride / 2) / stride * stride;
            int from = start + k, to = start + kept;
            int row = side == 1 ? patch->down - 1 : 0, column = side == 3 ? patch->across - 1 : 0;
            int at = side < 2 ? row * patch->across + from : from * patch->across + column;
            patch->vertex[at] = side < 2 ? row * patch->across + to : to * patch->across + column;
        }
        start += fine;
    }
}

/* Turns the places of `vertex` into vertices: those that stand for themselves are made, the others follow. */
static void make_vertices(Build *build, Patch *patch) {
    size_t first = build->vertices.count;
    int row = 0;
    int *made = mem_alloc((size_t)patch->across * (size_t)patch->down * sizeof *made);
    for (int r = 0; r < patch->rows; r++)
        for (int k = r ? 1 : 0; k <= patch->row_steps[r]; k++, row++) {
            int column = 0;
            for (int c = 0; c < patch->columns; c++) {
                const BspVertex *p[3][3];
                for (int i = 0; i < 9; i++)
                    p[i / 3][i % 3] = &patch->control[(2 * r + i / 3) * patch->width + 2 * c + i % 3];
                for (int m = c ? 1 : 0; m <= patch->column_steps[c]; m++, column++) {
                    int at = row * patch->across + column;
                    if (patch->vertex[at] != at)
                        continue;
                    float u = (float)m / (float)patch->column_steps[c], v = (float)k / (float)patch->row_steps[r];
                    made[at] = (int)(build->vertices.count - first);
                    *array_push(&build->vertices) = point_on_piece((const BspVertex *const(*)[3])p, u, v);
                }
            }
        }
    for (int i = 0; i < patch->across * patch->down; i++)
        patch->vertex[i] = (int)first + made[patch->vertex[i]];
    mem_free(made);
}

static bool same_place(const Build *build, int a, int b) {
    return a == b ||
           memcmp(&build->vertices.at[a].position, &build->vertices.at[b].position, sizeof(Vec3)) == 0;
}

static void add_triangle(Build *build, int a, int b, int c) {
    if (same_place(build, a, b) || same_place(build, b, c) || same_place(build, c, a))
        return;    /* a border that was thinned, or control points that coincide */
    uint32_t *out = array_push_n(&build->indexes, 3);
    out[0] = (uint32_t)a;
    out[1] = (uint32_t)b;
    out[2] = (uint32_t)c;
}

static void add_patch(Build *build, const BspFace *face) {
    Patch patch = patch_of(build->map, face);
    patch.column_steps = mem_zeroed((size_t)patch.columns, sizeof(int));
    patch.row_steps = mem_zeroed((size_t)patch.rows, sizeof(int));
    choose_steps(build, &patch);
    fit_steps(build, &patch);
    int count = patch.across * patch.down;
    build->room -= count;
    patch.vertex = mem_alloc((size_t)count * sizeof(int));
    for (int i = 0; i < count; i++)
        patch.vertex[i] = i;
    for (int side = 0; side < 4; side++)
        thin_border(build, &patch, side);
    make_vertices(build, &patch);
    for (int y = 0; y + 1 < patch.down; y++)
        for (int x = 0; x + 1 < patch.across; x++) {
            const int *at = &patch.vertex[y * patch.across + x];
            add_triangle(build, at[0], at[patch.across], at[1]);
            add_triangle(build, at[1], at[patch.across], at[patch.across + 1]);
        }
    mem_free(patch.vertex);
    mem_free(patch.column_steps);
    mem_free(patch.row_steps);
}

/* ---- all faces ---- */

static void add_polygon(Build *build, const BspFace *face) {
    uint32_t first = (uint32_t)build->vertices.count;
    if (face->vertex_count)
        memcpy(array_push_n(&build->vertices, (size_t)face->vertex_count), build->map->vertices + face->first_vertex,
               (size_t)face->vertex_count * sizeof(BspVertex));
    int count = face->index_count / 3 * 3;
    if (!count)
        return;
    uint32_t *out = array_push_n(&build->indexes, (size_t)count);
    for (int i = 0; i < count; i++)
        out[i] = first + (uint32_t)build->map->meshverts[face->first_index + i];
}

static Box bounds_of_face(const Build *build, const BspFace *face, const BspFaceRange *range) {
    Box box = box_nothing();
    bool drawn = range->vertex_count > 0;
    const BspVertex *at = drawn ? build->vertices.at + range->first_vertex : build->map->vertices + face->first_vertex;
    int count = drawn ? range->vertex_count : face->vertex_count;
    if (face->type == FACE_FLARE && !face->dropped)
        return (Box){ face->lightmap_origin, face->lightmap_origin };
    for (int i = 0; i < count; i++)
        box = box_around(box, at[i].position);
    return count ? box : (Box){ vec3_at(0, 0, 0), vec3_at(0, 0, 0) };
}

BspGeometry *bsp_geometry(const Map *map, float subdivisions, Arena *arena) {
    BspGeometry *out = arena_new(arena, BspGeometry);
    Build build = { .map = map, .allowed = subdivisions >= 0.1f && subdivisions <= 1e6f ? subdivisions : 4 };
    build.room = bsp_budget(map->vertex_count);
    array_reserve(&build.vertices, (size_t)map->vertex_count);
    array_reserve(&build.indexes, (size_t)map->meshvert_count);
    out->faces = arena_array(arena, BspFaceRange, map->face_count);
    out->face_bounds = arena_array(arena, Box, map->face_count);
    collect_edges(&build);
    for (int i = 0; i < map->face_count; i++) {
        const BspFace *face = &map->faces[i];
        BspFaceRange *range = &out->faces[i];
        *range = (BspFaceRange){ (int)build.vertices.count, 0, (int)build.indexes.count, 0 };
        if (is_drawn(map, face) && face->type == FACE_PATCH)
            add_patch(&build, face);
        else if (is_drawn(map, face))
            add_polygon(&build, face);
        range->vertex_count = (int)build.vertices.count - range->first_vertex;
        range->index_count = (int)build.indexes.count - range->first_index;
        out->face_bounds[i] = bounds_of_face(&build, face, range);
    }
    out->vertex_count = (int)build.vertices.count;
    out->index_count = (int)build.indexes.count;
    out->vertices = array_keep(&build.vertices, arena);
    out->indexes = array_keep(&build.indexes, arena);
    array_free(&build.vertices);
    array_free(&build.indexes);
    mem_free(build.edges.at);
    return out;
}
