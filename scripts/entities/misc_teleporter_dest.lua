-- misc_teleporter_dest: where a teleporter leads; angle is the way out.
return { help = "The far end of a teleporter.", classes = { "misc_teleporter_dest", "info_teleport_destination" } }
