/* engine/engine_commands.c -- the console's commands that act on the level, the eye and the picture. */
#include "engine/engine_internal.h"

static void refuse(Engine *engine, const Error *error) { console_print(engine->console, LOG_ERROR, error->text); }

static void command_map(void *user, int argc, const char *const *argv) {
    Engine *engine = user;
    if (argc < 2) {
        console_printf(engine->console, engine->current ? "the level is %s (map NAME opens another)" : "map NAME opens a level",
                       engine->current ? engine->current->map->path : "");
        return;
    }
    Error error;
    if (!engine_open_map(engine, argv[1], &error))
        refuse(engine, &error);
}

static void command_maps(void *user, int argc, const char *const *argv) {
    Engine *engine = user;
    Arena *arena = arena_open();
    const char **names;
    int count = engine_map_names(engine, arena, &names), shown = 0;
    for (int i = 0; i < count; i++)
        if (argc < 2 || text_starts_fold(names[i], argv[1])) {
            console_printf(engine->console, "%s", names[i]);
            shown++;
        }
    console_printf(engine->console, "%d levels", shown);
    arena_close(arena);
}

static int complete_maps(void *user, const char *start, Arena *arena, const char ***out) {
    const char **names;
    int count = engine_map_names(user, arena, &names), kept = 0;
    for (int i = 0; i < count; i++)
        if (text_starts_fold(names[i], start))
            names[kept++] = names[i];
    *out = names;
    return kept;
}

static void command_reload(void *user, int argc, const char *const *argv) {
    (void)argc;
    (void)argv;
    Error error;
    if (!engine_reload_map(user, &error))
        refuse(user, &error);
}

static void command_view(void *user, int argc, const char *const *argv) {
    Engine *engine = user;
    int shade = argc > 1 ? shade_by_name(argv[1]) : -1;
    if (shade >= 0) {
        engine->shade = (Shade)shade;
        return;
    }
    Text names = { 0 };
    for (int i = 0; i < SHADE_COUNT; i++)
        text_format(&names, "%s%s", i ? " " : "", shade_name(i));
    if (argc > 1)
        console_printf(engine->console, "no view is called \"%s\"; there are: %s", argv[1], text_of(&names));
    else
        console_printf(engine->console, "the view is %s; there are: %s", shade_name((int)engine->shade), text_of(&names));
    text_free(&names);
}

static int complete_views(void *user, const char *start, Arena *arena, const char ***out) {
    (void)user;
    int count = 0;
    *out = arena_array(arena, const char *, SHADE_COUNT);
    for (int i = 0; i < SHADE_COUNT; i++)
        if (text_starts_fold(shade_name(i), start))
            (*out)[count++] = shade_name(i);
    return count;
}

static void command_screenshot(void *user, int argc, const char *const *argv) {
    Engine *engine = user;
    Text path = { 0 };
    Error error;
    if (engine_screenshot(engine, argc > 1 ? argv[1] : NULL, &path, &error))
        console_printf(engine->console, "wrote %s", text_of(&path));
    else
        refuse(engine, &error);
    text_free(&path);
}

static void command_quit(void *user, int argc, const char *const *argv) {
    (void)argc;
    (void)argv;
    ((Engine *)user)->quit = true;
}

static void command_viewpos(void *user, int argc, const char *const *argv) {
    (void)argc;
    (void)argv;
    Engine *engine = user;
    const Scene *scene = &engine->scene;
    console_printf(engine->console, "setviewpos %g %g %g %g %g %g", (double)scene->origin.x, (double)scene->origin.y,
                   (double)scene->origin.z, (double)scene->angles.x, (double)scene->angles.y, (double)scene->angles.z);
}

static void command_setviewpos(void *user, int argc, const char *const *argv) {
    Engine *engine = user;
    double numbers[6] = { 0 };
    bool right = argc == 4 || argc == 5 || argc == 6 || argc == 7;
    for (int i = 1; i < argc && right; i++)
        right = text_whole_number(argv[i], &numbers[i - 1]);
    if (!right) {
        console_print(engine->console, LOG_INFO, "usage: setviewpos X Y Z [YAW | PITCH YAW [ROLL]]");
        return;
    }
    Scene *scene = &engine->scene;
    scene->origin = vec3_at((float)numbers[0], (float)numbers[1], (float)numbers[2]);
    if (argc == 5)
        scene->angles = vec3_at(0, (float)numbers[3], 0);
    else if (argc > 5)
        scene->angles = vec3_at((float)numbers[3], (float)numbers[4], (float)numbers[5]);
}

static void command_renderer(void *user, int argc, const char *const *argv) {
    Engine *engine = user;
    Error error;
    if (argc < 2)
        console_printf(engine->console, "the renderer is %s", engine->renderer ? engine->renderer->name : "not chosen yet");
    else if (!engine_use_renderer(engine, argv[1], &error))
        refuse(engine, &error);
}

static int complete_renderers(void *user, const char *start, Arena *arena, const char ***out) {
    (void)user;
    int count = 0, kept = 0;
    while (renderer_at(count))
        count++;
    *out = arena_array(arena, const char *, count);
    for (int i = 0; i < count; i++)
        if (text_starts_fold(renderer_at(i)->name, start))
            (*out)[kept++] = renderer_at(i)->name;
    return kept;
}

/* Without a word, the other way. */
static void command_compare(void *user, int argc, const char *const *argv) {
    Engine *engine = user;
    bool on = !engine->compare.on;
    if (argc > 2 || (argc == 2 && !text_same(argv[1], "on") && !text_same(argv[1], "off"))) {
        console_print(engine->console, LOG_INFO, "usage: compare [on | off]");
        return;
    }
    Error error;
    if (!engine_compare(engine, argc == 2 ? text_same(argv[1], "on") : on, &error))
        refuse(engine, &error);
}

/* A file of the search path alone: scripts run commands too, and may not read the whole disk that way. */
static void command_exec(void *user, int argc, const char *const *argv) {
    Engine *engine = user;
    if (argc < 2) {
        console_print(engine->console, LOG_INFO, "usage: exec FILE");
        return;
    }
    FileBytes bytes;
    Error error;
    if (!files_read(engine->files, argv[1], &bytes, &error)) {
        refuse(engine, &error);
        return;
    }
    if (!console_run(engine->console, (const char *)bytes.bytes, &error)) {
        fail_within(&error, "%s: ", argv[1]);
        refuse(engine, &error);
    }
    file_free(&bytes);
}

static void command_condump(void *user, int argc, const char *const *argv) {
    Engine *engine = user;
    const char *name = argc > 1 ? argv[1] : "console.txt";
    Text text = { 0 };
    for (int i = console_line_count(engine->console); i-- > 0;)
        text_format(&text, "%s\n", console_line(engine->console, i, NULL, NULL));
    Error error;
    if (files_write(engine->files, name, text_of(&text), text.count, &error))
        console_printf(engine->console, "wrote %s/%s", files_writable(engine->files), name);
    else
        refuse(engine, &error);
    text_free(&text);
}

/* "+forward" and "-forward" are one row: which of the fly's flags it is. */
typedef struct FlyKey { const char *name, *help; size_t flag; } FlyKey;
static const FlyKey fly_keys[] = {
    { "forward", "flies forward", offsetof(EngineFly, forward) }, { "back", "flies back", offsetof(EngineFly, back) },
    { "moveleft", "flies left", offsetof(EngineFly, left) }, { "moveright", "flies right", offsetof(EngineFly, right) },
    { "moveup", "flies up, or jumps", offsetof(EngineFly, up) }, { "movedown", "flies down, or crouches", offsetof(EngineFly, down) },
    { "speed", "flies faster", offsetof(EngineFly, fast) },
};

static void command_fly(void *user, int argc, const char *const *argv) {
    (void)argc;
    Engine *engine = user;
    for (int i = 0; i < COUNT_OF(fly_keys); i++)
        if (text_same(fly_keys[i].name, argv[0] + 1))
            *(bool *)((char *)&engine->fly + fly_keys[i].flag) = argv[0][0] == '+';
}

/* "walk", "noclip" and "spectate": said again, the eye flies as before. */
static void command_mode(void *user, int argc, const char *const *argv) {
    (void)argc;
    static const char *const names[] = { "walk", "fly", "noclip", "spectate" };    /* in SimMode's order */
    Engine *engine = user;
    SimMode mode = SIM_WALK;
    while (!text_same(names[mode], argv[0]))
        mode++;
    if (!engine->sim) {
        console_print(engine->console, LOG_INFO, "no game runs: there is nobody to walk");
        return;
    }
    engine_sim_mode(engine, engine->sim->player.mode == mode ? SIM_FLY : mode);
    console_printf(engine->console, "%s", names[engine->sim->player.mode]);
}

void engine_commands(Engine *engine) {
    const ConsoleCommand rows[] = {
        { "map", "map NAME: opens a level", command_map, engine, complete_maps, NULL },
        { "maps", "maps [START]: the levels that can be opened by name", command_maps, engine, NULL, NULL },
        { "reload", "reload: reads the level's file again; eye and clock stay", command_reload, engine, NULL, NULL },
        { "view", "view [NAME]: shows the level lit, as textures, clusters, depth ...", command_view, engine, complete_views, NULL },
        { "screenshot", "screenshot [FILE.png]: saves the last picture in the writable folder", command_screenshot, engine, NULL, NULL },
        { "quit", "quit: ends the program", command_quit, engine, NULL, NULL },
        { "viewpos", "viewpos: where the eye is, as a command that brings it there", command_viewpos, engine, NULL, NULL },
        { "setviewpos", "setviewpos X Y Z [YAW | PITCH YAW [ROLL]]: moves the eye", command_setviewpos, engine, NULL, NULL },
        { "walk", "walk: walks through the level by the game's rules, or flies again", command_mode, engine, NULL, NULL },
        { "fly", "fly: the eye flies where it likes", command_mode, engine, NULL, NULL },
        { "noclip", "noclip: the player goes through walls, or the eye flies again", command_mode, engine, NULL, NULL },
        { "spectate", "spectate: the player flies, stopped by walls, through teleporters and doors, or the eye flies again", command_mode, engine, NULL, NULL },
        { "renderer", "renderer [NAME]: which renderer draws", command_renderer, engine, complete_renderers, NULL },
        { "compare", "compare [on | off]: OpenGL's picture and the software renderer's side by side; the mouse drags the divider", command_compare, engine, NULL, NULL },
        { "exec", "exec FILE: runs the commands in a file of the search path", command_exec, engine, NULL, NULL },
        { "condump", "condump [FILE]: writes the console's lines to the writable folder", command_condump, engine, NULL, NULL },
    };
    for (int i = 0; i < COUNT_OF(rows); i++)
        console_command(engine->console, rows[i]);
    for (int i = 0; i < COUNT_OF(fly_keys); i++)
        for (int down = 0; down < 2; down++) {
            Text name = { 0 }, help = { 0 };
            text_format(&name, "%c%s", down ? '+' : '-', fly_keys[i].name);
            text_format(&help, down ? "%s: %s while held" : "%s: no longer %s", text_of(&name), fly_keys[i].help);
            console_command(engine->console,
                            (ConsoleCommand){ text_of(&name), text_of(&help), command_fly, engine, NULL, NULL });
            text_free(&name);
            text_free(&help);
        }
}
