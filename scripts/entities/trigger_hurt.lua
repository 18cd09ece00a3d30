-- trigger_hurt: hurts what is in it, dmg 5 every tenth of a second. Flags: 1 START_OFF, 16 SLOW (once a second).
local trigger = { help = "Hurts whoever is in it." }
local START_OFF, SLOW = 1, 16

function trigger.spawn(self)
  self.visible = false
  self.solid = self:flags() & START_OFF ~= 0 and "none" or "trigger"
  self.dmg = self:number("dmg", 5)
  self.due = 0
end

function trigger.touch(self, other)
  if lw.time.now() < self.due then return end
  self.due = lw.time.now() + (self:flags() & SLOW ~= 0 and 1 or 0.1)
  other:hurt(self.dmg)
end

function trigger.use(self) self.solid = self.solid == "none" and "trigger" or "none" end

return trigger
