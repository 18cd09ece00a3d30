/* render/soft/soft_ui.c -- the 2D layer: triangles in pixels, pictures times colours, blended by alpha. */
#include <math.h>

#include "render/soft/soft_internal.h"

/* Lanes are linear in the picture itself: 1/z is 1 everywhere. False: no area. */
static bool paint_flat_triangle(const UiVertex *corners, const SoftTexture *texture, SoftPaint *paint) {
    double ax = corners[1].x - (double)corners[0].x, ay = corners[1].y - (double)corners[0].y;
    double bx = corners[2].x - (double)corners[0].x, by = corners[2].y - (double)corners[0].y, area = ax * by - ay * bx;
    if (!(fabs(area) > 1e-9))
        return false;
    double values[3][LANES];
    for (int k = 0; k < 3; k++) {
        const UiVertex *v = &corners[k];
        const double at[LANES] = { v->u * texture->used_u * (1 << texture->width_log), v->v * texture->used_v * (1 << texture->height_log),
                                   v->color.r, v->color.g, v->color.b, v->color.a };
        memcpy(values[k], at, sizeof at);
    }
    for (int i = 0; i < LANES; i++) {
        double a = (values[1][i] - values[0][i]) * 65536, b = (values[2][i] - values[0][i]) * 65536;
        paint->x[i] = (a * by - b * ay) / area;
        paint->y[i] = (b * ax - a * bx) / area;
        paint->c[i] = values[0][i] * 65536 + (i >= LANE_RED ? 32768 : 0) + paint->x[i] * (0.5 - corners[0].x) + paint->y[i] * (0.5 - corners[0].y);
    }
    return true;
}

static void clip_item(const Frame *frame, const int clip[4], SoftItem *item) {
    if (clip[2] == 0)
        return;
    int64_t right = (int64_t)clip[0] + MAX(clip[2], 0), bottom = (int64_t)clip[1] + MAX(clip[3], 0);
    item->x0 = MAX(item->x0, clip[0]);
    item->y0 = MAX(item->y0, clip[1]);
    item->x1 = (int)MIN(item->x1, CLAMP(right, 0, frame->view.width));
    item->y1 = (int)MIN(item->y1, CLAMP(bottom, 0, frame->view.height));
}

static void add_triangle(Soft *soft, const UiTriangles *run, const UiVertex *corners, const SoftTexture *texture) {
    SoftScratch *scratch = &soft->scratch;
    SoftPaint paint = { .texture = texture, .style = STYLE_COLOR, .blend = BLEND_ALPHA, .keeps_depth = true, .surface = -1, .iz_c = 1 };
    if (!paint_flat_triangle(corners, texture, &paint))
        return;
    SoftItem item = { .paint = (int)scratch->paints.count, .test = TEST_NONE };
    const SoftPoint points[3] = { { corners[0].x, corners[0].y }, { corners[1].x, corners[1].y }, { corners[2].x, corners[2].y } };
    if (!soft_place_polygon(&soft->view, points, 3, scratch, &item))
        return;
    clip_item(soft->frame, run->clip, &item);
    if (item.x0 >= item.x1 || item.y0 >= item.y1)
        return;
    *array_push(&scratch->paints) = paint;
    *array_push(&scratch->ui) = (SoftStep){ STEP_ITEM, (int)scratch->overlays.count };
    *array_push(&scratch->overlays) = item;
}

void soft_ui_gather(Soft *soft) {
    const Frame *frame = soft->frame;
    for (size_t i = 0; i < frame->ui.count; i++) {
        const UiTriangles *run = &frame->ui.at[i];
        const SoftTexture *texture = soft_ui_texture(soft, run->texture);
        for (int k = run->first; k + 2 < run->first + run->count; k += 3)
            add_triangle(soft, run, &frame->ui_vertices.at[k], texture);
    }
}
