-- Where light comes from: pages in the level and beside it, vertices, the grid, deluxe pages, styles; what brightens it.
local unit = require "luaunit"
local rooms = require "rooms"

TestLight = {}

local PAGES, FACES, VERTICES, ENTITIES, PAGE = 14, 13, 10, 0, 128 * 128 * 3

function TestLight:tearDown()
  lw.console.run("r.overbright 1; r.gamma 1")
  for _, name in ipairs(lw.assets.materials()) do lw.assets.override(name, nil) end
end

-- The lumps of our level, by number.
local function lumps_of_rooms()
  local file = assert(io.open("maps/rooms.bsp", "rb"))    -- it is opened from beside the program: no root of the search path has it
  local bytes, lumps = file:read("a"), {}
  file:close()
  for i = 0, 16 do
    local offset, length = string.unpack("<i4i4", bytes, 9 + 8 * i)
    lumps[i] = bytes:sub(offset + 1, offset + length)
  end
  return lumps
end

local function save_level(name, lumps)
  local head, body, at = "IBSP" .. string.pack("<i4", 46), {}, 144
  for i = 0, 16 do
    head = head .. string.pack("<i4i4", at, #lumps[i])
    body[#body + 1] = lumps[i] .. ("\0"):rep(-#lumps[i] % 4)
    at = at + #body[#body]
  end
  assert(lw.fs.write("maps/" .. name .. ".bsp", head .. table.concat(body)))
end

-- Every record of `size` bytes, changed by a function.
local function each_record(lump, size, change)
  local out = {}
  for i = 1, #lump, size do out[#out + 1] = change(lump:sub(i, i + size - 1)) end
  return table.concat(out)
end

local function put(record, offset, format, ...)
  local value = string.pack(format, ...)
  return record:sub(1, offset) .. value .. record:sub(offset + #value + 1)
end

local function page(lumps, i) return lumps[PAGES]:sub(i * PAGE + 1, (i + 1) * PAGE) end

local function save_page(map, number, rgb)
  local head = string.pack("<BBBI2I2BI2I2I2I2BB", 0, 0, 2, 0, 0, 0, 0, 0, 128, 128, 24, 0x20)    -- from the top
  assert(lw.fs.write(("maps/%s/lm_%04d.tga"):format(map, number), head .. rgb:gsub("(.)(.)(.)", "%3%2%1")))
end

-- Our level with its pages in pictures beside it.
local function save_beside()
  local lumps = lumps_of_rooms()
  for i = 0, #lumps[PAGES] // PAGE - 1 do save_page("beside", i, page(lumps, i)) end
  lumps[PAGES] = ""
  save_level("beside", lumps)
  return lumps
end

local function picture(map, rasterizer, view, eye)
  assert(lw.map.open(map))
  return assert(lw.raster.render { rasterizer = rasterizer, origin = eye or rooms.first, angles = { 5, 30, 0 }, width = 160, height = 120, view = view })
end

local rasterizers = { "gl", "soft" }

local function same(map, other, most, view)
  for _, rasterizer in ipairs(rasterizers) do
    local diff = picture(map, rasterizer, view):diff(picture(other, rasterizer, view))
    unit.assertTrue(diff.max <= most, ("%s: %s and %s are %d apart"):format(rasterizer, map, other, diff.max))
  end
end

function TestLight:test_pages_of_the_level()
  local lumps = lumps_of_rooms()
  lumps[PAGES] = lumps[PAGES]:gsub(".", "\40")    -- grey: 40 of 255, which the shift of overbright doubles twice
  save_level("grey", lumps)
  for _, overbright in ipairs { 0, 1 } do
    lw.console.run("r.overbright " .. overbright)
    for _, rasterizer in ipairs(rasterizers) do
      local r, g, b = picture("grey", rasterizer, "lightmap"):get(80, 100)
      unit.assertEquals({ r, g, b }, { 160, 160, 160 }, rasterizer)
    end
  end
end

function TestLight:test_pages_beside_the_level()
  local lumps = save_beside()
  save_level("without", lumps)
  for _, rasterizer in ipairs(rasterizers) do
    for view in ("lit lightmap"):gmatch "%a+" do
      local diff = picture("beside", rasterizer, view):diff(picture("rooms", rasterizer, view))
      -- shifted as their own pages
      unit.assertTrue(diff.ssim > 0.99 and diff.error < 1, ("%s, %s: SSIM %.4f, error %.2f"):format(rasterizer, view, diff.ssim, diff.error))
    end
    unit.assertTrue(picture("without", rasterizer):diff(picture("rooms", rasterizer)).error > 5, rasterizer)    -- no pages: the vertices' light
  end
end

-- A page that a script names is a picture like any other: no shift.
function TestLight:test_pages_that_scripts_name()
  save_page("named", 0, ("\40"):rep(PAGE))
  lw.console.run("r.overbright 0")
  rooms.open()
  for _, name in ipairs(lw.assets.materials()) do
    lw.assets.override(name, "{ { map maps/named/lm_0000.tga\nrgbGen identity\ntcGen lightmap\n} }")
  end
  for _, rasterizer in ipairs(rasterizers) do
    local r, g, b = assert(lw.raster.render { rasterizer = rasterizer, origin = rooms.first, angles = { 5, 30, 0 }, width = 32, height = 32 }):get(16, 16)
    unit.assertEquals({ r, g, b }, { 40, 40, 40 }, rasterizer)
  end
end

-- Pages in pairs, light and direction: faces name the even ones, and nothing is seen of the others.
function TestLight:test_deluxe_pages_are_skipped()
  local lumps, pages = lumps_of_rooms(), {}
  for i = 0, #lumps[PAGES] // PAGE - 1 do
    pages[#pages + 1] = page(lumps, i)
    pages[#pages + 1] = ("\255\0\128"):rep(PAGE // 3)
  end
  lumps[PAGES] = table.concat(pages)
  lumps[FACES] = each_record(lumps[FACES], 104, function(face)
    local number = string.unpack("<i4", face, 29)
    return put(face, 28, "<i4", number >= 0 and number * 2 or number)
  end)
  lumps[ENTITIES] = lumps[ENTITIES]:gsub('"worldspawn"', '"worldspawn"\n"deluxeMaps" "1"', 1)
  save_level("deluxe", lumps)
  same("deluxe", "rooms", 0)
end

function TestLight:test_vertices_light_faces_without_a_page()
  local lumps = lumps_of_rooms()
  lumps[PAGES] = ""
  lumps[VERTICES] = each_record(lumps[VERTICES], 44, function(vertex) return put(vertex, 40, "BBBB", 20, 50, 10, 255) end)
  save_level("vertices", lumps)
  for _, rasterizer in ipairs(rasterizers) do
    local r, g, b = picture("vertices", rasterizer, "lightmap"):get(80, 100)
    unit.assertEquals({ r, g, b }, { 80, 200, 40 }, rasterizer)
  end
end

-- The compiler writes styles as stages of their own: another part of the page, as bright as a wave.
function TestLight:test_styles_are_stages()
  rooms.open()
  lw.console.run("r.overbright 0")
  local function look(words, time)
    for _, name in ipairs(lw.assets.materials()) do
      lw.assets.override(name, "{ { map $lightmap\nrgbGen identity\n}\n" .. words .. "{ map textures/rooms/floor\nblendFunc filter\nrgbGen identity\n} }")
    end
    lw.time.step(time and time * 1000 or 0)
    return assert(lw.raster.render { rasterizer = "gl", origin = rooms.first, angles = { 60, 30, 0 }, width = 64, height = 48 })
  end
  local style = "{ map $lightmap\nblendFunc GL_ONE GL_ONE\nrgbGen wave square 0.25 0.25 %g 0\ntcGen lightmap\ntcMod transform 1 0 0 1 %g 0\n}\n"
  local base, off, on = look(""), look(style:format(0.6, 0)), look(style:format(0, 0))
  unit.assertTrue(off:diff(base).max <= 1)                    -- half of the wave: nothing is added
  local brighter = 0
  for y = 0, 47, 8 do
    for x = 0, 63, 8 do
      local r0, g0, b0 = base:get(x, y)
      local r, g, b = on:get(x, y)
      unit.assertTrue(r >= r0 and g >= g0 and b >= b0)
      if r > r0 + 2 then brighter = brighter + 1 end
    end
  end
  unit.assertTrue(brighter > 10)
  unit.assertTrue(look(style:format(0, 0.5)):diff(on).max > 3)    -- from another place of the page
end

-- The sun of a sky is a light for the compiler: there is no disc.
function TestLight:test_a_sun_has_no_disc()
  rooms.open()
  local function look(sun)
    for _, name in ipairs(lw.assets.materials()) do
      lw.assets.override(name, "{ surfaceparm sky\nskyparms - 512 -\n" .. sun .. "{ map textures/rooms/floor\nrgbGen identity\n} }")
    end
    return assert(lw.raster.render { rasterizer = "gl", origin = rooms.first, angles = { -60, 30, 0 }, width = 128, height = 96 })
  end
  unit.assertEquals(look("q3map_sun 1 0.9 0.5 500 30 60\n"):diff(look("")).max, 0)
end

-- What moves stands in the grid's light: here red, with a little blue, from above.
function TestLight:test_the_grid_lights_what_moves()
  local lumps = lumps_of_rooms()
  lumps[15] = each_record(lumps[15], 8, function() return string.char(60, 0, 20, 120, 0, 40, 0, 0) end)
  save_level("grid", lumps)
  assert(lw.map.open "grid")
  local door = "textures/rooms/door"
  lw.assets.override(door, "{ { map $whiteimage\nrgbGen lightingDiffuse\n} }")
  local model = lw.bsp.model(1)
  local sides = { red = 0, blue = 0, green = 0 }
  local entity
  for i = 0, lw.entities.count() - 1 do if lw.entities.lump(i).model == "*1" then entity = lw.entities.lump(i) end end
  local middle = (model.mins + model.maxs) / 2 + (entity:vector "origin" or lw.vec3(0, 0, 0))
  local image = assert(lw.raster.render { rasterizer = "gl", origin = middle + lw.vec3(0, 60, 10), angles = { 5, 270, 0 }, width = 64, height = 48 })
  for y = 8, 40, 4 do
    local r, g, b = image:get(32, y)
    sides.red, sides.green, sides.blue = math.max(sides.red, r), math.max(sides.green, g), math.max(sides.blue, b)
  end
  unit.assertTrue(sides.red > sides.blue and sides.blue > 0, ("%d %d %d"):format(sides.red, sides.green, sides.blue))
end

function TestLight:test_gamma_and_overbright_look_alike()
  for _, command in ipairs { "r.gamma 2", "r.gamma 0.7", "r.overbright 0" } do
    lw.console.run("r.gamma 1; r.overbright 1; " .. command)
    local diff = picture("rooms", "gl"):diff(picture("rooms", "soft"))
    unit.assertTrue(diff.ssim > 0.96 and diff.error < 2, ("%s: SSIM %.4f, error %.2f"):format(command, diff.ssim, diff.error))
  end
  local bright = picture("rooms", "gl")
  lw.console.run("r.gamma 1; r.overbright 1")
  unit.assertTrue(bright:diff(picture("rooms", "gl")).error > 2)
end


-- Dynamic lights: the same in both rasterizers, whatever a surface is made of.

local function add_lights(eye)
  lw.lights.add { origin = eye.origin + eye.forward * 60, radius = 200, color = { 0.3, 0.8, 1 } }
  lw.lights.add { origin = eye.origin + eye.forward * 120 + eye.right * 60, radius = 150, color = { 1.5, 0.4, 0.2 } }
end

local function lit_picture(rasterizer, draw, more)
  local what = { rasterizer = rasterizer, origin = rooms.first, angles = { 25, 30, 0 }, width = 160, height = 120, draw = draw }
  for key, value in pairs(more or {}) do what[key] = value end
  return assert(lw.raster.render(what))
end

local function lights_look_alike(name, more, add)
  local gl = lit_picture("gl", add or add_lights, more)
  unit.assertTrue(gl:diff(lit_picture("gl", nil, more)).error > 1.5, name .. ": no light to compare")
  local diff = gl:diff(lit_picture("soft", add or add_lights, more))
  unit.assertTrue(diff.ssim > 0.94 and diff.error < 2, ("%s: SSIM %.4f, error %.2f"):format(name, diff.ssim, diff.error))
end

local function override(body)
  for _, name in ipairs(lw.assets.materials()) do assert(lw.assets.override(name, "{ " .. body .. " }")) end
end

local light, brick = "{ map $lightmap\n%s\n}\n", "{ map textures/rooms/brick\n%s\n}\n"
local materials = {
  ["a picture and its light"] = brick:format "rgbGen identity" .. light:format "blendFunc filter\nrgbGen identity",
  ["light and its picture"] = light:format "rgbGen identity" .. brick:format "blendFunc filter\nrgbGen identity\ntcMod scale 2 2",
  ["light beside its picture"] = "{ map $whiteimage\nrgbGen const ( 0.5 0.4 0.3 )\n}\n" .. brick:format "blendFunc add" .. light:format "blendFunc filter\nrgbGen identity",
  ["light alone, scaled"] = light:format "rgbGen identity\ntcMod scale 0.5 0.5",
  ["a finer layer over light"] = brick:format "rgbGen identity" .. light:format "blendFunc filter\nrgbGen identity" .. brick:format "blendFunc GL_DST_COLOR GL_SRC_COLOR\ntcMod scale 8 8",
  ["blended light"] = light:format "blendFunc GL_ONE GL_ONE\nrgbGen const ( 0.5 0.5 0.5 )",
  ["a blended picture, then light"] = "cull none\n" .. brick:format "blendFunc blend\nalphaGen const 0.6" .. light:format "blendFunc filter\nrgbGen identity",
  ["light that lets through"] = "cull none\n" .. brick:format "alphaFunc GE128\ndepthWrite\nrgbGen identity" .. light:format "blendFunc filter\nrgbGen identity\ndepthFunc equal",
  ["light on what is deformed"] = "deformVertexes wave 64 sin 0 6 0 0.3\n" .. brick:format "rgbGen identity" .. light:format "blendFunc filter\nrgbGen identity",
  ["light in colours of vertices"] = light:format "rgbGen exactVertex" .. brick:format "blendFunc filter\nrgbGen identity",
}

function TestLight:test_dynamic_light_on_any_material()
  rooms.open()
  for name, body in pairs(materials) do
    override(body)
    for overbright = 0, 1 do
      lw.console.run("r.overbright " .. overbright)
      lights_look_alike(("%s, overbright %d"):format(name, overbright))
    end
  end
end

-- Colours of the vertices beside a page: both are the surface's light where a material asks for both.
function TestLight:test_a_page_in_colours_of_vertices()
  local lumps = lumps_of_rooms()
  lumps[VERTICES] = each_record(lumps[VERTICES], 44, function(vertex) return put(vertex, 40, "BBBB", 60, 20, 40, 255) end)
  save_level("colours", lumps)
  assert(lw.map.open "colours")
  for _, words in ipairs { "rgbGen exactVertex", "rgbGen oneMinusVertex", "rgbGen exactVertex\nblendFunc add", "rgbGen identity\ntcMod scale 0.25 0.5" } do
    override((words:find "add" and brick:format "rgbGen const ( 0.1 0.2 0.3 )" or "") .. light:format(words))
    local diff = lit_picture("gl"):diff(lit_picture("soft"))
    unit.assertTrue(diff.ssim > 0.97 and diff.error < 1.5, ("%s: SSIM %.4f, error %.2f"):format(words, diff.ssim, diff.error))
  end
end

function TestLight:test_dynamic_light_on_pages_beside_the_level()
  save_beside()
  assert(lw.map.open "beside")
  lights_look_alike "pages beside the level"
  lights_look_alike("the view of them", { view = "lightmap" })
end

-- A light as bright as many pages falls on a dark picture: nothing but the picture's own pixels has an end at white.
function TestLight:test_dynamic_light_brighter_than_a_page_can_be()
  rooms.open()
  lw.console.run("r.overbright 0")
  for name, body in pairs {
    ["before"] = light:format "rgbGen identity" .. brick:format "blendFunc filter\nrgbGen const ( 0.2 0.2 0.2 )",
    ["after"] = brick:format "rgbGen const ( 0.2 0.2 0.2 )" .. light:format "blendFunc filter\nrgbGen identity",
    ["after two"] = brick:format "rgbGen const ( 0.1 0.1 0.1 )" .. brick:format "blendFunc add\nrgbGen const ( 0.1 0.1 0.1 )" .. light:format "blendFunc filter\nrgbGen identity",
  } do
    override(body)
    lights_look_alike(name, nil, function(eye) lw.lights.add { origin = eye.origin + eye.forward * 60, radius = 200, color = { 2, 3, 4 } } end)
  end
end

-- Layers that lie in kept texels where no light falls lie over the light where it does, whatever was drawn before.
function TestLight:test_dynamic_light_comes_and_goes()
  rooms.open()
  override(materials["a finer layer over light"])
  for world in ("spans zbuffer"):gmatch "%a+" do
    lw.console.run("soft.world " .. world)
    lw.console.run("soft.lighting pixel")
    local lit, dark = lit_picture("soft", add_lights), lit_picture("soft")
    lw.console.run("soft.lighting auto")
    for _ = 1, 2 do
      local diff = lit_picture("soft"):diff(dark)
      unit.assertTrue(diff.error < 1.5, ("%s, dark: error %.2f"):format(world, diff.error))
      diff = lit_picture("soft", add_lights):diff(lit)
      unit.assertTrue(diff.error < 1.5, ("%s, lit: error %.2f"):format(world, diff.error))
    end
  end
  lw.console.run("soft.world spans")
end

function TestLight:test_dynamic_light_is_the_same_for_any_code_and_threads()
  rooms.open()
  local bodies = {}
  for _, body in pairs(materials) do bodies[#bodies + 1] = body end
  table.sort(bodies)
  for i, name in ipairs(lw.assets.materials()) do assert(lw.assets.override(name, "{ " .. bodies[(i - 1) % #bodies + 1] .. " }")) end
  for setting = 0, 7 do
    lw.console.run(("r.overbright %d; soft.divide %d; soft.world %s"):format(setting & 1, setting & 2 == 0 and 8 or 16, setting & 4 == 0 and "spans" or "zbuffer"))
    local function shown(code, threads)
      lw.console.run(("soft.code %s; soft.threads %d"):format(code, threads))
      return lit_picture("soft", add_lights, { width = 203, height = 91 })
    end
    local plain = shown("plain", 1)
    for code in ("sse2 avx2"):gmatch "%w+" do unit.assertEquals(shown(code, 3):diff(plain).max, 0, code .. " " .. setting) end
  end
  lw.console.run "soft.divide 16; soft.world spans; soft.code auto; soft.threads 0"
end

-- A flare over the eye's shoulder is seen in the mirror before it; one between the eye that the mirror makes and the mirror is not.
function TestLight:test_flares_stand_in_mirrors()
  local function open(y)
    local lumps, first = lumps_of_rooms(), true
    lumps[FACES] = each_record(lumps[FACES], 104, function(face)
      if not first then return face end
      first = false    -- it becomes a flare without a front: white
      return put(put(put(put(face, 8, "<i4", 4), 48, "<fff", 56, y, 50), 60, "<fff", 1, 1, 1), 84, "<fff", 0, 0, 0)
    end)
    lumps[ENTITIES] = lumps[ENTITIES]:gsub("\0+$", "") .. '{\n"classname" "misc_portal_surface"\n"origin" "56 8 50"\n}\n\0'
    save_level("mirror", lumps)
    assert(lw.map.open "mirror")
    assert(lw.assets.override("textures/rooms/brick", "{\nportal\n{ map $whiteimage\nblendFunc GL_ZERO GL_ONE\ndepthWrite\n}\n}"))
  end
  local function brightened(rasterizer)
    local function shown(on)
      lw.console.run("r.flares " .. on)
      return lit_picture(rasterizer, nil, { angles = { 0, 270, 0 } })
    end
    local dark = { shown(0):get(80, 60) }
    local bright = { shown(1):get(80, 60) }
    return bright[1] + bright[2] + bright[3] - dark[1] - dark[2] - dark[3]
  end
  for _, rasterizer in ipairs(rasterizers) do
    open(120)
    local by = brightened(rasterizer)
    unit.assertTrue(by > 60, rasterizer .. ": " .. by)
    open(-45)    -- farther in the wall than what flares are forgiven
    unit.assertEquals(brightened(rasterizer), 0, rasterizer)
  end
  lw.console.run("r.flares 0")
end

-- What is drawn but stops nobody hides a flare too: a mesh between it and the eye, unless one can look through it.
function TestLight:test_meshes_hide_flares()
  local function open(between)
    local lumps, number = lumps_of_rooms(), 0
    local quad
    lumps[FACES] = each_record(lumps[FACES], 104, function(face)
      number = number + 1
      if number == 1 then return put(put(put(put(face, 8, "<i4", 4), 48, "<fff", 56, 200, 50), 60, "<fff", 1, 1, 1), 84, "<fff", 0, 0, 0) end
      if quad or not between or string.unpack("<i4", face, 17) ~= 4 then return face end
      quad = string.unpack("<i4", face, 13)
      return put(face, 8, "<i4", 3)
    end)
    local corner = 0
    lumps[VERTICES] = each_record(lumps[VERTICES], 44, function(vertex)
      local k = corner - (quad or math.huge)
      corner = corner + 1
      return k >= 0 and k < 4 and put(vertex, 0, "<fff", (k == 0 or k == 3) and 20 or 100, 100, k < 2 and 10 or 120) or vertex
    end)
    save_level("mesh", lumps)
    assert(lw.map.open "mesh")
  end
  local function brightened()
    local sum = {}
    for on = 0, 1 do
      lw.console.run("r.flares " .. on)
      local r, g, b = lit_picture("soft", nil, { angles = { 0, 90, 0 } }):get(80, 60)
      sum[on] = r + g + b
    end
    return sum[1] - sum[0]
  end
  open(false)
  unit.assertTrue(brightened() > 60)
  open(true)
  unit.assertEquals(brightened(), 0)
  override("cull none\n" .. brick:format "blendFunc add")
  unit.assertTrue(brightened() > 20)
  lw.console.run("r.flares 0")
end
