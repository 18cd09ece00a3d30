/* The GL renderer without a display: pixels of small levels, overlays and the 2D layer; shaders that break; hostile frames. */
#include "support/test.h"

#include <math.h>
#include <stdlib.h>

#include "platform/platform.h"
#include "render/renderer.h"
#include "scene/scene.h"
#include "support/drawn.h"
#include "support/level_map.h"
#include "support/temp_folder.h"

enum { WIDTH = 160, HEIGHT = 120 };

/* One context for all tests: making one takes longer than all of them. */
typedef struct Place {
    Platform *platform;
    Vars *vars;
    const RendererKind *kind;
    void *gl;
    TempFolder *shaders;
    Arena *arena;
    Level level;
    Scene scene;
    Frame frame;
    Image image;
} Place;

static void copy_shaders(TempFolder *folder) {
    static const char *const names[] = {
        "common.glsl", "world.vert.glsl", "world.frag.glsl", "sky.vert.glsl", "sky.frag.glsl", "tint.vert.glsl", "tint.frag.glsl",
        "overlay.vert.glsl", "overlay.frag.glsl", "line.vert.glsl", "line.frag.glsl", "ui.vert.glsl", "ui.frag.glsl",
        "gamma.vert.glsl", "gamma.frag.glsl",
        "stages.vert.glsl", "stages.frag.glsl",
    };
    for (int i = 0; i < COUNT_OF(names); i++) {
        Text path = { 0 };
        text_format(&path, "%s/shaders/%s", LEAFWALK_SOURCE_DIR, names[i]);
        FileBytes bytes;
        Error error;
        if (!file_read_disk(text_of(&path), &bytes, &error))
            fail_msg("%s", error.text);
        temp_write(folder, names[i], bytes.bytes, bytes.size);
        file_free(&bytes);
        text_free(&path);
    }
}

static int group_setup(void **state) {
    setenv("SDL_VIDEODRIVER", "offscreen", 1);
    Place *place = mem_zeroed(1, sizeof *place);
    Error error;
    place->platform = platform_open(&(PlatformSetup){ .width = WIDTH, .height = HEIGHT }, &error);
    if (!place->platform)
        fail_msg("%s", error.text);
    place->shaders = temp_folder_open();
    copy_shaders(place->shaders);
    place->vars = vars_open();
    place->kind = renderer_by_name("gl");
    const RendererSetup setup = { .vars = place->vars, .shader_folder = place->shaders->path, .gl_loader = platform_gl_loader };
    place->gl = place->kind->open(&setup, &error);
    if (!place->gl)
        fail_msg("%s", error.text);
    scene_open(&place->scene);
    frame_open(&place->frame);
    *state = place;
    return 0;
}

static void forget_level(Place *place) {
    Error error;
    assert_true(place->kind->use_level(place->gl, NULL, NULL, &error));
    scene_use_level(&place->scene, NULL);
    arena_close(place->arena);
    place->arena = NULL;
    place->level = (Level){ .serial = place->level.serial };
}

static int group_teardown(void **state) {
    Place *place = *state;
    forget_level(place);
    place->kind->close(place->gl);
    vars_close(place->vars);
    platform_close(place->platform);
    frame_close(&place->frame);
    scene_close(&place->scene);
    temp_folder_close(place->shaders);
    image_free(&place->image);
    mem_free(place);
    return 0;
}

static void use(Place *place, const char *name) {
    Error error;
    forget_level(place);
    place->arena = arena_open();
    place->level.map = level_map(place->arena, name);
    place->level.geometry = bsp_geometry(place->level.map, 4, place->arena);
    place->level.serial++;
    scene_use_level(&place->scene, &place->level);
    place->scene.origin = vec3_at(60, 128, 60);
    place->scene.angles = vec3_at(0, 0, 0);
    place->scene.fov = 90;
    if (!place->kind->use_level(place->gl, &place->level, NULL, &error))
        fail_msg("%s", error.text);
}

static void begin(Place *place, Shade shade) {
    frame_begin(&place->frame);
    scene_fill(&place->scene, &place->frame, WIDTH, HEIGHT);
    place->frame.shade = shade;
    place->frame.clear = (Rgba){ 10, 20, 30, 255 };
}

static void draw(Place *place) {
    Error error;
    if (!place->kind->draw(place->gl, &place->frame, &error))
        fail_msg("%s", error.text);
    image_free(&place->image);
    assert_true(place->kind->read_pixels(place->gl, &place->image, &error));
}

static const uint8_t *pixel(const Place *place, int x, int y) { return place->image.rgba + ((size_t)y * (size_t)place->image.width + (size_t)x) * 4; }

static void assert_pixel(const Place *place, int x, int y, int r, int g, int b, int within) {
    const uint8_t *p = pixel(place, x, y);
    if (abs(p[0] - r) > within || abs(p[1] - g) > within || abs(p[2] - b) > within || p[3] != 255)
        fail_msg("pixel %d %d is %d %d %d %d, not %d %d %d", x, y, p[0], p[1], p[2], p[3], r, g, b);
}

static double stat_of(const Place *place, const char *name) { return renderer_stat(place->kind, place->gl, name); }

static const Rgba red = { 255, 0, 0, 255 }, green = { 0, 255, 0, 255 }, half_red = { 255, 0, 0, 128 };


static void no_level_is_the_clear_colour(void **state) {
    Place *place = *state;
    forget_level(place);
    begin(place, SHADE_LIT);
    draw(place);
    assert_int_equal(place->image.width, WIDTH);
    assert_int_equal(place->image.height, HEIGHT);
    assert_pixel(place, 0, 0, 10, 20, 30, 0);
    assert_pixel(place, WIDTH - 1, HEIGHT - 1, 10, 20, 30, 0);
}

static void the_normal_view_knows_up_left_and_ahead(void **state) {
    Place *place = *state;
    use(place, "room");
    begin(place, SHADE_NORMAL);
    draw(place);
    assert_pixel(place, 80, 60, 0, 128, 128, 2);     /* the wall ahead faces -x */
    assert_pixel(place, 2, 60, 128, 0, 128, 2);      /* the wall to the left, at +y, faces -y: y is left */
    assert_pixel(place, 157, 60, 128, 255, 128, 2);
    assert_pixel(place, 80, 118, 128, 128, 255, 2);  /* the floor faces up; row 0 of the picture is its top */
    assert_pixel(place, 80, 2, 128, 128, 0, 2);
}

static void from_outside_the_walls_show_their_backs_and_are_not_drawn(void **state) {
    Place *place = *state;
    use(place, "room");
    place->scene.origin = vec3_at(-300, 128, 60);
    begin(place, SHADE_NORMAL);
    draw(place);
    assert_pixel(place, 80, 60, 0, 128, 128, 2);    /* through the near wall: the far wall's front */
}

/* What the engine's arithmetic makes of one lightmap texel: shifted with its hue kept, doubled again, cut at white. */
static void engine_light(const uint8_t texel[3], int overbright, int out[3]) {
    uint8_t shifted[3] = { texel[0], texel[1], texel[2] };
    bsp_shift_color(shifted, 2 - overbright);
    for (int i = 0; i < 3; i++)
        out[i] = MIN(shifted[i] << overbright, 255);
}

/* Straight down at a floor whose lightmap has one brightness everywhere. */
static void look_at_plain_floor(Place *place, uint8_t r, uint8_t g, uint8_t b) {
    use(place, "room");
    Map *map = (Map *)place->level.map;
    for (int i = 0; i < LIGHTMAP_SIZE * LIGHTMAP_SIZE; i++)
        memcpy(map->lightmaps + 3 * i, (uint8_t[3]){ r, g, b }, 3);
    Error error;
    place->level.serial++;
    assert_true(place->kind->use_level(place->gl, &place->level, NULL, &error));
    place->scene.angles = vec3_at(90, 0, 0);
}

static void lightmaps_are_as_bright_as_the_engine_has_them(void **state) {
    Place *place = *state;
    static const uint8_t texels[][3] = { { 10, 20, 30 }, { 100, 50, 10 }, { 200, 255, 128 }, { 0, 0, 0 } };
    for (int i = 0; i < COUNT_OF(texels); i++) {
        look_at_plain_floor(place, texels[i][0], texels[i][1], texels[i][2]);
        for (int overbright = 1; overbright >= 0; overbright--) {    /* changed without another use_level: sent anew */
            begin(place, SHADE_LIGHTMAP);
            place->frame.overbright = overbright;
            draw(place);
            int light[3];
            engine_light(texels[i], overbright, light);
            assert_pixel(place, 80, 60, light[0], light[1], light[2], 1);
            place->frame.shade = SHADE_LIT;    /* without assets every picture is white */
            draw(place);
            assert_pixel(place, 80, 60, light[0], light[1], light[2], 1);
        }
    }
}

static void faces_without_a_lightmap_page_are_lit_by_their_vertices(void **state) {
    Place *place = *state;
    static const struct { int lightmap; bool white; } rules[] = {
        { LIGHTMAP_VERTEX, false }, { LIGHTMAP_NONE, false }, { 9999, false }, { -77, false }, { LIGHTMAP_WHITE, true }, { LIGHTMAP_2D, true },
    };
    for (int i = 0; i < COUNT_OF(rules); i++) {
        look_at_plain_floor(place, 1, 2, 3);
        Map *map = (Map *)place->level.map;
        for (int k = 0; k < map->face_count; k++)
            map->faces[k].lightmap = rules[i].lightmap;
        for (int k = 0; k < place->level.geometry->vertex_count; k++)
            memcpy(place->level.geometry->vertices[k].color, (uint8_t[4]){ 30, 20, 10, 255 }, 4);
        Error error;
        place->level.serial++;
        assert_true(place->kind->use_level(place->gl, &place->level, NULL, &error));
        begin(place, SHADE_LIGHTMAP);
        draw(place);
        if (rules[i].white)
            assert_pixel(place, 80, 60, 255, 255, 255, 1);
        else
            assert_pixel(place, 80, 60, 120, 80, 40, 1);
    }
}

static void gamma_acts_on_the_level_and_not_on_the_2d_layer(void **state) {
    Place *place = *state;
    look_at_plain_floor(place, 16, 16, 16);    /* 64 after the engine's shift */
    begin(place, SHADE_LIT);
    place->frame.gamma = 2;
    frame_ui_quad(&place->frame, 0, 0, 10, 10, NULL, TEXTURE_WHITE, (Rgba){ 64, 64, 64, 255 }, NULL);
    draw(place);
    int want = (int)(255 * sqrt(64 / 255.0) + 0.5);
    assert_pixel(place, 80, 60, want, want, want, 1);
    assert_pixel(place, 5, 5, 64, 64, 64, 0);
}

static void a_point_is_where_the_projection_says(void **state) {
    Place *place = *state;
    use(place, "room");
    place->scene.angles = vec3_at(10, 20, 5);
    begin(place, SHADE_LIT);
    Vec3 at = vec3_at(200, 160, 40);
    float x, y, depth;
    assert_true(view_project(&place->frame.view, at, &x, &y, &depth));
    Vec3 size = vec3_at(1.5f, 1.5f, 1.5f);
    frame_box(&place->frame, (FrameBox){ { vec3_sub(at, size), vec3_add(at, size) }, red, 1, 0, true });
    draw(place);
    assert_pixel(place, (int)x, (int)y, 255, 0, 0, 0);
}

static void overlays_hide_behind_walls_unless_they_are_xray(void **state) {
    Place *place = *state;
    use(place, "room");
    Box behind = { vec3_at(290, 100, 40), vec3_at(300, 150, 80) };    /* the room ends at 256 */
    begin(place, SHADE_LIGHTMAP);
    draw(place);
    uint8_t wall[3];
    memcpy(wall, pixel(place, 80, 60), 3);
    begin(place, SHADE_LIGHTMAP);
    frame_box(&place->frame, (FrameBox){ behind, red, 1, 0, true });
    draw(place);
    assert_pixel(place, 80, 60, wall[0], wall[1], wall[2], 0);
    begin(place, SHADE_LIGHTMAP);
    frame_box(&place->frame, (FrameBox){ behind, red, 1, DRAW_XRAY, true });
    draw(place);
    assert_pixel(place, 80, 60, 255, 0, 0, 0);
}

static void overlays_blend_or_add(void **state) {
    Place *place = *state;
    forget_level(place);
    place->scene.origin = vec3_at(0, 0, 0);
    place->scene.angles = vec3_at(0, 0, 0);
    FrameVertex corners[3] = { { vec3_at(100, 500, -500), 0, 0, half_red }, { vec3_at(100, -500, -500), 0, 0, half_red }, { vec3_at(100, 0, 900), 0, 0, half_red } };
    begin(place, SHADE_LIT);
    place->frame.clear = (Rgba){ 0, 100, 0, 255 };
    frame_triangle(&place->frame, corners, TEXTURE_WHITE, 0);
    draw(place);
    assert_pixel(place, 80, 60, 128, 50, 0, 1);
    place->frame.triangles.at[0].flags = DRAW_ADD;
    draw(place);
    assert_pixel(place, 80, 60, 128, 100, 0, 1);
    /* Both sides are seen. */
    FrameVertex swapped = place->frame.vertices.at[0];
    place->frame.vertices.at[0] = place->frame.vertices.at[1];
    place->frame.vertices.at[1] = swapped;
    draw(place);
    assert_pixel(place, 80, 60, 128, 100, 0, 1);
}

static int count_pixels(const Place *place, int r, int g, int b) {
    int count = 0;
    for (int y = 0; y < place->image.height; y++)
        for (int x = 0; x < place->image.width; x++) {
            const uint8_t *p = pixel(place, x, y);
            count += p[0] == r && p[1] == g && p[2] == b;
        }
    return count;
}

static void lines_are_as_wide_as_they_say(void **state) {
    Place *place = *state;
    forget_level(place);
    place->scene.origin = vec3_at(0, 0, 0);
    place->scene.angles = vec3_at(0, 0, 0);
    static const float widths[] = { 1, 2, 5, 10 };
    for (int i = 0; i < COUNT_OF(widths); i++) {
        begin(place, SHADE_LIT);
        frame_line(&place->frame, (FrameLine){ vec3_at(100, 80, 1), vec3_at(100, -80, 1), red, red, widths[i], 0 });
        draw(place);
        int rows = 0;
        for (int y = 0; y < HEIGHT; y++)
            rows += pixel(place, 80, y)[0] == 255;
        assert_int_equal(rows, (int)widths[i]);
    }
    /* One that begins behind the eye is cut at the near plane. */
    begin(place, SHADE_LIT);
    frame_line(&place->frame, (FrameLine){ vec3_at(-100, 0, -1), vec3_at(100, 0, -1), red, green, 3, 0 });
    draw(place);
    assert_true(pixel(place, 80, 64)[0] + pixel(place, 80, 64)[1] > 200);
    assert_pixel(place, 80, 20, 10, 20, 30, 0);
}

static void the_edges_of_a_box_enclose_nothing(void **state) {
    Place *place = *state;
    forget_level(place);
    place->scene.origin = vec3_at(0, 0, 0);
    place->scene.angles = vec3_at(0, 0, 0);
    static const float widths[] = { 1, 3 };
    for (int i = 0; i < COUNT_OF(widths); i++) {
        begin(place, SHADE_LIT);
        frame_box(&place->frame, (FrameBox){ { vec3_at(100, -50, -30), vec3_at(200, 50, 30) }, red, widths[i], 0, false });
        draw(place);
        assert_pixel(place, 80, 60, 10, 20, 30, 0);
        int edges = count_pixels(place, 255, 0, 0);
        assert_true(edges > 200 * (int)widths[i] && edges < 500 * (int)widths[i]);
    }
}

static void a_tinted_face_takes_the_colour_and_an_outlined_one_its_border(void **state) {
    Place *place = *state;
    use(place, "room");
    place->scene.angles = vec3_at(90, 0, 0);
    begin(place, SHADE_FACE);
    draw(place);
    int floor = -1;
    for (int i = 0; i < place->level.map->face_count; i++)
        if (place->level.map->faces[i].normal.z > 0.9f)
            floor = i;
    assert_true(floor >= 0);
    Rgba own = color_of_number(floor);
    assert_pixel(place, 80, 60, own.r, own.g, own.b, 2);
    begin(place, SHADE_FACE);
    frame_face(&place->frame, (FrameFace){ floor, half_red, 0, true, 1 });
    draw(place);
    assert_pixel(place, 80, 60, (own.r + 255) / 2, own.g / 2, own.b / 2, 3);
    begin(place, SHADE_FACE);
    frame_face(&place->frame, (FrameFace){ floor, half_red, 0, true, 1 });
    frame_face(&place->frame, (FrameFace){ floor, green, 0, true, 1 });    /* the second of the same face lies over the first */
    draw(place);
    assert_pixel(place, 80, 60, 0, 255, 0, 0);
    place->scene.origin = vec3_at(128, 128, 120);
    begin(place, SHADE_FACE);
    frame_face(&place->frame, (FrameFace){ floor, red, DRAW_XRAY, false, 1 });
    draw(place);
    assert_pixel(place, 80, 60, own.r, own.g, own.b, 2);    /* not where its two triangles meet */
    assert_true(count_pixels(place, 255, 0, 0) == 0);       /* its border is out of the picture */
    place->scene.fov = 120;
    begin(place, SHADE_FACE);
    frame_face(&place->frame, (FrameFace){ floor, red, DRAW_XRAY, false, 1 });
    draw(place);
    assert_true(count_pixels(place, 255, 0, 0) > 100);
}

static void a_tint_moves_with_its_brush_model(void **state) {
    Place *place = *state;
    use(place, "door");
    int near_side = -1;
    for (int i = 0; i < place->level.map->face_count; i++)
        if (place->level.map->face_model[i] == 1 && place->level.map->faces[i].normal.x < -0.9f)
            near_side = i;
    assert_true(near_side >= 0);
    for (int fill = 0; fill < 2; fill++) {
        place->scene.poses[1].origin = vec3_at(-96, 0, 0);
        begin(place, SHADE_DEPTH);
        frame_face(&place->frame, (FrameFace){ near_side, red, 0, fill, 1 });
        draw(place);
        int at_100 = count_pixels(place, 255, 0, 0);
        place->scene.poses[1].origin = vec3_at(-146, 0, 0);    /* twice as near: four times the pixels, or twice the edges */
        begin(place, SHADE_DEPTH);
        frame_face(&place->frame, (FrameFace){ near_side, red, 0, fill, 1 });
        draw(place);
        int at_50 = count_pixels(place, 255, 0, 0);
        assert_true(at_100 > 50 && at_50 > at_100 * 3 / 2);
        place->scene.poses[1].shown = false;
        begin(place, SHADE_DEPTH);
        frame_face(&place->frame, (FrameFace){ near_side, red, 0, fill, 1 });
        draw(place);
        assert_int_equal(count_pixels(place, 255, 0, 0), 0);    /* of a model that is not drawn nothing is tinted */
        place->scene.poses[1].shown = true;
    }
}

static void the_2d_layer_counts_pixels_from_the_top_left_and_clips(void **state) {
    Place *place = *state;
    forget_level(place);
    begin(place, SHADE_LIT);
    frame_ui_quad(&place->frame, 20, 10, 30, 5, NULL, TEXTURE_WHITE, red, NULL);
    frame_ui_quad(&place->frame, 0, 40, 160, 20, NULL, TEXTURE_WHITE, green, (int[4]){ 100, 45, 10, 100 });
    frame_ui_quad(&place->frame, 0, 80, 160, 20, NULL, TEXTURE_WHITE, green, (int[4]){ -50, -50, 60, 2000000000 });
    draw(place);
    assert_pixel(place, 20, 10, 255, 0, 0, 0);
    assert_pixel(place, 49, 14, 255, 0, 0, 0);
    assert_pixel(place, 50, 14, 10, 20, 30, 0);
    assert_pixel(place, 19, 10, 10, 20, 30, 0);
    assert_pixel(place, 20, 15, 10, 20, 30, 0);
    assert_int_equal(count_pixels(place, 255, 0, 0), 150);
    assert_pixel(place, 105, 46, 0, 255, 0, 0);
    assert_pixel(place, 105, 44, 10, 20, 30, 0);
    assert_pixel(place, 99, 46, 10, 20, 30, 0);
    assert_pixel(place, 9, 85, 0, 255, 0, 0);
    assert_pixel(place, 10, 85, 10, 20, 30, 0);
}

static void a_moved_door_is_drawn_where_it_was_moved_to(void **state) {
    Place *place = *state;
    use(place, "door");
    begin(place, SHADE_DEPTH);
    assert_int_equal(place->frame.models.count, 1);
    draw(place);
    uint8_t closed = pixel(place, 80, 60)[0];
    assert_true(abs(closed - 255 * 512 / (512 + 196)) <= 2);    /* the door is in the doorway, 196 units ahead */
    place->scene.poses[1].origin = vec3_at(-96, 0, 0);
    begin(place, SHADE_DEPTH);
    draw(place);
    assert_true(abs(pixel(place, 80, 60)[0] - 255 * 512 / (512 + 100)) <= 2);
    place->scene.poses[1].origin = vec3_at(0, 0, 100);    /* up: the far wall of the second room is seen */
    begin(place, SHADE_DEPTH);
    draw(place);
    assert_true(abs(pixel(place, 80, 60)[0] - 255 * 512 / (512 + 468)) <= 2);
    /* A quarter turn about the vertical: its x 256..272 and y 96..160 are now y 256..272 and x -160..-96 from its origin. */
    place->scene.poses[1].origin = vec3_at(300, -136, 0);
    place->scene.poses[1].angles = vec3_at(0, 90, 0);
    begin(place, SHADE_DEPTH);
    draw(place);
    assert_true(abs(pixel(place, 80, 60)[0] - 255 * 512 / (512 + 80)) <= 2);    /* x 140, y 120..136 */
}

static void every_view_draws_the_room_and_those_of_soft_are_refused(void **state) {
    Place *place = *state;
    use(place, "everything");
    for (int shade = 0; shade < SHADE_COUNT; shade++) {
        begin(place, (Shade)shade);
        if (shade == SHADE_SPANS || shade == SHADE_EDGES) {
            Error error;
            assert_false(place->kind->draw(place->gl, &place->frame, &error));
            assert_non_null(strstr(error.text, "software"));
            continue;
        }
        draw(place);
        assert_true(count_pixels(place, 10, 20, 30) < WIDTH * HEIGHT);
    }
}

static void one_draw_call_shows_a_material_at_least(void **state) {
    Place *place = *state;
    use(place, "bend");
    place->scene.vis_mode = VIS_NONE;
    begin(place, SHADE_LIT);
    draw(place);
    place->scene.vis_mode = VIS_PVS;
    assert_true(stat_of(place, "draw_calls") <= place->level.map->texture_count);
    assert_true(stat_of(place, "faces") > 4);
    assert_true(stat_of(place, "triangles") >= 2 * stat_of(place, "faces"));
}

static void a_picture_may_have_any_size(void **state) {
    Place *place = *state;
    use(place, "room");
    static const int sizes[][2] = { { 1, 1 }, { 3, 5 }, { 641, 479 }, { 8192, 2 }, { 1, 8192 }, { WIDTH, HEIGHT } };
    for (int i = 0; i < COUNT_OF(sizes); i++) {
        frame_begin(&place->frame);
        scene_fill(&place->scene, &place->frame, sizes[i][0], sizes[i][1]);
        place->frame.shade = SHADE_NORMAL;
        draw(place);
        assert_int_equal(place->image.width, sizes[i][0]);
        assert_int_equal(place->image.height, sizes[i][1]);
    }
    Error error;
    place->frame.view.width = 0;
    assert_false(place->kind->draw(place->gl, &place->frame, &error));
    place->frame.view.width = 1 << 20;
    assert_false(place->kind->draw(place->gl, &place->frame, &error));
}

static void a_hostile_frame_is_drawn_or_refused_and_harms_nothing(void **state) {
    Place *place = *state;
    use(place, "room");
    begin(place, SHADE_LIT);
    const float end = 3e38f;
    frame_line(&place->frame, (FrameLine){ vec3_at(-end, 0, 0), vec3_at(end, 0, 0), red, red, 1e30f, 77 });
    frame_line(&place->frame, (FrameLine){ vec3_at(60, 128, 60), vec3_at(60, 128, 60), red, red, 4, 0 });
    frame_line(&place->frame, (FrameLine){ vec3_at(0, 0, 0), vec3_at(1, 1, 1), red, red, -5, 0 });
    frame_box(&place->frame, (FrameBox){ { vec3_at(end, end, end), vec3_at(-end, -end, -end) }, red, 1e20f, 0, false });
    frame_box(&place->frame, (FrameBox){ { vec3_at(-end, -end, -end), vec3_at(end, end, end) }, half_red, 0, DRAW_ADD, true });
    frame_ui_quad(&place->frame, -end, -end, end, end, NULL, 12345, red, (int[4]){ -2147483647 - 1, 5, 2147483647, -7 });
    frame_triangle(&place->frame, (FrameVertex[3]){ { vec3_at(end, 0, 0), 0, 0, red }, { vec3_at(0, end, 0), end, 0, red }, { vec3_at(0, 0, end), 0, -end, red } }, -3, 0);
    place->frame.gamma = NAN;
    place->frame.overbright = 99;
    place->frame.time = 1e300;
    draw(place);
    begin(place, SHADE_NORMAL);
    draw(place);
    assert_pixel(place, 80, 60, 0, 128, 128, 2);
    place->frame.view.origin.x = NAN;
    Error error;
    assert_false(place->kind->draw(place->gl, &place->frame, &error));
}

static void a_frame_of_a_level_that_was_not_given_is_refused(void **state) {
    Place *place = *state;
    use(place, "room");
    begin(place, SHADE_LIT);
    place->level.serial++;
    Error error;
    assert_false(place->kind->draw(place->gl, &place->frame, &error));
    assert_non_null(strstr(error.text, "another level"));
}

static void dynamic_lights_brighten_what_is_near_them(void **state) {
    Place *place = *state;
    look_at_plain_floor(place, 10, 10, 10);
    begin(place, SHADE_LIT);
    frame_light(&place->frame, (FrameLight){ vec3_at(60, 128, 0), 100, vec3_at(0.5f, 0, 0) });
    draw(place);
    assert_pixel(place, 80, 60, 40 + 127, 40, 40, 3);
    assert_pixel(place, 80, 119, 40 + 127 * 55 / 100, 40, 40, 6);    /* the picture's edge is 45 units away */
}

static void a_level_of_many_pages_is_the_same_in_many_arrays(void **state) {
    Place *place = *state;
    use(place, "everything");
    Map *map = (Map *)place->level.map;
    enum { PAGES = 5 };
    map->lightmaps = arena_array(place->arena, uint8_t, PAGES * LIGHTMAP_BYTES);
    map->lightmap_count = PAGES;
    for (int i = 0; i < PAGES * LIGHTMAP_BYTES; i++)
        map->lightmaps[i] = (uint8_t)((i / LIGHTMAP_BYTES + 1) * 12 + i % 11);
    for (int i = 0; i < map->face_count; i++)
        map->faces[i].lightmap = i % PAGES;
    for (int i = 0; i < place->level.geometry->vertex_count; i++)
        place->level.geometry->vertices[i].lightmap_uv = (Vec2){ (float)(i % 3) / 3, (float)(i % 5) / 5 };
    Error error;
    place->level.serial++;
    assert_true(place->kind->use_level(place->gl, &place->level, NULL, &error));
    begin(place, SHADE_LIGHTMAP);
    draw(place);
    Image one = place->image;
    place->image = (Image){ 0 };
    Vars *vars = vars_open();
    assert_true(var_set(vars, "gl.lightmap_layers", "2", &error));
    const RendererSetup setup = { .vars = vars, .shader_folder = place->shaders->path, .gl_loader = platform_gl_loader };
    void *other = place->kind->open(&setup, &error);
    assert_non_null(other);
    assert_true(place->kind->use_level(other, &place->level, NULL, &error));
    assert_true(place->kind->draw(other, &place->frame, &error));
    assert_true(place->kind->read_pixels(other, &place->image, &error));
    assert_memory_equal(place->image.rgba, one.rgba, WIDTH * HEIGHT * 4);
    image_free(&one);
    place->kind->close(other);
    vars_close(vars);
}


/* Pictures come from assets, by number. */
typedef struct Pictures { Files *files; Jobs *jobs; Assets *assets; int textures[8]; const Material *materials[8]; Material material; } Pictures;

static Image plain_image(int size, Rgba left, Rgba right) {
    Image image = image_make(size, size);
    for (int i = 0; i < size * size; i++)
        memcpy(image.rgba + 4 * i, i % size < size / 2 ? &left : &right, 4);
    image.has_alpha = left.a != 255 || right.a != 255;
    return image;
}

static void give_pictures(Place *place, Pictures *pictures, const char *level) {
    *pictures = (Pictures){ .files = files_open(NULL), .jobs = jobs_open(1) };
    pictures->assets = assets_open(pictures->files, pictures->jobs, NULL, NULL);
    use(place, level);
    assert_true(place->level.map->texture_count <= COUNT_OF(pictures->textures));
    int number = assets_texture_from(pictures->assets, "test picture", plain_image(64, red, green));
    for (int i = 0; i < place->level.map->texture_count; i++) {
        pictures->textures[i] = number;
        pictures->materials[i] = &pictures->material;
    }
    for (int i = 0; i < place->level.geometry->vertex_count; i++)    /* the left half of the picture everywhere */
        place->level.geometry->vertices[i].uv = (Vec2){ 0.25f, 0.5f };
    place->level.textures = pictures->textures;
    place->level.materials = pictures->materials;
    place->level.serial++;
    Error error;
    assert_true(place->kind->use_level(place->gl, &place->level, pictures->assets, &error));
}

static void take_pictures_back(Place *place, Pictures *pictures) {
    forget_level(place);
    Error error;
    assert_true(place->kind->use_level(place->gl, NULL, NULL, &error));
    assets_close(pictures->assets);
    jobs_close(pictures->jobs);
    files_close(pictures->files);
}

static void a_picture_that_changed_is_sent_anew(void **state) {
    Place *place = *state;
    Pictures pictures;
    give_pictures(place, &pictures, "room");
    begin(place, SHADE_TEXTURE);
    place->frame.assets = pictures.assets;
    draw(place);
    assert_pixel(place, 80, 60, 255, 0, 0, 0);
    assets_texture_from(pictures.assets, "test picture", plain_image(16, (Rgba){ 0, 0, 200, 255 }, green));
    draw(place);
    assert_pixel(place, 80, 60, 0, 0, 200, 0);
    int missing = assets_texture(pictures.assets, "textures/no/such/picture");
    for (int i = 0; i < place->level.map->texture_count; i++)
        pictures.textures[i] = missing;
    place->level.serial++;
    Error error;
    assert_true(place->kind->use_level(place->gl, &place->level, pictures.assets, &error));
    assert_int_equal(assets_texture_at(pictures.assets, missing)->state, TEXTURE_LOADING);
    draw(place);
    assert_pixel(place, 80, 60, 150, 150, 150, 0);    /* grey while it is on its way */
    assets_wait(pictures.assets);
    draw(place);    /* the checker: no colour of ours */
    assert_int_equal(count_pixels(place, 150, 150, 150), 0);
    assert_int_equal(count_pixels(place, 0, 0, 200), 0);
    take_pictures_back(place, &pictures);
}

static void pixels_below_the_alpha_limit_are_left_out(void **state) {
    Place *place = *state;
    Pictures pictures;
    give_pictures(place, &pictures, "room");
    assets_texture_from(pictures.assets, "test picture", plain_image(16, (Rgba){ 9, 9, 9, 100 }, green));
    static const struct { float limit; bool drawn; } cases[] = { { 0, true }, { 0.002f, true }, { 0.5f, false }, { -0.5f, true }, { -0.25f, false } };
    for (int i = 0; i < COUNT_OF(cases); i++) {
        pictures.material.alpha_test = cases[i].limit;
        place->level.serial++;
        Error error;
        assert_true(place->kind->use_level(place->gl, &place->level, pictures.assets, &error));
        begin(place, SHADE_TEXTURE);
        place->frame.assets = pictures.assets;
        draw(place);
        assert_int_equal(count_pixels(place, 9, 9, 9) > 0, cases[i].drawn);
    }
    take_pictures_back(place, &pictures);
}

static void a_material_says_which_side_is_drawn(void **state) {
    Place *place = *state;
    Pictures pictures;
    give_pictures(place, &pictures, "room");
    static const struct { MaterialCull cull; bool inside, outside; } cases[] = {
        { CULL_FRONT_SHOWN, true, false }, { CULL_BACK_SHOWN, false, true }, { CULL_NONE, true, true },
    };
    for (int i = 0; i < COUNT_OF(cases); i++) {
        pictures.material.cull = cases[i].cull;
        place->level.serial++;
        Error error;
        assert_true(place->kind->use_level(place->gl, &place->level, pictures.assets, &error));
        for (int outside = 0; outside < 2; outside++) {
            place->scene.origin = outside ? vec3_at(128, 128, 800) : vec3_at(128, 128, 60);    /* over the ceiling, under the floor's front */
            place->scene.angles = vec3_at(outside ? 90 : -90, 0, 0);
            place->scene.fov = outside ? 10 : 90;
            begin(place, SHADE_DEPTH);
            draw(place);
            int ceiling = 255 * 512 / (512 + (outside ? 800 - 128 : 128 - 60));
            bool there = abs(pixel(place, 80, 60)[0] - ceiling) <= 2;
            assert_int_equal(there, outside ? cases[i].outside : cases[i].inside);
        }
    }
    take_pictures_back(place, &pictures);
}

static void decals_come_before_what_is_seen_through(void **state) {
    Place *place = *state;
    Pictures pictures;
    give_pictures(place, &pictures, "room");
    assets_texture_from(pictures.assets, "test picture", plain_image(16, half_red, half_red));
    int blue = assets_texture_from(pictures.assets, "another picture", plain_image(16, (Rgba){ 0, 0, 255, 128 }, (Rgba){ 0, 0, 255, 128 }));
    Material decal = { .blended = true, .polygon_offset = true, .sort = 4, .source = BLEND_SRC_ALPHA, .destination = BLEND_ONE_MINUS_SRC_ALPHA };
    Material glass = decal;
    glass.polygon_offset = false;
    glass.sort = 9;
    /* The walls are glass, all else decals: through the ceiling, from above, the walls are farther than it is. */
    int wall = -1;
    for (int i = 0; i < place->level.map->face_count; i++)
        if (place->level.map->faces[i].normal.x < -0.9f)
            wall = place->level.map->faces[i].texture;
    assert_true(wall >= 0);
    for (int i = 0; i < place->level.map->texture_count; i++)
        pictures.materials[i] = i == wall ? &glass : &decal;
    glass.cull = decal.cull = CULL_NONE;
    pictures.textures[wall] = blue;
    place->level.serial++;
    Error error;
    assert_true(place->kind->use_level(place->gl, &place->level, pictures.assets, &error));
    place->scene.origin = vec3_at(128, 128, 60);
    place->scene.angles = vec3_at(60, 0, 0);
    place->scene.vis_mode = VIS_NONE;
    begin(place, SHADE_TEXTURE);
    place->frame.assets = pictures.assets;
    place->frame.clear = (Rgba){ 0, 0, 0, 255 };
    draw(place);
    assert_pixel(place, 80, 60, 128, 0, 0, 2);    /* the floor alone */
    place->scene.origin = vec3_at(128, 128, 400);
    place->scene.angles = vec3_at(90, 0, 0);
    begin(place, SHADE_TEXTURE);
    place->frame.assets = pictures.assets;
    place->frame.clear = (Rgba){ 0, 0, 0, 255 };
    draw(place);
    place->scene.vis_mode = VIS_PVS;
    int over = 0, under = 0;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            over += pixel(place, x, y)[2] > pixel(place, x, y)[0] && pixel(place, x, y)[0] > 0;     /* glass over decal: more blue */
            under += pixel(place, x, y)[0] > pixel(place, x, y)[2] && pixel(place, x, y)[2] > 0;    /* decal over glass */
        }
    assert_true(over > 100);
    assert_int_equal(under, 0);
    take_pictures_back(place, &pictures);
}

static void a_2d_picture_is_drawn_texel_by_pixel(void **state) {
    Place *place = *state;
    Pictures pictures;
    give_pictures(place, &pictures, "room");
    frame_begin(&place->frame);
    place->frame.view = view_make(vec3_at(0, 0, 0), vec3_at(0, 0, 0), 90, WIDTH, HEIGHT);
    place->frame.assets = pictures.assets;
    frame_ui_quad(&place->frame, 10, 20, 64, 64, NULL, pictures.textures[0], (Rgba){ 255, 255, 255, 255 }, NULL);
    draw(place);
    assert_pixel(place, 10, 20, 255, 0, 0, 0);    /* no trace of the other edge */
    assert_pixel(place, 41, 50, 255, 0, 0, 0);
    assert_pixel(place, 42, 50, 0, 255, 0, 0);
    assert_pixel(place, 73, 83, 0, 255, 0, 0);
    take_pictures_back(place, &pictures);
}


/* What stands in the window's own framebuffer: 16 by 16 pixels without a display. */
typedef void BindFramebuffer(unsigned target, unsigned name);
typedef void ReadPixels(int x, int y, int width, int height, unsigned format, unsigned kind, void *out);

static void read_window(uint8_t out[16 * 16 * 4]) {
    enum { FRAMEBUFFER = 0x8D40, RGBA = 0x1908, UNSIGNED_BYTE = 0x1401 };
    BindFramebuffer *bind;
    ReadPixels *read;
    void *address = platform_gl_loader("glBindFramebuffer");
    memcpy(&bind, &address, sizeof bind);
    address = platform_gl_loader("glReadPixels");
    memcpy(&read, &address, sizeof read);
    bind(FRAMEBUFFER, 0);
    read(0, 0, 16, 16, RGBA, UNSIGNED_BYTE, out);    /* from the bottom up */
}

static void the_window_shows_the_picture_the_right_way_up(void **state) {
    Place *place = *state;
    forget_level(place);
    frame_begin(&place->frame);
    place->frame.view = view_make(vec3_at(0, 0, 0), vec3_at(0, 0, 0), 90, 32, 32);
    frame_ui_quad(&place->frame, 0, 0, 32, 8, NULL, TEXTURE_WHITE, red, NULL);    /* a red top on black */
    draw(place);
    uint8_t window[16 * 16 * 4];
    gl_present(place->gl, 16, 16);
    read_window(window);
    assert_int_equal(window[(15 * 16 + 8) * 4], 255);
    assert_int_equal(window[8 * 4], 0);
    Image image = image_make(16, 16);
    memcpy(image.rgba + (2 * 16 + 5) * 4, &green, 4);    /* third row from the top */
    gl_show_image(place->gl, &image, 16, 16);
    image_free(&image);
    read_window(window);
    assert_int_equal(window[((15 - 2) * 16 + 5) * 4 + 1], 255);
    assert_int_equal(window[(2 * 16 + 5) * 4 + 1], 0);
    draw(place);    /* and the renderer's own picture is as before */
    assert_pixel(place, 16, 4, 255, 0, 0, 0);
    assert_pixel(place, 16, 20, 0, 0, 0, 0);
}


/* Replaces a text in a shader of the folder and tells the renderer. */
static void change_shader(Place *place, const char *name, const char *from, const char *to) {
    Error error;
    FileBytes bytes;
    assert_true(file_read_disk(temp_path(place->shaders, name), &bytes, &error));
    const char *text = (const char *)bytes.bytes, *at = strstr(text, from);
    assert_non_null(at);
    Text changed = { 0 };
    text_add_n(&changed, text, (size_t)(at - text));
    text_add(&changed, to);
    text_add(&changed, at + strlen(from));
    temp_text(place->shaders, name, text_of(&changed));
    text_free(&changed);
    file_free(&bytes);
    place->kind->file_changed(place->gl, temp_path(place->shaders, name));
}

static void a_changed_shader_shows_at_once_and_a_broken_one_changes_nothing(void **state) {
    Place *place = *state;
    use(place, "room");
    static const char was[] = "return vec4(normalize(normal + 1e-6) * 0.5 + 0.5, 1.0);";
    change_shader(place, "world.frag.glsl", was, "return vec4(1.0, 0.0, 1.0, 1.0);");
    assert_null(place->kind->problem(place->gl));
    begin(place, SHADE_NORMAL);
    draw(place);
    assert_pixel(place, 80, 60, 255, 0, 255, 0);
    change_shader(place, "world.frag.glsl", "return vec4(1.0, 0.0, 1.0, 1.0);", "return no_such_thing;");
    const char *problem = place->kind->problem(place->gl);
    assert_non_null(problem);
    /* File and line, as an editor reads them. */
    FileBytes bytes;
    Error error;
    assert_true(file_read_disk(temp_path(place->shaders, "world.frag.glsl"), &bytes, &error));
    int line = 1;
    for (const char *c = (const char *)bytes.bytes; c < strstr((const char *)bytes.bytes, "no_such_thing"); c++)
        line += *c == '\n';
    file_free(&bytes);
    Text place_name = { 0 };
    text_format(&place_name, "shaders/world.frag.glsl:%d: ", line);
    if (strncmp(problem, text_of(&place_name), place_name.count) != 0 || !strstr(problem, "no_such_thing"))
        fail_msg("\"%s\" does not begin with \"%s\"", problem, text_of(&place_name));
    text_free(&place_name);
    begin(place, SHADE_NORMAL);
    draw(place);
    assert_pixel(place, 80, 60, 255, 0, 255, 0);    /* the last good one */
    change_shader(place, "world.frag.glsl", "return no_such_thing;", was);
    assert_null(place->kind->problem(place->gl));
    draw(place);
    assert_pixel(place, 80, 60, 0, 128, 128, 2);
}

static void a_fault_in_the_common_text_is_told_there(void **state) {
    Place *place = *state;
    change_shader(place, "common.glsl", "uniform Frame {", "uniform Frame { oops");
    assert_non_null(strstr(place->kind->problem(place->gl), "shaders/common.glsl:2: "));
    change_shader(place, "common.glsl", "uniform Frame { oops", "uniform Frame {");
    assert_null(place->kind->problem(place->gl));
    change_shader(place, "ui.frag.glsl", "#version", "version");
    assert_non_null(strstr(place->kind->problem(place->gl), "no #version"));
    change_shader(place, "ui.frag.glsl", "version", "#version");
    assert_null(place->kind->problem(place->gl));
}

static void without_a_context_or_shaders_it_does_not_open(void **state) {
    Place *place = *state;
    Error error;
    assert_null(place->kind->open(&(RendererSetup){ .vars = place->vars, .shader_folder = place->shaders->path }, &error));
    assert_non_null(strstr(error.text, "no OpenGL context"));
    const RendererSetup nowhere = { .vars = place->vars, .shader_folder = "no/such/folder", .gl_loader = platform_gl_loader };
    assert_null(place->kind->open(&nowhere, &error));
    assert_non_null(strstr(error.text, "no/such/folder"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_level_is_the_clear_colour),
        cmocka_unit_test(the_normal_view_knows_up_left_and_ahead),
        cmocka_unit_test(from_outside_the_walls_show_their_backs_and_are_not_drawn),
        cmocka_unit_test(lightmaps_are_as_bright_as_the_engine_has_them),
        cmocka_unit_test(faces_without_a_lightmap_page_are_lit_by_their_vertices),
        cmocka_unit_test(gamma_acts_on_the_level_and_not_on_the_2d_layer),
        cmocka_unit_test(a_point_is_where_the_projection_says),
        cmocka_unit_test(overlays_hide_behind_walls_unless_they_are_xray),
        cmocka_unit_test(overlays_blend_or_add),
        cmocka_unit_test(lines_are_as_wide_as_they_say),
        cmocka_unit_test(the_edges_of_a_box_enclose_nothing),
        cmocka_unit_test(a_tinted_face_takes_the_colour_and_an_outlined_one_its_border),
        cmocka_unit_test(a_tint_moves_with_its_brush_model),
        cmocka_unit_test(the_2d_layer_counts_pixels_from_the_top_left_and_clips),
        cmocka_unit_test(a_moved_door_is_drawn_where_it_was_moved_to),
        cmocka_unit_test(every_view_draws_the_room_and_those_of_soft_are_refused),
        cmocka_unit_test(one_draw_call_shows_a_material_at_least),
        cmocka_unit_test(a_picture_may_have_any_size),
        cmocka_unit_test(a_hostile_frame_is_drawn_or_refused_and_harms_nothing),
        cmocka_unit_test(a_frame_of_a_level_that_was_not_given_is_refused),
        cmocka_unit_test(dynamic_lights_brighten_what_is_near_them),
        cmocka_unit_test(a_level_of_many_pages_is_the_same_in_many_arrays),
        cmocka_unit_test(a_picture_that_changed_is_sent_anew),
        cmocka_unit_test(pixels_below_the_alpha_limit_are_left_out),
        cmocka_unit_test(a_material_says_which_side_is_drawn),
        cmocka_unit_test(decals_come_before_what_is_seen_through),
        cmocka_unit_test(a_2d_picture_is_drawn_texel_by_pixel),
        cmocka_unit_test(the_window_shows_the_picture_the_right_way_up),
        cmocka_unit_test(a_changed_shader_shows_at_once_and_a_broken_one_changes_nothing),
        cmocka_unit_test(a_fault_in_the_common_text_is_told_there),
        cmocka_unit_test(without_a_context_or_shaders_it_does_not_open),
    };
    return cmocka_run_group_tests(tests, group_setup, group_teardown);
}
