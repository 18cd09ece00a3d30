-- What materials look like in both rasterizers: pixels of a level whose every material is one that the test writes.
local unit = require "luaunit"
local rooms = require "rooms"

local tests, rasterizer = {}, nil    -- each test runs for gl and for soft

function tests:setUp()
  rooms.open()
  lw.console.run("r.overbright 0")
end

function tests:tearDown()
  lw.console.run("r.overbright 1")
  for _, name in ipairs(lw.assets.materials()) do lw.assets.override(name, nil) end
end

local function picture(body, more)
  for _, name in ipairs(lw.assets.materials()) do assert(lw.assets.override(name, "{ " .. body .. " }")) end
  local what = { rasterizer = rasterizer, origin = rooms.first, angles = { 60, 30, 0 }, width = 32, height = 32 }
  for key, value in pairs(more or {}) do what[key] = value end
  return assert(lw.raster.render(what))
end

local function pixel(body, more)
  local r, g, b = picture(body, more):get(16, 16)
  return { r, g, b }
end

local function near(is, want, slack)
  for i = 1, 3 do
    unit.assertTrue(math.abs(is[i] - want[i]) <= (slack or 1), ("%d %d %d is not %d %d %d"):format(is[1], is[2], is[3], want[1], want[2], want[3]))
  end
end

local function stage(color, words) return ("{ map $whiteimage\nrgbGen const ( %s )\n%s\n}\n"):format(color, words or "") end

function tests:test_blends_of_two_stages()
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

function tests:test_eight_stages_and_no_more_than_one_drawing_for_each_material()
  near(pixel(stage("0.1 0 0") .. stage("0.1 0.05 0", "blendFunc add"):rep(7)), { 204, 90, 0 }, rasterizer == "soft" and 4 or 1)    -- soft rounds each
  if rasterizer ~= "gl" then return end
  local before = lw.raster.gl.stats().draw_calls
  picture("{ map textures/rooms/floor\nrgbGen identity\n}\n{ map $lightmap\nblendFunc filter\n}")
  unit.assertEquals(lw.raster.gl.stats().draw_calls, before)
end

function tests:test_overbright_doubles_at_the_end()
  lw.console.run("r.overbright 1")
  near(pixel("{ map $whiteimage\nrgbGen identityLighting\n}"), { 255, 255, 255 })
  near(pixel(stage("0.25 0.4 0.6")), { 128, 204, 255 })
  near(pixel(stage("0.25 0.25 0.25") .. stage("0.5 1 0.25", "blendFunc filter")), { 64, 128, 32 })
end

function tests:test_light_of_the_surface()
  local plain = picture("{ map $lightmap\nrgbGen identity\n}\n{ map textures/rooms/floor\nblendFunc filter\nrgbGen identity\n}")
  local moved = picture("{ map $lightmap\nrgbGen identity\n}\n{ map textures/rooms/floor\nblendFunc filter\nrgbGen identity\ntcMod scale 1 1\n}")
  unit.assertTrue(plain:diff(moved).max <= 1)    -- the shaders of most of the level and those of stages agree
end

function tests:test_moving_materials_are_a_function_of_time()
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

function tests:test_deforms_move_the_surface()
  local still = picture("cull none\n{ map textures/rooms/brick\n}")
  unit.assertTrue(picture("cull none\ndeformVertexes move 0 0 10 square 1 0 0 1\n{ map textures/rooms/brick\n}"):diff(still).max > 20)
  unit.assertEquals(picture("cull none\ndeformVertexes move 0 0 10 square 0 0 0 1\n{ map textures/rooms/brick\n}"):diff(still).max, 0)
end

function tests:test_a_sky_shows_its_clouds_and_nothing_under_the_feet()
  near(pixel("surfaceparm sky\nskyparms - 512 -\n" .. stage("0.2 0.4 0.6"), { angles = { -60, 0, 0 } }), { 51, 102, 153 })
  near(pixel("surfaceparm sky\nskyparms - 512 -\n" .. stage("0.2 0.4 0.6"), { angles = { 80, 0, 0 } }), { 0, 0, 0 })
  near(pixel("skyparms - 200 -", { angles = { -60, 0, 0 } }), { 0, 0, 0 })    -- trap D16
end

-- What stands before the others: the crate, in front of a wall.
local function crate(body)
  assert(lw.assets.override("textures/rooms/crate", "{ cull none\n" .. body .. " }"))
  return assert(lw.raster.render { rasterizer = rasterizer, origin = rooms.first, angles = { 10, 118, 0 }, width = 64, height = 48 })
end

function tests:test_light_falls_not_into_holes()
  local without = crate("{ map $whiteimage\nblendFunc blend\nalphaGen const 0\n}")
  unit.assertTrue(crate(stage("1 0 1")):diff(without).error > 2)    -- it is in the picture
  local holes = "{ map $whiteimage\nrgbGen identity\nalphaGen const 0.2\nalphaFunc GE128\n}\n"
  unit.assertEquals(crate(holes .. "{ map $lightmap\nblendFunc filter\nrgbGen identity\n}"):diff(without).max, 0)
end

function tests:test_depth_that_is_equal_to_nothing_shows_nothing()
  local without = crate("{ map $whiteimage\nblendFunc blend\nalphaGen const 0\n}")
  unit.assertEquals(crate("{ map $whiteimage\nblendFunc add\ndepthFunc equal\n}"):diff(without).max, 0)
end

local function both(name)
  local class = {}
  for key, test in pairs(tests) do
    class[key] = function(self)
      rasterizer = name
      test(self)
    end
  end
  return class
end

TestStagesGl = both "gl"
TestStagesSoft = both "soft"

local odd = {
  stage("0.5 0.25 0.75") .. "{ clampmap textures/rooms/brick\ntcMod scale 3 2\nblendFunc add\n}\n{ map $lightmap\nblendFunc filter\n}",
  "{ map textures/rooms/brick\ntcGen environment\n}\n{ map textures/rooms/floor\nblendFunc blend\nalphaGen vertex\n}\n{ map $lightmap\nblendFunc GL_DST_COLOR GL_SRC_COLOR\n}",
  "{ map textures/rooms/floor\nrgbGen identity\n}\n{ map $lightmap\nblendFunc filter\nrgbGen identity\n}\n{ map textures/rooms/brick\ntcMod scale 4 4\nblendFunc GL_DST_COLOR GL_SRC_COLOR\n}",
  "cull none\n{ map textures/rooms/brick\nalphaFunc GE128\ndepthWrite\nrgbGen vertex\n}\n{ map $lightmap\nblendFunc filter\ndepthFunc equal\n}",
  "cull none\ndeformVertexes wave 64 sin 0 4 0 0.3\n{ map textures/rooms/floor\nblendFunc GL_ONE GL_ONE_MINUS_SRC_ALPHA\nalphaGen const 0.4\ntcMod turb 0 0.1 0 1\n}",
  "surfaceparm sky\nskyparms - 300 -\n{ map textures/rooms/brick\n}\n{ map textures/rooms/floor\nblendFunc filter\ntcMod scroll 0.2 0.1\n}",
}

local function odd_picture(settings)
  for name, value in pairs(settings) do lw.console.run(name .. " " .. value) end
  for i, name in ipairs(lw.assets.materials()) do assert(lw.assets.override(name, "{ " .. odd[(i - 1) % #odd + 1] .. " }")) end
  return assert(lw.raster.render { rasterizer = "soft", origin = rooms.first, angles = { 20, 30, 0 }, width = 203, height = 91 })
end

function TestStagesSoft:test_instructions_and_threads_do_not_change_a_bit()
  for setting = 0, 7 do
    local settings = { ["soft.filter"] = setting & 1 == 0 and "nearest" or "bilinear", ["soft.divide"] = setting & 2 == 0 and 8 or 16,
      ["r.overbright"] = setting >> 2 & 1, ["soft.code"] = "plain", ["soft.threads"] = 1 }
    local plain = odd_picture(settings)
    for code in ("sse2 avx2"):gmatch "%w+" do
      settings["soft.code"], settings["soft.threads"] = code, 3
      unit.assertEquals(odd_picture(settings):diff(plain).max, 0, code .. " " .. setting)
    end
  end
  odd_picture { ["soft.filter"] = "bilinear", ["soft.divide"] = 16, ["soft.code"] = "auto", ["soft.threads"] = 0 }
end

function TestStagesSoft:test_spans_and_depths_show_the_same_materials()
  for number = 1, #odd do
    local function shown(world)
      lw.console.run("soft.world " .. world)
      return assert(picture(odd[number], { width = 160, height = 90, angles = { 15, 40, 0 } }))
    end
    local spans, depths = shown "spans", shown "zbuffer"
    local difference = spans:diff(depths)
    unit.assertTrue(difference.ssim > 0.98, number .. ": " .. difference.ssim)
  end
  lw.console.run("soft.world spans")
end
