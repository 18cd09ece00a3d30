/* files/name.c -- what counts as a name on the search path. */
#include "files/files_internal.h"

#include <stdio.h>

static bool part_is(const char *part, size_t length, const char *word) {
    return strlen(word) == length && memcmp(part, word, length) == 0;
}

/* Names come from archives, materials, levels and scripts, so from strangers: what is left after this stays below the
 * root that it is asked of, and prints on one line. */
bool file_name_clean(const char *name, char *out, size_t room) {
    size_t used = 0;
    const char *at = name;
    while (*at) {
        size_t length = strcspn(at, "/\\");
        const char *next = at + length + (at[length] != 0);
        if (length == 0 || part_is(at, length, ".")) {
            at = next;
            continue;
        }
        if (part_is(at, length, ".."))
            return false;
        for (size_t i = 0; i < length; i++)
            if ((unsigned char)at[i] < 0x20 || at[i] == 0x7f)
                return false;
        if (memchr(at, ':', length))
            return false;
        if (used + (used > 0) + length >= room)
            return false;
        if (used)
            out[used++] = '/';
        memcpy(out + used, at, length);
        used += length;
        at = next;
    }
    if (!room)
        return false;
    out[used] = 0;
    return used > 0;
}

bool path_join(char *out, size_t room, const char *folder, const char *name) {
    size_t length = strlen(folder);
    const char *slash = length == 0 || folder[length - 1] == '/' ? "" : "/";
    int written = snprintf(out, room, "%s%s%s", folder, slash, name);
    return written >= 0 && (size_t)written < room;
}
