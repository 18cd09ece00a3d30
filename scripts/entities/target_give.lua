-- target_give: who fires it gets all items that it targets.
local give = { help = "Gives the items that it targets." }

function give.use(self, activator)
  if not activator or not activator.is_player then return end
  for _, item in ipairs(self.target and lw.entities.named(self.target) or {}) do
    item:touch(activator)
    item.next_think, item.solid, item.visible = 0, "none", false    -- given away: it does not come back
  end
end

return give
