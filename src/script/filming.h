/* script/filming.h -- the running program filmed: its clock goes by frames, its scripts run, each picture goes to a film.
 *
 * Frame i is at time i * den / num from the start. Update gets 1/fps always; while a film runs scripts' budgets are
 * counted in instructions, `pairs` goes by sorted keys, and os.time, os.clock and os.date know the film's time alone: the
 * same level, scripts and settings give the same bytes. */
#ifndef LEAFWALK_FILMING_H
#define LEAFWALK_FILMING_H

#include "record/film.h"
#include "script/script.h"

enum { FPS_MOST = 1000, BLUR_MOST = 256 };

typedef struct FilmingSetup {
    FilmSetup film;                  /* size, rate, file, frames */
    const char *rasterizer;          /* NULL: the current one */
    int blur;                        /* pictures a frame; 0 or 1: one */
    double shutter;                  /* degrees of 360 that the shutter is open; 0: 180 */
    const char *passes;              /* "color,depth,normal", NULL: color */
} FilmingSetup;

typedef struct Filming Filming;

/* One film at a time a host. False texts of passes, and what film_open refuses, are refused. */
Filming *filming_open(Scripts *scripts, const FilmingSetup *setup, Error *error);
void filming_skip(Filming *filming);                     /* runs the next frame without a picture */
bool filming_frame(Filming *filming, Error *error);      /* runs the next frame and takes its picture */
bool filming_close(Filming *filming, Error *error);      /* NULL is fine */
int64_t filming_next(const Filming *filming);            /* number of the frame to come */
double filming_time(const Filming *filming);             /* the clock's, when it comes */
bool filming_stopped(const Filming *filming);            /* a script asked for the end */
void filming_stop(Filming *filming);
bool filming_busy(const Filming *filming);               /* a frame of it runs right now */
/* The film that the host's scripts are making; NULL: none. */
Filming *scripts_filming(const Scripts *scripts);
const char *filming_path(const Filming *filming);

/* "24", "23.976", "30000/1001" */
bool fps_read(const char *text, int64_t *num, int64_t *den);

#endif
