-- Draws a level by software with all sorts of settings and prints a hash of each picture: leafwalk exec draw.lua LEVEL.
local WIDTH, HEIGHT = 160, 100

local settings = {
  {}, { filter = "nearest" }, { divide = 8 }, { lighting = "pixel" }, { lighting = "cache", cache_mb = 0 }, { world = "zbuffer" }, { threads = 3 },
  { materials = false }, { materials = false, filter = "nearest", threads = 1 }, { models = "subdivision" }, { models = "mask" }, { models = "stack" },
  { code = "plain" }, { code = "sse2" },
}
local views = { "lit", "mip", "normal", "depth" }

local function hash(image)
  local sum = 0
  for y = 0, HEIGHT - 1 do
    for x = 0, WIDTH - 1 do
      local r, g, b = image:get(x, y)
      sum = (sum * 0x100000001b3) ~ (r << 16 | g << 8 | b)
    end
  end
  return ("%016x"):format(sum)
end

assert(lw.map.open(arg[1]))
lw.time.step(100)
local model = lw.draw.model_info "models/weapons2/rocketl/rocketl" and "models/weapons2/rocketl/rocketl"
local spots = lw.entities.find { classname = "info_player_.*", origin = true }

local function things(eye)
  local ahead = eye.origin + eye.forward * 60
  lw.lights.add { origin = ahead, radius = 150, color = "orange" }
  if model then lw.draw.models(model, { ahead, ahead + eye.right * 30, eye.origin + eye.forward * 15 - eye.up * 8 }, { angles = { 10, 30, 0 } }) end
  lw.draw.sprite("textures/missing", ahead + eye.right * 20, { 12, 8 }, { roll = 20 })
  lw.draw.text(ahead + eye.up * 12, "the same")
end

local soft, usual = lw.raster.soft, {}
for i, chosen in ipairs(settings) do
  for name, value in pairs(chosen) do usual[name], soft[name] = soft[name], value end
  local spot = lw.entities.lump(spots[(i - 1) % #spots + 1])
  local image = assert(lw.raster.render {
    rasterizer = "soft", origin = spot:vector "origin" + lw.vec3(0, 0, 26), angles = { i * 13 % 40 - 20, i * 47, i % 3 * 5 }, width = WIDTH, height = HEIGHT,
    view = views[(i - 1) % 7 + 1] or "lit", draw = things,
  })
  print(i, hash(image))
  for name in pairs(chosen) do soft[name] = usual[name] end
end
