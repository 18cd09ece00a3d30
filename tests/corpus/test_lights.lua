-- Dynamic lights on the materials of a real level: alike in both rasterizers, whatever stages a material has.
local unit = require "luaunit"

TestLights = {}

local views = {
  { origin = { 1128, 1424, 98 }, angles = { 0, 225, 0 } }, { origin = { -560, 768, 50 }, angles = { 15, 0, 0 } },
  { origin = { 324, 1156, 50 }, angles = { -10, 180, 0 } }, { origin = { 500, 1400, 100 }, angles = { 30, 90, 0 } },
}

local function picture(rasterizer, view, lit)
  return assert(lw.raster.render {
    rasterizer = rasterizer, origin = view.origin, angles = view.angles, width = 320, height = 180,
    draw = lit and function(eye)
      lw.lights.add { origin = eye.origin + eye.forward * 100, radius = 400, color = { 0.2, 0.6, 1 } }
      lw.lights.add { origin = eye.origin + eye.forward * 200 + eye.right * 100, radius = 200, color = { 1, 0.2, 0.1 } }
    end,
  })
end

function TestLights:test_lights_look_alike()
  if not lw.fs.exists "maps/oa_dm1.bsp" then return end
  assert(lw.map.open "oa_dm1")
  for i, view in ipairs(views) do
    local gl = picture("gl", view, true)
    local diff = gl:diff(picture("soft", view, true))
    unit.assertTrue(diff.ssim > 0.97 and diff.error < 1.6, ("view %d: SSIM %.4f, error %.2f"):format(i, diff.ssim, diff.error))
    unit.assertTrue(gl:diff(picture("gl", view)).error > 1.5, "view " .. i)
  end
end
