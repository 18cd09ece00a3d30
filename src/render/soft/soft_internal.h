/* render/soft/soft_internal.h -- what the files of the software renderer share.
 *
 * The road of a picture: faces become surfaces when a level comes (soft_level.c); each visible surface becomes a paint,
 * the linear functions from which its pixels are worked out (soft_paint.c), and polygons on the screen (soft_clip.c);
 * bands of rows are then filled by any thread (soft_band.c), row by row, in cells of 16 pixels that start at multiples
 * of 16 (soft_cell.c): what a pixel shows depends on its paint and its place alone, never on the span it came with. */
#ifndef LEAFWALK_RENDER_SOFT_INTERNAL_H
#define LEAFWALK_RENDER_SOFT_INTERNAL_H

#include <stdatomic.h>

#include "base/lock.h"
#include "render/soft/soft.h"

enum { CELL = 16 };                  /* pixels; rows of the picture are whole cells long */
enum { BAND = 32 };                  /* rows that one piece of work fills */
enum { BLOCK_ROWS = 8 };             /* rows over which a paint's texels have one size */
enum { MIP_MOST = 15 };


/* A picture as the spans read it: sides are powers of two, each row ends in a copy of its first texel so that two
 * neighbours are one load of 8 bytes. */
typedef struct SoftMip { const uint32_t *texels; int width_log; uint32_t column_mask, row_mask; } SoftMip;

typedef struct SoftTexture {
    uint32_t *memory;
    SoftMip mip[MIP_MOST];
    int levels;
    int width_log, height_log;
    double used_u, used_v;           /* how much of it the picture fills: 1 unless it was not to be resized */
    bool made;
    unsigned version;                /* of the picture it was made from */
} SoftTexture;

enum { HAZE_TEXELS_LOG = 5, HAZE_TEXELS = 1 << HAZE_TEXELS_LOG };    /* of the texture that fog is measured with: how finely steps follow it */

void soft_texture_make(SoftTexture *texture, const Image *image, bool resize);
void soft_texture_free(SoftTexture *texture);

/* A page of light: LIGHTMAP_SIZE texels and a copy of the last one, both ways. */
enum { PAGE_PITCH = LIGHTMAP_SIZE + 1, PAGE_TEXELS = PAGE_PITCH * PAGE_PITCH };
enum { PAGE_VERTEX = -1, PAGE_WHITE = -2, PAGE_OUTSIDE = -3 };    /* no page: the vertices' colours are the light; there is full light; a picture is the page */


/* Values that are linear over a level's space: x, y, z and a constant. */
typedef struct SoftLinear { double x, y, z, c; } SoftLinear;

/* What interpolates: texture coordinates, then light: coordinates in its page, or red, green and blue of the vertices. */
enum { LANE_U, LANE_V, LANE_LIGHT_U, LANE_LIGHT_V, LANE_RED = LANE_LIGHT_U, LANE_GREEN, LANE_BLUE, LANE_ALPHA, LANES, LANE_ROOM = 8 };

typedef struct SoftPlane { double normal[3], dist; } SoftPlane;

typedef enum SoftKind { SOFT_OPAQUE, SOFT_TESTED, SOFT_BLENDED, SOFT_SKY } SoftKind;

/* The part of a face whose texture and light are linear over its plane: most often all of it. A patch or a mesh is one
 * surface without a plane; each of its triangles has linear functions of its own. */
typedef struct SoftSurface {
    int face, texture;               /* of the map */
    int plane;                       /* of the level's; -1: none */
    bool convex;                     /* and of one piece */
    bool along;                      /* its front is where the plane's normal points */
    int page;                        /* of light, or one of PAGE_ */
    int look;                        /* of the level's: what is drawn where materials are; -1: its picture and its light say all */
    bool single;                     /* one triangle, as some stage's functions differ from one to the next */
    bool smooth;                     /* its vertices have normals of their own */
    bool decal;                      /* lies over what is there already: never part of what spans settle */
    float alpha_test;
    SoftKind kind;
    uint8_t cull;                    /* MaterialCull */
    int first_index, index_count;    /* triangles, of SoftLevel.indexes */
    int first_edge, edge_count;      /* border, pairs of vertices in SoftLevel.edges; flat surfaces only */
    int first_four, four_count;      /* its corners, in SoftLevel.fours; of what spans draw only */
    double texture_low[2], texture_high[2], repeat[2];    /* u and v over the surface; the whole number under texture_low */
    SoftLinear lanes[LANES];         /* texture: 1 is the whole picture; light: luxels, or bytes of colour */
} SoftSurface;

/* Four corners of a border, x, y and z; the last one again where there are less. */
typedef struct SoftFour { float at[3][4]; } SoftFour;

/* What tells whether a surface is drawn, and when: side by side, as every face in view is asked in every frame. */
typedef struct SoftGlance { SoftPlane plane; bool flat, along, solid, laid, sky, smooth; uint8_t cull; } SoftGlance;

/* soft_tree.c. A cut keeps the side of its plane where the distance is 0 or more, `back`: the other one. */
typedef struct SoftCut { SoftPlane plane; bool back; } SoftCut;
typedef struct SoftCorner { double at[3]; } SoftCorner;
typedef struct SoftFragment {
    int surface;                     /* of the level; in a tree of moved things: the shape */
    int node;
    int first_cut, cut_count;
    int first_corner, corner_count;  /* of what the cuts leave; 0 where there are none: the surface's own */
    int next;                        /* of the same surface; -1: none */
} SoftFragment;
typedef struct SoftNode { SoftPlane plane; int child[2], parent, first_fragment, fragment_count; } SoftNode;    /* child: front, back; -1: nothing there */
typedef struct SoftTree { ARRAY(SoftNode) nodes; ARRAY(SoftFragment) fragments; ARRAY(SoftCut) cuts; ARRAY(SoftCorner) corners; } SoftTree;

/* What a tree is made of, while it is made. */
typedef struct SoftConvex { struct SoftConvex *next; int count; double corner[9][3]; } SoftConvex;
typedef struct SoftCutting { const struct SoftCutting *before; SoftPlane plane; bool back; } SoftCutting;
typedef struct SoftPiece {
    struct SoftPiece *next;
    int surface, plane_number;
    SoftPlane plane;
    SoftConvex *parts;
    const SoftCutting *cuts;
    double middle[3], half[3];       /* its box */
} SoftPiece;
typedef enum SoftSide { SIDE_FRONT, SIDE_BACK, SIDE_BOTH } SoftSide;

SoftPiece *soft_piece_make(Arena *arena, int surface, int plane_number, const SoftPlane *plane, const double (*corners)[3], int triangles);
SoftSide   soft_piece_side(const SoftPiece *piece, const SoftPlane *plane);
SoftPiece *soft_piece_part(Arena *arena, const SoftPiece *piece, const SoftPlane *plane, bool back);    /* NULL: nothing of it is there */
int  soft_tree_build(SoftTree *tree, Arena *arena, SoftPiece *list, int count);    /* adds to the tree; the root of what it added, -1: nothing */
void soft_tree_clear(SoftTree *tree);
void soft_tree_free(SoftTree *tree);

typedef struct SoftLevel {
    SoftTree tree;                   /* of the flat opaque surfaces; its root is node 0 */
    int *first_fragment;             /* by surface; -1: it is not in the tree */
    Arena *arena;
    const Level *level;
    unsigned serial;
    int overbright;                  /* that light was shifted for */
    SoftSurface *surfaces;  int surface_count;
    SoftGlance *glances;             /* as many */
    int *face_first;                 /* face_count + 1: surfaces of face f are face_first[f] .. face_first[f + 1] */
    int *face_cluster;
    bool *face_loose;                /* some surface of it is not drawn by spans */
    SoftPlane *planes;      int plane_count;
    int *indexes;           int index_count;
    int *edges;             int edge_count;
    int *sides;                      /* edges as pairs of corners: numbers in the fours of their surface, if it has some */
    SoftFour *fours;        int four_count;
    uint32_t *pages;                 /* PAGE_TEXELS each */
    SoftTexture *page_textures;      /* the same as pictures, not to repeat */
    uint32_t *colors;                /* of the vertices, shifted */
    const Look **looks;     int look_count;
} SoftLevel;

typedef ARRAY(int) IntList;

SoftLevel *soft_level_make(const Level *level, int overbright);
void soft_level_free(SoftLevel *level);
bool soft_surface_solid(const SoftSurface *surface);    /* flat and opaque: drawn by spans */
bool soft_surface_laid(const SoftSurface *surface);     /* over what is there already, in its turn */


/* How the picture looks at a piece of the level that stands at a pose: all in that piece's own space. A pixel's ray is
 * column * x + row * y + first. */
typedef struct SoftPose {
    double eye[3];
    double across[3], down[3], forward[3];    /* axes, the first two scaled to pixels at distance 1 */
    double column[3], row[3], first[3];
} SoftPose;

typedef struct SoftView {
    int width, height;
    double middle_x, middle_y, scale_x, scale_y;
    double near;
    bool clipped, mirrored;          /* through a portal: what lies behind `clip` is not seen; left and right change places */
    double clip[4];                  /* times a point as soft_pose_point gives it, and 1: 0 or more is seen */
    float nearer;                    /* what 1/z of models is multiplied with: more than 1 for polygonOffset */
} SoftView;

/* What is seen through a portal, for the pixels x0 .. x1-1 of rows y0 .. y1-1. */
typedef struct SoftBeyond { uint32_t *color; size_t room; int x0, y0, x1, y1; } SoftBeyond;

/* Where the sky's picture is, at places 32 pixels apart; between them it is taken to be straight. */
enum { SKY_STEP = 32, SKY_STEP_LOG = 5 };
typedef struct SoftSky { double *at; size_t room; int x0, y0, columns, rows; } SoftSky;    /* u and v, 1: the whole picture; x0, y0 count steps */

/* Where the pixels of a surface or a triangle come from: 1/z and lanes/z are linear in the picture. A lane's value is
 * (x * across + y * down + c) / (1/z) + at_eye, in 1/65536 of a texel. */
typedef enum SoftStyle { STYLE_FLAT, STYLE_TEXTURE, STYLE_LIGHTMAP, STYLE_VERTEX, STYLE_BRIGHT, STYLE_COLOR, STYLE_SKY, STYLE_MIP, STYLE_DEPTH,
               STYLE_STAGE, STYLE_STAGE_LIGHT, STYLE_FOG, STYLE_BEYOND } SoftStyle;
    /* COLOR: times the vertices' colours, alpha too; STAGE: times the tint, STAGE_LIGHT: and the light; FOG: `flat`, as
     * opaque as fog_opacity says, whose two factors u and v are; BEYOND: what is seen through a portal, pixel for pixel */
typedef enum SoftBlend { BLEND_NONE, BLEND_ALPHA, BLEND_ADD, BLEND_SUM, BLEND_FACTORS } SoftBlend;    /* ADD: by its alpha; SUM: as it is; FACTORS: source and destination */

typedef enum SoftTest { TEST_NONE, TEST_NEARER, TEST_NOT_FARTHER, TEST_EQUAL, TEST_PASSED } SoftTest;    /* PASSED: all pixels, though blends and alpha count */

typedef struct SoftPaint {
    double iz_x, iz_y, iz_c;
    double x[LANE_ROOM], y[LANE_ROOM], c[LANE_ROOM], eye[LANE_ROOM];
    double lit[2];                   /* added to u and v: from the first repeat of the texture that the surface shows */
    bool cached;                     /* lit texels come from the cache where they can */
    struct SoftGlow *glow;           /* dynamic lights that are in them; NULL: none */
    float light;                     /* how much of dynamic light falls on it; 0: none */
    bool paged;                      /* its texture is a page of light */
    bool product;                    /* light alone, times what is below: dynamic light may be brighter than its pixels can */
    const struct SoftTarget *added;  /* pixels that are added to its own before they are blended (TEST_NONE: not); NULL: none */
    const SoftTexture *texture;
    const uint32_t *page;
    const struct SoftSky *sky;       /* STYLE_SKY, of a picture */
    const struct SoftBeyond *beyond; /* STYLE_BEYOND */
    SoftStyle style;
    uint32_t flat;                   /* STYLE_FLAT: the colour */
    float alpha_test;
    SoftBlend blend;
    Blend source, destination;       /* of BLEND_FACTORS */
    bool keeps_depth;                /* its pixels do not hide what comes later */
    float at_depth;                  /* 1/z of all of it where it is infinitely far: the sky's; else 0 */
    bool bright;                     /* counts twice (r.overbright) before it is blended */
    /* Of STAGE, STAGE_LIGHT and COLOR: */
    bool clamped;                    /* the texture does not repeat */
    bool twice;                      /* what comes of the blend counts twice */
    bool joined;                     /* where the alpha test fails what is below stays, and counts as this layer's pixel */
    uint32_t tint;                   /* multiplies the texture */
    SoftTest test;                   /* of a layer that follows another one, where depths are compared */
    int bakes, first_baked;          /* so many layers that follow lie in lit texels too; their number in the frame */
    bool skips;                      /* one of those: not drawn where lit texels had it (SoftTarget.baked) */
    int surface;                     /* of the level; -1: none of it */
} SoftPaint;

#define SKY_COLOR 0xff997359u    /* of a sky without a picture */

typedef struct SoftPoint { double x, y; } SoftPoint;

/* A convex polygon on the screen. */
typedef struct SoftItem {
    int paint;
    int first_point, point_count;
    int x0, y0, x1, y1;              /* pixels that it may touch: [x0, x1) by [y0, y1) */
    SoftTest test;
    int layers;                      /* paints that follow the first one, each drawn over it */
    int lit;                         /* by these lights (soft_lights_reach); 0: none */
} SoftItem;

/* A line one pixel wide. */
typedef struct SoftLine {
    double x[2], y[2], iz[2];
    uint32_t color[2];
    SoftBlend blend;
    SoftTest test;
} SoftLine;

/* A flat surface as it is seen in this frame: its paint, and its border on the screen. */
typedef struct SoftShape {
    int surface, pose;               /* of the level; of SoftScratch.poses, -1: the world's */
    int paint, layers;               /* layers: paints that follow the first one, each drawn over it */
    int first_layer;                 /* of soft_look.c; -1: it has none */
    int first_edge, edge_count, edge_room;
    int x0, y0, x1, y1;              /* pixels that it may touch; none: not seen */
    bool convex, covers;             /* covers: needs no list of its spans (soft_cover_rows) */
} SoftShape;
typedef struct SoftEdge { double x, y, slope; int from, to, turn; } SoftEdge;    /* turn: 1 down, -1 up; rows from .. to-1; at the middle of a row: x + (row + 0.5 - y) * slope */
typedef struct SoftHalf { double x, y, c; bool back; } SoftHalf;           /* keeps the pixels where x * column + y * row + c is 0 or more; back: the others */

/* A fragment of a shape, in the order of drawing. */
typedef struct SoftPart { int shape, fragment, first_half, half_count; int x0, y0, x1, y1; bool moved; } SoftPart;    /* moved: the fragment is of the tree of moved things */

typedef struct SoftMark { unsigned stamp, slot_stamp[2]; int slot[2]; } SoftMark;    /* of a node of the tree: something in or below it is seen; moved things on its sides */

typedef struct SoftSeen { unsigned stamp; int shape; } SoftSeen;
typedef struct SoftSlot { SoftPiece *list; int count, root; } SoftSlot;    /* pieces of moved things in one empty side of the tree */

typedef struct SoftOrder {
    const SoftLevel *level;
    unsigned stamp;
    ARRAY(SoftMark) marks;
    ARRAY(SoftSeen) seen;            /* by surface of the level */
    ARRAY(SoftShape) shapes;
    ARRAY(SoftEdge) edges;
    ARRAY(SoftHalf) halves;
    ARRAY(SoftPart) parts;
    ARRAY(SoftSlot) slots;
    IntList far;                     /* shapes that lie behind all else: the sky's */
    int root_slot;
    SoftTree moved;
    Arena *arena;
} SoftOrder;

typedef struct SoftSpan { int part, y, x0, x1; } SoftSpan;

Rgba soft_span_color(Shade shade, int face, const SoftSpan *span);     /* soft_watch.c: in the views of spans and edges */

typedef struct SoftCrossing { int x, turn, to, place; } SoftCrossing;    /* an edge in a row: to, its last one is before; place, of its places in SoftBand */

/* The picture, or the rows of it that a thread works on: those stay near its processor, depths and all, until they are
 * done and are stored past all caches. What is drawn from is much; what was drawn is not looked at again. */
typedef struct SoftTarget {
    uint32_t *color;
    float *depth;                    /* 1/z; 0: nothing. The picture itself has none */
    int width, height, pitch;
    int top;                         /* row that color and depth begin with */
    uint8_t *baked;                  /* by 8 x BLOCK_ROWS pixels: the last paint with `bakes` had its layers in its texels there */
} SoftTarget;
static inline uint8_t *soft_baked_at(const SoftTarget *target, int x, int y) {
    return target->baked + (size_t)((y - target->top) / BLOCK_ROWS) * (size_t)(target->pitch / 8) + (size_t)(x / 8);
}

static inline size_t soft_place(const SoftTarget *target, int x, int y) { return (size_t)(y - target->top) * (size_t)target->pitch + (size_t)x; }

/* What a band of rows needs while it is filled. */
typedef struct SoftBand {
    SoftTarget target;
    int y0, y1, words;
    uint64_t *covered;               /* a bit a pixel: soft_word_place */
    int *open;                       /* by word: pixels of all the band's rows that nothing covers yet */
    int64_t open_pixels;
    int *left, *right;               /* of the part at hand, from its first row in the band on: soft_cover_columns */
    uint64_t *wanted;                /* as covered: what the part at hand covers, where it has notches */
    int row_room, word_room;
    size_t covered_room;
    ARRAY(SoftCrossing) crossings;
    IntList near, places;            /* edges of the part at hand that cross the band; where they cross each of its rows */
    ARRAY(SoftSpan) spans;           /* of the part at hand */
    int64_t span_count, span_pixels;
} SoftBand;

typedef struct SoftSum { int64_t spans, pixels, covered; double span_ms, item_ms, overlay_ms; } SoftSum;

/* Where 64 pixels of a row, from 64 * word on, are in `covered` and `wanted`. The same ones of the BLOCK_ROWS rows that blocks
 * have lie side by side, so the word to the right is so many further. */
static inline size_t soft_word_place(const SoftBand *band, int y, int word) {
    return (((size_t)(y - band->y0) / BLOCK_ROWS) * (size_t)band->words + (size_t)word) * BLOCK_ROWS + (size_t)(y - band->y0) % BLOCK_ROWS;
}

/* What a thread alone writes to while it fills bands: rows of the picture, the band at hand, and what it did in this frame. */
typedef struct SoftDesk { uint32_t *color; float *depth; uint8_t *baked; size_t room; SoftBand band; SoftSum sum; } SoftDesk;

/* A sprite that faces the eye: as deep everywhere, so that its picture goes in even steps over the screen. */
typedef struct SoftSprite {
    SoftItem item;
    const SoftMip *mip;
    double u[3], v[3];               /* by x, by y, at pixel 0 0: 1/65536 texels of the mip */
    float iz;
    uint32_t color;
    SoftBlend blend;                 /* ALPHA or ADD */
    bool bilinear;
} SoftSprite;

/* Overlays in the order they are drawn. */
typedef struct SoftStep { enum { STEP_ITEM, STEP_LINE, STEP_SPRITE, STEP_CLEAR_DEPTH, STEP_PARTICLES } kind; int index; } SoftStep;



/* soft_surfcache.c. A tile holds what the surface shows of 128 x 128 texels, and an apron that its neighbours hold too: what
 * begins in a tile most often ends in it. Two 16-bit numbers are in each of its places: x low, y high. */
enum { SOFT_TILE = 128, SOFT_APRON = 32, SOFT_TILE_MOST = SOFT_TILE + SOFT_APRON + 1 };
typedef struct SoftTile {
    uint32_t low, most;              /* of the texels: the first, and the last place that has neighbours counted from there */
    uint32_t pitch;                  /* 1 and the length of a row: x + y * length is one multiplication of pairs */
    atomic_uint used;                /* in the frame of this stamp */
    unsigned born;
    atomic_int next, done;           /* of one that glows: rows that some thread has begun with, and that are finished */
    size_t bytes;
    _Atomic(struct SoftTile *) *place;
    uint32_t texels[];
} SoftTile;
typedef struct SoftLitMap { double by_u[2], by_v[2], first[2]; } SoftLitMap;    /* luxels from texture coordinates */
typedef struct SoftGrid {
    int surface, level;
    bool baked;                      /* with layers */
    int first[2], tiles[2];          /* those with texels of the surface, across and down: first .. tiles - 1; 0: not for the cache */
    double origin[2], low[2], high[2];    /* texture coordinates of its first texel; the texels that the surface shows */
    SoftLitMap light;
    int count;                       /* of tiles; behind them as many that glow in this frame */
    _Atomic(SoftTile *) tile[];
} SoftGrid;
typedef struct SoftCache {
    Lock lock;                       /* of tiles and bytes */
    const SoftLevel *level;
    _Atomic(SoftGrid *) *grids;      /* by surface * MIP_MOST + level */
    int grid_count;
    ARRAY(SoftTile *) tiles;
    ARRAY(SoftTile *) glowing;       /* with dynamic light: made anew in each frame, in memory that stays while they are needed */
    size_t bytes;
    unsigned stamp;
    bool stale;                      /* a texture came or changed: what was lit with it is to be forgotten */
    int64_t hits, misses;            /* tiles of the last frame: that were there, that were made */
} SoftCache;

/* 8 or 16 by BLOCK_ROWS pixels of a paint, at multiples of these: what its rows have in common. Where `kind` is even the
 * lanes may be taken to be straight from one end of a row to the other. */
typedef enum SoftBlockKind { BLOCK_STRANGE, BLOCK_DIVIDED, BLOCK_EVEN } SoftBlockKind;
typedef struct SoftBlock {
    const SoftTile *tile[4];         /* lit texels: the first, its right neighbour, the lower one, and that one's; NULL: not needed, or no cache */
    double scale, less[4];           /* to places in the first tile, 1/65536 texel: u and v (each is there twice) times scale, plus less */
    int32_t edge[2];                 /* where the neighbours begin */
    float square;                    /* how many texels a pixel is wide, squared */
    uint8_t kind, level;
    bool baked;                      /* its lit texels have the layers that they can have */
} SoftBlock;
/* Magnified texels show that a finer layer was drawn at their size: those are left to layers. */
static inline bool soft_bakes(const SoftPaint *paint, int level, float square) { return paint->bakes && (level > 0 || square >= 0.5f); }

/* Which code fills rows: all give the same bits. */
typedef enum SoftCode { CODE_PLAIN, CODE_SSE2, CODE_AVX2 } SoftCode;

/* What all cells of a picture have in common. */
typedef struct SoftMode {
    bool bilinear;
    bool bright;                     /* light counts twice (r.overbright) */
    int divide;                      /* pixels from one perspective divide to the next: 8 or 16 */
    SoftCode code;
    SoftCache *cache;
    const struct SoftLayer *layers;  /* of the frame */
} SoftMode;

/* soft_glow_tile.c: dynamic lights on lit texels. */
typedef struct SoftGlow {
    const struct GlowLight *lights;  /* placed from the eye */
    const int *numbers; int count;
    double eye[3];
    float scale;                     /* how much of the light counts */
    bool missed;                     /* some pixels were not drawn from tiles, and lack the light */
} SoftGlow;
const SoftTile *soft_glow_tile(const SoftMode *mode, const SoftPaint *paint, const SoftGrid *grid, int column, int row);    /* from any thread */
void soft_glow_end_frame(SoftCache *cache);
void soft_glow_forget(SoftCache *cache);

void soft_cache_open(SoftCache *cache);
void soft_cache_close(SoftCache *cache);
void soft_cache_forget(SoftCache *cache);
void soft_cache_begin_frame(SoftCache *cache, const SoftLevel *level);
void soft_cache_end_frame(SoftCache *cache, size_t budget);
/* Both from any thread. NULL: this tile, or this surface, is not for the cache. */
const SoftGrid *soft_cache_grid(SoftCache *cache, const SoftPaint *paint, int mip, bool baked);
const SoftTile *soft_cache_tile(const SoftMode *mode, const SoftPaint *paint, const SoftGrid *grid, int column, int row);
/* The tiles of a block whose level is known, and over which u and v, less what they are at the eye, are low .. high. */
void soft_cache_block(const SoftMode *mode, const SoftPaint *paint, const double low[2], const double high[2], SoftBlock *block);

/* A row of texels to be lit: light coordinates in 1/65536, and what they change by. */
typedef struct SoftLightRow { int32_t first[2], step[2]; const uint32_t *texels; uint32_t column, column_mask; bool bright; } SoftLightRow;
void soft_store_pixels(uint32_t *to, const uint32_t *from, size_t count);    /* past the caches; whole cells */
void soft_light_row(const SoftMode *mode, const uint32_t *page, const SoftLightRow *row, int count, uint32_t *out);    /* may write up to 16 texels over the end */
void soft_light_row_plain(const uint32_t *page, const SoftLightRow *row, int count, uint32_t *out);
void soft_light_row_sse2(const uint32_t *page, const SoftLightRow *row, int count, uint32_t *out);
void soft_light_row_avx2(const uint32_t *page, const SoftLightRow *row, int count, uint32_t *out);

/* Rounds, and keeps the low 32 bits of what is too large: textures repeat, so nothing else of it counts. */
static inline int32_t soft_whole(double value) {
    double shifted = value + 6755399441055744.0;    /* 1.5 * 2^52: the unit is the last bit */
    uint64_t bits;
    memcpy(&bits, &shifted, sizeof bits);
    return (int32_t)(uint32_t)bits;
}

/* soft_row.c: spans, row after row, by whichever code the mode says. Those of one paint together: they share their blocks. */
void soft_rows(const SoftTarget *target, const SoftMode *mode, const SoftPaint *paint, const SoftSpan *spans, int count, SoftTest test);
void soft_row(const SoftTarget *target, const SoftMode *mode, const SoftPaint *paint, int y, int x0, int x1, SoftTest test);    /* one */
/* What is to be covered of rows y0 .. y1-1: what these cuts leave of what lies between the edges; or, notched, of what is in
 * band->wanted, of whole rows of blocks, within columns x0 .. x1-1. */
typedef struct SoftCover {
    int x0, y0, x1, y1;
    bool notched;
    const SoftEdge *edges; int edge_count;
    const SoftHalf *halves; int half_count;
} SoftCover;
/* Its columns left .. right-1 of each row, in whole eights of rows; notched: what cuts leave of x0 .. x1-1. */
void soft_cover_columns(const SoftMode *mode, const SoftCover *cover, int width, int *left, int *right);
void soft_cover_columns_sse2(const SoftCover *cover, int width, int *left, int *right);
void soft_cover_columns_avx2(const SoftCover *cover, int width, int *left, int *right);
void soft_cut_rows(const SoftHalf *half, int y, int count, int *left, int *right);    /* by a cut whose x is 0: some rows have nothing then */
/* Covers what of it is open, and draws that. For paints of which this is so: */
bool soft_covers(const SoftMode *mode, const SoftPaint *paint);
void soft_cover_rows(SoftBand *band, const SoftMode *mode, const SoftPaint *paint, const SoftCover *cover);
void soft_cover_rows_sse2(SoftBand *band, const SoftMode *mode, const SoftPaint *paint, const SoftCover *cover);
void soft_cover_rows_avx2(SoftBand *band, const SoftMode *mode, const SoftPaint *paint, const SoftCover *cover);
void soft_rows_plain(const SoftTarget *target, const SoftMode *mode, const SoftPaint *paint, const SoftSpan *spans, int count, SoftTest test);    /* soft_cell.c */
void soft_rows_sse2(const SoftTarget *target, const SoftMode *mode, const SoftPaint *paint, const SoftSpan *spans, int count, SoftTest test);
void soft_rows_avx2(const SoftTarget *target, const SoftMode *mode, const SoftPaint *paint, const SoftSpan *spans, int count, SoftTest test);
bool soft_row_wide(const SoftPaint *paint, SoftTest test);      /* whether the last two can draw it */
SoftCode soft_best_code(void);
void soft_strange_pixels(const SoftMode *mode, const SoftPaint *paint, int y, int x, int count, uint32_t *out);    /* soft_cell.c: beyond the horizon of their surface */


/* A blended face, see compare_far. model -1: of the world; meshes: so many of those that blend come before. */
typedef struct SoftFar { float sort, distance, far; int kind[3], face, model, meshes, first_item; } SoftFar;

/* Lists that a picture needs while it is made; they keep their memory. */
typedef struct SoftScratch {
    ARRAY(SoftPaint) paints;
    ARRAY(SoftPoint) points;
    ARRAY(SoftItem) items;           /* of the level, blended ones last */
    IntList skies;                   /* looks of the level */
    ARRAY(SoftItem) overlays;
    ARRAY(SoftLine) lines;
    ARRAY(SoftSprite) sprites;
    ARRAY(SoftStep) steps, ui;
    ARRAY(SoftFar) far;
    ARRAY(SoftPose) poses;           /* of the frame's brush models */
    IntList faces;
    ARRAY(BspVertex) deformed;       /* of the face at hand */
    ARRAY(double) lanes;             /* of its vertices, layer after layer */
} SoftScratch;

typedef struct SoftVars { Var *filter, *divide, *lighting, *cache_mb, *world, *code, *threads, *materials; } SoftVars;

typedef struct Soft {
    RendererSetup setup;
    SoftVars var;
    Jobs *jobs;                      /* those of this frame */
    Jobs *own_jobs;                  /* where soft.threads asks for other than the program's */
    int own_threads;
    const Assets *assets;
    const Level *use;                /* the level to draw; what is made of it follows with the first frame */
    SoftLevel *level;
    ARRAY(SoftTexture) textures;     /* by number in assets */
    ARRAY(SoftTexture) ui_textures;  /* the same, not resized: letters stay sharp */
    ARRAY(SoftTexture) page_textures;    /* the same as pages of light, shifted for `pages_overbright` */
    int pages_overbright;
    SoftTexture white, grey, haze;   /* haze: measures fog */
    bool has_gamma;
    uint8_t gamma[256];
    float gamma_made;
    SoftTarget target;
    size_t target_room;
    const Frame *frame;              /* while drawing */
    SoftView view;
    const FramePortal *portal;       /* through which the view at hand goes; NULL: the picture itself */
    int window[4];                   /* x0, y0, x1, y1: the pixels that are wanted of it */
    SoftBeyond beyond[PORTALS_MOST]; /* of the frame's portals; empty: not in the picture */
    SoftPose world;
    SoftMode mode;
    SoftScratch scratch;
    SoftOrder order;
    SoftSky sky;
    SoftCache cache;
    bool caches;                     /* light comes from it in this frame */
    int band_count, band_rows;
    ARRAY(SoftDesk) desks;
    atomic_int next_band;
    bool spans;                      /* flat opaque surfaces are drawn by spans in this frame */
    bool stages;                     /* materials are drawn stage by stage in this frame */
    int64_t stop_after;              /* draw so many spans only; < 0: all */
    struct SoftModels *models;       /* soft_model.c */
    struct SoftParticles *particles; /* soft_sprite.c */
    struct SoftLights *lights;       /* soft_light.c */
    struct SoftLooks *looks;         /* soft_look.c */
    size_t first_blended;            /* of scratch.items: those before it are opaque */
    double order_ms, place_ms, frame_ms;
    bool drawn;                      /* the lists of the last frame are still there, made for spans */
    RenderStat stats[64];
    int stat_count;
} Soft;

/* soft_paint.c */
void soft_view_make(const View *view, SoftView *out);
void soft_pose_make(const View *view, const SoftView *soft, const FrameModel *model, SoftPose *out);    /* model NULL: the world */
void soft_pose_point(const SoftPose *pose, Vec3 point, double out[3]);    /* pixels at distance 1, and the distance */
bool soft_paint_plane(const SoftPose *pose, const SoftPlane *plane, SoftPaint *out);    /* 1/z alone; false: seen edge on */
void soft_paint_lanes(const SoftPose *pose, const SoftLinear lanes[LANES], const double repeat[2], SoftPaint *out);
bool soft_paint_surface(const SoftPose *pose, const SoftSurface *surface, const SoftPlane *plane, const SoftTexture *texture, SoftPaint *out);    /* both, as the surface has them */
/* Functions that take these values at three places and do not change across their plane; false: the places have none. */
bool soft_linear_fit(const double places[3][3], const double values[3][LANES], SoftLinear out[LANES]);
bool soft_paint_triangle(const SoftView *view, const double corners[3][3], const double lanes[3][LANES], const SoftTexture *texture, SoftPaint *out);

/* What is infinitely far is seen through faces however near those are: the near plane is no nearer for them than it must be. */
static inline double soft_near_of(const SoftView *view, const SoftPaint *paint) { return paint->at_depth != 0 ? view->near / 1024 : view->near; }

/* soft_clip.c: what of a polygon lies before the near plane, on the screen; false: nothing. */
bool soft_clip_polygon(const SoftView *view, const double (*corners)[3], int count, SoftScratch *scratch, SoftItem *out);

/* The same for a polygon that is on the screen already. */
bool soft_place_polygon(const SoftView *view, const SoftPoint *points, int count, SoftScratch *scratch, SoftItem *out);
/* Which pixels of rows y0 .. y1-1 a convex polygon covers: left[y - y0] up to right[y - y0]. */
void soft_polygon_rows(const SoftPoint *points, int count, int width, int y0, int y1, int *left, int *right);

/* soft_world.c: surfaces to paints and items. */
bool soft_triangle_corners(const Soft *soft, const SoftPose *pose, const BspVertex *vertices, const int *numbers, double corners[3][3]);    /* false: none is before the near plane */
void soft_world_gather(Soft *soft);
uint32_t soft_packed(Rgba color);

/* soft_line.c: the part of it in rows y0 .. y1-1. */
void soft_line_draw(const SoftTarget *target, const SoftLine *line, int y0, int y1);
uint32_t soft_blended(uint32_t color, uint32_t below, SoftBlend blend);

void soft_surface_style(Soft *soft, const SoftSurface *surface, const double *normal, SoftPaint *paint);

double soft_milliseconds(void);    /* soft.c: of a clock that only goes forward */

/* soft_order.c: the flat opaque surfaces of a frame, front to back. */
void soft_order_begin(SoftOrder *order, const SoftLevel *level);
void soft_order_free(SoftOrder *order);
void soft_order_see(SoftOrder *order, int surface);                            /* of the world */
void soft_order_move(SoftOrder *order, const FrameModel *model, int pose, int surface, Vec3 eye);
void soft_order_far(SoftOrder *order, int pose, int surface);                  /* behind all else */
void soft_order_walk(SoftOrder *order, Vec3 eye);                              /* fills `parts`, their boxes not yet */

/* soft_shape.c: shapes and parts on the screen. Once shapes have room they may be placed by any thread, while the order is
 * walked; then the parts. */
void soft_shapes_prepare(Soft *soft);
int  soft_shape_chunks(const Soft *soft);
void soft_shapes_place(Soft *soft, int chunk);
void soft_parts_prepare(Soft *soft);
void soft_parts_place(Soft *soft);

/* soft_span.c: the parts in rows y0 .. y1-1. */
void soft_band_begin(SoftBand *band, int width, int y0, int y1);
void soft_band_window(SoftBand *band, const int window[4]);            /* nothing outside of it is wanted */
void soft_band_free(SoftBand *band);
void soft_band_spans(const Soft *soft, SoftBand *band);
SoftTest soft_span_test(const SoftPaint *paint);                       /* of a shape's first paint */
void soft_part_spans(const Soft *soft, SoftBand *band, int part);      /* those of one part, into band->spans */
int64_t soft_band_covered(const SoftBand *band);                       /* pixels */
void soft_band_clear(const SoftBand *band, uint32_t color);

/* soft_watch.c */
void soft_show_span(const Soft *soft, const SoftTarget *target, const SoftPaint *paint, const SoftSpan *span);    /* in the views of spans and edges */
void soft_watch_edges(const Soft *soft, SoftBand *band);               /* the surfaces of the first edges, instead of all spans */

void soft_near_corner(const double in[3], const double out[3], double near, double at[3]);    /* where an edge meets the near plane */
/* The first pixel whose centre is not before `place`, within 0 .. limit; without a branch, as it is asked of every edge and row. */
static inline int soft_pixel_after(double place, int limit) {
    double at = place - 0.5;
    at = at > 0 ? at : 0;
    at = at < limit ? at : limit;
    int whole = (int)at;
    return whole + (at > whole);
}

/* soft_model.c: surfaces of models (MD3), by one of several drawers of triangles. */
typedef struct SoftModels SoftModels;
enum { SOFT_MODEL_STATS = 7 };
void soft_models_define(Vars *vars);
SoftModels *soft_models_open(Vars *vars);
void soft_models_close(SoftModels *models);
void soft_models_gather(Soft *soft, SoftModels *models);
void soft_models_begin(SoftModels *models, int bands);
void soft_models_draw(SoftModels *models, const SoftTarget *target, int band, int y0, int y1);
/* The blended ones that come before an item, and were not drawn yet: from `next` on, which moves on. */
void soft_models_blended(SoftModels *models, const SoftTarget *target, int band, int y0, int y1, size_t item, size_t *next);
int  soft_models_stats(const SoftModels *models, RenderStat *out);    /* writes SOFT_MODEL_STATS */

/* soft_sprite.c: corners and lanes of a sprite, clockwise from the top left; false: it is behind the eye. */
bool soft_sprite_corners(const Soft *soft, const FrameSprite *sprite, double corners[4][3], double lanes[4][LANES]);
bool soft_sprite_add(Soft *soft, const FrameSprite *sprite, double nearer);    /* one that faces the eye, to the scratch's; false: it is not seen */
void soft_sprite_draw(const SoftTarget *target, const SoftScratch *scratch, const SoftSprite *sprite, int y0, int y1);
typedef struct SoftParticles SoftParticles;
SoftParticles *soft_particles_open(void);
void soft_particles_close(SoftParticles *particles);
bool soft_particles_gather(Soft *soft, SoftParticles *particles);      /* false: none is seen */
void soft_particles_begin(SoftParticles *particles, int bands, int rows);    /* rows of a band */
void soft_particles_draw(const SoftTarget *target, const SoftParticles *particles, int band, int y0, int y1);

/* soft_light.c: what dynamic lights add to the level's surfaces. */
typedef struct SoftLights SoftLights;
SoftLights *soft_lights_open(void);
void soft_lights_close(SoftLights *lights);
void soft_lights_begin(Soft *soft, SoftLights *lights);                 /* once the poses of the frame are made */
int  soft_lights_reach(const Soft *soft, SoftLights *lights, int pose, Box box);    /* a number for those that come into it, for SoftItem.lit; 0: none do */
void soft_lights_shapes(const Soft *soft, SoftLights *lights);          /* once they are placed */
bool soft_lights_shape(const SoftLights *lights, int number);           /* whether any comes to it */
/* Draws a shape with its lights, and its layers over that; false: it has none, and nothing is drawn. */
bool soft_lights_spans(const Soft *soft, const SoftLights *lights, const SoftTarget *target, int number, const SoftSpan *spans, int count);
/* A paint with `light`, as soft_rows draws it, in these lights; spans in rising rows. */
void soft_lights_rows(const Soft *soft, const SoftLights *lights, const SoftTarget *target, int lit, const SoftPaint *paint, const SoftSpan *spans, int count, SoftTest test);

/* soft_look.c: the stages of materials as layers of paint, one drawn over the other. Layers are those of the frame at hand,
 * by number. */
typedef struct SoftLayer {
    const LookStage *stage;          /* NULL: the fog of the place */
    StageNumbers numbers;
    unsigned weakened;               /* what of it fog takes away: FOGGED_ bits */
    bool baked;                      /* at rest, and so simple that lit texels can have it */
    SoftPaint paint;                 /* all but functions, light and surface */
    SoftTest test;                   /* where depths are compared */
} SoftLayer;
typedef struct SoftLooks SoftLooks;
SoftLooks *soft_looks_open(void);
void soft_looks_close(SoftLooks *looks);
void soft_looks_begin(Soft *soft);
bool soft_look_linear(const Look *look, int page, bool fogged);    /* whether one set of functions does for all of a flat face */
int  soft_layers_of(Soft *soft, const SoftSurface *surface, int *first);    /* how many; 0: the surface is not drawn by stages now */
const SoftLayer *soft_layer_at(const Soft *soft, int number);
void soft_layer_paint(const Soft *soft, const SoftSurface *surface, int number, SoftPaint *out);
int  soft_sky_layers(Soft *soft, const Look *look, SoftLayer out[STAGES_MOST]);
/* Any thread: what interpolates on a flat surface of a pose (-1: the world's), or at one vertex (`at`: its place and normal). */
void soft_layer_lanes(const Soft *soft, const SoftSurface *surface, int number, int pose, SoftLinear out[LANES]);
void soft_layer_vertex(const Soft *soft, const SoftSurface *surface, int number, int pose, int vertex, const BspVertex *at, double out[LANES]);

/* soft_portal.c: mirrors and portals. */
bool soft_portal_begin(Soft *soft, const Frame *frame, int number);    /* finds its pixels and narrows the window; false: it has none */
void soft_portal_clip(Soft *soft, const Plane *plane);                  /* once the view's axes are known */
void soft_portal_end(Soft *soft, int number);                          /* keeps what was drawn */
void soft_portal_faces(Soft *soft);                                     /* items that show it */
void soft_portals_free(Soft *soft);

/* soft_bake.c: draws the layers that a paint bakes over texels that are lit. */
void soft_bake_tile(const SoftMode *mode, const SoftPaint *paint, const SoftGrid *grid, SoftTile *tile, int column, int row);

/* soft_overlay.c */
void soft_overlay_gather(Soft *soft);
void soft_wires_gather(Soft *soft);    /* instead of the world where the view is wire */
void soft_add_line(Soft *soft, const double from[3], const double to[3], Rgba from_color, Rgba to_color, double width, int flags, SoftTest test);

/* soft_ui.c */
void soft_ui_gather(Soft *soft);

/* soft_sky.c */
float soft_sky_depth(int look);                                         /* what its pixels have as 1/z: less than anything else */
void soft_sky_gather(Soft *soft);                                       /* boxes and clouds of the skies in the picture */
void soft_sky_make(Soft *soft);                                         /* for the part of the picture where sky is seen */
void soft_sky_free(SoftSky *sky);
void soft_sky_place(const SoftSky *sky, int x, int y, double out[2]);

/* Lanes of the sky along a ray; `color` is what the picture is multiplied with. */
void soft_sky_at(const double ray[3], const SoftTexture *texture, uint32_t color, double out[LANES]);

/* soft_texture.c; numbers are those of assets. */
void soft_textures_open(Soft *soft);
void soft_textures_close(Soft *soft);
void soft_textures_forget(Soft *soft);
void soft_textures_begin(Soft *soft);
const SoftTexture *soft_texture_at(Soft *soft, int number);     /* made when it was not yet, or changed; grey where it is still loading */
const SoftTexture *soft_ui_texture(Soft *soft, int number);
const SoftTexture *soft_page_texture(Soft *soft, int number);   /* an external page of light */

#endif
