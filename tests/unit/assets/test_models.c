/* Models by name: found with or without ending, coarser ones beside them, skins, and what a changed file means. */
#include "support/test.h"

#include "assets/models.h"
#include "support/temp_folder.h"

static void put(uint8_t *at, uint32_t value) {
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(value >> (8 * i));
}

enum { VERTICES = 3, SURFACE = 108 + 68 + 12 + 8 * VERTICES + 8 * VERTICES, AT_SURFACE = 108 + 56, TOTAL = AT_SURFACE + SURFACE };

/* One triangle, `name` its surface, `frames` 1. */
static void build(uint8_t out[TOTAL], const char *name) {
    memset(out, 0, TOTAL);
    memcpy(out, "IDP3", 4);
    put(out + 4, 15);
    const uint32_t header[] = { 1, 0, 1, 0, 108, 108, AT_SURFACE, TOTAL };
    for (int i = 0; i < 8; i++)
        put(out + 76 + i * 4, header[i]);
    uint8_t *s = out + AT_SURFACE;
    memcpy(s, "IDP3", 4);
    memcpy(s + 4, name, strlen(name));
    const uint32_t head[] = { 1, 1, VERTICES, 1, 108 + 68, 108, 108 + 68 + 12, 108 + 68 + 12 + 8 * VERTICES, SURFACE };
    for (int i = 0; i < 9; i++)
        put(s + 72 + i * 4, head[i]);
    memcpy(s + 108, "textures/own", 12);
    put(s + 108 + 68 + 4, 1);
    put(s + 108 + 68 + 8, 2);
}

typedef struct Place { TempFolder *folder; Files *files; Assets *assets; ModelSet *models; } Place;

static void write_model(const Place *place, const char *name, const char *surface) {
    uint8_t bytes[TOTAL];
    build(bytes, surface);
    temp_write(place->folder, name, bytes, sizeof bytes);
}

static void place_open(Place *place) {
    *place = (Place){ .folder = temp_folder_open() };
    write_model(place, "thing.md3", "first");
    write_model(place, "thing_1.md3", "coarse");
    temp_write(place->folder, "broken.md3", "IDP3 and nothing more", 21);
    temp_write(place->folder, "thing_red.skin", "FIRST,textures/red\ntag_x,\n", 26);
    place->files = files_open(NULL);
    Error error;
    assert_true(files_add(place->files, place->folder->path, &error));
    place->assets = assets_open(place->files, NULL, NULL, NULL);
    place->models = models_open(place->files, place->assets, NULL, NULL);
}

static void place_close(Place *place) {
    models_close(place->models);
    assets_close(place->assets);
    files_close(place->files);
    temp_folder_close(place->folder);
}

static void a_model_is_found_once_by_any_form_of_its_name(void **state) {
    (void)state;
    Place place;
    place_open(&place);
    Error error = { "" };
    int number = models_find(place.models, "thing", &error);
    assert_true(number >= 0);
    assert_int_equal(models_find(place.models, "Thing.MD3", &error), number);
    assert_int_equal(models_find(place.models, "/thing.md3", &error), number);
    assert_int_equal(models_lod_count(place.models, number), 2);
    assert_string_equal(models_at(place.models, models_lod(place.models, number, 1))->surfaces[0].name, "coarse");
    assert_int_equal(models_lod(place.models, number, 2), number);    /* there is none */
    assert_int_equal(models_find(place.models, "nothing", &error), -1);
    assert_string_equal(error.text, "nothing.md3: no such file");
    assert_int_equal(models_find(place.models, "../thing", &error), -1);
    assert_int_equal(models_find(place.models, "broken", &error), -1);
    assert_true(text_starts(error.text, "broken.md3: "));
    assert_int_equal(models_find(place.models, "broken", NULL), -1);
    place_close(&place);
}

static void a_skin_dresses_the_surfaces_it_names(void **state) {
    (void)state;
    Place place;
    place_open(&place);
    Error error = { "" };
    int number = models_find(place.models, "thing", &error);
    int own = models_looks(place.models, number, NULL, &error)[0].texture;
    int red = models_looks(place.models, number, "red", &error)[0].texture;
    assert_int_equal(own, assets_texture(place.assets, "textures/own"));
    assert_int_equal(red, assets_texture(place.assets, "textures/red"));
    assert_int_equal(models_looks(place.models, number, "thing_red.skin", &error)[0].texture, red);
    assert_null(models_looks(place.models, number, "blue", &error));
    assert_non_null(strstr(error.text, "thing_blue.skin"));
    place_close(&place);
}

static void a_changed_file_is_read_anew_and_a_broken_one_is_not_taken(void **state) {
    (void)state;
    Place place;
    place_open(&place);
    Error error = { "" };
    int number = models_find(place.models, "thing", &error);
    const Model *before = models_at(place.models, number);
    char path[512];
    text_copy(path, sizeof path, temp_path(place.folder, "thing.md3"));
    write_model(&place, "thing.md3", "second");
    models_file_changed(place.models, path);
    assert_string_equal(before->surfaces[0].name, "first");    /* a frame may still show it */
    assert_string_equal(models_at(place.models, number)->surfaces[0].name, "second");
    models_poll(place.models);
    temp_write(place.folder, "thing.md3", "rubbish", 7);
    models_file_changed(place.models, path);
    assert_string_equal(models_at(place.models, number)->surfaces[0].name, "second");
    assert_int_equal(models_find(place.models, "thing", &error), number);
    place_close(&place);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_model_is_found_once_by_any_form_of_its_name),
        cmocka_unit_test(a_skin_dresses_the_surfaces_it_names),
        cmocka_unit_test(a_changed_file_is_read_anew_and_a_broken_one_is_not_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
