-- info and check: what they print of levels, good and bad.
package.path = (arg[1] or ".") .. "/tests/cli/?.lua;" .. package.path
local unit = require "luaunit"
local program = require "program"
local run, fails, level = program.run, program.fails, program.level

local lumps = { "entities", "textures", "planes", "nodes", "leafs", "leaffaces", "leafbrushes", "models", "brushes",
  "brushsides", "vertices", "meshverts", "effects", "faces", "lightmaps", "lightvols", "visdata" }

TestInfo = {}

function TestInfo:test_json_has_every_field()
  local status, out, err = run { "info", level, "--json" }
  unit.assertEquals({ status, err }, { 0, "" })
  for _, name in ipairs(lumps) do
    unit.assertStrMatches(out, '.*"' .. name .. '": {"offset": %d+, "length": %d+, "count": %d+}.*')
  end
  for _, name in ipairs { "path", "format", "version", "clusters", "areas", "row_bytes", "visible_min", "visible_mean",
    "visible_max", "bounds", "worldspawn" } do
    unit.assertStrContains(out, '"' .. name .. '": ')
  end
  unit.assertStrContains(out, '"version": 46')
  unit.assertStrContains(out, '"classname": "worldspawn"')
end

function TestInfo:test_text_names_every_lump()
  local status, out = run { "info", level }
  unit.assertEquals(status, 0)
  for _, name in ipairs(lumps) do unit.assertStrContains(out, "\n" .. name .. " ") end
  unit.assertStrContains(out, "clusters")
end

function TestInfo:test_levels_are_found_by_name_and_path()
  for _, name in ipairs { "rooms", "rooms.bsp", "ROOMS" } do unit.assertEquals((run { "info", name }), 0, name) end
end

function TestInfo:test_what_is_no_level_is_named()
  unit.assertStrContains(fails({ "info", "nosuchlevel" }, 1), "nosuchlevel")
  unit.assertStrContains(fails({ "info", "romms" }, 1), "rooms")
  unit.assertStrContains(fails({ "info", program.write("empty.bsp", "") }, 1), "empty.bsp")
  unit.assertStrContains(fails({ "info", program.write("half-life.bsp", "\30\0\0\0" .. ("\0"):rep(200)) }, 1), "half-life.bsp")
  unit.assertStrContains(fails({ "info", program.write("source.map", "{\n\"classname\" \"worldspawn\"\n}\n") }, 1), "source.map")
  fails({ program.folder .. "/source.map" }, 1)
  fails({ "info", program.folder }, 1)
end

function TestInfo:test_a_cut_level_is_refused_with_lump_and_byte()
  local whole = program.read(level)
  local err = fails({ "info", program.write("cut.bsp", whole:sub(1, #whole // 2)) }, 1)
  unit.assertStrMatches(err, "leafwalk: .*cut%.bsp: lump %w+ .*%d+.*\n")
end

function TestInfo:test_a_name_with_a_line_end_makes_no_second_line() fails({ "info", "no\nsuch" }, 1) end

function TestInfo:test_bytes_that_are_not_utf8_are_latin_1()
  local bytes = program.read(level):gsub('"message" "([^"]+)"', function(text) return ('"message" "%s"'):format("\xe9" .. text:sub(2)) end, 1)
  local status, out = run { "info", program.write("latin.bsp", bytes), "--json" }
  unit.assertEquals(status, 0)
  unit.assertNotNil(utf8.len(out))
  unit.assertStrContains(out, '"message": "\u{e9}')
end

TestCheck = {}

function TestCheck:test_text_and_json_count_alike()
  local status, out, err = run { "check", level }
  unit.assertEquals({ status, err }, { 0, "" })
  local errors, warnings, notes = out:match("(%d+) errors, (%d+) warnings, (%d+) notes\n$")
  local _, json = run { "check", level, "--json" }
  unit.assertStrContains(json, '"errors": ' .. errors)
  unit.assertStrContains(json, '"warnings": ' .. warnings)
  unit.assertStrContains(json, '"notes": ' .. notes)
  unit.assertEquals(errors, "0")
end

function TestCheck:test_unknown_classes_and_missing_targets_are_found()
  local bytes, changed = program.read(level):gsub('"classname" "info_player_deathmatch"', '"classname" "info_player_deathmetal"', 1)
  unit.assertEquals(changed, 1)
  local _, out = run { "check", program.write("odd.bsp", bytes) }
  unit.assertStrContains(out, "info_player_deathmetal")
end

function TestCheck:test_missing_textures_are_found()
  local bytes = program.read(level):gsub("textures/rooms/(%w)", "textures/moors/%1")
  local _, out = run { "check", program.write("bare.bsp", bytes) }
  unit.assertStrContains(out, "missing-texture")
  unit.assertNotStrContains(select(2, run { "check", level }), "missing-texture")
end

TestRealLevels = {}

function TestRealLevels:test_the_clusters_of_a_level()
  if not program.has_game() then unit.skip("no game data") end
  local status, out = run { "info", "--game", "openarena", "oa_dm1", "--json" }
  unit.assertEquals(status, 0)
  unit.assertStrContains(out, '"clusters": 422')
  unit.assertStrContains(out, '"row_bytes": 56')
  unit.assertStrContains(out, '"entities": {"offset": 1368036, "length": 5497, "count": 74}')
end

program.finish(unit)
