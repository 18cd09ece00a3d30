/* render/soft/soft_order.c -- which flat surfaces of a frame come before which.
 *
 * The nodes of the tree that hold something seen are marked, up to the root; the walk goes where marks are. What moves
 * (brush models at their poses) is cut by the planes of marked nodes until each piece lies in an empty side of one; the
 * pieces that meet there get a small tree of their own. */
#include <math.h>

#include "render/soft/soft_internal.h"

void soft_order_begin(SoftOrder *order, const SoftLevel *level) {
    if (!order->arena)
        order->arena = arena_open();
    if (order->level != level || order->stamp == UINT32_MAX) {
        order->level = level;
        order->stamp = 0;
        array_clear(&order->marks);
        array_clear(&order->seen);
        if (level->tree.nodes.count)
            memset(array_push_n(&order->marks, level->tree.nodes.count), 0, level->tree.nodes.count * sizeof *order->marks.at);
        if (level->surface_count)
            memset(array_push_n(&order->seen, (size_t)level->surface_count), 0, (size_t)level->surface_count * sizeof *order->seen.at);
    }
    order->stamp++;
    arena_reset(order->arena);
    soft_tree_clear(&order->moved);
    array_clear(&order->shapes);
    array_clear(&order->parts);
    array_clear(&order->slots);
    array_clear(&order->far);
    order->root_slot = -1;
}

void soft_order_free(SoftOrder *order) {
    arena_close(order->arena);
    soft_tree_free(&order->moved);
    array_free(&order->marks);
    array_free(&order->seen);
    array_free(&order->shapes);
    array_free(&order->edges);
    array_free(&order->halves);
    array_free(&order->parts);
    array_free(&order->slots);
    array_free(&order->far);
    *order = (SoftOrder){ 0 };
}

void soft_order_see(SoftOrder *order, int surface) {
    order->seen.at[surface].stamp = order->stamp;
    order->seen.at[surface].shape = (int)order->shapes.count;
    *array_push(&order->shapes) = (SoftShape){ .surface = surface, .pose = -1 };
    const SoftTree *tree = &order->level->tree;
    for (int i = order->level->first_fragment[surface]; i >= 0; i = tree->fragments.at[i].next)
        for (int node = tree->fragments.at[i].node; node >= 0 && order->marks.at[node].stamp != order->stamp; node = tree->nodes.at[node].parent)
            order->marks.at[node].stamp = order->stamp;
}


void soft_order_far(SoftOrder *order, int pose, int surface) {
    *array_push(&order->far) = (int)order->shapes.count;
    *array_push(&order->shapes) = (SoftShape){ .surface = surface, .pose = pose };
}


static SoftPlane moved_plane(const FrameModel *model, const SoftPlane *plane) {
    const Vec3 a = model->axes.forward, b = model->axes.right, c = model->axes.up, o = model->origin;
    SoftPlane out = { .dist = plane->dist };
    for (int i = 0; i < 3; i++) {
        out.normal[i] = a.raw[i] * plane->normal[0] - b.raw[i] * plane->normal[1] + c.raw[i] * plane->normal[2];
        out.dist += out.normal[i] * o.raw[i];
    }
    return out;
}

static void into_slot(SoftOrder *order, SoftPiece *piece, int node, int side) {
    int *slot = &order->root_slot;
    if (node >= 0) {
        SoftMark *mark = &order->marks.at[node];
        slot = &mark->slot[side];
        if (mark->slot_stamp[side] != order->stamp) {
            mark->slot_stamp[side] = order->stamp;
            *slot = -1;
        }
    }
    if (*slot < 0) {
        *slot = (int)order->slots.count;
        *array_push(&order->slots) = (SoftSlot){ 0 };
    }
    SoftSlot *to = &order->slots.at[*slot];
    piece->next = to->list;
    to->list = piece;
    to->count++;
}

/* Towards which side of a node a piece goes; one that lies in its plane stands behind what is there already. */
static SoftSide side_of(const SoftPiece *piece, const SoftNode *node, Vec3 eye) {
    double eye_side = node->plane.normal[0] * eye.x + node->plane.normal[1] * eye.y + node->plane.normal[2] * eye.z - node->plane.dist;
    double at = -node->plane.dist, along = 0;
    for (int i = 0; i < 3; i++) {
        at += node->plane.normal[i] * piece->middle[i];
        along += node->plane.normal[i] * piece->plane.normal[i];
    }
    if (fabs(at) < 0.1 && fabs(along) > 0.9999)
        return eye_side >= 0 ? SIDE_BACK : SIDE_FRONT;
    return soft_piece_side(piece, &node->plane);
}

typedef struct Falling { SoftPiece *piece; int node, parent, side; } Falling;

static void insert(SoftOrder *order, SoftPiece *piece, Vec3 eye) {
    const SoftTree *tree = &order->level->tree;
    ARRAY(Falling) falling = { 0 };
    *array_push(&falling) = (Falling){ piece, tree->nodes.count ? 0 : -1, -1, 0 };
    while (falling.count) {
        Falling f = falling.at[--falling.count];
        if (f.node < 0 || order->marks.at[f.node].stamp != order->stamp) {
            into_slot(order, f.piece, f.parent, f.side);
            continue;
        }
        const SoftNode *node = &tree->nodes.at[f.node];
        SoftSide side = side_of(f.piece, node, eye);
        for (int k = 0; k < 2; k++) {
            SoftPiece *part = side == SIDE_BOTH ? soft_piece_part(order->arena, f.piece, &node->plane, k) : (int)side == k ? f.piece : NULL;
            if (part)
                *array_push(&falling) = (Falling){ part, node->child[k], f.node, k };
        }
    }
    array_free(&falling);
}

void soft_order_move(SoftOrder *order, const FrameModel *model, int pose, int number, Vec3 eye) {
    const SoftLevel *level = order->level;
    const SoftSurface *surface = &level->surfaces[number];
    int shape = (int)order->shapes.count;
    *array_push(&order->shapes) = (SoftShape){ .surface = number, .pose = pose };
    double (*corners)[3] = arena_alloc_array(order->arena, (size_t)surface->index_count, sizeof *corners);
    for (int i = 0; i < surface->index_count; i++) {
        Vec3 p = frame_model_point(model, level->level->geometry->vertices[level->indexes[surface->first_index + i]].position);
        for (int k = 0; k < 3; k++)
            corners[i][k] = p.raw[k];
    }
    SoftPlane plane = moved_plane(model, &level->planes[surface->plane]);
    int plane_number = (pose + 1) * level->plane_count + surface->plane;    /* planes of one model at one pose alone are the same */
    insert(order, soft_piece_make(order->arena, shape, plane_number, &plane, (const double (*)[3])corners, surface->index_count / 3), eye);
}


typedef struct Walk { enum { WALK_NODE, WALK_OWN, WALK_MOVED_NODE, WALK_MOVED_OWN } kind; int node; } Walk;
typedef ARRAY(Walk) WalkList;

static void put_part(SoftOrder *order, const SoftTree *tree, int fragment, int shape) {
    const SoftFragment *f = &tree->fragments.at[fragment];
    *array_push(&order->parts) = (SoftPart){ .shape = shape, .fragment = fragment, .moved = tree == &order->moved, .half_count = f->cut_count };
}

static void put_own(SoftOrder *order, const SoftTree *tree, int number) {
    const SoftNode *node = &tree->nodes.at[number];
    for (int i = node->first_fragment; i < node->first_fragment + node->fragment_count; i++) {
        int surface = tree->fragments.at[i].surface;
        if (tree == &order->moved)
            put_part(order, tree, i, surface);
        else if (order->seen.at[surface].stamp == order->stamp)
            put_part(order, tree, i, order->seen.at[surface].shape);
    }
}

static void push_side(const SoftOrder *order, WalkList *walk, int parent, int child, int side, bool moved) {
    if (moved) {
        if (child >= 0)
            *array_push(walk) = (Walk){ WALK_MOVED_NODE, child };
        return;
    }
    if (child >= 0 && order->marks.at[child].stamp == order->stamp) {
        *array_push(walk) = (Walk){ WALK_NODE, child };
        return;
    }
    bool any = parent >= 0 ? order->marks.at[parent].slot_stamp[side] == order->stamp : order->root_slot >= 0;
    if (any)
        *array_push(walk) = (Walk){ WALK_MOVED_NODE, order->slots.at[parent >= 0 ? order->marks.at[parent].slot[side] : order->root_slot].root };
}

void soft_order_walk(SoftOrder *order, Vec3 eye) {
    for (size_t i = 0; i < order->slots.count; i++)
        order->slots.at[i].root = soft_tree_build(&order->moved, order->arena, order->slots.at[i].list, order->slots.at[i].count);
    WalkList walk = { 0 };
    push_side(order, &walk, -1, order->level->tree.nodes.count ? 0 : -1, 0, false);
    while (walk.count) {
        Walk at = walk.at[--walk.count];
        bool moved = at.kind >= WALK_MOVED_NODE;
        const SoftTree *tree = moved ? &order->moved : &order->level->tree;
        if (at.kind == WALK_OWN || at.kind == WALK_MOVED_OWN) {
            put_own(order, tree, at.node);
            continue;
        }
        const SoftNode *node = &tree->nodes.at[at.node];
        double distance = node->plane.normal[0] * eye.x + node->plane.normal[1] * eye.y + node->plane.normal[2] * eye.z - node->plane.dist;
        int near = distance >= 0 ? 0 : 1;
        push_side(order, &walk, at.node, node->child[!near], !near, moved);
        *array_push(&walk) = (Walk){ moved ? WALK_MOVED_OWN : WALK_OWN, at.node };
        push_side(order, &walk, at.node, node->child[near], near, moved);
    }
    for (size_t i = 0; i < order->far.count; i++)
        *array_push(&order->parts) = (SoftPart){ .shape = order->far.at[i], .fragment = -1 };
    array_free(&walk);
}
