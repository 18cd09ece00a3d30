-- trigger_multiple: fires its targets when touched. wait 0.5 (0 or less: once), random 0. Flags: 1 RED_ONLY, 2 BLUE_ONLY.
local teams = require "teams"
local trigger = { help = "Fires when touched, again after its wait." }

function trigger.spawn(self)
  self.solid, self.visible = "trigger", false
  self.wait = self:number("wait", 0.5)
  self.random = self:number("random", 0)
  if self.wait > 0 then self.random = math.min(self.random, math.max(self.wait - 0.1, 0)) end
  self.ready = true
end

function trigger.touch(self, other)
  if not self.ready or teams.refuses(self, other) then return end
  self.ready = false
  self:fire(other)
  if self.wait <= 0 then return end
  self:after(math.max(self.wait + self.random * (math.random() * 2 - 1), 0.01), "rearm")
end

function trigger.rearm(self) self.ready = true end
trigger.use = trigger.touch

return trigger
