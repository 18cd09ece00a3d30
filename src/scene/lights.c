/* scene/lights.c -- dynamic lights in slots that are used again; a generation tells a new one from an old one. */
#include "scene/lights.h"

void lights_close(Lights *lights) { array_free(&lights->slots); }

void lights_clear(Lights *lights) {
    for (size_t i = 0; i < lights->slots.count; i++)
        lights_remove(lights, (LightTicket){ (int)i, lights->slots.at[i].generation });
}

bool lights_add(Lights *lights, FrameLight light, LightTicket *out) {
    size_t slot = 0;
    while (slot < lights->slots.count && lights->slots.at[slot].used)
        slot++;
    if (slot >= LIGHTS_MOST)
        return false;
    if (slot == lights->slots.count)
        *array_push(&lights->slots) = (LightSlot){ 0 };
    LightSlot *at = &lights->slots.at[slot];
    at->light = light;
    at->used = true;
    *out = (LightTicket){ (int)slot, at->generation };
    return true;
}

FrameLight *lights_at(const Lights *lights, LightTicket ticket) {
    if (ticket.slot < 0 || (size_t)ticket.slot >= lights->slots.count)
        return NULL;
    LightSlot *at = &lights->slots.at[ticket.slot];
    return at->used && at->generation == ticket.generation ? &at->light : NULL;
}

void lights_remove(Lights *lights, LightTicket ticket) {
    if (!lights_at(lights, ticket))
        return;
    lights->slots.at[ticket.slot].used = false;
    lights->slots.at[ticket.slot].generation++;
}

int lights_count(const Lights *lights) {
    int count = 0;
    for (size_t i = 0; i < lights->slots.count; i++)
        count += lights->slots.at[i].used;
    return count;
}

void lights_fill(const Lights *lights, Frame *frame) {
    for (size_t i = 0; i < lights->slots.count; i++)
        if (lights->slots.at[i].used)
            frame_light(frame, lights->slots.at[i].light);
}
