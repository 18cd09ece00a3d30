-- target_teleporter: takes who fired it to its target.
local teleport = require "teleport"
local target = { help = "Takes who fired it to its target." }

function target.use(self, activator)
  local destination = activator and activator.is_player and teleport.destination(self)
  if destination then teleport.go(destination) end
end

return target
