-- Random players walk through every installed level and fire what they like: no error, no place that is no number, no step
-- that never ends. LEAFWALK_STEPS says how many steps in each level.
local lu = require "luaunit"

local STEPS = tonumber(os.getenv("LEAFWALK_STEPS") or "") or 1000
local AT_ONCE = 20

local function finite(v) return v.x == v.x and v.y == v.y and v.z == v.z and v:length() < 1e7 end

local function check_entities(name)
  for _, e in ipairs(lw.entities.all()) do
    lu.assertTrue(finite(e.origin) and finite(e.angles) and finite(e.velocity), ("%s: %s is nowhere"):format(name, tostring(e)))
    lu.assertFalse(e.stopped, ("%s: %s had an error"):format(name, tostring(e)))
  end
end

local function fire_one()
  local all = lw.entities.all()
  local e = all[math.random(#all)]
  local what = math.random(4)
  if e.is_player then return end
  if what == 1 then e:use(lw.player.entity) elseif what == 2 then e:touch(lw.player.entity) elseif what == 3 then e:hurt(20) else e:fire(lw.player.entity) end
end

local function walk(name)
  local spots = lw.entities.find { classname = "info_player_.*" }
  local yaw, modes = 0, { "walk", "walk", "walk", "noclip", "fly", "spectate" }
  for at = 0, STEPS - 1, AT_ONCE do
    if at % 1000 == 0 then
      lw.player.mode = modes[math.random(#modes)]
      local place = #spots > 0 and lw.entities.lump(spots[math.random(#spots)]):vector("origin")
      if place then lw.player.teleport(place + lw.vec3(0, 0, 9)) end
    end
    yaw = yaw + math.random(-60, 60)
    lw.player.angles = lw.vec3(math.random(-60, 60), yaw, 0)
    lw.player.move { forward = math.random(-1, 2), side = math.random(-1, 1), up = math.random(-1, 1), jump = math.random(4) == 1, crouch = math.random(8) == 1 }
    if math.random(6) == 1 then fire_one() end
    lw.time.step(AT_ONCE)
    lu.assertTrue(finite(lw.player.origin) and finite(lw.player.velocity), name .. ": the player is nowhere")
  end
  check_entities(name)
end

TestRandomWalk = {}

function TestRandomWalk.test_random_players_break_nothing()
  local levels = 0
  for _, file in ipairs(lw.fs.list("maps", ".bsp")) do
    local name = file:match("^maps/([^/]+)%.bsp$")
    if name then
      math.randomseed(levels + 1)
      lu.assertTrue(lw.map.open(name))
      walk(name)
      levels = levels + 1
    end
  end
  print(("%d levels, %d steps"):format(levels, levels * STEPS))
  lu.assertTrue(levels > 10)
end
