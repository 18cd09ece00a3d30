/* script/path_keys.c -- keys and settings of camera paths as Lua tables: read from them, made into them, and written as the
 * text of one. */
#include "script/path_internal.h"

#include <math.h>

/* Keys from tables. `table` is the key's place on the stack, `number` its own, for messages. */

typedef struct KeyReader { lua_State *L; int table, number; } KeyReader;

static bool key_field(const KeyReader *in, const char *name) {
    lua_settop(in->L, MAX(lua_gettop(in->L), in->table));
    return lua_getfield(in->L, in->table, name) != LUA_TNIL || (lua_pop(in->L, 1), false);
}

static bool key_number(const KeyReader *in, const char *name, double least, double most, double *out) {
    if (!key_field(in, name))
        return false;
    *out = lua_type(in->L, -1) == LUA_TNUMBER ? lua_tonumber(in->L, -1) : NAN;
    if (!(*out >= least && *out <= most))
        script_refuse(in->L, 1, "key %d: %s is a number of %g..%g, got %s", in->number, name, least, most, luaL_tolstring(in->L, -1, NULL));
    lua_pop(in->L, 1);
    return true;
}

/* {x, y, z}, {x =, y =, z =} or a vec3, in double precision; pops it. */
static void take_point(const KeyReader *in, const char *name, double out[3]) {
    static const char *const axes[] = { "x", "y", "z" };
    lua_State *L = in->L;
    int type = lua_type(L, -1);
    for (int i = 0; i < 3; i++) {
        out[i] = NAN;
        if (type == LUA_TTABLE || type == LUA_TUSERDATA) {
            if (type != LUA_TTABLE || lua_geti(L, -1, i + 1) == LUA_TNIL) {
                lua_settop(L, type == LUA_TTABLE ? lua_gettop(L) - 1 : lua_gettop(L));
                lua_getfield(L, -1, axes[i]);
            }
            out[i] = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : NAN;
            lua_pop(L, 1);
        }
        if (!(fabs(out[i]) <= 1e9))
            script_refuse(L, 1, "key %d: %s is a point {x, y, z} of finite numbers", in->number, name);
    }
    lua_pop(L, 1);
}

static bool key_point(const KeyReader *in, const char *name, double out[3]) {
    if (!key_field(in, name))
        return false;
    take_point(in, name, out);
    return true;
}

static bool key_text(const KeyReader *in, const char *name, char out[PATH_NAME_ROOM]) {
    if (!key_field(in, name))
        return false;
    if (lua_type(in->L, -1) != LUA_TSTRING || lua_rawlen(in->L, -1) >= PATH_NAME_ROOM)
        script_refuse(in->L, 1, "key %d: %s is a text of less than %d bytes", in->number, name, PATH_NAME_ROOM);
    text_copy(out, PATH_NAME_ROOM, lua_tostring(in->L, -1));
    lua_pop(in->L, 1);
    return true;
}

static PathCurve curve_named(lua_State *L, const char *name, const char *where) {
    for (int i = 0; path_curve_name(i); i++)
        if (strcmp(path_curve_name(i), name) == 0)
            return (PathCurve)i;
    script_refuse(L, 1, "%s: curve \"%s\", allowed are centripetal, uniform, linear, hermite, hold", where, name);
}

/* A point, a targetname, or an entity (kept by its targetname). */
static void read_look(const KeyReader *in, PathKey *key) {
    lua_State *L = in->L;
    if (!key_field(in, "look_at"))
        return;
    key->says |= KEY_LOOK;
    if (luaL_testudata(L, -1, "lw.class.entity"))
        lua_getfield(L, -1, "targetname");
    else if (lua_type(L, -1) != LUA_TSTRING) {
        take_point(in, "look_at", key->look);
        return;
    }
    if (lua_type(L, -1) != LUA_TSTRING || lua_rawlen(L, -1) == 0 || lua_rawlen(L, -1) >= PATH_NAME_ROOM)
        script_refuse(L, 1, "key %d: look_at is a point, a targetname or an entity that has one", in->number);
    text_copy(key->look_at, sizeof key->look_at, lua_tostring(L, -1));
}

/* true, a number of 0..1, or a word. */
static void read_ease(const KeyReader *in, PathKey *key) {
    static const char *const rests[] = { "in", "out", "inout", "in-out", "smooth", "rest" };
    lua_State *L = in->L;
    if (!key_field(in, "ease"))
        return;
    int type = lua_type(L, -1);
    key->ease = type == LUA_TBOOLEAN ? lua_toboolean(L, -1) : type == LUA_TNUMBER ? lua_tonumber(L, -1) : NAN;
    if (type == LUA_TSTRING) {
        key->ease = strcmp(lua_tostring(L, -1), "linear") == 0 || strcmp(lua_tostring(L, -1), "none") == 0 ? 0 : NAN;
        for (int i = 0; i < COUNT_OF(rests); i++)
            if (strcmp(lua_tostring(L, -1), rests[i]) == 0)
                key->ease = 1;
    }
    if (!(key->ease >= 0 && key->ease <= 1))
        script_refuse(L, 1, "key %d: ease is true, a number of 0 (passes) to 1 (rests), or \"linear\", \"smooth\"", in->number);
    lua_pop(L, 1);
}

static const char *const key_fields[] = {
    "t", "origin", "angles", "look_at", "fov", "roll", "hold", "ease", "speed", "tangent", "curve", "literal", "name", NULL,
};

PathKey path_read_key(lua_State *L, int table, int number, double usual_time) {
    KeyReader in = { L, lua_absindex(L, table), number };
    int top = lua_gettop(L);
    PathKey key = { .t = usual_time };
    char curve[PATH_NAME_ROOM];
    if (lua_type(L, table) != LUA_TTABLE)
        script_refuse(L, 1, "key %d is a table {t, origin, angles | look_at, fov, roll, ease}, got %s", number, luaL_typename(L, table));
    luaL_checkstack(L, 10, NULL);
    check_fields(L, 1, in.table, lua_pushfstring(L, "key %d: ", number), key_fields);
    key_number(&in, "t", -1e7, 1e7, &key.t);
    key.says |= key_point(&in, "origin", key.origin) ? KEY_ORIGIN : 0;
    key.says |= key_point(&in, "angles", key.angles) ? KEY_ANGLES : 0;
    key.says |= key_point(&in, "tangent", key.tangent) ? KEY_TANGENT : 0;
    key.says |= key_number(&in, "fov", 1, 170, &key.fov) ? KEY_FOV : 0;
    key.says |= key_number(&in, "roll", -1e6, 1e6, &key.roll) ? KEY_ROLL : 0;
    key.says |= key_number(&in, "speed", 0.001, 1e6, &key.speed) ? KEY_SPEED : 0;
    key_number(&in, "hold", 0, 1e7, &key.hold);
    read_look(&in, &key);
    read_ease(&in, &key);
    key_text(&in, "name", key.name);
    if (key_text(&in, "curve", curve)) {
        key.curve = curve_named(L, curve, "key");
        key.says |= KEY_CURVE;
    }
    if (key_field(&in, "literal") && lua_toboolean(L, -1))
        key.says |= KEY_LITERAL;
    lua_settop(L, top);
    return key;
}

/* Settings of a path: fields of the table beside its keys, or of the second argument. */
void path_read_settings(lua_State *L, int table, PathSettings *settings) {
    KeyReader in = { L, lua_absindex(L, table), 0 };
    int top = lua_gettop(L);
    char curve[PATH_NAME_ROOM];
    double loop;
    if (key_text(&in, "curve", curve))
        settings->curve = curve_named(L, curve, "the path");
    bool speed = key_field(&in, "speed");
    if (speed) {
        settings->speed = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : NAN;
        if (!(settings->speed > 0 && settings->speed <= 1e6))
            script_refuse(L, 1, "speed is a number above 0: units a second");
        settings->by = PATH_CONSTANT;
    }
    if (key_field(&in, "constant"))
        settings->by = lua_toboolean(L, -1) ? PATH_CONSTANT : PATH_BY_TIMES;
    if (key_field(&in, "loop") && lua_type(L, -1) == LUA_TBOOLEAN)
        settings->loop = lua_toboolean(L, -1) ? -1 : 0;    /* by the usual time of a piece */
    else if (key_number(&in, "loop", 0, 1e7, &loop))
        settings->loop = loop;
    lua_settop(L, top);
}

/* Who takes the fields of a key or of the settings one after the other, in the order in which people read them. */
typedef struct FieldWriter {
    void *to;
    void (*number)(void *to, const char *name, double number);
    void (*point)(void *to, const char *name, const double p[3]);
    void (*text)(void *to, const char *name, const char *text);
    void (*flag)(void *to, const char *name, bool flag);
} FieldWriter;

static void write_key(const FieldWriter *out, const PathKey *key) {
    out->number(out->to, "t", key->t);
    if (key->says & KEY_ORIGIN)
        out->point(out->to, "origin", key->origin);
    if (key->says & KEY_ANGLES)
        out->point(out->to, "angles", key->angles);
    if (key->look_at[0])
        out->text(out->to, "look_at", key->look_at);
    else if (key->says & KEY_LOOK)
        out->point(out->to, "look_at", key->look);
    if (key->says & KEY_TANGENT)
        out->point(out->to, "tangent", key->tangent);
    if (key->says & KEY_FOV)
        out->number(out->to, "fov", key->fov);
    if (key->says & KEY_ROLL)
        out->number(out->to, "roll", key->roll);
    if (key->says & KEY_SPEED)
        out->number(out->to, "speed", key->speed);
    if (key->hold > 0)
        out->number(out->to, "hold", key->hold);
    if (key->ease > 0)
        out->number(out->to, "ease", key->ease);
    if (key->says & KEY_CURVE)
        out->text(out->to, "curve", path_curve_name(key->curve));
    if (key->says & KEY_LITERAL)
        out->flag(out->to, "literal", true);
    if (key->name[0])
        out->text(out->to, "name", key->name);
}

static void write_settings(const FieldWriter *out, PathSettings settings) {
    out->text(out->to, "curve", path_curve_name(settings.curve));
    out->flag(out->to, "constant", settings.by == PATH_CONSTANT);
    if (settings.speed > 0)
        out->number(out->to, "speed", settings.speed);
    if (settings.loop > 0)
        out->number(out->to, "loop", settings.loop);
}

/* Into the table on the top */

static void table_number(void *L, const char *name, double number) { set_number(L, name, number); }
static void table_text(void *L, const char *name, const char *text) { set_text(L, name, text); }
static void table_flag(void *L, const char *name, bool flag) { set_boolean(L, name, flag); }

static void table_point(void *to, const char *name, const double p[3]) {
    lua_State *L = to;
    lua_createtable(L, 3, 0);
    for (int i = 0; i < 3; i++) {
        lua_pushnumber(L, p[i]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, name);
}

static FieldWriter into_table(lua_State *L) { return (FieldWriter){ L, table_number, table_point, table_text, table_flag }; }

void path_push_key(lua_State *L, const PathKey *key) {
    lua_createtable(L, 0, 6);
    FieldWriter writer = into_table(L);
    write_key(&writer, key);
}

void path_push_settings(lua_State *L, PathSettings settings) {
    lua_createtable(L, 0, 4);
    FieldWriter writer = into_table(L);
    write_settings(&writer, settings);
}

/* As text that Lua reads back */

typedef struct Fields { Text *out; const char *before, *between; } Fields;    /* before: the next one */

static Text *next_field(Fields *fields, const char *name) {
    text_format(fields->out, "%s%s = ", fields->before, name);
    fields->before = fields->between;
    return fields->out;
}

static void text_number_field(void *fields, const char *name, double number) { text_add_number(next_field(fields, name), number); }

static void text_point_field(void *fields, const char *name, const double p[3]) {
    Text *out = next_field(fields, name);
    for (int i = 0; i < 3; i++) {
        text_add(out, i ? ", " : "{ ");
        text_add_number(out, p[i]);
    }
    text_add(out, " }");
}

static void text_text_field(void *fields, const char *name, const char *text) {
    Text *out = next_field(fields, name);
    text_add_char(out, '"');
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            text_add_char(out, '\\');
        if (c < 32 || c == 127)
            text_format(out, "\\%03d", c);
        else
            text_add_char(out, (char)c);
    }
    text_add_char(out, '"');
}

static void text_flag_field(void *fields, const char *name, bool flag) {
    if (flag)    /* false is what a field that is missing means */
        text_add(next_field(fields, name), "true");
}

void path_write_lua(CameraPath *path, Text *out) {
    Fields fields = { out, "  ", ",\n  " };
    FieldWriter writer = { &fields, text_number_field, text_point_field, text_text_field, text_flag_field };
    text_add(out, "-- A camera path of Leafwalk: lw.camera.load_path reads it.\nreturn {\n");
    writer.number(writer.to, "version", PATH_FILE_VERSION);
    write_settings(&writer, camera_path_settings(path));
    text_add(out, ",\n  keys = {\n");
    for (int i = 0; i < camera_path_count(path); i++) {
        fields = (Fields){ out, "    { ", ", " };
        write_key(&writer, camera_path_key(path, i));
        text_add(out, " },\n");
    }
    text_add(out, "  },\n}\n");
}
