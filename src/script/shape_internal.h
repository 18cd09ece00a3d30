/* script/shape_internal.h -- a row's shape taken to pieces. */
#ifndef LEAFWALK_SHAPE_INTERNAL_H
#define LEAFWALK_SHAPE_INTERNAL_H

#include "base/base.h"

enum { PARTS_MOST = 16 };

typedef struct ShapePart { Text name, type; bool optional; } ShapePart;
typedef struct Shape { ShapePart params[PARTS_MOST], results[PARTS_MOST]; int param_count, result_count; } Shape;

bool shape_read(const char *text, Shape *out, Error *error);    /* false: it is not written so; shape_free all the same */
void shape_free(Shape *shape);

#endif
