-- The light of our level: lightmaps, vertex colours and the light grid from point lights with soft shadows, and the light
-- that surfaces throw back once.
--
-- A luxel's value follows q3map2's scale: 7500 x strength / distance^2, so the numbers of our lights mean what they mean
-- elsewhere. Patches are lit at the points of their curve.
local here = arg[0]:match("^(.*/)") or "./"
local curve = dofile(here .. "making/curve.lua")
local light = {}

local PHOTONS = 7500
local LUXEL = 8           -- units from one luxel to the next
local PAGE = 128          -- luxels along one side of a lightmap
local EMITTER = 64        -- size of the squares that throw light back
local BOUNCE_STEP = 48    -- thrown-back light is computed at points this far apart and interpolated
local BOUNCE_GAIN = 1.5   -- for the light thrown back a second time and later
local AMBIENT = { 3, 3, 4 }
local FAINT = 0.25        -- what gives less than this is not traced

local function dot(a, b) return a[1] * b[1] + a[2] * b[2] + a[3] * b[3] end

-- ---------------------------------------------------------------- what stops light

local function tracer(world, pillars, planes_of)
  local nodes, leafs = world.nodes, world.leafs
  local boxes, hulls = {}, {}
  for _, b in ipairs(world.brushes) do
    if not b.structural and not b.dark then
      if b.ramp then hulls[#hulls + 1] = planes_of(b) else boxes[#boxes + 1] = { b.mins[1], b.mins[2], b.mins[3], b.maxs[1], b.maxs[2], b.maxs[3] } end
    end
  end

  local function open(n, x0, y0, z0, x1, y1, z1)
    while n >= 0 do
      local node = nodes[n + 1]
      local axis, at = node.axis, node.at
      local d0, d1
      if axis == 1 then d0, d1 = x0 - at, x1 - at elseif axis == 2 then d0, d1 = y0 - at, y1 - at else d0, d1 = z0 - at, z1 - at end
      if d0 >= 0 and d1 >= 0 then
        n = node[1]
      elseif d0 < 0 and d1 < 0 then
        n = node[2]
      else
        local t = d0 / (d0 - d1)
        local mx, my, mz = x0 + t * (x1 - x0), y0 + t * (y1 - y0), z0 + t * (z1 - z0)
        local near, far = node[1], node[2]
        if d0 < 0 then near, far = far, near end
        if not open(near, x0, y0, z0, mx, my, mz) then return false end
        -- The middle lies on the plane: which side it counts to no longer matters, since its child is chosen here.
        n, x0, y0, z0 = far, mx, my, mz
      end
    end
    return not leafs[-n - 1].solid
  end

  local function box_stops(b, x0, y0, z0, dx, dy, dz)
    local low, high = 0, 1
    for axis = 1, 3 do
      local p, d = axis == 1 and x0 or axis == 2 and y0 or z0, axis == 1 and dx or axis == 2 and dy or dz
      if d == 0 then
        if p <= b[axis] or p >= b[axis + 3] then return false end
      else
        local t0, t1 = (b[axis] - p) / d, (b[axis + 3] - p) / d
        if t0 > t1 then t0, t1 = t1, t0 end
        if t0 > low then low = t0 end
        if t1 < high then high = t1 end
        if low >= high then return false end
      end
    end
    return true
  end

  local function hull_stops(planes, x0, y0, z0, dx, dy, dz)
    local low, high = 0, 1
    for _, plane in ipairs(planes) do
      local n = plane.normal
      local from = n[1] * x0 + n[2] * y0 + n[3] * z0 - plane.dist
      local step = n[1] * dx + n[2] * dy + n[3] * dz
      if step == 0 then
        if from >= 0 then return false end
      elseif step < 0 then
        low = math.max(low, -from / step)
      else
        high = math.min(high, -from / step)
      end
      if low >= high then return false end
    end
    return true
  end

  local function pillar_stops(c, x0, y0, dx, dy)
    local px, py = x0 - c.x, y0 - c.y
    local a, b, k = dx * dx + dy * dy, px * dx + py * dy, px * px + py * py - (c.radius - 0.5) * (c.radius - 0.5)
    if a == 0 then return k < 0 end
    local root = b * b - a * k
    if root <= 0 then return false end
    root = math.sqrt(root)
    return (-b + root) / a > 0 and (-b - root) / a < 1
  end

  local trace = {}
  function trace.clear(x0, y0, z0, x1, y1, z1)
    local dx, dy, dz = x1 - x0, y1 - y0, z1 - z0
    for i = 1, #pillars do
      if pillar_stops(pillars[i], x0, y0, dx, dy) then return false end
    end
    for i = 1, #boxes do
      if box_stops(boxes[i], x0, y0, z0, dx, dy, dz) then return false end
    end
    for i = 1, #hulls do
      if hull_stops(hulls[i], x0, y0, z0, dx, dy, dz) then return false end
    end
    return open(0, x0, y0, z0, x1, y1, z1)
  end
  function trace.cluster(x, y, z)
    local n = 0
    while n >= 0 do
      local node = nodes[n + 1]
      local p = node.axis == 1 and x or node.axis == 2 and y or z
      n = p >= node.at and node[1] or node[2]
    end
    return leafs[-n - 1].cluster
  end
  -- Whether a point is in the open: in no wall and in nothing that stands about.
  function trace.free(x, y, z)
    return trace.cluster(x, y, z) >= 0 and trace.clear(x, y, z, x + 0.01, y + 0.01, z + 0.01)
  end
  return trace
end

-- ---------------------------------------------------------------- light at a point

local corners = { { -1, -1 }, { 1, -1 }, { 1, 1 }, { -1, 1 } }

local function direct_light(job, x, y, z, nx, ny, nz, corner, into)
  local cluster = job.trace.cluster(x, y, z)
  for _, l in ipairs(job.lights) do
    if cluster < 0 or job.rows[cluster][l.cluster] then
      local lx, ly, lz = l.origin[1] + corner[1] * l.size / 2, l.origin[2] + corner[2] * l.size / 2, l.origin[3]
      local dx, dy, dz = lx - x, ly - y, lz - z
      local square = dx * dx + dy * dy + dz * dz
      local length = math.sqrt(square)
      local facing = nx and (dx * nx + dy * ny + dz * nz) / length or 1
      local amount = PHOTONS * l.strength / math.max(square, 256) * facing
      if amount > FAINT and job.trace.clear(x, y, z, lx, ly, lz) then
        into(l, amount, dx / length, dy / length, dz / length)
      end
    end
  end
end

-- Direct light of a luxel: four points around it, each with another corner of the lamps, so that shadows have soft edges.
local function luxel_light(job, place, out)
  local r, g, b = 0, 0, 0
  for k = 1, 4 do
    local x, y, z, nx, ny, nz = place(corners[k])
    direct_light(job, x, y, z, nx, ny, nz, corners[k % 4 + 1], function(l, amount)
      r, g, b = r + amount * l.color[1], g + amount * l.color[2], b + amount * l.color[3]
    end)
  end
  out[1], out[2], out[3] = r / 4, g / 4, b / 4
end

-- Squares of the world's faces with the light they throw back.
local function make_emitters(job, faces, materials)
  local emitters = {}
  for _, f in ipairs(faces) do
    local material = materials[f.material]
    if material.bounce and not material.glow and not f.dark then
      local across, down = math.max(1, math.ceil(f.width / EMITTER)), math.max(1, math.ceil(f.height / EMITTER))
      for j = 0, down - 1 do
        for i = 0, across - 1 do
          local x, y, z = f.place((i + 0.5) / across, (j + 0.5) / down)
          local r, g, b = 0, 0, 0
          if job.trace.free(x, y, z) then
            direct_light(job, x, y, z, f.normal[1], f.normal[2], f.normal[3], { 0, 0 }, function(l, amount)
              r, g, b = r + amount * l.color[1], g + amount * l.color[2], b + amount * l.color[3]
            end)
          end
          if r + g + b > 1 then
            local area = f.width * f.height / (across * down) / 3.14159265 * BOUNCE_GAIN
            emitters[#emitters + 1] = { x, y, z, nx = f.normal[1], ny = f.normal[2], nz = f.normal[3], cluster = job.trace.cluster(x, y, z),
              r = r * area * material.bounce[1], g = g * area * material.bounce[2], b = b * area * material.bounce[3] }
          end
        end
      end
    end
  end
  return emitters
end

-- Light thrown back onto a point that faces along n (nil: from all around).
local function bounced_light(job, x, y, z, nx, ny, nz)
  local r, g, b = AMBIENT[1], AMBIENT[2], AMBIENT[3]
  local cluster = job.trace.cluster(x, y, z)
  local row = job.rows[cluster]
  for i = 1, #job.emitters do
    local e = job.emitters[i]
    if not row or row[e.cluster] then
      local dx, dy, dz = e[1] - x, e[2] - y, e[3] - z
      local square = dx * dx + dy * dy + dz * dz
      local leaving = -(dx * e.nx + dy * e.ny + dz * e.nz)
      local facing = nx and dx * nx + dy * ny + dz * nz or math.sqrt(square) * 0.5
      if leaving > 0 and facing > 0 then
        local amount = facing * leaving / (square * math.max(square, 4096))
        if amount * (e.r + e.g + e.b) > 0.02 and job.trace.clear(x, y, z, e[1], e[2], e[3]) then
          r, g, b = r + amount * e.r, g + amount * e.g, b + amount * e.b
        end
      end
    end
  end
  return r, g, b
end

-- ---------------------------------------------------------------- lightmap pages

local function packer()
  local pages = { count = 0 }
  local x, y, high = PAGE, PAGE, 0
  function pages.place(width, height)
    if x + width > PAGE then
      x, y, high = 0, y + high, 0
    end
    if y + height > PAGE then
      pages.count = pages.count + 1
      pages[pages.count] = {}
      x, y, high = 0, 0, 0
    end
    local at_x, at_y = x, y
    x, high = x + width, math.max(high, height)
    return pages.count, at_x, at_y
  end
  function pages.set(page, px, py, r, g, b) pages[page][py * PAGE + px] = { r, g, b } end
  function pages.bytes()
    local out = {}
    for page = 1, pages.count do
      for i = 0, PAGE * PAGE - 1 do
        local c = pages[page][i]
        out[#out + 1] = c and string.char(c[1], c[2], c[3]) or "\0\0\0"
      end
    end
    return table.concat(out)
  end
  return pages
end

-- Rounds a colour to bytes; above 255 all three shrink together, so the hue stays.
local function to_bytes(r, g, b)
  local most = math.max(r, g, b)
  if most > 255 then r, g, b = r * 255 / most, g * 255 / most, b * 255 / most end
  return math.floor(r + 0.5), math.floor(g + 0.5), math.floor(b + 0.5)
end

local function interpolated(grid, across, down, s, t)
  local x, y = s * (across - 1), t * (down - 1)
  local i, j = math.min(x // 1, across - 2), math.min(y // 1, down - 2)
  local u, v = x - i, y - j
  local at = math.tointeger(j * across + i)
  local a, b, c, d = grid[at], grid[at + 1], grid[at + across], grid[at + across + 1]
  local out = {}
  for k = 1, 3 do out[k] = (a[k] * (1 - u) + b[k] * u) * (1 - v) + (c[k] * (1 - u) + d[k] * u) * v end
  return out
end

-- Lights a surface given by place(s, t) and normal(s, t), both from 0..1, into a rectangle of a page.
local function light_surface(job, surface, width, height)
  local w, h = math.max(2, width // LUXEL), math.max(2, height // LUXEL)
  w, h = math.min(PAGE, math.tointeger(w)), math.min(PAGE, math.tointeger(h))
  local page, px, py = job.pages.place(w, h)
  surface.lightmap = { page = page - 1, x = px, y = py, w = w, h = h }
  local glow = job.materials[surface.material].glow
  local across, down = math.max(2, math.ceil(width / BOUNCE_STEP) + 1), math.max(2, math.ceil(height / BOUNCE_STEP) + 1)
  local bounced = {}
  if not glow then
    for j = 0, down - 1 do
      for i = 0, across - 1 do
        local s, t = i / (across - 1), j / (down - 1)
        local x, y, z = surface.place(s, t)
        bounced[j * across + i] = { bounced_light(job, x, y, z, surface.facing(s, t)) }
      end
    end
  end
  local sum = {}
  for j = 0, h - 1 do
    for i = 0, w - 1 do
      local s, t = i / (w - 1), j / (h - 1)
      if glow then
        job.pages.set(page, px + i, py + j, glow[1], glow[2], glow[3])
      else
        luxel_light(job, function(corner)
          local cs = math.max(0, math.min(1, s + corner[1] * 0.25 / (w - 1)))
          local ct = math.max(0, math.min(1, t + corner[2] * 0.25 / (h - 1)))
          local x, y, z = surface.place(cs, ct)
          return x, y, z, surface.facing(cs, ct)
        end, sum)
        local back = interpolated(bounced, across, down, s, t)
        job.pages.set(page, px + i, py + j, to_bytes(sum[1] + back[1], sum[2] + back[2], sum[3] + back[3]))
      end
    end
  end
  -- The same light for those who draw by vertex: taken from the nearest luxel.
  surface.color_at = function(s, t)
    local x = px + math.floor(s * (w - 1) + 0.5)
    local y = py + math.floor(t * (h - 1) + 0.5)
    return job.pages[page][math.tointeger(y * PAGE + x)]
  end
  surface.lightmap_st = function(s, t)
    return (px + 0.5 + s * (w - 1)) / PAGE, (py + 0.5 + t * (h - 1)) / PAGE
  end
end

-- Gives a flat face its rectangle in its own plane, and functions from 0..1 x 0..1 into the world. Points for tracing stand
-- a unit off the face and off its edges, so that they are in no wall beside it.
local function measure_face(f, offset)
  local n, u = f.normal, f.u
  local v = { n[2] * u[3] - n[3] * u[2], n[3] * u[1] - n[1] * u[3], n[1] * u[2] - n[2] * u[1] }
  local s0, s1, t0, t1 = math.huge, -math.huge, math.huge, -math.huge
  for _, p in ipairs(f.points) do
    local s, t = dot(p, u), dot(p, v)
    s0, s1, t0, t1 = math.min(s0, s), math.max(s1, s), math.min(t0, t), math.max(t1, t)
  end
  f.width, f.height = s1 - s0, t1 - t0
  f.across, f.down = u, v
  local dist = dot(f.points[1], n)
  f.corner = { u[1] * s0 + v[1] * t0 + n[1] * dist, u[2] * s0 + v[2] * t0 + n[2] * dist, u[3] * s0 + v[3] * t0 + n[3] * dist }
  function f.place(s, t)
    local a = math.max(1, math.min(f.width - 1, s * f.width))
    local b = math.max(1, math.min(f.height - 1, t * f.height))
    return f.corner[1] + offset[1] + u[1] * a + v[1] * b + n[1], f.corner[2] + offset[2] + u[2] * a + v[2] * b + n[2],
      f.corner[3] + offset[3] + u[3] * a + v[3] * b + n[3]
  end
  function f.facing() return n[1], n[2], n[3] end
  function f.parameters(p) return (dot(p, u) - s0) / f.width, (dot(p, v) - t0) / f.height end
end

local function measure_patch(patch)
  function patch.place(s, t)
    local x, y, z = curve.at(patch, s, t)
    local nx, ny, nz = curve.normal(patch, s, t)
    return x + nx, y + ny, z + nz
  end
  function patch.facing(s, t) return curve.normal(patch, s, t) end
  local function length(sx, sy, ex, ey)
    local sum, x, y, z = 0, curve.at(patch, sx, sy)
    for i = 1, 16 do
      local a, b, c = curve.at(patch, sx + (ex - sx) * i / 16, sy + (ey - sy) * i / 16)
      sum = sum + math.sqrt((a - x) * (a - x) + (b - y) * (b - y) + (c - z) * (c - z))
      x, y, z = a, b, c
    end
    return sum
  end
  patch.long, patch.high = length(0, 0.5, 1, 0.5), length(0.5, 0, 0.5, 1)
end

-- ---------------------------------------------------------------- the light grid

-- Angles as the file has them, found by trying all 256: (cos, sin) from a turn of 1/256 that is multiplied up.
local turns = {}
do
  local step = 2 * 3.14159265358979323846 / 256
  local c, s = 1, 0
  local square = step * step
  local cs = 1 - square / 2 + square * square / 24 - square * square * square / 720
  local sn = step * (1 - square / 6 + square * square / 120 - square * square * square / 5040)
  for i = 0, 255 do
    turns[i] = { c, s }
    c, s = c * cs - s * sn, s * cs + c * sn
  end
end

-- Bytes 6 and 7 of a grid point: the angle from straight up, and the one around from +x.
local function direction_bytes(x, y, z)
  local flat = math.sqrt(x * x + y * y)
  local polar, around, best = 0, 0, -math.huge
  for i = 0, 128 do
    local fit = turns[i][1] * z + turns[i][2] * flat
    if fit > best then polar, best = i, fit end
  end
  best = -math.huge
  if flat > 0.001 then
    for i = 0, 255 do
      local fit = turns[i][1] * x + turns[i][2] * y
      if fit > best then around, best = i, fit end
    end
  end
  return polar, around
end

local function light_grid(job, hull, size)
  local low, count = {}, {}
  for i = 1, 3 do
    low[i] = size[i] * math.ceil(hull.mins[i] / size[i])
    count[i] = math.tointeger((size[i] * math.floor(hull.maxs[i] / size[i]) - low[i]) // size[i] + 1)
  end
  local out = {}
  for k = 0, count[3] - 1 do
    for j = 0, count[2] - 1 do
      for i = 0, count[1] - 1 do
        local x, y, z = low[1] + i * size[1], low[2] + j * size[2], low[3] + k * size[3]
        -- A point in a wall takes its light from beside it, as far as the nearest open place within a third of a cell.
        for _, off in ipairs { { 0, 0, 0 }, { 20, 0, 0 }, { -20, 0, 0 }, { 0, 20, 0 }, { 0, -20, 0 }, { 0, 0, 20 }, { 0, 0, -20 },
          { 20, 20, 20 }, { -20, -20, -20 }, { 20, -20, 20 }, { -20, 20, 20 } } do
          if job.trace.free(x + off[1], y + off[2], z + off[3]) then
            x, y, z = x + off[1], y + off[2], z + off[3]
            break
          end
        end
        if job.trace.free(x, y, z) then
          local found, dx, dy, dz = {}, 0, 0, 0
          direct_light(job, x, y, z, nil, nil, nil, { 0, 0 }, function(l, amount, lx, ly, lz)
            found[#found + 1] = { l, amount, lx, ly, lz }
            dx, dy, dz = dx + amount * lx, dy + amount * ly, dz + amount * lz
          end)
          local length = math.sqrt(dx * dx + dy * dy + dz * dz)
          if length == 0 then dx, dy, dz, length = 0, 0, 1, 1 end
          dx, dy, dz = dx / length, dy / length, dz / length
          local r, g, b = bounced_light(job, x, y, z)
          local directed = { 0, 0, 0 }
          for _, f in ipairs(found) do
            local along = math.max(0, f[3] * dx + f[4] * dy + f[5] * dz) * f[2]
            for c = 1, 3 do directed[c] = directed[c] + along * f[1].color[c] end
            local rest = 0.25 * (f[2] - along)
            r, g, b = r + rest * f[1].color[1], g + rest * f[1].color[2], b + rest * f[1].color[3]
          end
          local ar, ag, ab = to_bytes(r, g, b)
          local br, bg, bb = to_bytes(directed[1], directed[2], directed[3])
          out[#out + 1] = string.char(ar, ag, ab, br, bg, bb, direction_bytes(dx, dy, dz))
        else
          out[#out + 1] = ("\0"):rep(8)
        end
      end
    end
  end
  return table.concat(out)
end

-- job: world, lights, pillars, rows, materials, offsets (of the brush models). Fills in lightmaps, colours, the grid.
function light.shine(job)
  local world = job.world
  local space = dofile(here .. "making/space.lua")
  job.trace = tracer(world, job.pillars, space.planes_of)
  job.pages = packer()
  for _, l in ipairs(job.lights) do l.cluster = job.trace.cluster(l.origin[1], l.origin[2], l.origin[3]) end

  local faces = {}
  for _, f in ipairs(world.faces) do
    measure_face(f, { 0, 0, 0 })
    faces[#faces + 1] = f
  end
  job.emitters = make_emitters(job, faces, job.materials)
  for i, model in ipairs(world.models) do
    for _, f in ipairs(model.faces) do
      measure_face(f, job.offsets[i])
      faces[#faces + 1] = f
    end
  end
  for i, f in ipairs(faces) do f.order = i end
  table.sort(faces, function(a, b)    -- high rectangles first waste least of a page
    if a.height ~= b.height then return a.height > b.height end
    return a.order < b.order
  end)
  for _, f in ipairs(faces) do light_surface(job, f, f.width, f.height) end
  for _, patch in ipairs(world.patches) do
    measure_patch(patch)
    light_surface(job, patch, patch.long, patch.high)
  end
  world.lightmaps = job.pages.bytes()
  world.grid = light_grid(job, world.hull, { 64, 64, 64 })
end

return light
