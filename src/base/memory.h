/* base/memory.h -- the only way to memory: the heap with checked sizes, and arenas.
 *
 * An arena hands out memory that lives until the arena is reset or closed; nothing in it is freed alone. There are four
 * lifetimes in the program, and an arena for each: app, map, frame, scratch. */
#ifndef LEAFWALK_MEMORY_H
#define LEAFWALK_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* The heap. Running out ends the program with a message: no caller could do better. Sizes are count * size, checked. */
void *mem_alloc(size_t size);                                /* not zeroed */
void *mem_zeroed(size_t count, size_t size);
void *mem_realloc(void *memory, size_t size);
void *mem_realloc_array(void *memory, size_t count, size_t size);
void  mem_free(void *memory);                                /* NULL is fine */
void *mem_try_realloc(void *memory, size_t size);            /* NULL when there is none: for hosts with limits of their own */
void *mem_aligned(size_t alignment, size_t size);            /* alignment: a power of two; free with mem_free */

typedef struct Arena Arena;

Arena *arena_open(void);
void   arena_close(Arena *arena);                            /* NULL is fine */
void   arena_reset(Arena *arena);                            /* all that it gave is gone; keeps its largest block */
void  *arena_alloc(Arena *arena, size_t size);               /* zeroed, aligned to 32 bytes */
void  *arena_alloc_array(Arena *arena, size_t count, size_t size);
void  *arena_copy_array(Arena *arena, const void *from, size_t count, size_t size);
char  *arena_text(Arena *arena, const char *text);           /* a copy */
char  *arena_text_n(Arena *arena, const char *text, size_t length);
char  *arena_format(Arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
size_t arena_used(const Arena *arena);                       /* bytes handed out since the last reset */

#define arena_new(arena, Type)          ((Type *)arena_alloc((arena), sizeof(Type)))
#define arena_array(arena, Type, count) ((Type *)arena_alloc_array((arena), (size_t)(count), sizeof(Type)))

#endif
