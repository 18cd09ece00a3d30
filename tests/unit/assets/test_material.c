/* test_material.c -- what .shader scripts say, and what their authors' slips cost. */
#include "assets/material.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "assets/material_def.h"
#include "bsp/flags.h"
#include "support/kept_log.h"
#include "support/make_image.h"
#include "support/temp_folder.h"

static MaterialSet *parse(const char *text) {
    MaterialSet *set = materials_open(NULL, NULL);
    materials_parse(set, "test.shader", text, strlen(text));
    return set;
}

static const MaterialDef *def_of(const MaterialSet *set, const char *name) {
    const MaterialDef *def = material_def(set, name);
    if (!def)
        fail_msg("%s is not defined", name);
    return def;
}

static int told(const MaterialSet *set, const char *words) {
    const MaterialProblem *problems;
    int count = materials_problems(set, &problems), found = 0;
    for (int i = 0; i < count; i++)
        found += strstr(problems[i].text, words) != NULL;
    return found;
}

static int told_at(const MaterialSet *set, const char *words) {    /* the line of the first such problem */
    const MaterialProblem *problems;
    int count = materials_problems(set, &problems);
    for (int i = 0; i < count; i++)
        if (strstr(problems[i].text, words))
            return problems[i].line;
    return -1;
}

static void a_common_material_is_read_whole(void **state) {
    (void)state;
    MaterialSet *set = parse(
        "textures/base/Door\n{\n\tqer_editorimage textures/base/door_ed.tga\n\tsurfaceparm nomarks\n\tsurfaceparm trans\n"
        "\tcull none\n\tq3map_surfacelight 300\n\t{\n\t\tmap textures\\base\\door.tga\n\t\trgbGen identity\n\t}\n"
        "\t{\n\t\tmap $lightmap\n\t\tblendFunc filter\n\t}\n"
        "\t{\n\t\tanimMap 10 a.tga b.tga c.tga\n\t\tblendfunc GL_SRC_ALPHA GL_ONE\n\t\ttcMod scroll 0.5 -1\n"
        "\t\ttcMod turb 0 .1 .2 .3\n\t\trgbGen wave sawtooth 1 2 3 4\n\t\talphaGen const 0.5\n\t}\n}\n");
    assert_int_equal(materials_count(set), 1);
    const MaterialDef *def = def_of(set, "TEXTURES/base/door.jpg");
    assert_string_equal(def->name, "textures/base/door");
    assert_string_equal(def->editor_image, "textures/base/door_ed.tga");
    assert_int_equal(def->surface_flags, SURF_NOMARKS);
    assert_int_equal(def->contents, CONTENTS_TRANSLUCENT);
    assert_int_equal(def->cull, CULL_NONE);
    assert_int_equal(def->stage_count, 3);
    assert_string_equal(def->stages[0].images[0], "textures/base/door.tga");
    assert_int_equal(def->stages[0].color_gen, COLOR_IDENTITY);
    assert_int_equal(def->stages[1].map, STAGE_LIGHTMAP);
    assert_true(def->stages[1].blends && def->stages[1].source == BLEND_DST_COLOR && def->stages[1].destination == BLEND_ZERO);
    const MaterialStage *last = &def->stages[2];
    assert_int_equal(last->image_count, 3);
    assert_true(last->frames_per_second == 10);
    assert_int_equal(last->texmod_count, 2);
    assert_true(last->texmods[0].kind == TEXMOD_SCROLL && last->texmods[0].numbers[1] == -1);
    assert_true(last->texmods[1].kind == TEXMOD_TURB && last->texmods[1].wave.phase == 0.2f);
    assert_true(last->color_wave.kind == WAVE_SAWTOOTH && last->color_wave.frequency == 4);
    assert_true(last->alpha_gen == ALPHAGEN_CONST && last->alpha == 0.5f);
    assert_int_equal(told(set, ""), 0);
    materials_close(set);
}

static void braces_may_stand_anywhere(void **state) {    /* trap D1 */
    (void)state;
    MaterialSet *set = parse(
        "a {\n{ map x.tga }\n{ map y.tga blendFunc add\nrgbGen identity }\n}\n"
        "b\n{\n{\nmap z.tga\nrgbGen identity}\n}\n"
        "c\n{\nskyparms env/box 256 - }\n"
        "d{\nsurfaceparm sky\n}\n"
        "e\n{\n{\nmap \"odd{name}\"\n}\n}}\nf\n{\n}\n");
    assert_int_equal(def_of(set, "a")->stage_count, 2);
    assert_true(def_of(set, "a")->stages[1].blends);
    assert_int_equal(def_of(set, "a")->stages[1].color_gen, COLOR_IDENTITY);
    assert_int_equal(def_of(set, "b")->stages[0].color_gen, COLOR_IDENTITY);
    assert_string_equal(def_of(set, "c")->sky_box, "env/box");
    assert_int_equal(def_of(set, "d")->surface_flags, SURF_SKY);
    assert_string_equal(def_of(set, "e")->stages[0].images[0], "odd{name}");
    def_of(set, "f");
    assert_int_equal(told(set, "glued"), 3);
    materials_close(set);
}

static void comments_and_blank_lines_may_stand_anywhere(void **state) {    /* trap D2 */
    (void)state;
    MaterialSet *set = parse(
        "\xef\xbb\xbf// a comment { } \"\r\n\r\n/* two\n lines { */ a // name\n\n/**/\n{\r\n\n  /* x */ { // stage\n\n"
        "map /* which? */ textures/a//b.tga // this\n/* } */\n}\r\n\n}\n/* to the end");
    assert_int_equal(def_of(set, "a")->stage_count, 1);
    assert_string_equal(def_of(set, "a")->stages[0].images[0], "textures/a//b.tga");
    assert_int_equal(told(set, ""), 0);
    materials_close(set);
}

static void vectors_are_read_with_any_parentheses(void **state) {    /* traps D3, D5 */
    (void)state;
    MaterialSet *set = parse(
        "a\n{\nfogparms (0.1 0.2 0.3) 400\n{\nmap x\nrgbGen const ( 0.2 0.4 0.6 )\n"
        "tcGen vector ( 0.01 0 0 ) (0 0.02 0)\n}\n}\nb\n{\nfogparms ( 1 .5 0 ) 64 gradient\n{\nmap y\nrgbGen const ( 1 0 )\n}\n}\n");
    const MaterialDef *a = def_of(set, "a"), *b = def_of(set, "b");
    assert_true(a->fog && a->fog_color.y == 0.2f && a->fog_depth == 400);
    assert_true(b->fog && b->fog_color.x == 1 && b->fog_color.y == 0.5f && b->fog_depth == 64);
    assert_true(a->stages[0].color.x == 0.2f && a->stages[0].color.z == 0.6f);
    assert_int_equal(a->stages[0].texcoord_gen, TEXCOORD_VECTOR);
    assert_true(a->stages[0].texcoord_vectors[0].x == 0.01f && a->stages[0].texcoord_vectors[1].y == 0.02f);
    assert_int_equal(told(set, "three numbers"), 1);
    materials_close(set);
}

static void noise_is_a_colour_s_wave_alone(void **state) {    /* trap D4 */
    (void)state;
    MaterialSet *set = parse(
        "a\n{\ndeformVertexes wave 100 noise 0 1 0 1\n{\nmap x\nalphaGen wave noise 0 1 0 1\nrgbGen wave noise 0 1 0 1\n"
        "tcMod stretch noise 1 1 1 1\n}\n}\n");
    const MaterialDef *def = def_of(set, "a");
    assert_int_equal(def->stages[0].alpha_wave.kind, WAVE_NOISE);
    assert_int_equal(def->stages[0].color_wave.kind, WAVE_NOISE);
    assert_int_equal(def->stages[0].texmods[0].wave.kind, WAVE_SIN);
    assert_int_equal(def->deforms[0].wave.kind, WAVE_SIN);
    assert_int_equal(told(set, "noise"), 2);
    materials_close(set);
}

static void an_unknown_word_costs_its_line(void **state) {    /* traps D6, D7, D8, D12 */
    (void)state;
    MaterialSet *set = parse(
        "a\n{\nwarble 1 2 3\ndpoffsetmapping 0.2\nqer_trans 0.5\nq3map_sunExt 1 0.9 0.8 200 45 60 3 16\n{\nclampAnimMap 2 x y\ndetail\nglow on\n}\n"
        "{\nanimClampMap 2 x y\nblendFunc wrong GL_ZERO\n}\n}\n");
    const MaterialDef *def = def_of(set, "a");
    assert_int_equal(def->stage_count, 2);
    assert_true(def->stages[0].detail && def->stages[0].clamp && def->stages[1].clamp);
    assert_int_equal(def->stages[1].source, BLEND_ONE);
    assert_true(def->sun && def->sun_intensity == 200 && def->sun_elevation == 60);
    assert_int_equal(told(set, "unknown word"), 3);
    assert_int_equal(told_at(set, "warble"), 3);
    materials_close(set);
}

static void an_open_quote_ends_with_its_line(void **state) {    /* trap D9 */
    (void)state;
    MaterialSet *set = parse("a\n{\n{\nmap \"textures/x\n}\n}\nb\n{\n}\nc\n{\n{\nmap \"textures/y");
    assert_string_equal(def_of(set, "a")->stages[0].images[0], "textures/x");
    def_of(set, "b");
    assert_string_equal(def_of(set, "c")->stages[0].images[0], "textures/y");
    assert_int_equal(told_at(set, "quote is not closed"), 4);
    assert_int_equal(told(set, "quote is not closed"), 2);
    materials_close(set);
}

static void what_is_beyond_the_engine_s_limits_is_left_out(void **state) {    /* traps D11, D15 */
    (void)state;
    Text text = { 0 };
    text_add(&text, "a\n{\n");
    for (int i = 0; i < 12; i++)
        text_add(&text, "{\nanimMap 5 1 2 3 4 5 6 7 8 9\ntcMod rotate 1\ntcMod rotate 2\ntcMod rotate 3\ntcMod rotate 4\n"
                        "tcMod rotate 5\n}\ndeformVertexes autosprite\n");
    text_add(&text, "}\ntextures/a_name_that_is_so_long_that_it_does_not_fit_into_the_level_file/x\n{\n}\n");
    MaterialSet *set = parse(text.at);
    const MaterialDef *def = def_of(set, "a");
    assert_int_equal(def->stage_count, STAGES_MOST);
    assert_int_equal(def->stages[7].image_count, 8);
    assert_int_equal(def->stages[7].texmod_count, TEXMODS_MOST);
    assert_int_equal(def->deform_count, DEFORMS_MOST);
    assert_int_equal(told(set, "more than 8 stages"), 4);
    assert_int_equal(told(set, "is cut"), 1);
    assert_int_equal(strlen(def_of(set, "textures/a_name_that_is_so_long_that_it_does_not_fit_into_the_level_file/x")->name), 63);
    text_free(&text);
    materials_close(set);
}

static void a_missing_brace_costs_one_block(void **state) {
    (void)state;
    MaterialSet *set = parse(
        "textures/a\n{\n{\nmap x\n}\n\ntextures/b\n{\n{\nmap y\n\ntextures/c\n{\n}\n}\ntextures/d textures/e\n{\n}\n{\nlost\n{\n}\n}\n"
        "textures/f\n{\n{\nmap x\n{\nmap y\n}\n}\n");
    assert_int_equal(def_of(set, "textures/a")->stage_count, 1);
    assert_int_equal(def_of(set, "textures/b")->stage_count, 1);
    def_of(set, "textures/c");
    assert_null(material_def(set, "textures/d"));
    def_of(set, "textures/e");
    assert_int_equal(def_of(set, "textures/f")->stage_count, 2);
    assert_int_equal(told_at(set, "textures/a: the block is not closed"), 1);
    assert_int_equal(told(set, "brace without a name"), 2);
    materials_close(set);
}

static void sister_games_alpha_is_taken(void **state) {    /* traps D17, D18 */
    (void)state;
    MaterialSet *set = parse("a\n{\n{\nmap x\nalphaFunc GE192\nalphaGen portal\n}\n}\nb\n{\n{\nmap x\nalphaFunc LT128\nalphaGen portal 512\n}\n}\n");
    assert_int_equal(def_of(set, "a")->stages[0].alpha_func, ALPHA_GE192);
    assert_true(def_of(set, "a")->stages[0].alpha == 256);
    assert_true(def_of(set, "b")->stages[0].alpha == 512);
    assert_true(fabsf(material_find(set, "a")->alpha_test - 0.75f) < 1e-6f);
    assert_true(fabsf(material_find(set, "b")->alpha_test + 0.5f) < 1e-6f);
    materials_close(set);
}

static void sky_and_sort_have_the_engine_s_defaults(void **state) {
    (void)state;
    MaterialSet *set = parse(
        "a\n{\nskyparms env/x - -\n}\nb\n{\nskyparms - 200 -\n{\nmap clouds\n}\n}\n"
        "c\n{\n{\nmap x\nblendFunc add\n}\n}\nd\n{\n{\nmap x\nblendFunc blend\ndepthWrite\n}\n}\ne\n{\npolygonOffset\n}\n"
        "f\n{\nsort nearest\n}\ng\n{\nsort 7.5\n}\nh\n{\n{\nmap x\nblendFunc GL_ONE GL_ZERO\n}\n}\n");
    assert_true(def_of(set, "a")->cloud_height == 512);
    const Material *a = material_find(set, "a"), *b = material_find(set, "b");
    assert_true(a->sky && b->sky);
    assert_string_equal(a->sky_box, "env/x");
    assert_null(b->sky_box);
    assert_null(a->base_image);
    const struct { const char *name; float sort; } rows[] = { { "a", 2 }, { "c", 9 }, { "d", 5 }, { "e", 4 }, { "f", 16 },
        { "g", 7.5f }, { "h", 3 }, { "unscripted", 3 } };
    for (int i = 0; i < COUNT_OF(rows); i++)
        assert_true(material_find(set, rows[i].name)->sort == rows[i].sort);
    assert_true(material_find(set, "c")->blended);
    assert_false(material_find(set, "h")->blended);
    materials_close(set);
}

static void put_image(TempFolder *temp, const char *name) {
    Image image = make_noise(2, 2, 1);
    Text file = make_tga(&image, (TgaForm){ 2, 24, 0 });
    temp_write(temp, name, file.at, file.count);
    text_free(&file);
    image_free(&image);
}

static void the_base_image_is_what_the_surface_looks_like(void **state) {
    TempFolder *temp = *state;
    const char *images[] = { "t/plain.jpg", "t/first.tga", "t/sheen.tga", "t/editor.tga", "t/gone2.tga", "t/f1.tga" };
    for (int i = 0; i < COUNT_OF(images); i++)
        put_image(temp, images[i]);
    temp_text(temp, "scripts/a.shader",
        "t/lit\n{\nqer_editorimage t/editor.tga\n{\nmap $lightmap\n}\n{\nmap t/first.tga\nblendFunc filter\n}\n}\n"
        "t/shiny\n{\n{\nmap t/sheen.tga\ntcGen environment\n}\n{\nmap t/first.tga\nblendFunc blend\n}\n}\n"
        "t/allsheen\n{\n{\nmap t/sheen.tga\ntcGen environment\n}\n}\n"
        "t/gone\n{\nqer_editorimage t/editor.tga\n{\nmap t/notthere.tga\n}\n}\n"
        "t/gone2\n{\n{\nmap t/notthere.tga\n}\n}\n"
        "t/gone3\n{\n{\nmap t/notthere.tga\n}\n}\n"
        "t/flame\n{\n{\nanimMap 10 t/f1.tga t/f2.tga\n}\n}\n"
        "t/hidden\n{\nsurfaceparm nodraw\nqer_editorimage t/editor.tga\n}\n"
        "t/clouded\n{\nsurfaceparm sky\nskyparms - 512 -\n{\nmap t/first.tga\n}\n}\n"
        "t/mist\n{\nsurfaceparm fog\nfogparms ( 1 1 1 ) 100\nqer_editorimage t/editor.tga\n}\n");
    Files *files = files_open(NULL);
    assert_true(files_add(files, temp->path, NULL));
    MaterialSet *set = materials_open(files, NULL);
    const struct { const char *name, *image; } rows[] = {
        { "T\\Plain", "t/plain" }, { "t/plain.tga", "t/plain.tga" }, { "t/lit", "t/first.tga" }, { "t/shiny", "t/first.tga" },
        { "t/allsheen", "t/sheen.tga" }, { "t/gone", "t/editor.tga" }, { "t/gone2", "t/gone2" }, { "t/gone3", "t/notthere.tga" },
        { "t/flame", "t/f1.tga" }, { "t/clouded", "t/first.tga" }, { "t/nothing", "t/nothing" },
    };
    for (int i = 0; i < COUNT_OF(rows); i++)
        assert_string_equal(material_find(set, rows[i].name)->base_image, rows[i].image);
    assert_null(material_find(set, "t/hidden")->base_image);
    assert_true(material_find(set, "t/hidden")->nodraw);
    assert_null(material_find(set, "t/mist")->base_image);
    assert_true(material_find(set, "t/mist")->fog);
    assert_string_equal(material_find(set, "t/plain.tga")->name, "t/plain");
    assert_false(material_find(set, "t/plain")->scripted);
    assert_ptr_equal(material_find(set, "t/lit"), material_find(set, "T/LIT"));
    assert_string_equal(material_find(set, "")->base_image, "noname");
    materials_close(set);
    files_close(files);
}

static void a_material_without_light_shines(void **state) {
    TempFolder *temp = *state;
    put_image(temp, "t/x.tga");
    temp_text(temp, "scripts/a.shader",
        "t/lamp\n{\n{\nmap t/x.tga\nblendFunc GL_ONE GL_ONE_MINUS_SRC_ALPHA\n}\n}\n"
        "t/wall\n{\n{\nmap t/x.tga\n}\n{\nmap $lightmap\nblendFunc filter\n}\n}\n"
        "t/leaf\n{\n{\nmap t/x.tga\nrgbGen exactVertex\n}\n}\nt/edited\n{\nqer_editorimage t/x.tga\n}\n");
    Files *files = files_open(NULL);
    assert_true(files_add(files, temp->path, NULL));
    MaterialSet *set = materials_open(files, NULL);
    assert_true(material_find(set, "t/lamp")->unlit);
    assert_int_equal(material_find(set, "t/lamp")->source, BLEND_ONE);
    assert_int_equal(material_find(set, "t/lamp")->destination, BLEND_ONE_MINUS_SRC_ALPHA);
    const char *lit[] = { "t/wall", "t/leaf", "t/edited", "t/x" };
    for (int i = 0; i < COUNT_OF(lit); i++) {
        assert_false(material_find(set, lit[i])->unlit);
        assert_int_equal(material_find(set, lit[i])->destination, BLEND_ZERO);
    }
    materials_close(set);
    files_close(files);
}

static void the_engine_s_order_of_files_decides(void **state) {    /* trap D13 */
    TempFolder *temp = *state;
    temp_text(temp, "pak0.pk3dir/scripts/base.shader", "t/a\n{\nsurfaceparm slick\n}\nt/b\n{\nsurfaceparm slick\n}\nt/a\n{\n}\n");
    temp_text(temp, "pak0.pk3dir/scripts/same.shader", "t/c\n{\nsurfaceparm slick\n}\n");
    temp_text(temp, "pak1.pk3dir/scripts/other.shader", "t/a\n{\nsurfaceparm flesh\n}\nt/d\n{\nsurfaceparm flesh\n}\n");
    temp_text(temp, "pak1.pk3dir/scripts/same.shader", "t/c\n{\nsurfaceparm flesh\n}\n");
    temp_text(temp, "pak1.pk3dir/scripts/deep/no.shader", "t/e\n{\nsurfaceparm flesh\n}\n");
    Files *files = files_open(NULL);
    assert_true(files_add(files, temp->path, NULL));
    MaterialSet *set = materials_open(files, NULL);
    assert_int_equal(material_find(set, "t/a")->surface_flags, SURF_SLICK);    /* the base game's file is listed last */
    assert_int_equal(material_find(set, "t/b")->surface_flags, SURF_SLICK);
    assert_int_equal(material_find(set, "t/c")->surface_flags, SURF_FLESH);    /* a file of the same name hides the other */
    assert_int_equal(material_find(set, "t/d")->surface_flags, SURF_FLESH);
    assert_false(material_find(set, "t/e")->scripted);
    assert_string_equal(material_find(set, "t/a")->file, "scripts/base.shader");
    assert_int_equal(material_find(set, "t/a")->line, 1);
    assert_int_equal(told(set, "t/a is defined in"), 2);
    materials_close(set);
    files_close(files);
}

static void a_reload_changes_materials_in_place(void **state) {
    TempFolder *temp = *state;
    put_image(temp, "t/one.tga");
    put_image(temp, "t/two.tga");
    temp_text(temp, "scripts/a.shader", "t/x\n{\n{\nmap t/one.tga\n}\n}\n");
    Files *files = files_open(NULL);
    assert_true(files_add(files, temp->path, NULL));
    MaterialSet *set = materials_open(files, NULL);
    const Material *material = material_find(set, "t/x");
    assert_string_equal(material->base_image, "t/one.tga");
    temp_text(temp, "scripts/a.shader", "t/x\n{\ncull none\n{\nmap t/two.tga\n}\n}\n");
    materials_reload(set);
    assert_string_equal(material->base_image, "t/two.tga");
    assert_int_equal(material->cull, CULL_NONE);
    assert_int_equal(materials_version(set), 1);
    temp_text(temp, "scripts/a.shader", "");
    materials_reload(set);
    assert_false(material->scripted);
    assert_string_equal(material->base_image, "t/x");
    materials_close(set);
    files_close(files);
}

static void only_broken_blocks_are_logged(void **state) {
    (void)state;
    KeptLog log;
    kept_log_init(&log);
    MaterialSet *set = materials_open(NULL, &log.log);
    const char text[] = "a\n{\nwarble\n}\nb\n{\n";
    materials_parse(set, "scripts/x.shader", text, sizeof text - 1);
    assert_int_equal(log.count, 1);
    assert_true(kept_log_has(&log, "scripts/x.shader:5: b: the block is not closed"));
    materials_close(set);
    kept_log_end(&log);
}

int main(void) {
#define TEMP(test) cmocka_unit_test_setup_teardown(test, temp_folder_setup, temp_folder_teardown)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_common_material_is_read_whole),
        cmocka_unit_test(braces_may_stand_anywhere),
        cmocka_unit_test(comments_and_blank_lines_may_stand_anywhere),
        cmocka_unit_test(vectors_are_read_with_any_parentheses),
        cmocka_unit_test(noise_is_a_colour_s_wave_alone),
        cmocka_unit_test(an_unknown_word_costs_its_line),
        cmocka_unit_test(an_open_quote_ends_with_its_line),
        cmocka_unit_test(what_is_beyond_the_engine_s_limits_is_left_out),
        cmocka_unit_test(a_missing_brace_costs_one_block),
        cmocka_unit_test(sister_games_alpha_is_taken),
        cmocka_unit_test(sky_and_sort_have_the_engine_s_defaults),
        TEMP(the_base_image_is_what_the_surface_looks_like),
        TEMP(a_material_without_light_shines),
        TEMP(the_engine_s_order_of_files_decides),
        TEMP(a_reload_changes_materials_in_place),
        cmocka_unit_test(only_broken_blocks_are_logged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
