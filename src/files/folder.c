/* files/folder.c -- a folder of the disk, asked without case.
 *
 * Each directory's listing is kept, and read again when the directory's time has changed: a question costs one stat per
 * part of its name, and a file that was just made is there. Times come in steps (a timer's tick), so a listing made
 * within the step in which its directory changed is not trusted a second time. */
#include "files/files_internal.h"

#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <time.h>

#include "base/lock.h"

enum {
    DEPTH_MOST = 32,                    /* a link that leads back to its own folder must end somewhere */
    TIME_STEP_NS = 100 * 1000 * 1000    /* coarser than the time of any Linux file system in use (4 ms) */
};

typedef struct Dir Dir;

typedef struct Child {
    char *name;
    bool folder;
    Dir *dir;             /* of a folder; NULL until somebody looks inside */
} Child;

struct Dir {
    FileStamp stamp;
    bool listed, young;
    ARRAY(Child) children;    /* sorted without case, then with */
};

struct Folder {
    char *path;
    Lock lock;
    Dir *top;
};

static void dir_clear(Dir *dir);

static void dir_close(Dir *dir) {
    if (!dir)
        return;
    dir_clear(dir);
    array_free(&dir->children);
    mem_free(dir);
}

static void dir_clear(Dir *dir) {
    for (size_t i = 0; i < dir->children.count; i++) {
        mem_free(dir->children.at[i].name);
        dir_close(dir->children.at[i].dir);
    }
    array_clear(&dir->children);
    dir->listed = false;
}

static int child_order(const void *a, const void *b) {
    const Child *x = a, *y = b;
    int order = text_compare_fold(x->name, y->name);
    return order ? order : strcmp(x->name, y->name);
}

static bool young(const struct stat *status) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    double age = difftime(now.tv_sec, status->st_mtim.tv_sec) * 1e9 + (double)(now.tv_nsec - status->st_mtim.tv_nsec);
    return age < TIME_STEP_NS;
}

static bool name_listed(const char *name) {
    char clean[FILE_NAME_ROOM];
    return file_name_clean(name, clean, sizeof clean) && strcmp(name, clean) == 0;
}

static bool child_is_folder(const char *dir_path, const struct dirent *found) {
    if (found->d_type != DT_UNKNOWN && found->d_type != DT_LNK)
        return found->d_type == DT_DIR;
    char path[PATH_MAX];
    return path_join(path, sizeof path, dir_path, found->d_name) && file_folder_disk(path);
}

/* Makes the listing true for this moment; false when there is no such directory. */
static bool dir_list(Dir *dir, const char *path) {
    struct stat status;
    if (stat(path, &status) != 0 || !S_ISDIR(status.st_mode)) {
        dir_clear(dir);
        return false;
    }
    FileStamp stamp = stamp_of(&status);
    if (dir->listed && !dir->young && stamp_same(&stamp, &dir->stamp))
        return true;
    dir_clear(dir);
    DIR *open = opendir(path);
    if (!open)
        return false;
    for (struct dirent *found; (found = readdir(open));) {
        if (!name_listed(found->d_name))
            continue;
        size_t length = strlen(found->d_name);
        char *name = mem_alloc(length + 1);
        memcpy(name, found->d_name, length + 1);
        *array_push(&dir->children) = (Child){ name, child_is_folder(path, found), NULL };
    }
    closedir(open);
    if (dir->children.count)
        qsort(dir->children.at, dir->children.count, sizeof(Child), child_order);
    dir->stamp = stamp;
    dir->listed = true;
    dir->young = young(&status);
    return true;
}

/* The child of that name and kind; among names that differ in case alone, the one spelled as asked. */
static Child *dir_child(Dir *dir, const char *name, size_t length, bool folder) {
    char part[FILE_NAME_ROOM];
    text_copy(part, length + 1 < sizeof part ? length + 1 : sizeof part, name);
    size_t low = 0, high = dir->children.count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (text_compare_fold(dir->children.at[middle].name, part) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    Child *best = NULL;
    for (; low < dir->children.count && text_same(dir->children.at[low].name, part); low++) {
        Child *child = &dir->children.at[low];
        if (child->folder == folder && (!best || strcmp(child->name, part) == 0))
            best = child;
    }
    return best;
}

static Dir *child_dir(Child *child) {
    if (!child->dir)
        child->dir = mem_zeroed(1, sizeof(Dir));
    return child->dir;
}

static bool path_add(char *path, size_t room, const char *part, size_t length) {
    size_t used = strlen(path);
    bool slash = used && path[used - 1] != '/';
    if (used + slash + length >= room)
        return false;
    if (slash)
        path[used++] = '/';
    memcpy(path + used, part, length);
    path[used + length] = 0;
    return true;
}

Folder *folder_open(const char *path) {
    Folder *folder = mem_zeroed(1, sizeof *folder);
    size_t length = strlen(path);
    folder->path = mem_alloc(length + 1);
    memcpy(folder->path, path, length + 1);
    folder->top = mem_zeroed(1, sizeof *folder->top);
    lock_init(&folder->lock);
    return folder;
}

void folder_close(Folder *folder) {
    if (!folder)
        return;
    dir_close(folder->top);
    lock_end(&folder->lock);
    mem_free(folder->path);
    mem_free(folder);
}

/* Walks down the directories of `name` as far as they exist, writing the disk's own spelling to `out`. Returns the rest
 * of the name that has no counterpart; its last part is the file. *dir is NULL when not even the top exists. */
static const char *walk(Folder *folder, const char *name, char *out, size_t room, Dir **dir) {
    *dir = folder->top;
    text_copy(out, room, folder->path);
    if (!dir_list(*dir, out)) {
        *dir = NULL;
        return name;
    }
    for (const char *slash; (slash = strchr(name, '/')); name = slash + 1) {
        Child *child = dir_child(*dir, name, (size_t)(slash - name), true);
        size_t used = strlen(out);
        if (!child || !path_add(out, room, child->name, strlen(child->name)))
            break;
        if (!dir_list(child_dir(child), out)) {
            out[used] = 0;
            break;
        }
        *dir = child->dir;
    }
    return name;
}

/* The file of that name, or NULL; `rest` is what of the name is not in `out` yet. Under the lock. */
static const Child *find(Folder *folder, const char *name, char *out, size_t room, const char **rest) {
    Dir *dir;
    *rest = walk(folder, name, out, room, &dir);
    return dir && !strchr(*rest, '/') ? dir_child(dir, *rest, strlen(*rest), false) : NULL;
}

bool folder_find(Folder *folder, const char *name, char *out, size_t room) {
    lock_write(&folder->lock);
    const char *rest;
    const Child *file = find(folder, name, out, room, &rest);
    bool found = file && path_add(out, room, file->name, strlen(file->name));
    lock_give(&folder->lock);
    return found;
}

bool folder_place(Folder *folder, const char *name, char *out, size_t room) {
    lock_write(&folder->lock);
    const char *rest;
    const Child *file = find(folder, name, out, room, &rest);
    const char *last = file ? file->name : rest;
    bool fits = path_add(out, room, last, strlen(last));
    lock_give(&folder->lock);
    return fits;
}

typedef struct Visit {
    FileVisit *visit;
    void *user;
    char path[PATH_MAX], name[FILE_NAME_ROOM];
} Visit;

static void visit_dir(Visit *v, Dir *dir, int depth) {
    if (depth > DEPTH_MOST || !dir_list(dir, v->path))
        return;
    size_t path_used = strlen(v->path), name_used = strlen(v->name);
    for (size_t i = 0; i < dir->children.count; i++) {
        Child *child = &dir->children.at[i];
        size_t length = strlen(child->name);
        if (path_add(v->path, sizeof v->path, child->name, length) &&
            path_add(v->name, sizeof v->name, child->name, length)) {
            if (child->folder)
                visit_dir(v, child_dir(child), depth + 1);
            else
                v->visit(v->user, v->name);
        }
        v->path[path_used] = v->name[name_used] = 0;
    }
}

void folder_each(Folder *folder, const char *below, FileVisit *visit, void *user) {
    Visit *v = mem_zeroed(1, sizeof *v);
    v->visit = visit;
    v->user = user;
    lock_write(&folder->lock);
    Dir *dir;
    char inside[FILE_NAME_ROOM + 2];
    text_copy(inside, sizeof inside - 1, below);
    if (*below)
        strcat(inside, "/");    /* walk takes what stands before a slash for a directory */
    const char *rest = walk(folder, inside, v->path, sizeof v->path, &dir);
    if (dir && !*rest) {
        text_copy(v->name, sizeof v->name, strlen(v->path) > strlen(folder->path) ? below : "");
        visit_dir(v, dir, 0);
    }
    lock_give(&folder->lock);
    mem_free(v);
}

/* As the engine compares its archives' names: letters as capitals, so that '_' stands behind them (ioq3 FS_PathCmp). */
static int pack_order(const void *a, const void *b) {
    const unsigned char *x = *(unsigned char *const *)a, *y = *(unsigned char *const *)b;
    for (;; x++, y++) {
        int c = *x >= 'a' && *x <= 'z' ? *x - 32 : *x, d = *y >= 'a' && *y <= 'z' ? *y - 32 : *y;
        if (c != d || !c)
            return c - d;
    }
}

void folder_names(const char *path, Names *out) {
    *out = (Names){ 0 };
    DIR *open = opendir(path);
    if (!open)
        return;
    for (struct dirent *found; (found = readdir(open));) {
        size_t length = strlen(found->d_name);
        char *name = mem_alloc(length + 1);
        memcpy(name, found->d_name, length + 1);
        *array_push(out) = name;
    }
    closedir(open);
    if (out->count)
        qsort(out->at, out->count, sizeof *out->at, pack_order);
}

void names_free(Names *names) {
    for (size_t i = 0; i < names->count; i++)
        mem_free(names->at[i]);
    array_free(names);
}
