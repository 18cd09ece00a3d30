/* script/lw_draw_models.c -- lw.draw's models (MD3) and sprites. */
#include <limits.h>
#include <math.h>

#include "base/trig.h"
#include "script/lw_draw_internal.h"

/* ---- the style of a model ---- */

typedef struct ModelStyle { SceneModel model; Vec3 angles; const char *skin; int lod; } ModelStyle;    /* lod -1: by its size */

static const char *const fields[] = { "origin", "angles", "frame", "old_frame", "mix", "scale", "skin", "bright", "lod" };
enum { FIELD_ORIGIN, FIELD_ANGLES, FIELD_FRAME, FIELD_OLD_FRAME, FIELD_MIX, FIELD_SCALE, FIELD_SKIN, FIELD_BRIGHT, FIELD_LOD };

/* Frames are counted on: a number beyond the model's last is its first, as in the engine. */
static int frame_value(lua_State *L, int arg, const char *what) { return (int)floor(value_number(L, arg, what, -1e9, 1e9)); }

static void take_field(lua_State *L, int arg, int field, ModelStyle *out) {    /* its value is on the top */
    SceneModel *model = &out->model;
    switch (field) {
    case FIELD_ORIGIN: model->origin = value_point(L, arg, "a model's origin"); break;
    case FIELD_ANGLES: out->angles = value_point(L, arg, "a model's angles"); break;
    case FIELD_FRAME: model->frame = frame_value(L, arg, "a model's frame"); break;
    case FIELD_OLD_FRAME: model->old_frame = frame_value(L, arg, "a model's old_frame"); break;
    case FIELD_MIX: model->mix = (float)value_number(L, arg, "a model's mix", 0, 1); break;
    case FIELD_SCALE: model->scale = (float)value_number(L, arg, "a model's scale", -1e6, 1e6); break;
    case FIELD_BRIGHT: model->bright = lua_toboolean(L, -1); break;
    case FIELD_LOD: out->lod = (int)value_number(L, arg, "a model's lod", 0, MODEL_LODS - 1); break;
    case FIELD_SKIN:
        if (lua_type(L, -1) != LUA_TSTRING || strlen(lua_tostring(L, -1)) != lua_rawlen(L, -1))
            script_refuse(L, arg, "a model's skin is a name, got %s", luaL_typename(L, -1));
        out->skin = lua_tostring(L, -1);    /* the style's table keeps it */
        break;
    }
}

static ModelStyle check_model_style(lua_State *L, int arg) {
    ModelStyle out = { .model = { .scale = 1, .mix = 1, .old_frame = INT_MIN }, .lod = -1 };
    out.model.tint = check_style(L, arg).color;
    for (int i = 0; i < COUNT_OF(fields) && !lua_isnoneornil(L, arg); i++) {
        if (lua_getfield(L, arg, fields[i]) != LUA_TNIL)
            take_field(L, arg, i, &out);
        if (i != FIELD_SKIN)    /* a skin's name that a metamethod made must live on */
            lua_pop(L, 1);
    }
    if (out.model.old_frame == INT_MIN)
        out.model.old_frame = out.model.frame;
    return out;
}

/* Where the model is, or -1 with nil and why on the stack. */
static int find_model(lua_State *L, int arg) {
    Error error;
    int number = models_find(engine_of(L)->models, check_name(L, arg, "model"), &error);
    if (number < 0)
        push_failure(L, &error);
    return number;
}

static bool skin_fits(lua_State *L, int number, const char *skin) {
    Error error;
    if (models_looks(engine_of(L)->models, number, skin, &error))
        return true;
    push_failure(L, &error);
    return false;
}

/* The frame has a level of its own only where one is open. */
static bool add_model(Engine *engine, int number, const ModelStyle *style) {
    const Model *whole = models_at(engine->models, number);
    SceneModel model = style->model;
    int lod = style->lod;
    if (lod < 0)
        lod = scene_model_lod(&engine->frame.view, model_bounds(whole, model.old_frame, model.frame), model.origin, model.scale,
                              models_lod_count(engine->models, number));
    int chosen = models_lod(engine->models, number, lod);
    model.model = models_at(engine->models, chosen);
    model.surfaces = models_looks(engine->models, chosen, chosen == number ? style->skin : NULL, NULL);
    return scene_add_model(&engine->scene, &engine->frame, &model);
}

int draw_model(lua_State *L) {
    check_map(L);
    int number = find_model(L, 1);
    if (number < 0)
        return 2;
    ModelStyle style = check_model_style(L, 2);
    if (!skin_fits(L, number, style.skin))
        return 2;
    style.model.axes = axes_from_angles(style.angles);
    lua_pushboolean(L, add_model(engine_of(L), number, &style));
    return 1;
}

static float yaw_at(lua_State *L, int list, int i) {
    lua_rawgeti(L, list, i);
    double yaw = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : NAN;
    if (!isfinite(yaw))
        script_refuse(L, 3, "yaws has a number for each place, item %d is %s", i, luaL_typename(L, -1));
    lua_pop(L, 1);
    return (float)yaw;
}

int draw_models(lua_State *L) {
    lua_settop(L, 3);
    check_map(L);
    int number = find_model(L, 1);
    if (number < 0)
        return 2;
    Points points = check_points(L, 2);
    ModelStyle style = check_model_style(L, 3);
    if (!skin_fits(L, number, style.skin))
        return 2;
    int yaws = 0;
    if (lua_type(L, 3) == LUA_TTABLE && lua_getfield(L, 3, "yaws") != LUA_TNIL) {
        if (lua_type(L, -1) != LUA_TTABLE)
            script_refuse(L, 3, "yaws is a list of numbers, got %s", luaL_typename(L, -1));
        yaws = lua_gettop(L);
    }
    style.model.axes = axes_from_angles(style.angles);
    int seen = 0;
    for (int i = 0; i < points.count; i++) {
        style.model.origin = points_at(L, &points, i);
        if (yaws)
            style.model.axes = axes_from_angles(vec3_at(style.angles.x, style.angles.y + yaw_at(L, yaws, i + 1), style.angles.z));
        seen += add_model(engine_of(L), number, &style);
    }
    lua_pushinteger(L, seen);
    return 1;
}


/* ---- what a model has ---- */

int draw_model_info(lua_State *L) {
    int number = find_model(L, 1);
    if (number < 0)
        return 2;
    const Model *model = models_at(engine_of(L)->models, number);
    lua_createtable(L, 0, 8);
    set_integer(L, "frames", model->frame_count);
    set_integer(L, "triangles", model->triangle_count);
    set_integer(L, "lods", models_lod_count(engine_of(L)->models, number));
    lua_createtable(L, model->surface_count, 0);
    int vertices = 0;
    for (int i = 0; i < model->surface_count; i++) {
        lua_pushstring(L, model->surfaces[i].name);
        lua_rawseti(L, -2, i + 1);
        vertices += model->surfaces[i].vertex_count;
    }
    lua_setfield(L, -2, "surfaces");
    set_integer(L, "vertices", vertices);
    lua_createtable(L, model->tag_count, 0);
    for (int i = 0; i < model->tag_count; i++) {
        lua_pushstring(L, model->tag_names[i]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, "tags");
    Box bounds = model_bounds(model, 0, 0);
    set_vec3(L, "mins", bounds.mins);
    set_vec3(L, "maxs", bounds.maxs);
    return 1;
}

/* Angles whose axes are these. */
static Vec3 angles_of(const Axes *axes) {
    Vec3 angles = angles_from_forward(axes->forward);
    Axes level = axes_from_angles(angles);
    double roll = trig_degrees(trig_atan2(-vec3_dot(axes->right, level.up), vec3_dot(axes->right, level.right)));
    return vec3_at(angles.x, angles.y, (float)roll);
}

int draw_tag(lua_State *L) {
    int number = find_model(L, 1);
    if (number < 0)
        return 2;
    const Model *model = models_at(engine_of(L)->models, number);
    int tag = model_tag_by_name(model, check_name(L, 2, "tag"));
    if (tag < 0) {
        lua_pushnil(L);
        lua_pushfstring(L, "%s: no tag '%s'", lua_tostring(L, 1), lua_tostring(L, 2));
        return 2;
    }
    ModelStyle style = check_model_style(L, 3);
    Axes axes = axes_from_angles(style.angles);
    ModelTag at = model_tag(model, tag, style.model.old_frame, style.model.frame, style.model.mix);
    const Vec3 *parts[4] = { &at.origin, &at.axes.forward, &at.axes.right, &at.axes.up };
    Vec3 placed[4];
    for (int i = 0; i < 4; i++) {
        Vec3 p = *parts[i];
        placed[i] = vec3_add_scaled(vec3_add_scaled(vec3_scale(axes.forward, p.x), axes.right, -p.y), axes.up, p.z);
    }
    push_vec3(L, vec3_add_scaled(style.model.origin, placed[0], style.model.scale));
    push_vec3(L, angles_of(&(Axes){ placed[1], placed[2], placed[3] }));
    return 2;
}


/* ---- sprites ---- */

static int check_picture(lua_State *L, int arg) {
    if (lua_type(L, arg) == LUA_TSTRING)
        return assets_texture(engine_of(L)->assets, check_name(L, arg, "image"));
    check_image(L, arg);
    return image_texture(L, arg);
}

/* A number, or {width, height}. */
static void check_size(lua_State *L, int arg, float out[2]) {
    for (int i = 0; i < 2; i++) {
        bool pair = lua_type(L, arg) == LUA_TTABLE;
        if (pair)
            lua_rawgeti(L, arg, i + 1);
        double size = lua_type(L, pair ? -1 : arg) == LUA_TNUMBER ? lua_tonumber(L, pair ? -1 : arg) : NAN;
        if (!(size >= 0 && size <= 1e6))
            script_refuse(L, arg, "a size is a number of 0..1e6, or {width, height}");
        out[i] = (float)size;
        lua_settop(L, lua_gettop(L) - pair);
    }
}

/* Facing the eye unless style.angles says where it faces; style.roll turns one that faces the eye. */
static FrameSprite check_sprite(lua_State *L, int picture, int size, int style_arg) {
    Style style = check_style(L, style_arg);
    FrameSprite sprite = { .texture = check_picture(L, picture), .color = style.color, .flags = style.flags };
    float sides[2];
    check_size(L, size, sides);
    sprite.width = sides[0];
    sprite.height = sides[1];
    if (lua_type(L, style_arg) != LUA_TTABLE)
        return sprite;
    if (lua_getfield(L, style_arg, "roll") != LUA_TNIL)
        sprite.roll = (float)value_number(L, style_arg, "a sprite's roll", -1e6, 1e6);
    if (lua_getfield(L, style_arg, "angles") != LUA_TNIL) {
        Axes axes = axes_from_angles(value_point(L, style_arg, "a sprite's angles"));
        sprite.oriented = true;    /* seen from where it faces to, its right is the axes' left */
        sprite.right = vec3_scale(axes.right, -sprite.width / 2);
        sprite.up = vec3_scale(axes.up, sprite.height / 2);
    }
    lua_pop(L, 2);
    return sprite;
}

int draw_sprite(lua_State *L) {
    int arg = 2;
    Vec3 origin = check_vec3(L, &arg);
    FrameSprite sprite = check_sprite(L, 1, arg, arg + 1);
    sprite.origin = origin;
    frame_sprite(&engine_of(L)->frame, sprite);
    return 0;
}

int draw_sprites(lua_State *L) {
    Points points = check_points(L, 2);
    FrameSprite sprite = check_sprite(L, 1, 3, 4);
    for (int i = 0; i < points.count; i++) {
        sprite.origin = points_at(L, &points, i);
        frame_sprite(&engine_of(L)->frame, sprite);
    }
    return 0;
}
