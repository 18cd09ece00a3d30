/* scene/flares.c -- flares: which are seen, how bright, how large (the engine's tr_flares.c, its constants). */
#include "scene/flares.h"

#include <math.h>
#include <stdlib.h>

#include "base/trig.h"

static const float SIZE = 40;         /* of 640 pixels of the picture's width, from its middle to its edge */
static const float COEFFICIENT = 150; /* how slowly the brightness falls with the distance */
static const float FADES = 7;         /* a second */
static const float TOLERANCE = 24;    /* units: what is no farther before a flare than this does not hide it */
static const double PAUSE = 2;        /* seconds without a frame, after which nothing fades any more */
enum { PANES_MOST = 16 };             /* of glass between the eye and a flare */

void flares_close(Flares *flares) {
    array_free(&flares->faces);
    array_free(&flares->meshes);
    array_free(&flares->strength);
    *flares = (Flares){ 0 };
}

static void use_map(Flares *flares, const Map *map) {
    if (flares->map == map)
        return;
    flares_close(flares);
    flares->map = map;
    for (int i = 0; i < map->face_count; i++) {
        const BspFace *face = &map->faces[i];
        if (face->type == FACE_MESH && !face->dropped && map->face_model[i] <= 0)
            *array_push(&flares->meshes) = i;
        if (face->type != FACE_FLARE || face->dropped || !vec3_finite(face->lightmap_origin) || !vec3_finite(face->lightmap_vecs[0]))
            continue;
        *array_push(&flares->faces) = i;
    }
    size_t count = flares->faces.count * (1 + PORTALS_MOST);
    if (count)
        memset(array_push_n(&flares->strength, count), 0, count * sizeof *flares->strength.at);
}


/* One brush or curve after the other along the way; glass does not count. */
static bool is_stopped(const Trace *hit) { return hit->fraction < 1 && !(hit->contents & CONTENTS_TRANSLUCENT); }

static Trace trace_part(const Frame *frame, const Collision *collision, int place, Vec3 from, Vec3 to) {
    const Map *map = frame->level->map;
    TraceQuery query = { .from = from, .to = to, .mask = MASK_SOLID };
    if (place < 0)
        return bsp_trace(map, collision, &query);
    const FrameModel *model = &frame->models.at[place];
    return bsp_trace_model(map, collision, model->model, model->origin, model->angles, &query);
}

static bool is_clear(const Frame *frame, const Collision *collision, int place, Vec3 from, Vec3 to) {
    Vec3 ahead = vec3_normalized(vec3_sub(to, from));
    for (int i = 0; i < PANES_MOST; i++) {
        Trace hit = trace_part(frame, collision, place, from, to);
        if (hit.fraction >= 1)
            return true;
        if (is_stopped(&hit))
            return false;
        from = vec3_add_scaled(hit.endpos, ahead, 4 * TRACE_GAP);    /* in the glass: it does not stop what begins in it */
        if (vec3_dot(vec3_sub(to, from), ahead) <= 0)
            return true;
    }
    return false;
}

static bool meets_triangle(Vec3 from, Vec3 way, const Vec3 corners[3]) {
    Vec3 a = vec3_sub(corners[1], corners[0]), b = vec3_sub(corners[2], corners[0]), across = vec3_cross(way, b);
    float area = vec3_dot(a, across);
    if (fabsf(area) < 1e-6f)
        return false;
    Vec3 off = vec3_sub(from, corners[0]), turned_off = vec3_cross(off, a);
    float u = vec3_dot(off, across) / area, v = vec3_dot(way, turned_off) / area, at = vec3_dot(b, turned_off) / area;
    return u >= 0 && v >= 0 && u + v <= 1 && at > 0 && at < 1;
}

static bool meets_box(Vec3 from, Vec3 to, Box box) {
    for (int i = 0; i < 3; i++)
        if (fmaxf(from.raw[i], to.raw[i]) < box.mins.raw[i] || fminf(from.raw[i], to.raw[i]) > box.maxs.raw[i])
            return false;
    return true;
}

/* Only what hides all that is behind it. */
static bool is_opaque(const Look *look) {
    return look && !look->sky && !look->fog && !look->deform_count && look->stage_count && !look->stages[0].blends && look->stages[0].alpha_test == 0;
}

static bool is_behind_mesh(const Frame *frame, const Flares *flares, Vec3 from, Vec3 to) {
    const BspGeometry *geometry = frame->level->geometry;
    Vec3 way = vec3_sub(to, from);
    for (size_t i = 0; i < flares->meshes.count; i++) {
        int number = flares->meshes.at[i];
        const BspFaceRange *range = &geometry->faces[number];
        if (!meets_box(from, to, geometry->face_bounds[number]) || !is_opaque(level_look(frame->level, number)))
            continue;
        for (int k = range->first_index; k + 2 < range->first_index + range->index_count; k += 3) {
            const uint32_t *index = &geometry->indexes[k];
            if (meets_triangle(from, way, (Vec3[3]){ geometry->vertices[index[0]].position, geometry->vertices[index[1]].position, geometry->vertices[index[2]].position }))
                return true;
        }
    }
    return false;
}

/* `eye`: where the way to it begins. */
static bool is_seen(const Flares *flares, const Frame *frame, const Collision *collision, Vec3 eye, Vec3 at, float depth) {
    if (depth <= TOLERANCE)
        return true;
    Vec3 to = vec3_mix(frame->view.origin, at, (depth - TOLERANCE) / depth);
    if (vec3_dot(vec3_sub(to, eye), vec3_sub(at, eye)) <= 0)
        return true;
    for (int i = -1; i < (int)frame->models.count; i++)    /* the world, then doors that are in view */
        if (!is_clear(frame, collision, i, eye, to))
            return false;
    return !is_behind_mesh(frame, flares, eye, to);
}


/* What the fog that it stands in leaves of it. */
static float fog_left(const Frame *frame, const BspFace *face, Vec3 at) {
    FogNumbers fog;
    const View *view = &frame->view;
    bool fogged = level_fog(frame->level, face->effect, view->origin, view->axes.forward, 1, &fog);
    return fogged ? 1 - fog_opacity(&fog, at) : 1;
}

/* How much of its light is turned to the eye; 0: it faces away. */
static float turned(const BspFace *face, Vec3 eye) {
    if (vec3_dot(face->normal, face->normal) == 0)
        return 1;
    return fmaxf(vec3_dot(vec3_normalized(vec3_sub(eye, face->lightmap_origin)), face->normal), 0);
}

static uint8_t byte_of(float part) { return (uint8_t)(CLAMP(part, 0, 1) * 255); }

static void add_flare(Frame *frame, const BspFace *face, float depth, float strength, int texture) {
    const View *view = &frame->view;
    float size = (float)view->width * (SIZE / 640 + 8 / fmaxf(depth, 1));    /* pixels */
    float factor = depth + size * sqrtf(COEFFICIENT), intensity = COEFFICIENT * size * size / (factor * factor);
    float bright = strength * intensity * turned(face, view->origin) * fog_left(frame, face, face->lightmap_origin);
    Vec3 color = vec3_scale(face->lightmap_vecs[0], bright);
    float pixel = 2 * depth * (float)trig_tan(trig_radians(view->fov_x) / 2) / (float)view->width;    /* units wide, there */
    FrameSprite sprite = {
        .origin = face->lightmap_origin, .width = 2 * size * pixel, .height = 2 * size * pixel, .texture = texture,
        .color = { byte_of(color.x), byte_of(color.y), byte_of(color.z), 255 }, .flags = DRAW_XRAY | DRAW_ADD,
    };
    if (sprite.color.r || sprite.color.g || sprite.color.b)
        frame_sprite(frame, sprite);
}

/* What one eye sees of a flare that it may see; `from`: where its sight begins. */
static void fill_one(const Flares *flares, float *strength, float step, Frame *frame, const Collision *collision, const BspFace *face, bool may, Vec3 from, int texture) {
    float x, y, depth = 0;
    Vec3 at = face->lightmap_origin;
    bool in_view = may && view_project(&frame->view, at, &x, &y, &depth) && x >= 0 && y >= 0 && x < (float)frame->view.width &&
                   y < (float)frame->view.height && depth > frame->view.near && turned(face, frame->view.origin) > 0;
    bool seen = in_view && is_seen(flares, frame, collision, from, at, depth);
    *strength = in_view ? CLAMP(*strength + (seen ? step : -step), 0, 1) : 0;
    if (*strength > 0 && frame->shade == SHADE_LIT)
        add_flare(frame, face, depth, *strength, texture);
}

/* Whether the view shows the leafs about a place; one in solid belongs to none. */
static bool is_shown(const Frame *frame, Vec3 at) {
    int cluster = bsp_cluster_at(frame->level->map, at);
    return cluster < 0 || bsearch(&cluster, frame->clusters, (size_t)frame->cluster_count, sizeof cluster, compare_ints) != NULL;
}

/* Through a portal sight begins where it stands: what is before it is not seen in it. */
static void fill_beyond(const Flares *flares, float *strength, float step, const FramePortal *portal, Frame *seen, const Collision *collision, const BspFace *face, int texture) {
    Vec3 eye = seen->view.origin, at = face->lightmap_origin;
    float from = plane_distance(portal->clip, eye), to = plane_distance(portal->clip, at);
    bool may = to > 0 && is_shown(seen, at);
    Vec3 start = from < 0 && may ? vec3_mix(eye, at, (4 * TRACE_GAP - from) / (to - from)) : eye;
    fill_one(flares, strength, step, seen, collision, face, may, start, texture);
}

void flares_fill(Flares *flares, const Scene *scene, const Collision *collision, int texture, Frame *frame) {
    use_map(flares, frame->level->map);
    double passed = frame->time - flares->time;
    bool fades = flares->settled && passed >= 0 && passed < PAUSE;
    float step = fades ? (float)passed * FADES : 1;
    flares->time = frame->time;
    flares->settled = true;
    for (size_t i = 0; i < flares->faces.count; i++) {
        int number = flares->faces.at[i];
        const BspFace *face = &frame->level->map->faces[number];
        float *strength = &flares->strength.at[i];
        fill_one(flares, strength, step, frame, collision, face, scene->face_stamp[number] == scene->stamp, frame->view.origin, texture);
        for (int k = 0; k < frame->portal_count; k++)
            fill_beyond(flares, strength + flares->faces.count * (size_t)(k + 1), step, &frame->portals[k], scene_portal_frame(scene, k), collision, face, texture);
    }
}
