/* fuzz_look.c -- materials settled and worked out: any text, any time, any place.
 *
 * The first 8 bytes are a time, the next 8 say where points and vertices are, the rest is a material script whose pictures
 * may be t/a, t/b and maps/m/lm_0000. */
#include <math.h>
#include <stdlib.h>

#include "assets/material_eval.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct Random { uint64_t state; } Random;

static uint32_t next(Random *random) {
    random->state = random->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random->state >> 32);
}

static float part(Random *random) { return (float)(next(random) >> 8) / 16777216.0f; }    /* 0 .. 1 */

static Vec3 place(Random *random, float size) {
    return vec3_at((part(random) - 0.5f) * size, (part(random) - 0.5f) * size, (part(random) - 0.5f) * size);
}

static void must(bool holds) {
    if (!holds)
        abort();
}

static bool is_part(float x) { return x >= 0 && x <= 1; }

static void ask_stage(const LookStage *stage, double time, Random *random) {
    static const float entity[4] = { 0.5f, 1, 0, 0.25f };
    must(stage->texture_count >= 1 && stage->texture_count <= ANIMATION_MOST && stage->texmod_count <= TEXMODS_MOST);
    must(stage->color_gen != COLOR_DEFAULT && stage->alpha_gen != ALPHAGEN_DEFAULT);
    StageNumbers numbers, again;
    stage_numbers(stage, time, 0.5f, entity, &numbers);
    stage_numbers(stage, time, 0.5f, entity, &again);
    must(memcmp(numbers.color, again.color, sizeof numbers.color) == 0 && memcmp(numbers.matrix, again.matrix, sizeof numbers.matrix) == 0);
    must(numbers.texture >= 0 && numbers.turb_count >= 0 && numbers.turb_count <= TEXMODS_MOST && numbers.range > 0);
    for (int i = 0; i < 4; i++)
        must(is_part(numbers.color[i]));
    for (int i = 0; i < 4; i++) {
        StagePoint point = { .position = place(random, i == 3 ? 1e30f : 1000), .normal = vec3_normalized(place(random, 1)), .eye = place(random, 1000),
                             .uv = { part(random), part(random) * 1e6f }, .color = { part(random), part(random), 1, 0 },
                             .ambient = vec3_at(part(random), 0, 1), .directed = vec3_at(1, part(random), 0), .direction = place(random, 1) };
        float color[4];
        stage_texcoord(stage, &numbers, &point);
        stage_color(&numbers, &point, color);
        for (int k = 0; k < 4; k++)
            must(is_part(color[k]));
    }
}

static void ask_deforms(const Look *look, double time, Random *random) {
    enum { MOST = 40 };
    BspVertex vertices[MOST];
    uint32_t indexes[MOST / 4 * 6], first = next(random) % 100;
    int quads = (int)(next(random) % (MOST / 4 + 1)), count = quads * 4 - (int)(next(random) % 5 == 0 && quads);
    for (int i = 0; i < count; i++)
        vertices[i] = (BspVertex){ .position = place(random, 300), .normal = vec3_normalized(place(random, 2)), .uv = { part(random), part(random) } };
    static const uint32_t quad[6] = { 0, 1, 2, 0, 2, 3 };
    for (int i = 0; i < quads * 6; i++)
        indexes[i] = first + (uint32_t)(i / 6) * 4 + (next(random) % 50 ? quad[i % 6] : next(random) % 4);
    Axes axes = axes_from_angles(place(random, 720));
    look_deform(look, time, &axes, vertices, count, indexes, quads * 6, first);
}

static void ask_look(const Look *look, double time, Random *random) {
    int stages = 0;
    for (int i = 0; i < look->pass_count; i++) {
        must(look->passes[i].first == stages && look->passes[i].count > 0);
        stages += look->passes[i].count;
    }
    must(stages == look->stage_count && stages <= STAGES_MOST && look->deform_count <= DEFORMS_MOST);
    must(!look->plain || (look->pass_count == 1 && !look->blended));
    for (int i = 0; i < look->stage_count; i++)
        ask_stage(&look->stages[i], time, random);
    ask_deforms(look, time, random);
    for (int i = 0; look->sky && i < SKY_SIDES; i++)
        sky_cloud_coord(i, (int)(next(random) % (SKY_GRID + 1)), (int)(next(random) % (SKY_GRID + 1)), look->cloud_height);
    if (look->fog) {
        Plane surface = { vec3_normalized(place(random, 1)), part(random) * 100 };
        FogNumbers fog = fog_numbers(look, next(random) % 2 ? &surface : NULL, place(random, 500), vec3_normalized(place(random, 1)), 0.5f);
        for (int i = 0; i < 8; i++)
            must(is_part(fog_opacity(&fog, place(random, 2000))));
    }
}

static void give_pictures(Assets *assets) {
    static const char *const names[] = { "t/a", "t/b", "maps/m/lm_0000" };
    for (int i = 0; i < COUNT_OF(names); i++)
        assets_texture_from(assets, names[i], image_make(1, 1));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    double time;
    Random random;
    if (size < 16)
        return 0;
    memcpy(&time, data, sizeof time);
    memcpy(&random.state, data + 8, sizeof random.state);
    time = isfinite(time) ? time : 0;
    Files *files = files_open(NULL);
    Jobs *jobs = jobs_open(1);
    Assets *assets = assets_open(files, jobs, NULL, NULL);
    Arena *arena = arena_open();
    give_pictures(assets);
    MaterialSet *set = assets_materials(assets);
    materials_parse(set, "scripts/fuzz.shader", (const char *)data + 16, size - 16);
    for (int i = 0; i < MIN(materials_count(set), 8); i++)
        for (int form = 0; form <= LOOK_MODEL; form++)
            ask_look(look_make(arena, assets, material_find(set, materials_name(set, i)), (LookForm)form, TEXTURE_WHITE), time, &random);
    arena_close(arena);
    assets_close(assets);
    jobs_close(jobs);
    files_close(files);
    return 0;
}
