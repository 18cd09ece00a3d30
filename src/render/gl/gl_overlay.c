/* render/gl/gl_overlay.c -- what scripts draw into the level: tinted faces, boxes, triangles, sprites, lines.
 *
 * Everything becomes vertices of one format in one buffer; boxes are 8 of them and a pattern of indexes. Lines of up to
 * a pixel are the driver's lines, wider ones quads that the vertex shader makes (one instance a line). Overlays that are
 * depth-tested come first, then the depth buffer is emptied and those drawn over everything follow, which still hide one
 * another. */
#include <stddef.h>

#include "render/gl/gl_internal.h"
#include "scene/scene.h"

enum { NUMBER_COLUMNS = 1024 };    /* as in gl_mesh.c */

static const uint8_t box_edges[24] = { 0, 1, 1, 3, 3, 2, 2, 0, 4, 5, 5, 7, 7, 6, 6, 4, 0, 4, 1, 5, 2, 6, 3, 7 };
static const uint8_t box_sides[36] = {
    0, 1, 3, 0, 3, 2, 4, 6, 7, 4, 7, 5, 0, 4, 5, 0, 5, 1, 2, 3, 7, 2, 7, 6, 0, 2, 6, 0, 6, 4, 1, 5, 7, 1, 7, 3,
};

static unsigned make_vertices(unsigned *buffer) {
    unsigned array;
    glGenVertexArrays(1, &array);
    glGenBuffers(1, buffer);
    glBindVertexArray(array);
    glBindBuffer(GL_ARRAY_BUFFER, *buffer);
    return array;
}

static void attribute(unsigned at, int count, GLenum kind, size_t stride, size_t offset, unsigned divisor) {
    glEnableVertexAttribArray(at);
    glVertexAttribPointer(at, count, kind, kind == GL_UNSIGNED_BYTE, (GLsizei)stride, (const void *)offset);
    glVertexAttribDivisor(at, divisor);
}

static void line_attributes(size_t from) {
    const size_t stride = sizeof(FrameLine);
    attribute(0, 3, GL_FLOAT, stride, from + offsetof(FrameLine, from), 1);
    attribute(1, 3, GL_FLOAT, stride, from + offsetof(FrameLine, to), 1);
    attribute(2, 4, GL_UNSIGNED_BYTE, stride, from + offsetof(FrameLine, from_color), 1);
    attribute(3, 4, GL_UNSIGNED_BYTE, stride, from + offsetof(FrameLine, to_color), 1);
    attribute(4, 1, GL_FLOAT, stride, from + offsetof(FrameLine, width), 1);
}

bool gl_overlay_open(Gl *gl) {
    gl->overlay_array = make_vertices(&gl->overlay_buffer);
    attribute(0, 3, GL_FLOAT, sizeof(FrameVertex), offsetof(FrameVertex, position), 0);
    attribute(1, 2, GL_FLOAT, sizeof(FrameVertex), offsetof(FrameVertex, u), 0);
    attribute(2, 4, GL_UNSIGNED_BYTE, sizeof(FrameVertex), offsetof(FrameVertex, color), 0);
    glGenBuffers(1, &gl->box_indexes);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, gl->box_indexes);
    glGenBuffers(1, &gl->thing_buffer);
    glGenBuffers(1, &gl->thing_indexes);
    gl->thing_array = gl_vertex_array(gl->thing_buffer, gl->thing_indexes);
    gl->line_array = make_vertices(&gl->line_buffer);
    line_attributes(0);
    gl->ui_array = make_vertices(&gl->ui_buffer);
    attribute(0, 2, GL_FLOAT, sizeof(UiVertex), offsetof(UiVertex, x), 0);
    attribute(1, 2, GL_FLOAT, sizeof(UiVertex), offsetof(UiVertex, u), 0);
    attribute(2, 4, GL_UNSIGNED_BYTE, sizeof(UiVertex), offsetof(UiVertex, color), 0);
    glGenVertexArrays(1, &gl->empty_array);
    return glGetError() == GL_NO_ERROR;
}

void gl_overlay_close(Gl *gl) {
    const unsigned arrays[] = { gl->overlay_array, gl->line_array, gl->ui_array, gl->empty_array, gl->thing_array };
    const unsigned buffers[] = { gl->overlay_buffer, gl->line_buffer, gl->ui_buffer, gl->box_indexes, gl->thing_buffer, gl->thing_indexes };
    glDeleteVertexArrays(COUNT_OF(arrays), arrays);
    glDeleteBuffers(COUNT_OF(buffers), buffers);
    array_free(&gl->overlay_vertices);
    array_free(&gl->overlay_lines);
    array_free(&gl->tint_texels);
    array_free(&gl->indexes);
    array_free(&gl->thing_vertices);
    array_free(&gl->thing_runs);
}


/* One of the four ways to draw: with depth or over everything, blended or added. */
typedef struct Way { Gl *gl; const Frame *frame; int flags; Plane frustum[5]; } Way;

static int way_of(int flags) { return flags & (DRAW_XRAY | DRAW_ADD); }

static void set_blend(int flags) {
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, flags & DRAW_ADD ? GL_ONE : GL_ONE_MINUS_SRC_ALPHA);
    glDepthMask(GL_FALSE);
}

static void set_opaque(void) {
    glDisable(GL_BLEND);
    glDepthMask(GL_TRUE);
}

static void use_overlay(Gl *gl) {
    gl_use(gl, PROGRAM_OVERLAY);
    glBindVertexArray(gl->overlay_array);
    glBindBuffer(GL_ARRAY_BUFFER, gl->overlay_buffer);
    glBindSampler(UNIT_IMAGE, gl->samplers[0]);
}

static void send_vertices(const FrameVertex *vertices, size_t count) {
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(count * sizeof *vertices), vertices, GL_STREAM_DRAW);
}


/* Faces of the level, tinted. Their colours stand in a table by face; a face that is tinted twice begins a new round. */
static void draw_tints_so_far(Gl *gl, const Frame *frame) {
    if (!gl->indexes.count)
        return;
    float matrix[16];
    if (gl->tint_model >= 0)
        gl_model_matrix(&frame->models.at[gl->tint_model], matrix);
    glUniformMatrix4fv(gl->programs[PROGRAM_TINT].model, 1, GL_FALSE, gl->tint_model >= 0 ? matrix : gl_identity);
    uint32_t *out = gl_stream_map(gl, gl->indexes.count);
    if (out) {
        memcpy(out, gl->indexes.at, gl->indexes.count * sizeof *out);
        gl_stream_unmap(gl);
        gl_bind(gl, UNIT_NUMBERS, GL_TEXTURE_2D, gl->tint_colors);
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, NUMBER_COLUMNS, gl->mesh.number_rows, GL_RGBA, GL_UNSIGNED_BYTE, gl->tint_texels.at);
        gl_draw_indexes(gl, GL_TRIANGLES, 0, (int)gl->indexes.count);
    }
    array_clear(&gl->indexes);
}

static void put_tint(Gl *gl, const Frame *frame, const FrameFace *tint) {
    int model;
    if (!gl_face_model(frame, tint->face, &model))
        return;
    if (gl->tint_stamp[tint->face] == gl->tint_round || model != gl->tint_model) {
        draw_tints_so_far(gl, frame);
        gl->tint_round++;
        gl->tint_model = model;
    }
    gl->tint_stamp[tint->face] = gl->tint_round;
    memcpy(&gl->tint_texels.at[(size_t)tint->face * 4], &tint->color, 4);
    const struct BspFaceRange *range = &gl->level->geometry->faces[tint->face];
    if (range->index_count)
        memcpy(array_push_n(&gl->indexes, (size_t)range->index_count), gl->level->geometry->indexes + range->first_index,
               (size_t)range->index_count * sizeof(uint32_t));
}

static void draw_tints(const Way *way) {
    Gl *gl = way->gl;
    if (!way->frame->level || !way->frame->tints.count)
        return;
    array_reserve(&gl->tint_texels, (size_t)gl->mesh.number_rows * NUMBER_COLUMNS * 4);
    set_blend(way->flags);
    glDisable(GL_CULL_FACE);
    gl_use(gl, PROGRAM_TINT);
    glBindVertexArray(gl->mesh.stream_array);
    gl->tint_round++;
    gl->tint_model = -1;
    for (size_t i = 0; i < way->frame->tints.count; i++)
        if (way->frame->tints.at[i].fill && way_of(way->frame->tints.at[i].flags) == way->flags)
            put_tint(gl, way->frame, &way->frame->tints.at[i]);
    draw_tints_so_far(gl, way->frame);
}


/* The pattern of indexes grows to the most boxes that were ever wanted: all edges first, then all sides. */
static void need_box_indexes(Gl *gl, size_t boxes) {
    if (boxes <= gl->box_index_count)
        return;
    boxes = MAX(boxes, 256);
    size_t per = sizeof box_edges + sizeof box_sides;
    uint32_t *indexes = mem_alloc(boxes * per * sizeof *indexes), *out = indexes;
    for (size_t i = 0; i < boxes; i++)
        for (size_t k = 0; k < sizeof box_edges; k++)
            *out++ = (uint32_t)(i * 8 + box_edges[k]);
    for (size_t i = 0; i < boxes; i++)
        for (size_t k = 0; k < sizeof box_sides; k++)
            *out++ = (uint32_t)(i * 8 + box_sides[k]);
    glBindVertexArray(gl->overlay_array);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)(boxes * per * sizeof *indexes), indexes, GL_STATIC_DRAW);
    mem_free(indexes);
    gl->box_index_count = (unsigned)boxes;
}

static Vec3 corner_of(Box box, int corner) {
    return vec3_at(corner & 1 ? box.maxs.x : box.mins.x, corner & 2 ? box.maxs.y : box.mins.y, corner & 4 ? box.maxs.z : box.mins.z);
}

/* Scripts draw the boxes of a whole level: those out of view are not worth the driver's time. */
static bool box_of_way(const Way *way, const FrameBox *box) {
    Box sorted = box_around(box_around(box_nothing(), box->box.mins), box->box.maxs);
    return way_of(box->flags) == way->flags && frustum_touches_box(way->frustum, sorted);
}

static void put_box(Gl *gl, const FrameBox *box) {
    FrameVertex *out = array_push_n(&gl->overlay_vertices, 8);
    for (int corner = 0; corner < 8; corner++)
        out[corner] = (FrameVertex){ corner_of(box->box, corner), 0, 0, box->color };
}

static void draw_boxes_so_far(Gl *gl, bool sides) {
    size_t boxes = gl->overlay_vertices.count / 8;
    if (!boxes)
        return;
    need_box_indexes(gl, boxes);
    use_overlay(gl);
    send_vertices(gl->overlay_vertices.at, gl->overlay_vertices.count);
    gl_bind(gl, UNIT_IMAGE, GL_TEXTURE_2D, gl->white);
    int edges_end = (int)(gl->box_index_count * sizeof box_edges);
    gl_draw_indexes(gl, sides ? GL_TRIANGLES : GL_LINES, sides ? edges_end : 0, (int)(boxes * (sides ? sizeof box_sides : sizeof box_edges)));
    array_clear(&gl->overlay_vertices);
}

/* Opaque boxes write depth, so that their near sides hide their far ones. */
static void draw_filled_boxes(const Way *way) {
    for (int opaque = 1; opaque >= 0; opaque--) {
        for (size_t i = 0; i < way->frame->boxes.count; i++) {
            const FrameBox *box = &way->frame->boxes.at[i];
            bool is_opaque = box->color.a == 255 && !(box->flags & DRAW_ADD);
            if (box->fill && is_opaque == opaque && box_of_way(way, box))
                put_box(way->gl, box);
        }
        if (opaque)
            set_opaque();
        else
            set_blend(way->flags);
        draw_boxes_so_far(way->gl, true);
    }
}

static void put_line(Gl *gl, Vec3 from, Vec3 to, Rgba from_color, Rgba to_color, float width) {
    if (width > 1) {
        *array_push(&gl->overlay_lines) = (FrameLine){ from, to, from_color, to_color, MIN(width, 256), 0 };
        return;
    }
    FrameVertex *out = array_push_n(&gl->overlay_vertices, 2);
    out[0] = (FrameVertex){ from, 0, 0, from_color };
    out[1] = (FrameVertex){ to, 0, 0, to_color };
}

static void draw_box_edges(const Way *way) {
    set_blend(way->flags);
    for (size_t i = 0; i < way->frame->boxes.count; i++) {
        const FrameBox *box = &way->frame->boxes.at[i];
        if (box->fill || !box_of_way(way, box))
            continue;
        if (box->width <= 1) {
            put_box(way->gl, box);
            continue;
        }
        for (size_t k = 0; k < sizeof box_edges; k += 2)
            put_line(way->gl, corner_of(box->box, box_edges[k]), corner_of(box->box, box_edges[k + 1]), box->color, box->color, box->width);
    }
    draw_boxes_so_far(way->gl, false);
}

static void put_outline(Gl *gl, const Frame *frame, const FrameFace *tint) {
    int model;
    if (!gl_face_model(frame, tint->face, &model))
        return;
    GlRange range = gl_face_outline(gl, tint->face);
    for (int i = range.first; i < range.first + range.count; i += 2) {
        Vec3 ends[2];
        for (int k = 0; k < 2; k++) {
            ends[k] = gl->level->geometry->vertices[gl->mesh.outlines.at[i + k]].position;
            if (model >= 0)
                ends[k] = frame_model_point(&frame->models.at[model], ends[k]);
        }
        put_line(gl, ends[0], ends[1], tint->color, tint->color, tint->width);
    }
}

static void put_outlines(const Way *way) {
    for (size_t i = 0; i < way->frame->tints.count && way->frame->level; i++) {
        const FrameFace *tint = &way->frame->tints.at[i];
        if (!tint->fill && way_of(tint->flags) == way->flags)
            put_outline(way->gl, way->frame, tint);
    }
}

static void draw_lines(const Way *way) {
    Gl *gl = way->gl;
    put_outlines(way);
    for (size_t i = 0; i < way->frame->lines.count; i++) {
        const FrameLine *line = &way->frame->lines.at[i];
        if (way_of(line->flags) == way->flags)
            put_line(gl, line->from, line->to, line->from_color, line->to_color, line->width);
    }
    set_blend(way->flags);
    if (gl->overlay_vertices.count) {
        use_overlay(gl);
        send_vertices(gl->overlay_vertices.at, gl->overlay_vertices.count);
        gl_bind(gl, UNIT_IMAGE, GL_TEXTURE_2D, gl->white);
        glDrawArrays(GL_LINES, 0, (GLsizei)gl->overlay_vertices.count);
        gl->counts.draw_calls++;
        array_clear(&gl->overlay_vertices);
    }
    if (gl->overlay_lines.count) {
        gl_use(gl, PROGRAM_LINE);
        glBindVertexArray(gl->line_array);
        glBindBuffer(GL_ARRAY_BUFFER, gl->line_buffer);
        glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(gl->overlay_lines.count * sizeof(FrameLine)), gl->overlay_lines.at, GL_STREAM_DRAW);
        glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, (GLsizei)gl->overlay_lines.count);
        gl->counts.draw_calls++;
        array_clear(&gl->overlay_lines);
    }
}


static bool run_is_opaque(const Gl *gl, const Frame *frame, const FrameTriangles *run) {
    if (run->flags & DRAW_ADD)
        return false;
    if (gl->assets && run->texture >= 0 && run->texture < assets_texture_count(gl->assets) && run->texture != TEXTURE_WHITE
        && assets_texture_at(gl->assets, run->texture)->image.has_alpha)
        return false;
    for (int i = run->first; i < run->first + run->count; i++)
        if (frame->vertices.at[i].color.a != 255)
            return false;
    return true;
}

static void draw_triangles(const Way *way) {
    Gl *gl = way->gl;
    const Frame *frame = way->frame;
    bool sent = false;
    for (size_t i = 0; i < frame->triangles.count; i++) {
        const FrameTriangles *run = &frame->triangles.at[i];
        if (way_of(run->flags) != way->flags)
            continue;
        if (!sent) {
            use_overlay(gl);
            send_vertices(frame->vertices.at, frame->vertices.count);
            sent = true;
        }
        if (run_is_opaque(gl, frame, run))
            set_opaque();
        else
            set_blend(way->flags);
        gl_bind(gl, UNIT_IMAGE, GL_TEXTURE_2D, gl_texture_name(gl, run->texture));
        glDrawArrays(GL_TRIANGLES, run->first, run->count);
        gl->counts.draw_calls++;
        gl->counts.triangles += run->count / 3;
    }
}

/* Sprites and particles: squares in the level. Those of one picture that follow one another go in one call. */
static void put_quad(Gl *gl, const Vec3 corners[4], Rgba color) {
    static const struct { int corner; float u, v; } order[6] = { { 0, 0, 0 }, { 1, 1, 0 }, { 2, 1, 1 }, { 0, 0, 0 }, { 2, 1, 1 }, { 3, 0, 1 } };
    FrameVertex *out = array_push_n(&gl->overlay_vertices, 6);
    for (int i = 0; i < 6; i++)
        out[i] = (FrameVertex){ corners[order[i].corner], order[i].u, order[i].v, color };
}

static void draw_quads_so_far(Gl *gl, int texture) {
    if (!gl->overlay_vertices.count)
        return;
    use_overlay(gl);
    glBindSampler(UNIT_IMAGE, gl->sampler_ui);    /* clamped: the far edge of a sprite must not show at its near one */
    send_vertices(gl->overlay_vertices.at, gl->overlay_vertices.count);
    gl_bind(gl, UNIT_IMAGE, GL_TEXTURE_2D, gl_texture_name(gl, texture));
    glDrawArrays(GL_TRIANGLES, 0, (GLsizei)gl->overlay_vertices.count);
    gl->counts.draw_calls++;
    gl->counts.triangles += (double)gl->overlay_vertices.count / 3;
    array_clear(&gl->overlay_vertices);
}

static void swap_sides(Vec3 corners[4]) {
    const Vec3 was[4] = { corners[0], corners[1], corners[2], corners[3] };
    for (int i = 0; i < 4; i++)
        corners[i] = was[i ^ 1];
}

static void draw_sprites(const Way *way) {
    Gl *gl = way->gl;
    const Frame *frame = way->frame;
    set_blend(way->flags);
    int texture = TEXTURE_WHITE;
    for (size_t i = 0; i < frame->sprites.count; i++) {
        const FrameSprite *sprite = &frame->sprites.at[i];
        if (way_of(sprite->flags) != way->flags)
            continue;
        if (sprite->texture != texture)
            draw_quads_so_far(gl, texture);
        texture = sprite->texture;
        Vec3 corners[4];
        frame_sprite_corners(&frame->view, sprite, corners);
        if (gl->mirrored && !sprite->oriented)    /* it faces the eye in the mirror too, but left and right have changed places */
            swap_sides(corners);
        put_quad(gl, corners, sprite->color);
    }
    draw_quads_so_far(gl, texture);
}

static void draw_particles(const Way *way) {
    const Frame *frame = way->frame;
    for (size_t i = 0; way->flags == 0 && i < frame->particles.count; i++) {
        const FrameParticle *particle = &frame->particles.at[i];
        FrameSprite square = { .origin = particle->origin, .width = particle->size, .height = particle->size };
        Vec3 corners[4];
        frame_sprite_corners(&frame->view, &square, corners);
        put_quad(way->gl, corners, particle->color);
    }
    set_blend(way->flags);
    draw_quads_so_far(way->gl, TEXTURE_WHITE);
}

/* Which of the four ways the frame has anything of: a bit each. */
static unsigned ways_used(const Frame *frame) {
    unsigned used = frame->particles.count != 0;
    for (size_t i = 0; i < frame->sprites.count; i++)
        used |= 1u << way_of(frame->sprites.at[i].flags);
    for (size_t i = 0; i < frame->lines.count; i++)
        used |= 1u << way_of(frame->lines.at[i].flags);
    for (size_t i = 0; i < frame->boxes.count; i++)
        used |= 1u << way_of(frame->boxes.at[i].flags);
    for (size_t i = 0; i < frame->tints.count; i++)
        used |= 1u << way_of(frame->tints.at[i].flags);
    for (size_t i = 0; i < frame->triangles.count; i++)
        used |= 1u << way_of(frame->triangles.at[i].flags);
    return used;
}

static void begin_overlay(void) {
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LEQUAL);
    glDisable(GL_CULL_FACE);
}

static void end_overlay(void) {
    glDepthMask(GL_TRUE);
    glDisable(GL_BLEND);
}

void gl_sprites(Gl *gl, const Frame *frame) {
    static const int ways[] = { 0, DRAW_ADD };
    if (!frame->sprites.count && !frame->particles.count)
        return;
    begin_overlay();
    for (int i = 0; i < COUNT_OF(ways); i++) {
        Way way = { .gl = gl, .frame = frame, .flags = ways[i] };
        draw_sprites(&way);
        draw_particles(&way);
    }
    end_overlay();
}

/* Sprites over everything that is there: in mirrors. */
void gl_flares(Gl *gl, const Frame *frame) {
    Way way = { .gl = gl, .frame = frame, .flags = DRAW_XRAY | DRAW_ADD };
    if (!frame->sprites.count)
        return;
    glClear(GL_DEPTH_BUFFER_BIT);
    begin_overlay();
    draw_sprites(&way);
    end_overlay();
}

void gl_overlay(Gl *gl, const Frame *frame) {
    static const int order[] = { 0, DRAW_ADD, DRAW_XRAY, DRAW_XRAY | DRAW_ADD };
    unsigned used = ways_used(frame);
    if (!used)
        return;
    begin_overlay();
    for (int i = 0; i < COUNT_OF(order); i++) {
        if (order[i] == DRAW_XRAY && (used & (1u << DRAW_XRAY | 1u << (DRAW_XRAY | DRAW_ADD)))) {
            glDepthMask(GL_TRUE);
            glClear(GL_DEPTH_BUFFER_BIT);
        }
        if (!(used >> order[i] & 1))
            continue;
        Way way = { .gl = gl, .frame = frame, .flags = order[i] };
        view_frustum(&frame->view, way.frustum);
        draw_tints(&way);
        draw_filled_boxes(&way);
        draw_triangles(&way);
        draw_sprites(&way);
        draw_particles(&way);
        draw_box_edges(&way);
        draw_lines(&way);
    }
    end_overlay();
}
