/* support/level_map.h -- the small levels of level.h, loaded; for tests that also include frame/frame.h, whose Level is
 * another one. */
#ifndef LEAFWALK_TESTS_LEVEL_MAP_H
#define LEAFWALK_TESTS_LEVEL_MAP_H

#include "bsp/bsp.h"

Map *level_map(Arena *arena, const char *name);    /* fails the test for an unknown name */

#endif
