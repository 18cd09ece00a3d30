/* assets/image_jpeg.c -- JPEG faults that stb_image 2.27 walks into.
 *
 * Its Huffman tables have room for 256 codes, but a file's table may claim up to 4080: found by fuzzing, it writes past
 * them; and the code numbered 255 is taken for the mark of "not in the fast table", which leads to reading past them. So
 * every table is counted first, along the same way through the file that the decoder takes. No JPEG needs more than 176. */
#include "assets/image_internal.h"

enum { CODES_MOST = 255, SOI = 0xd8, EOI = 0xd9, DHT = 0xc4, RST0 = 0xd0, RST7 = 0xd7, TEM = 0x01 };

/* One DHT segment may hold several tables: a byte, 16 counts, the codes. Past the file's end the decoder reads zeros. */
static bool tables_fit(const uint8_t *at, const uint8_t *segment_end, const uint8_t *end) {
    while (at < segment_end) {
        size_t codes = 0;
        for (int i = 1; i <= 16 && i < end - at; i++)
            codes += at[i];
        if (codes > CODES_MOST)
            return false;
        if (end - at < 17 || codes >= (size_t)(end - at) - 17)
            return true;
        at += codes + 17;
    }
    return true;
}

static bool stands_alone(int marker) { return marker == SOI || marker == TEM || (marker >= RST0 && marker <= RST7); }

bool jpeg_sane(const uint8_t *bytes, size_t size) {
    const uint8_t *at = bytes, *end = bytes + size;
    while (end - at >= 4) {
        /* Between segments and inside coded pixels: on to the next marker. FF 00 is a pixel's byte. */
        if (at[0] != 0xff || at[1] == 0 || at[1] == 0xff || stands_alone(at[1])) {
            at += at[0] == 0xff && at[1] != 0xff ? 2 : 1;
            continue;
        }
        if (at[1] == EOI)
            return true;
        size_t length = (size_t)at[2] << 8 | at[3];
        bool whole = length >= 2 && length <= (size_t)(end - at) - 2;
        if (at[1] == DHT && !tables_fit(at + 4, whole ? at + 2 + length : end, end))
            return false;
        if (!whole)
            return true;    /* the decoder stops here too */
        at += 2 + length;
    }
    return true;
}
