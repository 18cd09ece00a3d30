/* script/lw_record.c -- lw.record: pictures of what is on screen. */
#include "script/script_internal.h"

enum { PICTURE_WIDTH = 1280, PICTURE_HEIGHT = 720 };    /* where no window gives a size: as `leafwalk render` */

/* The last frame; where none was drawn yet (exec), a picture from the eye. */
static bool take_picture(Engine *engine, Image *out, Error *error) {
    if (!engine->renderer && !engine_use_renderer(engine, "gl", error))
        return false;
    if (engine_frame_pixels(engine, out, NULL))
        return true;
    const Scene *scene = &engine->scene;
    RenderRequest request = { .origin = scene->origin, .angles = scene->angles, .fov = scene->fov, .width = PICTURE_WIDTH,
                              .height = PICTURE_HEIGHT, .shade = engine->shade };
    return engine_render(engine, &request, out, error);
}

static int record_screenshot(lua_State *L) {
    const char *path = lua_isnoneornil(L, 1) ? NULL : check_name(L, 1, "path");
    Engine *engine = engine_of(L);
    Error error;
    Image image;
    if (!path) {
        Text written = { 0 };
        bool saved = engine_screenshot(engine, NULL, &written, &error);
        lua_pushstring(L, saved ? text_of(&written) : NULL);
        text_free(&written);
        return saved ? 1 : push_failure(L, &error);
    }
    if (!text_ends_fold(path, ".png"))
        script_refuse(L, 1, "screenshots are .png files, not '%s'", path);
    if (!take_picture(engine, &image, &error))
        return push_failure(L, &error);
    int results = save_image(L, &image, path);
    image_free(&image);
    return results;
}

static const ScriptFunction functions[] = {
    { "screenshot", record_screenshot, "(path?: string) -> string?, string?",
      "Writes the last frame as a PNG into the writable folder (without a path as screenshots/MAP-NUMBER.png); returns where "
      "it is, or nil and why it could not." },
    { NULL, NULL, NULL, NULL },
};

const ScriptModule lw_record_module = { .name = "record", .help = "Pictures of what is on screen.", .functions = functions };
