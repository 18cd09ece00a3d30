/* assets/material.c -- every material of the search path, and what stands for it until its stages are drawn. */
#include "assets/material.h"

#include <stdio.h>

#include "assets/image.h"
#include "assets/material_internal.h"
#include "base/table.h"
#include "bsp/flags.h"

typedef struct Override { char *name, *text; } Override;    /* on the heap */

struct MaterialSet {
    Files *files;
    const Log *log;
    Arena *scripts;              /* definitions and problems; emptied by a reload */
    Arena *kept;                 /* Materials and their names */
    Table definitions;           /* MaterialDef by name */
    Table found;                 /* Material by the name that was asked for */
    ARRAY(MaterialProblem) problems;
    ARRAY(const char *) sources; /* script files by their names on the search path; in `scripts` */
    unsigned version;
    ARRAY(Override) overrides;   /* what a running program says in place of the scripts */
    Arena *override_arena;
    Table overridden;            /* MaterialDef by name, of those */
};

typedef struct Reading { MaterialSet *set; const char *file; } Reading;

bool material_name(const char *name, char out[MATERIAL_NAME_ROOM], bool *cut) {
    char clean[FILE_NAME_ROOM];
    if (!file_name_clean(name, clean, sizeof clean))
        return false;
    *cut = strlen(clean) >= MATERIAL_NAME_ROOM;
    text_copy(out, MATERIAL_NAME_ROOM, clean);
    for (char *c = out; *c; c++)
        *c = text_lower(*c);
    return true;
}

static void add_problem(void *user, int line, bool broken, const char *text) {
    Reading *r = user;
    const char *kept = arena_text(r->set->scripts, text);
    *array_push(&r->set->problems) = (MaterialProblem){ r->file, line, kept };
    if (broken)
        log_warn(r->set->log, "%s:%d: %s", r->file, line, text);
}

static void add_definition(void *user, const MaterialDef *def) {
    Reading *r = user;
    void **place = table_place(&r->set->definitions, def->name);
    const MaterialDef *old = *place;
    bool same_file = old && strcmp(old->file, def->file) == 0;
    if (old) {
        char text[512];
        const MaterialDef *loser = same_file ? def : old, *winner = same_file ? old : def;
        snprintf(text, sizeof text, "%s is defined in %s:%d too, which counts", def->name, winner->file, winner->line);
        *array_push(&r->set->problems) = (MaterialProblem){ loser->file, loser->line, arena_text(r->set->scripts, text) };
    }
    if (!same_file)
        *place = (void *)def;
}

void materials_parse(MaterialSet *set, const char *file, const char *text, size_t length) {
    Reading reading = { set, arena_text(set->scripts, file) };
    material_parse_text(&(MaterialParse){ set->scripts, reading.file, &reading, add_definition, add_problem }, text, length);
}

/* Files as the engine lists them; each one's definitions replace those of the files before it. */
static void read_scripts(MaterialSet *set) {
    const char **names;
    int count = files_list_ranked(set->files, "scripts", ".shader", set->scripts, &names);
    for (int i = 0; i < count; i++) {
        if (strchr(names[i] + strlen("scripts/"), '/'))
            continue;    /* the engine looks into the folder itself alone */
        FileBytes file;
        Error why;
        if (files_read(set->files, names[i], &file, &why))
            materials_parse(set, names[i], (const char *)file.bytes, file.size);
        else
            log_warn(set->log, "%s", why.text);
        file_free(&file);
        *array_push(&set->sources) = names[i];
    }
}

MaterialSet *materials_open(Files *files, const Log *log) {
    MaterialSet *set = mem_zeroed(1, sizeof *set);
    set->files = files;
    set->log = log;
    set->scripts = arena_open();
    set->kept = arena_open();
    set->override_arena = arena_open();
    if (files)
        read_scripts(set);
    return set;
}

static void forget_override(Override *override) {
    mem_free(override->name);
    mem_free(override->text);
}

void materials_close(MaterialSet *set) {
    if (!set)
        return;
    table_free(&set->definitions);
    table_free(&set->found);
    table_free(&set->overridden);
    for (size_t i = 0; i < set->overrides.count; i++)
        forget_override(&set->overrides.at[i]);
    array_free(&set->overrides);
    arena_close(set->override_arena);
    array_free(&set->problems);
    array_free(&set->sources);
    arena_close(set->scripts);
    arena_close(set->kept);
    mem_free(set);
}

/* The engine looks a material up by its name without the ending; images it looks up by the whole name. */
static void strip_ending(char *name) {
    char *dot = strrchr(name, '.'), *slash = strrchr(name, '/');
    if (dot && dot > name && (!slash || dot > slash))
        *dot = 0;
}

static const MaterialDef *find_def(const MaterialSet *set, const char *clean) {
    const MaterialDef *def = table_find(&set->overridden, clean);
    return def ? def : table_find(&set->definitions, clean);
}

const MaterialDef *material_def(const MaterialSet *set, const char *name) {
    char clean[MATERIAL_NAME_ROOM];
    bool cut;
    if (!material_name(name, clean, &cut))
        return NULL;
    strip_ending(clean);
    return find_def(set, clean);
}

static bool image_exists(const MaterialSet *set, const char *name) {
    char file[FILE_NAME_ROOM];
    return set->files && image_find(set->files, name, 0, file);
}

/* The first stage whose picture is laid over the surface by its own coordinates shows most of what the material looks
 * like: a sheen (tcGen environment) slides over it, the lightmap is drawn anyway. */
static const MaterialStage *base_stage(const MaterialSet *set, const MaterialDef *def) {
    const MaterialStage *sheen = NULL;
    for (int i = 0; i < def->stage_count; i++) {
        const MaterialStage *stage = &def->stages[i];
        if (stage->map != STAGE_IMAGE || stage->detail || !image_exists(set, stage->images[0]))
            continue;
        if (stage->texcoord_gen == TEXCOORD_BASE || stage->texcoord_gen == TEXCOORD_VECTOR)
            return stage;
        sheen = sheen ? sheen : stage;
    }
    return sheen;
}

static const char *base_image(const MaterialSet *set, const MaterialDef *def, const char *asked) {
    const MaterialStage *stage = base_stage(set, def);
    if (stage)
        return stage->images[0];
    bool sky = def->sky || def->surface_flags & SURF_SKY;
    if (sky || def->fog)
        return NULL;
    if (*def->editor_image && image_exists(set, def->editor_image))
        return def->editor_image;
    for (int i = 0; i < def->stage_count; i++)    /* named, though it is not there: whoever asks for it will say so */
        if (def->stages[i].map == STAGE_IMAGE && !image_exists(set, asked))
            return def->stages[i].images[0];
    return asked;
}

/* A lamp, a flame, a glowing sign: its stages name no lightmap, and the picture's colours come from the script alone. */
static bool shines(const MaterialSet *set, const MaterialDef *def) {
    for (int i = 0; i < def->stage_count; i++)
        if (def->stages[i].map == STAGE_LIGHTMAP || def->stages[i].texcoord_gen == TEXCOORD_LIGHTMAP)
            return false;
    const MaterialStage *stage = base_stage(set, def);
    if (!stage)
        return false;
    ColorGen by = stage->color_gen;
    return by == COLOR_DEFAULT || by == COLOR_IDENTITY || by == COLOR_IDENTITY_LIGHTING || by == COLOR_WAVE || by == COLOR_CONST;
}

static float alpha_limit(AlphaFunc func) {
    const float limits[] = { [ALPHA_ALL] = 0, [ALPHA_GT0] = 0.5f / 255, [ALPHA_LT128] = -0.5f, [ALPHA_GE128] = 0.5f,
                             [ALPHA_GE192] = 0.75f };
    return limits[func];
}

static float sort_of(const MaterialDef *def) {
    if (def->sort != 0)
        return def->sort;
    if (def->sky)
        return SORT_SKY;
    if (def->portal)
        return SORT_PORTAL;
    if (def->polygon_offset)
        return SORT_DECAL;
    if (def->stage_count && def->stages[0].blends)
        return def->stages[0].depth_write ? SORT_SEE_THROUGH : SORT_BLEND;
    return SORT_OPAQUE;
}

/* `name` is the clean name with its ending: what an image is looked up by. */
static void resolve(const MaterialSet *set, Material *material, const char *name) {
    const char *own = material->name;
    const MaterialDef *def = find_def(set, own);
    *material = (Material){ .name = own, .base_image = name, .file = "", .sort = SORT_OPAQUE,
                             .source = BLEND_ONE, .destination = BLEND_ZERO };
    if (!def)
        return;
    material->scripted = true;
    material->file = def->file;
    material->line = def->line;
    material->cull = def->cull;
    material->surface_flags = def->surface_flags;
    material->contents = def->contents;
    material->sky = def->sky || def->surface_flags & SURF_SKY;
    material->fog = def->fog || def->contents & CONTENTS_FOG;
    material->nodraw = def->surface_flags & SURF_NODRAW;
    material->polygon_offset = def->polygon_offset;
    material->sort = sort_of(def);
    material->sky_box = *def->sky_box ? def->sky_box : NULL;
    material->cloud_height = def->cloud_height;
    material->base_image = material->nodraw ? NULL : base_image(set, def, name);
    if (def->stage_count) {
        material->blended = def->stages[0].blends;
        material->source = def->stages[0].source;
        material->destination = def->stages[0].destination;
        material->unlit = shines(set, def);
        material->alpha_test = alpha_limit(def->stages[0].alpha_func);
    }
}

const Material *material_find(MaterialSet *set, const char *name) {
    char clean[MATERIAL_NAME_ROOM];
    bool cut;
    if (!material_name(name, clean, &cut))
        text_copy(clean, sizeof clean, "noname");
    Material *known = table_find(&set->found, clean);
    if (known)
        return known;
    const char *asked = arena_text(set->kept, clean);
    Material *material = arena_new(set->kept, Material);
    strip_ending(clean);
    material->name = arena_text(set->kept, clean);
    resolve(set, material, asked);
    *table_place(&set->found, asked) = material;
    return material;
}

static void resolve_all(MaterialSet *set) {
    for (size_t i = 0; i < set->found.count; i++)
        resolve(set, set->found.entries[i].value, set->found.entries[i].name);
    set->version++;
}

void materials_reload(MaterialSet *set) {
    table_clear(&set->definitions);
    array_clear(&set->problems);
    array_clear(&set->sources);
    arena_reset(set->scripts);
    if (set->files)
        read_scripts(set);
    resolve_all(set);
}


/* Overrides. */

typedef struct Trial { const char *name; bool defined, broken; Text *told; } Trial;

static void trial_define(void *user, const MaterialDef *def) {
    Trial *trial = user;
    trial->defined = trial->defined || strcmp(def->name, trial->name) == 0;
}

static void trial_problem(void *user, int line, bool broken, const char *text) {
    Trial *trial = user;
    trial->broken = trial->broken || broken;
    text_format(trial->told, "%sline %d: %s", trial->told->count ? "; " : "", line, text);
}

/* A block alone gets its name before it, on the same line, so that lines count as they were written. */
static void whole_text(Text *out, const char *name, const char *text) {
    if (text[strspn(text, " \t\r\n")] == '{')
        text_format(out, "\"%s\" ", name);
    text_add(out, text);
}

static bool try_override(const char *name, const char *text, Text *told, Error *error) {
    Arena *arena = arena_open();
    Trial trial = { .name = name, .told = told };
    material_parse_text(&(MaterialParse){ arena, "override", &trial, trial_define, trial_problem }, text, strlen(text));
    arena_close(arena);
    if (trial.broken)
        return fail(error, "%s: %s", name, text_of(told));
    return trial.defined || fail(error, "%s: the text does not define it", name);
}

static void override_define(void *user, const MaterialDef *def) {
    MaterialSet *set = user;
    *table_place(&set->overridden, def->name) = (void *)def;
}
static void override_problem(void *user, int line, bool broken, const char *text) { (void)user, (void)line, (void)broken, (void)text; }

static void read_overrides(MaterialSet *set) {
    table_clear(&set->overridden);
    arena_reset(set->override_arena);
    for (size_t i = 0; i < set->overrides.count; i++) {
        const Override *override = &set->overrides.at[i];
        material_parse_text(&(MaterialParse){ set->override_arena, "override", set, override_define, override_problem },
                            override->text, strlen(override->text));
    }
    resolve_all(set);
}

static char *heap_text(const char *text) {
    size_t size = strlen(text) + 1;
    return memcpy(mem_alloc(size), text, size);
}

bool materials_override(MaterialSet *set, const char *name, const char *text, Text *told, Error *error) {
    char clean[MATERIAL_NAME_ROOM];
    bool cut;
    if (!material_name(name, clean, &cut))
        return fail(error, "'%.60s' is no name for a material", name);
    strip_ending(clean);
    Text whole = { 0 };
    if (text)
        whole_text(&whole, clean, text);
    if (text && !try_override(clean, text_of(&whole), told, error)) {
        text_free(&whole);
        return false;
    }
    for (size_t i = 0; i < set->overrides.count; i++)
        if (strcmp(set->overrides.at[i].name, clean) == 0) {
            forget_override(&set->overrides.at[i]);
            set->overrides.at[i] = set->overrides.at[--set->overrides.count];
            break;
        }
    if (text)
        *array_push(&set->overrides) = (Override){ heap_text(clean), heap_text(text_of(&whole)) };
    text_free(&whole);
    read_overrides(set);
    return true;
}

unsigned materials_version(const MaterialSet *set) { return set->version; }

int materials_count(const MaterialSet *set) { return (int)set->definitions.count; }

const char *materials_name(const MaterialSet *set, int index) { return set->definitions.entries[index].name; }

int materials_problems(const MaterialSet *set, const MaterialProblem **out) {
    *out = set->problems.at;
    return (int)set->problems.count;
}

int materials_disk_paths(const MaterialSet *set, Arena *arena, const char ***out) {
    *out = arena_array(arena, const char *, set->sources.count);
    int count = 0;
    for (size_t i = 0; i < set->sources.count; i++) {
        char path[4096];
        if (files_disk_path(set->files, set->sources.at[i], path, sizeof path) &&
            (count == 0 || strcmp((*out)[count - 1], path) != 0))
            (*out)[count++] = arena_text(arena, path);
    }
    return count;
}
