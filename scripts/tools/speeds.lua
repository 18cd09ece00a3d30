-- What a frame costs: its time as a curve, and what the rasterizer counted.
local hud = require "hud"

local speeds = {
  name = "speeds",
  help = "Frame times as a curve, and the rasterizer's counters of the last frame.",
  keys = { t = "toggle" },
}

local FRAMES, WIDTH, HEIGHT = 240, 240, 60
local CURVE = { color = "#60e070", low = 0, width = 1 }
local TARGET, TARGET_MS = { color = "#ffffff50", fill = true }, 1000 / 60

local times = {}    -- milliseconds of the last frames, the newest last

function speeds.update(dt)
  times[#times + 1] = dt * 1000
  if #times > FRAMES then table.remove(times, 1) end
end

local function summary()
  local sorted = table.move(times, 1, #times, 1, {})
  table.sort(sorted)
  local function at(part) return sorted[math.max(1, math.ceil(#sorted * part))] or 0 end
  return at(0.5), at(0.99), at(1)
end

-- The rasterizer's counters in order of name, those of time last.
local function counters()
  local name = lw.raster.current()
  local stats = (name == "gl" or name == "soft") and lw.raster[name].stats() or {}
  local names = {}
  for counter in pairs(stats) do names[#names + 1] = counter end
  table.sort(names, function(a, b)
    local ta, tb = a:find("_ms$") ~= nil, b:find("_ms$") ~= nil
    if ta ~= tb then return tb end
    return a < b
  end)
  return names, stats
end

function speeds.overlay(width, height)
  local median, slow, worst = summary()
  local lines = {
    { "frame", ("%.2f ms (%.0f a second)"):format(median, median > 0 and 1000 / median or 0), style = hud.title },
    { "99 of 100 within", ("%.2f ms"):format(slow) },
    { "worst", ("%.2f ms"):format(worst) },
  }
  local names, stats = counters()
  for _, name in ipairs(names) do
    local time = name:match("^(.*)_ms$")
    lines[#lines + 1] = { time or name, (time and "%.3f ms" or "%.0f"):format(stats[name]) }
  end
  local drawn = lw.map.name and lw.vis.drawn()
  if drawn then lines[#lines + 1] = { "faces drawn", #drawn.faces } end
  lines[#lines + 1] = { "Lua", ("%.1f MB"):format(collectgarbage("count") / 1024) }
  local x, y = hud.panel("bottom left", width, height, lines, 30)
  x, y = x - 8, y - HEIGHT - 14
  local top = math.max(worst, TARGET_MS * 1.5)
  CURVE.high = top
  lw.ui.rect(x, y, WIDTH, HEIGHT, { color = "#0a0d12b8", fill = true })
  lw.ui.rect(x, y + HEIGHT * (1 - TARGET_MS / top), WIDTH, 1, TARGET)    -- sixty frames a second
  lw.ui.plot(x, y, WIDTH, HEIGHT, times, CURVE)
end

return speeds
