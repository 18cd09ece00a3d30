/* test_image.c -- decoding what levels hold and what nobody should send, finding it, halving it. */
#include "assets/image.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "record/record.h"
#include "support/make_image.h"
#include "support/temp_folder.h"

static void assert_same_picture(const Image *a, const Image *b) {
    assert_int_equal(a->width, b->width);
    assert_int_equal(a->height, b->height);
    assert_memory_equal(a->rgba, b->rgba, (size_t)a->width * (size_t)a->height * 4);
}

static Image decode(const Text *file) {
    Image image;
    Error why;
    if (!image_decode((const uint8_t *)text_of(file), file->count, "test", &image, &why))
        fail_msg("%s", why.text);
    return image;
}

static void every_way_round_of_a_tga_is_the_same_picture(void **state) {    /* trap E10 */
    (void)state;
    Image wanted = make_noise(5, 3, 1);
    for (int kind = 2; kind <= 10; kind += 8)
        for (int bits = 24; bits <= 32; bits += 8)
            for (int flags = 0; flags <= 0x30; flags += 0x10) {
                Text file = make_tga(&wanted, (TgaForm){ kind, bits, flags });
                Image got = decode(&file);
                assert_same_picture(&got, &wanted);
                assert_false(got.has_alpha);
                image_free(&got);
                text_free(&file);
            }
    image_free(&wanted);
}

static void a_grey_tga_and_one_with_alpha_are_read(void **state) {
    (void)state;
    Image wanted = make_noise(4, 4, 2);
    Text file = make_tga(&wanted, (TgaForm){ 3, 8, 0x20 });
    Image grey = decode(&file);
    text_free(&file);
    for (int i = 0; i < 16; i++)
        for (int c = 0; c < 3; c++)
            assert_int_equal(grey.rgba[i * 4 + c], wanted.rgba[i * 4]);
    wanted.rgba[3] = 7;
    file = make_tga(&wanted, (TgaForm){ 2, 32, 0 });
    Image clear = decode(&file);
    assert_true(clear.has_alpha);
    assert_same_picture(&clear, &wanted);
    text_free(&file);
    image_free(&clear);
    image_free(&grey);
    image_free(&wanted);
}

static void a_png_comes_back_as_it_was_written(void **state) {
    (void)state;
    for (int level = 0; level <= 9; level += 3)
        for (int clear = 0; clear < 2; clear++) {
            Image wanted = make_noise(7, 5, 3);
            if (clear)
                wanted.rgba[4 * 9 + 3] = 0;
            Text file = { 0 };
            assert_true(record_png_bytes(&wanted, level, (uint8_t **)&file.at, &file.count, NULL));
            Image got = decode(&file);
            assert_same_picture(&got, &wanted);
            assert_int_equal(got.has_alpha, clear);
            image_free(&got);
            image_free(&wanted);
            text_free(&file);
        }
}

static void assert_refused(const void *bytes, size_t size, const char *words) {
    Image image;
    Error why = { "" };
    if (image_decode(bytes, size, "bad.tga", &image, &why))
        fail_msg("decoded as %dx%d", image.width, image.height);
    assert_null(image.rgba);
    if (!strstr(why.text, words) || !text_starts(why.text, "bad.tga"))
        fail_msg("said: %s", why.text);
}

static void damaged_images_are_refused(void **state) {    /* traps E11, E12 */
    (void)state;
    const uint8_t e11[] = { 0xAF, 1, 9, 0, 0, 0, 0, 0x10, 0x14, 0x0A, 0xAF, 0, 0xEF, 0xEF, 0xEF, 0x11, 0x10, 0xEF, 0xEB, 0xF5,
                            0x50, 0xFE, 0xFE, 9 };
    assert_refused(e11, sizeof e11, "bad.tga");
    assert_refused("", 0, "empty");
    assert_refused("short", 5, "too short");
    assert_refused("these are words and no picture at all", 37, "not a TGA, JPEG or PNG");
    assert_refused("\x89PNG\r\n\x1a\n", 8, "not a TGA, JPEG or PNG");
    assert_refused("\xff\xd8\xff\xe0 and no more", 17, "not a TGA, JPEG or PNG");
    uint8_t cut[18] = { [2] = 2, [12] = 64, [14] = 64, [16] = 24 };
    assert_refused(cut, sizeof cut, "needs 12306");
}

/* A JPEG whose table claims 17 codes of each length; found by fuzzing to write past the decoder's own tables. */
static void a_jpeg_table_of_too_many_codes_is_refused(void **state) {
    (void)state;
    uint8_t bytes[400] = { 0xff, 0xd8, 0xff, 0xc4, 0x01, 0x24, 0x00 };
    memset(bytes + 7, 17, 16);
    assert_refused(bytes, sizeof bytes, "more codes");
    uint8_t later[420] = { 0xff, 0xd8, 0xff, 0xfe, 0x00, 0x06, 0xff, 0xc4, 'x', 'y', 0xff, 0xda, 0x00, 0x02, 0x12, 0xff, 0x00 };
    memcpy(later + 17, bytes + 2, sizeof bytes - 2);
    assert_refused(later, sizeof later, "more codes");
    memset(bytes + 7, 16, 16);    /* 256 codes: one too many for the decoder, and more than any JPEG has */
    assert_refused(bytes, sizeof bytes, "more codes");
    uint8_t filled[420];    /* FF bytes may stand before the mark */
    memset(filled, 0xff, sizeof filled);
    memcpy(filled + 5, bytes, sizeof bytes);
    assert_refused(filled, sizeof filled, "more codes");
    const uint8_t cut[] = { 0xff, 0xd8, 0xff, 0xc4, 0x00, 0x1f, 0x00, 0x80, 0x7f, 0x02 };    /* the file ends in its counts */
    assert_refused(cut, sizeof cut, "more codes");
    memset(later + 17 + 5, 0, 16);    /* a table without codes is none of that */
    Image image;
    Error why;
    assert_false(image_decode(later, sizeof later, "bad.tga", &image, &why));
    assert_null(strstr(why.text, "more codes"));
}

static void a_png_chunk_must_hold_what_it_claims(void **state) {
    (void)state;
    Image image = make_noise(4, 4, 1);
    Text file = { 0 };
    assert_true(record_png_bytes(&image, 6, (uint8_t **)&file.at, &file.count, NULL));
    char *idat = memmem(file.at, file.count, "IDAT", 4);
    idat[-4] = 0x7f;
    assert_refused(file.at, file.count, "longer than the file");
    memset(idat - 4, 0, 4);
    assert_refused(file.at, file.count, "is empty");
    text_free(&file);
    image_free(&image);
}

static void claims_of_a_size_are_weighed(void **state) {
    (void)state;
    uint8_t packed[30] = { [2] = 10, [12] = 0xff, [13] = 0x3f, [14] = 0, [15] = 0x20, [16] = 32 };    /* 16383 x 8192 */
    assert_refused(packed, sizeof packed, "cannot hold");
    packed[13] = packed[15] = 0xff;
    assert_refused(packed, sizeof packed, "bad.tga");
}

static void an_image_beyond_the_largest_is_scaled_down(void **state) {    /* trap E9 */
    (void)state;
    Image wide = image_make(IMAGE_LARGEST * 2, 2);
    for (int i = 0; i < wide.width * 2; i++)
        memset(wide.rgba + i * 4, i % 2 ? 100 : 200, 4);
    Text file = make_tga(&wide, (TgaForm){ 2, 32, 0x20 });
    Image got = decode(&file);
    assert_int_equal(got.width, IMAGE_LARGEST);
    assert_int_equal(got.height, 1);
    assert_int_equal(got.rgba[0], 150);
    image_free(&got);
    image_free(&wide);
    text_free(&file);
}

static void halving_takes_means_and_loses_no_pixel(void **state) {
    (void)state;
    Image image = image_make(2, 2);
    const uint8_t reds[] = { 10, 20, 30, 41 };
    for (int i = 0; i < 4; i++)
        image.rgba[i * 4] = reds[i];
    Image half = image_halved(&image);
    assert_int_equal(half.width * half.height, 1);
    assert_int_equal(half.rgba[0], 25);    /* 25.25 */
    image_free(&half);
    image_free(&image);

    image = image_make(5, 1);
    const uint8_t row[] = { 250, 0, 0, 0, 50 };
    for (int i = 0; i < 5; i++)
        image.rgba[i * 4] = row[i];
    half = image_halved(&image);
    assert_int_equal(half.width, 2);
    assert_int_equal(half.height, 1);
    assert_int_equal(half.rgba[0], 100);    /* (2 * 250 + 2 * 0 + 1 * 0) / 5 */
    assert_int_equal(half.rgba[4], 20);     /* (1 * 0 + 2 * 0 + 2 * 50) / 5 */
    image_free(&half);
    image_free(&image);
    assert_int_equal(image_mip_count(1, 1), 1);
    assert_int_equal(image_mip_count(256, 64), 9);
    assert_int_equal(image_mip_count(5, 3), 3);
}

static void put_tga(TempFolder *temp, const char *name, int red) {
    Image image = image_make(1, 1);
    image.rgba[0] = (uint8_t)red;
    image.rgba[3] = 255;
    Text file = make_tga(&image, (TgaForm){ 2, 24, 0 });
    temp_write(temp, name, file.at, file.count);
    text_free(&file);
    image_free(&image);
}

static int red_of(Files *files, const char *name) {
    Image image;
    Error why;
    if (!image_load(files, name, &image, NULL, &why))
        return -1;
    int red = image.rgba[0];
    image_free(&image);
    return red;
}

static void names_find_images_with_other_endings(void **state) {    /* trap E2; the bytes tell the format, not the name */
    TempFolder *temp = *state;
    put_tga(temp, "textures/A.TGA", 1);
    put_tga(temp, "textures/a.jpg", 2);
    put_tga(temp, "textures/b.jpg", 3);
    put_tga(temp, "textures/c.PNG", 4);
    put_tga(temp, "textures/dot.v2.jpeg", 5);
    temp_text(temp, "textures/broken.tga", "words");
    put_tga(temp, "textures/broken.jpg", 6);
    temp_text(temp, "textures/ruin.tga", "words");
    Files *files = files_open(NULL);
    assert_true(files_add(files, temp->path, NULL));
    assert_int_equal(red_of(files, "textures/a"), 1);
    assert_int_equal(red_of(files, "textures/a.tga"), 1);
    assert_int_equal(red_of(files, "textures/a.jpg"), 2);
    assert_int_equal(red_of(files, "textures/a.png"), 1);
    assert_int_equal(red_of(files, "TEXTURES\\B.tga"), 3);
    assert_int_equal(red_of(files, "textures/c.dds"), 4);
    assert_int_equal(red_of(files, "textures/dot.v2"), 5);
    assert_int_equal(red_of(files, "textures/broken"), 6);
    assert_int_equal(red_of(files, "textures/none"), -1);
    assert_int_equal(red_of(files, "../textures/a"), -1);
    Image image;
    Error why;
    assert_false(image_load(files, "textures/ruin", &image, NULL, &why));
    assert_non_null(strstr(why.text, "textures/ruin.tga"));
    assert_false(image_load(files, "textures/none", &image, NULL, &why));
    assert_non_null(strstr(why.text, "no image of this name"));
    char long_name[2 * FILE_NAME_ROOM];
    memset(long_name, 'x', sizeof long_name - 1);
    long_name[sizeof long_name - 1] = 0;
    assert_int_equal(red_of(files, long_name), -1);
    files_close(files);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_way_round_of_a_tga_is_the_same_picture),
        cmocka_unit_test(a_grey_tga_and_one_with_alpha_are_read),
        cmocka_unit_test(a_png_comes_back_as_it_was_written),
        cmocka_unit_test(damaged_images_are_refused),
        cmocka_unit_test(a_jpeg_table_of_too_many_codes_is_refused),
        cmocka_unit_test(a_png_chunk_must_hold_what_it_claims),
        cmocka_unit_test(claims_of_a_size_are_weighed),
        cmocka_unit_test(an_image_beyond_the_largest_is_scaled_down),
        cmocka_unit_test(halving_takes_means_and_loses_no_pixel),
        cmocka_unit_test_setup_teardown(names_find_images_with_other_endings, temp_folder_setup, temp_folder_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
