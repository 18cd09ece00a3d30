/* files/watch.h -- which files changed on the disk since the last look.
 *
 * What was opened is watched by its path on the disk (an archive counts as one file). A change is reported once the file
 * has been quiet for the settle time, its bytes differ from those last seen (beyond 2 MiB: its time), and it is not empty
 * (an editor that is just writing); a renamed-over or deleted-and-rewritten file counts as changed. inotify where there
 * is one, else polling. */
#ifndef LEAFWALK_WATCH_H
#define LEAFWALK_WATCH_H

#include "base/base.h"

typedef struct Watch Watch;

Watch *watch_open(void);
Watch *watch_open_polling(void);                         /* never asks inotify: for disks that tell nothing */
void   watch_close(Watch *watch);
void   watch_add(Watch *watch, const char *path);        /* again: no effect; a path that does not exist yet is fine */
void   watch_forget(Watch *watch, const char *path);

/* Paths that changed and have settled (at most 50 ms of quiet); lent until the next call. Costs next to nothing when
 * nothing changed. */
int watch_changes(Watch *watch, const char *const **paths);

#endif
