/* app/cmd_check.c -- `leafwalk check`: everything wrong or suspicious in a level.
 *
 * What the level alone tells is bsp/bsp_check.h's; here stands what needs other files: pictures and classes. */
#include <stdio.h>

#include "app/app.h"
#include "app/classes.h"
#include "app/json.h"
#include "assets/material_def.h"
#include "bsp/bsp_check.h"

typedef struct Check {
    App *app;
    const Map *map;
    Arena *arena;
    ARRAY(BspFinding) findings;
} Check;

static void find(Check *in, BspSeverity severity, const char *kind, const char *text) {
    *array_push(&in->findings) = (BspFinding){ severity, kind, text };
}

/* Whether some face shows this texture. */
static bool drawn(const Map *map, int texture) {
    if (map->textures[texture].flags & (SURF_NODRAW | SURF_SKY))
        return false;
    for (int i = 0; i < map->face_count; i++)
        if (map->faces[i].texture == texture && map->faces[i].type != FACE_FLARE && !map->faces[i].dropped)
            return true;
    return false;
}

/* NULL: nothing is missing; else what is. */
static const char *missing_picture(Check *in, int texture) {
    Files *files = in->app->engine->files;
    const char *name = in->map->textures[texture].name;
    const Material *material = material_find(assets_materials(in->app->engine->assets), name);
    char found[FILE_NAME_ROOM];
    if (material->nodraw || material->sky)
        return NULL;
    if (!material->scripted)
        return image_find(files, name, 0, found)
                   ? NULL : arena_format(in->arena, "texture %d, %s: neither a material nor a picture of that name", texture, name);
    const MaterialDef *def = material_def(assets_materials(in->app->engine->assets), name);
    for (int i = 0; i < def->stage_count; i++)
        for (int k = 0; k < def->stages[i].image_count && def->stages[i].map == STAGE_IMAGE; k++)
            if (!image_find(files, def->stages[i].images[k], 0, found))
                return arena_format(in->arena, "texture %d, %s: its material shows %s, which is not there (%s:%d)", texture, name,
                                    def->stages[i].images[k], def->file, def->stages[i].line);
    if (def->stage_count || !material->base_image || image_find(files, material->base_image, 0, found))
        return NULL;
    return arena_format(in->arena, "texture %d, %s: its material (%s:%d) has no stages, and %s is not there", texture, name,
                        material->file, material->line, material->base_image);
}

/* What is odd in the scripts of the level's own materials, films that are not played included. */
static void check_scripts(Check *in) {
    MaterialSet *set = assets_materials(in->app->engine->assets);
    const MaterialProblem *problems;
    int count = materials_problems(set, &problems);
    for (int i = 0; i < in->map->texture_count; i++) {
        const MaterialDef *def = material_def(set, in->map->textures[i].name);
        bool again = false;
        for (int k = 0; k < i && def && !again; k++)
            again = material_def(set, in->map->textures[k].name) == def;
        if (!def || again)
            continue;
        for (int k = 0; k < count; k++)
            if (problems[k].line >= def->line && problems[k].line <= def->last_line && !strcmp(problems[k].file, def->file))
                find(in, BSP_NOTE, "material-script",
                     arena_format(in->arena, "%s:%d: %s (in %s)", def->file, problems[k].line, problems[k].text, def->name));
        for (int k = 0; k < def->stage_count; k++)
            if (def->stages[k].map == STAGE_VIDEO)
                find(in, BSP_NOTE, "material-script",
                     arena_format(in->arena, "%s:%d: videoMap: films are not played, the stage is left out (in %s)", def->file,
                                  def->stages[k].line, def->name));
    }
}

static void check_textures(Check *in) {
    int shown = 0, missing = 0;
    size_t before = in->findings.count;
    for (int i = 0; i < in->map->texture_count; i++) {
        if (!drawn(in->map, i))
            continue;
        shown++;
        const char *text = missing_picture(in, i);
        if (!text)
            continue;
        missing++;
        find(in, BSP_WARNING, "missing-texture", text);
    }
    if (shown && missing == shown) {    /* one line says it better: the game's data is not on the search path */
        in->findings.count = before;
        find(in, BSP_WARNING, "missing-texture",
             arena_format(in->arena, "none of the %d textures is on the search path (--game and --path say where they are)", shown));
    }
}

static bool has_behaviour(Check *in, const char *name) {
    return file_exists_disk(arena_format(in->arena, "%s/scripts/entities/%s.lua", LEAFWALK_SOURCE_DIR, name));
}

static void check_class(Check *in, const char *name, int count, int first) {
    if (strpbrk(name, "/\\"))
        name = "";
    const char *known = game_class(name);
    if (known && strcmp(known, name) == 0)
        return;
    if (!*name)
        find(in, BSP_WARNING, "unknown-class", arena_format(in->arena, "entities without a classname: %d (the first is %d)", count, first));
    else if (has_behaviour(in, name))
        return;
    else if (known)
        find(in, BSP_WARNING, "unknown-class",
             arena_format(in->arena, "entities of class %s: %d (the first is %d); the game minds case: %s", name, count, first, known));
    else
        find(in, BSP_NOTE, "unknown-class",
             arena_format(in->arena, "entities of class %s, which Quake III does not know: %d (the first is %d)", name, count, first));
}

static void check_classes(Check *in) {
    const Map *map = in->map;
    for (int i = 0; i < map->entity_count; i++) {
        const char *name = bsp_entity_class(&map->entities[i]);
        int count = 0, before = 0;
        for (int other = 0; other < map->entity_count; other++)
            if (strcmp(bsp_entity_class(&map->entities[other]), name) == 0) {
                count++;
                before += other < i;
            }
        if (!before)
            check_class(in, name, count, i);
    }
}

static void print_json(const Check *check, const int counts[3]) {
    Json json = { 0 };
    json_open(&json, NULL, '{');
    json_add_text(&json, "path", check->map->path);
    json_add_number(&json, "errors", counts[BSP_ERROR]);
    json_add_number(&json, "warnings", counts[BSP_WARNING]);
    json_add_number(&json, "notes", counts[BSP_NOTE]);
    json_open(&json, "findings", '[');
    for (size_t i = 0; i < check->findings.count; i++) {
        json_open(&json, NULL, '{');
        json_add_text(&json, "severity", bsp_severity_name(check->findings.at[i].severity));
        json_add_text(&json, "kind", check->findings.at[i].kind);
        json_add_text(&json, "text", check->findings.at[i].text);
        json_close(&json, '}');
    }
    json_close(&json, ']');
    json_close(&json, '}');
    app_say(text_of(&json.text));
    text_free(&json.text);
}

/* Names in a level may be of bytes that a terminal should not get. */
static void add_printable(Text *out, const char *text) {
    bool utf8 = text_valid_utf8(text, strlen(text));
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c < 32 || c == 127 || (c >= 128 && !utf8))
            text_format(out, "\\x%02x", c);
        else
            text_add_char(out, *text);
    }
}

static void print_text(const Check *check, const int counts[3]) {
    Text text = { 0 };
    for (size_t i = 0; i < check->findings.count; i++) {
        const BspFinding *finding = &check->findings.at[i];
        text_format(&text, "%-8s %-18s ", bsp_severity_name(finding->severity), finding->kind);
        add_printable(&text, finding->text);
        text_add_char(&text, '\n');
    }
    text_format(&text, "%s: %d errors, %d warnings, %d notes\n", check->map->path, counts[BSP_ERROR], counts[BSP_WARNING], counts[BSP_NOTE]);
    app_say(text_of(&text));
    text_free(&text);
}

int cmd_check(App *app) {
    Error error;
    app->quiet_below = LOG_ERROR;    /* warnings of the loader are among the findings */
    OpenLevel *open = engine_load_level(app->engine, app_word(app, 0), &error);
    if (!open)
        return app_failed(&error);
    Check check = { .app = app, .map = open->map, .arena = arena_open() };
    BspFindings findings = bsp_check(open->map, check.arena);
    for (int i = 0; i < findings.count; i++)
        *array_push(&check.findings) = findings.at[i];
    check_textures(&check);
    check_scripts(&check);
    check_classes(&check);
    int counts[3] = { 0 };
    for (size_t i = 0; i < check.findings.count; i++)
        counts[check.findings.at[i].severity]++;
    if (app->options.json)
        print_json(&check, counts);
    else
        print_text(&check, counts);
    array_free(&check.findings);
    arena_close(check.arena);
    engine_close_level(app->engine, open);
    return STATUS_FINE;
}
