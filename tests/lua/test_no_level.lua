-- While no level is open, what needs one says so, and all else answers.
local unit = require "luaunit"

TestNoLevel = {}

function TestNoLevel:test_there_is_no_level() unit.assertNil(lw.map.name) end

function TestNoLevel:test_questions_to_a_level_say_that_they_need_one()
  local asked = 0
  for _, module in ipairs { "bsp", "vis" } do
    for name, call in pairs(lw[module]) do
      if name ~= "mode" and name ~= "load_portals" then    -- which need none
        local fine, message = pcall(call, 0, 0, 0, 0, 0, 0)
        unit.assertFalse(fine, name)
        unit.assertStrContains(message, "needs a map")
        unit.assertStrContains(message, ("lw.%s.%s"):format(module, name))
        asked = asked + 1
      end
    end
  end
  unit.assertTrue(asked > 40)
  for _, call in ipairs { lw.map.info, lw.map.bounds, lw.map.reload, lw.entities.text, lw.entities.count, lw.draw.cluster } do
    local fine, message = pcall(call, 0)
    unit.assertFalse(fine)
    unit.assertStrContains(message, "needs a map")
  end
end

function TestNoLevel:test_what_needs_no_level_works()
  unit.assertEquals(lw.vis.mode(), "pvs")
  unit.assertEquals(tostring(lw.camera.origin), "vec3(0 0 0)")
  lw.draw.line(0, 0, 0, 1, 1, 1)
  lw.draw.text(lw.camera.origin + lw.camera.forward * 100, "nobody sees this")
  lw.ui.text(0, 0, "nor this")
  local image = assert(lw.raster.render { width = 16, height = 16, rasterizer = "soft" })
  unit.assertEquals({ image:get(8, 8) }, { 0, 0, 0, 255 })
  local other = assert(lw.map.load("rooms"))
  unit.assertTrue(other.vis.clusters() > 0)
  unit.assertNil(lw.map.name)
end
