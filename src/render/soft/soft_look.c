/* render/soft/soft_look.c -- the stages of materials as layers of paint, one drawn over the other.
 *
 * A look's passes become layers once a frame: what assets/material_eval.h says of each stage at this time, and how it is
 * laid over what is below. A picture and the light that it is multiplied with are one layer. What interpolates over a
 * surface is worked out from its own functions where these do, and else at vertices, as the engine does. */
#include <math.h>

#include "render/soft/soft_internal.h"

typedef struct LookLayers { unsigned stamp; int first, count; } LookLayers;
typedef struct PlaceFog { bool there; FogNumbers numbers; } PlaceFog;

struct SoftLooks {
    ARRAY(LookLayers) looks;         /* by look of the level * 2, + 1: in fog */
    ARRAY(SoftLayer) layers;         /* of this frame */
    ARRAY(PlaceFog) fogs;            /* by effect of the map */
    unsigned stamp;
};

SoftLooks *soft_looks_open(void) { return mem_zeroed(1, sizeof(SoftLooks)); }

void soft_looks_close(SoftLooks *looks) {
    if (!looks)
        return;
    array_free(&looks->looks);
    array_free(&looks->layers);
    array_free(&looks->fogs);
    mem_free(looks);
}

void soft_looks_begin(Soft *soft) {
    SoftLooks *looks = soft->looks;
    array_clear(&looks->layers);
    array_clear(&looks->fogs);
    looks->stamp++;
    const Frame *frame = soft->frame;
    bool pages = frame->level && frame->shade == SHADE_LIGHTMAP;    /* external ones are layers there */
    if (!soft->stages && !pages)
        return;
    while ((int)looks->looks.count < soft->level->look_count * 2)
        *array_push(&looks->looks) = (LookLayers){ 0 };
    if (!soft->stages)
        return;
    float identity = identity_light(frame->overbright);
    for (int i = 0; i < frame->level->map->effect_count; i++) {
        PlaceFog *fog = array_push(&looks->fogs);
        fog->there = level_fog(frame->level, i, frame->view.origin, frame->view.axes.forward, identity, &fog->numbers);
    }
}


/* Vertex colours are functions of a surface where they are its light. */
static bool color_linear(const LookStage *stage, int page) {
    bool vertex = stage->color_gen == COLOR_VERTEX || stage->color_gen == COLOR_EXACT_VERTEX || stage->color_gen == COLOR_ONE_MINUS_VERTEX
                  || stage->alpha_gen == ALPHAGEN_VERTEX || stage->alpha_gen == ALPHAGEN_ONE_MINUS_VERTEX;
    if (stage->color_gen == COLOR_LIGHTING_DIFFUSE || stage->alpha_gen == ALPHAGEN_LIGHTING_SPECULAR || stage->alpha_gen == ALPHAGEN_PORTAL)
        return false;
    return !vertex || page == PAGE_VERTEX;
}

static bool texcoord_linear(const LookStage *stage, int page) {
    for (int i = 0; i < stage->texmod_count; i++)
        if (stage->texmods[i].kind == TEXMOD_TURB)
            return false;
    bool paged = page >= 0 || page == PAGE_OUTSIDE;
    return stage->texcoord_gen == TEXCOORD_BASE || (stage->texcoord_gen == TEXCOORD_LIGHTMAP && paged);
}

static bool stage_linear(const LookStage *stage, int page) { return color_linear(stage, page) && texcoord_linear(stage, page); }

bool soft_look_linear(const Look *look, int page, bool fogged) {
    for (int i = 0; i < look->stage_count; i++)
        if (!stage_linear(&look->stages[i], page))
            return false;
    return !fogged;
}


static uint32_t packed_color(const float color[4]) {
    uint32_t out = 0;
    for (int i = 0; i < 4; i++)
        out |= (uint32_t)(CLAMP(color[i], 0, 1) * 255 + 0.5f) << 8 * i;
    return out;
}

static bool is_constant(const StageNumbers *numbers) { return numbers->color_from == FROM_CONSTANT && numbers->alpha_from == FROM_CONSTANT; }

static bool clamps(const Soft *soft, int texture) { return soft->assets && assets_texture_at(soft->assets, texture)->flags & TEXTURE_CLAMPED; }

/* One stage by itself. */
static SoftLayer layer_of(Soft *soft, const LookStage *stage) {
    SoftLayer layer = { .stage = stage, .test = stage->depth_equal ? TEST_EQUAL : TEST_NOT_FARTHER };
    stage_numbers(stage, soft->frame->time, identity_light(soft->frame->overbright), NULL, &layer.numbers);
    bool page = stage->map == STAGE_LIGHTMAP, outside = page && layer.numbers.texture != TEXTURE_WHITE, constant = is_constant(&layer.numbers);
    bool as_light = page && !outside && constant && stage->texmod_count == 0 && stage->texcoord_gen == TEXCOORD_LIGHTMAP;    /* as the surface has it */
    SoftPaint *paint = &layer.paint;
    paint->style = as_light ? STYLE_STAGE_LIGHT : constant ? STYLE_STAGE : STYLE_COLOR;
    paint->paged = page && !as_light;
    paint->texture = outside ? soft_page_texture(soft, layer.numbers.texture)
                     : stage->map == STAGE_IMAGE ? soft_texture_at(soft, layer.numbers.texture)
                                                 : &soft->white;
    paint->clamped = paint->paged || (stage->map == STAGE_IMAGE && clamps(soft, layer.numbers.texture));
    paint->tint = constant ? packed_color(layer.numbers.color) : 0xffffffffu;
    paint->alpha_test = stage->alpha_test;
    paint->blend = stage->blends ? BLEND_FACTORS : BLEND_NONE;
    paint->source = stage->source;
    paint->destination = stage->destination;
    return layer;
}

static bool is_lit_pair(const SoftLayer *light, const SoftLayer *image) {
    return light->paint.style == STYLE_STAGE_LIGHT && light->paint.tint == 0xffffffffu && light->paint.alpha_test == 0 && image->paint.style == STYLE_STAGE
           && image->stage->texcoord_gen != TEXCOORD_LIGHTMAP;
}

/* The first two stages of an opaque pass, where one is the light and the other what it falls on: one layer. */
static bool join_light(const SoftLayer *first, const SoftLayer *second, SoftLayer *out) {
    bool light_first = is_lit_pair(first, second);
    if (!stage_filters(second->stage) || second->paint.alpha_test != 0 || !(light_first || is_lit_pair(second, first)))
        return false;
    *out = light_first ? *second : *first;
    out->paint.style = STYLE_STAGE_LIGHT;
    out->paint.blend = BLEND_NONE;
    out->test = first->test;
    return true;
}

/* A page that is a picture, and what it falls on: the page comes second, where dynamic light may be brighter than its texels. */
static bool exchange_light(SoftLayer *first, SoftLayer *second) {
    bool light = first->paint.paged && first->paint.style == STYLE_STAGE && first->paint.tint == 0xffffffffu && first->paint.alpha_test == 0;
    if (!light || second->paint.paged || second->paint.style != STYLE_STAGE || second->paint.alpha_test != 0 || !stage_filters(second->stage))
        return false;
    SoftLayer page = *first;
    *first = *second;
    first->test = page.test;
    first->paint.blend = BLEND_NONE;
    page.test = second->test;
    page.paint.blend = BLEND_FACTORS;
    page.paint.source = BLEND_DST_COLOR;
    page.paint.destination = BLEND_ZERO;
    *second = page;
    return true;
}

static void add_layer(SoftLooks *looks, const SoftLayer *layer) { *array_push(&looks->layers) = *layer; }

/* The fog of the place over what is drawn: `color` is filled in for each surface. */
static void add_fog(Soft *soft) {
    SoftLayer layer = { .test = TEST_NOT_FARTHER };
    layer.paint = (SoftPaint){ .style = STYLE_FOG, .texture = &soft->haze, .blend = BLEND_FACTORS, .source = BLEND_SRC_ALPHA,
                               .destination = BLEND_ONE_MINUS_SRC_ALPHA, .keeps_depth = true };
    add_layer(soft->looks, &layer);
}

/* Whether light may count twice in each layer rather than at the end: nothing but sums follow. */
static bool only_sums(const LookStage *stages, int from, int count) {
    for (int i = from; i < count; i++)
        if (!stage_blends_by(&stages[i], BLEND_ONE, BLEND_ONE) || stages[i].alpha_test != 0)
            return false;
    return true;
}

static bool repeats_whole(const SoftLayer *layer) {
    const float *m = layer->numbers.matrix;
    return m[0] == 1 && m[1] == 0 && m[2] == 0 && m[3] == 0 && m[4] == 1 && m[5] == 0 && layer->stage->texcoord_gen == TEXCOORD_BASE && !layer->numbers.turb_count;
}

/* Whether lit texels may have a layer: it does not move, does not change, and is read as the texels are. */
static bool can_bake(const SoftLayer *layer) {
    const LookStage *stage = layer->stage;
    const SoftPaint *paint = &layer->paint;
    bool still = stage->color_gen != COLOR_WAVE && stage->alpha_gen != ALPHAGEN_WAVE && stage->texture_count == 1;
    for (int i = 0; i < stage->texmod_count; i++)
        still = still && (stage->texmods[i].kind == TEXMOD_SCALE || stage->texmods[i].kind == TEXMOD_TRANSFORM);
    return still && paint->style == STYLE_STAGE && paint->alpha_test == 0 && !paint->clamped && stage->texcoord_gen == TEXCOORD_BASE;
}

static bool is_product(const SoftPaint *paint) {
    bool light = paint->paged ? paint->style == STYLE_STAGE : paint->style == STYLE_STAGE_LIGHT;
    return light && paint->blend == BLEND_FACTORS && blend_filters(paint->source, paint->destination) && paint->tint == 0xffffffffu && paint->alpha_test == 0;
}

/* A layer over an opaque beginning: light counts twice in each of them, or in the last one for all. */
static void follow(SoftPaint *paint, bool bright, bool sums, bool last) {
    paint->keeps_depth = true;
    paint->bright = bright && sums;
    paint->twice = bright && !sums && last;
    paint->joined = paint->alpha_test != 0;
    paint->product = is_product(paint);
}

/* A pass that begins opaque: its stages act on each other alone. */
static void add_opaque_pass(Soft *soft, const LookStage *stages, int count) {
    SoftLooks *looks = soft->looks;
    bool bright = soft->mode.bright;
    SoftLayer first = layer_of(soft, &stages[0]), second, joined;
    int at = 1;
    bool exchanged = false;
    if (count > 1 && (second = layer_of(soft, &stages[1]), join_light(&first, &second, &joined))) {
        first = joined;
        at = 2;
    } else if (count > 1) {
        exchanged = exchange_light(&first, &second);
    }
    bool sums = only_sums(stages, at, count);
    first.paint.bright = bright && sums;
    first.paint.keeps_depth = !stages[0].depth_write;
    bool settled = first.paint.style == STYLE_STAGE_LIGHT && first.paint.tint == 0xffffffffu && !first.paint.clamped;
    if (settled && repeats_whole(&first) && first.paint.alpha_test == 0) {    /* what most of a level is: kept lit */
        first.paint.style = STYLE_LIGHTMAP;
        first.paint.cached = soft->caches && first.numbers.texture == first.stage->textures[0] && first.stage->texture_count == 1;
    }
    int start = (int)looks->layers.count;
    bool bakes = first.paint.cached;
    add_layer(looks, &first);
    for (; at < count; at++) {
        SoftLayer next = exchanged && at == 1 ? second : layer_of(soft, &stages[at]);
        next.test = stages[0].alpha_test != 0 ? TEST_EQUAL : next.test;    /* nothing where the first one left holes */
        follow(&next.paint, bright, sums, at == count - 1);
        next.baked = bakes = bakes && can_bake(&next);
        looks->layers.at[start].paint.bakes += bakes;
        add_layer(looks, &next);
    }
}

static void add_blended_pass(Soft *soft, const LookStage *stages, int count, bool fogged) {
    for (int i = 0; i < count; i++) {
        SoftLayer layer = layer_of(soft, &stages[i]);
        layer.paint.bright = soft->mode.bright && !stage_multiplies(&stages[0]);
        layer.paint.keeps_depth = !stages[i].depth_write;
        layer.weakened = fogged && stages[i].blends ? blend_fogged(stages[i].source, stages[i].destination) : 0;
        if (layer.weakened && layer.paint.style == STYLE_STAGE) {
            layer.paint.style = STYLE_COLOR;
            layer.paint.tint = 0xffffffffu;
        }
        add_layer(soft->looks, &layer);
    }
}

/* The stages of a sky, over its box where it has one. Colours of vertices are not there. */
int soft_sky_layers(Soft *soft, const Look *look, SoftLayer out[STAGES_MOST]) {
    bool bright = soft->mode.bright, sums = only_sums(look->stages, 0, look->stage_count);
    for (int i = 0; i < look->stage_count; i++) {
        out[i] = layer_of(soft, &look->stages[i]);
        SoftPaint *paint = &out[i].paint;
        follow(paint, bright, sums, i == look->stage_count - 1);
        paint->style = STYLE_STAGE;
        paint->test = TEST_EQUAL;
        paint->surface = -1;
    }
    return look->stage_count;
}

static void make_layers(Soft *soft, const Look *look, bool fogged) {
    for (int i = 0; i < look->pass_count; i++) {
        const LookStage *stages = &look->stages[look->passes[i].first];
        int count = look->passes[i].count;
        if (stages[0].blends) {
            add_blended_pass(soft, stages, count, fogged);
            continue;
        }
        add_opaque_pass(soft, stages, count);
        if (fogged)
            add_fog(soft);
    }
    if (look->fog && fogged)
        add_fog(soft);
}

static const PlaceFog *fog_of(const Soft *soft, const SoftSurface *surface) {
    int effect = soft->level->level->map->faces[surface->face].effect;
    return effect >= 0 && effect < (int)soft->looks->fogs.count && soft->looks->fogs.at[effect].there ? &soft->looks->fogs.at[effect] : NULL;
}

/* The view of light, where a picture is the page: that alone. */
static void page_layer(Soft *soft, const SoftSurface *surface) {
    static const LookStage stage = { .map = STAGE_LIGHTMAP, .texture_count = 1, .color_gen = COLOR_IDENTITY, .alpha_gen = ALPHAGEN_IDENTITY,
                                     .texcoord_gen = TEXCOORD_LIGHTMAP, .source = BLEND_ONE, .destination = BLEND_ZERO };
    SoftLayer layer = { .stage = &stage, .test = TEST_NOT_FARTHER };
    stage_numbers(&stage, soft->frame->time, 1, NULL, &layer.numbers);
    layer.paint = (SoftPaint){ .style = STYLE_STAGE, .texture = soft_page_texture(soft, soft->level->looks[surface->look]->page), .clamped = true, .paged = true,
                               .bright = soft->mode.bright, .tint = 0xffffffffu };
    add_layer(soft->looks, &layer);
}

int soft_layers_of(Soft *soft, const SoftSurface *surface, int *first) {
    bool paged = soft->frame->shade == SHADE_LIGHTMAP && surface->page == PAGE_OUTSIDE;    /* where no stages are drawn */
    if (surface->look < 0 || (!paged && (!soft->stages || surface->kind == SOFT_SKY)))
        return 0;
    bool fogged = !paged && fog_of(soft, surface) != NULL;
    SoftLooks *looks = soft->looks;
    LookLayers *made = &looks->looks.at[surface->look * 2 + fogged];
    if (made->stamp != looks->stamp) {
        int start = (int)looks->layers.count;
        if (paged)
            page_layer(soft, surface);
        else
            make_layers(soft, soft->level->looks[surface->look], fogged);
        *made = (LookLayers){ looks->stamp, start, (int)looks->layers.count - start };
    }
    *first = made->first;
    return made->count;
}

const SoftLayer *soft_layer_at(const Soft *soft, int number) { return soft->looks->layers.count ? &soft->looks->layers.at[number] : NULL; }

void soft_layer_paint(const Soft *soft, const SoftSurface *surface, int number, SoftPaint *out) {
    const SoftLayer *layer = soft_layer_at(soft, number);
    *out = layer->paint;
    out->surface = (int)(surface - soft->level->surfaces);
    out->page = surface->page >= 0 ? soft->level->pages + (size_t)surface->page * PAGE_TEXELS : NULL;
    out->test = layer->test;
    if (out->paged && out->page)
        out->texture = &soft->level->page_textures[surface->page];
    bool lit = layer->stage && (out->paged || out->style == STYLE_STAGE_LIGHT || out->style == STYLE_LIGHTMAP);
    out->light = !lit ? 0 : soft->mode.bright && !out->bright ? 0.5f : 1;    /* half where what comes of all layers counts twice */
    bool kept = surface->plane >= 0 && surface->kind == SOFT_OPAQUE && out->page;
    out->cached = layer->paint.cached && kept;
    out->bakes = kept ? layer->paint.bakes : 0;
    out->first_baked = number + 1;
    out->skips = layer->baked && kept;
    if (!out->page && (out->style == STYLE_STAGE_LIGHT || out->style == STYLE_LIGHTMAP))
        out->style = STYLE_STAGE;
    if (layer->stage)
        return;
    float color[4] = { 0, 0, 0, 1 }, given_back = soft->mode.bright ? 2 : 1;
    const PlaceFog *fog = fog_of(soft, surface);
    for (int i = 0; fog && i < 3; i++)
        color[i] = fog->numbers.color[i] * given_back;
    out->flat = packed_color(color);
}


/* The world itself has no light of this kind in the engine, and is black where it asks for it; models have the grid's. */
static LightNumbers light_of(const Soft *soft, int pose) {
    LightNumbers light = { .ambient = vec3_at(0, 0, 0) };
    if (pose < 0)
        return light;
    const FrameModel *model = &soft->frame->models.at[pose];
    const Map *map = soft->frame->level->map;
    BspLightSample sample = bsp_light_at(map, frame_model_point(model, box_middle(map->models[model->model].bounds)));
    light = light_numbers(&sample, soft->frame->overbright);
    light.direction = frame_model_direction(model, light.direction);
    return light;
}

static void color_lanes(const SoftLayer *layer, const PlaceFog *fog, const StagePoint *point, Vec3 place, double out[LANES]) {
    float rgba[4];
    stage_color(&layer->numbers, point, rgba);
    float rest = layer->weakened && fog ? 1 - fog_opacity(&fog->numbers, place) : 1;
    for (int i = 0; i < 4; i++) {
        bool weak = layer->weakened & (i < 3 ? FOGGED_COLOR : FOGGED_ALPHA);
        out[LANE_RED + i] = CLAMP(rgba[i] * (weak ? rest : 1), 0, 1) * 255 + 0.5;
    }
}

void soft_layer_vertex(const Soft *soft, const SoftSurface *surface, int number, int pose, int vertex, const BspVertex *at, double out[LANES]) {
    const SoftLayer *layer = soft_layer_at(soft, number);
    const FrameModel *model = pose < 0 ? NULL : &soft->frame->models.at[pose];
    Vec3 place = model ? frame_model_point(model, at->position) : at->position;
    const PlaceFog *fog = fog_of(soft, surface);
    memset(out, 0, LANES * sizeof *out);
    if (!layer->stage) {
        float factors[2] = { 0 };
        if (fog)
            fog_factors(&fog->numbers, place, &factors[0], &factors[1]);
        out[LANE_U] = factors[0];
        out[LANE_V] = factors[1];
        return;
    }
    const double *eye = (pose < 0 ? &soft->world : &soft->scratch.poses.at[pose])->eye;
    StagePoint point = { .position = at->position, .normal = vec3_normalized(at->normal), .eye = vec3_at((float)eye[0], (float)eye[1], (float)eye[2]),
                         .uv = at->uv, .lightmap_uv = at->lightmap_uv };
    for (int i = 0; i < 4; i++)
        point.color[i] = (float)(soft->level->colors[vertex] >> 8 * i & 255) / 255;
    if (layer->numbers.color_from == FROM_LIGHT) {
        LightNumbers light = light_of(soft, pose);
        point.ambient = light.ambient;
        point.directed = light.directed;
        point.direction = light.direction;
    }
    Vec2 uv = stage_texcoord(layer->stage, &layer->numbers, &point);
    out[LANE_U] = uv.x;
    out[LANE_V] = uv.y;
    if (layer->paint.style == STYLE_COLOR) {
        color_lanes(layer, fog, &point, place, out);
    } else {
        out[LANE_LIGHT_U] = (double)at->lightmap_uv.x * LIGHTMAP_SIZE;
        out[LANE_LIGHT_V] = (double)at->lightmap_uv.y * LIGHTMAP_SIZE;
    }
}

/* From the surface's own functions. */
static void linear_lanes(const SoftSurface *surface, const SoftLayer *layer, SoftLinear out[LANES]) {
    const StageNumbers *n = &layer->numbers;
    bool by_light = layer->stage->texcoord_gen == TEXCOORD_LIGHTMAP;
    const SoftLinear *u = &surface->lanes[by_light ? LANE_LIGHT_U : LANE_U], *v = u + 1;
    double scale = by_light ? 1.0 / LIGHTMAP_SIZE : 1;
    for (int i = 0; i < 2; i++) {
        double a = n->matrix[3 * i] * scale, b = n->matrix[3 * i + 1] * scale;
        out[LANE_U + i] = (SoftLinear){ a * u->x + b * v->x, a * u->y + b * v->y, a * u->z + b * v->z, a * u->c + b * v->c + n->matrix[3 * i + 2] };
    }
    memcpy(out + LANE_RED, surface->lanes + LANE_RED, 4 * sizeof *out);
    if (layer->paint.style != STYLE_COLOR)
        return;
    for (int i = 0; i < 4; i++) {    /* bytes of the vertices' colours, a factor, and a half for rounding */
        StageFrom from = i < 3 ? n->color_from : n->alpha_from;
        double by = from == FROM_CONSTANT ? 0 : i < 3 ? n->color[i] : 1, sign = from == FROM_ONE_MINUS_VERTEX ? -1 : 1;
        SoftLinear *lane = &out[LANE_RED + i];
        *lane = (SoftLinear){ lane->x * by * sign, lane->y * by * sign, lane->z * by * sign, lane->c * by * sign + (sign < 0 ? 255 * by : 0) + 0.5 };
        if (from == FROM_CONSTANT)
            lane->c = CLAMP(n->color[i], 0, 1) * 255 + 0.5;
    }
}

void soft_layer_lanes(const Soft *soft, const SoftSurface *surface, int number, int pose, SoftLinear out[LANES]) {
    const SoftLayer *layer = soft_layer_at(soft, number);
    bool linear = layer->stage && !layer->weakened && stage_linear(layer->stage, surface->page);
    if (linear) {
        linear_lanes(surface, layer, out);
        return;
    }
    const BspVertex *vertices = soft->frame->level->geometry->vertices;
    double places[3][3], values[3][LANES];
    for (int k = 0; k < 3; k++) {
        int vertex = soft->level->indexes[surface->first_index + k];
        for (int i = 0; i < 3; i++)
            places[k][i] = vertices[vertex].position.raw[i];
        soft_layer_vertex(soft, surface, number, pose, vertex, &vertices[vertex], values[k]);
    }
    if (!soft_linear_fit((const double (*)[3])places, (const double (*)[LANES])values, out))
        memset(out, 0, LANES * sizeof *out);
}
