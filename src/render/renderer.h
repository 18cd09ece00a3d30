/* render/renderer.h -- a renderer is a row in a table: it turns frames into pixels.
 *
 * draw() draws into a picture of the renderer's own, of the size that the frame's view names; read_pixels() gives it.
 * The window shows it through platform/ (gl: gl_present blits it). A renderer keeps what it made of a level until
 * use_level brings another. */
#ifndef LEAFWALK_RENDERER_H
#define LEAFWALK_RENDERER_H

#include "assets/image.h"
#include "base/jobs.h"
#include "base/vars.h"
#include "frame/frame.h"

typedef void *GlLoader(const char *name);        /* the address of a GL function */

typedef struct RendererSetup {
    Vars *vars;                                  /* a renderer defines its own variables: "gl.…", "soft.…" */
    Jobs *jobs;
    const Log *log;
    const char *shader_folder;                   /* shaders/ of the source; gl reads and reloads its .glsl files there */
    GlLoader *gl_loader;                         /* NULL: there is no GL context */
    Watch *watch;                                /* may be NULL */
} RendererSetup;

typedef struct RenderStat { const char *name; double value; } RenderStat;    /* names end in _ms where they are times */

typedef struct RendererKind {
    const char *name;                            /* "gl", "soft", "null" */
    void *(*open)(const RendererSetup *setup, Error *error);
    bool  (*use_level)(void *self, const Level *level, const Assets *assets, Error *error);    /* NULL level: none */
    bool  (*draw)(void *self, const Frame *frame, Error *error);
    bool  (*read_pixels)(void *self, Image *out, Error *error);               /* of the last draw */
    int   (*stats)(void *self, const RenderStat **out);                       /* of the last draw; lent until the next */
    void  (*file_changed)(void *self, const char *path);                      /* a watched file of the renderer's */
    const char *(*problem)(void *self);                                       /* what keeps it from the newest shaders, NULL: nothing */
    void  (*close)(void *self);
    void  (*define)(Vars *vars);                                              /* its variables, before it is open; NULL: it has none */
} RendererKind;

const RendererKind *renderer_by_name(const char *name);    /* NULL: no such renderer */
const RendererKind *renderer_at(int index);                /* NULL past the last */

/* gl only: copies the picture to the window's framebuffer of this size. */
void gl_present(void *gl, int width, int height);
/* gl only: shows a picture that another renderer made. */
void gl_show_image(void *gl, const Image *image, int width, int height);
/* null only: the last frame as text, one item a line; lent until the next draw. */
const char *null_text(void *null);

#endif
