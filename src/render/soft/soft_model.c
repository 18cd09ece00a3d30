/* render/soft/soft_model.c -- surfaces of models (MD3): onto the screen, and to the drawer that suits their triangles.
 *
 * All vertices of a mesh are projected once, before the bands are drawn; a mesh that lies wholly in the picture needs no
 * cut, and none of its triangles asks for one. Which drawer a mesh gets is its own or, with soft.models = "auto", comes from
 * how many pixels its triangles have on average. A triangle for which even steps over the screen would be wrong by more than
 * soft.model_error pixels is split first, edge by edge, each in its middle in the level: what two triangles share they
 * split alike, so nothing opens between them. */
#include <math.h>
#include <time.h>

#include "render/soft/soft_model_internal.h"

/* What is drawn at once: a mesh, or one stage of it. */
typedef struct SoftMesh {
    size_t first_vertex;
    SoftSkin skin;
    SoftRaster raster;               /* but for what a band fills in */
    bool stack, seen;
    size_t item;                     /* of a blended one: the item of the world that follows it; SIZE_MAX: none does */
    bool again;                      /* its vertices stand where those of the mesh before it do: another stage */
    int x0, y0, x1, y1;              /* pixels that it may touch */
    float nearest;                   /* 1/z that no pixel of it is beyond; infinite: it is cut */
} SoftMesh;

typedef struct BandCounts { int64_t triangles[DRAWER_COUNT], stack; double ms; } BandCounts;

typedef struct ModelVars { Var *models, *stack_drawer, *mask_below, *subdivide_below, *error; } ModelVars;

struct SoftModels {
    ModelVars var;
    uint32_t *masks;
    ARRAY(SoftMesh) meshes;
    size_t first_blended;            /* of `meshes`: they come last */
    IntList leaders;                 /* of `meshes`: those that are no later stage of the one before */
    SoftVertex *vertices; size_t vertex_room, vertex_count;
    ARRAY(BandCounts) counts;        /* by band */
    double gather_ms;
    Soft *soft;                      /* while gathering */
};

enum { MODELS_AUTO, MODELS_AFFINE, MODELS_SUBDIVISION, MODELS_MASK, MODELS_STACK };

static ModelVars define_vars(Vars *vars) {
    return (ModelVars){
        .models = var_choice(vars, "soft.models", "auto|affine|subdivision|mask|stack", "auto", "how triangles of models are drawn; auto: by their size"),
        .stack_drawer = var_choice(vars, "soft.stack_drawer", "affine|subdivision|mask", "affine", "what draws the triangles of soft.models stack"),
        .mask_below = var_number(vars, "soft.model_mask_below", 2, 0, 1e6, "auto: pixels a triangle, on average, below which masks draw"),
        .subdivide_below = var_number(vars, "soft.model_subdivide_below", 0, 0, 1e6, "auto: pixels a triangle, on average, below which subdivision draws"),
        .error = var_number(vars, "soft.model_error", 1, 0, 100, "pixels that a near model's texture may be off before triangles are split; 0: never split"),
    };
}

void soft_models_define(Vars *vars) { define_vars(vars); }

SoftModels *soft_models_open(Vars *vars) {
    SoftModels *models = mem_zeroed(1, sizeof *models);
    models->var = define_vars(vars);
    models->masks = mem_alloc(15625 * sizeof *models->masks);
    soft_masks_make(models->masks);
    return models;
}

void soft_models_close(SoftModels *models) {
    if (!models)
        return;
    mem_free(models->masks);
    mem_free(models->vertices);
    array_free(&models->meshes);
    array_free(&models->leaders);
    array_free(&models->counts);
    mem_free(models);
}


/* ---- vertices ---- */

static float portal_distance(const SoftView *view, const float eye[3]) {
    return (float)(view->clip[0] * eye[0] + view->clip[1] * eye[1] + view->clip[2] * eye[2] + view->clip[3]);
}

void soft_vertex_place(const SoftView *view, SoftVertex *vertex, bool snapped) {
    const float *eye = vertex->eye;
    float near = (float)view->near, guard = GUARD * eye[2];
    vertex->out = 0;
    vertex->x = vertex->y = 0;
    if (!(eye[2] >= near && eye[2] > 1e-6f) || (view->clipped && portal_distance(view, eye) < 0))
        vertex->out |= OUT_NEAR;
    if (!(eye[0] >= -guard && eye[0] <= guard && eye[1] >= -guard && eye[1] <= guard))
        vertex->out |= OUT_GUARD;
    float left = -(float)view->middle_x * eye[2], top = -(float)view->middle_y * eye[2];    /* the picture's middle is its half size */
    if (!(eye[0] >= left))
        vertex->out |= OUT_LEFT;
    if (!(eye[0] < -left))
        vertex->out |= OUT_RIGHT;
    if (!(eye[1] >= top))
        vertex->out |= OUT_TOP;
    if (!(eye[1] < -top))
        vertex->out |= OUT_BOTTOM;
    if (vertex->out & (OUT_NEAR | OUT_GUARD))
        return;
    float inverse = 1 / eye[2];
    vertex->at[2] = inverse * view->nearer;
    float x = ((float)view->middle_x + eye[0] * inverse) * SUBPIXEL + 0.5f, y = ((float)view->middle_y + eye[1] * inverse) * SUBPIXEL + 0.5f;
    vertex->x = (int)x - (x < (float)(int)x);
    vertex->y = (int)y - (y < (float)(int)y);
    if (snapped) {
        vertex->x = (vertex->x & -SUBPIXEL) + SUBPIXEL / 2;
        vertex->y = (vertex->y & -SUBPIXEL) + SUBPIXEL / 2;
    }
    bool inside = vertex->x >= 0 && vertex->y >= 0 && vertex->x < view->width * SUBPIXEL && vertex->y < view->height * SUBPIXEL;
    if (!inside && !(vertex->out & (OUT_LEFT | OUT_RIGHT | OUT_TOP | OUT_BOTTOM)))    /* rounded over the edge */
        vertex->out |= vertex->x < 0 ? OUT_LEFT : vertex->y < 0 ? OUT_TOP : vertex->x >= view->width * SUBPIXEL ? OUT_RIGHT : OUT_BOTTOM;
}

static void dress(const SoftSkin *skin, int number, SoftVertex *out) {
    const Vec2 *uv = &skin->uv[number];
    Rgba color = skin->colors[number];
    out->at[0] = uv->x;
    out->at[1] = uv->y;
    out->light[0] = color.r;
    out->light[1] = color.g;
    out->light[2] = color.b;
    out->light[3] = color.a;
}

void soft_vertex_make(const SoftView *view, const SoftPose *world, const SoftSkin *skin, int number, bool snapped, SoftVertex *out) {
    Vec3 p = skin->positions[number];
    float x = p.x - (float)world->eye[0], y = p.y - (float)world->eye[1], z = p.z - (float)world->eye[2];
    for (int i = 0; i < 3; i++) {
        const double *axis = i == 0 ? world->across : i == 1 ? world->down : world->forward;
        out->eye[i] = (float)axis[0] * x + (float)axis[1] * y + (float)axis[2] * z;
    }
    out->at[2] = out->at[3] = 0;
    dress(skin, number, out);
    soft_vertex_place(view, out, snapped);
}


/* ---- one triangle ---- */

int soft_model_level(const SoftRaster *raster, const SoftVertex *a, const SoftVertex *b, const SoftVertex *c) {
    float u1 = b->at[0] - a->at[0], v1 = b->at[1] - a->at[1], u2 = c->at[0] - a->at[0], v2 = c->at[1] - a->at[1];
    float texels = fabsf(u1 * v2 - u2 * v1) * (float)(1 << raster->texture->width_log) * (float)(1 << raster->texture->height_log);
    int64_t area = soft_area(a, b, c);
    return soft_level_of(raster->texture, texels * (SUBPIXEL * SUBPIXEL) / (float)MAX(area, 1));
}

uint32_t soft_flat_pixel(const SoftRaster *raster, float z, int level) {
    static const uint32_t levels[6] = { 0xff1ab31au, 0xff1acccc, 0xff1a66e6, 0xff1a1acc, 0xffb333b3, 0xffe6e6e6 };    /* as level_color of soft_cell.c, in whole steps */
    if (raster->style == MODEL_MIP)
        return levels[MIN(level, 5)];
    if (raster->style == MODEL_FLAT)
        return raster->flat;
    uint32_t grey = (uint32_t)(255 * (DEPTH_HALF * z / (DEPTH_HALF * z + 1)) + 0.5f);
    return MIN(grey, 255) * 0x010101u | 0xff000000u;
}

static void draw_whole(const SoftRaster *raster, const SoftVertex *a, const SoftVertex *b, const SoftVertex *c) {
    int64_t area = soft_area(a, b, c);
    if ((area < 0) != raster->view.mirrored ? raster->cull == CULL_FRONT_SHOWN : raster->cull == CULL_BACK_SHOWN)
        return;
    if (area < 0) {
        const SoftVertex *other = b;
        b = c;
        c = other;
    }
    bool in_picture = !((a->out | b->out | c->out) & (OUT_LEFT | OUT_RIGHT | OUT_TOP | OUT_BOTTOM));
    if (raster->drawer == DRAWER_SUBDIVISION && in_picture)
        soft_triangle_subdivide(raster, a, b, c);
    else if (raster->drawer != DRAWER_MASK || !in_picture || !soft_triangle_mask(raster, a, b, c))
        soft_triangle_affine(raster, a, b, c);
}

/* How many pixels the middle of an edge on the screen is away from the screen's place of its middle in the level. */
static bool bends(const SoftRaster *raster, const SoftVertex *a, const SoftVertex *b) {
    float part = 0.5f - a->eye[2] / (a->eye[2] + b->eye[2]), dx = (float)(a->x - b->x), dy = (float)(a->y - b->y);
    float most = raster->error_most * SUBPIXEL;
    return part * part * (dx * dx + dy * dy) > most * most;
}

static SoftVertex middle_of(const SoftRaster *raster, const SoftVertex *a, const SoftVertex *b) {
    SoftVertex out;
    for (int i = 0; i < 4; i++) {
        out.at[i] = (a->at[i] + b->at[i]) * 0.5f;
        out.light[i] = (a->light[i] + b->light[i]) * 0.5f;
    }
    for (int i = 0; i < 3; i++)
        out.eye[i] = (a->eye[i] + b->eye[i]) * 0.5f;
    soft_vertex_place(&raster->view, &out, raster->drawer == DRAWER_MASK);
    return out;
}

static void draw_split(const SoftRaster *raster, const SoftVertex *a, const SoftVertex *b, const SoftVertex *c, int depth) {
    const SoftVertex *corner[3] = { a, b, c };
    SoftVertex middle[3];
    int split = 0;
    for (int i = 0; depth > 0 && i < 3; i++)
        if (bends(raster, corner[i], corner[(i + 1) % 3])) {
            middle[i] = middle_of(raster, corner[i], corner[(i + 1) % 3]);
            split |= 1 << i;
        }
    if (!split) {
        draw_whole(raster, a, b, c);
        return;
    }
    if (split == 7) {
        for (int i = 0; i < 3; i++)
            draw_split(raster, corner[i], &middle[i], &middle[(i + 2) % 3], depth - 1);
        draw_split(raster, &middle[0], &middle[1], &middle[2], depth - 1);
        return;
    }
    int first = 0;    /* turned so that edge `first` is split, and the one before it is not */
    while (!(split >> first & 1) || (split >> (first + 2) % 3 & 1))
        first++;
    const SoftVertex *p = corner[first], *q = corner[(first + 1) % 3], *r = corner[(first + 2) % 3], *m = &middle[first];
    draw_split(raster, p, m, r, depth - 1);
    if (split >> (first + 1) % 3 & 1) {
        const SoftVertex *n = &middle[(first + 1) % 3];
        draw_split(raster, m, q, n, depth - 1);
        draw_split(raster, m, n, r, depth - 1);
    } else {
        draw_split(raster, m, q, r, depth - 1);
    }
}

static void draw_placed(const SoftRaster *raster, const SoftVertex *a, const SoftVertex *b, const SoftVertex *c) {
    if (raster->error_most > 0)
        draw_split(raster, a, b, c, 8);
    else
        draw_whole(raster, a, b, c);
}

/* A plane through the eye, or the near one: inside is where it is 0 or more. */
static float distance_to(const SoftView *view, int plane, const SoftVertex *v) {
    float guard = (GUARD - 1) * v->eye[2];
    switch (plane) {
    case 0: return v->eye[2] - (float)view->near;
    case 1: return guard - v->eye[0];
    case 2: return guard + v->eye[0];
    case 3: return guard - v->eye[1];
    case 4: return guard + v->eye[1];
    default: return portal_distance(view, v->eye);
    }
}

/* From inside out, so that neighbours cut the edge they share alike. */
static SoftVertex cut_vertex(const SoftVertex *in, const SoftVertex *out, float in_distance, float out_distance) {
    float part = in_distance / (in_distance - out_distance);
    SoftVertex at;
    for (int i = 0; i < 4; i++) {
        at.at[i] = in->at[i] + (out->at[i] - in->at[i]) * part;
        at.light[i] = in->light[i] + (out->light[i] - in->light[i]) * part;
    }
    for (int i = 0; i < 3; i++)
        at.eye[i] = in->eye[i] + (out->eye[i] - in->eye[i]) * part;
    at.out = at.x = at.y = 0;
    return at;
}

static int cut_polygon(const SoftView *view, int plane, const SoftVertex *in, int count, SoftVertex *out) {
    int made = 0;
    for (int i = 0; i < count; i++) {
        const SoftVertex *a = &in[i], *b = &in[i + 1 < count ? i + 1 : 0];
        float at_a = distance_to(view, plane, a), at_b = distance_to(view, plane, b);
        if (made > 13)    /* numbers too large to be cut */
            return 0;
        if (at_a >= 0)
            out[made++] = *a;
        if ((at_a >= 0) != (at_b >= 0))
            out[made++] = at_a >= 0 ? cut_vertex(a, b, at_a, at_b) : cut_vertex(b, a, at_b, at_a);
    }
    return made;
}

static void draw_cut(const SoftRaster *raster, const SoftVertex *a, const SoftVertex *b, const SoftVertex *c) {
    SoftVertex first[16] = { *a, *b, *c }, second[16], *from = first, *to = second;
    int count = 3;
    for (int plane = 0; plane < (raster->view.clipped ? 6 : 5) && count >= 3; plane++) {
        count = cut_polygon(&raster->view, plane, from, count, to);
        SoftVertex *other = from;
        from = to;
        to = other;
    }
    for (int i = 0; i < count; i++) {
        from[i].eye[2] = fmaxf(from[i].eye[2], (float)raster->view.near);    /* rounded to just before it */
        soft_vertex_place(&raster->view, &from[i], raster->drawer == DRAWER_MASK);
        if (from[i].out & (OUT_NEAR | OUT_GUARD))
            return;    /* numbers too large to be cut */
    }
    for (int i = 2; i < count; i++)
        draw_placed(raster, &from[0], &from[i - 1], &from[i]);
}

void soft_model_triangle(const SoftRaster *raster, const SoftVertex *a, const SoftVertex *b, const SoftVertex *c) {
    if (a->out & b->out & c->out & ~OUT_GUARD)
        return;
    if ((a->out | b->out | c->out) & (OUT_NEAR | OUT_GUARD))
        draw_cut(raster, a, b, c);
    else
        draw_placed(raster, a, b, c);
}


/* ---- meshes of a frame ---- */

static SoftModelStyle style_of(const Frame *frame) {
    switch (frame->shade) {
    case SHADE_TEXTURE: return MODEL_TEXTURE;
    case SHADE_MIP: return MODEL_MIP;
    case SHADE_DEPTH: return MODEL_DEPTH;
    case SHADE_LIT: case SHADE_LIGHTMAP: return MODEL_LIT;
    default: return MODEL_FLAT;
    }
}

/* A model has no face, no cluster and no lasting normals: grey, and upwards. */
static uint32_t flat_of(const Frame *frame) {
    if (frame->shade == SHADE_OVERDRAW)
        return 0xff081020u;
    return frame->shade == SHADE_NORMAL ? 0xffff8080u : soft_packed(color_of_number(-1));
}

static bool is_clamped(const Soft *soft, int texture) { return soft->assets && assets_texture_at(soft->assets, texture)->flags & TEXTURE_CLAMPED; }

static const float offset_nearer = 1 + 1.0f / 1024;    /* polygonOffset: more than corners rounded to places on the screen may be wrong by */

static SoftRaster raster_of(Soft *soft, const SoftModels *models, const FrameMesh *mesh, SoftDrawer drawer) {
    const Frame *frame = soft->frame;
    SoftView view = soft->view;
    view.nearer = mesh->offset ? offset_nearer : 1;
    return (SoftRaster){
        .pitch = soft->target.pitch, .width = soft->target.width, .view = view,
        .style = style_of(frame), .flat = flat_of(frame), .cull = mesh->cull, .bilinear = soft->mode.bilinear, .bright = soft->mode.bright,
        .error_most = (float)models->var.error->number, .masks = models->masks, .drawer = drawer,
    };
}

static void push_mesh(SoftModels *models, const FrameMesh *mesh, SoftSkin skin, SoftRaster raster, bool again) {
    raster.plain = !raster.blends && raster.alpha_test == 0 && raster.meet == MEET_NEARER && !raster.clamped && !raster.keeps_depth;
    if (raster.plain && raster.style == MODEL_STAGE)
        raster.style = MODEL_LIT;    /* the alpha is nobody's */
    *array_push(&models->meshes) = (SoftMesh){ .first_vertex = models->vertex_count, .skin = skin, .raster = raster, .again = again };
    models->vertex_count += (size_t)mesh->surface->vertex_count;
}

/* The picture that stands for it, in its light. */
static void add_mesh(Soft *soft, SoftModels *models, const FrameMesh *mesh, SoftDrawer drawer) {
    const Frame *frame = soft->frame;
    bool pictures = frame->shade == SHADE_LIT || frame->shade == SHADE_TEXTURE, overdraw = frame->shade == SHADE_OVERDRAW;
    SoftRaster raster = raster_of(soft, models, mesh, drawer);
    raster.texture = frame->shade == SHADE_LIGHTMAP ? &soft->white : soft_texture_at(soft, mesh->texture);
    raster.alpha_test = overdraw ? 0 : mesh->alpha_test;
    raster.blends = overdraw || (mesh->blended && pictures);
    raster.source = overdraw ? BLEND_ONE : BLEND_SRC_ALPHA;
    raster.destination = overdraw ? BLEND_ONE : BLEND_ONE_MINUS_SRC_ALPHA;
    raster.meet = overdraw ? MEET_ALL : MEET_NEARER;
    raster.keeps_depth = raster.blends;
    push_mesh(models, mesh, (SoftSkin){ mesh->surface, mesh->positions, mesh->surface->uv, mesh->colors }, raster, false);
}

static void add_stage(Soft *soft, SoftModels *models, const FrameMesh *mesh, const FrameStage *stage, SoftDrawer drawer) {
    SoftRaster raster = raster_of(soft, models, mesh, drawer);
    raster.style = MODEL_STAGE;
    raster.texture = soft_texture_at(soft, stage->texture);
    raster.clamped = is_clamped(soft, stage->texture);
    raster.alpha_test = stage->alpha_test;
    raster.blends = stage->blends;
    raster.source = stage->source;
    raster.destination = stage->destination;
    raster.keeps_depth = !stage->depth_write;
    raster.bright = soft->mode.bright && !stage->multiplies;
    raster.meet = stage->depth_equal ? MEET_EQUAL : stage == mesh->stages && !stage->blends ? MEET_NEARER : MEET_NOT_FARTHER;
    push_mesh(models, mesh, (SoftSkin){ mesh->surface, mesh->positions, stage->uv, stage->colors }, raster, stage != mesh->stages);
}

/* How many pixels of its box on the screen each of a model's triangles has; infinite where the box is cut. */
static float pixels_a_triangle(const Soft *soft, const FrameMesh *mesh, int triangles) {
    float x0 = INFINITY, y0 = INFINITY, x1 = -INFINITY, y1 = -INFINITY;
    for (int i = 0; mesh->inside && i < 8; i++) {
        double eye[3];
        soft_pose_point(&soft->world, vec3_at(i & 1 ? mesh->bounds.maxs.x : mesh->bounds.mins.x, i & 2 ? mesh->bounds.maxs.y : mesh->bounds.mins.y,
                                              i & 4 ? mesh->bounds.maxs.z : mesh->bounds.mins.z), eye);
        float x = (float)(eye[0] / eye[2]), y = (float)(eye[1] / eye[2]);
        x0 = fminf(x0, x);
        x1 = fmaxf(x1, x);
        y0 = fminf(y0, y);
        y1 = fmaxf(y1, y);
    }
    float area = (x1 - x0) * (y1 - y0) / (float)MAX(triangles, 1);
    return mesh->inside && area >= 0 ? area : INFINITY;
}

/* One drawer for all surfaces of a model, so that nothing opens where they meet. One that is not wholly in the picture is
 * not subdivided: what reaches over its edge is drawn by rows, which do not meet halved edges. */
static SoftDrawer drawer_of(const SoftModels *models, const FrameMesh *mesh, float area) {
    SoftDrawer drawer = DRAWER_AFFINE;
    switch ((int)models->var.models->number) {
    case MODELS_AFFINE: break;
    case MODELS_SUBDIVISION: drawer = DRAWER_SUBDIVISION; break;
    case MODELS_MASK: drawer = DRAWER_MASK; break;
    case MODELS_STACK: drawer = (SoftDrawer)models->var.stack_drawer->number; break;
    default:
        if (area < (float)models->var.mask_below->number)
            drawer = DRAWER_MASK;
        else if (area < (float)models->var.subdivide_below->number)
            drawer = DRAWER_SUBDIVISION;
    }
    return drawer == DRAWER_SUBDIVISION && !mesh->inside ? DRAWER_AFFINE : drawer;
}

/* By mesh of the frame. */
static SoftDrawer *choose_drawers(const Soft *soft, const SoftModels *models) {
    const Frame *frame = soft->frame;
    SoftDrawer *out = arena_array(frame->arena, SoftDrawer, frame->meshes.count);
    for (size_t first = 0, next; first < frame->meshes.count; first = next) {
        int triangles = 0;
        for (next = first; next < frame->meshes.count && frame->meshes.at[next].instance == frame->meshes.at[first].instance; next++)
            triangles += frame->meshes.at[next].surface->triangle_count;
        SoftDrawer drawer = drawer_of(models, &frame->meshes.at[first], pixels_a_triangle(soft, &frame->meshes.at[first], triangles));
        for (size_t i = first; i < next; i++)
            out[i] = frame->meshes.at[i].inside ? drawer : drawer_of(models, &frame->meshes.at[i], INFINITY);
    }
    return out;
}

/* What the vertices say together: which rows, whether anything bends. */
static void measure(SoftModels *models, SoftMesh *mesh, const SoftVertex *vertices) {
    const SoftView *view = &mesh->raster.view;
    int all = ~0, any = 0, x0 = INT32_MAX, x1 = INT32_MIN, y0 = INT32_MAX, y1 = INT32_MIN, count = mesh->skin.surface->vertex_count;
    float least = INFINITY, most = 0;
    for (int i = 0; i < count; i++) {
        const SoftVertex *v = &vertices[i];
        all &= v->out;
        any |= v->out;
        x0 = MIN(x0, v->x);
        x1 = MAX(x1, v->x);
        y0 = MIN(y0, v->y);
        y1 = MAX(y1, v->y);
        least = fminf(least, v->eye[2]);
        most = fmaxf(most, v->eye[2]);
    }
    mesh->seen = count > 0 && !(all & ~OUT_GUARD);
    bool placed = !(any & (OUT_NEAR | OUT_GUARD));
    mesh->x0 = placed ? MAX(x0 >> SUBPIXEL_BITS, 0) : 0;
    mesh->x1 = placed ? MIN((x1 >> SUBPIXEL_BITS) + 1, view->width) : view->width;
    mesh->nearest = placed && least > 0 ? 1.0001f * view->nearer / least : INFINITY;    /* what is worked out between vertices is not exact */
    mesh->y0 = placed ? MAX(y0 >> SUBPIXEL_BITS, 0) : 0;
    mesh->y1 = placed ? MIN((y1 >> SUBPIXEL_BITS) + 1, view->height) : view->height;
    float wide = (float)(x1 - x0) / SUBPIXEL, high = (float)(y1 - y0) / SUBPIXEL;
    if (any && mesh->raster.drawer == DRAWER_SUBDIVISION)
        mesh->raster.drawer = DRAWER_AFFINE;    /* its bounds lied */
    if (placed && (0.5f - least / (least + most)) * (wide + high) < mesh->raster.error_most)
        mesh->raster.error_most = 0;    /* no edge of it can bend */
    mesh->stack = models->var.models->number == MODELS_STACK && mesh->skin.surface->command_count > 0 && !any;
}

/* A later stage has the places of the first one, and its own picture and colours. */
static void place_again(const SoftMesh *mesh, const SoftVertex *from, SoftVertex *vertices) {
    for (int i = 0; i < mesh->skin.surface->vertex_count; i++) {
        vertices[i] = from[i];
        dress(&mesh->skin, i, &vertices[i]);
    }
}

/* A mesh and its later stages. */
static void place_mesh(void *user, int leader) {
    SoftModels *models = user;
    const Soft *soft = models->soft;
    int first = models->leaders.at[leader];
    const SoftVertex *placed = models->vertices + models->meshes.at[first].first_vertex;
    for (size_t i = (size_t)first; i < models->meshes.count && ((int)i == first || models->meshes.at[i].again); i++) {
        SoftMesh *mesh = &models->meshes.at[i];
        SoftVertex *vertices = models->vertices + mesh->first_vertex;
        if (mesh->again)
            place_again(mesh, placed, vertices);
        for (int k = 0; k < mesh->skin.surface->vertex_count && !mesh->again; k++)
            soft_vertex_make(&mesh->raster.view, &soft->world, &mesh->skin, k, mesh->raster.drawer == DRAWER_MASK, &vertices[k]);
        measure(models, mesh, vertices);
    }
}

static void mesh_wires(Soft *soft, const FrameMesh *mesh) {
    for (int i = 0; i < mesh->surface->triangle_count * 3; i++) {
        int next = i % 3 == 2 ? i - 2 : i + 1;
        double a[3], b[3];
        soft_pose_point(&soft->world, mesh->positions[mesh->surface->indexes[i]], a);
        soft_pose_point(&soft->world, mesh->positions[mesh->surface->indexes[next]], b);
        soft_add_line(soft, a, b, soft->frame->wire, soft->frame->wire, 1, 0, TEST_NONE);
    }
}

/* The first of the world's blended faces, from `far` on, that is drawn after a blended mesh of the order. */
static size_t next_far(const Soft *soft, int blended, size_t far) {
    const SoftScratch *scratch = &soft->scratch;
    while (far < scratch->far.count && scratch->far.at[far].meshes <= blended)
        far++;
    return far;
}

void soft_models_gather(Soft *soft, SoftModels *models) {
    const Frame *frame = soft->frame;
    double start = soft_milliseconds();
    array_clear(&models->meshes);
    models->first_blended = 0;
    models->gather_ms = 0;
    if (frame->shade == SHADE_WIRE) {
        for (size_t i = 0; i < frame->meshes.count; i++)
            mesh_wires(soft, &frame->meshes.at[i]);
        return;
    }
    const SoftDrawer *drawers = choose_drawers(soft, models);
    int first_blended;
    const int *order = frame_mesh_order(frame, &first_blended);
    models->vertex_count = 0;
    size_t far = 0;
    for (int i = 0; i < (int)frame->meshes.count; i++) {
        const FrameMesh *mesh = &frame->meshes.at[order[i]];
        size_t first = models->meshes.count;
        for (int k = 0; k < mesh->stage_count && frame->shade == SHADE_LIT; k++)
            add_stage(soft, models, mesh, &mesh->stages[k], drawers[order[i]]);
        if (!mesh->stage_count || frame->shade != SHADE_LIT)
            add_mesh(soft, models, mesh, drawers[order[i]]);
        if (i < first_blended) {
            models->first_blended = models->meshes.count;
            continue;
        }
        far = next_far(soft, i - first_blended, far);
        for (; first < models->meshes.count; first++)
            models->meshes.at[first].item = far < soft->scratch.far.count ? (size_t)soft->scratch.far.at[far].first_item : SIZE_MAX;
    }
    if (models->vertex_count > models->vertex_room) {
        mem_free(models->vertices);
        models->vertex_room = models->vertex_count + models->vertex_count / 2;
        models->vertices = mem_aligned(64, models->vertex_room * sizeof *models->vertices);
    }
    models->soft = soft;
    array_clear(&models->leaders);
    for (size_t i = 0; i < models->meshes.count; i++)
        if (!models->meshes.at[i].again)
            *array_push(&models->leaders) = (int)i;
    if (models->leaders.count)
        jobs_each(soft->jobs, (int)models->leaders.count, place_mesh, models);
    models->gather_ms = soft_milliseconds() - start;
}

void soft_models_begin(SoftModels *models, int bands) {
    array_clear(&models->counts);
    if (bands)
        memset(array_push_n(&models->counts, (size_t)bands), 0, (size_t)bands * sizeof *models->counts.at);
}

static void draw_mesh(SoftModels *models, const SoftMesh *mesh, const SoftTarget *target, int band, int y0, int y1) {
    SoftRaster raster = mesh->raster;
    raster.color = target->color + soft_place(target, 0, y0);
    raster.depth = target->depth + soft_place(target, 0, y0);
    raster.y0 = y0;
    raster.y1 = y1;
    raster.triangles = models->counts.at[band].triangles;
    if (mesh->stack) {
        int64_t before = raster.triangles[DRAWER_AFFINE] + raster.triangles[DRAWER_SUBDIVISION] + raster.triangles[DRAWER_MASK];
        soft_stack_draw(&raster, &models->soft->world, &mesh->skin);
        models->counts.at[band].stack += raster.triangles[DRAWER_AFFINE] + raster.triangles[DRAWER_SUBDIVISION] + raster.triangles[DRAWER_MASK] - before;
        return;
    }
    const SoftVertex *vertices = models->vertices + mesh->first_vertex;
    const uint16_t *indexes = mesh->skin.surface->indexes;
    for (int i = 0; i < mesh->skin.surface->triangle_count; i++, indexes += 3)
        soft_model_triangle(&raster, &vertices[indexes[0]], &vertices[indexes[1]], &vertices[indexes[2]]);
}

/* Of this thread alone: what others do meanwhile does not count. */
static double thread_milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

/* Whether everything in rows y0 .. y1-1 of a mesh's box is nearer than it: a model behind a wall is not worth its triangles. */
static bool is_behind(const SoftMesh *mesh, const SoftTarget *target, int y0, int y1) {
    const __m128 nearest = _mm_set1_ps(mesh->nearest);
    if (mesh->raster.meet == MEET_ALL || !(mesh->nearest < INFINITY))
        return false;
    int x0 = mesh->x0 & ~3;    /* rows are whole cells long: what is read besides is other pixels of the row */
    for (int y = MAX(y0, mesh->y0); y < MIN(y1, mesh->y1); y++) {
        const float *depth = target->depth + soft_place(target, 0, y);
        for (int x = x0; x < mesh->x1; x += 4)
            if (_mm_movemask_ps(_mm_cmple_ps(_mm_loadu_ps(depth + x), nearest)))
                return false;
    }
    return true;
}

static void draw_meshes(SoftModels *models, const SoftTarget *target, int band, int y0, int y1, size_t from, size_t to) {
    if (from == to)
        return;
    double start = thread_milliseconds();
    for (size_t i = from; i < to; i++) {
        const SoftMesh *mesh = &models->meshes.at[i];
        if (mesh->seen && mesh->y0 < y1 && mesh->y1 > y0 && !is_behind(mesh, target, y0, y1))
            draw_mesh(models, mesh, target, band, y0, y1);
    }
    models->counts.at[band].ms += thread_milliseconds() - start;
}

void soft_models_draw(SoftModels *models, const SoftTarget *target, int band, int y0, int y1) {
    draw_meshes(models, target, band, y0, y1, 0, models->first_blended);
}

void soft_models_blended(SoftModels *models, const SoftTarget *target, int band, int y0, int y1, size_t item, size_t *next) {
    size_t from = MAX(*next, models->first_blended), to = from;
    while (to < models->meshes.count && models->meshes.at[to].item <= item)
        to++;
    draw_meshes(models, target, band, y0, y1, from, to);
    *next = to;
}

int soft_models_stats(const SoftModels *models, RenderStat *out) {
    BandCounts sum = { .ms = 0 };
    for (size_t i = 0; i < models->counts.count; i++) {
        for (int k = 0; k < DRAWER_COUNT; k++)
            sum.triangles[k] += models->counts.at[i].triangles[k];
        sum.stack += models->counts.at[i].stack;
        sum.ms += models->counts.at[i].ms;
    }
    const RenderStat stats[SOFT_MODEL_STATS] = {
        { "models_place_ms", models->gather_ms }, { "models_ms", sum.ms }, { "meshes", (double)models->meshes.count },
        { "models_affine", (double)sum.triangles[DRAWER_AFFINE] }, { "models_subdivision", (double)sum.triangles[DRAWER_SUBDIVISION] },
        { "models_mask", (double)sum.triangles[DRAWER_MASK] }, { "models_stack", (double)sum.stack },
    };
    memcpy(out, stats, sizeof stats);
    return SOFT_MODEL_STATS;
}
