/* render/gl/gl_stages.c -- materials with stages of their own: each pass of a look is one drawing.
 *
 * What a stage is at this moment comes as numbers from assets/material_eval.h; here they are laid out in rows of four for
 * shaders/stages.*.glsl, which applies them. Deformed faces get their vertices anew in place: every vertex belongs to one
 * face, so nothing else moves. */
#include "render/gl/gl_internal.h"

enum { ROWS = 16 };    /* of four floats a stage; the shaders know it */

enum FogMode { FOG_NONE, FOG_MIXED, FOG_RGB, FOG_ALPHA, FOG_RGBA, FOG_ALONE };    /* what fog does to a pass; the shaders know it. RGB, ALPHA, RGBA: MIXED and the FOGGED_ bits */

static unsigned make_table(int width, int height, GLenum format, GLenum layout, const float *values) {
    unsigned name = gl_texture_make(1, 1, NULL, GL_NEAREST);
    glTexImage2D(GL_TEXTURE_2D, 0, (GLint)format, width, height, 0, layout, GL_FLOAT, values);
    return name;
}

void gl_stages_open(Gl *gl) {
    float sines[WAVE_STEPS];
    for (int i = 0; i < WAVE_STEPS; i++)
        sines[i] = (float)wave_table(WAVE_SIN, i);
    gl->sines = make_table(WAVE_STEPS, 1, GL_R32F, GL_RED, sines);
}

void gl_stages_close(Gl *gl) {
    glDeleteTextures(1, &gl->sines);
    for (size_t i = 0; i < gl->clouds.count; i++)
        glDeleteTextures(1, &gl->clouds.at[i].table);
    array_free(&gl->clouds);
    array_free(&gl->deformed);
    array_free(&gl->deformed_vertices);
}

static unsigned cloud_table(Gl *gl, float height) {
    enum { SIDE = SKY_GRID + 1 };
    for (size_t i = 0; i < gl->clouds.count; i++)
        if (gl->clouds.at[i].height == height)
            return gl->clouds.at[i].table;
    float values[SKY_SIDES * SIDE * SIDE][2];
    for (int i = 0; i < COUNT_OF(values); i++) {
        Vec2 at = sky_cloud_coord(i / (SIDE * SIDE), i % SIDE, i / SIDE % SIDE, height);
        values[i][0] = at.x;
        values[i][1] = at.y;
    }
    GlClouds *clouds = array_push(&gl->clouds);
    *clouds = (GlClouds){ height, make_table(SIDE, SKY_SIDES * SIDE, GL_RG32F, GL_RG, values[0]) };
    return clouds->table;
}


static void put_row(float rows[][4], int row, float a, float b, float c, float d) {
    rows[row][0] = a;
    rows[row][1] = b;
    rows[row][2] = c;
    rows[row][3] = d;
}

static void lay_out(const LookStage *stage, const StageNumbers *n, float rows[ROWS][4]) {
    static const float map_kinds[] = { [STAGE_NONE] = 2, [STAGE_IMAGE] = 0, [STAGE_LIGHTMAP] = 1, [STAGE_WHITE] = 2, [STAGE_VIDEO] = 2 };
    const float *m = n->matrix;
    bool outside = stage->map == STAGE_LIGHTMAP && n->texture != TEXTURE_WHITE;
    const Vec3 *v = stage->texcoord_vectors;
    put_row(rows, 0, n->color[0], n->color[1], n->color[2], n->color[3]);
    put_row(rows, 1, (float)n->color_from, (float)n->alpha_from, (float)stage->texcoord_gen, outside ? 3 : map_kinds[stage->map]);
    put_row(rows, 2, (float)stage->source, (float)stage->destination, stage->alpha_test, (float)n->turb_count);
    put_row(rows, 3, m[0], m[1], m[2], n->range);
    put_row(rows, 4, m[3], m[4], m[5], 0);
    put_row(rows, 5, v[0].x, v[0].y, v[0].z, 0);
    put_row(rows, 6, v[1].x, v[1].y, v[1].z, 0);
    for (int i = 0; i < n->turb_count; i++) {
        const StageTurb *turb = &n->turbs[i];
        put_row(rows, 7 + 2 * i, turb->amplitude, turb->cycle, 0, 0);
        put_row(rows, 8 + 2 * i, turb->after[0], turb->after[1], turb->after[2], turb->after[3]);
    }
}

static void bind_picture(Gl *gl, int unit, int texture) {
    int flags = gl->assets ? assets_texture_at(gl->assets, texture)->flags : 0;
    unsigned name = gl_texture_name(gl, texture);
    glBindSampler((unsigned)unit, gl->samplers[flags & (GL_SAMPLERS - 1)]);
    gl_bind(gl, unit, GL_TEXTURE_2D, name);
}

static void send_stages(Gl *gl, const GlProgram *program, const Frame *frame, const LookStage *stages, int count) {
    float rows[STAGES_MOST * ROWS][4] = { 0 };
    float identity = identity_light(frame->overbright);
    for (int i = 0; i < count; i++) {
        StageNumbers numbers;
        stage_numbers(&stages[i], frame->time, identity, NULL, &numbers);
        lay_out(&stages[i], &numbers, rows + i * ROWS);
        if (stages[i].map == STAGE_IMAGE || stages[i].map == STAGE_LIGHTMAP)
            bind_picture(gl, UNIT_STAGES + i, numbers.texture);
        else
            gl_bind(gl, UNIT_STAGES + i, GL_TEXTURE_2D, gl->white);
    }
    glUniform4fv(program->stage, count * ROWS, rows[0]);
}

/* Light for rgbGen lightingDiffuse: a model's from the grid where it stands. The world itself has none in the engine, so
 * what asks for it there is black, and so it is here. */
static void send_light(const GlProgram *program, const Frame *frame, const GlPlace *place) {
    LightNumbers light = { .ambient = vec3_at(0, 0, 0) };
    if (place->model >= 0) {
        BspLightSample sample = bsp_light_at(frame->level->map, place->middle);
        light = light_numbers(&sample, frame->overbright);
        light.direction = frame_model_direction(&frame->models.at[place->model], light.direction);
    }
    const Vec3 values[3] = { light.ambient, light.directed, light.direction };
    glUniform3fv(program->light_on, 3, values[0].raw);
}

static bool asks_for_light(const Look *look, const LookPass *pass) {
    for (int i = 0; i < pass->count; i++)
        if (look->stages[pass->first + i].color_gen == COLOR_LIGHTING_DIFFUSE)
            return true;
    return false;
}

static enum FogMode fog_mode(const LookStage *stage) {
    unsigned part = stage->blends ? blend_fogged(stage->source, stage->destination) : 0;
    return !stage->blends ? FOG_MIXED : part ? (enum FogMode)(FOG_MIXED + (int)part) : FOG_NONE;
}

static void send_fog(const GlProgram *program, const Frame *frame, const FogNumbers *fog) {
    static const FogNumbers none = { .eye_depth = 1 };
    fog = fog ? fog : &none;
    glUniform4f(program->fog_color, fog->color[0], fog->color[1], fog->color[2], identity_light(frame->overbright));
    glUniform4fv(program->fog_distance, 1, fog->distance);
    glUniform4fv(program->fog_depth, 1, fog->depth);
    glUniform1f(program->fog_eye_depth, fog->eye_depth);
}

static void end_stages(void) {
    glDisable(GL_BLEND);
    glDepthMask(GL_TRUE);
    glDepthFunc(GL_LEQUAL);
}

/* What is multiplied with the picture behind needs no giving back: that has been given back already. */
static float given_back(const Frame *frame, const LookStage *stage) {
    return stage_multiplies(stage) ? 1 : (float)(1 << CLAMP(frame->overbright, 0, 1));
}

static void set_state(const LookStage *stage) {
    if (stage->blends) {
        glEnable(GL_BLEND);
        glBlendFunc(gl_blend_factor(stage->source), gl_blend_factor(stage->destination));
    } else {
        glDisable(GL_BLEND);
    }
    glDepthMask(stage->depth_write ? GL_TRUE : GL_FALSE);
    glDepthFunc(stage->depth_equal ? GL_EQUAL : GL_LEQUAL);
}

static const GlProgram *begin_program(Gl *gl, const Frame *frame, int kind, const GlPlace *place) {
    const GlProgram *program = gl_use(gl, (GlProgramKind)kind);
    if (!program->id)
        return NULL;    /* its text has a mistake, which is told */
    Vec3 eye = place->model >= 0 ? frame_model_local(&frame->models.at[place->model], frame->view.origin) : frame->view.origin;
    glUniformMatrix4fv(program->model, 1, GL_FALSE, place->matrix);
    glUniform3f(program->model_eye, eye.x, eye.y, eye.z);
    return program;
}

static void draw_pass(Gl *gl, const Frame *frame, const GlBatch *batch, const LookPass *pass, const GlPlace *place,
                      const FogNumbers *fog, int first, int count) {
    const Look *look = batch->look;
    const LookStage *stage = &look->stages[pass->first];
    const GlProgram *program = begin_program(gl, frame, PROGRAM_STAGES + pass->count - 1, place);
    if (!program)
        return;
    send_stages(gl, program, frame, stage, pass->count);
    send_fog(program, frame, fog);
    glUniform4f(program->ending, given_back(frame, stage), fog ? (float)fog_mode(stage) : FOG_NONE, 0, 0);
    if (asks_for_light(look, pass))
        send_light(program, frame, place);
    set_state(stage);
    gl_draw_indexes(gl, GL_TRIANGLES, first, count);
}

/* One stage that no material has. */
static void draw_alone(Gl *gl, const Frame *frame, const LookStage *stage, const GlPlace *place, const FogNumbers *fog, int first, int count) {
    const GlProgram *program = begin_program(gl, frame, PROGRAM_STAGES, place);
    if (!program)
        return;
    send_stages(gl, program, frame, stage, 1);
    send_fog(program, frame, fog);
    glUniform4f(program->ending, given_back(frame, stage), fog ? FOG_ALONE : FOG_NONE, 0, 0);
    set_state(stage);
    gl_draw_indexes(gl, GL_TRIANGLES, first, count);
}

/* The surface of a fog that the eye looks out of: the fog alone lies over what is behind. */
static void draw_fog_alone(Gl *gl, const Frame *frame, const GlPlace *place, const FogNumbers *fog, int first, int count) {
    static const LookStage veil = { .map = STAGE_WHITE, .color_gen = COLOR_IDENTITY, .alpha_gen = ALPHAGEN_IDENTITY, .blends = true,
                                    .source = BLEND_SRC_ALPHA, .destination = BLEND_ONE_MINUS_SRC_ALPHA };
    draw_alone(gl, frame, &veil, place, fog, first, count);
}

/* The view of light, where a picture is the page. */
void gl_draw_page(Gl *gl, const Frame *frame, const GlBatch *batch, const GlPlace *place, int first, int count) {
    LookStage page = { .map = STAGE_LIGHTMAP, .texture_count = 1, .color_gen = COLOR_IDENTITY, .alpha_gen = ALPHAGEN_IDENTITY,
                       .texcoord_gen = TEXCOORD_LIGHTMAP, .source = BLEND_ONE, .destination = BLEND_ZERO, .depth_write = true };
    page.textures[0] = batch->look->page;
    draw_alone(gl, frame, &page, place, NULL, first, count);
}

static void draw_sky(Gl *gl, const Frame *frame, const GlBatch *batch, const GlPlace *place, int first, int count) {
    static const LookStage nothing = { .map = STAGE_WHITE, .blends = true, .source = BLEND_ZERO, .destination = BLEND_ONE };
    const Look *look = batch->look;
    if (!look->has_box && !look->stage_count)
        return;
    int stages = MAX(look->stage_count, 1);
    const GlProgram *program = begin_program(gl, frame, PROGRAM_SKY_STAGES + stages - 1, place);
    if (!program)
        return;
    send_stages(gl, program, frame, look->stage_count ? look->stages : &nothing, stages);
    send_fog(program, frame, NULL);
    for (int i = 0; i < 6; i++)
        bind_picture(gl, UNIT_BOX + i, look->has_box ? look->box[i] : TEXTURE_WHITE);
    gl_bind(gl, UNIT_TABLE, GL_TEXTURE_2D, cloud_table(gl, look->cloud_height));
    glUniform1i(program->has_box, look->has_box);
    glUniform4f(program->ending, (float)(1 << CLAMP(frame->overbright, 0, 1)), FOG_NONE, 0, 0);
    set_state(&(LookStage){ .depth_write = true });
    gl_draw_indexes(gl, GL_TRIANGLES, first, count);
}

void gl_draw_stages(Gl *gl, const Frame *frame, const GlBatch *batch, const GlPlace *place, int first, int count) {
    const Look *look = batch->look;
    glBindSampler(UNIT_TABLE, 0);
    gl_bind(gl, UNIT_TABLE, GL_TEXTURE_2D, gl->sines);
    if (look->sky) {
        draw_sky(gl, frame, batch, place, first, count);
    } else {
        FogNumbers numbers;
        float identity = identity_light(frame->overbright);
        bool fogged = level_fog(frame->level, batch->fog, frame->view.origin, frame->view.axes.forward, identity, &numbers);
        for (int i = 0; i < look->pass_count; i++)
            draw_pass(gl, frame, batch, &look->passes[i], place, fogged ? &numbers : NULL, first, count);
        if (look->fog && fogged)
            draw_fog_alone(gl, frame, place, &numbers, first, count);
    }
    end_stages();
}

void gl_draw_vertex_stage(Gl *gl, const Frame *frame, const FrameStage *from, int first, int count) {
    LookStage stage = { .map = STAGE_IMAGE, .blends = from->blends, .source = from->source, .destination = from->destination,
                        .alpha_test = from->alpha_test, .depth_equal = from->depth_equal, .depth_write = from->depth_write };
    const StageNumbers numbers = { .texture = from->texture, .color_from = FROM_VERTEX, .alpha_from = FROM_VERTEX, .color = { 1, 1, 1, 1 },
                                   .range = 1, .matrix = { 1, 0, 0, 0, 1, 0 } };
    GlPlace place = { .model = -1 };
    memcpy(place.matrix, gl_identity, sizeof place.matrix);
    const GlProgram *program = begin_program(gl, frame, PROGRAM_STAGES, &place);
    if (!program)
        return;
    float rows[ROWS][4] = { 0 };
    lay_out(&stage, &numbers, rows);
    glUniform4fv(program->stage, ROWS, rows[0]);
    bind_picture(gl, UNIT_STAGES, from->texture);
    send_fog(program, frame, NULL);
    glUniform4f(program->ending, from->multiplies ? 1 : (float)(1 << CLAMP(frame->overbright, 0, 1)), FOG_NONE, 0, 0);
    set_state(&stage);
    gl_draw_indexes(gl, GL_TRIANGLES, first, count);
    end_stages();
}


void gl_deform_face(Gl *gl, const Frame *frame, const GlBatch *batch, int face, int model) {
    const BspGeometry *geometry = frame->level->geometry;
    const BspFaceRange *range = &geometry->faces[face];
    Axes axes = frame->view.axes;
    if (model >= 0) {
        const FrameModel *pose = &frame->models.at[model];
        axes = (Axes){ frame_model_direction(pose, axes.forward), frame_model_direction(pose, axes.right), frame_model_direction(pose, axes.up) };
    }
    array_clear(&gl->deformed);
    array_clear(&gl->deformed_vertices);
    BspVertex *vertices = array_push_n(&gl->deformed, (size_t)range->vertex_count);
    memcpy(vertices, geometry->vertices + range->first_vertex, (size_t)range->vertex_count * sizeof *vertices);
    look_deform(batch->look, frame->time, &axes, vertices, range->vertex_count, geometry->indexes + range->first_index,
                range->index_count, (uint32_t)range->first_vertex);
    int array, layer = gl_lightmap_layer(frame->level->map, &frame->level->map->faces[face], gl->lightmaps.layers, &array);
    GlVertex *packed = array_push_n(&gl->deformed_vertices, (size_t)range->vertex_count);
    for (int i = 0; i < range->vertex_count; i++)
        packed[i] = gl_pack_vertex(&vertices[i], layer, face, 2 - gl->lightmaps.overbright);
    glBindBuffer(GL_ARRAY_BUFFER, gl->mesh.vertex_buffer);
    glBufferSubData(GL_ARRAY_BUFFER, (GLintptr)((size_t)range->first_vertex * sizeof *packed),
                    (GLsizeiptr)((size_t)range->vertex_count * sizeof *packed), packed);
}
