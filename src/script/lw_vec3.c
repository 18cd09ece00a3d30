/* script/lw_vec3.c -- lw.vec3: points and directions as values with arithmetic.
 *
 * A vec3 holds doubles, so that numbers of a script come back as they went in; what the level gives are floats. */
#include <math.h>

#include "script/host_internal.h"

typedef struct Triple { double v[3]; } Triple;

void push_vec3_exact(lua_State *L, double x, double y, double z) {
    Triple *out = lua_newuserdatauv(L, sizeof *out, 0);
    *out = (Triple){ { x, y, z } };
    lua_rawgetp(L, LUA_REGISTRYINDEX, &scripts_of(L)->vec3_meta);
    lua_setmetatable(L, -2);
}

void push_vec3(lua_State *L, Vec3 v) { push_vec3_exact(L, v.x, v.y, v.z); }

/* The vec3 at `arg` as it is, or NULL. */
static Triple *triple_of(lua_State *L, int arg) { return (Triple *)script_vec3(L, arg); }

/* A point in any of its forms with all the digits of a double. */
static Triple check_triple(lua_State *L, int *arg) {
    const Triple *v = triple_of(L, *arg);
    if (v) {
        (*arg)++;
        return *v;
    }
    int at = *arg;
    Vec3 rounded = check_vec3(L, arg);    /* refuses what is no point */
    Triple out = { { rounded.x, rounded.y, rounded.z } };
    if (lua_type(L, at) == LUA_TNUMBER)
        for (int i = 0; i < 3; i++)
            out.v[i] = lua_tonumber(L, at + i);
    else
        for (int i = 0; i < 3; i++) {
            lua_geti(L, at, i + 1);
            out.v[i] = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : out.v[i];
            lua_pop(L, 1);
        }
    return out;
}

static int vec3_new(lua_State *L) {
    if (lua_gettop(L) == 0) {
        push_vec3_exact(L, 0, 0, 0);
        return 1;
    }
    int arg = 1;
    Triple v = check_triple(L, &arg);
    push_vec3_exact(L, v.v[0], v.v[1], v.v[2]);
    return 1;
}

/* Methods. The object is argument 1; a missing or wrong one is an error like any other. */

static Triple *self_of(lua_State *L) {
    Triple *self = triple_of(L, 1);
    if (!self)
        script_refuse(L, 1, "a vec3 expected, got %s", luaL_typename(L, 1));
    return self;
}

static double dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static int vec3_dot_method(lua_State *L) {
    const Triple *self = self_of(L);
    int arg = 2;
    Triple other = check_triple(L, &arg);
    lua_pushnumber(L, dot(self->v, other.v));
    return 1;
}

static int vec3_cross_method(lua_State *L) {
    const double *a = self_of(L)->v;
    int arg = 2;
    Triple other = check_triple(L, &arg);
    const double *b = other.v;
    push_vec3_exact(L, a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]);
    return 1;
}

static double length_of(const double *v) { return sqrt(dot(v, v)); }

static int vec3_normalized_method(lua_State *L) {
    const double *v = self_of(L)->v;
    double length = length_of(v), scale = length > 0 ? 1 / length : 0;
    push_vec3_exact(L, v[0] * scale, v[1] * scale, v[2] * scale);
    return 1;
}

static int vec3_unpack_method(lua_State *L) {
    const double *v = self_of(L)->v;
    for (int i = 0; i < 3; i++)
        lua_pushnumber(L, v[i]);
    return 3;
}

static int vec3_length_method(lua_State *L) {
    lua_pushnumber(L, length_of(self_of(L)->v));
    return 1;
}

static int vec3_distance_method(lua_State *L) {
    const double *a = self_of(L)->v;
    int arg = 2;
    Triple b = check_triple(L, &arg);
    lua_pushnumber(L, length_of((const double[3]){ a[0] - b.v[0], a[1] - b.v[1], a[2] - b.v[2] }));
    return 1;
}

static int vec3_lerp_method(lua_State *L) {
    const double *a = self_of(L)->v;
    int arg = 2;
    Triple b = check_triple(L, &arg);
    double t = check_finite(L, arg);
    push_vec3_exact(L, a[0] + (b.v[0] - a[0]) * t, a[1] + (b.v[1] - a[1]) * t, a[2] + (b.v[2] - a[2]) * t);
    return 1;
}

/* Metamethods. Operands are vec3 or {x, y, z}; for * and / one side may be a number (each part is taken by itself when
 * both are vectors). */

static bool operand(lua_State *L, int arg, Triple *out, const char *sign) {
    const Triple *v = triple_of(L, arg);
    if (v) {
        *out = *v;
        return true;
    }
    if (lua_type(L, arg) == LUA_TNUMBER) {
        double n = lua_tonumber(L, arg);
        *out = (Triple){ { n, n, n } };
        return false;
    }
    if (lua_type(L, arg) == LUA_TTABLE) {
        int at = arg;
        *out = check_triple(L, &at);
        return true;
    }
    luaL_error(L, "vec3 %s %s: a vec3 or a number expected", sign, luaL_typename(L, arg));
    return false;
}

static void both(lua_State *L, Triple *a, Triple *b, const char *sign) {
    bool left = operand(L, 1, a, sign), right = operand(L, 2, b, sign);
    if (!left || !right)
        luaL_error(L, "vec3 %s number: both sides are vec3", sign);
}

static int vec3_add_meta(lua_State *L) {
    Triple a, b;
    both(L, &a, &b, "+");
    push_vec3_exact(L, a.v[0] + b.v[0], a.v[1] + b.v[1], a.v[2] + b.v[2]);
    return 1;
}

static int vec3_sub_meta(lua_State *L) {
    Triple a, b;
    both(L, &a, &b, "-");
    push_vec3_exact(L, a.v[0] - b.v[0], a.v[1] - b.v[1], a.v[2] - b.v[2]);
    return 1;
}

static int vec3_mul_meta(lua_State *L) {
    Triple a, b;
    operand(L, 1, &a, "*");
    operand(L, 2, &b, "*");
    push_vec3_exact(L, a.v[0] * b.v[0], a.v[1] * b.v[1], a.v[2] * b.v[2]);
    return 1;
}

static int vec3_div_meta(lua_State *L) {
    Triple a, b;
    operand(L, 1, &a, "/");
    operand(L, 2, &b, "/");
    push_vec3_exact(L, a.v[0] / b.v[0], a.v[1] / b.v[1], a.v[2] / b.v[2]);
    return 1;
}

static int vec3_unm_meta(lua_State *L) {
    const double *v = self_of(L)->v;
    push_vec3_exact(L, -v[0], -v[1], -v[2]);
    return 1;
}

static int vec3_eq_meta(lua_State *L) {
    const Triple *a = triple_of(L, 1), *b = triple_of(L, 2);
    lua_pushboolean(L, a && b && a->v[0] == b->v[0] && a->v[1] == b->v[1] && a->v[2] == b->v[2]);
    return 1;
}

static int vec3_tostring_meta(lua_State *L) {
    const double *v = self_of(L)->v;
    Text text = { 0 };
    for (int i = 0; i < 3; i++) {
        char number[32];
        snprintf(number, sizeof number, "%.14g", v[i]);
        text_format(&text, "%s%s", i ? " " : "vec3(", number);
    }
    text_add_char(&text, ')');
    char whole[112];
    text_copy(whole, sizeof whole, text_of(&text));
    text_free(&text);    /* before Lua may raise */
    lua_pushstring(L, whole);
    return 1;
}

/* 0, 1, 2 for "x", "y", "z" (and 1, 2, 3), else -1. */
static int axis_of(lua_State *L, int arg) {
    if (lua_type(L, arg) == LUA_TSTRING) {
        const char *key = lua_tostring(L, arg);
        return key[0] >= 'x' && key[0] <= 'z' && !key[1] ? key[0] - 'x' : -1;
    }
    lua_Integer n = lua_tointeger(L, arg);
    return n >= 1 && n <= 3 ? (int)n - 1 : -1;
}

static int vec3_index_meta(lua_State *L) {
    int axis = axis_of(L, 2);
    if (axis >= 0) {
        lua_pushnumber(L, ((const Triple *)lua_touserdata(L, 1))->v[axis]);
        return 1;
    }
    lua_settop(L, 2);
    lua_rawget(L, lua_upvalueindex(1));
    return 1;
}

static int vec3_newindex_meta(lua_State *L) {
    int axis = axis_of(L, 2);
    if (axis < 0)
        return luaL_error(L, "a vec3 has no field '%s' that could be set", sandbox_tostring(L, 2, NULL));
    if (lua_type(L, 3) != LUA_TNUMBER)
        return luaL_error(L, "a vec3's %c is a number, got %s", 'x' + axis, luaL_typename(L, 3));
    ((Triple *)lua_touserdata(L, 1))->v[axis] = lua_tonumber(L, 3);
    return 0;
}

static const ScriptFunction functions[] = {
    { "vec3", vec3_new, "(p?: point) -> vec3", "A point or direction; without an argument 0, 0, 0." },
    { NULL, NULL, NULL, NULL },
};

static const ScriptField fields[] = {
    { "vec3.x", "number", "Along the first axis; + - * / == and #v (its length) work on whole vectors.", false },
    { "vec3.y", "number", "Along the second.", false },
    { "vec3.z", "number", "Along the third: up in a level.", false },
    { NULL, NULL, NULL, false },
};

static const ScriptFunction methods[] = {
    { "vec3:dot", vec3_dot_method, "(other: point) -> number", "The dot product." },
    { "vec3:cross", vec3_cross_method, "(other: point) -> vec3", "The cross product." },
    { "vec3:normalized", vec3_normalized_method, "() -> vec3", "The direction with length 1; 0, 0, 0 stays." },
    { "vec3:unpack", vec3_unpack_method, "() -> x: number, y: number, z: number", "Its three numbers." },
    { "vec3:length", vec3_length_method, "() -> number", "Its length, as #v." },
    { "vec3:distance", vec3_distance_method, "(other: point) -> number", "How far the other point is." },
    { "vec3:lerp", vec3_lerp_method, "(other: point, t: number) -> vec3", "The point at t of the way to the other one." },
    { NULL, NULL, NULL, NULL },
};

static const luaL_Reg metamethods[] = {
    { "__add", vec3_add_meta },           { "__sub", vec3_sub_meta }, { "__mul", vec3_mul_meta },
    { "__div", vec3_div_meta },           { "__unm", vec3_unm_meta }, { "__eq", vec3_eq_meta },
    { "__len", vec3_length_method },      { "__index", vec3_index_meta }, { "__newindex", vec3_newindex_meta },
    { "__tostring", vec3_tostring_meta }, { NULL, NULL },
};

static void vec3_open(lua_State *L) {
    Scripts *scripts = scripts_of(L);
    script_class(L, "vec3", methods, metamethods);
    luaL_getmetatable(L, "lw.class.vec3");
    scripts->vec3_meta = lua_topointer(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &scripts->vec3_meta);
}

const ScriptModule lw_vec3_module = {
    .name = "lw",
    .help = "What stands in lw itself.",
    .functions = functions,
    .open = vec3_open,
    .fields = fields,
    .methods = methods,
};
