/* base/vector.c -- the few vector questions that are more than a line. */
#include "base/vector.h"

#include <math.h>

#include "base/trig.h"

float vec3_length(Vec3 a) { return sqrtf(vec3_dot(a, a)); }

Vec3 vec3_normalized(Vec3 a) {
    float length = vec3_length(a);
    return length > 0 && isfinite(length) ? vec3_scale(a, 1 / length) : vec3_at(0, 0, 0);
}

bool vec3_finite(Vec3 a) { return isfinite(a.x) && isfinite(a.y) && isfinite(a.z); }

Box box_around(Box box, Vec3 p) {
    for (int i = 0; i < 3; i++) {
        box.mins.raw[i] = fminf(box.mins.raw[i], p.raw[i]);
        box.maxs.raw[i] = fmaxf(box.maxs.raw[i], p.raw[i]);
    }
    return box;
}

Box box_join(Box a, Box b) { return box_around(box_around(a, b.mins), b.maxs); }

bool box_touches(Box a, Box b) {
    for (int i = 0; i < 3; i++)
        if (a.mins.raw[i] > b.maxs.raw[i] || b.mins.raw[i] > a.maxs.raw[i])
            return false;
    return true;
}

Axes axes_from_angles(Vec3 angles) {
    double p = trig_radians(angles.x), y = trig_radians(angles.y), r = trig_radians(angles.z);
    double sp = trig_sin(p), cp = trig_cos(p), sy = trig_sin(y), cy = trig_cos(y), sr = trig_sin(r), cr = trig_cos(r);
    return (Axes){
        .forward = vec3_at((float)(cp * cy), (float)(cp * sy), (float)-sp),
        .right = vec3_at((float)(-sr * sp * cy + cr * sy), (float)(-sr * sp * sy - cr * cy), (float)(-sr * cp)),
        .up = vec3_at((float)(cr * sp * cy + sr * sy), (float)(cr * sp * sy - sr * cy), (float)(cr * cp)),
    };
}

Vec3 angles_from_forward(Vec3 f) {
    double flat = sqrt((double)f.x * f.x + (double)f.y * f.y);
    double yaw = flat > 0 ? trig_degrees(trig_atan2(f.y, f.x)) : 0;
    return vec3_at((float)trig_degrees(trig_atan2(-f.z, flat)), (float)yaw, 0);
}

float fov_y_from_x(float fov_x, int width, int height) {
    double w = width / trig_tan(trig_radians(fov_x) / 2);
    return (float)(2 * trig_degrees(trig_atan2(height, w)));
}
