/* engine/console_lines.c -- the lines that were printed, from any thread, and Tab's completion of the one being typed. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "engine/console_internal.h"

enum { LINES_KEPT = 2000 };

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

void console_lines_open(Console *console) { lock_init(&console->lock); }

/* Drops the oldest lines so that `keep` remain. */
static void lines_trim(Line *lines, size_t *count, size_t keep) {
    if (*count <= keep)
        return;
    size_t gone = *count - keep;
    for (size_t i = 0; i < gone; i++)
        mem_free(lines[i].text);
    memmove(lines, lines + gone, keep * sizeof *lines);
    *count = keep;
}

void console_lines_close(Console *console) {
    console_clear(console);
    array_free(&console->fresh);
    array_free(&console->lines);
    lock_end(&console->lock);
}

static void print_one(Console *console, LogLevel level, const char *start, size_t length, double time) {
    char *copy = mem_alloc(length + 1);
    memcpy(copy, start, length);
    copy[length] = 0;
    if (console->echo && console->echo->write)
        console->echo->write(console->echo->user, level, copy);
    *array_push(&console->fresh) = (Line){ copy, level, time };
}

void console_print(Console *console, LogLevel level, const char *text) {
    double time = now();
    lock_write(&console->lock);
    for (;;) {
        size_t length = strcspn(text, "\n");
        print_one(console, level, text, length, time);
        text += length;
        if (!*text || !*++text)    /* a line end at the end begins no other line */
            break;
    }
    if (console->fresh.count >= 2 * LINES_KEPT)    /* nobody looks, as in a program without a window */
        lines_trim(console->fresh.at, &console->fresh.count, LINES_KEPT);
    lock_give(&console->lock);
}

void console_printf(Console *console, const char *format, ...) {
    char line[4096];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    console_print(console, LOG_INFO, line);
}

void console_echo(Console *console, const Log *log) { console->echo = log; }

int console_line_count(Console *console) {
    lock_write(&console->lock);
    if (console->fresh.count) {
        Line *room = array_push_n(&console->lines, console->fresh.count);
        (void)room;
        memcpy(console->lines.at + console->lines.count - console->fresh.count, console->fresh.at,
               console->fresh.count * sizeof *console->fresh.at);
        array_clear(&console->fresh);
        lines_trim(console->lines.at, &console->lines.count, LINES_KEPT);
    }
    lock_give(&console->lock);
    return (int)console->lines.count;
}

const char *console_line(Console *console, int from_newest, LogLevel *level, double *age_seconds) {
    size_t count = console->lines.count;
    if (from_newest < 0 || (size_t)from_newest >= count)
        return NULL;
    const Line *line = &console->lines.at[count - 1 - (size_t)from_newest];
    if (level)
        *level = line->level;
    if (age_seconds)
        *age_seconds = now() - line->printed;
    return line->text;
}

void console_clear(Console *console) {
    lock_write(&console->lock);
    lines_trim(console->fresh.at, &console->fresh.count, 0);
    lines_trim(console->lines.at, &console->lines.count, 0);
    lock_give(&console->lock);
}

static void log_write(void *user, LogLevel level, const char *text) { console_print(user, level, text); }

Log console_log(Console *console) { return (Log){ log_write, console }; }

/* Completion. */

static int by_name(const void *a, const void *b) { return text_compare_fold(*(const char *const *)a, *(const char *const *)b); }

static int choice_names(const Var *var, const char *start, Arena *arena, const char ***out) {
    if (!var || !var->choices)
        return 0;
    int room = 1, count = 0;
    for (const char *at = var->choices; *at; at++)
        room += *at == '|';
    const char **names = arena_array(arena, const char *, room);
    for (const char *at = var->choices; *at;) {
        size_t span = strcspn(at, "|");
        const char *name = arena_text_n(arena, at, span);
        if (text_starts_fold(name, start))
            names[count++] = name;
        at += span + (at[span] == '|');
    }
    *out = names;
    return count;
}

int console_names(Console *console, const char *start, Arena *arena, const char ***out) {
    int vars = vars_count(console->vars), count = 0;
    const char **names = arena_array(arena, const char *, console->commands.count + (size_t)vars + 1);
    const ConsoleCommand *command;
    for (int i = 0; (command = console_command_at(console, i)); i++)
        if (text_starts_fold(command->name, start))
            names[count++] = command->name;
    for (int i = 0; i < vars; i++) {
        const Var *var = vars_at(console->vars, i);
        if (text_starts_fold(var->name, start) && !console_find(console, var->name))
            names[count++] = var->name;
    }
    qsort(names, (size_t)count, sizeof *names, by_name);
    *out = names;
    return count;
}

/* Where the last command of a line begins: behind the last ';' outside quotes. */
static const char *last_command(const char *text) {
    const char *start = text;
    bool quoted = false;
    for (; *text; text++) {
        quoted ^= *text == '"';
        if (*text == ';' && !quoted)
            start = text + 1;
    }
    while (*start == ' ')
        start++;
    return start;
}

static void print_candidates(Console *console, const char *text, const char *const *names, int count) {
    console_printf(console, "]%s", text);
    for (int i = 0; i < count; i++) {
        const Var *var = var_find(console->vars, names[i]);
        if (var)
            console_printf(console, "    %s = \"%s\"", names[i], var->text);
        else
            console_printf(console, "    %s", names[i]);
    }
}

const char *console_complete(Console *console, const char *text, Arena *arena) {
    const char *command = last_command(text);
    const char *word = strrchr(command, ' ');
    word = word ? word + 1 : command;
    const char **names = NULL;
    int count = 0;
    if (word == command) {
        word += *word == '/' || *word == '\\';
        count = console_names(console, word, arena, &names);
    } else {
        size_t length = strcspn(command, " ");
        const char *name = arena_text_n(arena, command, length);
        name += *name == '/' || *name == '\\';
        const ConsoleCommand *found = console_find(console, name);
        if (found && found->complete)
            count = found->complete(found->user, word, arena, &names);
        else if (!found)
            count = choice_names(var_find(console->vars, name), word, arena, &names);
    }
    if (!count)
        return arena_text(arena, text);
    size_t common = strlen(names[0]);
    for (int i = 1; i < count; i++) {
        size_t same = 0;
        while (same < common && text_lower(names[i][same]) == text_lower(names[0][same]))
            same++;
        common = same;
    }
    if (count > 1)
        print_candidates(console, text, names, count);
    if (common < strlen(word))
        return arena_text(arena, text);
    return arena_format(arena, "%.*s%.*s%s", (int)(word - text), text, (int)common, names[0], count == 1 ? " " : "");
}
