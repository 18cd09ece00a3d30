/* bsp/bsp_collision.h -- what a level collides as beside its brushes: facets, the flat pieces of curves; and its tree, as
 * traces walk it.
 *
 * A facet is a very thin brush: its surface plane, then border planes and bevels (so that boxes slide past its edges),
 * and last the plane of its back, which stops nothing. Made from a tessellation of 16 units, as the engine's (format.md 7.3), not
 * the drawn one. */
#ifndef LEAFWALK_BSP_COLLISION_H
#define LEAFWALK_BSP_COLLISION_H

#include "bsp/bsp_trace.h"

typedef struct Facet { int first_plane, plane_count; Box bounds; } Facet;
typedef struct CurveFacets { int face, first_facet, facet_count; Box bounds; } CurveFacets;

/* The tree as traces walk it: what is asked of a node or a leaf stands together, for it is memory that they wait for. */
typedef struct SweepNode {
    Plane plane;
    int child[2];             /* as the map's node */
    int axis;                 /* of the plane, where it looks along one: 0..2, else 3 */
    Box bounds[2];            /* around the brushes and curves that can be met below each child: who does not touch it meets none there.
                               * So much is left out where planes that are not axial send a box down both sides. */
} SweepNode;

/* Boxes of four neighbours in a leaf's list, compared at once. Those past the list's end touch nothing. */
typedef struct FourBoxes { float mins[3][4], maxs[3][4]; } FourBoxes;

/* Brushes, then faces that are curves, with boxes of each four of them. */
typedef struct SweepLeaf {
    const int *brushes, *faces;
    int brush_count, face_count;
    int first_boxes;          /* -1: it has none, and the faces need not be curves (a file in which every leaf names everything) */
} SweepLeaf;

struct Collision {
    Facet *facets; int facet_count;
    Plane *planes; int plane_count;
    CurveFacets *curves; int curve_count;
    int *face_curve;          /* by face of the map: its curve, -1: none */
    SweepNode *nodes;         /* as many as the map's */
    SweepLeaf *leafs;
    FourBoxes *boxes;
};

void bsp_sweep_tree(const Map *map, Collision *collision, Arena *arena);    /* makes nodes, leafs and boxes, when the curves are there */

#endif
