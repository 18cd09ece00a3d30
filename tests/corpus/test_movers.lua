-- Doors, buttons, plats, teleporters and trains of the installed levels work when a player comes to them.
local lu = require "luaunit"
local trajectories = require "trajectories"

local LOW, HIGH = lw.vec3(-15, -15, -24), lw.vec3(15, 15, 32)

local function free(p)
  return not lw.trace.box(p, p, LOW, HIGH, { mask = "player", entities = true, ignore = 0 }).start_solid
end

-- A place in a box, from its bottom up, where a player has room and `fits` holds.
local function place_in(low, high, fits)
  for z = low.z + 24, high.z + 24, 8 do
    for _, tx in ipairs { 0.5, 0.3, 0.7, 0.1, 0.9 } do
      for _, ty in ipairs { 0.5, 0.3, 0.7, 0.1, 0.9 } do
        local p = lw.vec3(low.x + (high.x - low.x) * tx, low.y + (high.y - low.y) * ty, z)
        if free(p) and (not fits or fits(p)) then return p end
      end
    end
  end
end

local function step_until(seconds, done)
  for _ = 1, math.ceil(seconds * 125) do
    lw.time.step(1)
    if done() then return true end
  end
  return false
end

local counts = {}

local function count(kind, worked, entity)
  counts[kind] = counts[kind] or { worked = 0, failed = {}, walled = 0 }
  local row = counts[kind]
  if worked == nil then
    row.walled = row.walled + 1
  elseif worked then
    row.worked = row.worked + 1
  else
    row.failed[#row.failed + 1] = ("%s: %s"):format(lw.map.name, tostring(entity))
  end
end

local function stand_at(p)
  lw.player.teleport(p)
  lw.player.move()
end

-- A door that others open: fired, it is at its other end after its time, and where it does not stay it comes back.
local function try_fired_door(door)
  if door.state ~= "pos1" then return end    -- of a team, or fired by the door before
  door:use(lw.player.entity)
  local opened = step_until(door.seconds + 0.5, function() return door.state == "pos2" end)
  local closed = door.wait < 0 or step_until(door.seconds + door.wait + 1, function() return door.state == "pos1" end)
  count("fired doors", opened and closed, door)
end

-- A door with a box before it: it leaves its place when somebody stands there, and is back some time after he has gone.
local function try_door(door, home)
  local box = door.box
  if door.targetname then return try_fired_door(door) end
  if not box or not box.valid then return end
  local p = place_in(box.absmin, box.absmax, function(p) return not (p.z - 24 > box.absmax.z) end)
  if not p then return count("doors", nil, door) end
  stand_at(p)
  local opened = step_until(1, function() return door.state ~= "pos1" end)
    and step_until(door.seconds + 1, function() return door.state == "pos2" end)
  lw.player.teleport(home)
  local closed = door.wait < 0 or step_until(door.seconds * 2 + door.wait + 3, function() return door.state == "pos1" end)
  count("doors", opened and closed, door)
end

-- A button: pressed by who walks against it from one of four sides, or stands on it; then it fires and comes back.
local function try_button(button, home)
  if button.health > 0 then return end
  local middle, half = (button.absmin + button.absmax) / 2, (button.absmax - button.absmin) / 2
  local pressed, room = false, false
  for yaw = 0, 270, 90 do
    local way = lw.vec3(math.cos(math.rad(yaw)), math.sin(math.rad(yaw)), 0)
    local away = math.abs(way.x) * half.x + math.abs(way.y) * half.y + 17
    for up = -40, 56, 8 do
      local p = middle - way * away + lw.vec3(0, 0, up)
      if not pressed and free(p) then
        room = true
        lw.player.teleport(p, lw.vec3(0, yaw, 0))
        lw.player.angles = lw.vec3(0, yaw, 0)
        lw.player.move { forward = 1 }
        pressed = step_until(0.4, function() return button.state ~= "pos1" end)
      end
    end
  end
  local top = lw.vec3(middle.x, middle.y, button.absmax.z + 24.2)
  if not pressed and free(top) then
    room = true
    stand_at(top)
    pressed = step_until(0.4, function() return button.state ~= "pos1" end)
  end
  lw.player.move()
  if not room then return count("buttons", nil, button) end
  pressed = pressed and step_until(button.seconds + 0.5, function() return button.state == "pos2" end)
  lw.player.teleport(home)
  local back = button.wait < 0 or step_until(button.seconds * 2 + button.wait + 1, function() return button.state == "pos1" end)
  count("buttons", pressed and back, button)
end

-- A plat: carries up who steps on it.
local function try_plat(plat, home)
  local box = plat.box
  if not box or not box.valid then return end
  local p = lw.vec3((box.absmin.x + box.absmax.x) / 2, (box.absmin.y + box.absmax.y) / 2, box.absmax.z + 17)    -- on it, not in it
  if not free(p) then return count("plats", nil, plat) end
  stand_at(p)
  local z = plat.origin.z
  local rose = step_until(plat.seconds + 2, function() return plat.state == "pos2" end)
  local carried = lw.player.origin.z > p.z + (plat.origin.z - z) * 0.5
  lw.player.teleport(home)
  local back = step_until(plat.seconds + 4, function() return plat.state == "pos1" end)
  count("plats", rose and carried and back, plat)
end

local function try_teleporter(gate)
  local ways = gate.target and lw.entities.named(gate.target) or {}
  if #ways == 0 or gate:flags() & 1 ~= 0 or gate.solid ~= "trigger" then return end
  local p = place_in(gate.absmin - lw.vec3(14, 14, 0), gate.absmax + lw.vec3(14, 14, 0), function(p)
    lw.player.teleport(p)
    return gate:touches(lw.player.entity)
  end)
  if not p then return count("teleporters", nil, gate) end
  stand_at(p)
  lw.time.step(1)
  local near = false
  for _, way in ipairs(ways) do near = near or (lw.player.origin - way.origin - lw.vec3(0, 0, 1)):length() < 4 end
  count("teleporters", near, gate)
end

-- A train passes its corners in order.
local function try_train(train)
  local corners = trajectories.path(train)
  if #corners < 2 then return end
  local at, limit = 1, 0
  for _, corner in ipairs(corners) do limit = limit + corner.seconds + math.max(corner.wait, 0) + 0.1 end
  step_until(math.min(limit * 2, 120), function()
    if (train.origin - corners[at].origin):length() < math.max(corners[at].speed, 100) / 60 then at = at + 1 end
    return at > #corners
  end)
  count("trains", at > #corners, train)
end

local KINDS = { func_door = try_door, func_button = try_button, func_plat = try_plat, trigger_teleport = try_teleporter, func_train = try_train }
local EACH = 12    -- of a class in one level: the rest are like them

TestMovers = {}

function TestMovers.test_they_work_when_walked_into()
  local levels = 0
  for _, file in ipairs(lw.fs.list("maps", ".bsp")) do
    local name = file:match("^maps/([^/]+)%.bsp$")
    if name then
      lu.assertTrue(lw.map.open(name))
      lw.player.mode = "walk"
      lw.time.step(30)
      local home, used = lw.player.origin, false
      for class, try in pairs(KINDS) do
        for i, e in ipairs(lw.entities.all(class)) do
          if i <= EACH and e.valid then
            used = true
            lw.player.teleport(home)
            try(e, home)
          end
        end
      end
      levels = levels + (used and 1 or 0)
    end
  end
  local failed, all = 0, 0
  for kind, row in pairs(counts) do
    print(("%s: %d work, %d do not, %d cannot be reached"):format(kind, row.worked, #row.failed, row.walled))
    for _, text in ipairs(row.failed) do print("  " .. text) end
    failed, all = failed + #row.failed, all + row.worked + #row.failed
  end
  print(("%d levels"):format(levels))
  lu.assertTrue(levels >= 10)
  lu.assertTrue(failed * 20 <= all, failed .. " of " .. all .. " fail")
end
