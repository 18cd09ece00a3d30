-- Two thousand entities that live, all of them scripted, run ten times as fast as the clock on one core.
local lu = require "luaunit"

local MANY, SECONDS = 2000, 10

TestManyEntities = {}

function TestManyEntities.test_two_thousand_run_ten_times_faster_than_the_clock()
  lu.assertTrue(lw.map.open("rooms"))
  lw.player.mode = "walk"
  lw.entities.behaviour("swarm", {
    spawn = function(self)
      self.middle, self.phase, self.visible = self.origin, self:number("phase"), true
      self:after(0.1)
    end,
    think = function(self)
      self.phase = self.phase + 0.3
      self.origin = self.middle + lw.vec3(math.cos(self.phase) * 20, math.sin(self.phase) * 20, 0)
      self:after(0.1)
    end,
  })
  local classes = { "swarm", "func_bobbing", "func_timer", "trigger_multiple", "item_armor_shard", "func_rotating", "func_door", "target_laser" }
  for i = 1, MANY do
    local class = classes[i % #classes + 1]
    local place = lw.vec3(40 + i * 37 % 400, 40 + i * 53 % 400, 40 + i * 29 % 100)
    local brush = class:find("^func_[brd]") and "*1" or nil
    local e = lw.entities.spawn { classname = class, model = brush, origin = brush and place + lw.vec3(0, 0, 2000) or place,
      phase = i, targetname = class == "func_door" and "d" .. i or nil, spawnflags = class == "func_timer" and 1 or nil,
      target = class == "func_timer" and "d" .. i or nil }
    if class == "trigger_multiple" then e.mins, e.maxs = lw.vec3(-8, -8, -8), lw.vec3(8, 8, 8) end
  end
  lu.assertTrue(#lw.entities.all() >= MANY)
  lw.player.move { forward = 1 }
  local start = os.clock()
  for i = 1, SECONDS * 5 do
    lw.player.angles = lw.vec3(0, i * 40, 0)
    lw.time.step(25)
  end
  local took = os.clock() - start
  print(("%d entities, %d s of the game in %.2f s: %.0f times as fast as the clock"):format(#lw.entities.all(), SECONDS, took, SECONDS / took))
  lu.assertTrue(took * 10 < SECONDS)
end
