-- The flags of capture-the-flag levels: they stand where they belong.
local pickups = require "pickups"
local flag = { help = "A flag in its place.", classes = { "team_CTF_redflag", "team_CTF_blueflag", "team_CTF_neutralflag" } }
local SUSPENDED = 1

function flag.spawn(self)
  self.mins, self.maxs = lw.vec3(-15, -15, -15), lw.vec3(15, 15, 15)
  self.visible = true
  self.look = pickups.look(self.classname)
  self:after(0.2)    -- when movers under it are there
end

function flag.think(self)
  if self:flags() & SUSPENDED == 0 then self:drop() end
end

function flag.draw(self) pickups.draw({ look = self.look, index = self.index, origin = self.origin }, lw.time.now(), {}) end

return flag
