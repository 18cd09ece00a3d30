/* files/files_internal.h -- the two kinds of roots: an archive with its table, a folder with its listings. */
#ifndef LEAFWALK_FILES_INTERNAL_H
#define LEAFWALK_FILES_INTERNAL_H

#include <sys/stat.h>

#include "files/files.h"

/* Which file stood at a path: replaced or rewritten files differ in one of these. */
typedef struct FileStamp { uint64_t device, inode, size; struct timespec changed; } FileStamp;

FileStamp stamp_of(const struct stat *status);
bool stamp_same(const FileStamp *a, const FileStamp *b);

typedef void FileVisit(void *user, const char *name);

typedef struct Archive Archive;

Archive *archive_open(const char *path, const Log *log, Error *error);
void archive_close(Archive *archive);
bool archive_current(const Archive *archive);                          /* the file on the disk is still the one that was opened */
int  archive_find(const Archive *archive, const char *name, uint64_t hash);    /* -1: not there; hash: text_hash_fold of name */
bool archive_read(Archive *archive, int entry, FileBytes *out, Error *error);
void archive_each(const Archive *archive, FileVisit *visit, void *user);

typedef struct Folder Folder;

Folder *folder_open(const char *path);                                 /* it need not exist yet */
void folder_close(Folder *folder);
bool folder_find(Folder *folder, const char *name, char *out, size_t room);    /* the file's path on the disk */
void folder_each(Folder *folder, const char *below, FileVisit *visit, void *user);

/* Where a new file of this name belongs: parts of the name that exist already keep the case that they have. */
bool folder_place(Folder *folder, const char *name, char *out, size_t room);

/* Names in a folder on the disk, sorted as the engine sorts its archives; the caller frees them with names_free. */
typedef struct Names { char **at; size_t count, room; } Names;
void folder_names(const char *path, Names *out);
void names_free(Names *names);

bool path_join(char *out, size_t room, const char *folder, const char *name);

#endif
