-- Flares of real levels: off unless asked for, the same in both rasterizers, brightest where the file has them.
local unit = require "luaunit"

TestFlares = {}

-- Some flare of the level, and an eye 200 units before it that looks at it with nothing between.
local function find_view()
  for _, face in lw.bsp.faces() do
    local at, normal = face.lightmap_origin, face.normal
    local eye = at + normal * 200
    if face.type == 4 and normal:length() > 0.9 and math.abs(normal.z) < 0.9 and lw.vis.cluster_at(eye) >= 0 and lw.trace.ray(eye, at + normal * 2).fraction == 1 then
      return { origin = eye, angles = { math.deg(math.asin(normal.z)), math.deg(math.atan(-normal.y, -normal.x)), 0 }, width = 128, height = 96 }
    end
  end
end

local function picture(view, rasterizer, flares)
  lw.console.run("set r.flares " .. (flares and 1 or 0))
  view.rasterizer = rasterizer
  return assert(lw.raster.render(view))
end

-- By how much flares brighten the middle pixel and one at the edge.
local function brightened(view, rasterizer)
  local off, on = picture(view, rasterizer, false), picture(view, rasterizer, true)
  local function more(x, y)
    local r, g, b = on:get(x, y)
    local r0, g0, b0 = off:get(x, y)
    return { r - r0, g - g0, b - b0 }
  end
  return more(64, 48), more(64 + 20, 48)
end

function TestFlares:test_both_rasterizers_draw_the_flares_of_a_level()
  local tried = 0
  for _, map in ipairs { "oasago2", "ctf_inyard", "delta" } do
    if lw.fs.exists("maps/" .. map .. ".bsp") then
      assert(lw.map.open(map))
      local view = assert(find_view(), map)
      local middle, edge = brightened(view, "gl")
      local soft = brightened(view, "soft")
      unit.assertTrue(math.max(table.unpack(middle)) > 20, map)
      for i = 1, 3 do
        unit.assertTrue(middle[i] >= edge[i] - 2, map)
        unit.assertTrue(math.abs(middle[i] - soft[i]) <= 4, ("%s: gl %d, soft %d"):format(map, middle[i], soft[i]))
      end
      tried = tried + 1
    end
  end
  lw.console.run("set r.flares 0")
  unit.assertTrue(tried == 3 or not lw.fs.exists("maps/oa_dm1.bsp"))
end

-- Some levels of Nexuiz name the sides of their sky in flares without a colour.
function TestFlares:test_a_flare_without_a_colour_is_none()
  local map = lw.fs.exists("maps/desertfactory.bsp") and "desertfactory" or "rooms"
  assert(lw.map.open(map))
  local view = { origin = { -200, 0, 0 }, angles = { 0, 0, 0 }, width = 64, height = 48 }
  unit.assertEquals(picture(view, "soft", true):diff(picture(view, "soft", false)).max, 0)
  lw.console.run("set r.flares 0")
end
