/* render/gl/gl_texture.c -- pictures of assets as GL textures, with the mip levels that image_halved makes.
 *
 * While pictures are still being decoded, only so many bytes a frame go up (gl.upload_mb), those in view first: the
 * level stays fluid. Once nothing is loading any more, what is in view goes up at once. */
#include "render/gl/gl_internal.h"

enum { GREY = 150 };    /* of a face whose picture is not there yet */

unsigned gl_texture_make(int width, int height, const void *rgba, GLenum filter) {
    unsigned name;
    glGenTextures(1, &name);
    glActiveTexture(GL_TEXTURE0 + UNIT_IMAGE);
    glBindTexture(GL_TEXTURE_2D, name);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, (GLint)filter);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, (GLint)filter);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
    return name;
}

static unsigned make_sampler(int flags) {
    GLenum wrap = flags & TEXTURE_CLAMPED ? GL_CLAMP_TO_EDGE : GL_REPEAT;
    unsigned sampler;
    glGenSamplers(1, &sampler);
    glSamplerParameteri(sampler, GL_TEXTURE_MIN_FILTER, flags & TEXTURE_NO_MIPMAPS ? GL_LINEAR : GL_LINEAR_MIPMAP_LINEAR);
    glSamplerParameteri(sampler, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glSamplerParameteri(sampler, GL_TEXTURE_WRAP_S, (GLint)wrap);
    glSamplerParameteri(sampler, GL_TEXTURE_WRAP_T, (GLint)wrap);
    return sampler;
}

void gl_textures_open(Gl *gl) {
    const uint8_t white[4] = { 255, 255, 255, 255 }, grey[4] = { GREY, GREY, GREY, 255 };
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    gl->white = gl_texture_make(1, 1, white, GL_NEAREST);
    gl->grey = gl_texture_make(1, 1, grey, GL_NEAREST);
    for (int i = 0; i < GL_SAMPLERS; i++)
        gl->samplers[i] = make_sampler(i);
    gl->sampler_ui = make_sampler(TEXTURE_CLAMPED);
}

void gl_textures_forget(Gl *gl) {
    for (size_t i = 0; i < gl->textures.count; i++)
        if (gl->textures.at[i].id)
            glDeleteTextures(1, &gl->textures.at[i].id);
    array_clear(&gl->textures);
}

void gl_textures_close(Gl *gl) {
    gl_textures_forget(gl);
    array_free(&gl->textures);
    glDeleteTextures(1, &gl->white);
    glDeleteTextures(1, &gl->grey);
    glDeleteSamplers(GL_SAMPLERS, gl->samplers);
    glDeleteSamplers(1, &gl->sampler_ui);
}

static void upload_level(const Image *image, int level) {
    glTexImage2D(GL_TEXTURE_2D, level, GL_RGBA8, image->width, image->height, 0, GL_RGBA, GL_UNSIGNED_BYTE, image->rgba);
}

static void upload(Gl *gl, GlTexture *texture, const Texture *from) {
    if (!texture->id)
        glGenTextures(1, &texture->id);
    glActiveTexture(GL_TEXTURE0 + UNIT_IMAGE);
    glBindTexture(GL_TEXTURE_2D, texture->id);
    Image smaller = { 0 };
    const Image *image = &from->image;
    int level = 0;
    for (;;) {
        if (image->width <= gl->largest && image->height <= gl->largest) {
            upload_level(image, level++);
            gl->upload_left -= (int64_t)image->width * image->height * 4;
        }
        if (image->width <= 1 && image->height <= 1)
            break;
        Image half = image_halved(image);
        image_free(&smaller);
        smaller = half;
        image = &smaller;
    }
    image_free(&smaller);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, level - 1);
    texture->version = from->version;
    texture->there = true;
}

void gl_textures_begin_frame(Gl *gl) {
    gl->loading = false;
    int count = gl->assets ? assets_texture_count(gl->assets) : 0;
    while ((int)gl->textures.count < count)
        *array_push(&gl->textures) = (GlTexture){ 0 };
    for (int i = 0; i < count && !gl->loading; i++)
        gl->loading = assets_texture_at(gl->assets, i)->state == TEXTURE_LOADING;
    gl->upload_left = (int64_t)(gl->upload_mb->number * 1024 * 1024);
}

static bool is_stale(const GlTexture *texture, const Texture *from) {
    return (!texture->there || texture->version != from->version) && from->image.width > 0 && from->image.height > 0;
}

unsigned gl_texture_name(Gl *gl, int number) {
    if (!gl->assets || number == TEXTURE_WHITE)
        return gl->white;
    if (number < 0 || number >= (int)gl->textures.count)
        number = TEXTURE_MISSING;
    const Texture *from = assets_texture_at(gl->assets, number);
    GlTexture *texture = &gl->textures.at[number];
    if (from->state == TEXTURE_LOADING)
        return texture->there ? texture->id : gl->grey;    /* one that is read anew stays as it was meanwhile */
    if (is_stale(texture, from) && (gl->upload_left > 0 || !gl->loading))
        upload(gl, texture, from);
    return texture->there ? texture->id : gl->grey;
}

void gl_textures_end_frame(Gl *gl) {
    if (!gl->level || !gl->assets)
        return;
    for (int i = 0; i < gl->mesh.batch_count && gl->upload_left > 0; i++)
        gl_texture_name(gl, gl->mesh.batches[i].texture);
}

void gl_bind(Gl *gl, int unit, GLenum target, unsigned name) {
    glActiveTexture(GL_TEXTURE0 + (GLenum)unit);
    glBindTexture(target, name);
    gl->counts.binds++;
}
