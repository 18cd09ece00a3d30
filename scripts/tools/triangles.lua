-- How the software renderer's drawers of model triangles compare: one model at growing distance, each drawer's time and
-- the pixels in which it differs from `affine`.
--
-- In the window T measures and plots. `leafwalk exec --map MAP scripts/tools/triangles.lua [MODEL]` prints a table, and what
-- five hundred of the model cost in the level: hidden by the rows, some of them, culled by the frustum alone, all.
local hud = require "hud"

local tool = {
  name = "triangles", help = "Times the drawers of model triangles against distance.", more = "T measures again",
  keys = { t = "measure" },
}

local DRAWERS = { "affine", "subdivision", "mask", "stack", "auto" }
local COLORS = { affine = "#ffffff", subdivision = "#ff9040", mask = "#60e070", stack = "#50b0ff", auto = "#ff60c0" }
local DISTANCES = { 30, 45, 65, 100, 150, 220, 330, 500, 750, 1100, 1600, 2400 }
local COPIES, ROUNDS, WIDTH, HEIGHT = 20, 5, 640, 480
local MODELS = { "models/weapons2/rocketl/rocketl", "models/weapons2/machinegun/machinegun", "models/powerups/armor/armor_red" }

local soft = lw.raster.soft
local result

-- The first of the models that the game at hand has, and its size.
local function choose(name)
  for _, model in ipairs(name and { name } or MODELS) do
    local info = lw.draw.model_info(model)
    if info then return model, info end
  end
  return nil, (name or MODELS[1]) .. ": no such model"
end

-- Outside of the level, looking away from it: nothing is in view but what is drawn.
local function void()
  local _, maxs = lw.map.bounds()
  return maxs + lw.vec3(4000, 0, 0)
end

-- `copies` of the model one before the other, each a little nearer, so that all of them pass the depth test.
local function picture(model, info, distance, copies)
  local middle = (info.mins + info.maxs) / 2
  local style = { angles = { 0, 60, 0 }, lod = 0, bright = false }
  local image = assert(lw.raster.render {
    rasterizer = "soft", origin = void(), angles = { 0, 0, 0 }, fov = 90, width = WIDTH, height = HEIGHT, view = "lit",
    draw = function(view)
      for i = 1, copies do
        style.origin = view.origin + view.forward * (distance - i * distance * 1e-4) - lw.vec3(0, 0, middle.z)
        lw.draw.model(model, style)
      end
    end,
  })
  return image, soft.stats()
end

-- Pixels in which two pictures differ at all, in the part that the model can be in.
local function different(a, b, distance, info)
  local radius = #(info.maxs - info.mins) / 2
  local reach = math.min(WIDTH / 2, math.ceil(radius / math.max(distance - radius, 4) * WIDTH / 2) + 2)
  local count, covered = 0, 0
  for y = math.max(0, HEIGHT // 2 - reach), math.min(HEIGHT, HEIGHT // 2 + reach) - 1 do
    for x = math.floor(WIDTH / 2 - reach), math.floor(WIDTH / 2 + reach) - 1 do
      local r, g, b1 = a:get(x, y)
      local r2, g2, b2 = b:get(x, y)
      if r ~= r2 or g ~= g2 or b1 ~= b2 then count = count + 1 end
      if r + g + b1 > 0 then covered = covered + 1 end
    end
  end
  return count, covered
end

local function keep(names)
  local kept = {}
  for _, name in ipairs(names) do kept[name] = soft[name] end
  return kept
end

local function restore(kept)
  for name, value in pairs(kept) do soft[name] = value end
end

-- Microseconds of one model by one drawer: the least of some rounds, of drawing and of placing its vertices.
local function time(model, info, distance)
  local least, whole = math.huge, math.huge
  for _ = 1, ROUNDS do
    local _, stats = picture(model, info, distance, COPIES)
    least = math.min(least, stats.models_ms)
    whole = math.min(whole, stats.models_ms + stats.models_place_ms)
  end
  return least / COPIES * 1000, whole / COPIES * 1000
end

local function measure(name)
  local model, info = choose(name)
  if not model then return nil, info end
  local kept = keep { "models", "threads" }
  local out = { model = model, info = info, rows = {} }
  soft.threads = 1
  for n, distance in ipairs(DISTANCES) do
    local row = { distance = distance, time = {}, whole = {}, different = {} }
    soft.models = "affine"
    local affine = picture(model, info, distance, 1)
    for _, drawer in ipairs(DRAWERS) do
      soft.models = drawer
      row.different[drawer], row.pixels = different(picture(model, info, distance, 1), affine, distance, info)
      row.time[drawer], row.whole[drawer] = time(model, info, distance)
      lw.time.progress((n - 1) / #DISTANCES, 1)
    end
    out.rows[n] = row
  end
  restore(kept)
  return out
end

function tool:measure()
  local why
  result, why = measure()
  if not result then lw.log.warn("triangles: " .. why) end
end

function tool.overlay(width, height)
  if not result then
    hud.panel("bottom left", width, height, { { "triangles: T measures", "", style = hud.title } }, 30)
    return
  end
  local x, y, w, h = 20, height - 260, 420, 200
  lw.ui.rect(x, y, w, h, { color = { 0, 0, 0, 0.7 }, fill = true })
  local high = 0
  for _, row in ipairs(result.rows) do
    for _, drawer in ipairs(DRAWERS) do high = math.max(high, math.log(1 + row.time[drawer])) end
  end
  for n, drawer in ipairs(DRAWERS) do
    local values = {}
    for i, row in ipairs(result.rows) do values[i] = math.log(1 + row.time[drawer]) end
    lw.ui.plot(x, y, w, h, values, { color = COLORS[drawer], low = 0, high = high })
    lw.ui.text(x + 8 + (n - 1) * 82, y + 6, drawer, { color = COLORS[drawer], size = 13 })
  end
  lw.ui.text(x + 8, y + h - 20, ("%s: time (log) against distance, %d to %d units"):format(result.model:match("[^/]+$"), DISTANCES[1],
    DISTANCES[#DISTANCES]), { size = 13 })
end

-- `count` of the model in the level, at places that chance chooses among its leafs ("hidden": those that the eye's cluster
-- does not see): milliseconds of a frame, in view, drawn.
local function crowd(model, count, mode)
  local places, seed = {}, 1
  local leafs, eye = {}, lw.vis.cluster_at(lw.camera.origin)
  for leaf = 0, lw.bsp.count("leafs") - 1 do
    local cluster = lw.bsp.leaf(leaf).cluster
    if cluster >= 0 and not (mode == "hidden" and lw.vis.sees(eye, cluster)) then leafs[#leafs + 1] = leaf end
  end
  if #leafs == 0 then return end
  for i = 1, count do
    seed = (seed * 1103515245 + 12345) % 2147483648
    local leaf = lw.bsp.leaf(leafs[seed // 65536 % #leafs + 1])
    local middle = (leaf.mins + leaf.maxs) / 2
    for _, v in ipairs { middle:unpack() } do places[#places + 1] = v end
  end
  lw.vis.mode(mode == "hidden" and "pvs" or mode)
  local least, seen, stats, without = math.huge, 0, nil, math.huge
  for round = 1, ROUNDS * 2 do
    local spent = 0
    assert(lw.raster.render { rasterizer = "soft", width = 1280, height = 720, view = "lit", draw = function()
      if round % 2 == 0 then return end
      local start = os.clock()
      seen = lw.draw.models(model, places)
      spent = (os.clock() - start) * 1000
    end })
    local now = soft.stats()
    if round % 2 == 0 then
      without = math.min(without, now.frame_ms)
    elseif now.frame_ms + spent < least then
      least, stats = now.frame_ms + spent, now
      stats.spent = spent
    end
  end
  lw.vis.mode "pvs"
  return { ms = least, without = without, seen = seen, stats = stats }
end

function tool.main(arg)
  local out, why = measure(arg[1])
  if not out then error(why, 0) end
  print(("%s: %d triangles, %d vertices, %dx%d, filter %s"):format(out.model, out.info.triangles, out.info.vertices, WIDTH, HEIGHT, soft.filter))
  print("microseconds a model (drawing; with placing its vertices), pixels that differ from affine")
  local head = ("%8s %7s"):format("distance", "pixels")
  for _, drawer in ipairs(DRAWERS) do head = head .. (" %22s"):format(drawer) end
  print(head)
  for _, row in ipairs(out.rows) do
    local line = ("%8d %7d"):format(row.distance, row.pixels)
    for _, drawer in ipairs(DRAWERS) do
      line = line .. (" %7.1f %7.1f %6d"):format(row.time[drawer], row.whole[drawer], row.different[drawer])
    end
    print(line)
  end
  print("500 of it in the level, 1280x720:")
  for _, mode in ipairs { "hidden", "pvs", "frustum", "none" } do
    local c = crowd(out.model, 500, mode)
    if c then print(("%-8s %8.2f ms with, %8.2f ms without; %3d in view; adding them %.3f ms, placing %.3f ms, drawing %.3f ms"):format(mode, c.ms,
      c.without, c.seen, c.stats.spent, c.stats.models_place_ms, c.stats.models_ms)) end
  end
end

return tool
