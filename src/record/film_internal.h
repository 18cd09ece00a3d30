/* record/film_internal.h -- what the kinds of film share. */
#ifndef LEAFWALK_FILM_INTERNAL_H
#define LEAFWALK_FILM_INTERNAL_H

#include <sys/types.h>

#include "record/film.h"

/* ffmpeg as a process that reads raw pictures (4 bytes a pixel) from its standard input. */
typedef struct Encoder { pid_t process; int pipe; char *log; } Encoder;

bool encoder_open(Encoder *encoder, const FilmSetup *setup, Error *error);
/* False: it ended; errno is EPIPE. */
bool encoder_write(Encoder *encoder, const void *bytes, size_t size);
/* Waits for its end. False: it did not end well: what it said last is in the error, all of it in its log. */
bool encoder_close(Encoder *encoder, const char *path, Error *error);

bool write_whole(int file, const void *bytes, size_t size);    /* false: errno says why; a pipe without a reader is EPIPE and no signal */

#endif
