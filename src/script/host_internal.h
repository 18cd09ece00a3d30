/* script/host_internal.h -- what the host's own files share: the scripts, their versions, budgets and errors.
 *
 * A Script is a file; a Version is what came of running it once: an environment, a table of callbacks, registrations.
 * A reload makes a second version beside the first and puts it in the first one's place only when all went well. */
#ifndef LEAFWALK_HOST_INTERNAL_H
#define LEAFWALK_HOST_INTERNAL_H

#include "script/script_internal.h"

typedef struct Script Script;
typedef struct Version Version;

typedef enum Callback {
    CALL_LOAD, CALL_MAP, CALL_UPDATE, CALL_DRAW, CALL_OVERLAY, CALL_KEY, CALL_TEXT, CALL_MOUSE, CALL_WHEEL, CALL_CLICK,
    CALL_UNLOAD, CALL_TOGGLE, CALL_COUNT
} Callback;

typedef enum RegistrationKind { REGISTERED_COMMAND, REGISTERED_VARIABLE, REGISTERED_BIND } RegistrationKind;

/* What a version has put into the host: kept so that a stage can be thrown away and a version taken out whole. */
typedef struct Registration {
    Version *of;
    RegistrationKind kind;
    char *name, *text;               /* text: the command's or variable's help, or what the key runs (NULL: nothing) */
    char *initial;                   /* of a variable */
    VarKind var;
    int function;                    /* of a command: reference in the registry */
} Registration;

typedef struct UsedFile { char *path; uint64_t hash; } UsedFile;    /* hash 0: it was not there */
typedef ARRAY(UsedFile) UsedFiles;

struct Version {
    Script *script;
    bool live;                       /* false: staged, its registrations are only noted */
    int env, callbacks, modules, threads;    /* references in the registry */
    int failures[CALL_COUNT];        /* one after another */
    bool stopped[CALL_COUNT];
    ARRAY(Registration *) registrations;
    UsedFiles files;                 /* the script first, then what it required */
};

struct Script {
    Scripts *host;
    char *path, *folder, *shown;     /* shown: shorter, for messages */
    int state;                       /* reference: the table that survives */
    Version *version;                /* the last good one, NULL: none yet */
    UsedFiles tried;                 /* what the last attempt read, good or not */
    bool hidden;                     /* toggled off */
    bool reload_wanted, drop_wanted; /* asked for while a script was running */
    bool program;                    /* exec, repl, -e: has no callbacks */
    bool behaviour;                  /* of scripts/entities: its callbacks are those of entities */
};

typedef struct Trouble {             /* one distinct error */
    Script *script;
    char *message, *trace;
    char *source;                    /* three lines around the place, "" when unknown */
    int count;
    bool loading;                    /* the script's newest text is not what runs */
} Trouble;

typedef struct LoadedMap { OpenLevel *level; unsigned generation; size_t charged; } LoadedMap;

struct Scripts {
    Engine *engine;
    ScriptsSetup setup;
    ARRAY(char *) module_folders;    /* where `require` looks after the script's own folder */
    bool inner;                      /* opened by a test in another host: it leaves the console's help alone */
    lua_State *L;
    size_t used, limit, charged;     /* bytes: Lua's own, both kinds' limit, outside Lua */
    const void *vec3_meta;           /* identity of vec3's metatable */
    int library, master, plain_require;    /* references: what environments are copied from; lw; Lua's own require */
    ARRAY(Script *) list;
    Script *program;
    ARRAY(LoadedMap) maps;
    ARRAY(Trouble) troubles;
    Text shown;                      /* scripts_error's text */

    struct Live *live;               /* entities and their behaviours (live.c) */
    struct Filming *filming;         /* the film that is being made, NULL: none (filming.c) */
    bool by_frames;                  /* the clock goes by a film's frames: budgets in instructions, sorted pairs */
    Version *running;
    const char *what;                /* "update of scripts/x.lua" */
    int depth;                       /* protected calls within one another */
    /* Of the outermost call: when it began, time in bindings, time that Lua ran within bindings (callbacks, metamethods), the
     * last time at which it was known which of them was running. */
    struct { double started, inside, nested, mark; int64_t instructions; bool exhausted; } budget;
    int percent;                     /* that lw.time.progress showed last */
    Text message, trace;             /* filled by the error handler */
};

/* sandbox.c */
void sandbox_open(lua_State *L, Scripts *scripts);     /* inside protection: the library, the hook */
void sandbox_environment(lua_State *L, Version *version);    /* pushes a new one */
void *sandbox_allocate(void *user, void *memory, size_t old_size, size_t new_size);
void sandbox_hook(lua_State *L, lua_Debug *ar);
double sandbox_clock(void);                            /* coarse and cheap */
void sandbox_budget_start(Scripts *scripts);
void sandbox_budget_end(Scripts *scripts);
const char *sandbox_tostring(lua_State *L, int arg, size_t *length);    /* pushes the text; without addresses */
void host_show(lua_State *L, int first);             /* show.c: values from there on become texts, tables with what is in them */
int  sandbox_print(lua_State *L);
const char *push_joined(lua_State *L);                 /* the arguments as print shows them, on the top */

/* modules.c */
void modules_open(lua_State *L, Scripts *scripts);     /* inside protection: makes the master of lw */
void modules_push(lua_State *L, Scripts *scripts);     /* a copy of lw for one environment */
int  binding_call(lua_State *L);                       /* what every binding's closure runs */

/* script.c */
Scripts *host_open(const ScriptsSetup *setup, bool inner, Error *error);
typedef struct HostValue { int type; double number; lua_Integer integer; bool is_integer, truth; Text text; } HostValue;
/* As scripts_run_chunk, with the chunk's first value: nil, a boolean, a number, or a text (anything else as tostring has it). */
bool host_run_chunk(Scripts *scripts, const char *text, size_t size, const char *name, HostValue *value, Error *error);
bool host_run(Scripts *scripts, Version *version, const char *what, lua_CFunction body, void *user);    /* false: message, trace are filled */
void host_error(const Scripts *scripts, Error *error); /* message and trace as one text */
char *host_text(const char *text);                     /* a copy on the heap, NULL stays NULL */
const char *callback_name(int callback);
void host_do_what_was_asked(Scripts *scripts);         /* scripts that were dropped or reloaded while one ran */
/* Calls it if the version has it and it was not stopped; `push` (may be NULL) pushes arguments and returns how many. True
 * when it returned true. `failed` (may be NULL) gets whether it raised. */
bool version_call(Version *version, Callback callback, int (*push)(lua_State *L, void *user), void *user, bool *failed);
void version_call_map(Version *version);               /* when a map is open */

/* host_commands.c: the console's commands about scripts */
void host_commands_open(Scripts *scripts);

/* panel.c: errors as users see them */
bool trouble_note(Scripts *scripts, Script *script, bool loading);      /* message and trace become a Trouble (true), or count up */
void trouble_report(Scripts *scripts, Script *script, bool loading);    /* and a new one is logged */
void troubles_forget(Scripts *scripts, const Script *script);           /* NULL: all */
void panel_draw(Scripts *scripts);

void docs_open(Scripts *scripts);                      /* the console's `writedocs`, where scripts are trusted */

/* lw_console.c: the version that registers something; raises when none runs or it has registered too much. */
Version *check_registering(lua_State *L);

/* reload.c */
Script *script_new(Scripts *scripts, const char *path);
void script_free(Script *script);
Version *version_new(Script *script);
int  version_open(lua_State *L, Version *version);     /* inside protection: environment and lists */
void version_close(Version *version);                  /* unload was called; takes its registrations out */
void script_commit(Script *script, Version *version);  /* its registrations take the place of the old version's, which is closed */
Registration *version_register(Version *version, RegistrationKind kind, const char *name);    /* a new or its old one; fill it, then: */
void registration_done(Registration *registration);    /* goes in at once when the version is live */
bool script_attempt(Script *script, Error *error);     /* compile, run, put in the old one's place */
bool script_compile(lua_State *L, const Scripts *scripts, const char *text, size_t size, const char *name);    /* pushes a function or a message */
bool script_changed(const Script *script);             /* a file that the last attempt read has other bytes now */
bool script_uses(const Script *script, const char *path);
void files_use(UsedFiles *files, const char *path, uint64_t hash);
void files_clear(UsedFiles *files);
void reload_open(lua_State *L);                         /* inside protection */
int  reload_require(lua_State *L);                     /* every environment's require: works for the version that runs */

#endif
