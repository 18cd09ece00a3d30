/* WAV: samples come out as one channel of 16 bits; a broken file is refused where it is broken. */
#include "support/test.h"

#include "assets/sound.h"

typedef struct Bytes { uint8_t at[256]; size_t size; } Bytes;

static void put(Bytes *out, uint32_t value, int width) {
    for (int i = 0; i < width; i++)
        out->at[out->size++] = (uint8_t)(value >> (8 * i));
}

static void put_text(Bytes *out, const char *text) {
    memcpy(out->at + out->size, text, 4);
    out->size += 4;
}

static Bytes header(int format, int channels, uint32_t rate, int bits, uint32_t data_size) {
    Bytes out = { .size = 0 };
    put_text(&out, "RIFF");
    put(&out, 0, 4);    /* the whole's length: nobody needs it */
    put_text(&out, "WAVE");
    put_text(&out, "fmt ");
    put(&out, 16, 4);
    put(&out, (uint32_t)format, 2);
    put(&out, (uint32_t)channels, 2);
    put(&out, rate, 4);
    put(&out, 0, 4);
    put(&out, 0, 2);
    put(&out, (uint32_t)bits, 2);
    put_text(&out, "junk");
    put(&out, 1, 4);
    put(&out, 7, 2);    /* a chunk of odd length has a byte behind it */
    put_text(&out, "data");
    put(&out, data_size, 4);
    return out;
}

static const Sound *load(Arena *arena, const Bytes *bytes) {
    Error error;
    const Sound *sound = sound_load(arena, "x.wav", bytes->at, bytes->size, &error);
    if (!sound)
        fail_msg("%s", error.text);
    return sound;
}

static void sixteen_bits_come_as_they_are(void **state) {
    (void)state;
    Arena *arena = arena_open();
    Bytes bytes = header(1, 1, 22050, 16, 4);
    put(&bytes, 0x8000, 2);
    put(&bytes, 1234, 2);
    const Sound *sound = load(arena, &bytes);
    assert_int_equal(sound->rate, 22050);
    assert_int_equal(sound->count, 2);
    assert_int_equal(sound->samples[0], -32768);
    assert_int_equal(sound->samples[1], 1234);
    arena_close(arena);
}

static void other_widths_and_channels_become_one_of_sixteen_bits(void **state) {
    (void)state;
    Arena *arena = arena_open();
    Bytes eight = header(1, 1, 8000, 8, 3);
    put(&eight, 0, 1);
    put(&eight, 128, 1);
    put(&eight, 255, 1);
    const Sound *sound = load(arena, &eight);
    assert_int_equal(sound->samples[0], -32768);
    assert_int_equal(sound->samples[1], 0);
    assert_int_equal(sound->samples[2], 127 * 256);
    Bytes stereo = header(1, 2, 8000, 16, 4);
    put(&stereo, 1000, 2);
    put(&stereo, 3000, 2);
    assert_int_equal(load(arena, &stereo)->samples[0], 2000);
    Bytes wide = header(1, 1, 8000, 24, 3);
    put(&wide, 0x123456, 3);
    assert_int_equal(load(arena, &wide)->samples[0], 0x1234);
    arena_close(arena);
}

static void a_length_beyond_the_file_means_what_is_there(void **state) {
    (void)state;
    Arena *arena = arena_open();
    Bytes bytes = header(1, 1, 8000, 16, 0xFFFFFFFFu);
    put(&bytes, 5, 2);
    put(&bytes, 6, 1);
    assert_int_equal(load(arena, &bytes)->count, 1);
    arena_close(arena);
}

static void refused(const Bytes *bytes, const char *why) {
    Arena *arena = arena_open();
    Error error;
    assert_null(sound_load(arena, "x.wav", bytes->at, bytes->size, &error));
    assert_non_null(strstr(error.text, "x.wav"));
    if (!strstr(error.text, why))
        fail_msg("\"%s\" lacks \"%s\"", error.text, why);
    arena_close(arena);
}

static void what_is_broken_is_named(void **state) {
    (void)state;
    Bytes short_one = { .size = 4, .at = "RIFF" };
    refused(&short_one, "no WAV");
    Bytes empty = header(1, 1, 8000, 16, 0);
    refused(&empty, "bytes of samples");
    Bytes packed = header(2, 1, 8000, 16, 2);
    refused(&packed, "format 2");
    Bytes many = header(1, 9, 8000, 16, 2);
    refused(&many, "9 channels");
    Bytes slow = header(1, 1, 0, 16, 2);
    refused(&slow, "0 samples a second");
    Bytes odd = header(1, 1, 8000, 12, 2);
    refused(&odd, "12 bits");
    Bytes cut = header(1, 1, 8000, 16, 2);
    cut.size = 30;
    refused(&cut, "ends behind the file");
    Bytes unsaid = header(1, 1, 8000, 16, 2);
    memcpy(unsaid.at + 12, "xxxx", 4);
    refused(&unsaid, "no chunk 'fmt '");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sixteen_bits_come_as_they_are),
        cmocka_unit_test(other_widths_and_channels_become_one_of_sixteen_bits),
        cmocka_unit_test(a_length_beyond_the_file_means_what_is_there),
        cmocka_unit_test(what_is_broken_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
