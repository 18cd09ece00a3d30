/* script/lw_player.c -- lw.player: the one who walks through the level. He cannot die: his health is refilled at 0. */
#include <math.h>

#include "script/live.h"

static SimEntity *player_of(lua_State *L) { return sim_entity(check_live(L)->scripts->engine->sim, SIM_PLAYER); }

static SimPlayer *mover_of(lua_State *L) { return &check_live(L)->scripts->engine->sim->player; }

void live_hurt_player(Live *live, double amount) {
    int health = live->health - (int)CLAMP(amount, -1000, 1000);
    live->health = health <= 0 ? 100 : MIN(health, 200);
    live_call(live, SIM_PLAYER, "hurt", (LiveArgument){ LIVE_NUMBER, 0, amount });    /* a behaviour of the class "player" */
}

static int player_teleport(lua_State *L) {
    Engine *engine = check_live(L)->scripts->engine;
    int arg = 1;
    Vec3 origin = check_vec3(L, &arg);
    bool turns = !lua_isnoneornil(L, arg);
    Vec3 angles = turns ? check_vec3(L, &arg) : engine->player_angles;
    engine_teleport(engine, origin, angles);
    return 0;
}

static int player_push(lua_State *L) {
    int arg = 1;
    Vec3 velocity = check_vec3(L, &arg);
    SimEntity *self = player_of(L);
    self->velocity = velocity;
    self->ground = -1;
    return 0;
}

/* After a teleport or a push the legs do nothing for a while. */
static int player_stun(lua_State *L) {
    double seconds = check_finite(L, 1);
    Sim *sim = check_live(L)->scripts->engine->sim;
    sim->player.no_control_until = sim->time + CLAMP(seconds, 0, 60);
    sim->player.knocked = true;
    return 0;
}

static float input_field(lua_State *L, const char *name) {
    lua_getfield(L, 1, name);
    double value = lua_isnil(L, -1) ? 0 : check_finite(L, lua_gettop(L));
    lua_pop(L, 1);
    return (float)CLAMP(value, -1, 1);
}

static bool input_flag(lua_State *L, const char *name) {
    lua_getfield(L, 1, name);
    bool value = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return value;
}

static int player_move(lua_State *L) {
    Engine *engine = check_live(L)->scripts->engine;
    engine->player_input.given = !lua_isnoneornil(L, 1);
    if (!engine->player_input.given)
        return 0;
    check_table(L, 1, "a table { forward, side, up, jump, crouch }");
    engine->player_input.input = (SimInput){
        .forward = input_field(L, "forward"), .side = input_field(L, "side"), .up = input_field(L, "up"),
        .jump = input_flag(L, "jump"), .crouch = input_flag(L, "crouch"),
    };
    return 0;
}

static int player_hurt(lua_State *L) {
    live_hurt_player(check_live(L), check_finite(L, 1));
    return 0;
}

static void push_items(lua_State *L, Live *live) {
    if (live->items == LUA_NOREF) {
        lua_newtable(L);
        live->items = luaL_ref(L, LUA_REGISTRYINDEX);
    }
    lua_rawgeti(L, LUA_REGISTRYINDEX, live->items);
}

static int items_get(lua_State *L) {
    push_items(L, check_live(L));
    return 1;
}

static int player_give(lua_State *L) {
    Live *live = check_live(L);
    const char *name = check_name(L, 1, "item");
    double count = lua_isnoneornil(L, 2) ? 1 : check_finite(L, 2);
    push_items(L, live);
    lua_getfield(L, -1, name);
    lua_pushnumber(L, lua_tonumber(L, -1) + count);
    lua_setfield(L, -3, name);
    return 0;
}

static int origin_get(lua_State *L) { push_vec3(L, player_of(L)->origin); return 1; }
static int velocity_get(lua_State *L) { push_vec3(L, player_of(L)->velocity); return 1; }
static int angles_get(lua_State *L) { push_vec3(L, check_live(L)->scripts->engine->player_angles); return 1; }
static int on_ground_get(lua_State *L) { lua_pushboolean(L, mover_of(L)->on_ground); return 1; }
static int water_get(lua_State *L) { lua_pushinteger(L, mover_of(L)->water_level); return 1; }
static int health_get(lua_State *L) { lua_pushinteger(L, check_live(L)->health); return 1; }

static int entity_get(lua_State *L) {
    check_live(L);
    push_entity(L, SIM_PLAYER);
    return 1;
}

static int velocity_set(lua_State *L) { return player_push(L); }

static int origin_set(lua_State *L) {
    SimEntity *self = player_of(L);
    int arg = 1;
    Vec3 velocity = self->velocity;
    sim_place(engine_of(L)->sim, SIM_PLAYER, check_vec3(L, &arg), self->angles);
    player_of(L)->velocity = velocity;
    return 0;
}

static int angles_set(lua_State *L) {
    Engine *engine = check_live(L)->scripts->engine;
    int arg = 1;
    engine->player_angles = check_vec3(L, &arg);
    if (!engine->eye_owned)
        engine->scene.angles = engine->player_angles;
    return 0;
}

static int gravity_get(lua_State *L) { lua_pushnumber(L, (double)check_live(L)->scripts->engine->sim->gravity); return 1; }

static int gravity_set(lua_State *L) {
    check_live(L)->scripts->engine->sim->gravity = (float)CLAMP(check_finite(L, 1), -100000, 100000);
    return 0;
}

static int health_set(lua_State *L) {
    check_live(L)->health = (int)CLAMP(check_finite(L, 1), 1, 999);
    return 0;
}

static const char *const modes[] = { "walk", "fly", "noclip", "spectate", NULL };    /* in SimMode's order */

static int mode_get(lua_State *L) { lua_pushstring(L, modes[mover_of(L)->mode]); return 1; }

static int mode_set(lua_State *L) {
    SimMode mode = (SimMode)check_option(L, 1, modes, "mode");
    engine_sim_mode(check_live(L)->scripts->engine, mode);
    return 0;
}

static const char *const teams[] = { "red", "blue", NULL };

static int team_get(lua_State *L) {
    int team = check_live(L)->team;
    if (team < 0)
        return 0;
    lua_pushstring(L, teams[team]);
    return 1;
}

static int team_set(lua_State *L) {
    Live *live = check_live(L);
    live->team = lua_isnil(L, 1) ? -1 : check_option(L, 1, teams, "team");
    return 0;
}

static const ScriptFunction functions[] = {
    { "teleport", player_teleport, "(p: point, angles?: point)", "Puts the player there, with velocity 0." },
    { "push", player_push, "(velocity: point)", "Sets the player's velocity: a jump pad's throw." },
    { "stun", player_stun, "(seconds: number)", "For so long the player only slides: after a teleport or a blow." },
    { "move", player_move, "(input?: table)", "How the player moves in the next steps: { forward, side, up, jump, crouch }; nil: by the keys again." },
    { "hurt", player_hurt, "(amount: number)", "Takes from the player's health; at 0 it is refilled." },
    { "give", player_give, "(item: string, count?: number)", "Adds to what the player carries." },
    { NULL, NULL, NULL, NULL },
};

static const ScriptProperty properties[] = {
    { "origin", origin_get, origin_set, "vec3", "Where the player is (24 above his feet)." },
    { "velocity", velocity_get, velocity_set, "vec3", "Units a second." },
    { "angles", angles_get, angles_set, "vec3", "Where the player looks." },
    { "on_ground", on_ground_get, NULL, "boolean", "Whether he stands on something." },
    { "water", water_get, NULL, "integer", "How deep he is in a liquid: 0 not, 1 feet, 2 waist, 3 eyes." },
    { "health", health_get, health_set, "integer", "100 at first." },
    { "gravity", gravity_get, gravity_set, "number", "What pulls him down, units a second each second: worldspawn's gravity, 800 without that key." },
    { "items", items_get, NULL, "table", "What he carries: counts by name." },
    { "mode", mode_get, mode_set, "string", "\"walk\", \"fly\" (the eye flies where it likes), \"noclip\" (goes through walls, touches nothing) or "
      "\"spectate\" (flies, stopped by walls; of triggers only teleporters and doors take notice)." },
    { "team", team_get, team_set, "string?", "\"red\" or \"blue\"; nil: of every team, so that what is for one only works." },
    { "entity", entity_get, NULL, "entity", "The player as an entity, as behaviours meet him." },
    { NULL, NULL, NULL, NULL, NULL },
};

const ScriptModule lw_player_module = {
    .name = "player",
    .help = "The one who walks through the level.",
    .functions = functions,
    .properties = properties,
};
