/* support/soft_place.h -- the software renderer with one of the levels of level.h, its textures noise, and a frame to draw.
 *
 *     SoftPlace *place = soft_place_make("room", 2);
 *     soft_place_look(place, vec3_at(100, 128, 60), vec3_at(0, 45, 0), 320, 200);
 *     Image image = renderer_drawn(&soft_renderer, place->soft, &place->frame);
 */
#ifndef LEAFWALK_TESTS_SOFT_PLACE_H
#define LEAFWALK_TESTS_SOFT_PLACE_H

#include "render/soft/soft.h"
#include "scene/scene.h"

typedef struct SoftPlace {
    Arena *arena;
    Files *files;
    Assets *assets;
    Level level;
    Scene scene;
    Frame frame;
    Vars *vars;
    Jobs *jobs;
    void *soft;
} SoftPlace;

SoftPlace *soft_place_make(const char *level, int threads);    /* fails the test where it cannot */
void       soft_place_free(SoftPlace *place);
void       soft_place_look(SoftPlace *place, Vec3 origin, Vec3 angles, int width, int height);    /* begins a frame */

extern const Rgba soft_place_background;                       /* where no face is; no texture has it */

#endif
