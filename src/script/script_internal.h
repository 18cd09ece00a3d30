/* script/script_internal.h -- what the files of this folder share: binding tables, arguments, tickets.
 *
 * A binding is a row: name, C function, shape, one sentence. From the rows come the module, the console's `help`, the
 * stubs and the reference. Each function is a closure whose first upvalue is the map it speaks of (nil: the one on
 * screen) and whose second is its full name ("lw.vis.row"), for messages. */
#ifndef LEAFWALK_SCRIPT_INTERNAL_H
#define LEAFWALK_SCRIPT_INTERNAL_H

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

#include "script/script.h"

typedef struct ScriptFunction {
    const char *name;                /* "sees" */
    lua_CFunction function;
    const char *shape;               /* "(from: integer, to: integer) -> boolean" */
    const char *help;                /* one sentence */
} ScriptFunction;

typedef struct ScriptProperty {      /* a field that is computed: lw.camera.origin */
    const char *name;
    lua_CFunction get;               /* pushes the value */
    lua_CFunction set;               /* the value is argument 1; NULL: read-only */
    const char *type;                /* "vec3", "number", … */
    const char *help;
} ScriptProperty;

typedef struct ScriptModule {
    const char *name;                /* "vis": becomes lw.vis */
    const char *help;
    const ScriptFunction *functions;     /* ends with a row whose name is NULL; may be NULL */
    const ScriptProperty *properties;    /* the same */
    bool of_map;                     /* its functions speak of a map, so objects of lw.map.load carry it too */
    void (*open)(lua_State *L);      /* makes metatables; the module's table is on the top; may be NULL */
    const ScriptFunction *methods;   /* of its objects, "row:has" style names; for the documents; may be NULL */
} ScriptModule;

/* modules.c: the list. Each module is one file lw_<name>.c that defines it. */
extern const ScriptModule *const script_modules[];    /* ends with NULL */

Scripts *scripts_of(lua_State *L);
Engine  *engine_of(lua_State *L);
const char *script_name_of(lua_State *L);              /* full name of the running binding */
const void *script_owner(lua_State *L);                /* which script is running, for registrations; NULL: none */

/* The map that the running binding speaks of. Raises when there is none, or when it was replaced or closed. */
const Map *check_map(lua_State *L);
OpenLevel *check_open_level(lua_State *L);

bool script_trusted(lua_State *L);                     /* --trust */

/* lw_json.c: pushes what the JSON text says; false: nothing was pushed. */
bool push_json(lua_State *L, const char *text, size_t length, Error *error);

/* Arguments (check.c). Each raises "bad argument #1 to 'lw.vis.row' (cluster 812, this map has 0..640)". */
int  script_refuse(lua_State *L, int arg, const char *format, ...) __attribute__((format(printf, 3, 4), noreturn));
Vec3 check_vec3(lua_State *L, int *arg);               /* x, y, z or a vec3 or {x, y, z}; moves *arg past it */
bool is_vec3(lua_State *L, int arg);                   /* something check_vec3 would take */
double check_finite(lua_State *L, int arg);
int  check_index(lua_State *L, int arg, const char *what, int count);         /* 0 .. count-1 */
int  check_cluster(lua_State *L, int arg, const Map *map);                    /* -1 .. cluster_count-1 */
int  check_option(lua_State *L, int arg, const char *const *names, const char *what);    /* list ends with NULL */
Rgba check_color(lua_State *L, int arg);               /* {r, g, b [, a]} of 0..1, "#rrggbb[aa]" or a name */
void push_vec3(lua_State *L, Vec3 v);
void push_int_list(lua_State *L, const int *list, int count);
int  push_failure(lua_State *L, const Error *error);   /* nil, message: returns 2 */

/* Pictures as values of scripts (script_image.c). The pixels live in Lua's own memory, so that its limit counts them. */
void push_image(lua_State *L, Image *image);           /* copies it and frees the original */
const Image *check_image(lua_State *L, int arg);
int  image_texture(lua_State *L, int arg);             /* its number in assets, for drawing; known after check_image */
void image_open(lua_State *L);                         /* makes the metatable: once a state */

/* Style of what is drawn: { color, fill, width, xray, blend = "alpha" | "add", size, font }. Fast: fields are read by
 * raw access where the table has no metatable. arg may be absent or nil. */
typedef struct Style { Rgba color; bool fill; float width; int flags; float size; const char *font; } Style;
Style check_style(lua_State *L, int arg);

#endif
