/* script/lw_json.c -- lw.json: JSON as its standard has it, to tables and back.
 *
 * null is lw.json.null, a value of its own, so that lists keep their length. An empty table is written as a list unless
 * it came from `{}` or was marked with lw.json.object. Keys are written in order, so that the same table gives the same
 * text. A text that is not UTF-8 is written as if it were Latin-1. */
#include <math.h>

#include "script/host_internal.h"

enum { DEPTH_MOST = 200 };    /* of lists within lists; also what ends a table that holds itself */

/* Writing. The text is an object of Lua, freed whatever raises. */

static int text_collect(lua_State *L) {
    text_free(lua_touserdata(L, 1));
    return 0;
}

typedef struct Writer { lua_State *L; Text *out; int indent, depth; } Writer;

static void write_value(Writer *w, int at);

static void write_break(Writer *w, int depth) {
    if (w->indent < 0)
        return;
    text_add_char(w->out, '\n');
    for (int i = 0; i < depth * w->indent; i++)
        text_add_char(w->out, ' ');
}

static void write_number(Writer *w, int at) {
    if (lua_isinteger(w->L, at)) {
        text_format(w->out, "%lld", (long long)lua_tointeger(w->L, at));
        return;
    }
    double number = lua_tonumber(w->L, at);
    if (!isfinite(number))
        script_refuse(w->L, 1, "%s cannot be written as JSON", isnan(number) ? "not a number" : "an infinite number");
    text_add_number(w->out, number);
}

static bool marked_object(lua_State *L, int at) {
    if (!lua_getmetatable(L, at))
        return false;
    luaL_getmetatable(L, "lw.class.json_object");
    bool same = lua_rawequal(L, -1, -2);
    lua_pop(L, 2);
    return same;
}

/* How many items a list has; -1: it has other keys than 1 .. n. */
static lua_Integer list_length(lua_State *L, int at) {
    lua_Integer count = 0, highest = 0;
    lua_pushnil(L);
    while (lua_next(L, at)) {
        lua_pop(L, 1);
        if (!lua_isinteger(L, -1) || lua_tointeger(L, -1) < 1) {
            lua_pop(L, 1);
            return -1;
        }
        highest = MAX(highest, lua_tointeger(L, -1));
        count++;
    }
    if (count != highest)
        script_refuse(L, 1, "a list with holes (%lld items, the last is number %lld)", (long long)count, (long long)highest);
    return count;
}

static void write_list(Writer *w, int at, lua_Integer count) {
    text_add_char(w->out, '[');
    for (lua_Integer i = 1; i <= count; i++) {
        if (i > 1)
            text_add_char(w->out, ',');
        write_break(w, w->depth);
        lua_rawgeti(w->L, at, i);
        write_value(w, lua_gettop(w->L));
        lua_pop(w->L, 1);
    }
    if (count)
        write_break(w, w->depth - 1);
    text_add_char(w->out, ']');
}

/* The keys of a table, sorted, as a list on the top. */
static int push_sorted_keys(lua_State *L, int at) {
    lua_newtable(L);
    int keys = lua_gettop(L), count = 0;
    lua_pushnil(L);
    while (lua_next(L, at)) {
        lua_pop(L, 1);
        if (lua_type(L, -1) != LUA_TSTRING)
            script_refuse(L, 1, "a table whose keys are texts and %ss too", luaL_typename(L, -1));
        lua_pushvalue(L, -1);
        lua_rawseti(L, keys, ++count);
    }
    lua_rawgetp(L, LUA_REGISTRYINDEX, &script_modules);    /* the library's own table.sort */
    lua_pushvalue(L, keys);
    lua_call(L, 1, 0);
    return count;
}

static void write_object(Writer *w, int at) {
    lua_State *L = w->L;
    int count = push_sorted_keys(L, at), keys = lua_gettop(L);
    text_add_char(w->out, '{');
    for (int i = 1; i <= count; i++) {
        if (i > 1)
            text_add_char(w->out, ',');
        write_break(w, w->depth);
        lua_rawgeti(L, keys, i);
        size_t length;
        const char *key = lua_tolstring(L, -1, &length);
        text_add_json(w->out, key, length);
        text_add(w->out, w->indent < 0 ? ":" : ": ");
        lua_rawget(L, at);
        write_value(w, lua_gettop(L));
        lua_pop(L, 1);
    }
    if (count)
        write_break(w, w->depth - 1);
    text_add_char(w->out, '}');
    lua_pop(L, 1);
}

static void write_table(Writer *w, int at) {
    if (++w->depth > DEPTH_MOST)
        script_refuse(w->L, 1, "more than %d tables within one another, or one that holds itself", DEPTH_MOST);
    luaL_checkstack(w->L, 12, "a deep table");
    bool object = marked_object(w->L, at);
    lua_Integer count = object ? -1 : list_length(w->L, at);
    if (count >= 0)
        write_list(w, at, count);
    else
        write_object(w, at);
    w->depth--;
}

static void write_value(Writer *w, int at) {
    lua_State *L = w->L;
    size_t length;
    switch (lua_type(L, at)) {
        case LUA_TNIL:
            text_add(w->out, "null");
            return;
        case LUA_TBOOLEAN:
            text_add(w->out, lua_toboolean(L, at) ? "true" : "false");
            return;
        case LUA_TNUMBER:
            write_number(w, at);
            return;
        case LUA_TSTRING: {
            const char *text = lua_tolstring(L, at, &length);
            text_add_json(w->out, text, length);
            return;
        }
        case LUA_TTABLE:
            write_table(w, at);
            return;
        case LUA_TLIGHTUSERDATA:
            text_add(w->out, "null");    /* lw.json.null is the only one that scripts see */
            return;
        default:
            break;
    }
    if (lua_type(L, at) == LUA_TUSERDATA && is_vec3(L, at)) {
        text_add_char(w->out, '[');
        for (int i = 1; i <= 3; i++) {
            lua_geti(L, at, i);
            text_add(w->out, i > 1 ? "," : "");
            write_number(w, lua_gettop(L));
            lua_pop(L, 1);
        }
        text_add_char(w->out, ']');
        return;
    }
    script_refuse(L, 1, "a %s cannot be written as JSON", luaL_typename(L, at));
}

static int json_encode(lua_State *L) {
    luaL_checkany(L, 1);
    int indent = lua_isnoneornil(L, 2) ? -1 : check_count(L, 2, "indent", 0, 16);
    lua_settop(L, 2);
    Text *text = script_object(L, "text", sizeof *text);
    Writer writer = { L, text, indent, 0 };
    write_value(&writer, 1);
    lua_pushlstring(L, text_of(text), text->count);
    text_free(text);
    return 1;
}

/* Reading */

typedef struct Reader { lua_State *L; const char *start, *at, *end; int depth; Text *text; } Reader;

static int read_value(Reader *r);

static void blank(Reader *r) {
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\n' || *r->at == '\r'))
        r->at++;
}

/* Refusals of the text are no errors of the script: they come back as words. Pushes the message, returns 0. */
static int refuse(Reader *r, const char *what) {
    int line = 1;
    const char *begin = r->start;
    for (const char *c = r->start; c < r->at; c++) {
        if (*c == '\n') {
            line++;
            begin = c + 1;
        }
    }
    lua_pushfstring(r->L, "line %d, column %d: %s", line, (int)(r->at - begin) + 1, what);
    return 0;
}

static int read_word(Reader *r, const char *word) {
    size_t length = strlen(word);
    if ((size_t)(r->end - r->at) < length || memcmp(r->at, word, length) != 0)
        return refuse(r, "a value is expected here");
    r->at += length;
    return 1;
}

static bool is_digit(const Reader *r, const char *at) { return at < r->end && *at >= '0' && *at <= '9'; }

static int read_number(Reader *r) {
    const char *at = r->at;
    bool whole = true;
    at += *at == '-';
    if (!is_digit(r, at))
        return refuse(r, "a value is expected here");
    if (*at == '0' && is_digit(r, at + 1))
        return refuse(r, "a number begins with 0");
    while (is_digit(r, at))
        at++;
    if (at < r->end && *at == '.') {
        whole = false;
        if (!is_digit(r, ++at))
            return refuse(r, "digits are expected behind the point");
        while (is_digit(r, at))
            at++;
    }
    if (at < r->end && (*at == 'e' || *at == 'E')) {
        whole = false;
        at++;
        if (at < r->end && (*at == '+' || *at == '-'))
            at++;
        if (!is_digit(r, at))
            return refuse(r, "digits are expected in the exponent");
        while (is_digit(r, at))
            at++;
    }
    size_t length = (size_t)(at - r->at);
    r->text->count = 0;
    text_add_n(r->text, r->at, length);
    double number = text_number(text_of(r->text), NULL);
    if (!isfinite(number))
        return refuse(r, "a number too large for a double");
    /* Whole numbers become integers where Lua's hold them exactly. */
    if (whole && length <= 20) {
        uint64_t sum = 0;
        bool negative = *r->at == '-', over = false;
        for (const char *c = r->at + negative; c < at; c++)
            over = over || __builtin_mul_overflow(sum, 10u, &sum) || __builtin_add_overflow(sum, (uint64_t)(*c - '0'), &sum);
        if (!over && sum <= (uint64_t)INT64_MAX + negative) {
            lua_pushinteger(r->L, (lua_Integer)(negative ? 0 - sum : sum));
            r->at = at;
            return 1;
        }
    }
    lua_pushnumber(r->L, number);
    r->at = at;
    return 1;
}

static int hex4(const char *at, const char *end) {
    if (end - at < 4)
        return -1;
    int value = 0;
    for (int i = 0; i < 4; i++) {
        char c = text_lower(at[i]);
        int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
        if (digit < 0)
            return -1;
        value = value * 16 + digit;
    }
    return value;
}

static void add_utf8(Text *out, int code) {
    if (code < 0x80) {
        text_add_char(out, (char)code);
    } else if (code < 0x800) {
        text_add_char(out, (char)(0xc0 | code >> 6));
        text_add_char(out, (char)(0x80 | (code & 0x3f)));
    } else if (code < 0x10000) {
        text_add_char(out, (char)(0xe0 | code >> 12));
        text_add_char(out, (char)(0x80 | (code >> 6 & 0x3f)));
        text_add_char(out, (char)(0x80 | (code & 0x3f)));
    } else {
        text_add_char(out, (char)(0xf0 | code >> 18));
        text_add_char(out, (char)(0x80 | (code >> 12 & 0x3f)));
        text_add_char(out, (char)(0x80 | (code >> 6 & 0x3f)));
        text_add_char(out, (char)(0x80 | (code & 0x3f)));
    }
}

/* What follows a '\', r->at on its letter. */
static int read_escape(Reader *r) {
    static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    const char *found = r->at < r->end && *r->at ? strchr(letters, *r->at) : NULL;
    if (found) {
        text_add_char(r->text, meant[found - letters]);
        r->at++;
        return 1;
    }
    if (r->at >= r->end || *r->at != 'u')
        return refuse(r, "an unknown escape in a text");
    int code = hex4(r->at + 1, r->end);
    if (code < 0)
        return refuse(r, "four hexadecimal digits are expected behind \\u");
    r->at += 5;
    if (code >= 0xdc00 && code <= 0xdfff)
        return refuse(r, "the second half of a surrogate pair stands alone");
    if (code >= 0xd800 && code <= 0xdbff) {
        int low = r->end - r->at >= 6 && r->at[0] == '\\' && r->at[1] == 'u' ? hex4(r->at + 2, r->end) : -1;
        if (low < 0xdc00 || low > 0xdfff)
            return refuse(r, "the first half of a surrogate pair stands alone");
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        r->at += 6;
    }
    add_utf8(r->text, code);
    return 1;
}

static int read_text(Reader *r) {
    r->text->count = 0;
    r->at++;
    for (;;) {
        const char *plain = r->at;
        while (r->at < r->end && *r->at != '"' && *r->at != '\\' && (unsigned char)*r->at >= 0x20)
            r->at++;
        text_add_n(r->text, plain, (size_t)(r->at - plain));
        if (r->at >= r->end)
            return refuse(r, "a text without its closing quote");
        if ((unsigned char)*r->at < 0x20)
            return refuse(r, "a control character in a text");
        if (*r->at++ == '"')
            break;
        if (!read_escape(r))
            return 0;
    }
    lua_pushlstring(r->L, text_of(r->text), r->text->count);
    return 1;
}

static int read_list(Reader *r) {
    lua_newtable(r->L);
    r->at++;
    blank(r);
    if (r->at < r->end && *r->at == ']') {
        r->at++;
        return 1;
    }
    for (lua_Integer i = 1;; i++) {
        if (!read_value(r))
            return 0;
        lua_rawseti(r->L, -2, i);
        blank(r);
        if (r->at < r->end && *r->at == ']') {
            r->at++;
            return 1;
        }
        if (r->at >= r->end || *r->at != ',')
            return refuse(r, "',' or ']' is expected here");
        r->at++;
    }
}

static int read_object(Reader *r) {
    lua_newtable(r->L);
    r->at++;
    blank(r);
    if (r->at < r->end && *r->at == '}') {
        r->at++;
        luaL_setmetatable(r->L, "lw.class.json_object");
        return 1;
    }
    for (;;) {
        blank(r);
        if (r->at >= r->end || *r->at != '"')
            return refuse(r, "a key in quotes is expected here");
        if (!read_text(r))
            return 0;
        blank(r);
        if (r->at >= r->end || *r->at != ':')
            return refuse(r, "':' is expected here");
        r->at++;
        if (!read_value(r))
            return 0;
        lua_rawset(r->L, -3);
        blank(r);
        if (r->at < r->end && *r->at == '}') {
            r->at++;
            return 1;
        }
        if (r->at >= r->end || *r->at != ',')
            return refuse(r, "',' or '}' is expected here");
        r->at++;
    }
}

/* Pushes the value and returns 1, or a message and returns 0. */
static int read_value(Reader *r) {
    blank(r);
    if (r->at >= r->end)
        return refuse(r, "the text ends where a value is expected");
    if (++r->depth > DEPTH_MOST)
        return refuse(r, "too many lists within one another");
    luaL_checkstack(r->L, 8, "deep JSON");
    int good;
    switch (*r->at) {
        case '{': good = read_object(r); break;
        case '[': good = read_list(r); break;
        case '"': good = read_text(r); break;
        case 't': good = read_word(r, "true"); if (good) lua_pushboolean(r->L, true); break;
        case 'f': good = read_word(r, "false"); if (good) lua_pushboolean(r->L, false); break;
        case 'n': good = read_word(r, "null"); if (good) lua_pushlightuserdata(r->L, NULL); break;
        default: good = read_number(r);
    }
    r->depth--;
    return good;
}

/* Pushes the value, or why not; the scratch text is an object of Lua, freed whatever raises. */
static int decode(lua_State *L, const char *text, size_t length) {
    Text *scratch = script_object(L, "text", sizeof *scratch);
    int place = lua_gettop(L);
    Reader reader = { L, text, text, text + length, 0, scratch };
    int good = read_value(&reader);
    if (good) {
        blank(&reader);
        if (reader.at < reader.end)
            good = refuse(&reader, "something stands behind the value");
    }
    text_free(scratch);
    lua_replace(L, place);
    lua_settop(L, place);
    return good;
}

bool push_json(lua_State *L, const char *text, size_t length, Error *error) {
    if (decode(L, text, length))
        return true;
    fail(error, "%s", lua_tostring(L, -1));
    lua_pop(L, 1);
    return false;
}

static int json_decode(lua_State *L) {
    if (lua_type(L, 1) != LUA_TSTRING)
        script_refuse(L, 1, "a text expected, got %s", luaL_typename(L, 1));
    size_t length;
    const char *text = lua_tolstring(L, 1, &length);
    if (decode(L, text, length))
        return 1;
    lua_pushnil(L);
    lua_insert(L, -2);
    return 2;
}

static int json_object(lua_State *L) {
    if (!lua_istable(L, 1))
        script_refuse(L, 1, "a table expected, got %s", luaL_typename(L, 1));
    if (lua_getmetatable(L, 1))
        script_refuse(L, 1, "a table without a metatable expected");
    lua_settop(L, 1);
    luaL_setmetatable(L, "lw.class.json_object");
    return 1;
}

static int null_tostring(lua_State *L) {
    lua_pushliteral(L, "null");
    return 1;
}

static void json_open(lua_State *L) {
    static const luaL_Reg meta[] = { { "__gc", text_collect }, { NULL, NULL } };
    script_class(L, "text", NULL, meta);
    luaL_newmetatable(L, "lw.class.json_object");    /* a mark and nothing else: such tables act like any other */
    lua_pop(L, 1);
    lua_pushlightuserdata(L, NULL);
    lua_newtable(L);
    lua_pushcfunction(L, null_tostring);
    lua_setfield(L, -2, "__tostring");
    set_boolean(L, "__metatable", false);
    lua_setmetatable(L, -2);    /* of its whole type, of which scripts see no other value */
    lua_setfield(L, -2, "null");
    lua_getglobal(L, LUA_TABLIBNAME);
    lua_getfield(L, -1, "sort");
    lua_rawsetp(L, LUA_REGISTRYINDEX, &script_modules);
    lua_pop(L, 1);
}

static const ScriptFunction functions[] = {
    { "encode", json_encode, "(value: any, indent?: integer) -> string", "The JSON text of a value; with `indent`, in lines." },
    { "decode", json_decode, "(text: string) -> any, string?", "The value of a JSON text (null is lw.json.null); nil and where it is wrong when it is." },
    { "object", json_object, "(t: table) -> table", "Marks a table so that it is written as an object even when it is empty." },
    { NULL, NULL, NULL, NULL },
};

const ScriptModule lw_json_module = {
    .name = "json",
    .help = "JSON, read strictly and written with keys in order.",
    .functions = functions,
    .open = json_open,
};
