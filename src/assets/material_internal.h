/* assets/material_internal.h -- how the parser and the set of materials speak with one another. */
#ifndef LEAFWALK_MATERIAL_INTERNAL_H
#define LEAFWALK_MATERIAL_INTERNAL_H

#include "assets/material_def.h"

/* A word of a script. Scripts are lines: parameters stand on their directive's line. */
typedef struct Token {
    const char *text;      /* NULL: the file's end */
    size_t length;
    int line;
    bool quoted;
} Token;

typedef struct Scanner {
    const char *at, *end;
    int line;
    Token next;
    int open_quote;        /* line of a quote that nothing closed; 0: none since it was last looked at */
    int glued;             /* line of a brace glued to a word, split off; 0: none */
} Scanner;

void scanner_open(Scanner *scanner, const char *text, size_t length);
Token scanner_take(Scanner *scanner);                     /* gives `next` and moves on */
bool token_is(Token token, const char *word);             /* without case; a quoted word is no brace */

/* What the parser tells the set. */
typedef struct MaterialParse {
    Arena *arena;
    const char *file;      /* lives as long as the arena */
    void *user;
    void (*define)(void *user, const MaterialDef *def);
    void (*problem)(void *user, int line, bool broken, const char *text);    /* broken: a block was lost or cut */
} MaterialParse;

void material_parse_text(const MaterialParse *parse, const char *text, size_t length);

/* A name as the set compares it: clean, lower case, at most 63 characters; false: no name at all. */
enum { MATERIAL_NAME_ROOM = 64 };
bool material_name(const char *name, char out[MATERIAL_NAME_ROOM], bool *cut);

#endif
