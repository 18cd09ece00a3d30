/* base/array.c -- growth by half again, so that pushing n things costs O(n). */
#include "base/array.h"

#include "base/memory.h"

int compare_ints(const void *a, const void *b) {
    int left = *(const int *)a, right = *(const int *)b;
    return (left > right) - (left < right);
}

void array_grow(void **at, size_t *room, size_t wanted, size_t size) {
    if (wanted <= *room)
        return;
    size_t grown = *room + *room / 2 + 8;
    *room = grown < wanted ? wanted : grown;
    *at = mem_realloc_array(*at, *room, size);
}
