/* support/drawn.c -- a frame drawn, the pixels and a number of it. */
#include "support/test.h"

#include "support/drawn.h"

Image renderer_drawn(const RendererKind *kind, void *self, const Frame *frame) {
    Image image;
    Error error = { 0 };
    if (!kind->draw(self, frame, &error) || !kind->read_pixels(self, &image, &error))
        fail_msg("%s", error.text);
    return image;
}

double renderer_stat(const RendererKind *kind, void *self, const char *name) {
    const RenderStat *stats;
    int count = kind->stats(self, &stats);
    for (int i = 0; i < count; i++)
        if (strcmp(stats[i].name, name) == 0)
            return stats[i].value;
    fail_msg("no statistic %s", name);
    return 0;
}
