/* assets/image.c -- decoding by stb_image (TGA, JPEG and PNG alone), and what it does not do: a TGA's sides, limits. */
#include "assets/image_internal.h"

#include <limits.h>

#define STBI_NO_STDIO
#include <stb_image.h>

enum {
    PIXELS_MOST = 1 << 27,      /* half a gigabyte, two and a bit times the largest square that is kept whole */
    TGA_PER_BYTE = 64,          /* the most pixels that one byte can stand for: a packet of 128 takes two */
    JPEG_PER_BYTE = 512,        /* a block of 64 takes at least one bit */
    DEFLATE_BEST = 1032         /* PNG: bytes, of which one deflated byte stands for no more */
};

Image image_make(int width, int height) {
    return (Image){ width, height, mem_zeroed((size_t)width * (size_t)height, 4), true };
}

Image image_copy(const Image *image) {
    Image copy = image_make(image->width, image->height);
    copy.has_alpha = image->has_alpha;
    memcpy(copy.rgba, image->rgba, (size_t)image->width * (size_t)image->height * 4);
    return copy;
}

void image_free(Image *image) {
    mem_free(image->rgba);
    *image = (Image){ 0 };
}

static bool any_transparent(const Image *image) {
    size_t count = (size_t)image->width * (size_t)image->height;
    for (size_t i = 0; i < count; i++)
        if (image->rgba[i * 4 + 3] != 255)
            return true;
    return false;
}

static bool is_png(const uint8_t *bytes, size_t size) { return size >= 8 && memcmp(bytes, "\x89PNG\r\n\x1a\n", 8) == 0; }

/* As the decoder sees it, which takes any number of FF bytes before the mark. */
static bool is_jpeg(const uint8_t *bytes, size_t size) {
    size_t at = 0;
    while (at < size && bytes[at] == 0xff)
        at++;
    return at > 0 && at < size && bytes[at] == 0xd8;
}

/* TGA has no mark of its own, so its header is all there is to go by. */
typedef struct TgaHeader { int id, palette, kind, palette_size, palette_bits, width, height, bits, flags; } TgaHeader;

static TgaHeader tga_header(const uint8_t *b) {
    return (TgaHeader){ b[0], b[1], b[2], b[5] | b[6] << 8, b[7], b[12] | b[13] << 8, b[14] | b[15] << 8, b[16], b[17] };
}

/* Whether so few bytes can hold so many pixels: a small file must not cost much memory by its claim alone. */
static bool can_hold(const uint8_t *bytes, size_t size, int64_t pixels) {
    static const int channels[] = { 1, 0, 3, 1, 2, 0, 4 };
    if (is_jpeg(bytes, size))
        return pixels / JPEG_PER_BYTE <= (int64_t)size;
    if (!is_png(bytes, size) || size < 26 || bytes[25] >= COUNT_OF(channels))
        return pixels / TGA_PER_BYTE <= (int64_t)size;
    int64_t bits = (int64_t)bytes[24] * channels[bytes[25]];
    return pixels * bits / 8 / DEFLATE_BEST <= (int64_t)size;
}

/* An unpacked TGA says how long it must be; stb would fill what is missing with nothing in particular. */
static bool tga_complete(const uint8_t *bytes, size_t size, const char *name, Error *error) {
    if (size < 18)
        return fail(error, "%s: too short for an image (%zu bytes)", name, size);
    TgaHeader h = tga_header(bytes);
    if (h.kind != 1 && h.kind != 2 && h.kind != 3)
        return true;
    size_t palette = h.palette ? (size_t)h.palette_size * (size_t)((h.palette_bits + 7) / 8) : 0;
    size_t needed = 18 + (size_t)h.id + palette + (size_t)h.width * (size_t)h.height * (size_t)((h.bits + 7) / 8);
    return size >= needed || fail(error, "%s: the TGA image ends at byte %zu; its header needs %zu", name, size, needed);
}

/* stb honours the descriptor's bit 5 (rows from the top) but not bit 4 (rows from the right). */
static void tga_mirror(const uint8_t *bytes, Image *image) {
    if (!(tga_header(bytes).flags & 0x10))
        return;
    for (int y = 0; y < image->height; y++) {
        uint32_t *row = (uint32_t *)(void *)image->rgba + (size_t)y * (size_t)image->width;
        for (int left = 0, right = image->width - 1; left < right; left++, right--) {
            uint32_t kept = row[left];
            row[left] = row[right];
            row[right] = kept;
        }
    }
}

bool image_decode(const uint8_t *bytes, size_t size, const char *name, Image *out, Error *error) {
    *out = (Image){ 0 };
    if (size == 0 || size > INT_MAX)
        return fail(error, "%s: %s", name, size ? "too large for an image" : "the file is empty");
    bool tga = !is_png(bytes, size) && !is_jpeg(bytes, size);
    if (tga && !tga_complete(bytes, size, name, error))
        return false;
    if (is_jpeg(bytes, size) && !jpeg_sane(bytes, size))
        return fail(error, "%s: corrupt image (a JPEG table of more codes than there can be)", name);
    if (is_png(bytes, size) && !png_sane(bytes, size))
        return fail(error, "%s: corrupt image (a PNG chunk of pixels that is empty or longer than the file)", name);
    int width, height, parts;
    if (!stbi_info_from_memory(bytes, (int)size, &width, &height, &parts))
        return fail(error, "%s: not a TGA, JPEG or PNG image that can be read (%s)", name, stbi_failure_reason());
    int64_t pixels = (int64_t)width * height;
    if (width < 1 || height < 1 || width > IMAGE_CLAIM_MOST || height > IMAGE_CLAIM_MOST || pixels > PIXELS_MOST)
        return fail(error, "%s: an image of %dx%d pixels (at most %d a side)", name, width, height, IMAGE_CLAIM_MOST);
    if (!can_hold(bytes, size, pixels))
        return fail(error, "%s: %zu bytes cannot hold the %dx%d pixels that they claim", name, size, width, height);
    uint8_t *rgba = stbi_load_from_memory(bytes, (int)size, &width, &height, &parts, 4);
    if (!rgba)
        return fail(error, "%s: corrupt image (%s)", name, stbi_failure_reason());
    *out = (Image){ width, height, rgba, false };
    if (tga)
        tga_mirror(bytes, out);
    while (out->width > IMAGE_LARGEST || out->height > IMAGE_LARGEST) {
        Image half = image_halved(out);
        image_free(out);
        *out = half;
    }
    out->has_alpha = any_transparent(out);
    return true;
}

/* Which pixels one of the halved row (or column) stands for, and how much each counts. An odd length's halves do not fall
 * on whole pixels: each covers parts of three (weights sum up to the length, so that no pixel is lost). */
typedef struct Taps { int first, count; uint64_t weight[3], sum; } Taps;

static Taps taps_of(int length, int at) {
    if (length == 1)
        return (Taps){ 0, 1, { 1 }, 1 };
    if (length % 2 == 0)
        return (Taps){ at * 2, 2, { 1, 1 }, 2 };
    int half = length / 2;
    return (Taps){ at * 2, 3, { (uint64_t)(half - at), (uint64_t)half, (uint64_t)(at + 1) }, (uint64_t)length };
}

Image image_halved(const Image *image) {
    Image half = image_make(MAX(image->width / 2, 1), MAX(image->height / 2, 1));
    half.has_alpha = image->has_alpha;
    size_t stride = (size_t)image->width * 4;
    uint8_t *out = half.rgba;
    for (int y = 0; y < half.height; y++) {
        Taps down = taps_of(image->height, y);
        for (int x = 0; x < half.width; x++) {
            Taps along = taps_of(image->width, x);
            uint64_t sum[4] = { 0 }, whole = down.sum * along.sum;
            for (int j = 0; j < down.count; j++)
                for (int i = 0; i < along.count; i++) {
                    const uint8_t *in = image->rgba + (size_t)(down.first + j) * stride + (size_t)(along.first + i) * 4;
                    uint64_t weight = down.weight[j] * along.weight[i];
                    for (int c = 0; c < 4; c++)
                        sum[c] += in[c] * weight;
                }
            for (int c = 0; c < 4; c++)
                *out++ = (uint8_t)((sum[c] + whole / 2) / whole);
        }
    }
    return half;
}

int image_mip_count(int width, int height) {
    int count = 1;
    for (int side = MAX(width, height); side > 1; side /= 2)
        count++;
    return count;
}
