-- func_button: goes in when touched, used or shot, fires its targets, and comes out again.
--
-- speed 40, wait 1 (-1: stays in), lip 4, health, angle.
local mover = require "mover"
local button = { help = "Goes in, fires its targets, comes out.", sounds = { start = "sound/movers/switches/butn2.wav" },
  arrived = mover.arrived, blocked = mover.blocked, use = mover.use, draw = mover.draw }

function button.spawn(self)
  local direction = mover.direction(self)
  local from = self.origin
  mover.init(self, from, from + direction * mover.distance(self, direction, self:number("lip", 4)), mover.setting(self, "speed", 40))
  self.wait = mover.setting(self, "wait", 1)
  self.dmg, self.crusher = 0, true
  self.health = self:number("health", 0)
end

function button.touch(self, other)
  if self.health <= 0 and self.state == "pos1" then self:use(other) end
end

function button.hurt(self)
  if self.health > 0 then self:use(lw.player.entity) end
end

button.begin = function(self) mover.open(self, self.activator) end
button.finish = mover.close

return button
