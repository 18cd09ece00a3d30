/* script/panel.c -- what went wrong in scripts, as users see it: one entry for each distinct error, with its place, the
 * lines around it, its traceback and how often it came; drawn over the running scene. */
#include <stdio.h>

#include "script/host_internal.h"

enum { TROUBLES_MOST = 20, LINES_AROUND = 1 };

/* Reads "file:line:" at the beginning of a message. */
static bool read_place(const char *message, char *file, size_t room, int *line) {
    for (const char *at = message; (at = strchr(at, ':')); at++) {
        const char *end;
        double number = text_number(at + 1, &end);
        if (end == at + 1 || *end != ':' || (size_t)(at - message) >= room)
            continue;
        memcpy(file, message, (size_t)(at - message));
        file[at - message] = 0;
        *line = (int)number;
        return true;
    }
    return false;
}

static void add_source(Text *out, const FileBytes *file, int line) {
    const char *at = (const char *)file->bytes, *end = at + file->size;
    for (int number = 1; at < end && number <= line + LINES_AROUND; number++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop ? stop : end;
        if (number >= line - LINES_AROUND) {
            text_format(out, "%s%s%4d  ", out->count ? "\n" : "", number == line ? ">" : " ", number);
            text_add_n(out, at, MIN((size_t)(stop - at), 160));
        }
        at = stop + 1;
    }
}

/* The lines around the place that the message names, if one of the script's files is the one. */
static char *source_of(const UsedFiles *files, const char *message) {
    char name[512];
    int line;
    if (!read_place(message, name, sizeof name, &line))
        return host_text("");
    const char *shown = text_starts(name, "...") ? name + 3 : name;    /* Lua cuts long names at their start */
    Text out = { 0 };
    for (size_t i = 0; i < files->count && !out.count; i++) {
        size_t length = strlen(files->at[i].path), tail = strlen(shown);
        FileBytes file;
        if (length < tail || strcmp(files->at[i].path + length - tail, shown) != 0 ||
            !file_read_disk(files->at[i].path, &file, NULL))
            continue;
        add_source(&out, &file, line);
        file_free(&file);
    }
    char *text = host_text(text_of(&out));
    text_free(&out);
    return text;
}

static void trouble_free(Trouble *trouble) {
    mem_free(trouble->message);
    mem_free(trouble->trace);
    mem_free(trouble->source);
}

static void remove_at(Scripts *scripts, size_t at) {
    trouble_free(&scripts->troubles.at[at]);
    memmove(scripts->troubles.at + at, scripts->troubles.at + at + 1,
            (scripts->troubles.count - at - 1) * sizeof *scripts->troubles.at);
    scripts->troubles.count--;
}

bool trouble_note(Scripts *scripts, Script *script, bool loading) {
    const char *message = text_of(&scripts->message);
    for (size_t i = 0; i < scripts->troubles.count; i++) {
        Trouble *old = &scripts->troubles.at[i];
        if (old->script == script && old->loading == loading && strcmp(old->message, message) == 0) {
            old->count++;
            return false;
        }
    }
    /* Of a file that does not load only the newest error is of interest. */
    for (size_t i = scripts->troubles.count; loading && i-- > 0;)
        if (scripts->troubles.at[i].script == script && scripts->troubles.at[i].loading)
            remove_at(scripts, i);
    if (scripts->troubles.count == TROUBLES_MOST)
        remove_at(scripts, 0);
    *array_push(&scripts->troubles) = (Trouble){
        .script = script,
        .message = host_text(message),
        .trace = host_text(text_of(&scripts->trace)),
        .source = source_of(&script->tried, message),
        .count = 1,
        .loading = loading,
    };
    return true;
}

void trouble_report(Scripts *scripts, Script *script, bool loading) {
    if (trouble_note(scripts, script, loading))
        log_error(scripts->engine->log, "%s", text_of(&scripts->message));
}

void troubles_forget(Scripts *scripts, const Script *script) {
    for (size_t i = scripts->troubles.count; i-- > 0;)
        if (!script || scripts->troubles.at[i].script == script)
            remove_at(scripts, i);
}

void scripts_dismiss(Scripts *scripts) { troubles_forget(scripts, NULL); }

static void add_title(Text *out, const Trouble *trouble) {
    const Script *script = trouble->script;
    text_add(out, script->shown);
    if (trouble->loading)
        text_add(out, script->version ? " does not load; its last good version runs on" : " does not load");
    else
        text_add(out, " raised an error");
    if (trouble->count > 1)
        text_format(out, " (%d times)", trouble->count);
}

const char *scripts_error(const Scripts *scripts) {
    if (!scripts->troubles.count)
        return NULL;
    Text *out = (Text *)&scripts->shown;    /* a text that is made when it is asked for */
    out->count = 0;
    for (size_t i = 0; i < scripts->troubles.count; i++) {
        const Trouble *trouble = &scripts->troubles.at[i];
        text_add(out, i ? "\n\n" : "");
        add_title(out, trouble);
        text_format(out, "\n%s", trouble->message);
        if (trouble->source[0])
            text_format(out, "\n%s", trouble->source);
        if (trouble->trace[0])
            text_format(out, "\n%s", trouble->trace);
    }
    return text_of(out);
}

/* Drawing: a dark plate along the left, a red edge, lines of text. */

typedef struct Panel { Engine *engine; const Font *font; float x, y, bottom; } Panel;

static void panel_line(Panel *panel, const char *text, size_t length, Rgba color) {
    char line[256];
    size_t out = 0;
    for (size_t i = 0; i < length && out + 5 < sizeof line; i++) {    /* a tab is four blanks; other controls are left out */
        if (text[i] == '\t')
            for (int n = 0; n < 4; n++)
                line[out++] = ' ';
        else if ((unsigned char)text[i] >= ' ')
            line[out++] = text[i];
    }
    line[out] = 0;
    if (panel->y + panel->font->line <= panel->bottom)
        engine_text(panel->engine, panel->font, panel->x, panel->y, line, color, NULL);
    panel->y += panel->font->line;
}

static void panel_text(Panel *panel, const char *text, Rgba color) {
    while (*text) {
        size_t length = strcspn(text, "\n");
        panel_line(panel, text, length, color);
        text += length + (text[length] == '\n');
    }
}

static int line_count(const char *text) {
    int count = *text ? 1 : 0;
    for (; *text; text++)
        count += *text == '\n';
    return count;
}

void panel_draw(Scripts *scripts) {
    if (!scripts->troubles.count)
        return;
    Engine *engine = scripts->engine;
    Frame *frame = &engine->frame;
    const Font *font = engine_font(engine, "", 15, NULL);
    if (!font)
        return;
    int lines = 0;
    for (size_t i = 0; i < scripts->troubles.count; i++) {
        const Trouble *t = &scripts->troubles.at[i];
        lines += 2 + line_count(t->message) + line_count(t->source) + line_count(t->trace);
    }
    float margin = 12, width = (float)frame->view.width - 2 * margin;
    float height = MIN((float)lines * font->line + margin, (float)frame->view.height - 2 * margin);
    if (width < 50 || height < 20)
        return;
    const Rgba plate = { 24, 10, 12, 225 }, edge = { 230, 60, 60, 255 }, title = { 255, 150, 140, 255 };
    const Rgba words = { 255, 235, 230, 255 }, faint = { 200, 180, 178, 255 }, source = { 250, 220, 150, 255 };
    frame_ui_quad(frame, margin, margin, width, height, NULL, TEXTURE_WHITE, plate, NULL);
    frame_ui_quad(frame, margin, margin, 3, height, NULL, TEXTURE_WHITE, edge, NULL);
    Panel panel = { engine, font, margin + 12, margin + 6, margin + height };
    for (size_t i = 0; i < scripts->troubles.count; i++) {
        const Trouble *trouble = &scripts->troubles.at[i];
        Text heading = { 0 };
        add_title(&heading, trouble);
        panel_text(&panel, text_of(&heading), title);
        text_free(&heading);
        panel_text(&panel, trouble->message, words);
        panel_text(&panel, trouble->source, source);
        panel_text(&panel, trouble->trace, faint);
        panel.y += font->line;
    }
}
