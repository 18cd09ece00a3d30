/* render/null/null_things.c -- models, sprites, particles and lights of a frame, checked and written. */

#include "render/null/null_internal.h"

static bool check_mesh(const FrameMesh *mesh, size_t place, int textures, Error *error) {
    if (mesh->texture < 0 || mesh->texture >= textures)
        return fail(error, "model surface %zu: texture %d of %d", place, mesh->texture, textures);
    for (int i = 0; i < mesh->stage_count; i++)
        if (mesh->stages[i].texture < 0 || mesh->stages[i].texture >= textures)
            return fail(error, "model surface %zu, stage %d: texture %d of %d", place, i, mesh->stages[i].texture, textures);
    for (int i = 0; i < mesh->surface->vertex_count; i++)
        if (!vec3_finite(mesh->positions[i]))
            return fail(error, "model surface %zu (%s): vertex %d is not finite", place, mesh->surface->name, i);
    return true;
}

bool null_check_things(const Frame *frame, int textures, Error *error) {
    for (size_t i = 0; i < frame->meshes.count; i++)
        if (!check_mesh(&frame->meshes.at[i], i, textures, error))
            return false;
    for (size_t i = 0; i < frame->sprites.count; i++) {
        const FrameSprite *sprite = &frame->sprites.at[i];
        if (!vec3_finite(sprite->origin) || sprite->texture < 0 || sprite->texture >= textures)
            return fail(error, "sprite %zu: texture %d of %d, or not finite", i, sprite->texture, textures);
    }
    for (size_t i = 0; i < frame->particles.count; i++)
        if (!vec3_finite(frame->particles.at[i].origin))
            return fail(error, "particle %zu is not finite", i);
    for (size_t i = 0; i < frame->lights.count; i++)
        if (!(frame->lights.at[i].radius > 0))
            return fail(error, "light %zu has radius %g", i, (double)frame->lights.at[i].radius);
    return true;
}

static void write_sprites(Text *text, const Frame *frame) {
    for (size_t i = 0; i < frame->sprites.count; i++) {
        const FrameSprite *sprite = &frame->sprites.at[i];
        Vec3 corners[4];
        frame_sprite_corners(&frame->view, sprite, corners);
        text_format(text, "sprite %s", null_texture_label(frame, sprite->texture));
        for (int k = 0; k < 4; k++)
            null_add_vector(text, corners[k]);
        null_add_color(text, sprite->color);
        null_add_flags(text, sprite->flags);
        text_add_char(text, '\n');
    }
}

void null_write_things(Text *text, const Frame *frame) {
    for (size_t i = 0; i < frame->meshes.count; i++) {
        const FrameMesh *mesh = &frame->meshes.at[i];
        text_format(text, "mesh %d %s %s vertices %d triangles %d%s\n", mesh->instance, mesh->surface->name,
                    null_texture_label(frame, mesh->texture), mesh->surface->vertex_count, mesh->surface->triangle_count,
                    mesh->inside ? " inside" : "");
        for (int k = 0; k < mesh->stage_count; k++)
            text_format(text, "  stage %s\n", null_texture_label(frame, mesh->stages[k].texture));
        for (int k = 0; k < mesh->surface->vertex_count; k++) {
            text_add(text, "  vertex");
            null_add_vector(text, mesh->positions[k]);
            null_add_color(text, mesh->colors[k]);
            text_add_char(text, '\n');
        }
    }
    write_sprites(text, frame);
    for (size_t i = 0; i < frame->particles.count; i++) {
        text_add(text, "particle");
        null_add_vector(text, frame->particles.at[i].origin);
        null_add_float(text, frame->particles.at[i].size);
        null_add_color(text, frame->particles.at[i].color);
        text_add_char(text, '\n');
    }
    for (size_t i = 0; i < frame->lights.count; i++) {
        text_add(text, "light");
        null_add_vector(text, frame->lights.at[i].origin);
        null_add_float(text, frame->lights.at[i].radius);
        null_add_vector(text, frame->lights.at[i].color);
        text_add_char(text, '\n');
    }
    if (frame->models_hidden)
        text_format(text, "hidden %d of %d models\n", frame->models_hidden, frame->model_instances);
}
