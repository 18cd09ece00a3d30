/* The limit loop: both code paths paint the same pixels, whatever the width. */
#include "support/test.h"

#include "app/bench_limit.h"

static void both_paths_paint_the_same_row(void **state) {
    (void)state;
    if (!limit_has_avx2())
        skip();
    enum { WIDTH = 333, TEXELS = LIMIT_TEXTURE * LIMIT_TEXTURE, LUXELS = LIMIT_LIGHT * LIMIT_LIGHT };
    uint32_t *images = mem_zeroed(TEXELS + LUXELS, sizeof *images);
    for (uint32_t i = 0, random = 7; i < TEXELS + LUXELS; i++)
        images[i] = random = random * 1664525u + 1013904223u;
    uint32_t plain[WIDTH], fast[WIDTH];
    for (int width = 1; width <= WIDTH; width += 83) {
        limit_row_plain(plain, width, images, images + TEXELS, 0x12345678u, 0xfff01234u);
        limit_row_avx2(fast, width, images, images + TEXELS, 0x12345678u, 0xfff01234u);
        assert_memory_equal(plain, fast, (size_t)width * sizeof *plain);
    }
    mem_free(images);
}

static void a_product_is_doubled_and_clamped(void **state) {
    (void)state;
    uint32_t texture[LIMIT_TEXTURE * LIMIT_TEXTURE], light[LIMIT_LIGHT * LIMIT_LIGHT], pixel;
    texture[1] = 0xff4020ffu;
    light[0] = 0xff80ff10u;    /* 16.16: one texel on is still the first luxel */
    limit_row_plain(&pixel, 1, texture, light, 1 << 16, 0);
    assert_true(pixel == 0xff403f1fu);
}

static void the_limit_is_a_time(void **state) {
    (void)state;
    Jobs *jobs = jobs_open(2);
    double ms = limit_measure(jobs, 64, 33);
    assert_true(ms > 0 && ms < 1000);
    jobs_close(jobs);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_paths_paint_the_same_row),
        cmocka_unit_test(a_product_is_doubled_and_clamped),
        cmocka_unit_test(the_limit_is_a_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
