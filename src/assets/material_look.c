/* assets/material_look.c -- from what a script says to what is drawn: defaults, pictures' numbers, stages into passes. */
#include <stdio.h>

#include "assets/material_eval.h"
#include "bsp/flags.h"

LookForm look_form(const Map *map, const BspFace *face) {
    if (face->lightmap >= 0 && face->lightmap < map->lightmap_count)
        return LOOK_LIGHTMAP;
    return face->lightmap == LIGHTMAP_WHITE || face->lightmap == LIGHTMAP_2D ? LOOK_WHITE : LOOK_VERTEX;
}

/* What a stage without rgbGen has: by the blend's first factor (format.md 9.6). */
static ColorGen default_color(const MaterialStage *stage) {
    bool lit = !stage->blends || stage->source == BLEND_ONE || stage->source == BLEND_SRC_ALPHA;
    return lit ? COLOR_IDENTITY_LIGHTING : COLOR_IDENTITY;
}

static float alpha_limit(AlphaFunc func) {
    const float limits[] = { [ALPHA_ALL] = 0, [ALPHA_GT0] = 0.5f / 255, [ALPHA_LT128] = -0.5f, [ALPHA_GE128] = 0.5f,
                             [ALPHA_GE192] = 0.75f };
    return limits[func];
}

static bool is_lightmap_page(const char *name) { return text_starts_fold(name, "maps/") && strstr(name, "/lm_"); }

static int texture_flags(const MaterialDef *def, const MaterialStage *stage, const char *image) {
    if (is_lightmap_page(image))    /* pages of an external lightmap, whoever names them */
        return TEXTURE_CLAMPED | TEXTURE_NO_MIPMAPS;
    return (stage->clamp ? TEXTURE_CLAMPED : 0) | (def->no_mipmaps ? TEXTURE_NO_MIPMAPS : 0);
}

static void settle_map(const MaterialDef *def, const MaterialStage *from, LookForm form, Assets *assets, LookStage *out) {
    out->map = from->map;
    if (out->map == STAGE_LIGHTMAP && form != LOOK_LIGHTMAP)
        out->map = STAGE_WHITE;    /* the engine's: a surface without a page has the white picture */
    for (int i = 0; i < from->image_count && from->map == STAGE_IMAGE; i++)
        out->textures[out->texture_count++] =
            assets_texture_flagged(assets, from->images[i], texture_flags(def, from, from->images[i]));
    if (!out->texture_count)
        out->textures[out->texture_count++] = TEXTURE_WHITE;
    out->frames_per_second = from->frames_per_second;
}

static LookStage settle_stage(const MaterialDef *def, const MaterialStage *from, LookForm form, Assets *assets) {
    LookStage out = {
        .blends = from->blends, .source = from->blends ? from->source : BLEND_ONE,
        .destination = from->blends ? from->destination : BLEND_ZERO,
        .alpha_test = alpha_limit(from->alpha_func), .depth_equal = from->depth_equal,
        .depth_write = from->depth_write || !from->blends,
        .color_gen = from->color_gen == COLOR_DEFAULT ? default_color(from) : from->color_gen,
        .alpha_gen = from->alpha_gen == ALPHAGEN_DEFAULT ? ALPHAGEN_IDENTITY : from->alpha_gen,
        .color_wave = from->color_wave, .alpha_wave = from->alpha_wave, .color = from->color, .alpha = from->alpha,
        .texcoord_gen = from->texcoord_gen, .texmod_count = from->texmod_count,
    };
    if (from->map == STAGE_LIGHTMAP && from->texcoord_gen == TEXCOORD_BASE)
        out.texcoord_gen = TEXCOORD_LIGHTMAP;
    memcpy(out.texcoord_vectors, from->texcoord_vectors, sizeof out.texcoord_vectors);
    memcpy(out.texmods, from->texmods, sizeof out.texmods);
    settle_map(def, from, form, assets, &out);
    return out;
}

/* A stage that names no picture, a film (which we do not play) or one that is not there: the others are drawn without it. */
static bool is_drawn(Assets *assets, const MaterialStage *stage) {
    if (stage->map == STAGE_LIGHTMAP || stage->map == STAGE_WHITE)
        return true;
    return stage->map == STAGE_IMAGE && stage->image_count && assets_has_image(assets, stage->images[0]);
}

/* A picture without a script, lit as its surface is (format.md 9.9). A picture's own alpha is ignored. */
static void default_stages(Look *look, Assets *assets) {
    const Material *material = look->material;
    if (!material->base_image)
        return;
    LookStage image = { .map = STAGE_IMAGE, .texture_count = 1, .color_gen = COLOR_IDENTITY, .alpha_gen = ALPHAGEN_IDENTITY,
                        .source = BLEND_ONE, .destination = BLEND_ZERO, .depth_write = true };
    image.textures[0] = assets_texture(assets, material->base_image);
    LookStage light = image;
    if (look->form == LOOK_LIGHTMAP) {
        light.map = STAGE_LIGHTMAP;
        light.texcoord_gen = TEXCOORD_LIGHTMAP;
        light.textures[0] = TEXTURE_WHITE;
        image.blends = true;
        image.source = BLEND_DST_COLOR;
        image.depth_write = false;
        look->stages[look->stage_count++] = light;
    } else {
        image.color_gen = look->form == LOOK_WHITE ? COLOR_IDENTITY_LIGHTING : look->form == LOOK_MODEL ? COLOR_LIGHTING_DIFFUSE : COLOR_EXACT_VERTEX;
    }
    look->stages[look->stage_count++] = image;
}

static bool is_sum(const LookStage *stage) { return stage_blends_by(stage, BLEND_ONE, BLEND_ONE); }

/* Whether a pass can show one more stage with the same picture coming out. Over an opaque beginning anything can be worked
 * out at once, as long as it touches the same pixels, and light is the light of those alone; what begins with a blend can
 * grow by sums or by products. */
static bool can_join(const LookStage *first, const LookStage *next) {
    if (!first->blends)
        return first->alpha_test == 0 || next->depth_equal || (next->map == STAGE_LIGHTMAP && stage_filters(next) && next->alpha_test == 0);
    if (first->alpha_test != 0 || next->alpha_test != 0 || first->depth_write || next->depth_write)
        return false;
    return (is_sum(first) && is_sum(next)) || (stage_filters(first) && stage_filters(next));
}

static void gather_passes(Look *look) {
    for (int i = 0; i < look->stage_count; i++) {
        LookPass *last = look->pass_count ? &look->passes[look->pass_count - 1] : NULL;
        if (last && can_join(&look->stages[last->first], &look->stages[i]))
            last->count++;
        else
            look->passes[look->pass_count++] = (LookPass){ i, 1 };
    }
}

static bool at_rest(const LookStage *stage) {
    return stage->texmod_count == 0 && stage->alpha_test == 0 && stage->texture_count == 1 &&
           stage->alpha_gen == ALPHAGEN_IDENTITY;
}

static bool is_clamped(const LookStage *stage, const Assets *assets) {
    return assets_texture_at(assets, stage->textures[0])->flags != 0;
}

/* Most of a level: it has shaders of its own that do nothing but this. */
static bool is_plain(const Look *look, const Assets *assets) {
    const LookStage *a = &look->stages[0], *b = &look->stages[1];
    if (look->page != TEXTURE_WHITE || look->deform_count || look->sky || look->fog || look->pass_count != 1 || a->blends || !at_rest(a))
        return false;
    if (look->stage_count == 1)
        return a->map == STAGE_IMAGE && a->color_gen == (look->form == LOOK_MODEL ? COLOR_LIGHTING_DIFFUSE : COLOR_EXACT_VERTEX) &&
               a->texcoord_gen == TEXCOORD_BASE && !is_clamped(a, assets);
    if (look->stage_count != 2 || !stage_filters(b) || !at_rest(b) || b->color_gen != COLOR_IDENTITY ||
        a->color_gen != COLOR_IDENTITY)
        return false;
    const LookStage *image = a->map == STAGE_IMAGE ? a : b, *light = a->map == STAGE_IMAGE ? b : a;
    return image->map == STAGE_IMAGE && light->map == STAGE_LIGHTMAP && image->texcoord_gen == TEXCOORD_BASE &&
           light->texcoord_gen == TEXCOORD_LIGHTMAP && !is_clamped(image, assets);
}

/* As in the engine: a box whose first side is not there is none (many scripts name one that never was), and any other side
 * that is missing shows that it is. Sides may differ in size. */
static void find_box(Look *look, Assets *assets) {
    static const char *const endings[6] = { "_rt", "_lf", "_bk", "_ft", "_up", "_dn" };
    for (int i = 0; i < 6; i++) {
        Text name = { 0 };
        text_format(&name, "%s%s", look->material->sky_box, endings[i]);
        look->has_box = i ? look->has_box : assets_has_image(assets, text_of(&name));
        if (look->has_box)
            look->box[i] = assets_texture_flagged(assets, text_of(&name), TEXTURE_CLAMPED | TEXTURE_NO_MIPMAPS);
        text_free(&name);
    }
}

static void settle(Look *look, const MaterialDef *def, Assets *assets) {
    look->fog = def->fog;
    look->fog_color = def->fog_color;
    look->fog_depth = def->fog_depth > 0 ? def->fog_depth : 1;
    look->deform_count = def->deform_count;
    memcpy(look->deforms, def->deforms, sizeof look->deforms);
    look->portal = def->portal;
    look->cloud_height = def->sky ? def->cloud_height : 512;
    for (int i = 0; i < def->stage_count; i++) {
        MaterialStage stage = def->stages[i];
        if (look->stage_count && stage.map == STAGE_LIGHTMAP && !stage.blends) {
            stage.blends = true;    /* light that would hide what it falls on: levels for DarkPlaces mean a product by it */
            stage.source = BLEND_DST_COLOR;
            stage.destination = BLEND_ZERO;
        }
        if (is_drawn(assets, &stage))
            look->stages[look->stage_count++] = settle_stage(def, &stage, look->form, assets);
    }
    if (look->sky && look->material->sky_box)
        find_box(look, assets);
    if (!look->stage_count && !look->sky && !look->fog && !look->portal)
        default_stages(look, assets);
}

const Look *look_make(Arena *arena, Assets *assets, const Material *material, LookForm form, int page) {
    Look *look = arena_new(arena, Look);
    *look = (Look){ .material = material, .form = form, .page = form == LOOK_LIGHTMAP ? page : TEXTURE_WHITE, .sort = material->sort, .cull = material->cull,
                    .polygon_offset = material->polygon_offset, .sky = material->sky, .cloud_height = 512 };
    const MaterialDef *def = material_def(assets_materials(assets), material->name);
    if (def)
        settle(look, def, assets);
    else
        default_stages(look, assets);
    for (int i = 0; i < look->stage_count; i++)
        if (look->stages[i].map == STAGE_LIGHTMAP)
            look->stages[i].textures[0] = look->page;
    gather_passes(look);
    look->blended = look->stage_count && look->stages[0].blends;
    look->plain = is_plain(look, assets);
    return look;
}
