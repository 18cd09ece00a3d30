/* engine/engine_fly.c -- the free eye: keys move it, the mouse turns it, the wheel makes it faster. */
#include <math.h>

#include "base/trig.h"
#include "engine/engine_internal.h"

enum { FAST = 3 };                       /* times as fast while shift is held */
static const float world_edge = 131072;    /* no level goes farther (format.md 1.1) */

void engine_fly(Engine *engine, double seconds) {
    EngineFly *fly = &engine->fly;
    fly->speed = engine->var.fly_speed->number;
    bool walks = engine->sim && engine->sim->player.mode != SIM_FLY;
    if (engine->eye_owned || walks)
        return;
    Axes axes = axes_from_angles(engine->scene.angles);
    Vec3 way = vec3_scale(axes.forward, (float)(fly->forward - fly->back));
    way = vec3_add_scaled(way, axes.right, (float)(fly->right - fly->left));
    way.z += (float)(fly->up - fly->down);
    float step = (float)(fly->speed * (fly->fast ? FAST : 1) * seconds);
    Vec3 to = vec3_add_scaled(engine->scene.origin, vec3_normalized(way), step);
    for (int i = 0; i < 3; i++)
        to.raw[i] = CLAMP(to.raw[i], -world_edge, world_edge);
    engine->scene.origin = to;
}

void engine_mouse(Engine *engine, float dx, float dy) {
    if (engine->eye_owned)
        return;
    float degrees = (float)engine->var.sensitivity->number;
    Vec3 *angles = &engine->scene.angles;
    angles->x = CLAMP(angles->x + dy * degrees, -90.0f, 90.0f);
    angles->y = fmodf(angles->y - dx * degrees, 360);    /* kept small: a long turn loses no digits */
}

void engine_wheel(Engine *engine, float notches) {
    double speed = engine->var.fly_speed->number * trig_pow(1.2, notches);
    speed = CLAMP(speed, engine->var.fly_speed->low, engine->var.fly_speed->high);
    Text text = { 0 };
    text_add_number(&text, speed > 10 ? (double)(long)(speed + 0.5) : speed);
    var_set(engine->vars, engine->var.fly_speed->name, text_of(&text), NULL);
    text_free(&text);
}
