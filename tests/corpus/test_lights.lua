-- Dynamic lights on the materials of a real level: alike in both rasterizers, whatever stages a material has.
local unit = require "luaunit"

TestLights = {}

local function at(origin, angles) return { origin = origin, angles = angles } end

local levels = {
  oa_dm1 = { at({ 1128, 1424, 98 }, { 0, 225, 0 }), at({ -560, 768, 50 }, { 15, 0, 0 }), at({ 324, 1156, 50 }, { -10, 180, 0 }), at({ 500, 1400, 100 }, { 30, 90, 0 }) },
  oasago2 = { at({ -588, 1132, 158 }, { 0, 0, 0 }), at({ -1088, 196, 66 }, { 15, 0, 0 }), at({ -1984, -892, 66 }, { -10, 0, 0 }) },
  aggressor = false,    -- of nexuiz: its light lies beside it, in pictures
  silvercity = false,
}

local function starts()    -- the first places where players begin
  local out = {}
  for i = 0, lw.entities.count() - 1 do
    local entity = lw.entities.lump(i)
    if entity.classname == "info_player_deathmatch" and #out < 4 then out[#out + 1] = at(entity:vector "origin" + lw.vec3(0, 0, 40), { 5, tonumber(entity.angle or 0), 0 }) end
  end
  return out
end

local function picture(rasterizer, view, lit)
  return assert(lw.raster.render {
    rasterizer = rasterizer, origin = view.origin, angles = view.angles, width = 320, height = 180,
    draw = lit and function(eye)
      lw.lights.add { origin = eye.origin + eye.forward * 100, radius = 400, color = { 0.2, 0.6, 1 } }
      lw.lights.add { origin = eye.origin + eye.forward * 200 + eye.right * 100, radius = 200, color = { 1, 0.2, 0.1 } }
    end or nil,
  })
end

function TestLights:test_lights_look_alike()
  for level, views in pairs(levels) do
    if lw.fs.exists("maps/" .. level .. ".bsp") then
      assert(lw.map.open(level))
      for i, view in ipairs(views or starts()) do
        local gl, soft = picture("gl", view, true), picture("soft", view, true)
        local diff, dark = gl:diff(soft), picture("gl", view):diff(picture("soft", view))
        -- what filtering makes of fine layers differs as much more as they are brighter
        unit.assertTrue(diff.ssim > dark.ssim - 0.03 and diff.error < dark.error * 2 + 1, ("%s, view %d: SSIM %.4f, error %.2f, without lights %.4f, %.2f"):format(level, i, diff.ssim, diff.error, dark.ssim, dark.error))
        unit.assertTrue(gl:diff(picture("gl", view)).error > 1, level .. ", view " .. i)
      end
    end
  end
end
