/* engine/engine_internal.h -- what the files of the engine share. */
#ifndef LEAFWALK_ENGINE_INTERNAL_H
#define LEAFWALK_ENGINE_INTERNAL_H

#include "engine/engine.h"

void engine_commands(Engine *engine);                  /* defines the commands that need an engine */
void engine_fly(Engine *engine, double seconds);
void engine_close_fonts(Engine *engine);

/* Asks for the pictures of the current level's materials, once. */
void engine_want_textures(Engine *engine);
/* Triangles anew when r.subdivisions changed. */
void engine_refresh_geometry(Engine *engine);
/* Renderers let go of the current level: it is about to be closed or changed. */
void engine_release_level(Engine *engine);
/* Gives a renderer the current level if it has another one. */
bool engine_give_level(Engine *engine, int slot, Error *error);
int  engine_renderer_slot(Engine *engine, const char *name, Error *error);    /* opens it; -1 and error: refused */

bool engine_compare_draw(Engine *engine, Error *error);

void engine_sounds_run(Engine *engine);                /* as loud as they are at the eye now */
void engine_sounds_clear(Engine *engine);
void engine_sounds_close(Engine *engine);

void engine_sim_run(Engine *engine);                   /* up to the clock; then brush models and the eye follow */

#endif
