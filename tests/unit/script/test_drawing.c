/* test_drawing.c -- what scripts draw is in the frame: what, where, in which colour, and nothing more. */
#include "support/test.h"

#include <math.h>

#include "support/program.h"

static int open_program(void **state) {
    Program *program = mem_zeroed(1, sizeof *program);
    program_open(program, NULL, "rooms", true);    /* its collector can be called */
    *state = program;
    return 0;
}

static Frame *run(void **state, const char *lua) {
    Program *program = *state;
    engine_frame_begin(program->engine, 640, 360);
    program_run(program, lua);
    return &program->engine->frame;
}

static void a_line_is_a_line(void **state) {
    const Frame *frame = run(state, "lw.draw.line(1, 2, 3, { 4, 5, 6 }, { color = '#ff8000', width = 3, xray = true, blend = 'add' })");
    assert_int_equal(frame->lines.count, 1);
    const FrameLine *line = &frame->lines.at[0];
    assert_true(line->from.x == 1 && line->to.z == 6 && line->width == 3);
    assert_int_equal(line->flags, DRAW_XRAY | DRAW_ADD);
    assert_true(line->from_color.r == 255 && line->from_color.g == 128 && line->from_color.b == 0 && line->to_color.a == 255);
}

static void lists_of_numbers_and_of_points_are_the_same(void **state) {
    const Frame *frame = run(state, "lw.draw.lines { 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3 }");
    assert_int_equal(frame->lines.count, 2);
    assert_true(frame->lines.at[1].from.x == 2 && frame->lines.at[1].to.y == 3);
    frame = run(state, "lw.draw.lines { {0, 0, 0}, lw.vec3(1, 1, 1), {2, 2, 2}, {3, 3, 3} }");
    assert_int_equal(frame->lines.count, 2);
    assert_true(frame->lines.at[1].from.x == 2 && frame->lines.at[1].to.y == 3);
    frame = run(state, "lw.draw.path { {0, 0, 0}, {1, 0, 0}, {2, 0, 0} }");
    assert_int_equal(frame->lines.count, 2);
}

static void a_box_is_its_edges_or_its_sides(void **state) {
    const Frame *frame = run(state, "lw.draw.box({0, 0, 0}, {8, 9, 10}) lw.draw.box({0, 0, 0}, {8, 9, 10}, { fill = true })");
    assert_int_equal(frame->boxes.count, 2);
    assert_false(frame->boxes.at[0].fill);
    assert_true(frame->boxes.at[1].fill);
    assert_true(frame->boxes.at[1].box.maxs.z == 10);
    frame = run(state, "lw.draw.boxes({ 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3 }, { color = 'red' })");
    assert_int_equal(frame->boxes.count, 2);
    assert_true(frame->boxes.at[1].box.mins.x == 2);
}

static void the_boxes_of_all_clusters_are_their_bounds(void **state) {
    const Program *program = *state;
    const Map *map = program->engine->current->map;
    const Frame *frame = run(state, "lw.draw.clusters(lw.vis.visible(-1))");
    assert_int_equal(frame->boxes.count, map->cluster_count);
    for (int i = 0; i < map->cluster_count; i++) {
        Box box;
        assert_true(bsp_cluster_bounds(map, i, &box));
        assert_memory_equal(&frame->boxes.at[i].box, &box, sizeof box);
    }
    frame = run(state, "lw.draw.cluster(-1)");
    assert_int_equal(frame->boxes.count, 0);
}

static void faces_are_tinted_by_number(void **state) {
    const Frame *frame = run(state, "lw.draw.faces({ 3, 17 }, { color = { 0, 1, 0, 0.5 }, fill = true }) lw.draw.face(4)");
    assert_int_equal(frame->tints.count, 3);
    assert_int_equal(frame->tints.at[1].face, 17);
    assert_true(frame->tints.at[1].fill && frame->tints.at[1].color.a == 128);
    assert_false(frame->tints.at[2].fill);
}

static void a_polygon_of_five_corners_is_three_triangles_or_five_lines(void **state) {
    const Frame *frame = run(state, "lw.draw.polygon({ {0,0,0}, {2,0,0}, {3,2,0}, {1,3,0}, {-1,2,0} }, { fill = true })");
    assert_int_equal(frame->vertices.count, 9);
    frame = run(state, "lw.draw.polygon { {0,0,0}, {2,0,0}, {3,2,0}, {1,3,0}, {-1,2,0} }");
    assert_int_equal(frame->lines.count, 5);
    assert_true(frame->lines.at[4].to.x == 0 && frame->lines.at[4].from.x == -1);
}

static void letters_keep_their_size_on_the_screen(void **state) {
    static const char *const lua[2] = {
        "lw.draw.text(lw.camera.origin + lw.camera.forward * 100, 'I', { size = 20, blend = 'add' })",
        "lw.draw.text(lw.camera.origin + lw.camera.forward * 500, 'I', { size = 20, blend = 'add' })",
    };
    float heights[2];
    for (int i = 0; i < 2; i++) {
        const Frame *frame = run(state, lua[i]);
        assert_int_equal(frame->vertices.count, 6);
        float x, top, bottom, depth;
        assert_true(view_project(&frame->view, frame->vertices.at[0].position, &x, &top, &depth));
        assert_true(view_project(&frame->view, frame->vertices.at[2].position, &x, &bottom, &depth));
        heights[i] = bottom - top;
        assert_true(fabsf(depth - (i ? 500 : 100)) < 0.1f);
    }
    assert_true(heights[0] > 8 && heights[0] < 20 && fabsf(heights[0] - heights[1]) < 0.1f);
}

static void what_is_behind_the_eye_has_no_letters(void **state) {
    const Frame *frame = run(state, "lw.draw.text(lw.camera.origin - lw.camera.forward * 100, 'behind')"
                                    "lw.draw.points { lw.camera.origin - lw.camera.forward * 100 }");
    assert_int_equal(frame->vertices.count, 0);
}

static void pictures_that_are_gone_give_their_texture_to_others(void **state) {
    Program *program = *state;
    /* Ten at once: as many as the loops below can hold before Lua collects some, whenever that is. */
    run(state, "local kept = {} for i = 1, 10 do kept[i] = lw.bsp.lightmap(0) lw.ui.image(0, 0, kept[i]) end"
               " kept = nil collectgarbage() collectgarbage()");
    int count = assets_texture_count(program->engine->assets);
    for (int i = 0; i < 10; i++)
        run(state, "for i = 1, 10 do lw.ui.image(0, 0, lw.bsp.lightmap(1)) end collectgarbage() collectgarbage()");
    assert_int_equal(assets_texture_count(program->engine->assets), count);
}

static void a_frame_of_lines_lies_inside_its_rectangle(void **state) {
    const Frame *frame = run(state, "lw.ui.rect(10, 20, 30, 40, { width = 2, color = 'red' })");
    assert_true(frame->ui_vertices.count >= 16);
    for (size_t i = 0; i < frame->ui_vertices.count; i++) {
        const UiVertex *v = &frame->ui_vertices.at[i];
        assert_true(v->x >= 10 && v->x <= 40 && v->y >= 20 && v->y <= 60);
    }
}

static void a_plot_stays_in_its_rectangle(void **state) {
    const Frame *frame = run(state, "lw.ui.plot(10, 20, 100, 50, { 1, 1000, -1000, 1/0, 3, 4 }, { low = 0, high = 10, fill = true })");
    assert_true(frame->ui_vertices.count > 0);
    for (size_t i = 0; i < frame->ui_vertices.count; i++) {
        const UiVertex *v = &frame->ui_vertices.at[i];
        assert_true(v->x >= 10 && v->x <= 110 && v->y >= 20 && v->y <= 70);
    }
}

static void things_that_are_not_finite_never_reach_the_frame(void **state) {
    const Frame *frame = run(state, "lw.draw.box({-3e38, 0, 0}, {3e38, 1, 1}) lw.draw.sphere({3e38, 0, 0}, 3e38)"
                                    "lw.draw.grid({0, 0, 0}, 1e38, 4096) lw.draw.boxes { 0/0, 0, 0, 1, 1, 1 }");
    for (size_t i = 0; i < frame->lines.count; i++)
        assert_true(vec3_finite(frame->lines.at[i].from) && vec3_finite(frame->lines.at[i].to));
    for (size_t i = 0; i < frame->boxes.count; i++)
        assert_true(vec3_finite(frame->boxes.at[i].box.mins) && vec3_finite(frame->boxes.at[i].box.maxs));
    assert_true(frame->dropped > 0);
}

static void what_blends_leaves_no_hole_in_the_picture(void **state) {
    Program *program = *state;
    Error error;
    Image image;
    if (!engine_use_renderer(program->engine, "gl", &error))
        fail_msg("%s", error.text);
    run(state, "lw.draw.box(lw.map.bounds()) lw.draw.clusters(lw.vis.visible(-1), { color = { 1, 0, 0, 0.3 }, fill = true })"
               "lw.ui.rect(0, 0, 300, 300, { color = { 0, 1, 0, 0.5 }, fill = true })");
    if (!engine_frame_draw(program->engine, &error) || !engine_frame_pixels(program->engine, &image, &error))
        fail_msg("%s", error.text);
    assert_false(image.has_alpha);
    for (int i = 0; i < image.width * image.height; i++)
        assert_int_equal(image.rgba[4 * i + 3], 255);
    image_free(&image);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_is_a_line),
        cmocka_unit_test(lists_of_numbers_and_of_points_are_the_same),
        cmocka_unit_test(a_box_is_its_edges_or_its_sides),
        cmocka_unit_test(the_boxes_of_all_clusters_are_their_bounds),
        cmocka_unit_test(faces_are_tinted_by_number),
        cmocka_unit_test(a_polygon_of_five_corners_is_three_triangles_or_five_lines),
        cmocka_unit_test(letters_keep_their_size_on_the_screen),
        cmocka_unit_test(what_is_behind_the_eye_has_no_letters),
        cmocka_unit_test(pictures_that_are_gone_give_their_texture_to_others),
        cmocka_unit_test(a_frame_of_lines_lies_inside_its_rectangle),
        cmocka_unit_test(a_plot_stays_in_its_rectangle),
        cmocka_unit_test(things_that_are_not_finite_never_reach_the_frame),
        cmocka_unit_test(what_blends_leaves_no_hole_in_the_picture),
    };
    return cmocka_run_group_tests(tests, open_program, program_teardown);
}
