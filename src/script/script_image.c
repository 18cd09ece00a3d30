/* script/script_image.c -- pictures as values of scripts: made by lw.raster.render and lw.bsp.lightmap, drawn by lw.ui.image.
 *
 * The pixels stand in the userdata itself, so that Lua's memory limit counts them and its collector frees them. To be
 * drawn, a picture needs a number in assets; those of pictures that are gone are used again. */
#include "script/script_internal.h"

#include "record/record.h"

typedef struct ScriptImage {
    Image image;             /* its rgba points behind this struct */
    int texture;             /* 0: never drawn yet */
    uint8_t pixels[];
} ScriptImage;

static const char FREE_KEY[] = "lw.image.free";     /* in the registry: names of textures that nobody uses any more */

Image *push_image(lua_State *L, int width, int height) {
    size_t bytes = (size_t)width * (size_t)height * 4;
    ScriptImage *out = script_object(L, "image", sizeof *out + bytes);
    out->image = (Image){ width, height, out->pixels, false };
    return &out->image;
}

void image_take(Image *kept, Image *image) {
    memcpy(kept->rgba, image->rgba, (size_t)kept->width * (size_t)kept->height * 4);
    kept->has_alpha = image->has_alpha;
    image_free(image);
}

static ScriptImage *check_script_image(lua_State *L, int arg) { return check_object(L, arg, "image"); }
const Image *check_image(lua_State *L, int arg) { return &check_script_image(L, arg)->image; }

/* Its name in assets stays its user value until it is collected. */
int image_texture(lua_State *L, int arg) {
    ScriptImage *image = check_script_image(L, arg);
    if (image->texture)
        return image->texture;
    luaL_getsubtable(L, LUA_REGISTRYINDEX, FREE_KEY);
    lua_Integer free_names = (lua_Integer)lua_rawlen(L, -1);
    if (free_names > 0) {
        lua_rawgeti(L, -1, free_names);
        lua_pushnil(L);
        lua_rawseti(L, -3, free_names);
    } else {
        lua_getfield(L, -1, "made");
        lua_Integer made = lua_tointeger(L, -1) + 1;
        lua_pop(L, 1);
        set_integer(L, "made", made);
        lua_pushfstring(L, "*script image %I", (LUAI_UACINT)made);
    }
    const char *name = lua_tostring(L, -1);
    image->texture = assets_texture_from(engine_of(L)->assets, name, image_copy(&image->image));
    lua_setiuservalue(L, arg, 1);
    lua_pop(L, 1);
    return image->texture;
}

static int image_collect(lua_State *L) {
    const ScriptImage *image = lua_touserdata(L, 1);
    if (!image->texture || lua_getiuservalue(L, 1, 1) != LUA_TSTRING)
        return 0;
    assets_texture_from(engine_of(L)->assets, lua_tostring(L, -1), image_make(1, 1));
    luaL_getsubtable(L, LUA_REGISTRYINDEX, FREE_KEY);
    lua_insert(L, -2);
    lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
    return 0;
}

static int image_get(lua_State *L) {
    const Image *image = check_image(L, 1);
    int x = check_count(L, 2, "x", 0, image->width - 1), y = check_count(L, 3, "y", 0, image->height - 1);
    const uint8_t *pixel = image->rgba + ((size_t)y * (size_t)image->width + (size_t)x) * 4;
    for (int i = 0; i < 4; i++)
        lua_pushinteger(L, pixel[i]);
    return 4;
}

int save_image(lua_State *L, const Image *image, const char *path) {
    Engine *engine = engine_of(L);
    Error error;
    uint8_t *bytes;
    size_t size;
    if (!text_ends_fold(path, ".png"))
        return luaL_error(L, "'%s': pictures are saved as .png, not as '%s'", script_name_of(L), path);
    if (!record_png_bytes(image, 6, &bytes, &size, &error))
        return push_failure(L, &error);
    char full[1024];
    bool saved;
    if (script_trusted(L)) {
        text_copy(full, sizeof full, path);
        saved = file_write_disk(path, bytes, size, &error);
    } else {
        const char *folder = files_writable(engine->files);
        snprintf(full, sizeof full, "%s/%s", folder ? folder : "", path);
        saved = files_write(engine->files, path, bytes, size, &error);
    }
    mem_free(bytes);
    if (!saved)
        return push_failure(L, &error);
    lua_pushstring(L, full);
    return 1;
}

static int image_save(lua_State *L) {
    const Image *image = check_image(L, 1);
    return save_image(L, image, check_name(L, 2, "path"));
}

static int image_compare(lua_State *L) {
    const Image *a = check_image(L, 1), *b = check_image(L, 2);
    if (a->width != b->width || a->height != b->height)
        script_refuse(L, 2, "a picture of %dx%d, the other has %dx%d", b->width, b->height, a->width, a->height);
    lua_createtable(L, 0, 5);
    Image difference, *kept = push_image(L, a->width, a->height);
    ImageDiff diff = image_diff(a, b, &difference);
    image_take(kept, &difference);
    lua_setfield(L, -2, "image");
    set_number(L, "psnr", diff.psnr);
    set_number(L, "ssim", diff.ssim);
    set_number(L, "error", diff.error);
    set_integer(L, "max", diff.max);
    return 1;
}

/* upvalue 1: the methods */
static int image_index(lua_State *L) {
    const ScriptImage *image = check_script_image(L, 1);
    const char *key = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
    if (strcmp(key, "width") == 0)
        lua_pushinteger(L, image->image.width);
    else if (strcmp(key, "height") == 0)
        lua_pushinteger(L, image->image.height);
    else
        lua_rawget(L, lua_upvalueindex(1));
    return 1;
}

static int image_newindex(lua_State *L) { return luaL_error(L, "a picture cannot be changed"); }

static int image_tostring(lua_State *L) {
    const Image *image = check_image(L, 1);
    lua_pushfstring(L, "image %dx%d", image->width, image->height);
    return 1;
}

const ScriptField image_fields[] = {
    { "image.width", "integer", "In pixels.", true },
    { "image.height", "integer", "In pixels.", true },
    { NULL, NULL, NULL, false },
};

const ScriptFunction image_methods[] = {
    { "image:get", image_get, "(x: integer, y: integer) -> integer, integer, integer, integer",
      "Red, green, blue and alpha of a pixel, 0..255; x and y count from 0 at the top left." },
    { "image:save", image_save, "(path: string) -> string?, string?",
      "Writes a PNG into the writable folder and returns its path; nil and why when it cannot." },
    { "image:diff", image_compare, "(other: image) -> {psnr: number, ssim: number, error: number, max: integer, image: image}",
      "How much two pictures of one size differ; image shows where (four times the difference)." },
    { NULL, NULL, NULL, NULL },
};

void image_open(lua_State *L) {
    static const luaL_Reg meta[] = {
        { "__index", image_index }, { "__newindex", image_newindex }, { "__gc", image_collect }, { "__tostring", image_tostring },
        { NULL, NULL },
    };
    script_class(L, "image", image_methods, meta);
}
