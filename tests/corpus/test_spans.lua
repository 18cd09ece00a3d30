-- Spans and the depth test show the same of every level, doors and trains at their poses with it: what differs is pixels
-- at edges, and they are counted. Spans draw each pixel once. All code for rows gives the same bits and counts the same spans.
local unit = require "luaunit"

local WIDTH, HEIGHT = 320, 240
local DIFFERENT = 12    -- in the sum of red, green and blue: less is rounding
local EYES = 2          -- in a level

local places = { "info_player_deathmatch", "info_player_start", "team_CTF_redspawn", "info_player_team1", "func_door", "func_plat" }

local function eyes()
  local out = {}
  for _, class in ipairs(places) do
    for _, number in ipairs(lw.entities.find { classname = class, origin = true }) do
      if #out == EYES then return out end
      local entity = lw.entities.lump(number)
      out[#out + 1] = { origin = entity:vector "origin" + lw.vec3(0, 0, 30), angles = { #out * 17 - 10, (tonumber(entity.angle or 0) or 0) + #out * 40, 0 } }
    end
  end
  return out
end

local function same(a, b, x, y)
  local r1, g1, b1 = a:get(x, y)
  local r2, g2, b2 = b:get(x, y)
  return math.abs(r1 - r2) + math.abs(g1 - g2) + math.abs(b1 - b2) <= DIFFERENT
end

-- Another face is seen beside the pixel.
local function at_edge(faces, x, y)
  for beside_y = math.max(y - 1, 0), math.min(y + 1, HEIGHT - 1) do
    for beside_x = math.max(x - 1, 0), math.min(x + 1, WIDTH - 1) do
      local r1, g1, b1 = faces:get(x, y)
      local r2, g2, b2 = faces:get(beside_x, beside_y)
      if r1 ~= r2 or g1 ~= g2 or b1 ~= b2 then return true end
    end
  end
  return false
end

local function picture(eye, world, view)
  lw.raster.soft.world = world
  return assert(lw.raster.render { rasterizer = "soft", origin = eye.origin, angles = eye.angles, width = WIDTH, height = HEIGHT, view = view })
end

-- Pixels that differ, and those of them within a face.
local function count(eye, name, view)
  local spans = picture(eye, "spans", view)
  local stats = lw.raster.soft.stats()
  unit.assertTrue(stats.spans == 0 or stats.overdraw == 1, ("%s: overdraw %s"):format(name, stats.overdraw))
  local depths = picture(eye, "zbuffer", view)
  if spans:diff(depths).max == 0 then return 0, 0 end
  local faces, all, inside = picture(eye, "zbuffer", "face"), 0, 0
  for y = 0, HEIGHT - 1 do
    for x = 0, WIDTH - 1 do
      if not same(spans, depths, x, y) then
        all = all + 1
        inside = inside + (at_edge(faces, x, y) and 0 or 1)
      end
    end
  end
  return all, inside
end

local function by_code(eye, code)
  lw.raster.soft.code = code
  local shown, stats = picture(eye, "spans", "lit"), lw.raster.soft.stats()
  return shown, stats.spans, stats.pixels
end

local function same_by_all_codes(eye, name)
  local plain, spans, pixels = by_code(eye, "plain")
  for _, code in ipairs { "sse2", "avx2" } do
    local shown, found, drawn = by_code(eye, code)
    unit.assertEquals(shown:diff(plain).max, 0, name .. ", " .. code)
    unit.assertEquals({ found, drawn }, { spans, pixels }, name .. ", " .. code)
  end
  lw.raster.soft.code = "auto"
end

TestSpans = {}

function TestSpans:tearDown()
  lw.raster.soft.world = "spans"
  lw.raster.soft.code = "auto"
end

function TestSpans:test_spans_show_what_the_depth_test_shows()
  local pictures, exact, differ = 0, 0, 0
  for _, file in ipairs(lw.fs.list("maps", ".bsp")) do
    local name = file:match("([^/]+)%.bsp$")
    if lw.map.open(name) then
      lw.time.step(60)    -- what moves by itself is on its way
      for i, eye in ipairs(eyes()) do
        same_by_all_codes(eye, name)
        for _, view in ipairs { "lit", "face" } do
          local all, inside = count(eye, name, view)
          pictures = pictures + 1
          exact = exact + (all == 0 and 1 or 0)
          differ = differ + all
          unit.assertTrue(inside <= 200 and all <= 500, ("%s, eye %d, %s: %d pixels differ, %d of them within faces"):format(name, i, view, all, inside))
        end
      end
    end
  end
  print(("%d pictures, %d of them exact; %.2f pixels of %d differ in one"):format(pictures, exact, differ / pictures, WIDTH * HEIGHT))
  unit.assertTrue(pictures > 80)
  unit.assertTrue(exact > pictures * 0.9)
end
