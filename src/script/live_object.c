/* script/live_object.c -- an entity as scripts hold it.
 *
 * A handle is a number with a generation: touching an entity that was removed is a clear error. A field is, in this
 * order, one of the table below, a method, what a script has set on the entity, or what its behaviour's table has. */
#include <math.h>

#include "script/live.h"

#define CLASS "entity"

/* ---- handles ---- */

static SimEntity *entity_alive(lua_State *L, const EntityObject *object) {
    const Engine *engine = engine_of(L);
    if (!engine->sim || object->map != engine->map_generation)
        return NULL;
    SimEntity *entity = sim_entity(engine->sim, object->number);
    return entity->alive && entity->generation == object->generation ? entity : NULL;
}

static int check_alive(lua_State *L, int arg) {
    const EntityObject *object = check_object(L, arg, CLASS);
    if (!entity_alive(L, object))
        luaL_error(L, "entity %d is gone (it was removed, or the map was replaced)", object->number);
    return object->number;
}

static SimEntity *check_entity_at(lua_State *L, int arg) { return sim_entity(engine_of(L)->sim, check_alive(L, arg)); }

int entity_number_at(lua_State *L, int arg) {
    if (lua_type(L, arg) == LUA_TNUMBER) {
        Live *live = check_live(L);
        return check_index(L, arg, "entity", sim_count(live->scripts->engine->sim));
    }
    return check_alive(L, arg);
}

void push_entity(lua_State *L, int number) {
    Live *live = scripts_of(L)->live;
    LiveEntity *slot = &live->entities.at[number];
    if (slot->object != LUA_NOREF) {
        lua_rawgeti(L, LUA_REGISTRYINDEX, slot->object);
        return;
    }
    EntityObject *object = script_object(L, CLASS, sizeof *object);
    *object = (EntityObject){ number, sim_entity(engine_of(L)->sim, number)->generation, live->map };
    lua_pushvalue(L, -1);
    slot->object = luaL_ref(L, LUA_REGISTRYINDEX);
}

/* ---- fields ---- */

typedef struct Field {
    const char *name;
    void (*get)(lua_State *L, Live *live, int entity);
    void (*set)(lua_State *L, Live *live, int entity);    /* the value is at 3; NULL: read-only */
} Field;

static SimEntity *of(Live *live, int entity) { return sim_entity(live->scripts->engine->sim, entity); }

static Vec3 value_vec3(lua_State *L) {
    int arg = 3;
    if (lua_type(L, arg) == LUA_TNUMBER)
        script_refuse(L, arg, "a point (a vec3 or {x, y, z}) expected, got number");
    return check_vec3(L, &arg);
}

static void push_name(lua_State *L, const char *name) {
    if (name)
        lua_pushstring(L, name);
    else
        lua_pushnil(L);
}

static void get_classname(lua_State *L, Live *live, int e) { push_name(L, live->entities.at[e].classname); }
static void get_targetname(lua_State *L, Live *live, int e) { push_name(L, live->entities.at[e].targetname); }
static void get_target(lua_State *L, Live *live, int e) { push_name(L, live->entities.at[e].target); }
static void get_index(lua_State *L, Live *live, int e) { (void)live; lua_pushinteger(L, e); }
static void get_is_player(lua_State *L, Live *live, int e) { (void)live; lua_pushboolean(L, e == SIM_PLAYER); }
static void get_stopped(lua_State *L, Live *live, int e) { lua_pushboolean(L, live->entities.at[e].stopped); }

static void get_lump(lua_State *L, Live *live, int e) {
    if (of(live, e)->lump >= 0)
        lua_pushinteger(L, of(live, e)->lump);
    else
        lua_pushnil(L);
}

static void set_targetname(lua_State *L, Live *live, int e) { live_set_key(live, e, "targetname", luaL_optstring(L, 3, "")); }
static void set_target(lua_State *L, Live *live, int e) { live_set_key(live, e, "target", luaL_optstring(L, 3, "")); }

static void get_origin(lua_State *L, Live *live, int e) { push_vec3(L, of(live, e)->origin); }
static void get_angles(lua_State *L, Live *live, int e) { push_vec3(L, of(live, e)->angles); }
static void get_velocity(lua_State *L, Live *live, int e) { push_vec3(L, of(live, e)->velocity); }
static void get_mins(lua_State *L, Live *live, int e) { push_vec3(L, of(live, e)->box.mins); }
static void get_maxs(lua_State *L, Live *live, int e) { push_vec3(L, of(live, e)->box.maxs); }
static void get_absmin(lua_State *L, Live *live, int e) { push_vec3(L, of(live, e)->absolute.mins); }
static void get_absmax(lua_State *L, Live *live, int e) { push_vec3(L, of(live, e)->absolute.maxs); }
static void get_visible(lua_State *L, Live *live, int e) { lua_pushboolean(L, of(live, e)->visible); }
static void get_carries(lua_State *L, Live *live, int e) { lua_pushboolean(L, of(live, e)->carries); }

static void set_origin(lua_State *L, Live *live, int e) {
    Vec3 velocity = of(live, e)->velocity;
    sim_place(live->scripts->engine->sim, e, value_vec3(L), of(live, e)->angles);
    if (e == SIM_PLAYER)
        of(live, e)->velocity = velocity;
    else
        of(live, e)->ground = -1;    /* who was taken up does not go along any more */
}

static void set_angles(lua_State *L, Live *live, int e) { sim_place(live->scripts->engine->sim, e, of(live, e)->origin, value_vec3(L)); }

/* What has a velocity goes on with it until something else is said; the player by his own rules. */
static void set_velocity(lua_State *L, Live *live, int e) {
    SimEntity *self = of(live, e);
    self->velocity = value_vec3(L);
    if (e != SIM_PLAYER)
        self->move = (Trajectory){ .kind = TRAJECTORY_LINEAR, .start = live->scripts->engine->sim->time, .base = self->origin, .delta = self->velocity };
}

static void set_box(lua_State *L, Live *live, int e, bool upper) {
    SimEntity *self = of(live, e);
    Vec3 corner = value_vec3(L);
    *(upper ? &self->box.maxs : &self->box.mins) = corner;
    sim_link(live->scripts->engine->sim, e);
}

static void set_mins(lua_State *L, Live *live, int e) { set_box(L, live, e, false); }
static void set_maxs(lua_State *L, Live *live, int e) { set_box(L, live, e, true); }
static void set_visible(lua_State *L, Live *live, int e) { of(live, e)->visible = lua_toboolean(L, 3); }
static void set_carries(lua_State *L, Live *live, int e) { of(live, e)->carries = lua_toboolean(L, 3); }

static void get_model(lua_State *L, Live *live, int e) {
    if (of(live, e)->model >= 0)
        lua_pushfstring(L, "*%d", of(live, e)->model);
    else
        push_name(L, live_key(live, e, "model"));
}

static void set_model(lua_State *L, Live *live, int e) {
    const char *name = luaL_checkstring(L, 3);
    int models = live->scripts->engine->current->map->model_count;
    int number = name[0] == '*' ? (int)text_number(name + 1, NULL) : -1;
    if (name[0] == '*' && (number < 1 || number >= models))
        luaL_error(L, "bad value for 'entity.model' (brush model %s, this map has *1..*%d)", name, models - 1);
    if (number > 0)
        sim_set_model(live->scripts->engine->sim, e, number);
    else
        live_set_key(live, e, "model", name);
}

static const char *const solids[] = { "none", "trigger", "brush", "box", NULL };

static void get_solid(lua_State *L, Live *live, int e) { lua_pushstring(L, solids[of(live, e)->solid]); }

/* true: as its model is solid; false: not at all; or one of the words. */
static void set_solid(lua_State *L, Live *live, int e) {
    SimEntity *self = of(live, e);
    if (lua_isboolean(L, 3))
        self->solid = !lua_toboolean(L, 3) ? SIM_NONE : self->model >= 0 ? SIM_BRUSH : SIM_BOX;
    else
        self->solid = (SimSolid)check_option(L, 3, solids, "solid");
    if (self->solid == SIM_BOX && !self->contents)
        self->contents = CONTENTS_SOLID;
}

static void get_next_think(lua_State *L, Live *live, int e) { lua_pushnumber(L, of(live, e)->next_think); }

static void set_next_think(lua_State *L, Live *live, int e) {
    of(live, e)->next_think = lua_isnil(L, 3) ? 0 : check_finite(L, 3);
    live_set_name(&live->entities.at[e].later, NULL);
}

/* A field that is only read, or read and set: name, type, what it is. */
#define FIELDS(READ, WRITE)                                                                                              \
    READ(classname, "string?", "What it is; its file in scripts/entities/ says what that does.")                          \
    READ(index, "integer", "Its number, of entities that live; the player is 0.")                                        \
    READ(lump, "integer?", "Its number in the level's entity lump; nil for what a script has spawned.")                  \
    READ(is_player, "boolean", "Whether it is the player.")                                                              \
    READ(stopped, "boolean", "Whether an error in its behaviour has stopped it.")                                        \
    WRITE(targetname, "string?", "What others that fire it call it by.")                                                 \
    WRITE(target, "string?", "The targetname of what it fires.")                                                         \
    WRITE(origin, "vec3", "Where it is; 0, 0, 0 for a brush model that stands where it was built.")                      \
    WRITE(angles, "vec3", "How it is turned.")                                                                           \
    WRITE(velocity, "vec3", "Units a second; what gets one goes on with it until something else is said.")               \
    WRITE(mins, "vec3", "The smallest corner of its box, from its origin.")                                              \
    WRITE(maxs, "vec3", "The largest corner of its box, from its origin.")                                               \
    READ(absmin, "vec3", "The smallest corner of its box in the level.")                                                 \
    READ(absmax, "vec3", "The largest corner of its box in the level.")                                                  \
    WRITE(model, "string?", "A brush model of the level, \"*1\", or the file of an MD3.")                              \
    WRITE(solid, "string|boolean", "\"none\", \"trigger\" (touches who is in it), \"brush\" or \"box\"; set to true, what its model is.") \
    WRITE(visible, "boolean", "Whether its model is drawn.")                                                             \
    WRITE(carries, "boolean", "Whether it takes along who stands on it.")                                                \
    WRITE(next_think, "number", "When its think is called next, by the game's clock; 0: not at all.")
#define READ(name, type, help) { #name, get_##name, NULL },
#define WRITE(name, type, help) { #name, get_##name, set_##name },
static const Field fields[] = { FIELDS(READ, WRITE) };
#undef READ
#undef WRITE
#define READ(name, type, help) { CLASS "." #name, type, help, true },
#define WRITE(name, type, help) { CLASS "." #name, type, help, false },
const ScriptField entity_fields[] = {
    FIELDS(READ, WRITE)
    { "lump_entity.index", "integer", "Its number in the lump; worldspawn is 0.", true },
    { CLASS ".valid", "boolean", "Whether it is still there: touching one that was removed is an error.", true },
    { NULL, NULL, NULL, false },
};

/* Upvalues of the metamethods: methods' table, full name. The fields stand in the methods' table too, as their rows. */
static const Field *field_at(lua_State *L) {
    lua_pushvalue(L, 2);
    lua_rawget(L, lua_upvalueindex(1));
    return lua_islightuserdata(L, -1) ? lua_touserdata(L, -1) : NULL;
}

static int object_index(lua_State *L) {
    lua_settop(L, 2);
    const EntityObject *object = check_object(L, 1, CLASS);
    const Field *field = field_at(L);
    if (!field && !lua_isnil(L, -1))
        return 1;    /* a method */
    if (lua_type(L, 2) == LUA_TSTRING && strcmp(lua_tostring(L, 2), "valid") == 0) {
        lua_pushboolean(L, entity_alive(L, object) != NULL);
        return 1;
    }
    Live *live = scripts_of(L)->live;
    int entity = check_alive(L, 1);
    if (field) {
        field->get(L, live, entity);
        return 1;
    }
    const LiveEntity *slot = &live->entities.at[entity];
    if (slot->own != LUA_NOREF) {
        lua_rawgeti(L, LUA_REGISTRYINDEX, slot->own);
        lua_pushvalue(L, 2);
        if (lua_rawget(L, -2) != LUA_TNIL)
            return 1;
    }
    return live_push_behaviour(live, entity) ? (lua_pushvalue(L, 2), lua_gettable(L, -2), 1) : 0;
}

static int object_newindex(lua_State *L) {
    int entity = check_alive(L, 1);
    Live *live = scripts_of(L)->live;
    const Field *field = field_at(L);
    bool method = !field && !lua_isnil(L, -1);
    if (method || (field && !field->set))
        return luaL_error(L, "'entity.%s' can only be read", lua_tostring(L, 2));
    if (field) {
        lua_pushfstring(L, "entity.%s", field->name);    /* what messages call it */
        lua_replace(L, lua_upvalueindex(2));
        field->set(L, live, entity);
        return 0;
    }
    LiveEntity *slot = &live->entities.at[entity];
    if (slot->own == LUA_NOREF) {
        lua_newtable(L);
        slot->own = luaL_ref(L, LUA_REGISTRYINDEX);
    }
    lua_rawgeti(L, LUA_REGISTRYINDEX, slot->own);
    lua_pushvalue(L, 2);
    lua_pushvalue(L, 3);
    lua_rawset(L, -3);
    return 0;
}

static int object_tostring(lua_State *L) {
    const EntityObject *object = check_object(L, 1, CLASS);
    if (!entity_alive(L, object)) {
        lua_pushfstring(L, "entity %d (gone)", object->number);
        return 1;
    }
    const LiveEntity *slot = &scripts_of(L)->live->entities.at[object->number];
    lua_pushfstring(L, "entity %d (%s)", object->number, slot->classname ? slot->classname : "noclass");
    return 1;
}

/* ---- methods ---- */

static int method_key(lua_State *L) {
    int entity = check_alive(L, 1);
    const char *value = live_key(scripts_of(L)->live, entity, check_name(L, 2, "key"));
    if (value)
        lua_pushstring(L, value);
    else
        lua_settop(L, 3);
    return 1;
}

static int method_set_key(lua_State *L) {
    int entity = check_alive(L, 1);
    live_set_key(scripts_of(L)->live, entity, check_name(L, 2, "key"), check_name(L, 3, "value"));
    return 0;
}

static int method_number(lua_State *L) {
    int entity = check_alive(L, 1);
    const char *value = live_key(scripts_of(L)->live, entity, check_name(L, 2, "key")), *end = value;
    double number = value ? text_number(value, &end) : 0;
    if (value && end != value && isfinite(number))
        lua_pushnumber(L, number);
    else if (lua_isnoneornil(L, 3))
        lua_pushnumber(L, 0);
    else
        lua_pushnumber(L, check_finite(L, 3));
    return 1;
}

static int method_vector(lua_State *L) {
    int entity = check_alive(L, 1);
    const char *value = live_key(scripts_of(L)->live, entity, check_name(L, 2, "key"));
    Vec3 v = { 0 };
    if (!value)
        return 0;
    text_vector(value, v.raw, 3);
    if (!vec3_finite(v))
        return 0;
    push_vec3(L, v);
    return 1;
}

static int method_facing(lua_State *L) {
    int entity = check_alive(L, 1);
    Vec3 angles;
    if (!live_facing(scripts_of(L)->live, entity, &angles))
        return 0;
    push_vec3(L, angles);
    return 1;
}

static int method_flags(lua_State *L) {
    int entity = check_alive(L, 1);
    const char *value = live_key(scripts_of(L)->live, entity, "spawnflags");
    double number = value ? text_number(value, NULL) : 0;
    lua_pushinteger(L, number >= 0 && number < 4294967296.0 ? (lua_Integer)number : 0);
    return 1;
}

static int activator_at(lua_State *L, int arg, int otherwise) { return lua_isnoneornil(L, arg) ? otherwise : check_alive(L, arg); }

static int method_fire(lua_State *L) {
    int entity = check_alive(L, 1);
    live_fire(scripts_of(L)->live, entity, activator_at(L, 2, entity));
    return 0;
}

static int method_use(lua_State *L) {
    int entity = check_alive(L, 1);
    live_call(scripts_of(L)->live, entity, "use", (LiveArgument){ LIVE_ENTITY, activator_at(L, 2, SIM_PLAYER), 0 });
    return 0;
}

static int method_touch(lua_State *L) {
    int entity = check_alive(L, 1);
    live_call(scripts_of(L)->live, entity, "touch", (LiveArgument){ LIVE_ENTITY, activator_at(L, 2, SIM_PLAYER), 0 });
    return 0;
}

static int method_hurt(lua_State *L) {
    int entity = check_alive(L, 1);
    double amount = check_finite(L, 2);
    if (entity == SIM_PLAYER)
        live_hurt_player(scripts_of(L)->live, amount);
    else
        live_call(scripts_of(L)->live, entity, "hurt", (LiveArgument){ LIVE_NUMBER, 0, amount });
    return 0;
}

static int method_remove(lua_State *L) {
    int entity = check_alive(L, 1);
    if (entity == SIM_PLAYER)
        luaL_error(L, "the player cannot be removed");
    live_remove(scripts_of(L)->live, entity);
    return 0;
}

static int method_restart(lua_State *L) {
    int entity = check_alive(L, 1);
    if (entity == SIM_PLAYER)
        luaL_error(L, "the player cannot be restarted");
    live_restart(scripts_of(L)->live, entity);
    return 0;
}

static bool eased(lua_State *L, int arg) {
    static const char *const words[] = { "linear", "smooth", NULL };
    return !lua_isnoneornil(L, arg) && check_option(L, arg, words, "ease") == 1;
}

static double check_seconds(lua_State *L, int arg) {
    double seconds = check_finite(L, arg);
    if (seconds < 0)
        script_refuse(L, arg, "%g seconds, at least 0 is expected", seconds);
    return seconds;
}

static int method_move(lua_State *L) {
    SimEntity *self = check_entity_at(L, 1);
    int arg = 2;
    Vec3 to = check_vec3(L, &arg);
    double seconds = check_seconds(L, arg);
    self->move = trajectory_move(self->origin, to, engine_of(L)->sim->time, seconds, eased(L, arg + 1));
    self->arriving = trajectory_stops(&self->move);
    if (!self->arriving) {    /* at once: there is no later step that could tell of the arrival */
        int entity = check_alive(L, 1);
        sim_place(engine_of(L)->sim, entity, to, self->angles);
        live_call(scripts_of(L)->live, entity, "arrived", (LiveArgument){ LIVE_NOTHING, 0, 0 });
    }
    return 0;
}

static int method_rotate(lua_State *L) {
    SimEntity *self = check_entity_at(L, 1);
    int arg = 2;
    Vec3 by = check_vec3(L, &arg);
    double seconds = check_seconds(L, arg);
    self->turn = trajectory_move(self->angles, vec3_add(self->angles, by), engine_of(L)->sim->time, seconds, eased(L, arg + 1));
    self->arriving = trajectory_stops(&self->turn);
    return 0;
}

/* Sine and steady motions: func_bobbing, func_pendulum, func_rotating. */
static int swing(lua_State *L, bool turns) {
    SimEntity *self = check_entity_at(L, 1);
    int arg = 2;
    Vec3 amplitude = check_vec3(L, &arg);
    double period = check_finite(L, arg), phase = lua_isnoneornil(L, arg + 1) ? 0 : check_finite(L, arg + 1);
    if (period <= 0)
        script_refuse(L, arg, "a period of %g seconds, more than 0 is expected", period);
    Trajectory made = { .kind = TRAJECTORY_SINE, .start = period * phase, .duration = period, .base = turns ? self->angles : self->origin, .delta = amplitude };
    *(turns ? &self->turn : &self->move) = made;
    return 0;
}

static int method_bob(lua_State *L) { return swing(L, false); }
static int method_swing(lua_State *L) { return swing(L, true); }

static int method_spin(lua_State *L) {
    SimEntity *self = check_entity_at(L, 1);
    int arg = 2;
    Vec3 speed = check_vec3(L, &arg);
    self->turn = (Trajectory){ .kind = TRAJECTORY_LINEAR, .start = engine_of(L)->sim->time, .base = self->angles, .delta = speed };
    return 0;
}

static int method_stop(lua_State *L) {
    int entity = check_alive(L, 1);
    SimEntity *self = check_entity_at(L, 1);
    self->arriving = false;
    self->velocity = vec3_at(0, 0, 0);
    sim_place(engine_of(L)->sim, entity, self->origin, self->angles);
    return 0;
}

static int method_moving(lua_State *L) {
    const SimEntity *self = check_entity_at(L, 1);
    lua_pushboolean(L, self->move.kind != TRAJECTORY_STILL || self->turn.kind != TRAJECTORY_STILL);
    return 1;
}

static int method_after(lua_State *L) {
    int entity = check_alive(L, 1);
    double seconds = check_seconds(L, 2);
    const char *callback = lua_isnoneornil(L, 3) ? NULL : check_name(L, 3, "callback");
    Live *live = scripts_of(L)->live;
    const Sim *sim = live->scripts->engine->sim;
    of(live, entity)->next_think = sim->time + fmax(seconds, 0.5 / SIM_RATE);
    live_set_name(&live->entities.at[entity].later, callback);
    return 0;
}

static int method_touches(lua_State *L) {
    int entity = check_alive(L, 1), other = check_alive(L, 2);
    const Sim *sim = engine_of(L)->sim;
    lua_pushboolean(L, sim_in_entity(sim, entity, sim->entities.at[other].absolute));
    return 1;
}

static bool option(lua_State *L, int table, const char *name) {
    if (lua_isnoneornil(L, table))
        return false;
    lua_getfield(L, table, name);
    bool value = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return value;
}

static int method_play(lua_State *L) {
    int entity = check_alive(L, 1);
    const char *name = check_name(L, 2, "file");
    check_optional_table(L, 3, "a table { loop, everywhere }");
    engine_sound_play(engine_of(L), entity, name, option(L, 3, "loop"), option(L, 3, "everywhere"));
    return 0;
}

static int method_quiet(lua_State *L) {
    engine_sound_stop(engine_of(L), check_alive(L, 1));
    return 0;
}

static int method_drop(lua_State *L) {
    int entity = check_alive(L, 1);
    double most = lua_isnoneornil(L, 2) ? 4096 : check_finite(L, 2);
    Sim *sim = engine_of(L)->sim;
    SimEntity *self = sim_entity(sim, entity);
    TraceQuery query = { .from = self->origin, .to = self->origin, .box = self->box, .mask = MASK_SOLID };
    query.to.z -= (float)most;
    int on = -1;
    Trace floor = sim_trace(sim, &query, entity, &on);
    if (!floor.start_solid) {
        sim_place(sim, entity, floor.endpos, self->angles);
        self->ground = on;
    }
    lua_pushboolean(L, !floor.start_solid);
    return 1;
}

static int method_shuts(lua_State *L) {
    int entity = check_alive(L, 1), arg = 2;
    Sim *sim = engine_of(L)->sim;
    Vec3 at = lua_isnoneornil(L, 2) ? sim_entity(sim, entity)->origin : check_vec3(L, &arg);
    lua_pushinteger(L, sim_shuts(sim, entity, at));
    return 1;
}

const ScriptFunction entity_methods[] = {
    { "lump_entity:key", lump_entity_key, "(name: string, default?: any) -> any", "The last value of a key, as text; else the default." },
    { "lump_entity:number", lump_entity_number, "(name: string, default?: number) -> number",
      "A key's value as a number, as the game reads it (\"150 \" is 150); else the default, or 0." },
    { "lump_entity:vector", lump_entity_vector, "(name: string) -> vec3?", "A key's value as a point, missing parts 0; nil without that key." },
    { "lump_entity:facing", lump_entity_facing, "() -> vec3?",
      "What its keys say of pitch, yaw and roll: angles, or angle (a yaw), whichever comes later; nil without them." },

    { CLASS ":key", method_key, "(name: string, default?: any) -> any", "A key's value as text (the last of that name); else the default." },
    { CLASS ":set_key", method_set_key, "(name: string, value: string)", "Gives a key another value, for as long as the entity lives." },
    { CLASS ":number", method_number, "(name: string, default?: number) -> number", "A key's value as a number; else the default, or 0." },
    { CLASS ":vector", method_vector, "(name: string) -> vec3?", "A key's value as a point; nil without that key." },
    { CLASS ":facing", method_facing, "() -> vec3?", "What its keys say of pitch, yaw and roll: angles, or angle (a yaw), whichever comes later; nil without them." },
    { CLASS ":flags", method_flags, "() -> integer", "Its spawnflags." },
    { CLASS ":fire", method_fire, "(activator?: entity)", "Uses every entity whose targetname is this one's target." },
    { CLASS ":use", method_use, "(activator?: entity)", "Uses this entity, as if one that targets it had fired." },
    { CLASS ":touch", method_touch, "(other?: entity)", "Touches this entity, by the player unless another is given." },
    { CLASS ":hurt", method_hurt, "(amount: number)", "Hurts it: its behaviour's hurt is called, or the player's health falls." },
    { CLASS ":remove", method_remove, "()", "Takes it out of the game." },
    { CLASS ":restart", method_restart, "()", "Begins its life again, with the keys it has now: its behaviour's spawn is called." },
    { CLASS ":move", method_move, "(to: point, seconds: number, ease?: string)",
      "Moves its origin there in so many seconds (\"linear\" or \"smooth\"); then its behaviour's arrived is called." },
    { CLASS ":rotate", method_rotate, "(by: point, seconds: number, ease?: string)", "Turns it by angles in so many seconds; then arrived is called." },
    { CLASS ":bob", method_bob, "(amplitude: point, period: number, phase?: number)", "Moves to and fro as a sine, around where it stands." },
    { CLASS ":swing", method_swing, "(amplitude: point, period: number, phase?: number)", "Turns to and fro as a sine, around its angles." },
    { CLASS ":spin", method_spin, "(speed: point)", "Turns for ever, degrees a second about each axis." },
    { CLASS ":stop", method_stop, "()", "Stays where it is, and does not arrive." },
    { CLASS ":moving", method_moving, "() -> boolean", "Whether it moves or turns." },
    { CLASS ":after", method_after, "(seconds: number, callback?: string)", "Calls that function of its behaviour (think) in so many seconds, in place of the next think." },
    { CLASS ":touches", method_touches, "(other: entity) -> boolean", "Whether the other's box is in this one's volume." },
    { CLASS ":play", method_play, "(file: string, opts?: table)",
      "Plays a WAV file from where it is; opts = { loop = false, everywhere = false }. Heard in the window alone." },
    { CLASS ":quiet", method_quiet, "()", "Ends all that it plays." },
    { CLASS ":drop", method_drop, "(most?: number) -> boolean", "Lets it down to the floor, at most so far (4096), and it goes along with what it lies on; false where it stands in something solid." },
    { CLASS ":shuts", method_shuts, "(at?: point) -> integer",
      "From now on it shuts the area portals that its box touches there (or where it is), whenever its origin is that place: "
      "what lies behind is not drawn then. Gives how many they are." },
    { NULL, NULL, NULL, NULL },
};

void live_object_open(lua_State *L) {
    static const luaL_Reg meta[] = {
        { "__index", object_index }, { "__newindex", object_newindex }, { "__tostring", object_tostring }, { NULL, NULL },
    };
    script_class(L, CLASS, entity_methods, meta);
    script_object(L, CLASS, sizeof(EntityObject));
    lua_getmetatable(L, -1);
    lua_getfield(L, -1, "__index");
    lua_getupvalue(L, -1, 1);    /* the methods' table */
    for (int i = 0; i < COUNT_OF(fields); i++) {
        lua_pushlightuserdata(L, (void *)&fields[i]);
        lua_setfield(L, -2, fields[i].name);
    }
    lua_pop(L, 4);
}
