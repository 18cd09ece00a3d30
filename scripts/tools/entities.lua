-- What the level's entity text puts where: boxes, names, and arrows from each entity to those it fires.
--
-- O shows what the PVS hides as well; K shows all keys of the entity that is nearest to the middle of the screen.
local hud = require "hud"

local entities = {
  name = "entities",
  help = "Boxes, names and target arrows of the level's entities.",
  more = "O also what the PVS hides, K all keys of the one in the middle",
  keys = { e = "toggle", o = "see_all", k = "show_keys" },
}

-- Half the size of those that have no model of their own, as editors show them; and colours by the start of the class.
local HALF = lw.vec3(8, 8, 8)
local PLAYER_MINS, PLAYER_MAXS = lw.vec3(-16, -16, -24), lw.vec3(16, 16, 32)
local COLORS = {
  { "info_player", "#60e070" }, { "team_", "#60e070" }, { "weapon_", "#ff7050" }, { "ammo_", "#e0a060" },
  { "item_", "#50b0ff" }, { "holdable_", "#50b0ff" }, { "trigger_", "#ff60c0" }, { "target_", "#c090ff" },
  { "func_", "#ffd040" }, { "light", "#fff0a0" }, { "misc_", "#a0a0a0" }, { "info_", "#90d0d0" }, { "path_", "#c090ff" },
}
local UNKNOWN = "#ff4040"    -- of a class that no behaviour knows
local ARROW = { color = "#ffffffc0", width = 2, xray = true }
local NAMES_WITHIN, NEIGHBOURS_WITHIN = 1200, 24

local state, list, nearest

function entities.load(saved) state = saved end

local function color_of(class)
  for _, row in ipairs(COLORS) do
    if class:sub(1, #row[1]) == row[1] then return row[2] end
  end
  return "#d0d0d0"
end

-- Where an entity is: the box of its brush model, or one around its origin.
local function place(entity)
  local number = (entity.model or ""):match("^%*(%d+)$")
  local origin = entity:vector("origin") or lw.vec3(0, 0, 0)
  if number and tonumber(number) < lw.bsp.count("models") then
    local model = lw.bsp.model(tonumber(number))
    return model.mins + origin, model.maxs + origin
  end
  if (entity.classname or ""):find("^info_player") then return origin + PLAYER_MINS, origin + PLAYER_MAXS end
  return origin - HALF, origin + HALF
end

-- Names of things that stand in one another are written one above the other: line ends below lift a text up.
local function lift(thing)
  local lines = 0
  for _, other in ipairs(list) do
    if #(other.middle - thing.middle) < NEIGHBOURS_WITHIN then lines = lines + (other.entity.targetname and 2 or 1) end
  end
  return ("\n"):rep(2 * lines)
end

local function inside(p, mins, maxs)
  return p.x > mins.x and p.y > mins.y and p.z > mins.z and p.x < maxs.x and p.y < maxs.y and p.z < maxs.z
end

-- Entities of the lump for whose class nobody has written a behaviour.
local function unknown()
  local set = {}
  for _, e in ipairs(lw.entities.all()) do
    if e.lump and not (e.help or e.spawn or e.think or e.draw) then set[e.lump] = true end
  end
  return set
end

function entities.map()
  list, nearest = {}, nil
  local strange = unknown()
  for i = 1, lw.entities.count() - 1 do    -- 0 is the world itself
    local entity = lw.entities.lump(i)
    local class = entity.classname or "(no classname)"
    local color = strange[i] and UNKNOWN or color_of(class)
    local mins, maxs = place(entity)
    local clusters = {}
    for _, leaf in ipairs(lw.bsp.leaves_in(mins, maxs)) do clusters[#clusters + 1] = lw.bsp.leaf(leaf).cluster end
    local thing = {
      entity = entity, class = class, mins = mins, maxs = maxs, middle = (mins + maxs) / 2, clusters = clusters,
      box = { color = color, width = 2 }, label = { color = color, size = 14, xray = true },
      targets = lw.entities.targets(i),
    }
    thing.name = class .. (strange[i] and " ?" or "") .. (entity.targetname and "\n" .. entity.targetname or "") .. lift(thing)
    list[i] = thing
  end
end

function entities:see_all() state.all = not state.all end
function entities:show_keys() state.keys = not state.keys end

local function in_sight(thing, cluster)
  if state.all or cluster < 0 then return true end
  for _, other in ipairs(thing.clusters) do
    if lw.vis.sees(cluster, other) then return true end
  end
  return false
end

function entities.draw(view)
  nearest = nil
  local best = 0.9    -- the cosine of the angle that counts as the middle of the screen
  for _, thing in ipairs(list) do
    if in_sight(thing, view.cluster) then
      local way = thing.middle - view.origin
      if not inside(view.origin, thing.mins, thing.maxs) then
        lw.draw.box(thing.mins, thing.maxs, thing.box)
        if #way < NAMES_WITHIN then
          lw.draw.text(thing.middle + lw.vec3(0, 0, (thing.maxs.z - thing.mins.z) / 2 + 8), thing.name, thing.label)
        end
      end
      for _, target in ipairs(thing.targets) do
        if list[target] then lw.draw.arrow(thing.middle, list[target].middle, ARROW) end
      end
      local middle = way:normalized():dot(view.forward)
      if middle > best then best, nearest = middle, thing end
    end
  end
end

function entities.overlay(width, height)
  local lines = { { "entities", #list, style = hud.title } }
  if nearest then
    lines[#lines + 1] = { ("%d: %s"):format(nearest.entity.index, nearest.class), style = nearest.label }
    if state.keys then
      for key, value in pairs(nearest.entity) do
        if key ~= "classname" then lines[#lines + 1] = { key, #value > 40 and value:sub(1, 37) .. "..." or value } end
      end
    end
  end
  hud.panel("bottom right", width, height, lines, 30)
end

return entities
