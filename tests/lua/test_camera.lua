-- lw.camera: the eye.
local unit = require "luaunit"
local rooms = require "rooms"

TestCamera = {}

function TestCamera:setUp() rooms.open() end

function TestCamera:test_the_eye_begins_at_a_start()
  local start = lw.entities.lump(1)
  unit.assertTrue(lw.camera.origin == start:vector("origin") + lw.vec3(0, 0, 26))
  unit.assertAlmostEquals(lw.camera.angles.y, 38, 1e-4)
end

function TestCamera:test_the_eye_is_moved_and_turned()
  lw.camera.origin = { 100, 200, 60 }
  unit.assertTrue(lw.camera.origin == lw.vec3(100, 200, 60))
  lw.camera.angles = lw.vec3(0, 90, 0)
  unit.assertAlmostEquals(lw.camera.forward.y, 1, 1e-6)
  unit.assertAlmostEquals(lw.camera.right.x, 1, 1e-6)
  unit.assertAlmostEquals(lw.camera.up.z, 1, 1e-6)
  lw.camera.fov = 70
  unit.assertEquals(lw.camera.fov, 70)
  lw.camera.free()
end

function TestCamera:test_looking_at_a_point_turns_towards_it()
  lw.camera.origin = { 0, 0, 0 }
  lw.camera.look_at(10, 0, 0)
  unit.assertEquals(tostring(lw.camera.angles), "vec3(0 0 0)")
  lw.camera.look_at { 0, 0, -5 }
  unit.assertAlmostEquals(lw.camera.angles.x, 90, 1e-4)
  lw.camera.look_at(0, 0, 0)
  unit.assertAlmostEquals(lw.camera.angles.x, 90, 1e-4)
end

function TestCamera:test_what_came_back_is_a_value()
  local origin = lw.camera.origin
  origin.x = 12345
  unit.assertNotEquals(lw.camera.origin.x, 12345)
end

function TestCamera:test_nonsense_is_refused()
  unit.assertStrContains(rooms.refusal(function() lw.camera.origin = 5 end), "lw.camera.origin")
  unit.assertStrContains(rooms.refusal(function() lw.camera.origin = { 0, 0 / 0, 0 } end), "lw.camera.origin")
  unit.assertStrContains(rooms.refusal(function() lw.camera.fov = 0 end), "1..170")
  unit.assertStrContains(rooms.refusal(function() lw.camera.fov = 1 / 0 end), "finite")
  unit.assertStrContains(rooms.refusal(function() lw.camera.forward = { 1, 0, 0 } end), "read")
  unit.assertStrContains(rooms.refusal(function() lw.camera.orign = { 1, 0, 0 } end), "orign")
end
