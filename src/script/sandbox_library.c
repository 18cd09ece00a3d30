/* script/sandbox_library.c -- what stands in Lua's library in place of Lua's own: what can loop in C without end, load more than
 * text, or give other bits on another machine. */
#include <math.h>

#include "base/trig.h"
#include "script/sandbox_internal.h"

int sandbox_call_own(lua_State *L) {
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
    return lua_gettop(L);
}

/* Loading */

/* load: text only, and in the environment of the script (upvalue 1) unless another is given; upvalue 2 is Lua's own. */
int own_load(lua_State *L) {
    bool has_env = lua_gettop(L) >= 4;
    lua_settop(L, 4);
    bool trust = scripts_of(L)->setup.trust;
    const char *mode = luaL_optstring(L, 3, trust ? "bt" : "t");
    if (!trust && !strchr(mode, 't')) {
        lua_pushnil(L);
        lua_pushstring(L, "only text can be loaded");
        return 2;
    }
    lua_pushvalue(L, lua_upvalueindex(2));
    lua_pushvalue(L, 1);
    lua_pushvalue(L, 2);
    lua_pushstring(L, trust ? mode : "t");
    lua_pushvalue(L, has_env ? 4 : lua_upvalueindex(1));
    lua_call(L, 4, LUA_MULTRET);
    return lua_gettop(L) - 4;
}

/* loadfile and dofile, for trusted scripts: in the environment of the script as well. */
int own_loadfile(lua_State *L) {
    const char *path = luaL_optstring(L, 1, NULL), *mode = luaL_optstring(L, 2, NULL);
    bool has_env = !lua_isnone(L, 3);
    if (luaL_loadfilex(L, path, mode) != LUA_OK) {
        lua_pushnil(L);
        lua_insert(L, -2);
        return 2;
    }
    lua_pushvalue(L, has_env ? 3 : lua_upvalueindex(1));
    lua_setupvalue(L, -2, 1);
    return 1;
}

int own_dofile(lua_State *L) {
    const char *path = luaL_optstring(L, 1, NULL);
    lua_settop(L, 1);
    if (luaL_loadfilex(L, path, NULL) != LUA_OK)
        return lua_error(L);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_setupvalue(L, -2, 1);
    lua_call(L, 0, LUA_MULTRET);
    return lua_gettop(L) - 1;
}

/* Replacements in the base library */

int own_collectgarbage(lua_State *L) {
    const char *option = luaL_optstring(L, 1, "collect");
    if (strcmp(option, "count") != 0)
        return luaL_error(L, "collectgarbage(\"%s\") is not for scripts; \"count\" is", option);
    lua_pushnumber(L, lua_gc(L, LUA_GCCOUNT) + lua_gc(L, LUA_GCCOUNTB) / 1024.0);
    return 1;
}

/* A finalizer runs with hooks off, where no budget could end it. */
int own_setmetatable(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    int type = lua_type(L, 2);
    luaL_argexpected(L, type == LUA_TNIL || type == LUA_TTABLE, 2, "nil or table");
    if (luaL_getmetafield(L, 1, "__metatable") != LUA_TNIL)
        return luaL_error(L, "cannot change a protected metatable");
    if (type == LUA_TTABLE) {
        lua_pushstring(L, "__gc");
        if (lua_rawget(L, 2) != LUA_TNIL)
            return luaL_error(L, "setmetatable: __gc is not for scripts (__close is)");
    }
    lua_settop(L, 2);
    lua_setmetatable(L, 1);
    return 1;
}

/* The handler of xpcall runs with hooks off when the hook itself raised: it is left out once the budget is spent. */
static int xpcall_handler(lua_State *L) {
    if (scripts_of(L)->budget.exhausted)
        return 1;
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, lua_gettop(L) - 1, 1);
    return 1;
}

static int xpcall_finish(lua_State *L, int status, lua_KContext extra) {
    if (status != LUA_OK && status != LUA_YIELD) {
        lua_pushboolean(L, false);
        lua_pushvalue(L, -2);
        return 2;
    }
    return lua_gettop(L) - (int)extra;
}

int own_xpcall(lua_State *L) {
    int count = lua_gettop(L);
    luaL_checktype(L, 2, LUA_TFUNCTION);
    lua_pushvalue(L, 2);
    lua_pushcclosure(L, xpcall_handler, 1);
    lua_replace(L, 2);
    lua_pushboolean(L, true);    /* the first result */
    lua_pushvalue(L, 1);
    lua_rotate(L, 3, 2);         /* function, handler, true, function, arguments */
    int status = lua_pcallk(L, count - 2, LUA_MULTRET, 2, 2, xpcall_finish);
    return xpcall_finish(L, status, 2);
}

/* Replacements in string and table */

int own_string_rep(lua_State *L) {
    size_t length, gap;
    const char *text = luaL_checklstring(L, 1, &length);
    lua_Integer times = luaL_checkinteger(L, 2);
    const char *between = luaL_optlstring(L, 3, "", &gap);
    size_t step = length + gap;
    if (times <= 0 || step == 0 || (times == 1 && length == 0)) {
        lua_pushliteral(L, "");
        return 1;
    }
    if ((lua_Unsigned)times > scripts_of(L)->limit / step)
        return luaL_error(L, "resulting string too large");
    size_t total = (size_t)times * step - gap;
    luaL_Buffer out;
    char *at = luaL_buffinitsize(L, &out, total);
    if (length == 1 && gap == 0) {
        memset(at, text[0], total);
    } else {
        for (lua_Integer i = 0; i < times; i++) {
            memcpy(at + (size_t)i * step, text, length);
            if (i + 1 < times)
                memcpy(at + (size_t)i * step + length, between, gap);
        }
    }
    luaL_pushresultsize(&out, total);
    return 1;
}

/* format: %s of an object shows no address, %p is refused; the rest is Lua's own (upvalue 1). */
int own_string_format(lua_State *L) {
    size_t length;
    const char *format = luaL_checklstring(L, 1, &length);
    int arg = 1, top = lua_gettop(L);
    for (const char *at = format, *end = format + length; at < end; at++) {
        if (*at != '%')
            continue;
        at++;
        if (at < end && *at == '%')
            continue;
        at += strspn(at, "-+ #0123456789.");
        arg++;
        if (at < end && *at == 'p')
            return luaL_error(L, "string.format: %%p is not for scripts");
        if (at < end && *at == 's' && arg <= top && sandbox_shows_address(L, arg)) {
            sandbox_tostring(L, arg, NULL);
            lua_replace(L, arg);
        }
    }
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, top, 1);
    return 1;
}

enum { RANGE_MOST = 1 << 24 };    /* 2^24 items of a table take some 0.2 s in C, where no hook looks */

/* The loops of these run in C over the length that a table claims, or over a range that a script names. */
static void refuse_long(lua_State *L, const char *what, lua_Integer from, lua_Integer to) {
    if (to >= from && (lua_Unsigned)to - (lua_Unsigned)from >= RANGE_MOST)
        luaL_error(L, "table.%s: more than %d items", what, RANGE_MOST);
}

static void refuse_long_table(lua_State *L, const char *what) {
    if (lua_type(L, 1) == LUA_TTABLE)
        refuse_long(L, what, 1, luaL_len(L, 1));
}

int own_table_insert(lua_State *L) {
    if (lua_gettop(L) == 3)
        refuse_long_table(L, "insert");
    return sandbox_call_own(L);
}

int own_table_remove(lua_State *L) {
    if (lua_gettop(L) >= 2)
        refuse_long_table(L, "remove");
    return sandbox_call_own(L);
}

int own_table_sort(lua_State *L) {
    refuse_long_table(L, "sort");
    return sandbox_call_own(L);
}

int own_table_concat(lua_State *L) {
    if (lua_type(L, 1) == LUA_TTABLE) {
        lua_Integer from = luaL_optinteger(L, 3, 1);
        refuse_long(L, "concat", from, lua_isnoneornil(L, 4) ? luaL_len(L, 1) : luaL_checkinteger(L, 4));
    }
    return sandbox_call_own(L);
}

int own_table_move(lua_State *L) {
    refuse_long(L, "move", luaL_checkinteger(L, 2), luaL_checkinteger(L, 3));
    return sandbox_call_own(L);
}

/* Coroutines of a version are noted (weakly), so that a reload can close them. Upvalue 1: the version's list; 2: Lua's. */

int own_coroutine_create(lua_State *L) {
    lua_settop(L, 1);
    lua_pushvalue(L, lua_upvalueindex(2));
    lua_insert(L, 1);
    lua_call(L, 1, 1);
    lua_pushvalue(L, -1);
    lua_pushboolean(L, true);
    lua_rawset(L, lua_upvalueindex(1));
    return 1;
}

int own_coroutine_wrap(lua_State *L) {
    lua_settop(L, 1);
    lua_pushvalue(L, lua_upvalueindex(2));
    lua_insert(L, 1);
    lua_call(L, 1, 1);
    if (lua_getupvalue(L, -1, 1)) {    /* the thread */
        lua_pushboolean(L, true);
        lua_rawset(L, lua_upvalueindex(1));
    }
    return 1;
}

/* Mathematics with the same bits everywhere */

static int math_sin(lua_State *L) { lua_pushnumber(L, trig_sin(luaL_checknumber(L, 1))); return 1; }
static int math_cos(lua_State *L) { lua_pushnumber(L, trig_cos(luaL_checknumber(L, 1))); return 1; }
static int math_tan(lua_State *L) { lua_pushnumber(L, trig_tan(luaL_checknumber(L, 1))); return 1; }
static int math_asin(lua_State *L) { lua_pushnumber(L, trig_asin(luaL_checknumber(L, 1))); return 1; }
static int math_acos(lua_State *L) { lua_pushnumber(L, trig_acos(luaL_checknumber(L, 1))); return 1; }
static int math_exp(lua_State *L) { lua_pushnumber(L, trig_exp(luaL_checknumber(L, 1))); return 1; }

static int math_atan(lua_State *L) {
    lua_pushnumber(L, trig_atan2(luaL_checknumber(L, 1), luaL_optnumber(L, 2, 1)));
    return 1;
}

static int math_log(lua_State *L) {
    double x = luaL_checknumber(L, 1), result = trig_log(x);
    if (!lua_isnoneornil(L, 2)) {
        double base = luaL_checknumber(L, 2);
        int exponent;
        if (base == 2 && x > 0 && frexp(x, &exponent) == 0.5)
            result = exponent - 1;    /* powers of two come out whole */
        else
            result /= trig_log(base);
    }
    lua_pushnumber(L, result);
    return 1;
}

const luaL_Reg own_math[] = {
    { "sin", math_sin }, { "cos", math_cos },   { "tan", math_tan }, { "asin", math_asin }, { "acos", math_acos },
    { "exp", math_exp }, { "atan", math_atan }, { "log", math_log }, { NULL, NULL },
};
