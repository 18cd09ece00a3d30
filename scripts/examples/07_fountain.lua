-- A fountain of sparks and a light that turns around it, before the place where the eye began.
local fountain = {}

local place, light

function fountain.map()
  local yaw = math.rad(lw.camera.angles.y)
  place = lw.camera.origin + lw.vec3(160 * math.cos(yaw), 160 * math.sin(yaw), -30)
  light = lw.lights.new { origin = place, radius = 250, color = "orange" }
end

function fountain.update(dt)
  lw.particles.emit {
    origin = place, velocity = { 0, 0, 260 }, spread = 60, gravity = 400, count = math.floor(dt * 900 + 0.5),
    life = 1.4, life_spread = 0.5, size = 3, size_to = 1, color = "yellow", color_to = "#ff300000",
  }
  local turn = lw.time.now() * 3
  light.origin = place + lw.vec3(60 * math.cos(turn), 60 * math.sin(turn), 30)
end

return fountain
