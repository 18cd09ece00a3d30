/* bsp/bsp_trace.c -- sweeping through brushes and facets by the engine's rules (format.md 7.2). */
#include "bsp/bsp_trace.h"

#include <math.h>

#include "bsp/bsp_collision.h"

enum { SEEN_SLOTS = 128 };    /* a brush stands in many leafs: the last ones asked are remembered, no matter if some repeat */

typedef struct Sweep {
    const Map *map;
    const Collision *collision;
    Vec3 from, to;            /* of the middle of the box */
    Vec3 half;                /* of the box, each >= 0 */
    bool point;
    bool capsule;
    float radius, stretch;    /* of the capsule: its sphere and how far its ends stand off the middle in z */
    uint32_t mask;
    Box bounds;               /* of the whole way, with the gap */
    float reach[4];           /* by a node's axis: how far on both sides of its plane the moving thing may meet what stands behind it */
    Trace best;
    int model;
    int seen[SEEN_SLOTS];     /* brush + 1, or -(face + 1) */
} Sweep;

/* As box_touches, with no way to choose: most boxes are far off, and no processor guesses on which side. */
static inline bool touches(const Box *a, const Box *b) {
    return (a->mins.x <= b->maxs.x) & (a->mins.y <= b->maxs.y) & (a->mins.z <= b->maxs.z) &
           (b->mins.x <= a->maxs.x) & (b->mins.y <= a->maxs.y) & (b->mins.z <= a->maxs.z);
}

/* How far a plane is pushed out so that the middle meets it when the box does. */
static float push(const Sweep *s, Vec3 n) {
    if (s->point)
        return 0;
    if (s->capsule)
        return s->radius + fabsf(n.z) * s->stretch;
    return fabsf(n.x) * s->half.x + fabsf(n.y) * s->half.y + fabsf(n.z) * s->half.z;
}

typedef struct Clip { float enter, leave; const Plane *plane; int side; bool starts_out, ends_out; } Clip;

/* One side of a convex volume. False: the way misses the whole volume. */
static inline bool clip_side(const Sweep *s, Clip *clip, const Plane *plane, int side) {
    float dist = plane->dist + push(s, plane->normal);
    float d1 = vec3_dot(s->from, plane->normal) - dist;
    float d2 = vec3_dot(s->to, plane->normal) - dist;
    clip->ends_out |= d2 > 0;
    clip->starts_out |= d1 > 0;
    if (d1 > 0 && (d2 >= TRACE_GAP || d2 >= d1))
        return false;
    if (d1 <= 0 && d2 <= 0)
        return true;
    if (d1 > d2) {
        float f = fmaxf((d1 - TRACE_GAP) / (d1 - d2), 0);
        if (f > clip->enter) {
            clip->enter = f;
            clip->plane = plane;
            clip->side = side;
        }
    } else {
        clip->leave = fminf(clip->leave, fminf((d1 + TRACE_GAP) / (d1 - d2), 1));
    }
    return true;
}

static void hit(Sweep *s, const Clip *clip, uint32_t contents, int texture) {
    s->best.fraction = fmaxf(clip->enter, 0);
    s->best.plane = *clip->plane;
    s->best.contents = contents;
    s->best.texture = texture;
    s->best.surface_flags = s->map->textures[texture].flags;
    s->best.model = s->model;
    s->best.brush = s->best.face = -1;
}

static void sweep_brush(Sweep *s, int number) {
    const Map *map = s->map;
    const BspBrush *brush = &map->brushes[number];
    if (!touches(&brush->bounds, &s->bounds) || !brush->usable)
        return;
    uint32_t contents = map->textures[brush->texture].contents;
    if (!(contents & s->mask))
        return;
    Clip clip = { -1, 1, NULL, -1, false, false };
    for (int i = 0; i < brush->side_count; i++) {
        int side = brush->first_side + i;
        if (!clip_side(s, &clip, &map->planes[map->brushsides[side].plane], side))
            return;
    }
    if (!clip.starts_out) {
        s->best.start_solid = true;
        if (!clip.ends_out) {
            s->best.all_solid = true;
            s->best.fraction = 0;
        }
        s->best.contents = contents;
        s->best.brush = number;
        s->best.model = s->model;
        return;
    }
    if (clip.enter < clip.leave && clip.enter > -1 && clip.enter < s->best.fraction) {
        hit(s, &clip, contents, map->brushsides[clip.side].texture);
        s->best.brush = number;
    }
}

/* A facet stops what comes from its front; what begins inside its little thickness is not "in" it. */
static void sweep_facet(Sweep *s, const Facet *facet, const BspFace *face, int number) {
    if (!touches(&facet->bounds, &s->bounds))
        return;
    Clip clip = { -1, 1, NULL, -1, false, false };
    for (int i = 0; i < facet->plane_count; i++)
        if (!clip_side(s, &clip, &s->collision->planes[facet->first_plane + i], i))
            return;
    bool passes = s->point ? clip.side != 0 : clip.side == facet->plane_count - 1;    /* a ray meets fronts alone, a box all but backs */
    if (passes)
        return;
    if (clip.plane && clip.starts_out && clip.enter < clip.leave && clip.enter >= 0 && clip.enter < s->best.fraction) {
        hit(s, &clip, s->map->textures[face->texture].contents, face->texture);
        s->best.face = number;
    }
}

static void sweep_curve(Sweep *s, int face_number) {
    int number = s->collision->face_curve[face_number];
    if (number < 0)
        return;
    const CurveFacets *curve = &s->collision->curves[number];
    const BspFace *face = &s->map->faces[face_number];
    if (!(s->map->textures[face->texture].contents & s->mask) || !touches(&curve->bounds, &s->bounds))
        return;
    for (int i = 0; i < curve->facet_count; i++)
        sweep_facet(s, &s->collision->facets[curve->first_facet + i], face, face_number);
}

static bool first_time(Sweep *s, int what) {
    int *slot = &s->seen[(unsigned)what % SEEN_SLOTS];
    if (*slot == what)
        return false;
    *slot = what;
    return true;
}

typedef float Four __attribute__((vector_size(16)));
typedef int FourBits __attribute__((vector_size(16)));

static inline Four four_at(const float *from) {
    Four out;
    memcpy(&out, from, sizeof out);
    return out;
}

static inline Four all_of(float x) { return (Four){ x, x, x, x }; }

/* Which of four boxes touch: those that do are not 0. */
static inline FourBits touching(const FourBoxes *four, const Box *box) {
    return (four_at(four->mins[0]) <= all_of(box->maxs.x)) & (four_at(four->mins[1]) <= all_of(box->maxs.y)) &
           (four_at(four->mins[2]) <= all_of(box->maxs.z)) & (four_at(four->maxs[0]) >= all_of(box->mins.x)) &
           (four_at(four->maxs[1]) >= all_of(box->mins.y)) & (four_at(four->maxs[2]) >= all_of(box->mins.z));
}

static inline bool none(FourBits bits) {
    int64_t halves[2];
    memcpy(halves, &bits, sizeof halves);
    return !(halves[0] | halves[1]);
}

static void sweep_leaf(Sweep *s, int number) {
    const SweepLeaf *leaf = &s->collision->leafs[number];
    const FourBoxes *boxes = leaf->first_boxes >= 0 ? s->collision->boxes + leaf->first_boxes : NULL;
    FourBits near = { -1, -1, -1, -1 };
    for (int first = 0; first < leaf->brush_count; first += 4) {
        if (boxes && (near = touching(boxes++, &s->bounds), none(near)))
            continue;
        for (int i = first; i < MIN(first + 4, leaf->brush_count); i++)
            if (near[i - first] && first_time(s, leaf->brushes[i] + 1)) {
                sweep_brush(s, leaf->brushes[i]);
                if (s->best.all_solid)
                    return;
            }
    }
    for (int first = 0; first < leaf->face_count; first += 4) {
        if (boxes && (near = touching(boxes++, &s->bounds), none(near)))
            continue;
        for (int i = first; i < MIN(first + 4, leaf->face_count); i++)
            if (near[i - first] && first_time(s, -(leaf->faces[i] + 1)))
                sweep_curve(s, leaf->faces[i]);
    }
}

static void sweep_node(Sweep *s, int at, float start, float end, Vec3 from, Vec3 to) {
    while (at >= 0) {
        if (s->best.fraction < start || s->best.all_solid)
            return;    /* something nearer was met already */
        const SweepNode *node = &s->collision->nodes[at];
        float off = s->reach[node->axis];
        float t1 = plane_distance(node->plane, from), t2 = plane_distance(node->plane, to);
        if (t1 >= off && t2 >= off) {    /* not one test with the next: a quarter of the time lies in how well these two are guessed */
            if (!touches(&node->bounds[0], &s->bounds))
                return;
            at = node->child[0];
            continue;
        }
        if (t1 < -off && t2 < -off) {
            if (!touches(&node->bounds[1], &s->bounds))
                return;
            at = node->child[1];
            continue;
        }
        bool front = touches(&node->bounds[0], &s->bounds), back = touches(&node->bounds[1], &s->bounds);
        if (!front || !back) {
            if (!front && !back)
                return;
            at = node->child[back];
            continue;
        }
        /* The way is cut where it leaves the near side's reach and where it enters the far side's; both overlap. */
        int near = t1 < t2;
        float near_end = 1, far_start = 0;
        if (t1 != t2) {
            float inverse = 1 / (t1 - t2);
            float sign = near ? -1 : 1;
            near_end = CLAMP((t1 + sign * off) * inverse, 0, 1);
            far_start = CLAMP((t1 - sign * off) * inverse, 0, 1);
        }
        float middle_end = start + (end - start) * near_end, middle_start = start + (end - start) * far_start;
        sweep_node(s, node->child[near], start, middle_end, from, vec3_mix(from, to, near_end));
        from = vec3_mix(from, to, far_start);
        start = middle_start;
        at = node->child[!near];
    }
    sweep_leaf(s, ~at);
}

/* Planes that are pushed out overhang at sharp edges: along planes that are not axial the engine's 2048. */
static void find_reach(Sweep *s) {
    static const Vec3 axes[] = { { { 1, 0, 0 } }, { { 0, 1, 0 } }, { { 0, 0, 1 } } };
    for (int axis = 0; axis < 3; axis++)
        s->reach[axis] = push(s, axes[axis]) + 1 + TRACE_GAP;
    s->reach[3] = s->point ? 1 + TRACE_GAP : 2048;
}

static Sweep sweep_begin(const Map *map, const Collision *collision, const TraceQuery *query) {
    Sweep s = { .map = map, .collision = collision, .mask = query->mask, .capsule = query->capsule };
    Vec3 offset = box_middle(query->box);
    s.half = vec3_sub(query->box.maxs, offset);
    s.from = vec3_add(query->from, offset);
    s.to = vec3_add(query->to, offset);
    s.point = s.half.x == 0 && s.half.y == 0 && s.half.z == 0;
    s.capsule = query->capsule && !s.point;
    if (s.capsule) {
        s.radius = fminf(fminf(s.half.x, s.half.y), s.half.z);
        s.stretch = s.half.z - s.radius;
    }
    find_reach(&s);
    s.bounds = box_around((Box){ s.from, s.from }, s.to);
    Vec3 grown = vec3_add(s.half, vec3_at(1, 1, 1));
    s.bounds = (Box){ vec3_sub(s.bounds.mins, grown), vec3_add(s.bounds.maxs, grown) };
    s.best = (Trace){ .fraction = 1, .brush = -1, .face = -1, .texture = -1, .model = -1 };
    return s;
}

static Trace sweep_end(Sweep *s, const TraceQuery *query) {
    Trace *best = &s->best;
    best->endpos = best->fraction == 1 ? query->to : vec3_mix(query->from, query->to, best->fraction);
    return *best;
}

Trace bsp_trace(const Map *map, const Collision *collision, const TraceQuery *query) {
    Sweep s = sweep_begin(map, collision, query);
    sweep_node(&s, 0, 0, 1, s.from, s.to);
    return sweep_end(&s, query);
}

static void sweep_model(Sweep *s) {
    const BspModel *model = &s->map->models[s->model];
    for (int i = 0; i < model->brush_count; i++)
        sweep_brush(s, model->first_brush + i);
    for (int i = 0; i < model->face_count; i++)
        sweep_curve(s, model->first_face + i);
}

Trace bsp_trace_slow(const Map *map, const Collision *collision, const TraceQuery *query) {
    Sweep s = sweep_begin(map, collision, query);
    sweep_model(&s);
    return sweep_end(&s, query);
}

static Vec3 into_axes(Axes axes, Vec3 v) { return vec3_at(vec3_dot(v, axes.forward), -vec3_dot(v, axes.right), vec3_dot(v, axes.up)); }

static Vec3 out_of_axes(Axes axes, Vec3 v) {
    return vec3_add(vec3_scale(axes.forward, v.x), vec3_add(vec3_scale(axes.right, -v.y), vec3_scale(axes.up, v.z)));
}

static bool turned(Vec3 angles) { return angles.x != 0 || angles.y != 0 || angles.z != 0; }

Trace bsp_trace_model(const Map *map, const Collision *collision, int model, Vec3 origin, Vec3 angles, const TraceQuery *query) {
    TraceQuery moved = *query;
    Vec3 middle = box_middle(query->box);    /* turned about the box's middle: the box itself stays upright */
    Axes axes = axes_from_angles(angles);
    Vec3 from = vec3_sub(vec3_add(query->from, middle), origin), to = vec3_sub(vec3_add(query->to, middle), origin);
    if (turned(angles)) {
        from = into_axes(axes, from);
        to = into_axes(axes, to);
    }
    moved.from = vec3_sub(from, middle);
    moved.to = vec3_sub(to, middle);
    Sweep s = sweep_begin(map, collision, &moved);
    s.model = model;
    sweep_model(&s);
    if (turned(angles) && s.best.fraction < 1)
        s.best.plane.normal = out_of_axes(axes, s.best.plane.normal);
    s.best.plane.dist += vec3_dot(s.best.plane.normal, origin);
    return sweep_end(&s, query);
}

static bool inside_brush(const Map *map, const BspBrush *brush, Vec3 point) {
    if (!brush->usable || !box_touches(brush->bounds, (Box){ point, point }))
        return false;
    for (int i = 0; i < brush->side_count; i++)
        if (plane_distance(map->planes[map->brushsides[brush->first_side + i].plane], point) > 0)
            return false;
    return true;
}

uint32_t bsp_point_contents(const Map *map, Vec3 point) {
    const BspLeaf *leaf = &map->leafs[bsp_leaf_at(map, point)];
    uint32_t contents = 0;
    for (int i = 0; i < leaf->brush_count; i++) {
        const BspBrush *brush = &map->brushes[map->leafbrushes[leaf->first_brush + i]];
        if (inside_brush(map, brush, point))
            contents |= map->textures[brush->texture].contents;
    }
    return contents;
}

uint32_t bsp_point_contents_model(const Map *map, int model, Vec3 origin, Vec3 angles, Vec3 point) {
    Vec3 local = vec3_sub(point, origin);
    if (turned(angles))
        local = into_axes(axes_from_angles(angles), local);
    uint32_t contents = 0;
    for (int i = 0; i < map->models[model].brush_count; i++) {
        const BspBrush *brush = &map->brushes[map->models[model].first_brush + i];
        if (inside_brush(map, brush, local))
            contents |= map->textures[brush->texture].contents;
    }
    return contents;
}
