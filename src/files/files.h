/* files/files.h -- where bytes come from: folders and pk3 archives on one search path that minds no case.
 *
 * Roots are added one after another; a file of a later root hides one of the same name in an earlier root, and the later
 * of two entries of one name in an archive hides the earlier. Inside a game's folder the order is the engine's: archives
 * (and folders named *.pk3dir) by name, then the folder's own loose files, which win. Names are relative, with '/';
 * '\\' counts as '/', leading slashes are dropped, a name with ".." or a drive is refused. Comparing is without case, on
 * the disk too.
 *
 * One folder can be written to. Reading is safe from several threads at once; adding roots is not. */
#ifndef LEAFWALK_FILES_H
#define LEAFWALK_FILES_H

#include "base/base.h"

typedef struct Files Files;

typedef struct FileBytes {
    uint8_t *bytes;          /* mem_free (or file_free) when done; a NUL stands behind them that size does not count */
    size_t size;
} FileBytes;

Files *files_open(const Log *log);
void   files_close(Files *files);

/* A folder, a .pk3/.zip archive, or (files_add_game) an installed game: "openarena", "nexuiz", or a folder of its data. */
bool files_add(Files *files, const char *path, Error *error);
bool files_add_game(Files *files, const char *game, Error *error);
void files_set_writable(Files *files, const char *folder);             /* made when first written to; it is on the search path, last */
const char *files_writable(const Files *files);                        /* NULL when there is none */

bool files_exists(const Files *files, const char *name);
bool files_read(Files *files, const char *name, FileBytes *out, Error *error);
void file_free(FileBytes *file);
const char *files_origin(const Files *files, const char *name);        /* "…/pak1-maps.pk3" or the folder it comes from; NULL: nowhere */

/* Names (as stored) that begin with `folder` and end with `ending` ("" matches all), without duplicates, sorted without
 * case; in `arena`, which also holds the array. */
int files_list(const Files *files, const char *folder, const char *ending, Arena *arena, const char ***out);

/* A path on the disk, outside the search path: the command line's own arguments. */
bool file_read_disk(const char *path, FileBytes *out, Error *error);
bool file_exists_disk(const char *path);                               /* a plain file that can be read */
bool file_write_disk(const char *path, const void *bytes, size_t size, Error *error);    /* whole or not at all: written beside, then renamed */

/* Inside the writable folder; makes sub-folders; refuses unsafe names. */
bool files_write(Files *files, const char *name, const void *bytes, size_t size, Error *error);

/* A safe form of a name in `out` (room bytes), or false: "..", absolute, empty, too long, control characters. */
bool file_name_clean(const char *name, char *out, size_t room);

#endif
