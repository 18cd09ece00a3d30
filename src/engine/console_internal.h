/* engine/console_internal.h -- what the files of the console share. */
#ifndef LEAFWALK_CONSOLE_INTERNAL_H
#define LEAFWALK_CONSOLE_INTERNAL_H

#include "base/lock.h"
#include "engine/console.h"

typedef struct Binding { char *key, *text; const void *owner; } Binding;
typedef struct Line { char *text; LogLevel level; double printed; } Line;

struct Console {
    Vars *vars;
    ARRAY(ConsoleCommand) commands;
    ARRAY(Binding) bindings;
    ARRAY(Binding) held;             /* keys that are down, with what they ran */
    ARRAY(char *) history;
    ConsoleHelp *help;
    void *help_user;
    int depth;                       /* of commands that run commands */

    Lock lock;                       /* of what follows: any thread prints */
    ARRAY(Line) fresh;               /* printed since the owner last looked */
    ARRAY(Line) lines;               /* the owner's: lent lines stay until it looks again */
    const Log *echo;
};

void console_lines_open(Console *console);
void console_lines_close(Console *console);
void console_base_commands(Console *console);
const ConsoleCommand *console_find(const Console *console, const char *name);    /* NULL: no such command */
void console_set(Console *console, const char *name, const char *value);         /* prints what was refused */

#endif
