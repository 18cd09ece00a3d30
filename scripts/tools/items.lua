-- Shows the pickups of the level's entity text where the game puts them, turning and bobbing.
local hud = require "hud"
local pickups = require "pickups"

local tool = { name = "items", help = "The level's weapons, armour, health and flags, as the game shows them.", keys = { i = "toggle" } }

local list, seen = {}, 0

function tool.map() list = pickups.of_map() end

function tool.draw()
  seen = 0
  local time, style = lw.time.now(), {}
  for _, item in ipairs(list) do
    if pickups.draw(item, time, style) then seen = seen + 1 end
  end
end

function tool.overlay(width, height)
  hud.panel("top right", width, height, { { "items", #list, style = hud.title }, { "in view", seen } })
end

return tool
