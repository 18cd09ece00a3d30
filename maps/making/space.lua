-- Solid and empty space of a level made of axial boxes: its faces, its tree with leafs, its brushes.
--
-- All planes of the hollows and blocks cut the world into a grid of cells that are wholly solid or wholly empty; faces are
-- what lies between the two, joined into large rectangles; the tree splits until every leaf is of one kind.
local space = {}

local MARGIN = 16    -- how thick the outer walls are
local LEAF_SIZE = 288    -- an empty leaf wider than this is split, so that large rooms have several clusters

local function inside(b, x, y, z)
  return x > b.mins[1] and x < b.maxs[1] and y > b.mins[2] and y < b.maxs[2] and z > b.mins[3] and z < b.maxs[3]
end

local function overlap(a, b)    -- of their insides
  for i = 1, 3 do
    if a.mins[i] >= b.maxs[i] or a.maxs[i] <= b.mins[i] then return false end
  end
  return true
end

local function copy(b) return { mins = { table.unpack(b.mins) }, maxs = { table.unpack(b.maxs) } } end

-- The coordinates at which something may change, sorted, per axis.
local function cuts_of(level, hull)
  local cuts = {}
  for axis = 1, 3 do
    local seen, list = {}, {}
    local function add(v)
      if not seen[v] then
        seen[v] = true
        list[#list + 1] = v
      end
    end
    for _, set in ipairs { level.hollows, level.blocks } do
      for _, b in ipairs(set) do
        add(b.mins[axis])
        add(b.maxs[axis])
        if axis == 3 and b.trim then add(b.mins[3] + b.trim) end
      end
    end
    add(hull.mins[axis])
    add(hull.maxs[axis])
    table.sort(list)
    cuts[axis] = list
  end
  return cuts
end

-- The hollow a point lies in; nil in solid. And the block, where one stands.
local function hollow_at(level, x, y, z)
  for _, b in ipairs(level.blocks) do
    if inside(b, x, y, z) then return nil, b end
  end
  for _, h in ipairs(level.hollows) do
    if inside(h, x, y, z) then return h end
  end
end

-- Which material a face has that looks into `hollow` along `axis` (`sign` of its normal), part of `block` or of the walls.
local function material_of(hollow, block, axis, sign, z)
  local of = block or hollow
  if axis == 3 then return sign > 0 and (of.floor or of.ceiling) or of.ceiling end
  if of.trim and z < hollow.mins[3] + of.trim then return "trim" end
  return of.wall
end

-- Rectangles between solid and empty cells: { material, axis, sign, at, mins, maxs }.
local function world_rectangles(level, cuts)
  local out = {}
  local function middle(axis, i) return (cuts[axis][i] + cuts[axis][i + 1]) / 2 end
  for axis = 1, 3 do
    local u, v = axis % 3 + 1, (axis + 1) % 3 + 1
    for at = 2, #cuts[axis] - 1 do
      for _, sign in ipairs { 1, -1 } do
        local grid = {}
        for i = 1, #cuts[u] - 1 do
          grid[i] = {}
          for j = 1, #cuts[v] - 1 do
            local p, q = {}, {}
            p[axis], p[u], p[v] = middle(axis, sign > 0 and at or at - 1), middle(u, i), middle(v, j)
            q[axis], q[u], q[v] = middle(axis, sign > 0 and at - 1 or at), p[u], p[v]
            local hollow = hollow_at(level, p[1], p[2], p[3])
            local behind, block = hollow_at(level, q[1], q[2], q[3])
            if hollow and not behind then grid[i][j] = material_of(hollow, block, axis, sign, p[3]) end
          end
        end
        for i = 1, #cuts[u] - 1 do
          for j = 1, #cuts[v] - 1 do
            local material = grid[i][j]
            if material then
              local i1, j1 = i, j
              while grid[i1 + 1] and grid[i1 + 1][j] == material do i1 = i1 + 1 end
              local function row_is_all(k)
                for n = i, i1 do
                  if grid[n][k] ~= material then return false end
                end
                return true
              end
              while j1 + 1 < #cuts[v] and row_is_all(j1 + 1) do j1 = j1 + 1 end
              for n = i, i1 do
                for k = j, j1 do grid[n][k] = nil end
              end
              local rect = { material = material, axis = axis, sign = sign, mins = {}, maxs = {} }
              rect.mins[axis], rect.maxs[axis] = cuts[axis][at], cuts[axis][at]
              rect.mins[u], rect.maxs[u] = cuts[u][i], cuts[u][i1 + 1]
              rect.mins[v], rect.maxs[v] = cuts[v][j], cuts[v][j1 + 1]
              out[#out + 1] = rect
            end
          end
        end
      end
    end
  end
  return out
end

local function cross(a, b)
  return { a[2] * b[3] - a[3] * b[2], a[3] * b[1] - a[1] * b[3], a[1] * b[2] - a[2] * b[1] }
end
local function dot(a, b) return a[1] * b[1] + a[2] * b[2] + a[3] * b[3] end
local function minus(a, b) return { a[1] - b[1], a[2] - b[2], a[3] - b[3] } end

-- Texture axes: u to the right and v down for somebody who looks at a wall; along x and -y on floors and slopes.
local function texture_axes(normal)
  if normal[3] > 0.5 or normal[3] < -0.5 then return { 1, 0, 0 }, { 0, -1, 0 } end
  if normal[1] > 0.5 or normal[1] < -0.5 then return { 0, normal[1] > 0 and 1 or -1, 0 }, { 0, 0, -1 } end
  return { normal[2] > 0 and -1 or 1, 0, 0 }, { 0, 0, -1 }
end

-- A polygon in a face's order: clockwise seen from its front.
local function face(material, normal, points, more)
  local f = more or {}
  if dot(cross(minus(points[2], points[1]), minus(points[3], points[1])), normal) > 0 then
    local turned = {}
    for i = #points, 1, -1 do turned[#turned + 1] = points[i] end
    points = turned
  end
  f.material, f.normal, f.points = material, normal, points
  f.u, f.v = texture_axes(normal)
  f.mins, f.maxs = { table.unpack(points[1]) }, { table.unpack(points[1]) }
  for _, p in ipairs(points) do
    for i = 1, 3 do
      f.mins[i], f.maxs[i] = math.min(f.mins[i], p[i]), math.max(f.maxs[i], p[i])
    end
  end
  return f
end

local function rectangle_face(r, more)
  local u, v = r.axis % 3 + 1, (r.axis + 1) % 3 + 1
  local points = {}
  for i, corner in ipairs { { 0, 0 }, { 1, 0 }, { 1, 1 }, { 0, 1 } } do
    local p = { table.unpack(r.mins) }
    p[u] = corner[1] == 0 and r.mins[u] or r.maxs[u]
    p[v] = corner[2] == 0 and r.mins[v] or r.maxs[v]
    points[i] = p
  end
  local normal = { 0, 0, 0 }
  normal[r.axis] = r.sign
  return face(r.material, normal, points, more)
end

-- Where a corner of one face lies on an edge of another, the other gets it as a point too: no cracks of rounding.
local function mend_joints(faces)
  local corners = {}
  for _, f in ipairs(faces) do
    for _, p in ipairs(f.points) do corners[#corners + 1] = p end
  end
  for _, f in ipairs(faces) do
    local points = {}
    for i, a in ipairs(f.points) do
      local b = f.points[i % #f.points + 1]
      local along = minus(b, a)
      local length = dot(along, along)
      local on, seen = {}, {}
      for _, c in ipairs(corners) do
        local d = minus(c, a)
        local t = dot(d, along) / length
        local off = cross(d, along)
        if t > 0 and t < 1 and dot(off, off) == 0 and not seen[t] then
          seen[t] = true
          on[#on + 1] = { t, c }
        end
      end
      table.sort(on, function(x, y) return x[1] < y[1] end)
      points[#points + 1] = a
      for _, x in ipairs(on) do points[#points + 1] = x[2] end
    end
    f.points = points
  end
end

-- Cuts a convex polygon, which may have points along its edges, into triangles that all have an area.
local function triangles(points)
  local left, out = {}, {}
  for i = 1, #points do left[i] = i end
  local function area(a, b, c)
    local n = cross(minus(points[b], points[a]), minus(points[c], points[a]))
    return dot(n, n)
  end
  local function has_area(list)
    for i = 3, #list do
      if area(list[1], list[i - 1], list[i]) > 0 then return true end
    end
    return false
  end
  while #left > 3 do
    local best
    for i = 1, #left do
      local a, b, c = left[(i - 2) % #left + 1], left[i], left[i % #left + 1]
      local size = area(a, b, c)
      if size > 0 and (not best or size < best.size) then
        local rest = { table.unpack(left) }
        table.remove(rest, i)
        if has_area(rest) then best = { size = size, rest = rest, a, b, c } end
      end
    end
    out[#out + 1] = { best[1], best[2], best[3] }
    left = best.rest
  end
  out[#out + 1] = { left[1], left[2], left[3] }
  return out
end

-- Planes { normal, dist } of a brush, facing outwards: six axial ones in the file's order, then the slope of a ramp.
local function planes_of(b)
  local planes = {}
  for axis = 1, 3 do
    local low, high = { 0, 0, 0 }, { 0, 0, 0 }
    low[axis], high[axis] = -1, 1
    planes[#planes + 1] = { normal = low, dist = -b.mins[axis] }
    planes[#planes + 1] = { normal = high, dist = b.maxs[axis] }
  end
  if b.ramp then
    local run, rise = b.maxs[2] - b.mins[2], b.maxs[3] - b.mins[3]
    local length = math.sqrt(run * run + rise * rise)
    local normal = { 0, -rise / length, run / length }
    planes[#planes + 1] = { normal = normal, dist = dot(normal, { b.mins[1], b.mins[2], b.mins[3] }) }
  end
  return planes
end

local sides = { "-x", "+x", "-y", "+y", "-z", "+z" }

-- The faces of a box or ramp, and which material each of its sides has.
local function brush_faces(b, more)
  local faces = {}
  b.side_material = {}
  for i, name in ipairs(sides) do
    local axis, sign = (i + 1) // 2, i % 2 == 0 and 1 or -1
    local hidden = b.hide and b.hide:find(name, 1, true)
    local material = name == "+z" and b.top or b.material
    b.side_material[i] = hidden and "caulk" or material
    local slanted = b.ramp and (name == "+z" or name == "-y")
    if not hidden and not slanted then
      local r = { material = material, axis = axis, sign = sign, mins = { table.unpack(b.mins) }, maxs = { table.unpack(b.maxs) } }
      if sign > 0 then r.mins[axis] = r.maxs[axis] else r.maxs[axis] = r.mins[axis] end
      local f = rectangle_face(r, more and more())
      if b.ramp then    -- its flanks are triangles: the upper south corner is cut off
        local points = {}
        for _, p in ipairs(f.points) do
          if not (p[2] == b.mins[2] and p[3] == b.maxs[3]) then points[#points + 1] = p end
        end
        f = face(material, f.normal, points, more and more())
      end
      faces[#faces + 1] = f
    end
  end
  if b.ramp then
    local slope = planes_of(b)[7]
    b.side_material[7] = b.top
    faces[#faces + 1] = face(b.top, slope.normal, {
      { b.mins[1], b.mins[2], b.mins[3] }, { b.maxs[1], b.mins[2], b.mins[3] },
      { b.maxs[1], b.maxs[2], b.maxs[3] }, { b.mins[1], b.maxs[2], b.maxs[3] } }, more and more())
  end
  return faces
end

-- Whether all of a box is solid, all is empty (then of which hollow), or both.
local function kind_of(level, b)
  for _, block in ipairs(level.blocks) do
    if overlap(block, b) then
      for i = 1, 3 do
        if b.mins[i] < block.mins[i] or b.maxs[i] > block.maxs[i] then return "mixed" end
      end
      return "solid"
    end
  end
  for _, hollow in ipairs(level.hollows) do
    if overlap(hollow, b) then
      for i = 1, 3 do
        if b.mins[i] < hollow.mins[i] or b.maxs[i] > hollow.maxs[i] then return "mixed" end
      end
      return "empty", hollow
    end
  end
  return "solid"
end

-- The plane that splits a mixed box best: few hollows and blocks cut by it, and both halves of a size.
local function best_split(level, b)
  local best
  for axis = 1, 3 do
    for _, set in ipairs { level.hollows, level.blocks } do
      for _, x in ipairs(set) do
        for _, at in ipairs { x.mins[axis], x.maxs[axis] } do
          if overlap(x, b) and at > b.mins[axis] and at < b.maxs[axis] then
            local cost = 0
            for _, other in ipairs { level.hollows, level.blocks } do
              for _, y in ipairs(other) do
                if overlap(y, b) and y.mins[axis] < at and y.maxs[axis] > at then cost = cost + 1000 end
              end
            end
            local low, high = at - b.mins[axis], b.maxs[axis] - at
            cost = cost + math.abs(low - high)
            if not best or cost < best.cost then best = { cost = cost, axis = axis, at = at } end
          end
        end
      end
    end
  end
  return best
end

local function halves(b, axis, at)
  local front, back = copy(b), copy(b)
  front.mins[axis], back.maxs[axis] = at, at
  return front, back
end

-- Splits a box into the tree's nodes and leafs; returns the child number as the file has it.
local function split(world, level, b)
  local kind, hollow = kind_of(level, b)
  local axis, at
  if kind == "mixed" then
    local best = best_split(level, b)
    axis, at = best.axis, best.at
  elseif kind == "empty" then
    for i = 1, 2 do
      local size = b.maxs[i] - b.mins[i]
      if size > LEAF_SIZE and (not axis or size > b.maxs[axis] - b.mins[axis]) then
        axis, at = i, (b.mins[i] + b.maxs[i]) // 32 * 16
      end
    end
  end
  if not axis then
    local leaf = { mins = b.mins, maxs = b.maxs, solid = kind == "solid", cluster = -1, area = -1, faces = {}, brushes = {} }
    if not leaf.solid then
      leaf.cluster, leaf.area = world.clusters, hollow.area
      world.clusters = world.clusters + 1
    end
    world.leafs[#world.leafs + 1] = leaf
    return -#world.leafs - 1    -- one further than its place here: leaf 0 of the file is the one that nobody refers to
  end
  local node = { axis = axis, at = at, mins = b.mins, maxs = b.maxs }
  world.nodes[#world.nodes + 1] = node
  local number = #world.nodes - 1
  local front, back = halves(b, axis, at)
  node[1], node[2] = split(world, level, front), split(world, level, back)
  return number
end

-- Around everything, so that the outside is leafs too: six nodes whose one child is outside.
local function split_outside(world, level, hull, outer)
  local b = copy(outer)
  local parent
  for axis = 1, 3 do
    for side = 1, 2 do
      local at = side == 1 and hull.mins[axis] or hull.maxs[axis]
      local node = { axis = axis, at = at, mins = { table.unpack(b.mins) }, maxs = { table.unpack(b.maxs) } }
      world.nodes[#world.nodes + 1] = node
      if parent then parent.node[parent.child] = #world.nodes - 1 end
      local front, back = halves(b, axis, at)
      local inner, out = side == 1 and front or back, side == 1 and back or front
      world.leafs[#world.leafs + 1] = { mins = out.mins, maxs = out.maxs, solid = true, outside = true, cluster = -1, area = -1,
        faces = {}, brushes = {} }
      node[side == 1 and 2 or 1] = -#world.leafs - 1
      parent = { node = node, child = side }
      b = inner
    end
  end
  parent.node[parent.child] = split(world, level, b)
end

-- level: hollows, blocks, details, models, patches, materials. Returns the world: faces, patches, brushes, nodes, leafs.
function space.build(level)
  local hull = copy(level.hollows[1])
  for _, h in ipairs(level.hollows) do
    for i = 1, 3 do
      hull.mins[i], hull.maxs[i] = math.min(hull.mins[i], h.mins[i]), math.max(hull.maxs[i], h.maxs[i])
    end
  end
  local outer = copy(hull)
  for i = 1, 3 do
    hull.mins[i], hull.maxs[i] = hull.mins[i] - MARGIN, hull.maxs[i] + MARGIN
    outer.mins[i], outer.maxs[i] = hull.mins[i] - MARGIN, hull.maxs[i] + MARGIN
  end
  local world = { hull = hull, nodes = {}, leafs = {}, clusters = 0, faces = {}, brushes = {}, models = {}, patches = level.patches }

  for _, r in ipairs(world_rectangles(level, cuts_of(level, hull))) do world.faces[#world.faces + 1] = rectangle_face(r) end
  mend_joints(world.faces)
  split_outside(world, level, hull, outer)

  -- Each solid leaf is a brush; a side that somebody can see has the material of the first face on it.
  for _, leaf in ipairs(world.leafs) do
    if leaf.solid and not leaf.outside then
      local brush = { mins = leaf.mins, maxs = leaf.maxs, material = "caulk", side_material = {}, structural = true }
      for i = 1, 6 do
        local axis, sign = (i + 1) // 2, i % 2 == 0 and 1 or -1
        local side = copy(leaf)
        if sign > 0 then side.mins[axis] = side.maxs[axis] else side.maxs[axis] = side.mins[axis] end
        side.mins[axis], side.maxs[axis] = side.mins[axis] - 1, side.maxs[axis] + 1
        brush.side_material[i] = "caulk"
        for _, f in ipairs(world.faces) do
          local wide = copy(f)
          wide.mins[axis], wide.maxs[axis] = wide.mins[axis] - 1, wide.maxs[axis] + 1
          if f.normal[axis] == sign and f.mins[axis] == (sign > 0 and leaf.maxs or leaf.mins)[axis] and overlap(side, wide) then
            brush.side_material[i] = f.material
            break
          end
        end
        if brush.side_material[i] ~= "caulk" then brush.material = brush.side_material[i] end
      end
      world.brushes[#world.brushes + 1] = brush
    end
  end
  for _, b in ipairs(level.details) do
    for _, f in ipairs(brush_faces(b, function() return { dark = b.dark } end)) do world.faces[#world.faces + 1] = f end
    world.brushes[#world.brushes + 1] = b
  end
  -- The hollow where a new area begins is filled by the brush that says so.
  for i, h in ipairs(level.hollows) do
    if i > 1 and h.area ~= level.hollows[i - 1].area then
      world.brushes[#world.brushes + 1] = { mins = h.mins, maxs = h.maxs, material = "portal", structural = true,
        side_material = { "portal", "portal", "portal", "portal", "portal", "portal" } }
    end
  end

  for i, boxes in ipairs(level.models) do
    local model = { faces = {}, brushes = boxes, mins = { table.unpack(boxes[1].mins) }, maxs = { table.unpack(boxes[1].maxs) } }
    for _, b in ipairs(boxes) do
      b.model = i
      for k = 1, 3 do
        model.mins[k], model.maxs[k] = math.min(model.mins[k], b.mins[k]), math.max(model.maxs[k], b.maxs[k])
      end
      for _, f in ipairs(brush_faces(b, function() return { model = i } end)) do
        if level.materials[f.material].bounce then model.faces[#model.faces + 1] = f end
      end
    end
    world.models[i] = model
  end

  for _, f in ipairs(world.faces) do f.triangles = triangles(f.points) end
  for _, model in ipairs(world.models) do
    for _, f in ipairs(model.faces) do f.triangles = triangles(f.points) end
  end

  -- A face belongs to the leafs that its front touches, a patch to all that its box touches, a brush to all that it fills.
  for _, leaf in ipairs(world.leafs) do
    for n, b in ipairs(world.brushes) do
      if overlap(b, leaf) then leaf.brushes[#leaf.brushes + 1] = n - 1 end
    end
    if not leaf.solid then
      for n, f in ipairs(world.faces) do
        local front = copy(f)
        for i = 1, 3 do
          if f.normal[i] > 0 then front.maxs[i] = front.maxs[i] + 1 end
          if f.normal[i] < 0 then front.mins[i] = front.mins[i] - 1 end
        end
        if overlap(front, leaf) then leaf.faces[#leaf.faces + 1] = n - 1 end
      end
      for n, patch in ipairs(world.patches) do
        local grown = copy(patch)
        for i = 1, 3 do
          grown.mins[i], grown.maxs[i] = grown.mins[i] - 0.5, grown.maxs[i] + 0.5
        end
        if overlap(grown, leaf) then leaf.faces[#leaf.faces + 1] = #world.faces + n - 1 end
      end
    end
  end
  return world
end

space.planes_of, space.overlap, space.dot, space.cross, space.minus = planes_of, overlap, dot, cross, minus
return space
