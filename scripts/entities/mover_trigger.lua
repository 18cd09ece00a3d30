-- The unseen box before a door or over a plat (scripts/lib/mover.lua makes them).
local trigger = { help = "Tells its mover when it is touched." }

function trigger.touch(self, other)
  local owner = self.owner
  if not owner.valid or owner.box ~= self then return self:remove() end    -- it has another one now
  if other.is_player then owner.felt(owner, other) end
end

return trigger
