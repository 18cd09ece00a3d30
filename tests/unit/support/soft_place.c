/* support/soft_place.c -- the software renderer with a small level. */
#include "support/test.h"

#include "support/level_map.h"
#include "support/make_image.h"
#include "support/soft_place.h"

const Rgba soft_place_background = { 255, 0, 255, 255 };

SoftPlace *soft_place_make(const char *name, int threads) {
    SoftPlace *place = mem_zeroed(1, sizeof *place);
    place->arena = arena_open();
    place->files = files_open(NULL);
    place->jobs = jobs_open(threads);
    place->assets = assets_open(place->files, NULL, NULL, NULL);
    place->level.map = level_map(place->arena, name);
    place->level.geometry = bsp_geometry(place->level.map, 4, place->arena);
    place->level.serial = 1;
    place->level.textures = arena_array(place->arena, int, place->level.map->texture_count);
    for (int i = 0; i < place->level.map->texture_count; i++)
        place->level.textures[i] = assets_texture_from(place->assets, place->level.map->textures[i].name, make_noise(64, 32, (unsigned)i + 1));
    scene_open(&place->scene);
    scene_use_level(&place->scene, &place->level);
    place->scene.fov = 90;
    frame_open(&place->frame);
    place->vars = vars_open();
    Error error;
    place->soft = soft_renderer.open(&(RendererSetup){ .vars = place->vars, .jobs = place->jobs }, &error);
    assert_non_null(place->soft);
    assert_true(soft_renderer.use_level(place->soft, &place->level, place->assets, &error));
    return place;
}

void soft_place_free(SoftPlace *place) {
    soft_renderer.close(place->soft);
    frame_close(&place->frame);
    scene_close(&place->scene);
    assets_close(place->assets);
    files_close(place->files);
    jobs_close(place->jobs);
    vars_close(place->vars);
    arena_close(place->arena);
    mem_free(place);
}

void soft_place_look(SoftPlace *place, Vec3 origin, Vec3 angles, int width, int height) {
    frame_begin(&place->frame);
    place->scene.origin = origin;
    place->scene.angles = angles;
    scene_fill(&place->scene, &place->frame, width, height);
    place->frame.assets = place->assets;
    place->frame.clear = soft_place_background;
}
