/* bsp/bsp_portals.c -- reading .prt text.
 *
 * Memory follows what the file holds, never what its header promises. */
#include "bsp/bsp_portals.h"

typedef struct Reader {
    Arena *arena;
    const char *path;
    const char *at, *end;      /* the rest of the file */
    const char *line;          /* the line being read, NUL-ended, in the arena */
    int number;                /* of that line, from 1 */
    Error *error;
} Reader;

enum { LINE_MOST = 1 << 20, CLUSTERS_MOST = 1 << 24 };

/* The next line that is not blank; false at the end of the file. */
static bool next_line(Reader *in) {
    while (in->at < in->end) {
        const char *stop = memchr(in->at, '\n', (size_t)(in->end - in->at));
        size_t length = (size_t)((stop ? stop : in->end) - in->at);
        in->line = arena_text_n(in->arena, in->at, MIN(length, (size_t)LINE_MOST));
        in->at = stop ? stop + 1 : in->end;
        in->number++;
        if (in->line[strspn(in->line, " \t\r")])
            return true;
    }
    return false;
}

static const char *skip_blanks(const char *text) { return text + strspn(text, " \t\r"); }

/* A whole number of 0 .. most at *text, which moves past it. */
static bool read_count(const char **text, int most, int *out) {
    const char *start = skip_blanks(*text), *end;
    if (*start < '0' || *start > '9')
        return false;
    double number = text_number(start, &end);
    if (number < 0 || number > most || number != (int)number)
        return false;
    *out = (int)number;
    *text = end;
    return true;
}

static bool read_header_number(Reader *in, const char *what, int most, int *out) {
    if (!next_line(in))
        return fail(in->error, "%s: ends at line %d, where the number of %s should be", in->path, in->number, what);
    const char *text = in->line;
    if (!read_count(&text, most, out) || *skip_blanks(text))
        return fail(in->error, "%s:%d: the number of %s expected, of 0..%d", in->path, in->number, what, most);
    return true;
}

static bool read_points(Reader *in, const char *text, int count, const Vec3 **out) {
    Vec3 *points = arena_array(in->arena, Vec3, count);
    for (int i = 0; i < count; i++) {
        text = skip_blanks(text);
        if (*text != '(')
            return fail(in->error, "%s:%d: '(' expected before point %d of %d", in->path, in->number, i + 1, count);
        text++;
        for (int axis = 0; axis < 3; axis++) {
            const char *end, *start = skip_blanks(text);
            points[i].raw[axis] = (float)text_number(start, &end);
            if (end == start)
                return fail(in->error, "%s:%d: point %d has %d numbers, expected 3", in->path, in->number, i + 1, axis);
            text = end;
        }
        text = skip_blanks(text);
        if (*text != ')' || !vec3_finite(points[i]))
            return fail(in->error, "%s:%d: point %d should be ( x y z )", in->path, in->number, i + 1);
        text++;
    }
    if (*skip_blanks(text))
        return fail(in->error, "%s:%d: something follows the %d points", in->path, in->number, count);
    *out = points;
    return true;
}

/* "points from to [hint] (x y z) …", or for a solid face "points cluster (x y z) …". */
static bool read_winding(Reader *in, int clusters, bool solid, BspPortal *out) {
    const char *text = in->line;
    int hint = 0;
    out->to = -1;
    /* a point takes seven letters at least: a count beyond that is not true */
    int most = (int)(strlen(text) / 7);
    if (!read_count(&text, most, &out->point_count) || out->point_count < 3)
        return fail(in->error, "%s:%d: a number of points of at least 3 expected (and as many points)", in->path, in->number);
    if (!read_count(&text, clusters - 1, &out->from) || (!solid && !read_count(&text, clusters - 1, &out->to)))
        return fail(in->error, "%s:%d: a cluster of 0..%d expected", in->path, in->number, clusters - 1);
    if (!solid && *skip_blanks(text) != '(' && !read_count(&text, 1, &hint))
        return fail(in->error, "%s:%d: a hint flag of 0 or 1 expected", in->path, in->number);
    out->hint = hint;
    return read_points(in, text, out->point_count, &out->points);
}

static bool read_windings(Reader *in, int clusters, int count, bool solid, const BspPortal **out) {
    ARRAY(BspPortal) list = { 0 };
    bool good = true;
    while (good && (int)list.count < count) {
        BspPortal portal = { 0 };
        good = next_line(in);
        if (!good)
            fail(in->error, "%s: ends at line %d with %d of %d %s", in->path, in->number, (int)list.count, count,
                 solid ? "solid faces" : "portals");
        else if ((good = read_winding(in, clusters, solid, &portal)))
            *array_push(&list) = portal;
    }
    if (good && count)
        *out = array_keep(&list, in->arena);
    array_free(&list);
    return good;
}

BspPortals *bsp_portals_parse(Arena *arena, const char *path, const uint8_t *bytes, size_t size, Error *error) {
    Reader in = { arena, path, (const char *)bytes, (const char *)bytes + size, NULL, 0, error };
    BspPortals *out = arena_new(arena, BspPortals);
    if (!next_line(&in) || !text_starts(in.line, "PRT1") || *skip_blanks(in.line + 4)) {
        fail(error, "%s: begins with no line \"PRT1\": not a portal file", path);
        return NULL;
    }
    if (!read_header_number(&in, "clusters", CLUSTERS_MOST, &out->cluster_count) ||
        !read_header_number(&in, "portals", INT32_MAX, &out->portal_count) ||
        !read_header_number(&in, "solid faces", INT32_MAX, &out->face_count) ||
        !read_windings(&in, out->cluster_count, out->portal_count, false, &out->portals) ||
        !read_windings(&in, out->cluster_count, out->face_count, true, &out->faces))
        return NULL;
    if (next_line(&in)) {
        fail(error, "%s:%d: more lines than the header's %d portals and %d solid faces", path, in.number,
             out->portal_count, out->face_count);
        return NULL;
    }
    return out;
}
