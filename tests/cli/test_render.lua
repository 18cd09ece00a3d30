-- render and bench: pictures and figures.
package.path = (arg[1] or ".") .. "/tests/cli/?.lua;" .. package.path
local unit = require "luaunit"
local program = require "program"
local run, fails, level = program.run, program.fails, program.level
local picture = program.folder .. "/x.png"

-- Width and height of a PNG file, and its bytes.
local function png(path)
  local bytes = program.read(path)
  unit.assertEquals(bytes:sub(1, 8), "\x89PNG\r\n\x1a\n")
  local width, height = (">I4I4"):unpack(bytes, 17)
  return width, height, bytes
end

-- By the software rasterizer where it does not matter which: opening OpenGL takes longer than drawing.
local function render(words)
  local all = { "render", level, "-o", picture, "--size", "160x90", "--rasterizer", "soft" }
  for _, word in ipairs(words) do all[#all + 1] = word end
  os.remove(picture)
  local status, out, err = run(all)
  unit.assertEquals({ status, out, err }, { 0, "", "" }, table.concat(words, " "))
  return png(picture)
end

TestRender = {}

function TestRender:test_a_picture_has_the_size_asked_for()
  local width, height = render {}
  unit.assertEquals({ width, height }, { 160, 90 })
  for _, rasterizer in ipairs { "soft", "gl" } do
    unit.assertEquals((run { "render", "--size", "3x1", level, "-o", picture, "--rasterizer", rasterizer }), 0)
    width, height = png(picture)
    unit.assertEquals({ width, height }, { 3, 1 })
  end
  local status, _, err = run { "render", "--size", "8193x10", level, "-o", picture, "--rasterizer", "soft" }
  unit.assertEquals(status, 2)    -- not a smaller one
  unit.assertStrContains(err, "8192")
  unit.assertEquals((run { "render", "-o", picture, level }), 0)    -- what draws is gl or, with a line on stderr, soft
  width, height = png(picture)
  unit.assertEquals({ width, height }, { 1280, 720 })
end

function TestRender:test_the_same_words_give_the_same_picture()
  local _, _, first = render { "--origin", "-1,-2.5e0,0x10", "--angles", "-10,45,0" }
  local _, _, second = render { "--origin", "-1,-2.5e0,0x10", "--angles", "-10,45,0" }
  unit.assertTrue(first == second)
end

function TestRender:test_each_option_changes_the_picture()
  local _, _, plain = render {}
  local seen = {}
  for _, words in ipairs { { "--angles", "0,90,0" }, { "--fov", "60" }, { "--view", "depth" }, { "--set", "r.gamma=1.5" },
    { "--set", "r.overbright=0" }, { "--set", "r.fov=70" } } do
    local _, _, bytes = render(words)
    local what = table.concat(words, " ")
    unit.assertFalse(bytes == plain, what .. " changes nothing")
    unit.assertNil(seen[bytes], what)
    seen[bytes] = what
  end
end

function TestRender:test_the_default_eye_is_a_players_first()
  local script = program.write("eye.lua", "local o, a = lw.camera.origin, lw.camera.angles\nprint(('%.17g,%.17g,%.17g %.17g,%.17g,%.17g'):format(o.x, o.y, o.z, a.x, a.y, a.z))")
  local _, out = run { "exec", "--map", level, script }
  local origin, angles = out:match("(%S+) (%S+)")
  local _, _, default = render {}
  local _, _, named = render { "--origin", origin, "--angles", angles }
  unit.assertTrue(default == named)
end

function TestRender:test_a_script_draws_and_runs_first()
  local script = program.write("draw.lua",
    "local updates = 0\nreturn { update = function(dt) updates = updates + 1 end,\n" ..
    "overlay = function(w, h) print(w, h, updates, lw.time.now()) lw.ui.rect(0, 0, w, h, { color = { 1, 0, 0 }, fill = true }) end }")
  local status, out = run { "render", level, "-o", picture, "--size", "64x48", "--rasterizer", "soft", "--script", script, "--time", "0.5" }
  unit.assertEquals({ status, out }, { 0, "64\t48\t31\t0.5\n" })    -- frames 0 to 30 at 60 a second
  status, out = run { "render", level, "-o", picture, "--size", "64x48", "--rasterizer", "soft", "--script", script }
  unit.assertStrMatches(out, "64\t48\t1\t0.*\n")
end

function TestRender:test_a_script_that_fails_is_a_failure()
  for _, text in ipairs { "error('at load')", "return { draw = function() error('in draw') end }", "return { update = function() error('in update') end }" } do
    os.remove(picture)
    local status, _, err = run { "render", level, "-o", picture, "--size", "64x48", "--rasterizer", "soft", "--script", program.write("bad.lua", text) }
    unit.assertEquals(status, 1)
    unit.assertStrContains(err, text:match("'(.-)'"))
    unit.assertNil(io.open(picture))
  end
end

function TestRender:test_without_gl_the_software_rasterizer_draws()
  local nothing = "__EGL_VENDOR_LIBRARY_DIRS=/nonexistent LIBGL_DRIVERS_PATH=/nonexistent"
  os.remove(picture)
  local status, _, err = run { "render", level, "-o", picture, "--size", "32x32", environment = nothing }
  unit.assertEquals(status, 0)
  unit.assertStrMatches(err, "leafwalk: [^\n]*software[^\n]*\n")
  png(picture)
  status = run { "render", level, "-o", picture, "--size", "32x32", "--rasterizer", "gl", environment = nothing }
  unit.assertEquals(status, 1)
end

function TestRender:test_a_picture_that_cannot_be_written_is_a_failure()
  fails({ "render", level, "-o", "/no/such/folder/x.png", "--size", "16x16", "--rasterizer", "soft" }, 1)
end

function TestRender:test_a_level_that_is_not_there_is_a_failure() fails({ "render", "nosuchlevel", "-o", picture }, 1) end

TestBench = {}

local function bench(words)
  local all = { "bench", "--size", "64x48", "--seconds", "0.05", "--json" }
  for _, word in ipairs(words) do all[#all + 1] = word end
  local status, out, err = run(all)
  unit.assertEquals({ status, err }, { 0, "" })
  return out
end

function TestBench:test_json_has_every_field()
  for _, rasterizer in ipairs { "gl", "null" } do
    local out = bench { level, "--rasterizer", rasterizer, "--threads", "1" }
    for _, name in ipairs { "ms_min", "ms_median", "ms_p99", "stages", "limit_ms", "machine", "views", "name", "map",
      "box_traces_millions", "ray_256_ns", "ray_256_ns_p99" } do
      unit.assertStrContains(out, '"' .. name .. '": ')
    end
    unit.assertStrContains(out, '"rasterizer": "' .. rasterizer .. '"')
    for name, value in pairs { width = 64, height = 48, threads = 1 } do unit.assertStrContains(out, ('"%s": %d'):format(name, value)) end
  end
end

function TestBench:test_views_of_a_file()
  local views = program.write("views.json", '[{"name": "here", "map": "rooms", "origin": [0, 0, 48], "angles": [0, 90, 0], "fov": 80},\n'
    .. '{"name": "other", "map": "elsewhere", "origin": [0, 0, 0], "angles": [0, 0, 0], "fov": 90},\n{"name": "any", "origin": [10, 0, 48]}]')
  local out = bench { level, "--views", views, "--rasterizer", "null" }
  unit.assertStrContains(out, '"name": "here"')
  unit.assertStrContains(out, '"name": "any"')
  unit.assertNotStrContains(out, '"name": "other"')
  fails({ "bench", "--views", views, "--rasterizer", "null" }, 1)
  unit.assertStrContains(fails({ "bench", level, "--views", program.write("broken.json", "[\n{") }, 1), "line 2")
end

function TestBench:test_text_is_for_people()
  local status, out = run { "bench", level, "--size", "64x48", "--seconds", "0.05", "--rasterizer", "null" }
  unit.assertEquals(status, 0)
  for _, word in ipairs { "median", "limit", "loads in", "lw.vis.sees", "for a ray of 256 units" } do unit.assertStrContains(out, word) end
end

program.finish(unit)
