/* script/live.h -- entities that live: the simulation's, with behaviours in Lua and objects that scripts hold.
 *
 * A behaviour is a table of callbacks (spawn, think, touch, use, blocked, arrived, hurt, draw) for a classname or for all that
 * begin alike ("item_*"). Files of scripts/entities/ return them; lw.entities.behaviour defines one at run time. The
 * newest wins. An error in a callback stops that entity alone. */
#ifndef LEAFWALK_LIVE_H
#define LEAFWALK_LIVE_H

#include "script/host_internal.h"

typedef struct Behaviour {
    char *pattern;               /* classname, or its beginning where `prefix` */
    bool prefix;
    int table;                   /* reference */
    Version *version;            /* whose code it is; goes with it */
} Behaviour;

typedef struct LiveEntity {
    int object, own, keys;       /* references: the userdata, fields that scripts set, keys set at run time; LUA_NOREF: none */
    char *classname, *targetname, *target, *later;    /* later: which callback the next think is, NULL: think */
    bool stopped;                /* after an error */
    bool unborn, missed_think, missed_arrival;    /* what it failed in, or missed since: done when better code comes */
    bool begun;                  /* a behaviour's spawn was called for it */
} LiveEntity;

typedef struct Live {
    Scripts *scripts;
    unsigned map;                /* engine->map_generation that the entities belong to; 0: none */
    ARRAY(Behaviour) behaviours;
    ARRAY(LiveEntity) entities;  /* by number of the simulation */
    bool files_read;
    int depth, fired;            /* of targets within targets; fired in this step */
    int64_t fired_step;
    int health;
    int team;                    /* of the player: 0 red, 1 blue, -1 every */
    int items;                   /* reference to the player's table */
} Live;

Live *live_open(Scripts *scripts);
void live_close(Live *live);
void live_map(Live *live);                          /* a map was opened: its game begins, everything is spawned */
void live_draw(Live *live);                         /* the draw callbacks of visible entities */

void live_take(Live *live, Script *script);         /* a file of scripts/entities was (re)loaded: its classes */
void live_define(Live *live, Version *version, const char *classname, int table);    /* takes the reference */
void live_begin_waiting(Live *live, const Version *version);    /* entities whose behaviour has just been defined by it */
void live_file(Live *live, const char *path);       /* a file that no script knows has changed: perhaps a new class */
void live_forget(Live *live, const Version *version);
bool live_has_class(const Live *live, const char *classname);

/* The running game, or an error that names the binding. */
Live *check_live(lua_State *L);
int  live_spawn(Live *live, int lump);              /* number; the behaviour's spawn was not called; -1: too many */
void live_begin(Live *live, int entity);            /* keys into fields, then its spawn */
void live_restart(Live *live, int entity);          /* as if it had just been spawned, with the keys it has now */
void live_remove(Live *live, int entity);
const char *live_key(Live *live, int entity, const char *key);                    /* NULL: none; lent until the next call */
bool live_facing(Live *live, int entity, Vec3 *out);                              /* keys angle and angles, the later of them */
void live_set_key(Live *live, int entity, const char *key, const char *value);
void live_set_name(char **slot, const char *text);  /* NULL or "": none */

typedef struct LiveArgument { enum { LIVE_NOTHING, LIVE_ENTITY, LIVE_NUMBER } kind; int entity; double number; } LiveArgument;
void live_call(Live *live, int entity, const char *callback, LiveArgument argument);
void live_fire(Live *live, int entity, int activator);
bool live_push_behaviour(Live *live, int entity);   /* its behaviour's table on the top; false: none, nothing pushed */
void live_hurt_player(Live *live, double amount);   /* lw_player.c */

/* live_object.c */
typedef struct EntityObject { int number; unsigned generation, map; } EntityObject;
void live_object_open(lua_State *L);
extern const ScriptField entity_fields[];
extern const ScriptFunction entity_methods[];         /* of both classes: entities that live, and those of the lump */

/* lw_entities.c */
int lump_entity_key(lua_State *L);
int lump_entity_number(lua_State *L);
int lump_entity_vector(lua_State *L);
int lump_entity_facing(lua_State *L);

#endif
