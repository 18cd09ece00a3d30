/* script/script.c -- the host: one Lua state, the scripts in it, their callbacks.
 *
 * Everything that touches Lua runs inside host_run, a protected call under the budget, so that neither an error nor a
 * lack of memory gets past it. */
#include <stdio.h>

#include "script/filming.h"
#include "script/live.h"
#include "script/ui_internal.h"

enum { ERRORS_IN_A_ROW = 5, MEMORY_USUAL = 512 * 1024 * 1024 };    /* bytes: the largest picture takes half of it */

char *host_text(const char *text) {
    if (!text)
        return NULL;
    size_t size = strlen(text) + 1;
    return memcpy(mem_alloc(size), text, size);
}

const char *callback_name(int callback) {
    static const char *const names[CALL_COUNT] = {
        "load", "map", "update", "draw", "overlay", "key", "text", "mouse", "wheel", "click", "unload", "toggle",
    };
    return names[callback];
}

/* The error handler writes into C's memory, for Lua's may be spent. */

static void add_frame(lua_State *L, lua_Debug *ar, Text *out) {
    lua_getinfo(L, "Slnf", ar);
    bool c_function = strcmp(ar->what, "C") == 0;
    const char *name = ar->name;
    if (lua_tocfunction(L, -1) == binding_call && lua_getupvalue(L, -1, 2)) {
        name = lua_tostring(L, -1);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    if (c_function && !name)
        return;    /* the host's own */
    if (c_function)
        text_format(out, "\n\t[C]: in '%s'", name);
    else if (strcmp(ar->what, "main") == 0)
        text_format(out, "\n\t%s:%d: in the file's own code", ar->short_src, ar->currentline);
    else if (name)
        text_format(out, "\n\t%s:%d: in '%s'", ar->short_src, ar->currentline, name);
    else
        text_format(out, "\n\t%s:%d: in the function at line %d", ar->short_src, ar->currentline, ar->linedefined);
}

/* How many levels there are. Asking for one walks to it, so they are not asked one by one. */
static int stack_depth(lua_State *L) {
    lua_Debug ar;
    int there = 0, beyond = 1;
    while (lua_getstack(L, beyond, &ar)) {
        there = beyond;
        beyond *= 2;
    }
    while (beyond - there > 1) {
        int middle = there + (beyond - there) / 2;
        if (lua_getstack(L, middle, &ar))
            there = middle;
        else
            beyond = middle;
    }
    return beyond;
}

static void write_trace(lua_State *L, Text *out) {
    enum { FIRST = 10, LAST = 10 };    /* of a deep recursion the middle says nothing */
    lua_Debug ar;
    int depth = stack_depth(L);
    out->count = 0;
    text_add(out, "stack traceback:");
    size_t bare = out->count;
    for (int level = 1; level < depth && lua_getstack(L, level, &ar); level++) {
        if (level == FIRST + 1 && depth - level > LAST) {
            text_format(out, "\n\t... (%d more)", depth - level - LAST);
            level = depth - LAST;
            lua_getstack(L, level, &ar);
        }
        add_frame(L, &ar, out);
    }
    if (out->count == bare)
        out->count = 0;    /* a text that does not compile was called by nobody */
}

static void write_message(lua_State *L, int at, Text *out) {
    out->count = 0;
    if (lua_type(L, at) == LUA_TSTRING) {
        size_t length;
        const char *text = lua_tolstring(L, at, &length);
        text_add_n(out, text, strnlen(text, MIN(length, 4000)));
    } else if (lua_type(L, at) == LUA_TNUMBER) {
        text_format(out, "%.14g", lua_tonumber(L, at));
    } else {
        text_format(out, "(error object is a %s value)", luaL_typename(L, at));
    }
}

static int error_handler(lua_State *L) {
    Scripts *scripts = scripts_of(L);
    /* An error object that can say what it is does so, unless the time for it is over. */
    if (lua_type(L, 1) != LUA_TSTRING && !scripts->budget.exhausted && luaL_callmeta(L, 1, "__tostring"))
        lua_replace(L, 1);
    write_message(L, 1, &scripts->message);
    write_trace(L, &scripts->trace);
    return 1;
}

bool host_run(Scripts *scripts, Version *version, const char *what, lua_CFunction body, void *user) {
    lua_State *L = scripts->L;
    Version *before = scripts->running;
    const char *what_before = scripts->what;
    double start = sandbox_clock(), nested = scripts->budget.nested;
    bool outermost = scripts->depth == 0;
    if (outermost)
        sandbox_budget_start(scripts);
    scripts->depth++;
    scripts->running = version;
    scripts->what = what;
    scripts->message.count = scripts->trace.count = 0;

    int status = LUA_ERRMEM;
    if (lua_checkstack(L, LUA_MINSTACK)) {
        lua_pushcfunction(L, error_handler);
        lua_pushcfunction(L, body);
        lua_pushlightuserdata(L, user);
        status = lua_pcall(L, 1, 0, -3);
        if (status != LUA_OK) {
            if (status != LUA_ERRRUN || !scripts->message.count) {    /* no memory, or the handler failed */
                write_message(L, -1, &scripts->message);
                scripts->trace.count = 0;
            }
            lua_pop(L, 1);
        }
        lua_pop(L, 1);
        if (status == LUA_ERRMEM)
            lua_gc(L, LUA_GCCOLLECT);
    } else {
        text_add(&scripts->message, "not enough memory");
    }

    scripts->what = what_before;
    scripts->running = before;
    scripts->depth--;
    if (outermost)
        sandbox_budget_end(scripts);
    else
        scripts->budget.nested = nested + sandbox_clock() - start;
    return status == LUA_OK;
}

int script_call_back(lua_State *L, int arguments, int results) {
    Scripts *scripts = scripts_of(L);
    double start = sandbox_clock();
    int status = lua_pcall(L, arguments, results, 0);
    scripts->budget.nested += sandbox_clock() - start;
    return status;
}

void host_error(const Scripts *scripts, Error *error) {
    if (!error)
        return;
    fail(error, "%s%s%s", text_of(&scripts->message), scripts->trace.count ? "\n" : "",
         scripts->trace.count ? text_of(&scripts->trace) : "");
}

/* Opening and closing */

static int open_body(lua_State *L) {
    Scripts *scripts = lua_touserdata(L, 1);
    sandbox_open(L, scripts);
    modules_open(L, scripts);
    reload_open(L);
    return 0;
}

static int last_words(lua_State *L) {
    fprintf(stderr, "leafwalk: an error outside of any protection: %s\n", lua_tostring(L, -1));
    return 0;    /* Lua aborts: this is a fault of the program */
}

static bool help(void *user, const char *name, Text *out) { return scripts_help(user, name, out); }

static void add_module_folder(Scripts *scripts, const char *folder) {
    for (size_t i = 0; i < scripts->module_folders.count; i++)
        if (strcmp(scripts->module_folders.at[i], folder) == 0)
            return;
    *array_push(&scripts->module_folders) = host_text(folder);
}

/* The program's own folders of modules, then those of the setup. */
static void note_module_folders(Scripts *scripts, const ScriptsSetup *setup) {
    static const char *const own[] = { "scripts/lib", "scripts" };
    for (int i = 0; i < COUNT_OF(own); i++) {
        Text folder = { 0 };
        text_format(&folder, "%s/%s", scripts->engine->setup.data_folder, own[i]);
        add_module_folder(scripts, text_of(&folder));
        text_free(&folder);
    }
    for (int i = 0; i < setup->module_folder_count; i++)
        add_module_folder(scripts, setup->module_folders[i]);
    scripts->setup.module_folders = NULL;    /* theirs may be gone soon */
    scripts->setup.module_folder_count = 0;
}

Scripts *host_open(const ScriptsSetup *setup, bool inner, Error *error) {
    Scripts *scripts = mem_zeroed(1, sizeof *scripts);
    scripts->engine = setup->engine;
    scripts->setup = *setup;
    scripts->inner = inner;
    note_module_folders(scripts, setup);
    scripts->limit = setup->memory ? setup->memory : MEMORY_USUAL;
    scripts->L = lua_newstate(sandbox_allocate, scripts);
    if (!scripts->L) {
        scripts_close(scripts);
        fail(error, "Lua does not start within %zu bytes", setup->memory ? setup->memory : MEMORY_USUAL);
        return NULL;
    }
    lua_atpanic(scripts->L, last_words);
    *(Scripts **)lua_getextraspace(scripts->L) = scripts;
    if (!host_run(scripts, NULL, "the opening of Lua", open_body, scripts)) {
        host_error(scripts, error);
        scripts_close(scripts);
        return NULL;
    }
    if (!inner) {
        console_help_hook(scripts->engine->console, help, scripts);
        host_commands_open(scripts);
        docs_open(scripts);
        scripts->live = live_open(scripts);
        if (scripts->engine->current)
            live_map(scripts->live);
    }
    return scripts;
}

Scripts *scripts_open(const ScriptsSetup *setup, Error *error) { return host_open(setup, false, error); }

static void drop(Scripts *scripts, size_t at) {
    Script *script = scripts->list.at[at];
    if (script->version)
        version_call(script->version, CALL_UNLOAD, NULL, NULL, NULL);
    memmove(scripts->list.at + at, scripts->list.at + at + 1, (scripts->list.count - at - 1) * sizeof *scripts->list.at);
    scripts->list.count--;
    script_free(script);
}

void scripts_close(Scripts *scripts) {
    if (!scripts)
        return;
    Error error;
    if (scripts->filming && !filming_close(scripts->filming, &error))    /* what was filmed is a film */
        log_error(scripts->engine->log, "%s", error.text);
    while (scripts->list.count)
        drop(scripts, scripts->list.count - 1);
    if (scripts->program)
        script_free(scripts->program);
    live_close(scripts->live);
    scripts->live = NULL;
    if (!scripts->inner && scripts->engine->console) {
        console_help_hook(scripts->engine->console, NULL, NULL);
        console_drop(scripts->engine->console, scripts);
    }
    if (scripts->L)
        lua_close(scripts->L);    /* closes the maps that objects hold */
    for (size_t i = 0; i < scripts->maps.count; i++)
        if (scripts->maps.at[i].level)
            engine_close_level(scripts->engine, scripts->maps.at[i].level);
    array_free(&scripts->maps);
    array_free(&scripts->list);
    for (size_t i = 0; i < scripts->module_folders.count; i++)
        mem_free(scripts->module_folders.at[i]);
    array_free(&scripts->module_folders);
    troubles_forget(scripts, NULL);
    array_free(&scripts->troubles);
    text_free(&scripts->shown);
    text_free(&scripts->message);
    text_free(&scripts->trace);
    mem_free(scripts);
}

/* The list of scripts */

static Script *find(const Scripts *scripts, const char *path) {
    for (size_t i = 0; i < scripts->list.count; i++)
        if (strcmp(scripts->list.at[i]->path, path) == 0 || strcmp(scripts->list.at[i]->shown, path) == 0)
            return scripts->list.at[i];
    return NULL;
}

/* While a script runs its version must stay: what it asks for then is done before the next update. */
static bool load_or_reload(Script *script, Error *error) {
    if (script->host->depth) {
        script->reload_wanted = true;
        return true;
    }
    return script_attempt(script, error);
}

bool scripts_add(Scripts *scripts, const char *path, Error *error) {
    Script *script = find(scripts, path);
    if (!script) {
        script = script_new(scripts, path);
        *array_push(&scripts->list) = script;
    }
    script->drop_wanted = false;
    return load_or_reload(script, error);
}

bool scripts_drop(Scripts *scripts, const char *path) {
    Script *script = find(scripts, path);
    if (!script)
        return false;
    if (scripts->depth) {
        script->drop_wanted = true;
        return true;
    }
    for (size_t i = 0; i < scripts->list.count; i++) {
        if (scripts->list.at[i] == script) {
            drop(scripts, i);
            break;
        }
    }
    return true;
}

bool scripts_add_behaviour(Scripts *scripts, const char *path) {
    Script *script = find(scripts, path);
    if (!script) {
        script = script_new(scripts, path);
        script->behaviour = true;
        *array_push(&scripts->list) = script;
    }
    return script_attempt(script, NULL);
}

int scripts_count(const Scripts *scripts) { return (int)scripts->list.count; }

void scripts_changed(Scripts *scripts, const char *path) {
    for (size_t i = 0; i < scripts->list.count; i++) {
        Script *script = scripts->list.at[i];
        if (script_uses(script, path) && script_changed(script))
            load_or_reload(script, NULL);
    }
    if (scripts->live && !find(scripts, path))
        live_file(scripts->live, path);
}

bool scripts_reload(Scripts *scripts, const char *path, Error *error) {
    bool good = true;
    bool any = false;
    for (size_t i = 0; i < scripts->list.count; i++) {
        Script *script = scripts->list.at[i];
        if (path && script != find(scripts, path))
            continue;
        any = true;
        good = load_or_reload(script, good ? error : NULL) && good;
    }
    return any || !path ? good : fail(error, "%s: no such script runs", path);
}

static void do_what_was_asked(Scripts *scripts) {
    for (size_t i = 0; i < scripts->list.count;) {
        Script *script = scripts->list.at[i];
        if (script->drop_wanted) {
            drop(scripts, i);
            continue;
        }
        if (script->reload_wanted)
            script_attempt(script, NULL);
        i++;
    }
}

/* Callbacks */

typedef struct Call {
    Version *version;
    const char *name;
    int (*push)(lua_State *L, void *user);
    void *user;
    bool kept;
} Call;

static int call_body(lua_State *L) {
    Call *call = lua_touserdata(L, 1);
    lua_rawgeti(L, LUA_REGISTRYINDEX, call->version->callbacks);
    if (lua_getfield(L, -1, call->name) == LUA_TNIL)
        return 0;
    int count = call->push ? call->push(L, call->user) : 0;
    lua_call(L, count, 1);
    call->kept = lua_toboolean(L, -1);
    return 0;
}

bool version_call(Version *version, Callback callback, int (*push)(lua_State *L, void *user), void *user, bool *failed) {
    Script *script = version->script;
    Scripts *scripts = script->host;
    if (failed)
        *failed = false;
    if (version->stopped[callback])
        return false;
    char what[256];
    snprintf(what, sizeof what, "%s of %s", callback_name(callback), script->shown);
    Call call = { version, callback_name(callback), push, user, false };
    if (host_run(scripts, version, what, call_body, &call)) {
        version->failures[callback] = 0;
        return call.kept;
    }
    if (failed) {
        *failed = true;    /* the caller reports */
        return false;
    }
    if (++version->failures[callback] >= ERRORS_IN_A_ROW) {
        version->stopped[callback] = true;
        log_warn(scripts->engine->log, "%s: %s is stopped after %d errors in a row, until the script is reloaded",
                 script->shown, callback_name(callback), ERRORS_IN_A_ROW);
    }
    trouble_report(scripts, script, false);
    return false;
}

static bool runs(const Script *script) { return script->version && !script->drop_wanted && !script->behaviour; }

/* Each script in turn, until one keeps it. */
static bool call_each(Scripts *scripts, Callback callback, int (*push)(lua_State *L, void *user), void *user, bool until_kept) {
    bool kept = false;
    for (size_t i = 0; i < scripts->list.count && !(kept && until_kept); i++)
        if (runs(scripts->list.at[i]))
            kept = version_call(scripts->list.at[i]->version, callback, push, user, NULL) || kept;
    return kept;
}

static int push_map_name(lua_State *L, void *user) {
    lua_pushstring(L, ((const Engine *)user)->current->map->name);
    return 1;
}

void version_call_map(Version *version) {
    Engine *engine = version->script->host->engine;
    if (engine->current)
        version_call(version, CALL_MAP, push_map_name, engine, NULL);
}

void scripts_game(Scripts *scripts) {
    if (scripts->live)
        live_map(scripts->live);
}

void scripts_map(Scripts *scripts) {
    scripts_game(scripts);
    for (size_t i = 0; i < scripts->list.count; i++)
        if (runs(scripts->list.at[i]))
            version_call_map(scripts->list.at[i]->version);
}

static int push_number(lua_State *L, void *user) {
    lua_pushnumber(L, *(const double *)user);
    return 1;
}

void scripts_update(Scripts *scripts, double dt) {
    if (scripts->depth == 0)
        do_what_was_asked(scripts);
    call_each(scripts, CALL_UPDATE, push_number, &dt, false);
}

void push_view(lua_State *L, const View *view) {
    lua_createtable(L, 0, 8);
    set_vec3(L, "origin", view->origin);
    set_vec3(L, "angles", view->angles);
    set_vec3(L, "forward", view->axes.forward);
    set_vec3(L, "right", view->axes.right);
    set_vec3(L, "up", view->axes.up);
    set_number(L, "fov", view->fov_x);
    set_integer(L, "cluster", view->cluster);
    set_integer(L, "leaf", view->leaf);
}

static int push_shown_view(lua_State *L, void *user) {
    push_view(L, user);
    return 1;
}

static void call_shown(Scripts *scripts, Callback callback, int (*push)(lua_State *L, void *user), void *user) {
    for (size_t i = 0; i < scripts->list.count; i++)
        if (runs(scripts->list.at[i]) && !scripts->list.at[i]->hidden)
            version_call(scripts->list.at[i]->version, callback, push, user, NULL);
}

void scripts_draw(Scripts *scripts) {
    if (scripts->live)
        live_draw(scripts->live);
    call_shown(scripts, CALL_DRAW, push_shown_view, &scripts->engine->frame.view);
}

static int push_size(lua_State *L, void *user) {
    const View *view = user;
    lua_pushinteger(L, view->width);
    lua_pushinteger(L, view->height);
    return 2;
}

void scripts_overlay(Scripts *scripts) {
    call_shown(scripts, CALL_OVERLAY, push_size, &scripts->engine->frame.view);
    panel_draw(scripts);
}

/* Input */

typedef struct Key { const char *name; bool down; } Key;

static int push_key(lua_State *L, void *user) {
    const Key *key = user;
    lua_pushstring(L, key->name);
    lua_pushboolean(L, key->down);
    return 2;
}

typedef struct KeyAction { Version *version; const char *name; bool bound, toggle; } KeyAction;

/* What `keys` says about a key: a function, the name of one, or "toggle", which every script has. */
static int key_action_body(lua_State *L) {
    KeyAction *action = lua_touserdata(L, 1);
    lua_rawgeti(L, LUA_REGISTRYINDEX, action->version->callbacks);
    if (lua_getfield(L, 2, "keys") != LUA_TTABLE)
        return 0;
    int type = lua_getfield(L, 3, action->name);
    if (type == LUA_TNIL)
        return 0;
    action->bound = true;
    if (type == LUA_TSTRING) {
        bool toggle = strcmp(lua_tostring(L, 4), "toggle") == 0;
        lua_pushvalue(L, 4);
        if (lua_gettable(L, 2) == LUA_TNIL && toggle) {
            action->toggle = true;
            return 0;
        }
    }
    lua_pushvalue(L, 2);
    lua_call(L, 1, 0);
    return 0;
}

static bool key_action(Script *script, const char *name) {
    char what[256];
    snprintf(what, sizeof what, "key %s of %s", name, script->shown);
    KeyAction action = { script->version, name, false, false };
    if (!host_run(script->host, script->version, what, key_action_body, &action))
        trouble_report(script->host, script, false);
    if (action.toggle)
        script->hidden = !script->hidden;
    return action.bound;
}

bool scripts_key(Scripts *scripts, const char *name, bool down) {
    if (ui_key(scripts->L, name, down))
        return true;
    Key key = { name, down };
    if (call_each(scripts, CALL_KEY, push_key, &key, true))
        return true;
    bool kept = false;
    for (size_t i = 0; down && i < scripts->list.count; i++)
        if (runs(scripts->list.at[i]))
            kept = key_action(scripts->list.at[i], name) || kept;
    return kept;
}

static int push_text(lua_State *L, void *user) {
    lua_pushstring(L, user);
    return 1;
}

bool scripts_text(Scripts *scripts, const char *text) {
    if (ui_text_typed(scripts->L, text))
        return true;
    return call_each(scripts, CALL_TEXT, push_text, (void *)text, true);
}

static int push_pair(lua_State *L, void *user) {
    const float *pair = user;
    lua_pushnumber(L, pair[0]);
    lua_pushnumber(L, pair[1]);
    return 2;
}

bool scripts_mouse(Scripts *scripts, float dx, float dy) {
    return call_each(scripts, CALL_MOUSE, push_pair, (float[2]){ dx, dy }, true);
}

bool scripts_wheel(Scripts *scripts, float notches) {
    double n = notches;
    return call_each(scripts, CALL_WHEEL, push_number, &n, true);
}

typedef struct Click { int button; float x, y; bool down; } Click;

static int push_click(lua_State *L, void *user) {
    const Click *click = user;
    lua_pushinteger(L, click->button);
    lua_pushnumber(L, click->x);
    lua_pushnumber(L, click->y);
    lua_pushboolean(L, click->down);
    return 4;
}

void scripts_pointer(Scripts *scripts, float x, float y) { ui_pointer(scripts->L, x, y); }

bool scripts_click(Scripts *scripts, int button, float x, float y, bool down) {
    if (ui_click(scripts->L, button, x, y, down))
        return true;
    Click click = { button, x, y, down };
    return call_each(scripts, CALL_CLICK, push_click, &click, true);
}

/* Programs: exec, repl, -e. They share one environment, that of the host's `program`. */

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
