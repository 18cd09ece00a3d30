/* script/script.h -- Lua in the program: scripts that are loaded, called, reloaded and kept from harm.
 *
 * A Scripts host holds one Lua state with the table `lw` in it. Every script file has an environment of its own. What a
 * script does wrong never ends the program: the last good version keeps running and the error is shown. */
#ifndef LEAFWALK_SCRIPT_H
#define LEAFWALK_SCRIPT_H

#include "engine/engine.h"

typedef struct Scripts Scripts;

typedef struct ScriptsSetup {
    Engine *engine;
    bool trust;                      /* --trust: the whole of Lua's library */
    double budget;                   /* seconds a callback may take in Lua; 0: no limit */
    size_t memory;                   /* bytes that Lua may use; 0: 256 MiB */
    uint64_t seed;                   /* of math.random */
    bool flies;                      /* the player flies at first: in the window */
    bool print_to_stdout;            /* exec, repl, test; else print goes to the console */
    const char *const *module_folders; int module_folder_count;    /* where `require` looks after the script's own folder; copied */
    bool test;                       /* `leafwalk test`: lw.test is there */
} ScriptsSetup;

Scripts *scripts_open(const ScriptsSetup *setup, Error *error);
void     scripts_close(Scripts *scripts);

/* Scripts that stay: files that return a table of callbacks. A file that fails to load is kept and tried again when it
 * changes; false then, with the error (which the panel shows as well). */
bool scripts_add(Scripts *scripts, const char *path, Error *error);
/* A file of scripts/entities: it returns the behaviour of the entities named like it, or of its `classes`. */
bool scripts_add_behaviour(Scripts *scripts, const char *path);
bool scripts_drop(Scripts *scripts, const char *path);           /* unload and forget */
int  scripts_count(const Scripts *scripts);
void scripts_changed(Scripts *scripts, const char *path);        /* a watched file: reloads each script that uses it */
bool scripts_reload(Scripts *scripts, const char *path_or_null, Error *error);    /* now; NULL: all */

/* Callbacks, in the order the scripts were added. The input ones return true when a script kept it from others. */
void scripts_game(Scripts *scripts);                             /* begins the game of the level on screen, if it has not begun */
void scripts_map(Scripts *scripts);                              /* after engine_open_map */
void scripts_update(Scripts *scripts, double dt);
void scripts_draw(Scripts *scripts);                             /* into engine->frame */
void scripts_overlay(Scripts *scripts);                          /* and the error panel over it */
bool scripts_key(Scripts *scripts, const char *name, bool down);
bool scripts_text(Scripts *scripts, const char *text);           /* typed letters, for lw.ui.input */
bool scripts_mouse(Scripts *scripts, float dx, float dy);
bool scripts_wheel(Scripts *scripts, float notches);
void scripts_pointer(Scripts *scripts, float x, float y);        /* where the mouse is, for lw.ui's controls */
bool scripts_click(Scripts *scripts, int button, float x, float y, bool down);

/* Programs: `leafwalk exec` and its kin. The error text holds message and traceback. */
bool scripts_run_file(Scripts *scripts, const char *path, int argc, const char *const *argv, Error *error);
bool scripts_run_chunk(Scripts *scripts, const char *text, const char *name, int argc, const char *const *argv, Error *error);
/* One line of a conversation: tries it as an expression first and prints its values. *more: it is not complete yet. */
bool scripts_line(Scripts *scripts, const char *text, bool *more, Error *error);

/* What the panel shows; NULL: nothing wrong. */
const char *scripts_error(const Scripts *scripts);
void scripts_dismiss(Scripts *scripts);                          /* forgets the errors shown; they come again if they happen again */
size_t scripts_memory(const Scripts *scripts);

/* Documentation made from the binding rows: stubs (lw.lua …) for editors, and the reference page. */
bool scripts_write_stubs(Scripts *scripts, const char *folder, Error *error);
bool scripts_write_reference(Scripts *scripts, const char *path, Error *error);
/* What `help NAME` says of a function, field, module, method or callback ("vis.row", "lw.vis.row", "vis", "row:has",
 * "update"); false: no such name. The console asks it too. */
bool scripts_help(Scripts *scripts, const char *name, Text *out);

#endif
