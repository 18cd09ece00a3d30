-- func_pendulum: swings about its origin brush. speed 30 (degrees to each side), phase 0, dmg 2.
--
-- How fast is a matter of its length: the real formula, with a third of the level's gravity.
local mover = require "mover"
local pendulum = { help = "Swings about its origin.", draw = mover.draw }

function pendulum.spawn(self)
  self.solid, self.carries = true, true
  self.dmg = self:number("dmg", 2)
  local length = math.max(8, math.abs(self.mins.z))
  local frequency = 1 / (2 * math.pi) * math.sqrt(math.max(lw.player.gravity, 1) / (3 * length))
  self:swing(lw.vec3(0, 0, self:number("speed", 30)), 1 / frequency, self:number("phase", 0))
end

function pendulum.blocked(self, other) other:hurt(self.dmg) end

return pendulum
