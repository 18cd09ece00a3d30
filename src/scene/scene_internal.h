/* scene/scene_internal.h -- what the files of scene/ share: the visible set. */
#ifndef LEAFWALK_SCENE_INTERNAL_H
#define LEAFWALK_SCENE_INTERNAL_H

#include "scene/scene.h"

typedef struct SceneMarks SceneMarks;

SceneMarks *scene_marks_open(const Map *map);
void scene_marks_close(SceneMarks *marks);
/* Fills the frame's leafs, faces, clusters and brush models from scene and frame->view. */
void scene_fill_visible(Scene *scene, Frame *frame);
/* Fills the frame's portals: what mirrors show, and remote cameras. */
void scene_fill_portals(Scene *scene, Frame *frame);
void scene_portals_close(struct ScenePortals *portals);    /* NULL is fine */

#endif
