/* bsp/bsp_areas.h -- areas: parts of a level that doors divide.
 *
 * A compiler gives every leaf an area; two areas meet in area portals only, brushes with those contents that mappers put
 * into the frames of doors. While a portal is shut, what lies behind it needs no drawing, whatever the rows say. Which
 * areas a portal joins the file does not tell: they are those of the leafs that its brush touches. */
#ifndef LEAFWALK_BSP_AREAS_H
#define LEAFWALK_BSP_AREAS_H

#include "base/array.h"
#include "bsp/bsp.h"

typedef struct BspAreaPortal { int brush, from, to; Box bounds; bool shut; } BspAreaPortal;    /* a brush that touches three areas has two */

typedef struct BspAreas {
    const Map *map;
    ARRAY(BspAreaPortal) portals;     /* all of them open at first */
    int *open_set, *whole_set;        /* scratch: whom each area is joined with, now and with every door open */
} BspAreas;

void bsp_areas_open(BspAreas *areas, const Map *map);    /* the map is lent */
void bsp_areas_close(BspAreas *areas);

int  bsp_area_at(const Map *map, Vec3 point);            /* -1 in solid and outside */
/* Whether no shut portal parts two areas. Area -1 is joined with all, as are two that nothing but walls lies between: what
 * walls hide is the rows' matter. */
bool bsp_areas_joined(const BspAreas *areas, int from, int to);
/* Marks in `hidden` (area_count) what a view from `eye` in area `from` cannot reach through the doors as they stand. An eye
 * in a doorway sees both sides of it. False: all is reached, and `hidden` was not touched. */
bool bsp_areas_hidden(const BspAreas *areas, int from, Vec3 eye, bool *hidden);

#endif
