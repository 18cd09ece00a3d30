/* record/encoder.c -- an ffmpeg process fed with raw pictures. No shell sees its words; a dead one is an error, no signal. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "record/film_internal.h"

typedef ARRAY(char *) Words;

static void add_word(Words *words, const char *text) {
    size_t size = strlen(text) + 1;
    *array_push(words) = memcpy(mem_alloc(size), text, size);
}

static void free_words(Words *words) {
    for (size_t i = 0; i < words->count; i++)
        mem_free(words->at[i]);
    array_free(words);
}

/* Blanks part words; "double" and 'single' quotes keep them together. False: a quote is not closed. */
static bool split_words(Words *words, const char *text) {
    Text word = { 0 };
    bool any = false;
    char quote = 0;
    for (;; text++) {
        if (quote && !*text) {
            text_free(&word);
            return false;
        }
        if (quote && *text == quote) {
            quote = 0;
        } else if (!quote && (*text == '"' || *text == '\'')) {
            quote = *text;
            any = true;
        } else if (!quote && (!*text || *text == ' ' || *text == '\t' || *text == '\n')) {
            if (any)
                add_word(words, text_of(&word));
            any = false;
            word.count = 0;
            if (word.at)
                word.at[0] = 0;
            if (!*text)
                break;
        } else {
            text_add_char(&word, *text);
            any = true;
        }
    }
    text_free(&word);
    return true;
}

static bool has_word(const Words *words, const char *word) {
    for (size_t i = 0; i < words->count; i++)
        if (strcmp(words->at[i], word) == 0)
            return true;
    return false;
}

static void add_all(Words *words, const char *const *list) {
    for (; *list; list++)
        add_word(words, *list);
}

static bool make_words(Words *words, const FilmSetup *setup, Error *error) {
    static const char *const start[] = { "ffmpeg", "-hide_banner", "-loglevel", "warning", "-nostats", "-y", "-f", "rawvideo", "-pix_fmt", "rgb0", NULL };
    static const char *const x264[] = { "-c:v", "libx264", "-preset", "veryfast", "-crf", "18", NULL };
    static const char *const vp9[] = { "-c:v", "libvpx-vp9", "-crf", "30", "-b:v", "0", "-row-mt", "1", "-deadline", "realtime", "-cpu-used", "6", NULL };
    static const char *const pieces[] = { "-movflags", "+frag_keyframe+empty_moov+default_base_moof", NULL };
    char text[64];
    add_all(words, start);
    snprintf(text, sizeof text, "%dx%d", setup->width, setup->height);
    add_word(words, "-video_size");
    add_word(words, text);
    snprintf(text, sizeof text, "%lld/%lld", (long long)setup->fps_num, (long long)setup->fps_den);
    add_word(words, "-framerate");
    add_word(words, text);
    add_all(words, (const char *const[]){ "-i", "-", "-an", NULL });
    Words own = { 0 };
    if (setup->encoder && !split_words(&own, setup->encoder)) {
        free_words(&own);
        return fail(error, "the encoder's options: a quote is not closed: %s", setup->encoder);
    }
    bool webm = text_ends_fold(setup->path, ".webm");
    if (!own.count)
        add_all(words, webm ? vp9 : x264);
    if (!has_word(&own, "-pix_fmt")) {
        add_word(words, "-pix_fmt");
        add_word(words, setup->width % 2 || setup->height % 2 ? "yuv444p" : "yuv420p");    /* halves need even sides */
    }
    if ((text_ends_fold(setup->path, ".mp4") || text_ends_fold(setup->path, ".mov")) && !has_word(&own, "-movflags"))
        add_all(words, pieces);
    for (size_t i = 0; i < own.count; i++)
        *array_push(words) = own.at[i];
    array_free(&own);
    /* A name that begins like an option or a protocol is still a file. */
    Text file = { 0 };
    text_format(&file, "file:%s", setup->path);
    add_word(words, text_of(&file));
    text_free(&file);
    *array_push(words) = NULL;
    return true;
}

bool encoder_open(Encoder *encoder, const FilmSetup *setup, Error *error) {
    Words words = { 0 };
    *encoder = (Encoder){ .pipe = -1 };
    if (!make_words(&words, setup, error)) {
        free_words(&words);
        return false;
    }
    Text log = { 0 };
    text_format(&log, "%s.ffmpeg.log", setup->path);
    encoder->log = log.at;
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        free_words(&words);
        return fail(error, "%s: no pipe to ffmpeg: %s", setup->path, strerror(errno));
    }
    fcntl(ends[1], F_SETPIPE_SZ, 1 << 20);    /* fewer switches; what is refused stays as it was */

    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, ends[0], STDIN_FILENO);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, encoder->log, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    /* In a group of its own: Ctrl+C stops us, and it then ends as its input does, with a whole file. */
    sigset_t none, usual;
    sigemptyset(&none);
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    int why = posix_spawnp(&encoder->process, words.at[0], &files, &attributes, words.at, environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    free_words(&words);
    close(ends[0]);
    encoder->pipe = ends[1];
    if (why == 0)
        return true;
    close(ends[1]);
    encoder->pipe = -1;
    encoder->process = 0;
    mem_free(encoder->log);
    encoder->log = NULL;
    return fail(error, "%s: ffmpeg cannot be started: %s (it is needed for .mp4, .mkv, .webm and .mov; .y4m and .png are written without it)",
                setup->path, strerror(why));
}

static bool write_all(int file, const char *at, size_t size) {
    while (size) {
        ssize_t put = write(file, at, size);
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return false;
        at += put;
        size -= (size_t)put;
    }
    return true;
}

/* Without a reader a pipe sends SIGPIPE to the thread that writes: it is held back, and taken. */
bool write_whole(int file, const void *bytes, size_t size) {
    sigset_t pipe_signal, before, pending;
    sigemptyset(&pipe_signal);
    sigaddset(&pipe_signal, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);
    bool done = write_all(file, bytes, size);
    int why = errno;
    if (!done && why == EPIPE && sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE))
        sigtimedwait(&pipe_signal, NULL, &(struct timespec){ 0, 0 });
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = why;
    return done;
}

bool encoder_write(Encoder *encoder, const void *bytes, size_t size) { return write_whole(encoder->pipe, bytes, size); }

/* The last line of its log that says something. */
static void last_words(const char *log, Text *out) {
    FileBytes file;
    if (!file_read_disk(log, &file, NULL))
        return;
    const char *bytes = (const char *)file.bytes;
    size_t end = file.size;
    while (end > 0 && (bytes[end - 1] == '\n' || bytes[end - 1] == '\r' || bytes[end - 1] == ' '))
        end--;
    size_t start = end;
    while (start > 0 && bytes[start - 1] != '\n' && bytes[start - 1] != '\r')
        start--;
    if (end > start)
        text_add_n(out, bytes + start, MIN(end - start, 300));
    file_free(&file);
}

static bool empty_file(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && status.st_size == 0;
}

bool encoder_close(Encoder *encoder, const char *path, Error *error) {
    int status = 0;
    close(encoder->pipe);
    while (waitpid(encoder->process, &status, 0) < 0 && errno == EINTR)
        ;
    bool fine = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    Text said = { 0 };
    last_words(encoder->log, &said);
    if (!fine && WIFSIGNALED(status))
        fail(error, "%s: ffmpeg was ended by signal %d (%s)%s%s", path, WTERMSIG(status), strsignal(WTERMSIG(status)),
             said.count ? ": " : "", text_of(&said));
    else if (!fine)
        fail(error, "%s: ffmpeg ended with status %d%s%s (all it said: %s)", path, WEXITSTATUS(status), said.count ? ": " : "",
             text_of(&said), encoder->log);
    if (empty_file(encoder->log))
        unlink(encoder->log);
    text_free(&said);
    mem_free(encoder->log);
    *encoder = (Encoder){ .pipe = -1 };
    return fine;
}
