/* Golden pictures of the software renderer: the level that we ship, drawn with the same bits on every machine.
 *
 * The pictures stand in tests/golden/. After a change that is meant to be seen, LEAFWALK_GOLDEN=write in the environment
 * writes them anew: look at them before they are kept. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>

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
};

typedef struct Rooms { Arena *arena; Files *files; Assets *assets; Level level; Vars *vars; Jobs *jobs; void *soft; } Rooms;

static int rooms_open(void **state) {
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
    rooms->level = (Level){ .map = map, .geometry = bsp_geometry(map, 4, rooms->arena), .serial = 1 };
    rooms->level.textures = arena_array(rooms->arena, int, map->texture_count);
    rooms->level.materials = arena_array(rooms->arena, const Material *, map->texture_count);
    for (int i = 0; i < map->texture_count; i++) {
        const Material *material = material_find(assets_materials(rooms->assets), map->textures[i].name);
        rooms->level.materials[i] = material;
        rooms->level.textures[i] = material->base_image ? assets_texture(rooms->assets, material->base_image) : TEXTURE_WHITE;
    }
    assets_wait(rooms->assets);
    rooms->vars = vars_open();
    rooms->soft = soft_renderer.open(&(RendererSetup){ .vars = rooms->vars, .jobs = rooms->jobs }, &error);
    assert_true(soft_renderer.use_level(rooms->soft, &rooms->level, rooms->assets, &error));
    *state = rooms;
    return 0;
}

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

static Image draw(Rooms *rooms, const Golden *golden) {
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

static void pictures_are_those_that_were_kept(void **state) {
    Rooms *rooms = *state;
    int faults = 0;
    for (int i = 0; i < COUNT_OF(goldens); i++) {
        Image image = draw(rooms, &goldens[i]);
        faults += !is_as_kept(&goldens[i], &image);
        image_free(&image);
    }
    assert_int_equal(faults, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test_setup_teardown(pictures_are_those_that_were_kept, rooms_open, rooms_close) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
