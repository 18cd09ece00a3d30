/* files/archive.c -- a pk3 (zip) archive: its table read once, its entries unpacked by several threads.
 *
 * A handle of libzip serves one thread at a time, so an archive keeps several: a reader takes one that is free or opens
 * another. What an entry claims about itself is checked before and after unpacking. */
#include "files/files_internal.h"

#include <zip.h>

#include "base/lock.h"

enum {
    HANDLES_MOST = 16,           /* kept open at once; more readers than that open and close their own */
    ENTRIES_MOST = 1 << 20,
    DEFLATE_BEST = 1032,         /* no deflated byte stands for more than this many */
    FIRST_ROOM = 4 * 1024 * 1024 /* memory taken on an entry's word alone */
};

typedef struct Entry {
    char *name;                  /* clean, as the archive spells it */
    uint64_t hash;
    uint64_t index;              /* in the archive's own table */
    uint64_t size, packed;
    uint32_t crc;
    bool hidden;                 /* a later entry has the same name */
} Entry;

struct Archive {
    char *path;
    FileStamp stamp;
    Arena *names;
    ARRAY(Entry) entries;
    uint32_t *slots;             /* entry + 1 by hash; 0: free */
    size_t slot_count;           /* a power of two */
    Lock lock;                   /* of the handles */
    zip_t *handles[HANDLES_MOST];
    int handle_count;
};

static bool zip_refused(const char *path, int code, Error *error) {
    zip_error_t why;
    zip_error_init_with_code(&why, code);
    fail(error, "%s: not an archive that can be read: %s", path, zip_error_strerror(&why));
    zip_error_fini(&why);
    return false;
}

static zip_t *handle_take(Archive *archive, Error *error) {
    lock_write(&archive->lock);
    zip_t *handle = archive->handle_count ? archive->handles[--archive->handle_count] : NULL;
    lock_give(&archive->lock);
    int code = 0;
    if (!handle && !(handle = zip_open(archive->path, ZIP_RDONLY, &code)))
        zip_refused(archive->path, code, error);
    return handle;
}

static void handle_give(Archive *archive, zip_t *handle) {
    lock_write(&archive->lock);
    if (archive->handle_count < HANDLES_MOST) {
        archive->handles[archive->handle_count++] = handle;
        handle = NULL;
    }
    lock_give(&archive->lock);
    if (handle)
        zip_discard(handle);
}

static uint32_t *slot_of(const Archive *archive, const char *name, uint64_t hash) {
    size_t at = hash & (archive->slot_count - 1);
    while (archive->slots[at]) {
        const Entry *entry = &archive->entries.at[archive->slots[at] - 1];
        if (entry->hash == hash && text_same(entry->name, name))
            break;
        at = (at + 1) & (archive->slot_count - 1);
    }
    return &archive->slots[at];
}

/* A name that cannot be asked for, a folder, or an entry without the facts that reading needs, is not in the table. */
static bool entry_read(zip_t *zip, uint64_t index, Archive *archive, Entry *out) {
    zip_stat_t status;
    if (zip_stat_index(zip, index, ZIP_FL_ENC_RAW, &status) != 0)
        return false;
    const uint64_t needed = ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_CRC;
    size_t length = status.valid & ZIP_STAT_NAME ? strlen(status.name) : 0;
    if ((status.valid & needed) != needed || length == 0 || status.name[length - 1] == '/' ||
        status.name[length - 1] == '\\')
        return false;
    char clean[FILE_NAME_ROOM];
    if (!file_name_clean(status.name, clean, sizeof clean))
        return false;
    *out = (Entry){ arena_text(archive->names, clean), text_hash_fold(clean), index, status.size, status.comp_size,
                    status.crc, false };
    return true;
}

static void table_build(Archive *archive, zip_t *zip, const Log *log) {
    zip_int64_t count = zip_get_num_entries(zip, 0);
    int unsafe = 0, twice = 0;
    const char *example = NULL;
    for (zip_int64_t i = 0; i < count && i < ENTRIES_MOST; i++) {
        Entry entry;
        if (entry_read(zip, (uint64_t)i, archive, &entry)) {
            *array_push(&archive->entries) = entry;
            continue;
        }
        const char *name = zip_get_name(zip, (uint64_t)i, ZIP_FL_ENC_RAW);
        char clean[FILE_NAME_ROOM];
        unsafe += name && !file_name_clean(name, clean, sizeof clean);
    }
    archive->slot_count = 16;
    while (archive->slot_count < archive->entries.count * 2)
        archive->slot_count *= 2;
    archive->slots = mem_zeroed(archive->slot_count, sizeof *archive->slots);
    for (size_t i = 0; i < archive->entries.count; i++) {
        Entry *entry = &archive->entries.at[i];
        uint32_t *slot = slot_of(archive, entry->name, entry->hash);
        if (*slot) {
            archive->entries.at[*slot - 1].hidden = true;
            example = example ? example : entry->name;
            twice++;
        }
        *slot = (uint32_t)i + 1;
    }
    if (twice)
        log_warn(log, "%s: %d name%s more than once (%s), the last of each counts", archive->path, twice,
                 twice == 1 ? " stands there" : "s stand there", example);
    if (unsafe)
        log_warn(log, "%s: %d entr%s left out: the names lead outside or cannot be written", archive->path, unsafe,
                 unsafe == 1 ? "y" : "ies");
}

Archive *archive_open(const char *path, const Log *log, Error *error) {
    struct stat status;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
        return fail(error, "%s: no such archive", path), NULL;
    if (status.st_size == 0)
        return fail(error, "%s: not an archive that can be read: the file is empty", path), NULL;
    int code = 0;
    zip_t *zip = zip_open(path, ZIP_RDONLY, &code);
    if (!zip)
        return zip_refused(path, code, error), NULL;
    Archive *archive = mem_zeroed(1, sizeof *archive);
    archive->names = arena_open();
    archive->path = arena_text(archive->names, path);
    archive->stamp = stamp_of(&status);
    lock_init(&archive->lock);
    table_build(archive, zip, log);
    handle_give(archive, zip);
    return archive;
}

void archive_close(Archive *archive) {
    if (!archive)
        return;
    for (int i = 0; i < archive->handle_count; i++)
        zip_discard(archive->handles[i]);
    lock_end(&archive->lock);
    array_free(&archive->entries);
    mem_free(archive->slots);
    arena_close(archive->names);
    mem_free(archive);
}

bool archive_current(const Archive *archive) {
    struct stat status;
    if (stat(archive->path, &status) != 0)
        return false;
    FileStamp now = stamp_of(&status);
    return stamp_same(&now, &archive->stamp);
}

int archive_find(const Archive *archive, const char *name, uint64_t hash) {
    return (int)*slot_of(archive, name, hash) - 1;
}

void archive_each(const Archive *archive, FileVisit *visit, void *user) {
    for (size_t i = 0; i < archive->entries.count; i++)
        if (!archive->entries.at[i].hidden)
            visit(user, archive->entries.at[i].name);
}

/* Before a byte is unpacked: is this what the table said, and can it be true? */
static bool entry_sane(const Archive *archive, const Entry *entry, zip_t *zip, Error *error) {
    zip_stat_t now;
    if (zip_stat_index(zip, entry->index, ZIP_FL_ENC_RAW, &now) != 0 || !(now.valid & ZIP_STAT_CRC) ||
        now.crc != entry->crc || now.size != entry->size || now.comp_size != entry->packed)
        return fail(error, "%s: %s: the archive was changed while it was in use", archive->path, entry->name);
    if (now.valid & ZIP_STAT_ENCRYPTION_METHOD && now.encryption_method != ZIP_EM_NONE)
        return fail(error, "%s: %s: encrypted", archive->path, entry->name);
    if (!(now.valid & ZIP_STAT_COMP_METHOD) || (now.comp_method != ZIP_CM_STORE && now.comp_method != ZIP_CM_DEFLATE))
        return fail(error, "%s: %s: packed by method %d; only 0 (stored) and 8 (deflated) are read", archive->path,
                    entry->name, now.valid & ZIP_STAT_COMP_METHOD ? now.comp_method : -1);
    if (entry->size > FILE_SIZE_MOST)
        return fail(error, "%s: %s: %llu bytes; more than %d MiB are not unpacked", archive->path, entry->name,
                    (unsigned long long)entry->size, FILE_SIZE_MOST >> 20);
    uint64_t most = now.comp_method == ZIP_CM_STORE ? entry->packed : (entry->packed + 8) * DEFLATE_BEST;
    if (entry->size > most)
        return fail(error, "%s: %s: claims %llu bytes, but %llu packed bytes cannot hold them", archive->path,
                    entry->name, (unsigned long long)entry->size, (unsigned long long)entry->packed);
    return true;
}

static bool entry_unpack(const Archive *archive, const Entry *entry, zip_file_t *file, FileBytes *out, Error *error) {
    size_t size = (size_t)entry->size, used = 0;
    size_t room = MIN(size, (size_t)FIRST_ROOM);
    uint8_t *bytes = mem_alloc(room + 1);
    for (;;) {
        /* One byte more than claimed is asked for at the end, so that an entry that goes on is found out and libzip
         * comes to the end, where it compares the checksum. */
        zip_int64_t got = zip_fread(file, bytes + used, used == size ? 1 : room - used);
        if (got <= 0) {
            if (got == 0 && used == size) {
                bytes[used] = 0;
                *out = (FileBytes){ bytes, used };
                return true;
            }
            if (got < 0)
                fail(error, "%s: %s: damaged: %s", archive->path, entry->name, zip_file_strerror(file));
            else
                fail(error, "%s: %s: damaged: %zu bytes where %zu are claimed", archive->path, entry->name, used, size);
            break;
        }
        if (used == size) {
            fail(error, "%s: %s: damaged: more than the %zu bytes that are claimed", archive->path, entry->name, size);
            break;
        }
        used += (size_t)got;
        if (used == room && room < size) {
            room = MIN(size, room * 2);
            bytes = mem_realloc(bytes, room + 1);
        }
    }
    mem_free(bytes);
    return false;
}

bool archive_read(Archive *archive, int index, FileBytes *out, Error *error) {
    const Entry *entry = &archive->entries.at[index];
    zip_t *zip = handle_take(archive, error);
    if (!zip)
        return false;
    bool done = false;
    if (entry_sane(archive, entry, zip, error)) {
        zip_file_t *file = zip_fopen_index(zip, entry->index, 0);
        if (file) {
            done = entry_unpack(archive, entry, file, out, error);
            zip_fclose(file);
        } else {
            fail(error, "%s: %s: damaged: %s", archive->path, entry->name, zip_strerror(zip));
        }
    }
    handle_give(archive, zip);
    return done;
}
