-- Mirrors and remote cameras of real levels show something else than the wall behind them.
local unit = require "luaunit"

local views = {
  { map = "oa_dm1", origin = { 380, 1640, -70 }, angles = { 0, 200, 0 }, material = "textures/common/portal" },
  { map = "oa_dm3", origin = { 1290, -880, 10 }, angles = { 0, 190, 0 }, material = "textures/acc_dm3/fx_portal" },
}

TestPortals = {}

local function picture(view, rasterizer)
  return assert(lw.raster.render { rasterizer = rasterizer or "gl", origin = view.origin, angles = view.angles, width = 96, height = 64 })
end

function TestPortals:test_what_is_seen_in_them_is_lit()
  for _, view in ipairs(views) do
    if lw.fs.exists("maps/" .. view.map .. ".bsp") then
      assert(lw.map.open(view.map))
      local seen = picture(view)
      lw.assets.override(view.material, "{ { map $whiteimage\nrgbGen const ( 1 0 1 )\n} }")    -- marks the pixels
      local marked = picture(view)
      lw.assets.override(view.material, "{ portal\n{ map $whiteimage\nblendFunc GL_ZERO GL_ONE\ndepthWrite\n} }")    -- nothing over it
      local bare = picture(view)
      lw.assets.override(view.material, nil)
      local count, bright = 0, 0
      for y = 0, 63 do
        for x = 0, 95 do
          local r, g, b = marked:get(x, y)
          if r == 255 and g == 0 and b == 255 then
            local red, green, blue = bare:get(x, y)
            count, bright = count + 1, bright + red + green + blue
          end
        end
      end
      unit.assertTrue(count > 300, view.map)
      unit.assertTrue(bright / count > 30, view.map .. ": " .. bright / count)
      unit.assertEquals(picture(view):diff(seen).max, 0)
    end
  end
end

function TestPortals:test_both_rasterizers_show_the_same()
  for _, view in ipairs(views) do
    if lw.fs.exists("maps/" .. view.map .. ".bsp") then
      assert(lw.map.open(view.map))
      local difference = picture(view):diff(picture(view, "soft"))
      unit.assertTrue(difference.ssim > 0.97, view.map .. ": " .. difference.ssim)
      unit.assertTrue(difference.error < 3, view.map .. ": " .. difference.error)
    end
  end
end

-- What stands beside the eye is seen in the mirror alone: a lamp's picture, and particles.
function TestPortals:test_sprites_and_particles_stand_in_mirrors()
  if not lw.fs.exists "maps/oa_dm1.bsp" then return end
  assert(lw.map.open "oa_dm1")
  local rasterizer
  local function mirror(draw)
    return assert(lw.raster.render { rasterizer = rasterizer, origin = { 380, 1640, -70 }, angles = { 0, 200, 0 }, width = 160, height = 100, draw = draw })
  end
  local function changed(a, b)
    local count = 0
    for y = 0, 99 do
      for x = 0, 159 do
        local r, g, b0 = a:get(x, y)
        local r1, g1, b1 = b:get(x, y)
        if math.abs(r - r1) + math.abs(g - g1) + math.abs(b0 - b1) > 60 then count = count + 1 end
      end
    end
    return count
  end
  local half = lw.raster.render { rasterizer = "soft", origin = { 0, 0, 0 }, angles = { 0, 0, 0 }, width = 64, height = 64,    -- white on its left alone
    draw = function() lw.draw.box({ 10, 1, -20 }, { 12, 20, 20 }, { color = "white", fill = true, xray = true }) end }
  local pictures = {}
  for _, name in ipairs { "gl", "soft" } do
    rasterizer = name
    local empty = mirror()
    local function sprite(style) return mirror(function() lw.draw.sprite(half, { 413, 1550, -70 }, 40, style) end) end
    unit.assertTrue(changed(empty, sprite { color = "green" }) > 50, name)
    unit.assertEquals(changed(empty, sprite { color = "green", xray = true }), 0, name)
    pictures[name] = sprite {}
    lw.particles.at({ life = 10, size = 20, color = "green" }, { 413, 1550, -70 })
    unit.assertTrue(changed(empty, mirror()) > 10, name)
    lw.particles.clear()
    unit.assertEquals(changed(empty, mirror()), 0, name)
  end
  unit.assertTrue(changed(pictures.gl, pictures.soft) < 40, "differ: " .. changed(pictures.gl, pictures.soft))
end

-- What was seen through them is of one frame: the next one may not draw it.
function TestPortals:test_without_materials_the_faces_themselves_are_seen()
  local function plain(view)
    lw.console.run("soft.materials 0")
    local out = picture(view, "soft")
    lw.console.run("soft.materials 1")
    return out
  end
  for _, view in ipairs(views) do
    if lw.fs.exists("maps/" .. view.map .. ".bsp") then
      assert(lw.map.open(view.map))
      local before = plain(view)
      picture(view, "soft")
      unit.assertEquals(plain(view):diff(before).max, 0, view.map)
    end
  end
end
