/* scene/scene.c -- the eye, and how brush models stand. */
#include "scene/scene.h"

#include "scene/scene_internal.h"

void scene_open(Scene *scene) {
    memset(scene, 0, sizeof *scene);
    scene->fov = 90;
}

static void forget_level(Scene *scene) {
    mem_free(scene->poses);
    mem_free(scene->leaf_stamp);
    mem_free(scene->face_stamp);
    mem_free(scene->cluster_stamp);
    scene_marks_close(scene->marks);
    scene_portals_close(scene->portals);
    scene->portals = NULL;
    scene->level = NULL;
    scene->poses = NULL;
    scene->pose_count = 0;
    scene->leaf_stamp = scene->face_stamp = scene->cluster_stamp = NULL;
    scene->marks = NULL;
    scene->stamp = 0;
    scene->locked = false;
    scene->areas = NULL;
    scene->drawn_leafs = scene->drawn_faces = scene->drawn_clusters = 0;
}

void scene_close(Scene *scene) { forget_level(scene); }

void scene_use_level(Scene *scene, const Level *level) {
    forget_level(scene);
    if (!level)
        return;
    const Map *map = level->map;
    scene->level = level;
    scene->leaf_stamp = mem_zeroed((size_t)map->leaf_count, sizeof *scene->leaf_stamp);
    scene->face_stamp = mem_zeroed((size_t)map->face_count, sizeof *scene->face_stamp);
    scene->cluster_stamp = mem_zeroed((size_t)map->cluster_count, sizeof *scene->cluster_stamp);
    scene->marks = scene_marks_open(map);
    scene->pose_count = map->model_count;
    scene->poses = mem_zeroed((size_t)map->model_count, sizeof *scene->poses);
    for (int i = 0; i < map->entity_count; i++) {
        int model = bsp_entity_model(map, &map->entities[i]);
        if (model <= 0 || model >= map->model_count)
            continue;
        ScenePose *pose = &scene->poses[model];
        pose->shown = true;
        if (!bsp_entity_vector(&map->entities[i], "origin", &pose->origin))
            pose->origin = vec3_at(0, 0, 0);
    }
}

void scene_fill(Scene *scene, Frame *frame, int width, int height) {
    frame->view = view_make(scene->origin, scene->angles, scene->fov, width, height);
    frame->level = scene->level;
    if (!scene->level) {
        scene->drawn_leafs = scene->drawn_faces = scene->drawn_clusters = 0;
        return;
    }
    const Map *map = scene->level->map;
    frame->view.leaf = bsp_leaf_at(map, frame->view.origin);
    frame->view.cluster = scene->locked ? scene->locked_cluster : bsp_cluster_at(map, frame->view.origin);
    scene_fill_visible(scene, frame);
    if (scene->level->portals)
        scene_fill_portals(scene, frame);
    scene->drawn_leafs = frame->leaf_count;
    scene->drawn_faces = frame->face_count;
    scene->drawn_clusters = frame->cluster_count;
}
