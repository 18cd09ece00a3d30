/* bsp/bsp_check.h -- what is wrong or suspicious about a level itself, for `leafwalk check`.
 *
 * What needs other files (missing textures, unknown classes) is the caller's to add. */
#ifndef LEAFWALK_BSP_CHECK_H
#define LEAFWALK_BSP_CHECK_H

#include "bsp/bsp.h"

typedef enum BspSeverity { BSP_NOTE, BSP_WARNING, BSP_ERROR } BspSeverity;    /* note: odd, but as many levels are */

/* `kind` is one word with dashes for programs ("dangling-target"); `text` a line for people. */
typedef struct BspFinding { BspSeverity severity; const char *kind, *text; } BspFinding;
typedef struct BspFindings { const BspFinding *at; int count; } BspFindings;

/* In an order that does not change: file, visibility, faces and light, entities. All in `arena`. */
BspFindings bsp_check(const Map *map, Arena *arena);
const char *bsp_severity_name(BspSeverity severity);    /* "note", "warning", "error" */

#endif
