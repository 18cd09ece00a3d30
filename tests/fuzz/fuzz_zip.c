/* fuzz_zip.c -- any bytes as an archive: opened and every entry read, or refused. */
#include "files/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* An archive is a file for libzip, so each input goes through one, of this process alone. */
static const char *path_of(char *out, size_t room) {
    const char *base = getenv("TMPDIR");
    snprintf(out, room, "%s/leafwalk-fuzz-%d.pk3", base && *base ? base : "/tmp", (int)getpid());
    return out;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char path[1024];
    Error why;
    if (!file_write_disk(path_of(path, sizeof path), data, size, &why))
        return 0;
    Files *files = files_open(NULL);
    Arena *arena = arena_open();
    const char **names;
    int count = files_add(files, path, &why) ? files_list(files, "", "", arena, &names) : 0;
    for (int i = 0; i < count && i < 64; i++) {
        FileBytes file;
        if (!files_exists(files, names[i]))
            abort();
        files_read(files, names[i], &file, &why);
        file_free(&file);
    }
    arena_close(arena);
    files_close(files);
    unlink(path);
    return 0;
}
