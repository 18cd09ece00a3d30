/* base/vector.h -- points, boxes, planes and angles in Quake's space.
 *
 * Units are Quake's; right-handed: x forward at yaw 0, y left, z up. Angles are degrees: pitch (down positive), yaw
 * (counter-clockwise from above), roll. Vectors are cglm's struct type (glms_vec3_add and its kin work on them). */
#ifndef LEAFWALK_VECTOR_H
#define LEAFWALK_VECTOR_H

#include <stdbool.h>

#include <cglm/struct/vec3.h>

typedef vec3s Vec3;
typedef struct Vec2 { float x, y; } Vec2;    /* cglm's vec2s is no better for two texture coordinates, and larger to include */
typedef struct Box { Vec3 mins, maxs; } Box;
typedef struct Plane { Vec3 normal; float dist; } Plane;    /* a point is in front when dot(normal, p) - dist > 0 */
typedef struct Axes { Vec3 forward, right, up; } Axes;      /* right is -y at angles 0 0 0 */

static inline Vec3 vec3_at(float x, float y, float z) { return (Vec3){ .x = x, .y = y, .z = z }; }
static inline Vec3 vec3_add(Vec3 a, Vec3 b) { return vec3_at(a.x + b.x, a.y + b.y, a.z + b.z); }
static inline Vec3 vec3_sub(Vec3 a, Vec3 b) { return vec3_at(a.x - b.x, a.y - b.y, a.z - b.z); }
static inline Vec3 vec3_scale(Vec3 a, float s) { return vec3_at(a.x * s, a.y * s, a.z * s); }
static inline Vec3 vec3_add_scaled(Vec3 a, Vec3 b, float s) { return vec3_at(a.x + b.x * s, a.y + b.y * s, a.z + b.z * s); }
static inline float vec3_dot(Vec3 a, Vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline Vec3 vec3_cross(Vec3 a, Vec3 b) {
    return vec3_at(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
static inline Vec3 vec3_mix(Vec3 a, Vec3 b, float t) { return vec3_add_scaled(a, vec3_sub(b, a), t); }
float vec3_length(Vec3 a);
Vec3  vec3_normalized(Vec3 a);    /* a zero vector stays zero */
bool  vec3_finite(Vec3 a);

static inline float plane_distance(Plane plane, Vec3 point) { return vec3_dot(plane.normal, point) - plane.dist; }

static inline Box  box_nothing(void) { return (Box){ vec3_at(1e30f, 1e30f, 1e30f), vec3_at(-1e30f, -1e30f, -1e30f) }; }
Box  box_around(Box box, Vec3 point);     /* grown so that it holds the point too */
Box  box_join(Box a, Box b);
bool box_touches(Box a, Box b);           /* sharing a face counts */
static inline Vec3 box_middle(Box box) { return vec3_scale(vec3_add(box.mins, box.maxs), 0.5f); }

Axes axes_from_angles(Vec3 angles);       /* x pitch, y yaw, z roll, in degrees; facts: q_math.c AngleVectors */
Vec3 angles_from_forward(Vec3 forward);   /* roll 0; straight up and down have yaw 0 */

/* Degrees of vertical view for `fov_x` degrees of horizontal view in a picture of this size. */
float fov_y_from_x(float fov_x, int width, int height);

#endif
