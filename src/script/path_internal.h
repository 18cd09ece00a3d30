/* script/path_internal.h -- camera paths as objects of scripts: rows that lw.camera takes into its own. */
#ifndef LEAFWALK_PATH_INTERNAL_H
#define LEAFWALK_PATH_INTERNAL_H

#include "scene/camera_path.h"
#include "script/script_internal.h"

enum { PATH_FILE_VERSION = 1 };

typedef struct PathObject {
    CameraPath *path;
    char follow[PATH_NAME_ROOM];         /* targetname of what it goes along with, "" nobody */
    size_t charged;                      /* bytes of it that count as the script's memory */
} PathObject;

PathObject *path_push(lua_State *L);     /* one without keys */
void path_take(lua_State *L, PathObject *object, CameraPath *path);    /* it has this one from now on */

/* Keys as tables and as text (path_keys.c). Messages call a key by its number; where it says no time it is the usual one's. */
PathKey path_read_key(lua_State *L, int table, int number, double usual_time);
void path_read_settings(lua_State *L, int table, PathSettings *settings);    /* changes those that the table has */
void path_push_key(lua_State *L, const PathKey *key);
void path_push_settings(lua_State *L, PathSettings settings);
void path_write_lua(CameraPath *path, Text *out);

int camera_path(lua_State *L);           /* lw.camera.path */
int camera_load_path(lua_State *L);      /* lw.camera.load_path */
int camera_make_tour(lua_State *L);      /* lw.camera.tour */
int camera_simplify(lua_State *L);       /* lw.camera.simplify */
extern const ScriptFunction path_methods[];
void path_open(lua_State *L);            /* makes the class */

#endif
