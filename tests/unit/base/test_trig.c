/* Trigonometry of our own: near libm's, and the same bits everywhere. */
#include "support/test.h"

#include <math.h>

#include "base/base.h"
#include "base/trig.h"

static double next(uint64_t *seed) {    /* -1 .. 1 */
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(int64_t)*seed / 9223372036854775808.0;
}

static void it_agrees_with_libm(void **state) {
    (void)state;
    uint64_t seed = 1;
    for (int i = 0; i < 100000; i++) {
        double x = next(&seed) * 10000, y = next(&seed), big = next(&seed) * 300;
        assert_true(fabs(trig_sin(x) - sin(x)) < 1e-15);
        assert_true(fabs(trig_cos(x) - cos(x)) < 1e-15);
        assert_true(fabs(trig_atan(x) - atan(x)) < 1e-15);
        assert_true(fabs(trig_atan2(y, x) - atan2(y, x)) < 2e-15);
        assert_true(fabs(trig_asin(y) - asin(y)) < 1e-15);
        assert_true(fabs(trig_exp(big) / exp(big) - 1) < 1e-15);
        assert_true(fabs(trig_log(fabs(x)) - log(fabs(x))) < 4e-15);
        assert_true(fabs(trig_pow(fabs(x), y * 10) / pow(fabs(x), y * 10) - 1) < 1e-13);
    }
}

static void the_edges_are_as_in_libm(void **state) {
    (void)state;
    double odd[] = { 0.0, -0.0, 1, -1, INFINITY, -INFINITY, NAN, 2, -2, 0.5, -3 };
    for (int i = 0; i < COUNT_OF(odd); i++) {
        double x = odd[i];
        assert_true(isnan(trig_sin(x)) == isnan(sin(x)));
        assert_true(isnan(trig_log(x)) == isnan(log(x)));
        assert_true(trig_exp(x) == exp(x) || isnan(x) || fabs(trig_exp(x) - exp(x)) < 1e-15 * exp(x));
        for (int j = 0; j < COUNT_OF(odd); j++) {
            double y = odd[j], ours = trig_atan2(x, y), theirs = atan2(x, y);
            assert_true((isnan(ours) && isnan(theirs)) || fabs(ours - theirs) < 2e-15);
            ours = trig_pow(x, y);
            theirs = pow(x, y);
            assert_true((isnan(ours) && isnan(theirs)) || ours == theirs || fabs(fabs(ours / theirs) - 1) < 1e-14);
        }
    }
}

static void the_bits_are_these(void **state) {    /* on every machine and build: pictures hang on them */
    (void)state;
    uint64_t seed = 2, hash = 0;
    for (int i = 0; i < 10000; i++) {
        double x = next(&seed) * 1000;
        double values[] = { trig_sin(x), trig_cos(x), trig_atan(x), trig_exp(x / 10), trig_log(fabs(x)) };
        hash = hash * 31 + bytes_hash(values, sizeof values);
    }
    assert_int_equal(hash, 0xf8f3617393429ce4u);
}

static void angles_and_axes_are_quakes(void **state) {
    (void)state;
    Axes axes = axes_from_angles(vec3_at(0, 0, 0));
    assert_true(axes.forward.x == 1 && axes.right.y == -1 && axes.up.z == 1);
    axes = axes_from_angles(vec3_at(90, 0, 0));    /* looking down */
    assert_true(fabsf(axes.forward.z + 1) < 1e-6f);
    axes = axes_from_angles(vec3_at(0, 90, 0));    /* left */
    assert_true(fabsf(axes.forward.y - 1) < 1e-6f);
    Vec3 angles = angles_from_forward(axes_from_angles(vec3_at(30, -120, 0)).forward);
    assert_true(fabsf(angles.x - 30) < 1e-4f && fabsf(angles.y + 120) < 1e-4f);
    assert_true(fabsf(fov_y_from_x(90, 1280, 720) - 58.7155f) < 1e-3f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_agrees_with_libm),
        cmocka_unit_test(the_edges_are_as_in_libm),
        cmocka_unit_test(the_bits_are_these),
        cmocka_unit_test(angles_and_axes_are_quakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
