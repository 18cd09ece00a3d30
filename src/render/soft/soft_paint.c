/* render/soft/soft_paint.c -- from the eye's place to linear functions over the picture.
 *
 * With p = z * ray, and ray linear in the pixel's place, a plane n * p = h gives 1/z = (n * ray) / h, and a value
 * a * p + at_eye gives (a * ray) / (1/z) + at_eye: no corner is projected, so surfaces that reach behind the eye need no
 * care here, and two surfaces of one plane have the same depths to the last bit. */
#include <math.h>

#include "base/trig.h"
#include "render/soft/soft_internal.h"

static double dot3(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static double dot_vec(Vec3 a, const double b[3]) { return a.x * b[0] + a.y * b[1] + a.z * b[2]; }

void soft_view_make(const View *view, SoftView *out) {
    *out = (SoftView){
        .width = view->width, .height = view->height, .near = view->near, .nearer = 1,
        .middle_x = view->width * 0.5, .middle_y = view->height * 0.5,
        .scale_x = view->width * 0.5 / trig_tan(trig_radians(view->fov_x) / 2),
        .scale_y = view->height * 0.5 / trig_tan(trig_radians(view->fov_y) / 2),
    };
}

void soft_pose_make(const View *view, const SoftView *soft, const FrameModel *model, SoftPose *out) {
    Vec3 eye = view->origin, right = view->axes.right, up = view->axes.up, forward = view->axes.forward;
    double from[3] = { eye.x, eye.y, eye.z };
    double axes[3][3] = { { right.x, right.y, right.z }, { -up.x, -up.y, -up.z }, { forward.x, forward.y, forward.z } };
    if (model) {    /* into its own space: forward, left, up are its axes */
        Axes a = model->axes;
        double moved[3] = { from[0] - model->origin.x, from[1] - model->origin.y, from[2] - model->origin.z };
        double turned[4][3];
        for (int i = 0; i < 4; i++) {
            const double *v = i < 3 ? axes[i] : moved;
            turned[i][0] = dot_vec(a.forward, v);
            turned[i][1] = -dot_vec(a.right, v);
            turned[i][2] = dot_vec(a.up, v);
        }
        memcpy(axes, turned, sizeof axes);
        memcpy(from, turned[3], sizeof from);
    }
    memcpy(out->eye, from, sizeof from);
    for (int i = 0; i < 3; i++) {
        out->across[i] = axes[0][i] * soft->scale_x;
        out->down[i] = axes[1][i] * soft->scale_y;
        out->forward[i] = axes[2][i];
        out->column[i] = axes[0][i] / soft->scale_x;
        out->row[i] = axes[1][i] / soft->scale_y;
        out->first[i] = axes[2][i] + out->column[i] * (0.5 - soft->middle_x) + out->row[i] * (0.5 - soft->middle_y);
    }
}

void soft_pose_point(const SoftPose *pose, Vec3 point, double out[3]) {
    double p[3] = { point.x - pose->eye[0], point.y - pose->eye[1], point.z - pose->eye[2] };
    out[0] = dot3(pose->across, p);
    out[1] = dot3(pose->down, p);
    out[2] = dot3(pose->forward, p);
}


/* 1/65536 of a texel in lanes of texture and light; of one step of colour in lanes of vertices. */
static double lane_scale(const SoftTexture *texture, int lane) {
    return lane == LANE_U ? 65536.0 * (1 << texture->width_log) : lane == LANE_V ? 65536.0 * (1 << texture->height_log) : 65536.0;
}

bool soft_paint_plane(const SoftPose *pose, const SoftPlane *plane, SoftPaint *out) {
    double height = plane->dist - dot3(plane->normal, pose->eye);
    if (!(fabs(height) > 1e-4))
        return false;    /* seen edge on */
    out->iz_x = dot3(plane->normal, pose->column) / height;
    out->iz_y = dot3(plane->normal, pose->row) / height;
    out->iz_c = dot3(plane->normal, pose->first) / height;
    return true;
}

void soft_paint_lanes(const SoftPose *pose, const SoftLinear lanes[LANES], const double repeat[2], SoftPaint *out) {
    if (out->style == STYLE_SKY)    /* its lanes are rays, wherever it stands */
        return;
    int count = out->style == STYLE_LIGHTMAP ? LANE_LIGHT_V + 1 : LANES;
    for (int i = 0; i < count; i++) {
        const SoftLinear *lane = &lanes[i];
        double slope[3] = { lane->x, lane->y, lane->z }, scale = lane_scale(out->texture, i);
        double at_eye = dot3(slope, pose->eye) + lane->c, whole = i <= LANE_V ? floor(at_eye) : 0;
        bool repeats = i <= LANE_V && !out->clamped && out->style != STYLE_FOG;
        out->x[i] = dot3(slope, pose->column) * scale;
        out->y[i] = dot3(slope, pose->row) * scale;
        out->c[i] = dot3(slope, pose->first) * scale;
        if (repeats)
            out->lit[i] = (whole - repeat[i]) * scale;
        out->eye[i] = (repeats ? at_eye - whole : at_eye) * scale;    /* textures repeat: keep the numbers small */
    }
}

bool soft_paint_surface(const SoftPose *pose, const SoftSurface *surface, const SoftPlane *plane, const SoftTexture *texture, SoftPaint *out) {
    out->texture = texture;
    if (!soft_paint_plane(pose, plane, out))
        return false;
    soft_paint_lanes(pose, surface->lanes, surface->repeat, out);
    return true;
}

static void cross3(const double a[3], const double b[3], double out[3]) {
    for (int i = 0; i < 3; i++)
        out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

bool soft_linear_fit(const double places[3][3], const double values[3][LANES], SoftLinear out[LANES]) {
    double e[2][3], n[3], across[2][3];    /* across: gradients of the weights of places 1 and 2 */
    for (int i = 0; i < 3; i++) {
        e[0][i] = places[1][i] - places[0][i];
        e[1][i] = places[2][i] - places[0][i];
    }
    cross3(e[0], e[1], n);
    double square = dot3(n, n);
    if (!(square > 1e-12))
        return false;
    cross3(e[1], n, across[0]);
    cross3(n, e[0], across[1]);
    for (int i = 0; i < LANES; i++) {
        double b = (values[1][i] - values[0][i]) / square, c = (values[2][i] - values[0][i]) / square, g[3];
        for (int k = 0; k < 3; k++)
            g[k] = b * across[0][k] + c * across[1][k];
        out[i] = (SoftLinear){ g[0], g[1], g[2], values[0][i] - dot3(g, places[0]) };
    }
    return true;
}

/* `corners` as soft_pose_point gives them. With no constant, a value is one vector times the corner: three corners give it. */
bool soft_paint_triangle(const SoftView *view, const double corners[3][3], const double lanes[3][LANES],
                         const SoftTexture *texture, SoftPaint *out) {
    double weight[3][3];
    for (int i = 0; i < 3; i++)
        cross3(corners[(i + 1) % 3], corners[(i + 2) % 3], weight[i]);
    double volume = dot3(corners[0], weight[0]);
    if (!(fabs(volume) > 1e-9))
        return false;
    double base[2] = { 0 };
    for (int i = 0; i < 2 && !out->clamped && out->style != STYLE_FOG; i++)
        base[i] = floor(MIN(lanes[0][i], MIN(lanes[1][i], lanes[2][i])));
    for (int i = -1; i < LANES; i++) {    /* -1: 1/z, which is 1 at every corner times that corner's z */
        double value[3] = { 0 };
        double scale = i < 0 ? 1 : lane_scale(texture, i);
        for (int k = 0; k < 3; k++) {
            double at = i < 0 ? 1 : i <= LANE_V ? lanes[k][i] - base[i] : lanes[k][i];
            for (int j = 0; j < 3; j++)
                value[j] += at * weight[k][j];
        }
        double x = value[0] / volume * scale, y = value[1] / volume * scale;
        double c = value[2] / volume * scale + x * (0.5 - view->middle_x) + y * (0.5 - view->middle_y);
        *(i < 0 ? &out->iz_x : &out->x[i]) = x;
        *(i < 0 ? &out->iz_y : &out->y[i]) = y;
        *(i < 0 ? &out->iz_c : &out->c[i]) = c;
        if (i >= 0)
            out->eye[i] = 0;
    }
    return true;
}
