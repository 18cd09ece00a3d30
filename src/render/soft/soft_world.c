/* render/soft/soft_world.c -- the visible surfaces of a frame become paints and polygons. */
#include <stdlib.h>

#include "render/soft/soft_internal.h"

uint32_t soft_packed(Rgba color) { return color.r | (uint32_t)color.g << 8 | (uint32_t)color.b << 16 | (uint32_t)color.a << 24; }

static uint32_t normal_color(const double n[3]) {
    uint32_t out = 0xff000000u;
    for (int i = 0; i < 3; i++)
        out |= (uint32_t)(CLAMP(n[i] * 0.5 + 0.5, 0, 1) * 255 + 0.5) << 8 * i;
    return out;
}

/* A number's colour, upward faces a little brighter. */
static uint32_t number_color(int number, double up) {
    Rgba color = color_of_number(number);
    double bright = 0.75 + 0.25 * CLAMP(up, -1, 1);
    return soft_packed((Rgba){ (uint8_t)(color.r * bright + 0.5), (uint8_t)(color.g * bright + 0.5), (uint8_t)(color.b * bright + 0.5), 255 });
}

static bool shows_pictures(const Frame *frame) { return frame->shade == SHADE_LIT || frame->shade == SHADE_TEXTURE; }

/* The sky is behind all else, wherever its faces stand. What its boxes and clouds show comes over a plain ground. */
static void sky_style(Soft *soft, const SoftSurface *surface, bool picture, SoftPaint *paint) {
    paint->at_depth = soft_sky_depth(surface->look);
    if (soft->stages && surface->look >= 0) {
        const Look *look = soft->level->looks[surface->look];
        bool any = look->has_box || look->stage_count, known = false;
        paint->style = STYLE_FLAT;
        paint->flat = any ? 0xff000000u : soft_packed(soft->frame->clear) | 0xff000000u;
        for (size_t i = 0; i < soft->scratch.skies.count; i++)
            known = known || soft->scratch.skies.at[i] == surface->look;
        if (!known)
            *array_push(&soft->scratch.skies) = surface->look;
        return;
    }
    paint->style = STYLE_SKY;
    paint->flat = picture ? 0xffffffffu : SKY_COLOR;
    paint->sky = picture ? &soft->sky : NULL;
    for (int i = 0; i < 3; i++) {
        paint->x[i] = soft->world.column[i];
        paint->y[i] = soft->world.row[i];
        paint->c[i] = soft->world.first[i];
    }
}

/* How the surface looks in the view that is asked for; `normal` is of a flat surface, NULL: its vertices have theirs. */
void soft_surface_style(Soft *soft, const SoftSurface *surface, const double *normal, SoftPaint *paint) {
    const Frame *frame = soft->frame;
    int number = frame->level->textures ? frame->level->textures[surface->texture] : TEXTURE_WHITE;
    paint->surface = (int)(surface - soft->level->surfaces);
    paint->texture = soft_texture_at(soft, number);
    paint->page = surface->page >= 0 ? soft->level->pages + (size_t)surface->page * PAGE_TEXELS : NULL;
    paint->alpha_test = surface->alpha_test;
    paint->blend = surface->kind == SOFT_BLENDED && shows_pictures(frame) ? BLEND_ALPHA : BLEND_NONE;
    const Material *material = frame->level->materials ? frame->level->materials[surface->texture] : NULL;
    if (paint->blend != BLEND_NONE && frame->shade == SHADE_TEXTURE && material) {
        paint->blend = BLEND_FACTORS;
        paint->source = material->source;
        paint->destination = material->destination;
    }
    paint->keeps_depth = paint->blend != BLEND_NONE;
    paint->style = surface->page >= 0 ? STYLE_LIGHTMAP : surface->page == PAGE_VERTEX ? STYLE_VERTEX : STYLE_BRIGHT;
    int id = frame->shade == SHADE_FACE ? surface->face : soft->level->face_cluster[surface->face];
    switch (frame->shade) {
    case SHADE_TEXTURE: paint->style = STYLE_TEXTURE; break;
    case SHADE_LIGHTMAP: paint->texture = &soft->white; break;
    case SHADE_MIP: paint->style = STYLE_MIP; break;
    case SHADE_DEPTH: paint->style = STYLE_DEPTH; break;
    case SHADE_OVERDRAW:
        paint->style = STYLE_FLAT;
        paint->flat = 0xff081020u;    /* 32, 16 and 8 of 255 for each time a pixel is drawn */
        paint->blend = BLEND_SUM;
        paint->keeps_depth = true;
        break;
    case SHADE_CLUSTER: case SHADE_FACE: case SHADE_NORMAL:
        paint->style = normal ? STYLE_FLAT : STYLE_COLOR;
        paint->flat = !normal ? 0 : frame->shade == SHADE_NORMAL ? normal_color(normal) : number_color(id, normal[2]);
        paint->texture = normal ? paint->texture : &soft->white;
        break;
    default: break;
    }
    paint->bright = soft->mode.bright && (paint->style == STYLE_LIGHTMAP || paint->style == STYLE_VERTEX);
    paint->cached = soft->caches && frame->shade == SHADE_LIT && paint->style == STYLE_LIGHTMAP && surface->plane >= 0 && surface->kind == SOFT_OPAQUE;
    if (surface->kind == SOFT_SKY && shows_pictures(frame))
        sky_style(soft, surface, number != TEXTURE_WHITE, paint);
    paint->light = paint->style == STYLE_LIGHTMAP || paint->style == STYLE_VERTEX || paint->style == STYLE_BRIGHT;
}

static bool shown(uint8_t cull, bool front) { return cull == CULL_NONE || (cull == CULL_FRONT_SHOWN) == front; }

static void add_item(SoftScratch *scratch, const SoftView *view, int paint, int layers, int lit, const double (*corners)[3], int count) {
    const SoftPaint *how = &scratch->paints.at[paint];
    SoftItem item = { .paint = paint, .layers = layers, .lit = lit, .test = how->blend == BLEND_SUM ? TEST_NONE : how->test == TEST_EQUAL ? TEST_EQUAL : TEST_NOT_FARTHER };
    SoftView from = *view;
    from.near = soft_near_of(view, how);
    if (soft_clip_polygon(&from, corners, count, scratch, &item))
        *array_push(&scratch->items) = item;
}

bool soft_triangle_corners(const Soft *soft, const SoftPose *pose, const BspVertex *vertices, const int *numbers, double corners[3][3]) {
    bool before = false;
    for (int k = 0; k < 3; k++) {
        soft_pose_point(pose, vertices[numbers[k]].position, corners[k]);
        before = before || corners[k][2] >= soft->view.near;
    }
    return before;
}

/* The paints of a flat surface, its layers one after the other; how many, 0: it is not seen. */
static int flat_paints(Soft *soft, const SoftPose *pose, int place, const SoftSurface *surface, int lit) {
    SoftScratch *scratch = &soft->scratch;
    const SoftPlane *plane = &soft->level->planes[surface->plane];
    double facing = surface->along ? 1 : -1, normal[3];
    for (int i = 0; i < 3; i++)
        normal[i] = plane->normal[i] * facing;
    SoftPaint paint = { 0 };
    int first, count = soft_layers_of(soft, surface, &first);
    if (!count) {
        soft_surface_style(soft, surface, normal, &paint);
        if (!soft_paint_surface(pose, surface, plane, paint.texture, &paint))
            return 0;
        *array_push(&scratch->paints) = paint;
        return 1;
    }
    for (int i = 0; i < count; i++) {
        SoftLinear lanes[LANES];
        soft_layer_paint(soft, surface, first + i, &paint);
        if (!soft_paint_plane(pose, plane, &paint))
            return 0;
        soft_layer_lanes(soft, surface, first + i, place, lanes);
        soft_paint_lanes(pose, lanes, surface->repeat, &paint);
        paint.bakes = lit ? 0 : paint.bakes;    /* layers come over the light */
        paint.skips = paint.skips && !lit;
        *array_push(&scratch->paints) = paint;
    }
    return count;
}

static void add_flat(Soft *soft, const SoftPose *pose, int place, const SoftSurface *surface, int lit) {
    SoftScratch *scratch = &soft->scratch;
    int number = (int)scratch->paints.count, count = flat_paints(soft, pose, place, surface, lit);
    for (int i = 0; i < surface->index_count && count; i += 3) {
        double corners[3][3];
        if (soft_triangle_corners(soft, pose, soft->frame->level->geometry->vertices, soft->level->indexes + surface->first_index + i, corners))
            add_item(scratch, &soft->view, number, count - 1, lit, (const double (*)[3])corners, 3);
    }
}

/* The vertices of a face, counted as the level counts them: moved as the material says. */
static const BspVertex *deformed_vertices(Soft *soft, const SoftSurface *surface, int place) {
    const BspGeometry *geometry = soft->frame->level->geometry;
    const BspFaceRange *range = &geometry->faces[surface->face];
    const Look *look = surface->look >= 0 && soft->var.materials->number != 0 ? soft->level->looks[surface->look] : NULL;
    if (!look || !look->deform_count)
        return geometry->vertices;
    Axes axes = soft->frame->view.axes;
    if (place >= 0) {
        const FrameModel *model = &soft->frame->models.at[place];
        axes = (Axes){ frame_model_direction(model, axes.forward), frame_model_direction(model, axes.right), frame_model_direction(model, axes.up) };
    }
    array_clear(&soft->scratch.deformed);
    BspVertex *vertices = array_push_n(&soft->scratch.deformed, (size_t)range->vertex_count);
    memcpy(vertices, geometry->vertices + range->first_vertex, (size_t)range->vertex_count * sizeof *vertices);
    look_deform(look, soft->frame->time, &axes, vertices, range->vertex_count, geometry->indexes + range->first_index, range->index_count, (uint32_t)range->first_vertex);
    return vertices - range->first_vertex;
}

/* Which lights reach a face, whose vertices may not be where the level has them. */
static int lights_on(Soft *soft, int place, const SoftSurface *surface, const BspVertex *vertices, int lit) {
    const BspFaceRange *range = &soft->frame->level->geometry->faces[surface->face];
    if (vertices == soft->frame->level->geometry->vertices)
        return lit;
    Box box = { vertices[range->first_vertex].position, vertices[range->first_vertex].position };
    for (int i = 1; i < range->vertex_count; i++)
        box = box_around(box, vertices[range->first_vertex + i].position);
    return soft_lights_reach(soft, soft->lights, place, box);
}

static void triangle_lanes(const Soft *soft, const SoftSurface *surface, int number, const BspVertex *v, double out[LANES]) {
    memset(out, 0, LANES * sizeof *out);
    out[LANE_U] = v->uv.x;
    out[LANE_V] = v->uv.y;
    Shade shade = soft->frame->shade;
    if (shade == SHADE_NORMAL || shade == SHADE_FACE || shade == SHADE_CLUSTER) {
        int id = shade == SHADE_FACE ? surface->face : soft->level->face_cluster[surface->face];
        uint32_t color = shade == SHADE_NORMAL ? normal_color((double[3]){ v->normal.x, v->normal.y, v->normal.z }) : number_color(id, v->normal.z);
        for (int i = 0; i < 4; i++)
            out[LANE_RED + i] = color >> 8 * i & 255;
    } else if (surface->page >= 0) {
        out[LANE_LIGHT_U] = (double)v->lightmap_uv.x * LIGHTMAP_SIZE;
        out[LANE_LIGHT_V] = (double)v->lightmap_uv.y * LIGHTMAP_SIZE;
    } else {
        uint32_t color = soft->level->colors[number];
        for (int i = 0; i < 4; i++)
            out[LANE_RED + i] = color >> 8 * i & 255;
    }
}

static bool triangle_front(const SoftView *view, const double corners[3][3]) {    /* clockwise, seen from its front */
    const double *a = corners[0], *b = corners[1], *c = corners[2];
    return (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]) > 0) != view->mirrored;
}

static void add_mesh(Soft *soft, const SoftPose *pose, int place, const SoftSurface *surface, int lit) {
    SoftScratch *scratch = &soft->scratch;
    const BspVertex *all = deformed_vertices(soft, surface, place);
    lit = lights_on(soft, place, surface, all, lit);
    SoftPaint paint = { 0 };
    soft_surface_style(soft, surface, NULL, &paint);
    for (int i = 0; i < surface->index_count; i += 3) {
        const int *vertices = soft->level->indexes + surface->first_index + i;
        double corners[3][3], lanes[3][LANES];
        if (!soft_triangle_corners(soft, pose, all, vertices, corners) || !shown(surface->cull, triangle_front(&soft->view, (const double (*)[3])corners)))
            continue;
        for (int k = 0; k < 3; k++)
            triangle_lanes(soft, surface, vertices[k], &all[vertices[k]], lanes[k]);
        if (!soft_paint_triangle(&soft->view, (const double (*)[3])corners, (const double (*)[LANES])lanes, paint.texture, &paint))
            continue;
        *array_push(&scratch->paints) = paint;
        add_item(scratch, &soft->view, (int)scratch->paints.count - 1, 0, lit, (const double (*)[3])corners, 3);
    }
}

/* A mesh whose material has stages: every layer's values at each of its vertices, then its triangles. */
static void add_layered_mesh(Soft *soft, const SoftPose *pose, int place, const SoftSurface *surface, int first, int count, int lit) {
    SoftScratch *scratch = &soft->scratch;
    const BspVertex *vertices = deformed_vertices(soft, surface, place);
    lit = lights_on(soft, place, surface, vertices, lit);
    const BspFaceRange *range = &soft->frame->level->geometry->faces[surface->face];
    array_clear(&scratch->lanes);
    double (*all)[LANES] = (double (*)[LANES])array_push_n(&scratch->lanes, (size_t)range->vertex_count * (size_t)count * LANES);
    for (int layer = 0; layer < count; layer++)
        for (int i = 0; i < range->vertex_count; i++)
            soft_layer_vertex(soft, surface, first + layer, place, range->first_vertex + i, &vertices[range->first_vertex + i], all[layer * range->vertex_count + i]);
    for (int i = 0; i < surface->index_count; i += 3) {
        const int *numbers = soft->level->indexes + surface->first_index + i;
        double corners[3][3], lanes[3][LANES];
        if (!soft_triangle_corners(soft, pose, vertices, numbers, corners) || !shown(surface->cull, triangle_front(&soft->view, (const double (*)[3])corners)))
            continue;
        int start = (int)scratch->paints.count;
        bool flat = true;
        for (int layer = 0; layer < count && flat; layer++) {
            SoftPaint paint;
            soft_layer_paint(soft, surface, first + layer, &paint);
            for (int k = 0; k < 3; k++)
                memcpy(lanes[k], all[layer * range->vertex_count + numbers[k] - range->first_vertex], sizeof lanes[k]);
            flat = soft_paint_triangle(&soft->view, (const double (*)[3])corners, (const double (*)[LANES])lanes, paint.texture, &paint);
            *array_push(&scratch->paints) = paint;
        }
        if (flat)
            add_item(scratch, &soft->view, start, count - 1, lit, (const double (*)[3])corners, 3);
    }
}

static bool faces_eye(const SoftGlance *glance, const SoftPose *pose) {
    double height = -glance->plane.dist;
    for (int i = 0; i < 3; i++)
        height += glance->plane.normal[i] * pose->eye[i];
    return shown(glance->cull, (height > 0) == glance->along);
}

/* When a surface is drawn by depth: what spans would draw first, and what is laid over what is there last. */
typedef enum Turn { TURN_SOLID, TURN_LOOSE, TURN_LAID } Turn;

/* In views of faces, depths and the like a sky is a surface like any other, as in gl. It has no place among those that spans
 * have in order, so depths settle it. */
static bool sky_is_near(const Frame *frame) { return !shows_pictures(frame) && frame->shade != SHADE_SPANS && frame->shade != SHADE_EDGES; }

static bool shows_normals(const Frame *frame, const SoftGlance *glance) { return frame->shade == SHADE_NORMAL && glance->smooth; }

static Turn turn_of(const Frame *frame, const SoftGlance *glance) {
    if ((glance->sky && sky_is_near(frame)) || (glance->solid && shows_normals(frame, glance)))
        return TURN_LOOSE;
    return glance->solid ? TURN_SOLID : glance->laid ? TURN_LAID : TURN_LOOSE;
}

static void draw_face(Soft *soft, int place, int face, Turn turn) {    /* place -1: the world's */
    const SoftPose *pose = place < 0 ? &soft->world : &soft->scratch.poses.at[place];
    int lit = soft_lights_reach(soft, soft->lights, place, soft->frame->level->geometry->face_bounds[face]);
    for (int i = soft->level->face_first[face]; i < soft->level->face_first[face + 1]; i++) {
        const SoftSurface *surface = &soft->level->surfaces[i];
        const SoftGlance *glance = &soft->level->glances[i];
        int first, layers;
        if (turn_of(soft->frame, glance) != turn)
            continue;
        bool flat = glance->flat && !shows_normals(soft->frame, glance);
        if (flat && faces_eye(glance, pose))
            add_flat(soft, pose, place, surface, lit);
        else if (!flat && (layers = soft_layers_of(soft, surface, &first)) > 0)
            add_layered_mesh(soft, pose, place, surface, first, layers, lit);
        else if (!flat)
            add_mesh(soft, pose, place, surface, lit);
    }
}

/* The edges of every triangle that would be drawn. */
static void wire_face(Soft *soft, const SoftPose *pose, int place, int face) {
    for (int i = soft->level->face_first[face]; i < soft->level->face_first[face + 1]; i++) {
        const SoftSurface *surface = &soft->level->surfaces[i];
        const BspVertex *vertices = deformed_vertices(soft, surface, place);
        for (int k = 0; k < surface->index_count; k += 3) {
            double corners[3][3];
            if (!soft_triangle_corners(soft, pose, vertices, soft->level->indexes + surface->first_index + k, corners)
                || !shown(surface->cull, triangle_front(&soft->view, (const double (*)[3])corners)))
                continue;
            for (int j = 0; j < 3; j++)
                soft_add_line(soft, corners[j], corners[(j + 1) % 3], soft->frame->wire, soft->frame->wire, 1, 0, TEST_NONE);
        }
    }
}

void soft_wires_gather(Soft *soft) {
    const Frame *frame = soft->frame;
    for (int i = 0; i < frame->face_count; i++)
        wire_face(soft, &soft->world, -1, frame->faces[i]);
    for (size_t i = 0; i < frame->models.count; i++) {
        const BspModel *model = &frame->level->map->models[frame->models.at[i].model];
        SoftPose pose;
        soft_pose_make(&frame->view, &soft->view, &frame->models.at[i], &pose);
        for (int k = model->first_face; k < model->first_face + model->face_count; k++)
            wire_face(soft, &pose, (int)i, k);
    }
}


static void note_laid(Soft *soft, int face, int model) {
    int first = soft->level->face_first[face];
    if (first == soft->level->face_first[face + 1] || !soft_surface_laid(&soft->level->surfaces[first]))
        return;
    const Frame *frame = soft->frame;
    Vec3 middle = box_middle(frame->level->geometry->face_bounds[face]);
    if (model >= 0)
        middle = frame_model_point(&frame->models.at[model], middle);
    float distance = vec3_dot(vec3_sub(middle, frame->view.origin), frame->view.axes.forward);
    const Look *look = level_look(frame->level, face);
    const BspFace *it = &frame->level->map->faces[face];
    *array_push(&soft->scratch.far) = (SoftFar){ look ? look->sort : 0, distance, 0, { it->texture, look ? (int)look->form + LOOK_FORMS * look->page : -1, it->effect }, face, model, 0, 0 };
}

static int compare_kinds(const void *a, const void *b) {
    const SoftFar *x = a, *y = b;
    for (int i = 0; i < COUNT_OF(x->kind); i++)
        if (x->kind[i] != y->kind[i])
            return x->kind[i] < y->kind[i] ? -1 : 1;
    return 0;
}

/* In the order of their materials; of one order, the material that reaches farthest first, and of it the far faces first:
 * as gl, which draws those of one material together, save where a mesh comes between them. */
static int compare_far(const void *a, const void *b) {
    const SoftFar *x = a, *y = b;
    if (x->meshes != y->meshes)
        return x->meshes - y->meshes;
    if (x->sort != y->sort)
        return x->sort < y->sort ? -1 : 1;
    if (x->far != y->far)
        return x->far > y->far ? -1 : 1;
    int kind = compare_kinds(a, b);
    if (kind || x->model != y->model)
        return kind ? kind : x->model - y->model;
    if (x->distance != y->distance)
        return x->distance > y->distance ? -1 : 1;
    return x->face - y->face;
}

static void order_far(Soft *soft) {
    SoftFar *all = soft->scratch.far.at;
    int count = (int)soft->scratch.far.count, opaque;
    if (!count)
        return;
    const int *order = frame_mesh_order(soft->frame, &opaque);
    for (int i = 0; i < count; i++)
        all[i].meshes = frame_meshes_before(soft->frame, order, opaque, all[i].sort, all[i].distance);
    qsort(all, (size_t)count, sizeof *all, compare_kinds);
    for (int i = 0, end; i < count; i = end) {
        float far = all[i].distance;
        for (end = i + 1; end < count && compare_kinds(&all[i], &all[end]) == 0; end++)
            far = MAX(far, all[end].distance);
        for (int k = i; k < end; k++)
            all[k].far = far;
    }
    qsort(all, (size_t)count, sizeof *all, compare_far);
}

/* The surfaces of a face that are drawn by spans; model NULL: the world's. */
static void see_face(Soft *soft, int face, const SoftPose *pose, const FrameModel *model, int place) {
    for (int i = soft->level->face_first[face]; i < soft->level->face_first[face + 1]; i++) {
        const SoftGlance *glance = &soft->level->glances[i];
        if (turn_of(soft->frame, glance) != TURN_SOLID || !faces_eye(glance, pose))
            continue;
        if (glance->sky)
            soft_order_far(&soft->order, place, i);
        else if (model)
            soft_order_move(&soft->order, model, place, i, soft->frame->view.origin);
        else if (soft->level->first_fragment[i] >= 0)
            soft_order_see(&soft->order, i);
    }
}

/* What spans draw: the world first, so that what moves meets its marks. */
static void see_faces(Soft *soft) {
    const Frame *frame = soft->frame;
    soft_order_begin(&soft->order, soft->level);
    for (int i = 0; i < frame->face_count; i++)
        see_face(soft, frame->faces[i], &soft->world, NULL, -1);
    for (size_t i = 0; i < frame->models.count; i++) {
        const BspModel *model = &frame->level->map->models[frame->models.at[i].model];
        for (int k = model->first_face; k < model->first_face + model->face_count; k++)
            see_face(soft, k, &soft->scratch.poses.at[i], &frame->models.at[i], (int)i);
    }
}

/* The level's surfaces of one turn, those of moved things first. What comes later is seen where two lie in one plane, with
 * all of its layers: the lower number, wherever the eye is, and the world's before what moved into its plane. */
static void draw_turn(Soft *soft, Turn turn) {
    const Frame *frame = soft->frame;
    for (int i = (int)frame->models.count - 1; i >= 0; i--) {
        const BspModel *model = &frame->level->map->models[frame->models.at[i].model];
        for (int k = model->first_face + model->face_count - 1; k >= model->first_face; k--)
            draw_face(soft, i, k, turn);
    }
    for (size_t i = soft->scratch.faces.count; i > 0; i--)
        draw_face(soft, -1, soft->scratch.faces.at[i - 1], turn);
}

static bool is_loose(const Soft *soft, int face) {
    bool loose = soft->level->face_loose[face];
    for (int i = soft->level->face_first[face]; i < soft->level->face_first[face + 1] && !loose && sky_is_near(soft->frame); i++)
        loose = turn_of(soft->frame, &soft->level->glances[i]) != TURN_SOLID;
    return loose;
}

/* Faces that are not drawn by spans, by number. */
static void list_loose(Soft *soft) {
    const Frame *frame = soft->frame;
    IntList *faces = &soft->scratch.faces;
    array_clear(faces);
    for (int i = 0; i < frame->face_count; i++)
        if (!soft->spans || is_loose(soft, frame->faces[i]))
            *array_push(faces) = frame->faces[i];
    if (faces->count)
        qsort(faces->at, faces->count, sizeof *faces->at, compare_ints);
}

static void add_loose(Soft *soft) {
    const Frame *frame = soft->frame;
    const IntList *faces = &soft->scratch.faces;
    if (!soft->spans)
        draw_turn(soft, TURN_SOLID);
    draw_turn(soft, TURN_LOOSE);
    for (size_t i = 0; i < faces->count; i++)
        note_laid(soft, faces->at[i], -1);
    for (size_t i = 0; i < frame->models.count; i++) {
        const BspModel *model = &frame->level->map->models[frame->models.at[i].model];
        for (int k = model->first_face; k < model->first_face + model->face_count; k++)
            note_laid(soft, k, (int)i);
    }
}

/* Room for the paints of a face, and its layers and textures made: it may then be added while other threads place shapes. */
static size_t prepare_face(Soft *soft, int face) {
    size_t paints = 0;
    for (int i = soft->level->face_first[face]; i < soft->level->face_first[face + 1]; i++) {
        const SoftSurface *surface = &soft->level->surfaces[i];
        int first, layers = soft_layers_of(soft, surface, &first);
        if (!layers && soft->frame->level->textures)
            soft_texture_at(soft, soft->frame->level->textures[surface->texture]);
        paints += (size_t)MAX(layers, 1) * (size_t)(surface->index_count / 3 + 1);    /* at most: flat ones need less */
    }
    return paints;
}

static void prepare_loose(Soft *soft) {
    const Frame *frame = soft->frame;
    size_t paints = soft->scratch.paints.count;
    for (size_t i = 0; i < soft->scratch.faces.count; i++)
        paints += prepare_face(soft, soft->scratch.faces.at[i]);
    for (size_t i = 0; i < frame->models.count; i++) {
        const BspModel *model = &frame->level->map->models[frame->models.at[i].model];
        for (int k = model->first_face; k < model->first_face + model->face_count; k++)
            paints += prepare_face(soft, k);
    }
    array_reserve(&soft->scratch.paints, paints);
}

/* Work that does not wait for each other: the walk, what spans do not draw, and shapes, some at a time. */
enum { WORK_ORDER, WORK_LOOSE, WORK_SHAPES };

static void do_work(void *user, int number) {
    Soft *soft = user;
    if (number == WORK_ORDER) {
        double start = soft_milliseconds();
        soft_order_walk(&soft->order, soft->frame->view.origin);
        soft_parts_prepare(soft);
        soft->order_ms += soft_milliseconds() - start;
    } else if (number == WORK_LOOSE) {
        add_loose(soft);
    } else {
        soft_shapes_place(soft, number - WORK_SHAPES);
    }
}

/* Blended ones last, the far ones first. */
void soft_world_gather(Soft *soft) {
    const Frame *frame = soft->frame;
    SoftScratch *scratch = &soft->scratch;
    array_reserve(&scratch->poses, frame->models.count + 1);
    for (size_t i = 0; i < frame->models.count; i++)
        soft_pose_make(&frame->view, &soft->view, &frame->models.at[i], &scratch->poses.at[i]);
    soft_lights_begin(soft, soft->lights);
    list_loose(soft);
    if (soft->spans) {
        double start = soft_milliseconds();
        see_faces(soft);
        double seen = soft_milliseconds();
        soft->order_ms = seen - start;
        soft_shapes_prepare(soft);
        prepare_loose(soft);
        jobs_each(soft->jobs, WORK_SHAPES + soft_shape_chunks(soft), do_work, soft);
        soft_parts_place(soft);
        soft_lights_shapes(soft, soft->lights);
        soft->place_ms = soft_milliseconds() - seen;
    } else {
        add_loose(soft);
    }
    soft_sky_gather(soft);
    soft_portal_faces(soft);
    soft->first_blended = scratch->items.count;
    order_far(soft);
    for (size_t i = 0; i < scratch->far.count; i++) {
        scratch->far.at[i].first_item = (int)scratch->items.count;
        draw_face(soft, scratch->far.at[i].model, scratch->far.at[i].face, TURN_LAID);
    }
}
