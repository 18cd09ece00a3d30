/* Particles and lights that stay: the same by the clock whatever frames came before; tickets that find nothing any more. */
#include "support/test.h"

#include "scene/lights.h"
#include "scene/particles.h"

static const ParticleBurst burst = {
    .like = { .origin = { .x = 1, .y = 2, .z = 3 }, .velocity = { .x = 10, .y = 0, .z = 100 }, .gravity = 50, .life = 2, .size = 4, .size_to = 2,
              .color = { 200, 0, 0, 255 }, .color_to = { 0, 200, 0, 0 } },
    .count = 1,
};

static void a_particle_is_where_its_age_says(void **state) {
    (void)state;
    Particles particles = { 0 };
    Frame frame;
    frame_open(&frame);
    frame_begin(&frame);
    assert_int_equal(particles_emit(&particles, &burst, 10), 1);
    particles_fill(&particles, 11, &frame);
    assert_int_equal(frame.particles.count, 1);
    const FrameParticle *p = &frame.particles.at[0];
    assert_true(p->origin.x == 11 && p->origin.y == 2 && p->origin.z == 3 + 100 - 25);
    assert_true(p->size == 3 && p->color.r == 100 && p->color.g == 100 && p->color.a == 128);
    frame_begin(&frame);
    particles_fill(&particles, 9, &frame);     /* not born yet */
    particles_fill(&particles, 12, &frame);    /* its life is over */
    assert_int_equal(frame.particles.count, 0);
    particles_run(&particles, 11.9);
    assert_int_equal(particles.list.count, 1);
    particles_run(&particles, 12);
    assert_int_equal(particles.list.count, 0);
    particles_close(&particles);
    frame_close(&frame);
}

static void chance_is_the_same_every_time(void **state) {
    (void)state;
    Particles a = { 0 }, b = { 0 };
    ParticleBurst many = burst;
    many.count = 1000;
    many.spread = 30;
    many.box = vec3_at(5, 6, 7);
    many.life_spread = 0.5f;
    many.size_spread = 0.5f;
    particles_emit(&b, &burst, 0);
    particles_clear(&b);
    particles_emit(&a, &many, 1);
    particles_emit(&b, &many, 1);
    assert_memory_equal(a.list.at, b.list.at, 1000 * sizeof *a.list.at);
    bool differ = false;
    for (int i = 0; i < 1000; i++) {
        const Particle *p = &a.list.at[i];
        assert_true(p->origin.x >= -4 && p->origin.x <= 6 && p->life >= 1 && p->life <= 2 && p->size >= 2 && p->size <= 4);
        assert_true(vec3_length(vec3_sub(p->velocity, burst.like.velocity)) <= 30.001f);
        differ = differ || p->life != a.list.at[0].life;
    }
    assert_true(differ);
    particles_close(&a);
    particles_close(&b);
}

static void a_light_that_was_removed_is_found_no_more(void **state) {
    (void)state;
    Lights lights = { 0 };
    LightTicket first, second;
    FrameLight light = { vec3_at(1, 2, 3), 50, vec3_at(1, 1, 1) };
    assert_true(lights_add(&lights, light, &first));
    assert_true(lights_at(&lights, first)->radius == 50);
    lights_remove(&lights, first);
    lights_remove(&lights, first);
    assert_null(lights_at(&lights, first));
    assert_true(lights_add(&lights, light, &second));    /* in the same slot */
    assert_null(lights_at(&lights, first));
    assert_non_null(lights_at(&lights, second));
    assert_int_equal(lights_count(&lights), 1);
    Frame frame;
    frame_open(&frame);
    frame_begin(&frame);
    lights_fill(&lights, &frame);
    assert_int_equal(frame.lights.count, 1);
    lights_clear(&lights);
    assert_null(lights_at(&lights, second));
    assert_null(lights_at(&lights, (LightTicket){ -1, 0 }));
    assert_null(lights_at(&lights, (LightTicket){ 99, 0 }));
    frame_close(&frame);
    lights_close(&lights);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_particle_is_where_its_age_says),
        cmocka_unit_test(chance_is_the_same_every_time),
        cmocka_unit_test(a_light_that_was_removed_is_found_no_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
