/* Models into the frame: those that the rows or the frustum hide are left out, the others are posed, placed and lit. */
#include "support/test.h"

#include <math.h>

#include "scene/scene.h"
#include "support/level_map.h"

typedef struct Place { Arena *arena; Level level; Scene scene; Frame frame; Model model; ModelSurface surface; ModelFrame frames[2]; ModelLook look; } Place;

/* A triangle 16 units wide that is 32 units higher in the second frame; its normals point up. */
static void make_model(Place *place) {
    static uint16_t indexes[3] = { 0, 1, 2 };
    static Vec2 uv[3] = { { 0, 0 }, { 1, 0 }, { 0, 1 } };
    ModelVertex *vertices = arena_array(place->arena, ModelVertex, 6);
    static const int16_t at[3][2] = { { -512, -512 }, { 512, -512 }, { -512, 512 } };
    for (int i = 0; i < 6; i++)
        vertices[i] = (ModelVertex){ { at[i % 3][0], at[i % 3][1], (int16_t)(i < 3 ? 0 : 32 * 64) }, 0 };
    place->surface = (ModelSurface){ .uv = uv, .vertex_count = 3, .indexes = indexes, .triangle_count = 1, .vertices = vertices };
    place->frames[0].bounds = (Box){ vec3_at(-8, -8, 0), vec3_at(8, 8, 0) };
    place->frames[1].bounds = (Box){ vec3_at(-8, -8, 32), vec3_at(8, 8, 32) };
    place->model = (Model){ .frames = place->frames, .frame_count = 2, .surfaces = &place->surface, .surface_count = 1, .triangle_count = 1 };
    place->look = (ModelLook){ .texture = 7, .alpha_test = 0.5f, .blended = true };
}

static Place *place_open(const char *name) {
    Place *place = mem_zeroed(1, sizeof *place);
    place->arena = arena_open();
    place->level.map = level_map(place->arena, name);
    place->level.geometry = bsp_geometry(place->level.map, 4, place->arena);
    place->level.serial = 1;
    scene_open(&place->scene);
    scene_use_level(&place->scene, &place->level);
    frame_open(&place->frame);
    make_model(place);
    return place;
}

static void place_close(Place *place) {
    frame_close(&place->frame);
    scene_close(&place->scene);
    arena_close(place->arena);
    mem_free(place);
}

static void look(Place *place, Vec3 origin, Vec3 angles) {
    place->scene.origin = origin;
    place->scene.angles = angles;
    frame_begin(&place->frame);
    scene_fill(&place->scene, &place->frame, 320, 200);
}

static SceneModel at(const Place *place, Vec3 origin) {
    return (SceneModel){ .model = &place->model, .surfaces = &place->look, .origin = origin, .axes = axes_from_angles(vec3_at(0, 0, 0)),
                         .scale = 1, .tint = { 255, 255, 255, 255 } };
}

static void what_rows_and_frustum_hide_is_left_out(void **state) {
    (void)state;
    Place *place = place_open("bend");
    look(place, vec3_at(32, 128, 64), vec3_at(0, 0, 0));
    SceneModel here = at(place, vec3_at(128, 128, 64)), behind = at(place, vec3_at(8, 128, 64)), unseen = at(place, vec3_at(400, 400, 64));
    assert_true(scene_add_model(&place->scene, &place->frame, &here));
    assert_false(scene_add_model(&place->scene, &place->frame, &behind));
    assert_false(scene_add_model(&place->scene, &place->frame, &unseen));    /* room 4 is not seen from room 0 */
    assert_int_equal(place->frame.meshes.count, 1);
    assert_int_equal(place->frame.model_instances, 3);
    assert_int_equal(place->frame.models_hidden, 2);
    assert_true(place->frame.meshes.at[0].inside);
    place->scene.vis_mode = VIS_NONE;
    look(place, vec3_at(32, 128, 64), vec3_at(0, 0, 0));
    assert_true(scene_add_model(&place->scene, &place->frame, &unseen));
    place_close(place);
}

static void a_model_is_posed_and_placed(void **state) {
    (void)state;
    Place *place = place_open("room");
    look(place, vec3_at(32, 128, 64), vec3_at(0, 0, 0));
    SceneModel model = at(place, vec3_at(128, 128, 20));
    model.axes = axes_from_angles(vec3_at(0, 90, 0));    /* its x is the level's y */
    model.scale = 2;
    model.old_frame = 0;
    model.frame = 1;
    model.mix = 0.5f;
    assert_true(scene_add_model(&place->scene, &place->frame, &model));
    const FrameMesh *mesh = &place->frame.meshes.at[0];
    Vec3 p = mesh->positions[1];    /* 8, -8, 16 of its own */
    assert_true(fabsf(p.x - (128 + 16)) < 1e-3f && fabsf(p.y - (128 + 16)) < 1e-3f && fabsf(p.z - (20 + 32)) < 1e-3f);
    assert_true(mesh->texture == 7 && mesh->alpha_test == 0.5f && mesh->blended);
    place->look.hidden = true;
    assert_true(scene_add_model(&place->scene, &place->frame, &model));
    assert_int_equal(place->frame.meshes.count, 1);    /* a surface that is not drawn */
    place_close(place);
}

static void light_comes_from_the_grid_and_from_lights_near(void **state) {
    (void)state;
    Place *place = place_open("unlit");    /* no grid: the engine's flat light, from above */
    look(place, vec3_at(32, 128, 64), vec3_at(0, 0, 0));
    place->frame.overbright = 1;
    SceneModel model = at(place, vec3_at(128, 128, 20));
    assert_true(scene_add_model(&place->scene, &place->frame, &model));
    Rgba plain = place->frame.meshes.at[0].colors[0];
    float up = 0.9f / sqrtf(0.45f * 0.45f + 0.3f * 0.3f + 0.9f * 0.9f);
    int expected = (int)(150 * 0.6f + 16 + 150 * up + 0.5f);
    assert_true(abs(plain.r - expected) <= 1 && plain.r == plain.g && plain.a == 255);
    frame_light(&place->frame, (FrameLight){ vec3_at(128, 128, 60), 100, vec3_at(0.1f, 0, 0) });
    assert_true(scene_add_model(&place->scene, &place->frame, &model));
    Rgba redder = place->frame.meshes.at[1].colors[0];
    assert_true(redder.r > plain.r && redder.g == plain.g);
    model.bright = true;
    model.tint = (Rgba){ 10, 20, 30, 40 };
    assert_true(scene_add_model(&place->scene, &place->frame, &model));
    Rgba own = place->frame.meshes.at[2].colors[0];
    assert_true(own.r == 10 && own.g == 20 && own.b == 30 && own.a == 40);
    place_close(place);
}

static void numbers_beyond_all_bounds_are_dropped(void **state) {
    (void)state;
    Place *place = place_open("room");
    look(place, vec3_at(32, 128, 64), vec3_at(0, 0, 0));
    SceneModel model = at(place, vec3_at(NAN, 0, 0));
    assert_false(scene_add_model(&place->scene, &place->frame, &model));
    model = at(place, vec3_at(128, 128, 64));
    model.scale = INFINITY;
    assert_false(scene_add_model(&place->scene, &place->frame, &model));
    model.scale = 3e38f;    /* its box is no longer finite */
    assert_false(scene_add_model(&place->scene, &place->frame, &model));
    model.scale = 1;
    model.mix = NAN;
    assert_false(scene_add_model(&place->scene, &place->frame, &model));
    model.mix = 0;
    model.frame = 1000000;    /* frame 0, as in the engine */
    model.old_frame = -5;
    assert_true(scene_add_model(&place->scene, &place->frame, &model));
    place_close(place);
}

static void far_models_have_less_detail(void **state) {
    (void)state;
    View view = view_make(vec3_at(0, 0, 0), vec3_at(0, 0, 0), 90, 320, 200);
    Box box = { vec3_at(-8, -8, -8), vec3_at(8, 8, 8) };
    assert_int_equal(scene_model_lod(&view, box, vec3_at(50, 0, 0), 1, 3), 0);
    assert_int_equal(scene_model_lod(&view, box, vec3_at(5000, 0, 0), 1, 3), 2);
    assert_int_equal(scene_model_lod(&view, box, vec3_at(5000, 0, 0), 1, 1), 0);
    assert_int_equal(scene_model_lod(&view, box, vec3_at(-50, 0, 0), 1, 3), 0);
    assert_int_equal(scene_model_lod(&view, box, vec3_at(5000, 0, 0), 1000, 3), 0);
    int last = 0;
    for (int distance = 10; distance < 2000; distance += 10) {
        int lod = scene_model_lod(&view, box, vec3_at((float)distance, 0, 0), 1, 3);
        assert_true(lod >= last);
        last = lod;
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_rows_and_frustum_hide_is_left_out),
        cmocka_unit_test(a_model_is_posed_and_placed),
        cmocka_unit_test(light_comes_from_the_grid_and_from_lights_near),
        cmocka_unit_test(numbers_beyond_all_bounds_are_dropped),
        cmocka_unit_test(far_models_have_less_detail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
