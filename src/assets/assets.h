/* assets/assets.h -- the pictures and materials that a running program uses, by number.
 *
 * Textures are asked for by name and come later: worker threads read and decode while the level is on screen. Renderers
 * look at `version`: when it changed, they take the picture anew. All calls come from the main thread. */
#ifndef LEAFWALK_ASSETS_H
#define LEAFWALK_ASSETS_H

#include "assets/image.h"
#include "assets/material.h"
#include "base/jobs.h"
#include "files/files.h"
#include "files/watch.h"

enum { TEXTURE_MISSING, TEXTURE_WHITE, TEXTURE_FIRST };    /* numbers that always exist: the checker picture, and white 1x1 */

enum { TEXTURE_CLAMPED = 1, TEXTURE_NO_MIPMAPS = 2 };    /* how a texture is read: one image asked for with other flags is another texture */

typedef enum TextureState { TEXTURE_LOADING, TEXTURE_READY, TEXTURE_ABSENT } TextureState;

typedef struct Texture {
    const char *name;
    TextureState state;
    Image image;                 /* READY: its picture; else the checker picture of TEXTURE_MISSING (not owned) */
    unsigned version;            /* grows when `image` changes */
    int flags;                   /* TEXTURE_CLAMPED, TEXTURE_NO_MIPMAPS */
} Texture;

typedef struct Assets Assets;

Assets *assets_open(Files *files, Jobs *jobs, Watch *watch, const Log *log);    /* watch may be NULL */
void assets_close(Assets *assets);
MaterialSet *assets_materials(Assets *assets);

int  assets_texture(Assets *assets, const char *name);                /* its number; starts loading it the first time */
int  assets_texture_flagged(Assets *assets, const char *name, int flags);
bool assets_has_image(const Assets *assets, const char *name);        /* a file of that name is there, or a picture was given */
int  assets_texture_from(Assets *assets, const char *name, Image image);    /* takes the image over; a second call of that name replaces it */
const Texture *assets_texture_at(const Assets *assets, int number);
int  assets_texture_count(const Assets *assets);
bool assets_poll(Assets *assets);                                     /* takes in what the workers finished; true: something changed */
void assets_wait(Assets *assets);                                     /* until nothing is loading: for single pictures */
void assets_file_changed(Assets *assets, const char *path);           /* reload what came from this path on the disk */

#endif
