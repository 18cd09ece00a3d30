/* render/soft/soft_sky.c -- a sky's picture on a wide dome over the eye, as the engine lays its clouds. */
#include <math.h>

#include "base/trig.h"
#include "render/soft/soft_internal.h"

static const double dome_radius = 4096, dome_height = 512;    /* of the sphere, and of the clouds over the eye */

void soft_sky_at(const double ray[3], const SoftTexture *texture, uint32_t color, double out[LANES]) {
    double length = sqrt(ray[0] * ray[0] + ray[1] * ray[1] + ray[2] * ray[2]);
    double x = ray[0] / length, y = ray[1] / length, z = ray[2] / length;
    double up = dome_radius * z;
    double far = sqrt(up * up + 2 * dome_radius * dome_height + dome_height * dome_height) - up;
    double hit[3] = { x * far, y * far, z * far + dome_radius };
    double away = sqrt(hit[0] * hit[0] + hit[1] * hit[1] + hit[2] * hit[2]);
    out[LANE_U] = trig_acos(CLAMP(hit[0] / away, -1, 1)) * 65536 * (1 << texture->width_log);
    out[LANE_V] = trig_acos(CLAMP(hit[1] / away, -1, 1)) * 65536 * (1 << texture->height_log);
    double bright = color == SKY_COLOR ? 0.8 + 0.2 * z : 1;
    for (int i = 0; i < 4; i++)
        out[LANE_RED + i] = ((color >> 8 * i & 255) * bright + 0.5) * 65536;
}
