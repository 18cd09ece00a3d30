/* render/soft/soft.c -- the software renderer's door: settings, the order of its work, what it tells. */
#include <time.h>

#include "base/trig.h"
#include "render/soft/soft_internal.h"

static SoftVars define_vars(Vars *vars) {
    return (SoftVars){
        .filter = var_choice(vars, "soft.filter", "nearest|bilinear", "bilinear", "how the software renderer reads textures"),
        .divide = var_choice(vars, "soft.divide", "8|16", "16", "pixels of a span from one perspective division to the next"),
        .world = var_choice(vars, "soft.world", "spans|zbuffer", "spans", "how flat opaque faces are drawn: spans in order, or a depth test for each pixel"),
        .lighting = var_choice(vars, "soft.lighting", "auto|cache|pixel", "auto", "where light meets texture: in texels that are kept, or in each pixel"),
        .cache_mb = var_number(vars, "soft.cache_mb", 64, 0, 4096, "megabytes of lit texels kept from frame to frame"),
        .code = var_choice(vars, "soft.code", "auto|plain|sse2|avx2", "auto", "instructions that rows are filled with; all give the same picture"),
        .materials = var_flag(vars, "soft.materials", true, "draw all stages of materials; 0: every face is its picture times its light"),
        .threads = var_count(vars, "soft.threads", 0, 0, 256, "threads of the software renderer; 0: the program's"),
    };
}

static void soft_define(Vars *vars) {
    define_vars(vars);
    soft_models_define(vars);
}

static void *soft_open(const RendererSetup *setup, Error *error) {
    (void)error;
    Soft *soft = mem_zeroed(1, sizeof *soft);
    soft->setup = *setup;
    soft->var = define_vars(setup->vars);
    soft->stop_after = -1;
    soft->models = soft_models_open(setup->vars);
    soft->particles = soft_particles_open();
    soft->lights = soft_lights_open();
    soft->looks = soft_looks_open();
    soft_cache_open(&soft->cache);
    soft_textures_open(soft);
    return soft;
}

/* All that was made of a level goes together: another may come to stand at its address. */
static void forget_level(Soft *soft) {
    soft_cache_forget(&soft->cache);
    soft_level_free(soft->level);
    soft->level = NULL;
    soft->order.level = NULL;
    soft->drawn = false;
}

static bool soft_use_level(void *self, const Level *level, const Assets *assets, Error *error) {
    (void)error;
    Soft *soft = self;
    forget_level(soft);
    soft_textures_forget(soft);
    soft->assets = assets;
    soft->use = level;
    return true;
}

static void soft_close(void *self) {
    Soft *soft = self;
    if (!soft)
        return;
    soft_cache_close(&soft->cache);
    soft_level_free(soft->level);
    soft_models_close(soft->models);
    soft_particles_close(soft->particles);
    soft_lights_close(soft->lights);
    soft_looks_close(soft->looks);
    soft_textures_close(soft);
    jobs_close(soft->own_jobs);
    soft_order_free(&soft->order);
    soft_sky_free(&soft->sky);
    soft_portals_free(soft);
    array_free(&soft->scratch.paints);
    array_free(&soft->scratch.points);
    array_free(&soft->scratch.items);
    array_free(&soft->scratch.overlays);
    array_free(&soft->scratch.lines);
    array_free(&soft->scratch.sprites);
    array_free(&soft->scratch.steps);
    array_free(&soft->scratch.ui);
    array_free(&soft->scratch.far);
    array_free(&soft->scratch.poses);
    array_free(&soft->scratch.faces);
    for (size_t i = 0; i < soft->desks.count; i++) {
        mem_free(soft->desks.at[i].color);
        mem_free(soft->desks.at[i].depth);
        mem_free(soft->desks.at[i].baked);
        soft_band_free(&soft->desks.at[i].band);
    }
    array_free(&soft->desks);
    array_free(&soft->scratch.skies);
    array_free(&soft->scratch.deformed);
    array_free(&soft->scratch.lanes);
    mem_free(soft->target.color);
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
    target->color = mem_aligned(64, pixels * sizeof *target->color);
}

static void fit_desks(Soft *soft, int count, int rows) {
    size_t pixels = (size_t)soft->target.pitch * (size_t)rows;
    while ((int)soft->desks.count < count)
        *array_push(&soft->desks) = (SoftDesk){ 0 };
    for (size_t i = 0; i < soft->desks.count; i++) {
        SoftDesk *desk = &soft->desks.at[i];
        desk->sum = (SoftSum){ 0 };
        if (desk->room >= pixels)
            continue;
        mem_free(desk->color);
        mem_free(desk->depth);
        mem_free(desk->baked);
        desk->color = mem_aligned(64, pixels * sizeof *desk->color);
        desk->depth = mem_aligned(64, pixels * sizeof *desk->depth);
        desk->baked = mem_zeroed(pixels / 8, sizeof *desk->baked);    /* enough for any number of rows */
        desk->room = pixels;
    }
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


static void draw_item(const Soft *soft, const SoftTarget *target, const SoftItem *item, int y0, int y1) {
    int left[BAND], right[BAND];
    SoftSpan spans[BAND];
    for (int from = MAX(item->y0, y0), end = MIN(item->y1, y1), to; from < end; from = to) {
        to = MIN(from + BAND, end);
        soft_polygon_rows(soft->scratch.points.at + item->first_point, item->point_count, target->width, from, to, left, right);
        int count = 0;
        for (int y = from; y < to; y++) {
            int x0 = MAX(left[y - from], item->x0), x1 = MIN(right[y - from], item->x1);
            if (x0 < x1)
                spans[count++] = (SoftSpan){ .y = y, .x0 = x0, .x1 = x1 };
        }
        const SoftPaint *paint = &soft->scratch.paints.at[item->paint];
        for (int i = 0; i <= item->layers; i++) {
            SoftTest test = i ? paint[i].test : item->test;
            if (item->lit && paint[i].light > 0)
                soft_lights_rows(soft, soft->lights, target, item->lit, paint + i, spans, count, test);
            else
                soft_rows(target, &soft->mode, paint + i, spans, count, test);
        }
    }
}

static void clear_depth(const SoftTarget *target, int y0, int y1) {
    memset(target->depth + soft_place(target, 0, y0), 0, (size_t)(y1 - y0) * (size_t)target->pitch * sizeof *target->depth);
}

static void draw_steps(const Soft *soft, const SoftTarget *target, const SoftStep *steps, size_t count, int band, int y0, int y1) {
    for (size_t i = 0; i < count; i++) {
        switch (steps[i].kind) {
        case STEP_ITEM: draw_item(soft, target, &soft->scratch.overlays.at[steps[i].index], y0, y1); break;
        case STEP_LINE: soft_line_draw(target, &soft->scratch.lines.at[steps[i].index], y0, y1); break;
        case STEP_SPRITE: soft_sprite_draw(target, &soft->scratch, &soft->scratch.sprites.at[steps[i].index], y0, y1); break;
        case STEP_CLEAR_DEPTH: clear_depth(target, y0, y1); break;
        case STEP_PARTICLES: soft_particles_draw(target, soft->particles, band, y0, y1); break;
        }
    }
}

static void apply_gamma(const Soft *soft, const SoftTarget *target, int y0, int y1) {
    uint32_t *from = target->color + soft_place(target, 0, y0), *end = target->color + soft_place(target, 0, y1);
    const uint8_t *table = soft->gamma;
    for (uint32_t *p = from; p < end; p++)
        *p = table[*p & 255] | (uint32_t)table[*p >> 8 & 255] << 8 | (uint32_t)table[*p >> 16 & 255] << 16 | (*p & 0xff000000u);
}

double soft_milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static void draw_band(Soft *soft, const SoftDesk *desk, SoftBand *state, SoftSum *sum, int band) {
    int y0 = band * soft->band_rows, y1 = MIN(y0 + soft->band_rows, soft->target.height);
    uint32_t back = soft->frame->shade == SHADE_OVERDRAW ? 0xff000000u : soft_packed(soft->frame->clear) | 0xff000000u;
    double start = soft_milliseconds();
    soft_band_begin(state, soft->target.width, y0, y1);
    SoftTarget *target = &state->target;
    *target = (SoftTarget){ desk->color, desk->depth, soft->target.width, soft->target.height, soft->target.pitch, y0, desk->baked };
    if (y1 <= soft->window[1] || y0 >= soft->window[3])
        return;
    if (soft->portal)
        soft_band_window(state, soft->window);
    if (soft->stop_after >= 0)
        soft_band_clear(state, back);    /* spans that are left out leave the background */
    if (soft->spans && soft->stop_after >= 0 && soft->frame->shade == SHADE_EDGES)
        soft_watch_edges(soft, state);
    else if (soft->spans)
        soft_band_spans(soft, state);
    if (soft->stop_after < 0)
        soft_band_clear(state, back);
    double spans = soft_milliseconds();
    for (size_t i = 0; i < soft->first_blended; i++)
        draw_item(soft, target, &soft->scratch.items.at[i], y0, y1);
    soft_models_draw(soft->models, target, band, y0, y1);
    size_t mesh = 0;
    for (size_t i = soft->first_blended; i < soft->scratch.items.count; i++) {
        soft_models_blended(soft->models, target, band, y0, y1, i, &mesh);
        draw_item(soft, target, &soft->scratch.items.at[i], y0, y1);
    }
    soft_models_blended(soft->models, target, band, y0, y1, SIZE_MAX, &mesh);
    double items = soft_milliseconds();
    draw_steps(soft, target, soft->scratch.steps.at, soft->scratch.steps.count, band, y0, y1);
    if (soft->has_gamma)
        apply_gamma(soft, target, y0, y1);
    draw_steps(soft, target, soft->scratch.ui.at, soft->scratch.ui.count, band, y0, y1);
    soft_store_pixels(soft->target.color + soft_place(&soft->target, 0, y0), target->color, (size_t)(y1 - y0) * (size_t)target->pitch);
    sum->spans += state->span_count;
    sum->pixels += state->span_pixels;
    sum->covered += soft_band_covered(state);
    sum->span_ms += spans - start;
    sum->item_ms += items - spans;
    sum->overlay_ms += soft_milliseconds() - items;
}

/* One thread's share: whichever band is next. What it counts stands in its own memory until the end, where no other
 * thread's writing takes it away. */
static void draw_bands(void *user, int worker) {
    Soft *soft = user;
    SoftDesk *desk = &soft->desks.at[worker];
    SoftBand state = desk->band;
    SoftSum sum = { 0 };
    for (int band; (band = atomic_fetch_add(&soft->next_band, 1)) < soft->band_count;)
        draw_band(soft, desk, &state, &sum, band);
    desk->band = state;
    desk->sum = sum;
}

static void add_stat(Soft *soft, const char *name, double value) {
    if (soft->stat_count < COUNT_OF(soft->stats))
        soft->stats[soft->stat_count++] = (RenderStat){ name, value };
}

/* Times of bands are added up over all threads. */
static void write_stats(Soft *soft) {
    double edges = 0, surfaces = 0;
    SoftSum sum = { 0 };
    for (size_t i = 0; i < soft->desks.count; i++) {
        const SoftSum *part = &soft->desks.at[i].sum;
        sum = (SoftSum){ sum.spans + part->spans, sum.pixels + part->pixels, sum.covered + part->covered, sum.span_ms + part->span_ms,
                         sum.item_ms + part->item_ms, sum.overlay_ms + part->overlay_ms };
    }
    for (size_t i = 0; soft->spans && i < soft->order.shapes.count; i++) {
        bool seen = soft->order.shapes.at[i].y0 < soft->order.shapes.at[i].y1;
        edges += seen ? soft->order.shapes.at[i].edge_count : 0;
        surfaces += seen;
    }
    if (soft->frame->shade == SHADE_EDGES && soft->stop_after >= 0)
        edges = MIN(edges, (double)soft->stop_after);
    soft->stat_count = 0;
    add_stat(soft, "frame_ms", soft->frame_ms);
    add_stat(soft, "order_ms", soft->order_ms);
    add_stat(soft, "place_ms", soft->place_ms);
    add_stat(soft, "spans_ms", sum.span_ms);
    add_stat(soft, "triangles_ms", sum.item_ms);
    add_stat(soft, "overlay_ms", sum.overlay_ms);
    add_stat(soft, "surfaces", surfaces);
    add_stat(soft, "parts", soft->spans ? (double)soft->order.parts.count : 0);
    add_stat(soft, "edges", edges);
    add_stat(soft, "spans", (double)sum.spans);
    add_stat(soft, "pixels", (double)sum.pixels);
    add_stat(soft, "overdraw", sum.covered > 0 && soft->stop_after < 0 ? (double)sum.pixels / (double)sum.covered : 0);
    add_stat(soft, "triangles", (double)soft->scratch.items.count);
    add_stat(soft, "blended", (double)(soft->scratch.items.count - soft->first_blended));
    add_stat(soft, "skies", (double)soft->scratch.skies.count);
    add_stat(soft, "cache_hits", soft->caches ? (double)soft->cache.hits : 0);
    add_stat(soft, "cache_misses", soft->caches ? (double)soft->cache.misses : 0);
    add_stat(soft, "cache_bytes", (double)soft->cache.bytes);
    add_stat(soft, "threads", jobs_threads(soft->jobs));
    RenderStat models[SOFT_MODEL_STATS];
    int count = soft_models_stats(soft->models, models);
    for (int i = 0; i < count; i++)
        add_stat(soft, models[i].name, models[i].value);
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
    array_clear(&scratch->sprites);
    array_clear(&scratch->steps);
    array_clear(&scratch->ui);
    array_clear(&scratch->far);
    array_clear(&scratch->skies);
}

/* One view of the level, and what lies over it, into the target: the picture itself, or what is seen through a portal. */
static void draw_view(Soft *soft, const Frame *frame) {
    soft->frame = frame;
    clear_lists(&soft->scratch);
    soft->first_blended = 0;
    soft_textures_begin(soft);
    soft_looks_begin(soft);
    soft_view_make(&frame->view, &soft->view);
    soft_pose_make(&frame->view, &soft->view, NULL, &soft->world);
    if (soft->portal) {
        soft_portal_clip(soft, &soft->portal->clip);
        soft->view.mirrored = soft->portal->mirrored;
    }
    if (frame->level && frame->shade == SHADE_WIRE)
        soft_wires_gather(soft);
    else if (frame->level)
        soft_world_gather(soft);
    soft_models_gather(soft, soft->models);
    soft_overlay_gather(soft);
    soft_ui_gather(soft);
    soft_sky_make(soft);
    if (soft->caches)    /* now that the frame's textures are there */
        soft_cache_begin_frame(&soft->cache, soft->level);
    soft->band_rows = soft->stop_after >= 0 ? soft->target.height : BAND;    /* spans are counted over the whole picture */
    soft->band_count = (soft->target.height + soft->band_rows - 1) / soft->band_rows;
    soft_models_begin(soft->models, soft->band_count);
    soft_particles_begin(soft->particles, soft->band_count, soft->band_rows);
    int workers = MIN(jobs_threads(soft->jobs), soft->band_count);
    fit_desks(soft, workers, MIN(soft->band_rows, soft->target.height));
    soft->mode.layers = soft_layer_at(soft, 0);
    atomic_store(&soft->next_band, 0);
    jobs_each(soft->jobs, workers, draw_bands, soft);
}

static void draw_portal(Soft *soft, const Frame *frame, int number) {
    const FramePortal *portal = &frame->portals[number];
    if (!soft_portal_begin(soft, frame, number))
        return;
    Frame seen = *portal->seen;    /* what scripts put into the level stands there too */
    seen.portals = NULL;
    seen.portal_count = 0;
    seen.shade = frame->shade;
    memcpy(&seen.lights, &frame->lights, sizeof seen.lights);
    memcpy(&seen.meshes, &frame->meshes, sizeof seen.meshes);
    memcpy(&seen.sprites, &frame->sprites, sizeof seen.sprites);
    memcpy(&seen.particles, &frame->particles, sizeof seen.particles);
    soft->portal = portal;
    bool gamma = soft->has_gamma;
    soft->has_gamma = false;    /* all of the picture gets it at its end */
    draw_view(soft, &seen);
    soft->has_gamma = gamma;
    soft->portal = NULL;
    soft_portal_end(soft, number);
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
        forget_level(soft);
        soft->level = soft_level_make(soft->use, overbright);
    }
    double start = soft_milliseconds();
    soft->drawn = false;
    soft->frame = frame;
    bool bilinear = soft->mode.bilinear;
    soft->mode = (SoftMode){ .bilinear = soft->var.filter->number != 0, .bright = overbright != 0, .divide = soft->var.divide->number != 0 ? 16 : 8 };
    soft->jobs = jobs_of(soft);
    soft->spans = frame->level && frame->shade != SHADE_OVERDRAW && frame->shade != SHADE_WIRE && soft->var.world->number == 0;
    SoftCode best = soft_best_code(), wanted = soft->var.code->number == 0 ? best : (SoftCode)(soft->var.code->number - 1);
    soft->mode.code = MIN(wanted, best);
    soft->mode.cache = &soft->cache;
    soft->caches = frame->level && soft->var.lighting->number != 2;
    bool stages = frame->level && frame->level->looks && frame->shade == SHADE_LIT && soft->var.materials->number != 0;
    soft->cache.stale = soft->cache.stale || stages != soft->stages || bilinear != soft->mode.bilinear;    /* their texels may be others */
    soft->stages = stages;
    make_gamma(soft);
    for (int i = 0; i < frame->portal_count && soft->stages; i++)
        draw_portal(soft, frame, i);
    memcpy(soft->window, (int[4]){ 0, 0, soft->target.width, soft->target.height }, sizeof soft->window);
    draw_view(soft, frame);
    if (soft->caches)
        soft_cache_end_frame(&soft->cache, (size_t)(soft->var.cache_mb->number * 1024 * 1024));
    soft->frame_ms = soft_milliseconds() - start;
    write_stats(soft);
    soft->drawn = soft->spans;
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
    .stats = soft_stats, .close = soft_close, .define = soft_define,
};
