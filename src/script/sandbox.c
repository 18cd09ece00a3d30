/* script/sandbox.c -- what a script may touch: its environment, its memory, its time.
 *
 * Lua's library is opened once and copied into each environment. Without --trust what reaches beyond the program is left
 * out, and what can loop in C without end or show addresses is replaced. A count hook looks at the clock every 1000
 * instructions; once the budget is spent it raises at every instruction, so that no pcall can swallow it. */
#include <math.h>
#include <stdio.h>
#include <time.h>

#include "base/trig.h"
#include "script/live.h"

enum { HOOK_EVERY = 1000, INSTRUCTIONS_A_SECOND = 50000000, RANGE_MOST = 1 << 24 };    /* 2^24 items of a table take some 0.2 s in C, where no hook looks */

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

/* Text without addresses: objects are numbered in the order in which they are shown. */

static lua_Integer number_of_object(lua_State *L, int arg) {
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

static void object_numbers_open(lua_State *L) {
    lua_newtable(L);
    lua_newtable(L);
    lua_pushstring(L, "k");
    lua_setfield(L, -2, "__mode");
    lua_setmetatable(L, -2);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &scripts_of(L)->limit);
}

static bool shows_address(lua_State *L, int arg) {
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
    if (scripts_of(L)->setup.trust || !shows_address(L, arg))
        return luaL_tolstring(L, arg, length);
    const char *kind = luaL_typename(L, arg);
    int pushed = luaL_getmetafield(L, arg, "__name");
    if (pushed == LUA_TSTRING)
        kind = lua_tostring(L, -1);
    lua_pushfstring(L, "%s: #%I", kind, (LUAI_UACINT)number_of_object(L, arg));
    if (pushed != LUA_TNIL)
        lua_remove(L, -2);
    return lua_tolstring(L, -1, length);
}

static int base_tostring(lua_State *L) {
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

/* Loading */

/* load: text only, and in the environment of the script (upvalue 1) unless another is given; upvalue 2 is Lua's own. */
static int base_load(lua_State *L) {
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
static int base_loadfile(lua_State *L) {
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

static int base_dofile(lua_State *L) {
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

static int base_collectgarbage(lua_State *L) {
    const char *option = luaL_optstring(L, 1, "collect");
    if (strcmp(option, "count") != 0)
        return luaL_error(L, "collectgarbage(\"%s\") is not for scripts; \"count\" is", option);
    lua_pushnumber(L, lua_gc(L, LUA_GCCOUNT) + lua_gc(L, LUA_GCCOUNTB) / 1024.0);
    return 1;
}

/* A finalizer runs with hooks off, where no budget could end it. */
static int base_setmetatable(lua_State *L) {
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

static int base_xpcall(lua_State *L) {
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

static int string_rep(lua_State *L) {
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
static int string_format(lua_State *L) {
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
        if (at < end && *at == 's' && arg <= top && shows_address(L, arg)) {
            sandbox_tostring(L, arg, NULL);
            lua_replace(L, arg);
        }
    }
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, top, 1);
    return 1;
}

/* The loops of these run in C over the length that a table claims, or over a range that a script names. */
static void refuse_long(lua_State *L, const char *what, lua_Integer from, lua_Integer to) {
    if (to >= from && (lua_Unsigned)to - (lua_Unsigned)from >= RANGE_MOST)
        luaL_error(L, "table.%s: more than %d items", what, RANGE_MOST);
}

static int call_own(lua_State *L) {
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
    return lua_gettop(L);
}

static void refuse_long_table(lua_State *L, const char *what) {
    if (lua_type(L, 1) == LUA_TTABLE)
        refuse_long(L, what, 1, luaL_len(L, 1));
}

static int table_insert(lua_State *L) {
    if (lua_gettop(L) == 3)
        refuse_long_table(L, "insert");
    return call_own(L);
}

static int table_remove(lua_State *L) {
    if (lua_gettop(L) >= 2)
        refuse_long_table(L, "remove");
    return call_own(L);
}

static int table_sort(lua_State *L) {
    refuse_long_table(L, "sort");
    return call_own(L);
}

static int table_concat(lua_State *L) {
    if (lua_type(L, 1) == LUA_TTABLE) {
        lua_Integer from = luaL_optinteger(L, 3, 1);
        refuse_long(L, "concat", from, lua_isnoneornil(L, 4) ? luaL_len(L, 1) : luaL_checkinteger(L, 4));
    }
    return call_own(L);
}

static int table_move(lua_State *L) {
    refuse_long(L, "move", luaL_checkinteger(L, 2), luaL_checkinteger(L, 3));
    return call_own(L);
}

/* Coroutines of a version are noted (weakly), so that a reload can close them. Upvalue 1: the version's list; 2: Lua's. */

static int coroutine_create(lua_State *L) {
    lua_settop(L, 1);
    lua_pushvalue(L, lua_upvalueindex(2));
    lua_insert(L, 1);
    lua_call(L, 1, 1);
    lua_pushvalue(L, -1);
    lua_pushboolean(L, true);
    lua_rawset(L, lua_upvalueindex(1));
    return 1;
}

static int coroutine_wrap(lua_State *L) {
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

/* pairs and next while a film is made: by sorted keys, for the order of a table's own differs from run to run. Numbers
 * come first, then texts, then booleans; entities by their numbers; other objects last, in the order in which they were
 * first met. Upvalue 1 is Lua's own function. */

static const char key_less_name[] = "sort";    /* its address is where Lua's own table.sort is kept */

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
    return entity ? -1000000 + entity->number : number_of_object(L, at);
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
    lua_rawgetp(L, LUA_REGISTRYINDEX, key_less_name);    /* Lua's own sort */
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

static int base_pairs(lua_State *L) {
    luaL_checkany(L, 1);
    if (!scripts_of(L)->by_frames || lua_type(L, 1) != LUA_TTABLE || luaL_getmetafield(L, 1, "__pairs") != LUA_TNIL) {
        lua_settop(L, 1);
        return call_own(L);
    }
    lua_settop(L, 1);
    lua_pushvalue(L, 1);
    push_sorted_keys(L, 1);
    lua_pushinteger(L, 0);
    lua_pushcclosure(L, sorted_step, 3);
    return 1;
}

static int base_next(lua_State *L) {
    if (!scripts_of(L)->by_frames || lua_type(L, 1) != LUA_TTABLE)
        return call_own(L);
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

static int os_time(lua_State *L) {
    if (!scripts_of(L)->by_frames || !lua_isnoneornil(L, 1))
        return call_own(L);
    lua_pushinteger(L, (lua_Integer)floor(film_clock(L)));
    return 1;
}

static int os_clock(lua_State *L) {
    if (!scripts_of(L)->by_frames)
        return call_own(L);
    lua_pushnumber(L, film_clock(L));
    return 1;
}

static int os_date(lua_State *L) {
    if (scripts_of(L)->by_frames && lua_isnoneornil(L, 2)) {
        lua_settop(L, 1);
        if (lua_isnil(L, 1)) {
            lua_pushstring(L, "!%c");
            lua_replace(L, 1);
        }
        lua_pushinteger(L, (lua_Integer)floor(film_clock(L)));
    }
    return call_own(L);
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

static const luaL_Reg math_own[] = {
    { "sin", math_sin }, { "cos", math_cos },   { "tan", math_tan }, { "asin", math_asin }, { "acos", math_acos },
    { "exp", math_exp }, { "atan", math_atan }, { "log", math_log }, { NULL, NULL },
};

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
        lua_pushcfunction(L, string_rep);
        lua_setfield(L, -2, "rep");
        wrap(L, "format", string_format);
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
        wrap(L, "insert", table_insert);
        wrap(L, "remove", table_remove);
        wrap(L, "sort", table_sort);
        wrap(L, "concat", table_concat);
        wrap(L, "move", table_move);
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
    lua_rawsetp(L, LUA_REGISTRYINDEX, key_less_name);
    lua_pop(L, 1);
    string_open(L, trust);
    table_open(L, trust);
    object_numbers_open(L);
    lua_pushglobaltable(L);
    int globals = lua_gettop(L);
    wrap(L, "pairs", base_pairs);
    wrap(L, "next", base_next);
    lua_getfield(L, globals, LUA_OSLIBNAME);
    wrap(L, "time", os_time);
    wrap(L, "clock", os_clock);
    wrap(L, "date", os_date);
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
            { "collectgarbage", base_collectgarbage }, { "setmetatable", base_setmetatable },
            { "xpcall", base_xpcall },                 { "tostring", base_tostring },
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
    luaL_setfuncs(L, math_own, 0);
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
    static const luaL_Reg noted[] = { { "create", coroutine_create }, { "wrap", coroutine_wrap }, { NULL, NULL } };
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
    lua_pushcclosure(L, base_load, 2);
    lua_setfield(L, env, "load");
    if (scripts->setup.trust) {
        lua_pushvalue(L, env);
        lua_pushcclosure(L, base_loadfile, 1);
        lua_setfield(L, env, "loadfile");
        lua_pushvalue(L, env);
        lua_pushcclosure(L, base_dofile, 1);
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
