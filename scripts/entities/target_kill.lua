-- target_kill: deadly for who fired it; the player here cannot die, and has full health again.
local target = { help = "Kills whoever fired it." }

function target.use(_, activator)
  if activator then activator:hurt(1000) end
end

return target
