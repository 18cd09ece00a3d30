-- The default script: a status line, help, and a key for each tool.
--
-- A tool is a file of scripts/tools/ that returns a table of callbacks; it can be run as a script of its own as well.
local main = { name = "main", help = "The status line, the help and the tools." }

local tools = {
  require "tools.pvs",
  require "tools.leafs",
  require "tools.entities",
  require "tools.entity_links",
  require "tools.entity_inspector",
  require "tools.trajectory",
  require "tools.sight_lines",
  require "tools.speeds",
  require "tools.spans",
}

local KEYS_OF_PROGRAM = {
  { "W A S D, mouse, wheel", "fly or walk, look, change the flying speed" },
  { "space, C, shift", "up or jump, down or crouch, faster" },
  { "G, X", "walk and back, walk through walls and back" },
  { "F1 ... F9", "lit, texture, lightmap, cluster, face, depth, normal, wire, overdraw" },
  { "F10, F12", "overbright light, screenshot" },
  { "`", "console" },
  { "H", "this help" },
}

local LINE = { size = 15, color = "#e8e8e8" }
local DIM = { size = 15, color = "#a8b0b8" }
local ON = { size = 15, color = "#ffd070" }
local TITLE = { size = 20, color = "#ffd070" }
local BACK = { color = { 0.04, 0.05, 0.07, 0.72 }, fill = true }
local HELP_BACK = { color = { 0.04, 0.05, 0.07, 0.93 }, fill = true }

local state, frame_time = nil, 0

function main.load(saved)
  state = saved
  state.on = state.on or {}
  for _, tool in ipairs(tools) do
    state[tool.name] = state[tool.name] or {}
    if tool.load then tool.load(state[tool.name]) end
  end
end

-- A tool learns of the level when it is first turned on, so that those that are off cost nothing.
local told = {}

local function turn(tool, on)
  state.on[tool.name] = on
  if on and not told[tool] and lw.map.name then
    told[tool] = true
    if tool.map then tool.map(lw.map.name) end
  end
end

function main.map()
  told = {}
  for _, tool in ipairs(tools) do turn(tool, state.on[tool.name]) end
end

local function running()
  local list = {}
  for _, tool in ipairs(tools) do
    if state.on[tool.name] and told[tool] then list[#list + 1] = tool end
  end
  return list
end

function main.key(name, down)
  if not down then return false end
  if name == "h" then
    state.help = not state.help
    return true
  end
  for _, tool in ipairs(tools) do
    local action = tool.keys[name]
    if action == "toggle" then
      turn(tool, not state.on[tool.name])
      return true
    elseif action and state.on[tool.name] then
      tool[action](tool)
      return true
    end
  end
  return false
end

function main.click(button, x, y, down)
  for _, tool in ipairs(running()) do
    if tool.click and tool.click(button, x, y, down) then return true end
  end
  return false
end

function main.update(dt)
  frame_time = frame_time == 0 and dt or frame_time + (dt - frame_time) * 0.05
  for _, tool in ipairs(running()) do
    if tool.update then tool.update(dt) end
  end
end

function main.draw(view)
  state.view = { cluster = view.cluster, leaf = view.leaf }
  for _, tool in ipairs(running()) do
    if tool.draw then tool.draw(view) end
  end
end

local function status(width, height)
  local eye, view = lw.camera.origin, state.view
  local text = ("%s   %.0f %.0f %.0f   leaf %d   cluster %d%s"):format(lw.map.name or "no level", eye.x, eye.y, eye.z,
    view.leaf, view.cluster, lw.vis.mode() == "pvs" and "" or "   vis " .. lw.vis.mode())
  if lw.player.mode ~= "fly" then
    local velocity = lw.player.velocity
    text = ("%s   %s %.0f"):format(text, lw.player.mode, math.sqrt(velocity.x ^ 2 + velocity.y ^ 2))
  end
  if lw.raster.view() ~= "lit" then text = text .. "   view " .. lw.raster.view() end
  local right = ("%.0f frames a second   H help"):format(frame_time > 0 and 1 / frame_time or 0)
  lw.ui.rect(0, height - 24, width, 24, BACK)
  lw.ui.text(10, height - 21, text, LINE)
  lw.ui.text(width - 10 - lw.ui.measure(right, DIM), height - 21, right, DIM)
end

-- The help's lines: { left, right, style }; a line without text is a gap.
local function help_lines()
  local lines = {}
  for _, key in ipairs(KEYS_OF_PROGRAM) do lines[#lines + 1] = { key[1], key[2], LINE } end
  for _, tool in ipairs(tools) do
    local toggle
    for key, action in pairs(tool.keys) do
      if action == "toggle" then toggle = key:upper() end
    end
    lines[#lines + 1] = { "", "", LINE }
    lines[#lines + 1] = { ("%s   %s"):format(toggle, tool.name), tool.help, state.on[tool.name] and ON or LINE }
    if tool.more then lines[#lines + 1] = { "", tool.more, DIM } end
  end
  return lines
end

local function help(width, height)
  local lines, left, right = help_lines(), 0, 0
  for _, line in ipairs(lines) do
    left = math.max(left, (lw.ui.measure(line[1], line[3])))
    right = math.max(right, (lw.ui.measure(line[2], line[3])))
  end
  local step = 20
  local w, h = left + right + 70, #lines * step + 76
  local x, y = math.max(0, (width - w) // 2), math.max(0, (height - h) // 2)
  lw.ui.rect(x, y, w, h, HELP_BACK)
  lw.ui.text(x + 20, y + 16, "Leafwalk", TITLE)
  for i, line in ipairs(lines) do
    lw.ui.text(x + 20, y + 30 + i * step, line[1], line[3])
    lw.ui.text(x + 50 + left, y + 30 + i * step, line[2], line[3])
  end
end

function main.overlay(width, height)
  if state.view then status(width, height) end
  for _, tool in ipairs(running()) do
    if tool.overlay then tool.overlay(width, height) end
  end
  if state.help then help(width, height) end
end

return main
