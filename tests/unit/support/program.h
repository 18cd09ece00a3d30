/* support/program.h -- the program without its window, for tests: an engine with a level, and a script host in it. */
#ifndef LEAFWALK_PROGRAM_H
#define LEAFWALK_PROGRAM_H

#include "script/script.h"

typedef struct Program {
    Vars *vars;
    Engine *engine;
    Scripts *scripts;
} Program;

/* `game`: NULL, or "openarena"; `map`: a level to open. Fails the test when something cannot be had. */
void program_open(Program *program, const char *game, const char *map, bool trust);
void program_close(Program *program);
int  program_setup(void **state);          /* for cmocka: *state is a Program in "rooms" */
int  program_teardown(void **state);
void program_run(Program *program, const char *lua);              /* a chunk; fails the test with its error */
void program_frame(Program *program, double seconds);             /* a frame of 640x360, drawn with the current renderer */

#endif
