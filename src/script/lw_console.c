/* script/lw_console.c -- lw.console: commands, variables and lines of the console.
 *
 * What a script registers belongs to its version: while that is only tried it is noted, and it goes when the version goes. */
#include <math.h>

#include "script/host_internal.h"

static Console *check_console(lua_State *L) {
    Console *console = engine_of(L)->console;
    if (!console)
        luaL_error(L, "'%s' needs a console, and this program has none", script_name_of(L));
    return console;
}

/* Names are words: no blanks, quotes or semicolons, which the console reads as something else. */
static const char *check_word(lua_State *L, int arg, const char *what) {
    const char *name = check_name(L, arg, what);
    if (!name[0] || strlen(name) > 63 || strpbrk(name, " \t\r\n\";$\\"))
        script_refuse(L, arg, "%s \"%s\" is no word", what, strlen(name) > 63 ? "(a long one)" : name);
    return name;
}

Version *check_registering(lua_State *L) {
    enum { MOST = 4096 };    /* what is registered stands outside of Lua's memory, so there is an end to it */
    Version *version = scripts_of(L)->running;
    if (!version)
        luaL_error(L, "'%s': no script is running", script_name_of(L));
    if (version->registrations.count >= MOST)
        luaL_error(L, "'%s': more than %d commands, variables and keys of one script", script_name_of(L), MOST);
    return version;
}

/* A text of some length that is kept: help, a value. */
static const char *check_kept(lua_State *L, int arg, const char *what) {
    enum { LONGEST = 4096 };
    const char *text = check_name(L, arg, what);
    if (strlen(text) > LONGEST)
        script_refuse(L, arg, "%s is longer than %d bytes", what, LONGEST);
    return text;
}

static void replace(char **slot, const char *text) {
    mem_free(*slot);
    *slot = host_text(text);
}

static int console_command_row(lua_State *L) {
    check_console(L);
    const char *name = check_word(L, 1, "command");
    if (!lua_isfunction(L, 2))
        script_refuse(L, 2, "a function expected, got %s", luaL_typename(L, 2));
    const char *help = lua_isnoneornil(L, 3) ? "" : check_kept(L, 3, "help");
    Version *version = check_registering(L);
    lua_settop(L, 3);
    lua_pushvalue(L, 2);
    int function = luaL_ref(L, LUA_REGISTRYINDEX);    /* the last thing that may raise */
    Registration *command = version_register(version, REGISTERED_COMMAND, name);
    luaL_unref(L, LUA_REGISTRYINDEX, command->function);
    command->function = function;
    replace(&command->text, help);
    registration_done(command);
    return 0;
}

int push_variable(lua_State *L, VarKind kind, const char *text, double number) {
    if (kind == VAR_NUMBER || (kind == VAR_CHOICE && text_whole_number(text, &number))) {
        if (number == floor(number) && fabs(number) < 1e15)
            lua_pushinteger(L, (lua_Integer)number);
        else
            lua_pushnumber(L, number);
    } else if (kind == VAR_FLAG) {
        lua_pushboolean(L, number != 0);
    } else {
        lua_pushstring(L, text);
    }
    return 1;
}

static const Var *check_defined(lua_State *L, const char *name) {
    Vars *vars = engine_of(L)->vars;
    const Var *var = var_find(vars, name);
    if (!var || !var->defined) {
        const Var *near = vars_nearest(vars, name);
        script_refuse(L, 1, "there is no variable \"%s\"%s%s%s", name, near ? "; \"" : "", near ? near->name : "", near ? "\" is near" : "");
    }
    return var;
}

static int console_variable_row(lua_State *L) {
    const char *name = check_word(L, 1, "variable");
    if (lua_isnone(L, 2)) {
        const Var *var = check_defined(L, name);
        return push_variable(L, var->kind, var->text, var->number);
    }
    const char *help = lua_isnoneornil(L, 3) ? "" : check_kept(L, 3, "help");
    Version *version = check_registering(L);
    VarKind kind = VAR_TEXT;
    Text initial = { 0 };
    switch (lua_type(L, 2)) {
        case LUA_TNUMBER: {
            double number = check_finite(L, 2);
            kind = VAR_NUMBER;
            text_add_number(&initial, number);
            break;
        }
        case LUA_TBOOLEAN:
            kind = VAR_FLAG;
            text_add(&initial, lua_toboolean(L, 2) ? "1" : "0");
            break;
        default: {
            const char *text = check_kept(L, 2, "default");
            text_add(&initial, text);
        }
    }
    const Var *known = var_find(engine_of(L)->vars, name);
    if (known && known->defined && !known->owner) {
        text_free(&initial);
        return script_refuse(L, 1, "variable \"%s\" is the program's own", name);
    }
    Registration *variable = version_register(version, REGISTERED_VARIABLE, name);
    replace(&variable->text, help);
    replace(&variable->initial, text_of(&initial));
    variable->var = kind;
    text_free(&initial);
    registration_done(variable);
    known = var_find(engine_of(L)->vars, name);
    return push_variable(L, known->kind, known->text, known->number);
}

static int console_set_row(lua_State *L) {
    const char *name = check_word(L, 1, "variable");
    check_defined(L, name);
    Error error;
    lua_settop(L, 2);
    if (lua_isboolean(L, 2))
        lua_pushstring(L, lua_toboolean(L, 2) ? "1" : "0");
    else
        luaL_tolstring(L, 2, NULL);
    lua_replace(L, 2);
    const char *text = check_kept(L, 2, "value");
    if (!var_set(engine_of(L)->vars, name, text, &error))
        return push_failure(L, &error);
    lua_pushboolean(L, true);
    return 1;
}

static int console_run_row(lua_State *L) {
    Console *console = check_console(L);
    Error error;
    if (!console_run(console, check_name(L, 1, "text"), &error))
        return push_failure(L, &error);
    lua_pushboolean(L, true);
    return 1;
}

static int console_print_row(lua_State *L) {
    Console *console = check_console(L);
    console_print(console, LOG_INFO, push_joined(L));
    return 0;
}

static const ScriptFunction functions[] = {
    { "command", console_command_row, "(name: string, run: function, help?: string)",
      "Adds a command; `run` gets its words as texts. The same name again replaces it." },
    { "variable", console_variable_row, "(name: string, default?: number|boolean|string, help?: string) -> number|boolean|string",
      "Adds a variable and gives its value; with the name alone, the value of any variable." },
    { "set", console_set_row, "(name: string, value: number|boolean|string) -> boolean?, string?",
      "Sets a variable; nil and why when the value is not allowed." },
    { "run", console_run_row, "(text: string) -> boolean?, string?", "Runs a line as if it were typed; nil and why when a word is unknown." },
    { "print", console_print_row, "(...: any)", "Prints a line on the console." },
    { NULL, NULL, NULL, NULL },
};

const ScriptModule lw_console_module = {
    .name = "console",
    .help = "Commands, variables and lines of the console.",
    .functions = functions,
};
