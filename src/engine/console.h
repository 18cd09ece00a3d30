/* engine/console.h -- commands, key bindings and the lines that were printed.
 *
 * A line is `command arg arg; command …`: words split at blanks, "quotes" keep blanks, a leading '\' or '/' is allowed.
 * A word that is no command but a variable prints it, or sets it when a value follows. `+name` and `-name` are commands
 * of keys that are held: binding a key to "+forward" runs "+forward" when it goes down and "-forward" when it comes up. */
#ifndef LEAFWALK_CONSOLE_H
#define LEAFWALK_CONSOLE_H

#include "base/base.h"
#include "base/vars.h"

typedef struct Console Console;
typedef void ConsoleFunction(void *user, int argc, const char *const *argv);    /* argv[0] is the command */
typedef int ConsoleComplete(void *user, const char *start, Arena *arena, const char ***out);    /* candidates for its first argument */

typedef struct ConsoleCommand {
    const char *name, *help;
    ConsoleFunction *run;
    void *user;
    ConsoleComplete *complete;    /* may be NULL */
    const void *owner;            /* the script it belongs to, NULL: the program; registrations of one owner go together */
} ConsoleCommand;

Console *console_open(Vars *vars);                                    /* with the commands that need nothing but a console */
void console_close(Console *console);

void console_command(Console *console, ConsoleCommand command);       /* texts are copied; the same name again replaces it */
void console_drop(Console *console, const void *owner);               /* its commands and bindings */
bool console_run(Console *console, const char *text, Error *error);   /* false: an unknown word, with suggestions; the rest ran */
const ConsoleCommand *console_command_at(const Console *console, int index);    /* in order of name; NULL past the last */

void console_bind(Console *console, const char *key, const char *text, const void *owner);    /* text NULL or "": unbinds */
const char *console_binding(const Console *console, const char *key);                       /* NULL: none */
bool console_key(Console *console, const char *key, bool down);       /* runs what is bound; false: nothing is */

void console_keys_up(Console *console);                               /* as if every key that is down came up: the window lost its focus */

/* `help NAME` asks here about names that are neither commands nor variables (a function of a script, say): adds its text
 * to `out` and returns true, or false when it does not know the name. */
typedef bool ConsoleHelp(void *user, const char *name, Text *out);
void console_help_hook(Console *console, ConsoleHelp *help, void *user);

void console_print(Console *console, LogLevel level, const char *text);    /* lines; the newest 2000 are kept; any thread */
int  console_line_count(Console *console);
const char *console_line(Console *console, int from_newest, LogLevel *level, double *age_seconds);    /* lent */
Log  console_log(Console *console);                                    /* a Log that prints here */
void console_printf(Console *console, const char *format, ...) __attribute__((format(printf, 2, 3)));    /* at LOG_INFO */
void console_echo(Console *console, const Log *log);                  /* what is printed goes there as well; NULL: nowhere */
void console_clear(Console *console);                                  /* forgets the lines */

/* Tab: completes the word at the end of `text` (commands, variables, then a command's own). Returns the longest common
 * completion in `arena`; when there are several, they are printed. */
const char *console_complete(Console *console, const char *text, Arena *arena);
void console_history_add(Console *console, const char *text);
int  console_names(Console *console, const char *start, Arena *arena, const char ***out);    /* commands and variables that begin so, sorted */
const char *console_history(const Console *console, int from_newest);  /* NULL past the oldest */

#endif
