/* Rows of dynamic light: every code gives the same bits, and they are those of the light at a place. */
#include "support/test.h"

#include <math.h>

#include "render/soft/soft_glow_internal.h"
#include "support/random.h"

enum { LIGHTS = 5, PLACES = 40 };

typedef struct Rows { GlowLight lights[LIGHTS]; int numbers[LIGHTS]; GlowRow row; } Rows;

static float part(uint64_t *random) { return (float)(random_next(random) >> 8) / 16777216.0f; }    /* 0 .. 1 */

/* A row over some plane, whose horizon may lie in it; lights near it, some of them huge, some negative. */
static void make_row(Rows *rows, uint64_t *random) {
    for (int i = 0; i < LIGHTS; i++) {
        rows->numbers[i] = i;
        for (int k = 0; k < 3; k++) {
            rows->lights[i].at[k] = part(random) * 400 - 200;
            rows->lights[i].color[k] = part(random) * 3 - 0.5f;
        }
        rows->lights[i].inverse = 1 / (part(random) * 500 + 1);
    }
    double slope = (part(random) - 0.5) / 40000;
    rows->row = (GlowRow){ .iz = part(random) / 100 - slope * 600, .iz_x = slope, .lights = rows->lights, .numbers = rows->numbers,
                           .count = (int)(random_next(random) % (LIGHTS + 1)), .scale = random_next(random) % 2 ? 1 : 0.5f };
    for (int i = 0; i < 3; i++) {
        rows->row.ray[i] = part(random) * 2 - 1;
        rows->row.step[i] = (part(random) * 2 - 1) / 640;
    }
}

static bool has_avx2(void) { return soft_best_code() == CODE_AVX2; }

static void all_codes_measure_the_same_light(void **state) {
    (void)state;
    uint64_t random = 3;
    for (int round = 0; round < 3000; round++) {
        Rows rows;
        make_row(&rows, &random);
        if (round % 50 == 0)
            rows.lights[0].at[0] = round % 100 ? INFINITY : 1e30f;
        int x = (int)(random_next(&random) % 512) * 16;
        uint16_t plain[PLACES * GLOW_NUMBERS], wide[PLACES * GLOW_NUMBERS];
        soft_glow_points_plain(&rows.row, x, PLACES, plain);
        soft_glow_points_sse2(&rows.row, x, PLACES, wide);
        assert_memory_equal(plain, wide, sizeof plain);
        if (has_avx2()) {
            soft_glow_points_avx2(&rows.row, x, PLACES, wide);
            assert_memory_equal(plain, wide, sizeof plain);
        }
    }
}

static void light_is_that_of_the_place(void **state) {
    (void)state;
    GlowLight light = { { 0, 30, 100 }, 1 / 200.0f, { 0.5f, 1, 0 } };
    int number = 0;
    GlowRow row = { .ray = { -1, 0, 1 }, .step = { 1 / 64.0f, 0, 0 }, .iz = 0.01, .lights = &light, .numbers = &number, .count = 1, .scale = 1 };    /* a wall 100 units ahead */
    uint16_t out[PLACES * GLOW_NUMBERS];
    soft_glow_points_plain(&row, 0, PLACES, out);
    for (int i = 0; i < PLACES; i++) {
        float x = -100 + (float)(GLOW_STEP * i) / 64 * 100, distance = sqrtf(x * x + 30 * 30), bright = fmaxf(1 - distance / 200, 0);
        assert_true(abs(out[GLOW_NUMBERS * i] - (int)(bright * 0.5f * GLOW_UNIT)) <= 1 && abs(out[GLOW_NUMBERS * i + 1] - (int)(bright * GLOW_UNIT)) <= 1);
        assert_true(out[GLOW_NUMBERS * i + 2] == 0 && out[GLOW_NUMBERS * i + 3] == 0);
    }
}

static void all_codes_find_the_same_pixels(void **state) {
    (void)state;
    uint64_t random = 5;
    for (int round = 0; round < 3000; round++) {
        Rows rows;
        make_row(&rows, &random);
        int x = (int)(random_next(&random) % 80) * 16;
        float depth[16];
        for (int k = 0; k < 16; k++)
            depth[k] = ((float)(rows.row.iz + rows.row.iz_x * x) + (float)k * (float)rows.row.iz_x) * (1 + (float)(k % 3 - 1) * part(&random) * 4e-4f);    /* nearer, the same, farther */
        SoftTest test = (SoftTest)(TEST_NEARER + round % 3);
        unsigned mask = random_next(&random) & 0xffff, plain = soft_glow_depths_plain(&rows.row, x, depth, mask, test);
        assert_int_equal(plain & ~mask, 0);
        assert_int_equal(soft_glow_depths_sse2(&rows.row, x, depth, mask, test), plain);
        if (has_avx2())
            assert_int_equal(soft_glow_depths_avx2(&rows.row, x, depth, mask, test), plain);
    }
}

static void all_codes_add_the_same(void **state) {
    (void)state;
    uint64_t random = 7;
    for (int round = 0; round < 20000; round++) {
        uint32_t color[16], texels[16], plain[16], wide[16];
        uint16_t light[20];
        for (int k = 0; k < 16; k++) {
            color[k] = random_next(&random) | 0xff000000u;
            texels[k] = random_next(&random);
        }
        for (int k = 0; k < 20; k++)
            light[k] = k % 4 == 3 ? 0 : (uint16_t)(random_next(&random) >> (16 + round % 12));
        unsigned mask = round % 3 ? random_next(&random) & 0xffff : 0xffff;
        memcpy(plain, color, sizeof plain);
        soft_glow_add_plain(plain, texels, light, mask);
        for (int k = 0; k < 16; k++)
            assert_true(mask >> k & 1 || plain[k] == color[k]);
        memcpy(wide, color, sizeof wide);
        soft_glow_add_sse2(wide, texels, light, mask);
        assert_memory_equal(plain, wide, sizeof plain);
        if (has_avx2()) {
            memcpy(wide, color, sizeof wide);
            soft_glow_add_avx2(wide, texels, light, mask);
            assert_memory_equal(plain, wide, sizeof plain);
        }
    }
}

static void light_times_texel_is_added(void **state) {
    (void)state;
    uint32_t color[16], texels[16];
    uint16_t light[20];
    for (int i = 0; i < 20; i++)
        light[i] = i % 4 == 3 ? 0 : (uint16_t)(i / 4 * 400);
    for (int k = 0; k < 16; k++) {
        color[k] = 0xff102030u;
        texels[k] = 0x00ff8040u;
    }
    soft_glow_add_plain(color, texels, light, 0xffff);
    for (int k = 0; k < 16; k++) {
        float bright = (float)k * 100 / GLOW_UNIT;
        const float parts[3] = { 0x30 + 0x40 * bright, 0x20 + 0x80 * bright, 0x10 + 0xff * bright };
        for (int i = 0; i < 3; i++)
            assert_true(fabsf((float)(color[k] >> 8 * i & 255) - fminf(parts[i], 255)) <= 1);
        assert_int_equal(color[k] >> 24, 255);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_codes_measure_the_same_light),
        cmocka_unit_test(light_is_that_of_the_place),
        cmocka_unit_test(all_codes_find_the_same_pixels),
        cmocka_unit_test(all_codes_add_the_same),
        cmocka_unit_test(light_times_texel_is_added),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
