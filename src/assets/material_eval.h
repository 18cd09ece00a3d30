/* assets/material_eval.h -- materials as numbers: what is drawn in which order, and how it stands at a time.
 *
 * A Look is a material settled for one kind of light on the surface: defaults are filled in, pictures have numbers, stages
 * are gathered into passes. For a time it gives numbers that every rasterizer only has to apply: no wave, no movement, no
 * animation is worked out anywhere else. Nothing here knows a clock: the same time gives the same bits. */
#ifndef LEAFWALK_MATERIAL_EVAL_H
#define LEAFWALK_MATERIAL_EVAL_H

#include "assets/assets.h"
#include "assets/material_def.h"
#include "bsp/bsp.h"

/* The light of a surface: a page of lightmaps, its vertices' colours, or none but full white (format.md 2, 9.9); what is no
 * face of a level has the light of the place where it stands. */
typedef enum LookForm { LOOK_LIGHTMAP, LOOK_VERTEX, LOOK_WHITE, LOOK_FORMS, LOOK_MODEL = LOOK_FORMS } LookForm;

typedef struct LookStage {
    StageMap map;                    /* IMAGE, LIGHTMAP (its texture, if any, is an external page) or WHITE */
    int textures[ANIMATION_MOST];    /* numbers in assets */
    int texture_count;
    float frames_per_second;
    bool blends;
    Blend source, destination;
    float alpha_test;                /* at least this alpha; negative: less than its opposite; 0: all */
    bool depth_equal, depth_write;
    ColorGen color_gen;              /* never DEFAULT */
    AlphaGen alpha_gen;              /* never DEFAULT */
    Wave color_wave, alpha_wave;
    Vec3 color;
    float alpha;                     /* of const; of portal: the range */
    TexCoordGen texcoord_gen;
    Vec3 texcoord_vectors[2];
    TexMod texmods[TEXMODS_MOST];
    int texmod_count;
} LookStage;

/* Stages that one drawing shows: the first one's colour, then each next one blended over it by its own factors, and what
 * comes of it blended into the picture by the first one's. */
typedef struct LookPass { int first, count; } LookPass;

typedef struct Look {
    const Material *material;
    LookForm form;
    int page;                        /* LOOK_LIGHTMAP: the picture of an external lightmap page; TEXTURE_WHITE: the level's own pages */
    float sort;
    MaterialCull cull;
    bool polygon_offset, portal;
    bool sky;
    bool has_box;
    int box[6];                      /* a sky's far box: pictures of +x -x +y -y +z -z (rt lf bk ft up dn) */
    float cloud_height;
    bool fog;                        /* its brush is fog: of this colour (0..1), opaque at this depth */
    Vec3 fog_color;
    float fog_depth;
    Deform deforms[DEFORMS_MOST];
    int deform_count;
    LookStage stages[STAGES_MOST];
    int stage_count;
    LookPass passes[STAGES_MOST];
    int pass_count;
    bool blended;                    /* even its first stage is laid over what is behind */
    bool plain;                      /* nothing but one picture times the light of the surface, opaque, at rest */
} Look;

/* Settles a material; its pictures are asked for in `assets`. The Look lives in `arena`. `page`: see Look. */
const Look *look_make(Arena *arena, Assets *assets, const Material *material, LookForm form, int page);
LookForm look_form(const Map *map, const BspFace *face);


/* What a stage is at a time. Colours are 0..1, in the engine's range: what overbright doubles comes after (format.md 2.1). */
typedef enum StageFrom { FROM_CONSTANT, FROM_VERTEX, FROM_ONE_MINUS_VERTEX, FROM_LIGHT, FROM_SPECULAR, FROM_DISTANCE } StageFrom;

typedef struct StageTurb {           /* s += amplitude * sine((x + z) / 1024 + cycle), t += amplitude * sine(y / 1024 + cycle) */
    float amplitude, cycle;
    float after[4];                  /* what later tcMods make of that addition: s += after[0] ds + after[1] dt, t += ... */
} StageTurb;

typedef struct StageNumbers {
    int texture;                     /* this moment's picture */
    StageFrom color_from, alpha_from;
    float color[4];                  /* the constant, or what the vertex's colour (or its complement) is multiplied with */
    float range;                     /* of FROM_DISTANCE: alpha = distance to the eye / range */
    float matrix[6];                 /* s' = m0 s + m1 t + m2, t' = m3 s + m4 t + m5 */
    int turb_count;
    StageTurb turbs[TEXMODS_MOST];   /* added after the matrix */
} StageNumbers;

/* What a stage's blend means, however it is drawn. */
bool stage_blends_by(const LookStage *stage, Blend source, Blend destination);
bool stage_filters(const LookStage *stage);         /* it is a product with what is below */
bool stage_multiplies(const LookStage *stage);      /* it is laid over by what is below: overbright has doubled that already */

float identity_light(int overbright);    /* 1 / (1 << overbright) */
/* `entity`: colour of what the surface belongs to, 0..1; NULL: white. */
void stage_numbers(const LookStage *stage, double time, float identity, const float entity[4], StageNumbers *out);

/* One vertex of a stage, for rasterizers that have no shaders. */
typedef struct StagePoint {
    Vec3 position, normal, eye;
    Vec2 uv, lightmap_uv;
    float color[4];                  /* of the vertex, 0..1, shifted for overbright */
    Vec3 ambient, directed, direction;    /* light of FROM_LIGHT, 0..1; towards the light */
} StagePoint;
Vec2 stage_texcoord(const LookStage *stage, const StageNumbers *numbers, const StagePoint *point);
void stage_color(const StageNumbers *numbers, const StagePoint *point, float rgba[4]);

/* What the grid's light makes of it (format.md 4): 0..1, with the part that every model gets; no grid: the engine's flat light. */
typedef struct LightNumbers { Vec3 ambient, directed, direction; } LightNumbers;
LightNumbers light_numbers(const BspLightSample *sample, int overbright);

double wave_value(const Wave *wave, double time);
enum { WAVE_STEPS = 1024 };                         /* a cycle is a table of so many values */
double wave_table(WaveKind kind, int step);         /* -1..1 (sawtooth kinds 0..1); step 0 .. WAVE_STEPS - 1; not of NOISE */

/* Moves vertices as deformVertexes say; `axes`: the view's, in the space of the vertices. `vertices` are those of one face, `indexes` count from its first; positions and
 * normals change in place. Sprites need whole quads and are left alone otherwise. */
void look_deform(const Look *look, double time, const Axes *axes, BspVertex *vertices, int vertex_count,
                 const uint32_t *indexes, int index_count, uint32_t first);

/* Clouds lie on a sphere over the eye. At the points of an 8 x 8 grid on each side of a box around the eye but the lowest,
 * this is where a ray meets them: texture coordinates before tcMods, `at` from -1 to 1 on the side. Between the points the
 * engine interpolates, and so do we. */
enum { SKY_GRID = 8, SKY_SIDES = 5 };
Vec3 sky_direction(int side, float s, float t);
Vec2 sky_cloud_coord(int side, int s, int t, float cloud_height);

/* Fog as the engine has it: how much of the fog's colour a point takes on (format.md 9.8). */
typedef struct FogNumbers {
    float color[3];                  /* 0..1, times the identity light */
    float distance[4];               /* s = distance . (point, 1) */
    float depth[4];                  /* t = depth . (point, 1): how deep the point lies under the fog's surface */
    float eye_depth;                 /* the eye's t; negative: it is outside */
} FogNumbers;
/* `surface`: the visible side's plane, pointing out of the fog; NULL: it has none. */
FogNumbers fog_numbers(const Look *fog, const Plane *surface, Vec3 eye, Vec3 forward, float identity);
float fog_opacity(const FogNumbers *fog, Vec3 point);
/* The two factors in it, which the engine works out at vertices and interpolates: sqrt(8 * amount * part), within 0..1. */
void fog_factors(const FogNumbers *fog, Vec3 point, float *amount, float *part);
/* What of a blended stage fog takes away, so that its own colour does not come in twice (the engine's adjustColorsForFog). */
enum { FOGGED_COLOR = 1, FOGGED_ALPHA = 2 };
unsigned blend_fogged(Blend source, Blend destination);

#endif
