/* app/commands.c -- the table of commands. */
#include "app/app.h"

static const Command commands[] = {
    { "", "[MAP] [SCRIPT ...]", "Opens the window: flies through the level while the scripts run.",
      "leafwalk --game openarena oa_dm1 scripts/tools/pvs.lua", 0, -1, "MAP", cmd_window },
    { "exec", "[--map MAP] SCRIPT [ARG ...] | -e CHUNK", "Runs Lua without a window; arg holds what follows SCRIPT.",
      "leafwalk --game openarena exec --map oa_dm1 -e 'print(lw.vis.clusters(), #lw.vis.row(0))'", 1, -1, "SCRIPT", cmd_exec },
    { "repl", "[--map MAP]", "Reads lines of Lua from stdin, runs each and prints what it gives.",
      "echo 'lw.vis.clusters()' | leafwalk --game openarena repl --map oa_dm1", 0, 0, "MAP", cmd_repl },
    { "render", "MAP -o FILE.png [--origin X,Y,Z] [--angles P,Y,R] [--fov H] [--size WxH] ...", "Renders one picture.",
      "leafwalk --game openarena render oa_dm1 --origin 324,1156,50 --angles -10,180,0 -o oa_dm1.png", 1, 1, "MAP", cmd_render },
    { "record", "MAP SCRIPT ... -o OUT [--fps N] [--seconds S | --frames A-B] [--size WxH] [--rasterizer NAME] ...",
      "Films a level while scripts run, the same bytes each time; OUT is .y4m, .mp4, .mkv, .webm, .mov or dir/%05d.png.",
      "leafwalk --game openarena record oa_dm1 scripts/examples/05_turning_camera.lua -o turn.mp4 --seconds 4", 2, -1, "MAP and a SCRIPT", cmd_record },
    { "info", "MAP [--json]", "Prints what the level holds: lumps, clusters, areas, visibility, worldspawn.",
      "leafwalk --game openarena info oa_dm1 --json", 1, 1, "MAP", cmd_info },
    { "check", "MAP [--json]", "Lists everything wrong or suspicious in the level.",
      "leafwalk --game openarena check oa_dm1", 1, 1, "MAP", cmd_check },
    { "bench", "[MAP] [--views FILE] [--rasterizer NAME] [--size WxH] [--threads N] [--seconds S] [--json]",
      "Measures frames, loading and calls from Lua, and the machine's limit.",
      "leafwalk --game openarena bench oa_dm1 --size 640x360 --seconds 1", 0, 1, "MAP", cmd_bench },
    { "test", "[FILE ...]", "Runs files of Lua tests, each in a fresh state; without FILE those of tests/lua/.",
      "leafwalk test tests/lua/test_vis.lua", 0, -1, "FILE", cmd_test },
};

const Command *command_at(int index) { return index >= 0 && index < COUNT_OF(commands) ? &commands[index] : NULL; }

const Command *command_by_name(const char *name) {
    for (int i = 0; i < COUNT_OF(commands); i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}
