/* bsp/bsp_tree.c -- walking the tree of planes: point to leaf, box to leafs, front to back. */
#include "bsp/bsp.h"
#include "bsp/bsp_internal.h"

/* In doubles: a float loses the sign of a small distance when the coordinates are large. */
static double distance(const Plane *plane, Vec3 p) {
    return (double)plane->normal.x * p.x + (double)plane->normal.y * p.y + (double)plane->normal.z * p.z - plane->dist;
}

int bsp_leaf_at(const Map *map, Vec3 point) {
    int at = 0;
    while (at >= 0) {
        const BspNode *node = &map->nodes[at];
        bool front = distance(&map->planes[node->plane], point) >= 0;
        at = node->child[front ? 0 : 1];
    }
    return -1 - at;
}

int bsp_cluster_at(const Map *map, Vec3 point) { return map->leafs[bsp_leaf_at(map, point)].cluster; }

/* Adds a leaf to a list that may be too small. Leafs of more than one node are rare enough for a plain search. */
static int add_leaf(const Map *map, int leaf, int *out, int count, int room) {
    if (map->shared_leafs)
        for (int i = 0; i < MIN(count, room); i++)
            if (out[i] == leaf)
                return count;
    if (count < room)
        out[count] = leaf;
    return count + 1;
}

/* Puts the children of a node whose space touches the box on the stack. */
static int enter_box(const Map *map, const Box *box, int at, int *stack, int depth) {
    const BspNode *node = &map->nodes[at];
    const Plane *plane = &map->planes[node->plane];
    Vec3 nearest, farthest;    /* the box's corners lowest and highest along the normal */
    for (int i = 0; i < 3; i++) {
        bool up = plane->normal.raw[i] >= 0;
        nearest.raw[i] = up ? box->mins.raw[i] : box->maxs.raw[i];
        farthest.raw[i] = up ? box->maxs.raw[i] : box->mins.raw[i];
    }
    if (distance(plane, nearest) <= 0)
        stack[depth++] = node->child[1];
    if (distance(plane, farthest) >= 0)
        stack[depth++] = node->child[0];
    return depth;
}

int bsp_leaves_in(const Map *map, Box box, int *out, int room) {
    int stack[TREE_DEPTH_MAX + 1], depth = 0, count = 0;
    stack[depth++] = 0;
    while (depth) {
        int at = stack[--depth];
        if (at < 0)
            count = add_leaf(map, -1 - at, out, count, room);
        else
            depth = enter_box(map, &box, at, stack, depth);
    }
    return count;
}

bool bsp_box_meets(const Map *map, Box box, const bool *nodes, const bool *leafs) {
    int stack[TREE_DEPTH_MAX + 1], depth = 0;
    stack[depth++] = 0;
    while (depth) {
        int at = stack[--depth];
        if (at < 0 && leafs[-1 - at])
            return true;
        if (at >= 0 && (nodes[at] || map->shared_leafs))    /* a leaf of more than one node has marks above one of them */
            depth = enter_box(map, &box, at, stack, depth);
    }
    return false;
}

void bsp_walk_front_to_back(const Map *map, Vec3 eye, BspLeafVisit *visit, void *user) {
    bsp_walk_culled(map, eye, NULL, visit, user);
}

void bsp_walk_culled(const Map *map, Vec3 eye, BspEnter *enter, BspLeafVisit *visit, void *user) {
    struct { int at, state; } stack[TREE_DEPTH_MAX + 1];
    int depth = 0;
    stack[depth].at = 0;
    stack[depth++].state = 0;
    while (depth) {
        int at = stack[--depth].at, state = stack[depth].state;
        if (enter && (state = enter(user, at, state)) < 0)
            continue;
        if (at < 0) {
            visit(user, -1 - at);
            continue;
        }
        const BspNode *node = &map->nodes[at];
        int far_side = distance(&map->planes[node->plane], eye) >= 0 ? 1 : 0;
        stack[depth].at = node->child[far_side];
        stack[depth++].state = state;
        stack[depth].at = node->child[1 - far_side];
        stack[depth++].state = state;
    }
}

static void link_clusters(Map *map, Arena *arena) {
    int solid = map->cluster_count;    /* the row of leafs in no cluster */
    map->cluster_leaf_first = arena_array(arena, int, map->cluster_count + 2);
    map->cluster_leafs = arena_array(arena, int, map->leaf_count);
    int *first = map->cluster_leaf_first;
    for (int i = 0; i < map->leaf_count; i++)
        if (map->leaf_parent[i] >= 0)
            first[(map->leafs[i].cluster < 0 ? solid : map->leafs[i].cluster) + 1]++;
    for (int i = 0; i <= solid; i++)
        first[i + 1] += first[i];
    int *filled = mem_zeroed((size_t)solid + 1, sizeof *filled);
    for (int i = 0; i < map->leaf_count; i++) {
        int cluster = map->leafs[i].cluster < 0 ? solid : map->leafs[i].cluster;
        if (map->leaf_parent[i] >= 0)
            map->cluster_leafs[first[cluster] + filled[cluster]++] = i;
    }
    mem_free(filled);
}

static bool link_nodes(Map *map, int *stack, int *depths, int *node, const char **why) {
    int count = 0;
    stack[count++] = 0;
    while (count) {
        int at = stack[--count];
        *node = at;
        for (int side = 1; side >= 0; side--) {
            int child = map->nodes[at].child[side];
            if (child < 0) {
                int leaf = -1 - child;
                map->shared_leafs |= map->leaf_parent[leaf] >= 0;
                map->leaf_parent[leaf] = map->leaf_parent[leaf] >= 0 ? map->leaf_parent[leaf] : at;
                continue;
            }
            if (child == 0 || map->node_parent[child] >= 0) {
                *why = "leads to a node that the tree has already passed: a cycle, or a node with two parents";
                return false;
            }
            if (depths[at] + 1 >= TREE_DEPTH_MAX) {
                *why = "lies deeper than any compiler makes a tree";
                return false;
            }
            map->node_parent[child] = at;
            depths[child] = depths[at] + 1;
            stack[count++] = child;
        }
    }
    return true;
}

bool bsp_tree_link(Map *map, Arena *arena, int *node, const char **why) {
    map->node_parent = arena_array(arena, int, map->node_count);
    map->leaf_parent = arena_array(arena, int, map->leaf_count);
    for (int i = 0; i < map->node_count; i++)
        map->node_parent[i] = -1;
    for (int i = 0; i < map->leaf_count; i++)
        map->leaf_parent[i] = -1;
    int *stack = mem_zeroed((size_t)map->node_count + 1, sizeof *stack);
    int *depths = mem_zeroed((size_t)map->node_count, sizeof *depths);
    bool good = link_nodes(map, stack, depths, node, why);
    mem_free(stack);
    mem_free(depths);
    if (good)
        link_clusters(map, arena);
    return good;
}
