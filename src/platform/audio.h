/* platform/audio.h -- the loudspeakers, or none: plays a list of voices that may change at any time.
 *
 * The caller says what sounds now; who is new in the list begins, who is missing from it ends. Samples are lent until the
 * voice has left the list. */
#ifndef LEAFWALK_AUDIO_H
#define LEAFWALK_AUDIO_H

#include "base/base.h"

typedef struct AudioVoice {
    unsigned id;                       /* one voice keeps its id, and with it the place where it is */
    const int16_t *samples; int count, rate;
    bool loop;
    float left, right;                 /* 0 .. 1 */
} AudioVoice;

enum { AUDIO_VOICES_MOST = 64 };

/* Where a list of voices stands, and what it sounds like: no device is needed for this. */
typedef struct AudioMix {
    struct { AudioVoice voice; double at; } playing[AUDIO_VOICES_MOST];
    int count;
} AudioMix;
void audio_mix_voices(AudioMix *mix, const AudioVoice *voices, int count);    /* more than AUDIO_VOICES_MOST: the first ones */
void audio_mix_samples(AudioMix *mix, int16_t *stereo, int frames, int rate);

typedef struct Audio Audio;
Audio *audio_open(Error *error);       /* NULL: no device */
void audio_close(Audio *audio);        /* NULL is fine */
void audio_play(Audio *audio, const AudioVoice *voices, int count);

#endif
