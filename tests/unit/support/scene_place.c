/* support/scene_place.c -- as the engine does it, less everything that is not the scene. */
#include "support/test.h"

#include "support/scene_place.h"

#include "support/level_map.h"

ScenePlace *scene_place_open(const char *level) {
    ScenePlace *place = mem_zeroed(1, sizeof *place);
    place->arena = arena_open();
    place->level.map = level_map(place->arena, level);
    place->level.geometry = bsp_geometry(place->level.map, 4, place->arena);
    place->level.serial = 1;
    scene_open(&place->scene);
    scene_use_level(&place->scene, &place->level);
    frame_open(&place->frame);
    return place;
}

void scene_place_close(ScenePlace *place) {
    frame_close(&place->frame);
    scene_close(&place->scene);
    arena_close(place->arena);
    mem_free(place);
}

void scene_place_look(ScenePlace *place, Vec3 origin, Vec3 angles) {
    place->scene.origin = origin;
    place->scene.angles = angles;
    frame_begin(&place->frame);
    scene_fill(&place->scene, &place->frame, 320, 200);
}
