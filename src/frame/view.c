/* frame/view.c -- from the level to the picture and back. */
#include <math.h>

#include "base/trig.h"
#include "frame/frame.h"

enum { LARGEST_FOV = 179 };

static float finite_or(float value, float other) { return isfinite(value) ? value : other; }

static Vec3 finite_vector(Vec3 v) {
    return vec3_at(finite_or(v.x, 0), finite_or(v.y, 0), finite_or(v.z, 0));
}

View view_make(Vec3 origin, Vec3 angles, float fov_x, int width, int height) {
    View view = {
        .origin = finite_vector(origin), .angles = finite_vector(angles),
        .width = CLAMP(width, 1, IMAGE_LARGEST), .height = CLAMP(height, 1, IMAGE_LARGEST),
        .near = 4, .leaf = -1, .cluster = -1,
    };
    view.axes = axes_from_angles(view.angles);
    view.fov_x = finite_or(fov_x, 90);
    view.fov_x = CLAMP(view.fov_x, 1, LARGEST_FOV);
    view.fov_y = fov_y_from_x(view.fov_x, view.width, view.height);
    return view;
}

Vec3 frame_model_point(const FrameModel *model, Vec3 p) {
    Vec3 at = vec3_add_scaled(model->origin, model->axes.forward, p.x);
    at = vec3_add_scaled(at, model->axes.right, -p.y);
    return vec3_add_scaled(at, model->axes.up, p.z);
}

Vec3 frame_model_direction(const FrameModel *model, Vec3 d) {
    const Axes *a = &model->axes;
    return vec3_at(vec3_dot(d, a->forward), -vec3_dot(d, a->right), vec3_dot(d, a->up));
}

Vec3 frame_model_local(const FrameModel *model, Vec3 point) { return frame_model_direction(model, vec3_sub(point, model->origin)); }

typedef struct { double x, y; } Slopes;    /* half the picture's width and height at distance 1 */

static Slopes view_slopes(const View *view) {
    return (Slopes){ trig_tan(trig_radians(view->fov_x) / 2), trig_tan(trig_radians(view->fov_y) / 2) };
}

static double dot(Vec3 a, double x, double y, double z) { return a.x * x + a.y * y + a.z * z; }

bool view_project(const View *view, Vec3 point, float *x, float *y, float *depth) {
    double dx = (double)point.x - view->origin.x, dy = (double)point.y - view->origin.y, dz = (double)point.z - view->origin.z;
    double forward = dot(view->axes.forward, dx, dy, dz);
    *depth = (float)forward;
    if (!(forward > 1e-6))
        return false;
    Slopes slopes = view_slopes(view);
    *x = (float)(view->width * 0.5 * (1 + dot(view->axes.right, dx, dy, dz) / (forward * slopes.x)));
    *y = (float)(view->height * 0.5 * (1 - dot(view->axes.up, dx, dy, dz) / (forward * slopes.y)));
    return true;
}

Vec3 view_ray(const View *view, float x, float y) {
    Slopes slopes = view_slopes(view);
    double right = (2.0 * x / view->width - 1) * slopes.x, up = (1 - 2.0 * y / view->height) * slopes.y;
    Vec3 ray = vec3_add_scaled(view->axes.forward, view->axes.right, (float)right);
    return vec3_normalized(vec3_add_scaled(ray, view->axes.up, (float)up));
}

/* Rows of the matrix are right, up, -forward, each with the eye taken away; depths between near and far become -1 .. 1. */
void view_matrix(const View *view, float far, float out[16]) {
    Slopes slopes = view_slopes(view);
    double near = view->near, beyond = far > near ? far : near * 2;
    double deep = (beyond + near) / (near - beyond), shift = 2 * beyond * near / (near - beyond);
    Vec3 o = view->origin;
    const Vec3 axes[3] = { view->axes.right, view->axes.up, view->axes.forward };
    double away[3];
    for (int i = 0; i < 3; i++)
        away[i] = dot(axes[i], o.x, o.y, o.z);
    for (int column = 0; column < 3; column++) {
        out[column * 4 + 0] = (float)(axes[0].raw[column] / slopes.x);
        out[column * 4 + 1] = (float)(axes[1].raw[column] / slopes.y);
        out[column * 4 + 2] = (float)(-axes[2].raw[column] * deep);
        out[column * 4 + 3] = axes[2].raw[column];
    }
    out[12] = (float)(-away[0] / slopes.x);
    out[13] = (float)(-away[1] / slopes.y);
    out[14] = (float)(away[2] * deep + shift);
    out[15] = (float)-away[2];
}
