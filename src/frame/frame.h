/* frame/frame.h -- what a renderer is told: one picture, described flat.
 *
 * The scene fills a Frame, scripts add lines, boxes, triangles and letters to it, a renderer turns it into pixels and
 * knows nothing else. Everything in it is read-only for the renderer and lives in the frame's arena (or the map's) until
 * the next frame is begun. Colours are 4 bytes: red, green, blue, alpha. Pixels count from the top left. */
#ifndef LEAFWALK_FRAME_H
#define LEAFWALK_FRAME_H

#include "assets/assets.h"
#include "assets/material_eval.h"
#include "assets/model.h"
#include "base/base.h"
#include "bsp/bsp.h"

/* A level with what drawing it needs. It lives as long as the map is open; `serial` tells one from the next. */
typedef struct Level {
    const Map *map;
    const BspGeometry *geometry;
    const Material **materials;      /* by texture of the map */
    int *textures;                   /* by texture of the map: number of its picture in assets; TEXTURE_WHITE: it has none */
    const Look **looks;              /* by texture * LOOK_FORMS + form, NULL where no face has it; NULL: pictures alone stand for materials */
    const Look **page_looks;         /* by face: those of external lightmaps, NULL for other faces; NULL: the level has none */
    bool portals;                    /* some look is a portal's or a mirror's */
    const Look **fogs;               /* by effect of the map: what fills its brush, NULL: nothing; NULL with `looks` */
    unsigned serial;                 /* another one: another level or another geometry */
} Level;

/* level.c: pictures and looks of every texture that a face which is drawn has. All in `arena`. */
void level_settle(Level *level, Arena *arena, Assets *assets);
const Look *level_look(const Level *level, int face);        /* NULL: there are none */
/* Numbers of the fog that a face lies in, as seen by an eye; false: in none. */
bool level_fog(const Level *level, int effect, Vec3 eye, Vec3 forward, float identity, FogNumbers *out);

typedef enum Shade {
    SHADE_LIT, SHADE_TEXTURE, SHADE_LIGHTMAP, SHADE_CLUSTER, SHADE_FACE, SHADE_DEPTH, SHADE_NORMAL, SHADE_WIRE,
    SHADE_OVERDRAW, SHADE_MIP, SHADE_SPANS, SHADE_EDGES, SHADE_COUNT
} Shade;
const char *shade_name(int shade);               /* "lit", "texture", ... */
int shade_by_name(const char *name);             /* -1: no such view */

typedef struct View {
    Vec3 origin, angles;
    Axes axes;
    float fov_x, fov_y;              /* degrees */
    int width, height;               /* pixels */
    float near;                      /* distance of the near plane: 4 as in the engine unless set */
    int leaf, cluster;               /* where the eye stands; the cluster may be a locked one */
} View;

typedef struct Rgba { uint8_t r, g, b, a; } Rgba;

/* How overlays meet the scene. */
enum { DRAW_XRAY = 1, DRAW_ADD = 2 };            /* drawn over everything; added to what is behind (else blended by alpha) */

typedef struct FrameModel { int model; Vec3 origin, angles; Axes axes; } FrameModel;    /* a brush model of the map at a pose; its `*N` faces */
typedef struct FrameLine { Vec3 from, to; Rgba from_color, to_color; float width; int flags; } FrameLine;    /* width in pixels */
typedef struct FrameBox { Box box; Rgba color; float width; int flags; bool fill; } FrameBox;      /* its 12 edges or its 6 sides */
typedef struct FrameFace { int face; Rgba color; int flags; bool fill; float width; } FrameFace;   /* a face of the map, tinted or outlined (its triangles' border edges) */
typedef struct FrameVertex { Vec3 position; float u, v; Rgba color; } FrameVertex;
typedef struct FrameTriangles { int first, count, texture, flags; } FrameTriangles;                /* of `vertices`, 3 a triangle; both sides seen */
typedef struct UiVertex { float x, y, u, v; Rgba color; } UiVertex;
typedef struct UiTriangles { int first, count, texture; int clip[4]; } UiTriangles;                /* clip: x, y, width, height in pixels; width 0: none */

/* A stage of a model's material, worked out for its vertices: what a pixel gets is the picture's texel times the colour,
 * alpha too, and twice as bright where overbright is on, unless it `multiplies` what is behind. */
typedef struct FrameStage {
    const Vec2 *uv;                  /* vertex_count of both */
    const Rgba *colors;
    int texture;
    float alpha_test;
    bool blends;                     /* by these factors; else it hides what is behind */
    Blend source, destination;
    bool multiplies, depth_equal, depth_write;
} FrameStage;

/* One surface of a model (MD3), already posed, placed and lit: positions are the level's, colours are the light on each
 * vertex (0..255, to be multiplied with the texture like a lightmap's texel). uv and indexes are the surface's own. The lit
 * view draws its stages, one over the other, where it has any; every other view the picture that stands for them. */
typedef struct FrameMesh {
    const ModelSurface *surface;
    const Vec3 *positions;           /* surface->vertex_count of both */
    const Rgba *colors;
    int texture;
    MaterialCull cull;
    float alpha_test;
    bool blended;
    bool inside;                     /* wholly in the view and beyond its near plane: nothing of it needs clipping */
    Box bounds;
    int instance;                    /* which model of the frame it belongs to, from 0 */
    const FrameStage *stages; int stage_count;    /* 0: nothing but its picture times its colours */
    float sort;                      /* of its material: the blended ones are drawn in this order */
    bool offset;                     /* drawn a little nearer */
} FrameMesh;

/* A picture that stands in the level: facing the eye, or spanned by `right` and `up` (half sides) where oriented. */
typedef struct FrameSprite { Vec3 origin, right, up; float width, height, roll; bool oriented; int texture; Rgba color; int flags; } FrameSprite;
typedef struct FrameParticle { Vec3 origin; float size; Rgba color; } FrameParticle;    /* a square that faces the eye, `size` units wide */
typedef struct FrameLight { Vec3 origin; float radius; Vec3 color; } FrameLight;        /* colour 0..1, falling to 0 at the radius */

/* A portal or a mirror: what is seen through it, to be shown where its faces are. One in another is not followed. */
typedef struct FramePortal {
    const int *faces; int face_count;    /* of the world, in one plane */
    Plane clip;                      /* what lies behind this plane is not seen through it */
    bool mirrored;                   /* left and right change places */
    const struct Frame *seen;        /* view, visible lists and brush models; all else is the frame's own. Its sprites are flares: over everything there */
} FramePortal;
enum { PORTALS_MOST = 4 };           /* the nearest ones; farther ones show their own stages alone */

typedef struct Frame {
    Arena *arena;
    const Level *level;              /* NULL: no map is open; then the lists of faces are empty */
    const Assets *assets;
    View view;
    Shade shade;
    double time;                     /* the only clock that materials may know, seconds */
    int overbright;                  /* r.overbright: 0 or 1 (format.md 2.1) */
    float gamma;
    Rgba clear;                      /* colour of what nothing covers */
    Rgba wire;                       /* colour of wires where the shade is SHADE_WIRE */

    const int *leafs;    int leaf_count;      /* drawn ones, front to back */
    const int *faces;    int face_count;      /* of the world, each once, in the order of the leafs that show them first */
    const int *clusters; int cluster_count;   /* those of `leafs`, ascending */
    const FramePortal *portals; int portal_count;    /* near to far */
    ARRAY(FrameModel) models;                 /* brush models in view */
    ARRAY(FrameMesh) meshes;                  /* surfaces of models in view */
    ARRAY(FrameSprite) sprites;
    ARRAY(FrameParticle) particles;
    ARRAY(FrameLight) lights;                 /* dynamic ones */
    int model_instances, models_hidden;       /* models added; of them, left out by the rows and the frustum */

    ARRAY(FrameLine) lines;
    ARRAY(FrameBox) boxes;
    ARRAY(FrameFace) tints;
    ARRAY(FrameVertex) vertices;
    ARRAY(FrameTriangles) triangles;
    ARRAY(UiVertex) ui_vertices;
    ARRAY(UiTriangles) ui;

    size_t dropped;                  /* things beyond FRAME_MOST that were not taken */
} Frame;

enum { FRAME_MOST = 4 * 1024 * 1024 };           /* items a list: a script that draws for ever fills no memory */

void frame_open(Frame *frame);                   /* zeroes it and makes its arena */
void frame_close(Frame *frame);
void frame_begin(Frame *frame);                  /* empties every list; level, view and settings are to be filled again */

/* Each takes one more thing, or counts it as dropped. Things that are not finite are dropped too. */
void frame_line(Frame *frame, FrameLine line);
void frame_box(Frame *frame, FrameBox box);
void frame_face(Frame *frame, FrameFace face);
void frame_sprite(Frame *frame, FrameSprite sprite);
void frame_particle(Frame *frame, FrameParticle particle);
void frame_light(Frame *frame, FrameLight light);
/* Numbers of all meshes in the order of drawing: from `first_blended` on, those that blend, by their material's order and,
 * of one order, the far ones first. In the frame's arena. */
const int *frame_mesh_order(const Frame *frame, int *first_blended);
/* How many of those that blend come before something else that does, of a material of this order and so far along the view. */
int frame_meshes_before(const Frame *frame, const int *order, int first_blended, float sort, float distance);
/* The four corners of a sprite or particle in the level, clockwise from the top left as the eye sees it. */
void frame_sprite_corners(const View *view, const FrameSprite *sprite, Vec3 out[4]);
/* How bright dynamic lights make a point (0..1 per channel, to be added to the light there). */
Vec3 frame_lights_at(const Frame *frame, Vec3 point);
void frame_triangle(Frame *frame, const FrameVertex corners[3], int texture, int flags);
void frame_ui_quad(Frame *frame, float x, float y, float width, float height, const float uv[4], int texture, Rgba color,
                   const int clip[4]);           /* uv: u0 v0 u1 v1, NULL: 0 0 1 1; clip NULL: none */
void frame_ui_triangle(Frame *frame, const UiVertex corners[3], int texture, const int clip[4]);
void frame_ui_line(Frame *frame, float x0, float y0, float x1, float y1, float width, Rgba color, const int clip[4]);

/* Brush models: a point of their own space in the level; what is the level's, a direction or a point, in their own space. */
Vec3 frame_model_point(const FrameModel *model, Vec3 point);
Vec3 frame_model_direction(const FrameModel *model, Vec3 direction);
Vec3 frame_model_local(const FrameModel *model, Vec3 point);

/* Where a point of the level is in the picture: pixels and distance along the view's forward; false: behind the eye. */
bool view_project(const View *view, Vec3 point, float *x, float *y, float *depth);
Vec3 view_ray(const View *view, float x, float y);       /* direction through a pixel, length 1 */
View view_make(Vec3 origin, Vec3 angles, float fov_x, int width, int height);    /* axes, fov_y, near 4; leaf and cluster -1 */
/* Column-major clip matrix of the view (OpenGL's conventions); far from the level's size. */
void view_matrix(const View *view, float far, float out[16]);

/* The same bright colour for the same number everywhere: clusters, faces, leafs. Negative ones are grey. */
Rgba color_of_number(int number);
/* Which cluster's colour a face has in the cluster view: that of the first leaf in the file that lists it; -1: none. */
void frame_face_clusters(const Map *map, int *out);
enum { DEPTH_HALF = 512 };       /* the depth view: grey is DEPTH_HALF / (DEPTH_HALF + distance along forward) */

#endif
