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

function TestAlike:test_every_level_looks_the_same_in_both()
  local ssims = {}
  for _, file in ipairs(lw.fs.list("maps")) do
    local name = file:match("([^/]+)%.bsp$")
    local origin, angles
    if name and lw.map.open(name) then origin, angles = first_place() end
    if origin then
      local view = { origin = origin, angles = angles, width = 480, height = 270, rasterizer = "gl" }
      local gl = assert(lw.raster.render(view))
      view.rasterizer = "soft"
      local difference = gl:diff(assert(lw.raster.render(view)))
      ssims[#ssims + 1] = difference.ssim
      unit.assertTrue(difference.ssim > 0.93 and difference.error < 5, ("%s: SSIM %.4f, error %.2f"):format(name, difference.ssim, difference.error))
    end
  end
  table.sort(ssims)
  unit.assertTrue(#ssims >= 20, #ssims .. " levels")
  unit.assertTrue(ssims[(#ssims + 1) // 2] > 0.97, "the median is " .. ssims[(#ssims + 1) // 2])
end
