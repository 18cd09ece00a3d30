/* app/options.h -- what the user typed, read into a struct by a table of options.
 *
 * Options may stand before or after the command; a value may begin with '-' and be any C number; `--name=value` is
 * `--name value`. What follows exec's script belongs to the script and is left as it is. */
#ifndef LEAFWALK_OPTIONS_H
#define LEAFWALK_OPTIONS_H

#include "base/base.h"

typedef struct OptionPoint { bool given; Vec3 at; } OptionPoint;
typedef ARRAY(const char *) OptionList;

typedef struct Options {
    OptionList words;                /* the command, if it was named, is not among them */
    const char *command;             /* the first word if it is a command's name, else NULL */

    OptionList paths, sets;
    const char *game;
    int threads;                     /* 0: the machine's */
    double budget;                   /* seconds; 0: none; -1: not given */
    uint64_t seed;
    bool trust, version, help;

    const char *map, *out, *rasterizer, *view, *views;
    const char *fps, *frames, *passes, *encoder;    /* of record, as typed */
    int blur;
    double shutter;
    bool force;
    OptionList chunks, scripts;
    OptionPoint origin, angles;
    double fov;                      /* 0: as r.fov says */
    double time, seconds;            /* seconds: 0: not given */
    int width, height;
    bool json;

    uint64_t given;                  /* bit i: option i of the table was there */
} Options;

/* `is_command` tells which words are commands. False: a wrong option or value (exit status 2). */
bool options_parse(Options *out, int argc, const char *const *argv, bool (*is_command)(const char *word), Error *error);
void options_free(Options *options);

/* Whether every option that was given belongs to the command ("" is the window); false names one that does not. */
bool options_suit(const Options *options, const char *command, Error *error);

/* Adds the lines of --help: the options of one command, or (NULL) the common ones. */
void options_help(Text *out, const char *command);

/* The nearest of the names, within a few edits; NULL: none. */
const char *nearest_word(const char *word, const char *const *names, int count);

#endif
