-- lw.camera.path and its kin: keys, files, lint, tours.
local unit = require "luaunit"
local rooms = require "rooms"

TestCameraPath = {}

function TestCameraPath:setUp() rooms.open() end

local function near(point, x, y, z, by)
  unit.assertTrue(#(point - lw.vec3(x, y, z)) <= (by or 1e-6), tostring(point))
end

function TestCameraPath:test_keys_are_met_and_the_ends_stay()
  local path = lw.camera.path { { t = 0, origin = { 0, 0, 64 }, angles = { 0, 350, 0 } }, { t = 2, origin = lw.vec3(100, 0, 64), angles = { 0, 10, 0 }, fov = 60 } }
  unit.assertEquals(path:duration(), 2)
  unit.assertEquals(#path, 2)
  near(path:sample(0).origin, 0, 0, 64)
  near(path:sample(1).origin, 50, 0, 64)
  near(path:sample(-3).origin, 0, 0, 64)
  near(path:sample(9).origin, 100, 0, 64)
  unit.assertAlmostEquals(path:sample(1).angles.y, 0, 1e-9)
  unit.assertAlmostEquals(path:sample(0.5).angles.y, -5, 1e-9)
  unit.assertEquals(path:sample(1).fov, 60)
  unit.assertAlmostEquals(path:length(), 100, 1e-9)
end

function TestCameraPath:test_constant_speed()
  local path = lw.camera.path({ { t = 0, origin = { 0, 0, 0 } }, { t = 1, origin = { 500, 0, 0 } }, { t = 2, origin = { 520, 90, 0 } }, { t = 9, origin = { 0, 90, 0 } } }, { speed = 200 })
  unit.assertAlmostEquals(path:duration(), path:length() / 200, 1e-6)
  local step = path:duration() / 200
  for i = 0, 199 do
    unit.assertAlmostEquals(#(path:sample((i + 1) * step).origin - path:sample(i * step).origin) / step, 200, 8)
  end
end

function TestCameraPath:test_keys_are_edited()
  local path = lw.camera.path { { t = 0, origin = { 0, 0, 0 } }, { t = 2, origin = { 9, 9, 9 } } }
  unit.assertEquals(path:add { t = 1, origin = { 100, 0, 0 }, name = "middle" }, 2)
  unit.assertEquals(path:key(2).name, "middle")
  unit.assertEquals(path:set(2, { t = 3, origin = { 50, 0, 0 } }), 3)
  path:remove(1)
  unit.assertEquals(#path:keys(), 2)
  unit.assertEquals(path:keys()[2], { t = 3, origin = { 50, 0, 0 } })
  near(path:sample(3).origin, 50, 0, 0)
end

local full = {
  { t = 0, origin = { 0.1, 2, 3 }, angles = { 10, 20, 0 }, fov = 90, ease = 1, hold = 0.5, name = 'a "b"\n' },
  { t = 1.5, origin = { 4, 5, 6 }, look_at = { 1, 2, 3 }, roll = 5, curve = "linear" },
  { t = 2, origin = { 4, 50, 6 }, look_at = "door1", curve = "hermite", tangent = { 1, 0, 0 }, literal = true },
}

function TestCameraPath:test_a_file_reads_back_and_is_pleasant()
  local path = lw.camera.path({ keys = full, curve = "uniform", loop = 2 })
  local name = os.tmpname() .. ".lua"
  unit.assertEquals(path:save(name), name)
  local other = lw.camera.load_path(name)
  unit.assertEquals(other:keys(), full)
  unit.assertEquals(other:settings(), { curve = "uniform", constant = false, loop = 2 })
  unit.assertEquals(other:text(), path:text())
  local lines = 0
  for line in path:text():gmatch("{ t = [^\n]*},\n") do lines = lines + 1 end
  unit.assertEquals(lines, 3, "a key a line")
  unit.assertStrContains(path:text(), "version = 1")
  os.remove(name)
end

function TestCameraPath:test_files_of_other_programs()
  local path = lw.camera.path { { t = 0, origin = { 0, 0, 0 }, angles = { 0, 0, 0 }, fov = 90 }, { t = 1, origin = { 60, 0, 0 }, angles = { 0, 90, 0 }, fov = 60 } }
  for _, ending in ipairs { ".cam", ".txt" } do
    local name = os.tmpname() .. ending
    unit.assertEquals(path:save(name, 30), name)
    local other = lw.camera.load_path(name, 30)
    for i = 0, 10 do
      local a, b = path:sample(i / 10), other:sample(i / 10)
      unit.assertTrue(#(a.origin - b.origin) < 0.01, ending)
      unit.assertAlmostEquals(a.angles.y, b.angles.y, 0.05)
    end
    unit.assertAlmostEquals(other:sample(1).fov, 60, 1e-3)
    os.remove(name)
  end
end

function TestCameraPath:test_a_wrong_file_is_told()
  local function load(text)
    local name = os.tmpname()
    local file = assert(io.open(name, "wb"))
    file:write(text)
    file:close()
    local good, path, why = pcall(lw.camera.load_path, name)
    os.remove(name)
    return good and path, good and why or path
  end
  for text, says in pairs { ["return 5"] = "table", ["return {"] = "expected", ["return { version = 9, keys = {} }"] = "version",
    ["return { keys = { { t = 'x' } } }"] = "key 1", ["return { { origin = { 1, 2 } } }"] = "origin", ["<camera>"] = "tag", ["1 2\n"] = ":1:",
    ["return os.time()"] = "os" } do
    local path, why = load(text)
    unit.assertFalse(path and true or false, text)
    unit.assertStrContains(tostring(why), says, false, false, text)
  end
  local path, why = lw.camera.load_path("no/such/file.lua")
  unit.assertNil(path)
  unit.assertStrContains(why, "no/such/file.lua")
end

function TestCameraPath:test_nonsense_is_refused()
  for _, keys in ipairs { 5, { 5 }, { { t = 0 / 0 } }, { { origin = { 0, 0 } } }, { { fov = 500 } }, { { origin = { 0, 0, 1 / 0 } } }, { { ease = 2 } },
    { { curve = "spline" } }, { { orign = { 0, 0, 0 } } }, { { speed = -1 } }, { { look_at = {} } }, { { hold = -1 } }, { speed = 0 } } do
    unit.assertStrContains(rooms.refusal(lw.camera.path, keys), "lw.camera.path")
  end
  local path = lw.camera.path {}
  unit.assertEquals(path:duration(), 0)
  unit.assertStrContains(rooms.refusal(path.key, path, 1), "no keys")
  unit.assertStrContains(rooms.refusal(path.sample, path, 0 / 0), "finite")
  unit.assertStrContains(rooms.refusal(path.sample, {}, 0), "path:sample")
end

function TestCameraPath:test_the_eye_goes_along()
  local path = lw.camera.path { { t = 0, origin = { 10, 20, 60 }, fov = 75 } }
  local yaw = lw.camera.angles.y
  path:apply(0)
  near(lw.camera.origin, 10, 20, 60)
  unit.assertEquals(lw.camera.fov, 75)
  unit.assertEquals(lw.camera.angles.y, yaw)
  lw.camera.free()
end

function TestCameraPath:test_lint_sees_walls_and_spikes()
  local start = lw.camera.origin
  local good = lw.camera.path { { t = 0, origin = start, angles = { 0, 0, 0 } }, { t = 1, origin = start + lw.vec3(8, 0, 0), angles = { 0, 20, 0 } } }
  unit.assertEquals(good:lint { clearance = 1 }, {})
  local bad = lw.camera.path { { t = 0, origin = start, angles = { 0, 0, 0 } }, { t = 0.1, origin = start + lw.vec3(0, 0, -4000), angles = { 0, 170, 0 } }, { t = 5, origin = start } }
  local kinds = {}
  for _, finding in ipairs(bad:lint()) do
    kinds[finding.kind] = true
    unit.assertTrue(finding.from <= finding.to and #finding.text > 10)
  end
  unit.assertTrue((kinds.solid or kinds.outside) and kinds.wall and kinds.turn and true or false)
end

function TestCameraPath:test_a_tour_visits_and_stays_clear_of_walls()
  local path, result = lw.camera.tour { visit = "clusters", speed = 200 }
  unit.assertTrue(path and #path > 3, tostring(result))
  unit.assertTrue(result.visited >= 2 and result.visited <= result.wanted)
  local seen, count = {}, 0
  for t = 0, path:duration(), 0.05 do
    local cluster = lw.vis.cluster_at(path:sample(t).origin)
    if not seen[cluster] then seen[cluster] = true count = count + 1 end
  end
  unit.assertTrue(count >= result.visited * 0.8, count .. " of " .. result.visited)
  for _, finding in ipairs(path:lint { clearance = 4 }) do
    unit.assertTrue(finding.kind ~= "solid" and finding.kind ~= "outside", finding.text)
  end
  local few = lw.camera.tour { places = { lw.camera.origin } }
  unit.assertTrue(few and #few >= 1)
  local none, why = lw.camera.tour { from = { 1e6, 0, 0 } }
  unit.assertNil(none)
  unit.assertStrContains(why, "no free place")
  unit.assertStrContains(rooms.refusal(lw.camera.tour, { visit = "moon" }), "clusters")
end

function TestCameraPath:test_a_recorded_flight_becomes_few_keys()
  local keys = {}
  for i = 0, 100 do keys[i + 1] = { t = i / 60, origin = { i < 50 and i or 50, i < 50 and 0 or i - 50, 0 }, angles = { 0, 0, 0 } } end
  local few = lw.camera.simplify(keys, 1, 1)
  unit.assertEquals(#few, 3)
  unit.assertEquals(few[2].origin, { 50, 0, 0 })
end

function TestCameraPath:test_a_path_looks_at_entities_and_goes_along_with_them()
  local mark = lw.entities.spawn { classname = "info_notnull", targetname = "mark", origin = "100 0 64" }
  local path = lw.camera.path { { t = 0, origin = { 0, 0, 64 }, look_at = mark }, { t = 1, origin = { 0, 0, 64 }, look_at = "mark" } }
  unit.assertAlmostEquals(path:sample(0.5).angles.y, 0, 1e-6)
  mark.origin = { 0, 100, 64 }
  unit.assertAlmostEquals(path:sample(0.5).angles.y, 90, 1e-6)
  unit.assertEquals(path:key(1).look_at, "mark")
  path:follow("mark")
  near(path:sample(0).origin, 0, 100, 128)
  path:follow()
  near(path:sample(0).origin, 0, 0, 64)
  unit.assertStrContains(rooms.refusal(path.follow, path, 5), "path:follow")
  mark:remove()
  near(path:sample(0).origin, 0, 0, 64)
end

function TestCameraPath:test_paths_count_as_memory()
  local good, why = lw.test.sandbox([[
    local kept, keys = {}, {}
    for i = 1, 2000 do keys[i] = { t = i, origin = { i, 0, 0 } } end
    for i = 1, 1e6 do kept[i] = lw.camera.path(keys) end
  ]], { memory = 64 * 1024 * 1024, budget = 20 })
  unit.assertFalse(good)
  unit.assertStrContains(tostring(why), "memory")
end
