/* script/check.c -- arguments of bindings: taken, or refused in words that name the function and what is allowed. */
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "script/host_internal.h"

Scripts *scripts_of(lua_State *L) { return *(Scripts **)lua_getextraspace(L); }

Engine *engine_of(lua_State *L) { return scripts_of(L)->engine; }

bool script_trusted(lua_State *L) { return scripts_of(L)->setup.trust; }

const void *script_owner(lua_State *L) {
    Version *running = scripts_of(L)->running;
    return running ? running->script : NULL;
}

const char *script_name_of(lua_State *L) {
    const char *name = lua_tostring(L, lua_upvalueindex(2));
    return name ? name : "?";
}

int script_refuse(lua_State *L, int arg, const char *format, ...) {
    char words[512];
    va_list args;
    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    const char *name = script_name_of(L);
    if (strncmp(name, "entity.", strlen("entity.")) == 0)    /* a field that is set */
        luaL_error(L, "bad value for '%s' (%s)", name, words);
    if (strchr(name, ':') && --arg == 0)
        luaL_error(L, "'%s' is called on a wrong object (%s)", name, words);
    luaL_error(L, "bad argument #%d to '%s' (%s)", arg, name, words);
    __builtin_unreachable();
}

/* What came, in a word or two, for messages. */
static const char *found(lua_State *L, int arg) {
    if (lua_isnone(L, arg))
        return "nothing";
    if (luaL_getmetafield(L, arg, "__name") == LUA_TSTRING)
        return lua_tostring(L, -1);
    return luaL_typename(L, arg);
}

static const char *shortened(lua_State *L, const char *text) {
    size_t length = strlen(text);
    return length <= 60 ? text : lua_pushfstring(L, "%s...", lua_pushlstring(L, text, 60));
}

double check_finite(lua_State *L, int arg) {
    int is_number;
    double value = lua_tonumberx(L, arg, &is_number);
    if (!is_number || lua_type(L, arg) != LUA_TNUMBER)
        script_refuse(L, arg, "number expected, got %s", found(L, arg));
    if (!isfinite(value))
        script_refuse(L, arg, "a finite number expected, got %s", isnan(value) ? "not a number" : value < 0 ? "-inf" : "inf");
    return value;
}

static lua_Integer check_whole(lua_State *L, int arg, const char *what) {
    int whole;
    lua_Integer value = lua_tointegerx(L, arg, &whole);
    if (whole && lua_type(L, arg) == LUA_TNUMBER)
        return value;
    if (lua_type(L, arg) == LUA_TNUMBER)
        script_refuse(L, arg, "%s is a whole number, got %g", what, lua_tonumber(L, arg));
    script_refuse(L, arg, "%s is a whole number, got %s", what, found(L, arg));
}

int check_index(lua_State *L, int arg, const char *what, int count) {
    lua_Integer value = check_whole(L, arg, what);
    if (value < 0 || value >= count) {
        if (count <= 0)
            script_refuse(L, arg, "%s %lld, this map has none", what, (long long)value);
        script_refuse(L, arg, "%s %lld, this map has 0..%d", what, (long long)value, count - 1);
    }
    return (int)value;
}

int check_cluster(lua_State *L, int arg, const Map *map) {
    lua_Integer value = check_whole(L, arg, "cluster");
    if (value < -1 || value >= map->cluster_count) {
        if (map->cluster_count <= 0)
            script_refuse(L, arg, "cluster %lld, this map has none", (long long)value);
        script_refuse(L, arg, "cluster %lld, this map has 0..%d", (long long)value, map->cluster_count - 1);
    }
    return (int)value;
}

int check_count(lua_State *L, int arg, const char *what, int least, int most) {
    lua_Integer value = check_whole(L, arg, what);
    if (value < least || value > most)
        script_refuse(L, arg, "%s %lld, allowed are %d..%d", what, (long long)value, least, most);
    return (int)value;
}

const char *check_name(lua_State *L, int arg, const char *what) {
    if (lua_type(L, arg) != LUA_TSTRING)
        script_refuse(L, arg, "%s is a text, got %s", what, found(L, arg));
    size_t length;
    const char *text = lua_tolstring(L, arg, &length);
    if (strlen(text) != length)
        script_refuse(L, arg, "%s holds a zero byte", what);
    return text;
}

void check_table(lua_State *L, int arg, const char *what) {
    if (lua_type(L, arg) != LUA_TTABLE)
        script_refuse(L, arg, "%s expected, got %s", what, found(L, arg));
}

bool check_optional_table(lua_State *L, int arg, const char *what) {
    if (lua_isnoneornil(L, arg))
        return false;
    check_table(L, arg, what);
    return true;
}

void check_settings(lua_State *L, const char *what) {
    lua_settop(L, 1);
    if (!check_optional_table(L, 1, what)) {
        lua_newtable(L);
        lua_replace(L, 1);
    }
}

/* The names of a list, each between `mark`s, with commas; pushed. */
static const char *push_names(lua_State *L, const char *const *names, const char *mark) {
    luaL_Buffer all;
    luaL_buffinit(L, &all);
    for (int i = 0; names[i]; i++) {
        luaL_addstring(&all, i ? ", " : "");
        luaL_addstring(&all, mark);
        luaL_addstring(&all, names[i]);
        luaL_addstring(&all, mark);
    }
    luaL_pushresult(&all);
    return lua_tostring(L, -1);
}

static int name_index(const char *const *names, const char *name) {
    for (int i = 0; names[i]; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return -1;
}

int check_option(lua_State *L, int arg, const char *const *names, const char *what) {
    const char *text = lua_type(L, arg) == LUA_TSTRING ? lua_tostring(L, arg) : NULL;
    int at = text ? name_index(names, text) : -1;
    if (at >= 0)
        return at;
    const char *allowed = push_names(L, names, "\"");
    if (text)
        script_refuse(L, arg, "%s \"%s\", allowed are %s", what, shortened(L, text), allowed);
    script_refuse(L, arg, "%s %s, allowed are %s", what, found(L, arg), allowed);
}

/* Vectors */

double *script_vec3(lua_State *L, int arg) {
    if (lua_type(L, arg) != LUA_TUSERDATA || !lua_getmetatable(L, arg))
        return NULL;
    const void *meta = lua_topointer(L, -1);
    lua_pop(L, 1);
    return meta == scripts_of(L)->vec3_meta ? lua_touserdata(L, arg) : NULL;
}

bool is_vec3(lua_State *L, int arg) {
    int type = lua_type(L, arg);
    return type == LUA_TNUMBER || type == LUA_TTABLE || script_vec3(L, arg);
}

/* Coordinates are floats in a level: what does not fit one is refused as well as what is no number. */
static float coordinate(lua_State *L, int arg, double value, const char *axis) {
    if (isnan(value))
        script_refuse(L, arg, "%s of a point is not a number", axis);
    if (!(fabs(value) <= FLT_MAX))
        script_refuse(L, arg, "%s of a point is %g", axis, value);
    return (float)value;
}

static Vec3 vec3_from_table(lua_State *L, int arg) {
    static const char *const axes[] = { "x", "y", "z" };
    double out[3];
    for (int i = 0; i < 3; i++) {
        lua_geti(L, arg, i + 1);
        if (lua_isnil(L, -1)) {
            lua_pop(L, 1);
            lua_getfield(L, arg, axes[i]);
        }
        if (lua_type(L, -1) != LUA_TNUMBER)
            script_refuse(L, arg, "a point {x, y, z} expected, its %s is %s", axes[i], luaL_typename(L, -1));
        out[i] = lua_tonumber(L, -1);
        lua_pop(L, 1);
    }
    return vec3_at(coordinate(L, arg, out[0], "x"), coordinate(L, arg, out[1], "y"), coordinate(L, arg, out[2], "z"));
}

Vec3 check_vec3(lua_State *L, int *arg) {
    static const char *const axes[] = { "x", "y", "z" };
    int at = *arg;
    const double *v;
    switch (lua_type(L, at)) {
        case LUA_TNUMBER: {
            float out[3];
            for (int i = 0; i < 3; i++) {
                if (lua_type(L, at + i) != LUA_TNUMBER)
                    script_refuse(L, at + i, "%s of a point expected, got %s", axes[i], found(L, at + i));
                out[i] = coordinate(L, at + i, lua_tonumber(L, at + i), axes[i]);
            }
            *arg = at + 3;
            return vec3_at(out[0], out[1], out[2]);
        }
        case LUA_TTABLE:
            *arg = at + 1;
            return vec3_from_table(L, at);
        default:
            v = script_vec3(L, at);
            if (!v)
                script_refuse(L, at, "a point (x, y, z or a vec3 or {x, y, z}) expected, got %s", found(L, at));
            *arg = at + 1;
            return vec3_at(coordinate(L, at, v[0], "x"), coordinate(L, at, v[1], "y"), coordinate(L, at, v[2], "z"));
    }
}

/* Fields of a table */

void check_fields(lua_State *L, int arg, int table, const char *of, const char *const *names) {
    lua_pushnil(L);
    while (lua_next(L, table)) {
        lua_pop(L, 1);
        const char *name = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : luaL_typename(L, -1);
        if (name_index(names, name) < 0)
            script_refuse(L, arg, "%sfield '%s', allowed are %s", of, shortened(L, name), push_names(L, names, ""));
    }
}

double value_number(lua_State *L, int arg, const char *what, double least, double most) {
    double number = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : NAN;
    if (!(number >= least && number <= most))
        script_refuse(L, arg, "%s is a number of %g..%g", what, least, most);
    return number;
}

Vec3 value_point(lua_State *L, int arg, const char *what) {
    int at = lua_gettop(L);
    if (lua_type(L, at) == LUA_TNUMBER || !is_vec3(L, at))
        script_refuse(L, arg, "%s is a point, got %s", what, found(L, at));
    return check_vec3(L, &at);
}

double field_number(lua_State *L, int arg, const char *name, double otherwise, double least, double most) {
    if (lua_getfield(L, arg, name) != LUA_TNIL)
        otherwise = value_number(L, arg, name, least, most);
    lua_pop(L, 1);
    return otherwise;
}

Vec3 field_point(lua_State *L, int arg, const char *name, Vec3 otherwise) {
    if (lua_getfield(L, arg, name) != LUA_TNIL)
        otherwise = value_point(L, arg, name);
    lua_pop(L, 1);
    return otherwise;
}

void push_int_list(lua_State *L, const int *list, int count) {
    lua_createtable(L, count, 0);
    for (int i = 0; i < count; i++) {
        lua_pushinteger(L, list[i]);
        lua_rawseti(L, -2, i + 1);
    }
}

int push_failure(lua_State *L, const Error *error) {
    lua_pushnil(L);
    lua_pushstring(L, error->text);
    return 2;
}

/* Colours */

static const struct { const char *name; Rgba color; } color_names[] = {
    { "black", { 0, 0, 0, 255 } },        { "white", { 255, 255, 255, 255 } },  { "red", { 230, 50, 50, 255 } },
    { "green", { 60, 200, 90, 255 } },    { "blue", { 70, 120, 240, 255 } },    { "yellow", { 245, 220, 70, 255 } },
    { "orange", { 245, 150, 50, 255 } },  { "purple", { 160, 90, 220, 255 } },  { "magenta", { 230, 70, 200, 255 } },
    { "cyan", { 70, 210, 220, 255 } },    { "pink", { 250, 150, 180, 255 } },   { "brown", { 150, 100, 60, 255 } },
    { "gray", { 128, 128, 128, 255 } },   { "grey", { 128, 128, 128, 255 } },   { "silver", { 192, 192, 192, 255 } },
    { "clear", { 0, 0, 0, 0 } },
};

static int hex_digit(char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static bool color_from_hex(const char *digits, Rgba *out) {
    size_t length = strlen(digits);
    bool single = length == 3 || length == 4;
    if (!single && length != 6 && length != 8)
        return false;
    uint8_t parts[4] = { 0, 0, 0, 255 };
    for (size_t i = 0, part = 0; i < length; i += single ? 1 : 2, part++) {
        int high = hex_digit(digits[i]), low = single ? high : hex_digit(digits[i + 1]);
        if (high < 0 || low < 0)
            return false;
        parts[part] = (uint8_t)(high * 16 + low);
    }
    *out = (Rgba){ parts[0], parts[1], parts[2], parts[3] };
    return true;
}

static uint8_t color_part(double value) { return (uint8_t)(CLAMP(value, 0, 1) * 255 + 0.5); }

/* The colour at `at`, which is or belongs to argument `arg`. */
/* {r, g, b [, a]} of plain numbers: most colours, read without a step too many. */
static bool plain_color(lua_State *L, int at, double parts[4]) {
    int numbers = 0;
    for (int i = 0; i < 4; i++) {
        int type = lua_rawgeti(L, at, i + 1);
        parts[i] = type == LUA_TNUMBER ? lua_tonumber(L, -1) : 1;
        numbers += (type == LUA_TNUMBER && !isnan(parts[i])) || (type == LUA_TNIL && i == 3);
    }
    lua_pop(L, 4);
    if (numbers < 4)
        return false;
    bool named = false;    /* an alpha by its name beside three by their places */
    if (parts[3] == 1 && lua_rawlen(L, at) < 4) {
        named = lua_getfield(L, at, "a") != LUA_TNIL;
        lua_pop(L, 1);
    }
    return !named;
}

static Rgba color_at(lua_State *L, int at, int arg) {
    Rgba color = { 0, 0, 0, 255 };
    if (lua_type(L, at) == LUA_TSTRING) {
        const char *text = lua_tostring(L, at);
        if (text[0] == '#') {
            if (!color_from_hex(text + 1, &color))
                script_refuse(L, arg, "colour \"%s\", \"#rrggbb\" or \"#rrggbbaa\" expected", shortened(L, text));
            return color;
        }
        for (int i = 0; i < COUNT_OF(color_names); i++)
            if (text_same(color_names[i].name, text))
                return color_names[i].color;
        script_refuse(L, arg, "colour \"%s\" has no name here; lw.color.names() lists them", shortened(L, text));
    }
    if (lua_type(L, at) != LUA_TTABLE)
        script_refuse(L, arg, "a colour ({r, g, b, a} of 0..1, \"#rrggbb\" or a name) expected, got %s", found(L, at));
    static const char *const keys[] = { "r", "g", "b", "a" };
    double parts[4];
    if (plain_color(L, at, parts))
        return (Rgba){ color_part(parts[0]), color_part(parts[1]), color_part(parts[2]), color_part(parts[3]) };
    for (int i = 0; i < 4; i++) {
        if (lua_rawgeti(L, at, i + 1) == LUA_TNIL) {
            lua_pop(L, 1);
            lua_getfield(L, at, keys[i]);
        }
        bool absent = lua_isnil(L, -1) && i == 3;
        if (!absent && lua_type(L, -1) != LUA_TNUMBER)
            script_refuse(L, arg, "a colour's %s is %s, a number of 0..1 expected", keys[i], luaL_typename(L, -1));
        parts[i] = absent ? 1 : lua_tonumber(L, -1);
        lua_pop(L, 1);
        if (isnan(parts[i]))
            script_refuse(L, arg, "a colour's %s is not a number", keys[i]);
    }
    return (Rgba){ color_part(parts[0]), color_part(parts[1]), color_part(parts[2]), color_part(parts[3]) };
}

Rgba check_color(lua_State *L, int arg) { return color_at(L, arg, arg); }

void push_color(lua_State *L, Rgba color) {
    const uint8_t parts[4] = { color.r, color.g, color.b, color.a };
    lua_createtable(L, 4, 0);
    for (int i = 0; i < 4; i++) {
        lua_pushnumber(L, parts[i] / 255.0);
        lua_rawseti(L, -2, i + 1);
    }
}

const char *color_name_at(int index) { return index < COUNT_OF(color_names) ? color_names[index].name : NULL; }

/* Styles: plain reads, so a table without a metatable costs no call. */

static float style_number(lua_State *L, int arg, const char *name, double most) {
    double value = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : NAN;
    if (!(value >= 0 && value <= most))
        script_refuse(L, arg, "a style's %s is a number of 0..%g", name, most);
    return (float)value;
}

/* One field of a style, whose value is on the top. Fields that are not a style's are somebody else's. */
static void style_field(lua_State *L, int arg, const char *name, Style *style) {
    if (strcmp(name, "color") == 0) {
        style->color = color_at(L, lua_gettop(L), arg);
    } else if (strcmp(name, "fill") == 0) {
        style->fill = lua_toboolean(L, -1);
    } else if (strcmp(name, "width") == 0) {
        style->width = style_number(L, arg, name, 256);
    } else if (strcmp(name, "size") == 0) {
        style->size = style_number(L, arg, name, 1024);
    } else if (strcmp(name, "xray") == 0) {
        style->flags |= lua_toboolean(L, -1) ? DRAW_XRAY : 0;
    } else if (strcmp(name, "blend") == 0) {
        const char *blend = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
        if (strcmp(blend, "add") != 0 && strcmp(blend, "alpha") != 0)
            script_refuse(L, arg, "a style's blend is \"alpha\" or \"add\"");
        style->flags |= blend[1] == 'd' ? DRAW_ADD : 0;
    } else if (strcmp(name, "font") == 0) {
        if (lua_type(L, -1) != LUA_TSTRING)
            script_refuse(L, arg, "a style's font is a name, got %s", luaL_typename(L, -1));
        style->font = lua_tostring(L, -1);    /* the style's table keeps it */
    }
}

/* A style is read once a call: a plain table by walking its few fields, one that inherits from another by asking for each. */
Style check_style(lua_State *L, int arg) {
    static const char *const names[] = { "color", "fill", "width", "size", "xray", "blend", "font" };
    Style style = { .color = { 255, 255, 255, 255 }, .width = 1 };
    if (lua_isnoneornil(L, arg))
        return style;
    if (lua_type(L, arg) != LUA_TTABLE)
        script_refuse(L, arg, "a style ({color, fill, width, xray, blend}) expected, got %s", found(L, arg));
    if (lua_getmetatable(L, arg)) {
        lua_pop(L, 1);
        for (int i = 0; i < COUNT_OF(names); i++) {
            if (lua_getfield(L, arg, names[i]) != LUA_TNIL)
                style_field(L, arg, names[i], &style);
            if (!style.font)    /* the font's name comes last and stays on the stack: nobody else may hold it */
                lua_pop(L, 1);
        }
        return style;
    }
    lua_pushnil(L);
    while (lua_next(L, arg)) {
        if (lua_type(L, -2) == LUA_TSTRING)
            style_field(L, arg, lua_tostring(L, -2), &style);
        lua_pop(L, 1);
    }
    return style;
}
