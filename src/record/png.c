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

/* A picture as libpng wants it, a row at a time. */
typedef struct Rows {
    int width, height, bits, color;      /* color: PNG_COLOR_TYPE_ */
    int bytes;                           /* of a pixel */
    bool films;                          /* rows of films are filtered by what is fast */
    const void *from;
    void (*take)(const struct Rows *rows, int y, uint8_t *row);
} Rows;

static void take_rgba(const Rows *rows, int y, uint8_t *row) {
    size_t bytes = (size_t)rows->width * 4;
    memcpy(row, (const uint8_t *)rows->from + (size_t)y * bytes, bytes);
}

static void take_rgb(const Rows *rows, int y, uint8_t *row) {
    const uint8_t *in = (const uint8_t *)rows->from + (size_t)y * (size_t)rows->width * 4;
    for (int x = 0; x < rows->width; x++)
        memcpy(row + (size_t)x * 3, in + (size_t)x * 4, 3);
}

static void take_gray(const Rows *rows, int y, uint8_t *row) {    /* the high byte first */
    const uint16_t *in = (const uint16_t *)rows->from + (size_t)y * (size_t)rows->width;
    for (int x = 0; x < rows->width; x++) {
        row[x * 2] = (uint8_t)(in[x] >> 8);
        row[x * 2 + 1] = (uint8_t)in[x];
    }
}

/* Everything between here and the end may jump back to the setjmp, so nothing that changes after it is looked at there. */
static bool write_rows(png_structp png, png_infop info, const Rows *rows, int level, uint8_t *row) {
    if (setjmp(png_jmpbuf(png)))
        return false;
    png_set_IHDR(png, info, (png_uint_32)rows->width, (png_uint_32)rows->height, rows->bits, rows->color, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_compression_level(png, CLAMP(level, 0, 9));
    if (rows->films && level <= 1)
        png_set_filter(png, PNG_FILTER_TYPE_BASE, level == 0 ? PNG_FILTER_NONE : PNG_FILTER_SUB);
    png_write_info(png, info);
    for (int y = 0; y < rows->height; y++) {
        rows->take(rows, y, row);
        png_write_row(png, row);
    }
    png_write_end(png, NULL);
    return true;
}

/* The file's bytes into `writer`, whose memory is the caller's also where this fails. */
static bool encode(const Rows *rows, int level, Writer *writer, Error *error) {
    if (rows->width < 1 || rows->height < 1)
        return fail(error, "a picture of %dx%d pixels cannot be written as PNG", rows->width, rows->height);
    png_structp png = png_create_write_struct_2(PNG_LIBPNG_VER_STRING, writer, refuse, warn_nobody, NULL, png_take, png_give);
    if (!png)
        return fail(error, "PNG: libpng cannot be used (compiled for %s)", PNG_LIBPNG_VER_STRING);
    png_set_write_fn(png, writer, take_bytes, nothing_to_flush);
    png_infop info = png_create_info_struct(png);
    uint8_t *row = mem_alloc((size_t)rows->width * (size_t)rows->bytes);
    bool done = info && write_rows(png, info, rows, level, row);
    mem_free(row);
    png_destroy_write_struct(&png, &info);
    return done || fail(error, "PNG of %dx%d: %s", rows->width, rows->height, writer->text);
}

bool record_png_gray(const char *path, const uint16_t *gray, int width, int height, int level, Error *error) {
    Rows rows = { width, height, 16, PNG_COLOR_TYPE_GRAY, 2, false, gray, take_gray };
    Writer writer = { 0 };
    bool done = encode(&rows, level, &writer, error) ? file_write_disk(path, writer.out.at, writer.out.count, error)
                                                     : fail_within(error, "%s: ", path);
    array_free(&writer.out);
    return done;
}

bool record_png_bytes(const Image *image, int level, uint8_t **bytes, size_t *size, Error *error) {
    bool plain = image->width > 0 && image->height > 0 && opaque(image);
    Rows rows = { image->width, image->height, 8, plain ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_RGB_ALPHA, plain ? 3 : 4, true,
                  image->rgba, plain ? take_rgb : take_rgba };
    Writer writer = { 0 };
    bool done = encode(&rows, level, &writer, error);
    if (!done)
        array_free(&writer.out);
    *bytes = done ? writer.out.at : NULL;
    *size = done ? writer.out.count : 0;
    return done;
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
