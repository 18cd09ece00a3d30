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
local function must_be_alike(view, least, median)
  local ssims = {}
  for _, file in ipairs(lw.fs.list("maps")) do
    local name = file:match("([^/]+)%.bsp$")
    local origin, angles
    if name and lw.map.open(name) then origin, angles = first_place() end
    if origin then
      local look = { origin = origin, angles = angles, width = 480, height = 270, rasterizer = "gl", view = view }
      local gl = assert(lw.raster.render(look))
      look.rasterizer = "soft"
      local difference = gl:diff(assert(lw.raster.render(look)))
      ssims[#ssims + 1] = difference.ssim
      unit.assertTrue(difference.ssim > least and difference.error < 8, ("%s, %s: SSIM %.4f, error %.2f"):format(name, view, difference.ssim, difference.error))
    end
  end
  table.sort(ssims)
  local middle = ssims[(#ssims + 1) // 2]
  print(("%-8s %d levels, median SSIM %.4f, least %.4f"):format(view, #ssims, middle, ssims[1]))
  unit.assertTrue(#ssims >= 20, #ssims .. " levels")
  unit.assertTrue(middle > median, view .. ": the median is " .. middle)
end

function TestAlike:test_every_level_looks_the_same_in_both() must_be_alike("lit", 0.93, 0.97) end

function TestAlike:test_every_level_has_the_same_pictures_on_it() must_be_alike("texture", 0.93, 0.97) end

function TestAlike:test_every_level_is_the_same_in_the_other_views()
  for _, view in ipairs { "lightmap", "cluster", "face", "depth", "normal" } do must_be_alike(view, 0.92, 0.99) end
end
