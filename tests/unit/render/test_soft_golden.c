/* Golden pictures of the software renderer: the level that we ship, drawn with the same bits on every machine.
 *
 * The pictures stand in tests/golden/. After a change that is meant to be seen, LEAFWALK_GOLDEN=write in the environment
 * writes them anew: look at them before they are kept. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/trig.h"
#include "record/record.h"
#include "render/soft/soft.h"
#include "scene/scene.h"
#include "support/drawn.h"

typedef struct Golden { const char *name; Vec3 origin, angles; Shade shade; const char *filter, *lighting; } Golden;

static const Golden goldens[] = {
    { "room", { .x = 56, .y = 64, .z = 50 }, { .x = 5, .y = 30 }, SHADE_LIT, "bilinear", "auto" },
    { "room_nearest", { .x = 56, .y = 64, .z = 50 }, { .x = 5, .y = 30 }, SHADE_LIT, "nearest", "auto" },
    { "room_pixel", { .x = 56, .y = 64, .z = 50 }, { .x = 5, .y = 30 }, SHADE_LIT, "bilinear", "pixel" },
    { "bend", { .x = 816, .y = 256, .z = 60 }, { .x = 10, .y = 100, .z = 15 }, SHADE_LIT, "bilinear", "auto" },
    { "second_room", { .x = 624, .y = 1104, .z = 50 }, { .x = -10, .y = 250 }, SHADE_LIT, "bilinear", "auto" },
    { "lightmap", { .x = 624, .y = 1104, .z = 50 }, { .x = -10, .y = 250 }, SHADE_LIGHTMAP, "bilinear", "auto" },
    { "texture", { .x = 624, .y = 1104, .z = 50 }, { .x = 20, .y = 300 }, SHADE_TEXTURE, "bilinear", "auto" },
    { "depth", { .x = 816, .y = 256, .z = 60 }, { .x = 0, .y = 90 }, SHADE_DEPTH, "bilinear", "auto" },
    { "face", { .x = 816, .y = 256, .z = 60 }, { .x = 0, .y = 90 }, SHADE_FACE, "bilinear", "auto" },
    { "spans", { .x = 816, .y = 256, .z = 60 }, { .x = 0, .y = 90 }, SHADE_SPANS, "bilinear", "auto" },
    { "edges", { .x = 816, .y = 256, .z = 60 }, { .x = 0, .y = 90 }, SHADE_EDGES, "bilinear", "auto" },
    { "mip", { .x = 816, .y = 256, .z = 60 }, { .x = 0, .y = 90 }, SHADE_MIP, "bilinear", "auto" },
    { "wire", { .x = 816, .y = 256, .z = 60 }, { .x = 0, .y = 90 }, SHADE_WIRE, "bilinear", "auto" },
    { "cluster", { .x = 816, .y = 256, .z = 60 }, { .x = 0, .y = 90 }, SHADE_CLUSTER, "bilinear", "auto" },
    { "normal", { .x = 816, .y = 256, .z = 60 }, { .x = 0, .y = 90 }, SHADE_NORMAL, "bilinear", "auto" },
    { "overdraw", { .x = 816, .y = 256, .z = 60 }, { .x = 0, .y = 90 }, SHADE_OVERDRAW, "bilinear", "auto" },
};

/* With balls, sprites, particles and lights in it, and what draws the balls. */
static const Golden things[] = {
    { "things", { .x = 56, .y = 64, .z = 50 }, { .x = 5, .y = 30 }, SHADE_LIT, "bilinear", "auto" },
    { "things_subdivided", { .x = 56, .y = 64, .z = 50 }, { .x = 5, .y = 30 }, SHADE_LIT, "nearest", "auto" },
    { "things_masked", { .x = 56, .y = 64, .z = 50 }, { .x = 5, .y = 30 }, SHADE_LIT, "bilinear", "pixel" },
};

static const char *const drawers[COUNT_OF(things)] = { "affine", "subdivision", "mask" };

/* The same level in other clothes, at a time when they move: each of its materials is one of these. */
static const Golden dressed[] = {
    { "stages", { .x = 56, .y = 64, .z = 50 }, { .x = 5, .y = 30 }, SHADE_LIT, "bilinear", "auto" },
    { "stages_nearest", { .x = 624, .y = 1104, .z = 50 }, { .x = -10, .y = 250 }, SHADE_LIT, "nearest", "auto" },
    { "stages_pixel", { .x = 816, .y = 256, .z = 60 }, { .x = 10, .y = 100, .z = 15 }, SHADE_LIT, "bilinear", "pixel" },
    { "stages_texture", { .x = 624, .y = 1104, .z = 50 }, { .x = 20, .y = 300 }, SHADE_TEXTURE, "bilinear", "auto" },
};
static const struct { const char *name, *text; } clothes[] = {
    { "textures/rooms/floor", "{ map textures/rooms/floor\nrgbGen identity\n}\n{ map $lightmap\nblendFunc filter\nrgbGen identity\n}\n"
                              "{ map textures/rooms/lamp\ntcMod scale 0.3 0.3\ntcMod scroll 0.1 0.2\nblendFunc GL_DST_COLOR GL_ONE\n}" },
    { "textures/rooms/brick", "{ map $lightmap\nrgbGen identity\n}\n{ map textures/rooms/brick\nblendFunc filter\ntcMod turb 0 0.05 0.2 0.4\n}" },
    { "textures/rooms/crate", "{ map textures/rooms/crate\ntcGen environment\nrgbGen wave sin 0.6 0.4 0 0.5\n}\n{ map $lightmap\nblendFunc GL_DST_COLOR GL_SRC_COLOR\n}" },
    { "textures/rooms/ceiling", "surfaceparm sky\nskyparms - 300 -\n{ map textures/rooms/stone\n}\n{ map textures/rooms/floor\nblendFunc add\ntcMod scroll 0.2 0.1\n}" },
    { "textures/rooms/stone", "cull none\ndeformVertexes wave 64 sin 0 4 0.2 0.3\n{ map textures/rooms/stone\nblendFunc blend\nalphaGen const 0.6\n}" },
    { "textures/rooms/trim", "cull none\n{ map textures/rooms/trim\nalphaFunc GE128\ndepthWrite\nrgbGen identity\n}\n{ map $lightmap\nblendFunc filter\ndepthFunc equal\n}" },
};

typedef struct Rooms { Arena *arena; Files *files; Assets *assets; Level level; Vars *vars; Jobs *jobs; void *soft; } Rooms;

static int open_level(void **state, bool in_clothes) {
    Rooms *rooms = mem_zeroed(1, sizeof *rooms);
    Error error = { 0 };
    FileBytes file;
    rooms->arena = arena_open();
    rooms->files = files_open(NULL);
    rooms->jobs = jobs_open(2);
    if (!files_add(rooms->files, LEAFWALK_SOURCE_DIR "/maps", &error) || !file_read_disk(LEAFWALK_SOURCE_DIR "/maps/rooms.bsp", &file, &error))
        fail_msg("%s", error.text);
    rooms->assets = assets_open(rooms->files, NULL, NULL, NULL);
    Map *map = bsp_load(rooms->arena, "maps/rooms.bsp", file.bytes, file.size, NULL, &error);
    file_free(&file);
    if (!map)
        fail_msg("%s", error.text);
    for (int i = 0; in_clothes && i < COUNT_OF(clothes); i++)
        if (!materials_override(assets_materials(rooms->assets), clothes[i].name, arena_format(rooms->arena, "{\n%s\n}", clothes[i].text), NULL, &error))
            fail_msg("%s", error.text);
    rooms->level = (Level){ .map = map, .geometry = bsp_geometry(map, 4, rooms->arena), .serial = 1 };
    rooms->level.textures = arena_array(rooms->arena, int, map->texture_count);
    rooms->level.materials = arena_array(rooms->arena, const Material *, map->texture_count);
    for (int i = 0; i < map->texture_count; i++) {
        const Material *material = material_find(assets_materials(rooms->assets), map->textures[i].name);
        rooms->level.materials[i] = material;
        rooms->level.textures[i] = material->base_image ? assets_texture(rooms->assets, material->base_image) : TEXTURE_WHITE;
    }
    if (in_clothes)
        level_settle(&rooms->level, rooms->arena, rooms->assets);
    assets_wait(rooms->assets);
    rooms->vars = vars_open();
    rooms->soft = soft_renderer.open(&(RendererSetup){ .vars = rooms->vars, .jobs = rooms->jobs }, &error);
    assert_true(soft_renderer.use_level(rooms->soft, &rooms->level, rooms->assets, &error));
    *state = rooms;
    return 0;
}

static int rooms_open(void **state) { return open_level(state, false); }
static int dressed_open(void **state) { return open_level(state, true); }

static int rooms_close(void **state) {
    Rooms *rooms = *state;
    soft_renderer.close(rooms->soft);
    vars_close(rooms->vars);
    assets_close(rooms->assets);
    files_close(rooms->files);
    jobs_close(rooms->jobs);
    arena_close(rooms->arena);
    mem_free(rooms);
    return 0;
}

enum { RINGS = 10, AROUND = 20, BALL_VERTICES = (RINGS + 1) * (AROUND + 1), BALL_TRIANGLES = RINGS * AROUND * 2 };

static void add_ball(Frame *frame, Vec3 middle, float radius, int texture) {
    ModelSurface *surface = arena_new(frame->arena, ModelSurface);
    *surface = (ModelSurface){ .vertex_count = BALL_VERTICES, .triangle_count = BALL_TRIANGLES, .uv = arena_array(frame->arena, Vec2, BALL_VERTICES),
                               .indexes = arena_array(frame->arena, uint16_t, BALL_TRIANGLES * 3) };
    Vec3 *positions = arena_array(frame->arena, Vec3, BALL_VERTICES);
    Rgba *colors = arena_array(frame->arena, Rgba, BALL_VERTICES);
    uint16_t *index = surface->indexes;
    for (int i = 0; i <= RINGS; i++)
        for (int k = 0; k <= AROUND; k++) {
            double polar = 3.14159265358979 * i / RINGS, yaw = 2 * 3.14159265358979 * k / AROUND;
            int at = i * (AROUND + 1) + k;
            positions[at] = vec3_add(middle, vec3_at((float)(radius * trig_sin(polar) * trig_cos(yaw)), (float)(radius * trig_sin(polar) * trig_sin(yaw)), (float)(radius * trig_cos(polar))));
            colors[at] = (Rgba){ (uint8_t)(255 - i * 20), (uint8_t)(255 - i * 15), (uint8_t)(80 + i * 15), 255 };
            surface->uv[at] = (Vec2){ (float)k / AROUND * 2, (float)i / RINGS };
            if (i == RINGS || k == AROUND)
                continue;
            const int corners[6] = { at, at + 1, at + AROUND + 2, at, at + AROUND + 2, at + AROUND + 1 };
            for (int c = 0; c < 6; c++)
                *index++ = (uint16_t)corners[c];
        }
    model_stack_make(surface, frame->arena);
    FrameMesh mesh = { .surface = surface, .positions = positions, .colors = colors, .texture = texture, .cull = CULL_NONE, .instance = frame->model_instances++,
                       .bounds = { vec3_sub(middle, vec3_at(radius, radius, radius)), vec3_add(middle, vec3_at(radius, radius, radius)) } };
    *array_push(&frame->meshes) = mesh;
}

/* Balls near, far and across the picture's edge; sprites that face the eye and one that does not; particles; a light. */
static void add_things(Rooms *rooms, Frame *frame) {
    const View *view = &frame->view;
    int crate = assets_texture(rooms->assets, "textures/rooms/crate"), lamp = assets_texture(rooms->assets, "textures/rooms/lamp");
    assets_wait(rooms->assets);
    Vec3 ahead = vec3_add_scaled(view->origin, view->axes.forward, 90), right = view->axes.right, up = view->axes.up;
    add_ball(frame, vec3_add_scaled(ahead, right, -25), 16, crate);
    add_ball(frame, vec3_add_scaled(vec3_add_scaled(view->origin, view->axes.forward, 14), right, 16), 8, lamp);
    add_ball(frame, vec3_add_scaled(vec3_add_scaled(ahead, right, 50), up, 20), 4, crate);
    frame_sprite(frame, (FrameSprite){ .origin = vec3_add_scaled(ahead, right, 30), .width = 24, .height = 16, .roll = 30, .texture = lamp, .color = { 255, 255, 255, 255 } });
    frame_sprite(frame, (FrameSprite){ .origin = vec3_add_scaled(ahead, up, 25), .oriented = true, .right = vec3_at(6, 14, 0), .up = vec3_at(0, 3, 9), .texture = crate,
                                       .color = { 120, 255, 120, 160 } });
    unsigned seed = 7;
    for (int i = 0; i < 400; i++) {
        float parts[3];
        for (int k = 0; k < 3; k++)
            parts[k] = (float)((seed = seed * 1664525u + 1013904223u) >> 16) / 65536.0f - 0.5f;
        Vec3 at = vec3_add(ahead, vec3_at(parts[0] * 120, parts[1] * 120, parts[2] * 70));
        frame_particle(frame, (FrameParticle){ at, 1 + parts[0] * parts[0] * 8, { (uint8_t)(i * 5), 200, (uint8_t)(255 - i), (uint8_t)(i % 3 ? 255 : 120) } });
    }
    frame_light(frame, (FrameLight){ vec3_add_scaled(ahead, up, 15), 150, vec3_at(1, 0.6f, 0.2f) });
    frame_light(frame, (FrameLight){ vec3_add_scaled(ahead, right, -90), 70, vec3_at(0.1f, 0.3f, 1) });
}

static Image draw(Rooms *rooms, const Golden *golden, const char *drawer) {    /* drawer NULL: the level alone */
    Error error = { 0 };
    Scene scene;
    Frame frame;
    scene_open(&scene);
    scene_use_level(&scene, &rooms->level);
    scene.origin = golden->origin;
    scene.angles = golden->angles;
    scene.fov = 90;
    frame_open(&frame);
    frame_begin(&frame);
    scene_fill(&scene, &frame, 320, 240);
    frame.assets = rooms->assets;
    frame.shade = golden->shade;
    frame.time = 1.25;
    if (drawer) {
        add_things(rooms, &frame);
        assert_true(var_set(rooms->vars, "soft.models", drawer, &error));
    }
    assert_true(var_set(rooms->vars, "soft.filter", golden->filter, &error));
    assert_true(var_set(rooms->vars, "soft.lighting", golden->lighting, &error));
    Image image = renderer_drawn(&soft_renderer, rooms->soft, &frame);
    frame_close(&frame);
    scene_close(&scene);
    return image;
}

static bool is_as_kept(const Golden *golden, const Image *image) {
    char path[512];
    Error error = { 0 };
    snprintf(path, sizeof path, LEAFWALK_SOURCE_DIR "/tests/golden/soft_%s.png", golden->name);
    const char *wanted = getenv("LEAFWALK_GOLDEN");
    if (wanted && !strcmp(wanted, "write"))
        return record_png(path, image, 9, &error);
    FileBytes file;
    Image kept;
    if (!file_read_disk(path, &file, &error) || !image_decode(file.bytes, file.size, path, &kept, &error))
        fail_msg("%s", error.text);
    file_free(&file);
    ImageDiff diff = image_diff(&kept, image, NULL);
    image_free(&kept);
    if (diff.max != 0 || diff.ssim < 0.5) {
        snprintf(path, sizeof path, LEAFWALK_BUILD_DIR "/soft_%s.png", golden->name);
        record_png(path, image, 1, &error);
        print_error("soft_%s.png differs by up to %d; what was drawn is %s\n", golden->name, diff.max, path);
    }
    return diff.max == 0 && diff.ssim >= 0.5;    /* pictures of different sizes have 0 */
}

static void must_be_as_kept(Rooms *rooms, const Golden *list, const char *const *with, int count) {
    int faults = 0;
    for (int i = 0; i < count; i++) {
        Image image = draw(rooms, &list[i], with ? with[i] : NULL);
        faults += !is_as_kept(&list[i], &image);
        image_free(&image);
    }
    assert_int_equal(faults, 0);
}

static void pictures_are_those_that_were_kept(void **state) { must_be_as_kept(*state, goldens, NULL, COUNT_OF(goldens)); }
static void things_are_those_that_were_kept(void **state) { must_be_as_kept(*state, things, drawers, COUNT_OF(things)); }
static void materials_are_those_that_were_kept(void **state) { must_be_as_kept(*state, dressed, NULL, COUNT_OF(dressed)); }

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(pictures_are_those_that_were_kept, rooms_open, rooms_close),
        cmocka_unit_test_setup_teardown(things_are_those_that_were_kept, rooms_open, rooms_close),
        cmocka_unit_test_setup_teardown(materials_are_those_that_were_kept, dressed_open, rooms_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
