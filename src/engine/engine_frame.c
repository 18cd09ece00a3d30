/* engine/engine_frame.c -- one frame: the clock, the picture's description, the renderer; and pictures beside it. */
#include "engine/engine_internal.h"
#include "record/record.h"

void engine_tick(Engine *engine, double seconds) {
    EngineClock *clock = &engine->clock;
    clock->delta = clock->paused ? 0 : seconds * clock->scale;
    clock->now += clock->delta;
    clock->frame += clock->ticked;
    clock->ticked = true;
    engine_fly(engine, seconds);
    engine_sim_run(engine);
    engine_sounds_run(engine);
    assets_poll(engine->assets);
    models_poll(engine->models);
    particles_run(&engine->particles, clock->now);
    engine_refresh_geometry(engine);
}

static void describe(Engine *engine, const Scene *scene, Frame *frame, Shade shade) {
    frame->assets = engine->assets;
    frame->level = scene->level;
    frame->shade = shade;
    frame->time = engine->clock.now;
    frame->overbright = (int)engine->var.overbright->number;
    frame->gamma = (float)engine->var.gamma->number;
    frame->clear = (Rgba){ 0, 0, 0, 255 };
    frame->wire = (Rgba){ 255, 255, 255, 255 };
}

/* Lights first: models that are added later are lit by them. */
static void fill_effects(const Engine *engine, Frame *frame) {
    lights_fill(&engine->lights, frame);
    particles_fill(&engine->particles, engine->clock.now, frame);
}

/* A round glow, where the game says no picture for flares. */
static Image make_glow(void) {
    enum { SIDE = 64 };
    Image glow = image_make(SIDE, SIDE);
    for (int i = 0; i < SIDE * SIDE; i++) {
        float x = ((float)(i % SIDE) + 0.5f) / (SIDE / 2) - 1, y = ((float)(i / SIDE) + 0.5f) / (SIDE / 2) - 1, inside = 1 - x * x - y * y;
        memset(glow.rgba + 4 * i, inside > 0 ? (int)(inside * inside * 160) : 0, 3);
        glow.rgba[4 * i + 3] = 255;
    }
    return glow;
}

static int flare_texture(Engine *engine) {
    MaterialSet *materials = assets_materials(engine->assets);
    if (engine->flares.texture && engine->flares.materials == materials_version(materials))
        return engine->flares.texture;
    engine->flares.materials = materials_version(materials);
    const Material *material = material_find(materials, "flareShader");
    bool there = material->base_image && assets_has_image(engine->assets, material->base_image);
    engine->flares.texture = there ? assets_texture_flagged(engine->assets, material->base_image, TEXTURE_CLAMPED)
                                   : assets_texture_from(engine->assets, "a flare's glow", make_glow());
    return engine->flares.texture;
}

static void fill_flares(Engine *engine, Flares *flares, const Scene *scene, Frame *frame) {
    bool wanted = engine->var.flares->number != 0 && frame->level && engine->current && frame->level == &engine->current->level;
    if (wanted)
        flares_fill(flares, scene, engine_collision(engine->current), flare_texture(engine), frame);
    else
        flares_close(flares);    /* switched on again they stand at once */
}

void engine_frame_begin(Engine *engine, int width, int height) {
    if (engine->fov_version != engine->var.fov->version) {    /* a script's own field of view stays until the variable changes */
        engine->fov_version = engine->var.fov->version;
        engine->scene.fov = (float)engine->var.fov->number;
    }
    frame_begin(&engine->frame);
    describe(engine, &engine->scene, &engine->frame, engine->shade);
    engine->scene.areas = engine_areas(engine);
    scene_fill(&engine->scene, &engine->frame, width, height);
    fill_effects(engine, &engine->frame);
    fill_flares(engine, &engine->flares.seen, &engine->scene, &engine->frame);
}

void engine_release_level(Engine *engine) {
    for (int i = 0; i < COUNT_OF(engine->renderers); i++)
        if (engine->renderers[i].kind && engine->renderers[i].serial) {
            engine->renderers[i].kind->use_level(engine->renderers[i].self, NULL, NULL, NULL);
            engine->renderers[i].serial = 0;
        }
}

bool engine_give_level(Engine *engine, int slot, Error *error) {
    const RendererKind *kind = engine->renderers[slot].kind;
    if (!engine->current)
        return true;
    if (strcmp(kind->name, "null") != 0)
        engine_want_textures(engine);
    unsigned serial = engine->current->level.serial;
    if (engine->renderers[slot].serial == serial)
        return true;
    if (!kind->use_level(engine->renderers[slot].self, &engine->current->level, engine->assets, error))
        return false;
    engine->renderers[slot].serial = serial;
    return true;
}

static int current_slot(const Engine *engine, Error *error) {
    for (int i = 0; i < COUNT_OF(engine->renderers); i++)
        if (engine->renderer && engine->renderers[i].kind == engine->renderer)
            return i;
    fail(error, "nothing draws: no rasterizer was chosen");
    return -1;
}

bool engine_frame_draw(Engine *engine, Error *error) {
    if (engine->compare.on)
        return engine_compare_draw(engine, error);
    int slot = current_slot(engine, error);
    return slot >= 0 && engine_give_level(engine, slot, error) &&
           engine->renderer->draw(engine->renderers[slot].self, &engine->frame, error);
}

/* What the renderer left in alpha, where things blend, is no part of the picture. */
static bool made_opaque(Image *image) {
    for (size_t i = 0; i < (size_t)image->width * (size_t)image->height; i++)
        image->rgba[4 * i + 3] = 255;
    image->has_alpha = false;
    return true;
}

bool engine_frame_pixels(Engine *engine, Image *out, Error *error) {
    if (engine->compare.on && engine->compare.picture.rgba) {
        *out = image_copy(&engine->compare.picture);
        return made_opaque(out);
    }
    int slot = current_slot(engine, error);
    return slot >= 0 && engine->renderer->read_pixels(engine->renderers[slot].self, out, error) && made_opaque(out);
}

static void swap_picture(Engine *engine, Scene *scene, Frame *frame) {
    Scene other_scene = engine->scene;
    Frame other_frame = engine->frame;
    engine->scene = *scene;
    engine->frame = *frame;
    *scene = other_scene;
    *frame = other_frame;
}

/* What the request's function draws goes into this picture: its scene and frame stand in the running ones' place, and the
 * level stays. */
static bool fill_picture(Engine *engine, Scene *scene, Frame *frame, const RenderRequest *request, Error *error) {
    bool was_stepping = engine->stepping;
    engine->stepping = true;
    swap_picture(engine, scene, frame);
    bool filled = request->fill(request->user, error);
    swap_picture(engine, scene, frame);
    engine->stepping = was_stepping;
    return filled;
}

bool engine_render(Engine *engine, const RenderRequest *request, Image *out, Error *error) {
    if (!request->renderer && !engine->renderer)
        return fail(error, "nothing draws: no rasterizer was chosen");
    int slot = engine_renderer_slot(engine, request->renderer ? request->renderer : engine->renderer->name, error);
    if (slot < 0)
        return false;
    engine_refresh_geometry(engine);
    if (!engine_give_level(engine, slot, error))
        return false;
    Scene scene;
    scene_open(&scene);
    if (engine->current) {
        scene_use_level(&scene, &engine->current->level);
        int poses = MIN(scene.pose_count, engine->scene.pose_count);
        if (poses)
            memcpy(scene.poses, engine->scene.poses, (size_t)poses * sizeof *scene.poses);
    }
    scene.vis_mode = engine->scene.vis_mode;
    scene.areas = engine_areas(engine);
    scene.locked = engine->scene.locked;
    scene.locked_cluster = engine->scene.locked_cluster;
    scene.origin = request->origin;
    scene.angles = request->angles;
    scene.fov = request->fov;
    Frame frame;
    frame_open(&frame);
    frame_begin(&frame);
    describe(engine, &scene, &frame, request->shade);
    scene_fill(&scene, &frame, request->width, request->height);
    fill_effects(engine, &frame);
    Flares flares = { 0 };
    fill_flares(engine, &flares, &scene, &frame);
    flares_close(&flares);
    bool filled = !request->fill || fill_picture(engine, &scene, &frame, request, error);
    assets_wait(engine->assets);
    const RendererKind *kind = engine->renderers[slot].kind;
    void *self = engine->renderers[slot].self;
    bool drawn = filled && kind->draw(self, &frame, error) && kind->read_pixels(self, out, error) && made_opaque(out);
    frame_close(&frame);
    scene_close(&scene);
    return drawn;
}

/* The first of screenshots/MAP-000.png and so on that is not there yet. */
static void free_name(Engine *engine, char *out, size_t room) {
    const char *map = engine->current ? engine->current->map->name : "nothing";
    for (int number = 0;; number++) {
        Text name = { 0 };
        text_format(&name, "screenshots/%s-%03d.png", map, number);
        text_copy(out, room, text_of(&name));
        text_free(&name);
        if (!files_exists(engine->files, out))
            return;
    }
}

bool engine_screenshot(Engine *engine, const char *name, Text *written, Error *error) {
    if (!files_writable(engine->files))
        return fail(error, "there is no folder to write to");
    char chosen[FILE_NAME_ROOM];
    if (name)
        text_copy(chosen, sizeof chosen, name);
    else
        free_name(engine, chosen, sizeof chosen);
    if (!text_ends_fold(chosen, ".png"))
        return fail(error, "%s: screenshots are .png files", chosen);
    Image image;
    if (!engine_frame_pixels(engine, &image, error))
        return false;
    uint8_t *bytes;
    size_t size;
    bool made = record_png_bytes(&image, 6, &bytes, &size, error);
    image_free(&image);
    if (!made)
        return false;
    bool saved = files_write(engine->files, chosen, bytes, size, error);
    mem_free(bytes);
    if (saved && written)
        text_format(written, "%s/%s", files_writable(engine->files), chosen);
    return saved;
}
