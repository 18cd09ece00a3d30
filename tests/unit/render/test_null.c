/* The null renderer: the same frame is the same text, and a frame that breaks a promise is an error. */
#include "support/test.h"

#include <math.h>

#include "render/renderer.h"
#include "scene/scene.h"
#include "support/level_map.h"

typedef struct Place { Arena *arena; Level level; Scene scene; Frame frame; const RendererKind *kind; void *null; Vars *vars; } Place;

static int place_open(void **state) {
    Place *place = mem_zeroed(1, sizeof *place);
    place->arena = arena_open();
    place->level.map = level_map(place->arena, "door");
    place->level.geometry = bsp_geometry(place->level.map, 4, place->arena);
    place->level.serial = 1;
    scene_open(&place->scene);
    scene_use_level(&place->scene, &place->level);
    place->scene.origin = vec3_at(60, 128, 60);
    frame_open(&place->frame);
    place->vars = vars_open();
    place->kind = renderer_by_name("null");
    place->null = place->kind->open(&(RendererSetup){ .vars = place->vars }, NULL);
    assert_true(place->kind->use_level(place->null, &place->level, NULL, NULL));
    frame_begin(&place->frame);
    scene_fill(&place->scene, &place->frame, 320, 200);
    *state = place;
    return 0;
}

static int place_close(void **state) {
    Place *place = *state;
    place->kind->close(place->null);
    vars_close(place->vars);
    frame_close(&place->frame);
    scene_close(&place->scene);
    arena_close(place->arena);
    mem_free(place);
    return 0;
}

static const Rgba red = { 255, 0, 0, 255 }, glass = { 0, 255, 0, 128 };

static void an_empty_frame_is_three_lines(void **state) {
    Place *place = *state;
    Error error;
    frame_begin(&place->frame);
    place->frame.view = view_make(vec3_at(1, 2, 3.5f), vec3_at(0, 90, 0), 90, 640, 480);
    place->frame.time = 2.25;
    assert_true(place->kind->draw(place->null, &place->frame, &error));
    assert_string_equal(null_text(place->null),
                        "level -\n"
                        "view 1 2 3.5 0 90 0 fov 90 73.73979 size 640 480 leaf -1 cluster -1\n"
                        "shade lit 2.25 overbright 1 gamma 1 #000000ff\n");
}

static void what_scripts_draw_stands_in_the_text(void **state) {
    Place *place = *state;
    Error error;
    frame_line(&place->frame, (FrameLine){ vec3_at(0, 0, 0), vec3_at(1, 0, -0.0f), red, glass, 2, DRAW_XRAY });
    frame_box(&place->frame, (FrameBox){ { vec3_at(-1, -1, -1), vec3_at(1, 1, 1) }, glass, 1, DRAW_ADD, true });
    frame_face(&place->frame, (FrameFace){ 3, red, 0, false, 1 });
    frame_triangle(&place->frame, (FrameVertex[3]){ { vec3_at(0, 0, 0), 0, 0, red }, { vec3_at(0, 1, 0), 1, 0, red }, { vec3_at(0, 0, 1), 0, 1, red } },
                   TEXTURE_WHITE, 0);
    frame_ui_quad(&place->frame, 1, 2, 3, 4, NULL, TEXTURE_WHITE, red, (int[4]){ 0, 0, 10, 10 });
    assert_true(place->kind->draw(place->null, &place->frame, &error));
    static const char *const lines[] = {
        "\nmodel 1 0 0 0 0 0 0\n",
        "\nline 0 0 0 1 0 0 #ff0000ff #00ff0080 2 xray\n",
        "\nbox -1 -1 -1 1 1 1 #00ff0080 fill add\n",
        "\ntint 3 #ff0000ff 1\n",
        "\ntriangles 1 white\n  vertex 0 0 0 0 0 #ff0000ff\n",
        "\nui 2 white clip 0 0 10 10\n  vertex 1 2 0 0 #ff0000ff\n  vertex 4 2 1 0 #ff0000ff\n",
    };
    for (int i = 0; i < COUNT_OF(lines); i++)
        if (!strstr(null_text(place->null), lines[i]))
            fail_msg("not there:%s\nin:\n%s", lines[i], null_text(place->null));
}

static void the_same_view_is_the_same_text(void **state) {
    Place *place = *state;
    Error error;
    assert_true(place->kind->draw(place->null, &place->frame, &error));
    Text first = { 0 };
    text_add(&first, null_text(place->null));
    assert_non_null(strstr(text_of(&first), "\nleaf "));
    assert_non_null(strstr(text_of(&first), "\nface "));
    for (int i = 0; i < 3; i++) {
        frame_begin(&place->frame);
        scene_fill(&place->scene, &place->frame, 320, 200);
        assert_true(place->kind->draw(place->null, &place->frame, &error));
        assert_string_equal(null_text(place->null), text_of(&first));
    }
    text_free(&first);
}

static void refused(Place *place, const char *words) {
    Error error = { "" };
    assert_false(place->kind->draw(place->null, &place->frame, &error));
    if (!strstr(error.text, words))
        fail_msg("\"%s\" does not say \"%s\"", error.text, words);
}

static void a_face_that_stands_twice_is_an_error(void **state) {
    Place *place = *state;
    const int faces[2] = { 4, 4 };
    place->frame.faces = faces;
    place->frame.face_count = 2;
    refused(place, "face 4 stands twice");
}

static void numbers_outside_of_the_level_are_errors(void **state) {
    Place *place = *state;
    const int faces[1] = { 9999 };
    place->frame.faces = faces;
    place->frame.face_count = 1;
    refused(place, "face 9999");
    place->frame.face_count = 0;
    const int clusters[2] = { 1, 0 };
    place->frame.clusters = clusters;
    place->frame.cluster_count = 2;
    refused(place, "clusters ascend");
    place->frame.cluster_count = 0;
    *array_push(&place->frame.models) = (FrameModel){ .model = 0 };
    refused(place, "brush model 0");
}

static void lists_that_do_not_fit_are_errors(void **state) {
    Place *place = *state;
    *array_push(&place->frame.triangles) = (FrameTriangles){ 0, 3, TEXTURE_WHITE, 0 };
    refused(place, "triangles: 3 vertices");
    array_clear(&place->frame.triangles);
    frame_ui_quad(&place->frame, 0, 0, 1, 1, NULL, 500, red, NULL);
    refused(place, "texture 500");
}

static void a_view_that_is_no_view_is_an_error(void **state) {
    Place *place = *state;
    place->frame.view.width = 0;
    refused(place, "0 by 200 pixels");
    place->frame.view.width = 320;
    place->frame.view.origin.x = NAN;
    refused(place, "not finite");
}

static void a_frame_of_another_level_is_an_error(void **state) {
    Place *place = *state;
    Level other = place->level;
    place->frame.level = &other;
    refused(place, "another level");
}

static void there_are_no_pixels(void **state) {
    Place *place = *state;
    Error error;
    Image image;
    assert_false(place->kind->read_pixels(place->null, &image, &error));
    assert_non_null(strstr(error.text, "no picture"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(an_empty_frame_is_three_lines, place_open, place_close),
        cmocka_unit_test_setup_teardown(what_scripts_draw_stands_in_the_text, place_open, place_close),
        cmocka_unit_test_setup_teardown(the_same_view_is_the_same_text, place_open, place_close),
        cmocka_unit_test_setup_teardown(a_face_that_stands_twice_is_an_error, place_open, place_close),
        cmocka_unit_test_setup_teardown(numbers_outside_of_the_level_are_errors, place_open, place_close),
        cmocka_unit_test_setup_teardown(lists_that_do_not_fit_are_errors, place_open, place_close),
        cmocka_unit_test_setup_teardown(a_view_that_is_no_view_is_an_error, place_open, place_close),
        cmocka_unit_test_setup_teardown(a_frame_of_another_level_is_an_error, place_open, place_close),
        cmocka_unit_test_setup_teardown(there_are_no_pixels, place_open, place_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
