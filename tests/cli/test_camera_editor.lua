-- The camera editor, driven without a window: keys come, move, go and come back, and every change is saved.
package.path = (arg[1] or ".") .. "/tests/cli/?.lua;" .. package.path
local unit = require "luaunit"
local program = require "program"

local drive = program.write("drive.lua", [[
local editor = require "tools.camera_editor"
local state = {}
local function keys() return lw.camera.load_path("paths/rooms.lua"):keys() end
local start = lw.camera.origin + lw.vec3(0.1, 0.7, 0)    -- neither is a float
local aim = lw.camera.angles
editor.load(state)
editor.map()
for i = 0, 2 do
  lw.camera.origin = start + lw.vec3(60 * (i % 2), 40 * i, 0)
  lw.camera.angles = lw.vec3(0, 0.1 * i, 0)
  editor:drop()
  assert(#keys() == i + 1 and state.picked == i + 1)
end
for number in lw.fs.read("paths/rooms.lua"):gmatch("%d+%.(%d+)") do
  assert(#number <= 3, "a key is written with more digits than a hand has aimed: " .. number)
end
lw.camera.origin, lw.camera.angles = start - lw.vec3(100, 0, 0), aim
editor.draw { origin = lw.camera.origin, forward = lw.vec3(1, 0, 0), right = lw.vec3(0, -1, 0), up = lw.vec3(0, 0, 1), fov = 90 }
editor.overlay(640, 360)

local before = keys()[3].origin
assert(editor.key("pageup", true) and not editor.key("q", true))
assert(keys()[3].origin[3] == before[3] + 8)
editor:undo()
assert(keys()[3].origin[3] == before[3])
editor:remove()
assert(#keys() == 2 and state.picked == 2)
editor:undo()
assert(#keys() == 3)

-- The first key stands straight ahead, in the middle of the screen: taken there and dragged to the right.
assert(editor.click(3, 320, 180, true) and state.picked == 1)
assert(editor.mouse(64, 0))
assert(editor.click(3, 384, 180, false))
assert(math.abs(keys()[1].origin[2] - (start.y - 20)) < 0.01, keys()[1].origin[2])    -- 100 units away: 320 pixels are 100 units

editor:play()
for _ = 1, 15 do editor.update(1 / 60) end
assert(state.playing and math.abs(state.t - 0.25) < 1e-9 and editor.mouse(5, 5) == true)    -- the path owns the eye
editor:play()
editor:switch_loop()
assert(lw.camera.load_path("paths/rooms.lua"):settings().loop)
assert(editor.click(1, 320, 335, true) and editor.click(1, 320, 335, false))
assert(state.t > 0.3)
editor:lint()
editor.overlay(640, 360)

editor:record()
for i = 1, 60 do
  lw.camera.origin = start + lw.vec3(i, 0, 0)
  editor.update(1 / 30)
end
editor:record()
assert(#keys() == 2, #keys())    -- a straight flight
print("fine")
]])

TestCameraEditor = {}

function TestCameraEditor:test_keys_are_dropped_tuned_and_saved()
  local status, out, err = program.run { "exec", "--map", "rooms", drive }
  unit.assertEquals(status, 0, err)
  unit.assertStrContains(out, "fine")
  local saved = program.read(program.folder .. "/data/leafwalk/paths/rooms.lua")
  unit.assertStrContains(saved, "version = 1")
end

program.finish(unit)
