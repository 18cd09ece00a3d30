/* The light grid, and the engine's shift of colours. */
#include "support/test.h"

#include "support/level.h"
#include "support/test_arena.h"

#include <math.h>


static bool near(float a, float b) { return fabsf(a - b) < 0.001f; }

/* The grid of "room" begins at 0 0 0 (its bounds begin at -16): 5 x 5 x 2 points of 64 64 128. Red grows by 8 a step. */
static void a_grid_starts_at_a_multiple_of_its_size(void **state) {
    (void)state;
    Map *map = level_map(arena, "room");
    assert_true(map->grid.origin[0] == 0 && map->grid.origin[2] == 0);
    assert_int_equal(map->grid.count[0], 5);
    assert_int_equal(map->grid.count[1], 5);
    assert_int_equal(map->grid.count[2], 2);
}

static void light_is_mixed_from_the_points_around(void **state) {
    (void)state;
    Map *map = level_map(arena, "room");
    BspLightSample on = bsp_light_at(map, vec3_at(64, 64, 0)), between = bsp_light_at(map, vec3_at(80, 100, 30));
    assert_true(on.valid && between.valid);
    assert_true(near(on.ambient.x, 48) && near(on.ambient.y, 50) && near(on.directed.z, 120));
    assert_true(near(between.ambient.x, 48 + 8 * 0.25f));
    assert_true(near(on.direction.z, 1) && near(on.direction.x, 0));
}

static void outside_the_grid_the_nearest_point_counts(void **state) {    /* A17 */
    (void)state;
    Map *map = level_map(arena, "room");
    assert_true(near(bsp_light_at(map, vec3_at(-1e9f, 64, 1e9f)).ambient.x, 40));
    assert_true(near(bsp_light_at(map, vec3_at(1e30f, -1e30f, 1e30f)).ambient.x, 72));
    assert_false(bsp_light_at(map, vec3_at(NAN, 0, 0)).valid);
    assert_false(bsp_light_at(map, vec3_at(0, INFINITY, 0)).valid);
}

static void points_in_walls_are_left_out(void **state) {
    (void)state;
    Level *level = level_make("room");
    memset(level->lumps[LUMP_LIGHTVOLS].at, 0, 8);    /* the first point goes dark */
    Error error;
    Map *map = level_load(level, arena, &error);
    BspLightSample sample = bsp_light_at(map, vec3_at(16, 0, 0));    /* a quarter of the way to the second point */
    assert_true(sample.valid);
    assert_true(near(sample.ambient.x, 48) && near(sample.ambient.y, 50));    /* the second point alone, at full strength */
    assert_false(bsp_light_at(map, vec3_at(0, 0, 0)).valid);
}

static void bytes_of_a_direction_are_pole_and_azimuth(void **state) {
    (void)state;
    static const struct { int polar, azimuth; Vec3 direction; } rows[] = {
        { 0, 0, { 0, 0, 1 } },   { 128, 0, { 0, 0, -1 } }, { 64, 0, { 1, 0, 0 } },
        { 64, 64, { 0, 1, 0 } }, { 64, 128, { -1, 0, 0 } }, { 192, 0, { -1, 0, 0 } },
    };
    for (int i = 0; i < COUNT_OF(rows); i++) {
        Level *level = level_make("room");
        level->lumps[LUMP_LIGHTVOLS].at[6] = (char)rows[i].polar;
        level->lumps[LUMP_LIGHTVOLS].at[7] = (char)rows[i].azimuth;
        Error error;
        Vec3 direction = bsp_light_at(level_load(level, arena, &error), vec3_at(0, 0, 0)).direction;
        for (int k = 0; k < 3; k++)
            assert_true(near(direction.raw[k], rows[i].direction.raw[k]));
    }
}

static void a_shift_keeps_the_hue(void **state) {
    (void)state;
    static const struct { uint8_t in[3]; int shift; uint8_t out[3]; } rows[] = {
        { { 100, 50, 10 }, 2, { 255, 127, 25 } }, { { 100, 50, 10 }, 1, { 200, 100, 20 } },
        { { 100, 50, 10 }, 0, { 100, 50, 10 } },  { { 255, 255, 255 }, 2, { 255, 255, 255 } },
        { { 0, 0, 0 }, 2, { 0, 0, 0 } },          { { 1, 2, 64 }, 2, { 3, 7, 255 } },
        { { 200, 100, 50 }, -3, { 200, 100, 50 } },
    };
    for (int i = 0; i < COUNT_OF(rows); i++) {
        uint8_t rgb[3];
        memcpy(rgb, rows[i].in, 3);
        bsp_shift_color(rgb, rows[i].shift);
        assert_memory_equal(rgb, rows[i].out, 3);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_arena, close_arena)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_grid_starts_at_a_multiple_of_its_size), TEST(light_is_mixed_from_the_points_around),
        TEST(outside_the_grid_the_nearest_point_counts), TEST(points_in_walls_are_left_out),
        TEST(bytes_of_a_direction_are_pole_and_azimuth), TEST(a_shift_keeps_the_hue),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
