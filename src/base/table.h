/* base/table.h -- things by name, without case.
 *
 * Names are not copied: they must live as long as they stand in the table. */
#ifndef LEAFWALK_TABLE_H
#define LEAFWALK_TABLE_H

#include <stddef.h>
#include <stdint.h>

typedef struct TableEntry { const char *name; uint64_t hash; void *value; } TableEntry;

typedef struct Table {
    TableEntry *entries;         /* in the order in which they were added */
    size_t count, room;
    uint32_t *slots;             /* entry + 1 by hash; 0: free */
    size_t slot_count;
} Table;                         /* all zero: an empty one */

void  *table_find(const Table *table, const char *name);           /* NULL: not there */
void **table_place(Table *table, const char *name);                /* where its value stands; NULL there when it is new */
void   table_clear(Table *table);
void   table_free(Table *table);

#endif
