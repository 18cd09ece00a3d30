/* app/json.c -- writing with indents, reading with care. */
#include "app/json.h"

static void begin(Json *json, const char *key) {
    if (json->within)
        text_add_char(&json->text, ',');
    if (json->depth)
        text_format(&json->text, "\n%*s", 2 * json->depth, "");
    if (key) {
        text_add_json(&json->text, key, strlen(key));
        text_add(&json->text, ": ");
    }
    json->within = true;
}

void json_open(Json *json, const char *key, char bracket) {
    begin(json, key);
    text_add_char(&json->text, bracket);
    json->depth++;
    json->within = false;
}

void json_close(Json *json, char bracket) {
    json->depth--;
    if (json->within)
        text_format(&json->text, "\n%*s", 2 * json->depth, "");
    text_add_char(&json->text, bracket);
    json->within = true;
    if (!json->depth)
        text_add_char(&json->text, '\n');
}

void json_add_text(Json *json, const char *key, const char *value) {
    begin(json, key);
    text_add_json(&json->text, value, strlen(value));
}

void json_add_number(Json *json, const char *key, double value) {
    begin(json, key);
    text_add_number(&json->text, value);
}

/* Reading. */

enum { DEEPEST = 64 };

typedef struct Reader {
    Arena *arena;
    const char *start, *at, *end;    /* a NUL stands at `end` */
    int depth;
    Error *error;
} Reader;

static JsonValue *read_value(Reader *in);

static void *refuse(Reader *in, const char *what) {
    int line = 1;
    for (const char *c = in->start; c < in->at; c++)
        line += *c == '\n';
    fail(in->error, "line %d: %s", line, what);
    return NULL;
}

static void skip_blanks(Reader *in) {
    while (in->at < in->end && strchr(" \t\r\n", *in->at))
        in->at++;
}

static bool take(Reader *in, const char *word) {
    size_t length = strlen(word);
    bool there = (size_t)(in->end - in->at) >= length && strncmp(in->at, word, length) == 0;
    in->at += there ? length : 0;
    return there;
}

static void add_utf8(Text *text, unsigned code) {
    if (code < 0x80) {
        text_add_char(text, (char)code);
    } else if (code < 0x800) {
        text_add_n(text, (char[]){ (char)(0xc0 | code >> 6), (char)(0x80 | (code & 63)) }, 2);
    } else if (code < 0x10000) {
        text_add_n(text, (char[]){ (char)(0xe0 | code >> 12), (char)(0x80 | (code >> 6 & 63)), (char)(0x80 | (code & 63)) }, 3);
    } else {
        text_add_n(text, (char[]){ (char)(0xf0 | code >> 18), (char)(0x80 | (code >> 12 & 63)), (char)(0x80 | (code >> 6 & 63)),
                                   (char)(0x80 | (code & 63)) }, 4);
    }
}

static bool read_hex(Reader *in, unsigned *out) {
    *out = 0;
    for (int i = 0; i < 4; i++) {
        char c = in->at < in->end ? text_lower(*in->at++) : 0;
        if (!c || !strchr("0123456789abcdef", c))
            return false;
        *out = *out * 16 + (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10);
    }
    return true;
}

static bool read_escape(Reader *in, Text *text) {
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    char c = in->at < in->end ? *in->at++ : 0;
    const char *plain = c ? strchr(from, c) : NULL;
    if (plain) {
        text_add_char(text, to[plain - from]);
        return true;
    }
    unsigned code, low;
    if (c != 'u' || !read_hex(in, &code) || code == 0)
        return false;
    if (code >= 0xd800 && code < 0xdc00) {
        if (!take(in, "\\u") || !read_hex(in, &low) || low < 0xdc00 || low > 0xdfff)
            return false;
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    }
    add_utf8(text, code);
    return true;
}

static const char *read_text(Reader *in) {
    if (!take(in, "\""))
        return refuse(in, "a text in quotes was expected");
    Text text = { 0 };
    bool right = true;
    while (right && in->at < in->end && *in->at != '"') {
        char c = *in->at++;
        if (c == '\\')
            right = read_escape(in, &text);
        else
            text_add_char(&text, c);
    }
    const char *copy = arena_text(in->arena, text_of(&text));
    text_free(&text);
    if (!right)
        return refuse(in, "a wrong escape in a text");
    return take(in, "\"") ? copy : refuse(in, "a text without its end");
}

static JsonValue *read_members(Reader *in, JsonValue *value, const char *close) {
    const JsonValue **link = &value->first;
    skip_blanks(in);
    if (take(in, close))
        return value;
    do {
        const char *key = NULL;
        skip_blanks(in);
        if (value->kind == JSON_OBJECT) {
            if (!(key = read_text(in)))
                return NULL;
            skip_blanks(in);
            if (!take(in, ":"))
                return refuse(in, "a ':' was expected behind a key");
        }
        JsonValue *member = read_value(in);
        if (!member)
            return NULL;
        member->key = key;
        *link = member;
        link = &member->next;
        skip_blanks(in);
    } while (take(in, ","));
    return take(in, close) ? value : refuse(in, "a ',' or the closing bracket was expected");
}

static JsonValue *read_value(Reader *in) {
    JsonValue *value = arena_new(in->arena, JsonValue);
    skip_blanks(in);
    if (take(in, "{") || take(in, "[")) {
        bool object = in->at[-1] == '{';
        value->kind = object ? JSON_OBJECT : JSON_LIST;
        if (++in->depth > DEEPEST)
            return refuse(in, "brackets go too deep");
        value = read_members(in, value, object ? "}" : "]");
        in->depth--;
        return value;
    }
    if (in->at < in->end && *in->at == '"') {
        value->kind = JSON_TEXT;
        return (value->text = read_text(in)) ? value : NULL;
    }
    static const struct { const char *word; JsonKind kind; } words[] = {
        { "null", JSON_NULL }, { "true", JSON_TRUE }, { "false", JSON_FALSE },
    };
    for (int i = 0; i < COUNT_OF(words); i++)
        if (take(in, words[i].word)) {
            value->kind = words[i].kind;
            return value;
        }
    const char *behind;
    value->kind = JSON_NUMBER;
    value->number = text_number(in->at, &behind);
    if (behind == in->at)
        return refuse(in, in->at < in->end ? "a value was expected" : "ends where a value was expected");
    in->at = behind;
    return value;
}

const JsonValue *json_decode(Arena *arena, const char *text, size_t length, Error *error) {
    const char *copy = arena_text_n(arena, text, length);    /* with a NUL behind it, for text_number */
    Reader in = { .arena = arena, .start = copy, .at = copy, .end = copy + length, .error = error };
    const JsonValue *value = read_value(&in);
    if (!value)
        return NULL;
    skip_blanks(&in);
    return in.at == in.end ? value : refuse(&in, "something stands behind the value");
}

const JsonValue *json_member(const JsonValue *object, const char *key) {
    if (!object || object->kind != JSON_OBJECT)
        return NULL;
    for (const JsonValue *member = object->first; member; member = member->next)
        if (strcmp(member->key, key) == 0)
            return member;
    return NULL;
}
