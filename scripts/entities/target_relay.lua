-- target_relay: fires its targets when used. Flag 4: one of them, by chance.
local relay = { help = "Passes a use on to its targets." }
local RANDOM = 4

function relay.use(self, activator)
  if self:flags() & RANDOM == 0 then return self:fire(activator) end
  local all = self.target and lw.entities.named(self.target) or {}
  if #all > 0 then all[math.random(#all)]:use(activator) end
end

return relay
