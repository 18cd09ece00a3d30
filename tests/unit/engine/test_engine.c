/* The engine on our own small level, with the null renderer: opening, reloading, clock, flying, commands, letters. */
#include "support/test.h"

#include <math.h>

#include "engine/engine.h"
#include "support/temp_folder.h"

static const char rooms[] = LEAFWALK_SOURCE_DIR "/maps/rooms.bsp";

typedef struct Place { Vars *vars; Engine *engine; TempFolder *folder; } Place;

static int setup(void **state) {
    Place *place = mem_zeroed(1, sizeof *place);
    place->vars = vars_open();
    place->folder = temp_folder_open();
    static const char *paths[1];
    paths[0] = place->folder->path;
    EngineSetup setup = { .threads = 1, .data_folder = LEAFWALK_SOURCE_DIR, .build_folder = LEAFWALK_BUILD_DIR, .vars = place->vars,
                          .paths = paths, .path_count = 1, .writable = place->folder->path };
    Error error;
    place->engine = engine_open(&setup, &error);
    if (!place->engine)
        fail_msg("%s", error.text);
    *state = place;
    return 0;
}

static int teardown(void **state) {
    Place *place = *state;
    engine_close(place->engine);
    vars_close(place->vars);
    temp_folder_close(place->folder);
    mem_free(place);
    return 0;
}

static void open_map(Engine *engine, const char *map) {
    Error error;
    if (!engine_open_map(engine, map, &error))
        fail_msg("%s", error.text);
}

static void run(Engine *engine, const char *line) {
    Error error;
    if (!console_run(engine->console, line, &error))
        fail_msg("%s: %s", line, error.text);
}

static const char *newest(Engine *engine) {
    console_line_count(engine->console);
    const char *line = console_line(engine->console, 0, NULL, NULL);
    return line ? line : "";
}

static void a_level_is_found_by_every_name_it_has(void **state) {
    Engine *engine = ((Place *)*state)->engine;
    static const char *const names[] = { "rooms", "ROOMS", "rooms.bsp", rooms };
    for (int i = 0; i < COUNT_OF(names); i++) {
        assert_true(engine_map_exists(engine, names[i]));
        open_map(engine, names[i]);
        assert_string_equal(engine->current->map->name, i == 1 ? "ROOMS" : "rooms");
    }
    assert_false(engine_map_exists(engine, "room"));
    assert_false(engine_map_exists(engine, ""));
    assert_false(engine_map_exists(engine, "../rooms"));
}

static void a_level_that_is_refused_leaves_the_old_one(void **state) {
    Place *place = *state;
    Engine *engine = place->engine;
    open_map(engine, "rooms");
    const OpenLevel *before = engine->current;
    unsigned generation = engine->map_generation;
    temp_text(place->folder, "maps/broken.bsp", "IBSP");
    Error error;
    assert_false(engine_open_map(engine, "broken", &error));
    assert_non_null(strstr(error.text, "broken.bsp"));
    assert_false(engine_open_map(engine, "romms", &error));
    assert_non_null(strstr(error.text, "did you mean rooms?"));
    temp_text(place->folder, "source.map", "{}");
    assert_false(engine_open_map(engine, temp_path(place->folder, "source.map"), &error));
    assert_non_null(strstr(error.text, "compile"));
    assert_true(engine->current == before && engine->map_generation == generation);
}

static void opening_starts_clock_and_eye_anew_and_reloading_keeps_them(void **state) {
    Engine *engine = ((Place *)*state)->engine;
    Error error;
    assert_false(engine_reload_map(engine, &error));
    open_map(engine, "rooms");
    Vec3 start = engine->scene.origin;
    engine_tick(engine, 0.5);
    engine_tick(engine, 0.5);
    run(engine, "setviewpos 1 2 3 90; r.fov 70");
    engine->scene.locked = true;
    unsigned generation = engine->map_generation;
    assert_true(engine_reload_map(engine, &error));
    assert_true(engine->map_generation == generation + 1);
    assert_true(engine->scene.origin.x == 1 && engine->scene.angles.y == 90 && engine->clock.now == 1);
    assert_true(engine->scene.locked);    /* the same clusters as before */
    open_map(engine, "rooms");
    assert_true(engine->clock.now == 0 && engine->clock.frame == 0);
    assert_memory_equal(&engine->scene.origin, &start, sizeof start);
    assert_true(engine->scene.fov == 70 && !engine->scene.locked);
}

static void a_changed_file_is_read_again(void **state) {
    Place *place = *state;
    Engine *engine = place->engine;
    FileBytes bytes;
    Error error;
    assert_true(file_read_disk(rooms, &bytes, &error));
    temp_write(place->folder, "maps/copy.bsp", bytes.bytes, bytes.size);
    open_map(engine, "copy");
    assert_string_equal(engine->current->path, temp_path(place->folder, "maps/copy.bsp"));
    unsigned generation = engine->map_generation;
    temp_text(place->folder, "maps/copy.bsp", "half a file");
    engine_file_changed(engine, engine->current->path);
    assert_true(engine->map_generation == generation && engine->current);
    temp_write(place->folder, "maps/copy.bsp", bytes.bytes, bytes.size);
    engine_file_changed(engine, engine->current->path);
    assert_true(engine->map_generation == generation + 1);
    engine_file_changed(engine, "/elsewhere/copy.bsp");
    assert_true(engine->map_generation == generation + 1);
    file_free(&bytes);
}

static void a_changed_material_script_changes_the_level(void **state) {
    Place *place = *state;
    Engine *engine = place->engine;
    open_map(engine, "rooms");
    const Level *level = &engine->current->level;
    const Material *material = level->materials[0];
    unsigned serial = level->serial;
    assert_false(material->scripted);
    Text script = { 0 };
    text_format(&script, "%s\n{\ncull none\n}\n", material->name);
    temp_text(place->folder, "scripts/own.shader", script.at);
    text_free(&script);
    engine_file_changed(engine, temp_path(place->folder, "scripts/own.shader"));
    assert_true(level->materials[0] == material && material->scripted && material->cull == CULL_NONE);
    assert_true(level->serial != serial);
    serial = level->serial;
    engine_file_changed(engine, temp_path(place->folder, "notes.txt"));
    assert_int_equal(level->serial, serial);
}

static void the_clock_minds_scale_and_pause(void **state) {
    Engine *engine = ((Place *)*state)->engine;
    open_map(engine, "rooms");
    engine_tick(engine, 0.25);
    assert_true(engine->clock.frame == 0 && engine->clock.delta == 0.25);
    engine->clock.scale = 2;
    engine_tick(engine, 0.25);
    assert_true(engine->clock.now == 0.75 && engine->clock.frame == 1);
    engine->clock.paused = true;
    engine_tick(engine, 0.25);
    assert_true(engine->clock.now == 0.75 && engine->clock.delta == 0 && engine->clock.frame == 2);
}

static void keys_fly_where_the_eye_looks(void **state) {
    Engine *engine = ((Place *)*state)->engine;
    open_map(engine, "rooms");
    run(engine, "setviewpos 0 0 0 90; fly.speed 100; +forward");
    engine_tick(engine, 0.5);
    assert_float_equal(engine->scene.origin.x, 0, 0.001);
    assert_float_equal(engine->scene.origin.y, 50, 0.001);
    run(engine, "-forward; +moveup; +speed");
    engine_tick(engine, 0.5);
    assert_float_equal(engine->scene.origin.z, 150, 0.001);
    engine->eye_owned = true;
    engine_tick(engine, 0.5);
    assert_float_equal(engine->scene.origin.z, 150, 0.001);
    engine->eye_owned = false;
    run(engine, "-moveup; +moveleft; -speed");
    engine_tick(engine, 1);
    assert_float_equal(engine->scene.origin.x, -100, 0.001);
    engine_tick(engine, 1e9);
    assert_true(isfinite(engine->scene.origin.x) && fabsf(engine->scene.origin.x) <= 131072);
}

static void the_mouse_turns_and_stops_at_straight_up(void **state) {
    Engine *engine = ((Place *)*state)->engine;
    run(engine, "in.sensitivity 0.5; setviewpos 0 0 0 0");
    engine_mouse(engine, 20, 10);
    assert_true(engine->scene.angles.x == 5 && engine->scene.angles.y == -10);
    engine_mouse(engine, 0, -1e6f);
    assert_true(engine->scene.angles.x == -90);
    engine_mouse(engine, 7200, 0);
    assert_true(fabsf(engine->scene.angles.y) < 360);
    engine->eye_owned = true;
    engine_mouse(engine, 20, 1e6f);
    assert_true(engine->scene.angles.x == -90);
}

static void the_wheel_changes_the_speed_within_limits(void **state) {
    Engine *engine = ((Place *)*state)->engine;
    engine_wheel(engine, 1);
    assert_true(engine->var.fly_speed->number == 480);
    engine_wheel(engine, -1000);
    assert_true(engine->var.fly_speed->number == 1);
    engine_wheel(engine, 1000);
    assert_true(engine->var.fly_speed->number == 20000);
}

static void another_fineness_makes_the_triangles_anew(void **state) {
    Engine *engine = ((Place *)*state)->engine;
    open_map(engine, "rooms");
    unsigned serial = engine->current->level.serial;
    int coarse = engine->current->level.geometry->index_count;
    run(engine, "r.subdivisions 0.25");
    engine_tick(engine, 0.01);
    assert_true(engine->current->level.serial != serial);
    assert_true(engine->current->level.geometry->index_count > coarse);
}

static void a_frame_goes_to_the_renderer_that_was_chosen(void **state) {
    Engine *engine = ((Place *)*state)->engine;
    Error error;
    Image image;
    engine_frame_begin(engine, 64, 48);
    assert_false(engine_frame_draw(engine, &error));
    assert_false(engine_use_renderer(engine, "vulkan", &error));
    assert_non_null(strstr(error.text, "null"));
    assert_true(engine_use_renderer(engine, "null", &error));
    engine_frame_begin(engine, 64, 48);
    assert_true(engine_frame_draw(engine, &error));    /* no level: an empty picture */
    open_map(engine, "rooms");
    engine_frame_begin(engine, 64, 48);
    run(engine, "map rooms");                          /* a frame in the making begins anew with the new level */
    assert_true(engine->frame.level == &engine->current->level && engine->frame.view.width == 64);
    assert_true(engine_frame_draw(engine, &error));
    assert_true(engine->frame.face_count > 0);
    assert_false(engine->current->textures_wanted);    /* nothing shows them */
    RenderRequest request = { .renderer = "nosuch", .fov = 90, .width = 8, .height = 8 };
    assert_false(engine_render(engine, &request, &image, &error));
}

static void commands_read_and_write_inside_their_folders_alone(void **state) {
    Place *place = *state;
    Engine *engine = place->engine;
    temp_text(place->folder, "auto.cfg", "view depth // a comment\nr.gamma 2; nosuchcommand\n");
    run(engine, "exec auto.cfg");
    assert_true(engine->shade == SHADE_DEPTH && engine->var.gamma->number == 2);
    assert_non_null(strstr(newest(engine), "auto.cfg: unknown command \"nosuchcommand\""));
    run(engine, "view lit; exec ../auto.cfg; exec /etc/passwd");
    assert_true(engine->shade == SHADE_LIT);
    assert_null(strstr(newest(engine), "root"));
    temp_text(place->folder, "loop.cfg", "exec loop.cfg");
    run(engine, "exec loop.cfg; condump lines.txt");
    assert_true(file_exists_disk(temp_path(place->folder, "lines.txt")));
    run(engine, "condump ../lines.txt");
    assert_null(strstr(newest(engine), "wrote"));
    run(engine, "screenshot x.png");
    assert_null(strstr(newest(engine), "wrote"));      /* nothing was drawn */
}

static void view_positions_go_out_and_in(void **state) {
    Engine *engine = ((Place *)*state)->engine;
    run(engine, "setviewpos 1.5 -2 3 10 20 30; viewpos");
    assert_string_equal(newest(engine), "setviewpos 1.5 -2 3 10 20 30");
    run(engine, "setviewpos 1 2; setviewpos a b c");
    assert_non_null(strstr(newest(engine), "usage"));
    assert_true(engine->scene.origin.x == 1.5f);
    run(engine, "view nothing");
    assert_non_null(strstr(newest(engine), "lit texture lightmap"));
    run(engine, "quit");
    assert_true(engine->quit);
}

static void a_font_is_opened_once_and_writes(void **state) {
    Engine *engine = ((Place *)*state)->engine;
    Error error;
    const Font *font = engine_font(engine, "", 16, &error);
    if (!font)
        fail_msg("%s", error.text);
    assert_ptr_equal(engine_font(engine, "", 16, &error), font);
    assert_ptr_equal(engine_font(engine, font->name, 16, &error), font);
    assert_ptr_not_equal(engine_font(engine, "", 20, &error), font);
    assert_null(engine_font(engine, "no such font", 16, &error));
    engine_frame_begin(engine, 64, 48);
    float width, height;
    font_measure(font, "ab\nabc", &width, &height);
    float drawn = engine_text(engine, font, 3, 4, "ab\nabc", (Rgba){ 255, 255, 255, 255 }, NULL);
    assert_float_equal(drawn, width, 0.01);
    assert_true(engine->frame.ui_vertices.count >= 5 * 4);
    assert_int_equal(engine_font_texture(engine, font), engine_font_texture(engine, font));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_level_is_found_by_every_name_it_has, setup, teardown),
        cmocka_unit_test_setup_teardown(a_level_that_is_refused_leaves_the_old_one, setup, teardown),
        cmocka_unit_test_setup_teardown(opening_starts_clock_and_eye_anew_and_reloading_keeps_them, setup, teardown),
        cmocka_unit_test_setup_teardown(a_changed_file_is_read_again, setup, teardown),
        cmocka_unit_test_setup_teardown(a_changed_material_script_changes_the_level, setup, teardown),
        cmocka_unit_test_setup_teardown(the_clock_minds_scale_and_pause, setup, teardown),
        cmocka_unit_test_setup_teardown(keys_fly_where_the_eye_looks, setup, teardown),
        cmocka_unit_test_setup_teardown(the_mouse_turns_and_stops_at_straight_up, setup, teardown),
        cmocka_unit_test_setup_teardown(the_wheel_changes_the_speed_within_limits, setup, teardown),
        cmocka_unit_test_setup_teardown(another_fineness_makes_the_triangles_anew, setup, teardown),
        cmocka_unit_test_setup_teardown(a_frame_goes_to_the_renderer_that_was_chosen, setup, teardown),
        cmocka_unit_test_setup_teardown(commands_read_and_write_inside_their_folders_alone, setup, teardown),
        cmocka_unit_test_setup_teardown(view_positions_go_out_and_in, setup, teardown),
        cmocka_unit_test_setup_teardown(a_font_is_opened_once_and_writes, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
