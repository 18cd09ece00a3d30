/* script/path_internal.h -- camera paths as objects of scripts: rows that lw.camera takes into its own. */
#ifndef LEAFWALK_PATH_INTERNAL_H
#define LEAFWALK_PATH_INTERNAL_H

#include "script/script_internal.h"

int camera_path(lua_State *L);           /* lw.camera.path */
int camera_load_path(lua_State *L);      /* lw.camera.load_path */
int camera_make_tour(lua_State *L);      /* lw.camera.tour */
int camera_simplify(lua_State *L);       /* lw.camera.simplify */
extern const ScriptFunction path_methods[];
void path_open(lua_State *L);            /* makes the class */

#endif
