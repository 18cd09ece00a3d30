/* render/soft/soft_glow_wide_internal.h -- the wide code of dynamic light, written once over operations on WIDE numbers that
 * soft_glow_sse2.c and soft_glow_avx2.c say. The same IEEE operations in the same order as in soft_glow.c. */

OP F place_on(const GlowRow *row, int axis, F x, F z) { return f_mul(f_add(f_set(row->ray[axis]), f_mul(f_set(row->step[axis]), x)), z); }

OP void sum_of(const GlowRow *row, F x, F z, F sum[3]) {
    F place[3];
    for (int i = 0; i < 3; i++) {
        place[i] = place_on(row, i, x, z);
        sum[i] = f_set(0);
    }
    for (int i = 0; i < row->count; i++) {
        const GlowLight *light = &row->lights[row->numbers[i]];
        F dx = f_sub(place[0], f_set(light->at[0])), dy = f_sub(place[1], f_set(light->at[1])), dz = f_sub(place[2], f_set(light->at[2]));
        F square = f_add(f_add(f_mul(dx, dx), f_mul(dy, dy)), f_mul(dz, dz));
        F part = f_max(f_sub(f_set(1), f_mul(f_sqrt(square), f_set(light->inverse))), f_set(0));
        for (int k = 0; k < 3; k++)
            sum[k] = f_add(sum[k], f_mul(f_set(light->color[k]), part));
    }
}

OP F whole_light(F sum, F unit) { return f_min(f_max(f_add(f_mul(sum, unit), f_set(0.5f)), f_set(0)), f_set(65535)); }

void WIDE_POINTS(const GlowRow *row, int x, int count, uint16_t *out) {
    F first = f_set((float)(row->iz + row->iz_x * x)), step = f_set((float)row->iz_x), unit = f_set(row->scale * GLOW_UNIT);
    for (int k = 0; k < count; k += WIDE) {
        F number = f_mul(f_from(k), f_set(GLOW_STEP)), iz = f_add(first, f_mul(number, step)), sum[3];
        F ahead = f_less(f_set(0), iz);
        sum_of(row, f_add(f_set((float)x), number), f_div(f_set(1), iz), sum);
        for (int i = 0; i < 3; i++)
            sum[i] = f_and(ahead, whole_light(sum[i], unit));
        store_light(out + GLOW_NUMBERS * k, sum);
    }
}

unsigned WIDE_DEPTHS(const GlowRow *row, int x, const float depth[16], unsigned mask, SoftTest test) {
    F first = f_set((float)(row->iz + row->iz_x * x)), step = f_set((float)row->iz_x);
    unsigned seen = 0;
    for (int k = 0; k < CELL; k += WIDE) {
        F iz = f_add(first, f_mul(f_from(k), step)), there = f_load(depth + k);
        F nearer = f_less(there, iz), not_farther = f_not_more(there, iz), not_nearer = f_not_more(iz, there);
        seen |= f_bits(test == TEST_NEARER ? nearer : test == TEST_EQUAL ? f_and(not_farther, not_nearer) : not_farther) << k;
    }
    return seen & mask;
}

void WIDE_ADD(uint32_t color[16], const uint32_t texels[16], const uint16_t light[20], unsigned mask) {
    for (int k = 0; k < CELL; k += 8)
        add_eight(color + k, texels + k, light + GLOW_NUMBERS * (k / GLOW_STEP), mask >> k);
}
