/* frame/frame.c -- filling a frame: every list takes what is sound and counts what it leaves out. */
#include "frame/frame.h"

#include <math.h>

static const char *const shade_names[SHADE_COUNT] = {
    "lit", "texture", "lightmap", "cluster", "face", "depth", "normal", "wire", "overdraw", "mip", "spans", "edges",
};

const char *shade_name(int shade) { return shade >= 0 && shade < SHADE_COUNT ? shade_names[shade] : "?"; }

int shade_by_name(const char *name) {
    for (int i = 0; i < SHADE_COUNT; i++)
        if (text_same(name, shade_names[i]))
            return i;
    return -1;
}


void frame_open(Frame *frame) {
    memset(frame, 0, sizeof *frame);
    frame->arena = arena_open();
    frame_begin(frame);
}

void frame_close(Frame *frame) {
    array_free(&frame->models);
    array_free(&frame->meshes);
    array_free(&frame->sprites);
    array_free(&frame->particles);
    array_free(&frame->lights);
    array_free(&frame->lines);
    array_free(&frame->boxes);
    array_free(&frame->tints);
    array_free(&frame->vertices);
    array_free(&frame->triangles);
    array_free(&frame->ui_vertices);
    array_free(&frame->ui);
    arena_close(frame->arena);
    memset(frame, 0, sizeof *frame);
}

/* The lists keep their memory from frame to frame: a busy script allocates once. */
void frame_begin(Frame *frame) {
    Frame empty = {
        .arena = frame->arena,
        .overbright = 1, .gamma = 1, .clear = { 0, 0, 0, 255 }, .wire = { 255, 255, 255, 255 },
        .models = { frame->models.at, 0, frame->models.room },
        .meshes = { frame->meshes.at, 0, frame->meshes.room },
        .sprites = { frame->sprites.at, 0, frame->sprites.room },
        .particles = { frame->particles.at, 0, frame->particles.room },
        .lights = { frame->lights.at, 0, frame->lights.room },
        .lines = { frame->lines.at, 0, frame->lines.room },
        .boxes = { frame->boxes.at, 0, frame->boxes.room },
        .tints = { frame->tints.at, 0, frame->tints.room },
        .vertices = { frame->vertices.at, 0, frame->vertices.room },
        .triangles = { frame->triangles.at, 0, frame->triangles.room },
        .ui_vertices = { frame->ui_vertices.at, 0, frame->ui_vertices.room },
        .ui = { frame->ui.at, 0, frame->ui.room },
    };
    arena_reset(frame->arena);
    *frame = empty;
}


static bool taken(Frame *frame, bool sound) {
    frame->dropped += !sound;
    return sound;
}

void frame_line(Frame *frame, FrameLine line) {
    if (taken(frame, frame->lines.count < FRAME_MOST && vec3_finite(line.from) && vec3_finite(line.to) && isfinite(line.width)))
        *array_push(&frame->lines) = line;
}

void frame_box(Frame *frame, FrameBox box) {
    if (taken(frame, frame->boxes.count < FRAME_MOST && vec3_finite(box.box.mins) && vec3_finite(box.box.maxs)
                     && isfinite(box.width)))
        *array_push(&frame->boxes) = box;
}

void frame_face(Frame *frame, FrameFace face) {
    bool known = frame->level && face.face >= 0 && face.face < frame->level->map->face_count;
    if (taken(frame, known && frame->tints.count < FRAME_MOST && isfinite(face.width)))
        *array_push(&frame->tints) = face;
}

void frame_sprite(Frame *frame, FrameSprite sprite) {
    bool sound = vec3_finite(sprite.origin) && isfinite(sprite.width) && isfinite(sprite.height) && isfinite(sprite.roll) &&
                 (!sprite.oriented || (vec3_finite(sprite.right) && vec3_finite(sprite.up)));
    if (taken(frame, sound && frame->sprites.count < FRAME_MOST))
        *array_push(&frame->sprites) = sprite;
}

void frame_particle(Frame *frame, FrameParticle particle) {
    bool sound = vec3_finite(particle.origin) && isfinite(particle.size) && particle.size >= 0;
    if (taken(frame, sound && frame->particles.count < FRAME_MOST))
        *array_push(&frame->particles) = particle;
}

void frame_light(Frame *frame, FrameLight light) {
    bool sound = vec3_finite(light.origin) && vec3_finite(light.color) && isfinite(light.radius) && light.radius > 0;
    if (taken(frame, sound && frame->lights.count < FRAME_MOST))
        *array_push(&frame->lights) = light;
}

void frame_triangle(Frame *frame, const FrameVertex corners[3], int texture, int flags) {
    bool sound = frame->vertices.count + 3 <= FRAME_MOST;
    for (int i = 0; i < 3; i++)
        sound = sound && vec3_finite(corners[i].position) && isfinite(corners[i].u) && isfinite(corners[i].v);
    if (!taken(frame, sound))
        return;
    int first = (int)frame->vertices.count;
    memcpy(array_push_n(&frame->vertices, 3), corners, 3 * sizeof *corners);
    FrameTriangles *last = frame->triangles.count ? &frame->triangles.at[frame->triangles.count - 1] : NULL;
    if (last && last->texture == texture && last->flags == flags)
        last->count += 3;
    else
        *array_push(&frame->triangles) = (FrameTriangles){ first, 3, texture, flags };
}


static const int no_clip[4] = { 0, 0, 0, 0 };

void frame_ui_triangle(Frame *frame, const UiVertex corners[3], int texture, const int clip[4]) {
    bool sound = frame->ui_vertices.count + 3 <= FRAME_MOST;
    for (int i = 0; i < 3; i++)
        sound = sound && isfinite(corners[i].x) && isfinite(corners[i].y) && isfinite(corners[i].u) && isfinite(corners[i].v);
    if (!taken(frame, sound))
        return;
    clip = clip ? clip : no_clip;
    int first = (int)frame->ui_vertices.count;
    memcpy(array_push_n(&frame->ui_vertices, 3), corners, 3 * sizeof *corners);
    UiTriangles *last = frame->ui.count ? &frame->ui.at[frame->ui.count - 1] : NULL;
    if (last && last->texture == texture && !memcmp(last->clip, clip, sizeof last->clip)) {
        last->count += 3;
        return;
    }
    UiTriangles *more = array_push(&frame->ui);
    *more = (UiTriangles){ .first = first, .count = 3, .texture = texture };
    memcpy(more->clip, clip, sizeof more->clip);
}

static void ui_four(Frame *frame, const UiVertex corners[4], int texture, const int clip[4]) {
    frame_ui_triangle(frame, corners, texture, clip);
    frame_ui_triangle(frame, (UiVertex[3]){ corners[0], corners[2], corners[3] }, texture, clip);
}

void frame_ui_quad(Frame *frame, float x, float y, float width, float height, const float uv[4], int texture, Rgba color,
                   const int clip[4]) {
    static const float whole[4] = { 0, 0, 1, 1 };
    uv = uv ? uv : whole;
    ui_four(frame, (UiVertex[4]){ { x, y, uv[0], uv[1], color }, { x + width, y, uv[2], uv[1], color },
                                  { x + width, y + height, uv[2], uv[3], color }, { x, y + height, uv[0], uv[3], color } },
            texture, clip);
}

void frame_ui_line(Frame *frame, float x0, float y0, float x1, float y1, float width, Rgba color, const int clip[4]) {
    double dx = (double)x1 - x0, dy = (double)y1 - y0, length = sqrt(dx * dx + dy * dy);
    if (!(length > 0)) {    /* a point is a dot as wide as the line */
        dx = 1;
        dy = 0;
        length = 1;
        x0 -= width / 2;
        x1 += width / 2;
    }
    float ax = (float)(-dy / length * width / 2), ay = (float)(dx / length * width / 2);
    ui_four(frame, (UiVertex[4]){ { x0 + ax, y0 + ay, 0, 0, color }, { x1 + ax, y1 + ay, 0, 0, color },
                                  { x1 - ax, y1 - ay, 0, 0, color }, { x0 - ax, y0 - ay, 0, 0, color } },
            TEXTURE_WHITE, clip);
}


/* Hues a golden section apart never come near one another soon; three brightnesses keep neighbours apart still more.
 * Whole numbers only, so that the colour is the same on every machine. */
Rgba color_of_number(int number) {
    if (number < 0)
        return (Rgba){ 96, 96, 96, 255 };
    uint32_t turn = (uint32_t)number * 2654435769u;             /* 2^32 / golden ratio: the circle of hues is 2^32 around */
    uint32_t sixth = (uint32_t)(((uint64_t)turn * 6) >> 32);
    int rise = (int)((((uint64_t)turn * 6) >> 24) & 255);       /* 0 .. 255 within the sixth */
    static const int tops[3] = { 255, 215, 235 };
    int top = tops[number % 3], low = number % 2 ? 40 : 80, span = top - low;
    int up = low + span * rise / 255, down = top - span * rise / 255;
    int r[6] = { top, down, low, low, up, top }, g[6] = { up, top, top, down, low, low }, b[6] = { low, low, up, top, top, down };
    return (Rgba){ (uint8_t)r[sixth], (uint8_t)g[sixth], (uint8_t)b[sixth], 255 };
}

void frame_face_clusters(const Map *map, int *out) {
    for (int i = 0; i < map->face_count; i++)
        out[i] = -1;
    for (int i = 0; i < map->leaf_count; i++) {
        const BspLeaf *leaf = &map->leafs[i];
        for (int k = 0; k < leaf->face_count && leaf->cluster >= 0 && map->leaf_parent[i] >= 0; k++) {
            int face = map->leaffaces[leaf->first_face + k];
            if (out[face] < 0)
                out[face] = leaf->cluster;
        }
    }
}
