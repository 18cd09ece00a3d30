/* render/gl/gl_portals.c -- mirrors and portals: what is seen through them, before the picture itself.
 *
 * Each portal's faces mark their pixels; what is seen there is drawn into those alone. Then only the faces' depth is kept:
 * the world behind them does not show, what stands before them does, and their stages are blended over in their turn. */
#include "render/gl/gl_internal.h"

static void draw_faces(Gl *gl, const Frame *frame, const FramePortal *portal) {
    const BspGeometry *geometry = frame->level->geometry;
    gl_begin_faces(gl, frame);
    glBindVertexArray(gl->mesh.array);
    for (int i = 0; i < portal->face_count; i++) {
        int face = portal->faces[i], batch = gl->mesh.face_batch[face];
        if (batch < 0)
            continue;
        gl_set_batch(gl, frame, &gl->mesh.batches[batch], gl_identity);
        gl_draw_indexes(gl, GL_TRIANGLES, geometry->faces[face].first_index, geometry->faces[face].index_count);
    }
    gl_end_faces();
}

static void show_color(bool shown) {
    GLboolean on = shown ? GL_TRUE : GL_FALSE;
    glColorMask(on, on, on, GL_FALSE);
}

static void mark(Gl *gl, const Frame *frame, const FramePortal *portal, int number) {
    glStencilFunc(GL_ALWAYS, number, 0xff);
    glStencilOp(GL_REPLACE, GL_REPLACE, GL_REPLACE);
    draw_faces(gl, frame, portal);
}

static void draw_beyond(Gl *gl, const Frame *frame, const FramePortal *portal, int number) {
    Frame seen = *portal->seen;
    seen.portals = NULL;
    seen.portal_count = 0;
    memcpy(&seen.meshes, &frame->meshes, sizeof seen.meshes);    /* what scripts put into the level stands there too */
    memcpy(&seen.lights, &frame->lights, sizeof seen.lights);
    memcpy(&seen.sprites, &frame->sprites, sizeof seen.sprites);
    memcpy(&seen.particles, &frame->particles, sizeof seen.particles);
    glStencilFunc(GL_EQUAL, number, 0xff);
    glStencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
    glDepthMask(GL_TRUE);
    glClear(GL_DEPTH_BUFFER_BIT);
    gl_send_block(gl, &seen, &portal->clip);
    gl->mirrored = portal->mirrored;
    glEnable(GL_CLIP_DISTANCE0);
    gl_world(gl, &seen);
    gl_models(gl, &seen);
    gl_things(gl, &seen);
    gl_blended(gl, &seen);
    gl_sprites(gl, &seen);
    gl_flares(gl, portal->seen);
    glDisable(GL_CLIP_DISTANCE0);
    gl->mirrored = false;
}

void gl_portals(Gl *gl, const Frame *frame) {
    if (!frame->level || !frame->portal_count || frame->shade != SHADE_LIT)
        return;
    glEnable(GL_STENCIL_TEST);
    show_color(false);
    for (int i = frame->portal_count - 1; i >= 0; i--)    /* the nearest last: it lies before the others */
        mark(gl, frame, &frame->portals[i], i + 1);
    show_color(true);
    for (int i = 0; i < frame->portal_count; i++)
        draw_beyond(gl, frame, &frame->portals[i], i + 1);
    glDisable(GL_STENCIL_TEST);
    gl_send_block(gl, frame, NULL);
    glDepthMask(GL_TRUE);
    glClear(GL_DEPTH_BUFFER_BIT);
    show_color(false);
    for (int i = 0; i < frame->portal_count; i++)
        draw_faces(gl, frame, &frame->portals[i]);
    show_color(true);
}
