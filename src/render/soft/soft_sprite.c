/* render/soft/soft_sprite.c -- pictures that stand in the level, and particles: squares with one depth, by the thousand.
 *
 * Particles are put into lists by band first, so that a band looks at its own alone; within it they keep their order. */
#include "render/soft/soft_internal.h"

static const double nearer = 1 / 0.998;    /* as every overlay: what lies on a wall is seen */

bool soft_sprite_corners(const Soft *soft, const FrameSprite *sprite, double corners[4][3], double lanes[4][LANES]) {
    Vec3 place[4];
    frame_sprite_corners(&soft->frame->view, sprite, place);
    const SoftTexture *texture = soft_texture_at((Soft *)soft, sprite->texture);
    double edge_u = soft->mode.bilinear ? 0.5 / (1 << texture->width_log) : 0, edge_v = soft->mode.bilinear ? 0.5 / (1 << texture->height_log) : 0;
    bool seen = false;
    for (int i = 0; i < 4; i++) {
        soft_pose_point(&soft->world, place[i], corners[i]);
        seen = seen || corners[i][2] >= soft->view.near;
        /* Textures repeat: half a texel from the edge nothing of the other side shows. */
        const double values[LANES] = { i == 1 || i == 2 ? 1 - edge_u : edge_u, i >= 2 ? 1 - edge_v : edge_v, sprite->color.r, sprite->color.g,
                                       sprite->color.b, sprite->color.a };
        memcpy(lanes[i], values, sizeof values);
    }
    return seen;
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
