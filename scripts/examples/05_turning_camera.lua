-- A camera of our own: it circles what was in front of the eye. K stops and starts it. Setting the eye owns it.
local turning = { keys = { k = "stop" } }

local SECONDS, AWAY = 20, 160    -- for one turn; units from the middle
local state

function turning.load(saved)
  state = saved
  state.angle = state.angle or 0
end

function turning.map() state.middle = lw.camera.origin + lw.camera.forward * 64 end

function turning:stop()
  state.stopped = not state.stopped
  if state.stopped then lw.camera.free() end
end

function turning.update(dt)
  if state.stopped or not state.middle then return end
  state.angle = state.angle + dt * 2 * math.pi / SECONDS
  local out = lw.vec3(math.cos(state.angle), math.sin(state.angle), 0.3)
  lw.camera.origin = state.middle + out * AWAY
  lw.camera.look_at(state.middle)
end

function turning.draw()
  if state.middle then lw.draw.sphere(state.middle, 8, { color = "orange" }) end
end

function turning.unload() lw.camera.free() end

return turning
