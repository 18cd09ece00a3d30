/* base/text.c -- text without surprises: no locale, no fixed buffers, no case. */
#include "base/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"

static void text_reserve(Text *text, size_t more) {
    array_grow((void **)&text->at, &text->room, text->count + more + 1, 1);
}

void text_add_n(Text *text, const char *more, size_t length) {
    text_reserve(text, length);
    if (length)
        memcpy(text->at + text->count, more, length);
    text->count += length;
    text->at[text->count] = 0;
}

void text_add(Text *text, const char *more) { text_add_n(text, more, strlen(more)); }

void text_add_char(Text *text, char c) { text_add_n(text, &c, 1); }

void text_format(Text *text, const char *format, ...) {
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (length > 0) {
        text_reserve(text, (size_t)length);
        vsnprintf(text->at + text->count, (size_t)length + 1, format, again);
        text->count += (size_t)length;
    }
    va_end(again);
}

const char *text_of(const Text *text) { return text->at ? text->at : ""; }

void text_free(Text *text) {
    mem_free(text->at);
    *text = (Text){ 0 };
}

/* How many bytes the UTF-8 character at `s` has, or 0 when it is none (overlong, surrogate, cut). */
static size_t utf8_length(const unsigned char *s, size_t left) {
    if (s[0] < 0x80)
        return 1;
    size_t length = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
    if (s[0] < 0xc2 || s[0] > 0xf4 || left < length)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) || (s[0] == 0xf0 && s[1] < 0x90) ||
        (s[0] == 0xf4 && s[1] > 0x8f))
        return 0;
    return length;
}

bool text_valid_utf8(const char *text, size_t length) {
    for (size_t i = 0; i < length;) {
        size_t step = utf8_length((const unsigned char *)text + i, length - i);
        if (!step)
            return false;
        i += step;
    }
    return true;
}

void text_add_json(Text *text, const char *string, size_t length) {
    bool utf8 = text_valid_utf8(string, length);
    text_add_char(text, '"');
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)string[i];
        if (c == '"' || c == '\\')
            text_format(text, "\\%c", c);
        else if (c == '\n')
            text_add(text, "\\n");
        else if (c < 0x20 || c == 0x7f)
            text_format(text, "\\u%04x", c);
        else if (c >= 0x80 && !utf8)
            text_add_n(text, (char[]){ (char)(0xc0 | c >> 6), (char)(0x80 | (c & 0x3f)) }, 2);
        else
            text_add_char(text, (char)c);
    }
    text_add_char(text, '"');
}

void text_add_number(Text *text, double number) {
    if (!isfinite(number)) {
        text_add(text, "null");    /* JSON has no word for it */
        return;
    }
    if (number == floor(number) && fabs(number) < 1e15) {
        text_format(text, "%.0f", number == 0 ? 0.0 : number);
        return;
    }
    char digits[40];
    for (int precision = 6; precision <= 17; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, number);
        if (text_number(digits, NULL) == number)
            break;
    }
    text_add(text, digits);
}

char text_lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c; }

int text_compare_fold(const char *a, const char *b) {
    while (*a && text_lower(*a) == text_lower(*b)) {
        a++;
        b++;
    }
    return (unsigned char)text_lower(*a) - (unsigned char)text_lower(*b);
}

bool text_same(const char *a, const char *b) { return text_compare_fold(a, b) == 0; }

bool text_starts(const char *text, const char *start) { return strncmp(text, start, strlen(start)) == 0; }

bool text_starts_fold(const char *text, const char *start) {
    for (; *start; text++, start++)
        if (text_lower(*text) != text_lower(*start))
            return false;
    return true;
}

bool text_ends_fold(const char *text, const char *end) {
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && text_same(text + length - tail, end);
}

static const uint64_t fnv_start = 0xcbf29ce484222325u, fnv_prime = 0x100000001b3u;

uint64_t text_hash_fold(const char *text) {
    uint64_t hash = fnv_start;
    for (; *text; text++)
        hash = (hash ^ (unsigned char)text_lower(*text)) * fnv_prime;
    return hash;
}

uint64_t bytes_hash(const void *bytes, size_t count) {
    const unsigned char *at = bytes;
    uint64_t hash = fnv_start;
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ at[i]) * fnv_prime;
    return hash;
}

void text_copy(char *out, size_t room, const char *text) {
    if (!room)
        return;
    size_t length = strnlen(text, room - 1);
    memcpy(out, text, length);
    out[length] = 0;
}

int text_distance(const char *a, const char *b) {
    enum { MOST = 64 };    /* names to suggest are short; longer ones are compared by their starts */
    int rows[3][MOST + 1];
    int n = (int)strnlen(a, MOST), m = (int)strnlen(b, MOST);
    int *before = rows[0], *last = rows[1], *now = rows[2];
    for (int j = 0; j <= m; j++)
        last[j] = before[j] = j;
    for (int i = 1; i <= n; i++) {
        now[0] = i;
        for (int j = 1; j <= m; j++) {
            bool same = text_lower(a[i - 1]) == text_lower(b[j - 1]);
            int best = last[j - 1] + !same;
            best = best < last[j] + 1 ? best : last[j] + 1;
            best = best < now[j - 1] + 1 ? best : now[j - 1] + 1;
            bool swapped = i > 1 && j > 1 && text_lower(a[i - 1]) == text_lower(b[j - 2]) &&
                           text_lower(a[i - 2]) == text_lower(b[j - 1]);
            if (swapped && before[j - 2] + 1 < best)
                best = before[j - 2] + 1;
            now[j] = best;
        }
        int *oldest = before;
        before = last;
        last = now;
        now = oldest;
    }
    return last[m];
}

static bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* strtod minds the locale's decimal point, so the number's own characters are copied out and handed to it only when the
 * program runs in the "C" locale, which it does: nothing here ever calls setlocale. What needs care is what strtod
 * accepts beyond Quake's numbers: hexadecimal, "inf" and "nan" read as 0 here, as sscanf's users never meant them. */
double text_number(const char *text, const char **end) {
    const char *start = text;
    while (is_blank(*start))
        start++;
    const char *digits = start + (*start == '-' || *start == '+');
    bool number = is_digit(*digits) || (*digits == '.' && is_digit(digits[1]));
    bool hexadecimal = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
    if (!number || hexadecimal) {
        if (end)
            *end = hexadecimal ? digits + 1 : text;
        return 0;
    }
    char *stop;
    double value = strtod(start, &stop);
    if (end)
        *end = stop;
    return value;
}

bool text_whole_number(const char *text, double *out) {
    const char *end;
    *out = text_number(text, &end);
    if (end == text)
        return false;
    while (is_blank(*end))
        end++;
    return *end == 0;
}

int text_vector(const char *text, float *out, int count) {
    for (int i = 0; i < count; i++)
        out[i] = 0;
    for (int i = 0; i < count; i++) {
        const char *end;
        double value = text_number(text, &end);
        if (end == text)
            return i;
        out[i] = (float)value;
        text = end;
    }
    return count;
}
