/* bsp/bsp_brush.c -- the box of a brush, where the file does not simply give it. */
#include "bsp/bsp.h"
#include "bsp/bsp_internal.h"

#include <math.h>

enum { CORNERS_MOST = 96, SIDES_MOST = 80 };    /* a side that more than 80 others cut is no brush of a level */

static const double far_away = 1e6;    /* worlds end at 128 K; a corner beyond this means an open brush */

typedef struct Point { double at[3]; } Point;
typedef struct Polygon { Point corners[CORNERS_MOST]; int count; } Polygon;

/* A square on the plane, larger than any world. */
static void square_on(const Plane *plane, Polygon *out) {
    int axis = 0;
    for (int i = 1; i < 3; i++)
        axis = fabsf(plane->normal.raw[i]) > fabsf(plane->normal.raw[axis]) ? i : axis;
    double n[3] = { plane->normal.x, plane->normal.y, plane->normal.z };
    double length2 = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    out->count = 4;
    for (int i = 0; i < 4; i++) {
        double *c = out->corners[i].at;
        c[u] = i == 0 || i == 3 ? -4 * far_away : 4 * far_away;
        c[v] = i < 2 ? -4 * far_away : 4 * far_away;
        c[axis] = (plane->dist * length2 - n[u] * c[u] - n[v] * c[v]) / n[axis];
    }
}

/* Keeps what lies behind the plane. */
static void cut(Polygon *polygon, const Plane *plane) {
    Polygon kept = { .count = 0 };
    double distance[CORNERS_MOST + 1];
    for (int i = 0; i < polygon->count; i++) {
        const double *c = polygon->corners[i].at;
        distance[i] = plane->normal.x * c[0] + plane->normal.y * c[1] + plane->normal.z * c[2] - plane->dist;
    }
    for (int i = 0; i < polygon->count && kept.count <= CORNERS_MOST - 2; i++) {
        int j = (i + 1) % polygon->count;
        if (distance[i] <= 0.01)
            kept.corners[kept.count++] = polygon->corners[i];
        bool crosses = (distance[i] > 0.01) != (distance[j] > 0.01);
        if (!crosses || distance[i] == distance[j])
            continue;
        double t = CLAMP(distance[i] / (distance[i] - distance[j]), 0, 1);
        for (int k = 0; k < 3; k++)
            kept.corners[kept.count].at[k] =
                polygon->corners[i].at[k] + t * (polygon->corners[j].at[k] - polygon->corners[i].at[k]);
        kept.count++;
    }
    *polygon = kept;
}

/* The sides cut each other; what is left of them are the brush's faces. */
static bool box_by_cutting(const Map *map, const BspBrush *brush, Box *out, int64_t *work) {
    const BspBrushSide *sides = map->brushsides + brush->first_side;
    *work -= (int64_t)brush->side_count * brush->side_count;
    if (brush->side_count > SIDES_MOST || *work < 0)
        return false;
    *out = box_nothing();
    for (int i = 0; i < brush->side_count; i++) {
        Polygon polygon;
        square_on(&map->planes[sides[i].plane], &polygon);
        for (int j = 0; j < brush->side_count && polygon.count; j++)
            if (sides[j].plane != sides[i].plane)
                cut(&polygon, &map->planes[sides[j].plane]);
        for (int c = 0; c < polygon.count; c++) {
            const double *at = polygon.corners[c].at;
            *out = box_around(*out, vec3_at((float)at[0], (float)at[1], (float)at[2]));
        }
    }
    for (int i = 0; i < 3; i++)
        if (!(out->mins.raw[i] >= -far_away && out->maxs.raw[i] <= far_away && out->mins.raw[i] <= out->maxs.raw[i]))
            return false;
    return true;
}

bool bsp_brush_box(const Map *map, int brush_index, Box *out, int64_t *work) {
    const BspBrush *brush = &map->brushes[brush_index];
    int found = 0;
    for (int i = 0; i < brush->side_count && found != 0x3f; i++) {
        const Plane *plane = &map->planes[map->brushsides[brush->first_side + i].plane];
        for (int axis = 0; axis < 3; axis++) {
            if (plane->normal.raw[axis] == -1 && !(found & 1 << axis)) {
                out->mins.raw[axis] = -plane->dist;
                found |= 1 << axis;
            } else if (plane->normal.raw[axis] == 1 && !(found & 8 << axis)) {
                out->maxs.raw[axis] = plane->dist;
                found |= 8 << axis;
            }
        }
    }
    if (found != 0x3f)
        return box_by_cutting(map, brush, out, work);
    for (int axis = 0; axis < 3; axis++)
        if (out->mins.raw[axis] > out->maxs.raw[axis])
            return false;
    return true;
}
