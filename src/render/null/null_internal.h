/* render/null/null_internal.h -- what the files of null/ share: checks and lines of text. */
#ifndef LEAFWALK_NULL_INTERNAL_H
#define LEAFWALK_NULL_INTERNAL_H

#include "render/null/null.h"

bool null_check_things(const Frame *frame, int textures, Error *error);    /* models, sprites, particles, lights */
void null_write_things(Text *text, const Frame *frame);

void null_add_float(Text *text, float number);
void null_add_vector(Text *text, Vec3 v);
void null_add_color(Text *text, Rgba c);
void null_add_flags(Text *text, int flags);
const char *null_texture_label(const Frame *frame, int texture);

#endif
