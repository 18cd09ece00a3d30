/* sim/sim_player.c -- walking, falling, jumping, swimming, crouching and flying, by the numbers of format.md 7.1. */
#include <math.h>

#include "sim/sim_internal.h"

static const float stop_speed = 100, friction_ground = 6, friction_water = 1, friction_fly = 5;
static const float accelerate_ground = 10, accelerate_air = 1, accelerate_water = 4, accelerate_fly = 8;
static const float jump_velocity = 270, step_height = 18, walkable = 0.7f, overclip = 1.001f, probe = 0.25f;
static const float duck_scale = 0.25f, swim_scale = 0.5f, stand_top = 32, crouch_top = 16, stand_eye = 26, crouch_eye = 12;
enum { BUMPS = 4, PLANES = 5 };

typedef struct Walk {
    Sim *sim;
    SimPlayer *player;
    SimEntity *self;
    float dt;
    Axes axes;
    bool on_plane, walking;    /* over something; over something that can be walked on */
    Trace ground;
    int ground_entity;
    bool slick;
} Walk;

static Trace walk_trace(const Walk *walk, Vec3 from, Vec3 to, int *entity) {
    TraceQuery query = { .from = from, .to = to, .box = walk->self->box, .mask = MASK_PLAYERSOLID };
    return sim_trace(walk->sim, &query, SIM_PLAYER, entity);
}

static void meet(Walk *walk, int entity) {
    Sim *sim = walk->sim;
    for (int i = 0; i < sim->bumped_count; i++)
        if (sim->bumped[i] == entity)
            return;
    if (entity >= 0 && sim->bumped_count < SIM_MOST_BUMPED)
        sim->bumped[sim->bumped_count++] = entity;
}

static Vec3 clipped(Vec3 velocity, Vec3 normal) {
    float into = vec3_dot(velocity, normal);
    into = into < 0 ? into * overclip : into / overclip;
    return vec3_sub(velocity, vec3_scale(normal, into));
}

/* ---- what is below, and in ---- */

static void find_ground(Walk *walk) {
    Vec3 below = walk->self->origin;
    below.z -= probe;
    walk->ground = walk_trace(walk, walk->self->origin, below, &walk->ground_entity);
    walk->on_plane = walk->walking = false;
    Vec3 normal = walk->ground.plane.normal;
    bool air = walk->ground.fraction == 1 && !walk->ground.all_solid;
    bool leaving = walk->self->velocity.z > 0 && vec3_dot(walk->self->velocity, normal) > 10;
    if (air || walk->ground.all_solid || leaving)
        return;
    walk->on_plane = true;
    meet(walk, walk->ground_entity);
    walk->walking = normal.z >= walkable;
    walk->slick = walk->ground.surface_flags & SURF_SLICK;
}

static void find_water(Walk *walk) {
    SimPlayer *player = walk->player;
    player->water_level = 0;
    player->water_contents = 0;
    float foot = walk->self->box.mins.z + 1, eye = player->view_height;
    float heights[3] = { foot, foot + (eye - walk->self->box.mins.z) / 2, eye };
    for (int i = 0; i < 3; i++) {
        Vec3 point = walk->self->origin;
        point.z += heights[i];
        uint32_t contents = sim_contents(walk->sim, point);
        if (!(contents & MASK_WATER))
            return;
        player->water_level = i + 1;
        player->water_contents = contents;
    }
}

static void crouch_or_stand(Walk *walk) {
    SimPlayer *player = walk->player;
    if (player->input.crouch) {
        player->crouched = true;
    } else if (player->crouched) {
        walk->self->box.maxs.z = stand_top;
        player->crouched = walk_trace(walk, walk->self->origin, walk->self->origin, NULL).all_solid;
    }
    walk->self->box.maxs.z = player->crouched ? crouch_top : stand_top;
    player->view_height = player->crouched ? crouch_eye : stand_eye;
}

/* ---- speed ---- */

static void slow_down(Walk *walk) {
    Vec3 *velocity = &walk->self->velocity;
    Vec3 flat = *velocity;
    if (walk->walking)
        flat.z = 0;
    float speed = vec3_length(flat);
    if (speed < 1) {
        velocity->x = velocity->y = 0;
        return;
    }
    float drop = 0;
    bool knocked = walk->player->knocked && walk->sim->time < walk->player->no_control_until;
    if (walk->player->water_level <= 1 && walk->walking && !walk->slick && !knocked)
        drop += fmaxf(speed, stop_speed) * friction_ground * walk->dt;
    if (walk->player->water_level)
        drop += speed * friction_water * (float)walk->player->water_level * walk->dt;
    if (walk->player->mode != SIM_WALK)
        drop += fmaxf(speed, walk->player->mode == SIM_NOCLIP ? stop_speed : 0) * friction_fly * walk->dt;
    *velocity = vec3_scale(*velocity, fmaxf(speed - drop, 0) / speed);
}

static void speed_up(Walk *walk, Vec3 direction, float wish, float rate) {
    float missing = wish - vec3_dot(walk->self->velocity, direction);
    if (missing > 0)
        walk->self->velocity = vec3_add_scaled(walk->self->velocity, direction, fminf(rate * walk->dt * wish, missing));
}

/* Speed for a command: diagonal ones are no faster. */
static float command_scale(const Walk *walk) {
    const SimInput *in = &walk->player->input;
    float most = fmaxf(fmaxf(fabsf(in->forward), fabsf(in->side)), fabsf(in->up));
    float total = sqrtf(in->forward * in->forward + in->side * in->side + in->up * in->up);
    return total > 0 ? walk->player->speed * most / total : 0;
}

/* ---- sliding along what is met ---- */

typedef struct Slide { Vec3 planes[PLANES]; int count; Vec3 end_velocity; } Slide;

/* Velocity that goes along every plane met so far. False: there is none but standing still. */
static bool slide_along(Walk *walk, Slide *slide) {
    Vec3 *velocity = &walk->self->velocity;
    for (int i = 0; i < slide->count; i++) {
        if (vec3_dot(*velocity, slide->planes[i]) >= 0.1f)
            continue;
        Vec3 now = clipped(*velocity, slide->planes[i]), end = clipped(slide->end_velocity, slide->planes[i]);
        for (int j = 0; j < slide->count; j++) {
            if (j == i || vec3_dot(now, slide->planes[j]) >= 0.1f)
                continue;
            now = clipped(now, slide->planes[j]);
            end = clipped(end, slide->planes[j]);
            if (vec3_dot(now, slide->planes[i]) >= 0)
                continue;
            Vec3 crease = vec3_normalized(vec3_cross(slide->planes[i], slide->planes[j]));    /* back into the first: along both */
            now = vec3_scale(crease, vec3_dot(crease, *velocity));
            end = vec3_scale(crease, vec3_dot(crease, slide->end_velocity));
            for (int k = 0; k < slide->count; k++)
                if (k != i && k != j && vec3_dot(now, slide->planes[k]) < 0.1f) {
                    *velocity = vec3_at(0, 0, 0);
                    return false;
                }
        }
        *velocity = now;
        slide->end_velocity = end;
        return true;
    }
    return true;
}

static bool near_known(const Slide *slide, Vec3 normal) {
    for (int i = 0; i < slide->count; i++)
        if (vec3_dot(normal, slide->planes[i]) > 0.99f)
            return true;
    return false;
}

static Slide slide_begin(Walk *walk, bool falls) {
    Slide slide = { .end_velocity = walk->self->velocity };
    if (falls) {
        slide.end_velocity.z -= walk->sim->gravity * walk->dt;
        walk->self->velocity.z = (walk->self->velocity.z + slide.end_velocity.z) * 0.5f;    /* the mean over the step */
        if (walk->on_plane)
            walk->self->velocity = clipped(walk->self->velocity, walk->ground.plane.normal);
    }
    if (walk->on_plane)
        slide.planes[slide.count++] = walk->ground.plane.normal;
    slide.planes[slide.count++] = vec3_normalized(walk->self->velocity);    /* never turns against where it was going */
    return slide;
}

/* True: something was met. */
static bool slide_move(Walk *walk, bool falls) {
    Slide slide = slide_begin(walk, falls);
    float left = walk->dt;
    int bump = 0;
    for (; bump < BUMPS; bump++) {
        Vec3 target = vec3_add_scaled(walk->self->origin, walk->self->velocity, left);
        int who;
        Trace hit = walk_trace(walk, walk->self->origin, target, &who);
        if (hit.all_solid) {
            walk->self->velocity.z = 0;    /* stuck: at least do not build up falling speed */
            return true;
        }
        if (hit.fraction > 0)
            walk->self->origin = hit.endpos;
        if (hit.fraction == 1)
            break;
        meet(walk, who);
        left -= left * hit.fraction;
        if (slide.count >= PLANES) {
            walk->self->velocity = vec3_at(0, 0, 0);
            return true;
        }
        if (near_known(&slide, hit.plane.normal)) {    /* the same plane again is a rounding error: nudge off it */
            walk->self->velocity = vec3_add(walk->self->velocity, hit.plane.normal);
            continue;
        }
        slide.planes[slide.count++] = hit.plane.normal;
        if (!slide_along(walk, &slide))
            return true;
    }
    if (falls)
        walk->self->velocity = slide.end_velocity;
    return bump > 0;
}

static void step_slide_move(Walk *walk, bool falls) {
    SimEntity *self = walk->self;
    Vec3 start = self->origin, velocity = self->velocity;
    if (!slide_move(walk, falls))
        return;
    Vec3 down = start;
    down.z -= step_height;
    Trace floor = walk_trace(walk, start, down, NULL);
    bool steep = floor.fraction == 1 || floor.plane.normal.z < walkable;
    if (self->velocity.z > 0 && steep)    /* never steps up while rising off the ground */
        return;
    Vec3 up = start;
    up.z += step_height;
    Trace room = walk_trace(walk, start, up, NULL);
    if (room.all_solid)
        return;
    Vec3 slid_origin = self->origin, slid_velocity = self->velocity;
    float height = room.endpos.z - start.z;
    self->origin = room.endpos;
    self->velocity = velocity;
    slide_move(walk, falls);
    Vec3 below = self->origin;
    below.z -= height;
    Trace settle = walk_trace(walk, self->origin, below, NULL);
    if (settle.all_solid) {
        self->origin = slid_origin;
        self->velocity = slid_velocity;
        return;
    }
    self->origin = settle.endpos;
    if (settle.fraction < 1)
        self->velocity = clipped(self->velocity, settle.plane.normal);
}

/* ---- the ways of moving ---- */

static void wish_flat(const Walk *walk, bool along_ground, Vec3 *direction, float *speed) {
    Vec3 forward = walk->axes.forward, right = walk->axes.right;
    forward.z = right.z = 0;
    if (along_ground) {
        forward = clipped(forward, walk->ground.plane.normal);
        right = clipped(right, walk->ground.plane.normal);
    }
    forward = vec3_normalized(forward);
    right = vec3_normalized(right);
    Vec3 wish = vec3_add(vec3_scale(forward, walk->player->input.forward), vec3_scale(right, walk->player->input.side));
    *direction = vec3_normalized(wish);
    *speed = vec3_length(wish) * command_scale(walk);
}

static void air_move(Walk *walk) {
    slow_down(walk);
    Vec3 direction;
    float wish;
    wish_flat(walk, false, &direction, &wish);
    speed_up(walk, direction, wish, accelerate_air);
    if (walk->on_plane)
        walk->self->velocity = clipped(walk->self->velocity, walk->ground.plane.normal);
    step_slide_move(walk, true);
}

static void water_move(Walk *walk) {
    slow_down(walk);
    const SimInput *in = &walk->player->input;
    float scale = command_scale(walk);
    Vec3 wish = vec3_at(0, 0, -60);    /* sinks when it does nothing */
    if (scale > 0) {
        wish = vec3_add(vec3_scale(walk->axes.forward, in->forward * scale), vec3_scale(walk->axes.right, in->side * scale));
        wish.z += in->up * scale;
    }
    float speed = fminf(vec3_length(wish), walk->player->speed * swim_scale);
    speed_up(walk, vec3_normalized(wish), speed, accelerate_water);
    Vec3 *velocity = &walk->self->velocity;
    if (walk->on_plane && vec3_dot(*velocity, walk->ground.plane.normal) < 0) {    /* up slopes at full speed */
        float length = vec3_length(*velocity);
        *velocity = vec3_scale(vec3_normalized(clipped(*velocity, walk->ground.plane.normal)), length);
    }
    slide_move(walk, false);
}

/* Out of the water onto an edge: solid ahead at the waist, free above it. */
static bool water_jump(Walk *walk) {
    if (walk->player->water_level != 2 || walk->sim->time < walk->player->no_control_until)
        return false;
    Vec3 flat = vec3_normalized(vec3_at(walk->axes.forward.x, walk->axes.forward.y, 0));
    Vec3 spot = vec3_add_scaled(walk->self->origin, flat, 30);
    spot.z += 4;
    if (!(sim_contents(walk->sim, spot) & MASK_SOLID))
        return false;
    spot.z += 16;
    if (sim_contents(walk->sim, spot))
        return false;
    walk->self->velocity = vec3_scale(walk->axes.forward, 200);
    walk->self->velocity.z = 350;
    walk->player->no_control_until = walk->sim->time + 2;
    return true;
}

static bool jumps(Walk *walk) {
    SimPlayer *player = walk->player;
    if (!player->input.jump) {
        player->jump_held = false;
        return false;
    }
    if (player->jump_held)
        return false;
    player->jump_held = true;
    walk->on_plane = walk->walking = false;
    walk->self->velocity.z = jump_velocity;
    return true;
}

static void walk_move(Walk *walk) {
    bool under = walk->player->water_level > 2 && vec3_dot(walk->axes.forward, walk->ground.plane.normal) > 0;
    if (under) {
        water_move(walk);
        return;
    }
    if (jumps(walk)) {
        (walk->player->water_level > 1 ? water_move : air_move)(walk);
        return;
    }
    slow_down(walk);
    Vec3 direction;
    float wish;
    wish_flat(walk, true, &direction, &wish);
    if (walk->player->crouched)
        wish = fminf(wish, walk->player->speed * duck_scale);
    if (walk->player->water_level) {
        float wet = (float)walk->player->water_level / 3;
        wish = fminf(wish, walk->player->speed * (1 - (1 - swim_scale) * wet));
    }
    bool knocked = walk->player->knocked && walk->sim->time < walk->player->no_control_until;
    speed_up(walk, direction, wish, walk->slick || knocked ? accelerate_air : accelerate_ground);
    Vec3 *velocity = &walk->self->velocity;
    if (walk->slick || knocked)
        velocity->z -= walk->sim->gravity * walk->dt;
    float speed = vec3_length(*velocity);
    *velocity = clipped(*velocity, walk->ground.plane.normal);
    *velocity = vec3_scale(vec3_normalized(*velocity), speed);    /* slopes do not slow */
    if (velocity->x != 0 || velocity->y != 0)
        step_slide_move(walk, false);
}

static void fly_move(Walk *walk) {
    slow_down(walk);
    const SimInput *in = &walk->player->input;
    Vec3 wish = vec3_add(vec3_scale(walk->axes.forward, in->forward), vec3_scale(walk->axes.right, in->side));
    wish.z += in->up + (in->jump ? 1 : 0) - (in->crouch ? 1 : 0);
    float length = vec3_length(wish);
    speed_up(walk, vec3_normalized(wish), fminf(length, 1) * walk->player->speed, accelerate_fly);
    if (walk->player->mode == SIM_NOCLIP)
        walk->self->origin = vec3_add_scaled(walk->self->origin, walk->self->velocity, walk->dt);
    else
        step_slide_move(walk, false);
}

static void move_walking(Walk *walk) {
    crouch_or_stand(walk);
    find_water(walk);
    find_ground(walk);
    bool thrown = walk->player->water_level == 2 && walk->player->no_control_until > walk->sim->time && !walk->player->knocked;
    if (walk->walking)
        walk_move(walk);
    else if (thrown || walk->player->water_level < 2)
        air_move(walk);
    else if (!water_jump(walk))
        water_move(walk);
    bool was_walking = walk->walking;
    find_ground(walk);
    find_water(walk);
    if (walk->walking && !was_walking)    /* landed: a fall that the next step took for a slope would bounce */
        walk->self->velocity = clipped(walk->self->velocity, walk->ground.plane.normal);
    if (!walk->walking && !walk->player->input.jump)
        walk->player->jump_held = false;
}

void sim_move_player(Sim *sim) {
    SimPlayer *player = &sim->player;
    SimEntity *self = sim_entity(sim, SIM_PLAYER);
    SimInput wanted = player->input;
    if (sim->time < player->no_control_until && player->knocked)
        player->input.forward = player->input.side = player->input.up = 0;
    Walk walk = { .sim = sim, .player = player, .self = self, .dt = (float)SIM_STEP_SECONDS, .axes = axes_from_angles(player->input.angles) };
    self->angles = vec3_at(0, player->input.angles.y, 0);
    if (player->mode == SIM_WALK)
        move_walking(&walk);
    else
        fly_move(&walk);
    player->on_ground = player->mode == SIM_WALK && walk.walking;
    self->ground = player->on_ground ? walk.ground_entity : -1;
    if (sim->time >= player->no_control_until)
        player->knocked = false;
    player->input = wanted;
    sim_link(sim, SIM_PLAYER);
}

void sim_player_teleport(Sim *sim, Vec3 origin, const Vec3 *angles) {
    SimEntity *self = sim_entity(sim, SIM_PLAYER);
    self->velocity = vec3_at(0, 0, 0);
    self->ground = -1;
    if (angles)
        sim->player.input.angles = *angles;
    Vec3 facing = vec3_at(0, sim->player.input.angles.y, 0);
    sim_place(sim, SIM_PLAYER, origin, facing);
}

Vec3 sim_player_eye(const Sim *sim) {
    Vec3 eye = sim->entities.at[SIM_PLAYER].origin;
    eye.z += sim->player.view_height;
    return eye;
}
