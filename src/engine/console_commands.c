/* engine/console_commands.c -- the commands that need nothing but a console. */
#include <stdio.h>

#include "engine/console_internal.h"

static void command_echo(void *user, int argc, const char *const *argv) {
    Text line = { 0 };
    for (int i = 1; i < argc; i++) {
        text_add(&line, i > 1 ? " " : "");
        text_add(&line, argv[i]);
    }
    console_print(user, LOG_INFO, text_of(&line));
    text_free(&line);
}

static bool usage(Console *console, int argc, int least, const char *shape) {
    if (argc < least)
        console_printf(console, "usage: %s", shape);
    return argc >= least;
}

static void command_help(void *user, int argc, const char *const *argv) {
    Console *console = user;
    if (argc < 2) {
        console_print(console, LOG_INFO, "help NAME explains a command, a variable or a script function (help vis.row); "
                                         "cmdlist and varlist name what there is; Tab completes; = LUA runs Lua");
        return;
    }
    const ConsoleCommand *command = console_find(console, argv[1]);
    const Var *var = var_find(console->vars, argv[1]);
    Text text = { 0 };
    if (command)
        text_format(&text, "%s: %s\n", command->name, command->help);
    if (var) {
        text_format(&text, "%s is \"%s\" (default \"%s\"): %s\n", var->name, var->text, var->initial ? var->initial : "",
                    var->help);
        if (var->kind == VAR_NUMBER)
            text_format(&text, "  a number from %g to %g\n", var->low, var->high);
        else if (var->kind == VAR_CHOICE)
            text_format(&text, "  one of %s\n", var->choices);
    }
    bool known = console->help && console->help(console->help_user, argv[1], &text);
    if (known || command || var)
        console_print(console, LOG_INFO, text_of(&text));
    else
        console_printf(console, "nothing is called \"%s\"", argv[1]);
    text_free(&text);
}

static void command_cmdlist(void *user, int argc, const char *const *argv) {
    Console *console = user;
    const ConsoleCommand *command;
    int shown = 0;
    for (int i = 0; (command = console_command_at(console, i)); i++) {
        if (argc > 1 && !text_starts_fold(command->name, argv[1]))
            continue;
        console_printf(console, "%-18s %s", command->name, command->help);
        shown++;
    }
    console_printf(console, "%d commands", shown);
}

static void command_varlist(void *user, int argc, const char *const *argv) {
    Console *console = user;
    int shown = 0;
    for (int i = 0; i < vars_count(console->vars); i++) {
        const Var *var = vars_at(console->vars, i);
        if (argc > 1 && !text_starts_fold(var->name, argv[1]))
            continue;
        console_printf(console, "%-18s %-10s %s", var->name, var->text, var->help);
        shown++;
    }
    console_printf(console, "%d variables", shown);
}

static void command_set(void *user, int argc, const char *const *argv) {
    if (usage(user, argc, 3, "set NAME VALUE"))
        console_set(user, argv[1], argv[2]);
}

static Var *named_var(Console *console, const char *name) {
    Var *var = var_find(console->vars, name);
    if (!var)
        console_printf(console, "no variable is called \"%s\"", name);
    return var;
}

static void command_reset(void *user, int argc, const char *const *argv) {
    Var *var = usage(user, argc, 2, "reset NAME") ? named_var(user, argv[1]) : NULL;
    if (var)
        var_reset(var);
}

/* The choice after the one that is set, around the end. */
static void next_choice(Console *console, const Var *var) {
    const char *at = var->choices;
    for (int i = 0; i <= (int)var->number && *at; i++) {
        at += strcspn(at, "|");
        at += *at == '|';
    }
    if (!*at)
        at = var->choices;
    Text choice = { 0 };
    text_add_n(&choice, at, strcspn(at, "|"));
    console_set(console, var->name, text_of(&choice));
    text_free(&choice);
}

static void command_toggle(void *user, int argc, const char *const *argv) {
    Console *console = user;
    Var *var = usage(console, argc, 2, "toggle NAME [VALUE ...]") ? named_var(console, argv[1]) : NULL;
    if (!var)
        return;
    if (argc > 2) {    /* the value after the one that is set */
        int at = 2;
        while (at < argc && !text_same(argv[at], var->text))
            at++;
        console_set(console, argv[1], argv[at + 1 < argc ? at + 1 : 2]);
    } else if (var->kind == VAR_CHOICE) {
        next_choice(console, var);
    } else {
        console_set(console, argv[1], var->number != 0 ? "0" : "1");
    }
    console_printf(console, "%s is \"%s\"", var->name, var->text);
}

static void command_bind(void *user, int argc, const char *const *argv) {
    Console *console = user;
    if (!usage(console, argc, 2, "bind KEY [COMMAND]"))
        return;
    if (argc == 2) {
        const char *text = console_binding(console, argv[1]);
        if (text)
            console_printf(console, "%s runs \"%s\"", argv[1], text);
        else
            console_printf(console, "%s runs nothing", argv[1]);
        return;
    }
    Text text = { 0 };
    for (int i = 2; i < argc; i++) {
        text_add(&text, i > 2 ? " " : "");
        text_add(&text, argv[i]);
    }
    console_bind(console, argv[1], text_of(&text), NULL);
    text_free(&text);
}

static void command_unbind(void *user, int argc, const char *const *argv) {
    if (usage(user, argc, 2, "unbind KEY"))
        console_bind(user, argv[1], NULL, NULL);
}

static void command_bindlist(void *user, int argc, const char *const *argv) {
    (void)argc;
    (void)argv;
    Console *console = user;
    for (size_t i = 0; i < console->bindings.count; i++) {
        const Binding *binding = &console->bindings.at[i];
        if (console_binding(console, binding->key) == binding->text)
            console_printf(console, "%-12s %s", binding->key, binding->text);
    }
}

static void command_clear(void *user, int argc, const char *const *argv) {
    (void)argc;
    (void)argv;
    console_clear(user);
}

static int complete_names(void *user, const char *start, Arena *arena, const char ***out) {
    return console_names(user, start, arena, out);
}

static int complete_vars(void *user, const char *start, Arena *arena, const char ***out) {
    Console *console = user;
    int count = 0, all = vars_count(console->vars);
    *out = arena_array(arena, const char *, all + 1);
    for (int i = 0; i < all; i++)
        if (text_starts_fold(vars_at(console->vars, i)->name, start))
            (*out)[count++] = vars_at(console->vars, i)->name;
    return count;
}

void console_base_commands(Console *console) {
    static const ConsoleCommand rows[] = {
        { "help", "help NAME: what a command, a variable or a script function does", command_help, NULL, complete_names, NULL },
        { "cmdlist", "cmdlist [START]: all commands", command_cmdlist, NULL, NULL, NULL },
        { "varlist", "varlist [START]: all variables and their values", command_varlist, NULL, NULL, NULL },
        { "set", "set NAME VALUE: gives a variable a value", command_set, NULL, complete_vars, NULL },
        { "reset", "reset NAME: gives a variable its default value", command_reset, NULL, complete_vars, NULL },
        { "toggle", "toggle NAME [VALUE ...]: switches a flag, or goes to the next of the values", command_toggle, NULL, complete_vars, NULL },
        { "bind", "bind KEY [COMMAND]: what a key runs (+name: while it is held)", command_bind, NULL, NULL, NULL },
        { "unbind", "unbind KEY: a key runs nothing", command_unbind, NULL, NULL, NULL },
        { "bindlist", "bindlist: all keys that run something", command_bindlist, NULL, NULL, NULL },
        { "echo", "echo WORD ...: prints the words", command_echo, NULL, NULL, NULL },
        { "clear", "clear: forgets what the console shows", command_clear, NULL, NULL, NULL },
    };
    for (int i = 0; i < COUNT_OF(rows); i++) {
        ConsoleCommand command = rows[i];
        command.user = console;
        console_command(console, command);
    }
}
