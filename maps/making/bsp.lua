-- The level as a file: IBSP version 46, seventeen lumps.
local here = arg[0]:match("^(.*/)") or "./"
local space = dofile(here .. "making/space.lua")
local curve = dofile(here .. "making/curve.lua")
local bsp = {}

local PLANAR, PATCH = 1, 2
local FACE = "<i4i4i4i4i4i4i4i4i4i4i4i4ffffffffffffi4i4"
local MODEL = "<ffffffi4i4i4i4"

-- A list that gives equal things one number, counted from 0.
local function numbered()
  local list, number = {}, {}
  return list, function(key, made)
    if not number[key] then
      list[#list + 1] = made
      number[key] = #list - 1
    end
    return number[key]
  end
end

-- Planes stand in pairs, each the other's opposite, the first of a pair facing up its main axis.
local function plane_table()
  local list, number = {}, {}
  local function key(n, d) return string.pack("<ffff", n[1] + 0.0, n[2] + 0.0, n[3] + 0.0, d + 0.0) end
  local function clean(x) return x == 0 and 0.0 or x + 0.0 end    -- no minus zero
  return list, function(normal, dist)
    local n, d = { clean(normal[1]), clean(normal[2]), clean(normal[3]) }, clean(dist)
    local found = number[key(n, d)]
    if found then return found end
    local o, e = { clean(-n[1]), clean(-n[2]), clean(-n[3]) }, clean(-d)
    local main = 1
    for i = 2, 3 do
      if math.abs(n[i]) > math.abs(n[main]) then main = i end
    end
    local first, second = { n, d }, { o, e }
    if n[main] < 0 then first, second = second, first end
    for _, p in ipairs { first, second } do
      local k = key(p[1], p[2])
      list[#list + 1] = k
      number[k] = #list - 1
    end
    return number[key(n, d)]
  end
end

-- How an image lies on a face: in the world's own grid, so that it goes on over the next face, or (`fit`) once over all.
local function texture_mapping(f, material)
  if not material.fit then
    return function(p) return space.dot(p, f.u) / material.span, space.dot(p, f.v) / material.span end
  end
  local s0, s1, t0, t1 = math.huge, -math.huge, math.huge, -math.huge
  for _, p in ipairs(f.points) do
    local s, t = space.dot(p, f.u), space.dot(p, f.v)
    s0, s1, t0, t1 = math.min(s0, s), math.max(s1, s), math.min(t0, t), math.max(t1, t)
  end
  return function(p) return (space.dot(p, f.u) - s0) / (s1 - s0), (space.dot(p, f.v) - t0) / (t1 - t0) end
end

function bsp.write(job)
  local world, materials = job.world, job.materials
  local texture_list, texture_number = numbered()
  local function texture(name, detail)
    local m = materials[name]
    local contents = detail and m.contents | job.detail_flag or m.contents
    local key = m.name .. contents
    return texture_number(key, string.pack("<c64i4i4", m.name, m.surface, contents))
  end
  local planes, plane = plane_table()
  local vertices, indexes, faces, leaf_faces, leaf_brushes, brushes, brush_sides = {}, {}, {}, {}, {}, {}, {}
  local vertex_count = 0

  local function add_vertex(p, s, t, ls, lt, normal, color)
    vertices[#vertices + 1] = string.pack("<ffffffffffBBBB",
      p[1], p[2], p[3], s, t, ls, lt, normal[1], normal[2], normal[3], color[1], color[2], color[3], 255)
    vertex_count = vertex_count + 1
  end

  local function add_face(f)
    local first, texture_st = vertex_count, texture_mapping(f, materials[f.material])
    for _, p in ipairs(f.points) do
      local a, b = f.parameters(p)
      local s, t = texture_st(p)
      local ls, lt = f.lightmap_st(a, b)
      add_vertex(p, s, t, ls, lt, f.normal, f.color_at(a, b))
    end
    local first_index = #indexes
    for _, t in ipairs(f.triangles) do
      for k = 1, 3 do indexes[#indexes + 1] = string.pack("<i4", t[k] - 1) end
    end
    local map, n = f.lightmap, f.normal
    local su, sv = f.width / (map.w - 1), f.height / (map.h - 1)
    faces[#faces + 1] = string.pack(FACE,
      texture(f.material, false), -1, PLANAR, first, #f.points, first_index, #indexes - first_index,
      map.page, map.x, map.y, map.w, map.h, f.corner[1], f.corner[2], f.corner[3],
      f.across[1] * su, f.across[2] * su, f.across[3] * su, f.down[1] * sv, f.down[2] * sv, f.down[3] * sv, n[1], n[2], n[3], 0, 0)
  end

  local function add_patch(patch)
    local first = vertex_count
    for j = 0, patch.height - 1 do
      for i = 0, patch.width - 1 do
        local a, b = i / (patch.width - 1), j / (patch.height - 1)
        local p = patch.points[j * patch.width + i + 1]
        local ls, lt = patch.lightmap_st(a, b)
        add_vertex(p, p.s, p.t, ls, lt, { curve.normal(patch, a, b) }, patch.color_at(a, b))
      end
    end
    local map, group = patch.lightmap, patch.group or patch
    faces[#faces + 1] = string.pack(FACE,
      texture(patch.material, false), -1, PATCH, first, patch.width * patch.height, 0, 0, map.page, map.x, map.y, map.w, map.h,
      0, 0, 0, group.mins[1], group.mins[2], group.mins[3], group.maxs[1], group.maxs[2], group.maxs[3], 0, 0, 0,
      patch.width, patch.height)
  end

  local function add_brush(b)
    local detail = not b.structural and not b.model
    local first = #brush_sides
    for i, p in ipairs(space.planes_of(b)) do
      local material = b.side_material[i]
      brush_sides[#brush_sides + 1] = string.pack("<i4i4", plane(p.normal, p.dist), texture(material, detail and material ~= "caulk"))
    end
    brushes[#brushes + 1] = string.pack("<i4i4i4", first, #brush_sides - first, texture(b.material, detail))
  end

  for _, f in ipairs(world.faces) do add_face(f) end
  for _, patch in ipairs(world.patches) do add_patch(patch) end
  for _, b in ipairs(world.brushes) do add_brush(b) end
  local models = { string.pack(MODEL, world.hull.mins[1], world.hull.mins[2], world.hull.mins[3],
    world.hull.maxs[1], world.hull.maxs[2], world.hull.maxs[3], 0, #faces, 0, #brushes) }
  for _, model in ipairs(world.models) do
    local first_face, first_brush = #faces, #brushes
    for _, f in ipairs(model.faces) do add_face(f) end
    for _, b in ipairs(model.brushes) do add_brush(b) end
    models[#models + 1] = string.pack(MODEL, model.mins[1], model.mins[2], model.mins[3],
      model.maxs[1], model.maxs[2], model.maxs[3], first_face, #faces - first_face, first_brush, #brushes - first_brush)
  end

  local nodes, leafs = {}, { ("\0"):rep(48) }    -- leaf 0: nobody's, as compilers write it
  for _, n in ipairs(world.nodes) do
    local normal = { 0, 0, 0 }
    normal[n.axis] = 1
    nodes[#nodes + 1] = string.pack("<i4i4i4i4i4i4i4i4i4", plane(normal, n.at), n[1], n[2], n.mins[1], n.mins[2], n.mins[3],
      n.maxs[1], n.maxs[2], n.maxs[3])
  end
  for _, leaf in ipairs(world.leafs) do
    leafs[#leafs + 1] = string.pack("<i4i4i4i4i4i4i4i4i4i4i4i4", leaf.cluster, leaf.area, leaf.mins[1], leaf.mins[2], leaf.mins[3],
      leaf.maxs[1], leaf.maxs[2], leaf.maxs[3], #leaf_faces, #leaf.faces, #leaf_brushes, #leaf.brushes)
    for _, f in ipairs(leaf.faces) do leaf_faces[#leaf_faces + 1] = string.pack("<i4", f) end
    for _, b in ipairs(leaf.brushes) do leaf_brushes[#leaf_brushes + 1] = string.pack("<i4", b) end
  end

  local row_bytes = (job.rows.count + 63) // 64 * 8
  local visdata = { string.pack("<i4i4", job.rows.count, row_bytes) }
  for a = 0, job.rows.count - 1 do
    for byte = 0, row_bytes - 1 do
      local value = 0
      for bit = 0, 7 do
        if job.rows[a][byte * 8 + bit] then value = value | 1 << bit end
      end
      visdata[#visdata + 1] = string.char(value)
    end
  end

  local text = {}
  for _, entity in ipairs(job.entities) do
    text[#text + 1] = "{\n"
    for _, pair in ipairs(entity) do text[#text + 1] = ('"%s" "%s"\n'):format(pair[1], pair[2]) end
    text[#text + 1] = "}\n"
  end
  text[#text + 1] = "\0"

  local lumps = { table.concat(text), texture_list, planes, nodes, leafs, leaf_faces, leaf_brushes, models, brushes, brush_sides,
    vertices, indexes, {}, faces, world.lightmaps, world.grid, visdata }
  local head, body = { "IBSP", string.pack("<i4", 46) }, {}
  local offset = 8 + 17 * 8
  for _, lump in ipairs(lumps) do
    local bytes = type(lump) == "table" and table.concat(lump) or lump
    head[#head + 1] = string.pack("<i4i4", offset, #bytes)
    bytes = bytes .. ("\0"):rep(-#bytes % 4)
    body[#body + 1] = bytes
    offset = offset + #bytes
  end
  return table.concat(head) .. table.concat(body)
end

return bsp
