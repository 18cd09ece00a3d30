/* script/path_object.c -- camera paths as scripts see them: tables of keys in, poses out, files that are Lua tables.
 *
 * A path's file is a chunk that returns a table, one key a line; it is run in an empty environment under the script's
 * budget. Keys count from 1, as lists do. */
#include "script/path_internal.h"

#include <math.h>
#include <stdio.h>

#include "scene/camera_file.h"
#include "scene/camera_tour.h"
#include "script/live.h"

#define CLASS "path"
static const double flat_fps = 60;       /* lines a second of flat files, unless told */

static PathObject *check_path_object(lua_State *L, int arg) {
    PathObject *object = check_object(L, arg, CLASS);
    if (!object->path)
        script_refuse(L, arg, "a path that was closed");
    return object;
}

static CameraPath *check_path(lua_State *L, int arg) { return check_path_object(L, arg)->path; }

PathObject *path_push(lua_State *L) {
    PathObject *object = script_object(L, CLASS, sizeof *object);
    object->path = camera_path_open();
    return object;
}

/* Keys, and what is worked out from them when it is asked, count before they are there: enough of them is no memory. */
static void charge_keys(lua_State *L, PathObject *object, lua_Integer count) {
    enum { PREPARED = 900 };             /* bytes a key: its copy, its piece of the curve, its tracks */
    size_t wanted = (size_t)count * (2 * sizeof(PathKey) + PREPARED);
    if (wanted <= object->charged)
        return;
    script_charge(L, wanted - object->charged);
    object->charged = wanted;
}

void path_take(lua_State *L, PathObject *object, CameraPath *path) {
    camera_path_close(object->path);
    object->path = path;
    charge_keys(L, object, camera_path_count(path));
}

static int path_collect(lua_State *L) {
    PathObject *object = lua_touserdata(L, 1);
    script_uncharge(L, object->charged);
    object->charged = 0;
    camera_path_close(object->path);
    object->path = NULL;
    return 0;
}

static void apply_settings(lua_State *L, CameraPath *path, PathSettings settings, bool any_speed) {
    if (any_speed && settings.by == PATH_BY_TIMES)
        settings.by = PATH_BY_SPEEDS;
    else if (any_speed && settings.by == PATH_CONSTANT && settings.speed > 0)
        settings.by = PATH_BY_SPEEDS;
    int count = camera_path_count(path);
    if (settings.loop < 0) {
        double span = count > 1 ? camera_path_key(path, count - 1)->t - camera_path_key(path, 0)->t : 0;
        settings.loop = span > 0 ? span / (count - 1) : 1;
    }
    if (!camera_path_set_settings(path, &settings))
        script_refuse(L, 1, "speed or loop is out of range");
}

/* The keys of a table (its `keys`, or itself) into a path. */
static void read_path(lua_State *L, int table, int options, PathObject *object) {
    CameraPath *path = object->path;
    table = lua_absindex(L, table);
    luaL_checkstack(L, 10, NULL);
    PathSettings settings = { 0 };
    bool any_speed = false;
    if (lua_getfield(L, table, "version") != LUA_TNIL && (lua_type(L, -1) != LUA_TNUMBER || lua_tonumber(L, -1) != PATH_FILE_VERSION))
        script_refuse(L, 1, "a path of version %s, this program reads %d", luaL_tolstring(L, -1, NULL), PATH_FILE_VERSION);
    lua_pop(L, 1);
    path_read_settings(L, table, &settings);
    if (options && lua_type(L, options) == LUA_TTABLE)
        path_read_settings(L, options, &settings);
    int keys = table;
    if (lua_getfield(L, table, "keys") == LUA_TTABLE)
        keys = lua_gettop(L);
    lua_Integer count = (lua_Integer)lua_rawlen(L, keys);
    if (count > PATH_KEYS_MOST)
        script_refuse(L, 1, "%lld keys, at most %d are allowed", (long long)count, PATH_KEYS_MOST);
    charge_keys(L, object, count);
    double time = 0;
    for (lua_Integer i = 1; i <= count; i++) {
        lua_rawgeti(L, keys, i);
        PathKey key = path_read_key(L, -1, (int)i, i == 1 ? 0 : time + 1);
        time = key.t;
        any_speed |= (key.says & KEY_SPEED) != 0;
        if (camera_path_add(path, &key) < 0)
            script_refuse(L, 1, "key %d is out of range", (int)i);
        lua_pop(L, 1);
    }
    apply_settings(L, path, settings, any_speed);
}

int camera_path(lua_State *L) {
    lua_settop(L, 2);
    check_table(L, 1, "a list of keys {t, origin, angles | look_at, fov, roll, ease}");
    PathObject *object = path_push(L);
    read_path(L, 1, 2, object);
    lua_settop(L, 3);
    return 1;
}

/* What looks at entities, and goes along with one */

static bool entity_place(lua_State *L, const char *name, double out[3]) {
    Live *live = scripts_of(L)->live;
    Sim *sim = engine_of(L)->sim;
    if (!live || !sim)
        return false;
    for (int i = 0; i < sim_count(sim) && (size_t)i < live->entities.count; i++) {
        const SimEntity *entity = sim_entity(sim, i);
        const char *called = i == SIM_PLAYER ? "player" : live->entities.at[i].targetname;
        if (!entity->alive || !called || !text_same(called, name))
            continue;
        bool spread = entity->absolute.maxs.x > entity->absolute.mins.x;
        Vec3 at = i == SIM_PLAYER ? sim_player_eye(sim) : spread ? box_middle(entity->absolute) : entity->origin;
        for (int axis = 0; axis < 3; axis++)
            out[axis] = at.raw[axis];
        return true;
    }
    return false;
}

static void follow_entities(lua_State *L, PathObject *object) {
    for (int i = 0; i < camera_path_count(object->path); i++) {
        const PathKey *key = camera_path_key(object->path, i);
        double at[3];
        if (key->says & KEY_LOOK && key->look_at[0] && entity_place(L, key->look_at, at))
            camera_path_look(object->path, i, at);
    }
}

static PathPose pose_at(lua_State *L, PathObject *object, double t) {
    follow_entities(L, object);
    PathPose pose = camera_path_sample(object->path, t);
    double along[3];
    if (object->follow[0] && entity_place(L, object->follow, along))
        for (int i = 0; i < 3; i++)
            pose.origin[i] += along[i];
    return pose;
}

static void set_point(lua_State *L, const char *name, const double p[3]) {
    push_vec3_exact(L, p[0], p[1], p[2]);
    lua_setfield(L, -2, name);
}

static int path_sample(lua_State *L) {
    PathPose pose = pose_at(L, check_path_object(L, 1), check_finite(L, 2));
    lua_createtable(L, 0, 4);
    set_point(L, "origin", pose.origin);
    set_point(L, "angles", pose.angles);
    set_number(L, "fov", pose.fov);
    set_number(L, "roll", pose.roll);
    return 1;
}

/* The eye takes what the path has; what it leaves open stays the eye's own. */
static int path_apply(lua_State *L) {
    Engine *engine = engine_of(L);
    PathPose pose = pose_at(L, check_path_object(L, 1), check_finite(L, 2));
    if (pose.has & KEY_ORIGIN)
        engine->scene.origin = vec3_at((float)pose.origin[0], (float)pose.origin[1], (float)pose.origin[2]);
    if (pose.has & (KEY_ANGLES | KEY_ROLL))
        engine->scene.angles = vec3_at((float)pose.angles[0], (float)pose.angles[1], (float)pose.angles[2]);
    if (pose.has & KEY_FOV)
        engine->scene.fov = (float)pose.fov;
    engine->eye_owned = true;
    return 0;
}

static int path_follow(lua_State *L) {
    PathObject *object = check_path_object(L, 1);
    if (luaL_testudata(L, 2, "lw.class.entity")) {
        lua_getfield(L, 2, "targetname");
        lua_replace(L, 2);
    }
    if (!lua_isnoneornil(L, 2) && (lua_type(L, 2) != LUA_TSTRING || lua_rawlen(L, 2) >= PATH_NAME_ROOM))
        script_refuse(L, 2, "a targetname, \"player\", an entity that has a targetname, or nil expected");
    text_copy(object->follow, sizeof object->follow, lua_isnoneornil(L, 2) ? "" : lua_tostring(L, 2));
    return 0;
}

static int path_duration(lua_State *L) {
    lua_pushnumber(L, camera_path_duration(check_path(L, 1)));
    return 1;
}

static int path_length(lua_State *L) {
    lua_pushnumber(L, camera_path_length(check_path(L, 1)));
    return 1;
}

static int path_distance(lua_State *L) {
    lua_pushnumber(L, camera_path_distance(check_path(L, 1), check_finite(L, 2)));
    return 1;
}

static int check_key(lua_State *L, int arg, const CameraPath *path) {
    int count = camera_path_count(path);
    if (!count)
        script_refuse(L, arg, "the path has no keys");
    return check_count(L, arg, "key", 1, count) - 1;
}

static int path_count(lua_State *L) {
    lua_pushinteger(L, camera_path_count(check_path(L, 1)));
    return 1;
}

static int path_key(lua_State *L) {
    CameraPath *path = check_path(L, 1);
    path_push_key(L, camera_path_key(path, check_key(L, 2, path)));
    return 1;
}

static int path_keys(lua_State *L) {
    CameraPath *path = check_path(L, 1);
    int count = camera_path_count(path);
    lua_createtable(L, count, 0);
    for (int i = 0; i < count; i++) {
        path_push_key(L, camera_path_key(path, i));
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

static int path_key_time(lua_State *L) {
    CameraPath *path = check_path(L, 1);
    lua_pushnumber(L, camera_path_key_time(path, check_key(L, 2, path)));
    return 1;
}

static void note_speeds(lua_State *L, CameraPath *path, const PathKey *key) {
    PathSettings settings = camera_path_settings(path);
    if (key->says & KEY_SPEED)
        apply_settings(L, path, settings, true);
}

static int path_add(lua_State *L) {
    CameraPath *path = check_path(L, 1);
    int count = camera_path_count(path);
    charge_keys(L, check_path_object(L, 1), count + 1);
    PathKey key = path_read_key(L, 2, count + 1, count ? camera_path_key(path, count - 1)->t + 1 : 0);
    int at = camera_path_add(path, &key);
    if (at < 0)
        script_refuse(L, 2, "a key out of range, or one more than %d", PATH_KEYS_MOST);
    note_speeds(L, path, &key);
    lua_pushinteger(L, at + 1);
    return 1;
}

static int path_set(lua_State *L) {
    CameraPath *path = check_path(L, 1);
    int index = check_key(L, 2, path);
    PathKey key = path_read_key(L, 3, index + 1, camera_path_key(path, index)->t);
    int at = camera_path_set(path, index, &key);
    if (at < 0)
        script_refuse(L, 3, "a key out of range");
    note_speeds(L, path, &key);
    lua_pushinteger(L, at + 1);
    return 1;
}

static int path_remove(lua_State *L) {
    CameraPath *path = check_path(L, 1);
    camera_path_remove(path, check_key(L, 2, path));
    return 0;
}

static int path_settings(lua_State *L) {
    CameraPath *path = check_path(L, 1);
    PathSettings settings = camera_path_settings(path);
    if (check_optional_table(L, 2, "a table {curve, speed, constant, loop}")) {
        path_read_settings(L, 2, &settings);
        apply_settings(L, path, settings, false);
        settings = camera_path_settings(path);
    }
    path_push_settings(L, settings);
    return 1;
}

static int path_text(lua_State *L) {
    Text text = { 0 };
    path_write_lua(check_path(L, 1), &text);
    lua_pushlstring(L, text_of(&text), text.count);
    text_free(&text);
    return 1;
}

static double check_fps(lua_State *L, int arg) {
    double fps = lua_isnoneornil(L, arg) ? flat_fps : check_finite(L, arg);
    if (!(fps >= 1 && fps <= 1000))
        script_refuse(L, arg, "fps %g, allowed are 1..1000", fps);
    return fps;
}

static int path_save(lua_State *L) {
    PathObject *object = check_path_object(L, 1);
    const char *name = check_name(L, 2, "file");
    double fps = check_fps(L, 3);
    Engine *engine = engine_of(L);
    CameraFormat format = camera_format_of_name(name);
    Error error;
    Text text = { 0 };
    follow_entities(L, object);
    if (format == CAMERA_LUA)
        path_write_lua(object->path, &text);
    else
        camera_file_write(format, object->path, fps, &text);
    bool saved = script_trusted(L) ? file_write_disk(name, text_of(&text), text.count, &error)
                                   : files_write(engine->files, name, text_of(&text), text.count, &error);
    text_free(&text);
    if (!saved)
        return push_failure(L, &error);
    if (script_trusted(L))
        lua_pushstring(L, name);
    else
        lua_pushfstring(L, "%s/%s", files_writable(engine->files), name);
    return 1;
}

/* The search path, the script's own folder, and for trusted scripts the disk. */
static bool read_file(lua_State *L, const char *name, FileBytes *out, Error *error) {
    const Version *running = scripts_of(L)->running;
    char clean[FILE_NAME_ROOM];
    if (script_trusted(L) && file_exists_disk(name))
        return file_read_disk(name, out, error);
    if (running && running->script->folder && file_name_clean(name, clean, sizeof clean)) {
        Text beside = { 0 };
        text_format(&beside, "%s/%s", running->script->folder, clean);
        bool there = file_exists_disk(text_of(&beside));
        bool read = there && file_read_disk(text_of(&beside), out, error);
        text_free(&beside);
        if (there)
            return read;
    }
    return files_read(engine_of(L)->files, name, out, error);
}

/* A Lua table's text on the top of the stack becomes the table, or an error raised. */
static void run_text(lua_State *L, const char *name) {
    size_t size;
    const char *text = lua_tolstring(L, -1, &size);
    const char *chunk = lua_pushfstring(L, "@%s", name);
    if (luaL_loadbufferx(L, text, size, chunk, "t") != LUA_OK)
        lua_error(L);
    lua_newtable(L);
    lua_setupvalue(L, -2, 1);
    lua_call(L, 0, 1);
}

int camera_load_path(lua_State *L) {
    const char *name = check_name(L, 1, "file");
    double fps = check_fps(L, 2);
    lua_settop(L, 2);
    FileBytes file;
    Error error;
    PathObject *object = path_push(L);
    if (!read_file(L, name, &file, &error))
        return push_failure(L, &error);
    CameraFormat format = camera_format_of_text((const char *)file.bytes, file.size);
    if (format != CAMERA_LUA) {
        CameraPath *path = camera_file_read(format, name, (const char *)file.bytes, file.size, fps, &error);
        file_free(&file);
        if (!path)
            return push_failure(L, &error);
        path_take(L, object, path);
        return 1;
    }
    if (scripts_of(L)->used + file.size * 2 + 4096 > scripts_of(L)->limit) {
        file_free(&file);
        return luaL_error(L, "not enough memory");
    }
    lua_pushlstring(L, (const char *)file.bytes, file.size);
    file_free(&file);
    run_text(L, name);
    if (lua_type(L, -1) != LUA_TTABLE) {
        fail(&error, "%s: returns no table of keys", name);
        return push_failure(L, &error);
    }
    read_path(L, lua_gettop(L), 0, object);
    lua_settop(L, 3);
    return 1;
}

/* Drawn in the level */

static void draw_line(Frame *frame, Vec3 from, Vec3 to, const Style *style, Rgba color) {
    frame_line(frame, (FrameLine){ from, to, color, color, style->width, style->flags });
}

/* Slow is blue, fast is red, against the path's own mean. */
static Rgba speed_color(double speed, double mean) {
    double u = mean > 0 ? CLAMP(speed / mean / 2, 0, 1) : 0.5;
    return (Rgba){ (uint8_t)(255 * u), (uint8_t)(255 * (1 - fabs(2 * u - 1))), (uint8_t)(255 * (1 - u)), 255 };
}

static Vec3 pose_origin(const PathPose *pose) { return vec3_at((float)pose->origin[0], (float)pose->origin[1], (float)pose->origin[2]); }

static int path_draw(lua_State *L) {
    enum { PIECES_MOST = 20000 };
    PathObject *object = check_path_object(L, 1);
    CameraPath *path = object->path;
    Style style = check_style(L, 2);
    bool own_color = lua_type(L, 2) == LUA_TTABLE && lua_getfield(L, 2, "color") != LUA_TNIL;
    Frame *frame = &engine_of(L)->frame;
    double start = camera_path_start(path), span = camera_path_duration(path) - start;
    int pieces = (int)CLAMP(span * 30, 1, PIECES_MOST);
    double mean = span > 0 ? camera_path_length(path) / span : 0;
    PathPose last = pose_at(L, object, start);
    if (!(last.has & KEY_ORIGIN))
        return 0;
    for (int i = 1; i <= pieces && span > 0; i++) {
        PathPose pose = pose_at(L, object, start + span * i / pieces);
        Vec3 from = pose_origin(&last), to = pose_origin(&pose);
        draw_line(frame, from, to, &style, own_color ? style.color : speed_color(vec3_length(vec3_sub(to, from)) * pieces / span, mean));
        if (floor(span * i / pieces) != floor(span * (i - 1) / pieces))    /* a tick a second */
            draw_line(frame, vec3_add(to, vec3_at(0, 0, -6)), vec3_add(to, vec3_at(0, 0, 6)), &style, (Rgba){ 255, 255, 255, 255 });
        last = pose;
    }
    for (int i = 0; i < camera_path_count(path); i++) {
        PathPose pose = pose_at(L, object, camera_path_key_time(path, i));
        Vec3 at = pose_origin(&pose);
        Axes axes = axes_from_angles(vec3_at((float)pose.angles[0], (float)pose.angles[1], (float)pose.angles[2]));
        frame_box(frame, (FrameBox){ { vec3_add(at, vec3_at(-3, -3, -3)), vec3_add(at, vec3_at(3, 3, 3)) }, { 255, 220, 80, 255 }, style.width, style.flags, false });
        draw_line(frame, at, vec3_add_scaled(at, axes.forward, 24), &style, (Rgba){ 255, 220, 80, 255 });
    }
    return 0;
}

/* Lint */

static double lint_limit(lua_State *L, const char *name, double most) {
    return lua_type(L, 2) == LUA_TTABLE ? field_number(L, 2, name, 0, 0, most) : 0;
}

static void push_finding(lua_State *L, const LintFinding *f) {
    lua_createtable(L, 0, 6);
    set_text(L, "kind", lint_name(f->kind));
    set_number(L, "from", f->from);
    set_number(L, "to", f->to);
    set_point(L, "origin", f->origin);
    if (f->worst > 0)
        set_number(L, "worst", f->worst);
    char place[96];
    snprintf(place, sizeof place, "%.2f..%.2f s at %.0f %.0f %.0f", f->from, f->to, f->origin[0], f->origin[1], f->origin[2]);
    switch (f->kind) {
        case LINT_SOLID: lua_pushfstring(L, "in solid, %s", place); break;
        case LINT_OUTSIDE: lua_pushfstring(L, "outside of the level, %s", place); break;
        case LINT_WALL: lua_pushfstring(L, "too near to a wall, %s", place); break;
        case LINT_SPEED: lua_pushfstring(L, "the speed changes by %d units a second a second, %s", (int)CLAMP(f->worst, 0, 2e9), place); break;
        default: lua_pushfstring(L, "turns by %d degrees a second, %s", (int)CLAMP(f->worst, 0, 2e9), place);
    }
    lua_setfield(L, -2, "text");
}

static int path_lint(lua_State *L) {
    enum { FINDINGS_MOST = 1000 };
    PathObject *object = check_path_object(L, 1);
    check_optional_table(L, 2, "a table {clearance, speed, turn}");
    OpenLevel *level = check_open_level(L);
    LintSetup setup = { lint_limit(L, "clearance", 1000), lint_limit(L, "speed", 1e9), lint_limit(L, "turn", 1e9) };
    follow_entities(L, object);
    LintFinding *found = lua_newuserdatauv(L, FINDINGS_MOST * sizeof *found, 0);
    int count = MIN(camera_lint(object->path, level->map, engine_collision(level), &setup, found, FINDINGS_MOST), FINDINGS_MOST);
    lua_createtable(L, count, 0);
    for (int i = 0; i < count; i++) {
        push_finding(L, &found[i]);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

static int path_tostring(lua_State *L) {
    CameraPath *path = check_path(L, 1);
    lua_pushfstring(L, "path of %d keys, %f s", camera_path_count(path), camera_path_duration(path));
    return 1;
}

const ScriptFunction path_methods[] = {
    { "path:sample", path_sample, "(t: number) -> {origin: vec3, angles: vec3, fov: number, roll: number}",
      "Where the eye is at a time: before the first key and after the last it stays." },
    { "path:apply", path_apply, "(t: number)", "Puts the eye where the path is at a time; what no key says (angles, say) stays the eye's own." },
    { "path:duration", path_duration, "() -> number", "Seconds from 0 to the end of the last key." },
    { "path:length", path_length, "() -> number", "How long the way is, in units." },
    { "path:distance", path_distance, "(t: number) -> number", "Units that are gone by a time." },
    { "path:count", path_count, "() -> integer", "How many keys there are." },
    { "path:key", path_key, "(i: integer) -> table", "Key i (from 1) as a table; changing the table changes no path: path:set does." },
    { "path:keys", path_keys, "() -> table[]", "All keys as tables, in order." },
    { "path:key_time", path_key_time, "(i: integer) -> number", "When key i is reached: other than its t where a speed decides." },
    { "path:add", path_add, "(key: table) -> integer", "Puts a key in by its time; returns its number." },
    { "path:set", path_set, "(i: integer, key: table) -> integer", "Puts another key in place of key i; returns its number, for its time may be another." },
    { "path:remove", path_remove, "(i: integer)", "Takes key i out; its neighbours' way is worked out anew." },
    { "path:settings", path_settings, "(change?: table) -> table",
      "Changes any of {curve = \"centripetal\"|\"uniform\"|\"linear\"|\"hermite\"|\"hold\", speed, constant, loop} and returns them all." },
    { "path:follow", path_follow, "(who?: any)", "The path's places are from now on relative to an entity (targetname, \"player\" or the entity); nil: to the level." },
    { "path:lint", path_lint, "(limits?: {clearance: number, speed: number, turn: number}) -> table[]",
      "What is wrong with the path in this level: a list of {kind = solid, outside, wall, speed or turn, from, to, origin, worst, text}." },
    { "path:text", path_text, "() -> string", "The path as the Lua file that save writes." },
    { "path:save", path_save, "(file: string, fps?: number) -> string?, string?",
      "Writes the path: .cam .xml .mme .cfg as q3mme's, .txt .csv .flat as lines `x y z pitch yaw roll fov` at fps (60), else as a Lua table; returns where, or nil and why not." },
    { "path:draw", path_draw, "(style?: style)", "Draws the way in this frame: blue where it is slow, red where fast, a tick a second, a box at each key." },
    { NULL, NULL, NULL, NULL },
};

void path_open(lua_State *L) {
    static const luaL_Reg meta[] = { { "__gc", path_collect }, { "__len", path_count }, { "__tostring", path_tostring }, { NULL, NULL } };
    script_class(L, CLASS, path_methods, meta);
}
