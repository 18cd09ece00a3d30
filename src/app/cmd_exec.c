/* app/cmd_exec.c -- `leafwalk exec` and `leafwalk repl`: Lua without a window. */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "app/app.h"

/* What the console prints goes to stdout, its warnings and errors to stderr. */
static void write_echo(void *user, LogLevel level, const char *text) {
    (void)user;
    FILE *to = level >= LOG_WARN ? stderr : stdout;
    fprintf(to, "%s\n", text);
}

static bool open_all(App *app) {
    static const Log echo = { write_echo, NULL };
    console_echo(app->engine->console, &echo);
    if (!app_open_scripts(app, true, false, NULL))
        return false;
    return !app->options.map || app_open_map(app, app->options.map);
}

/* A message with its traceback: several lines, so not app_failed. */
static int script_failed(const Error *error) {
    fflush(stdout);
    fprintf(stderr, "leafwalk: %s\n", error->text);
    return STATUS_FAILED;
}

int cmd_exec(App *app) {
    const Options *options = &app->options;
    if (!open_all(app))
        return STATUS_FAILED;
    Error error;
    int words = (int)options->words.count;
    for (size_t i = 0; i < options->chunks.count; i++)
        if (!scripts_run_chunk(app->scripts, options->chunks.at[i], "(command line)", words, options->words.at, &error))
            return script_failed(&error);
    if (options->chunks.count)
        return STATUS_FINE;
    bool fine = scripts_run_file(app->scripts, options->words.at[0], words - 1, options->words.at + 1, &error);
    return fine ? STATUS_FINE : script_failed(&error);
}

/* A line of stdin without its end; false at the end of the input. */
static bool read_line(Text *out) {
    int c;
    out->count = 0;
    text_add(out, "");
    while ((c = getchar()) != EOF && c != '\n')
        text_add_char(out, (char)c);
    return c != EOF || out->count > 0;
}

int cmd_repl(App *app) {
    if (!open_all(app))
        return STATUS_FAILED;
    bool talking = isatty(STDIN_FILENO);
    bool more = false, fine = true;
    Text line = { 0 }, held = { 0 };
    Error error;
    if (talking)
        printf("leafwalk %s, Lua; end with Ctrl+D; help(name) explains\n", LEAFWALK_VERSION);
    for (;;) {
        if (talking) {
            fputs(more ? ">> " : "> ", stdout);
            fflush(stdout);
        }
        if (!read_line(&line))
            break;
        if (more)
            text_add_char(&held, '\n');
        text_add(&held, text_of(&line));
        more = false;
        bool ran = scripts_line(app->scripts, text_of(&held), &more, &error);
        if (more)
            continue;
        held.count = 0;
        if (!ran) {
            fine = false;
            script_failed(&error);
        }
    }
    if (talking)
        putchar('\n');
    if (more) {
        fail(&error, "standard input: ends within a statement: %s", text_of(&held));
        fine = false;
        app_failed(&error);
    }
    text_free(&line);
    text_free(&held);
    return fine || talking ? STATUS_FINE : STATUS_FAILED;
}
