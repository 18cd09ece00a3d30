-- A camera path made while flying: keys are dropped, picked, dragged and tuned, the path is seen in the level and on a
-- timeline, played, and saved after every change as paths/LEVEL.lua in the writable folder.
local hud = require "hud"

local editor = {
  name = "camera path", help = "Drops keys of a camera path where the eye is; plays, tunes and saves it.",
  more = "F2 drops a key, right button takes and drags one, arrows nudge it, Delete, Backspace undoes, F5 plays, F6 loops, F7 records the flight, F8 lint, F9 inset",
  keys = { f1 = "toggle", f2 = "drop", delete = "remove", backspace = "undo", f5 = "play", f6 = "switch_loop", f7 = "record", f8 = "lint", f9 = "switch_inset" },
}

local SPEED, NUDGE, PICK = 320, 8, 24    -- units a second between dropped keys; units; pixels
local BAR = { height = 26, margin = 16, status = 24 }    -- status: the default script's line below it
local state, path, clusters, findings, dragging, view, flight, inset
local size = { 640, 360 }

local function file() return "paths/" .. lw.map.name .. ".lua" end

-- In thousandths, so that the file is pleasant to read: no hand aims finer.
local function neat(...)
  local out = { ... }
  for i, number in ipairs(out) do out[i] = math.floor(number * 1000 + 0.5) / 1000 end
  return out
end

local function place(t) return { t = neat(t)[1], origin = neat(lw.camera.origin:unpack()), angles = neat(lw.camera.angles:unpack()) } end

-- Cluster at every 1/20 s: the timeline's changes of colour.
local function look_again()
  clusters, findings = {}, nil
  local duration = path:duration()
  local count = math.min(math.floor(duration * 20), 4000)
  for i = 0, count do clusters[i + 1] = lw.vis.cluster_at(path:sample(duration * i / math.max(count, 1)).origin) end
end

local function save()
  local saved, why = lw.fs.write(file(), path:text())
  if not saved then lw.log.warn("the path is not saved: " .. why) end
end

-- Every change goes through here: what was before can be had again.
local function change(make)
  local before = path:text()
  make()
  if path:text() ~= before then
    state.undo[#state.undo + 1] = before
    if #state.undo > 200 then table.remove(state.undo, 1) end
    save()
  end
  look_again()
end

local function from_text(text) return lw.camera.path(load(text, "path", "t", {})()) end

local function keep_picked() state.picked = #path > 0 and math.max(1, math.min(state.picked or #path, #path)) or nil end

function editor.load(saved)
  state = saved
  state.undo, state.t = state.undo or {}, state.t or 0
end

function editor.map()
  path, state.undo, state.picked, state.playing, flight, dragging = lw.camera.path {}, {}, nil, false, nil, nil
  if lw.fs.exists(file()) then
    local read, why = lw.camera.load_path(file())
    if read then path = read else lw.log.warn(why) end
  end
  state.text = path:text()
  look_again()
end

-- At the end, as far after the last key as the way there takes; with a key taken, half a way after that one.
function editor:drop()
  change(function()
    local keys, t = path:keys(), 0
    local at = lw.camera.origin
    local last = keys[#keys]
    if state.picked and state.picked < #keys then
      t = (keys[state.picked].t + keys[state.picked + 1].t) / 2
    elseif last then
      t = last.t + math.max(0.25, #(at - lw.vec3(table.unpack(last.origin or { at:unpack() }))) / SPEED)
    end
    local key = place(t)
    key.fov = neat(lw.camera.fov)[1]
    state.picked = path:add(key)
  end)
end

function editor:remove()
  if not state.picked then return end
  change(function() path:remove(state.picked) end)
  keep_picked()
end

function editor:undo()
  local text = table.remove(state.undo)
  if not text then return end
  path = from_text(text)
  save()
  look_again()
  keep_picked()
end

function editor:play()
  state.playing = not state.playing and path:duration() > 0
  if state.playing and state.t >= path:duration() then state.t = 0 end
  if not state.playing then lw.camera.free() end
end

function editor:switch_loop() change(function() path:settings { loop = not path:settings().loop } end) end

function editor:switch_inset() state.inset, inset = not state.inset, nil end

-- Free flight at 30 places a second, then as few keys as keep it within 4 units and 2 degrees.
function editor:record()
  if not flight then flight = { keys = {}, t = 0 } return end
  local keys = lw.camera.simplify(flight.keys, 4, 2)
  flight = nil
  if #keys > 1 then change(function() path = lw.camera.path { keys = keys } end) end
  keep_picked()
end

function editor:lint()
  findings = path:lint()
  for _, finding in ipairs(findings) do lw.console.print(finding.text) end
  if #findings == 0 then lw.console.print("the path is fine") end
end

-- Where a point of the level is on the screen; nil: behind the eye.
local function on_screen(point)
  if not view then return nil end
  local d = point - view.origin
  local far = d:dot(view.forward)
  if far < 1 then return nil end
  local scale = size[1] / 2 / math.tan(math.rad(view.fov) / 2) / far
  return size[1] / 2 + d:dot(view.right) * scale, size[2] / 2 - d:dot(view.up) * scale, 1 / scale
end

local function pick(x, y)
  local best, least
  for i, key in ipairs(path:keys()) do
    local kx, ky = on_screen(lw.vec3(table.unpack(key.origin or { 0, 0, 0 })))
    local far = kx and math.max(math.abs(kx - x), math.abs(ky - y))
    if far and far < PICK and (not least or far < least) then best, least = i, far end
  end
  return best
end

local function move_picked(by)
  local key = path:key(state.picked)
  if not key.origin then return end
  key.origin = neat((lw.vec3(table.unpack(key.origin)) + by):unpack())
  state.picked = path:set(state.picked, key)
end

local function timeline() return BAR.margin, size[2] - BAR.margin - BAR.height - BAR.status, size[1] - 2 * BAR.margin end

local function scrub(x)
  local left, _, width = timeline()
  state.t = math.max(0, math.min(1, (x - left) / width)) * path:duration()
  path:apply(state.t)
end

function editor.click(button, x, y, down)
  local left, top, width = timeline()
  if button == 1 and down and x >= left and x <= left + width and y >= top and path:duration() > 0 then
    dragging = "time"
    scrub(x)
    return true
  elseif button == 3 and down then
    local grabbed = lw.input.mouse() == 0    -- the mouse turns the eye: the middle of the screen points
    local found = pick(grabbed and size[1] / 2 or x, grabbed and size[2] / 2 or y)
    if not found then return false end
    state.picked, dragging = found, { before = path:text() }
    return true
  elseif not down and dragging then
    if dragging == "time" then
      lw.camera.free()
    elseif path:text() ~= dragging.before then
      state.undo[#state.undo + 1] = dragging.before
      save()
      look_again()
    end
    dragging = nil
    return true
  end
end

function editor.mouse(dx, dy)
  if state.playing then return true end    -- the path owns the eye
  if dragging == "time" then
    scrub((lw.input.mouse()))
    return true
  elseif dragging and state.picked then
    local key = path:key(state.picked)
    local _, _, unit = on_screen(lw.vec3(table.unpack(key.origin or { 0, 0, 0 })))
    if unit then move_picked(view.right * (dx * unit) - view.up * (dy * unit)) end
    return true
  end
end

local nudges = { left = { 0, -1, 0 }, right = { 0, 1, 0 }, up = { 1, 0, 0 }, down = { -1, 0, 0 }, pageup = { 0, 0, 1 }, pagedown = { 0, 0, -1 } }

function editor.key(name, down)
  local way = nudges[name]
  if not (down and way and state.picked and view) then return false end
  local step = lw.input.down("left shift") and 1 or NUDGE
  change(function() move_picked((view.forward * way[1] + view.right * way[2]) * step + lw.vec3(0, 0, way[3] * step)) end)
  return true
end

function editor.update(dt)
  if not path then editor.map() end
  if flight then
    flight.t = flight.t + dt
    if flight.t >= #flight.keys / 30 then
      flight.keys[#flight.keys + 1] = place(flight.t)
    end
  end
  if state.playing then
    state.t = state.t + dt
    local duration = path:duration()
    if state.t > duration then
      if path:settings().loop then state.t = state.t % duration else state.t, state.playing = duration, false end
    end
    path:apply(state.t)
    if not state.playing then lw.camera.free() end
  end
end

function editor.draw(now)
  view = { origin = now.origin, forward = now.forward, right = now.right, up = now.up, fov = now.fov }
  if state.playing or not path then return end
  path:draw { width = 2 }
  local key = state.picked and path:key(state.picked)
  if key and key.origin then
    local at = lw.vec3(table.unpack(key.origin))
    lw.draw.box(at - lw.vec3(5, 5, 5), at + lw.vec3(5, 5, 5), { color = "#ffffff", width = 2, xray = true })
    lw.draw.text(at + lw.vec3(0, 0, 10), ("%d  %.2f s"):format(state.picked, path:key_time(state.picked)), { xray = true })
  end
  for _, finding in ipairs(findings or {}) do
    lw.draw.sphere(finding.origin, 8, { color = "#ff4040", xray = true })
  end
end

-- The other rasterizer's picture of the path at the timeline's moment, twice a second.
local function draw_inset(width)
  local other = lw.raster.current() == "soft" and "gl" or "soft"
  if not inset or lw.time.frame() % 30 == 0 then
    local pose = path:sample(state.t)
    inset = lw.raster.render { rasterizer = other, origin = pose.origin, angles = pose.angles, fov = pose.fov, width = 256, height = 144, view = "lit" } or inset
  end
  if inset then lw.ui.image(width - 256 - BAR.margin, BAR.margin, inset) end
end

function editor.overlay(width, height)
  size = { width, height }
  if not path then return end
  local duration = path:duration()
  local left, top, long = timeline()
  lw.ui.rect(left, top, long, BAR.height, { color = "#0a0d12c0", fill = true })
  for i = 1, #clusters do    -- a colour a cluster, so that changes are seen
    local c = clusters[i]
    if i == 1 or c ~= clusters[i - 1] then
      local last = i
      while clusters[last + 1] == c do last = last + 1 end
      local x, to = left + (i - 1) / #clusters * long, left + last / #clusters * long
      local hue = (c * 37 % 97) / 97
      lw.ui.rect(x, top + BAR.height - 8, to - x, 8, { color = c < 0 and "#ff3030" or { 0.4 + 0.5 * hue, 0.9 - 0.6 * hue, 0.4 + 0.5 * ((c * 13 % 31) / 31), 1 }, fill = true })
    end
  end
  if duration > 0 then
    for i = 1, #path do
      lw.ui.rect(left + path:key_time(i) / duration * long - 2, top, 4, BAR.height - 8, { color = i == state.picked and "#ffffff" or "#ffdc50", fill = true })
    end
    lw.ui.rect(left + math.min(state.t / duration, 1) * long - 1, top - 6, 2, BAR.height + 6, { color = "#ff6060", fill = true })
  end
  lw.ui.text(left, top - 22, ("%d keys  %.2f / %.2f s  %.0f units%s%s%s"):format(#path, state.t, duration, path:length(), state.playing and "  playing" or "",
    path:settings().loop and "  loop" or "", flight and "  recording the flight: F7 ends it" or ""), hud.text)
  if findings then lw.ui.text(left, top - 42, #findings == 0 and "lint: fine" or ("lint: %d findings, %s"):format(#findings, findings[1].text), hud.text) end
  if state.inset and #path > 0 then draw_inset(width) end
end

return editor
