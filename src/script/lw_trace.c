/* script/lw_trace.c -- lw.trace: what a ray or a box meets on its way, what a point is in, what a pixel shows. */
#include <math.h>

#include "bsp/bsp_trace.h"
#include "script/script_internal.h"

/* "solid", "playersolid", ... as the game's masks, or any contents by name, or a number; a list of those means all. */
static uint32_t mask_by_name(lua_State *L, const char *name) {
    static const struct { const char *name; uint32_t mask; } masks[] = {
        { "solid", MASK_SOLID }, { "player", MASK_PLAYERSOLID }, { "playersolid", MASK_PLAYERSOLID }, { "deadsolid", MASK_DEADSOLID },
        { "playerclip", CONTENTS_SOLID | CONTENTS_PLAYERCLIP }, { "liquid", MASK_WATER }, { "opaque", MASK_OPAQUE },
        { "shot", MASK_SHOT }, { "all", ~0u },
    };
    for (int i = 0; i < COUNT_OF(masks); i++)
        if (text_same(name, masks[i].name))
            return masks[i].mask;
    uint32_t bit = bsp_flag_by_name(bsp_contents_flags, name);
    if (!bit)
        luaL_error(L, "bad argument 'opts' to '%s' (mask \"%s\": there is no such contents; solid, playersolid, playerclip, liquid, "
                      "opaque, shot, all, or a name of surfaceparm's contents)", script_name_of(L), name);
    return bit;
}

static uint32_t mask_at(lua_State *L, int index) {
    if (lua_type(L, index) == LUA_TNUMBER)
        return (uint32_t)(lua_Integer)luaL_checknumber(L, index);
    if (lua_type(L, index) == LUA_TSTRING)
        return mask_by_name(L, lua_tostring(L, index));
    if (lua_type(L, index) != LUA_TTABLE)
        luaL_error(L, "bad argument 'opts' to '%s' (mask: a name, a number or a list of names, got %s)", script_name_of(L), luaL_typename(L, index));
    uint32_t mask = 0;
    lua_Integer count = (lua_Integer)lua_rawlen(L, index);
    for (lua_Integer i = 1; i <= count; i++) {
        lua_rawgeti(L, index, i);
        if (lua_type(L, -1) != LUA_TSTRING)
            luaL_error(L, "bad argument 'opts' to '%s' (mask: place %d of the list is a %s)", script_name_of(L), (int)i, luaL_typename(L, -1));
        mask |= mask_by_name(L, lua_tostring(L, -1));
        lua_pop(L, 1);
    }
    return mask;
}

typedef struct Options { uint32_t mask; bool entities, capsule; int ignore; } Options;

static Options check_options(lua_State *L, int arg) {
    Options options = { .mask = MASK_SOLID, .ignore = -1 };
    if (!check_optional_table(L, arg, "a table { mask, entities, ignore, capsule }"))
        return options;
    if (lua_getfield(L, arg, "mask") != LUA_TNIL)
        options.mask = mask_at(L, lua_gettop(L));
    lua_getfield(L, arg, "entities");
    options.entities = lua_toboolean(L, -1);
    lua_getfield(L, arg, "capsule");
    options.capsule = lua_toboolean(L, -1);
    if (lua_getfield(L, arg, "ignore") != LUA_TNIL)
        options.ignore = entity_number_at(L, lua_gettop(L));
    lua_settop(L, arg);
    return options;
}

static void set_number_of(lua_State *L, const char *name, int value) {    /* of a thing; nil where there is none */
    if (value < 0)
        return;
    set_integer(L, name, value);
}

static int push_trace(lua_State *L, const Map *map, const Trace *trace, int entity) {
    lua_createtable(L, 0, 12);
    set_number(L, "fraction", trace->fraction);
    set_vec3(L, "endpos", trace->endpos);
    set_vec3(L, "normal", trace->plane.normal);
    set_boolean(L, "start_solid", trace->start_solid);
    set_boolean(L, "all_solid", trace->all_solid);
    set_boolean(L, "hit", trace->fraction < 1);
    set_integer(L, "contents", trace->contents);
    set_integer(L, "flags", trace->surface_flags);
    set_number_of(L, "brush", trace->brush);
    set_number_of(L, "face", trace->face);
    if (trace->texture >= 0) {
        lua_pushstring(L, map->textures[trace->texture].name);
        lua_setfield(L, -2, "texture");
    }
    if (entity >= 0) {
        push_entity(L, entity);
        lua_setfield(L, -2, "entity");
    }
    return 1;
}

static int run(lua_State *L, TraceQuery *query, int options_arg) {
    OpenLevel *level = check_open_level(L);
    Engine *engine = engine_of(L);
    Options options = check_options(L, options_arg);
    query->mask = options.mask;
    query->capsule = options.capsule;
    bool playing = options.entities && level == engine->current && engine->sim;
    int entity = -1;
    Trace trace = playing ? sim_trace(engine->sim, query, options.ignore, &entity)
                          : bsp_trace(level->map, engine_collision(level), query);
    return push_trace(L, level->map, &trace, entity);
}

static int trace_ray(lua_State *L) {
    int arg = 1;
    TraceQuery query = { .from = check_vec3(L, &arg) };
    query.to = check_vec3(L, &arg);
    return run(L, &query, arg);
}

static int trace_box(lua_State *L) {
    int arg = 1;
    TraceQuery query = { .from = check_vec3(L, &arg) };
    query.to = check_vec3(L, &arg);
    int at = arg;
    query.box.mins = check_vec3(L, &arg);
    query.box.maxs = check_vec3(L, &arg);
    for (int i = 0; i < 3; i++)
        if (query.box.mins.raw[i] > query.box.maxs.raw[i])
            script_refuse(L, at, "mins %g is above maxs %g on axis %c", (double)query.box.mins.raw[i], (double)query.box.maxs.raw[i], "xyz"[i]);
    return run(L, &query, arg);
}

static int trace_point_contents(lua_State *L) {
    OpenLevel *level = check_open_level(L);
    int arg = 1;
    Vec3 point = check_vec3(L, &arg);
    Engine *engine = engine_of(L);
    bool playing = level == engine->current && engine->sim;
    uint32_t contents = playing ? sim_contents(engine->sim, point) : bsp_point_contents(level->map, point);
    lua_pushinteger(L, (lua_Integer)contents);
    char names[512];
    lua_pushstring(L, bsp_flag_names(bsp_contents_flags, contents, names, sizeof names));
    return 2;
}

/* ---- what a pixel shows ---- */

typedef struct Pick { Vec3 from, way; float distance; int face, model; } Pick;

/* How far along the way a triangle is met (both of its sides are there), or a negative number. */
static float meet_triangle(Vec3 from, Vec3 way, Vec3 a, Vec3 b, Vec3 c) {
    Vec3 ab = vec3_sub(b, a), ac = vec3_sub(c, a), across = vec3_cross(way, ac);
    float area = vec3_dot(ab, across);
    if (fabsf(area) < 1e-12f)
        return -1;
    Vec3 to = vec3_sub(from, a);
    float u = vec3_dot(to, across) / area;
    Vec3 turn = vec3_cross(to, ab);
    float v = vec3_dot(way, turn) / area;
    return u < 0 || v < 0 || u + v > 1 ? -1 : vec3_dot(ac, turn) / area;
}

static bool passes_box(const Pick *pick, Vec3 from, Vec3 way, Box box) {
    float near = 0, far = pick->distance;
    for (int i = 0; i < 3; i++) {
        float inverse = 1 / way.raw[i];
        float t0 = (box.mins.raw[i] - 0.5f - from.raw[i]) * inverse, t1 = (box.maxs.raw[i] + 0.5f - from.raw[i]) * inverse;
        if (isnan(t0) || isnan(t1))
            continue;    /* along the side of a flat box */
        near = fmaxf(near, fminf(t0, t1));
        far = fminf(far, fmaxf(t0, t1));
    }
    return near <= far;
}

static void pick_face(Pick *pick, const Level *level, int face, int model, Vec3 from, Vec3 way) {
    const BspGeometry *g = level->geometry;
    if (!g->faces[face].index_count || !passes_box(pick, from, way, g->face_bounds[face]))
        return;
    const uint32_t *index = g->indexes + g->faces[face].first_index;
    for (int i = 0; i + 2 < g->faces[face].index_count; i += 3) {
        float t = meet_triangle(from, way, g->vertices[index[i]].position, g->vertices[index[i + 1]].position, g->vertices[index[i + 2]].position);
        if (t > 0 && t < pick->distance) {
            pick->distance = t;
            pick->face = face;
            pick->model = model;
        }
    }
}

static void pick_model(Pick *pick, const Level *level, const FrameModel *model) {
    const Axes *axes = &model->axes;
    Vec3 arm = vec3_sub(pick->from, model->origin);
    Vec3 from = vec3_at(vec3_dot(arm, axes->forward), -vec3_dot(arm, axes->right), vec3_dot(arm, axes->up));
    Vec3 way = vec3_at(vec3_dot(pick->way, axes->forward), -vec3_dot(pick->way, axes->right), vec3_dot(pick->way, axes->up));
    const BspModel *stored = &level->map->models[model->model];
    for (int i = 0; i < stored->face_count; i++)
        pick_face(pick, level, stored->first_face + i, model->model, from, way);
}

/* The live entity of that brush model, or that of the lump's number. */
static void set_entity(lua_State *L, Engine *engine, int model) {
    for (int i = 0; engine->sim && i < sim_count(engine->sim); i++) {
        const SimEntity *entity = sim_entity(engine->sim, i);
        if (entity->alive && entity->model == model) {
            push_entity(L, i);
            lua_setfield(L, -2, "entity");
            return;
        }
    }
}

static int trace_pick(lua_State *L) {
    check_on_screen(L);
    Engine *engine = engine_of(L);
    const Frame *frame = &engine->frame;
    double x = check_finite(L, 1), y = check_finite(L, 2);
    if (!frame->level)
        return 0;
    Pick pick = { frame->view.origin, view_ray(&frame->view, (float)x, (float)y), 1e9f, -1, 0 };
    for (int i = 0; i < frame->face_count; i++)
        pick_face(&pick, frame->level, frame->faces[i], 0, pick.from, pick.way);
    for (size_t i = 0; i < frame->models.count; i++)
        pick_model(&pick, frame->level, &frame->models.at[i]);
    if (pick.face < 0)
        return 0;
    const Map *map = frame->level->map;
    Vec3 point = vec3_add_scaled(pick.from, pick.way, pick.distance);
    lua_createtable(L, 0, 8);
    set_integer(L, "face", pick.face);
    lua_pushstring(L, map->textures[map->faces[pick.face].texture].name);
    lua_setfield(L, -2, "texture");
    set_integer(L, "cluster", bsp_cluster_at(map, vec3_add_scaled(pick.from, pick.way, pick.distance - 0.5f)));
    set_number(L, "distance", pick.distance);
    set_integer(L, "model", pick.model);
    set_vec3(L, "point", point);
    if (pick.model > 0)
        set_entity(L, engine, pick.model);
    return 1;
}

static const ScriptFunction functions[] = {
    { "ray", trace_ray, "(from: point, to: point, opts?: table) -> table",
      "What a ray meets first: { hit, fraction (of the way; 1: nothing), endpos, normal, start_solid, all_solid, contents, flags, brush, face, texture, entity }." },
    { "box", trace_box, "(from: point, to: point, mins: point, maxs: point, opts?: table) -> table",
      "The same for a box around the moving point; opts = { mask = \"solid\", entities = false, ignore = entity, capsule = false }. Masks: "
      "solid, playersolid, playerclip, liquid, opaque, shot, all, a name of surfaceparm's contents, or a list of these." },
    { "point_contents", trace_point_contents, "(p: point) -> integer, string", "What a point is in: contents bits, and their names." },
    { "pick", trace_pick, "(x: number, y: number) -> table?",
      "What a pixel of the frame shows: face, texture, cluster, distance, point, model and entity; nil for nothing." },
    { NULL, NULL, NULL, NULL },
};

const ScriptModule lw_trace_module = {
    .name = "trace",
    .help = "What rays and boxes meet on their way, what a point is in, what a pixel shows.",
    .functions = functions,
    .of_map = true,
};
