/* bsp/bsp_vis.c -- which parts of the level can see one another.
 *
 * The compiler of the level has worked out, for each cluster of leafs, a row of bits; these functions only read them. A
 * cluster that the rows do not know (there are none, or its number lies beyond them) sees all and is seen by all. */
#include "bsp/bsp.h"
#include "bsp/bsp_format.h"

static bool known(const Map *map, int cluster) { return cluster >= 0 && cluster < map->cluster_count; }

static bool has_row(const Map *map, int cluster) { return cluster >= 0 && cluster < map->row_count; }

static bool row_bit(const Map *map, int from, int to) {
    return map->rows[(size_t)from * (size_t)map->row_bytes + ((unsigned)to >> 3)] >> (to & 7) & 1;
}

bool bsp_cluster_sees(const Map *map, int from, int to) {
    if (!known(map, from))
        return true;
    if (!known(map, to))
        return false;
    return !has_row(map, from) || !has_row(map, to) || row_bit(map, from, to);
}

int bsp_row_words(const Map *map) { return (map->cluster_count + 63) / 64; }

/* The lowest `count` bits, of as many as a word has. */
static uint64_t low_bits(int count) { return count >= 64 ? ~(uint64_t)0 : count > 0 ? ((uint64_t)1 << count) - 1 : 0; }

/* Clusters 64 * word and on of a row as the file has it, without the bits that stand for no cluster. */
static uint64_t stored_word(const Map *map, int from, int word) {
    const uint8_t *at = map->rows + (size_t)from * (size_t)map->row_bytes + (size_t)word * 8;
    int bytes = CLAMP(map->row_bytes - word * 8, 0, 8);
    uint64_t bits = 0;
    if (bytes == 8)
        bits = disk_u32(at) | (uint64_t)disk_u32(at + 4) << 32;
    else
        for (int i = 0; i < bytes; i++)
            bits |= (uint64_t)at[i] << (i * 8);
    return bits & low_bits(map->row_count - word * 64);
}

static uint64_t row_word(const Map *map, int from, int word) {
    uint64_t all = low_bits(map->cluster_count - word * 64);
    return has_row(map, from) ? stored_word(map, from, word) | (all & ~low_bits(map->row_count - word * 64)) : all;
}

void bsp_row(const Map *map, int from, uint64_t *out) {
    for (int w = 0; w < bsp_row_words(map); w++)
        out[w] = row_word(map, from, w);
}

int bsp_visible_clusters(const Map *map, int from, int *out, int room) {
    int count = 0;
    for (int w = 0; w < bsp_row_words(map); w++)
        for (uint64_t bits = row_word(map, from, w); bits; bits &= bits - 1) {
            if (count < room)
                out[count] = w * 64 + __builtin_ctzll(bits);
            count++;
        }
    return count;
}

int bsp_cluster_leafs(const Map *map, int cluster, const int **out) {
    int row = known(map, cluster) ? cluster : map->cluster_count;
    int first = map->cluster_leaf_first[row];
    *out = map->cluster_leafs + first;
    return map->cluster_leaf_first[row + 1] - first;
}

int bsp_cluster_faces(const Map *map, int cluster, int *out, int room) {
    size_t words = (size_t)(map->face_count + 63) / 64;
    uint64_t *seen = mem_zeroed(words, sizeof *seen);
    const int *leafs;
    int leaf_count = bsp_cluster_leafs(map, cluster, &leafs), count = 0;
    for (int i = 0; i < leaf_count; i++) {
        const BspLeaf *leaf = &map->leafs[leafs[i]];
        for (int f = 0; f < leaf->face_count; f++) {
            int face = map->leaffaces[leaf->first_face + f];
            seen[face / 64] |= (uint64_t)1 << (face % 64);
        }
    }
    for (size_t w = 0; w < words; w++)
        for (uint64_t bits = seen[w]; bits; bits &= bits - 1) {
            if (count < room)
                out[count] = (int)(w * 64) + __builtin_ctzll(bits);
            count++;
        }
    mem_free(seen);
    return count;
}

bool bsp_cluster_bounds(const Map *map, int cluster, Box *out) {
    *out = box_nothing();
    const int *leafs;
    int count = known(map, cluster) ? bsp_cluster_leafs(map, cluster, &leafs) : 0;
    if (!count)
        return false;
    for (int axis = 0; axis < 3; axis++) {    /* whole numbers, as the file has them: scripts ask for thousands a frame */
        int least = map->leafs[leafs[0]].mins[axis], most = map->leafs[leafs[0]].maxs[axis];
        for (int i = 1; i < count; i++) {
            const BspLeaf *leaf = &map->leafs[leafs[i]];
            least = MIN(least, leaf->mins[axis]);
            most = MAX(most, leaf->maxs[axis]);
        }
        out->mins.raw[axis] = (float)least;
        out->maxs.raw[axis] = (float)most;
    }
    return true;
}

/* Bit j of row i becomes bit i of row j: halves are swapped, then halves of halves (Warren's Hacker's Delight, 7-3). */
static void transpose64(uint64_t a[64]) {
    uint64_t mask = 0x00000000ffffffffu;
    for (int step = 32; step; step >>= 1, mask ^= mask << step)
        for (int i = 0; i < 64; i = ((i | step) + 1) & ~step) {
            uint64_t swap = ((a[i] >> step) ^ a[i | step]) & mask;
            a[i] ^= swap << step;
            a[i | step] ^= swap;
        }
}

/* Pairs (a, b) where a sees b and b does not see a, in squares of 64 by 64 clusters. */
static int64_t count_one_way(const uint64_t *rows, int count, int words) {
    int64_t pairs = 0;
    for (int i = 0; i < words; i++)
        for (int j = 0; j < words; j++) {
            uint64_t back[64] = { 0 };
            for (int k = 0; k < 64 && j * 64 + k < count; k++)
                back[k] = rows[(size_t)(j * 64 + k) * (size_t)words + (size_t)i];
            transpose64(back);
            for (int k = 0; k < 64 && i * 64 + k < count; k++)
                pairs += __builtin_popcountll(rows[(size_t)(i * 64 + k) * (size_t)words + (size_t)j] & ~back[k]);
        }
    return pairs;
}

BspVisStats bsp_vis_stats(const Map *map) {
    int all = map->cluster_count, beyond = all - map->row_count;    /* those beyond the rows see and are seen by all */
    BspVisStats stats = { .min = all, .max = all, .mean = all, .see_all = all };
    if (!map->row_count)
        return stats;
    int words = (map->row_count + 63) / 64;
    uint64_t *rows = mem_zeroed((size_t)map->row_count * (size_t)words, sizeof *rows);
    int64_t sum = (int64_t)beyond * all;
    stats = (BspVisStats){ .min = all, .max = beyond ? all : 0, .see_all = beyond };
    for (int i = 0; i < map->row_count; i++) {
        uint64_t *row = rows + (size_t)i * (size_t)words;
        int population = beyond;
        for (int w = 0; w < words; w++) {
            row[w] = stored_word(map, i, w);
            population += __builtin_popcountll(row[w]);
        }
        sum += population;
        stats.min = MIN(stats.min, population);
        stats.max = MAX(stats.max, population);
        stats.see_all += population == all;
        stats.see_nothing += population == 0;
        stats.self_unseen += !row_bit(map, i, i);
    }
    stats.mean = (double)sum / all;
    stats.one_way_pairs = count_one_way(rows, map->row_count, words);
    mem_free(rows);
    return stats;
}
