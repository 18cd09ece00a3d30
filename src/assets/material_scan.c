/* assets/material_scan.c -- words, quotes and comments of .shader text.
 *
 * As the engine's own tokenizer (ioq3 COM_ParseExt): a word ends at a blank, comments are seen only where a word could
 * begin. Otherwise than there, a quote ends with its line, and a brace that is glued to a word is a word of its own. */
#include "assets/material_internal.h"

static bool blank(char c) { return (unsigned char)c <= ' '; }
static bool brace(char c) { return c == '{' || c == '}'; }

static void skip_blanks(Scanner *s) {
    while (s->at < s->end) {
        if (blank(*s->at)) {
            s->line += *s->at++ == '\n';
            continue;
        }
        size_t left = (size_t)(s->end - s->at);
        if (left >= 2 && s->at[0] == '/' && s->at[1] == '/') {
            while (s->at < s->end && *s->at != '\n')
                s->at++;
        } else if (left >= 2 && s->at[0] == '/' && s->at[1] == '*') {
            s->at += 2;
            while (s->at < s->end && !(s->at[0] == '*' && s->end - s->at >= 2 && s->at[1] == '/'))
                s->line += *s->at++ == '\n';
            s->at = s->end - s->at >= 2 ? s->at + 2 : s->end;
        } else {
            return;
        }
    }
}

static Token scan_quoted(Scanner *s) {
    const char *start = ++s->at;
    while (s->at < s->end && *s->at != '"' && *s->at != '\n')
        s->at++;
    Token token = { start, (size_t)(s->at - start), s->line, true };
    if (s->at < s->end && *s->at == '"') {
        s->at++;
    } else {
        s->open_quote = s->line;
        while (token.length && blank(token.text[token.length - 1]))
            token.length--;
    }
    return token;
}

static Token scan_word(Scanner *s) {
    const char *start = s->at;
    while (s->at < s->end && !blank(*s->at))
        s->at++;
    size_t length = (size_t)(s->at - start);
    if (length == 1)
        return (Token){ start, length, s->line, false };
    size_t kept = length;
    if (brace(start[0])) {
        kept = 1;
    } else {
        while (kept && brace(start[kept - 1]))
            kept--;
    }
    if (kept != length) {
        s->at = start + kept;
        s->glued = s->line;
    }
    return (Token){ start, kept, s->line, false };
}

static Token scan(Scanner *s) {
    skip_blanks(s);
    if (s->at >= s->end)
        return (Token){ NULL, 0, s->line, false };
    return *s->at == '"' ? scan_quoted(s) : scan_word(s);
}

void scanner_open(Scanner *s, const char *text, size_t length) {
    *s = (Scanner){ .at = text, .end = text + length, .line = 1 };
    if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
        s->at += 3;    /* an editor's mark of UTF-8 */
    s->next = scan(s);
}

Token scanner_take(Scanner *s) {
    Token taken = s->next;
    s->next = scan(s);
    return taken;
}

bool token_is(Token token, const char *word) {
    if (!token.text || strlen(word) != token.length || (token.quoted && brace(word[0])))
        return false;
    for (size_t i = 0; i < token.length; i++)
        if (text_lower(token.text[i]) != text_lower(word[i]))
            return false;
    return true;
}
