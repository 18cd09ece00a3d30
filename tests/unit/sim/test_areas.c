/* Doors shut the area portals that they fill for as long as they stand there, in our level: one door, one portal. */
#include "support/test.h"

#include "files/files.h"
#include "sim/sim.h"

typedef struct Place { Arena *arena; const Map *map; Sim *sim; int door; Vec3 closed, open; } Place;

static const Vec3 still = { .x = 0, .y = 0, .z = 0 };

static int new_door(Place *place, Vec3 closed) {
    int door = sim_spawn(place->sim);
    sim_set_model(place->sim, door, 1);
    sim_place(place->sim, door, closed, still);
    return door;
}

static int setup(void **state) {
    Place *place = mem_zeroed(1, sizeof *place);
    place->arena = arena_open();
    FileBytes file;
    Error error = { 0 };
    if (!file_read_disk(LEAFWALK_SOURCE_DIR "/maps/rooms.bsp", &file, &error))
        fail_msg("%s", error.text);
    place->map = bsp_load(place->arena, "maps/rooms.bsp", file.bytes, file.size, NULL, &error);
    file_free(&file);
    place->sim = sim_open(place->map, bsp_collision(place->map, place->arena), NULL);
    place->closed = vec3_at(816, 696, 64);
    place->open = vec3_at(816, 696, 164);
    place->door = new_door(place, place->closed);
    *state = place;
    return 0;
}

static int teardown(void **state) {
    Place *place = *state;
    sim_close(place->sim);
    arena_close(place->arena);
    mem_free(place);
    return 0;
}

static bool shut(Place *place) {
    sim_find_shut(place->sim);
    return place->sim->areas.portals.at[0].shut;
}

static void a_door_shuts_its_portal_while_it_stands_where_it_said(void **state) {
    Place *place = *state;
    assert_false(shut(place));    /* it has not said so yet */
    assert_int_equal(sim_shuts(place->sim, place->door, place->closed), 1);
    assert_true(shut(place));
    sim_place(place->sim, place->door, place->open, still);
    assert_false(shut(place));
    sim_place(place->sim, place->door, place->closed, vec3_at(0, 5, 0));    /* ajar */
    assert_false(shut(place));
    sim_place(place->sim, place->door, place->closed, still);
    assert_true(shut(place));
    sim_entity(place->sim, place->door)->visible = false;
    assert_false(shut(place));
    sim_entity(place->sim, place->door)->visible = true;
    sim_shuts_nothing(place->sim, place->door);
    assert_false(shut(place));
}

static void it_opens_with_its_first_step_and_shuts_with_its_last(void **state) {
    Place *place = *state;
    Sim *sim = place->sim;
    sim_shuts(sim, place->door, place->closed);
    sim_entity(sim, place->door)->move = trajectory_move(place->closed, place->open, sim->time, 0.2, false);
    sim_step(sim);
    assert_false(shut(place));
    for (int i = 0; i < 60; i++)
        sim_step(sim);
    assert_false(shut(place));
    sim_entity(sim, place->door)->move = trajectory_move(place->open, place->closed, sim->time, 0.2, false);
    for (int i = 0; i < 24; i++) {
        sim_step(sim);
        assert_false(shut(place));
    }
    for (int i = 0; i < 3; i++)
        sim_step(sim);
    assert_true(shut(place));
}

static void of_two_doors_one_that_is_open_is_enough(void **state) {
    Place *place = *state;
    Sim *sim = place->sim;
    int other = new_door(place, place->closed);
    sim_shuts(sim, place->door, place->closed);
    sim_shuts(sim, other, place->closed);
    assert_true(shut(place));
    sim_place(sim, place->door, place->open, still);
    assert_false(shut(place));
    sim_place(sim, other, place->open, still);
    assert_false(shut(place));
    sim_place(sim, place->door, place->closed, still);
    assert_false(shut(place));
    sim_remove(sim, other);
    assert_true(shut(place));
    int third = new_door(place, place->open);    /* takes the removed one's number, and shuts nothing */
    assert_int_equal(third, other);
    assert_true(shut(place));
}

static void a_door_elsewhere_touches_no_portal(void **state) {
    Place *place = *state;
    assert_int_equal(sim_shuts(place->sim, place->door, vec3_at(100, 100, 64)), 0);
    assert_false(shut(place));
    sim_place(place->sim, place->door, place->open, still);
    assert_int_equal(sim_shuts(place->sim, place->door, place->closed), 1);    /* said where it will stand; it is not there yet */
    assert_false(shut(place));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_door_shuts_its_portal_while_it_stands_where_it_said, setup, teardown),
        cmocka_unit_test_setup_teardown(it_opens_with_its_first_step_and_shuts_with_its_last, setup, teardown),
        cmocka_unit_test_setup_teardown(of_two_doors_one_that_is_open_is_enough, setup, teardown),
        cmocka_unit_test_setup_teardown(a_door_elsewhere_touches_no_portal, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
