/* render/soft/soft_stack.c -- a mesh by its commands: vertices are put on a small stack, triangles drawn from it.
 *
 * The commands were made when the model was loaded (assets/model_stack.c). A vertex is projected when it is put there, so
 * what a triangle needs was touched a moment ago; a vertex that is put there again is projected again. */
#include "render/soft/soft_model_internal.h"

void soft_stack_draw(const SoftRaster *raster, const SoftPose *world, const SoftSkin *skin) {
    SoftVertex stack[MODEL_STACK];
    int count = 0;
    bool snapped = raster->drawer == DRAWER_MASK;
    const ModelCommand *commands = skin->surface->commands;
    for (int i = 0; i < skin->surface->command_count; i++) {
        ModelCommand command = commands[i];
        switch (command & MODEL_COMMAND_KIND) {
        case MODEL_PUSH: soft_vertex_make(&raster->view, world, skin, (int)(command & 0xffff), snapped, &stack[count++]); break;
        case MODEL_POP: count -= (int)(command & 0xffff); break;
        default:
            soft_model_triangle(raster, &stack[command >> 16 & 255], &stack[command >> 8 & 255], &stack[command & 255]);
        }
    }
}
