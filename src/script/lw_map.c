/* script/lw_map.c -- lw.map: which level is on screen, and levels opened beside it. */
#include "engine/level_info.h"
#include "script/live.h"

static bool beside(lua_State *L) { return !lua_isnil(L, lua_upvalueindex(1)); }

void check_on_screen(lua_State *L) {
    if (beside(L))
        luaL_error(L, "'%s' is about the map on screen: this one was loaded beside it", script_name_of(L));
    check_open_level(L);
}

/* Its entities are there at once, not only when the frame is over. */
static void begin_game(lua_State *L) {
    if (scripts_of(L)->live)
        live_map(scripts_of(L)->live);
}

static int map_open(lua_State *L) {
    if (beside(L))
        luaL_error(L, "'lw.map.open' opens a map on screen: this one was loaded beside it");
    const char *name = check_name(L, 1, "map");
    Error error;
    if (engine_of(L)->stepping)
        luaL_error(L, "'lw.map.open' cannot open a map in the middle of a step of the game: do it in update");
    if (!engine_open_map(engine_of(L), name, &error))
        return push_failure(L, &error);
    begin_game(L);
    lua_pushboolean(L, true);
    return 1;
}

static int map_reload(lua_State *L) {
    check_on_screen(L);
    Error error;
    if (engine_of(L)->stepping)
        luaL_error(L, "'lw.map.reload' cannot read a map in the middle of a step of the game: do it in update");
    if (!engine_reload_map(engine_of(L), &error))
        return push_failure(L, &error);
    begin_game(L);
    lua_pushboolean(L, true);
    return 1;
}

static int map_info(lua_State *L) {
    const Map *map = check_map(L);
    Text json = { 0 };
    level_info_json(map, &json);
    Error error;
    bool pushed = push_json(L, text_of(&json), json.count, &error);
    text_free(&json);
    return pushed ? 1 : luaL_error(L, "%s", error.text);
}

static int map_bounds(lua_State *L) {
    const Map *map = check_map(L);
    push_vec3(L, map->bounds.mins);
    push_vec3(L, map->bounds.maxs);
    return 2;
}

/* name and path are nil while no level is open: asking whether one is must not raise. */
static const Map *map_or_none(lua_State *L) { return beside(L) || engine_of(L)->current ? check_map(L) : NULL; }

static int map_name(lua_State *L) {
    const Map *map = map_or_none(L);
    lua_pushstring(L, map ? map->name : NULL);
    return 1;
}

static int map_path(lua_State *L) {
    const Map *map = map_or_none(L);
    lua_pushstring(L, map ? map->path : NULL);
    return 1;
}


/* other.info() and other.name are what other.map.info() and other.map.name are. */
static int map_load(lua_State *L) {
    const char *path = check_name(L, 1, "map");
    Error error;
    OpenLevel *level = engine_load_level(engine_of(L), path, &error);
    if (!level)
        return push_failure(L, &error);
    push_map_object(L, level);
    lua_getfield(L, -1, "map");
    static const char *const own[] = { "info", "bounds", "name", "path" };
    for (int i = 0; i < COUNT_OF(own); i++) {
        lua_getfield(L, -1, own[i]);
        lua_setfield(L, -3, own[i]);
    }
    lua_pop(L, 1);
    return 1;
}

static const ScriptFunction functions[] = {
    { "open", map_open, "(map: string) -> boolean?, string?",
      "Opens a level on screen by its name on the search path or its path; nil and why when it cannot." },
    { "reload", map_reload, "() -> boolean?, string?", "Reads the level on screen from its file again; the eye stays where it is." },
    { "load", map_load, "(map: string) -> table?, string?",
      "Opens a level beside the one on screen, unseen: an object with the same modules (other.vis.sees(3, 7)) and other:close()." },
    { "info", map_info, "() -> table", "What `leafwalk info --json` prints, as a table." },
    { "bounds", map_bounds, "() -> vec3, vec3", "The smallest and the largest corner of the level." },
    { NULL, NULL, NULL, NULL },
};

static const ScriptProperty properties[] = {
    { "name", map_name, NULL, "string|nil", "The level's name (\"oa_dm1\"); nil when none is open." },
    { "path", map_path, NULL, "string|nil", "The file it came from, as it was asked for; nil when none is open." },
    { NULL, NULL, NULL, NULL, NULL },
};

const ScriptModule lw_map_module = {
    .name = "map", .help = "The level on screen, and levels beside it.", .functions = functions,
    .properties = properties, .of_map = true,
};
