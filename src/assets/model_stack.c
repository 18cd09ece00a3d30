/* assets/model_stack.c -- a surface as commands for a small stack of vertices (Bar-Yehuda and Gotsman, 1996).
 *
 * Commands put a vertex on top, take some away from the top, and draw a triangle of any three that are there. Each step
 * draws the triangle that needs the fewest new vertices, looking from the top down; vertices that no triangle needs any
 * more go as soon as they are on top. */
#include "assets/model.h"

typedef struct Maker {
    const ModelSurface *surface;
    int *first, *uses;               /* by vertex: its triangles are uses[first[v] .. first[v + 1]) */
    int *left;                       /* by vertex: triangles still to draw */
    int *next;                       /* by vertex: its first triangle that may be still to draw */
    int *place;                      /* by vertex: on the stack, -1: not there */
    bool *drawn;
    int stack[MODEL_STACK], count;
    int unseen;                      /* triangles before this one are drawn */
    ARRAY(ModelCommand) out;
} Maker;

enum { LOOK = 24 };    /* triangles of one vertex that are looked at for the next: a bound for files made to be slow */

static const uint16_t *corners_of(const Maker *in, int triangle) { return in->surface->indexes + (size_t)triangle * 3; }

static void note_uses(Maker *in, Arena *arena) {
    int vertices = in->surface->vertex_count, triangles = in->surface->triangle_count;
    in->first = arena_array(arena, int, vertices + 1);
    in->left = arena_array(arena, int, vertices);
    in->next = arena_array(arena, int, vertices);
    in->place = arena_array(arena, int, vertices);
    in->uses = arena_array(arena, int, (size_t)triangles * 3);
    in->drawn = arena_array(arena, bool, triangles);
    for (int i = 0; i < triangles * 3; i++)
        in->left[in->surface->indexes[i]]++;
    for (int v = 0; v < vertices; v++) {
        in->first[v + 1] = in->first[v] + in->left[v];
        in->next[v] = in->first[v];
        in->place[v] = -1;
    }
    for (int i = 0; i < triangles * 3; i++)
        in->uses[in->next[in->surface->indexes[i]]++] = i / 3;
    for (int v = 0; v < vertices; v++)
        in->next[v] = in->first[v];
}

static int missing(const Maker *in, int triangle) {
    const uint16_t *corner = corners_of(in, triangle);
    int count = 0;
    for (int i = 0; i < 3; i++)
        count += in->place[corner[i]] < 0 && (i == 0 || corner[i] != corner[0]) && (i < 2 || corner[2] != corner[1]);
    return count;
}

static int choose(Maker *in) {
    int best = -1, least = 4;
    for (int i = in->count - 1; i >= 0 && least > 0; i--) {
        int v = in->stack[i], *next = &in->next[v], end = in->first[v + 1];
        while (*next < end && in->drawn[in->uses[*next]])
            (*next)++;
        for (int k = *next; k < end && k < *next + LOOK && least > 0; k++)
            if (!in->drawn[in->uses[k]] && missing(in, in->uses[k]) < least) {
                best = in->uses[k];
                least = missing(in, best);
            }
    }
    if (best >= 0)
        return best;
    while (in->drawn[in->unseen])
        in->unseen++;
    return in->unseen;
}

static void pop(Maker *in, int count) {
    if (count <= 0)
        return;
    for (int i = 0; i < count; i++)
        in->place[in->stack[--in->count]] = -1;
    *array_push(&in->out) = MODEL_POP | (ModelCommand)count;
}

static void pop_finished(Maker *in) {
    int count = 0;
    while (count < in->count && in->left[in->stack[in->count - 1 - count]] == 0)
        count++;
    pop(in, count);
}

static void draw(Maker *in, int triangle) {
    const uint16_t *corner = corners_of(in, triangle);
    while (in->count + missing(in, triangle) > MODEL_STACK)
        pop(in, in->count + missing(in, triangle) - MODEL_STACK);
    for (int i = 0; i < 3; i++)
        if (in->place[corner[i]] < 0) {
            in->place[corner[i]] = in->count;
            in->stack[in->count++] = corner[i];
            *array_push(&in->out) = MODEL_PUSH | corner[i];
        }
    *array_push(&in->out) = MODEL_DRAW | (ModelCommand)in->place[corner[0]] << 16 | (ModelCommand)in->place[corner[1]] << 8 | (ModelCommand)in->place[corner[2]];
    in->drawn[triangle] = true;
    for (int i = 0; i < 3; i++)
        in->left[corner[i]]--;
}

void model_stack_make(ModelSurface *surface, Arena *arena) {
    Arena *scratch = arena_open();
    Maker in = { .surface = surface };
    note_uses(&in, scratch);
    for (int i = 0; i < surface->triangle_count; i++) {
        draw(&in, choose(&in));
        pop_finished(&in);
    }
    surface->command_count = (int)in.out.count;
    surface->commands = array_keep(&in.out, arena);
    array_free(&in.out);
    arena_close(scratch);
}
