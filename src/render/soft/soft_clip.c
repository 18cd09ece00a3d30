/* render/soft/soft_clip.c -- polygons to the screen, and polygons to rows.
 *
 * Only the near plane cuts: places on the screen are doubles, wide enough for any corner before it. An edge that two
 * polygons share is worked out from the same two corners in the same order, so each pixel belongs to one of them: a
 * pixel is inside when its centre is, and a centre on an edge belongs to the polygon at its right, or below. */
#include <math.h>

#include "render/soft/soft_internal.h"

/* Always from inside out: shared edges are cut alike. */
void soft_near_corner(const double in[3], const double out[3], double near, double at[3]) {
    double part = (in[2] - near) / (in[2] - out[2]);
    for (int i = 0; i < 2; i++)
        at[i] = in[i] + (out[i] - in[i]) * part;
    at[2] = near;
}

static void add_point(const SoftView *view, const double p[3], SoftScratch *scratch, SoftItem *item) {
    SoftPoint *point = array_push(&scratch->points);
    *point = (SoftPoint){ view->middle_x + p[0] / p[2], view->middle_y + p[1] / p[2] };
    item->point_count++;
}

/* The pixels that the polygon may touch; false: none. */
static bool measure(const SoftView *view, const SoftScratch *scratch, SoftItem *item) {
    double x0 = INFINITY, y0 = INFINITY, x1 = -INFINITY, y1 = -INFINITY;
    for (int i = 0; i < item->point_count; i++) {
        SoftPoint p = scratch->points.at[item->first_point + i];
        if (!isfinite(p.x) || !isfinite(p.y))
            return false;
        x0 = MIN(x0, p.x);
        x1 = MAX(x1, p.x);
        y0 = MIN(y0, p.y);
        y1 = MAX(y1, p.y);
    }
    item->x0 = soft_pixel_after(x0, view->width);
    item->x1 = soft_pixel_after(x1, view->width);
    item->y0 = soft_pixel_after(y0, view->height);
    item->y1 = soft_pixel_after(y1, view->height);
    return item->x0 < item->x1 && item->y0 < item->y1;
}

static double clip_distance(const SoftView *view, const double p[3]) { return view->clip[0] * p[0] + view->clip[1] * p[1] + view->clip[2] * p[2] + view->clip[3]; }

/* What of a polygon the portal lets through; up to one corner more than it has. */
static int clip_portal(const SoftView *view, const double (*corners)[3], int count, double (*out)[3]) {
    int made = 0;
    for (int i = 0; i < count; i++) {
        const double *a = corners[i], *b = corners[i + 1 < count ? i + 1 : 0];
        double at_a = clip_distance(view, a), at_b = clip_distance(view, b);
        if (at_a >= 0)
            memcpy(out[made++], a, sizeof out[0]);
        if ((at_a >= 0) == (at_b >= 0))
            continue;
        bool in = at_a >= 0;
        double part = in ? at_a / (at_a - at_b) : at_b / (at_b - at_a);
        const double *from = in ? a : b, *to = in ? b : a;
        for (int k = 0; k < 3; k++)
            out[made][k] = from[k] + (to[k] - from[k]) * part;
        made++;
    }
    return made;
}

bool soft_clip_polygon(const SoftView *view, const double (*corners)[3], int count, SoftScratch *scratch, SoftItem *item) {
    enum { MOST = 8 };    /* corners that callers have */
    double through[MOST * 2][3];
    if (view->clipped && count <= MOST) {
        count = clip_portal(view, corners, count, through);
        corners = (const double (*)[3])through;
    }
    item->first_point = (int)scratch->points.count;
    item->point_count = 0;
    for (int i = 0; i < count; i++) {
        const double *a = corners[i], *b = corners[i + 1 < count ? i + 1 : 0];
        bool in = a[2] >= view->near, next_in = b[2] >= view->near;
        if (in)
            add_point(view, a, scratch, item);
        if (in != next_in) {
            double cut[3];
            soft_near_corner(in ? a : b, in ? b : a, view->near, cut);
            add_point(view, cut, scratch, item);
        }
    }
    return item->point_count >= 3 && measure(view, scratch, item);
}

bool soft_place_polygon(const SoftView *view, const SoftPoint *points, int count, SoftScratch *scratch, SoftItem *item) {
    item->first_point = (int)scratch->points.count;
    item->point_count = count;
    memcpy(array_push_n(&scratch->points, (size_t)count), points, (size_t)count * sizeof *points);
    return measure(view, scratch, item);
}

void soft_polygon_rows(const SoftPoint *points, int count, int width, int y0, int y1, int *left, int *right) {
    for (int y = y0; y < y1; y++) {
        left[y - y0] = width;
        right[y - y0] = 0;
    }
    for (int i = 0; i < count; i++) {
        SoftPoint a = points[i], b = points[i + 1 < count ? i + 1 : 0];
        SoftPoint top = a.y < b.y ? a : b, bottom = a.y < b.y ? b : a;
        if (top.y == bottom.y)
            continue;
        double slope = (bottom.x - top.x) / (bottom.y - top.y);
        int from = MAX(soft_pixel_after(top.y, y1), y0), to = soft_pixel_after(bottom.y, y1);
        for (int y = from; y < to; y++) {
            int x = soft_pixel_after(top.x + (y + 0.5 - top.y) * slope, width);
            left[y - y0] = MIN(left[y - y0], x);
            right[y - y0] = MAX(right[y - y0], x);
        }
    }
}
