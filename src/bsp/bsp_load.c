/* bsp/bsp_load.c -- bytes of a file to a Map. One function per lump, one table that lists them.
 *
 * Every offset, length, index, count, cycle and float is checked here and nowhere else, in 64 bits. What would leave the
 * level without a shape is refused, with lump, record and byte; what can be lived with is repaired and warned of, once
 * for each kind of fault with the first place where it occurs. */
#include "bsp/bsp.h"
#include "bsp/bsp_format.h"
#include "bsp/bsp_internal.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

/* Beyond these a number is a fault of some compiler, not a place, or not a place in a picture: lightmap coordinates of
 * about -1e38 are a known one, while a real level has texture coordinates of -2.9e9. */
static const float place_most = 1e9f, picture_most = 1e30f;
/* No compiler numbers more clusters or areas than it makes leafs; a file cannot ask for gigabytes by one number. */
enum { CLUSTERS_MOST = 1 << 20 };
/* Bounds are kept so far from the ends of int that one may be added. */
enum { BOUND_MOST = 1 << 30 };

typedef struct Records { const uint8_t *at; int count, size; size_t offset; } Records;

typedef struct Loader {
    Map *map;
    Arena *arena;
    const uint8_t *bytes;
    size_t size;
    const Log *log;
    Error *error;
    ARRAY(char *) warnings;
    uint8_t *bad_sides;         /* brushsides whose plane or texture does not exist */
    uint8_t *bad_planes;        /* planes that are none */
} Loader;

/* A kind of fault that was repaired: how often, and the first one in words. */
typedef struct Tally { int count; char first[256]; } Tally;

static const char *const lump_names[LUMP_COUNT] = {
    "entities", "textures", "planes", "nodes", "leafs", "leaffaces", "leafbrushes", "models", "brushes", "brushsides",
    "vertices", "meshverts", "effects", "faces", "lightmaps", "lightvols", "visdata",
};

const char *bsp_lump_name(int lump) { return lump >= 0 && lump < LUMP_COUNT ? lump_names[lump] : "?"; }

int bsp_lump_by_name(const char *name) {
    for (int i = 0; i < LUMP_COUNT; i++)
        if (strcmp(lump_names[i], name) == 0)
            return i;
    return -1;
}

static void warn(Loader *in, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void warn(Loader *in, const char *format, ...) {
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    *array_push(&in->warnings) = arena_text(in->arena, text);
    log_warn(in->log, "%s: %s", in->map->path, text);
}

/* Where a record stands, for messages: "lump nodes, record 17 (byte 5460)". */
typedef struct Place { char text[96]; } Place;
static Place place_of(const Records *records, int lump, int index) {
    Place place;
    snprintf(place.text, sizeof place.text, "lump %s, record %d (byte %llu)", lump_names[lump], index,
             (unsigned long long)records->offset + (unsigned long long)index * (unsigned long long)records->size);
    return place;
}

static bool refuse(Loader *in, const Records *records, int lump, int index, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
static bool refuse(Loader *in, const Records *records, int lump, int index, const char *format, ...) {
    char what[512];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return fail(in->error, "%s: %s: %s", in->map->path, place_of(records, lump, index).text, what);
}

static void tally(Tally *tally, const Records *records, int lump, int index, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
static void tally(Tally *tally, const Records *records, int lump, int index, const char *format, ...) {
    if (tally->count++)
        return;
    char what[128];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    snprintf(tally->first, sizeof tally->first, "%s: %s", place_of(records, lump, index).text, what);
}

static void warn_tally(Loader *in, const Tally *tally, const char *what) {
    if (tally->count == 1)
        warn(in, "%s; %s", tally->first, what);
    else if (tally->count)
        warn(in, "%s; %s (%d such)", tally->first, what, tally->count);
}

static Records records_of(const Loader *in, int lump, int size) {
    const BspLumpInfo *info = &in->map->lumps[lump];
    int count = (int)(info->length / (uint32_t)size);
    return (Records){ in->bytes + (info->length ? info->offset : 0), count, size, info->offset };
}

static const uint8_t *record(const Records *records, int index) {
    return records->at + (size_t)index * (size_t)records->size;
}

/* [first, first + count) within 0 .. total; an empty run may begin anywhere. */
static bool run_fits(int first, int count, int total) {
    return count == 0 || (first >= 0 && count > 0 && (int64_t)first + count <= total);
}

static float float_within(const uint8_t *at, float most, bool *good) {
    float value = disk_f32(at);
    if (value >= -most && value <= most)    /* false for NaN */
        return value;
    *good = false;
    return 0;
}

static float float_at(const uint8_t *at, bool *good) { return float_within(at, place_most, good); }

static Vec2 uv_at(const uint8_t *at, bool *good) {
    return (Vec2){ float_within(at, picture_most, good), float_within(at + 4, picture_most, good) };
}

static Vec3 vec3_at_disk(const uint8_t *at, bool *good) {
    Vec3 v;
    for (int i = 0; i < 3; i++)
        v.raw[i] = float_at(at + 4 * i, good);
    return v;
}

static void bounds_at(const uint8_t *at, int out[3], bool *good) {
    for (int i = 0; i < 3; i++) {
        int value = disk_i32(at + 4 * i);
        out[i] = CLAMP(value, -BOUND_MOST, BOUND_MOST);
        *good &= out[i] == value;
    }
}

/* Copies the name and ends it: a field of 64 bytes need hold no NUL. */
static void name_at(const uint8_t *at, char out[DISK_NAME + 1]) {
    memcpy(out, at, DISK_NAME);
    out[DISK_NAME] = 0;
}

/* ---- the directory ---- */

static bool read_directory(Loader *in) {
    Map *map = in->map;
    for (int i = 0; i < LUMP_COUNT; i++) {
        int64_t offset = disk_i32(in->bytes + 8 + 8 * i), length = disk_i32(in->bytes + 12 + 8 * i);
        int64_t size = (int64_t)in->size;
        if (length < 0)
            return fail(in->error, "%s: lump %s (entry %d at byte %d): its length is %lld", map->path, lump_names[i], i,
                        8 + 8 * i, (long long)length);
        if (length == 0) {
            map->lumps[i] = (BspLumpInfo){ (uint32_t)offset, 0, 0 };    /* the offset of nothing may be anything */
            continue;
        }
        if (offset < 0 || offset > size)
            return fail(in->error, "%s: lump %s begins at %lld, the file ends at %lld", map->path, lump_names[i],
                        (long long)offset, (long long)size);
        if (offset + length > size && i == LUMP_ENTITIES) {
            warn(in, "lump entities ends at %lld, the file at %lld; its text is cut there", (long long)(offset + length),
                 (long long)size);
            length = size - offset;
        }
        if (offset + length > size)
            return fail(in->error, "%s: lump %s ends at %lld, the file at %lld", map->path, lump_names[i],
                        (long long)(offset + length), (long long)size);
        map->lumps[i] = (BspLumpInfo){ (uint32_t)offset, (uint32_t)length, 0 };
    }
    return true;
}

/* Soldier of Fortune's levels call themselves IBSP 46 too, but have Quake 2's lumps: planes (20 bytes each) in lump 1. */
static const char *perhaps_soldier_of_fortune(const Map *map) {
    uint32_t length = map->lumps[LUMP_TEXTURES].length;
    return length && length % 20 == 0 && length % DISK_TEXTURE != 0
               ? " (perhaps a level of Soldier of Fortune, which has the same version and other lumps)"
               : "";
}

static const struct { int lump, size; bool required, whole; } tables[] = {
    { LUMP_TEXTURES, DISK_TEXTURE, true, true },        { LUMP_PLANES, DISK_PLANE, true, true },
    { LUMP_NODES, DISK_NODE, true, true },              { LUMP_LEAFS, DISK_LEAF, true, true },
    { LUMP_LEAFFACES, DISK_INDEX, false, true },        { LUMP_LEAFBRUSHES, DISK_INDEX, false, true },
    { LUMP_MODELS, DISK_MODEL, true, true },            { LUMP_BRUSHES, DISK_BRUSH, false, true },
    { LUMP_BRUSHSIDES, DISK_BRUSHSIDE, false, true },   { LUMP_VERTICES, DISK_VERTEX, false, true },
    { LUMP_MESHVERTS, DISK_INDEX, false, true },        { LUMP_EFFECTS, DISK_EFFECT, false, true },
    { LUMP_FACES, DISK_FACE, false, true },             { LUMP_LIGHTMAPS, LIGHTMAP_BYTES, false, false },
    { LUMP_LIGHTVOLS, DISK_LIGHTVOL, false, false },
};

static bool count_records(Loader *in) {
    for (int i = 0; i < COUNT_OF(tables); i++) {
        BspLumpInfo *info = &in->map->lumps[tables[i].lump];
        const char *name = lump_names[tables[i].lump];
        uint32_t size = (uint32_t)tables[i].size, left = info->length % size;
        info->count = (int)(info->length / size);
        if (left && tables[i].whole)
            return fail(in->error, "%s: lump %s (byte %u): its length %u is no multiple of its record's %u bytes%s",
                        in->map->path, name, info->offset, info->length, size, perhaps_soldier_of_fortune(in->map));
        if (left)
            warn(in, "lump %s (byte %u): its length %u is no multiple of %u; the last %u bytes are ignored", name,
                 info->offset, info->length, size, left);
        if (tables[i].required && !info->count)
            return fail(in->error, "%s: lump %s is empty; a level has at least one%s", in->map->path, name,
                        perhaps_soldier_of_fortune(in->map));
    }
    return true;
}

/* ---- one function per lump ---- */

static void collect_warning(void *user, LogLevel level, const char *text) {
    if (level >= LOG_WARN)
        warn(user, "lump entities, %s", text);
}

static bool load_entities(Loader *in) {
    Map *map = in->map;
    BspLumpInfo *info = &map->lumps[LUMP_ENTITIES];
    const char *text = (const char *)in->bytes + (info->length ? info->offset : 0);
    map->entity_length = strnlen(text, info->length);
    map->entity_text = arena_text_n(in->arena, text, map->entity_length);
    for (size_t i = map->entity_length; i < info->length; i++)
        if ((unsigned char)text[i] > 32) {
            warn(in, "lump entities (byte %llu): text behind a NUL is ignored", (unsigned long long)info->offset + i);
            break;
        }
    Log collector = { collect_warning, in };
    map->entities = bsp_entities_parse(in->arena, map->entity_text, map->entity_length, &map->entity_count, &collector,
                                       in->error);
    if (!map->entities)
        return fail_within(in->error, "%s: lump entities (byte %u), ", map->path, info->offset);
    info->count = map->entity_count;
    return true;
}

static bool load_textures(Loader *in) {
    Records disk = records_of(in, LUMP_TEXTURES, DISK_TEXTURE);
    in->map->textures = arena_array(in->arena, BspTexture, disk.count);
    in->map->texture_count = disk.count;
    for (int i = 0; i < disk.count; i++) {
        const uint8_t *at = record(&disk, i);
        name_at(at, in->map->textures[i].name);
        in->map->textures[i].flags = disk_u32(at + TEXTURE_FLAGS);
        in->map->textures[i].contents = disk_u32(at + TEXTURE_CONTENTS);
    }
    return true;
}

static bool load_planes(Loader *in) {
    Records disk = records_of(in, LUMP_PLANES, DISK_PLANE);
    in->map->planes = arena_array(in->arena, Plane, disk.count);
    in->map->plane_count = disk.count;
    in->bad_planes = mem_zeroed((size_t)disk.count, 1);
    Tally infinite = { 0 }, scaled = { 0 };
    for (int i = 0; i < disk.count; i++) {
        const uint8_t *at = record(&disk, i);
        bool good = true;
        Plane plane = { vec3_at_disk(at + PLANE_NORMAL, &good), float_at(at + PLANE_DIST, &good) };
        double length = sqrt((double)plane.normal.x * plane.normal.x + (double)plane.normal.y * plane.normal.y +
                             (double)plane.normal.z * plane.normal.z);
        if (!good || length < 1e-6) {
            in->bad_planes[i] = 1;
            plane = (Plane){ vec3_at(0, 0, 0), good ? plane.dist : 0 };
            tally(&infinite, &disk, LUMP_PLANES, i, "its normal is not finite, or zero");
        } else if (fabs(length - 1) > 1e-3) {
            tally(&scaled, &disk, LUMP_PLANES, i, "its normal has the length %g", length);
            plane.normal = vec3_scale(plane.normal, (float)(1 / length));
            plane.dist = (float)(plane.dist / length);
        }
        in->map->planes[i] = plane;
    }
    warn_tally(in, &infinite, "a plane without a direction");
    warn_tally(in, &scaled, "scaled to length 1");
    return true;
}

static bool load_nodes(Loader *in) {
    Records disk = records_of(in, LUMP_NODES, DISK_NODE);
    Map *map = in->map;
    map->nodes = arena_array(in->arena, BspNode, disk.count);
    map->node_count = disk.count;
    int leafs = map->lumps[LUMP_LEAFS].count;
    Tally clamped = { 0 };
    for (int i = 0; i < disk.count; i++) {
        const uint8_t *at = record(&disk, i);
        BspNode *node = &map->nodes[i];
        node->plane = disk_i32(at + NODE_PLANE);
        if (node->plane < 0 || node->plane >= map->plane_count)
            return refuse(in, &disk, LUMP_NODES, i, "plane %d, the file has %d", node->plane, map->plane_count);
        for (int side = 0; side < 2; side++) {
            int child = node->child[side] = disk_i32(at + NODE_CHILDREN + 4 * side);
            if (child >= map->node_count)
                return refuse(in, &disk, LUMP_NODES, i, "child node %d, the file has %d", child, map->node_count);
            if (child < 0 && -1 - child >= leafs)
                return refuse(in, &disk, LUMP_NODES, i, "child leaf %d, the file has %d", -1 - child, leafs);
        }
        bool good = true;
        bounds_at(at + NODE_MINS, node->mins, &good);
        bounds_at(at + NODE_MAXS, node->maxs, &good);
        if (!good)
            tally(&clamped, &disk, LUMP_NODES, i, "its bounds are absurd");
    }
    warn_tally(in, &clamped, "clamped");
    return true;
}

static bool load_leafs(Loader *in) {
    Records disk = records_of(in, LUMP_LEAFS, DISK_LEAF);
    Map *map = in->map;
    map->leafs = arena_array(in->arena, BspLeaf, disk.count);
    map->leaf_count = disk.count;
    int faces = map->lumps[LUMP_LEAFFACES].count, brushes = map->lumps[LUMP_LEAFBRUSHES].count;
    int64_t face_sum = 0, brush_sum = 0;
    Tally clamped = { 0 };
    for (int i = 0; i < disk.count; i++) {
        const uint8_t *at = record(&disk, i);
        BspLeaf *leaf = &map->leafs[i];
        leaf->cluster = disk_i32(at + LEAF_CLUSTER);
        leaf->area = disk_i32(at + LEAF_AREA);
        if (leaf->cluster >= CLUSTERS_MOST || leaf->area >= CLUSTERS_MOST)
            return refuse(in, &disk, LUMP_LEAFS, i, "cluster %d, area %d: no level has %d", leaf->cluster, leaf->area,
                          CLUSTERS_MOST);
        leaf->cluster = MAX(leaf->cluster, -1);
        leaf->area = MAX(leaf->area, -1);
        map->cluster_count = MAX(map->cluster_count, leaf->cluster + 1);
        map->area_count = MAX(map->area_count, leaf->area + 1);
        leaf->first_face = disk_i32(at + LEAF_FIRST_FACE);
        leaf->face_count = disk_i32(at + LEAF_FACE_COUNT);
        if (!run_fits(leaf->first_face, leaf->face_count, faces))
            return refuse(in, &disk, LUMP_LEAFS, i, "%d leaffaces from %d, the file has %d", leaf->face_count,
                          leaf->first_face, faces);
        leaf->first_brush = disk_i32(at + LEAF_FIRST_BRUSH);
        leaf->brush_count = disk_i32(at + LEAF_BRUSH_COUNT);
        if (!run_fits(leaf->first_brush, leaf->brush_count, brushes))
            return refuse(in, &disk, LUMP_LEAFS, i, "%d leafbrushes from %d, the file has %d", leaf->brush_count,
                          leaf->first_brush, brushes);
        face_sum += leaf->face_count;
        brush_sum += leaf->brush_count;
        if (face_sum > bsp_budget(faces) || brush_sum > bsp_budget(brushes))
            return refuse(in, &disk, LUMP_LEAFS, i, "leafs share their lists beyond all measure");
        bool good = true;
        bounds_at(at + LEAF_MINS, leaf->mins, &good);
        bounds_at(at + LEAF_MAXS, leaf->maxs, &good);
        if (!good)
            tally(&clamped, &disk, LUMP_LEAFS, i, "its bounds are absurd");
    }
    warn_tally(in, &clamped, "clamped");
    return true;
}

static bool load_indexes(Loader *in, int lump, int limit, const char *what, int **out, int *count) {
    Records disk = records_of(in, lump, DISK_INDEX);
    *out = arena_array(in->arena, int, disk.count);
    *count = disk.count;
    for (int i = 0; i < disk.count; i++) {
        int value = (*out)[i] = disk_i32(record(&disk, i));
        if (value < 0 || value >= limit)
            return refuse(in, &disk, lump, i, "%s %d, the file has %d", what, value, limit);
    }
    return true;
}

static bool load_leaffaces(Loader *in) {
    Map *map = in->map;
    return load_indexes(in, LUMP_LEAFFACES, map->lumps[LUMP_FACES].count, "face", &map->leaffaces, &map->leafface_count);
}

static bool load_leafbrushes(Loader *in) {
    Map *map = in->map;
    return load_indexes(in, LUMP_LEAFBRUSHES, map->lumps[LUMP_BRUSHES].count, "brush", &map->leafbrushes,
                        &map->leafbrush_count);
}

static bool load_models(Loader *in) {
    Records disk = records_of(in, LUMP_MODELS, DISK_MODEL);
    Map *map = in->map;
    map->models = arena_array(in->arena, BspModel, disk.count);
    map->model_count = disk.count;
    int faces = map->lumps[LUMP_FACES].count, brushes = map->lumps[LUMP_BRUSHES].count;
    Tally infinite = { 0 };
    for (int i = 0; i < disk.count; i++) {
        const uint8_t *at = record(&disk, i);
        BspModel *model = &map->models[i];
        bool good = true;
        model->bounds = (Box){ vec3_at_disk(at + MODEL_MINS, &good), vec3_at_disk(at + MODEL_MAXS, &good) };
        if (!good)
            tally(&infinite, &disk, LUMP_MODELS, i, "its bounds are not finite");
        model->first_face = disk_i32(at + MODEL_FIRST_FACE);
        model->face_count = disk_i32(at + MODEL_FACE_COUNT);
        if (!run_fits(model->first_face, model->face_count, faces))
            return refuse(in, &disk, LUMP_MODELS, i, "%d faces from %d, the file has %d", model->face_count,
                          model->first_face, faces);
        model->first_brush = disk_i32(at + MODEL_FIRST_BRUSH);
        model->brush_count = disk_i32(at + MODEL_BRUSH_COUNT);
        if (!run_fits(model->first_brush, model->brush_count, brushes))
            return refuse(in, &disk, LUMP_MODELS, i, "%d brushes from %d, the file has %d", model->brush_count,
                          model->first_brush, brushes);
        model->first_face = model->face_count ? model->first_face : 0;      /* of an empty run it may be rubbish */
        model->first_brush = model->brush_count ? model->first_brush : 0;
    }
    warn_tally(in, &infinite, "0 in their place");
    map->bounds = map->models[0].bounds;
    return true;
}

static bool load_brushsides(Loader *in) {
    Records disk = records_of(in, LUMP_BRUSHSIDES, DISK_BRUSHSIDE);
    Map *map = in->map;
    map->brushsides = arena_array(in->arena, BspBrushSide, disk.count);
    map->brushside_count = disk.count;
    in->bad_sides = mem_zeroed((size_t)disk.count, 1);
    Tally bad = { 0 };
    for (int i = 0; i < disk.count; i++) {
        const uint8_t *at = record(&disk, i);
        BspBrushSide side = { disk_i32(at + BRUSHSIDE_PLANE), disk_i32(at + BRUSHSIDE_TEXTURE) };
        if (side.plane < 0 || side.plane >= map->plane_count) {
            tally(&bad, &disk, LUMP_BRUSHSIDES, i, "plane %d, the file has %d", side.plane, map->plane_count);
            in->bad_sides[i] = 1;
            side.plane = 0;
        }
        if (side.texture < 0 || side.texture >= map->texture_count) {
            tally(&bad, &disk, LUMP_BRUSHSIDES, i, "texture %d, the file has %d", side.texture, map->texture_count);
            in->bad_sides[i] = 1;
            side.texture = 0;
        }
        in->bad_sides[i] |= in->bad_planes[side.plane];
        map->brushsides[i] = side;
    }
    warn_tally(in, &bad, "its brush is dropped");
    return true;
}

static bool sides_are_good(const Loader *in, const BspBrush *brush) {
    for (int i = 0; i < brush->side_count; i++)
        if (in->bad_sides[brush->first_side + i])
            return false;
    return true;
}

static bool load_brushes(Loader *in) {
    Records disk = records_of(in, LUMP_BRUSHES, DISK_BRUSH);
    Map *map = in->map;
    map->brushes = arena_array(in->arena, BspBrush, disk.count);
    map->brush_count = disk.count;
    Tally dropped = { 0 };
    int64_t side_sum = 0, work = 1 << 22;
    for (int i = 0; i < disk.count; i++) {
        const uint8_t *at = record(&disk, i);
        BspBrush *brush = &map->brushes[i];
        brush->first_side = disk_i32(at + BRUSH_FIRST_SIDE);
        brush->side_count = disk_i32(at + BRUSH_SIDE_COUNT);
        brush->texture = disk_i32(at + BRUSH_TEXTURE);
        bool texture = brush->texture >= 0 && brush->texture < map->texture_count;
        if (!texture) {
            tally(&dropped, &disk, LUMP_BRUSHES, i, "texture %d, the file has %d", brush->texture, map->texture_count);
            brush->texture = 0;
        }
        if (!run_fits(brush->first_side, brush->side_count, map->brushside_count) ||
            side_sum + brush->side_count > bsp_budget(map->brushside_count)) {
            tally(&dropped, &disk, LUMP_BRUSHES, i, "%d sides from %d, the file has %d", brush->side_count,
                  brush->first_side, map->brushside_count);
            brush->side_count = 0;
        }
        side_sum += brush->side_count;
        brush->first_side = brush->side_count ? brush->first_side : 0;
        if (!texture || !brush->side_count)
            continue;
        if (brush->side_count < 4)
            tally(&dropped, &disk, LUMP_BRUSHES, i, "%d sides enclose nothing", brush->side_count);
        else if (!sides_are_good(in, brush))
            tally(&dropped, &disk, LUMP_BRUSHES, i, "one of its sides is broken");
        else if (!bsp_brush_box(map, i, &brush->bounds, &work))
            tally(&dropped, &disk, LUMP_BRUSHES, i, "its sides enclose nothing, or are open");
        else
            brush->usable = true;
    }
    warn_tally(in, &dropped, "the brush is dropped");
    return true;
}

static bool load_vertices(Loader *in) {
    Records disk = records_of(in, LUMP_VERTICES, DISK_VERTEX);
    Map *map = in->map;
    map->vertices = arena_array(in->arena, BspVertex, disk.count);
    map->vertex_count = disk.count;
    Tally positions = { 0 }, uvs = { 0 }, lightmap_uvs = { 0 }, normals = { 0 };
    for (int i = 0; i < disk.count; i++) {
        const uint8_t *at = record(&disk, i);
        BspVertex *v = &map->vertices[i];
        bool position = true, uv = true, lightmap_uv = true, normal = true;
        v->position = vec3_at_disk(at + VERTEX_POSITION, &position);
        v->uv = uv_at(at + VERTEX_UV, &uv);
        v->lightmap_uv = uv_at(at + VERTEX_LIGHTMAP_UV, &lightmap_uv);
        v->normal = vec3_at_disk(at + VERTEX_NORMAL, &normal);
        memcpy(v->color, at + VERTEX_COLOR, 4);
        if (position && uv && lightmap_uv && normal)
            continue;
        if (!position)
            tally(&positions, &disk, LUMP_VERTICES, i, "its position is not finite");
        if (!uv)
            tally(&uvs, &disk, LUMP_VERTICES, i, "its texture coordinates are not finite");
        if (!lightmap_uv)
            tally(&lightmap_uvs, &disk, LUMP_VERTICES, i, "its lightmap coordinates are not finite");
        if (!normal)
            tally(&normals, &disk, LUMP_VERTICES, i, "its normal is not finite");
    }
    warn_tally(in, &positions, "0 in its place");
    warn_tally(in, &uvs, "0 in their place");
    warn_tally(in, &lightmap_uvs, "0 in their place");
    warn_tally(in, &normals, "0 in its place");
    return true;
}

static bool load_meshverts(Loader *in) {
    Records disk = records_of(in, LUMP_MESHVERTS, DISK_INDEX);
    in->map->meshverts = arena_array(in->arena, int, disk.count);
    in->map->meshvert_count = disk.count;
    for (int i = 0; i < disk.count; i++)    /* faces check the values: they count from a face's first vertex */
        in->map->meshverts[i] = disk_i32(record(&disk, i));
    return true;
}

static bool load_effects(Loader *in) {
    Records disk = records_of(in, LUMP_EFFECTS, DISK_EFFECT);
    Map *map = in->map;
    map->effects = arena_array(in->arena, BspEffect, disk.count);
    map->effect_count = disk.count;
    Tally nowhere = { 0 };
    for (int i = 0; i < disk.count; i++) {
        const uint8_t *at = record(&disk, i);
        BspEffect *effect = &map->effects[i];
        name_at(at, effect->name);
        effect->brush = disk_i32(at + EFFECT_BRUSH);
        effect->side = disk_i32(at + EFFECT_SIDE);
        if (effect->brush < -1 || effect->brush >= map->brush_count) {
            tally(&nowhere, &disk, LUMP_EFFECTS, i, "brush %d, the file has %d", effect->brush, map->brush_count);
            effect->brush = -1;
        }
        int sides = effect->brush < 0 ? 0 : map->brushes[effect->brush].side_count;
        if (effect->side < -1 || (effect->side >= sides && effect->brush >= 0)) {
            tally(&nowhere, &disk, LUMP_EFFECTS, i, "side %d of a brush with %d", effect->side, sides);
            effect->side = -1;
        }
        effect->side = effect->brush < 0 ? -1 : effect->side;
    }
    warn_tally(in, &nowhere, "-1 in its place");
    return true;
}

/* ---- faces ---- */

typedef struct FaceFaults { Tally dropped, effects, lightmaps, thirds, numbers; int64_t vertex_sum, index_sum; } FaceFaults;

static bool face_indexes_fit(const Map *map, const BspFace *face) {
    for (int i = 0; i < face->index_count; i++)
        if ((unsigned)map->meshverts[face->first_index + i] >= (unsigned)face->vertex_count)
            return false;
    return true;
}

static bool patch_size_fits(const BspFace *face) {
    int64_t w = face->patch_size[0], h = face->patch_size[1];
    return w >= 3 && h >= 3 && (w & 1) && (h & 1) && w * h == face->vertex_count;
}

/* Whether the face can be drawn; the first fault is told in words. */
static bool check_face(const Loader *in, const Records *disk, int index, BspFace *face, FaceFaults *faults) {
    const Map *map = in->map;
    Tally *out = &faults->dropped;
    if (face->texture < 0 || face->texture >= map->texture_count)
        return tally(out, disk, LUMP_FACES, index, "texture %d, the file has %d", face->texture, map->texture_count), false;
    if (face->type == 5)
        return tally(out, disk, LUMP_FACES, index, "type 5: foliage, of Enemy Territory's levels only"), false;
    if (face->type < FACE_PLANAR || face->type > FACE_FLARE)
        return tally(out, disk, LUMP_FACES, index, "type %d, only 1 to 4 are known", face->type), false;
    if (face->type == FACE_FLARE)
        return true;    /* a point: its vertices and indexes mean nothing */
    if (!run_fits(face->first_vertex, face->vertex_count, map->vertex_count))
        return tally(out, disk, LUMP_FACES, index, "%d vertices from %d, the file has %d", face->vertex_count,
                     face->first_vertex, map->vertex_count), false;
    faults->vertex_sum += face->vertex_count;
    if (faults->vertex_sum > bsp_budget(map->vertex_count))
        return tally(out, disk, LUMP_FACES, index, "faces share vertices beyond all measure"), false;
    if (face->type == FACE_PATCH && !patch_size_fits(face))
        return tally(out, disk, LUMP_FACES, index, "a patch of %d x %d control points with %d vertices", face->patch_size[0],
                     face->patch_size[1], face->vertex_count), false;
    if (face->type == FACE_PATCH)
        return true;
    if (face->vertex_count < 3)
        return tally(out, disk, LUMP_FACES, index, "a polygon of %d vertices", face->vertex_count), false;
    if (!run_fits(face->first_index, face->index_count, map->meshvert_count))
        return tally(out, disk, LUMP_FACES, index, "%d meshverts from %d, the file has %d", face->index_count,
                     face->first_index, map->meshvert_count), false;
    faults->index_sum += face->index_count;
    if (faults->index_sum > 4 * bsp_budget(map->meshvert_count))
        return tally(out, disk, LUMP_FACES, index, "faces share meshverts beyond all measure"), false;
    if (!face_indexes_fit(map, face))
        return tally(out, disk, LUMP_FACES, index, "a meshvert beyond its %d vertices", face->vertex_count), false;
    if (face->index_count % 3)
        tally(&faults->thirds, disk, LUMP_FACES, index, "%d meshverts are no whole triangles", face->index_count);
    return true;
}

/* What a face that is not drawn, or is no polygon, must not lead others to. */
static void clear_runs(const Map *map, BspFace *face) {
    bool polygon = !face->dropped && (face->type == FACE_PLANAR || face->type == FACE_MESH);
    bool vertices = polygon || (!face->dropped && face->type == FACE_PATCH);
    if (!vertices && !run_fits(face->first_vertex, face->vertex_count, map->vertex_count))
        face->vertex_count = 0;
    if (!polygon && (!run_fits(face->first_index, face->index_count, map->meshvert_count) || face->dropped))
        face->index_count = 0;
    face->vertex_count = face->dropped ? 0 : face->vertex_count;
    face->first_vertex = face->vertex_count ? face->first_vertex : 0;
    face->first_index = face->index_count ? face->first_index : 0;
}

/* The normal of the largest of its triangles, for planar faces whose compiler left it out. */
static Vec3 normal_of_triangles(const Map *map, const BspFace *face) {
    Vec3 best = vec3_at(0, 0, 0);
    const BspVertex *v = map->vertices + face->first_vertex;
    const int *index = map->meshverts + face->first_index;
    for (int i = 0; i + 2 < face->index_count; i += 3) {
        Vec3 a = v[index[i]].position, b = v[index[i + 1]].position, c = v[index[i + 2]].position;
        Vec3 normal = vec3_cross(vec3_sub(c, a), vec3_sub(b, a));    /* clockwise seen from the front */
        best = vec3_dot(normal, normal) > vec3_dot(best, best) ? normal : best;
    }
    return vec3_normalized(best);
}

static void read_face(const uint8_t *at, BspFace *face, bool *numbers) {
    face->texture = disk_i32(at + FACE_TEXTURE);
    face->effect = disk_i32(at + FACE_EFFECT);
    face->type = disk_i32(at + FACE_TYPE);
    face->first_vertex = disk_i32(at + FACE_FIRST_VERTEX);
    face->vertex_count = disk_i32(at + FACE_VERTEX_COUNT);
    face->first_index = disk_i32(at + FACE_FIRST_INDEX);
    face->index_count = disk_i32(at + FACE_INDEX_COUNT);
    face->lightmap = disk_i32(at + FACE_LIGHTMAP);
    for (int k = 0; k < 2; k++) {
        face->lightmap_xy[k] = disk_i32(at + FACE_LIGHTMAP_XY + 4 * k);
        face->lightmap_size[k] = disk_i32(at + FACE_LIGHTMAP_SIZE + 4 * k);
        face->lightmap_vecs[k] = vec3_at_disk(at + FACE_LIGHTMAP_VECS + 12 * k, numbers);
        face->patch_size[k] = disk_i32(at + FACE_PATCH_SIZE + 4 * k);
    }
    face->lightmap_origin = vec3_at_disk(at + FACE_LIGHTMAP_ORIGIN, numbers);
    face->normal = vec3_at_disk(at + FACE_NORMAL, numbers);
}

static bool load_faces(Loader *in) {
    Records disk = records_of(in, LUMP_FACES, DISK_FACE);
    Map *map = in->map;
    map->faces = arena_array(in->arena, BspFace, disk.count);
    map->face_count = disk.count;
    FaceFaults faults = { 0 };
    for (int i = 0; i < disk.count; i++) {
        BspFace *face = &map->faces[i];
        bool numbers = true;
        read_face(record(&disk, i), face, &numbers);
        face->dropped = !check_face(in, &disk, i, face, &faults);
        clear_runs(map, face);
        if (face->texture < 0 || face->texture >= map->texture_count)
            face->texture = 0;
        if (face->effect < -1 || face->effect >= map->effect_count) {
            tally(&faults.effects, &disk, LUMP_FACES, i, "effect %d, the file has %d", face->effect, map->effect_count);
            face->effect = -1;
        }
        if (face->lightmap < LIGHTMAP_2D) {
            tally(&faults.lightmaps, &disk, LUMP_FACES, i, "lightmap %d has no meaning", face->lightmap);
            face->lightmap = LIGHTMAP_VERTEX;
        }
        if (!numbers)
            tally(&faults.numbers, &disk, LUMP_FACES, i, "its lightmap vectors are not finite");
        if (face->type == FACE_PLANAR && vec3_dot(face->normal, face->normal) < 0.25f)
            face->normal = normal_of_triangles(map, face);
    }
    warn_tally(in, &faults.dropped, "the face is dropped");
    warn_tally(in, &faults.effects, "the face has no effect");
    warn_tally(in, &faults.lightmaps, "lit by its vertices");
    warn_tally(in, &faults.thirds, "the rest is ignored");
    warn_tally(in, &faults.numbers, "0 in their place");
    return true;
}

static bool load_lightmaps(Loader *in) {
    Records disk = records_of(in, LUMP_LIGHTMAPS, LIGHTMAP_BYTES);
    size_t bytes = (size_t)disk.count * LIGHTMAP_BYTES;
    in->map->lightmap_count = disk.count;
    in->map->lightmaps = arena_array(in->arena, uint8_t, bytes);
    memcpy(in->map->lightmaps, disk.at, bytes);
    return true;
}

/* How many points the compiler made along an axis, and where the first stands: in 32-bit floats, as it did itself. */
static int64_t grid_axis(float low, float high, float size, float *origin) {
    *origin = size * ceilf(low / size);
    float top = size * floorf(high / size), count = (top - *origin) / size + 1;
    return count >= 1 && count < 1e9f ? (int64_t)count : 0;
}

static void grid_size(const Map *map, float size[3]) {
    static const float usual[3] = { 64, 64, 128 };
    const char *value = map->entity_count ? bsp_entity_value(&map->entities[0], "gridsize") : NULL;
    bool good = value && text_vector(value, size, 3) == 3;
    for (int i = 0; i < 3; i++)
        good = good && size[i] >= 1 && size[i] <= 1e6f;
    if (!good)
        memcpy(size, usual, sizeof usual);
}

static bool load_lightvols(Loader *in) {
    Records disk = records_of(in, LUMP_LIGHTVOLS, DISK_LIGHTVOL);
    Map *map = in->map;
    BspLightGrid *grid = &map->grid;
    grid_size(map, grid->size);
    int64_t points = 1;
    for (int i = 0; i < 3; i++) {
        int64_t count = grid_axis(map->bounds.mins.raw[i], map->bounds.maxs.raw[i], grid->size[i], &grid->origin[i]);
        grid->count[i] = (int)MIN(count, INT32_MAX);
        points = points > INT32_MAX ? points : points * count;
    }
    if (!disk.count)
        return true;
    if (points > disk.count || points == 0) {
        warn(in, "lump lightvols (byte %zu): %d points, the bounds of model 0 need %lld; the light grid is left out",
             disk.offset, disk.count, (long long)points);
        return true;
    }
    if (points < disk.count)
        warn(in, "lump lightvols (byte %zu): %d points, the bounds of model 0 need %lld; the rest is ignored", disk.offset,
             disk.count, (long long)points);
    uint8_t *copy = arena_array(in->arena, uint8_t, points * DISK_LIGHTVOL);
    memcpy(copy, disk.at, (size_t)points * DISK_LIGHTVOL);
    grid->points = copy;
    return true;
}

static bool load_visdata(Loader *in) {
    Map *map = in->map;
    BspLumpInfo *info = &map->lumps[LUMP_VISDATA];
    if (!info->length)
        return true;
    const uint8_t *at = in->bytes + info->offset;
    if (info->length < DISK_VIS_HEADER)
        return fail(in->error, "%s: lump visdata (byte %u): %u bytes, its header alone has %d", map->path, info->offset,
                    info->length, DISK_VIS_HEADER);
    int64_t clusters = disk_i32(at + VIS_CLUSTERS), row_bytes = disk_i32(at + VIS_ROW_BYTES);
    if (clusters < 0 || row_bytes < 0 || clusters > CLUSTERS_MOST)
        return fail(in->error, "%s: lump visdata (byte %u): %lld clusters with rows of %lld bytes", map->path, info->offset,
                    (long long)clusters, (long long)row_bytes);
    if (clusters && row_bytes < (clusters + 7) / 8)
        return fail(in->error, "%s: lump visdata (byte %u): rows of %lld bytes cannot hold %lld clusters", map->path,
                    info->offset, (long long)row_bytes, (long long)clusters);
    int64_t needed = DISK_VIS_HEADER + clusters * row_bytes;
    if (needed > info->length)
        return fail(in->error, "%s: lump visdata (byte %u): %lld clusters with rows of %lld bytes need %lld bytes, it has %u",
                    map->path, info->offset, (long long)clusters, (long long)row_bytes, (long long)needed, info->length);
    if (!clusters)
        return true;
    if (clusters < map->cluster_count)
        warn(in, "lump visdata (byte %u): rows of %lld clusters, the leafs name %d; the others see all and are always seen",
             info->offset, (long long)clusters, map->cluster_count);
    info->count = map->row_count = (int)clusters;
    map->row_bytes = (int)row_bytes;
    map->cluster_count = MAX(map->cluster_count, map->row_count);
    uint8_t *rows = arena_array(in->arena, uint8_t, clusters * row_bytes);
    memcpy(rows, at + VIS_ROWS, (size_t)(clusters * row_bytes));
    map->rows = rows;
    return true;
}

/* In an order in which each finds what it refers to. */
static bool (*const steps[])(Loader *) = {
    load_entities, load_textures, load_planes, load_nodes, load_leafs, load_leaffaces, load_leafbrushes, load_models,
    load_brushsides, load_brushes, load_vertices, load_meshverts, load_effects, load_faces, load_lightmaps, load_lightvols,
    load_visdata,
};

/* ---- what is worked out ---- */

static bool link_tree(Loader *in) {
    int node = 0;
    const char *why = "";
    if (bsp_tree_link(in->map, in->arena, &node, &why)) {
        if (in->map->shared_leafs)
            warn(in, "lump nodes: a leaf is the child of more than one node");
        return true;
    }
    Records disk = records_of(in, LUMP_NODES, DISK_NODE);
    return refuse(in, &disk, LUMP_NODES, node, "%s", why);
}

/* The first model that names a face owns it. Runs that overlap are skipped over by `next`, so that no file makes this slow. */
static void link_models(Loader *in) {
    Map *map = in->map;
    map->face_model = arena_array(in->arena, int, map->face_count);
    int *next = mem_alloc(((size_t)map->face_count + 1) * sizeof *next);
    for (int i = 0; i <= map->face_count; i++)
        next[i] = i;
    for (int i = 0; i < map->face_count; i++)
        map->face_model[i] = -1;
    for (int m = 0; m < map->model_count; m++) {
        int at = map->models[m].first_face, end = at + map->models[m].face_count;
        while (at < end) {
            while (next[at] != at)
                at = next[at] = next[next[at]];
            if (at >= end)
                break;
            map->face_model[at] = m;
            next[at] = at + 1;
        }
    }
    mem_free(next);
}

static bool run_steps(Loader *in) {
    if (!read_directory(in) || !count_records(in))
        return false;
    for (int i = 0; i < COUNT_OF(steps); i++)
        if (!steps[i](in))
            return false;
    if (!link_tree(in))
        return false;
    link_models(in);
    return true;
}

static bool check_head(const char *path, const uint8_t *bytes, size_t size, Error *error) {
    const char *foreign = bsp_foreign_format(bytes, size);
    if (foreign)
        return fail(error, "%s: this is %s, not a Quake III level (IBSP version %d)", path, foreign, DISK_VERSION);
    if (size < DISK_HEADER)
        return fail(error, "%s: file too short (%zu bytes, the header of a level has %d)", path, size, DISK_HEADER);
    if (memcmp(bytes, "IBSP", 4) != 0)
        return fail(error, "%s: not a Quake III level: the file begins with the bytes %02x %02x %02x %02x, not with IBSP", path,
                    bytes[0], bytes[1], bytes[2], bytes[3]);
    if (size > INT32_MAX)
        return fail(error, "%s: %zu bytes; a level's offsets reach no further than 2 GB", path, size);
    return true;
}

static const char *name_of_path(Arena *arena, const char *path) {
    const char *slash = strrchr(path, '/');
    const char *start = slash ? slash + 1 : path;
    size_t length = strlen(start);
    return arena_text_n(arena, start, text_ends_fold(start, ".bsp") ? length - 4 : length);
}

Map *bsp_load(Arena *arena, const char *path, const uint8_t *bytes, size_t size, const Log *log, Error *error) {
    if (!check_head(path, bytes, size, error))
        return NULL;
    Map *map = arena_new(arena, Map);
    map->path = arena_text(arena, path);
    map->name = name_of_path(arena, path);
    map->version = disk_i32(bytes + 4);
    map->file_size = size;
    map->hash = bytes_hash(bytes, size);
    Loader in = { .map = map, .arena = arena, .bytes = bytes, .size = size, .log = log, .error = error };
    bool good = run_steps(&in);
    map->warnings.count = (int)in.warnings.count;
    map->warnings.at = array_keep(&in.warnings, arena);
    array_free(&in.warnings);
    mem_free(in.bad_sides);
    mem_free(in.bad_planes);
    return good ? map : NULL;
}
