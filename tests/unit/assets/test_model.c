/* MD3: a small model made in memory reads back; a broken one is refused where it is broken. */
#include "support/test.h"

#include <math.h>

#include "assets/model.h"

enum { FRAMES = 2, TAGS = 1, VERTICES = 4, TRIANGLES = 2, SURFACE = 108 + 68 + 24 + 8 * VERTICES + 8 * VERTICES * FRAMES };

static void put(uint8_t *at, uint32_t value) {
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(value >> (8 * i));
}

static void put_real(uint8_t *at, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put(at, bits);
}

enum { AT_FRAMES = 108, AT_TAGS = AT_FRAMES + 56 * FRAMES, AT_SURFACE = AT_TAGS + 112 * TAGS * FRAMES, TOTAL = AT_SURFACE + SURFACE };

/* A square of two triangles that rises by 64 units from the first frame to the second. */
static void build(uint8_t *out) {
    memset(out, 0, TOTAL);
    memcpy(out, "IDP3", 4);
    put(out + 4, 15);
    memset(out + 8, 'A', 64);    /* a name without a NUL */
    uint32_t header[] = { FRAMES, TAGS, 1, 0, AT_FRAMES, AT_TAGS, AT_SURFACE, TOTAL };
    for (int i = 0; i < 8; i++)
        put(out + 76 + i * 4, header[i]);
    for (int f = 0; f < FRAMES; f++) {
        put_real(out + AT_FRAMES + f * 56 + 12, 1);
        put_real(out + AT_FRAMES + f * 56 + 20, 64.0f * (float)f);
        uint8_t *tag = out + AT_TAGS + f * 112;
        memcpy(tag, "tag_top", 7);
        put_real(tag + 64 + 8, 64.0f * (float)f);
        for (int axis = 0; axis < 3; axis++)
            put_real(tag + 76 + axis * 12 + axis * 4, 1);
    }
    uint8_t *s = out + AT_SURFACE;
    memcpy(s, "IDP3", 4);
    memcpy(s + 4, "Square_1", 8);
    uint32_t head[] = { FRAMES, 1, VERTICES, TRIANGLES, 108 + 68, 108, 108 + 68 + 24, 108 + 68 + 24 + 8 * VERTICES, SURFACE };
    for (int i = 0; i < 9; i++)
        put(s + 72 + i * 4, head[i]);
    memcpy(s + 108, "models/square", 13);
    static const uint32_t triangles[] = { 0, 1, 2, 0, 2, 3 };
    for (int i = 0; i < 6; i++)
        put(s + 108 + 68 + i * 4, triangles[i]);
    for (int f = 0; f < FRAMES; f++)
        for (int v = 0; v < VERTICES; v++) {
            uint8_t *vertex = s + head[7] + (f * VERTICES + v) * 8;
            vertex[1] = (uint8_t)(v & 1);          /* x: 0 or 4 units */
            vertex[3] = (uint8_t)(v >> 1);
            vertex[5] = (uint8_t)(f * 16);         /* z: 0 or 64 units */
            vertex[6] = 64;                        /* polar 90 degrees */
        }
}

static Model *load(Arena *arena, const uint8_t *bytes, size_t size, Error *error) {
    return model_load(arena, "models/square.md3", bytes, size, error);
}

static void a_model_reads_back(void **state) {
    (void)state;
    uint8_t bytes[TOTAL];
    build(bytes);
    Arena *arena = arena_open();
    Error error;
    Model *model = load(arena, bytes, sizeof bytes, &error);
    assert_non_null(model);
    assert_int_equal(strlen(model->name), 64);
    assert_int_equal(model->triangle_count, 2);
    assert_string_equal(model->surfaces[0].name, "square_1");
    assert_string_equal(model->surfaces[0].shaders[0], "models/square");
    Vec3 positions[VERTICES], normals[VERTICES];
    model_pose(&model->surfaces[0], model->frame_count, 0, 1, 0.5f, positions, normals);
    assert_true(positions[3].x == 4 && positions[3].y == 4 && positions[3].z == 32);
    assert_true(fabsf(normals[0].x - 1) < 1e-6f);
    model_pose(&model->surfaces[0], model->frame_count, 99, -5, 0.5f, positions, NULL);    /* no such frames: the first */
    assert_true(positions[0].z == 0);
    assert_int_equal(model_tag_by_name(model, "TAG_TOP"), 0);
    assert_true(model_tag(model, 0, 0, 1, 0.25f).origin.z == 16);
    assert_true(model_bounds(model, 0, 1).maxs.z == 64);
    arena_close(arena);
}

static void every_cut_file_is_refused(void **state) {
    (void)state;
    uint8_t bytes[TOTAL];
    build(bytes);
    for (size_t size = 0; size < TOTAL; size++) {
        uint8_t *cut = mem_alloc(size);    /* of that size exactly, so that a read past it is seen */
        memcpy(cut, bytes, size);
        Arena *arena = arena_open();
        Error error = { "" };
        assert_null(load(arena, cut, size, &error));
        assert_true(text_starts(error.text, "models/square.md3: "));
        arena_close(arena);
        mem_free(cut);
    }
}

static void numbers_that_lie_are_refused(void **state) {    /* traps A21 */
    (void)state;
    static const uint32_t lies[] = { 0x7fffffff, 0x80000000, 0xffffffff, 0x10000, 0x15555556 };
    for (int at = 76; at < AT_SURFACE + 108; at += at == 104 ? AT_SURFACE + 72 - 104 : 4)
        for (int i = 0; i < COUNT_OF(lies); i++) {
            uint8_t bytes[TOTAL];
            build(bytes);
            put(bytes + at, lies[i]);
            Arena *arena = arena_open();
            Error error = { "" };
            Model *model = load(arena, bytes, sizeof bytes, &error);
            bool unused = at == 88 || at == 104;    /* numSkins and ofsEnd say nothing that is read */
            assert_true(unused ? model != NULL : model == NULL);
            arena_close(arena);
        }
}

static void a_surface_of_length_zero_is_no_endless_loop(void **state) {
    (void)state;
    uint8_t bytes[TOTAL];
    build(bytes);
    put(bytes + 84, 1000000);
    put(bytes + AT_SURFACE + 104, 0);
    Arena *arena = arena_open();
    assert_null(load(arena, bytes, sizeof bytes, NULL));
    arena_close(arena);
}

static void a_skin_names_shaders_of_surfaces(void **state) {
    (void)state;
    char out[65];
    const char *skin = "tag_head,\r\n h_head , models/players/a/head.tga \nu_torso,models/b";
    assert_string_equal(model_skin_shader(skin, "H_HEAD", out, sizeof out), "models/players/a/head.tga");
    assert_string_equal(model_skin_shader(skin, "u_torso", out, 5), "mode");
    assert_null(model_skin_shader(skin, "tag_head", out, sizeof out));
    assert_null(model_skin_shader(skin, "u_tors", out, sizeof out));
    assert_null(model_skin_shader("", "x", out, sizeof out));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_model_reads_back),
        cmocka_unit_test(every_cut_file_is_refused),
        cmocka_unit_test(numbers_that_lie_are_refused),
        cmocka_unit_test(a_surface_of_length_zero_is_no_endless_loop),
        cmocka_unit_test(a_skin_names_shaders_of_surfaces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
