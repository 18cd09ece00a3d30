/* base/memory.c -- heap and arenas. */
#include "base/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ARENA_ALIGN = 32, ARENA_BLOCK = 64 * 1024 };    /* 32: what an AVX2 load likes */

static void *need(void *memory, size_t size) {
    if (!memory) {
        fprintf(stderr, "leafwalk: out of memory (%zu bytes asked for)\n", size);
        abort();
    }
    return memory;
}

static size_t product(size_t count, size_t size) {
    size_t total;
    if (__builtin_mul_overflow(count, size, &total))
        need(NULL, SIZE_MAX);
    return total;
}

void *mem_alloc(size_t size) { return need(malloc(size ? size : 1), size); }

void *mem_zeroed(size_t count, size_t size) {
    size_t total = product(count, size);
    return need(calloc(1, total ? total : 1), total);
}

void *mem_realloc(void *memory, size_t size) { return need(realloc(memory, size ? size : 1), size); }

void *mem_realloc_array(void *memory, size_t count, size_t size) { return mem_realloc(memory, product(count, size)); }

void mem_free(void *memory) { free(memory); }

void *mem_try_realloc(void *memory, size_t size) { return realloc(memory, size ? size : 1); }

void *mem_aligned(size_t alignment, size_t size) {
    size_t whole = (size + alignment - 1) / alignment * alignment;
    return need(aligned_alloc(alignment, whole ? whole : alignment), size);
}

typedef struct Block {
    struct Block *next;
    size_t room, used;
    unsigned char *bytes;
} Block;

struct Arena {
    Block *block;    /* the one that is being filled; older ones behind it */
    size_t used;
};

Arena *arena_open(void) { return mem_zeroed(1, sizeof(Arena)); }

static Block *block_open(size_t room) {
    Block *block = mem_zeroed(1, sizeof *block);
    block->room = room;
    block->bytes = mem_aligned(ARENA_ALIGN, room);
    return block;
}

static void blocks_close(Block *block) {
    while (block) {
        Block *next = block->next;
        mem_free(block->bytes);
        mem_free(block);
        block = next;
    }
}

void arena_close(Arena *arena) {
    if (!arena)
        return;
    blocks_close(arena->block);
    mem_free(arena);
}

void arena_reset(Arena *arena) {
    Block *largest = NULL;
    for (Block *b = arena->block; b; b = b->next)
        if (!largest || b->room > largest->room)
            largest = b;
    for (Block **link = &arena->block; *link;) {
        Block *b = *link;
        if (b == largest) {
            link = &b->next;
            continue;
        }
        *link = b->next;
        b->next = NULL;
        blocks_close(b);
    }
    if (largest)
        largest->used = 0;
    arena->used = 0;
}

void *arena_alloc(Arena *arena, size_t size) {
    if (size > SIZE_MAX / 2)
        need(NULL, size);
    size_t whole = (size + ARENA_ALIGN - 1) / ARENA_ALIGN * ARENA_ALIGN;
    if (!arena->block || arena->block->room - arena->block->used < whole) {
        size_t room = arena->block ? arena->block->room * 2 : ARENA_BLOCK;
        room = room > 16u * 1024 * 1024 ? 16u * 1024 * 1024 : room;
        Block *block = block_open(room < whole ? whole : room);
        block->next = arena->block;
        arena->block = block;
    }
    void *memory = arena->block->bytes + arena->block->used;
    arena->block->used += whole;
    arena->used += size;
    return memset(memory, 0, size);
}

void *arena_alloc_array(Arena *arena, size_t count, size_t size) { return arena_alloc(arena, product(count, size)); }

void *arena_copy_array(Arena *arena, const void *from, size_t count, size_t size) {
    void *copy = arena_alloc_array(arena, count, size);
    return count ? memcpy(copy, from, count * size) : copy;
}

char *arena_text_n(Arena *arena, const char *text, size_t length) {
    char *copy = arena_alloc(arena, length + 1);
    memcpy(copy, text, length);
    return copy;
}

char *arena_text(Arena *arena, const char *text) { return arena_text_n(arena, text, strlen(text)); }

char *arena_format(Arena *arena, const char *format, ...) {
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *text = arena_alloc(arena, (size_t)(length < 0 ? 0 : length) + 1);
    if (length > 0)
        vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}

size_t arena_used(const Arena *arena) { return arena->used; }
