/* Any bytes as a WAV file: loads or refuses, and what loaded has samples. */
#include "assets/sound.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    Arena *arena = arena_open();
    Error error;
    const Sound *sound = sound_load(arena, "fuzz.wav", bytes, size, &error);
    if (sound && (sound->count < 1 || sound->rate < SOUND_RATE_LEAST || !(sound_seconds(sound) > 0)))
        __builtin_trap();
    arena_close(arena);
    return 0;
}
