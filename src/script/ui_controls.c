/* script/ui_controls.c -- small controls that are drawn and asked in one call, anew each frame.
 *
 * What the user does between two frames is noted as it comes and counts for the controls of the next frame. A control is
 * known by its panel's title and its own label. While the mouse is over a panel, its clicks belong to the controls. */
#include <math.h>

#include "script/ui_internal.h"

enum { ROW = 24, PAD = 8, LETTERS = 14, TYPED_MOST = 255, TEXT_MOST = 1024 };

typedef struct Controls {
    float x, y;                      /* the mouse */
    bool down, went_down, went_up;   /* its first button, and what it did since the last frame */
    bool pressed, released;          /* the same for the frame that is being made */
    char coming[TYPED_MOST + 1], typed[TYPED_MOST + 1];    /* letters; \b and \r among them */
    unsigned frame;                  /* which frame is being made */
    uint64_t held, focus;            /* the control on which the button went down; the one that letters go to */
    struct { uint64_t id; float x, y, width, pen, bottom; size_t first, end; } panel;    /* first .. end: corners of its background */
    Box over[16];                    /* panels of this frame, in x and y */
    int over_count;
} Controls;

static const char KEY[] = "lw.ui.controls";    /* in the registry */

static const Rgba BACK = { 10, 13, 18, 215 }, LINE = { 232, 232, 232, 255 }, DIM = { 168, 176, 184, 255 };
static const Rgba FIELD = { 50, 58, 70, 255 }, HOT = { 78, 92, 112, 255 }, MARK = { 255, 208, 112, 255 };

static Controls *controls_of(lua_State *L) {
    lua_getfield(L, LUA_REGISTRYINDEX, KEY);
    Controls *c = lua_touserdata(L, -1);
    lua_pop(L, 1);
    return c;
}

void ui_controls_open(lua_State *L) {
    Controls *c = lua_newuserdatauv(L, sizeof *c, 0);
    memset(c, 0, sizeof *c);
    lua_setfield(L, LUA_REGISTRYINDEX, KEY);
}

static bool inside(Box box, float x, float y) { return x >= box.mins.x && y >= box.mins.y && x < box.maxs.x && y < box.maxs.y; }


/* ---- from the host ---- */

void ui_pointer(lua_State *L, float x, float y) {
    Controls *c = controls_of(L);
    c->x = x;
    c->y = y;
}

bool ui_click(lua_State *L, int button, float x, float y, bool down) {
    Controls *c = controls_of(L);
    const Platform *platform = engine_of(L)->platform;
    if (button != 1 || (platform && platform_mouse_grabbed(platform)))    /* while one flies there is no pointer */
        return false;
    ui_pointer(L, x, y);
    bool over = false;
    for (int i = 0; i < c->over_count; i++)
        over = over || inside(c->over[i], x, y);
    if (!over && down)
        c->focus = 0;
    bool ours = over || (c->held && !down);
    c->down = down && over;
    c->went_down = c->went_down || c->down;
    c->went_up = c->went_up || (!down && ours);
    return ours;
}

static bool type(Controls *c, const char *text) {
    if (!c->focus)
        return false;
    size_t have = strlen(c->coming), more = strlen(text);
    if (have + more <= TYPED_MOST)
        memcpy(c->coming + have, text, more + 1);
    return true;
}

bool ui_text_typed(lua_State *L, const char *text) { return type(controls_of(L), text); }

/* While letters go to a control, so do the keys that make them. */
bool ui_key(lua_State *L, const char *name, bool down) {
    Controls *c = controls_of(L);
    if (!c->focus)
        return false;
    if (down && strcmp(name, "backspace") == 0)
        type(c, "\b");
    if (down && (strcmp(name, "return") == 0 || strcmp(name, "escape") == 0))
        type(c, "\r");
    return true;
}


/* ---- a frame ---- */

static void begin(Controls *c, unsigned frame) {
    c->frame = frame;
    c->pressed = c->went_down;
    c->released = c->went_up;
    c->went_down = c->went_up = false;
    memcpy(c->typed, c->coming, sizeof c->typed);
    c->coming[0] = 0;
    c->over_count = 0;
    if (!c->down && !c->released)
        c->held = 0;
    memset(&c->panel, 0, sizeof c->panel);
}

typedef struct Row { Controls *c; Engine *engine; const Font *font; const char *label; uint64_t id; Box box; } Row;

static float text_width(const Font *font, const char *text) {
    float width, height;
    font_measure(font, text, &width, &height);
    return width;
}

static void add_rect(const Row *row, float x, float y, float w, float h, Rgba color) {
    frame_ui_quad(&row->engine->frame, x, y, w, h, NULL, TEXTURE_WHITE, color, NULL);
}

/* Letters in the middle of a row's height, cut at `most` pixels. */
static void add_letters(const Row *row, float x, const char *text, float most, Rgba color) {
    int clip[4] = { (int)x, (int)row->box.mins.y, (int)fmaxf(most, 1), ROW };
    engine_text(row->engine, row->font, x, row->box.mins.y + (ROW - row->font->size) / 2, text, color, clip);
}

static Controls *current(lua_State *L) {
    Controls *c = controls_of(L);
    unsigned frame = engine_of(L)->scene.stamp;
    if (frame != c->frame)
        begin(c, frame);
    return c;
}

/* The background was drawn before what stands on it: its lower corners move down with each row. */
static void stretch_panel(Controls *c, Frame *frame) {
    float bottom = c->panel.y + c->panel.pen + PAD;
    for (size_t i = c->panel.first; i < c->panel.end && i < frame->ui_vertices.count; i++)
        if (frame->ui_vertices.at[i].y == c->panel.bottom)
            frame->ui_vertices.at[i].y = bottom;
    c->panel.bottom = bottom;
    if (c->over_count)
        c->over[c->over_count - 1].maxs.y = bottom;
}

static Row next_row(lua_State *L) {
    Style plain = { .color = LINE };
    Row row = { current(L), engine_of(L), check_font(L, &plain, LETTERS), check_name(L, 1, "label"), 0, { { { 0 } }, { { 0 } } } };
    Controls *c = row.c;
    if (!c->panel.width)
        luaL_error(L, "'%s' belongs in a panel: lw.ui.panel begins one", script_name_of(L));
    row.id = text_hash_fold(row.label) * 31 + c->panel.id;
    row.id += row.id == 0;
    row.box.mins = vec3_at(c->panel.x + PAD, c->panel.y + c->panel.pen, 0);
    row.box.maxs = vec3_at(c->panel.x + c->panel.width - PAD, row.box.mins.y + ROW - 2, 0);
    c->panel.pen += ROW;
    stretch_panel(c, &row.engine->frame);
    return row;
}

/* Whether a place of the row was clicked: the button went down and up again in it. */
static bool clicked(const Row *row, Box box, uint64_t id) {
    Controls *c = row->c;
    bool over = inside(box, c->x, c->y);
    if (c->pressed && over)
        c->held = id;
    bool done = c->released && over && c->held == id;
    if (c->released && c->held == id && !c->down)
        c->held = 0;
    return done;
}

static bool hot(const Row *row, Box box) { return inside(box, row->c->x, row->c->y); }

static float check_place(lua_State *L, int arg) { return (float)CLAMP(check_finite(L, arg), -1e5, 1e5); }

int ui_panel(lua_State *L) {
    Controls *c = current(L);
    const char *title = check_name(L, 1, "title");
    float x = check_place(L, 2), y = check_place(L, 3), width = lua_isnoneornil(L, 4) ? 240 : check_place(L, 4);
    if (width < 60)
        script_refuse(L, 4, "width %g, at least 60 is needed", (double)width);
    Style plain = { .color = LINE };
    Row row = { c, engine_of(L), check_font(L, &plain, LETTERS), title, 0, { { { 0 } }, { { 0 } } } };
    c->panel.id = text_hash_fold(title) | 1;
    c->panel.x = x;
    c->panel.y = y;
    c->panel.width = width;
    c->panel.pen = PAD + (*title ? ROW : 0);
    float height = c->panel.pen + PAD;
    c->panel.bottom = y + height;
    c->panel.first = row.engine->frame.ui_vertices.count;
    add_rect(&row, x, y, width, height, BACK);
    c->panel.end = row.engine->frame.ui_vertices.count;
    row.box = (Box){ vec3_at(x + PAD, y + PAD, 0), vec3_at(x + width - PAD, y + PAD + ROW, 0) };
    if (*title)
        add_letters(&row, x + PAD, title, width - 2 * PAD, MARK);
    if (c->over_count < COUNT_OF(c->over))
        c->over[c->over_count++] = (Box){ vec3_at(x, y, 0), vec3_at(x + width, y + height, 0) };
    return 0;
}

int ui_label(lua_State *L) {
    check_text(L, 1);
    lua_replace(L, 1);
    Row row = next_row(L);
    add_letters(&row, row.box.mins.x, row.label, row.box.maxs.x - row.box.mins.x, LINE);
    return 0;
}

int ui_button(lua_State *L) {
    Row row = next_row(L);
    bool done = clicked(&row, row.box, row.id);
    float width = row.box.maxs.x - row.box.mins.x, text = text_width(row.font, row.label);
    add_rect(&row, row.box.mins.x, row.box.mins.y, width, ROW - 2, hot(&row, row.box) ? HOT : FIELD);
    add_letters(&row, row.box.mins.x + fmaxf((width - text) / 2, 4), row.label, width - 4, LINE);
    lua_pushboolean(L, done);
    return 1;
}

int ui_checkbox(lua_State *L) {
    Row row = next_row(L);
    bool on = lua_toboolean(L, 2);
    bool changed = clicked(&row, row.box, row.id);
    on = on != changed;
    add_rect(&row, row.box.mins.x, row.box.mins.y + 3, 16, 16, hot(&row, row.box) ? HOT : FIELD);
    if (on)
        add_rect(&row, row.box.mins.x + 4, row.box.mins.y + 7, 8, 8, MARK);
    add_letters(&row, row.box.mins.x + 24, row.label, row.box.maxs.x - row.box.mins.x - 24, LINE);
    lua_pushboolean(L, on);
    lua_pushboolean(L, changed);
    return 2;
}

/* Label to the left, the control in the right half. */
static Box right_half(const Row *row) {
    Box box = row->box;
    box.mins.x = (box.mins.x + box.maxs.x) / 2;
    add_letters(row, row->box.mins.x, row->label, box.mins.x - row->box.mins.x - 4, LINE);
    return box;
}

int ui_slider(lua_State *L) {
    double value = check_finite(L, 2), low = check_finite(L, 3), high = check_finite(L, 4);
    double step = lua_isnoneornil(L, 5) ? 0 : check_finite(L, 5);
    if (high <= low)
        script_refuse(L, 4, "the highest value is %g, the lowest %g", high, low);
    if (step < 0)
        script_refuse(L, 5, "step %g, allowed are 0 and more", step);
    Row row = next_row(L);
    Box box = right_half(&row);
    double before = value;
    clicked(&row, box, row.id);
    float width = box.maxs.x - box.mins.x;
    if (row.c->held == row.id && (row.c->down || row.c->pressed))
        value = low + (high - low) * CLAMP((row.c->x - box.mins.x) / width, 0, 1);
    if (step > 0)
        value = low + step * nearbyint((value - low) / step);
    value = CLAMP(value, low, high);
    add_rect(&row, box.mins.x, box.mins.y, width, ROW - 2, hot(&row, box) ? HOT : FIELD);
    add_rect(&row, box.mins.x, box.mins.y + ROW - 6, width * (float)((value - low) / (high - low)), 4, MARK);
    const char *text = lua_pushfstring(L, "%f", value);
    add_letters(&row, box.mins.x + 6, text, width - 8, LINE);
    lua_pushnumber(L, value);
    lua_pushboolean(L, value != before);
    return 2;
}

int ui_choice(lua_State *L) {
    if (lua_type(L, 3) != LUA_TTABLE || lua_rawlen(L, 3) < 1)
        script_refuse(L, 3, "a list of texts to choose from expected");
    int count = (int)MIN(lua_rawlen(L, 3), (lua_Unsigned)10000), at = 0;
    for (int i = 1; i <= count; i++) {
        if (lua_rawgeti(L, 3, i) != LUA_TSTRING)
            script_refuse(L, 3, "choice %d is %s, a text expected", i, luaL_typename(L, -1));
        if (!at && lua_rawequal(L, -1, 2))
            at = i;
        lua_pop(L, 1);
    }
    Row row = next_row(L);
    Box box = right_half(&row);
    bool changed = clicked(&row, box, row.id);
    at = changed ? at % count + 1 : MAX(at, 1);
    add_rect(&row, box.mins.x, box.mins.y, box.maxs.x - box.mins.x, ROW - 2, hot(&row, box) ? HOT : FIELD);
    lua_rawgeti(L, 3, at);
    add_letters(&row, box.mins.x + 6, lua_tostring(L, -1), box.maxs.x - box.mins.x - 8, LINE);
    lua_pushboolean(L, changed);
    return 2;
}

/* The text with what was typed at its end. */
static void edit(Controls *c, Text *text, bool *done) {
    for (const char *at = c->typed; *at; at++) {
        if (*at == '\r') {
            c->focus = 0;
            *done = true;
        } else if (*at != '\b') {
            if (text->count < TEXT_MOST)
                text_add_char(text, *at);
        } else if (text->count) {
            do    /* a whole UTF-8 character */
                text->count--;
            while (text->count && ((unsigned char)text->at[text->count] & 0xc0) == 0x80);
            text->at[text->count] = 0;
        }
    }
    c->typed[0] = 0;
}

int ui_input(lua_State *L) {
    const char *before = check_name(L, 2, "text");
    Row row = next_row(L);
    Box box = right_half(&row);
    if (clicked(&row, box, row.id))
        row.c->focus = row.id;
    bool focus = row.c->focus == row.id, done = false;
    add_rect(&row, box.mins.x, box.mins.y, box.maxs.x - box.mins.x, ROW - 2, focus || hot(&row, box) ? HOT : FIELD);
    if (focus && row.c->typed[0]) {
        Text text = { 0 };
        text_add(&text, before);
        edit(row.c, &text, &done);
        lua_pushlstring(L, text_of(&text), text.count);
        text_free(&text);
    } else {
        lua_pushvalue(L, 2);
    }
    const char *after = lua_tostring(L, -1);
    float room = box.maxs.x - box.mins.x - 12, width = text_width(row.font, after);
    const char *shown = after;
    while (*shown && width > room) {    /* the end is what one types at */
        text_next_code(&shown);
        width = text_width(row.font, shown);
    }
    add_letters(&row, box.mins.x + 6, shown, room + 6, focus ? LINE : DIM);
    if (focus)
        add_rect(&row, box.mins.x + 7 + width, box.mins.y + 4, 1, ROW - 10, MARK);
    lua_pushboolean(L, done);
    return 2;
}
