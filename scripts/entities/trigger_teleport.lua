-- trigger_teleport: whoever touches it stands at its target the next moment, who spectates too. Flag 1: he alone.
local teleport = require "teleport"
local trigger = { help = "Takes who touches it to its target.", spectators = true }
local SPECTATOR = 1

function trigger.spawn(self) self.solid, self.visible = "trigger", false end

function trigger.touch(self, other)
  if not other.is_player or (self:flags() & SPECTATOR ~= 0 and lw.player.mode ~= "spectate") then return end
  local destination = teleport.destination(self)
  if destination then teleport.go(destination) end
end

return trigger
