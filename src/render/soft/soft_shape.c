/* render/soft/soft_shape.c -- shapes and their fragments on the screen: borders as edges, cuts as half planes.
 *
 * The border is that of the whole surface, whatever the tree divided: neighbours share their edges to the last bit, and
 * two fragments on the sides of a cut share its line. */
#include <math.h>
#include <stdlib.h>

#include "render/soft/soft_four_internal.h"

enum { CHUNK = 32 };    /* shapes or parts that one piece of work places */

static const SoftPose *pose_of(const Soft *soft, const SoftShape *shape) {
    return shape->pose < 0 ? &soft->world : &soft->scratch.poses.at[shape->pose];
}

static void add_edge(Soft *soft, SoftShape *shape, SoftPoint a, SoftPoint b) {
    SoftPoint top = a.y < b.y ? a : b, bottom = a.y < b.y ? b : a;
    shape->x0 = MIN(shape->x0, soft_pixel_after(MIN(a.x, b.x), soft->view.width));
    shape->x1 = MAX(shape->x1, soft_pixel_after(MAX(a.x, b.x), soft->view.width));
    if (!(top.y < bottom.y))
        return;
    int from = soft_pixel_after(top.y, soft->view.height), to = soft_pixel_after(bottom.y, soft->view.height);
    shape->y0 = MIN(shape->y0, from);
    shape->y1 = MAX(shape->y1, to);
    if (from < to)
        soft->order.edges.at[shape->first_edge + shape->edge_count++] = (SoftEdge){ top.x, top.y, (bottom.x - top.x) / (bottom.y - top.y), from, to, a.y < b.y ? 1 : -1 };
}

static SoftPoint on_screen(const SoftView *view, const double p[3]) {
    return (SoftPoint){ view->middle_x + p[0] / p[2], view->middle_y + p[1] / p[2] };
}

typedef struct NearPoint { double at[3], along; int turn; } NearPoint;    /* turn: 1 where the border leaves, -1 where it comes back */

static int compare_near(const void *a, const void *b) {
    const NearPoint *x = a, *y = b;
    return x->along < y->along ? -1 : x->along > y->along;
}

/* Where the near plane cuts the surface the border gets new edges, from where it leaves to where it comes back: along the
 * line that the two planes share, as many at each place as left before it. */
static void close_near(Soft *soft, SoftShape *shape, NearPoint *cuts, int count, const SoftPaint *paint) {
    for (int i = 0; i < count; i++)    /* 1/z is the same along that line: it runs across its slope */
        cuts[i].along = cuts[i].at[0] * paint->iz_y - cuts[i].at[1] * paint->iz_x;
    qsort(cuts, (size_t)count, sizeof *cuts, compare_near);
    for (int i = 0, left = 0; i + 1 < count; i++) {
        left += cuts[i].turn;
        const NearPoint *from = &cuts[left > 0 ? i : i + 1], *to = &cuts[left > 0 ? i + 1 : i];
        for (int k = 0; k < abs(left) && shape->edge_count < shape->edge_room; k++)
            add_edge(soft, shape, on_screen(&soft->view, from->at), on_screen(&soft->view, to->at));
    }
}

typedef struct Corner { double at[3]; SoftPoint screen; bool before; } Corner;    /* before: the near plane; else it has no place on the screen */

static Corner corner_of(const Soft *soft, const SoftPose *pose, Vec3 point, double near) {
    Corner corner;
    soft_pose_point(pose, point, corner.at);
    corner.before = corner.at[2] >= near;
    corner.screen = corner.before ? on_screen(&soft->view, corner.at) : (SoftPoint){ 0 };
    return corner;
}

/* The border of a surface that lies across the near plane. */
static void place_near(Soft *soft, SoftShape *shape, const SoftPose *pose, double near) {
    const SoftSurface *surface = &soft->level->surfaces[shape->surface];
    const BspVertex *vertices = soft->frame->level->geometry->vertices;
    const int *edges = &soft->level->edges[surface->first_edge * 2];
    NearPoint few[16], *cuts = surface->edge_count <= COUNT_OF(few) ? few : mem_realloc_array(NULL, (size_t)surface->edge_count, sizeof *cuts);
    int cut_count = 0, last = -1;
    Corner a, b = { 0 };
    for (int i = 0; i < surface->edge_count; i++) {
        a = edges[i * 2] == last ? b : corner_of(soft, pose, vertices[edges[i * 2]].position, near);    /* most borders are listed corner after corner */
        b = corner_of(soft, pose, vertices[edges[i * 2 + 1]].position, near);
        last = edges[i * 2 + 1];
        if (a.before && b.before) {
            add_edge(soft, shape, a.screen, b.screen);
        } else if (a.before || b.before) {
            cuts[cut_count].turn = a.before ? 1 : -1;
            double *cut = cuts[cut_count++].at;
            soft_near_corner(a.before ? a.at : b.at, a.before ? b.at : a.at, near, cut);
            SoftPoint screen = on_screen(&soft->view, cut);
            add_edge(soft, shape, a.before ? a.screen : screen, a.before ? screen : b.screen);
        }
    }
    if (cut_count)
        close_near(soft, shape, cuts, cut_count, &soft->scratch.paints.at[shape->paint]);
    if (cuts != few)
        mem_free(cuts);
}

/* Corners on the screen, and the row of pixels that begins after each. */
typedef struct Placed { double *x, *y; int *row; } Placed;

/* As soft_pose_point, of two. */
static __m128d along(const double axis[3], const __m128d p[3]) {
    __m128d sum = _mm_add_pd(_mm_mul_pd(_mm_set1_pd(axis[0]), p[0]), _mm_mul_pd(_mm_set1_pd(axis[1]), p[1]));
    return _mm_add_pd(sum, _mm_mul_pd(_mm_set1_pd(axis[2]), p[2]));
}

/* False: some of them are not before the near plane. */
static bool place_corners(const SoftView *view, const SoftPose *pose, const SoftFour *fours, int count, double near, Placed out) {
    __m128d outside = _mm_setzero_pd();
    for (int i = 0; i < count; i++) {
        __m128d y[2];
        for (int half = 0; half < 2; half++) {
            __m128d p[3];
            for (int axis = 0; axis < 3; axis++) {
                __m128 four = _mm_loadu_ps(fours[i].at[axis]);
                p[axis] = _mm_sub_pd(_mm_cvtps_pd(half ? _mm_movehl_ps(four, four) : four), _mm_set1_pd(pose->eye[axis]));
            }
            __m128d z = along(pose->forward, p);
            outside = _mm_or_pd(outside, _mm_cmpnge_pd(z, _mm_set1_pd(near)));
            y[half] = _mm_add_pd(_mm_set1_pd(view->middle_y), _mm_div_pd(along(pose->down, p), z));
            _mm_storeu_pd(out.x + i * 4 + half * 2, _mm_add_pd(_mm_set1_pd(view->middle_x), _mm_div_pd(along(pose->across, p), z)));
            _mm_storeu_pd(out.y + i * 4 + half * 2, y[half]);
        }
        _mm_storeu_si128((__m128i *)(void *)(out.row + i * 4), pixels_after(y[0], y[1], view->height));
    }
    return !_mm_movemask_pd(outside);
}

/* All of the border is before the near plane. */
static void place_sides(Soft *soft, SoftShape *shape, const SoftSurface *surface, Placed at) {
    const int *sides = &soft->level->sides[surface->first_edge * 2];
    SoftEdge *first = &soft->order.edges.at[shape->first_edge], *edge = first;
    double low = at.x[0], high = at.x[0];
    int top = at.row[0], bottom = at.row[0];
    for (int i = 0; i < surface->edge_count; i++) {    /* a border goes through each of its corners: those that edges begin at are all */
        int a = sides[i * 2], b = sides[i * 2 + 1];
        low = MIN(low, at.x[a]);
        high = MAX(high, at.x[a]);
        top = MIN(top, at.row[a]);
        bottom = MAX(bottom, at.row[a]);
        if (at.row[a] == at.row[b])
            continue;
        bool down = at.y[a] < at.y[b];
        int from = down ? a : b, to = down ? b : a;
        *edge++ = (SoftEdge){ at.x[from], at.y[from], (at.x[to] - at.x[from]) / (at.y[to] - at.y[from]), at.row[from], at.row[to], down ? 1 : -1 };
    }
    shape->edge_count = (int)(edge - first);
    shape->x0 = soft_pixel_after(low, soft->view.width);
    shape->x1 = soft_pixel_after(high, soft->view.width);
    shape->y0 = top;
    shape->y1 = bottom;
}

static void place_border(Soft *soft, SoftShape *shape, const SoftPose *pose) {
    enum { FEW = 64 };
    const SoftSurface *surface = &soft->level->surfaces[shape->surface];
    double near = soft_near_of(&soft->view, &soft->scratch.paints.at[shape->paint]), few[2][FEW];
    int rows[FEW];
    size_t count = (size_t)surface->four_count * 4;
    if (!count)
        return;
    bool many = count > FEW;
    Placed at = { few[0], few[1], rows };
    if (many)
        at = (Placed){ mem_realloc_array(NULL, count, sizeof *at.x), mem_realloc_array(NULL, count, sizeof *at.y), mem_realloc_array(NULL, count, sizeof *at.row) };
    if (place_corners(&soft->view, pose, &soft->level->fours[surface->first_four], surface->four_count, near, at))
        place_sides(soft, shape, surface, at);
    else
        place_near(soft, shape, pose, near);
    if (many) {
        mem_free(at.x);
        mem_free(at.y);
        mem_free(at.row);
    }
}

/* Its paints, all but their functions. Any thread, but for skies. */
static void style_shape(Soft *soft, const SoftShape *shape) {
    const SoftSurface *surface = &soft->level->surfaces[shape->surface];
    SoftPaint *paint = &soft->scratch.paints.at[shape->paint];
    for (int k = 0; k <= shape->layers && shape->first_layer >= 0; k++)
        soft_layer_paint(soft, surface, shape->first_layer + k, paint + k);
    if (shape->first_layer >= 0)
        return;
    const SoftPlane *plane = &soft->level->planes[surface->plane];
    double facing = surface->along ? 1 : -1;
    *paint = (SoftPaint){ 0 };
    soft_surface_style(soft, surface, (double[3]){ plane->normal[0] * facing, plane->normal[1] * facing, plane->normal[2] * facing }, paint);
}

static void place_layers(Soft *soft, const SoftShape *shape, const SoftPose *pose) {
    const SoftSurface *surface = &soft->level->surfaces[shape->surface];
    SoftPaint *paint = &soft->scratch.paints.at[shape->paint];
    for (int i = 0; i <= shape->layers; i++) {
        SoftLinear lanes[LANES];
        soft_layer_lanes(soft, surface, shape->first_layer + i, shape->pose, lanes);
        paint[i].iz_x = paint->iz_x;
        paint[i].iz_y = paint->iz_y;
        paint[i].iz_c = paint->iz_c;
        soft_paint_lanes(pose, lanes, surface->repeat, &paint[i]);
    }
}

static void place_shape(Soft *soft, SoftShape *shape) {
    const SoftSurface *surface = &soft->level->surfaces[shape->surface];
    const SoftPose *pose = pose_of(soft, shape);
    SoftPaint *paint = &soft->scratch.paints.at[shape->paint];
    if (surface->kind != SOFT_SKY || shape->first_layer >= 0)
        style_shape(soft, shape);
    *shape = (SoftShape){
        .surface = shape->surface, .pose = shape->pose, .paint = shape->paint, .layers = shape->layers,
        .first_layer = shape->first_layer, .first_edge = shape->first_edge, .edge_room = shape->edge_room, .convex = surface->convex,
        .x0 = soft->view.width, .y0 = soft->view.height,
    };
    if (!soft_paint_plane(pose, &soft->level->planes[surface->plane], paint))
        return;
    place_border(soft, shape, pose);
    if (paint->at_depth != 0)
        paint->iz_x = paint->iz_y = paint->iz_c = 0;
    if (shape->y0 >= shape->y1 || shape->x0 >= shape->x1)
        shape->y0 = shape->y1 = shape->edge_count = 0;    /* beside the picture */
    else if (shape->first_layer >= 0)
        place_layers(soft, shape, pose);
    else
        soft_paint_lanes(pose, surface->lanes, surface->repeat, paint);
    shape->covers = !shape->layers && soft_covers(&soft->mode, paint);
}

int soft_shape_chunks(const Soft *soft) { return ((int)soft->order.shapes.count + CHUNK - 1) / CHUNK; }

void soft_shapes_place(Soft *soft, int chunk) {
    int end = MIN((chunk + 1) * CHUNK, (int)soft->order.shapes.count);
    for (int i = chunk * CHUNK; i < end; i++)
        place_shape(soft, &soft->order.shapes.at[i]);
}


static SoftHalf half_of(const SoftPose *world, const SoftPaint *paint, const SoftCut *cut) {
    SoftHalf half = { .back = cut->back };
    double height = -cut->plane.dist;
    for (int i = 0; i < 3; i++) {
        height += cut->plane.normal[i] * world->eye[i];
        half.x += cut->plane.normal[i] * world->column[i];
        half.y += cut->plane.normal[i] * world->row[i];
        half.c += cut->plane.normal[i] * world->first[i];
    }
    half.x += height * paint->iz_x;
    half.y += height * paint->iz_y;
    half.c += height * paint->iz_c;
    return half;
}

/* The box of what the cuts leave; corners were rounded where planes cut, hence a pixel more on each side. */
static void narrow_part(const Soft *soft, SoftPart *part, const SoftCorner *corners, int count) {
    double x0 = INFINITY, y0 = INFINITY, x1 = -INFINITY, y1 = -INFINITY;
    for (int i = 0; i < count; i++) {
        double p[3];
        const double *at = corners[i].at;
        double from[3] = { at[0] - soft->world.eye[0], at[1] - soft->world.eye[1], at[2] - soft->world.eye[2] };
        for (int k = 0; k < 3; k++) {
            const double *axis = k == 0 ? soft->world.across : k == 1 ? soft->world.down : soft->world.forward;
            p[k] = axis[0] * from[0] + axis[1] * from[1] + axis[2] * from[2];
        }
        if (p[2] < soft->view.near)
            return;
        SoftPoint q = on_screen(&soft->view, p);
        x0 = MIN(x0, q.x);
        x1 = MAX(x1, q.x);
        y0 = MIN(y0, q.y);
        y1 = MAX(y1, q.y);
    }
    part->x0 = MAX(part->x0, soft_pixel_after(x0 - 1, soft->view.width));
    part->x1 = MIN(part->x1, soft_pixel_after(x1 + 1, soft->view.width));
    part->y0 = MAX(part->y0, soft_pixel_after(y0 - 1, soft->view.height));
    part->y1 = MIN(part->y1, soft_pixel_after(y1 + 1, soft->view.height));
}

/* How many more cuts a part has through a portal: one, though the sky none. */
static int clips(const Soft *soft, const SoftShape *shape) { return soft->portal && soft->level->surfaces[shape->surface].kind != SOFT_SKY; }

static void place_part(Soft *soft, SoftPart *part) {
    const SoftShape *shape = &soft->order.shapes.at[part->shape];
    part->x0 = shape->x0;
    part->x1 = shape->x1;
    part->y0 = shape->y0;
    part->y1 = shape->y1;
    if (!part->half_count || shape->y0 >= shape->y1)
        return;
    const SoftPaint *paint = &soft->scratch.paints.at[shape->paint];
    int cuts = part->half_count - clips(soft, shape);
    if (cuts < part->half_count) {
        const Plane *clip = &soft->portal->clip;
        SoftCut cut = { { { clip->normal.x, clip->normal.y, clip->normal.z }, clip->dist }, false };
        soft->order.halves.at[part->first_half + cuts] = half_of(&soft->world, paint, &cut);
    }
    if (!cuts)
        return;
    const SoftTree *tree = part->moved ? &soft->order.moved : &soft->level->tree;
    const SoftFragment *fragment = &tree->fragments.at[part->fragment];
    narrow_part(soft, part, &tree->corners.at[fragment->first_corner], fragment->corner_count);
    for (int i = 0; i < cuts; i++)
        soft->order.halves.at[part->first_half + i] = half_of(&soft->world, paint, &tree->cuts.at[fragment->first_cut + i]);
}

static void place_parts(void *user, int chunk) {
    Soft *soft = user;
    int end = MIN((chunk + 1) * CHUNK, (int)soft->order.parts.count);
    for (int i = chunk * CHUNK; i < end; i++)
        place_part(soft, &soft->order.parts.at[i]);
}

void soft_shapes_prepare(Soft *soft) {
    SoftOrder *order = &soft->order;
    size_t edges = 0;
    for (size_t i = 0; i < order->shapes.count; i++) {
        SoftShape *shape = &order->shapes.at[i];
        const SoftSurface *surface = &soft->level->surfaces[shape->surface];
        shape->paint = (int)soft->scratch.paints.count;
        shape->first_edge = (int)edges;
        shape->edge_room = surface->edge_count * 2 + 2;    /* the near plane may make as many again */
        edges += (size_t)shape->edge_room;
        int layers = soft_layers_of(soft, surface, &shape->first_layer);
        shape->layers = MAX(layers - 1, 0);
        shape->first_layer = layers ? shape->first_layer : -1;
        array_push_n(&soft->scratch.paints, (size_t)shape->layers + 1)->surface = -1;    /* filled in by whoever places it */
        if (layers)
            continue;
        if (surface->kind == SOFT_SKY)    /* it notes which skies are seen */
            style_shape(soft, shape);
        else if (soft->frame->level->textures)
            soft_texture_at(soft, soft->frame->level->textures[surface->texture]);    /* made now, as threads only look at it */
    }
    array_reserve(&order->edges, edges);
}

void soft_parts_prepare(Soft *soft) {
    SoftOrder *order = &soft->order;
    size_t halves = 0;
    for (size_t i = 0; i < order->parts.count; i++) {
        order->parts.at[i].first_half = (int)halves;
        order->parts.at[i].half_count += clips(soft, &order->shapes.at[order->parts.at[i].shape]);
        halves += (size_t)order->parts.at[i].half_count;
    }
    array_reserve(&order->halves, halves);
}

void soft_parts_place(Soft *soft) { jobs_each(soft->jobs, ((int)soft->order.parts.count + CHUNK - 1) / CHUNK, place_parts, soft); }
