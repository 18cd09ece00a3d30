/* base/error.c -- filling an Error. */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool fail(Error *error, const char *format, ...) {
    if (!error)
        return false;
    va_list args;
    va_start(args, format);
    vsnprintf(error->text, sizeof error->text, format, args);
    va_end(args);
    return false;
}

bool fail_within(Error *error, const char *format, ...) {
    if (!error)
        return false;
    char old[sizeof error->text];
    memcpy(old, error->text, sizeof old);
    va_list args;
    va_start(args, format);
    int used = vsnprintf(error->text, sizeof error->text, format, args);
    va_end(args);
    if (used >= 0 && (size_t)used < sizeof error->text) {
        size_t room = sizeof error->text - (size_t)used;
        size_t length = strnlen(old, room - 1);
        memcpy(error->text + used, old, length);
        error->text[(size_t)used + length] = 0;
    }
    return false;
}
