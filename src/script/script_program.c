/* script/script_program.c -- programs: exec, repl, -e. They share one environment, that of the host's `program`. */
#include "script/host_internal.h"

typedef struct Program {
    const char *text, *name;
    size_t size;
    int argc;
    const char *const *argv;
    bool has_main, incomplete;
    HostValue *value;                /* where the first result goes; NULL: nobody wants it */
    int result;                      /* reference of the table with main */
} Program;

/* help(name) in a conversation: what the console's `help` says of functions, fields, modules and callbacks. */
static int program_help(lua_State *L) {
    const char *name = luaL_optstring(L, 1, "");
    Text text = { 0 };
    bool known = scripts_help(scripts_of(L), name, &text);
    luaL_Buffer out;
    luaL_buffinit(L, &out);
    luaL_addlstring(&out, text_of(&text), text.count);
    text_free(&text);
    luaL_pushresult(&out);
    if (!known)
        lua_pushfstring(L, "help(\"vis\"), help(\"vis.row\"), help(\"row:has\"), help(\"update\"); nothing is called '%s'", name);
    lua_replace(L, 1);
    lua_settop(L, 1);
    return sandbox_print(L);
}

static int program_open_body(lua_State *L) {
    Version *version = lua_touserdata(L, 1);
    version_open(L, version);
    lua_rawgeti(L, LUA_REGISTRYINDEX, version->env);
    lua_pushcfunction(L, program_help);
    lua_setfield(L, -2, "help");
    return 0;
}

static Version *program_version(Scripts *scripts, const char *path, Error *error) {
    if (!scripts->program) {
        Script *script = script_new(scripts, path);
        Version *version = version_new(script);
        if (!host_run(scripts, version, "the opening of an environment", program_open_body, version)) {
            host_error(scripts, error);
            version_close(version);
            script_free(script);
            return NULL;
        }
        version->live = true;
        script->version = version;
        script->program = true;
        scripts->program = script;
    }
    return scripts->program->version;
}

/* `arg` as in Lua's own program: 0 is the script, 1 .. what follows it. */
static void push_arg_table(lua_State *L, const Program *program) {
    lua_createtable(L, program->argc, 1);
    lua_pushstring(L, program->name[0] == '@' || program->name[0] == '=' ? program->name + 1 : program->name);
    lua_rawseti(L, -2, 0);
    for (int i = 0; i < program->argc; i++) {
        lua_pushstring(L, program->argv[i]);
        lua_rawseti(L, -2, i + 1);
    }
}

/* The value on the top, out of Lua. */
static void keep_value(lua_State *L, HostValue *out) {
    out->type = lua_type(L, -1);
    out->truth = lua_toboolean(L, -1);
    out->number = lua_tonumber(L, -1);
    out->is_integer = lua_isinteger(L, -1);
    out->integer = out->is_integer ? lua_tointeger(L, -1) : 0;
    size_t length;
    const char *text = sandbox_tostring(L, -1, &length);
    out->text.count = 0;
    text_add_n(&out->text, text, length);
}

static int program_body(lua_State *L) {
    Program *program = lua_touserdata(L, 1);
    Scripts *scripts = scripts_of(L);
    lua_rawgeti(L, LUA_REGISTRYINDEX, scripts->running->env);
    push_arg_table(L, program);
    lua_setfield(L, 2, "arg");
    if (!script_compile(L, scripts, program->text, program->size, program->name))
        return lua_error(L);
    lua_pushvalue(L, 2);
    lua_setupvalue(L, -2, 1);
    luaL_checkstack(L, program->argc, "too many arguments");
    for (int i = 0; i < program->argc; i++)
        lua_pushstring(L, program->argv[i]);
    lua_call(L, program->argc, 1);
    if (program->value)
        keep_value(L, program->value);
    else if (lua_istable(L, -1)) {
        program->has_main = lua_getfield(L, -1, "main") == LUA_TFUNCTION;
        if (program->has_main)
            program->result = luaL_ref(L, LUA_REGISTRYINDEX);
    }
    return 0;
}

static int program_main_body(lua_State *L) {
    Program *program = lua_touserdata(L, 1);
    lua_rawgeti(L, LUA_REGISTRYINDEX, program->result);
    luaL_unref(L, LUA_REGISTRYINDEX, program->result);
    lua_rawgeti(L, LUA_REGISTRYINDEX, scripts_of(L)->running->env);
    lua_getfield(L, -1, "arg");
    lua_remove(L, -2);
    lua_call(L, 1, 0);
    return 0;
}

static bool program_run(Scripts *scripts, const char *path, Program *program, Error *error) {
    Version *version = program_version(scripts, path, error);
    if (!version)
        return false;
    bool good = host_run(scripts, version, "the program", program_body, program) &&
                (!program->has_main || host_run(scripts, version, "main", program_main_body, program));
    if (!good)
        host_error(scripts, error);
    return good;
}

bool scripts_run_file(Scripts *scripts, const char *path, int argc, const char *const *argv, Error *error) {
    FileBytes file;
    if (!file_read_disk(path, &file, error))
        return false;
    Text name = { 0 };
    text_format(&name, "@%s", path);
    Program program = { .text = (const char *)file.bytes, .size = file.size, .name = text_of(&name), .argc = argc, .argv = argv };
    bool good = program_run(scripts, path, &program, error);
    text_free(&name);
    file_free(&file);
    return good;
}

bool scripts_run_chunk(Scripts *scripts, const char *text, const char *name, int argc, const char *const *argv, Error *error) {
    Text chunk = { 0 };
    text_format(&chunk, "=%s", name);
    Program program = { .text = text, .size = strlen(text), .name = text_of(&chunk), .argc = argc, .argv = argv };
    bool good = program_run(scripts, name, &program, error);
    text_free(&chunk);
    return good;
}

bool host_run_chunk(Scripts *scripts, const char *text, size_t size, const char *name, HostValue *value, Error *error) {
    Program program = { .text = text, .size = size, .name = name, .value = value };
    return program_run(scripts, name + 1, &program, error);
}

/* A line that ends too early: Lua's message ends with <eof>. */
static bool is_incomplete(lua_State *L) {
    size_t length;
    const char *message = lua_tolstring(L, -1, &length);
    return length >= 5 && memcmp(message + length - 5, "<eof>", 5) == 0;
}

static int line_body(lua_State *L) {
    Program *line = lua_touserdata(L, 1);
    lua_pushfstring(L, "return %s", line->text);
    size_t size;
    const char *text = lua_tolstring(L, 2, &size);
    if (luaL_loadbufferx(L, text, size, line->name, "t") != LUA_OK) {
        lua_settop(L, 2);
        if (luaL_loadbufferx(L, line->text, line->size, line->name, "t") != LUA_OK) {
            line->incomplete = is_incomplete(L);
            if (line->incomplete)
                return 0;
            return lua_error(L);
        }
    }
    lua_rawgeti(L, LUA_REGISTRYINDEX, scripts_of(L)->running->env);
    lua_setupvalue(L, -2, 1);
    lua_call(L, 0, LUA_MULTRET);
    if (lua_gettop(L) > 2) {
        host_show(L, 3);
        lua_pushcfunction(L, sandbox_print);
        lua_insert(L, 3);
        lua_call(L, lua_gettop(L) - 3, 0);
    }
    return 0;
}

bool scripts_line(Scripts *scripts, const char *text, bool *more, Error *error) {
    *more = false;
    Version *version = program_version(scripts, "line", error);
    if (!version)
        return false;
    Program line = { .text = text, .size = strlen(text), .name = "=line" };
    if (!host_run(scripts, version, "the line", line_body, &line)) {
        host_error(scripts, error);
        return false;
    }
    *more = line.incomplete;
    return true;
}

size_t scripts_memory(const Scripts *scripts) { return scripts->used + scripts->charged; }
