/* assets/material.h -- what a face's texture name stands for: a .shader script's definition, or a plain image.
 *
 * MaterialSet reads every scripts/NAME.shader of the search path. Within a file the first definition of a name wins; over
 * files the one that the engine lists last does, and the engine lists the root that wins first (format.md 9.1): so the
 * base game's definition beats that of a pack added later, unless the pack brings a file of the same name. Broken text
 * costs the one block it is in. What stages say stands in assets/material_def.h. */
#ifndef LEAFWALK_MATERIAL_H
#define LEAFWALK_MATERIAL_H

#include "base/base.h"
#include "files/files.h"

typedef enum MaterialCull { CULL_FRONT_SHOWN, CULL_BACK_SHOWN, CULL_NONE } MaterialCull;    /* which side is drawn */

typedef enum Blend {    /* a factor of blendFunc */
    BLEND_ONE, BLEND_ZERO, BLEND_DST_COLOR, BLEND_ONE_MINUS_DST_COLOR, BLEND_SRC_COLOR, BLEND_ONE_MINUS_SRC_COLOR,
    BLEND_SRC_ALPHA, BLEND_ONE_MINUS_SRC_ALPHA, BLEND_DST_ALPHA, BLEND_ONE_MINUS_DST_ALPHA, BLEND_SRC_ALPHA_SATURATE
} Blend;

/* One of the two ways to say it: what is there is multiplied with the picture. */
static inline bool blend_filters(Blend source, Blend destination) {
    return (source == BLEND_DST_COLOR && destination == BLEND_ZERO) || (source == BLEND_ZERO && destination == BLEND_SRC_COLOR);
}

typedef struct Material {
    const char *name;            /* as asked for, lower case, without extension */
    const char *base_image;      /* the picture that stands for it until stages are drawn; NULL: none (nodraw, fog, sky without clouds) */
    const char *sky_box;         /* a sky's far box: the name before _rt _lf _bk _ft _up _dn; NULL: none */
    float cloud_height;          /* of a sky */
    MaterialCull cull;
    uint32_t surface_flags;      /* of its surfaceparms */
    uint32_t contents;
    bool scripted;               /* false: an image of that name, or nothing at all */
    bool sky, fog, nodraw;
    bool polygon_offset;
    float sort;                  /* the engine's order of drawing, ascending: opaque 3, decal 4, blended 9, ... */
    bool blended;                /* its first stage blends with what is behind it, by these factors (else ONE, ZERO) */
    Blend source, destination;
    bool unlit;                  /* neither a lightmap nor vertex colours act on it: it shines by itself */
    float alpha_test;            /* pixels with less alpha are left out; 0: all drawn. LT128 is -0.5: those with more are */
    const char *file; int line;  /* where it is defined; "" and 0 when it is not */
} Material;

typedef struct MaterialProblem { const char *file; int line; const char *text; } MaterialProblem;
typedef struct MaterialSet MaterialSet;

MaterialSet *materials_open(Files *files, const Log *log);
void materials_close(MaterialSet *set);
void materials_reload(MaterialSet *set);                                /* reads everything anew; Materials that were given change in place */
unsigned materials_version(const MaterialSet *set);                     /* grows with each reload */
const Material *material_find(MaterialSet *set, const char *name);      /* never NULL; the pointer stays until materials_close */
int  materials_count(const MaterialSet *set);                          /* scripted ones */
const char *materials_name(const MaterialSet *set, int index);
int  materials_problems(const MaterialSet *set, const MaterialProblem **out);    /* unknown directives, broken blocks, duplicates */

/* Another definition in place of the scripts', which stays until it is taken back (NULL text): a whole "name { ... }" or
 * its block alone. `told` gets what is odd in it; false: it is broken, and nothing changed. */
bool materials_override(MaterialSet *set, const char *name, const char *text, Text *told, Error *error);

/* The script files on the disk (archives included), which are the ones to watch; in `arena`. */
int materials_disk_paths(const MaterialSet *set, Arena *arena, const char ***out);

/* One file's text, for tests and fuzzers: adds its definitions as if the file came last on the search path. */
void materials_parse(MaterialSet *set, const char *file, const char *text, size_t length);

#endif
