/* Levels made by malice: every number of a small level set to every dangerous value; every question still has an answer. */
#include "support/test.h"

#include <stdio.h>

#include "files/files.h"
#include "support/ask_level.h"
#include "support/level.h"

static uint8_t *file_of(const char *name, size_t *size) {
    Level *level = level_make(name);
    level_resize(level, LUMP_LIGHTMAPS, 0);    /* pixels endanger nothing */
    uint8_t *bytes = level_write(level, size);
    level_free(level);
    return bytes;
}

static bool survives(const uint8_t *bytes, size_t size) {
    Arena *arena = arena_open();
    Error error = { "" };
    Map *map = bsp_load(arena, "maps/hostile.bsp", bytes, size, NULL, &error);
    if (map)
        ask_level(map);
    else
        assert_true(error.text[0]);
    bool loaded = map != NULL;
    arena_close(arena);
    return loaded;
}

static void every_number_may_be_any_number(void **state) {
    (void)state;
    static const uint32_t values[] = { 0xffffffffu, 0x7fffffffu, 0x80000000u, 0x7fc00000u, 1, 0x10000 };
    size_t size;
    uint8_t *bytes = file_of("everything", &size);
    int loaded = 0, refused = 0;
    /* A number in three of the long tables, each with a value of its own turn; every number of the header. */
    for (size_t at = 0; at + 4 <= size; at += at < DISK_HEADER ? 4 : 12)
        for (int i = 0; i < (at < DISK_HEADER ? COUNT_OF(values) : 1); i++) {
            uint32_t value = values[((size_t)i + at / 12) % COUNT_OF(values)];
            uint8_t kept[4];
            memcpy(kept, bytes + at, 4);
            memcpy(bytes + at, &value, 4);
            *(survives(bytes, size) ? &loaded : &refused) += 1;
            memcpy(bytes + at, kept, 4);
        }
    assert_true(loaded > 100 && refused > 50);
    assert_true(survives(bytes, size));
    mem_free(bytes);
}

static void noise_is_survived(void **state) {
    (void)state;
    size_t size;
    uint8_t *bytes = file_of("everything", &size), *copy = mem_alloc(size);
    uint32_t noise = 1;
    for (int round = 0; round < 300; round++) {
        memcpy(copy, bytes, size);
        for (int k = 0; k <= round % 12; k++) {
            noise = noise * 1664525 + 1013904223;
            size_t at = (noise >> 8) % size;
            noise = noise * 1664525 + 1013904223;
            copy[at] = (uint8_t)(noise >> 24);
        }
        survives(copy, size);
    }
    mem_free(copy);
    mem_free(bytes);
}

static void every_small_level_answers(void **state) {
    (void)state;
    for (int i = 0; level_names[i]; i++) {
        size_t size;
        uint8_t *bytes = file_of(level_names[i], &size);
        assert_true(survives(bytes, size));
        mem_free(bytes);
    }
}

/* The seeds of the fuzzer are levels; a change of the format or of the builder must not leave it with rubbish. */
static void the_seeds_of_the_fuzzer_load(void **state) {
    (void)state;
    static const char *const seeds[] = { "room", "patch", "door", "everything", "unlit" };
    for (int i = 0; i < COUNT_OF(seeds); i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/tests/fuzz/corpus/bsp/%s.bsp", LEAFWALK_SOURCE_DIR, seeds[i]);
        FileBytes file;
        Error error = { "" };
        if (!file_read_disk(path, &file, &error))
            fail_msg("%s", error.text);
        assert_true(survives(file.bytes, file.size));
        file_free(&file);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_small_level_answers),
        cmocka_unit_test(every_number_may_be_any_number),
        cmocka_unit_test(noise_is_survived),
        cmocka_unit_test(the_seeds_of_the_fuzzer_load),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
