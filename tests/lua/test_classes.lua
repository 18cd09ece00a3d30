-- The classes that test_behaviours.lua leaves out: what targets do to who fired them, lasers, shooters, speakers, pickups and
-- their times, teams, and who is noticed when he spectates or goes through walls.
local lu = require "luaunit"
local rooms = require "rooms"
local teams = require "teams"

local steps, seconds = rooms.steps, rooms.seconds
local spawn = lw.entities.spawn

local function counter(name)
  lw.entities.behaviour("counter", {
    use = function(self, who) self.count, self.who = (self.count or 0) + 1, who end,
    hurt = function(self, amount) self.hurt_by = (self.hurt_by or 0) + amount end,
  })
  return spawn { classname = "counter", targetname = name }
end

-- A box around a place in the first room, where a player can stand.
local HERE = lw.vec3(200, 200, 25)
local function volume(keys)
  keys.origin = lw.vec3(HERE.x, HERE.y, 0)
  local e = spawn(keys)
  e.mins, e.maxs = lw.vec3(-32, -32, 0), lw.vec3(32, 32, 64)
  return e
end

TestClasses = {}

function TestClasses:setUp()
  rooms.play()
  lw.player.angles = lw.vec3(0, 0, 0)
end

function TestClasses:test_of_angle_and_angles_the_later_one_counts()
  local e = lw.entities.lump(1)
  e[#e + 1] = { "angles", "10 20 30" }
  lu.assertEquals(e:facing(), lw.vec3(10, 20, 30))
  e[#e + 1] = { "ANGLE", "45" }
  lu.assertEquals(e:facing(), lw.vec3(0, 45, 0))
  lu.assertNil(lw.entities.lump(0):facing())
  local dest = spawn { classname = "misc_teleporter_dest", origin = HERE, angle = 90 }
  lu.assertEquals(dest.angles, lw.vec3(0, 90, 0))
  dest:set_key("angles", "0 10 0")
  lu.assertEquals(dest:facing(), lw.vec3(0, 10, 0))
  dest:set_key("angle", "70")
  lu.assertEquals(dest:facing(), lw.vec3(0, 70, 0))
  dest:restart()
  lu.assertEquals(dest.angles, lw.vec3(0, 70, 0))
  local door = spawn { classname = "func_door", model = "*1", origin = lw.vec3(400, 300, 500), targetname = "d", angles = "0 -1 0" }
  lu.assertEquals(door.pos2 - door.pos1, lw.vec3(0, 0, 122))
end

function TestClasses:test_static_parts_stand_in_the_way_and_never_move()
  for _, class in ipairs { "func_static", "func_wall" } do
    local e = spawn { classname = class, model = "*1", origin = lw.vec3(200, 260, 64) }
    seconds(1)
    local hit = lw.trace.ray({ 200, 200, 64 }, { 200, 400, 64 }, { entities = true })
    lu.assertEquals(hit.entity, e)
    lu.assertAlmostEquals(hit.endpos.y, 256 - 0.125, 1e-3)
    e:use()
    seconds(1)
    lu.assertEquals(e.origin, lw.vec3(200, 260, 64))
    e:remove()
  end
end

function TestClasses:test_a_door_that_crushes_does_not_turn_back()
  for flags, crushes in pairs { [0] = false, [4] = true } do
    local door = spawn { classname = "func_door", model = "*1", origin = lw.vec3(200, 200, 400), angle = -2, lip = -252, wait = 100, spawnflags = flags, dmg = 1, targetname = "d" }
    steps(20)    -- comes down from 400 to 18: onto the player
    lw.player.teleport(200, 200, 25)
    lw.player.health = 100
    door:use()
    seconds(1)
    local low = door.origin.z
    seconds(0.5)
    lu.assertTrue(lw.player.health < 100)
    lu.assertEquals(door.state, crushes and "1to2" or door.state)
    if crushes then lu.assertAlmostEquals(door.origin.z, low, 4) else lu.assertTrue(door.origin.z > low + 20) end
    door:remove()
  end
end

function TestClasses:test_target_push_throws_by_its_speed_and_at_its_target()
  local push = spawn { classname = "target_push", angle = -1, speed = 300 }
  steps(20)
  lw.player.teleport(HERE)
  push:use(lw.player.entity)
  lu.assertEquals(lw.player.velocity, lw.vec3(0, 0, 300))
  spawn { classname = "target_position", targetname = "top", origin = lw.vec3(200, 200, 250) }
  local aimed = spawn { classname = "target_push", target = "top", origin = lw.vec3(200, 200, 50) }
  steps(20)
  aimed:use(lw.player.entity)
  lu.assertAlmostEquals(lw.player.velocity.z, math.sqrt(2 * 800 * 200), 0.1)
  push:use(counter "nobody")
  lu.assertAlmostEquals(lw.player.velocity.z, math.sqrt(2 * 800 * 200), 0.1, "only players are thrown")
end

function TestClasses:test_what_is_done_to_who_fired_it()
  lw.player.health = 40
  spawn { classname = "target_kill" }:use(lw.player.entity)
  lu.assertEquals(lw.player.health, 100, "he cannot die")
  local victim = counter "victim"
  spawn { classname = "target_kill" }:use(victim)
  lu.assertEquals(victim.hurt_by, 1000)
  spawn { classname = "target_score", count = 3 }:use(lw.player.entity)
  spawn { classname = "target_score" }:use(lw.player.entity)
  lu.assertEquals(lw.player.items.score, 4)
  lw.player.give("item_quad")
  lw.player.give("item_health")
  spawn { classname = "target_remove_powerups" }:use(lw.player.entity)
  lu.assertNil(lw.player.items.item_quad)
  lu.assertEquals(lw.player.items.item_health, 1)
  spawn { classname = "misc_teleporter_dest", targetname = "there", origin = lw.vec3(600, 1100, 24), angle = 270 }
  spawn { classname = "target_teleporter", target = "there" }:use(lw.player.entity)
  lu.assertEquals(lw.player.origin, lw.vec3(600, 1100, 25))
  lu.assertAlmostEquals(lw.player.velocity.y, -400, 1e-2)
end

function TestClasses:test_a_laser_hurts_what_it_meets_and_is_turned_on_and_off()
  local laser = spawn { classname = "target_laser", origin = lw.vec3(200, 200, 40), angle = 90, dmg = 2, spawnflags = 1 }
  seconds(0.2)
  local free = laser.tip
  lw.player.teleport(200, 300, 25)
  lw.player.health = 100
  seconds(1)
  lu.assertAlmostEquals(lw.player.health, 80, 2)
  lu.assertTrue(laser.tip.y < 300 and free.y > 400)
  laser:use()
  lw.player.health = 100
  seconds(1)
  lu.assertEquals(lw.player.health, 100)
  lu.assertFalse(laser.visible)
  local off = spawn { classname = "target_laser", origin = lw.vec3(200, 200, 40), angle = 90 }
  seconds(0.5)
  lu.assertNil(off.tip)
end

function TestClasses:test_shooters_shoot_at_their_target_with_the_speed_of_their_missile()
  lw.player.teleport(600, 1100, 25)
  spawn { classname = "target_position", targetname = "aim", origin = lw.vec3(200, 450, 60) }
  for class, speed in pairs { shooter_rocket = 900, shooter_plasma = 2000, shooter_grenade = 700 } do
    local shooter = spawn { classname = class, target = "aim", origin = lw.vec3(200, 100, 60) }
    shooter:use(lw.player.entity)
    local shot = lw.entities.all("shot")[1]
    lu.assertAlmostEquals(shot.velocity:length(), speed, 0.5)
    lu.assertTrue(shot.velocity.y > speed * 0.99)
    seconds(1)
    lu.assertFalse(shot.valid, "it ends at the wall")
    shooter:remove()
  end
  lw.player.teleport(200, 300, 25)
  lw.player.health = 100
  spawn { classname = "shooter_rocket", target = "aim", origin = lw.vec3(200, 100, 40), random = 0.01 }:use()
  seconds(0.5)
  lu.assertEquals(lw.player.health, 80)
end

function TestClasses:test_speakers_loop_wait_and_sound_when_fired()
  local looped = spawn { classname = "target_speaker", noise = "sound/hum", spawnflags = 1 }
  lu.assertEquals({ looped.noise, looped.sounding }, { "sound/hum.wav", true })
  looped:use()
  lu.assertFalse(looped.sounding)
  local silent = spawn { classname = "target_speaker", noise = "sound/hum.wav", spawnflags = 2 | 4 }
  lu.assertEquals({ silent.noise, silent.sounding, silent.everywhere }, { "sound/hum.wav", nil, true })
  silent:use()
  lu.assertTrue(silent.sounding)
  local timed = spawn { classname = "target_speaker", noise = "sound/drip", wait = 0.5 }
  seconds(0.6)
  local first = timed.sounded
  lu.assertNotNil(first)
  seconds(0.5)
  lu.assertAlmostEquals(timed.sounded - first, 0.5, 0.02)
  local once = spawn { classname = "target_speaker", noise = "*falling1.wav" }
  seconds(1)
  lu.assertNil(once.sounded)
  once:use(lw.player.entity)
  lu.assertAlmostEquals(once.sounded, lw.time.now(), 0.01)
  local mute = spawn { classname = "target_speaker" }
  mute:use()
  lu.assertFalse(mute.stopped)
end

-- Seconds until an item that was taken is back.
local function away(class, keys)
  keys = keys or {}
  keys.classname, keys.origin = class, lw.vec3(HERE.x, HERE.y, 20)
  local item = spawn(keys)
  steps(40)
  lw.player.health = 50
  lw.player.items.armor = nil
  lw.player.teleport(HERE)
  steps(2)
  lu.assertFalse(item.visible, class)
  lw.player.teleport(400, 400, 25)
  local taken = lw.time.now()
  for _ = 1, 125 * 130 do
    if item.visible then break end
    steps()
  end
  local back = item.visible and math.floor(lw.time.now() - taken + 0.5)
  item:remove()
  return back
end

function TestClasses:test_pickups_come_back_after_the_times_of_the_game()
  for class, time in pairs { weapon_railgun = 5, ammo_slugs = 40, holdable_medkit = 60, item_armor_body = 25, item_health_mega = 35, item_quad = 120 } do
    lu.assertEquals(away(class), time, class)
    lu.assertTrue(lw.player.items[class] >= 1)
  end
  lu.assertEquals(away("weapon_bfg", { wait = 3 }), 3)
  lu.assertFalse(away("weapon_bfg", { wait = -1 }))
  lu.assertEquals(away("item_armor_combat", { count = 7 }), 25)
  lu.assertEquals(lw.player.items.armor, 7)
end

function TestClasses:test_pickups_hang_fall_or_are_taken_away()
  local hangs = spawn { classname = "item_health", origin = lw.vec3(200, 200, 120), spawnflags = 1 }
  local falls = spawn { classname = "item_health", origin = lw.vec3(200, 300, 120) }
  local stuck = spawn { classname = "item_health", origin = lw.vec3(300, 700, 60) }
  steps(40)
  lu.assertEquals(hangs.origin.z, 120)
  lu.assertAlmostEquals(falls.origin.z, 15.125, 0.01)
  lu.assertFalse(stuck.valid)
end

function TestClasses:test_helpers_of_bots_are_no_pickups()
  local e = spawn { classname = "item_botroam", origin = lw.vec3(300, 700, 60) }    -- in a wall, and it may be
  steps(40)
  lu.assertTrue(e.valid)
  lu.assertFalse(e.visible)
end

function TestClasses:test_items_stand_around_their_origin_and_in_levels_of_nexuiz_on_it()
  local pickups = require "pickups"
  lu.assertEquals(pickups.box(), lw.vec3(-15, -15, -15))
  lu.assertEquals(pickups.look("item_armor_shard"), pickups.look("ITEM_armor_shard"))
  lu.assertNil(pickups.at_hand(pickups.look("item_cells")))    -- no game is at hand
  lu.assertNotNil(pickups.look("weapon_shotgun").other)
end

function TestClasses:test_a_second_model_goes_with_a_mover()
  local fan = spawn { classname = "func_rotating", model = "*1", model2 = "/models/no/such.md3", origin = lw.vec3(200, 200, 100) }
  lw.raster.render { rasterizer = "null", width = 16, height = 16, draw = function() require("mover").draw(fan) end }
  lu.assertEquals(fan.model2, "models/no/such.md3")
end

function TestClasses:test_flags_name_the_team_that_may_fire()
  for _, row in ipairs { { 0, nil, 1 }, { 1, nil, 1 }, { 1, "red", 1 }, { 1, "blue", 0 }, { 2, "blue", 1 }, { 2, "red", 0 }, { 3, "red", 0 } } do
    local flags, team, times = row[1], row[2], row[3]
    lw.player.teleport(400, 400, 25)
    local heard = counter "team"
    local trigger = volume { classname = "trigger_multiple", target = "team", spawnflags = flags, wait = 60 }
    lw.player.team = team
    lw.player.teleport(HERE)
    steps(2)
    lu.assertEquals(heard.count or 0, times, flags .. " " .. tostring(team))
    spawn { classname = "target_relay", target = "team", spawnflags = flags }:use(lw.player.entity)
    lu.assertEquals(heard.count or 0, 2 * times)
    heard:remove()
    trigger:remove()
  end
  local print_to_red = spawn { classname = "target_print", spawnflags = 1, message = "red" }
  lw.player.team = "blue"
  lu.assertTrue(teams.refuses(print_to_red, lw.player.entity, true))
  lw.player.team = "red"
  lu.assertFalse(teams.refuses(spawn { classname = "target_print", spawnflags = 3 }, lw.player.entity, true))
  lw.player.team = nil
  lu.assertNil(lw.player.team)
  lu.assertStrContains(rooms.refusal(function() lw.player.team = "green" end), "red")
end

function TestClasses:test_a_relay_may_choose_one_of_its_targets()
  local heard = { counter "one", counter "one", counter "one" }
  local relay = spawn { classname = "target_relay", target = "one", spawnflags = 4 }
  for _ = 1, 60 do relay:use(lw.player.entity) end
  local sum = 0
  for _, e in ipairs(heard) do
    lu.assertTrue((e.count or 0) > 5)
    sum = sum + e.count
  end
  lu.assertEquals(sum, 60)
end

function TestClasses:test_what_starts_on_and_what_starts_off()
  local heard = counter "tick"
  spawn { classname = "func_timer", target = "tick", wait = 0.5, random = 0, spawnflags = 1 }
  seconds(1.3)
  lu.assertEquals(heard.count, 3)
  local off = volume { classname = "trigger_hurt", dmg = 10, spawnflags = 1 }
  lw.player.teleport(HERE)
  lw.player.health = 100
  seconds(0.5)
  lu.assertEquals(lw.player.health, 100)
  off:use()
  seconds(0.25)
  lu.assertTrue(lw.player.health < 100)
end

function TestClasses:test_who_spectates_is_noticed_by_teleporters_and_doors_alone()
  local heard = counter "heard"
  spawn { classname = "misc_teleporter_dest", targetname = "there", origin = lw.vec3(600, 1100, 24) }
  local trigger = volume { classname = "trigger_multiple", target = "heard" }
  local hurts = volume { classname = "trigger_hurt", dmg = 10 }
  local armor = spawn { classname = "item_armor_shard", origin = HERE }
  steps(40)
  lw.player.health = 100
  for _, mode in ipairs { "spectate", "noclip", "fly" } do
    lw.player.mode = mode
    lw.player.teleport(HERE)
    seconds(0.5)
    lu.assertEquals({ heard.count, lw.player.health, armor.visible }, { nil, 100, true }, mode)
  end
  local gate = volume { classname = "trigger_teleport", target = "there" }
  for mode, goes in pairs { noclip = false, fly = false, spectate = true, walk = true } do
    lw.player.mode = mode
    lw.player.teleport(HERE)
    steps(2)
    lu.assertEquals((lw.player.origin - lw.vec3(600, 1100, 25)):length() < 20, goes, mode)
  end
  gate:remove()
  gate = volume { classname = "trigger_teleport", target = "there", spawnflags = 1 }
  for mode, goes in pairs { spectate = true, walk = false } do
    lw.player.mode = mode
    lw.player.teleport(HERE)
    steps(2)
    lu.assertEquals((lw.player.origin - lw.vec3(600, 1100, 25)):length() < 20, goes, mode)
  end
  for _, e in ipairs { trigger, hurts } do lu.assertTrue(e.valid) end
end

function TestClasses:test_who_spectates_passes_a_shut_door_and_does_not_open_it()
  local door = lw.entities.all("func_door")[1]
  steps(30)
  lw.player.mode = "spectate"
  lw.player.teleport(816, 560, 60)
  lw.player.angles = lw.vec3(0, 90, 0)
  lw.player.move { forward = 1 }
  local passed = false
  for _ = 1, 125 do
    steps()
    passed = passed or lw.player.origin.y > 712
    lu.assertEquals(door.state, "pos1")
  end
  lu.assertTrue(passed)
  lu.assertTrue(lw.player.origin.y > 800, "and flies on")
end

function TestClasses:test_a_flying_player_is_in_nobodys_way()
  local wall = spawn { classname = "func_static", model = "*1", origin = lw.vec3(200, 400, 64) }
  for mode, there in pairs { walk = true, noclip = true, fly = false, spectate = false } do
    lw.player.mode = mode
    lw.player.teleport(200, 300, 64)
    local hit = lw.trace.ray({ 200, 200, 64 }, { 200, 500, 64 }, { entities = true, mask = { "solid", "body" } })
    lu.assertEquals(hit.entity, there and lw.player.entity or wall, mode)
  end
  local door = spawn { classname = "func_door", model = "*1", origin = lw.vec3(200, 200, 200), angle = -2, lip = -6, wait = 100, targetname = "d" }
  steps(20)
  for _, mode in ipairs { "fly", "spectate", "noclip" } do
    lw.player.mode = mode
    lw.player.teleport(200, 200, 40)
    door:use()
    seconds(1)
    lu.assertEquals(door.state, "pos2", mode)
    lu.assertAlmostEquals(door.origin.z, 64, 1e-3)
    door:finish()
    seconds(1)
  end
end
