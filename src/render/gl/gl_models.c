/* render/gl/gl_models.c -- brush models at their poses: faces of the level's own buffers under a matrix. */
#include <stdlib.h>

#include "render/gl/gl_internal.h"

void gl_model_matrix(const FrameModel *model, float out[16]) {
    const Axes *a = &model->axes;
    const float columns[16] = {
        a->forward.x, a->forward.y, a->forward.z, 0, -a->right.x, -a->right.y, -a->right.z, 0,
        a->up.x, a->up.y, a->up.z, 0, model->origin.x, model->origin.y, model->origin.z, 1,
    };
    memcpy(out, columns, sizeof columns);
}

bool gl_face_model(const Frame *frame, int face, int *place) {
    int model = frame->level->map->face_model[face];
    *place = -1;
    for (size_t i = 0; model > 0 && i < frame->models.count; i++)
        if (frame->models.at[i].model == model)
            *place = (int)i;
    return model <= 0 || *place >= 0;
}

GlPlace gl_model_place(const Frame *frame, int model) {
    const FrameModel *pose = &frame->models.at[model];
    GlPlace place = { .model = model, .middle = frame_model_point(pose, box_middle(frame->level->map->models[pose->model].bounds)) };
    gl_model_matrix(pose, place.matrix);
    return place;
}

/* A model's faces stand side by side in the file and in the index buffer: those of one batch go in one call. */
static void draw_model(Gl *gl, const Frame *frame, int place) {
    const BspModel *model = &frame->level->map->models[frame->models.at[place].model];
    const struct BspFaceRange *ranges = frame->level->geometry->faces;
    GlPlace stands = gl_model_place(frame, place);
    int end = model->first_face + model->face_count;
    for (int face = model->first_face; face < end;) {
        int number = gl->mesh.face_batch[face];
        if (number >= 0 && gl->mesh.batches[number].deformed)
            gl_deform_face(gl, frame, &gl->mesh.batches[number], face, place);
        if (number < 0 || gl->mesh.batches[number].blended) {
            Vec3 middle = box_middle(frame->level->geometry->face_bounds[face]);
            if (number >= 0)
                gl_put_blended(gl, frame, face, place, frame_model_point(&frame->models.at[place], middle));
            gl->counts.faces += number >= 0;
            face++;
            continue;
        }
        int first = ranges[face].first_index, stop = first;
        for (; face < end && gl->mesh.face_batch[face] == number && ranges[face].first_index == stop; face++) {
            stop += ranges[face].index_count;
            gl->counts.faces++;
        }
        gl_draw_batch(gl, frame, &gl->mesh.batches[number], &stands, first, stop - first);
    }
}

void gl_models(Gl *gl, const Frame *frame) {
    if (!frame->level || !frame->models.count)
        return;
    gl_begin_faces(gl, frame);
    glBindVertexArray(gl->mesh.array);
    for (size_t i = 0; i < frame->models.count; i++)
        draw_model(gl, frame, (int)i);
    gl_end_faces();
}


/* Blended faces of world and models, in the order of their materials; of one order, the batch that reaches farthest
 * first, and within it the far faces first: a batch stays together, for one call, save where a mesh comes between its faces. */
static int compare_blended(const void *a, const void *b) {
    const GlBlended *x = a, *y = b;
    if (x->meshes != y->meshes)
        return x->meshes - y->meshes;
    if (x->sort != y->sort)
        return x->sort < y->sort ? -1 : 1;
    if (x->far != y->far)
        return x->far > y->far ? -1 : 1;
    if (x->batch != y->batch || x->model != y->model)
        return x->batch != y->batch ? x->batch - y->batch : x->model - y->model;
    if (x->distance != y->distance)
        return x->distance > y->distance ? -1 : 1;
    return x->face - y->face;
}

static void order_blended(Gl *gl) {
    for (size_t i = 0; i < gl->blended.count; i++)
        gl->mesh.batches[gl->blended.at[i].batch].far = -1e30f;
    for (size_t i = 0; i < gl->blended.count; i++) {
        GlBatch *batch = &gl->mesh.batches[gl->blended.at[i].batch];
        batch->far = MAX(batch->far, gl->blended.at[i].distance);
    }
    for (size_t i = 0; i < gl->blended.count; i++)
        gl->blended.at[i].far = gl->mesh.batches[gl->blended.at[i].batch].far;
    qsort(gl->blended.at, gl->blended.count, sizeof *gl->blended.at, compare_blended);
}

static bool write_blended(Gl *gl, const BspGeometry *geometry) {
    size_t total = 0;
    for (size_t i = 0; i < gl->blended.count; i++)
        total += (size_t)geometry->faces[gl->blended.at[i].face].index_count;
    uint32_t *out = gl_stream_map(gl, total);
    if (!out)
        return false;
    for (size_t i = 0; i < gl->blended.count; i++) {
        const struct BspFaceRange *range = &geometry->faces[gl->blended.at[i].face];
        memcpy(out, geometry->indexes + range->first_index, (size_t)range->index_count * sizeof *out);
        out += range->index_count;
    }
    return gl_stream_unmap(gl);
}

void gl_blend_state(const Frame *frame) {
    if (frame->shade != SHADE_LIT && frame->shade != SHADE_TEXTURE)
        return;    /* the other views show blended faces as they show all */
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glDepthMask(GL_FALSE);
}

GLenum gl_blend_factor(Blend blend) {
    static const GLenum factors[] = {
        [BLEND_ONE] = GL_ONE, [BLEND_ZERO] = GL_ZERO, [BLEND_DST_COLOR] = GL_DST_COLOR,
        [BLEND_ONE_MINUS_DST_COLOR] = GL_ONE_MINUS_DST_COLOR, [BLEND_SRC_COLOR] = GL_SRC_COLOR,
        [BLEND_ONE_MINUS_SRC_COLOR] = GL_ONE_MINUS_SRC_COLOR, [BLEND_SRC_ALPHA] = GL_SRC_ALPHA,
        [BLEND_ONE_MINUS_SRC_ALPHA] = GL_ONE_MINUS_SRC_ALPHA, [BLEND_DST_ALPHA] = GL_DST_ALPHA,
        [BLEND_ONE_MINUS_DST_ALPHA] = GL_ONE_MINUS_DST_ALPHA, [BLEND_SRC_ALPHA_SATURATE] = GL_SRC_ALPHA_SATURATE,
    };
    return factors[blend];
}

/* A batch's faces from one on; where the next ones begin, in the list and in the indexes. */
static void draw_some_blended(Gl *gl, const Frame *frame, size_t *at, int *first) {
    const GlBlended *start = &gl->blended.at[*at];
    const GlBatch *batch = &gl->mesh.batches[start->batch];
    int count = 0;
    for (const GlBlended *next = start; *at < gl->blended.count && next->batch == start->batch && next->model == start->model && next->meshes == start->meshes; ++*at, next++)
        count += frame->level->geometry->faces[next->face].index_count;
    GlPlace place = start->model >= 0 ? gl_model_place(frame, start->model) : gl_world_place(frame, start->face);
    glBindVertexArray(gl->mesh.stream_array);
    gl_blend_state(frame);
    if (frame->shade == SHADE_LIT || frame->shade == SHADE_TEXTURE)
        glBlendFunc(gl_blend_factor(batch->source), gl_blend_factor(batch->destination));
    gl_draw_batch(gl, frame, batch, &place, *first, count);
    *first += count;
}

/* Faces and meshes in one order. */
void gl_blended(Gl *gl, const Frame *frame) {
    if (!frame->level)
        return;
    int opaque, first = 0, drawn = 0, count = (int)frame->meshes.count;
    const int *order = frame_mesh_order(frame, &opaque), *blended = order + opaque;
    for (size_t i = 0; i < gl->blended.count; i++)
        gl->blended.at[i].meshes = frame_meshes_before(frame, order, opaque, gl->blended.at[i].sort, gl->blended.at[i].distance);
    if (gl->blended.count)
        order_blended(gl);
    bool faces = gl->blended.count && write_blended(gl, frame->level->geometry);
    gl_begin_faces(gl, frame);
    for (size_t at = 0; faces && at < gl->blended.count;) {
        int before = gl->blended.at[at].meshes;
        gl_blend_state(frame);
        gl_draw_meshes(gl, frame, blended + drawn, before - drawn);
        drawn = before;
        draw_some_blended(gl, frame, &at, &first);
    }
    gl_blend_state(frame);
    gl_draw_meshes(gl, frame, blended + drawn, count - opaque - drawn);
    gl_end_faces();
}
