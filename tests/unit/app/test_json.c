/* JSON: what is written reads back, what is broken is refused with its line. */
#include "support/test.h"

#include "app/json.h"

static const JsonValue *read_all(Arena *arena, const char *text, Error *error) { return json_decode(arena, text, strlen(text), error); }

static void what_is_written_reads_back(void **state) {
    (void)state;
    Json json = { 0 };
    json_open(&json, NULL, '{');
    json_add_text(&json, "name", "a \"b\"\n\\ \xe9");
    json_open(&json, "empty", '[');
    json_close(&json, ']');
    json_open(&json, "list", '[');
    json_add_number(&json, NULL, -2.5);
    json_add_number(&json, NULL, 1e300 * 1e300);
    json_close(&json, ']');
    json_close(&json, '}');
    Arena *arena = arena_open();
    Error error;
    const JsonValue *value = read_all(arena, text_of(&json.text), &error);
    assert_non_null(value);
    assert_string_equal(json_member(value, "name")->text, "a \"b\"\n\\ \xc3\xa9");
    assert_null(json_member(value, "empty")->first);
    const JsonValue *first = json_member(value, "list")->first;
    assert_true(first->number == -2.5 && first->next->kind == JSON_NULL);
    assert_null(json_member(value, "other"));
    text_free(&json.text);
    arena_close(arena);
}

static void escapes_are_understood(void **state) {
    (void)state;
    Arena *arena = arena_open();
    Error error;
    const JsonValue *value = read_all(arena, "\"\\u00e9\\ud83d\\ude00\\t\\/\"", &error);
    assert_string_equal(value->text, "\xc3\xa9\xf0\x9f\x98\x80\t/");
    arena_close(arena);
}

static void broken_text_is_refused_with_its_line(void **state) {
    (void)state;
    static const char *const broken[] = {
        "", "{", "[1,", "[1 2]", "{\"a\" 1}", "{a: 1}", "\"open", "\"\\q\"", "\"\\u12\"", "\"\\ud800x\"", "\"\\u0000\"", "tru", "[1]]", "nan", "[,]", "-",
    };
    Arena *arena = arena_open();
    for (int i = 0; i < COUNT_OF(broken); i++) {
        Error error = { "" };
        if (read_all(arena, broken[i], &error))
            fail_msg("%s was taken", broken[i]);
        assert_true(text_starts(error.text, "line 1: "));
    }
    Error error;
    assert_null(read_all(arena, "[\n1,\n?]", &error));
    assert_true(text_starts(error.text, "line 3: "));
    char deep[1000];
    memset(deep, '[', sizeof deep);
    assert_null(json_decode(arena, deep, sizeof deep, &error));
    arena_close(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_reads_back),
        cmocka_unit_test(escapes_are_understood),
        cmocka_unit_test(broken_text_is_refused_with_its_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
