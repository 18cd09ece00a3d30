/* engine/level_info.c -- the facts of a level as JSON. */
#include "engine/level_info.h"

static void add_key(Text *out, const char *key, const char *indent) {
    text_format(out, "%s%s", out->count && out->at[out->count - 1] == '{' ? "\n" : ",\n", indent);
    text_add_json(out, key, strlen(key));
    text_add(out, ": ");
}

static void add_number(Text *out, const char *key, double number) {
    add_key(out, key, "  ");
    text_add_number(out, number);
}

void level_info_text(Text *out, const char *text) { text_add_json(out, text, strlen(text)); }

static void add_lumps(Text *out, const Map *map) {
    add_key(out, "lumps", "  ");
    text_add_char(out, '{');
    for (int i = 0; i < LUMP_COUNT; i++) {
        add_key(out, bsp_lump_name(i), "    ");
        text_format(out, "{\"offset\": %u, \"length\": %u, \"count\": %d}", map->lumps[i].offset, map->lumps[i].length,
                    map->lumps[i].count);
    }
    text_add(out, "\n  }");
}

static void add_point(Text *out, const char *name, Vec3 point) {
    text_format(out, "\"%s\": [", name);
    for (int i = 0; i < 3; i++) {
        text_add(out, i ? ", " : "");
        text_add_number(out, point.raw[i]);
    }
    text_add_char(out, ']');
}

/* Of keys that come several times the last is printed, as the game's field table reads them. */
static void add_worldspawn(Text *out, const BspEntity *world) {
    add_key(out, "worldspawn", "  ");
    text_add_char(out, '{');
    for (int i = 0; i < world->count; i++) {
        bool again = false;
        for (int later = i + 1; later < world->count && !again; later++)
            again = strcmp(world->pairs[i].key, world->pairs[later].key) == 0;
        if (again)
            continue;
        add_key(out, world->pairs[i].key, "    ");
        level_info_text(out, world->pairs[i].value);
    }
    text_add(out, world->count ? "\n  }" : "}");
}

void level_info_json(const Map *map, Text *out) {
    BspVisStats vis = bsp_vis_stats(map);
    text_add_char(out, '{');
    add_key(out, "path", "  ");
    level_info_text(out, map->path);
    add_key(out, "name", "  ");
    level_info_text(out, map->name);
    add_key(out, "format", "  ");
    level_info_text(out, "IBSP");
    add_number(out, "version", map->version);
    add_number(out, "size", (double)map->file_size);
    add_lumps(out, map);
    add_number(out, "clusters", map->cluster_count);
    add_number(out, "areas", map->area_count);
    add_number(out, "row_bytes", map->row_bytes);
    add_number(out, "visible_min", vis.min);
    add_number(out, "visible_mean", vis.mean);
    add_number(out, "visible_max", vis.max);
    add_key(out, "bounds", "  ");
    text_add_char(out, '{');
    add_point(out, "mins", map->bounds.mins);
    text_add(out, ", ");
    add_point(out, "maxs", map->bounds.maxs);
    text_add_char(out, '}');
    BspEntity nothing = { 0 };
    add_worldspawn(out, map->entity_count ? &map->entities[0] : &nothing);
    text_add(out, "\n}\n");
}
