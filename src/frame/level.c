/* frame/level.c -- a level's materials as renderers take them: settled for the light that its faces have. */
#include "frame/frame.h"

static void settle_texture(Level *level, Arena *arena, Assets *assets, int texture, LookForm form) {
    const Look **place = &level->looks[texture * LOOK_FORMS + (int)form];
    if (*place)
        return;
    const Material *material = level->materials[texture];
    *place = look_make(arena, assets, material, form);
    level->portals = level->portals || (*place)->sort == SORT_PORTAL;
    level->textures[texture] = material->base_image ? assets_texture(assets, material->base_image) : TEXTURE_WHITE;
}

void level_settle(Level *level, Arena *arena, Assets *assets) {
    const Map *map = level->map;
    level->looks = arena_array(arena, const Look *, map->texture_count * LOOK_FORMS);
    level->portals = false;
    level->fogs = arena_array(arena, const Look *, map->effect_count);
    for (int i = 0; i < map->texture_count; i++)
        level->textures[i] = TEXTURE_WHITE;
    /* Only what is drawn: the textures of clip brushes and triggers often have no image, and nobody misses it. */
    for (int i = 0; i < map->face_count; i++)
        if (level->geometry->faces[i].index_count > 0)
            settle_texture(level, arena, assets, map->faces[i].texture, look_form(map, &map->faces[i]));
    for (int i = 0; i < map->effect_count; i++) {
        const Material *material = material_find(assets_materials(assets), map->effects[i].name);
        const Look *look = look_make(arena, assets, material, LOOK_VERTEX);
        level->fogs[i] = look->fog ? look : NULL;
    }
}

const Look *level_look(const Level *level, int face) {
    const BspFace *it = &level->map->faces[face];
    return level->looks ? level->looks[it->texture * LOOK_FORMS + (int)look_form(level->map, it)] : NULL;
}

bool level_fog(const Level *level, int effect, Vec3 eye, Vec3 forward, float identity, FogNumbers *out) {
    const Map *map = level->map;
    if (!level->fogs || effect < 0 || effect >= map->effect_count || !level->fogs[effect])
        return false;
    const BspEffect *it = &map->effects[effect];
    const Plane *surface = NULL;
    bool has_side = it->brush >= 0 && it->side >= 0 && it->side < map->brushes[it->brush].side_count;
    if (has_side)
        surface = &map->planes[map->brushsides[map->brushes[it->brush].first_side + it->side].plane];
    *out = fog_numbers(level->fogs[effect], surface, eye, forward, identity);
    return true;
}
