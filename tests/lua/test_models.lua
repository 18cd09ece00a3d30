-- lw.draw's models and sprites, lw.particles and lw.lights: what they take, what they refuse, what comes of it.
local unit = require "luaunit"
local rooms = require "rooms"

TestModels = {}

function TestModels:setUp() rooms.open() end

function TestModels:test_a_model_that_is_not_there_is_told_not_raised()
  local drawn, why = lw.draw.model "models/nothing"
  unit.assertNil(drawn)
  unit.assertStrContains(why, "models/nothing.md3: no such file")
  unit.assertNil((lw.draw.models("models/nothing", {})))
  unit.assertNil((lw.draw.model_info "models/nothing"))
  unit.assertNil((lw.draw.tag("models/nothing", "tag_x")))
  unit.assertNil((lw.draw.model "../../etc/passwd"))
  unit.assertStrContains(rooms.refusal(lw.draw.model), "lw.draw.model")
  unit.assertStrContains(rooms.refusal(lw.draw.model, 7), "lw.draw.model")
end

function TestModels:test_sprites_take_points_and_sizes()
  local dot = lw.raster.render { rasterizer = "soft", width = 4, height = 4 }
  lw.draw.sprite(dot, rooms.first, 8)
  lw.draw.sprite(dot, rooms.first, { 8, 4 }, { color = "red", blend = "add", roll = 45 })
  lw.draw.sprite(dot, 1, 2, 3, 8, { angles = { 0, 90, 0 }, xray = true })
  lw.draw.sprites(dot, { rooms.first, rooms.bend }, 4)
  lw.draw.sprites(dot, { 1, 2, 3, 4, 5, 6 }, 4)
  unit.assertStrContains(rooms.refusal(lw.draw.sprite, dot, rooms.first, -1), "size")
  unit.assertStrContains(rooms.refusal(lw.draw.sprite, dot, rooms.first, { 3 }), "size")
  unit.assertStrContains(rooms.refusal(lw.draw.sprite, dot, rooms.first, 0 / 0), "size")
  unit.assertStrContains(rooms.refusal(lw.draw.sprite, dot, rooms.first, 8, { roll = "x" }), "roll")
  unit.assertStrContains(rooms.refusal(lw.draw.sprite, dot, rooms.first, 8, { angles = 5 }), "angles")
  unit.assertStrContains(rooms.refusal(lw.draw.sprite, {}, rooms.first, 8), "lw.draw.sprite")
  unit.assertStrContains(rooms.refusal(lw.draw.sprites, dot, { 1, 2 }, 8), "three a point")
end

function TestModels:test_particles_live_as_long_as_the_clock_says()
  lw.particles.clear()
  unit.assertEquals(lw.particles.emit { origin = rooms.first, count = 500, life = 0.5, spread = 10 }, 500)
  unit.assertEquals(lw.particles.at({ life = 2, size = 3 }, { rooms.first, rooms.bend }), 2)
  unit.assertEquals(lw.particles.at({ life = 2 }, { 1, 2, 3, 4, 5, 6, 7, 8, 9 }), 3)
  unit.assertEquals(lw.particles.count(), 505)
  lw.time.step(125)
  unit.assertEquals(lw.particles.count(), 5)
  lw.time.step(250)
  unit.assertEquals(lw.particles.count(), 0)
  unit.assertEquals(lw.particles.emit { count = 0 }, 0)
end

function TestModels:test_there_is_an_end_to_particles()
  lw.particles.clear()
  local most = lw.particles.emit { count = 1024 * 1024 }
  unit.assertEquals(most, 1024 * 1024)
  unit.assertEquals(lw.particles.emit { count = 5 }, 0)
  lw.particles.clear()
  unit.assertEquals(lw.particles.count(), 0)
end

function TestModels:test_nonsense_of_particles_is_refused()
  unit.assertStrContains(rooms.refusal(lw.particles.emit), "table")
  unit.assertStrContains(rooms.refusal(lw.particles.emit, { origin = 3 }), "origin")
  unit.assertStrContains(rooms.refusal(lw.particles.emit, { life = 0 / 0 }), "life")
  unit.assertStrContains(rooms.refusal(lw.particles.emit, { size = -1 }), "size")
  unit.assertStrContains(rooms.refusal(lw.particles.emit, { count = 1e9 }), "count")
  unit.assertStrContains(rooms.refusal(lw.particles.emit, { life_spread = 2 }), "life_spread")
  unit.assertStrContains(rooms.refusal(lw.particles.at, {}, { 1 }), "three a point")
end

function TestModels:test_lights_stay_while_they_are_held()
  lw.lights.clear()
  local light = lw.lights.new { origin = rooms.first, radius = 100, color = "red" }
  unit.assertEquals(lw.lights.count(), 1)
  light.origin = { 1, 2, 3 }
  light.radius = 7
  light.color = { 0, 1, 0 }
  unit.assertEquals(light.origin, lw.vec3(1, 2, 3))
  unit.assertEquals(light.radius, 7)
  unit.assertEquals(light.color[2], 1)
  unit.assertTrue(light:alive())
  light:remove()
  light:remove()
  unit.assertFalse(light:alive())
  unit.assertStrContains(rooms.refusal(function() return light.radius end), "removed")
  unit.assertStrContains(rooms.refusal(function() light.radius = 3 end), "removed")
  local second = lw.lights.new { origin = rooms.first }
  unit.assertFalse(light:alive())    -- though the second has its place
  second = nil
  collectgarbage()
  unit.assertEquals(lw.lights.count(), 0)
  local third = lw.lights.new { origin = rooms.first }
  rooms.open()
  unit.assertFalse(third:alive())
end

function TestModels:test_nonsense_of_lights_is_refused()
  unit.assertStrContains(rooms.refusal(lw.lights.add), "origin")
  unit.assertStrContains(rooms.refusal(lw.lights.add, {}), "no origin")
  unit.assertStrContains(rooms.refusal(lw.lights.add, { origin = rooms.first, radius = 0 }), "radius")
  unit.assertStrContains(rooms.refusal(lw.lights.add, { origin = rooms.first, radius = 1 / 0 }), "radius")
  unit.assertStrContains(rooms.refusal(lw.lights.add, { origin = 5 }), "origin")
  local light = lw.lights.new { origin = rooms.first }
  unit.assertStrContains(rooms.refusal(function() light.power = 3 end), "power")
  unit.assertNil(light.power)
end

function TestModels:test_a_picture_can_have_what_a_function_draws()
  local seen
  local look = { rasterizer = "soft", origin = rooms.first, angles = { 0, 0, 0 }, width = 32, height = 24 }
  local before = lw.raster.render(look)
  look.draw = function(view)
    seen = view
    lw.draw.box(view.origin + view.forward * 40 - lw.vec3(20, 20, 20), view.origin + view.forward * 40 + lw.vec3(20, 20, 20),
      { color = "#00ff00", fill = true, xray = true })
  end
  local after = lw.raster.render(look)
  unit.assertEquals(seen.origin, rooms.first)
  local _, green = after:get(16, 12)
  unit.assertEquals(green, 255)
  look.draw = function() error("on purpose") end
  unit.assertStrContains(rooms.refusal(lw.raster.render, look), "on purpose")
  look.draw = function() lw.map.open "rooms" end
  unit.assertFalse((pcall(lw.raster.render, look)))
  look.draw = nil
  unit.assertEquals(lw.raster.render(look):diff(before).max, 0)
  look.draw = 5
  unit.assertStrContains(rooms.refusal(lw.raster.render, look), "draw")
end
