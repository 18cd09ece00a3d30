-- Every place where a player can appear: its box, the way it faces, and which of them may see one another.
local spawns = {}

local MINS, MAXS = lw.vec3(-16, -16, -24), lw.vec3(16, 16, 32)
local list

function spawns.map()
  list = {}
  for _, number in ipairs(lw.entities.find { classname = "info_player_deathmatch" }) do
    local entity = lw.entities.lump(number)
    local origin = entity:vector("origin") or lw.vec3(0, 0, 0)
    local yaw = math.rad((entity:facing() or lw.vec3(0, 0, 0)).y)
    list[#list + 1] = {
      origin = origin, ahead = lw.vec3(math.cos(yaw), math.sin(yaw), 0), cluster = lw.vis.cluster_at(origin),
    }
  end
end

function spawns.draw()
  for i, spawn in ipairs(list) do
    lw.draw.box(spawn.origin + MINS, spawn.origin + MAXS, { color = "green", xray = true })
    lw.draw.arrow(spawn.origin, spawn.origin + spawn.ahead * 48, { color = "green", width = 2, xray = true })
    for j = i + 1, #list do
      if lw.vis.sees(spawn.cluster, list[j].cluster) then
        lw.draw.line(spawn.origin, list[j].origin, { color = "#ff6060a0", xray = true })
      end
    end
  end
end

function spawns.overlay() lw.ui.text(20, 20, #list .. " spawn points; red lines join those that may see one another") end

return spawns
