/* app/classes.c -- the game's spawn table, its items, and what compilers read (format.md 6.3; Team Arena's too). */
#include "app/classes.h"

#include "base/base.h"

static const char *const classes[] = {
    "worldspawn", "light", "path_corner",
    "info_player_start", "info_player_deathmatch", "info_player_intermission", "info_null", "info_notnull", "info_camp",
    "func_plat", "func_button", "func_door", "func_static", "func_rotating", "func_bobbing", "func_pendulum", "func_train",
    "func_group", "func_timer",
    "trigger_always", "trigger_multiple", "trigger_push", "trigger_teleport", "trigger_hurt",
    "target_give", "target_remove_powerups", "target_delay", "target_speaker", "target_print", "target_laser",
    "target_score", "target_teleporter", "target_relay", "target_kill", "target_position", "target_location", "target_push",
    "misc_teleporter_dest", "misc_model", "misc_portal_surface", "misc_portal_camera",
    "shooter_rocket", "shooter_grenade", "shooter_plasma",
    "team_CTF_redplayer", "team_CTF_blueplayer", "team_CTF_redspawn", "team_CTF_bluespawn", "team_CTF_redflag",
    "team_CTF_blueflag", "team_CTF_neutralflag", "team_redobelisk", "team_blueobelisk", "team_neutralobelisk",
    "weapon_gauntlet", "weapon_machinegun", "weapon_shotgun", "weapon_grenadelauncher", "weapon_rocketlauncher",
    "weapon_lightning", "weapon_railgun", "weapon_plasmagun", "weapon_bfg", "weapon_grapplinghook", "weapon_nailgun",
    "weapon_prox_launcher", "weapon_chaingun",
    "ammo_bullets", "ammo_shells", "ammo_grenades", "ammo_cells", "ammo_lightning", "ammo_rockets", "ammo_slugs", "ammo_bfg",
    "ammo_nails", "ammo_mines", "ammo_belt",
    "item_armor_shard", "item_armor_combat", "item_armor_body", "item_health", "item_health_small", "item_health_large",
    "item_health_mega", "item_quad", "item_enviro", "item_haste", "item_invis", "item_regen", "item_flight", "item_scout",
    "item_guard", "item_doubler", "item_ammoregen", "item_redcube", "item_bluecube", "item_botroam",
    "holdable_teleporter", "holdable_medkit", "holdable_kamikaze", "holdable_portal", "holdable_invulnerability",
};

const char *game_class(const char *name) {
    for (int i = 0; i < COUNT_OF(classes); i++)
        if (text_same(classes[i], name))
            return classes[i];
    return NULL;
}
