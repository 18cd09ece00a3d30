-- target_remove_powerups: who fires it loses his power-ups.
local target = { help = "Takes power-ups away." }
local powers = { "item_quad", "item_enviro", "item_haste", "item_invis", "item_regen", "item_flight" }

function target.use()
  for _, name in ipairs(powers) do lw.player.items[name] = nil end
end

return target
