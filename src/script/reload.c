/* script/reload.c -- scripts and their versions: compiled, tried, put in the old one's place or thrown away.
 *
 * A new version runs beside the old one; what it registers is only noted. When its code has run, the old one's unload is
 * called, then its own load; if that raises too, the old one's load is called again and it goes on. Which files were
 * read, and their hashes, is noted even for a failed attempt: the change that mends it may be in any of them. */
#include "script/live.h"

/* Files in use */

void files_use(UsedFiles *files, const char *path, uint64_t hash) {
    for (size_t i = 0; i < files->count; i++) {
        if (strcmp(files->at[i].path, path) == 0) {
            files->at[i].hash = hash;
            return;
        }
    }
    *array_push(files) = (UsedFile){ host_text(path), hash };
}

void files_clear(UsedFiles *files) {
    for (size_t i = 0; i < files->count; i++)
        mem_free(files->at[i].path);
    array_free(files);
}

bool script_uses(const Script *script, const char *path) {
    for (size_t i = 0; i < script->tried.count; i++)
        if (strcmp(script->tried.at[i].path, path) == 0)
            return true;
    return false;
}

/* 0 stands for a file that is not there. */
static uint64_t hash_of(const FileBytes *file) { return bytes_hash(file->bytes, file->size) | 1; }

bool script_changed(const Script *script) {
    for (size_t i = 0; i < script->tried.count; i++) {
        FileBytes file;
        uint64_t hash = 0;
        if (file_read_disk(script->tried.at[i].path, &file, NULL)) {
            hash = hash_of(&file);
            file_free(&file);
        }
        if (hash != script->tried.at[i].hash)
            return true;
    }
    return script->tried.count == 0;
}

static void watch_file(const Scripts *scripts, const char *path) {
    if (scripts->engine->watch)
        watch_add(scripts->engine->watch, path);
}

/* Reads a file for a version and notes that it did. */
static bool read_for(Version *version, const char *path, FileBytes *out, Error *error) {
    bool there = file_read_disk(path, out, error);
    files_use(&version->files, path, there ? hash_of(out) : 0);
    watch_file(version->script->host, path);
    return there;
}

/* Scripts */

/* A path as messages show it: without the program's own data folder. */
static char *shown_path(const Scripts *scripts, const char *path) {
    const char *data = scripts->engine->setup.data_folder;
    size_t length = data ? strlen(data) : 0;
    if (length && strncmp(path, data, length) == 0 && path[length] == '/')
        path += length + 1;
    return host_text(path);
}

static char *folder_of(const char *path) {
    const char *slash = strrchr(path, '/');
    if (!slash)
        return host_text(".");
    char *folder = host_text(path);
    folder[slash == path ? 1 : slash - path] = 0;
    return folder;
}

Script *script_new(Scripts *scripts, const char *path) {
    Script *script = mem_zeroed(1, sizeof *script);
    script->host = scripts;
    script->path = host_text(path);
    script->folder = folder_of(path);
    script->shown = shown_path(scripts, path);
    script->state = LUA_NOREF;
    return script;
}

static bool used_by_another(const Script *script, const char *path) {
    const Scripts *scripts = script->host;
    for (size_t i = 0; i < scripts->list.count; i++)
        if (scripts->list.at[i] != script && script_uses(scripts->list.at[i], path))
            return true;
    return false;
}

void script_free(Script *script) {
    Scripts *scripts = script->host;
    if (script->version)
        version_close(script->version);
    for (size_t i = 0; scripts->engine->watch && i < script->tried.count; i++)
        if (!used_by_another(script, script->tried.at[i].path))
            watch_forget(scripts->engine->watch, script->tried.at[i].path);
    files_clear(&script->tried);
    troubles_forget(scripts, script);
    luaL_unref(scripts->L, LUA_REGISTRYINDEX, script->state);
    mem_free(script->path);
    mem_free(script->folder);
    mem_free(script->shown);
    mem_free(script);
}

/* Versions */

Version *version_new(Script *script) {
    Version *version = mem_zeroed(1, sizeof *version);
    version->script = script;
    version->env = version->callbacks = version->modules = version->threads = LUA_NOREF;
    return version;
}

int version_open(lua_State *L, Version *version) {
    Script *script = version->script;
    if (script->state == LUA_NOREF) {
        lua_newtable(L);
        script->state = luaL_ref(L, LUA_REGISTRYINDEX);
    }
    lua_newtable(L);
    version->modules = luaL_ref(L, LUA_REGISTRYINDEX);
    push_weak_table(L);
    version->threads = luaL_ref(L, LUA_REGISTRYINDEX);
    sandbox_environment(L, version);
    version->env = luaL_ref(L, LUA_REGISTRYINDEX);
    return 0;
}

/* Coroutines that wait are ended: their pending __close run. The list is copied first, for it may grow meanwhile. */
static int close_threads(lua_State *L) {
    Version *version = lua_touserdata(L, 1);
    lua_rawgeti(L, LUA_REGISTRYINDEX, version->threads);
    lua_newtable(L);
    int count = 0;
    lua_pushnil(L);
    while (lua_next(L, 2)) {
        lua_pop(L, 1);
        lua_pushvalue(L, -1);
        lua_rawseti(L, 3, ++count);
    }
    for (int i = 1; i <= count; i++) {
        lua_rawgeti(L, 3, i);
        lua_State *thread = lua_tothread(L, -1);
        if (thread && lua_status(thread) == LUA_YIELD)
            lua_resetthread(thread);
        lua_pop(L, 1);
    }
    return 0;
}

static void registration_free(Registration *registration) {
    luaL_unref(registration->of->script->host->L, LUA_REGISTRYINDEX, registration->function);
    mem_free(registration->name);
    mem_free(registration->text);
    mem_free(registration->initial);
    mem_free(registration);
}

static bool has_registration(const Version *version, RegistrationKind kind, const char *name) {
    for (size_t i = 0; version && i < version->registrations.count; i++)
        if (version->registrations.at[i]->kind == kind && text_same(version->registrations.at[i]->name, name))
            return true;
    return false;
}

/* Takes a variable out, unless the version that runs (another one, when this was only tried) has it too. Its value stays
 * for whoever defines it next. */
static void undefine(const Version *version, const Registration *registration) {
    Script *script = version->script;
    if (registration->kind != REGISTERED_VARIABLE)
        return;
    Var *var = var_find(script->host->engine->vars, registration->name);
    bool kept = script->version != version && has_registration(script->version, REGISTERED_VARIABLE, registration->name);
    if (var && var->owner == (const char *)script && !kept) {
        var->owner = NULL;
        var->defined = false;
    }
}

void version_close(Version *version) {
    Scripts *scripts = version->script->host;
    if (scripts->live)
        live_forget(scripts->live, version);
    if (version->live && scripts->engine->console)
        console_drop(scripts->engine->console, version->script);
    for (size_t i = 0; i < version->registrations.count; i++)
        undefine(version, version->registrations.at[i]);
    if (version->threads != LUA_NOREF)
        host_run(scripts, version, "closing coroutines", close_threads, version);
    for (size_t i = 0; i < version->registrations.count; i++)
        registration_free(version->registrations.at[i]);
    array_free(&version->registrations);
    const int references[] = { version->env, version->callbacks, version->modules, version->threads };
    for (int i = 0; i < COUNT_OF(references); i++)
        luaL_unref(scripts->L, LUA_REGISTRYINDEX, references[i]);
    files_clear(&version->files);
    mem_free(version);
}

/* Registrations */

typedef struct Command { Registration *registration; int argc; const char *const *argv; } Command;

static int command_body(lua_State *L) {
    const Command *command = lua_touserdata(L, 1);
    lua_rawgeti(L, LUA_REGISTRYINDEX, command->registration->function);
    luaL_checkstack(L, command->argc, "too many words in a command");
    for (int i = 1; i < command->argc; i++)
        lua_pushstring(L, command->argv[i]);
    lua_call(L, command->argc - 1, 0);
    return 0;
}

static void command_run(void *user, int argc, const char *const *argv) {
    Command command = { user, argc, argv };
    Version *version = command.registration->of;
    Script *script = version->script;
    Text what = { 0 };
    text_format(&what, "command %s of %s", command.registration->name, script->shown);
    if (!host_run(script->host, version, text_of(&what), command_body, &command))
        trouble_report(script->host, script, false);
    text_free(&what);
}

static void registration_apply(Registration *r) {
    Engine *engine = r->of->script->host->engine;
    const void *owner = r->of->script;
    Var *var = NULL;
    switch (r->kind) {
        case REGISTERED_COMMAND:
            if (engine->console)
                console_command(engine->console, (ConsoleCommand){
                    .name = r->name, .help = r->text, .run = command_run, .user = r, .owner = owner });
            return;
        case REGISTERED_BIND:
            if (engine->console)
                console_bind(engine->console, r->name, r->text, owner);
            return;
        case REGISTERED_VARIABLE:
            if (r->var == VAR_NUMBER)
                var = var_number(engine->vars, r->name, text_number(r->initial, NULL), -1e300, 1e300, r->text);
            else if (r->var == VAR_FLAG)
                var = var_flag(engine->vars, r->name, r->initial[0] == '1', r->text);
            else
                var = var_text(engine->vars, r->name, r->initial, r->text);
            var->owner = owner;
            return;
    }
}

Registration *version_register(Version *version, RegistrationKind kind, const char *name) {
    for (size_t i = 0; i < version->registrations.count; i++) {
        Registration *old = version->registrations.at[i];
        if (old->kind == kind && text_same(old->name, name))
            return old;
    }
    Registration *made = mem_zeroed(1, sizeof *made);
    made->of = version;
    made->kind = kind;
    made->name = host_text(name);
    made->function = LUA_NOREF;
    *array_push(&version->registrations) = made;
    return made;
}

/* A variable that nobody has yet is there at once, so that the code which is being tried can use it. */
void registration_done(Registration *registration) {
    bool apply = registration->of->live;
    if (registration->kind == REGISTERED_VARIABLE && !apply) {
        const Var *var = var_find(registration->of->script->host->engine->vars, registration->name);
        apply = !var || !var->defined;
    }
    if (apply)
        registration_apply(registration);
}

void script_commit(Script *script, Version *version) {
    Version *old = script->version;
    script->version = version;
    if (old)
        version_close(old);
    version->live = true;
    for (size_t i = 0; i < version->registrations.count; i++)
        registration_apply(version->registrations.at[i]);
}

/* Running a file */

bool script_compile(lua_State *L, const Scripts *scripts, const char *text, size_t size, const char *name) {
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
        text += 3;
        size -= 3;
    }
    if (size && text[0] == '#') {    /* "#!/usr/bin/env leafwalk": the line end stays, for the line numbers */
        const char *end = memchr(text, '\n', size);
        size_t line = end ? (size_t)(end - text) : size;
        text += line;
        size -= line;
    }
    return luaL_loadbufferx(L, text, size, name, scripts->setup.trust ? "bt" : "t") == LUA_OK;
}

/* Compiles, gives it the version's environment, leaves the function on the top; raises otherwise. */
static void push_chunk(lua_State *L, const Version *version, const FileBytes *file, const char *shown) {
    lua_pushfstring(L, "@%s", shown);
    bool good = script_compile(L, version->script->host, (const char *)file->bytes, file->size, lua_tostring(L, -1));
    lua_remove(L, -2);
    if (!good)
        lua_error(L);
    lua_rawgeti(L, LUA_REGISTRYINDEX, version->env);
    lua_setupvalue(L, -2, 1);
}

static void check_callbacks(lua_State *L, const char *shown) {
    if (!lua_istable(L, -1))
        luaL_error(L, "%s returns %s; a script returns a table of callbacks", shown, luaL_typename(L, -1));
    for (int i = 0; i < CALL_COUNT; i++) {
        int type = lua_getfield(L, -1, callback_name(i));
        if (type != LUA_TNIL && type != LUA_TFUNCTION)
            luaL_error(L, "%s: its '%s' is a %s; a callback is a function", shown, callback_name(i), luaL_typename(L, -1));
        lua_pop(L, 1);
    }
    if (lua_getfield(L, -1, "keys") == LUA_TTABLE) {
        lua_pushnil(L);
        while (lua_next(L, -2)) {
            if (lua_type(L, -2) != LUA_TSTRING)
                luaL_error(L, "%s: its 'keys' names keys by texts (keys = {v = \"toggle\"})", shown);
            const char *key = lua_tostring(L, -2);
            const char *action = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
            bool good = lua_isfunction(L, -1);
            if (action && !(good = strcmp(action, "toggle") == 0)) {
                good = lua_getfield(L, -4, action) == LUA_TFUNCTION;
                lua_pop(L, 1);
            }
            if (!good)
                luaL_error(L, "%s: keys.%s is %s, which is no function of the script", shown, key, action ? action : luaL_typename(L, -1));
            lua_pop(L, 1);
        }
    } else if (!lua_isnil(L, -1)) {
        luaL_error(L, "%s: its 'keys' is a %s; a table (keys = {v = \"toggle\"}) is expected", shown, luaL_typename(L, -1));
    }
    lua_pop(L, 1);
}

typedef struct Attempt { Version *version; const FileBytes *file; } Attempt;

static int attempt_body(lua_State *L) {
    const Attempt *attempt = lua_touserdata(L, 1);
    Version *version = attempt->version;
    version_open(L, version);
    push_chunk(L, version, attempt->file, version->script->shown);
    lua_call(L, 0, 1);
    check_callbacks(L, version->script->shown);
    version->callbacks = luaL_ref(L, LUA_REGISTRYINDEX);
    return 0;
}

static int push_state(lua_State *L, void *user) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, ((const Version *)user)->script->state);
    return 1;
}

static bool version_load(Version *version) {
    bool failed;
    version_call(version, CALL_LOAD, push_state, version, &failed);
    return !failed;
}

/* What the attempt read is what is looked at for changes from now on. */
static void note_files(Script *script, const Version *version) {
    for (size_t i = 0; script->host->engine->watch && i < script->tried.count; i++) {
        const char *path = script->tried.at[i].path;
        bool still = used_by_another(script, path);
        for (size_t j = 0; j < version->files.count && !still; j++)
            still = strcmp(version->files.at[j].path, path) == 0;
        if (!still)
            watch_forget(script->host->engine->watch, path);
    }
    files_clear(&script->tried);
    for (size_t i = 0; i < version->files.count; i++)
        files_use(&script->tried, version->files.at[i].path, version->files.at[i].hash);
}

static bool give_up(Script *script, Version *version, Error *error) {
    host_error(script->host, error);
    if (error && script->host->setup.print_to_stdout)
        trouble_note(script->host, script, true);    /* whoever asked tells it */
    else
        trouble_report(script->host, script, true);
    note_files(script, version);
    version_close(version);
    return false;
}

bool script_attempt(Script *script, Error *error) {
    Scripts *scripts = script->host;
    script->reload_wanted = false;
    Version *version = version_new(script);
    FileBytes file;
    Error unread;
    if (!read_for(version, script->path, &file, &unread)) {
        scripts->message.count = scripts->trace.count = 0;
        text_add(&scripts->message, unread.text);
        text_add(&scripts->trace, "");
        return give_up(script, version, error);
    }
    Text what = { 0 };
    text_format(&what, "the code of %s", script->shown);
    Attempt attempt = { version, &file };
    bool good = host_run(scripts, version, text_of(&what), attempt_body, &attempt);
    text_free(&what);
    file_free(&file);
    if (!good)
        return give_up(script, version, error);

    Version *old = script->version;
    if (old)
        version_call(old, CALL_UNLOAD, NULL, NULL, NULL);
    troubles_forget(scripts, script);
    if (!version_load(version)) {
        give_up(script, version, error);
        if (old && !version_load(old))
            trouble_report(scripts, script, false);
        else if (old)
            version_call_map(old);
        return false;
    }
    note_files(script, version);
    script_commit(script, version);
    if (script->behaviour)
        live_take(scripts->live, script);
    version_call_map(version);
    return true;
}

/* require */

static bool name_is_safe(const char *name) {
    if (!name[0] || name[0] == '/' || name[0] == '.' || strstr(name, ".."))
        return false;
    for (; *name; name++)
        if ((unsigned char)*name < 0x20 || *name == '\\' || *name == ':')
            return false;
    return true;
}

/* "a.b" is a/b.lua in the first folder that has it: the script's own, then the host's. */
static bool find_module(Version *version, const char *name, Text *path, Text *tried, FileBytes *out) {
    const Scripts *scripts = version->script->host;
    Text file = { 0 };
    for (const char *c = name; *c; c++)
        text_add_char(&file, *c == '.' ? '/' : *c);
    text_add(&file, ".lua");
    bool found = false;
    for (size_t i = 0; !found && i <= scripts->module_folders.count; i++) {
        const char *folder = i ? scripts->module_folders.at[i - 1] : version->script->folder;
        path->count = 0;
        text_format(path, "%s/%s", folder, text_of(&file));
        found = file_exists_disk(text_of(path)) && read_for(version, text_of(path), out, NULL);
        if (!found) {
            files_use(&version->files, text_of(path), 0);    /* it may come */
            watch_file(scripts, text_of(path));
            text_format(tried, "\n\tno file '%s'", text_of(path));
        }
    }
    text_free(&file);
    return found;
}

/* What is being required, as an object of Lua, so that it is freed whatever raises. */
typedef struct Module { Text path, tried; FileBytes file; } Module;

static int module_collect(lua_State *L) {
    Module *module = lua_touserdata(L, 1);
    text_free(&module->path);
    text_free(&module->tried);
    if (module->file.bytes)
        file_free(&module->file);
    memset(module, 0, sizeof *module);
    return 0;
}

void reload_open(lua_State *L) {
    static const luaL_Reg meta[] = { { "__gc", module_collect }, { NULL, NULL } };
    script_class(L, "module", NULL, meta);
}

static int plain_require(lua_State *L) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, scripts_of(L)->plain_require);
    lua_pushvalue(L, 1);
    lua_call(L, 1, 1);
    return 1;
}

int reload_require(lua_State *L) {
    Scripts *scripts = scripts_of(L);
    Version *version = scripts->running;
    size_t length;
    const char *name = luaL_checklstring(L, 1, &length);
    if (!version)
        return luaL_error(L, "require: no script is running");
    lua_settop(L, 1);
    lua_rawgeti(L, LUA_REGISTRYINDEX, version->modules);
    if (lua_getfield(L, 2, name) != LUA_TNIL) {
        if (lua_touserdata(L, -1) == version)
            return luaL_error(L, "module '%s' requires itself, or failed before", name);
        return 1;
    }
    if (strlen(name) != length || !name_is_safe(name))
        return luaL_error(L, "module '%s': a module's name is like \"colors\" or \"shapes.boxes\"", name);
    lua_settop(L, 2);
    Module *module = script_object(L, "module", sizeof *module);
    if (!find_module(version, name, &module->path, &module->tried, &module->file)) {
        if (scripts->setup.trust)    /* Lua's own folders: luaunit and others */
            return plain_require(L);
        return luaL_error(L, "module '%s' not found:%s", name, text_of(&module->tried));
    }
    lua_pushlightuserdata(L, version);    /* a mark while it runs */
    lua_setfield(L, 2, name);
    char *shown = shown_path(scripts, text_of(&module->path));
    lua_pushstring(L, shown);
    mem_free(shown);
    push_chunk(L, version, &module->file, lua_tostring(L, -1));
    lua_pushvalue(L, 1);
    lua_pushstring(L, text_of(&module->path));
    lua_call(L, 2, 1);
    if (lua_isnil(L, -1)) {
        lua_pop(L, 1);
        lua_pushboolean(L, true);
    }
    lua_pushvalue(L, -1);
    lua_setfield(L, 2, name);
    return 1;
}
