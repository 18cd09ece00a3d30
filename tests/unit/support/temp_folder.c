/* support/temp_folder.c -- made below TMPDIR or /tmp. */
#include "support/temp_folder.h"

#include <assert.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

TempFolder *temp_folder_open(void) {
    TempFolder *folder = mem_zeroed(1, sizeof *folder);
    const char *base = getenv("TMPDIR");
    snprintf(folder->path, sizeof folder->path, "%s/leafwalk-test-XXXXXX", base && *base ? base : "/tmp");
    if (!mkdtemp(folder->path)) {
        fprintf(stderr, "%s: cannot be made\n", folder->path);
        abort();
    }
    return folder;
}

static void remove_tree(const char *path) {
    DIR *open = opendir(path);
    for (struct dirent *found; open && (found = readdir(open));) {
        if (strcmp(found->d_name, ".") == 0 || strcmp(found->d_name, "..") == 0)
            continue;
        char inside[1024];
        struct stat status;
        snprintf(inside, sizeof inside, "%s/%s", path, found->d_name);
        if (lstat(inside, &status) == 0 && S_ISDIR(status.st_mode))
            remove_tree(inside);
        else
            unlink(inside);
    }
    if (open)
        closedir(open);
    rmdir(path);
}

void temp_folder_close(TempFolder *folder) {
    remove_tree(folder->path);
    for (int i = 0; i < COUNT_OF(folder->joined); i++)
        mem_free(folder->joined[i]);
    mem_free(folder);
}

int temp_folder_setup(void **state) {
    *state = temp_folder_open();
    return 0;
}

int temp_folder_teardown(void **state) {
    temp_folder_close(*state);
    return 0;
}

const char *temp_path(TempFolder *folder, const char *name) {
    Text path = { 0 };
    text_format(&path, "%s/%s", folder->path, name);
    char **kept = &folder->joined[folder->next++ % COUNT_OF(folder->joined)];
    mem_free(*kept);
    return *kept = path.at;
}

void temp_write(TempFolder *folder, const char *name, const void *bytes, size_t size) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder->path, name);
    for (char *slash = strchr(path + strlen(folder->path) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        mkdir(path, 0777);
        *slash = '/';
    }
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, size, file) != size) {
        fprintf(stderr, "%s: cannot be written\n", path);
        abort();
    }
    fclose(file);
}

void temp_text(TempFolder *folder, const char *name, const char *text) { temp_write(folder, name, text, strlen(text)); }
