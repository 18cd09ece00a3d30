/* render/soft/soft_row.c -- which code fills a row. */
#include "render/soft/soft_internal.h"

SoftCode soft_best_code(void) { return __builtin_cpu_supports("avx2") ? CODE_AVX2 : CODE_SSE2; }

bool soft_row_wide(const SoftPaint *paint, SoftTest test) {
    bool plain = paint->blend == BLEND_NONE && !paint->keeps_depth;
    bool tested = test != TEST_NONE && (paint->blend == BLEND_NONE || paint->blend == BLEND_ALPHA || paint->blend == BLEND_FACTORS);
    if (!(plain && paint->alpha_test == 0) && !tested)
        return false;
    switch (paint->style) {
    case STYLE_FLAT: case STYLE_TEXTURE: case STYLE_LIGHTMAP: case STYLE_VERTEX: case STYLE_BRIGHT: return true;
    case STYLE_STAGE: case STYLE_STAGE_LIGHT: case STYLE_COLOR: case STYLE_FOG: return test != TEST_NONE;
    case STYLE_SKY: return paint->sky != NULL;
    default: return false;
    }
}

void soft_rows(const SoftTarget *target, const SoftMode *mode, const SoftPaint *paint, const SoftSpan *spans, int count, SoftTest test) {
    if (mode->code == CODE_PLAIN || !soft_row_wide(paint, test))
        soft_rows_plain(target, mode, paint, spans, count, test);
    else if (mode->code == CODE_AVX2)
        soft_rows_avx2(target, mode, paint, spans, count, test);
    else
        soft_rows_sse2(target, mode, paint, spans, count, test);
}

bool soft_covers(const SoftMode *mode, const SoftPaint *paint) {
    return mode->code != CODE_PLAIN && mode->divide == CELL && paint->cached && paint->style == STYLE_LIGHTMAP;
}

void soft_cover_rows(SoftBand *band, const SoftMode *mode, const SoftPaint *paint, const SoftCover *cover) {
    if (mode->code == CODE_AVX2)
        soft_cover_rows_avx2(band, mode, paint, cover);
    else
        soft_cover_rows_sse2(band, mode, paint, cover);
}

void soft_cover_columns(const SoftMode *mode, const SoftCover *cover, int width, int *left, int *right) {
    if (mode->code == CODE_AVX2)
        soft_cover_columns_avx2(cover, width, left, right);
    else
        soft_cover_columns_sse2(cover, width, left, right);
}

void soft_row(const SoftTarget *target, const SoftMode *mode, const SoftPaint *paint, int y, int x0, int x1, SoftTest test) {
    soft_rows(target, mode, paint, &(SoftSpan){ .y = y, .x0 = x0, .x1 = x1 }, 1, test);
}

void soft_light_row(const SoftMode *mode, const uint32_t *page, const SoftLightRow *row, int count, uint32_t *out) {
    if (mode->code == CODE_PLAIN)
        soft_light_row_plain(page, row, count, out);
    else if (mode->code == CODE_AVX2)
        soft_light_row_avx2(page, row, count, out);
    else
        soft_light_row_sse2(page, row, count, out);
}
