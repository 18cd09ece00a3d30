/* render/soft/soft_overlay.c -- what scripts draw into the level: tinted faces, boxes, triangles, sprites, particles, lines.
 *
 * Those with depth come first, then the depths are forgotten and those drawn over everything follow, which still hide one
 * another. An overlay is as deep as a point a little nearer to the eye, so that what lies on a wall is seen. */
#include <math.h>

#include "render/soft/soft_internal.h"

static const double overlay_nearer = 1 / 0.998;

static const uint8_t box_edges[24] = { 0, 1, 1, 3, 3, 2, 2, 0, 4, 5, 5, 7, 7, 6, 6, 4, 0, 4, 1, 5, 2, 6, 3, 7 };
static const uint8_t box_sides[24] = { 0, 1, 3, 2, 4, 6, 7, 5, 0, 4, 5, 1, 2, 3, 7, 6, 0, 2, 6, 4, 1, 5, 7, 3 };

static SoftBlend blend_of(int flags) { return flags & DRAW_ADD ? BLEND_ADD : BLEND_ALPHA; }

static int way_of(int flags) { return flags & (DRAW_XRAY | DRAW_ADD); }

static void draw_nearer(SoftPaint *paint) {    /* all of it: lanes are divided by 1/z as it is drawn */
    paint->iz_x *= overlay_nearer;
    paint->iz_y *= overlay_nearer;
    paint->iz_c *= overlay_nearer;
    for (int i = 0; i < LANES; i++) {
        paint->x[i] *= overlay_nearer;
        paint->y[i] *= overlay_nearer;
        paint->c[i] *= overlay_nearer;
    }
}

static void add_step(Soft *soft, int kind, size_t index) {
    *array_push(&soft->scratch.steps) = (SoftStep){ kind, (int)index };
}

/* A convex polygon of up to 4 corners; its paint is the last of the list. */
static void add_polygon(Soft *soft, const double (*corners)[3], int count) {
    SoftScratch *scratch = &soft->scratch;
    SoftItem item = { .paint = (int)scratch->paints.count - 1, .test = TEST_NOT_FARTHER };
    if (!soft_clip_polygon(&soft->view, corners, count, scratch, &item))
        return;
    add_step(soft, STEP_ITEM, scratch->overlays.count);
    *array_push(&scratch->overlays) = item;
}

static void add_triangle(Soft *soft, const double corners[3][3], const double lanes[3][LANES], SoftPaint paint) {
    if (!soft_paint_triangle(&soft->view, corners, lanes, paint.texture, &paint))
        return;
    draw_nearer(&paint);
    *array_push(&soft->scratch.paints) = paint;
    add_polygon(soft, corners, 3);
}

/* What is added goes by the factors of materials, which wide code knows: the same bits. */
static void set_blend(SoftPaint *paint, SoftBlend blend) {
    paint->blend = blend == BLEND_ADD ? BLEND_FACTORS : blend;
    paint->source = BLEND_SRC_ALPHA;
    paint->destination = BLEND_ONE;
}

static SoftPaint flat_paint(const Soft *soft, Rgba color, int flags, bool opaque) {
    SoftPaint paint = { .texture = &soft->white, .style = STYLE_FLAT, .flat = soft_packed(color), .surface = -1, .keeps_depth = !opaque };
    set_blend(&paint, opaque ? BLEND_NONE : blend_of(flags));
    return paint;
}


static void add_tint(Soft *soft, const FrameFace *tint) {
    static const double no_lanes[3][LANES];
    const SoftLevel *level = soft->level;
    for (int i = level->face_first[tint->face]; i < level->face_first[tint->face + 1]; i++) {
        const SoftSurface *surface = &level->surfaces[i];
        SoftPaint paint = flat_paint(soft, tint->color, tint->flags, false);
        if (surface->plane >= 0) {
            if (!soft_paint_surface(&soft->world, surface, &level->planes[surface->plane], paint.texture, &paint))
                continue;
            draw_nearer(&paint);
            *array_push(&soft->scratch.paints) = paint;
        }
        for (int k = 0; k < surface->index_count; k += 3) {
            double corners[3][3];
            for (int j = 0; j < 3; j++)
                soft_pose_point(&soft->world, level->level->geometry->vertices[level->indexes[surface->first_index + k + j]].position, corners[j]);
            if (surface->plane >= 0)
                add_polygon(soft, (const double (*)[3])corners, 3);
            else
                add_triangle(soft, (const double (*)[3])corners, no_lanes, paint);
        }
    }
}

static void box_corners(const Soft *soft, Box box, double out[8][3]) {
    for (int i = 0; i < 8; i++)
        soft_pose_point(&soft->world, vec3_at(i & 1 ? box.maxs.x : box.mins.x, i & 2 ? box.maxs.y : box.mins.y, i & 4 ? box.maxs.z : box.mins.z), out[i]);
}

static void add_filled_box(Soft *soft, const FrameBox *box, bool opaque) {
    static const double no_lanes[3][LANES];
    double corners[8][3];
    box_corners(soft, box->box, corners);
    for (int side = 0; side < 6; side++) {
        double quad[4][3];
        for (int k = 0; k < 4; k++)
            memcpy(quad[k], corners[box_sides[side * 4 + k]], sizeof quad[k]);
        SoftPaint paint = flat_paint(soft, box->color, box->flags, opaque);
        if (!soft_paint_triangle(&soft->view, (const double (*)[3])quad, no_lanes, paint.texture, &paint))
            continue;    /* seen edge on */
        draw_nearer(&paint);
        *array_push(&soft->scratch.paints) = paint;
        add_polygon(soft, (const double (*)[3])quad, 4);
    }
}


static void cut_end(const double in[3], double out[3], double near, Rgba in_color, Rgba *out_color) {
    double part = (in[2] - near) / (in[2] - out[2]);
    for (int i = 0; i < 3; i++)
        out[i] = in[i] + (out[i] - in[i]) * part;
    const uint8_t from[4] = { in_color.r, in_color.g, in_color.b, in_color.a }, to[4] = { out_color->r, out_color->g, out_color->b, out_color->a };
    uint8_t mixed[4];
    for (int i = 0; i < 4; i++)
        mixed[i] = (uint8_t)(from[i] + (to[i] - from[i]) * part + 0.5);
    *out_color = (Rgba){ mixed[0], mixed[1], mixed[2], mixed[3] };
}

/* A wide line is a quad on the screen, its colours and depths those of the line. */
static void add_wide_line(Soft *soft, const SoftLine *line, double width) {
    double dx = line->x[1] - line->x[0], dy = line->y[1] - line->y[0], length = sqrt(dx * dx + dy * dy);
    dx = length > 1e-3 ? dx / length : 1;
    dy = length > 1e-3 ? dy / length : 0;
    SoftScratch *scratch = &soft->scratch;
    SoftPaint paint = flat_paint(soft, (Rgba){ 0 }, 0, false);
    paint.style = STYLE_COLOR;
    set_blend(&paint, line->blend);
    length = MAX(length, 1e-3);
    for (int i = -1; i < 4; i++) {    /* values change along the line alone: from one end's to the other's */
        double from = i < 0 ? line->iz[0] : (line->color[0] >> 8 * i & 255) * 65536.0 * line->iz[0];
        double to = i < 0 ? line->iz[1] : (line->color[1] >> 8 * i & 255) * 65536.0 * line->iz[1];
        double slope = (to - from) / length, x = slope * dx, y = slope * dy;
        double c = from + x * (0.5 - line->x[0]) + y * (0.5 - line->y[0]);
        *(i < 0 ? &paint.iz_x : &paint.x[LANE_RED + i]) = x;
        *(i < 0 ? &paint.iz_y : &paint.y[LANE_RED + i]) = y;
        *(i < 0 ? &paint.iz_c : &paint.c[LANE_RED + i]) = c;
    }
    *array_push(&scratch->paints) = paint;
    double ax = -dy * width * 0.5, ay = dx * width * 0.5;
    double ends[2][2] = { { line->x[0] - dx * 0.5, line->y[0] - dy * 0.5 }, { line->x[1] + dx * 0.5, line->y[1] + dy * 0.5 } };
    const SoftPoint quad[4] = { { ends[0][0] + ax, ends[0][1] + ay }, { ends[1][0] + ax, ends[1][1] + ay },
                                { ends[1][0] - ax, ends[1][1] - ay }, { ends[0][0] - ax, ends[0][1] - ay } };
    SoftItem item = { .paint = (int)scratch->paints.count - 1, .test = line->test };
    if (!soft_place_polygon(&soft->view, quad, 4, scratch, &item))
        return;
    add_step(soft, STEP_ITEM, scratch->overlays.count);
    *array_push(&scratch->overlays) = item;
}

void soft_add_line(Soft *soft, const double from[3], const double to[3], Rgba from_color, Rgba to_color, double width, int flags, SoftTest test) {
    double ends[2][3], near = soft->view.near;
    Rgba colors[2] = { from_color, to_color };
    memcpy(ends[0], from, sizeof ends[0]);
    memcpy(ends[1], to, sizeof ends[1]);
    bool in[2] = { ends[0][2] >= near, ends[1][2] >= near };
    if (!in[0] && !in[1])
        return;
    for (int i = 0; i < 2; i++)
        if (!in[i])
            cut_end(ends[!i], ends[i], near, colors[!i], &colors[i]);
    SoftLine line = { .blend = blend_of(flags), .test = test };
    for (int i = 0; i < 2; i++) {
        line.x[i] = soft->view.middle_x + ends[i][0] / ends[i][2];
        line.y[i] = soft->view.middle_y + ends[i][1] / ends[i][2];
        line.iz[i] = overlay_nearer / ends[i][2];
        line.color[i] = soft_packed(colors[i]);
        if (!(fabs(line.x[i]) < 1e8 && fabs(line.y[i]) < 1e8))
            return;
    }
    if (width > 1) {
        add_wide_line(soft, &line, MIN(width, 256));
        return;
    }
    add_step(soft, STEP_LINE, soft->scratch.lines.count);
    *array_push(&soft->scratch.lines) = line;
}

static void add_level_line(Soft *soft, Vec3 from, Vec3 to, Rgba from_color, Rgba to_color, float width, int flags) {
    double a[3], b[3];
    soft_pose_point(&soft->world, from, a);
    soft_pose_point(&soft->world, to, b);
    soft_add_line(soft, a, b, from_color, to_color, width, flags, TEST_NOT_FARTHER);
}

static void add_box_edges(Soft *soft, const FrameBox *box) {
    double corners[8][3];
    box_corners(soft, box->box, corners);
    for (int k = 0; k < 24; k += 2)
        soft_add_line(soft, corners[box_edges[k]], corners[box_edges[k + 1]], box->color, box->color, box->width, box->flags, TEST_NOT_FARTHER);
}

static void add_outline(Soft *soft, const FrameFace *tint) {
    const SoftLevel *level = soft->level;
    const BspVertex *vertices = level->level->geometry->vertices;
    for (int i = level->face_first[tint->face]; i < level->face_first[tint->face + 1]; i++) {
        const SoftSurface *surface = &level->surfaces[i];
        for (int k = 0; k < surface->edge_count; k++) {
            const int *edge = &level->edges[(surface->first_edge + k) * 2];
            add_level_line(soft, vertices[edge[0]].position, vertices[edge[1]].position, tint->color, tint->color, tint->width, tint->flags);
        }
    }
}


static bool run_is_opaque(const Soft *soft, const FrameTriangles *run) {
    if (run->flags & DRAW_ADD)
        return false;
    const Assets *assets = soft->assets;
    if (assets && run->texture >= 0 && run->texture < assets_texture_count(assets) && run->texture != TEXTURE_WHITE
        && assets_texture_at(assets, run->texture)->image.has_alpha)
        return false;
    for (int i = run->first; i < run->first + run->count; i++)
        if (soft->frame->vertices.at[i].color.a != 255)
            return false;
    return true;
}

static void add_run(Soft *soft, const FrameTriangles *run) {
    SoftPaint paint = flat_paint(soft, (Rgba){ 0 }, run->flags, run_is_opaque(soft, run));
    paint.style = STYLE_COLOR;
    paint.texture = soft_texture_at(soft, run->texture);
    for (int i = run->first; i + 2 < run->first + run->count; i += 3) {
        double corners[3][3], lanes[3][LANES];
        for (int k = 0; k < 3; k++) {
            const FrameVertex *v = &soft->frame->vertices.at[i + k];
            soft_pose_point(&soft->world, v->position, corners[k]);
            const double values[LANES] = { v->u, v->v, v->color.r, v->color.g, v->color.b, v->color.a };
            memcpy(lanes[k], values, sizeof values);
        }
        add_triangle(soft, (const double (*)[3])corners, (const double (*)[LANES])lanes, paint);
    }
}


static void add_sprite(Soft *soft, const FrameSprite *sprite) {
    if (!sprite->oriented) {
        size_t index = soft->scratch.sprites.count;
        if (soft_sprite_add(soft, sprite, overlay_nearer))
            add_step(soft, STEP_SPRITE, index);
        return;
    }
    double corners[4][3], lanes[4][LANES];
    SoftPaint paint = flat_paint(soft, (Rgba){ 0 }, sprite->flags, false);
    paint.style = STYLE_COLOR;
    paint.texture = soft_texture_at(soft, sprite->texture);
    if (!soft_sprite_corners(soft, sprite, corners, lanes)
        || !soft_paint_triangle(&soft->view, (const double (*)[3])corners, (const double (*)[LANES])lanes, paint.texture, &paint))
        return;
    draw_nearer(&paint);
    *array_push(&soft->scratch.paints) = paint;
    add_polygon(soft, (const double (*)[3])corners, 4);
}

static void gather_way(Soft *soft, int way) {
    const Frame *frame = soft->frame;
    for (size_t i = 0; i < frame->tints.count && soft->level; i++)
        if (frame->tints.at[i].fill && way_of(frame->tints.at[i].flags) == way)
            add_tint(soft, &frame->tints.at[i]);
    for (int opaque = 1; opaque >= 0; opaque--)    /* opaque boxes keep depth, so that their near sides hide their far ones */
        for (size_t i = 0; i < frame->boxes.count; i++) {
            const FrameBox *box = &frame->boxes.at[i];
            if (box->fill && way_of(box->flags) == way && (box->color.a == 255 && !(box->flags & DRAW_ADD)) == opaque)
                add_filled_box(soft, box, opaque);
        }
    for (size_t i = 0; i < frame->triangles.count; i++)
        if (way_of(frame->triangles.at[i].flags) == way)
            add_run(soft, &frame->triangles.at[i]);
    for (size_t i = 0; i < frame->sprites.count; i++)
        if (way_of(frame->sprites.at[i].flags) == way)
            add_sprite(soft, &frame->sprites.at[i]);
    if (way == 0 && soft_particles_gather(soft, soft->particles))
        add_step(soft, STEP_PARTICLES, 0);
    for (size_t i = 0; i < frame->boxes.count; i++)
        if (!frame->boxes.at[i].fill && way_of(frame->boxes.at[i].flags) == way)
            add_box_edges(soft, &frame->boxes.at[i]);
    for (size_t i = 0; i < frame->tints.count && soft->level; i++)
        if (!frame->tints.at[i].fill && way_of(frame->tints.at[i].flags) == way)
            add_outline(soft, &frame->tints.at[i]);
    for (size_t i = 0; i < frame->lines.count; i++) {
        const FrameLine *line = &frame->lines.at[i];
        if (way_of(line->flags) == way)
            add_level_line(soft, line->from, line->to, line->from_color, line->to_color, line->width, line->flags);
    }
}

void soft_overlay_gather(Soft *soft) {
    gather_way(soft, 0);
    gather_way(soft, DRAW_ADD);
    const Frame *seen = soft->portal ? soft->portal->seen : NULL;
    if (!seen || seen->sprites.count)
        add_step(soft, STEP_CLEAR_DEPTH, 0);
    for (size_t i = 0; seen && i < seen->sprites.count; i++)
        add_sprite(soft, &seen->sprites.at[i]);
    if (seen)    /* all else that is over everything is over the picture, not in a mirror */
        return;
    size_t before = soft->scratch.steps.count;
    gather_way(soft, DRAW_XRAY);
    gather_way(soft, DRAW_XRAY | DRAW_ADD);
    if (soft->scratch.steps.count == before)
        soft->scratch.steps.count--;    /* nothing follows: the depths may stay */
}
