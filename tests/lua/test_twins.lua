-- Models, sprites, particles and lights look alike with both rasterizers.
local unit = require "luaunit"
local rooms = require "rooms"

TestTwins = {}

-- An MD3 of one surface: a ball of `rings` by twice as many, 16 units in radius, in one frame.
local function ball(rings, shader_name)
  local around = rings * 2
  local vertices, triangles, uvs = {}, {}, {}
  for i = 0, rings do
    for k = 0, around do
      local polar, yaw = math.pi * i / rings, 2 * math.pi * k / around
      local function whole(x) return math.floor(x * 64 * 16 + 0.5) end
      local normal = (math.floor(yaw * 128 / math.pi) % 256) * 256 + math.min(math.floor(polar * 128 / math.pi), 255)
      vertices[#vertices + 1] = string.pack("<hhhH", whole(math.sin(polar) * math.cos(yaw)), whole(math.sin(polar) * math.sin(yaw)), whole(math.cos(polar)), normal)
      uvs[#uvs + 1] = string.pack("<ff", k / around * 2, i / rings)
      if i < rings and k < around then
        local a = i * (around + 1) + k
        local c = a + around + 1
        triangles[#triangles + 1] = string.pack("<iii", a, a + 1, c + 1)
        triangles[#triangles + 1] = string.pack("<iii", a, c + 1, c)
      end
    end
  end
  local shader = string.pack("<c64i", shader_name or "textures/rooms/crate", 0)
  local head, st = 108 + #shader, #table.concat(triangles)
  local body = shader .. table.concat(triangles) .. table.concat(uvs) .. table.concat(vertices)
  local surface = string.pack("<c4c64iiiiiiiiii", "IDP3", "ball", 0, 1, 1, #vertices, #triangles, head, 108, head + st,
    head + st + #table.concat(uvs), 108 + #body) .. body
  local frame = string.pack("<fffffffffffc16", -16, -16, -16, 16, 16, 16, 0, 0, 0, 16, 0, ""):sub(1, 40) .. ("\0"):rep(16)
  return string.pack("<c4ic64iiiiiiiii", "IDP3", 15, "ball", 0, 1, 0, 1, 0, 108, 164, 164, 164 + #surface) .. frame .. surface
end

function TestTwins:setUp()
  rooms.open()
  assert(lw.fs.write("models/test/ball.md3", ball(12)))
end

local function render(rasterizer, view)
  return lw.raster.render {
    rasterizer = rasterizer, origin = rooms.first, angles = { 5, 30, 0 }, width = 320, height = 240, view = view,
    draw = function(eye)
      local ahead = eye.origin + eye.forward * 90
      lw.lights.add { origin = ahead + lw.vec3(0, 0, 20), radius = 160, color = "orange" }
      assert(lw.draw.model("models/test/ball", { origin = ahead - eye.right * 25, angles = { 20, 40, 10 } }))
      assert(lw.draw.model("models/test/ball", { origin = eye.origin + eye.forward * 14 + eye.right * 18 }))
      assert(lw.draw.models("models/test/ball", { ahead + eye.up * 30, ahead + eye.right * 50 + eye.forward * 60 }, { scale = 0.4, yaws = { 10, 80 } }) == 2)
      lw.draw.sprite("textures/rooms/lamp", ahead + eye.right * 30, { 20, 10 }, { roll = 30 })
    end,
  }
end

function TestTwins:test_models_look_alike()
  if not lw.raster.render { rasterizer = "gl", width = 8, height = 8 } then return end    -- no OpenGL here
  for _, view in ipairs { "lit", "texture", "lightmap", "depth" } do
    local diff = render("gl", view):diff(render("soft", view))
    unit.assertTrue(diff.ssim > 0.96, ("%s: SSIM %.4f"):format(view, diff.ssim))
  end
end

local crate, lamp, floor = "map textures/rooms/crate\n", "map textures/rooms/lamp\n", "map textures/rooms/floor\n"
local materials = {
  { "lit", "{ " .. crate .. "rgbGen lightingDiffuse\n}" },
  { "bright", "{ " .. crate .. "}" },
  { "mirror", "{ " .. floor .. "tcGen environment\n}" },
  { "two stages", "{ " .. crate .. "rgbGen lightingDiffuse\n}\n{ " .. lamp .. "blendFunc add\ntcGen environment\ntcMod rotate 30\n}" },
  { "filter", "{ " .. crate .. "}\n{ " .. floor .. "blendFunc filter\ntcMod scroll 0.3 0.1\n}" },
  { "glow", "{ " .. lamp .. "blendFunc add\nrgbGen wave sin 0.5 0.5 0 1\ntcMod turb 0 0.1 0 0.3\n}" },
  { "glass", "{ " .. lamp .. "blendFunc blend\nalphaGen const 0.4\n}\n{ " .. floor .. "blendFunc GL_ONE GL_ONE_MINUS_SRC_COLOR\ntcGen environment\n}" },
  { "shell", "deformVertexes wave 100 sin 2 1 0 0.5\n{ " .. lamp .. "blendFunc add\ntcMod scale 3 3\n}" },
  { "bulge", "deformVertexes bulge 3 3 2\n{ " .. crate .. "rgbGen lightingDiffuse\n}" },
  { "both sides", "cull none\n{ " .. crate .. "blendFunc GL_DST_COLOR GL_SRC_COLOR\n}" },
  { "clamped", "{ clampmap textures/rooms/crate\nrgbGen lightingDiffuse\ntcMod scale 2 2\n}" },
  { "back", "cull back\n{ " .. crate .. "rgbGen const ( 0.2 0.9 0.4 )\n}" },
}

local function dressed(rasterizer, drawer)
  if drawer then lw.raster.soft.models = drawer end
  return lw.raster.render {
    rasterizer = rasterizer, origin = rooms.first, angles = { 5, 30, 0 }, width = 320, height = 240,
    draw = function(eye)
      assert(lw.draw.model("models/test/dressed", { origin = eye.origin + eye.forward * 60 - eye.right * 12 }))
      assert(lw.draw.model("models/test/dressed", { origin = eye.origin + eye.forward * 60 + eye.right * 14, angles = { 0, 70, 0 }, scale = 0.5 }))
    end,
  }
end

-- As they are at the same time, in every way of drawing triangles.
function TestTwins:test_materials_of_models_look_alike()
  assert(lw.fs.write("models/test/dressed.md3", ball(12, "models/test/cloth")))
  local has_gl = lw.raster.render { rasterizer = "gl", width = 8, height = 8 } ~= nil
  local pictures = {}
  for _, material in ipairs(materials) do
    local name, text = material[1], material[2]
    lw.assets.override("models/test/cloth", "{\n" .. text .. "\n}")
    local soft = dressed("soft", "affine")
    for other, picture in pairs(pictures) do
      unit.assertTrue(soft:diff(picture).error > 0.05, name .. " looks like " .. other)
    end
    pictures[name] = soft
    unit.assertTrue(dressed("soft", "stack"):diff(soft).error < 0.2, name)    -- triangles in another order: it shows where they blend over one another
    unit.assertTrue(dressed("soft", "mask"):diff(soft).ssim > 0.9, name)
    unit.assertTrue(dressed("soft", "subdivision"):diff(soft).ssim > 0.9, name)
    if has_gl then
      local diff = dressed("gl"):diff(soft)
      unit.assertTrue(diff.ssim > 0.96 and diff.error < 1.5, ("%s: SSIM %.4f, error %.2f"):format(name, diff.ssim, diff.error))
    end
  end
  lw.assets.override("models/test/cloth", nil)
  lw.raster.soft.models = "auto"
end

-- One that is offset hides another one in the very same place, whichever is drawn first, in every way of drawing triangles.
function TestTwins:test_polygon_offset_of_models()
  assert(lw.fs.write("models/test/dressed.md3", ball(12, "models/test/cloth")))
  lw.assets.override("models/test/cloth", "{\npolygonOffset\n{ " .. crate .. "rgbGen const ( 0.2 0.9 0.4 )\n}\n}")
  local function shown(rasterizer, names)
    return lw.raster.render {
      rasterizer = rasterizer, origin = rooms.first, angles = { 5, 30, 0 }, width = 160, height = 120,
      draw = function(eye)
        for name in names:gmatch "%a+" do assert(lw.draw.model("models/test/" .. name, { origin = eye.origin + eye.forward * 60, angles = { 20, 40, 10 } })) end
      end,
    }
  end
  for _, way in ipairs { "gl", "affine", "subdivision", "mask", "stack" } do
    local rasterizer = way == "gl" and way or "soft"
    if rasterizer == "soft" then lw.raster.soft.models = way end
    local alone = shown(rasterizer, "dressed")
    if not alone then goto continue end    -- no OpenGL here
    unit.assertTrue(alone:diff(shown(rasterizer, "ball")).max > 50, way)
    for _, names in ipairs { "ball dressed", "dressed ball" } do unit.assertEquals(alone:diff(shown(rasterizer, names)).max, 0, way .. ": " .. names) end
    ::continue::
  end
  lw.assets.override("models/test/cloth", nil)
  lw.raster.soft.models = "auto"
end

-- A light over the whole picture, one that reaches a part of it, and two that hardly overlap.
local lamps = {
  { { origin = rooms.first + lw.vec3(60, 60, 0), radius = 1500, color = { 0.5, 0.3, 0.2 } } },
  { { origin = rooms.first + lw.vec3(90, 50, -30), radius = 80, color = { 0, 0.8, 1 } } },
  { { origin = rooms.first + lw.vec3(120, 60, 20), radius = 120, color = "red" }, { origin = rooms.first + lw.vec3(40, 100, 0), radius = 90, color = "green" } },
}

local function lamp_lit(rasterizer, number, view)
  return lw.raster.render {
    rasterizer = rasterizer, origin = rooms.first, angles = { 5, 30, 0 }, width = 320, height = 240, view = view,
    draw = function() for _, lamp in ipairs(lamps[number]) do lw.lights.add(lamp) end end,
  }
end

function TestTwins:test_lights_look_alike()
  if not lw.raster.render { rasterizer = "gl", width = 8, height = 8 } then return end
  for number = 1, #lamps do
    for _, view in ipairs { "lit", "lightmap" } do
      local gl = lamp_lit("gl", number, view)
      local diff = gl:diff(lamp_lit("soft", number, view))
      unit.assertTrue(diff.ssim > 0.965 and diff.error < 1.8, ("%d, %s: SSIM %.4f, error %.2f"):format(number, view, diff.ssim, diff.error))
      unit.assertTrue(gl:diff(lw.raster.render { rasterizer = "gl", origin = rooms.first, angles = { 5, 30, 0 }, width = 320, height = 240, view = view }).error > 2)
    end
  end
end

-- Whoever draws it: the same bits with every code and any number of threads, and all but the same without spans.
function TestTwins:test_light_is_the_same_whoever_draws_it()
  local soft = lw.raster.soft
  for number = 1, #lamps do
    soft.code, soft.threads = "plain", 1
    local plain = lamp_lit("soft", number)
    for _, code in ipairs { "sse2", "avx2" } do
      soft.code, soft.threads = code, 3
      unit.assertEquals(lamp_lit("soft", number):diff(plain).max, 0, code)
    end
    soft.code, soft.threads, soft.world = "auto", 0, "zbuffer"
    local diff = lamp_lit("soft", number):diff(plain)
    unit.assertTrue(diff.ssim > 0.99 and diff.error < 0.2, ("%d: SSIM %.4f, error %.3f"):format(number, diff.ssim, diff.error))
    soft.world = "spans"
  end
end

-- Kept texels are lit anew where a light comes, moves, changes and goes.
function TestTwins:test_a_light_that_moves_leaves_nothing_behind()
  local has_gl = lw.raster.render { rasterizer = "gl", width = 8, height = 8 } ~= nil
  local lights = {
    false, { origin = rooms.first + lw.vec3(90, 50, -30), radius = 80, color = "red" }, { origin = rooms.first + lw.vec3(60, 20, -10), radius = 80, color = "red" },
    { origin = rooms.first + lw.vec3(60, 20, -10), radius = 120, color = "blue" },
  }
  local function shown(rasterizer, number)
    return assert(lw.raster.render { rasterizer = rasterizer, origin = rooms.first, angles = { 5, 30, 0 }, width = 160, height = 120,
      draw = function() if lights[number] then lw.lights.add(lights[number]) end end })
  end
  for _, way in ipairs { "auto", "cache", "pixel", "gl" } do
    local rasterizer = way == "gl" and "gl" or "soft"
    if rasterizer == "soft" then lw.raster.soft.lighting = way end
    local first = {}
    for _, number in ipairs(rasterizer == "soft" and { 1, 2, 3, 4, 2, 1, 4, 3, 3, 1 } or has_gl and { 1, 2, 3, 1 } or {}) do
      local picture = shown(rasterizer, number)
      if first[number] then unit.assertEquals(picture:diff(first[number]).max, 0, way .. ", light " .. number) end
      for other, before in pairs(first) do
        if other ~= number then unit.assertTrue(picture:diff(before).error > 0.3, ("%s: light %d looks like %d"):format(way, number, other)) end
      end
      first[number] = first[number] or picture
    end
  end
  lw.raster.soft.lighting = "auto"
end

-- Facing the eye, turned, wide, standing, added, over everything; and thousands of particles, some of which walls hide.
function TestTwins:test_sprites_and_particles_look_alike()
  local has_gl = lw.raster.render { rasterizer = "gl", width = 8, height = 8 } ~= nil
  local picture = "textures/rooms/crate"
  local function sprite(style, size)
    return function(eye) lw.draw.sprite(picture, eye.origin + eye.forward * 60 + eye.right * 10, size or 24, style) end
  end
  local ahead = rooms.first + lw.vec3(70, 40, 0)
  local things = {
    { "facing", sprite {} }, { "turned", sprite { roll = 40 } }, { "wide", sprite({}, { 50, 12 }) }, { "standing", sprite { angles = { 20, 250, 10 } } },
    { "added", sprite { blend = "add", color = { 0.5, 1, 0.5, 0.7 } } }, { "many", function(eye)
      lw.draw.sprites(picture, { eye.origin + eye.forward * 50, eye.origin + eye.forward * 300, eye.origin + eye.forward * 90 - eye.right * 40 }, 16)
    end },
    { "particles", function() end },
  }
  local function shown(rasterizer, draw)
    return assert(lw.raster.render { rasterizer = rasterizer, origin = rooms.first, angles = { 5, 30, 0 }, width = 320, height = 240, draw = draw })
  end
  lw.particles.clear()
  local empty = shown "soft"
  for _, thing in ipairs(things) do
    if thing[1] == "particles" then
      lw.particles.emit { origin = ahead, count = 3000, spread = 60, box = { 40, 40, 20 }, life = 9, size = 4, color = "yellow", color_to = "#ff300080" }
      lw.time.step(40)
    end
    local soft = shown("soft", thing[2])
    unit.assertTrue(soft:diff(empty).error > 0.15, thing[1] .. " is not seen")
    if has_gl then
      local diff = shown("gl", thing[2]):diff(soft)
      unit.assertTrue(diff.ssim > 0.95 and diff.error < 2, ("%s: SSIM %.4f, error %.2f"):format(thing[1], diff.ssim, diff.error))
    end
  end
  lw.particles.clear()
end

function TestTwins:test_every_drawer_shows_the_models()
  local soft = lw.raster.soft
  local pictures = {}
  for _, drawer in ipairs { "affine", "subdivision", "mask", "stack", "auto" } do
    soft.models = drawer
    pictures[drawer] = render("soft", "lit")
    local stats = soft.stats()
    unit.assertTrue(stats.models_affine + stats.models_subdivision + stats.models_mask > 500)
  end
  unit.assertTrue(pictures.stack:diff(pictures.affine).max == 0)
  for _, drawer in ipairs { "subdivision", "mask", "auto" } do
    unit.assertTrue(pictures[drawer]:diff(pictures.affine).ssim > 0.9, drawer)
  end
  soft.models = "auto"
end

function TestTwins:test_a_model_says_what_it_has_and_takes_only_sense()
  local info = lw.draw.model_info "models/test/ball"
  unit.assertEquals(info.frames, 1)
  unit.assertEquals(info.triangles, 12 * 24 * 2)
  unit.assertEquals(info.maxs, lw.vec3(16, 16, 16))
  unit.assertNil((lw.draw.tag("models/test/ball", "tag_weapon")))
  local function draw(style) return function() lw.draw.model("models/test/ball", style) end end
  unit.assertStrContains(rooms.refusal(draw { origin = 3 }), "origin")
  unit.assertStrContains(rooms.refusal(draw { frame = "x" }), "frame")
  unit.assertStrContains(rooms.refusal(draw { frame = 0 / 0 }), "frame")
  unit.assertStrContains(rooms.refusal(draw { mix = 2 }), "mix")
  unit.assertStrContains(rooms.refusal(draw { scale = 1 / 0 }), "scale")
  unit.assertStrContains(rooms.refusal(draw { skin = {} }), "skin")
  unit.assertStrContains(rooms.refusal(draw { skin = "a\0b" }), "skin")
  unit.assertStrContains(rooms.refusal(draw { lod = 9 }), "lod")
  unit.assertStrContains(rooms.refusal(draw { color = "no colour" }), "no colour")
  unit.assertStrContains(rooms.refusal(lw.draw.models, "models/test/ball", { 1, 2 }), "three a point")
  unit.assertStrContains(rooms.refusal(lw.draw.models, "models/test/ball", { 1, 2, 3 }, { yaws = {} }), "yaws")
  local drawn, why = lw.draw.model("models/test/ball", { skin = "nothing" })
  unit.assertNil(drawn)
  unit.assertStrContains(why, "ball_nothing.skin")
  assert(lw.draw.model("models/test/ball", { origin = rooms.first, frame = 1e9, old_frame = -1e9 }) ~= nil)
end

function TestTwins:test_a_broken_model_is_told()
  assert(lw.fs.write("models/test/broken.md3", ball(3):sub(1, 300)))
  local drawn, why = lw.draw.model "models/test/broken"
  unit.assertNil(drawn)
  unit.assertStrContains(why, "broken.md3")
end

-- What blends goes by the order of materials, and of one order the far ones first, whether it is the level's or a model's:
-- a pane of glass (a wall of the level, before nothing) and a ball whose middle lies behind it or before it.
function TestTwins:test_blended_models_and_faces_are_drawn_in_one_order()
  assert(lw.fs.write("models/test/dressed.md3", ball(12, "models/test/cloth")))
  local wall = lw.trace.ray(rooms.first, rooms.first + lw.vec3(0, -1000, 0))
  local function glass(color, words) return ("{\n%s\n{ map $whiteimage\nblendFunc blend\nrgbGen const ( %s )\nalphaGen const 0.5\n}\n}"):format(words, color) end
  local red_over_green, green_over_red = { 128, 64, 0 }, { 64, 128, 0 }
  lw.console.run("r.overbright 0")
  for _, row in ipairs {
    { "", "", -4, red_over_green }, { "", "", 4, green_over_red },                      -- by distance
    { "", "sort additive", -4, green_over_red }, { "", "sort underwater", 4, red_over_green },    -- by order
    { "sort underwater", "", -4, green_over_red }, { "sort nearest", "", 4, red_over_green },
  } do
    assert(lw.assets.override("textures/rooms/brick", glass("1 0 0", row[1])))
    assert(lw.assets.override("models/test/cloth", glass("0 1 0", row[2])))
    for _, rasterizer in ipairs { "gl", "soft" } do
      local image = lw.raster.render {
        rasterizer = rasterizer, origin = rooms.first, angles = { 0, 270, 0 }, width = 64, height = 48,
        draw = function() assert(lw.draw.model("models/test/dressed", { origin = wall.endpos + wall.normal * row[3] })) end,
      }
      if image then
        local r, g, b = image:get(32, 24)
        for i, got in ipairs { r, g, b } do unit.assertTrue(math.abs(got - row[4][i]) <= 2, ("%s, '%s' '%s' %d: %d %d %d"):format(rasterizer, row[1], row[2], row[3], r, g, b)) end
      end
    end
  end
  lw.console.run("r.overbright 1")
  lw.assets.override("textures/rooms/brick", nil)
  lw.assets.override("models/test/cloth", nil)
end
