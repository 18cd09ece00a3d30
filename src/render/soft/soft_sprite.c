/* render/soft/soft_sprite.c -- pictures that stand in the level, and particles: squares with one depth, by the thousand.
 *
 * Particles are put into lists by band first, so that a band looks at its own alone; within it they keep their order. */
#include <math.h>

#include "render/soft/soft_model_internal.h"

static const double nearer = 1 / 0.998;    /* as every overlay: what lies on a wall is seen */

bool soft_sprite_corners(const Soft *soft, const FrameSprite *sprite, double corners[4][3], double lanes[4][LANES]) {
    Vec3 place[4];
    frame_sprite_corners(&soft->frame->view, sprite, place);
    const SoftTexture *texture = soft_texture_at((Soft *)soft, sprite->texture);
    double edge_u = soft->mode.bilinear ? 0.5 / (1 << texture->width_log) : 0, edge_v = soft->mode.bilinear ? 0.5 / (1 << texture->height_log) : 0;
    bool seen = false, turned = soft->portal && soft->portal->mirrored && !sprite->oriented;    /* it faces the eye in a mirror too */
    for (int i = 0; i < 4; i++) {
        soft_pose_point(&soft->world, place[i], corners[i]);
        seen = seen || corners[i][2] >= soft->view.near;
        /* Textures repeat: half a texel from the edge nothing of the other side shows. */
        const double values[LANES] = { (i == 1 || i == 2) != turned ? 1 - edge_u : edge_u, i >= 2 ? 1 - edge_v : edge_v, sprite->color.r, sprite->color.g,
                                       sprite->color.b, sprite->color.a };
        memcpy(lanes[i], values, sizeof values);
    }
    return seen;
}


/* Texture coordinates as they go over the screen, from the corners' places. False: it is seen edge on. */
static bool place_texture(const SoftPoint corner[4], const double lanes[4][LANES], SoftSprite *out) {
    double ax = corner[1].x - corner[0].x, ay = corner[1].y - corner[0].y, bx = corner[3].x - corner[0].x, by = corner[3].y - corner[0].y;
    double area = ax * by - bx * ay, wide = lanes[1][LANE_U] - lanes[0][LANE_U], high = lanes[3][LANE_V] - lanes[0][LANE_V];
    if (!(fabs(area) > 1e-6))
        return false;
    double u[3] = { wide * by / area, -wide * bx / area, lanes[0][LANE_U] }, v[3] = { -high * ay / area, high * ax / area, lanes[0][LANE_V] };
    u[2] += u[0] * (0.5 - corner[0].x) + u[1] * (0.5 - corner[0].y);
    v[2] += v[0] * (0.5 - corner[0].x) + v[1] * (0.5 - corner[0].y);
    memcpy(out->u, u, sizeof u);
    memcpy(out->v, v, sizeof v);
    return true;
}

/* In texels of the level that suits its size, as the world's rows choose it. */
static void choose_level(const SoftTexture *texture, SoftSprite *sprite) {
    double width = 1 << texture->width_log, height = 1 << texture->height_log;
    double across = sprite->u[0] * sprite->u[0] * width * width + sprite->v[0] * sprite->v[0] * height * height;
    double down = sprite->u[1] * sprite->u[1] * width * width + sprite->v[1] * sprite->v[1] * height * height;
    sprite->mip = &texture->mip[soft_level_of(texture, (float)MAX(across, down))];
    double half = sprite->bilinear ? 0.5 : 0, columns = sprite->mip->column_mask + 1.0, rows = sprite->mip->row_mask + 1.0;
    for (int i = 0; i < 3; i++) {
        sprite->u[i] = (sprite->u[i] * columns - (i == 2 ? half : 0)) * 65536;
        sprite->v[i] = (sprite->v[i] * rows - (i == 2 ? half : 0)) * 65536;
    }
}

bool soft_sprite_add(Soft *soft, const FrameSprite *from, double toward) {
    double corners[4][3], lanes[4][LANES];
    SoftSprite sprite = { .color = soft_packed(from->color), .blend = from->flags & DRAW_ADD ? BLEND_ADD : BLEND_ALPHA, .bilinear = soft->mode.bilinear };
    if (!soft_sprite_corners(soft, from, corners, lanes) || !soft_clip_polygon(&soft->view, (const double (*)[3])corners, 4, &soft->scratch, &sprite.item))
        return false;
    SoftPoint corner[4];
    for (int i = 0; i < 4; i++)
        corner[i] = (SoftPoint){ soft->view.middle_x + corners[i][0] / corners[0][2], soft->view.middle_y + corners[i][1] / corners[0][2] };
    if (!place_texture(corner, (const double (*)[LANES])lanes, &sprite))
        return false;
    sprite.iz = (float)(toward / corners[0][2]);
    choose_level(soft_texture_at(soft, from->texture), &sprite);
    *array_push(&soft->scratch.sprites) = sprite;
    return true;
}

static __m128i times_color(__m128i texels, __m128i color) {    /* bytes in 16 bits, of two pixels */
    __m128i product = _mm_adds_epu16(_mm_mullo_epi16(texels, color), _mm_set1_epi16(128));
    return _mm_min_epi16(_mm_mulhi_epu16(product, _mm_set1_epi16(257)), _mm_set1_epi16(255));
}

SOFT_INLINE void sprite_row(const SoftSprite *sprite, uint32_t *color, const float *depth, int32_t u, int32_t v, int count, SoftBlend blend, bool bilinear) {
    const __m128i zero = _mm_setzero_si128(), own = _mm_unpacklo_epi8(_mm_set1_epi32((int)sprite->color), zero);
    uint32_t at_u = (uint32_t)u, at_v = (uint32_t)v, step_u = (uint32_t)soft_whole(sprite->u[0]), step_v = (uint32_t)soft_whole(sprite->v[0]);
    for (int x = 0; x < count; x += 2) {
        bool first = sprite->iz >= depth[x], second = x + 1 < count && sprite->iz >= depth[x + 1];
        if (first || second) {
            __m128i texels = _mm_unpacklo_epi64(soft_texel16(sprite->mip, (int32_t)at_u, (int32_t)at_v, bilinear),
                                                soft_texel16(sprite->mip, (int32_t)(at_u + step_u), (int32_t)(at_v + step_v), bilinear));
            __m128i below = _mm_unpacklo_epi8(second ? _mm_loadl_epi64((const __m128i *)(const void *)(color + x)) : _mm_cvtsi32_si128((int)color[x]), zero);
            __m128i mixed = soft_mix16(times_color(texels, own), below, BLEND_SRC_ALPHA, blend == BLEND_ADD ? BLEND_ONE : BLEND_ONE_MINUS_SRC_ALPHA);
            __m128i pixels = _mm_or_si128(_mm_packus_epi16(mixed, mixed), _mm_set1_epi32((int)0xff000000u));
            if (first)
                color[x] = (uint32_t)_mm_cvtsi128_si32(pixels);
            if (second)
                color[x + 1] = (uint32_t)_mm_cvtsi128_si32(_mm_shuffle_epi32(pixels, 1));
        }
        at_u += 2 * step_u;
        at_v += 2 * step_v;
    }
}

static void draw_row(const SoftTarget *target, const SoftSprite *sprite, int y, int x0, int x1) {
    uint32_t *color = target->color + soft_place(target, x0, y);
    const float *depth = target->depth + soft_place(target, x0, y);
    int32_t u = soft_whole(sprite->u[0] * x0 + sprite->u[1] * y + sprite->u[2]), v = soft_whole(sprite->v[0] * x0 + sprite->v[1] * y + sprite->v[2]);
    if (sprite->blend == BLEND_ADD && sprite->bilinear)
        sprite_row(sprite, color, depth, u, v, x1 - x0, BLEND_ADD, true);
    else if (sprite->blend == BLEND_ADD)
        sprite_row(sprite, color, depth, u, v, x1 - x0, BLEND_ADD, false);
    else
        sprite_row(sprite, color, depth, u, v, x1 - x0, BLEND_ALPHA, sprite->bilinear);
}

void soft_sprite_draw(const SoftTarget *target, const SoftScratch *scratch, const SoftSprite *sprite, int y0, int y1) {
    const SoftItem *item = &sprite->item;
    int left[BAND], right[BAND];
    for (int from = MAX(item->y0, y0), end = MIN(item->y1, y1), to; from < end; from = to) {
        to = MIN(from + BAND, end);
        soft_polygon_rows(scratch->points.at + item->first_point, item->point_count, target->width, from, to, left, right);
        for (int y = from; y < to; y++) {
            int x0 = MAX(left[y - from], item->x0), x1 = MIN(right[y - from], item->x1);
            if (x0 < x1)
                draw_row(target, sprite, y, x0, x1);
        }
    }
}


typedef struct SoftDot { int x0, y0, x1, y1; float iz; uint32_t color; } SoftDot;

struct SoftParticles {
    ARRAY(SoftDot) dots;
    ARRAY(int) listed;               /* numbers of dots, by band */
    ARRAY(int) first;                /* by band: where its list begins; one more than there are bands */
};

SoftParticles *soft_particles_open(void) { return mem_zeroed(1, sizeof(SoftParticles)); }

void soft_particles_close(SoftParticles *particles) {
    if (!particles)
        return;
    array_free(&particles->dots);
    array_free(&particles->listed);
    array_free(&particles->first);
    mem_free(particles);
}

static void add_dot(const Soft *soft, SoftParticles *particles, const FrameParticle *particle) {
    double eye[3];
    soft_pose_point(&soft->world, particle->origin, eye);
    if (!(eye[2] >= soft->view.near) || particle->color.a == 0)
        return;
    double inverse = 1 / eye[2], x = soft->view.middle_x + eye[0] * inverse, y = soft->view.middle_y + eye[1] * inverse;
    double wide = particle->size * 0.5 * soft->view.scale_x * inverse, high = particle->size * 0.5 * soft->view.scale_y * inverse;
    SoftDot dot = {
        soft_pixel_after(x - wide, soft->view.width), soft_pixel_after(y - high, soft->view.height),
        soft_pixel_after(x + wide, soft->view.width), soft_pixel_after(y + high, soft->view.height),
        (float)(inverse * nearer), soft_packed(particle->color),
    };
    if (dot.x0 < dot.x1 && dot.y0 < dot.y1)
        *array_push(&particles->dots) = dot;
}

bool soft_particles_gather(Soft *soft, SoftParticles *particles) {
    array_clear(&particles->dots);
    for (size_t i = 0; i < soft->frame->particles.count; i++)
        add_dot(soft, particles, &soft->frame->particles.at[i]);
    return particles->dots.count > 0;
}

void soft_particles_begin(SoftParticles *particles, int bands, int rows) {
    array_clear(&particles->first);
    int *first = array_push_n(&particles->first, (size_t)bands + 1);
    memset(first, 0, ((size_t)bands + 1) * sizeof *first);
    for (size_t i = 0; i < particles->dots.count; i++)
        for (int band = particles->dots.at[i].y0 / rows; band <= (particles->dots.at[i].y1 - 1) / rows; band++)
            first[band + 1]++;
    for (int band = 0; band < bands; band++)
        first[band + 1] += first[band];
    array_clear(&particles->listed);
    int *listed = first[bands] ? array_push_n(&particles->listed, (size_t)first[bands]) : NULL;
    for (size_t i = 0; i < particles->dots.count; i++)
        for (int band = particles->dots.at[i].y0 / rows; band <= (particles->dots.at[i].y1 - 1) / rows; band++)
            listed[first[band]++] = (int)i;
    memmove(first + 1, first, (size_t)bands * sizeof *first);    /* each beginning had moved to the next one's place */
    first[0] = 0;
}

void soft_particles_draw(const SoftTarget *target, const SoftParticles *particles, int band, int y0, int y1) {
    for (int i = particles->first.at[band]; i < particles->first.at[band + 1]; i++) {
        const SoftDot *dot = &particles->dots.at[particles->listed.at[i]];
        bool solid = dot->color >> 24 == 255;
        for (int y = MAX(dot->y0, y0); y < MIN(dot->y1, y1); y++) {
            uint32_t *color = target->color + soft_place(target, 0, y);
            const float *depth = target->depth + soft_place(target, 0, y);
            for (int x = dot->x0; x < dot->x1; x++)
                if (dot->iz >= depth[x])
                    color[x] = solid ? dot->color : soft_blended(dot->color, color[x], BLEND_ALPHA);
        }
    }
}
