-- Convex polygons: planes as far as a box goes, cut by other planes, and the sides of brushes.
local polygon = {}

-- The part of a polygon behind a plane (where normal . p <= dist); nil when nothing is.
function polygon.clip(points, normal, dist)
  local kept = {}
  local last = points[#points]
  local last_side = normal:dot(last) - dist
  for _, point in ipairs(points) do
    local side = normal:dot(point) - dist
    if (side > 0) ~= (last_side > 0) then kept[#kept + 1] = last + (point - last) * (last_side / (last_side - side)) end
    if side <= 0 then kept[#kept + 1] = point end
    last, last_side = point, side
  end
  return #kept >= 3 and kept or nil
end

-- A square on a plane, around the point nearest to `near`.
local function square(normal, dist, near, size)
  local other = math.abs(normal.z) < 0.9 and lw.vec3(0, 0, 1) or lw.vec3(1, 0, 0)
  local x = normal:cross(other):normalized()
  local y = normal:cross(x)
  local middle = near - normal * (normal:dot(near) - dist)
  return { middle + (x + y) * size, middle + (y - x) * size, middle - (x + y) * size, middle + (x - y) * size }
end

local AXES = { lw.vec3(1, 0, 0), lw.vec3(0, 1, 0), lw.vec3(0, 0, 1) }

-- The part of a plane inside a box; nil when it misses the box.
function polygon.in_box(normal, dist, mins, maxs)
  local points = square(normal, dist, (mins + maxs) / 2, #(maxs - mins))
  for _, axis in ipairs(AXES) do
    points = points and polygon.clip(points, axis, axis:dot(maxs))
    points = points and polygon.clip(points, -axis, -axis:dot(mins))
  end
  return points
end

-- The sides of a brush of the level, each cut by the planes of all the others.
function polygon.of_brush(brush)
  local record, planes, sides = lw.bsp.brush(brush), {}, {}
  local mins, maxs = lw.map.bounds()
  for i = 0, record.side_count - 1 do
    planes[i + 1] = lw.bsp.plane(lw.bsp.brushside(record.first_side + i).plane)
  end
  for i, plane in ipairs(planes) do
    local points = square(plane.normal, plane.dist, (mins + maxs) / 2, #(maxs - mins))
    for j, other in ipairs(planes) do
      if j ~= i and points then points = polygon.clip(points, other.normal, other.dist) end
    end
    sides[#sides + 1] = points
  end
  return sides
end

return polygon
