/* script/sandbox_film.c -- what a script must not see while a film is made, so that it is the same on every run: in which order
 * a table keeps its keys, and what time the machine has. */
#include <math.h>

#include "script/live.h"
#include "script/sandbox_internal.h"

/* pairs and next while a film is made: by sorted keys, for the order of a table's own differs from run to run. Numbers
 * come first, then texts, then booleans; entities by their numbers; other objects last, in the order in which they were
 * first met. Upvalue 1 is Lua's own function. */

const char sandbox_sort_name[] = "sort";    /* its address is where Lua's own table.sort is kept */

static int key_rank(lua_State *L, int at) {
    switch (lua_type(L, at)) {
        case LUA_TNUMBER: return 0;
        case LUA_TSTRING: return 1;
        case LUA_TBOOLEAN: return 2;
        default: return 3;
    }
}

static lua_Integer object_rank(lua_State *L, int at) {
    const EntityObject *entity = luaL_testudata(L, at, "lw.class.entity");
    return entity ? -1000000 + entity->number : sandbox_number(L, at);
}

static int key_less(lua_State *L) {
    int a = key_rank(L, 1), b = key_rank(L, 2);
    bool less = a < b;
    if (a == b && a <= 1)
        less = lua_compare(L, 1, 2, LUA_OPLT);
    else if (a == b)
        less = a == 2 ? !lua_toboolean(L, 1) && lua_toboolean(L, 2) : object_rank(L, 1) < object_rank(L, 2);
    lua_pushboolean(L, less);
    return 1;
}

/* Pushes the list of the keys of the table at `table`, sorted. */
static void push_sorted_keys(lua_State *L, int table) {
    lua_newtable(L);
    lua_Integer count = 0;
    bool in_order = true;    /* as most are: 1, 2, 3 ... */
    lua_pushnil(L);
    while (lua_next(L, table)) {
        lua_pop(L, 1);
        in_order = in_order && lua_isinteger(L, -1) && lua_tointeger(L, -1) == count + 1;
        lua_pushvalue(L, -1);
        lua_rawseti(L, -3, ++count);
    }
    if (in_order)
        return;
    lua_rawgetp(L, LUA_REGISTRYINDEX, sandbox_sort_name);    /* Lua's own sort */
    lua_pushvalue(L, -2);
    lua_pushcfunction(L, key_less);
    lua_call(L, 2, 0);
}

/* Upvalues: the table, its sorted keys, the place among them. Keys that were taken out meanwhile are passed over. */
static int sorted_step(lua_State *L) {
    lua_Integer at = lua_tointeger(L, lua_upvalueindex(3));
    for (;;) {
        if (lua_rawgeti(L, lua_upvalueindex(2), ++at) == LUA_TNIL)
            return 1;
        lua_pushinteger(L, at);
        lua_replace(L, lua_upvalueindex(3));
        lua_pushvalue(L, -1);
        if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL)
            return 2;
        lua_pop(L, 2);
    }
}

int own_pairs(lua_State *L) {
    luaL_checkany(L, 1);
    if (!scripts_of(L)->by_frames || lua_type(L, 1) != LUA_TTABLE || luaL_getmetafield(L, 1, "__pairs") != LUA_TNIL) {
        lua_settop(L, 1);
        return sandbox_call_own(L);
    }
    lua_settop(L, 1);
    lua_pushvalue(L, 1);
    push_sorted_keys(L, 1);
    lua_pushinteger(L, 0);
    lua_pushcclosure(L, sorted_step, 3);
    return 1;
}

int own_next(lua_State *L) {
    if (!scripts_of(L)->by_frames || lua_type(L, 1) != LUA_TTABLE)
        return sandbox_call_own(L);
    lua_settop(L, 2);
    push_sorted_keys(L, 1);
    lua_Integer count = (lua_Integer)lua_rawlen(L, 3), at = 1;
    for (; !lua_isnil(L, 2) && at <= count; at++) {    /* the first that is not before the key, or it: found or not */
        lua_rawgeti(L, 3, at);
        bool same = lua_rawequal(L, 2, -1);
        lua_pop(L, 1);
        if (same)
            break;
    }
    if (!lua_isnil(L, 2))
        at++;
    if (at > count) {
        lua_pushnil(L);
        return 1;
    }
    lua_rawgeti(L, 3, at);
    lua_pushvalue(L, -1);
    lua_rawget(L, 1);
    return 2;
}

/* Clocks while a film is made: those of the film. */

static double film_clock(lua_State *L) { return scripts_of(L)->engine->clock.now; }

int own_os_time(lua_State *L) {
    if (!scripts_of(L)->by_frames || !lua_isnoneornil(L, 1))
        return sandbox_call_own(L);
    lua_pushinteger(L, (lua_Integer)floor(film_clock(L)));
    return 1;
}

int own_os_clock(lua_State *L) {
    if (!scripts_of(L)->by_frames)
        return sandbox_call_own(L);
    lua_pushnumber(L, film_clock(L));
    return 1;
}

int own_os_date(lua_State *L) {
    if (scripts_of(L)->by_frames && lua_isnoneornil(L, 2)) {
        lua_settop(L, 1);
        if (lua_isnil(L, 1)) {
            lua_pushstring(L, "!%c");
            lua_replace(L, 1);
        }
        lua_pushinteger(L, (lua_Integer)floor(film_clock(L)));
    }
    return sandbox_call_own(L);
}
