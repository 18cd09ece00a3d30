/* support/make_zip.h -- small archives made by hand, with the faults that real zip programs would not make. */
#ifndef LEAFWALK_MAKE_ZIP_H
#define LEAFWALK_MAKE_ZIP_H

#include "base/base.h"

typedef struct ZipEntry {
    const char *name;
    const char *text;
    uint32_t claimed;        /* size in the table instead of the text's own; 0: the true one */
    uint16_t method;         /* 0: stored */
    const char *packed;      /* the bytes that stand in the archive; NULL: the text itself, whatever the method says */
} ZipEntry;

Text make_zip(const ZipEntry *entries, int count);    /* free with text_free */

#endif
