/* Voices: who is new begins, who stays goes on, who is missing ends; and a device that nobody hears plays them. */
#include "support/test.h"

#include <stdlib.h>

#include "platform/audio.h"

static const int16_t ramp[] = { 0, 1000, 2000, 3000 };

static AudioVoice voice(unsigned id, bool loop, float left, float right) {
    return (AudioVoice){ id, ramp, COUNT_OF(ramp), 100, loop, left, right };
}

static void a_voice_plays_once_and_then_is_silent(void **state) {
    (void)state;
    AudioMix mix = { .count = 0 };
    AudioVoice one = voice(1, false, 1, 0.5f);
    audio_mix_voices(&mix, &one, 1);
    int16_t out[12];
    audio_mix_samples(&mix, out, 6, 100);
    const int16_t expected[12] = { 0, 0, 1000, 500, 2000, 1000, 3000, 1500, 0, 0, 0, 0 };
    assert_memory_equal(out, expected, sizeof out);
}

static void a_loop_begins_again_and_a_change_of_the_list_keeps_its_place(void **state) {
    (void)state;
    AudioMix mix = { .count = 0 };
    AudioVoice loop = voice(1, true, 1, 1);
    audio_mix_voices(&mix, &loop, 1);
    int16_t out[20];
    audio_mix_samples(&mix, out, 3, 100);
    assert_int_equal(out[4], 2000);
    AudioVoice both[] = { voice(2, false, 1, 1), voice(1, true, 0.5f, 0.5f) };
    audio_mix_voices(&mix, both, 2);
    audio_mix_samples(&mix, out, 3, 100);
    assert_int_equal(out[0], 0 + 1500);       /* the new one's first and the loop's fourth */
    assert_int_equal(out[2], 1000 + 0);
    assert_int_equal(out[4], 2000 + 500);
    audio_mix_voices(&mix, NULL, 0);
    audio_mix_samples(&mix, out, 1, 100);
    assert_int_equal(out[0], 0);
}

static void other_rates_are_brought_to_the_device_s(void **state) {
    (void)state;
    AudioMix mix = { .count = 0 };
    AudioVoice one = voice(1, false, 1, 1);
    audio_mix_voices(&mix, &one, 1);
    int16_t out[16];
    audio_mix_samples(&mix, out, 8, 200);
    assert_int_equal(out[2], 500);
    assert_int_equal(out[4], 1000);
    assert_int_equal(out[6], 1500);
}

static void many_loud_voices_are_cut_not_wrapped(void **state) {
    (void)state;
    static const int16_t loud[] = { 30000, -30000 };
    AudioVoice voices[AUDIO_VOICES_MOST + 6];
    for (int i = 0; i < COUNT_OF(voices); i++)
        voices[i] = (AudioVoice){ (unsigned)i, loud, 2, 100, true, 1, 1 };
    AudioMix mix = { .count = 0 };
    audio_mix_voices(&mix, voices, COUNT_OF(voices));
    assert_int_equal(mix.count, AUDIO_VOICES_MOST);
    int16_t out[1400];
    audio_mix_samples(&mix, out, 700, 100);
    assert_int_equal(out[0], 32767);
    assert_int_equal(out[2], -32768);
    assert_int_equal(out[1396], 32767);
}

static void a_device_that_nobody_hears_opens_and_closes(void **state) {
    (void)state;
    setenv("SDL_AUDIODRIVER", "dummy", 1);
    Error error;
    Audio *audio = audio_open(&error);
    assert_non_null(audio);
    AudioVoice loop = voice(1, true, 1, 1);
    audio_play(audio, &loop, 1);
    audio_close(audio);
    setenv("SDL_AUDIODRIVER", "no such driver", 1);
    assert_null(audio_open(&error));
    assert_non_null(strstr(error.text, "no sound"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_voice_plays_once_and_then_is_silent),
        cmocka_unit_test(a_loop_begins_again_and_a_change_of_the_list_keeps_its_place),
        cmocka_unit_test(other_rates_are_brought_to_the_device_s),
        cmocka_unit_test(many_loud_voices_are_cut_not_wrapped),
        cmocka_unit_test(a_device_that_nobody_hears_opens_and_closes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
