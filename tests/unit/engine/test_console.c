/* The console: lines into commands, who hides whom, keys that are held, completion, what is kept. */
#include "support/test.h"

#include "engine/console.h"

typedef struct Place { Console *console; Vars *vars; Arena *arena; Text ran; } Place;

/* Notes its words as "[a|b c]". */
static void note(void *user, int argc, const char *const *argv) {
    Place *place = user;
    text_add(&place->ran, "[");
    for (int i = 0; i < argc; i++)
        text_format(&place->ran, "%s%s", i ? "|" : "", argv[i]);
    text_add(&place->ran, "]");
}

static int complete_fruit(void *user, const char *start, Arena *arena, const char ***out) {
    (void)user;
    static const char *const fruit[] = { "apple", "apricot", "pear" };
    int count = 0;
    *out = arena_array(arena, const char *, COUNT_OF(fruit));
    for (int i = 0; i < COUNT_OF(fruit); i++)
        if (text_starts_fold(fruit[i], start))
            (*out)[count++] = fruit[i];
    return count;
}

static int setup(void **state) {
    Place *place = mem_zeroed(1, sizeof *place);
    place->vars = vars_open();
    place->console = console_open(place->vars);
    place->arena = arena_open();
    var_number(place->vars, "r.gamma", 1, 0.5, 3, "brightens");
    var_choice(place->vars, "soft.filter", "bilinear|nearest", "bilinear", "texture filter");
    console_command(place->console, (ConsoleCommand){ "eat", "eats", note, place, complete_fruit, NULL });
    console_command(place->console, (ConsoleCommand){ "+fly", "flies", note, place, NULL, NULL });
    console_command(place->console, (ConsoleCommand){ "-fly", "stops", note, place, NULL, NULL });
    *state = place;
    return 0;
}

static int teardown(void **state) {
    Place *place = *state;
    console_close(place->console);
    vars_close(place->vars);
    arena_close(place->arena);
    text_free(&place->ran);
    mem_free(place);
    return 0;
}

static const char *ran(Place *place, const char *line) {
    Error error;
    if (!console_run(place->console, line, &error))
        fail_msg("%s: %s", line, error.text);
    const char *text = arena_text(place->arena, text_of(&place->ran));
    text_free(&place->ran);
    return text;
}

static const char *newest(Place *place) {
    console_line_count(place->console);
    const char *line = console_line(place->console, 0, NULL, NULL);
    return line ? line : "";
}

static void lines_are_split_into_commands_and_words(void **state) {
    assert_string_equal(ran(*state, "eat a  b;eat \"c d;e\"\n\teat // f\n/eat g; \\EAT h;;"), "[eat|a|b][eat|c d;e][eat][eat|g][EAT|h]");
    assert_string_equal(ran(*state, "eat \"\"; eat a//b \"open"), "[eat|][eat|a//b|open]");
    assert_string_equal(ran(*state, " ; \n; // nothing"), "");
}

static void a_variable_is_printed_and_set(void **state) {
    Place *place = *state;
    ran(place, "R.Gamma 2");
    assert_true(var_find(place->vars, "r.gamma")->number == 2);
    ran(place, "r.gamma 9");
    assert_string_equal(newest(place), "r.gamma is a number from 0.5 to 3, not 9");
    assert_true(var_find(place->vars, "r.gamma")->number == 2);
    ran(place, "reset r.gamma; toggle soft.filter");
    assert_true(var_find(place->vars, "r.gamma")->number == 1);
    assert_string_equal(var_find(place->vars, "soft.filter")->text, "nearest");
    ran(place, "toggle soft.filter");
    assert_string_equal(var_find(place->vars, "soft.filter")->text, "bilinear");
    ran(place, "toggle r.gamma 1 1.5 2; toggle r.gamma 1 1.5 2");
    assert_true(var_find(place->vars, "r.gamma")->number == 2);
    ran(place, "toggle r.gamma 1 1.5 2");
    assert_true(var_find(place->vars, "r.gamma")->number == 1);
}

static void an_unknown_word_is_refused_and_the_rest_runs(void **state) {
    Place *place = *state;
    Error error;
    assert_false(console_run(place->console, "eta x; eat y; r.gama", &error));
    assert_non_null(strstr(error.text, "\"eta\""));
    assert_non_null(strstr(error.text, "eat"));
    assert_string_equal(text_of(&place->ran), "[eat|y]");
    text_free(&place->ran);
    assert_false(console_run(place->console, "r.gama 2", &error));
    assert_non_null(strstr(error.text, "did you mean r.gamma?"));
}

static void a_scripts_command_and_key_hide_the_programs_until_it_goes(void **state) {
    Place *place = *state, other = { 0 };
    console_bind(place->console, "F1", "eat program", NULL);
    console_command(place->console, (ConsoleCommand){ "eat", "eats more", note, &other, NULL, &other });
    console_bind(place->console, "f1", "eat script", &other);
    console_bind(place->console, "g", "eat g", &other);
    console_command(place->console, (ConsoleCommand){ "eat", "eats most", note, &other, NULL, &other });
    assert_string_equal(ran(place, "eat"), "");
    assert_string_equal(text_of(&other.ran), "[eat]");
    assert_string_equal(console_binding(place->console, "f1"), "eat script");
    console_bind(place->console, "f1", NULL, &other);
    assert_null(console_binding(place->console, "f1"));
    console_drop(place->console, &other);
    assert_string_equal(ran(place, "eat"), "[eat]");
    assert_string_equal(console_binding(place->console, "f1"), "eat program");
    assert_null(console_binding(place->console, "g"));
    text_free(&other.ran);
}

static void a_held_key_is_released_as_it_was_pressed(void **state) {
    Place *place = *state;
    console_bind(place->console, "w", "+fly; eat w", NULL);
    assert_true(console_key(place->console, "W", true));
    assert_string_equal(text_of(&place->ran), "[+fly][eat|w]");
    text_free(&place->ran);
    console_bind(place->console, "w", "eat other", NULL);
    assert_true(console_key(place->console, "w", false));
    assert_string_equal(text_of(&place->ran), "[-fly]");
    text_free(&place->ran);
    assert_false(console_key(place->console, "w", false));
    assert_false(console_key(place->console, "x", true));
    console_bind(place->console, "x", "+fly", NULL);
    console_key(place->console, "x", true);
    console_keys_up(place->console);
    assert_string_equal(text_of(&place->ran), "[+fly][-fly]");
}

static void unbinding_leaves_nothing(void **state) {
    Place *place = *state;
    ran(place, "bind k eat 1; unbind K");
    assert_null(console_binding(place->console, "k"));
    ran(place, "bind k eat a b; bind k");
    assert_string_equal(newest(place), "k runs \"eat a b\"");
}

static void tab_completes_to_what_is_common(void **state) {
    Place *place = *state;
    Arena *arena = place->arena;
    assert_string_equal(console_complete(place->console, "ea", arena), "eat ");
    assert_string_equal(console_complete(place->console, "/r.g", arena), "/r.gamma ");
    assert_string_equal(console_complete(place->console, "eat a", arena), "eat ap");
    assert_string_equal(newest(place), "    apricot");
    assert_string_equal(console_complete(place->console, "echo x; eat pe", arena), "echo x; eat pear ");
    assert_string_equal(console_complete(place->console, "soft.filter n", arena), "soft.filter nearest ");
    assert_string_equal(console_complete(place->console, "reset r.", arena), "reset r.gamma ");
    assert_string_equal(console_complete(place->console, "qqq", arena), "qqq");
    assert_string_equal(console_complete(place->console, "eat zzz", arena), "eat zzz");
}

static void the_newest_two_thousand_lines_are_kept(void **state) {
    Place *place = *state;
    for (int i = 0; i < 4500; i++)
        console_printf(place->console, "line %d", i);
    assert_int_equal(console_line_count(place->console), 2000);
    assert_string_equal(console_line(place->console, 0, NULL, NULL), "line 4499");
    assert_string_equal(console_line(place->console, 1999, NULL, NULL), "line 2500");
    assert_null(console_line(place->console, 2000, NULL, NULL));
    console_print(place->console, LOG_WARN, "a\nb\n");
    assert_int_equal(console_line_count(place->console), 2000);
    LogLevel level;
    double age;
    assert_string_equal(console_line(place->console, 1, &level, &age), "a");
    assert_true(level == LOG_WARN && age >= 0 && age < 60);
    ran(place, "clear");
    assert_int_equal(console_line_count(place->console), 0);
}

static bool help_hook(void *user, const char *name, Text *out) {
    (void)user;
    if (strcmp(name, "vis.row") != 0)
        return false;
    text_add(out, "vis.row(c) -> row: a row");
    return true;
}

static void help_knows_commands_variables_and_what_the_hook_knows(void **state) {
    Place *place = *state;
    ran(place, "help eat");
    assert_string_equal(newest(place), "eat: eats");
    ran(place, "help r.gamma");
    assert_string_equal(newest(place), "  a number from 0.5 to 3");
    ran(place, "help vis.row");
    assert_string_equal(newest(place), "nothing is called \"vis.row\"");
    console_help_hook(place->console, help_hook, NULL);
    ran(place, "help vis.row");
    assert_string_equal(newest(place), "vis.row(c) -> row: a row");
}

static void run_itself(void *user, int argc, const char *const *argv) {
    (void)argc;
    (void)argv;
    Place *place = user;
    Error error;
    if (!console_run(place->console, "itself", &error))
        text_add(&place->ran, error.text);
}

static void a_command_that_runs_itself_ends(void **state) {
    Place *place = *state;
    console_command(place->console, (ConsoleCommand){ "itself", "", run_itself, place, NULL, NULL });
    assert_non_null(strstr(ran(place, "itself"), "deeper than"));
    assert_string_equal(ran(place, "eat"), "[eat]");
}

static void history_keeps_the_order_and_no_repeats(void **state) {
    Place *place = *state;
    console_history_add(place->console, "a");
    console_history_add(place->console, "b");
    console_history_add(place->console, "b");
    console_history_add(place->console, "");
    assert_string_equal(console_history(place->console, 0), "b");
    assert_string_equal(console_history(place->console, 1), "a");
    assert_null(console_history(place->console, 2));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(lines_are_split_into_commands_and_words, setup, teardown),
        cmocka_unit_test_setup_teardown(a_variable_is_printed_and_set, setup, teardown),
        cmocka_unit_test_setup_teardown(an_unknown_word_is_refused_and_the_rest_runs, setup, teardown),
        cmocka_unit_test_setup_teardown(a_scripts_command_and_key_hide_the_programs_until_it_goes, setup, teardown),
        cmocka_unit_test_setup_teardown(a_held_key_is_released_as_it_was_pressed, setup, teardown),
        cmocka_unit_test_setup_teardown(unbinding_leaves_nothing, setup, teardown),
        cmocka_unit_test_setup_teardown(tab_completes_to_what_is_common, setup, teardown),
        cmocka_unit_test_setup_teardown(the_newest_two_thousand_lines_are_kept, setup, teardown),
        cmocka_unit_test_setup_teardown(help_knows_commands_variables_and_what_the_hook_knows, setup, teardown),
        cmocka_unit_test_setup_teardown(a_command_that_runs_itself_ends, setup, teardown),
        cmocka_unit_test_setup_teardown(history_keeps_the_order_and_no_repeats, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
