/* files/watch.c -- directories are watched, files are compared.
 *
 * inotify tells in which directory something happened to which name; whether that matters is decided by the file's
 * bytes, once it has been quiet. Directories, not files, are watched because most editors write a new file and rename it
 * over the old one. What inotify cannot tell (a directory that is not there yet, a link to elsewhere, a system without
 * it) is looked at now and then. */
#include "files/watch.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "files/files_internal.h"

static const double settle = 0.030;        /* seconds of quiet: less than the 50 ms that are allowed */
static const double poll_every = 0.200;

enum {
    HASH_MOST = 2 * 1024 * 1024,     /* larger files (archives) are compared by time and size alone: reading them takes long */
    EVENTS = IN_CREATE | IN_CLOSE_WRITE | IN_MODIFY | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_ATTRIB |
             IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR
};

typedef struct Watched {
    char *path, *name;       /* name: the last part, inside path */
    int directory;           /* inotify's number of its directory; -1: polled */
    bool link;               /* a symbolic link: its target's directory tells nothing here, so it is polled too */
    bool pending;            /* something happened; look once it is quiet */
    double since;            /* the last thing that happened */
    FileStamp stamp;         /* as last seen; all 0: not there */
    uint64_t hash;           /* of the bytes last reported or first seen */
    bool seen;               /* hash counts */
} Watched;

struct Watch {
    int events;              /* inotify; -1: none */
    ARRAY(Watched) files;
    ARRAY(const char *) changed;
    Arena *lent;             /* the text of `changed` */
    int pending;
    int polled;
    double next_poll;
};

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

Watch *watch_open_polling(void) {
    Watch *watch = mem_zeroed(1, sizeof *watch);
    watch->events = -1;
    watch->lent = arena_open();
    return watch;
}

Watch *watch_open(void) {
    Watch *watch = watch_open_polling();
    watch->events = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    return watch;
}

void watch_close(Watch *watch) {
    if (!watch)
        return;
    if (watch->events >= 0)
        close(watch->events);
    for (size_t i = 0; i < watch->files.count; i++)
        mem_free(watch->files.at[i].path);
    array_free(&watch->files);
    array_free(&watch->changed);
    arena_close(watch->lent);
    mem_free(watch);
}

static FileStamp stamp_now(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 ? stamp_of(&status) : (FileStamp){ 0 };
}

/* What stands for the file's content; false when it cannot be read or is empty (an editor is just writing). */
static bool content(const char *path, uint64_t *out) {
    struct stat status;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size == 0)
        return false;
    if (status.st_size > HASH_MOST) {
        FileStamp stamp = stamp_of(&status);
        *out = bytes_hash(&stamp, sizeof stamp);
        return true;
    }
    FileBytes file;
    if (!file_read_disk(path, &file, NULL))
        return false;
    bool full = file.size > 0;
    *out = bytes_hash(file.bytes, file.size);
    file_free(&file);
    return full;
}

/* inotify gives the same number for the same directory, so asking once per file is fine. */
static void watch_directory(Watch *watch, Watched *file) {
    char directory[PATH_MAX];
    file->directory = -1;
    if (watch->events < 0 || file->name - file->path >= PATH_MAX)
        return;
    if (file->name == file->path)
        text_copy(directory, sizeof directory, ".");
    else
        text_copy(directory, (size_t)(file->name - file->path) + 1, file->path);
    file->directory = inotify_add_watch(watch->events, directory, EVENTS);
}

static bool polled(const Watched *file) { return file->directory < 0 || file->link; }

static void count_polled(Watch *watch) {
    watch->polled = 0;
    for (size_t i = 0; i < watch->files.count; i++)
        watch->polled += polled(&watch->files.at[i]);
}

void watch_add(Watch *watch, const char *path) {
    for (size_t i = 0; i < watch->files.count; i++)
        if (strcmp(watch->files.at[i].path, path) == 0)
            return;
    Watched *file = array_push(&watch->files);
    size_t length = strlen(path);
    *file = (Watched){ .path = mem_alloc(length + 1) };
    memcpy(file->path, path, length + 1);
    char *slash = strrchr(file->path, '/');
    file->name = slash ? slash + 1 : file->path;
    struct stat status;
    file->link = lstat(path, &status) == 0 && S_ISLNK(status.st_mode);
    watch_directory(watch, file);    /* before its bytes are read, so that no change falls between */
    file->stamp = stamp_now(path);
    file->seen = content(path, &file->hash);
    count_polled(watch);
}

void watch_forget(Watch *watch, const char *path) {
    for (size_t i = 0; i < watch->files.count; i++) {
        Watched *file = &watch->files.at[i];
        if (strcmp(file->path, path) != 0)
            continue;
        watch->pending -= file->pending;
        int directory = file->directory;
        mem_free(file->path);
        *file = watch->files.at[--watch->files.count];
        bool shared = false;
        for (size_t j = 0; j < watch->files.count; j++)
            shared = shared || watch->files.at[j].directory == directory;
        if (directory >= 0 && !shared)
            inotify_rm_watch(watch->events, directory);
        count_polled(watch);
        return;
    }
}

static void touch(Watch *watch, Watched *file, double when) {
    watch->pending += !file->pending;
    file->pending = true;
    file->since = when;
}

/* The directory is gone, or inotify gave it up: its files are polled until it can be watched again. */
static void directory_lost(Watch *watch, int directory, double when) {
    for (size_t i = 0; i < watch->files.count; i++)
        if (watch->files.at[i].directory == directory) {
            watch->files.at[i].directory = -1;
            touch(watch, &watch->files.at[i], when);
        }
    count_polled(watch);
}

static void event_take(Watch *watch, const struct inotify_event *event, double when) {
    if (event->mask & (IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED)) {
        if (event->mask & IN_MOVE_SELF)
            inotify_rm_watch(watch->events, event->wd);
        directory_lost(watch, event->wd, when);
        return;
    }
    for (size_t i = 0; i < watch->files.count; i++) {
        Watched *file = &watch->files.at[i];
        bool everything = event->mask & IN_Q_OVERFLOW;
        if (everything || (file->directory == event->wd && event->len && strcmp(event->name, file->name) == 0))
            touch(watch, file, when);
    }
}

static void events_read(Watch *watch, double when) {
    _Alignas(struct inotify_event) char buffer[16 * 1024];
    for (;;) {
        ssize_t got = read(watch->events, buffer, sizeof buffer);
        if (got <= 0)
            return;    /* EAGAIN: nothing more */
        for (ssize_t at = 0; at < got;) {
            struct inotify_event *event = (struct inotify_event *)(buffer + at);
            at += (ssize_t)(sizeof *event + event->len);
            event_take(watch, event, when);
        }
    }
}

static void poll_files(Watch *watch, double when) {
    if (!watch->polled || when < watch->next_poll)
        return;
    watch->next_poll = when + poll_every;
    for (size_t i = 0; i < watch->files.count; i++) {
        Watched *file = &watch->files.at[i];
        if (!polled(file))
            continue;
        if (file->directory < 0)
            watch_directory(watch, file);
        FileStamp stamp = stamp_now(file->path);
        if (!stamp_same(&stamp, &file->stamp)) {
            file->stamp = stamp;
            touch(watch, file, when);
        }
    }
    count_polled(watch);
}

/* A file that was touched and has been quiet: is it another one? A missing or empty one waits for the next event. */
static bool settled(Watch *watch, Watched *file) {
    file->pending = false;
    watch->pending--;
    struct stat status;
    file->link = lstat(file->path, &status) == 0 && S_ISLNK(status.st_mode);
    file->stamp = stamp_now(file->path);
    uint64_t hash;
    if (!content(file->path, &hash) || (file->seen && hash == file->hash))
        return false;
    file->hash = hash;
    file->seen = true;
    return true;
}

int watch_changes(Watch *watch, const char *const **paths) {
    double when = now();
    if (watch->events >= 0)
        events_read(watch, when);
    poll_files(watch, when);
    array_clear(&watch->changed);
    *paths = NULL;
    if (!watch->pending)
        return 0;
    arena_reset(watch->lent);
    for (size_t i = 0; i < watch->files.count; i++) {
        Watched *file = &watch->files.at[i];
        if (file->pending && when - file->since >= settle && settled(watch, file))
            *array_push(&watch->changed) = arena_text(watch->lent, file->path);
    }
    count_polled(watch);
    *paths = watch->changed.at;
    return (int)watch->changed.count;
}
