/* The entity text, as the game reads it and as levels in the wild have it. */
#include "support/test.h"

#include "support/kept_log.h"
#include "support/level.h"

static Arena *arena;
static KeptLog kept;

static int open_all(void **state) {
    (void)state;
    arena = arena_open();
    kept_log_init(&kept);
    return 0;
}

static int close_all(void **state) {
    (void)state;
    kept_log_end(&kept);
    arena_close(arena);
    return 0;
}

typedef struct Parsed { BspEntity *at; int count; Error error; } Parsed;

static Parsed parse_n(const char *text, size_t length) {
    Parsed parsed = { .error = { "" } };
    char *copy = mem_alloc(length);    /* of exactly this size: a sanitizer sees a step beyond it */
    if (length)
        memcpy(copy, text, length);
    parsed.at = bsp_entities_parse(arena, copy, length, &parsed.count, &kept.log, &parsed.error);
    mem_free(copy);
    return parsed;
}

static Parsed parse(const char *text) { return parse_n(text, strlen(text)); }

static const char *value(const Parsed *parsed, int entity, const char *key) {
    return bsp_entity_value(&parsed->at[entity], key);
}

static void braces_in_quotes_are_text(void **state) {    /* C1 */
    (void)state;
    Parsed p = parse("{\n\"classname\" \"worldspawn\"\n\"message\" \"by Someone {Moo}\"\n}\n{\n\"}odd\" \"{\"\n}\n");
    assert_int_equal(p.count, 2);
    assert_string_equal(value(&p, 0, "message"), "by Someone {Moo}");
    assert_string_equal(value(&p, 1, "}odd"), "{");
}

static void blanks_only_separate(void **state) {    /* C2 */
    (void)state;
    Parsed p = parse("{\"classname\"\"worldspawn\"\"a\" \"b\"}{\t\"classname\" \t\"light\"\r\n}");
    assert_int_equal(p.count, 2);
    assert_string_equal(value(&p, 0, "a"), "b");
    assert_string_equal(bsp_entity_class(&p.at[1]), "light");
}

static void numbers_may_have_blanks_and_units(void **state) {    /* C3 */
    (void)state;
    Parsed p = parse("{ \"light\" \"150 \" \"wait\" \"5 units\" \"speed\" \" -2.5e1\" \"odd\" \"x\" \"huge\" \"1e999\" }");
    assert_true(bsp_entity_number(&p.at[0], "light", 0) == 150);
    assert_true(bsp_entity_number(&p.at[0], "wait", 0) == 5);
    assert_true(bsp_entity_number(&p.at[0], "SPEED", 0) == -25);
    assert_true(bsp_entity_number(&p.at[0], "odd", 3) == 0);      /* as atof has it */
    assert_true(bsp_entity_number(&p.at[0], "huge", 7) == 7);     /* infinity is no number */
    assert_true(bsp_entity_number(&p.at[0], "none", 7) == 7);
}

static void a_value_of_any_length_is_kept(void **state) {    /* C4, C5 */
    (void)state;
    Text text = { 0 };
    text_add(&text, "{ \"message\" \"");
    for (int i = 0; i < 100000; i++)
        text_add_char(&text, (char)('a' + i % 26));
    text_add(&text, "\" }");
    Parsed p = parse(text_of(&text));
    assert_int_equal(strlen(value(&p, 0, "message")), 100000);
    assert_true(kept_log_has(&kept, "a value of 100000 bytes"));
    text_free(&text);
}

static void duplicate_keys_are_kept_in_order(void **state) {    /* C6 */
    (void)state;
    Parsed p = parse("{ \"target\" \"one\" \"Target\" \"two\" \"x\" \"y\" \"target\" \"three\" }");
    assert_int_equal(p.at[0].count, 4);
    assert_string_equal(p.at[0].pairs[1].key, "Target");
    assert_string_equal(p.at[0].pairs[1].value, "two");
    assert_string_equal(bsp_entity_value(&p.at[0], "TARGET"), "three");
    assert_string_equal(bsp_entity_first(&p.at[0], "TARGET"), "one");
    assert_null(bsp_entity_value(&p.at[0], "targetname"));
    assert_null(bsp_entity_first(&p.at[0], "targetname"));
}

static void missing_parts_of_a_vector_are_0(void **state) {    /* C7 */
    (void)state;
    Parsed p = parse("{ \"origin\" \"1 2\" \"empty\" \"\" \"odd\" \"1 x 3\" \"full\" \"-1 .5 3e1\" \"huge\" \"1e99 0 0\" }");
    Vec3 v = vec3_at(9, 9, 9);
    assert_true(bsp_entity_vector(&p.at[0], "origin", &v));
    assert_true(v.x == 1 && v.y == 2 && v.z == 0);
    assert_true(bsp_entity_vector(&p.at[0], "empty", &v));
    assert_true(v.x == 0 && v.y == 0 && v.z == 0);
    assert_true(bsp_entity_vector(&p.at[0], "odd", &v));
    assert_true(v.x == 1 && v.y == 0 && v.z == 0);
    assert_true(bsp_entity_vector(&p.at[0], "full", &v));
    assert_true(v.x == -1 && v.y == 0.5f && v.z == 30);
    assert_true(bsp_entity_vector(&p.at[0], "huge", &v));
    assert_true(v.x == 0);
    assert_false(bsp_entity_vector(&p.at[0], "angles", &v));
    assert_true(v.x == 0);
}

static void of_angle_and_angles_the_later_one_counts(void **state) {
    (void)state;
    static const struct { const char *text; float pitch, yaw; } rows[] = {
        { "{ angle 90 }", 0, 90 }, { "{ angles \"10 20 30\" angle 90 }", 0, 90 }, { "{ angle 90 ANGLES \"10 20 30\" }", 10, 20 },
        { "{ angle 1 angles \"5 6 7\" angle -1 }", 0, -1 }, { "{ angle nan }", 0, 0 },
    };
    for (int i = 0; i < COUNT_OF(rows); i++) {
        Parsed p = parse(rows[i].text);
        Vec3 angles;
        assert_true(bsp_entity_angles(&p.at[0], &angles));
        assert_true(angles.x == rows[i].pitch && angles.y == rows[i].yaw);
    }
    const BspEntity none = { NULL, 0 };
    Vec3 angles = vec3_at(1, 2, 3);
    assert_false(bsp_entity_angles(&none, &angles));
    assert_true(angles.y == 0);
}

static void text_is_bytes(void **state) {    /* A20 */
    (void)state;
    Parsed p = parse("{ \"message\" \"caf\xe9 \xff\" na\xefve wert }");
    assert_string_equal(value(&p, 0, "message"), "caf\xe9 \xff");
    assert_string_equal(value(&p, 0, "na\xefve"), "wert");
}

static void a_byte_order_mark_is_skipped(void **state) {
    (void)state;
    Parsed p = parse("\xef\xbb\xbf{ \"classname\" \"worldspawn\" }");
    assert_int_equal(p.count, 1);
}

static void comments_stand_between_tokens_only(void **state) {
    (void)state;
    Parsed p = parse("// a title\n{ /* a { key */ \"a\" // and\n \"b//c\" }\n/* never closed");
    assert_int_equal(p.count, 1);
    assert_string_equal(value(&p, 0, "a"), "b//c");
    p = parse("{ a b } /");
    assert_null(p.at);
    p = parse("{ a b } /*");
    assert_int_equal(p.count, 1);
    p = parse("{ a b } //");
    assert_int_equal(p.count, 1);
}

static void words_need_no_quotes(void **state) {
    (void)state;
    Parsed p = parse("{ classname light\n origin \"1 2 3\"\n key a\"b/c }");
    assert_string_equal(value(&p, 0, "classname"), "light");
    assert_string_equal(value(&p, 0, "key"), "a\"b/c");
}

static void a_value_may_be_empty_or_of_several_lines(void **state) {
    (void)state;
    Parsed p = parse("{ \"empty\" \"\" \"\" \"no key\" \"lines\" \"one\ntwo\" }\n}");
    assert_null(p.at);
    assert_string_equal(p.error.text, "line 3: a } without its {");    /* the line break in the value is counted */
    p = parse("{ \"empty\" \"\" \"\" \"no key\" \"lines\" \"one\ntwo\" }");
    assert_string_equal(value(&p, 0, "empty"), "");
    assert_string_equal(value(&p, 0, ""), "no key");
    assert_string_equal(value(&p, 0, "lines"), "one\ntwo");
}

static void backslashes_are_kept(void **state) {
    (void)state;
    Parsed p = parse("{ \"message\" \"a\\nb\\\" \"c\" \"d\" }");
    assert_string_equal(value(&p, 0, "message"), "a\\nb\\");
    assert_string_equal(value(&p, 0, "c"), "d");
}

static void a_text_ends_at_its_length_or_at_a_nul(void **state) {    /* A2 */
    (void)state;
    Parsed p = parse_n("{ \"a\" \"b\" }garbage", 11);
    assert_int_equal(p.count, 1);
    p = parse_n("{ \"a\" \"b\" }\0{ \"c\" \"d\" }", 23);
    assert_int_equal(p.count, 1);
    p = parse_n("", 0);
    assert_non_null(p.at);
    assert_int_equal(p.count, 0);
}

static void a_cut_entity_is_left_out_with_a_warning(void **state) {    /* A30 */
    (void)state;
    static const char *const cuts[] = { "{", "{ \"c\"", "{ \"c\" \"d\"", "{ \"c\" \"d", "{ \"c", "{ \"c\" d", "{ /* c", "\"c" };
    for (int i = 0; i < COUNT_OF(cuts); i++) {
        Text text = { 0 };
        text_format(&text, "{ \"a\" \"b\" }\n%s", cuts[i]);
        Parsed p = parse(text_of(&text));
        assert_int_equal(p.count, 1);
        assert_string_equal(value(&p, 0, "a"), "b");
        assert_int_equal(kept_log_count(&kept, "line 2: the text ends inside"), i + 1);
        text_free(&text);
    }
}

static void what_the_game_refuses_is_refused_with_its_line(void **state) {
    (void)state;
    static const struct { const char *text, *words; } rows[] = {
        { "\"classname\" \"x\"", "line 1: found \"classname\" when expecting {" },
        { "{ \"a\" \"b\" }\nrubbish\n", "line 2: found \"rubbish\" when expecting {" },
        { "{\n\"a\"\n}", "line 3: a brace where the value of \"a\" is due" },
        { "{\n\"a\" {", "line 2: a brace where the value of \"a\" is due" },
        { "{\n\"a\" \"b\"\n{\n", "line 3: a { inside the entity that line 1 opened" },
        { "{ \"a\" \"b\" }\n}\n", "line 2: a } without its {" },
    };
    for (int i = 0; i < COUNT_OF(rows); i++) {
        Parsed p = parse(rows[i].text);
        assert_null(p.at);
        assert_string_equal(p.error.text, rows[i].words);
    }
}

static void every_cut_of_a_text_is_survived(void **state) {
    (void)state;
    static const char text[] = "// title\n{\n\"classname\" \"worldspawn\" /* c */ \"m\" \"{a}\"\n}\n{ word \"v\" }\n";
    for (size_t cut = 0; cut < sizeof text; cut++) {
        Parsed p = parse_n(text, cut);
        if (p.at)
            assert_in_range(p.count, 0, 2);
        else
            assert_true(p.error.text[0]);
    }
}

static void a_brush_model_is_a_star_and_a_number_that_exists(void **state) {
    (void)state;
    Map *map = level_map(arena, "door");
    static const struct { const char *text; int model; } rows[] = {
        { "{ model *1 }", 1 }, { "{ model *0 }", 0 }, { "{ model *2 }", -1 }, { "{ model *-1 }", -1 },
        { "{ model * }", -1 }, { "{ model *99999999999999999999 }", -1 }, { "{ model models/x.md3 }", -1 },
        { "{ model *x }", -1 }, { "{ a b }", -1 },
    };
    for (int i = 0; i < COUNT_OF(rows); i++) {
        Parsed p = parse(rows[i].text);
        assert_int_equal(bsp_entity_model(map, &p.at[0]), rows[i].model);
    }
}

static Map *room_with(const char *text) {
    Level *level = level_make("room");
    level_set_text(level, text);
    Error error;
    return level_load(level, arena, &error);
}

static void the_first_eye_stands_at_the_best_start(void **state) {
    (void)state;
    Vec3 eye, angles;
    bsp_start_eye(room_with("{ classname worldspawn } { classname info_player_deathmatch origin \"1 2 3\" angle 90 }"
                            "{ classname info_player_start origin \"4 5 6\" angles \"10 20 30\" }"), &eye, &angles);
    assert_true(eye.x == 4 && eye.y == 5 && eye.z == 32 && angles.x == 10 && angles.y == 20 && angles.z == 30);
    bsp_start_eye(room_with("{ classname worldspawn } { classname info_player_deathmatch origin \"1 2 3\" angle 90 }"),
                  &eye, &angles);
    assert_true(eye.x == 1 && eye.z == 29 && angles.x == 0 && angles.y == 90);
    bsp_start_eye(room_with("{ classname worldspawn } { classname team_CTF_redplayer origin \"7 8 9\" }"), &eye, &angles);
    assert_true(eye.x == 7 && angles.y == 0);
    bsp_start_eye(room_with("{ classname worldspawn } { classname info_player_start }"), &eye, &angles);
    assert_true(eye.x == 128 && eye.y == 128 && eye.z == 64);    /* the middle of the level */
    bsp_start_eye(room_with(""), &eye, &angles);
    assert_true(eye.x == 128);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_all, close_all)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(braces_in_quotes_are_text), TEST(blanks_only_separate), TEST(numbers_may_have_blanks_and_units),
        TEST(a_value_of_any_length_is_kept), TEST(duplicate_keys_are_kept_in_order), TEST(missing_parts_of_a_vector_are_0),
        TEST(of_angle_and_angles_the_later_one_counts), TEST(text_is_bytes), TEST(a_byte_order_mark_is_skipped), TEST(comments_stand_between_tokens_only),
        TEST(words_need_no_quotes), TEST(a_value_may_be_empty_or_of_several_lines), TEST(backslashes_are_kept),
        TEST(a_text_ends_at_its_length_or_at_a_nul), TEST(a_cut_entity_is_left_out_with_a_warning),
        TEST(what_the_game_refuses_is_refused_with_its_line), TEST(every_cut_of_a_text_is_survived),
        TEST(a_brush_model_is_a_star_and_a_number_that_exists), TEST(the_first_eye_stands_at_the_best_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
