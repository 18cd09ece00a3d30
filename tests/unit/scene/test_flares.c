/* Flares: seen from their front alone, hidden by walls and doors, coming and going by the frames' own clock. */
#include "support/test.h"

#include <math.h>

#include "scene/flares.h"
#include "support/scene_place.h"

/* The level "everything": its flare hangs at 128 128 120 under the ceiling and shines down; a door may stand between the
 * first room and the second. */
typedef struct Place { ScenePlace *in; const Collision *collision; Flares flares; } Place;

static Place *place_open(void) {
    Place *place = mem_zeroed(1, sizeof *place);
    place->in = scene_place_open("everything");
    place->collision = bsp_collision(place->in->level.map, place->in->arena);
    return place;
}

static void place_close(Place *place) {
    flares_close(&place->flares);
    scene_place_close(place->in);
    mem_free(place);
}

static const Vec3 below = { { 60, 128, 30 } }, looks_up = { { -40, 0, 0 } };
static const Vec3 beyond = { { 300, 128, 30 } }, looks_back = { { -20, 180, 0 } };    /* in the second room */

/* How bright the flare is drawn in red, 0: not at all. */
static int look(Place *place, Vec3 origin, Vec3 angles, double time) {
    place->in->scene.origin = origin;
    place->in->scene.angles = angles;
    frame_begin(&place->in->frame);
    place->in->frame.time = time;
    scene_fill(&place->in->scene, &place->in->frame, 640, 480);
    flares_fill(&place->flares, &place->in->scene, place->collision, TEXTURE_WHITE, &place->in->frame);
    assert_true(place->in->frame.sprites.count <= 1);
    return place->in->frame.sprites.count ? place->in->frame.sprites.at[0].color.r : 0;
}

static void a_flare_stands_where_the_file_says(void **state) {
    (void)state;
    Place *place = place_open();
    assert_true(look(place, below, looks_up, 0) > 0);
    const FrameSprite *sprite = &place->in->frame.sprites.at[0];
    assert_true(vec3_length(vec3_sub(sprite->origin, vec3_at(128, 128, 120))) < 1e-3f);
    assert_true(sprite->flags == (DRAW_XRAY | DRAW_ADD));
    assert_true(abs(sprite->color.g * 2 - sprite->color.r) <= 2 && abs(sprite->color.b * 4 - sprite->color.r) <= 4);
    place_close(place);
}

/* Of the engine: 40 of 640 pixels and 8 pixels at a unit's distance more, to each side. */
static void it_keeps_its_size_on_the_screen(void **state) {
    (void)state;
    Place *place = place_open();
    for (int i = 0; i < 2; i++) {
        Vec3 eye = vec3_at(i ? 100.0f : 20.0f, 128, 40);
        assert_true(look(place, eye, vec3_at(-45, 0, 0), 0) > 0);
        const FrameSprite *sprite = &place->in->frame.sprites.at[0];
        float x[2], y[2], depth;
        Vec3 corners[4];
        frame_sprite_corners(&place->in->frame.view, sprite, corners);
        view_project(&place->in->frame.view, corners[0], &x[0], &y[0], &depth);
        view_project(&place->in->frame.view, corners[2], &x[1], &y[1], &depth);
        float size = 640 * (40 / 640.0f + 8 / depth);
        assert_true(fabsf(x[1] - x[0] - 2 * size) < 0.1f && fabsf(y[1] - y[0] - 2 * size) < 0.1f);
    }
    place_close(place);
}

static void its_back_is_dark(void **state) {
    (void)state;
    Place *place = place_open();
    assert_int_equal(look(place, vec3_at(60, 128, 124), vec3_at(0, 0, 0), 0), 0);
    place_close(place);
}

static void a_wall_hides_it(void **state) {
    (void)state;
    Place *place = place_open();
    place->in->scene.poses[1].shown = false;
    assert_true(look(place, beyond, looks_back, 0) > 0);    /* through the open doorway */
    flares_close(&place->flares);
    assert_int_equal(look(place, vec3_at(300, 40, 30), vec3_at(-20, 153, 0), 0), 0);    /* the wall beside it */
    place_close(place);
}

static void a_door_hides_it_while_it_is_shut(void **state) {
    (void)state;
    Place *place = place_open();
    assert_true(place->in->scene.poses[1].shown);
    assert_int_equal(look(place, beyond, looks_back, 0), 0);
    place->in->scene.poses[1].origin.z = 200;    /* open */
    assert_true(look(place, beyond, looks_back, 5) > 0);
    place_close(place);
}

static void it_fades_by_the_clock_of_the_frames(void **state) {
    (void)state;
    Place *place = place_open();
    int full = look(place, below, looks_up, 0);    /* the first frame has it at once */
    assert_int_equal(look(place, below, vec3_at(40, 0, 0), 0.05), 0);    /* out of view: nothing is left to fade */
    int first = look(place, below, looks_up, 0.1), again = look(place, below, looks_up, 0.1);
    assert_true(first > 0 && first < full);
    assert_int_equal(first, again);    /* no time, no change */
    int second = look(place, below, looks_up, 0.15);
    assert_true(second > first && second < full);
    assert_int_equal(look(place, below, looks_up, 0.3), full);
    place->in->scene.poses[1].origin.z = 200;
    look(place, beyond, looks_back, 1);
    int seen = look(place, beyond, looks_back, 1.5);
    place->in->scene.poses[1].origin.z = 0;    /* shut: it goes, but not at once */
    int going = look(place, beyond, looks_back, 1.55);
    assert_true(going > 0 && going < seen);
    assert_int_equal(look(place, beyond, looks_back, 1.8), 0);
    place_close(place);
}

static void the_same_frames_have_the_same_flares(void **state) {
    (void)state;
    int shown[2][40];
    for (int run = 0; run < 2; run++) {
        Place *place = place_open();
        for (int i = 0; i < 40; i++) {
            place->in->scene.poses[1].origin.z = i / 5 % 2 ? 200 : 0;
            shown[run][i] = look(place, beyond, looks_back, i / 30.0);
        }
        place_close(place);
    }
    assert_memory_equal(shown[0], shown[1], sizeof shown[0]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_flare_stands_where_the_file_says),
        cmocka_unit_test(it_keeps_its_size_on_the_screen),
        cmocka_unit_test(its_back_is_dark),
        cmocka_unit_test(a_wall_hides_it),
        cmocka_unit_test(a_door_hides_it_while_it_is_shut),
        cmocka_unit_test(it_fades_by_the_clock_of_the_frames),
        cmocka_unit_test(the_same_frames_have_the_same_flares),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
