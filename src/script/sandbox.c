/* script/sandbox.c -- what a script may touch: its environment, its memory, its time.
 *
 * Lua's library is opened once and copied into each environment. Without --trust what reaches beyond the program is left
 * out, and what can loop in C without end or show addresses is replaced. A count hook looks at the clock every 1000
 * instructions; once the budget is spent it raises at every instruction, so that no pcall can swallow it. */
#include <time.h>

#include "script/sandbox_internal.h"

enum { HOOK_EVERY = 1000, INSTRUCTIONS_A_SECOND = 50000000 };

/* Memory and time */

void *sandbox_allocate(void *user, void *memory, size_t old_size, size_t new_size) {
    Scripts *scripts = user;
    size_t old = memory ? old_size : 0;    /* without memory it is the type of what is made */
    if (new_size == 0) {
        mem_free(memory);
        scripts->used -= old;
        return NULL;
    }
    if (new_size > old && scripts->used + scripts->charged + (new_size - old) > scripts->limit)
        return NULL;
    void *grown = mem_try_realloc(memory, new_size);
    if (grown)
        scripts->used += new_size - old;
    return grown;
}

/* The coarse clock ticks every 1 to 4 ms and costs a few nanoseconds: on the whole as many ticks fall into a kind of
 * work as it takes time, which is all a budget needs. */
double sandbox_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

void sandbox_budget_start(Scripts *scripts) {
    scripts->budget.started = scripts->budget.mark = sandbox_clock();
    scripts->budget.inside = 0;
    scripts->budget.nested = 0;
    scripts->budget.instructions = 0;
    scripts->budget.exhausted = false;
}

static void set_hook(lua_State *L, int every) { lua_sethook(L, sandbox_hook, LUA_MASKCOUNT, every); }

void sandbox_budget_end(Scripts *scripts) {
    if (scripts->budget.exhausted)
        set_hook(scripts->L, HOOK_EVERY);
    scripts->budget.exhausted = false;
}

void sandbox_hook(lua_State *L, lua_Debug *ar) {
    (void)ar;
    Scripts *scripts = scripts_of(L);
    double now = sandbox_clock(), used = now - scripts->budget.started - scripts->budget.inside;
    scripts->budget.nested += now - scripts->budget.mark;    /* Lua runs: counts where a binding waits for it */
    scripts->budget.mark = now;
    scripts->budget.instructions += HOOK_EVERY;
    if (scripts->by_frames)    /* a slow machine makes the same film: what counts is how much was run */
        used = (double)scripts->budget.instructions / INSTRUCTIONS_A_SECOND;
    if (!scripts->budget.exhausted && used <= scripts->setup.budget) {
        if (lua_gethookcount(L) != HOOK_EVERY)
            set_hook(L, HOOK_EVERY);    /* a coroutine that was stopped at another time */
        return;
    }
    scripts->budget.exhausted = true;
    set_hook(L, 1);
    luaL_where(L, 0);
    lua_pushfstring(L, "%s took longer than its budget of %f s and was stopped", scripts->what ? scripts->what : "the script",
                    scripts->setup.budget);
    lua_concat(L, 2);
    lua_error(L);
}

/* Opening */

static const char *const safe_base[] = {
    "assert", "error", "getmetatable", "ipairs", "next", "pairs", "pcall", "rawequal", "rawget", "rawlen", "rawset",
    "select", "tonumber", "type", "_VERSION", NULL,
};
static const char *const safe_os[] = { "time", "clock", "date", "difftime", NULL };

/* Copies fields of the table at `from` into the one on the top. */
static void copy_fields(lua_State *L, int from, const char *const *names) {
    for (; *names; names++) {
        lua_getfield(L, from, *names);
        lua_setfield(L, -2, *names);
    }
}

static void copy_all(lua_State *L, int from, int to) {
    from = lua_absindex(L, from);
    to = lua_absindex(L, to);
    lua_pushnil(L);
    while (lua_next(L, from)) {
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_rawset(L, to);
    }
}

/* table.field of the library becomes `function` over what was there. */
static void wrap(lua_State *L, const char *field, lua_CFunction function) {
    lua_getfield(L, -1, field);
    lua_pushcclosure(L, function, 1);
    lua_setfield(L, -2, field);
}

/* Names that a script put into its own `string` table are found as methods too; Lua's own come first. */
static int string_fallback(lua_State *L) {
    Version *running = scripts_of(L)->running;
    if (!running)
        return 0;
    lua_rawgeti(L, LUA_REGISTRYINDEX, running->env);
    lua_pushstring(L, "string");
    if (lua_rawget(L, -2) != LUA_TTABLE)
        return 0;
    lua_pushvalue(L, 2);
    lua_rawget(L, -2);
    return 1;
}

static void string_open(lua_State *L, bool trust) {
    luaL_requiref(L, LUA_STRLIBNAME, luaopen_string, 1);
    if (!trust) {
        lua_pushnil(L);
        lua_setfield(L, -2, "dump");
        lua_pushcfunction(L, own_string_rep);
        lua_setfield(L, -2, "rep");
        wrap(L, "format", own_string_format);
    }
    lua_newtable(L);
    lua_pushcfunction(L, string_fallback);
    lua_setfield(L, -2, "__index");
    set_boolean(L, "__metatable", false);
    lua_setmetatable(L, -2);
    lua_pushstring(L, "");
    lua_getmetatable(L, -1);
    set_boolean(L, "__metatable", false);
    lua_pop(L, 3);
}

static void table_open(lua_State *L, bool trust) {
    luaL_requiref(L, LUA_TABLIBNAME, luaopen_table, 1);
    if (!trust) {
        wrap(L, "insert", own_table_insert);
        wrap(L, "remove", own_table_remove);
        wrap(L, "sort", own_table_sort);
        wrap(L, "concat", own_table_concat);
        wrap(L, "move", own_table_move);
    }
    lua_pop(L, 1);
}

/* Makes the library that environments are copied from. */
static void library_open(lua_State *L, Scripts *scripts) {
    bool trust = scripts->setup.trust;
    static const luaL_Reg libraries[] = {
        { LUA_GNAME, luaopen_base },       { LUA_COLIBNAME, luaopen_coroutine }, { LUA_OSLIBNAME, luaopen_os },
        { LUA_UTF8LIBNAME, luaopen_utf8 }, { LUA_MATHLIBNAME, luaopen_math },    { LUA_IOLIBNAME, luaopen_io },
        { LUA_DBLIBNAME, luaopen_debug },  { LUA_LOADLIBNAME, luaopen_package }, { NULL, NULL },
    };
    for (const luaL_Reg *library = libraries; library->name; library++) {
        luaL_requiref(L, library->name, library->func, 1);
        lua_pop(L, 1);
    }
    luaL_requiref(L, LUA_TABLIBNAME, luaopen_table, 1);
    lua_getfield(L, -1, "sort");
    lua_rawsetp(L, LUA_REGISTRYINDEX, sandbox_sort_name);
    lua_pop(L, 1);
    string_open(L, trust);
    table_open(L, trust);
    sandbox_numbers_open(L);
    lua_pushglobaltable(L);
    int globals = lua_gettop(L);
    wrap(L, "pairs", own_pairs);
    wrap(L, "next", own_next);
    lua_getfield(L, globals, LUA_OSLIBNAME);
    wrap(L, "time", own_os_time);
    wrap(L, "clock", own_os_clock);
    wrap(L, "date", own_os_date);
    lua_pop(L, 1);
    lua_newtable(L);
    if (trust) {
        copy_all(L, globals, -1);
    } else {
        copy_fields(L, globals, safe_base);
        static const char *const whole[] = { LUA_COLIBNAME, LUA_UTF8LIBNAME, LUA_STRLIBNAME, LUA_TABLIBNAME, NULL };
        copy_fields(L, globals, whole);
        lua_getfield(L, globals, LUA_OSLIBNAME);
        int os = lua_gettop(L);
        lua_newtable(L);
        copy_fields(L, os, safe_os);
        lua_setfield(L, -3, LUA_OSLIBNAME);
        lua_pop(L, 1);
        lua_newtable(L);
        lua_getfield(L, globals, LUA_DBLIBNAME);
        lua_getfield(L, -1, "traceback");
        lua_setfield(L, -3, "traceback");
        lua_pop(L, 1);
        lua_setfield(L, -2, LUA_DBLIBNAME);
        static const luaL_Reg own[] = {
            { "collectgarbage", own_collectgarbage }, { "setmetatable", own_setmetatable },
            { "xpcall", own_xpcall },                 { "tostring", own_tostring },
            { NULL, NULL },
        };
        luaL_setfuncs(L, own, 0);
    }
    lua_pushcfunction(L, sandbox_print);
    lua_setfield(L, -2, "print");
    scripts->library = luaL_ref(L, LUA_REGISTRYINDEX);
    lua_getfield(L, globals, "require");
    scripts->plain_require = luaL_ref(L, LUA_REGISTRYINDEX);
    lua_pop(L, 1);
}

void sandbox_open(lua_State *L, Scripts *scripts) {
    library_open(L, scripts);
    if (scripts->setup.budget > 0)
        set_hook(scripts->L, HOOK_EVERY);
}

/* Environments */

static uint64_t mixed(uint64_t x) {    /* splitmix64: near seeds give far numbers */
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/* Each environment has a generator of its own, so that what one script draws does not change another's numbers. */
static void push_math(lua_State *L, const Version *version) {
    lua_pushcfunction(L, luaopen_math);
    lua_call(L, 0, 1);
    luaL_setfuncs(L, own_math, 0);
    uint64_t seed = version->script->host->setup.seed;
    lua_getfield(L, -1, "randomseed");
    lua_pushinteger(L, (lua_Integer)mixed(seed));
    lua_pushinteger(L, (lua_Integer)mixed(seed + 1));
    lua_call(L, 2, 0);
}

static void push_coroutine(lua_State *L, const Version *version, int library) {
    lua_newtable(L);
    lua_getfield(L, library, LUA_COLIBNAME);
    copy_all(L, -1, -2);
    static const luaL_Reg noted[] = { { "create", own_coroutine_create }, { "wrap", own_coroutine_wrap }, { NULL, NULL } };
    for (const luaL_Reg *row = noted; row->name; row++) {
        lua_rawgeti(L, LUA_REGISTRYINDEX, version->threads);
        lua_getfield(L, -2, row->name);
        lua_pushcclosure(L, row->func, 2);
        lua_setfield(L, -3, row->name);
    }
    lua_pop(L, 1);
}

void sandbox_environment(lua_State *L, Version *version) {
    Scripts *scripts = version->script->host;
    lua_rawgeti(L, LUA_REGISTRYINDEX, scripts->library);
    int library = lua_gettop(L);
    lua_newtable(L);
    int env = library + 1;
    copy_all(L, library, env);
    /* Library tables are the script's own copies. */
    static const char *const tables[] = { LUA_OSLIBNAME, LUA_UTF8LIBNAME, LUA_STRLIBNAME, LUA_TABLIBNAME, LUA_DBLIBNAME, LUA_IOLIBNAME };
    for (int i = 0; i < COUNT_OF(tables); i++) {
        if (lua_getfield(L, library, tables[i]) == LUA_TTABLE) {
            lua_newtable(L);
            copy_all(L, -2, -1);
            lua_setfield(L, env, tables[i]);
        }
        lua_settop(L, env);
    }
    push_math(L, version);
    lua_setfield(L, env, LUA_MATHLIBNAME);
    push_coroutine(L, version, library);
    lua_setfield(L, env, LUA_COLIBNAME);
    lua_pushvalue(L, env);
    lua_setfield(L, env, LUA_GNAME);

    lua_pushvalue(L, env);
    lua_getglobal(L, "load");
    lua_pushcclosure(L, own_load, 2);
    lua_setfield(L, env, "load");
    if (scripts->setup.trust) {
        lua_pushvalue(L, env);
        lua_pushcclosure(L, own_loadfile, 1);
        lua_setfield(L, env, "loadfile");
        lua_pushvalue(L, env);
        lua_pushcclosure(L, own_dofile, 1);
        lua_setfield(L, env, "dofile");
    } else {
        lua_newtable(L);
        lua_rawgeti(L, LUA_REGISTRYINDEX, version->modules);
        lua_setfield(L, -2, "loaded");
        lua_setfield(L, env, LUA_LOADLIBNAME);
    }
    lua_pushcfunction(L, reload_require);
    lua_setfield(L, env, "require");
    modules_push(L, scripts);
    lua_pushvalue(L, -1);
    lua_setfield(L, env, "lw");
    lua_rawgeti(L, LUA_REGISTRYINDEX, version->modules);
    lua_insert(L, -2);
    lua_setfield(L, -2, "lw");
    lua_settop(L, env);
    lua_remove(L, library);
}
