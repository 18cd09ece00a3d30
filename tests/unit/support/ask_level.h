/* support/ask_level.h -- asks a loaded level every question there is, for levels made by chance and by malice.
 *
 * Whatever was loaded must answer: no crash, no step outside an array, no end that does not come. In a header, so that
 * unit tests and fuzzers share it. */
#ifndef LEAFWALK_TESTS_ASK_LEVEL_H
#define LEAFWALK_TESTS_ASK_LEVEL_H

#include <stdlib.h>

#include "bsp/bsp.h"
#include "bsp/bsp_areas.h"
#include "bsp/bsp_check.h"
#include "bsp/bsp_trace.h"

static void count_leaf(void *user, int leaf) { *(int64_t *)user += leaf; }

static int enter_all(void *user, int node, int state) {
    (void)user;
    (void)node;
    return state + 1;
}

#define ASK_REQUIRE(condition) do { if (!(condition)) abort(); } while (0)

static void ask_places(const Map *map) {
    static const float spots[] = { 0, 128, -5000, 1e8f, -1e30f };
    enum { ROOM = 64 };
    int leafs[ROOM];
    int64_t sum = 0;
    for (int i = 0; i < 25; i++) {
        Vec3 p = vec3_at(spots[i % 5], spots[i / 5], spots[(i + i / 5) % 5]);
        int leaf = bsp_leaf_at(map, p);
        ASK_REQUIRE(leaf >= 0 && leaf < map->leaf_count && map->leaf_parent[leaf] >= 0);
        sum += bsp_cluster_at(map, p);
        int count = bsp_leaves_in(map, (Box){ vec3_sub(p, vec3_at(50, 50, 50)), vec3_add(p, vec3_at(50, 50, 50)) }, leafs, ROOM);
        ASK_REQUIRE(count >= 1 && (i || leafs[0] < map->leaf_count));
        BspLightSample light = bsp_light_at(map, p);
        ASK_REQUIRE(vec3_finite(light.ambient) && vec3_finite(light.direction));
    }
    bsp_walk_front_to_back(map, vec3_at(1, 2, 3), count_leaf, &sum);
    bsp_walk_culled(map, vec3_at(-1e9f, 2, 3), enter_all, count_leaf, &sum);
}

static void ask_clusters(const Map *map, Arena *arena) {
    int most = MIN(map->cluster_count, 40);
    uint64_t *row = arena_array(arena, uint64_t, bsp_row_words(map));
    int *list = arena_array(arena, int, map->cluster_count), *faces = arena_array(arena, int, map->face_count);
    for (int c = -1; c <= most; c++) {
        bsp_row(map, c, row);
        int count = bsp_visible_clusters(map, c, list, map->cluster_count), bits = 0;
        for (int w = 0; w < bsp_row_words(map); w++)
            bits += __builtin_popcountll(row[w]);
        ASK_REQUIRE(bits == count);
        for (int i = 0; i < MIN(count, 100); i++)
            ASK_REQUIRE(bsp_cluster_sees(map, c, list[i]));
        Box bounds;
        const int *leafs;
        bsp_cluster_leafs(map, c, &leafs);
        bsp_cluster_bounds(map, c, &bounds);
        ASK_REQUIRE(bsp_cluster_faces(map, c, faces, map->face_count) <= map->face_count);
    }
    BspVisStats stats = bsp_vis_stats(map);
    ASK_REQUIRE(stats.min <= stats.max && stats.max <= map->cluster_count);
}

static void ask_areas(const Map *map, Arena *arena) {
    BspAreas areas;
    bsp_areas_open(&areas, map);
    bool *hidden = arena_array(arena, bool, map->area_count + 1);
    for (int from = -1; from <= MIN(map->area_count, 8); from++) {
        for (size_t i = 0; i < areas.portals.count; i++) {
            const BspAreaPortal *portal = &areas.portals.at[i];
            ASK_REQUIRE(portal->brush < map->brush_count && portal->from < map->area_count && portal->to < map->area_count);
            areas.portals.at[i].shut = ((int)i + from) % 3 != 0;
        }
        bool hides = bsp_areas_hidden(&areas, from, vec3_at(128, 128, 64), hidden);
        ASK_REQUIRE(!hides || !hidden[from]);
        ASK_REQUIRE(bsp_areas_joined(&areas, from, from));
    }
    bsp_areas_close(&areas);
}

static void ask_geometry(const Map *map, Arena *arena) {
    static const float details[] = { 4, 0.3f };
    for (int d = 0; d < 2; d++) {
        const BspGeometry *geometry = bsp_geometry(map, details[d], arena);
        for (int i = 0; i < map->face_count; i++) {
            const BspFaceRange *range = &geometry->faces[i];
            ASK_REQUIRE(range->index_count % 3 == 0 && range->vertex_count >= 0 && vec3_finite(geometry->face_bounds[i].mins));
            for (int k = 0; k < range->index_count; k++) {
                uint32_t index = geometry->indexes[range->first_index + k];
                ASK_REQUIRE(index >= (uint32_t)range->first_vertex &&
                            index < (uint32_t)(range->first_vertex + range->vertex_count));
            }
        }
        for (int i = 0; i < geometry->vertex_count; i++)
            ASK_REQUIRE(vec3_finite(geometry->vertices[i].position) && vec3_finite(geometry->vertices[i].normal));
    }
}

static void ask_numbers(const Map *map) {
    for (int i = 0; i < map->brushside_count; i++)
        ASK_REQUIRE(map->brushsides[i].plane < map->plane_count && map->brushsides[i].texture < map->texture_count);
    for (int i = 0; i < map->face_count; i++) {
        const BspFace *face = &map->faces[i];
        ASK_REQUIRE(face->texture >= 0 && face->texture < map->texture_count && face->effect < map->effect_count);
        ASK_REQUIRE(face->first_vertex >= 0 && (int64_t)face->first_vertex + face->vertex_count <= map->vertex_count);
        ASK_REQUIRE(face->first_index >= 0 && (int64_t)face->first_index + face->index_count <= map->meshvert_count);
        ASK_REQUIRE(map->face_model[i] < map->model_count);
    }
    for (int i = 0; i < map->brush_count; i++)
        ASK_REQUIRE(map->brushes[i].texture < map->texture_count && vec3_finite(map->brushes[i].bounds.mins));
    for (int i = 0; i < map->effect_count; i++)
        ASK_REQUIRE(map->effects[i].brush < map->brush_count);
}

static void ask_traces(const Map *map, Arena *arena) {
    const Collision *collision = bsp_collision(map, arena);
    static const Vec3 ends[] = { { 128, 128, 64 }, { 400, 400, 64 }, { -900, 3, 5 }, { 130, 40, 30 }, { 64, 64, 64 } };
    for (int i = 0; i < 25; i++) {
        TraceQuery query = { .from = ends[i / 5], .to = ends[i % 5], .mask = 0xffffffffu, .capsule = i % 3 == 2 };
        if (i % 3)
            query.box = (Box){ vec3_at(-15, -15, -24), vec3_at(15, 15, 32) };
        Trace trace = bsp_trace(map, collision, &query);
        ASK_REQUIRE(trace.fraction >= 0 && trace.fraction <= 1);
        ASK_REQUIRE(trace.brush < map->brush_count && trace.face < map->face_count && trace.texture < map->texture_count);
        bsp_trace_model(map, collision, map->model_count - 1, vec3_at(1, 2, 3), vec3_at(0, 45, 0), &query);
        bsp_point_contents(map, query.from);
    }
}

static void ask_level(const Map *map) {
    Arena *arena = arena_open();
    ask_numbers(map);
    ask_places(map);
    ask_clusters(map, arena);
    ask_areas(map, arena);
    ask_geometry(map, arena);
    ask_traces(map, arena);
    for (int i = 0; i < map->entity_count; i++) {
        Vec3 origin;
        bsp_entity_vector(&map->entities[i], "origin", &origin);
        ASK_REQUIRE(vec3_finite(origin) && bsp_entity_model(map, &map->entities[i]) < map->model_count);
    }
    Vec3 origin, angles;
    bsp_start_eye(map, &origin, &angles);
    BspFindings findings = bsp_check(map, arena);
    for (int i = 0; i < findings.count; i++)
        ASK_REQUIRE(findings.at[i].text[0]);
    arena_close(arena);
}

#endif
