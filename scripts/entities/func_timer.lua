-- func_timer: fires its targets again and again. wait 1, random 1 (more or less by so much). Flag 1: START_ON.
local timer = { help = "Fires every so often; use turns it on and off." }
local START_ON = 1

function timer.spawn(self)
  self.wait = math.max(self:number("wait", 1), 0.1)
  self.random = math.min(self:number("random", 1), self.wait - 0.1)
  if self:flags() & START_ON ~= 0 then self:after(0.1) end
end

function timer.think(self)
  self:fire(self.activator)
  self:after(self.wait + self.random * (math.random() * 2 - 1))
end

function timer.use(self, activator)
  self.activator = activator
  if self.next_think > 0 then self.next_think = 0 else self:think() end
end

return timer
