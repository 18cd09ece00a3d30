/* assets/sound.h -- sounds of WAV files, as one channel of 16 bits. */
#ifndef LEAFWALK_SOUND_H
#define LEAFWALK_SOUND_H

#include "base/base.h"

typedef struct Sound {
    int rate;                  /* samples a second */
    int count;                 /* of samples; several channels of the file are mixed into one */
    int16_t *samples;
} Sound;

enum { SOUND_RATE_LEAST = 1000, SOUND_RATE_MOST = 192000, SOUND_BYTES_MOST = 64 * 1024 * 1024 };

/* PCM of 8, 16, 24 or 32 bits in a RIFF file. Everything lives in `arena`; the bytes may go. NULL: `error` says what. */
Sound *sound_load(Arena *arena, const char *name, const uint8_t *bytes, size_t size, Error *error);
double sound_seconds(const Sound *sound);

#endif
