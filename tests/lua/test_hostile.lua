-- Every function of lw, called with whatever: it answers or raises an error of its own, and nothing else ever happens.
local unit = require "luaunit"
local rooms = require "rooms"

TestHostile = {}

-- Left out, beside log and test: what writes files or prints, and what may change what the next test stands on.
local LEFT_OUT = { ["fs.write"] = true, ["record.screenshot"] = true, ["console.run"] = true, ["console.print"] = true }

local state = 20240607
local function random(n)    -- the same in every run
  state = (state * 1103515245 + 12345) % 2 ^ 31
  return state // 65536 % n + 1
end

local function values()
  local cyclic = {}
  cyclic[1], cyclic.color = cyclic, cyclic
  local lying = setmetatable({}, { __len = function() return 1e15 end, __index = function() return 0 / 0 end })
  return {
    nil, true, false, 0, 1, -1, 7, 14, 15, 197, 198, 2 ^ 31, -2 ^ 31, 2 ^ 53, 2 ^ 63, math.maxinteger, math.mininteger, 0.5, 1e300,
    -1e300, 3e38, 1 / 0, -1 / 0, 0 / 0, "", "x", "faces", "lit", "gl", "rooms", "maps/rooms.bsp", ("long"):rep(5000), "a\0b", "%s%n",
    "../../x", "\xff\xfe", {}, { 1, 2, 3 }, { 0, 0, 0 }, { 1, 2 }, { { 1, 2, 3 }, { 4, 5, 6 } }, { 1, 2, 3, 4, 5, 6 }, { 0 / 0, 1, 2 },
    { 1e300, 0, 0 }, { "a", "b", "c" }, { x = 1, y = 2, z = 3 }, cyclic, lying, print, coroutine.create(print), lw.vec3(1, 2, 3),
    lw.vis.row(0), lw.bsp.face(0), lw.bsp.leaf(3), lw.bsp.lightmap(0), lw.entities.lump(1), lw.raster.gl,
    { color = "red", fill = true, width = 3 }, { color = { 9, 9, 9 } }, { width = -1 }, { size = 1e9 }, { font = "x" },
    { origin = { 0, 0, 0 }, angles = { 0, 0, 0 }, fov = 90 }, { classname = ".*" }, { classname = "(" }, { width = 8, height = 8 },
  }
end

local COUNT = 66
local function arguments(pool)
  local list = { n = random(6) - 1 }
  for i = 1, list.n do list[i] = pool[random(COUNT)] end
  return list
end

local function each_function(f)
  for module, functions in pairs(lw) do
    if type(functions) == "function" then f(module, functions) end
    if type(functions) == "table" then
      for name, call in pairs(functions) do
        if type(call) == "function" and module ~= "log" and module ~= "test" and not LEFT_OUT[module .. "." .. name] then f(module .. "." .. name, call) end
      end
    end
  end
end

function TestHostile:test_every_function_survives_any_arguments()
  rooms.open()
  local pool, called = values(), 0
  each_function(function(name, call)
    local rounds = (name == "raster.render" or name:find("^map%.")) and 20 or 150
    for _ = 1, rounds do
      local list = arguments(pool)
      local fine, message = pcall(call, table.unpack(list, 1, list.n))
      if not fine then unit.assertTrue(message ~= nil and #tostring(message) > 0, name) end
      called = called + 1
    end
    if lw.map.name ~= "rooms" then rooms.open() end
  end)
  unit.assertTrue(called > 5000)
end

function TestHostile:test_every_method_survives_any_object_and_arguments()
  rooms.open()
  local pool = values()
  local methods = { lw.vis.row(0).has, lw.vis.row(0).list, lw.bsp.lightmap(0).get, lw.bsp.lightmap(0).diff, lw.vec3().dot,
    lw.entities.lump(0).key, lw.entities.lump(0).number, lw.entities.lump(0).vector, lw.raster.gl.stats }
  for _, method in ipairs(methods) do
    for _ = 1, 200 do
      local list = arguments(pool)
      pcall(method, table.unpack(list, 1, list.n))
    end
  end
  local objects = { lw.vis.row(0), lw.bsp.face(0), lw.bsp.lightmap(0), lw.entities.lump(1), lw.raster.gl, lw.vec3(1, 2, 3) }
  for _, object in ipairs(objects) do
    for i = 1, COUNT do
      local other = pool[i]
      pcall(function() return object[other] end)
      pcall(function() object[other] = 1 end)
      pcall(function() return object & other end)
      pcall(function() return other - object end)
      pcall(function() return object == other end)
      pcall(function() return #object end)
      pcall(function() return tostring(object) end)
      pcall(function() for _ in pairs(object) do end end)
    end
  end
end

function TestHostile:test_every_property_survives_any_value()
  rooms.open()
  local pool = values()
  for _, place in ipairs { { "camera", "origin" }, { "camera", "angles" }, { "camera", "fov" }, { "time", "scale" }, { "map", "name" },
    { "raster", "gl" }, { "raster", "soft" } } do
    for i = 1, COUNT do
      pcall(function() lw[place[1]][place[2]] = pool[i] end)
      pcall(function() return lw[place[1]][place[2]] end)
    end
  end
  lw.time.scale = 1
  lw.camera.free()
end
