/* scene/scene_visible.c -- the visible set: which leafs the eye may see, front to back, and what they show.
 *
 * When the eye's cluster changes, or a door opens or shuts, the leafs that its row shows are marked (but not those of areas
 * behind shut doors), and the nodes above them. Each frame then
 * walks the marked part of the tree only, leaving out every box that the frustum does not touch; a box that a plane has
 * wholly in front asks that plane no more. The walk keeps a stack of its own: a level may be one long chain of nodes. */
#include <math.h>

#include "base/trig.h"
#include "scene/scene_internal.h"

enum { FRUSTUM_PLANES = 5, ALL_PLANES = (1 << FRUSTUM_PLANES) - 1 };

struct SceneMarks {
    bool valid;
    int cluster;             /* whose row it is */
    VisMode mode;
    bool *hidden, *was_hidden;    /* areas behind doors that are shut; those of the marks */
    bool *leafs, *nodes;     /* marked */
    uint64_t *row;
    struct Pending { int at; int planes; } *stack;    /* child as the file has it; planes still to ask */
    int *touched;            /* leafs that the brush of a doorway touches */
    Plane frustum[FRUSTUM_PLANES];    /* of the frame filled last */
};

SceneMarks *scene_marks_open(const Map *map) {
    SceneMarks *marks = mem_zeroed(1, sizeof *marks);
    marks->leafs = mem_zeroed((size_t)map->leaf_count, sizeof *marks->leafs);
    marks->nodes = mem_zeroed((size_t)map->node_count, sizeof *marks->nodes);
    marks->hidden = mem_zeroed((size_t)map->area_count, sizeof *marks->hidden);
    marks->was_hidden = mem_zeroed((size_t)map->area_count, sizeof *marks->was_hidden);
    marks->row = mem_zeroed((size_t)bsp_row_words(map), sizeof *marks->row);
    marks->stack = mem_zeroed((size_t)map->node_count + 2, sizeof *marks->stack);
    marks->touched = mem_zeroed((size_t)map->leaf_count, sizeof *marks->touched);
    return marks;
}

void scene_marks_close(SceneMarks *marks) {
    if (!marks)
        return;
    mem_free(marks->leafs);
    mem_free(marks->nodes);
    mem_free(marks->hidden);
    mem_free(marks->was_hidden);
    mem_free(marks->row);
    mem_free(marks->stack);
    mem_free(marks->touched);
    mem_free(marks);
}


void view_frustum(const View *view, Plane out[5]) {
    double half_x = trig_radians(view->fov_x) / 2, half_y = trig_radians(view->fov_y) / 2;
    const Axes *axes = &view->axes;
    const struct { Vec3 aside; double along, across; } sides[4] = {
        { axes->right, trig_sin(half_x), trig_cos(half_x) },
        { axes->right, trig_sin(half_x), -trig_cos(half_x) },
        { axes->up, trig_sin(half_y), trig_cos(half_y) },
        { axes->up, trig_sin(half_y), -trig_cos(half_y) },
    };
    for (int i = 0; i < 4; i++) {
        Vec3 normal = vec3_add_scaled(vec3_scale(axes->forward, (float)sides[i].along), sides[i].aside, (float)sides[i].across);
        out[i] = (Plane){ normal, vec3_dot(normal, view->origin) };
    }
    out[4] = (Plane){ axes->forward, vec3_dot(axes->forward, view->origin) + view->near };
}

/* Distance of the box's corner that is furthest along the plane (or least far). Doubles: boxes of nodes may reach the
 * ends of 32 bits. */
static double furthest(const Plane *plane, const double mins[3], const double maxs[3]) {
    double d = -plane->dist;
    for (int i = 0; i < 3; i++)
        d += plane->normal.raw[i] * (plane->normal.raw[i] > 0 ? maxs[i] : mins[i]);
    return d;
}

static double nearest(const Plane *plane, const double mins[3], const double maxs[3]) {
    double d = -plane->dist;
    for (int i = 0; i < 3; i++)
        d += plane->normal.raw[i] * (plane->normal.raw[i] > 0 ? mins[i] : maxs[i]);
    return d;
}

/* The planes that still cut the box, or -1: it is outside. */
static int cut_by(const Plane *planes, int asked, const double mins[3], const double maxs[3]) {
    int left = 0;
    for (int i = 0; i < FRUSTUM_PLANES; i++) {
        if (!(asked >> i & 1))
            continue;
        if (furthest(&planes[i], mins, maxs) < 0)
            return -1;
        if (nearest(&planes[i], mins, maxs) < 0)
            left |= 1 << i;
    }
    return left;
}

bool frustum_touches_box(const Plane planes[5], Box box) {
    double mins[3], maxs[3];
    for (int i = 0; i < 3; i++) {
        mins[i] = box.mins.raw[i];
        maxs[i] = box.maxs.raw[i];
    }
    return cut_by(planes, ALL_PLANES, mins, maxs) >= 0;
}

static int cut_by_whole(const Plane *planes, int asked, const int mins[3], const int maxs[3]) {
    if (!asked)
        return 0;
    const double low[3] = { mins[0], mins[1], mins[2] }, high[3] = { maxs[0], maxs[1], maxs[2] };
    return cut_by(planes, asked, low, high);
}


static bool sees_everything(const Map *map, int cluster, VisMode mode) {
    return mode != VIS_PVS || cluster < 0 || cluster >= map->cluster_count;
}

static void mark_leaf(SceneMarks *marks, const Map *map, int leaf) {
    marks->leafs[leaf] = true;
    for (int node = map->leaf_parent[leaf]; node >= 0 && !marks->nodes[node]; node = map->node_parent[node])
        marks->nodes[node] = true;
}

/* The areas that doors hide from this view; false: they are the same as for the marks. */
static bool find_hidden(const Scene *scene, const View *view) {
    SceneMarks *marks = scene->marks;
    const Map *map = scene->level->map;
    const int *leafs;
    int area = map->leafs[view->leaf].area;
    if (scene->locked)    /* the cluster's own, wherever the eye is */
        area = bsp_cluster_leafs(map, view->cluster, &leafs) && view->cluster >= 0 ? map->leafs[leafs[0]].area : -1;
    size_t size = (size_t)map->area_count * sizeof *marks->hidden;
    if (!scene->areas || !bsp_areas_hidden(scene->areas, area, view->origin, marks->hidden))
        memset(marks->hidden, 0, size);
    if (memcmp(marks->hidden, marks->was_hidden, size) == 0)
        return false;
    memcpy(marks->was_hidden, marks->hidden, size);
    return true;
}

static bool in_row(const SceneMarks *marks, const Map *map, int leaf) {
    int c = map->leafs[leaf].cluster;
    return c >= 0 && c < map->cluster_count && (marks->row[c / 64] >> (c % 64) & 1);
}

static bool area_hidden(const SceneMarks *marks, const Map *map, int leaf) {
    return map->leafs[leaf].area >= 0 && marks->hidden[map->leafs[leaf].area];
}

/* The doorway itself belongs to one of the two sides: it, its frame and the door in it are seen from both. */
static void mark_doorways(const Scene *scene) {
    static const float inside = 0.25f;    /* of the portal's brush, so that the rooms beside it do not count */
    const BspAreas *areas = scene->areas;
    SceneMarks *marks = scene->marks;
    for (size_t i = 0; areas && i < areas->portals.count; i++) {
        const BspAreaPortal *portal = &areas->portals.at[i];
        if (marks->hidden[portal->from] == marks->hidden[portal->to])
            continue;
        Box box = portal->bounds;
        for (int axis = 0; axis < 3; axis++) {
            float middle = (box.mins.raw[axis] + box.maxs.raw[axis]) / 2;
            box.mins.raw[axis] = fminf(box.mins.raw[axis] + inside, middle);
            box.maxs.raw[axis] = fmaxf(box.maxs.raw[axis] - inside, middle);
        }
        int room = areas->map->leaf_count, count = bsp_leaves_in(areas->map, box, marks->touched, room);
        for (int k = 0; k < MIN(count, room); k++)
            if (in_row(marks, areas->map, marks->touched[k]))
                mark_leaf(marks, areas->map, marks->touched[k]);
    }
}

static void mark_visible(const Scene *scene, const View *view) {
    SceneMarks *marks = scene->marks;
    const Map *map = scene->level->map;
    int cluster = view->cluster;
    VisMode mode = scene->vis_mode;
    bool other_doors = find_hidden(scene, view);
    if (marks->valid && marks->cluster == cluster && marks->mode == mode && !other_doors)
        return;
    marks->valid = true;
    marks->cluster = cluster;
    marks->mode = mode;
    memset(marks->leafs, 0, (size_t)map->leaf_count * sizeof *marks->leafs);
    memset(marks->nodes, 0, (size_t)map->node_count * sizeof *marks->nodes);
    bool all = sees_everything(map, cluster, mode);
    bsp_row(map, all ? -1 : cluster, marks->row);
    for (int i = 0; i < map->leaf_count; i++)
        if (map->leaf_parent[i] >= 0 && (all || (in_row(marks, map, i) && !area_hidden(marks, map, i))))
            mark_leaf(marks, map, i);
    if (!all)
        mark_doorways(scene);
}


typedef struct Walk {
    Scene *scene;
    const Map *map;
    Frame *frame;
    const Plane *planes;    /* of the frustum */
    int *leafs, *faces;     /* what the frame gets */
} Walk;

static void see_leaf(Walk *walk, int number) {
    Scene *scene = walk->scene;
    const BspLeaf *leaf = &walk->map->leafs[number];
    if (scene->leaf_stamp[number] == scene->stamp)
        return;
    scene->leaf_stamp[number] = scene->stamp;
    walk->leafs[walk->frame->leaf_count++] = number;
    if (leaf->cluster >= 0 && leaf->cluster < walk->map->cluster_count)
        scene->cluster_stamp[leaf->cluster] = scene->stamp;
    for (int i = 0; i < leaf->face_count; i++) {
        int face = walk->map->leaffaces[leaf->first_face + i];
        if (scene->face_stamp[face] == scene->stamp)
            continue;
        scene->face_stamp[face] = scene->stamp;
        walk->faces[walk->frame->face_count++] = face;
    }
}

static void walk_tree(Walk *walk, int planes) {
    const Map *map = walk->map;
    const SceneMarks *marks = walk->scene->marks;
    struct Pending *stack = marks->stack;
    Vec3 eye = walk->frame->view.origin;
    int count = 0;
    stack[count++] = (struct Pending){ map->node_count ? 0 : -1, planes };
    while (count > 0) {
        struct Pending next = stack[--count];
        if (next.at < 0) {
            int leaf = -1 - next.at;
            const BspLeaf *l = &map->leafs[leaf];
            if (marks->leafs[leaf] && cut_by_whole(walk->planes, next.planes, l->mins, l->maxs) >= 0)
                see_leaf(walk, leaf);
            continue;
        }
        if (!marks->nodes[next.at])
            continue;
        const BspNode *node = &map->nodes[next.at];
        int left = cut_by_whole(walk->planes, next.planes, node->mins, node->maxs);
        if (left < 0)
            continue;
        const Plane *plane = &map->planes[node->plane];
        double d = (double)plane->normal.x * eye.x + (double)plane->normal.y * eye.y + (double)plane->normal.z * eye.z - plane->dist;
        int near_side = d < 0;
        stack[count++] = (struct Pending){ node->child[!near_side], left };
        stack[count++] = (struct Pending){ node->child[near_side], left };
    }
}

/* A new number for this frame; when the numbers run out, every stamp begins anew. */
static void next_stamp(Scene *scene, const Map *map) {
    if (++scene->stamp)
        return;
    memset(scene->leaf_stamp, 0, (size_t)map->leaf_count * sizeof *scene->leaf_stamp);
    memset(scene->face_stamp, 0, (size_t)map->face_count * sizeof *scene->face_stamp);
    memset(scene->cluster_stamp, 0, (size_t)map->cluster_count * sizeof *scene->cluster_stamp);
    scene->stamp = 1;
}


Box box_at_pose(Box box, Vec3 origin, const Axes *axes) {
    Vec3 middle = box_middle(box), half = vec3_scale(vec3_sub(box.maxs, box.mins), 0.5f);
    Vec3 at = vec3_add_scaled(origin, axes->forward, middle.x);
    at = vec3_add_scaled(at, axes->right, -middle.y);
    at = vec3_add_scaled(at, axes->up, middle.z);
    Vec3 reach;
    for (int i = 0; i < 3; i++)
        reach.raw[i] = fabsf(axes->forward.raw[i] * half.x) + fabsf(axes->right.raw[i] * half.y) + fabsf(axes->up.raw[i] * half.z);
    return (Box){ vec3_sub(at, reach), vec3_add(at, reach) };
}

/* What stands in no leaf's list is seen where a leaf that it touches is (a unit more than its bounds, as the game has
 * it: a door that fills its frame touches the rooms then). */
bool scene_sees_box(const Scene *scene, Box bounds) {
    const SceneMarks *marks = scene->marks;
    bool cull = scene->vis_mode != VIS_NONE;
    if (cull && !frustum_touches_box(marks->frustum, bounds))
        return false;
    if (sees_everything(scene->level->map, marks->cluster, scene->vis_mode))
        return true;
    Vec3 unit = vec3_at(1, 1, 1);
    Box wide = { vec3_sub(bounds.mins, unit), vec3_add(bounds.maxs, unit) };
    return bsp_box_meets(scene->level->map, wide, marks->nodes, marks->leafs);
}

bool scene_holds_box(const Scene *scene, Box box) {
    for (int i = 0; i < FRUSTUM_PLANES; i++) {
        const double mins[3] = { box.mins.x, box.mins.y, box.mins.z }, maxs[3] = { box.maxs.x, box.maxs.y, box.maxs.z };
        if (nearest(&scene->marks->frustum[i], mins, maxs) < 0)
            return false;
    }
    return true;
}

static void see_models(Scene *scene, Frame *frame) {
    const Map *map = scene->level->map;
    for (int i = 1; i < scene->pose_count; i++) {
        const ScenePose *pose = &scene->poses[i];
        if (!pose->shown || !vec3_finite(pose->origin) || !vec3_finite(pose->angles))
            continue;
        FrameModel model = { i, pose->origin, pose->angles, axes_from_angles(pose->angles) };
        Box bounds = box_at_pose(map->models[i].bounds, model.origin, &model.axes);
        if (scene_sees_box(scene, bounds))
            *array_push(&frame->models) = model;
    }
}

void scene_fill_visible(Scene *scene, Frame *frame) {
    const Map *map = scene->level->map;
    Plane *planes = scene->marks->frustum;
    view_frustum(&frame->view, planes);
    mark_visible(scene, &frame->view);
    next_stamp(scene, map);
    Walk walk = {
        .scene = scene, .map = map, .frame = frame, .planes = planes,
        .leafs = arena_array(frame->arena, int, map->leaf_count),
        .faces = arena_array(frame->arena, int, map->face_count),
    };
    frame->leafs = walk.leafs;
    frame->faces = walk.faces;
    walk_tree(&walk, scene->vis_mode == VIS_NONE ? 0 : ALL_PLANES);
    int *clusters = arena_array(frame->arena, int, map->cluster_count);
    for (int i = 0; i < map->cluster_count; i++)
        if (scene->cluster_stamp[i] == scene->stamp)
            clusters[frame->cluster_count++] = i;
    frame->clusters = clusters;
    see_models(scene, frame);
}
