/* engine/level_info.h -- what a level holds, in numbers: `leafwalk info --json` prints it, `lw.map.info()` is it. */
#ifndef LEAFWALK_LEVEL_INFO_H
#define LEAFWALK_LEVEL_INFO_H

#include "bsp/bsp.h"

/* Adds one JSON object, UTF-8: path, format, version, lumps: {name: {offset, length, count}}, clusters, areas, row_bytes,
 * visible_min, visible_mean, visible_max, bounds: {mins, maxs}, worldspawn: {key: value} and more. */
void level_info_json(const Map *map, Text *out);

/* A JSON string of bytes that are UTF-8, or else Latin-1. */
void level_info_text(Text *out, const char *text);

#endif
