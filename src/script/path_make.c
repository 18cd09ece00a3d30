/* script/path_make.c -- camera paths that are worked out: tours of a level, and keys that a flight can do without. */
#include "script/path_internal.h"

#include "scene/camera_tour.h"

static bool worth_a_visit(const char *class, bool spawns) {
    static const char *const items[] = { "item_", "weapon_", "ammo_", "holdable_", "team_CTF_" }, *const starts[] = { "info_player_", "team_CTF_" };
    const char *const *list = spawns ? starts : items;
    for (int i = 0; i < (spawns ? COUNT_OF(starts) : COUNT_OF(items)); i++)
        if (text_starts_fold(class, list[i]) && (!spawns || !text_starts_fold(class, "team_CTF_") || text_ends_fold(class, "player") || text_ends_fold(class, "spawn")))
            return true;
    return false;
}

/* Places of the lump's entities, or of the list `places` on the stack; in Lua's memory, on the top. */
static Vec3 *push_places(lua_State *L, const Map *map, int visit, int list, int *count) {
    enum { CLUSTERS, ITEMS, SPAWNS };
    lua_Integer room = list ? (lua_Integer)lua_rawlen(L, list) : visit == CLUSTERS ? 0 : map->entity_count;
    Vec3 *out = lua_newuserdatauv(L, (size_t)MAX(room, 1) * sizeof *out, 0);
    *count = 0;
    for (lua_Integer i = 0; i < room; i++) {
        if (list) {
            lua_rawgeti(L, list, i + 1);
            int arg = lua_gettop(L);
            if (lua_type(L, arg) == LUA_TNUMBER || !is_vec3(L, arg))
                script_refuse(L, 1, "item %d of places is %s, a point expected", (int)i + 1, luaL_typename(L, arg));
            out[(*count)++] = check_vec3(L, &arg);
            lua_pop(L, 1);
        } else if (worth_a_visit(bsp_entity_class(&map->entities[i]), visit == SPAWNS) && bsp_entity_vector(&map->entities[i], "origin", &out[*count])) {
            out[(*count)++].z += 16;
        }
    }
    return out;
}

int camera_make_tour(lua_State *L) {
    static const char *const visits[] = { "clusters", "items", "spawns", NULL };
    static const char *const fields[] = { "visit", "places", "from", "speed", "most", NULL };
    check_settings(L, "a table {visit, places, from, speed, most}");
    check_fields(L, 1, 1, "", fields);
    OpenLevel *level = check_open_level(L);
    TourSetup setup = { .speed = field_number(L, 1, "speed", 0, 1, 1e6), .most = (int)field_number(L, 1, "most", 0, 1, 1e6) };
    Vec3 angles;
    bsp_start_eye(level->map, &setup.from, &angles);
    setup.from = field_point(L, 1, "from", setup.from);
    int visit = lua_getfield(L, 1, "visit") == LUA_TNIL ? 0 : check_option(L, lua_gettop(L), visits, "visit");
    int list = lua_getfield(L, 1, "places") == LUA_TTABLE ? lua_gettop(L) : 0;
    setup.places = push_places(L, level->map, visit, list, &setup.place_count);
    if ((visit || list) && !setup.place_count) {
        lua_pushnil(L);
        lua_pushfstring(L, "%s has no %s to visit", level->map->name, list ? "places" : visits[visit]);
        return 2;
    }
    PathObject *object = path_push(L);
    TourResult result;
    Error error;
    CameraPath *path = camera_tour(level->map, engine_collision(level), &setup, &result, &error);
    if (!path)
        return push_failure(L, &error);
    path_take(L, object, path);
    lua_createtable(L, 0, 2);
    set_integer(L, "visited", result.visited);
    set_integer(L, "wanted", result.wanted);
    return 2;
}

int camera_simplify(lua_State *L) {
    lua_settop(L, 3);
    check_table(L, 1, "a list of keys with origin and angles");
    double tolerance = lua_isnil(L, 2) ? 4 : check_finite(L, 2), degrees = lua_isnil(L, 3) ? 2 : check_finite(L, 3);
    if (tolerance <= 0 || degrees <= 0)
        script_refuse(L, tolerance <= 0 ? 2 : 3, "a tolerance above 0 expected");
    lua_Integer count = (lua_Integer)lua_rawlen(L, 1);
    if (count > PATH_KEYS_MOST)
        script_refuse(L, 1, "%lld keys, at most %d are allowed", (long long)count, PATH_KEYS_MOST);
    PathKey *keys = lua_newuserdatauv(L, (size_t)MAX(count, 1) * sizeof *keys, 0);
    for (lua_Integer i = 0; i < count; i++) {
        lua_rawgeti(L, 1, i + 1);
        keys[i] = path_read_key(L, -1, (int)i + 1, (double)i);
        lua_pop(L, 1);
        if ((keys[i].says & (KEY_ORIGIN | KEY_ANGLES)) != (KEY_ORIGIN | KEY_ANGLES))
            script_refuse(L, 1, "key %d needs origin and angles", (int)i + 1);
        if (i && keys[i].t < keys[i - 1].t)
            script_refuse(L, 1, "key %d comes before the one before it", (int)i + 1);
    }
    int left = path_simplify(keys, (int)count, tolerance, degrees);
    lua_createtable(L, left, 0);
    for (int i = 0; i < left; i++) {
        path_push_key(L, &keys[i]);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

