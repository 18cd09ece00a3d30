/* script/host_commands.c -- the console's commands about scripts: add, drop, reload, list, and the errors shown. */
#include "script/host_internal.h"

static void say(const Scripts *scripts, LogLevel level, const char *text) {
    console_print(scripts->engine->console, level, text);
}

static const char *word(int argc, const char *const *argv) { return argc > 1 ? argv[1] : NULL; }

static void command_script(void *user, int argc, const char *const *argv) {
    Scripts *scripts = user;
    Error error;
    if (!word(argc, argv))
        say(scripts, LOG_WARN, "script FILE: runs a script beside those that run");
    else if (!file_exists_disk(argv[1]))
        say(scripts, LOG_WARN, "there is no such file");
    else
        scripts_add(scripts, argv[1], &error);    /* the panel shows what is wrong with it */
}

static void command_drop(void *user, int argc, const char *const *argv) {
    Scripts *scripts = user;
    if (!word(argc, argv) || !scripts_drop(scripts, argv[1]))
        say(scripts, LOG_WARN, "unscript FILE: ends a script (scripts lists them)");
}

static void command_reload(void *user, int argc, const char *const *argv) {
    Scripts *scripts = user;
    Error error;
    if (!scripts_reload(scripts, word(argc, argv), &error))
        say(scripts, LOG_WARN, error.text);
}

static void command_scripts(void *user, int argc, const char *const *argv) {
    Scripts *scripts = user;
    (void)argc;
    (void)argv;
    for (size_t i = 0; i < scripts->list.count; i++) {
        const Script *script = scripts->list.at[i];
        Text line = { 0 };
        text_format(&line, "%s%s", script->shown, script->hidden ? "  (hidden)" : "");
        for (size_t j = 0; j < scripts->troubles.count; j++)
            if (scripts->troubles.at[j].script == script)
                text_format(&line, "\n  %s", scripts->troubles.at[j].message);
        say(scripts, LOG_INFO, text_of(&line));
        text_free(&line);
    }
    if (!scripts->list.count)
        say(scripts, LOG_INFO, "no script runs");
}

static void command_errors(void *user, int argc, const char *const *argv) {
    Scripts *scripts = user;
    if (word(argc, argv) && text_same(argv[1], "clear")) {
        scripts_dismiss(scripts);
        return;
    }
    const char *text = scripts_error(scripts);
    say(scripts, LOG_INFO, text ? text : "nothing is wrong");
}

void host_commands_open(Scripts *scripts) {
    static const struct { const char *name, *help; ConsoleFunction *run; } rows[] = {
        { "script", "script FILE: runs a script beside those that run", command_script },
        { "unscript", "unscript FILE: ends a script", command_drop },
        { "rescript", "rescript [FILE]: reloads a script, or all", command_reload },
        { "scripts", "scripts: those that run, and what is wrong with them", command_scripts },
        { "errors", "errors [clear]: shows, or forgets, the errors of scripts", command_errors },
    };
    for (int i = 0; i < COUNT_OF(rows); i++)
        console_command(scripts->engine->console, (ConsoleCommand){
            .name = rows[i].name, .help = rows[i].help, .run = rows[i].run, .user = scripts, .owner = scripts });
}
