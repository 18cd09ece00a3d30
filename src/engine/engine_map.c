/* engine/engine_map.c -- finding levels by the names that users give them, and what belongs to one that is open. */
#include <stdlib.h>

#include "engine/engine_internal.h"

/* Where a level's bytes are: a path on the disk, or a name on the search path. */
typedef struct Place { bool disk; char name[FILE_NAME_ROOM]; } Place;

static bool try_name(Engine *engine, const char *start, const char *map, const char *end, Place *out) {
    Text name = { 0 };
    text_format(&name, "%s%s%s", start, map, end);
    bool level = text_ends_fold(text_of(&name), ".bsp") && name.count < sizeof out->name;
    bool found = level && files_exists(engine->files, text_of(&name));
    if (found)
        text_copy(out->name, sizeof out->name, text_of(&name));
    text_free(&name);
    return found;
}

static bool find_map(Engine *engine, const char *map, Place *out) {
    *out = (Place){ .disk = false };
    if (!*map)
        return false;
    if (file_exists_disk(map) && strlen(map) < sizeof out->name) {
        out->disk = true;
        text_copy(out->name, sizeof out->name, map);
        return true;
    }
    return try_name(engine, "", map, "", out) || try_name(engine, "maps/", map, "", out) ||
           try_name(engine, "maps/", map, ".bsp", out) || try_name(engine, "", map, ".bsp", out);
}

bool engine_map_exists(Engine *engine, const char *map) {
    Place place;
    return find_map(engine, map, &place);
}

static int by_name(const void *a, const void *b) { return text_compare_fold(*(const char *const *)a, *(const char *const *)b); }

static const char *bare_name(Arena *arena, const char *path) {
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    return arena_text_n(arena, name, strlen(name) - strlen(".bsp"));
}

int engine_map_names(Engine *engine, Arena *arena, const char ***out) {
    const char **inside, **loose;
    int inside_count = files_list(engine->files, "maps", ".bsp", arena, &inside);
    int all = files_list(engine->files, "", ".bsp", arena, &loose);
    const char **names = arena_array(arena, const char *, inside_count + all + 1);
    int count = 0;
    for (int i = 0; i < inside_count; i++)
        if (!strchr(inside[i] + strlen("maps/"), '/'))
            names[count++] = bare_name(arena, inside[i]);
    for (int i = 0; i < all; i++)
        if (!strchr(loose[i], '/'))
            names[count++] = bare_name(arena, loose[i]);
    qsort(names, (size_t)count, sizeof *names, by_name);
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (!kept || !text_same(names[kept - 1], names[i]))
            names[kept++] = names[i];
    *out = names;
    return kept;
}

typedef struct Near { const char *name; int distance; } Near;

static int by_distance(const void *a, const void *b) {
    const Near *x = a, *y = b;
    return x->distance != y->distance ? x->distance - y->distance : text_compare_fold(x->name, y->name);
}

void engine_near_maps(Engine *engine, const char *map, Text *out) {
    Arena *arena = arena_open();
    const char **names;
    int count = engine_map_names(engine, arena, &names), near = 0;
    Near *list = arena_array(arena, Near, count + 1);
    int most = (int)strlen(map) / 2 < 4 ? (int)strlen(map) / 2 : 4;    /* farther ones share nothing but chance */
    for (int i = 0; i < count; i++) {
        int distance = text_starts_fold(names[i], map) ? 1 : text_distance(names[i], map);
        if (distance <= most)
            list[near++] = (Near){ names[i], distance };
    }
    qsort(list, (size_t)near, sizeof *list, by_distance);
    for (int i = 0; i < near && i < 3; i++)
        text_format(out, "%s%s", out->count ? ", " : "", list[i].name);
    arena_close(arena);
}

static bool no_such_map(Engine *engine, const char *map, Error *error) {
    Text near = { 0 };
    engine_near_maps(engine, map, &near);
    if (near.count)
        fail(error, "%s: no such file or level (did you mean %s?)", map, text_of(&near));
    else
        fail(error, "%s: no such file or level (--game and --path say where levels are)", map);
    text_free(&near);
    return false;
}

static bool read_map(Engine *engine, const char *map, Place *place, FileBytes *bytes, Error *error) {
    if (text_ends_fold(map, ".map") && file_exists_disk(map))
        return fail(error, "%s: the source of a level, not a level: compile it to a .bsp first", map);
    if (!find_map(engine, map, place))
        return no_such_map(engine, map, error);
    return place->disk ? file_read_disk(place->name, bytes, error) : files_read(engine->files, place->name, bytes, error);
}

static void make_geometry(Engine *engine, OpenLevel *open) {
    open->geometry_arena = arena_open();
    open->level.geometry = bsp_geometry(open->map, (float)engine->var.subdivisions->number, open->geometry_arena);
    open->level.serial = ++engine->level_serial;
}

/* Entities that somebody has changed and saved beside the level. Broken ones leave the level its own. */
static void use_ent(Engine *engine, Arena *arena, Map *map) {
    const char *name = arena_format(arena, "maps/%s.ent", map->name);
    if (engine->var.map_ent->number == 0 || !files_exists(engine->files, name))
        return;
    FileBytes bytes = { 0 };
    Error error;
    bool used = files_read(engine->files, name, &bytes, &error) &&
                bsp_use_entities(map, arena, (const char *)bytes.bytes, bytes.size, engine->log, &error);
    if (used)
        log_warn(engine->log, "%s: its entities are those of %s in %s (--set map.ent=0 takes the level's own)", map->path, name,
                 files_origin(engine->files, name));
    else
        log_warn(engine->log, "%s: %s (the level's own entities are taken)", name, error.text);
    file_free(&bytes);
}

OpenLevel *engine_load_level(Engine *engine, const char *map, Error *error) {
    Place place;
    FileBytes bytes = { 0 };
    if (!read_map(engine, map, &place, &bytes, error))
        return NULL;
    Arena *arena = arena_open();
    Map *loaded = bsp_load(arena, place.name, bytes.bytes, bytes.size, engine->log, error);
    file_free(&bytes);
    if (!loaded) {
        arena_close(arena);
        return NULL;
    }
    use_ent(engine, arena, loaded);
    OpenLevel *open = arena_new(arena, OpenLevel);
    open->arena = arena;
    open->map = loaded;
    open->level.map = loaded;
    char on_disk[4096];
    bool watchable = !place.disk && files_disk_path(engine->files, place.name, on_disk, sizeof on_disk);
    open->path = arena_text(arena, watchable ? on_disk : place.name);
    make_geometry(engine, open);
    return open;
}

void engine_close_level(Engine *engine, OpenLevel *open) {
    (void)engine;
    arena_close(open->geometry_arena);
    if (open->looks_arena)
        arena_close(open->looks_arena);
    arena_close(open->arena);
}

/* Materials come with the level; their pictures only when something draws. */
static void find_materials(Engine *engine, OpenLevel *open) {
    int count = open->map->texture_count;
    MaterialSet *set = assets_materials(engine->assets);
    open->level.materials = arena_array(open->arena, const Material *, count);
    open->level.textures = arena_array(open->arena, int, count);
    for (int i = 0; i < count; i++) {
        open->level.materials[i] = material_find(set, open->map->textures[i].name);
        open->level.textures[i] = TEXTURE_WHITE;
    }
}

void engine_want_textures(Engine *engine) {
    OpenLevel *open = engine->current;
    if (!open || open->textures_wanted)
        return;
    open->textures_wanted = true;
    if (open->looks_arena)
        arena_close(open->looks_arena);
    open->looks_arena = arena_open();
    level_settle(&open->level, open->looks_arena, engine->assets);
    open->level.serial = ++engine->level_serial;
}

void engine_refresh_geometry(Engine *engine) {
    unsigned version = engine->var.subdivisions->version;
    if (engine->subdivisions_version == version)
        return;
    engine->subdivisions_version = version;
    if (!engine->current)
        return;
    engine_release_level(engine);
    arena_close(engine->current->geometry_arena);
    make_geometry(engine, engine->current);
}

/* The old level goes when the new one is there. A frame that was begun holds the old one's lists: it begins anew. */
static void take_level(Engine *engine, OpenLevel *open) {
    OpenLevel *old = engine->current;
    int width = engine->frame.view.width, height = engine->frame.view.height;
    engine_release_level(engine);
    engine_sounds_clear(engine);
    engine_sim_close(engine);
    frame_begin(&engine->frame);
    engine->frame.level = NULL;
    find_materials(engine, open);
    engine->current = open;
    engine->map_generation++;
    particles_clear(&engine->particles);
    lights_clear(&engine->lights);
    flares_close(&engine->flares.seen);
    engine->subdivisions_version = engine->var.subdivisions->version;
    bool locked = engine->scene.locked;
    scene_use_level(&engine->scene, &open->level);
    engine->scene.locked = locked && old && old->map->cluster_count == open->map->cluster_count;
    if (old) {
        if (engine->watch && strcmp(old->path, open->path) != 0)
            watch_forget(engine->watch, old->path);
        engine_close_level(engine, old);
    }
    if (engine->watch)
        watch_add(engine->watch, open->path);
    if (engine->renderer && strcmp(engine->renderer->name, "null") != 0)
        engine_want_textures(engine);
    if (width > 0 && height > 0)
        engine_frame_begin(engine, width, height);
}

bool engine_open_map(Engine *engine, const char *map, Error *error) {
    OpenLevel *open = engine_load_level(engine, map, error);
    if (!open)
        return false;
    engine->scene.locked = false;
    bsp_start_eye(open->map, &engine->scene.origin, &engine->scene.angles);
    engine->scene.fov = (float)engine->var.fov->number;
    engine->fov_version = engine->var.fov->version;
    engine->eye_owned = false;
    double scale = engine->clock.scale;
    engine->clock = (EngineClock){ .scale = scale, .paused = engine->clock.paused };
    Vec3 origin = engine->scene.origin, angles = engine->scene.angles;
    take_level(engine, open);
    engine->scene.origin = origin;
    engine->scene.angles = angles;
    return true;
}

bool engine_reload_map(Engine *engine, Error *error) {
    if (!engine->current)
        return fail(error, "no level is open");
    Vec3 origin = engine->scene.origin, angles = engine->scene.angles;
    int clusters = engine->current->map->cluster_count;
    bool locked = engine->scene.locked;
    OpenLevel *open = engine_load_level(engine, engine->current->map->path, error);
    if (!open)
        return false;
    if (locked && clusters != open->map->cluster_count)
        log_info(engine->log, "%s: other clusters than before: the locked one is let go", open->map->path);
    take_level(engine, open);
    engine->scene.origin = origin;
    engine->scene.angles = angles;
    return true;
}
