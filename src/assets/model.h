/* assets/model.h -- models whose vertices move from frame to frame (MD3).
 *
 * A Model is loaded from bytes into plain arrays that every renderer reads; `model_pose` mixes two frames once, below
 * the renderers. Positions are in the model's own space: x forward, y left, z up, units of the level. */
#ifndef LEAFWALK_MODEL_H
#define LEAFWALK_MODEL_H

#include "base/base.h"

typedef struct ModelFrame { Box bounds; Vec3 origin; float radius; char name[17]; } ModelFrame;
typedef struct ModelTag { Vec3 origin; Axes axes; } ModelTag;             /* axes.right is -left, as everywhere */
typedef struct ModelVertex { int16_t position[3]; uint16_t normal; } ModelVertex;    /* 1/64 unit; polar angles (model_normal) */

/* A surface as commands for a stack of MODEL_STACK vertices: put vertex n on top, take n away from the top, draw the three
 * at these places (8 bits each, counted from the bottom). Every triangle is drawn once, in no promised order. */
typedef uint32_t ModelCommand;
enum { MODEL_STACK = 32 };
#define MODEL_DRAW         0u
#define MODEL_PUSH         0x01000000u
#define MODEL_POP          0x02000000u
#define MODEL_COMMAND_KIND 0xff000000u

typedef struct ModelSurface {
    char name[65];                     /* lower case */
    char (*shaders)[65]; int shader_count;
    Vec2 *uv; int vertex_count;
    uint16_t *indexes; int triangle_count;    /* 3 a triangle, clockwise seen from the front */
    ModelVertex *vertices;             /* frame_count times vertex_count, by frame */
    ModelCommand *commands; int command_count;
} ModelSurface;

typedef struct Model {
    char name[65];
    ModelFrame *frames; int frame_count;
    char (*tag_names)[65]; int tag_count;
    ModelTag *tags;                    /* frame_count times tag_count, by frame */
    ModelSurface *surfaces; int surface_count;
    int triangle_count;                /* of all surfaces */
} Model;

/* Everything lives in `arena`; the bytes may go. Every offset and index is checked in 64 bits; NULL: `error` says what. */
Model *model_load(Arena *arena, const char *name, const uint8_t *bytes, size_t size, Error *error);

void model_stack_make(ModelSurface *surface, Arena *arena);               /* makes the commands; model_load does */

/* Vertices of one surface between two frames: `mix` 0 is `from`, 1 is `to`. A frame out of range is frame 0, as in the
 * engine. positions and normals hold vertex_count each; normals (may be NULL) have length 1. */
void model_pose(const ModelSurface *surface, int frame_count, int from, int to, float mix, Vec3 *positions, Vec3 *normals);
Vec3 model_normal(uint16_t packed);
Box  model_bounds(const Model *model, int from, int to);                  /* holds every mix of the two */
int  model_tag_by_name(const Model *model, const char *name);             /* -1: none */
ModelTag model_tag(const Model *model, int tag, int from, int to, float mix);    /* axes made orthogonal again */

/* One line of a .skin file after another: which shader a surface wears. NULL: the skin does not name it. */
const char *model_skin_shader(const char *skin_text, const char *surface, char *out, size_t room);

#endif
