/* engine/engine_compare.c -- two rasterizers side by side: left of a divider gl's picture, right of it the software one's.
 *
 * Both draw the whole frame; the pictures are put together, so that what is shown and what is saved are the same. */
#include "engine/engine_internal.h"

static const char *const sides[2] = { "gl", "soft" };
enum { REACH = 8 };    /* pixels beside the divider where the mouse takes hold of it */

bool engine_compare(Engine *engine, bool on, Error *error) {
    for (int i = 0; on && i < 2; i++)
        if (engine_renderer_slot(engine, sides[i], error) < 0)
            return false;
    if (on && !engine->compare.on)
        engine->compare.divider = 0.5f;
    engine->compare.on = on;
    engine->compare.held = false;
    if (!on)
        image_free(&engine->compare.picture);
    return true;
}

bool engine_compare_click(Engine *engine, float x, bool down) {
    float divider = engine->compare.divider * (float)engine->frame.view.width;
    bool was_held = engine->compare.held;
    engine->compare.held = down && engine->compare.on && x >= divider - REACH && x <= divider + REACH;
    return engine->compare.held || was_held;
}

static void follow_mouse(Engine *engine) {
    if (!engine->compare.held || !engine->platform)
        return;
    float x, y;
    platform_mouse(engine->platform, &x, &y);
    engine->compare.divider = CLAMP(x / (float)engine->frame.view.width, 0, 1);
}

/* The columns right of the divider come from the other picture; the divider itself is white between two dark lines. */
static void put_together(Image *left, const Image *right, float divider) {
    int at = (int)(divider * (float)left->width);
    for (int y = 0; y < left->height; y++) {
        uint8_t *row = left->rgba + (size_t)y * (size_t)left->width * 4;
        const uint8_t *other = right->rgba + (size_t)y * (size_t)left->width * 4;
        if (at < left->width)
            memcpy(row + (size_t)at * 4, other + (size_t)at * 4, (size_t)(left->width - at) * 4);
        for (int x = at - 1; x <= at + 1; x++)
            if (x >= 0 && x < left->width)
                memset(row + (size_t)x * 4, x == at ? 255 : 0, 3);
    }
}

bool engine_compare_draw(Engine *engine, Error *error) {
    follow_mouse(engine);
    Image pictures[2] = { { 0 } };
    bool drawn = true;
    for (int i = 0; i < 2 && drawn; i++) {
        int slot = engine_renderer_slot(engine, sides[i], error);
        drawn = slot >= 0 && engine_give_level(engine, slot, error) &&
                engine->renderers[slot].kind->draw(engine->renderers[slot].self, &engine->frame, error) &&
                engine->renderers[slot].kind->read_pixels(engine->renderers[slot].self, &pictures[i], error);
    }
    if (drawn) {
        put_together(&pictures[0], &pictures[1], engine->compare.divider);
        image_free(&engine->compare.picture);
        engine->compare.picture = pictures[0];
        pictures[0] = (Image){ 0 };
    }
    image_free(&pictures[0]);
    image_free(&pictures[1]);
    return drawn;
}
