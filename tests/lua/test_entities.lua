-- lw.entities: the level's entity text.
local unit = require "luaunit"
local rooms = require "rooms"

TestEntities = {}

function TestEntities:setUp() rooms.open() end

function TestEntities:test_the_text_is_the_lump()
  unit.assertEquals(lw.entities.count(), 26)
  unit.assertEquals(lw.entities.text():sub(1, 2), "{\n")
  unit.assertEquals(select(2, lw.entities.text():gsub("classname", "")), 26)
end

function TestEntities:test_an_entity_has_its_pairs_in_order()
  local world = lw.entities.lump(0)
  local keys = {}
  for key, value in pairs(world) do keys[#keys + 1] = key .. "=" .. value end
  unit.assertEquals(keys, { "classname=worldspawn", "message=Two rooms and a bend", "gridsize=64 64 64" })
  unit.assertEquals(#world, 3)
  unit.assertEquals({ world[2][1], world[2].value }, { "message", "Two rooms and a bend" })
  unit.assertEquals(world.index, 0)
  unit.assertEquals(tostring(world), "entity 0 (worldspawn)")
end

function TestEntities:test_keys_are_asked_without_case()
  local door = lw.entities.lump(lw.entities.find { classname = "func_door" }[1])
  unit.assertEquals(door.Speed, "200")
  unit.assertEquals(door:number("speed"), 200)
  unit.assertEquals(door:number("nothing", 7), 7)
  unit.assertEquals(door:key("nothing", "x"), "x")
  unit.assertTrue(door:vector("origin") == lw.vec3(816, 696, 64))
  unit.assertNil(door:vector("nothing"))
  unit.assertNil(door.nothing)
end

function TestEntities:test_find_takes_texts_patterns_numbers_and_presence()
  unit.assertEquals(lw.entities.find { classname = "info_player_deathmatch" }, { 1, 2, 3 })
  unit.assertEquals(lw.entities.find { classname = "INFO_player_DEATHMATCH" }, { 1, 2, 3 })
  unit.assertEquals(lw.entities.find { classname = "info_player_.*" }, { 1, 2, 3 })
  unit.assertEquals(lw.entities.find { classname = "info_player" }, {})
  unit.assertEquals(lw.entities.find { classname = "^info_player_.*$" }, { 1, 2, 3 })
  unit.assertEquals(lw.entities.find { message = "Two%srooms.*" }, { 0 })
  unit.assertEquals(lw.entities.find { classname = "info_player_deathmatch%$" }, {})
  unit.assertEquals(lw.entities.find { classname = "info_.*", angle = 300 }, { 2 })
  unit.assertEquals(#lw.entities.find { classname = "light" }, #lw.entities.find { _color = true })
  unit.assertEquals(#lw.entities.find {}, lw.entities.count())
  unit.assertEquals(#lw.entities.find { classname = false }, 0)
end

function TestEntities:test_find_refuses_what_cannot_be_asked()
  unit.assertStrContains(rooms.refusal(lw.entities.find), "lw.entities.find")
  unit.assertStrContains(rooms.refusal(lw.entities.find, { classname = {} }), "classname")
  unit.assertStrContains(rooms.refusal(lw.entities.find, { 3 }), "text")
  unit.assertStrContains(rooms.refusal(lw.entities.find, { classname = "%" }), "pattern")
end

function TestEntities:test_who_fires_whom()
  local trigger = lw.entities.find { classname = "trigger_multiple" }[1]
  local print_it = lw.entities.find { targetname = "bend" }[1]
  unit.assertEquals(lw.entities.targets(trigger), { print_it })
  unit.assertEquals(lw.entities.targeted_by(print_it), { trigger })
  unit.assertEquals(lw.entities.targets(lw.entities.lump(trigger)), { print_it })
  unit.assertEquals(lw.entities.targets(0), {})
  unit.assertStrContains(rooms.refusal(lw.entities.targets, 26), "entity 26, this map has 0..25")
  unit.assertStrContains(rooms.refusal(lw.entities.lump, -1), "entity -1")
end
