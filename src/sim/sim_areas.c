/* sim/sim_areas.c -- doors shut the area portals that they fill, and open them by leaving. */
#include "sim/sim.h"

static const float REACH = 1;    /* an entity is linked a unit beyond its box, as in the game */

static bool same(Vec3 a, Vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

void sim_shuts_nothing(Sim *sim, int entity) {
    size_t kept = 0;
    for (size_t i = 0; i < sim->shutters.count; i++)
        if (sim->shutters.at[i].entity != entity)
            sim->shutters.at[kept++] = sim->shutters.at[i];
    sim->shutters.count = kept;
}

int sim_shuts(Sim *sim, int entity, Vec3 origin) {
    const SimEntity *self = sim_entity(sim, entity);
    Vec3 reach = vec3_at(REACH, REACH, REACH), move = vec3_sub(origin, self->origin);
    Box box = { vec3_sub(vec3_add(self->absolute.mins, move), reach), vec3_add(vec3_add(self->absolute.maxs, move), reach) };
    int count = 0;
    sim_shuts_nothing(sim, entity);
    for (size_t i = 0; i < sim->areas.portals.count; i++) {
        if (!box_touches(box, sim->areas.portals.at[i].bounds))
            continue;
        *array_push(&sim->shutters) = (SimShutter){ entity, i, origin, self->angles };
        count++;
    }
    return count;
}

void sim_find_shut(Sim *sim) {
    for (size_t i = 0; i < sim->areas.portals.count; i++)
        sim->areas.portals.at[i].shut = false;
    for (int away = 0; away <= 1; away++)    /* first all that shut, then those that are away */
        for (size_t i = 0; i < sim->shutters.count; i++) {
            const SimShutter *shutter = &sim->shutters.at[i];
            const SimEntity *self = sim_entity(sim, shutter->entity);
            bool shuts = self->visible && same(self->origin, shutter->origin) && same(self->angles, shutter->angles);
            if (shuts == !away)
                sim->areas.portals.at[shutter->portal].shut = shuts;
        }
}
