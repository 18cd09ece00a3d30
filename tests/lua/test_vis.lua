-- lw.vis: which parts of the level can see one another.
local unit = require "luaunit"
local rooms = require "rooms"

TestVis = {}

function TestVis:setUp()
  rooms.open()
  self.first, self.bend = lw.vis.cluster_at(rooms.first), lw.vis.cluster_at(rooms.bend)
  self.second = lw.vis.cluster_at(rooms.second)
end

function TestVis:test_the_rooms_do_not_see_each_other_but_the_bend_sees_both()
  unit.assertFalse(lw.vis.sees(self.first, self.second))
  unit.assertFalse(lw.vis.sees(self.second, self.first))
  unit.assertTrue(lw.vis.sees(self.bend, self.first))
  unit.assertTrue(lw.vis.sees(self.bend, self.second))
end

function TestVis:test_walls_and_the_outside_are_in_no_cluster()
  unit.assertEquals(lw.vis.cluster_at(rooms.wall), -1)
  unit.assertEquals(lw.vis.cluster_at(rooms.outside), -1)
end

function TestVis:test_no_cluster_sees_all_and_is_seen_by_none()
  local all = lw.vis.clusters()
  unit.assertEquals(#lw.vis.row(-1), all)
  unit.assertEquals(#lw.vis.visible(-1), all)
  unit.assertTrue(lw.vis.sees(-1, self.first))
  unit.assertFalse(lw.vis.sees(self.first, -1))
  unit.assertFalse(lw.vis.row(self.first):has(-1))
  unit.assertNil(lw.vis.bounds(-1))
  local count = 0
  for _, leaf in lw.bsp.leaves() do count = count + (leaf.cluster < 0 and 1 or 0) end
  unit.assertTrue(#lw.vis.leaves(-1) > 0 and #lw.vis.leaves(-1) <= count)
  for _, leaf in ipairs(lw.vis.leaves(-1)) do unit.assertEquals(lw.bsp.leaf(leaf).cluster, -1) end
  lw.vis.faces(-1)
end

function TestVis:test_rows_lists_and_single_questions_say_the_same()
  local all = lw.vis.clusters()
  for a = 0, all - 1 do
    local row, list, again = lw.vis.row(a), {}, lw.vis.row(a):list()
    for b = 0, all - 1 do
      unit.assertEquals(row:has(b), lw.vis.sees(a, b))
      if row:has(b) then list[#list + 1] = b end
    end
    unit.assertEquals(list, lw.vis.visible(a))
    unit.assertEquals(list, again)
    unit.assertEquals(#list, #row)
  end
end

function TestVis:test_rows_are_sets()
  local a, b, all = lw.vis.row(self.first), lw.vis.row(self.second), lw.vis.row(-1)
  local both, either = a & b, a | b
  for c = 0, lw.vis.clusters() - 1 do
    unit.assertEquals(both:has(c), a:has(c) and b:has(c))
    unit.assertEquals(either:has(c), a:has(c) or b:has(c))
    unit.assertEquals((~a):has(c), not a:has(c))
    unit.assertEquals((a ~ b):has(c), a:has(c) ~= b:has(c))
    unit.assertEquals((a - b):has(c), a:has(c) and not b:has(c))
  end
  unit.assertEquals(#a + #b, #both + #either)
  unit.assertEquals(#a + #~a, lw.vis.clusters())
  unit.assertTrue(~~a == a)
  unit.assertTrue(a | ~a == all)
  unit.assertFalse(a == b)
  unit.assertFalse(a == lw.bsp.face(0))
  unit.assertEquals(a & b, b & a)
end

function TestVis:test_rows_of_levels_of_other_sizes_do_not_mix()
  local row = lw.vis.row(0)
  unit.assertStrContains(rooms.refusal(row.has, row, lw.vis.clusters()), "this row has 0..")
  unit.assertStrContains(rooms.refusal(function() return row & 3 end), "row")
  unit.assertStrContains(rooms.refusal(function() row.x = 1 end), "cannot be changed")
  unit.assertStrContains(rooms.refusal(lw.vis.row(0).list, 17), "row")
end

function TestVis:test_clusters_out_of_range_are_named_with_what_is_allowed()
  unit.assertEquals(rooms.refusal(lw.vis.row, 812), "bad argument #1 to 'lw.vis.row' (cluster 812, this map has 0..14)")
  unit.assertStrContains(rooms.refusal(lw.vis.sees, 0, -2), "#2")
  unit.assertStrContains(rooms.refusal(lw.vis.bounds, "one"), "cluster")
  unit.assertStrContains(rooms.refusal(lw.vis.leaves, 2 ^ 40), "1099511627776")
end

function TestVis:test_every_leaf_is_in_its_cluster_and_within_its_bounds()
  local count = 0
  for cluster = 0, lw.vis.clusters() - 1 do
    local mins, maxs = lw.vis.bounds(cluster)
    for _, number in ipairs(lw.vis.leaves(cluster)) do
      local leaf = lw.bsp.leaf(number)
      unit.assertEquals(leaf.cluster, cluster)
      unit.assertTrue(leaf.mins.x >= mins.x and leaf.maxs.z <= maxs.z)
      count = count + 1
    end
  end
  local of_clusters = 0
  for _, node in lw.bsp.nodes() do    -- a leaf that no node refers to is in no cluster
    for _, child in ipairs { node.front, node.back } do
      of_clusters = of_clusters + (child < 0 and lw.bsp.leaf(-1 - child).cluster >= 0 and 1 or 0)
    end
  end
  unit.assertEquals(count, of_clusters)
end

function TestVis:test_the_faces_of_a_cluster_are_those_of_its_leafs_each_once()
  local faces = {}
  for _, leaf in ipairs(lw.vis.leaves(self.first)) do
    for _, face in ipairs(lw.bsp.leaf_faces(leaf)) do faces[face] = true end
  end
  local list = {}
  for face in pairs(faces) do list[#list + 1] = face end
  table.sort(list)
  unit.assertEquals(lw.vis.faces(self.first), list)
end

function TestVis:test_statistics_are_those_of_the_rows()
  local stats, sum, one_way = lw.vis.stats(), 0, 0
  for a = 0, lw.vis.clusters() - 1 do
    sum = sum + #lw.vis.row(a)
    for b = 0, a - 1 do one_way = one_way + (lw.vis.sees(a, b) ~= lw.vis.sees(b, a) and 1 or 0) end
  end
  unit.assertAlmostEquals(stats.mean, sum / lw.vis.clusters(), 1e-9)
  unit.assertEquals(stats.one_way_pairs, one_way)
  unit.assertEquals(stats.see_nothing, 0)
end

function TestVis:test_locks_and_modes_are_kept_and_let_go()
  unit.assertNil(lw.vis.locked())
  lw.vis.lock(self.bend)
  unit.assertEquals(lw.vis.locked(), self.bend)
  lw.vis.lock(-1)
  unit.assertEquals(lw.vis.locked(), -1)
  lw.vis.lock(nil)
  unit.assertNil(lw.vis.locked())
  unit.assertEquals(lw.vis.mode(), "pvs")
  unit.assertEquals(lw.vis.mode("none"), "none")
  unit.assertStrContains(rooms.refusal(lw.vis.mode, "all"), "frustum")
  lw.vis.mode("pvs")
  unit.assertStrContains(rooms.refusal(lw.vis.lock, 99), "cluster 99")
end

function TestVis:test_nothing_is_drawn_before_the_first_frame()
  unit.assertEquals(lw.vis.drawn(), { clusters = {}, leaves = {}, faces = {} })
end

-- The door of our level fills an area portal: while it is shut, the room behind it is not drawn.
local function drawn_faces(origin, angles)
  local count
  lw.raster.render { rasterizer = "null", origin = origin, angles = angles, width = 64, height = 64, draw = function() count = #lw.vis.drawn().faces end }
  return count
end

function TestVis:test_doors_part_areas_while_they_are_shut()
  local first, second = lw.vis.area_at(rooms.first), lw.vis.area_at(rooms.second)
  unit.assertEquals({ lw.vis.areas(), first + second, lw.vis.area_at(rooms.wall) }, { 2, 1, -1 })
  local portals = lw.vis.area_portals()
  unit.assertEquals(#portals, 1)
  unit.assertEquals(portals[1].from + portals[1].to, 1)
  unit.assertTrue(portals[1].maxs.z - portals[1].mins.z == 128)
  unit.assertEquals(lw.bsp.texture(lw.bsp.brush(portals[1].brush).texture).name, "textures/common/areaportal")
  local door, before = lw.entities.all("func_door")[1], lw.vec3(816, 560, 60)
  local north = lw.vec3(0, 90, 0)
  unit.assertTrue(portals[1].shut)
  unit.assertFalse(lw.vis.joined(first, second))
  unit.assertTrue(lw.vis.joined(-1, second) and lw.vis.joined(first, first))
  local shut = drawn_faces(before, north)
  lw.player.mode = "walk"
  lw.player.teleport(816, 600, 25)
  lw.time.step(30)
  unit.assertTrue(lw.vis.joined(first, second))
  unit.assertFalse(lw.vis.area_portals()[1].shut)
  local open = drawn_faces(before, north)
  unit.assertTrue(open > shut + 20, open .. " " .. shut)
  lw.player.teleport(rooms.first)
  lw.time.step(1000)
  unit.assertEquals(door.state, "pos1")
  unit.assertFalse(lw.vis.joined(first, second))
  unit.assertEquals(drawn_faces(before, north), shut)
  lw.console.run("r.areas 0")
  unit.assertEquals(drawn_faces(before, north), open)
  lw.console.run("r.areas 1")
  unit.assertEquals(drawn_faces(before, north), shut)
  door:remove()
  unit.assertTrue(lw.vis.joined(first, second))
  unit.assertStrContains(rooms.refusal(lw.vis.joined, 0, 7), "bad argument #2 to 'lw.vis.joined' (area 7, this map has 0..1)")
end

function TestVis:test_a_shut_door_and_its_frame_are_seen_from_both_sides()
  local function picture(y, yaw)
    return lw.raster.render { rasterizer = "soft", origin = lw.vec3(816, y, 64), angles = lw.vec3(0, yaw, 0), width = 96, height = 64, view = "face" }
  end
  for _, from in ipairs { { 546, 90 }, { 846, -90 }, { 660, 90 }, { 730, -90 } } do
    local hides = picture(table.unpack(from))
    lw.console.run("r.areas 0")
    local whole = picture(table.unpack(from))
    lw.console.run("r.areas 1")
    unit.assertEquals(hides:diff(whole).max, 0)
  end
end

function TestVis:test_in_a_level_beside_the_screen_every_door_is_open()
  local other = assert(lw.map.load("rooms"))
  unit.assertFalse(lw.vis.joined(0, 1))
  unit.assertTrue(other.vis.joined(0, 1))
  unit.assertFalse(other.vis.area_portals()[1].shut)
end

local PRT = "PRT1\n2\n1\n1\n4 0 1 0 (128 0 0 ) (128 64 0 ) (128 64 96 ) (128 0 96 ) \n3 1 (0 0 0 ) (1 0 0 ) (0 1 0 ) \n"

local function with_file(text, f)
  local name = os.tmpname()
  local file = assert(io.open(name, "wb"))
  file:write(text)
  file:close()
  f(name)
  os.remove(name)
end

function TestVis:test_portals_are_read_from_a_prt_file()
  with_file(PRT, function(name)
    local portals = assert(lw.vis.load_portals(name))
    unit.assertEquals(#portals, 1)
    unit.assertEquals(portals.clusters, 2)
    unit.assertFalse(portals.fits)
    unit.assertEquals({ portals[1].from, portals[1].to, portals[1].hint }, { 0, 1, false })
    unit.assertEquals(#portals[1].points, 4)
    unit.assertTrue(portals[1].points[3] == lw.vec3(128, 64, 96))
    unit.assertEquals(portals.faces[1].cluster, 1)
  end)
end

function TestVis:test_a_broken_prt_file_is_refused_with_its_line()
  with_file(PRT:gsub("0 1 0", "0 9 0"), function(name)
    local portals, why = lw.vis.load_portals(name)
    unit.assertNil(portals)
    unit.assertStrContains(why, ":5: a cluster of 0..1")
  end)
  unit.assertNil((lw.vis.load_portals("no/such.prt")))
end
