/* assets/image_find.c -- which file a name means. Levels say "foo.tga" and mean foo.jpg as often as not. */
#include "assets/image.h"

static const char *const endings[] = { ".tga", ".jpg", ".jpeg", ".png" };

/* Endings of other programs' pictures: not read, but known not to be part of the name. */
static const char *const foreign[] = { ".bmp", ".pcx", ".dds", ".gif", ".webp", ".crn", ".ktx", ".wal" };

static bool ends_with_one(const char *name, const char *const *list, int count) {
    for (int i = 0; i < count; i++)
        if (text_ends_fold(name, list[i]))
            return true;
    return false;
}

bool image_find(const Files *files, const char *name, int skip, char out[FILE_NAME_ROOM]) {
    char base[FILE_NAME_ROOM], asked[FILE_NAME_ROOM];
    if (!file_name_clean(name, asked, sizeof asked - 8))    /* room for an ending */
        return false;
    text_copy(base, sizeof base, asked);
    bool known = ends_with_one(asked, endings, COUNT_OF(endings));
    if (known || ends_with_one(asked, foreign, COUNT_OF(foreign)))
        *strrchr(base, '.') = 0;
    if (known && files_exists(files, asked) && skip-- == 0) {
        text_copy(out, FILE_NAME_ROOM, asked);
        return true;
    }
    for (int i = 0; i < COUNT_OF(endings); i++) {
        text_copy(out, FILE_NAME_ROOM, base);
        strcat(out, endings[i]);
        if (!text_same(out, asked) && files_exists(files, out) && skip-- == 0)
            return true;
    }
    return false;
}

bool image_load(Files *files, const char *name, Image *out, char found[FILE_NAME_ROOM], Error *error) {
    char file[FILE_NAME_ROOM];
    *out = (Image){ 0 };
    bool any = false;
    for (int skip = 0; image_find(files, name, skip, file); skip++) {
        FileBytes bytes;
        Error *why = any ? NULL : error;    /* the first one's fault is the one to tell */
        any = true;
        if (!files_read(files, file, &bytes, why))
            continue;
        bool done = image_decode(bytes.bytes, bytes.size, file, out, why);
        file_free(&bytes);
        if (done && found)
            text_copy(found, FILE_NAME_ROOM, file);
        if (done)
            return true;
    }
    return any ? false : fail(error, "%.200s: no image of this name (.tga, .jpg, .jpeg, .png)", name);
}
