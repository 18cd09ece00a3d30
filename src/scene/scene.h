/* scene/scene.h -- what is true now: where the eye is, which leafs it sees, how brush models stand; fills the frame.
 *
 * Visibility is decided here, once, above the renderers: the leafs of clusters that the eye's cluster sees (or all, see
 * VisMode), whose node boxes the view's frustum touches, front to back, and of their faces each once. */
#ifndef LEAFWALK_SCENE_H
#define LEAFWALK_SCENE_H

#include "assets/models.h"
#include "bsp/bsp_areas.h"
#include "frame/frame.h"

typedef enum VisMode { VIS_PVS, VIS_FRUSTUM, VIS_NONE } VisMode;    /* rows and frustum; frustum alone; everything */

typedef struct ScenePose { bool shown; Vec3 origin, angles; } ScenePose;

typedef struct Scene {
    const Level *level;
    Vec3 origin, angles;         /* of the eye */
    float fov;                   /* horizontal, degrees */
    VisMode vis_mode;
    bool locked;                 /* the viewer's cluster is taken to be `locked_cluster` */
    int locked_cluster;
    const BspAreas *areas;       /* with doors as they stand; NULL: none hides anything. Lent, and gone with another level */
    ScenePose *poses;            /* by model of the map; 0 (the world) unused */
    int pose_count;
    unsigned *leaf_stamp, *face_stamp, *cluster_stamp;    /* drawn in the frame of this number */
    unsigned stamp;
    struct SceneMarks *marks;    /* which leafs the eye's cluster sees, kept while it stays the same (scene_visible.c) */
    struct ScenePortals *portals;                         /* views through portals and mirrors (scene_portals.c); NULL: none yet */
    int drawn_leafs, drawn_faces, drawn_clusters;         /* in the last frame filled */
} Scene;

void scene_open(Scene *scene);
void scene_close(Scene *scene);
/* Brush models stand where the file has them: each that an entity names, at that entity's `origin` key, not rotated. */
void scene_use_level(Scene *scene, const Level *level);

/* Fills view, level, visible lists and brush models of a frame that was begun. */
void scene_fill(Scene *scene, Frame *frame, int width, int height);
Frame *scene_portal_frame(const Scene *scene, int number);    /* what a portal of the frame filled last shows: `seen` of FramePortal, for what is to be added */

/* The planes of a view's frustum: left, right, bottom, top, near; normals point inwards. */
void view_frustum(const View *view, Plane out[5]);
bool frustum_touches_box(const Plane planes[5], Box box);     /* may say true of a box that is just outside a corner */

/* Whether a box can be seen in the frame that was filled last: by rows and frustum; and whether all of it is in view.
 * Both need a level. */
bool scene_sees_box(const Scene *scene, Box box);
bool scene_holds_box(const Scene *scene, Box box);

/* A model (MD3) in the level. Its surfaces go into the frame posed, placed and lit from the light grid, or not at all
 * where they cannot be seen. False: it was left out. */
typedef struct SceneModel {
    const Model *model;
    const ModelLook *surfaces;    /* model->surface_count */
    Vec3 origin;
    Axes axes;
    float scale;
    int frame, old_frame;    /* `mix` 0: old_frame, 1: frame */
    float mix;
    Rgba tint;               /* multiplied with the light; 255: none */
    bool bright;             /* not lit: the tint alone */
} SceneModel;
bool scene_add_model(Scene *scene, Frame *frame, const SceneModel *model);
/* Which of `count` models of falling detail is enough for one with these bounds, as the engine chooses. */
int scene_model_lod(const View *view, Box bounds, Vec3 origin, float scale, int count);

/* The box around a box that stands at a pose. */
Box box_at_pose(Box box, Vec3 origin, const Axes *axes);

#endif
