-- What a frame costs: its time as a curve, and what the rasterizer counted.
local hud = require "hud"

local speeds = {
  name = "speeds",
  help = "Frame times as a curve, and the rasterizer's counters of the last frame.",
  keys = { t = "toggle" },
}

local FRAMES, HEIGHT = 240, 60
local BACK = { color = "#0a0d12b8", fill = true }
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

-- The rasterizer's counters that are not 0, in order of name, those of time last.
local function counters()
  local name = lw.raster.current()
  local stats = (name == "gl" or name == "soft") and lw.raster[name].stats() or {}
  local counts, spent = {}, {}
  for counter, value in pairs(stats) do
    local time = counter:match("^(.*)_ms$")
    if time and value >= 0.001 then
      spent[#spent + 1] = { time:gsub("_", " "), ("%.3f ms"):format(value) }
    elseif not time and value ~= 0 then
      counts[#counts + 1] = { counter:gsub("_", " "), ("%.0f"):format(value) }
    end
  end
  local function by_name(a, b) return a[1] < b[1] end
  table.sort(counts, by_name)
  table.sort(spent, by_name)
  for _, line in ipairs(spent) do counts[#counts + 1] = line end
  return counts
end

function speeds.overlay(width, height)
  local median, slow, worst = summary()
  local lines = {
    { "frame", ("%.2f ms (%.0f a second)"):format(median, median > 0 and 1000 / median or 0), style = hud.title },
    { "99 of 100 within", ("%.2f ms"):format(slow) },
    { "worst", ("%.2f ms"):format(worst) },
  }
  for _, line in ipairs(counters()) do lines[#lines + 1] = line end
  lines[#lines + 1] = { "Lua", ("%.1f MB"):format(collectgarbage("count") / 1024) }
  local x, y, w = hud.panel("bottom left", width, height, lines, 30)
  x, y, w = x - 8, y - HEIGHT - 14, w + 16
  local top = math.max(worst, TARGET_MS * 1.5)
  CURVE.high = top
  lw.ui.rect(x, y, w, HEIGHT, BACK)
  lw.ui.rect(x, y + HEIGHT * (1 - TARGET_MS / top), w, 1, TARGET)    -- sixty frames a second
  lw.ui.plot(x, y, w, HEIGHT, times, CURVE)
end

return speeds
