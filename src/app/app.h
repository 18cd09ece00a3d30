/* app/app.h -- a run of the program: what was asked for, the engine that does it, the scripts in it.
 *
 * A command is a row in commands.c and a function in a file cmd_<name>.c that returns the exit status. */
#ifndef LEAFWALK_APP_H
#define LEAFWALK_APP_H

#include "app/options.h"
#include "engine/engine.h"
#include "script/script.h"

enum { STATUS_FINE = 0, STATUS_FAILED = 1, STATUS_USAGE = 2 };

typedef struct App {
    Options options;
    Vars *vars;
    Engine *engine;
    Scripts *scripts;
    Log log;                         /* to stderr, and to the console where a window shows it */
    LogLevel quiet_below;
    bool to_console;
    char *writable;
} App;

typedef struct Command {
    const char *name;
    const char *shape;               /* "MAP -o FILE.png [--origin X,Y,Z] ..." */
    const char *help;                /* one sentence */
    const char *example;
    int least_words, most_words;     /* beside the command's own name; -1: any number */
    const char *word;                /* what they are called, for messages: "MAP" */
    int (*run)(App *app);
} Command;

const Command *command_by_name(const char *name);    /* "" is the window; NULL: no such command */
const Command *command_at(int index);                /* NULL past the last; the window is the first */

/* The whole program. */
int app_main(int argc, const char *const *argv);

/* The engine with the search path and variables that the options ask for. `watch`: notice changes of files. False with
 * *status set: STATUS_USAGE where an option's value is wrong. */
bool app_open(App *app, bool watch, int *status);
void app_close(App *app);
/* The script host. `test`: trusted, with lw.test and no budget unless one was given. `folders`: more places where
 * `require` looks, NULL-ended; may be NULL. */
bool app_open_scripts(App *app, bool to_stdout, bool test, const char *const *folders);
/* Opens a level; says what went wrong. */
bool app_open_map(App *app, const char *map);
void app_set_fov(App *app);                         /* --fov, where it was given, for the eye */

/* The level that is opened where none was named: the game's, or our own small one. */
const char *app_default_map(const App *app);

/* One line "leafwalk: ..." on stderr; the status to return. */
int app_failed(const Error *error);
int app_refused(const char *format, ...) __attribute__((format(printf, 1, 2)));    /* a wrong word or option */
void app_say(const char *text);                      /* to stdout, as it is */

/* The words of the command, from 0; "" past the last. */
const char *app_word(const App *app, int index);

/* The view that --view names; false with *status set: no such view. */
bool app_shade(const App *app, Shade *out, int *status);
/* The rasterizer that --rasterizer names (gl; soft where there is no GL and nothing was named), opened. */
bool app_use_renderer(App *app, int *status);

int cmd_window(App *app);
int cmd_exec(App *app);
int cmd_repl(App *app);
int cmd_render(App *app);
int cmd_record(App *app);
int cmd_info(App *app);
int cmd_check(App *app);
int cmd_bench(App *app);
int cmd_test(App *app);

#endif
