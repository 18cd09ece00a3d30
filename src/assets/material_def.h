/* assets/material_def.h -- a material as its script has it: what was written, parsed, not yet drawn.
 *
 * The words are those of the .shader language (format.md 9). Nothing here is computed for a time or a vertex; whoever
 * draws stages does that. All text and arrays live in the material set's arena. */
#ifndef LEAFWALK_MATERIAL_DEF_H
#define LEAFWALK_MATERIAL_DEF_H

#include "assets/material.h"

typedef enum WaveKind { WAVE_SIN, WAVE_SQUARE, WAVE_TRIANGLE, WAVE_SAWTOOTH, WAVE_INVERSE_SAWTOOTH, WAVE_NOISE } WaveKind;
typedef struct Wave { WaveKind kind; float base, amplitude, phase, frequency; } Wave;

typedef enum AlphaFunc { ALPHA_ALL, ALPHA_GT0, ALPHA_LT128, ALPHA_GE128, ALPHA_GE192 } AlphaFunc;

typedef enum ColorGen {    /* DEFAULT: not written; what it means depends on the blend (format.md 9.6) */
    COLOR_DEFAULT, COLOR_IDENTITY, COLOR_IDENTITY_LIGHTING, COLOR_ENTITY, COLOR_ONE_MINUS_ENTITY, COLOR_VERTEX,
    COLOR_EXACT_VERTEX, COLOR_ONE_MINUS_VERTEX, COLOR_LIGHTING_DIFFUSE, COLOR_WAVE, COLOR_CONST
} ColorGen;

typedef enum AlphaGen {
    ALPHAGEN_DEFAULT, ALPHAGEN_IDENTITY, ALPHAGEN_ENTITY, ALPHAGEN_ONE_MINUS_ENTITY, ALPHAGEN_VERTEX,
    ALPHAGEN_ONE_MINUS_VERTEX, ALPHAGEN_LIGHTING_SPECULAR, ALPHAGEN_WAVE, ALPHAGEN_CONST, ALPHAGEN_PORTAL
} AlphaGen;

typedef enum TexCoordGen { TEXCOORD_BASE, TEXCOORD_LIGHTMAP, TEXCOORD_ENVIRONMENT, TEXCOORD_VECTOR } TexCoordGen;

typedef enum TexModKind {
    TEXMOD_TURB, TEXMOD_SCALE, TEXMOD_SCROLL, TEXMOD_STRETCH, TEXMOD_TRANSFORM, TEXMOD_ROTATE, TEXMOD_ENTITY_TRANSLATE
} TexModKind;
typedef struct TexMod { TexModKind kind; Wave wave; float numbers[6]; } TexMod;    /* wave: turb, stretch; numbers: as written */

typedef enum StageMap { STAGE_NONE, STAGE_IMAGE, STAGE_LIGHTMAP, STAGE_WHITE, STAGE_VIDEO } StageMap;

enum { STAGES_MOST = 8, ANIMATION_MOST = 8, TEXMODS_MOST = 4, DEFORMS_MOST = 3 };    /* the engine's; what is beyond is left out with a problem */

typedef struct MaterialStage {
    StageMap map;
    const char *images[ANIMATION_MOST];    /* as written; image_count of them */
    int image_count;
    float frames_per_second;               /* of animMap */
    bool clamp;
    bool blends;                           /* blendFunc was written and is not ONE ZERO */
    Blend source, destination;
    AlphaFunc alpha_func;
    bool depth_equal, depth_write, detail;
    ColorGen color_gen;
    Wave color_wave;
    Vec3 color;                            /* of const */
    AlphaGen alpha_gen;
    Wave alpha_wave;
    float alpha;                           /* of const; of portal: the range */
    TexCoordGen texcoord_gen;
    Vec3 texcoord_vectors[2];
    TexMod texmods[TEXMODS_MOST];
    int texmod_count;
    int line;
} MaterialStage;

typedef enum DeformKind {
    DEFORM_WAVE, DEFORM_NORMAL, DEFORM_BULGE, DEFORM_MOVE, DEFORM_AUTOSPRITE, DEFORM_AUTOSPRITE2, DEFORM_PROJECTION_SHADOW,
    DEFORM_TEXT
} DeformKind;
typedef struct Deform { DeformKind kind; Wave wave; float numbers[3]; } Deform;
    /* numbers: wave: div; normal: amplitude, frequency; bulge: width, height, speed; move: x, y, z; text: which one */

typedef struct MaterialDef {
    const char *name;                      /* lower case, with '/' */
    const char *file;
    int line, last_line;                   /* of its name, of its closing brace */
    const char *editor_image;              /* qer_editorimage, "" when there is none */
    uint32_t surface_flags, contents;      /* contents: what the surfaceparms add; solidity see clears_solid */
    bool clears_solid;
    MaterialCull cull;
    float sort;                            /* 0: not written */
    bool polygon_offset, no_mipmaps, no_picmip, portal, entity_mergable;
    bool sky;                              /* skyparms were written */
    const char *sky_box;                   /* base name of the far box's images, "" when there is none */
    float cloud_height;
    bool fog;                              /* fogparms were written */
    Vec3 fog_color;
    float fog_depth;
    bool sun;                              /* q3map_sun: of the sky */
    Vec3 sun_color;
    float sun_intensity, sun_degrees, sun_elevation;
    Deform deforms[DEFORMS_MOST];
    int deform_count;
    MaterialStage *stages;
    int stage_count;
} MaterialDef;

enum { SORT_PORTAL = 1, SORT_SKY = 2, SORT_OPAQUE = 3, SORT_DECAL = 4, SORT_SEE_THROUGH = 5, SORT_BANNER = 6,
       SORT_UNDERWATER = 8, SORT_BLEND = 9, SORT_ADDITIVE = 10, SORT_NEAREST = 16 };

const MaterialDef *material_def(const MaterialSet *set, const char *name);    /* NULL: no script defines it */

#endif
