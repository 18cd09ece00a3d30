/* assets/image_png.c -- PNG faults that stb_image 2.27 walks into: it takes memory for as many bytes as a chunk claims,
 * and adds to a null pointer where the first pixel chunk is empty (found by fuzzing). */
#include "assets/image_internal.h"

bool png_sane(const uint8_t *bytes, size_t size) {
    enum { MARK = 8, HEADER = 8, CHECKSUM = 4 };
    bool pixels = false;
    for (size_t at = MARK; size - at >= HEADER;) {
        const uint8_t *chunk = bytes + at;
        uint32_t length = (uint32_t)chunk[0] << 24 | (uint32_t)chunk[1] << 16 | (uint32_t)chunk[2] << 8 | chunk[3];
        if (memcmp(chunk + 4, "IDAT", 4) == 0) {
            if (length > size - at - HEADER || (length == 0 && !pixels))
                return false;
            pixels = true;
        }
        if (length > size - at - HEADER || size - at - HEADER - length < CHECKSUM)
            return true;    /* cut short: the decoder takes it or leaves it by itself */
        at += HEADER + length + CHECKSUM;
    }
    return true;
}
