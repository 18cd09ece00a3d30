-- func_bobbing: up and down as a sine. speed 4 (seconds a cycle), height 32 (to each side), phase 0, dmg 2. Flags: 1 along
-- x, 2 along y, else along z.
local mover = require "mover"
local bobbing = { help = "Moves to and fro.", draw = mover.draw }
local X_AXIS, Y_AXIS = 1, 2

function bobbing.spawn(self)
  self.solid, self.carries = true, true
  self.dmg = self:number("dmg", 2)
  local height, flags = self:number("height", 32), self:flags()
  local way = flags & X_AXIS ~= 0 and lw.vec3(height, 0, 0) or flags & Y_AXIS ~= 0 and lw.vec3(0, height, 0) or lw.vec3(0, 0, height)
  self:bob(way, math.max(self:number("speed", 4), 0.001), self:number("phase", 0))
end

function bobbing.blocked(self, other) other:hurt(self.dmg) end

return bobbing
