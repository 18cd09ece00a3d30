/* Text: growing, comparing, numbers. */
#include "support/test.h"

#include <math.h>

#include "base/base.h"

static void a_text_grows_and_keeps_its_end(void **state) {
    (void)state;
    Text text = { 0 };
    assert_string_equal(text_of(&text), "");
    for (int i = 0; i < 1000; i++)
        text_format(&text, "%d,", i % 10);
    assert_int_equal(text.count, 2000);
    assert_int_equal(strlen(text.at), 2000);
    text_free(&text);
}

static void json_strings_are_utf8_whatever_the_bytes(void **state) {
    (void)state;
    Text text = { 0 };
    text_add_json(&text, "a\"\\\n\x01\xc3\xa9", 7);
    assert_string_equal(text_of(&text), "\"a\\\"\\\\\\n\\u0001\xc3\xa9\"");
    text_free(&text);
    text_add_json(&text, "\xe9t\xe9", 3);    /* Latin-1 */
    assert_string_equal(text_of(&text), "\"\xc3\xa9t\xc3\xa9\"");
    text_free(&text);
}

static void broken_utf8_is_told_from_sound(void **state) {
    (void)state;
    assert_true(text_valid_utf8("a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", 10));
    assert_false(text_valid_utf8("\xc0\xaf", 2));        /* overlong */
    assert_false(text_valid_utf8("\xed\xa0\x80", 3));    /* a surrogate */
    assert_false(text_valid_utf8("\xf4\x90\x80\x80", 4));
    assert_false(text_valid_utf8("\xe2\x82", 2));        /* cut */
}

static void names_compare_without_case(void **state) {
    (void)state;
    assert_true(text_same("Textures/Base", "textures/bASE"));
    assert_false(text_same("a", "ab"));
    assert_true(text_hash_fold("ABC") == text_hash_fold("abc"));
    assert_true(text_compare_fold("a", "B") < 0);
    assert_true(text_ends_fold("X.JPG", ".jpg"));
    assert_false(text_ends_fold("g", ".jpg"));
}

static void numbers_are_read_as_the_game_reads_them(void **state) {
    (void)state;
    const char *end;
    assert_true(text_number("150 ", NULL) == 150);
    assert_true(text_number(" -1.5units", &end) == -1.5);
    assert_string_equal(end, "units");
    assert_true(text_number("nan", NULL) == 0);
    assert_true(text_number("inf", NULL) == 0);
    assert_true(text_number("0x10", NULL) == 0);
    assert_true(text_number(".5", NULL) == 0.5);
    double number;
    assert_true(text_whole_number(" 7 ", &number) && number == 7);
    assert_false(text_whole_number("7 units", &number));
    assert_false(text_whole_number("", &number));
}

static void missing_parts_of_a_vector_are_zero(void **state) {    /* traps C7 */
    (void)state;
    float v[3] = { 9, 9, 9 };
    assert_int_equal(text_vector("1 2", v, 3), 2);
    assert_true(v[0] == 1 && v[1] == 2 && v[2] == 0);
}

static void numbers_are_written_short_and_exact(void **state) {
    (void)state;
    double numbers[] = { 0, -0.0, 1, -3, 0.1, 1.0 / 3, 1e300, 123456789012.0, 102.421, -2.5e-7 };
    for (int i = 0; i < COUNT_OF(numbers); i++) {
        Text text = { 0 };
        text_add_number(&text, numbers[i]);
        assert_true(text_number(text_of(&text), NULL) == numbers[i]);
        text_free(&text);
    }
    Text text = { 0 };
    text_add_number(&text, 0.1);
    text_add_char(&text, ' ');
    text_add_number(&text, NAN);
    assert_string_equal(text_of(&text), "0.1 null");
    text_free(&text);
}

static void distances_count_edits(void **state) {
    (void)state;
    assert_int_equal(text_distance("render", "rendre"), 1);    /* a swap */
    assert_int_equal(text_distance("info", "INFO"), 0);
    assert_int_equal(text_distance("kitten", "sitting"), 3);
    assert_int_equal(text_distance("", "abc"), 3);
}

static void copies_never_pass_their_room(void **state) {
    (void)state;
    char out[4] = "zzz";
    text_copy(out, sizeof out, "abcdef");
    assert_string_equal(out, "abc");
    text_copy(out, 0, "x");
    assert_string_equal(out, "abc");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_text_grows_and_keeps_its_end),
        cmocka_unit_test(json_strings_are_utf8_whatever_the_bytes),
        cmocka_unit_test(broken_utf8_is_told_from_sound),
        cmocka_unit_test(names_compare_without_case),
        cmocka_unit_test(numbers_are_read_as_the_game_reads_them),
        cmocka_unit_test(missing_parts_of_a_vector_are_zero),
        cmocka_unit_test(numbers_are_written_short_and_exact),
        cmocka_unit_test(distances_count_edits),
        cmocka_unit_test(copies_never_pass_their_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
