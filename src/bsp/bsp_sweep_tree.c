/* bsp/bsp_sweep_tree.c -- the tree as traces walk it: beside each node and in each leaf the boxes of what can be met there. */
#include "bsp/bsp_collision.h"

#include <math.h>

/* A file may let every leaf name everything: from here on a leaf is taken to be as large as the world, and to have no boxes. */
enum { NAMED_MOST = 1 << 24 };

typedef struct Maker {
    const Map *map;
    Collision *collision;
    Box *node_space, *leaf_space;    /* what the axial planes above them leave of the world */
    Box *node_bounds, *leaf_bounds;  /* of what can be met there */
    ARRAY(int) met;                  /* nodes, each before what is below it */
    ARRAY(int) curves;               /* faces of all leafs */
    ARRAY(FourBoxes) boxes;
} Maker;

static bool is_box(const Map *map, const BspBrush *brush) {
    for (int i = 0; i < brush->side_count; i++) {
        Vec3 n = map->planes[map->brushsides[brush->first_side + i].plane].normal;
        if (fabsf(n.x) != 1 && fabsf(n.y) != 1 && fabsf(n.z) != 1)
            return false;
    }
    return true;
}

static Box box_common(Box a, Box b) {
    for (int i = 0; i < 3; i++) {
        a.mins.raw[i] = fmaxf(a.mins.raw[i], b.mins.raw[i]);
        a.maxs.raw[i] = fminf(a.maxs.raw[i], b.maxs.raw[i]);
    }
    return a;
}

/* A large box, as of a floor or a sky, is met in the leafs that a way goes through: each needs its own part of it. Of other
 * brushes a way may meet planes that overhang far from the brush itself, so all of their box counts in each leaf. */
static Box bounds_of_brush(const Map *map, Box space, int number) {
    const BspBrush *brush = &map->brushes[number];
    if (!brush->usable)
        return box_nothing();
    Box part = is_box(map, brush) ? box_common(brush->bounds, space) : brush->bounds;
    bool empty = part.mins.x > part.maxs.x || part.mins.y > part.maxs.y || part.mins.z > part.maxs.z;
    return empty ? brush->bounds : part;
}

/* The `index`th of a list that begins a new four now and then; returns the box. */
static Box add_box(Maker *b, int index, Box box) {
    if (index % 4 == 0) {
        FourBoxes *four = array_push(&b->boxes);
        for (int i = 0; i < 12; i++) {
            four->mins[i / 4][i % 4] = INFINITY;
            four->maxs[i / 4][i % 4] = -INFINITY;
        }
    }
    FourBoxes *four = &b->boxes.at[b->boxes.count - 1];
    for (int axis = 0; axis < 3; axis++) {
        four->mins[axis][index % 4] = box.mins.raw[axis];
        four->maxs[axis][index % 4] = box.maxs.raw[axis];
    }
    return box;
}

/* In the order of the lists, so that of brushes that are met at once the first counts, as everywhere. */
static Box make_leaf(Maker *b, int number) {
    const BspLeaf *leaf = &b->map->leafs[number];
    SweepLeaf *out = &b->collision->leafs[number];
    Box bounds = box_nothing();
    out->first_boxes = (int)b->boxes.count;
    for (int i = 0; i < leaf->brush_count; i++)
        bounds = box_join(bounds, add_box(b, i, bounds_of_brush(b->map, b->leaf_space[number], out->brushes[i])));
    out->face_count = 0;
    for (int i = 0; i < leaf->face_count; i++) {
        int face = b->map->leaffaces[leaf->first_face + i], curve = b->collision->face_curve[face];
        if (curve < 0)
            continue;
        *array_push(&b->curves) = face;
        bounds = box_join(bounds, add_box(b, out->face_count++, b->collision->curves[curve].bounds));
    }
    return bounds;
}

/* The part of a node's space on one side of its plane. */
static Box space_of_side(Box space, const Plane *plane, int side) {
    for (int i = 0; i < 3; i++) {
        if (plane->normal.raw[i] != 1)
            continue;
        if (side == 0)
            space.mins.raw[i] = fmaxf(space.mins.raw[i], plane->dist);
        else
            space.maxs.raw[i] = fminf(space.maxs.raw[i], plane->dist);
    }
    return space;
}

static void find_spaces(Maker *b, Box everywhere) {
    const Map *map = b->map;
    for (int i = 0; i < map->leaf_count; i++)
        b->leaf_space[i] = everywhere;
    if (!map->node_count)
        return;
    *array_push(&b->met) = 0;
    b->node_space[0] = everywhere;
    for (size_t i = 0; i < b->met.count; i++) {
        const BspNode *node = &map->nodes[b->met.at[i]];
        Box space = b->node_space[b->met.at[i]];
        for (int side = 0; side < 2; side++) {
            Box part = space_of_side(space, &map->planes[node->plane], side);
            int child = node->child[side];
            if (child >= 0) {
                b->node_space[child] = part;
                *array_push(&b->met) = child;
            } else if (!map->shared_leafs) {
                b->leaf_space[-1 - child] = part;
            }
        }
    }
}

static void make_leafs(Maker *b, Box everywhere) {
    const Map *map = b->map;
    SweepLeaf *leafs = b->collision->leafs;
    int64_t named = 0;
    for (int i = 0; i < map->leaf_count; i++) {
        const BspLeaf *leaf = &map->leafs[i];
        leafs[i] = (SweepLeaf){ .brush_count = leaf->brush_count, .face_count = leaf->face_count, .first_boxes = -1 };
        leafs[i].brushes = leaf->brush_count ? map->leafbrushes + leaf->first_brush : NULL;
        leafs[i].faces = leaf->face_count ? map->leaffaces + leaf->first_face : NULL;
        named += leaf->brush_count + (int64_t)leaf->face_count;
        b->leaf_bounds[i] = named < NAMED_MOST ? make_leaf(b, i) : everywhere;
    }
}

static void make_nodes(Maker *b) {
    for (size_t i = b->met.count; i-- > 0;) {
        int number = b->met.at[i];
        const BspNode *node = &b->map->nodes[number];
        SweepNode *out = &b->collision->nodes[number];
        *out = (SweepNode){ .plane = b->map->planes[node->plane], .child = { node->child[0], node->child[1] }, .axis = 3 };
        for (int axis = 0; axis < 3; axis++)
            if (out->plane.normal.raw[axis] == 1)
                out->axis = axis;
        for (int side = 0; side < 2; side++)
            out->bounds[side] = node->child[side] >= 0 ? b->node_bounds[node->child[side]] : b->leaf_bounds[-1 - node->child[side]];
        b->node_bounds[number] = box_join(out->bounds[0], out->bounds[1]);
    }
}

/* Lists of curves lie in one piece that is known when all leafs are. */
static void keep_lists(Maker *b, Arena *arena) {
    Collision *collision = b->collision;
    const int *curves = array_keep(&b->curves, arena);
    collision->boxes = array_keep(&b->boxes, arena);
    for (int i = 0; i < b->map->leaf_count; i++) {
        if (collision->leafs[i].first_boxes < 0)
            continue;
        collision->leafs[i].faces = curves;
        curves += collision->leafs[i].face_count;
    }
}

void bsp_sweep_tree(const Map *map, Collision *collision, Arena *arena) {
    const Box everywhere = { vec3_at(-INFINITY, -INFINITY, -INFINITY), vec3_at(INFINITY, INFINITY, INFINITY) };
    Maker b = { .map = map, .collision = collision };
    b.node_space = mem_zeroed((size_t)map->node_count, sizeof(Box));
    b.leaf_space = mem_zeroed((size_t)map->leaf_count, sizeof(Box));
    b.node_bounds = mem_zeroed((size_t)map->node_count, sizeof(Box));
    b.leaf_bounds = mem_zeroed((size_t)map->leaf_count, sizeof(Box));
    collision->nodes = arena_array(arena, SweepNode, map->node_count);
    collision->leafs = arena_array(arena, SweepLeaf, map->leaf_count);
    find_spaces(&b, everywhere);
    make_leafs(&b, everywhere);
    make_nodes(&b);
    keep_lists(&b, arena);
    array_free(&b.met);
    array_free(&b.curves);
    array_free(&b.boxes);
    mem_free(b.node_space);
    mem_free(b.leaf_space);
    mem_free(b.node_bounds);
    mem_free(b.leaf_bounds);
}
