/* base/error.h -- what the world refused, in words.
 *
 * A function that the world can refuse takes an `Error *` last and returns false (or NULL) with it filled: which thing,
 * what was found, what was expected. The pointer may be NULL where nobody wants the words. */
#ifndef LEAFWALK_ERROR_H
#define LEAFWALK_ERROR_H

#include <stdbool.h>

typedef struct Error { char text[1024]; } Error;    /* UTF-8 or Latin-1 as the file had it, always ends in NUL */

/* Fills `error` and returns false, so that a refusal is one line: `return fail(error, "%s: ...", name);` */
bool fail(Error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Puts words before those already there ("maps/foo.bsp: " before "lump nodes ..."); returns false as well. */
bool fail_within(Error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
