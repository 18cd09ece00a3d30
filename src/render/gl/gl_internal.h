/* render/gl/gl_internal.h -- what the passes of the GL renderer share.
 *
 * A level becomes one vertex buffer and one index buffer (gl_mesh.c), its lightmaps the layers of an array texture
 * (gl_lightmap.c); a batch is what one draw call can show: one material, one array of lightmaps. */
#ifndef LEAFWALK_GL_INTERNAL_H
#define LEAFWALK_GL_INTERNAL_H

#include <glad/gl.h>

#include "render/gl/gl.h"

typedef enum GlProgramKind {
    PROGRAM_LIT, PROGRAM_LIT_MASKED, PROGRAM_VIEWS, PROGRAM_VIEWS_MASKED, PROGRAM_SKY, PROGRAM_TINT, PROGRAM_OVERLAY, PROGRAM_LINE, PROGRAM_UI, PROGRAM_GAMMA,
    PROGRAM_STAGES,                                      /* of one stage; the next ones of two, three and so on */
    PROGRAM_SKY_STAGES = PROGRAM_STAGES + STAGES_MOST,
    PROGRAM_COUNT = PROGRAM_SKY_STAGES + STAGES_MOST
} GlProgramKind;

typedef struct GlProgram {
    unsigned id;                     /* the last one that compiled */
    int model, shade, alpha_test, has_image;    /* uniforms; -1: it has none */
    int model_eye, light_on, stage, ending, fog_color, fog_distance, fog_depth, fog_eye_depth, has_box;
    bool tried;                      /* it was compiled, or is to be: those with stages are when they are first used */
    Text problem;                    /* why the newest text is not in use; empty: it is */
} GlProgram;

/* Texture units, the same for every program. */
enum { UNIT_IMAGE, UNIT_LIGHTMAPS, UNIT_NUMBERS, UNIT_STAGES, UNIT_BOX = UNIT_STAGES + STAGES_MOST, UNIT_TABLE = UNIT_BOX + 6, UNITS };
enum { GL_SAMPLERS = 4 };            /* by the flags of a texture */

enum { GL_LIGHTS = 64 };             /* dynamic ones, those nearest to the eye; shaders/common.glsl knows it */

/* The uniform block `Frame` of shaders/common.glsl, in std140. */
typedef struct GlFrameBlock {
    float clip[16];
    float eye[4];                    /* w: time */
    float forward[4];
    float picture[4];                /* width, height */
    float light[4];                  /* 1 << overbright, DEPTH_HALF */
    float wire[4];
    float sky[4];                    /* colour of a sky without a picture */
    float clip_plane[4];             /* of a portal: what is behind it is cut off */
    float light_count[4];
    float light_at[GL_LIGHTS][4];    /* w: radius */
    float light_color[GL_LIGHTS][4];
} GlFrameBlock;

typedef struct GlVertex {
    float position[3], layer;        /* layer: of the batch's array of lightmaps, or LAYER_ */
    float uv[2], light_uv[2];
    uint8_t color[4];
    int16_t normal[4];               /* a sheen shows less than this as steps */
    uint32_t face;
} GlVertex;
enum { LAYER_VERTEX = -1, LAYER_WHITE = -2, LAYER_POSED = -3 };    /* POSED: vertex colour in which all light is already */

typedef struct GlBatch {
    int texture;                     /* number in assets */
    int array;                       /* of lightmaps */
    MaterialCull cull;
    bool blended, sky, offset;       /* offset: lies on another face, drawn a little nearer */
    float sort;                      /* the engine's order of materials: decals before what is seen through */
    Blend source, destination;       /* where it blends */
    float alpha_test;
    const Look *look;                /* its stages; NULL: nothing but the picture times the light, or pictures alone */
    int fog;                         /* effect that it lies in; -1: none */
    bool deformed;
    int count, first;                /* indexes in this frame's stream */
    int face;                        /* the first that is met in this frame */
    float far;                       /* of a blended one: distance of its farthest face in this frame */
    unsigned stamp;                  /* frame that has it */
} GlBatch;

typedef struct GlRange { int first, count; } GlRange;

typedef struct GlMesh {
    unsigned vertex_buffer, index_buffer, stream_buffer;
    unsigned array, stream_array;    /* vertex arrays: with all indexes of the level, with those of the stream */
    GlBatch *batches; int batch_count;
    int *face_batch;                 /* by face; -1: not drawn */
    int *face_cluster;
    Plane *face_planes;              /* by face: of a flat one that is shown from its front only; normal 0: it has none */
    int *drawn;                      /* scratch: faces of the frame that are drawn */
    int *visible;                    /* scratch: batches of the frame in the order they are met */
    unsigned stamp;
    unsigned number_textures[2];     /* colours by face: of its cluster, of its number */
    int number_rows;
    uint32_t no_face;                /* a grey entry behind those of the faces: for what is no face */
    GlRange *outline_ranges;         /* by face; count -1: not worked out yet */
    ARRAY(uint32_t) outlines;        /* pairs of vertices: edges that bound a face */
} GlMesh;

typedef struct GlLightmaps { unsigned *arrays; int array_count, layers; int overbright; } GlLightmaps;

typedef struct GlClouds { float height; unsigned table; } GlClouds;

/* How what is drawn stands: of the world, or of a model in the frame's list. */
typedef struct GlPlace { int model; float matrix[16]; Vec3 middle; } GlPlace;    /* middle: where its light is measured */

typedef struct GlTexture { unsigned id, version; bool there; } GlTexture;

typedef struct GlBlended {           /* model: place in the frame's list, -1 the world; far: of its batch's farthest face */
    float sort, far, distance;
    int batch, model, face, meshes;  /* meshes: so many of those that blend come before */
} GlBlended;

typedef struct GlThingRun { int first, count, mesh, stage; } GlThingRun;   /* indexes of meshes of one look; the first of them; -1: it has no stages */

enum { GL_PASSES = 8, QUERY_SETS = 3 };

typedef struct GlCounts { int draw_calls, binds, faces, batches; double triangles; } GlCounts;

typedef struct Gl {
    const Log *log;
    Watch *watch;
    char *shader_folder;
    Var *upload_mb;
    const Level *level;
    const Assets *assets;
    unsigned serial;

    GlProgram programs[PROGRAM_COUNT];
    unsigned block_buffer;
    GlMesh mesh;
    GlLightmaps lightmaps;
    ARRAY(GlTexture) textures;
    unsigned white, grey, gamma_table;
    float gamma_made;                /* what gamma_table holds */
    unsigned samplers[GL_SAMPLERS], sampler_ui;
    unsigned sines;                  /* one cycle, for turbulence */
    ARRAY(GlClouds) clouds;
    ARRAY(BspVertex) deformed;       /* scratch: one face */
    ARRAY(GlVertex) deformed_vertices;
    bool loading;                    /* some texture is on its way: uploads are rationed */
    int64_t upload_left;             /* bytes in this frame */

    unsigned overlay_buffer, overlay_array, box_indexes, box_index_count;
    unsigned line_buffer, line_array, ui_buffer, ui_array, empty_array;
    unsigned thing_buffer, thing_indexes, thing_array;
    ARRAY(GlVertex) thing_vertices;
    ARRAY(GlThingRun) thing_runs;
    unsigned tint_colors;
    unsigned *tint_stamp; unsigned tint_round;
    int tint_model;                  /* of the tints gathered so far: place in the frame's list, -1 the world */
    ARRAY(FrameVertex) overlay_vertices;
    ARRAY(FrameLine) overlay_lines;
    ARRAY(uint8_t) tint_texels;
    ARRAY(GlBlended) blended;
    ARRAY(uint32_t) indexes;

    int width, height;               /* of the framebuffers */
    int largest;                     /* side that the driver allows */
    unsigned framebuffer, color, depth;
    unsigned gamma_framebuffer, gamma_color;
    unsigned shown_framebuffer;      /* what read_pixels reads */
    unsigned image_framebuffer, image_texture;

    bool mirrored;                   /* what is drawn now is seen in a mirror */
    GlCounts counts;
    unsigned queries[QUERY_SETS][GL_PASSES];
    bool query_used[QUERY_SETS][GL_PASSES];
    int query_set;
    double pass_ms[GL_PASSES], pass_gpu_ms[GL_PASSES];
    RenderStat stats[32];
    int stat_count;
} Gl;

/* gl_shader.c */
bool gl_shaders_open(Gl *gl, Error *error);
void gl_shaders_close(Gl *gl);
void gl_shaders_file_changed(Gl *gl, const char *path);
const char *gl_shaders_problem(Gl *gl);
const GlProgram *gl_use(Gl *gl, GlProgramKind kind);

/* gl_texture.c */
void gl_textures_open(Gl *gl);
void gl_textures_close(Gl *gl);
void gl_textures_forget(Gl *gl);
void gl_textures_begin_frame(Gl *gl);
void gl_textures_end_frame(Gl *gl);                        /* uploads what the level will want, within the ration */
unsigned gl_texture_name(Gl *gl, int number);
void gl_bind(Gl *gl, int unit, GLenum target, unsigned name);    /* counts */
unsigned gl_texture_make(int width, int height, const void *rgba, GLenum filter);

/* gl_lightmap.c */
bool gl_lightmaps_fill(Gl *gl, const Map *map, int overbright, Error *error);
void gl_lightmaps_close(Gl *gl);
int  gl_lightmap_layer(const Map *map, const BspFace *face, int layers, int *array);    /* layer or LAYER_ */

/* gl_mesh.c */
bool gl_mesh_open(Gl *gl, const Level *level, Error *error);
void gl_mesh_close(Gl *gl);
bool gl_mesh_light(Gl *gl, int overbright, Error *error);      /* (re-)uploads all that overbright changes */
uint32_t *gl_stream_map(Gl *gl, size_t count);                 /* room for this many indexes; NULL: none to be had */
bool gl_stream_unmap(Gl *gl);
GlVertex gl_pack_vertex(const BspVertex *v, int layer, int face, int shift);
unsigned gl_vertex_array(unsigned vertices, unsigned indexes);  /* of GlVertex */
GlRange gl_face_outline(Gl *gl, int face);                     /* of gl->mesh.outlines, two a line */

/* gl.c */
void gl_send_block(Gl *gl, const Frame *frame, const Plane *clip);    /* clip NULL: nothing is cut off */

/* The passes. */
void gl_portals(Gl *gl, const Frame *frame);
void gl_world(Gl *gl, const Frame *frame);
void gl_models(Gl *gl, const Frame *frame);
void gl_things(Gl *gl, const Frame *frame);
void gl_blended(Gl *gl, const Frame *frame);
void gl_overlay(Gl *gl, const Frame *frame);
void gl_gamma(Gl *gl, const Frame *frame);
void gl_ui(Gl *gl, const Frame *frame);

/* gl_world.c, for the passes that draw faces of the level */
void gl_begin_faces(Gl *gl, const Frame *frame);
void gl_end_faces(void);
void gl_set_batch(Gl *gl, const Frame *frame, const GlBatch *batch, const float model[16]);
void gl_draw_indexes(Gl *gl, GLenum mode, int first, int count);
extern const float gl_identity[16];
/* A batch whatever it is: with its stages in the lit view, else as gl_set_batch shows it. */
void gl_draw_batch(Gl *gl, const Frame *frame, const GlBatch *batch, const GlPlace *place, int first, int count);
GlPlace gl_world_place(const Frame *frame, int face);
GlPlace gl_model_place(const Frame *frame, int model);
void gl_put_blended(Gl *gl, const Frame *frame, int face, int model, Vec3 middle);

/* gl_stages.c */
void gl_stages_open(Gl *gl);
void gl_stages_close(Gl *gl);
void gl_draw_page(Gl *gl, const Frame *frame, const GlBatch *batch, const GlPlace *place, int first, int count);
void gl_draw_stages(Gl *gl, const Frame *frame, const GlBatch *batch, const GlPlace *place, int first, int count);
/* One stage whose coordinates and colours stand in the vertices already; in the level's space. */
void gl_draw_vertex_stage(Gl *gl, const Frame *frame, const FrameStage *stage, int first, int count);
void gl_deform_face(Gl *gl, const Frame *frame, const GlBatch *batch, int face, int model);
GLenum gl_blend_factor(Blend blend);

/* gl_models.c: how a face stands (-1: it is the world's, else its model's place in the frame's list); false: its model is
 * not in the frame */
bool gl_face_model(const Frame *frame, int face, int *place);
void gl_model_matrix(const FrameModel *model, float out[16]);

/* gl_models.c: blends by alpha, where the view shows pictures */
void gl_blend_state(const Frame *frame);

/* gl_things.c */
void gl_draw_meshes(Gl *gl, const Frame *frame, const int *order, int count);

/* gl_overlay.c */
bool gl_overlay_open(Gl *gl);
void gl_overlay_close(Gl *gl);
void gl_sprites(Gl *gl, const Frame *frame);
void gl_flares(Gl *gl, const Frame *frame);    /* and particles, without what else scripts draw; not those that are over everything */

#endif
