/* script/lw_record.c -- lw.record: pictures and films of what is on screen. */
#include <math.h>

#include "script/filming.h"
#include "script/host_internal.h"

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

/* Films */

static const char *const film_fields[] = { "path", "fps", "size", "rasterizer", "passes", "blur", "shutter", "encoder", "force", NULL };

static void check_film_fields(lua_State *L) {
    check_table(L, 1, "a table {path, fps, size, rasterizer, passes, blur, shutter, encoder, force}");
    check_fields(L, 1, 1, "", film_fields);
}

/* A text field of argument 1, which keeps it; NULL: not there. */
static const char *text_field(lua_State *L, const char *name) {
    int type = lua_getfield(L, 1, name);
    if (type != LUA_TNIL && type != LUA_TSTRING)
        script_refuse(L, 1, "%s is a text, got %s", name, luaL_typename(L, -1));
    return type == LUA_TNIL ? NULL : check_name(L, lua_gettop(L), name);
}

/* {width, height}, "WxH" or {width = , height = } */
static void size_field(lua_State *L, int *width, int *height) {
    int type = lua_getfield(L, 1, "size");
    double sides[2] = { *width, *height };
    if (type == LUA_TSTRING) {
        const char *end;
        sides[0] = text_number(lua_tostring(L, -1), &end);
        if ((*end != 'x' && *end != 'X') || !text_whole_number(end + 1, &sides[1]))
            sides[0] = 0;
    } else if (type == LUA_TTABLE) {
        static const char *const names[] = { "width", "height" };
        for (int i = 0; i < 2; i++) {
            if (lua_rawgeti(L, -1, i + 1) == LUA_TNIL)
                lua_getfield(L, -2, names[i]);
            else
                lua_pushnil(L);
            int at = lua_isnumber(L, -2) ? -2 : -1;
            sides[i] = lua_type(L, at) == LUA_TNUMBER ? lua_tonumber(L, at) : 0;
            lua_pop(L, 2);
        }
    } else if (type != LUA_TNIL) {
        sides[0] = 0;
    }
    for (int i = 0; i < 2; i++)
        if (!(sides[i] >= 1 && sides[i] <= IMAGE_LARGEST) || sides[i] != floor(sides[i]))
            script_refuse(L, 1, "size is {width, height} or \"WxH\", each from 1 to %d", IMAGE_LARGEST);
    lua_pop(L, 1);
    *width = (int)sides[0];
    *height = (int)sides[1];
}

/* A list of names or one text with commas, as a text on the top. */
static const char *passes_field(lua_State *L) {
    int type = lua_getfield(L, 1, "passes");
    if (type != LUA_TTABLE) {
        lua_pop(L, 1);
        return text_field(L, "passes");
    }
    luaL_Buffer names;
    int list = lua_gettop(L);
    luaL_buffinit(L, &names);
    for (lua_Integer i = 1, count = (lua_Integer)lua_rawlen(L, list); i <= count; i++) {
        if (i > 1)
            luaL_addchar(&names, ',');
        if (lua_rawgeti(L, list, i) != LUA_TSTRING)
            script_refuse(L, 1, "passes is a list of texts, got %s", luaL_typename(L, -1));
        luaL_addvalue(&names);
    }
    luaL_pushresult(&names);
    return lua_tostring(L, -1);
}

/* Where a film may be written: anywhere by trusted scripts, else below the writable folder. Pushes the path. */
static const char *film_place(lua_State *L, const char *path, Error *error) {
    if (script_trusted(L))
        return lua_pushstring(L, path);
    char clean[FILE_NAME_ROOM];
    const char *folder = files_writable(engine_of(L)->files);
    if (!folder || !file_name_clean(path, clean, sizeof clean) || strcmp(path, "-") == 0) {
        if (!folder)
            fail(error, "%s: there is no folder to write to", path);
        else
            fail(error, "%s: a film's name is inside the writable folder (--trust: anywhere)", path);
        return NULL;
    }
    const char *full = lua_pushfstring(L, "%s/%s", folder, clean);
    return film_make_folders(full, error) ? full : NULL;
}

static int record_start(lua_State *L) {
    Scripts *scripts = scripts_of(L);
    Error error;
    lua_settop(L, 1);
    check_film_fields(L);
    FilmingSetup setup = { .film = { .width = PICTURE_WIDTH, .height = PICTURE_HEIGHT, .last = -1 } };
    const char *path = text_field(L, "path");
    if (!path)
        script_refuse(L, 1, "path is missing: where the film goes");
    if (film_kind(path) == FILM_NONE)
        script_refuse(L, 1, "path '%s': films are .y4m, .mp4, .mkv, .webm, .mov or pictures as dir/%%05d.png", path);
    const View *view = &engine_of(L)->frame.view;
    if (view->width > 0 && !scripts->by_frames) {    /* that of the window */
        setup.film.width = view->width;
        setup.film.height = view->height;
    }
    size_field(L, &setup.film.width, &setup.film.height);
    lua_getfield(L, 1, "fps");
    const char *fps = lua_isnil(L, -1) ? "60" : lua_isnumber(L, -1) || lua_isstring(L, -1) ? luaL_tolstring(L, -1, NULL) : "";
    if (!fps_read(fps, &setup.film.fps_num, &setup.film.fps_den))
        script_refuse(L, 1, "fps is a number of 1..%d or a fraction as \"30000/1001\"", FPS_MOST);
    setup.blur = (int)field_number(L, 1, "blur", 1, 1, BLUR_MOST);
    setup.shutter = field_number(L, 1, "shutter", 180, 1, 360);
    setup.rasterizer = text_field(L, "rasterizer");
    setup.passes = passes_field(L);
    setup.film.encoder = text_field(L, "encoder");
    lua_getfield(L, 1, "force");
    setup.film.force = lua_toboolean(L, -1);
    if (setup.film.encoder && !script_trusted(L))    /* ffmpeg can read and write any file */
        script_refuse(L, 1, "encoder is for trusted scripts (--trust)");
    setup.film.path = film_place(L, path, &error);
    if (!setup.film.path || !filming_open(scripts, &setup, &error))
        return push_failure(L, &error);
    lua_pushstring(L, setup.film.path);
    return 1;
}

static int record_stop(lua_State *L) {
    Scripts *scripts = scripts_of(L);
    Filming *filming = scripts->filming;
    if (!filming) {
        lua_pushnil(L);
        lua_pushstring(L, "no film is being made");
        return 2;
    }
    lua_pushinteger(L, (lua_Integer)filming_next(filming));
    if (filming_busy(filming)) {    /* called from a frame of it: that one is the last */
        filming_stop(filming);
        return 1;
    }
    Error error;
    return filming_close(filming, &error) ? 1 : push_failure(L, &error);
}

static int record_active(lua_State *L) {
    lua_pushboolean(L, scripts_of(L)->filming != NULL);
    return 1;
}

static const ScriptFunction functions[] = {
    { "start", record_start,
      "(film: {path: string, fps: number|string, size: any, rasterizer: string, passes: any, blur: integer, shutter: number, encoder: string, force: boolean}) -> string?, string?",
      "Begins a film (.y4m, .mp4, .mkv, .webm, .mov or dir/%05d.png); all but path may be left out. From now on the clock goes by its frames: "
      "in the window each picture is one, in exec `lw.time.step` takes those that come due. Returns where it is written, or nil and why not." },
    { "stop", record_stop, "() -> integer?, string?",
      "Ends the film, within a frame of it after that frame; returns how many frames were begun, or nil and what went wrong." },
    { "active", record_active, "() -> boolean", "Whether a film is being made." },
    { "screenshot", record_screenshot, "(path?: string) -> string?, string?",
      "Writes the last frame as a PNG into the writable folder (without a path as screenshots/MAP-NUMBER.png); returns where "
      "it is, or nil and why it could not." },
    { NULL, NULL, NULL, NULL },
};

const ScriptModule lw_record_module = { .name = "record", .help = "Pictures and films of what is on screen.", .functions = functions };
