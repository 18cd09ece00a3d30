/* script/tables.c -- results: tables, and fields of the one that is on the top of the stack. */
#include "script/script_internal.h"

void push_weak_table(lua_State *L) {
    lua_newtable(L);
    lua_newtable(L);
    set_text(L, "__mode", "k");
    lua_setmetatable(L, -2);
}

void set_number(lua_State *L, const char *name, double number) {
    lua_pushnumber(L, number);
    lua_setfield(L, -2, name);
}

void set_integer(lua_State *L, const char *name, lua_Integer number) {
    lua_pushinteger(L, number);
    lua_setfield(L, -2, name);
}

void set_boolean(lua_State *L, const char *name, bool value) {
    lua_pushboolean(L, value);
    lua_setfield(L, -2, name);
}

void set_vec3(lua_State *L, const char *name, Vec3 v) {
    push_vec3(L, v);
    lua_setfield(L, -2, name);
}

void set_text(lua_State *L, const char *name, const char *text) {
    if (!text || !text[0])
        return;
    lua_pushstring(L, text);
    lua_setfield(L, -2, name);
}
