/* engine/engine_sound.c -- what sounds where: a list that entities fill, and how loud each is at the eye.
 *
 * Only the window hears: everywhere else the list stays empty, and no file is read. */
#include "engine/engine_internal.h"

static const float full_within = 80, fade = 0.0008f;    /* the engine's: loudness is lost over 1250 units */

/* A sound by its name, read once; NULL: it cannot be played, which was said. */
static const Sound *find_sound(Engine *engine, const char *name) {
    EngineSounds *sounds = &engine->sounds;
    if (!sounds->arena)
        sounds->arena = arena_open();
    void **place = table_place(&sounds->by_name, arena_text(sounds->arena, name));
    if (*place)
        return ((EngineSoundFile *)*place)->sound;
    EngineSoundFile *file = *place = arena_new(sounds->arena, EngineSoundFile);
    FileBytes bytes;
    Error error;
    if (!files_read(engine->files, name, &bytes, &error)) {
        log_warn(engine->log, "%s", error.text);
        return NULL;
    }
    file->sound = sound_load(sounds->arena, name, bytes.bytes, bytes.size, &error);
    file_free(&bytes);
    if (!file->sound)
        log_warn(engine->log, "%s", error.text);
    return file->sound;
}

/* The device is opened by the first sound. */
static bool can_hear(Engine *engine) {
    EngineSounds *sounds = &engine->sounds;
    if (!sounds->hears || engine->var.volume->number <= 0)
        return false;
    if (!sounds->tried) {
        Error error;
        sounds->tried = true;
        sounds->audio = audio_open(&error);
        if (!sounds->audio)
            log_info(engine->log, "%s", error.text);
    }
    return sounds->audio != NULL;
}

void engine_sound_play(Engine *engine, int entity, const char *name, bool loop, bool everywhere) {
    const Sound *sound = can_hear(engine) ? find_sound(engine, name) : NULL;
    if (!sound)
        return;
    EngineSounds *sounds = &engine->sounds;
    for (size_t i = 0; loop && i < sounds->list.count; i++)    /* one loop an entity */
        if (sounds->list.at[i].loop && sounds->list.at[i].entity == entity)
            return;
    const SimEntity *self = sim_entity(engine->sim, entity);
    *array_push(&sounds->list) = (EngineSound){
        .id = ++sounds->last_id, .entity = entity, .generation = self->generation, .sound = sound, .origin = box_middle(self->absolute),
        .loop = loop, .everywhere = everywhere, .ends = engine->clock.now + sound_seconds(sound) };
}

void engine_sound_stop(Engine *engine, int entity) {
    EngineSounds *sounds = &engine->sounds;
    size_t kept = 0;
    for (size_t i = 0; i < sounds->list.count; i++)
        if (sounds->list.at[i].entity != entity)
            sounds->list.at[kept++] = sounds->list.at[i];
    sounds->list.count = kept;
}

static AudioVoice heard(const Engine *engine, const EngineSound *sound, Axes axes) {
    float volume = (float)engine->var.volume->number, left = volume, right = volume;
    if (!sound->everywhere) {
        Vec3 way = vec3_sub(sound->origin, engine->scene.origin);
        float distance = vec3_length(way);
        volume *= CLAMP(1 - (distance - full_within) * fade, 0.0f, 1.0f);
        float side = distance > 1 ? vec3_dot(way, axes.right) / distance : 0;
        left = volume * 0.5f * (1 - side);
        right = volume * 0.5f * (1 + side);
    }
    return (AudioVoice){ sound->id, sound->sound->samples, sound->sound->count, sound->sound->rate, sound->loop, left, right };
}

/* Loops end with their entity; what plays once goes on to its end. */
static bool goes_on(Engine *engine, EngineSound *sound) {
    bool there = engine->sim && sound->entity < sim_count(engine->sim);
    const SimEntity *self = there ? sim_entity(engine->sim, sound->entity) : NULL;
    bool lives = self && self->alive && self->generation == sound->generation;
    if (lives)
        sound->origin = box_middle(self->absolute);
    return sound->loop ? lives : engine->clock.now < sound->ends;
}

void engine_sounds_run(Engine *engine) {
    EngineSounds *sounds = &engine->sounds;
    if (!sounds->audio)
        return;
    AudioVoice voices[AUDIO_VOICES_MOST];
    Axes axes = axes_from_angles(engine->scene.angles);
    size_t kept = 0;
    int loud = 0;
    for (size_t i = 0; i < sounds->list.count; i++) {
        EngineSound sound = sounds->list.at[i];
        if (!goes_on(engine, &sound))
            continue;
        sounds->list.at[kept++] = sound;
        AudioVoice voice = heard(engine, &sound, axes);
        if (loud < AUDIO_VOICES_MOST)
            voices[loud++] = voice;
    }
    sounds->list.count = kept;
    audio_play(sounds->audio, voices, loud);
}

void engine_sounds_clear(Engine *engine) {
    array_clear(&engine->sounds.list);
    if (engine->sounds.audio)
        audio_play(engine->sounds.audio, NULL, 0);
}

void engine_sounds_close(Engine *engine) {
    EngineSounds *sounds = &engine->sounds;
    audio_close(sounds->audio);    /* first: it plays from the arena */
    array_free(&sounds->list);
    table_free(&sounds->by_name);
    if (sounds->arena)
        arena_close(sounds->arena);
}
