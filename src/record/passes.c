/* record/passes.c -- passes of a film: which are wanted, their files, and the sidecar that says what they were made from. */
#include "record/passes.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>

#include "record/record.h"

typedef enum Pass { PASS_COLOR, PASS_DEPTH, PASS_NORMAL, PASS_FACE, PASS_LEAF, PASS_CLUSTER, PASS_MATERIAL, PASS_LIGHTMAP, PASS_OVERDRAW, PASS_COUNT } Pass;
static const char *const pass_names[PASS_COUNT] = { "color", "depth", "normal", "face", "leaf", "cluster", "material", "lightmap", "overdraw" };

enum { PNG_LEVEL = 1, NOTHING = 0xffffff, DEPTH_STEPS = 65534 };
static const double depth_far = 16384;    /* 16 bits over the largest level's side: a quarter of a unit */

struct Passes {
    bool want[PASS_COUNT];
    bool exact;                      /* some pass needs the ids */
    PixelIds ids;
    Jobs *jobs;
    char folder[PATH_MAX], pattern[NAME_MAX + 1];    /* of the passes' folders; of a picture's name in them */
    bool force;
    double near;
};

static bool read_names(Passes *passes, const char *names, Error *error) {
    for (const char *at = names;;) {
        size_t length = strcspn(at, ",");
        int pass = 0;
        while (pass < PASS_COUNT && (strlen(pass_names[pass]) != length || strncmp(pass_names[pass], at, length) != 0))
            pass++;
        if (pass == PASS_COUNT)
            return fail(error, "there is no pass \"%.*s\" (there are: color, depth, normal, face, leaf, cluster, material, lightmap, overdraw)",
                        (int)length, at);
        passes->want[pass] = true;
        passes->exact |= pass != PASS_COLOR && pass != PASS_LIGHTMAP;
        if (!at[length])
            return true;
        at += length + 1;
    }
}

/* DIR/%05d.png: DIR and %05d; film.mp4: film.passes and %05d. The sidecar: DIR/film.json, film.mp4.json. */
static bool find_places(Passes *passes, const char *path, char *sidecar, size_t room, Error *error) {
    bool pictures = film_kind(path) == FILM_PICTURES;
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    int length;
    if (pictures && strchr(path, '%') < name)
        return fail(error, "%s: passes need the frame's number in the file's own name, not in a folder's", path);
    if (pictures) {
        length = snprintf(passes->folder, sizeof passes->folder, "%.*s", (int)(slash ? slash - path : 1), slash ? path : ".");
        snprintf(passes->pattern, sizeof passes->pattern, "%.*s", (int)strlen(name) - 4, name);
        snprintf(sidecar, room, "%s/film.json", passes->folder);
    } else {
        const char *dot = strrchr(name, '.');
        length = snprintf(passes->folder, sizeof passes->folder, "%.*s.passes", (int)(dot ? dot - path : 0), path);
        snprintf(passes->pattern, sizeof passes->pattern, "%%05d");
        snprintf(sidecar, room, "%s.json", path);
    }
    return (length > 0 && length < (int)sizeof passes->folder - 64) || fail(error, "%s: the name is too long", path);
}

static bool pass_file(const Passes *passes, const char *pass, int64_t number, const char *ending, char *out, size_t room) {
    char pattern[PATH_MAX];
    int length = snprintf(pattern, sizeof pattern, "%s/%s/%s.%s", passes->folder, pass, passes->pattern, ending);
    return length > 0 && length < (int)sizeof pattern && film_picture_name(pattern, number, out, room);
}

static bool make_folders(const Passes *passes, Error *error) {
    char name[PATH_MAX];
    for (int pass = PASS_DEPTH; pass < PASS_COUNT; pass++)
        if (passes->want[pass] && (!pass_file(passes, pass_names[pass], 0, "png", name, sizeof name) || !film_make_folders(name, error)))
            return false;
    return true;
}

static bool files_are_free(const Passes *passes, const FilmSetup *film, Error *error) {
    char name[PATH_MAX];
    for (int pass = PASS_DEPTH; pass < PASS_COUNT; pass++)
        for (int64_t i = film->first; passes->want[pass] && i <= film->last; i++)
            if (pass_file(passes, pass_names[pass], i, "png", name, sizeof name) && !film_may_write(name, film->force, error))
                return false;
    return true;
}

static void add_text(Text *out, const char *name, const char *value, const char *after) {
    text_format(out, "  \"%s\": ", name);
    text_add_json(out, value, strlen(value));
    text_add(out, after);
}

/* Nothing of the machine, the time or the part: the parts of one film write the same bytes. */
static void sidecar_text(const Passes *passes, const PassesSetup *setup, Text *out) {
    const FilmSetup *film = &setup->film;
    text_add(out, "{\n");
    add_text(out, "leafwalk", setup->version ? setup->version : "", ",\n");
    add_text(out, "level", setup->map ? setup->map->path : "", ",\n");
    text_format(out, "  \"level_hash\": \"%016llx\",\n", setup->map ? (unsigned long long)setup->map->hash : 0);
    text_add(out, "  \"scripts\": [");
    for (int i = 0; i < setup->script_count; i++) {
        text_add(out, i ? ", { \"file\": " : "{ \"file\": ");
        text_add_json(out, setup->scripts[i].name, strlen(setup->scripts[i].name));
        text_format(out, ", \"hash\": \"%016llx\" }", (unsigned long long)setup->scripts[i].hash);
    }
    text_add(out, "],\n");
    add_text(out, "film", film->path, ",\n");
    add_text(out, "rasterizer", setup->rasterizer, ",\n");
    text_format(out, "  \"width\": %d,\n  \"height\": %d,\n  \"fps\": [%lld, %lld],\n  \"blur\": %d,\n  \"shutter\": ", film->width, film->height,
                (long long)film->fps_num, (long long)film->fps_den, setup->blur);
    text_add_number(out, setup->shutter);
    text_format(out, ",\n  \"seed\": %llu,\n  \"passes\": [", (unsigned long long)setup->seed);
    bool first = true;
    for (int pass = 0; pass < PASS_COUNT; pass++)
        if (passes->want[pass]) {
            text_format(out, "%s\"%s\"", first ? "" : ", ", pass_names[pass]);
            first = false;
        }
    text_format(out, "],\n  \"depth\": { \"near\": %g, \"far\": %g, \"steps\": %d },\n  \"settings\": {", passes->near, depth_far, DEPTH_STEPS);
    first = true;
    for (int i = 0; i < vars_count(setup->vars); i++) {
        const Var *var = vars_at(setup->vars, i);
        bool ours = text_starts(var->name, "r.") || text_starts(var->name, "camera.") || text_starts(var->name, setup->rasterizer);
        if (!var->defined || !ours || text_ends_fold(var->name, ".threads"))    /* how fast is no part of what */
            continue;
        text_format(out, "%s\n    ", first ? "" : ",");
        text_add_json(out, var->name, strlen(var->name));
        text_add(out, ": ");
        text_add_json(out, var->text, strlen(var->text));
        first = false;
    }
    text_add(out, "\n  }\n}\n");
}

static bool write_sidecar(const Passes *passes, const PassesSetup *setup, const char *path, Error *error) {
    Text text = { 0 };
    sidecar_text(passes, setup, &text);
    bool done = film_make_folders(path, error) && file_write_disk(path, text_of(&text), text.count, error);
    text_free(&text);
    return done;
}

Passes *passes_open(const PassesSetup *setup, Error *error) {
    Passes *passes = mem_zeroed(1, sizeof *passes);
    char sidecar[PATH_MAX + 16];
    passes->jobs = setup->jobs;
    passes->force = setup->film.force;
    passes->near = 4;
    bool alone = true;
    bool fine = read_names(passes, setup->names, error);
    for (int pass = PASS_DEPTH; pass < PASS_COUNT; pass++)
        alone = alone && !passes->want[pass];
    /* A film of colors alone is its own file and no more; pictures and passes say what they are from. */
    if (fine && !alone)
        fine = film_kind(setup->film.path) != FILM_NONE && strcmp(setup->film.path, "-") != 0
                   ? find_places(passes, setup->film.path, sidecar, sizeof sidecar, error) && files_are_free(passes, &setup->film, error) &&
                         make_folders(passes, error) && write_sidecar(passes, setup, sidecar, error)
                   : fail(error, "%s: passes stand beside a film in a file, or pictures as dir/%%05d.png", setup->film.path);
    if (!fine) {
        mem_free(passes);
        return NULL;
    }
    if (passes->exact)
        pixel_ids_open(&passes->ids, setup->film.width, setup->film.height);
    return passes;
}

bool passes_want(const Passes *passes, const char *name) {
    for (int pass = 0; pass < PASS_COUNT; pass++)
        if (strcmp(pass_names[pass], name) == 0)
            return passes->want[pass];
    return false;
}

/* Rows from the bottom up, little-endian: what a scale below 0 says. */
static bool write_pfm(const char *path, const PixelIds *ids, Error *error) {
    Text text = { 0 };
    text_format(&text, "Pf\n%d %d\n-1.0\n", ids->width, ids->height);
    for (int y = ids->height - 1; y >= 0; y--)
        text_add_n(&text, (const char *)(ids->depth + (size_t)y * (size_t)ids->width), (size_t)ids->width * sizeof *ids->depth);
    bool done = file_write_disk(path, text.at, text.count, error);
    text_free(&text);
    return done;
}

static bool write_gray(const Passes *passes, const char *path, bool depth, Error *error) {
    const PixelIds *ids = &passes->ids;
    size_t count = (size_t)ids->width * (size_t)ids->height;
    if (!depth)
        return record_png_gray(path, ids->overdraw, ids->width, ids->height, PNG_LEVEL, error);
    uint16_t *gray = mem_alloc(count * sizeof *gray);
    for (size_t i = 0; i < count; i++) {
        double part = ((double)ids->depth[i] - passes->near) / (depth_far - passes->near);
        gray[i] = isfinite(ids->depth[i]) ? (uint16_t)(CLAMP(part, 0, 1) * DEPTH_STEPS + 0.5) : UINT16_MAX;
    }
    bool done = record_png_gray(path, gray, ids->width, ids->height, PNG_LEVEL, error);
    mem_free(gray);
    return done;
}

static Image numbers_image(const PixelIds *ids, const int *numbers) {
    Image image = image_make(ids->width, ids->height);
    for (size_t i = 0; i < (size_t)ids->width * (size_t)ids->height; i++) {
        unsigned number = numbers[i] < 0 ? NOTHING : (unsigned)numbers[i];
        uint8_t *pixel = image.rgba + i * 4;
        pixel[0] = number & 255;
        pixel[1] = number >> 8 & 255;
        pixel[2] = number >> 16 & 255;
        pixel[3] = 255;
    }
    return image;
}

static Image normals_image(const PixelIds *ids) {
    Image image = image_make(ids->width, ids->height);
    for (size_t i = 0; i < (size_t)ids->width * (size_t)ids->height; i++) {
        for (int axis = 0; axis < 3; axis++)
            image.rgba[i * 4 + axis] = (uint8_t)(CLAMP(ids->normal[i].raw[axis] * 127.5f + 127.5f, 0, 255) + 0.5f);
        image.rgba[i * 4 + 3] = 255;
    }
    return image;
}

bool passes_picture(Passes *passes, const char *name, int64_t number, Image *image, Error *error) {
    char path[PATH_MAX];
    bool done = pass_file(passes, name, number, "png", path, sizeof path) && film_may_write(path, passes->force, error) &&
                record_png(path, image, PNG_LEVEL, error);
    image_free(image);
    return done;
}

static bool take(Passes *passes, Pass pass, int64_t number, Error *error) {
    const PixelIds *ids = &passes->ids;
    char path[PATH_MAX];
    Image image;
    if (pass == PASS_DEPTH || pass == PASS_OVERDRAW) {
        if (pass == PASS_DEPTH && (!pass_file(passes, pass_names[pass], number, "pfm", path, sizeof path) || !write_pfm(path, ids, error)))
            return false;
        return pass_file(passes, pass_names[pass], number, "png", path, sizeof path) && write_gray(passes, path, pass == PASS_DEPTH, error);
    }
    const int *numbers[PASS_COUNT] = { [PASS_FACE] = ids->face, [PASS_LEAF] = ids->leaf, [PASS_CLUSTER] = ids->cluster, [PASS_MATERIAL] = ids->material };
    image = pass == PASS_NORMAL ? normals_image(ids) : numbers_image(ids, numbers[pass]);
    return passes_picture(passes, pass_names[pass], number, &image, error);
}

bool passes_take(Passes *passes, int64_t number, const Frame *frame, Error *error) {
    if (!passes->exact)
        return true;
    pixel_ids_fill(&passes->ids, frame, passes->jobs);
    for (int pass = PASS_DEPTH; pass < PASS_COUNT; pass++)
        if (passes->want[pass] && pass != PASS_LIGHTMAP && !take(passes, (Pass)pass, number, error))
            return false;
    return true;
}

void passes_close(Passes *passes) {
    pixel_ids_close(&passes->ids);
    mem_free(passes);
}
