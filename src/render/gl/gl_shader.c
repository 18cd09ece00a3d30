/* render/gl/gl_shader.c -- shader pairs, read from files and read again when they change.
 *
 * A program NAME is shaders/NAME.vert.glsl and shaders/NAME.frag.glsl; common.glsl is put before each, after its version
 * line. Text that does not compile changes nothing on the screen: the last program that did goes on, and the problem is
 * told with file and line. */
#include <stdio.h>
#include <stdlib.h>

#include "files/files.h"
#include "render/gl/gl_internal.h"

#define STAGE_ROW(start, extra, number) [(start) + (number) - 1] = { "stages", extra "#define STAGES " #number "\n" }
#define STAGE_ROWS(start, extra) STAGE_ROW(start, extra, 1), STAGE_ROW(start, extra, 2), STAGE_ROW(start, extra, 3), \
    STAGE_ROW(start, extra, 4), STAGE_ROW(start, extra, 5), STAGE_ROW(start, extra, 6), STAGE_ROW(start, extra, 7), STAGE_ROW(start, extra, 8)

static const struct { const char *name, *define; } rows[PROGRAM_COUNT] = {
    [PROGRAM_LIT] = { "world", "" },
    [PROGRAM_LIT_MASKED] = { "world", "#define MASKED\n" },    /* apart: a shader that may discard draws without early depth */
    [PROGRAM_VIEWS] = { "world", "#define VIEWS\n" },          /* every other view */
    [PROGRAM_VIEWS_MASKED] = { "world", "#define VIEWS\n#define MASKED\n" },
    [PROGRAM_SKY] = { "sky", "" },
    [PROGRAM_TINT] = { "tint", "" },
    [PROGRAM_OVERLAY] = { "overlay", "" },
    [PROGRAM_LINE] = { "line", "" },
    [PROGRAM_UI] = { "ui", "" },
    [PROGRAM_GAMMA] = { "gamma", "" },
    STAGE_ROWS(PROGRAM_STAGES, ""),
    STAGE_ROWS(PROGRAM_SKY_STAGES, "#define SKY\n"),
};
static const char common[] = "common.glsl";
enum { COMMON_LINES = 100000 };    /* its lines are numbered from here on, the only way that all drivers tell them apart */

static void shader_path(const Gl *gl, Text *out, const char *file) {
    out->count = 0;
    text_format(out, "%s/%s", gl->shader_folder, file);
}

static bool read_shader(const Gl *gl, const char *file, FileBytes *out, Error *error) {
    Text path = { 0 };
    shader_path(gl, &path, file);
    bool ok = file_read_disk(text_of(&path), out, error);
    if (gl->watch)
        watch_add(gl->watch, text_of(&path));
    text_free(&path);
    return ok;
}

/* Drivers tell the place as "0:12(5): ", "0(12) : " or "ERROR: 0:12: "; the second number is the line. */
static void read_log(const char *log, const char *file, Text *out) {
    const char *at = log;
    if (!strncmp(at, "ERROR: ", 7))
        at += 7;
    char *end;
    (void)strtol(at, &end, 10);
    if (end != at && (*end == ':' || *end == '(')) {
        const char *digits = end + 1;
        long line = strtol(digits, &end, 10);
        if (end != digits) {
            end += strcspn(end, " \n");
            while (*end == ' ' || *end == ':')
                end++;
            bool shared = line > COMMON_LINES;
            text_format(out, "shaders/%s:%ld: %.*s", shared ? common : file, shared ? line - COMMON_LINES : line,
                        (int)strcspn(end, "\n"), end);
            return;
        }
    }
    text_format(out, "shaders/%s: %.*s", file, (int)strcspn(log, "\n"), log);
}

/* 0 and a problem in words, or the shader. */
static unsigned compile(GLenum kind, const char *file, const FileBytes *shared, const FileBytes *own, const char *define, Text *problem) {
    const char *text = (const char *)own->bytes, *version = strstr(text, "#version");
    if (!version) {
        text_format(problem, "shaders/%s:1: no #version line", file);
        return 0;
    }
    size_t head = (size_t)(version - text) + strcspn(version, "\n");
    int lines = 1;
    for (size_t i = 0; i < head; i++)
        lines += text[i] == '\n';
    char apart[40], resume[40];
    snprintf(apart, sizeof apart, "#line %d\n", COMMON_LINES + 1);
    snprintf(resume, sizeof resume, "\n#line %d\n", lines + 1);
    const char *rest = text + head + (text[head] == '\n');
    const char *parts[] = { text, "\n", define, apart, (const char *)shared->bytes, resume, rest };
    const GLint lengths[] = { (GLint)head, -1, -1, -1, -1, -1, -1 };
    unsigned shader = glCreateShader(kind);
    glShaderSource(shader, COUNT_OF(parts), parts, lengths);
    glCompileShader(shader);
    GLint ok;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
    if (ok)
        return shader;
    char log[2048] = "does not compile";
    glGetShaderInfoLog(shader, sizeof log, NULL, log);
    read_log(log, file, problem);
    glDeleteShader(shader);
    return 0;
}

static unsigned link(unsigned vertex, unsigned fragment, const char *name, Text *problem) {
    unsigned program = glCreateProgram();
    glAttachShader(program, vertex);
    glAttachShader(program, fragment);
    glLinkProgram(program);
    GLint ok;
    glGetProgramiv(program, GL_LINK_STATUS, &ok);
    if (ok)
        return program;
    char log[2048] = "does not link";
    glGetProgramInfoLog(program, sizeof log, NULL, log);
    text_format(problem, "shaders/%s.*: %.*s", name, (int)strcspn(log, "\n"), log);
    glDeleteProgram(program);
    return 0;
}

static unsigned build(Gl *gl, int kind, Text *problem) {
    char vertex_file[64], fragment_file[64];
    snprintf(vertex_file, sizeof vertex_file, "%s.vert.glsl", rows[kind].name);
    snprintf(fragment_file, sizeof fragment_file, "%s.frag.glsl", rows[kind].name);
    FileBytes shared = { 0 }, vertex_text = { 0 }, fragment_text = { 0 };
    unsigned vertex = 0, fragment = 0, program = 0;
    Error error = { "" };
    if (!read_shader(gl, common, &shared, &error) || !read_shader(gl, vertex_file, &vertex_text, &error)
        || !read_shader(gl, fragment_file, &fragment_text, &error)) {
        text_add(problem, error.text);
    } else {
        vertex = compile(GL_VERTEX_SHADER, vertex_file, &shared, &vertex_text, rows[kind].define, problem);
        fragment = vertex ? compile(GL_FRAGMENT_SHADER, fragment_file, &shared, &fragment_text, rows[kind].define, problem) : 0;
        program = fragment ? link(vertex, fragment, rows[kind].name, problem) : 0;
    }
    glDeleteShader(vertex);
    glDeleteShader(fragment);
    file_free(&shared);
    file_free(&vertex_text);
    file_free(&fragment_text);
    return program;
}

static void set_up(GlProgram *program, unsigned id) {
    if (program->id)
        glDeleteProgram(program->id);
    program->id = id;
    glUseProgram(id);
    program->model = glGetUniformLocation(id, "model");
    program->shade = glGetUniformLocation(id, "shade");
    program->alpha_test = glGetUniformLocation(id, "alpha_test");
    program->has_image = glGetUniformLocation(id, "has_image");
    program->model_eye = glGetUniformLocation(id, "model_eye");
    program->light_on = glGetUniformLocation(id, "light_on");
    program->stage = glGetUniformLocation(id, "stage");
    program->ending = glGetUniformLocation(id, "ending");
    program->fog_color = glGetUniformLocation(id, "fog_color");
    program->fog_distance = glGetUniformLocation(id, "fog_distance");
    program->fog_depth = glGetUniformLocation(id, "fog_depth");
    program->fog_eye_depth = glGetUniformLocation(id, "fog_eye_depth");
    program->has_box = glGetUniformLocation(id, "has_box");
    static const struct { const char *name; int unit, count; } samplers[] = {
        { "image", UNIT_IMAGE, 1 }, { "lightmaps", UNIT_LIGHTMAPS, 1 }, { "numbers", UNIT_NUMBERS, 1 },
        { "images", UNIT_STAGES, STAGES_MOST }, { "box", UNIT_BOX, 6 }, { "table", UNIT_TABLE, 1 },
    };
    for (int i = 0; i < COUNT_OF(samplers); i++)
        for (int k = 0; k < samplers[i].count; k++) {
            char name[32];
            snprintf(name, sizeof name, samplers[i].count > 1 ? "%s[%d]" : "%s", samplers[i].name, k);
            int at = glGetUniformLocation(id, name);
            if (at >= 0)
                glUniform1i(at, samplers[i].unit + k);
        }
    unsigned block = glGetUniformBlockIndex(id, "Frame");
    if (block != GL_INVALID_INDEX)
        glUniformBlockBinding(id, block, 0);
}

static bool load(Gl *gl, int kind) {
    GlProgram *program = &gl->programs[kind];
    program->problem.count = 0;
    program->tried = true;
    unsigned id = build(gl, kind, &program->problem);
    if (id)
        set_up(program, id);
    return id != 0;
}

bool gl_shaders_open(Gl *gl, Error *error) {
    for (int i = 0; i <= PROGRAM_STAGES; i++)    /* of those with stages the first: a mistake in their text is told at once */
        if (!load(gl, i))
            return fail(error, "%s", text_of(&gl->programs[i].problem));
    return true;
}

void gl_shaders_close(Gl *gl) {
    for (int i = 0; i < PROGRAM_COUNT; i++) {
        if (gl->programs[i].id)
            glDeleteProgram(gl->programs[i].id);
        text_free(&gl->programs[i].problem);
    }
}

void gl_shaders_file_changed(Gl *gl, const char *path) {
    const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
    for (int i = 0; i < PROGRAM_COUNT; i++) {
        size_t length = strlen(rows[i].name);
        bool own = !strncmp(file, rows[i].name, length) && (!strcmp(file + length, ".vert.glsl") || !strcmp(file + length, ".frag.glsl"));
        if ((!own && strcmp(file, common)) || !gl->programs[i].tried)
            continue;
        if (!load(gl, i))
            log_error(gl->log, "%s", text_of(&gl->programs[i].problem));
    }
}

const char *gl_shaders_problem(Gl *gl) {
    for (int i = 0; i < PROGRAM_COUNT; i++)
        if (gl->programs[i].problem.count)
            return text_of(&gl->programs[i].problem);
    return NULL;
}

const GlProgram *gl_use(Gl *gl, GlProgramKind kind) {
    if (!gl->programs[kind].tried && !load(gl, (int)kind))
        log_error(gl->log, "%s", text_of(&gl->programs[kind].problem));
    glUseProgram(gl->programs[kind].id);
    return &gl->programs[kind];
}
