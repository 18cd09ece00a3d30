/* Numbers of pixels against rays: what the middle of each pixel shows is what a ray through it meets. */
#include "support/test.h"

#include <math.h>

#include "bsp/bsp_trace.h"
#include "record/passes.h"
#include "scene/scene.h"
#include "support/level_map.h"

enum { WIDTH = 96, HEIGHT = 60 };

static void check_view(const char *name, Vec3 origin, Vec3 angles) {
    Arena *arena = arena_open();
    Level level = { .map = level_map(arena, name), .serial = 1 };
    level.geometry = bsp_geometry(level.map, 4, arena);
    const Collision *collision = bsp_collision(level.map, arena);
    Scene scene;
    Frame frame;
    scene_open(&scene);
    scene_use_level(&scene, &level);
    frame_open(&frame);
    scene.origin = origin;
    scene.angles = angles;
    scene.fov = 90;
    frame_begin(&frame);
    frame.level = &level;
    scene_fill(&scene, &frame, WIDTH, HEIGHT);
    PixelIds ids, again;
    Jobs *jobs = jobs_open(3);
    pixel_ids_open(&ids, WIDTH, HEIGHT);
    pixel_ids_open(&again, WIDTH, HEIGHT);
    pixel_ids_fill(&ids, &frame, jobs);
    pixel_ids_fill(&again, &frame, NULL);
    int asked = 0, other = 0;    /* other: an edge lies so near that the ray, which stops off the wall, meets the wall beside */
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            size_t pixel = (size_t)y * WIDTH + (size_t)x;
            assert_int_equal(ids.face[pixel], again.face[pixel]);    /* however many threads */
            assert_memory_equal(&ids.depth[pixel], &again.depth[pixel], sizeof(float));
            if (ids.face[pixel] < 0 || !isfinite(ids.depth[pixel]))
                continue;
            Vec3 way = view_ray(&frame.view, (float)x + 0.5f, (float)y + 0.5f);
            TraceQuery query = { .from = origin, .to = vec3_add_scaled(origin, way, 4000), .mask = MASK_SOLID };
            Trace hit = bsp_trace(level.map, collision, &query);
            float along = vec3_dot(vec3_sub(hit.endpos, origin), frame.view.axes.forward);
            bool same = fabsf(along - ids.depth[pixel]) <= 0.5f + along * 0.01f && vec3_dot(ids.normal[pixel], hit.plane.normal) > 0.99f;
            other += !same;
            asked++;
            assert_true(ids.leaf[pixel] >= 0 && ids.cluster[pixel] == level.map->leafs[ids.leaf[pixel]].cluster && ids.cluster[pixel] >= 0);
            assert_int_equal(ids.material[pixel], level.map->faces[ids.face[pixel]].texture);
            assert_true(ids.overdraw[pixel] >= 1);
        }
    }
    assert_true(asked > WIDTH * HEIGHT / 2);
    assert_in_range(other, 0, asked / 50);
    pixel_ids_close(&ids);
    pixel_ids_close(&again);
    jobs_close(jobs);
    frame_close(&frame);
    scene_close(&scene);
    arena_close(arena);
}

static void numbers_are_what_rays_meet(void **state) {
    (void)state;
    check_view("room", vec3_at(100, 90, 60), vec3_at(10, 30, 0));
    check_view("two rooms", vec3_at(40, 128, 50), vec3_at(0, 0, 0));
    check_view("two rooms", vec3_at(400, 60, 90), vec3_at(30, 160, 20));
    check_view("bend", vec3_at(128, 128, 40), vec3_at(-10, 10, 0));
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(numbers_are_what_rays_meet) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
