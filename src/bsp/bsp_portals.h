/* bsp/bsp_portals.h -- the portals of a level: the openings between its clusters, as a .prt file has them.
 *
 * The compiler writes them for its computation of visibility ("PRT1": clusters, portals, solid faces; then a line each:
 * points, one or two clusters, whether a hint brush made it, and the corners). The level itself does not hold them. */
#ifndef LEAFWALK_BSP_PORTALS_H
#define LEAFWALK_BSP_PORTALS_H

#include "base/base.h"

typedef struct BspPortal {
    int from, to;              /* clusters; `to` is -1 for a solid face */
    bool hint;
    int point_count;
    const Vec3 *points;
} BspPortal;

typedef struct BspPortals {
    int cluster_count;
    const BspPortal *portals;  int portal_count;
    const BspPortal *faces;    int face_count;      /* solid faces of clusters: walls */
} BspPortals;

/* All in `arena`. NULL: the error names file, line, what was found and what was expected. */
BspPortals *bsp_portals_parse(Arena *arena, const char *path, const uint8_t *bytes, size_t size, Error *error);

#endif
