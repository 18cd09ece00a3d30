/* support/scene_place.h -- a scene in one of the small levels of level.h, and the frame that it fills. */
#ifndef LEAFWALK_TESTS_SCENE_PLACE_H
#define LEAFWALK_TESTS_SCENE_PLACE_H

#include "scene/scene.h"

typedef struct ScenePlace { Arena *arena; Level level; Scene scene; Frame frame; } ScenePlace;

ScenePlace *scene_place_open(const char *level);                         /* the level's map, its geometry and no pictures */
void scene_place_close(ScenePlace *place);
void scene_place_look(ScenePlace *place, Vec3 origin, Vec3 angles);      /* begins the frame, 320x200, and fills it */

#endif
