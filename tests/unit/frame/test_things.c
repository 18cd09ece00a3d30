/* Sprites, particles and lights: where a sprite's corners are, how light falls off. */
#include "support/test.h"

#include <math.h>

#include "frame/frame.h"

static bool near(Vec3 a, Vec3 b) { return vec3_length(vec3_sub(a, b)) < 1e-4f; }

static void a_sprite_faces_the_eye(void **state) {
    (void)state;
    View view = view_make(vec3_at(0, 0, 0), vec3_at(0, 90, 0), 90, 64, 48);    /* looks along y: right is x */
    FrameSprite sprite = { .origin = vec3_at(0, 100, 0), .width = 20, .height = 10 };
    Vec3 corners[4];
    frame_sprite_corners(&view, &sprite, corners);
    assert_true(near(corners[0], vec3_at(-10, 100, 5)) && near(corners[1], vec3_at(10, 100, 5)));
    assert_true(near(corners[2], vec3_at(10, 100, -5)) && near(corners[3], vec3_at(-10, 100, -5)));
    sprite.roll = 90;    /* a quarter turn: its right is where its up was */
    frame_sprite_corners(&view, &sprite, corners);
    Vec3 right = vec3_mix(corners[1], corners[2], 0.5f);
    assert_true(near(right, vec3_at(0, 100, 10)));
}

static void an_oriented_sprite_stands_as_it_is_told(void **state) {
    (void)state;
    View view = view_make(vec3_at(0, 0, 0), vec3_at(37, 11, 5), 90, 64, 48);
    FrameSprite sprite = { .origin = vec3_at(1, 2, 3), .right = vec3_at(0, 4, 0), .up = vec3_at(0, 0, 6), .oriented = true };
    Vec3 corners[4];
    frame_sprite_corners(&view, &sprite, corners);
    assert_true(near(corners[0], vec3_at(1, -2, 9)) && near(corners[2], vec3_at(1, 6, -3)));
}

static void light_falls_in_a_line_to_its_radius(void **state) {
    (void)state;
    Frame frame;
    frame_open(&frame);
    frame_begin(&frame);
    frame_light(&frame, (FrameLight){ vec3_at(0, 0, 0), 100, vec3_at(1, 0.5f, 0) });
    frame_light(&frame, (FrameLight){ vec3_at(1000, 0, 0), 10, vec3_at(1, 1, 1) });
    assert_true(near(frame_lights_at(&frame, vec3_at(0, 0, 0)), vec3_at(1, 0.5f, 0)));
    assert_true(near(frame_lights_at(&frame, vec3_at(0, 75, 0)), vec3_at(0.25f, 0.125f, 0)));
    assert_true(near(frame_lights_at(&frame, vec3_at(0, 0, 100)), vec3_at(0, 0, 0)));
    frame_close(&frame);
}

static void what_is_no_number_is_dropped(void **state) {
    (void)state;
    Frame frame;
    frame_open(&frame);
    frame_begin(&frame);
    frame_light(&frame, (FrameLight){ vec3_at(NAN, 0, 0), 100, vec3_at(1, 1, 1) });
    frame_light(&frame, (FrameLight){ vec3_at(0, 0, 0), 0, vec3_at(1, 1, 1) });
    frame_light(&frame, (FrameLight){ vec3_at(0, 0, 0), 5, vec3_at(INFINITY, 1, 1) });
    frame_particle(&frame, (FrameParticle){ vec3_at(0, INFINITY, 0), 1, { 0 } });
    frame_particle(&frame, (FrameParticle){ vec3_at(0, 0, 0), -1, { 0 } });
    frame_sprite(&frame, (FrameSprite){ .width = NAN });
    assert_int_equal(frame.lights.count + frame.particles.count + frame.sprites.count, 0);
    assert_int_equal(frame.dropped, 6);
    frame_close(&frame);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sprite_faces_the_eye),
        cmocka_unit_test(an_oriented_sprite_stands_as_it_is_told),
        cmocka_unit_test(light_falls_in_a_line_to_its_radius),
        cmocka_unit_test(what_is_no_number_is_dropped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
