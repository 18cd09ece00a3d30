/* Any bytes as the entity text of a level: parses or refuses with a line. */
#include "bsp/bsp.h"

#include <math.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    Arena *arena = arena_open();
    Error error = { "" };
    int count = 0;
    BspEntity *entities = bsp_entities_parse(arena, (const char *)bytes, size, &count, NULL, &error);
    if (!entities && !error.text[0])
        abort();
    for (int i = 0; entities && i < count; i++) {
        size_t length = 0;
        for (int p = 0; p < entities[i].count; p++)
            length += strlen(entities[i].pairs[p].key) + strlen(entities[i].pairs[p].value);
        Vec3 origin;
        bsp_entity_vector(&entities[i], "origin", &origin);
        if (length > size || !vec3_finite(origin) || !isfinite(bsp_entity_number(&entities[i], "light", 300)) ||
            !bsp_entity_class(&entities[i]))
            abort();
    }
    arena_close(arena);
    return 0;
}
