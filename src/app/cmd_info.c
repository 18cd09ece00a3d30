/* app/cmd_info.c -- `leafwalk info`: what a level holds. */
#include "app/app.h"
#include "engine/level_info.h"

static void add_lumps(Text *out, const Map *map) {
    text_format(out, "%-14s %10s %10s %8s\n", "lump", "offset", "length", "count");
    for (int i = 0; i < LUMP_COUNT; i++)
        text_format(out, "%-14s %10u %10u %8d\n", bsp_lump_name(i), map->lumps[i].offset, map->lumps[i].length, map->lumps[i].count);
}

static void add_numbers(Text *out, const Map *map) {
    BspVisStats vis = bsp_vis_stats(map);
    text_format(out, "\nclusters   %d\nareas      %d\n", map->cluster_count, map->area_count);
    if (map->row_bytes)
        text_format(out, "rows       %d of %d bytes\nvisible    %d at least, %.1f on average, %d at most\n", map->row_count,
                    map->row_bytes, vis.min, vis.mean, vis.max);
    else
        text_add(out, "rows       none: every cluster sees every cluster\n");
    Box box = map->bounds;
    text_format(out, "bounds     %g %g %g to %g %g %g\n", (double)box.mins.x, (double)box.mins.y, (double)box.mins.z,
                (double)box.maxs.x, (double)box.maxs.y, (double)box.maxs.z);
}

static void add_worldspawn(Text *out, const Map *map) {
    if (!map->entity_count)
        return;
    text_add(out, "worldspawn\n");
    for (int i = 0; i < map->entities[0].count; i++) {
        const BspPair *pair = &map->entities[0].pairs[i];
        text_add(out, "  ");
        level_info_text(out, pair->key);
        text_add_char(out, ' ');
        level_info_text(out, pair->value);
        text_add_char(out, '\n');
    }
}

int cmd_info(App *app) {
    Error error;
    OpenLevel *open = engine_load_level(app->engine, app_word(app, 0), &error);
    if (!open)
        return app_failed(&error);
    Text text = { 0 };
    if (app->options.json) {
        level_info_json(open->map, &text);
    } else {
        text_format(&text, "%s: IBSP version %d, %zu bytes\n\n", open->map->path, open->map->version, open->map->file_size);
        add_lumps(&text, open->map);
        add_numbers(&text, open->map);
        add_worldspawn(&text, open->map);
    }
    app_say(text_of(&text));
    text_free(&text);
    engine_close_level(app->engine, open);
    return STATUS_FINE;
}
