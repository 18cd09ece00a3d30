-- Which leafs can see one another: a flow through the portals between them.
--
-- Leafs are boxes, so a portal is the rectangle where two touch. From each leaf we go through its portals; what lies beyond
-- a second portal is cut by the planes that separate the first portal from the one passed last, until nothing is left. What
-- is left is never less than what can be seen, so a pair is visible only where both directions say so.
local vis = {}

local EPSILON = 0.01

local function plane_side(plane, p) return plane[1] * p[1] + plane[2] * p[2] + plane[3] * p[3] - plane[4] end
local function flipped(plane) return { -plane[1], -plane[2], -plane[3], -plane[4] } end

-- The part of a polygon in front of a plane; nil where there is none.
local function clip(polygon, plane)
  local side, front, back = {}, false, false
  for i, p in ipairs(polygon) do
    side[i] = plane_side(plane, p)
    front, back = front or side[i] > EPSILON, back or side[i] < -EPSILON
  end
  if not front then return nil end
  if not back then return polygon end
  local out = {}
  for i, p in ipairs(polygon) do
    local k = i % #polygon + 1
    local q, d, e = polygon[k], side[i], side[k]
    if d >= -EPSILON then out[#out + 1] = p end
    if (d > EPSILON and e < -EPSILON) or (d < -EPSILON and e > EPSILON) then
      local t = d / (d - e)
      out[#out + 1] = { p[1] + t * (q[1] - p[1]), p[2] + t * (q[2] - p[2]), p[3] + t * (q[3] - p[3]) }
    end
  end
  return #out >= 3 and out or nil
end

-- Cuts `target` by every plane through an edge of `from` and a corner of `to` that has `from` on one side and `to` on the
-- other; `keep` is 1 to keep what is on the side of `to`, -1 for the side of `from`.
local function cut_by_separators(from, to, target, keep)
  for i, a in ipairs(from) do
    local b = from[i % #from + 1]
    local ex, ey, ez = b[1] - a[1], b[2] - a[2], b[3] - a[3]
    for j, c in ipairs(to) do
      local fx, fy, fz = c[1] - a[1], c[2] - a[2], c[3] - a[3]
      local nx, ny, nz = ey * fz - ez * fy, ez * fx - ex * fz, ex * fy - ey * fx
      local length = math.sqrt(nx * nx + ny * ny + nz * nz)
      if length > 0.1 then
        local plane = { nx / length, ny / length, nz / length }
        plane[4] = plane[1] * a[1] + plane[2] * a[2] + plane[3] * a[3]
        local sign = 0
        for _, p in ipairs(from) do
          local d = plane_side(plane, p)
          if d > EPSILON or d < -EPSILON then
            sign = d < 0 and 1 or -1
            break
          end
        end
        if sign ~= 0 then
          if sign < 0 then plane = flipped(plane) end    -- now `from` is behind it
          local separates, touches_only = true, true
          for k, p in ipairs(to) do
            local d = plane_side(plane, p)
            if k ~= j then
              if d < -EPSILON then separates = false break end
              if d > EPSILON then touches_only = false end
            end
          end
          if separates and not touches_only then
            target = clip(target, keep > 0 and plane or flipped(plane))
            if not target then return nil end
          end
        end
      end
    end
  end
  return target
end

-- Portals of each leaf that has a cluster: { to, polygon, plane }, the plane's front being the far side.
local function portals_of(leafs)
  local by_leaf = {}
  for _, leaf in ipairs(leafs) do by_leaf[leaf] = {} end
  for _, a in ipairs(leafs) do
    for _, b in ipairs(leafs) do
      if a ~= b and a.cluster >= 0 and b.cluster >= 0 then
        for axis = 1, 3 do
          local u, v = axis % 3 + 1, (axis + 1) % 3 + 1
          local sign = a.maxs[axis] == b.mins[axis] and 1 or a.mins[axis] == b.maxs[axis] and -1
          local u0, u1 = math.max(a.mins[u], b.mins[u]), math.min(a.maxs[u], b.maxs[u])
          local v0, v1 = math.max(a.mins[v], b.mins[v]), math.min(a.maxs[v], b.maxs[v])
          if sign and u0 < u1 and v0 < v1 then
            local at = sign > 0 and a.maxs[axis] or a.mins[axis]
            local polygon = {}
            for i, corner in ipairs { { u0, v0 }, { u1, v0 }, { u1, v1 }, { u0, v1 } } do
              polygon[i] = {}
              polygon[i][axis], polygon[i][u], polygon[i][v] = at, corner[1], corner[2]
            end
            local plane = { 0, 0, 0, sign * at }
            plane[axis] = sign
            table.insert(by_leaf[a], { to = b, polygon = polygon, plane = plane })
          end
        end
      end
    end
  end
  return by_leaf
end

-- Marks in `row` what can be seen from `source` through `pass` (nil at first) standing in `leaf`.
local function flow(portals, row, path, leaf, first, source, pass, pass_plane)
  row[leaf.cluster] = true
  path[leaf] = true
  for _, portal in ipairs(portals[leaf]) do
    if not path[portal.to] then
      local target = clip(portal.polygon, first.plane)
      if target and pass then target = clip(target, pass_plane) end
      local left = target and clip(source, flipped(portal.plane))
      if left and pass then
        target = cut_by_separators(left, pass, target, 1)
        target = target and cut_by_separators(pass, left, target, -1)
      end
      if left and target then flow(portals, row, path, portal.to, first, left, target, portal.plane) end
    end
  end
  path[leaf] = nil
end

-- rows[a][b]: whether cluster a sees cluster b, counted from 0.
function vis.rows(leafs)
  local portals = portals_of(leafs)
  local seen, rows = {}, { count = 0 }
  for _, leaf in ipairs(leafs) do
    if leaf.cluster >= 0 then
      local row = { [leaf.cluster] = true }
      for _, portal in ipairs(portals[leaf]) do
        flow(portals, row, { [leaf] = true }, portal.to, portal, portal.polygon, nil, nil)
      end
      seen[leaf.cluster] = row
      rows.count = math.max(rows.count, leaf.cluster + 1)
    end
  end
  for a = 0, rows.count - 1 do
    rows[a] = {}
    for b = 0, rows.count - 1 do rows[a][b] = (seen[a][b] and seen[b][a]) or false end
  end
  return rows
end

return vis
