/* Camera paths: where the eye is, how smoothly it goes, which way it turns. */
#include "support/test.h"

#include <math.h>

#include "scene/camera_path.h"
#include "scene/path_track.h"

static PathKey key_at(double t, double x, double y, double z) {
    return (PathKey){ .t = t, .says = KEY_ORIGIN, .origin = { x, y, z } };
}

static PathKey key_turned(double t, double pitch, double yaw, double roll) {
    return (PathKey){ .t = t, .says = KEY_ANGLES, .angles = { pitch, yaw, roll } };
}

/* Uneven in time and space, with a corner. */
static CameraPath *uneven(void) {
    static const double keys[][4] = {
        { 0, 0, 0, 0 }, { 1, 300, 20, 10 }, { 1.4, 340, 60, 20 }, { 3, 350, 700, 100 }, { 4, -100, 800, 90 }, { 6, -150, 100, 0 },
    };
    CameraPath *path = camera_path_open();
    for (int i = 0; i < COUNT_OF(keys); i++) {
        PathKey key = key_at(keys[i][0], keys[i][1], keys[i][2], keys[i][3]);
        assert_int_equal(camera_path_add(path, &key), i);
    }
    return path;
}

#define assert_near(a, b, by) assert_near_at((a), (b), (by), __LINE__)
static void assert_near_at(double a, double b, double by, int line) {
    if (!(fabs(a - b) <= by))
        fail_msg("line %d: %.12g is not within %g of %.12g", line, a, by, b);
}

static double apart(PathPose a, PathPose b) {
    double sum = 0;
    for (int i = 0; i < 3; i++)
        sum += (a.origin[i] - b.origin[i]) * (a.origin[i] - b.origin[i]);
    return sqrt(sum);
}

static void set(CameraPath *path, PathSettings settings) { assert_true(camera_path_set_settings(path, &settings)); }

static void keys_are_met_at_their_times(void **state) {
    (void)state;
    CameraPath *path = uneven();
    for (int curve = 0; curve < PATH_CURVE_COUNT; curve++) {
        set(path, (PathSettings){ .curve = (PathCurve)curve });
        for (int i = 0; i < camera_path_count(path); i++) {
            const PathKey *key = camera_path_key(path, i);
            PathPose pose = camera_path_sample(path, key->t);
            for (int axis = 0; axis < 3; axis++)
                assert_near(pose.origin[axis], key->origin[axis], 1e-7);
        }
    }
    assert_near(camera_path_duration(path), 6, 0);
    camera_path_close(path);
}

/* Acceleration by differences on both sides of every moment: a jump of it would not shrink with the step. */
static double worst_jump(CameraPath *path, double from, double to, double step) {
    double worst = 0;
    for (double t = from; t < to; t += 0.0173) {
        for (int axis = 0; axis < 3; axis++) {
            double at[5];
            for (int i = 0; i < 5; i++)
                at[i] = camera_path_sample(path, t + (i - 2) * step).origin[axis];
            double left = (at[0] - 2 * at[1] + at[2]) / (step * step), right = (at[2] - 2 * at[3] + at[4]) / (step * step);
            worst = fmax(worst, fabs(left - right));
        }
    }
    return worst;
}

static double worst_jump_at_keys(CameraPath *path, double step) {
    double worst = 0;
    for (int i = 1; i + 1 < camera_path_count(path); i++) {
        double t = camera_path_key_time(path, i);
        worst = fmax(worst, worst_jump(path, t, t + 0.001, step));
    }
    return worst;
}

static void acceleration_has_no_jump(void **state) {
    (void)state;
    CameraPath *path = uneven();
    for (int by = PATH_BY_TIMES; by <= PATH_BY_SPEEDS; by++) {
        set(path, (PathSettings){ .by = (PathSpeed)by, .speed = by == PATH_BY_SPEEDS ? 300 : 0 });
        double coarse = worst_jump_at_keys(path, 1e-3), fine = worst_jump_at_keys(path, 1e-4);
        if (!(fine < coarse * 0.2))    /* a jump stays, a bend shrinks with the step */
            fail_msg("mode %d: acceleration differs by %g over 1 ms and by %g over 0.1 ms", by, coarse, fine);
        assert_true(worst_jump(path, 0.01, camera_path_duration(path) - 0.01, 1e-4) < 3000);
    }
    /* The even blend of Catmull and Rom has jumps, so the measure would see them. */
    set(path, (PathSettings){ .curve = PATH_UNIFORM });
    assert_true(worst_jump_at_keys(path, 1e-4) > worst_jump_at_keys(path, 1e-3) * 0.5);
    camera_path_close(path);
}

static void a_rest_is_smooth_too(void **state) {
    (void)state;
    CameraPath *path = uneven();
    PathKey key = *camera_path_key(path, 2);
    key.hold = 0.5;
    camera_path_set(path, 2, &key);
    key = *camera_path_key(path, 4);
    key.ease = 1;
    camera_path_set(path, 4, &key);
    assert_true(worst_jump_at_keys(path, 1e-4) < worst_jump_at_keys(path, 1e-3) * 0.2);
    assert_near(apart(camera_path_sample(path, 1.4), camera_path_sample(path, 1.9)), 0, 1e-9);
    assert_true(apart(camera_path_sample(path, 1.9), camera_path_sample(path, 2.2)) > 1);
    assert_true(apart(camera_path_sample(path, 4), camera_path_sample(path, 4.001)) < 1e-3);    /* 800 units/s elsewhere */
    camera_path_close(path);
}

static void one_speed_is_one_speed(void **state) {
    (void)state;
    CameraPath *path = uneven();
    set(path, (PathSettings){ .by = PATH_CONSTANT });
    double duration = camera_path_duration(path), length = camera_path_length(path);
    assert_near(duration, 6, 1e-9);
    double sum = 0;
    for (int i = 0; i < 600; i++) {
        double step = apart(camera_path_sample(path, i * duration / 600), camera_path_sample(path, (i + 1) * duration / 600));
        assert_near(step, length / 600, 0.02 * length / 600);
        sum += step;
    }
    assert_near(sum, length, length * 0.001);
    set(path, (PathSettings){ .by = PATH_CONSTANT, .speed = 100 });
    assert_near(camera_path_duration(path), length / 100, 1e-6);
    camera_path_close(path);
}

static void keys_may_have_speeds(void **state) {
    (void)state;
    CameraPath *path = camera_path_open();
    double speeds[] = { 100, 300, 300 };
    for (int i = 0; i < 3; i++) {
        PathKey key = key_at(i, i * 400, 0, 0);
        key.says |= KEY_SPEED;
        key.speed = speeds[i];
        camera_path_add(path, &key);
    }
    set(path, (PathSettings){ .by = PATH_BY_SPEEDS });
    assert_near(camera_path_key_time(path, 1), 2, 1e-9);
    assert_near(camera_path_duration(path), 2 + 400.0 / 300, 1e-9);
    double h = 1e-4;
    assert_near(apart(camera_path_sample(path, 0), camera_path_sample(path, h)) / h, 100, 0.5);
    assert_near(apart(camera_path_sample(path, 2 - h), camera_path_sample(path, 2 + h)) / (2 * h), 300, 0.5);
    for (double t = 0; t < 3; t += 0.01)
        assert_true(camera_path_sample(path, t + 0.01).origin[0] > camera_path_sample(path, t).origin[0]);
    camera_path_close(path);
}

static void the_way_never_runs_backwards(void **state) {
    (void)state;
    CameraPath *path = uneven();
    double last = -1;
    for (double t = 0; t <= 6; t += 0.001) {
        double distance = camera_path_distance(path, t);
        assert_true(distance >= last - 1e-9);
        last = distance;
    }
    assert_near(camera_path_distance(path, 6), camera_path_length(path), 1e-6);
    camera_path_close(path);
}

/* Traps G9: a short step between two long ones makes the uniform curve swing out; the centripetal one stays near. */
static void uneven_keys_do_not_overshoot(void **state) {
    (void)state;
    CameraPath *path = camera_path_open();
    double x[] = { 0, 1000, 1010, 1010 }, y[] = { 0, 0, 0, 1000 };
    for (int i = 0; i < 4; i++) {
        PathKey key = key_at(i, x[i], y[i], 0);
        camera_path_add(path, &key);
    }
    double most[2] = { 0, 0 };
    for (int curve = PATH_CENTRIPETAL; curve <= PATH_UNIFORM; curve++) {
        set(path, (PathSettings){ .curve = (PathCurve)curve });
        for (double t = 1; t <= 2; t += 0.01) {
            PathPose pose = camera_path_sample(path, t);
            most[curve] = fmax(most[curve], fmax(fabs(pose.origin[1]), fmax(pose.origin[0] - 1010, 1000 - pose.origin[0])));
        }
    }
    assert_true(most[0] < 6);
    assert_true(most[1] > 50);
    camera_path_close(path);
}

static void two_keys_are_a_line_and_one_is_a_place(void **state) {
    (void)state;
    CameraPath *path = camera_path_open();
    assert_near(camera_path_duration(path), 0, 0);
    assert_int_equal(camera_path_sample(path, 1).has, 0);
    PathKey key = key_at(1, 10, 20, 30);
    camera_path_add(path, &key);
    assert_near(camera_path_sample(path, -5).origin[2], 30, 0);
    assert_near(camera_path_sample(path, 50).origin[2], 30, 0);
    key = key_at(3, 110, 20, 30);
    camera_path_add(path, &key);
    assert_near(camera_path_sample(path, 2).origin[0], 60, 1e-9);
    assert_near(camera_path_sample(path, 1.5).origin[0], 35, 1e-9);
    assert_near(camera_path_sample(path, 0).origin[0], 10, 0);      /* before the first and after the last it stays */
    assert_near(camera_path_sample(path, 99).origin[0], 110, 0);
    camera_path_close(path);
}

static double yaw_at(double from, double to, double u, bool literal) {
    CameraPath *path = camera_path_open();
    PathKey a = key_turned(0, 0, from, 0), b = key_turned(1, 0, to, 0);
    a.says |= literal ? KEY_LITERAL : 0;
    camera_path_add(path, &a);
    camera_path_add(path, &b);
    double yaw = camera_path_sample(path, u).angles[1];
    camera_path_close(path);
    return yaw;
}

/* Traps G1, G2, G3. */
static void turns_go_the_short_way(void **state) {
    (void)state;
    assert_near(yaw_at(358, 2, 0.5, false), 0, 1e-9);
    assert_near(yaw_at(358, 2, 0.25, false), -1, 1e-9);
    assert_near(yaw_at(165.3, -176.3, 0.5, false), 174.5, 1e-9);    /* 30100 and -32100 of 16 bits */
    assert_near(yaw_at(10, 1080 + 30, 0.5, false), 20, 1e-9);
    assert_near(yaw_at(-36000 + 10, 30, 0.5, false), 20, 1e-9);
    assert_near(yaw_at(0, 720, 0.25, true), 180, 1e-9);             /* unless told */
}

static void turning_goes_on_through_a_key(void **state) {
    (void)state;
    CameraPath *path = camera_path_open();
    double times[] = { 0, 1, 1.3, 3 }, yaw[] = { 0, 40, 90, 100 };
    for (int i = 0; i < 4; i++) {
        PathKey key = key_turned(times[i], i * 10, yaw[i], 0);
        camera_path_add(path, &key);
    }
    double h = 1e-5;
    for (int i = 1; i < 3; i++) {
        double t = times[i], left = 0, right = 0;
        for (int axis = 0; axis < 2; axis++) {
            double here = camera_path_sample(path, t).angles[axis];
            left = (here - camera_path_sample(path, t - h).angles[axis]) / h;
            right = (camera_path_sample(path, t + h).angles[axis] - here) / h;
            assert_near(left, right, 0.05);
        }
        assert_true(fabs(left) > 5);
    }
    camera_path_close(path);
}

static void the_horizon_is_level_unless_a_key_is_tilted(void **state) {
    (void)state;
    CameraPath *path = camera_path_open();
    double pitch[] = { -40, 50, 10, -60 }, yaw[] = { 0, 100, 220, 300 };
    for (int i = 0; i < 4; i++) {
        PathKey key = key_turned(i, pitch[i], yaw[i], 0);
        camera_path_add(path, &key);
    }
    for (double t = 0; t <= 3; t += 0.1)
        assert_near(camera_path_sample(path, t).roll, 0, 0);
    PathKey key = key_turned(1, 50, 100, 30);
    camera_path_set(path, 1, &key);
    assert_near(camera_path_sample(path, 1).roll, 30, 1e-6);
    key.says |= KEY_ROLL;
    key.roll = -10;
    camera_path_set(path, 1, &key);
    for (double t = 0; t <= 3; t += 0.1)
        assert_near(camera_path_sample(path, t).roll, -10, 1e-9);
    camera_path_close(path);
}

static void quaternions_are_the_angles(void **state) {
    (void)state;
    for (int i = 0; i < 2000; i++) {
        double angles[3] = { (i * 37) % 179 - 89, (i * 101) % 359 - 179, (i * 53) % 359 - 179 }, back[3];
        quat_to_angles(quat_from_angles(angles), back);
        for (int axis = 0; axis < 3; axis++)
            assert_near(back[axis], angles[axis], 1e-6);
    }
    double up[3] = { -90, 30, 0 }, back[3];
    quat_to_angles(quat_from_angles(up), back);
    assert_near(back[0], -90, 1e-5);
    assert_near(back[1], 30, 1e-5);
    assert_near(back[2], 0, 1e-5);
}

static void the_eye_looks_at_its_point(void **state) {
    (void)state;
    CameraPath *path = uneven();
    for (int i = 0; i < camera_path_count(path); i++) {
        PathKey key = *camera_path_key(path, i);
        key.says |= KEY_LOOK;
        key.look[0] = 100;
        key.look[1] = 300;
        key.look[2] = -50;
        camera_path_set(path, i, &key);
    }
    for (double t = 0; t < 6; t += 0.07) {
        PathPose pose = camera_path_sample(path, t);
        double dx = 100 - pose.origin[0], dy = 300 - pose.origin[1], dz = -50 - pose.origin[2];
        assert_near(pose.angles[1], atan2(dy, dx) * 180 / 3.14159265358979, 1e-6);
        assert_near(pose.angles[0], atan2(-dz, hypot(dx, dy)) * 180 / 3.14159265358979, 1e-6);
    }
    double look[3] = { 0, 0, 500 };
    for (int i = 0; i < camera_path_count(path); i++)
        camera_path_look(path, i, look);
    assert_true(camera_path_sample(path, 2).angles[0] < 0);    /* it moved over the eye */
    camera_path_close(path);
}

static void fov_and_roll_do_not_overshoot(void **state) {
    (void)state;
    CameraPath *path = camera_path_open();
    double fov[] = { 90, 90, 30, 30, 90 }, roll[] = { 0, 0, 45, 45, 0 };
    for (int i = 0; i < 5; i++) {
        PathKey key = { .t = i, .says = KEY_FOV | KEY_ROLL, .fov = fov[i], .roll = roll[i] };
        camera_path_add(path, &key);
    }
    for (double t = 0; t <= 4; t += 0.01) {
        PathPose pose = camera_path_sample(path, t);
        assert_true(pose.fov >= 30 - 1e-9 && pose.fov <= 90 + 1e-9 && pose.roll >= -1e-9 && pose.roll <= 45 + 1e-9);
        if (t >= 2 && t <= 3)
            assert_near(pose.fov, 30, 1e-9);
    }
    camera_path_close(path);
}

/* Traps G4: what stays is a path as if the key had never been. */
static void a_key_in_the_middle_can_go(void **state) {
    (void)state;
    CameraPath *path = uneven(), *other = camera_path_open();
    camera_path_sample(path, 2);
    camera_path_remove(path, 2);
    for (int i = 0; i < camera_path_count(path); i++)
        camera_path_add(other, camera_path_key(path, i));
    for (double t = -1; t < 8; t += 0.1)
        assert_near(apart(camera_path_sample(path, t), camera_path_sample(other, t)), 0, 0);
    camera_path_close(path);
    camera_path_close(other);
}

static void a_loop_closes_smoothly(void **state) {
    (void)state;
    CameraPath *path = uneven();
    set(path, (PathSettings){ .loop = 1.5 });
    assert_near(camera_path_duration(path), 7.5, 1e-9);
    assert_near(apart(camera_path_sample(path, 0.3), camera_path_sample(path, 7.8)), 0, 1e-6);
    assert_true(worst_jump(path, 7.5, 7.5005, 1e-4) < worst_jump(path, 7.5, 7.5005, 1e-3) * 0.2);
    camera_path_close(path);
}

static void a_held_key_jumps(void **state) {
    (void)state;
    CameraPath *path = uneven();
    PathKey key = *camera_path_key(path, 3);
    key.says |= KEY_CURVE;
    key.curve = PATH_HOLD;
    camera_path_set(path, 3, &key);
    assert_near(apart(camera_path_sample(path, 3.01), camera_path_sample(path, 3.99)), 0, 1e-9);
    assert_near(camera_path_sample(path, 4).origin[0], -100, 1e-9);
    camera_path_close(path);
}

static void what_is_not_a_number_is_no_key(void **state) {
    (void)state;
    CameraPath *path = camera_path_open();
    PathKey key = key_at(NAN, 0, 0, 0);
    assert_int_equal(camera_path_add(path, &key), -1);
    key = key_at(0, 0, INFINITY, 0);
    assert_int_equal(camera_path_add(path, &key), -1);
    key = (PathKey){ .says = KEY_FOV, .fov = 0 };
    assert_int_equal(camera_path_add(path, &key), -1);
    key = (PathKey){ .says = KEY_ORIGIN, .hold = -1 };
    assert_int_equal(camera_path_add(path, &key), -1);
    assert_false(camera_path_set_settings(path, &(PathSettings){ .speed = -1 }));
    camera_path_sample(path, NAN);
    /* Keys at one time, at one place, and both. */
    for (int i = 0; i < 4; i++) {
        key = key_at(1, i / 2, 0, 0);
        key.says |= KEY_ANGLES | KEY_LOOK;
        assert_int_equal(camera_path_add(path, &key), i);
    }
    for (int by = 0; by <= PATH_BY_SPEEDS; by++) {
        set(path, (PathSettings){ .by = (PathSpeed)by, .loop = by });
        for (double t = 0; t < 3; t += 0.25) {
            PathPose pose = camera_path_sample(path, t);
            assert_true(isfinite(pose.origin[0]) && isfinite(pose.angles[1]));
        }
    }
    camera_path_close(path);
}

static void a_recorded_flight_becomes_few_keys(void **state) {
    (void)state;
    enum { COUNT = 600 };
    PathKey *keys = mem_zeroed(COUNT, sizeof *keys), *all = mem_zeroed(COUNT, sizeof *all);
    for (int i = 0; i < COUNT; i++) {
        double t = i / 60.0;
        keys[i] = key_at(t, t < 5 ? t * 100 : 500, t < 5 ? 0 : (t - 5) * 200, 0);
        keys[i].says |= KEY_ANGLES;
        keys[i].angles[1] = t < 5 ? 0 : t < 5.5 ? (t - 5) * 180 : 90;
        all[i] = keys[i];
    }
    int left = path_simplify(keys, COUNT, 2, 1);
    assert_in_range(left, 3, 8);
    assert_near(keys[0].t, 0, 0);
    assert_near(keys[left - 1].t, (COUNT - 1) / 60.0, 0);
    for (int i = 0, k = 0; i < COUNT; i++) {    /* straight between what stays, every place is near enough */
        while (keys[k + 1].t < all[i].t)
            k++;
        double u = (all[i].t - keys[k].t) / (keys[k + 1].t - keys[k].t);
        for (int axis = 0; axis < 3; axis++)
            assert_near(keys[k].origin[axis] + u * (keys[k + 1].origin[axis] - keys[k].origin[axis]), all[i].origin[axis], 2);
    }
    mem_free(keys);
    mem_free(all);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_are_met_at_their_times),
        cmocka_unit_test(acceleration_has_no_jump),
        cmocka_unit_test(a_rest_is_smooth_too),
        cmocka_unit_test(one_speed_is_one_speed),
        cmocka_unit_test(keys_may_have_speeds),
        cmocka_unit_test(the_way_never_runs_backwards),
        cmocka_unit_test(uneven_keys_do_not_overshoot),
        cmocka_unit_test(two_keys_are_a_line_and_one_is_a_place),
        cmocka_unit_test(turns_go_the_short_way),
        cmocka_unit_test(turning_goes_on_through_a_key),
        cmocka_unit_test(the_horizon_is_level_unless_a_key_is_tilted),
        cmocka_unit_test(quaternions_are_the_angles),
        cmocka_unit_test(the_eye_looks_at_its_point),
        cmocka_unit_test(fov_and_roll_do_not_overshoot),
        cmocka_unit_test(a_key_in_the_middle_can_go),
        cmocka_unit_test(a_loop_closes_smoothly),
        cmocka_unit_test(a_held_key_jumps),
        cmocka_unit_test(what_is_not_a_number_is_no_key),
        cmocka_unit_test(a_recorded_flight_becomes_few_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
