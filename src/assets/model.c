/* assets/model.c -- questions about a model that is loaded: poses, tags, skins. */
#include "assets/model.h"

#include <math.h>

static int frame_in_range(int frame, int count) { return frame >= 0 && frame < count ? frame : 0; }

/* Sines of a quarter turn in 64 steps. */
static const double quarter[65] = {
    0.0, 0.024541228522912288, 0.049067674327418015, 0.07356456359966743,
    0.0980171403295606, 0.1224106751992162, 0.14673047445536175, 0.17096188876030122,
    0.19509032201612828, 0.2191012401568698, 0.2429801799032639, 0.26671275747489837,
    0.2902846772544624, 0.31368174039889146, 0.33688985339222005, 0.35989503653498817,
    0.3826834323650898, 0.40524131400498986, 0.4275550934302821, 0.4496113296546066,
    0.47139673682599764, 0.49289819222978404, 0.5141027441932218, 0.5349976198870973,
    0.5555702330196022, 0.5758081914178453, 0.5956993044924334, 0.6152315905806268,
    0.6343932841636455, 0.6531728429537768, 0.6715589548470184, 0.6895405447370669,
    0.7071067811865476, 0.7242470829514669, 0.7409511253549591, 0.7572088465064846,
    0.773010453362737, 0.7883464276266062, 0.8032075314806449, 0.8175848131515837,
    0.8314696123025452, 0.8448535652497071, 0.8577286100002721, 0.8700869911087115,
    0.881921264348355, 0.8932243011955153, 0.9039892931234433, 0.9142097557035307,
    0.9238795325112867, 0.9329927988347388, 0.9415440651830208, 0.9495281805930367,
    0.9569403357322088, 0.9637760657954398, 0.970031253194544, 0.9757021300385286,
    0.9807852804032304, 0.9852776423889412, 0.989176509964781, 0.99247953459871,
    0.9951847266721969, 0.9972904566786902, 0.9987954562051724, 0.9996988186962042,
    1.0,
};

static double sine(int step) {    /* 256 to the turn */
    int part = step & 63;
    double value = step & 64 ? quarter[64 - part] : quarter[part];
    return step & 128 ? -value : value;
}

/* High byte azimuth, low byte polar angle, 256 to the turn (format.md 10). */
Vec3 model_normal(uint16_t packed) {
    int azimuth = packed >> 8, polar = packed & 255;
    double flat = sine(polar);
    return vec3_at((float)(sine(azimuth + 64) * flat), (float)(sine(azimuth) * flat), (float)sine(polar + 64));
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
    Box first = model->frames[frame_in_range(from, model->frame_count)].bounds;
    return from == to ? first : box_join(first, model->frames[frame_in_range(to, model->frame_count)].bounds);
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
