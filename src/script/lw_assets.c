/* script/lw_assets.c -- lw.assets: materials as the .shader language has them, and pictures of the search path. */
#include "script/host_internal.h"

#include "assets/material_def.h"

/* The words of the language, in the order of the enums. */
static const char *const waves[] = { "sin", "square", "triangle", "sawtooth", "inversesawtooth", "noise" };
static const char *const alpha_funcs[] = { NULL, "GT0", "LT128", "GE128", "GE192" };
static const char *const color_gens[] = { NULL, "identity", "identityLighting", "entity", "oneMinusEntity", "vertex",
    "exactVertex", "oneMinusVertex", "lightingDiffuse", "wave", "const" };
static const char *const alpha_gens[] = { NULL, "identity", "entity", "oneMinusEntity", "vertex", "oneMinusVertex",
    "lightingSpecular", "wave", "const", "portal" };
static const char *const texcoord_gens[] = { NULL, "lightmap", "environment", "vector" };
static const char *const texmods[] = { "turb", "scale", "scroll", "stretch", "transform", "rotate", "entityTranslate" };
static const char *const deforms[] = { "wave", "normal", "bulge", "move", "autosprite", "autosprite2", "projectionShadow", "text" };
static const char *const culls[] = { "front", "back", "none" };
static const char *const blends[] = { "GL_ONE", "GL_ZERO", "GL_DST_COLOR", "GL_ONE_MINUS_DST_COLOR", "GL_SRC_COLOR",
    "GL_ONE_MINUS_SRC_COLOR", "GL_SRC_ALPHA", "GL_ONE_MINUS_SRC_ALPHA", "GL_DST_ALPHA", "GL_ONE_MINUS_DST_ALPHA",
    "GL_SRC_ALPHA_SATURATE" };

static void set_true(lua_State *L, const char *key, bool value) {    /* what is not so is not there */
    if (!value)
        return;
    set_boolean(L, key, true);
}

static void set_numbers(lua_State *L, const char *key, const float *numbers, int count) {
    lua_createtable(L, count, 0);
    for (int i = 0; i < count; i++) {
        lua_pushnumber(L, (lua_Number)numbers[i]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, key);
}

static void set_wave(lua_State *L, const char *key, const Wave *wave) {
    lua_createtable(L, 0, 5);
    set_text(L, "func", waves[wave->kind]);
    set_number(L, "base", wave->base);
    set_number(L, "amplitude", wave->amplitude);
    set_number(L, "phase", wave->phase);
    set_number(L, "frequency", wave->frequency);
    lua_setfield(L, -2, key);
}

static void push_texmod(lua_State *L, const TexMod *mod) {
    static const int counts[] = { 0, 2, 2, 0, 6, 1, 0 };
    lua_createtable(L, 0, 2);
    set_text(L, "kind", texmods[mod->kind]);
    if (mod->kind == TEXMOD_TURB || mod->kind == TEXMOD_STRETCH)
        set_wave(L, "wave", &mod->wave);
    else
        set_numbers(L, "numbers", mod->numbers, counts[mod->kind]);
}

static void set_pictures(lua_State *L, const MaterialStage *stage) {
    if (stage->map == STAGE_LIGHTMAP || stage->map == STAGE_WHITE)
        set_text(L, "map", stage->map == STAGE_LIGHTMAP ? "$lightmap" : "$whiteimage");
    else if (stage->image_count)
        set_text(L, stage->map == STAGE_VIDEO ? "video" : "map", stage->images[0]);
    set_true(L, "clamp", stage->clamp);
    if (stage->image_count < 2)
        return;
    lua_createtable(L, stage->image_count, 0);
    for (int i = 0; i < stage->image_count; i++) {
        lua_pushstring(L, stage->images[i]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, "images");
    set_number(L, "fps", stage->frames_per_second);
}

static void set_colors(lua_State *L, const MaterialStage *stage) {
    set_text(L, "rgbgen", color_gens[stage->color_gen]);
    set_text(L, "alphagen", alpha_gens[stage->alpha_gen]);
    if (stage->color_gen == COLOR_WAVE)
        set_wave(L, "rgbwave", &stage->color_wave);
    if (stage->color_gen == COLOR_CONST)
        set_numbers(L, "color", stage->color.raw, 3);
    if (stage->alpha_gen == ALPHAGEN_WAVE)
        set_wave(L, "alphawave", &stage->alpha_wave);
    if (stage->alpha_gen == ALPHAGEN_CONST || stage->alpha_gen == ALPHAGEN_PORTAL)
        set_number(L, stage->alpha_gen == ALPHAGEN_CONST ? "alpha" : "range", stage->alpha);
}

static void push_stage(lua_State *L, const MaterialStage *stage) {
    lua_createtable(L, 0, 8);
    set_pictures(L, stage);
    set_colors(L, stage);
    set_text(L, "alphafunc", alpha_funcs[stage->alpha_func]);
    set_true(L, "depthequal", stage->depth_equal);
    set_true(L, "depthwrite", stage->depth_write);
    set_true(L, "detail", stage->detail);
    if (stage->blends) {
        lua_createtable(L, 2, 0);
        lua_pushstring(L, blends[stage->source]);
        lua_rawseti(L, -2, 1);
        lua_pushstring(L, blends[stage->destination]);
        lua_rawseti(L, -2, 2);
        lua_setfield(L, -2, "blend");
    }
    set_text(L, "tcgen", texcoord_gens[stage->texcoord_gen]);
    if (stage->texcoord_gen == TEXCOORD_VECTOR) {
        set_numbers(L, "s_vector", stage->texcoord_vectors[0].raw, 3);
        set_numbers(L, "t_vector", stage->texcoord_vectors[1].raw, 3);
    }
    lua_createtable(L, stage->texmod_count, 0);
    for (int i = 0; i < stage->texmod_count; i++) {
        push_texmod(L, &stage->texmods[i]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, "tcmods");
    if (stage->line)
        set_integer(L, "line", stage->line);
}

static void push_deform(lua_State *L, const Deform *deform) {
    static const int counts[] = { 1, 2, 3, 3, 0, 0, 0, 1 };
    lua_createtable(L, 0, 3);
    set_text(L, "kind", deforms[deform->kind]);
    set_numbers(L, "numbers", deform->numbers, counts[deform->kind]);
    if (deform->kind == DEFORM_WAVE || deform->kind == DEFORM_MOVE)
        set_wave(L, "wave", &deform->wave);
}

static void set_def(lua_State *L, const MaterialDef *def) {
    set_text(L, "file", def->file);
    set_integer(L, "line", def->line);
    set_text(L, "editor_image", def->editor_image);
    set_true(L, "nomipmaps", def->no_mipmaps);
    set_true(L, "nopicmip", def->no_picmip);
    set_true(L, "portal", def->portal);
    if (def->sky) {
        lua_createtable(L, 0, 2);
        set_text(L, "box", def->sky_box);
        set_number(L, "cloud_height", def->cloud_height);
        lua_setfield(L, -2, "sky");
    }
    if (def->fog) {
        lua_createtable(L, 0, 2);
        set_numbers(L, "color", def->fog_color.raw, 3);
        set_number(L, "depth", def->fog_depth);
        lua_setfield(L, -2, "fog");
    }
    lua_createtable(L, def->deform_count, 0);
    for (int i = 0; i < def->deform_count; i++) {
        push_deform(L, &def->deforms[i]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, "deforms");
}

/* A picture without a script, as the engine takes it on a face with a lightmap. */
static int default_stages(const Material *material, MaterialStage out[2]) {
    out[0] = (MaterialStage){ .map = STAGE_LIGHTMAP, .color_gen = COLOR_IDENTITY, .texcoord_gen = TEXCOORD_LIGHTMAP };
    out[1] = (MaterialStage){ .map = STAGE_IMAGE, .images = { material->base_image }, .image_count = 1, .color_gen = COLOR_IDENTITY,
                              .blends = true, .source = BLEND_DST_COLOR, .destination = BLEND_ZERO };
    return material->base_image ? 2 : 0;
}

static int assets_material(lua_State *L) {
    const char *name = check_name(L, 1, "material");
    MaterialSet *set = assets_materials(engine_of(L)->assets);
    const Material *material = material_find(set, name);
    const MaterialDef *def = material_def(set, name);
    lua_createtable(L, 0, 16);
    set_text(L, "name", material->name);
    set_boolean(L, "scripted", def != NULL);
    set_text(L, "cull", culls[material->cull]);
    set_number(L, "sort", material->sort);
    set_integer(L, "flags", material->surface_flags);
    set_integer(L, "contents", material->contents);
    set_true(L, "polygonoffset", material->polygon_offset);
    if (def)
        set_def(L, def);
    MaterialStage plain[2];
    int count = def ? def->stage_count : default_stages(material, plain);
    lua_createtable(L, count, 0);
    for (int i = 0; i < count; i++) {
        push_stage(L, def ? &def->stages[i] : &plain[i]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, "stages");
    return 1;
}

static int assets_materials_of_level(lua_State *L) {
    const Map *map = check_map(L);
    lua_createtable(L, map->texture_count, 0);
    for (int i = 0; i < map->texture_count; i++) {
        lua_pushstring(L, map->textures[i].name);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

static int assets_override(lua_State *L) {
    const char *name = check_name(L, 1, "material");
    const char *text = lua_isnoneornil(L, 2) ? NULL : check_name(L, 2, "text");
    Text told = { 0 };
    Error error;
    bool done = engine_override_material(engine_of(L), name, text, &told, &error);
    if (done) {
        lua_pushboolean(L, true);
        lua_pushstring(L, told.count ? text_of(&told) : NULL);
    }
    text_free(&told);
    return done ? 2 : push_failure(L, &error);
}

static int assets_image(lua_State *L) {
    const char *name = check_name(L, 1, "picture");
    Image image;
    Error error;
    if (!image_load(engine_of(L)->files, name, &image, NULL, &error))
        return push_failure(L, &error);
    const Scripts *scripts = scripts_of(L);
    size_t bytes = (size_t)image.width * (size_t)image.height * 4;
    if (scripts->used + scripts->charged + bytes + 1024 > scripts->limit) {    /* what Lua cannot hold must not stay behind */
        image_free(&image);
        return luaL_error(L, "not enough memory");
    }
    image_take(push_image(L, image.width, image.height), &image);
    return 1;
}

static int assets_problems(lua_State *L) {
    const MaterialProblem *problems;
    int count = materials_problems(assets_materials(engine_of(L)->assets), &problems);
    lua_createtable(L, count, 0);
    for (int i = 0; i < count; i++) {
        lua_createtable(L, 0, 3);
        set_text(L, "file", problems[i].file);
        set_integer(L, "line", problems[i].line);
        set_text(L, "text", problems[i].text);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

/* All that scripts define, whether the level uses it or not. */
static int assets_defined(lua_State *L) {
    const MaterialSet *set = assets_materials(engine_of(L)->assets);
    int count = materials_count(set);
    lua_createtable(L, count, 0);
    for (int i = 0; i < count; i++) {
        lua_pushstring(L, materials_name(set, i));
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

static const ScriptFunction functions[] = {
    { "material", assets_material, "(name: string) -> table",
      "What stands behind a texture's name: file, line, cull, sort, sky, fog, deforms and its stages as tables; a picture without a script has the engine's two." },
    { "materials", assets_materials_of_level, "() -> string[]", "The names of all textures of the level, by number from the first (0) on." },
    { "override", assets_override, "(name: string, text?: string) -> boolean?, string?",
      "Puts a definition in place of the scripts' at once: \"name { ... }\" or its block alone; nil takes it back; true and what is odd in it, or nil and what is broken." },
    { "defined", assets_defined, "() -> string[]", "The names of all materials that scripts of the search path define." },
    { "problems", assets_problems, "() -> {file: string, line: integer, text: string}[]",
      "What is odd in the scripts of the search path: unknown words, broken blocks, names defined twice." },
    { "image", assets_image, "(name: string) -> image?, string?", "A picture of the search path by its name, with or without its ending." },
    { NULL, NULL, NULL, NULL },
};

const ScriptModule lw_assets_module = {
    .name = "assets", .help = "Materials and pictures.", .functions = functions, .of_map = true,
};
