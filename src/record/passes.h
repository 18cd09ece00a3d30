/* record/passes.h -- what a frame shows beside its colours, pixel by pixel, as data for other programs.
 *
 *   color       the picture itself: the film; nothing to do here
 *   depth       distance along the view's forward in units: depth/N.pfm (float, infinite where nothing or the sky is) and
 *               depth/N.png (16 bits, near to far of the sidecar over 0..65534; 65535: nothing)
 *   normal      of the surface, in the level: (n + 1) / 2 in red, green and blue
 *   face, leaf, cluster, material    the level's own numbers: red + 256 green + 65536 blue; all 255: nothing (-1)
 *   lightmap    the picture by the lightmaps alone
 *   overdraw    how many opaque surfaces cover the pixel, gray, 16 bits
 *
 * The numbers are exact: each pixel's middle is asked by a rasterizer of its own with a z-buffer in double precision, the
 * same for every renderer. Blended surfaces (glass, water) are looked through. They stand in DIR/PASS/ for DIR/%05d.png
 * and in FILM.passes/PASS/ for a film; beside them FILM.json says from what all was made. */
#ifndef LEAFWALK_PASSES_H
#define LEAFWALK_PASSES_H

#include "base/vars.h"
#include "frame/frame.h"
#include "record/film.h"

enum { PASSES_SCRIPTS = 32 };
typedef struct PassesScript { const char *name; uint64_t hash; } PassesScript;

typedef struct PassesSetup {
    FilmSetup film;
    const char *names;               /* "color,depth" */
    const char *rasterizer, *version;    /* version: of the program; NULL: not known */
    const Map *map;                  /* for the sidecar; NULL: none is open */
    Jobs *jobs;
    const Vars *vars;                /* those that differ from their defaults are in the sidecar */
    int blur;
    double shutter;
    uint64_t seed;
    PassesScript scripts[PASSES_SCRIPTS];
    int script_count;
} PassesSetup;

typedef struct Passes Passes;

Passes *passes_open(const PassesSetup *setup, Error *error);     /* writes the sidecar */
bool passes_want(const Passes *passes, const char *name);
bool passes_take(Passes *passes, int64_t number, const Frame *frame, Error *error);
bool passes_picture(Passes *passes, const char *name, int64_t number, Image *image, Error *error);    /* takes the picture over */
void passes_close(Passes *passes);

/* What the middle of each pixel shows; the arrays have width * height items. */
typedef struct PixelIds {
    int width, height;
    float *depth;                    /* along forward; INFINITY: nothing, or the sky */
    int *face, *leaf, *cluster, *material;    /* -1: nothing */
    Vec3 *normal;
    uint16_t *overdraw;
} PixelIds;

void pixel_ids_open(PixelIds *ids, int width, int height);
void pixel_ids_close(PixelIds *ids);
void pixel_ids_fill(PixelIds *ids, const Frame *frame, Jobs *jobs);

#endif
