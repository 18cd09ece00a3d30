/* support/json.h -- reads JSON, for tests that compare with facts or with what the program printed. */
#ifndef LEAFWALK_TESTS_JSON_H
#define LEAFWALK_TESTS_JSON_H

#include "base/base.h"

typedef enum JsonKind { JSON_NULL, JSON_FLAG, JSON_NUMBER, JSON_TEXT, JSON_LIST, JSON_TABLE } JsonKind;

typedef struct Json {
    JsonKind kind;
    double number;              /* a flag is 0 or 1 */
    const char *text;
    const char **keys;          /* of a table, as many as items */
    struct Json *items;
    int count;
} Json;

const Json *json_parse(Arena *arena, const char *text, size_t length);      /* NULL: no JSON */
const Json *json_get(const Json *table, const char *key);                   /* NULL: no such key, or no table */
double      json_number(const Json *table, const char *key);                /* 0 where there is none */

#endif
