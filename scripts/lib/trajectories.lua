-- Where things will go before they do: the arcs of jump pads, the ways of doors, plats, trains and what swings.
local mover = require "mover"
local throw = require "throw"
local trajectories = {}

local LOW, HIGH = lw.vec3(-15, -15, -24), lw.vec3(15, 15, 32)
local STEP = 1 / 25

-- The arc of a throw from a place, as a player's box flies it: points, where it lands, and what is in its way before the
-- top (nil: nothing). Up to there the arc is drawn all the same: players begin it a little above or beside the pad's middle.
function trajectories.flight(from, velocity, top)
  local points, last, blocked = { from }, from, nil
  for i = 1, math.ceil((top * 4 + 1) / STEP) do
    local at = throw.at(from, velocity, i * STEP)
    local hit = lw.trace.box(last, at, LOW, HIGH, { mask = "player" })
    local stopped = hit.fraction < 1 and not hit.start_solid
    if stopped and i * STEP > top then
      points[#points + 1] = hit.endpos
      return points, hit.endpos, blocked
    end
    if stopped and not blocked then blocked = hit.endpos end
    points[#points + 1] = at
    last = at
  end
  return points, nil, blocked
end

-- Of a trigger_push or target_push: { from, velocity, seconds, apex, target, points, lands, blocked }; nil where it throws
-- nowhere.
function trajectories.pad(entity)
  local target = entity.target and lw.entities.named(entity.target)[1]
  if not target then return nil end
  local from = entity.classname == "trigger_push" and (entity.absmin + entity.absmax) * 0.5 or entity.origin
  local velocity, seconds = throw.velocity(from, target.origin)
  if not velocity then return nil end
  local points, lands, blocked = trajectories.flight(from, velocity, seconds)
  return { from = from, velocity = velocity, seconds = seconds, apex = throw.at(from, velocity, seconds), target = target.origin,
    points = points, lands = lands, blocked = blocked }
end

-- Of a door, button or plat: its box at both ends, and the seconds between.
function trajectories.sweep(entity)
  if not entity.pos1 or not entity.pos2 then return nil end
  return { mins1 = entity.pos1 + entity.mins, maxs1 = entity.pos1 + entity.maxs, mins2 = entity.pos2 + entity.mins,
    maxs2 = entity.pos2 + entity.maxs, seconds = entity.seconds }
end

-- Of a train: its corners in order ({ origin, speed, wait, seconds to the next }), and the number of the one where it
-- joins its own way again (nil: it ends).
function trajectories.path(entity)
  local corners, seen, corner = {}, {}, mover.corner(entity.target)
  while corner and not seen[corner.index] do
    corners[#corners + 1] = { origin = corner.origin, wait = corner:number("wait", 0), speed = corner:number("speed", 0) }
    seen[corner.index] = #corners
    corner = mover.corner(corner.target)
  end
  local joins = corner and seen[corner.index]
  for i, at in ipairs(corners) do
    local following = corners[i + 1] or (joins and corners[joins])
    if at.speed == 0 then at.speed = entity.speed or 100 end
    at.seconds = following and #(following.origin - at.origin) / math.max(at.speed, 1) or 0
  end
  return corners, joins
end

return trajectories
