/* base/vars.c -- a sorted table of variables. */
#include "base/vars.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/text.h"

struct Vars { ARRAY(Var *) list; };

static char *heap_text(const char *text) {
    size_t size = strlen(text) + 1;
    return memcpy(mem_alloc(size), text, size);
}

static void replace(char **slot, const char *text) {
    char *copy = text ? heap_text(text) : NULL;
    mem_free(*slot);
    *slot = copy;
}

Vars *vars_open(void) { return mem_zeroed(1, sizeof(Vars)); }

void vars_close(Vars *vars) {
    if (!vars)
        return;
    for (size_t i = 0; i < vars->list.count; i++) {
        Var *var = vars->list.at[i];
        mem_free(var->name);
        mem_free(var->help);
        mem_free(var->text);
        mem_free(var->initial);
        mem_free(var->choices);
        mem_free(var);
    }
    array_free(&vars->list);
    mem_free(vars);
}

static size_t place(const Vars *vars, const char *name, bool *found) {
    size_t low = 0, high = vars->list.count;
    *found = false;
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = text_compare_fold(vars->list.at[middle]->name, name);
        if (order == 0) {
            *found = true;
            return middle;
        }
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

Var *var_find(const Vars *vars, const char *name) {
    bool found;
    size_t at = place(vars, name, &found);
    return found ? vars->list.at[at] : NULL;
}

static Var *find_or_make(Vars *vars, const char *name) {
    bool found;
    size_t at = place(vars, name, &found);
    if (found)
        return vars->list.at[at];
    (void)array_push(&vars->list);
    memmove(vars->list.at + at + 1, vars->list.at + at, (vars->list.count - 1 - at) * sizeof *vars->list.at);
    Var *var = mem_zeroed(1, sizeof *var);
    var->name = heap_text(name);
    var->help = heap_text("");
    vars->list.at[at] = var;
    return var;
}

static int choice_place(const char *choices, const char *text) {
    size_t length = strlen(text);
    int place = 0;
    for (const char *at = choices; *at; place++) {
        size_t span = strcspn(at, "|");
        if (span == length && text_starts_fold(at, text))
            return place;
        at += span + (at[span] == '|');
    }
    return -1;
}

static bool flag_value(const char *text, double *number) {
    if (text_same(text, "true") || text_same(text, "on") || text_same(text, "yes"))
        *number = 1;
    else if (text_same(text, "false") || text_same(text, "off") || text_same(text, "no"))
        *number = 0;
    else if (text_whole_number(text, number))
        *number = *number != 0;
    else
        return false;
    return true;
}

/* What the text is worth as a number, or a refusal that says what is allowed. */
static bool read_value(const Var *var, const char *text, double *number, Error *error) {
    *number = 0;
    switch (var->kind) {
        case VAR_TEXT:
            text_whole_number(text, number);
            return true;
        case VAR_FLAG:
            return flag_value(text, number) || fail(error, "%s is 0 or 1, not \"%s\"", var->name, text);
        case VAR_CHOICE: {
            int at = choice_place(var->choices, text);
            *number = at;
            return at >= 0 || fail(error, "%s is one of %s, not \"%s\"", var->name, var->choices, text);
        }
        case VAR_NUMBER:
            if (!text_whole_number(text, number))
                return fail(error, "%s is a number, not \"%s\"", var->name, text);
            if (!(*number >= var->low && *number <= var->high) || (var->whole && *number != floor(*number)))
                return fail(error, "%s is a %snumber from %g to %g, not %s", var->name, var->whole ? "whole " : "", var->low, var->high, text);
            return true;
    }
    return false;
}

/* A choice as it is spelled in the list of them. */
static void spell_choice(Var *var, int number) {
    const char *at = var->choices;
    for (int i = 0; i < number; i++)
        at += strcspn(at, "|") + 1;
    memcpy(var->text, at, strlen(var->text));    /* as long: they differ in capitals alone */
}

static Var *define(Vars *vars, const char *name, VarKind kind, const char *initial, const char *choices, double low,
                   double high, const char *help) {
    Var *var = find_or_make(vars, name);
    var->kind = kind;
    var->low = low;
    var->high = high;
    var->defined = true;
    replace(&var->help, help);
    replace(&var->initial, initial);
    replace(&var->choices, choices);
    if (!var->text || !read_value(var, var->text, &var->number, NULL))
        var_reset(var);
    else if (kind == VAR_CHOICE)
        spell_choice(var, (int)var->number);
    return var;
}

static Var *define_number(Vars *vars, const char *name, double initial, double low, double high, bool whole, const char *help) {
    Text digits = { 0 };
    find_or_make(vars, name)->whole = whole;    /* before what it was set to is looked at */
    text_add_number(&digits, initial);
    Var *var = define(vars, name, VAR_NUMBER, text_of(&digits), NULL, low, high, help);
    text_free(&digits);
    return var;
}

Var *var_number(Vars *vars, const char *name, double initial, double low, double high, const char *help) {
    return define_number(vars, name, initial, low, high, false, help);
}

Var *var_count(Vars *vars, const char *name, int initial, int low, int high, const char *help) {
    return define_number(vars, name, initial, low, high, true, help);
}

Var *var_flag(Vars *vars, const char *name, bool initial, const char *help) {
    return define(vars, name, VAR_FLAG, initial ? "1" : "0", NULL, 0, 1, help);
}

Var *var_choice(Vars *vars, const char *name, const char *choices, const char *initial, const char *help) {
    return define(vars, name, VAR_CHOICE, initial, choices, 0, 0, help);
}

Var *var_text(Vars *vars, const char *name, const char *initial, const char *help) {
    return define(vars, name, VAR_TEXT, initial, NULL, 0, 0, help);
}

bool var_set(Vars *vars, const char *name, const char *text, Error *error) {
    Var *var = find_or_make(vars, name);
    double number;
    if (!read_value(var, text, &number, error))
        return false;
    if (var->text && strcmp(var->text, text) == 0)
        return true;
    replace(&var->text, text);
    if (var->kind == VAR_CHOICE)
        spell_choice(var, (int)number);
    var->number = number;
    var->version++;
    return true;
}

void var_reset(Var *var) {
    replace(&var->text, var->initial ? var->initial : "");
    read_value(var, var->text, &var->number, NULL);
    var->version++;
}

int vars_count(const Vars *vars) { return (int)vars->list.count; }

Var *vars_at(const Vars *vars, int index) { return vars->list.at[index]; }

const Var *vars_nearest(const Vars *vars, const char *name) {
    const Var *best = NULL;
    int least = 4;    /* more than three edits away is another word */
    for (size_t i = 0; i < vars->list.count; i++) {
        const Var *var = vars->list.at[i];
        int distance = var->defined ? text_distance(var->name, name) : least;
        if (distance < least) {
            least = distance;
            best = var;
        }
    }
    return best;
}
