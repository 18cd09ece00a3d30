/* script/lw_input.c -- lw.input: which keys are down, where the mouse is, what keys run. */
#include "script/host_internal.h"

static int input_down(lua_State *L) {
    const char *key = check_name(L, 1, "key");
    const Platform *platform = engine_of(L)->platform;
    lua_pushboolean(L, platform && platform_key_down(platform, key));
    return 1;
}

static int input_mouse(lua_State *L) {
    float x = 0, y = 0;
    if (engine_of(L)->platform)
        platform_mouse(engine_of(L)->platform, &x, &y);
    lua_pushnumber(L, x);
    lua_pushnumber(L, y);
    return 2;
}

static int input_bind(lua_State *L) {
    const char *key = check_name(L, 1, "key");
    const char *command = lua_isnoneornil(L, 2) ? NULL : check_name(L, 2, "command");
    Version *version = check_registering(L);
    if (!key[0] || strlen(key) > 31)
        script_refuse(L, 1, "\"%.40s\" is no key; keys are like \"v\", \"f1\", \"left shift\", \"mouse2\"", key);
    if (command && strlen(command) > 4096)
        script_refuse(L, 2, "a command of more than 4096 bytes");
    Registration *bind = version_register(version, REGISTERED_BIND, key);
    mem_free(bind->text);
    bind->text = host_text(command);
    registration_done(bind);
    return 0;
}

static const ScriptFunction functions[] = {
    { "down", input_down, "(key: string) -> boolean", "Whether a key is held (\"w\", \"space\", \"left shift\", \"mouse1\"); false without a window." },
    { "mouse", input_mouse, "() -> x: number, y: number", "Where the mouse is, in pixels from the top left; 0, 0 without a window." },
    { "bind", input_bind, "(key: string, command?: string)", "Lets a key run a line of the console (\"+forward\" while it is held); nil: nothing." },
    { NULL, NULL, NULL, NULL },
};

const ScriptModule lw_input_module = {
    .name = "input",
    .help = "Keys and the mouse. Without a window nothing is ever down.",
    .functions = functions,
};
