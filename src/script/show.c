/* script/show.c -- what a line of the console or of `leafwalk repl` gives, as a text: tables with what is in them. */
#include "script/host_internal.h"

enum { ITEMS_MOST = 100, DEPTH_MOST = 3, TEXT_MOST = 120 };

/* Where the text goes: a list of pieces in a table, so that errors and Lua's memory are Lua's matter. */
static void add_piece(lua_State *L, int list) { lua_rawseti(L, list, (lua_Integer)lua_rawlen(L, list) + 1); }

static void push_shown(lua_State *L, int at, int depth);

static void push_text(lua_State *L, int at) {
    size_t length;
    const char *text = lua_tolstring(L, at, &length);
    lua_pushfstring(L, length > TEXT_MOST ? "\"%s ...\"" : "\"%s\"", lua_pushlstring(L, text, MIN(length, TEXT_MOST)));
    lua_remove(L, -2);
}

/* "name = value", of the pair on the top, which stays. */
static void push_pair(lua_State *L, int depth) {
    int key = lua_absindex(L, -2), value = lua_absindex(L, -1);
    if (lua_type(L, key) == LUA_TSTRING)
        lua_pushvalue(L, key);
    else
        lua_pushfstring(L, "[%s]", sandbox_tostring(L, key, NULL));
    if (lua_type(L, key) != LUA_TSTRING)
        lua_remove(L, -2);
    push_shown(L, value, depth);
    lua_pushfstring(L, "%s = %s", lua_tostring(L, -2), lua_tostring(L, -1));
    lua_replace(L, -3);
    lua_pop(L, 1);
}

static bool in_list(lua_State *L, int key, lua_Integer count) {
    lua_Integer number = lua_isinteger(L, key) ? lua_tointeger(L, key) : 0;
    return number >= 1 && number <= count;
}

/* Names in the order of the alphabet: that of the table is by chance. */
static void sort_from(lua_State *L, int list, lua_Integer first) {
    lua_Integer last = (lua_Integer)lua_rawlen(L, list);
    for (lua_Integer i = first + 1; i <= last; i++)
        for (lua_Integer k = i; k > first; k--) {
            lua_rawgeti(L, list, k - 1);
            lua_rawgeti(L, list, k);
            bool right = strcmp(lua_tostring(L, -2), lua_tostring(L, -1)) <= 0;
            if (right) {
                lua_pop(L, 2);
                break;
            }
            lua_rawseti(L, list, k - 1);
            lua_rawseti(L, list, k);
        }
}

static void push_table(lua_State *L, int at, int depth) {
    lua_newtable(L);
    int list = lua_gettop(L);
    lua_Integer count = (lua_Integer)lua_rawlen(L, at), shown = MIN(count, ITEMS_MOST);
    for (lua_Integer i = 1; i <= shown; i++) {
        lua_rawgeti(L, at, i);
        push_shown(L, lua_gettop(L), depth + 1);
        lua_remove(L, -2);
        add_piece(L, list);
    }
    bool more = shown < count;
    if (more) {
        lua_pushfstring(L, "... (%d in all)", (int)MIN(count, INT32_MAX));
        add_piece(L, list);
    }
    lua_Integer first = (lua_Integer)lua_rawlen(L, list) + 1;
    lua_pushnil(L);
    for (int names = 0; lua_next(L, at); lua_pop(L, 1)) {
        if (in_list(L, lua_gettop(L) - 1, count))
            continue;
        if (++names > ITEMS_MOST) {
            lua_pop(L, 2);
            break;
        }
        push_pair(L, depth + 1);
        add_piece(L, list);
    }
    sort_from(L, list, first);
    luaL_Buffer text;
    luaL_buffinit(L, &text);
    lua_Integer pieces = (lua_Integer)lua_rawlen(L, list);
    luaL_addstring(&text, pieces ? "{ " : "{}");
    for (lua_Integer i = 1; i <= pieces; i++) {
        if (i > 1)
            luaL_addstring(&text, ", ");
        lua_rawgeti(L, list, i);
        luaL_addvalue(&text);
    }
    luaL_addstring(&text, pieces ? " }" : "");
    luaL_pushresult(&text);
    lua_remove(L, list);
}

static void push_shown(lua_State *L, int at, int depth) {
    luaL_checkstack(L, LUA_MINSTACK, "too deep to show");
    bool plain = lua_type(L, at) == LUA_TTABLE && luaL_getmetafield(L, at, "__tostring") == LUA_TNIL;
    if (lua_type(L, at) == LUA_TTABLE && !plain)
        lua_pop(L, 1);
    if (plain && depth < DEPTH_MOST)
        push_table(L, at, depth);
    else if (plain)
        lua_pushliteral(L, "{...}");
    else if (lua_type(L, at) == LUA_TSTRING && depth > 0)
        push_text(L, at);
    else
        sandbox_tostring(L, at, NULL);
}

void host_show(lua_State *L, int first) {
    for (int i = first, last = lua_gettop(L); i <= last; i++) {
        push_shown(L, i, 0);
        lua_replace(L, i);
    }
}
