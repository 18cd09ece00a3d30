/* assets/models.c -- models by name, their skins and looks. */
#include "assets/models.h"

#include <stdio.h>

#include "base/table.h"

typedef struct Skin {
    char *name, *text;           /* text NULL: the model's own shaders */
    char disk_path[4096];
    ModelLook *looks;            /* one a surface; NULL: to be made */
    Arena *stages;               /* what they say besides */
    unsigned version;            /* of the materials they were made from */
} Skin;

typedef struct Entry {
    const char *name;
    Arena *arena;                /* of the model, its skins' looks */
    Model *model;                /* NULL: it could not be loaded, `error` says why */
    Error error;
    char disk_path[4096];
    int lods[MODEL_LODS], lod_count;
    ARRAY(Skin *) skins;
} Entry;

struct ModelSet {
    Files *files;
    Assets *assets;
    Watch *watch;
    const Log *log;
    Arena *arena;                /* entries and names */
    ARRAY(Entry *) entries;
    Table by_name;               /* number + 1 as a pointer */
    ARRAY(Arena *) replaced;     /* models that a frame may still show */
};

ModelSet *models_open(Files *files, Assets *assets, Watch *watch, const Log *log) {
    ModelSet *set = mem_zeroed(1, sizeof *set);
    *set = (ModelSet){ .files = files, .assets = assets, .watch = watch, .log = log, .arena = arena_open() };
    return set;
}

void models_poll(ModelSet *set) {
    for (size_t i = 0; i < set->replaced.count; i++)
        arena_close(set->replaced.at[i]);
    array_clear(&set->replaced);
}

static void forget_skins(Entry *entry) {
    for (size_t i = 0; i < entry->skins.count; i++) {
        mem_free(entry->skins.at[i]->text);
        mem_free(entry->skins.at[i]->name);
        arena_close(entry->skins.at[i]->stages);
        mem_free(entry->skins.at[i]);
    }
    array_clear(&entry->skins);
}

void models_close(ModelSet *set) {
    if (!set)
        return;
    models_poll(set);
    for (size_t i = 0; i < set->entries.count; i++) {
        forget_skins(set->entries.at[i]);
        array_free(&set->entries.at[i]->skins);
        arena_close(set->entries.at[i]->arena);
    }
    array_free(&set->entries);
    array_free(&set->replaced);
    table_free(&set->by_name);
    arena_close(set->arena);
    mem_free(set);
}


static void watch_origin(ModelSet *set, const char *name, char *disk_path, size_t room) {
    if (!files_disk_path(set->files, name, disk_path, room))
        disk_path[0] = 0;
    else if (set->watch)
        watch_add(set->watch, disk_path);
}

/* Reads the entry's file; the model that it had stays where the new one is broken. */
static void read_entry(ModelSet *set, Entry *entry) {
    FileBytes bytes;
    if (!files_read(set->files, entry->name, &bytes, &entry->error))
        return;
    Arena *arena = arena_open();
    Model *model = model_load(arena, entry->name, bytes.bytes, bytes.size, &entry->error);
    file_free(&bytes);
    watch_origin(set, entry->name, entry->disk_path, sizeof entry->disk_path);
    if (!model) {
        arena_close(arena);
        log_warn(set->log, "%s", entry->error.text);
        return;
    }
    if (entry->arena)
        *array_push(&set->replaced) = entry->arena;
    entry->arena = arena;
    entry->model = model;
    forget_skins(entry);
}

static int entry_named(const ModelSet *set, const char *name) { return (int)(intptr_t)table_find(&set->by_name, name) - 1; }

static int add_entry(ModelSet *set, const char *name) {
    Entry *entry = arena_new(set->arena, Entry);
    entry->name = arena_text(set->arena, name);
    *array_push(&set->entries) = entry;
    int number = (int)set->entries.count - 1;
    *table_place(&set->by_name, entry->name) = (void *)(intptr_t)(number + 1);
    read_entry(set, entry);
    return number;
}

static void add_lods(ModelSet *set, int number) {
    const char *name = set->entries.at[number]->name;
    int lods[MODEL_LODS] = { number }, count = 1;
    for (; count < MODEL_LODS; count++) {
        char coarse[FILE_NAME_ROOM + 8];
        snprintf(coarse, sizeof coarse, "%.*s_%d.md3", (int)strlen(name) - 4, name, count);
        if (!files_exists(set->files, coarse))
            break;
        int known = entry_named(set, coarse);
        lods[count] = known >= 0 ? known : add_entry(set, coarse);
        if (!set->entries.at[lods[count]]->model)
            break;
    }
    memcpy(set->entries.at[number]->lods, lods, sizeof lods);
    set->entries.at[number]->lod_count = count;
}

int models_find(ModelSet *set, const char *name, Error *error) {
    char clean[FILE_NAME_ROOM], full[FILE_NAME_ROOM + 8];
    if (!file_name_clean(name, clean, sizeof clean)) {
        fail(error, "%s: not a name of a file", name);
        return -1;
    }
    snprintf(full, sizeof full, "%s%s", clean, text_ends_fold(clean, ".md3") ? "" : ".md3");
    int number = entry_named(set, full);
    if (number < 0) {
        if (!files_exists(set->files, full)) {
            fail(error, "%s: no such file", full);
            return -1;
        }
        number = add_entry(set, full);
    }
    Entry *entry = set->entries.at[number];
    if (!entry->model) {
        fail(error, "%s", entry->error.text);
        return -1;
    }
    if (!entry->lod_count)
        add_lods(set, number);
    return number;
}

const Model *models_at(const ModelSet *set, int number) { return set->entries.at[number]->model; }

int models_lod_count(const ModelSet *set, int number) { return MAX(set->entries.at[number]->lod_count, 1); }

int models_lod(const ModelSet *set, int number, int lod) {
    const Entry *entry = set->entries.at[number];
    return lod > 0 && lod < entry->lod_count ? entry->lods[lod] : number;
}


static ModelLook look_of(const ModelSet *set, Arena *arena, const char *shader) {
    if (!shader[0])
        return (ModelLook){ .texture = TEXTURE_WHITE };
    const Material *material = material_find(assets_materials(set->assets), shader);
    const Look *look = look_make(arena, set->assets, material, LOOK_MODEL, TEXTURE_WHITE);
    return (ModelLook){
        .texture = material->base_image ? assets_texture(set->assets, material->base_image) : TEXTURE_WHITE,
        .cull = material->cull, .alpha_test = material->alpha_test, .blended = material->blended, .hidden = material->nodraw,
        .look = look->plain ? NULL : look,
    };
}

static void make_looks(ModelSet *set, Entry *entry, Skin *skin) {
    skin->version = materials_version(assets_materials(set->assets));
    if (skin->stages)
        arena_reset(skin->stages);
    else
        skin->stages = arena_open();
    if (!skin->looks)
        skin->looks = arena_array(entry->arena, ModelLook, entry->model->surface_count);
    for (int i = 0; i < entry->model->surface_count; i++) {
        const ModelSurface *surface = &entry->model->surfaces[i];
        char room[256];
        const char *shader = skin->text ? model_skin_shader(skin->text, surface->name, room, sizeof room) : NULL;
        if (!shader)
            shader = surface->shader_count > 0 ? surface->shaders[0] : "";
        skin->looks[i] = look_of(set, skin->stages, shader);
    }
}

static char *copy_of(const char *text) {
    size_t size = strlen(text) + 1;
    return memcpy(mem_alloc(size), text, size);
}

static Skin *read_skin(ModelSet *set, Entry *entry, const char *name, Error *error) {
    FileBytes bytes = { 0 };
    char file[FILE_NAME_ROOM + 64] = "";
    if (name[0]) {
        if (strchr(name, '/') || text_ends_fold(name, ".skin"))
            text_copy(file, sizeof file, name);
        else
            snprintf(file, sizeof file, "%.*s_%s.skin", (int)strlen(entry->name) - 4, entry->name, name);
        if (!files_read(set->files, file, &bytes, error))
            return NULL;
    }
    Skin *skin = mem_zeroed(1, sizeof *skin);
    skin->name = copy_of(name);
    if (name[0]) {
        skin->text = (char *)bytes.bytes;    /* a NUL stands behind it; what follows one inside is not read */
        watch_origin(set, file, skin->disk_path, sizeof skin->disk_path);
    }
    *array_push(&entry->skins) = skin;
    return skin;
}

const ModelLook *models_looks(ModelSet *set, int number, const char *name, Error *error) {
    Entry *entry = set->entries.at[number];
    Skin *skin = NULL;
    name = name ? name : "";
    for (size_t i = 0; i < entry->skins.count && !skin; i++)
        if (strcmp(entry->skins.at[i]->name, name) == 0)
            skin = entry->skins.at[i];
    if (!skin)
        skin = read_skin(set, entry, name, error);
    if (!skin)
        return NULL;
    if (!skin->looks || skin->version != materials_version(assets_materials(set->assets)))
        make_looks(set, entry, skin);
    return skin->looks;
}

void models_file_changed(ModelSet *set, const char *path) {
    bool archive = text_ends_fold(path, ".pk3") || text_ends_fold(path, ".zip");
    for (size_t i = 0; i < set->entries.count; i++) {
        Entry *entry = set->entries.at[i];
        if (strcmp(entry->disk_path, path) == 0 || (archive && !entry->model))
            read_entry(set, entry);
        for (size_t k = 0; k < entry->skins.count; k++)
            if (entry->skins.at[k]->disk_path[0] && strcmp(entry->skins.at[k]->disk_path, path) == 0) {
                forget_skins(entry);    /* those in use are read again when they are next asked for */
                break;
            }
        entry->lod_count = 0;
    }
}
