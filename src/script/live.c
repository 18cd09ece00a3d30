/* script/live.c -- behaviours by classname, entities by number, and the calls between simulation and Lua. */
#include "script/live.h"

#include <stdio.h>

enum { DEPTH_MOST = 32, FIRED_MOST = 4096 };    /* links may run in circles: legal input, with an end */

void live_set_name(char **slot, const char *text) {
    char *copy = text && *text ? host_text(text) : NULL;
    mem_free(*slot);
    *slot = copy;
}

/* ---- behaviours ---- */

static void behaviour_free(lua_State *L, Behaviour *behaviour) {
    luaL_unref(L, LUA_REGISTRYINDEX, behaviour->table);
    mem_free(behaviour->pattern);
}

void live_define(Live *live, Version *version, const char *classname, int table) {
    size_t length = strlen(classname);
    Behaviour made = { .pattern = host_text(classname), .table = table, .version = version };
    made.prefix = length && classname[length - 1] == '*';
    if (made.prefix)
        made.pattern[length - 1] = 0;
    for (size_t i = 0; i < live->behaviours.count; i++) {
        Behaviour *old = &live->behaviours.at[i];
        if (old->version == version && old->prefix == made.prefix && strcmp(old->pattern, made.pattern) == 0) {
            behaviour_free(live->scripts->L, old);
            *old = made;
            return;
        }
    }
    *array_push(&live->behaviours) = made;
}

void live_forget(Live *live, const Version *version) {
    size_t kept = 0;
    for (size_t i = 0; i < live->behaviours.count; i++) {
        if (live->behaviours.at[i].version == version)
            behaviour_free(live->scripts->L, &live->behaviours.at[i]);
        else
            live->behaviours.at[kept++] = live->behaviours.at[i];
    }
    live->behaviours.count = kept;
}

/* A whole name goes before beginnings, a longer beginning before a shorter one, a newer definition before an older. */
static const Behaviour *find_behaviour(const Live *live, const char *classname) {
    const Behaviour *best = NULL;
    size_t best_length = 0;
    for (size_t i = live->behaviours.count; i-- > 0;) {
        const Behaviour *behaviour = &live->behaviours.at[i];
        size_t length = strlen(behaviour->pattern);
        if (!behaviour->prefix && strcmp(behaviour->pattern, classname) == 0)
            return behaviour;
        if (behaviour->prefix && strncmp(behaviour->pattern, classname, length) == 0 && (!best || length > best_length)) {
            best = behaviour;
            best_length = length;
        }
    }
    return best;
}

bool live_has_class(const Live *live, const char *classname) { return find_behaviour(live, classname) != NULL; }

static char *file_class(const char *path) {
    const char *slash = strrchr(path, '/');
    char *name = host_text(slash ? slash + 1 : path);
    name[strlen(name) - strlen(".lua")] = 0;
    return name;
}

static void on_arrived(void *user, int entity);

typedef struct Take { Live *live; Script *script; } Take;

static int take_body(lua_State *L) {
    const Take *take = lua_touserdata(L, 1);
    Version *version = take->script->version;
    lua_rawgeti(L, LUA_REGISTRYINDEX, version->callbacks);
    if (lua_getfield(L, 2, "classes") != LUA_TTABLE) {
        char *name = file_class(take->script->path);
        lua_pushvalue(L, 2);
        live_define(take->live, version, name, luaL_ref(L, LUA_REGISTRYINDEX));
        mem_free(name);
        return 0;
    }
    lua_Integer count = (lua_Integer)lua_rawlen(L, 3);
    for (lua_Integer i = 1; i <= count; i++) {
        if (lua_rawgeti(L, 3, i) != LUA_TSTRING)
            return luaL_error(L, "its 'classes' is a list of classnames; place %d is a %s", (int)i, luaL_typename(L, -1));
        lua_pushvalue(L, 2);
        int table = luaL_ref(L, LUA_REGISTRYINDEX);
        live_define(take->live, version, lua_tostring(L, -1), table);
        lua_pop(L, 1);
    }
    return 0;
}

/* What an error had stopped goes on: who failed to be born is born, and what came due meanwhile is done now. */
static void go_on(Live *live, int entity) {
    LiveEntity *slot = &live->entities.at[entity];
    Sim *sim = live->scripts->engine->sim;
    bool unborn = slot->unborn, thinks = slot->missed_think, arrives = slot->missed_arrival;
    slot->stopped = slot->unborn = slot->missed_think = slot->missed_arrival = false;
    if (unborn) {
        live_restart(live, entity);
        return;
    }
    if (thinks && sim_entity(sim, entity)->next_think <= 0)
        sim_entity(sim, entity)->next_think = sim->time + 0.5 / SIM_RATE;
    if (arrives)
        on_arrived(live, entity);
}

static void start_again(Live *live, const Version *version) {
    const Engine *engine = live->scripts->engine;
    for (int i = 0; engine->sim && live->map == engine->map_generation && i < (int)live->entities.count; i++) {
        const LiveEntity *entity = &live->entities.at[i];
        const Behaviour *behaviour = entity->stopped && entity->classname ? find_behaviour(live, entity->classname) : NULL;
        if (behaviour && behaviour->version == version && sim_entity(engine->sim, i)->alive)
            go_on(live, i);
    }
}

/* Whether its class has something to do when it comes to life. */
static bool can_begin(Live *live, int entity) {
    lua_State *L = live->scripts->L;
    if (!live_push_behaviour(live, entity))
        return false;
    lua_pushliteral(L, "spawn");
    bool can = lua_rawget(L, -2) != LUA_TNIL;
    lua_pop(L, 2);
    return can;
}

static void begin(Live *live, int entity) {
    live->entities.at[entity].begun = can_begin(live, entity);
    if (!live->entities.at[entity].begun)
        return;
    live_call(live, entity, "spawn", (LiveArgument){ LIVE_NOTHING, 0, 0 });
    if ((size_t)entity < live->entities.count)
        live->entities.at[entity].unborn = live->entities.at[entity].stopped;
}

/* Entities that waited for a behaviour begin when it comes, or go on. */
void live_begin_waiting(Live *live, const Version *version) {
    const Engine *engine = live->scripts->engine;
    if (!engine->sim || live->map != engine->map_generation)
        return;
    start_again(live, version);
    int count = sim_count(engine->sim);
    for (int i = 1; i < count && live->map == engine->map_generation; i++) {
        const LiveEntity *slot = &live->entities.at[i];
        bool waits = sim_entity(engine->sim, i)->alive && slot->classname && !slot->begun && !slot->stopped;
        const Behaviour *behaviour = waits ? find_behaviour(live, slot->classname) : NULL;
        if (behaviour && behaviour->version == version)
            begin(live, i);
    }
}

void live_take(Live *live, Script *script) {
    Take take = { live, script };
    if (!host_run(live->scripts, script->version, "its classes", take_body, &take))
        trouble_report(live->scripts, script, true);
    live_begin_waiting(live, script->version);
}

/* A file of its own for that class may come while the program runs. */
static void watch_for_class(Live *live, const char *classname) {
    const Engine *engine = live->scripts->engine;
    size_t length = strlen(classname);
    bool plain = length > 0 && length < 64 && strspn(classname, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == length;
    if (!engine->watch || !engine->setup.data_folder || !plain)
        return;
    Text path = { 0 };
    text_format(&path, "%s/scripts/entities/%s.lua", engine->setup.data_folder, classname);
    if (!file_exists_disk(text_of(&path)))
        watch_add(engine->watch, text_of(&path));
    text_free(&path);
}

void live_file(Live *live, const char *path) {
    const char *data = live->scripts->engine->setup.data_folder;
    if (!data || !text_ends_fold(path, ".lua") || !file_exists_disk(path))
        return;
    Text folder = { 0 };
    text_format(&folder, "%s/scripts/entities/", data);
    if (strncmp(path, text_of(&folder), folder.count) == 0 && !strchr(path + folder.count, '/'))
        scripts_add_behaviour(live->scripts, path);
    text_free(&folder);
}

/* Every file of the program's scripts/entities, in order of name. */
static void read_files(Live *live) {
    live->files_read = true;
    const char *data = live->scripts->engine->setup.data_folder;
    if (!data)
        return;
    Arena *arena = arena_open();
    char *folder = arena_format(arena, "%s/scripts/entities", data);
    const char **names;
    int count = file_list_disk(folder, ".lua", arena, &names);
    for (int i = 0; i < count; i++)
        scripts_add_behaviour(live->scripts, arena_format(arena, "%s/%s", folder, names[i]));
    arena_close(arena);
}

/* ---- entities ---- */

Live *live_open(Scripts *scripts) {
    Live *live = mem_zeroed(1, sizeof *live);
    live->scripts = scripts;
    live->items = LUA_NOREF;
    live->team = -1;
    return live;
}

static void entity_free(lua_State *L, LiveEntity *entity) {
    const int references[] = { entity->object, entity->own, entity->keys };
    for (int i = 0; i < COUNT_OF(references); i++)
        luaL_unref(L, LUA_REGISTRYINDEX, references[i]);
    mem_free(entity->classname);
    mem_free(entity->targetname);
    mem_free(entity->target);
    mem_free(entity->later);
    *entity = (LiveEntity){ .object = LUA_NOREF, .own = LUA_NOREF, .keys = LUA_NOREF };
}

static void forget_entities(Live *live) {
    for (size_t i = 0; i < live->entities.count; i++)
        entity_free(live->scripts->L, &live->entities.at[i]);
    array_clear(&live->entities);
    luaL_unref(live->scripts->L, LUA_REGISTRYINDEX, live->items);
    live->items = LUA_NOREF;
    live->map = 0;
}

void live_close(Live *live) {
    if (!live)
        return;
    if (live->map)
        engine_sim_close(live->scripts->engine);
    forget_entities(live);
    while (live->behaviours.count)
        behaviour_free(live->scripts->L, &live->behaviours.at[--live->behaviours.count]);
    array_free(&live->entities);
    array_free(&live->behaviours);
    mem_free(live);
}

Live *check_live(lua_State *L) {
    Live *live = scripts_of(L)->live;
    Engine *engine = engine_of(L);
    if (!live || !engine->sim || live->map != engine->map_generation)
        luaL_error(L, "'%s' needs a game, and none runs (it begins when the map's opening is over)", script_name_of(L));
    return live;
}

static LiveEntity *slot_of(Live *live, int entity) {
    while (live->entities.count <= (size_t)entity)
        *array_push(&live->entities) = (LiveEntity){ .object = LUA_NOREF, .own = LUA_NOREF, .keys = LUA_NOREF };
    return &live->entities.at[entity];
}

int live_spawn(Live *live, int lump) {
    Sim *sim = live->scripts->engine->sim;
    int number = sim_spawn(sim);
    if (number < 0)
        return -1;
    sim_entity(sim, number)->lump = lump;
    entity_free(live->scripts->L, slot_of(live, number));
    return number;
}

void live_remove(Live *live, int entity) {
    Sim *sim = live->scripts->engine->sim;
    if (entity == SIM_PLAYER || !sim_entity(sim, entity)->alive)
        return;
    sim_remove(sim, entity);
    entity_free(live->scripts->L, &live->entities.at[entity]);
}

typedef struct KeyCall { int table; const char *key, *value; } KeyCall;

static int set_key_body(lua_State *L) {
    const KeyCall *call = lua_touserdata(L, 1);
    lua_rawgeti(L, LUA_REGISTRYINDEX, call->table);
    lua_pushstring(L, call->value);
    lua_setfield(L, -2, call->key);
    const char *other = strcmp(call->key, "angle") == 0 ? "angles" : strcmp(call->key, "angles") == 0 ? "angle" : NULL;
    if (other) {    /* both say where it looks: the later counts */
        lua_pushnil(L);
        lua_setfield(L, -2, other);
    }
    return 0;
}

static void lower(char *out, size_t room, const char *text) {
    text_copy(out, room, text);
    for (; *out; out++)
        *out = text_lower(*out);
}

void live_set_key(Live *live, int entity, const char *key, const char *value) {
    lua_State *L = live->scripts->L;
    LiveEntity *slot = &live->entities.at[entity];
    char name[256];
    lower(name, sizeof name, key);
    if (slot->keys == LUA_NOREF) {
        lua_newtable(L);
        slot->keys = luaL_ref(L, LUA_REGISTRYINDEX);
    }
    KeyCall call = { slot->keys, name, value };
    host_run(live->scripts, live->scripts->running, "setting a key", set_key_body, &call);
    if (strcmp(name, "targetname") == 0)
        live_set_name(&slot->targetname, value);
    else if (strcmp(name, "target") == 0)
        live_set_name(&slot->target, value);
    else if (strcmp(name, "classname") == 0)
        live_set_name(&slot->classname, value);
}

static const char *run_time_key(Live *live, int entity, const char *key) {
    lua_State *L = live->scripts->L;
    const LiveEntity *slot = &live->entities.at[entity];
    if (slot->keys == LUA_NOREF)
        return NULL;
    char name[256];
    lower(name, sizeof name, key);
    lua_rawgeti(L, LUA_REGISTRYINDEX, slot->keys);
    lua_pushstring(L, name);
    lua_rawget(L, -2);
    const char *value = lua_tostring(L, -1);    /* kept alive by the table */
    lua_pop(L, 2);
    return value;
}

const char *live_key(Live *live, int entity, const char *key) {
    const char *value = run_time_key(live, entity, key);
    if (value)
        return value;
    const Engine *engine = live->scripts->engine;
    int lump = engine->sim->entities.at[entity].lump;
    return lump >= 0 ? bsp_entity_value(&engine->current->map->entities[lump], key) : NULL;
}

static Vec3 vector_key(Live *live, int entity, const char *key) {
    Vec3 out = { 0 };
    const char *value = live_key(live, entity, key);
    if (value)
        text_vector(value, out.raw, 3);
    return vec3_finite(out) ? out : vec3_at(0, 0, 0);
}

/* Keys set at run time go before the level's own; set_key lets the later one of the two count. */
bool live_facing(Live *live, int entity, Vec3 *out) {
    const Engine *engine = live->scripts->engine;
    BspPair pairs[2];
    int count = 0, lump = engine->sim->entities.at[entity].lump;
    static const char *const names[] = { "angle", "angles" };
    for (int i = 0; i < COUNT_OF(names); i++) {
        const char *value = run_time_key(live, entity, names[i]);
        if (value)
            pairs[count++] = (BspPair){ names[i], value };
    }
    const BspEntity own = { pairs, count };
    *out = vec3_at(0, 0, 0);
    if (count)
        return bsp_entity_angles(&own, out);
    return lump >= 0 && bsp_entity_angles(&engine->current->map->entities[lump], out);
}

void live_begin(Live *live, int entity) {
    Engine *engine = live->scripts->engine;
    LiveEntity *slot = &live->entities.at[entity];
    const char *classname = live_key(live, entity, "classname");
    live_set_name(&slot->classname, classname ? classname : "noclass");
    live_set_name(&slot->targetname, live_key(live, entity, "targetname"));
    live_set_name(&slot->target, live_key(live, entity, "target"));
    const char *model = live_key(live, entity, "model");
    if (model && model[0] == '*') {
        int number = (int)text_number(model + 1, NULL);
        if (number > 0 && number < engine->current->map->model_count)
            sim_set_model(engine->sim, entity, number);
    }
    SimEntity *self = sim_entity(engine->sim, entity);
    self->visible = self->model >= 0;    /* what nobody knows stays inert, and unseen unless the level drew it */
    Vec3 facing;
    live_facing(live, entity, &facing);
    Vec3 angles = self->model >= 0 ? vec3_at(0, 0, 0) : facing;    /* of a brush model they are a direction */
    sim_place(engine->sim, entity, vector_key(live, entity, "origin"), angles);
    watch_for_class(live, slot->classname);
    begin(live, entity);
}

void live_restart(Live *live, int entity) {
    SimEntity *self = sim_entity(live->scripts->engine->sim, entity);
    *self = (SimEntity){ .alive = true, .generation = self->generation, .lump = self->lump, .model = -1, .visible = true, .ground = -1 };
    LiveEntity *slot = &live->entities.at[entity];
    luaL_unref(live->scripts->L, LUA_REGISTRYINDEX, slot->own);
    slot->own = LUA_NOREF;
    slot->stopped = slot->unborn = slot->missed_think = slot->missed_arrival = false;
    live_set_name(&slot->later, NULL);
    sim_shuts_nothing(live->scripts->engine->sim, entity);
    engine_sound_stop(live->scripts->engine, entity);
    live_begin(live, entity);
}

/* ---- calls ---- */

bool live_push_behaviour(Live *live, int entity) {
    const LiveEntity *slot = &live->entities.at[entity];
    const Behaviour *behaviour = slot->classname ? find_behaviour(live, slot->classname) : NULL;
    if (behaviour)
        lua_rawgeti(live->scripts->L, LUA_REGISTRYINDEX, behaviour->table);
    return behaviour != NULL;
}

typedef struct EntityCall { Live *live; const Behaviour *behaviour; int entity; const char *callback; LiveArgument argument; } EntityCall;

static int call_body(lua_State *L) {
    const EntityCall *call = lua_touserdata(L, 1);
    lua_rawgeti(L, LUA_REGISTRYINDEX, call->behaviour->table);
    if (lua_getfield(L, -1, call->callback) == LUA_TNIL)
        return 0;
    push_entity(L, call->entity);
    int count = 1;
    if (call->argument.kind == LIVE_ENTITY) {
        push_entity(L, call->argument.entity);
        count++;
    } else if (call->argument.kind == LIVE_NUMBER) {
        lua_pushnumber(L, call->argument.number);
        count++;
    }
    lua_call(L, count, 0);
    return 0;
}

void live_call(Live *live, int entity, const char *callback, LiveArgument argument) {
    LiveEntity *slot = &live->entities.at[entity];
    if (slot->stopped || !slot->classname)
        return;
    const Behaviour *behaviour = find_behaviour(live, slot->classname);
    if (!behaviour)
        return;
    char what[256];
    snprintf(what, sizeof what, "%s of entity %d (%s)", callback, entity, slot->classname);
    EntityCall call = { live, behaviour, entity, callback, argument };
    Script *script = behaviour->version->script;
    if (host_run(live->scripts, behaviour->version, what, call_body, &call))
        return;
    Text message = { 0 };
    text_format(&message, "%s: %s", what, text_of(&live->scripts->message));
    live->scripts->message.count = 0;
    text_add(&live->scripts->message, text_of(&message));
    text_free(&message);
    trouble_report(live->scripts, script, false);
    if ((size_t)entity < live->entities.count)
        live->entities.at[entity].stopped = true;    /* the others live on; a reload of its file starts it again */
}

static void on_think(void *user, int entity) {
    Live *live = user;
    LiveEntity *slot = &live->entities.at[entity];
    char later[128];
    text_copy(later, sizeof later, slot->later ? slot->later : "think");
    live_set_name(&slot->later, NULL);
    live_call(live, entity, later, (LiveArgument){ LIVE_NOTHING, 0, 0 });
    slot = &live->entities.at[entity];
    if (!slot->stopped || live->scripts->engine->sim->entities.at[entity].next_think > 0)
        return;
    slot->missed_think = true;
    live_set_name(&slot->later, later);
}

/* A player who spectates is felt by those behaviours only that say so: `spectators = true`. */
static bool feels_spectators(Live *live, int entity) {
    lua_State *L = live->scripts->L;
    if (!live_push_behaviour(live, entity))
        return false;
    lua_pushliteral(L, "spectators");
    lua_rawget(L, -2);
    bool feels = lua_toboolean(L, -1);
    lua_pop(L, 2);
    return feels;
}

static void on_touch(void *user, int entity, int other) {
    Live *live = user;
    bool spectates = other == SIM_PLAYER && live->scripts->engine->sim->player.mode == SIM_SPECTATE;
    if (!spectates || feels_spectators(live, entity))
        live_call(live, entity, "touch", (LiveArgument){ LIVE_ENTITY, other, 0 });
}

static void on_blocked(void *user, int entity, int other) { live_call(user, entity, "blocked", (LiveArgument){ LIVE_ENTITY, other, 0 }); }
static void on_arrived(void *user, int entity) {
    Live *live = user;
    live_call(live, entity, "arrived", (LiveArgument){ LIVE_NOTHING, 0, 0 });
    live->entities.at[entity].missed_arrival = live->entities.at[entity].stopped;
}

static bool may_fire(Live *live, int entity) {
    Sim *sim = live->scripts->engine->sim;
    if (live->fired_step != sim->step)
        live->fired = 0;
    live->fired_step = sim->step;
    live->fired++;
    if (live->fired == FIRED_MOST || live->depth == DEPTH_MOST)
        log_warn(live->scripts->engine->log, "entity %d (%s): its targets fire in a circle (target \"%s\"): stopped for this step",
                 entity, live->entities.at[entity].classname, live->entities.at[entity].target);
    return live->fired < FIRED_MOST && live->depth < DEPTH_MOST;
}

void live_fire(Live *live, int entity, int activator) {
    if (!live->entities.at[entity].target || !may_fire(live, entity))
        return;
    char target[256];
    text_copy(target, sizeof target, live->entities.at[entity].target);
    Sim *sim = live->scripts->engine->sim;
    live->depth++;
    int count = sim_count(sim);    /* what is spawned meanwhile is not fired */
    for (int i = 0; i < count && live->scripts->engine->sim == sim; i++) {
        const LiveEntity *slot = &live->entities.at[i];
        if (sim_entity(sim, i)->alive && slot->targetname && text_same(slot->targetname, target))
            live_call(live, i, "use", (LiveArgument){ LIVE_ENTITY, activator, 0 });
    }
    live->depth--;
}

void live_draw(Live *live) {
    Engine *engine = live->scripts->engine;
    if (!engine->sim || live->map != engine->map_generation)
        return;
    for (int i = 0; i < sim_count(engine->sim); i++)
        if (sim_entity(engine->sim, i)->alive && sim_entity(engine->sim, i)->visible && i != SIM_PLAYER)
            live_call(live, i, "draw", (LiveArgument){ LIVE_NOTHING, 0, 0 });
}

/* ---- a map begins ---- */

/* On the floor under the first start, nine units above its origin at most, as the game drops players there. */
static void place_player(Live *live) {
    Engine *engine = live->scripts->engine;
    Vec3 origin, angles;
    bsp_start_eye(engine->current->map, &origin, &angles);
    origin.z += 9 - 26;
    SimEntity *player = sim_entity(engine->sim, SIM_PLAYER);
    TraceQuery query = { .from = origin, .to = origin, .box = player->box, .mask = MASK_PLAYERSOLID };
    query.to.z -= 64;
    Trace floor = bsp_trace(engine->current->map, engine->sim->collision, &query);
    if (!floor.start_solid && floor.fraction < 1)
        origin = floor.endpos;
    engine->player_angles = angles;
    sim_player_teleport(engine->sim, origin, &angles);
}

void live_map(Live *live) {
    Engine *engine = live->scripts->engine;
    if (!engine->current || live->map == engine->map_generation)
        return;
    SimBehaviours behaviours = { live, on_think, on_touch, on_blocked, on_arrived };
    forget_entities(live);
    engine_sim_open(engine, &behaviours, NULL);
    live->map = engine->map_generation;
    live->health = 100;
    live->team = -1;
    engine->sim->player.mode = live->scripts->setup.flies ? SIM_FLY : SIM_WALK;
    live_set_name(&slot_of(live, SIM_PLAYER)->classname, "player");
    place_player(live);
    if (!live->files_read)
        read_files(live);
    const Map *map = engine->current->map;
    ARRAY(int) made = { 0 };
    for (int i = 0; i < map->entity_count; i++) {
        int number = live_spawn(live, i);
        if (number >= 0)
            *array_push(&made) = number;
    }
    for (size_t i = 0; i < made.count && live->map == engine->map_generation; i++)
        if (sim_entity(engine->sim, made.at[i])->alive)
            live_begin(live, made.at[i]);
    array_free(&made);
    engine_sim_show(engine);
}
