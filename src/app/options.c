/* app/options.c -- one row per option: its name, what it takes, where it is kept, whose it is. */
#include "app/options.h"

#include <math.h>
#include <stdlib.h>

#include "assets/image.h"

typedef enum OptionKind {
    OPTION_FLAG, OPTION_TEXT, OPTION_LIST, OPTION_NUMBER, OPTION_COUNT, OPTION_SEED, OPTION_BUDGET, OPTION_POINT, OPTION_SIZE
} OptionKind;

typedef struct OptionRow {
    const char *name, *letter;       /* "--out", "-o" or NULL */
    OptionKind kind;
    size_t place;                    /* in Options */
    double low, high;                /* of numbers */
    const char *shape, *help;
    const char *commands;            /* " render bench "; NULL: common to all. The window is "window" */
} OptionRow;

#define AT(field) offsetof(Options, field)

static const OptionRow rows[] = {
    { "--path", NULL, OPTION_LIST, AT(paths), 0, 0, "DIR_OR_PK3", "where levels and pictures are looked for; again for more, later ones win", NULL },
    { "--game", NULL, OPTION_TEXT, AT(game), 0, 0, "NAME", "an installed game's data: openarena, nexuiz, or its folder", NULL },
    { "--threads", NULL, OPTION_COUNT, AT(threads), 1, 256, "N", "threads that work at once (default: the machine's)", NULL },
    { "--set", NULL, OPTION_LIST, AT(sets), 0, 0, "NAME=VALUE", "sets a variable of the console, as r.overbright=0; again for more", NULL },
    { "--budget", NULL, OPTION_BUDGET, AT(budget), 0, 1e9, "SECONDS|none", "how long one call of a script may take (default 2)", NULL },
    { "--seed", NULL, OPTION_SEED, AT(seed), 0, 0, "N", "of the scripts' random numbers (default 0)", NULL },
    { "--trust", NULL, OPTION_FLAG, AT(trust), 0, 0, NULL, "gives scripts the whole of Lua's library: files, programs", NULL },
    { "--version", NULL, OPTION_FLAG, AT(version), 0, 0, NULL, "prints the version", NULL },
    { "--help", "-h", OPTION_FLAG, AT(help), 0, 0, NULL, "explains, also after a command", NULL },
    { "--map", NULL, OPTION_TEXT, AT(map), 0, 0, "MAP", "the level to open first", " exec repl " },
    { "--chunk", "-e", OPTION_LIST, AT(chunks), 0, 0, "CHUNK", "Lua text to run", " exec " },
    { "--out", "-o", OPTION_TEXT, AT(out), 0, 0, "FILE", "the picture to write, .png; of record the film: .y4m, .mp4, .mkv, .webm, .mov or dir/%05d.png", " render record " },
    { "--origin", NULL, OPTION_POINT, AT(origin), 0, 0, "X,Y,Z", "where the eye is (default: where a player starts)", " render " },
    { "--angles", NULL, OPTION_POINT, AT(angles), 0, 0, "P,Y,R", "pitch (down positive), yaw (left positive), roll in degrees", " render " },
    { "--fov", NULL, OPTION_NUMBER, AT(fov), 1, 170, "H", "horizontal field of view in degrees (default 90)", " render record window " },
    { "--size", NULL, OPTION_SIZE, AT(width), 1, IMAGE_LARGEST, "WxH", "size of the picture (default 1280x720)", " render record bench window " },
    { "--rasterizer", NULL, OPTION_TEXT, AT(rasterizer), 0, 0, "NAME", "what draws (default gl)", " render record bench window " },
    { "--view", NULL, OPTION_TEXT, AT(view), 0, 0, "NAME", "lit, texture, lightmap, cluster, face, depth, normal, wire, overdraw, mip; soft: spans, edges", " render record window " },
    { "--script", NULL, OPTION_LIST, AT(scripts), 0, 0, "FILE", "a script that runs before and draws into the picture; again for more", " render " },
    { "--time", NULL, OPTION_NUMBER, AT(time), 0, 1e6, "T", "the clock, in seconds", " render " },
    { "--json", NULL, OPTION_FLAG, AT(json), 0, 0, NULL, "prints JSON", " info check bench " },
    { "--views", NULL, OPTION_TEXT, AT(views), 0, 0, "FILE", "JSON list of views: name, map, origin, angles, fov", " bench " },
    { "--seconds", NULL, OPTION_NUMBER, AT(seconds), 0.01, 3600, "S", "bench: how long each view is drawn (default 2); record: how long the film is (default 10)", " bench record " },
    { "--fps", NULL, OPTION_TEXT, AT(fps), 0, 0, "N", "frames a second: 60 (the default), 23.976, 30000/1001", " record " },
    { "--frames", NULL, OPTION_TEXT, AT(frames), 0, 0, "A-B", "only these frames, from 0, both ends included, as the whole film has them", " record " },
    { "--blur", NULL, OPTION_COUNT, AT(blur), 1, 256, "N", "motion blur: pictures a frame, mixed in linear light (default 1: none)", " record " },
    { "--shutter", NULL, OPTION_NUMBER, AT(shutter), 1, 360, "DEGREES", "of a frame's 360 that the shutter is open with --blur (default 180)", " record " },
    { "--passes", NULL, OPTION_TEXT, AT(passes), 0, 0, "LIST", "color,depth,normal,face,leaf,cluster,material,lightmap,overdraw (default color)", " record " },
    { "--encoder", NULL, OPTION_TEXT, AT(encoder), 0, 0, "ARGS", "options for ffmpeg in place of ours, as \"-c:v libx265 -crf 20\"", " record " },
    { "--force", NULL, OPTION_FLAG, AT(force), 0, 0, NULL, "overwrites what is there", " record " },
};

/* Numbers as C writes them, hexadecimal too; not the words inf and nan. Stops where the number ends. */
static bool read_number(const char **at, double *out) {
    char *end;
    *out = strtod(*at, &end);
    bool read = end != *at && isfinite(*out);
    *at = end;
    return read;
}

static bool read_point(const char *text, Vec3 *out) {
    for (int i = 0; i < 3; i++) {
        double number;
        if (!read_number(&text, &number) || fabs(number) > 1e9)
            return false;
        out->raw[i] = (float)number;
        text += strspn(text, " \t");
        text += i < 2 && *text == ',';
    }
    return *text == 0;
}

static bool read_size(const char *text, double most, int *size) {
    for (int i = 0; i < 2; i++) {
        double number;
        if (!read_number(&text, &number) || number != floor(number) || number < 1 || number > most)
            return false;
        size[i] = (int)number;
        if (i == 0 && *text != 'x' && *text != 'X')
            return false;
        text += i == 0;
    }
    return *text == 0;
}

static bool read_seed(const char *text, uint64_t *out) {
    char *end;
    *out = strtoull(text, &end, 0);
    if (end != text && *end == 0)
        return true;
    double number;
    if (!read_number(&text, &number) || *text || number != floor(number) || fabs(number) >= 9e18)
        return false;
    *out = (uint64_t)(int64_t)number;
    return true;
}

static bool read_one(const char *text, double low, double high, double *out) {
    return read_number(&text, out) && *text == 0 && *out >= low && *out <= high;
}

static bool wrong_value(const OptionRow *row, const char *value, Error *error) {
    switch (row->kind) {
        case OPTION_POINT:
            return fail(error, "%s takes three numbers with commas, %s, not \"%s\"", row->name, row->shape, value);
        case OPTION_SIZE:
            return fail(error, "%s takes %s, each from 1 to %g, not \"%s\"", row->name, row->shape, row->high, value);
        case OPTION_SEED:
            return fail(error, "%s takes a whole number, not \"%s\"", row->name, value);
        case OPTION_BUDGET:
            return fail(error, "%s takes a number of seconds or none, not \"%s\"", row->name, value);
        case OPTION_COUNT:
            return fail(error, "%s takes a whole number from %g to %g, not \"%s\"", row->name, row->low, row->high, value);
        default:
            return fail(error, "%s takes a number from %g to %g, not \"%s\"", row->name, row->low, row->high, value);
    }
}

static bool take(Options *options, const OptionRow *row, const char *value, Error *error) {
    void *place = (char *)options + row->place;
    double number;
    bool right = true;
    options->given |= (uint64_t)1 << (row - rows);
    switch (row->kind) {
        case OPTION_FLAG:
            *(bool *)place = true;
            break;
        case OPTION_TEXT:
            *(const char **)place = value;
            break;
        case OPTION_LIST:
            *array_push((OptionList *)place) = value;
            break;
        case OPTION_NUMBER:
            right = read_one(value, row->low, row->high, place);
            break;
        case OPTION_COUNT:
            right = read_one(value, row->low, row->high, &number) && number == floor(number);
            *(int *)place = right ? (int)number : 0;
            break;
        case OPTION_SEED:
            right = read_seed(value, place);
            break;
        case OPTION_BUDGET:
            number = 0;
            right = strcmp(value, "none") == 0 || (read_one(value, 0, row->high, &number) && number > 0);
            *(double *)place = number;
            break;
        case OPTION_POINT:
            ((OptionPoint *)place)->given = true;
            right = read_point(value, &((OptionPoint *)place)->at);
            break;
        case OPTION_SIZE:
            right = read_size(value, row->high, place);
            break;
    }
    return right || wrong_value(row, value, error);
}

/* The row that an argument names; `value` gets what follows '=' in it, or NULL. */
static const OptionRow *row_of(const char *arg, const char **value) {
    const char *equals = arg[1] == '-' ? strchr(arg, '=') : NULL;
    size_t length = equals ? (size_t)(equals - arg) : strlen(arg);
    *value = equals ? equals + 1 : NULL;
    for (int i = 0; i < COUNT_OF(rows); i++) {
        bool name = strlen(rows[i].name) == length && strncmp(rows[i].name, arg, length) == 0;
        bool letter = rows[i].letter && strcmp(rows[i].letter, arg) == 0;
        if (name || letter)
            return &rows[i];
    }
    return NULL;
}

const char *nearest_word(const char *word, const char *const *names, int count) {
    const char *best = NULL;
    int least = strlen(word) < 4 ? 2 : 4;
    for (int i = 0; i < count; i++) {
        int distance = text_distance(word, names[i]);
        if (distance < least) {
            least = distance;
            best = names[i];
        }
    }
    return best;
}

static bool unknown_option(const char *arg, Error *error) {
    const char *names[COUNT_OF(rows)];
    for (int i = 0; i < COUNT_OF(rows); i++)
        names[i] = rows[i].name;
    const char *near = nearest_word(arg, names, COUNT_OF(rows));
    return near ? fail(error, "unknown option %s (did you mean %s?)", arg, near)
                : fail(error, "unknown option %s (leafwalk --help lists them)", arg);
}

bool options_parse(Options *out, int argc, const char *const *argv, bool (*is_command)(const char *word), Error *error) {
    *out = (Options){ .budget = -1, .width = 1280, .height = 720 };
    bool untouched = false;    /* what follows belongs to a script, or to nobody after "--" */
    for (int i = 1; i < argc; i++) {
        const char *arg = argv[i];
        if (untouched || arg[0] != '-' || !arg[1]) {
            bool first = !out->command && !out->words.count;
            if (first && !untouched && is_command(arg)) {
                out->command = arg;
                continue;
            }
            *array_push(&out->words) = arg;
            untouched |= out->command && strcmp(out->command, "exec") == 0;
            continue;
        }
        if (strcmp(arg, "--") == 0) {
            untouched = true;
            continue;
        }
        const char *value;
        const OptionRow *row = row_of(arg, &value);
        if (!row)
            return unknown_option(arg, error);
        if (row->kind == OPTION_FLAG && value)
            return fail(error, "%s takes no value", row->name);
        if (row->kind != OPTION_FLAG && !value) {
            if (i + 1 == argc)
                return fail(error, "%s needs a value: %s %s", arg, arg, row->shape);
            value = argv[++i];
        }
        if (!take(out, row, value, error))
            return false;
    }
    return true;
}

void options_free(Options *options) {
    array_free(&options->words);
    array_free(&options->paths);
    array_free(&options->sets);
    array_free(&options->chunks);
    array_free(&options->scripts);
}

static bool belongs(const OptionRow *row, const char *command) {
    Text word = { 0 };
    text_format(&word, " %s ", *command ? command : "window");
    bool found = !row->commands || strstr(row->commands, text_of(&word));
    text_free(&word);
    return found;
}

bool options_suit(const Options *options, const char *command, Error *error) {
    for (int i = 0; i < COUNT_OF(rows); i++)
        if (options->given >> i & 1 && !belongs(&rows[i], command))
            return *command ? fail(error, "%s has no option %s (leafwalk %s --help lists those it has)", command, rows[i].name, command)
                            : fail(error, "the window has no option %s (leafwalk --help lists the commands)", rows[i].name);
    return true;
}

void options_help(Text *out, const char *command) {
    for (int i = 0; i < COUNT_OF(rows); i++) {
        const OptionRow *row = &rows[i];
        if (command ? !row->commands || !belongs(row, command) : row->commands != NULL)
            continue;
        Text left = { 0 };
        text_format(&left, "%s%s%s%s%s", row->letter ? row->letter : "", row->letter ? ", " : "", row->name,
                    row->shape ? " " : "", row->shape ? row->shape : "");
        text_format(out, "  %-24s %s\n", text_of(&left), row->help);
        text_free(&left);
    }
}
