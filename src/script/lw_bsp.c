/* script/lw_bsp.c -- lw.bsp: the level as the file has it.
 *
 * A record is a userdata of a ticket, a kind and a number: nothing is copied until a field is read. A kind is a row of a
 * table: where its array stands in Map, and its fields by name, type and place. */
#include "script/script_internal.h"

typedef enum FieldType {
    FIELD_INT, FIELD_BITS, FIELD_FLOAT, FIELD_NAME, FIELD_VEC3, FIELD_INT_VEC3, FIELD_UV, FIELD_PAIR, FIELD_VECS, FIELD_COLOR
} FieldType;

typedef struct Field { const char *name; FieldType type; size_t at; } Field;

#define FIELD(Type, member, kind) { #member, kind, offsetof(Type, member) }

static const Field texture_fields[] = {
    FIELD(BspTexture, name, FIELD_NAME), FIELD(BspTexture, flags, FIELD_BITS), FIELD(BspTexture, contents, FIELD_BITS), { 0 },
};
static const Field plane_fields[] = { FIELD(Plane, normal, FIELD_VEC3), FIELD(Plane, dist, FIELD_FLOAT), { 0 } };
static const Field node_fields[] = {
    FIELD(BspNode, plane, FIELD_INT), { "front", FIELD_INT, offsetof(BspNode, child) },
    { "back", FIELD_INT, offsetof(BspNode, child) + sizeof(int) }, FIELD(BspNode, mins, FIELD_INT_VEC3),
    FIELD(BspNode, maxs, FIELD_INT_VEC3), { 0 },
};
static const Field leaf_fields[] = {
    FIELD(BspLeaf, cluster, FIELD_INT), FIELD(BspLeaf, area, FIELD_INT), FIELD(BspLeaf, mins, FIELD_INT_VEC3),
    FIELD(BspLeaf, maxs, FIELD_INT_VEC3), FIELD(BspLeaf, first_face, FIELD_INT), FIELD(BspLeaf, face_count, FIELD_INT),
    FIELD(BspLeaf, first_brush, FIELD_INT), FIELD(BspLeaf, brush_count, FIELD_INT), { 0 },
};
static const Field brush_fields[] = {
    FIELD(BspBrush, first_side, FIELD_INT), FIELD(BspBrush, side_count, FIELD_INT), FIELD(BspBrush, texture, FIELD_INT), { 0 },
};
static const Field brushside_fields[] = { FIELD(BspBrushSide, plane, FIELD_INT), FIELD(BspBrushSide, texture, FIELD_INT), { 0 } };
static const Field vertex_fields[] = {
    FIELD(BspVertex, position, FIELD_VEC3), FIELD(BspVertex, uv, FIELD_UV), FIELD(BspVertex, lightmap_uv, FIELD_UV),
    FIELD(BspVertex, normal, FIELD_VEC3), FIELD(BspVertex, color, FIELD_COLOR), { 0 },
};
static const Field face_fields[] = {
    FIELD(BspFace, texture, FIELD_INT), FIELD(BspFace, effect, FIELD_INT), FIELD(BspFace, type, FIELD_INT),
    FIELD(BspFace, first_vertex, FIELD_INT), FIELD(BspFace, vertex_count, FIELD_INT), FIELD(BspFace, first_index, FIELD_INT),
    FIELD(BspFace, index_count, FIELD_INT), FIELD(BspFace, lightmap, FIELD_INT), FIELD(BspFace, lightmap_xy, FIELD_PAIR),
    FIELD(BspFace, lightmap_size, FIELD_PAIR), FIELD(BspFace, lightmap_origin, FIELD_VEC3),
    FIELD(BspFace, lightmap_vecs, FIELD_VECS), FIELD(BspFace, normal, FIELD_VEC3), FIELD(BspFace, patch_size, FIELD_PAIR), { 0 },
};
static const Field model_fields[] = {
    { "mins", FIELD_VEC3, offsetof(BspModel, bounds.mins) }, { "maxs", FIELD_VEC3, offsetof(BspModel, bounds.maxs) },
    FIELD(BspModel, first_face, FIELD_INT), FIELD(BspModel, face_count, FIELD_INT), FIELD(BspModel, first_brush, FIELD_INT),
    FIELD(BspModel, brush_count, FIELD_INT), { 0 },
};
static const Field effect_fields[] = {
    FIELD(BspEffect, name, FIELD_NAME), FIELD(BspEffect, brush, FIELD_INT), FIELD(BspEffect, side, FIELD_INT), { 0 },
};

typedef enum Kind {
    KIND_TEXTURE, KIND_PLANE, KIND_NODE, KIND_LEAF, KIND_BRUSH, KIND_BRUSHSIDE, KIND_VERTEX, KIND_FACE, KIND_MODEL,
    KIND_EFFECT, KIND_LIGHTMAP, KIND_COUNT
} Kind;

#define KIND(name, list, Type, fields) { name, offsetof(Map, list), sizeof(Type), fields }

static const struct RecordKind {
    const char *name;            /* of its class of objects too */
    size_t list, size;
    const Field *fields;
} kinds[KIND_COUNT] = {
    KIND("texture", textures, BspTexture, texture_fields), KIND("plane", planes, Plane, plane_fields),
    KIND("node", nodes, BspNode, node_fields), KIND("leaf", leafs, BspLeaf, leaf_fields),
    KIND("brush", brushes, BspBrush, brush_fields), KIND("brushside", brushsides, BspBrushSide, brushside_fields),
    KIND("vertex", vertices, BspVertex, vertex_fields), KIND("face", faces, BspFace, face_fields),
    KIND("model", models, BspModel, model_fields), KIND("effect", effects, BspEffect, effect_fields),
    { "lightmap", 0, 0, NULL },    /* a picture, not a record */
};

typedef struct Record { MapTicket ticket; int kind, index; } Record;

static int kind_count(const Map *map, int kind) {
    const int counts[KIND_COUNT] = {
        map->texture_count, map->plane_count, map->node_count, map->leaf_count, map->brush_count, map->brushside_count,
        map->vertex_count, map->face_count, map->model_count, map->effect_count, map->lightmap_count,
    };
    return counts[kind];
}

static void push_record(lua_State *L, MapTicket ticket, int kind, int index) {
    Record *record = script_object(L, kinds[kind].name, sizeof *record);
    *record = (Record){ ticket, kind, index };
    ticket_keep(L, -1);
}


/* ---- fields ---- */

static void push_vec_of_ints(lua_State *L, const int *v) { push_vec3(L, vec3_at((float)v[0], (float)v[1], (float)v[2])); }

static void push_pair(lua_State *L, double a, double b, bool whole) {
    lua_createtable(L, 2, 0);
    for (int i = 0; i < 2; i++) {
        double number = i ? b : a;
        if (whole)
            lua_pushinteger(L, (lua_Integer)number);
        else
            lua_pushnumber(L, number);
        lua_rawseti(L, -2, i + 1);
    }
}

static void push_bytes(lua_State *L, const uint8_t *bytes, int count) {
    lua_createtable(L, count, 0);
    for (int i = 0; i < count; i++) {
        lua_pushinteger(L, bytes[i]);
        lua_rawseti(L, -2, i + 1);
    }
}

static void push_field(lua_State *L, const void *at, FieldType type) {
    switch (type) {
    case FIELD_INT: lua_pushinteger(L, *(const int *)at); break;
    case FIELD_BITS: lua_pushinteger(L, *(const uint32_t *)at); break;
    case FIELD_FLOAT: lua_pushnumber(L, *(const float *)at); break;
    case FIELD_NAME: lua_pushstring(L, at); break;
    case FIELD_VEC3: push_vec3(L, *(const Vec3 *)at); break;
    case FIELD_INT_VEC3: push_vec_of_ints(L, at); break;
    case FIELD_UV: push_pair(L, ((const Vec2 *)at)->x, ((const Vec2 *)at)->y, false); break;
    case FIELD_PAIR: push_pair(L, ((const int *)at)[0], ((const int *)at)[1], true); break;
    case FIELD_COLOR: push_bytes(L, at, 4); break;
    case FIELD_VECS:
        lua_createtable(L, 2, 0);
        for (int i = 0; i < 2; i++) {
            push_vec3(L, ((const Vec3 *)at)[i]);
            lua_rawseti(L, -2, i + 1);
        }
        break;
    }
}

static const char *record_memory(lua_State *L, const Record *record) {
    const struct RecordKind *kind = &kinds[record->kind];
    const Map *map = check_ticket(L, record->ticket, kind->name)->map;
    const char *list;
    memcpy(&list, (const char *)map + kind->list, sizeof list);
    return list + (size_t)record->index * kind->size;
}

/* Metamethods are reached through records alone, unless a trusted script takes them out of their table. */
static const Record *check_record(lua_State *L, int arg) {
    const Record *record = lua_touserdata(L, arg);
    if (!record || lua_rawlen(L, arg) != sizeof *record || record->kind < 0 || record->kind >= KIND_LIGHTMAP)
        luaL_error(L, "a record of lw.bsp expected");
    return check_object(L, arg, kinds[record->kind].name);
}

static const Field *field_by_name(lua_State *L, const struct RecordKind *kind, int arg) {
    const char *name = lua_type(L, arg) == LUA_TSTRING ? lua_tostring(L, arg) : "";
    for (const Field *field = kind->fields; field->name; field++)
        if (strcmp(field->name, name) == 0)
            return field;
    luaL_Buffer all;
    luaL_buffinit(L, &all);
    for (const Field *field = kind->fields; field->name; field++) {
        luaL_addstring(&all, field == kind->fields ? "" : ", ");
        luaL_addstring(&all, field->name);
    }
    luaL_pushresult(&all);
    const char *names = lua_tostring(L, -1);
    luaL_error(L, "a %s has no field '%s' (it has %s)", kind->name, luaL_tolstring(L, arg, NULL), names);
    __builtin_unreachable();
}

static int record_index(lua_State *L) {
    const Record *record = check_record(L, 1);
    const char *memory = record_memory(L, record);
    const Field *field = field_by_name(L, &kinds[record->kind], 2);
    push_field(L, memory + field->at, field->type);
    return 1;
}

static int record_newindex(lua_State *L) {
    return luaL_error(L, "a %s is as the file has it: field '%s' cannot be set", kinds[check_record(L, 1)->kind].name,
                      luaL_tolstring(L, 2, NULL));
}

static int record_tostring(lua_State *L) {
    const Record *record = check_record(L, 1);
    lua_pushfstring(L, "%s %d", kinds[record->kind].name, record->index);
    return 1;
}

static int record_equal(lua_State *L) {
    const Record *a = lua_touserdata(L, 1), *b = lua_touserdata(L, 2);
    bool alike = lua_getmetatable(L, 1) && lua_getmetatable(L, 2) && lua_rawequal(L, -1, -2);    /* one is a record */
    lua_pushboolean(L, alike && a->index == b->index && a->ticket.slot == b->ticket.slot &&
                           a->ticket.generation == b->ticket.generation);
    return 1;
}

/* for name, value in pairs(record): the fields in the file's order */
static int record_next(lua_State *L) {
    const Record *record = check_record(L, 1);
    const struct RecordKind *kind = &kinds[record->kind];
    const Field *field = lua_isnoneornil(L, 2) ? kind->fields : field_by_name(L, kind, 2) + 1;
    if (!field->name)
        return 0;
    lua_pushstring(L, field->name);
    push_field(L, record_memory(L, record) + field->at, field->type);
    return 2;
}

static int record_pairs(lua_State *L) {
    check_record(L, 1);
    lua_pushcfunction(L, record_next);
    lua_pushvalue(L, 1);
    lua_pushnil(L);
    return 3;
}

static void open(lua_State *L) {
    static const luaL_Reg meta[] = {
        { "__index", record_index }, { "__newindex", record_newindex }, { "__tostring", record_tostring },
        { "__eq", record_equal }, { "__pairs", record_pairs }, { NULL, NULL },
    };
    for (int i = 0; i < KIND_LIGHTMAP; i++)
        script_class(L, kinds[i].name, NULL, meta);
}


/* ---- one, and all ---- */

static void push_lightmap(lua_State *L, const Map *map, int page) {
    Image *image = push_image(L, LIGHTMAP_SIZE, LIGHTMAP_SIZE);
    const uint8_t *rgb = map->lightmaps + (size_t)page * LIGHTMAP_BYTES;
    for (int i = 0; i < LIGHTMAP_SIZE * LIGHTMAP_SIZE; i++) {
        memcpy(image->rgba + i * 4, rgb + i * 3, 3);
        image->rgba[i * 4 + 3] = 255;
    }
}

static void push_thing(lua_State *L, MapTicket ticket, const Map *map, int kind, int index) {
    if (kind == KIND_LIGHTMAP)
        push_lightmap(L, map, index);
    else
        push_record(L, ticket, kind, index);
}

static int one(lua_State *L, int kind) {
    const Map *map = check_map(L);
    MapTicket ticket = map_ticket(L);
    push_thing(L, ticket, map, kind, check_index(L, 1, kinds[kind].name, kind_count(map, kind)));
    return 1;
}

/* Steps over one kind of one map. Upvalues after the binding's own two: the kind, the generation it began with, the next
 * number, which stands here so that nothing a script passes in can lead astray. */
static int step(lua_State *L) {
    int kind = (int)lua_tointeger(L, lua_upvalueindex(3));
    MapTicket ticket = map_ticket(L);
    ticket.generation = (unsigned)lua_tointeger(L, lua_upvalueindex(4));
    const Map *map = check_ticket(L, ticket, "iterator")->map;
    int index = (int)lua_tointeger(L, lua_upvalueindex(5));
    if (index >= kind_count(map, kind))
        return 0;
    lua_pushinteger(L, index + 1);
    lua_replace(L, lua_upvalueindex(5));
    lua_pushinteger(L, index);
    push_thing(L, ticket, map, kind, index);
    return 2;
}

static int all(lua_State *L, int kind) {
    check_map(L);
    lua_pushinteger(L, kind);
    lua_pushinteger(L, map_ticket(L).generation);
    lua_pushinteger(L, 0);
    push_binding(L, step, 3);
    return 1;
}

#define ONE_AND_ALL(single, plural, kind)                              \
    static int bsp_##single(lua_State *L) { return one(L, kind); }     \
    static int bsp_##plural(lua_State *L) { return all(L, kind); }

ONE_AND_ALL(texture, textures, KIND_TEXTURE)
ONE_AND_ALL(plane, planes, KIND_PLANE)
ONE_AND_ALL(node, nodes, KIND_NODE)
ONE_AND_ALL(leaf, leaves, KIND_LEAF)
ONE_AND_ALL(brush, brushes, KIND_BRUSH)
ONE_AND_ALL(brushside, brushsides, KIND_BRUSHSIDE)
ONE_AND_ALL(vertex, vertices, KIND_VERTEX)
ONE_AND_ALL(face, faces, KIND_FACE)
ONE_AND_ALL(model, models, KIND_MODEL)
ONE_AND_ALL(effect, effects, KIND_EFFECT)
ONE_AND_ALL(lightmap, lightmaps, KIND_LIGHTMAP)


/* ---- questions ---- */

static int bsp_count(lua_State *L) {
    const Map *map = check_map(L);
    const char *names[LUMP_COUNT + 1];
    for (int i = 0; i < LUMP_COUNT; i++)
        names[i] = bsp_lump_name(i);
    names[LUMP_COUNT] = NULL;
    lua_pushinteger(L, map->lumps[check_option(L, 1, names, "lump")].count);
    return 1;
}

static int leaf_list(lua_State *L, bool faces) {
    const Map *map = check_map(L);
    const BspLeaf *leaf = &map->leafs[check_index(L, 1, "leaf", map->leaf_count)];
    if (faces)
        push_int_list(L, map->leaffaces + leaf->first_face, leaf->face_count);
    else
        push_int_list(L, map->leafbrushes + leaf->first_brush, leaf->brush_count);
    return 1;
}

static int bsp_leaf_faces(lua_State *L) { return leaf_list(L, true); }
static int bsp_leaf_brushes(lua_State *L) { return leaf_list(L, false); }

static int bsp_leaf_at_point(lua_State *L) {
    const Map *map = check_map(L);
    int arg = 1;
    lua_pushinteger(L, bsp_leaf_at(map, check_vec3(L, &arg)));
    return 1;
}

static int bsp_leaves_in_box(lua_State *L) {
    const Map *map = check_map(L);
    int arg = 1;
    Box box;
    box.mins = check_vec3(L, &arg);
    int second = arg;
    box.maxs = check_vec3(L, &arg);
    for (int axis = 0; axis < 3; axis++)
        if (box.mins.raw[axis] > box.maxs.raw[axis])
            script_refuse(L, second, "the largest corner's %c is %g, the smallest corner's %g", "xyz"[axis],
                          (double)box.maxs.raw[axis], (double)box.mins.raw[axis]);
    int *leafs = lua_newuserdatauv(L, ((size_t)map->leaf_count + 1) * sizeof *leafs, 0);
    int count = MIN(bsp_leaves_in(map, box, leafs, map->leaf_count), map->leaf_count);
    qsort(leafs, (size_t)count, sizeof *leafs, compare_ints);
    push_int_list(L, leafs, count);
    return 1;
}

static int bsp_face_polygon(lua_State *L) {
    const OpenLevel *level = check_open_level(L);
    const BspGeometry *geometry = level->level.geometry;
    int face = check_index(L, 1, "face", level->map->face_count);
    const struct BspFaceRange *range = &geometry->faces[face];
    lua_createtable(L, range->index_count / 3, 0);
    for (int triangle = 0; triangle < range->index_count / 3; triangle++) {
        lua_createtable(L, 3, 0);
        for (int corner = 0; corner < 3; corner++) {
            push_vec3(L, geometry->vertices[geometry->indexes[range->first_index + triangle * 3 + corner]].position);
            lua_rawseti(L, -2, corner + 1);
        }
        lua_rawseti(L, -2, triangle + 1);
    }
    return 1;
}

static int bsp_patch(lua_State *L) {
    const Map *map = check_map(L);
    const BspFace *face = &map->faces[check_index(L, 1, "face", map->face_count)];
    if (face->type != FACE_PATCH || face->dropped) {
        lua_pushnil(L);
        return 1;
    }
    lua_createtable(L, 0, 4);
    push_pair(L, face->patch_size[0], face->patch_size[1], true);
    lua_setfield(L, -2, "size");
    set_integer(L, "width", face->patch_size[0]);
    set_integer(L, "height", face->patch_size[1]);
    int count = face->patch_size[0] * face->patch_size[1];
    lua_createtable(L, count, 0);
    for (int i = 0; i < count; i++) {
        push_vec3(L, map->vertices[face->first_vertex + i].position);
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, "points");
    return 1;
}

static int bsp_light(lua_State *L) {
    const Map *map = check_map(L);
    int arg = 1;
    BspLightSample sample = bsp_light_at(map, check_vec3(L, &arg));
    if (!sample.valid) {
        lua_pushnil(L);
        return 1;
    }
    lua_createtable(L, 0, 3);
    set_vec3(L, "ambient", sample.ambient);
    set_vec3(L, "directed", sample.directed);
    set_vec3(L, "direction", sample.direction);
    return 1;
}

#define ROWS(single, plural, fields, words)                                                              \
    { #single, bsp_##single, "(i: integer) -> {" fields "}", "One " #single ", read-only, with the fields of its lump" words "." }, \
    { #plural, bsp_##plural, "() -> function", "for i, " #single " in lw.bsp." #plural "() do: each of them, in the file's order." }

static const ScriptFunction functions[] = {
    { "count", bsp_count, "(lump: string) -> integer",
      "How many records a lump has: entities textures planes nodes leafs leaffaces leafbrushes models brushes brushsides "
      "vertices meshverts effects faces lightmaps lightvols visdata." },
    ROWS(texture, textures, "name: string, flags: integer, contents: integer", ""),
    ROWS(plane, planes, "normal: vec3, dist: number", ""),
    ROWS(node, nodes, "plane: integer, front: integer, back: integer, mins: vec3, maxs: vec3", "; a child below 0 is leaf -1 - child"),
    ROWS(leaf, leaves, "cluster: integer, area: integer, mins: vec3, maxs: vec3, first_face: integer, face_count: integer, "
                       "first_brush: integer, brush_count: integer", ""),
    ROWS(brush, brushes, "first_side: integer, side_count: integer, texture: integer", ""),
    ROWS(brushside, brushsides, "plane: integer, texture: integer", ""),
    ROWS(vertex, vertices, "position: vec3, uv: number[], lightmap_uv: number[], normal: vec3, color: integer[]",
         "; its color is four bytes of 0..255"),
    ROWS(face, faces, "texture: integer, effect: integer, type: integer, first_vertex: integer, vertex_count: integer, "
                      "first_index: integer, index_count: integer, lightmap: integer, lightmap_xy: integer[], "
                      "lightmap_size: integer[], lightmap_origin: vec3, lightmap_vecs: vec3[], normal: vec3, patch_size: integer[]",
         "; type 1 is planar, 2 a patch, 3 a mesh, 4 a flare"),
    ROWS(model, models, "mins: vec3, maxs: vec3, first_face: integer, face_count: integer, first_brush: integer, "
                        "brush_count: integer", "; model 0 is the world"),
    ROWS(effect, effects, "name: string, brush: integer, side: integer", ""),
    { "lightmap", bsp_lightmap, "(i: integer) -> image", "One page of light as a picture, as the file has it." },
    { "lightmaps", bsp_lightmaps, "() -> function", "for i, image in lw.bsp.lightmaps() do: every page of light." },
    { "leaf_faces", bsp_leaf_faces, "(leaf: integer) -> integer[]", "The faces that a leaf names." },
    { "leaf_brushes", bsp_leaf_brushes, "(leaf: integer) -> integer[]", "The brushes that a leaf names." },
    { "leaf_at", bsp_leaf_at_point, "(p: point) -> integer", "The leaf that a point is in." },
    { "leaves_in", bsp_leaves_in_box, "(mins: point, maxs: point) -> integer[]", "The leafs whose space touches a box, in order of number." },
    { "face_polygon", bsp_face_polygon, "(face: integer) -> vec3[][]",
      "A face's triangles as they are drawn, patches tessellated: a list of { a, b, c }; empty for what is never drawn." },
    { "patch", bsp_patch, "(face: integer) -> {size: integer[], width: integer, height: integer, points: vec3[]}?",
      "A patch's control points: { size = {w, h}, width, height, points = vec3 row by row }; nil for a face of another type." },
    { "light_at", bsp_light, "(p: point) -> {ambient: vec3, directed: vec3, direction: vec3}?",
      "The light grid at a point: { ambient, directed, direction } in the file's 0..255; nil where the level has none." },
    { NULL, NULL, NULL, NULL },
};

const ScriptModule lw_bsp_module = {
    .name = "bsp", .help = "The level as the file has it: every lump, and what stands where.", .functions = functions,
    .of_map = true, .open = open,
};
