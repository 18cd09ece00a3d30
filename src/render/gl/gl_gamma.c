/* render/gl/gl_gamma.c -- gamma, at the end of the 3D passes: the picture through a table of 256 brightnesses. */
#include "base/trig.h"
#include "render/gl/gl_internal.h"

static void make_table(Gl *gl, float gamma) {
    uint8_t texels[256][4];
    for (int i = 0; i < 256; i++) {
        double value = i ? 255 * trig_pow(i / 255.0, 1.0 / gamma) + 0.5 : 0;
        memset(texels[i], (int)CLAMP(value, 0, 255), 4);
    }
    if (gl->gamma_table)
        glDeleteTextures(1, &gl->gamma_table);
    gl->gamma_table = gl_texture_make(256, 1, texels, GL_NEAREST);
    gl->gamma_made = gamma;
}

void gl_gamma(Gl *gl, const Frame *frame) {
    float gamma = frame->gamma > 0 && frame->gamma < 100 ? frame->gamma : 1;
    gl->shown_framebuffer = gl->framebuffer;
    if (gamma == 1 || (frame->shade != SHADE_LIT && frame->shade != SHADE_TEXTURE && frame->shade != SHADE_LIGHTMAP))
        return;
    if (!gl->gamma_table || gl->gamma_made != gamma)
        make_table(gl, gamma);
    glBindFramebuffer(GL_FRAMEBUFFER, gl->gamma_framebuffer);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_BLEND);
    glBindSampler(UNIT_IMAGE, 0);
    gl_use(gl, PROGRAM_GAMMA);
    gl_bind(gl, UNIT_IMAGE, GL_TEXTURE_2D, gl->color);
    gl_bind(gl, UNIT_NUMBERS, GL_TEXTURE_2D, gl->gamma_table);
    glBindVertexArray(gl->empty_array);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    gl->counts.draw_calls++;
    gl->shown_framebuffer = gl->gamma_framebuffer;
}
