/* script/sandbox_text.c -- values as text, as scripts see them: without addresses, which differ from run to run and help who
 * wants out. */
#include <stdio.h>

#include "script/sandbox_internal.h"

/* Text without addresses: objects are numbered in the order in which they are shown. */

lua_Integer sandbox_number(lua_State *L, int arg) {
    Scripts *scripts = scripts_of(L);
    lua_rawgetp(L, LUA_REGISTRYINDEX, &scripts->limit);    /* a weak table: object -> number, 0 -> how many */
    lua_pushvalue(L, arg);
    lua_rawget(L, -2);
    lua_Integer number = lua_tointeger(L, -1);
    lua_pop(L, 1);
    if (!number) {
        lua_rawgeti(L, -1, 0);
        number = lua_tointeger(L, -1) + 1;
        lua_pop(L, 1);
        lua_pushinteger(L, number);
        lua_rawseti(L, -2, 0);
        lua_pushvalue(L, arg);
        lua_pushinteger(L, number);
        lua_rawset(L, -3);
    }
    lua_pop(L, 1);
    return number;
}

void sandbox_numbers_open(lua_State *L) {
    push_weak_table(L);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &scripts_of(L)->limit);
}

bool sandbox_shows_address(lua_State *L, int arg) {
    int type = lua_type(L, arg);
    if (type != LUA_TTABLE && type != LUA_TFUNCTION && type != LUA_TUSERDATA && type != LUA_TTHREAD && type != LUA_TLIGHTUSERDATA)
        return false;
    if (luaL_getmetafield(L, arg, "__tostring") == LUA_TNIL)
        return true;
    lua_pop(L, 1);
    return false;
}

const char *sandbox_tostring(lua_State *L, int arg, size_t *length) {
    arg = lua_absindex(L, arg);
    if (scripts_of(L)->setup.trust || !sandbox_shows_address(L, arg))
        return luaL_tolstring(L, arg, length);
    const char *kind = luaL_typename(L, arg);
    int pushed = luaL_getmetafield(L, arg, "__name");
    if (pushed == LUA_TSTRING)
        kind = lua_tostring(L, -1);
    lua_pushfstring(L, "%s: #%I", kind, (LUAI_UACINT)sandbox_number(L, arg));
    if (pushed != LUA_TNIL)
        lua_remove(L, -2);
    return lua_tolstring(L, -1, length);
}

int own_tostring(lua_State *L) {
    luaL_checkany(L, 1);
    sandbox_tostring(L, 1, NULL);
    return 1;
}

/* Lines are kept by the console, outside of Lua's memory: the text on the top, cut to what anybody reads. */
static const char *shortened_line(lua_State *L) {
    enum { LINE_MOST = 8000 };
    size_t length;
    const char *text = lua_tolstring(L, -1, &length);
    return length <= LINE_MOST ? text : lua_pushfstring(L, "%s...", lua_pushlstring(L, text, LINE_MOST));
}

/* The arguments with tabs between them, as one text on the top. */
static void join(lua_State *L) {
    int count = lua_gettop(L);
    luaL_Buffer line;
    luaL_buffinit(L, &line);
    for (int i = 1; i <= count; i++) {
        if (i > 1)
            luaL_addchar(&line, '\t');
        sandbox_tostring(L, i, NULL);
        luaL_addvalue(&line);
    }
    luaL_pushresult(&line);
}

const char *push_joined(lua_State *L) {
    join(L);
    return shortened_line(L);
}

int sandbox_print(lua_State *L) {
    Scripts *scripts = scripts_of(L);
    join(L);
    if (scripts->setup.print_to_stdout) {
        size_t length;
        const char *text = lua_tolstring(L, -1, &length);
        fwrite(text, 1, length, stdout);
        fputc('\n', stdout);
        fflush(stdout);
    } else if (scripts->engine->console) {
        console_print(scripts->engine->console, LOG_INFO, shortened_line(L));
    }
    return 0;
}
