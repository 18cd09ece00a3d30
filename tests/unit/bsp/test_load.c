/* The loader: what a valid file becomes, what is refused, what is repaired. The letters are rows of the collection of
 * public bug reports that this program was built against. */
#include "support/test.h"

#include "support/kept_log.h"
#include "support/level.h"
#include "support/test_arena.h"

#include <math.h>
#include <stdio.h>


/* ---- helpers: sentences about a broken level ---- */

static void assert_has(const char *text, const char *words) {
    if (!strstr(text, words))
        fail_msg("\"%s\" does not say \"%s\"", text, words);
}

static void is_refused(Level *level, const char *words) {
    Error error = { "" };
    Map *map = level_load(level, arena, &error);
    assert_null(map);
    assert_has(error.text, "maps/test.bsp");
    assert_has(error.text, words);
}

static bool warns(const Map *map, const char *words) {
    for (int i = 0; i < map->warnings.count; i++)
        if (strstr(map->warnings.at[i], words))
            return true;
    return false;
}

static Map *is_repaired(Level *level, const char *words) {
    Error error = { "" };
    Map *map = level_load(level, arena, &error);
    if (!map)
        fail_msg("%s", error.text);
    if (!warns(map, words))
        fail_msg("no warning says \"%s\" (%d warnings, first: %s)", words, map->warnings.count,
                 map->warnings.count ? map->warnings.at[0] : "none");
    return map;
}

static Map *is_fine(Level *level) {
    Error error = { "" };
    Map *map = level_load(level, arena, &error);
    if (!map)
        fail_msg("%s", error.text);
    if (map->warnings.count)
        fail_msg("%s", map->warnings.at[0]);
    return map;
}

static void bytes_are_refused(const void *bytes, size_t size, const char *words) {
    Error error = { "" };
    uint8_t *copy = mem_alloc(size);    /* of exactly this size: a sanitizer sees a step beyond it */
    if (size)
        memcpy(copy, bytes, size);
    assert_null(bsp_load(arena, "maps/odd.bsp", copy, size, NULL, &error));
    mem_free(copy);
    assert_has(error.text, "maps/odd.bsp: ");
    assert_has(error.text, words);
}

/* ---- valid files ---- */

static void a_level_holds_what_the_file_says(void **state) {
    (void)state;
    Map *map = is_fine(level_make("bend"));
    assert_string_equal(map->name, "test");
    assert_string_equal(map->path, "maps/test.bsp");
    assert_int_equal(map->version, 46);
    assert_int_equal(map->cluster_count, 5);
    assert_int_equal(map->row_count, 5);
    assert_int_equal(map->row_bytes, 8);
    assert_int_equal(map->area_count, 1);
    assert_int_equal(map->model_count, 1);
    assert_int_equal(map->lightmap_count, 1);
    assert_int_equal(map->lightmaps[3], 65);
    assert_string_equal(map->textures[0].name, "textures/test/floor");
    assert_int_equal(map->textures[3].flags, SURF_SKY);
    assert_int_equal(map->textures[3].contents, CONTENTS_SOLID);
    assert_true(map->bounds.mins.x == -16 && map->bounds.maxs.y == 544);
    assert_int_equal(map->lumps[LUMP_NODES].count, map->node_count);
    assert_int_equal(map->lumps[LUMP_ENTITIES].count, 4);
    assert_int_equal(map->entity_count, 4);
    for (int i = 0; i < map->face_count; i++)
        assert_int_equal(map->face_model[i], 0);
}

static void names_of_lumps_lead_back_to_them(void **state) {
    (void)state;
    for (int i = 0; i < LUMP_COUNT; i++)
        assert_int_equal(bsp_lump_by_name(bsp_lump_name(i)), i);
    assert_int_equal(bsp_lump_by_name("shaders"), -1);
}

static void a_name_comes_from_the_path(void **state) {
    (void)state;
    Level *level = level_make("room");
    size_t size;
    uint8_t *bytes = level_write(level, &size);
    level_free(level);
    assert_string_equal(bsp_load(arena, "oa_dm1.BSP", bytes, size, NULL, NULL)->name, "oa_dm1");
    assert_string_equal(bsp_load(arena, "a/b/odd", bytes, size, NULL, NULL)->name, "odd");
    mem_free(bytes);
}

static void an_18th_entry_is_passed_over(void **state) {
    (void)state;
    Level *level = level_make("two rooms");
    level->entries = 18;
    is_fine(level);
}

static void lumps_at_odd_offsets_are_read(void **state) {    /* A28 */
    (void)state;
    Level *level = level_make("everything");
    level->align = 1;
    level_set_text(level, "{\"classname\" \"worldspawn\"}\n");    /* 28 bytes with the NUL: make it odd */
    level_resize(level, LUMP_ENTITIES, 27);
    Error error;
    Map *map = level_load(level, arena, &error);
    assert_non_null(map);
    assert_int_equal(map->lumps[LUMP_TEXTURES].offset % 4, 3);
    assert_string_equal(map->textures[0].name, "textures/test/floor");
}

static void brushes_have_their_boxes(void **state) {
    (void)state;
    Map *map = is_fine(level_make("door"));
    const BspBrush *door = &map->brushes[map->models[1].first_brush];
    assert_true(door->usable);
    assert_true(door->bounds.mins.x == 260 && door->bounds.maxs.x == 268 && door->bounds.maxs.z == 96);
    assert_int_equal(map->face_model[map->models[1].first_face], 1);
}

static void a_brush_that_gives_no_box_is_cut_out(void **state) {
    (void)state;
    Level *level = level_make("door");
    /* The door's +x side is tilted: no longer axial, so the box comes from cutting the sides. */
    int brush = level_count(level, LUMP_BRUSHES) - 1;
    int side = level_get_int(level, LUMP_BRUSHES, brush, BRUSH_FIRST_SIDE) + 1;
    int plane = level_count(level, LUMP_PLANES);
    level_resize(level, LUMP_PLANES, (size_t)(plane + 1) * DISK_PLANE);
    level_set_float(level, LUMP_PLANES, plane, PLANE_NORMAL, 0.8f);
    level_set_float(level, LUMP_PLANES, plane, PLANE_NORMAL + 8, 0.6f);
    level_set_float(level, LUMP_PLANES, plane, PLANE_DIST, 0.8f * 268);
    level_set_int(level, LUMP_BRUSHSIDES, side, BRUSHSIDE_PLANE, plane);
    Map *map = is_fine(level);
    const BspBrush *door = &map->brushes[map->models[1].first_brush];
    assert_true(door->usable);
    assert_true(fabsf(door->bounds.mins.x - 260) < 0.01f && fabsf(door->bounds.maxs.x - 268) < 0.01f);
    assert_true(fabsf(door->bounds.maxs.z - 10.667f) < 0.01f);    /* where the tilted side meets x 260 */
}

static void warnings_go_to_the_log_too(void **state) {
    (void)state;
    Level *level = level_make("everything");
    size_t size;
    uint8_t *bytes = level_write(level, &size);
    level_free(level);
    KeptLog log;
    kept_log_init(&log);
    Map *map = bsp_load(arena, "maps/test.bsp", bytes, size, &log.log, NULL);
    assert_int_equal(map->warnings.count, 1);
    assert_true(kept_log_has(&log, "maps/test.bsp: lump vertices, record "));
    kept_log_end(&log);
    mem_free(bytes);
}

/* ---- the directory (A1 to A8, A20, A31) ---- */

static void a_length_that_is_no_multiple_is_refused(void **state) {    /* A1, A7 */
    (void)state;
    Level *level = level_make("room");
    level_resize(level, LUMP_MESHVERTS, 6);
    is_refused(level, "lump meshverts");
    for (int lump = LUMP_TEXTURES; lump <= LUMP_FACES; lump++) {
        level = level_make("everything");
        level_resize(level, lump, level->lumps[lump].count + 1);
        is_refused(level, bsp_lump_name(lump));
    }
}

static void loose_bytes_of_lightmaps_and_grid_are_ignored(void **state) {
    (void)state;
    Level *level = level_make("room");
    level_resize(level, LUMP_LIGHTMAPS, LIGHTMAP_BYTES + 7);
    level_resize(level, LUMP_LIGHTVOLS, level->lumps[LUMP_LIGHTVOLS].count + 3);
    Map *map = is_repaired(level, "lump lightmaps");
    assert_int_equal(map->lightmap_count, 1);
    assert_true(warns(map, "the last 3 bytes are ignored"));
    assert_non_null(map->grid.points);
}

static void put(uint8_t *at, int value) {
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)((unsigned)value >> 8 * i);
}

static void a_directory_entry_is_checked_in_64_bits(void **state) {
    (void)state;
    static const struct { int offset, length; const char *words; } rows[] = {
        { 0x7fffffff, 72, "lump textures begins at 2147483647" },
        { -4, 72, "lump textures begins at -4" },
        { 144, -72, "its length is -72" },
        { 144, 0x7ffffff8, "lump textures ends at 2147483784" },
        { 0x7ffffff0, 0x7ffffff0, "lump textures begins at" },
    };
    for (int i = 0; i < COUNT_OF(rows); i++) {
        Level *level = level_make("room");
        size_t size;
        uint8_t *bytes = level_write(level, &size);
        level_free(level);
        put(bytes + 8 + 8 * LUMP_TEXTURES, rows[i].offset);
        put(bytes + 12 + 8 * LUMP_TEXTURES, rows[i].length);
        bytes_are_refused(bytes, size, rows[i].words);
        mem_free(bytes);
    }
}

static void an_empty_lump_may_begin_anywhere(void **state) {
    (void)state;
    Level *level = level_make("unlit");
    size_t size;
    uint8_t *bytes = level_write(level, &size);
    level_free(level);
    put(bytes + 8 + 8 * LUMP_LIGHTMAPS, -1);
    put(bytes + 8 + 8 * LUMP_VISDATA, 0x7fffffff);
    assert_non_null(bsp_load(arena, "maps/test.bsp", bytes, size, NULL, NULL));
    mem_free(bytes);
}

static void entity_text_beyond_the_file_is_cut_with_a_warning(void **state) {    /* A3 */
    (void)state;
    Level *level = level_make("room");
    size_t size, text = level->lumps[LUMP_ENTITIES].count;
    uint8_t *bytes = level_write(level, &size);
    uint8_t *moved = mem_alloc(size + text);
    memcpy(moved, bytes, size);
    memcpy(moved + size, level->lumps[LUMP_ENTITIES].at, text);
    put(moved + 8, (int)size);
    put(moved + 12, (int)text + 100);
    Map *map = bsp_load(arena, "maps/test.bsp", moved, size + text, NULL, NULL);
    assert_non_null(map);
    assert_true(warns(map, "lump entities ends at"));
    assert_int_equal(map->entity_count, 2);
    level_free(level);
    mem_free(bytes);
    mem_free(moved);
}

static void files_cut_anywhere_are_refused(void **state) {    /* A4 and more */
    (void)state;
    Level *level = level_make("bend");
    size_t size;
    uint8_t *bytes = level_write(level, &size);
    level_free(level);
    bytes_are_refused(bytes, 0, "file too short (0 bytes, the header of a level has 144)");
    for (size_t cut = 1; cut < size; cut += cut < 160 ? 1 : 997) {
        Error error = { "" };
        uint8_t *copy = mem_alloc(cut);
        memcpy(copy, bytes, cut);
        assert_null(bsp_load(arena, "maps/cut.bsp", copy, cut, NULL, &error));
        assert_has(error.text, "maps/cut.bsp: ");
        mem_free(copy);
    }
    mem_free(bytes);
}

static void other_files_are_named(void **state) {    /* A5, A6, A8, A25, A31 */
    (void)state;
    static const struct { const char *bytes; size_t size; const char *words; } rows[] = {
        { "IBSP\x26\0\0\0", 8, "Quake 2" },
        { "IBSP\x2f\0\0\0", 8, "Return to Castle Wolfenstein" },
        { "IBSP\x29\0\0\0", 8, "Daikatana" },
        { "IBSP\x3b\0\0\0", 8, "Call of Duty" },
        { "IBSP\x04\0\0\0", 8, "Call of Duty 2" },
        { "IBSP\x63\0\0\0", 8, "no game known here" },
        { "RBSP\1\0\0\0", 8, "Raven" },
        { "FBSP\1\0\0\0", 8, "Warsow" },
        { "VBSP\x14\0\0\0", 8, "Source engine" },
        { "\x1d\0\0\0\0\0\0\0", 8, "Quake 1" },
        { "\x1e\0\0\0\0\0\0\0", 8, "Half-Life" },
        { "BSP2\0\0\0\0", 8, "BSP2" },
        { "2PSB\0\0\0\0", 8, "2PSB" },
        { "QBSP\x26\0\0\0", 8, "32-bit lumps" },
        { "FAKK\x0c\0\0\0", 8, "FAKK2" },
        { "PWAD\0\0\0\0", 8, "Doom" },
        { "IWAD\0\0\0\0", 8, "Doom" },
        { "PK\3\4\0\0\0\0", 8, "pk3" },
        { "\x1f\x8b\x08\0", 4, "gzip" },
        { "PSBI\0\0\0\x2e", 8, "big-endian" },
        { "hello, world", 12, "file too short" },
    };
    for (int i = 0; i < COUNT_OF(rows); i++)
        bytes_are_refused(rows[i].bytes, rows[i].size, rows[i].words);
    uint8_t text[400];
    memset(text, 'x', sizeof text);
    bytes_are_refused(text, sizeof text, "78 78 78 78");
}

static void versions_47_are_told_apart_by_their_lumps(void **state) {    /* A5 */
    (void)state;
    Level *level = level_make("room");
    level->version = 47;
    is_refused(level, "Return to Castle Wolfenstein or Enemy Territory (IBSP version 47, 17 lumps)");
    level = level_make("room");
    level->version = 47;
    level->entries = 18;
    size_t size;
    uint8_t *bytes = level_write(level, &size);
    level_free(level);
    put(bytes + 8 + 8 * 17 + 4, 256);
    assert_string_equal(bsp_foreign_format(bytes, size), "Quake Live (IBSP version 47, 18 lumps)");
    mem_free(bytes);
}

static void our_own_format_is_not_foreign(void **state) {    /* A8: the four bytes need no NUL behind them */
    (void)state;
    assert_null(bsp_foreign_format((const uint8_t *)"IBSP\x2e\0\0\0", 8));
    assert_null(bsp_foreign_format((const uint8_t *)"IB", 2));
    assert_null(bsp_foreign_format(NULL, 0));
}

static void a_level_of_soldier_of_fortune_is_suspected(void **state) {
    (void)state;
    Level *level = level_make("room");
    level_resize(level, LUMP_TEXTURES, 20 * 7);
    is_refused(level, "Soldier of Fortune");
}

static void a_level_has_at_least_one_of_each(void **state) {
    (void)state;
    static const int lumps[] = { LUMP_TEXTURES, LUMP_PLANES, LUMP_NODES, LUMP_LEAFS, LUMP_MODELS };
    for (int i = 0; i < COUNT_OF(lumps); i++) {
        Level *level = level_make("room");
        level_resize(level, lumps[i], 0);
        is_refused(level, "is empty");
    }
}

static void an_unlit_unvised_level_loads(void **state) {    /* A9 */
    (void)state;
    Map *map = is_fine(level_make("unlit"));
    assert_int_equal(map->lightmap_count, 0);
    assert_null(map->grid.points);
    assert_int_equal(map->row_count, 0);
    assert_int_equal(map->cluster_count, 5);
    assert_false(bsp_light_at(map, vec3_at(128, 128, 64)).valid);
}

/* ---- indexes: lump, record and byte are in the message (A18) ---- */

static void a_wrong_number_is_refused_with_its_place(void **state) {
    (void)state;
    static const struct { int lump, record, field, value; const char *words; } rows[] = {
        { LUMP_NODES, 1, NODE_PLANE, 9999, "lump nodes, record 1 (byte " },
        { LUMP_NODES, 1, NODE_PLANE, -1, "plane -1" },
        { LUMP_NODES, 0, NODE_CHILDREN, 9999, "child node 9999" },
        { LUMP_NODES, 0, NODE_CHILDREN + 4, -9999, "child leaf 9998" },
        { LUMP_NODES, 0, NODE_CHILDREN + 4, INT32_MIN, "child leaf 2147483647" },
        { LUMP_NODES, 1, NODE_CHILDREN, 0, "a cycle" },
        { LUMP_NODES, 2, NODE_CHILDREN, 1, "a cycle" },
        { LUMP_NODES, 2, NODE_CHILDREN, 2, "a cycle" },
        { LUMP_LEAFS, 1, LEAF_FIRST_BRUSH, 99999, "lump leafs, record 1" },
        { LUMP_LEAFS, 1, LEAF_FACE_COUNT, -1, "leaffaces" },
        { LUMP_LEAFS, 1, LEAF_FACE_COUNT, INT32_MAX, "leaffaces" },
        { LUMP_LEAFS, 1, LEAF_BRUSH_COUNT, INT32_MAX, "leafbrushes" },
        { LUMP_LEAFS, 1, LEAF_CLUSTER, INT32_MAX, "cluster 2147483647" },
        { LUMP_LEAFS, 1, LEAF_AREA, INT32_MAX, "area 2147483647" },
        { LUMP_LEAFFACES, 3, 0, 99999, "lump leaffaces, record 3" },
        { LUMP_LEAFFACES, 3, 0, -1, "face -1" },
        { LUMP_LEAFBRUSHES, 0, 0, 99999, "lump leafbrushes, record 0" },
        { LUMP_MODELS, 0, MODEL_FACE_COUNT, 99999, "lump models, record 0" },
        { LUMP_MODELS, 0, MODEL_FIRST_BRUSH, -3, "brushes from -3" },
        { LUMP_VISDATA, 0, VIS_CLUSTERS, -1, "lump visdata" },
        { LUMP_VISDATA, 0, VIS_CLUSTERS, 65, "cannot hold 65 clusters" },
        { LUMP_VISDATA, 0, VIS_CLUSTERS, 64, "need 520 bytes" },
        { LUMP_VISDATA, 4, 0, INT32_MAX, "lump visdata" },
    };
    for (int i = 0; i < COUNT_OF(rows); i++) {
        Level *level = level_make("bend");
        level_set_int(level, rows[i].lump, rows[i].record, rows[i].field, rows[i].value);
        is_refused(level, rows[i].words);
    }
    Level *level = level_make("bend");
    level_resize(level, LUMP_VISDATA, 5);
    is_refused(level, "its header alone has 8");
}

static void the_byte_in_a_message_is_that_of_the_record(void **state) {
    (void)state;
    Level *level = level_make("bend");
    level_set_int(level, LUMP_NODES, 2, NODE_PLANE, 9999);
    size_t size;
    uint8_t *bytes = level_write(level, &size);
    level_free(level);
    unsigned byte = disk_u32(bytes + 8 + 8 * LUMP_NODES) + 2 * DISK_NODE;
    char words[64];
    snprintf(words, sizeof words, "lump nodes, record 2 (byte %u): plane 9999, the file has ", byte);
    bytes_are_refused(bytes, size, words);
    mem_free(bytes);
}

static void a_tree_deeper_than_any_is_refused(void **state) {
    (void)state;
    Level *level = level_make("room");
    int count = 5000, before = level_count(level, LUMP_NODES);
    level_resize(level, LUMP_NODES, (size_t)(before + count) * DISK_NODE);
    int end = level_get_int(level, LUMP_NODES, 0, NODE_CHILDREN);
    for (int i = 0; i < count; i++) {
        level_set_int(level, LUMP_NODES, before + i, NODE_CHILDREN, i + 1 < count ? before + i + 1 : end);
        level_set_int(level, LUMP_NODES, before + i, NODE_CHILDREN + 4, -1);
    }
    level_set_int(level, LUMP_NODES, 0, NODE_CHILDREN, before);
    is_refused(level, "deeper");
}

static void a_leaf_of_two_nodes_is_lived_with(void **state) {
    (void)state;
    Level *level = level_make("room");
    /* both children of the root's far side become the same solid leaf */
    int leaf = level_get_int(level, LUMP_NODES, 0, NODE_CHILDREN + 4);
    assert_true(leaf < 0);
    level_set_int(level, LUMP_NODES, 1, NODE_CHILDREN + (level_get_int(level, LUMP_NODES, 1, NODE_CHILDREN) < 0 ? 0 : 4), leaf);
    Map *map = is_repaired(level, "the child of more than one node");
    int out[64];
    int count = bsp_leaves_in(map, (Box){ vec3_at(-999, -999, -999), vec3_at(999, 999, 999) }, out, 64);
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++)
            assert_int_not_equal(out[i], out[j]);
}

/* ---- repairs ---- */

static void a_broken_face_is_dropped_and_the_rest_kept(void **state) {
    (void)state;
    static const struct { int field, value; const char *words; } rows[] = {
        { FACE_TEXTURE, 99, "texture 99, the file has 8" },
        { FACE_TEXTURE, -1, "texture -1" },
        { FACE_TYPE, 0, "type 0" },
        { FACE_TYPE, 5, "foliage" },
        { FACE_TYPE, 77, "type 77" },
        { FACE_FIRST_VERTEX, 999999, "vertices from 999999" },
        { FACE_FIRST_VERTEX, -1, "vertices from -1" },
        { FACE_VERTEX_COUNT, INT32_MAX, "2147483647 vertices" },
        { FACE_VERTEX_COUNT, 2, "a polygon of 2 vertices" },    /* A19 */
        { FACE_VERTEX_COUNT, 3, "a meshvert beyond its 3 vertices" },
        { FACE_FIRST_INDEX, 999999, "meshverts from 999999" },
        { FACE_INDEX_COUNT, -3, "-3 meshverts" },
    };
    for (int i = 0; i < COUNT_OF(rows); i++) {
        Level *level = level_make("room");
        level_set_int(level, LUMP_FACES, 2, rows[i].field, rows[i].value);
        Map *map = is_repaired(level, rows[i].words);
        assert_int_equal(map->warnings.count, 1);
        assert_has(map->warnings.at[0], "lump faces, record 2 (byte ");
        assert_true(map->faces[2].dropped);
        assert_false(map->faces[1].dropped);
        BspGeometry *geometry = bsp_geometry(map, 4, arena);
        assert_int_equal(geometry->faces[2].index_count, 0);
        assert_int_equal(geometry->faces[1].index_count, 6);
    }
}

static void a_patch_of_a_wrong_size_is_dropped(void **state) {
    (void)state;
    static const int sizes[][2] = { { 1, 9 }, { 3, 4 }, { 4, 3 }, { -3, -3 }, { 3, 5 }, { 65537, 65537 }, { 0, 0 } };
    for (int i = 0; i < COUNT_OF(sizes); i++) {
        Level *level = level_make("patch");
        int face = 0;
        while (level_get_int(level, LUMP_FACES, face, FACE_TYPE) != FACE_PATCH)
            face++;
        level_set_int(level, LUMP_FACES, face, FACE_PATCH_SIZE, sizes[i][0]);
        level_set_int(level, LUMP_FACES, face, FACE_PATCH_SIZE + 4, sizes[i][1]);
        assert_true(is_repaired(level, "a patch of ")->faces[face].dropped);
    }
}

static void a_meshvert_beyond_its_face_drops_it(void **state) {
    (void)state;
    static const int values[] = { 4, -1, INT32_MAX, INT32_MIN };
    for (int i = 0; i < COUNT_OF(values); i++) {
        Level *level = level_make("room");
        level_set_int(level, LUMP_MESHVERTS, 1, 0, values[i]);
        assert_true(is_repaired(level, "a meshvert beyond its 4 vertices")->faces[0].dropped);
    }
}

static void half_a_triangle_is_ignored(void **state) {
    (void)state;
    Level *level = level_make("room");
    level_set_int(level, LUMP_FACES, 0, FACE_INDEX_COUNT, 5);
    Map *map = is_repaired(level, "5 meshverts are no whole triangles");
    assert_int_equal(bsp_geometry(map, 4, arena)->faces[0].index_count, 3);
}

static void a_flares_vertices_are_not_looked_at(void **state) {    /* A14 */
    (void)state;
    Map *map = is_repaired(level_make("everything"), "lightmap coordinates");
    int flares = 0;
    for (int i = 0; i < map->face_count; i++)
        if (map->faces[i].type == FACE_FLARE) {
            flares++;
            assert_false(map->faces[i].dropped);
            assert_int_equal(map->faces[i].vertex_count, 0);    /* the file says 77 from 123456 */
            assert_int_equal(map->faces[i].index_count, 0);
            assert_true(map->faces[i].lightmap_origin.z == 120 && map->faces[i].lightmap_vecs[0].y == 0.5f);
        }
    assert_int_equal(flares, 1);
}

static void numbers_that_are_none_become_0(void **state) {    /* A10 */
    (void)state;
    Level *level = level_make("room");
    level_set_float(level, LUMP_VERTICES, 3, VERTEX_LIGHTMAP_UV, NAN);
    level_set_float(level, LUMP_VERTICES, 5, VERTEX_LIGHTMAP_UV + 4, -1e38f);
    level_set_float(level, LUMP_VERTICES, 6, VERTEX_POSITION, INFINITY);
    level_set_float(level, LUMP_VERTICES, 7, VERTEX_UV, -INFINITY);
    level_set_float(level, LUMP_VERTICES, 8, VERTEX_NORMAL, NAN);
    Map *map = is_repaired(level, "lump vertices, record 3 (byte ");
    assert_int_equal(map->warnings.count, 4);    /* one of each kind */
    assert_true(warns(map, "lightmap coordinates are not finite; 0 in their place (2 such)"));
    assert_true(map->vertices[3].lightmap_uv.x == 0 && map->vertices[5].lightmap_uv.y == 0);
    assert_true(map->vertices[6].position.x == 0 && map->vertices[7].uv.x == 0 && map->vertices[8].normal.x == 0);
}

static void large_texture_coordinates_stay(void **state) {
    (void)state;
    Level *level = level_make("room");
    level_set_float(level, LUMP_VERTICES, 0, VERTEX_UV, -2875541760.0f);    /* a real level has it */
    assert_true(is_fine(level)->vertices[0].uv.x == -2875541760.0f);
}

static void a_run_of_nothing_may_begin_anywhere(void **state) {    /* A11 */
    (void)state;
    Level *level = level_make("door");
    level_set_int(level, LUMP_MODELS, 1, MODEL_FIRST_FACE, -123456);
    level_set_int(level, LUMP_MODELS, 1, MODEL_FACE_COUNT, 0);
    Map *map = is_fine(level);
    assert_int_equal(map->models[1].face_count, 0);
    assert_int_equal(map->models[1].first_face, 0);
}

static void bounds_near_the_ends_of_int_are_clamped(void **state) {    /* A14, A15 */
    (void)state;
    Level *level = level_make("room");
    level_set_int(level, LUMP_LEAFS, 1, LEAF_MINS, INT32_MIN);
    level_set_int(level, LUMP_LEAFS, 1, LEAF_MAXS, INT32_MAX);
    level_set_int(level, LUMP_NODES, 0, NODE_MAXS, INT32_MAX);
    Map *map = is_repaired(level, "its bounds are absurd; clamped");
    assert_true(map->leafs[1].mins[0] - 1 < 0 && map->leafs[1].maxs[0] + 1 > 0 && map->nodes[0].maxs[0] + 1 > 0);
}

static void a_short_light_grid_is_left_out(void **state) {    /* A16 */
    (void)state;
    Level *level = level_make("room");
    level_resize(level, LUMP_LIGHTVOLS, level->lumps[LUMP_LIGHTVOLS].count - 8);
    Map *map = is_repaired(level, "the light grid is left out");
    assert_null(map->grid.points);
    assert_false(bsp_light_at(map, vec3_at(128, 128, 64)).valid);
}

static void a_long_light_grid_is_used(void **state) {
    (void)state;
    Level *level = level_make("room");
    level_resize(level, LUMP_LIGHTVOLS, level->lumps[LUMP_LIGHTVOLS].count + 80);
    assert_non_null(is_repaired(level, "the rest is ignored")->grid.points);
}

static void a_grid_size_out_of_its_mind_is_not_trusted(void **state) {    /* A27 */
    (void)state;
    static const char *const sizes[] = { "0 0 0", "-64 64 128", "nan nan nan", "64 64", "1e30 64 64", "" };
    for (int i = 0; i < COUNT_OF(sizes); i++) {
        Level *level = level_make("room");
        char text[128];
        snprintf(text, sizeof text, "{\"classname\" \"worldspawn\" \"GridSize\" \"%s\"}", sizes[i]);
        level_set_text(level, text);
        Map *map = is_fine(level);
        assert_true(map->grid.size[0] == 64 && map->grid.size[2] == 128);
        assert_non_null(map->grid.points);
    }
    Level *level = level_make("room");
    level_set_text(level, "{\"classname\" \"worldspawn\" \"GRIDSIZE\" \"128 128 256\"}");
    assert_true(is_repaired(level, "the rest is ignored")->grid.size[2] == 256);
}

static void a_grid_is_counted_in_single_precision(void **state) {
    (void)state;
    Level *level = level_make("room");
    level_set_text(level, "{\"classname\" \"worldspawn\" \"gridsize\" \"76.8 76.8 153.6\"}");
    level_set_float(level, LUMP_MODELS, 0, MODEL_MINS, -7.0f * 76.8f);
    Error error;
    Map *map = level_load(level, arena, &error);
    float low = 76.8f * ceilf(-7.0f * 76.8f / 76.8f);
    assert_true(map->grid.origin[0] == low);
    assert_int_equal(map->grid.count[0], 11);    /* -537.6 to 230.4 */
}

static void a_bad_brush_side_drops_its_brush(void **state) {    /* A18 */
    (void)state;
    static const struct { int field, value; } rows[] = {
        { BRUSHSIDE_PLANE, 99999 }, { BRUSHSIDE_PLANE, -1 }, { BRUSHSIDE_TEXTURE, 99 }, { BRUSHSIDE_TEXTURE, -1 },
    };
    for (int i = 0; i < COUNT_OF(rows); i++) {
        Level *level = level_make("room");
        level_set_int(level, LUMP_BRUSHSIDES, 7, rows[i].field, rows[i].value);
        Map *map = is_repaired(level, "lump brushsides, record 7 (byte ");
        assert_false(map->brushes[1].usable);
        assert_true(map->brushes[0].usable && map->brushes[2].usable);
        assert_true(map->brushsides[7].plane >= 0 && map->brushsides[7].plane < map->plane_count);
    }
}

static void a_bad_brush_is_dropped(void **state) {
    (void)state;
    static const struct { int field, value; const char *words; } rows[] = {
        { BRUSH_TEXTURE, 99, "texture 99" },
        { BRUSH_FIRST_SIDE, 99999, "sides from 99999" },
        { BRUSH_SIDE_COUNT, INT32_MAX, "2147483647 sides" },
        { BRUSH_SIDE_COUNT, -1, "-1 sides" },
        { BRUSH_SIDE_COUNT, 3, "3 sides enclose nothing" },
        { BRUSH_SIDE_COUNT, 5, "its sides enclose nothing, or are open" },
    };
    for (int i = 0; i < COUNT_OF(rows); i++) {
        Level *level = level_make("room");
        level_set_int(level, LUMP_BRUSHES, 1, rows[i].field, rows[i].value);
        Map *map = is_repaired(level, rows[i].words);
        assert_false(map->brushes[1].usable);
        assert_true(map->brushes[0].usable);
    }
}

static void planes_are_made_sound(void **state) {
    (void)state;
    Level *level = level_make("room");
    level_set_float(level, LUMP_PLANES, 2, PLANE_NORMAL, NAN);
    int plane = level_count(level, LUMP_PLANES);
    level_resize(level, LUMP_PLANES, (size_t)(plane + 1) * DISK_PLANE);
    level_set_float(level, LUMP_PLANES, plane, PLANE_NORMAL, 2);
    level_set_float(level, LUMP_PLANES, plane, PLANE_DIST, 100);
    Map *map = is_repaired(level, "a plane without a direction");
    assert_true(warns(map, "its normal has the length 2; scaled to length 1"));
    assert_true(map->planes[plane].normal.x == 1 && map->planes[plane].dist == 50);
    assert_true(map->planes[2].normal.x == 0);
}

static void an_effect_that_is_not_there_is_none(void **state) {
    (void)state;
    Level *level = level_make("room");
    level_set_int(level, LUMP_FACES, 0, FACE_EFFECT, 0);    /* a real level has this on 74 flares */
    assert_int_equal(is_repaired(level, "effect 0, the file has 0")->faces[0].effect, -1);
    level = level_make("everything");
    level_set_int(level, LUMP_EFFECTS, 0, EFFECT_BRUSH, 99999);
    assert_int_equal(is_repaired(level, "lump effects, record 0")->effects[0].brush, -1);
    level = level_make("everything");
    level_set_int(level, LUMP_EFFECTS, 0, EFFECT_SIDE, 6);
    assert_int_equal(is_repaired(level, "side 6 of a brush with 6")->effects[0].side, -1);
}

static void an_effect_on_no_brush_is_everywhere(void **state) {
    (void)state;
    Level *level = level_make("everything");
    level_set_int(level, LUMP_EFFECTS, 0, EFFECT_BRUSH, -1);
    Error error;
    Map *map = level_load(level, arena, &error);
    assert_int_equal(map->effects[0].brush, -1);
    assert_int_equal(map->warnings.count, 1);    /* the mesh's lightmap coordinates */
}

static void lightmaps_beyond_the_lump_are_kept(void **state) {    /* A26, and external lightmaps */
    (void)state;
    Level *level = level_make("room");
    level_set_int(level, LUMP_FACES, 0, FACE_LIGHTMAP, 12);
    level_set_int(level, LUMP_FACES, 1, FACE_LIGHTMAP, -9);
    Map *map = is_repaired(level, "lightmap -9 has no meaning");
    assert_int_equal(map->faces[0].lightmap, 12);
    assert_int_equal(map->faces[1].lightmap, LIGHTMAP_VERTEX);
}

static void names_need_no_nul(void **state) {    /* A22 */
    (void)state;
    Level *level = level_make("room");
    memset(level->lumps[LUMP_TEXTURES].at, 'A', DISK_NAME);
    Map *map = is_fine(level);
    assert_int_equal(strlen(map->textures[0].name), 64);
    assert_int_equal(map->textures[0].name[63], 'A');
}

static void clusters_beyond_the_rows_see_all(void **state) {
    (void)state;
    Level *level = level_make("bend");
    int leaf = 1;
    while (level_get_int(level, LUMP_LEAFS, leaf, LEAF_CLUSTER) != 4)
        leaf++;
    level_set_int(level, LUMP_LEAFS, leaf, LEAF_CLUSTER, 9);
    Map *map = is_repaired(level, "the others see all and are always seen");
    assert_int_equal(map->cluster_count, 10);
    assert_true(bsp_cluster_sees(map, 9, 0));
    assert_true(bsp_cluster_sees(map, 0, 9));
    assert_false(bsp_cluster_sees(map, 0, 4));
}

static void negative_clusters_are_all_minus_1(void **state) {
    (void)state;
    Level *level = level_make("room");
    level_set_int(level, LUMP_LEAFS, 1, LEAF_CLUSTER, INT32_MIN);
    assert_int_equal(is_fine(level)->leafs[1].cluster, -1);
}

static void lists_without_measure_are_refused(void **state) {    /* A20: a small file may not ask for much */
    (void)state;
    Level *level = level_make("room");
    int leafs = 20000, faces = level_count(level, LUMP_LEAFFACES);
    level_resize(level, LUMP_LEAFFACES, 4000 * DISK_INDEX);
    level_resize(level, LUMP_LEAFS, (size_t)leafs * DISK_LEAF);
    assert_true(faces < 4000);
    for (int i = 0; i < leafs; i++) {
        level_set_int(level, LUMP_LEAFS, i, LEAF_FIRST_FACE, 0);
        level_set_int(level, LUMP_LEAFS, i, LEAF_FACE_COUNT, 4000);
    }
    is_refused(level, "beyond all measure");
}

static void entity_text_ends_where_the_lump_ends(void **state) {    /* A2 */
    (void)state;
    Level *level = level_make("room");
    level->align = 1;
    level_set_text(level, "{\"classname\" \"worldspawn\"}");
    level_resize(level, LUMP_ENTITIES, level->lumps[LUMP_ENTITIES].count - 1);    /* the NUL; textures follow at once */
    Map *map = is_fine(level);
    assert_int_equal(map->entity_count, 1);
    assert_string_equal(map->entity_text, "{\"classname\" \"worldspawn\"}");
}

static void text_behind_a_nul_is_ignored(void **state) {
    (void)state;
    Level *level = level_make("room");
    level_set_text(level, "{\"classname\" \"worldspawn\"}");
    text_add(&level->lumps[LUMP_ENTITIES], "{\"classname\" \"light\"}");
    assert_int_equal(is_repaired(level, "text behind a NUL is ignored")->entity_count, 1);
}

static void a_cut_entity_is_left_out(void **state) {    /* A30 */
    (void)state;
    Level *level = level_make("room");
    level_set_text(level, "{\"classname\" \"worldspawn\"}\n{\n\"classname\" \"li");
    Map *map = is_repaired(level, "line 3: the text ends inside a quoted string");
    assert_int_equal(map->entity_count, 1);
}

static void a_fault_in_the_entity_text_names_its_line(void **state) {
    (void)state;
    Level *level = level_make("room");
    level_set_text(level, "{\n\"classname\" \"worldspawn\"\n}\n}\n");
    is_refused(level, "lump entities (byte 144), line 4: a } without its {");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_arena, close_arena)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_level_holds_what_the_file_says), TEST(names_of_lumps_lead_back_to_them), TEST(a_name_comes_from_the_path),
        TEST(an_18th_entry_is_passed_over), TEST(lumps_at_odd_offsets_are_read), TEST(brushes_have_their_boxes),
        TEST(a_brush_that_gives_no_box_is_cut_out), TEST(warnings_go_to_the_log_too),
        TEST(a_length_that_is_no_multiple_is_refused), TEST(loose_bytes_of_lightmaps_and_grid_are_ignored),
        TEST(a_directory_entry_is_checked_in_64_bits), TEST(an_empty_lump_may_begin_anywhere),
        TEST(entity_text_beyond_the_file_is_cut_with_a_warning), TEST(files_cut_anywhere_are_refused),
        TEST(other_files_are_named), TEST(versions_47_are_told_apart_by_their_lumps), TEST(our_own_format_is_not_foreign),
        TEST(a_level_of_soldier_of_fortune_is_suspected), TEST(a_level_has_at_least_one_of_each),
        TEST(an_unlit_unvised_level_loads), TEST(a_wrong_number_is_refused_with_its_place),
        TEST(the_byte_in_a_message_is_that_of_the_record), TEST(a_tree_deeper_than_any_is_refused),
        TEST(a_leaf_of_two_nodes_is_lived_with), TEST(a_broken_face_is_dropped_and_the_rest_kept),
        TEST(a_patch_of_a_wrong_size_is_dropped), TEST(a_meshvert_beyond_its_face_drops_it), TEST(half_a_triangle_is_ignored),
        TEST(a_flares_vertices_are_not_looked_at), TEST(numbers_that_are_none_become_0), TEST(large_texture_coordinates_stay),
        TEST(a_run_of_nothing_may_begin_anywhere), TEST(bounds_near_the_ends_of_int_are_clamped),
        TEST(a_short_light_grid_is_left_out), TEST(a_long_light_grid_is_used), TEST(a_grid_size_out_of_its_mind_is_not_trusted),
        TEST(a_grid_is_counted_in_single_precision), TEST(a_bad_brush_side_drops_its_brush), TEST(a_bad_brush_is_dropped),
        TEST(planes_are_made_sound), TEST(an_effect_that_is_not_there_is_none), TEST(an_effect_on_no_brush_is_everywhere),
        TEST(lightmaps_beyond_the_lump_are_kept), TEST(names_need_no_nul), TEST(clusters_beyond_the_rows_see_all),
        TEST(negative_clusters_are_all_minus_1), TEST(lists_without_measure_are_refused),
        TEST(entity_text_ends_where_the_lump_ends), TEST(text_behind_a_nul_is_ignored), TEST(a_cut_entity_is_left_out),
        TEST(a_fault_in_the_entity_text_names_its_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
