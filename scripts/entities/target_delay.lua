-- target_delay: fires its targets a while after it is used. delay (or wait) 1, random 0.
local delay = { help = "Fires after a while." }

function delay.spawn(self)
  self.wait = self:key("delay") and self:number("delay") or self:number("wait", 1)
  if self.wait == 0 then self.wait = 1 end
  self.random = self:number("random", 0)
end

function delay.use(self, activator)
  self.activator = activator
  self:after(math.max(self.wait + self.random * (math.random() * 2 - 1), 0))
end

function delay.think(self) self:fire(self.activator) end

return delay
