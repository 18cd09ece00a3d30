/* bsp/bsp_entities.c -- the entity text of a level: tokens as the game reads them, pairs in order, duplicates kept.
 *
 * Tokens: blanks and comments separate; a quoted string runs to the next quote, has no escapes and may hold anything; a
 * word runs to the next blank. A brace is a brace only where it begins a token outside quotes. */
#include "bsp/bsp.h"

#include <math.h>

enum { LONG_TOKEN = 1023 };    /* where the game's own parser would cut */

typedef struct Reader {
    char *at, *end;         /* a copy of the text: tokens are ended in place */
    int line;
    const Log *log;
} Reader;

typedef enum TokenKind { TOKEN_END, TOKEN_OPEN, TOKEN_CLOSE, TOKEN_WORD, TOKEN_CUT } TokenKind;
typedef struct Token { TokenKind kind; char *text; int line; } Token;

static bool is_blank(char c) { return (unsigned char)c <= 32; }

static void skip_blanks(Reader *in) {
    while (in->at < in->end) {
        if (is_blank(*in->at)) {
            in->line += *in->at == '\n';
            in->at++;
        } else if (in->at[0] == '/' && in->at[1] == '/') {
            while (in->at < in->end && *in->at != '\n')
                in->at++;
        } else if (in->at[0] == '/' && in->at[1] == '*') {
            in->at += 2;
            while (in->at < in->end && !(in->at[0] == '*' && in->at[1] == '/')) {
                in->line += *in->at == '\n';
                in->at++;
            }
            in->at = in->at < in->end ? in->at + 2 : in->end;
        } else {
            return;
        }
    }
}

static Token quoted_token(Reader *in) {
    Token token = { TOKEN_WORD, in->at + 1, in->line };
    char *close = memchr(token.text, '"', (size_t)(in->end - token.text));
    if (!close) {
        in->at = in->end;
        token.kind = TOKEN_CUT;
        return token;
    }
    for (char *c = token.text; c < close; c++)
        in->line += *c == '\n';
    *close = 0;
    in->at = close + 1;
    return token;
}

static Token next_token(Reader *in) {
    skip_blanks(in);
    Token token = { TOKEN_END, in->at, in->line };
    if (in->at >= in->end)
        return token;
    if (*in->at == '"')
        return quoted_token(in);
    if (*in->at == '{' || *in->at == '}') {
        token.kind = *in->at == '{' ? TOKEN_OPEN : TOKEN_CLOSE;
        in->at++;
        return token;
    }
    token.kind = TOKEN_WORD;
    while (in->at < in->end && !is_blank(*in->at))
        in->at++;
    if (in->at < in->end) {
        in->line += *in->at == '\n';
        *in->at++ = 0;
    }
    return token;
}

static void warn_if_long(const Reader *in, Token token, const char *what) {
    size_t length = strlen(token.text);
    if (length > LONG_TOKEN)
        log_warn(in->log, "line %d: a %s of %zu bytes; the game would cut it at %d", token.line, what, length, LONG_TOKEN);
}

typedef struct Pairs { BspPair *at; size_t count, room; } Pairs;
typedef enum Parsed { PARSED_ENTITY, PARSED_CUT, PARSED_WRONG } Parsed;

/* From behind the opening brace to the closing one. */
static Parsed parse_entity(Reader *in, int opened, Pairs *pairs, Error *error) {
    for (;;) {
        Token key = next_token(in);
        if (key.kind == TOKEN_CLOSE)
            return PARSED_ENTITY;
        if (key.kind == TOKEN_OPEN) {
            fail(error, "line %d: a { inside the entity that line %d opened", key.line, opened);
            return PARSED_WRONG;
        }
        Token value = key.kind == TOKEN_WORD ? next_token(in) : key;
        if (value.kind == TOKEN_END || value.kind == TOKEN_CUT) {
            log_warn(in->log, "line %d: the text ends inside %s; the entity that line %d opened is left out", value.line,
                     value.kind == TOKEN_CUT ? "a quoted string that is never closed" : "an entity", opened);
            return PARSED_CUT;
        }
        if (value.kind != TOKEN_WORD) {
            fail(error, "line %d: a brace where the value of \"%.60s\" is due", value.line, key.text);
            return PARSED_WRONG;
        }
        warn_if_long(in, key, "key");
        warn_if_long(in, value, "value");
        BspPair *pair = array_push(pairs);
        pair->key = key.text;
        pair->value = value.text;
    }
}

static bool parse_all(Reader *in, Pairs *pairs, int **ends, size_t *count, Error *error) {
    ARRAY(int) found = { 0 };
    bool good = true;
    for (;;) {
        Token token = next_token(in);
        if (token.kind == TOKEN_END)
            break;
        if (token.kind == TOKEN_CUT) {
            log_warn(in->log, "line %d: the text ends inside a quoted string that is never closed", token.line);
            break;
        }
        if (token.kind != TOKEN_OPEN) {
            if (token.kind == TOKEN_CLOSE)
                good = fail(error, "line %d: a } without its {", token.line);
            else
                good = fail(error, "line %d: found \"%.60s\" when expecting {", token.line, token.text);
            break;
        }
        size_t before = pairs->count;
        Parsed parsed = parse_entity(in, token.line, pairs, error);
        good = parsed != PARSED_WRONG;
        if (parsed != PARSED_ENTITY) {
            pairs->count = before;
            break;
        }
        *array_push(&found) = (int)pairs->count;
    }
    *ends = found.at;
    *count = found.count;
    return good;
}

BspEntity *bsp_entities_parse(Arena *arena, const char *text, size_t length, int *count, const Log *log, Error *error) {
    length = strnlen(text, length);    /* a NUL ends the text, as it does for the game */
    if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
        text += 3;
        length -= 3;
    }
    char *copy = arena_text_n(arena, text, length);
    Reader in = { copy, copy + length, 1, log };
    Pairs pairs = { 0 };
    int *ends = NULL;
    size_t found = 0;
    BspEntity *entities = NULL;
    if (parse_all(&in, &pairs, &ends, &found, error)) {
        BspPair *kept = array_keep(&pairs, arena);
        entities = arena_array(arena, BspEntity, found + 1);    /* never NULL, also of an empty text */
        for (size_t i = 0; i < found; i++) {
            int first = i ? ends[i - 1] : 0;
            entities[i] = (BspEntity){ kept + first, ends[i] - first };
        }
        *count = (int)found;
    }
    mem_free(ends);
    array_free(&pairs);
    return entities;
}

bool bsp_use_entities(Map *map, Arena *arena, const char *text, size_t length, const Log *log, Error *error) {
    int count;
    length = strnlen(text, length);
    const char *copy = arena_text_n(arena, text, length);
    BspEntity *entities = bsp_entities_parse(arena, copy, length, &count, log, error);
    if (!entities)
        return false;
    map->entity_text = copy;
    map->entity_length = length;
    map->entities = entities;
    map->entity_count = count;
    map->lumps[LUMP_ENTITIES].count = count;
    return true;
}

const char *bsp_entity_value(const BspEntity *entity, const char *key) {
    for (int i = entity->count - 1; i >= 0; i--)
        if (text_same(entity->pairs[i].key, key))
            return entity->pairs[i].value;
    return NULL;
}

const char *bsp_entity_first(const BspEntity *entity, const char *key) {
    for (int i = 0; i < entity->count; i++)
        if (text_same(entity->pairs[i].key, key))
            return entity->pairs[i].value;
    return NULL;
}

const char *bsp_entity_class(const BspEntity *entity) {
    const char *class_name = bsp_entity_value(entity, "classname");
    return class_name ? class_name : "";
}

/* What a float can hold: "1e999" is infinite, and nobody's place. */
static float or_zero(float x) { return isfinite(x) ? x : 0; }

bool bsp_entity_vector(const BspEntity *entity, const char *key, Vec3 *out) {
    const char *value = bsp_entity_value(entity, key);
    *out = vec3_at(0, 0, 0);
    if (!value)
        return false;
    text_vector(value, out->raw, 3);
    for (int i = 0; i < 3; i++)
        out->raw[i] = or_zero(out->raw[i]);
    return true;
}

bool bsp_entity_angles(const BspEntity *entity, Vec3 *out) {
    *out = vec3_at(0, 0, 0);
    for (int i = entity->count - 1; i >= 0; i--) {
        const BspPair *pair = &entity->pairs[i];
        if (text_same(pair->key, "angles"))
            return bsp_entity_vector(entity, "angles", out);
        if (text_same(pair->key, "angle")) {
            out->y = (float)bsp_entity_number(entity, "angle", 0);
            return true;
        }
    }
    return false;
}

double bsp_entity_number(const BspEntity *entity, const char *key, double other) {
    const char *value = bsp_entity_value(entity, key);
    if (!value)
        return other;
    double number = text_number(value, NULL);
    return isfinite(number) ? number : other;
}

int bsp_entity_model(const Map *map, const BspEntity *entity) {
    const char *value = bsp_entity_value(entity, "model");
    if (!value || value[0] != '*' || value[1] < '0' || value[1] > '9')
        return -1;
    double number = text_number(value + 1, NULL);
    return number >= 0 && number < map->model_count ? (int)number : -1;
}

/* Where players stand, best first. */
static const char *const starts[] = {
    "info_player_start", "info_player_deathmatch", "team_CTF_redplayer", "team_CTF_blueplayer", "team_CTF_redspawn",
    "team_CTF_bluespawn",
};

void bsp_start_eye(const Map *map, Vec3 *origin, Vec3 *angles) {
    *angles = vec3_at(0, 0, 0);
    for (int s = 0; s < COUNT_OF(starts); s++)
        for (int i = 0; i < map->entity_count; i++) {
            const BspEntity *entity = &map->entities[i];
            if (strcmp(bsp_entity_class(entity), starts[s]) != 0 || !bsp_entity_vector(entity, "origin", origin))
                continue;
            origin->z += 26;    /* the height of a standing player's eye over his origin */
            bsp_entity_angles(entity, angles);
            return;
        }
    *origin = box_middle(map->bounds);
}
