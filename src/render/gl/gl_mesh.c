/* render/gl/gl_mesh.c -- a level as one vertex buffer and one index buffer, and its faces sorted into batches.
 *
 * Every vertex belongs to one face, so it carries that face's number and its layer of the lightmaps. Indexes of what is
 * visible are written anew each frame into a stream, batch after batch: one draw call shows a whole batch. */
#include <stddef.h>
#include <stdlib.h>

#include "render/gl/gl_internal.h"

enum { NUMBER_COLUMNS = 1024 };    /* the tables by face are pictures this wide; shaders/world.frag.glsl knows it */

static MaterialCull face_cull(const Material *m) { return m ? m->cull : CULL_FRONT_SHOWN; }

/* What its material's stages make of a face; false: nothing is to be seen. */
static bool describe_look(const Level *level, int number, GlBatch *out) {
    const Look *look = level_look(level, number);
    FogNumbers fog;
    Vec3 zero = vec3_at(0, 0, 0);
    bool fogged = !look->sky && level_fog(level, level->map->faces[number].effect, zero, zero, 1, &fog);
    out->fog = fogged ? level->map->faces[number].effect : -1;
    out->look = look->plain && !fogged ? NULL : look;
    out->blended = !look->sky && (look->blended || (look->fog && !look->stage_count));    /* a sky is behind all else, whatever its stages do */
    out->sky = look->sky;
    out->offset = look->polygon_offset;
    out->sort = look->sort;
    out->deformed = look->deform_count > 0;
    return look->sky || look->stage_count || (look->fog && fogged);
}

/* Whether a face is drawn at all, and as what. */
static bool describe_face(const Gl *gl, const Level *level, int number, GlBatch *out) {
    const Map *map = level->map;
    const BspFace *face = &map->faces[number];
    if (face->dropped || level->geometry->faces[number].index_count == 0)
        return false;
    const Material *material = level->materials ? level->materials[face->texture] : NULL;
    uint32_t flags = map->textures[face->texture].flags;
    bool sky = (flags & SURF_SKY) || (material && material->sky);
    if ((flags & SURF_NODRAW) || (material && material->nodraw && !sky))
        return false;
    *out = (GlBatch){
        .texture = level->textures ? level->textures[face->texture] : TEXTURE_WHITE,
        .cull = face_cull(material), .blended = material && material->blended && !sky, .sky = sky,
        .source = material ? material->source : BLEND_ONE, .destination = material ? material->destination : BLEND_ZERO,
        .alpha_test = material ? material->alpha_test : 0,
        .offset = material && material->polygon_offset, .sort = material ? material->sort : 0, .fog = -1,
    };
    bool shown = level_look(level, number) ? describe_look(level, number, out) : !(material && material->fog && !material->base_image && !sky);
    int layer = gl_lightmap_layer(map, face, gl->lightmaps.layers, &out->array);
    out->array = layer < 0 || out->sky ? -1 : out->array;    /* -1: it shares the batch of whatever array */
    return shown;
}

typedef struct FaceKey { GlBatch batch; int material, form, face; } FaceKey;    /* form: of its look, with the page; -1 where it has none */

static int compare_keys(const void *a, const void *b) {
    const FaceKey *x = a, *y = b;
    if (x->material != y->material)
        return x->material < y->material ? -1 : 1;
    if (x->form != y->form)
        return x->form - y->form;
    if (x->batch.fog != y->batch.fog)
        return x->batch.fog - y->batch.fog;
    if (x->batch.array != y->batch.array)
        return x->batch.array > y->batch.array ? -1 : 1;    /* -1 last: it joins the array before it */
    return x->face - y->face;
}

static bool same_batch(const FaceKey *a, const FaceKey *b) {
    return a->material == b->material && a->form == b->form && a->batch.fog == b->batch.fog;
}

/* A batch is a material and an array of lightmaps; faces that need no lightmap go with any. */
static void sort_batches(Gl *gl, const Level *level) {
    const Map *map = level->map;
    FaceKey *keys = mem_zeroed((size_t)map->face_count, sizeof *keys);
    int count = 0;
    for (int i = 0; i < map->face_count; i++) {
        gl->mesh.face_batch[i] = -1;
        FaceKey *key = &keys[count];
        if (!describe_face(gl, level, i, &key->batch))
            continue;
        key->material = map->faces[i].texture;
        key->face = i;
        key->form = key->batch.look ? (int)key->batch.look->form + LOOK_FORMS * key->batch.look->page : -1;
        count++;
    }
    qsort(keys, (size_t)count, sizeof *keys, compare_keys);
    gl->mesh.batches = mem_zeroed((size_t)count, sizeof *gl->mesh.batches);
    for (int i = 0; i < count; i++) {
        bool same = i > 0 && same_batch(&keys[i], &keys[i - 1]);
        if (same && keys[i].batch.array < 0)
            keys[i].batch.array = keys[i - 1].batch.array;
        if (!same || keys[i].batch.array != keys[i - 1].batch.array)
            gl->mesh.batches[gl->mesh.batch_count++] = keys[i].batch;
        gl->mesh.face_batch[keys[i].face] = gl->mesh.batch_count - 1;
    }
    mem_free(keys);
    gl->mesh.visible = mem_zeroed((size_t)gl->mesh.batch_count, sizeof *gl->mesh.visible);
}

/* The plane that all triangles of a face lie in, if there is one; from behind it, GL would cull each of them. */
static Plane plane_of_face(const BspGeometry *geometry, int face) {
    const uint32_t *indexes = geometry->indexes + geometry->faces[face].first_index;
    int count = geometry->faces[face].index_count;
    Plane plane = { vec3_at(0, 0, 0), 0 };
    float largest = 0;
    for (int i = 0; i + 2 < count; i += 3) {
        Vec3 a = geometry->vertices[indexes[i]].position, b = geometry->vertices[indexes[i + 1]].position;
        Vec3 up = vec3_cross(vec3_sub(geometry->vertices[indexes[i + 2]].position, a), vec3_sub(b, a));
        float area = vec3_length(up);
        if (area > largest) {
            largest = area;
            plane.normal = vec3_scale(up, 1 / area);
            plane.dist = vec3_dot(plane.normal, a);
        }
    }
    const float bend = 0.1f;    /* units off the plane that are still flat: less than what is left between plane and eye below */
    for (int i = 0; i < count; i++) {
        float off = plane_distance(plane, geometry->vertices[indexes[i]].position);
        if (!(off > -bend && off < bend))
            return (Plane){ vec3_at(0, 0, 0), 0 };
    }
    for (int i = 0; i + 2 < count; i += 3) {    /* a triangle that is folded over shows its other side */
        Vec3 a = geometry->vertices[indexes[i]].position, b = geometry->vertices[indexes[i + 1]].position;
        Vec3 up = vec3_cross(vec3_sub(geometry->vertices[indexes[i + 2]].position, a), vec3_sub(b, a));
        if (vec3_dot(up, plane.normal) < 0)
            return (Plane){ vec3_at(0, 0, 0), 0 };
    }
    return plane;
}

static void find_planes(Gl *gl, const Level *level) {
    gl->mesh.face_planes = mem_zeroed((size_t)level->map->face_count, sizeof *gl->mesh.face_planes);
    for (int i = 0; i < level->map->face_count; i++) {
        int batch = gl->mesh.face_batch[i];
        if (batch >= 0 && gl->mesh.batches[batch].cull == CULL_FRONT_SHOWN && !gl->mesh.batches[batch].deformed)
            gl->mesh.face_planes[i] = plane_of_face(level->geometry, i);
    }
}

static int16_t signed_short(float x) { return (int16_t)(CLAMP(x, -1, 1) * 32767 + (x < 0 ? -0.5f : 0.5f)); }

GlVertex gl_pack_vertex(const BspVertex *v, int layer, int face, int shift) {
    GlVertex out = {
        .position = { v->position.x, v->position.y, v->position.z },
        .uv = { v->uv.x, v->uv.y }, .light_uv = { v->lightmap_uv.x, v->lightmap_uv.y },
        .normal = { signed_short(v->normal.x), signed_short(v->normal.y), signed_short(v->normal.z), 0 },
        .color = { v->color[0], v->color[1], v->color[2], v->color[3] },
        .layer = (float)layer, .face = (uint32_t)face,
    };
    bsp_shift_color(out.color, shift);
    return out;
}

static void fill_vertices(Gl *gl, const Level *level, int overbright) {
    const BspGeometry *geometry = level->geometry;
    GlVertex *vertices = mem_zeroed((size_t)geometry->vertex_count, sizeof *vertices);
    for (int i = 0; i < level->map->face_count; i++) {
        const BspFace *face = &level->map->faces[i];
        int array, layer = gl_lightmap_layer(level->map, face, gl->lightmaps.layers, &array);
        if (!level->looks && level->materials && level->materials[face->texture]->unlit)
            layer = LAYER_WHITE;
        int first = geometry->faces[i].first_vertex, end = first + geometry->faces[i].vertex_count;
        for (int k = first; k < end; k++)
            vertices[k] = gl_pack_vertex(&geometry->vertices[k], layer, i, 2 - overbright);
    }
    glBindBuffer(GL_ARRAY_BUFFER, gl->mesh.vertex_buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)((size_t)geometry->vertex_count * sizeof *vertices), vertices, GL_STATIC_DRAW);
    mem_free(vertices);
}

static void attribute(unsigned at, int count, GLenum kind, bool normalized, size_t offset) {
    glEnableVertexAttribArray(at);
    glVertexAttribPointer(at, count, kind, normalized, sizeof(GlVertex), (const void *)offset);
}

unsigned gl_vertex_array(unsigned vertices, unsigned indexes) {
    unsigned array;
    glGenVertexArrays(1, &array);
    glBindVertexArray(array);
    glBindBuffer(GL_ARRAY_BUFFER, vertices);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, indexes);
    attribute(0, 4, GL_FLOAT, false, offsetof(GlVertex, position));
    attribute(1, 4, GL_FLOAT, false, offsetof(GlVertex, uv));
    attribute(3, 4, GL_SHORT, true, offsetof(GlVertex, normal));
    attribute(4, 4, GL_UNSIGNED_BYTE, true, offsetof(GlVertex, color));
    glEnableVertexAttribArray(6);
    glVertexAttribIPointer(6, 1, GL_UNSIGNED_INT, sizeof(GlVertex), (const void *)offsetof(GlVertex, face));
    return array;
}

/* Colours by face, as pictures that a shader reads one texel of. */
static void make_number_tables(Gl *gl, const Level *level) {
    int faces = level->map->face_count;
    gl->mesh.number_rows = faces / NUMBER_COLUMNS + 1;    /* always one entry more than faces: no_face */
    gl->mesh.no_face = (uint32_t)faces;
    gl->mesh.face_cluster = mem_zeroed((size_t)faces, sizeof *gl->mesh.face_cluster);
    frame_face_clusters(level->map, gl->mesh.face_cluster);
    Rgba *colors = mem_zeroed((size_t)gl->mesh.number_rows * NUMBER_COLUMNS, sizeof *colors);
    for (int table = 0; table < 2; table++) {
        for (int i = 0; i < faces; i++)
            colors[i] = color_of_number(table ? i : gl->mesh.face_cluster[i]);
        colors[faces] = color_of_number(-1);
        gl->mesh.number_textures[table] = gl_texture_make(NUMBER_COLUMNS, gl->mesh.number_rows, colors, GL_NEAREST);
    }
    memset(colors, 0, (size_t)gl->mesh.number_rows * NUMBER_COLUMNS * sizeof *colors);
    gl->tint_colors = gl_texture_make(NUMBER_COLUMNS, gl->mesh.number_rows, colors, GL_NEAREST);
    mem_free(colors);
    gl->tint_stamp = mem_zeroed((size_t)faces, sizeof *gl->tint_stamp);
    gl->tint_round = 0;
}

bool gl_mesh_open(Gl *gl, const Level *level, Error *error) {
    GlMesh *mesh = &gl->mesh;
    const BspGeometry *geometry = level->geometry;
    glGenBuffers(1, &mesh->vertex_buffer);
    glGenBuffers(1, &mesh->index_buffer);
    glGenBuffers(1, &mesh->stream_buffer);
    mesh->array = gl_vertex_array(mesh->vertex_buffer, mesh->index_buffer);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)((size_t)geometry->index_count * sizeof *geometry->indexes), geometry->indexes,
                 GL_STATIC_DRAW);
    mesh->stream_array = gl_vertex_array(mesh->vertex_buffer, mesh->stream_buffer);
    mesh->face_batch = mem_zeroed((size_t)level->map->face_count, sizeof *mesh->face_batch);
    mesh->outline_ranges = mem_zeroed((size_t)level->map->face_count, sizeof *mesh->outline_ranges);
    for (int i = 0; i < level->map->face_count; i++)
        mesh->outline_ranges[i].count = -1;
    mesh->drawn = mem_zeroed((size_t)level->map->face_count, sizeof *mesh->drawn);
    sort_batches(gl, level);
    find_planes(gl, level);
    make_number_tables(gl, level);
    gl->lightmaps.overbright = -1;    /* nothing lit yet: the first frame says how */
    return glGetError() == GL_NO_ERROR || fail(error, "gl: no room for %d vertices and %d indexes", geometry->vertex_count, geometry->index_count);
}

bool gl_mesh_light(Gl *gl, int overbright, Error *error) {
    if (!gl_lightmaps_fill(gl, gl->level->map, overbright, error))
        return false;
    fill_vertices(gl, gl->level, overbright);
    return glGetError() == GL_NO_ERROR || fail(error, "gl: no room for %d vertices", gl->level->geometry->vertex_count);
}

void gl_mesh_close(Gl *gl) {
    GlMesh *mesh = &gl->mesh;
    if (!mesh->array)
        return;
    glDeleteVertexArrays(1, &mesh->array);
    glDeleteVertexArrays(1, &mesh->stream_array);
    glDeleteBuffers(1, &mesh->vertex_buffer);
    glDeleteBuffers(1, &mesh->index_buffer);
    glDeleteBuffers(1, &mesh->stream_buffer);
    glDeleteTextures(2, mesh->number_textures);
    glDeleteTextures(1, &gl->tint_colors);
    mem_free(gl->tint_stamp);
    gl->tint_stamp = NULL;
    mem_free(mesh->batches);
    mem_free(mesh->face_batch);
    mem_free(mesh->face_cluster);
    mem_free(mesh->visible);
    mem_free(mesh->face_planes);
    mem_free(mesh->drawn);
    mem_free(mesh->outline_ranges);
    array_free(&mesh->outlines);
    *mesh = (GlMesh){ 0 };
}


/* The old contents are given up each time, so that writing never waits for the frame before. */
uint32_t *gl_stream_map(Gl *gl, size_t count) {
    glBindVertexArray(gl->mesh.stream_array);
    size_t bytes = MAX(count, 1) * sizeof(uint32_t);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)bytes, NULL, GL_STREAM_DRAW);
    return glMapBufferRange(GL_ELEMENT_ARRAY_BUFFER, 0, (GLsizeiptr)bytes, GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT);
}

bool gl_stream_unmap(Gl *gl) {
    glBindVertexArray(gl->mesh.stream_array);
    return glUnmapBuffer(GL_ELEMENT_ARRAY_BUFFER);
}


typedef struct Edge { Vec3 low, high; uint32_t from, to; } Edge;    /* by place: two triangles may name one place by two vertices */

static int compare_places(Vec3 a, Vec3 b) {
    for (int i = 0; i < 3; i++)
        if (a.raw[i] != b.raw[i])
            return a.raw[i] < b.raw[i] ? -1 : 1;
    return 0;
}

static int compare_edges(const void *a, const void *b) {
    const Edge *x = a, *y = b;
    int low = compare_places(x->low, y->low);
    return low ? low : compare_places(x->high, y->high);
}

/* An edge that one triangle alone has bounds the face. */
GlRange gl_face_outline(Gl *gl, int face) {
    GlRange *range = &gl->mesh.outline_ranges[face];
    if (range->count >= 0)
        return *range;
    const BspGeometry *geometry = gl->level->geometry;
    int count = geometry->faces[face].index_count;
    const uint32_t *indexes = geometry->indexes + geometry->faces[face].first_index;
    Edge *edges = mem_zeroed((size_t)count, sizeof *edges);
    for (int i = 0; i < count; i++) {
        uint32_t from = indexes[i], to = indexes[i % 3 == 2 ? i - 2 : i + 1];
        Vec3 a = geometry->vertices[from].position, b = geometry->vertices[to].position;
        bool ordered = compare_places(a, b) <= 0;
        edges[i] = (Edge){ ordered ? a : b, ordered ? b : a, from, to };
    }
    qsort(edges, (size_t)count, sizeof *edges, compare_edges);
    range->first = (int)gl->mesh.outlines.count;
    for (int i = 0, next; i < count; i = next) {
        for (next = i + 1; next < count && !compare_edges(&edges[i], &edges[next]); next++) { }
        if (next - i > 1 || !compare_places(edges[i].low, edges[i].high))
            continue;
        *array_push(&gl->mesh.outlines) = edges[i].from;
        *array_push(&gl->mesh.outlines) = edges[i].to;
    }
    mem_free(edges);
    range->count = (int)gl->mesh.outlines.count - range->first;
    return *range;
}
