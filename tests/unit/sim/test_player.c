/* The player walks, jumps, slides and is carried, in small levels. */
#include "support/test.h"

#include <math.h>

#include "sim/sim.h"
#include "support/level.h"

typedef struct Place { Arena *arena; Map *map; Sim *sim; } Place;

static Place open_place(const char *name) {
    Place place = { .arena = arena_open() };
    place.map = level_map(place.arena, name);
    place.sim = sim_open(place.map, bsp_collision(place.map, place.arena), NULL);
    return place;
}

static void close_place(Place *place) {
    sim_close(place->sim);
    arena_close(place->arena);
}

static void steps(Sim *sim, int count) {
    for (int i = 0; i < count; i++)
        sim_step(sim);
}

static SimEntity *me(const Place *place) { return sim_entity(place->sim, SIM_PLAYER); }

static void near(float a, float b, float within) {
    if (!(fabsf(a - b) <= within))
        fail_msg("%g is not within %g of %g", (double)a, (double)within, (double)b);
}

static void a_player_falls_to_the_floor_and_stands(void **state) {
    (void)state;
    Place place = open_place("room");
    sim_player_teleport(place.sim, vec3_at(128, 128, 80), NULL);
    steps(place.sim, 250);
    near(me(&place)->origin.z, 24.125f, 0.01f);
    assert_true(place.sim->player.on_ground);
    near(sim_player_eye(place.sim).z, 50.125f, 0.01f);
    close_place(&place);
}

static void a_jump_rises_45_units(void **state) {    /* 270^2 / (2 * 800) = 45.6 */
    (void)state;
    Place place = open_place("room");
    sim_player_teleport(place.sim, vec3_at(128, 128, 24.125f), NULL);
    steps(place.sim, 2);
    place.sim->player.input.jump = true;
    float top = 0;
    for (int i = 0; i < 125; i++) {
        sim_step(place.sim);
        top = fmaxf(top, me(&place)->origin.z);
    }
    near(top - 24.125f, 45.56f, 0.1f);
    steps(place.sim, 125);
    near(me(&place)->origin.z, 24.125f, 0.01f);    /* the key is still held: no second jump */
    close_place(&place);
}

static void running_reaches_320_and_stops_at_the_wall(void **state) {
    (void)state;
    Place place = open_place("two rooms");
    sim_player_teleport(place.sim, vec3_at(40, 40, 24.125f), NULL);
    place.sim->player.input.forward = 1;
    steps(place.sim, 60);
    near(vec3_length(me(&place)->velocity), 320, 1);
    steps(place.sim, 300);
    near(me(&place)->origin.x, 256 - 15 - 0.125f, 0.05f);
    near(me(&place)->origin.z, 24.125f, 0.05f);
    close_place(&place);
}

static void sliding_along_a_wall_keeps_the_speed_along_it(void **state) {    /* traps F7 */
    (void)state;
    for (int angle = 5; angle <= 70; angle += 5) {    /* nearer to 90 the ground's friction holds what is left */
        Place place = open_place("room");
        sim_player_teleport(place.sim, vec3_at(30, 15.5f, 24.125f), NULL);
        place.sim->player.input.forward = 1;
        place.sim->player.input.angles = vec3_at(0, (float)-angle, 0);    /* into the wall at y 0 */
        steps(place.sim, 60);
        assert_true(me(&place)->origin.y < 15.3f);
        assert_true(me(&place)->velocity.x > 0.9f * 320 * cosf((float)angle * 0.0174533f));    /* the wish's part along it */
        near(me(&place)->velocity.y, 0, 1);
        close_place(&place);
    }
}

static void a_crouched_player_is_low_and_slow(void **state) {
    (void)state;
    Place place = open_place("two rooms");
    sim_player_teleport(place.sim, vec3_at(40, 40, 24.125f), NULL);
    place.sim->player.input.crouch = true;
    place.sim->player.input.forward = 1;
    steps(place.sim, 100);
    near(vec3_length(me(&place)->velocity), 80, 1);
    assert_true(me(&place)->box.maxs.z == 16);
    place.sim->player.input.crouch = false;
    steps(place.sim, 1);
    assert_true(me(&place)->box.maxs.z == 32);
    close_place(&place);
}

static void noclip_passes_walls_and_flying_does_not(void **state) {
    (void)state;
    Place place = open_place("room");
    sim_player_teleport(place.sim, vec3_at(128, 128, 64), NULL);
    place.sim->player.mode = SIM_FLY;
    place.sim->player.input.forward = 1;
    steps(place.sim, 250);
    near(me(&place)->origin.x, 240.875f, 0.1f);
    place.sim->player.mode = SIM_NOCLIP;
    steps(place.sim, 250);
    assert_true(me(&place)->origin.x > 400);
    close_place(&place);
}

static void a_rising_platform_carries_its_rider(void **state) {
    (void)state;
    Place place = open_place("door");
    int door = sim_spawn(place.sim);
    sim_set_model(place.sim, door, 1);
    SimEntity *self = sim_entity(place.sim, door);
    self->solid = SIM_BRUSH;
    self->carries = true;
    Box box = place.map->models[1].bounds;
    sim_place(place.sim, door, vec3_at(-100 - box.mins.x + 128, 0, 8 - box.maxs.z), vec3_at(0, 0, 0));    /* its top 8 over the floor */
    Vec3 middle = box_middle(sim_entity(place.sim, door)->absolute);
    sim_player_teleport(place.sim, vec3_at(middle.x, middle.y, 32.5f), NULL);
    steps(place.sim, 20);
    assert_int_equal(me(&place)->ground, door);
    self = sim_entity(place.sim, door);
    Vec3 up = self->origin;
    up.z += 20;
    self->move = trajectory_move(self->origin, up, place.sim->time, 1, false);
    steps(place.sim, 140);
    near(me(&place)->origin.z, 24 + 8 + 20.125f, 0.2f);
    close_place(&place);
}

typedef struct Heard { int blocked, arrived, touched, thought; } Heard;
static void hear_blocked(void *user, int entity, int other) { (void)entity; (void)other; ((Heard *)user)->blocked++; }
static void hear_arrived(void *user, int entity) { (void)entity; ((Heard *)user)->arrived++; }
static void hear_touch(void *user, int entity, int other) { (void)entity; (void)other; ((Heard *)user)->touched++; }
static void hear_think(void *user, int entity) { (void)entity; ((Heard *)user)->thought++; }

static void a_door_that_cannot_close_hears_who_blocks_it(void **state) {
    (void)state;
    Place place = open_place("door");
    Heard heard = { 0 };
    place.sim->behaviours = (SimBehaviours){ &heard, hear_think, hear_touch, hear_blocked, hear_arrived };
    int door = sim_spawn(place.sim);
    sim_set_model(place.sim, door, 1);
    SimEntity *self = sim_entity(place.sim, door);
    self->solid = SIM_BRUSH;
    self->carries = self->arriving = true;
    Box box = place.map->models[1].bounds;
    Vec3 middle = box_middle(box);
    sim_place(place.sim, door, vec3_at(0, 0, 200), vec3_at(0, 0, 0));
    sim_player_teleport(place.sim, vec3_at(middle.x, middle.y, 24.2f), NULL);    /* in the doorway, under it */
    self = sim_entity(place.sim, door);
    self->move = trajectory_move(self->origin, vec3_at(0, 0, 0), 0, 1, false);
    steps(place.sim, 250);
    assert_true(heard.blocked > 50 && heard.arrived == 0);
    sim_player_teleport(place.sim, vec3_at(40, 40, 24.2f), NULL);
    steps(place.sim, 250);
    assert_int_equal(heard.arrived, 1);
    assert_true(sim_entity(place.sim, door)->origin.z == 0);
    close_place(&place);
}

static void triggers_are_touched_and_thinking_comes_on_time(void **state) {
    (void)state;
    Place place = open_place("room");
    Heard heard = { 0 };
    place.sim->behaviours = (SimBehaviours){ &heard, hear_think, hear_touch, hear_blocked, hear_arrived };
    int trigger = sim_spawn(place.sim);
    sim_entity(place.sim, trigger)->solid = SIM_TRIGGER;
    sim_entity(place.sim, trigger)->box = (Box){ vec3_at(-10, -10, -10), vec3_at(10, 10, 10) };
    sim_place(place.sim, trigger, vec3_at(128, 128, 20), vec3_at(0, 0, 0));
    sim_entity(place.sim, trigger)->next_think = 0.4;
    sim_player_teleport(place.sim, vec3_at(40, 40, 24.125f), NULL);
    steps(place.sim, 49);
    assert_int_equal(heard.touched + heard.thought, 0);
    sim_player_teleport(place.sim, vec3_at(128, 128, 24.125f), NULL);
    steps(place.sim, 50);
    assert_int_equal(heard.thought, 1);
    assert_int_equal(heard.touched, 50);
    sim_remove(place.sim, trigger);
    steps(place.sim, 5);
    assert_int_equal(heard.touched, 50);
    unsigned old = sim_entity(place.sim, trigger)->generation;
    assert_int_equal(sim_spawn(place.sim), trigger);
    assert_true(sim_entity(place.sim, trigger)->generation > old);
    close_place(&place);
}

static uint64_t random_walk(uint64_t seed, int count) {
    Place place = open_place("everything");
    sim_player_teleport(place.sim, vec3_at(40, 40, 30), NULL);
    for (int i = 0; i < count; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        if (i % 25 == 0)
            place.sim->player.input = (SimInput){
                .forward = (float)(int)(seed >> 60) / 7 - 1, .side = (float)(int)(seed >> 56 & 15) / 7 - 1,
                .jump = seed >> 55 & 1, .crouch = (seed >> 52 & 7) == 0, .angles = vec3_at(0, (float)(seed >> 40 & 511), 0),
            };
        sim_step(place.sim);
        assert_true(vec3_finite(me(&place)->origin) && vec3_finite(me(&place)->velocity));
    }
    Box in = { vec3_sub(place.map->bounds.mins, vec3_at(64, 64, 64)), vec3_add(place.map->bounds.maxs, vec3_at(64, 64, 64)) };
    assert_true(box_touches(in, me(&place)->absolute));
    uint64_t hash = sim_hash(place.sim);
    close_place(&place);
    return hash;
}

static void the_same_inputs_give_the_same_bits(void **state) {
    (void)state;
    assert_true(random_walk(3, 5000) == random_walk(3, 5000));
    assert_true(random_walk(3, 500) != random_walk(4, 500));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_player_falls_to_the_floor_and_stands),
        cmocka_unit_test(a_jump_rises_45_units),
        cmocka_unit_test(running_reaches_320_and_stops_at_the_wall),
        cmocka_unit_test(sliding_along_a_wall_keeps_the_speed_along_it),
        cmocka_unit_test(a_crouched_player_is_low_and_slow),
        cmocka_unit_test(noclip_passes_walls_and_flying_does_not),
        cmocka_unit_test(a_rising_platform_carries_its_rider),
        cmocka_unit_test(a_door_that_cannot_close_hears_who_blocks_it),
        cmocka_unit_test(triggers_are_touched_and_thinking_comes_on_time),
        cmocka_unit_test(the_same_inputs_give_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
