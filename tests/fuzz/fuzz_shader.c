/* fuzz_shader.c -- any bytes as a material script: parsed, and every material of it looked up. */
#include <stdlib.h>

#include "assets/material.h"
#include "assets/material_def.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    MaterialSet *set = materials_open(NULL, NULL);
    materials_parse(set, "scripts/fuzz.shader", (const char *)data, size);
    for (int i = 0; i < materials_count(set); i++) {
        const Material *material = material_find(set, materials_name(set, i));
        const MaterialDef *def = material_def(set, materials_name(set, i));
        if (def && (def->stage_count < 0 || def->stage_count > STAGES_MOST || def->deform_count > DEFORMS_MOST))
            abort();
        for (int j = 0; def && j < def->stage_count; j++)
            if (def->stages[j].image_count > ANIMATION_MOST || def->stages[j].texmod_count > TEXMODS_MOST)
                abort();
        if (material->base_image && !*material->base_image)
            abort();
    }
    const MaterialProblem *problems;
    for (int i = materials_problems(set, &problems) - 1; i >= 0; i--)
        if (problems[i].line < 1)
            abort();
    materials_close(set);
    return 0;
}
