/* sim/sim_push.c -- entities along their trajectories; those that carry take riders along or are blocked by them.
 *
 * Only the player and SIM_BOX entities are pushed; items and their like, which lie on a carrier, go along and block nothing. A carrier that cannot make room stays where it was for this step: its
 * trajectories start later by as much, and its behaviour hears who blocked it. */
#include "sim/sim_internal.h"

typedef struct Rider { int entity; Vec3 origin; } Rider;    /* where it stood before */

static bool stands_on(const Sim *sim, int rider, int carrier) { return sim->entities.at[rider].ground == carrier; }

static bool stuck(Sim *sim, int entity, int *in) {
    const SimEntity *self = sim_entity(sim, entity);
    TraceQuery query = { .from = self->origin, .to = self->origin, .box = self->box, .mask = MASK_PLAYERSOLID & ~CONTENTS_BODY };
    return sim_trace(sim, &query, entity, in).start_solid;
}

static Vec3 turned_about(Vec3 point, Vec3 middle, Axes from, Axes to) {
    Vec3 arm = vec3_sub(point, middle);
    Vec3 local = vec3_at(vec3_dot(arm, from.forward), -vec3_dot(arm, from.right), vec3_dot(arm, from.up));
    Vec3 out = vec3_add(vec3_scale(to.forward, local.x), vec3_add(vec3_scale(to.right, -local.y), vec3_scale(to.up, local.z)));
    return vec3_add(middle, out);
}

static bool same(Vec3 a, Vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

/* Moves one rider as the carrier moved. False: there is no room for it. */
static bool push_rider(Sim *sim, int carrier, int rider, Vec3 move, Axes from, Axes to, Vec3 old_origin) {
    SimEntity *self = sim_entity(sim, rider);
    Vec3 was = self->origin;
    Vec3 target = vec3_add(turned_about(was, old_origin, from, to), move);
    sim_place(sim, rider, target, self->angles);
    int in;
    if (self->solid != SIM_BOX || !stuck(sim, rider, &in))
        return true;
    sim_place(sim, rider, was, sim_entity(sim, rider)->angles);    /* a rider may be left behind */
    if (!stuck(sim, rider, &in)) {
        if (stands_on(sim, rider, carrier))
            sim_entity(sim, rider)->ground = -1;
        return true;
    }
    return false;
}

static bool in_the_way(const Sim *sim, int carrier, int other) {
    const SimEntity *self = &sim->entities.at[other];
    if (!self->alive || other == carrier)
        return false;
    if (self->solid != SIM_BOX)
        return stands_on(sim, other, carrier);
    if (other == SIM_PLAYER && sim->player.mode != SIM_WALK)
        return false;
    return stands_on(sim, other, carrier) || sim_in_entity(sim, carrier, self->absolute);
}

static void put_back(Sim *sim, const Rider *riders, size_t count) {
    while (count-- > 0)
        sim_place(sim, riders[count].entity, riders[count].origin, sim_entity(sim, riders[count].entity)->angles);
}

/* The carrier already stands at its new place. Returns who blocks it, or -1. */
static int carry(Sim *sim, int carrier, Vec3 old_origin, Vec3 old_angles) {
    SimEntity *self = sim_entity(sim, carrier);
    Vec3 move = vec3_sub(self->origin, old_origin);
    bool turns = !same(self->angles, old_angles);
    Axes from = axes_from_angles(turns ? old_angles : vec3_at(0, 0, 0));
    Axes to = axes_from_angles(turns ? self->angles : vec3_at(0, 0, 0));
    ARRAY(Rider) pushed = { 0 };
    int blocker = -1;
    for (size_t n = 0; n < sim->boxes.count && blocker < 0; n++) {
        int i = sim->boxes.at[n];
        if (!in_the_way(sim, carrier, i))
            continue;
        *array_push(&pushed) = (Rider){ i, sim_entity(sim, i)->origin };
        if (!push_rider(sim, carrier, i, move, from, to, old_origin))
            blocker = i;
    }
    if (blocker >= 0)
        put_back(sim, pushed.at, pushed.count);
    array_free(&pushed);
    return blocker;
}

static bool ended(const Trajectory *t, double time) { return trajectory_stops(t) && time >= t->start + t->duration; }

static void settle(Trajectory *t, double time) {    /* what has ended stands still at its end, to the bit */
    if (ended(t, time))
        *t = trajectory_still(t->end);
}

static void arrive(Sim *sim, int entity) {
    SimEntity *self = sim_entity(sim, entity);
    bool over = ended(&self->move, sim->time) || ended(&self->turn, sim->time);
    settle(&self->move, sim->time);
    settle(&self->turn, sim->time);
    bool moving = trajectory_stops(&self->move) || trajectory_stops(&self->turn);
    if (!over || moving || !self->arriving)
        return;
    self->arriving = false;
    if (sim->behaviours.arrived)
        sim->behaviours.arrived(sim->behaviours.user, entity);
}

static void delay(SimEntity *self) {
    self->move.start += SIM_STEP_SECONDS;
    self->turn.start += SIM_STEP_SECONDS;
}

static void move_one(Sim *sim, int entity) {
    SimEntity *self = sim_entity(sim, entity);
    Vec3 old_origin = self->origin, old_angles = self->angles;
    self->origin = trajectory_at(&self->move, sim->time);
    self->angles = trajectory_at(&self->turn, sim->time);
    self->velocity = trajectory_velocity(&self->move, sim->time);
    if (same(self->origin, old_origin) && same(self->angles, old_angles)) {
        arrive(sim, entity);
        return;
    }
    sim_link(sim, entity);
    int blocker = self->carries && self->solid == SIM_BRUSH ? carry(sim, entity, old_origin, old_angles) : -1;
    self = sim_entity(sim, entity);
    if (blocker < 0) {
        arrive(sim, entity);
        return;
    }
    self->origin = old_origin;
    self->angles = old_angles;
    self->velocity = vec3_at(0, 0, 0);
    delay(self);
    sim_link(sim, entity);
    if (sim->behaviours.blocked)
        sim->behaviours.blocked(sim->behaviours.user, entity, blocker);
}

void sim_move_entities(Sim *sim) {
    array_clear(&sim->boxes);
    for (int i = 0; i < sim_count(sim); i++)
        if (sim->entities.at[i].alive && (sim->entities.at[i].solid == SIM_BOX || sim->entities.at[i].ground >= 0))
            *array_push(&sim->boxes) = i;
    for (size_t i = 0; i < sim->entities.count; i++) {
        const SimEntity *self = &sim->entities.at[i];
        bool moves = self->move.kind != TRAJECTORY_STILL || self->turn.kind != TRAJECTORY_STILL;
        if (self->alive && moves && (int)i != SIM_PLAYER)
            move_one(sim, (int)i);
    }
}
