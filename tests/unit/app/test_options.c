/* What is typed becomes options: anywhere, with values that look like options, and wrong words refused. */
#include "support/test.h"

#include "app/options.h"

static bool is_command(const char *word) { return !strcmp(word, "render") || !strcmp(word, "exec") || !strcmp(word, "info"); }

#define PARSE(options, error, ...) \
    options_parse(options, COUNT_OF(((const char *[]){ "leafwalk", __VA_ARGS__ })), (const char *[]){ "leafwalk", __VA_ARGS__ }, is_command, error)

static void options_stand_before_and_after_the_command(void **state) {
    (void)state;
    Options options;
    Error error;
    assert_true(PARSE(&options, &error, "--game", "openarena", "--size", "64x48", "render", "oa_dm1", "-o", "x.png", "--path", "a", "--path=b"));
    assert_string_equal(options.command, "render");
    assert_int_equal(options.words.count, 1);
    assert_string_equal(options.words.at[0], "oa_dm1");
    assert_string_equal(options.game, "openarena");
    assert_string_equal(options.out, "x.png");
    assert_true(options.width == 64 && options.height == 48);
    assert_int_equal(options.paths.count, 2);
    assert_string_equal(options.paths.at[1], "b");
    assert_true(options_suit(&options, "render", &error));
    options_free(&options);
}

static void a_value_may_begin_with_a_minus_and_be_any_c_number(void **state) {
    (void)state;
    Options options;
    Error error;
    assert_true(PARSE(&options, &error, "render", "--origin", "-1,-2.5e2,0x10", "--angles", "-.5,+90,1e1", "--fov", "0x5a", "x"));
    assert_true(options.origin.given && options.angles.given);
    assert_true(options.origin.at.x == -1 && options.origin.at.y == -250 && options.origin.at.z == 16);
    assert_true(options.angles.at.x == -0.5f && options.angles.at.y == 90 && options.angles.at.z == 10);
    assert_true(options.fov == 90);
    options_free(&options);
    assert_true(PARSE(&options, &error, "exec", "-e", "-- a comment", "--seed", "-1", "--budget", "none"));
    assert_string_equal(options.chunks.at[0], "-- a comment");
    assert_true(options.seed == UINT64_MAX && options.budget == 0);
    options_free(&options);
}

static void what_is_no_number_is_refused(void **state) {
    (void)state;
    static const char *const wrong[][2] = {
        { "--origin", "1,2" }, { "--origin", "1,2,3,4" }, { "--origin", "1,nan,3" }, { "--origin", "1,inf,3" }, { "--origin", "" },
        { "--size", "640" }, { "--size", "0x480" }, { "--size", "640x-1" }, { "--size", "640x480x3" }, { "--size", "99999x2" },
        { "--fov", "0" }, { "--fov", "180" }, { "--fov", "90 degrees" }, { "--threads", "0" }, { "--threads", "1.5" },
        { "--budget", "0" }, { "--budget", "-1" }, { "--seed", "x" }, { "--time", "-1" },
    };
    for (int i = 0; i < COUNT_OF(wrong); i++) {
        Options options;
        Error error;
        if (PARSE(&options, &error, wrong[i][0], wrong[i][1]))
            fail_msg("%s \"%s\" was taken", wrong[i][0], wrong[i][1]);
        assert_non_null(strstr(error.text, wrong[i][0]));
        options_free(&options);
    }
}

static void a_hexadecimal_zero_before_x_is_a_size_all_the_same(void **state) {
    (void)state;
    Options options;
    Error error;
    assert_true(PARSE(&options, &error, "--size", "10x480"));    /* not the hexadecimal number that begins with 0x */
    assert_true(options.width == 10 && options.height == 480);
    options_free(&options);
}

static void unknown_options_are_named_with_the_nearest(void **state) {
    (void)state;
    Options options;
    Error error;
    assert_false(PARSE(&options, &error, "render", "--orign", "1,2,3"));
    assert_non_null(strstr(error.text, "--orign"));
    assert_non_null(strstr(error.text, "did you mean --origin?"));
    options_free(&options);
    assert_false(PARSE(&options, &error, "render", "-o"));
    assert_non_null(strstr(error.text, "-o needs a value"));
    options_free(&options);
    assert_false(PARSE(&options, &error, "--trust=yes"));
    options_free(&options);
}

static void an_option_of_another_command_is_refused(void **state) {
    (void)state;
    Options options;
    Error error;
    assert_true(PARSE(&options, &error, "info", "x", "--origin", "1,2,3"));
    assert_false(options_suit(&options, "info", &error));
    assert_non_null(strstr(error.text, "--origin"));
    assert_true(options_suit(&options, "render", &error));
    assert_false(options_suit(&options, "", &error));
    options_free(&options);
}

static void what_follows_execs_script_is_the_scripts(void **state) {
    (void)state;
    Options options;
    Error error;
    assert_true(PARSE(&options, &error, "exec", "--map", "m", "s.lua", "--map", "other", "-x", "--help", "--"));
    assert_string_equal(options.map, "m");
    assert_int_equal(options.words.count, 6);
    assert_string_equal(options.words.at[1], "--map");
    assert_string_equal(options.words.at[5], "--");
    assert_false(options.help);
    options_free(&options);
}

static void only_the_first_word_is_a_command(void **state) {
    (void)state;
    Options options;
    Error error;
    assert_true(PARSE(&options, &error, "level", "render"));
    assert_null(options.command);
    assert_int_equal(options.words.count, 2);
    options_free(&options);
    assert_true(PARSE(&options, &error, "--", "render"));    /* a level of that name */
    assert_null(options.command);
    options_free(&options);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_stand_before_and_after_the_command),
        cmocka_unit_test(a_value_may_begin_with_a_minus_and_be_any_c_number),
        cmocka_unit_test(what_is_no_number_is_refused),
        cmocka_unit_test(a_hexadecimal_zero_before_x_is_a_size_all_the_same),
        cmocka_unit_test(unknown_options_are_named_with_the_nearest),
        cmocka_unit_test(an_option_of_another_command_is_refused),
        cmocka_unit_test(what_follows_execs_script_is_the_scripts),
        cmocka_unit_test(only_the_first_word_is_a_command),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
