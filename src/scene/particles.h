/* scene/particles.h -- thousands of small squares that fly by themselves until their time is over.
 *
 * A particle's place is worked out from the moment it was born, never stepped: it is the same whatever frames were
 * drawn before. Random numbers are the pool's own, so that the same calls make the same particles on every machine. */
#ifndef LEAFWALK_PARTICLES_H
#define LEAFWALK_PARTICLES_H

#include "frame/frame.h"

enum { PARTICLES_MOST = 1024 * 1024 };       /* alive at once; more are not taken */

typedef struct Particle {
    Vec3 origin, velocity;       /* units a second */
    float gravity;               /* units a second, each second, downwards */
    float life;                  /* seconds */
    float size, size_to;         /* units wide, when it is born and when it ends */
    Rgba color, color_to;
    double born;
} Particle;

typedef struct ParticleBurst {
    Particle like;
    int count;
    Vec3 box;                    /* born up to so far from the origin, along each axis */
    float spread;                /* up to this is added to its velocity, in any direction */
    float life_spread, size_spread;    /* 0..1: how much of them may be missing */
} ParticleBurst;

typedef struct Particles { ARRAY(Particle) list; uint64_t random; } Particles;

void particles_close(Particles *particles);
void particles_clear(Particles *particles);                            /* and begins its random numbers anew */
int  particles_emit(Particles *particles, const ParticleBurst *burst, double now);    /* how many were taken */
void particles_run(Particles *particles, double now);                  /* lets go of those whose life is over */
void particles_fill(const Particles *particles, double now, Frame *frame);

#endif
