/* script/sandbox_internal.h -- the parts of the sandbox: functions that stand in place of Lua's. Those marked so have Lua's own
 * as an upvalue. */
#ifndef LEAFWALK_SANDBOX_INTERNAL_H
#define LEAFWALK_SANDBOX_INTERNAL_H

#include "script/host_internal.h"

/* sandbox_text.c */
void sandbox_numbers_open(lua_State *L);
lua_Integer sandbox_number(lua_State *L, int arg);    /* of an object, from 1: in the order in which they are first asked for */
bool sandbox_shows_address(lua_State *L, int arg);    /* Lua's own tostring would */
int own_tostring(lua_State *L);

/* sandbox_library.c */
int sandbox_call_own(lua_State *L);                   /* calls upvalue 1 with all arguments, returns all it returns */
int own_load(lua_State *L);                           /* upvalues: the environment, Lua's */
int own_loadfile(lua_State *L);                       /* upvalue: the environment */
int own_dofile(lua_State *L);                         /* upvalue: the environment */
int own_collectgarbage(lua_State *L);
int own_setmetatable(lua_State *L);
int own_xpcall(lua_State *L);
int own_string_rep(lua_State *L);
int own_string_format(lua_State *L);                  /* upvalue: Lua's */
int own_table_insert(lua_State *L);                   /* upvalue: Lua's; so all of table */
int own_table_remove(lua_State *L);
int own_table_sort(lua_State *L);
int own_table_concat(lua_State *L);
int own_table_move(lua_State *L);
int own_coroutine_create(lua_State *L);               /* upvalues: the version's list of threads, Lua's */
int own_coroutine_wrap(lua_State *L);
extern const luaL_Reg own_math[];

/* sandbox_film.c: upvalue Lua's */
extern const char sandbox_sort_name[];                /* its address is where Lua's own table.sort is kept */
int own_pairs(lua_State *L);
int own_next(lua_State *L);
int own_os_time(lua_State *L);
int own_os_clock(lua_State *L);
int own_os_date(lua_State *L);

#endif
