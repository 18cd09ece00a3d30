/* From the level to the picture and back: Quake's angles, fields of view, clip space. */
#include "support/test.h"

#include <math.h>
#include <stdlib.h>

#include "frame/frame.h"

static void what_is_straight_ahead_is_in_the_middle(void **state) {
    (void)state;
    View view = view_make(vec3_at(10, 20, 30), vec3_at(0, 90, 0), 90, 640, 480);
    float x, y, depth;
    assert_true(view_project(&view, vec3_at(10, 120, 30), &x, &y, &depth));
    assert_float_equal(x, 320, 0.001f);
    assert_float_equal(y, 240, 0.001f);
    assert_float_equal(depth, 100, 0.001f);
    assert_false(view_project(&view, vec3_at(10, -80, 30), &x, &y, &depth));
}

static void left_is_plus_y_and_up_is_plus_z(void **state) {
    (void)state;
    View view = view_make(vec3_at(0, 0, 0), vec3_at(0, 0, 0), 90, 640, 480);
    float x, y, depth;
    view_project(&view, vec3_at(100, 50, 25), &x, &y, &depth);
    assert_float_equal(x, 160, 0.01f);
    assert_float_equal(y, 160, 0.01f);    /* pixels are square */
}

static void a_positive_pitch_looks_down(void **state) {
    (void)state;
    View view = view_make(vec3_at(0, 0, 0), vec3_at(45, 0, 0), 90, 100, 100);
    assert_true(view.axes.forward.z < -0.7f);
}

static void ninety_degrees_end_at_the_edge_of_the_picture(void **state) {
    (void)state;
    View view = view_make(vec3_at(0, 0, 0), vec3_at(0, 0, 0), 90, 800, 600);
    float x, y, depth;
    view_project(&view, vec3_at(100, -100, 0), &x, &y, &depth);
    assert_float_equal(x, 800, 0.01f);
    assert_float_equal(view.fov_y, 73.7398f, 0.001f);    /* 2 * atan(3 / 4) */
}

static void a_ray_through_a_pixel_projects_back_to_it(void **state) {
    (void)state;
    View view = view_make(vec3_at(-700, 300, 64), vec3_at(12, 200, 30), 75, 641, 479);
    for (int i = 0; i < 20; i++) {
        float px = (float)(i * 31 % 641), py = (float)(i * 67 % 479), x, y, depth;
        Vec3 ray = view_ray(&view, px, py);
        assert_float_equal(vec3_length(ray), 1, 1e-5f);
        assert_true(view_project(&view, vec3_add_scaled(view.origin, ray, 500), &x, &y, &depth));
        assert_float_equal(x, px, 0.05f);
        assert_float_equal(y, py, 0.05f);
    }
}

static void the_clip_matrix_says_what_the_projection_says(void **state) {
    (void)state;
    View view = view_make(vec3_at(100, -50, 30), vec3_at(-20, 130, 10), 100, 320, 200);
    float m[16];
    view_matrix(&view, 4096, m);
    Vec3 point = vec3_add_scaled(vec3_add_scaled(view.origin, view.axes.forward, 200), view.axes.right, 60);
    double clip[4];
    for (int row = 0; row < 4; row++)
        clip[row] = (double)m[row] * point.x + (double)m[4 + row] * point.y + (double)m[8 + row] * point.z + m[12 + row];
    float x, y, depth;
    view_project(&view, point, &x, &y, &depth);
    assert_float_equal(160 * (1 + clip[0] / clip[3]), x, 0.01);
    assert_float_equal(100 * (1 - clip[1] / clip[3]), y, 0.01);
    assert_float_equal(clip[3], depth, 0.01);
    assert_true(clip[2] / clip[3] > -1 && clip[2] / clip[3] < 1);
}

static void a_view_of_nonsense_is_made_sane(void **state) {
    (void)state;
    View view = view_make(vec3_at(NAN, INFINITY, 0), vec3_at(NAN, 0, 0), NAN, -5, 1 << 30);
    assert_true(vec3_finite(view.origin) && vec3_finite(view.axes.forward));
    assert_int_equal(view.width, 1);
    assert_int_equal(view.height, IMAGE_LARGEST);
    assert_true(view.fov_x == 90 && view.fov_y > 0 && view.fov_y < 180);
    float m[16];
    view_matrix(&view, NAN, m);
    for (int i = 0; i < 16; i++)
        assert_true(isfinite(m[i]));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_straight_ahead_is_in_the_middle),
        cmocka_unit_test(left_is_plus_y_and_up_is_plus_z),
        cmocka_unit_test(a_positive_pitch_looks_down),
        cmocka_unit_test(ninety_degrees_end_at_the_edge_of_the_picture),
        cmocka_unit_test(a_ray_through_a_pixel_projects_back_to_it),
        cmocka_unit_test(the_clip_matrix_says_what_the_projection_says),
        cmocka_unit_test(a_view_of_nonsense_is_made_sane),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
