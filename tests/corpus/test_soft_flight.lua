-- Random eyes in every installed level, with any setting of the software rasterizer: each pixel is drawn once, and the
-- picture is that of one thread and plain code, and of spans that are counted. LEAFWALK_FLIGHT says for how many seconds.
local lu = require "luaunit"

local SECONDS = tonumber(os.getenv("LEAFWALK_FLIGHT") or "") or 20
local FRAMES = 12    -- in a level, before the next one

local settings = {
  filter = { "nearest", "bilinear" }, divide = { "8", "16" }, lighting = { "auto", "cache", "pixel" }, world = { "spans", "zbuffer" },
  code = { "auto", "plain", "sse2", "avx2" }, threads = { 1, 2, 3, 5 }, cache_mb = { 0, 1, 64 }, materials = { true, true, false },
  models = { "auto", "affine", "subdivision", "mask", "stack" },
}
local views = {
  "lit", "lit", "lit", "lit", "texture", "lightmap", "cluster", "face", "depth", "normal", "overdraw", "mip", "wire", "spans", "edges",
}

local function one_of(list) return list[math.random(#list)] end

local function around(p, far) return p + lw.vec3(math.random(-far, far), math.random(-far, far), math.random(-far, far)) end

local function random_eye()
  local spots = lw.entities.find { classname = one_of { "info_player_.*", "item_.*", "weapon_.*", "light" } }
  local spot = #spots > 0 and lw.entities.lump(one_of(spots)):vector("origin") or lw.vec3()
  local reach = math.random(20)
  return around(spot + lw.vec3(0, 0, 26), reach == 1 and 100000 or reach < 6 and 800 or 40)
end

local function random_size()
  local kind = math.random(10)
  if kind == 1 then return math.random(4), math.random(4) end
  return kind < 9 and math.random(5, 400) or math.random(400, 1500), math.random(5, 260)
end

local models    -- of the game: a few

local function choose_models()
  local files = lw.fs.list("models", ".md3")
  table.sort(files)
  models = {}
  for i = 1, math.min(16, #files) do models[i] = files[(i * 7919) % #files + 1] end
  lu.assertTrue(#models > 0)
end

local function draw_models(seed, ahead)
  for i = 0, seed % 3 do    -- some stand in the eye, some are huge, some are none
    lw.draw.model(models[(seed + i) % #models + 1], { origin = ahead + lw.vec3(i * 40 - 40, seed % 50, 0), angles = { seed % 90, seed % 360, i * 30 }, scale = i == 2 and 1 + seed % 20 or nil })
  end
end

local function draw_sprites(seed, ahead)
  for i = 0, seed % 5 do
    lw.draw.sprite(i % 2 == 0 and "textures/missing" or "flareShader", ahead + lw.vec3(i * 10, 0, i * 5), { 30 + seed % 400, 20 }, {
      angles = i % 3 == 0 and { seed % 180 - 90, seed % 360, 0 } or nil, blend = seed % 2 == 0 and "add" or nil, roll = i % 3 ~= 0 and seed % 90 or nil,
      xray = i == 4, color = { 1, 0.5, 0.2, 0.7 },
    })
  end
end

-- The same things each time that it is asked to draw.
local function things(seed)
  return function(eye)
    local ahead = eye.origin + eye.forward * (10 + seed % 300)
    if seed % 3 == 0 then lw.lights.add { origin = ahead, radius = 50 + seed % 500, color = "orange" } end
    for i = 1, seed % 11 == 0 and 80 or 0 do lw.lights.add { origin = ahead + lw.vec3(i % 9 * 30, i % 7 * 30, 0), radius = 20 + i * 7, color = { i % 4, 0.5, 1 } } end
    if seed % 4 == 0 then lw.draw.box(ahead - lw.vec3(20, 20, 20), ahead + lw.vec3(30, 10, 20), { color = { 1, 0, 0, 0.5 }, fill = true }) end
    if seed % 5 == 0 then lw.draw.sphere(ahead, 40, { color = "white", xray = seed % 2 == 0 }) end
    if seed % 6 == 0 then draw_sprites(seed, ahead) end
    if seed % 7 == 0 then lw.draw.text(ahead, "flight") end
    if seed % 2 == 0 then draw_models(seed, ahead) end
  end
end

local function add_particles(origin)
  if math.random(5) == 1 then lw.particles.emit { origin = around(origin, 100), count = math.random(2000), spread = math.random(300), size = math.random(20), life = 5 } end
end

-- Counted spans are drawn in one piece, from lists alone; a row has its spans side by side.
local function watch(what, picture, where)
  local soft = lw.raster.soft
  soft.stop_after(0x7fffffff)
  lu.assertEquals(picture:diff(assert(lw.raster.render(what))).max, 0, where)
  soft.stop_after(math.random(0, 300))
  assert(lw.raster.render(what))
  soft.stop_after()
  local line, x = soft.scanline(math.random(0, what.height - 1)), 0    -- nil: not drawn by spans
  for _, span in ipairs(line and line.spans or {}) do
    lu.assertTrue(span.x0 >= x and span.x1 > span.x0 and span.x1 <= what.width, where)
    x = span.x1
  end
end

local function fly(name, frame)
  for key, values in pairs(settings) do lw.raster.soft[key] = one_of(values) end
  local width, height = random_size()
  local what = {
    rasterizer = "soft", origin = random_eye(), angles = { math.random(-90, 90), math.random(0, 359), math.random(4) == 1 and math.random(-180, 180) or 0 },
    fov = math.random(6) == 1 and math.random(1, 170) or 90, width = width, height = height, view = one_of(views), draw = things(math.random(1000)),
  }
  add_particles(what.origin)
  lw.console.run("r.flares " .. math.random(0, 1))
  local picture = assert(lw.raster.render(what))
  local stats = lw.raster.soft.stats()
  lu.assertTrue(picture.width == width and picture.height == height)
  if what.view ~= "overdraw" and what.view ~= "wire" then
    lu.assertTrue(stats.spans == 0 or stats.overdraw == 1, ("%s, frame %d: overdraw %s"):format(name, frame, stats.overdraw))
  end
  if frame % 4 == 0 then
    local was = { lw.raster.soft.code, lw.raster.soft.threads }
    lw.raster.soft.code, lw.raster.soft.threads = "plain", 1
    local again = assert(lw.raster.render(what))
    lu.assertEquals(picture:diff(again).max, 0, ("%s, frame %d: %s with %s threads"):format(name, frame, was[1], was[2]))
  end
  if frame % 6 == 1 then watch(what, picture, ("%s, frame %d: watched"):format(name, frame)) end
end

TestSoftFlight = {}

function TestSoftFlight.test_random_flight_breaks_nothing()
  local levels = {}
  for _, file in ipairs(lw.fs.list("maps", ".bsp")) do levels[#levels + 1] = file:match("^maps/([^/]+)%.bsp$") end
  lu.assertTrue(#levels > 10)
  choose_models()
  local seed = tonumber(os.getenv("LEAFWALK_SEED") or "") or 1
  math.randomseed(seed)
  local ends, frames, seen = os.time() + SECONDS, 0, 0
  while os.time() < ends do
    local name = one_of(levels)
    lu.assertTrue(lw.map.open(name))
    seen = seen + 1
    local light = lw.lights.new { origin = random_eye(), radius = math.random(2000), color = { math.random(), math.random(), math.random() * 3 } }    -- while it is held
    for frame = 1, FRAMES do
      lw.time.step(math.random(20))
      fly(name, frame)
      frames = frames + 1
    end
    light:remove()
    lw.particles.clear()
  end
  lw.console.run("r.flares 0")
  print(("%d frames in %d levels"):format(frames, seen))
end
