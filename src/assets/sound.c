/* assets/sound.c -- WAV: a list of chunks, of which "fmt " and "data" count. Every length is checked in 64 bits. */
#include "assets/sound.h"

enum { PCM = 1, EXTENSIBLE = 0xFFFE, CHANNELS_MOST = 8 };

typedef struct Wav {
    const char *name;
    const uint8_t *bytes;
    uint64_t size;
    int format, channels, rate, bits;    /* format 0: none seen yet */
    const uint8_t *data;
    uint64_t data_size;
} Wav;

static uint32_t u16_at(const uint8_t *at) { return (uint32_t)at[0] | (uint32_t)at[1] << 8; }
static uint32_t u32_at(const uint8_t *at) { return u16_at(at) | u16_at(at + 2) << 16; }

static bool read_format(Wav *wav, const uint8_t *at, uint64_t length, Error *error) {
    if (length < 16)
        return fail(error, "%s: chunk 'fmt ' has %llu bytes, at least 16 are expected", wav->name, (unsigned long long)length);
    wav->format = (int)u16_at(at);
    wav->channels = (int)u16_at(at + 2);
    uint32_t rate = u32_at(at + 4);
    wav->bits = (int)u16_at(at + 14);
    if (wav->format == EXTENSIBLE && length >= 26)
        wav->format = (int)u16_at(at + 24);    /* the sub-format's first two bytes */
    if (wav->format != PCM)
        return fail(error, "%s: format %d of WAV; only 1 (PCM) is read", wav->name, wav->format);
    if (wav->channels < 1 || wav->channels > CHANNELS_MOST)
        return fail(error, "%s: %d channels, 1..%d are expected", wav->name, wav->channels, CHANNELS_MOST);
    if (rate < SOUND_RATE_LEAST || rate > SOUND_RATE_MOST)
        return fail(error, "%s: %u samples a second, %d..%d are expected", wav->name, rate, SOUND_RATE_LEAST, SOUND_RATE_MOST);
    if (wav->bits != 8 && wav->bits != 16 && wav->bits != 24 && wav->bits != 32)
        return fail(error, "%s: %d bits a sample; 8, 16, 24 or 32 are expected", wav->name, wav->bits);
    wav->rate = (int)rate;
    return true;
}

/* A data chunk that says it is longer than the file (recorders that were cut off leave such) holds what is there. */
static bool read_chunks(Wav *wav, Error *error) {
    uint64_t at = 12;
    while (at + 8 <= wav->size && !wav->data) {
        uint64_t length = u32_at(wav->bytes + at + 4), begin = at + 8, left = wav->size - begin;
        if (memcmp(wav->bytes + at, "fmt ", 4) == 0) {
            if (length > left)
                return fail(error, "%s: chunk 'fmt ' at byte %llu ends behind the file", wav->name, (unsigned long long)at);
            if (!read_format(wav, wav->bytes + begin, length, error))
                return false;
        } else if (memcmp(wav->bytes + at, "data", 4) == 0) {
            wav->data = wav->bytes + begin;
            wav->data_size = MIN(length, left);
        }
        at = begin + length + (length & 1);
    }
    if (!wav->format)
        return fail(error, "%s: no chunk 'fmt ' before the data", wav->name);
    if (!wav->data)
        return fail(error, "%s: no chunk 'data'", wav->name);
    return true;
}

/* The upper 16 bits; 8-bit samples are the unsigned ones. */
static int sample_at(const uint8_t *at, int bytes) {
    return bytes == 1 ? ((int)at[0] - 128) * 256 : (int16_t)u16_at(at + bytes - 2);
}

Sound *sound_load(Arena *arena, const char *name, const uint8_t *bytes, size_t size, Error *error) {
    Wav wav = { .name = name, .bytes = bytes, .size = size };
    if (size < 12 || memcmp(bytes, "RIFF", 4) != 0 || memcmp(bytes + 8, "WAVE", 4) != 0) {
        fail(error, "%s: no WAV file", name);
        return NULL;
    }
    if (!read_chunks(&wav, error))
        return NULL;
    int width = wav.bits / 8, block = width * wav.channels;
    if (wav.data_size > SOUND_BYTES_MOST || wav.data_size < (uint64_t)block) {
        fail(error, "%s: %llu bytes of samples, %d..%d are expected", name, (unsigned long long)wav.data_size, block, SOUND_BYTES_MOST);
        return NULL;
    }
    Sound *sound = arena_new(arena, Sound);
    sound->rate = wav.rate;
    sound->count = (int)(wav.data_size / (uint64_t)block);
    sound->samples = arena_array(arena, int16_t, sound->count);
    for (int i = 0; i < sound->count; i++) {
        int sum = 0;
        for (int c = 0; c < wav.channels; c++)
            sum += sample_at(wav.data + (size_t)i * (size_t)block + (size_t)(c * width), width);
        sound->samples[i] = (int16_t)(sum / wav.channels);
    }
    return sound;
}

double sound_seconds(const Sound *sound) { return (double)sound->count / sound->rate; }
