/* sim/sim.h -- how the level changes: a clock of fixed steps, entities that move, think, touch and are used, and a player.
 *
 * The same calls in the same order give the same bits on every machine. What entities do is decided by behaviours (in
 * Lua), called through the function pointers of SimBehaviours; the simulation knows only places, boxes and times. Time is
 * step / SIM_RATE exactly, never a sum. */
#ifndef LEAFWALK_SIM_H
#define LEAFWALK_SIM_H

#include "bsp/bsp_areas.h"
#include "bsp/bsp_trace.h"
#include "sim/trajectory.h"

enum { SIM_RATE = 125 };              /* steps a second */
enum { SIM_PLAYER = 0 };              /* the player is entity 0 */
enum { SIM_MOST_ENTITIES = 1 << 16 };
enum { SIM_MOST_BUMPED = 32 };        /* solid entities that the player can meet in one step, as in the game */

typedef enum SimSolid { SIM_NONE, SIM_TRIGGER, SIM_BRUSH, SIM_BOX } SimSolid;    /* touches nobody; is touched; blocks as its brush model; as its box */

typedef struct SimEntity {
    bool alive;
    unsigned generation;
    int lump;                         /* which entity of the lump, -1: made at run time */
    Vec3 origin, angles, velocity;    /* of `move` and `turn` where they are not still */
    Trajectory move, turn;
    int model;                        /* brush model, -1: none */
    Box box;                          /* relative to the origin */
    Box absolute;                     /* in the level */
    SimSolid solid;
    uint32_t contents;                /* what traces find a SIM_BOX to be */
    bool visible;
    bool carries;                     /* moves riders and is stopped by what it cannot push: doors, plats, trains */
    double next_think;                /* seconds, 0: never */
    bool arriving;                    /* tell when `move` or `turn` ends */
    int ground;                       /* entity it stands on (or was let down on), -1: none or the world */
} SimEntity;

/* How a player wants to move: -1 .. 1 each. */
typedef struct SimInput { float forward, side, up; bool jump, crouch; Vec3 angles; } SimInput;
/* FLY: stopped by walls, met by nobody (where an eye flies as it likes, the player is put where it is); NOCLIP: stopped by
 * nothing; SPECTATE: as FLY, but touches triggers: which of them take spectators their behaviours decide. */
typedef enum SimMode { SIM_WALK, SIM_FLY, SIM_NOCLIP, SIM_SPECTATE } SimMode;

typedef struct SimPlayer {
    SimMode mode;
    SimInput input;
    bool on_ground, crouched, jump_held;
    int water_level;                  /* 0 dry, 1 feet, 2 waist, 3 eyes */
    uint32_t water_contents;
    double no_control_until;          /* after a teleport or a push */
    bool knocked;                     /* no friction meanwhile */
    float view_height;
    float speed;                      /* 320 */
} SimPlayer;

typedef struct SimBehaviours {        /* any may be NULL; `entity` numbers */
    void *user;
    void (*think)(void *user, int entity);
    void (*touch)(void *user, int entity, int other);
    void (*blocked)(void *user, int entity, int other);
    void (*arrived)(void *user, int entity);
} SimBehaviours;

/* An entity that shuts an area portal for as long as it stands there, in sight. */
typedef struct SimShutter { int entity; size_t portal; Vec3 origin, angles; } SimShutter;

typedef struct Sim {
    const Map *map;
    const Collision *collision;
    ARRAY(SimEntity) entities;
    ARRAY(int) free;
    ARRAY(int) boxes;                 /* those of SIM_BOX or on something when the step began: whom carriers push or take along */
    SimPlayer player;
    int bumped[SIM_MOST_BUMPED], bumped_count;    /* solid entities that the player met in this step: they are touched */
    BspAreas areas;
    ARRAY(SimShutter) shutters;
    SimBehaviours behaviours;
    int64_t step;
    double time;                      /* step / SIM_RATE */
    float gravity;                    /* worldspawn's, 800 */
} Sim;

Sim *sim_open(const Map *map, const Collision *collision, const SimBehaviours *behaviours);    /* both are lent; behaviours may be NULL */
void sim_close(Sim *sim);
void sim_step(Sim *sim);              /* one step of the clock */

int  sim_spawn(Sim *sim);             /* a new entity, all zero but alive and visible; -1: there are SIM_MOST_ENTITIES */
void sim_remove(Sim *sim, int entity);
SimEntity *sim_entity(Sim *sim, int entity);    /* lent until the next sim_spawn */
int  sim_count(const Sim *sim);       /* entities ever used: numbers are below it */
void sim_set_model(Sim *sim, int entity, int model);    /* its box is the model's, spread by a unit as in the game */
void sim_place(Sim *sim, int entity, Vec3 origin, Vec3 angles);    /* stands there now, still */
/* From now on the entity shuts every area portal that its box touches at `origin`, while it stands exactly there (and in
 * nothing that was said before). Several may shut one: it is open while one of them is away. Returns how many it touches. */
int  sim_shuts(Sim *sim, int entity, Vec3 origin);
void sim_shuts_nothing(Sim *sim, int entity);
void sim_find_shut(Sim *sim);         /* sim->areas as entities stand now */
void sim_link(Sim *sim, int entity);  /* works out `absolute` after a change of origin, angles or box */

/* Through the world and entities of SIM_BRUSH and SIM_BOX; `ignore` (-1: none) is left out; *entity: who was hit, -1. */
Trace sim_trace(const Sim *sim, const TraceQuery *query, int ignore, int *entity);
uint32_t sim_contents(const Sim *sim, Vec3 point);
int  sim_touching(const Sim *sim, Box box, int *out, int room);    /* triggers whose volume the box touches, ascending */
bool sim_in_entity(const Sim *sim, int entity, Box box);           /* by its brushes where it has a brush model */

void sim_player_teleport(Sim *sim, Vec3 origin, const Vec3 *angles);    /* velocity 0; angles may be NULL */
Vec3 sim_player_eye(const Sim *sim);
uint64_t sim_hash(const Sim *sim);    /* of all that the next step depends on */

#endif
