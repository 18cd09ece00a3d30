/* assets/material_parse.c -- the .shader language: two tables of directives, and what to do with text that breaks its rules.
 *
 * A directive is a row: its word and the function that reads its parameters, which stand on the same line. Broken text
 * costs as little as possible: an unknown word its line, a missing brace the block it is missing from. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "assets/material_internal.h"
#include "bsp/flags.h"

typedef struct Parser {
    const MaterialParse *to;
    Scanner scan;
    int line;                    /* of the directive in work */
    int last_line;               /* of the word taken last */
    MaterialDef def;
    MaterialStage *stage;
    MaterialStage stages[STAGES_MOST + 1];    /* the last takes what is beyond the limit */
    int stage_count;
} Parser;

typedef struct Directive { const char *word; void (*read)(Parser *); } Directive;

static void tell(Parser *p, int line, bool broken, const char *format, ...) __attribute__((format(printf, 4, 5)));

static void tell(Parser *p, int line, bool broken, const char *format, ...) {
    char text[256];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    p->to->problem(p->to->user, line, broken, text);
}

static Token take(Parser *p) {
    Token token = scanner_take(&p->scan);
    p->last_line = token.line;
    if (p->scan.open_quote) {
        tell(p, p->scan.open_quote, true, "a quote is not closed");
        p->scan.open_quote = 0;
    }
    if (p->scan.glued) {
        tell(p, p->scan.glued, false, "a brace is glued to a word");
        p->scan.glued = 0;
    }
    return token;
}

static bool is_brace(Token token) { return token_is(token, "{") || token_is(token, "}"); }

/* A parameter follows on the directive's line. */
static bool more(const Parser *p) { return p->scan.next.text && p->scan.next.line == p->line && !is_brace(p->scan.next); }

static void skip_line(Parser *p) {
    while (more(p))
        take(p);
}

static const char *keep(Parser *p, Token token) {
    char *text = arena_text_n(p->to->arena, token.text, token.length);
    for (char *c = text; *c; c++)
        if (*c == '\\')
            *c = '/';
    return text;
}

static const char *text_param(Parser *p) { return more(p) ? keep(p, take(p)) : ""; }

/* The place of the next word in a list of words that ends with NULL, or -1; the word is taken either way. */
static int word_param(Parser *p, const char *const *words, const char *what) {
    if (!more(p)) {
        tell(p, p->line, false, "%s: a parameter is missing", what);
        return -1;
    }
    Token token = take(p);
    for (int i = 0; words[i]; i++)
        if (token_is(token, words[i]))
            return i;
    tell(p, token.line, false, "%s: unknown word '%.*s'", what, (int)MIN(token.length, (size_t)60), token.text);
    return -1;
}

static bool number_of(Token token, float *out) {
    char text[64];
    text_copy(text, MIN(token.length + 1, sizeof text), token.text);
    const char *end;
    double number = text_number(text, &end);
    bool read = end != text && isfinite(number) && fabs(number) < 1e30;
    *out = read ? (float)number : 0;
    return read;
}

static bool number_next(const Parser *p) {
    float number;
    return more(p) && number_of(p->scan.next, &number);
}

static float number_param(Parser *p, const char *what) {
    float number = 0;
    if (!more(p))
        tell(p, p->line, false, "%s: a number is missing", what);
    else if (!number_of(p->scan.next, &number))
        tell(p, p->line, false, "%s: '%.*s' is no number", what, (int)MIN(p->scan.next.length, (size_t)60), p->scan.next.text);
    if (more(p))
        take(p);
    return number;
}

static void numbers_param(Parser *p, float *out, int count, const char *what) {
    for (int i = 0; i < count; i++)
        out[i] = number_param(p, what);
}

/* "( r g b )", with the parentheses apart or glued to the numbers, or left out. */
static Vec3 vector_param(Parser *p, const char *what) {
    float v[3] = { 0 };
    int count = 0;
    bool closed = false;
    while (more(p) && !closed && (count < 3 || token_is(p->scan.next, ")"))) {
        Token token = p->scan.next;
        while (token.length && token.text[0] == '(')
            token.text++, token.length--;
        while (token.length && token.text[token.length - 1] == ')')
            token.length--, closed = true;
        if (token.length && !number_of(token, &v[count]))
            break;
        count += token.length > 0;
        take(p);
    }
    if (count < 3)
        tell(p, p->line, false, "%s: three numbers are wanted, %d are there", what, count);
    return vec3_at(v[0], v[1], v[2]);
}

static Wave wave_param(Parser *p, const char *what) {
    static const char *const kinds[] = { "sin", "square", "triangle", "sawtooth", "inversesawtooth", "noise", NULL };
    int kind = word_param(p, kinds, what);
    float n[4];
    numbers_param(p, n, 4, what);
    return (Wave){ kind < 0 ? WAVE_SIN : (WaveKind)kind, n[0], n[1], n[2], n[3] };
}

/* Noise is a colour's wave alone: the engine stops the map for it elsewhere. */
static Wave smooth_wave_param(Parser *p, const char *what) {
    Wave wave = wave_param(p, what);
    if (wave.kind == WAVE_NOISE) {
        tell(p, p->line, false, "%s: noise is no wave of this directive; sin is taken", what);
        wave.kind = WAVE_SIN;
    }
    return wave;
}


/* General directives. */

static void read_surfaceparm(Parser *p) {
    static const char *const clearing[] = { "water", "slime", "lava", "playerclip", "monsterclip", "nodrop", "origin",
        "areaportal", "clusterportal", "donotenter", "fog", "nonsolid" };
    if (!more(p))
        return;
    Token token = take(p);
    char word[32];
    text_copy(word, MIN(token.length + 1, sizeof word), token.text);
    const char *name = text_same(word, "trans") ? "translucent" : word;
    p->def.surface_flags |= bsp_flag_by_name(bsp_surface_flags, name);
    p->def.contents |= bsp_flag_by_name(bsp_contents_flags, name);
    for (int i = 0; i < COUNT_OF(clearing); i++)
        p->def.clears_solid = p->def.clears_solid || text_same(word, clearing[i]);
}

static void read_cull(Parser *p) {
    static const char *const words[] = { "none", "twosided", "disable", "back", "backside", "backsided", "front", NULL };
    int word = word_param(p, words, "cull");
    if (word >= 0)
        p->def.cull = word < 3 ? CULL_NONE : word < 6 ? CULL_BACK_SHOWN : CULL_FRONT_SHOWN;
}

static void read_skyparms(Parser *p) {
    const char *box = text_param(p);
    float height = 0;
    if (number_next(p))
        height = number_param(p, "skyparms");
    p->def.sky = true;
    p->def.sky_box = strcmp(box, "-") == 0 ? "" : box;
    p->def.cloud_height = height > 0 ? height : 512;    /* the engine's, where the manual says 128 */
}

static void read_fogparms(Parser *p) {
    p->def.fog = true;
    p->def.fog_color = vector_param(p, "fogparms");
    p->def.fog_depth = number_param(p, "fogparms");
}

static void read_sun(Parser *p) {
    float n[6];
    numbers_param(p, n, 6, "q3map_sun");
    p->def.sun = true;
    p->def.sun_color = vec3_at(n[0], n[1], n[2]);
    p->def.sun_intensity = n[3];
    p->def.sun_degrees = n[4];
    p->def.sun_elevation = n[5];
}

static void read_sort(Parser *p) {
    static const char *const words[] = { "portal", "sky", "opaque", "decal", "seethrough", "banner", "additive", "nearest",
        "underwater", NULL };
    static const float values[] = { SORT_PORTAL, SORT_SKY, SORT_OPAQUE, SORT_DECAL, SORT_SEE_THROUGH, SORT_BANNER,
        SORT_ADDITIVE, SORT_NEAREST, SORT_UNDERWATER };
    if (number_next(p)) {
        p->def.sort = number_param(p, "sort");
        return;
    }
    int word = word_param(p, words, "sort");
    if (word >= 0)
        p->def.sort = values[word];
}

static void read_deform(Parser *p) {
    static const char *const words[] = { "wave", "normal", "bulge", "move", "autosprite", "autosprite2", "projectionshadow",
        "text0", "text1", "text2", "text3", "text4", "text5", "text6", "text7", "text", NULL };
    int word = word_param(p, words, "deformVertexes");
    if (word < 0)
        return;
    Deform deform = { .kind = word < DEFORM_TEXT ? (DeformKind)word : DEFORM_TEXT };
    if (deform.kind == DEFORM_WAVE) {
        deform.numbers[0] = number_param(p, "deformVertexes wave");
        deform.wave = smooth_wave_param(p, "deformVertexes wave");
    } else if (deform.kind == DEFORM_NORMAL) {
        numbers_param(p, deform.numbers, 2, "deformVertexes normal");
    } else if (deform.kind == DEFORM_BULGE) {
        numbers_param(p, deform.numbers, 3, "deformVertexes bulge");
    } else if (deform.kind == DEFORM_MOVE) {
        numbers_param(p, deform.numbers, 3, "deformVertexes move");
        deform.wave = smooth_wave_param(p, "deformVertexes move");
    } else if (deform.kind == DEFORM_TEXT) {
        deform.numbers[0] = (float)(word - DEFORM_TEXT < 8 ? word - DEFORM_TEXT : 0);
    }
    if (p->def.deform_count == DEFORMS_MOST)
        tell(p, p->line, false, "more than %d deformVertexes; the rest is left out", DEFORMS_MOST);
    else
        p->def.deforms[p->def.deform_count++] = deform;
}

static void read_editor_image(Parser *p) { p->def.editor_image = text_param(p); }
static void read_portal(Parser *p) { p->def.portal = true; }
static void read_no_mipmaps(Parser *p) { p->def.no_mipmaps = p->def.no_picmip = true; }
static void read_no_picmip(Parser *p) { p->def.no_picmip = true; }
static void read_polygon_offset(Parser *p) { p->def.polygon_offset = true; }
static void read_entity_mergable(Parser *p) { p->def.entity_mergable = true; }
static void read_nothing(Parser *p) { skip_line(p); }

static const Directive general[] = {
    { "surfaceparm", read_surfaceparm },
    { "cull", read_cull },
    { "skyparms", read_skyparms },
    { "fogparms", read_fogparms },
    { "sort", read_sort },
    { "deformvertexes", read_deform },
    { "portal", read_portal },
    { "nomipmaps", read_no_mipmaps },
    { "nomipmap", read_no_mipmaps },
    { "nopicmip", read_no_picmip },
    { "polygonoffset", read_polygon_offset },
    { "entitymergable", read_entity_mergable },
    { "qer_editorimage", read_editor_image },
    { "q3map_sun", read_sun },
    { "q3map_sunext", read_sun },
    { "sun", read_sun },
    { "tesssize", read_nothing },     /* the compiler's and the editor's */
    { "light", read_nothing },
    { "light1", read_nothing },
    { "clamptime", read_nothing },
    { "foggen", read_nothing },       /* other engines': what they ask for is not drawn, which is no fault of the script */
    { "novlcollapse", read_nothing },
    { "nocompress", read_nothing },
    { "allowcompress", read_nothing },
    { "implicitmap", read_nothing },
    { "implicitmask", read_nothing },
    { "implicitblend", read_nothing },
    { "sunshader", read_nothing },
    { "surfacelight", read_nothing },
    { NULL, NULL },
};


/* Directives of a stage. */

static void add_image(Parser *p, const char *name) {
    MaterialStage *stage = p->stage;
    if (!*name)
        return;
    if (stage->image_count < ANIMATION_MOST)
        stage->images[stage->image_count] = name;
    stage->image_count++;
}

static void read_map(Parser *p) {
    const char *name = text_param(p);
    p->stage->image_count = 0;
    if (!*name)
        tell(p, p->line, false, "map: a name is missing");
    else if (text_same(name, "$lightmap") || text_same(name, "*lightmap"))
        p->stage->map = STAGE_LIGHTMAP;
    else if (text_same(name, "$whiteimage") || text_same(name, "*white") || text_same(name, "$white"))
        p->stage->map = STAGE_WHITE;
    else {
        p->stage->map = STAGE_IMAGE;
        add_image(p, name);
    }
}

static void read_clamp_map(Parser *p) {
    read_map(p);
    p->stage->clamp = true;
}

static void read_anim_map(Parser *p) {
    p->stage->map = STAGE_IMAGE;
    p->stage->image_count = 0;
    p->stage->frames_per_second = number_param(p, "animMap");
    while (more(p))
        add_image(p, text_param(p));
    if (p->stage->image_count == 0) {
        p->stage->map = STAGE_NONE;
        tell(p, p->line, false, "animMap: no image is named");
    }
    if (p->stage->image_count > ANIMATION_MOST) {
        tell(p, p->line, false, "animMap: %d images, of which %d are used", p->stage->image_count, ANIMATION_MOST);
        p->stage->image_count = ANIMATION_MOST;
    }
}

static void read_anim_clamp_map(Parser *p) {
    read_anim_map(p);
    p->stage->clamp = true;
}

static void read_video_map(Parser *p) {
    p->stage->map = STAGE_VIDEO;
    p->stage->image_count = 0;
    add_image(p, text_param(p));
}

static void read_alpha_func(Parser *p) {
    static const char *const words[] = { "GT0", "LT128", "GE128", "GE192", NULL };
    int word = word_param(p, words, "alphaFunc");
    if (word >= 0)
        p->stage->alpha_func = (AlphaFunc)(word + ALPHA_GT0);
    if (word == 3)
        tell(p, p->line, false, "alphaFunc: GE192 is another game's; taken as 0.75");
}

static void read_depth_func(Parser *p) {
    static const char *const words[] = { "lequal", "equal", "disable", NULL };
    p->stage->depth_equal = word_param(p, words, "depthFunc") == 1;
}

static Blend blend_param(Parser *p) {
    static const char *const words[] = { "GL_ONE", "GL_ZERO", "GL_DST_COLOR", "GL_ONE_MINUS_DST_COLOR", "GL_SRC_COLOR",
        "GL_ONE_MINUS_SRC_COLOR", "GL_SRC_ALPHA", "GL_ONE_MINUS_SRC_ALPHA", "GL_DST_ALPHA", "GL_ONE_MINUS_DST_ALPHA",
        "GL_SRC_ALPHA_SATURATE", NULL };
    int word = word_param(p, words, "blendFunc");
    return word < 0 ? BLEND_ONE : (Blend)word;
}

static void read_blend_func(Parser *p) {
    static const struct { const char *word; Blend source, destination; } simple[] = {
        { "add", BLEND_ONE, BLEND_ONE },
        { "gl_add", BLEND_ONE, BLEND_ONE },
        { "filter", BLEND_DST_COLOR, BLEND_ZERO },
        { "blend", BLEND_SRC_ALPHA, BLEND_ONE_MINUS_SRC_ALPHA },
    };
    bool found = false;
    for (int i = 0; i < COUNT_OF(simple) && !found; i++)
        if (more(p) && token_is(p->scan.next, simple[i].word)) {
            take(p);
            p->stage->source = simple[i].source;
            p->stage->destination = simple[i].destination;
            found = true;
        }
    if (!found) {
        p->stage->source = blend_param(p);
        p->stage->destination = blend_param(p);
    }
    p->stage->blends = p->stage->source != BLEND_ONE || p->stage->destination != BLEND_ZERO;
}

static void read_rgb_gen(Parser *p) {
    static const char *const words[] = { "identity", "identitylighting", "entity", "oneminusentity", "vertex", "exactvertex",
        "oneminusvertex", "lightingdiffuse", "wave", "const", NULL };
    int word = word_param(p, words, "rgbGen");
    if (word < 0)
        return;
    p->stage->color_gen = (ColorGen)(word + COLOR_IDENTITY);
    if (p->stage->color_gen == COLOR_WAVE)
        p->stage->color_wave = wave_param(p, "rgbGen wave");
    if (p->stage->color_gen == COLOR_CONST)
        p->stage->color = vector_param(p, "rgbGen const");
    if (p->stage->color_gen == COLOR_VERTEX && p->stage->alpha_gen == ALPHAGEN_DEFAULT)
        p->stage->alpha_gen = ALPHAGEN_VERTEX;
}

static void read_alpha_gen(Parser *p) {
    static const char *const words[] = { "identity", "entity", "oneminusentity", "vertex", "oneminusvertex",
        "lightingspecular", "wave", "const", "portal", NULL };
    int word = word_param(p, words, "alphaGen");
    if (word < 0)
        return;
    p->stage->alpha_gen = (AlphaGen)(word + ALPHAGEN_IDENTITY);
    if (p->stage->alpha_gen == ALPHAGEN_WAVE)
        p->stage->alpha_wave = wave_param(p, "alphaGen wave");
    if (p->stage->alpha_gen == ALPHAGEN_CONST)
        p->stage->alpha = number_param(p, "alphaGen const");
    if (p->stage->alpha_gen == ALPHAGEN_PORTAL)
        p->stage->alpha = number_next(p) ? number_param(p, "alphaGen portal") : 256;
}

static void read_tc_gen(Parser *p) {
    static const char *const words[] = { "base", "texture", "lightmap", "environment", "vector", NULL };
    static const TexCoordGen values[] = { TEXCOORD_BASE, TEXCOORD_BASE, TEXCOORD_LIGHTMAP, TEXCOORD_ENVIRONMENT, TEXCOORD_VECTOR };
    int word = word_param(p, words, "tcGen");
    if (word < 0)
        return;
    p->stage->texcoord_gen = values[word];
    for (int i = 0; i < 2 && p->stage->texcoord_gen == TEXCOORD_VECTOR; i++)
        p->stage->texcoord_vectors[i] = vector_param(p, "tcGen vector");
}

static void read_tc_mod(Parser *p) {
    static const char *const words[] = { "turb", "scale", "scroll", "stretch", "transform", "rotate", "entitytranslate", NULL };
    static const int counts[] = { 0, 2, 2, 0, 6, 1, 0 };
    int word = word_param(p, words, "tcMod");
    if (word < 0)
        return;
    TexMod mod = { .kind = (TexModKind)word };
    if (mod.kind == TEXMOD_TURB) {
        static const char *const kinds[] = { "sin", NULL };    /* some write the wave's name: it is a sine anyway */
        float n[4];
        if (more(p) && !number_next(p))
            word_param(p, kinds, "tcMod turb");
        numbers_param(p, n, 4, "tcMod turb");
        mod.wave = (Wave){ WAVE_SIN, n[0], n[1], n[2], n[3] };
    } else if (mod.kind == TEXMOD_STRETCH) {
        mod.wave = smooth_wave_param(p, "tcMod stretch");
    }
    numbers_param(p, mod.numbers, counts[word], "tcMod");
    if (p->stage->texmod_count == TEXMODS_MOST)
        tell(p, p->line, false, "more than %d tcMod; the rest is left out", TEXMODS_MOST);
    else
        p->stage->texmods[p->stage->texmod_count++] = mod;
}

static void read_depth_write(Parser *p) { p->stage->depth_write = true; }
static void read_detail(Parser *p) { p->stage->detail = true; }

static const Directive staged[] = {
    { "map", read_map },
    { "clampmap", read_clamp_map },
    { "animmap", read_anim_map },
    { "animclampmap", read_anim_clamp_map },
    { "clampanimmap", read_anim_clamp_map },
    { "videomap", read_video_map },
    { "alphafunc", read_alpha_func },
    { "depthfunc", read_depth_func },
    { "depthwrite", read_depth_write },
    { "detail", read_detail },
    { "blendfunc", read_blend_func },
    { "blend", read_blend_func },
    { "rgbgen", read_rgb_gen },
    { "alphagen", read_alpha_gen },
    { "tcgen", read_tc_gen },
    { "texgen", read_tc_gen },
    { "tcmod", read_tc_mod },
    { NULL, NULL },
};


/* Words that belong to the editor, the compiler or another engine by their first letters. */
static bool foreign(Token word) {
    static const char *const starts[] = { "qer_", "q3map_", "dp", "qf", "vmap_" };
    for (int i = 0; i < COUNT_OF(starts); i++) {
        Token start = word;
        start.length = MIN(word.length, strlen(starts[i]));
        if (token_is(start, starts[i]))
            return true;
    }
    return false;
}

static const Directive *directive_of(const Directive *table, Token word) {
    for (; table->word; table++)
        if (token_is(word, table->word))
            return table;
    return NULL;
}

/* A line of directives. Several on one line are legal in the engine, so a known word goes on; anything else after a
 * directive's own parameters is skipped. */
static void read_directives(Parser *p, const Directive *table, const char *where) {
    p->line = p->scan.next.line;
    Token word = p->scan.next;
    const Directive *directive = directive_of(table, word);
    if (!directive && !foreign(word))
        tell(p, word.line, false, "unknown word '%.*s' in a %s", (int)MIN(word.length, (size_t)60), word.text, where);
    if (!directive)
        skip_line(p);
    while (directive) {
        take(p);
        directive->read(p);
        while (more(p) && !directive_of(table, p->scan.next))
            take(p);
        directive = more(p) ? directive_of(table, p->scan.next) : NULL;
    }
}

/* A word with a '/' alone on its line before a line of '{' alone is the next material's name: a brace is missing here. */
static bool next_begins(const Parser *p) {
    Token name = p->scan.next;
    if (!name.text || !memchr(name.text, '/', name.length))
        return false;
    Scanner ahead = p->scan;
    scanner_take(&ahead);
    return token_is(ahead.next, "{") && ahead.next.line > name.line;
}

static void stage_begin(Parser *p, int line) {
    if (p->stage_count >= STAGES_MOST)
        tell(p, line, false, "more than %d stages; this one is left out", STAGES_MOST);
    p->stage = &p->stages[MIN(p->stage_count, STAGES_MOST)];
    *p->stage = (MaterialStage){ .line = line, .destination = BLEND_ZERO };
    p->stage_count = MIN(p->stage_count + 1, STAGES_MOST);
}

/* After the '{' of a stage; false: it was cut short and what follows is not this material's. */
static bool read_stage(Parser *p, int line) {
    stage_begin(p, line);
    for (;;) {
        Token next = p->scan.next;
        if (!next.text || next_begins(p)) {
            tell(p, line, true, "the stage that begins here is not closed");
            return false;
        }
        if (token_is(next, "}")) {
            take(p);
            return true;
        }
        if (token_is(next, "{")) {
            tell(p, line, true, "the stage that begins here is not closed before the next one");
            stage_begin(p, take(p).line);
            continue;
        }
        read_directives(p, staged, "stage");
    }
}

static void read_body(Parser *p) {
    for (;;) {
        Token next = p->scan.next;
        if (!next.text || next_begins(p)) {
            tell(p, p->def.line, true, "%s: the block is not closed", p->def.name);
            return;
        }
        if (token_is(next, "}")) {
            take(p);
            return;
        }
        if (token_is(next, "{")) {
            if (!read_stage(p, take(p).line)) {
                tell(p, p->def.line, true, "%s: the block is not closed", p->def.name);
                return;
            }
            continue;
        }
        read_directives(p, general, "material");
    }
}

static void define(Parser *p) {
    p->def.stage_count = p->stage_count;
    p->def.last_line = p->last_line;
    p->def.stages = arena_copy_array(p->to->arena, p->stages, (size_t)p->stage_count, sizeof *p->stages);
    MaterialDef *def = arena_new(p->to->arena, MaterialDef);
    *def = p->def;
    p->to->define(p->to->user, def);
}

/* From a name on; the name is the scanner's next word. */
static void read_material(Parser *p) {
    Token name = take(p);
    char word[512], clean[MATERIAL_NAME_ROOM];
    text_copy(word, MIN(name.length + 1, sizeof word), name.text);
    if (!token_is(p->scan.next, "{")) {
        tell(p, name.line, true, "'%.60s' is not followed by {", word);
        return;
    }
    bool cut = false, named = material_name(word, clean, &cut);
    if (cut)
        tell(p, name.line, false, "the name '%.80s' is longer than %d characters and is cut", word, MATERIAL_NAME_ROOM - 1);
    take(p);
    p->stage_count = 0;
    p->def = (MaterialDef){ .name = named ? arena_text(p->to->arena, clean) : "", .file = p->to->file, .line = name.line,
                            .editor_image = "", .sky_box = "" };
    read_body(p);
    if (named)
        define(p);
    else
        tell(p, name.line, true, "'%.60s' is no name for a material", word);
}

void material_parse_text(const MaterialParse *parse, const char *text, size_t length) {
    Parser *p = mem_zeroed(1, sizeof *p);
    p->to = parse;
    scanner_open(&p->scan, text, length);
    while (p->scan.next.text) {
        if (is_brace(p->scan.next)) {
            int depth = 0, line = p->scan.next.line;
            tell(p, line, true, "a brace without a name before it");
            do {    /* a block without a name is skipped whole; a lone } alone */
                Token token = take(p);
                depth += token_is(token, "{") ? 1 : token_is(token, "}") ? -1 : 0;
            } while (depth > 0 && p->scan.next.text && !next_begins(p));
            continue;
        }
        read_material(p);
    }
    mem_free(p);
}
