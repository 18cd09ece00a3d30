-- The unseen box before a door or over a plat (scripts/lib/mover.lua makes them).
local trigger = { help = "Uses its mover when it is touched." }

function trigger.touch(self, other)
  if self.owner and self.owner.valid and other.is_player then self.owner:touch(other) end
end

return trigger
