/* app/window_input.c -- who gets what the user does: the console while it is open, then scripts, then bound keys. */
#include "app/window.h"

void window_default_keys(Console *console) {
    static const char *const keys[][2] = {
        { "w", "+forward" }, { "s", "+back" }, { "a", "+moveleft" }, { "d", "+moveright" },
        { "up", "+forward" }, { "down", "+back" }, { "space", "+moveup" }, { "c", "+movedown" }, { "left shift", "+speed" }, { "g", "walk" }, { "x", "noclip" },
        { "f1", "view lit" }, { "f2", "view texture" }, { "f3", "view lightmap" }, { "f4", "view cluster" },
        { "f5", "view face" }, { "f6", "view depth" }, { "f7", "view normal" }, { "f8", "view wire" },
        { "f9", "view overdraw" }, { "f10", "toggle r.overbright" }, { "f12", "screenshot" },
    };
    for (int i = 0; i < COUNT_OF(keys); i++)
        console_bind(console, keys[i][0], keys[i][1], NULL);
}

static void toggle_console(Window *window) {
    window->console.open = !window->console.open;
    if (window->console.open) {
        console_keys_up(window->engine->console);
        platform_grab_mouse(window->engine->platform, false);
    }
}

static void escape(Window *window) {
    if (window->console.open)
        toggle_console(window);
    else
        platform_grab_mouse(window->engine->platform, false);
}

static void key(Window *window, const InputEvent *event) {
    Engine *engine = window->engine;
    if (!event->down) {    /* released keys are told to all: somebody may wait for it */
        scripts_key(window->app->scripts, event->name, false);
        console_key(engine->console, event->name, false);
        return;
    }
    if (!strcmp(event->name, "`") && !event->repeat) {
        toggle_console(window);
        return;
    }
    if (window->console.open && strcmp(event->name, "escape") != 0) {
        bool control = platform_key_down(engine->platform, "left ctrl") || platform_key_down(engine->platform, "right ctrl");
        console_view_key(&window->console, engine, event->name, control);
        return;
    }
    if (event->repeat || (!window->console.open && scripts_key(window->app->scripts, event->name, true)))
        return;
    if (!strcmp(event->name, "escape") && !console_binding(engine->console, "escape"))
        escape(window);
    else
        console_key(engine->console, event->name, true);
}

static void button(Window *window, const InputEvent *event) {
    Engine *engine = window->engine;
    if (window->console.open && event->down)
        return;
    bool kept = scripts_click(window->app->scripts, event->button, event->x, event->y, event->down);
    if (kept && event->down)
        return;
    bool free_mouse = !platform_mouse_grabbed(engine->platform);
    if (event->button == 1 && free_mouse && engine_compare_click(engine, event->x, event->down))
        return;
    if (event->down && event->button == 1 && !platform_mouse_grabbed(engine->platform))
        platform_grab_mouse(engine->platform, true);
    else
        console_key(engine->console, event->name, event->down);
}

static void wheel(Window *window, const InputEvent *event) {
    if (window->console.open) {
        console_view_key(&window->console, window->engine, event->dy > 0 ? "pageup" : "pagedown", false);
        return;
    }
    if (scripts_wheel(window->app->scripts, event->dy))
        return;
    const char *name = event->dy > 0 ? "mwheelup" : "mwheeldown";
    if (console_key(window->engine->console, name, true))
        console_key(window->engine->console, name, false);
    else
        engine_wheel(window->engine, event->dy);
}

static void mouse(Window *window, const InputEvent *event) {
    if (!platform_mouse_grabbed(window->engine->platform))
        scripts_pointer(window->app->scripts, event->x, event->y);
    bool moved = event->dx != 0 || event->dy != 0;    /* being told where it stands is no motion */
    if (!moved || window->console.open || scripts_mouse(window->app->scripts, event->dx, event->dy))
        return;
    if (platform_mouse_grabbed(window->engine->platform))
        engine_mouse(window->engine, event->dx, event->dy);
}

/* A level opens, a script joins those that run. */
static void drop(Window *window, const char *path) {
    Engine *engine = window->engine;
    Error error;
    bool taken = text_ends_fold(path, ".lua") ? scripts_add(window->app->scripts, path, &error)
               : text_ends_fold(path, ".bsp") || text_ends_fold(path, ".map") ? engine_open_map(engine, path, &error)
               : fail(&error, "%s: what can be dropped here are levels (.bsp) and scripts (.lua)", path);
    if (taken)
        console_printf(engine->console, "%s", path);
    else
        console_print(engine->console, LOG_ERROR, error.text);
}

void window_input(Window *window, const InputEvent *event) {
    switch (event->kind) {
        case INPUT_KEY:
            key(window, event);
            break;
        case INPUT_TEXT:
            if (window->console.open)
                console_view_text(&window->console, event->text);
            else
                scripts_text(window->app->scripts, event->text);
            break;
        case INPUT_MOUSE:
            mouse(window, event);
            break;
        case INPUT_WHEEL:
            wheel(window, event);
            break;
        case INPUT_BUTTON:
            button(window, event);
            break;
        case INPUT_RESIZE:
            break;    /* each frame asks for the size */
        case INPUT_FOCUS:
            window->focused = event->down;
            if (!event->down)
                console_keys_up(window->engine->console);
            break;
        case INPUT_QUIT:
            window->engine->quit = true;
            break;
        case INPUT_DROP:
            drop(window, event->path);
            break;
    }
}
