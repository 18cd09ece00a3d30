/* scene/flares.h -- flares: what bright lights do in the eye that sees them (faces of type 4).
 *
 * A flare has the same size on the screen wherever it is, and is drawn over everything; whether it is seen is asked of the
 * level's solids, once, above the renderers. It comes and goes within a seventh of a second, by the clock of the frames
 * that were filled: the same frames give the same flares. After a pause of the frames, or in the first one, each stands
 * as it would after a while. */
#ifndef LEAFWALK_FLARES_H
#define LEAFWALK_FLARES_H

#include "bsp/bsp_trace.h"
#include "scene/scene.h"

typedef struct Flares {
    const Map *map;              /* whose faces are listed */
    ARRAY(int) faces;
    ARRAY(int) meshes;           /* faces of the world that traces do not meet, and that may hide a flare */
    ARRAY(float) strength;       /* of each, 0..1: as the eye sees it, then as it is seen through each portal */
    double time;                 /* of the frame filled last */
    bool settled;                /* there was one */
} Flares;

void flares_close(Flares *flares);
/* Adds the flares that the scene's eye sees, to a frame that the scene has filled, and to what its portals show those that
 * are seen through them; `texture`: their picture. */
void flares_fill(Flares *flares, const Scene *scene, const Collision *collision, int texture, Frame *frame);

#endif
