-- How the engine finds where the eye is: it asks one plane after another which side of it the eye is on, from the root of
-- the tree down to a leaf. Then that leaf: its box, the faces and the brushes it names.
--
-- Comma and period step through the questions; the plane of the chosen one is filled, as far as its node's box goes.
local hud = require "hud"
local polygon = require "polygon"

local leafs = {
  name = "BSP walk",
  help = "The planes between the root of the tree and the leaf here, and what that leaf holds.",
  more = "comma and period step through the planes",
  keys = { n = "toggle", [","] = "back", ["."] = "forth" },
}

local FRONT, BACK = lw.color.of("#58c0ff"), lw.color.of("#ff9050")
local LEAF = { color = { 1, 0.9, 0.3, 1 }, width = 3, xray = true }
local FACES, FACE_TINT = { color = { 1, 1, 1, 0.8 }, width = 2 }, { color = { 1, 1, 0.8, 0.15 }, fill = true }
local BRUSHES = { color = { 0.8, 0.4, 1, 0.7 }, width = 1, xray = true }
local NODE = { color = { 1, 1, 1, 0.35 }, xray = true }
local OUTLINES, LISTED = 4, 14    -- how many of the last planes are outlined; how many steps are listed

local state, steps, leaf, brushes

function leafs.load(saved) state = saved end

function leafs.map() steps, brushes, state.step = nil, {}, nil end

local function walk(point)
  local path, node = {}, 0
  repeat
    local record = lw.bsp.node(node)
    local plane = lw.bsp.plane(record.plane)
    local distance = plane.normal:dot(point) - plane.dist
    path[#path + 1] = { node = node, record = record, plane = plane, number = record.plane, distance = distance }
    node = distance < 0 and record.back or record.front
  until node < 0
  return path, -1 - node    -- leaf n is stored as -1 - n
end

local function chosen() return math.min(state.step or #steps, #steps) end
function leafs:back() if steps then state.step = math.max(chosen() - 1, 1) end end
function leafs:forth() if steps then state.step = chosen() < #steps and chosen() + 1 or nil end end

local function draw_plane(step, filled)
  local points = polygon.in_box(step.plane.normal, step.plane.dist, step.record.mins, step.record.maxs)
  if not points then return end
  local color = step.distance < 0 and BACK or FRONT
  if filled then lw.draw.polygon(points, { color = lw.color.alpha(color, 0.15), fill = true }) end
  lw.draw.polygon(points, { color = lw.color.alpha(color, filled and 1 or 0.5), width = filled and 2 or 1, xray = true })
end

local function draw_brush(brush)
  brushes[brush] = brushes[brush] or polygon.of_brush(brush)
  for _, side in ipairs(brushes[brush]) do lw.draw.polygon(side, BRUSHES) end
end

function leafs.draw(view)
  steps, leaf = walk(view.origin)
  for i = math.max(#steps - OUTLINES + 1, 1), #steps do
    if i ~= chosen() then draw_plane(steps[i], false) end
  end
  local step = steps[chosen()]
  draw_plane(step, true)
  lw.draw.box(step.record.mins, step.record.maxs, NODE)
  lw.draw.leaf(leaf, LEAF)
  lw.draw.faces(lw.bsp.leaf_faces(leaf), FACE_TINT)
  lw.draw.faces(lw.bsp.leaf_faces(leaf), FACES)
  for _, brush in ipairs(lw.bsp.leaf_brushes(leaf)) do draw_brush(brush) end
end

function leafs.overlay(width, height)
  if not steps then return end
  local record = lw.bsp.leaf(leaf)
  local lines = { { "the way to leaf " .. leaf, ("%d planes"):format(#steps), style = hud.title } }
  local first = math.max(1, math.min(chosen() - LISTED // 2, #steps - LISTED + 1))
  for i = first, math.min(first + LISTED - 1, #steps) do
    local step = steps[i]
    local color = step.distance < 0 and BACK or FRONT
    lines[#lines + 1] = {
      ("%s node %d, plane %d"):format(i == chosen() and ">" or " ", step.node, step.number),
      ("%s %.1f"):format(step.distance < 0 and "behind" or "in front", math.abs(step.distance)),
      style = { size = hud.text.size, color = lw.color.alpha(color, i == chosen() and 1 or 0.75) },
    }
  end
  lines[#lines + 1] = { "cluster, area", ("%d, %d"):format(record.cluster, record.area) }
  lines[#lines + 1] = { "faces, brushes", ("%d, %d"):format(record.face_count, record.brush_count) }
  lines[#lines + 1] = "comma and period step"
  hud.panel("top left", width, height, lines)
end

return leafs
