/* The factors of blendFunc in the software renderer: as the words say, whatever the instructions. */
#include "support/test.h"

#include <math.h>

#include "render/soft/soft_blend.h"
#include "support/random.h"

enum { FACTORS = BLEND_SRC_ALPHA_SATURATE + 1 };

/* As OpenGL has it, in numbers from 0 to 1. */
static double factor(Blend which, double color, double below, double alpha) {
    switch (which) {
    case BLEND_ONE:                  return 1;
    case BLEND_ZERO:                 return 0;
    case BLEND_DST_COLOR:            return below;
    case BLEND_ONE_MINUS_DST_COLOR:  return 1 - below;
    case BLEND_SRC_COLOR:            return color;
    case BLEND_ONE_MINUS_SRC_COLOR:  return 1 - color;
    case BLEND_SRC_ALPHA:            return alpha;
    case BLEND_ONE_MINUS_SRC_ALPHA:  return 1 - alpha;
    case BLEND_DST_ALPHA:            return 1;
    case BLEND_ONE_MINUS_DST_ALPHA:  return 0;
    case BLEND_SRC_ALPHA_SATURATE:   return 0;
    }
    return -1;
}

static void every_pair_of_factors_mixes_as_opengl_says(void **state) {
    (void)state;
    uint64_t random = 1;
    for (int source = 0; source < FACTORS; source++)
        for (int destination = 0; destination < FACTORS; destination++)
            for (int round = 0; round < 200; round++) {
                uint32_t color = random_next(&random), below = random_next(&random) | 0xff000000u;
                uint32_t out = soft_mix(color, below, (Blend)source, (Blend)destination);
                assert_int_equal(out >> 24, 255);
                for (int i = 0; i < 24; i += 8) {
                    double c = (color >> i & 255) / 255.0, b = (below >> i & 255) / 255.0, a = (color >> 24) / 255.0;
                    double exact = c * factor((Blend)source, c, b, a) + b * factor((Blend)destination, c, b, a);
                    assert_int_equal(out >> i & 255, (int)floor(fmin(exact, 1) * 255 + 0.5 - 1e-9));
                }
            }
}

/* All pairs of a colour and what is below, each factor with each: whatever could be lost in 16 bits shows. */
static void four_pixels_at_once_give_the_same_bits(void **state) {
    (void)state;
    for (int source = 0; source < FACTORS; source++)
        for (int destination = 0; destination < FACTORS; destination++)
            for (uint32_t color = 0; color < 256; color++)
                for (uint32_t below = 0; below < 256; below += 4) {
                    uint32_t from[4], under[4], got[4];
                    for (uint32_t i = 0; i < 4; i++) {
                        from[i] = (color * 7 + i) << 24 | color << 16 | (255 - color) << 8 | color;
                        under[i] = 0xff000000u | (below + i) << 16 | (255 - below - i) << 8 | (below + i);
                    }
                    __m128i mixed = soft_mix_4(_mm_loadu_si128((const __m128i *)from), _mm_loadu_si128((const __m128i *)under),
                                               (Blend)source, (Blend)destination);
                    _mm_storeu_si128((__m128i *)got, mixed);
                    for (int i = 0; i < 4; i++)
                        if (got[i] != soft_mix(from[i], under[i], (Blend)source, (Blend)destination))
                            assert_int_equal(got[i], soft_mix(from[i], under[i], (Blend)source, (Blend)destination));
                }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pair_of_factors_mixes_as_opengl_says),
        cmocka_unit_test(four_pixels_at_once_give_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
