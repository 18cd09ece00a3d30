-- target_laser: a beam that hurts what it meets, dmg 1 every tenth of a second. Flag 1: on at first.
local mover = require "mover"
local laser = { help = "A beam that hurts; use turns it on and off." }
local START_ON = 1

function laser.spawn(self)
  self.dmg = mover.setting(self, "dmg", 1)
  self.on = self:flags() & START_ON ~= 0
  self.visible = self.on
  self:after(0.1)
end

function laser.think(self)
  self:after(0.1)
  if not self.on then return end
  local target = self.target and lw.entities.named(self.target)[1]
  local way = target and ((target.absmin + target.absmax) / 2 - self.origin):normalized() or mover.direction(self)
  local hit = lw.trace.ray(self.origin, self.origin + way * 2048, { entities = true, ignore = self, mask = { "solid", "body" } })
  self.tip = hit.endpos
  if hit.entity then hit.entity:hurt(self.dmg) end
end

function laser.draw(self)
  if self.tip then lw.draw.line(self.origin, self.tip, { color = { 1, 0.2, 0.1 }, width = 3 }) end
end

function laser.use(self)
  self.on = not self.on
  self.visible = self.on
end

return laser
