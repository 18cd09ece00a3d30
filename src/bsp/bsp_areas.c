/* bsp/bsp_areas.c -- which areas meet in which portals, and what shut ones hide. */
#include "bsp/bsp_areas.h"

#include "bsp/flags.h"

static const float TOUCH = 1;       /* areas begin where a portal's brush ends: a unit more finds both */
static const float DOORWAY = 16;    /* so near to a portal the eye counts as standing in it: the near plane, and the door's own thickness */

static Box grown(Box box, float by) {
    Vec3 more = vec3_at(by, by, by);
    return (Box){ vec3_sub(box.mins, more), vec3_add(box.maxs, more) };
}

int bsp_area_at(const Map *map, Vec3 point) { return map->leafs[bsp_leaf_at(map, point)].area; }

/* The areas of the leafs in a box, each once, in the order in which the tree has them. */
static int areas_in(const Map *map, Box box, int *leafs, int out[], int room, int64_t *work) {
    int leaf_count = MIN(bsp_leaves_in(map, box, leafs, map->leaf_count), map->leaf_count), count = 0;
    *work -= leaf_count;
    for (int i = 0; i < leaf_count && count < room; i++) {
        int area = map->leafs[leafs[i]].area, k = 0;
        while (k < count && out[k] != area)
            k++;
        if (k == count && area >= 0)
            out[count++] = area;
    }
    return count;
}

static void add_portals(BspAreas *areas, int brush, int *leafs, int64_t *work) {
    enum { AREAS_MOST = 8 };
    int found[AREAS_MOST];
    Box bounds = areas->map->brushes[brush].bounds;
    int count = areas_in(areas->map, grown(bounds, TOUCH), leafs, found, AREAS_MOST, work);
    for (int i = 1; i < count; i++)
        *array_push(&areas->portals) = (BspAreaPortal){ .brush = brush, .from = found[0], .to = found[i], .bounds = bounds };
}

void bsp_areas_open(BspAreas *areas, const Map *map) {
    *areas = (BspAreas){ .map = map };
    const BspModel *world = &map->models[0];
    int64_t work = 1 << 26;    /* a file may hold a million portals, each as large as the level: the rest stay open */
    int *leafs = mem_alloc((size_t)map->leaf_count * sizeof *leafs);
    for (int i = world->first_brush; i < world->first_brush + world->brush_count && work > 0; i++) {
        const BspBrush *brush = &map->brushes[i];
        if (brush->usable && map->textures[brush->texture].contents & CONTENTS_AREAPORTAL)
            add_portals(areas, i, leafs, &work);
    }
    mem_free(leafs);
    if (!areas->portals.count)
        return;
    areas->open_set = mem_alloc((size_t)map->area_count * sizeof *areas->open_set);
    areas->whole_set = mem_alloc((size_t)map->area_count * sizeof *areas->whole_set);
}

void bsp_areas_close(BspAreas *areas) {
    array_free(&areas->portals);
    mem_free(areas->open_set);
    mem_free(areas->whole_set);
    *areas = (BspAreas){ 0 };
}


/* Sets of areas: each names another of its set, the last one itself. */
static int set_of(int *sets, int area) {
    while (sets[area] != area)
        area = sets[area] = sets[sets[area]];
    return area;
}

static bool box_holds(Box box, Vec3 point) { return box_touches(box, (Box){ point, point }); }

/* Both sets; portals that `eye` (NULL: nobody's) stands in are open. False: nothing is shut. */
static bool join_areas(const BspAreas *areas, const Vec3 *eye) {
    bool any = false;
    for (size_t i = 0; i < areas->portals.count; i++)
        any |= areas->portals.at[i].shut;
    if (!any)
        return false;
    for (int i = 0; i < areas->map->area_count; i++)
        areas->open_set[i] = areas->whole_set[i] = i;
    for (size_t i = 0; i < areas->portals.count; i++) {
        const BspAreaPortal *portal = &areas->portals.at[i];
        areas->whole_set[set_of(areas->whole_set, portal->from)] = set_of(areas->whole_set, portal->to);
        if (!portal->shut || (eye && box_holds(grown(portal->bounds, DOORWAY), *eye)))
            areas->open_set[set_of(areas->open_set, portal->from)] = set_of(areas->open_set, portal->to);
    }
    return true;
}

static bool parted(const BspAreas *areas, int from, int to) {
    return set_of(areas->whole_set, from) == set_of(areas->whole_set, to) && set_of(areas->open_set, from) != set_of(areas->open_set, to);
}

bool bsp_areas_joined(const BspAreas *areas, int from, int to) {
    bool known = from >= 0 && from < areas->map->area_count && to >= 0 && to < areas->map->area_count;
    return !known || !join_areas(areas, NULL) || !parted(areas, from, to);
}

bool bsp_areas_hidden(const BspAreas *areas, int from, Vec3 eye, bool *hidden) {
    if (from < 0 || from >= areas->map->area_count || !join_areas(areas, &eye))
        return false;
    for (int i = 0; i < areas->map->area_count; i++)
        hidden[i] = parted(areas, from, i);
    return true;
}
