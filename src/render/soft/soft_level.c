/* render/soft/soft_level.c -- what the software renderer makes of a level when it comes.
 *
 * Compilers merge coplanar triangles of one material into a face though their textures may lie differently. A surface is
 * what one set of linear functions describes: the triangles of a face are sorted into as few as will do, largest first,
 * so that slivers are measured against a large triangle and not the other way round. */
#include <math.h>
#include <stdlib.h>

#include "render/soft/soft_internal.h"

/* How far a vertex may lie from the functions of its surface. */
static const double texture_slack = 1.0 / 2048;    /* of the picture: a quarter of a texel of a large one */
static const double light_slack = 1.0 / 16;        /* luxels */
static const double color_slack = 3;               /* of 255 */
static const float plane_slack = 0.1f;             /* units from its plane: faces of terrain are said to be flat and are not */

typedef struct Sorting {
    SoftLevel *out;
    const Level *level;
    ARRAY(SoftSurface) surfaces;
    ARRAY(SoftPlane) planes;
    IntList indexes, edges;
    IntList slots, left;
    IntList order;                   /* triangles of the face at hand, largest first */
    ARRAY(double) areas;
    int *plane_bucket, *plane_next;  /* of the planes by their distance: -1 ends a list */
    int bucket_count;
    size_t plane_room;
    int *look_numbers;               /* by texture * LOOK_FORMS + form, 0: none yet, else the look's number + 1 */
    ARRAY(const Look *) looks;
} Sorting;


static Vec3 triangle_normal(const BspVertex *vertices, const int *corners) {    /* towards the front, length: twice the area */
    Vec3 a = vertices[corners[0]].position, b = vertices[corners[1]].position, c = vertices[corners[2]].position;
    return vec3_cross(vec3_sub(c, a), vec3_sub(b, a));
}

static void vertex_lanes(const Sorting *s, int vertex, bool paged, double out[LANES]) {
    const BspVertex *v = &s->level->geometry->vertices[vertex];
    memset(out, 0, LANES * sizeof *out);
    out[LANE_U] = v->uv.x;
    out[LANE_V] = v->uv.y;
    if (paged) {
        out[LANE_LIGHT_U] = (double)v->lightmap_uv.x * LIGHTMAP_SIZE;
        out[LANE_LIGHT_V] = (double)v->lightmap_uv.y * LIGHTMAP_SIZE;
    } else {
        for (int i = 0; i < 4; i++)
            out[LANE_RED + i] = s->out->colors[vertex] >> 8 * i & 255;
    }
}

static bool fit_lanes(const Sorting *s, const int *corners, bool paged, SoftLinear out[LANES]) {
    double places[3][3], lanes[3][LANES];
    for (int k = 0; k < 3; k++) {
        Vec3 p = s->level->geometry->vertices[corners[k]].position;
        for (int i = 0; i < 3; i++)
            places[k][i] = p.raw[i];
        vertex_lanes(s, corners[k], paged, lanes[k]);
    }
    return soft_linear_fit((const double (*)[3])places, (const double (*)[LANES])lanes, out);
}

static bool lanes_hold(const Sorting *s, const SoftSurface *surface, const int *corners, bool paged) {
    const SoftLinear *lanes = surface->lanes;
    const SoftPlane *plane = &s->planes.at[surface->plane];
    for (int k = 0; k < 3; k++) {
        double want[LANES];
        vertex_lanes(s, corners[k], paged, want);
        Vec3 p = s->level->geometry->vertices[corners[k]].position;
        if (!(fabs(plane->normal[0] * p.x + plane->normal[1] * p.y + plane->normal[2] * p.z - plane->dist) <= plane_slack))
            return false;
        for (int i = 0; i < LANES; i++) {
            double slack = i <= LANE_V ? texture_slack : paged ? light_slack : color_slack;
            double got = lanes[i].x * p.x + lanes[i].y * p.y + lanes[i].z * p.z + lanes[i].c;
            if (!(fabs(got - want[i]) <= slack))
                return false;
        }
    }
    return true;
}


/* Faces in one plane must share its very numbers, so that neither is ever in front: the plane is looked for among those
 * known, those of the level first. Returns its number. */
static int plane_number(Sorting *s, Vec3 normal, double dist, bool *along) {
    static const double same_direction = 1e-5, same_distance = 0.02;
    double facing = normal.x > 0.1 || (normal.x > -0.1 && (normal.y > 0.1 || (normal.y > -0.1 && normal.z > 0))) ? 1 : -1;
    *along = facing > 0;
    double n[3] = { normal.x * facing, normal.y * facing, normal.z * facing }, d = dist * facing;
    double cell = floor(d);
    for (int near = -1; near <= 1; near++) {
        unsigned bucket = (unsigned)((int64_t)fmod(cell + near, 1e9) * 2654435761ll) % (unsigned)s->bucket_count;
        for (int i = s->plane_bucket[bucket]; i >= 0; i = s->plane_next[i]) {
            const SoftPlane *p = &s->planes.at[i];
            if (n[0] * p->normal[0] + n[1] * p->normal[1] + n[2] * p->normal[2] > 1 - same_direction && fabs(d - p->dist) < same_distance)
                return i;
        }
    }
    int number = (int)s->planes.count;
    SoftPlane *plane = array_push(&s->planes);
    *plane = (SoftPlane){ { n[0], n[1], n[2] }, d };
    unsigned bucket = (unsigned)((int64_t)fmod(cell, 1e9) * 2654435761ll) % (unsigned)s->bucket_count;
    array_grow((void **)&s->plane_next, &s->plane_room, s->planes.count, sizeof *s->plane_next);
    s->plane_next[number] = s->plane_bucket[bucket];
    s->plane_bucket[bucket] = number;
    return number;
}

static int face_plane(Sorting *s, const BspFace *face, const int *corners, bool *along) {
    const BspVertex *vertices = s->level->geometry->vertices;
    Vec3 n = vec3_normalized(triangle_normal(vertices, corners)), said = vec3_normalized(face->normal);
    bool right = vec3_dot(n, said) > 0.999f;    /* the file's normal is the more exact one where it is right at all */
    for (int k = 1; k < 3 && right; k++)
        right = fabsf(vec3_dot(said, vec3_sub(vertices[corners[k]].position, vertices[corners[0]].position))) < 2 * plane_slack;
    if (right)
        n = said;
    double dist = 0;
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++)
            dist += (double)n.raw[i] * vertices[corners[k]].position.raw[i] / 3;
    return plane_number(s, n, dist, along);
}


static int after(int corner) { return corner - corner % 3 + (corner + 1) % 3; }    /* the next of its triangle */

static size_t edge_hash(int from, int to) { return ((size_t)from * 2654435761u) ^ ((size_t)to * 40503u); }

/* The border of triangles: edges that no other triangle of them walks the other way. Triangles of some compilers overlap,
 * so an edge may be there twice; each is given up for one that runs against it. */
static void surface_border(Sorting *s, SoftSurface *surface) {
    surface->first_edge = (int)s->edges.count / 2;
    const int *at = &s->indexes.at[surface->first_index];
    int count = surface->index_count;
    size_t slots = 16;
    while (slots < (size_t)count * 2)
        slots *= 2;
    array_clear(&s->slots);
    int *slot = array_push_n(&s->slots, slots);    /* which corner an edge begins at, found by its two vertices; -1: free, -2: given up */
    for (size_t i = 0; i < slots; i++)
        slot[i] = -1;
    for (int i = 0; i < count; i++) {
        int from = at[i], to = at[after(i)];
        if (from == to)
            continue;
        size_t place = edge_hash(to, from) & (slots - 1);
        while (slot[place] != -1 && !(slot[place] >= 0 && at[slot[place]] == to && at[after(slot[place])] == from))
            place = (place + 1) & (slots - 1);
        if (slot[place] >= 0) {
            slot[place] = -2;
            continue;
        }
        place = edge_hash(from, to) & (slots - 1);
        while (slot[place] >= 0)
            place = (place + 1) & (slots - 1);
        slot[place] = i;
    }
    array_clear(&s->left);
    for (size_t i = 0; i < slots; i++)
        if (slot[i] >= 0)
            *array_push(&s->left) = slot[i];
    if (s->left.count)
        qsort(s->left.at, s->left.count, sizeof *s->left.at, compare_ints);
    for (size_t i = 0; i < s->left.count; i++) {
        int *edge = array_push_n(&s->edges, 2);
        edge[0] = at[s->left.at[i]];
        edge[1] = at[after(s->left.at[i])];
    }
    surface->edge_count = (int)s->edges.count / 2 - surface->first_edge;
}

/* Whether the border is one loop that never turns back. What bends in by less than a compiler's rounding passes: rows are
 * filled from the outermost crossing to the outermost. */
static bool border_convex(const Sorting *s, const SoftSurface *surface) {
    const int *edges = &s->edges.at[surface->first_edge * 2];
    const BspVertex *vertices = s->level->geometry->vertices;
    const SoftPlane *plane = &s->planes.at[surface->plane];
    int count = surface->edge_count, at = 0;
    double facing = surface->along ? 1 : -1;
    if (count > 64)
        return false;
    for (int walked = 0; walked < count; walked++) {
        int next = 0;
        while (next < count && edges[next * 2] != edges[at * 2 + 1])
            next++;
        if (next == count || (next == 0) != (walked == count - 1))
            return false;
        const Vec3 a = vertices[edges[at * 2]].position, b = vertices[edges[at * 2 + 1]].position, c = vertices[edges[next * 2 + 1]].position;
        double e[3], f[3], turn = 0, length = 0;
        for (int i = 0; i < 3; i++) {
            e[i] = (double)b.raw[i] - a.raw[i];
            f[i] = (double)c.raw[i] - b.raw[i];
            length += e[i] * e[i];
        }
        for (int i = 0; i < 3; i++)
            turn += (e[(i + 1) % 3] * f[(i + 2) % 3] - e[(i + 2) % 3] * f[(i + 1) % 3]) * plane->normal[i];
        if (-turn * facing < -0.02 * sqrt(length))    /* clockwise, seen from the front */
            return false;
        at = next;
    }
    return true;
}

static void sort_triangles(Sorting *s, const int *corners, int count) {
    array_clear(&s->order);
    array_clear(&s->areas);
    for (int i = 0; i < count; i++) {
        *array_push(&s->areas) = vec3_length(triangle_normal(s->level->geometry->vertices, corners + 3 * i));
        int at = (int)s->order.count;
        *array_push(&s->order) = 0;
        for (; at > 0 && s->areas.at[s->order.at[at - 1]] < s->areas.at[i]; at--)
            s->order.at[at] = s->order.at[at - 1];
        s->order.at[at] = i;
    }
}

/* The look's number in the level; looks of external pages are few, and found by going through the last ones. */
static int look_number(Sorting *s, const BspFace *face, const Look *look, bool outside) {
    int *number = &s->look_numbers[face->texture * LOOK_FORMS + (int)look->form];
    if (!outside && *number)
        return *number - 1;
    for (int i = (int)s->looks.count - 1; outside && i >= 0; i--)
        if (s->looks.at[i] == look)
            return i;
    *array_push(&s->looks) = look;
    if (!outside)
        *number = (int)s->looks.count;
    return (int)s->looks.count - 1;
}

static int page_of(const Map *map, const BspFace *face, bool outside) {
    if (face->lightmap >= 0 && face->lightmap < map->lightmap_count)
        return face->lightmap;
    if (outside)
        return PAGE_OUTSIDE;
    return face->lightmap == LIGHTMAP_WHITE || face->lightmap == LIGHTMAP_2D ? PAGE_WHITE : PAGE_VERTEX;
}

/* What its material says of a surface; false: it is not drawn at all. */
static bool describe_look(Sorting *s, const BspFace *face, const Look *look, SoftSurface *out) {
    const Look *const *fogs = s->level->fogs;
    bool fogged = !look->sky && fogs && face->effect >= 0 && face->effect < s->level->map->effect_count && fogs[face->effect];
    out->look = look->plain && !fogged ? -1 : look_number(s, face, look, out->page == PAGE_OUTSIDE);
    out->decal = look->polygon_offset || (look->blended && look->sort > SORT_OPAQUE);
    if (out->kind != SOFT_SKY) {
        bool tested = look->stage_count && look->stages[0].alpha_test != 0;
        out->kind = look->blended || (look->fog && !look->stage_count) ? SOFT_BLENDED : tested ? SOFT_TESTED : SOFT_OPAQUE;
    }
    out->single = out->look >= 0 && !look->sky && !soft_look_linear(look, out->page, fogged);
    return look->sky || look->stage_count || (look->fog && fogged);
}

/* False: the face is not drawn at all. */
static bool surface_of(Sorting *s, int number, SoftSurface *out) {
    const Map *map = s->level->map;
    const BspFace *face = &map->faces[number];
    const Material *material = s->level->materials ? s->level->materials[face->texture] : NULL;
    const Look *look = level_look(s->level, number);
    uint32_t flags = map->textures[face->texture].flags;
    bool sky = flags & SURF_SKY || (material && material->sky);
    if (face->dropped || flags & SURF_NODRAW || (material && material->nodraw && !sky))
        return false;
    *out = (SoftSurface){
        .face = number, .texture = face->texture, .plane = -1, .cull = (uint8_t)(material ? material->cull : CULL_FRONT_SHOWN), .look = -1,
        .page = page_of(map, face, s->level->page_looks && s->level->page_looks[number]), .first_index = (int)s->indexes.count,
        .alpha_test = material && !sky ? material->alpha_test : 0,
    };
    out->kind = sky                                ? SOFT_SKY
                : material && material->blended    ? SOFT_BLENDED
                : material && out->alpha_test != 0 ? SOFT_TESTED
                                                   : SOFT_OPAQUE;
    if (look)
        return describe_look(s, face, look, out);
    return sky || !(material && material->fog && !material->base_image);
}

static void texture_box(const Sorting *s, SoftSurface *surface) {
    for (int k = 0; k < 2; k++) {
        surface->texture_low[k] = INFINITY;
        surface->texture_high[k] = -INFINITY;
        for (int i = 0; i < surface->index_count; i++) {
            Vec3 p = s->level->geometry->vertices[s->indexes.at[surface->first_index + i]].position;
            const SoftLinear *lane = &surface->lanes[LANE_U + k];
            double at = lane->x * p.x + lane->y * p.y + lane->z * p.z + lane->c;
            surface->texture_low[k] = MIN(surface->texture_low[k], at);
            surface->texture_high[k] = MAX(surface->texture_high[k], at);
        }
        surface->repeat[k] = floor(surface->texture_low[k]);
    }
}

static bool has_normals(const Sorting *s, const SoftSurface *surface) {
    const double *n = s->planes.at[surface->plane].normal;
    double facing = surface->along ? 1 : -1, least = 1;
    for (int i = 0; i < surface->index_count; i++) {
        Vec3 normal = s->level->geometry->vertices[s->indexes.at[surface->first_index + i]].normal;
        double along = (normal.x * n[0] + normal.y * n[1] + normal.z * n[2]) * facing;
        least = MIN(least, along);
    }
    return least < 0.999;
}

static void sort_flat_face(Sorting *s, int number, const int *corners, int triangles) {
    const BspFace *face = &s->level->map->faces[number];
    sort_triangles(s, corners, triangles);
    int left = (int)s->order.count;
    SoftSurface surface;
    while (left > 0 && surface_of(s, number, &surface)) {
        bool paged = surface.page >= 0 || surface.page == PAGE_OUTSIDE;
        const int *largest = corners + 3 * s->order.at[0];
        if (!fit_lanes(s, largest, paged, surface.lanes))
            return;    /* thinner than its numbers can tell */
        surface.plane = face_plane(s, face, largest, &surface.along);
        int kept = 0;
        for (int i = 0; i < left; i++) {
            const int *triangle = corners + 3 * s->order.at[i];
            if (i == 0 || (!surface.single && lanes_hold(s, &surface, triangle, paged)))
                memcpy(array_push_n(&s->indexes, 3), triangle, 3 * sizeof *triangle);
            else
                s->order.at[kept++] = s->order.at[i];
        }
        left = kept;
        surface.index_count = (int)s->indexes.count - surface.first_index;
        texture_box(s, &surface);
        surface.smooth = has_normals(s, &surface);
        surface_border(s, &surface);
        surface.convex = border_convex(s, &surface);
        *array_push(&s->surfaces) = surface;
    }
}

static void sort_face(Sorting *s, int number, IntList *corners) {
    const BspGeometry *geometry = s->level->geometry;
    const struct BspFaceRange *range = &geometry->faces[number];
    if (range->index_count < 3)
        return;
    array_clear(corners);
    for (int i = 0; i < range->index_count; i++)
        *array_push(corners) = (int)geometry->indexes[range->first_index + i];
    const Look *look = level_look(s->level, number);
    if (s->level->map->faces[number].type == FACE_PLANAR && !(look && look->deform_count)) {
        sort_flat_face(s, number, corners->at, range->index_count / 3);
        return;
    }
    SoftSurface surface;
    if (!surface_of(s, number, &surface))
        return;
    memcpy(array_push_n(&s->indexes, corners->count), corners->at, corners->count * sizeof *corners->at);
    surface.index_count = (int)corners->count / 3 * 3;
    surface_border(s, &surface);
    *array_push(&s->surfaces) = surface;
}


static void shift_page(const uint8_t *from, uint32_t *to, int shift) {
    for (int y = 0; y < PAGE_PITCH; y++)
        for (int x = 0; x < PAGE_PITCH; x++) {
            const uint8_t *texel = &from[(MIN(y, LIGHTMAP_SIZE - 1) * LIGHTMAP_SIZE + MIN(x, LIGHTMAP_SIZE - 1)) * 3];
            uint8_t rgb[3] = { texel[0], texel[1], texel[2] };
            bsp_shift_color(rgb, shift);
            to[y * PAGE_PITCH + x] = rgb[0] | (uint32_t)rgb[1] << 8 | (uint32_t)rgb[2] << 16 | 0xff000000u;
        }
}

static void shift_light(SoftLevel *level, int overbright) {
    const Map *map = level->level->map;
    const BspGeometry *geometry = level->level->geometry;
    level->overbright = overbright;
    for (int i = 0; i < map->lightmap_count; i++)
        shift_page(map->lightmaps + (size_t)i * LIGHTMAP_BYTES, level->pages + (size_t)i * PAGE_TEXELS, 2 - overbright);
    for (int i = 0; i < geometry->vertex_count; i++) {
        const uint8_t *color = geometry->vertices[i].color;
        uint8_t rgb[3] = { color[0], color[1], color[2] };
        bsp_shift_color(rgb, 2 - overbright);
        level->colors[i] = rgb[0] | (uint32_t)rgb[1] << 8 | (uint32_t)rgb[2] << 16 | (uint32_t)color[3] << 24;
    }
}

/* Copies a list of the sorting into the level's arena. */
#define KEEP(field, count_field, list)                                                             \
    do {                                                                                           \
        out->field = arena_alloc_array(out->arena, MAX((list).count, 1), sizeof *(list).at);       \
        if ((list).count)                                                                          \
            memcpy(out->field, (list).at, (list).count * sizeof *(list).at);                       \
        out->count_field = (int)(list).count;                                                      \
    } while (0)

static SoftPiece *piece_of(const SoftLevel *level, Arena *arena, int number) {
    const SoftSurface *surface = &level->surfaces[number];
    double (*corners)[3] = arena_alloc_array(arena, (size_t)surface->index_count, sizeof *corners);
    for (int i = 0; i < surface->index_count; i++) {
        Vec3 p = level->level->geometry->vertices[level->indexes[surface->first_index + i]].position;
        for (int k = 0; k < 3; k++)
            corners[i][k] = p.raw[k];
    }
    return soft_piece_make(arena, number, surface->plane, &level->planes[surface->plane], (const double (*)[3])corners, surface->index_count / 3);
}

/* Each corner of a border once, however many edges it has. Of what spans draw: nobody asks for others. */
static void make_corners(SoftLevel *out) {
    const BspVertex *vertices = out->level->geometry->vertices;
    struct Known { int surface, number; } *known = mem_zeroed((size_t)out->level->geometry->vertex_count + 1, sizeof *known);    /* of a vertex: the last surface + 1 */
    ARRAY(SoftFour) fours = { 0 };
    out->sides = arena_alloc_array(out->arena, (size_t)out->edge_count + 1, sizeof *out->sides);
    for (int i = 0; i < out->surface_count; i++) {
        SoftSurface *surface = &out->surfaces[i];
        if (!soft_surface_solid(surface))
            continue;
        int count = 0;
        surface->first_four = (int)fours.count;
        for (int k = surface->first_edge * 2; k < (surface->first_edge + surface->edge_count) * 2; k++) {
            struct Known *at = &known[out->edges[k]];
            if (at->surface != i + 1) {
                *at = (struct Known){ i + 1, count++ };
                SoftFour *four = at->number % 4 == 0 ? array_push(&fours) : &fours.at[fours.count - 1];
                for (int lane = at->number % 4; lane < 4; lane++)
                    for (int axis = 0; axis < 3; axis++)
                        four->at[axis][lane] = vertices[out->edges[k]].position.raw[axis];
            }
            out->sides[k] = at->number;
        }
        surface->four_count = (int)fours.count - surface->first_four;
    }
    KEEP(fours, four_count, fours);
    array_free(&fours);
    mem_free(known);
}

bool soft_surface_solid(const SoftSurface *surface) {
    return surface->plane >= 0 && !surface->decal && (surface->kind == SOFT_OPAQUE || surface->kind == SOFT_SKY);
}

bool soft_surface_laid(const SoftSurface *surface) { return surface->kind == SOFT_BLENDED || surface->decal; }

static void make_tree(SoftLevel *level) {
    Arena *scratch = arena_open();
    SoftPiece *list = NULL;
    int count = 0;
    level->first_fragment = arena_array(level->arena, int, MAX(level->surface_count, 1));
    for (int i = level->surface_count - 1; i >= 0; i--) {
        level->first_fragment[i] = -1;
        const SoftSurface *surface = &level->surfaces[i];
        if (!soft_surface_solid(surface) || surface->kind == SOFT_SKY || level->level->map->face_model[surface->face] > 0)
            continue;
        SoftPiece *piece = piece_of(level, scratch, i);
        piece->next = list;
        list = piece;
        count++;
    }
    soft_tree_build(&level->tree, scratch, list, count);
    for (int i = (int)level->tree.fragments.count - 1; i >= 0; i--) {
        SoftFragment *fragment = &level->tree.fragments.at[i];
        fragment->next = level->first_fragment[fragment->surface];
        level->first_fragment[fragment->surface] = i;
    }
    arena_close(scratch);
}

enum { LIGHTMAP_LOG = 7 };
_Static_assert(1 << LIGHTMAP_LOG == LIGHTMAP_SIZE, "pages are read as pictures");

static void make_page_textures(SoftLevel *level, int count) {
    level->page_textures = arena_array(level->arena, SoftTexture, MAX(count, 1));
    for (int i = 0; i < count; i++)
        level->page_textures[i] = (SoftTexture){
            .mip = { { level->pages + (size_t)i * PAGE_TEXELS, LIGHTMAP_LOG, LIGHTMAP_SIZE - 1, LIGHTMAP_SIZE - 1 } },
            .levels = 1, .width_log = LIGHTMAP_LOG, .height_log = LIGHTMAP_LOG, .used_u = 1, .used_v = 1, .made = true,
        };
}

static void make_glances(SoftLevel *level) {
    level->glances = arena_array(level->arena, SoftGlance, MAX(level->surface_count, 1));
    for (int i = 0; i < level->surface_count; i++) {
        const SoftSurface *surface = &level->surfaces[i];
        level->glances[i] = (SoftGlance){
            .flat = surface->plane >= 0, .along = surface->along, .solid = soft_surface_solid(surface), .laid = soft_surface_laid(surface),
            .sky = surface->kind == SOFT_SKY, .smooth = surface->smooth, .cull = surface->cull,
        };
        if (surface->plane >= 0)
            level->glances[i].plane = level->planes[surface->plane];
    }
}

SoftLevel *soft_level_make(const Level *level, int overbright) {
    Arena *arena = arena_open();
    SoftLevel *out = arena_new(arena, SoftLevel);
    *out = (SoftLevel){ .arena = arena, .level = level, .serial = level->serial };
    const Map *map = level->map;
    out->face_first = arena_array(arena, int, map->face_count + 1);
    out->face_cluster = arena_array(arena, int, map->face_count + 1);
    frame_face_clusters(map, out->face_cluster);
    out->pages = arena_array(arena, uint32_t, (int64_t)MAX(map->lightmap_count, 1) * PAGE_TEXELS);
    out->colors = arena_array(arena, uint32_t, MAX(level->geometry->vertex_count, 1));
    shift_light(out, overbright);
    make_page_textures(out, map->lightmap_count);

    Sorting s = { .out = out, .level = level, .bucket_count = 4096 };
    s.look_numbers = mem_zeroed((size_t)MAX(map->texture_count, 1) * LOOK_FORMS, sizeof *s.look_numbers);
    s.plane_bucket = mem_realloc_array(NULL, (size_t)s.bucket_count, sizeof *s.plane_bucket);
    for (int i = 0; i < s.bucket_count; i++)
        s.plane_bucket[i] = -1;
    IntList corners = { 0 };
    for (int i = 0; i < map->face_count; i++) {
        out->face_first[i] = (int)s.surfaces.count;
        sort_face(&s, i, &corners);
    }
    out->face_first[map->face_count] = (int)s.surfaces.count;
    KEEP(surfaces, surface_count, s.surfaces);
    out->face_loose = arena_array(arena, bool, map->face_count + 1);
    for (int i = 0; i < out->surface_count; i++)
        out->face_loose[out->surfaces[i].face] = out->face_loose[out->surfaces[i].face] || !soft_surface_solid(&out->surfaces[i]);
    KEEP(looks, look_count, s.looks);
    KEEP(planes, plane_count, s.planes);
    make_glances(out);
    KEEP(indexes, index_count, s.indexes);
    KEEP(edges, edge_count, s.edges);
    make_corners(out);
    make_tree(out);
    array_free(&corners);
    array_free(&s.surfaces);
    array_free(&s.looks);
    mem_free(s.look_numbers);
    array_free(&s.planes);
    array_free(&s.indexes);
    array_free(&s.edges);
    array_free(&s.slots);
    array_free(&s.left);
    array_free(&s.order);
    array_free(&s.areas);
    mem_free(s.plane_bucket);
    mem_free(s.plane_next);
    return out;
}

void soft_level_free(SoftLevel *level) {
    if (!level)
        return;
    soft_tree_free(&level->tree);
    arena_close(level->arena);
}
