/* frame/level.c -- a level's materials as renderers take them: settled for the light that its faces have. */
#include "frame/frame.h"

static const Look *settle_look(Level *level, Arena *arena, Assets *assets, int texture, LookForm form, int page) {
    const Material *material = level->materials[texture];
    const Look *look = look_make(arena, assets, material, form, page);
    level->portals = level->portals || look->sort == SORT_PORTAL;
    level->textures[texture] = material->base_image ? assets_texture(assets, material->base_image) : TEXTURE_WHITE;
    return look;
}

/* Light that the compiler left outside of the level: lump 14 is empty, faces number files (format.md 2). */
static int *find_pages(const Map *map, Arena *arena, Assets *assets, int *count) {
    *count = 0;
    for (int i = 0; i < map->face_count && !map->lightmap_count; i++)
        *count = MAX(*count, MIN(map->faces[i].lightmap, 9999) + 1);
    if (!*count || !assets_has_image(assets, arena_format(arena, "maps/%s/lm_0000", map->name)))
        return NULL;
    int *pages = arena_array(arena, int, *count);
    for (int i = 0; i < map->face_count; i++) {
        int number = map->faces[i].lightmap;
        if (number < 0 || number >= *count || pages[number])
            continue;
        const char *name = arena_format(arena, "maps/%s/lm_%04d", map->name, number);
        bool there = assets_has_image(assets, name);    /* one that is not is asked for too: that tells of it, once */
        int texture = assets_texture_flagged(assets, name, TEXTURE_CLAMPED | TEXTURE_NO_MIPMAPS);
        pages[number] = there ? texture : TEXTURE_WHITE;
    }
    return pages;
}

typedef struct PageLook { const Look *look; struct PageLook *next; } PageLook;

static const Look *page_look(Level *level, Arena *arena, Assets *assets, int texture, int page, PageLook **list) {
    for (PageLook *at = *list; at; at = at->next)
        if (at->look->page == page)
            return at->look;
    PageLook *made = arena_new(arena, PageLook);
    *made = (PageLook){ settle_look(level, arena, assets, texture, LOOK_LIGHTMAP, page), *list };
    *list = made;
    return made->look;
}

static void settle_pages(Level *level, Arena *arena, Assets *assets) {
    const Map *map = level->map;
    int count;
    const int *pages = find_pages(map, arena, assets, &count);
    if (!pages)
        return;
    level->page_looks = arena_array(arena, const Look *, map->face_count);
    PageLook **lists = arena_array(arena, PageLook *, map->texture_count);
    for (int i = 0; i < map->face_count; i++) {
        int number = map->faces[i].lightmap, texture = map->faces[i].texture;
        bool lit = level->geometry->faces[i].index_count > 0 && number >= 0 && number < count && pages[number] > TEXTURE_WHITE;
        if (lit)
            level->page_looks[i] = page_look(level, arena, assets, texture, pages[number], &lists[texture]);
    }
}

void level_settle(Level *level, Arena *arena, Assets *assets) {
    const Map *map = level->map;
    level->looks = arena_array(arena, const Look *, map->texture_count * LOOK_FORMS);
    level->page_looks = NULL;
    level->portals = false;
    level->fogs = arena_array(arena, const Look *, map->effect_count);
    for (int i = 0; i < map->texture_count; i++)
        level->textures[i] = TEXTURE_WHITE;
    settle_pages(level, arena, assets);
    /* Only what is drawn: the textures of clip brushes and triggers often have no image, and nobody misses it. */
    for (int i = 0; i < map->face_count; i++) {
        LookForm form = look_form(map, &map->faces[i]);
        const Look **place = &level->looks[map->faces[i].texture * LOOK_FORMS + (int)form];
        bool wanted = level->geometry->faces[i].index_count > 0 && !(level->page_looks && level->page_looks[i]);
        if (wanted && !*place)
            *place = settle_look(level, arena, assets, map->faces[i].texture, form, TEXTURE_WHITE);
    }
    for (int i = 0; i < map->effect_count; i++) {
        const Material *material = material_find(assets_materials(assets), map->effects[i].name);
        const Look *look = look_make(arena, assets, material, LOOK_VERTEX, TEXTURE_WHITE);
        level->fogs[i] = look->fog ? look : NULL;
    }
}

const Look *level_look(const Level *level, int face) {
    const BspFace *it = &level->map->faces[face];
    if (level->page_looks && level->page_looks[face])
        return level->page_looks[face];
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
