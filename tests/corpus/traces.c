/* tests/corpus/traces.c -- random rays, boxes and capsules through every real level: the tree finds what asking every
 * brush and curve finds, and where a box stopped the next one begins free.
 *
 *     corpus.traces TRACES    so many in each level
 */
#include "bsp/bsp_collision.h"
#include "bsp/bsp_trace.h"
#include "files/files.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Count { int64_t traces, hits, differ, overhangs, stuck; } Count;

static float between(uint64_t *seed, float low, float high) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (float)(*seed >> 40) / (float)(1 << 24);
}

static Vec3 point_in(uint64_t *seed, Box box) {
    return vec3_at(between(seed, box.mins.x, box.maxs.x), between(seed, box.mins.y, box.maxs.y), between(seed, box.mins.z, box.maxs.z));
}

/* Half of the ways are as short as those of walking things, and some stand still. */
static TraceQuery random_query(uint64_t *seed, Box room) {
    static const Box player = { { { -15, -15, -24 } }, { { 15, 15, 32 } } };
    static const uint32_t masks[] = { MASK_SOLID, MASK_PLAYERSOLID, MASK_SHOT, MASK_WATER };
    TraceQuery query = { .from = point_in(seed, room), .mask = masks[(int)between(seed, 0, 3.99f)] };
    float kind = between(seed, 0, 1);
    Vec3 step = point_in(seed, (Box){ vec3_at(-64, -64, -64), vec3_at(64, 64, 64) });
    query.to = kind < 0.45f ? vec3_add(query.from, step) : kind < 0.5f ? query.from : point_in(seed, room);
    float size = between(seed, 0, 3);
    if (size > 1)
        query.box = player;
    query.capsule = size > 2.5f;
    return query;
}

static bool same(const Trace *a, const Trace *b) {
    return a->fraction == b->fraction && a->start_solid == b->start_solid && a->all_solid == b->all_solid;
}

/* A curve is listed in the leafs of its drawn triangles. Its facets are coarser, and pushed out they overhang at sharp edges:
 * asked without the tree, one may stop a box in leafs that do not list the curve. The engine, too, asks only those. */
static bool overhangs(const Map *map, const TraceQuery *query, const Trace *slow) {
    if (slow->face < 0)
        return false;
    Vec3 some = vec3_at(1, 1, 1);
    Box at = { vec3_sub(vec3_add(slow->endpos, query->box.mins), some), vec3_add(vec3_add(slow->endpos, query->box.maxs), some) };
    int leafs[4096], count = bsp_leaves_in(map, at, leafs, COUNT_OF(leafs));
    for (int i = 0; i < MIN(count, COUNT_OF(leafs)); i++)
        for (int f = 0; f < map->leafs[leafs[i]].face_count; f++)
            if (map->leaffaces[map->leafs[leafs[i]].first_face + f] == slow->face)
                return false;
    return true;
}

static void trace_level(const Map *map, const Collision *collision, int wanted, Count *count) {
    Box room = { vec3_sub(map->bounds.mins, vec3_at(20, 20, 20)), vec3_add(map->bounds.maxs, vec3_at(20, 20, 20)) };
    uint64_t seed = map->hash;
    for (int i = 0; i < wanted; i++) {
        TraceQuery query = random_query(&seed, room);
        Trace fast = bsp_trace(map, collision, &query), slow = bsp_trace_slow(map, collision, &query);
        count->traces++;
        count->hits += fast.fraction < 1;
        if (!same(&fast, &slow) && overhangs(map, &query, &slow)) {
            count->overhangs++;
        } else if (!same(&fast, &slow)) {
            count->differ++;
            printf("%s: from %.9g %.9g %.9g to %.9g %.9g %.9g mask %x box %d capsule %d: %.9g, without the tree %.9g\n", map->path,
                   (double)query.from.x, (double)query.from.y, (double)query.from.z, (double)query.to.x, (double)query.to.y,
                   (double)query.to.z, query.mask, query.box.maxs.x > 0, query.capsule, (double)fast.fraction, (double)slow.fraction);
        }
        if (fast.start_solid || fast.fraction == 1)
            continue;
        TraceQuery there = { .from = fast.endpos, .to = fast.endpos, .box = query.box, .capsule = query.capsule, .mask = query.mask };
        count->stuck += bsp_trace(map, collision, &there).start_solid;
    }
}

int main(int argc, char **argv) {
    static const char *const games[] = { "openarena", "nexuiz" };
    Count count = { 0 };
    int levels = 0, wanted = argc > 1 ? atoi(argv[1]) : 1000;
    for (int g = 0; g < COUNT_OF(games); g++) {
        Error error;
        Files *files = files_open(NULL);
        if (!files_add_game(files, games[g], &error)) {
            printf("%s\n", error.text);
            return 1;
        }
        Arena *names_arena = arena_open();
        const char **names;
        int listed = files_list(files, "maps", ".bsp", names_arena, &names);
        for (int i = 0; i < listed; i++) {
            FileBytes bytes;
            Arena *arena = arena_open();
            if (!files_read(files, names[i], &bytes, &error)) {
                printf("%s\n", error.text);
                return 1;
            }
            const Map *map = bsp_load(arena, names[i], bytes.bytes, bytes.size, NULL, &error);
            file_free(&bytes);
            if (!map) {
                printf("%s\n", error.text);
                return 1;
            }
            trace_level(map, bsp_collision(map, arena), wanted, &count);
            arena_close(arena);
            levels++;
        }
        arena_close(names_arena);
        files_close(files);
    }
    printf("%d levels, %lld traces, %lld hits, %lld other than without the tree, %lld at overhangs, %lld stuck where they stopped\n", levels,
           (long long)count.traces, (long long)count.hits, (long long)count.differ, (long long)count.overhangs,
           (long long)count.stuck);
    /* Far from the origin and in sharp corners an eighth of a unit is not always enough: a few in ten thousand. */
    return levels > 100 && count.differ == 0 && count.hits > count.traces / 10 && count.stuck * 1000 < count.hits ? 0 : 1;
}
