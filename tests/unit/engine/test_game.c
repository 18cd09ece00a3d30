/* The game beside the picture: entities from a file beside the level, commands that walk, the eye over stairs, sounds. */
#include "support/test.h"

#include <math.h>
#include <stdlib.h>

#include "support/place.h"

static int setup(void **state) {
    setenv("SDL_AUDIODRIVER", "dummy", 1);
    return place_setup(state);
}

static void open_rooms(Place *place) {
    Error error;
    if (!engine_open_map(place->engine, "rooms", &error))
        fail_msg("%s", error.text);
}

static void entities_beside_the_level_take_the_place_of_its_own(void **state) {
    Place *place = *state;
    Error error;
    temp_text(place->folder, "maps/rooms.ent", "{ \"classname\" \"worldspawn\" } { \"classname\" \"light\" \"origin\" \"1 2 3\" }");
    open_rooms(place);
    const Map *map = place->engine->current->map;
    assert_int_equal(map->entity_count, 2);
    assert_string_equal(bsp_entity_class(&map->entities[1]), "light");
    assert_non_null(strstr(map->entity_text, "1 2 3"));
    assert_true(kept_log_has(&place->log, "map.ent=0"));
    assert_true(var_set(place->vars, "map.ent", "0", &error));
    open_rooms(place);
    assert_true(place->engine->current->map->entity_count > 20);
    assert_true(var_set(place->vars, "map.ent", "1", &error));
    temp_text(place->folder, "maps/rooms.ent", "{ \"classname\" }");
    open_rooms(place);
    assert_true(place->engine->current->map->entity_count > 20);
    assert_true(kept_log_has(&place->log, "maps/rooms.ent: line 1"));
}

static void say(Place *place, const char *line) {
    Error error;
    if (!console_run(place->engine->console, line, &error))
        fail_msg("%s", error.text);
}

static void commands_change_the_way_of_moving_and_back(void **state) {
    Place *place = *state;
    Error error;
    open_rooms(place);
    say(place, "walk");    /* nobody is there: said, and nothing else happens */
    assert_true(engine_sim_open(place->engine, NULL, &error));
    Sim *sim = place->engine->sim;
    sim->player.mode = SIM_FLY;
    Vec3 eye = place->engine->scene.origin;
    say(place, "walk");
    assert_int_equal(sim->player.mode, SIM_WALK);
    Vec3 stands = sim_player_eye(sim);
    assert_true(fabsf(stands.x - eye.x) < 0.01f && fabsf(stands.z - eye.z) < 0.01f);
    say(place, "noclip");
    assert_int_equal(sim->player.mode, SIM_NOCLIP);
    say(place, "noclip");
    assert_int_equal(sim->player.mode, SIM_FLY);
    say(place, "walk");
    say(place, "fly");
    assert_int_equal(sim->player.mode, SIM_FLY);
}

static void the_walking_eye_is_exact_and_in_the_window_goes_between_steps(void **state) {
    Place *place = *state;
    Error error;
    open_rooms(place);
    assert_true(engine_sim_open(place->engine, NULL, &error));
    Engine *engine = place->engine;
    engine_teleport(engine, vec3_at(128, 128, 24.2f), vec3_at(0, 45, 0));
    engine->fly.forward = true;
    for (int i = 0; i < 30; i++) {
        engine_tick(engine, 0.011);
        Vec3 eye = sim_player_eye(engine->sim);
        assert_memory_equal(&eye, &engine->scene.origin, sizeof eye);
    }
    engine->eye_smooth.on = true;
    float last = engine->scene.origin.x, least = 1e9f, most = 0;
    for (int i = 0; i < 40; i++) {    /* frames of 11 ms over steps of 8 ms: as long a way in each, whatever steps fell in it */
        engine_tick(engine, 0.011);
        float way = engine->scene.origin.x - last;
        last = engine->scene.origin.x;
        if (i >= 10) {
            least = fminf(least, way);
            most = fmaxf(most, way);
        }
    }
    assert_true(most > 1 && most - least < 0.1f * most);
}

static void put(uint8_t *at, uint32_t value, int width) {
    for (int i = 0; i < width; i++)
        at[i] = (uint8_t)(value >> (8 * i));
}

static void write_wav(Place *place) {
    uint8_t wav[44 + 200] = "RIFF....WAVEfmt ";
    put(wav + 16, 16, 4);
    put(wav + 20, 1, 2);
    put(wav + 22, 1, 2);
    put(wav + 24, 1000, 4);
    put(wav + 34, 16, 2);
    memcpy(wav + 36, "data", 4);
    put(wav + 40, 200, 4);
    temp_write(place->folder, "sound/beep.wav", wav, sizeof wav);
}

static void sounds_end_by_themselves_or_with_who_makes_them(void **state) {
    Place *place = *state;
    Error error;
    write_wav(place);
    open_rooms(place);
    Engine *engine = place->engine;
    assert_true(engine_sim_open(engine, NULL, &error));
    int speaker = sim_spawn(engine->sim);
    engine_sound_play(engine, speaker, "sound/beep.wav", true, false);
    assert_int_equal(engine->sounds.list.count, 0);    /* nobody hears without a window */
    engine->sounds.hears = true;
    engine_sound_play(engine, speaker, "sound/beep.wav", true, false);
    engine_sound_play(engine, speaker, "sound/beep.wav", true, false);    /* it loops already */
    engine_sound_play(engine, speaker, "sound/beep.wav", false, true);
    engine_sound_play(engine, speaker, "sound/missing.wav", false, true);
    assert_int_equal(engine->sounds.list.count, 2);
    assert_true(kept_log_has(&place->log, "sound/missing.wav"));
    engine_tick(engine, 0.05);
    assert_int_equal(engine->sounds.list.count, 2);
    engine_tick(engine, 0.1);    /* a tenth of a second has passed: the one that plays once is over */
    assert_int_equal(engine->sounds.list.count, 1);
    sim_remove(engine->sim, speaker);
    engine_tick(engine, 0.01);
    assert_int_equal(engine->sounds.list.count, 0);
    speaker = sim_spawn(engine->sim);
    engine_sound_play(engine, speaker, "sound/beep.wav", true, false);
    assert_int_equal(engine->sounds.list.count, 1);
    open_rooms(place);
    assert_int_equal(engine->sounds.list.count, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(entities_beside_the_level_take_the_place_of_its_own, setup, place_teardown),
        cmocka_unit_test_setup_teardown(commands_change_the_way_of_moving_and_back, setup, place_teardown),
        cmocka_unit_test_setup_teardown(the_walking_eye_is_exact_and_in_the_window_goes_between_steps, setup, place_teardown),
        cmocka_unit_test_setup_teardown(sounds_end_by_themselves_or_with_who_makes_them, setup, place_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
