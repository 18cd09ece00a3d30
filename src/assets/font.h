/* assets/font.h -- letters: a font file at a size, as a picture of its glyphs and where they stand in it.
 *
 * Fonts are read from the program's and the user's fonts/ folders only, never from an archive, a level's folder or a
 * script's path: stb_truetype trusts the file (traps E13). */
#ifndef LEAFWALK_FONT_H
#define LEAFWALK_FONT_H

#include "assets/image.h"

typedef struct Glyph {
    uint32_t code;               /* Unicode */
    float x, y, width, height;   /* of the picture, from the pen on the baseline, y downwards */
    float u0, v0, u1, v1;        /* in the atlas, 0 .. 1 */
    float advance;
} Glyph;

typedef struct Font {
    char *name;                  /* the file's name without folder and ending: "DejaVuSans" */
    float size;                  /* pixels from ascent to descent */
    float ascent, descent, line; /* pixels; descent is negative; line is the distance of baselines */
    Image atlas;                 /* white, coverage in alpha; pixel 0,0 is fully covered (for plain rectangles) */
    Glyph *glyphs;               /* sorted by code: Latin, Greek, Cyrillic, arrows, box drawing, as far as the font has them */
    int glyph_count;
    struct FontFile *file;       /* of the folder's own: shapes and kerning */
} Font;

/* `bytes` of a .ttf file. */
Font *font_open(const char *name, const uint8_t *bytes, size_t size, float pixels, Error *error);
void  font_close(Font *font);
const Glyph *font_glyph(const Font *font, uint32_t code);     /* a box for what it lacks; never NULL */
float font_kerning(const Font *font, uint32_t left, uint32_t right);    /* pixels to add between two letters; mostly <= 0 */
uint32_t text_next_code(const char **text);                   /* reads one UTF-8 character; broken bytes as Latin-1; 0 at the end */
void font_measure(const Font *font, const char *text, float *width, float *height);    /* lines split at \n */

/* Finds NAME.ttf (without case, "" is the default) in the folders given, in order; reads and opens it. */
Font *font_find(const char *const *folders, int folder_count, const char *name, float pixels, Error *error);

#endif
