/* scene/particles.c -- particles: born at once, placed by the clock. */
#include "scene/particles.h"

void particles_close(Particles *particles) { array_free(&particles->list); }

void particles_clear(Particles *particles) {
    array_clear(&particles->list);
    particles->random = 0;
}

/* splitmix64; -1 .. 1 in 2^24 steps, which a float holds. */
static float random_part(Particles *particles) {
    uint64_t x = particles->random += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return (float)((x ^ x >> 31) >> 40) / 8388608.0f - 1;
}

static Vec3 random_point(Particles *particles) {
    float x = random_part(particles), y = random_part(particles);
    return vec3_at(x, y, random_part(particles));
}

static Vec3 random_in_ball(Particles *particles) {
    Vec3 point;
    do
        point = random_point(particles);
    while (vec3_dot(point, point) > 1);
    return point;
}

static float less(float whole, float spread, float part) { return whole * (1 - spread * (part + 1) / 2); }

int particles_emit(Particles *particles, const ParticleBurst *burst, double now) {
    size_t room = PARTICLES_MOST - particles->list.count;
    int count = burst->count < (int)room ? burst->count : (int)room;
    if (count <= 0)
        return 0;
    Particle *out = array_push_n(&particles->list, (size_t)count);
    for (int i = 0; i < count; i++) {
        out[i] = burst->like;
        out[i].born = now;
        Vec3 off = random_point(particles);
        out[i].origin = vec3_add(out[i].origin, vec3_at(off.x * burst->box.x, off.y * burst->box.y, off.z * burst->box.z));
        out[i].velocity = vec3_add_scaled(out[i].velocity, random_in_ball(particles), burst->spread);
        out[i].life = less(out[i].life, burst->life_spread, random_part(particles));
        float part = random_part(particles);
        out[i].size = less(out[i].size, burst->size_spread, part);
        out[i].size_to = less(out[i].size_to, burst->size_spread, part);
    }
    return count;
}

void particles_run(Particles *particles, double now) {
    size_t kept = 0;    /* in their order: those that blend keep it */
    for (size_t i = 0; i < particles->list.count; i++)
        if (now - particles->list.at[i].born < (double)particles->list.at[i].life)
            particles->list.at[kept++] = particles->list.at[i];
    particles->list.count = kept;
}

static uint8_t mixed(uint8_t from, uint8_t to, float part) { return (uint8_t)((float)from + ((float)to - (float)from) * part + 0.5f); }

void particles_fill(const Particles *particles, double now, Frame *frame) {
    for (size_t i = 0; i < particles->list.count; i++) {
        const Particle *p = &particles->list.at[i];
        float age = (float)(now - p->born);
        if (!(age >= 0 && age < p->life))
            continue;
        float part = age / p->life;
        Vec3 at = vec3_add_scaled(p->origin, p->velocity, age);
        at.z -= p->gravity * age * age / 2;
        Rgba color = { mixed(p->color.r, p->color_to.r, part), mixed(p->color.g, p->color_to.g, part),
                       mixed(p->color.b, p->color_to.b, part), mixed(p->color.a, p->color_to.a, part) };
        frame_particle(frame, (FrameParticle){ at, p->size + (p->size_to - p->size) * part, color });
    }
}
