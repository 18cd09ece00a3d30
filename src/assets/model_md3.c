/* assets/model_md3.c -- MD3 files (format.md 10). The file is read byte by byte: nothing in it is trusted or aligned. */
#include <math.h>

#include "assets/model.h"

enum {
    HEADER_SIZE = 108, FRAME_SIZE = 56, TAG_SIZE = 112, SURFACE_SIZE = 108, SHADER_SIZE = 68, TRIANGLE_SIZE = 12,
    UV_SIZE = 8, VERTEX_SIZE = 8, NAME_SIZE = 64, VERSION = 15
};

typedef struct Reader {
    const char *name;
    const uint8_t *bytes;
    int64_t size;
    Arena *arena;
    Model *model;
    Error *error;
} Reader;

static uint32_t word(const uint8_t *at) {
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static int32_t whole(const uint8_t *at) { return (int32_t)word(at); }

static float real(const uint8_t *at) {    /* what is not finite becomes 0: nothing behind this asks again */
    uint32_t bits = word(at);
    float value;
    memcpy(&value, &bits, sizeof value);
    return isfinite(value) ? value : 0;
}

static Vec3 point(const uint8_t *at) { return vec3_at(real(at), real(at + 4), real(at + 8)); }

static void read_name(char *out, const uint8_t *at, size_t length) {    /* may lack its NUL (traps A22) */
    memcpy(out, at, length);
    out[length] = 0;
}

/* `count` records of `size` bytes at `start + offset`, all before `end`. NULL: the error is filled. */
static const uint8_t *records(Reader *in, const char *what, int64_t start, int64_t end, int64_t offset, int64_t count, int64_t size) {
    if (count < 0 || offset < 0 || offset > end - start || count > (end - start - offset) / size) {
        fail(in->error, "%s: %s: %lld records of %lld bytes at byte %lld, which ends at %lld", in->name, what,
             (long long)count, (long long)size, (long long)(start + offset), (long long)end);
        return NULL;
    }
    return in->bytes + start + offset;
}

static bool read_frames(Reader *in, const uint8_t *header) {
    Model *model = in->model;
    model->frame_count = whole(header + 76);
    const uint8_t *at = records(in, "frames", 0, in->size, whole(header + 92), model->frame_count, FRAME_SIZE);
    if (!at)
        return false;
    if (model->frame_count < 1)
        return fail(in->error, "%s: no frames", in->name);
    model->frames = arena_array(in->arena, ModelFrame, model->frame_count);
    for (int i = 0; i < model->frame_count; i++, at += FRAME_SIZE) {
        ModelFrame *frame = &model->frames[i];
        frame->bounds = (Box){ point(at), point(at + 12) };
        frame->origin = point(at + 24);
        frame->radius = real(at + 36);
        read_name(frame->name, at + 40, 16);
    }
    return true;
}

static bool read_tags(Reader *in, const uint8_t *header) {
    Model *model = in->model;
    model->tag_count = whole(header + 80);
    int64_t all = (int64_t)model->tag_count * model->frame_count;
    const uint8_t *at = records(in, "tags", 0, in->size, whole(header + 96), model->tag_count < 0 ? -1 : all, TAG_SIZE);
    if (!at)
        return false;
    model->tag_names = arena_alloc_array(in->arena, (size_t)model->tag_count, sizeof *model->tag_names);
    model->tags = arena_array(in->arena, ModelTag, all);
    for (int64_t i = 0; i < all; i++, at += TAG_SIZE) {
        if (i < model->tag_count)
            read_name(model->tag_names[i], at, NAME_SIZE);
        Vec3 left = point(at + 88);
        model->tags[i] = (ModelTag){ point(at + 64), { point(at + 76), vec3_scale(left, -1), point(at + 100) } };
    }
    return true;
}

static bool read_shaders(Reader *in, ModelSurface *surface, int64_t start, int64_t end) {
    const uint8_t *head = in->bytes + start;
    surface->shader_count = whole(head + 76);
    const uint8_t *at = records(in, "shaders", start, end, whole(head + 92), surface->shader_count, SHADER_SIZE);
    if (!at)
        return false;
    surface->shaders = arena_alloc_array(in->arena, (size_t)surface->shader_count, sizeof *surface->shaders);
    for (int i = 0; i < surface->shader_count; i++, at += SHADER_SIZE)
        read_name(surface->shaders[i], at, NAME_SIZE);
    return true;
}

static bool read_triangles(Reader *in, ModelSurface *surface, int64_t start, int64_t end) {
    const uint8_t *head = in->bytes + start;
    surface->triangle_count = whole(head + 84);
    const uint8_t *at = records(in, "triangles", start, end, whole(head + 88), surface->triangle_count, TRIANGLE_SIZE);
    if (!at)
        return false;
    surface->indexes = arena_array(in->arena, uint16_t, (size_t)surface->triangle_count * 3);
    for (int64_t i = 0; i < (int64_t)surface->triangle_count * 3; i++) {
        int32_t index = whole(at + i * 4);
        if (index < 0 || index >= surface->vertex_count)
            return fail(in->error, "%s: surface %s: triangle %lld names vertex %d of %d (byte %lld)", in->name,
                        surface->name, (long long)(i / 3), index, surface->vertex_count, (long long)(at + i * 4 - in->bytes));
        surface->indexes[i] = (uint16_t)index;
    }
    return true;
}

static bool read_vertices(Reader *in, ModelSurface *surface, int64_t start, int64_t end) {
    const uint8_t *head = in->bytes + start;
    const uint8_t *uv = records(in, "texture coordinates", start, end, whole(head + 96), surface->vertex_count, UV_SIZE);
    int64_t all = (int64_t)surface->vertex_count * in->model->frame_count;
    const uint8_t *at = records(in, "vertices", start, end, whole(head + 100), all, VERTEX_SIZE);
    if (!uv || !at)
        return false;
    surface->uv = arena_array(in->arena, Vec2, surface->vertex_count);
    for (int i = 0; i < surface->vertex_count; i++, uv += UV_SIZE)
        surface->uv[i] = (Vec2){ real(uv), real(uv + 4) };
    surface->vertices = arena_array(in->arena, ModelVertex, all);
    for (int64_t i = 0; i < all; i++, at += VERTEX_SIZE) {
        ModelVertex *vertex = &surface->vertices[i];
        for (int axis = 0; axis < 3; axis++)
            vertex->position[axis] = (int16_t)(at[axis * 2] | at[axis * 2 + 1] << 8);
        vertex->normal = (uint16_t)(at[6] | at[7] << 8);
    }
    return true;
}

static bool read_surface(Reader *in, ModelSurface *surface, int64_t start, int64_t *next) {
    if (start > in->size - SURFACE_SIZE)
        return fail(in->error, "%s: a surface at byte %lld, the file ends at %lld", in->name, (long long)start, (long long)in->size);
    const uint8_t *head = in->bytes + start;
    read_name(surface->name, head + 4, NAME_SIZE);
    for (char *c = surface->name; *c; c++)
        *c = text_lower(*c);
    int64_t length = whole(head + 104), end = start + length;
    if (length < SURFACE_SIZE || end > in->size)    /* 0 would chain to itself for ever */
        return fail(in->error, "%s: surface %s at byte %lld says it is %lld bytes long, the file ends at %lld", in->name,
                    surface->name, (long long)start, (long long)length, (long long)in->size);
    if (whole(head + 72) != in->model->frame_count)
        return fail(in->error, "%s: surface %s has %d frames, the model %d", in->name, surface->name, whole(head + 72),
                    in->model->frame_count);
    surface->vertex_count = whole(head + 80);
    if (surface->vertex_count < 0 || surface->vertex_count > UINT16_MAX + 1)
        return fail(in->error, "%s: surface %s has %d vertices, at most %d are possible", in->name, surface->name,
                    surface->vertex_count, UINT16_MAX + 1);
    *next = end;
    if (!read_shaders(in, surface, start, end) || !read_vertices(in, surface, start, end) || !read_triangles(in, surface, start, end))
        return false;
    model_stack_make(surface, in->arena);
    return true;
}

static bool read_surfaces(Reader *in, const uint8_t *header) {
    Model *model = in->model;
    model->surface_count = whole(header + 84);
    int64_t at = whole(header + 100);
    if (!records(in, "surfaces", 0, in->size, at, model->surface_count, SURFACE_SIZE))
        return false;
    model->surfaces = arena_array(in->arena, ModelSurface, model->surface_count);
    for (int i = 0; i < model->surface_count; i++) {
        if (!read_surface(in, &model->surfaces[i], at, &at))
            return false;
        model->triangle_count += model->surfaces[i].triangle_count;
    }
    return true;
}

Model *model_load(Arena *arena, const char *name, const uint8_t *bytes, size_t size, Error *error) {
    Reader in = { name, bytes, (int64_t)size, arena, arena_new(arena, Model), error };
    if (size < HEADER_SIZE) {
        fail(error, "%s: too short for an MD3 (%zu bytes, need %d)", name, size, HEADER_SIZE);
        return NULL;
    }
    if (memcmp(bytes, "IDP3", 4) != 0) {
        fail(error, "%s: not an MD3: begins with %02x %02x %02x %02x, not IDP3", name, bytes[0], bytes[1], bytes[2], bytes[3]);
        return NULL;
    }
    if (whole(bytes + 4) != VERSION) {
        fail(error, "%s: MD3 version %d, only %d is known", name, whole(bytes + 4), VERSION);
        return NULL;
    }
    read_name(in.model->name, bytes + 8, NAME_SIZE);
    return read_frames(&in, bytes) && read_tags(&in, bytes) && read_surfaces(&in, bytes) ? in.model : NULL;
}
