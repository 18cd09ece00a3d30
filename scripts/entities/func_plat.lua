-- func_plat: waits below, carries up who steps on it, and comes down again.
--
-- It is built at its top. speed 200, lip 8, height (its own less the lip), dmg 2; the game takes 1 second for wait.
local mover = require "mover"
local plat = { help = "A lift: up when stepped on, then down.", sounds = { start = "sound/movers/plats/pt1_strt.wav", stop = "sound/movers/plats/pt1_end.wav" },
  arrived = mover.arrived, blocked = mover.blocked, use = mover.use, draw = mover.draw }

function plat.spawn(self)
  local top = self.origin
  local height = self:number("height", (self.maxs - self.mins).z - self:number("lip", 8))
  mover.init(self, top - lw.vec3(0, 0, height), top, self:number("speed", 200))
  self.wait = 1
  self.dmg = self:number("dmg", 2)
  self:after(0.1, "link")
end

-- Felt from its floor to 8 over it, 33 units inside its edges; a narrow one in a strip along its middle.
function plat.link(self)
  if self.targetname then return end
  local low, high = self.pos1 + self.mins, self.pos1 + self.maxs
  local function inside(a, b)
    if b - a <= 66 then return (a + b) / 2, (a + b) / 2 + 1 end
    return a + 33, b - 33
  end
  local x0, x1 = inside(low.x, high.x)
  local y0, y1 = inside(low.y, high.y)
  mover.trigger(self, lw.vec3(x0, y0, low.z), lw.vec3(x1, y1, high.z + 8))
end

function plat.felt(self, other)
  if self.state == "pos1" then self:use(other) end
end

-- As long as somebody stands on it above, it stays.
function plat.touch(self)
  if self.state == "pos2" then self:after(1, "finish") end
end

plat.begin = function(self) mover.open(self, self.activator) end
plat.finish = mover.close

return plat
