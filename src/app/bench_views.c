/* app/bench_views.c -- where the benchmark looks: a file of views, or the level's own starts. */
#include "app/bench.h"
#include "app/json.h"

enum { STARTS_MOST = 4 };

static const char *bare(const char *map, size_t *length) {
    const char *slash = strrchr(map, '/');
    const char *name = slash ? slash + 1 : map;
    *length = strlen(name) - (text_ends_fold(name, ".bsp") ? strlen(".bsp") : 0);
    return name;
}

bool bench_same_map(const char *a, const char *b) {
    size_t a_length, b_length;
    a = bare(a, &a_length);
    b = bare(b, &b_length);
    if (a_length != b_length)
        return false;
    for (size_t i = 0; i < a_length; i++)
        if (text_lower(a[i]) != text_lower(b[i]))
            return false;
    return true;
}

static bool read_point(const JsonValue *list, Vec3 *out) {
    const JsonValue *number = list && list->kind == JSON_LIST ? list->first : NULL;
    for (int i = 0; i < 3; i++, number = number->next) {
        if (!number || number->kind != JSON_NUMBER)
            return false;
        out->raw[i] = (float)number->number;
    }
    return number == NULL && vec3_finite(*out);
}

static bool read_view(const JsonValue *value, BenchView *out) {
    const JsonValue *name = json_member(value, "name"), *map = json_member(value, "map"), *fov = json_member(value, "fov");
    const JsonValue *angles = json_member(value, "angles");
    *out = (BenchView){ .name = "view", .map = "", .fov = 90 };
    if ((name && name->kind != JSON_TEXT) || (map && map->kind != JSON_TEXT) || (fov && fov->kind != JSON_NUMBER))
        return false;
    out->name = name ? name->text : out->name;
    out->map = map ? map->text : out->map;
    out->fov = fov ? (float)fov->number : out->fov;
    return read_point(json_member(value, "origin"), &out->origin) && (!angles || read_point(angles, &out->angles)) &&
           out->fov >= 1 && out->fov <= 170;
}

static bool views_of_file(const char *path, const char *map, Arena *arena, BenchViews *out, Error *error) {
    FileBytes bytes;
    if (!file_read_disk(path, &bytes, error))
        return false;
    const JsonValue *list = json_decode(arena, (const char *)bytes.bytes, bytes.size, error);
    file_free(&bytes);
    if (!list)
        return fail_within(error, "%s: ", path);
    if (list->kind != JSON_LIST)
        return fail(error, "%s: a list of views was expected", path);
    int count = 0, number = 0;
    for (const JsonValue *value = list->first; value; value = value->next)
        count++;
    out->at = arena_array(arena, BenchView, count + 1);
    out->count = 0;
    for (const JsonValue *value = list->first; value; value = value->next, number++) {
        BenchView view;
        if (!read_view(value, &view))
            return fail(error, "%s: view %d: name, map, origin [x, y, z], angles [p, y, r] and fov (1 to 170) were expected", path, number);
        if (*map && *view.map && !bench_same_map(map, view.map))
            continue;
        if (!*view.map && !*map)
            return fail(error, "%s: view %d names no map, and no MAP was given", path, number);
        if (*map)
            view.map = map;    /* as it was typed: that may be a path */
        out->at[out->count++] = view;
    }
    return out->count > 0 || fail(error, "%s: no view of %s", path, *map ? map : "any level");
}

static bool starts_of_map(App *app, const char *map, Arena *arena, BenchViews *out, Error *error) {
    OpenLevel *open = engine_load_level(app->engine, map, error);
    if (!open)
        return false;
    out->at = arena_array(arena, BenchView, STARTS_MOST + 1);
    BenchView *first = &out->at[0];
    *first = (BenchView){ .name = "start", .map = map, .fov = 90 };
    bsp_start_eye(open->map, &first->origin, &first->angles);
    out->count = 1;
    for (int i = 0; i < open->map->entity_count && out->count <= STARTS_MOST; i++) {
        const BspEntity *entity = &open->map->entities[i];
        Vec3 origin;
        if (strcmp(bsp_entity_class(entity), "info_player_deathmatch") != 0 || !bsp_entity_vector(entity, "origin", &origin))
            continue;
        Vec3 angles;
        bsp_entity_angles(entity, &angles);
        origin.z += 26;    /* the height of the eye */
        out->at[out->count] = (BenchView){ arena_format(arena, "start%d", out->count), map, origin, angles, 90 };
        out->count++;
    }
    engine_close_level(app->engine, open);
    return true;
}

bool bench_views(App *app, const char *map, Arena *arena, BenchViews *out, Error *error) {
    const char *file = app->options.views;
    return file ? views_of_file(file, map, arena, out, error) : starts_of_map(app, map, arena, out, error);
}
