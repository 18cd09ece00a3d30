/* render/null/null.c -- draws nothing, checks everything.
 *
 * A frame must hold what frame.h promises: numbers within the level, each face once, lists in their order, nothing that
 * is not finite. What breaks a promise is an error of draw(). A sound frame becomes text, one thing a line, the same for
 * the same frame on every machine. */
#include <math.h>

#include "render/null/null_internal.h"

typedef struct Null {
    const Level *level;
    const Assets *assets;
    Text text;
    unsigned *seen;          /* by face of the level, then by leaf: stamps of the last frame that had it */
    unsigned stamp;
    RenderStat stats[8];
    int stat_count;
} Null;

static void *null_open(const RendererSetup *setup, Error *error) {
    (void)setup;
    (void)error;
    return mem_zeroed(1, sizeof(Null));
}

static bool null_use_level(void *self, const Level *level, const Assets *assets, Error *error) {
    (void)error;
    Null *null = self;
    null->level = level;
    null->assets = assets;
    mem_free(null->seen);
    null->seen = level ? mem_zeroed((size_t)level->map->face_count + (size_t)level->map->leaf_count, sizeof *null->seen) : NULL;
    null->stamp = 0;
    return true;
}


static bool check_view(const Frame *frame, Error *error) {
    const View *v = &frame->view;
    if (v->width < 1 || v->height < 1 || v->width > IMAGE_LARGEST || v->height > IMAGE_LARGEST)
        return fail(error, "view of %d by %d pixels: 1 to %d are allowed", v->width, v->height, IMAGE_LARGEST);
    if (!vec3_finite(v->origin) || !vec3_finite(v->angles))
        return fail(error, "the view's origin or angles are not finite");
    if (!(v->fov_x > 0 && v->fov_x < 180 && v->fov_y > 0 && v->fov_y < 180))
        return fail(error, "field of view %g by %g degrees", (double)v->fov_x, (double)v->fov_y);
    if (!(v->near > 0))
        return fail(error, "near plane at %g", (double)v->near);
    if (frame->shade < 0 || frame->shade >= SHADE_COUNT)
        return fail(error, "shade %d of %d", (int)frame->shade, SHADE_COUNT);
    if (!isfinite(frame->time) || !isfinite(frame->gamma) || !(frame->gamma > 0))
        return fail(error, "time %g or gamma %g", frame->time, (double)frame->gamma);
    return true;
}

static bool check_once(Null *null, const char *what, const int *list, int count, int limit, int offset, Error *error) {
    for (int i = 0; i < count; i++) {
        if (list[i] < 0 || list[i] >= limit)
            return fail(error, "%s %d (place %d of the list): the level has %d", what, list[i], i, limit);
        unsigned *seen = &null->seen[offset + list[i]];
        if (*seen == null->stamp)
            return fail(error, "%s %d stands twice in the list", what, list[i]);
        *seen = null->stamp;
    }
    return true;
}

static bool check_visible(Null *null, const Frame *frame, Error *error) {
    if (!frame->level) {
        if (frame->leaf_count || frame->face_count || frame->cluster_count || frame->models.count || frame->tints.count)
            return fail(error, "no level, but faces of one");
        return true;
    }
    if (frame->level != null->level)
        return fail(error, "the frame is of another level than use_level gave");
    const Map *map = frame->level->map;
    null->stamp++;
    if (!check_once(null, "face", frame->faces, frame->face_count, map->face_count, 0, error)
        || !check_once(null, "leaf", frame->leafs, frame->leaf_count, map->leaf_count, map->face_count, error))
        return false;
    for (int i = 0; i < frame->cluster_count; i++)
        if (frame->clusters[i] < 0 || frame->clusters[i] >= map->cluster_count || (i && frame->clusters[i] <= frame->clusters[i - 1]))
            return fail(error, "cluster %d (place %d): clusters ascend from 0 to %d", frame->clusters[i], i, map->cluster_count - 1);
    for (size_t i = 0; i < frame->models.count; i++) {
        const FrameModel *m = &frame->models.at[i];
        if (m->model < 1 || m->model >= map->model_count)
            return fail(error, "brush model %d: the level has 1 to %d", m->model, map->model_count - 1);
        if (!vec3_finite(m->origin) || !vec3_finite(m->angles))
            return fail(error, "brush model %d stands at a place that is not finite", m->model);
    }
    for (size_t i = 0; i < frame->tints.count; i++)
        if (frame->tints.at[i].face < 0 || frame->tints.at[i].face >= map->face_count)
            return fail(error, "tinted face %d: the level has %d", frame->tints.at[i].face, map->face_count);
    return true;
}

static int texture_count(const Null *null) { return null->assets ? assets_texture_count(null->assets) : TEXTURE_FIRST; }

/* Runs of triangles: whole ones, inside their list, in its order, of textures that there are. */
static bool check_run(Null *null, const char *what, int first, int count, int texture, int *next, size_t vertices, Error *error) {
    if (first != *next || count <= 0 || count % 3 || (size_t)first + (size_t)count > vertices)
        return fail(error, "%s: %d vertices from %d on, expected a multiple of 3 from %d on, of %zu", what, count, first, *next, vertices);
    *next = first + count;
    int textures = texture_count(null);
    if (texture < 0 || texture >= textures)
        return fail(error, "%s: texture %d of %d", what, texture, textures);
    return true;
}

static bool check_overlays(Null *null, const Frame *frame, Error *error) {
    for (size_t i = 0; i < frame->lines.count; i++)
        if (!vec3_finite(frame->lines.at[i].from) || !vec3_finite(frame->lines.at[i].to))
            return fail(error, "line %zu is not finite", i);
    for (size_t i = 0; i < frame->boxes.count; i++)
        if (!vec3_finite(frame->boxes.at[i].box.mins) || !vec3_finite(frame->boxes.at[i].box.maxs))
            return fail(error, "box %zu is not finite", i);
    int next = 0;
    for (size_t i = 0; i < frame->triangles.count; i++) {
        const FrameTriangles *t = &frame->triangles.at[i];
        if (!check_run(null, "triangles", t->first, t->count, t->texture, &next, frame->vertices.count, error))
            return false;
    }
    next = 0;
    for (size_t i = 0; i < frame->ui.count; i++) {
        const UiTriangles *t = &frame->ui.at[i];
        if (!check_run(null, "2D triangles", t->first, t->count, t->texture, &next, frame->ui_vertices.count, error))
            return false;
    }
    for (size_t i = 0; i < frame->vertices.count; i++)
        if (!vec3_finite(frame->vertices.at[i].position))
            return fail(error, "vertex %zu is not finite", i);
    for (size_t i = 0; i < frame->ui_vertices.count; i++)
        if (!isfinite(frame->ui_vertices.at[i].x) || !isfinite(frame->ui_vertices.at[i].y))
            return fail(error, "2D vertex %zu is not finite", i);
    return true;
}


static void add_number(Text *text, double number) {
    text_add_char(text, ' ');
    text_add_number(text, number == 0 ? 0 : number);    /* -0 is 0 */
}

/* The same decimals for the same float, without the digits that only a double has. */
void null_add_float(Text *text, float number) { text_format(text, " %.7g", number == 0 ? 0.0 : (double)number); }

void null_add_vector(Text *text, Vec3 v) {
    for (int i = 0; i < 3; i++)
        null_add_float(text, v.raw[i]);
}

void null_add_color(Text *text, Rgba c) { text_format(text, " #%02x%02x%02x%02x", c.r, c.g, c.b, c.a); }

void null_add_flags(Text *text, int flags) {
    if (flags & DRAW_XRAY)
        text_add(text, " xray");
    if (flags & DRAW_ADD)
        text_add(text, " add");
}

static void add_index(Text *text, const char *what, int number) {
    char digits[16];
    int at = sizeof digits;
    unsigned left = (unsigned)number;
    digits[--at] = '\n';
    do
        digits[--at] = (char)('0' + left % 10);
    while (left /= 10);
    text_add(text, what);
    text_add_n(text, digits + at, sizeof digits - (size_t)at);
}

static void write_head(Text *text, const Frame *frame) {
    const View *v = &frame->view;
    text_format(text, "level %s\nview", frame->level ? frame->level->map->name : "-");
    null_add_vector(text, v->origin);
    null_add_vector(text, v->angles);
    text_add(text, " fov");
    null_add_float(text, v->fov_x);
    null_add_float(text, v->fov_y);
    text_format(text, " size %d %d leaf %d cluster %d\nshade %s", v->width, v->height, v->leaf, v->cluster, shade_name((int)frame->shade));
    add_number(text, frame->time);
    text_format(text, " overbright %d gamma", frame->overbright);
    null_add_float(text, frame->gamma);
    null_add_color(text, frame->clear);
    text_add_char(text, '\n');
}

static void write_level_lists(Text *text, const Frame *frame) {
    for (int i = 0; i < frame->cluster_count; i++)
        add_index(text, "cluster ", frame->clusters[i]);
    for (int i = 0; i < frame->leaf_count; i++)
        add_index(text, "leaf ", frame->leafs[i]);
    for (int i = 0; i < frame->face_count; i++)
        add_index(text, "face ", frame->faces[i]);
    for (size_t i = 0; i < frame->models.count; i++) {
        text_format(text, "model %d", frame->models.at[i].model);
        null_add_vector(text, frame->models.at[i].origin);
        null_add_vector(text, frame->models.at[i].angles);
        text_add_char(text, '\n');
    }
}

static void write_marks(Text *text, const Frame *frame) {
    for (size_t i = 0; i < frame->lines.count; i++) {
        const FrameLine *line = &frame->lines.at[i];
        text_add(text, "line");
        null_add_vector(text, line->from);
        null_add_vector(text, line->to);
        null_add_color(text, line->from_color);
        null_add_color(text, line->to_color);
        null_add_float(text, line->width);
        null_add_flags(text, line->flags);
        text_add_char(text, '\n');
    }
    for (size_t i = 0; i < frame->boxes.count; i++) {
        const FrameBox *box = &frame->boxes.at[i];
        text_add(text, "box");
        null_add_vector(text, box->box.mins);
        null_add_vector(text, box->box.maxs);
        null_add_color(text, box->color);
        if (box->fill)
            text_add(text, " fill");
        else
            null_add_float(text, box->width);
        null_add_flags(text, box->flags);
        text_add_char(text, '\n');
    }
    for (size_t i = 0; i < frame->tints.count; i++) {
        const FrameFace *tint = &frame->tints.at[i];
        text_format(text, "tint %d", tint->face);
        null_add_color(text, tint->color);
        if (tint->fill)
            text_add(text, " fill");
        else
            null_add_float(text, tint->width);
        null_add_flags(text, tint->flags);
        text_add_char(text, '\n');
    }
}

const char *null_texture_label(const Frame *frame, int texture) {
    if (texture == TEXTURE_MISSING || texture == TEXTURE_WHITE || !frame->assets)
        return texture == TEXTURE_WHITE ? "white" : "missing";
    return assets_texture_at(frame->assets, texture)->name;
}

static void write_triangles(Text *text, const Frame *frame) {
    for (size_t i = 0; i < frame->triangles.count; i++) {
        const FrameTriangles *t = &frame->triangles.at[i];
        text_format(text, "triangles %d %s", t->count / 3, null_texture_label(frame, t->texture));
        null_add_flags(text, t->flags);
        text_add_char(text, '\n');
        for (int k = t->first; k < t->first + t->count; k++) {
            const FrameVertex *v = &frame->vertices.at[k];
            text_add(text, "  vertex");
            null_add_vector(text, v->position);
            null_add_float(text, v->u);
            null_add_float(text, v->v);
            null_add_color(text, v->color);
            text_add_char(text, '\n');
        }
    }
    for (size_t i = 0; i < frame->ui.count; i++) {
        const UiTriangles *t = &frame->ui.at[i];
        text_format(text, "ui %d %s", t->count / 3, null_texture_label(frame, t->texture));
        if (t->clip[2])
            text_format(text, " clip %d %d %d %d", t->clip[0], t->clip[1], t->clip[2], t->clip[3]);
        text_add_char(text, '\n');
        for (int k = t->first; k < t->first + t->count; k++) {
            const UiVertex *v = &frame->ui_vertices.at[k];
            text_add(text, "  vertex");
            null_add_float(text, v->x);
            null_add_float(text, v->y);
            null_add_float(text, v->u);
            null_add_float(text, v->v);
            null_add_color(text, v->color);
            text_add_char(text, '\n');
        }
    }
    if (frame->dropped)
        text_format(text, "dropped %zu\n", frame->dropped);
}

static bool null_draw(void *self, const Frame *frame, Error *error) {
    Null *null = self;
    if (!check_view(frame, error) || !check_visible(null, frame, error) || !check_overlays(null, frame, error)
        || !null_check_things(frame, texture_count(null), error))
        return fail_within(error, "frame: ");
    null->text.count = 0;
    write_head(&null->text, frame);
    write_level_lists(&null->text, frame);
    null_write_things(&null->text, frame);
    write_marks(&null->text, frame);
    write_triangles(&null->text, frame);
    const RenderStat stats[] = {
        { "faces", frame->face_count }, { "leafs", frame->leaf_count }, { "clusters", frame->cluster_count },
        { "models", (double)frame->models.count }, { "lines", (double)frame->lines.count }, { "boxes", (double)frame->boxes.count },
        { "triangles", (double)frame->vertices.count / 3 }, { "dropped", (double)frame->dropped },
    };
    memcpy(null->stats, stats, sizeof stats);
    null->stat_count = COUNT_OF(stats);
    return true;
}

const char *null_text(void *self) { return text_of(&((Null *)self)->text); }

static bool null_read_pixels(void *self, Image *out, Error *error) {
    (void)self;
    *out = (Image){ 0 };
    return fail(error, "the null renderer makes no picture");
}

static int null_stats(void *self, const RenderStat **out) {
    Null *null = self;
    *out = null->stats;
    return null->stat_count;
}

static void null_file_changed(void *self, const char *path) {
    (void)self;
    (void)path;
}

static const char *null_problem(void *self) {
    (void)self;
    return NULL;
}

static void null_close(void *self) {
    Null *null = self;
    if (!null)
        return;
    text_free(&null->text);
    mem_free(null->seen);
    mem_free(null);
}

const RendererKind null_renderer = {
    "null", null_open, null_use_level, null_draw, null_read_pixels, null_stats, null_file_changed, null_problem, null_close, NULL,
};
