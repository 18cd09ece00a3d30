/* bsp/bsp.h -- a level, and every question about it.
 *
 * A Map is loaded once from the bytes of an IBSP version 46 file into plain arrays and never changes. Every index in it
 * was checked at load: a question to a loaded map cannot fail. Numbers are the file's own, from 0. Units are Quake's.
 *
 * The names are those of the script API: textures (the format's shaders), vertices (drawverts), meshverts (indexes),
 * effects (fogs), faces (surfaces), lightvols (light grid). */
#ifndef LEAFWALK_BSP_H
#define LEAFWALK_BSP_H

#include "base/base.h"

typedef enum BspLump {
    LUMP_ENTITIES, LUMP_TEXTURES, LUMP_PLANES, LUMP_NODES, LUMP_LEAFS, LUMP_LEAFFACES, LUMP_LEAFBRUSHES, LUMP_MODELS,
    LUMP_BRUSHES, LUMP_BRUSHSIDES, LUMP_VERTICES, LUMP_MESHVERTS, LUMP_EFFECTS, LUMP_FACES, LUMP_LIGHTMAPS,
    LUMP_LIGHTVOLS, LUMP_VISDATA, LUMP_COUNT
} BspLump;
const char *bsp_lump_name(int lump);               /* "entities", "textures", ... as `leafwalk info` prints them */
int         bsp_lump_by_name(const char *name);    /* -1: no such lump */

enum { FACE_PLANAR = 1, FACE_PATCH = 2, FACE_MESH = 3, FACE_FLARE = 4 };
enum { LIGHTMAP_SIZE = 128, LIGHTMAP_BYTES = LIGHTMAP_SIZE * LIGHTMAP_SIZE * 3 };
enum { LIGHTMAP_NONE = -1, LIGHTMAP_WHITE = -2, LIGHTMAP_VERTEX = -3, LIGHTMAP_2D = -4 };

/* Surface flags (BspTexture.flags) and contents (BspTexture.contents); all of them stand in bsp/flags.h. */
enum { SURF_SKY = 0x4, SURF_NODRAW = 0x80, SURF_NONSOLID = 0x4000 };
#define CONTENTS_SOLID 0x1u

typedef struct BspTexture { char name[65]; uint32_t flags, contents; } BspTexture;
typedef struct BspNode { int plane, child[2]; int mins[3], maxs[3]; } BspNode;    /* child: front, back; < 0 is leaf -1 - child */
typedef struct BspLeaf {
    int cluster, area;             /* cluster -1: in solid or outside */
    int mins[3], maxs[3];
    int first_face, face_count;    /* of leaffaces */
    int first_brush, brush_count;  /* of leafbrushes */
} BspLeaf;
typedef struct BspModel { Box bounds; int first_face, face_count, first_brush, brush_count; } BspModel;    /* as stored, not spread */
typedef struct BspBrush { int first_side, side_count, texture; Box bounds; bool usable; } BspBrush;        /* usable: at least 4 sides, bounded */
typedef struct BspBrushSide { int plane, texture; } BspBrushSide;
typedef struct BspVertex { Vec3 position; Vec2 uv, lightmap_uv; Vec3 normal; uint8_t color[4]; } BspVertex;
typedef struct BspEffect { char name[65]; int brush, side; } BspEffect;    /* brush -1: the whole map; side -1: none seen */
typedef struct BspFace {
    int texture, effect, type;
    int first_vertex, vertex_count;
    int first_index, index_count;     /* of meshverts, whose values count from first_vertex */
    int lightmap;                     /* a page, or one of LIGHTMAP_ */
    int lightmap_xy[2], lightmap_size[2];
    Vec3 lightmap_origin, lightmap_vecs[2], normal;
    int patch_size[2];
    bool dropped;                     /* broken in the file: reported at load, never drawn */
} BspFace;

typedef struct BspLightGrid {
    float origin[3], size[3];
    int count[3];                     /* points per axis, x fastest */
    const uint8_t *points;            /* 8 bytes each; NULL: the level has no usable grid */
} BspLightGrid;

typedef struct BspPair { const char *key, *value; } BspPair;         /* bytes as in the file, NUL-ended */
typedef struct BspEntity { const BspPair *pairs; int count; } BspEntity;    /* ordered, duplicates kept */

typedef struct BspLumpInfo { uint32_t offset, length; int count; } BspLumpInfo;


typedef struct Map {
    const char *name;                 /* "oa_dm1" */
    const char *path;                 /* as it was asked for, for messages */
    int version;
    size_t file_size;
    uint64_t hash;                    /* bytes_hash of the file */
    BspLumpInfo lumps[LUMP_COUNT];

    BspTexture *textures;     int texture_count;
    Plane *planes;            int plane_count;
    BspNode *nodes;           int node_count;
    BspLeaf *leafs;           int leaf_count;
    int *leaffaces;           int leafface_count;
    int *leafbrushes;         int leafbrush_count;
    BspModel *models;         int model_count;      /* 0 is the world */
    BspBrush *brushes;        int brush_count;
    BspBrushSide *brushsides; int brushside_count;
    BspVertex *vertices;      int vertex_count;
    int *meshverts;           int meshvert_count;
    BspEffect *effects;       int effect_count;
    BspFace *faces;           int face_count;
    uint8_t *lightmaps;       int lightmap_count;   /* pages of LIGHTMAP_BYTES as in the file: no shift, no gamma */
    BspLightGrid grid;
    const char *entity_text;  size_t entity_length; /* without trailing NULs; NUL-ended */
    BspEntity *entities;      int entity_count;

    int cluster_count;                /* the larger of the vis header's and the highest cluster of a leaf + 1 */
    int row_bytes;                    /* 0: no rows, every cluster sees every cluster */
    int row_count;                    /* the vis header's clusters */
    const uint8_t *rows;
    int area_count;                   /* highest area of a leaf + 1 */
    Box bounds;                       /* of model 0 */

    /* Worked out at load. */
    int *node_parent, *leaf_parent;   /* node that refers to it; -1: the root, or (leaf) nobody */
    int *cluster_leaf_first;          /* cluster_count + 2: leafs of cluster c are cluster_leafs[first[c] .. first[c + 1]); */
    int *cluster_leafs;               /* those of cluster -1 that a node refers to stand last, at first[cluster_count] */
    int *face_model;                  /* which model a face belongs to (0: the world), -1: none */
    bool shared_leafs;                /* some leaf has two nodes above it (no known compiler does that) */
    struct { char **at; int count; } warnings;    /* what was odd in the file but could be lived with */
} Map;

/* bsp_load.c. The map and all it holds live in `arena`; the bytes may be freed afterwards. `name` is used in messages
 * ("maps/foo.bsp: lump nodes ends at 70144, the file at 65536"). Repairs are warned of in map->warnings and `log`. */
Map *bsp_load(Arena *arena, const char *path, const uint8_t *bytes, size_t size, const Log *log, Error *error);
/* What a file that is no IBSP 46 is, in words ("Quake 2 (IBSP version 38)"), or NULL. */
const char *bsp_foreign_format(const uint8_t *bytes, size_t size);

/* bsp_tree.c */
int  bsp_leaf_at(const Map *map, Vec3 point);                     /* doubles inside: exact far from the origin */
int  bsp_cluster_at(const Map *map, Vec3 point);
bool bsp_box_meets(const Map *map, Box box, const bool *nodes, const bool *leafs);    /* whether the box touches a marked leaf; goes into marked nodes only, those above marked leafs */
int  bsp_leaves_in(const Map *map, Box box, int *out, int room);  /* leafs that a node refers to and whose space touches the box; returns how many there are */
typedef void BspLeafVisit(void *user, int leaf);
/* Every leaf that a node refers to, front to back as seen from `eye`. */
void bsp_walk_front_to_back(const Map *map, Vec3 eye, BspLeafVisit *visit, void *user);
/* The same, but each node (or leaf L, as -1 - L) is first shown to `enter` with the state of the node above it (0 at the
 * root): what it returns is the state for what lies below; negative leaves that out. So a frustum carries the planes
 * that still matter down the tree. */
typedef int BspEnter(void *user, int node, int state);
void bsp_walk_culled(const Map *map, Vec3 eye, BspEnter *enter, BspLeafVisit *visit, void *user);

/* bsp_vis.c. Cluster -1 (or any not in 0 .. cluster_count-1) sees all; nobody else sees it. */
bool bsp_cluster_sees(const Map *map, int from, int to);
int  bsp_visible_clusters(const Map *map, int from, int *out, int room);    /* ascending; returns how many there are */
/* The row as bits, cluster_count of them in 64-bit words, whatever the file had (all ones without rows); `out` has
 * bsp_row_words(map). */
int  bsp_row_words(const Map *map);
void bsp_row(const Map *map, int from, uint64_t *out);
int  bsp_cluster_leafs(const Map *map, int cluster, const int **out);       /* -1: those in no cluster that a node refers to */
int  bsp_cluster_faces(const Map *map, int cluster, int *out, int room);    /* ascending, each once; returns how many there are */
bool bsp_cluster_bounds(const Map *map, int cluster, Box *out);             /* false: no leafs (or cluster -1) */
typedef struct BspVisStats { int min, max; double mean; int64_t one_way_pairs; int see_all, see_nothing, self_unseen; } BspVisStats;
BspVisStats bsp_vis_stats(const Map *map);

/* bsp_patch.c: triangles of every face, worked out once and used by every renderer. Patches are tessellated so that two
 * that share an edge have the same vertices on it. `subdivisions`: largest deviation in units (r.subdivisions). */
typedef struct BspFaceRange { int first_vertex, vertex_count, first_index, index_count; } BspFaceRange;
typedef struct BspGeometry {
    BspVertex *vertices;  int vertex_count;
    uint32_t *indexes;    int index_count;      /* three a triangle, of `vertices`; clockwise seen from the front */
    BspFaceRange *faces;                        /* by face; empty for flares, nodraw and dropped */
    Box *face_bounds;                           /* by face, also of those that are not drawn */
} BspGeometry;
BspGeometry *bsp_geometry(const Map *map, float subdivisions, Arena *arena);

/* bsp_light.c */
typedef struct BspLightSample { Vec3 ambient, directed, direction; bool valid; } BspLightSample;    /* bytes of the file, 0..255, interpolated, no scale or shift; direction is towards the light, length 1 */
BspLightSample bsp_light_at(const Map *map, Vec3 point);
/* The engine's overbright shift of one colour, keeping the hue (format.md 2.1); alpha untouched by callers. */
void bsp_shift_color(uint8_t rgb[3], int shift);

/* bsp_entities.c. Keys compare without case. */
BspEntity *bsp_entities_parse(Arena *arena, const char *text, size_t length, int *count, const Log *log, Error *error);    /* strict about nothing that a game loads; NULL: error with line */
/* Takes another entity text in place of the one in the file. False: it is broken, and the level has its own as before. */
bool bsp_use_entities(Map *map, Arena *arena, const char *text, size_t length, const Log *log, Error *error);
const char *bsp_entity_value(const BspEntity *entity, const char *key);          /* the last of that key; NULL: none */
const char *bsp_entity_first(const BspEntity *entity, const char *key);          /* the first of that key */
const char *bsp_entity_class(const BspEntity *entity);                           /* "" when it has none */
bool bsp_entity_vector(const BspEntity *entity, const char *key, Vec3 *out);     /* missing parts 0 */
bool bsp_entity_angles(const BspEntity *entity, Vec3 *out);                      /* keys angles (pitch yaw roll) and angle (yaw): the later one counts */
double bsp_entity_number(const BspEntity *entity, const char *key, double other);
int  bsp_entity_model(const Map *map, const BspEntity *entity);                  /* N of "model" "*N", or -1 */
/* Where a player would first stand: eye (origin + 26 in z) and angles, as `render` without --origin. */
void bsp_start_eye(const Map *map, Vec3 *origin, Vec3 *angles);

#endif
