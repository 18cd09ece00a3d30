/* script/lw_entities.c -- lw.entities: the level's entity text, as things with keys.
 *
 * An entity of the lump is a table of its own: its pairs in the file's order ({key, value} each, with the names key and
 * value too), asked by name without case (the last of a key counts, as in the game's table of fields), and `index`. */
#include "script/script_internal.h"

#define ENTITY "lump_entity"

/* The last value of that key at `table`, pushed; false: there is none, and nothing is pushed. */
static bool push_value(lua_State *L, int table, const char *name) {
    for (lua_Integer i = (lua_Integer)lua_rawlen(L, table); i > 0; i--) {
        if (lua_rawgeti(L, table, i) == LUA_TTABLE) {
            lua_rawgeti(L, -1, 1);
            if (lua_type(L, -1) == LUA_TSTRING && text_same(lua_tostring(L, -1), name)) {
                lua_rawgeti(L, -2, 2);
                lua_replace(L, -3);
                lua_pop(L, 1);
                return true;
            }
            lua_pop(L, 1);
        }
        lua_pop(L, 1);
    }
    return false;
}

static int entity_index(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    if (lua_type(L, 2) != LUA_TSTRING)
        return 0;
    lua_pushvalue(L, 2);
    if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL)
        return 1;    /* a method */
    return push_value(L, 1, lua_tostring(L, 2));
}

static void check_entity_table(lua_State *L) {
    if (lua_type(L, 1) != LUA_TTABLE)
        script_refuse(L, 1, "an entity of lw.entities.lump expected, got %s", luaL_typename(L, 1));
}

static int entity_key(lua_State *L) {
    check_entity_table(L);
    const char *name = check_name(L, 2, "key");
    lua_settop(L, 3);
    if (!push_value(L, 1, name))
        lua_pushvalue(L, 3);
    return 1;
}

static int entity_number(lua_State *L) {
    check_entity_table(L);
    const char *name = check_name(L, 2, "key");
    double otherwise = lua_isnoneornil(L, 3) ? 0 : check_finite(L, 3);
    const char *end = NULL, *text = push_value(L, 1, name) ? luaL_tolstring(L, -1, NULL) : "";
    double number = text_number(text, &end);
    lua_pushnumber(L, end == text ? otherwise : number);
    return 1;
}

static int entity_vector(lua_State *L) {
    check_entity_table(L);
    const char *name = check_name(L, 2, "key");
    if (!push_value(L, 1, name))
        return 0;
    Vec3 v = { 0 };
    text_vector(luaL_tolstring(L, -1, NULL), v.raw, 3);
    if (!vec3_finite(v))
        return 0;
    push_vec3(L, v);
    return 1;
}

static int entity_tostring(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_getfield(L, 1, "index");
    const char *index = luaL_tolstring(L, -1, NULL);
    lua_pushfstring(L, "entity %s (%s)", index, push_value(L, 1, "classname") ? lua_tostring(L, -1) : "no classname");
    return 1;
}

/* Upvalues: the number of the pair that comes next. */
static int next_pair(lua_State *L) {
    lua_Integer at = lua_tointeger(L, lua_upvalueindex(1));
    luaL_checktype(L, 1, LUA_TTABLE);
    if (lua_rawgeti(L, 1, at) != LUA_TTABLE)
        return 0;
    lua_pushinteger(L, at + 1);
    lua_replace(L, lua_upvalueindex(1));
    lua_rawgeti(L, -1, 1);
    lua_rawgeti(L, -2, 2);
    return 2;
}

static int entity_pairs(lua_State *L) {
    lua_pushinteger(L, 1);
    lua_pushcclosure(L, next_pair, 1);
    lua_pushvalue(L, 1);
    lua_pushnil(L);
    return 3;
}

static const ScriptFunction methods[] = {
    { ENTITY ":key", entity_key, "(name: string, default?: any) -> any", "The last value of a key, as text; else the default." },
    { ENTITY ":number", entity_number, "(name: string, default?: number) -> number",
      "A key's value as a number, as the game reads it (\"150 \" is 150); else the default, or 0." },
    { ENTITY ":vector", entity_vector, "(name: string) -> vec3?", "A key's value as a point, missing parts 0; nil without that key." },
    { NULL, NULL, NULL, NULL },
};

static void open(lua_State *L) {
    static const luaL_Reg meta[] = {
        { "__index", entity_index }, { "__pairs", entity_pairs }, { "__tostring", entity_tostring }, { NULL, NULL },
    };
    script_class(L, ENTITY, methods, meta);
}

static int entities_text(lua_State *L) {
    const Map *map = check_map(L);
    lua_pushlstring(L, map->entity_text, map->entity_length);
    return 1;
}

static int entities_count(lua_State *L) {
    lua_pushinteger(L, check_map(L)->entity_count);
    return 1;
}

static void push_pair_table(lua_State *L, const BspPair *pair) {
    lua_createtable(L, 2, 2);
    lua_pushstring(L, pair->key);
    lua_pushvalue(L, -1);
    lua_rawseti(L, -3, 1);
    lua_setfield(L, -2, "key");
    lua_pushstring(L, pair->value);
    lua_pushvalue(L, -1);
    lua_rawseti(L, -3, 2);
    lua_setfield(L, -2, "value");
}

static int entities_lump(lua_State *L) {
    const Map *map = check_map(L);
    int index = check_index(L, 1, "entity", map->entity_count);
    const BspEntity *entity = &map->entities[index];
    lua_createtable(L, entity->count, 1);
    for (int i = 0; i < entity->count; i++) {
        push_pair_table(L, &entity->pairs[i]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_pushinteger(L, index);
    lua_setfield(L, -2, "index");
    luaL_setmetatable(L, "lw.class." ENTITY);
    return 1;
}


/* ---- find ---- */

/* Whether text is what was asked for: the same without case, or a pattern of Lua's that fits all of it. The pattern's
 * function is the host's own, at `match`. */
static bool fits(lua_State *L, const char *text, const char *wanted, int match) {
    if (text_same(text, wanted))
        return true;
    size_t length = strlen(wanted);
    if (strcspn(wanted, "^$*+?.([%-") == length)
        return false;    /* plain text */
    bool escaped = false;    /* by a '%' of its own: the last letter */
    for (size_t i = 0; i + 1 < length; i++)
        escaped = wanted[i] == '%' && !escaped;
    if (wanted[length - 1] == '%' && !escaped)
        script_refuse(L, 1, "pattern \"%s\": ends with '%%'", wanted);
    bool ends = wanted[length - 1] == '$' && !escaped;
    lua_pushvalue(L, match);
    lua_pushstring(L, text);
    lua_pushfstring(L, "%s%s%s", wanted[0] == '^' ? "" : "^", wanted, ends ? "" : "$");
    if (lua_pcall(L, 2, 1, 0) != LUA_OK)
        script_refuse(L, 1, "pattern \"%s\": %s", wanted, lua_tostring(L, -1));
    bool fit = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return fit;
}

/* The condition stands on the top: a text or number, true (the key is there) or false (it is not). */
static bool holds(lua_State *L, const BspEntity *entity, const char *key, int match) {
    int condition = lua_gettop(L);
    bool there = false;
    for (int i = 0; i < entity->count; i++) {
        if (!text_same(entity->pairs[i].key, key))
            continue;
        there = true;
        if (lua_type(L, condition) == LUA_TSTRING && fits(L, entity->pairs[i].value, lua_tostring(L, condition), match))
            return true;
        double number;
        if (lua_type(L, condition) == LUA_TNUMBER && text_whole_number(entity->pairs[i].value, &number) &&
            number == lua_tonumber(L, condition))
            return true;
    }
    return lua_type(L, condition) == LUA_TBOOLEAN && lua_toboolean(L, condition) == there;
}

static void check_conditions(lua_State *L) {
    if (lua_type(L, 1) != LUA_TTABLE)
        script_refuse(L, 1, "a table {key = pattern, ...} expected, got %s", luaL_typename(L, 1));
    lua_pushnil(L);
    while (lua_next(L, 1)) {
        int type = lua_type(L, -1);
        if (lua_type(L, -2) != LUA_TSTRING)
            script_refuse(L, 1, "a key is a text, got %s", luaL_typename(L, -2));
        if (type != LUA_TSTRING && type != LUA_TNUMBER && type != LUA_TBOOLEAN)
            script_refuse(L, 1, "key '%s': a pattern, a number, true or false expected, got %s", lua_tostring(L, -2),
                          lua_typename(L, type));
        lua_pop(L, 1);
    }
}

static int entities_find(lua_State *L) {
    const Map *map = check_map(L);
    check_conditions(L);
    lua_settop(L, 1);
    lua_pushliteral(L, "");
    luaL_getmetafield(L, 2, "__index");
    lua_getfield(L, 3, "match");
    lua_newtable(L);
    int count = 0;
    for (int i = 0; i < map->entity_count; i++) {
        bool all = true;
        lua_pushnil(L);
        while (all && lua_next(L, 1)) {
            all = holds(L, &map->entities[i], lua_tostring(L, -2), 4);
            lua_pop(L, 1);
        }
        lua_settop(L, 5);
        if (all) {
            lua_pushinteger(L, i);
            lua_rawseti(L, 5, ++count);
        }
    }
    return 1;
}


/* ---- who fires whom ---- */

static int check_entity(lua_State *L, int arg, const Map *map) {
    if (lua_type(L, arg) == LUA_TTABLE) {
        lua_getfield(L, arg, "index");
        lua_replace(L, arg);
    }
    return check_index(L, arg, "entity", map->entity_count);
}

/* Keys that name others: the game's own, and those of its children. */
static bool names_target(const char *key) {
    static const char *const keys[] = { "target", "target2", "target3", "target4", "killtarget" };
    for (int i = 0; i < COUNT_OF(keys); i++)
        if (text_same(keys[i], key))
            return true;
    return false;
}

static bool fires(const BspEntity *from, const BspEntity *to) {
    for (int i = 0; i < from->count; i++)
        for (int n = 0; names_target(from->pairs[i].key) && n < to->count; n++)
            if (text_same(to->pairs[n].key, "targetname") && text_same(to->pairs[n].value, from->pairs[i].value))
                return true;
    return false;
}

static int push_fired(lua_State *L, bool forward) {
    const Map *map = check_map(L);
    const BspEntity *entity = &map->entities[check_entity(L, 1, map)];
    lua_newtable(L);
    int count = 0;
    for (int i = 0; i < map->entity_count; i++) {
        const BspEntity *other = &map->entities[i];
        if (forward ? !fires(entity, other) : !fires(other, entity))
            continue;
        lua_pushinteger(L, i);
        lua_rawseti(L, -2, ++count);
    }
    return 1;
}

static int entities_targets(lua_State *L) { return push_fired(L, true); }
static int entities_targeted_by(lua_State *L) { return push_fired(L, false); }

static const ScriptFunction functions[] = {
    { "text", entities_text, "() -> string", "The entity lump as it stands in the file." },
    { "count", entities_count, "() -> integer", "How many entities the lump has; worldspawn is 0." },
    { "lump", entities_lump, "(i: integer) -> " ENTITY,
      "One entity: e.classname asks a key (the last of that name, without case), ipairs(e) gives { key, value } and pairs(e) "
      "key, value in the file's order, duplicates kept; e.index is its number." },
    { "find", entities_find, "(keys: table) -> integer[]",
      "The entities for which all of { key = pattern, ... } hold: the same text without case, or a Lua pattern that fits the "
      "whole value; a number compares as one, true asks for any value and false for none." },
    { "targets", entities_targets, "(entity: integer|" ENTITY ") -> integer[]", "The entities that it fires: whose targetname its targets name." },
    { "targeted_by", entities_targeted_by, "(entity: integer|" ENTITY ") -> integer[]", "The entities that fire it." },
    { NULL, NULL, NULL, NULL },
};

const ScriptModule lw_entities_module = {
    .name = "entities", .help = "The level's entities.", .functions = functions, .of_map = true, .open = open, .methods = methods,
};
