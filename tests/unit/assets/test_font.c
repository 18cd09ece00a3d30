/* test_font.c -- letters: where they stand in the atlas, how wide a line is, and where fonts may come from. */
#include "assets/font.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "support/temp_folder.h"

static const char *const folders[] = { LEAFWALK_BUILD_DIR "/fonts" };

static int open_default(void **state) {
    Error why;
    *state = font_find(folders, 1, "", 16, &why);
    if (!*state)
        print_message("%s\n", why.text);
    return *state ? 0 : -1;
}

static int close_it(void **state) {
    font_close(*state);
    return 0;
}

static int coverage(const Font *font, const Glyph *g) {
    int sum = 0;
    int x0 = (int)lrintf(g->u0 * (float)font->atlas.width), y0 = (int)lrintf(g->v0 * (float)font->atlas.height);
    for (int y = y0; y < y0 + (int)g->height; y++)
        for (int x = x0; x < x0 + (int)g->width; x++)
            sum += font->atlas.rgba[(y * font->atlas.width + x) * 4 + 3];
    return sum;
}

static void the_default_font_has_latin_greek_cyrillic_and_boxes(void **state) {
    const Font *font = *state;
    assert_string_equal(font->name, "DejaVuSansMono");
    const uint32_t codes[] = { 'A', '~', 0xe9, 0x3b1, 0x416, 0x2192, 0x2500, 0x2588, 0x20ac };
    for (int i = 0; i < COUNT_OF(codes); i++) {
        assert_int_equal(font_glyph(font, codes[i])->code, codes[i]);
        assert_true(coverage(font, font_glyph(font, codes[i])) > 255);
    }
    for (int i = 1; i < font->glyph_count; i++)
        assert_true(font->glyphs[i - 1].code < font->glyphs[i].code);
}

static void the_corner_is_solid_and_the_atlas_white(void **state) {
    const Font *font = *state;
    assert_int_equal(font->atlas.rgba[3], 255);
    for (int i = 0; i < font->atlas.width * font->atlas.height; i++)
        assert_int_equal(font->atlas.rgba[i * 4] & font->atlas.rgba[i * 4 + 1] & font->atlas.rgba[i * 4 + 2], 255);
}

static void glyphs_do_not_share_pixels(void **state) {
    const Font *font = *state;
    uint8_t *taken = mem_zeroed((size_t)font->atlas.width * (size_t)font->atlas.height, 1);
    for (int i = 0; i < font->glyph_count; i++) {
        const Glyph *g = &font->glyphs[i];
        int x0 = (int)lrintf(g->u0 * (float)font->atlas.width), y0 = (int)lrintf(g->v0 * (float)font->atlas.height);
        for (int y = y0; y < y0 + (int)g->height; y++)
            for (int x = x0; x < x0 + (int)g->width; x++) {
                assert_true(x < font->atlas.width && y < font->atlas.height);
                assert_int_equal(taken[y * font->atlas.width + x]++, 0);
            }
    }
    mem_free(taken);
}

static void an_a_stands_on_the_baseline(void **state) {
    const Font *font = *state;
    const Glyph *a = font_glyph(font, 'A'), *p = font_glyph(font, 'p'), *blank = font_glyph(font, ' ');
    assert_true(a->y < 0 && fabsf(a->y + a->height) < 1.5f);
    assert_true(p->y + p->height > 2);
    assert_true(blank->width == 0 && blank->advance > 4);
    assert_true(font->ascent > 8 && font->descent < 0);
    assert_true(fabsf(font->ascent - font->descent - 16) < 0.01f);
}

static void what_is_lacking_is_a_box(void **state) {
    const Font *font = *state;
    const Glyph *box = font_glyph(font, 0x1f600);
    assert_int_equal(box->code, 0);
    assert_true(coverage(font, box) > 255 * 8);
}

static void utf8_is_read_and_broken_bytes_are_latin1(void **state) {
    (void)state;
    const char *text = "A\xc3\xa9\xe2\x86\x92\xf0\x9f\x98\x80\xe9z\xe2\x86";
    const uint32_t wanted[] = { 'A', 0xe9, 0x2192, 0x1f600, 0xe9, 'z', 0xe2, 0x86, 0, 0 };
    for (int i = 0; i < COUNT_OF(wanted); i++)
        assert_int_equal(text_next_code(&text), wanted[i]);
}

static void a_text_is_as_wide_as_its_widest_line(void **state) {
    const Font *font = *state;
    float one, three, width, height, line;
    font_measure(font, "m", &one, &line);
    font_measure(font, "mmm", &three, &height);
    assert_true(fabsf(three - 3 * one) < 0.01f);
    font_measure(font, "m\nmmm\n", &width, &height);
    assert_true(fabsf(width - three) < 0.01f);
    assert_true(fabsf(height - 3 * line) < 0.01f);
    font_measure(font, "", &width, &height);
    assert_true(width == 0 && height == line);
}

static void kerning_pulls_letters_together(void **state) {
    (void)state;
    Font *font = font_find(folders, 1, "dejavusans", 64, NULL);
    assert_non_null(font);
    assert_true(font_kerning(font, 'A', 'V') < 0);
    assert_true(font_kerning(font, 'n', 'n') == 0);
    font_close(font);
}

static void fonts_come_from_the_fonts_folders_alone(void **state) {    /* trap E13 */
    TempFolder *temp = *state;
    Error why;
    temp_text(temp, "fonts/words.ttf", "these are no letters, only words");
    temp_text(temp, "other.ttf", "outside");
    const char *own[] = { temp_path(temp, "fonts"), folders[0] };
    assert_null(font_find(own, 2, "../other", 16, &why));
    assert_non_null(strstr(why.text, "no such file in the fonts folders"));
    assert_null(font_find(own, 2, temp_path(temp, "other.ttf"), 16, &why));
    assert_null(font_find(own, 2, "missing", 16, &why));
    assert_non_null(strstr(why.text, "DejaVuSansMono"));
    assert_non_null(strstr(why.text, "words"));
    assert_null(font_find(own, 2, "words", 16, &why));
    assert_non_null(strstr(why.text, "not a TrueType font"));
    assert_null(font_find(own, 2, "", 1, &why));
    assert_null(font_find(own, 2, "", NAN, &why));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_default_font_has_latin_greek_cyrillic_and_boxes, open_default, close_it),
        cmocka_unit_test_setup_teardown(the_corner_is_solid_and_the_atlas_white, open_default, close_it),
        cmocka_unit_test_setup_teardown(glyphs_do_not_share_pixels, open_default, close_it),
        cmocka_unit_test_setup_teardown(an_a_stands_on_the_baseline, open_default, close_it),
        cmocka_unit_test_setup_teardown(what_is_lacking_is_a_box, open_default, close_it),
        cmocka_unit_test_setup_teardown(a_text_is_as_wide_as_its_widest_line, open_default, close_it),
        cmocka_unit_test(utf8_is_read_and_broken_bytes_are_latin1),
        cmocka_unit_test(kerning_pulls_letters_together),
        cmocka_unit_test_setup_teardown(fonts_come_from_the_fonts_folders_alone, temp_folder_setup, temp_folder_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
