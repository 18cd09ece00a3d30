-- Going through a teleporter: a unit over the destination, looking and moving as it faces.
local teleport = {}

function teleport.forward(angles)
  local pitch, yaw = math.rad(angles.x), math.rad(angles.y)
  return lw.vec3(math.cos(pitch) * math.cos(yaw), math.cos(pitch) * math.sin(yaw), -math.sin(pitch))
end

-- One teleport a step: a destination inside another teleporter must not run in a circle.
function teleport.go(destination)
  local player = lw.player.entity
  if lw.time.now() == player.teleported then return false end
  player.teleported = lw.time.now()
  local angles = destination.angles
  lw.player.teleport(destination.origin + lw.vec3(0, 0, 1), angles)
  lw.player.push(teleport.forward(angles) * 400)
  lw.player.stun(0.16)
  return true
end

function teleport.destination(self)
  local all = self.target and lw.entities.named(self.target) or {}
  if #all == 0 then
    lw.log.warn(("%s: nothing is called \"%s\""):format(tostring(self), self.target or ""))
    return nil
  end
  return all[math.random(#all)]
end

return teleport
