-- Writes our own small level, maps/rooms.bsp, and its textures: two rooms, a corridor with a bend between them (so that
-- neither room sees the other), an arch and a pillar of Bezier patches, a door, a ramp. Everything is computed here: the
-- tree, the visibility rows, the light.
--
--     lua5.4 maps/rooms.lua [FOLDER]
--
-- writes into FOLDER (the folder of this file). The same bytes on every machine: no sine, no power, no random numbers
-- but our own. Coordinates: x east, y north, z up, in units.
local here = arg[0]:match("^(.*/)") or "./"
local folder = (arg[1] or here):gsub("/?$", "/")
local function part(name) return dofile(here .. "making/" .. name .. ".lua") end

local space = part("space")
local vis = part("vis")
local light = part("light")
local curve = part("curve")
local bsp = part("bsp")
local textures = part("textures")

-- Flags of a texture's entry in the file.
local SOLID, AREAPORTAL, DETAIL, TRIGGER = 0x1, 0x8000, 0x8000000, 0x40000000
local NODRAW, NOLIGHTMAP, NOMARKS = 0x80, 0x400, 0x20

-- What each material is: contents and surface flags, units per repetition of its image (or `fit`: once over each face), and
-- the colour it throws back.
local materials = {
  brick   = { contents = SOLID, span = 128, bounce = { 0.46, 0.33, 0.26 } },
  stone   = { contents = SOLID, span = 128, bounce = { 0.34, 0.37, 0.42 } },
  floor   = { contents = SOLID, span = 128, bounce = { 0.36, 0.34, 0.31 } },
  ceiling = { contents = SOLID, span = 128, bounce = { 0.48, 0.46, 0.42 } },
  trim    = { contents = SOLID, span = 64, bounce = { 0.25, 0.26, 0.28 } },
  crate   = { contents = SOLID, fit = true, bounce = { 0.42, 0.30, 0.16 } },
  door    = { contents = SOLID, span = 64, bounce = { 0.30, 0.33, 0.36 } },
  lamp    = { contents = SOLID, fit = true, bounce = { 0.9, 0.9, 0.85 }, glow = { 255, 250, 235 } },
  caulk   = { name = "textures/common/caulk", contents = SOLID, surface = NODRAW | NOLIGHTMAP | NOMARKS },
  trigger = { name = "textures/common/trigger", contents = TRIGGER, surface = NODRAW | NOLIGHTMAP },
  portal  = { name = "textures/common/areaportal", contents = AREAPORTAL, surface = NODRAW | NOLIGHTMAP },
}
for name, material in pairs(materials) do
  material.name = material.name or "textures/rooms/" .. name
  material.surface = material.surface or 0
end

local function box(x0, y0, z0, x1, y1, z1, more)
  local b = more or {}
  b.mins, b.maxs = { x0, y0, z0 }, { x1, y1, z1 }
  return b
end

-- The empty parts of the world. Where two touch there is an opening. Area 1 begins at the door.
local hollows = {
  box(0, 0, 0, 512, 512, 224, { area = 0, wall = "brick", floor = "floor", ceiling = "ceiling", trim = 32 }),    -- first room
  box(512, 192, 0, 528, 320, 160, { area = 0, wall = "trim", floor = "floor", ceiling = "trim" }),               -- the arch
  box(528, 176, 0, 896, 336, 176, { area = 0, wall = "stone", floor = "floor", ceiling = "ceiling", trim = 32 }), -- east ...
  box(736, 336, 0, 896, 688, 176, { area = 0, wall = "stone", floor = "floor", ceiling = "ceiling", trim = 32 }), -- ... and north
  box(752, 688, 0, 880, 704, 128, { area = 1, wall = "trim", floor = "floor", ceiling = "trim" }),               -- the door
  box(576, 704, 0, 1088, 1216, 320, { area = 1, wall = "stone", floor = "floor", ceiling = "ceiling", trim = 32 }), -- second room
}
-- What stands in them as part of the tree: the wall that divides the second room.
local blocks = {
  box(800, 896, 0, 832, 1216, 320, { wall = "brick", ceiling = "trim", trim = 32 }),
}

-- What stands in them and splits no leaf. Sides that touch something are not drawn: `hide` names them.
local details = {
  box(64, 384, 0, 128, 448, 64, { material = "crate", hide = "-z" }),
  box(72, 392, 64, 120, 440, 112, { material = "crate", hide = "-z" }),
  box(140, 400, 0, 188, 448, 48, { material = "crate", hide = "-z" }),
  box(0, 168, 208, 512, 184, 224, { material = "trim", hide = "+z-x+x" }),
  box(0, 328, 208, 512, 344, 224, { material = "trim", hide = "+z-x+x" }),
  box(576, 832, 296, 800, 856, 320, { material = "trim", hide = "+z-x" }),
  box(832, 832, 296, 1088, 856, 320, { material = "trim", hide = "+z+x" }),
  box(960, 1088, 0, 1088, 1216, 64, { material = "brick", top = "floor", hide = "-z+x+y" }),
  box(600, 1152, 0, 664, 1216, 64, { material = "crate", hide = "-z+y" }),
}
-- A ramp up to the platform: a box cut by a plane through its lower south edge and its upper north edge.
details[#details + 1] = box(960, 928, 0, 1088, 1088, 64, { material = "brick", top = "floor", hide = "-z+x+y", ramp = true })

-- Lamps under the ceilings: a box that glows and the light it gives.
local lights = {}
local function lamp(x, y, z, r, g, b, strength)
  details[#details + 1] = box(x - 24, y - 24, z - 8, x + 24, y + 24, z, { material = "lamp", hide = "+z", dark = true })
  lights[#lights + 1] = { origin = { x, y, z - 20 }, color = { r, g, b }, strength = strength, size = 18 }
end
lamp(128, 104, 224, 1.0, 0.86, 0.66, 100)
lamp(400, 104, 224, 1.0, 0.86, 0.66, 100)
lamp(128, 256, 224, 1.0, 0.74, 0.44, 75)
lamp(400, 256, 224, 1.0, 0.74, 0.44, 75)
lamp(128, 420, 224, 1.0, 0.86, 0.66, 100)
lamp(432, 432, 224, 1.0, 0.86, 0.66, 100)
lamp(640, 256, 176, 0.80, 0.90, 1.0, 45)
lamp(816, 256, 176, 0.80, 0.90, 1.0, 55)
lamp(816, 432, 176, 0.80, 0.90, 1.0, 45)
lamp(816, 608, 176, 1.0, 0.72, 0.44, 50)
lamp(688, 776, 320, 0.78, 0.88, 1.0, 140)
lamp(688, 1040, 320, 1.0, 0.66, 0.38, 160)
lamp(944, 776, 320, 0.78, 0.88, 1.0, 140)
lamp(928, 1016, 320, 0.66, 0.84, 1.0, 140)
lamp(1024, 1152, 320, 0.66, 0.84, 1.0, 100)

-- Curves. The pillar also stops light (as a cylinder) and movement (its patch is solid).
local pillar = { x = 352, y = 344, radius = 36, z0 = 0, z1 = 224 }
local patches = {}
for _, patch in ipairs(curve.pillar(pillar, "stone")) do patches[#patches + 1] = patch end
for _, patch in ipairs(curve.arch(512, 528, 192, 320, 96, 160, "trim")) do patches[#patches + 1] = patch end

-- Brush models: the door moves up; its coordinates are relative to its origin. The trigger stands before it.
local door_origin = { 816, 696, 64 }
local models = {
  { box(-64, -4, -64, 0, 4, 64, { material = "door", hide = "+x" }),
    box(0, -4, -64, 64, 4, 64, { material = "door", hide = "-x" }) },
  { box(736, 512, 0, 896, 544, 128, { material = "trigger" }) },
}

local entities = {
  { { "classname", "worldspawn" }, { "message", "Two rooms and a bend" }, { "gridsize", "64 64 64" } },
  { { "classname", "info_player_deathmatch" }, { "origin", "56 64 24" }, { "angle", "38" } },
  { { "classname", "info_player_deathmatch" }, { "origin", "624 1104 24" }, { "angle", "300" } },
  { { "classname", "info_player_deathmatch" }, { "origin", "1040 768 24" }, { "angle", "135" } },
  { { "classname", "func_door" }, { "model", "*1" }, { "origin", "816 696 64" }, { "angle", "-1" }, { "speed", "200" },
    { "lip", "8" }, { "wait", "3" } },
  { { "classname", "trigger_multiple" }, { "model", "*2" }, { "target", "bend" }, { "wait", "10" } },
  { { "classname", "target_print" }, { "targetname", "bend" }, { "origin", "816 528 96" },
    { "message", "Behind you the bend, before you the door." } },
  { { "classname", "weapon_rocketlauncher" }, { "origin", "1024 1152 80" } },
  { { "classname", "item_armor_body" }, { "origin", "720 1120 16" } },
  { { "classname", "item_health_large" }, { "origin", "816 256 16" } },
  { { "classname", "ammo_rockets" }, { "origin", "96 480 16" } },
}
for _, l in ipairs(lights) do
  entities[#entities + 1] = { { "classname", "light" }, { "origin", ("%d %d %d"):format(table.unpack(l.origin)) },
    { "_color", ("%.2f %.2f %.2f"):format(table.unpack(l.color)) }, { "light", ("%d"):format(l.strength) } }
end

local world = space.build { hollows = hollows, blocks = blocks, details = details, models = models, patches = patches,
  materials = materials }
local rows = vis.rows(world.leafs)
light.shine { world = world, lights = lights, pillars = { pillar }, rows = rows, materials = materials,
  offsets = { door_origin, { 0, 0, 0 } }, detail_flag = DETAIL }
local bytes = bsp.write { world = world, rows = rows, entities = entities, materials = materials, detail_flag = DETAIL }

local function save(name, data)
  local file = assert(io.open(folder .. name, "wb"))
  file:write(data)
  file:close()
end
save("rooms.bsp", bytes)
os.execute(("mkdir -p '%stextures/rooms'"):format(folder))
for name, png in pairs(textures.all()) do save("textures/rooms/" .. name .. ".png", png) end
