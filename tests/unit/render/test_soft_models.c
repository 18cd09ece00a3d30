/* The software renderer's drawers of model triangles: each pixel once, no holes, the same bits whoever works, and nothing
 * outside of the picture whatever the numbers are. */
#include "support/test.h"

#include <math.h>
#include <stdio.h>

#include "render/soft/soft.h"
#include "support/drawn.h"
#include "support/make_image.h"

typedef struct Place {
    Files *files;
    Assets *assets;
    Frame frame;
    Vars *vars;
    Jobs *jobs;
    void *soft;
    int noise;
} Place;

static Place *place_make(int threads) {
    Place *place = mem_zeroed(1, sizeof *place);
    place->files = files_open(NULL);
    place->jobs = jobs_open(threads);
    place->assets = assets_open(place->files, NULL, NULL, NULL);
    place->noise = assets_texture_from(place->assets, "noise", make_noise(64, 32, 1));
    frame_open(&place->frame);
    place->vars = vars_open();
    Error error;
    place->soft = soft_renderer.open(&(RendererSetup){ .vars = place->vars, .jobs = place->jobs }, &error);
    assert_non_null(place->soft);
    assert_true(soft_renderer.use_level(place->soft, NULL, place->assets, &error));
    return place;
}

static void place_free(Place *place) {
    soft_renderer.close(place->soft);
    frame_close(&place->frame);
    assets_close(place->assets);
    files_close(place->files);
    jobs_close(place->jobs);
    vars_close(place->vars);
    mem_free(place);
}

static void set(Place *place, const char *name, const char *value) {
    Error error;
    if (!var_set(place->vars, name, value, &error))
        fail_msg("%s", error.text);
}

static void begin(Place *place, int width, int height, Shade shade) {
    frame_begin(&place->frame);
    place->frame.assets = place->assets;
    place->frame.view = view_make(vec3_at(0, 0, 0), vec3_at(0, 0, 0), 90, width, height);
    place->frame.shade = shade;
    place->frame.gamma = 1;
    place->frame.overbright = 0;
    place->frame.clear = (Rgba){ 0, 0, 0, 255 };
}

static Image drawn(Place *place) { return renderer_drawn(&soft_renderer, place->soft, &place->frame); }

static double stat_of(Place *place, const char *name) { return renderer_stat(&soft_renderer, place->soft, name); }

/* A place in the level that is seen at a pixel, at a distance. */
static Vec3 behind(const View *view, float x, float y, float distance) {
    float half = (float)view->width / 2;    /* 90 degrees */
    return vec3_at(distance, ((float)view->width / 2 - x) / half * distance, ((float)view->height / 2 - y) / half * distance);
}

typedef struct Sheet { ModelSurface surface; Vec3 *positions; Rgba *colors; } Sheet;

static Sheet sheet_make(Place *place, int vertices, int triangles) {
    Arena *arena = place->frame.arena;
    Sheet sheet = { .positions = arena_array(arena, Vec3, vertices), .colors = arena_array(arena, Rgba, vertices) };
    sheet.surface.vertex_count = vertices;
    sheet.surface.triangle_count = triangles;
    sheet.surface.uv = arena_array(arena, Vec2, vertices);
    sheet.surface.indexes = arena_array(arena, uint16_t, triangles * 3);
    for (int i = 0; i < vertices; i++)
        sheet.colors[i] = (Rgba){ 255, 255, 255, 255 };
    return sheet;
}

static void add(Place *place, const Sheet *sheet, bool inside) {
    ModelSurface *surface = arena_new(place->frame.arena, ModelSurface);
    *surface = sheet->surface;
    model_stack_make(surface, place->frame.arena);
    FrameMesh mesh = { .surface = surface, .positions = sheet->positions, .colors = sheet->colors, .texture = place->noise,
                       .inside = inside, .bounds = box_nothing(), .instance = place->frame.model_instances++ };
    for (int i = 0; i < surface->vertex_count; i++)
        mesh.bounds = box_around(mesh.bounds, sheet->positions[i]);
    *array_push(&place->frame.meshes) = mesh;
}

static unsigned next_random(unsigned *state) { return *state = *state * 1664525u + 1013904223u; }

static float random_part(unsigned *state) { return (float)(next_random(state) >> 8) / 16777216.0f; }    /* 0 .. 1 */

/* A sheet of so many cells, its inner corners moved about, that fills the pixels x0, y0 .. x1, y1. */
static void add_patchwork(Place *place, int cells, float x0, float y0, float x1, float y1, unsigned seed, bool inside) {
    Sheet sheet = sheet_make(place, (cells + 1) * (cells + 1), cells * cells * 2);
    for (int i = 0; i <= cells; i++)
        for (int k = 0; k <= cells; k++) {
            float u = (float)k / (float)cells, v = (float)i / (float)cells, move = 0.2f / (float)cells;
            float du = k > 0 && k < cells ? (random_part(&seed) * 2 - 1) * move : 0, dv = i > 0 && i < cells ? (random_part(&seed) * 2 - 1) * move : 0;
            int at = i * (cells + 1) + k;
            sheet.positions[at] = behind(&place->frame.view, x0 + (u + du) * (x1 - x0), y0 + (v + dv) * (y1 - y0), 100);
            sheet.surface.uv[at] = (Vec2){ u, v };
            sheet.colors[at] = (Rgba){ (uint8_t)(255 * u), (uint8_t)(255 * v), 128, 255 };
        }
    uint16_t *index = sheet.surface.indexes;
    for (int i = 0; i < cells; i++)
        for (int k = 0; k < cells; k++) {
            uint16_t a = (uint16_t)(i * (cells + 1) + k), b = (uint16_t)(a + 1), c = (uint16_t)(a + cells + 1), d = (uint16_t)(c + 1);
            const uint16_t quad[6] = { a, b, d, a, d, c };
            memcpy(index, quad, sizeof quad);
            index += 6;
        }
    add(place, &sheet, inside);
}

/* Least and most of how often each pixel of a part was drawn. */
static void count_draws(const Image *image, int x0, int y0, int x1, int y1, int *least, int *most) {
    *least = 1000;
    *most = 0;
    for (int y = y0; y < y1; y++)
        for (int x = x0; x < x1; x++) {
            int times = image->rgba[((size_t)y * (size_t)image->width + (size_t)x) * 4] / 32;    /* 32 of red each time */
            *least = MIN(*least, times);
            *most = MAX(*most, times);
        }
}

static int drawn_outside(const Image *image, int x0, int y0, int x1, int y1) {
    int count = 0;
    for (int y = 0; y < image->height; y++)
        for (int x = 0; x < image->width; x++)
            count += (x < x0 || x >= x1 || y < y0 || y >= y1) && image->rgba[((size_t)y * (size_t)image->width + (size_t)x) * 4] != 0;
    return count;
}

static void triangles_that_meet_draw_each_pixel_once(void **state) {
    (void)state;
    Place *place = place_make(1);
    static const char *const drawers[] = { "affine", "mask", "stack" };
    for (int drawer = 0; drawer < COUNT_OF(drawers); drawer++)
        for (unsigned seed = 1; seed <= 6; seed++) {
            set(place, "soft.models", drawers[drawer]);
            begin(place, 128, 128, SHADE_OVERDRAW);
            add_patchwork(place, 6 * (int)seed, 20, 24, 100, 104, seed, true);
            Image image = drawn(place);
            int least, most;
            count_draws(&image, 21, 25, 99, 103, &least, &most);    /* masks snap the border by half a pixel */
            assert_int_equal(least, 1);
            if (drawer != 1)    /* snapped to pixels, the smallest may turn over: then neighbours meet twice */
                assert_int_equal(most, 1);
            assert_int_equal(drawn_outside(&image, 19, 23, 101, 105), 0);
            image_free(&image);
        }
    place_free(place);
}

static void affine_covers_exactly_the_pixels_whose_middles_are_inside(void **state) {
    (void)state;
    Place *place = place_make(1);
    set(place, "soft.models", "affine");
    for (int shift = 0; shift < 8; shift++) {
        float x0 = 16 + (float)shift / 8;    /* a middle on a left or upper edge is in, on a right or lower one it is out */
        begin(place, 64, 64, SHADE_OVERDRAW);
        add_patchwork(place, 1, x0, x0, x0 + 20, x0 + 20, 1, true);
        Image image = drawn(place);
        int first = shift <= 4 ? 16 : 17, least, most;
        count_draws(&image, first, first, first + 20, first + 20, &least, &most);
        assert_int_equal(least, 1);
        assert_int_equal(most, 1);
        assert_int_equal(drawn_outside(&image, first, first, first + 20, first + 20), 0);
        image_free(&image);
    }
    place_free(place);
}

static void subdivision_leaves_no_hole(void **state) {
    (void)state;
    Place *place = place_make(1);
    set(place, "soft.models", "subdivision");
    for (unsigned seed = 1; seed <= 12; seed++) {
        begin(place, 128, 128, SHADE_OVERDRAW);
        add_patchwork(place, 3 * (int)seed, 20, 24, 100, 104, seed, true);
        Image image = drawn(place);
        int least, most;
        count_draws(&image, 20, 24, 100, 104, &least, &most);
        assert_true(least >= 1);
        assert_int_equal(drawn_outside(&image, 19, 23, 102, 106), 0);
        assert_true(stat_of(place, "models_subdivision") == 18.0 * seed * seed);
        image_free(&image);
    }
    place_free(place);
}

static void drawers_show_nearly_the_same(void **state) {
    (void)state;
    Place *place = place_make(1);
    static const char *const drawers[] = { "affine", "subdivision", "mask", "stack", "auto" };
    Image pictures[COUNT_OF(drawers)];
    for (int i = 0; i < COUNT_OF(drawers); i++) {
        set(place, "soft.models", drawers[i]);
        begin(place, 128, 128, SHADE_LIT);
        add_patchwork(place, 30, 20, 24, 100, 104, 3, true);
        pictures[i] = drawn(place);
    }
    assert_memory_equal(pictures[3].rgba, pictures[0].rgba, 128 * 128 * 4);    /* the stack draws the same triangles */
    for (int i = 1; i < COUNT_OF(drawers); i++) {
        ImageDiff diff = image_diff(&pictures[0], &pictures[i], NULL);
        assert_true(diff.psnr > 20);
    }
    for (int i = 0; i < COUNT_OF(drawers); i++)
        image_free(&pictures[i]);
    place_free(place);
}

/* Triangles anywhere, of any size, some beyond all bounds. */
static void add_soup(Place *place, unsigned seed, float reach) {
    Sheet sheet = sheet_make(place, 300, 200);
    for (int i = 0; i < 300; i++) {
        for (int axis = 0; axis < 3; axis++)
            sheet.positions[i].raw[axis] = (random_part(&seed) * 2 - 1) * reach;
        sheet.surface.uv[i] = (Vec2){ random_part(&seed) * 8 - 4, random_part(&seed) * 1e6f };
        sheet.colors[i] = (Rgba){ (uint8_t)next_random(&seed), (uint8_t)(next_random(&seed) >> 8), 200, 255 };
    }
    for (int i = 0; i < 600; i++)
        sheet.surface.indexes[i] = (uint16_t)(next_random(&seed) >> 8) % 300;
    add(place, &sheet, (seed & 1024) != 0);    /* also one that says it is inside, and is not */
}

/* Stages for every mesh of the frame: any factors, tests and coordinates, some of which are no numbers. */
static void add_stages(Place *place, unsigned seed) {
    static const float odd[] = { NAN, INFINITY, -1e30f, 1e9f };
    Arena *arena = place->frame.arena;
    for (size_t i = 0; i < place->frame.meshes.count; i++) {
        FrameMesh *mesh = &place->frame.meshes.at[i];
        int vertices = mesh->surface->vertex_count, count = (int)(next_random(&seed) >> 8) % 4;
        FrameStage *stages = arena_array(arena, FrameStage, count);
        for (int k = 0; k < count; k++) {
            Vec2 *uv = arena_array(arena, Vec2, vertices);
            Rgba *colors = arena_array(arena, Rgba, vertices);
            for (int v = 0; v < vertices; v++) {
                uv[v] = (Vec2){ random_part(&seed) * 3, next_random(&seed) >> 8 & 63 ? random_part(&seed) : odd[next_random(&seed) >> 8 & 3] };
                colors[v] = (Rgba){ (uint8_t)(v * 37), (uint8_t)(v * 11), 128, (uint8_t)(v * 91) };
            }
            unsigned bits = next_random(&seed) >> 8;
            stages[k] = (FrameStage){ .uv = uv, .colors = colors, .texture = bits & 1 ? place->noise : TEXTURE_WHITE, .alpha_test = bits & 2 ? 0.5f : 0,
                                      .blends = k > 0 || bits & 4, .source = (Blend)(bits >> 3 & 7), .destination = (Blend)(bits >> 6 & 7),
                                      .multiplies = bits >> 9 & 1, .depth_equal = bits >> 10 & 1, .depth_write = bits >> 11 & 1 };
        }
        mesh->stages = stages;
        mesh->stage_count = count;
        mesh->blended = count && stages[0].blends;
        mesh->sort = (float)(next_random(&seed) >> 8 & 3);
    }
}

static void stages_are_drawn_alike_by_any_number_of_threads(void **state) {
    (void)state;
    static const char *const drawers[] = { "affine", "subdivision", "mask", "stack", "auto" };
    for (int round = 0; round < 20; round++) {
        Image first = { 0 };
        for (int threads = 1; threads <= 3; threads += 2) {
            Place *place = place_make(threads);
            set(place, "soft.models", drawers[round % 5]);
            begin(place, round < 10 ? 120 : 33, round < 10 ? 90 : 7, SHADE_LIT);
            for (int i = 0; i < 4; i++)
                add_soup(place, (unsigned)(round * 4 + i), i < 3 ? 300 : 1e7f);
            add_patchwork(place, 20, 10, 5, 90, 60, 3, true);
            add_stages(place, (unsigned)round);
            Image image = drawn(place);
            if (first.rgba)
                assert_memory_equal(image.rgba, first.rgba, (size_t)image.width * (size_t)image.height * 4);
            else
                first = image_copy(&image);
            image_free(&image);
            place_free(place);
        }
        image_free(&first);
    }
}

static void pictures_are_the_same_for_any_number_of_threads(void **state) {
    (void)state;
    static const char *const drawers[] = { "affine", "subdivision", "mask", "stack" };
    for (int drawer = 0; drawer < COUNT_OF(drawers); drawer++) {
        Image first = { 0 };
        for (int threads = 1; threads <= 5; threads += 2) {
            Place *place = place_make(threads);
            set(place, "soft.models", drawers[drawer]);
            begin(place, 200, 150, SHADE_LIT);
            add_soup(place, 7, 300);
            add_patchwork(place, 40, 30, 30, 90, 90, 3, true);
            Image image = drawn(place);
            if (first.rgba)
                assert_memory_equal(image.rgba, first.rgba, 200 * 150 * 4);
            else
                first = image_copy(&image);
            image_free(&image);
            place_free(place);
        }
        image_free(&first);
    }
}

static void any_numbers_in_any_picture(void **state) {
    (void)state;
    static const int sizes[][2] = { { 1, 1 }, { 3, 5 }, { 64, 1 }, { 97, 41 } };
    static const float reaches[] = { 1, 50, 5000, 1e7f, 1e15f, 1e30f };
    static const char *const drawers[] = { "affine", "subdivision", "mask", "stack", "auto" };
    Place *place = place_make(2);
    int shade = 0;
    for (int size = 0; size < COUNT_OF(sizes); size++)
        for (int reach = 0; reach < COUNT_OF(reaches); reach++)
            for (int drawer = 0; drawer < COUNT_OF(drawers); drawer++) {
                set(place, "soft.models", drawers[drawer]);
                set(place, "soft.stack_drawer", drawers[reach % 3]);
                begin(place, sizes[size][0], sizes[size][1], (Shade)shade);
                add_soup(place, (unsigned)(reach * 100 + drawer), reaches[reach]);
                Image image = drawn(place);
                image_free(&image);
                shade = (shade + 1) % SHADE_COUNT;
            }
    place_free(place);
}

/* A floor that begins behind the eye: its near part is cut away, the rest reaches up to the horizon. */
static void what_reaches_behind_the_eye_is_cut(void **state) {
    (void)state;
    Place *place = place_make(1);
    set(place, "soft.models", "affine");
    begin(place, 100, 100, SHADE_OVERDRAW);
    Sheet sheet = sheet_make(place, 4, 2);
    for (int i = 0; i < 4; i++) {
        sheet.positions[i] = vec3_at(i & 1 ? 1e5f : -1e3f, i & 2 ? -2e5f : 2e5f, -10);
        sheet.surface.uv[i] = (Vec2){ 0, 0 };
    }
    const uint16_t quad[6] = { 0, 1, 3, 0, 3, 2 };
    memcpy(sheet.surface.indexes, quad, sizeof quad);
    add(place, &sheet, false);
    Image image = drawn(place);
    int least, most;
    count_draws(&image, 0, 51, 100, 100, &least, &most);
    assert_int_equal(least, 1);
    assert_int_equal(most, 1);
    assert_int_equal(drawn_outside(&image, 0, 50, 100, 100), 0);
    image_free(&image);
    place_free(place);
}

/* Near and slanting, even steps would be wrong: splitting brings the texture to where it belongs. */
static void near_triangles_are_split_until_their_texture_is_right(void **state) {
    (void)state;
    Place *place = place_make(1);
    set(place, "soft.models", "affine");
    static const char *const errors[] = { "0.05", "1", "0" };
    Image pictures[3];
    for (int i = 0; i < 3; i++) {
        set(place, "soft.model_error", errors[i]);
        begin(place, 200, 200, SHADE_TEXTURE);
        Sheet sheet = sheet_make(place, 4, 2);
        for (int k = 0; k < 4; k++) {
            sheet.positions[k] = vec3_at(k & 1 ? 400 : 12, k & 2 ? -8 : 8, -6);
            sheet.surface.uv[k] = (Vec2){ k & 1 ? 2 : 0, k & 2 ? 1 : 0 };
        }
        const uint16_t quad[6] = { 0, 1, 3, 0, 3, 2 };
        memcpy(sheet.surface.indexes, quad, sizeof quad);
        add(place, &sheet, false);
        pictures[i] = drawn(place);
    }
    double split = image_diff(&pictures[0], &pictures[1], NULL).psnr, whole = image_diff(&pictures[0], &pictures[2], NULL).psnr;
    assert_true(split > whole + 6);
    for (int i = 0; i < 3; i++)
        image_free(&pictures[i]);
    place_free(place);
}

static void sides_are_shown_as_the_look_says(void **state) {
    (void)state;
    Place *place = place_make(1);
    static const int shown[] = { [CULL_FRONT_SHOWN] = 1, [CULL_BACK_SHOWN] = 0, [CULL_NONE] = 1 };
    for (int cull = 0; cull < 3; cull++) {
        begin(place, 64, 64, SHADE_OVERDRAW);
        add_patchwork(place, 1, 16, 16, 48, 48, 1, true);
        place->frame.meshes.at[0].cull = (MaterialCull)cull;
        Image image = drawn(place);
        int least, most;
        count_draws(&image, 20, 20, 40, 40, &least, &most);
        assert_int_equal(least, shown[cull]);
        assert_int_equal(most, shown[cull]);
        image_free(&image);
    }
    place_free(place);
}

static void nearer_models_hide_farther_ones_in_any_order(void **state) {
    (void)state;
    Place *place = place_make(1);
    Image pictures[2];
    for (int order = 0; order < 2; order++) {
        begin(place, 64, 64, SHADE_LIT);
        for (int i = 0; i < 2; i++) {
            bool near = (i == 0) == (order == 0);
            Sheet sheet = sheet_make(place, 3, 1);
            const float at[3][2] = { { 10, 10 }, { 50, 12 }, { 30, 55 } };
            for (int k = 0; k < 3; k++) {
                sheet.positions[k] = behind(&place->frame.view, at[k][0] + (near ? 0 : 6), at[k][1], near ? 50 : 90);
                sheet.colors[k] = near ? (Rgba){ 255, 0, 0, 255 } : (Rgba){ 0, 255, 0, 255 };
                sheet.surface.indexes[k] = (uint16_t)k;
            }
            add(place, &sheet, true);
            place->frame.meshes.at[i].texture = TEXTURE_WHITE;
        }
        pictures[order] = drawn(place);
    }
    assert_memory_equal(pictures[0].rgba, pictures[1].rgba, 64 * 64 * 4);
    const uint8_t *middle = &pictures[0].rgba[(20 * 64 + 30) * 4];
    assert_true(middle[0] == 255 && middle[1] == 0);
    image_free(&pictures[0]);
    image_free(&pictures[1]);
    place_free(place);
}

static void particles_and_sprites_are_seen_where_they_are(void **state) {
    (void)state;
    Place *place = place_make(3);
    begin(place, 100, 100, SHADE_LIT);
    frame_particle(&place->frame, (FrameParticle){ behind(&place->frame.view, 20.5f, 30.5f, 50), 5, { 255, 0, 0, 255 } });    /* 5 pixels wide */
    frame_sprite(&place->frame, (FrameSprite){ .origin = behind(&place->frame.view, 70.5f, 60.5f, 100), .width = 10, .height = 10, .texture = TEXTURE_WHITE,
                                               .color = { 0, 255, 0, 255 } });
    unsigned seed = 5;
    for (int i = 0; i < 3000; i++)    /* behind both */
        frame_particle(&place->frame, (FrameParticle){ behind(&place->frame.view, random_part(&seed) * 100, random_part(&seed) * 100, -5 - random_part(&seed) * 1e4f), 100, { 255, 255, 255, 255 } });
    Image image = drawn(place);
    int red = 0, green = 0, white = 0;
    for (int i = 0; i < 100 * 100; i++) {
        const uint8_t *p = &image.rgba[i * 4];
        red += p[0] == 255 && p[1] == 0;
        green += p[1] == 255 && p[0] == 0;
        white += p[0] == 255 && p[1] == 255;
    }
    assert_int_equal(red, 25);
    assert_int_equal(green, 25);
    assert_int_equal(white, 0);
    const uint8_t *middle = &image.rgba[(30 * 100 + 20) * 4];
    assert_int_equal(middle[0], 255);
    image_free(&image);
    place_free(place);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(triangles_that_meet_draw_each_pixel_once),
        cmocka_unit_test(affine_covers_exactly_the_pixels_whose_middles_are_inside),
        cmocka_unit_test(subdivision_leaves_no_hole),
        cmocka_unit_test(drawers_show_nearly_the_same),
        cmocka_unit_test(pictures_are_the_same_for_any_number_of_threads),
        cmocka_unit_test(stages_are_drawn_alike_by_any_number_of_threads),
        cmocka_unit_test(any_numbers_in_any_picture),
        cmocka_unit_test(what_reaches_behind_the_eye_is_cut),
        cmocka_unit_test(near_triangles_are_split_until_their_texture_is_right),
        cmocka_unit_test(sides_are_shown_as_the_look_says),
        cmocka_unit_test(nearer_models_hide_farther_ones_in_any_order),
        cmocka_unit_test(particles_and_sprites_are_seen_where_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
