/* assets/material_eval.c -- waves, colours, texture movement, clouds and fog at a time. */
#include "assets/material_eval.h"

#include <math.h>

#include "base/trig.h"

static const double PI = 3.14159265358979323846;

/* What is over the whole number below: 0 <= result < 1, of any size and sign; 0 of what a script's huge numbers make infinite. */
static double whole_below(double x) { return isfinite(x) ? x - floor(x) : 0; }

double wave_table(WaveKind kind, int step) {
    double x = (double)step / WAVE_STEPS;
    switch (kind) {
    case WAVE_SQUARE:           return x < 0.5 ? 1 : -1;
    case WAVE_TRIANGLE:         return x < 0.25 ? x * 4 : x < 0.75 ? 2 - x * 4 : x * 4 - 4;
    case WAVE_SAWTOOTH:         return x;
    case WAVE_INVERSE_SAWTOOTH: return 1 - x;
    default:                    return trig_sin(x * 2 * PI);
    }
}

static double table_at(WaveKind kind, double cycles) {
    int step = (int)(whole_below(cycles) * WAVE_STEPS);
    return wave_table(kind, step & (WAVE_STEPS - 1));
}

/* The engine's noise takes its table from the C library's random numbers, so no two ports agree: ours is a table of
 * hashes, and between whole places the same blend. */
static double hash_value(int64_t x, int64_t y, int64_t z, int64_t t) {
    uint64_t h = (uint64_t)x * 0x9e3779b97f4a7c15u ^ (uint64_t)y * 0xc2b2ae3d27d4eb4fu ^ (uint64_t)z * 0x165667b19e3779f9u ^
                 (uint64_t)t * 0xd6e8feb86659fd93u;
    h = (h ^ h >> 32) * 0xd6e8feb86659fd93u;
    h ^= h >> 32;
    return (double)(h & 0xffffff) / 0x800000 - 1;
}

static double noise_at(double x, double y, double z, double t) {
    const double at[4] = { x, y, z, t };
    int64_t whole[4];
    double part[4];
    for (int i = 0; i < 4; i++) {
        double inside = isfinite(at[i]) ? fmod(at[i], 1e9) : 0;    /* so that the whole part fits */
        whole[i] = (int64_t)floor(inside);
        part[i] = inside - floor(inside);
    }
    double sum = 0;
    for (int corner = 0; corner < 16; corner++) {
        double weight = 1;
        for (int i = 0; i < 4; i++)
            weight *= corner >> i & 1 ? part[i] : 1 - part[i];
        if (weight > 0)
            sum += weight * hash_value(whole[0] + (corner & 1), whole[1] + (corner >> 1 & 1), whole[2] + (corner >> 2 & 1),
                                       whole[3] + (corner >> 3 & 1));
    }
    return sum;
}

double wave_value(const Wave *wave, double time) {
    if (wave->kind == WAVE_NOISE)
        return wave->base + noise_at(0, 0, 0, (time + wave->phase) * wave->frequency) * wave->amplitude;
    return wave->base + table_at(wave->kind, wave->phase + time * wave->frequency) * wave->amplitude;
}

bool stage_blends_by(const LookStage *stage, Blend source, Blend destination) {
    return stage->blends && stage->source == source && stage->destination == destination;
}

bool stage_filters(const LookStage *stage) { return stage->blends && blend_filters(stage->source, stage->destination); }

bool stage_multiplies(const LookStage *stage) {
    return stage->blends && (stage->source == BLEND_DST_COLOR || stage->source == BLEND_ONE_MINUS_DST_COLOR || stage->source == BLEND_ZERO);
}

float identity_light(int overbright) { return overbright > 0 ? 0.5f : 1; }

static float clamped(double value) { return (float)(value > 0 ? value < 1 ? value : 1 : 0); }

static void put_grey(float color[4], float grey) { color[0] = color[1] = color[2] = grey; }

static void color_numbers(const LookStage *stage, double time, float identity, const float entity[4], StageNumbers *out) {
    put_grey(out->color, 1);
    out->color_from = FROM_CONSTANT;
    switch (stage->color_gen) {
    case COLOR_IDENTITY:
        break;
    case COLOR_DEFAULT:
    case COLOR_IDENTITY_LIGHTING:
        put_grey(out->color, identity);
        break;
    case COLOR_ENTITY:
        memcpy(out->color, entity, 3 * sizeof *entity);
        break;
    case COLOR_ONE_MINUS_ENTITY:
        for (int i = 0; i < 3; i++)
            out->color[i] = 1 - entity[i];
        break;
    case COLOR_VERTEX:
        out->color_from = FROM_VERTEX;
        put_grey(out->color, identity);
        break;
    case COLOR_EXACT_VERTEX:
        out->color_from = FROM_VERTEX;
        break;
    case COLOR_ONE_MINUS_VERTEX:
        out->color_from = FROM_ONE_MINUS_VERTEX;
        put_grey(out->color, identity);
        break;
    case COLOR_LIGHTING_DIFFUSE:
        out->color_from = FROM_LIGHT;
        break;
    case COLOR_WAVE:
        put_grey(out->color, clamped(wave_value(&stage->color_wave, time) * identity));
        break;
    case COLOR_CONST:
        for (int i = 0; i < 3; i++)
            out->color[i] = clamped(stage->color.raw[i]);
        break;
    }
}

static void alpha_numbers(const LookStage *stage, double time, const float entity[4], StageNumbers *out) {
    out->color[3] = 1;
    out->alpha_from = FROM_CONSTANT;
    out->range = 1;
    switch (stage->alpha_gen) {
    case ALPHAGEN_DEFAULT:
    case ALPHAGEN_IDENTITY:
        break;
    case ALPHAGEN_ENTITY:
        out->color[3] = entity[3];
        break;
    case ALPHAGEN_ONE_MINUS_ENTITY:
        out->color[3] = 1 - entity[3];
        break;
    case ALPHAGEN_VERTEX:
        out->alpha_from = FROM_VERTEX;
        break;
    case ALPHAGEN_ONE_MINUS_VERTEX:
        out->alpha_from = FROM_ONE_MINUS_VERTEX;
        break;
    case ALPHAGEN_LIGHTING_SPECULAR:
        out->alpha_from = FROM_SPECULAR;
        break;
    case ALPHAGEN_WAVE:
        out->color[3] = clamped(wave_value(&stage->alpha_wave, time));
        break;
    case ALPHAGEN_CONST:
        out->color[3] = clamped(stage->alpha);
        break;
    case ALPHAGEN_PORTAL:
        out->alpha_from = FROM_DISTANCE;
        out->range = stage->alpha > 0 ? stage->alpha : 256;
        break;
    }
}


/* Texture movement: s and t through one matrix after the other; a turbulence's additions go through those after it. */

typedef struct Movement { double m[6]; StageNumbers *out; } Movement;

static void apply(Movement *move, const double by[6]) {
    double *m = move->m, old[6];
    memcpy(old, m, sizeof old);
    for (int row = 0; row < 2; row++) {
        const double *b = by + row * 3;
        for (int column = 0; column < 3; column++)
            m[row * 3 + column] = b[0] * old[column] + b[1] * old[3 + column];
        m[row * 3 + 2] += b[2];
    }
    for (int i = 0; i < move->out->turb_count; i++) {
        float *a = move->out->turbs[i].after, was[4];
        memcpy(was, a, sizeof was);
        for (int column = 0; column < 2; column++) {
            a[column] = (float)(by[0] * was[column] + by[1] * was[2 + column]);
            a[2 + column] = (float)(by[3] * was[column] + by[4] * was[2 + column]);
        }
    }
}

static void add_turb(Movement *move, const Wave *wave, double time) {
    double cycle = whole_below(wave->phase + time * wave->frequency);
    move->out->turbs[move->out->turb_count++] = (StageTurb){ wave->amplitude, (float)cycle, { 1, 0, 0, 1 } };
}

static void rotate(Movement *move, double degrees) {
    double cycles = -degrees / 360, sine = table_at(WAVE_SIN, cycles), cosine = table_at(WAVE_SIN, cycles + 0.25);
    apply(move, (double[6]){ cosine, -sine, 0.5 - 0.5 * cosine + 0.5 * sine, sine, cosine, 0.5 - 0.5 * sine - 0.5 * cosine });
}

static void stretch(Movement *move, double wave) {
    double p = fabs(wave) > 1e-6 ? 1 / wave : 0;
    apply(move, (double[6]){ p, 0, 0.5 - 0.5 * p, 0, p, 0.5 - 0.5 * p });
}

static void apply_texmod(Movement *move, const TexMod *mod, double time) {
    const float *n = mod->numbers;
    switch (mod->kind) {
    case TEXMOD_TURB:
        add_turb(move, &mod->wave, time);
        break;
    case TEXMOD_SCALE:
        apply(move, (double[6]){ n[0], 0, 0, 0, n[1], 0 });
        break;
    case TEXMOD_SCROLL:
        apply(move, (double[6]){ 1, 0, whole_below(n[0] * time), 0, 1, whole_below(n[1] * time) });
        break;
    case TEXMOD_STRETCH:
        stretch(move, wave_value(&mod->wave, time));
        break;
    case TEXMOD_TRANSFORM:
        apply(move, (double[6]){ n[0], n[2], n[4], n[1], n[3], n[5] });
        break;
    case TEXMOD_ROTATE:
        rotate(move, n[0] * time);
        break;
    case TEXMOD_ENTITY_TRANSLATE:    /* by what the entity says; those of levels say nothing */
        break;
    }
}

void stage_numbers(const LookStage *stage, double time, float identity, const float entity[4], StageNumbers *out) {
    static const float white[4] = { 1, 1, 1, 1 };
    *out = (StageNumbers){ .texture = stage->textures[0] };
    if (stage->texture_count > 1) {
        double frame = floor(fmin(fmax(time * stage->frames_per_second, 0), 1e15));    /* beyond that no picture is the right one */
        out->texture = stage->textures[(int)fmod(frame, stage->texture_count)];
    }
    color_numbers(stage, time, identity, entity ? entity : white, out);
    alpha_numbers(stage, time, entity ? entity : white, out);
    Movement move = { { 1, 0, 0, 0, 1, 0 }, out };
    for (int i = 0; i < stage->texmod_count; i++)
        apply_texmod(&move, &stage->texmods[i], time);
    for (int i = 0; i < 6; i++)
        out->matrix[i] = (float)move.m[i];
}

static Vec2 reflected(const StagePoint *point) {
    Vec3 n = point->normal, away = vec3_normalized(vec3_sub(point->eye, point->position));
    float twice = 2 * vec3_dot(n, away);
    return (Vec2){ 0.5f + (n.y * twice - away.y) * 0.5f, 0.5f - (n.z * twice - away.z) * 0.5f };
}

static Vec2 generated(const LookStage *stage, const StagePoint *point) {
    switch (stage->texcoord_gen) {
    case TEXCOORD_LIGHTMAP:
        return point->lightmap_uv;
    case TEXCOORD_ENVIRONMENT:
        return reflected(point);
    case TEXCOORD_VECTOR:
        return (Vec2){ vec3_dot(point->position, stage->texcoord_vectors[0]), vec3_dot(point->position, stage->texcoord_vectors[1]) };
    default:
        return point->uv;
    }
}

Vec2 stage_texcoord(const LookStage *stage, const StageNumbers *numbers, const StagePoint *point) {
    Vec2 from = generated(stage, point);
    const float *m = numbers->matrix;
    Vec2 out = { m[0] * from.x + m[1] * from.y + m[2], m[3] * from.x + m[4] * from.y + m[5] };
    Vec3 p = point->position;
    for (int i = 0; i < numbers->turb_count; i++) {
        const StageTurb *turb = &numbers->turbs[i];
        float ds = (float)(turb->amplitude * table_at(WAVE_SIN, (p.x + p.z) / 1024.0 + turb->cycle));
        float dt = (float)(turb->amplitude * table_at(WAVE_SIN, p.y / 1024.0 + turb->cycle));
        out.x += turb->after[0] * ds + turb->after[1] * dt;
        out.y += turb->after[2] * ds + turb->after[3] * dt;
    }
    return out;
}

static float specular(const StagePoint *point) {
    static const Vec3 lamp = { { -960, 1980, 96 } };
    Vec3 light = vec3_normalized(vec3_sub(lamp, point->position)), eye = vec3_normalized(vec3_sub(point->eye, point->position));
    float twice = 2 * vec3_dot(point->normal, light);
    float l = vec3_dot(vec3_sub(vec3_scale(point->normal, twice), light), eye);
    return l > 0 ? clamped(l * l * l * l) : 0;
}

void stage_color(const StageNumbers *numbers, const StagePoint *point, float rgba[4]) {
    memcpy(rgba, numbers->color, 4 * sizeof *rgba);
    float facing = numbers->color_from == FROM_LIGHT ? fmaxf(vec3_dot(point->normal, point->direction), 0) : 0;
    for (int i = 0; i < 3; i++) {
        if (numbers->color_from == FROM_VERTEX)
            rgba[i] *= point->color[i];
        else if (numbers->color_from == FROM_ONE_MINUS_VERTEX)
            rgba[i] *= 1 - point->color[i];
        else if (numbers->color_from == FROM_LIGHT)
            rgba[i] = clamped(point->ambient.raw[i] + facing * point->directed.raw[i]);
    }
    if (numbers->alpha_from == FROM_VERTEX)
        rgba[3] = point->color[3];
    else if (numbers->alpha_from == FROM_ONE_MINUS_VERTEX)
        rgba[3] = 1 - point->color[3];
    else if (numbers->alpha_from == FROM_SPECULAR)
        rgba[3] = specular(point);
    else if (numbers->alpha_from == FROM_DISTANCE)
        rgba[3] = clamped(vec3_length(vec3_sub(point->position, point->eye)) / numbers->range);
}

static Vec3 shifted(Vec3 color, int shift) {    /* keeps the hue, as bsp_shift_color does with bytes */
    color = vec3_scale(color, (float)(1 << shift) / 255);
    float most = fmaxf(fmaxf(color.x, color.y), color.z);
    return most > 1 ? vec3_scale(color, 1 / most) : color;
}

LightNumbers light_numbers(const BspLightSample *sample, int overbright) {
    float identity = identity_light(overbright);
    int shift = overbright > 0 ? 1 : 2;
    LightNumbers out = { vec3_at(150 / 255.0f, 150 / 255.0f, 150 / 255.0f), vec3_at(150 / 255.0f, 150 / 255.0f, 150 / 255.0f),
                         vec3_normalized(vec3_at(0.45f, 0.3f, 0.9f)) };
    if (sample->valid)
        out = (LightNumbers){ shifted(sample->ambient, shift), shifted(sample->directed, shift), sample->direction };
    for (int i = 0; i < 3; i++)
        out.ambient.raw[i] = fminf(out.ambient.raw[i] * 0.6f + 32 * identity / 255, identity);
    return out;
}


/* Deformations. */

static void deform_wave(const Deform *deform, double time, BspVertex *vertices, int count) {
    double spread = deform->numbers[0] != 0 ? 1 / (double)deform->numbers[0] : 100;
    if (deform->wave.frequency == 0)
        spread = 0;    /* a wave at rest is the same for all */
    for (int i = 0; i < count; i++) {
        Vec3 p = vertices[i].position;
        Wave wave = deform->wave;
        double cycle = wave.phase + ((double)p.x + p.y + p.z) * spread + time * wave.frequency;
        double push = wave.base + wave.amplitude * table_at(wave.kind, cycle);
        vertices[i].position = vec3_add_scaled(p, vertices[i].normal, (float)push);
    }
}

static void deform_normal(const Deform *deform, double time, BspVertex *vertices, int count) {
    const double close = 0.98;    /* neighbours get much the same noise */
    for (int i = 0; i < count; i++) {
        Vec3 p = vertices[i].position, n = vertices[i].normal;
        double t = time * deform->numbers[1];
        for (int k = 0; k < 3; k++)
            n.raw[k] += (float)(deform->numbers[0] * noise_at(100.0 * k + p.x * close, p.y * close, p.z * close, t));
        vertices[i].normal = vec3_normalized(n);
    }
}

static void deform_bulge(const Deform *deform, double time, BspVertex *vertices, int count) {
    for (int i = 0; i < count; i++) {
        double cycle = ((double)vertices[i].uv.x * deform->numbers[0] + time * deform->numbers[2]) / (2 * PI);
        float push = (float)(table_at(WAVE_SIN, cycle) * deform->numbers[1]);
        vertices[i].position = vec3_add_scaled(vertices[i].position, vertices[i].normal, push);
    }
}

static void deform_move(const Deform *deform, double time, BspVertex *vertices, int count) {
    float by = (float)wave_value(&deform->wave, time);
    Vec3 to = vec3_at(deform->numbers[0] * by, deform->numbers[1] * by, deform->numbers[2] * by);
    for (int i = 0; i < count; i++)
        vertices[i].position = vec3_add(vertices[i].position, to);
}

typedef struct Quad { BspVertex *at[4]; } Quad;    /* its corners, around */

/* The corners around, as the first triangle goes, beginning at the one that the second triangle lacks. */
static bool quad_at(BspVertex *vertices, const uint32_t *indexes, uint32_t first, int number, Quad *out) {
    const uint32_t *i = indexes + 6 * number;
    uint32_t base = (uint32_t)(4 * number), v[6];
    for (int k = 0; k < 6; k++) {
        v[k] = i[k] - first - base;
        if (v[k] > 3)
            return false;
    }
    int start = 0;
    while (start < 3 && (v[start] == v[3] || v[start] == v[4] || v[start] == v[5]))
        start++;
    uint32_t a = v[start % 3], b = v[(start + 1) % 3], d = v[(start + 2) % 3], c = 6 - a - b - d;    /* 0 1 2 3 add up to 6 */
    if (start == 3 || a == b || b == d || a == d || c > 3 || (v[3] != c && v[4] != c && v[5] != c))
        return false;
    BspVertex *four = vertices + base;
    *out = (Quad){ { &four[a], &four[b], &four[c], &four[d] } };
    return true;
}

static Vec3 quad_middle(const Quad *quad) {
    Vec3 sum = vec3_at(0, 0, 0);
    for (int i = 0; i < 4; i++)
        sum = vec3_add(sum, quad->at[i]->position);
    return vec3_scale(sum, 0.25f);
}

/* Turned to face the eye, with the whole picture upright on it. */
static void sprite(const Quad *quad, const Axes *axes) {
    static const float across[4] = { -1, 1, 1, -1 }, upward[4] = { 1, 1, -1, -1 };    /* clockwise, from the top left */
    Vec3 middle = quad_middle(quad);
    float radius = vec3_length(vec3_sub(quad->at[0]->position, middle)) * 0.707f;
    for (int i = 0; i < 4; i++) {
        Vec3 to = vec3_add_scaled(middle, axes->right, across[i] * radius);
        quad->at[i]->position = vec3_add_scaled(to, axes->up, upward[i] * radius);
        quad->at[i]->normal = vec3_scale(axes->forward, -1);
        quad->at[i]->uv = quad->at[i]->lightmap_uv = (Vec2){ across[i] > 0, upward[i] < 0 };
    }
}

/* Turned about its longer axis, which runs through the middles of its two short edges, as far towards the eye as goes. */
static void upright_sprite(const Quad *quad, const Axes *axes) {
    float lengths[4];
    for (int i = 0; i < 4; i++)
        lengths[i] = vec3_length(vec3_sub(quad->at[(i + 1) % 4]->position, quad->at[i]->position));
    int edge = lengths[0] + lengths[2] <= lengths[1] + lengths[3] ? 0 : 1;    /* it and its opposite are the short ones */
    Vec3 ends[2];
    for (int i = 0; i < 2; i++)
        ends[i] = vec3_mix(quad->at[(edge + 2 * i) % 4]->position, quad->at[(edge + 2 * i + 1) % 4]->position, 0.5f);
    Vec3 across = vec3_normalized(vec3_cross(vec3_sub(ends[1], ends[0]), axes->forward));
    for (int i = 0; i < 2; i++) {
        float half = (i ? -0.5f : 0.5f) * lengths[(edge + 2 * i) % 4];
        quad->at[(edge + 2 * i) % 4]->position = vec3_add_scaled(ends[i], across, -half);
        quad->at[(edge + 2 * i + 1) % 4]->position = vec3_add_scaled(ends[i], across, half);
    }
}

static void deform_sprites(const Deform *deform, const Axes *axes, BspVertex *vertices, int vertex_count,
                           const uint32_t *indexes, int index_count, uint32_t first) {
    if (vertex_count % 4 != 0 || index_count != vertex_count / 4 * 6)
        return;
    for (int i = 0; i < vertex_count / 4; i++) {
        Quad quad;
        if (!quad_at(vertices, indexes, first, i, &quad))
            continue;
        if (deform->kind == DEFORM_AUTOSPRITE)
            sprite(&quad, axes);
        else
            upright_sprite(&quad, axes);
    }
}

void look_deform(const Look *look, double time, const Axes *axes, BspVertex *vertices, int vertex_count,
                 const uint32_t *indexes, int index_count, uint32_t first) {
    for (int i = 0; i < look->deform_count; i++) {
        const Deform *deform = &look->deforms[i];
        switch (deform->kind) {
        case DEFORM_WAVE:   deform_wave(deform, time, vertices, vertex_count); break;
        case DEFORM_NORMAL: deform_normal(deform, time, vertices, vertex_count); break;
        case DEFORM_BULGE:  deform_bulge(deform, time, vertices, vertex_count); break;
        case DEFORM_MOVE:   deform_move(deform, time, vertices, vertex_count); break;
        case DEFORM_AUTOSPRITE:
        case DEFORM_AUTOSPRITE2:
            deform_sprites(deform, axes, vertices, vertex_count, indexes, index_count, first);
            break;
        case DEFORM_PROJECTION_SHADOW:    /* of models that cast shadows, and of the engine's demo: not of levels */
        case DEFORM_TEXT:
            break;
        }
    }
}


/* Sky. */

Vec3 sky_direction(int side, float s, float t) {
    switch (side) {
    case 0:  return vec3_at(1, -s, t);
    case 1:  return vec3_at(-1, s, t);
    case 2:  return vec3_at(s, 1, t);
    case 3:  return vec3_at(-s, -1, t);
    case 4:  return vec3_at(-t, -s, 1);
    default: return vec3_at(t, -s, -1);
    }
}

Vec2 sky_cloud_coord(int side, int s, int t, float cloud_height) {
    const double radius = 4096, height = cloud_height, half = SKY_GRID / 2.0;
    Vec3 ray = sky_direction(side, (float)((s - half) / half), (float)((t - half) / half));
    double x = ray.x, y = ray.y, z = ray.z, square = x * x + y * y + z * z;
    double p = (-z * radius + sqrt(z * z * radius * radius + square * (2 * radius * height + height * height))) / square;
    double v[3] = { x * p, y * p, z * p + radius };
    double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    return (Vec2){ (float)trig_acos(v[0] / length), (float)trig_acos(v[1] / length) };
}


/* Fog. */

FogNumbers fog_numbers(const Look *fog, const Plane *surface, Vec3 eye, Vec3 forward, float identity) {
    double scale = 1 / (8.0 * fog->fog_depth);
    FogNumbers out = { .eye_depth = 1 };
    for (int i = 0; i < 3; i++) {
        out.color[i] = clamped(fog->fog_color.raw[i] * identity);
        out.distance[i] = (float)(forward.raw[i] * scale);
        out.depth[i] = surface ? -surface->normal.raw[i] : 0;
    }
    out.distance[3] = (float)(-((double)forward.x * eye.x + (double)forward.y * eye.y + (double)forward.z * eye.z) * scale);
    out.depth[3] = surface ? surface->dist : 1;
    if (surface)
        out.eye_depth = -plane_distance(*surface, eye);
    return out;
}

void fog_factors(const FogNumbers *fog, Vec3 p, float *amount, float *part) {
    *amount = fog->distance[0] * p.x + fog->distance[1] * p.y + fog->distance[2] * p.z + fog->distance[3];
    float t = fog->depth[0] * p.x + fog->depth[1] * p.y + fog->depth[2] * p.z + fog->depth[3];
    *part = t < 0 ? 0 : 1;
    if (fog->eye_depth < 0)
        *part = t < 1 ? 0 : t / (t - fog->eye_depth);
}

float fog_opacity(const FogNumbers *fog, Vec3 point) {
    float amount, part;
    fog_factors(fog, point, &amount, &part);
    return sqrtf(clamped(8.0 * amount * part));
}

unsigned blend_fogged(Blend source, Blend destination) {
    if ((source == BLEND_ONE && destination == BLEND_ONE) || (source == BLEND_ZERO && destination == BLEND_ONE_MINUS_SRC_COLOR))
        return FOGGED_COLOR;
    if (destination != BLEND_ONE_MINUS_SRC_ALPHA)
        return 0;
    return source == BLEND_SRC_ALPHA ? FOGGED_ALPHA : source == BLEND_ONE ? FOGGED_COLOR | FOGGED_ALPHA : 0;
}
