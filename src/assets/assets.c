/* assets/assets.c -- pictures by number, decoded by worker threads. */
#include "assets/assets.h"

#include <stdio.h>

#include "base/lock.h"
#include "base/table.h"

typedef struct Slot {
    Texture texture;
    char disk_path[4096];        /* where its picture came from; "": nowhere yet, or a script */
    bool owns;                   /* texture.image is its own, not the checker picture's */
    bool busy, again;            /* a worker has it; it changed meanwhile */
    bool told;                   /* that it is missing: one message a name */
} Slot;

/* One picture on its way. */
typedef struct Work {
    Assets *assets;
    int number;
    const char *name;
    bool done;
    Image image;
    char found[FILE_NAME_ROOM];
    Error error;
} Work;

struct Assets {
    Files *files;
    Jobs *jobs;
    Watch *watch;
    const Log *log;
    MaterialSet *materials;
    Arena *arena;                /* slots and names */
    ARRAY(Slot *) slots;
    Table by_name;               /* number + 1 as a pointer */
    int loading;                 /* works started and not taken in */
    Lock lock;                   /* of `finished` alone: all else belongs to the main thread */
    ARRAY(Work *) finished;
};

/* The engine's picture for what is missing: dark with a light edge, so that it shows as a grid. */
static Image missing_image(void) {
    enum { SIDE = 16, DARK = 32, LIGHT = 255 };
    Image image = image_make(SIDE, SIDE);
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            bool edge = x == 0 || y == 0 || x == SIDE - 1 || y == SIDE - 1;
            uint8_t *p = image.rgba + (y * SIDE + x) * 4;
            memset(p, edge ? LIGHT : DARK, 3);
            p[3] = 255;
        }
    image.has_alpha = false;
    return image;
}

static Image white_image(void) {
    Image image = image_make(1, 1);
    memset(image.rgba, 255, 4);
    image.has_alpha = false;
    return image;
}

static int slot_add(Assets *assets, const char *name) {
    Slot *slot = arena_new(assets->arena, Slot);
    slot->texture.name = arena_text(assets->arena, name);
    *array_push(&assets->slots) = slot;
    int number = (int)assets->slots.count - 1;
    *table_place(&assets->by_name, slot->texture.name) = (void *)(intptr_t)(number + 1);
    return number;
}

static int slot_named(const Assets *assets, const char *name) {
    return (int)(intptr_t)table_find(&assets->by_name, name) - 1;
}

static void set_image(Assets *assets, int number, Image image, TextureState state) {
    Slot *slot = assets->slots.at[number];
    if (slot->owns)
        image_free(&slot->texture.image);
    slot->owns = image.rgba != NULL;
    slot->texture.image = slot->owns ? image : assets->slots.at[TEXTURE_MISSING]->texture.image;
    slot->texture.state = state;
    slot->texture.version++;
}

static void watch_scripts(Assets *assets) {
    if (!assets->watch)
        return;
    Arena *arena = arena_open();
    const char **paths;
    int count = materials_disk_paths(assets->materials, arena, &paths);
    for (int i = 0; i < count; i++)
        watch_add(assets->watch, paths[i]);
    arena_close(arena);
}

Assets *assets_open(Files *files, Jobs *jobs, Watch *watch, const Log *log) {
    Assets *assets = mem_zeroed(1, sizeof *assets);
    assets->files = files;
    assets->jobs = jobs;
    assets->watch = watch;
    assets->log = log;
    assets->arena = arena_open();
    lock_init(&assets->lock);
    set_image(assets, slot_add(assets, "*missing"), missing_image(), TEXTURE_READY);
    set_image(assets, slot_add(assets, "*white"), white_image(), TEXTURE_READY);
    assets->materials = materials_open(files, log);
    watch_scripts(assets);
    return assets;
}

void assets_close(Assets *assets) {
    if (!assets)
        return;
    assets_wait(assets);
    for (size_t i = 0; i < assets->slots.count; i++)
        if (assets->slots.at[i]->owns)
            image_free(&assets->slots.at[i]->texture.image);
    materials_close(assets->materials);
    array_free(&assets->slots);
    array_free(&assets->finished);
    table_free(&assets->by_name);
    lock_end(&assets->lock);
    arena_close(assets->arena);
    mem_free(assets);
}

MaterialSet *assets_materials(Assets *assets) { return assets->materials; }

static void load_picture(void *user) {
    Work *work = user;
    Assets *assets = work->assets;
    work->done = image_load(assets->files, work->name, &work->image, work->found, &work->error);
    lock_write(&assets->lock);
    *array_push(&assets->finished) = work;
    lock_give(&assets->lock);
}

static void start_loading(Assets *assets, int number) {
    Slot *slot = assets->slots.at[number];
    slot->again = slot->busy;
    if (slot->busy)
        return;
    slot->busy = true;
    assets->loading++;
    Work *work = mem_zeroed(1, sizeof *work);
    work->assets = assets;
    work->number = number;
    work->name = slot->texture.name;
    jobs_start(assets->jobs, load_picture, work);
}

int assets_texture(Assets *assets, const char *name) { return assets_texture_flagged(assets, name, 0); }

bool assets_has_image(const Assets *assets, const char *name) {
    char clean[FILE_NAME_ROOM], found[FILE_NAME_ROOM];
    if (!file_name_clean(name, clean, sizeof clean))
        return false;
    return slot_named(assets, clean) >= 0 || (assets->files && image_find(assets->files, clean, 0, found));
}

int assets_texture_flagged(Assets *assets, const char *name, int flags) {
    if (text_same(name, "$whiteimage") || text_same(name, "$white") || text_same(name, "$lightmap"))
        return TEXTURE_WHITE;
    char clean[FILE_NAME_ROOM];
    if (!file_name_clean(name, clean, sizeof clean))
        return TEXTURE_MISSING;
    char key[FILE_NAME_ROOM + 4];
    snprintf(key, sizeof key, flags ? "%s:%d" : "%s", clean, flags);    /* no clean name has a ':' */
    int number = slot_named(assets, key);
    if (number >= 0)
        return number;
    number = slot_add(assets, key);
    Texture *texture = &assets->slots.at[number]->texture;
    texture->flags = flags;
    texture->name = arena_text(assets->arena, clean);
    set_image(assets, number, (Image){ 0 }, TEXTURE_LOADING);
    start_loading(assets, number);
    return number;
}

int assets_texture_from(Assets *assets, const char *name, Image image) {
    int number = slot_named(assets, name);
    if (number < 0)
        number = slot_add(assets, name);
    set_image(assets, number, image, TEXTURE_READY);
    assets->slots.at[number]->disk_path[0] = 0;
    return number;
}

const Texture *assets_texture_at(const Assets *assets, int number) {
    bool known = number >= 0 && (size_t)number < assets->slots.count;
    return &assets->slots.at[known ? number : TEXTURE_MISSING]->texture;
}

int assets_texture_count(const Assets *assets) { return (int)assets->slots.count; }

/* What a worker brought. A picture that was good and is now damaged (half written, say) stays as it was. */
static bool take_in(Assets *assets, Work *work) {
    Slot *slot = assets->slots.at[work->number];
    bool changed = work->done || slot->texture.state != TEXTURE_READY;
    if (!work->done && !slot->told)
        log_warn(assets->log, "%s", work->error.text);
    slot->told = !work->done;
    if (changed)
        set_image(assets, work->number, work->image, work->done ? TEXTURE_READY : TEXTURE_ABSENT);
    if (work->done) {
        if (!files_disk_path(assets->files, work->found, slot->disk_path, sizeof slot->disk_path))
            slot->disk_path[0] = 0;
        if (assets->watch && slot->disk_path[0])
            watch_add(assets->watch, slot->disk_path);
    }
    slot->busy = false;
    assets->loading--;
    if (slot->again)
        start_loading(assets, work->number);
    return changed;
}

bool assets_poll(Assets *assets) {
    bool changed = false;
    while (assets->loading) {
        lock_write(&assets->lock);
        Work *work = assets->finished.count ? assets->finished.at[--assets->finished.count] : NULL;
        lock_give(&assets->lock);
        if (!work)
            break;
        changed = take_in(assets, work) || changed;
        mem_free(work);
    }
    return changed;
}

void assets_wait(Assets *assets) {
    while (assets->loading) {
        jobs_wait(assets->jobs);
        assets_poll(assets);
    }
}

static bool is_image(const char *path) {
    return text_ends_fold(path, ".tga") || text_ends_fold(path, ".jpg") || text_ends_fold(path, ".jpeg") ||
           text_ends_fold(path, ".png");
}
static bool is_script(const char *path) { return text_ends_fold(path, ".shader"); }
static bool is_archive(const char *path) { return text_ends_fold(path, ".pk3") || text_ends_fold(path, ".zip"); }

void assets_file_changed(Assets *assets, const char *path) {
    if (is_archive(path))
        files_refresh(assets->files);
    if (is_script(path) || is_archive(path)) {
        materials_reload(assets->materials);
        watch_scripts(assets);
    }
    for (size_t i = 0; i < assets->slots.count; i++) {
        const Slot *slot = assets->slots.at[i];
        bool absent = slot->texture.state == TEXTURE_ABSENT && (is_image(path) || is_archive(path));    /* it may be there now */
        if (absent || (slot->disk_path[0] && strcmp(slot->disk_path, path) == 0))
            start_loading(assets, (int)i);
    }
}
