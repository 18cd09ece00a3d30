/* script/script_callbacks.c -- what the program calls in each script: the level, the frame, input; errors are counted there. */
#include <stdio.h>

#include "script/live.h"
#include "script/ui_internal.h"

enum { ERRORS_IN_A_ROW = 5 };

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
        host_do_what_was_asked(scripts);
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
