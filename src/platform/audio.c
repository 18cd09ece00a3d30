/* platform/audio.c -- SDL asks for samples from a thread of its own; the list of voices is changed under its lock. */
#include "platform/audio.h"

#include <SDL.h>

enum { RATE = 44100, CHUNK = 1024, MIXED_AT_ONCE = 512 };

static int find(const AudioMix *mix, unsigned id) {
    for (int i = 0; i < mix->count; i++)
        if (mix->playing[i].voice.id == id)
            return i;
    return -1;
}

void audio_mix_voices(AudioMix *mix, const AudioVoice *voices, int count) {
    AudioMix next = { .count = MIN(count, AUDIO_VOICES_MOST) };
    for (int i = 0; i < next.count; i++) {
        int old = find(mix, voices[i].id);
        next.playing[i].voice = voices[i];
        next.playing[i].at = old >= 0 ? mix->playing[old].at : 0;
    }
    *mix = next;
}

/* Between two samples by a line; behind the last one is silence, or the first again. */
static float sample(const AudioVoice *voice, double at) {
    int i = (int)at, next = i + 1;
    if (next >= voice->count)
        next = voice->loop ? 0 : i;
    float part = (float)(at - i);
    return (float)voice->samples[i] * (1 - part) + (float)voice->samples[next] * part;
}

static void add_voice(const AudioVoice *voice, double *at, float (*sum)[2], int frames, int rate) {
    double step = (double)voice->rate / rate;
    for (int i = 0; i < frames; i++) {
        if (voice->loop)
            while (*at >= voice->count)
                *at -= voice->count;
        if (*at >= voice->count)
            return;
        float value = sample(voice, *at);
        sum[i][0] += value * voice->left;
        sum[i][1] += value * voice->right;
        *at += step;
    }
}

void audio_mix_samples(AudioMix *mix, int16_t *stereo, int frames, int rate) {
    while (frames > 0) {
        int now = MIN(frames, MIXED_AT_ONCE);
        float sum[MIXED_AT_ONCE][2] = { 0 };
        for (int v = 0; v < mix->count; v++)
            add_voice(&mix->playing[v].voice, &mix->playing[v].at, sum, now, rate);
        for (int i = 0; i < 2 * now; i++)
            stereo[i] = (int16_t)CLAMP(sum[i / 2][i % 2], -32768.0f, 32767.0f);
        stereo += 2 * now;
        frames -= now;
    }
}

struct Audio { SDL_AudioDeviceID device; AudioMix mix; int rate; };

static void wanted(void *user, Uint8 *out, int size) {
    Audio *audio = user;
    audio_mix_samples(&audio->mix, (int16_t *)(void *)out, size / 4, audio->rate);
}

Audio *audio_open(Error *error) {
    if (SDL_InitSubSystem(SDL_INIT_AUDIO) != 0) {
        fail(error, "no sound: %s", SDL_GetError());
        return NULL;
    }
    Audio *audio = mem_zeroed(1, sizeof *audio);
    SDL_AudioSpec asked = { .freq = RATE, .format = AUDIO_S16SYS, .channels = 2, .samples = CHUNK, .callback = wanted, .userdata = audio };
    SDL_AudioSpec got;
    audio->device = SDL_OpenAudioDevice(NULL, 0, &asked, &got, SDL_AUDIO_ALLOW_FREQUENCY_CHANGE);
    if (!audio->device) {
        fail(error, "no sound: %s", SDL_GetError());
        audio_close(audio);
        return NULL;
    }
    audio->rate = got.freq;
    SDL_PauseAudioDevice(audio->device, 0);
    return audio;
}

void audio_close(Audio *audio) {
    if (!audio)
        return;
    if (audio->device)
        SDL_CloseAudioDevice(audio->device);
    SDL_QuitSubSystem(SDL_INIT_AUDIO);
    mem_free(audio);
}

void audio_play(Audio *audio, const AudioVoice *voices, int count) {
    SDL_LockAudioDevice(audio->device);
    audio_mix_voices(&audio->mix, voices, count);
    SDL_UnlockAudioDevice(audio->device);
}
