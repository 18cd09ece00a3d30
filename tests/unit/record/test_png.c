/* test_png.c -- written PNG files: what stands in them, whole or not there. */
#include "record/record.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "support/make_image.h"
#include "support/temp_folder.h"

/* The names of a PNG's chunks, one after another. */
static void chunks_of(const uint8_t *bytes, size_t size, char *out) {
    for (size_t at = 8; at + 8 <= size;) {
        memcpy(out, bytes + at + 4, 4);
        out += 4;
        at += 12 + ((size_t)bytes[at] << 24 | (size_t)bytes[at + 1] << 16 | (size_t)bytes[at + 2] << 8 | bytes[at + 3]);
    }
    *out = 0;
}

static void a_png_holds_pixels_and_nothing_else(void **state) {
    (void)state;
    Image image = make_noise(9, 4, 1);
    for (int clear = 0; clear < 2; clear++) {
        uint8_t *bytes;
        size_t size;
        if (clear)
            image.rgba[3] = 10;
        assert_true(record_png_bytes(&image, 6, &bytes, &size, NULL));
        char chunks[256];
        assert_true(size < 1000);
        chunks_of(bytes, size, chunks);
        assert_string_equal(chunks, "IHDRIDATIEND");
        assert_int_equal(bytes[24], 8);                     /* bits a channel */
        assert_int_equal(bytes[25], clear ? 6 : 2);         /* RGBA, RGB */
        uint8_t *again;
        size_t again_size;
        assert_true(record_png_bytes(&image, 6, &again, &again_size, NULL));
        assert_int_equal(size, again_size);
        assert_memory_equal(bytes, again, size);
        mem_free(again);
        mem_free(bytes);
    }
    image_free(&image);
}

static void levels_trade_time_for_size(void **state) {
    (void)state;
    Image image = image_make(64, 64);
    size_t sizes[3];
    for (int i = 0; i < 3; i++) {
        uint8_t *bytes;
        assert_true(record_png_bytes(&image, i == 0 ? 0 : i == 1 ? 1 : 9, &bytes, &sizes[i], NULL));
        mem_free(bytes);
    }
    assert_true(sizes[0] > 64 * 64 * 4 && sizes[1] < sizes[0] / 10 && sizes[2] <= sizes[1]);
    image_free(&image);
}

static void a_picture_that_cannot_be_written_is_refused(void **state) {
    TempFolder *temp = *state;
    Image image = make_noise(4, 4, 1), none = { 0 };
    Error why;
    assert_false(record_png(temp_path(temp, "no/folder/x.png"), &image, 6, &why));
    assert_non_null(strstr(why.text, "no/folder/x.png"));
    assert_false(record_png(temp_path(temp, "x.png"), &none, 6, &why));
    assert_non_null(strstr(why.text, "x.png"));
    assert_false(file_exists_disk(temp_path(temp, "x.png")));
    assert_true(record_png(temp_path(temp, "x.png"), &image, 6, &why));
    FileBytes file;
    assert_true(file_read_disk(temp_path(temp, "x.png"), &file, NULL));
    Image back;
    assert_true(image_decode(file.bytes, file.size, "x.png", &back, &why));
    assert_memory_equal(back.rgba, image.rgba, 64);
    image_free(&back);
    file_free(&file);
    image_free(&image);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_png_holds_pixels_and_nothing_else),
        cmocka_unit_test(levels_trade_time_for_size),
        cmocka_unit_test_setup_teardown(a_picture_that_cannot_be_written_is_refused, temp_folder_setup, temp_folder_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
