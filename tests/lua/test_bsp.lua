-- lw.bsp: the level as the file has it.
local unit = require "luaunit"
local rooms = require "rooms"

TestBsp = {}

function TestBsp:setUp() rooms.open() end

-- Each kind: its lump, how one and all are asked for, and its fields.
local KINDS = {
  { "textures", "texture", "textures", "name flags contents" },
  { "planes", "plane", "planes", "normal dist" },
  { "nodes", "node", "nodes", "plane front back mins maxs" },
  { "leafs", "leaf", "leaves", "cluster area mins maxs first_face face_count first_brush brush_count" },
  { "brushes", "brush", "brushes", "first_side side_count texture" },
  { "brushsides", "brushside", "brushsides", "plane texture" },
  { "vertices", "vertex", "vertices", "position uv lightmap_uv normal color" },
  { "faces", "face", "faces", "texture effect type first_vertex vertex_count first_index index_count lightmap lightmap_xy "
    .. "lightmap_size lightmap_origin lightmap_vecs normal patch_size" },
  { "models", "model", "models", "mins maxs first_face face_count first_brush brush_count" },
}

function TestBsp:test_every_record_has_just_the_fields_of_its_lump()
  for _, kind in ipairs(KINDS) do
    local lump, one, all, fields = table.unpack(kind)
    local count = 0
    for i, record in lw.bsp[all]() do
      unit.assertEquals(i, count)
      unit.assertTrue(record == lw.bsp[one](i))
      count = count + 1
    end
    unit.assertEquals(count, lw.bsp.count(lump))
    local names = {}
    for name, value in pairs(lw.bsp[one](0)) do
      names[#names + 1] = name
      unit.assertNotNil(value)
      unit.assertEquals(type(lw.bsp[one](0)[name]), type(value))
    end
    unit.assertEquals(table.concat(names, " "), fields)
  end
end

function TestBsp:test_the_seventeen_lumps_have_counts()
  local names = "entities textures planes nodes leafs leaffaces leafbrushes models brushes brushsides vertices meshverts "
    .. "effects faces lightmaps lightvols visdata"
  local lumps = 0
  for name in names:gmatch("%w+") do
    unit.assertEquals(lw.bsp.count(name), lw.map.info().lumps[name].count)
    lumps = lumps + 1
  end
  unit.assertEquals(lumps, 17)
  unit.assertStrContains(rooms.refusal(lw.bsp.count, "shaders"), "textures")
end

function TestBsp:test_numbers_out_of_range_are_named_with_what_is_allowed()
  unit.assertEquals(rooms.refusal(lw.bsp.face, 198), "bad argument #1 to 'lw.bsp.face' (face 198, this map has 0..197)")
  unit.assertStrContains(rooms.refusal(lw.bsp.face, -1), "face -1")
  unit.assertStrContains(rooms.refusal(lw.bsp.face, 1.5), "1.5")
  unit.assertStrContains(rooms.refusal(lw.bsp.effect, 0), "none")
  unit.assertStrContains(rooms.refusal(lw.bsp.leaf), "leaf")
end

function TestBsp:test_records_cannot_be_changed_and_know_their_fields()
  local face = lw.bsp.face(0)
  unit.assertStrContains(rooms.refusal(function() face.texture = 3 end), "cannot be set")
  unit.assertStrContains(rooms.refusal(function() return face.shader end), "texture")
  unit.assertEquals(tostring(face), "face 0")
  local normal = face.normal
  normal.x = 77
  unit.assertNotEquals(face.normal.x, 77)
end

function TestBsp:test_walking_the_tree_by_hand_comes_to_the_same_leaf()
  for _, point in pairs { rooms.first, rooms.bend, rooms.second, rooms.wall, rooms.outside } do
    local node = 0
    while node >= 0 do
      local record = lw.bsp.node(node)
      local plane = lw.bsp.plane(record.plane)
      node = plane.normal:dot(point) - plane.dist < 0 and record.back or record.front
    end
    unit.assertEquals(lw.bsp.leaf_at(point), -1 - node)
  end
end

function TestBsp:test_points_come_in_three_forms()
  local leaf = lw.bsp.leaf_at(56, 64, 50)
  unit.assertEquals(lw.bsp.leaf_at(lw.vec3(56, 64, 50)), leaf)
  unit.assertEquals(lw.bsp.leaf_at { 56, 64, 50 }, leaf)
  unit.assertStrContains(rooms.refusal(lw.bsp.leaf_at, 56, 64), "lw.bsp.leaf_at")
  unit.assertStrContains(rooms.refusal(lw.bsp.leaf_at, 0 / 0, 0, 0), "lw.bsp.leaf_at")
end

function TestBsp:test_a_small_box_is_in_the_leaf_of_its_middle()
  local leafs = lw.bsp.leaves_in(rooms.first - lw.vec3(1, 1, 1), rooms.first + lw.vec3(1, 1, 1))
  unit.assertItemsEquals(leafs, { lw.bsp.leaf_at(rooms.first) })
  unit.assertStrContains(rooms.refusal(lw.bsp.leaves_in, { 1, 0, 0 }, { 0, 0, 0 }), "#2")
  local all = lw.bsp.leaves_in(lw.map.bounds())
  for i = 2, #all do unit.assertTrue(all[i - 1] < all[i]) end
end

function TestBsp:test_the_faces_and_brushes_of_a_leaf_are_those_of_the_lumps()
  for i, leaf in lw.bsp.leaves() do
    unit.assertEquals(#lw.bsp.leaf_faces(i), leaf.face_count)
    unit.assertEquals(#lw.bsp.leaf_brushes(i), leaf.brush_count)
    for _, face in ipairs(lw.bsp.leaf_faces(i)) do lw.bsp.face(face) end
    for _, brush in ipairs(lw.bsp.leaf_brushes(i)) do lw.bsp.brush(brush) end
  end
end

function TestBsp:test_triangles_lie_where_the_vertices_are()
  local patches = 0
  for i, face in lw.bsp.faces() do
    local triangles = lw.bsp.face_polygon(i)
    local patch = lw.bsp.patch(i)
    if face.type == 1 or face.type == 3 then
      unit.assertTrue(#triangles == 0 or #triangles == face.index_count // 3)
      unit.assertNil(patch)
    elseif face.type == 2 then
      patches = patches + 1
      unit.assertEquals(patch.size, face.patch_size)
      unit.assertEquals(#patch.points, patch.width * patch.height)
      unit.assertTrue(patch.points[1] == lw.bsp.vertex(face.first_vertex).position)
      unit.assertTrue(#triangles >= 2)
    end
    for _, triangle in ipairs(triangles) do unit.assertEquals(#triangle, 3) end
  end
  unit.assertTrue(patches > 0)
end

function TestBsp:test_a_page_of_light_is_a_picture()
  local page = lw.bsp.lightmap(0)
  unit.assertEquals({ page.width, page.height }, { 128, 128 })
  local r, g, b, a = page:get(0, 127)
  for _, part in ipairs { r, g, b, a } do unit.assertTrue(math.type(part) == "integer" and part >= 0 and part <= 255) end
  unit.assertEquals(a, 255)
  unit.assertStrContains(rooms.refusal(page.get, page, 128, 0), "x 128")
  unit.assertEquals(page:diff(lw.bsp.lightmap(0)).max, 0)
  local count = 0
  for i in lw.bsp.lightmaps() do
    unit.assertEquals(i, count)
    count = count + 1
  end
  unit.assertEquals(count, lw.bsp.count("lightmaps"))
end

function TestBsp:test_the_first_room_is_lit_by_warm_lamps_from_above()
  local light = lw.bsp.light_at(128, 104, 64)
  unit.assertTrue(light.directed.x > light.directed.z)
  unit.assertTrue(light.direction.z > 0.7)
  unit.assertAlmostEquals(#light.direction, 1, 1e-4)
end
