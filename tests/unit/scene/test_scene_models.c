/* Models into the frame: those that the rows or the frustum hide are left out, the others are posed, placed and lit. */
#include "support/test.h"

#include <math.h>

#include "support/scene_place.h"

typedef struct Place { ScenePlace *in; Model model; ModelSurface surface; ModelFrame frames[2]; ModelLook look; } Place;

/* A triangle 16 units wide that is 32 units higher in the second frame; its normals point up. */
static void make_model(Place *place) {
    static uint16_t indexes[3] = { 0, 1, 2 };
    static Vec2 uv[3] = { { 0, 0 }, { 1, 0 }, { 0, 1 } };
    ModelVertex *vertices = arena_array(place->in->arena, ModelVertex, 6);
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
    place->in = scene_place_open(name);
    make_model(place);
    return place;
}

static void place_close(Place *place) {
    scene_place_close(place->in);
    mem_free(place);
}

static SceneModel at(const Place *place, Vec3 origin) {
    return (SceneModel){ .model = &place->model, .surfaces = &place->look, .origin = origin, .axes = axes_from_angles(vec3_at(0, 0, 0)),
                         .scale = 1, .tint = { 255, 255, 255, 255 } };
}

static void what_rows_and_frustum_hide_is_left_out(void **state) {
    (void)state;
    Place *place = place_open("bend");
    scene_place_look(place->in, vec3_at(32, 128, 64), vec3_at(0, 0, 0));
    SceneModel here = at(place, vec3_at(128, 128, 64)), behind = at(place, vec3_at(8, 128, 64)), unseen = at(place, vec3_at(400, 400, 64));
    assert_true(scene_add_model(&place->in->scene, &place->in->frame, &here));
    assert_false(scene_add_model(&place->in->scene, &place->in->frame, &behind));
    assert_false(scene_add_model(&place->in->scene, &place->in->frame, &unseen));    /* room 4 is not seen from room 0 */
    assert_int_equal(place->in->frame.meshes.count, 1);
    assert_int_equal(place->in->frame.model_instances, 3);
    assert_int_equal(place->in->frame.models_hidden, 2);
    assert_true(place->in->frame.meshes.at[0].inside);
    place->in->scene.vis_mode = VIS_NONE;
    scene_place_look(place->in, vec3_at(32, 128, 64), vec3_at(0, 0, 0));
    assert_true(scene_add_model(&place->in->scene, &place->in->frame, &unseen));
    place_close(place);
}

static void a_model_is_posed_and_placed(void **state) {
    (void)state;
    Place *place = place_open("room");
    scene_place_look(place->in, vec3_at(32, 128, 64), vec3_at(0, 0, 0));
    SceneModel model = at(place, vec3_at(128, 128, 20));
    model.axes = axes_from_angles(vec3_at(0, 90, 0));    /* its x is the level's y */
    model.scale = 2;
    model.old_frame = 0;
    model.frame = 1;
    model.mix = 0.5f;
    assert_true(scene_add_model(&place->in->scene, &place->in->frame, &model));
    const FrameMesh *mesh = &place->in->frame.meshes.at[0];
    Vec3 p = mesh->positions[1];    /* 8, -8, 16 of its own */
    assert_true(fabsf(p.x - (128 + 16)) < 1e-3f && fabsf(p.y - (128 + 16)) < 1e-3f && fabsf(p.z - (20 + 32)) < 1e-3f);
    assert_true(mesh->texture == 7 && mesh->alpha_test == 0.5f && mesh->blended);
    place->look.hidden = true;
    assert_true(scene_add_model(&place->in->scene, &place->in->frame, &model));
    assert_int_equal(place->in->frame.meshes.count, 1);    /* a surface that is not drawn */
    place_close(place);
}

static void light_comes_from_the_grid_and_from_lights_near(void **state) {
    (void)state;
    Place *place = place_open("unlit");    /* no grid: the engine's flat light, from above */
    scene_place_look(place->in, vec3_at(32, 128, 64), vec3_at(0, 0, 0));
    place->in->frame.overbright = 1;
    SceneModel model = at(place, vec3_at(128, 128, 20));
    assert_true(scene_add_model(&place->in->scene, &place->in->frame, &model));
    Rgba plain = place->in->frame.meshes.at[0].colors[0];
    float up = 0.9f / sqrtf(0.45f * 0.45f + 0.3f * 0.3f + 0.9f * 0.9f);
    int expected = (int)(150 * 0.6f + 16 + 150 * up + 0.5f);
    assert_true(abs(plain.r - expected) <= 1 && plain.r == plain.g && plain.a == 255);
    frame_light(&place->in->frame, (FrameLight){ vec3_at(128, 128, 60), 100, vec3_at(0.1f, 0, 0) });
    assert_true(scene_add_model(&place->in->scene, &place->in->frame, &model));
    Rgba redder = place->in->frame.meshes.at[1].colors[0];
    assert_true(redder.r > plain.r && redder.g == plain.g);
    model.bright = true;
    model.tint = (Rgba){ 10, 20, 30, 40 };
    assert_true(scene_add_model(&place->in->scene, &place->in->frame, &model));
    Rgba own = place->in->frame.meshes.at[2].colors[0];
    assert_true(own.r == 10 && own.g == 20 && own.b == 30 && own.a == 40);
    place_close(place);
}

static void numbers_beyond_all_bounds_are_dropped(void **state) {
    (void)state;
    Place *place = place_open("room");
    scene_place_look(place->in, vec3_at(32, 128, 64), vec3_at(0, 0, 0));
    SceneModel model = at(place, vec3_at(NAN, 0, 0));
    assert_false(scene_add_model(&place->in->scene, &place->in->frame, &model));
    model = at(place, vec3_at(128, 128, 64));
    model.scale = INFINITY;
    assert_false(scene_add_model(&place->in->scene, &place->in->frame, &model));
    model.scale = 3e38f;    /* its box is no longer finite */
    assert_false(scene_add_model(&place->in->scene, &place->in->frame, &model));
    model.scale = 1;
    model.mix = NAN;
    assert_false(scene_add_model(&place->in->scene, &place->in->frame, &model));
    model.mix = 0;
    model.frame = 1000000;    /* frame 0, as in the engine */
    model.old_frame = -5;
    assert_true(scene_add_model(&place->in->scene, &place->in->frame, &model));
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

static LookStage stage_of(ColorGen color) {
    return (LookStage){ .map = STAGE_IMAGE, .textures = { 9 }, .texture_count = 1, .source = BLEND_ONE, .destination = BLEND_ZERO, .depth_write = true,
                        .color_gen = color, .alpha_gen = ALPHAGEN_IDENTITY };
}

static void stages_are_worked_out_for_each_vertex(void **state) {
    (void)state;
    Place *place = place_open("room");
    Look worn = { .stage_count = 2, .stages = { stage_of(COLOR_LIGHTING_DIFFUSE), stage_of(COLOR_ENTITY) }, .sort = 7, .polygon_offset = true };
    worn.stages[1].blends = true;
    worn.stages[1].source = BLEND_DST_COLOR;
    worn.stages[1].texcoord_gen = TEXCOORD_ENVIRONMENT;
    place->look.look = &worn;
    scene_place_look(place->in, vec3_at(32, 128, 64), vec3_at(0, 0, 0));
    SceneModel model = at(place, vec3_at(128, 128, 20));
    model.tint = (Rgba){ 255, 128, 0, 255 };
    assert_true(scene_add_model(&place->in->scene, &place->in->frame, &model));
    const FrameMesh *mesh = &place->in->frame.meshes.at[0];
    assert_true(mesh->stage_count == 2 && mesh->sort == 7 && mesh->offset);
    assert_memory_equal(mesh->stages[0].colors, mesh->colors, 3 * sizeof *mesh->colors);
    assert_true(mesh->stages[0].uv[1].x == 1 && !mesh->stages[0].multiplies && mesh->stages[0].depth_write);
    Rgba own = mesh->stages[1].colors[2];
    assert_true(own.r == 255 && own.g == 128 && own.b == 0 && mesh->stages[1].multiplies && mesh->stages[1].texture == 9);
    /* The eye mirrored in a floor: z of the direction to it turns about, and comes back as t. */
    Vec3 away = vec3_normalized(vec3_sub(vec3_at(32, 128, 64), mesh->positions[0]));
    Vec2 uv = mesh->stages[1].uv[0];
    assert_true(fabsf(uv.x - (0.5f - away.y * 0.5f)) < 1e-4f && fabsf(uv.y - (0.5f - away.z * 0.5f)) < 1e-4f);
    model.scale = 0.01f;    /* its own space grows: the eye is as far in it as before on the screen */
    model.origin = vec3_at(42, 128, 63);
    assert_true(scene_add_model(&place->in->scene, &place->in->frame, &model));
    mesh = &place->in->frame.meshes.at[1];
    away = vec3_normalized(vec3_sub(vec3_at(32, 128, 64), mesh->positions[0]));
    uv = mesh->stages[1].uv[0];
    assert_true(fabsf(uv.x - (0.5f - away.y * 0.5f)) < 1e-3f && fabsf(uv.y - (0.5f - away.z * 0.5f)) < 1e-3f);
    place->in->frame.shade = SHADE_TEXTURE;    /* the other views show one picture */
    assert_true(scene_add_model(&place->in->scene, &place->in->frame, &model));
    assert_int_equal(place->in->frame.meshes.at[2].stage_count, 0);
    place_close(place);
}

static void deforms_move_vertices_before_they_are_placed(void **state) {
    (void)state;
    Place *place = place_open("room");
    Look worn = { .stage_count = 1, .stages = { stage_of(COLOR_LIGHTING_DIFFUSE) }, .deform_count = 1 };
    worn.deforms[0] = (Deform){ DEFORM_MOVE, { WAVE_SQUARE, 0, 1, 0, 1 }, { 0, 0, 5 } };
    place->look.look = &worn;
    scene_place_look(place->in, vec3_at(32, 128, 64), vec3_at(0, 0, 0));
    SceneModel model = at(place, vec3_at(128, 128, 20));
    model.scale = 2;
    assert_true(scene_add_model(&place->in->scene, &place->in->frame, &model));
    assert_true(fabsf(place->in->frame.meshes.at[0].positions[0].z - 30) < 1e-3f);
    assert_false(place->in->frame.meshes.at[0].inside);
    place->in->frame.time = 0.75;
    assert_true(scene_add_model(&place->in->scene, &place->in->frame, &model));
    assert_true(fabsf(place->in->frame.meshes.at[1].positions[0].z - 10) < 1e-3f);
    place_close(place);
}

/* The floor of the first room of "everything" lies in fog, 32 units deep. */
static void fog_lies_over_models_in_it(void **state) {
    (void)state;
    Place *place = place_open("everything");
    Look fog = { .fog = true, .fog_color = { { 0.5f, 0.25f, 1 } }, .fog_depth = 100 };
    const Look *fogs[1] = { &fog };
    assert_int_equal(place->in->level.map->effect_count, 1);
    place->in->level.fogs = fogs;
    place->look.blended = false;
    scene_place_look(place->in, vec3_at(32, 128, 30), vec3_at(0, 0, 0));
    SceneModel model = at(place, vec3_at(82, 128, 10));
    assert_true(scene_add_model(&place->in->scene, &place->in->frame, &model));
    const FrameMesh *mesh = &place->in->frame.meshes.at[0];
    assert_int_equal(mesh->stage_count, 2);
    const FrameStage *veil = &mesh->stages[1];
    assert_true(veil->blends && veil->source == BLEND_SRC_ALPHA && veil->destination == BLEND_ONE_MINUS_SRC_ALPHA && veil->depth_equal && !veil->depth_write);
    float far = (mesh->positions[0].x - 32) / 100;    /* along the view */
    assert_true(abs(veil->colors[0].a - (int)(255 * sqrtf(far))) <= 4);
    assert_true(veil->colors[0].r == 64 && veil->colors[0].g == 32 && veil->colors[0].b == 128);    /* at overbright 1 the light is half */
    model.origin = vec3_at(82, 128, 60);    /* above it */
    assert_true(scene_add_model(&place->in->scene, &place->in->frame, &model));
    assert_int_equal(place->in->frame.meshes.at[1].stage_count, 0);
    Look glow = { .stage_count = 1, .stages = { stage_of(COLOR_IDENTITY) } };
    glow.stages[0].blends = true;
    glow.stages[0].destination = BLEND_ONE;
    place->look.look = &glow;
    place->look.blended = true;
    model.origin = vec3_at(82, 128, 10);
    assert_true(scene_add_model(&place->in->scene, &place->in->frame, &model));
    mesh = &place->in->frame.meshes.at[2];
    assert_int_equal(mesh->stage_count, 1);    /* what is added gets weaker instead */
    assert_true(abs(mesh->stages[0].colors[0].r - (int)(255 * (1 - sqrtf(far)))) <= 4);
    place_close(place);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_rows_and_frustum_hide_is_left_out),
        cmocka_unit_test(a_model_is_posed_and_placed),
        cmocka_unit_test(light_comes_from_the_grid_and_from_lights_near),
        cmocka_unit_test(stages_are_worked_out_for_each_vertex),
        cmocka_unit_test(deforms_move_vertices_before_they_are_placed),
        cmocka_unit_test(fog_lies_over_models_in_it),
        cmocka_unit_test(numbers_beyond_all_bounds_are_dropped),
        cmocka_unit_test(far_models_have_less_detail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
