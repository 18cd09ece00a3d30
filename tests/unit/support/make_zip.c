/* support/make_zip.c -- the zip format's three records, written byte by byte (facts: PKWARE's APPNOTE 4.3). */
#include "support/make_zip.h"

static void put(Text *out, uint32_t number, int bytes) {
    for (int i = 0; i < bytes; i++)
        text_add_char(out, (char)(number >> (8 * i)));
}

static uint32_t crc_of(const char *text, size_t length) {
    uint32_t crc = ~0u;
    for (size_t i = 0; i < length; i++) {
        crc ^= (uint8_t)text[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    return ~crc;
}

/* What the local header and the table's row have in common. */
static void put_facts(Text *out, const ZipEntry *e) {
    size_t length = strlen(e->text);
    put(out, 20, 2);
    put(out, 0, 2);
    put(out, e->method, 2);
    put(out, 0x21 << 16, 4);    /* midnight, 1980-01-01 */
    put(out, crc_of(e->text, length), 4);
    put(out, (uint32_t)strlen(e->packed ? e->packed : e->text), 4);
    put(out, e->claimed ? e->claimed : (uint32_t)length, 4);
    put(out, (uint32_t)strlen(e->name), 2);
    put(out, 0, 2);
}

Text make_zip(const ZipEntry *entries, int count) {
    Text out = { 0 }, table = { 0 };
    for (int i = 0; i < count; i++) {
        uint32_t offset = (uint32_t)out.count;
        put(&out, 0x04034b50, 4);
        put_facts(&out, &entries[i]);
        text_add(&out, entries[i].name);
        text_add(&out, entries[i].packed ? entries[i].packed : entries[i].text);
        put(&table, 0x02014b50, 4);
        put(&table, 20, 2);
        put_facts(&table, &entries[i]);
        put(&table, 0, 2);
        put(&table, 0, 4);
        put(&table, 0, 4);
        put(&table, offset, 4);
        text_add(&table, entries[i].name);
    }
    uint32_t start = (uint32_t)out.count;
    text_add_n(&out, text_of(&table), table.count);
    put(&out, 0x06054b50, 4);
    put(&out, 0, 4);
    put(&out, (uint32_t)count, 2);
    put(&out, (uint32_t)count, 2);
    put(&out, (uint32_t)table.count, 4);
    put(&out, start, 4);
    put(&out, 0, 2);
    text_free(&table);
    return out;
}
