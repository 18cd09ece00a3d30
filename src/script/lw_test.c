/* script/lw_test.c -- lw.test: hosts of their own for tests of hosts. There only under `leafwalk test`.
 *
 * An inner host shares the engine (its map, console, clock) with the test, and nothing of Lua. */
#include <stdio.h>

#include "script/host_internal.h"
#include "script/shape_internal.h"

typedef struct TestHost { Scripts *scripts; } TestHost;

static double option_number(lua_State *L, int arg, const char *name, double usual) {
    if (!lua_istable(L, arg))
        return usual;
    double value = usual;
    if (lua_getfield(L, arg, name) != LUA_TNIL) {
        value = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : -1;
        if (value < 0)
            script_refuse(L, arg, "%s is a number of at least 0", name);
    }
    lua_pop(L, 1);
    return value;
}

static bool option_flag(lua_State *L, int arg, const char *name) {
    if (!lua_istable(L, arg))
        return false;
    lua_getfield(L, arg, name);
    bool value = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return value;
}

/* Pushes an inner host as the options at `arg` want it. */
static TestHost *push_host(lua_State *L, int arg) {
    check_optional_table(L, arg, "a table of options (budget, memory, trust, seed)");
    const Scripts *outer = scripts_of(L);
    ScriptsSetup setup = outer->setup;
    setup.module_folders = (const char *const *)outer->module_folders.at;
    setup.module_folder_count = (int)outer->module_folders.count;
    setup.test = false;
    setup.trust = option_flag(L, arg, "trust");
    setup.budget = option_number(L, arg, "budget", 2);
    setup.memory = (size_t)option_number(L, arg, "memory", 0);
    setup.seed = (uint64_t)option_number(L, arg, "seed", 0);
    TestHost *host = script_object(L, "host", sizeof *host);
    Error error;
    host->scripts = host_open(&setup, true, &error);
    if (!host->scripts)
        luaL_error(L, "%s", error.text);
    return host;
}

static TestHost *check_host(lua_State *L) {
    TestHost *host = check_object(L, 1, "host");
    if (!host->scripts)
        luaL_error(L, "this host was closed");
    return host;
}

/* Runs the text at `arg`: true and its value, or false and the message with its traceback. */
static int run_text(lua_State *L, Scripts *scripts, int arg) {
    if (lua_type(L, arg) != LUA_TSTRING)
        script_refuse(L, arg, "the text of a chunk expected, got %s", luaL_typename(L, arg));
    size_t size;
    const char *text = lua_tolstring(L, arg, &size);
    HostValue value = { .type = LUA_TNIL };
    Error error;
    bool good = host_run_chunk(scripts, text, size, "=chunk", &value, &error);
    lua_pushboolean(L, good);
    if (!good)
        lua_pushstring(L, error.text);
    else if (value.type == LUA_TNIL)
        lua_pushnil(L);
    else if (value.type == LUA_TBOOLEAN)
        lua_pushboolean(L, value.truth);
    else if (value.is_integer)
        lua_pushinteger(L, value.integer);
    else if (value.type == LUA_TNUMBER)
        lua_pushnumber(L, value.number);
    else
        lua_pushlstring(L, text_of(&value.text), value.text.count);
    text_free(&value.text);
    return 2;
}

static int host_close_method(lua_State *L) {
    TestHost *host = check_object(L, 1, "host");
    if (host->scripts && host->scripts->depth)
        return luaL_error(L, "'%s': a script of this host is running", script_name_of(L));
    scripts_close(host->scripts);
    host->scripts = NULL;
    return 0;
}

static int host_collect(lua_State *L) {
    TestHost *host = lua_touserdata(L, 1);
    scripts_close(host->scripts);
    host->scripts = NULL;
    return 0;
}

static int test_sandbox(lua_State *L) {
    TestHost *host = push_host(L, 2);
    int results = run_text(L, host->scripts, 1);
    scripts_close(host->scripts);
    host->scripts = NULL;
    return results;
}

static int test_host(lua_State *L) {
    push_host(L, 1);
    return 1;
}

static int host_run_method(lua_State *L) { return run_text(L, check_host(L)->scripts, 2); }

static int answer(lua_State *L, bool good, const Error *error) {
    lua_pushboolean(L, good);
    if (good)
        return 1;
    lua_pushstring(L, error->text);
    return 2;
}

static int host_add_method(lua_State *L) {
    TestHost *host = check_host(L);
    Error error;
    return answer(L, scripts_add(host->scripts, check_name(L, 2, "path"), &error), &error);
}

static int host_drop_method(lua_State *L) {
    TestHost *host = check_host(L);
    lua_pushboolean(L, scripts_drop(host->scripts, check_name(L, 2, "path")));
    return 1;
}

static int host_changed_method(lua_State *L) {
    TestHost *host = check_host(L);
    scripts_changed(host->scripts, check_name(L, 2, "path"));
    return 0;
}

static int host_reload_method(lua_State *L) {
    TestHost *host = check_host(L);
    Error error;
    return answer(L, scripts_reload(host->scripts, lua_isnoneornil(L, 2) ? NULL : check_name(L, 2, "path"), &error), &error);
}

static int host_map_method(lua_State *L) {
    scripts_map(check_host(L)->scripts);
    return 0;
}

/* A frame as the window's loop makes it. */
static int host_frame_method(lua_State *L) {
    TestHost *host = check_host(L);
    Engine *engine = engine_of(L);
    int width = lua_isnoneornil(L, 2) ? 320 : check_count(L, 2, "width", 1, 8192);
    int height = lua_isnoneornil(L, 3) ? 200 : check_count(L, 3, "height", 1, 8192);
    engine_tick(engine, 1.0 / 60);
    scripts_update(host->scripts, engine->clock.delta);
    engine_frame_begin(engine, width, height);
    scripts_draw(host->scripts);
    scripts_overlay(host->scripts);
    Error error;
    return answer(L, !engine->renderer || engine_frame_draw(engine, &error), &error);
}

static int host_key_method(lua_State *L) {
    TestHost *host = check_host(L);
    bool down = lua_isnoneornil(L, 3) || lua_toboolean(L, 3);
    lua_pushboolean(L, scripts_key(host->scripts, check_name(L, 2, "key"), down));
    return 1;
}

static int host_error_method(lua_State *L) {
    lua_pushstring(L, scripts_error(check_host(L)->scripts));
    return 1;
}

static int host_memory_method(lua_State *L) {
    lua_pushinteger(L, (lua_Integer)scripts_memory(check_host(L)->scripts));
    return 1;
}

static int test_shape(lua_State *L) {
    Error error;
    Shape shape;
    bool good = shape_read(check_name(L, 1, "shape"), &shape, &error);
    shape_free(&shape);
    return answer(L, good, &error);
}

/* Every row there is, as { name, shape, help }: functions, fields and methods. */
static void add_row(lua_State *L, const char *module, const char *name, const char *shape, const char *help) {
    lua_createtable(L, 0, 4);
    lua_pushstring(L, module);
    lua_setfield(L, -2, "module");
    lua_pushstring(L, name);
    lua_setfield(L, -2, "name");
    lua_pushstring(L, shape);
    lua_setfield(L, -2, "shape");
    lua_pushstring(L, help);
    lua_setfield(L, -2, "help");
    lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
}

static int test_rows(lua_State *L) {
    lua_newtable(L);
    for (int i = 0; script_modules[i]; i++) {
        const ScriptModule *module = script_modules[i];
        for (const ScriptFunction *row = module->functions; row && row->name; row++)
            add_row(L, module->name, row->name, row->shape, row->help);
        for (const ScriptFunction *row = module->inner; row && row->name; row++)
            add_row(L, module->name, row->name, row->shape, row->help);
        for (const ScriptFunction *row = module->methods; row && row->name; row++)
            add_row(L, module->name, row->name, row->shape, row->help);
        for (const ScriptProperty *row = module->properties; row && row->name; row++)
            add_row(L, module->name, row->name, row->type, row->help);
        for (const ScriptField *row = module->fields; row && row->name; row++)
            add_row(L, module->name, row->name, row->type, row->help);
    }
    return 1;
}

static int test_write_docs(lua_State *L) {
    Error error;
    Scripts *scripts = scripts_of(L);
    const char *stubs = check_name(L, 1, "folder"), *reference = check_name(L, 2, "path");
    return answer(L, scripts_write_stubs(scripts, stubs, &error) && scripts_write_reference(scripts, reference, &error), &error);
}

static const ScriptFunction functions[] = {
    { "sandbox", test_sandbox, "(chunk: string, options?: table) -> boolean, any",
      "Runs a text in a fresh host (options: budget, memory, trust, seed): true and its value, or false and the message." },
    { "host", test_host, "(options?: table) -> host", "A host of its own beside this one, on the same map, console and clock." },
    { "rows", test_rows, "() -> table[]", "The rows of every module: { module, name, shape, help }." },
    { "shape", test_shape, "(shape: string) -> boolean, string?", "Whether a row's shape is written as it must be, and why not." },
    { "write_docs", test_write_docs, "(folder: string, path: string) -> boolean, string?",
      "Writes the stubs for editors into a folder and the reference page to a path." },
    { NULL, NULL, NULL, NULL },
};

static const ScriptFunction methods[] = {
    { "host:run", host_run_method, "(chunk: string) -> boolean, any", "Runs a text: true and its value, or false and the message." },
    { "host:add", host_add_method, "(path: string) -> boolean, string?", "Adds a script; false and why when it does not load." },
    { "host:drop", host_drop_method, "(path: string) -> boolean", "Unloads a script." },
    { "host:changed", host_changed_method, "(path: string)", "Says that a file was changed, as watching does." },
    { "host:reload", host_reload_method, "(path?: string) -> boolean, string?", "Reloads a script, or all." },
    { "host:map", host_map_method, "()", "Calls every script's `map`." },
    { "host:frame", host_frame_method, "(width?: integer, height?: integer) -> boolean, string?",
      "One frame of 1/60 s: clock, update, draw, overlay, picture." },
    { "host:key", host_key_method, "(name: string, down?: boolean) -> boolean", "Presses (or, with false, lets go) a key; whether a script kept it." },
    { "host:error", host_error_method, "() -> string?", "What the panel shows." },
    { "host:memory", host_memory_method, "() -> integer", "Bytes that its Lua uses." },
    { "host:close", host_close_method, "()", "Closes it." },
    { NULL, NULL, NULL, NULL },
};

static void test_open(lua_State *L) {
    static const luaL_Reg meta[] = { { "__gc", host_collect }, { NULL, NULL } };
    script_class(L, "host", methods, meta);
}

const ScriptModule lw_test_module = {
    .name = "test",
    .help = "Hosts of their own for tests of hosts; there only under `leafwalk test`.",
    .functions = functions,
    .open = test_open,
    .methods = methods,
};
