/* bsp/bsp_check.c -- looks a loaded level over. One function per kind of doubt, one table that lists them. */
#include "bsp/bsp_check.h"

#include <stdarg.h>
#include <stdio.h>

#include "bsp/bsp_areas.h"
#include "bsp/flags.h"

enum { NAMED_MOST = 8 };    /* how many clusters, faces ... a line names before it says "and 12 more" */

typedef struct Checker {
    const Map *map;
    Arena *arena;
    ARRAY(BspFinding) findings;
} Checker;

static void find(Checker *in, BspSeverity severity, const char *kind, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static void find(Checker *in, BspSeverity severity, const char *kind, const char *format, ...) {
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    *array_push(&in->findings) = (BspFinding){ severity, kind, arena_text(in->arena, text) };
}

/* "clusters that see no other (3): 4, 7, 9" */
typedef struct Numbers { int count; char text[160]; } Numbers;

static void add_number(Numbers *numbers, int value) {
    size_t used = strlen(numbers->text);
    if (numbers->count < NAMED_MOST)
        snprintf(numbers->text + used, sizeof numbers->text - used, "%s%d", numbers->count ? ", " : "", value);
    else if (numbers->count == NAMED_MOST)
        snprintf(numbers->text + used, sizeof numbers->text - used, ", ...");
    numbers->count++;
}

/* ---- the file ---- */

static void check_load(Checker *in) {
    for (int i = 0; i < in->map->warnings.count; i++)
        find(in, BSP_WARNING, "load", "%s", in->map->warnings.at[i]);
}

static void check_unused(Checker *in) {
    const Map *map = in->map;
    int leafs = 0, faces = 0, nodes = 0;
    for (int i = 1; i < map->leaf_count; i++)    /* leaf 0 is never used in these levels */
        leafs += map->leaf_parent[i] < 0;
    for (int i = 1; i < map->node_count; i++)
        nodes += map->node_parent[i] < 0;
    for (int i = 0; i < map->face_count; i++)
        faces += map->face_model[i] < 0;
    if (leafs >= map->model_count || nodes)    /* compilers leave one leaf for each brush model */
        find(in, BSP_WARNING, "unused-tree", "leafs and nodes that hang on no node: %d and %d", leafs, nodes);
    if (faces)
        find(in, BSP_WARNING, "unused-faces", "faces that belong to no model: %d", faces);
}

/* ---- visibility ---- */

static void check_rows(Checker *in) {
    const Map *map = in->map;
    if (!map->row_count) {
        find(in, BSP_WARNING, "no-vis", "no visibility rows: every cluster sees every other (compiled without -vis?)");
        return;
    }
    BspVisStats stats = bsp_vis_stats(map);
    if (stats.one_way_pairs)
        find(in, BSP_NOTE, "one-way", "pairs of clusters where one sees the other and is not seen by it: %lld",
             (long long)stats.one_way_pairs);
    if (stats.self_unseen)
        find(in, BSP_WARNING, "self-unseen", "clusters that do not see themselves: %d", stats.self_unseen);
    if (stats.see_nothing)
        find(in, BSP_WARNING, "blind", "clusters that see nothing at all: %d", stats.see_nothing);
    if (stats.see_all == map->cluster_count && map->cluster_count > 1)
        find(in, BSP_NOTE, "sees-all", "every cluster sees every other: the rows hide nothing");
}

/* Clusters that see no other, and those that no other sees. */
static void check_loners(Checker *in) {
    const Map *map = in->map;
    if (!map->row_count || map->cluster_count < 2)
        return;
    int words = bsp_row_words(map);
    uint64_t *row = mem_zeroed((size_t)words, sizeof *row), *seen = mem_zeroed((size_t)words, sizeof *seen);
    Numbers blind = { 0 }, unseen = { 0 };
    for (int c = 0; c < map->row_count; c++) {
        bsp_row(map, c, row);
        row[c / 64] &= ~((uint64_t)1 << (c % 64));
        uint64_t any = 0;
        for (int w = 0; w < words; w++) {
            any |= row[w];
            seen[w] |= row[w];
        }
        if (!any)
            add_number(&blind, c);
    }
    for (int c = 0; c < map->row_count; c++)
        if (!(seen[c / 64] >> (c % 64) & 1))
            add_number(&unseen, c);
    if (blind.count)
        find(in, BSP_WARNING, "sees-nobody", "clusters that see no other (%d): %s", blind.count, blind.text);
    if (unseen.count)
        find(in, BSP_WARNING, "unseen", "clusters that no other sees (%d): %s", unseen.count, unseen.text);
    mem_free(row);
    mem_free(seen);
}

static void check_empty_clusters(Checker *in) {
    Numbers empty = { 0 };
    const int *leafs;
    for (int c = 0; c < in->map->cluster_count; c++)
        if (bsp_cluster_leafs(in->map, c, &leafs) == 0)
            add_number(&empty, c);
    if (empty.count)
        find(in, BSP_WARNING, "empty-cluster", "clusters without leafs (%d): %s", empty.count, empty.text);
}

/* ---- faces and light ---- */

static void check_faces(Checker *in) {
    const Map *map = in->map;
    uint8_t *listed = mem_zeroed((size_t)map->face_count, 1);
    for (int i = 0; i < map->leafface_count; i++)
        listed[map->leaffaces[i]] = 1;
    Numbers nowhere = { 0 };
    int external = 0, highest = -1;
    for (int i = 0; i < map->face_count; i++) {
        const BspFace *face = &map->faces[i];
        bool drawn = !face->dropped && face->type != FACE_FLARE && !(map->textures[face->texture].flags & SURF_NODRAW);
        if (drawn && map->face_model[i] == 0 && !listed[i])
            add_number(&nowhere, i);
        external += face->lightmap >= map->lightmap_count;
        highest = MAX(highest, face->lightmap);
    }
    mem_free(listed);
    if (nowhere.count)
        find(in, BSP_WARNING, "unlisted-face", "faces of the world that stand in no leaf and are never drawn (%d): %s",
             nowhere.count, nowhere.text);
    if (external && map->lightmap_count)
        find(in, BSP_WARNING, "lightmap-range", "faces whose lightmap the file lacks: %d; the highest is %d, the file has %d",
             external, highest, map->lightmap_count);
    else if (external)
        find(in, BSP_NOTE, "external-lightmaps", "lightmaps are files of their own: %d faces name maps/%s/lm_0000.tga to lm_%04d.tga", external,
             map->name, highest);
    if (map->face_count && !external && !map->lightmap_count)
        find(in, BSP_NOTE, "no-lightmaps", "no lightmaps: lit by its vertices (compiled without -light?)");
}

static void check_grid(Checker *in) {
    const BspLightGrid *grid = &in->map->grid;
    if (!in->map->lumps[LUMP_LIGHTVOLS].length) {
        find(in, BSP_NOTE, "no-grid", "no light grid: models are lit flatly");
        return;
    }
    if (!grid->points)
        return;    /* why not is a load warning */
    if (grid->size[0] != 64 || grid->size[1] != 64 || grid->size[2] != 128)
        find(in, BSP_NOTE, "grid-size", "the light grid has cells of %g %g %g, not 64 64 128", grid->size[0], grid->size[1],
             grid->size[2]);
    int64_t points = (int64_t)grid->count[0] * grid->count[1] * grid->count[2], lit = 0;
    for (int64_t i = 0; i < points; i++)
        lit += (grid->points[8 * i] | grid->points[8 * i + 1] | grid->points[8 * i + 2]) != 0;
    if (!lit)
        find(in, BSP_WARNING, "black-grid", "every point of the light grid is black");
}

/* ---- entities ---- */

/* "entity 17 (func_door)" */
typedef struct EntityName { char text[96]; } EntityName;
static EntityName name_of(const Map *map, int index) {
    EntityName name;
    snprintf(name.text, sizeof name.text, "entity %d (%.64s)", index, bsp_entity_class(&map->entities[index]));
    return name;
}

static void check_worldspawn(Checker *in) {
    const Map *map = in->map;
    if (!map->entity_count)
        find(in, BSP_WARNING, "no-entities", "no entities at all");
    else if (!text_same(bsp_entity_class(&map->entities[0]), "worldspawn"))
        find(in, BSP_WARNING, "no-worldspawn", "the first entity is not worldspawn but \"%.64s\"",
             bsp_entity_class(&map->entities[0]));
}

static void check_pairs(Checker *in) {
    const Map *map = in->map;
    static const char *const vectors[] = { "origin", "angles" };
    for (int i = 0; i < map->entity_count; i++) {
        const BspEntity *entity = &map->entities[i];
        if (!bsp_entity_value(entity, "classname"))
            find(in, BSP_WARNING, "no-classname", "entity %d has no classname", i);
        for (int a = 0; a < entity->count && entity->count <= 4096; a++)    /* more would take for ever, and no game has them */
            for (int b = 0; b < a; b++)
                if (text_same(entity->pairs[a].key, entity->pairs[b].key)) {
                    find(in, BSP_WARNING, "duplicate-key", "%s has \"%.64s\" more than once", name_of(map, i).text,
                         entity->pairs[a].key);
                    break;
                }
        for (int k = 0; k < COUNT_OF(vectors); k++) {
            const char *value = bsp_entity_value(entity, vectors[k]);
            float numbers[3];
            int count = value ? text_vector(value, numbers, 3) : 3;
            if (count < 3)
                find(in, BSP_WARNING, "short-vector", "%s: \"%s\" \"%.64s\" has %d of 3 numbers; the others are 0",
                     name_of(map, i).text, vectors[k], value, count);
        }
    }
}

/* What a target may stand for: names, gathered once and sorted, so that large levels stay quick. */
typedef struct Names { uint64_t *at; size_t count, room; } Names;

static bool has_name(const Names *names, const char *name) {
    uint64_t hash = text_hash_fold(name);
    size_t low = 0, high = names->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (names->at[middle] < hash)
            low = middle + 1;
        else
            high = middle;
    }
    return low < names->count && names->at[low] == hash;
}

static void sink(uint64_t *at, size_t from, size_t count) {
    for (size_t child; (child = 2 * from + 1) < count; from = child) {
        if (child + 1 < count && at[child + 1] > at[child])
            child++;
        if (at[from] >= at[child])
            return;
        uint64_t swap = at[from];
        at[from] = at[child];
        at[child] = swap;
    }
}

static void sort_names(Names *names) {
    for (size_t i = names->count / 2; i-- > 0;)
        sink(names->at, i, names->count);
    for (size_t end = names->count; end-- > 1;) {
        uint64_t swap = names->at[0];
        names->at[0] = names->at[end];
        names->at[end] = swap;
        sink(names->at, 0, end);
    }
}

static Names gather(const Map *map, const char *const *keys, int key_count) {
    Names names = { 0 };
    for (int i = 0; i < map->entity_count; i++)
        for (int p = 0; p < map->entities[i].count; p++)
            for (int k = 0; k < key_count; k++)
                if (text_same(map->entities[i].pairs[p].key, keys[k]))
                    *array_push(&names) = text_hash_fold(map->entities[i].pairs[p].value);
    sort_names(&names);
    return names;
}

static void check_targets(Checker *in) {
    static const char *const target_keys[] = { "target", "killtarget" }, *const name_keys[] = { "targetname" };
    const Map *map = in->map;
    Names targets = gather(map, target_keys, COUNT_OF(target_keys)), names = gather(map, name_keys, COUNT_OF(name_keys));
    Numbers untargeted = { 0 };
    for (int i = 0; i < map->entity_count; i++) {
        const BspEntity *entity = &map->entities[i];
        if (text_same(bsp_entity_class(entity), "light"))
            continue;    /* spotlights aim at things that the compiler removes */
        for (int k = 0; k < COUNT_OF(target_keys); k++) {
            const char *target = bsp_entity_value(entity, target_keys[k]);
            if (target && *target && !has_name(&names, target))
                find(in, BSP_WARNING, "dangling-target", "%s: \"%s\" \"%.64s\" names nobody", name_of(map, i).text,
                     target_keys[k], target);
        }
        const char *name = bsp_entity_value(entity, "targetname");
        if (name && *name && !has_name(&targets, name) && text_starts_fold(bsp_entity_class(entity), "target_") &&
            !text_same(bsp_entity_class(entity), "target_location"))
            add_number(&untargeted, i);
    }
    if (untargeted.count)
        find(in, BSP_NOTE, "untargeted", "target_ entities whose name nothing targets (%d): entities %s", untargeted.count,
             untargeted.text);
    array_free(&targets);
    array_free(&names);
}

static void check_models(Checker *in) {
    const Map *map = in->map;
    uint8_t *used = mem_zeroed((size_t)map->model_count, 1);
    for (int i = 0; i < map->entity_count; i++) {
        const char *value = bsp_entity_value(&map->entities[i], "model");
        int model = bsp_entity_model(map, &map->entities[i]);
        if (model > 0)
            used[model] = 1;
        else if (value && value[0] == '*')
            find(in, BSP_ERROR, "missing-model", "%s: model \"%.64s\", the file has *1 to *%d", name_of(map, i).text, value,
                 map->model_count - 1);
    }
    Numbers unused = { 0 };
    for (int i = 1; i < map->model_count; i++)
        if (!used[i])
            add_number(&unused, i);
    if (unused.count)
        find(in, BSP_NOTE, "unused-model", "brush models that no entity names (%d): %s", unused.count, unused.text);
    mem_free(used);
}

/* Whether some mover that the level builds touches a box, as the game links it: two units beyond its brushes. */
static bool mover_touches(const Map *map, Box box) {
    for (int i = 0; i < map->entity_count; i++) {
        int model = bsp_entity_model(map, &map->entities[i]);
        if (model <= 0 || model >= map->model_count || !text_starts_fold(bsp_entity_class(&map->entities[i]), "func_"))
            continue;
        Vec3 origin, reach = vec3_at(2, 2, 2);
        bsp_entity_vector(&map->entities[i], "origin", &origin);
        Box bounds = map->models[model].bounds;
        if (box_touches((Box){ vec3_sub(vec3_add(bounds.mins, origin), reach), vec3_add(vec3_add(bounds.maxs, origin), reach) }, box))
            return true;
    }
    return false;
}

static void check_areas(Checker *in) {
    enum { PORTALS_MOST = 256 };    /* each asks every entity; more has no level */
    const Map *map = in->map;
    BspAreas areas;
    Numbers idle = { 0 }, bare = { 0 };
    bsp_areas_open(&areas, map);
    int first = map->models[0].first_brush, end = first + map->models[0].brush_count, portals = 0;
    for (int i = first; i < end && portals < PORTALS_MOST; i++) {
        const BspBrush *brush = &map->brushes[i];
        if (!brush->usable || !(map->textures[brush->texture].contents & CONTENTS_AREAPORTAL))
            continue;
        portals++;
        bool joins = false;
        for (size_t k = 0; k < areas.portals.count; k++)
            joins |= areas.portals.at[k].brush == i;
        if (!joins)
            add_number(&idle, i);
        else if (!mover_touches(map, brush->bounds))
            add_number(&bare, i);
    }
    bsp_areas_close(&areas);
    if (idle.count)
        find(in, BSP_WARNING, "idle-area-portal", "area portals with one area on both sides, as there is a way around them (%d): brushes %s",
             idle.count, idle.text);
    if (bare.count)
        find(in, BSP_WARNING, "bare-area-portal", "area portals that no door fills, which the game keeps shut for ever (%d): brushes %s",
             bare.count, bare.text);
}

static bool is_spawn(const char *class_name) {
    return text_starts(class_name, "info_player_") || text_starts(class_name, "team_CTF_") ||
           strcmp(class_name, "misc_teleporter_dest") == 0;
}

static void check_places(Checker *in) {
    const Map *map = in->map;
    int starts = 0;
    for (int i = 0; i < map->entity_count; i++) {
        const char *class_name = bsp_entity_class(&map->entities[i]);
        Vec3 origin;
        bool spawn = is_spawn(class_name);
        starts += text_starts(class_name, "info_player_") || text_starts(class_name, "team_CTF_");
        bool thing = spawn || text_starts(class_name, "item_") || text_starts(class_name, "weapon_") ||
                     text_starts(class_name, "ammo_");
        if (!thing || !bsp_entity_vector(&map->entities[i], "origin", &origin))
            continue;
        origin.z += 1;    /* things may stand exactly on a floor */
        if (bsp_cluster_at(map, origin) < 0)
            find(in, spawn ? BSP_ERROR : BSP_WARNING, "in-solid", "%s at %g %g %g stands in solid or outside the level",
                 name_of(map, i).text, origin.x, origin.y, origin.z - 1);
    }
    if (!starts)
        find(in, BSP_WARNING, "no-start", "no place for a player to start");
}

static void (*const checks[])(Checker *) = {
    check_load, check_unused, check_rows, check_loners, check_empty_clusters, check_faces, check_grid, check_worldspawn,
    check_pairs, check_targets, check_models, check_areas, check_places,
};

BspFindings bsp_check(const Map *map, Arena *arena) {
    Checker in = { .map = map, .arena = arena };
    for (int i = 0; i < COUNT_OF(checks); i++)
        checks[i](&in);
    BspFindings findings = { array_keep(&in.findings, arena), (int)in.findings.count };
    array_free(&in.findings);
    return findings;
}

const char *bsp_severity_name(BspSeverity severity) {
    static const char *const names[] = { "note", "warning", "error" };
    return names[severity];
}
