/* assets/material.h -- what a face's texture name stands for: a .shader script's definition, or a plain image.
 *
 * MaterialSet reads every scripts/NAME.shader of the search path. Over files, the one that comes later in search order
 * wins; within a file the first definition does (format.md 9.1). Broken text costs the one block it is in. */
#ifndef LEAFWALK_MATERIAL_H
#define LEAFWALK_MATERIAL_H

#include "base/base.h"
#include "files/files.h"

typedef enum MaterialCull { CULL_FRONT_SHOWN, CULL_BACK_SHOWN, CULL_NONE } MaterialCull;    /* which side is drawn */

typedef struct Material {
    const char *name;            /* as asked for, lower case, without extension */
    const char *base_image;      /* the picture that stands for it until stages are drawn; NULL: none (nodraw, sky without box) */
    MaterialCull cull;
    uint32_t surface_flags;      /* of its surfaceparms */
    uint32_t contents;
    bool scripted;               /* false: an image of that name, or nothing at all */
    bool sky, fog, nodraw;
    bool blended;                /* its first stage blends with what is behind it */
    float alpha_test;            /* pixels with less alpha are left out; 0: all drawn. LT128 is -0.5: those with more are */
    const char *file; int line;  /* where it is defined; "" and 0 when it is not */
} Material;

typedef struct MaterialProblem { const char *file; int line; const char *text; } MaterialProblem;
typedef struct MaterialSet MaterialSet;

MaterialSet *materials_open(Files *files, const Log *log);
void materials_close(MaterialSet *set);
const Material *material_find(MaterialSet *set, const char *name);      /* never NULL; the pointer stays until materials_close or _reload */
int  materials_count(const MaterialSet *set);                          /* scripted ones */
const char *materials_name(const MaterialSet *set, int index);
int  materials_problems(const MaterialSet *set, const MaterialProblem **out);    /* unknown directives, broken blocks, duplicates */

/* One file's text, for tests and fuzzers: adds its definitions as if the file came last on the search path. */
void materials_parse(MaterialSet *set, const char *file, const char *text, size_t length);

#endif
