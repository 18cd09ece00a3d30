-- Where things will go before they do: arcs of jump pads with their highest point and landing, the ways of doors, buttons
-- and plats, the paths of trains. A red ball is a wall that an arc from the pad's middle meets on its way up.
local hud = require "hud"
local trajectories = require "trajectories"

local tool = { name = "trajectories", help = "Arcs of jump pads, sweeps of doors and plats, paths of trains, before they happen.", keys = { j = "toggle" } }

local ARC, APEX = { color = "#60e070", width = 3, xray = true }, { color = "#ffd040", width = 2, xray = true }
local BLOCKED = { color = "#ff4040", width = 2, xray = true }
local LAND, FROM = { color = "#ff7050", width = 2 }, { color = "#60a0ff", width = 2 }
local TO = { color = "#60a0ff90", width = 1, xray = true }
local TRAIN = { color = "#c090ff", width = 3, xray = true }
local LABEL = { color = "#e8e8e8", size = 13, xray = true }
local UP = lw.vec3(0, 0, 10)

local found

-- Worked out when the game has settled: pads know their targets a moment after the level has opened.
local function look()
  found = { pads = {}, sweeps = {}, trains = {} }
  for _, e in ipairs(lw.entities.all()) do
    local class = e.classname or ""
    if class == "trigger_push" or class == "target_push" then
      local pad = trajectories.pad(e)
      if pad then found.pads[#found.pads + 1] = pad end
    elseif class == "func_train" then
      local corners, joins = trajectories.path(e)
      if #corners > 0 then found.trains[#found.trains + 1] = { corners = corners, joins = joins } end
    else
      local sweep = trajectories.sweep(e)
      if sweep then found.sweeps[#found.sweeps + 1] = sweep end
    end
  end
end

function tool.map() found = nil end

function tool.update()
  if not found and lw.time.now() > 0.2 then look() end
end

local function draw_pad(pad)
  lw.draw.path(pad.points, ARC)
  lw.draw.sphere(pad.apex, 8, APEX)
  lw.draw.text(pad.apex + UP, ("%.2f s, %.0f high"):format(pad.seconds, pad.apex.z - pad.from.z), LABEL)
  if pad.blocked then lw.draw.sphere(pad.blocked, 6, BLOCKED) end
  if pad.lands then lw.draw.box(pad.lands - lw.vec3(15, 15, 24), pad.lands + lw.vec3(15, 15, 32), LAND) end
end

local function draw_sweep(sweep)
  lw.draw.box(sweep.mins1, sweep.maxs1, FROM)
  lw.draw.box(sweep.mins2, sweep.maxs2, TO)
  local from, to = (sweep.mins1 + sweep.maxs1) / 2, (sweep.mins2 + sweep.maxs2) / 2
  lw.draw.arrow(from, to, FROM)
  lw.draw.text(from, ("%.2f s"):format(sweep.seconds), LABEL)
end

local function draw_train(train)
  for i, corner in ipairs(train.corners) do
    local following = train.corners[i + 1] or (train.joins and train.corners[train.joins])
    if following then lw.draw.arrow(corner.origin, following.origin, TRAIN) end
    lw.draw.text(corner.origin + UP, ("%d: %.1f s at %.0f%s"):format(i, corner.seconds, corner.speed,
      corner.wait > 0 and (", waits %.1f s"):format(corner.wait) or ""), LABEL)
  end
end

function tool.draw()
  if not found then return end
  for _, pad in ipairs(found.pads) do draw_pad(pad) end
  for _, sweep in ipairs(found.sweeps) do draw_sweep(sweep) end
  for _, train in ipairs(found.trains) do draw_train(train) end
end

function tool.overlay(width, height)
  if not found then return end
  hud.panel("top left", width, height, { { "trajectories", "", style = hud.title }, { "jump pads", #found.pads },
    { "doors, buttons, plats", #found.sweeps }, { "trains", #found.trains } })
end

return tool
