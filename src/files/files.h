/* files/files.h -- where bytes come from: folders and pk3 archives on one search path that minds no case.
 *
 * Roots are added one after another; a file of a later root hides one of the same name in an earlier root, and the later
 * of two entries of one name in an archive hides the earlier. Inside a folder the order is the engine's: its archives
 * (and folders named *.pk3dir) by name, then the folder's own loose files, which win. Names are relative, with '/';
 * '\\' counts as '/', leading slashes are dropped, a name with ".." or a drive is refused. Comparing is without case, on
 * the disk too. A file that appears in, or vanishes from, a folder is noticed by the next question.
 *
 * One folder can be written to. All of this may be called from several threads at once. */
#ifndef LEAFWALK_FILES_H
#define LEAFWALK_FILES_H

#include "base/base.h"

typedef struct Files Files;

typedef struct FileBytes {
    uint8_t *bytes;          /* mem_free (or file_free) when done; a NUL stands behind them that size does not count */
    size_t size;
} FileBytes;

enum {
    FILE_NAME_ROOM = 1024,                   /* the longest name on the search path, its NUL counted */
    FILE_SIZE_MOST = 512 * 1024 * 1024       /* a larger entry of an archive is refused: it is damaged or a trap */
};

Files *files_open(const Log *log);
void   files_close(Files *files);

/* A folder, a .pk3/.zip archive, or (files_add_game) an installed game: "openarena", "nexuiz", or a folder of its data.
 * A damaged archive inside a folder is left out with a warning. */
bool files_add(Files *files, const char *path, Error *error);
bool files_add_game(Files *files, const char *game, Error *error);
void files_set_writable(Files *files, const char *folder);             /* made when first written to; it is on the search path, last */
const char *files_writable(const Files *files);                        /* NULL when there is none */

/* Looks at every archive's file again and opens anew those that were replaced; true when one was. */
bool files_refresh(Files *files);

bool files_exists(const Files *files, const char *name);
bool files_read(Files *files, const char *name, FileBytes *out, Error *error);
void file_free(FileBytes *file);
const char *files_origin(const Files *files, const char *name);        /* "…/pak1-maps.pk3" or the folder it comes from; NULL: nowhere */

/* The file on the disk that holds `name`, which is the one to watch: a loose file itself, else its archive. */
bool files_disk_path(const Files *files, const char *name, char *out, size_t room);

/* Names (as stored) of files inside `folder` (and its sub-folders; "" is everything) that end with `ending` ("" matches
 * all), without duplicates, sorted without case; in `arena`, which also holds the array. */
int files_list(const Files *files, const char *folder, const char *ending, Arena *arena, const char ***out);

/* The same names as an engine lists them: from the root that wins down to the first, each in the order it has itself
 * (an archive's table, a folder's names sorted). */
int files_list_ranked(const Files *files, const char *folder, const char *ending, Arena *arena, const char ***out);

/* The search path, the root that wins last. */
int files_root_count(const Files *files);
const char *files_root(const Files *files, int index);

/* A path on the disk, outside the search path: the command line's own arguments. */
bool file_read_disk(const char *path, FileBytes *out, Error *error);
bool file_exists_disk(const char *path);                               /* a plain file that can be read */
bool file_folder_disk(const char *path);                               /* a folder */
bool file_find_disk(const char *folder, const char *name, char *out, size_t room);       /* a loose file below it, without case */
int  file_list_disk(const char *folder, const char *ending, Arena *arena, const char ***out);    /* names directly in it, sorted */
bool file_write_disk(const char *path, const void *bytes, size_t size, Error *error);    /* whole or not at all: written beside, then renamed */

/* Inside the writable folder; makes sub-folders; refuses unsafe names. */
bool files_write(Files *files, const char *name, const void *bytes, size_t size, Error *error);

/* A safe form of a name in `out` (room bytes), or false: "..", a drive, empty, too long, control characters. */
bool file_name_clean(const char *name, char *out, size_t room);

#endif
