/* sim/sim.c -- entities and their step: who moves, thinks and touches, in the order of their numbers. */
#include "sim/sim.h"

#include <math.h>

#include "sim/sim_internal.h"

static const Box player_box = { { { -15, -15, -24 } }, { { 15, 15, 32 } } };    /* format.md 7.1 */

static float world_gravity(const Map *map) {
    double gravity = map->entity_count ? bsp_entity_number(&map->entities[0], "gravity", 800) : 800;
    return gravity > -1e6 && gravity < 1e6 ? (float)gravity : 800;
}

Sim *sim_open(const Map *map, const Collision *collision, const SimBehaviours *behaviours) {
    Sim *sim = mem_zeroed(1, sizeof *sim);
    sim->map = map;
    sim->collision = collision;
    sim->gravity = world_gravity(map);
    bsp_areas_open(&sim->areas, map);
    if (behaviours)
        sim->behaviours = *behaviours;
    int player = sim_spawn(sim);
    SimEntity *self = sim_entity(sim, player);
    self->solid = SIM_BOX;
    self->contents = CONTENTS_BODY;
    self->box = player_box;
    self->visible = false;
    sim->player = (SimPlayer){ .mode = SIM_WALK, .speed = 320, .view_height = 26 };
    return sim;
}

void sim_close(Sim *sim) {
    if (!sim)
        return;
    array_free(&sim->entities);
    array_free(&sim->free);
    array_free(&sim->boxes);
    array_free(&sim->shutters);
    bsp_areas_close(&sim->areas);
    mem_free(sim);
}

int sim_count(const Sim *sim) { return (int)sim->entities.count; }

SimEntity *sim_entity(Sim *sim, int entity) { return &sim->entities.at[entity]; }

int sim_spawn(Sim *sim) {
    int number;
    unsigned generation = 1;
    if (sim->free.count) {
        number = sim->free.at[--sim->free.count];
        generation = sim->entities.at[number].generation + 1;
    } else {
        if (sim->entities.count >= SIM_MOST_ENTITIES)
            return -1;
        number = (int)sim->entities.count;
        (void)array_push(&sim->entities);
    }
    sim->entities.at[number] = (SimEntity){ .alive = true, .generation = generation, .lump = -1, .model = -1, .visible = true, .ground = -1 };
    return number;
}

void sim_remove(Sim *sim, int entity) {
    SimEntity *self = sim_entity(sim, entity);
    if (!self->alive || entity == SIM_PLAYER)
        return;
    self->alive = false;
    sim_shuts_nothing(sim, entity);
    *array_push(&sim->free) = entity;
    for (size_t i = 0; i < sim->entities.count; i++)
        if (sim->entities.at[i].ground == entity)
            sim->entities.at[i].ground = -1;
}

/* The box of a turned brush model is that of a ball around its origin, as in the engine. */
void sim_link(Sim *sim, int entity) {
    SimEntity *self = sim_entity(sim, entity);
    Box box = self->box;
    bool turned = self->model >= 0 && (self->angles.x != 0 || self->angles.y != 0 || self->angles.z != 0);
    if (turned) {
        Vec3 far = vec3_at(fmaxf(-box.mins.x, box.maxs.x), fmaxf(-box.mins.y, box.maxs.y), fmaxf(-box.mins.z, box.maxs.z));
        float radius = vec3_length(far);
        box = (Box){ vec3_at(-radius, -radius, -radius), vec3_at(radius, radius, radius) };
    }
    self->absolute = (Box){ vec3_add(self->origin, box.mins), vec3_add(self->origin, box.maxs) };
}

void sim_set_model(Sim *sim, int entity, int model) {
    SimEntity *self = sim_entity(sim, entity);
    self->model = model;
    Vec3 unit = vec3_at(1, 1, 1);
    Box bounds = sim->map->models[model].bounds;
    self->box = (Box){ vec3_sub(bounds.mins, unit), vec3_add(bounds.maxs, unit) };
    sim_link(sim, entity);
}

void sim_place(Sim *sim, int entity, Vec3 origin, Vec3 angles) {
    SimEntity *self = sim_entity(sim, entity);
    self->origin = origin;
    self->angles = angles;
    self->move = trajectory_still(origin);
    self->turn = trajectory_still(angles);
    sim_link(sim, entity);
}

static void think(Sim *sim) {
    for (size_t i = 0; i < sim->entities.count; i++) {    /* the array may grow meanwhile */
        SimEntity *self = &sim->entities.at[i];
        if (!self->alive || self->next_think <= 0 || self->next_think > sim->time)
            continue;
        self->next_think = 0;
        if (sim->behaviours.think)
            sim->behaviours.think(sim->behaviours.user, (int)i);
    }
}

void sim_touch_triggers(Sim *sim, int entity) {
    int touched[256];
    int count = sim_touching(sim, sim_entity(sim, entity)->absolute, touched, COUNT_OF(touched));
    for (int i = 0; i < MIN(count, COUNT_OF(touched)); i++) {
        if (sim_entity(sim, touched[i])->alive && sim_entity(sim, entity)->alive && sim->behaviours.touch)
            sim->behaviours.touch(sim->behaviours.user, touched[i], entity);
    }
}

/* Whom the player ran into or stands on. */
static void touch_bumped(Sim *sim) {
    int count = sim->bumped_count, bumped[SIM_MOST_BUMPED];
    memcpy(bumped, sim->bumped, sizeof bumped);
    for (int i = 0; i < count && sim->behaviours.touch; i++)
        if (sim_entity(sim, bumped[i])->alive)
            sim->behaviours.touch(sim->behaviours.user, bumped[i], SIM_PLAYER);
}

void sim_step(Sim *sim) {
    sim->step++;
    sim->time = (double)sim->step / SIM_RATE;
    sim_move_entities(sim);
    think(sim);
    sim->bumped_count = 0;
    sim_move_player(sim);
    if (sim->player.mode == SIM_WALK || sim->player.mode == SIM_SPECTATE)
        sim_touch_triggers(sim, SIM_PLAYER);
    if (sim->player.mode == SIM_WALK)
        touch_bumped(sim);
}

static uint64_t mix(uint64_t hash, const void *bytes, size_t size) { return hash * 0x100000001b3u ^ bytes_hash(bytes, size); }

uint64_t sim_hash(const Sim *sim) {
    uint64_t hash = mix(mix(0, &sim->step, sizeof sim->step), &sim->gravity, sizeof sim->gravity);
    for (size_t i = 0; i < sim->entities.count; i++) {
        const SimEntity *self = &sim->entities.at[i];
        if (!self->alive)
            continue;
        int numbers[] = { (int)i, self->model, (int)self->solid, self->visible, self->ground, (int)self->move.kind, (int)self->turn.kind };
        Vec3 places[] = { self->origin, self->angles, self->velocity, self->move.base, self->move.delta, self->turn.base, self->turn.delta };
        double times[] = { self->next_think, self->move.start, self->move.duration, self->turn.start, self->turn.duration };
        hash = mix(mix(mix(hash, numbers, sizeof numbers), places, sizeof places), times, sizeof times);
    }
    int player[] = { (int)sim->player.mode, sim->player.on_ground, sim->player.crouched, sim->player.jump_held, sim->player.water_level };
    return mix(mix(hash, player, sizeof player), &sim->player.no_control_until, sizeof sim->player.no_control_until);
}
