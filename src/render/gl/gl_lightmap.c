/* render/gl/gl_lightmap.c -- the level's lightmap pages as layers of array textures.
 *
 * A driver allows a number of layers, at least 256; a level with more pages takes several arrays. Texels get the
 * engine's overbright shift on their way up (format.md 2.1). */
#include "render/gl/gl_internal.h"

int gl_lightmap_layer(const Map *map, const BspFace *face, int layers, int *array) {
    *array = 0;
    if (face->lightmap == LIGHTMAP_WHITE || face->lightmap == LIGHTMAP_2D)
        return LAYER_WHITE;
    if (face->lightmap < 0 || face->lightmap >= map->lightmap_count)
        return LAYER_VERTEX;
    *array = face->lightmap / layers;
    return face->lightmap % layers;
}

void gl_lightmaps_close(Gl *gl) {
    if (gl->lightmaps.array_count)
        glDeleteTextures(gl->lightmaps.array_count, gl->lightmaps.arrays);
    mem_free(gl->lightmaps.arrays);
    gl->lightmaps = (GlLightmaps){ .layers = gl->lightmaps.layers };
}

static void fill_page(const uint8_t *page, int shift, uint8_t *out) {
    for (int i = 0; i < LIGHTMAP_SIZE * LIGHTMAP_SIZE; i++, page += 3, out += 4) {
        memcpy(out, page, 3);
        bsp_shift_color(out, shift);
        out[3] = 255;
    }
}

static void make_array(Gl *gl, const Map *map, int first, int count, int shift, uint8_t *scratch) {
    unsigned name = gl->lightmaps.arrays[first / gl->lightmaps.layers];
    gl_bind(gl, UNIT_LIGHTMAPS, GL_TEXTURE_2D_ARRAY, name);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAX_LEVEL, 0);
    glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_RGBA8, LIGHTMAP_SIZE, LIGHTMAP_SIZE, count, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    for (int i = 0; i < count; i++) {
        fill_page(map->lightmaps + (size_t)(first + i) * LIGHTMAP_BYTES, shift, scratch);
        glTexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 0, 0, i, LIGHTMAP_SIZE, LIGHTMAP_SIZE, 1, GL_RGBA, GL_UNSIGNED_BYTE, scratch);
    }
}

bool gl_lightmaps_fill(Gl *gl, const Map *map, int overbright, Error *error) {
    gl_lightmaps_close(gl);
    int layers = gl->lightmaps.layers;
    int arrays = (map->lightmap_count + layers - 1) / layers;
    gl->lightmaps.arrays = mem_zeroed((size_t)arrays, sizeof *gl->lightmaps.arrays);
    gl->lightmaps.array_count = arrays;
    gl->lightmaps.overbright = overbright;
    if (arrays)
        glGenTextures(arrays, gl->lightmaps.arrays);
    uint8_t *scratch = mem_alloc((size_t)LIGHTMAP_SIZE * LIGHTMAP_SIZE * 4);
    for (int i = 0; i < arrays; i++)
        make_array(gl, map, i * layers, MIN(layers, map->lightmap_count - i * layers), 2 - overbright, scratch);
    mem_free(scratch);
    return glGetError() == GL_NO_ERROR || fail(error, "gl: no room for %d lightmap pages", map->lightmap_count);
}
