/* Camera files of other programs: read, written, and what is wrong in them. */
#include "support/test.h"

#include <math.h>

#include "scene/camera_file.h"

static const char q3mme[] =
    "<?xml version=\"1.0\"?>\n<mme>\n<camera>\n\t<smoothPos>1</smoothPos>\n\t<smoothAngles>1</smoothAngles>\n\t<locked>0</locked>\n"
    "\t<target>-1</target>\n\t<dof><x>1</x></dof>\n"
    "\t<point>\n\t\t<time>      1500</time>\n\t\t<origin> 10.5000  -20.0000   3.2500</origin>\n\t\t<angles>  5.0000  90.0000  0.0000</angles>\n"
    "\t\t<fov> -30.0000</fov>\n\t</point>\n"
    "\t<!-- only a place -->\n\t<point>\n\t\t<time>3000</time><flags>1</flags>\n\t\t<origin>100 0 0</origin>\n\t</point>\n</camera>\n</mme>\n";

static CameraPath *read(CameraFormat format, const char *text, Error *error) {
    return camera_file_read(format, "test.cam", text, strlen(text), 25, error);
}

static void a_q3mme_file_is_read(void **state) {
    (void)state;
    Error error = { "" };
    assert_int_equal(camera_format_of_text(q3mme, sizeof q3mme - 1), CAMERA_Q3MME);
    CameraPath *path = read(CAMERA_Q3MME, q3mme, &error);
    assert_string_equal(error.text, "");
    assert_non_null(path);
    assert_int_equal(camera_path_count(path), 2);
    const PathKey *key = camera_path_key(path, 0);
    assert_true(key->t == 1.5 && key->origin[0] == 10.5 && key->origin[2] == 3.25 && key->angles[1] == 90);
    assert_true(key->fov == 60);    /* its fov is an offset to 90 */
    assert_int_equal(camera_path_key(path, 1)->says, KEY_ORIGIN);
    assert_int_equal(camera_path_settings(path).curve, PATH_UNIFORM);
    camera_path_close(path);
}

static void what_is_written_reads_back(void **state) {
    (void)state;
    CameraPath *path = read(CAMERA_Q3MME, q3mme, NULL);
    Text text = { 0 }, again = { 0 };
    camera_file_write(CAMERA_Q3MME, path, 25, &text);
    CameraPath *other = read(CAMERA_Q3MME, text_of(&text), NULL);
    assert_non_null(other);
    camera_file_write(CAMERA_Q3MME, other, 25, &again);
    assert_string_equal(text_of(&text), text_of(&again));
    camera_path_close(path);
    camera_path_close(other);
    text_free(&text);
    text_free(&again);
}

static void a_flat_file_has_a_line_a_frame(void **state) {
    (void)state;
    static const char flat[] = "# a flight\n0 0 0 0 0 0 90\r\n10, 0, 5, -10, 20, 1, 80\n\n20 0 0 0 40 0 70 // the end";
    assert_int_equal(camera_format_of_text(flat, sizeof flat - 1), CAMERA_FLAT);
    CameraPath *path = read(CAMERA_FLAT, flat, NULL);
    assert_non_null(path);
    assert_int_equal(camera_path_count(path), 3);
    assert_true(fabs(camera_path_duration(path) - 0.08) < 1e-12);
    PathPose pose = camera_path_sample(path, 0.06);
    assert_true(fabs(pose.origin[0] - 15) < 1e-9);
    Text text = { 0 };
    camera_file_write(CAMERA_FLAT, path, 25, &text);
    CameraPath *other = read(CAMERA_FLAT, text_of(&text), NULL);
    assert_non_null(other);
    assert_int_equal(camera_path_count(other), 3);
    for (int i = 0; i < 3; i++)
        for (int axis = 0; axis < 3; axis++) {
            assert_true(fabs(camera_path_key(path, i)->origin[axis] - camera_path_key(other, i)->origin[axis]) < 1e-5);
            assert_true(fabs(camera_path_key(path, i)->angles[axis] - camera_path_key(other, i)->angles[axis]) < 1e-4);
        }
    text_free(&text);
    camera_path_close(path);
    camera_path_close(other);
}

static void errors_say_the_line(void **state) {
    (void)state;
    static const struct { CameraFormat format; const char *text, *says; } wrong[] = {
        { CAMERA_FLAT, "0 0 0\n1 2\n", "test.cam:2:" },
        { CAMERA_FLAT, "0 0 x\n", "test.cam:1:" },
        { CAMERA_FLAT, "0 0 0 0 0 0 500\n", "1..170" },
        { CAMERA_FLAT, "# none\n", "nothing" },
        { CAMERA_FLAT, "1 2 3 4 5 6 7 8\n", "test.cam:1:" },
        { CAMERA_FLAT, "1e999 2 3\n", "test.cam:1:" },
        { CAMERA_Q3MME, "<camera>\n<point>\n<origin>1 2 3</origin>\n</point></camera>", "without a time" },
        { CAMERA_Q3MME, "<camera><point><time>1</time><origin>1 2</origin></point></camera>", "3 numbers" },
        { CAMERA_Q3MME, "<camera><point><time>1</time>", "tag is expected" },
        { CAMERA_Q3MME, "<camera", "no '>'" },
        { CAMERA_Q3MME, "<camera><a><b></b>", "not closed" },
        { CAMERA_Q3MME, "<mme>\n</mme>", "no <camera>" },
        { CAMERA_Q3MME, "<camera></point></camera>", "not opened" },
        { CAMERA_Q3MME, "<>", "without a name" },
    };
    for (int i = 0; i < COUNT_OF(wrong); i++) {
        Error error = { "" };
        CameraPath *path = read(wrong[i].format, wrong[i].text, &error);
        if (path || !strstr(error.text, wrong[i].says))
            fail_msg("%s: \"%s\" does not say \"%s\"", wrong[i].text, error.text, wrong[i].says);
    }
}

/* Every cut and many a changed byte: no crash (the sanitizers watch), and either a path or words. */
static void damaged_files_are_survived(void **state) {
    (void)state;
    char copy[sizeof q3mme];
    for (size_t cut = 0; cut < sizeof q3mme; cut++) {
        Error error = { "" };
        CameraPath *path = camera_file_read(CAMERA_Q3MME, "x", q3mme, cut, 25, &error);
        assert_true(path || error.text[0]);
        camera_path_close(path);
        memcpy(copy, q3mme, sizeof q3mme);
        copy[cut] = (char)(cut * 131 + 7);
        path = camera_file_read(CAMERA_Q3MME, "x", copy, sizeof q3mme, 25, NULL);
        camera_path_close(path);
        path = camera_file_read(CAMERA_FLAT, "x", copy, sizeof q3mme, 25, NULL);
        camera_path_close(path);
    }
}

static void names_tell_the_format(void **state) {
    (void)state;
    assert_int_equal(camera_format_of_name("a.cam"), CAMERA_Q3MME);
    assert_int_equal(camera_format_of_name("a.TXT"), CAMERA_FLAT);
    assert_int_equal(camera_format_of_name("a.lua"), CAMERA_LUA);
    assert_int_equal(camera_format_of_text("-- a path\nreturn {}", 19), CAMERA_LUA);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_q3mme_file_is_read),
        cmocka_unit_test(what_is_written_reads_back),
        cmocka_unit_test(a_flat_file_has_a_line_a_frame),
        cmocka_unit_test(errors_say_the_line),
        cmocka_unit_test(damaged_files_are_survived),
        cmocka_unit_test(names_tell_the_format),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
