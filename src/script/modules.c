/* script/modules.c -- the list of modules, and how their rows become the tables of `lw`.
 *
 * Each function is a closure over (1) the ticket of a map, nil for the one on screen, (2) its full name and (3) its row.
 * All of them enter through binding_call, which takes the time spent in them off the script's budget. There is one
 * master of `lw`; an environment gets a copy of its tables, so that what a script puts into them is its own affair. */
#include "script/host_internal.h"

const ScriptModule *const script_modules[] = {
#define ROW(name) &lw_##name##_module,
    SCRIPT_MODULES(ROW)
#undef ROW
    NULL,
};

int binding_call(lua_State *L) {
    const ScriptFunction *row = lua_touserdata(L, lua_upvalueindex(3));
    Scripts *scripts = scripts_of(L);
    double before = sandbox_clock(), nested = scripts->budget.nested;
    scripts->budget.mark = before;
    int results = row->function(L);
    /* Lua that ran meanwhile (a metamethod, a script called by the host) is no work of the binding. */
    scripts->budget.mark = sandbox_clock();
    scripts->budget.inside += scripts->budget.mark - before - (scripts->budget.nested - nested);
    return results;
}

/* Pushes the closure of a row; the ticket is at `ticket`, 0: the map on screen. */
static void push_row(lua_State *L, const ScriptFunction *row, const char *name, int ticket) {
    if (ticket)
        lua_pushvalue(L, ticket);
    else
        lua_pushnil(L);
    lua_pushstring(L, name);
    lua_pushlightuserdata(L, (void *)row);
    lua_pushcclosure(L, binding_call, 3);
}

bool push_inner(lua_State *L, const ScriptModule *module, const char *field, const char *key) {
    size_t length = strlen(field);
    for (const ScriptFunction *row = module->inner; row && row->name; row++) {
        if (strncmp(row->name, field, length) != 0 || row->name[length] != '.' || strcmp(row->name + length + 1, key) != 0)
            continue;
        const char *name = lua_pushfstring(L, "lw.%s.%s", module->name, row->name);
        push_row(L, row, name, 0);
        lua_remove(L, -2);
        return true;
    }
    return false;
}

void push_binding(lua_State *L, lua_CFunction function, int count) {
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_pushvalue(L, lua_upvalueindex(2));
    lua_rotate(L, -2 - count, 2);
    lua_pushcclosure(L, function, 2 + count);
}

/* Computed fields: __index and __newindex of a module's table. Upvalues: ticket, name (of the field while it is asked),
 * rows by name, full names by name. */

static const ScriptProperty *property_at(lua_State *L) {
    lua_pushvalue(L, 2);
    lua_rawget(L, lua_upvalueindex(3));
    const ScriptProperty *property = lua_touserdata(L, -1);
    lua_pop(L, 1);
    if (!property)
        return NULL;
    lua_pushvalue(L, 2);
    lua_rawget(L, lua_upvalueindex(4));
    lua_replace(L, lua_upvalueindex(2));
    return property;
}

static int property_get(lua_State *L) {
    const ScriptProperty *property = property_at(L);
    if (!property)
        return 0;
    lua_settop(L, 0);
    return property->get(L);
}

static int property_set(lua_State *L) {
    const ScriptProperty *property = property_at(L);
    if (!property) {
        lua_pushvalue(L, 2);
        const char *key = sandbox_tostring(L, -1, NULL);
        return luaL_error(L, "%s has no field '%s' that could be set", lua_tostring(L, lua_upvalueindex(5)), key);
    }
    if (!property->set)
        return luaL_error(L, "'%s' can only be read", script_name_of(L));
    lua_remove(L, 1);
    lua_remove(L, 1);
    lua_settop(L, 1);
    property->set(L);
    return 0;
}

static void push_property_function(lua_State *L, lua_CFunction function, int ticket, int rows, int names, const char *module) {
    if (ticket)
        lua_pushvalue(L, ticket);
    else
        lua_pushnil(L);
    lua_pushstring(L, module);
    lua_pushvalue(L, rows);
    lua_pushvalue(L, names);
    lua_pushstring(L, module);
    lua_pushcclosure(L, function, 5);
}

/* The module's table on the top gets a metatable with its properties. */
static void add_properties(lua_State *L, const ScriptModule *module, int ticket) {
    int table = lua_gettop(L);
    lua_newtable(L);
    lua_newtable(L);
    for (const ScriptProperty *p = module->properties; p->name; p++) {
        lua_pushlightuserdata(L, (void *)p);
        lua_setfield(L, table + 1, p->name);
        lua_pushfstring(L, "lw.%s.%s", module->name, p->name);
        lua_setfield(L, table + 2, p->name);
    }
    lua_newtable(L);
    const char *full = lua_pushfstring(L, "lw.%s", module->name);
    push_property_function(L, property_get, ticket, table + 1, table + 2, full);
    lua_setfield(L, table + 3, "__index");
    push_property_function(L, property_set, ticket, table + 1, table + 2, full);
    lua_setfield(L, table + 3, "__newindex");
    lua_pushboolean(L, false);
    lua_setfield(L, table + 3, "__metatable");
    lua_settop(L, table + 3);
    lua_setmetatable(L, table);
    lua_settop(L, table);
}

static bool is_root(const ScriptModule *module) { return strcmp(module->name, "lw") == 0; }

/* Fills the table on the top with a module's functions. */
static void add_functions(lua_State *L, const ScriptModule *module, int ticket) {
    for (const ScriptFunction *row = module->functions; row && row->name; row++) {
        const char *name = is_root(module) ? lua_pushfstring(L, "lw.%s", row->name)
                                           : lua_pushfstring(L, "lw.%s.%s", module->name, row->name);
        push_row(L, row, name, ticket);
        lua_setfield(L, -3, row->name);
        lua_pop(L, 1);
    }
}

static void push_module(lua_State *L, const ScriptModule *module, int ticket) {
    lua_newtable(L);
    add_functions(L, module, ticket);
    if (module->properties)
        add_properties(L, module, ticket);
}

static int ticket_collect(lua_State *L);

void modules_open(lua_State *L, Scripts *scripts) {
    static const luaL_Reg ticket_meta[] = { { "__gc", ticket_collect }, { NULL, NULL } };
    script_class(L, "ticket", NULL, ticket_meta);
    lua_newtable(L);
    for (int i = 0; script_modules[i]; i++) {
        const ScriptModule *module = script_modules[i];
        if (module == &lw_test_module && !scripts->setup.test)
            continue;
        if (is_root(module)) {
            add_functions(L, module, 0);
            if (module->open)
                module->open(L);
            continue;
        }
        push_module(L, module, 0);
        if (module->open)
            module->open(L);
        lua_setfield(L, -2, module->name);
    }
    scripts->master = luaL_ref(L, LUA_REGISTRYINDEX);
}

/* A copy of the table at `from`, one level deep, with the same metatable. */
static void push_copy(lua_State *L, int from) {
    from = lua_absindex(L, from);
    lua_newtable(L);
    lua_pushnil(L);
    while (lua_next(L, from)) {
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_rawset(L, -4);
    }
    if (lua_getmetatable(L, from))
        lua_setmetatable(L, -2);
}

void modules_push(lua_State *L, Scripts *scripts) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, scripts->master);
    push_copy(L, -1);
    lua_remove(L, -2);
    int copy = lua_gettop(L);
    for (int i = 0; script_modules[i]; i++) {
        if (is_root(script_modules[i]))
            continue;
        if (lua_getfield(L, copy, script_modules[i]->name) == LUA_TTABLE) {
            push_copy(L, -1);
            lua_setfield(L, copy, script_modules[i]->name);
        }
        lua_settop(L, copy);
    }
}

/* Classes of objects */

void script_class(lua_State *L, const char *class, const ScriptFunction *methods, const luaL_Reg *meta) {
    const char *key = lua_pushfstring(L, "lw.class.%s", class);
    luaL_newmetatable(L, key);
    lua_pushstring(L, class);
    lua_setfield(L, -2, "__name");
    set_boolean(L, "__metatable", false);
    lua_newtable(L);
    size_t length = strlen(class);
    for (const ScriptFunction *row = methods; row && row->name; row++) {
        if (strncmp(row->name, class, length) != 0 || row->name[length] != ':')
            continue;
        push_row(L, row, row->name, 0);
        lua_setfield(L, -2, row->name + length + 1);
    }
    lua_pushvalue(L, -1);
    lua_setfield(L, -3, "__index");
    for (const luaL_Reg *m = meta; m && m->name; m++) {
        lua_pushvalue(L, -1);
        lua_pushfstring(L, "%s:%s", class, m->name);
        lua_pushcclosure(L, m->func, 2);
        lua_setfield(L, -3, m->name);
    }
    lua_pop(L, 3);
}

static void push_class(lua_State *L, const char *class) {
    lua_pushfstring(L, "lw.class.%s", class);
    lua_rawget(L, LUA_REGISTRYINDEX);
}

void *script_object(lua_State *L, const char *class, size_t size) {
    void *object = lua_newuserdatauv(L, size, 1);
    memset(object, 0, size);
    push_class(L, class);
    lua_setmetatable(L, -2);
    return object;
}

void *check_object(lua_State *L, int arg, const char *class) {
    void *object = lua_touserdata(L, arg);
    if (object && lua_getmetatable(L, arg)) {
        push_class(L, class);
        bool same = lua_rawequal(L, -1, -2);
        lua_pop(L, 2);
        if (same)
            return object;
    }
    script_refuse(L, arg, "a %s expected, got %s", class, luaL_typename(L, arg));
}

/* Maps and tickets. Slot 0 is the map on screen, whose generation the engine counts. */

MapTicket map_ticket(lua_State *L) {
    const MapTicket *ticket = lua_touserdata(L, lua_upvalueindex(1));
    return ticket ? *ticket : (MapTicket){ 0, engine_of(L)->map_generation };
}

static OpenLevel *ticket_level(Scripts *scripts, MapTicket ticket) {
    if (ticket.slot == 0)
        return scripts->engine->map_generation == ticket.generation ? scripts->engine->current : NULL;
    const LoadedMap *map = &scripts->maps.at[ticket.slot - 1];
    return map->generation == ticket.generation ? map->level : NULL;
}

OpenLevel *check_ticket(lua_State *L, MapTicket ticket, const char *what) {
    OpenLevel *level = ticket_level(scripts_of(L), ticket);
    if (!level)
        luaL_error(L, "this %s belongs to a map that was %s", what, ticket.slot ? "closed" : "replaced");
    return level;
}

OpenLevel *check_open_level(lua_State *L) {
    const MapTicket *ticket = lua_touserdata(L, lua_upvalueindex(1));
    if (ticket) {
        OpenLevel *level = ticket_level(scripts_of(L), *ticket);
        if (!level)
            luaL_error(L, "'%s' speaks of a map that was closed", script_name_of(L));
        return level;
    }
    Engine *engine = engine_of(L);
    if (!engine->current)
        luaL_error(L, "'%s' needs a map, and none is open (lw.map.open opens one)", script_name_of(L));
    return engine->current;
}

const Map *check_map(lua_State *L) { return check_open_level(L)->map; }

void ticket_keep(lua_State *L, int object) {
    object = lua_absindex(L, object);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_setiuservalue(L, object, 1);
}

void script_charge(lua_State *L, size_t bytes) {
    Scripts *scripts = scripts_of(L);
    size_t room = scripts->limit - MIN(scripts->limit, scripts->used + scripts->charged);
    if (bytes > room) {
        lua_gc(L, LUA_GCCOLLECT);    /* objects that nobody holds any more may give back enough */
        room = scripts->limit - MIN(scripts->limit, scripts->used + scripts->charged);
    }
    if (bytes > room)
        luaL_error(L, "not enough memory");
    scripts->charged += bytes;
}

void script_uncharge(lua_State *L, size_t bytes) {
    Scripts *scripts = scripts_of(L);
    scripts->charged -= MIN(bytes, scripts->charged);
}

static void loaded_map_close(Scripts *scripts, MapTicket ticket) {
    OpenLevel *level = ticket.slot ? ticket_level(scripts, ticket) : NULL;
    if (!level)
        return;
    LoadedMap *map = &scripts->maps.at[ticket.slot - 1];
    scripts->charged -= MIN(map->charged, scripts->charged);
    *map = (LoadedMap){ .generation = map->generation + 1 };
    engine_close_level(scripts->engine, level);
}

static int ticket_collect(lua_State *L) {
    loaded_map_close(scripts_of(L), *(const MapTicket *)lua_touserdata(L, 1));
    return 0;
}

static int map_object_close(lua_State *L) {
    loaded_map_close(scripts_of(L), *(const MapTicket *)lua_touserdata(L, lua_upvalueindex(1)));
    return 0;
}

static const ScriptFunction map_object_close_row = { "close", map_object_close, "()", "Closes the map." };

void push_map_object(lua_State *L, OpenLevel *level) {
    Scripts *scripts = scripts_of(L);
    /* From here on the level is in a slot, so that an error (memory) leaves it to scripts_close at the latest. */
    size_t slot = 0;
    while (slot < scripts->maps.count && scripts->maps.at[slot].level)
        slot++;
    if (slot == scripts->maps.count)
        *array_push(&scripts->maps) = (LoadedMap){ .generation = 1 };
    scripts->maps.at[slot].level = level;
    MapTicket ticket = { (int)slot + 1, scripts->maps.at[slot].generation };
    *(MapTicket *)script_object(L, "ticket", sizeof ticket) = ticket;
    size_t bytes = arena_used(level->arena);
    script_charge(L, bytes);
    scripts->maps.at[slot].charged = bytes;
    int at = lua_gettop(L);
    lua_newtable(L);
    for (int i = 0; script_modules[i]; i++) {
        if (!script_modules[i]->of_map)
            continue;
        push_module(L, script_modules[i], at);
        lua_setfield(L, -2, script_modules[i]->name);
    }
    push_row(L, &map_object_close_row, "close", at);
    lua_setfield(L, -2, "close");
    lua_remove(L, at);
}
