/* render/render.c -- the table of renderers: adding one is a folder and a row. */
#include "render/gl/gl.h"
#include "render/null/null.h"
#include "render/renderer.h"
#include "render/soft/soft.h"

static const RendererKind *const kinds[] = { &gl_renderer, &soft_renderer, &null_renderer };

const RendererKind *renderer_at(int index) { return index >= 0 && index < COUNT_OF(kinds) ? kinds[index] : NULL; }

const RendererKind *renderer_by_name(const char *name) {
    for (int i = 0; i < COUNT_OF(kinds); i++)
        if (text_same(name, kinds[i]->name))
            return kinds[i];
    return NULL;
}
