/* support/random.h -- numbers for tests, the same in every run: a seed of its own says where each test begins. */
#ifndef LEAFWALK_TESTS_RANDOM_H
#define LEAFWALK_TESTS_RANDOM_H

#include <stdint.h>

static inline uint32_t random_next(uint64_t *random) {    /* Knuth's MMIX generator, its upper half */
    *random = *random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*random >> 32);
}

static inline int random_below(uint64_t *random, int limit) { return (int)(random_next(random) % (uint32_t)limit); }

#endif
