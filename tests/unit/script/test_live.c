/* Behaviours as files, while the program runs: a changed one goes on with the entities that are there, a new one wakes
 * those that waited for it, a broken one leaves the last good one. */
#include "support/test.h"

#include <stdio.h>

#include "support/place.h"

static const char door[] =
    "local door = {}\n"
    "function door.spawn(self) self.solid, self.spawned = true, (self.spawned or 0) + 1 self:after(0.1) end\n"
    "function door.think(self) self.origin = self.origin + lw.vec3(0, 0, 1) self:after(0.1) end\n"
    "return door\n";

static int setup(void **state) {
    Place *place = place_open();
    Error error;
    temp_text(place->folder, "scripts/entities/func_door.lua", door);
    place_start(place, place->folder->path, true);
    if (!engine_open_map(place->engine, LEAFWALK_SOURCE_DIR "/maps/rooms.bsp", &error))
        fail_msg("%s", error.text);
    place_start_scripts(place);
    *state = place;
    return 0;
}

static void run(Place *place, const char *lua) {
    Error error;
    if (!scripts_run_chunk(place->scripts, lua, "test", 0, NULL, &error))
        fail_msg("%s", error.text);
}

static void save(Place *place, const char *name, const char *text) {
    char path[512];
    temp_text(place->folder, name, text);
    text_copy(path, sizeof path, temp_path(place->folder, name));
    scripts_changed(place->scripts, path);
}

static void a_changed_think_goes_on_from_where_the_door_stands(void **state) {
    Place *place = *state;
    run(place, "door = lw.entities.all('func_door')[1] z = door.origin.z lw.time.step(125) assert(door.origin.z > z + 8) z = door.origin.z");
    save(place, "scripts/entities/func_door.lua",
         "local door = {}\n"
         "function door.spawn(self) error('it is there already') end\n"
         "function door.think(self) self.origin = self.origin - lw.vec3(0, 0, 2) self:after(0.1) end\n"
         "return door\n");
    assert_null(scripts_error(place->scripts));
    run(place, "assert(door.valid and door.spawned == 1 and door.origin.z == z)\n"
               "lw.time.step(63) assert(door.origin.z < z - 7 and door.origin.z > z - 13, door.origin.z)");
}

static void a_broken_save_leaves_the_last_good_one(void **state) {
    Place *place = *state;
    run(place, "door = lw.entities.all('func_door')[1] z = door.origin.z");
    save(place, "scripts/entities/func_door.lua", "local = 3");
    assert_non_null(scripts_error(place->scripts));
    run(place, "lw.time.step(125) assert(door.origin.z > z + 8)");
    save(place, "scripts/entities/func_door.lua", door);
    assert_null(scripts_error(place->scripts));
}

static void an_error_stops_one_entity_until_its_file_is_better(void **state) {
    Place *place = *state;
    run(place, "door = lw.entities.all('func_door')[1] lw.time.step(30)");
    save(place, "scripts/entities/func_door.lua", "return { think = function(self) error('broken on purpose') end }");
    run(place, "lw.time.step(125) assert(door.stopped)");
    const char *shown = scripts_error(place->scripts);
    assert_non_null(shown);
    assert_non_null(strstr(shown, "entity 5 (func_door)"));
    assert_non_null(strstr(shown, "func_door.lua:1"));
    save(place, "scripts/entities/func_door.lua", door);
    run(place, "assert(not door.stopped) z = door.origin.z lw.time.step(60) assert(door.origin.z > z + 3)");    /* the think that failed is done */
}

static void what_failed_to_be_born_is_born_by_the_better_file(void **state) {
    Place *place = *state;
    save(place, "scripts/entities/ammo_rockets.lua", "return { spawn = function(self) self.half = true error('not today') end }");
    run(place, "item = lw.entities.all('ammo_rockets')[1] assert(item.stopped and item.half)");
    save(place, "scripts/entities/ammo_rockets.lua", "return { spawn = function(self) self.awake = true end }");
    run(place, "assert(not item.stopped and item.awake and not item.half)");
    remove(temp_path(place->folder, "scripts/entities/ammo_rockets.lua"));
}

static void what_arrived_while_it_was_stopped_goes_on_from_there(void **state) {
    Place *place = *state;
    static const char way[] = "local e = {}\n"
                              "function e.spawn(self) self.visible, self.count = true, 0 e.arrived(self) end\n"
                              "function e.arrived(self) self.count = self.count + 1 self:move(self.origin + lw.vec3(0, 0, 8), 0.2) end\n"
                              "function e.use() %s end\n"
                              "return e\n";
    char text[512];
    snprintf(text, sizeof text, way, "error('broken')");
    save(place, "scripts/entities/ammo_rockets.lua", text);
    run(place, "item = lw.entities.all('ammo_rockets')[1] lw.time.step(60) assert(item.count == 3) item:use() assert(item.stopped)\n"
               "lw.time.step(60) assert(item.count == 3 and not item:moving())");
    snprintf(text, sizeof text, way, "");
    save(place, "scripts/entities/ammo_rockets.lua", text);
    run(place, "assert(item.count == 4 and item:moving()) lw.time.step(60) assert(item.count == 6)");
    remove(temp_path(place->folder, "scripts/entities/ammo_rockets.lua"));
}

static void a_new_file_wakes_the_entities_that_waited_for_it(void **state) {
    Place *place = *state;
    run(place, "item = lw.entities.all('ammo_rockets')[1] assert(not item.awake and not item.visible)");
    save(place, "scripts/entities/ammo_rockets.lua", "return { spawn = function(self) self.awake = true end }");
    run(place, "assert(item.awake)");
    remove(temp_path(place->folder, "scripts/entities/ammo_rockets.lua"));
}

static void a_class_defined_by_a_script_wakes_the_entities_of_the_level(void **state) {
    Place *place = *state;
    run(place, "local seen = 0\n"
               "lw.entities.behaviour('weapon_*', { spawn = function(self) seen = seen + 1 end })\n"
               "assert(seen == 1)\n"
               "lw.entities.behaviour('weapon_*', { spawn = function(self) seen = seen + 10 end })\n"
               "assert(seen == 1, 'it lives already')\n"
               "lw.entities.spawn { classname = 'weapon_x' }\n"
               "assert(seen == 11)");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_changed_think_goes_on_from_where_the_door_stands, setup, place_teardown),
        cmocka_unit_test_setup_teardown(a_broken_save_leaves_the_last_good_one, setup, place_teardown),
        cmocka_unit_test_setup_teardown(an_error_stops_one_entity_until_its_file_is_better, setup, place_teardown),
        cmocka_unit_test_setup_teardown(what_failed_to_be_born_is_born_by_the_better_file, setup, place_teardown),
        cmocka_unit_test_setup_teardown(what_arrived_while_it_was_stopped_goes_on_from_there, setup, place_teardown),
        cmocka_unit_test_setup_teardown(a_new_file_wakes_the_entities_that_waited_for_it, setup, place_teardown),
        cmocka_unit_test_setup_teardown(a_class_defined_by_a_script_wakes_the_entities_of_the_level, setup, place_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
