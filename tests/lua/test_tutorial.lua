-- docs/new-entity.md as it stands: its file has no more than twenty lines of code, and does in our level what it says.
local lu = require "luaunit"
local rooms = require "rooms"

local folder = debug.getinfo(1, "S").source:match("^@(.*)tests/lua/") or ""

local function blocks()
  local list = {}
  local file = assert(io.open(folder .. "docs/new-entity.md"))
  for block in file:read("a"):gmatch("```lua\n(.-)```") do list[#list + 1] = block end
  file:close()
  return list
end

TestTutorial = {}

function TestTutorial.test_the_entity_of_the_tutorial_is_shy()
  rooms.open()
  lw.player.mode = "walk"
  local list = blocks()
  lu.assertEquals(#list, 2)
  local code = 0
  for line in list[1]:gmatch("[^\n]+") do
    if not line:find("^%-%-") then code = code + 1 end
  end
  lu.assertTrue(code <= 20, code .. " lines of code")
  lw.entities.behaviour("func_shy", assert(load(list[1]))())
  local env = { lw = lw }
  assert(load(list[2], "tutorial", "t", env))()
  local shy = env.shy
  shy.up, shy.down = lw.vec3(300, 300, 64), lw.vec3(300, 300, -32)    -- where our level has room
  shy.origin = shy.up
  lw.player.teleport(56, 64, 25)
  lw.time.step(125)
  lu.assertEquals(shy.origin, shy.up, "nobody is near")
  lw.player.teleport(300, 240, 25)
  lw.time.step(125)
  lu.assertEquals(shy.origin, shy.down)
  lw.player.teleport(56, 64, 25)
  lw.time.step(125)
  lu.assertEquals(shy.origin, shy.up)
  lu.assertFalse(shy.stopped)
end
