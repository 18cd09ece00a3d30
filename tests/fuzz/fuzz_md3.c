/* Any bytes as an MD3: loads or refuses, and what loaded can be posed. */
#include "assets/model.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    Arena *arena = arena_open();
    Error error;
    Model *model = model_load(arena, "fuzz.md3", bytes, size, &error);
    for (int i = 0; model && i < model->surface_count; i++) {
        const ModelSurface *surface = &model->surfaces[i];
        Vec3 *positions = arena_array(arena, Vec3, surface->vertex_count), *normals = arena_array(arena, Vec3, surface->vertex_count);
        model_pose(surface, model->frame_count, 0, model->frame_count - 1, 0.5f, positions, normals);
    }
    for (int i = 0; model && i < model->tag_count; i++)
        model_tag(model, i, 0, model->frame_count - 1, 0.5f);
    arena_close(arena);
    return 0;
}
