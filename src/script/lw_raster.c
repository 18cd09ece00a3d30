/* script/lw_raster.c -- lw.raster: what turns the scene into pixels, how, and at what cost.
 *
 * lw.raster.gl and its kin are views of the console's variables: lw.raster.gl.NAME is the variable gl.NAME. */
#include <limits.h>

#include "render/soft/soft.h"
#include "script/script_internal.h"

static const char SOFT[] = "soft";

static void add_names(luaL_Buffer *names) {
    for (int i = 0; renderer_at(i); i++) {
        luaL_addstring(names, i ? ", " : "");
        luaL_addstring(names, renderer_at(i)->name);
    }
    luaL_pushresult(names);
}

/* Pushes nil and words for a rasterizer that this build lacks; raises for a name that none has. */
static int refuse_rasterizer(lua_State *L, const char *name) {
    luaL_Buffer names;
    luaL_buffinit(L, &names);
    add_names(&names);
    if (strcmp(name, SOFT) != 0)
        script_refuse(L, 1, "rasterizer \"%s\", this build has %s", name, lua_tostring(L, -1));
    lua_pushnil(L);
    lua_pushfstring(L, "this build has no software rasterizer (it has %s)", lua_tostring(L, -2));
    return 2;
}

static int raster_use(lua_State *L) {
    const char *name = check_name(L, 1, "rasterizer");
    if (!renderer_by_name(name))
        return refuse_rasterizer(L, name);
    Error error;
    if (!engine_use_renderer(engine_of(L), name, &error))
        return push_failure(L, &error);
    lua_pushboolean(L, true);
    return 1;
}

static int raster_current(lua_State *L) {
    const Engine *engine = engine_of(L);
    lua_pushstring(L, engine->renderer ? engine->renderer->name : NULL);
    return 1;
}

/* The views of this build: those of spans and edges are the software rasterizer's. */
static Shade check_view(lua_State *L, int arg) {
    const char *names[SHADE_COUNT + 1];
    int count = renderer_by_name(SOFT) ? SHADE_COUNT : SHADE_OVERDRAW + 1;
    for (int i = 0; i < count; i++)
        names[i] = shade_name(i);
    names[count] = NULL;
    return (Shade)check_option(L, arg, names, "view");
}

static int raster_view(lua_State *L) {
    Engine *engine = engine_of(L);
    if (!lua_isnoneornil(L, 1))
        engine->shade = check_view(L, 1);
    lua_pushstring(L, shade_name((int)engine->shade));
    return 1;
}


/* ---- render ---- */

static const char *const render_fields[] = { "rasterizer", "origin", "angles", "fov", "width", "height", "view", "draw", NULL };

/* Leaves the field of argument 1 as value 2; false: it is not there. */
static bool field(lua_State *L, const char *name) {
    lua_settop(L, 1);
    return lua_getfield(L, 1, name) != LUA_TNIL;
}

/* The script's own function, at index 2, draws into the picture; what it raises is left on the top. */
static bool call_draw(void *user, Error *error) {
    lua_State *L = user;
    lua_pushvalue(L, 2);
    push_view(L, &engine_of(L)->frame.view);
    return script_call_back(L, 1, 0) == LUA_OK || fail(error, "the picture's draw raised an error");
}

static int raster_render(lua_State *L) {
    check_settings(L, "a table {rasterizer, origin, angles, fov, width, height, view}");
    check_fields(L, 1, 1, "", render_fields);
    Engine *engine = engine_of(L);
    const Scene *scene = &engine->scene;
    RenderRequest request = { .shade = engine->shade };
    request.origin = field_point(L, 1, "origin", scene->origin);
    request.angles = field_point(L, 1, "angles", scene->angles);
    request.fov = (float)field_number(L, 1, "fov", scene->fov, 1, 170);
    request.width = (int)field_number(L, 1, "width", 1280, 1, IMAGE_LARGEST);
    request.height = (int)field_number(L, 1, "height", 720, 1, IMAGE_LARGEST);
    if (field(L, "view"))
        request.shade = check_view(L, 2);
    request.renderer = engine->renderer ? engine->renderer->name : "gl";
    if (field(L, "rasterizer")) {
        const char *name = check_name(L, 2, "rasterizer");
        if (!renderer_by_name(name))
            return refuse_rasterizer(L, name);
        request.renderer = renderer_by_name(name)->name;
    }
    if (field(L, "draw")) {
        if (lua_type(L, 2) != LUA_TFUNCTION)
            script_refuse(L, 1, "draw is a function, got %s", luaL_typename(L, 2));
        request.fill = call_draw;
        request.user = L;
    }
    luaL_checkstack(L, LUA_MINSTACK, NULL);
    Image *kept = push_image(L, request.width, request.height);
    int top = lua_gettop(L);
    Image image;
    Error error;
    if (!engine_render(engine, &request, &image, &error))
        return lua_gettop(L) > top ? lua_error(L) : push_failure(L, &error);
    image_take(kept, &image);
    return 1;
}


/* ---- settings ---- */

typedef struct Settings { const RendererKind *kind; } Settings;

static int push_stats(lua_State *L, const RendererKind *kind) {
    void *self = engine_renderer_self(engine_of(L), kind);
    const RenderStat *stats = NULL;
    int count = self ? kind->stats(self, &stats) : 0;
    lua_createtable(L, 0, count);
    for (int i = 0; i < count; i++) {
        set_number(L, stats[i].name, stats[i].value);
    }
    return 1;
}

static int raster_gl_stats(lua_State *L) { return push_stats(L, renderer_by_name("gl")); }
static int raster_soft_stats(lua_State *L) { return push_stats(L, &soft_renderer); }

/* The variable that the field named by argument 2 is, or an error that lists what there is. */
static Var *check_setting(lua_State *L, const Settings *settings) {
    const Vars *vars = engine_of(L)->vars;
    const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : luaL_typename(L, 2);
    const char *start = lua_pushfstring(L, "%s.", settings->kind->name);
    Var *var = var_find(vars, lua_pushfstring(L, "%s%s", start, name));
    if (var && var->defined)
        return var;
    luaL_Buffer names;
    luaL_buffinit(L, &names);
    for (int i = 0; i < vars_count(vars); i++) {
        const Var *other = vars_at(vars, i);
        if (!other->defined || !text_starts_fold(other->name, start))
            continue;
        luaL_addchar(&names, ' ');
        luaL_addstring(&names, other->name + strlen(start));
    }
    luaL_pushresult(&names);
    luaL_error(L, "lw.raster.%s has no setting '%s' (it has:%s)", settings->kind->name, name, lua_tostring(L, -1));
    return NULL;
}

/* The software rasterizer, opened if it was not; raises when it cannot be. */
static void *soft_of(lua_State *L) {
    Error error;
    if (!engine_open_renderer(engine_of(L), SOFT, &error))
        luaL_error(L, "lw.raster.soft: %s", error.text);
    return engine_renderer_self(engine_of(L), &soft_renderer);
}

static int raster_stop_after(lua_State *L) {
    int count = lua_isnoneornil(L, 1) ? -1 : check_count(L, 1, "count", -1, INT_MAX);
    soft_stop_after(soft_of(L), count);
    return 0;
}

static void push_row_edge(lua_State *L, const SoftRowEdge *edge) {
    lua_createtable(L, 0, 3);
    set_number(L, "x", edge->x);
    set_integer(L, "face", edge->face);
    set_boolean(L, "leading", edge->leading);
}

static void push_row_span(lua_State *L, const SoftRowSpan *span) {
    lua_createtable(L, 0, 5);
    set_integer(L, "x0", span->x0);
    set_integer(L, "x1", span->x1);
    set_integer(L, "face", span->face);
    set_number(L, "depth0", span->depth0);
    set_number(L, "depth1", span->depth1);
}

/* In memory of the frame: nothing of it is left when an error is raised. */
static int raster_scanline(lua_State *L) {
    int y = check_count(L, 1, "row", INT_MIN, INT_MAX);
    SoftScanline line;
    Error error;
    if (!soft_scanline(soft_of(L), y, engine_of(L)->frame.arena, &line, &error))
        return push_failure(L, &error);
    lua_createtable(L, 0, 2);
    lua_createtable(L, line.edge_count, 0);
    for (int i = 0; i < line.edge_count; i++) {
        push_row_edge(L, &line.edges[i]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, "edges");
    lua_createtable(L, line.span_count, 0);
    for (int i = 0; i < line.span_count; i++) {
        push_row_span(L, &line.spans[i]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, "spans");
    return 1;
}

static int settings_index(lua_State *L) {
    const Settings *settings = check_object(L, 1, "rasterizer");
    if (lua_type(L, 2) == LUA_TSTRING && push_inner(L, &lw_raster_module, settings->kind->name, lua_tostring(L, 2)))
        return 1;
    const Var *var = check_setting(L, settings);
    return push_variable(L, var->kind, var->text, var->number);
}

static int settings_newindex(lua_State *L) {
    const Settings *settings = check_object(L, 1, "rasterizer");
    const Var *var = check_setting(L, settings);
    const char *text;
    int whole = 0;
    if (lua_type(L, 3) == LUA_TBOOLEAN)
        text = lua_toboolean(L, 3) ? "1" : "0";
    else if (lua_type(L, 3) == LUA_TNUMBER && lua_tointegerx(L, 3, &whole) && whole)
        text = lua_pushfstring(L, "%I", (LUAI_UACINT)lua_tointeger(L, 3));    /* 16 / 2 is 8, not 8.0 */
    else if (lua_type(L, 3) == LUA_TNUMBER || lua_type(L, 3) == LUA_TSTRING)
        text = luaL_tolstring(L, 3, NULL);
    else
        return luaL_error(L, "lw.raster.%s: a number, text or boolean expected, got %s", var->name, luaL_typename(L, 3));
    Error error;
    if (!var_set(engine_of(L)->vars, var->name, text, &error))
        return luaL_error(L, "lw.raster: %s", error.text);
    return 0;
}

static int settings_tostring(lua_State *L) {
    lua_pushfstring(L, "rasterizer %s", ((const Settings *)check_object(L, 1, "rasterizer"))->kind->name);
    return 1;
}

static int push_settings(lua_State *L, const char *name) {
    const RendererKind *kind = renderer_by_name(name);
    if (!kind)
        return luaL_error(L, "'lw.raster.%s': this build has no software rasterizer", name);
    Settings *settings = script_object(L, "rasterizer", sizeof *settings);
    settings->kind = kind;
    return 1;
}

static int raster_gl(lua_State *L) { return push_settings(L, "gl"); }
static int raster_soft(lua_State *L) { return push_settings(L, SOFT); }

static int raster_compare(lua_State *L) {
    Engine *engine = engine_of(L);
    Error error;
    if (!lua_isnone(L, 1) && !engine_compare(engine, lua_toboolean(L, 1), &error))
        return push_failure(L, &error);
    lua_pushboolean(L, engine->compare.on);
    return 1;
}

static void open(lua_State *L) {
    static const luaL_Reg meta[] = {
        { "__index", settings_index }, { "__newindex", settings_newindex }, { "__tostring", settings_tostring }, { NULL, NULL },
    };
    script_class(L, "rasterizer", NULL, meta);
    image_open(L);
}

static const ScriptFunction functions[] = {
    { "use", raster_use, "(name: \"gl\"|\"soft\"|\"null\") -> boolean?, string?",
      "Chooses what draws from now on; nil and why when it cannot." },
    { "current", raster_current, "() -> string?", "The rasterizer that draws; nil while nothing does." },
    { "compare", raster_compare, "(on?: boolean) -> boolean?, string?",
      "Split screen: left of a divider, which the mouse drags, OpenGL's picture, right of it the software rasterizer's; tells "
      "whether it is on, or nil and why it cannot be." },
    { "view", raster_view, "(name?: string) -> string",
      "What the picture shows: lit, texture, lightmap, cluster, face, depth, normal, wire, overdraw, mip, or, with the software "
      "rasterizer, spans or edges; returns the view." },
    { "render", raster_render, "(what?: table) -> image?, string?",
      "One picture beside the running frames, of { rasterizer, origin, angles, fov, width, height, view, draw }, each optional; "
      "of what scripts draw only that of the function `draw`, which gets the view, is in it." },
    { NULL, NULL, NULL, NULL },
};

static const ScriptFunction inner[] = {
    { "gl.stats", raster_gl_stats, "() -> {draw_calls: number, triangles: number}",
      "What OpenGL's last frame took, by name: counts, and milliseconds of each pass (names that end in _ms)." },
    { "soft.stats", raster_soft_stats, "() -> {frame_ms: number, edges: number, spans: number, surfaces: number, pixels: number, overdraw: number}",
      "What the software rasterizer's last frame took, by name: milliseconds of each stage (names that end in _ms), counts, the "
      "cache of lit texels, model triangles by drawer. overdraw is 1 where each pixel was drawn once." },
    { "soft.stop_after", raster_stop_after, "(count?: integer)",
      "The next pictures hold no more than the first spans, front to back; in the view \"edges\" the first edges, surface by "
      "surface. Without a count, or with -1, all of them again." },
    { "soft.scanline", raster_scanline,
      "(y: integer) -> {edges: {x: number, face: integer, leading: boolean}[], spans: {x0: integer, x1: integer, face: integer, depth0: number, depth1: number}[]}?, string?",
      "A row of the last picture, from left to right: the edges that cross it, hidden ones too (leading: its surface begins "
      "there), and the spans that were drawn, pixels x0 up to x1 - 1 with the distances at both; nil and why where there is none." },
    { NULL, NULL, NULL, NULL },
};

static const ScriptProperty properties[] = {
    { "gl", raster_gl, NULL, "table", "Settings of OpenGL by name (`varlist gl`), and `stats()`." },
    { "soft", raster_soft, NULL, "table", "Settings of the software rasterizer by name (`varlist soft`), `stats()`, `stop_after()`, `scanline()`." },
    { NULL, NULL, NULL, NULL, NULL },
};

const ScriptModule lw_raster_module = {
    .name = "raster", .help = "What turns the scene into pixels, how, and at what cost.", .functions = functions,
    .properties = properties, .open = open, .fields = image_fields, .methods = image_methods,
    .inner = inner,
};
