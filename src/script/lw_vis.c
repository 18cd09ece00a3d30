/* script/lw_vis.c -- lw.vis: which parts of the level can see one another.
 *
 * A row is a value: a userdata that holds its bits, apart from any map. Cluster -1 is legal in every question. */
#include "bsp/bsp_portals.h"
#include "script/script_internal.h"

typedef struct Row { int clusters, words; uint64_t bits[]; } Row;

static Row *push_row(lua_State *L, int clusters) {
    int words = (clusters + 63) / 64;
    Row *row = script_object(L, "row", sizeof *row + (size_t)words * sizeof row->bits[0]);
    row->clusters = clusters;
    row->words = words;
    return row;
}

static const Row *check_row(lua_State *L, int arg) { return check_object(L, arg, "row"); }

/* Two rows that can be put together: of as many clusters. */
static const Row *check_rows(lua_State *L, const Row **other) {
    const Row *row = check_row(L, 1);
    *other = check_row(L, 2);
    if (row->clusters != (*other)->clusters)
        luaL_error(L, "these rows are of maps with %d and %d clusters", row->clusters, (*other)->clusters);
    return row;
}

static int row_has(lua_State *L) {
    const Row *row = check_row(L, 1);
    lua_Integer cluster = luaL_checkinteger(L, 2);
    if (cluster < -1 || cluster >= row->clusters)
        script_refuse(L, 2, "cluster %lld, this row has 0..%d", (long long)cluster, row->clusters - 1);
    lua_pushboolean(L, cluster >= 0 && (row->bits[cluster / 64] >> (cluster % 64) & 1));
    return 1;
}

static int row_population(lua_State *L) {
    const Row *row = check_row(L, 1);
    int population = 0;
    for (int w = 0; w < row->words; w++)
        population += __builtin_popcountll(row->bits[w]);
    lua_pushinteger(L, population);
    return 1;
}

static int row_list(lua_State *L) {
    const Row *row = check_row(L, 1);
    lua_newtable(L);
    int count = 0;
    for (int w = 0; w < row->words; w++)
        for (uint64_t rest = row->bits[w]; rest; rest &= rest - 1) {
            lua_pushinteger(L, w * 64 + __builtin_ctzll(rest));
            lua_rawseti(L, -2, ++count);
        }
    return 1;
}

#define ROW_OPERATOR(name, expression)                                  \
    static int name(lua_State *L) {                                     \
        const Row *b, *a = check_rows(L, &b);                           \
        Row *out = push_row(L, a->clusters);                            \
        for (int w = 0; w < a->words; w++)                              \
            out->bits[w] = (expression);                                \
        return 1;                                                       \
    }

ROW_OPERATOR(row_and, a->bits[w] & b->bits[w])
ROW_OPERATOR(row_or, a->bits[w] | b->bits[w])
ROW_OPERATOR(row_differ, a->bits[w] ^ b->bits[w])
ROW_OPERATOR(row_without, a->bits[w] & ~b->bits[w])

static int row_not(lua_State *L) {
    const Row *row = check_row(L, 1);
    Row *out = push_row(L, row->clusters);
    for (int w = 0; w < row->words; w++)
        out->bits[w] = ~row->bits[w];
    if (row->clusters % 64)
        out->bits[row->words - 1] &= (UINT64_C(1) << row->clusters % 64) - 1;
    return 1;
}

static int row_equal(lua_State *L) {
    const Row *a = lua_touserdata(L, 1), *b = lua_touserdata(L, 2);
    bool rows = lua_getmetatable(L, 1) && lua_getmetatable(L, 2) && lua_rawequal(L, -1, -2);    /* one of them is */
    lua_pushboolean(L, rows && a->clusters == b->clusters &&
                           memcmp(a->bits, b->bits, (size_t)a->words * sizeof a->bits[0]) == 0);
    return 1;
}

static int row_tostring(lua_State *L) {
    row_population(L);
    lua_pushfstring(L, "row of %d clusters, %I set", check_row(L, 1)->clusters, (LUAI_UACINT)lua_tointeger(L, -1));
    return 1;
}

static int row_refuse_write(lua_State *L) {
    check_row(L, 1);
    return luaL_error(L, "a row cannot be changed: combine rows with & | ~ to make another");
}

static const ScriptFunction methods[] = {
    { "row:has", row_has, "(cluster: integer) -> boolean", "Whether the cluster is in the set; -1 never is." },
    { "row:list", row_list, "() -> integer[]", "The clusters of the set, in order of number." },
    { NULL, NULL, NULL, NULL },
};

static void open(lua_State *L) {
    static const luaL_Reg meta[] = {
        { "__len", row_population }, { "__band", row_and }, { "__bor", row_or }, { "__bxor", row_differ },
        { "__sub", row_without }, { "__bnot", row_not }, { "__eq", row_equal }, { "__tostring", row_tostring },
        { "__newindex", row_refuse_write }, { NULL, NULL },
    };
    script_class(L, "row", methods, meta);
}


/* ---- questions ---- */

static int vis_clusters(lua_State *L) {
    lua_pushinteger(L, check_map(L)->cluster_count);
    return 1;
}

static int vis_cluster_at(lua_State *L) {
    const Map *map = check_map(L);
    int arg = 1;
    lua_pushinteger(L, bsp_cluster_at(map, check_vec3(L, &arg)));
    return 1;
}

static int vis_row(lua_State *L) {
    const Map *map = check_map(L);
    int cluster = check_cluster(L, 1, map);
    bsp_row(map, cluster, push_row(L, map->cluster_count)->bits);
    return 1;
}

static int vis_sees(lua_State *L) {
    const Map *map = check_map(L);
    int from = check_cluster(L, 1, map), to = check_cluster(L, 2, map);
    lua_pushboolean(L, bsp_cluster_sees(map, from, to));
    return 1;
}

/* Lists of numbers come in a block on the stack, or where it is too small in memory of Lua's. */
typedef int ListQuestion(const Map *map, int cluster, int *out, int room);

static int push_answer(lua_State *L, ListQuestion *question) {
    const Map *map = check_map(L);
    int cluster = check_cluster(L, 1, map);
    int block[1024], *list = block;
    int count = question(map, cluster, list, COUNT_OF(block));
    if (count > COUNT_OF(block)) {
        list = lua_newuserdatauv(L, (size_t)count * sizeof *list, 0);
        count = question(map, cluster, list, count);
    }
    push_int_list(L, list, count);
    return 1;
}

static int vis_visible(lua_State *L) { return push_answer(L, bsp_visible_clusters); }
static int vis_faces(lua_State *L) { return push_answer(L, bsp_cluster_faces); }

static int vis_leaves(lua_State *L) {
    const Map *map = check_map(L);
    const int *leafs;
    int count = bsp_cluster_leafs(map, check_cluster(L, 1, map), &leafs);
    push_int_list(L, leafs, count);
    return 1;
}

static int vis_bounds(lua_State *L) {
    const Map *map = check_map(L);
    Box box;
    if (!bsp_cluster_bounds(map, check_cluster(L, 1, map), &box)) {
        lua_pushnil(L);
        return 1;
    }
    push_vec3(L, box.mins);
    push_vec3(L, box.maxs);
    return 2;
}

static int vis_stats(lua_State *L) {
    BspVisStats stats = bsp_vis_stats(check_map(L));
    lua_createtable(L, 0, 7);
    set_integer(L, "min", stats.min);
    set_number(L, "mean", stats.mean);
    set_integer(L, "max", stats.max);
    set_integer(L, "one_way_pairs", stats.one_way_pairs);
    set_integer(L, "see_all", stats.see_all);
    set_integer(L, "see_nothing", stats.see_nothing);
    set_integer(L, "self_unseen", stats.self_unseen);
    return 1;
}


/* ---- what is on screen ---- */

static int vis_lock(lua_State *L) {
    check_on_screen(L);
    Scene *scene = &engine_of(L)->scene;
    bool lock = !lua_isnoneornil(L, 1);
    if (lock)
        scene->locked_cluster = check_cluster(L, 1, check_map(L));
    scene->locked = lock;
    return 0;
}

static int vis_locked(lua_State *L) {
    check_on_screen(L);
    const Scene *scene = &engine_of(L)->scene;
    if (scene->locked)
        lua_pushinteger(L, scene->locked_cluster);
    else
        lua_pushnil(L);
    return 1;
}

static int vis_mode(lua_State *L) {
    static const char *const names[] = { [VIS_PVS] = "pvs", [VIS_FRUSTUM] = "frustum", [VIS_NONE] = "none", NULL };
    if (!lua_isnil(L, lua_upvalueindex(1)))
        check_on_screen(L);    /* of a level beside the screen it says so; the mode itself needs no level */
    Scene *scene = &engine_of(L)->scene;
    if (!lua_isnoneornil(L, 1))
        scene->vis_mode = (VisMode)check_option(L, 1, names, "mode");
    lua_pushstring(L, names[scene->vis_mode]);
    return 1;
}

static int vis_drawn(lua_State *L) {
    check_on_screen(L);
    const Engine *engine = engine_of(L);
    const Frame *frame = &engine->frame;
    bool ours = frame->level && frame->level == &engine->current->level;    /* no frame of another level */
    lua_createtable(L, 0, 3);
    push_int_list(L, frame->clusters, ours ? frame->cluster_count : 0);
    lua_setfield(L, -2, "clusters");
    push_int_list(L, frame->leafs, ours ? frame->leaf_count : 0);
    lua_setfield(L, -2, "leaves");
    push_int_list(L, frame->faces, ours ? frame->face_count : 0);
    lua_setfield(L, -2, "faces");
    return 1;
}


/* ---- areas ---- */

static int vis_areas(lua_State *L) {
    lua_pushinteger(L, check_map(L)->area_count);
    return 1;
}

static int vis_area_at(lua_State *L) {
    const Map *map = check_map(L);
    int arg = 1;
    lua_pushinteger(L, bsp_area_at(map, check_vec3(L, &arg)));
    return 1;
}

/* Those of the game on screen; of a level beside it, or without a game, `own`, with every door open. */
static const BspAreas *areas_of(lua_State *L, BspAreas *own) {
    const Map *map = check_map(L);
    Sim *sim = engine_of(L)->sim;
    if (sim && sim->map == map) {
        sim_find_shut(sim);
        return &sim->areas;
    }
    bsp_areas_open(own, map);
    return own;
}

static int push_area_portals(lua_State *L) {
    const BspAreas *areas = lua_touserdata(L, 1);
    lua_createtable(L, (int)areas->portals.count, 0);
    for (size_t i = 0; i < areas->portals.count; i++) {
        const BspAreaPortal *portal = &areas->portals.at[i];
        lua_createtable(L, 0, 6);
        set_integer(L, "brush", portal->brush);
        set_integer(L, "from", portal->from);
        set_integer(L, "to", portal->to);
        set_vec3(L, "mins", portal->bounds.mins);
        set_vec3(L, "maxs", portal->bounds.maxs);
        set_boolean(L, "shut", portal->shut);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

static int vis_area_portals(lua_State *L) {
    BspAreas own = { 0 };
    const BspAreas *areas = areas_of(L, &own);
    lua_pushcfunction(L, push_area_portals);    /* protected: `own` is freed when Lua's memory ends, too */
    lua_pushlightuserdata(L, (void *)areas);
    int status = lua_pcall(L, 1, 1, 0);
    bsp_areas_close(&own);
    return status == LUA_OK ? 1 : lua_error(L);
}

static int check_area(lua_State *L, int arg, const Map *map) {
    lua_Integer area = luaL_checkinteger(L, arg);
    if (area < -1 || area >= map->area_count)
        script_refuse(L, arg, "area %lld, this map has 0..%d", (long long)area, map->area_count - 1);
    return (int)area;
}

static int vis_joined(lua_State *L) {
    const Map *map = check_map(L);
    int from = check_area(L, 1, map), to = check_area(L, 2, map);
    BspAreas own = { 0 };
    lua_pushboolean(L, bsp_areas_joined(areas_of(L, &own), from, to));
    bsp_areas_close(&own);
    return 1;
}


/* ---- portals ---- */

static void push_windings(lua_State *L, const BspPortal *list, int count, bool solid) {
    lua_createtable(L, count, 4);
    for (int i = 0; i < count; i++) {
        lua_createtable(L, 0, 4);
        set_integer(L, solid ? "cluster" : "from", list[i].from);
        if (!solid) {
            set_integer(L, "to", list[i].to);
            set_boolean(L, "hint", list[i].hint);
        }
        lua_createtable(L, list[i].point_count, 0);
        for (int p = 0; p < list[i].point_count; p++) {
            push_vec3(L, list[i].points[p]);
            lua_rawseti(L, -2, p + 1);
        }
        lua_setfield(L, -2, "points");
        lua_rawseti(L, -2, i + 1);
    }
}

/* Runs protected, so that the arena is closed when Lua's memory ends. */
static int push_portals(lua_State *L) {
    const BspPortals *portals = lua_touserdata(L, 1);
    push_windings(L, portals->portals, portals->portal_count, false);
    set_integer(L, "clusters", portals->cluster_count);
    push_windings(L, portals->faces, portals->face_count, true);
    lua_setfield(L, -2, "faces");
    return 1;
}

static int vis_load_portals(lua_State *L) {
    const char *path = check_name(L, 1, "path");
    const Map *map = !lua_isnil(L, lua_upvalueindex(1)) || engine_of(L)->current ? check_map(L) : NULL;
    FileBytes file;
    Error error;
    if (!files_read(engine_of(L)->files, path, &file, &error) && !file_read_disk(path, &file, &error))
        return push_failure(L, &error);
    Arena *arena = arena_open();
    BspPortals *portals = bsp_portals_parse(arena, path, file.bytes, file.size, &error);
    file_free(&file);
    int status = LUA_OK;
    if (portals) {
        lua_pushcfunction(L, push_portals);
        lua_pushlightuserdata(L, portals);
        status = lua_pcall(L, 1, 1, 0);
    }
    int clusters = portals ? portals->cluster_count : 0;
    arena_close(arena);
    if (!portals)
        return push_failure(L, &error);
    if (status != LUA_OK)
        return lua_error(L);
    set_boolean(L, "fits", map && map->cluster_count == clusters);
    return 1;
}

static const ScriptFunction functions[] = {
    { "clusters", vis_clusters, "() -> integer", "How many clusters the level has." },
    { "cluster_at", vis_cluster_at, "(p: point) -> integer", "The cluster that a point is in; -1 in solid and outside." },
    { "row", vis_row, "(cluster: integer) -> row",
      "What a cluster sees, as a set: row:has(d), #row, row:list(), and & | ~ - == between rows." },
    { "visible", vis_visible, "(cluster: integer) -> integer[]", "The clusters that a cluster sees, in order of number." },
    { "sees", vis_sees, "(from: integer, to: integer) -> boolean",
      "Whether cluster `from` can see cluster `to`; -1 sees all, and nobody else sees it." },
    { "leaves", vis_leaves, "(cluster: integer) -> integer[]", "The leafs of a cluster; of -1: those without a cluster that a node refers to." },
    { "faces", vis_faces, "(cluster: integer) -> integer[]", "The faces that a cluster's leafs name, each once, in order of number." },
    { "bounds", vis_bounds, "(cluster: integer) -> vec3?, vec3?", "The smallest and largest corner of a cluster's leafs; nil for -1." },
    { "lock", vis_lock, "(cluster?: integer)",
      "Freezes what the renderer takes for the viewer's cluster; without a cluster the eye's own counts again." },
    { "locked", vis_locked, "() -> integer?", "The cluster that `lock` named, or nil." },
    { "mode", vis_mode, "(mode?: \"pvs\"|\"frustum\"|\"none\") -> string",
      "What decides which leafs are drawn: \"pvs\" (rows and frustum), \"frustum\" or \"none\" (everything); returns the mode." },
    { "drawn", vis_drawn, "() -> {clusters: integer[], leaves: integer[], faces: integer[]}",
      "What the frame shows: { clusters, leaves (front to back), faces }; in `update` that is the last frame." },
    { "stats", vis_stats, "() -> table",
      "The rows in numbers: min mean max (population), one_way_pairs, see_all, see_nothing, self_unseen." },
    { "areas", vis_areas, "() -> integer", "How many areas the level has: parts of it that area portals, in the frames of doors, divide." },
    { "area_at", vis_area_at, "(p: point) -> integer", "The area that a point is in; -1 in solid and outside." },
    { "area_portals", vis_area_portals, "() -> {brush: integer, from: integer, to: integer, mins: vec3, maxs: vec3, shut: boolean}[]",
      "The area portals: their brushes, the two areas that each joins, its box, and whether a door shuts it now (without a game "
      "none does). r.areas 0 draws what lies behind shut ones too." },
    { "joined", vis_joined, "(from: integer, to: integer) -> boolean", "Whether no shut door parts two areas; -1 is joined with all." },
    { "load_portals", vis_load_portals, "(prt_path: string) -> table?, string?",
      "The portals of q3map2's .prt file: a list of { from, to, hint, points }, with clusters, faces = { cluster, points } and "
      "fits (as many clusters as the level has)." },
    { NULL, NULL, NULL, NULL },
};

const ScriptModule lw_vis_module = {
    .name = "vis", .help = "Which parts of the level can see one another.", .functions = functions, .of_map = true,
    .open = open, .methods = methods,
};
