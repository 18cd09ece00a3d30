-- trigger_gravity (Nexuiz): who is in it falls by so much of the level's gravity. gravity 1.
local trigger = { help = "Changes the gravity for whoever is in it." }

function trigger.spawn(self)
  self.solid, self.visible = "trigger", false
  self.part = self:number("gravity", 1)
end

function trigger.touch(self, other)
  if not other.is_player then return end
  self.usual = self.usual or lw.player.gravity
  lw.player.gravity = self.usual * self.part
  self:after(0.05, "left")    -- as long as he is in it, it is put off
end

function trigger.left(self) lw.player.gravity, self.usual = self.usual, nil end

return trigger
