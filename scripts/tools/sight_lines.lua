-- Which spawn points see each other: by the level's PVS, and by a ray from eye to eye.
--
-- Without a window: leafwalk exec --map MAP scripts/tools/sight_lines.lua prints the table.
local hud = require "hud"

local tool = { name = "sight lines", help = "Which spawn points see each other, by the PVS and by a ray from eye to eye.", keys = { y = "toggle" } }

local SEEN, HIDDEN = { color = "#60e070", width = 2, xray = true }, { color = "#ffb04080", width = 1, xray = true }
local POINT = { color = "#ffffff", size = 15, xray = true }
local EYE = lw.vec3(0, 0, 9 + 26)    -- players spawn nine units above the entity, and their eyes are 26 above that

local spots, pairs_found

local function is_spawn(class)
  return class == "info_player_deathmatch" or class == "info_player_start" or class:find("^team_CTF_%a+player$") or class:find("^team_CTF_%a+spawn$")
end

local function look()
  spots, pairs_found = {}, {}
  for i = 0, lw.entities.count() - 1 do
    local entity = lw.entities.lump(i)
    if is_spawn(entity.classname or "") then
      local eye = (entity:vector("origin") or lw.vec3(0, 0, 0)) + EYE
      spots[#spots + 1] = { index = i, eye = eye, cluster = lw.vis.cluster_at(eye) }
    end
  end
  for i, a in ipairs(spots) do
    for j = i + 1, #spots do
      local b = spots[j]
      local by_pvs = lw.vis.sees(a.cluster, b.cluster) or lw.vis.sees(b.cluster, a.cluster)
      local by_ray = not lw.trace.ray(a.eye, b.eye, { mask = "opaque" }).hit
      if by_pvs or by_ray then pairs_found[#pairs_found + 1] = { a = a, b = b, by_pvs = by_pvs, by_ray = by_ray } end
    end
  end
end

local function counts()
  local pvs, ray = 0, 0
  for _, pair in ipairs(pairs_found) do
    pvs, ray = pvs + (pair.by_pvs and 1 or 0), ray + (pair.by_ray and 1 or 0)
  end
  return pvs, ray, #spots * (#spots - 1) // 2
end

function tool.map() look() end

function tool.draw()
  for _, pair in ipairs(pairs_found) do lw.draw.line(pair.a.eye, pair.b.eye, pair.by_ray and SEEN or HIDDEN) end
  for _, spot in ipairs(spots) do
    lw.draw.sphere(spot.eye, 6, POINT)
    lw.draw.text(spot.eye + lw.vec3(0, 0, 12), spot.index, POINT)
  end
end

function tool.overlay(width, height)
  local pvs, ray, all = counts()
  hud.panel("top left", width, height, { { "sight lines", "", style = hud.title }, { "spawn points", #spots }, { "pairs", all },
    { "the PVS lets see each other", pvs }, { "see each other", ray } })
end

function tool.main()
  look()
  local pvs, ray, all = counts()
  print(("%s: %d spawn points; of %d pairs %d by the PVS, %d by a ray"):format(lw.map.name, #spots, all, pvs, ray))
  for _, pair in ipairs(pairs_found) do
    print(("%d %d: %s, %.0f apart"):format(pair.a.index, pair.b.index, pair.by_ray and "see each other" or "only the PVS", #(pair.a.eye - pair.b.eye)))
  end
end

return tool
