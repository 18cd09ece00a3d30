/* scene/camera_file.c -- q3mme's camera files and flat ones: read with every number checked, written back. */
#include "scene/camera_file.h"

#include <math.h>

static const double q3mme_fov = 90;    /* its mov_fov, which a point's fov is added to */

CameraFormat camera_format_of_name(const char *name) {
    static const char *const q3mme[] = { ".cam", ".xml", ".mme", ".cfg" }, *const flat[] = { ".txt", ".csv", ".flat" };
    for (int i = 0; i < COUNT_OF(q3mme); i++)
        if (text_ends_fold(name, q3mme[i]))
            return CAMERA_Q3MME;
    for (int i = 0; i < COUNT_OF(flat); i++)
        if (text_ends_fold(name, flat[i]))
            return CAMERA_FLAT;
    return CAMERA_LUA;
}

typedef struct Reader {
    const char *name, *at, *end;
    int line;
    Error *error;
    CameraPath *path;
    PathSettings settings;
} Reader;

static bool refuse(Reader *in, const char *what) { return fail(in->error, "%s:%d: %s", in->name, in->line, what); }

static void skip_blanks(Reader *in) {
    while (in->at < in->end && (*in->at == ' ' || *in->at == '\t' || *in->at == '\r' || *in->at == '\n' || *in->at == 0))
        in->line += *in->at++ == '\n';
}

CameraFormat camera_format_of_text(const char *text, size_t length) {
    Reader in = { .at = text, .end = text + length };
    skip_blanks(&in);
    if (in.at < in.end && *in.at == '<')
        return CAMERA_Q3MME;
    const char *digits = "0123456789+-.#/";
    return in.at < in.end && strchr(digits, *in.at) && !(in.end - in.at > 1 && in.at[0] == '-' && in.at[1] == '-') ? CAMERA_FLAT : CAMERA_LUA;
}

/* q3mme's */

typedef struct Tag { char name[32]; bool closes; } Tag;

/* <name>, </name>, <name/>, <!-- … --> and <? … ?> skipped. */
static bool read_tag(Reader *in, Tag *tag) {
    for (;;) {
        skip_blanks(in);
        if (in->at == in->end || *in->at != '<')
            return refuse(in, "a tag is expected");
        bool note = in->end - in->at > 1 && (in->at[1] == '!' || in->at[1] == '?');
        const char *from = in->at + 1;
        while (in->at < in->end && *in->at != '>')
            in->line += *in->at++ == '\n';
        if (in->at == in->end)
            return refuse(in, "a tag has no '>'");
        const char *to = in->at++;
        if (note)
            continue;
        tag->closes = from < to && *from == '/';
        from += tag->closes;
        size_t length = 0;
        while (from + length < to && from[length] != ' ' && from[length] != '/')
            length++;
        if (!length || length >= sizeof tag->name)
            return refuse(in, "a tag without a name, or with too long a one");
        memcpy(tag->name, from, length);
        tag->name[length] = 0;
        return true;
    }
}

/* The text up to the closing tag `name`; numbers in it. */
static bool read_numbers(Reader *in, const char *name, double *out, int count) {
    Text text = { 0 };
    text_add(&text, "");
    while (in->at < in->end && *in->at != '<') {
        in->line += *in->at == '\n';
        text_add_char(&text, *in->at++);
    }
    const char *at = text_of(&text);
    bool right = true;
    for (int i = 0; i < count && right; i++) {
        const char *end;
        out[i] = text_number(at, &end);
        right = end != at && isfinite(out[i]);
        at = end;
    }
    text_free(&text);
    if (!right)
        return fail(in->error, "%s:%d: <%s> needs %d number%s", in->name, in->line, name, count, count == 1 ? "" : "s");
    Tag tag;
    return read_tag(in, &tag) && ((tag.closes && text_same(tag.name, name)) ||
                                  fail(in->error, "%s:%d: <%s> is not closed", in->name, in->line, name));
}

/* An element that says nothing to us, with what is in it. */
static bool skip_element(Reader *in, const char *name) {
    int depth = 1;
    while (depth > 0) {
        while (in->at < in->end && *in->at != '<')
            in->line += *in->at++ == '\n';
        Tag tag;
        if (in->at == in->end)
            return fail(in->error, "%s:%d: <%s> is not closed", in->name, in->line, name);
        if (!read_tag(in, &tag))
            return false;
        depth += tag.closes ? -1 : 1;
    }
    return true;
}

static bool read_point(Reader *in) {
    PathKey key = { 0 };
    bool timed = false;
    double number, ms;
    for (;;) {
        Tag tag;
        if (!read_tag(in, &tag))
            return false;
        if (tag.closes && text_same(tag.name, "point"))
            break;
        if (text_same(tag.name, "time")) {
            if (!read_numbers(in, tag.name, &ms, 1))
                return false;
            key.t = ms / 1000;
            timed = true;
        } else if (text_same(tag.name, "origin") || text_same(tag.name, "angles")) {
            bool origin = text_same(tag.name, "origin");
            if (!read_numbers(in, tag.name, origin ? key.origin : key.angles, 3))
                return false;
            key.says |= origin ? KEY_ORIGIN : KEY_ANGLES;
        } else if (text_same(tag.name, "fov")) {
            if (!read_numbers(in, tag.name, &number, 1))
                return false;
            key.fov = CLAMP(q3mme_fov + number, 1, 170);
            key.says |= KEY_FOV;
        } else if (tag.closes || !skip_element(in, tag.name)) {
            return !tag.closes ? false : refuse(in, "a tag closes that was not opened");
        }
    }
    if (!timed)
        return refuse(in, "a point without a time");
    return camera_path_add(in->path, &key) >= 0 || refuse(in, "a point that is out of range, or one too many");
}

static bool read_camera(Reader *in) {
    for (;;) {
        Tag tag;
        double number;
        if (!read_tag(in, &tag))
            return false;
        if (tag.closes)
            return text_same(tag.name, "camera") || refuse(in, "a tag closes that was not opened");
        if (text_same(tag.name, "point")) {
            if (!read_point(in))
                return false;
        } else if (text_same(tag.name, "smoothPos")) {
            if (!read_numbers(in, tag.name, &number, 1))
                return false;
            in->settings.curve = number == 0 ? PATH_LINEAR : PATH_UNIFORM;
        } else if (!skip_element(in, tag.name)) {
            return false;
        }
    }
}

/* The first <camera> of a file: a q3mme project holds it among other things. */
static bool read_q3mme(Reader *in) {
    in->settings.curve = PATH_UNIFORM;
    for (;;) {
        skip_blanks(in);
        if (in->at == in->end)
            return refuse(in, "no <camera> is in it");
        Tag tag;
        if (!read_tag(in, &tag))
            return false;
        if (text_same(tag.name, "camera") && !tag.closes)
            return read_camera(in) && camera_path_set_settings(in->path, &in->settings);
        while (in->at < in->end && *in->at != '<')
            in->line += *in->at++ == '\n';
    }
}

static void write_q3mme(CameraPath *path, Text *out) {
    PathCurve curve = camera_path_settings(path).curve;
    text_format(out, "<camera>\n\t<smoothPos>%d</smoothPos>\n\t<smoothAngles>1</smoothAngles>\n\t<locked>0</locked>\n\t<target>-1</target>\n",
                curve == PATH_LINEAR ? 0 : 1);
    for (int i = 0; i < camera_path_count(path); i++) {
        const PathKey *key = camera_path_key(path, i);
        double at = camera_path_key_time(path, i);
        PathPose pose = camera_path_sample(path, at);
        text_format(out, "\t<point>\n\t\t<time>%10.0f</time>\n", at * 1000);
        if (key->says & KEY_ORIGIN)
            text_format(out, "\t\t<origin>%9.4f %9.4f %9.4f</origin>\n", key->origin[0], key->origin[1], key->origin[2]);
        if (key->says & (KEY_ANGLES | KEY_LOOK | KEY_ROLL))
            text_format(out, "\t\t<angles>%9.4f %9.4f %9.4f</angles>\n", pose.angles[0], pose.angles[1], pose.angles[2]);
        if (key->says & KEY_FOV)
            text_format(out, "\t\t<fov>%9.4f</fov>\n", key->fov - q3mme_fov);
        text_add(out, "\t</point>\n");
    }
    text_add(out, "</camera>\n");
}

/* Flat ones */

static bool read_flat_line(Reader *in, const char *line, int row, double fps) {
    double numbers[7];
    int count = 0;
    const char *at = line;
    for (; count < 7; count++) {
        at += strspn(at, " \t,;\r");
        if (!*at || *at == '#' || (at[0] == '/' && at[1] == '/'))
            break;
        const char *end;
        numbers[count] = text_number(at, &end);
        if (end == at || !isfinite(numbers[count]))
            return refuse(in, "a line is x y z pitch yaw roll fov");
        at = end;
    }
    at += strspn(at, " \t,;\r");
    if ((count != 3 && count != 6 && count != 7) || (*at && *at != '#' && *at != '/'))
        return refuse(in, "a line is x y z pitch yaw roll fov (3, 6 or 7 numbers)");
    PathKey key = { .t = row / fps, .says = KEY_ORIGIN };
    memcpy(key.origin, numbers, sizeof key.origin);
    if (count >= 6) {
        memcpy(key.angles, numbers + 3, sizeof key.angles);
        key.says |= KEY_ANGLES;
    }
    if (count == 7) {
        key.fov = numbers[6];
        key.says |= KEY_FOV;
    }
    return camera_path_add(in->path, &key) >= 0 || refuse(in, "a number is out of range (fov: 1..170), or there are too many lines");
}

static bool read_flat(Reader *in, double fps) {
    Text line = { 0 };
    int rows = 0;
    bool fine = true;
    for (in->line = 0; fine && in->at < in->end;) {
        in->line++;
        line.count = 0;
        text_add(&line, "");
        while (in->at < in->end && *in->at != '\n' && line.count < 4096)
            text_add_char(&line, *in->at++ ? in->at[-1] : ' ');
        if (in->at < in->end && *in->at != '\n') {
            fine = refuse(in, "the line is too long");
            break;
        }
        in->at += in->at < in->end;
        const char *first = text_of(&line) + strspn(text_of(&line), " \t,;\r");
        if (*first && *first != '#' && !(first[0] == '/' && first[1] == '/'))
            fine = read_flat_line(in, text_of(&line), rows++, fps);
    }
    text_free(&line);
    in->settings.curve = PATH_LINEAR;    /* every frame stands in it: nothing is to be made up between them */
    return fine && (rows > 0 || refuse(in, "nothing is in it")) && camera_path_set_settings(in->path, &in->settings);
}

static void write_flat(CameraPath *path, double fps, Text *out) {
    double start = camera_path_start(path);
    int64_t last = (int64_t)floor((camera_path_duration(path) - start) * fps + 1e-9);
    text_format(out, "# x y z pitch yaw roll fov, %.10g lines a second\n", fps);
    for (int64_t i = 0; i <= last && camera_path_count(path); i++) {
        PathPose pose = camera_path_sample(path, start + (double)i / fps);
        text_format(out, "%.6f %.6f %.6f %.6f %.6f %.6f %.6f\n", pose.origin[0], pose.origin[1], pose.origin[2], pose.angles[0],
                    pose.angles[1], pose.angles[2], pose.fov);
    }
}

CameraPath *camera_file_read(CameraFormat format, const char *name, const char *text, size_t length, double fps, Error *error) {
    Reader in = { .name = name, .at = text, .end = text + length, .line = 1, .error = error, .path = camera_path_open() };
    if (format == CAMERA_Q3MME ? read_q3mme(&in) : read_flat(&in, fps))
        return in.path;
    camera_path_close(in.path);
    return NULL;
}

void camera_file_write(CameraFormat format, CameraPath *path, double fps, Text *out) {
    if (format == CAMERA_Q3MME)
        write_q3mme(path, out);
    else
        write_flat(path, fps, out);
}
