/* record/film.c -- pictures to a film's file: one is written while the next is drawn. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/film_internal.h"
#include "record/record.h"

enum { PNG_LEVEL = 1, SHOTS_A_THREAD = 2 };    /* of zlib: three times as fast as 6 for a tenth more bytes */

/* A picture on its way to the file. */
typedef struct Shot { Film *film; Image image; int64_t number; bool failed; Error error; } Shot;

struct Film {
    FilmKind kind;
    FilmSetup setup;
    char *path, *encoder_words;
    Jobs *jobs;
    Shot *shots;                     /* on their way; `shot_count` of `shot_room` */
    int shot_count, shot_room;
    int64_t written;
    int64_t failed_at;               /* frame that could not be written; -1: none */
    Error why;
    int file;                        /* of a .y4m */
    off_t whole;                     /* up to here it is good */
    bool regular;
    Encoder encoder;
    uint8_t *buffer;                 /* a frame as .y4m has it */
};

FilmKind film_kind(const char *path) {
    static const char *const encoded[] = { ".mp4", ".mkv", ".webm", ".mov" };
    char name[PATH_MAX];
    if (strcmp(path, "-") == 0 || text_ends_fold(path, ".y4m"))
        return FILM_Y4M;
    for (int i = 0; i < COUNT_OF(encoded); i++)
        if (text_ends_fold(path, encoded[i]))
            return FILM_ENCODED;
    return text_ends_fold(path, ".png") && film_picture_name(path, 0, name, sizeof name) ? FILM_PICTURES : FILM_NONE;
}

bool film_picture_name(const char *pattern, int64_t number, char *out, size_t room) {
    const char *percent = strchr(pattern, '%');
    if (!percent)
        return false;
    const char *at = percent + 1;
    int width = 0, digits = 0;
    bool zero = *at == '0';
    for (; *at >= '0' && *at <= '9' && digits < 3; at++, digits++)
        width = width * 10 + (*at - '0');
    if (*at != 'd' || width > 20 || strchr(at, '%') || (digits && !zero))
        return false;
    int length = snprintf(out, room, "%.*s%0*lld%s", (int)(percent - pattern), pattern, MAX(width, 1), (long long)number, at + 1);
    return length > 0 && (size_t)length < room;
}

bool film_make_folders(const char *path, Error *error) {
    char folder[PATH_MAX];
    text_copy(folder, sizeof folder, path);
    for (char *at = folder + 1; *at; at++) {
        if (*at != '/')
            continue;
        *at = 0;
        if (mkdir(folder, 0777) != 0 && errno != EEXIST)
            return fail(error, "%s: the folder cannot be made: %s", folder, strerror(errno));
        *at = '/';
    }
    return true;
}

bool film_may_write(const char *path, bool force, Error *error) {
    struct stat status;
    if (force || stat(path, &status) != 0 || !S_ISREG(status.st_mode))
        return true;
    return fail(error, "%s: is there already (--force overwrites it)", path);
}

/* BT.601 in 16 bits of fraction, 16..235 and 16..240. */
void film_planes(const Image *image, uint8_t *y, uint8_t *u, uint8_t *v) {
    size_t count = (size_t)image->width * (size_t)image->height;
    const uint8_t *in = image->rgba;
    for (size_t i = 0; i < count; i++, in += 4) {
        int r = in[0], g = in[1], b = in[2];
        y[i] = (uint8_t)((16829 * r + 33039 * g + 6416 * b + (16 << 16) + 32768) >> 16);
        u[i] = (uint8_t)((-9714 * r - 19070 * g + 28784 * b + (128 << 16) + 32768) >> 16);
        v[i] = (uint8_t)((28784 * r - 24103 * g - 4681 * b + (128 << 16) + 32768) >> 16);
    }
}

static const char y4m_mark[] = "FRAME\n";
enum { Y4M_MARK = sizeof y4m_mark - 1 };

static bool write_y4m_header(Film *film, Error *error) {
    char header[128];
    int length = snprintf(header, sizeof header, "YUV4MPEG2 W%d H%d F%lld:%lld Ip A1:1 C444 XCOLORRANGE=LIMITED\n", film->setup.width,
                          film->setup.height, (long long)film->setup.fps_num, (long long)film->setup.fps_den);
    if (!write_whole(film->file, header, (size_t)length))
        return fail(error, "%s: cannot be written: %s", film->path, strerror(errno));
    film->whole = length;
    return true;
}

static bool open_y4m(Film *film, Error *error) {
    struct stat status;
    bool standard = strcmp(film->path, "-") == 0;
    film->file = standard ? STDOUT_FILENO : open(film->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (film->file < 0)
        return fail(error, "%s: cannot be written: %s", film->path, strerror(errno));
    film->regular = !standard && fstat(film->file, &status) == 0 && S_ISREG(status.st_mode);
    film->buffer = mem_alloc(Y4M_MARK + 3 * (size_t)film->setup.width * (size_t)film->setup.height);
    memcpy(film->buffer, y4m_mark, Y4M_MARK);
    return write_y4m_header(film, error);
}

static bool open_pictures(Film *film, Error *error) {
    char name[PATH_MAX];
    if (!film_make_folders(film->path, error))
        return false;
    for (int64_t i = film->setup.first; i <= film->setup.last; i++) {
        film_picture_name(film->path, i, name, sizeof name);
        if (!film_may_write(name, film->setup.force, error))
            return false;
    }
    return true;
}

static char *copy_of(const char *text) {
    size_t size = strlen(text) + 1;
    return memcpy(mem_alloc(size), text, size);
}

static void film_free(Film *film) {
    jobs_close(film->jobs);
    for (int i = 0; i < film->shot_count; i++)
        image_free(&film->shots[i].image);
    mem_free(film->shots);
    mem_free(film->buffer);
    mem_free(film->path);
    mem_free(film->encoder_words);
    mem_free(film);
}

Film *film_open(const FilmSetup *setup, Error *error) {
    FilmKind kind = film_kind(setup->path);
    if (kind == FILM_NONE) {
        fail(error, "%s: films are .y4m, .mp4, .mkv, .webm, .mov, or pictures as dir/%%05d.png", setup->path);
        return NULL;
    }
    if (setup->width < 1 || setup->height < 1 || setup->width > 16384 || setup->height > 16384 || setup->fps_num < 1 || setup->fps_den < 1) {
        fail(error, "%s: a film of %dx%d pixels at %lld/%lld frames a second", setup->path, setup->width, setup->height,
             (long long)setup->fps_num, (long long)setup->fps_den);
        return NULL;
    }
    if (kind != FILM_PICTURES && !film_may_write(setup->path, setup->force, error))
        return NULL;
    Film *film = mem_zeroed(1, sizeof *film);
    film->kind = kind;
    film->setup = *setup;
    film->path = copy_of(setup->path);
    film->encoder_words = setup->encoder ? copy_of(setup->encoder) : NULL;
    film->setup.path = film->path;
    film->setup.encoder = film->encoder_words;
    film->failed_at = -1;
    film->file = -1;
    bool opened = kind == FILM_Y4M       ? open_y4m(film, error)
                  : kind == FILM_ENCODED ? encoder_open(&film->encoder, &film->setup, error)
                                         : open_pictures(film, error);
    /* Threads of its own: the renderer's are busy with the next picture. One writes a stream, in order; pictures are
     * encoded by as many as there are. */
    int threads = setup->threads > 0 ? setup->threads : jobs_machine_threads();
    film->jobs = jobs_open(kind == FILM_PICTURES ? threads + 1 : 2);
    film->shot_room = kind == FILM_PICTURES ? threads * SHOTS_A_THREAD : 1;
    film->shots = mem_zeroed((size_t)film->shot_room, sizeof *film->shots);
    if (opened)
        return film;
    if (film->file > STDERR_FILENO)
        close(film->file);
    film_free(film);
    return NULL;
}

static bool write_y4m(Shot *shot) {
    Film *film = shot->film;
    size_t count = (size_t)film->setup.width * (size_t)film->setup.height;
    uint8_t *planes = film->buffer + Y4M_MARK;
    film_planes(&shot->image, planes, planes + count, planes + 2 * count);
    if (write_whole(film->file, film->buffer, Y4M_MARK + 3 * count)) {
        film->whole += (off_t)(Y4M_MARK + 3 * count);
        return true;
    }
    int why = errno;
    bool cut = film->regular && ftruncate(film->file, film->whole) == 0;    /* half a frame is none */
    return fail(&shot->error, "%s: frame %lld cannot be written: %s%s", film->path, (long long)shot->number, strerror(why),
                cut ? "; those before it are in the file" : "");
}

static void write_shot(void *user) {
    Shot *shot = user;
    Film *film = shot->film;
    bool done;
    if (film->kind == FILM_Y4M) {
        done = write_y4m(shot);
    } else if (film->kind == FILM_ENCODED) {
        size_t size = 4 * (size_t)film->setup.width * (size_t)film->setup.height;
        done = encoder_write(&film->encoder, shot->image.rgba, size) ||
               fail(&shot->error, "frame %lld: %s", (long long)shot->number, strerror(errno));
    } else {
        char name[PATH_MAX];
        film_picture_name(film->path, shot->number, name, sizeof name);
        done = film_may_write(name, film->setup.force, &shot->error) && record_png(name, &shot->image, PNG_LEVEL, &shot->error);
    }
    shot->failed = !done;
    image_free(&shot->image);
}

/* Waits for what is on its way; notes the first failure. */
static void settle(Film *film) {
    jobs_wait(film->jobs);
    for (int i = 0; i < film->shot_count; i++) {
        const Shot *shot = &film->shots[i];
        film->written += !shot->failed;
        if (shot->failed && film->failed_at < 0) {
            film->failed_at = shot->number;
            film->why = shot->error;
        }
    }
    film->shot_count = 0;
}

static bool report(Film *film, Error *error) {
    if (film->failed_at < 0)
        return true;
    if (film->kind == FILM_ENCODED && film->encoder.process) {    /* what it died of says more than a broken pipe */
        Error why = { "" };
        if (encoder_close(&film->encoder, film->path, &why))
            fail(&why, "%s: ffmpeg stopped reading", film->path);
        fail(&film->why, "%s; it had been given the frames before %lld", why.text, (long long)film->failed_at);
    }
    return fail(error, "%s", film->why.text);
}

bool film_frame(Film *film, int64_t number, Image *image, Error *error) {
    bool right = image->width == film->setup.width && image->height == film->setup.height;
    if (film->shot_count == film->shot_room)
        settle(film);
    if (film->failed_at >= 0 || !right) {
        int width = image->width, height = image->height;
        image_free(image);
        return film->failed_at >= 0 ? report(film, error)
                                    : fail(error, "%s: frame %lld is %dx%d pixels, the film %dx%d", film->path, (long long)number, width,
                                           height, film->setup.width, film->setup.height);
    }
    Shot *shot = &film->shots[film->shot_count++];
    *shot = (Shot){ .film = film, .image = *image, .number = number };
    *image = (Image){ 0 };
    jobs_start(film->jobs, write_shot, shot);
    return true;
}

int64_t film_written(const Film *film) { return film->written; }

bool film_close(Film *film, Error *error) {
    if (!film)
        return true;
    settle(film);
    bool fine = report(film, error);
    if (film->kind == FILM_ENCODED && film->encoder.process)
        fine = encoder_close(&film->encoder, film->path, error) && fine;
    if (film->kind == FILM_Y4M && film->file > STDERR_FILENO && close(film->file) != 0 && fine)
        fine = fail(error, "%s: cannot be written: %s", film->path, strerror(errno));
    film_free(film);
    return fine;
}
