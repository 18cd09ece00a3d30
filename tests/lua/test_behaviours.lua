-- What the classes of scripts/entities/ do: the numbers of the game's code, and the places where others fell into traps.
local lu = require "luaunit"
local rooms = require "rooms"
local throw = require "throw"

local steps, seconds = rooms.steps, rooms.seconds
local spawn = lw.entities.spawn

-- An entity that counts how often it was used, and when.
local function counter(name)
  lw.entities.behaviour("counter", { use = function(self, who)
    self.count, self.at, self.who = (self.count or 0) + 1, lw.time.now(), who
  end })
  return spawn { classname = "counter", targetname = name }
end

TestBehaviours = {}

function TestBehaviours:setUp()
  rooms.play()
end

-- Brush model 1 is 128 x 8 x 128 and its box a unit more on each side.
function TestBehaviours:test_a_door_without_keys_has_the_numbers_of_the_code()    -- traps C12
  local door = spawn { classname = "func_door", model = "*1", origin = lw.vec3(400, 300, 500), targetname = "d", angle = 90 }
  steps(20)
  lu.assertAlmostEquals((door.pos2 - door.pos1).y, 10 - 8, 1e-4)    -- thickness + 2 - lip
  lu.assertAlmostEquals(door.seconds, 2 / 400, 1e-6)
  lu.assertEquals(door.wait, 2)
  lu.assertEquals(door.dmg, 2)
  local up = spawn { classname = "func_door", model = "*1", origin = lw.vec3(400, 300, 500), targetname = "d", angle = -1 }
  lu.assertAlmostEquals((up.pos2 - up.pos1).z, 130 - 8, 1e-4)
  local down = spawn { classname = "func_door", model = "*1", origin = lw.vec3(400, 300, 500), targetname = "d", angles = "0 -2 0" }
  lu.assertAlmostEquals((down.pos2 - down.pos1).z, -122, 1e-4)
end

function TestBehaviours:test_a_door_that_starts_open_closes_when_used()
  local door = spawn { classname = "func_door", model = "*1", origin = lw.vec3(400, 300, 500), targetname = "d", angle = -1, spawnflags = 1 }
  steps(20)
  lu.assertAlmostEquals(door.origin.z, 622, 1e-3)
  door:use()
  seconds(1)
  lu.assertAlmostEquals(door.origin.z, 500, 1e-3)
  seconds(2.5)
  lu.assertAlmostEquals(door.origin.z, 622, 1e-3)
end

function TestBehaviours:test_a_door_with_wait_minus_1_stays_and_fires_at_its_far_end()
  local heard = counter "far"
  local door = spawn { classname = "func_door", model = "*1", origin = lw.vec3(400, 300, 500), angle = -1, wait = -1, target = "far", targetname = "d" }
  steps(20)
  local used_at = lw.time.now()
  door:use()
  seconds(0.25)
  lu.assertNil(heard.count, "not before it is there")
  seconds(10)
  lu.assertEquals(heard.count, 1)
  lu.assertAlmostEquals(heard.at - used_at, 0.05 + 122 / 400, 0.02)
  lu.assertAlmostEquals(door.origin.z, 622, 1e-3)
end

function TestBehaviours:test_a_door_used_on_its_way_turns_back()
  local door = spawn { classname = "func_door", model = "*1", origin = lw.vec3(400, 300, 500), angle = -1, speed = 100, targetname = "d" }
  steps(20)
  door:use()
  seconds(0.6)
  local z = door.origin.z
  lu.assertTrue(z > 540 and z < 570)
  door:use()
  seconds(0.3)
  lu.assertTrue(door.origin.z < z - 20)
  seconds(1)
  lu.assertAlmostEquals(door.origin.z, 500, 1e-3)
end

function TestBehaviours:test_a_team_of_doors_moves_as_one()
  local one = spawn { classname = "func_door", model = "*1", origin = lw.vec3(400, 300, 500), angle = -1, team = "pair", targetname = "d" }
  local two = spawn { classname = "func_door", model = "*1", origin = lw.vec3(400, 320, 500), angle = -2, team = "pair" }
  steps(20)
  two:use()
  seconds(1)
  lu.assertAlmostEquals(one.origin.z, 622, 1e-3)
  lu.assertAlmostEquals(two.origin.z, 378, 1e-3)
  one:remove()
  seconds(4)
  two:use()
  seconds(1)
  lu.assertAlmostEquals(two.origin.z, 378, 1e-3)
end

function TestBehaviours:test_a_door_with_health_opens_when_it_is_hurt_and_not_when_somebody_is_near()
  local door = spawn { classname = "func_door", model = "*1", origin = lw.vec3(200, 200, 64), angle = -1, health = 10 }
  steps(20)
  lw.player.teleport(200, 150, 25)
  seconds(1)
  lu.assertAlmostEquals(door.origin.z, 64, 1e-3)
  door:hurt(1)
  seconds(1)
  lu.assertAlmostEquals(door.origin.z, 186, 1e-3)
end

function TestBehaviours:test_a_button_is_pressed_by_who_runs_into_it()
  local heard = counter "pressed"
  local button = spawn { classname = "func_button", model = "*1", origin = lw.vec3(200, 200, 64), angle = 90, target = "pressed" }
  steps(20)
  lw.player.teleport(200, 150, 25)
  lw.player.angles = lw.vec3(0, 90, 0)
  steps(5)
  lu.assertNil(heard.count)
  lw.player.move { forward = 1 }
  seconds(1)
  lu.assertEquals(heard.count, 1)
  lu.assertTrue(heard.who.is_player)
  lu.assertTrue(button.origin.y > 205 or heard.at < lw.time.now())
end

function TestBehaviours:test_a_plat_carries_up_who_stands_on_it_and_waits_for_him()
  local plat = spawn { classname = "func_plat", model = "*1", origin = lw.vec3(200, 200, 20), height = 60 }
  steps(20)
  lu.assertAlmostEquals(plat.origin.z, -40, 1e-3)
  lw.player.teleport(200, 200, -40 + 64 + 24.2)
  seconds(0.2)
  lu.assertTrue(plat.origin.z > -30, "it rises")
  seconds(3)
  lu.assertAlmostEquals(plat.origin.z, 20, 1e-3, "while he stands on it, it stays")
  lu.assertAlmostEquals(lw.player.origin.z, 20 + 64 + 24, 0.3)
  lw.player.teleport(400, 400, 25)
  seconds(2.5)
  lu.assertAlmostEquals(plat.origin.z, -40, 1e-3)
end

function TestBehaviours:test_a_train_goes_round_its_corners_and_stops_where_the_way_ends()    -- traps C9, C11
  for i, z in ipairs { 500, 600, 700 } do
    spawn { classname = "path_corner", targetname = "c" .. i, target = i < 3 and "c" .. i + 1 or nil, origin = lw.vec3(400, 300, z) }
  end
  local train = spawn { classname = "func_train", model = "*1", target = "c1" }
  seconds(0.2)
  lu.assertAlmostEquals(train.origin.z, 510, 6)
  seconds(5)
  lu.assertEquals(train.origin.z, 700)
  lu.assertFalse(train.stopped)
  -- Corners that lead into a ring without their first: legal, and without end.
  lw.entities.named("c3")[1].target = "c2"
  train:use()
  for _ = 1, 20 do
    seconds(1)
    lu.assertTrue(train.origin.z >= 599.9 and train.origin.z <= 700.1)
  end
  lu.assertFalse(train.stopped)
end

function TestBehaviours:test_corners_at_one_place_do_not_hang_the_game()
  for i = 1, 2 do
    spawn { classname = "path_corner", targetname = "s" .. i, target = "s" .. 3 - i, origin = lw.vec3(400, 300, 500) }
  end
  local train = spawn { classname = "func_train", model = "*1", target = "s1" }
  seconds(2)
  lu.assertEquals(train.origin.z, 500)
  lu.assertFalse(train.stopped)
end

function TestBehaviours:test_a_pad_throws_by_the_formula()
  local velocity, time = throw.velocity(lw.vec3(0, 0, 0), lw.vec3(300, 400, 200))
  lu.assertAlmostEquals(time, 0.70711, 1e-4)
  lu.assertAlmostEquals((velocity - lw.vec3(424.26, 565.69, 565.69)):length(), 0, 0.02)
  lw.player.gravity = 400
  velocity, time = throw.velocity(lw.vec3(0, 0, 0), lw.vec3(300, 400, 200))
  lu.assertAlmostEquals((throw.at(lw.vec3(0, 0, 0), velocity, time) - lw.vec3(300, 400, 200)):length(), 0, 1e-3)
  lw.player.gravity = 800
end

function TestBehaviours:test_a_pad_whose_target_is_missing_or_lower_throws_nowhere()    -- traps C8
  spawn { classname = "target_position", targetname = "low", origin = lw.vec3(100, 100, -50) }
  for _, target in ipairs { "low", "nobody" } do
    local pad = spawn { classname = "trigger_push", target = target, origin = lw.vec3(200, 200, 0) }
    pad.mins, pad.maxs = lw.vec3(-32, -32, 0), lw.vec3(32, 32, 16)
    steps(20)
    lw.player.teleport(200, 200, 25)
    steps(10)
    local v = lw.player.velocity
    lu.assertTrue(v.x == v.x and v:length() < 1, tostring(v))
    pad:remove()
  end
end

function TestBehaviours:test_teleporters_that_lead_into_each_other_take_one_step_each()    -- traps C10
  local there = spawn { classname = "misc_teleporter_dest", targetname = "there", origin = lw.vec3(600, 1100, 24), angle = 90 }
  local here = spawn { classname = "misc_teleporter_dest", targetname = "here", origin = lw.vec3(200, 200, 24), angle = 180 }
  for _, row in ipairs { { here, "there" }, { there, "here" } } do
    local gate = spawn { classname = "trigger_teleport", target = row[2], origin = row[1].origin }
    gate.mins, gate.maxs = lw.vec3(-24, -24, -24), lw.vec3(24, 24, 40)
  end
  lw.player.teleport(here.origin)
  steps()
  lu.assertTrue((lw.player.origin - there.origin):length() < 5)
  lu.assertAlmostEquals(lw.player.angles.y, 90, 1e-3)
  lu.assertAlmostEquals(lw.player.velocity.y, 400, 1e-2)
  steps()
  lu.assertTrue((lw.player.origin - here.origin):length() < 9, "the next step takes him back")
  for _ = 1, 100 do
    steps()
    lu.assertTrue(lw.player.origin:length() < 2000)
  end
end

function TestBehaviours:test_bobbing_swinging_and_turning_by_their_formulas()
  local bob = spawn { classname = "func_bobbing", model = "*1", origin = lw.vec3(400, 300, 500), phase = 0.25 }
  local swing = spawn { classname = "func_pendulum", model = "*1", origin = lw.vec3(400, 300, 500) }
  local turn = spawn { classname = "func_rotating", model = "*1", origin = lw.vec3(400, 300, 500), spawnflags = 4 }
  seconds(1)
  local t = lw.time.now()
  lu.assertAlmostEquals(bob.origin.z, 500 + 32 * math.sin(2 * math.pi * (t / 4 - 0.25)), 1e-2)
  local frequency = math.sqrt(800 / (3 * 65)) / (2 * math.pi)    -- the model's own lower end, a unit lower as in the engine
  lu.assertAlmostEquals(swing.angles.z, 30 * math.sin(2 * math.pi * frequency * t), 1e-2)
  lu.assertAlmostEquals(turn.angles.z, 100, 0.1)
  lu.assertEquals(turn.angles.y, 0)
end

function TestBehaviours:test_delays_timers_and_relays()
  local heard = counter "heard"
  local delay = spawn { classname = "target_delay", target = "heard", targetname = "wait" }
  local relay = spawn { classname = "target_relay", target = "wait" }
  steps(10)
  local at = lw.time.now()
  relay:use()
  seconds(2)
  lu.assertEquals(heard.count, 1)
  lu.assertAlmostEquals(heard.at - at, 1, 0.02)
  lu.assertTrue(heard.who.is_player)
  lu.assertEquals(delay.wait, 1)
  local timer = spawn { classname = "func_timer", target = "heard", wait = 0.5, random = 0 }
  timer:use()
  seconds(2.1)
  lu.assertEquals(heard.count, 1 + 5)
  timer:use()
  seconds(2)
  lu.assertEquals(heard.count, 6)
  spawn { classname = "trigger_always", target = "heard" }
  seconds(1)
  lu.assertEquals(heard.count, 7)
end

function TestBehaviours:test_a_trigger_that_waits_for_nothing_fires_once()
  local heard = counter "once"
  local trigger = spawn { classname = "trigger_multiple", target = "once", wait = -1, origin = lw.vec3(200, 200, 0) }
  trigger.mins, trigger.maxs = lw.vec3(-32, -32, 0), lw.vec3(32, 32, 64)
  lw.player.teleport(200, 200, 25)
  seconds(5)
  lu.assertEquals(heard.count, 1)
end

function TestBehaviours:test_what_hurts_does_so_ten_times_a_second_or_once()
  for flags, per_second in pairs { [0] = 10, [16] = 1 } do
    local trigger = spawn { classname = "trigger_hurt", dmg = 2, spawnflags = flags, origin = lw.vec3(200, 200, 0) }
    trigger.mins, trigger.maxs = lw.vec3(-32, -32, 0), lw.vec3(32, 32, 64)
    lw.player.teleport(200, 200, 25)
    lw.player.health = 100
    seconds(2)
    lu.assertAlmostEquals(100 - lw.player.health, 2 * 2 * per_second, 4)
    trigger:use()
    lw.player.health = 100
    seconds(1)
    lu.assertEquals(lw.player.health, 100, "use turns it off")
    trigger:remove()
  end
end

function TestBehaviours:test_of_a_team_of_items_one_is_there()
  local all = {}
  for i = 1, 3 do all[i] = spawn { classname = "item_armor_shard", team = "three", origin = lw.vec3(100 + 60 * i, 200, 20) } end
  steps(40)
  lu.assertEquals({ all[1].visible, all[2].visible, all[3].visible }, { true, false, false })
  lw.player.teleport(160, 200, 25)
  steps(2)
  lu.assertEquals(lw.player.items.armor, 5)
  lw.player.teleport(400, 400, 25)
  seconds(26)
  local there = 0
  for _, item in ipairs(all) do there = there + (item.visible and 1 or 0) end
  lu.assertEquals(there, 1)
end

function TestBehaviours:test_an_item_with_a_name_waits_until_it_is_fired_and_given_ones_do_not_come_back()
  local item = spawn { classname = "item_health", targetname = "late", origin = lw.vec3(200, 200, 20) }
  steps(40)
  lu.assertFalse(item.visible)
  item:use()
  lu.assertTrue(item.visible)
  lw.player.health = 50
  spawn { classname = "target_give", target = "late", targetname = "g" }:use()
  lu.assertEquals(lw.player.health, 75)
  seconds(40)
  lu.assertFalse(item.visible)
end

function TestBehaviours:test_solid_things_hear_of_who_runs_into_them_and_of_who_stands_on_them()
  local touched = 0
  lw.entities.behaviour("crate", { spawn = function(self) self.solid = true end, touch = function(_, other)
    lu.assertTrue(other.is_player)
    touched = touched + 1
  end })
  local crate = spawn { classname = "crate", origin = lw.vec3(200, 200, 0) }
  crate.mins, crate.maxs = lw.vec3(-16, -16, 0), lw.vec3(16, 16, 32)
  lw.player.teleport(200, 140, 25)
  lw.player.angles = lw.vec3(0, 90, 0)
  steps(5)
  lu.assertEquals(touched, 0)
  lw.player.move { forward = 1 }
  seconds(0.5)
  lu.assertTrue(touched > 0)
  lw.player.move()
  touched = 0
  lw.player.teleport(200, 200, 32 + 25)
  seconds(0.5)
  lu.assertTrue(touched > 10, "every step that he stands on it")
end

function TestBehaviours:test_gravity_of_a_trigger()
  local zone = spawn { classname = "trigger_gravity", gravity = 0.5, origin = lw.vec3(200, 200, 0) }
  zone.mins, zone.maxs = lw.vec3(-32, -32, 0), lw.vec3(32, 32, 400)
  lw.player.teleport(200, 200, 100)
  steps(5)
  lu.assertEquals(lw.player.gravity, 400)
  lw.player.teleport(400, 400, 25)
  steps(20)
  lu.assertEquals(lw.player.gravity, 800)
end

function TestBehaviours:test_wrong_arguments_are_told()
  local e = spawn { classname = "info_notnull", origin = lw.vec3(200, 200, 64) }
  lu.assertStrContains(rooms.refusal(e.play, e), "file")
  lu.assertStrContains(rooms.refusal(e.play, e, "x.wav", 3), "loop")
  lu.assertStrContains(rooms.refusal(e.move, e, lw.vec3(0, 0, 0), -1), "seconds")
  lu.assertStrContains(rooms.refusal(e.move, e, lw.vec3(0, 0, 0), 1, "quickly"), "quickly")
  lu.assertStrContains(rooms.refusal(e.after, e, 0 / 0), "after")
  lu.assertStrContains(rooms.refusal(e.bob, e, lw.vec3(0, 0, 1), 0), "period")
  lu.assertStrContains(rooms.refusal(lw.player.entity.restart, lw.player.entity), "player")
  lu.assertStrContains(rooms.refusal(function() lw.player.gravity = "down" end), "gravity")
  lu.assertStrContains(rooms.refusal(function() e.origin = { 0 / 0, 0, 0 } end), "not a number")
  lu.assertStrContains(rooms.refusal(function() e.model = "*99" end), "brush model *99")
  e:play("no/such.wav")    -- nobody hears here: nothing is read, and nothing is wrong
  e:remove()
  lu.assertStrContains(rooms.refusal(e.restart, e), "gone")
end

function TestBehaviours:test_an_entity_begins_again_with_changed_keys()
  local door = lw.entities.all("func_door")[1]
  steps(20)
  local old_box = door.box
  door:set_key("speed", "50")
  door:set_key("origin", "816 696 80")
  door:restart()
  steps(20)
  lu.assertAlmostEquals(door.origin.z, 80, 1e-3)
  lu.assertAlmostEquals(door.seconds, 122 / 50, 1e-3)
  lw.player.teleport(816, 640, 41)
  seconds(1)
  lu.assertFalse(old_box.valid, "its old box is gone when somebody touches it")
  lu.assertEquals(door.state, "1to2")
end

function TestBehaviours:test_the_player_s_own_behaviour_hears_what_hurts_him()
  local heard
  lw.entities.behaviour("player", { hurt = function(self, amount) heard = { self.is_player, amount } end })
  lw.player.health = 30
  lw.player.hurt(20)
  lu.assertEquals(lw.player.health, 10)
  lu.assertEquals(heard, { true, 20 })
  lw.player.entity:hurt(50)
  lu.assertEquals(lw.player.health, 100, "he cannot die")
end

function TestBehaviours:test_an_item_on_a_plat_goes_along()
  local plat = spawn { classname = "func_plat", model = "*1", origin = lw.vec3(200, 200, 20), height = 60, targetname = "lift" }
  steps(5)
  local item = spawn { classname = "item_armor_shard", origin = lw.vec3(200, 200, 60) }
  steps(40)
  local over = item.origin.z - plat.origin.z
  lu.assertAlmostEquals(over, 64 + 15 + 0.125, 0.01)
  plat:use()
  seconds(0.2)
  lu.assertAlmostEquals(item.origin.z - plat.origin.z, over, 0.01)
  seconds(0.5)
  lu.assertAlmostEquals(plat.origin.z, 20, 1e-3)
  lu.assertAlmostEquals(item.origin.z, 20 + over, 0.01)
  plat:remove()
  steps(5)
  lu.assertAlmostEquals(item.origin.z, 20 + over, 0.01)
end
