/* Console variables: kinds, limits, values that come before their definition. */
#include "support/test.h"

#include "base/base.h"
#include "base/vars.h"

static void a_value_outside_its_limits_is_refused_in_words(void **state) {
    (void)state;
    Vars *vars = vars_open();
    Var *fov = var_number(vars, "r.fov", 90, 1, 160, "Horizontal field of view.");
    Error error;
    assert_false(var_set(vars, "R.FOV", "200", &error));
    assert_string_equal(error.text, "r.fov is a number from 1 to 160, not 200");
    assert_false(var_set(vars, "r.fov", "wide", &error));
    assert_true(fov->number == 90);
    unsigned version = fov->version;
    assert_true(var_set(vars, "r.fov", "100", &error));
    assert_true(fov->number == 100 && fov->version != version);
    var_reset(fov);
    assert_true(fov->number == 90);
    vars_close(vars);
}

static void a_count_has_no_fractions(void **state) {
    (void)state;
    Vars *vars = vars_open();
    assert_true(var_set(vars, "soft.most", "1.5", NULL));    /* nobody knows yet that it may not be */
    Var *threads = var_count(vars, "soft.threads", 0, 0, 256, "Threads.");
    Error error;
    assert_false(var_set(vars, "soft.threads", "2.5", &error));
    assert_string_equal(error.text, "soft.threads is a whole number from 0 to 256, not 2.5");
    assert_true(threads->number == 0);
    assert_true(var_set(vars, "soft.threads", "3.0", NULL) && threads->number == 3);
    assert_true(var_count(vars, "soft.most", 7, 0, 9, "")->number == 7);
    vars_close(vars);
}

static void a_choice_is_one_of_its_words(void **state) {
    (void)state;
    Vars *vars = vars_open();
    Var *filter = var_choice(vars, "soft.filter", "bilinear|nearest", "bilinear", "Texture filter.");
    assert_true(filter->number == 0);
    assert_true(var_set(vars, "soft.filter", "Nearest", NULL));
    assert_true(filter->number == 1);
    assert_string_equal(filter->text, "nearest");    /* as the list spells it */
    assert_false(var_set(vars, "soft.filter", "near", NULL));
    vars_close(vars);
}

static void a_value_set_before_the_definition_counts_if_it_may(void **state) {
    (void)state;
    Vars *vars = vars_open();
    assert_true(var_set(vars, "tool.size", "12", NULL));
    assert_true(var_set(vars, "tool.bad", "many", NULL));
    assert_true(var_set(vars, "tool.look", "BRIGHT", NULL));
    assert_false(var_find(vars, "tool.size")->defined);
    assert_true(var_number(vars, "tool.size", 5, 0, 100, "")->number == 12);
    assert_true(var_number(vars, "tool.bad", 5, 0, 100, "")->number == 5);
    assert_string_equal(var_choice(vars, "tool.look", "dark|bright", "dark", "")->text, "bright");
    vars_close(vars);
}

static void variables_are_listed_in_order_and_near_names_found(void **state) {
    (void)state;
    Vars *vars = vars_open();
    var_flag(vars, "r.flares", false, "");
    var_text(vars, "a.text", "x", "");
    var_flag(vars, "r.overbright", true, "");
    assert_int_equal(vars_count(vars), 3);
    assert_string_equal(vars_at(vars, 0)->name, "a.text");
    assert_string_equal(vars_at(vars, 2)->name, "r.overbright");
    assert_string_equal(vars_nearest(vars, "r.overbrigth")->name, "r.overbright");
    assert_null(vars_nearest(vars, "something else"));
    vars_close(vars);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_value_outside_its_limits_is_refused_in_words),
        cmocka_unit_test(a_count_has_no_fractions),
        cmocka_unit_test(a_choice_is_one_of_its_words),
        cmocka_unit_test(a_value_set_before_the_definition_counts_if_it_may),
        cmocka_unit_test(variables_are_listed_in_order_and_near_names_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
