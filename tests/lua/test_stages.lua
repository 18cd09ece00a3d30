-- What materials look like: pixels of gl, of a level whose every material is one that the test writes.
local unit = require "luaunit"
local rooms = require "rooms"

TestStages = {}

function TestStages:setUp()
  rooms.open()
  lw.console.run("r.overbright 0")
end

function TestStages:tearDown()
  lw.console.run("r.overbright 1")
  for _, name in ipairs(lw.assets.materials()) do lw.assets.override(name, nil) end
end

local function picture(body, more)
  for _, name in ipairs(lw.assets.materials()) do assert(lw.assets.override(name, "{ " .. body .. " }")) end
  local what = { rasterizer = "gl", origin = rooms.first, angles = { 60, 30, 0 }, width = 32, height = 32 }
  for key, value in pairs(more or {}) do what[key] = value end
  return assert(lw.raster.render(what))
end

local function pixel(body, more)
  local r, g, b = picture(body, more):get(16, 16)
  return { r, g, b }
end

local function near(is, want)
  for i = 1, 3 do
    unit.assertTrue(math.abs(is[i] - want[i]) <= 1, ("%d %d %d is not %d %d %d"):format(is[1], is[2], is[3], want[1], want[2], want[3]))
  end
end

local function stage(color, words) return ("{ map $whiteimage\nrgbGen const ( %s )\n%s\n}\n"):format(color, words or "") end

function TestStages:test_blends_of_two_stages()
  local low = stage("0.5 0.25 0.75")
  local rows = {
    { "", { 102, 204, 51 } }, { "blendFunc add", { 230, 255, 242 } }, { "blendFunc filter", { 51, 51, 38 } },
    { "blendFunc GL_ZERO GL_SRC_COLOR", { 51, 51, 38 } }, { "blendFunc blend\nalphaGen const 0.25", { 121, 99, 156 } },
    { "blendFunc GL_ONE_MINUS_DST_COLOR GL_ONE", { 178, 217, 204 } }, { "blendFunc GL_DST_COLOR GL_SRC_COLOR", { 102, 102, 77 } },
    { "blendFunc GL_ZERO GL_ONE_MINUS_SRC_COLOR", { 77, 13, 153 } }, { "blendFunc GL_ONE GL_ONE_MINUS_SRC_ALPHA\nalphaGen const 0.5", { 166, 236, 147 } },
    { "blendFunc GL_DST_ALPHA GL_ZERO", { 102, 204, 51 } }, { "alphaGen const 0.4\nalphaFunc GE128", { 128, 64, 191 } },
    { "alphaGen const 0.4\nalphaFunc LT128", { 102, 204, 51 } }, { "alphaGen const 0\nalphaFunc GT0", { 128, 64, 191 } },
  }
  for _, row in ipairs(rows) do near(pixel(low .. stage("0.4 0.8 0.2", row[1])), row[2]) end
end

function TestStages:test_eight_stages_and_no_more_than_one_drawing_for_each_material()
  near(pixel(stage("0.1 0 0") .. stage("0.1 0.05 0", "blendFunc add"):rep(7)), { 204, 90, 0 })
  local before = lw.raster.gl.stats().draw_calls
  picture("{ map textures/rooms/floor\nrgbGen identity\n}\n{ map $lightmap\nblendFunc filter\n}")
  unit.assertEquals(lw.raster.gl.stats().draw_calls, before)
end

function TestStages:test_overbright_doubles_at_the_end()
  lw.console.run("r.overbright 1")
  near(pixel("{ map $whiteimage\nrgbGen identityLighting\n}"), { 255, 255, 255 })
  near(pixel(stage("0.25 0.4 0.6")), { 128, 204, 255 })
  near(pixel(stage("0.25 0.25 0.25") .. stage("0.5 1 0.25", "blendFunc filter")), { 64, 128, 32 })
end

function TestStages:test_light_of_the_surface()
  local plain = picture("{ map $lightmap\nrgbGen identity\n}\n{ map textures/rooms/floor\nblendFunc filter\nrgbGen identity\n}")
  local moved = picture("{ map $lightmap\nrgbGen identity\n}\n{ map textures/rooms/floor\nblendFunc filter\nrgbGen identity\ntcMod scale 1 1\n}")
  unit.assertTrue(plain:diff(moved).max <= 1)    -- the shaders of most of the level and those of stages agree
end

function TestStages:test_moving_materials_are_a_function_of_time()
  local body = "{ map textures/rooms/brick\ntcMod scroll 0.3 0.1\ntcMod turb 0 0.05 0 0.7\nrgbGen wave sin 0.7 0.3 0 0.5\n}"
  local function at(time)
    lw.map.open("rooms")
    if time > 0 then lw.time.step(math.floor(time * 125)) end
    return picture(body)
  end
  local first, later = at(0), at(1)
  unit.assertEquals(at(1):diff(later).max, 0)
  unit.assertEquals(at(0):diff(first).max, 0)
  unit.assertTrue(first:diff(later).max > 20)
end

function TestStages:test_deforms_move_the_surface()
  local still = picture("cull none\n{ map textures/rooms/brick\n}")
  unit.assertTrue(picture("cull none\ndeformVertexes move 0 0 10 square 1 0 0 1\n{ map textures/rooms/brick\n}"):diff(still).max > 20)
  unit.assertEquals(picture("cull none\ndeformVertexes move 0 0 10 square 0 0 0 1\n{ map textures/rooms/brick\n}"):diff(still).max, 0)
end

function TestStages:test_a_sky_shows_its_clouds_and_nothing_under_the_feet()
  near(pixel("surfaceparm sky\nskyparms - 512 -\n" .. stage("0.2 0.4 0.6"), { angles = { -60, 0, 0 } }), { 51, 102, 153 })
  near(pixel("surfaceparm sky\nskyparms - 512 -\n" .. stage("0.2 0.4 0.6"), { angles = { 80, 0, 0 } }), { 0, 0, 0 })
  near(pixel("skyparms - 200 -", { angles = { -60, 0, 0 } }), { 0, 0, 0 })    -- trap D16
end
