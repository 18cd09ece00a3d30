/* files/files.c -- the search path: roots asked from the last to the first. */
#include "files/files.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>

#include "base/lock.h"
#include "files/files_internal.h"

typedef struct Root {
    char *path;
    Archive *archive;        /* one of the two; a damaged archive that was open before has neither */
    Folder *folder;
} Root;

struct Files {
    const Log *log;
    Arena *arena;            /* roots' paths, which are lent out */
    ARRAY(Root) roots;
    Root writable;           /* the last of all; path NULL: none */
    Lock lock;               /* of the roots */
};

static void lock_shared(const Files *files) { lock_read((Lock *)&files->lock); }
static void unlock(const Files *files) { lock_give((Lock *)&files->lock); }

Files *files_open(const Log *log) {
    Files *files = mem_zeroed(1, sizeof *files);
    files->log = log;
    files->arena = arena_open();
    lock_init(&files->lock);
    return files;
}

static void root_close(Root *root) {
    archive_close(root->archive);
    folder_close(root->folder);
}

void files_close(Files *files) {
    if (!files)
        return;
    for (size_t i = 0; i < files->roots.count; i++)
        root_close(&files->roots.at[i]);
    root_close(&files->writable);
    array_free(&files->roots);
    lock_end(&files->lock);
    arena_close(files->arena);
    mem_free(files);
}

static bool add_archive(Files *files, const char *path, Error *error) {
    Archive *archive = archive_open(path, files->log, error);
    if (!archive)
        return false;
    *array_push(&files->roots) = (Root){ arena_text(files->arena, path), archive, NULL };
    return true;
}

static void add_folder(Files *files, const char *path) {
    *array_push(&files->roots) = (Root){ arena_text(files->arena, path), NULL, folder_open(path) };
}

/* The engine's order (facts: ioq3 FS_AddGameDirectory): packs by name, then the folder itself. */
static void add_packs_of(Files *files, const char *path) {
    Names names;
    folder_names(path, &names);
    for (size_t i = 0; i < names.count; i++) {
        char inside[PATH_MAX];
        bool pack = text_ends_fold(names.at[i], ".pk3"), dir = text_ends_fold(names.at[i], ".pk3dir");
        if ((!pack && !dir) || !path_join(inside, sizeof inside, path, names.at[i]))
            continue;
        Error why;
        if (file_folder_disk(inside))
            add_folder(files, inside);
        else if (pack && !add_archive(files, inside, &why))
            log_warn(files->log, "%s; left out", why.text);
    }
    names_free(&names);
}

bool files_add(Files *files, const char *path, Error *error) {
    struct stat status;
    if (stat(path, &status) != 0)
        return fail(error, "%s: cannot be put on the search path: %s", path, strerror(errno));
    lock_write(&files->lock);
    bool done = true;
    if (S_ISDIR(status.st_mode)) {
        add_packs_of(files, path);
        add_folder(files, path);
    } else {
        done = add_archive(files, path, error);
    }
    unlock(files);
    return done;
}

void files_set_writable(Files *files, const char *path) {
    lock_write(&files->lock);
    root_close(&files->writable);
    files->writable = path ? (Root){ arena_text(files->arena, path), NULL, folder_open(path) } : (Root){ 0 };
    unlock(files);
}

const char *files_writable(const Files *files) { return files->writable.path; }

bool files_refresh(Files *files) {
    bool changed = false;
    lock_write(&files->lock);
    for (size_t i = 0; i < files->roots.count; i++) {
        Root *root = &files->roots.at[i];
        if (root->folder || (root->archive && archive_current(root->archive)) ||
            (!root->archive && !file_exists_disk(root->path)))
            continue;
        Error why;
        archive_close(root->archive);
        root->archive = archive_open(root->path, files->log, &why);
        if (!root->archive)
            log_warn(files->log, "%s; left out until it changes", why.text);
        changed = true;
    }
    unlock(files);
    return changed;
}

int files_root_count(const Files *files) { return (int)files->roots.count + (files->writable.path != NULL); }

static const Root *root_at(const Files *files, int index) {
    return (size_t)index < files->roots.count ? &files->roots.at[index] : &files->writable;
}

const char *files_root(const Files *files, int index) { return root_at(files, index)->path; }

/* Where a name was found: an entry of an archive, or a path on the disk. */
typedef struct Found {
    const Root *root;
    int entry;
    char path[PATH_MAX];
} Found;

/* With the lock held. `clean` gets the name's safe form, which `out` and errors use. */
static bool find(const Files *files, const char *name, char clean[FILE_NAME_ROOM], Found *out) {
    if (!file_name_clean(name, clean, FILE_NAME_ROOM))
        return false;
    uint64_t hash = text_hash_fold(clean);
    for (int i = files_root_count(files) - 1; i >= 0; i--) {
        const Root *root = root_at(files, i);
        out->root = root;
        if (root->folder && folder_find(root->folder, clean, out->path, sizeof out->path))
            return true;
        if (root->archive && (out->entry = archive_find(root->archive, clean, hash)) >= 0)
            return true;
    }
    return false;
}

bool files_exists(const Files *files, const char *name) {
    char clean[FILE_NAME_ROOM];
    Found found;
    lock_shared(files);
    bool there = find(files, name, clean, &found);
    unlock(files);
    return there;
}

bool files_read(Files *files, const char *name, FileBytes *out, Error *error) {
    *out = (FileBytes){ 0 };
    char clean[FILE_NAME_ROOM];
    if (!file_name_clean(name, clean, sizeof clean))
        return fail(error, "%.200s: not a name that may be asked for (relative, with '/', without \"..\")", name);
    Found found;
    lock_shared(files);
    bool done;
    if (!find(files, name, clean, &found))
        done = fail(error, "%s: not on the search path (%d place%s)", clean, files_root_count(files),
                    files_root_count(files) == 1 ? "" : "s");
    else if (found.root->folder)
        done = file_read_disk(found.path, out, error);
    else
        done = archive_read(found.root->archive, found.entry, out, error);
    unlock(files);
    return done;
}

const char *files_origin(const Files *files, const char *name) {
    char clean[FILE_NAME_ROOM];
    Found found;
    lock_shared(files);
    const char *path = find(files, name, clean, &found) ? found.root->path : NULL;
    unlock(files);
    return path;
}

bool files_disk_path(const Files *files, const char *name, char *out, size_t room) {
    char clean[FILE_NAME_ROOM];
    Found found;
    lock_shared(files);
    bool there = find(files, name, clean, &found);
    if (there) {
        const char *path = found.root->folder ? found.path : found.root->path;
        there = strlen(path) < room;
        text_copy(out, room, path);
    }
    unlock(files);
    return there;
}

typedef struct Listing {
    const char *folder, *ending;
    size_t folder_length;
    Arena *arena;
    ARRAY(const char *) names;
    ARRAY(uint32_t) slots;       /* name + 1 by hash: which names are there already */
} Listing;

static void slots_grow(Listing *l) {
    size_t room = l->slots.count ? l->slots.count * 2 : 256;
    array_clear(&l->slots);
    memset(array_push_n(&l->slots, room), 0, room * sizeof *l->slots.at);
    for (size_t i = 0; i < l->names.count; i++) {
        size_t at = text_hash_fold(l->names.at[i]) & (room - 1);
        while (l->slots.at[at])
            at = (at + 1) & (room - 1);
        l->slots.at[at] = (uint32_t)i + 1;
    }
}

static void list_name(void *user, const char *name) {
    Listing *l = user;
    if (!text_starts_fold(name, l->folder) || (l->folder_length && name[l->folder_length] != '/') ||
        !text_ends_fold(name, l->ending))
        return;
    if (l->names.count * 2 >= l->slots.count)
        slots_grow(l);
    size_t at = text_hash_fold(name) & (l->slots.count - 1);
    for (; l->slots.at[at]; at = (at + 1) & (l->slots.count - 1))
        if (text_same(l->names.at[l->slots.at[at] - 1], name))
            return;
    *array_push(&l->names) = arena_text(l->arena, name);
    l->slots.at[at] = (uint32_t)l->names.count;
}

int files_list_ranked(const Files *files, const char *folder, const char *ending, Arena *arena, const char ***out) {
    char clean[FILE_NAME_ROOM];
    *out = arena_array(arena, const char *, 0);
    if (!file_name_clean(folder, clean, sizeof clean)) {
        if (folder[strspn(folder, "./\\")] || strstr(folder, ".."))    /* "", "." and "/" mean everything */
            return 0;
        clean[0] = 0;
    }
    Listing l = { .folder = clean, .ending = ending, .folder_length = strlen(clean), .arena = arena };
    lock_shared(files);
    for (int i = files_root_count(files) - 1; i >= 0; i--) {
        const Root *root = root_at(files, i);
        if (root->folder)
            folder_each(root->folder, clean, list_name, &l);
        else if (root->archive)
            archive_each(root->archive, list_name, &l);
    }
    unlock(files);
    int count = (int)l.names.count;
    *out = array_keep(&l.names, arena);
    array_free(&l.names);
    array_free(&l.slots);
    return count;
}

static int name_order(const void *a, const void *b) {
    return text_compare_fold(*(const char *const *)a, *(const char *const *)b);
}

int files_list(const Files *files, const char *folder, const char *ending, Arena *arena, const char ***out) {
    int count = files_list_ranked(files, folder, ending, arena, out);
    if (count)
        qsort(*out, (size_t)count, sizeof **out, name_order);
    return count;
}

bool file_find_disk(const char *path, const char *name, char *out, size_t room) {
    char clean[FILE_NAME_ROOM];
    if (!file_name_clean(name, clean, sizeof clean))
        return false;
    Folder *folder = folder_open(path);
    bool found = folder_find(folder, clean, out, room);
    folder_close(folder);
    return found;
}

int file_list_disk(const char *path, const char *ending, Arena *arena, const char ***out) {
    Names names;
    folder_names(path, &names);
    *out = arena_array(arena, const char *, names.count);
    int count = 0;
    for (size_t i = 0; i < names.count; i++)
        if (text_ends_fold(names.at[i], ending))
            (*out)[count++] = arena_text(arena, names.at[i]);
    names_free(&names);
    return count;
}

/* Makes the folders that lead to a file. */
static bool make_way(char *path, Error *error) {
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        bool made = mkdir(path, 0777) == 0 || errno == EEXIST;
        if (!made)
            fail(error, "%s: this folder cannot be made: %s", path, strerror(errno));
        *slash = '/';
        if (!made)
            return false;
    }
    return true;
}

bool files_write(Files *files, const char *name, const void *bytes, size_t size, Error *error) {
    char clean[FILE_NAME_ROOM], path[PATH_MAX];
    if (!file_name_clean(name, clean, sizeof clean))
        return fail(error, "%.200s: not a name that may be written (relative, with '/', without \"..\")", name);
    lock_shared(files);
    bool done;
    if (!files->writable.path)
        done = fail(error, "%s: there is no folder to write to", clean);
    else if (!folder_place(files->writable.folder, clean, path, sizeof path))
        done = fail(error, "%s: the path is too long", clean);
    else
        done = make_way(path, error) && file_write_disk(path, bytes, size, error);
    unlock(files);
    return done;
}
