/* engine/console.c -- splitting lines into commands, and finding what each word means.
 *
 * Commands and bindings are kept with their owners: a script's hides the program's of the same name while the script is
 * there, and when it goes the program's is back. */
#include "engine/console.h"

#include <stdarg.h>
#include <stdio.h>

#include "engine/console_internal.h"

enum { DEEPEST = 16 };    /* commands that run commands: `exec` of a file that names itself ends here */

static char *heap_text(const char *text) {
    size_t size = strlen(text) + 1;
    return memcpy(mem_alloc(size), text, size);
}

Console *console_open(Vars *vars) {
    Console *console = mem_zeroed(1, sizeof *console);
    console->vars = vars;
    console_lines_open(console);
    console_base_commands(console);
    return console;
}

static void command_free(ConsoleCommand *command) {
    mem_free((char *)command->name);
    mem_free((char *)command->help);
}

static void binding_free(Binding *binding) {
    mem_free(binding->key);
    mem_free(binding->text);
}

void console_close(Console *console) {
    if (!console)
        return;
    for (size_t i = 0; i < console->commands.count; i++)
        command_free(&console->commands.at[i]);
    for (size_t i = 0; i < console->bindings.count; i++)
        binding_free(&console->bindings.at[i]);
    for (size_t i = 0; i < console->held.count; i++)
        binding_free(&console->held.at[i]);
    for (size_t i = 0; i < console->history.count; i++)
        mem_free(console->history.at[i]);
    array_free(&console->commands);
    array_free(&console->bindings);
    array_free(&console->held);
    array_free(&console->history);
    console_lines_close(console);
    mem_free(console);
}

/* Commands. In order of name; of equal names the one that counts stands last. */

static size_t command_end(const Console *console, const char *name) {
    size_t low = 0, high = console->commands.count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (text_compare_fold(console->commands.at[middle].name, name) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const ConsoleCommand *console_find(const Console *console, const char *name) {
    size_t end = command_end(console, name);
    bool found = end > 0 && text_same(console->commands.at[end - 1].name, name);
    return found ? &console->commands.at[end - 1] : NULL;
}

static void command_remove(Console *console, size_t at) {
    command_free(&console->commands.at[at]);
    memmove(console->commands.at + at, console->commands.at + at + 1,
            (console->commands.count - at - 1) * sizeof *console->commands.at);
    console->commands.count--;
}

void console_command(Console *console, ConsoleCommand command) {
    size_t end = command_end(console, command.name);
    for (size_t i = end; i-- > 0 && text_same(console->commands.at[i].name, command.name);)
        if (console->commands.at[i].owner == command.owner) {
            command_remove(console, i);
            end--;
            break;
        }
    command.name = heap_text(command.name);
    command.help = heap_text(command.help ? command.help : "");
    (void)array_push(&console->commands);
    memmove(console->commands.at + end + 1, console->commands.at + end,
            (console->commands.count - 1 - end) * sizeof *console->commands.at);
    console->commands.at[end] = command;
}

static bool hidden(const Console *console, size_t at) {
    return at + 1 < console->commands.count &&
           text_same(console->commands.at[at].name, console->commands.at[at + 1].name);
}

const ConsoleCommand *console_command_at(const Console *console, int index) {
    for (size_t i = 0; i < console->commands.count; i++)
        if (!hidden(console, i) && index-- == 0)
            return &console->commands.at[i];
    return NULL;
}

void console_drop(Console *console, const void *owner) {
    for (size_t i = console->commands.count; i-- > 0;)
        if (console->commands.at[i].owner == owner)
            command_remove(console, i);
    size_t kept = 0;
    for (size_t i = 0; i < console->bindings.count; i++)
        if (console->bindings.at[i].owner == owner)
            binding_free(&console->bindings.at[i]);
        else
            console->bindings.at[kept++] = console->bindings.at[i];
    console->bindings.count = kept;
}

/* Lines. */

typedef struct Words { Arena *arena; const char **at; int count, room; } Words;

static void words_add(Words *words, const char *start, size_t length) {
    if (words->count == words->room) {
        int room = words->room ? words->room * 2 : 8;
        const char **grown = arena_array(words->arena, const char *, room);
        if (words->count)
            memcpy(grown, words->at, (size_t)words->count * sizeof *grown);
        words->at = grown;
        words->room = room;
    }
    words->at[words->count++] = arena_text_n(words->arena, start, length);
}

static bool blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
static bool line_end(char c) { return c == 0 || c == '\n' || c == ';'; }

/* Reads the words of one command; returns where the next one begins. */
static const char *read_command(const char *at, Words *words) {
    for (;;) {
        while (blank(*at))
            at++;
        if (at[0] == '/' && at[1] == '/') {
            at += strcspn(at, "\n");
            continue;
        }
        if (line_end(*at))
            return at + (*at != 0);
        const char *start = at;
        if (*at == '"') {
            start = ++at;
            at += strcspn(at, "\"");
            words_add(words, start, (size_t)(at - start));
            at += *at == '"';
        } else {
            while (!blank(*at) && !line_end(*at))
                at++;
            words_add(words, start, (size_t)(at - start));
        }
    }
}

static const char *nearest_command(const Console *console, const char *name) {
    const char *best = NULL;
    int least = (int)strlen(name) < 4 ? 2 : 4;    /* short words are near to everything */
    for (size_t i = 0; i < console->commands.count; i++) {
        int distance = text_distance(console->commands.at[i].name, name);
        if (distance < least) {
            least = distance;
            best = console->commands.at[i].name;
        }
    }
    return best;
}

static bool unknown_word(const Console *console, const char *word, Error *error) {
    const char *command = nearest_command(console, word);
    const Var *var = vars_nearest(console->vars, word);
    if (command && var)
        return fail(error, "unknown command \"%s\" (did you mean %s or %s?)", word, command, var->name);
    if (command || var)
        return fail(error, "unknown command \"%s\" (did you mean %s?)", word, command ? command : var->name);
    return fail(error, "unknown command \"%s\" (cmdlist and varlist name what there is)", word);
}

static void print_var(Console *console, const Var *var) {
    console_printf(console, "%s is \"%s\" (default \"%s\")", var->name, var->text, var->initial ? var->initial : "");
    if (*var->help)
        console_printf(console, "  %s", var->help);
}

void console_set(Console *console, const char *name, const char *value) {
    Error error;
    if (!var_set(console->vars, name, value, &error))
        console_print(console, LOG_ERROR, error.text);
}

static bool run_words(Console *console, const Words *words, Error *error) {
    const char *name = words->at[0];
    if ((name[0] == '\\' || name[0] == '/') && name[1])
        name++;
    const ConsoleCommand *command = console_find(console, name);
    if (command) {
        words->at[0] = name;
        command->run(command->user, words->count, words->at);
        return true;
    }
    const Var *var = var_find(console->vars, name);
    if (!var)
        return unknown_word(console, name, error);
    if (words->count == 1)
        print_var(console, var);
    else
        console_set(console, name, words->at[1]);
    return true;
}

bool console_run(Console *console, const char *text, Error *error) {
    if (console->depth >= DEEPEST)
        return fail(error, "commands that run commands go deeper than %d: does a file run itself?", DEEPEST);
    console->depth++;
    Arena *arena = arena_open();
    bool known = true;
    Error first;
    while (*text) {
        Words words = { .arena = arena };
        text = read_command(text, &words);
        Error *into = known ? &first : NULL;    /* the first refusal is the one that explains the others */
        if (words.count && !run_words(console, &words, into))
            known = false;
    }
    arena_close(arena);
    console->depth--;
    return known || fail(error, "%s", first.text);
}

/* Keys. The latest binding of a key counts; an empty one hides what an earlier owner bound. */

static Binding *binding_of(const Console *console, const char *key) {
    for (size_t i = console->bindings.count; i-- > 0;)
        if (text_same(console->bindings.at[i].key, key))
            return &console->bindings.at[i];
    return NULL;
}

void console_bind(Console *console, const char *key, const char *text, const void *owner) {
    bool empty = !text || !*text;
    size_t kept = 0;
    for (size_t i = 0; i < console->bindings.count; i++) {
        Binding binding = console->bindings.at[i];
        bool replaced = text_same(binding.key, key) && (binding.owner == owner || (!owner && empty));
        if (replaced)
            binding_free(&binding);
        else
            console->bindings.at[kept++] = binding;
    }
    console->bindings.count = kept;
    if (empty && (!owner || !binding_of(console, key)))
        return;
    Binding *added = array_push(&console->bindings);
    *added = (Binding){ heap_text(key), heap_text(empty ? "" : text), owner };
}

const char *console_binding(const Console *console, const char *key) {
    const Binding *binding = binding_of(console, key);
    return binding && *binding->text ? binding->text : NULL;
}

/* "-name" for each "+name" of what was run when the key went down. */
static void release(Console *console, const char *text) {
    Arena *arena = arena_open();
    while (*text) {
        Words words = { .arena = arena };
        text = read_command(text, &words);
        if (!words.count || words.at[0][0] != '+')
            continue;
        const char *line = arena_format(arena, "-%s", words.at[0] + 1);
        Error error;
        if (!console_run(console, line, &error))
            console_print(console, LOG_ERROR, error.text);
    }
    arena_close(arena);
}

static bool release_held(Console *console, const char *key) {
    for (size_t i = 0; i < console->held.count; i++) {
        if (!text_same(console->held.at[i].key, key))
            continue;
        Binding held = console->held.at[i];
        console->held.at[i] = console->held.at[--console->held.count];
        release(console, held.text);
        binding_free(&held);
        return true;
    }
    return false;
}

bool console_key(Console *console, const char *key, bool down) {
    if (!down)
        return release_held(console, key);
    const char *bound = console_binding(console, key);
    if (!bound)
        return false;
    release_held(console, key);    /* a key whose coming up was never seen */
    char *text = heap_text(bound);    /* what runs may bind the key anew */
    *array_push(&console->held) = (Binding){ heap_text(key), text, NULL };
    text = heap_text(bound);
    Error error;
    if (!console_run(console, text, &error))
        console_print(console, LOG_ERROR, error.text);
    mem_free(text);
    return true;
}

void console_keys_up(Console *console) {
    while (console->held.count) {
        Binding held = console->held.at[--console->held.count];
        release(console, held.text);
        binding_free(&held);
    }
}

/* History. */

void console_history_add(Console *console, const char *text) {
    enum { MOST = 500 };
    size_t count = console->history.count;
    if (!*text || (count && strcmp(console->history.at[count - 1], text) == 0))
        return;
    if (count == MOST) {
        mem_free(console->history.at[0]);
        memmove(console->history.at, console->history.at + 1, (MOST - 1) * sizeof *console->history.at);
        console->history.count--;
    }
    *array_push(&console->history) = heap_text(text);
}

const char *console_history(const Console *console, int from_newest) {
    size_t count = console->history.count;
    return from_newest >= 0 && (size_t)from_newest < count ? console->history.at[count - 1 - (size_t)from_newest] : NULL;
}

void console_help_hook(Console *console, ConsoleHelp *help, void *user) {
    console->help = help;
    console->help_user = user;
}
