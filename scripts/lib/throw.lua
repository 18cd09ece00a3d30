-- The throw of jump pads: from a place so that its highest point is a target.
local throw = {}

throw.gravity = 800

-- The velocity, and the seconds until the top; nil where the target is no higher.
function throw.velocity(from, target)
  local height = target.z - from.z
  if height <= 0 then return nil end
  local seconds = math.sqrt(height / (0.5 * throw.gravity))
  local flat = lw.vec3(target.x - from.x, target.y - from.y, 0) * (1 / seconds)
  return lw.vec3(flat.x, flat.y, seconds * throw.gravity), seconds
end

-- Where the thrown one is after so many seconds.
function throw.at(from, velocity, seconds)
  return from + velocity * seconds - lw.vec3(0, 0, 0.5 * throw.gravity * seconds * seconds)
end

return throw
