/* record/png.c -- PNG pictures by libpng: 8 bits a channel, nothing in them but the pixels. */
#include "record/record.h"

#include <png.h>
#include <setjmp.h>

typedef struct Writer {
    ARRAY(uint8_t) out;
    char text[256];
} Writer;

static void take_bytes(png_structp png, png_bytep bytes, size_t count) {
    Writer *writer = png_get_io_ptr(png);
    if (count)
        memcpy(array_push_n(&writer->out, count), bytes, count);
}

static void nothing_to_flush(png_structp png) { (void)png; }

static void refuse(png_structp png, const char *text) {
    Writer *writer = png_get_error_ptr(png);
    text_copy(writer->text, sizeof writer->text, text);
    png_longjmp(png, 1);
}

static void warn_nobody(png_structp png, const char *text) {
    (void)png;
    (void)text;
}

static png_voidp png_take(png_structp png, png_alloc_size_t size) {
    (void)png;
    return mem_alloc(size);
}

static void png_give(png_structp png, png_voidp memory) {
    (void)png;
    mem_free(memory);
}

static bool opaque(const Image *image) {
    size_t count = (size_t)image->width * (size_t)image->height;
    for (size_t i = 0; i < count; i++)
        if (image->rgba[i * 4 + 3] != 255)
            return false;
    return true;
}

/* Everything between here and the end may jump back to the setjmp, so nothing that changes after it is looked at there. */
static bool write_picture(png_structp png, png_infop info, const Image *image, int level, uint8_t *row) {
    if (setjmp(png_jmpbuf(png)))
        return false;
    bool plain = opaque(image);
    png_set_IHDR(png, info, (png_uint_32)image->width, (png_uint_32)image->height, 8,
                 plain ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_RGB_ALPHA, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_set_compression_level(png, CLAMP(level, 0, 9));
    if (level <= 1)
        png_set_filter(png, PNG_FILTER_TYPE_BASE, level == 0 ? PNG_FILTER_NONE : PNG_FILTER_SUB);    /* fast, for films */
    png_write_info(png, info);
    for (int y = 0; y < image->height; y++) {
        const uint8_t *in = image->rgba + (size_t)y * (size_t)image->width * 4;
        if (!plain) {
            png_write_row(png, in);
            continue;
        }
        for (int x = 0; x < image->width; x++)
            memcpy(row + (size_t)x * 3, in + (size_t)x * 4, 3);
        png_write_row(png, row);
    }
    png_write_end(png, NULL);
    return true;
}

static bool write_gray(png_structp png, png_infop info, const uint16_t *gray, int width, int height, int level, uint8_t *row) {
    if (setjmp(png_jmpbuf(png)))
        return false;
    png_set_IHDR(png, info, (png_uint_32)width, (png_uint_32)height, 16, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_compression_level(png, CLAMP(level, 0, 9));
    png_write_info(png, info);
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {    /* the high byte first */
            uint16_t value = gray[(size_t)y * (size_t)width + (size_t)x];
            row[x * 2] = (uint8_t)(value >> 8);
            row[x * 2 + 1] = (uint8_t)value;
        }
        png_write_row(png, row);
    }
    png_write_end(png, NULL);
    return true;
}

bool record_png_gray(const char *path, const uint16_t *gray, int width, int height, int level, Error *error) {
    Writer writer = { 0 };
    png_structp png = png_create_write_struct_2(PNG_LIBPNG_VER_STRING, &writer, refuse, warn_nobody, NULL, png_take, png_give);
    if (!png)
        return fail(error, "PNG: libpng cannot be used (compiled for %s)", PNG_LIBPNG_VER_STRING);
    png_set_write_fn(png, &writer, take_bytes, nothing_to_flush);
    png_infop info = png_create_info_struct(png);
    uint8_t *row = mem_alloc((size_t)width * 2);
    bool done = info && write_gray(png, info, gray, width, height, level, row);
    mem_free(row);
    png_destroy_write_struct(&png, &info);
    done = done ? file_write_disk(path, writer.out.at, writer.out.count, error) : fail(error, "%s: %s", path, writer.text);
    array_free(&writer.out);
    return done;
}

bool record_png_bytes(const Image *image, int level, uint8_t **bytes, size_t *size, Error *error) {
    *bytes = NULL;
    *size = 0;
    if (image->width < 1 || image->height < 1)
        return fail(error, "a picture of %dx%d pixels cannot be written as PNG", image->width, image->height);
    Writer writer = { 0 };
    png_structp png = png_create_write_struct_2(PNG_LIBPNG_VER_STRING, &writer, refuse, warn_nobody, NULL, png_take, png_give);
    if (!png)
        return fail(error, "PNG: libpng cannot be used (compiled for %s)", PNG_LIBPNG_VER_STRING);
    png_set_write_fn(png, &writer, take_bytes, nothing_to_flush);
    png_infop info = png_create_info_struct(png);
    uint8_t *row = mem_alloc((size_t)image->width * 3);
    bool done = info && write_picture(png, info, image, level, row);
    mem_free(row);
    png_destroy_write_struct(&png, &info);
    if (!done) {
        array_free(&writer.out);
        return fail(error, "PNG of %dx%d: %s", image->width, image->height, writer.text);
    }
    *bytes = writer.out.at;
    *size = writer.out.count;
    return true;
}

bool record_png(const char *path, const Image *image, int level, Error *error) {
    uint8_t *bytes;
    size_t size;
    if (!record_png_bytes(image, level, &bytes, &size, error))
        return fail_within(error, "%s: ", path);
    bool done = file_write_disk(path, bytes, size, error);
    mem_free(bytes);
    return done;
}
