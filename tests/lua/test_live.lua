-- Entities that live, in the level of ours: its door, its trigger, its items; and behaviours made by a script.
local lu = require "luaunit"
local rooms = require "rooms"

local steps = rooms.steps

TestLive = {}

function TestLive:setUp()
  rooms.play()
end

function TestLive:test_the_level_s_entities_are_there()
  lu.assertEquals(lw.entities.get(0), lw.player.entity)
  lu.assertTrue(lw.entities.get(0).is_player)
  lu.assertEquals(#lw.entities.all("func_door"), 1)
  lu.assertEquals(lw.entities.all("light")[1].visible, false)
end

function TestLive:test_a_door_opens_for_who_comes_near_and_closes_behind_him()
  local door = lw.entities.all("func_door")[1]
  steps(30)
  local closed = door.origin
  lw.player.teleport(door.origin.x, door.origin.y - 100, 25)
  steps(125)
  lu.assertTrue((door.origin - closed):length() > 20, "it opened")
  local far = door.origin
  lw.player.teleport(rooms.first.x, rooms.first.y, 25)
  steps(125 * 6)
  lu.assertTrue((door.origin - closed):length() < 0.01, "it closed")
  lu.assertTrue((far - closed):length() > 0)
end

function TestLive:test_a_door_that_is_blocked_turns_back_and_hurts()
  local door = lw.entities.all("func_door")[1]
  steps(30)
  local closed = door.origin
  lw.player.teleport(closed.x, closed.y - 60, 25)
  steps(125)
  lw.player.teleport(closed.x, closed.y, 25)    -- in the doorway: its box keeps it open
  lw.player.health = 100
  for _ = 1, 125 * 8 do
    steps()
    lu.assertTrue(lw.player.origin.z < 200)
  end
  lu.assertFalse(lw.trace.box(lw.player.origin, lw.player.origin, lw.vec3(-15, -15, -24), lw.vec3(15, 15, 32), { entities = true, ignore = 0 }).start_solid)
end

function TestLive:test_a_trigger_fires_what_it_targets_and_waits()
  local heard = {}
  lw.entities.behaviour("target_print", { use = function(self, who) heard[#heard + 1] = tostring(who) end })
  local trigger = lw.entities.all("trigger_multiple")[1]
  local middle = (trigger.absmin + trigger.absmax) * 0.5
  lw.player.teleport(middle.x, middle.y, 25)
  steps(20)
  lu.assertEquals(heard, { "entity 0 (player)" })
  steps(125)
  lu.assertEquals(#heard, 1, "it waits")
  steps(math.ceil(trigger.wait * 125))
  lu.assertEquals(#heard, 2)
end

function TestLive:test_an_item_is_picked_up_and_comes_back()
  local item = lw.entities.all("item_health_large")[1]
  steps(40)
  lw.player.health = 40
  lw.player.teleport(item.origin.x, item.origin.y, 25)
  steps(2)
  lu.assertEquals(lw.player.health, 90)
  lu.assertEquals(lw.player.items.item_health_large, 1)
  lu.assertEquals(item.visible, false)
  lw.player.teleport(rooms.first.x, rooms.first.y, 25)
  steps(125 * 36)
  lu.assertEquals(item.visible, true)
end

function TestLive:test_a_behaviour_thinks_moves_and_arrives()
  local log = {}
  lw.entities.behaviour("thing_*", {
    spawn = function(self) log[#log + 1] = "spawn " .. self:key("note") self.next_think = 0.2 end,
    think = function(self) log[#log + 1] = "think" self:move(self.origin + lw.vec3(0, 0, 64), 0.4) end,
    arrived = function(self) log[#log + 1] = ("arrived %g"):format(self.origin.z) end,
  })
  local thing = lw.entities.spawn { classname = "thing_one", note = "hello", origin = lw.vec3(100, 100, 10) }
  steps(20)
  lu.assertEquals(log, { "spawn hello" })
  steps(100)
  lu.assertEquals(log, { "spawn hello", "think", "arrived 74" })
  thing:remove()
  lu.assertFalse(thing.valid)
  lu.assertErrorMsgContains("is gone", function() return thing.origin end)
end

function TestLive:test_an_error_stops_one_entity_alone()
  local beats = 0
  lw.entities.behaviour("fragile", { think = function(self)
    beats = beats + 1
    self:after(0.1)
    if self:key("bad") then error("broken on purpose") end
  end })
  local good = lw.entities.spawn { classname = "fragile" }
  local bad = lw.entities.spawn { classname = "fragile", bad = "1" }
  good:after(0.1)
  bad:after(0.1)
  steps(130)
  lu.assertTrue(bad.stopped)
  lu.assertFalse(good.stopped)
  lu.assertTrue(beats >= 10)
end

function TestLive:test_targets_in_a_circle_come_to_an_end()
  local uses = 0
  lw.entities.behaviour("ring", { use = function(self, who) uses = uses + 1 self:fire(who) end })
  for i = 1, 3 do lw.entities.spawn { classname = "ring", targetname = "ring" .. i, target = "ring" .. (i % 3 + 1) } end
  lw.entities.named("RING1")[1]:use()
  lu.assertTrue(uses > 3 and uses < 5000)
end

function TestLive:test_the_same_steps_give_the_same_state()
  local function run()
    rooms.open()
    lw.player.mode = "walk"
    for i = 1, 200 do
      lw.player.move { forward = math.sin(i), side = math.cos(i * 3), jump = i % 7 == 0 }
      lw.player.angles = lw.vec3(0, i * 11, 0)
      lw.time.step(5)
    end
    return lw.entities.hash()
  end
  lu.assertEquals(run(), run())
end

function TestLive:test_wrong_arguments_are_told()
  local function refusal(f, ...) return rooms.refusal(f, ...) end
  lu.assertStrContains(refusal(lw.entities.spawn, {}), "classname")
  lu.assertStrContains(refusal(lw.entities.behaviour, "x", 3), "table")
  lu.assertStrContains(refusal(lw.entities.get, 99999), "entity 99999")
  lu.assertStrContains(refusal(lw.trace.ray, 1, 2), "lw.trace.ray")
  lu.assertStrContains(refusal(lw.trace.ray, rooms.first, rooms.bend, { mask = "nothing" }), "no such contents")
  lu.assertStrContains(refusal(function() lw.player.mode = "swim" end), "mode")
  lu.assertStrContains(refusal(function() lw.player.entity:remove() end), "player")
  lu.assertStrContains(refusal(function() lw.player.entity.classname = "x" end), "read")
end

function TestLive:test_fields_say_what_they_take()
  local e = lw.entities.all("func_door")[1]
  lu.assertStrContains(rooms.refusal(function() e.velocity = 5 end), "bad value for 'entity.velocity' (a point")
  lu.assertStrContains(rooms.refusal(function() e.solid = "wood" end), "bad value for 'entity.solid' (solid \"wood\", allowed are")
  lu.assertStrContains(rooms.refusal(function() e.next_think = "soon" end), "bad value for 'entity.next_think' (number expected, got string)")
end

function TestLive:test_traces_meet_walls_and_entities()
  local down = lw.trace.ray(rooms.first, rooms.first - lw.vec3(0, 0, 1000))
  lu.assertAlmostEquals(down.endpos.z, 0.125, 1e-3)
  lu.assertEquals(down.normal, lw.vec3(0, 0, 1))
  local door = lw.entities.all("func_door")[1]
  steps(30)
  local middle = (door.absmin + door.absmax) * 0.5
  local from, to = middle - lw.vec3(0, 60, 0), middle + lw.vec3(0, 60, 0)
  lu.assertFalse(lw.trace.ray(from, to).hit)
  lu.assertEquals(lw.trace.ray(from, to, { entities = true }).entity, door)
  lu.assertFalse(lw.trace.ray(from, to, { entities = true, ignore = door }).hit)
end
