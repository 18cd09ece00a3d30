/* sim/sim_trace.c -- traces that meet entities too. */
#include <math.h>

#include "sim/sim.h"

static Box way_of(const TraceQuery *query) {
    Box way = box_around((Box){ query->from, query->from }, query->to);
    return (Box){ vec3_sub(vec3_add(way.mins, query->box.mins), vec3_at(1, 1, 1)), vec3_add(vec3_add(way.maxs, query->box.maxs), vec3_at(1, 1, 1)) };
}

/* A box that stands still, met by a moving one: the six planes of a brush. */
static Trace trace_box(const SimEntity *self, const TraceQuery *query) {
    Trace best = { .fraction = 1, .endpos = query->to, .brush = -1, .face = -1, .texture = -1, .model = -1 };
    Vec3 mins = vec3_sub(self->absolute.mins, query->box.maxs), maxs = vec3_sub(self->absolute.maxs, query->box.mins);
    float enter = -1, leave = 1;
    bool starts_out = false, ends_out = false;
    Plane plane = { 0 };
    for (int side = 0; side < 6; side++) {
        int axis = side / 2;
        float sign = side & 1 ? 1.0f : -1.0f;
        float dist = side & 1 ? maxs.raw[axis] : -mins.raw[axis];
        float d1 = sign * query->from.raw[axis] - dist, d2 = sign * query->to.raw[axis] - dist;
        starts_out |= d1 > 0;
        ends_out |= d2 > 0;
        if (d1 > 0 && (d2 >= TRACE_GAP || d2 >= d1))
            return best;
        if (d1 <= 0 && d2 <= 0)
            continue;
        if (d1 > d2) {
            float f = fmaxf((d1 - TRACE_GAP) / (d1 - d2), 0);
            if (f > enter) {
                enter = f;
                plane = (Plane){ .dist = dist };
                plane.normal.raw[axis] = sign;
            }
        } else {
            leave = fminf(leave, (d1 + TRACE_GAP) / (d1 - d2));
        }
    }
    if (!starts_out) {
        best.start_solid = true;
        best.all_solid = !ends_out;
        best.fraction = ends_out ? 1 : 0;
        best.contents = self->contents;
    } else if (enter < leave && enter > -1) {
        best.fraction = fmaxf(enter, 0);
        best.plane = plane;
        best.contents = self->contents;
    }
    best.endpos = vec3_mix(query->from, query->to, best.fraction);
    return best;
}

static void keep_nearer(Trace *best, int *who, Trace found, int entity) {
    if (found.fraction < best->fraction) {
        found.start_solid |= best->start_solid;
        *best = found;
        *who = entity;
    } else if (found.start_solid) {
        if (!best->start_solid && best->fraction == 1)
            *who = entity;
        best->start_solid = true;
        best->contents = best->contents ? best->contents : found.contents;
    }
    best->all_solid |= found.all_solid;
}

Trace sim_trace(const Sim *sim, const TraceQuery *query, int ignore, int *entity) {
    int who = -1;
    Trace best = bsp_trace(sim->map, sim->collision, query);
    Box way = way_of(query);
    for (size_t i = 0; i < sim->entities.count && !best.all_solid; i++) {
        const SimEntity *self = &sim->entities.at[i];
        bool ghost = i == SIM_PLAYER && (sim->player.mode == SIM_FLY || sim->player.mode == SIM_SPECTATE);    /* not there for others, as in the game */
        bool blocks = self->alive && self->solid >= SIM_BRUSH && (int)i != ignore && !ghost;
        if (!blocks || !box_touches(self->absolute, way))
            continue;
        if (self->solid == SIM_BRUSH && self->model >= 0)
            keep_nearer(&best, &who, bsp_trace_model(sim->map, sim->collision, self->model, self->origin, self->angles, query), (int)i);
        else if (self->contents & query->mask)
            keep_nearer(&best, &who, trace_box(self, query), (int)i);
    }
    if (entity)
        *entity = who;
    return best;
}

uint32_t sim_contents(const Sim *sim, Vec3 point) {
    uint32_t contents = bsp_point_contents(sim->map, point);
    for (size_t i = 0; i < sim->entities.count; i++) {
        const SimEntity *self = &sim->entities.at[i];
        if (self->alive && self->solid == SIM_BRUSH && self->model >= 0 && box_touches(self->absolute, (Box){ point, point }))
            contents |= bsp_point_contents_model(sim->map, self->model, self->origin, self->angles, point);
    }
    return contents;
}

/* A trigger is met by its brushes, whatever their contents say. */
bool sim_in_entity(const Sim *sim, int entity, Box box) {
    const SimEntity *self = &sim->entities.at[entity];
    if (!box_touches(self->absolute, box))
        return false;
    if (self->model < 0)
        return true;
    Vec3 middle = box_middle(box);
    Box around = { vec3_sub(box.mins, middle), vec3_sub(box.maxs, middle) };
    TraceQuery query = { .from = middle, .to = middle, .box = around, .mask = ~0u };
    return bsp_trace_model(sim->map, sim->collision, self->model, self->origin, self->angles, &query).start_solid;
}

int sim_touching(const Sim *sim, Box box, int *out, int room) {
    int count = 0;
    for (size_t i = 0; i < sim->entities.count; i++) {
        const SimEntity *self = &sim->entities.at[i];
        if (!self->alive || self->solid != SIM_TRIGGER || !sim_in_entity(sim, (int)i, box))
            continue;
        if (count < room)
            out[count] = (int)i;
        count++;
    }
    return count;
}
