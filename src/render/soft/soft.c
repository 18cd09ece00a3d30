/* render/soft/soft.c -- the software renderer's door: settings, the order of its work, what it tells. */
#include "base/trig.h"
#include "render/soft/soft_internal.h"

static void *soft_open(const RendererSetup *setup, Error *error) {
    (void)error;
    Soft *soft = mem_zeroed(1, sizeof *soft);
    soft->setup = *setup;
    Vars *vars = setup->vars;
    soft->var.filter = var_choice(vars, "soft.filter", "nearest|bilinear", "bilinear", "how the software renderer reads textures");
    soft->var.divide = var_choice(vars, "soft.divide", "8|16", "16", "pixels of a span from one perspective division to the next");
    soft->var.world = var_choice(vars, "soft.world", "spans|zbuffer", "spans", "how flat opaque faces are drawn: spans in order, or a depth test for each pixel");
    soft->var.threads = var_number(vars, "soft.threads", 0, 0, 256, "threads of the software renderer; 0: the program's");
    soft_textures_open(soft);
    return soft;
}

static bool soft_use_level(void *self, const Level *level, const Assets *assets, Error *error) {
    (void)error;
    Soft *soft = self;
    soft_level_free(soft->level);
    soft->level = NULL;
    soft_textures_forget(soft);
    soft->assets = assets;
    soft->use = level;
    return true;
}

static void soft_close(void *self) {
    Soft *soft = self;
    if (!soft)
        return;
    soft_level_free(soft->level);
    soft_textures_close(soft);
    jobs_close(soft->own_jobs);
    soft_order_free(&soft->order);
    for (size_t i = 0; i < soft->bands.count; i++)
        soft_band_free(&soft->bands.at[i]);
    array_free(&soft->bands);
    array_free(&soft->scratch.paints);
    array_free(&soft->scratch.points);
    array_free(&soft->scratch.items);
    array_free(&soft->scratch.overlays);
    array_free(&soft->scratch.lines);
    array_free(&soft->scratch.steps);
    array_free(&soft->scratch.ui);
    array_free(&soft->scratch.far);
    array_free(&soft->scratch.poses);
    array_free(&soft->scratch.faces);
    mem_free(soft->target.color);
    mem_free(soft->target.depth);
    mem_free(soft);
}


static void fit_target(Soft *soft, int width, int height) {
    SoftTarget *target = &soft->target;
    if (target->width == width && target->height == height)
        return;
    target->width = width;
    target->height = height;
    target->pitch = (width + CELL - 1) / CELL * CELL;
    size_t pixels = (size_t)target->pitch * (size_t)height;
    mem_free(target->color);
    mem_free(target->depth);
    target->color = mem_aligned(64, pixels * sizeof *target->color);
    target->depth = mem_aligned(64, pixels * sizeof *target->depth);
}

static Jobs *jobs_of(Soft *soft) {
    int wanted = (int)soft->var.threads->number;
    if (wanted == 0 || wanted == jobs_threads(soft->setup.jobs))
        return soft->setup.jobs;
    if (soft->own_threads != wanted) {
        jobs_close(soft->own_jobs);
        soft->own_jobs = jobs_open(wanted);
        soft->own_threads = wanted;
    }
    return soft->own_jobs;
}


static void draw_item(const Soft *soft, const SoftItem *item, int y0, int y1) {
    int left[BAND], right[BAND];
    int from = MAX(item->y0, y0), to = MIN(item->y1, y1);
    if (from >= to)
        return;
    soft_polygon_rows(soft->scratch.points.at + item->first_point, item->point_count, soft->target.width, from, to, left, right);
    for (int y = from; y < to; y++) {
        int x0 = MAX(left[y - from], item->x0), x1 = MIN(right[y - from], item->x1);
        if (x0 < x1)
            soft_row(&soft->target, &soft->mode, &soft->scratch.paints.at[item->paint], y, x0, x1, item->test);
    }
}

static void clear_depth(const SoftTarget *target, int y0, int y1) {
    memset(target->depth + (size_t)y0 * (size_t)target->pitch, 0, (size_t)(y1 - y0) * (size_t)target->pitch * sizeof *target->depth);
}

static void draw_steps(const Soft *soft, const SoftStep *steps, size_t count, int y0, int y1) {
    for (size_t i = 0; i < count; i++) {
        switch (steps[i].kind) {
        case STEP_ITEM: draw_item(soft, &soft->scratch.overlays.at[steps[i].index], y0, y1); break;
        case STEP_LINE: soft_line_draw(&soft->target, &soft->scratch.lines.at[steps[i].index], y0, y1); break;
        case STEP_CLEAR_DEPTH: clear_depth(&soft->target, y0, y1); break;
        }
    }
}

static void apply_gamma(const Soft *soft, int y0, int y1) {
    const SoftTarget *target = &soft->target;
    uint32_t *from = target->color + (size_t)y0 * (size_t)target->pitch, *end = target->color + (size_t)y1 * (size_t)target->pitch;
    const uint8_t *table = soft->gamma;
    for (uint32_t *p = from; p < end; p++)
        *p = table[*p & 255] | (uint32_t)table[*p >> 8 & 255] << 8 | (uint32_t)table[*p >> 16 & 255] << 16 | (*p & 0xff000000u);
}

static void draw_band(void *user, int band) {
    Soft *soft = user;
    SoftTarget *target = &soft->target;
    int y0 = band * BAND, y1 = MIN(y0 + BAND, target->height);
    uint32_t back = soft->frame->shade == SHADE_OVERDRAW ? 0xff000000u : soft_packed(soft->frame->clear) | 0xff000000u;
    for (size_t i = (size_t)y0 * (size_t)target->pitch; i < (size_t)y1 * (size_t)target->pitch; i++)
        target->color[i] = back;
    clear_depth(target, y0, y1);
    if (soft->spans) {
        SoftBand *state = &soft->bands.at[band];
        soft_band_begin(state, target->width, y0, y1);
        soft_band_spans(soft, state);
    }
    for (size_t i = 0; i < soft->scratch.items.count; i++)
        draw_item(soft, &soft->scratch.items.at[i], y0, y1);
    draw_steps(soft, soft->scratch.steps.at, soft->scratch.steps.count, y0, y1);
    if (soft->has_gamma)
        apply_gamma(soft, y0, y1);
    draw_steps(soft, soft->scratch.ui.at, soft->scratch.ui.count, y0, y1);
}


static void make_gamma(Soft *soft) {
    const Frame *frame = soft->frame;
    float gamma = frame->gamma > 0 && frame->gamma < 100 ? frame->gamma : 1;
    soft->has_gamma = gamma != 1 && (frame->shade == SHADE_LIT || frame->shade == SHADE_TEXTURE || frame->shade == SHADE_LIGHTMAP);
    if (!soft->has_gamma || gamma == soft->gamma_made)
        return;
    for (int i = 0; i < 256; i++) {
        double value = i ? 255 * trig_pow(i / 255.0, 1.0 / gamma) + 0.5 : 0;
        soft->gamma[i] = (uint8_t)CLAMP(value, 0, 255);
    }
    soft->gamma_made = gamma;
}

static void clear_lists(SoftScratch *scratch) {
    array_clear(&scratch->paints);
    array_clear(&scratch->points);
    array_clear(&scratch->items);
    array_clear(&scratch->overlays);
    array_clear(&scratch->lines);
    array_clear(&scratch->steps);
    array_clear(&scratch->ui);
    array_clear(&scratch->far);
}

static bool soft_draw(void *self, const Frame *frame, Error *error) {
    Soft *soft = self;
    if (frame->view.width < 1 || frame->view.height < 1 || frame->view.width > IMAGE_LARGEST || frame->view.height > IMAGE_LARGEST)
        return fail(error, "soft: a picture of %d by %d: 1 to %d are possible", frame->view.width, frame->view.height, IMAGE_LARGEST);
    if (frame->level && frame->level != soft->use)
        return fail(error, "soft: the frame is of another level than use_level gave");
    fit_target(soft, frame->view.width, frame->view.height);
    int overbright = CLAMP(frame->overbright, 0, 1);
    if (soft->use && (!soft->level || soft->level->overbright != overbright || soft->level->serial != soft->use->serial)) {
        soft_level_free(soft->level);
        soft->level = soft_level_make(soft->use, overbright);
    }
    soft->frame = frame;
    soft->mode = (SoftMode){ soft->var.filter->number != 0, overbright != 0, soft->var.divide->number != 0 ? 16 : 8 };
    soft->jobs = jobs_of(soft);
    soft->spans = frame->level && frame->shade != SHADE_OVERDRAW && frame->shade != SHADE_WIRE && soft->var.world->number == 0;
    make_gamma(soft);
    clear_lists(&soft->scratch);
    soft_textures_begin(soft);
    soft_view_make(&frame->view, &soft->view);
    soft_pose_make(&frame->view, &soft->view, NULL, &soft->world);
    if (frame->level && frame->shade == SHADE_WIRE)
        soft_wires_gather(soft);
    else if (frame->level)
        soft_world_gather(soft);
    soft_overlay_gather(soft);
    soft_ui_gather(soft);
    int bands = (soft->target.height + BAND - 1) / BAND;
    while ((int)soft->bands.count < bands)
        *array_push(&soft->bands) = (SoftBand){ 0 };
    jobs_each(soft->jobs, bands, draw_band, soft);
    soft->frame = NULL;
    return true;
}

static bool soft_read_pixels(void *self, Image *out, Error *error) {
    Soft *soft = self;
    const SoftTarget *target = &soft->target;
    if (!target->color)
        return fail(error, "soft: nothing has been drawn yet");
    *out = image_make(target->width, target->height);
    for (int y = 0; y < target->height; y++)
        memcpy(out->rgba + (size_t)y * (size_t)target->width * 4, target->color + (size_t)y * (size_t)target->pitch, (size_t)target->width * 4);
    return true;
}

static int soft_stats(void *self, const RenderStat **out) {
    Soft *soft = self;
    *out = soft->stats;
    return soft->stat_count;
}

const RendererKind soft_renderer = {
    .name = "soft", .open = soft_open, .use_level = soft_use_level, .draw = soft_draw, .read_pixels = soft_read_pixels,
    .stats = soft_stats, .close = soft_close,
};
