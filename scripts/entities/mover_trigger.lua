-- The unseen box before a door or over a plat (scripts/lib/mover.lua makes them).
local trigger = { help = "Tells its mover when it is touched.", spectators = true }

function trigger.touch(self, other)
  local owner = self.owner
  if not owner.valid or owner.box ~= self then return self:remove() end    -- it has another one now
  if not other.is_player then return end
  if lw.player.mode ~= "spectate" then return owner.felt(owner, other) end
  if owner.passed then owner.passed(owner, self) end
end

return trigger
