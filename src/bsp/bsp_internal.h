/* bsp/bsp_internal.h -- what the files of bsp/ ask of each other and nobody else does. */
#ifndef LEAFWALK_BSP_INTERNAL_H
#define LEAFWALK_BSP_INTERNAL_H

#include "bsp/bsp.h"

/* The deepest tree that is loaded. Compilers write trees of some 40 levels; walks keep a stack of this size. */
enum { TREE_DEPTH_MAX = 4096 };

/* Works out node_parent, leaf_parent, cluster_leaf_first and cluster_leafs; refuses cycles, nodes with two parents and
 * trees deeper than TREE_DEPTH_MAX. On a refusal `node` is the one to blame and `why` says what it did. */
bool bsp_tree_link(Map *map, Arena *arena, int *node, const char **why);

/* How often records of a lump of `count` may be named by others in all. Compilers name each once or little more; without
 * a limit a small file could ask for work and memory without end. */
static inline int64_t bsp_budget(int count) { return ((int64_t)1 << 20) + 4 * (int64_t)count; }

/* The box of a brush: read from its axial sides where it has all six, else by cutting its sides with each other.
 * `work` counts cuts still allowed in this file. False: open somewhere, empty, or no work left. */
bool bsp_brush_box(const Map *map, int brush, Box *out, int64_t *work);

#endif
