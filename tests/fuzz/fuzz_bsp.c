/* Any bytes as a level: loads or refuses with words, and what loaded answers every question. */
#include "bsp/bsp.h"

#include "../unit/support/ask_level.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    Arena *arena = arena_open();
    Error error = { "" };
    Map *map = bsp_load(arena, "maps/fuzz.bsp", bytes, size, NULL, &error);
    if (map)
        ask_level(map);
    else if (!error.text[0])
        abort();    /* a refusal says why */
    arena_close(arena);
    return 0;
}
