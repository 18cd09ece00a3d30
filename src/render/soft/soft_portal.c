/* render/soft/soft_portal.c -- mirrors and portals: what is seen through them is drawn before the picture itself.
 *
 * Each portal's view is a picture of its own, of which only the pixels about the portal's faces are made and kept. In the
 * picture the faces show those pixels, in front of what lies behind them; their stages are laid over in their turn. */
#include "render/soft/soft_internal.h"

/* Adds the triangles of a portal's faces as items of one paint, or only measures them (`paint` < 0). */
static void walk_faces(Soft *soft, const FramePortal *portal, int paint, int box[4]) {
    SoftScratch *scratch = &soft->scratch;
    const BspVertex *vertices = soft->use->geometry->vertices;
    for (int i = 0; i < portal->face_count; i++) {
        int face = portal->faces[i];
        for (int k = soft->level->face_first[face]; k < soft->level->face_first[face + 1]; k++) {
            const SoftSurface *surface = &soft->level->surfaces[k];
            for (int index = 0; index < surface->index_count; index += 3) {
                double corners[3][3];
                SoftPaint own = { .style = STYLE_BEYOND, .texture = &soft->white, .surface = k, .beyond = paint < 0 ? NULL : &soft->beyond[paint] };
                SoftItem item = { .paint = (int)scratch->paints.count, .test = TEST_NOT_FARTHER };
                if (!soft_triangle_corners(soft, &soft->world, vertices, soft->level->indexes + surface->first_index + index, corners)
                    || !soft_clip_polygon(&soft->view, (const double (*)[3])corners, 3, scratch, &item))
                    continue;
                box[0] = MIN(box[0], item.x0);
                box[1] = MIN(box[1], item.y0);
                box[2] = MAX(box[2], item.x1);
                box[3] = MAX(box[3], item.y1);
                if (paint < 0 || surface->plane < 0 || !soft_paint_plane(&soft->world, &soft->level->planes[surface->plane], &own))
                    continue;
                *array_push(&scratch->paints) = own;
                *array_push(&scratch->items) = item;
            }
        }
    }
}

bool soft_portal_begin(Soft *soft, const Frame *frame, int number) {
    soft_view_make(&frame->view, &soft->view);
    soft_pose_make(&frame->view, &soft->view, NULL, &soft->world);
    array_clear(&soft->scratch.points);
    int box[4] = { soft->view.width, soft->view.height, 0, 0 };
    walk_faces(soft, &frame->portals[number], -1, box);
    SoftBeyond *beyond = &soft->beyond[number];
    *beyond = (SoftBeyond){ beyond->color, beyond->room, box[0], box[1], box[2], box[3] };
    memcpy(soft->window, box, sizeof box);
    return box[0] < box[2] && box[1] < box[3];
}

/* From the level to points as soft_pose_point gives them: axes of length 1 times the pixels at distance 1. */
void soft_portal_clip(Soft *soft, const Plane *plane) {
    const View *view = &soft->frame->view;
    Vec3 n = plane->normal;
    soft->view.clipped = true;
    soft->view.clip[0] = vec3_dot(n, view->axes.right) / soft->view.scale_x;
    soft->view.clip[1] = -vec3_dot(n, view->axes.up) / soft->view.scale_y;
    soft->view.clip[2] = vec3_dot(n, view->axes.forward);
    soft->view.clip[3] = plane_distance(*plane, view->origin);
}

void soft_portal_end(Soft *soft, int number) {
    SoftBeyond *beyond = &soft->beyond[number];
    size_t width = (size_t)(beyond->x1 - beyond->x0), rows = (size_t)(beyond->y1 - beyond->y0);
    array_grow((void **)&beyond->color, &beyond->room, width * rows, sizeof *beyond->color);
    for (size_t y = 0; y < rows; y++)
        memcpy(beyond->color + y * width, soft->target.color + ((size_t)beyond->y0 + y) * (size_t)soft->target.pitch + (size_t)beyond->x0, width * sizeof *beyond->color);
}

/* The farthest first: a nearer one lies before it. Where stages are not drawn nothing was, and what is kept is of another frame. */
void soft_portal_faces(Soft *soft) {
    const Frame *frame = soft->frame;
    for (int i = frame->portal_count - 1; i >= 0 && soft->stages && !soft->portal; i--) {
        int box[4] = { 0 };
        if (soft->beyond[i].x0 < soft->beyond[i].x1)
            walk_faces(soft, &frame->portals[i], i, box);
    }
}

void soft_portals_free(Soft *soft) {
    for (int i = 0; i < PORTALS_MOST; i++)
        mem_free(soft->beyond[i].color);
}
