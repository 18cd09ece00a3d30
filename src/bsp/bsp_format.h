/* bsp/bsp_format.h -- the file on disk: IBSP version 46, little-endian, every record by its byte offsets.
 *
 * No record is read through a struct: a lump may begin at any byte, and the fields are what the file says, not what a
 * compiler aligns. The numbers are those of id's qfiles.h, counted by hand. */
#ifndef LEAFWALK_BSP_FORMAT_H
#define LEAFWALK_BSP_FORMAT_H

#include <stdint.h>
#include <string.h>

enum {
    DISK_VERSION = 46,
    DISK_HEADER = 8 + 17 * 8,       /* ident, version, 17 of {offset, length}; q3map2 writes an 18th that 46 does not have */
    DISK_NAME = 64                  /* a name fills its field with or without a NUL */
};

/* Bytes of a record; 1 for lumps that are no table. */
enum {
    DISK_TEXTURE = 72, DISK_PLANE = 16, DISK_NODE = 36, DISK_LEAF = 48, DISK_INDEX = 4, DISK_MODEL = 40, DISK_BRUSH = 12,
    DISK_BRUSHSIDE = 8, DISK_VERTEX = 44, DISK_EFFECT = 72, DISK_FACE = 104, DISK_LIGHTVOL = 8, DISK_VIS_HEADER = 8
};

enum { TEXTURE_FLAGS = 64, TEXTURE_CONTENTS = 68 };
enum { PLANE_NORMAL = 0, PLANE_DIST = 12 };
enum { NODE_PLANE = 0, NODE_CHILDREN = 4, NODE_MINS = 12, NODE_MAXS = 24 };
enum {
    LEAF_CLUSTER = 0, LEAF_AREA = 4, LEAF_MINS = 8, LEAF_MAXS = 20,
    LEAF_FIRST_FACE = 32, LEAF_FACE_COUNT = 36, LEAF_FIRST_BRUSH = 40, LEAF_BRUSH_COUNT = 44
};
enum {
    MODEL_MINS = 0, MODEL_MAXS = 12, MODEL_FIRST_FACE = 24, MODEL_FACE_COUNT = 28, MODEL_FIRST_BRUSH = 32,
    MODEL_BRUSH_COUNT = 36
};
enum { BRUSH_FIRST_SIDE = 0, BRUSH_SIDE_COUNT = 4, BRUSH_TEXTURE = 8 };
enum { BRUSHSIDE_PLANE = 0, BRUSHSIDE_TEXTURE = 4 };
enum { VERTEX_POSITION = 0, VERTEX_UV = 12, VERTEX_LIGHTMAP_UV = 20, VERTEX_NORMAL = 28, VERTEX_COLOR = 40 };
enum { EFFECT_BRUSH = 64, EFFECT_SIDE = 68 };
enum {
    FACE_TEXTURE = 0, FACE_EFFECT = 4, FACE_TYPE = 8, FACE_FIRST_VERTEX = 12, FACE_VERTEX_COUNT = 16,
    FACE_FIRST_INDEX = 20, FACE_INDEX_COUNT = 24, FACE_LIGHTMAP = 28, FACE_LIGHTMAP_XY = 32, FACE_LIGHTMAP_SIZE = 40,
    FACE_LIGHTMAP_ORIGIN = 48, FACE_LIGHTMAP_VECS = 60, FACE_NORMAL = 84, FACE_PATCH_SIZE = 96
};
enum { VIS_CLUSTERS = 0, VIS_ROW_BYTES = 4, VIS_ROWS = 8 };

static inline uint32_t disk_u32(const uint8_t *at) {
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static inline int disk_i32(const uint8_t *at) {
    uint32_t bits = disk_u32(at);
    int value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline float disk_f32(const uint8_t *at) {
    uint32_t bits = disk_u32(at);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

#endif
