-- target_relay: fires its targets when used. Flags: 1 RED_ONLY, 2 BLUE_ONLY, 4 RANDOM (one of them, by chance).
local teams = require "teams"
local relay = { help = "Passes a use on to its targets." }
local RANDOM = 4

function relay.use(self, activator)
  if teams.refuses(self, activator) then return end
  if self:flags() & RANDOM == 0 then return self:fire(activator) end
  local all = self.target and lw.entities.named(self.target) or {}
  if #all > 0 then all[math.random(#all)]:use(activator) end
end

return relay
