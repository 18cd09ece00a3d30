/* engine/engine.h -- the running program: one level on screen, its scene, its clock, its renderers.
 *
 * The app opens an Engine and drives it; scripts reach everything through it. One thread owns it. */
#ifndef LEAFWALK_ENGINE_H
#define LEAFWALK_ENGINE_H

#include "assets/assets.h"
#include "assets/font.h"
#include "assets/sound.h"
#include "base/jobs.h"
#include "base/table.h"
#include "base/vars.h"
#include "engine/console.h"
#include "files/files.h"
#include "files/watch.h"
#include "platform/audio.h"
#include "platform/platform.h"
#include "render/renderer.h"
#include "scene/flares.h"
#include "scene/lights.h"
#include "scene/particles.h"
#include "scene/scene.h"
#include "sim/sim.h"

/* A level in memory, with all that belongs to it in an arena of its own. */
typedef struct OpenLevel {
    Arena *arena, *geometry_arena;   /* the triangles have their own: another r.subdivisions makes them anew */
    Arena *looks_arena;              /* what its materials look like; NULL: not asked for */
    Map *map;
    Level level;
    bool textures_wanted;            /* its pictures were asked for: false as long as nothing draws */
    char *path;                      /* on the disk where it can be watched, else as on the search path */
    const Collision *collision;      /* curves as traces meet them; NULL until engine_collision */
} OpenLevel;

typedef struct EngineClock {
    double now;                      /* seconds since the map opened: the materials' and the scripts' time */
    double delta;                    /* seconds of the last frame, after scale */
    int64_t frame;                   /* 0 in the first frame after the map opened */
    double scale;                    /* 1 */
    bool paused;
    bool ticked;                     /* frame 0 was reached */
} EngineClock;

/* How the eye is moved when no script owns it. */
typedef struct EngineFly { bool forward, back, left, right, up, down, fast; double speed; } EngineFly;

typedef struct EngineFont { Font *font; int texture; } EngineFont;    /* texture 0: not asked for yet */

/* What sounds now, by entity; it ends with a loop's entity, or at `ends`. */
typedef struct EngineSound {
    unsigned id;
    int entity;
    unsigned generation;
    const Sound *sound;
    Vec3 origin;
    bool loop, everywhere;
    double ends;
} EngineSound;

typedef struct EngineSoundFile { const Sound *sound; } EngineSoundFile;    /* NULL: it could not be read */

typedef struct EngineSounds {
    bool hears;                      /* the window does */
    bool tried;                      /* to open a device */
    Audio *audio;                    /* NULL: there is none */
    ARRAY(EngineSound) list;
    unsigned last_id;
    Table by_name;                   /* EngineSoundFile */
    Arena *arena;
} EngineSounds;

typedef struct EngineSetup {
    int threads;                     /* 0: the machine's */
    const char *data_folder;         /* scripts/ shaders/ fonts/ maps/ are in it */
    const char *build_folder;        /* its fonts/ too */
    const char *version;             /* of the program, for files that say what they were made by; NULL: not known */
    const char *writable;            /* NULL: nothing can be written */
    const char *game;                /* --game: "openarena", "nexuiz", a folder; NULL: none */
    const char *const *paths; int path_count;    /* --path: folders and archives, later ones win */
    Vars *vars;                      /* owned by the caller; may already hold what --set said */
    const Log *log;
    bool watch;                      /* watch opened files for changes */
} EngineSetup;

typedef struct Engine {
    Vars *vars;
    Jobs *jobs;
    Files *files;
    Watch *watch;                    /* NULL: nothing is watched */
    Assets *assets;
    ModelSet *models;                /* MD3s by name */
    Console *console;
    const Log *log;
    EngineSetup setup;
    Platform *platform;              /* NULL until a window or a GL context was asked for */

    OpenLevel *current;              /* NULL: no level */
    unsigned map_generation;         /* grows when another level is opened: tickets of scripts */
    Scene scene;
    Particles particles;             /* of the level on screen, as are the lights */
    Lights lights;
    struct { Flares seen; int texture; unsigned materials; } flares;    /* as the eye sees them; their picture, 0: not asked for; of which version of the materials */
    bool eye_owned;                  /* a script set the eye and has not freed it */
    EngineFly fly;
    EngineClock clock;
    Sim *sim;                        /* the game; NULL where no script runs */
    struct { bool given; SimInput input; } player_input;    /* a script's, in place of the keys */
    bool stepping;                   /* inside a step of the game: the level must stay */
    Vec3 player_angles;              /* where the player looks; the eye's while he flies */
    /* In the window the walking eye goes smoothly between the game's steps, and over stairs; elsewhere it is exact. */
    struct { bool on; Vec3 before; float lag; } eye_smooth;    /* the eye one step ago; how far it hangs below a stair */
    Frame frame;                     /* the one being filled, or drawn last */
    Shade shade;

    const RendererKind *renderer;    /* the current one; NULL until engine_use_renderer */
    struct { const RendererKind *kind; void *self; unsigned serial; } renderers[4];    /* serial: of the level it has */
    struct { bool on, held; float divider; Image picture; } compare;    /* side by side; divider: 0 left .. 1 right */
    unsigned level_serial;           /* the last one given */
    unsigned subdivisions_version, fov_version;    /* of the variables, as last acted on */
    EngineSounds sounds;
    bool quit;                       /* `quit` was said */
    ARRAY(EngineFont) fonts;
    struct EngineVars {
        Var *volume, *map_ent, *overbright, *gamma, *subdivisions, *areas, *flares, *fov, *fly_speed, *sensitivity, *vsync;
    } var;
} Engine;

Engine *engine_open(const EngineSetup *setup, Error *error);    /* defines the program's variables and commands */
void    engine_close(Engine *engine);

/* MAP as users write it: a path to a .bsp, "oa_dm1", "maps/oa_dm1" or "maps/oa_dm1.bsp" on the search path (the program's
 * own maps/ folder counts). A .map is refused in words. */
OpenLevel *engine_load_level(Engine *engine, const char *map, Error *error);    /* beside the one on screen; materials and textures are not asked for */
void engine_close_level(Engine *engine, OpenLevel *level);
bool engine_open_map(Engine *engine, const char *map, Error *error);            /* the old one stays when it fails; the clock starts at 0, the eye at bsp_start_eye */
bool engine_reload_map(Engine *engine, Error *error);                           /* same name: eye and clock stay */
/* What a file that changed on the disk means to level, pictures and renderers. Scripts are told by the app. */
void engine_file_changed(Engine *engine, const char *path);
bool engine_override_material(Engine *engine, const char *name, const char *text, Text *told, Error *error);    /* as materials_override; the level shows it at once */
/* "did you mean" for a level that is not there: adds up to three names near to `map`, ", " between them. */
void engine_near_maps(Engine *engine, const char *map, Text *out);
bool engine_map_exists(Engine *engine, const char *map);
int  engine_map_names(Engine *engine, Arena *arena, const char ***out);         /* levels on the search path, sorted */

bool engine_use_renderer(Engine *engine, const char *name, Error *error);       /* "gl" | "soft" | "null"; opens what it needs */
void *engine_renderer_self(Engine *engine, const RendererKind *kind);           /* NULL: not open */
/* Shows what gl (left) and the software rasterizer (right of a divider that the mouse drags) make of the same frame. */
bool engine_compare(Engine *engine, bool on, Error *error);
bool engine_compare_click(Engine *engine, float x, bool down);    /* the first mouse button; true: the divider took it */
bool engine_open_renderer(Engine *engine, const char *name, Error *error);      /* without using it: its variables are there then */
bool engine_window(Engine *engine, int width, int height, Error *error);        /* opens the window */

/* A frame: begin fills it from the scene; scripts add to it; draw hands it to the current renderer. */
void engine_tick(Engine *engine, double seconds);                 /* clock, flying, decoded textures; `seconds` of real time */
void engine_frame_begin(Engine *engine, int width, int height);
bool engine_frame_draw(Engine *engine, Error *error);
bool engine_frame_pixels(Engine *engine, Image *out, Error *error);

/* The last frame drawn, as a PNG in the writable folder: `name` (NULL: screenshots/MAP-NUMBER.png); `written`, if given,
 * gets the path on the disk. */
bool engine_screenshot(Engine *engine, const char *name, Text *written, Error *error);

/* One picture beside the running frames (lw.raster.render, screenshots of other sizes). NULL renderer: the current one. */
typedef struct RenderRequest {
    const char *renderer; Vec3 origin, angles; float fov; int width, height; Shade shade;
    bool (*fill)(void *user, Error *error); void *user;    /* may be NULL; adds to engine->frame, which is this picture's meanwhile; false: refused */
} RenderRequest;
bool engine_render(Engine *engine, const RenderRequest *request, Image *out, Error *error);

/* A font by name and size from the program's and the user's fonts/; opened once, kept. "" is the default. NULL: error. */
const Font *engine_font(Engine *engine, const char *name, float size, Error *error);
int engine_font_texture(Engine *engine, const Font *font);       /* its atlas's number in assets */
/* Letters into the frame's 2D list; x, y is the top left; returns the width. */
float engine_text(Engine *engine, const Font *font, float x, float y, const char *text, Rgba color, const int clip[4]);

/* The game of the level on screen. It goes with the engine's clock: engine_tick runs the steps that became due (at most a
 * second's), engine_sim_step some more at once, which the clock then has too. Brush models stand where its entities do. */
bool engine_sim_open(Engine *engine, const SimBehaviours *behaviours, Error *error);    /* anew; false: no level */
void engine_sim_close(Engine *engine);
void engine_sim_step(Engine *engine, int steps);
void engine_sim_show(Engine *engine);                            /* brush models stand where entities were put without a step */
const BspAreas *engine_areas(const Engine *engine);              /* what shut doors hide; NULL: nothing */
void engine_sim_mode(Engine *engine, SimMode mode);              /* the player takes the eye's place, or the eye the player's */
const Collision *engine_collision(OpenLevel *level);
void engine_teleport(Engine *engine, Vec3 origin, Vec3 angles);    /* the player, and the eye that is his */

/* A WAV file of the search path, from where an entity is, once or for ever; `everywhere`: as loud in every place. */
void engine_sound_play(Engine *engine, int entity, const char *name, bool loop, bool everywhere);
void engine_sound_stop(Engine *engine, int entity);              /* all that the entity plays */

/* The mouse, while it is grabbed and no script owns the eye, turns it; the wheel changes the speed. */
void engine_mouse(Engine *engine, float dx, float dy);
void engine_wheel(Engine *engine, float notches);

#endif
