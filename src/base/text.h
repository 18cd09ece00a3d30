/* base/text.h -- text: growing buffers, comparing without case, numbers without a locale. */
#ifndef LEAFWALK_TEXT_H
#define LEAFWALK_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A text that grows. `at` always ends in NUL once something was added. Free with text_free. */
typedef struct Text { char *at; size_t count, room; } Text;

void text_add(Text *text, const char *more);
void text_add_n(Text *text, const char *more, size_t length);
void text_add_char(Text *text, char c);
void text_format(Text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_add_json(Text *text, const char *string, size_t length);    /* quoted; bytes that are not UTF-8 as Latin-1 */
void text_add_number(Text *text, double number);                      /* shortest form that reads back the same; JSON-safe */
const char *text_of(const Text *text);                                /* never NULL */
void text_free(Text *text);

/* ASCII letters only: names in levels and archives are ASCII, other bytes must match exactly. */
char text_lower(char c);
bool text_same(const char *a, const char *b);                         /* without case */
bool text_starts(const char *text, const char *start);                /* with case */
bool text_starts_fold(const char *text, const char *start);           /* without case */
bool text_ends_fold(const char *text, const char *end);
int  text_compare_fold(const char *a, const char *b);
uint64_t text_hash_fold(const char *text);                            /* equal for names that are text_same */
uint64_t bytes_hash(const void *bytes, size_t count);                 /* FNV-1a, 64 bits */

void text_copy(char *out, size_t room, const char *text);             /* cut to room - 1 bytes, always ends in NUL */
int  text_distance(const char *a, const char *b);                     /* edits (insert, delete, change, swap) between them, without case */
bool text_valid_utf8(const char *text, size_t length);

/* Numbers as atof and strtod read them, but with '.' in every locale. `end` (may be NULL) gets what follows. */
double text_number(const char *text, const char **end);
bool   text_whole_number(const char *text, double *out);              /* the whole text, blanks around it, is one number */
int    text_vector(const char *text, float *out, int count);          /* reads up to `count` numbers; returns how many; the rest are 0 */

#endif
