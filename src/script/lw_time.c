/* script/lw_time.c -- lw.time: the clock of scripts and materials. */
#include <math.h>
#include <stdio.h>

#include "script/filming.h"
#include "script/host_internal.h"

enum { STEPS_A_SECOND = 125, STEPS_MOST = 125 * 60 * 60 };

static int time_now(lua_State *L) {
    lua_pushnumber(L, engine_of(L)->clock.now);
    return 1;
}

static int time_frame(lua_State *L) {
    lua_pushinteger(L, engine_of(L)->clock.frame);
    return 1;
}

static int time_delta(lua_State *L) {
    lua_pushnumber(L, engine_of(L)->clock.delta);
    return 1;
}

/* While a film is made, the frames that come due are taken; the clock is then at the last of them, or at `until`. */
static int film_until(lua_State *L, double until) {
    Scripts *scripts = scripts_of(L);
    Engine *engine = scripts->engine;
    Error error;
    if (filming_busy(scripts->filming))
        luaL_error(L, "'lw.time.step' within a frame of a film: its clock goes by frames");
    while (filming_time(scripts->filming) < until - 1e-9)
        if (!filming_frame(scripts->filming, &error))
            luaL_error(L, "'lw.time.step': %s", error.text);
    if (until > engine->clock.now)
        engine_tick(engine, (until - engine->clock.now) / (engine->clock.scale > 0 ? engine->clock.scale : 1));
    return 0;
}

/* A clock that has gone by steps only stays at a whole number of them, so that no rounding piles up. */
static int time_step(lua_State *L) {
    int count = lua_isnone(L, 1) ? 1 : check_count(L, 1, "steps", 0, STEPS_MOST);
    EngineClock *clock = &engine_of(L)->clock;
    double steps = clock->now * STEPS_A_SECOND, whole = nearbyint(steps);
    if (engine_of(L)->stepping)
        luaL_error(L, "'lw.time.step' runs steps, and one is running: it is for scripts, not for entities");
    double until = ((fabs(steps - whole) < 1e-6 ? whole : steps) + count) / STEPS_A_SECOND;
    if (scripts_of(L)->filming)
        return film_until(L, until);
    clock->now = until;
    engine_sim_step(engine_of(L), count);
    return 0;
}

static int time_progress(lua_State *L) {
    Scripts *scripts = scripts_of(L);
    double done = check_finite(L, 1), total = check_finite(L, 2);
    if (total <= 0)
        script_refuse(L, 2, "total %g, a number above 0 is expected", total);
    scripts->budget.started = sandbox_clock();
    scripts->budget.inside = 0;
    int percent = (int)(CLAMP(done / total, 0, 1) * 100);
    if (percent != scripts->percent) {
        scripts->percent = percent;
        log_info(scripts->engine->log, "%3d %%  (%.0f of %.0f)", percent, done, total);
    }
    return 0;
}

static int scale_get(lua_State *L) {
    lua_pushnumber(L, engine_of(L)->clock.scale);
    return 1;
}

static int scale_set(lua_State *L) {
    double scale = check_finite(L, 1);
    if (scale < 0 || scale > 1000)
        script_refuse(L, 1, "scale %g, allowed are 0..1000", scale);
    engine_of(L)->clock.scale = scale;
    return 0;
}

static int paused_get(lua_State *L) {
    lua_pushboolean(L, engine_of(L)->clock.paused);
    return 1;
}

static int paused_set(lua_State *L) {
    engine_of(L)->clock.paused = lua_toboolean(L, 1);
    return 0;
}

static const ScriptFunction functions[] = {
    { "now", time_now, "() -> number", "Seconds since the map was opened: what materials move by." },
    { "frame", time_frame, "() -> integer", "The number of this frame, from 0." },
    { "delta", time_delta, "() -> number", "Seconds that the last frame took, after `scale`." },
    { "step", time_step, "(n?: integer)", "Runs n steps (1) of the game's clock now, 1/125 s each." },
    { "progress", time_progress, "(done: number, total: number)", "Shows how far long work is, and renews the script's budget." },
    { NULL, NULL, NULL, NULL },
};

static const ScriptProperty properties[] = {
    { "scale", scale_get, scale_set, "number", "How fast the clock goes: 1 as usual, 0.5 slower, 0 not at all." },
    { "paused", paused_get, paused_set, "boolean", "Whether the clock stands still." },
    { NULL, NULL, NULL, NULL, NULL },
};

const ScriptModule lw_time_module = {
    .name = "time",
    .help = "The clock of scripts, materials and the game.",
    .functions = functions,
    .properties = properties,
};
