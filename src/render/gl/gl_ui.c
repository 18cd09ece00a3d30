/* render/gl/gl_ui.c -- the 2D layer: triangles in pixels from the top left, over the finished picture. */
#include <stddef.h>

#include "render/gl/gl_internal.h"

static void set_clip(const Frame *frame, const int clip[4]) {
    if (!clip[2]) {
        glDisable(GL_SCISSOR_TEST);
        return;
    }
    int64_t left = clip[0], top = clip[1], right = left + MAX(clip[2], 0), bottom = top + MAX(clip[3], 0);
    left = CLAMP(left, 0, frame->view.width);
    right = CLAMP(right, left, frame->view.width);
    top = CLAMP(top, 0, frame->view.height);
    bottom = CLAMP(bottom, top, frame->view.height);
    glEnable(GL_SCISSOR_TEST);
    glScissor((GLint)left, (GLint)(frame->view.height - bottom), (GLsizei)(right - left), (GLsizei)(bottom - top));
}

void gl_ui(Gl *gl, const Frame *frame) {
    if (!frame->ui_vertices.count)
        return;
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_CULL_FACE);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glBindSampler(UNIT_IMAGE, gl->sampler_ui);
    gl_use(gl, PROGRAM_UI);
    glBindVertexArray(gl->ui_array);
    glBindBuffer(GL_ARRAY_BUFFER, gl->ui_buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(frame->ui_vertices.count * sizeof(UiVertex)), frame->ui_vertices.at, GL_STREAM_DRAW);
    for (size_t i = 0; i < frame->ui.count; i++) {
        const UiTriangles *run = &frame->ui.at[i];
        gl_bind(gl, UNIT_IMAGE, GL_TEXTURE_2D, gl_texture_name(gl, run->texture));
        set_clip(frame, run->clip);
        glDrawArrays(GL_TRIANGLES, run->first, run->count);
        gl->counts.draw_calls++;
    }
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_BLEND);
}
