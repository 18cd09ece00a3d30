-- Bezier patches of our level: a round pillar and an arch in a wall. A patch is a grid of control points, row by row; its
-- front is where the columns' direction crosses the rows'.
local curve = {}

-- rows: lists of points { x, y, z }; st(p, column, row) gives the texture coordinates of a control point.
local function patch(material, rows, st)
  local made = { material = material, width = #rows[1], height = #rows, points = {} }
  made.mins, made.maxs = { table.unpack(rows[1][1]) }, { table.unpack(rows[1][1]) }
  for j, row in ipairs(rows) do
    for i, p in ipairs(row) do
      local s, t = st(p, i - 1, j - 1)
      made.points[#made.points + 1] = { p[1], p[2], p[3], s = s, t = t }
      for k = 1, 3 do
        made.mins[k], made.maxs[k] = math.min(made.mins[k], p[k]), math.max(made.maxs[k], p[k])
      end
    end
  end
  return made
end

-- A pillar that widens at its foot and its head. Four quarters of a circle: every second control point is a corner of the
-- square around it.
function curve.pillar(pillar, material)
  local around = { { 1, 0 }, { 1, 1 }, { 0, 1 }, { -1, 1 }, { -1, 0 }, { -1, -1 }, { 0, -1 }, { 1, -1 }, { 1, 0 } }
  local profile = {    -- what is added to the radius, height
    { 14, pillar.z0 }, { 0, pillar.z0 }, { 0, pillar.z0 + 24 }, { 0, (pillar.z0 + pillar.z1) / 2 },
    { 0, pillar.z1 - 24 }, { 0, pillar.z1 }, { 14, pillar.z1 },
  }
  local rows = {}
  for j, step in ipairs(profile) do
    rows[j] = {}
    local radius = pillar.radius + step[1]
    for i, at in ipairs(around) do rows[j][i] = { pillar.x + radius * at[1], pillar.y + radius * at[2], step[2] } end
  end
  return { patch(material, rows, function(p, column) return column / 4, (pillar.z1 - p[3]) / 128 end) }
end

-- An arch that rounds the upper corners of an opening in a wall from x0 to x1: its underside, and on both faces of the
-- wall the two corners between the curve and the opening.
function curve.arch(x0, x1, y0, y1, z0, z1, material)
  local middle = (y0 + y1) / 2
  local line = { { y0, z0 }, { y0, z1 }, { middle, z1 }, { y1, z1 }, { y1, z0 } }
  local rows = {}
  for j, x in ipairs { x0, (x0 + x1) / 2, x1 } do
    rows[j] = {}
    for i, at in ipairs(line) do rows[j][i] = { x, at[1], at[2] } end
  end
  local all = { patch(material, rows, function(p, column) return p[1] / 64, column / 2 end) }
  for _, side in ipairs { { x0, "brick", -1 }, { x1, "stone", 1 } } do
    local x, wall, sign = table.unpack(side)
    for first = 1, 3, 2 do
      local a, c, b = line[first], line[first + 1], line[first + 2]
      local corner = first == 1 and line[2] or line[4]
      if sign < 0 then a, b = b, a end
      local near = { { x, a[1], a[2] }, { x, c[1], c[2] }, { x, b[1], b[2] } }
      local far, between = {}, {}
      for i = 1, 3 do
        far[i] = { x, corner[1], corner[2] }
        between[i] = { x, (near[i][2] + corner[1]) / 2, (near[i][3] + corner[2]) / 2 }
      end
      all[#all + 1] = patch(wall, { near, between, far }, function(p) return sign * p[2] / 128, -p[3] / 128 end)
    end
  end
  -- One group: neighbours that touch choose their steps alike.
  for _, made in ipairs(all) do made.group = { mins = { x0, y0, z0 }, maxs = { x1, y1, z1 } } end
  return all
end

-- The point of a patch at s (along columns) and t (along rows), both 0..1.
function curve.at(made, s, t)
  local across, down = (made.width - 1) // 2, (made.height - 1) // 2
  local i, j = math.min(s * across // 1, across - 1), math.min(t * down // 1, down - 1)
  local u, v = s * across - i, t * down - j
  local wu = { (1 - u) * (1 - u), 2 * u * (1 - u), u * u }
  local wv = { (1 - v) * (1 - v), 2 * v * (1 - v), v * v }
  local x, y, z = 0, 0, 0
  for b = 0, 2 do
    for a = 0, 2 do
      local p = made.points[math.tointeger((j * 2 + b) * made.width + i * 2 + a + 1)]
      local w = wu[a + 1] * wv[b + 1]
      x, y, z = x + w * p[1], y + w * p[2], z + w * p[3]
    end
  end
  return x, y, z
end

-- The unit normal there: from points a little to each side, which also serves where an edge shrinks to a point.
function curve.normal(made, s, t)
  s, t = math.max(0.02, math.min(0.98, s)), math.max(0.02, math.min(0.98, t))
  local ax, ay, az = curve.at(made, s - 0.01, t)
  local bx, by, bz = curve.at(made, s + 0.01, t)
  local cx, cy, cz = curve.at(made, s, t - 0.01)
  local dx, dy, dz = curve.at(made, s, t + 0.01)
  local ux, uy, uz, vx, vy, vz = bx - ax, by - ay, bz - az, dx - cx, dy - cy, dz - cz
  local nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
  local length = math.sqrt(nx * nx + ny * ny + nz * nz)
  return nx / length, ny / length, nz / length
end

return curve
