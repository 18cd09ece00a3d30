/* render/gl/gl.c -- the GL renderer: its list of passes, its framebuffers, its numbers.
 *
 * Pictures are drawn into a framebuffer of the view's size; a window only gets a copy. The list of passes below is the
 * whole frame. */
#include "render/gl/gl.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "render/gl/gl_internal.h"

typedef struct GlPass { const char *ms, *gpu_ms; void (*draw)(Gl *, const Frame *); } GlPass;

static const GlPass passes[GL_PASSES] = {
    { "portals_ms", "portals_gpu_ms", gl_portals },
    { "world_ms",   "world_gpu_ms",   gl_world },
    { "models_ms",  "models_gpu_ms",  gl_models },
    { "things_ms",  "things_gpu_ms",  gl_things },
    { "blended_ms", "blended_gpu_ms", gl_blended },
    { "overlay_ms", "overlay_gpu_ms", gl_overlay },
    { "gamma_ms",   "gamma_gpu_ms",   gl_gamma },
    { "ui_ms",      "ui_gpu_ms",      gl_ui },
};

static double milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}


static bool is_core_33(void) {
    GLint major = 0, minor = 0;
    glGetIntegerv(GL_MAJOR_VERSION, &major);
    glGetIntegerv(GL_MINOR_VERSION, &minor);
    return major > 3 || (major == 3 && minor >= 3);
}

static void gl_close(void *self) {
    Gl *gl = self;
    if (!gl)
        return;
    gl_mesh_close(gl);
    gl_lightmaps_close(gl);
    gl_overlay_close(gl);
    gl_stages_close(gl);
    gl_textures_close(gl);
    gl_shaders_close(gl);
    const unsigned framebuffers[] = { gl->framebuffer, gl->gamma_framebuffer, gl->image_framebuffer };
    const unsigned textures[] = { gl->color, gl->gamma_color, gl->image_texture, gl->gamma_table };
    glDeleteFramebuffers(COUNT_OF(framebuffers), framebuffers);
    glDeleteTextures(COUNT_OF(textures), textures);
    glDeleteRenderbuffers(1, &gl->depth);
    glDeleteBuffers(1, &gl->block_buffer);
    glDeleteQueries(QUERY_SETS * GL_PASSES, &gl->queries[0][0]);
    array_free(&gl->blended);
    mem_free(gl->shader_folder);
    mem_free(gl);
}

static Var *upload_variable(Vars *vars) {
    return var_number(vars, "gl.upload_mb", 8, 0, 4096, "megabytes of textures sent to OpenGL in a frame while others are still loading");
}

static Var *layers_variable(Vars *vars) {
    return var_count(vars, "gl.lightmap_layers", 2048, 1, 2048, "lightmap pages in one array texture, if OpenGL allows as many; read when it opens");
}

static void gl_define(Vars *vars) {
    upload_variable(vars);
    layers_variable(vars);
}

static void *gl_open(const RendererSetup *setup, Error *error) {
    if (!setup->gl_loader) {
        fail(error, "gl: there is no OpenGL context");
        return NULL;
    }
    if (!gladLoadGL((GLADloadfunc)setup->gl_loader) || !is_core_33()) {
        fail(error, "gl: the context is no OpenGL 3.3 core");
        return NULL;
    }
    Gl *gl = mem_zeroed(1, sizeof *gl);
    gl->log = setup->log;
    gl->watch = setup->watch;
    size_t length = strlen(setup->shader_folder) + 1;
    gl->shader_folder = memcpy(mem_alloc(length), setup->shader_folder, length);
    gl->upload_mb = upload_variable(setup->vars);
    GLint largest = 1024, layers = 256;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
    glGetIntegerv(GL_MAX_ARRAY_TEXTURE_LAYERS, &layers);
    gl->largest = MIN(largest, IMAGE_LARGEST);
    gl->lightmaps.layers = MIN(layers, (int)layers_variable(setup->vars)->number);
    glGenBuffers(1, &gl->block_buffer);
    glGenQueries(QUERY_SETS * GL_PASSES, &gl->queries[0][0]);
    gl_textures_open(gl);
    gl_stages_open(gl);
    if (!gl_shaders_open(gl, error) || !(gl_overlay_open(gl) || fail(error, "gl: the driver has no room for its first buffers"))) {
        gl_close(gl);
        return NULL;
    }
    log_debug(gl->log, "gl: %s, %s", (const char *)glGetString(GL_RENDERER), (const char *)glGetString(GL_VERSION));
    return gl;
}

static bool gl_use_level(void *self, const Level *level, const Assets *assets, Error *error) {
    Gl *gl = self;
    while (glGetError() != GL_NO_ERROR) { }    /* what went wrong before is not this level's fault */
    gl_mesh_close(gl);
    gl_lightmaps_close(gl);
    if (assets != gl->assets)
        gl_textures_forget(gl);
    gl->assets = assets;
    gl->level = NULL;
    if (!level)
        return true;
    if (!gl_mesh_open(gl, level, error)) {
        gl_mesh_close(gl);
        return false;
    }
    gl->level = level;
    gl->serial = level->serial;
    return true;
}


static unsigned make_color(int width, int height, unsigned *framebuffer, unsigned depth) {
    unsigned color = gl_texture_make(width, height, NULL, GL_NEAREST);
    if (!*framebuffer)
        glGenFramebuffers(1, framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, *framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, color, 0);
    if (depth)
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER, depth);
    return color;
}

static bool resize(Gl *gl, int width, int height, Error *error) {
    if (gl->width == width && gl->height == height)
        return true;
    if (width < 1 || height < 1 || width > gl->largest || height > gl->largest)
        return fail(error, "gl: a picture of %d by %d: this driver makes 1 to %d", width, height, gl->largest);
    const unsigned old[2] = { gl->color, gl->gamma_color };
    glDeleteTextures(2, old);
    if (!gl->depth)
        glGenRenderbuffers(1, &gl->depth);
    glBindRenderbuffer(GL_RENDERBUFFER, gl->depth);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH24_STENCIL8, width, height);
    gl->gamma_color = make_color(width, height, &gl->gamma_framebuffer, 0);
    gl->color = make_color(width, height, &gl->framebuffer, gl->depth);
    gl->width = gl->height = 0;
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE || glGetError() != GL_NO_ERROR)
        return fail(error, "gl: no room for a picture of %d by %d", width, height);
    gl->width = width;
    gl->height = height;
    return true;
}

/* Far enough for the whole level and what scripts draw around it; depth's resolution is decided by the near plane. */
static float far_distance(const Frame *frame) {
    double far = 65536;
    if (frame->level) {
        Box box = frame->level->map->bounds;
        double sum = 0;
        for (int i = 0; i < 3; i++) {
            double low = fabs((double)frame->view.origin.raw[i] - box.mins.raw[i]), high = fabs((double)frame->view.origin.raw[i] - box.maxs.raw[i]);
            sum += MAX(low, high) * MAX(low, high);
        }
        far += sqrt(sum) * 2;
    }
    return (float)(isfinite(far) ? MIN(far, 1e8) : 1e8);
}

typedef struct NearLight { double distance; int number; } NearLight;

static int compare_lights(const void *a, const void *b) {
    const NearLight *x = a, *y = b;
    return x->distance != y->distance ? (x->distance < y->distance ? -1 : 1) : x->number - y->number;
}

static void put_lights(const Frame *frame, GlFrameBlock *block) {
    int count = (int)frame->lights.count;
    NearLight *order = arena_array(frame->arena, NearLight, count);
    for (int i = 0; i < count; i++)
        order[i] = (NearLight){ vec3_length(vec3_sub(frame->lights.at[i].origin, frame->view.origin)), i };
    if (count > GL_LIGHTS)
        qsort(order, (size_t)count, sizeof *order, compare_lights);
    block->light_count[0] = (float)MIN(count, GL_LIGHTS);
    for (int i = 0; i < MIN(count, GL_LIGHTS); i++) {
        const FrameLight *light = &frame->lights.at[order[i].number];
        const float at[4] = { light->origin.x, light->origin.y, light->origin.z, light->radius };
        const float color[4] = { light->color.x, light->color.y, light->color.z, 0 };
        memcpy(block->light_at[i], at, sizeof at);
        memcpy(block->light_color[i], color, sizeof color);
    }
}

void gl_send_block(Gl *gl, const Frame *frame, const Plane *clip) {
    int overbright = CLAMP(frame->overbright, 0, 1);
    GlFrameBlock block = {
        .eye = { frame->view.origin.x, frame->view.origin.y, frame->view.origin.z, (float)frame->time },
        .forward = { frame->view.axes.forward.x, frame->view.axes.forward.y, frame->view.axes.forward.z, 0 },
        .picture = { (float)frame->view.width, (float)frame->view.height, 0, 0 },
        .light = { (float)(1 << overbright), DEPTH_HALF, 0, 0 },
        .wire = { frame->wire.r / 255.0f, frame->wire.g / 255.0f, frame->wire.b / 255.0f, 1 },
        .sky = { 0.35f, 0.45f, 0.6f, 1 },
    };
    if (clip)
        memcpy(block.clip_plane, (float[4]){ clip->normal.x, clip->normal.y, clip->normal.z, -clip->dist }, sizeof block.clip_plane);
    put_lights(frame, &block);
    view_matrix(&frame->view, far_distance(frame), block.clip);
    glBindBuffer(GL_UNIFORM_BUFFER, gl->block_buffer);
    glBufferData(GL_UNIFORM_BUFFER, sizeof block, &block, GL_STREAM_DRAW);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, gl->block_buffer);
}

static bool check_frame(const Gl *gl, const Frame *frame, Error *error) {
    if (frame->shade == SHADE_SPANS || frame->shade == SHADE_EDGES || frame->shade < 0 || frame->shade >= SHADE_COUNT)
        return fail(error, "gl: the view \"%s\" is the software rasterizer's", shade_name((int)frame->shade));
    if (frame->level && (frame->level != gl->level || frame->level->serial != gl->serial))
        return fail(error, "gl: the frame is of another level than use_level gave");
    if (!vec3_finite(frame->view.origin) || !vec3_finite(frame->view.axes.forward))
        return fail(error, "gl: the view is not finite");
    return true;
}

/* Times of the GPU come some frames late: asking for them at once would wait for it. */
static void read_times(Gl *gl) {
    for (int i = 0; i < GL_PASSES; i++) {
        if (!gl->query_used[gl->query_set][i])
            continue;
        GLint there = 0;
        glGetQueryObjectiv(gl->queries[gl->query_set][i], GL_QUERY_RESULT_AVAILABLE, &there);
        if (!there)
            continue;
        GLuint64 nanoseconds = 0;
        glGetQueryObjectui64v(gl->queries[gl->query_set][i], GL_QUERY_RESULT, &nanoseconds);
        gl->pass_gpu_ms[i] = (double)nanoseconds * 1e-6;
    }
}

static void draw_passes(Gl *gl, const Frame *frame) {
    gl->query_set = (gl->query_set + 1) % QUERY_SETS;
    read_times(gl);
    for (int i = 0; i < GL_PASSES; i++) {
        double start = milliseconds();
        glBeginQuery(GL_TIME_ELAPSED, gl->queries[gl->query_set][i]);
        passes[i].draw(gl, frame);
        glEndQuery(GL_TIME_ELAPSED);
        gl->query_used[gl->query_set][i] = true;
        gl->pass_ms[i] = milliseconds() - start;
    }
}

static void begin_picture(Gl *gl, const Frame *frame) {
    glBindFramebuffer(GL_FRAMEBUFFER, gl->framebuffer);
    glViewport(0, 0, gl->width, gl->height);
    glDisable(GL_SCISSOR_TEST);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glDepthMask(GL_TRUE);
    bool counted = frame->shade == SHADE_OVERDRAW;
    glClearColor(counted ? 0 : frame->clear.r / 255.0f, counted ? 0 : frame->clear.g / 255.0f, counted ? 0 : frame->clear.b / 255.0f, 1);
    glStencilMask(0xff);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_FALSE);    /* the picture stays opaque, whatever is blended into it */
}

static void add_stat(Gl *gl, const char *name, double value) {
    if (gl->stat_count < COUNT_OF(gl->stats))
        gl->stats[gl->stat_count++] = (RenderStat){ name, value };
}

static void write_stats(Gl *gl, double cpu_ms) {
    gl->stat_count = 0;
    add_stat(gl, "draw_calls", gl->counts.draw_calls);
    add_stat(gl, "triangles", gl->counts.triangles);
    add_stat(gl, "binds", gl->counts.binds);
    add_stat(gl, "faces", gl->counts.faces);
    add_stat(gl, "batches", gl->counts.batches);
    add_stat(gl, "cpu_ms", cpu_ms);
    double gpu = 0;
    for (int i = 0; i < GL_PASSES; i++) {
        add_stat(gl, passes[i].ms, gl->pass_ms[i]);
        gpu += gl->pass_gpu_ms[i];
    }
    add_stat(gl, "gpu_ms", gpu);
    for (int i = 0; i < GL_PASSES; i++)
        add_stat(gl, passes[i].gpu_ms, gl->pass_gpu_ms[i]);
}

static bool gl_draw(void *self, const Frame *frame, Error *error) {
    Gl *gl = self;
    double start = milliseconds();
    while (glGetError() != GL_NO_ERROR) { }
    if (!check_frame(gl, frame, error) || !resize(gl, frame->view.width, frame->view.height, error))
        return false;
    int overbright = CLAMP(frame->overbright, 0, 1);
    if (gl->level && gl->lightmaps.overbright != overbright && !gl_mesh_light(gl, overbright, error))
        return false;
    gl->counts = (GlCounts){ 0 };
    gl_textures_begin_frame(gl);
    gl_send_block(gl, frame, NULL);
    begin_picture(gl, frame);
    draw_passes(gl, frame);
    gl_textures_end_frame(gl);
    glBindVertexArray(0);
    GLenum problem = glGetError();
    if (problem != GL_NO_ERROR)
        return fail(error, problem == GL_OUT_OF_MEMORY ? "gl: the driver is out of memory" : "gl: error 0x%04x while drawing", problem);
    write_stats(gl, milliseconds() - start);
    return true;
}


static bool gl_read_pixels(void *self, Image *out, Error *error) {
    Gl *gl = self;
    if (!gl->shown_framebuffer)
        return fail(error, "gl: nothing was drawn yet");
    *out = image_make(gl->width, gl->height);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, gl->shown_framebuffer);
    size_t row = (size_t)gl->width * 4;
    uint8_t *upside_down = mem_alloc(row * (size_t)gl->height);
    glReadPixels(0, 0, gl->width, gl->height, GL_RGBA, GL_UNSIGNED_BYTE, upside_down);
    for (int y = 0; y < gl->height; y++)
        memcpy(out->rgba + (size_t)y * row, upside_down + (size_t)(gl->height - 1 - y) * row, row);
    mem_free(upside_down);
    if (gl->shown_framebuffer == gl->gamma_framebuffer)    /* that one was never cleared: its alpha is nobody's */
        for (size_t i = 3; i < row * (size_t)gl->height; i += 4)
            out->rgba[i] = 255;
    return true;
}

static int gl_stats(void *self, const RenderStat **out) {
    Gl *gl = self;
    *out = gl->stats;
    return gl->stat_count;
}

static void gl_file_changed(void *self, const char *path) { gl_shaders_file_changed(self, path); }

static const char *gl_problem(void *self) { return gl_shaders_problem(self); }

void gl_present(void *self, int width, int height) {
    Gl *gl = self;
    if (!gl->shown_framebuffer)
        return;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, gl->shown_framebuffer);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    bool same = width == gl->width && height == gl->height;
    glBlitFramebuffer(0, 0, gl->width, gl->height, 0, 0, width, height, GL_COLOR_BUFFER_BIT, same ? GL_NEAREST : GL_LINEAR);
}

void gl_show_image(void *self, const Image *image, int width, int height) {
    Gl *gl = self;
    if (image->width < 1 || image->height < 1 || image->width > gl->largest || image->height > gl->largest)
        return;
    if (!gl->image_texture)
        gl->image_texture = make_color(1, 1, &gl->image_framebuffer, 0);
    gl_bind(gl, UNIT_IMAGE, GL_TEXTURE_2D, gl->image_texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, image->width, image->height, 0, GL_RGBA, GL_UNSIGNED_BYTE, image->rgba);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, gl->image_framebuffer);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    bool same = width == image->width && height == image->height;
    glBlitFramebuffer(0, 0, image->width, image->height, 0, height, width, 0, GL_COLOR_BUFFER_BIT, same ? GL_NEAREST : GL_LINEAR);
}

const RendererKind gl_renderer = {
    "gl", gl_open, gl_use_level, gl_draw, gl_read_pixels, gl_stats, gl_file_changed, gl_problem, gl_close, gl_define,
};
