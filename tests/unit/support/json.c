/* support/json.c -- a reader of JSON by plain descent. Escapes other than of a single byte are left as they stand. */
#include "support/json.h"

typedef struct Reader { Arena *arena; const char *at, *end; bool good; int depth; } Reader;

static void skip_blanks(Reader *in) {
    while (in->at < in->end && (*in->at == ' ' || (*in->at >= '\t' && *in->at <= '\r')))
        in->at++;
}

static bool take(Reader *in, char c) {
    skip_blanks(in);
    bool there = in->at < in->end && *in->at == c;
    in->at += there;
    return there;
}

static const char *read_text(Reader *in) {
    Text text = { 0 };
    in->good = in->good && take(in, '"');
    while (in->good && in->at < in->end && *in->at != '"') {
        if (*in->at == '\\' && in->at + 1 < in->end && in->at[1] != 'u') {
            char c = *++in->at;
            text_add_char(&text, c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c);
        } else {
            text_add_char(&text, *in->at);
        }
        in->at++;
    }
    in->good = in->good && take(in, '"');
    const char *copy = arena_text_n(in->arena, text_of(&text), text.count);
    text_free(&text);
    return copy;
}

static Json read_value(Reader *in);

static Json read_items(Reader *in, JsonKind kind, char close) {
    ARRAY(Json) items = { 0 };
    ARRAY(const char *) keys = { 0 };
    bool more = !take(in, close);
    while (in->good && more) {
        if (kind == JSON_TABLE) {
            *array_push(&keys) = read_text(in);
            in->good = in->good && take(in, ':');
        }
        Json item = read_value(in);
        *array_push(&items) = item;
        more = take(in, ',');
        in->good = in->good && (more || take(in, close));
    }
    Json json = { .kind = kind, .count = (int)items.count };
    json.items = arena_array(in->arena, Json, items.count + 1);
    json.keys = arena_array(in->arena, const char *, items.count + 1);
    if (items.count)
        memcpy(json.items, items.at, items.count * sizeof(Json));
    if (keys.count)
        memcpy(json.keys, keys.at, keys.count * sizeof(char *));
    array_free(&items);
    array_free(&keys);
    return json;
}

static bool take_word(Reader *in, const char *word) {
    size_t length = strlen(word);
    bool there = (size_t)(in->end - in->at) >= length && memcmp(in->at, word, length) == 0;
    in->at += there ? length : 0;
    return there;
}

static Json read_value(Reader *in) {
    Json json = { .kind = JSON_NULL };
    skip_blanks(in);
    in->good = in->good && in->at < in->end && in->depth < 100;
    if (!in->good)
        return json;
    in->depth++;
    if (*in->at == '"') {
        json.kind = JSON_TEXT;
        json.text = read_text(in);
    } else if (take(in, '{')) {
        json = read_items(in, JSON_TABLE, '}');
    } else if (take(in, '[')) {
        json = read_items(in, JSON_LIST, ']');
    } else if (take_word(in, "true") || take_word(in, "false")) {
        json.kind = JSON_FLAG;
        json.number = in->at[-2] == 'u';
    } else if (!take_word(in, "null")) {
        const char *end;
        json.kind = JSON_NUMBER;
        json.number = text_number(in->at, &end);
        in->good = end > in->at;
        in->at = end;
    }
    in->depth--;
    return json;
}

const Json *json_parse(Arena *arena, const char *text, size_t length) {
    const char *copy = arena_text_n(arena, text, length);    /* ends in NUL, for numbers at its end */
    Reader in = { arena, copy, copy + length, true, 0 };
    Json *json = arena_new(arena, Json);
    *json = read_value(&in);
    skip_blanks(&in);
    return in.good && in.at == in.end ? json : NULL;
}

const Json *json_get(const Json *table, const char *key) {
    for (int i = 0; table && table->kind == JSON_TABLE && i < table->count; i++)
        if (strcmp(table->keys[i], key) == 0)
            return &table->items[i];
    return NULL;
}

double json_number(const Json *table, const char *key) {
    const Json *value = json_get(table, key);
    return value ? value->number : 0;
}
