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

typedef struct ScriptField { const char *name, *type, *help; bool read_only; } ScriptField;    /* of an object: "entity.origin" */

typedef struct ScriptModule {
    const char *name;                /* "vis": becomes lw.vis */
    const char *help;
    const ScriptFunction *functions;     /* ends with a row whose name is NULL; may be NULL */
    const ScriptProperty *properties;    /* the same */
    bool of_map;                     /* its functions speak of a map, so objects of lw.map.load carry it too */
    void (*open)(lua_State *L);      /* makes metatables; the module's table is on the top; may be NULL */
    const ScriptFunction *methods;   /* of its objects, "row:has" style names; for the documents; may be NULL */
    const ScriptField *fields;       /* of its objects, for the documents; ends with NULL; may be NULL */
    const ScriptFunction *inner;     /* of objects that are its fields, "soft.stats" style names; may be NULL */
} ScriptModule;

/* A shape is "(name: type, name?: type, ...: type) -> type, name: type"; without "->" nothing comes back. Types: nil,
 * boolean, integer, number, string, table, function, any, vec3, point (x, y, z or a vec3 or {x, y, z}; check_vec3),
 * color (check_color), style (check_style), a class of some module's methods ("row"), "a"|"b" (texts), T[] (a list),
 * {field: type, …}, fun(a: type): type, unions T|U, T? in results. A shape that says anything else fails a test.
 *
 * The list: each module is one file lw_<name>.c that defines lw_<name>_module. The module named "lw" (vec3's) holds what
 * stands in lw itself. */
#define SCRIPT_MODULES(ROW) \
    ROW(vec3) ROW(map) ROW(bsp) ROW(vis) ROW(entities) ROW(camera) ROW(raster) ROW(draw) ROW(ui) ROW(record) ROW(trace) ROW(player) ROW(particles) ROW(lights) ROW(assets) \
    ROW(console) ROW(input) ROW(time) ROW(fs) ROW(log) ROW(color) ROW(json) ROW(test)
#define ROW(name) extern const ScriptModule lw_##name##_module;
SCRIPT_MODULES(ROW)
#undef ROW
extern const ScriptModule *const script_modules[];    /* ends with NULL */

/* Makes the metatable of a class of objects: __index finds those of `methods` that begin with "class:"; `meta` may add
 * metamethods (an __index of its own is then asked with the methods' table as its upvalue 1). Called by a module's open. */
void script_class(lua_State *L, const char *class, const ScriptFunction *methods, const luaL_Reg *meta);
/* Pushes the one of a module's `inner` rows that is called "field.key"; false: there is none, and nothing is pushed. */
bool push_inner(lua_State *L, const ScriptModule *module, const char *field, const char *key);
/* A userdata of that class on the top, zeroed, with one user value. */
void *script_object(lua_State *L, const char *class, size_t size);
/* The object at `arg`, or an error; `class` as above. */
void *check_object(lua_State *L, int arg, const char *class);

/* A function outside the rows (an iterator) that speaks of the same map under the same name: pushes it with upvalues 1
 * and 2 of the running one and 3 .. 2 + count taken from the top of the stack. */
void push_binding(lua_State *L, lua_CFunction function, int count);

Scripts *scripts_of(lua_State *L);
Engine  *engine_of(lua_State *L);
const char *script_name_of(lua_State *L);              /* full name of the running binding */
const void *script_owner(lua_State *L);                /* which script is running, for registrations; NULL: none */

/* The map that the running binding speaks of. Raises when there is none, or when it was replaced or closed. */
const Map *check_map(lua_State *L);
OpenLevel *check_open_level(lua_State *L);

bool script_trusted(lua_State *L);                     /* --trust */
void check_on_screen(lua_State *L);                    /* raises where the binding's map is not the one on screen, or none is open */

/* lw_json.c: pushes what the JSON text says; false: nothing was pushed. */
bool push_json(lua_State *L, const char *text, size_t length, Error *error);

/* A ticket says which map an object of Lua was made from: the running binding's. Objects that read the map when they are
 * touched hold one and ask by check_ticket, which raises "this row belongs to a map that was replaced". */
typedef struct MapTicket { int slot; unsigned generation; } MapTicket;
MapTicket map_ticket(lua_State *L);
OpenLevel *check_ticket(lua_State *L, MapTicket ticket, const char *what);
void ticket_keep(lua_State *L, int object);            /* the userdata at `object` keeps its map open (uses user value 1) */
/* A level that was opened beside the one on screen, as an object with every module that is `of_map`, and `close()`. The
 * host owns the level from now on. */
void push_map_object(lua_State *L, OpenLevel *level);

/* Live entities (live_object.c): one as an object, and the number of one that is an argument (or a number). */
void push_entity(lua_State *L, int number);
int  entity_number_at(lua_State *L, int arg);

/* Memory outside Lua's own that Lua's objects hold (pictures, levels) counts too: raises "not enough memory". */
void script_charge(lua_State *L, size_t bytes);
void script_uncharge(lua_State *L, size_t bytes);

/* Arguments (check.c). Each raises "bad argument #1 to 'lw.vis.row' (cluster 812, this map has 0..640)". */
int  script_refuse(lua_State *L, int arg, const char *format, ...) __attribute__((format(printf, 3, 4), noreturn));
Vec3 check_vec3(lua_State *L, int *arg);               /* x, y, z or a vec3 or {x, y, z}; moves *arg past it */
double *script_vec3(lua_State *L, int arg);            /* the three numbers of a vec3, which keeps them; NULL: it is none */
bool is_vec3(lua_State *L, int arg);                   /* something check_vec3 would take */
double check_finite(lua_State *L, int arg);
int  check_index(lua_State *L, int arg, const char *what, int count);         /* 0 .. count-1 */
int  check_cluster(lua_State *L, int arg, const Map *map);                    /* -1 .. cluster_count-1 */
int  check_option(lua_State *L, int arg, const char *const *names, const char *what);    /* list ends with NULL */
Rgba check_color(lua_State *L, int arg);               /* {r, g, b [, a]} of 0..1, "#rrggbb[aa]" or a name */
const char *color_name_at(int index);                  /* the names that check_color knows; NULL past the last */
void push_color(lua_State *L, Rgba color);             /* {r, g, b, a} of 0..1 */
int  check_count(lua_State *L, int arg, const char *what, int least, int most);    /* "width 0, allowed are 1..8192" */
const char *check_name(lua_State *L, int arg, const char *what);              /* a text without NULs */
/* Fields of the table at `table`, which is argument `arg` or belongs to it: each is among the names, whose list ends with
 * NULL. `of` begins the message: "key 3: ". */
void   check_fields(lua_State *L, int arg, int table, const char *of, const char *const *names);
double field_number(lua_State *L, int arg, const char *name, double otherwise, double least, double most);
Vec3   field_point(lua_State *L, int arg, const char *name, Vec3 otherwise);
double value_number(lua_State *L, int arg, const char *what, double least, double most);    /* the value on the top, which stays; */
Vec3   value_point(lua_State *L, int arg, const char *what);                                /* of argument `arg`: "a model's scale" */
void check_table(lua_State *L, int arg, const char *what);                    /* "a style ({color, ...})" */
bool check_optional_table(lua_State *L, int arg, const char *what);           /* false: nothing or nil was given */
void check_settings(lua_State *L, const char *what);                          /* the only argument, a table: a new one where none is given */
void push_view(lua_State *L, const View *view);        /* the table that a script's draw gets */
/* lua_pcall of what a binding was given to call: the budget counts its time as the script's. */
int  script_call_back(lua_State *L, int arguments, int results);
void push_vec3(lua_State *L, Vec3 v);
void push_vec3_exact(lua_State *L, double x, double y, double z);
void push_int_list(lua_State *L, const int *list, int count);
void push_weak_table(lua_State *L);                    /* empty; what its keys are may go (tables.c) */
/* Fields of the table on the top (tables.c). */
void set_number(lua_State *L, const char *name, double number);
void set_integer(lua_State *L, const char *name, lua_Integer number);
void set_boolean(lua_State *L, const char *name, bool value);
void set_vec3(lua_State *L, const char *name, Vec3 v);
void set_text(lua_State *L, const char *name, const char *text);    /* NULL and "": no field */
/* A variable's value as Lua has it: a number, a boolean, a text; a choice among numbers is one. Returns 1 (lw_console.c). */
int  push_variable(lua_State *L, VarKind kind, const char *text, double number);
int  push_failure(lua_State *L, const Error *error);   /* nil, message: returns 2 */

/* Pictures as values of scripts (script_image.c). The pixels live in Lua's own memory, so that its limit counts them;
 * what pushes one asks for the room first, for that is what may fail. */
Image *push_image(lua_State *L, int width, int height);    /* black and transparent: to be filled in */
void image_take(Image *kept, Image *image);            /* copies the pixels of a picture of the same size, and frees it */
const Image *check_image(lua_State *L, int arg);
int  image_texture(lua_State *L, int arg);             /* its number in assets, for drawing; known after check_image */
int  save_image(lua_State *L, const Image *image, const char *path);    /* pushes its path, or nil and why: returns how many */
void image_open(lua_State *L);                         /* makes the class: once a state */
extern const ScriptField image_fields[];
extern const ScriptFunction image_methods[];

/* Style of what is drawn: { color, fill, width, xray, blend = "alpha" | "add", size, font }. Fast: fields are read by
 * raw access where the table has no metatable. arg may be absent or nil. */
typedef struct Style { Rgba color; bool fill; float width; int flags; float size; const char *font; } Style;
Style check_style(lua_State *L, int arg);
const char *check_text(lua_State *L, int arg);         /* anything, as tostring gives it (lw_ui.c) */
const Font *check_font(lua_State *L, const Style *style, float pixels);    /* of the style, in `pixels` unless it has a size (lw_ui.c) */

#endif
