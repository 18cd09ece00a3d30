-- lw.assets: materials as tables, changed while the level is on screen.
local unit = require "luaunit"
local rooms = require "rooms"
local assets = lw.assets

TestAssets = {}

function TestAssets:setUp() rooms.open() end
function TestAssets:tearDown()
  assets.override("textures/rooms/floor", nil)
  assets.override("textures/test/all", nil)
end

function TestAssets:test_a_picture_without_a_script_has_the_engine_s_two_stages()
  local floor = assets.material("textures/rooms/floor")
  unit.assertEquals(floor.name, "textures/rooms/floor")
  unit.assertFalse(floor.scripted)
  unit.assertEquals(#floor.stages, 2)
  unit.assertEquals(floor.stages[1].map, "$lightmap")
  unit.assertEquals(floor.stages[2].map, "textures/rooms/floor")
  unit.assertEquals(floor.stages[2].blend, { "GL_DST_COLOR", "GL_ZERO" })
end

function TestAssets:test_the_names_are_those_of_the_textures()
  local names = assets.materials()
  unit.assertEquals(#names, lw.bsp.count("textures"))
  for i, name in ipairs(names) do unit.assertEquals(name, lw.bsp.texture(i - 1).name) end
end

function TestAssets:test_an_override_says_every_word_back()
  local done, odd = assets.override("textures/test/all", [[{
    cull none
    surfaceparm nomarks
    sort banner
    polygonOffset
    skyparms env/box 200 -
    fogparms ( 0.5 0.25 1 ) 300
    deformVertexes wave 100 sin 1 2 3 4
    deformVertexes bulge 5 6 7
    { map textures/rooms/floor
      rgbGen wave noise 0.5 0.25 0 2
      alphaGen const 0.25
      tcGen vector ( 1 2 3 ) ( 4 5 6 )
      tcMod scroll 0.5 1
      tcMod turb 0 1 2 3
      alphaFunc GE128
      depthWrite
      blendFunc blend }
    { animMap 4 a.tga b.tga
      rgbGen const ( 0.25 0.5 1 )
      alphaGen portal 512
      depthFunc equal }
    { clampMap c.tga
      tcGen environment }
  }]])
  unit.assertTrue(done)
  unit.assertNil(odd)
  local m = assets.material("TEXTURES/Test/all.tga")
  unit.assertTrue(m.scripted and m.polygonoffset)
  unit.assertEquals({ m.cull, m.sort, m.line, m.file }, { "none", 6, 1, "override" })
  unit.assertEquals(m.sky, { box = "env/box", cloud_height = 200 })
  unit.assertEquals(m.fog, { color = { 0.5, 0.25, 1 }, depth = 300 })
  unit.assertEquals(m.deforms[1], { kind = "wave", numbers = { 100 }, wave = { func = "sin", base = 1, amplitude = 2, phase = 3, frequency = 4 } })
  unit.assertEquals(m.deforms[2], { kind = "bulge", numbers = { 5, 6, 7 } })
  local a, b, c = table.unpack(m.stages)
  unit.assertEquals({ a.map, a.rgbgen, a.alphagen, a.alpha, a.tcgen, a.alphafunc, a.depthwrite, a.line },
    { "textures/rooms/floor", "wave", "const", 0.25, "vector", "GE128", true, 10 })
  unit.assertEquals({ a.rgbwave.func, a.s_vector, a.t_vector, a.blend }, { "noise", { 1, 2, 3 }, { 4, 5, 6 }, { "GL_SRC_ALPHA", "GL_ONE_MINUS_SRC_ALPHA" } })
  unit.assertEquals(a.tcmods[1], { kind = "scroll", numbers = { 0.5, 1 } })
  unit.assertEquals({ a.tcmods[2].kind, a.tcmods[2].wave.phase }, { "turb", 2 })
  unit.assertEquals({ b.images, b.fps, b.color, b.range, b.depthequal }, { { "a.tga", "b.tga" }, 4, { 0.25, 0.5, 1 }, 512, true })
  unit.assertEquals({ c.map, c.clamp, c.tcgen, c.rgbgen }, { "c.tga", true, "environment", nil })
end

function TestAssets:test_a_broken_override_changes_nothing()
  unit.assertTrue(assets.override("textures/rooms/floor", "{ cull none }"))
  local done, why = assets.override("textures/rooms/floor", "{ { map x.tga ")
  unit.assertNil(done)
  unit.assertStrContains(why, "line 1")
  unit.assertEquals(assets.material("textures/rooms/floor").cull, "none")
  done, why = assets.override("textures/rooms/floor", "other/name { cull back }")
  unit.assertNil(done)
  unit.assertStrContains(why, "does not define")
  done, why = assets.override("textures/rooms/floor", "{ cull back\nfrobnicate 7\n}")
  unit.assertTrue(done)
  unit.assertStrContains(why, "line 2: unknown word 'frobnicate'")
  unit.assertNil((assets.override("..", "{ }")))
  unit.assertTrue(assets.override("textures/rooms/floor", nil))
  unit.assertEquals(assets.material("textures/rooms/floor").cull, "front")
end

function TestAssets:test_an_override_is_seen_at_once()
  local function look()
    return assert(lw.raster.render { rasterizer = "gl", origin = rooms.first, angles = { 80, 0, 0 }, width = 32, height = 32 })
  end
  local before = look()
  for _, texture in ipairs(assets.materials()) do
    assets.override(texture, "{ { map $whiteimage\nrgbGen const ( 0 1 0 )\n } }")
  end
  local r, g, b = look():get(16, 16)
  for _, texture in ipairs(assets.materials()) do assets.override(texture, nil) end
  unit.assertEquals({ r, g, b }, { 0, 255, 0 })
  unit.assertEquals(look():diff(before).max, 0)
end

function TestAssets:test_pictures_come_by_name()
  local brick = assert(assets.image("textures/rooms/brick"))
  unit.assertTrue(brick.width >= 16 and brick.height >= 16)
  local none, why = assets.image("textures/rooms/none")
  unit.assertNil(none)
  unit.assertStrContains(why, "textures/rooms/none")
  unit.assertErrorMsgContains("lw.assets.image", assets.image)
end
