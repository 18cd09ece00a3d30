-- func_train: its origin goes from path_corner to path_corner.
--
-- speed 100, dmg 2, target: the first corner. A corner's speed is that of the way to the next one, its wait (seconds) holds
-- the train; a corner without a target ends the way. Flag 4: BLOCK_STOPS (hurts nobody).
local mover = require "mover"
local train = { help = "Goes from path_corner to path_corner.", draw = mover.draw }
local BLOCK_STOPS = 4

function train.spawn(self)
  self.solid, self.carries = true, true
  self.dmg = self:flags() & BLOCK_STOPS == 0 and mover.setting(self, "dmg", 2) or 0
  self.speed = mover.setting(self, "speed", 100)
  self:after(0.1, "begin")
end

function train.begin(self)
  local first = mover.corner(self.target)
  if not first then
    lw.log.warn(("%s: no path_corner is called \"%s\": it stays"):format(tostring(self), self.target or ""))
    return
  end
  self.origin = first.origin
  self.following = first
  train.arrived(self)
end

function train.leave(self)
  local corner = self.corner
  local following = corner and corner.valid and mover.corner(corner.target)
  if not following then return end    -- the end of the line
  local speed = math.max(mover.setting(corner, "speed", self.speed), 1)
  self.following = following
  self:move(following.origin, (following.origin - self.origin):length() / speed)
end

function train.arrived(self)
  self.corner, self.following = self.following, nil
  if not self.corner or not self.corner.valid then return end
  self.corner:fire(self)
  local wait = self.corner:number("wait", 0)
  if wait >= 0 then self:after(wait, "leave") end    -- also without a wait: corners at one place must not run in a circle at once
end

function train.use(self)
  if not self:moving() then train.leave(self) end
end

function train.blocked(self, other) other:hurt(self.dmg) end

return train
