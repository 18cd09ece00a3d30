/* scene/scene_models.c -- models into the frame: culled by rows and frustum, posed once, lit from the grid.
 *
 * Light is as the engine has it (format.md 4): ambient at 0.6 plus 32 of 255 times the identity light, and one direction;
 * every vertex gets ambient + directed * max(0, normal . direction). */
#include <math.h>

#include "base/trig.h"
#include "scene/scene.h"

typedef struct Light { Vec3 ambient, directed, direction; } Light;    /* bytes 0..255; the direction in the model's space */

static Vec3 shifted(Vec3 color, int shift) {    /* keeps the hue, as bsp_shift_color does with bytes */
    color = vec3_scale(color, (float)(1 << shift));
    float most = fmaxf(fmaxf(color.x, color.y), color.z);
    return most > 255 ? vec3_scale(color, 255 / most) : color;
}

static Light light_for(const Scene *scene, const Frame *frame, const SceneModel *model) {
    float identity = 255.0f / (float)(1 << frame->overbright);
    BspLightSample sample = bsp_light_at(scene->level->map, model->origin);
    if (!sample.valid)    /* no grid: the engine's flat light */
        sample = (BspLightSample){ vec3_at(150, 150, 150), vec3_at(150, 150, 150), vec3_normalized(vec3_at(0.45f, 0.3f, 0.9f)), true };
    else {
        sample.ambient = shifted(sample.ambient, 2 - frame->overbright);
        sample.directed = shifted(sample.directed, 2 - frame->overbright);
    }
    Light light = { vec3_scale(sample.ambient, 0.6f), sample.directed, sample.direction };
    light.ambient = vec3_add(light.ambient, vec3_scale(frame_lights_at(frame, model->origin), identity));
    for (int i = 0; i < 3; i++)
        light.ambient.raw[i] = fminf(light.ambient.raw[i] + 32 * identity / 255, identity);
    const Axes *axes = &model->axes;
    Vec3 d = light.direction;
    light.direction = vec3_normalized(vec3_at(vec3_dot(d, axes->forward), -vec3_dot(d, axes->right), vec3_dot(d, axes->up)));
    return light;
}

static uint8_t byte_of(float value, uint8_t tint) {
    float product = value * (float)tint / 255;
    return (uint8_t)(product >= 255 ? 255 : product <= 0 ? 0 : product + 0.5f);
}

static Rgba vertex_light(const SceneModel *model, const Light *light, Vec3 normal) {
    if (model->bright)
        return model->tint;
    float facing = fmaxf(vec3_dot(normal, light->direction), 0);
    Vec3 sum = vec3_add_scaled(light->ambient, light->directed, facing);
    return (Rgba){ byte_of(sum.x, model->tint.r), byte_of(sum.y, model->tint.g), byte_of(sum.z, model->tint.b), model->tint.a };
}

static Vec3 place(const SceneModel *model, Vec3 p) {
    Vec3 at = vec3_add_scaled(model->origin, model->axes.forward, p.x * model->scale);
    at = vec3_add_scaled(at, model->axes.right, -p.y * model->scale);
    return vec3_add_scaled(at, model->axes.up, p.z * model->scale);
}

static void add_surface(Frame *frame, const SceneModel *model, int number, const Light *light, FrameMesh mesh) {
    const ModelSurface *surface = &model->model->surfaces[number];
    const ModelLook *look = &model->surfaces[number];
    Vec3 *positions = arena_array(frame->arena, Vec3, surface->vertex_count);
    Vec3 *normals = arena_array(frame->arena, Vec3, surface->vertex_count);
    Rgba *colors = arena_array(frame->arena, Rgba, surface->vertex_count);
    model_pose(surface, model->model->frame_count, model->old_frame, model->frame, model->mix, positions, normals);
    for (int i = 0; i < surface->vertex_count; i++) {
        colors[i] = vertex_light(model, light, normals[i]);
        positions[i] = place(model, positions[i]);
    }
    mesh.surface = surface;
    mesh.positions = positions;
    mesh.colors = colors;
    mesh.texture = look->texture;
    mesh.cull = look->cull;
    mesh.alpha_test = look->alpha_test;
    mesh.blended = look->blended;
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
    Light light = light_for(scene, frame, model);
    for (int i = 0; i < model->model->surface_count; i++)
        if (!model->surfaces[i].hidden)
            add_surface(frame, model, i, &light, mesh);
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
