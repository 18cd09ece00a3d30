/* app/console_view.c -- the console on the screen: the line being typed, the lines that were printed. */
#include "app/window.h"

enum { FONT_SIZE = 16, MARGIN = 8, NOTIFY_LINES = 5 };
static const double notify_seconds = 3;

void console_view_init(ConsoleView *view) { *view = (ConsoleView){ .recalled = -1 }; }

void console_view_free(ConsoleView *view) {
    text_free(&view->line);
    text_free(&view->unsent);
}

static void set_line(ConsoleView *view, const char *text) {
    view->line.count = 0;
    text_add(&view->line, text);
    view->cursor = view->line.count;
}

/* Bytes 10xxxxxx go on with the character before them. */
static bool inside_character(const ConsoleView *view, size_t at) {
    return at < view->line.count && ((unsigned char)view->line.at[at] & 0xc0) == 0x80;
}

static size_t before(const ConsoleView *view, size_t at) {
    if (at == 0)
        return 0;
    do
        at--;
    while (at > 0 && inside_character(view, at));
    return at;
}

static size_t behind(const ConsoleView *view, size_t at) {
    if (at >= view->line.count)
        return view->line.count;
    do
        at++;
    while (inside_character(view, at));
    return at;
}

static void cut(ConsoleView *view, size_t from, size_t to) {
    if (from >= to)
        return;
    memmove(view->line.at + from, view->line.at + to, view->line.count - to + 1);
    view->line.count -= to - from;
    view->cursor = from;
}

void console_view_text(ConsoleView *view, const char *text) {
    if (strcmp(text, "`") == 0 || strcmp(text, "~") == 0)    /* the key that opens and closes it */
        return;
    Text line = { 0 };
    text_add_n(&line, text_of(&view->line), view->cursor);
    text_add(&line, text);
    size_t cursor = line.count;
    text_add(&line, text_of(&view->line) + view->cursor);
    text_free(&view->line);
    view->line = line;
    view->cursor = cursor;
}

static void run(ConsoleView *view, Engine *engine) {
    const char *line = text_of(&view->line);
    console_printf(engine->console, "]%s", line);
    console_history_add(engine->console, line);
    Text text = { 0 };
    text_add(&text, line);
    set_line(view, "");
    view->recalled = -1;
    view->scroll = 0;
    Error error;
    if (text_of(&text)[0] == '=' && view->evaluate)
        view->evaluate(view->user, text_of(&text) + 1);
    else if (!console_run(engine->console, text_of(&text), &error))
        console_print(engine->console, LOG_ERROR, error.text);
    text_free(&text);
}

static void recall(ConsoleView *view, Engine *engine, int step) {
    int wanted = view->recalled + step;
    if (wanted < -1 || (wanted >= 0 && !console_history(engine->console, wanted)))
        return;
    if (view->recalled < 0) {
        view->unsent.count = 0;
        text_add(&view->unsent, text_of(&view->line));
    }
    view->recalled = wanted;
    set_line(view, wanted < 0 ? text_of(&view->unsent) : console_history(engine->console, wanted));
}

static void complete(ConsoleView *view, Engine *engine) {
    Arena *arena = arena_open();
    set_line(view, console_complete(engine->console, text_of(&view->line), arena));
    arena_close(arena);
}

static void scroll(ConsoleView *view, Engine *engine, int lines) {
    int most = console_line_count(engine->console) - 1;
    view->scroll = CLAMP(view->scroll + lines, 0, MAX(most, 0));
}

void console_view_key(ConsoleView *view, Engine *engine, const char *key, bool control) {
    enum { PAGE = 10, ALL = 1 << 20 };
    if (!strcmp(key, "return") || !strcmp(key, "keypad enter"))
        run(view, engine);
    else if (!strcmp(key, "tab"))
        complete(view, engine);
    else if (!strcmp(key, "up") || (control && !strcmp(key, "p")))
        recall(view, engine, 1);
    else if (!strcmp(key, "down") || (control && !strcmp(key, "n")))
        recall(view, engine, -1);
    else if (!strcmp(key, "left"))
        view->cursor = before(view, view->cursor);
    else if (!strcmp(key, "right"))
        view->cursor = behind(view, view->cursor);
    else if (!strcmp(key, "backspace"))
        cut(view, before(view, view->cursor), view->cursor);
    else if (!strcmp(key, "delete"))
        cut(view, view->cursor, behind(view, view->cursor));
    else if (control && !strcmp(key, "l"))
        console_clear(engine->console);
    else if (control && !strcmp(key, "u"))
        set_line(view, "");
    else if (!strcmp(key, "pageup"))
        scroll(view, engine, PAGE);
    else if (!strcmp(key, "pagedown"))
        scroll(view, engine, -PAGE);
    else if (!strcmp(key, "home") && control)
        scroll(view, engine, ALL);
    else if (!strcmp(key, "end") && control)
        scroll(view, engine, -ALL);
    else if (!strcmp(key, "home"))
        view->cursor = 0;
    else if (!strcmp(key, "end"))
        view->cursor = view->line.count;
}

static Rgba color_of(LogLevel level) {
    if (level >= LOG_ERROR)
        return (Rgba){ 255, 110, 90, 255 };
    return level >= LOG_WARN ? (Rgba){ 255, 210, 90, 255 } : (Rgba){ 225, 225, 225, 255 };
}

static void draw_notices(Engine *engine, const Font *font) {
    float y = MARGIN;
    int count = console_line_count(engine->console);
    for (int i = MIN(NOTIFY_LINES, count) - 1; i >= 0; i--) {
        LogLevel level;
        double age;
        const char *line = console_line(engine->console, i, &level, &age);
        if (age > notify_seconds)
            continue;
        engine_text(engine, font, MARGIN + 1, y + 1, line, (Rgba){ 0, 0, 0, 200 }, NULL);
        engine_text(engine, font, MARGIN, y, line, color_of(level), NULL);
        y += font->line;
    }
}

/* What keeps the renderer from its newest shaders, while the last good ones draw. */
static void draw_problem(Engine *engine, const Font *font) {
    const RendererKind *kind = engine->renderer;
    const char *problem = kind && kind->problem ? kind->problem(engine_renderer_self(engine, kind)) : NULL;
    if (!problem)
        return;
    float width, height;
    font_measure(font, problem, &width, &height);
    float y = (float)engine->frame.view.height / 2 + MARGIN;
    frame_ui_quad(&engine->frame, 0, y - 2, width + 2 * MARGIN, height + 4, (const float[]){ 0, 0, 1, 1 }, TEXTURE_WHITE,
                  (Rgba){ 40, 8, 8, 225 }, NULL);
    engine_text(engine, font, MARGIN, y, problem, color_of(LOG_ERROR), NULL);
}

void console_view_draw(const ConsoleView *view, Engine *engine) {
    Error error;
    const Font *font = engine_font(engine, "", FONT_SIZE, &error);
    if (!font)
        return;    /* no font file anywhere: scripts that ask for one are told so */
    draw_problem(engine, font);
    if (!view->open) {
        if (!view->quiet)
            draw_notices(engine, font);
        return;
    }
    float width = (float)engine->frame.view.width, height = (float)(engine->frame.view.height / 2);
    const float whole[4] = { 0, 0, 1, 1 };
    frame_ui_quad(&engine->frame, 0, 0, width, height, whole, TEXTURE_WHITE, (Rgba){ 12, 14, 20, 225 }, NULL);
    frame_ui_quad(&engine->frame, 0, height - 2, width, 2, whole, TEXTURE_WHITE, (Rgba){ 200, 90, 40, 255 }, NULL);
    float y = height - font->line - MARGIN;
    Text line = { 0 };
    text_format(&line, "]%.*s", (int)view->cursor, text_of(&view->line));
    float cursor, unused;
    font_measure(font, text_of(&line), &cursor, &unused);
    text_add(&line, text_of(&view->line) + view->cursor);
    engine_text(engine, font, MARGIN, y, text_of(&line), (Rgba){ 255, 255, 255, 255 }, NULL);
    frame_ui_quad(&engine->frame, MARGIN + cursor, y, 2, font->line, whole, TEXTURE_WHITE, (Rgba){ 200, 90, 40, 255 }, NULL);
    text_free(&line);
    int count = console_line_count(engine->console);
    for (int i = view->scroll; i < count && y > 0; i++) {
        LogLevel level;
        const char *text = console_line(engine->console, i, &level, NULL);
        y -= font->line;
        engine_text(engine, font, MARGIN, y, text, color_of(level), NULL);
    }
}
