/* assets/font.c -- glyphs by stb_truetype, packed into one picture row by row. */
#include "assets/font.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

#define STB_TRUETYPE_IMPLEMENTATION
#define STBTT_malloc(size, user) ((void)(user), mem_alloc(size))
#define STBTT_free(memory, user) ((void)(user), mem_free(memory))
#include <stb_truetype.h>

/* What a player's keyboard, a level's texts and a script's diagrams may hold. */
static const struct { uint32_t first, last; } ranges[] = {
    { 0x20, 0x7e }, { 0xa0, 0x17f },      /* Latin */
    { 0x370, 0x3ff }, { 0x400, 0x45f },   /* Greek, Cyrillic */
    { 0x2010, 0x2027 }, { 0x2030, 0x203a }, { 0x20ac, 0x20ac },    /* dashes, quotes, bullets, euro */
    { 0x2190, 0x21ff }, { 0x2200, 0x2265 },    /* arrows, mathematics */
    { 0x2500, 0x25ff },                   /* box drawing, blocks, shapes */
    { 0x2713, 0x2717 },                   /* ticks and crosses */
};

enum { GAP = 1, SOLID = 3, ATLAS_MOST = 4096 };    /* pixels between glyphs; the covered corner's side */

struct FontFile {
    stbtt_fontinfo info;
    uint8_t *bytes;
    float scale;
};

typedef struct Packer { int width, x, y, row; } Packer;    /* row: the height of the row that is being filled */

/* Where a rectangle goes; the atlas grows downwards without end here, and is cut to a height afterwards. */
static void pack(Packer *p, int width, int height, int *x, int *y) {
    if (p->x + width + GAP > p->width) {
        p->x = 0;
        p->y += p->row + GAP;
        p->row = 0;
    }
    *x = p->x;
    *y = p->y;
    p->x += width + GAP;
    p->row = MAX(p->row, height);
}

typedef struct Builder {
    Font *font;
    ARRAY(Glyph) glyphs;
    ARRAY(int) shapes;           /* stb's number of each glyph's shape; -1: the box */
    ARRAY(int) corners;          /* x, y in the atlas */
    int height;
} Builder;

static void place_glyph(Builder *b, Packer *packer, Glyph glyph, int shape) {
    int x = 0, y = 0;
    if (glyph.width > 0 && glyph.height > 0)
        pack(packer, (int)glyph.width, (int)glyph.height, &x, &y);
    *array_push(&b->glyphs) = glyph;
    *array_push(&b->shapes) = shape;
    *array_push(&b->corners) = x;
    *array_push(&b->corners) = y;
    b->height = MAX(b->height, y + (int)glyph.height);
}

static Glyph glyph_of(const Font *font, uint32_t code, int shape) {
    int advance, bearing, x0, y0, x1, y1;
    stbtt_GetGlyphHMetrics(&font->file->info, shape, &advance, &bearing);
    stbtt_GetGlyphBitmapBox(&font->file->info, shape, font->file->scale, font->file->scale, &x0, &y0, &x1, &y1);
    return (Glyph){ .code = code, .x = (float)x0, .y = (float)y0, .width = (float)(x1 - x0), .height = (float)(y1 - y0),
                    .advance = (float)advance * font->file->scale };
}

static void place_all(Builder *b, int width) {
    Packer packer = { .width = width, .x = SOLID + GAP, .row = SOLID };
    array_clear(&b->glyphs);
    array_clear(&b->shapes);
    array_clear(&b->corners);
    b->height = SOLID;
    float size = b->font->ascent;
    Glyph box = { .x = 1, .y = -floorf(size * 0.75f), .width = ceilf(size * 0.5f), .height = floorf(size * 0.75f) };
    box.advance = box.width + 2;
    place_glyph(b, &packer, box, -1);
    for (int r = 0; r < COUNT_OF(ranges); r++)
        for (uint32_t code = ranges[r].first; code <= ranges[r].last; code++) {
            int shape = stbtt_FindGlyphIndex(&b->font->file->info, (int)code);
            if (shape)
                place_glyph(b, &packer, glyph_of(b->font, code, shape), shape);
        }
}

static void draw_box(uint8_t *coverage, int width, int height, int stride) {
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            coverage[y * stride + x] = x == 0 || y == 0 || x == width - 1 || y == height - 1 ? 255 : 0;
}

static void draw_all(Builder *b, int width) {
    Font *font = b->font;
    int height = b->height + GAP;
    uint8_t *coverage = mem_zeroed((size_t)width * (size_t)height, 1);
    for (int y = 0; y < SOLID; y++)
        memset(coverage + y * width, 255, SOLID);
    for (size_t i = 0; i < b->glyphs.count; i++) {
        Glyph *g = &b->glyphs.at[i];
        int x = b->corners.at[i * 2], y = b->corners.at[i * 2 + 1], w = (int)g->width, h = (int)g->height;
        g->u0 = (float)x / (float)width;
        g->v0 = (float)y / (float)height;
        g->u1 = (float)(x + w) / (float)width;
        g->v1 = (float)(y + h) / (float)height;
        if (w <= 0 || h <= 0)
            continue;
        uint8_t *corner = coverage + (size_t)y * (size_t)width + x;
        if (b->shapes.at[i] < 0)
            draw_box(corner, w, h, width);
        else
            stbtt_MakeGlyphBitmap(&font->file->info, corner, w, h, width, font->file->scale, font->file->scale, b->shapes.at[i]);
    }
    font->atlas = image_make(width, height);
    for (size_t i = 0; i < (size_t)width * (size_t)height; i++) {
        memset(font->atlas.rgba + i * 4, 255, 3);
        font->atlas.rgba[i * 4 + 3] = coverage[i];
    }
    mem_free(coverage);
}

static bool build_atlas(Font *font, Error *error) {
    Builder b = { .font = font };
    int width = 128;
    do {
        width *= 2;
        place_all(&b, width);
    } while (b.height > width && width < ATLAS_MOST);
    bool fits = b.height < ATLAS_MOST;
    if (fits) {
        draw_all(&b, width);
        font->glyphs = b.glyphs.at;
        font->glyph_count = (int)b.glyphs.count;
    } else {
        array_free(&b.glyphs);
        fail(error, "font %s: its letters at %g pixels do not fit into %dx%d", font->name, font->size, ATLAS_MOST, ATLAS_MOST);
    }
    array_free(&b.shapes);
    array_free(&b.corners);
    return fits;
}

Font *font_open(const char *name, const uint8_t *bytes, size_t size, float pixels, Error *error) {
    if (!(pixels >= 4 && pixels <= 256))
        return fail(error, "font %s: a size of %g pixels (4 to 256)", name, pixels), NULL;
    Font *font = mem_zeroed(1, sizeof *font);
    font->file = mem_zeroed(1, sizeof *font->file);
    font->file->bytes = mem_alloc(size + 1);
    memcpy(font->file->bytes, bytes, size);
    Text kept = { 0 };
    text_add(&kept, name);
    font->name = kept.at;
    font->size = pixels;
    int offset = size >= 12 && size <= INT_MAX ? stbtt_GetFontOffsetForIndex(font->file->bytes, 0) : -1;
    if (offset < 0 || !stbtt_InitFont(&font->file->info, font->file->bytes, offset)) {
        fail(error, "font %s: not a TrueType font", name);
        font_close(font);
        return NULL;
    }
    int ascent, descent, gap;
    stbtt_GetFontVMetrics(&font->file->info, &ascent, &descent, &gap);
    float scale = font->file->scale = stbtt_ScaleForPixelHeight(&font->file->info, pixels);
    font->ascent = (float)ascent * scale;
    font->descent = (float)descent * scale;
    font->line = (float)(ascent - descent + gap) * scale;
    if (!build_atlas(font, error)) {
        font_close(font);
        return NULL;
    }
    return font;
}

void font_close(Font *font) {
    if (!font)
        return;
    image_free(&font->atlas);
    mem_free(font->glyphs);
    mem_free(font->name);
    mem_free(font->file->bytes);
    mem_free(font->file);
    mem_free(font);
}

const Glyph *font_glyph(const Font *font, uint32_t code) {
    int low = 0, high = font->glyph_count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (font->glyphs[middle].code < code)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < font->glyph_count && font->glyphs[low].code == code;
    return &font->glyphs[found ? low : 0];    /* the first, of code 0, is the box */
}

float font_kerning(const Font *font, uint32_t left, uint32_t right) {
    if (!left || !right || left > INT_MAX || right > INT_MAX)
        return 0;
    return (float)stbtt_GetCodepointKernAdvance(&font->file->info, (int)left, (int)right) * font->file->scale;
}

uint32_t text_next_code(const char **text) {
    const unsigned char *at = (const unsigned char *)*text;
    if (!*at)
        return 0;
    size_t length = *at >= 0xf0 ? 4 : *at >= 0xe0 ? 3 : *at >= 0xc0 ? 2 : 1;
    if (length > 1 && strnlen(*text, length) == length && text_valid_utf8(*text, length)) {
        uint32_t code = *at & (0x7fu >> length);
        for (size_t i = 1; i < length; i++)
            code = code << 6 | (at[i] & 0x3fu);
        *text += length;
        return code;
    }
    *text += 1;
    return *at;
}

void font_measure(const Font *font, const char *text, float *width, float *height) {
    float widest = 0, pen = 0;
    int lines = 1;
    uint32_t last = 0;
    for (uint32_t code; (code = text_next_code(&text)); last = code) {
        if (code == '\n') {
            lines++;
            pen = 0;
            continue;
        }
        pen += font_kerning(font, last == '\n' ? 0 : last, code) + font_glyph(font, code)->advance;
        widest = MAX(widest, pen);
    }
    *width = widest;
    *height = (float)lines * font->line;
}

static void list_fonts(const char *const *folders, int folder_count, Text *out) {
    Arena *arena = arena_open();
    for (int i = 0; i < folder_count; i++) {
        const char **names;
        int count = file_list_disk(folders[i], ".ttf", arena, &names);
        for (int j = 0; j < count; j++)
            text_format(out, "%s%.*s", out->count ? ", " : "", (int)strlen(names[j]) - 4, names[j]);
    }
    arena_close(arena);
}

Font *font_find(const char *const *folders, int folder_count, const char *name, float pixels, Error *error) {
    static const char normal[] = "DejaVuSansMono";
    char file[256], path[4096];
    const char *wanted = *name ? name : normal;
    bool plain = !strpbrk(wanted, "/\\") && strlen(wanted) < sizeof file - 8;
    if (plain) {
        text_copy(file, sizeof file, wanted);
        if (!text_ends_fold(file, ".ttf"))
            strcat(file, ".ttf");
    }
    for (int i = 0; plain && i < folder_count; i++) {
        if (!file_find_disk(folders[i], file, path, sizeof path))
            continue;
        FileBytes bytes;
        if (!file_read_disk(path, &bytes, error))
            return NULL;
        file[strlen(file) - 4] = 0;
        Font *font = font_open(file, bytes.bytes, bytes.size, pixels, error);
        file_free(&bytes);
        return font;
    }
    Text known = { 0 };
    list_fonts(folders, folder_count, &known);
    fail(error, "font %.200s: no such file in the fonts folders (there are: %s)", wanted,
         known.count ? text_of(&known) : "none");
    text_free(&known);
    return NULL;
}
