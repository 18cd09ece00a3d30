-- lw.map: the level on screen, and levels beside it.
local unit = require "luaunit"
local rooms = require "rooms"

TestMap = {}

function TestMap:setUp() rooms.open() end

function TestMap:test_a_level_is_opened_by_its_name()
  unit.assertEquals(lw.map.name, "rooms")
  unit.assertStrContains(lw.map.path, "rooms.bsp")
end

function TestMap:test_a_level_that_is_not_there_is_refused_and_the_old_one_stays()
  local opened, why = lw.map.open("roms")
  unit.assertNil(opened)
  unit.assertStrContains(why, "roms")
  unit.assertEquals(lw.map.name, "rooms")
end

function TestMap:test_info_is_what_the_level_holds()
  local info = lw.map.info()
  unit.assertEquals(info.version, 46)
  unit.assertEquals(info.clusters, lw.vis.clusters())
  unit.assertEquals(info.areas, 2)
  unit.assertEquals(info.lumps.faces.count, lw.bsp.count("faces"))
  unit.assertEquals(info.worldspawn.message, "Two rooms and a bend")
  unit.assertEquals(info.bounds.mins, { -16, -16, -16 })
  local stats = lw.vis.stats()
  unit.assertEquals({ info.visible_min, info.visible_mean, info.visible_max }, { stats.min, stats.mean, stats.max })
end

function TestMap:test_bounds_are_those_of_the_world()
  local mins, maxs = lw.map.bounds()
  unit.assertEquals({ mins:unpack() }, { -16, -16, -16 })
  unit.assertEquals({ maxs:unpack() }, { 1104, 1232, 336 })
end

function TestMap:test_a_level_beside_the_screen_answers_the_same_questions()
  local other = assert(lw.map.load("rooms"))
  unit.assertEquals(other.name, "rooms")
  unit.assertEquals(other.vis.clusters(), lw.vis.clusters())
  for a = -1, lw.vis.clusters() - 1 do
    for b = -1, lw.vis.clusters() - 1 do unit.assertEquals(other.vis.sees(a, b), lw.vis.sees(a, b)) end
  end
  unit.assertTrue(other.vis.row(3) == lw.vis.row(3))
  unit.assertEquals(other.entities.lump(0).message, "Two rooms and a bend")
  unit.assertEquals(other.info().clusters, lw.map.info().clusters)
  other:close()
end

function TestMap:test_what_is_about_the_screen_is_refused_beside_it()
  local other = assert(lw.map.load("rooms"))
  unit.assertStrContains(rooms.refusal(other.vis.lock, 1), "on screen")
  unit.assertStrContains(rooms.refusal(other.vis.mode, "none"), "on screen")
  unit.assertStrContains(rooms.refusal(other.map.open, "rooms"), "on screen")
  other:close()
end

function TestMap:test_a_closed_level_says_so()
  local other = assert(lw.map.load("rooms"))
  local face, sees = other.bsp.face(0), other.vis.sees
  other:close()
  other:close()
  unit.assertStrContains(rooms.refusal(sees, 0, 1), "closed")
  unit.assertStrContains(rooms.refusal(function() return face.texture end), "closed")
end

function TestMap:test_records_keep_their_level_open()
  local face
  do
    local other = assert(lw.map.load("rooms"))
    face = other.bsp.face(2)
  end
  collectgarbage()
  collectgarbage()
  unit.assertEquals(face.texture, lw.bsp.face(2).texture)
end

function TestMap:test_many_levels_are_collected()
  for _ = 1, 100 do
    local other = assert(lw.map.load("rooms"))
    assert(other.vis.clusters() > 0)
  end
end

function TestMap:test_what_was_of_a_replaced_level_says_so()
  local face, next_face = lw.bsp.face(0), lw.bsp.faces()
  rooms.open()
  unit.assertStrContains(rooms.refusal(function() return face.normal end), "replaced")
  unit.assertStrContains(rooms.refusal(next_face), "replaced")
end

function TestMap:test_reloading_keeps_the_eye_and_the_lock()
  lw.camera.origin = rooms.bend
  lw.vis.lock(3)
  assert(lw.map.reload())
  unit.assertTrue(lw.camera.origin == rooms.bend)
  unit.assertEquals(lw.vis.locked(), 3)
  lw.vis.lock()
  lw.camera.free()
end
