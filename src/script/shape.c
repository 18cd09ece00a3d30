/* script/shape.c -- the shapes of binding rows, read strictly: a row whose shape is not what script_internal.h describes fails a
 * test instead of spoiling a stub. */
#include "script/shape_internal.h"

#include "script/script_internal.h"

typedef struct ShapeReader { const char *text, *at; Error *error; } ShapeReader;

static bool wrong(const ShapeReader *r, const char *what) {
    return fail(r->error, "shape \"%s\", at \"%.20s\": %s", r->text, r->at, what);
}

static void skip_blanks(ShapeReader *r) { r->at += strspn(r->at, " "); }

static bool take(ShapeReader *r, const char *word) {
    skip_blanks(r);
    if (!text_starts(r->at, word))
        return false;
    r->at += strlen(word);
    return true;
}

static bool need(ShapeReader *r, const char *word, const char *what) { return take(r, word) || wrong(r, what); }

static size_t word_length(const char *at) {
    return strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") * !(*at >= '0' && *at <= '9');
}

/* Classes are what methods are named after. */
static bool is_class(const char *word, size_t length) {
    if (length == 4 && strncmp(word, "view", 4) == 0)
        return true;
    for (int i = 0; script_modules[i]; i++)
        for (const ScriptFunction *row = script_modules[i]->methods; row && row->name; row++)
            if (strncmp(row->name, word, length) == 0 && row->name[length] == ':')
                return true;
    return false;
}

static bool is_type_name(const char *word, size_t length) {
    static const char *const known[] = {
        "nil", "boolean", "integer", "number", "string", "table", "function", "any", "vec3", "point", "color", "style",
    };
    for (int i = 0; i < COUNT_OF(known); i++)
        if (strlen(known[i]) == length && strncmp(known[i], word, length) == 0)
            return true;
    return is_class(word, length);
}

static bool read_type(ShapeReader *r);

/* name[?]: type, … up to `end`, of a record or of a function type. */
static bool read_fields(ShapeReader *r, const char *end) {
    if (take(r, end))
        return true;
    do {
        skip_blanks(r);
        size_t length = text_starts(r->at, "...") ? 3 : word_length(r->at);
        if (!length)
            return wrong(r, "a field's name is expected");
        r->at += length;
        take(r, "?");
        if (!need(r, ":", "':' and a type are expected") || !read_type(r))
            return false;
    } while (take(r, ","));
    return need(r, end, "',' or the end is expected");
}

static bool read_unit(ShapeReader *r) {
    skip_blanks(r);
    if (*r->at == '"') {
        const char *end = strchr(r->at + 1, '"');
        if (!end)
            return wrong(r, "a text without its end");
        r->at = end + 1;
        return true;
    }
    if (take(r, "{"))
        return read_fields(r, "}");
    if (take(r, "fun("))
        return read_fields(r, ")") && (!take(r, ":") || read_type(r));
    size_t length = word_length(r->at);
    if (!length || !is_type_name(r->at, length))
        return wrong(r, "no type that shapes know");
    r->at += length;
    return true;
}

static bool read_type(ShapeReader *r) {
    do {
        if (!read_unit(r))
            return false;
        while (take(r, "[]"))
            ;
        if (*r->at == '?')
            r->at++;
    } while (take(r, "|"));
    return true;
}

static bool keep_type(ShapeReader *r, ShapePart *part) {
    skip_blanks(r);
    const char *start = r->at;
    if (!read_type(r))
        return false;
    text_add_n(&part->type, start, (size_t)(r->at - start));
    return true;
}

static bool read_param(ShapeReader *r, ShapePart *part) {
    skip_blanks(r);
    size_t length = text_starts(r->at, "...") ? 3 : word_length(r->at);
    static const char *const reserved[] = { "end", "function", "local", "nil", "not", "or", "and", "repeat", "until", "in", "for" };
    if (!length)
        return wrong(r, "a parameter's name is expected");
    text_add_n(&part->name, r->at, length);
    for (int i = 0; i < COUNT_OF(reserved); i++)
        if (strcmp(text_of(&part->name), reserved[i]) == 0)
            return wrong(r, "a word of Lua cannot be a name");
    r->at += length;
    part->optional = take(r, "?");
    return need(r, ":", "':' and a type are expected") && keep_type(r, part);
}

/* "type" or "name: type". */
static bool read_result(ShapeReader *r, ShapePart *part) {
    skip_blanks(r);
    size_t length = word_length(r->at);
    if (length && r->at[length] == ':') {
        text_add_n(&part->name, r->at, length);
        r->at += length + 1;
    }
    return keep_type(r, part);
}

bool shape_read(const char *text, Shape *out, Error *error) {
    memset(out, 0, sizeof *out);
    if (!text)
        return fail(error, "no shape");
    ShapeReader r = { text, text, error };
    if (!need(&r, "(", "'(' is expected"))
        return false;
    if (!take(&r, ")")) {
        do {
            if (out->param_count == PARTS_MOST)
                return wrong(&r, "too many parameters");
            if (!read_param(&r, &out->params[out->param_count++]))
                return false;
        } while (take(&r, ","));
        if (!need(&r, ")", "',' or ')' is expected"))
            return false;
    }
    if (take(&r, "->")) {
        do {
            if (out->result_count == PARTS_MOST)
                return wrong(&r, "too many results");
            if (!read_result(&r, &out->results[out->result_count++]))
                return false;
        } while (take(&r, ","));
    }
    return !*r.at || wrong(&r, "the shape should end");
}

void shape_free(Shape *shape) {
    for (int i = 0; i < PARTS_MOST; i++) {
        text_free(&shape->params[i].name);
        text_free(&shape->params[i].type);
        text_free(&shape->results[i].name);
        text_free(&shape->results[i].type);
    }
}
