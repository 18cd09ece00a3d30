/* record/pixel_ids.c -- which face, leaf and material each pixel's middle shows: a small rasterizer of its own.
 *
 * Opaque faces of the frame (those with holes count as whole, blended ones are left out) and its models, front sides as
 * their materials say. Bands of rows are filled by any thread; of two surfaces at one depth the lower number wins, so the
 * order of drawing does not matter. */
#include <math.h>

#include "record/passes.h"

enum { BAND_ROWS = 16 };

void pixel_ids_open(PixelIds *ids, int width, int height) {
    size_t count = (size_t)width * (size_t)height;
    *ids = (PixelIds){ .width = width, .height = height };
    ids->depth = mem_zeroed(count, sizeof *ids->depth);
    ids->face = mem_zeroed(count, sizeof *ids->face);
    ids->leaf = mem_zeroed(count, sizeof *ids->leaf);
    ids->cluster = mem_zeroed(count, sizeof *ids->cluster);
    ids->material = mem_zeroed(count, sizeof *ids->material);
    ids->normal = mem_zeroed(count, sizeof *ids->normal);
    ids->overdraw = mem_zeroed(count, sizeof *ids->overdraw);
}

void pixel_ids_close(PixelIds *ids) {
    mem_free(ids->depth);
    mem_free(ids->face);
    mem_free(ids->leaf);
    mem_free(ids->cluster);
    mem_free(ids->material);
    mem_free(ids->normal);
    mem_free(ids->overdraw);
    *ids = (PixelIds){ 0 };
}

/* A corner in the eye's space: right, down, forward; and its normal in the level. */
typedef struct Corner { double at[3]; Vec3 normal; } Corner;

/* A triangle on the screen: 1/depth and the normal over depth are linear there. */
typedef struct Flat { double x[3], y[3], over[3]; Vec3 normal[3]; double low, high; int face, material; bool sky; } Flat;

typedef struct Fill {
    PixelIds *ids;
    const Frame *frame;
    ARRAY(Flat) flats;
    double focus_x, focus_y;
    struct { Vec3 origin; Axes axes; bool moved; } pose;    /* of the brush model whose faces come */
} Fill;

static Vec3 placed(const Fill *fill, Vec3 p, bool direction) {
    if (!fill->pose.moved)
        return p;
    const Axes *a = &fill->pose.axes;
    Vec3 turned = vec3_add(vec3_add_scaled(vec3_scale(a->forward, p.x), a->right, -p.y), vec3_scale(a->up, p.z));
    return direction ? turned : vec3_add(turned, fill->pose.origin);
}

static void add_flat(Fill *fill, const Corner *a, const Corner *b, const Corner *c, int face, int material, MaterialCull cull, bool sky) {
    Flat flat = { .face = face, .material = material, .sky = sky, .low = 1e30, .high = -1e30 };
    const Corner *corners[3] = { a, b, c };
    for (int i = 0; i < 3; i++) {
        double over = 1 / corners[i]->at[2];
        flat.x[i] = fill->ids->width / 2.0 + corners[i]->at[0] * over * fill->focus_x;
        flat.y[i] = fill->ids->height / 2.0 + corners[i]->at[1] * over * fill->focus_y;
        flat.over[i] = over;
        flat.normal[i] = corners[i]->normal;
        flat.low = fmin(flat.low, flat.y[i]);
        flat.high = fmax(flat.high, flat.y[i]);
    }
    double area = (flat.x[1] - flat.x[0]) * (flat.y[2] - flat.y[0]) - (flat.x[2] - flat.x[0]) * (flat.y[1] - flat.y[0]);
    bool front = area > 0;    /* clockwise on a screen whose y goes down */
    if (area == 0 || (cull == CULL_FRONT_SHOWN && !front) || (cull == CULL_BACK_SHOWN && front))
        return;
    *array_push(&fill->flats) = flat;
}

static Corner between(const Corner *a, const Corner *b, double near) {
    double u = (near - a->at[2]) / (b->at[2] - a->at[2]);
    Corner out = { .normal = vec3_mix(a->normal, b->normal, (float)u) };
    for (int i = 0; i < 3; i++)
        out.at[i] = a->at[i] + (b->at[i] - a->at[i]) * u;
    out.at[2] = near;
    return out;
}

static void add_triangle(Fill *fill, const Corner in[3], int face, int material, MaterialCull cull, bool sky) {
    Corner out[4];
    int count = 0;
    double near = fill->frame->view.near;
    for (int i = 0; i < 3; i++) {
        const Corner *from = &in[i], *to = &in[(i + 1) % 3];
        if (from->at[2] >= near)
            out[count++] = *from;
        if ((from->at[2] >= near) != (to->at[2] >= near))
            out[count++] = between(from, to, near);
    }
    for (int i = 2; i < count; i++)
        add_flat(fill, &out[0], &out[i - 1], &out[i], face, material, cull, sky);
}

static Corner corner_of(const Fill *fill, Vec3 position, Vec3 normal) {
    const View *view = &fill->frame->view;
    double d[3] = { (double)position.x - view->origin.x, (double)position.y - view->origin.y, (double)position.z - view->origin.z };
    const Vec3 *axes[3] = { &view->axes.right, &view->axes.up, &view->axes.forward };
    Corner out = { .normal = normal };
    for (int i = 0; i < 3; i++)
        out.at[i] = (d[0] * axes[i]->x + d[1] * axes[i]->y + d[2] * axes[i]->z) * (i == 1 ? -1 : 1);
    return out;
}

static void add_face(Fill *fill, int number) {
    const Level *level = fill->frame->level;
    const BspFace *face = &level->map->faces[number];
    const BspFaceRange *range = &level->geometry->faces[number];
    const Material *material = level->materials ? level->materials[face->texture] : NULL;
    if (material && (material->nodraw || (material->blended && !material->sky)))
        return;
    bool sky = (material && material->sky) || level->map->textures[face->texture].flags & SURF_SKY;
    MaterialCull cull = material ? material->cull : CULL_FRONT_SHOWN;
    for (int i = 0; i + 2 < range->index_count; i += 3) {
        Corner corners[3];
        for (int c = 0; c < 3; c++) {
            const BspVertex *vertex = &level->geometry->vertices[level->geometry->indexes[range->first_index + i + c]];
            corners[c] = corner_of(fill, placed(fill, vertex->position, false), placed(fill, vertex->normal, true));
        }
        add_triangle(fill, corners, number, face->texture, cull, sky);
    }
}

static void add_mesh(Fill *fill, const FrameMesh *mesh) {
    const ModelSurface *surface = mesh->surface;
    if (mesh->blended)
        return;
    for (int i = 0; i + 2 < surface->triangle_count * 3; i += 3) {
        Vec3 p[3];
        for (int c = 0; c < 3; c++)
            p[c] = mesh->positions[surface->indexes[i + c]];
        Vec3 normal = vec3_normalized(vec3_cross(vec3_sub(p[2], p[0]), vec3_sub(p[1], p[0])));
        Corner corners[3];
        for (int c = 0; c < 3; c++)
            corners[c] = corner_of(fill, p[c], normal);
        add_triangle(fill, corners, -1, -1, mesh->cull, false);
    }
}

/* One row of one triangle; what is nearer stays. */
static void fill_row(const Fill *fill, const Flat *flat, int y) {
    PixelIds *ids = fill->ids;
    double at = y + 0.5, left = 1e30, right = -1e30;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3;
        double y0 = flat->y[i], y1 = flat->y[j];
        if ((y0 <= at) == (y1 <= at))
            continue;
        double x = flat->x[i] + (at - y0) / (y1 - y0) * (flat->x[j] - flat->x[i]);
        left = fmin(left, x);
        right = fmax(right, x);
    }
    if (left > right)
        return;
    int from = (int)fmax(0, ceil(left - 0.5)), to = (int)fmin(ids->width, ceil(right - 0.5));
    double det = (flat->x[1] - flat->x[0]) * (flat->y[2] - flat->y[0]) - (flat->x[2] - flat->x[0]) * (flat->y[1] - flat->y[0]);
    for (int x = from; x < to; x++) {
        double dx = x + 0.5 - flat->x[0], dy = at - flat->y[0];
        double w1 = (dx * (flat->y[2] - flat->y[0]) - dy * (flat->x[2] - flat->x[0])) / det;
        double w2 = (dy * (flat->x[1] - flat->x[0]) - dx * (flat->y[1] - flat->y[0])) / det;
        double w0 = 1 - w1 - w2, over = w0 * flat->over[0] + w1 * flat->over[1] + w2 * flat->over[2];
        if (!(over > 0))
            continue;
        size_t pixel = (size_t)y * (size_t)ids->width + (size_t)x;
        ids->overdraw[pixel] += ids->overdraw[pixel] < UINT16_MAX;
        float depth = (float)(1 / over);
        if (depth > ids->depth[pixel] || (depth == ids->depth[pixel] && ids->face[pixel] >= 0 && ids->face[pixel] <= flat->face))
            continue;
        ids->depth[pixel] = depth;
        ids->face[pixel] = flat->face;
        ids->material[pixel] = flat->material;
        ids->leaf[pixel] = flat->sky ? -2 : 0;    /* found below */
        Vec3 normal = { 0 };
        const double w[3] = { w0, w1, w2 };
        for (int i = 0; i < 3; i++)
            normal = vec3_add_scaled(normal, flat->normal[i], (float)(w[i] * flat->over[i] / over));
        ids->normal[pixel] = vec3_normalized(normal);
    }
}

/* The leaf is that of the point seen, a little towards the eye: out of the wall that it lies on. */
static void find_leafs(const Fill *fill, int y) {
    PixelIds *ids = fill->ids;
    const View *view = &fill->frame->view;
    const Map *map = fill->frame->level->map;
    for (int x = 0; x < ids->width; x++) {
        size_t pixel = (size_t)y * (size_t)ids->width + (size_t)x;
        if (!isfinite(ids->depth[pixel]))
            continue;
        double right = (x + 0.5 - ids->width / 2.0) / fill->focus_x, down = (y + 0.5 - ids->height / 2.0) / fill->focus_y;
        Vec3 way = vec3_add_scaled(vec3_add_scaled(view->axes.forward, view->axes.right, (float)right), view->axes.up, (float)-down);
        float depth = ids->depth[pixel];
        Vec3 point = vec3_add_scaled(view->origin, way, fmaxf(0, depth - 0.25f - depth * 1e-5f));
        bool sky = ids->leaf[pixel] == -2;
        ids->leaf[pixel] = bsp_leaf_at(map, point);
        ids->cluster[pixel] = map->leafs[ids->leaf[pixel]].cluster;
        if (sky)
            ids->depth[pixel] = INFINITY;
    }
}

static void fill_band(void *user, int band) {
    const Fill *fill = user;
    PixelIds *ids = fill->ids;
    int from = band * BAND_ROWS, to = MIN(from + BAND_ROWS, ids->height);
    for (size_t pixel = (size_t)from * (size_t)ids->width; pixel < (size_t)to * (size_t)ids->width; pixel++) {
        ids->depth[pixel] = INFINITY;
        ids->face[pixel] = ids->leaf[pixel] = ids->cluster[pixel] = ids->material[pixel] = -1;
        ids->normal[pixel] = vec3_at(0, 0, 0);
        ids->overdraw[pixel] = 0;
    }
    for (size_t i = 0; i < fill->flats.count; i++) {
        const Flat *flat = &fill->flats.at[i];
        if (flat->high < from || flat->low > to)
            continue;
        int first = (int)fmax(from, floor(flat->low)), last = (int)fmin(to - 1, ceil(flat->high));
        for (int y = first; y <= last; y++)
            fill_row(fill, flat, y);
    }
    for (int y = from; y < to; y++)
        find_leafs(fill, y);
}

void pixel_ids_fill(PixelIds *ids, const Frame *frame, Jobs *jobs) {
    Fill fill = { .ids = ids, .frame = frame };
    View straight = view_make(vec3_at(0, 0, 0), vec3_at(0, 0, 0), frame->view.fov_x, ids->width, ids->height);
    float x, y, depth;
    /* The renderers' own projection: where a point one to the right and one up, at distance one, comes to. */
    view_project(&straight, vec3_at(1, -1, 1), &x, &y, &depth);
    fill.focus_x = (double)x - ids->width / 2.0;
    fill.focus_y = ids->height / 2.0 - (double)y;
    if (frame->level) {
        for (int i = 0; i < frame->face_count; i++)
            add_face(&fill, frame->faces[i]);
        for (size_t i = 0; i < frame->models.count; i++) {
            const FrameModel *model = &frame->models.at[i];
            const BspModel *of = &frame->level->map->models[model->model];
            fill.pose.origin = model->origin;
            fill.pose.axes = model->axes;
            fill.pose.moved = true;
            for (int f = 0; f < of->face_count; f++)
                add_face(&fill, of->first_face + f);
            fill.pose.moved = false;
        }
        for (size_t i = 0; i < frame->meshes.count; i++)
            add_mesh(&fill, &frame->meshes.at[i]);
        jobs_each(jobs, (ids->height + BAND_ROWS - 1) / BAND_ROWS, fill_band, &fill);
    }
    array_free(&fill.flats);
}
