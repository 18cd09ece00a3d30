/* The software renderer on small levels: nothing leaks through, the same bits whoever works, any size, any eye. */
#include "support/test.h"

#include <math.h>
#include <stdio.h>

#include "support/drawn.h"
#include "support/level_map.h"
#include "support/make_image.h"
#include "support/soft_place.h"

static Image drawn(SoftPlace *place) { return renderer_drawn(&soft_renderer, place->soft, &place->frame); }

static int count_of(const Image *image, Rgba color) {
    int count = 0;
    for (int i = 0; i < image->width * image->height; i++)
        count += !memcmp(image->rgba + (size_t)i * 4, &color, 3);
    return count;
}

static const Vec3 in_room = { .x = 100, .y = 128, .z = 60 };


static void in_a_closed_room_no_background_shows(void **state) {
    (void)state;
    SoftPlace *place = soft_place_make("room", 2);
    const Vec3 angles[] = { vec3_at(0, 0, 0), vec3_at(0, 45, 0), vec3_at(89, 10, 0), vec3_at(-89, 200, 30), vec3_at(20, 133, 77) };
    for (int i = 0; i < COUNT_OF(angles); i++) {
        soft_place_look(place, in_room, angles[i], 321, 203);
        Image image = drawn(place);
        assert_int_equal(count_of(&image, soft_place_background), 0);
        image_free(&image);
    }
    soft_place_free(place);
}

static void the_same_bits_with_any_number_of_threads(void **state) {
    (void)state;
    uint64_t hashes[3][SHADE_COUNT];
    for (int i = 0; i < 3; i++) {
        SoftPlace *place = soft_place_make("everything", 1 + i);
        for (int shade = 0; shade < SHADE_COUNT; shade++) {
            soft_place_look(place, in_room, vec3_at(5, 20, 0), 320, 200);
            place->frame.shade = (Shade)shade;
            Image image = drawn(place);
            hashes[i][shade] = bytes_hash(image.rgba, (size_t)image.width * (size_t)image.height * 4);
            image_free(&image);
        }
        soft_place_free(place);
    }
    assert_memory_equal(hashes[0], hashes[1], sizeof hashes[0]);
    assert_memory_equal(hashes[0], hashes[2], sizeof hashes[0]);
    for (int shade = 1; shade < SHADE_SPANS; shade++)
        assert_int_not_equal(hashes[0][shade], hashes[0][SHADE_LIT]);
}

/* Traps F4: tables that were made for old screen sizes. */
static void any_size_has_as_many_pixels_as_asked_for(void **state) {
    (void)state;
    SoftPlace *place = soft_place_make("everything", 2);
    const int sizes[][2] = { { 1, 1 }, { 3, 5 }, { 1, 300 }, { 8192, 1 }, { 1, 8192 }, { 641, 479 }, { 17, 33 } };
    for (int i = 0; i < COUNT_OF(sizes); i++) {
        soft_place_look(place, in_room, vec3_at(0, 30, 0), sizes[i][0], sizes[i][1]);
        Image image = drawn(place);
        assert_int_equal(image.width, sizes[i][0]);
        assert_int_equal(image.height, sizes[i][1]);
        image_free(&image);
    }
    place->frame.view.width = 0;
    Error error;
    assert_false(soft_renderer.draw(place->soft, &place->frame, &error));
    soft_place_free(place);
}

/* Traps F3: what touches the near plane projects far off; nothing may be written beside the picture. */
static void no_eye_is_too_strange(void **state) {
    (void)state;
    SoftPlace *place = soft_place_make("everything", 2);
    const Vec3 eyes[] = {
        vec3_at(264, 50, 60), vec3_at(128, 128, 0), vec3_at(256, 128, 60), vec3_at(0, 0, 0), vec3_at(1e6f, -1e6f, 3e5f), vec3_at(-5000, 128, 60),
        vec3_at(252.1f, 128, 60), vec3_at(255.999f, 127.999f, 0.001f),
    };
    for (int i = 0; i < COUNT_OF(eyes); i++) {
        for (int k = 0; k < 4; k++) {
            soft_place_look(place, eyes[i], vec3_at((float)k * 31, (float)k * 77, (float)k * 13), 200, 150);
            for (int shade = 0; shade < SHADE_COUNT; shade++) {
                place->frame.shade = (Shade)shade;
                Image image = drawn(place);
                image_free(&image);
            }
        }
    }
    soft_place_free(place);
}

/* Traps F2 and F8: nothing of a closed level is left out of a large picture, and where curves and meshes stand beside
 * brushes nothing is seen between them, whatever the size. */
static void no_size_has_holes(void **state) {
    (void)state;
    const char *const names[] = { "patch", "everything" };
    const int sizes[][2] = { { 2560, 1440 }, { 801, 601 }, { 320, 200 }, { 317, 211 }, { 131, 97 }, { 61, 47 } };
    for (int i = 0; i < COUNT_OF(names); i++) {
        SoftPlace *place = soft_place_make(names[i], 2);
        for (int k = 0; k < 3 * COUNT_OF(sizes); k++) {
            const int *size = sizes[k / 3];
            soft_place_look(place, in_room, vec3_at((float)(k * 7 % 40 - 20), (float)(k * 67), (float)(k % 3 * 9)), size[0], size[1]);
            place->frame.shade = SHADE_DEPTH;    /* grey: a texel could be of the background's colour */
            Image image = drawn(place);
            assert_int_equal(count_of(&image, soft_place_background), 0);
            image_free(&image);
        }
        soft_place_free(place);
    }
}

static void set(SoftPlace *place, const char *name, const char *value) {
    Error error = { 0 };
    if (!var_set(place->vars, name, value, &error))
        fail_msg("%s", error.text);
}

static double stat(SoftPlace *place, const char *name) { return renderer_stat(&soft_renderer, place->soft, name); }

static int differing(const Image *a, const Image *b) {
    int count = 0;
    for (int i = 0; i < a->width * a->height; i++)
        count += memcmp(a->rgba + (size_t)i * 4, b->rgba + (size_t)i * 4, 4) != 0;
    return count;
}

/* Both orders must agree wherever one surface alone is nearest: all but a few pixels at edges. */
static void assert_spans_equal_depths(SoftPlace *place, int allowed) {
    set(place, "soft.world", "spans");
    Image spans = drawn(place);
    set(place, "soft.world", "zbuffer");
    Image depths = drawn(place);
    int count = differing(&spans, &depths);
    if (count > allowed)
        fail_msg("%d pixels differ", count);
    image_free(&spans);
    image_free(&depths);
}

/* A sky is seen through its faces from as near as one can be to them. */
static void a_sky_is_there_however_near_its_faces_are(void **state) {
    (void)state;
    SoftPlace *place = soft_place_make("bend", 2);
    const float heights[] = { 100, 126, 127.5f, 127.9f };
    const char *const worlds[] = { "spans", "zbuffer" };
    for (int i = 0; i < COUNT_OF(heights) * 2; i++) {
        set(place, "soft.world", worlds[i % 2]);
        for (int k = 0; k < 6; k++) {
            soft_place_look(place, vec3_at(400, 400, heights[i / 2]), vec3_at((float)(k * 25 - 60), (float)(k * 77), 0), 120, 90);
            place->frame.shade = SHADE_TEXTURE;
            Image image = drawn(place);
            assert_int_equal(count_of(&image, soft_place_background), 0);
            image_free(&image);
        }
    }
    soft_place_free(place);
}

/* No pool has an end, and no count is too small: 67 million pixels, each once. */
static void the_largest_picture_is_drawn(void **state) {
    (void)state;
    SoftPlace *place = soft_place_make("room", 2);
    Error error;
    soft_place_look(place, in_room, vec3_at(20, 30, 5), 8192, 8192);
    place->frame.shade = SHADE_FACE;
    if (!soft_renderer.draw(place->soft, &place->frame, &error))
        fail_msg("%s", error.text);
    assert_true(stat(place, "pixels") == 8192.0 * 8192);
    assert_true(stat(place, "overdraw") == 1);
    soft_place_free(place);
}

static void spans_show_what_the_depth_test_shows(void **state) {
    (void)state;
    const char *const names[] = { "room", "bend", "unlit", "patch", "door", "everything" };
    for (int i = 0; i < COUNT_OF(names); i++) {
        SoftPlace *place = soft_place_make(names[i], 2);
        for (int k = 0; k < 24; k++) {
            Vec3 eye = vec3_at(20 + (float)(k * 37 % 220), 30 + (float)(k * 53 % 200), 10 + (float)(k * 29 % 110));
            soft_place_look(place, eye, vec3_at((float)(k * 17 % 140 - 70), (float)(k * 67), (float)(k % 3 * 20)), 160, 120);
            assert_spans_equal_depths(place, 4);
        }
        soft_place_free(place);
    }
}

/* Traps F1: brush models of any shape, at any pose, through walls and through one another. */
static void moved_models_are_hidden_and_hide(void **state) {
    (void)state;
    SoftPlace *place = soft_place_make("everything", 2);
    assert_true(place->level.map->model_count > 1);
    for (int k = 0; k < 24; k++) {
        soft_place_look(place, vec3_at(40, 128, 70), vec3_at(5, (float)(k * 3 - 30), 0), 200, 150);
        array_clear(&place->frame.models);
        for (int m = 0; m < 4; m++) {
            FrameModel model = { .model = 1, .origin = vec3_at((float)(k * 11 % 90 - 120 + m * 13), (float)(m * 9 - k), (float)(k % 7 * 4)),
                                 .angles = vec3_at((float)(k * 7 * m), (float)(k * 13 + m * 31), (float)(m * 5)) };
            model.axes = axes_from_angles(model.angles);
            *array_push(&place->frame.models) = model;
        }
        assert_spans_equal_depths(place, 60);    /* doors here go through one another: lines where they meet */
    }
    soft_place_free(place);
}

static void every_code_gives_the_same_bits(void **state) {
    (void)state;
    const char *const codes[] = { "plain", "sse2", "avx2" }, *const filters[] = { "nearest", "bilinear" }, *const divides[] = { "8", "16" };
    const char *const worlds[] = { "spans", "zbuffer" }, *const lights[] = { "cache", "pixel" };
    for (int setting = 0; setting < 16; setting++) {
        uint64_t hashes[COUNT_OF(codes)][6];
        for (int c = 0; c < COUNT_OF(codes); c++) {
            SoftPlace *place = soft_place_make("everything", 2);
            set(place, "soft.code", codes[c]);
            set(place, "soft.filter", filters[setting & 1]);
            set(place, "soft.divide", divides[setting >> 1 & 1]);
            set(place, "soft.world", worlds[setting >> 2 & 1]);
            set(place, "soft.lighting", lights[setting >> 3]);
            for (int k = 0; k < 6; k++) {
                soft_place_look(place, vec3_at(20 + (float)(k * 37 % 220), 30 + (float)(k * 53 % 200), 10 + (float)(k * 29 % 110)),
                     vec3_at((float)(k * 17 % 140 - 70), (float)(k * 67), (float)(k % 3 * 20)), 211, 97);
                Image image = drawn(place);
                hashes[c][k] = bytes_hash(image.rgba, (size_t)image.width * (size_t)image.height * 4);
                image_free(&image);
            }
            soft_place_free(place);
        }
        assert_memory_equal(hashes[0], hashes[1], sizeof hashes[0]);
        assert_memory_equal(hashes[0], hashes[2], sizeof hashes[0]);
    }
}

static void spans_cover_each_pixel_once_and_can_be_watched(void **state) {
    (void)state;
    SoftPlace *place = soft_place_make("bend", 2);
    Arena *arena = arena_open();
    Error error;
    SoftScanline line;
    assert_false(soft_scanline(place->soft, 0, arena, &line, &error));
    soft_place_look(place, in_room, vec3_at(10, 20, 5), 200, 150);
    Image image = drawn(place);
    assert_true(stat(place, "overdraw") == 1);
    assert_true(stat(place, "pixels") == 200 * 150);
    double spans = stat(place, "spans");
    assert_true(spans >= 150);

    int total = 0;
    for (int y = 0; y < 150; y++) {
        assert_true(soft_scanline(place->soft, y, arena, &line, &error));
        assert_true(line.edge_count >= 2);
        int x = 0;
        for (int i = 0; i < line.span_count; i++) {
            assert_int_equal(line.spans[i].x0, x);
            assert_true(line.spans[i].depth0 > 0 && line.spans[i].depth1 > 0);
            x = line.spans[i].x1;
        }
        assert_int_equal(x, 200);
        total += line.span_count;
    }
    assert_true(total == (int)spans);
    assert_false(soft_scanline(place->soft, 150, arena, &line, &error));
    assert_false(soft_scanline(place->soft, -1, arena, &line, &error));

    soft_stop_after(place->soft, 0);
    Image none = drawn(place);
    assert_int_equal(count_of(&none, soft_place_background), 200 * 150);
    soft_stop_after(place->soft, (int64_t)spans / 2);
    Image half = drawn(place);
    assert_true(stat(place, "spans") == (double)((int64_t)spans / 2));
    assert_in_range(count_of(&half, soft_place_background), 1, 200 * 150 - 1);
    soft_stop_after(place->soft, (int64_t)spans);
    Image all = drawn(place);
    assert_int_equal(differing(&all, &image), 0);
    image_free(&image);
    image_free(&none);
    image_free(&half);
    image_free(&all);
    arena_close(arena);
    soft_place_free(place);
}

/* Kept texels are those that would be made again, however few may be kept. */
static void the_cache_changes_the_time_and_not_the_picture(void **state) {
    (void)state;
    uint64_t first = 0;
    for (int k = 0; k < 3; k++) {
        SoftPlace *place = soft_place_make("bend", 1 + k);
        set(place, "soft.cache_mb", k == 1 ? "0" : "64");
        soft_place_look(place, in_room, vec3_at(20, 20, 5), 200, 150);
        for (int round = 0; round < 3; round++) {
            Image image = drawn(place);
            uint64_t hash = bytes_hash(image.rgba, 200 * 150 * 4);
            first = first ? first : hash;
            assert_true(hash == first);
            image_free(&image);
            bool kept = k != 1 && round > 0;
            assert_true((stat(place, "cache_hits") > 0) == kept);
            assert_true((stat(place, "cache_misses") > 0) == !kept);
            assert_true((stat(place, "cache_bytes") > 0) == (k != 1));
        }
        soft_place_free(place);
    }
}

/* What was not used for longest is given up: of a budget that holds what one eye needs, what it needs is kept while it looks,
 * and made again when it comes back from elsewhere. */
static void the_cache_gives_up_what_was_used_longest_ago(void **state) {
    (void)state;
    SoftPlace *place = soft_place_make("bend", 1);
    const Vec3 eyes[2] = { vec3_at(100, 128, 60), vec3_at(400, 400, 60) };
    double needs[2];
    set(place, "soft.lighting", "cache");
    for (int i = 0; i < 2; i++) {
        soft_place_free(place);
        place = soft_place_make("bend", 1);
        set(place, "soft.lighting", "cache");
        soft_place_look(place, eyes[i], vec3_at(30, 45, 0), 320, 200);
        Image image = drawn(place);
        image_free(&image);
        needs[i] = stat(place, "cache_bytes");
        assert_true(needs[i] > 0);
    }
    char budget[32];
    snprintf(budget, sizeof budget, "%.6f", (MAX(needs[0], needs[1]) + 64) / 1024 / 1024);
    set(place, "soft.cache_mb", budget);
    for (int i = 0; i < 8; i++) {    /* the same eye twice, then the other one */
        soft_place_look(place, eyes[i / 2 % 2], vec3_at(30, 45, 0), 320, 200);
        Image image = drawn(place);
        image_free(&image);
        assert_true(stat(place, "cache_bytes") <= MAX(needs[0], needs[1]) + 64);
        assert_true(i % 2 == 0 || (stat(place, "cache_misses") == 0 && stat(place, "cache_hits") > 0));
        assert_true(i % 2 == 1 || i == 0 || stat(place, "cache_misses") > 0);
    }
    soft_place_free(place);
}

/* Traps F9: textures that are laid far from their origin; in single precision they would crawl, and light with them. */
static void textures_may_lie_far_from_their_origin(void **state) {
    (void)state;
    const char *const lights[] = { "cache", "pixel" };
    for (int l = 0; l < COUNT_OF(lights); l++) {
        Image near = { 0 };
        const float offsets[] = { 0, 4096, -4096, 1e7f, -3e9f, 1e30f };
        for (int i = 0; i < COUNT_OF(offsets); i++) {
            SoftPlace *place = soft_place_make("bend", 2);
            set(place, "soft.lighting", lights[l]);
            for (int v = 0; v < place->level.geometry->vertex_count; v++) {
                BspVertex *vertex = (BspVertex *)&place->level.geometry->vertices[v];
                vertex->uv = (Vec2){ vertex->uv.x + offsets[i], vertex->uv.y - offsets[i] };
            }
            soft_place_look(place, in_room, vec3_at(20, 20, 5), 160, 120);
            Image image = drawn(place);
            if (i == 0)
                near = image_copy(&image);
            else if (fabsf(offsets[i]) < 1e6f)
                assert_true(image_diff(&near, &image, NULL).ssim > 0.97);
            place->frame.shade = SHADE_LIGHTMAP;    /* which has nothing to do with it */
            Image lit = drawn(place);
            assert_int_equal(count_of(&lit, soft_place_background), 0);
            image_free(&lit);
            image_free(&image);
            soft_place_free(place);
        }
        image_free(&near);
    }
}

/* A picture that comes, or changes, is seen in the next frame. */
static void textures_that_change_are_seen(void **state) {
    (void)state;
    SoftPlace *place = soft_place_make("room", 2);
    soft_place_look(place, in_room, vec3_at(60, 20, 0), 100, 100);
    Image before = drawn(place);
    for (int i = 0; i < place->level.map->texture_count; i++)
        assets_texture_from(place->assets, place->level.map->textures[i].name, make_noise(64, 32, 77));
    Image after = drawn(place);
    assert_true(differing(&before, &after) > 100 * 100 / 2);
    image_free(&before);
    image_free(&after);
    soft_place_free(place);
}

/* What was made of a level goes with it, also where the next one stands in the same memory. */
static void levels_follow_one_another(void **state) {
    (void)state;
    SoftPlace *place = soft_place_make("everything", 2);
    Error error;
    const char *const names[] = { "room", "everything", "bend", "unlit", "patch", "door" };
    for (int k = 0; k < 12; k++) {
        Arena *arena = arena_open();
        Level level = place->level;
        level.map = level_map(arena, names[k % COUNT_OF(names)]);
        level.geometry = bsp_geometry(level.map, 4, arena);
        level.serial = (unsigned)k + 2;
        Scene scene;
        scene_open(&scene);
        scene_use_level(&scene, &level);
        scene.origin = in_room;
        scene.fov = 90;
        assert_true(soft_renderer.use_level(place->soft, &level, place->assets, &error));
        frame_begin(&place->frame);
        scene_fill(&scene, &place->frame, 120, 90);
        place->frame.overbright = k % 2;
        Image image = drawn(place);
        image_free(&image);
        scene_close(&scene);
        assert_true(soft_renderer.use_level(place->soft, NULL, place->assets, &error));
        arena_close(arena);
    }
    soft_place_free(place);
}

static void light_counts_twice_with_overbright(void **state) {
    (void)state;
    SoftPlace *place = soft_place_make("room", 1);
    soft_place_look(place, in_room, vec3_at(90, 0, 0), 8, 8);
    place->frame.shade = SHADE_LIGHTMAP;
    place->frame.overbright = 1;
    Image bright = drawn(place);
    place->frame.overbright = 0;
    Image plain = drawn(place);
    uint8_t rgb[3];
    memcpy(rgb, place->level.map->lightmaps, 3);    /* the page is one colour here, or near it */
    for (int i = 0; i < 3; i++) {
        assert_true(bright.rgba[i] >= plain.rgba[i]);
        assert_in_range(plain.rgba[i], 1, 255);
    }
    image_free(&bright);
    image_free(&plain);
    soft_place_free(place);
}

static void what_scripts_draw_is_seen_where_it_should_be(void **state) {
    (void)state;
    SoftPlace *place = soft_place_make("room", 2);
    const Rgba red = { 255, 0, 0, 255 }, green = { 0, 255, 0, 255 }, glass = { 0, 0, 255, 128 };
    soft_place_look(place, in_room, vec3_at(0, 0, 0), 200, 200);    /* looks along x; the wall is at 256 */
    Box box = { vec3_at(140, 108, 40), vec3_at(180, 148, 80) };
    frame_box(&place->frame, (FrameBox){ box, red, 1, 0, true });
    Image image = drawn(place);
    int seen = count_of(&image, red);
    assert_in_range(seen, 9900, 10100);    /* its near side is 40 units away: half the picture's width */
    image_free(&image);

    Box hidden = { vec3_at(300, 108, 40), vec3_at(340, 148, 80) };
    frame_box(&place->frame, (FrameBox){ hidden, green, 1, 0, true });
    image = drawn(place);
    assert_int_equal(count_of(&image, green), 0);
    image_free(&image);
    frame_box(&place->frame, (FrameBox){ hidden, green, 1, DRAW_XRAY, true });
    image = drawn(place);
    assert_in_range(count_of(&image, green), 350, 450);    /* at 200 units: 20 pixels wide */
    image_free(&image);

    frame_ui_quad(&place->frame, 10, 10, 20, 10, NULL, TEXTURE_WHITE, green, NULL);
    frame_ui_quad(&place->frame, 100, 10, 20, 10, NULL, TEXTURE_WHITE, green, (int[4]){ 0, 0, 110, 200 });
    frame_line(&place->frame, (FrameLine){ vec3_at(150, 0, 20), vec3_at(150, 256, 20), green, green, 3, 0 });
    frame_line(&place->frame, (FrameLine){ vec3_at(0, 0, 200), vec3_at(150, 256, 200), red, glass, 1, DRAW_XRAY });
    frame_face(&place->frame, (FrameFace){ 0, glass, DRAW_ADD, true, 1 });
    frame_face(&place->frame, (FrameFace){ 1, glass, 0, false, 2 });
    image = drawn(place);
    assert_memory_equal(image.rgba + (15 * 200 + 15) * 4, &green, 4);
    assert_memory_equal(image.rgba + (15 * 200 + 109) * 4, &green, 4);
    assert_memory_not_equal(image.rgba + (15 * 200 + 110) * 4, &green, 4);
    image_free(&image);
    soft_place_free(place);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_a_closed_room_no_background_shows),
        cmocka_unit_test(the_same_bits_with_any_number_of_threads),
        cmocka_unit_test(any_size_has_as_many_pixels_as_asked_for),
        cmocka_unit_test(no_eye_is_too_strange),
        cmocka_unit_test(no_size_has_holes),
        cmocka_unit_test(a_sky_is_there_however_near_its_faces_are),
        cmocka_unit_test(the_largest_picture_is_drawn),
        cmocka_unit_test(spans_show_what_the_depth_test_shows),
        cmocka_unit_test(moved_models_are_hidden_and_hide),
        cmocka_unit_test(every_code_gives_the_same_bits),
        cmocka_unit_test(spans_cover_each_pixel_once_and_can_be_watched),
        cmocka_unit_test(the_cache_changes_the_time_and_not_the_picture),
        cmocka_unit_test(the_cache_gives_up_what_was_used_longest_ago),
        cmocka_unit_test(textures_may_lie_far_from_their_origin),
        cmocka_unit_test(textures_that_change_are_seen),
        cmocka_unit_test(levels_follow_one_another),
        cmocka_unit_test(light_counts_twice_with_overbright),
        cmocka_unit_test(what_scripts_draw_is_seen_where_it_should_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
