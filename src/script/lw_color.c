/* script/lw_color.c -- lw.color: making colours. A colour is {r, g, b, a} of 0..1; "#rrggbb" and names do wherever one is
 * taken. */
#include <math.h>

#include "script/host_internal.h"

static int push_parts(lua_State *L, double r, double g, double b, double a) {
    const double parts[4] = { r, g, b, a };
    lua_createtable(L, 4, 0);
    for (int i = 0; i < 4; i++) {
        lua_pushnumber(L, parts[i]);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

static double alpha(lua_State *L, int arg) { return lua_isnoneornil(L, arg) ? 1 : CLAMP(check_finite(L, arg), 0, 1); }

static int color_rgb(lua_State *L) {
    double parts[3];
    for (int i = 0; i < 3; i++)
        parts[i] = CLAMP(check_finite(L, i + 1), 0, 1);
    return push_parts(L, parts[0], parts[1], parts[2], alpha(L, 4));
}

/* One part of a hue: up, flat, down, flat, each a sixth or a third of the circle. */
static double hue_part(double hue, double shift) {
    double place = fmod(hue * 6 + shift, 6);
    return CLAMP(fabs(place - 3) - 1, 0, 1);
}

static int color_hsv(lua_State *L) {
    double hue = check_finite(L, 1), saturation = CLAMP(check_finite(L, 2), 0, 1), value = CLAMP(check_finite(L, 3), 0, 1);
    hue -= floor(hue);
    double parts[3];
    static const double shifts[3] = { 0, 4, 2 };
    for (int i = 0; i < 3; i++)
        parts[i] = value * (1 - saturation * (1 - hue_part(hue, shifts[i])));
    return push_parts(L, parts[0], parts[1], parts[2], alpha(L, 4));
}

/* The parts of a colour argument with all their digits, where it is a table. */
static void read_parts(lua_State *L, int arg, double out[4]) {
    Rgba rounded = check_color(L, arg);
    const uint8_t bytes[4] = { rounded.r, rounded.g, rounded.b, rounded.a };
    for (int i = 0; i < 4; i++) {
        out[i] = bytes[i] / 255.0;
        if (lua_istable(L, arg)) {
            if (lua_rawgeti(L, arg, i + 1) == LUA_TNUMBER)
                out[i] = CLAMP(lua_tonumber(L, -1), 0, 1);
            lua_pop(L, 1);
        }
    }
}

static int color_mix(lua_State *L) {
    double a[4], b[4];
    read_parts(L, 1, a);
    read_parts(L, 2, b);
    double t = CLAMP(check_finite(L, 3), 0, 1);
    for (int i = 0; i < 4; i++)
        a[i] += (b[i] - a[i]) * t;
    return push_parts(L, a[0], a[1], a[2], a[3]);
}

static int color_number(lua_State *L) {
    int number = check_count(L, 1, "number", INT32_MIN, INT32_MAX);
    double a = alpha(L, 2);
    Rgba color = color_of_number(number);
    return push_parts(L, color.r / 255.0, color.g / 255.0, color.b / 255.0, a);
}

static int color_alpha(lua_State *L) {
    double parts[4];
    read_parts(L, 1, parts);
    return push_parts(L, parts[0], parts[1], parts[2], CLAMP(check_finite(L, 2), 0, 1));
}

static int color_of(lua_State *L) {
    double parts[4];
    read_parts(L, 1, parts);
    return push_parts(L, parts[0], parts[1], parts[2], parts[3]);
}

static int color_hex(lua_State *L) {
    Rgba color = check_color(L, 1);
    char text[16];
    if (color.a == 255)
        snprintf(text, sizeof text, "#%02x%02x%02x", color.r, color.g, color.b);
    else
        snprintf(text, sizeof text, "#%02x%02x%02x%02x", color.r, color.g, color.b, color.a);
    lua_pushstring(L, text);
    return 1;
}

static int color_names(lua_State *L) {
    lua_newtable(L);
    for (int i = 0; color_name_at(i); i++) {
        lua_pushstring(L, color_name_at(i));
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

static const ScriptFunction functions[] = {
    { "rgb", color_rgb, "(r: number, g: number, b: number, a?: number) -> number[]", "A colour of its parts, each 0..1." },
    { "hsv", color_hsv, "(hue: number, saturation: number, value: number, a?: number) -> number[]", "A colour by its hue (once around from 0 to 1), saturation and value." },
    { "mix", color_mix, "(a: color, b: color, t: number) -> number[]", "The colour at t (0..1) of the way from a to b." },
    { "number", color_number, "(n: integer, a?: number) -> number[]", "A bright colour for a number: the same for the same cluster, face or leaf everywhere." },
    { "alpha", color_alpha, "(color: color, a: number) -> number[]", "The colour with another opacity." },
    { "of", color_of, "(color: color) -> number[]", "The parts of a colour in any of its forms." },
    { "hex", color_hex, "(color: color) -> string", "The colour as \"#rrggbb\", or \"#rrggbbaa\" where it is not opaque." },
    { "names", color_names, "() -> string[]", "The names that do as colours." },
    { NULL, NULL, NULL, NULL },
};

const ScriptModule lw_color_module = {
    .name = "color",
    .help = "Colours: {r, g, b, a} of 0..1, \"#rrggbb\", \"#rrggbbaa\" or a name.",
    .functions = functions,
};
