/* support/temp_folder.h -- a folder of its own for a test, gone afterwards. */
#ifndef LEAFWALK_TEMP_FOLDER_H
#define LEAFWALK_TEMP_FOLDER_H

#include "base/base.h"

typedef struct TempFolder { char path[256]; char *joined[4]; int next; } TempFolder;

int temp_folder_setup(void **state);       /* for cmocka: *state is the TempFolder */
int temp_folder_teardown(void **state);
TempFolder *temp_folder_open(void);
void temp_folder_close(TempFolder *folder);

const char *temp_path(TempFolder *folder, const char *name);    /* of a file in it; good for the next three calls */
void temp_write(TempFolder *folder, const char *name, const void *bytes, size_t size);    /* makes sub-folders */
void temp_text(TempFolder *folder, const char *name, const char *text);

#endif
