/* Without a display: an unseen OpenGL context, and input as SDL reports it. */
#include "support/test.h"

#include <SDL2/SDL.h>
#include <stdlib.h>

#include "platform/platform.h"

static Platform *open_unseen(void) {
    Error error;
    Platform *platform = platform_open(&(PlatformSetup){ .window = false, .width = 320, .height = 200 }, &error);
    if (!platform)
        print_error("%s\n", error.text);
    assert_non_null(platform);
    return platform;
}

static void there_is_a_context_without_a_display(void **state) {
    (void)state;
    Platform *platform = open_unseen();
    assert_true(platform_has_gl(platform));
    assert_non_null(platform_gl_loader("glDrawElements"));
    int width, height;
    platform_size(platform, &width, &height);
    assert_int_equal(width, 320);
    assert_int_equal(height, 200);
    platform_present(platform);
    platform_close(platform);
}

static void a_window_without_a_display_is_refused_in_words(void **state) {
    (void)state;
    Error error = { "" };
    assert_false(platform_has_display());    /* tests run with SDL_VIDEODRIVER=offscreen */
    assert_null(platform_open(&(PlatformSetup){ .window = true, .width = 320, .height = 200 }, &error));
    assert_non_null(strstr(error.text, "no display"));
}

static void a_display_that_does_not_answer_is_none(void **state) {
    (void)state;
    unsetenv("SDL_VIDEODRIVER");
    setenv("DISPLAY", "nowhere.invalid:77", 1);
    unsetenv("WAYLAND_DISPLAY");
    assert_false(platform_has_display());
    setenv("SDL_VIDEODRIVER", "offscreen", 1);
}

/* SDL marks in its queue where it last asked the system, and a poll ends there: what was pushed after comes with the next. */
static bool next_of(Platform *platform, InputKind kind, InputEvent *out) {
    for (int round = 0; round < 2; round++)
        while (platform_poll(platform, out))
            if (out->kind == kind)
                return true;
    return false;
}

static void push_key(SDL_Keycode key, bool down) {
    SDL_Event event = { .key = { .type = down ? SDL_KEYDOWN : SDL_KEYUP, .state = down ? SDL_PRESSED : SDL_RELEASED } };
    event.key.keysym.sym = key;
    event.key.keysym.scancode = SDL_GetScancodeFromKey(key);
    SDL_PushEvent(&event);
}

static void keys_have_lower_case_names_and_stay_down_until_released(void **state) {
    (void)state;
    Platform *platform = open_unseen();
    static const struct { SDL_Keycode key; const char *name; } keys[] = {
        { SDLK_w, "w" }, { SDLK_F1, "f1" }, { SDLK_SPACE, "space" }, { SDLK_LEFT, "left" }, { SDLK_LSHIFT, "left shift" },
        { SDLK_TAB, "tab" }, { SDLK_BACKQUOTE, "`" }, { SDLK_ESCAPE, "escape" }, { SDLK_PAGEUP, "pageup" },
    };
    for (int i = 0; i < COUNT_OF(keys); i++) {
        InputEvent event;
        push_key(keys[i].key, true);
        assert_true(next_of(platform, INPUT_KEY, &event));
        assert_string_equal(event.name, keys[i].name);
        assert_true(event.down && platform_key_down(platform, keys[i].name));
        push_key(keys[i].key, false);
        assert_true(next_of(platform, INPUT_KEY, &event));
        assert_false(event.down || platform_key_down(platform, keys[i].name));
    }
    assert_false(platform_key_down(platform, "no such key"));
    platform_close(platform);
}

static void push_motion(int dx) {
    SDL_PushEvent(&(SDL_Event){ .motion = { .type = SDL_MOUSEMOTION, .x = 5, .y = 6, .xrel = dx } });
}

static void the_first_movement_after_the_focus_came_back_is_no_movement(void **state) {
    (void)state;
    Platform *platform = open_unseen();
    InputEvent event;
    push_motion(3);
    assert_true(next_of(platform, INPUT_MOUSE, &event));
    assert_float_equal(event.dx, 3, 0);
    push_key(SDLK_w, true);
    assert_true(next_of(platform, INPUT_KEY, &event));
    SDL_PushEvent(&(SDL_Event){ .window = { .type = SDL_WINDOWEVENT, .event = SDL_WINDOWEVENT_FOCUS_LOST } });
    assert_true(next_of(platform, INPUT_FOCUS, &event));
    assert_false(event.down || platform_key_down(platform, "w"));    /* its release would go elsewhere */
    push_motion(700);
    assert_true(next_of(platform, INPUT_MOUSE, &event));
    assert_float_equal(event.dx, 0, 0);
    SDL_PushEvent(&(SDL_Event){ .window = { .type = SDL_WINDOWEVENT, .event = SDL_WINDOWEVENT_FOCUS_GAINED } });
    push_motion(-400);
    push_motion(2);
    assert_true(next_of(platform, INPUT_FOCUS, &event));
    assert_true(next_of(platform, INPUT_MOUSE, &event));
    assert_float_equal(event.dx, 0, 0);
    assert_true(next_of(platform, INPUT_MOUSE, &event));
    assert_float_equal(event.dx, 2, 0);
    platform_close(platform);
}

static void buttons_are_counted_as_quake_counts(void **state) {
    (void)state;
    Platform *platform = open_unseen();
    InputEvent event;
    SDL_PushEvent(&(SDL_Event){ .button = { .type = SDL_MOUSEBUTTONDOWN, .state = SDL_PRESSED, .button = SDL_BUTTON_RIGHT, .x = 7, .y = 8 } });
    assert_true(next_of(platform, INPUT_BUTTON, &event));
    assert_string_equal(event.name, "mouse2");
    assert_int_equal(event.button, 3);
    assert_float_equal(event.x, 7, 0);
    assert_true(platform_key_down(platform, "mouse2"));
    assert_false(platform_key_down(platform, "mouse1"));
    platform_close(platform);
}

static void the_clock_runs_forward_while_it_sleeps(void **state) {
    (void)state;
    double before = clock_seconds();
    clock_sleep(0.002);
    clock_sleep(-1);
    assert_true(clock_seconds() - before >= 0.002);
}

int main(void) {
    setenv("SDL_VIDEODRIVER", "offscreen", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_display_that_does_not_answer_is_none),    /* first: no video yet */
        cmocka_unit_test(there_is_a_context_without_a_display),
        cmocka_unit_test(a_window_without_a_display_is_refused_in_words),
        cmocka_unit_test(keys_have_lower_case_names_and_stay_down_until_released),
        cmocka_unit_test(the_first_movement_after_the_focus_came_back_is_no_movement),
        cmocka_unit_test(buttons_are_counted_as_quake_counts),
        cmocka_unit_test(the_clock_runs_forward_while_it_sleeps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
