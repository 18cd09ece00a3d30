-- Every item of the game: its models' materials look alike in both rasterizers, and are there at all.
local unit = require "luaunit"
local pickups = require "pickups"

TestItems = {}

local function picture(rasterizer, look)
  return assert(lw.raster.render {
    rasterizer = rasterizer, origin = { 1128, 1424, 98 }, angles = { 0, 225, 0 }, width = 240, height = 180,
    draw = look and function(eye)
      local at = eye.origin + eye.forward * (look.still and 110 or look.weapon and 30 or 60) - eye.up * (look.still and 40 or 4)
      for _, name in ipairs(look.models) do
        if lw.fs.exists(name .. ".md3") then lw.draw.model(name, { origin = at, angles = { 0, 200, 0 } }) end
      end
    end,
  })
end

-- Where the item is: how many pixels, and how far the two are apart in them, of 255.
local function compare(gl, soft, empty)
  local count, sum = 0, 0
  for y = 0, 179 do
    for x = 0, 239 do
      local r, g, b = gl:get(x, y)
      local r0, g0, b0 = empty:get(x, y)
      if r ~= r0 or g ~= g0 or b ~= b0 then
        local r1, g1, b1 = soft:get(x, y)
        count, sum = count + 1, sum + (math.abs(r - r1) + math.abs(g - g1) + math.abs(b - b1)) / 3
      end
    end
  end
  return count, sum / math.max(count, 1)
end

function TestItems:test_items_look_alike()
  if not lw.fs.exists "maps/oa_dm1.bsp" then return end    -- the items are those of OpenArena
  assert(lw.map.open "oa_dm1")
  local seen, empty = 0, picture("gl")
  for class, look in pairs(pickups.list) do
    if lw.fs.exists(look.models[1] .. ".md3") then
      local pixels, apart = compare(picture("gl", look), picture("soft", look), empty)
      unit.assertTrue(pixels > 200, ("%s: %d pixels"):format(class, pixels))
      unit.assertTrue(apart < 8, ("%s: %.2f apart"):format(class, apart))
      seen = seen + 1
    end
  end
  unit.assertTrue(seen >= 35, seen)
end

-- The cross and the sphere around it: neither is black, and the sphere lets the cross through.
function TestItems:test_the_mega_health_shines()
  if not lw.fs.exists "maps/oa_dm1.bsp" then return end
  assert(lw.map.open "oa_dm1")
  for _, rasterizer in ipairs { "gl", "soft" } do
    local shown, empty = picture(rasterizer, pickups.list.item_health_mega), picture(rasterizer)
    local blue, dark, changed = 0, 0, 0
    for y = 0, 179 do
      for x = 0, 239 do
        local r, g, b = shown:get(x, y)
        local r0, g0, b0 = empty:get(x, y)
        if r ~= r0 or g ~= g0 or b ~= b0 then
          changed = changed + 1
          if b > r + 60 and b > 100 then blue = blue + 1 end
          if r + g + b < 30 then dark = dark + 1 end
        end
      end
    end
    unit.assertTrue(changed > 400, ("%s: %d"):format(rasterizer, changed))
    unit.assertTrue(blue > changed / 4, ("%s: %d blue ones of %d"):format(rasterizer, blue, changed))
    unit.assertTrue(dark < changed / 20, ("%s: %d dark ones of %d"):format(rasterizer, dark, changed))
  end
end
