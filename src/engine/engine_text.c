/* engine/engine_text.c -- fonts by name and size, opened once, and letters into the frame. */
#include <math.h>

#include "engine/engine_internal.h"

enum { TAB_STOP = 8 };    /* blanks between the places where a tab ends */

const Font *engine_font(Engine *engine, const char *name, float size, Error *error) {
    for (size_t i = 0; i < engine->fonts.count; i++) {
        const Font *font = engine->fonts.at[i].font;
        bool same_name = *name ? text_same(font->name, name) : i == 0 || text_same(font->name, engine->fonts.at[0].font->name);
        if (same_name && font->size == size)
            return font;
    }
    Arena *arena = arena_open();
    const char *folders[3];
    int count = 0;
    if (engine->setup.writable)
        folders[count++] = arena_format(arena, "%s/fonts", engine->setup.writable);
    folders[count++] = arena_format(arena, "%s/fonts", engine->setup.data_folder);
    folders[count++] = arena_format(arena, "%s/fonts", engine->setup.build_folder);
    Font *font = font_find(folders, count, name, size, error);
    arena_close(arena);
    if (font)
        *array_push(&engine->fonts) = (EngineFont){ font, 0 };
    return font;
}

int engine_font_texture(Engine *engine, const Font *font) {
    for (size_t i = 0; i < engine->fonts.count; i++) {
        EngineFont *held = &engine->fonts.at[i];
        if (held->font != font)
            continue;
        if (!held->texture) {
            Text name = { 0 };
            text_format(&name, "*font/%s/%g", font->name, (double)font->size);
            held->texture = assets_texture_from(engine->assets, text_of(&name), image_copy(&font->atlas));
            text_free(&name);
        }
        return held->texture;
    }
    return TEXTURE_WHITE;
}

void engine_close_fonts(Engine *engine) {
    for (size_t i = 0; i < engine->fonts.count; i++)
        font_close(engine->fonts.at[i].font);
    array_free(&engine->fonts);
}

float engine_text(Engine *engine, const Font *font, float x, float y, const char *text, Rgba color, const int clip[4]) {
    int texture = engine_font_texture(engine, font);
    float pen = x, baseline = y + font->ascent, widest = 0;
    for (uint32_t code; (code = text_next_code(&text));) {
        if (code == '\n') {
            pen = x;
            baseline += font->line;
            continue;
        }
        if (code == '\t') {
            float stop = TAB_STOP * font_glyph(font, ' ')->advance;
            pen = x + (floorf((pen - x) / stop) + 1) * stop;
            continue;
        }
        const Glyph *glyph = font_glyph(font, code);
        if (glyph->width > 0)
            frame_ui_quad(&engine->frame, pen + glyph->x, baseline + glyph->y, glyph->width, glyph->height,
                          (const float[]){ glyph->u0, glyph->v0, glyph->u1, glyph->v1 }, texture, color, clip);
        pen += glyph->advance;
        widest = MAX(widest, pen - x);
    }
    return widest;
}
