/* render/gl/gl_world.c -- the world's opaque faces, one draw call a batch.
 *
 * The frame names the visible faces front to back. Two passes over them write their indexes batch after batch into the
 * stream: first how many each batch has, then the indexes themselves, so that within a batch they stay front to back;
 * batches are drawn in the order in which their first face is met. */
#include "render/gl/gl_internal.h"
#include "scene/scene.h"

const float gl_identity[16] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 };

void gl_begin_faces(Gl *gl, const Frame *frame) {
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LEQUAL);
    glDepthMask(GL_TRUE);
    glDisable(GL_BLEND);
    glPolygonOffset(-1, -2);    /* the engine's, where a batch wants it */
    glFrontFace(gl->mirrored ? GL_CCW : GL_CW);    /* faces of levels are clockwise seen from their front */
    for (int i = 0; i < UNIT_NUMBERS; i++)
        glBindSampler((unsigned)i, 0);
    glBindSampler(UNIT_IMAGE, gl->samplers[0]);
    gl_bind(gl, UNIT_NUMBERS, GL_TEXTURE_2D, gl->mesh.number_textures[frame->shade == SHADE_FACE]);
    if (frame->shade == SHADE_WIRE) {
        glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
        glDisable(GL_DEPTH_TEST);
    } else if (frame->shade == SHADE_OVERDRAW) {
        glDisable(GL_DEPTH_TEST);
        glEnable(GL_BLEND);
        glBlendFunc(GL_ONE, GL_ONE);
    }
}

void gl_end_faces(void) {
    glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
    glDisable(GL_CULL_FACE);
    glDisable(GL_POLYGON_OFFSET_FILL);
    glDepthMask(GL_TRUE);
}

static GlProgramKind program_for(const Frame *frame, const GlBatch *batch) {
    bool pictures = frame->shade == SHADE_LIT || frame->shade == SHADE_TEXTURE;
    if (batch->sky && pictures)
        return PROGRAM_SKY;
    if (frame->shade == SHADE_LIT)
        return batch->alpha_test != 0 ? PROGRAM_LIT_MASKED : PROGRAM_LIT;
    return batch->alpha_test != 0 ? PROGRAM_VIEWS_MASKED : PROGRAM_VIEWS;
}

void gl_set_batch(Gl *gl, const Frame *frame, const GlBatch *batch, const float model[16]) {
    const GlProgram *program = gl_use(gl, program_for(frame, batch));
    glUniformMatrix4fv(program->model, 1, GL_FALSE, model);
    glUniform1i(program->shade, (int)frame->shade);
    glUniform1f(program->alpha_test, batch->alpha_test);
    glUniform1i(program->has_image, batch->texture != TEXTURE_WHITE);
    if (batch->cull == CULL_NONE) {
        glDisable(GL_CULL_FACE);
    } else {
        glEnable(GL_CULL_FACE);
        glCullFace(batch->cull == CULL_FRONT_SHOWN ? GL_BACK : GL_FRONT);
    }
    if (batch->offset)
        glEnable(GL_POLYGON_OFFSET_FILL);
    else
        glDisable(GL_POLYGON_OFFSET_FILL);
    gl_bind(gl, UNIT_IMAGE, GL_TEXTURE_2D, gl_texture_name(gl, batch->texture));
    if (gl->lightmaps.array_count)
        gl_bind(gl, UNIT_LIGHTMAPS, GL_TEXTURE_2D_ARRAY, gl->lightmaps.arrays[MAX(batch->array, 0)]);
}

void gl_draw_indexes(Gl *gl, GLenum mode, int first, int count) {
    glDrawElements(mode, count, GL_UNSIGNED_INT, (const void *)((size_t)first * sizeof(uint32_t)));
    gl->counts.draw_calls++;
    gl->counts.triangles += mode == GL_TRIANGLES ? count / 3 : 0;
}

void gl_draw_batch(Gl *gl, const Frame *frame, const GlBatch *batch, const GlPlace *place, int first, int count) {
    gl_set_batch(gl, frame, batch, place->matrix);
    if (batch->look && frame->shade == SHADE_LIT)
        gl_draw_stages(gl, frame, batch, place, first, count);
    else if (batch->look && frame->shade == SHADE_LIGHTMAP && batch->look->page != TEXTURE_WHITE)
        gl_draw_page(gl, frame, batch, place, first, count);
    else
        gl_draw_indexes(gl, GL_TRIANGLES, first, count);
}

GlPlace gl_world_place(const Frame *frame, int face) {
    GlPlace place = { .model = -1, .middle = box_middle(frame->level->geometry->face_bounds[face]) };
    memcpy(place.matrix, gl_identity, sizeof place.matrix);
    return place;
}

void gl_put_blended(Gl *gl, const Frame *frame, int face, int model, Vec3 middle) {
    int batch = gl->mesh.face_batch[face];
    float distance = vec3_dot(vec3_sub(middle, frame->view.origin), frame->view.axes.forward);
    *array_push(&gl->blended) = (GlBlended){ gl->mesh.batches[batch].sort, 0, distance, batch, model, face, 0 };
}

/* The frame's faces are those of whole leafs: those that show their back, or lie outside of the view, are not worth
 * their vertices. */
static bool worth_drawing(const Gl *gl, const Frame *frame, const Plane frustum[5], int face) {
    const Plane *plane = &gl->mesh.face_planes[face];
    if (plane_distance(*plane, frame->view.origin) < -0.5f)
        return false;
    const Box *box = &frame->level->geometry->face_bounds[face];
    for (int i = 0; i < 4; i++) {
        const Vec3 n = frustum[i].normal;
        float furthest = n.x * (n.x > 0 ? box->maxs.x : box->mins.x) + n.y * (n.y > 0 ? box->maxs.y : box->mins.y)
                         + n.z * (n.z > 0 ? box->maxs.z : box->mins.z);
        if (furthest < frustum[i].dist - 0.5f)
            return false;
    }
    return true;
}

/* Chooses the faces to draw and counts each batch's indexes; returns their sum. Blended faces go to their own list. */
static int count_indexes(Gl *gl, const Frame *frame, int *faces, int *visible) {
    GlMesh *mesh = &gl->mesh;
    const struct BspFaceRange *ranges = frame->level->geometry->faces;
    Plane frustum[5];
    view_frustum(&frame->view, frustum);
    int total = 0;
    mesh->stamp++;
    for (int i = 0; i < frame->face_count; i++) {
        int face = frame->faces[i], number = mesh->face_batch[face];
        if (number < 0 || (!mesh->batches[number].deformed && !worth_drawing(gl, frame, frustum, face)))
            continue;
        GlBatch *batch = &mesh->batches[number];
        gl->counts.faces++;
        if (batch->deformed)
            gl_deform_face(gl, frame, batch, face, -1);
        if (batch->blended) {
            gl_put_blended(gl, frame, face, -1, box_middle(frame->level->geometry->face_bounds[face]));
            continue;
        }
        if (batch->stamp != mesh->stamp) {
            batch->stamp = mesh->stamp;
            batch->count = 0;
            batch->face = face;
            mesh->visible[(*visible)++] = number;
        }
        mesh->drawn[(*faces)++] = face;
        batch->count += ranges[face].index_count;
        total += ranges[face].index_count;
    }
    return total;
}

static bool write_indexes(Gl *gl, const Frame *frame, int faces, int visible, int total) {
    GlMesh *mesh = &gl->mesh;
    const BspGeometry *geometry = frame->level->geometry;
    uint32_t *out = gl_stream_map(gl, (size_t)total);
    if (!out)
        return false;
    for (int i = 0, at = 0; i < visible; i++) {
        GlBatch *batch = &mesh->batches[mesh->visible[i]];
        batch->first = at;
        at += batch->count;
        batch->count = 0;
    }
    for (int i = 0; i < faces; i++) {
        int face = mesh->drawn[i];
        GlBatch *batch = &mesh->batches[mesh->face_batch[face]];
        int count = geometry->faces[face].index_count;
        memcpy(out + batch->first + batch->count, geometry->indexes + geometry->faces[face].first_index, (size_t)count * sizeof *out);
        batch->count += count;
    }
    return gl_stream_unmap(gl);
}

void gl_world(Gl *gl, const Frame *frame) {
    array_clear(&gl->blended);
    if (!frame->level)
        return;
    int faces = 0, visible = 0, total = count_indexes(gl, frame, &faces, &visible);
    if (!write_indexes(gl, frame, faces, visible, total))
        return;    /* the driver lost the buffer: GL reports it, and the next frame writes it anew */
    gl_begin_faces(gl, frame);
    glBindVertexArray(gl->mesh.stream_array);
    for (int skies = 0; skies < 2; skies++)    /* the sky last: it is seen where nothing else is */
        for (int i = 0; i < visible; i++) {
            const GlBatch *batch = &gl->mesh.batches[gl->mesh.visible[i]];
            if (batch->sky != skies)
                continue;
            GlPlace place = gl_world_place(frame, batch->face);
            gl_draw_batch(gl, frame, batch, &place, batch->first, batch->count);
        }
    gl->counts.batches = visible;
    gl_end_faces();
}
