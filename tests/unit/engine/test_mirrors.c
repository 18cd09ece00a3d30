/* Many mirrors in one room (traps F5): the nearest get what is seen in them, the others their own stages, and so does one
 * that no entity speaks of. */
#include "support/test.h"

#include <math.h>
#include <stdio.h>

#include "support/place.h"

/* The first room, 512 x 512 x 224 from 0 0 0, with walls, floor and ceiling of glass. */
static void open_glass_room(Place *place, const char *entities) {
    static const char *const glass[] = { "brick", "floor", "ceiling", "trim", "stone" };
    Error error;
    temp_text(place->folder, "maps/rooms.ent", entities);
    for (int i = 0; i < COUNT_OF(glass); i++) {
        char name[64];
        snprintf(name, sizeof name, "textures/rooms/%s", glass[i]);
        Text told = { 0 };
        if (!engine_override_material(place->engine, name, "{\nportal\n{\nmap $whiteimage\nblendFunc GL_ZERO GL_ONE\n}\n}", &told, &error))
            fail_msg("%s", error.text);
        text_free(&told);
    }
    if (!engine_use_renderer(place->engine, "soft", &error) || !engine_open_map(place->engine, "rooms", &error))
        fail_msg("%s", error.text);
    place->engine->scene.vis_mode = VIS_NONE;
    place->engine->scene.origin = vec3_at(60, 70, 80);
    engine_frame_begin(place->engine, 320, 200);
}


#define WORLD "{ \"classname\" \"worldspawn\" } "
#define SURFACE(at) "{ \"classname\" \"misc_portal_surface\" \"origin\" \"" at "\" } "

static float nearest(const Frame *frame, const FramePortal *portal) {
    float least = INFINITY;
    for (int i = 0; i < portal->face_count; i++) {
        const BspFaceRange *range = &frame->level->geometry->faces[portal->faces[i]];
        for (int k = 0; k < range->vertex_count; k++)
            least = fminf(least, vec3_length(vec3_sub(frame->level->geometry->vertices[range->first_vertex + k].position, frame->view.origin)));
    }
    return least;
}

static void of_many_mirrors_the_nearest_show_what_is_in_them(void **state) {
    Place *place = *state;
    open_glass_room(place, WORLD SURFACE("4 256 100") SURFACE("508 256 100") SURFACE("256 4 100") SURFACE("256 508 100")
                           SURFACE("256 256 4") SURFACE("256 256 220"));
    const Frame *frame = &place->engine->frame;
    assert_int_equal(frame->portal_count, PORTALS_MOST);
    for (int i = 0; i < frame->portal_count; i++) {
        assert_true(frame->portals[i].mirrored && frame->portals[i].face_count > 0 && frame->portals[i].seen->face_count > 0);
        if (i)
            assert_true(nearest(frame, &frame->portals[i]) >= nearest(frame, &frame->portals[i - 1]));
    }
    assert_true(nearest(frame, &frame->portals[0]) < 300);
}

static void a_mirror_that_no_entity_speaks_of_is_a_wall(void **state) {
    Place *place = *state;
    open_glass_room(place, WORLD);
    assert_int_equal(place->engine->frame.portal_count, 0);
    assert_true(place->engine->frame.face_count > 0);
}

static void a_camera_that_is_not_there_shows_nothing(void **state) {
    Place *place = *state;
    open_glass_room(place, WORLD "{ \"classname\" \"misc_portal_surface\" \"origin\" \"4 256 100\" \"target\" \"nobody\" }");
    assert_int_equal(place->engine->frame.portal_count, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(of_many_mirrors_the_nearest_show_what_is_in_them, place_setup, place_teardown),
        cmocka_unit_test_setup_teardown(a_mirror_that_no_entity_speaks_of_is_a_wall, place_setup, place_teardown),
        cmocka_unit_test_setup_teardown(a_camera_that_is_not_there_shows_nothing, place_setup, place_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
