/* script/lw_particles.c -- lw.particles: small squares that live in the level for a while, flying by the clock. */
#include <math.h>

#include "script/lw_draw_internal.h"

static Rgba color_field(lua_State *L, const char *name, Rgba otherwise) {
    if (lua_getfield(L, 1, name) != LUA_TNIL)
        otherwise = check_color(L, lua_gettop(L));
    lua_pop(L, 1);
    return otherwise;
}

static ParticleBurst check_burst(lua_State *L, int most) {
    check_table(L, 1, "a table {origin, velocity, life, size, color, ...}");
    ParticleBurst burst = { 0 };
    Particle *like = &burst.like;
    like->origin = field_point(L, 1, "origin", vec3_at(0, 0, 0));
    like->velocity = field_point(L, 1, "velocity", vec3_at(0, 0, 0));
    like->gravity = (float)field_number(L, 1, "gravity", 0, -1e6, 1e6);
    like->life = (float)field_number(L, 1, "life", 1, 0, 1e6);
    like->size = (float)field_number(L, 1, "size", 2, 0, 1e5);
    like->size_to = (float)field_number(L, 1, "size_to", like->size, 0, 1e5);
    like->color = color_field(L, "color", (Rgba){ 255, 255, 255, 255 });
    Rgba faded = like->color;
    faded.a = 0;
    like->color_to = color_field(L, "color_to", faded);
    burst.count = (int)field_number(L, 1, "count", 1, 0, most);
    burst.box = field_point(L, 1, "box", vec3_at(0, 0, 0));
    burst.spread = (float)field_number(L, 1, "spread", 0, 0, 1e6);
    burst.life_spread = (float)field_number(L, 1, "life_spread", 0, 0, 1);
    burst.size_spread = (float)field_number(L, 1, "size_spread", 0, 0, 1);
    return burst;
}

static int particles_emit_row(lua_State *L) {
    Engine *engine = engine_of(L);
    ParticleBurst burst = check_burst(L, PARTICLES_MOST);
    lua_pushinteger(L, particles_emit(&engine->particles, &burst, engine->clock.now));
    return 1;
}

static int particles_at_row(lua_State *L) {
    lua_settop(L, 2);
    Engine *engine = engine_of(L);
    ParticleBurst burst = check_burst(L, PARTICLES_MOST);
    Points points = check_points(L, 2);
    int taken = 0;
    for (int i = 0; i < points.count; i++) {
        burst.like.origin = points_at(L, &points, i);
        taken += particles_emit(&engine->particles, &burst, engine->clock.now);
    }
    lua_pushinteger(L, taken);
    return 1;
}

static int particles_count_row(lua_State *L) {
    Engine *engine = engine_of(L);
    particles_run(&engine->particles, engine->clock.now);
    lua_pushinteger(L, (lua_Integer)engine->particles.list.count);
    return 1;
}

static int particles_clear_row(lua_State *L) {
    particles_clear(&engine_of(L)->particles);
    return 0;
}

static const ScriptFunction functions[] = {
    { "emit", particles_emit_row, "(what: table) -> integer",
      "Particles born now, `count` of them (1): { origin, velocity, gravity, life, size, size_to, color, color_to } and how they "
      "differ by chance: box (of origins), spread (of velocities), life_spread and size_spread (0..1); how many were taken." },
    { "at", particles_at_row, "(what: table, points: table) -> integer",
      "The same at each of many points: a list of points, or of numbers x, y, z, x, y, z, ...; how many were taken." },
    { "count", particles_count_row, "() -> integer", "How many are alive." },
    { "clear", particles_clear_row, "()", "Takes all of them away." },
    { NULL, NULL, NULL, NULL },
};

const ScriptModule lw_particles_module = {
    .name = "particles", .help = "Thousands of small squares that fly through the level by its clock.", .functions = functions,
};
