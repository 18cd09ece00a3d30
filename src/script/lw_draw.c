/* script/lw_draw.c -- lw.draw: things in the level that are not of the level, for this frame.
 *
 * Whatever is drawn goes into the frame, so it looks the same with every rasterizer. Each function has a form for one
 * thing; boxes, lines, faces, leaves and clusters take lists and read their style once. */
#include <math.h>

#include "base/trig.h"
#include "script/lw_draw_internal.h"

static Frame *frame_of(lua_State *L) { return &engine_of(L)->frame; }

static void add_line(Frame *frame, Vec3 from, Vec3 to, const Style *style) {
    frame_line(frame, (FrameLine){ from, to, style->color, style->color, style->width, style->flags });
}

static void add_box(Frame *frame, Box box, const Style *style) {
    frame_box(frame, (FrameBox){ box, style->color, style->width, style->flags, style->fill });
}

static void add_triangle(Frame *frame, Vec3 a, Vec3 b, Vec3 c, const Style *style) {
    FrameVertex corners[3] = { { a, 0, 0, style->color }, { b, 0, 0, style->color }, { c, 0, 0, style->color } };
    frame_triangle(frame, corners, TEXTURE_WHITE, style->flags);
}

/* Corners in order around: a convex outline, filled or not. */
static void add_outline(Frame *frame, const Vec3 *corners, int count, const Style *style) {
    for (int i = 0; i < count; i++)
        if (!style->fill)
            add_line(frame, corners[i], corners[(i + 1) % count], style);
        else if (i >= 2)
            add_triangle(frame, corners[0], corners[i - 1], corners[i], style);
}


/* ---- lists ---- */

int check_list(lua_State *L, int arg, const char *what) {
    if (lua_type(L, arg) != LUA_TTABLE)
        script_refuse(L, arg, "a list of %s expected, got %s", what, luaL_typename(L, arg));
    lua_Unsigned count = lua_rawlen(L, arg);
    if (count > FRAME_MOST)
        script_refuse(L, arg, "a list of %llu %s, at most %d are drawn", (unsigned long long)count, what, FRAME_MOST);
    return (int)count;
}

static float number_at(lua_State *L, int list, int i) {
    lua_rawgeti(L, list, i);
    if (lua_type(L, -1) != LUA_TNUMBER)
        script_refuse(L, list, "item %d of the list is %s, a number expected as those before it", i, luaL_typename(L, -1));
    float number = (float)lua_tonumber(L, -1);
    lua_pop(L, 1);
    return number;
}

static Vec3 flat_point_at(lua_State *L, int list, int i) {
    return vec3_at(number_at(L, list, i), number_at(L, list, i + 1), number_at(L, list, i + 2));
}

/* The value on the top, which is popped, as a point of the list at `list`. */
static Vec3 take_point(lua_State *L, int list, int i) {
    int top = lua_gettop(L);
    Vec3 point;
    if (lua_type(L, top) == LUA_TTABLE) {
        for (int axis = 0; axis < 3; axis++) {
            lua_rawgeti(L, top, axis + 1);
            if (lua_type(L, -1) != LUA_TNUMBER)
                script_refuse(L, list, "item %d of the list should be a point {x, y, z} or a vec3", i);
            point.raw[axis] = (float)lua_tonumber(L, -1);
            lua_pop(L, 1);
        }
    } else {
        if (lua_type(L, top) == LUA_TNUMBER || !is_vec3(L, top))
            script_refuse(L, list, "item %d of the list is %s, a point expected", i, luaL_typename(L, top));
        int arg = top;
        point = check_vec3(L, &arg);
    }
    lua_settop(L, top - 1);
    return point;
}

static Vec3 point_at(lua_State *L, int list, int i) {
    lua_rawgeti(L, list, i);
    return take_point(L, list, i);
}

Points check_points(lua_State *L, int arg) {
    Points points = { arg, check_list(L, arg, "points"), false };
    points.flat = lua_rawgeti(L, arg, 1) == LUA_TNUMBER;
    lua_pop(L, 1);
    if (points.flat && points.count % 3)
        script_refuse(L, arg, "a list of %d numbers, three a point expected", points.count);
    points.count /= points.flat ? 3 : 1;
    return points;
}

Vec3 points_at(lua_State *L, const Points *points, int i) {
    return points->flat ? flat_point_at(L, points->list, i * 3 + 1) : point_at(L, points->list, i + 1);
}


/* ---- one thing ---- */

static int draw_line(lua_State *L) {
    int arg = 1;
    Vec3 from = check_vec3(L, &arg), to = check_vec3(L, &arg);
    Style style = check_style(L, arg);
    add_line(frame_of(L), from, to, &style);
    return 0;
}

static int draw_lines(lua_State *L) {
    Points points = check_points(L, 1);
    Style style = check_style(L, 2);
    if (points.count % 2)
        script_refuse(L, 1, "a list of %d points, two a line expected", points.count);
    for (int i = 0; i < points.count; i += 2) {
        Vec3 from = points_at(L, &points, i);
        add_line(frame_of(L), from, points_at(L, &points, i + 1), &style);
    }
    return 0;
}

static int draw_path(lua_State *L) {
    Points points = check_points(L, 1);
    Style style = check_style(L, 2);
    Vec3 from = { 0 };
    for (int i = 0; i < points.count; i++) {
        Vec3 to = points_at(L, &points, i);
        if (i)
            add_line(frame_of(L), from, to, &style);
        from = to;
    }
    return 0;
}

static int draw_box(lua_State *L) {
    int arg = 1;
    Box box;
    box.mins = check_vec3(L, &arg);
    box.maxs = check_vec3(L, &arg);
    Style style = check_style(L, arg);
    add_box(frame_of(L), box, &style);
    return 0;
}

/* Two corners of item i: {mins, maxs}, or {mins = …, maxs = …} as records have them. */
static Box box_at(lua_State *L, int list, int i) {
    Box box;
    lua_rawgeti(L, list, i);
    int item = lua_gettop(L);
    bool table = lua_type(L, item) == LUA_TTABLE;
    bool pair = table && lua_rawgeti(L, item, 1) != LUA_TNIL;
    if (!table)
        script_refuse(L, list, "item %d of the list is %s, {mins, maxs} expected", i, luaL_typename(L, item));
    lua_settop(L, item);
    for (int corner = 0; corner < 2; corner++) {
        if (pair)
            lua_rawgeti(L, item, corner + 1);
        else
            lua_getfield(L, item, corner ? "maxs" : "mins");
        *(corner ? &box.maxs : &box.mins) = take_point(L, list, i);
    }
    lua_settop(L, item - 1);
    return box;
}

static int draw_boxes(lua_State *L) {
    int count = check_list(L, 1, "boxes");
    Style style = check_style(L, 2);
    bool flat = lua_rawgeti(L, 1, 1) == LUA_TNUMBER;
    lua_pop(L, 1);
    if (flat && count % 6)
        script_refuse(L, 1, "a list of %d numbers, six a box expected", count);
    for (int i = 1; i <= count; i += flat ? 6 : 1) {
        Box box = flat ? (Box){ flat_point_at(L, 1, i), flat_point_at(L, 1, i + 3) } : box_at(L, 1, i);
        add_box(frame_of(L), box, &style);
    }
    return 0;
}

enum { ROUND = 24, RINGS = 12 };    /* a circle's corners; a filled sphere's bands from pole to pole */

static Vec3 on_sphere(Vec3 middle, float radius, int around, int down) {
    double yaw = trig_radians(around * 360.0 / ROUND), polar = trig_radians(down * 180.0 / RINGS);
    return vec3_add_scaled(middle, vec3_at((float)(trig_cos(yaw) * trig_sin(polar)), (float)(trig_sin(yaw) * trig_sin(polar)),
                                           (float)trig_cos(polar)), radius);
}

static void add_sphere(Frame *frame, Vec3 middle, float radius, const Style *style) {
    for (int down = 0; down < RINGS; down++)
        for (int around = 0; around < ROUND; around++) {
            Vec3 a = on_sphere(middle, radius, around, down), b = on_sphere(middle, radius, around + 1, down);
            Vec3 c = on_sphere(middle, radius, around + 1, down + 1), d = on_sphere(middle, radius, around, down + 1);
            add_triangle(frame, a, b, c, style);
            add_triangle(frame, a, c, d, style);
        }
}

static void add_circle(Frame *frame, Vec3 middle, Vec3 x, Vec3 y, float radius, const Style *style) {
    Vec3 from = vec3_add_scaled(middle, x, radius);
    for (int i = 1; i <= ROUND; i++) {
        double angle = trig_radians(i * 360.0 / ROUND);
        Vec3 to = vec3_add_scaled(vec3_add_scaled(middle, x, radius * (float)trig_cos(angle)), y, radius * (float)trig_sin(angle));
        add_line(frame, from, to, style);
        from = to;
    }
}

static int draw_sphere(lua_State *L) {
    int arg = 1;
    Vec3 middle = check_vec3(L, &arg);
    double radius = check_finite(L, arg);
    if (radius < 0)
        script_refuse(L, arg, "radius %g, allowed are 0 and more", radius);
    Style style = check_style(L, arg + 1);
    Frame *frame = frame_of(L);
    if (style.fill) {
        add_sphere(frame, middle, (float)radius, &style);
        return 0;
    }
    Vec3 x = vec3_at(1, 0, 0), y = vec3_at(0, 1, 0), z = vec3_at(0, 0, 1);
    add_circle(frame, middle, x, y, (float)radius, &style);
    add_circle(frame, middle, y, z, (float)radius, &style);
    add_circle(frame, middle, z, x, (float)radius, &style);
    return 0;
}

/* Two directions at right angles to one of length 1. */
static void sides_of(Vec3 way, Vec3 *x, Vec3 *y) {
    Vec3 other = fabsf(way.z) < 0.9f ? vec3_at(0, 0, 1) : vec3_at(1, 0, 0);
    *x = vec3_normalized(vec3_cross(way, other));
    *y = vec3_cross(way, *x);
}

static int draw_arrow(lua_State *L) {
    enum { CORNERS = 8 };
    int arg = 1;
    Vec3 from = check_vec3(L, &arg), to = check_vec3(L, &arg), x, y;
    Style style = check_style(L, arg);
    Frame *frame = frame_of(L);
    float length = vec3_length(vec3_sub(to, from));
    float head = style.size > 0 ? style.size : fminf(length * 0.25f, 16);    /* a quarter where the arrow is short */
    Vec3 way = vec3_normalized(vec3_sub(to, from)), base = vec3_add_scaled(to, way, -head);
    add_line(frame, from, base, &style);
    sides_of(way, &x, &y);
    for (int i = 0; i < CORNERS; i++) {
        Vec3 corner[2];
        for (int n = 0; n < 2; n++) {
            double angle = trig_radians((i + n) * 360.0 / CORNERS);
            corner[n] = vec3_add_scaled(base, x, head * 0.35f * (float)trig_cos(angle));
            corner[n] = vec3_add_scaled(corner[n], y, head * 0.35f * (float)trig_sin(angle));
        }
        add_triangle(frame, to, corner[0], corner[1], &style);
    }
    return 0;
}

static int draw_polygon(lua_State *L) {
    Points points = check_points(L, 1);
    Style style = check_style(L, 2);
    if (points.count < 3)
        script_refuse(L, 1, "a list of %d points, a polygon has 3 at least", points.count);
    Frame *frame = frame_of(L);
    Vec3 first = points_at(L, &points, 0), last = first;
    for (int i = 1; i <= points.count; i++) {
        Vec3 next = i < points.count ? points_at(L, &points, i) : first;
        if (!style.fill)
            add_line(frame, last, next, &style);
        else if (i >= 2 && i < points.count)
            add_triangle(frame, first, last, next, &style);
        last = next;
    }
    return 0;
}

/* How many units a pixel is wide at a point, so that things keep their size on screen; 0: behind the eye. */
static float units_a_pixel(const View *view, Vec3 point) {
    float depth = vec3_dot(vec3_sub(point, view->origin), view->axes.forward);
    if (depth < view->near || view->height <= 0)
        return 0;
    return 2 * depth * (float)trig_tan(trig_radians(view->fov_y) / 2) / (float)view->height;
}

static void add_square(Frame *frame, Vec3 middle, float half, const Style *style) {
    Vec3 right = vec3_scale(frame->view.axes.right, half), up = vec3_scale(frame->view.axes.up, half);
    Vec3 corners[4] = { vec3_sub(vec3_sub(middle, right), up), vec3_sub(vec3_add(middle, right), up),
                        vec3_add(vec3_add(middle, right), up), vec3_add(vec3_sub(middle, right), up) };
    Style filled = *style;
    filled.fill = true;
    add_outline(frame, corners, 4, &filled);
}

static int draw_points(lua_State *L) {
    Points points = check_points(L, 1);
    Style style = check_style(L, 2);
    float pixels = style.size > 0 ? style.size : 4;
    for (int i = 0; i < points.count; i++) {
        Vec3 point = points_at(L, &points, i);
        float unit = units_a_pixel(&frame_of(L)->view, point);
        if (unit > 0)
            add_square(frame_of(L), point, unit * pixels / 2, &style);
    }
    return 0;
}


/* ---- text that stands in the level ---- */

/* A plane that faces the eye: letters keep their size in pixels however far they are. */
typedef struct Board { Frame *frame; const Font *font; int texture; Vec3 middle; float unit, width, height; int flags; } Board;

static Vec3 on_board(const Board *board, float x, float y) {
    const Axes *axes = &board->frame->view.axes;
    Vec3 point = vec3_add_scaled(board->middle, axes->right, (x - board->width / 2) * board->unit);
    return vec3_add_scaled(point, axes->up, (board->height / 2 - y) * board->unit);
}

static void add_letter(const Board *board, const Glyph *g, float x, float y, Rgba color) {
    float left = x + g->x, top = y + g->y, right = left + g->width, bottom = top + g->height;
    FrameVertex a = { on_board(board, left, top), g->u0, g->v0, color }, b = { on_board(board, right, top), g->u1, g->v0, color };
    FrameVertex c = { on_board(board, right, bottom), g->u1, g->v1, color };
    FrameVertex d = { on_board(board, left, bottom), g->u0, g->v1, color };
    frame_triangle(board->frame, (FrameVertex[]){ a, b, c }, board->texture, board->flags);
    frame_triangle(board->frame, (FrameVertex[]){ a, c, d }, board->texture, board->flags);
}

static float line_width(const Font *font, const char *text) {
    float width = 0;
    for (uint32_t code; (code = text_next_code(&text)) && code != '\n';)
        width += font_glyph(font, code)->advance;
    return width;
}

/* Each line in the middle. */
static void add_text(const Board *board, const char *text, float shift, Rgba color) {
    float pen = (board->width - line_width(board->font, text)) / 2, baseline = board->font->ascent;
    for (uint32_t code; (code = text_next_code(&text));) {
        if (code == '\n') {
            pen = (board->width - line_width(board->font, text)) / 2;
            baseline += board->font->line;
            continue;
        }
        const Glyph *glyph = font_glyph(board->font, code);
        if (glyph->width > 0)
            add_letter(board, glyph, pen + shift, baseline + shift, color);
        pen += glyph->advance;
    }
}

static int draw_text(lua_State *L) {
    int arg = 1;
    Vec3 point = check_vec3(L, &arg);
    Style style = check_style(L, arg + 1);
    const char *text = check_text(L, arg);
    Frame *frame = frame_of(L);
    Board board = { .frame = frame, .middle = point, .flags = style.flags, .unit = units_a_pixel(&frame->view, point) };
    board.font = check_font(L, &style, 14);
    if (board.unit <= 0)
        return 0;
    board.texture = engine_font_texture(engine_of(L), board.font);
    font_measure(board.font, text, &board.width, &board.height);
    if (!(style.flags & DRAW_ADD))    /* a shadow keeps it readable on bright walls */
        add_text(&board, text, 1, (Rgba){ 0, 0, 0, style.color.a });
    add_text(&board, text, 0, style.color);
    return 0;
}


/* ---- frustum, grid ---- */

static Vec3 view_point(lua_State *L, const char *name, const char *what) {
    lua_getfield(L, 1, name);
    Vec3 point = value_point(L, 1, what);
    lua_pop(L, 1);
    return point;
}

static int draw_frustum(lua_State *L) {
    check_table(L, 1, "a view {origin, angles, fov}");
    Frame *frame = frame_of(L);
    float own = frame->view.height > 0 ? (float)frame->view.width / (float)frame->view.height : 16 / 9.0f;
    Vec3 origin = view_point(L, "origin", "the view's origin");
    Axes axes = axes_from_angles(view_point(L, "angles", "the view's angles"));
    float fov = (float)field_number(L, 1, "fov", 90, 1, 170), aspect = (float)field_number(L, 1, "aspect", own, 0.01, 100);
    float near = (float)field_number(L, 1, "near", 4, 0, 1e6), far = (float)field_number(L, 1, "far", 256, 0, 1e6);
    Style style = check_style(L, 2);
    float wide = (float)trig_tan(trig_radians(fov) / 2), high = wide / aspect;
    Vec3 corners[2][4];
    for (int end = 0; end < 2; end++)
        for (int i = 0; i < 4; i++) {
            float depth = end ? far : near, x = i == 1 || i == 2 ? wide : -wide, y = i >= 2 ? high : -high;
            Vec3 point = vec3_add_scaled(origin, axes.forward, depth);
            corners[end][i] = vec3_add_scaled(vec3_add_scaled(point, axes.right, x * depth), axes.up, y * depth);
        }
    add_outline(frame, corners[0], 4, &style);
    add_outline(frame, corners[1], 4, &style);
    for (int i = 0; i < 4; i++) {
        int next = (i + 1) % 4;
        if (style.fill)
            add_outline(frame, (Vec3[]){ corners[0][i], corners[0][next], corners[1][next], corners[1][i] }, 4, &style);
        else
            add_line(frame, corners[0][i], corners[1][i], &style);
    }
    return 0;
}

static int draw_grid(lua_State *L) {
    int arg = 1;
    Vec3 middle = check_vec3(L, &arg);
    double spacing = check_finite(L, arg);
    if (spacing <= 0)
        script_refuse(L, arg, "spacing %g, allowed are numbers above 0", spacing);
    int cells = lua_isnoneornil(L, arg + 1) ? 16 : check_count(L, arg + 1, "cells", 1, 4096);
    Style style = check_style(L, arg + 2);
    float half = (float)spacing * (float)cells / 2;
    for (int i = 0; i <= cells; i++) {
        float at = (float)spacing * (float)i - half;
        add_line(frame_of(L), vec3_add(middle, vec3_at(at, -half, 0)), vec3_add(middle, vec3_at(at, half, 0)), &style);
        add_line(frame_of(L), vec3_add(middle, vec3_at(-half, at, 0)), vec3_add(middle, vec3_at(half, at, 0)), &style);
    }
    return 0;
}


/* ---- things of the level ---- */

typedef void AddThing(lua_State *L, const Map *map, int number, const Style *style);

static void add_face(lua_State *L, const Map *map, int face, const Style *style) {
    (void)map;
    frame_face(frame_of(L), (FrameFace){ face, style->color, style->flags, style->fill, style->width });
}

static void add_leaf(lua_State *L, const Map *map, int leaf, const Style *style) {
    const BspLeaf *l = &map->leafs[leaf];
    Box box;
    for (int i = 0; i < 3; i++) {
        box.mins.raw[i] = (float)l->mins[i];
        box.maxs.raw[i] = (float)l->maxs[i];
    }
    add_box(frame_of(L), box, style);
}

static void add_cluster(lua_State *L, const Map *map, int cluster, const Style *style) {
    Box box;
    if (bsp_cluster_bounds(map, cluster, &box))
        add_box(frame_of(L), box, style);
}

static const struct Thing { const char *name, *plural; AddThing *add; size_t count; int least; } things[] = {
    { "face", "faces", add_face, offsetof(Map, face_count), 0 },
    { "leaf", "leaves", add_leaf, offsetof(Map, leaf_count), 0 },
    { "cluster", "clusters", add_cluster, offsetof(Map, cluster_count), -1 },
};
enum { THING_FACE, THING_LEAF, THING_CLUSTER };

static int thing_count(const Map *map, const struct Thing *thing) {
    int count;
    memcpy(&count, (const char *)map + thing->count, sizeof count);
    return count;
}

static int draw_thing(lua_State *L, int kind) {
    const Map *map = check_map(L);
    int number = kind == THING_CLUSTER ? check_cluster(L, 1, map) : check_index(L, 1, things[kind].name, thing_count(map, &things[kind]));
    Style style = check_style(L, 2);
    things[kind].add(L, map, number, &style);
    return 0;
}

static int draw_things(lua_State *L, int kind) {
    const struct Thing *thing = &things[kind];
    const Map *map = check_map(L);
    int items = check_list(L, 1, thing->plural), count = thing_count(map, thing);
    Style style = check_style(L, 2);
    for (int i = 1; i <= items; i++) {
        int whole;
        lua_rawgeti(L, 1, i);
        lua_Integer number = lua_tointegerx(L, -1, &whole);
        if (!whole)
            script_refuse(L, 1, "item %d of the list is %s, the number of a %s expected", i, luaL_typename(L, -1), thing->name);
        if (number < thing->least || number >= count)
            script_refuse(L, 1, "item %d of the list is %s %lld, this map has 0..%d", i, thing->name, (long long)number, count - 1);
        lua_pop(L, 1);
        thing->add(L, map, (int)number, &style);
    }
    return 0;
}

static int draw_face(lua_State *L) { return draw_thing(L, THING_FACE); }
static int draw_leaf(lua_State *L) { return draw_thing(L, THING_LEAF); }
static int draw_cluster(lua_State *L) { return draw_thing(L, THING_CLUSTER); }
static int draw_faces(lua_State *L) { return draw_things(L, THING_FACE); }
static int draw_leaves(lua_State *L) { return draw_things(L, THING_LEAF); }
static int draw_clusters(lua_State *L) { return draw_things(L, THING_CLUSTER); }

static const ScriptFunction functions[] = {
    { "line", draw_line, "(from: point, to: point, style?: style)", "A line." },
    { "lines", draw_lines, "(points: table, style?: style)",
      "Many lines, two points each: a list of points, or of numbers x, y, z, x, y, z, ..." },
    { "path", draw_path, "(points: table, style?: style)", "A line from point to point; the list as `lines` takes it." },
    { "box", draw_box, "(mins: point, maxs: point, style?: style)", "A box: its edges, or its sides with fill = true." },
    { "boxes", draw_boxes, "(boxes: table, style?: style)", "Many boxes: a list of { mins, maxs }, or of six numbers each." },
    { "sphere", draw_sphere, "(middle: point, radius: number, style?: style)", "A sphere: three circles, or filled." },
    { "arrow", draw_arrow, "(from: point, to: point, style?: style)", "An arrow; its head is style.size units long." },
    { "polygon", draw_polygon, "(points: table, style?: style)", "A convex polygon: its outline, or filled." },
    { "text", draw_text, "(p: point, text: any, style?: style)",
      "Letters that face the eye, in the middle of which is the point; style.size is in pixels, however far it is." },
    { "points", draw_points, "(points: table, style?: style)", "Squares of style.size pixels, however far they are." },
    { "frustum", draw_frustum, "(view: table, style?: style)",
      "What a view { origin, angles, fov, aspect, near, far } takes in, as `draw` gets one." },
    { "grid", draw_grid, "(middle: point, spacing: number, cells?: integer, style?: style)", "A level grid of lines around a point." },
    { "face", draw_face, "(face: integer, style?: style)", "A face of the level: its outline, or tinted with fill = true." },
    { "faces", draw_faces, "(faces: integer[], style?: style)", "Many faces in one style." },
    { "leaf", draw_leaf, "(leaf: integer, style?: style)", "The box of a leaf." },
    { "leaves", draw_leaves, "(leaves: integer[], style?: style)", "The boxes of many leafs in one style." },
    { "cluster", draw_cluster, "(cluster: integer, style?: style)", "The box of a cluster; nothing for -1." },
    { "clusters", draw_clusters, "(clusters: integer[], style?: style)", "The boxes of many clusters in one style." },
    { "model", draw_model, "(md3: string, style?: table) -> boolean?, string?",
      "A model of the search path: { origin, angles, frame, old_frame, mix, scale, color, skin, bright, lod }, each optional; "
      "whether it is in view, or nil and why it cannot be drawn." },
    { "models", draw_models, "(md3: string, places: table, style?: table) -> integer?, string?",
      "The model at many places (points, or numbers x, y, z, x, y, z, ...) in one style, which may have `yaws`, a list of a number "
      "for each; how many are in view." },
    { "model_info", draw_model_info, "(md3: string) -> table?, string?",
      "What a model has: { frames, triangles, vertices, lods, surfaces, tags, mins, maxs }; nil and why when it cannot be read." },
    { "tag", draw_tag, "(md3: string, tag: string, style?: table) -> vec3?, vec3|string",
      "Where a tag of a model is that is drawn in this style: origin and angles, for what is held there; nil and why when there is none." },
    { "sprite", draw_sprite, "(image: image|string, p: point, size: number|number[], style?: style)",
      "A picture that faces the eye, `size` units wide (or { width, height }); style.roll turns it, style.angles lets it face there instead." },
    { "sprites", draw_sprites, "(image: image|string, points: table, size: number|number[], style?: style)",
      "The picture at many places, the list as `lines` takes it." },
    { NULL, NULL, NULL, NULL },
};

const ScriptModule lw_draw_module = {
    .name = "draw", .help = "Lines, boxes, letters and faces in the level, for this frame.", .functions = functions,
};
