-- Entities that only mark a place: others ask where they are.
return {
  help = "Marks a place.",
  classes = { "target_position", "target_location", "info_notnull", "info_null", "info_camp", "item_botroam", "info_player_start",
    "info_player_deathmatch", "info_player_intermission", "info_player_*", "team_CTF_*", "team_redobelisk", "team_blueobelisk",
    "team_neutralobelisk", "misc_portal_surface", "misc_portal_camera", "light", "func_group", "misc_model", "worldspawn" },
}
