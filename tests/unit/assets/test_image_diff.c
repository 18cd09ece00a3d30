/* test_image_diff.c -- the measure of parity, against numbers of an independent program.
 *
 * The numbers come from a Python program of numpy and PIL (SSIM over 8x8 windows of PIL's luma), run on these pictures. */
#include "assets/image.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "support/make_image.h"

static void assert_near(double got, double wanted, double most) {
    if (!(fabs(got - wanted) <= most))
        fail_msg("%.9g where %.9g is wanted", got, wanted);
}

/* A shallow ramp with noise of the given strength on it. */
static Image ramp(int width, int height, unsigned seed, int strength) {
    Image image = make_noise(width, height, seed);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            uint8_t *p = image.rgba + ((size_t)y * (size_t)width + (size_t)x) * 4;
            for (int c = 0; c < 3; c++)
                p[c] = (uint8_t)MIN(255, x * 2 + y + c * 10 + p[c] * strength / 256);
        }
    return image;
}

static void equal_pictures_are_equal(void **state) {
    (void)state;
    Image a = make_noise(33, 17, 1), difference;
    ImageDiff d = image_diff(&a, &a, &difference);
    assert_near(d.ssim, 1, 1e-12);
    assert_near(d.error, 0, 0);
    assert_int_equal(d.max, 0);
    assert_true(isinf(d.psnr));
    for (int i = 0; i < 33 * 17 * 4; i++)
        assert_int_equal(difference.rgba[i], i % 4 == 3 ? 255 : 0);
    image_free(&difference);
    image_free(&a);
}

static void the_numbers_are_those_of_another_program(void **state) {
    (void)state;
    const struct { int width, height, first, second; double ssim, error; } rows[] = {
        { 64, 48, 0, 40, 0.639737552179, 19.551974826389 },
        { 31, 9, 60, 60, 0.419359014497, 19.065710872162 },
        { 8, 8, 0, 255, 0.002869960463, 125.130208333333 },
    };
    for (int i = 0; i < COUNT_OF(rows); i++) {
        Image a = ramp(rows[i].width, rows[i].height, 1, rows[i].first);
        Image b = ramp(rows[i].width, rows[i].height, 2, rows[i].second);
        ImageDiff d = image_diff(&a, &b, NULL);
        assert_near(d.ssim, rows[i].ssim, 1e-9);
        assert_near(d.error, rows[i].error, 1e-9);
        image_free(&a);
        image_free(&b);
    }
}

static void one_wrong_pixel_is_found(void **state) {
    (void)state;
    Image a = make_noise(16, 16, 3), b = image_copy(&a), difference;
    uint8_t *p = b.rgba + 4 * (16 * 5 + 7);
    p[1] = (uint8_t)(p[1] < 128 ? p[1] + 30 : p[1] - 30);
    ImageDiff d = image_diff(&a, &b, &difference);
    assert_int_equal(d.max, 30);
    assert_near(d.error, 30.0 / (16 * 16 * 3), 1e-12);
    assert_near(d.psnr, 10 * log10(255.0 * 255 * 768 / 900), 1e-9);
    assert_int_equal(difference.rgba[4 * (16 * 5 + 7) + 1], 120);
    assert_true(d.ssim < 1);
    image_free(&difference);
    image_free(&a);
    image_free(&b);
}

static void sizes_must_agree_and_may_be_tiny(void **state) {
    (void)state;
    Image a = make_noise(9, 9, 1), b = make_noise(9, 8, 1), c = make_noise(3, 1, 1);
    ImageDiff d = image_diff(&a, &b, NULL);
    assert_near(d.ssim, 0, 0);
    assert_near(d.error, 255, 0);
    d = image_diff(&c, &c, NULL);
    assert_near(d.ssim, 1, 1e-12);
    image_free(&a);
    image_free(&b);
    image_free(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_pictures_are_equal),
        cmocka_unit_test(the_numbers_are_those_of_another_program),
        cmocka_unit_test(one_wrong_pixel_is_found),
        cmocka_unit_test(sizes_must_agree_and_may_be_tiny),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
