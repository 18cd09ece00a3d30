/* script/script.c -- the host: one Lua state, and the scripts in it.
 *
 * Everything that touches Lua runs inside host_run, a protected call under the budget, so that neither an error nor a
 * lack of memory gets past it. */
#include <stdio.h>

#include "script/filming.h"
#include "script/live.h"
#include "script/ui_internal.h"

enum { MEMORY_USUAL = 512 * 1024 * 1024 };    /* bytes: the largest picture takes half of it */

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

void host_do_what_was_asked(Scripts *scripts) {
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
