/* render/gl/gl_things.c -- surfaces of models (MD3): posed, placed and lit below the renderers, so here they are only
 * vertices in the level's format, drawn by the level's own shaders. Neighbours of one look go in one call. */
#include <stdlib.h>

#include "render/gl/gl_internal.h"

static bool same_look(const FrameMesh *a, const FrameMesh *b) {
    return a->texture == b->texture && a->cull == b->cull && a->alpha_test == b->alpha_test && a->blended == b->blended;
}

static void put_mesh(Gl *gl, const FrameMesh *mesh) {
    const ModelSurface *surface = mesh->surface;
    uint32_t base = (uint32_t)gl->thing_vertices.count;
    if (!surface->vertex_count || !surface->triangle_count)
        return;
    GlVertex *out = array_push_n(&gl->thing_vertices, (size_t)surface->vertex_count);
    for (int i = 0; i < surface->vertex_count; i++) {
        Vec3 p = mesh->positions[i];
        Rgba c = mesh->colors[i];
        out[i] = (GlVertex){
            .position = { p.x, p.y, p.z }, .uv = { surface->uv[i].x, surface->uv[i].y }, .normal = { 0, 0, 32767, 0 },
            .color = { c.r, c.g, c.b, c.a }, .layer = LAYER_POSED, .face = gl->mesh.no_face,
        };
    }
    size_t count = (size_t)surface->triangle_count * 3;
    uint32_t *indexes = array_push_n(&gl->indexes, count);
    for (size_t i = 0; i < count; i++)
        indexes[i] = base + surface->indexes[i];
}

static void send(Gl *gl) {
    glBindVertexArray(gl->thing_array);
    glBindBuffer(GL_ARRAY_BUFFER, gl->thing_buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(gl->thing_vertices.count * sizeof(GlVertex)), gl->thing_vertices.at, GL_STREAM_DRAW);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)(gl->indexes.count * sizeof(uint32_t)), gl->indexes.at, GL_STREAM_DRAW);
}

/* The meshes that blend, or those that do not, in the frame's order. */
void gl_draw_meshes(Gl *gl, const Frame *frame, bool blended) {
    array_clear(&gl->thing_vertices);
    array_clear(&gl->indexes);
    array_clear(&gl->thing_runs);
    const FrameMesh *last = NULL;
    for (size_t i = 0; i < frame->meshes.count; i++) {
        const FrameMesh *mesh = &frame->meshes.at[i];
        if (mesh->blended != blended)
            continue;
        int first = (int)gl->indexes.count;
        put_mesh(gl, mesh);
        if (!last || !same_look(last, mesh))
            *array_push(&gl->thing_runs) = (GlThingRun){ .first = first, .mesh = (int)i };
        gl->thing_runs.at[gl->thing_runs.count - 1].count += (int)gl->indexes.count - first;
        last = mesh;
    }
    if (!gl->indexes.count)
        return;
    send(gl);
    for (size_t i = 0; i < gl->thing_runs.count; i++) {
        const GlThingRun *run = &gl->thing_runs.at[i];
        const FrameMesh *mesh = &frame->meshes.at[run->mesh];
        GlBatch look = { .texture = mesh->texture, .cull = mesh->cull, .alpha_test = mesh->alpha_test, .fog = -1 };
        gl_set_batch(gl, frame, &look, gl_identity);
        gl_draw_indexes(gl, GL_TRIANGLES, run->first, run->count);
    }
    array_clear(&gl->indexes);
}

void gl_things(Gl *gl, const Frame *frame) {
    if (!frame->level || !frame->meshes.count)
        return;
    gl_begin_faces(gl, frame);
    gl_draw_meshes(gl, frame, false);
    gl_end_faces();
}
