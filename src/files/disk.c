/* files/disk.c -- whole files of the disk: read at once, written beside and renamed. */
#include "files/files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "files/files_internal.h"

FileStamp stamp_of(const struct stat *status) {
    return (FileStamp){ (uint64_t)status->st_dev, (uint64_t)status->st_ino, (uint64_t)status->st_size, status->st_mtim };
}

bool stamp_same(const FileStamp *a, const FileStamp *b) {
    return a->device == b->device && a->inode == b->inode && a->size == b->size &&
           a->changed.tv_sec == b->changed.tv_sec && a->changed.tv_nsec == b->changed.tv_nsec;
}

void file_free(FileBytes *file) {
    mem_free(file->bytes);
    *file = (FileBytes){ 0 };
}

bool file_exists_disk(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, R_OK) == 0;
}

bool file_folder_disk(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* The size is only a first guess: a file may grow while it is read, and a pipe has none. */
static bool read_all(int file, size_t guess, FileBytes *out) {
    enum { MOST = 1024 * 1024 * 1024 };
    size_t room = guess + 1, used = 0;
    uint8_t *bytes = mem_alloc(room + 1);
    for (;;) {
        ssize_t got = read(file, bytes + used, room - used);
        if (got < 0 && errno == EINTR)
            continue;
        if (got == 0) {
            bytes[used] = 0;
            *out = (FileBytes){ bytes, used };
            return true;
        }
        used += got > 0 ? (size_t)got : 0;
        if (got < 0 || used > MOST) {
            errno = got < 0 ? errno : EFBIG;
            mem_free(bytes);
            return false;
        }
        if (used == room) {
            room *= 2;
            bytes = mem_realloc(bytes, room + 1);
        }
    }
}

bool file_read_disk(const char *path, FileBytes *out, Error *error) {
    *out = (FileBytes){ 0 };
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return fail(error, "%s: cannot be read: %s", path, strerror(errno));
    struct stat status;
    bool known = fstat(file, &status) == 0;
    if (known && S_ISDIR(status.st_mode)) {
        close(file);
        return fail(error, "%s: is a folder, not a file", path);
    }
    bool done = read_all(file, known && S_ISREG(status.st_mode) && status.st_size > 0 &&
                         status.st_size <= FILE_SIZE_MOST ? (size_t)status.st_size : 4095, out);
    int why = errno;
    close(file);
    return done || fail(error, "%s: cannot be read: %s", path, strerror(why));
}

static bool write_all(int file, const uint8_t *bytes, size_t size) {
    while (size) {
        ssize_t put = write(file, bytes, size);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return false;
        bytes += put;
        size -= (size_t)put;
    }
    return true;
}

static bool write_through(const char *path, const void *bytes, size_t size, Error *error) {
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return fail(error, "%s: cannot be written: %s", path, strerror(errno));
    bool done = write_all(file, bytes, size);
    int why = errno;
    close(file);
    return done || fail(error, "%s: cannot be written: %s", path, strerror(why));
}

/* A file beside `path` that nobody else has. */
static int open_beside(const char *path, mode_t mode, char *out, size_t room) {
    for (unsigned turn = 0; turn < 1000; turn++) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        int written = snprintf(out, room, "%s.%lx-%x-%u.part", path, (unsigned long)now.tv_nsec, (unsigned)getpid(), turn);
        if (written < 0 || (size_t)written >= room) {
            errno = ENAMETOOLONG;
            return -1;
        }
        int file = open(out, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (file >= 0 || errno != EEXIST)
            return file;
    }
    return -1;
}

bool file_write_disk(const char *path, const void *bytes, size_t size, Error *error) {
    char target[4096], beside[4096 + 64];
    struct stat status;
    bool there = stat(path, &status) == 0;
    if (there && S_ISDIR(status.st_mode))
        return fail(error, "%s: cannot be written: is a folder", path);
    if (there && !S_ISREG(status.st_mode))
        return write_through(path, bytes, size, error);    /* a terminal, a pipe: renaming over it would replace it */
    char real[PATH_MAX];    /* a link stays a link; what it names is replaced */
    const char *name = there && realpath(path, real) ? real : path;
    bool fits = (size_t)snprintf(target, sizeof target, "%s", name) < sizeof target;
    if (!fits)
        return fail(error, "%s: cannot be written: the path is too long", path);

    int file = open_beside(target, there ? status.st_mode & 0777 : 0666, beside, sizeof beside);
    if (file < 0)
        return fail(error, "%s: cannot be written: %s", path, strerror(errno));
    bool done = write_all(file, bytes, size);
    int why = errno;
    if (close(file) != 0 && done) {
        done = false;
        why = errno;
    }
    if (done && rename(beside, target) != 0) {
        done = false;
        why = errno;
    }
    if (!done)
        unlink(beside);
    return done || fail(error, "%s: cannot be written: %s", path, strerror(why));
}
