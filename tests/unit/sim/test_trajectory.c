/* Trajectories: where things are, to the unit, by the game's formulas. */
#include "support/test.h"

#include <math.h>

#include "sim/trajectory.h"

static void near(float a, float b) { assert_true(fabsf(a - b) < 1e-3f); }

static void each_kind_is_where_its_formula_says(void **state) {
    (void)state;
    Vec3 base = vec3_at(10, 0, 0), delta = vec3_at(2, 0, 5);
    Trajectory t = { .kind = TRAJECTORY_LINEAR, .start = 1, .base = base, .delta = delta };
    near(trajectory_at(&t, 4).x, 16);
    t.kind = TRAJECTORY_SINE;
    t.duration = 4;
    near(trajectory_at(&t, 2).z, 5);        /* a quarter of the cycle */
    near(trajectory_at(&t, 3).z, 0);
    t.kind = TRAJECTORY_GRAVITY;
    near(trajectory_at(&t, 1.5).z, 2.5f - 100);
    near(trajectory_velocity(&t, 1.5).z, 5 - 400);
    assert_true(trajectory_at(&(Trajectory){ .kind = TRAJECTORY_SINE }, 3).x == 0);    /* no cycle: no division */
}

static void what_stops_stays_where_it_was_sent(void **state) {
    (void)state;
    for (int ease = 0; ease < 2; ease++) {
        Trajectory t = trajectory_move(vec3_at(0, 0, 0), vec3_at(0, 0, 100), 2, 4, ease);
        near(trajectory_at(&t, 0).z, 0);
        near(trajectory_at(&t, 4).z, 50);
        near(trajectory_at(&t, 100).z, 100);
        near(trajectory_velocity(&t, 100).z, 0);
        near(trajectory_velocity(&t, 4).z, ease ? 37.5f : 25);
        float before = -1;
        for (double s = 2; s <= 6; s += 0.05) {
            float now = trajectory_at(&t, s).z;
            assert_true(now >= before);
            before = now;
        }
    }
    assert_int_equal(trajectory_move(vec3_at(0, 0, 0), vec3_at(1, 0, 0), 0, 0, false).kind, TRAJECTORY_STILL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kind_is_where_its_formula_says),
        cmocka_unit_test(what_stops_stays_where_it_was_sent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
