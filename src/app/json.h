/* app/json.h -- JSON in and out.
 *
 *     Json json = { 0 };
 *     json_open(&json, NULL, '{');
 *     json_add_text(&json, "name", "spawn1");
 *     json_close(&json, '}');
 *     app_say(text_of(&json.text)); */
#ifndef LEAFWALK_JSON_H
#define LEAFWALK_JSON_H

#include "base/base.h"

typedef struct Json { Text text; int depth; bool within; } Json;    /* within: something stands before in this list */

/* `key` is NULL in lists and at the top. `bracket` is '{' or '['. */
void json_open(Json *json, const char *key, char bracket);
void json_close(Json *json, char bracket);
void json_add_text(Json *json, const char *key, const char *value);
void json_add_number(Json *json, const char *key, double value);

typedef enum JsonKind { JSON_NULL, JSON_FALSE, JSON_TRUE, JSON_NUMBER, JSON_TEXT, JSON_LIST, JSON_OBJECT } JsonKind;

typedef struct JsonValue {
    JsonKind kind;
    double number;
    const char *text;
    const char *key;                 /* its own, inside an object */
    const struct JsonValue *first, *next;    /* elements of a list or object; the next one of this value's */
} JsonValue;

/* One value and nothing behind it; NULL: error with the line. Everything lives in `arena`. */
const JsonValue *json_decode(Arena *arena, const char *text, size_t length, Error *error);
const JsonValue *json_member(const JsonValue *object, const char *key);    /* NULL: not there, or no object */

#endif
