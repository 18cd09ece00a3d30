-- Both rasterizers show the same of every level: what is seen from its first place to spawn, with all that materials do.
local unit = require "luaunit"

local places = { "info_player_deathmatch", "info_player_start", "team_CTF_redspawn", "info_player_team1" }

local function first_place()
  for _, class in ipairs(places) do
    local found = lw.entities.find { classname = class, origin = true }
    if #found > 0 then
      local entity = lw.entities.lump(found[1])
      local x, y, z = entity.origin:match("(%S+)%s+(%S+)%s+(%S+)")
      return { tonumber(x), tonumber(y), tonumber(z) + 30 }, { 0, tonumber(entity.angle or 0) or 0, 0 }
    end
  end
end

TestAlike = {}

-- Every level at its first place: how alike the two are in a view, and that at least half of them are more than that.
local function must_be_alike(view, least, median, draw)
  local ssims = {}
  for _, file in ipairs(lw.fs.list("maps")) do
    local name = file:match("([^/]+)%.bsp$")
    local origin, angles
    if name and lw.map.open(name) then origin, angles = first_place() end
    if origin then
      local look = { origin = origin, angles = angles, width = 480, height = 270, rasterizer = "gl", view = view, draw = draw }
      local gl = assert(lw.raster.render(look))
      look.rasterizer = "soft"
      local difference = gl:diff(assert(lw.raster.render(look)))
      ssims[#ssims + 1] = difference.ssim
      unit.assertTrue(difference.ssim > least and difference.error < (draw and 10 or 8), ("%s, %s: SSIM %.4f, error %.2f"):format(name, view, difference.ssim, difference.error))
    end
  end
  table.sort(ssims)
  local middle = ssims[(#ssims + 1) // 2]
  print(("%-8s %d levels, median SSIM %.4f, least %.4f"):format(view, #ssims, middle, ssims[1]))
  unit.assertTrue(#ssims >= 20, #ssims .. " levels")
  unit.assertTrue(middle > median, view .. ": the median is " .. middle)
end

function TestAlike:test_every_level_looks_the_same_in_both() must_be_alike("lit", 0.93, 0.97) end

-- From anywhere: beside what the level has, at any time, looking anywhere.
function TestAlike:test_random_eyes_see_the_same()
  math.randomseed(tonumber(os.getenv("LEAFWALK_SEED") or "") or 1)
  local levels, ssims, worst = lw.fs.list("maps", ".bsp"), {}, { 1 }
  while #ssims < 200 do
    local name = levels[math.random(#levels)]:match("([^/]+)%.bsp$")
    local spots = lw.map.open(name) and lw.entities.find { classname = "[iwlft].*", origin = true } or {}
    if #spots > 0 then lw.time.step(math.random(100)) end
    for _ = 1, #spots > 0 and 5 or 0 do
      local origin = lw.entities.lump(spots[math.random(#spots)]):vector "origin" + lw.vec3(math.random(-30, 30), math.random(-30, 30), math.random(20, 40))
      local look = { origin = origin, angles = { math.random(-50, 50), math.random(0, 359), 0 }, width = 320, height = 200, rasterizer = "gl" }
      if lw.vis.cluster_at(origin) >= 0 then
        local gl = assert(lw.raster.render(look))
        look.rasterizer = "soft"
        local ssim = gl:diff(assert(lw.raster.render(look))).ssim
        ssims[#ssims + 1] = ssim
        if ssim < worst[1] then worst = { ssim, ("%s, %s, angles %s"):format(name, origin, table.concat(look.angles, " ")) } end
      end
    end
  end
  table.sort(ssims)
  print(("random   %d eyes, median SSIM %.4f, least %.4f: %s"):format(#ssims, ssims[#ssims // 2], worst[1], worst[2]))
  unit.assertTrue(ssims[#ssims // 2] > 0.97)
  unit.assertTrue(worst[1] > 0.75, worst[2])    -- a grate in the distance: gl mixes two sizes of its holes, software takes the nearest
end

function TestAlike:test_every_level_looks_the_same_with_lights()
  must_be_alike("lit", 0.93, 0.97, function(eye)
    lw.lights.add { origin = eye.origin + eye.forward * 80, radius = 300, color = { 1, 0.6, 0.2 } }
    lw.lights.add { origin = eye.origin + eye.forward * 300 - eye.right * 40, radius = 200, color = { 0.2, 0.5, 1 } }
  end)
end

function TestAlike:test_every_level_has_the_same_pictures_on_it() must_be_alike("texture", 0.93, 0.97) end

function TestAlike:test_every_level_is_the_same_in_the_other_views()
  for _, view in ipairs { "lightmap", "cluster", "face", "depth", "normal" } do must_be_alike(view, 0.92, 0.99) end
end
