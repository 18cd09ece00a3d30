/* script/lw_lights.c -- lw.lights: dynamic lights, for a frame or for as long as a script holds them. */
#include <math.h>

#include "script/script_internal.h"

/* One field of a light, whose value is on the top. */
static void take_field(lua_State *L, int arg, const char *name, FrameLight *light) {
    int top = lua_gettop(L);
    if (strcmp(name, "origin") == 0) {
        light->origin = value_point(L, arg, "a light's origin");
    } else if (strcmp(name, "radius") == 0) {
        double radius = lua_type(L, top) == LUA_TNUMBER ? lua_tonumber(L, top) : NAN;
        if (!(radius > 0 && radius <= 1e6))
            script_refuse(L, arg, "a light's radius is a number above 0, up to 1e6");
        light->radius = (float)radius;
    } else {
        Rgba color = check_color(L, top);
        light->color = vec3_at((float)color.r / 255, (float)color.g / 255, (float)color.b / 255);
    }
}

static const char *const names[] = { "origin", "radius", "color" };

static FrameLight check_light(lua_State *L) {
    FrameLight light = { .radius = 200, .color = vec3_at(1, 1, 1) };
    check_table(L, 1, "a light {origin, radius, color}");
    for (int i = 0; i < COUNT_OF(names); i++) {
        bool there = lua_getfield(L, 1, names[i]) != LUA_TNIL;
        if (there)
            take_field(L, 1, names[i], &light);
        else if (i == 0)
            script_refuse(L, 1, "a light {origin, radius, color} expected, it has no origin");
        lua_pop(L, 1);
    }
    return light;
}

static int lights_add_row(lua_State *L) {
    frame_light(&engine_of(L)->frame, check_light(L));
    return 0;
}

static int lights_new_row(lua_State *L) {
    FrameLight light = check_light(L);
    LightTicket *ticket = script_object(L, "dynamic_light", sizeof *ticket);
    ticket->slot = -1;
    if (!lights_add(&engine_of(L)->lights, light, ticket)) {
        ticket->slot = -1;
        return luaL_error(L, "there are %d lights already", LIGHTS_MOST);
    }
    return 1;
}

static int lights_count_row(lua_State *L) {
    lua_pushinteger(L, lights_count(&engine_of(L)->lights));
    return 1;
}

static int lights_clear_row(lua_State *L) {
    lights_clear(&engine_of(L)->lights);
    return 0;
}


/* ---- handles ---- */

static LightTicket check_ticket_at(lua_State *L, int arg) { return *(const LightTicket *)check_object(L, arg, "dynamic_light"); }

static FrameLight *check_alive(lua_State *L) {
    FrameLight *light = lights_at(&engine_of(L)->lights, check_ticket_at(L, 1));
    if (!light)
        luaL_error(L, "this light was removed, or its level was closed");
    return light;
}

static int light_remove(lua_State *L) {
    lights_remove(&engine_of(L)->lights, check_ticket_at(L, 1));
    return 0;
}

static int light_alive(lua_State *L) {
    lua_pushboolean(L, lights_at(&engine_of(L)->lights, check_ticket_at(L, 1)) != NULL);
    return 1;
}

/* upvalue 1: the methods */
static int light_index(lua_State *L) {
    const char *key = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
    int field = 0;
    while (field < COUNT_OF(names) && strcmp(names[field], key) != 0)
        field++;
    if (field == COUNT_OF(names)) {
        check_ticket_at(L, 1);
        lua_settop(L, 2);
        lua_rawget(L, lua_upvalueindex(1));
        return 1;
    }
    const FrameLight *light = check_alive(L);
    if (field == 0)
        push_vec3(L, light->origin);
    else if (field == 1)
        lua_pushnumber(L, light->radius);
    else
        push_color(L, (Rgba){ (uint8_t)(light->color.x * 255 + 0.5f), (uint8_t)(light->color.y * 255 + 0.5f),
                              (uint8_t)(light->color.z * 255 + 0.5f), 255 });
    return 1;
}

static int light_newindex(lua_State *L) {
    const char *key = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : luaL_typename(L, 2);
    FrameLight light = *check_alive(L);
    lua_settop(L, 3);
    for (int i = 0; i < COUNT_OF(names); i++)
        if (strcmp(names[i], key) == 0) {
            take_field(L, 3, key, &light);
            *check_alive(L) = light;
            return 0;
        }
    return luaL_error(L, "a light has origin, radius and color, not '%s'", key);
}

static int light_collect(lua_State *L) {
    const LightTicket *ticket = lua_touserdata(L, 1);
    lights_remove(&engine_of(L)->lights, *ticket);
    return 0;
}

static int light_tostring(lua_State *L) {
    bool alive = lights_at(&engine_of(L)->lights, check_ticket_at(L, 1)) != NULL;
    lua_pushstring(L, alive ? "light" : "light (removed)");
    return 1;
}

static const ScriptField fields[] = {
    { "dynamic_light.origin", "vec3", "Where it is.", false },
    { "dynamic_light.radius", "number", "How far it reaches, in units.", false },
    { "dynamic_light.color", "color", "Its colour.", false },
    { NULL, NULL, NULL, false },
};

static const ScriptFunction methods[] = {
    { "dynamic_light:remove", light_remove, "()", "Puts it out." },
    { "dynamic_light:alive", light_alive, "() -> boolean", "Whether it still shines: neither removed nor its level closed." },
    { NULL, NULL, NULL, NULL },
};

static void open(lua_State *L) {
    static const luaL_Reg meta[] = {
        { "__index", light_index }, { "__newindex", light_newindex }, { "__gc", light_collect }, { "__tostring", light_tostring },
        { NULL, NULL },
    };
    script_class(L, "dynamic_light", methods, meta);
}

static const ScriptFunction functions[] = {
    { "add", lights_add_row, "(light: table)",
      "A light for this frame: { origin, radius, color }, fading in a straight line to nothing at its radius; it acts on models that are drawn after it." },
    { "new", lights_new_row, "(light: table) -> dynamic_light",
      "A light that stays as long as the script holds it, its origin, radius and color can be read and written." },
    { "count", lights_count_row, "() -> integer", "How many lights stay." },
    { "clear", lights_clear_row, "()", "Puts out all that stay." },
    { NULL, NULL, NULL, NULL },
};

const ScriptModule lw_lights_module = {
    .name = "lights", .help = "Dynamic lights that brighten walls and models near them.", .functions = functions, .open = open,
    .fields = fields, .methods = methods,
};
