/* A frame takes what is sound, counts what it drops, and keeps its memory. */
#include "support/test.h"

#include <math.h>
#include <stdlib.h>

#include "frame/frame.h"

static const Rgba white = { 255, 255, 255, 255 };

static void a_line_to_nowhere_is_dropped_and_counted(void **state) {
    (void)state;
    Frame frame;
    frame_open(&frame);
    frame_line(&frame, (FrameLine){ vec3_at(0, 0, 0), vec3_at(1, 0, 0), white, white, 1, 0 });
    frame_line(&frame, (FrameLine){ vec3_at(0, 0, 0), vec3_at(NAN, 0, 0), white, white, 1, 0 });
    frame_line(&frame, (FrameLine){ vec3_at(0, 0, 0), vec3_at(1, 0, INFINITY), white, white, 1, 0 });
    frame_box(&frame, (FrameBox){ { vec3_at(0, 0, -INFINITY), vec3_at(1, 1, 1) }, white, 1, 0, false });
    frame_face(&frame, (FrameFace){ .face = 3 });    /* no level: no face 3 */
    assert_int_equal(frame.lines.count, 1);
    assert_int_equal(frame.boxes.count, 0);
    assert_int_equal(frame.tints.count, 0);
    assert_int_equal(frame.dropped, 4);
    frame_close(&frame);
}

static void triangles_of_one_texture_become_one_run(void **state) {
    (void)state;
    Frame frame;
    frame_open(&frame);
    FrameVertex corners[3] = { { vec3_at(0, 0, 0), 0, 0, white }, { vec3_at(1, 0, 0), 1, 0, white }, { vec3_at(0, 1, 0), 0, 1, white } };
    frame_triangle(&frame, corners, TEXTURE_WHITE, 0);
    frame_triangle(&frame, corners, TEXTURE_WHITE, 0);
    frame_triangle(&frame, corners, TEXTURE_WHITE, DRAW_XRAY);
    assert_int_equal(frame.triangles.count, 2);
    assert_int_equal(frame.triangles.at[0].count, 6);
    assert_int_equal(frame.triangles.at[1].first, 6);
    frame_close(&frame);
}

static void two_d_things_with_another_clip_are_another_run(void **state) {
    (void)state;
    Frame frame;
    frame_open(&frame);
    const int clip[4] = { 1, 2, 3, 4 };
    frame_ui_quad(&frame, 0, 0, 10, 10, NULL, TEXTURE_WHITE, white, NULL);
    frame_ui_line(&frame, 0, 0, 10, 0, 2, white, NULL);
    frame_ui_quad(&frame, 0, 0, 10, 10, NULL, TEXTURE_WHITE, white, clip);
    assert_int_equal(frame.ui.count, 2);
    assert_int_equal(frame.ui.at[0].count, 12);
    assert_int_equal(frame.ui.at[1].clip[3], 4);
    assert_float_equal(frame.ui_vertices.at[6].y, 1, 1e-6f);    /* the line is 2 wide: a pixel on either side */
    assert_float_equal(frame.ui_vertices.at[8].y, -1, 1e-6f);
    frame_close(&frame);
}

static void a_frame_begun_again_is_empty_and_keeps_its_memory(void **state) {
    (void)state;
    Frame frame;
    frame_open(&frame);
    for (int i = 0; i < 1000; i++)
        frame_line(&frame, (FrameLine){ vec3_at(0, 0, 0), vec3_at(1, 0, 0), white, white, 1, 0 });
    FrameLine *memory = frame.lines.at;
    frame.level = NULL;
    frame.face_count = 3;
    frame_begin(&frame);
    assert_int_equal(frame.lines.count, 0);
    assert_int_equal(frame.face_count, 0);
    assert_ptr_equal(frame.lines.at, memory);
    frame_close(&frame);
}

static void a_script_that_draws_for_ever_fills_no_memory(void **state) {
    (void)state;
    Frame frame;
    frame_open(&frame);
    for (int i = 0; i < FRAME_MOST + 10; i++)
        frame_line(&frame, (FrameLine){ vec3_at(0, 0, 0), vec3_at(1, 0, 0), white, white, 1, 0 });
    assert_int_equal(frame.lines.count, FRAME_MOST);
    assert_int_equal(frame.dropped, 10);
    frame_close(&frame);
}

static void every_view_has_a_name_that_finds_it(void **state) {
    (void)state;
    for (int i = 0; i < SHADE_COUNT; i++)
        assert_int_equal(shade_by_name(shade_name(i)), i);
    assert_int_equal(shade_by_name("lit"), SHADE_LIT);
    assert_int_equal(shade_by_name("nothing like it"), -1);
}

static void neighbouring_numbers_have_colours_far_apart(void **state) {
    (void)state;
    for (int i = 0; i < 5000; i++) {
        Rgba a = color_of_number(i), b = color_of_number(i + 1);
        int apart = abs(a.r - b.r) + abs(a.g - b.g) + abs(a.b - b.b);
        assert_true(apart > 100);
        assert_int_equal(a.a, 255);
    }
    assert_int_equal(color_of_number(-1).r, color_of_number(-1).g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_to_nowhere_is_dropped_and_counted),
        cmocka_unit_test(triangles_of_one_texture_become_one_run),
        cmocka_unit_test(two_d_things_with_another_clip_are_another_run),
        cmocka_unit_test(a_frame_begun_again_is_empty_and_keeps_its_memory),
        cmocka_unit_test(a_script_that_draws_for_ever_fills_no_memory),
        cmocka_unit_test(every_view_has_a_name_that_finds_it),
        cmocka_unit_test(neighbouring_numbers_have_colours_far_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
