/* scene/scene_portals.c -- what is seen in mirrors and through portals.
 *
 * A face whose material is a portal needs an entity misc_portal_surface near its plane: without a target it is a mirror,
 * with one it shows what the misc_portal_camera of that name sees (format.md 6; the engine's R_GetPortalOrientations).
 * Either way the eye is carried from the face's place to the camera's, and what it would see from there is filled like any
 * other view. */
#include <math.h>
#include <stdlib.h>

#include "base/trig.h"
#include "scene/scene_internal.h"

enum { GROUPS_MOST = 32 };
static const float REACH = 64;    /* units from a face's plane to its entity, as in the engine */

/* Faces in one plane with one material. */
typedef struct Group { Plane plane; const Look *look; int face_count; float distance; Vec3 middle; int *faces; } Group;

struct ScenePortals {
    Scene beyond;                 /* walks the level for the other views */
    Frame frames[PORTALS_MOST];
};

/* A place and three directions: forward, left, up. */
typedef struct Stand { Vec3 origin, axis[3]; } Stand;

void scene_portals_close(struct ScenePortals *portals) {
    if (!portals)
        return;
    scene_close(&portals->beyond);
    for (int i = 0; i < PORTALS_MOST; i++)
        frame_close(&portals->frames[i]);
    mem_free(portals);
}

static struct ScenePortals *portals_of(Scene *scene) {
    if (scene->portals)
        return scene->portals;
    scene->portals = mem_zeroed(1, sizeof *scene->portals);
    scene_open(&scene->portals->beyond);
    scene_use_level(&scene->portals->beyond, scene->level);
    for (int i = 0; i < PORTALS_MOST; i++)
        frame_open(&scene->portals->frames[i]);
    return scene->portals;
}


static float nearest_corner(const Level *level, int face, Vec3 eye) {
    const BspFaceRange *range = &level->geometry->faces[face];
    float nearest = INFINITY;
    for (int i = 0; i < range->vertex_count; i++)
        nearest = fminf(nearest, vec3_length(vec3_sub(level->geometry->vertices[range->first_vertex + i].position, eye)));
    return nearest;
}

static void add_face(Group *groups, int *count, const Frame *frame, int number, const Look *look) {
    const Level *level = frame->level;
    const BspFace *face = &level->map->faces[number];
    Vec3 eye = frame->view.origin, normal = vec3_normalized(face->normal);
    Plane plane = { normal, vec3_dot(normal, level->geometry->vertices[level->geometry->faces[number].first_vertex].position) };
    if (face->type != FACE_PLANAR || vec3_length(normal) < 0.9f || plane_distance(plane, eye) <= 0)
        return;
    Group *group = groups;
    while (group < groups + *count && !(group->look == look && vec3_dot(group->plane.normal, normal) > 0.9999f &&
                                        fabsf(group->plane.dist - plane.dist) < 1))
        group++;
    if (group == groups + GROUPS_MOST)
        return;
    if (group == groups + *count) {
        *group = (Group){ .plane = plane, .look = look, .distance = INFINITY, .faces = arena_array(frame->arena, int, frame->face_count) };
        ++*count;
    }
    group->faces[group->face_count++] = number;
    float distance = nearest_corner(level, number, eye);
    if (distance < group->distance) {
        group->distance = distance;
        group->middle = box_middle(level->geometry->face_bounds[number]);
    }
}

static int by_distance(const void *a, const void *b) {
    const Group *x = a, *y = b;
    return x->distance != y->distance ? (x->distance < y->distance ? -1 : 1) : x->faces[0] - y->faces[0];
}

static int find_groups(const Frame *frame, Group groups[GROUPS_MOST]) {
    int count = 0;
    for (int i = 0; i < frame->face_count; i++) {
        const Look *look = level_look(frame->level, frame->faces[i]);
        if (look && look->sort == SORT_PORTAL)
            add_face(groups, &count, frame, frame->faces[i], look);
    }
    qsort(groups, (size_t)count, sizeof *groups, by_distance);
    return count;
}


/* Across a direction, as the engine chooses it: towards the axis that it has least of. */
static Vec3 perpendicular(Vec3 to) {
    int least = 0;
    for (int i = 1; i < 3; i++)
        if (fabsf(to.raw[i]) < fabsf(to.raw[least]))
            least = i;
    Vec3 axis = vec3_at(0, 0, 0);
    axis.raw[least] = 1;
    return vec3_normalized(vec3_add_scaled(axis, to, -vec3_dot(axis, to)));
}

static const BspEntity *entity_named(const Map *map, const char *name) {
    for (int i = 0; i < map->entity_count; i++) {
        const char *own = bsp_entity_value(&map->entities[i], "targetname");
        if (own && text_same(own, name))
            return &map->entities[i];
    }
    return NULL;
}

static const BspEntity *surface_entity(const Map *map, const Group *group) {
    const BspEntity *best = NULL;
    float least = INFINITY;
    for (int i = 0; i < map->entity_count; i++) {
        Vec3 origin;
        if (!text_same(bsp_entity_class(&map->entities[i]), "misc_portal_surface") ||
            !bsp_entity_vector(&map->entities[i], "origin", &origin) || fabsf(plane_distance(group->plane, origin)) > REACH)
            continue;
        float distance = vec3_length(vec3_sub(origin, group->middle));
        if (distance < least) {
            least = distance;
            best = &map->entities[i];
        }
    }
    return best;
}

static Vec3 camera_direction(const Map *map, const BspEntity *camera, Vec3 origin) {
    const char *target = bsp_entity_value(camera, "target");
    const BspEntity *aim = target ? entity_named(map, target) : NULL;
    Vec3 at, angles = vec3_at(0, 0, 0);
    if (aim && bsp_entity_vector(aim, "origin", &at) && vec3_length(vec3_sub(at, origin)) > 0)
        return vec3_normalized(vec3_sub(at, origin));
    bsp_entity_angles(camera, &angles);
    return axes_from_angles(angles).forward;
}

/* Degrees that the camera is rolled by: it turns (spawnflags 1 and 2), or swings by four degrees unless flag 4 says no. */
static double camera_roll(const BspEntity *camera, double time) {
    int flags = (int)bsp_entity_number(camera, "spawnflags", 0);
    double roll = bsp_entity_number(camera, "roll", 0);
    if (flags & 4)
        return roll;
    if (flags & 3)
        return time * (flags & 1 ? 25 : 75);
    return roll + 4 * trig_sin(time * 3);
}

/* Where a camera stands: behind it lies what its portal would show behind its face, so forward and left are turned about. */
static Stand camera_stand(const Map *map, const BspEntity *camera, Vec3 origin, double time) {
    Vec3 forward = camera_direction(map, camera, origin), left = vec3_scale(perpendicular(forward), -1);
    Stand out = { origin, { vec3_scale(forward, -1), vec3_scale(left, -1), vec3_cross(forward, left) } };
    double angle = trig_radians(camera_roll(camera, time));
    Vec3 up = vec3_cross(out.axis[0], out.axis[1]);
    out.axis[1] = vec3_add_scaled(vec3_scale(out.axis[1], (float)trig_cos(angle)), up, (float)trig_sin(angle));
    out.axis[2] = vec3_cross(out.axis[0], out.axis[1]);
    return out;
}

static Vec3 carried(Vec3 v, const Stand *from, const Stand *to) {
    Vec3 out = vec3_at(0, 0, 0);
    for (int i = 0; i < 3; i++)
        out = vec3_add_scaled(out, to->axis[i], vec3_dot(v, from->axis[i]));
    return out;
}

static float portal_range(const Look *look) {
    for (int i = 0; i < look->stage_count; i++)
        if (look->stages[i].alpha_gen == ALPHAGEN_PORTAL)
            return look->stages[i].alpha > 0 ? look->stages[i].alpha : 256;
    return 256;
}

/* The two ends of a portal; false: it has no entity, or its camera is missing or too far to be looked through. */
static bool find_ends(const Frame *frame, const Group *group, Stand *face, Stand *camera, Vec3 *seen_from) {
    const Map *map = frame->level->map;
    const BspEntity *entity = surface_entity(map, group);
    Vec3 n = group->plane.normal, origin;
    if (!entity)
        return false;
    bsp_entity_vector(entity, "origin", &origin);
    face->origin = vec3_add_scaled(origin, n, -plane_distance(group->plane, origin));
    face->axis[0] = n;
    face->axis[1] = perpendicular(n);
    face->axis[2] = vec3_cross(face->axis[0], face->axis[1]);
    *camera = *face;
    camera->axis[0] = vec3_scale(n, -1);
    *seen_from = origin;
    const char *target = bsp_entity_value(entity, "target");
    if (!target || !*target)
        return true;
    const BspEntity *other = entity_named(map, target);
    if (!other || !bsp_entity_vector(other, "origin", &origin) || group->distance > portal_range(group->look))
        return false;
    *camera = camera_stand(map, other, origin, frame->time);
    *seen_from = origin;
    return true;
}

static View carried_view(const View *view, const Map *map, const Stand *from, const Stand *to, Vec3 seen_from) {
    View out = *view;
    out.origin = vec3_add(to->origin, carried(vec3_sub(view->origin, from->origin), from, to));
    out.axes = (Axes){ carried(view->axes.forward, from, to), carried(view->axes.right, from, to), carried(view->axes.up, from, to) };
    out.angles = angles_from_forward(out.axes.forward);
    out.leaf = bsp_leaf_at(map, seen_from);
    out.cluster = bsp_cluster_at(map, seen_from);
    return out;
}

static void fill_view(Scene *beyond, const Frame *frame, Frame *out, View view) {
    frame_begin(out);
    out->level = frame->level;
    out->assets = frame->assets;
    out->shade = frame->shade;
    out->time = frame->time;
    out->overbright = frame->overbright;
    out->gamma = frame->gamma;
    out->clear = frame->clear;
    out->wire = frame->wire;
    out->view = view;
    scene_fill_visible(beyond, out);
}

Frame *scene_portal_frame(const Scene *scene, int number) { return &scene->portals->frames[number]; }

void scene_fill_portals(Scene *scene, Frame *frame) {
    Group groups[GROUPS_MOST];
    int count = find_groups(frame, groups);
    if (!count)
        return;
    struct ScenePortals *portals = portals_of(scene);
    portals->beyond.vis_mode = scene->vis_mode;
    portals->beyond.areas = scene->areas;
    memcpy(portals->beyond.poses, scene->poses, (size_t)scene->pose_count * sizeof *scene->poses);
    FramePortal *out = arena_array(frame->arena, FramePortal, PORTALS_MOST);
    frame->portals = out;
    for (int i = 0; i < count && frame->portal_count < PORTALS_MOST; i++) {
        Stand face, camera;
        Vec3 seen_from;
        if (!find_ends(frame, &groups[i], &face, &camera, &seen_from))
            continue;
        Frame *seen = &portals->frames[frame->portal_count];
        fill_view(&portals->beyond, frame, seen, carried_view(&frame->view, frame->level->map, &face, &camera, seen_from));
        Vec3 ahead = vec3_scale(camera.axis[0], -1);
        out[frame->portal_count++] = (FramePortal){
            .faces = groups[i].faces, .face_count = groups[i].face_count, .seen = seen,
            .clip = { ahead, vec3_dot(ahead, camera.origin) },
            .mirrored = vec3_dot(vec3_cross(camera.axis[0], camera.axis[1]), camera.axis[2]) < 0,
        };
    }
}
