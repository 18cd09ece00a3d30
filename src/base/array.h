/* base/array.h -- arrays that grow on the heap.
 *
 *     ARRAY(int) faces = { 0 };
 *     *array_push(&faces) = 17;
 *     for (size_t i = 0; i < faces.count; i++) use(faces.at[i]);
 *     array_free(&faces);
 *
 * Elements move when the array grows: keep indexes, not pointers. */
#ifndef LEAFWALK_ARRAY_H
#define LEAFWALK_ARRAY_H

#include <stddef.h>

#define ARRAY(Type) struct { Type *at; size_t count, room; }

void array_grow(void **at, size_t *room, size_t wanted, size_t size);    /* the work behind the macros below */

int compare_ints(const void *a, const void *b);    /* for qsort and bsearch: the smaller one first */

#define array_reserve(array, wanted) \
    array_grow((void **)&(array)->at, &(array)->room, (wanted), sizeof *(array)->at)
#define array_push(array)                                  \
    (array_reserve((array), (array)->count + 1), (array)->count++, &(array)->at[(array)->count - 1])    /* not zeroed */
#define array_push_n(array, n)                             \
    (array_reserve((array), (array)->count + (n)), (array)->count += (n), &(array)->at[(array)->count - (n)])
#define array_keep(array, arena) arena_copy_array((arena), (array)->at, (array)->count, sizeof *(array)->at)    /* its items, there */
#define array_clear(array) ((void)((array)->count = 0))
#define array_free(array) (mem_free((array)->at), (array)->at = NULL, (array)->count = (array)->room = 0)

#endif
