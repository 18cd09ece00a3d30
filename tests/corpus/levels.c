/* tests/corpus/levels.c -- every real level of Debian's packages against facts that another reader computed.
 *
 *     corpus.levels FACTS.json
 *
 * Each row of the facts names its own archive; the level is read from that one alone. Lumps, clusters, rows, areas,
 * bounds, entities, points, surfaces, lightmaps and the light grid must come out the same, and the load must be clean. */
#include "bsp/bsp.h"
#include "bsp/bsp_format.h"
#include "files/files.h"
#include "support/json.h"
#include "support/sha256.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>

static const struct { const char *game, *folder; } games[] = {
    { "openarena", "/usr/share/games/openarena/baseoa" },
    { "nexuiz", "/usr/share/games/nexuiz/data" },
};

static const struct { int lump, bytes; } order[] = {    /* the columns of "counts" */
    { LUMP_ENTITIES, 1 },              { LUMP_TEXTURES, DISK_TEXTURE }, { LUMP_PLANES, DISK_PLANE },
    { LUMP_NODES, DISK_NODE },         { LUMP_LEAFS, DISK_LEAF },       { LUMP_LEAFFACES, DISK_INDEX },
    { LUMP_LEAFBRUSHES, DISK_INDEX },  { LUMP_MODELS, DISK_MODEL },     { LUMP_BRUSHES, DISK_BRUSH },
    { LUMP_BRUSHSIDES, DISK_BRUSHSIDE }, { LUMP_VERTICES, DISK_VERTEX }, { LUMP_MESHVERTS, DISK_INDEX },
    { LUMP_EFFECTS, DISK_EFFECT },     { LUMP_FACES, DISK_FACE },       { LUMP_LIGHTMAPS, LIGHTMAP_BYTES },
    { LUMP_LIGHTVOLS, DISK_LIGHTVOL }, { LUMP_VISDATA, 1 },
};

typedef struct Check { const Map *map; const Json *row; const char *label; int faults, asked; } Check;

static void expect(Check *check, bool good, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void expect(Check *check, bool good, const char *format, ...) {
    check->asked++;
    if (good)
        return;
    check->faults++;
    va_list args;
    va_start(args, format);
    printf("%s: ", check->label);
    vprintf(format, args);
    printf("\n");
    va_end(args);
}

static void expect_number(Check *check, const char *what, double found, double wanted) {
    expect(check, found == wanted, "%s is %.17g, should be %.17g", what, found, wanted);
}

static void expect_near(Check *check, const char *what, double found, double wanted, double off) {
    expect(check, fabs(found - wanted) <= off, "%s is %.9g, should be %.9g", what, found, wanted);
}

static void check_counts(Check *check) {
    const Json *counts = json_get(check->row, "counts");
    expect_number(check, "the number of lumps", counts ? counts->count : 0, COUNT_OF(order));
    for (int i = 0; counts && i < counts->count; i++) {
        const BspLumpInfo *info = &check->map->lumps[order[i].lump];
        expect_number(check, bsp_lump_name(order[i].lump), info->length / (uint32_t)order[i].bytes, counts->items[i].number);
        if (order[i].bytes > 1)
            expect_number(check, "its count", info->count, counts->items[i].number);
    }
}

static void check_clusters(Check *check) {
    const Map *map = check->map;
    const Json *facts = json_get(check->row, "clusters");
    int top = 0, solid = 0;
    for (int i = 0; i < map->leaf_count; i++) {
        top = MAX(top, map->leafs[i].cluster + 1);
        solid += map->leafs[i].cluster < 0;
    }
    expect_number(check, "clusters of the header", map->row_count, json_number(facts, "header"));
    expect_number(check, "row bytes", map->row_bytes, json_number(facts, "row_bytes"));
    expect_number(check, "clusters of the leafs", top, json_number(facts, "in_leaves"));
    expect_number(check, "solid leafs", solid, json_number(facts, "solid_leaves"));
    expect_number(check, "clusters", map->cluster_count, fmax(json_number(facts, "header"), json_number(facts, "in_leaves")));
    expect_number(check, "areas", map->area_count, json_number(check->row, "areas"));
}

/* SHA-256 of the row's clusters, ascending, with commas. */
static void row_digest(const Map *map, int cluster, int *list, Text *text, char out[65]) {
    int count = bsp_visible_clusters(map, cluster, list, map->cluster_count);
    text->count = 0;
    for (int i = 0; i < count; i++) {
        char digits[12];
        int at = sizeof digits, value = list[i];
        do {
            digits[--at] = (char)('0' + value % 10);
            value /= 10;
        } while (value);
        if (i)
            text_add_char(text, ',');
        text_add_n(text, digits + at, sizeof digits - (size_t)at);
    }
    sha256_hex(text_of(text), text->count, out);
}

static void check_rows(Check *check) {
    const Map *map = check->map;
    const Json *facts = json_get(check->row, "rows");
    expect(check, (facts != NULL) == (map->row_count > 0), "the rows are there or not there, against the facts");
    if (!facts || !map->row_count)
        return;
    BspVisStats stats = bsp_vis_stats(map);
    expect_number(check, "smallest row", stats.min, json_number(facts, "min"));
    expect_number(check, "largest row", stats.max, json_number(facts, "max"));
    expect_near(check, "mean row", stats.mean, json_number(facts, "mean"), 0.00051);
    expect_number(check, "sum of rows", round(stats.mean * map->cluster_count), json_number(facts, "sum"));
    expect_number(check, "clusters that do not see themselves", stats.self_unseen, json_number(facts, "self_unseen"));
    expect_number(check, "one-way pairs", (double)stats.one_way_pairs, json_number(facts, "one_way_pairs"));
    int *list = mem_alloc((size_t)map->cluster_count * sizeof *list);
    Text text = { 0 }, all = { 0 };
    const Json *some = json_get(check->row, "row_sha256");
    char digest[65];
    for (int c = 0; c < map->cluster_count; c++) {
        row_digest(map, c, list, &text, digest);
        text_add(&all, digest);
        char key[16];
        snprintf(key, sizeof key, "%d", c);
        const Json *wanted = json_get(some, key);
        if (wanted)
            expect(check, strcmp(wanted->text, digest) == 0, "row %d differs", c);
    }
    sha256_hex(text_of(&all), all.count, digest);
    const Json *wanted = json_get(check->row, "all_rows_sha256");
    expect(check, wanted && strcmp(wanted->text, digest) == 0, "the rows as a whole differ");
    text_free(&text);
    text_free(&all);
    mem_free(list);
}

static void check_entities(Check *check) {
    const Map *map = check->map;
    expect_number(check, "entities", map->entity_count, json_number(check->row, "entities"));
    const Json *classes = json_get(check->row, "classes");
    int total = 0;
    for (int c = 0; classes && c < classes->count; c++) {
        int count = 0;
        for (int i = 0; i < map->entity_count; i++)
            count += strcmp(bsp_entity_class(&map->entities[i]), classes->keys[c]) == 0;
        expect_number(check, classes->keys[c], count, classes->items[c].number);
        total += count;
    }
    expect_number(check, "entities of all classes", total, map->entity_count);
}

static void check_points(Check *check) {
    const Json *points = json_get(check->row, "points");
    for (int i = 0; points && i < points->count; i++) {
        const Json *p = points->items[i].items;
        Vec3 at = vec3_at((float)p[0].number, (float)p[1].number, (float)p[2].number);
        int leaf = bsp_leaf_at(check->map, at);
        expect_number(check, "leaf of a point", leaf, p[3].number);
        expect_number(check, "cluster of a point", bsp_cluster_at(check->map, at), p[4].number);
        expect_number(check, "area of a point", check->map->leafs[leaf].area, p[5].number);
    }
}

static void check_faces(Check *check) {
    static const char *const names[] = { "?", "planar", "patch", "mesh", "flare" };
    const Map *map = check->map;
    int types[5] = { 0 }, none = 0, top = map->face_count ? INT32_MIN : -1, largest[2] = { 0, 0 };
    const Json *ids = json_get(check->row, "lightmap_ids"), *below = json_get(ids, "below -1");
    for (int i = 0; i < map->face_count; i++) {
        const BspFace *face = &map->faces[i];
        expect(check, !face->dropped, "face %d is dropped", i);
        types[CLAMP(face->type, 0, 4)]++;
        none += face->lightmap == LIGHTMAP_NONE;
        top = MAX(top, face->lightmap);
        if (face->type == FACE_PATCH && face->patch_size[0] * face->patch_size[1] > largest[0] * largest[1])
            memcpy(largest, face->patch_size, sizeof largest);
    }
    for (int t = 1; t < 5; t++)
        expect_number(check, names[t], types[t], json_number(json_get(check->row, "surface_types"), names[t]));
    expect_number(check, "faces without a lightmap", none, json_number(ids, "none(-1)"));
    expect_number(check, "highest lightmap", top, json_number(ids, "max"));
    for (int k = 0; below && k < below->count; k++) {
        int count = 0;
        for (int i = 0; i < map->face_count; i++)
            count += map->faces[i].lightmap == (int)text_number(below->keys[k], NULL);
        expect_number(check, below->keys[k], count, below->items[k].number);
    }
    const Json *patch = json_get(check->row, "largest_patch");
    for (int k = 0; patch && k < 2; k++)
        expect_number(check, "largest patch", largest[k], patch->items[k].number);
}

static void check_bounds_and_grid(Check *check) {
    const Map *map = check->map;
    const Json *bounds = json_get(check->row, "world_bounds"), *grid = json_get(check->row, "grid");
    for (int i = 0; bounds && i < 6; i++)
        expect_near(check, "bounds", i < 3 ? map->bounds.mins.raw[i] : map->bounds.maxs.raw[i - 3], bounds->items[i].number,
                    0.00051);
    double points = 1;
    for (int i = 0; grid && i < 3; i++) {
        expect_near(check, "grid size", map->grid.size[i], json_get(grid, "size")->items[i].number, 0.000051);
        expect_number(check, "grid points on an axis", map->grid.count[i], json_get(grid, "dim")->items[i].number);
        points *= map->grid.count[i];
    }
    expect_number(check, "grid points", points, json_number(grid, "want"));
    expect(check, (map->grid.points != NULL) == (json_number(grid, "have") > 0), "the light grid is there or not there");
}

/* Curves: triangles that stay within their control points' box, and none missing. */
static void check_geometry(Check *check, Arena *arena) {
    const Map *map = check->map;
    const BspGeometry *geometry = bsp_geometry(map, 4, arena);
    int lines = 0;
    for (int i = 0; i < map->face_count; i++) {
        const BspFace *face = &map->faces[i];
        const BspFaceRange *range = &geometry->faces[i];
        bool hidden = face->type == FACE_FLARE || (map->textures[face->texture].flags & SURF_NODRAW);
        bool line = face->type == FACE_PATCH && range->index_count == 0;    /* three of stormkeep2's curves have no width */
        lines += line && !hidden;
        expect(check, line || hidden == (range->index_count == 0), "face %d has %d indexes", i, range->index_count);
        Box box = box_nothing();
        for (int v = 0; v < face->vertex_count && !hidden; v++)
            box = box_around(box, map->vertices[face->first_vertex + v].position);
        for (int v = 0; v < range->index_count; v++) {
            uint32_t index = geometry->indexes[range->first_index + v];
            Vec3 p = geometry->vertices[index].position;
            bool inside = index >= (uint32_t)range->first_vertex &&
                          index < (uint32_t)(range->first_vertex + range->vertex_count);
            for (int k = 0; k < 3; k++)
                inside = inside && p.raw[k] >= box.mins.raw[k] - 0.01f && p.raw[k] <= box.maxs.raw[k] + 0.01f;
            if (!inside)
                expect(check, false, "face %d: vertex %u lies outside its control points", i, index);
        }
    }
    expect(check, lines <= 3, "%d curves without a triangle", lines);
}

static double milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static int check_row(const Json *row, Files *files, double *slowest) {
    Arena *arena = arena_open();
    char label[256];
    snprintf(label, sizeof label, "%s/%s", json_get(row, "pak")->text, json_get(row, "map")->text);
    Check check = { .row = row, .label = label };
    Error error = { "" };
    FileBytes file = { 0 };
    if (!files_read(files, json_get(row, "map")->text, &file, &error)) {
        expect(&check, false, "%s", error.text);
    } else {
        char digest[65];
        sha256_hex(file.bytes, file.size, digest);
        expect(&check, strcmp(digest, json_get(row, "sha256")->text) == 0, "another file than the facts speak of");
        double start = milliseconds();
        check.map = bsp_load(arena, json_get(row, "map")->text, file.bytes, file.size, NULL, &error);
        *slowest = fmax(*slowest, milliseconds() - start);
        expect(&check, check.map != NULL, "%s", error.text);
        expect(&check, arena_used(arena) < 2 * file.size, "%zu bytes for a file of %zu", arena_used(arena), file.size);
    }
    if (check.map) {
        check_counts(&check);
        check_clusters(&check);
        check_rows(&check);
        check_entities(&check);
        check_points(&check);
        check_faces(&check);
        check_bounds_and_grid(&check);
        check_geometry(&check, arena);
        for (int i = 0; i < check.map->brush_count; i++)
            expect(&check, check.map->brushes[i].usable, "brush %d is not usable", i);
    }
    file_free(&file);
    arena_close(arena);
    return check.faults;
}

static Files *open_pak(const Json *row) {
    for (int i = 0; i < COUNT_OF(games); i++) {
        if (strcmp(games[i].game, json_get(row, "game")->text) != 0)
            continue;
        char path[512];
        Error error = { "" };
        snprintf(path, sizeof path, "%s/%s", games[i].folder, json_get(row, "pak")->text);
        Files *files = files_open(NULL);
        if (files_add(files, path, &error))
            return files;
        printf("%s\n", error.text);
        files_close(files);
    }
    return NULL;
}

int main(int count, char **args) {
    Arena *arena = arena_open();
    FileBytes text = { 0 };
    Error error = { "give the facts' file" };
    if (count != 2 || !file_read_disk(args[1], &text, &error)) {
        printf("%s\n", error.text);
        return 2;
    }
    const Json *facts = json_parse(arena, (const char *)text.bytes, text.size), *maps = json_get(facts, "maps");
    file_free(&text);
    int levels = 0, wrong = 0;
    double slowest = 0;
    const char *pak = "";
    Files *files = NULL;
    for (int i = 0; maps && i < maps->count; i++) {
        const Json *row = &maps->items[i];
        if (strcmp(pak, json_get(row, "pak")->text) != 0) {
            files_close(files);
            files = open_pak(row);
            pak = json_get(row, "pak")->text;
        }
        wrong += !files || check_row(row, files, &slowest) > 0;
        levels++;
    }
    files_close(files);
    arena_close(arena);
    printf("%d levels, %d of them other than the facts; the slowest loaded in %.0f ms\n", levels, wrong, slowest);
    return levels == 138 && wrong == 0 ? 0 : 1;
}
