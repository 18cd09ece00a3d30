-- Every jump pad of the installed levels throws a player who walks onto it near its target, unless something is in the way.
local lu = require "luaunit"
local throw = require "throw"

local low, high = lw.vec3(-15, -15, -24), lw.vec3(15, 15, 32)
local near = 128

-- The lowest place over the middle of a pad where a player has room and touches it.
local function spot(pad)
  local middle = (pad.absmin + pad.absmax) * 0.5
  for z = pad.absmin.z + 24, pad.absmax.z + 24 do
    local p = lw.vec3(middle.x, middle.y, z)
    if not lw.trace.box(p, p, low, high, { mask = "player", entities = true, ignore = 0 }).start_solid then return p end
  end
end

-- Whether a wall crosses the arc that the pad's formula promises.
local function free_way(from, velocity, seconds)
  local last = from
  for i = 1, 40 do
    local at = throw.at(from, velocity, seconds * i / 40)
    if lw.trace.box(last, at, low, high, { mask = "player", entities = true, ignore = 0 }).hit then return false end
    last = at
  end
  return true
end

local function try(name, pad, counts)
  local target = pad.target and lw.entities.named(pad.target)[1]
  if not target or not pad.velocity_given then return end
  local apex_velocity, seconds = throw.velocity((pad.absmin + pad.absmax) * 0.5, target.origin)
  local apex = throw.at((pad.absmin + pad.absmax) * 0.5, apex_velocity, seconds)
  lu.assertTrue((apex - target.origin):length() < 1, name .. ": the arc misses its target")
  local from = spot(pad)
  if not from or not free_way(from, pad.velocity_given, seconds) then
    counts.walled = counts.walled + 1
    return
  end
  lw.player.teleport(from)
  local best = math.huge
  for _ = 1, math.ceil((seconds + 1) * 125) do
    lw.time.step(1)
    best = math.min(best, (lw.player.origin - target.origin):length())
    if best <= near then break end
  end
  counts.pads = counts.pads + 1
  lu.assertTrue(best <= near, ("%s: %s throws past its target by %.0f"):format(name, tostring(pad), best))
end

TestJumpPads = {}

function TestJumpPads.test_every_pad_reaches_its_target()
  local counts = { pads = 0, walled = 0, levels = 0 }
  for _, file in ipairs(lw.fs.list("maps", ".bsp")) do
    local name = file:match("^maps/([^/]+)%.bsp$")
    if name then
      lu.assertTrue(lw.map.open(name))
      lw.time.step(30)
      for _, pad in ipairs(lw.entities.all("trigger_push")) do try(name, pad, counts) end
      counts.levels = counts.levels + 1
    end
  end
  print(("%d jump pads of %d levels reach their targets, %d are walled in"):format(counts.pads, counts.levels, counts.walled))
  lu.assertTrue(counts.pads > 0)
end
