/* files/games.c -- where installed games keep their data, and what to install when they are not there. */
#include "files/files.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "files/files_internal.h"

typedef struct Game {
    const char *name;
    const char *data;          /* the data folder inside the game's */
    const char *home;          /* the game's own folder in the user's home, whose files win */
    const char *packages;      /* of Debian */
} Game;

/* Only the base game's folder counts: missionpack, oacmp-mod and other mods beside it do not. */
static const Game games[] = {
    { "openarena", "baseoa", ".openarena",
      "openarena-data openarena-081-maps openarena-081-textures (and openarena-085-data openarena-088-data "
      "openarena-oacmp1 for more levels)" },
    { "nexuiz", "data", ".nexuiz", "nexuiz-data nexuiz-textures" },
};

static const char *const bases[] = {
    "/usr/share/games", "/usr/local/share/games", "/usr/local/games", "/usr/lib", "/usr/lib/games", "/usr/local/lib", "/opt",
};

/* BASE/GAME/DATA, with packs or other files in it. */
static bool data_folder(const char *base, size_t length, const char *game, const char *data, char *out, size_t room) {
    int written = snprintf(out, room, "%.*s/%s/%s", (int)length, base, game, data);
    return written > 0 && (size_t)written < room && file_folder_disk(out);
}

/* Folders of LEAFWALK_GAMES (separated by ':') come before the system's. */
static bool find_base(const Game *game, char *out, size_t room) {
    const char *own = getenv("LEAFWALK_GAMES");
    for (const char *at = own ? own : ""; *at;) {
        size_t length = strcspn(at, ":");
        if (length && data_folder(at, length, game->name, game->data, out, room))
            return true;
        at += length + (at[length] == ':');
    }
    for (int i = 0; i < COUNT_OF(bases); i++)
        if (data_folder(bases[i], strlen(bases[i]), game->name, game->data, out, room))
            return true;
    return false;
}

static bool add_known(Files *files, const Game *game, Error *error) {
    char path[PATH_MAX];
    bool found = find_base(game, path, sizeof path);
    if (found && !files_add(files, path, error))
        return false;
    const char *home = getenv("HOME");
    if (home && *home && data_folder(home, strlen(home), game->home, game->data, path, sizeof path)) {
        if (!files_add(files, path, error))
            return false;
        found = true;
    }
    return found || fail(error, "%s: this game's data is not installed (looked for %s/%s in %s and other places; "
                         "LEAFWALK_GAMES names more). Debian: apt install %s", game->name, game->name, game->data,
                         bases[0], game->packages);
}

bool files_add_game(Files *files, const char *game, Error *error) {
    for (int i = 0; i < COUNT_OF(games); i++)
        if (text_same(game, games[i].name))
            return add_known(files, &games[i], error);
    if (file_folder_disk(game))
        return files_add(files, game, error);
    Text known = { 0 };
    for (int i = 0; i < COUNT_OF(games); i++)
        text_format(&known, "%s%s", i ? ", " : "", games[i].name);
    fail(error, "%s: neither a known game (%s) nor a folder of game data", game, text_of(&known));
    text_free(&known);
    return false;
}
