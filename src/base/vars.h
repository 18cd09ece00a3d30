/* base/vars.h -- the console's variables: names with values that a user, a script or the program may set.
 *
 * The app owns the table and passes it down. A variable that is set before it is defined keeps its text until then, so
 * that the command line can name variables of scripts. Names compare without case. */
#ifndef LEAFWALK_VARS_H
#define LEAFWALK_VARS_H

#include <stdbool.h>

#include "base/error.h"

typedef struct Vars Vars;
typedef enum VarKind { VAR_TEXT, VAR_NUMBER, VAR_FLAG, VAR_CHOICE } VarKind;

typedef struct Var {
    char *name, *help, *text, *initial;
    char *choices;         /* VAR_CHOICE: "gl|soft|null"; else NULL */
    VarKind kind;
    double number;         /* of `text`; a flag is 0 or 1; a choice its place in `choices` */
    double low, high;      /* VAR_NUMBER only: what is allowed */
    bool whole;            /* VAR_NUMBER only: no fractions */
    unsigned version;      /* grows with each change */
    bool defined;          /* false: only set so far, on the command line say */
    const char *owner;     /* the script that defined it, NULL: the program; compared by pointer */
} Var;

Vars *vars_open(void);
void  vars_close(Vars *vars);

/* Defining twice replaces help and default but keeps a value that was set. The pointer stays valid until vars_close. */
Var *var_number(Vars *vars, const char *name, double initial, double low, double high, const char *help);
Var *var_count(Vars *vars, const char *name, int initial, int low, int high, const char *help);    /* a whole number */
Var *var_flag(Vars *vars, const char *name, bool initial, const char *help);
Var *var_choice(Vars *vars, const char *name, const char *choices, const char *initial, const char *help);
Var *var_text(Vars *vars, const char *name, const char *initial, const char *help);

Var *var_find(const Vars *vars, const char *name);                     /* NULL: neither defined nor set */
bool var_set(Vars *vars, const char *name, const char *text, Error *error);    /* false: the value is not allowed */
void var_reset(Var *var);
int  vars_count(const Vars *vars);
Var *vars_at(const Vars *vars, int index);                             /* in order of name */
const Var *vars_nearest(const Vars *vars, const char *name);           /* for "did you mean"; NULL: nothing near */

#endif
