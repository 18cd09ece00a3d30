-- func_door: slides open when touched, used or shot, and closes again.
--
-- speed 400, wait 2 (-1: stays open), lip 8, dmg 2, health, angle. Flags: 1 START_OPEN, 4 CRUSHER.
-- The numbers are those of the game's code; its documents name others.
local mover = require "mover"
local door = { help = "Slides open, waits, and closes.", sounds = { start = "sound/movers/doors/dr1_strt.wav", stop = "sound/movers/doors/dr1_end.wav" },
  arrived = mover.arrived, blocked = mover.blocked, use = mover.use, draw = mover.draw }
local START_OPEN, CRUSHER = 1, 4

function door.spawn(self)
  local direction = mover.direction(self)
  local from = self.origin
  local to = from + direction * mover.distance(self, direction, self:number("lip", 8))
  self:shuts(from)    -- an area portal in its frame
  if self:flags() & START_OPEN ~= 0 then from, to = to, from end
  mover.init(self, from, to, mover.setting(self, "speed", 400))
  self.wait = mover.setting(self, "wait", 2)
  self.dmg = self:number("dmg", 2)
  self.crusher = self:flags() & CRUSHER ~= 0
  self.health = self:number("health", 0)
  self:after(0.1, "link")    -- when the whole team is there
end

-- A door that nothing else opens gets a box in front of it, 120 units to both sides of its team's thinnest axis.
function door.link(self)
  local team = mover.team(self)
  if team[1] ~= self then return end
  for _, member in ipairs(team) do
    if member.targetname or (member.health or 0) > 0 then return end
  end
  local low, high = mover.bounds(self)
  local size = high - low
  local axis = size.x < size.y and (size.x < size.z and "x" or "z") or (size.y < size.z and "y" or "z")
  local wide = { x = 0, y = 0, z = 0, [axis] = 120 }
  local margin = lw.vec3(wide.x, wide.y, wide.z)
  self.axis = axis
  mover.trigger(self, low - margin, high + margin)
end

function door.felt(self, other)
  if self.state ~= "1to2" then self:use(other) end
end

-- Who spectates opens no door: he is at its other side, as in the game, when he has come near to one that is shut.
function door.passed(self, box)
  if self.state == "1to2" or self.state == "pos2" then return end
  local axis, near = self.axis, 100
  local low, high, origin = box.absmin[axis] + near, box.absmax[axis] - near, lw.player.origin
  local at = origin[axis]
  if at < low or at > high then return end
  local to = { x = origin.x, y = origin.y, z = origin.z }
  to[axis] = math.abs(at - high) < math.abs(at - low) and low - 10 or high + 10
  lw.player.origin = lw.vec3(to.x, to.y, to.z + 1)    -- and flies on
end

function door.hurt(self)
  if self.health > 0 then self:use(lw.player.entity) end
end

door.begin = function(self) mover.open(self, self.activator) end
door.finish = mover.close

return door
