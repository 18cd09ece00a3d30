/* support/level.c -- makes the small levels of level.h.
 *
 * A level is a list of open boxes (cells) that do not overlap. A tree splits space at their sides until each part is one
 * cell or nothing; parts of nothing become solid leafs with a brush each. Walls are drawn where no other cell touches. */
#include "support/test.h"

#include "support/level.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { CELLS_MOST = 8, WALL = 16 };
enum { FLOOR, CEILING, WALLS, SKY, CURVE, NODRAW, DOOR, FOG, TEXTURES };

typedef struct IntBox { int mins[3], maxs[3]; } IntBox;

typedef struct Cell { IntBox box; int ceiling; int first_face, face_count; } Cell;

typedef struct Maker {
    Level *level;
    Cell cells[CELLS_MOST];
    int cell_count;
    IntBox world;
    int extra_faces[16], extra_face_cell[16], extra_face_count;    /* curves and the like, listed in their cell's leafs */
    int fog_brush;
} Maker;

/* ---- bytes ---- */

static const int record_bytes[LUMP_COUNT] = {
    1, DISK_TEXTURE, DISK_PLANE, DISK_NODE, DISK_LEAF, DISK_INDEX, DISK_INDEX, DISK_MODEL, DISK_BRUSH, DISK_BRUSHSIDE,
    DISK_VERTEX, DISK_INDEX, DISK_EFFECT, DISK_FACE, LIGHTMAP_BYTES, DISK_LIGHTVOL, 1,
};

static void put_int(Text *out, int value) {
    uint32_t bits = (uint32_t)value;
    char bytes[4] = { (char)bits, (char)(bits >> 8), (char)(bits >> 16), (char)(bits >> 24) };
    text_add_n(out, bytes, 4);
}

static void put_float(Text *out, float value) {
    int bits;
    memcpy(&bits, &value, 4);
    put_int(out, bits);
}

static void put_ints(Text *out, const int *values, int count) {
    for (int i = 0; i < count; i++)
        put_int(out, values[i]);
}

static void put_floats(Text *out, const float *values, int count) {
    for (int i = 0; i < count; i++)
        put_float(out, values[i]);
}

static void put_name(Text *out, const char *name) {
    char field[DISK_NAME] = { 0 };
    memcpy(field, name, MIN(strlen(name), sizeof field));
    text_add_n(out, field, sizeof field);
}

static Text *lump_of(Maker *make, int lump) { return &make->level->lumps[lump]; }

int level_count(const Level *level, int lump) { return (int)(level->lumps[lump].count / (size_t)record_bytes[lump]); }

static char *field_at(const Level *level, int lump, int record, int field) {
    size_t at = (size_t)record * (size_t)record_bytes[lump] + (size_t)field;
    if (record < 0 || field < 0 || at + 4 > level->lumps[lump].count)
        fail_msg("lump %s has no field %d in record %d", bsp_lump_name(lump), field, record);
    return level->lumps[lump].at + at;
}

void level_set_int(Level *level, int lump, int record, int field, int value) {
    uint32_t bits = (uint32_t)value;
    char *at = field_at(level, lump, record, field);
    for (int i = 0; i < 4; i++)
        at[i] = (char)(bits >> (8 * i));
}

void level_set_float(Level *level, int lump, int record, int field, float value) {
    int bits;
    memcpy(&bits, &value, 4);
    level_set_int(level, lump, record, field, bits);
}

int level_get_int(const Level *level, int lump, int record, int field) {
    return disk_i32((const uint8_t *)field_at(level, lump, record, field));
}

void level_resize(Level *level, int lump, size_t bytes) {
    Text *text = &level->lumps[lump];
    while (text->count < bytes)
        text_add_char(text, 0);
    text->count = bytes;
}

void level_set_text(Level *level, const char *text) {
    level_resize(level, LUMP_ENTITIES, 0);
    text_add_n(&level->lumps[LUMP_ENTITIES], text, strlen(text) + 1);
}

void level_add_entity(Level *level, const char *pairs) {
    Text *text = &level->lumps[LUMP_ENTITIES];
    if (text->count)
        text->count--;    /* its NUL */
    text_format(text, "{\n%s\n}\n", pairs);
    text_add_char(text, 0);
}

void level_see(Level *level, int from, int to, bool sees) {
    Text *text = &level->lumps[LUMP_VISDATA];
    int row_bytes = level_get_int(level, LUMP_VISDATA, VIS_ROW_BYTES, 0);
    char *at = text->at + VIS_ROWS + from * row_bytes + to / 8;
    *at = (char)(sees ? *at | 1 << to % 8 : *at & ~(1 << to % 8));
}

/* ---- planes, brushes, faces ---- */

/* The plane at `at` on an axis, looking up it (sign 1) or down it (-1). Planes are stored in pairs, as compilers do. */
static int plane_on(Maker *make, int axis, int sign, int at) {
    Text *planes = lump_of(make, LUMP_PLANES);
    int count = level_count(make->level, LUMP_PLANES);
    for (int i = 0; i < count; i++) {
        const uint8_t *p = (const uint8_t *)planes->at + i * DISK_PLANE;
        if (disk_f32(p + 4 * axis) == sign && disk_f32(p + PLANE_DIST) == sign * at)
            return i;
    }
    for (int half = 1; half >= -1; half -= 2) {
        float plane[4] = { 0, 0, 0, (float)(half * at) };
        plane[axis] = (float)half;
        put_floats(planes, plane, 4);
    }
    return count + (sign < 0);
}

static int add_brush(Maker *make, IntBox box, int texture) {
    int brush = level_count(make->level, LUMP_BRUSHES);
    int fields[3] = { level_count(make->level, LUMP_BRUSHSIDES), 6, texture };
    put_ints(lump_of(make, LUMP_BRUSHES), fields, 3);
    for (int axis = 0; axis < 3; axis++)
        for (int sign = -1; sign <= 1; sign += 2) {
            int side[2] = { plane_on(make, axis, sign, sign < 0 ? box.mins[axis] : box.maxs[axis]), texture };
            put_ints(lump_of(make, LUMP_BRUSHSIDES), side, 2);
        }
    return brush;
}

static void put_vertex(Maker *make, Vec3 position, Vec2 uv, Vec2 lightmap_uv, Vec3 normal, int shade) {
    Text *out = lump_of(make, LUMP_VERTICES);
    float numbers[10] = { position.x, position.y, position.z, uv.x, uv.y, lightmap_uv.x, lightmap_uv.y,
                          normal.x, normal.y, normal.z };
    put_floats(out, numbers, 10);
    char color[4] = { (char)shade, (char)shade, (char)shade, (char)255 };
    text_add_n(out, color, 4);
}

typedef struct FaceRow {
    int texture, effect, type, first_vertex, vertex_count, first_index, index_count, lightmap, size[2], patch[2];
    Vec3 origin, vecs[2], normal;
} FaceRow;

static int put_face(Maker *make, const FaceRow *row) {
    Text *out = lump_of(make, LUMP_FACES);
    int ints[12] = { row->texture, row->effect, row->type, row->first_vertex, row->vertex_count, row->first_index,
                     row->index_count, row->lightmap, 0, 0, row->size[0], row->size[1] };
    put_ints(out, ints, 12);
    put_floats(out, row->origin.raw, 3);
    put_floats(out, row->vecs[0].raw, 3);
    put_floats(out, row->vecs[1].raw, 3);
    put_floats(out, row->normal.raw, 3);
    put_ints(out, row->patch, 2);
    return level_count(make->level, LUMP_FACES) - 1;
}

/* A rectangle on an axis, seen from the side that `sign` points to. */
static void add_wall(Maker *make, int axis, int sign, int at, const int low[2], const int high[2], int texture) {
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    FaceRow row = { .texture = texture, .effect = -1, .type = FACE_PLANAR, .vertex_count = 4, .index_count = 6,
                    .first_vertex = level_count(make->level, LUMP_VERTICES),
                    .first_index = level_count(make->level, LUMP_MESHVERTS),
                    .lightmap = texture == FLOOR ? 0 : LIGHTMAP_VERTEX };
    row.normal.raw[axis] = (float)sign;
    row.vecs[0].raw[u] = 1;
    row.vecs[1].raw[v] = 1;
    for (int corner = 0; corner < 4; corner++) {
        int along_u = corner == 1 || corner == 2, along_v = corner >= 2;
        Vec3 p;
        p.raw[axis] = (float)at;
        p.raw[u] = (float)(along_u ? high[0] : low[0]);
        p.raw[v] = (float)(along_v ? high[1] : low[1]);
        Vec2 light = { along_u ? 0.25f : 0, along_v ? 0.25f : 0 };
        put_vertex(make, p, (Vec2){ p.raw[u] / 64, p.raw[v] / 64 }, light, row.normal, 128 + 16 * axis + 8 * sign);
    }
    /* The corners go round counter-clockwise seen from +axis; fronts are clockwise. */
    static const int up[6] = { 0, 2, 1, 0, 3, 2 }, down[6] = { 0, 1, 2, 0, 2, 3 };
    put_ints(lump_of(make, LUMP_MESHVERTS), sign > 0 ? up : down, 6);
    put_face(make, &row);
}

/* Whether some other cell lies right behind this piece of wall. */
static bool is_open(const Maker *make, int axis, int sign, int at, const int low[2], const int high[2]) {
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (int i = 0; i < make->cell_count; i++) {
        const IntBox *b = &make->cells[i].box;
        int side = sign > 0 ? b->maxs[axis] : b->mins[axis];    /* a wall that looks up ends the cell below it */
        if (side == at && b->mins[u] <= low[0] && b->maxs[u] >= high[0] && b->mins[v] <= low[1] && b->maxs[v] >= high[1])
            return true;
    }
    return false;
}

static void add_side(Maker *make, const Cell *cell, int axis, int sign, int texture) {
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    int at = sign > 0 ? cell->box.mins[axis] : cell->box.maxs[axis];
    int cuts[2][2 * CELLS_MOST], counts[2] = { 0, 0 };
    for (int i = 0; i < make->cell_count; i++)
        for (int k = 0; k < 2; k++) {
            int way = k ? v : u;
            const IntBox *b = &make->cells[i].box;
            cuts[k][counts[k]++] = CLAMP(b->mins[way], cell->box.mins[way], cell->box.maxs[way]);
            cuts[k][counts[k]++] = CLAMP(b->maxs[way], cell->box.mins[way], cell->box.maxs[way]);
        }
    for (int k = 0; k < 2; k++)
        qsort(cuts[k], (size_t)counts[k], sizeof(int), compare_ints);
    for (int i = 0; i + 1 < counts[0]; i++)
        for (int j = 0; j + 1 < counts[1]; j++) {
            int low[2] = { cuts[0][i], cuts[1][j] }, high[2] = { cuts[0][i + 1], cuts[1][j + 1] };
            if (low[0] < high[0] && low[1] < high[1] && !is_open(make, axis, sign, at, low, high))
                add_wall(make, axis, sign, at, low, high, texture);
        }
}

static void add_walls(Maker *make) {
    for (int i = 0; i < make->cell_count; i++) {
        Cell *cell = &make->cells[i];
        cell->first_face = level_count(make->level, LUMP_FACES);
        for (int axis = 0; axis < 3; axis++)
            for (int sign = -1; sign <= 1; sign += 2)
                add_side(make, cell, axis, sign, axis < 2 ? WALLS : sign > 0 ? FLOOR : cell->ceiling);
        cell->face_count = level_count(make->level, LUMP_FACES) - cell->first_face;
    }
}

/* ---- the tree ---- */

static bool overlaps(const IntBox *a, const IntBox *b) {
    for (int i = 0; i < 3; i++)
        if (a->mins[i] >= b->maxs[i] || a->maxs[i] <= b->mins[i])
            return false;
    return true;
}

static int put_leaf(Maker *make, const IntBox *region, int cell) {
    Level *level = make->level;
    int leaf = level_count(level, LUMP_LEAFS);
    int fields[12] = { cell, cell < 0 ? -1 : 0 };
    memcpy(fields + 2, region->mins, sizeof region->mins);
    memcpy(fields + 5, region->maxs, sizeof region->maxs);
    fields[8] = level_count(level, LUMP_LEAFFACES);
    fields[10] = level_count(level, LUMP_LEAFBRUSHES);
    if (cell < 0)
        put_int(lump_of(make, LUMP_LEAFBRUSHES), add_brush(make, *region, WALLS));
    for (int i = 0; cell >= 0 && i < make->cells[cell].face_count; i++)
        put_int(lump_of(make, LUMP_LEAFFACES), make->cells[cell].first_face + i);
    for (int i = 0; i < make->extra_face_count; i++)
        if (make->extra_face_cell[i] == cell)
            put_int(lump_of(make, LUMP_LEAFFACES), make->extra_faces[i]);
    if (cell == 0 && make->fog_brush >= 0)
        put_int(lump_of(make, LUMP_LEAFBRUSHES), make->fog_brush);
    fields[9] = level_count(level, LUMP_LEAFFACES) - fields[8];
    fields[11] = level_count(level, LUMP_LEAFBRUSHES) - fields[10];
    put_ints(lump_of(make, LUMP_LEAFS), fields, 12);
    return -1 - leaf;
}

/* A side of a cell that cuts the region, if any does. */
static bool find_split(const Maker *make, const IntBox *region, int *axis, int *at) {
    for (int i = 0; i < make->cell_count; i++) {
        const IntBox *b = &make->cells[i].box;
        for (int k = 0; overlaps(b, region) && k < 6; k++) {
            *axis = k % 3;
            *at = k < 3 ? b->mins[*axis] : b->maxs[*axis];
            if (*at > region->mins[*axis] && *at < region->maxs[*axis])
                return true;
        }
    }
    return false;
}

static int put_tree(Maker *make, const IntBox *region) {
    int axis, at;
    if (!find_split(make, region, &axis, &at)) {
        for (int i = 0; i < make->cell_count; i++)
            if (overlaps(&make->cells[i].box, region))
                return put_leaf(make, region, i);
        return put_leaf(make, region, -1);
    }
    int node = level_count(make->level, LUMP_NODES);
    int fields[9] = { plane_on(make, axis, 1, at) };
    memcpy(fields + 3, region->mins, sizeof region->mins);
    memcpy(fields + 6, region->maxs, sizeof region->maxs);
    put_ints(lump_of(make, LUMP_NODES), fields, 9);
    IntBox front = *region, back = *region;
    front.mins[axis] = back.maxs[axis] = at;
    level_set_int(make->level, LUMP_NODES, node, NODE_CHILDREN, put_tree(make, &front));
    level_set_int(make->level, LUMP_NODES, node, NODE_CHILDREN + 4, put_tree(make, &back));
    return node;
}

/* ---- what stands in the rooms ---- */

static void list_face(Maker *make, int face, int cell) {
    make->extra_faces[make->extra_face_count] = face;
    make->extra_face_cell[make->extra_face_count++] = cell;
}

/* 3 by 3 control points from three rows, each from three points. */
static void add_patch(Maker *make, const Vec3 p[9]) {
    FaceRow row = { .texture = CURVE, .effect = -1, .type = FACE_PATCH, .vertex_count = 9, .patch = { 3, 3 },
                    .first_vertex = level_count(make->level, LUMP_VERTICES), .lightmap = LIGHTMAP_VERTEX };
    row.vecs[0] = p[0];
    row.vecs[1] = p[8];
    for (int i = 0; i < 9; i++) {
        Vec2 uv = { (float)(i % 3) / 2, (float)(i / 3) / 2 };
        put_vertex(make, p[i], uv, uv, vec3_at(0, 0, 1), 160);
    }
    list_face(make, put_face(make, &row), 0);
}

/* Two quarter pipes that share the edge at x 96, the second one twice as wide and bent; a flat one; one in a point. */
static void add_curves(Maker *make) {
    static const float z[3] = { 16, 48, 48 }, y[3] = { 32, 32, 64 };
    Vec3 pipe[9], other[9], board[9], point[9];
    for (int i = 0; i < 9; i++) {
        int r = i / 3, c = i % 3;
        pipe[i] = vec3_at(32 + 32 * (float)c, y[r], z[r]);
        other[i] = vec3_at(96 + 48 * (float)c, y[r] + 20 * (float)c, z[r] + (float)(c == 1) * 30);
        board[i] = vec3_at(32 + 16 * (float)c, 160 + 16 * (float)r, 64);
        point[i] = vec3_at(200, 200, 64);
    }
    add_patch(make, pipe);
    add_patch(make, other);
    add_patch(make, board);
    add_patch(make, point);
}

static void add_mesh_and_flare(Maker *make) {
    FaceRow mesh = { .texture = CURVE, .effect = -1, .type = FACE_MESH, .vertex_count = 3, .index_count = 3,
                     .first_vertex = level_count(make->level, LUMP_VERTICES),
                     .first_index = level_count(make->level, LUMP_MESHVERTS), .lightmap = LIGHTMAP_VERTEX };
    for (int i = 0; i < 3; i++)
        put_vertex(make, vec3_at(150 + 20 * (float)(i == 1), 150 + 20 * (float)(i == 2), 40), (Vec2){ 0, 0 },
                   (Vec2){ NAN, -1e38f }, vec3_at(0, 0, 1), 200);    /* rubbish, as in real vertex-lit meshes */
    put_ints(lump_of(make, LUMP_MESHVERTS), (int[]){ 0, 2, 1 }, 3);
    list_face(make, put_face(make, &mesh), 0);
    FaceRow flare = { .texture = CURVE, .effect = -1, .type = FACE_FLARE, .lightmap = LIGHTMAP_NONE,
                      .first_vertex = 123456, .vertex_count = 77, .first_index = -5, .index_count = 9999,
                      .origin = vec3_at(128, 128, 120), .normal = vec3_at(0, 0, -1) };
    flare.vecs[0] = vec3_at(1, 0.5f, 0.25f);
    list_face(make, put_face(make, &flare), 0);
}

static void add_fog(Maker *make) {
    make->fog_brush = add_brush(make, (IntBox){ { 0, 0, 0 }, { 256, 256, 32 } }, FOG);
    put_name(lump_of(make, LUMP_EFFECTS), "textures/test/fog");
    put_ints(lump_of(make, LUMP_EFFECTS), (int[]){ make->fog_brush, 5 }, 2);
}

static void put_model(Maker *make, const IntBox *box, const int runs[4]) {
    Text *out = lump_of(make, LUMP_MODELS);
    for (int i = 0; i < 3; i++)
        put_float(out, (float)box->mins[i]);
    for (int i = 0; i < 3; i++)
        put_float(out, (float)box->maxs[i]);
    put_ints(out, runs, 4);
}

/* A slab that fills the first doorway, drawn on all sides. */
static void add_door(Maker *make) {
    IntBox box = { { 260, 96, 0 }, { 268, 160, 96 } };
    int runs[4] = { level_count(make->level, LUMP_FACES), 6, level_count(make->level, LUMP_BRUSHES), 1 };
    for (int axis = 0; axis < 3; axis++)
        for (int sign = -1; sign <= 1; sign += 2) {
            int u = (axis + 1) % 3, v = (axis + 2) % 3;
            int low[2] = { box.mins[u], box.mins[v] }, high[2] = { box.maxs[u], box.maxs[v] };
            add_wall(make, axis, sign, sign < 0 ? box.mins[axis] : box.maxs[axis], low, high, DOOR);
        }
    add_brush(make, box, DOOR);
    put_model(make, &box, runs);
}

/* ---- the other lumps ---- */

static void put_textures(Maker *make) {
    static const struct { const char *name; unsigned flags, contents; } rows[TEXTURES] = {
        { "textures/test/floor", 0, 1 },   { "textures/test/ceiling", 0, 1 },        { "textures/test/wall", 0, 1 },
        { "textures/test/sky", SURF_SKY, 1 }, { "textures/test/curve", 0, 1 },       { "textures/common/nodraw", SURF_NODRAW, 0 },
        { "textures/test/door", 0, 1 },    { "textures/test/fog", SURF_NONSOLID, 0x40 },
    };
    for (int i = 0; i < TEXTURES; i++) {
        put_name(lump_of(make, LUMP_TEXTURES), rows[i].name);
        put_ints(lump_of(make, LUMP_TEXTURES), (int[]){ (int)rows[i].flags, (int)rows[i].contents }, 2);
    }
}

static void put_vis(Maker *make) {
    int clusters = make->cell_count, row_bytes = (clusters + 63) / 64 * 8;
    put_ints(lump_of(make, LUMP_VISDATA), (int[]){ clusters, row_bytes }, 2);
    level_resize(make->level, LUMP_VISDATA, VIS_ROWS + (size_t)(clusters * row_bytes));
    for (int from = 0; from < clusters; from++)
        for (int to = 0; to < clusters; to++)
            level_see(make->level, from, to, true);
}

static void put_lightmap(Maker *make) {
    for (int y = 0; y < LIGHTMAP_SIZE; y++)
        for (int x = 0; x < LIGHTMAP_SIZE; x++)
            text_add_n(lump_of(make, LUMP_LIGHTMAPS), (char[]){ (char)(x + 64), (char)(y + 64), 96 }, 3);
}

static bool is_inside(const Maker *make, const int point[3]) {
    for (int i = 0; i < make->cell_count; i++) {
        const IntBox *b = &make->cells[i].box;
        bool inside = true;
        for (int k = 0; k < 3; k++)
            inside = inside && point[k] >= b->mins[k] && point[k] <= b->maxs[k];
        if (inside)
            return true;
    }
    return false;
}

/* Points of 64 64 128; red grows along x, those in walls are black; light comes from straight above. */
static void put_grid(Maker *make) {
    static const int size[3] = { 64, 64, 128 };
    int low[3], high[3], at[3];
    for (int i = 0; i < 3; i++) {
        low[i] = (int)ceilf((float)make->world.mins[i] / (float)size[i]);
        high[i] = (int)floorf((float)make->world.maxs[i] / (float)size[i]);
    }
    for (int z = low[2]; z <= high[2]; z++)
        for (int y = low[1]; y <= high[1]; y++)
            for (int x = low[0]; x <= high[0]; x++) {
                at[0] = x * size[0], at[1] = y * size[1], at[2] = z * size[2];
                char point[8] = { (char)(40 + 8 * x), 50, 60, 100, 110, 120, 0, 0 };
                if (!is_inside(make, at))
                    memset(point, 0, sizeof point);
                text_add_n(lump_of(make, LUMP_LIGHTVOLS), point, sizeof point);
            }
}

static void put_entities(Maker *make) {
    level_add_entity(make->level, "\"classname\" \"worldspawn\"\n\"message\" \"A small level {of ours}\"");
    for (int i = 0; i < make->cell_count; i += 2) {
        const IntBox *b = &make->cells[i].box;
        char text[128];
        snprintf(text, sizeof text, "\"classname\" \"info_player_deathmatch\"\n\"origin\" \"%d %d %d\"\n\"angle\" \"%d\"",
                 (b->mins[0] + b->maxs[0]) / 2, (b->mins[1] + b->maxs[1]) / 2, b->mins[2] + 24, 90 * (i / 2));
        level_add_entity(make->level, text);
    }
}

static void add_cell(Maker *make, IntBox box, int ceiling) {
    make->cells[make->cell_count++] = (Cell){ box, ceiling, 0, 0 };
}

static void add_rooms(Maker *make, int rooms) {
    add_cell(make, (IntBox){ { 0, 0, 0 }, { 256, 256, 128 } }, CEILING);
    if (rooms > 1) {
        add_cell(make, (IntBox){ { 256, 96, 0 }, { 272, 160, 96 } }, CEILING);
        add_cell(make, (IntBox){ { 272, 0, 0 }, { 528, 256, 128 } }, CEILING);
    }
    if (rooms > 2) {
        add_cell(make, (IntBox){ { 368, 256, 0 }, { 432, 272, 96 } }, CEILING);
        add_cell(make, (IntBox){ { 272, 272, 0 }, { 528, 528, 128 } }, SKY);
    }
    make->world = make->cells[0].box;
    for (int i = 0; i < make->cell_count; i++)
        for (int k = 0; k < 3; k++) {
            make->world.mins[k] = MIN(make->world.mins[k], make->cells[i].box.mins[k]);
            make->world.maxs[k] = MAX(make->world.maxs[k], make->cells[i].box.maxs[k]);
        }
    for (int k = 0; k < 3; k++) {
        make->world.mins[k] -= WALL;
        make->world.maxs[k] += WALL;
    }
}

enum { WITH_CURVES = 1, WITH_MESH = 2, WITH_DOOR = 4, WITH_FOG = 8, NO_VIS = 16, NO_LIGHT = 32 };

static const struct Plan { const char *name; int rooms, options; } plans[] = {
    { "room", 1, 0 },
    { "two rooms", 2, 0 },
    { "bend", 3, 0 },
    { "no vis", 3, NO_VIS },
    { "unlit", 3, NO_VIS | NO_LIGHT },
    { "patch", 1, WITH_CURVES },
    { "door", 2, WITH_DOOR },
    { "everything", 3, WITH_CURVES | WITH_MESH | WITH_DOOR | WITH_FOG },
};

const char *const level_names[] = { "room", "two rooms", "bend", "no vis", "unlit", "patch", "door", "everything", NULL };

static void add_world(Maker *make, const struct Plan *plan) {
    static const int nothing[12] = { 0 };
    put_ints(lump_of(make, LUMP_LEAFS), nothing, 12);    /* leaf 0: zeros, and no node refers to it */
    put_textures(make);
    if (plan->options & WITH_FOG)
        add_fog(make);
    add_walls(make);
    if (plan->options & WITH_CURVES)
        add_curves(make);
    if (plan->options & WITH_MESH)
        add_mesh_and_flare(make);
    put_tree(make, &make->world);
    int runs[4] = { 0, level_count(make->level, LUMP_FACES), 0, level_count(make->level, LUMP_BRUSHES) };
    put_model(make, &make->world, runs);
    if (plan->options & WITH_DOOR)
        add_door(make);
}

static void add_things(Maker *make, const struct Plan *plan) {
    Level *level = make->level;
    put_entities(make);
    if (plan->options & WITH_DOOR) {
        level_add_entity(level, "\"classname\" \"func_door\"\n\"model\" \"*1\"\n\"angle\" \"-1\"\n\"targetname\" \"door\"");
        level_add_entity(level, "\"classname\" \"target_relay\"\n\"target\" \"door\"\n\"origin\" \"64 64 64\"");
    }
    if (plan->options & WITH_MESH) {
        level_add_entity(level, "\"classname\" \"item_armor_shard\"\n\"origin\" \"64 128 16\"");
        level_add_entity(level, "\"classname\" \"light\"\n\"origin\" \"128 128 112\"\n\"light\" \"300 \"");
        level_add_entity(level, "\"classname\" \"misc_teleporter_dest\"\n\"origin\" \"400 400 16\"\n\"targetname\" \"there\"");
    }
    if (!(plan->options & NO_VIS))
        put_vis(make);
    if (!(plan->options & NO_LIGHT)) {
        put_lightmap(make);
        put_grid(make);
    }
    for (int from = 0; plan->rooms == 3 && from < 2 && !(plan->options & NO_VIS); from++) {
        level_see(level, from, 4, false);
        level_see(level, 4, from, false);
    }
}

Level *level_make(const char *name) {
    for (int i = 0; i < COUNT_OF(plans); i++) {
        if (strcmp(plans[i].name, name) != 0)
            continue;
        Level *level = mem_zeroed(1, sizeof *level);
        memcpy(level->ident, "IBSP", 4);
        level->version = DISK_VERSION;
        level->entries = 17;
        level->align = 4;
        Maker make = { .level = level, .fog_brush = -1 };
        add_rooms(&make, plans[i].rooms);
        add_world(&make, &plans[i]);
        add_things(&make, &plans[i]);
        return level;
    }
    fail_msg("no level of the name %s", name);
    return NULL;
}

void level_free(Level *level) {
    for (int i = 0; i < LUMP_COUNT; i++)
        text_free(&level->lumps[i]);
    mem_free(level);
}

uint8_t *level_write(const Level *level, size_t *size) {
    Text out = { 0 };
    text_add_n(&out, level->ident, 4);
    put_int(&out, level->version);
    size_t at = 8 + 8 * (size_t)level->entries, align = (size_t)level->align;
    for (int i = 0; i < level->entries; i++) {
        size_t length = i < LUMP_COUNT ? level->lumps[i].count : 0;
        at = (at + align - 1) / align * align;
        put_int(&out, (int)at);
        put_int(&out, (int)length);
        at += length;
    }
    for (int i = 0; i < LUMP_COUNT; i++) {
        while (out.count % align)
            text_add_char(&out, 0);
        if (level->lumps[i].count)
            text_add_n(&out, level->lumps[i].at, level->lumps[i].count);
    }
    *size = out.count;
    uint8_t *bytes = mem_alloc(out.count);    /* of exactly this size, so that a sanitizer sees a step beyond it */
    memcpy(bytes, out.at, out.count);
    text_free(&out);
    return bytes;
}

Map *level_load(Level *level, Arena *arena, Error *error) {
    size_t size;
    uint8_t *bytes = level_write(level, &size);
    level_free(level);
    Map *map = bsp_load(arena, "maps/test.bsp", bytes, size, NULL, error);
    mem_free(bytes);
    return map;
}

Map *level_map(Arena *arena, const char *name) {
    Error error;
    Map *map = level_load(level_make(name), arena, &error);
    if (!map)
        fail_msg("%s: %s", name, error.text);
    return map;
}
