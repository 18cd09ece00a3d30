/* record/film.h -- films: pictures one after another into a .y4m file, an encoder, or a file each.
 *
 *   "x.y4m", "-"              YUV4MPEG2 by our own writer, C444: BT.601 in 16..235, as readers take it that are told nothing
 *   "x.mp4 .mkv .webm .mov"   raw pictures into an ffmpeg process (no shell): its messages stay in x.mp4.ffmpeg.log
 *   "dir/%05d.png"            PNG pictures, encoded by several threads; %05d is the frame's own number
 *
 * Pictures are worked on while the next one is drawn. What was written when something fails can be used: a .y4m ends
 * after its last whole frame, a picture is whole or not there, .mp4 is written in pieces that stand alone. */
#ifndef LEAFWALK_FILM_H
#define LEAFWALK_FILM_H

#include "assets/image.h"
#include "base/jobs.h"

typedef enum FilmKind { FILM_NONE, FILM_Y4M, FILM_ENCODED, FILM_PICTURES } FilmKind;
FilmKind film_kind(const char *path);                /* FILM_NONE: nothing that we write */

typedef struct FilmSetup {
    const char *path;
    int width, height;
    int64_t fps_num, fps_den;        /* frames a second */
    int64_t first, last;             /* numbers of the frames to come; last < first: not known */
    bool force;                      /* what is there may be overwritten */
    const char *encoder;             /* more options for ffmpeg, split at blanks ("quotes" keep them); NULL: ours */
    int threads;                     /* 0: the machine's */
} FilmSetup;

typedef struct Film Film;

/* False kinds of path, files that are there, folders that cannot be written are refused before anything is made. */
Film *film_open(const FilmSetup *setup, Error *error);
/* Takes the picture over. False: this frame or one before it could not be written; the error says which. */
bool film_frame(Film *film, int64_t number, Image *image, Error *error);
/* Ends the film; false: it is not what it should be. */
bool film_close(Film *film, Error *error);           /* NULL is fine */
int64_t film_written(const Film *film);              /* frames that are in the file for certain; after film_close is lost */

/* "dir/%05d.png" with a number; false: there is no %d, or more than one. */
bool film_picture_name(const char *pattern, int64_t number, char *out, size_t room);
bool film_make_folders(const char *path, Error *error);      /* those above a file */
/* Refuses a file that is there, unless `force`; things that are no files (/dev/null, a pipe) may be written to. */
bool film_may_write(const char *path, bool force, Error *error);

/* The planes of a picture as a .y4m has them: width * height bytes each. */
void film_planes(const Image *image, uint8_t *y, uint8_t *u, uint8_t *v);

#endif
