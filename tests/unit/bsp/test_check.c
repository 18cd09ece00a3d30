/* What `check` finds suspicious about a level, and the names of flags. */
#include "support/test.h"

#include <stdio.h>

#include "bsp/bsp_check.h"
#include "bsp/flags.h"
#include "support/level.h"
#include "support/test_arena.h"

static BspFindings check(Level *level) {
    Error error;
    Map *map = level_load(level, arena, &error);
    if (!map)
        fail_msg("%s", error.text);
    return bsp_check(map, arena);
}

static int count_kind(BspFindings findings, const char *kind) {
    int count = 0;
    for (int i = 0; i < findings.count; i++)
        count += strcmp(findings.at[i].kind, kind) == 0;
    return count;
}

static void finds(Level *level, BspSeverity severity, const char *kind, const char *words) {
    BspFindings findings = check(level);
    for (int i = 0; i < findings.count; i++)
        if (strcmp(findings.at[i].kind, kind) == 0 && strstr(findings.at[i].text, words)) {
            assert_int_equal(findings.at[i].severity, severity);
            return;
        }
    for (int i = 0; i < findings.count; i++)
        print_message("%s: %s\n", findings.at[i].kind, findings.at[i].text);
    fail_msg("no %s says \"%s\"", kind, words);
}

static Level *with_entities(const char *text) {
    Level *level = level_make("door");
    level_set_text(level, text);
    return level;
}

static void a_sound_level_gives_no_warning(void **state) {
    (void)state;
    BspFindings findings = check(level_make("bend"));
    if (findings.count)
        fail_msg("%s: %s", findings.at[0].kind, findings.at[0].text);
    findings = check(level_make("door"));
    for (int i = 0; i < findings.count; i++)
        assert_int_equal(findings.at[i].severity, BSP_NOTE);
}

static void warnings_of_the_load_come_first(void **state) {
    (void)state;
    BspFindings findings = check(level_make("everything"));
    assert_string_equal(findings.at[0].kind, "load");
    assert_non_null(strstr(findings.at[0].text, "lightmap coordinates"));
}

static void visibility_is_looked_over(void **state) {
    (void)state;
    finds(level_make("no vis"), BSP_WARNING, "no-vis", "no visibility rows");
    Level *level = level_make("bend");
    level_see(level, 4, 0, true);
    finds(level, BSP_NOTE, "one-way", ": 1");
    level = level_make("bend");
    for (int c = 0; c < 5; c++)
        if (c != 3)
            level_see(level, 3, c, false);
    finds(level, BSP_WARNING, "sees-nobody", "(1): 3");
    level = level_make("bend");
    for (int c = 0; c < 5; c++)
        if (c != 3)
            level_see(level, c, 3, false);
    finds(level, BSP_WARNING, "unseen", "(1): 3");
    level = level_make("bend");
    level_see(level, 2, 2, false);
    finds(level, BSP_WARNING, "self-unseen", ": 1");
    level = level_make("bend");
    for (int c = 0; c < 5; c++)
        level_see(level, 1, c, false);
    finds(level, BSP_WARNING, "blind", ": 1");
    finds(level_make("two rooms"), BSP_NOTE, "sees-all", "every cluster");
    level = level_make("bend");
    level_set_int(level, LUMP_VISDATA, 0, VIS_CLUSTERS, 4);    /* no leaf's cluster changes */
    assert_int_equal(count_kind(check(level), "empty-cluster"), 0);
    level = level_make("room");
    level_resize(level, LUMP_VISDATA, VIS_ROWS + 3 * 8);
    level_set_int(level, LUMP_VISDATA, 0, VIS_CLUSTERS, 3);
    finds(level, BSP_WARNING, "empty-cluster", "(2): 1, 2");
}

static void faces_and_light_are_looked_over(void **state) {
    (void)state;
    finds(level_make("unlit"), BSP_NOTE, "no-grid", "no light grid");
    Level *level = level_make("unlit");
    for (int i = 0; i < level_count(level, LUMP_FACES); i++)
        level_set_int(level, LUMP_FACES, i, FACE_LIGHTMAP, LIGHTMAP_VERTEX);
    finds(level, BSP_NOTE, "no-lightmaps", "lit by its vertices");
    finds(level_make("unlit"), BSP_NOTE, "external-lightmaps", "maps/test/lm_0000.tga to lm_0000.tga");
    level = level_make("room");
    level_set_int(level, LUMP_FACES, 0, FACE_LIGHTMAP, 5);
    finds(level, BSP_WARNING, "lightmap-range", "the highest is 5, the file has 1");
    level = level_make("room");
    memset(level->lumps[LUMP_LIGHTVOLS].at, 0, level->lumps[LUMP_LIGHTVOLS].count);
    finds(level, BSP_WARNING, "black-grid", "black");
    level = level_make("room");
    for (int i = 0; i < level_count(level, LUMP_LEAFFACES); i++)
        level_set_int(level, LUMP_LEAFFACES, i, 0, 1);
    finds(level, BSP_WARNING, "unlisted-face", "(5): 0, 2, 3, 4, 5");
    level = level_make("room");
    level_set_int(level, LUMP_MODELS, 0, MODEL_FACE_COUNT, 4);
    finds(level, BSP_WARNING, "unused-faces", ": 2");
    level = level_make("room");
    level_resize(level, LUMP_LEAFS, level->lumps[LUMP_LEAFS].count + 3 * DISK_LEAF);
    finds(level, BSP_WARNING, "unused-tree", ": 3 and 0");
}

static void entities_are_looked_over(void **state) {
    (void)state;
    finds(with_entities(""), BSP_WARNING, "no-entities", "no entities");
    finds(with_entities("{ classname light }"), BSP_WARNING, "no-worldspawn", "\"light\"");
    finds(with_entities("{ classname worldspawn } { origin \"1 2 3\" }"), BSP_WARNING, "no-classname", "entity 1");
    finds(with_entities("{ classname worldspawn A b a c a d }"), BSP_WARNING, "duplicate-key", "has \"a\" more than once");
    finds(with_entities("{ classname worldspawn } { classname x origin \"1 2\" }"), BSP_WARNING, "short-vector", "2 of 3");
    finds(with_entities("{ classname worldspawn } { classname func_door target Nowhere }"), BSP_WARNING, "dangling-target",
          "entity 1 (func_door): \"target\" \"Nowhere\" names nobody");
    finds(with_entities("{ classname worldspawn } { classname func_door model *7 }"), BSP_ERROR, "missing-model", "*1 to *1");
    finds(with_entities("{ classname worldspawn }"), BSP_NOTE, "unused-model", "(1): 1");
    finds(with_entities("{ classname worldspawn }"), BSP_WARNING, "no-start", "no place");
    finds(with_entities("{ classname worldspawn } { classname info_player_start origin \"-999 0 0\" }"), BSP_ERROR, "in-solid",
          "entity 1 (info_player_start) at -999 0 0");
    finds(with_entities("{ classname worldspawn } { classname item_quad origin \"-999 0 0\" }"), BSP_WARNING, "in-solid", "quad");
    finds(with_entities("{ classname worldspawn } { classname target_relay targetname lost }"), BSP_NOTE, "untargeted", "1");
}

/* The door's own brush becomes an area portal of the world's, from room to room. */
static void area_portals_are_looked_over(void **state) {
    (void)state;
    static const struct { const char *door; bool parts; const char *kind; } rows[] = {
        { "{ classname func_door model *1 }", true, NULL },
        { "{ classname trigger_multiple model *1 }", true, "bare-area-portal" },
        { "{ classname func_door model *1 origin \"300 0 0\" }", true, "bare-area-portal" },
        { "{ classname func_door model *1 }", false, "idle-area-portal" },
    };
    for (int i = 0; i < COUNT_OF(rows); i++) {
        char text[256];
        snprintf(text, sizeof text, "{ classname worldspawn } %s", rows[i].door);
        Error error;
        Map *map = level_load(with_entities(text), arena, &error);
        int brush = map->models[1].first_brush;
        map->brushes[brush].bounds = (Box){ vec3_at(256, 96, 0), vec3_at(272, 160, 96) };
        map->textures[map->brushes[brush].texture].contents = CONTENTS_AREAPORTAL;
        map->models[0].brush_count = brush + 1;
        for (int k = 0; k < map->leaf_count; k++)
            map->leafs[k].area = map->leafs[k].cluster < 0 ? -1 : rows[i].parts && map->leafs[k].cluster == 2;
        map->area_count = 2;
        BspFindings findings = bsp_check(map, arena);
        assert_int_equal(count_kind(findings, "idle-area-portal") + count_kind(findings, "bare-area-portal"), rows[i].kind != NULL);
        assert_int_equal(rows[i].kind ? count_kind(findings, rows[i].kind) : 0, rows[i].kind != NULL);
    }
}

static void names_of_targets_compare_without_case(void **state) {
    (void)state;
    BspFindings findings = check(with_entities("{ classname worldspawn } { classname a target Door } { classname b target x }"
                                               "{ classname c targetname dOOR } { classname d targetname X }"));
    assert_int_equal(count_kind(findings, "dangling-target"), 0);
}

static void a_spawn_on_the_floor_is_not_in_solid(void **state) {
    (void)state;
    BspFindings findings = check(with_entities("{ classname worldspawn } { classname info_player_start origin \"9 9 0\" }"));
    assert_int_equal(count_kind(findings, "in-solid"), 0);
}

static void flags_have_their_names(void **state) {
    (void)state;
    char text[200];
    assert_string_equal(bsp_flag_names(bsp_surface_flags, SURF_SKY | SURF_NODRAW, text, sizeof text), "sky nodraw");
    assert_string_equal(bsp_flag_names(bsp_surface_flags, 0, text, sizeof text), "");
    assert_string_equal(bsp_flag_names(bsp_surface_flags, 0x80000001u, text, sizeof text), "nodamage 0x80000000");
    assert_string_equal(bsp_flag_names(bsp_contents_flags, 0x80000001u, text, sizeof text), "solid nodrop");
    assert_string_equal(bsp_flag_names(bsp_contents_flags, 0xffffffffu, text, 12), "solid 0x2 0");
    assert_int_equal(bsp_flag_by_name(bsp_contents_flags, "PlayerClip"), CONTENTS_PLAYERCLIP);
    assert_int_equal(bsp_flag_by_name(bsp_contents_flags, "sky"), 0);
    assert_int_equal(MASK_PLAYERSOLID, CONTENTS_SOLID | CONTENTS_PLAYERCLIP | CONTENTS_BODY);
}

static void severities_have_names(void **state) {
    (void)state;
    assert_string_equal(bsp_severity_name(BSP_NOTE), "note");
    assert_string_equal(bsp_severity_name(BSP_ERROR), "error");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_arena, close_arena)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_sound_level_gives_no_warning), TEST(warnings_of_the_load_come_first), TEST(visibility_is_looked_over),
        TEST(faces_and_light_are_looked_over), TEST(entities_are_looked_over), TEST(area_portals_are_looked_over),
        TEST(names_of_targets_compare_without_case),
        TEST(a_spawn_on_the_floor_is_not_in_solid), TEST(flags_have_their_names), TEST(severities_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
