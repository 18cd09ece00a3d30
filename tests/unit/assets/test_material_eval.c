/* test_material_eval.c -- what materials are at a time: waves, colours, texture movement, passes, deformations, sky, fog. */
#include "assets/material_eval.h"

#include <math.h>

#include "support/assets_bench.h"
#include "support/test.h"

static int bench_open(void **state) {
    AssetsBench *b = assets_bench_open(1, false);
    static const char *const names[] = { "t/a.tga", "t/b.tga", "t/c.tga", "sky/one_rt.tga", "maps/m/lm_0000.tga" };
    for (int i = 0; i < COUNT_OF(names); i++)
        assets_bench_put(b, names[i], 4, 1);
    *state = b;
    return 0;
}

static const Look *look_of(AssetsBench *b, const char *text, LookForm form) {
    Text whole = { 0 };
    text_format(&whole, "t/m\n{\n%s\n}\n", text);
    materials_reload(assets_materials(b->assets));
    materials_parse(assets_materials(b->assets), "scripts/test.shader", text_of(&whole), whole.count);
    text_free(&whole);
    Material *material = arena_new(b->arena, Material);
    *material = *material_find(assets_materials(b->assets), "t/m");
    const MaterialDef *def = material_def(assets_materials(b->assets), "t/m");
    material->sort = def->sort;    /* what the test wrote came after material_find's look */
    material->sky = def->sky;
    material->sky_box = *def->sky_box ? def->sky_box : NULL;
    return look_make(b->arena, b->assets, material, form, TEXTURE_WHITE);
}

static StageNumbers numbers_of(AssetsBench *b, const char *stage, double time, int overbright) {
    Text text = { 0 };
    text_format(&text, "{\nmap t/a.tga\n%s\n}", stage);
    const Look *look = look_of(b, text_of(&text), LOOK_VERTEX);
    text_free(&text);
    assert_int_equal(look->stage_count, 1);
    StageNumbers numbers;
    stage_numbers(&look->stages[0], time, identity_light(overbright), NULL, &numbers);
    return numbers;
}

static void assert_near(double a, double b) {
    if (!(fabs(a - b) < 1e-4))
        fail_msg("%.9g is not %.9g", a, b);
}

static void assert_color(const StageNumbers *n, double r, double g, double b, double a) {
    const double want[4] = { r, g, b, a };
    for (int i = 0; i < 4; i++)
        assert_near(n->color[i], want[i]);
}

static double wave(WaveKind kind, double time) {
    const Wave w = { kind, 0, 1, 0, 1 };
    return wave_value(&w, time);
}

static void waves_have_the_engine_s_shapes(void **state) {
    (void)state;
    static const struct { WaveKind kind; double at[8]; } rows[] = {    /* at each eighth of a cycle */
        { WAVE_SIN, { 0, 0.70710678, 1, 0.70710678, 0, -0.70710678, -1, -0.70710678 } },
        { WAVE_SQUARE, { 1, 1, 1, 1, -1, -1, -1, -1 } },
        { WAVE_TRIANGLE, { 0, 0.5, 1, 0.5, 0, -0.5, -1, -0.5 } },
        { WAVE_SAWTOOTH, { 0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875 } },
        { WAVE_INVERSE_SAWTOOTH, { 1, 0.875, 0.75, 0.625, 0.5, 0.375, 0.25, 0.125 } },
    };
    for (int i = 0; i < COUNT_OF(rows); i++)
        for (int k = 0; k < 8; k++) {
            assert_near(wave(rows[i].kind, k / 8.0), rows[i].at[k]);
            assert_near(wave(rows[i].kind, k / 8.0 - 3), rows[i].at[k]);          /* before time began */
            assert_near(wave(rows[i].kind, k / 8.0 + 4e9), rows[i].at[k]);        /* after 127 years */
        }
    const Wave w = { WAVE_SIN, 0.5, 0.25, 0.25, 2 };
    assert_near(wave_value(&w, 0), 0.75);
    assert_near(wave_value(&w, 0.25), 0.25);
}

static void noise_wanders_between_its_bounds_and_is_the_same_each_time(void **state) {
    (void)state;
    const Wave w = { WAVE_NOISE, 0.5, 0.5, 0, 3 };
    double least = 9, most = -9;
    for (int i = 0; i < 500; i++) {
        double value = wave_value(&w, i * 0.07);
        assert_true(value == wave_value(&w, i * 0.07) && value >= 0 && value <= 1);
        least = fmin(least, value);
        most = fmax(most, value);
    }
    assert_true(most - least > 0.4);
    assert_true(fabs(wave_value(&w, 1) - wave_value(&w, 1.001)) < 0.02);    /* without jumps */
}

static void every_colour_generator_gives_its_number(void **state) {
    AssetsBench *b = *state;
    static const struct { const char *text; StageFrom from; double grey[2]; } rows[] = {    /* overbright 0, 1 */
        { "rgbGen identity", FROM_CONSTANT, { 1, 1 } },
        { "rgbGen identityLighting", FROM_CONSTANT, { 1, 0.5 } },
        { "rgbGen vertex", FROM_VERTEX, { 1, 0.5 } },
        { "rgbGen exactVertex", FROM_VERTEX, { 1, 1 } },
        { "rgbGen oneMinusVertex", FROM_ONE_MINUS_VERTEX, { 1, 0.5 } },
        { "rgbGen lightingDiffuse", FROM_LIGHT, { 1, 1 } },
        { "rgbGen entity", FROM_CONSTANT, { 1, 1 } },
        { "rgbGen oneMinusEntity", FROM_CONSTANT, { 0, 0 } },
        { "rgbGen wave sin 0.25 0.5 0.25 0", FROM_CONSTANT, { 0.75, 0.375 } },
        { "rgbGen wave square 3 1 0 1", FROM_CONSTANT, { 1, 1 } },                     /* clamped after the halving */
        { "rgbGen wave square -3 1 0 1", FROM_CONSTANT, { 0, 0 } },
        { "", FROM_CONSTANT, { 1, 0.5 } },                                             /* defaults go by the blend's source */
        { "blendFunc add", FROM_CONSTANT, { 1, 0.5 } },
        { "blendFunc blend", FROM_CONSTANT, { 1, 0.5 } },
        { "blendFunc filter", FROM_CONSTANT, { 1, 1 } },
        { "blendFunc GL_ZERO GL_SRC_COLOR", FROM_CONSTANT, { 1, 1 } },
    };
    for (int i = 0; i < COUNT_OF(rows); i++)
        for (int overbright = 0; overbright < 2; overbright++) {
            StageNumbers n = numbers_of(b, rows[i].text, 0, overbright);
            double grey = rows[i].grey[overbright];
            assert_int_equal(n.color_from, rows[i].from);
            assert_color(&n, grey, grey, grey, n.color[3]);
        }
    StageNumbers n = numbers_of(b, "rgbGen const ( 0.25 0.5 1.5 )", 7, 1);
    assert_color(&n, 0.25, 0.5, 1, 1);
}

static void every_alpha_generator_gives_its_number(void **state) {
    AssetsBench *b = *state;
    static const struct { const char *text; StageFrom from; double alpha; } rows[] = {
        { "", FROM_CONSTANT, 1 },
        { "rgbGen vertex", FROM_VERTEX, 1 },                       /* brings its alpha along */
        { "rgbGen exactVertex", FROM_CONSTANT, 1 },                /* does not */
        { "alphaGen const 0.3\nrgbGen vertex", FROM_CONSTANT, 0.3 },
        { "alphaGen identity", FROM_CONSTANT, 1 },
        { "alphaGen entity", FROM_CONSTANT, 1 },
        { "alphaGen oneMinusEntity", FROM_CONSTANT, 0 },
        { "alphaGen vertex", FROM_VERTEX, 1 },
        { "alphaGen oneMinusVertex", FROM_ONE_MINUS_VERTEX, 1 },
        { "alphaGen lightingSpecular", FROM_SPECULAR, 1 },
        { "alphaGen wave triangle 0.5 0.5 0.75 0", FROM_CONSTANT, 0 },
        { "alphaGen const 0.25", FROM_CONSTANT, 0.25 },
        { "alphaGen portal 512", FROM_DISTANCE, 1 },               /* traps D18, D19: on any surface */
    };
    for (int i = 0; i < COUNT_OF(rows); i++) {
        StageNumbers n = numbers_of(b, rows[i].text, 0, 1);        /* overbright leaves alpha alone */
        assert_int_equal(n.alpha_from, rows[i].from);
        assert_near(n.color[3], rows[i].alpha);
    }
    StageNumbers n = numbers_of(b, "alphaGen portal 512", 0, 0);
    const StagePoint far = { .position = vec3_at(128, 0, 0) }, farther = { .position = vec3_at(0, 1000, 0) };
    float rgba[4];
    stage_color(&n, &far, rgba);
    assert_near(rgba[3], 0.25);
    stage_color(&n, &farther, rgba);
    assert_near(rgba[3], 1);
    n = numbers_of(b, "alphaGen wave noise 0.5 0.5 0 1", 1.5, 0);    /* trap D4 */
    assert_true(n.color[3] >= 0 && n.color[3] <= 1);
}

static Vec2 moved(AssetsBench *b, const char *text, double time, float s, float t, Vec3 position) {
    Text whole = { 0 };
    text_format(&whole, "{\nmap t/a.tga\n%s\n}", text);
    const Look *look = look_of(b, text_of(&whole), LOOK_VERTEX);
    text_free(&whole);
    StageNumbers n;
    stage_numbers(&look->stages[0], time, 1, NULL, &n);
    const StagePoint point = { .position = position, .normal = vec3_at(0, 0, 1), .eye = vec3_at(0, 0, 100), .uv = { s, t },
                               .lightmap_uv = { 0.125f, 0.875f } };
    return stage_texcoord(&look->stages[0], &n, &point);
}

static void texture_movements_act_in_the_order_they_are_written(void **state) {
    AssetsBench *b = *state;
    static const struct { const char *text; double time; float s, t; double want[2]; } rows[] = {
        { "", 5, 0.25f, 0.5f, { 0.25, 0.5 } },
        { "tcMod scale 2 4", 5, 0.25f, 0.5f, { 0.5, 2 } },
        { "tcMod scroll 0.5 -0.25", 3, 0, 0, { 0.5, 0.25 } },                          /* 1.5 and -0.75, without their whole parts */
        { "tcMod scale 2 2\ntcMod scroll 1 0", 0.25, 0.25f, 0, { 0.75, 0 } },
        { "tcMod scroll 1 0\ntcMod scale 2 2", 0.25, 0.25f, 0, { 1, 0 } },
        { "tcMod rotate 90", 1, 1, 0.5f, { 0.5, 0 } },                                 /* about the picture's middle */
        { "tcMod stretch square 2 0 0 1", 0, 1, 0, { 0.75, 0.25 } },                   /* twice as large */
        { "tcMod transform 1 2 3 4 5 6", 0, 10, 20, { 1 * 10 + 3 * 20 + 5, 2 * 10 + 4 * 20 + 6 } },
        { "tcGen lightmap", 0, 9, 9, { 0.125, 0.875 } },
        { "tcGen vector ( 0.01 0 0 ) ( 0 0.02 0 )", 0, 9, 9, { 2.56, 2.56 } },         /* trap D5 */
        { "tcMod turb 0 0.5 0.25 0", 0, 1, 1, { 1 + 0.5 * 0, 1 + 0.5 * 0.70710678 } },
        { "tcMod turb 0 0.5 0.25 0\ntcMod scale 2 3", 0, 1, 1, { 2, 3 + 1.5 * 0.70710678 } },
        { "tcMod stretch sin 0 0 0 0", 0, 1, 1, { 0.5, 0.5 } },                        /* of no size: its middle, not infinity */
    };
    for (int i = 0; i < COUNT_OF(rows); i++) {
        Vec2 at = moved(b, rows[i].text, rows[i].time, rows[i].s, rows[i].t, vec3_at(256, 128, 0));
        assert_near(at.x, rows[i].want[0]);
        assert_near(at.y, rows[i].want[1]);
    }
}

static void a_sheen_moves_with_the_eye(void **state) {
    AssetsBench *b = *state;
    Vec2 below = moved(b, "tcGen environment", 0, 0, 0, vec3_at(0, 0, 0));    /* straight from above: back where it came from */
    assert_near(below.x, 0.5);
    assert_near(below.y, 0);
    Vec2 aside = moved(b, "tcGen environment", 0, 0, 0, vec3_at(0, 100, 0));
    assert_near(aside.x, 0.5 + 0.5 * 0.70710678);
    assert_near(aside.y, 0.5 - 0.5 * 0.70710678);
}

static void an_animation_shows_its_pictures_in_turn(void **state) {
    AssetsBench *b = *state;
    const Look *look = look_of(b, "{\nanimMap 2 t/a.tga t/b.tga t/c.tga\n}", LOOK_VERTEX);
    assert_int_equal(look->stages[0].texture_count, 3);
    static const struct { double time; int frame; } rows[] = { { 0, 0 }, { 0.49, 0 }, { 0.5, 1 }, { 1.2, 2 }, { 1.5, 0 }, { 1e9, 2 }, { -5, 0 } };
    for (int i = 0; i < COUNT_OF(rows); i++) {
        StageNumbers n;
        stage_numbers(&look->stages[0], rows[i].time, 1, NULL, &n);
        assert_int_equal(n.texture, look->stages[0].textures[rows[i].frame]);
    }
}

static void stages_are_gathered_where_the_blend_allows(void **state) {
    AssetsBench *b = *state;
    static const struct { const char *text; int stages, passes; bool plain; } rows[] = {
        { "{\nmap $lightmap\nrgbGen identity\n}\n{\nmap t/a.tga\nblendFunc filter\n}", 2, 1, true },
        { "{\nmap t/a.tga\nrgbGen identity\n}\n{\nmap $lightmap\nblendFunc GL_DST_COLOR GL_ZERO\n}", 2, 1, true },
        { "{\nmap t/a.tga\n}\n{\nmap $lightmap\nblendFunc filter\n}", 2, 1, false },                   /* halved by overbright */
        { "{\nmap $lightmap\nrgbGen identity\n}\n{\nmap t/a.tga\nblendFunc filter\ntcMod scroll 1 0\n}", 2, 1, false },
        { "{\nmap t/a.tga\n}\n{\nmap t/b.tga\nblendFunc add\n}\n{\nmap $lightmap\nblendFunc filter\n}", 3, 1, false },
        { "{\nmap t/a.tga\nrgbGen identity\n}\n{\nmap $lightmap\n}", 2, 1, true },                         /* light never hides what it falls on */
        { "{\nmap t/a.tga\nalphaFunc GE128\ndepthWrite\n}\n{\nmap $lightmap\nblendFunc filter\ndepthFunc equal\n}", 2, 1, false },
        { "{\nmap t/a.tga\nalphaFunc GE128\n}\n{\nmap $lightmap\nblendFunc filter\n}", 2, 1, false },  /* the light falls on what is there, not into the holes */
        { "{\nmap t/a.tga\nblendFunc add\n}\n{\nmap t/b.tga\nblendFunc add\n}", 2, 1, false },
        { "{\nmap t/a.tga\nblendFunc filter\n}\n{\nmap t/b.tga\nblendFunc GL_ZERO GL_SRC_COLOR\n}", 2, 1, false },
        { "{\nmap t/a.tga\nblendFunc add\n}\n{\nmap t/b.tga\nblendFunc blend\n}", 2, 2, false },
        { "{\nmap t/a.tga\nblendFunc blend\n}\n{\nmap t/b.tga\nblendFunc blend\n}", 2, 2, false },
    };
    for (int i = 0; i < COUNT_OF(rows); i++) {
        const Look *look = look_of(b, rows[i].text, LOOK_LIGHTMAP);
        assert_int_equal(look->stage_count, rows[i].stages);
        assert_int_equal(look->pass_count, rows[i].passes);
        assert_true(look->plain == rows[i].plain);
    }
}

static void a_picture_without_a_script_is_lit_as_its_surface_is(void **state) {
    AssetsBench *b = *state;
    materials_reload(assets_materials(b->assets));
    const Material *material = material_find(assets_materials(b->assets), "t/a");
    const Look *look = look_make(b->arena, b->assets, material, LOOK_LIGHTMAP, TEXTURE_WHITE);
    assert_true(look->plain && look->stage_count == 2 && look->stages[0].map == STAGE_LIGHTMAP);
    look = look_make(b->arena, b->assets, material, LOOK_VERTEX, TEXTURE_WHITE);
    assert_true(look->plain && look->stage_count == 1 && look->stages[0].color_gen == COLOR_EXACT_VERTEX);
    look = look_make(b->arena, b->assets, material, LOOK_WHITE, TEXTURE_WHITE);
    assert_true(look->stage_count == 1 && look->stages[0].color_gen == COLOR_IDENTITY_LIGHTING);
}

static void a_surface_without_a_page_has_a_white_lightmap(void **state) {
    AssetsBench *b = *state;
    const char *text = "{\nmap $lightmap\nrgbGen identity\n}\n{\nmap t/a.tga\nblendFunc filter\n}";
    assert_int_equal(look_of(b, text, LOOK_LIGHTMAP)->stages[0].map, STAGE_LIGHTMAP);
    assert_int_equal(look_of(b, text, LOOK_VERTEX)->stages[0].map, STAGE_WHITE);
}

static void films_and_pictures_that_are_not_there_are_left_out(void **state) {
    AssetsBench *b = *state;
    const Look *look = look_of(b, "{\nvideoMap idlogo.roq\n}\n{\nmap t/none.tga\nblendFunc add\n}\n{\nmap t/b.tga\n}", LOOK_VERTEX);
    assert_int_equal(look->stage_count, 1);
    assert_string_equal(assets_texture_at(b->assets, look->stages[0].textures[0])->name, "t/b.tga");
}

static void one_picture_read_in_two_ways_is_two_textures(void **state) {    /* trap E7b */
    AssetsBench *b = *state;
    const Look *look = look_of(b, "{\nclampMap t/a.tga\n}\n{\nmap t/a.tga\nblendFunc add\n}\n{\nmap maps/m/lm_0000.tga\nblendFunc filter\ntcGen lightmap\n}",
                               LOOK_VERTEX);
    const int *a = look->stages[0].textures, *c = look->stages[1].textures, *page = look->stages[2].textures;
    assert_int_not_equal(a[0], c[0]);
    assert_int_equal(assets_texture_at(b->assets, a[0])->flags, TEXTURE_CLAMPED);
    assert_int_equal(assets_texture_at(b->assets, c[0])->flags, 0);
    assert_int_equal(assets_texture_at(b->assets, page[0])->flags, TEXTURE_CLAMPED | TEXTURE_NO_MIPMAPS);
    assert_string_equal(assets_texture_at(b->assets, a[0])->name, assets_texture_at(b->assets, c[0])->name);
}

static void a_sky_has_a_box_only_if_its_first_side_is_there(void **state) {    /* trap D16 too */
    AssetsBench *b = *state;
    const Look *look = look_of(b, "skyparms sky/one 300 -", LOOK_VERTEX);
    assert_true(look->sky && look->has_box && look->stage_count == 0 && look->cloud_height == 300);
    assert_false(look_of(b, "skyparms sky/none 300 -", LOOK_VERTEX)->has_box);
    look = look_of(b, "skyparms - 200 -", LOOK_VERTEX);
    assert_true(look->sky && !look->has_box && look->stage_count == 0 && look->pass_count == 0);
}

static void clouds_meet_over_the_eye_and_lie_flat_at_its_sides(void **state) {
    (void)state;
    Vec2 above = sky_cloud_coord(4, 4, 4, 512);
    assert_near(above.x, 1.57079633);    /* straight up: a right angle to both axes */
    assert_near(above.y, 1.57079633);
    for (int s = 0; s <= SKY_GRID; s++) {    /* where two sides meet they agree */
        Vec2 up = sky_cloud_coord(4, s, 0, 512), side = sky_cloud_coord(0, s, SKY_GRID, 512);
        assert_near(up.x, side.x);
        assert_near(up.y, side.y);
    }
    Vec3 ray = sky_direction(2, 0.25f, -0.5f);
    assert_true(ray.x == 0.25f && ray.y == 1 && ray.z == -0.5f);
}

static BspVertex corner(float x, float y, float z) {
    return (BspVertex){ .position = vec3_at(x, y, z), .normal = vec3_at(0, 0, 1), .uv = { x, y } };
}

static void deforms_push_along_normals(void **state) {
    AssetsBench *b = *state;
    static const struct { const char *text; double time; double want[2]; } rows[] = {    /* z at x 0 and at x 25 */
        { "deformVertexes wave 100 square 2 1 0 1", 0, { 3, 3 } },
        { "deformVertexes wave 100 sin 0 4 0 1", 0, { 0, 4 } },            /* a quarter of a cycle further */
        { "deformVertexes wave 100 sin 0 4 0.25 0", 9, { 4, 4 } },         /* of no frequency: the same everywhere */
        { "deformVertexes move 0 0 8 square 0 1 0 1", 0, { 8, 8 } },
        { "deformVertexes move 0 0 8 square 0 1 0 1", 0.6, { -8, -8 } },
        { "deformVertexes bulge 0 5 1.5707963", 1, { 5, 5 } },
        { "deformVertexes move 0 0 1 square 1 0 0 1\ndeformVertexes move 0 0 2 square 1 0 0 1", 0, { 3, 3 } },
        { "deformVertexes text0", 0, { 0, 0 } },
    };
    const Axes axes = axes_from_angles(vec3_at(0, 0, 0));
    for (int i = 0; i < COUNT_OF(rows); i++) {
        Text text = { 0 };
        text_format(&text, "%s\n{\nmap t/a.tga\n}", rows[i].text);
        const Look *look = look_of(b, text_of(&text), LOOK_VERTEX);
        text_free(&text);
        BspVertex vertices[2] = { corner(0, 0, 0), corner(25, 0, 0) };
        look_deform(look, rows[i].time, &axes, vertices, 2, NULL, 0, 0);
        for (int k = 0; k < 2; k++)
            if (!(fabs(vertices[k].position.z - rows[i].want[k]) < 0.03))
                fail_msg("row %d, vertex %d: %g", i, k, vertices[k].position.z);
    }
    const Look *look = look_of(b, "deformVertexes normal 0.5 2\n{\nmap t/a.tga\n}", LOOK_VERTEX);
    BspVertex bent = corner(3, 4, 5);
    look_deform(look, 1.3, &axes, &bent, 1, NULL, 0, 0);
    assert_near(vec3_length(bent.normal), 1);
    assert_true(bent.normal.z < 0.9999f && bent.position.z == 5);
}

static void sprites_turn_to_the_eye(void **state) {
    AssetsBench *b = *state;
    const Axes axes = axes_from_angles(vec3_at(0, 90, 0));    /* looks along +y: right is +x */
    const uint32_t orders[2][6] = { { 10, 11, 13, 13, 11, 12 }, { 12, 13, 10, 10, 11, 12 } };    /* two ways to cut one quad */
    for (int i = 0; i < 2; i++) {
        const Look *look = look_of(b, "deformVertexes autosprite\n{\nmap t/a.tga\n}", LOOK_VERTEX);
        BspVertex v[4] = { corner(0, 0, 8), corner(8, 0, 8), corner(8, 0, 0), corner(0, 0, 0) };
        look_deform(look, 0, &axes, v, 4, orders[i], 6, 10);
        for (int k = 0; k < 4; k++) {
            assert_near(v[k].position.y, 0);
            assert_near(fabs(v[k].position.x - 4), 5.6568542 * 0.707);
            assert_near(fabs(v[k].position.z - 4), 5.6568542 * 0.707);
            assert_near(v[k].uv.x, v[k].position.x > 4);
            assert_near(v[k].uv.y, v[k].position.z < 4);
        }
        look = look_of(b, "deformVertexes autosprite2\n{\nmap t/a.tga\n}", LOOK_VERTEX);
        BspVertex tall[4] = { corner(0, -2, 40), corner(0, 2, 40), corner(0, 2, 0), corner(0, -2, 0) };    /* edge on */
        look_deform(look, 0, &axes, tall, 4, orders[i], 6, 10);
        for (int k = 0; k < 4; k++) {
            assert_near(tall[k].position.y, 0);
            assert_near(fabs(tall[k].position.x), 2);
            assert_near(tall[k].position.z, k < 2 ? 40 : 0);
        }
        assert_true(tall[0].position.x * tall[1].position.x < 0 && tall[0].position.x * tall[3].position.x > 0);
    }
    const Look *look = look_of(b, "deformVertexes autosprite2\n{\nmap t/a.tga\n}", LOOK_VERTEX);
    BspVertex three[3] = { corner(0, 0, 0), corner(8, 0, 0), corner(8, 0, 8) };    /* trap D10: no quad, no change */
    const uint32_t triangle[3] = { 0, 1, 2 };
    look_deform(look, 0, &axes, three, 3, triangle, 3, 0);
    assert_true(three[1].position.x == 8 && three[1].position.z == 0);
    BspVertex odd[4] = { corner(0, 0, 0), corner(8, 0, 0), corner(8, 0, 8), corner(0, 0, 8) };
    const uint32_t twice[6] = { 0, 1, 2, 0, 1, 2 };    /* six indexes, and still no quad */
    look_deform(look, 0, &axes, odd, 4, twice, 6, 0);
    assert_true(odd[2].position.x == 8 && odd[3].position.z == 8);
}

static void fog_thickens_with_the_root_of_the_way_in_it(void **state) {
    AssetsBench *b = *state;
    const Look *look = look_of(b, "fogparms ( 0.5 0.25 1 ) 400", LOOK_VERTEX);
    assert_true(look->fog);
    Vec3 forward = vec3_at(1, 0, 0);
    FogNumbers all_round = fog_numbers(look, NULL, vec3_at(0, 0, 0), forward, 0.5f);
    assert_near(all_round.color[0], 0.25);
    assert_near(fog_opacity(&all_round, vec3_at(0, 50, 0)), 0);
    assert_near(fog_opacity(&all_round, vec3_at(100, 50, 0)), 0.5);
    assert_near(fog_opacity(&all_round, vec3_at(400, 0, 0)), 1);
    assert_near(fog_opacity(&all_round, vec3_at(9000, 0, 0)), 1);
    const Plane top = { vec3_at(0, 0, 1), 64 };
    FogNumbers inside = fog_numbers(look, &top, vec3_at(0, 0, 0), forward, 1);
    assert_near(fog_opacity(&inside, vec3_at(100, 0, 0)), 0.5);
    assert_near(fog_opacity(&inside, vec3_at(100, 0, 80)), 0);       /* above its surface */
    FogNumbers outside = fog_numbers(look, &top, vec3_at(0, 0, 128), forward, 1);
    assert_near(fog_opacity(&outside, vec3_at(100, 0, 100)), 0);
    assert_near(fog_opacity(&outside, vec3_at(100, 0, 0)), sqrt(0.125));    /* half of the way lies under it */
}

static void the_same_time_gives_the_same_bits(void **state) {
    AssetsBench *b = *state;
    const char *text = "{\nmap t/a.tga\nrgbGen wave noise 0.5 0.5 0 3\nalphaGen wave sin 0.5 0.5 0 0.37\ntcMod rotate 31\n"
                       "tcMod turb 0 0.1 0.2 0.7\ntcMod stretch sin 1 0.2 0 0.3\ntcMod scroll 0.13 0.71\n}";
    const Look *look = look_of(b, text, LOOK_VERTEX), *again = look_of(b, text, LOOK_VERTEX);
    for (int i = 0; i < 50; i++) {
        StageNumbers x, y, other;
        memset(&x, 0, sizeof x);
        memset(&y, 0, sizeof y);
        stage_numbers(&look->stages[0], i * 0.731, 1, NULL, &x);
        stage_numbers(&look->stages[0], 1e6 + i, 1, NULL, &other);
        stage_numbers(&again->stages[0], i * 0.731, 1, NULL, &y);
        assert_memory_equal(&x, &y, sizeof x);
    }
}

static void what_huge_numbers_make_infinite_counts_as_0(void **state) {
    (void)state;
    for (int kind = WAVE_SIN; kind <= WAVE_NOISE; kind++) {
        Wave wave = { .kind = (WaveKind)kind, .base = 1, .amplitude = 2, .frequency = 3e38f }, still = wave;
        still.frequency = 0;
        assert_true(wave_value(&wave, 1e300) == wave_value(&still, 0));
    }
    LookStage film = { .textures = { 5, 6, 7 }, .texture_count = 3, .frames_per_second = 3e38f };
    StageNumbers numbers;
    stage_numbers(&film, 1e300, 1, NULL, &numbers);
    assert_true(numbers.texture >= 5 && numbers.texture <= 7);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_huge_numbers_make_infinite_counts_as_0),
        cmocka_unit_test(waves_have_the_engine_s_shapes),
        cmocka_unit_test(noise_wanders_between_its_bounds_and_is_the_same_each_time),
        cmocka_unit_test(every_colour_generator_gives_its_number),
        cmocka_unit_test(every_alpha_generator_gives_its_number),
        cmocka_unit_test(texture_movements_act_in_the_order_they_are_written),
        cmocka_unit_test(a_sheen_moves_with_the_eye),
        cmocka_unit_test(an_animation_shows_its_pictures_in_turn),
        cmocka_unit_test(stages_are_gathered_where_the_blend_allows),
        cmocka_unit_test(a_picture_without_a_script_is_lit_as_its_surface_is),
        cmocka_unit_test(a_surface_without_a_page_has_a_white_lightmap),
        cmocka_unit_test(films_and_pictures_that_are_not_there_are_left_out),
        cmocka_unit_test(one_picture_read_in_two_ways_is_two_textures),
        cmocka_unit_test(a_sky_has_a_box_only_if_its_first_side_is_there),
        cmocka_unit_test(clouds_meet_over_the_eye_and_lie_flat_at_its_sides),
        cmocka_unit_test(deforms_push_along_normals),
        cmocka_unit_test(sprites_turn_to_the_eye),
        cmocka_unit_test(fog_thickens_with_the_root_of_the_way_in_it),
        cmocka_unit_test(the_same_time_gives_the_same_bits),
    };
    return cmocka_run_group_tests(tests, bench_open, assets_bench_teardown);
}
