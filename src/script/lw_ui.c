/* script/lw_ui.c -- lw.ui: letters, rectangles, pictures and plots on the screen, in pixels from the top left.
 * The controls are in ui_controls.c.
 *
 * All of it goes into the frame's 2D list, in the order of the calls. */
#include <math.h>

#include "script/ui_internal.h"

enum { TEXT_SIZE = 16 };    /* pixels, where a style names none */

static Frame *frame_of(lua_State *L) { return &engine_of(L)->frame; }

const Font *check_font(lua_State *L, const Style *style, float pixels) {
    enum { MOST_FONTS = 64, LARGEST = 256 };
    Engine *engine = engine_of(L);
    float size = style->size > 0 ? style->size : pixels;
    size = (float)(int)CLAMP(size, 4, LARGEST);    /* whole pixels: every size is a picture of its own */
    Error error;
    if (engine->fonts.count >= MOST_FONTS)
        for (size_t i = 0; i < engine->fonts.count; i++)
            if (!style->font || text_same(style->font, engine->fonts.at[i].font->name))
                return engine->fonts.at[i].font;
    const Font *font = engine_font(engine, style->font ? style->font : "", size, &error);
    if (!font)
        luaL_error(L, "'%s': %s", script_name_of(L), error.text);
    return font;
}

/* x, y at arguments `arg` and the next: far outside any screen is fine, not finite is not. */
static float check_pixel(lua_State *L, int arg) { return (float)CLAMP(check_finite(L, arg), -1e6, 1e6); }

static float check_extent(lua_State *L, int arg, const char *what) {
    double extent = check_finite(L, arg);
    if (extent < 0)
        script_refuse(L, arg, "%s %g, allowed are 0 and more", what, extent);
    return (float)fmin(extent, 1e6);
}

static void add_rect(Frame *frame, float x, float y, float w, float h, Rgba color) {
    frame_ui_quad(frame, x, y, w, h, NULL, TEXTURE_WHITE, color, NULL);
}

/* A frame of lines that lie inside the rectangle. */
static void add_border(Frame *frame, float x, float y, float w, float h, float thick, Rgba color) {
    thick = fminf(thick, fminf(w, h) / 2);
    add_rect(frame, x, y, w, thick, color);
    add_rect(frame, x, y + h - thick, w, thick, color);
    add_rect(frame, x, y + thick, thick, h - 2 * thick, color);
    add_rect(frame, x + w - thick, y + thick, thick, h - 2 * thick, color);
}

static void push_size(lua_State *L, const Font *font, const char *text) {
    float width, height;
    font_measure(font, text, &width, &height);
    lua_pushnumber(L, width);
    lua_pushnumber(L, height);
}

/* Anything can be written. Its text is left on the stack: read other arguments first. */
const char *check_text(lua_State *L, int arg) {
    if (lua_isnone(L, arg))
        script_refuse(L, arg, "a text or another value expected, got nothing");
    return luaL_tolstring(L, arg, NULL);
}

static int ui_text(lua_State *L) {
    float x = check_pixel(L, 1), y = check_pixel(L, 2);
    Style style = check_style(L, 4);
    const char *text = check_text(L, 3);
    const Font *font = check_font(L, &style, TEXT_SIZE);
    engine_text(engine_of(L), font, floorf(x + 0.5f), floorf(y + 0.5f), text, style.color, NULL);
    push_size(L, font, text);
    return 2;
}

static int ui_measure(lua_State *L) {
    Style style = check_style(L, 2);
    const char *text = check_text(L, 1);
    push_size(L, check_font(L, &style, TEXT_SIZE), text);
    return 2;
}

static int ui_font(lua_State *L) {
    const char *name = check_name(L, 1, "font");
    double size = lua_isnoneornil(L, 2) ? TEXT_SIZE : check_finite(L, 2);
    if (size < 4 || size > 256)
        script_refuse(L, 2, "size %g, allowed are 4..256 pixels", size);
    Error error;
    const Font *font = engine_font(engine_of(L), name, (float)(int)size, &error);
    if (!font)
        return push_failure(L, &error);
    lua_createtable(L, 0, 4);
    lua_pushstring(L, font->name);
    lua_setfield(L, -2, "font");
    set_number(L, "size", font->size);
    set_number(L, "line", font->line);
    set_number(L, "ascent", font->ascent);
    return 1;
}

static int ui_rect(lua_State *L) {
    float x = check_pixel(L, 1), y = check_pixel(L, 2), w = check_extent(L, 3, "width"), h = check_extent(L, 4, "height");
    Style style = check_style(L, 5);
    if (style.fill)
        add_rect(frame_of(L), x, y, w, h, style.color);
    else
        add_border(frame_of(L), x, y, w, h, style.width, style.color);
    return 0;
}

static int ui_image(lua_State *L) {
    float x = check_pixel(L, 1), y = check_pixel(L, 2), w, h;
    Assets *assets = engine_of(L)->assets;
    int texture;
    if (lua_type(L, 3) == LUA_TSTRING) {
        texture = assets_texture(assets, check_name(L, 3, "image"));
        const Image *image = &assets_texture_at(assets, texture)->image;
        w = (float)image->width;
        h = (float)image->height;
    } else {
        const Image *image = check_image(L, 3);
        texture = image_texture(L, 3);
        w = (float)image->width;
        h = (float)image->height;
    }
    w = lua_isnoneornil(L, 4) ? w : check_extent(L, 4, "width");
    h = lua_isnoneornil(L, 5) ? h : check_extent(L, 5, "height");
    Style style = check_style(L, 6);
    frame_ui_quad(frame_of(L), x, y, w, h, NULL, texture, style.color, NULL);
    return 0;
}


/* ---- plot ---- */

typedef struct Plot { Frame *frame; float x, y, w, h; double low, high; Style style; } Plot;

static float plot_y(const Plot *plot, double value) {
    double part = plot->high > plot->low ? (value - plot->low) / (plot->high - plot->low) : 0;
    return plot->y + plot->h * (float)(1 - CLAMP(part, 0, 1));
}

/* style.low and style.high: what stands at the bottom and the top; by default 0 (or the least value below it) and the largest. */
static double range_field(lua_State *L, int style, const char *name, double otherwise) {
    if (lua_type(L, style) != LUA_TTABLE)
        return otherwise;
    lua_getfield(L, style, name);
    double value = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : NAN;
    if (!lua_isnil(L, -1) && !isfinite(value))
        script_refuse(L, style, "a plot's %s is a finite number", name);
    lua_pop(L, 1);
    return isfinite(value) ? value : otherwise;
}

static double value_at(lua_State *L, int list, int i) {
    lua_rawgeti(L, list, i);
    if (lua_type(L, -1) != LUA_TNUMBER)
        script_refuse(L, list, "value %d is %s, a number expected", i, luaL_typename(L, -1));
    double value = lua_tonumber(L, -1);
    lua_pop(L, 1);
    return value;
}

/* Values that are not finite leave a gap. */
static void add_values(lua_State *L, const Plot *plot, int list, int count) {
    float last_x = 0, last_y = 0, step = count > 1 ? plot->w / (float)(count - 1) : 0;
    bool drawn = false;
    for (int i = 1; i <= count; i++) {
        double value = value_at(L, list, i);
        float x = plot->x + step * (float)(i - 1), y = plot_y(plot, value);
        if (isfinite(value) && drawn && plot->style.fill) {
            Rgba color = plot->style.color;
            float bottom = plot->y + plot->h;
            UiVertex a = { last_x, last_y, 0, 0, color }, b = { x, y, 0, 0, color };
            UiVertex c = { x, bottom, 0, 0, color }, d = { last_x, bottom, 0, 0, color };
            frame_ui_triangle(plot->frame, (UiVertex[]){ a, b, c }, TEXTURE_WHITE, NULL);
            frame_ui_triangle(plot->frame, (UiVertex[]){ a, c, d }, TEXTURE_WHITE, NULL);
        } else if (isfinite(value) && drawn) {
            frame_ui_line(plot->frame, last_x, last_y, x, y, plot->style.width, plot->style.color, NULL);
        }
        drawn = isfinite(value);
        last_x = x;
        last_y = y;
    }
}

static int ui_plot(lua_State *L) {
    enum { MOST_VALUES = 100000 };
    Plot plot = { frame_of(L), check_pixel(L, 1), check_pixel(L, 2), check_extent(L, 3, "width"), check_extent(L, 4, "height"),
                  0, 0, { 0 } };
    check_table(L, 5, "a list of numbers");
    lua_Unsigned count = lua_rawlen(L, 5);
    if (count > MOST_VALUES)
        script_refuse(L, 5, "%llu values, at most %d are drawn", (unsigned long long)count, MOST_VALUES);
    plot.style = check_style(L, 6);
    double least = 0, most = 0;
    for (int i = 1; i <= (int)count; i++) {
        double value = value_at(L, 5, i);
        least = isfinite(value) ? fmin(least, value) : least;
        most = isfinite(value) ? fmax(most, value) : most;
    }
    plot.low = range_field(L, 6, "low", least);
    plot.high = range_field(L, 6, "high", most);
    add_values(L, &plot, 5, (int)count);
    return 0;
}

static const ScriptFunction functions[] = {
    { "text", ui_text, "(x: number, y: number, text: any, style?: style) -> number, number",
      "Letters from the top left; style.font, style.size in pixels. Returns how wide and high they are." },
    { "measure", ui_measure, "(text: any, style?: style) -> number, number", "How wide and high a text would be." },
    { "font", ui_font, "(name: string, size?: number) -> table?, string?",
      "A font of the program's or the user's fonts/ as a style { font, size, line, ascent }; \"\" is the default; nil and why when "
      "there is none." },
    { "rect", ui_rect, "(x: number, y: number, width: number, height: number, style?: style)",
      "A rectangle: its border, style.width pixels thick, or filled with fill = true." },
    { "image", ui_image, "(x: number, y: number, image: image|string, width?: number, height?: number, style?: style)",
      "A picture or the texture of that name, tinted with style.color." },
    { "plot", ui_plot, "(x: number, y: number, width: number, height: number, values: number[], style?: style)",
      "A curve of numbers from left to right, filled below with fill = true; style.low and style.high are what stands at the "
      "bottom and the top." },
    { "panel", ui_panel, "(title: string, x: number, y: number, width?: number)",
      "Begins a panel: the controls called after it stand in it, one below the other. Its clicks are kept from others." },
    { "label", ui_label, "(text: any)", "A line of text in the panel." },
    { "button", ui_button, "(label: string) -> boolean", "A button; true in the frame after it was clicked." },
    { "checkbox", ui_checkbox, "(label: string, on: boolean) -> boolean, boolean", "A box to tick: its new state, and whether it changed." },
    { "slider", ui_slider, "(label: string, value: number, low: number, high: number, step?: number) -> number, boolean",
      "A number to drag: its new value, and whether it changed." },
    { "choice", ui_choice, "(label: string, value: any, choices: string[]) -> string, boolean",
      "One of several texts, the next at each click: the chosen one, and whether it changed." },
    { "input", ui_input, "(label: string, text: string) -> string, boolean",
      "A text to type, once it was clicked: what it is now, and whether return ended it." },
    { NULL, NULL, NULL, NULL },
};

const ScriptModule lw_ui_module = { .name = "ui", .help = "Letters, rectangles, pictures, plots and controls on the screen.", .functions = functions, .open = ui_controls_open };
