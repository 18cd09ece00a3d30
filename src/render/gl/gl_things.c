/* render/gl/gl_things.c -- surfaces of models (MD3): posed, placed and lit below the renderers, so here they are only
 * vertices in the level's format, drawn by the level's own shaders; a material's stages are drawn one after the other.
 * Neighbours of one look go in one call. */
#include <stdlib.h>

#include "render/gl/gl_internal.h"

/* Stages were worked out for vertices one by one: two surfaces share them only where there are none. */
static bool same_look(const FrameMesh *a, const FrameMesh *b) {
    return a->texture == b->texture && a->cull == b->cull && a->alpha_test == b->alpha_test && a->blended == b->blended &&
           a->offset == b->offset;
}

static bool same_stage(const FrameStage *a, const FrameStage *b) {
    return a->texture == b->texture && a->alpha_test == b->alpha_test && a->blends == b->blends && a->source == b->source &&
           a->destination == b->destination && a->multiplies == b->multiplies && a->depth_equal == b->depth_equal &&
           a->depth_write == b->depth_write;
}

static int stages_of(const Frame *frame, const FrameMesh *mesh) { return frame->shade == SHADE_LIT ? mesh->stage_count : 0; }

/* A run may grow by a mesh of the same look: of several stages it may not, they belong over one another. */
static bool goes_on(const Gl *gl, const Frame *frame, const FrameMesh *mesh) {
    if (!gl->thing_runs.count)
        return false;
    const GlThingRun *last = &gl->thing_runs.at[gl->thing_runs.count - 1];
    const FrameMesh *before = &frame->meshes.at[last->mesh];
    int stages = stages_of(frame, mesh);
    if (stages > 1 || stages != stages_of(frame, before) || !same_look(before, mesh))
        return false;
    return stages == 0 || same_stage(&before->stages[0], &mesh->stages[0]);
}

static void put_mesh(Gl *gl, const FrameMesh *mesh, const Vec2 *uv, const Rgba *colors) {
    const ModelSurface *surface = mesh->surface;
    uint32_t base = (uint32_t)gl->thing_vertices.count;
    if (!surface->vertex_count || !surface->triangle_count)
        return;
    GlVertex *out = array_push_n(&gl->thing_vertices, (size_t)surface->vertex_count);
    for (int i = 0; i < surface->vertex_count; i++) {
        Vec3 p = mesh->positions[i];
        Rgba c = colors[i];
        out[i] = (GlVertex){
            .position = { p.x, p.y, p.z }, .uv = { uv[i].x, uv[i].y }, .normal = { 0, 0, 32767, 0 },
            .color = { c.r, c.g, c.b, c.a }, .layer = LAYER_POSED, .face = gl->mesh.no_face,
        };
    }
    size_t count = (size_t)surface->triangle_count * 3;
    uint32_t *indexes = array_push_n(&gl->indexes, count);
    for (size_t i = 0; i < count; i++)
        indexes[i] = base + surface->indexes[i];
}

static void put_run(Gl *gl, const Frame *frame, int number, int stage) {
    const FrameMesh *mesh = &frame->meshes.at[number];
    const FrameStage *look = stages_of(frame, mesh) ? &mesh->stages[stage] : NULL;
    int first = (int)gl->indexes.count;
    if (!goes_on(gl, frame, mesh))
        *array_push(&gl->thing_runs) = (GlThingRun){ .first = first, .mesh = number, .stage = look ? stage : -1 };
    put_mesh(gl, mesh, look ? look->uv : mesh->surface->uv, look ? look->colors : mesh->colors);
    gl->thing_runs.at[gl->thing_runs.count - 1].count += (int)gl->indexes.count - first;
}

static void send(Gl *gl) {
    glBindVertexArray(gl->thing_array);
    glBindBuffer(GL_ARRAY_BUFFER, gl->thing_buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(gl->thing_vertices.count * sizeof(GlVertex)), gl->thing_vertices.at, GL_STREAM_DRAW);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)(gl->indexes.count * sizeof(uint32_t)), gl->indexes.at, GL_STREAM_DRAW);
}

static void draw_run(Gl *gl, const Frame *frame, const GlThingRun *run) {
    const FrameMesh *mesh = &frame->meshes.at[run->mesh];
    GlBatch look = { .texture = mesh->texture, .cull = mesh->cull, .alpha_test = mesh->alpha_test, .offset = mesh->offset, .fog = -1 };
    gl_set_batch(gl, frame, &look, gl_identity);
    if (run->stage < 0 && mesh->blended)
        gl_blend_state(frame);
    if (run->stage < 0)
        gl_draw_indexes(gl, GL_TRIANGLES, run->first, run->count);
    else
        gl_draw_vertex_stage(gl, frame, &mesh->stages[run->stage], run->first, run->count);
}

void gl_draw_meshes(Gl *gl, const Frame *frame, const int *order, int count) {
    array_clear(&gl->thing_vertices);
    array_clear(&gl->indexes);
    array_clear(&gl->thing_runs);
    for (int i = 0; i < count; i++)
        for (int stage = 0; stage < MAX(stages_of(frame, &frame->meshes.at[order[i]]), 1); stage++)
            put_run(gl, frame, order[i], stage);
    if (!gl->indexes.count)
        return;
    send(gl);
    for (size_t i = 0; i < gl->thing_runs.count; i++)
        draw_run(gl, frame, &gl->thing_runs.at[i]);
    array_clear(&gl->indexes);
}

void gl_things(Gl *gl, const Frame *frame) {
    if (!frame->level || !frame->meshes.count)
        return;
    int opaque;
    const int *order = frame_mesh_order(frame, &opaque);
    gl_begin_faces(gl, frame);
    gl_draw_meshes(gl, frame, order, opaque);
    gl_end_faces();
}
