/* render/soft/soft_cover_internal.h -- the wide code of parts whose pixels need no list of spans: eight rows at a time what
 * of them is open goes straight into the masks of blocks. Included by soft_row_internal.h, after what draws those. */

/* Eight rows of 64 pixels as masks of four cells. */
INLINE void kept_turn(const uint64_t rows[8], uint16_t out[4][BLOCK_ROWS]) {
    __m128i half[2][2];
    for (int i = 0; i < 2; i++) {
        __m128i a = _mm_loadu_si128((const __m128i *)(const void *)(rows + i * 4)), b = _mm_loadu_si128((const __m128i *)(const void *)(rows + i * 4 + 2));
        __m128i even = _mm_unpacklo_epi16(a, b), odd = _mm_unpackhi_epi16(a, b);    /* rows 0 2, and 1 3, by cells */
        half[i][0] = _mm_unpacklo_epi16(even, odd);
        half[i][1] = _mm_unpackhi_epi16(even, odd);
    }
    __m128i *to = (__m128i *)(void *)out;
    for (int i = 0; i < 2; i++) {
        _mm_storeu_si128(to + i * 2, _mm_unpacklo_epi64(half[0][i], half[1][i]));
        _mm_storeu_si128(to + i * 2 + 1, _mm_unpackhi_epi64(half[0][i], half[1][i]));
    }
}

/* Spans that begin in these 64 pixels of eight rows; `before`: the pixels to their left, from now on these. */
INLINE int kept_starts(const uint64_t fresh[BLOCK_ROWS], uint64_t before[BLOCK_ROWS]) {
    uint64_t starts[BLOCK_ROWS];
    for (int i = 0; i < BLOCK_ROWS; i++) {
        starts[i] = fresh[i] & ~(fresh[i] << 1 | before[i] >> 63);
        before[i] = fresh[i];
    }
    return bits_of(starts);
}

/* Of these pixels of eight rows those that are open; they are covered then. Whether there are any. */
INLINE bool kept_open(uint64_t covered[BLOCK_ROWS], const uint64_t wanted[BLOCK_ROWS], uint64_t fresh[BLOCK_ROWS]) {
    uint64_t any = 0;
    for (int i = 0; i < BLOCK_ROWS; i++) {
        fresh[i] = wanted[i] & ~covered[i];
        covered[i] |= wanted[i];
        any |= fresh[i];
    }
    return any != 0;
}

/* What a part has of eight rows from y on, by its cuts and, where it has no notches, its edges: columns left .. right-1. */
INLINE void kept_between(const SoftCover *cover, int y, int width, bool notched, int left[BLOCK_ROWS], int right[BLOCK_ROWS]) {
    E low = e_set(notched ? cover->x0 : width), high = e_set(notched ? cover->x1 : 0), rows = e_index(y);
    D4 at[2] = { d_index(y), d_index(y + 4) }, half = d_set(0.5), place[2];
    for (int i = 0; i < cover->edge_count && !notched; i++) {
        const SoftEdge *edge = &cover->edges[i];
        int from = MAX(edge->from, cover->y0), to = MIN(edge->to, cover->y1);
        if (from >= y + BLOCK_ROWS || to <= y)
            continue;
        for (int k = 0; k < 2; k++)
            place[k] = d_add(d_set(edge->x), d_mul(d_sub(d_add(at[k], half), d_set(edge->y)), d_set(edge->slope)));
        E pixel = e_pixels_after(place, width), crossed = e_and(e_less(e_set(from - 1), rows), e_less(rows, e_set(to)));
        low = e_min(low, e_choose(crossed, pixel, low));
        high = e_max(high, e_choose(crossed, pixel, high));
    }
    for (int i = 0; i < cover->half_count; i++) {
        const SoftHalf *cut = &cover->halves[i];
        if (cut->x == 0)
            continue;
        for (int k = 0; k < 2; k++)
            place[k] = d_add(d_divide(d_add(d_mul(d_set(cut->y), at[k]), d_set(cut->c)), d_set(-cut->x)), half);
        E pixel = e_pixels_after(place, width);
        if ((cut->x > 0) != cut->back)
            low = e_max(low, pixel);
        else
            high = e_min(high, pixel);
    }
    e_store(left, low);
    e_store(right, high);
    for (int i = 0; i < cover->half_count; i++)
        if (cover->halves[i].x == 0)
            soft_cut_rows(&cover->halves[i], y, BLOCK_ROWS, left, right);
}

/* Those of all rows, in whole eights from y0 on. */
void WIDE_COLUMNS(const SoftCover *cover, int width, int *left, int *right) {
    for (int y = cover->y0; y < cover->y1; y += BLOCK_ROWS, left += BLOCK_ROWS, right += BLOCK_ROWS) {
        if (cover->notched)
            kept_between(cover, y, width, true, left, right);
        else
            kept_between(cover, y, width, false, left, right);
    }
}

/* Covers what is open of one row of blocks from this word on, as far as there is any without a gap of a word: its masks. How
 * many words. */
INLINE int kept_cover(SoftBand *band, int y, int word, int last, bool notched, const int *left, const int *right, KeptRun *run) {
    size_t place = soft_word_place(band, y, word);
    uint64_t fresh[BLOCK_ROWS], between[BLOCK_ROWS], *covered = band->covered + place, *wanted = band->wanted + place;
    int count = 0;
    for (; word + count <= last && count < RUN_CELLS / 4; count++) {
        int at = word + count, pixels = 0;
        if (band->open[at] && !notched)
            eight_between(left, right, at * 64, between);
        if (band->open[at] && kept_open(covered + count * BLOCK_ROWS, notched ? wanted + count * BLOCK_ROWS : between, fresh))
            pixels = bits_of(fresh);
        if (!pixels) {
            memset(run->before, 0, sizeof run->before);
            break;
        }
        band->open[at] -= pixels;
        band->span_pixels += pixels;
        band->span_count += kept_starts(fresh, run->before);
        kept_turn(fresh, run->room + count * 4);
    }
    return count;
}

INLINE bool kept_empty(const uint16_t masks[BLOCK_ROWS]) {
    uint64_t halves[2];
    memcpy(halves, masks, sizeof halves);
    return !(halves[0] | halves[1]);
}

/* The cells of so many words, but for empty ones at both ends. */
INLINE void kept_trim(KeptRun *run, int word, int words) {
    int first = 0, end = words * 4;
    while (kept_empty(run->room[first]))
        first++;
    while (kept_empty(run->room[end - 1]))
        end--;
    run->masks = (const uint16_t (*)[BLOCK_ROWS])run->room + first;
    run->x = word * 64 + first * CELL;
    run->cells = end - first;
}

/* Columns that a row of blocks has anything in: from the first to before the last. */
INLINE void kept_columns(const int left[BLOCK_ROWS], const int right[BLOCK_ROWS], int *first, int *last) {
    *first = left[0];
    *last = right[0];
    for (int i = 1; i < BLOCK_ROWS; i++) {
        *first = MIN(*first, left[i]);
        *last = MAX(*last, right[i]);
    }
}

INLINE void kept_rows(SoftBand *band, const SoftMode *mode, const SoftPaint *paint, const SoftCover *cover, bool bilinear) {
    KeptRun run;
    kept_begin(&run);
    int64_t pixels = band->span_pixels;
    for (run.y = cover->y0 & ~(BLOCK_ROWS - 1); run.y < cover->y1; run.y += BLOCK_ROWS) {
        int first = cover->x0, last = cover->x1, left[BLOCK_ROWS], right[BLOCK_ROWS];
        if (!cover->notched) {
            kept_between(cover, run.y, band->target.width, false, left, right);
            kept_columns(left, right, &first, &last);
        }
        run.first = MAX(cover->y0 - run.y, 0);
        run.last = MIN(cover->y1 - run.y, BLOCK_ROWS) - 1;
        memset(run.before, 0, sizeof run.before);
        for (int word = first >> 6; word <= (last - 1) >> 6;) {
            int words = kept_cover(band, run.y, word, (last - 1) >> 6, cover->notched, left, right, &run);
            if (words) {
                kept_trim(&run, word, words);
                kept_run(&band->target, mode, paint, &run, bilinear);
            }
            word += MAX(words, 1);
        }
    }
    band->open_pixels -= band->span_pixels - pixels;
}

void WIDE_COVER(SoftBand *band, const SoftMode *mode, const SoftPaint *paint, const SoftCover *cover) {
    if (mode->bilinear)
        kept_rows(band, mode, paint, cover, true);
    else
        kept_rows(band, mode, paint, cover, false);
}
