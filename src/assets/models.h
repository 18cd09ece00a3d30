/* assets/models.h -- the models of a running program, by name: loaded once, read anew when their file changes.
 *
 * Each surface of a model wears a look: its material settled for it, which is the one that a skin names for it or the
 * model's own first one. All calls come from the main thread. A Model that was given stays until models_poll, also
 * when its file changes meanwhile. */
#ifndef LEAFWALK_MODELS_H
#define LEAFWALK_MODELS_H

#include "assets/assets.h"
#include "assets/material_eval.h"
#include "assets/model.h"

enum { MODEL_LODS = 3 };         /* NAME.md3, and coarser NAME_1.md3 and NAME_2.md3 where they are */

typedef struct ModelLook {
    int texture;                 /* its number in assets */
    MaterialCull cull;
    float alpha_test;
    bool blended, hidden;
    const Look *look;            /* its stages; NULL: nothing but the picture times the light */
} ModelLook;

typedef struct ModelSet ModelSet;

ModelSet *models_open(Files *files, Assets *assets, Watch *watch, const Log *log);    /* watch may be NULL */
void models_close(ModelSet *set);

/* The number of the model of that name on the search path (".md3" may be left out); -1: it is not there or broken. */
int models_find(ModelSet *set, const char *name, Error *error);
const Model *models_at(const ModelSet *set, int number);
int models_lod_count(const ModelSet *set, int number);               /* 1 .. MODEL_LODS */
int models_lod(const ModelSet *set, int number, int lod);            /* the number of a coarser one; 0: itself */

/* The looks of its surfaces, lent until the next call. `skin`: a .skin file's name, or without '/' and ending that of
 * one beside the model (NAME_skin.skin); NULL: the model's own. NULL comes back where there is no such file. */
const ModelLook *models_looks(ModelSet *set, int number, const char *skin, Error *error);

void models_poll(ModelSet *set);                                     /* between frames: lets go of what was replaced */
void models_file_changed(ModelSet *set, const char *path);

#endif
