/* engine/engine.c -- the program's parts, opened in order and closed in reverse; its variables; its renderers. */
#include "engine/engine_internal.h"

static void define_vars(Engine *engine) {
    Vars *vars = engine->vars;
    engine->var = (struct EngineVars){
        .overbright = var_choice(vars, "r.overbright", "0|1", "1", "1: lightmaps may double the picture's brightness, as on a full screen; 0: as in a window"),
        .gamma = var_number(vars, "r.gamma", 1, 0.5, 3, "brightens the whole picture"),
        .subdivisions = var_number(vars, "r.subdivisions", 4, 0.25, 80, "how far, in units, a drawn curve may be from the true one"),
        .areas = var_flag(vars, "r.areas", true, "leaves out the areas behind shut doors that fill an area portal"),
        .flares = var_flag(vars, "r.flares", false, "draws flares of lights"),
        .fov = var_number(vars, "r.fov", 90, 1, 170, "horizontal field of view in degrees"),
        .fly_speed = var_number(vars, "fly.speed", 400, 1, 20000, "units per second of free flying; the wheel changes it"),
        .sensitivity = var_number(vars, "in.sensitivity", 0.15, 0.001, 10, "degrees per pixel that the mouse moves"),
        .volume = var_number(vars, "s.volume", 0.7, 0, 1, "how loud sounds are; 0: none"),
        .map_ent = var_flag(vars, "map.ent", true, "entities of maps/NAME.ent, where there is one, in place of the level's own"),
        .vsync = var_flag(vars, "r.vsync", true, "waits for the screen before showing a picture"),
    };
    for (int i = 0; renderer_at(i); i++)    /* those of renderers that are not open yet can be set, and Tab knows them */
        if (renderer_at(i)->define)
            renderer_at(i)->define(vars);
}

static bool open_files(Engine *engine, Error *error) {
    const EngineSetup *setup = &engine->setup;
    engine->files = files_open(engine->log);
    Text maps = { 0 };
    text_format(&maps, "%s/maps", setup->data_folder);
    bool added = !file_folder_disk(text_of(&maps)) || files_add(engine->files, text_of(&maps), error);
    text_free(&maps);
    if (!added || (setup->game && !files_add_game(engine->files, setup->game, error)))
        return false;
    for (int i = 0; i < setup->path_count; i++)
        if (!files_add(engine->files, setup->paths[i], error))
            return false;
    if (setup->writable)
        files_set_writable(engine->files, setup->writable);
    return true;
}

Engine *engine_open(const EngineSetup *setup, Error *error) {
    Engine *engine = mem_zeroed(1, sizeof *engine);
    engine->setup = *setup;
    engine->vars = setup->vars;
    engine->log = setup->log;
    engine->clock.scale = 1;
    scene_open(&engine->scene);
    frame_open(&engine->frame);
    engine->console = console_open(engine->vars);
    define_vars(engine);
    engine_commands(engine);
    if (!open_files(engine, error)) {
        engine_close(engine);
        return NULL;
    }
    engine->jobs = jobs_open(setup->threads);
    if (setup->watch)
        engine->watch = watch_open();
    engine->assets = assets_open(engine->files, engine->jobs, engine->watch, engine->log);
    engine->models = models_open(engine->files, engine->assets, engine->watch, engine->log);
    return engine;
}

void engine_close(Engine *engine) {
    if (!engine)
        return;
    engine_release_level(engine);
    engine_sounds_close(engine);
    engine_sim_close(engine);
    for (int i = 0; i < COUNT_OF(engine->renderers); i++)
        if (engine->renderers[i].kind)
            engine->renderers[i].kind->close(engine->renderers[i].self);
    image_free(&engine->compare.picture);
    engine_close_fonts(engine);
    frame_close(&engine->frame);
    scene_close(&engine->scene);
    if (engine->current)
        engine_close_level(engine, engine->current);
    particles_close(&engine->particles);
    lights_close(&engine->lights);
    flares_close(&engine->flares.seen);
    models_close(engine->models);
    if (engine->assets)
        assets_close(engine->assets);
    if (engine->platform)
        platform_close(engine->platform);
    jobs_close(engine->jobs);
    if (engine->watch)
        watch_close(engine->watch);
    if (engine->files)
        files_close(engine->files);
    console_close(engine->console);
    mem_free(engine);
}

static int open_renderer(Engine *engine, const RendererKind *kind, int slot, Error *error) {
    bool needs_gl = strcmp(kind->name, "gl") == 0;
    if (needs_gl && !engine->platform) {
        PlatformSetup unseen = { .window = false, .width = 64, .height = 64, .title = "leafwalk", .log = engine->log };
        engine->platform = platform_open(&unseen, error);
        if (!engine->platform)
            return -1;
    }
    bool has_gl = engine->platform && platform_has_gl(engine->platform);
    if (needs_gl && !has_gl) {
        fail(error, "no OpenGL 3.3 context is to be had here");
        return -1;
    }
    Text shaders = { 0 };
    text_format(&shaders, "%s/shaders", engine->setup.data_folder);
    RendererSetup setup = {
        .vars = engine->vars, .jobs = engine->jobs, .log = engine->log, .shader_folder = text_of(&shaders),
        .gl_loader = has_gl ? platform_gl_loader : NULL, .watch = engine->watch,
    };
    void *self = kind->open(&setup, error);
    text_free(&shaders);
    if (!self)
        return -1;
    engine->renderers[slot].kind = kind;
    engine->renderers[slot].self = self;
    engine->renderers[slot].serial = 0;
    return slot;
}

static void renderer_names(Text *out) {
    for (int i = 0; renderer_at(i); i++)
        text_format(out, "%s%s", i ? ", " : "", renderer_at(i)->name);
}

int engine_renderer_slot(Engine *engine, const char *name, Error *error) {
    const RendererKind *kind = renderer_by_name(name);
    if (!kind) {
        Text names = { 0 };
        renderer_names(&names);
        fail(error, "there is no rasterizer \"%s\" (there are: %s)", name, text_of(&names));
        text_free(&names);
        return -1;
    }
    for (int i = 0; i < COUNT_OF(engine->renderers); i++) {
        if (engine->renderers[i].kind == kind)
            return i;
        if (!engine->renderers[i].kind)
            return open_renderer(engine, kind, i, error);
    }
    fail(error, "no more than %d rasterizers can be open", COUNT_OF(engine->renderers));
    return -1;
}

bool engine_open_renderer(Engine *engine, const char *name, Error *error) { return engine_renderer_slot(engine, name, error) >= 0; }

bool engine_use_renderer(Engine *engine, const char *name, Error *error) {
    int slot = engine_renderer_slot(engine, name, error);
    if (slot < 0)
        return false;
    engine->renderer = engine->renderers[slot].kind;
    return true;
}

void *engine_renderer_self(Engine *engine, const RendererKind *kind) {
    for (int i = 0; i < COUNT_OF(engine->renderers); i++)
        if (kind && engine->renderers[i].kind == kind)
            return engine->renderers[i].self;
    return NULL;
}

bool engine_window(Engine *engine, int width, int height, Error *error) {
    PlatformSetup setup = { .window = true, .width = width, .height = height, .title = "Leafwalk", .log = engine->log };
    engine->platform = platform_open(&setup, error);
    return engine->platform != NULL;
}

/* Other pictures, blends, sides: renderers take the level anew. */
static void materials_changed(Engine *engine) {
    if (!engine->current)
        return;
    engine->current->textures_wanted = false;
    engine->current->level.serial = ++engine->level_serial;
}

bool engine_override_material(Engine *engine, const char *name, const char *text, Text *told, Error *error) {
    if (!materials_override(assets_materials(engine->assets), name, text, told, error))
        return false;
    materials_changed(engine);
    return true;
}

void engine_file_changed(Engine *engine, const char *path) {
    const MaterialSet *materials = assets_materials(engine->assets);
    unsigned version = materials_version(materials);
    assets_file_changed(engine->assets, path);
    models_file_changed(engine->models, path);
    if (materials_version(materials) != version)
        materials_changed(engine);
    for (int i = 0; i < COUNT_OF(engine->renderers); i++)
        if (engine->renderers[i].kind && engine->renderers[i].kind->file_changed)
            engine->renderers[i].kind->file_changed(engine->renderers[i].self, path);
    if (!engine->current || strcmp(engine->current->path, path) != 0)
        return;
    Error error;
    if (!engine_reload_map(engine, &error))
        log_error(engine->log, "%s (the last good version stays)", error.text);
}
