/* frame/things.c -- sprites, particles and dynamic lights: what scripts put into the level besides lines. */
#include <stdlib.h>

#include "base/trig.h"
#include "frame/frame.h"

void frame_sprite_corners(const View *view, const FrameSprite *sprite, Vec3 out[4]) {
    Vec3 right = sprite->right, up = sprite->up;
    if (!sprite->oriented) {
        double roll = trig_radians(sprite->roll);
        float s = (float)trig_sin(roll), c = (float)trig_cos(roll);
        Vec3 r = view->axes.right, u = view->axes.up;
        right = vec3_scale(vec3_add_scaled(vec3_scale(r, c), u, s), sprite->width / 2);
        up = vec3_scale(vec3_add_scaled(vec3_scale(u, c), r, -s), sprite->height / 2);
    }
    Vec3 top = vec3_add(sprite->origin, up), bottom = vec3_sub(sprite->origin, up);
    out[0] = vec3_sub(top, right);
    out[1] = vec3_add(top, right);
    out[2] = vec3_add(bottom, right);
    out[3] = vec3_sub(bottom, right);
}

typedef struct MeshPlace { float sort, distance; int number; } MeshPlace;

static MeshPlace place_of(const Frame *frame, int number) {
    const FrameMesh *mesh = &frame->meshes.at[number];
    return (MeshPlace){ mesh->sort, vec3_dot(vec3_sub(box_middle(mesh->bounds), frame->view.origin), frame->view.axes.forward), number };
}

static bool is_before(const MeshPlace *a, float sort, float distance) { return a->sort != sort ? a->sort < sort : a->distance > distance; }

static int compare_places(const void *a, const void *b) {
    const MeshPlace *x = a, *y = b;
    if (x->sort != y->sort || x->distance != y->distance)
        return is_before(x, y->sort, y->distance) ? -1 : 1;
    return x->number - y->number;
}

const int *frame_mesh_order(const Frame *frame, int *first_blended) {
    int count = (int)frame->meshes.count, opaque = 0, blended = 0;
    int *order = arena_array(frame->arena, int, count);
    MeshPlace *places = arena_array(frame->arena, MeshPlace, count);
    for (int i = 0; i < count; i++) {
        if (frame->meshes.at[i].blended)
            places[blended++] = place_of(frame, i);
        else
            order[opaque++] = i;
    }
    qsort(places, (size_t)blended, sizeof *places, compare_places);
    for (int i = 0; i < blended; i++)
        order[opaque + i] = places[i].number;
    *first_blended = opaque;
    return order;
}

int frame_meshes_before(const Frame *frame, const int *order, int first_blended, float sort, float distance) {
    int count = first_blended;
    for (; count < (int)frame->meshes.count; count++) {
        MeshPlace place = place_of(frame, order[count]);
        if (!is_before(&place, sort, distance))
            break;
    }
    return count - first_blended;
}

/* Linear to the radius: what Quake's lights did, and cheap enough for every luxel of a surface. */
Vec3 frame_lights_at(const Frame *frame, Vec3 point) {
    Vec3 sum = vec3_at(0, 0, 0);
    for (size_t i = 0; i < frame->lights.count; i++) {
        const FrameLight *light = &frame->lights.at[i];
        float distance = vec3_length(vec3_sub(light->origin, point));
        if (distance < light->radius)
            sum = vec3_add_scaled(sum, light->color, 1 - distance / light->radius);
    }
    return sum;
}
