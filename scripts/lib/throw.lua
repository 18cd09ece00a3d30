-- The throw of jump pads: from a place so that its highest point is a target.
local throw = {}

-- What pulls the thrown one down; a level without any is treated as the usual one.
function throw.gravity()
  local gravity = lw.player.gravity
  return gravity > 0 and gravity or 800
end

-- The velocity, and the seconds until the top; nil where the target is no higher.
function throw.velocity(from, target)
  local height, gravity = target.z - from.z, throw.gravity()
  if height <= 0 then return nil end
  local seconds = math.sqrt(height / (0.5 * gravity))
  local flat = lw.vec3(target.x - from.x, target.y - from.y, 0) * (1 / seconds)
  return lw.vec3(flat.x, flat.y, seconds * gravity), seconds
end

-- Where the thrown one is after so many seconds.
function throw.at(from, velocity, seconds)
  return from + velocity * seconds - lw.vec3(0, 0, 0.5 * throw.gravity() * seconds * seconds)
end

return throw
