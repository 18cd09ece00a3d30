-- Who fires whom: arrows between the entities of the level, and what is wrong with their names. Of the entity that is in the
-- middle of the view, whom it fires (green) and who fires it (blue) stand out.
--
-- Without a window: leafwalk exec --map MAP scripts/tools/entity_links.lua [FILE.dot] prints what is wrong, and writes the
-- graph for Graphviz into the writable folder ("-": to standard output).
local hud = require "hud"
local links = require "links"

local tool = {
  name = "links", help = "Who fires whom: arrows, circles, and targets that nobody has.", more = "Q all, or only those near the eye",
  keys = { u = "toggle", q = "see_all" },
}

local FIRES, CIRCLE = { color = "#ffffff60", width = 1, xray = true }, { color = "#ff9040", width = 2, xray = true }
local OUT, IN = { color = "#60e070", width = 3, xray = true }, { color = "#60b0ff", width = 3, xray = true }
local MISSING, UNFIRED = { color = "#ff4040", width = 3, xray = true }, { color = "#ffd040", width = 2, xray = true }
local LABEL = { color = "#ffffff", size = 13, xray = true }
local NEAR, NAMED, LISTED = 1500, 350, 12    -- how near arrows are drawn, and names; how many lines of what is wrong
local AIM = math.cos(math.rad(7))
local UP = lw.vec3(0, 0, 12)

local state, graph, report, in_circle = {}, nil, {}, {}

function tool.load(saved) state = saved end

function tool:see_all() state.all = not state.all end

function tool.map()
  graph = links.of_map()
  report, in_circle = links.report(graph), {}
  for number, group in ipairs(graph.cycles) do
    for _, index in ipairs(group) do in_circle[index] = number end
  end
end

-- Where each entity of the lump is now; who was removed has no place.
local function places()
  local list = {}
  for _, e in ipairs(lw.entities.all()) do
    if e.lump then list[e.lump] = (e.absmin + e.absmax) / 2 end
  end
  return list
end

local function near(view, a, b) return state.all or #(a - view.origin) < NEAR or (b and #(b - view.origin) < NEAR) end

local function mark(at, style, text)
  lw.draw.box(at - lw.vec3(10, 10, 10), at + lw.vec3(10, 10, 10), style)
  lw.draw.text(at + UP, text, { color = style.color, size = 13, xray = true })
end

-- The linked entity that is nearest to the middle of the view.
local function aimed_at(view, at)
  local best, best_turn
  for _, node in ipairs(graph.nodes) do
    local p = (#node.fires > 0 or #node.fired_by > 0) and at[node.index]
    local turn = p and (p - view.origin):normalized():dot(view.forward)
    if turn and turn > AIM and near(view, p) and (not best or turn > best_turn) then best, best_turn = node, turn end
  end
  return best
end

local function draw_edges(view, at)
  local aimed, named = aimed_at(view, at), {}
  for _, edge in ipairs(graph.edges) do
    local from, to = at[edge.from.index], at[edge.to.index]
    if from and to and near(view, from, to) then
      local circle = in_circle[edge.from.index] and in_circle[edge.from.index] == in_circle[edge.to.index]
      local style = edge.from == aimed and OUT or edge.to == aimed and IN or circle and CIRCLE or FIRES
      lw.draw.arrow(from, to, style)
      for _, node in ipairs { edge.from, edge.to } do
        local named_anyway = style == OUT or style == IN or #(at[node.index] - view.origin) < NAMED
        if named_anyway then named[node] = node == aimed and LABEL or style == FIRES and LABEL or style end
      end
    end
  end
  for _, node in ipairs(graph.nodes) do    -- each once
    local style = named[node]
    if style then lw.draw.text(at[node.index] + UP, links.title(node), { color = style.color, size = 13, xray = true }) end
  end
end

function tool.draw(view)
  local at = places()
  draw_edges(view, at)
  for _, m in ipairs(graph.missing) do
    local from = at[m.from.index]
    if from and near(view, from) then mark(from, MISSING, ("%s -> %s?"):format(links.title(m.from), m.name)) end
  end
  for _, node in ipairs(graph.unfired) do
    local from = at[node.index]
    if from and near(view, from) then mark(from, UNFIRED, links.title(node) .. ": never fired") end
  end
end

function tool.overlay(width, height)
  local lines = {
    { "links", #graph.edges, style = hud.title }, { "circles", #graph.cycles },
    { "targets that nobody has", #graph.missing }, { "names that nobody fires", #graph.unfired },
  }
  for i = 1, math.min(#report, LISTED) do lines[#lines + 1] = report[i] end
  if #report > LISTED then lines[#lines + 1] = ("... and %d more"):format(#report - LISTED) end
  hud.panel("top left", width, height, lines)
end

function tool.main(arg)
  tool.map()
  local dot = links.dot(graph, lw.map.name)
  if arg[1] == "-" then
    print(dot)
  else
    print(("%s: %d links, %d circles"):format(lw.map.name, #graph.edges, #graph.cycles))
    for _, line in ipairs(report) do print(line) end
    if arg[1] then assert(lw.fs.write(arg[1], dot)) end
  end
end

return tool
