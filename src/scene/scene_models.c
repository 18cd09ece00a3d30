/* scene/scene_models.c -- models into the frame: culled by rows and frustum, posed once, lit from the grid, their materials'
 * stages worked out for each vertex.
 *
 * Light is as the engine has it (format.md 4): ambient at 0.6 plus 32 of 255 times the identity light, and one direction;
 * every vertex gets ambient + directed * max(0, normal . direction). What a material says of places, normals and the eye
 * it says in the model's own space, as in the engine. */
#include <math.h>

#include "base/trig.h"
#include "scene/scene.h"

/* What the surfaces of a model have in common; all in the model's own space. */
typedef struct Stand {
    const SceneModel *model;
    LightNumbers light;          /* 0..1 */
    Axes axes;                   /* of the view */
    Vec3 eye;
    float entity[4];
    int fog;                     /* effect of the map that it stands in; -1: none */
} Stand;

/* One surface, while it is worked out. */
typedef struct Skin { const ModelSurface *surface; const Look *look; Vec3 *positions, *normals; const Vec2 *uv; const Rgba *colors; } Skin;

static Vec3 into(const Axes *axes, Vec3 d) { return vec3_at(vec3_dot(d, axes->forward), -vec3_dot(d, axes->right), vec3_dot(d, axes->up)); }

static LightNumbers light_for(const Scene *scene, const Frame *frame, const SceneModel *model) {
    if (model->bright)
        return (LightNumbers){ vec3_at(1, 1, 1), vec3_at(0, 0, 0), vec3_at(0, 0, 1) };
    float identity = identity_light(frame->overbright);
    BspLightSample sample = bsp_light_at(scene->level->map, model->origin);
    LightNumbers light = light_numbers(&sample, frame->overbright);
    light.ambient = vec3_add(light.ambient, vec3_scale(frame_lights_at(frame, model->origin), identity));
    for (int i = 0; i < 3; i++)
        light.ambient.raw[i] = fminf(light.ambient.raw[i], identity);
    light.direction = vec3_normalized(into(&model->axes, light.direction));
    return light;
}

/* The fog whose brush the model reaches into: the first one, as in the engine. */
static int fog_around(const Scene *scene, Box bounds) {
    const Map *map = scene->level->map;
    for (int i = 0; scene->level->fogs && i < map->effect_count; i++) {
        int brush = map->effects[i].brush;
        if (brush < 0)
            return i;    /* of the whole level */
        Box box = map->brushes[brush].bounds;
        bool apart = false;
        for (int k = 0; k < 3; k++)
            apart = apart || bounds.mins.raw[k] >= box.maxs.raw[k] || bounds.maxs.raw[k] <= box.mins.raw[k];
        if (!apart)
            return i;
    }
    return -1;
}

static Stand stand_of(const Scene *scene, const Frame *frame, const SceneModel *model, Box bounds) {
    const View *view = &frame->view;
    Stand out = { .model = model, .light = light_for(scene, frame, model), .fog = fog_around(scene, bounds) };
    out.axes = (Axes){ into(&model->axes, view->axes.forward), into(&model->axes, view->axes.right), into(&model->axes, view->axes.up) };
    out.eye = into(&model->axes, vec3_sub(view->origin, model->origin));
    if (model->scale != 0)
        out.eye = vec3_scale(out.eye, 1 / model->scale);
    const uint8_t tint[4] = { model->tint.r, model->tint.g, model->tint.b, model->tint.a };
    for (int i = 0; i < 4; i++)
        out.entity[i] = (float)tint[i] / 255;
    return out;
}


static uint8_t byte_of(float part) { return (uint8_t)(part >= 1 ? 255 : part > 0 ? part * 255 + 0.5f : 0); }

static Rgba rgba_of(const float color[4]) { return (Rgba){ byte_of(color[0]), byte_of(color[1]), byte_of(color[2]), byte_of(color[3]) }; }

static Rgba vertex_light(const Stand *stand, Vec3 normal) {
    float facing = vec3_dot(normal, stand->light.direction), color[4];
    facing = facing > 0 ? facing : 0;    /* fmaxf and its kin are calls */
    for (int i = 0; i < 3; i++)
        color[i] = MIN(stand->light.ambient.raw[i] + stand->light.directed.raw[i] * facing, 1) * stand->entity[i];
    color[3] = stand->entity[3];
    return rgba_of(color);
}

static Vec3 place(const SceneModel *model, Vec3 p) {
    Vec3 at = vec3_add_scaled(model->origin, model->axes.forward, p.x * model->scale);
    at = vec3_add_scaled(at, model->axes.right, -p.y * model->scale);
    return vec3_add_scaled(at, model->axes.up, p.z * model->scale);
}

/* Moved as its material says; a vertex that would be nowhere stays. */
static void deform(const Stand *stand, const Frame *frame, Skin *skin) {
    const ModelSurface *surface = skin->surface;
    BspVertex *vertices = arena_array(frame->arena, BspVertex, surface->vertex_count);
    uint32_t *indexes = arena_array(frame->arena, uint32_t, surface->triangle_count * 3);
    Vec2 *uv = arena_array(frame->arena, Vec2, surface->vertex_count);
    for (int i = 0; i < surface->vertex_count; i++)
        vertices[i] = (BspVertex){ .position = skin->positions[i], .normal = skin->normals[i], .uv = surface->uv[i] };
    for (int i = 0; i < surface->triangle_count * 3; i++)
        indexes[i] = surface->indexes[i];
    look_deform(skin->look, frame->time, &stand->axes, vertices, surface->vertex_count, indexes, surface->triangle_count * 3, 0);
    for (int i = 0; i < surface->vertex_count; i++) {
        if (vec3_finite(vertices[i].position))
            skin->positions[i] = vertices[i].position;
        skin->normals[i] = vertices[i].normal;
        uv[i] = vertices[i].uv;
    }
    skin->uv = uv;
}

/* A model has no colours of its own: where vertices' are asked for, it has what it is tinted with. */
static StagePoint any_point(const Stand *stand) {
    StagePoint out = { .eye = stand->eye, .ambient = stand->light.ambient, .directed = stand->light.directed, .direction = stand->light.direction };
    memcpy(out.color, stand->entity, sizeof out.color);
    return out;
}

static void go_to(StagePoint *point, const Skin *skin, int number) {
    point->position = skin->positions[number];
    point->normal = skin->normals[number];
    point->uv = point->lightmap_uv = skin->uv[number];
}

static bool fades_itself(const LookStage *stage) {
    return stage->alpha_gen == ALPHAGEN_ENTITY || stage->alpha_gen == ALPHAGEN_ONE_MINUS_ENTITY || stage->alpha_gen == ALPHAGEN_VERTEX ||
           stage->alpha_gen == ALPHAGEN_ONE_MINUS_VERTEX;
}

static Rgba color_at(const Stand *stand, const LookStage *stage, const StageNumbers *numbers, const StagePoint *point) {
    float color[4];
    stage_color(numbers, point, color);
    for (int k = 0; k < 3 && numbers->color_from == FROM_LIGHT; k++)
        color[k] *= stand->entity[k];
    color[3] *= fades_itself(stage) ? 1 : stand->entity[3];
    return rgba_of(color);
}

/* Most stages have the surface's own coordinates, and a colour that is everywhere the same, or the light. */
static const Vec2 *uv_of(const Stand *stand, const Frame *frame, const Skin *skin, const LookStage *stage, const StageNumbers *numbers) {
    static const float still[6] = { 1, 0, 0, 0, 1, 0 };
    int count = skin->surface->vertex_count;
    if (stage->texcoord_gen == TEXCOORD_BASE && !numbers->turb_count && memcmp(numbers->matrix, still, sizeof still) == 0)
        return skin->uv;
    Vec2 *uv = arena_array(frame->arena, Vec2, count);
    StagePoint point = any_point(stand);
    for (int i = 0; i < count; i++) {
        go_to(&point, skin, i);
        uv[i] = stage_texcoord(stage, numbers, &point);
    }
    return uv;
}

static const Rgba *colors_of(const Stand *stand, const Frame *frame, const Skin *skin, const LookStage *stage, const StageNumbers *numbers) {
    int count = skin->surface->vertex_count;
    bool even_alpha = numbers->alpha_from == FROM_CONSTANT, is_light = numbers->color_from == FROM_LIGHT && even_alpha && numbers->color[3] == 1;
    if (is_light && !fades_itself(stage))
        return skin->colors;
    Rgba *colors = arena_array(frame->arena, Rgba, count);
    bool same = even_alpha && numbers->color_from == FROM_CONSTANT;
    StagePoint point = any_point(stand);
    for (int i = 0; i < count; i++) {
        go_to(&point, skin, i);
        colors[i] = same && i > 0 ? colors[0] : color_at(stand, stage, numbers, &point);
    }
    return colors;
}

static FrameStage work_out(const Stand *stand, const Frame *frame, const Skin *skin, const LookStage *stage) {
    StageNumbers numbers;
    stage_numbers(stage, frame->time, identity_light(frame->overbright), stand->entity, &numbers);
    const Vec2 *uv = uv_of(stand, frame, skin, stage, &numbers);
    const Rgba *colors = colors_of(stand, frame, skin, stage, &numbers);
    return (FrameStage){
        .uv = uv, .colors = colors, .texture = numbers.texture, .alpha_test = stage->alpha_test, .blends = stage->blends,
        .source = stage->source, .destination = stage->destination, .multiplies = stage_multiplies(stage), .depth_equal = stage->depth_equal,
        .depth_write = stage->depth_write,
    };
}

/* What fog leaves of a stage that is added, or laid over. */
static void weaken(const FrameStage *stage, Rgba *color, float left) {
    unsigned part = blend_fogged(stage->source, stage->destination);
    if (part & FOGGED_COLOR) {
        color->r = (uint8_t)((float)color->r * left);
        color->g = (uint8_t)((float)color->g * left);
        color->b = (uint8_t)((float)color->b * left);
    }
    if (part & FOGGED_ALPHA)
        color->a = (uint8_t)((float)color->a * left);
}

/* Over an opaque surface its fog is one more stage; one that is blended gets weaker. */
static void add_fog(const Stand *stand, const Frame *frame, const Skin *skin, FrameStage *stages, int *count) {
    FogNumbers fog;
    const View *view = &frame->view;
    if (!level_fog(frame->level, stand->fog, view->origin, view->axes.forward, identity_light(frame->overbright), &fog))
        return;
    int vertices = skin->surface->vertex_count;
    Rgba *veil = arena_array(frame->arena, Rgba, vertices), *weaker[STAGES_MOST];
    bool opaque = !stages[0].blends;
    for (int k = 0; k < *count && !opaque; k++) {    /* copies: stages may share their colours */
        weaker[k] = arena_array(frame->arena, Rgba, vertices);
        memcpy(weaker[k], stages[k].colors, (size_t)vertices * sizeof *weaker[k]);
        stages[k].colors = weaker[k];
    }
    for (int i = 0; i < vertices; i++) {
        float opacity = fog_opacity(&fog, place(stand->model, skin->positions[i]));
        veil[i] = rgba_of((float[4]){ fog.color[0], fog.color[1], fog.color[2], opacity });
        for (int k = 0; k < *count && !opaque; k++)
            weaken(&stages[k], &weaker[k][i], 1 - opacity);
    }
    if (opaque)
        stages[(*count)++] = (FrameStage){ .uv = skin->uv, .colors = veil, .texture = TEXTURE_WHITE, .blends = true, .source = BLEND_SRC_ALPHA,
                                           .destination = BLEND_ONE_MINUS_SRC_ALPHA, .depth_equal = true };
}

static void add_stages(const Stand *stand, Frame *frame, const Skin *skin, FrameMesh *mesh) {
    int count = 0, room = (skin->look ? skin->look->stage_count : 1) + 1;
    FrameStage *stages = arena_array(frame->arena, FrameStage, room);
    for (int i = 0; skin->look && i < skin->look->stage_count; i++)
        stages[count++] = work_out(stand, frame, skin, &skin->look->stages[i]);
    if (!skin->look)
        stages[count++] = (FrameStage){ .uv = skin->uv, .colors = skin->colors, .texture = mesh->texture, .alpha_test = mesh->alpha_test, .depth_write = true };
    if (count && stand->fog >= 0)
        add_fog(stand, frame, skin, stages, &count);
    mesh->stages = stages;
    mesh->stage_count = count;
}

static void add_surface(const Stand *stand, Frame *frame, int number, FrameMesh mesh) {
    const SceneModel *model = stand->model;
    const ModelLook *look = &model->surfaces[number];
    const ModelSurface *surface = &model->model->surfaces[number];
    Skin skin = { .surface = surface, .look = look->look, .uv = surface->uv };
    skin.positions = arena_array(frame->arena, Vec3, surface->vertex_count);
    skin.normals = arena_array(frame->arena, Vec3, surface->vertex_count);
    Rgba *colors = arena_array(frame->arena, Rgba, surface->vertex_count);
    model_pose(surface, model->model->frame_count, model->old_frame, model->frame, model->mix, skin.positions, skin.normals);
    if (skin.look && skin.look->deform_count) {
        deform(stand, frame, &skin);
        mesh.inside = false;    /* it may reach out of its bounds */
    }
    for (int i = 0; i < surface->vertex_count; i++)
        colors[i] = vertex_light(stand, skin.normals[i]);
    mesh.surface = surface;
    mesh.positions = skin.positions;
    mesh.colors = skin.colors = colors;
    mesh.texture = look->texture;
    mesh.cull = look->cull;
    mesh.alpha_test = look->alpha_test;
    mesh.blended = look->blended;
    if (skin.look) {
        mesh.sort = skin.look->sort;
        mesh.offset = skin.look->polygon_offset;
    }
    if (frame->shade == SHADE_LIT && (skin.look || (stand->fog >= 0 && !mesh.blended)))
        add_stages(stand, frame, &skin, &mesh);
    for (int i = 0; i < surface->vertex_count; i++)
        skin.positions[i] = place(model, skin.positions[i]);
    *array_push(&frame->meshes) = mesh;
}

bool scene_add_model(Scene *scene, Frame *frame, const SceneModel *model) {
    bool sound = vec3_finite(model->origin) && isfinite(model->scale) && isfinite(model->mix) && scene->level &&
                 frame->meshes.count + (size_t)model->model->surface_count <= FRAME_MOST;
    if (!sound) {
        frame->dropped++;
        return false;
    }
    Box own = model_bounds(model->model, model->old_frame, model->frame);
    Box scaled = { vec3_scale(own.mins, model->scale), vec3_scale(own.maxs, model->scale) };
    Box bounds = box_at_pose(scaled, model->origin, &model->axes);
    int instance = frame->model_instances++;
    if (!vec3_finite(bounds.mins) || !vec3_finite(bounds.maxs) || !scene_sees_box(scene, bounds)) {
        frame->models_hidden++;
        return false;
    }
    FrameMesh mesh = { .inside = scene_holds_box(scene, bounds), .bounds = bounds, .instance = instance };
    Stand stand = stand_of(scene, frame, model, bounds);
    for (int i = 0; i < model->model->surface_count; i++)
        if (!model->surfaces[i].hidden)
            add_surface(&stand, frame, i, mesh);
    return true;
}

/* The engine's rule: 1 minus five times the part of the view's height that the model's radius takes, in `count` steps. */
int scene_model_lod(const View *view, Box bounds, Vec3 origin, float scale, int count) {
    float far_x = fmaxf(fabsf(bounds.mins.x), fabsf(bounds.maxs.x)), far_y = fmaxf(fabsf(bounds.mins.y), fabsf(bounds.maxs.y));
    float radius = vec3_length(vec3_at(far_x, far_y, fmaxf(fabsf(bounds.mins.z), fabsf(bounds.maxs.z)))) * fabsf(scale);
    float distance = vec3_dot(vec3_sub(origin, view->origin), view->axes.forward);
    if (count < 2 || !(distance > 0))
        return 0;
    float part = 1 - 5 * radius / (distance * (float)trig_tan(trig_radians(view->fov_y) / 2));
    int lod = (int)(CLAMP(part, 0, 1) * (float)count);
    return MIN(lod, count - 1);
}
