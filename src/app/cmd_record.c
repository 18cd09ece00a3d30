/* app/cmd_record.c -- `leafwalk record`: a film of a level while scripts run, or a part of one. */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "app/app.h"
#include "script/filming.h"

static const double usual_seconds = 10;

typedef struct Recording { FilmingSetup setup; int64_t first, last; } Recording;

/* "A-B" or "A"; both ends included. */
static bool read_frames(const char *text, int64_t *first, int64_t *last) {
    const char *end;
    double from = text_number(text, &end), to = from;
    if (end == text || (*end && (*end != '-' || !text_whole_number(end + 1, &to))))
        return false;
    if (!(from >= 0 && to >= from && to < 1e9) || from != floor(from) || to != floor(to))
        return false;
    *first = (int64_t)from;
    *last = (int64_t)to;
    return true;
}

static bool read_setup(App *app, Recording *out, int *status) {
    const Options *options = &app->options;
    FilmSetup *film = &out->setup.film;
    *out = (Recording){ .setup = { .rasterizer = NULL, .blur = options->blur, .shutter = options->shutter, .passes = options->passes } };
    *film = (FilmSetup){ .path = options->out, .width = options->width, .height = options->height, .force = options->force,
                         .encoder = options->encoder, .threads = options->threads };
    if (!options->out) {
        *status = app_refused("record needs -o OUT: a film (.y4m, .mp4, .mkv, .webm, .mov) or pictures (dir/%%05d.png)");
        return false;
    }
    if (film_kind(options->out) == FILM_NONE) {
        *status = app_refused("-o %s: films are .y4m, .mp4, .mkv, .webm, .mov, or pictures as dir/%%05d.png", options->out);
        return false;
    }
    if (!fps_read(options->fps ? options->fps : "60", &film->fps_num, &film->fps_den)) {
        *status = app_refused("--fps takes a number from 1 to %d or a fraction (30000/1001), not \"%s\"", FPS_MOST, options->fps);
        return false;
    }
    if (options->frames && options->seconds > 0) {
        *status = app_refused("--seconds and --frames both say how long the film is: one of them");
        return false;
    }
    double seconds = options->seconds > 0 ? options->seconds : usual_seconds;
    out->last = (int64_t)fmax(1, floor(seconds * (double)film->fps_num / (double)film->fps_den + 0.5)) - 1;
    if (options->frames && !read_frames(options->frames, &out->first, &out->last)) {
        *status = app_refused("--frames takes A-B, whole numbers from 0, not \"%s\"", options->frames);
        return false;
    }
    film->first = out->first;
    film->last = out->last;
    return true;
}

/* Frames a second and the time left: one line that changes on a terminal, else a line now and then. */
typedef struct Progress { bool terminal; double started, told; int64_t frames; } Progress;

static double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void tell(Progress *progress, int64_t done, int64_t total, const char *what) {
    enum { BAR = 30 };
    double now = seconds_now(), rate = (double)done / fmax(now - progress->started, 1e-3), every = progress->terminal ? 0.1 : 5;
    if (now - progress->told < every)
        return;
    progress->told = now;
    int left = (int)fmin((double)(total - done) / fmax(rate, 1e-3), 359999);
    if (!progress->terminal) {
        fprintf(stderr, "%s: %lld of %lld frames, %.1f a second, %d:%02d left\n", what, (long long)done, (long long)total, rate, left / 60, left % 60);
        return;
    }
    char bar[BAR + 1];
    int full = (int)(done * BAR / total);
    memset(bar, '#', (size_t)full);
    memset(bar + full, '.', (size_t)(BAR - full));
    bar[BAR] = 0;
    fprintf(stderr, "\r[%s] %3d %%  %s %lld/%lld  %.1f/s  %d:%02d left \033[K", bar, (int)(done * 100 / total), what, (long long)done, (long long)total,
            rate, left / 60, left % 60);
}

static void told(const Progress *progress) {
    if (progress->terminal)
        fprintf(stderr, "\r\033[K");
}

/* Ctrl+C and its like are held back while the film runs and asked for between frames, so that each frame is whole. */
static void hold_signals(sigset_t *held) {
    sigemptyset(held);
    sigaddset(held, SIGINT);
    sigaddset(held, SIGTERM);
    sigaddset(held, SIGHUP);
    pthread_sigmask(SIG_BLOCK, held, NULL);
}

static int signal_came(const sigset_t *held) { return sigtimedwait(held, NULL, &(struct timespec){ 0, 0 }); }

/* The frames; `done` of them were given to the film. */
static bool run(Filming *filming, const Recording *recording, int64_t *done, Error *error) {
    Progress progress = { .terminal = isatty(STDERR_FILENO), .started = seconds_now() };
    progress.told = progress.started;
    int64_t total = recording->last - recording->first + 1;
    sigset_t held;
    hold_signals(&held);
    int came = -1;
    bool fine = true;
    while (fine && came < 0 && filming_next(filming) < recording->first && !filming_stopped(filming)) {
        filming_skip(filming);
        tell(&progress, filming_next(filming), recording->first, "frames before the part");
        came = signal_came(&held);
    }
    progress.started = progress.told = seconds_now();
    while (fine && came < 0 && filming_next(filming) <= recording->last && !filming_stopped(filming)) {
        fine = filming_frame(filming, error);
        *done += fine;
        tell(&progress, *done, total, "filmed");
        came = signal_came(&held);
    }
    told(&progress);
    return came < 0 ? fine : fail(error, "stopped by signal %d (%s) after frame %lld: what was filmed is kept", came, strsignal(came),
                                  (long long)filming_next(filming) - 1);
}

static bool add_scripts(App *app) {
    for (int i = 1; i < (int)app->options.words.count; i++) {
        Error error;
        if (!scripts_add(app->scripts, app_word(app, i), &error)) {
            app_failed(&error);
            return false;
        }
    }
    return true;
}

int cmd_record(App *app) {
    int status;
    Shade shade;
    Recording recording;
    Error error, closing;
    if (!read_setup(app, &recording, &status) || !app_shade(app, &shade, &status))
        return status;
    if (recording.setup.film.path && film_kind(app->options.out) != FILM_PICTURES && !film_may_write(app->options.out, app->options.force, &error))
        return app_failed(&error);    /* before a level is loaded for nothing */
    if (!app_use_renderer(app, &status))
        return status;
    app->engine->shade = shade;
    if (!app_open_map(app, app_word(app, 0)))
        return STATUS_FAILED;
    app_set_fov(app);
    if (!app_open_scripts(app, false, false, NULL) || !add_scripts(app))
        return STATUS_FAILED;
    Filming *filming = filming_open(app->scripts, &recording.setup, &error);
    if (!filming)
        return app_failed(&error);
    int64_t done = 0;
    bool fine = run(filming, &recording, &done, &error);
    bool closed = filming_close(filming, fine ? &error : &closing);
    return fine && closed ? STATUS_FINE : app_failed(&error);
}
