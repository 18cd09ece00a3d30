/* engine/engine_sim.c -- the game beside the picture: its steps, brush models where its entities stand, what its doors hide,
 * the player's eye. */
#include <math.h>

#include "engine/engine_internal.h"

const Collision *engine_collision(OpenLevel *level) {
    if (!level->collision)
        level->collision = bsp_collision(level->map, level->arena);
    return level->collision;
}

bool engine_sim_open(Engine *engine, const SimBehaviours *behaviours, Error *error) {
    if (!engine->current)
        return fail(error, "no level is open");
    engine_sim_close(engine);
    engine->sim = sim_open(engine->current->map, engine_collision(engine->current), behaviours);
    return true;
}

void engine_sim_close(Engine *engine) {
    engine->scene.areas = NULL;
    sim_close(engine->sim);
    engine->sim = NULL;
}

/* A model that several entities name stands where the last of them does; one whose entities are gone is not seen. Without
 * a game, doors hide nothing. */
static void show_models(Engine *engine) {
    Sim *sim = engine->sim;
    for (int i = 1; i < engine->scene.pose_count; i++)
        engine->scene.poses[i].shown = false;
    for (int i = 0; i < sim_count(sim); i++) {
        const SimEntity *entity = sim_entity(sim, i);
        if (!entity->alive || entity->model < 1 || entity->model >= engine->scene.pose_count)
            continue;
        engine->scene.poses[entity->model] =
            (ScenePose){ .shown = entity->visible, .origin = entity->origin, .angles = entity->angles };
    }
    sim_find_shut(sim);
}

void engine_sim_show(Engine *engine) {
    if (engine->sim)
        show_models(engine);
}

const BspAreas *engine_areas(const Engine *engine) { return engine->sim && engine->var.areas->number != 0 ? &engine->sim->areas : NULL; }

/* Keys and mouse of the flying eye are the player's where he walks. */
static void feed_player(Engine *engine) {
    SimPlayer *player = &engine->sim->player;
    const EngineFly *fly = &engine->fly;
    if (engine->player_input.given)
        player->input = engine->player_input.input;
    else if (player->mode == SIM_FLY || engine->eye_owned)
        player->input = (SimInput){ 0 };    /* the keys move the eye, or nothing */
    else
        player->input = (SimInput){
            .forward = (float)(fly->forward - fly->back), .side = (float)(fly->right - fly->left),
            .up = (float)(fly->up - fly->down), .jump = fly->up, .crouch = fly->down };
    player->input.angles = engine->player_angles;
}

/* How far a stair, or crouching, lifted the eye in this step: it follows within a fifth of a second, as in the game. */
static void follow_stairs(Engine *engine, Vec3 before, bool was_on_ground) {
    static const float least = 2, most = 32, speed = 160;    /* slopes and lifts are less a step; a fall or teleport is more */
    Vec3 now = sim_player_eye(engine->sim);
    float lag = engine->eye_smooth.lag, rise = now.z - before.z;
    if (was_on_ground && engine->sim->player.on_ground && fabsf(rise) > least && fabsf(rise) < most)
        lag += rise;
    if (vec3_length(vec3_sub(now, before)) > 2 * most) {
        lag = 0;
        before = now;
    }
    float back = speed / SIM_RATE;
    lag = lag > 0 ? fmaxf(lag - back, 0) : fminf(lag + back, 0);
    engine->eye_smooth.lag = CLAMP(lag, -most, most);
    engine->eye_smooth.before = before;
}

static Vec3 smooth_eye(const Engine *engine) {
    float part = (float)((engine->clock.now - engine->sim->time) * SIM_RATE);
    Vec3 eye = vec3_mix(engine->eye_smooth.before, sim_player_eye(engine->sim), CLAMP(part, 0.0f, 1.0f));
    eye.z -= engine->eye_smooth.lag;
    return eye;
}

static void eye_to_player(Engine *engine) {
    if (engine->eye_owned)
        return;
    engine->scene.origin = engine->eye_smooth.on ? smooth_eye(engine) : sim_player_eye(engine->sim);
    engine->scene.angles = engine->player_angles;
}

/* The flying eye takes the player along, so that walking goes on from there. */
static void player_to_eye(Engine *engine) {
    Vec3 origin = engine->scene.origin;
    origin.z -= engine->sim->player.view_height;
    engine->player_angles = engine->scene.angles;
    sim_player_teleport(engine->sim, origin, &engine->scene.angles);
}

static void run(Engine *engine, int64_t steps) {
    if (engine->sim->player.mode == SIM_FLY && !engine->eye_owned)
        player_to_eye(engine);
    else if (!engine->eye_owned)
        engine->player_angles = engine->scene.angles;    /* the mouse turned the eye */
    double now = engine->clock.now;
    engine->stepping = true;
    for (int64_t i = 0; i < steps; i++) {
        feed_player(engine);
        engine->clock.now = (double)(engine->sim->step + 1) / SIM_RATE;    /* what behaviours take for now, however long the frame is */
        Vec3 before = sim_player_eye(engine->sim);
        bool was_on_ground = engine->sim->player.on_ground;
        sim_step(engine->sim);
        follow_stairs(engine, before, was_on_ground);
    }
    engine->stepping = false;
    engine->clock.now = now;
    show_models(engine);
    if (engine->sim->player.mode != SIM_FLY)
        eye_to_player(engine);
}

void engine_sim_run(Engine *engine) {
    if (!engine->sim)
        return;
    double due = floor(engine->clock.now * SIM_RATE + 1e-6) - (double)engine->sim->step;
    run(engine, due < 0 ? 0 : due > SIM_RATE ? SIM_RATE : (int64_t)due);
    if (due > SIM_RATE)    /* after a long stop the game goes on from here, and does not catch up */
        engine->clock.now = engine->sim->time;
}

void engine_sim_step(Engine *engine, int steps) {
    if (engine->sim && !engine->stepping)
        run(engine, steps);
}

void engine_teleport(Engine *engine, Vec3 origin, Vec3 angles) {
    engine->player_angles = angles;
    sim_player_teleport(engine->sim, origin, &angles);
    if (engine->eye_owned)
        return;
    engine->scene.origin = sim_player_eye(engine->sim);
    engine->scene.angles = angles;
}

void engine_sim_mode(Engine *engine, SimMode mode) {
    Sim *sim = engine->sim;
    if (sim->player.mode == mode)
        return;
    if (sim->player.mode == SIM_FLY && !engine->eye_owned)
        player_to_eye(engine);
    sim->player.mode = mode;
    engine->eye_smooth.before = sim_player_eye(sim);
    engine->eye_smooth.lag = 0;
}
