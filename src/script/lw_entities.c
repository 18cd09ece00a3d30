/* script/lw_entities.c -- lw.entities: the level's entity text, as things with keys.
 *
 * An entity of the lump is a table of its own: its pairs in the file's order ({key, value} each, with the names key and
 * value too), asked by name without case (the last of a key counts, as in the game's table of fields), and `index`. */
#include <stdio.h>

#include "script/live.h"

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
    check_table(L, 1, "an entity of lw.entities.lump");
}

int lump_entity_key(lua_State *L) {
    check_entity_table(L);
    const char *name = check_name(L, 2, "key");
    lua_settop(L, 3);
    if (!push_value(L, 1, name))
        lua_pushvalue(L, 3);
    return 1;
}

int lump_entity_number(lua_State *L) {
    check_entity_table(L);
    const char *name = check_name(L, 2, "key");
    double otherwise = lua_isnoneornil(L, 3) ? 0 : check_finite(L, 3);
    const char *end = NULL, *text = push_value(L, 1, name) ? luaL_tolstring(L, -1, NULL) : "";
    double number = text_number(text, &end);
    lua_pushnumber(L, end == text ? otherwise : number);
    return 1;
}

int lump_entity_vector(lua_State *L) {
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

/* As bsp_entity_angles, of a table that scripts may have changed. */
int lump_entity_facing(lua_State *L) {
    check_entity_table(L);
    static const char *const names[] = { "angle", "angles" };
    BspPair pair;
    int count = 0;
    for (lua_Integer i = (lua_Integer)lua_rawlen(L, 1); i > 0 && !count; i--) {
        lua_settop(L, 1);
        if (lua_rawgeti(L, 1, i) != LUA_TTABLE)
            continue;
        lua_rawgeti(L, 2, 1);
        lua_rawgeti(L, 2, 2);
        for (int n = 0; n < COUNT_OF(names); n++)
            if (lua_type(L, 3) == LUA_TSTRING && text_same(lua_tostring(L, 3), names[n]))
                pair = (BspPair){ names[n], luaL_tolstring(L, 4, NULL) }, count = 1;
    }
    const BspEntity entity = { &pair, count };
    Vec3 angles;
    if (!bsp_entity_angles(&entity, &angles))
        return 0;
    push_vec3(L, angles);
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

static void open(lua_State *L) {
    static const luaL_Reg meta[] = {
        { "__index", entity_index }, { "__pairs", entity_pairs }, { "__tostring", entity_tostring }, { NULL, NULL },
    };
    script_class(L, ENTITY, entity_methods, meta);
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
    set_integer(L, "index", index);
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
    check_table(L, 1, "a table {key = pattern, ...}");
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


/* ---- those that live ---- */

static int entities_behaviour(lua_State *L) {
    const char *classname = check_name(L, 1, "classname");
    Scripts *scripts = scripts_of(L);
    if (!*classname)
        script_refuse(L, 1, "classname \"\": a name or a beginning like \"item_*\" is expected");
    check_table(L, 2, "a table of callbacks (spawn, think, touch, use, blocked, arrived, hurt, draw)");
    if (!scripts->live || !scripts->running)
        luaL_error(L, "'%s' is for scripts", script_name_of(L));
    lua_settop(L, 2);
    live_define(scripts->live, scripts->running, classname, luaL_ref(L, LUA_REGISTRYINDEX));
    live_begin_waiting(scripts->live, scripts->running);
    return 0;
}

static void take_key(lua_State *L, Live *live, int entity) {
    if (lua_type(L, -2) != LUA_TSTRING)
        luaL_error(L, "bad argument #1 to '%s' (a key is a text, got %s)", script_name_of(L), luaL_typename(L, -2));
    const char *key = lua_tostring(L, -2);
    if (lua_type(L, -1) != LUA_TNUMBER && is_vec3(L, lua_gettop(L))) {
        int arg = lua_gettop(L);
        Vec3 v = check_vec3(L, &arg);
        char text[96];
        snprintf(text, sizeof text, "%.9g %.9g %.9g", (double)v.x, (double)v.y, (double)v.z);
        live_set_key(live, entity, key, text);
    } else if (lua_isstring(L, -1)) {
        lua_pushvalue(L, -1);
        live_set_key(live, entity, key, lua_tostring(L, -1));
        lua_pop(L, 1);
    } else {
        luaL_error(L, "bad argument #1 to '%s' (key '%s': a text, a number or a point expected, got %s)", script_name_of(L), key, luaL_typename(L, -1));
    }
}

static int entities_spawn(lua_State *L) {
    Live *live = check_live(L);
    check_table(L, 1, "a table { classname = ..., origin = ... }");
    if (lua_getfield(L, 1, "classname") != LUA_TSTRING)
        script_refuse(L, 1, "a classname is needed");
    lua_settop(L, 1);
    int number = live_spawn(live, -1);
    if (number < 0)
        return luaL_error(L, "'%s': there are %d entities, and no more are possible", script_name_of(L), SIM_MOST_ENTITIES);
    lua_pushnil(L);
    while (lua_next(L, 1)) {
        take_key(L, live, number);
        lua_pop(L, 1);
    }
    push_entity(L, number);
    live_begin(live, number);
    return 1;
}

static int entities_all(lua_State *L) {
    Live *live = check_live(L);
    const char *classname = lua_isnoneornil(L, 1) ? NULL : check_name(L, 1, "classname");
    Sim *sim = live->scripts->engine->sim;
    lua_newtable(L);
    int count = 0;
    for (int i = 0; i < sim_count(sim); i++) {
        const char *class = live->entities.at[i].classname;
        if (!sim_entity(sim, i)->alive || (classname && (!class || strcmp(class, classname) != 0)))
            continue;
        push_entity(L, i);
        lua_rawseti(L, -2, ++count);
    }
    return 1;
}

static int entities_get(lua_State *L) {
    Live *live = check_live(L);
    Sim *sim = live->scripts->engine->sim;
    int number = check_index(L, 1, "entity", sim_count(sim));
    if (!sim_entity(sim, number)->alive)
        return 0;
    push_entity(L, number);
    return 1;
}

static int entities_named(lua_State *L) {
    Live *live = check_live(L);
    const char *name = check_name(L, 1, "targetname");
    Sim *sim = live->scripts->engine->sim;
    lua_newtable(L);
    int count = 0;
    for (int i = 0; i < sim_count(sim); i++) {
        const char *own = live->entities.at[i].targetname;
        if (!sim_entity(sim, i)->alive || !own || !text_same(own, name))
            continue;
        push_entity(L, i);
        lua_rawseti(L, -2, ++count);
    }
    return 1;
}

static int entities_touching(lua_State *L) {
    Live *live = check_live(L);
    int arg = 1;
    Box box = { .mins = check_vec3(L, &arg) };
    box.maxs = check_vec3(L, &arg);
    Sim *sim = live->scripts->engine->sim;
    lua_newtable(L);
    int count = 0;
    for (int i = 0; i < sim_count(sim); i++)
        if (sim_entity(sim, i)->alive && box_touches(sim_entity(sim, i)->absolute, box)) {
            push_entity(L, i);
            lua_rawseti(L, -2, ++count);
        }
    return 1;
}

static int entities_hash(lua_State *L) {
    lua_pushinteger(L, (lua_Integer)sim_hash(check_live(L)->scripts->engine->sim));
    return 1;
}

static void open_both(lua_State *L) {
    open(L);
    live_object_open(L);
}

static const ScriptFunction functions[] = {
    { "behaviour", entities_behaviour, "(classname: string, callbacks: table)",
      "Defines what entities of a class do (\"item_*\": of all that begin so): spawn(self), think(self), touch(self, other), "
      "use(self, activator), blocked(self, other), arrived(self), hurt(self, amount), draw(self)." },
    { "spawn", entities_spawn, "(keys: table) -> entity", "A new entity with these keys: { classname = \"func_door\", origin = p, ... }." },
    { "all", entities_all, "(classname?: string) -> entity[]", "Every entity that lives (of that class)." },
    { "get", entities_get, "(i: integer) -> entity?", "The entity of that number (0: the player); nil where none lives." },
    { "named", entities_named, "(targetname: string) -> entity[]", "The entities of that targetname, without case." },
    { "touching", entities_touching, "(mins: point, maxs: point) -> entity[]", "The entities whose box a box touches." },
    { "hash", entities_hash, "() -> integer", "A number made of the whole state of the game: equal after equal steps." },
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
    .name = "entities", .help = "The level's entities.", .functions = functions, .of_map = true, .open = open_both, .fields = entity_fields, .methods = entity_methods,
};
