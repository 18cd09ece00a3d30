/* support/level.h -- small levels made in memory, valid to the last byte, and ways to break them.
 *
 *     Arena *arena = arena_open();
 *     Map *map = level_map(arena, "bend");             // made and loaded; fails the test when refused
 *
 *     Level *level = level_make("two rooms");          // made, to be changed before it is loaded
 *     level_set_int(level, LUMP_NODES, 0, NODE_PLANE, 9999);
 *     Error error;
 *     assert_null(level_load(level, arena, &error));   // level_load frees the level
 *
 * The levels (rooms are boxes; 0 0 0 is a lower corner of the first; walls between rooms are 16 thick, doorways are
 * 64 wide (y 96..160 or, in the bend, x 368..432) and 96 high; each doorway is a cluster of its own):
 *
 *   "room"        one room 0..256 x 0..256 x 0..128: cluster 0
 *   "two rooms"   room 0 (cluster 0), doorway at x 256..272 (cluster 1), room at x 272..528 (cluster 2); all see all
 *   "bend"        those, then a doorway at y 256..272 (cluster 3) and a third room at x 272..528, y 272..528
 *                 (cluster 4): room 0 and the doorway 1 do not see room 4, nor it them
 *   "no vis"      the bend without visdata
 *   "unlit"       the bend without lightmaps, light grid and visdata
 *   "patch"       the room with two curves that share an edge, a flat 3x3 patch and a degenerate one
 *   "door"        two rooms with a brush model *1 in the doorway, its func_door, a trigger and a target
 *   "everything"  the bend with the curves, a mesh, a flare, a fog, the door and many entities
 *
 * Floors have the texture textures/test/floor, ceilings .../ceiling (of the third room: .../sky), walls .../wall. All
 * rooms hold an info_player_deathmatch in their middle, 24 over the floor. Lightmap page 0 is used by floors, walls have
 * the lightmap -3 and vertex colours. */
#ifndef LEAFWALK_TESTS_LEVEL_H
#define LEAFWALK_TESTS_LEVEL_H

#include "bsp/bsp.h"
#include "bsp/bsp_format.h"
#include "support/level_map.h"

typedef struct Level {
    Text lumps[LUMP_COUNT];         /* the bytes of each lump, to be changed at will; the entities end in NUL here */
    char ident[4];
    int version;
    int entries;                    /* of the directory: 17, or 18 as q3map2 writes it */
    int align;                      /* lumps begin at multiples of this; 1: right behind one another, odd or not */
} Level;

Level *level_make(const char *name);                     /* fails the test for an unknown name */
void   level_free(Level *level);
Map   *level_load(Level *level, Arena *arena, Error *error);            /* writes, loads and frees it; path maps/test.bsp */

/* The file. The caller frees it with mem_free. */
uint8_t *level_write(const Level *level, size_t *size);

/* Changes a field; `record` and `field` (an offset of bsp_format.h) must lie inside the lump. */
void level_set_int(Level *level, int lump, int record, int field, int value);
void level_set_float(Level *level, int lump, int record, int field, float value);
int  level_get_int(const Level *level, int lump, int record, int field);
int  level_count(const Level *level, int lump);                         /* whole records */
void level_resize(Level *level, int lump, size_t bytes);                /* cut, or zeros behind */
void level_set_text(Level *level, const char *text);                    /* the entity lump, with its NUL */
void level_add_entity(Level *level, const char *pairs);                 /* "\"classname\" \"light\"" goes between braces */
void level_see(Level *level, int from, int to, bool sees);              /* one bit of the rows */

extern const char *const level_names[];                                 /* all of them; ended by NULL */

#endif
