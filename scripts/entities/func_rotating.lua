-- func_rotating: turns for ever. speed 100 degrees a second, dmg 2. Flags: 4 about x, 8 about y, else about z.
local mover = require "mover"
local rotating = { help = "Turns for ever.", draw = mover.draw }
local X_AXIS, Y_AXIS = 4, 8

function rotating.spawn(self)
  self.solid, self.carries = true, true
  local speed = mover.setting(self, "speed", 100)
  self.dmg = self:number("dmg", 2)
  if self:flags() & X_AXIS ~= 0 then
    self:spin(0, 0, speed)
  elseif self:flags() & Y_AXIS ~= 0 then
    self:spin(speed, 0, 0)
  else
    self:spin(0, speed, 0)
  end
end

function rotating.blocked(self, other) other:hurt(self.dmg) end

return rotating
