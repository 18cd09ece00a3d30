/* assets/model.c -- questions about a model that is loaded: poses, tags, skins. */
#include "assets/model.h"

#include <math.h>

#include "base/trig.h"

static int frame_in_range(int frame, int count) { return frame >= 0 && frame < count ? frame : 0; }

/* High byte azimuth, low byte polar angle, 256 to the turn (format.md 10). */
Vec3 model_normal(uint16_t packed) {
    double turn = 2 * 3.14159265358979323846 / 256;
    double azimuth = (packed >> 8) * turn, polar = (packed & 255) * turn;
    double flat = trig_sin(polar);
    return vec3_at((float)(trig_cos(azimuth) * flat), (float)(trig_sin(azimuth) * flat), (float)trig_cos(polar));
}

static Vec3 vertex_position(const ModelVertex *vertex) {
    return vec3_at(vertex->position[0] / 64.0f, vertex->position[1] / 64.0f, vertex->position[2] / 64.0f);
}

void model_pose(const ModelSurface *surface, int frame_count, int from, int to, float mix, Vec3 *positions, Vec3 *normals) {
    size_t count = (size_t)surface->vertex_count;
    const ModelVertex *a = surface->vertices + (size_t)frame_in_range(from, frame_count) * count;
    const ModelVertex *b = surface->vertices + (size_t)frame_in_range(to, frame_count) * count;
    bool still = a == b || mix == 0;
    for (size_t i = 0; i < count; i++) {
        Vec3 place = vertex_position(&a[i]);
        positions[i] = still ? place : vec3_mix(place, vertex_position(&b[i]), mix);
        if (normals) {
            Vec3 normal = model_normal(a[i].normal);
            normals[i] = still || a[i].normal == b[i].normal
                ? normal : vec3_normalized(vec3_mix(normal, model_normal(b[i].normal), mix));
        }
    }
}

Box model_bounds(const Model *model, int from, int to) {
    return box_join(model->frames[frame_in_range(from, model->frame_count)].bounds,
                    model->frames[frame_in_range(to, model->frame_count)].bounds);
}

int model_tag_by_name(const Model *model, const char *name) {
    for (int i = 0; i < model->tag_count; i++)
        if (text_same(model->tag_names[i], name))
            return i;
    return -1;
}

ModelTag model_tag(const Model *model, int tag, int from, int to, float mix) {
    const ModelTag *a = &model->tags[frame_in_range(from, model->frame_count) * model->tag_count + tag];
    const ModelTag *b = &model->tags[frame_in_range(to, model->frame_count) * model->tag_count + tag];
    return (ModelTag){
        .origin = vec3_mix(a->origin, b->origin, mix),
        .axes = {
            .forward = vec3_normalized(vec3_mix(a->axes.forward, b->axes.forward, mix)),
            .right = vec3_normalized(vec3_mix(a->axes.right, b->axes.right, mix)),
            .up = vec3_normalized(vec3_mix(a->axes.up, b->axes.up, mix)),
        },
    };
}

static bool blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

const char *model_skin_shader(const char *skin_text, const char *surface, char *out, size_t room) {
    size_t length = strlen(surface);
    for (const char *line = skin_text; *line;) {
        while (blank(*line) || *line == '\n')
            line++;
        size_t span = strcspn(line, "\n");
        size_t name = strcspn(line, ",\n");
        size_t end = name;
        while (end > 0 && blank(line[end - 1]))
            end--;
        if (line[name] == ',' && end == length && text_starts_fold(line, surface)) {
            const char *shader = line + name + 1, *stop = line + span;
            while (shader < stop && blank(*shader))
                shader++;
            while (stop > shader && blank(stop[-1]))
                stop--;
            size_t size = (size_t)(stop - shader);
            size = size < room ? size : room - 1;
            memcpy(out, shader, size);
            out[size] = 0;
            return size ? out : NULL;
        }
        line += span;
    }
    return NULL;
}
