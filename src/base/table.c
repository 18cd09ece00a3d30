/* base/table.c -- open addressing over a list of entries. */
#include "base/table.h"

#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/text.h"

static uint32_t *slot_of(const Table *table, const char *name, uint64_t hash) {
    size_t at = hash & (table->slot_count - 1);
    for (; table->slots[at]; at = (at + 1) & (table->slot_count - 1)) {
        const TableEntry *entry = &table->entries[table->slots[at] - 1];
        if (entry->hash == hash && text_same(entry->name, name))
            break;
    }
    return &table->slots[at];
}

void *table_find(const Table *table, const char *name) {
    if (!table->count)
        return NULL;
    uint32_t slot = *slot_of(table, name, text_hash_fold(name));
    return slot ? table->entries[slot - 1].value : NULL;
}

static void grow(Table *table) {
    table->slot_count = table->slot_count ? table->slot_count * 2 : 64;
    mem_free(table->slots);
    table->slots = mem_zeroed(table->slot_count, sizeof *table->slots);
    for (size_t i = 0; i < table->count; i++)
        *slot_of(table, table->entries[i].name, table->entries[i].hash) = (uint32_t)i + 1;
}

void **table_place(Table *table, const char *name) {
    if ((table->count + 1) * 2 > table->slot_count)
        grow(table);
    uint64_t hash = text_hash_fold(name);
    uint32_t *slot = slot_of(table, name, hash);
    if (!*slot) {
        array_grow((void **)&table->entries, &table->room, table->count + 1, sizeof *table->entries);
        table->entries[table->count++] = (TableEntry){ name, hash, NULL };
        *slot = (uint32_t)table->count;
    }
    return &table->entries[*slot - 1].value;
}

void table_clear(Table *table) {
    table->count = 0;
    if (table->slot_count)
        memset(table->slots, 0, table->slot_count * sizeof *table->slots);
}

void table_free(Table *table) {
    mem_free(table->entries);
    mem_free(table->slots);
    *table = (Table){ 0 };
}
