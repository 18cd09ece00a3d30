/* bsp/bsp_collision.h -- facets: the flat pieces that curves collide as.
 *
 * A facet is a very thin brush: its surface plane, then border planes and bevels (so that boxes slide past its edges),
 * and last the plane of its back, which stops nothing. Made from a tessellation of 16 units, as the engine's (format.md 7.3), not
 * the drawn one. */
#ifndef LEAFWALK_BSP_COLLISION_H
#define LEAFWALK_BSP_COLLISION_H

#include "bsp/bsp.h"

typedef struct Facet { int first_plane, plane_count; Box bounds; } Facet;
enum { BRUSH_GROUP = 8 };     /* neighbours in a leaf's list share a box */
typedef struct CurveFacets { int face, first_facet, facet_count; Box bounds; } CurveFacets;

struct Collision {
    Facet *facets; int facet_count;
    Plane *planes; int plane_count;
    CurveFacets *curves; int curve_count;
    int *face_curve;          /* by face of the map: its curve, -1: none */
    /* Around the brushes and curves that can be met in the leaf, or in the leafs below the node: who does not touch it meets
     * none there. So much of the tree is left out where planes that are not axial send a box down both sides. */
    Box *leaf_bounds, *node_bounds;
    int *leaf_group;          /* by leaf: the first of the boxes around BRUSH_GROUP of its brushes each, -1: it has none */
    Box *groups;
};

#endif
