/* app/window.h -- the window: what the user does in it, and the console that is let down over the scene. */
#ifndef LEAFWALK_WINDOW_H
#define LEAFWALK_WINDOW_H

#include "app/app.h"

typedef struct ConsoleView {
    bool open;
    bool quiet;                      /* shows nothing while it is closed: an error panel stands there */
    Text line;                       /* being typed */
    size_t cursor;                   /* a byte of it */
    int scroll;                      /* lines up from the newest */
    int recalled;                    /* how far back in the history; -1: the line is new */
    Text unsent;                     /* the new line, while older ones are looked at */
    void (*evaluate)(void *user, const char *lua);    /* runs what follows '=' in a line; may be NULL */
    void *user;
} ConsoleView;

void console_view_init(ConsoleView *view);
void console_view_free(ConsoleView *view);
/* A key or letters for the console while it is open. `control`: the Ctrl key is down. */
void console_view_key(ConsoleView *view, Engine *engine, const char *key, bool control);
void console_view_text(ConsoleView *view, const char *text);
/* Over the frame: the console where it is open, else the last lines printed, for a while. */
void console_view_draw(const ConsoleView *view, Engine *engine);

typedef struct Window {
    App *app;
    Engine *engine;
    ConsoleView console;
    unsigned generation;             /* of the map that the scripts know */
    unsigned vsync_version;
    bool focused;
} Window;

void window_default_keys(Console *console);
void window_input(Window *window, const InputEvent *event);

#endif
