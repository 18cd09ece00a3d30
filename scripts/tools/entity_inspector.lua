-- One entity in the hand: its keys and state, to be fired, moved and changed while it lives; and the changed level saved.
--
-- The right mouse button takes what is under the pointer (while the mouse turns the eye: what is in the middle). What is
-- changed can be saved as maps/NAME.ent in the writable folder: the next time the level opens with those entities.
local hud = require "hud"
local ent_text = require "ent_text"

local tool = {
  name = "inspector", help = "Takes an entity with the right mouse button: keys, state, fire, move, change, save.",
  more = "right button takes one, Z fires it", keys = { p = "toggle", z = "fire" },
}

local BOX, TARGETS = { color = "#ffd040", width = 3, xray = true }, { color = "#ffffff", width = 2, xray = true }
local HALF = lw.vec3(8, 8, 8)
local WIDTH, MOST_KEYS = 330, 14

local state, chosen, screen = {}, nil, { 1280, 720 }
local changes, gone, born, edited, new_key = {}, {}, {}, {}, ""

function tool.load(saved) state = saved end

function tool.map() chosen, changes, gone, born, edited, new_key = nil, {}, {}, {}, {}, "" end

local function box_of(e)
  if #(e.maxs - e.mins) > 0 then return e.absmin, e.absmax end
  return e.origin - HALF, e.origin + HALF
end

local function middle(e) return (e.absmin + e.absmax) / 2 end

-- How far along a ray a box is met; nil when it is not, or the ray begins in it.
local function meet(from, way, low, high)
  local near, far = 0, math.huge
  for _, axis in ipairs { "x", "y", "z" } do
    if math.abs(way[axis]) < 1e-9 then
      if from[axis] < low[axis] or from[axis] > high[axis] then return nil end
    else
      local a, b = (low[axis] - from[axis]) / way[axis], (high[axis] - from[axis]) / way[axis]
      near, far = math.max(near, math.min(a, b)), math.min(far, math.max(a, b))
    end
  end
  if near > far or near == 0 then return nil end
  return near
end

-- The nearest entity that a pixel shows: the box that is met first, no farther than the wall behind it.
function tool.pick(x, y)
  local width, height = screen[1], screen[2]
  local wide = math.tan(math.rad(lw.camera.fov) / 2)
  local way = (lw.camera.forward + lw.camera.right * ((2 * x / width - 1) * wide)
    - lw.camera.up * ((2 * y / height - 1) * wide * height / width)):normalized()
  local seen = lw.trace.pick(x, y)
  local best, best_distance = seen and seen.entity or nil, seen and seen.distance + 1 or math.huge
  local smallest = best and #(best.maxs - best.mins) or math.huge
  for _, e in ipairs(lw.entities.all()) do
    if not e.is_player and e.classname ~= "worldspawn" and e.classname ~= "mover_trigger" then
      local low, high = box_of(e)
      local distance = meet(lw.camera.origin, way, low, high)
      local size = #(high - low)
      -- A small thing within the box of a large trigger is the one that is meant.
      if distance and distance < best_distance and size < smallest then best, smallest = e, size end
    end
  end
  return best
end

function tool.click(button, x, y, down)
  if button ~= 3 or not down then return false end
  chosen, edited = tool.pick(x, y), {}
  return true
end

function tool:fire()
  if chosen and chosen.valid then chosen:use(lw.player.entity) end
end

local function note(e, key, value)
  if e.lump then
    changes[e.lump] = changes[e.lump] or {}
    changes[e.lump][key] = value
  elseif born[e.index] then
    born[e.index].keys[key] = value
  end
end

-- A key is changed: the entity begins its life again with it.
function tool.set(e, key, value)
  e:set_key(key, value)
  note(e, key, value)
  e:restart()
end

-- A thousandth of a unit is as much as anybody builds: what a sine of 180 degrees leaves is 0.
local function rounded(x) return math.floor(x * 1000 + 0.5) / 1000 end
local function text_of(p) return ("%.9g %.9g %.9g"):format(rounded(p.x), rounded(p.y), rounded(p.z)) end

-- Moved to where it is built: movers move both their ends.
function tool.place(e, p)
  local by = p - e.origin
  local stored = (e:vector("origin") or lw.vec3(0, 0, 0)) + by
  tool.set(e, "origin", text_of(stored))
end

function tool.remove(e)
  if e.lump then gone[e.lump] = true else born[e.index] = nil end
  e:remove()
end

-- A copy of an entity, a little beside it.
function tool.copy(e)
  local keys = {}
  local entity = e.lump and lw.entities.lump(e.lump) or {}
  for _, pair in ipairs(entity) do keys[pair[1]] = pair[2] end
  for key, value in pairs(e.lump and changes[e.lump] or (born[e.index] or { keys = {} }).keys) do keys[key] = value end
  keys.origin = text_of((e:vector("origin") or lw.vec3(0, 0, 0)) + lw.vec3(32, 32, 0))
  local copy = lw.entities.spawn(keys)
  born[copy.index] = { entity = copy, keys = keys }
  return copy
end

-- The whole entity text with all that was changed.
function tool.text()
  local list = {}
  for i = 0, lw.entities.count() - 1 do
    if not gone[i] then list[#list + 1] = ent_text.changed(lw.entities.lump(i), changes[i]) end
  end
  for _, one in pairs(born) do
    if one.entity.valid then list[#list + 1] = ent_text.changed({}, one.keys) end
  end
  return ent_text.write(list)
end

-- Returns the file's name, or nil and why not.
function tool.save()
  local name = ("maps/%s.ent"):format(lw.map.name)
  local fine, text = pcall(tool.text)
  if not fine then return nil, text end
  local written, why = lw.fs.write(name, text)
  if not written then return nil, why end
  return name
end

function tool.draw()
  if not chosen or not chosen.valid then return end
  local low, high = box_of(chosen)
  lw.draw.box(low, high, BOX)
  lw.draw.text(middle(chosen) + lw.vec3(0, 0, (high.z - low.z) / 2 + 8), tostring(chosen), BOX)
  for _, other in ipairs(chosen.target and lw.entities.named(chosen.target) or {}) do lw.draw.arrow(middle(chosen), middle(other), TARGETS) end
end

local function say(result, why)
  state.said = result and "saved, and opened from now on: " .. result or why
end

-- Label, value, what to do with a new one. A text that is being typed is the new value when it is not the old one.
local function edit(e, key, value)
  local text, changed = lw.ui.input(key, edited[key] or value)
  edited[key] = text ~= value and text or nil
  if changed and text ~= value and not text:find('"') then
    tool.set(e, key, text)
    edited[key] = nil
  end
end

local function keys_panel(e)
  local shown, count = {}, 0
  local entity = e.lump and lw.entities.lump(e.lump) or {}
  for _, pair in ipairs(entity) do
    local key = pair[1]:lower()
    if not shown[key] and key ~= "classname" and count < MOST_KEYS then
      shown[key], count = true, count + 1
      edit(e, key, e:key(key, ""))
    end
  end
  for key in pairs(e.lump and changes[e.lump] or {}) do
    if not shown[key] then edit(e, key, e:key(key, "")) end
  end
  new_key = lw.ui.input("new key", new_key)
  if new_key ~= "" and lw.ui.button("add " .. new_key) then
    tool.set(e, new_key:lower(), "0")
    new_key = ""
  end
end

local function move_buttons(e)
  for _, row in ipairs { { "x", lw.vec3(8, 0, 0) }, { "y", lw.vec3(0, 8, 0) }, { "z", lw.vec3(0, 0, 8) } } do
    if lw.ui.button(row[1] .. " + 8") then tool.place(e, e.origin + row[2]) end
    if lw.ui.button(row[1] .. " - 8") then tool.place(e, e.origin - row[2]) end
  end
  if lw.ui.button("before the eye") then tool.place(e, e.origin + lw.camera.origin + lw.camera.forward * 96 - middle(e)) end
end

function tool.overlay(width, height)
  screen = { width, height }
  if not chosen then return hud.panel("top right", width, height, { "right mouse button: take an entity" }) end
  if not chosen.valid then
    chosen = nil
    return
  end
  local e = chosen
  lw.ui.panel(tostring(e), width - WIDTH - 10, 10, WIDTH)
  lw.ui.label(e.lump and ("number %d of the level's entity text"):format(e.lump) or "made by a script")
  lw.ui.label(("at %s%s"):format(text_of(e.origin), e.state and ", " .. e.state or ""))
  lw.ui.label(("%s, %s%s%s"):format(e.solid, e.visible and "seen" or "unseen", e:moving() and ", moves" or "", e.stopped and ", STOPPED by an error" or ""))
  if e.next_think > 0 then lw.ui.label(("thinks in %.1f s"):format(e.next_think - lw.time.now())) end
  keys_panel(e)
  if lw.ui.button("fire it") then tool:fire() end
  if lw.ui.button("touch it") then e:touch(lw.player.entity) end
  if lw.ui.button("hurt it") then e:hurt(10) end
  move_buttons(e)
  if lw.ui.button("copy it") then chosen = tool.copy(e) end
  if lw.ui.button("remove it") then tool.remove(e) end
  if lw.ui.button("save the level's entities") then say(tool.save()) end
  if state.said then lw.ui.label(state.said) end
end

return tool
