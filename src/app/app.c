/* app/app.c -- from what was typed to a command that runs, with the engine it needs. */
#include "app/app.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* Messages are lines: a name with a line end in it must not begin another one. */
static void print_line(FILE *to, const char *text) {
    Text line = { 0 };
    text_add(&line, "leafwalk: ");
    for (; *text; text++)
        text_add_char(&line, *text == '\n' || *text == '\r' ? ' ' : *text);
    fprintf(to, "%s\n", text_of(&line));
    text_free(&line);
}

int app_failed(const Error *error) {
    print_line(stderr, error->text);
    return STATUS_FAILED;
}

int app_refused(const char *format, ...) {
    Error error;
    va_list args;
    va_start(args, format);
    vsnprintf(error.text, sizeof error.text, format, args);
    va_end(args);
    print_line(stderr, error.text);
    return STATUS_USAGE;
}

void app_say(const char *text) { fputs(text, stdout); }

const char *app_word(const App *app, int index) {
    return index >= 0 && (size_t)index < app->options.words.count ? app->options.words.at[index] : "";
}

static void write_log(void *user, LogLevel level, const char *text) {
    App *app = user;
    if (app->to_console && app->engine)
        console_print(app->engine->console, level, text);
    if (level >= app->quiet_below)
        print_line(stderr, text);
}

/* $XDG_DATA_HOME/leafwalk or ~/.local/share/leafwalk; NULL where neither is known. */
static char *writable_folder(void) {
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    Text path = { 0 };
    if (data && data[0] == '/')
        text_format(&path, "%s/leafwalk", data);
    else if (home && home[0] == '/')
        text_format(&path, "%s/.local/share/leafwalk", home);
    return path.at;
}

/* A variable that is not known yet keeps its text for the script or rasterizer that defines it; one that is nearly
 * called like a known one is most likely a slip. */
static void warn_of_slip(App *app, const char *set, const char *name) {
    const Var *var = var_find(app->vars, name), *near = vars_nearest(app->vars, name);
    if (near && var && !var->defined)
        log_warn(&app->log, "--set %s: there is no variable %s so far (did you mean %s?)", set, name, near->name);
}

static bool apply_sets(App *app, int *status) {
    for (size_t i = 0; i < app->options.sets.count; i++) {
        const char *set = app->options.sets.at[i];
        const char *equals = strchr(set, '=');
        if (!equals || equals == set) {
            *status = app_refused("--set takes NAME=VALUE, not \"%s\"", set);
            return false;
        }
        Text name = { 0 };
        Error error;
        text_add_n(&name, set, (size_t)(equals - set));
        bool right = var_set(app->vars, text_of(&name), equals + 1, &error);
        warn_of_slip(app, set, text_of(&name));
        text_free(&name);
        if (!right) {
            *status = app_refused("--set %s: %s", set, error.text);
            return false;
        }
    }
    return true;
}

bool app_open(App *app, bool watch, int *status) {
    const Options *options = &app->options;
    app->vars = vars_open();
    app->writable = writable_folder();
    EngineSetup setup = {
        .threads = options->threads, .data_folder = LEAFWALK_SOURCE_DIR, .build_folder = LEAFWALK_BUILD_DIR, .version = LEAFWALK_VERSION,
        .writable = app->writable, .game = options->game, .paths = options->paths.at,
        .path_count = (int)options->paths.count, .vars = app->vars, .log = &app->log, .watch = watch,
    };
    Error error;
    app->engine = engine_open(&setup, &error);
    if (!app->engine) {
        *status = app_failed(&error);
        return false;
    }
    return apply_sets(app, status);
}

void app_set_fov(App *app) {
    if (app->options.fov == 0)
        return;
    Text fov = { 0 };
    text_add_number(&fov, app->options.fov);
    var_set(app->vars, app->engine->var.fov->name, text_of(&fov), NULL);
    text_free(&fov);
}

void app_close(App *app) {
    if (app->scripts)
        scripts_close(app->scripts);
    engine_close(app->engine);
    vars_close(app->vars);
    mem_free(app->writable);
    app->scripts = NULL;
    app->engine = NULL;
    app->vars = NULL;
    app->writable = NULL;
}

const char *app_default_map(const App *app) {
    static const char game_level[] = "oa_dm1", own_level[] = LEAFWALK_SOURCE_DIR "/maps/rooms.bsp";
    return engine_map_exists(app->engine, game_level) ? game_level : own_level;
}

bool app_open_scripts(App *app, bool to_stdout, bool test, const char *const *folders) {
    static const double usual_budget = 2;
    const char *all[8] = { LEAFWALK_SOURCE_DIR "/scripts/lib", LEAFWALK_SOURCE_DIR "/scripts" };
    int count = 2;
    for (int i = 0; folders && folders[i] && count < COUNT_OF(all); i++)
        all[count++] = folders[i];
    ScriptsSetup setup = {
        .engine = app->engine, .trust = test || app->options.trust,
        .budget = app->options.budget < 0 ? (test ? 0 : usual_budget) : app->options.budget, .test = test,
        .seed = app->options.seed, .flies = app->to_console, .print_to_stdout = to_stdout, .module_folders = all, .module_folder_count = count,
    };
    Error error;
    app->scripts = scripts_open(&setup, &error);
    if (!app->scripts)
        app_failed(&error);
    return app->scripts != NULL;
}

bool app_open_map(App *app, const char *map) {
    Error error;
    bool opened = engine_open_map(app->engine, map, &error);
    if (opened && app->scripts)
        scripts_game(app->scripts);
    if (!opened)
        app_failed(&error);
    return opened;
}

bool app_shade(const App *app, Shade *out, int *status) {
    const char *names[SHADE_COUNT];
    for (int i = 0; i < SHADE_COUNT; i++)
        names[i] = shade_name(i);
    const char *name = app->options.view ? app->options.view : names[SHADE_LIT];
    int shade = shade_by_name(name);
    *out = shade < 0 ? SHADE_LIT : (Shade)shade;
    if (shade >= 0)
        return true;
    const char *near = nearest_word(name, names, SHADE_COUNT);
    *status = app_refused("--view %s: there is no such view (did you mean %s?)", name, near ? near : "lit");
    return false;
}

static bool knows_renderer(const char *name, int *status) {
    if (renderer_by_name(name))
        return true;
    Text names = { 0 };
    for (int i = 0; renderer_at(i); i++)
        text_format(&names, "%s%s", i ? ", " : "", renderer_at(i)->name);
    *status = app_refused("--rasterizer %s: there is no such rasterizer (there are: %s)", name, text_of(&names));
    text_free(&names);
    return false;
}

bool app_use_renderer(App *app, int *status) {
    const char *asked = app->options.rasterizer;
    if (asked && !knows_renderer(asked, status))
        return false;
    Error error;
    if (engine_use_renderer(app->engine, asked ? asked : "gl", &error))
        return apply_sets(app, status);    /* its variables are known only now */
    if (!asked && renderer_by_name("soft")) {
        fprintf(stderr, "leafwalk: %s: the software rasterizer draws instead\n", error.text);
        if (engine_use_renderer(app->engine, "soft", &error))
            return apply_sets(app, status);
    }
    *status = app_failed(&error);
    return false;
}

static bool is_command(const char *word) { return *word && command_by_name(word); }

/* --help: of everything, or of one command. */
static int help(const Command *command) {
    Text text = { 0 };
    if (*command->name) {
        text_format(&text, "leafwalk %s %s\n\n%s\n\n", command->name, command->shape, command->help);
        options_help(&text, command->name);
        text_format(&text, "\nAnd those of every command: leafwalk --help\n\nExample:\n  %s\n", command->example);
    } else {
        text_add(&text, "Leafwalk: a sandbox for exploring Quake III levels with Lua\n\n");
        for (int i = 0; command_at(i); i++)
            text_format(&text, "  leafwalk %s%s%s\n      %s\n", command_at(i)->name, *command_at(i)->name ? " " : "",
                        command_at(i)->shape, command_at(i)->help);
        text_add(&text, "\nMAP is a path to a .bsp, or a name on the search path (oa_dm1). Options of every command:\n");
        options_help(&text, NULL);
        text_add(&text, "and of the window:\n");
        options_help(&text, "window");
        text_format(&text, "\nExample:\n  %s\n", command->example);
    }
    app_say(text_of(&text));
    text_free(&text);
    return STATUS_FINE;
}

/* A first word that is no command opens the window, if it is a level's: else it is a wrong word. */
static int wrong_word(App *app, const char *word) {
    const char *names[32];
    int count = 0;
    for (int i = 0; command_at(i) && count < COUNT_OF(names); i++)
        if (*command_at(i)->name)
            names[count++] = command_at(i)->name;
    Text near = { 0 };
    const char *command = nearest_word(word, names, count);
    if (command)
        text_format(&near, "the command %s", command);
    Text maps = { 0 };
    engine_near_maps(app->engine, word, &maps);
    if (maps.count)
        text_format(&near, "%sthe level %s", near.count ? " or " : "", text_of(&maps));
    int status = near.count ? app_refused("%s: no command, file or level is called so (did you mean %s?)", word, text_of(&near))
                            : app_refused("%s: no command, file or level is called so (leafwalk --help lists the commands; "
                                          "--game and --path say where levels are)", word);
    text_free(&near);
    text_free(&maps);
    return status;
}

static bool is_script(const char *word) { return text_ends_fold(word, ".lua"); }

static int run(App *app, const Command *command) {
    const Options *options = &app->options;
    int status = STATUS_FINE;
    const char *first = app_word(app, 0);
    if (!*command->name && options->words.count) {
        if (!app_open(app, true, &status))
            return status;
        if (is_script(first) ? !file_exists_disk(first) : !engine_map_exists(app->engine, first))
            return wrong_word(app, first);
    }
    if (options->help)
        return help(command);
    Error error;
    if (!options_suit(options, command->name, &error))
        return app_refused("%s", error.text);
    int words = (int)options->words.count;
    if (words < command->least_words && !(options->chunks.count && command->run == cmd_exec))
        return app_refused("%s needs a %s: leafwalk %s %s", command->name, command->word, command->name, command->shape);
    if (command->most_words >= 0 && words > command->most_words)
        return app_refused("\"%s\" is one word too many: leafwalk %s %s", app_word(app, command->most_words), command->name, command->shape);
    if (!app->engine && !app_open(app, !*command->name, &status))
        return status;
    return command->run(app);
}

int app_main(int argc, const char *const *argv) {
    App app = { .quiet_below = LOG_WARN };
    app.log = (Log){ write_log, &app };
    Error error;
    int status;
    if (!options_parse(&app.options, argc, argv, is_command, &error)) {
        status = app_refused("%s", error.text);
    } else if (app.options.version) {
        printf("leafwalk %s\n", LEAFWALK_VERSION);
        status = STATUS_FINE;
    } else {
        status = run(&app, command_by_name(app.options.command ? app.options.command : ""));
    }
    app_close(&app);
    options_free(&app.options);
    if (fflush(stdout) != 0 && status == STATUS_FINE) {
        fail(&error, "standard output cannot be written");
        status = app_failed(&error);
    }
    return status;
}
