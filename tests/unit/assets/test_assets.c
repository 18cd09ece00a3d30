/* test_assets.c -- pictures by number: they come later, say once that they are missing, and follow their files. */
#include "support/test.h"

#include <stdio.h>
#include <time.h>

#include "support/assets_bench.h"
#include "support/make_image.h"

static int bench_open(void **state) {
    *state = assets_bench_open(4, true);
    return 0;
}

static void a_texture_comes_when_it_is_decoded(void **state) {
    AssetsBench *b = *state;
    assets_bench_put(b, "t/a.tga", 8, 1);
    int a = assets_texture(b->assets, "t/a");
    assert_true(a >= TEXTURE_FIRST);
    assert_int_equal(assets_texture(b->assets, "T\\A"), a);
    assert_string_equal(assets_texture_at(b->assets, a)->name, "t/a");
    unsigned before = assets_texture_at(b->assets, a)->version;
    assets_wait(b->assets);
    const Texture *texture = assets_texture_at(b->assets, a);
    assert_int_equal(texture->state, TEXTURE_READY);
    assert_int_equal(texture->image.width, 8);
    assert_true(texture->version > before);
    assert_false(assets_poll(b->assets));
}

static void what_is_missing_is_a_grid_and_told_once(void **state) {
    AssetsBench *b = *state;
    temp_text(b->temp, "t/bad.tga", "no picture in here, only words");
    int none = assets_texture(b->assets, "t/none"), bad = assets_texture(b->assets, "t/bad");
    assert_int_equal(assets_texture_at(b->assets, none)->image.width, 16);    /* while it loads, too */
    assets_wait(b->assets);
    assert_int_equal(assets_texture_at(b->assets, none)->state, TEXTURE_ABSENT);
    assert_int_equal(assets_texture_at(b->assets, bad)->state, TEXTURE_ABSENT);
    assert_int_equal(assets_texture_at(b->assets, none)->image.width, 16);
    assets_texture(b->assets, "t/none");
    assets_file_changed(b->assets, temp_path(b->temp, "t/other.tga"));
    assets_wait(b->assets);
    assert_int_equal(kept_log_count(&b->log, "t/none"), 1);
    assert_int_equal(kept_log_count(&b->log, "t/bad.tga"), 1);
    assert_int_equal(assets_texture(b->assets, "../x"), TEXTURE_MISSING);
    assert_int_equal(assets_texture(b->assets, "$whiteimage"), TEXTURE_WHITE);
    assert_int_equal(assets_texture(b->assets, "*white"), TEXTURE_WHITE);
    assert_ptr_equal(assets_texture_at(b->assets, 99999), assets_texture_at(b->assets, TEXTURE_MISSING));
    assert_ptr_equal(assets_texture_at(b->assets, -1), assets_texture_at(b->assets, TEXTURE_MISSING));
}

static void many_textures_are_decoded_side_by_side(void **state) {
    AssetsBench *b = *state;
    int numbers[40];
    for (int i = 0; i < 40; i++) {
        char name[32];
        snprintf(name, sizeof name, "t/%d.tga", i);
        assets_bench_put(b, name, 16 + i, (unsigned)i);
        numbers[i] = assets_texture(b->assets, name);
    }
    assets_wait(b->assets);
    for (int i = 0; i < 40; i++) {
        Image wanted = make_noise(16 + i, 16 + i, (unsigned)i);
        const Texture *texture = assets_texture_at(b->assets, numbers[i]);
        assert_int_equal(texture->image.width, 16 + i);
        assert_memory_equal(texture->image.rgba, wanted.rgba, (size_t)(16 + i) * (size_t)(16 + i) * 4);
        image_free(&wanted);
    }
}

static void a_picture_made_here_has_a_number_too(void **state) {
    AssetsBench *b = *state;
    int font = assets_texture_from(b->assets, "*font", make_noise(4, 4, 1));
    assert_int_equal(assets_texture_at(b->assets, font)->state, TEXTURE_READY);
    unsigned version = assets_texture_at(b->assets, font)->version;
    assert_int_equal(assets_texture_from(b->assets, "*font", make_noise(5, 4, 1)), font);
    assert_int_equal(assets_texture_at(b->assets, font)->image.width, 5);
    assert_true(assets_texture_at(b->assets, font)->version > version);
    assert_int_equal(assets_texture(b->assets, "*font"), font);
}

/* Gives the watch's changes to the assets, as the engine does each frame, until one came or a second is over. */
static bool follow(AssetsBench *b) {
    for (int i = 0; i < 200; i++) {
        const char *const *paths;
        int count = watch_changes(b->watch, &paths);
        for (int j = 0; j < count; j++)
            assets_file_changed(b->assets, paths[j]);
        assets_wait(b->assets);
        if (count)
            return true;
        nanosleep(&(struct timespec){ 0, 5000000 }, NULL);
    }
    return false;
}

static void a_changed_file_changes_its_texture(void **state) {
    AssetsBench *b = *state;
    assets_bench_put(b, "t/a.tga", 8, 1);
    assets_bench_put(b, "t/b.tga", 8, 1);
    int a = assets_texture(b->assets, "t/a"), other = assets_texture(b->assets, "t/b");
    assets_wait(b->assets);
    unsigned version = assets_texture_at(b->assets, a)->version, still = assets_texture_at(b->assets, other)->version;
    assets_bench_put(b, "t/a.tga", 4, 2);
    assert_true(follow(b));
    assert_int_equal(assets_texture_at(b->assets, a)->image.width, 4);
    assert_int_equal(assets_texture_at(b->assets, a)->version, version + 1);
    assert_int_equal(assets_texture_at(b->assets, other)->version, still);
    temp_text(b->temp, "t/a.tga", "half a save, say");
    assert_true(follow(b));
    assert_int_equal(assets_texture_at(b->assets, a)->state, TEXTURE_READY);    /* the last good one stays */
    assert_int_equal(assets_texture_at(b->assets, a)->image.width, 4);
}

static void a_changed_script_changes_its_materials(void **state) {
    AssetsBench *b = *state;
    assets_bench_put(b, "t/a.tga", 8, 1);
    temp_text(b->temp, "scripts/x.shader", "t/m\n{\n{\nmap t/a.tga\n}\n}\n");
    assets_file_changed(b->assets, temp_path(b->temp, "scripts/x.shader"));    /* new: nobody watched it yet */
    const Material *material = material_find(assets_materials(b->assets), "t/m");
    assert_string_equal(material->base_image, "t/a.tga");
    temp_text(b->temp, "scripts/x.shader", "t/m\n{\ncull none\n}\n");
    assert_true(follow(b));
    assert_int_equal(material->cull, CULL_NONE);
}

int main(void) {
#define BENCH(test) cmocka_unit_test_setup_teardown(test, bench_open, assets_bench_teardown)
    const struct CMUnitTest tests[] = {
        BENCH(a_texture_comes_when_it_is_decoded),
        BENCH(what_is_missing_is_a_grid_and_told_once),
        BENCH(many_textures_are_decoded_side_by_side),
        BENCH(a_picture_made_here_has_a_number_too),
        BENCH(a_changed_file_changes_its_texture),
        BENCH(a_changed_script_changes_its_materials),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
