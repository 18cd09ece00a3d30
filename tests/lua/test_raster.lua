-- lw.raster: what turns the scene into pixels.
local unit = require "luaunit"
local rooms = require "rooms"

TestRaster = {}

function TestRaster:setUp() rooms.open() end

local function picture(more)
  local what = { rasterizer = "gl", origin = rooms.first, angles = { 0, 38, 0 }, width = 160, height = 90 }
  for key, value in pairs(more or {}) do what[key] = value end
  return lw.raster.render(what)
end

local function mean(image)
  local sum = 0
  for y = 0, image.height - 1 do
    for x = 0, image.width - 1 do
      local r, g, b = image:get(x, y)
      sum = sum + r + g + b
    end
  end
  return sum / (3 * image.width * image.height)
end

function TestRaster:test_a_picture_has_the_size_that_was_asked_for_and_shows_something()
  local image = assert(picture())
  unit.assertEquals({ image.width, image.height }, { 160, 90 })
  unit.assertTrue(mean(image) > 5)
  unit.assertEquals(picture():diff(image).max, 0)
end

function TestRaster:test_the_largest_picture()
  local image = assert(picture { rasterizer = "soft", width = 8192, height = 8192, view = "face" })
  local r, g, b, alpha = image:get(8191, 8191)
  unit.assertTrue(r + g + b > 0 and alpha == 255)
  image = nil
  collectgarbage()
  unit.assertEquals(picture({ rasterizer = "soft", width = 1, height = 1 }).width, 1)
end

function TestRaster:test_views_differ()
  local lit = assert(picture())
  for _, view in ipairs { "texture", "lightmap", "cluster", "face", "depth", "normal", "wire", "overdraw" } do
    local diff = lit:diff(assert(picture { view = view }))
    unit.assertTrue(diff.max > 0, view)
    unit.assertTrue(diff.psnr < 60 and diff.ssim < 1)
    unit.assertEquals(diff.image.width, 160)
  end
end

function TestRaster:test_the_view_is_set_and_told()
  unit.assertEquals(lw.raster.view(), "lit")
  unit.assertEquals(lw.raster.view("cluster"), "cluster")
  unit.assertStrContains(rooms.refusal(lw.raster.view, "klar"), "lightmap")
  lw.raster.view("lit")
end

function TestRaster:test_the_rasterizer_is_chosen_by_name()
  unit.assertTrue(lw.raster.use("null"))
  unit.assertEquals(lw.raster.current(), "null")
  unit.assertStrContains(rooms.refusal(lw.raster.use, "vulkan"), "null")
end

function TestRaster:test_statistics_are_numbers_by_name()
  assert(picture())
  local count = 0
  for name, value in pairs(lw.raster.gl.stats()) do
    unit.assertEquals(type(name), "string")
    unit.assertEquals(type(value), "number")
    count = count + 1
  end
  unit.assertTrue(count > 0)
end

function TestRaster:test_spans_are_watched_one_by_one()
  unit.assertStrContains(rooms.refusal(lw.raster.soft.scanline, "x"), "number")
  local whole = picture { rasterizer = "soft" }
  local stats = lw.raster.soft.stats()
  unit.assertEquals(stats.overdraw, 1)
  local line = lw.raster.soft.scanline(45)
  unit.assertTrue(#line.edges >= 2 and #line.spans >= 1)
  local x = 0
  for _, span in ipairs(line.spans) do
    unit.assertEquals(span.x0, x)
    unit.assertTrue(span.depth0 > 0 and span.depth1 > 0 and span.face >= 0)
    x = span.x1
  end
  unit.assertEquals(x, 160)
  local none, why = lw.raster.soft.scanline(90)
  unit.assertNil(none)
  unit.assertStrContains(why, "90")
  lw.raster.soft.stop_after(3)
  local few = picture { rasterizer = "soft" }
  unit.assertEquals(lw.raster.soft.stats().spans, 3)
  unit.assertTrue(few:diff(whole).max > 0)
  lw.raster.soft.stop_after()
  unit.assertEquals((picture { rasterizer = "soft" }):diff(whole).max, 0)
end

-- The edges of the view "edges", surface by surface: what so many are of, and the border of the next one.
function TestRaster:test_edges_are_watched_one_by_one()
  local soft = lw.raster.soft
  local function look()
    local image = picture { rasterizer = "soft", view = "edges" }
    return image, soft.stats()
  end
  local function filled(image)
    local count = 0
    for y = 0, image.height - 1 do
      for x = 0, image.width - 1 do
        local r, g, b = image:get(x, y)
        if r + g + b > 0 then count = count + 1 end
      end
    end
    return count
  end
  local whole, all = look()
  unit.assertTrue(all.edges > 10)
  soft.stop_after(0)
  local base = filled(look())    -- curves alone: they have no spans
  local before = base
  unit.assertTrue(base < 160 * 90 / 4)
  for n = 0, all.edges, math.max(1, all.edges // 12) do
    soft.stop_after(n)
    local image, stats = look()
    unit.assertEquals(stats.edges, n)
    unit.assertTrue(stats.surfaces == all.surfaces and stats.spans <= all.spans)
    unit.assertTrue(filled(image) >= before)
    before = filled(image)
  end
  soft.stop_after(2)
  unit.assertTrue(filled(look()) > base)    -- a border before its surface
  soft.stop_after(all.edges)
  unit.assertEquals(look():diff(whole).max, 0)
  soft.stop_after(-1)
  unit.assertEquals(look():diff(whole).max, 0)
  unit.assertStrContains(rooms.refusal(soft.stop_after, "x"), "lw.raster.soft.stop_after")
  unit.assertStrContains(rooms.refusal(soft.stop_after, 2.5), "whole")
  unit.assertStrContains(rooms.refusal(soft.stop_after, -2), "-2")
end

-- Every statistic that is promised is there, and says what the picture shows.
function TestRaster:test_statistics_of_the_software_rasterizer()
  local soft = lw.raster.soft
  assert(picture { rasterizer = "soft" })
  local image = picture { rasterizer = "soft" }
  local stats = soft.stats()
  for _, name in ipairs { "frame_ms", "order_ms", "place_ms", "spans_ms", "triangles_ms", "overlay_ms", "edges", "spans", "surfaces", "pixels", "overdraw",
    "triangles", "blended", "skies", "cache_hits", "cache_misses", "cache_bytes", "threads", "models_affine", "models_subdivision", "models_mask",
    "models_stack", "models_ms", "models_place_ms" } do
    unit.assertEquals(type(stats[name]), "number", name)
    unit.assertTrue(stats[name] >= 0, name)
  end
  unit.assertEquals(stats.pixels, image.width * image.height)
  unit.assertTrue(stats.cache_hits > 0 and stats.cache_bytes > 0 and stats.cache_misses == 0)
  local spans, edges = 0, 0
  for y = 0, image.height - 1 do
    local line = assert(soft.scanline(y))
    spans, edges = spans + #line.spans, edges + #line.edges
    for i = 2, #line.edges do unit.assertTrue(line.edges[i - 1].x <= line.edges[i].x) end
  end
  unit.assertEquals(spans, stats.spans)
  unit.assertTrue(edges > stats.edges)
  local none, why = soft.scanline(1e9 // 1 | 0)
  unit.assertNil(none)
  unit.assertStrContains(why, "1000000000")
end

function TestRaster:test_two_rasterizers_are_shown_side_by_side()
  unit.assertFalse(lw.raster.compare())
  unit.assertTrue(lw.raster.compare(true))
  unit.assertTrue(lw.raster.compare())
  unit.assertFalse(lw.raster.compare(false))
  local gl, soft = picture(), picture { rasterizer = "soft" }
  unit.assertTrue(gl:diff(soft).ssim > 0.9)
end

function TestRaster:test_settings_are_variables_of_the_console()
  lw.raster.soft.filter = "nearest"
  unit.assertEquals(lw.console.variable("soft.filter"), "nearest")
  lw.raster.soft.filter = "bilinear"
  unit.assertEquals(lw.raster.soft.filter, "bilinear")
  unit.assertStrContains(rooms.refusal(function() lw.raster.soft.filter = "none" end), "bilinear")
  lw.raster.soft.filter = "NEAREST"
  unit.assertEquals(lw.raster.soft.filter, "nearest")
  lw.raster.soft.filter = "bilinear"
  for _, value in ipairs { 8, 32 / 2, "8", 16 } do
    lw.raster.soft.divide = value
    unit.assertEquals(lw.raster.soft.divide, tonumber(value))
    unit.assertEquals(math.type(lw.raster.soft.divide), "integer")
    unit.assertEquals(lw.console.variable("soft.divide"), tonumber(value))
  end
  unit.assertStrContains(rooms.refusal(function() lw.raster.soft.divide = 12 end), "8|16")
  unit.assertEquals(math.type(lw.raster.soft.threads), "integer")
  unit.assertStrContains(rooms.refusal(function() lw.raster.soft.filter = {} end), "table")
end

function TestRaster:test_a_setting_that_is_not_there_is_refused()
  assert(picture())
  unit.assertStrContains(rooms.refusal(function() return lw.raster.gl.speed_of_light end), "speed_of_light")
  unit.assertStrContains(rooms.refusal(function() lw.raster.gl.speed_of_light = 3 end), "speed_of_light")
end

function TestRaster:test_nonsense_is_refused()
  unit.assertStrContains(rooms.refusal(lw.raster.render, { width = 0 }), "width")
  unit.assertStrContains(rooms.refusal(lw.raster.render, { width = 1e9 }), "width")
  unit.assertStrContains(rooms.refusal(lw.raster.render, { hight = 10 }), "hight")
  unit.assertStrContains(rooms.refusal(lw.raster.render, { origin = 3 }), "origin")
  unit.assertStrContains(rooms.refusal(lw.raster.render, 3), "table")
  unit.assertStrContains(rooms.refusal(lw.raster.render, { fov = 0 / 0 }), "fov")
  local image = picture()
  unit.assertStrContains(rooms.refusal(image.diff, image, lw.bsp.lightmap(0)), "128x128")
  unit.assertStrContains(rooms.refusal(function() image.width = 3 end), "cannot be changed")
end

function TestRaster:test_a_picture_is_saved_as_png()
  local name = os.tmpname() .. ".png"
  unit.assertEquals(picture():save(name), name)
  local file = assert(io.open(name, "rb"))
  unit.assertEquals(file:read(8), "\x89PNG\r\n\x1a\n")
  file:close()
  os.remove(name)
  unit.assertStrContains(rooms.refusal(function() picture():save("x.gif") end), ".png")
end
