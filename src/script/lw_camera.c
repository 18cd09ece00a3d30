/* script/lw_camera.c -- lw.camera: the eye. A script that sets origin or angles owns it until it calls free(). */
#include "script/path_internal.h"

static int camera_origin(lua_State *L) {
    push_vec3(L, engine_of(L)->scene.origin);
    return 1;
}

static int camera_set_origin(lua_State *L) {
    int arg = 1;
    Engine *engine = engine_of(L);
    engine->scene.origin = check_vec3(L, &arg);
    engine->eye_owned = true;
    return 0;
}

static int camera_angles(lua_State *L) {
    push_vec3(L, engine_of(L)->scene.angles);
    return 1;
}

static int camera_set_angles(lua_State *L) {
    int arg = 1;
    Engine *engine = engine_of(L);
    engine->scene.angles = check_vec3(L, &arg);
    engine->eye_owned = true;
    return 0;
}

static int camera_fov(lua_State *L) {
    lua_pushnumber(L, engine_of(L)->scene.fov);
    return 1;
}

static int camera_set_fov(lua_State *L) {
    double fov = check_finite(L, 1);
    if (fov < 1 || fov > 170)
        script_refuse(L, 1, "field of view %g, allowed are 1..170 degrees", fov);
    engine_of(L)->scene.fov = (float)fov;
    return 0;
}

static Axes axes(lua_State *L) { return axes_from_angles(engine_of(L)->scene.angles); }

static int camera_forward(lua_State *L) {
    push_vec3(L, axes(L).forward);
    return 1;
}

static int camera_right(lua_State *L) {
    push_vec3(L, axes(L).right);
    return 1;
}

static int camera_up(lua_State *L) {
    push_vec3(L, axes(L).up);
    return 1;
}

static int camera_look_at(lua_State *L) {
    int arg = 1;
    Engine *engine = engine_of(L);
    Vec3 way = vec3_sub(check_vec3(L, &arg), engine->scene.origin);
    if (vec3_length(way) > 0)
        engine->scene.angles = vec3_add(angles_from_forward(way), vec3_at(0, 0, 0));    /* no -0 */
    engine->eye_owned = true;
    return 0;
}

static int camera_free(lua_State *L) {
    engine_of(L)->eye_owned = false;
    return 0;
}

static const ScriptFunction functions[] = {
    { "look_at", camera_look_at, "(p: point)", "Turns the eye towards a point; the script owns the eye from then on." },
    { "free", camera_free, "()", "Gives the eye back to whoever flies or walks." },
    { "path", camera_path, "(keys: table, settings?: table) -> path",
      "A way for the eye: keys {t, origin, angles | look_at, fov, roll, hold, ease, speed, curve, tangent, literal, name}, each field optional; "
      "settings {curve, speed, constant, loop} may stand in either table." },
    { "load_path", camera_load_path, "(file: string, fps?: number) -> path?, string?",
      "Reads a path: a Lua table, q3mme's camera file, or lines `x y z pitch yaw roll fov` at fps (60); nil and why when it cannot." },
    { "tour", camera_make_tour, "(what?: {visit: \"clusters\"|\"items\"|\"spawns\", places: point[], from: point, speed: number, most: integer}) -> path?, any",
      "Makes a path that visits every cluster (or items, or spawn points, or a list of places), by short ways that keep away from walls; "
      "returns it and {visited, wanted}, or nil and why there is none." },
    { "simplify", camera_simplify, "(keys: table[], tolerance?: number, degrees?: number) -> table[]",
      "Of keys recorded along a flight, those that keep it within a tolerance in units (4) and in degrees (2)." },
    { NULL, NULL, NULL, NULL },
};

static const ScriptProperty properties[] = {
    { "origin", camera_origin, camera_set_origin, "vec3", "Where the eye stands; setting it owns the eye until free()." },
    { "angles", camera_angles, camera_set_angles, "vec3", "Pitch (down positive), yaw, roll in degrees; setting them owns the eye until free()." },
    { "fov", camera_fov, camera_set_fov, "number", "The horizontal field of view in degrees." },
    { "forward", camera_forward, NULL, "vec3", "The direction that the eye looks in, length 1." },
    { "right", camera_right, NULL, "vec3", "The direction to its right, length 1." },
    { "up", camera_up, NULL, "vec3", "The direction over its head, length 1." },
    { NULL, NULL, NULL, NULL, NULL },
};

static void camera_open(lua_State *L) { path_open(L); }

const ScriptModule lw_camera_module = {
    .name = "camera", .help = "The eye, and paths that it goes along.", .functions = functions, .properties = properties, .open = camera_open,
    .methods = path_methods,
};
