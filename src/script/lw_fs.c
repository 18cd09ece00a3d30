/* script/lw_fs.c -- lw.fs: files of the search path to read, and the one writable folder to write to. */
#include "script/host_internal.h"

static int fs_read(lua_State *L) {
    const char *name = check_name(L, 1, "file");
    FileBytes file;
    Error error;
    if (!files_read(engine_of(L)->files, name, &file, &error))
        return push_failure(L, &error);
    /* The bytes go into Lua's memory; should that be too small they must not stay behind. */
    Scripts *scripts = scripts_of(L);
    if (scripts->used + scripts->charged + file.size + 1024 > scripts->limit) {
        file_free(&file);
        return luaL_error(L, "not enough memory");
    }
    lua_pushlstring(L, (const char *)file.bytes, file.size);
    file_free(&file);
    return 1;
}

static int fs_exists(lua_State *L) {
    lua_pushboolean(L, files_exists(engine_of(L)->files, check_name(L, 1, "file")));
    return 1;
}

static int fs_list(lua_State *L) {
    const char *folder = lua_isnoneornil(L, 1) ? "" : check_name(L, 1, "folder");
    const char *ending = lua_isnoneornil(L, 2) ? "" : check_name(L, 2, "ending");
    Arena **arena = script_object(L, "arena", sizeof *arena);
    *arena = arena_open();
    const char **names;
    int count = files_list(engine_of(L)->files, folder, ending, *arena, &names);
    lua_createtable(L, MIN(count, 1000), 0);
    for (int i = 0; i < count; i++) {
        lua_pushstring(L, names[i]);
        lua_rawseti(L, -2, i + 1);
    }
    arena_close(*arena);
    *arena = NULL;
    return 1;
}

static int fs_write(lua_State *L) {
    const char *name = check_name(L, 1, "file");
    if (lua_type(L, 2) != LUA_TSTRING)
        script_refuse(L, 2, "a text expected, got %s", luaL_typename(L, 2));
    size_t size;
    const char *bytes = lua_tolstring(L, 2, &size);
    Error error;
    if (!files_write(engine_of(L)->files, name, bytes, size, &error))
        return push_failure(L, &error);
    lua_pushboolean(L, true);
    return 1;
}

static int arena_collect(lua_State *L) {
    Arena **arena = lua_touserdata(L, 1);
    arena_close(*arena);
    *arena = NULL;
    return 0;
}

static void fs_open(lua_State *L) {
    static const luaL_Reg meta[] = { { "__gc", arena_collect }, { NULL, NULL } };
    script_class(L, "arena", NULL, meta);
}

static const ScriptFunction functions[] = {
    { "read", fs_read, "(name: string) -> string?, string?", "The bytes of a file on the search path; nil and why when there are none." },
    { "exists", fs_exists, "(name: string) -> boolean", "Whether a file is on the search path." },
    { "list", fs_list, "(folder?: string, ending?: string) -> string[]", "Names on the search path in a folder and below it, sorted." },
    { "write", fs_write, "(name: string, text: string) -> boolean?, string?", "Writes a file in the writable folder; nil and why when it cannot." },
    { NULL, NULL, NULL, NULL },
};

const ScriptModule lw_fs_module = {
    .name = "fs",
    .help = "Files: read from the search path (folders and archives, without case), written to one folder alone.",
    .functions = functions,
    .open = fs_open,
};
